'use strict';
/* The cell: bodies on a tree of frames, moved by the values of the joints at a time. */
const data = JSON.parse(document.getElementById('data').textContent);

const numbers = (() => {
  const text = atob(document.getElementById('blob').textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) { bytes[i] = text.charCodeAt(i); }
  return bytes.buffer;
})();

const film = {
  times: data.film.times,
  values: new Float32Array(numbers, data.film.at, data.film.count * data.film.variables),
  begin: data.film.times[0],
  end: data.film.times[data.film.count - 1],
  /* Between two pictures joints go straight. */
  at(time) {
    const times = film.times, n = data.film.variables;
    let low = 0, high = times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) { low = middle; } else { high = middle; }
    }
    const span = times[high] - times[low];
    const f = span > 0 ? Math.min(1, Math.max(0, (time - times[low]) / span)) : 0;
    const out = new Array(n);
    for (let v = 0; v < n; v++) {
      out[v] = film.values[low * n + v] * (1 - f) + film.values[high * n + v] * f;
    }
    return out;
  }
};

/* Releases of three.js call them one way or the other. */
const [Plane, Sphere, Cylinder, Tube] = ['Plane', 'Sphere', 'Cylinder', 'Tube']
  .map(name => THREE[name + 'BufferGeometry'] || THREE[name + 'Geometry']);

const COLOURS = {
  link: [0xdde4ec, 0xb4c3d3], attached: [0xf2a64b], obstacle: [0xc9bfae], plane: [0xa9b6c2],
  hitA: 0xe53935, hitB: 0xb0532f, nearA: 0x1e88e5, nearB: 0xf2a900, openA: 0xfb8c00, openB: 0x8d6e63
};

