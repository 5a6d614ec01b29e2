'use strict';
/* Everything around the cell: heading, time, pairs, open intervals, joints, basis. */

/* ---- what is looked at ---- */


/* A pair as the cell wants it. */
function pairToShow(pair, kind) {
  return {
    a: pair.a, b: pair.b, kind, time: pair.time, pa: pair.pa, pb: pair.pb,
    label() {
      const distance = kind === 'hit' ? (pair.depth > 1e-6 ? `overlap of at least ${length(pair.depth, -1)}` : 'contact') :
        isTouch(pair) ? 'touch or overlap' : pair.found === undefined ? (pair.kind === 'margin' ? 'nearer than the margin' : '') : length(pair.found, 1);
      return [element('b', {}, distance), ` ${pairName(pair)}`];
    }
  };
}

function choosePair(index, jump) {
  const pair = data.pairs[index];
  const hit = data.contact && isContact(pair);
  state.pair = index;
  if (hit && data.contact.kind === 'contact') {
    cell.choose(pairToShow(data.contact, 'hit'));
    if (jump) { state.set(data.contact.time); }
  } else {
    cell.choose(pairToShow(pair, openPairs.has(key(pair)) ? 'open' : 'near'));
    if (jump && pair.time !== undefined) { state.set(pair.time); }
  }
  table.mark();
  chart.draw();
}

function key(pair) { return Math.min(pair.a, pair.b) + ' ' + Math.max(pair.a, pair.b); }
function isTouch(pair) { return pair.state === 'checked' && pair.certified === null && pair.found < 1e-8; }
function isContact(pair) { return Boolean(data.contact) && key(pair) === key(data.contact); }
const openPairs = new Set(data.open.filter(one => one.bodyA !== null && one.bodyB !== null)
  .map(one => key({a: one.bodyA, b: one.bodyB})));

/* ---- heading ---- */

(() => {
  document.getElementById('title').textContent = data.title;
  const badge = document.getElementById('verdict');
  badge.textContent = data.verdict;
  badge.classList.add(data.verdict);
  document.getElementById('sentence').textContent = (data.lines[0] || '').replace(/^[A-Z]+\s*/, '');
  const facts = document.getElementById('facts');
  const fact = (name, ...value) => facts.append(element('div', {}, element('dt', {}, name), element('dd', {}, ...value)));
  const goes = (text, time, pair) => {
    const button = element('button', {type: 'button', title: 'Show it'}, text);
    button.addEventListener('click', () => { choosePointsOf(pair, time); });
    return button;
  };
  if (data.contact) {
    fact(data.contact.kind === 'margin' ? 'nearer than the margin at' : 'first contact', goes(moment(data.contact.time), data.contact.time, data.contact));
    fact('free for certain until', moment(data.freeUntil));
  } else if (data.clearance) {
    fact('nothing comes nearer than', data.clearance.certified > 0 ? length(data.clearance.certified, -1) : 'not certified');
    fact('closest', goes(`${length(data.clearance.found, 1)} at ${moment(data.clearance.time)}`, data.clearance.time, data.clearance));
  }
  if (data.open.length > 0) { fact('open intervals', String(data.open.length)); }
  fact('pairs checked', String(data.checked));
  fact('vouch', data.vouch);
  const legend = document.getElementById('legend');
  const used = role => data.bodies.some(body => body.role === role);
  [['link', 'robot', '#c3cfdb'], ['attached', 'held', '#f2a64b'], ['obstacle', 'obstacles', '#c9bfae']].forEach(([role, name, colour]) => {
    if (used(role)) { legend.append(element('span', {}, element('i', {style: 'background:' + colour}), name)); }
  });
  if (data.film.thinned) {
    legend.append(element('span', {}, `thinned: ${data.film.points.toLocaleString('en')} points are drawn at ${data.film.count.toLocaleString('en')} times; the proof is about all of them`));
  }
})();

/* The contact or the closest approach of the whole check, by its own points. */
function choosePointsOf(pair, time) {
  const index = data.pairs.findIndex(one => one.state === 'checked' && key(one) === key(pair));
  if (index >= 0) { state.pair = index; }
  cell.choose(pairToShow(pair, data.contact === pair && pair.kind === 'contact' ? 'hit' : 'near'));
  state.set(time);
  chart.draw();
  table.mark();
  table.reveal();
}

/* ---- time ---- */

const state = {
  time: film.begin, pair: null, playing: false, speed: 1,
  set(time) {
    state.time = Math.min(film.end, Math.max(film.begin, time));
    cell.setTime(state.time);
    chart.setTime(state.time);
    slider.value = state.time;
    document.getElementById('now').textContent = moment(state.time);
    joints.update();
  }
};
const slider = document.getElementById('time');
slider.min = film.begin;
slider.max = film.end;
slider.addEventListener('input', () => { state.set(Number(slider.value)); });

