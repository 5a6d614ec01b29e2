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
"""The cache of built meshes: private, and no part of what a proof rests on."""

import hashlib
import json
import os

from cli_tools import COLLISION, FREE, run, VERIFY
import pytest

CUBE = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
FACES = 'f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n'
URDF = """<robot name="slide"><link name="base"/><link name="hand"><collision><geometry>
<mesh filename="{mesh}"/></geometry></collision></link>
<joint name="x" type="prismatic"><parent link="base"/><child link="hand"/><axis xyz="1 0 0"/>
<limit lower="0" upper="9" effort="1" velocity="1"/></joint></robot>
"""


@pytest.fixture
def slide(tmp_path):
    """A cube that slides through a box, and one that slides past it."""
    for name, aside in (('through', 0), ('past', 5)):
        (tmp_path / f'{name}.obj').write_text(
            ''.join(f'v {x} {y + aside} {z}\n' for x, y, z in CUBE) + FACES)
        (tmp_path / f'{name}.urdf').write_text(URDF.format(mesh=f'{name}.obj'))
    (tmp_path / 'scene.json').write_text(json.dumps(
        {'objects': [{'id': 'box', 'pose': {'position': [4, 0.5, 0.5]},
                      'shapes': [{'type': 'box', 'size': [1, 1, 1]}]}]}))
    (tmp_path / 'go.csv').write_text('time,x\n0,0\n9,8\n')
    return tmp_path


def check(directory, name, *more, **options):
    return run('check', '--robot', f'{name}.urdf', '--scene', 'scene.json', '--trajectory',
               'go.csv', '--cache', 'cache', *more, cwd=directory, **options)


def poison(directory):
    """What somebody does who may write there: the key of one mesh, the shape of another."""
    assert check(directory, 'through').returncode == COLLISION
    (true,) = (directory / 'cache').iterdir()
    assert check(directory, 'past').returncode == FREE
    (false,) = set((directory / 'cache').iterdir()) - {true}
    data = bytearray(false.read_bytes())
    data[12:44] = bytes.fromhex(true.stem)
    data[124:156] = hashlib.sha256(data[:124]).digest()
    true.write_bytes(data)
    assert check(directory, 'through').returncode == FREE   # believed: the test sees something


def test_a_proof_does_not_rest_on_the_cache(slide):
    poison(slide)
    result = check(slide, 'through', '--problem', 'p', '--certificate', 'c')
    assert result.returncode == COLLISION, result.stdout
    assert check(slide, 'past', '--problem', 'p', '--certificate', 'c').returncode == FREE
    assert run('p', 'c', program=VERIFY, cwd=slide).returncode == 0


def test_a_row_with_a_certificate_does_not_rest_on_the_cache(slide):
    poison(slide)
    (slide / 'list.csv').write_text(
        'name,robot,certificate\nquick,through.urdf,\nproved,through.urdf,c\n')
    result = run('batch', 'list.csv', '--scene', 'scene.json', '--trajectory', 'go.csv',
                 '--cache', 'cache', '--json', cwd=slide)
    quick, proved = map(json.loads, result.stdout.splitlines())
    assert (quick['verdict'], proved['verdict']) == ('FREE', 'COLLISION')


@pytest.mark.parametrize('mode', [0o770, 0o702, 0o777])
def test_a_cache_that_others_may_write_to_is_not_used(slide, mode):
    poison(slide)
    (slide / 'cache').chmod(mode)
    result = check(slide, 'through')
    assert result.returncode == COLLISION
    assert 'others may write to the geometry cache' in result.stdout


def test_the_cache_is_made_for_its_owner_alone(slide):
    old = os.umask(0)
    try:
        assert check(slide, 'past').returncode == FREE
    finally:
        os.umask(old)
    assert (slide / 'cache').stat().st_mode & 0o777 == 0o700
    assert all(entry.stat().st_mode & 0o077 == 0 for entry in (slide / 'cache').iterdir())
    assert 'cache' not in check(slide, 'past').stdout
