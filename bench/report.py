# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Turns the rows of the benchmark programs into results/<date>.csv, a table, RATIO lines and plots.

A row: experiment,case,method,value,parameter,verdict,truth,leaves,note. `value` is CPU microseconds
unless the experiment says otherwise; verdict "not run" rows carry no value and are shown as such.
"""
import collections
import csv
import datetime
import os
import platform
import statistics
import sys

import plots

FIELDS = ['experiment', 'case', 'method', 'value', 'parameter', 'verdict', 'truth', 'leaves', 'note']


def read_rows(path):
    with open(path, newline='') as file:
        return [dict(zip(FIELDS, line + [''] * len(FIELDS))) for line in csv.reader(file) if line]


def machine():
    model, count = 'unknown processor', 0
    try:
        with open('/proc/cpuinfo') as file:
            for line in file:
                if line.startswith('model name'):
                    model, count = line.split(':', 1)[1].strip(), count + 1
    except OSError:
        pass
    load = '%.1f %.1f %.1f' % os.getloadavg()
    return '%s, %d cores, %s, Python %s, load average %s' % (
        model, count, platform.platform(), platform.python_version(), load)


def write_results(rows, here, what):
    date = datetime.date.today().isoformat()
    suffix = '' if what == 'bench' else '-' + what.replace('bench-', '')
    path = os.path.join(here, 'results', date + suffix + '.csv')
    with open(path, 'w', newline='') as file:
        file.write('# machine: %s\n' % machine())
        writer = csv.DictWriter(file, FIELDS, extrasaction='ignore')
        writer.writeheader()
        writer.writerows(rows)
    return path


class Ratios:
    """Prints one line per goal; a goal without measurements is `not_run`, never a number."""

    def __init__(self):
        self.short = 0

    def put(self, name, value, goal, ok):
        if value is None:
            print('RATIO %s not_run %s short' % (name, goal))
            self.short += 1
            return
        print('RATIO %s %.4g %s %s' % (name, value, goal, 'ok' if ok else 'short'))
        self.short += not ok

    def at_most(self, name, value, limit):
        self.put(name, value, '<=%g' % limit, value is not None and value <= limit)

    def at_least(self, name, value, limit):
        self.put(name, value, '>=%g' % limit, value is not None and value >= limit)


def number(row):
    try:
        return float(row['value'])
    except ValueError:
        return None


def values(rows, experiment, method, case=None, parameter=None):
    """Maps (case, parameter) to value."""
    out = {}
    for row in rows:
        if row['experiment'] == experiment and row['method'] == method and number(row) is not None \
                and (case is None or row['case'] == case) \
                and (parameter is None or row['parameter'] == parameter):
            out[row['case'], row['parameter']] = number(row)
    return out


def median(numbers):
    numbers = list(numbers)
    return statistics.median(numbers) if numbers else None


def paired(rows, experiment, above, below, select=lambda key: True):
    """Takes the median over cases of value(above) / value(below)."""
    a, b = values(rows, experiment, above), values(rows, experiment, below)
    return median(a[k] / b[k] for k in a if k in b and b[k] > 0.0 and select(k))


def quantile(numbers, q):
    numbers = sorted(numbers)
    return numbers[min(len(numbers) - 1, int(q * len(numbers)))] if numbers else None


def print_table(rows):
    groups = collections.OrderedDict()
    for row in rows:
        if row['experiment'] == 'instructions':
            continue
        key = row['experiment'], row['method'], '' if row['experiment'].startswith('shared') \
            else row['parameter']
        groups.setdefault(key, []).append(row)
    print('%-22s %-26s %10s %10s %10s %6s %6s %6s %6s' % (
        'work', 'method', 'parameter', 'median', 'max', 'cases', 'missed', 'alarms', 'open'))
    for (experiment, method, parameter), members in groups.items():
        numbers = [number(row) for row in members if number(row) is not None]
        if not numbers:
            print('%-22s %-26s %10s %10s  %s' % (
                experiment, method, parameter, 'not run', members[0]['note']))
            continue
        missed, alarms, undecided = wrong(members)
        print('%-22s %-26s %10s %10.5g %10.5g %6d %6d %6d %6d' % (
            experiment, method, parameter, median(numbers), max(numbers), len(numbers), missed,
            alarms, undecided))


def wrong(members):
    missed = sum(r['verdict'] == 'FREE' and r['truth'] == 'COLLISION' for r in members)
    alarms = sum(r['verdict'] == 'COLLISION' and r['truth'] == 'FREE' for r in members)
    return missed, alarms, sum(r['verdict'] == 'UNDECIDED' for r in members)


def peers_ratios(rows, ratios):
    """Compares with hpp-core, which certifies in exact arithmetic, and with others."""
    goals = (('shared panda', 'hpp dichotomy mixed', 15), ('shared panda', 'hpp dichotomy meshes', 40),
             ('shared ur5', 'hpp dichotomy meshes', 100))
    for experiment, method, goal in goals:
        name = '7b_%s_%s' % (method.replace(' ', '_'), experiment.split()[-1])
        ratios.at_least(name + '_over_ours', paired(rows, experiment, method, 'vouch'), goal)
        ours = quantile(values(rows, experiment, 'vouch').values(), 0.99)
        theirs = median(values(rows, experiment, method).values())
        ratios.at_least(name + '_median_over_our_p99',
                        None if ours is None or theirs is None else theirs / ours, 1)
    for method in ('Tesseract cast scene only', 'Tesseract cast 0.02 rad', 'Drake edges 0.02 rad'):
        ratios.put('7b_%s_panda_over_ours' % method.replace(' ', '_'),
                   paired(rows, 'shared panda', method, 'vouch'), 'reported', True)


def smoke_ratios(rows, here, ratios):
    with open(os.path.join(here, 'baseline.csv'), newline='') as file:
        baseline = {line['name']: float(line['instructions']) for line in csv.DictReader(file)}
    counted = {case: v for (case, _), v in values(rows, 'instructions', 'vouch').items()}
    for name, old in baseline.items():
        new = counted.get(name)
        ratios.at_most('instructions_' + name, None if new is None else new / old, 1.05)


def leaves(rows, experiment, method, parameter):
    found = [int(r['leaves']) for r in rows if r['experiment'] == experiment
             and r['method'] == method and r['parameter'] == parameter and r['verdict'] == 'FREE']
    return max(found) if found else None


def growth(rows, experiment, method, low, high):
    """Takes the median over cases of cost at parameter `high` over cost at `low`."""
    a, b = values(rows, experiment, method, None, high), values(rows, experiment, method, None, low)
    return median(a[case, high] / b[case, low] for case, _ in a if (case, low) in b)


def verifier_slope(rows):
    """Fits microseconds a leaf, and how much a leaf costs at the end of the range over the middle."""
    points = sorted((int(r['leaves']), number(r)) for r in rows if r['experiment'] == 'verifier'
                    and r['method'] == 'vouch verifier' and number(r) is not None)
    if len(points) < 3:
        return None, None
    (first, cost1), (middle, cost2), (last, cost3) = points[0], points[len(points) // 2], points[-1]
    if not first < middle < last:
        return None, None
    slope = (cost3 - cost1) / (last - first)
    return slope, (cost3 - cost2) / (last - middle) / ((cost2 - cost1) / (middle - first))


def goal_ratios(rows, ratios):
    shared = ('shared panda', 'shared ur5', 'shared yumi')
    ratios.at_most('1_panda100_over_fcl_waypoints',
                   paired(rows, 'panda100', 'vouch', 'FCL meshes waypoints'), 0.2)
    ratios.at_most('1_panda100_over_fcl_1khz',
                   paired(rows, 'panda100', 'vouch', 'FCL meshes 1 kHz'), 0.005)
    for experiment in shared:
        ratios.at_least('2_schwarzer_over_chord_' + experiment.split()[-1],
                        paired(rows, experiment, 'vouch Schwarzer', 'vouch'), 5)
    ratios.at_least('2_schwarzer_over_chord_60_pairs_1rad', paired(
        rows, 'segment60', 'vouch Schwarzer', 'vouch', lambda key: key[1] == '1 rad'), 5)
    ratios.at_most('3_clearance_10mm_to_0.1mm_arm',
                   growth(rows, 'clearance arm', 'vouch', '0.01', '0.0001'), 3)
    ratios.at_most('3_clearance_10mm_to_0.1mm_swing',
                   growth(rows, 'clearance swing', 'vouch', '0.01', '0.0001'), 3)
    ratios.at_most('3_leaves_1um_sphere_past_box',
                   leaves(rows, 'clearance slide', 'vouch', '1e-06'), 50)
    ratios.at_most('4_obstacles_1_to_1000', growth(rows, 'obstacles', 'vouch', '1', '1000'), 999)
    ratios.at_most('4_obstacles_100_to_1000', growth(rows, 'obstacles', 'vouch', '100', '1000'), 9.9)
    path = list(values(rows, 'triangles', 'vouch', None, 'path').values())
    ratios.at_most('4_1e5_triangles_path_ms', max(path) / 1e3 if path else None, 50)
    ratios.at_most('4_1e5_triangles_build_s',
                   median(values(rows, 'triangles', 'vouch', None, 'build s').values()), 2)
    ratios.at_most('4_1e5_triangles_megabytes',
                   median(values(rows, 'triangles', 'vouch', None, 'megabytes').values()), 200)
    ratios.at_most('5_two_threads_cpu', paired(
        rows, 'threads', 'two threads', 'one thread', lambda key: key[1] == 'cpu'), 1.1)
    same = list(values(rows, 'threads', 'same bytes').values())
    ratios.at_least('5_same_bytes', min(same) if same else None, 1)
    wall = paired(rows, 'threads', 'one thread', 'two threads', lambda key: key[1] == 'wall')
    ratios.put('5_two_threads_wall_gain', wall, 'reported', True)
    ratios.at_most('6_recertify_over_full', paired(rows, 'recertify', 'vouch recertify', 'vouch'),
                   0.05)
    ratios.put('6_recertify_with_scene_change_over_new_checker', paired(
        rows, 'recertify', 'vouch change and recertify', 'vouch new checker'), 'reported', True)
    ratios.at_most('6_recertify_with_move_over_new_checker', paired(
        rows, 'recertify', 'vouch move and recertify', 'vouch new checker'), 0.05)
    ratios.put('6_recertify_files_over_full', paired(
        rows, 'recertify', 'vouch recertify files', 'vouch'), 'reported', True)
    ratios.at_most('7_verifier_median_ms_panda', median(
        t / 1e3 for t in values(rows, 'shared panda', 'vouch verifier').values()), 2)
    slope, bend = verifier_slope(rows)
    ratios.at_most('7_verifier_us_a_leaf', slope, 2)
    ratios.at_most('7_verifier_leaf_cost_end_over_middle', bend, 1.25)
    for experiment in shared:   # FCL's trees are built before its clock starts
        robot, dense = experiment.split()[-1], 'FCL meshes 0.02 rad'
        ratios.at_most('7_verifier_over_fcl_dense_' + robot,
                       paired(rows, experiment, 'vouch verifier problem loaded', dense), 1)
        ratios.put('7_verifier_cold_over_fcl_dense_' + robot,
                   paired(rows, experiment, 'vouch verifier', dense), 'reported', True)
    for robot in ('panda', 'ur5'):
        ratios.at_most('7c_proof_over_fcl_waypoints_' + robot,
                       paired(rows, 'shared ' + robot, 'vouch', 'FCL meshes waypoints'), 1)
    for answer in ('report', 'certificate', 'problem'):
        ratios.at_most('9_service_beyond_echo_over_engine_' + answer, service(rows, answer), 1.2)
    engine_ratios(rows, ratios)
    quality_ratios(rows, ratios)


def engine_ratios(rows, ratios):
    """Yes or no on the shared paths, how cost grows with waypoints and degree, loading."""
    every = []
    for robot, limit in (('panda', 0.25), ('ur5', 0.6)):
        times = list(values(rows, 'shared ' + robot, 'vouch').values())
        every += times
        ratios.at_most('engine_median_ms_' + robot,
                       median(times) / 1e3 if times else None, limit)
    ratios.at_most('engine_p99_ms', quantile(every, 0.99) / 1e3 if every else None, 10)
    ratios.at_least('engine_sampling_over_chord_60_pairs_1rad', paired(
        rows, 'segment60', 'own GJK every pair 0.02 rad', 'vouch', lambda key: key[1] == '1 rad'),
        20)
    ratios.at_most('engine_waypoints_10_to_1000_panda',
                   growth(rows, 'lengths panda', 'vouch', '10', '1000'), 2)
    ratios.put('engine_waypoints_11_to_1001_arm',
               growth(rows, 'waypoints', 'vouch', '11', '1001'), 'reported', True)
    for order in ('cubic', 'quintic'):
        ratios.at_most('engine_%s_over_linear' % order,
                       growth(rows, 'orders', 'vouch', 'linear', order), 2)
    ratios.at_most('engine_colliding_over_free_panda', colliding_over_free(rows), 1)
    for robot, parameter, limit in (('panda', 'warm ms', 50), ('ur5', 'cold ms', 2000),
                                    ('ur5', 'cold megabytes', 100)):
        ratios.at_most('engine_load_%s_%s' % (robot, parameter.replace(' ', '_')), median(
            values(rows, 'loading', 'vouch', robot, parameter).values()), limit)


def colliding_over_free(rows):
    """Divides medians over the shared paths, which have about the same length."""
    times = {'FREE': [], 'COLLISION': []}
    for row in rows:
        if row['experiment'] == 'shared panda' and row['method'] == 'vouch' \
                and row['verdict'] in times and number(row) is not None:
            times[row['verdict']].append(number(row))
    return median(times['COLLISION']) / median(times['FREE']) if all(times.values()) else None


def service(rows, answer):
    """Takes the median over cases of (round trip - bare echo) / engine, engine taken off each round."""
    beyond, echo, engine = (
        values(rows, 'service', method, None, answer)
        for method in ('beyond engine', 'bare echo', 'engine'))
    return median(1.0 + (beyond[k] - echo[k]) / engine[k] for k in beyond)


def quality_ratios(rows, ratios):
    labelled = [r for r in rows if r['method'] == 'vouch' and r['truth'] and number(r) is not None]
    ours = [r for r in rows if r['method'] == 'vouch' and r['verdict'] and number(r) is not None]
    missed, alarms, _ = wrong(labelled)
    refused = sum(r['verdict'] == 'REFUSED' for r in rows)
    undecided = sum(r['verdict'] == 'UNDECIDED' for r in ours)
    ratios.at_most('8_false_free', missed if labelled else None, 0)
    ratios.at_most('8_false_collision', alarms if labelled else None, 0)
    ratios.at_most('8_certificates_refused', refused if labelled else None, 0)
    ratios.at_most('8_undecided_percent', 100.0 * undecided / len(ours) if ours else None, 0.5)


def note_number(row, name):
    for part in row['note'].split():
        if part.startswith(name + '='):
            return float(part.split('=')[1])
    return None


def print_first_contacts(rows):
    """Shows by how much peers are late or early on motions that collide, in segments of the path."""
    ours = {(r['experiment'], r['case']): r for r in rows if r['method'] == 'vouch first contact'
            and r['verdict'] == 'COLLISION'}
    errors = collections.OrderedDict()
    for row in rows:
        own = ours.get((row['experiment'], row['case']))
        first = note_number(row, 'first')
        if own is None or first is None or row['method'].startswith('vouch'):
            continue
        early = first < note_number(own, 'free_until') - 1e-9
        errors.setdefault(row['method'], []).append(
            (abs(first - note_number(own, 'first')), early, row['case']))
    for method, found in errors.items():
        size, _, case = max(found)
        print('first contact: %-24s %4d motions, median error %.3g, largest %.3g segments (%s), '
              'earlier than proved free: %d' % (
                  method, len(found), median(e[0] for e in found), size, case,
                  sum(e[1] for e in found)))


def main():
    what, path, here = sys.argv[1:4]
    rows = read_rows(path)
    results = write_results(rows, here, what)
    print('machine: ' + machine())
    print_table(rows)
    ratios = Ratios()
    print_first_contacts(rows)
    if what == 'bench':
        goal_ratios(rows, ratios)
    if what == 'bench-peers':
        peers_ratios(rows, ratios)
    else:
        smoke_ratios(rows, here, ratios)
    if what == 'bench':
        plots.draw(rows, os.path.join(here, '..', 'docs', 'images'))
    print('bench: rows in %s; %d ratio(s) short' % (os.path.relpath(results), ratios.short))
    return 0


if __name__ == '__main__':
    sys.exit(main())