(() => {
  const bands = document.getElementById('bands'), whole = film.end - film.begin || 1;
  const at = time => 100 * (time - film.begin) / whole;
  if (data.waypoints.length <= 120) {
    data.waypoints.forEach(time => bands.append(element('i', {class: 'tick', style: `left:${at(time)}%`})));
  }
  data.open.forEach(one => bands.append(element('i', {class: 'open', style: `left:${at(one.begin)}%;width:${at(one.end) - at(one.begin)}%`})));
  if (data.contact) {
    bands.append(element('i', {class: 'hit', style: `left:${at(data.contact.time)}%`}));
  } else if (data.clearance) {
    bands.append(element('i', {class: 'near', style: `left:${at(data.clearance.time)}%`}));
  }
  const play = document.getElementById('play'), speed = document.getElementById('speed');
  const rates = [1, 2, 4, 0.25, 0.5];
  function setPlaying(on) {
    state.playing = on;
    play.textContent = on ? '❚❚' : '▶';
    play.setAttribute('aria-label', on ? 'Pause' : 'Play');
    if (on && state.time >= film.end) { state.set(film.begin); }
  }
  play.addEventListener('click', () => setPlaying(!state.playing));
  speed.addEventListener('click', () => {
    state.speed = rates[(rates.indexOf(state.speed) + 1) % rates.length];
    speed.textContent = state.speed + '×';
  });
  let last = 0;
  function tick(stamp) {
    const passed = Math.min(0.1, (stamp - last) / 1000);
    last = stamp;
    if (state.playing) {   // a path without times takes six seconds
      state.set(state.time + passed * state.speed * (data.hasTime ? 1 : whole / 6));
      if (state.time >= film.end) { setPlaying(false); }
    }
    cell.draw();
    requestAnimationFrame(tick);
  }
  requestAnimationFrame(tick);
  document.addEventListener('keydown', event => {
    if (event.target.matches('input[type=search], button, [tabindex]') && event.key !== 'Escape') { return; }
    const step = event.shiftKey ? 0.1 : 0.01;
    const keys = {' ': () => setPlaying(!state.playing), ArrowLeft: () => state.set(state.time - step * whole),
      ArrowRight: () => state.set(state.time + step * whole), Home: () => state.set(film.begin), End: () => state.set(film.end)};
    if (keys[event.key]) {
      keys[event.key]();
      event.preventDefault();
    }
  });
})();

/* ---- pairs ---- */

