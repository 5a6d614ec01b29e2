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


def smoke_ratios(rows, here, ratios):
    with open(os.path.join(here, 'baseline.csv'), newline='') as file:
        baseline = {line['name']: float(line['instructions']) for line in csv.DictReader(file)}
    counted = {case: v for (case, _), v in values(rows, 'instructions', 'vouch').items()}
    for name, old in baseline.items():
        new = counted.get(name)
        ratios.at_most('instructions_' + name, None if new is None else new / old, 1.05)


def main():
    what, path, here = sys.argv[1:4]
    rows = read_rows(path)
    results = write_results(rows, here, what)
    print('machine: ' + machine())
    print_table(rows)
    ratios = Ratios()
    if what != 'bench-peers':
        smoke_ratios(rows, here, ratios)
    print('bench: rows in %s; %d ratio(s) short' % (os.path.relpath(results), ratios.short))
    return 0


if __name__ == '__main__':
    sys.exit(main())
