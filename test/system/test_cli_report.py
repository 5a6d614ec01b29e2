# Copyright 2026 The vouch authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""vouch check --report and --gltf: the page loads without a network and shows what was checked."""

import base64
import json
import math
import os
import pathlib
import re
import resource
import struct

import browser as browsers
from browser import browser  # noqa: F401
from cli_tools import cell, check, check_json, COLLISION, FREE, INVALID, ROOT, run, UNDECIDED
import pytest

DATA = pathlib.Path(os.environ.get('VOUCH_DATA', ROOT.parent / 'shared' / 'data'))
LOADERS = pathlib.Path('/usr/share/javascript/three/examples/js/loaders')
MB = 1 << 20


def write_report(path, trajectory, *more, code=None):
    result = check(trajectory, '--report', path, *more)
    if 'was built without three.js' in result.stderr:
        pytest.skip('this vouch was built without three.js')
    if code is not None:
        assert result.returncode == code, result.stdout + result.stderr
    return read_data(path)


def read_data(path):
    """The JSON in the page, as a browser reads it."""
    text = path.read_text(encoding='utf-8')
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    return json.loads(found.group(1))


@pytest.fixture(scope='module')
def pages(tmp_path_factory):
    """The page of each example, and its data."""
    directory = tmp_path_factory.mktemp('pages')
    made = {}
    for name, code in (('pick', FREE), ('through_plate', COLLISION), ('tight', FREE)):
        path = directory / f'{name}.html'
        made[name] = (path, write_report(path, f'{name}.yaml', code=code))
    return made


def opened(browser, path):  # noqa: F811
    """Open a page that must not complain, nor ask for anything but itself."""
    urls = browser.open(path)
    assert [url for url in urls if not url.startswith(('data:', 'blob:'))] == [
        path.resolve().as_uri()]
    assert browser.errors() == []
    assert browser.run('return document.documentElement.dataset.ready') == 'yes'


# ---- in the browser


@pytest.mark.parametrize('name', ['pick', 'through_plate'])
def test_the_page_loads_without_errors_or_requests(browser, pages, name):  # noqa: F811
    path, data = pages[name]
    opened(browser, path)
    assert browser.text('#verdict') == data['verdict']
    assert browser.run('return document.querySelectorAll("#pairs tbody tr").length') == 93
    browser.run_async('requestAnimationFrame(() => requestAnimationFrame(arguments[0]))')
    assert browser.run('return vouchReport.cell.drawn()') > 1000


def test_the_slider_moves_the_arm(browser, pages):  # noqa: F811
    opened(browser, pages['pick'][0])
    move = ('const slider = document.getElementById("time"); slider.value = arguments[0];'
            'slider.dispatchEvent(new Event("input"));'
            'return ["hand", "table"].map(name => vouchReport.cell.position(name))')
    hand_0, table_0 = browser.run(move, 0.0)
    hand_1, table_1 = browser.run(move, 2.9)
    assert math.dist(hand_0, hand_1) > 0.1
    assert table_0 == table_1
    assert browser.text('#now') == '2.900 s'
    assert browser.errors() == []


def test_a_click_on_a_row_selects_the_pair(browser, pages):  # noqa: F811
    path, data = pages['pick']
    opened(browser, path)
    row = browser.run(
        'return Number(document.querySelectorAll("#pairs tbody tr")[4].dataset.pair)')
    pair = data['pairs'][row]
    browser.click(f'#pairs tr[data-pair="{row}"] td')
    assert browser.run('return vouchReport.state.pair') == row
    assert browser.run('return vouchReport.state.time') == pytest.approx(pair['time'], abs=1e-9)
    assert browser.run(
        'return document.querySelector("#pairs tr.chosen").dataset.pair') == str(row)
    assert browser.run(
        'return document.querySelector("#curve .chosen").getAttribute("d").length') > 100
    browser.run_async('requestAnimationFrame(() => requestAnimationFrame(arguments[0]))')
    name = data['bodies'][pair['a']]['name']
    assert name in browser.text('#label')
    assert browser.errors() == []