const table = (() => {
  const body = document.querySelector('#pairs tbody'), find = document.getElementById('find');
  let side = 'checked', sort = 'found', down = false, shown = 400;
  const tests = {
    checked: pair => pair.state === 'checked',
    world: pair => pair.state === 'checked' && pair.side === 'world',
    self: pair => pair.state === 'checked' && pair.side === 'self',
    'not checked': pair => pair.state !== 'checked'
  };
  const chips = document.getElementById('sides');
  Object.keys(tests).forEach(name => {
    const count = data.pairs.filter(tests[name]).length;
    const chip = element('button', {type: 'button', 'aria-pressed': name === side}, `${name} ${count}`);
    chip.addEventListener('click', () => {
      side = name;
      chips.querySelectorAll('button').forEach(one => one.setAttribute('aria-pressed', one === chip));
      draw();
    });
    chips.append(chip);
  });

  function value(pair) {
    if (sort === 'name') { return pairName(pair); }
    if (isContact(pair) && sort === 'found' && data.contact.kind === 'contact') { return -1; }
    const number = sort === 'time' ? pair.time : pair.found;
    return number === undefined || number === null ? Infinity : number;
  }

  function distance(pair) {
    if (isContact(pair) && data.contact.kind === 'contact') { return ['contact', null]; }
    if (pair.state !== 'checked') { return [pair.found === undefined || pair.found === null ? '–' : length(pair.found, 1), null]; }
    if (isTouch(pair)) { return ['touch or overlap', null]; }
    const sure = pair.certified === null ? 'not certified' : pair.certified < 1e-9 ? 'apart for certain' : '≥ ' + length(pair.certified, -1);
    return pair.found === undefined ? [sure, null] : [length(pair.found, 1), sure];
  }

  function row(pair, index) {
    const [main, small] = distance(pair);
    const contact = isContact(pair), open = openPairs.has(key(pair));
    const time = contact && data.contact.kind === 'contact' ? data.contact.time : pair.time;
    const why = pair.why || (pair.group ? `the nearest of ${pair.group} obstacles` : null) || (open ? 'open: see the tab' : pair.margin > 0 ? `more than ${length(pair.margin)} must remain` : null);
    const made = element('tr', {'data-pair': index, tabindex: 0,
      class: (contact ? 'hit ' : open ? 'open ' : '') + (pair.state === 'checked' ? '' : 'off')},
      element('td', {class: 'pair'}, element('span', {class: 'dot ' + (pair.state === 'checked' ? pair.side : 'off')}), pairName(pair),
        why ? element('small', {}, pair.state === 'left out' ? 'left out: ' + why : why) : null),
      element('td', {class: 'number' + (isTouch(pair) ? ' touch' : '')}, main, small ? element('small', {}, small) : null),
      element('td', {class: 'number'}, time === undefined ? '' : brief(time)));
    return made;
  }

  function draw() {
    const word = find.value.trim().toLowerCase();
    const rows = data.pairs.map((pair, index) => ({pair, index}))
      .filter(one => tests[side](one.pair) && pairName(one.pair).toLowerCase().includes(word));
    rows.sort((p, q) => {
      const a = value(p.pair), b = value(q.pair);
      return (a < b ? -1 : a > b ? 1 : p.index - q.index) * (down ? -1 : 1);
    });
    body.replaceChildren(...rows.slice(0, shown).map(one => row(one.pair, one.index)));
    document.querySelectorAll('#pairs th').forEach(th => {
      if (th.dataset.sort === sort) {
        th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      } else {
        th.removeAttribute('aria-sort');
      }
    });
    const notes = [];
    if (rows.length > shown) { notes.push(`${rows.length - shown} more: narrow them down with the field above.`); }
    if (data.leftAway > 0) { notes.push(`${data.leftAway} further checked pairs are too many for this page; the verdict is about all of them, the curve says nothing for certain.`); }
    if (data.unlisted > 0) { notes.push(`${data.unlisted} further pairs that are not checked are not listed.`); }
    if (data.cutShort) { notes.push('The time for this page ran out: what is not certified here may still be true.'); }
    if (data.pairs.length === 0) { notes.push('There is no pair.'); }
    document.getElementById('pairs-note').textContent = notes.join(' ');
    mark();
  }

  function mark() {
    body.querySelectorAll('tr').forEach(one => one.classList.toggle('chosen', Number(one.dataset.pair) === state.pair));
  }

  function reveal() {
    const one = body.querySelector('tr.chosen');
    if (one) { one.scrollIntoView({block: 'nearest'}); }
  }

  body.addEventListener('click', event => {
    const one = event.target.closest('tr');
    if (one) { choosePair(Number(one.dataset.pair), true); }
  });
  body.addEventListener('keydown', event => {
    const one = event.target.closest('tr');
    const next = {ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling'}[event.key];
    const to = next ? one[next] : event.key === 'Enter' || event.key === ' ' ? one : null;
    if (to) {
      to.focus();
      choosePair(Number(to.dataset.pair), true);
      event.preventDefault();
    }
  });
  document.querySelectorAll('#pairs th').forEach(th => th.addEventListener('click', () => {
    down = sort === th.dataset.sort ? !down : false;
    sort = th.dataset.sort;
    draw();
  }));
  find.addEventListener('input', draw);
  if (!data.hasTime) { document.querySelector('[data-sort=time] button').textContent = 'segment'; }
  return {draw, mark, reveal};
})();

/* ---- open intervals ---- */

const REASONS = {
  deadline: 'the deadline passed', depth: 'in touch, or nearer than what can be decided',
  tolerance: 'within margin and tolerance', memory: 'the memory was used up',
  surface: 'inside a mesh that has holes', containment: 'not clear whether one begins inside the other',
  unsupported: 'not supported', cancelled: 'cancelled'
};

(() => {
  const place = document.getElementById('open');
  const tab = document.querySelector('[data-tab=open]');
  tab.append(element('span', {class: 'count'}, String(data.open.length)));
  if (data.open.length === 0) {
    place.append(element('p', {class: 'note', style: 'padding-top:14px'},
      data.verdict === 'UNDECIDED' ? 'No interval is named: nothing was there to be proved.' : 'Nothing is open.'));
    return;
  }
  const groups = new Map();
  data.open.forEach(one => {
    const name = one.a + ' – ' + (one.b || 'obstacles');
    groups.set(name, [...(groups.get(name) || []), one]);
  });
  const list = element('div', {class: 'rows'});
  groups.forEach((all, name) => {
    list.append(element('h2', {}, name));
    all.forEach(one => {
      const button = element('button', {type: 'button'}, `${moment(one.begin)} to ${moment(one.end)}`,
        element('small', {}, (REASONS[one.reason] || one.reason) + (one.distance === null ? '' : `; at most ${length(one.distance, 1)} apart there`)));
      button.addEventListener('click', () => {
        cell.choose({a: one.bodyA, b: one.bodyB, kind: 'open', time: one.begin});
        state.set(one.begin);
      });
      list.append(button);
    });
  });
  place.append(list);
})();

/* ---- joints ---- */

const joints = (() => {
  const place = document.getElementById('joints');
  const over = new Set(data.overshoot), bars = [];
  data.joints.forEach(joint => {
    const limited = joint.lower !== undefined;
    const low = Math.min(joint.from, limited ? joint.lower : joint.from), high = Math.max(joint.to, limited ? joint.upper : joint.to);
    const at = value => 100 * (value - low) / (high - low || 1);
    const now = element('b', {}), value = element('span', {class: 'number'});
    place.append(element('div', {class: 'joint' + (over.has(joint.name) ? ' over' : '')},
      element('div', {class: 'head'}, element('span', {}, joint.name), value),
      element('div', {class: 'bar'}, element('i', {style: `left:${at(joint.from)}%;width:${at(joint.to) - at(joint.from)}%`}), now),
      element('small', {}, `moves from ${joint.from.toFixed(4)} to ${joint.to.toFixed(4)} ${joint.unit}; ` +
        (limited ? `limits ${joint.lower.toFixed(4)} to ${joint.upper.toFixed(4)}` : 'no limits') +
        (over.has(joint.name) ? '; leaves them' : ''))));
    bars.push({now, value, at, unit: joint.unit});
  });
  place.append(element('p', {class: 'note'}, data.joints.length === 0 ? 'The robot has no joint that moves.' :
    'Limits are those of the robot description. They are reported, not judged: FREE says nothing about them.'));
  return {
    update() {
      const values = film.at(state.time);
      bars.forEach((bar, v) => {
        bar.now.style.left = `calc(${bar.at(values[v])}% - 1px)`;
        bar.value.textContent = values[v].toFixed(4) + ' ' + bar.unit;
      });
    }
  };
})();

/* ---- basis ---- */

(() => {
  const place = document.getElementById('basis');
  const list = (title, items) => {
    if (items.length > 0) {
      place.append(element('h2', {}, title), element('ul', {}, ...items.map(text => element('li', {}, text))));
    }
  };
  const rows = (title, items) => place.append(element('h2', {}, title), element('table', {class: 'plain'},
    ...items.map(([name, value]) => element('tr', {}, element('td', {}, name), element('td', {}, value)))));
  place.append(element('pre', {}, data.lines.join('\n')));
  list('Warnings', data.warnings);
  list('Assumptions', data.assumptions);
  rows('Hashes (SHA-256)', Object.entries(data.hashes).map(([name, value]) => [name, element('code', {}, value)]));
  if (data.inputs.length > 0) {
    rows('Files', data.inputs.map(file => [file.role, element('span', {}, file.path, element('br'),
      element('code', {}, file.sha256 || 'could not be read again'))]));
  }
  rows('Versions', [['vouch', data.vouch], ['three.js', 'r' + THREE.REVISION]]);
  rows('Work', Object.entries(data.statistics).map(([name, value]) => [name, name === 'seconds' ? value.toPrecision(3) : value.toLocaleString('en')]));
  place.append(element('p', {class: 'note', style: 'margin-top:14px'},
    'This page shows a verdict; it is no proof. The proof is the certificate (--problem, --certificate), which vouch-verify checks by itself.'));
})();

/* ---- tabs, views, start ---- */

document.querySelectorAll('.tabs button').forEach(tab => tab.addEventListener('click', () => {
  document.querySelectorAll('.tabs button').forEach(one => one.setAttribute('aria-selected', one === tab));
  document.querySelectorAll('.tab').forEach(one => { one.hidden = one.id !== 'tab-' + tab.dataset.tab; });
}));
document.querySelectorAll('[data-view]').forEach(button => button.addEventListener('click', () => cell.look(button.dataset.view)));
document.querySelectorAll('[data-toggle]').forEach(button => button.addEventListener('click', () => {
  const on = button.getAttribute('aria-pressed') !== 'true';
  button.setAttribute('aria-pressed', on);
  cell.toggle(button.dataset.toggle, on);
}));
window.addEventListener('resize', () => { cell.resize(); chart.draw(); });

cell.resize();
table.draw();
chart.draw();
if (data.contact) {
  choosePointsOf(data.contact, data.contact.time);
} else if (data.open.length > 0) {
  cell.choose({a: data.open[0].bodyA, b: data.open[0].bodyB, kind: 'open', time: data.open[0].begin});
  state.set(data.open[0].begin);
  document.querySelector('[data-tab=open]').click();
} else if (data.clearance) {
  choosePointsOf(data.clearance, data.clearance.time);
} else {
  state.set(film.begin);
}
cell.look('home');
cell.draw();
window.vouchReport = {state, cell, data};
document.documentElement.dataset.ready = 'yes';