const cell = (() => {
  const view = document.getElementById('view'), canvas = document.getElementById('canvas');
  const scene = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(32, 1, 0.01, 200);
  camera.up.set(0, 0, 1);
  let renderer = null, controls = null, dirty = true;
  try {
    renderer = new THREE.WebGLRenderer({canvas, antialias: true, alpha: true, preserveDrawingBuffer: true});
    renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    controls = new THREE.OrbitControls(camera, canvas);
    controls.screenSpacePanning = true;
    controls.addEventListener('change', () => { dirty = true; });
  } catch (error) {
    notice('This browser has no WebGL: the cell is not drawn, everything else is there.');
  }

  function notice(text) {
    const element = document.getElementById('notice');
    element.textContent = element.textContent ? element.textContent + ' ' + text : text;
    element.hidden = false;
  }

  /* ---- meshes ---- */

  function read(mesh) {
    const points = new Uint16Array(numbers, mesh.at, 3 * mesh.points);
    const corners = mesh.bytes === 2 ? new Uint16Array(numbers, mesh.corners, 3 * mesh.triangles) :
      new Uint32Array(numbers, mesh.corners, 3 * mesh.triangles);
    const place = new Float32Array(points.length);
    for (let i = 0; i < points.length; i++) {
      place[i] = mesh.low[i % 3] + mesh.step[i % 3] * points[i];
    }
    return {place, corners};
  }

  /* Flat where an edge is sharper than 35 degrees, smooth elsewhere; sharp edges become lines. */
  function shape(mesh) {
    const {place, corners} = read(mesh), triangles = corners.length / 3;
    const normals = new Float32Array(3 * triangles), out = new Float32Array(9 * triangles);
    const shade = new Float32Array(9 * triangles), sharp = Math.cos(35 * Math.PI / 180);
    const first = new Int32Array(place.length / 3 + 1), around = new Int32Array(corners.length);
    for (let t = 0; t < triangles; t++) {
      const a = 3 * corners[3 * t], b = 3 * corners[3 * t + 1], c = 3 * corners[3 * t + 2];
      const ux = place[b] - place[a], uy = place[b + 1] - place[a + 1], uz = place[b + 2] - place[a + 2];
      const vx = place[c] - place[a], vy = place[c + 1] - place[a + 1], vz = place[c + 2] - place[a + 2];
      const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
      const n = Math.hypot(x, y, z) || 1;
      normals[3 * t] = x / n; normals[3 * t + 1] = y / n; normals[3 * t + 2] = z / n;
    }
    for (let i = 0; i < corners.length; i++) { first[corners[i] + 1]++; }
    for (let i = 1; i < first.length; i++) { first[i] += first[i - 1]; }
    const fill = first.slice();
    for (let i = 0; i < corners.length; i++) { around[fill[corners[i]]++] = (i / 3) | 0; }
    const lines = [];
    for (let i = 0; i < corners.length; i++) {
      const t = (i / 3) | 0, v = corners[i], next = corners[3 * t + (i + 1) % 3];
      let x = 0, y = 0, z = 0, other = -1;
      for (let k = first[v]; k < first[v + 1]; k++) {
        const o = around[k];
        const dot = normals[3 * o] * normals[3 * t] + normals[3 * o + 1] * normals[3 * t + 1] +
          normals[3 * o + 2] * normals[3 * t + 2];
        if (dot > sharp) { x += normals[3 * o]; y += normals[3 * o + 1]; z += normals[3 * o + 2]; }
        if (o !== t && (corners[3 * o] === next || corners[3 * o + 1] === next || corners[3 * o + 2] === next)) {
          other = dot > sharp ? -2 : o;
        }
      }
      if (other !== -2 && (other < 0 || t < other)) {
        for (const p of [v, next]) { lines.push(place[3 * p], place[3 * p + 1], place[3 * p + 2]); }
      }
      const n = Math.hypot(x, y, z) || 1;
      out.set(place.subarray(3 * v, 3 * v + 3), 3 * i);
      shade[3 * i] = x / n; shade[3 * i + 1] = y / n; shade[3 * i + 2] = z / n;
    }
    const solid = new THREE.BufferGeometry(), edges = new THREE.BufferGeometry();
    solid.setAttribute('position', new THREE.BufferAttribute(out, 3));
    solid.setAttribute('normal', new THREE.BufferAttribute(shade, 3));
    edges.setAttribute('position', new THREE.BufferAttribute(new Float32Array(lines), 3));
    solid.computeBoundingSphere();
    solid.computeBoundingBox();
    return {solid, edges};
  }

  /* ---- frames and bodies ---- */

  const frames = data.frames.map(() => new THREE.Group());
  data.frames.forEach((frame, i) => {
    (i === 0 ? scene : frames[frame.parent]).add(frames[i]);
  });

  function move(values) {
    const turn = new THREE.Quaternion(), axis = new THREE.Vector3();
    data.frames.forEach((frame, i) => {
      const group = frames[i];
      group.position.fromArray(frame.p);
      group.quaternion.fromArray(frame.q).normalize();
      if (frame.joint) {
        const q = frame.multiplier * values[frame.variable] + frame.offset;
        axis.fromArray(frame.axis).normalize();
        if (frame.joint === 1) {
          group.quaternion.multiply(turn.setFromAxisAngle(axis, q));
        } else {
          group.position.add(axis.applyQuaternion(group.quaternion).multiplyScalar(q));
        }
      }
    });
    scene.updateMatrixWorld(true);
  }

  let links = 0, triangles = 0;
  const bodies = data.bodies.map((body, number) => {
    const group = new THREE.Group();
    group.position.fromArray(body.p);
    group.quaternion.fromArray(body.q).normalize();
    frames[body.frame].add(group);
    const palette = COLOURS[body.role];
    const colour = palette[body.role === 'link' ? links++ % 2 : 0];
    const robot = body.role === 'link' || body.role === 'attached';
    const material = new THREE.MeshStandardMaterial({color: colour, roughness: 0.62, metalness: robot ? 0.18 : 0.02, side: THREE.DoubleSide, shadowSide: THREE.BackSide});
    const own = {body, number, group, material, colour, robot};
    if (body.mesh) {
      const {solid, edges} = shape(body.mesh);
      own.mesh = new THREE.Mesh(solid, material);
      own.mesh.castShadow = own.mesh.receiveShadow = true;
      own.edges = new THREE.LineSegments(edges, new THREE.LineBasicMaterial({color: 0x22303d, transparent: true, opacity: robot ? 0.3 : 0.38}));
      group.add(own.mesh, own.edges);
      if (robot) { triangles += body.mesh.triangles; }
    } else {
      own.mesh = new THREE.Mesh(new Plane(4, 4), material);
      own.mesh.receiveShadow = true;
      const grid = new THREE.GridHelper(4, 20, 0x8696a5, 0xa9b7c4);
      grid.rotation.x = Math.PI / 2;
      grid.material.transparent = true;
      grid.material.opacity = 0.5;
      own.edges = grid;
      own.plane = true;
      group.add(own.mesh, grid);
    }
    return own;
  });
  if (data.bodies.some(body => body.coarse)) { notice('Some bodies have too many triangles and are drawn by the hulls of their parts.'); }

  /* A robot without geometry is still a chain of frames. */
  if (!bodies.some(own => own.robot)) {
    notice('The robot has no collision geometry: its frames are drawn as sticks.');
    data.frames.forEach((frame, i) => {
      const to = new THREE.Vector3().fromArray(frame.p);
      if (i === 0 || to.length() < 1e-6) { return; }
      const line = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), to]);
      frames[frame.parent].add(new THREE.Line(line, new THREE.LineBasicMaterial({color: 0x1e88e5})));
    });
  }

  /* ---- what the camera should hold ---- */

  move(film.at(film.begin));
  const reach = new THREE.Box3();
  for (let k = 0; k <= 12; k++) {
    move(film.at(film.begin + (film.end - film.begin) * k / 12));
    bodies.forEach(own => { if (own.robot) { reach.expandByObject(own.mesh); } });
    if (!bodies.some(own => own.robot)) {
      frames.forEach(frame => reach.expandByPoint(new THREE.Vector3().setFromMatrixPosition(frame.matrixWorld)));
    }
  }
  const room = new THREE.Box3().copy(reach).expandByScalar(0.35 * reach.getSize(new THREE.Vector3()).length() || 1);
  const held = new THREE.Box3().copy(reach);
  let ground = reach.min.z;
  bodies.forEach(own => {
    if (!own.robot && !own.plane) {
      const box = new THREE.Box3().setFromObject(own.mesh).intersect(room);
      if (!box.isEmpty()) { held.union(box); ground = Math.min(ground, box.min.z); }
    } else if (own.plane) {   // planes have no end: draw them where the robot is
      const size = reach.getSize(new THREE.Vector3()).length() || 2;
      const middle = own.group.worldToLocal(reach.getCenter(new THREE.Vector3()));
      own.mesh.position.set(middle.x, middle.y, 0);
      own.edges.position.copy(own.mesh.position);
      own.mesh.scale.setScalar(size / 2);
      own.edges.scale.setScalar(size / 2);
    }
  });
  const centre = held.getCenter(new THREE.Vector3());
  const radius = Math.max(0.2, 0.5 * held.getSize(new THREE.Vector3()).length());

  scene.add(new THREE.HemisphereLight(0xffffff, 0x8c97a3, 0.78));
  const sun = new THREE.DirectionalLight(0xffffff, 0.62), fillLight = new THREE.DirectionalLight(0xdfe9ff, 0.22);
  sun.position.copy(centre).add(new THREE.Vector3(0.6, -0.9, 1.7).multiplyScalar(2 * radius));
  sun.target.position.copy(centre);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  Object.assign(sun.shadow.camera, {left: -1.4 * radius, right: 1.4 * radius, top: 1.4 * radius, bottom: -1.4 * radius, near: 0.1, far: 8 * radius});
  sun.shadow.bias = -0.0002;
  sun.shadow.radius = 3;
  fillLight.position.copy(centre).add(new THREE.Vector3(-1, 1, 0.4).multiplyScalar(2 * radius));
  fillLight.target.position.copy(centre);
  scene.add(sun, sun.target, fillLight, fillLight.target);
  if (!bodies.some(own => own.plane)) {
    const floor = new THREE.Mesh(new Plane(14 * radius, 14 * radius), new THREE.ShadowMaterial({opacity: 0.16}));
    floor.position.set(centre.x, centre.y, ground - 0.002);
    floor.receiveShadow = true;
    const side = 0.25 * 2 ** Math.round(Math.log2(radius)), count = 2 * Math.ceil(1.6 * radius / side);
    const grid = new THREE.GridHelper(count * side, count, 0x93a1ae, 0xaab6c2);
    grid.rotation.x = Math.PI / 2;
    grid.position.set(Math.round(centre.x / side) * side, Math.round(centre.y / side) * side, ground - 0.003);
    grid.material.transparent = true;
    grid.material.opacity = 0.3;
    grid.material.depthWrite = false;
    scene.add(floor, grid);
  }

  /* ---- sweep and trace ---- */

  const sweep = new THREE.Group(), trace = new THREE.Group();
  scene.add(sweep, trace);
  function depth(frame) {
    let count = 0;
    for (let f = frame; f > 0; f = data.frames[f].parent) { count += data.frames[f].joint ? 1 : 0; }
    return count;
  }
  (() => {
    const moving = bodies.filter(own => own.robot && own.body.moves && own.mesh);
    if (film.end > film.begin && moving.length > 0) {
      const count = Math.max(4, Math.min(18, Math.floor(900000 / (triangles + 1))));
      const material = new THREE.MeshBasicMaterial({color: 0x2f7fd6, transparent: true, opacity: 0.045, depthWrite: false,
        polygonOffset: true, polygonOffsetFactor: 4, polygonOffsetUnits: 40});   // behind what does not move
      const ghosts = moving.map(own => new THREE.InstancedMesh(own.mesh.geometry, material, count));
      for (let k = 0; k < count; k++) {
        move(film.at(film.begin + (film.end - film.begin) * k / (count - 1)));
        moving.forEach((own, i) => ghosts[i].setMatrixAt(k, own.mesh.matrixWorld));
      }
      ghosts.forEach(ghost => { ghost.frustumCulled = false; ghost.renderOrder = 1; sweep.add(ghost); });
    }
    const deepest = Math.max(0, ...moving.map(own => depth(own.body.frame)));
    const tools = moving.filter(own => depth(own.body.frame) === deepest);
    if (tools.length === 0 || deepest === 0) { return; }
    const steps = Math.min(600, film.times.length), points = [], colours = [];
    for (let k = 0; k < steps; k++) {
      const time = film.begin + (film.end - film.begin) * k / Math.max(1, steps - 1);
      move(film.at(time));
      const p = new THREE.Vector3();
      tools.forEach(own => p.add(own.mesh.geometry.boundingSphere.center.clone().applyMatrix4(own.mesh.matrixWorld)));
      points.push(p.multiplyScalar(1 / tools.length));
      const found = clearanceAt(time), near = Math.min(1, Math.max(0, found / 0.1));
      const colour = new THREE.Color().setHSL(0.36 * near, 0.8, 0.4);
      colours.push([colour.r, colour.g, colour.b]);
    }
    const walked = [0];
    for (let k = 1; k < points.length; k++) { walked.push(walked[k - 1] + points[k].distanceTo(points[k - 1])); }
    const length = walked[walked.length - 1];
    if (!(length > 1e-6)) { return; }
    const along = Math.min(900, 3 * steps), round = 6;
    const tube = new Tube(new THREE.CatmullRomCurve3(points), along, 0.0025 * radius, round, false);
    const shades = new Float32Array(3 * tube.attributes.position.count);
    for (let i = 0, k = 0; i < tube.attributes.position.count; i++) {   // rings, evenly along the way
      const here = Math.floor(i / (round + 1)) / along * length;
      while (k + 1 < walked.length && walked[k] < here) { k++; }
      shades.set(colours[k], 3 * i);
    }
    tube.setAttribute('color', new THREE.BufferAttribute(shades, 3));
    trace.add(new THREE.Mesh(tube, new THREE.MeshBasicMaterial({vertexColors: THREE.VertexColors || true})));
  })();

  function clearanceAt(time) {
    const span = data.spans.find(one => time >= one.begin && time <= one.end);
    const least = span ? Math.min(span.world.found === undefined ? 1 : span.world.found, span.self.found === undefined ? 1 : span.self.found) : 1;
    return least;
  }

  /* ---- the pair that is looked at ---- */

  const marks = new THREE.Group();
  const dots = [0, 1].map(() => new THREE.Mesh(new Sphere(1, 20, 14), new THREE.MeshBasicMaterial({depthTest: false, transparent: true})));
  const rod = new THREE.Mesh(new Cylinder(1, 1, 1, 10), new THREE.MeshBasicMaterial({depthTest: false, transparent: true}));
  dots.forEach(dot => { dot.renderOrder = 11; });
  rod.renderOrder = 10;
  marks.add(rod, ...dots);
  marks.visible = false;
  scene.add(marks);
  let chosen = null, focus = false, showScene = true;

  function paint() {
    const hasPair = chosen !== null && chosen.a !== null;
    bodies.forEach(own => {
      const isA = hasPair && own.number === chosen.a, isB = hasPair && own.number === chosen.b;
      const kind = hasPair ? chosen.kind : '';
      own.material.color.set(own.colour);
      if (isA || isB) {   // large obstacles are tinted, not painted
        own.material.color.lerp(new THREE.Color(COLOURS[kind + (isA ? 'A' : 'B')]), own.robot ? 1 : 0.62);
      }
      const faint = hasPair && focus && !isA && !isB;
      const opacity = faint ? (own.robot ? 0.4 : 0.16) : own.plane ? 0.55 : 1;
      own.material.transparent = opacity < 1;
      own.material.opacity = opacity;
      own.material.depthWrite = opacity === 1;
      own.material.needsUpdate = true;
      own.mesh.castShadow = !own.plane && (!faint || own.robot);
      own.mesh.renderOrder = faint ? 2 : 0;
      own.edges.visible = !faint || !own.robot;
      own.group.visible = own.robot || showScene || isA || isB;
    });
    dirty = true;
  }

  /* Points belong to one time: elsewhere they are not drawn. */
  function choose(pair) {
    chosen = pair;
    paint();
  }

  function updateMarks(time) {
    const label = document.getElementById('label');
    const there = chosen && chosen.pa && Math.abs(time - chosen.time) < 1e-6 * Math.max(1, Math.abs(chosen.time));
    marks.visible = Boolean(there);
    if (!there) {
      label.hidden = true;
      return;
    }
    const a = new THREE.Vector3().fromArray(chosen.pa), b = new THREE.Vector3().fromArray(chosen.pb);
    const middle = a.clone().add(b).multiplyScalar(0.5);
    const size = 0.0042 * camera.position.distanceTo(middle);
    const colour = chosen.kind === 'hit' ? 0xd50000 : 0x00897b;
    [a, b].forEach((p, i) => {
      dots[i].position.copy(p);
      dots[i].scale.setScalar(size);
      dots[i].material.color.set(colour);
    });
    const apart = b.clone().sub(a), length = apart.length();
    rod.visible = length > 1e-9;
    rod.position.copy(middle);
    rod.scale.set(0.35 * size, Math.max(length, 1e-9), 0.35 * size);
    rod.material.color.set(colour);
    if (length > 1e-9) { rod.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), apart.normalize()); }
    camera.updateMatrixWorld();   // else the label is where it was a picture ago
    const seen = middle.clone().project(camera);
    label.hidden = !(seen.z < 1 && Math.abs(seen.x) < 1 && Math.abs(seen.y) < 1);
    label.style.left = (0.5 + 0.5 * seen.x) * view.clientWidth + 'px';
    label.style.top = (0.5 - 0.5 * seen.y) * view.clientHeight + 'px';
    label.style.borderLeftColor = chosen.kind === 'hit' ? '#d50000' : '#00897b';
    label.replaceChildren(...chosen.label());
  }

  /* ---- cameras ---- */

  function lookFrom(direction, target, distance) {
    if (!controls) { return; }
    controls.target.copy(target);
    camera.position.copy(target).add(direction.clone().normalize().multiplyScalar(distance));
    camera.near = distance / 200;
    camera.far = distance * 60 + 20 * radius;
    camera.updateProjectionMatrix();
    controls.update();
    dirty = true;
  }

  function away() {
    return 0.8 * radius / Math.sin(0.5 * camera.fov * Math.PI / 180) / Math.min(1, camera.aspect);
  }

  /* From where the points and the robot are hidden least, all else equal from the front right. */
  function home() {
    const solid = bodies.filter(own => !own.robot && !own.plane).map(own => own.mesh);
    const wanted = bodies.filter(own => own.robot && own.body.moves)
      .map(own => [own.mesh.geometry.boundingSphere.center.clone().applyMatrix4(own.mesh.matrixWorld), 1]);
    if (chosen && chosen.pa) {
      wanted.push([new THREE.Vector3().fromArray(chosen.pa), 0.7 * wanted.length + 1]);
    }
    let best = null, most = -Infinity;
    const ray = new THREE.Raycaster(), few = solid.length <= 300;
    for (let k = 0; k < 24; k++) {
      // Never along an axis: what is built square is seen best from its corners.
      const angle = (90 * Math.floor(k % 12 / 3) + 25 + 20 * (k % 3)) * Math.PI / 180, height = k < 12 ? 0.45 : 0.95;
      const direction = new THREE.Vector3(Math.cos(angle), Math.sin(angle), height).normalize();
      let score = 0.3 * wanted.length * Math.cos(angle + 0.93) - (k < 12 ? 0 : 0.15 * wanted.length);
      wanted.forEach(([point, weight]) => {
        const from = point.clone().addScaledVector(direction, 0.004 * radius);
        ray.set(from, direction);
        score += few && ray.intersectObjects(solid).length > 0 ? 0 : weight;
      });
      if (score > most) {
        most = score;
        best = direction;
      }
    }
    lookFrom(best, centre, away());
  }

  function look(name) {
    const far = away();
    if (name === 'side') { lookFrom(new THREE.Vector3(0.001, -1, 0), centre, far); }
    if (name === 'front') { lookFrom(new THREE.Vector3(1, 0, 0), centre, far); }
    if (name === 'top') { lookFrom(new THREE.Vector3(0, -0.001, 1), centre, far); }
    if (name === 'home') { home(); }
    if (name === 'pair' && chosen && chosen.pa && controls) {
      const a = new THREE.Vector3().fromArray(chosen.pa), b = new THREE.Vector3().fromArray(chosen.pb);
      const direction = camera.position.clone().sub(controls.target);
      lookFrom(direction, a.clone().add(b).multiplyScalar(0.5), Math.max(0.3, 0.35 * radius, 7 * a.distanceTo(b)));
    }
  }

  function resize() {
    const width = view.clientWidth, height = view.clientHeight;
    if (!renderer || width === 0 || height === 0) { return; }
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    dirty = true;
  }

  let now = film.begin;
  function setTime(time) {
    now = time;
    move(film.at(time));
    dirty = true;
  }

  /* Drawn when something changed, never for nothing. */
  function draw() {
    if (dirty && renderer) {
      dirty = false;
      updateMarks(now);
      renderer.render(scene, camera);
    }
  }

  return {
    setTime, choose, look, resize, draw, bodies,
    toggle(name, on) {
      if (name === 'sweep') { sweep.visible = on; }
      if (name === 'trace') { trace.visible = on; }
      if (name === 'focus') { focus = on; paint(); }
      if (name === 'scene') { showScene = on; paint(); }
      dirty = true;
    },
    /* Where a body's mesh is in the middle, for tests. */
    position(name) {
      const own = bodies.find(one => one.body.name === name);
      return own ? own.mesh.geometry.boundingSphere.center.clone().applyMatrix4(own.mesh.matrixWorld).toArray() : null;
    },
    drawn() { return renderer ? renderer.info.render.triangles : 0; }
  };
})();