def test_the_contact_lies_on_what_is_drawn(browser, pages):  # noqa: F811
    """The points are the check's, the meshes and joints are the page's own: they meet."""
    path, data = pages['through_plate']
    opened(browser, path)
    away = browser.run(
        'const {cell, data} = vouchReport, point = new THREE.Vector3();'
        'const triangle = new THREE.Triangle(), near = new THREE.Vector3();'
        'return ["a", "b"].map(side => {'
        '  const own = cell.bodies[data.contact[side]];'
        '  const p = point.fromArray(data.contact["p" + side]).clone();'
        '  own.mesh.worldToLocal(p);'
        '  const place = own.mesh.geometry.attributes.position;'
        '  let least = Infinity;'
        '  for (let i = 0; i < place.count; i += 3) {'
        '    triangle.a.fromBufferAttribute(place, i);'
        '    triangle.b.fromBufferAttribute(place, i + 1);'
        '    triangle.c.fromBufferAttribute(place, i + 2);'
        '    triangle.closestPointToPoint(p, near);'
        '    least = Math.min(least, near.distanceTo(p));'
        '  }'
        '  return least; });')
    assert browser.run('return vouchReport.state.time') == pytest.approx(data['contact']['time'])
    assert max(away) < 5e-5   # what 16 bits a coordinate lose


def test_tabs_filters_and_sorting(browser, pages):  # noqa: F811
    path, data = pages['through_plate']
    opened(browser, path)
    rows = ('return [...document.querySelectorAll("#pairs tbody tr")]'
            '.map(tr => Number(tr.dataset.pair))')
    for name, wanted in (('world', 'world'), ('self', 'self')):
        browser.run('[...document.querySelectorAll("#sides button")].find('
                    'one => one.textContent.startsWith(arguments[0])).click()', name)
        assert {data['pairs'][i]['side'] for i in browser.run(rows)} == {wanted}
    browser.run('[...document.querySelectorAll("#sides button")].find('
                'one => one.textContent.startsWith("not")).click()')
    assert {data['pairs'][i]['state'] for i in browser.run(rows)} == {'static', 'left out'}
    for tab in ('open', 'joints', 'basis', 'pairs'):
        browser.click(f'[data-tab={tab}]')
        assert not browser.run('return document.getElementById("tab-" + arguments[0]).hidden', tab)
    assert data['hashes']['problem'] in browser.text('#basis')
    for view in ('side', 'front', 'top', 'pair', 'home'):
        browser.click(f'[data-view={view}]')
    for toggle in ('sweep', 'trace', 'focus', 'scene'):
        browser.click(f'[data-toggle={toggle}]')
    browser.run_async('requestAnimationFrame(() => requestAnimationFrame(arguments[0]))')
    assert browser.errors() == []


SCRIPT = '</script><script>window.broken = 1</script><img src=x onerror="window.broken = 2">&amp;'


def write_toy(directory, link='arm', obstacle='post', geometry=True):
    """A robot of two links that sweeps past a post, and nothing else."""
    box = ('<collision><origin xyz="0.3 0 0"/><geometry><box size="0.6 0.06 0.06"/></geometry>'
           '</collision>')
    escaped = link.replace('&', '&amp;').replace('<', '&lt;').replace('"', '&quot;')
    (directory / 'toy.urdf').write_text(f"""<robot name="{escaped}">
<link name="base"/><link name="{escaped}">{box if geometry else ''}</link>
<joint name="{escaped}" type="revolute"><parent link="base"/><child link="{escaped}"/>
<axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint></robot>""")
    (directory / 'toy.json').write_text(json.dumps({'world': {'collision_objects': [{
        'id': obstacle, 'header': {'frame_id': 'base'},
        'primitives': [{'type': 'box', 'dimensions': [0.1, 0.1, 0.4]}],
        'primitive_poses': [{'position': [0.1, 0.8, 0]}]}]}}))
    (directory / 'toy_path.json').write_text(json.dumps({'joint_trajectory': {
        'joint_names': [link], 'points': [
            {'positions': [0], 'time_from_start': 0}, {'positions': [1], 'time_from_start': 1}]}}))
    return ['--robot', directory / 'toy.urdf', '--scene', directory / 'toy.json', '--trajectory',
            directory / 'toy_path.json', '--cache', 'off']


def run_report(directory, arguments, *more):
    path = directory / 'toy.html'
    result = run('check', *arguments, '--report', path, *more)
    if 'was built without three.js' in result.stderr:
        pytest.skip('this vouch was built without three.js')
    return result, path


