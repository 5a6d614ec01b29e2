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
"""vouch batch --report and --junit: all rows on one page, and as test cases."""

import json
import re
import xml.etree.ElementTree

from browser import browser  # noqa: F401
from cli_tools import CELL, INVALID, run
import pytest

EVIL = '<script>window.broken = 1</script>'
ROWS = [('pick', 'pick', ''), (f'plate {EVIL}', 'through_plate', ''), ('tight', 'tight', '0.0005'),
        ('a/b', 'tight', ''), ('near', 'tight', '0.002'), ('missing', 'no_such_file', '')]


def batch(directory, *more):
    path = directory / 'list.csv'
    path.write_text('name,trajectory,margin\n' + ''.join(
        f'{name},{CELL}/{trajectory}.yaml,{margin}\n' for name, trajectory, margin in ROWS))
    result = run('batch', path, '--robot', CELL / 'arm.urdf', '--srdf', CELL / 'arm.srdf',
                 '--scene', CELL / 'cell.yaml', '--cache', 'off', *more)
    if 'was built without three.js' in result.stderr:
        pytest.skip('this vouch was built without three.js')
    return result


def rows_of(path):
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>',
                      path.read_text(encoding='utf-8'), re.S)
    return json.loads(found.group(1))['rows']


def test_a_directory_gets_an_index_and_a_page_for_each_row(browser, tmp_path):  # noqa: F811
    night = tmp_path / 'night'
    result = batch(tmp_path, '--report', night, '--threads', '2')
    assert result.returncode == INVALID and '6 rows' in result.stderr
    rows = rows_of(night / 'index.html')
    assert [row['name'] for row in rows] == [name for name, _, _ in ROWS]
    assert [row['verdict'] for row in rows] == [
        'FREE', 'COLLISION', 'FREE', 'FREE', 'COLLISION', 'INVALID']
    for row in rows[:-1]:
        assert (night / row['link']).parent == night and (night / row['link']).is_file()
        assert row['thumbnail'].startswith('<svg') and len(row['thumbnail']) < 20000
    assert rows[-1]['link'] is None and 'no_such_file' in rows[-1]['text']
    assert sorted(path.name for path in night.iterdir()) == sorted(
        ['index.html'] + [row['link'] for row in rows[:-1]])

    urls = browser.open(night / 'index.html')
    assert urls == [(night / 'index.html').resolve().as_uri()] and browser.errors() == []
    assert browser.run('return window.broken') is None
    assert EVIL in browser.text('#rows')
    count = 'return document.querySelectorAll("#rows tbody tr").length'
    assert browser.run(count) == 6
    assert browser.run('return document.querySelectorAll("#rows svg path").length') > 20
    browser.run('[...document.querySelectorAll("#verdicts button")].find('
                'one => one.textContent.startsWith("COLLISION")).click()')
    assert browser.run(count) == 2
    browser.run('document.querySelector("#verdicts button").click()')
    browser.click('[data-sort=distance]')
    names = 'return [...document.querySelectorAll("#rows .name")].map(one => one.textContent)'
    least = [row['distance'] for row in rows if row['distance'] is not None]
    first = browser.run(names)[0]
    assert next(row for row in rows if row['name'] == first)['distance'] == min(least)
    browser.run('const find = document.getElementById("find"); find.value = "PICK";'
                'find.dispatchEvent(new Event("input"))')
    assert browser.run(names) == ['pick']
    browser.click('#rows a')
    assert browser.run('return document.title') == 'example_arm: pick.yaml'


def test_a_file_is_the_index_alone(tmp_path):
    path = tmp_path / 'night.html'
    assert batch(tmp_path, '--report', path).returncode == INVALID
    assert [row['link'] for row in rows_of(path)] == [None] * 6
    assert sorted(one.name for one in tmp_path.iterdir()) == ['list.csv', 'night.html']


def test_standard_output_is_the_same_with_and_without(tmp_path):
    plain = batch(tmp_path)
    told = batch(tmp_path, '--report', tmp_path / 'night', '--junit', tmp_path / 'out.xml')
    assert (plain.stdout, plain.returncode) == (told.stdout, told.returncode)


def test_rows_may_name_their_own_pages(tmp_path):
    path = tmp_path / 'list.csv'
    path.write_text(f'trajectory,report,gltf\n{CELL}/pick.yaml,own.html,own.glb\n'
                    f'{CELL}/through_plate.yaml,own.html,\n')
    result = run('batch', path, '--robot', CELL / 'arm.urdf', '--cache', 'off')
    assert result.returncode == INVALID   # the second row would write the first one's page
    if 'was built without three.js' in result.stdout:
        return   # both rows say so
    assert 'also written by line 2' in result.stdout
    assert (tmp_path / 'own.html').is_file() and (tmp_path / 'own.glb').is_file()


def test_junit_counts_and_names_what_failed(tmp_path):
    path = tmp_path / 'out.xml'
    batch(tmp_path, '--junit', path)
    suite = xml.etree.ElementTree.parse(path).getroot().find('testsuite')
    assert (suite.get('tests'), suite.get('failures'), suite.get('errors')) == ('6', '2', '1')
    cases = {case.get('name'): case for case in suite.findall('testcase')}
    assert list(cases) == [name for name, _, _ in ROWS]
    assert len(cases['pick']) == 0 and cases['pick'].get('classname') == 'example_arm'
    failure = cases[f'plate {EVIL}'].find('failure')
    assert failure.get('type') == 'COLLISION' and 'guard_plate' in failure.get('message')
    assert cases['missing'].find('error').get('type') == 'INVALID'
    assert all(float(case.get('time')) >= 0 for case in cases.values())


@pytest.mark.parametrize('option', ['--report', '--junit'])
def test_an_unwritable_place_is_the_users_error(tmp_path, option):
    result = batch(tmp_path, option, tmp_path / 'nowhere' / 'out.html')
    assert result.returncode == INVALID and 'nowhere' in result.stderr


def test_nothing_is_written_over_the_list_or_each_other(tmp_path):
    path = tmp_path / 'same'
    result = batch(tmp_path, '--report', path, '--junit', path)
    assert result.returncode == INVALID and 'junit' in result.stderr and not path.exists()
    for option in ('--report', '--junit'):
        result = batch(tmp_path, option, tmp_path / 'list.csv')
        assert result.returncode == INVALID and 'the list' in result.stderr
        assert (tmp_path / 'list.csv').read_text().startswith('name,trajectory')


def test_one_gltf_file_cannot_be_that_of_every_row(tmp_path):
    result = batch(tmp_path, '--gltf', tmp_path / 'one.glb')
    assert result.returncode == INVALID and 'columns' in result.stderr
    assert result.stdout == ''