def test_names_are_text_and_nothing_else(browser, tmp_path):  # noqa: F811
    result, path = run_report(
        tmp_path, write_toy(tmp_path, link=SCRIPT, obstacle='post ' + SCRIPT))
    assert result.returncode == FREE, result.stderr
    assert 'window.broken = 1</script>' not in path.read_text()
    opened(browser, path)
    assert browser.run('return window.broken') is None
    assert SCRIPT in browser.text('#title') and SCRIPT in browser.text('#pairs')
    assert len(browser.run('return [...document.images]')) == 0


def test_a_robot_without_meshes_and_without_a_pair(browser, tmp_path):  # noqa: F811
    result, path = run_report(tmp_path, write_toy(tmp_path, geometry=False))
    assert result.returncode == UNDECIDED, result.stderr
    data = read_data(path)
    assert data['pairs'] == [] and data['verdict'] == 'UNDECIDED'
    opened(browser, path)
    assert 'no collision geometry' in browser.text('#notice')
    assert 'no pair' in browser.text('#pairs-note')
    assert 'no pair' in browser.text('#curve')


def test_open_intervals_are_listed_and_lead_to_their_time(browser, tmp_path):  # noqa: F811
    result, path = run_report(tmp_path, write_toy(tmp_path), '--tolerance', '0.9')
    assert result.returncode == UNDECIDED, result.stdout
    data = read_data(path)
    assert data['open'] and all(one['reason'] == 'tolerance' for one in data['open'])
    opened(browser, path)
    assert not browser.run('return document.getElementById("tab-open").hidden')
    browser.run('document.querySelectorAll("#open button")[0].click()')
    assert browser.run('return vouchReport.state.time') == pytest.approx(
        data['open'][0]['begin'], abs=1e-6)
    assert browser.errors() == []


def test_without_webgl_everything_else_is_there(pages):
    browsers.require()
    window = browsers.Browser(more=['--disable-3d-apis'])
    try:
        window.open(pages['pick'][0])
        assert 'no WebGL' in window.text('#notice')
        window.click('#pairs tbody tr:nth-child(3) td')
        assert window.run('return document.querySelectorAll("#pairs tr.chosen").length') == 1
        assert window.run('return document.querySelectorAll("#curve path").length') >= 6
        errors = [error for error in window.errors() if 'WebGL' not in error]
        assert errors == []
    finally:
        window.close()


def test_a_path_of_100000_points_is_thinned_and_says_so(browser, tmp_path):  # noqa: F811
    arguments = write_toy(tmp_path)
    path = tmp_path / 'long.csv'
    path.write_text('time,arm\n' + ''.join(
        f'{0.001 * i:.3f},{0.5 * math.sin(0.0003 * i):.9f}\n' for i in range(100_001)))
    arguments[arguments.index('--trajectory') + 1] = path
    result, page = run_report(tmp_path, arguments)
    assert result.returncode == FREE, result.stderr
    assert page.stat().st_size <= 3 * MB
    data = read_data(page)
    assert data['film']['thinned'] and data['film']['points'] == 100_001
    assert data['film']['count'] < 4000
    assert all(span['world']['certified'] > 0 for span in data['spans'])
    opened(browser, page)
    assert 'thinned' in browser.text('#legend') and '100,001' in browser.text('#legend')


def test_a_thousand_obstacles(browser, tmp_path):  # noqa: F811
    boxes = [{'id': f'box{i}', 'header': {'frame_id': 'base_link'},
              'primitives': [{'type': 'box', 'dimensions': [0.02, 0.02, 0.02]}],
              'primitive_poses': [{'position': [
                  2 * math.cos(i), 2 * math.sin(i), 0.002 * i]}]} for i in range(1000)]
    more = tmp_path / 'more.json'
    more.write_text(json.dumps({'is_diff': True, 'world': {'collision_objects': boxes}}))
    page = tmp_path / 'page.html'
    data = write_report(page, 'pick.yaml', '--scene', more, code=FREE)
    assert data['checked'] == 9093 and page.stat().st_size <= 4 * MB
    groups = [pair for pair in data['pairs'] if 'group' in pair]
    assert {pair['group'] for pair in groups} == {1007}
    assert data['pairs'][0]['state'] == 'checked' and data['leftAway'] == 0
    for span in data['spans']:
        assert 0 < span['world']['certified'] <= span['world']['found'] + 1e-9
    opened(browser, page)


# ---- what the page says


def test_every_pair_of_bodies_has_a_row(pages):
    for _, data in pages.values():
        robot = [i for i, body in enumerate(data['bodies'])
                 if body['role'] in ('link', 'attached')]
        wanted = {frozenset((a, b)) for a in robot for b in range(len(data['bodies'])) if a != b}
        assert {frozenset((pair['a'], pair['b'])) for pair in data['pairs']} == wanted
        assert sum(pair['state'] == 'checked' for pair in data['pairs']) == data['checked'] == 93
        assert all(pair['why'] for pair in data['pairs'] if pair['state'] != 'checked')


HELD = """is_diff: true
robot_state:
  is_diff: true
  attached_collision_objects:
  - link_name: hand
    touch_links: [left_finger, right_finger]
    object: {id: bottle, header: {frame_id: hand}, primitives: [{type: cylinder, dimensions:
      [0.06, 0.03]}], primitive_poses: [{position: [0, 0, 0.1], orientation: [0.6, 0, 0, 0.8]}]}
world:
  collision_objects:
  - {id: ground, header: {frame_id: base_link}, planes: [{coef: [0.1, 0, 1, 0.3]}],
     plane_poses: [{position: [0, 0, 0]}]}
  - {id: cone, header: {frame_id: base_link}, primitives: [{type: cone, dimensions: [0.3, 0.1]},
     {type: sphere, dimensions: [0.06]}], primitive_poses: [{position: [-0.4, 0.3, 0.2]},
     {position: [-0.4, 0.3, 0.4]}]}
"""


def test_planes_round_shapes_and_what_is_held(browser, tmp_path):  # noqa: F811
    scene = tmp_path / 'held.yaml'
    scene.write_text(HELD)
    path = tmp_path / 'held.html'
    data = write_report(path, 'pick.yaml', '--scene', scene, '--gltf', tmp_path / 'held.glb')
    assert {body['role'] for body in data['bodies']} == {'link', 'attached', 'obstacle', 'plane'}
    names = [body['name'] for body in data['bodies']]
    ground = [pair for pair in data['pairs'] if names[pair['b']] == 'ground' and 'pb' in pair]
    assert len(ground) >= 9
    # The points lie on the plane, and as far from the body as is said.
    for pair in ground:
        foot = [pair['pb'][0] * 0.1 + pair['pb'][2] + 0.3, math.dist(pair['pa'], pair['pb'])]
        assert foot == pytest.approx([0, pair['found']], abs=1e-6)
    compare_certified({'held': (path, data)})
    opened(browser, path)
    read_glb(tmp_path / 'held.glb')


def test_what_is_certified_is_no_more_than_what_is_measured(pages):
    compare_certified(pages)


def compare_certified(pages):
    for _, data in pages.values():
        for pair in data['pairs']:
            if pair['state'] == 'checked' and pair['certified'] is not None:
                assert pair['certified'] <= pair['found'] + 1e-9
        for span in data['spans']:
            for side in ('world', 'self'):
                if span[side]['certified'] is not None:
                    assert span[side]['certified'] <= span[side]['found'] + 1e-9
        curves = [pair for pair in data['pairs'] if 'curve' in pair]
        assert len(curves) == 12
        for pair in curves:
            assert len(pair['curve']) == len(data['spans'])
            for value, span in zip(pair['curve'], data['spans']):
                least = span[pair['side']]['certified'] or 0.0
                assert value is None or value >= max(least, 0.98 * pair['found']) - 2e-6
        least = min(pair['found'] for pair in data['pairs'] if pair['state'] == 'checked')
        if data['clearance']:
            assert least == pytest.approx(data['clearance']['found'], abs=1e-6)


def test_spans_tile_the_motion_and_are_certified_where_it_is_proved(pages):
    for _, data in pages.values():
        spans = data['spans']
        assert spans[0]['begin'] == data['film']['times'][0]
        assert spans[-1]['end'] == data['film']['times'][-1]
        assert all(a['end'] == b['begin'] for a, b in zip(spans, spans[1:]))
        for span in spans:
            if data['verdict'] == 'FREE':
                assert span['world']['certified'] > 0 and span['self']['certified'] > 0
            elif span['end'] > data['contact']['time']:
                assert span['world']['certified'] is None   # the plate was met


def test_a_check_of_one_moment_agrees_with_the_curve(pages, tmp_path):
    """The same configuration, held: its distance is no less than what its span certifies."""
    path, data = pages['pick']
    film, names = data['film'], [joint['name'] for joint in data['joints']]
    text = path.read_text()
    blob = base64.b64decode(re.search(r'id="blob">([^<]*)<', text).group(1))
    for picture in range(7, film['count'], film['count'] // 6):
        values = struct.unpack_from(
            f'<{film["variables"]}f', blob, film['at'] + 4 * film['variables'] * picture)
        time = film['times'][picture]
        held = tmp_path / 'held.json'
        held.write_text(json.dumps({'joint_trajectory': {'joint_names': names, 'points': [
            {'positions': list(values), 'time_from_start': moment} for moment in (0, 1)]}}))
        start = [word for name, value in zip(names, values)
                 for word in ('--start', f'{name}={value!r}')]
        clearance = check_json(held, *start)['clearance']
        span = next(one for one in data['spans'] if one['begin'] <= time <= one['end'])
        certified = min(span['world']['certified'], span['self']['certified'])
        assert certified <= clearance['upper_m'] + 1e-6   # joints are float32 here
        assert certified >= 0.3 * clearance['lower_m']    # and it says something


def test_the_same_check_gives_the_same_page(tmp_path):
    first, second = tmp_path / 'first.html', tmp_path / 'second.html'
    for path in (first, second):
        write_report(path, 'tight.yaml')
    strip = re.compile(r'"seconds":[0-9.e+-]+|[0-9.]+ (ms|s) \(loading[^"]*')
    assert strip.sub('', first.read_text()) == strip.sub('', second.read_text())


# ---- sizes


def robot_arguments(robot, problem, number):
    base = DATA / 'robowflex_resources'
    files = {'panda': ('panda/urdf/panda.urdf', 'panda/config/panda.srdf'),
             'ur5': ('ur/robots/ur5_robotiq85_small_table.expanded.urdf',
                     'ur/config/ur5/ur5_robotiq85_table.expanded.srdf')}[robot]
    problems = DATA / 'motion_bench_maker' / 'problems' / problem
    return ['--robot', base / files[0], '--srdf', base / files[1], '--package',
            f'robowflex_resources={base}', '--scene', problems / f'scene{number}.yaml',
            '--request', problems / f'request{number}.yaml', '--trajectory',
            problems / f'path{number}.yaml']


@pytest.mark.skipif(not DATA.is_dir(), reason='the big data set is not here')
@pytest.mark.parametrize('robot, problem, most, seconds', [
    ('panda', 'box_panda', 3 * MB, 1.0), ('ur5', 'bookshelf_small_ur5', 8 * MB, 3.0)])
def test_real_robots_fit(browser, tmp_path, robot, problem, most, seconds):  # noqa: F811
    arguments = robot_arguments(robot, problem, '0001') + ['--cache', tmp_path / 'cache']
    run('check', *arguments)   # builds the meshes
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result, path = run_report(tmp_path, arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert result.returncode == FREE, result.stderr
    assert path.stat().st_size <= most
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime <= seconds
    opened(browser, path)


# ---- glTF


def read_glb(path):
    data = path.read_bytes()
    magic, version, length = struct.unpack_from('<4sII', data)
    assert (magic, version, length) == (b'glTF', 2, len(data))
    size, kind = struct.unpack_from('<I4s', data, 12)
    assert kind == b'JSON' and size % 4 == 0
    root = json.loads(data[20:20 + size])
    binary, kind = struct.unpack_from('<I4s', data, 20 + size)
    assert kind == b'BIN\0' and root['buffers'][0]['byteLength'] == binary
    return root, data[28 + size:]


def accessor(root, blob, number):
    one = root['accessors'][number]
    view = root['bufferViews'][one['bufferView']]
    width = {'SCALAR': 1, 'VEC3': 3, 'VEC4': 4}[one['type']]
    letter = {5125: 'I', 5126: 'f'}[one['componentType']]
    flat = struct.unpack_from(f'<{width * one["count"]}{letter}', blob, view['byteOffset'])
    assert view['byteOffset'] + view['byteLength'] <= len(blob)
    return [flat[i:i + width] for i in range(0, len(flat), width)]


def test_gltf_is_whole(tmp_path):
    path = tmp_path / 'cell.glb'
    assert check('pick.yaml', '--gltf', path).returncode == FREE
    root, blob = read_glb(path)
    assert root['asset']['version'] == '2.0'
    assert {'hand', 'table', 'part'} <= {node['name'] for node in root['nodes']}
    for mesh in root['meshes']:
        primitive = mesh['primitives'][0]
        points = accessor(root, blob, primitive['attributes']['POSITION'])
        corners = accessor(root, blob, primitive['indices'])
        assert max(corner[0] for corner in corners) < len(points)
        bounds = root['accessors'][primitive['attributes']['POSITION']]
        for k in range(3):
            assert min(p[k] for p in points) == pytest.approx(bounds['min'][k], abs=1e-6)
            assert max(p[k] for p in points) == pytest.approx(bounds['max'][k], abs=1e-6)
    animation = root['animations'][0]
    assert len(animation['channels']) >= 6
    times = [time[0] for time in accessor(root, blob, animation['samplers'][0]['input'])]
    assert times == sorted(set(times)) and times[-1] == pytest.approx(5.8)
    for sampler in animation['samplers']:
        for value in accessor(root, blob, sampler['output']):
            if len(value) == 4:
                assert math.hypot(*value) == pytest.approx(1, abs=1e-5)
    seen = [child for node in root['nodes'] for child in node.get('children', [])]
    assert sorted(seen) == list(range(1, len(root['nodes'])))   # a tree from node 0


@pytest.mark.skipif(not (LOADERS / 'GLTFLoader.js').exists(), reason='GLTFLoader.js is not here')
def test_gltf_moves_as_the_page_does(browser, pages, tmp_path):  # noqa: F811
    """Another reader than ours, three's GLTFLoader, puts the hand where the page has it."""
    glb = tmp_path / 'cell.glb'
    assert check('pick.yaml', '--gltf', glb).returncode == FREE
    text = base64.b64encode(glb.read_bytes()).decode()
    three = LOADERS.parents[2] / 'three.min.js'
    page = tmp_path / 'loader.html'
    page.write_text(
        '<!DOCTYPE html><meta charset="utf-8">'
        f'<script>{three.read_text()}</script>'
        f'<script>{(LOADERS / "GLTFLoader.js").read_text()}</script>'
        f'<script>const bytes = Uint8Array.from(atob("{text}"),'
        'c => c.charCodeAt(0)); new THREE.GLTFLoader().parse(bytes.buffer, "", gltf => {'
        'const mixer = new THREE.AnimationMixer(gltf.scene);'
        'mixer.clipAction(gltf.animations[0]).play();'
        'window.place = (name, time) => { mixer.setTime(time); gltf.scene.updateMatrixWorld(true);'
        'const mesh = gltf.scene.getObjectByName(name); let found = null;'
        'gltf.scene.traverse(one => { if (one.isMesh && one.name === name) found = one; });'
        'found = found || mesh; found.geometry.computeBoundingSphere();'
        'const centre = found.geometry.boundingSphere.center.clone();'
        'return centre.applyMatrix4(found.matrixWorld).toArray(); };'
        'document.documentElement.dataset.ready = "yes"; }, error => { throw error; });</script>')
    browser.open(page)
    assert browser.errors() == []
    moments = (0.0, 0.7, 2.9, 4.4)
    theirs = [browser.run('return place("hand", arguments[0])', time) for time in moments]
    opened(browser, pages['pick'][0])
    for time, (x, y, z) in zip(moments, theirs):
        ours = browser.run('vouchReport.state.set(arguments[0]);'
                           'return vouchReport.cell.position("hand")', time)
        assert math.dist(ours, (x, -z, y)) < 2e-3   # y is up there; spheres are of other points


# ---- refusals


def test_outputs_do_not_take_each_others_place(tmp_path):
    path = tmp_path / 'same'
    result = check('pick.yaml', '--report', path, '--gltf', path)
    assert result.returncode == INVALID and not path.exists()


@pytest.mark.parametrize('option', ['--report', '--gltf'])
def test_an_unwritable_place_is_the_users_error(tmp_path, option):
    result = check('pick.yaml', option, tmp_path / 'nowhere' / 'file')
    if 'was built without three.js' in result.stderr:
        pytest.skip('this vouch was built without three.js')
    assert result.returncode == INVALID
    assert 'nowhere' in result.stderr


def test_nothing_is_written_about_what_could_not_be_checked(tmp_path):
    path = tmp_path / 'page.html'
    result = run('check', *cell('no_such_file.yaml'), '--report', path)
    assert result.returncode == INVALID and not path.exists()
