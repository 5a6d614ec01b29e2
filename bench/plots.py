# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Draws the four plots of docs/performance.md as SVG, with nothing but the standard library."""
import collections
import math
import os
import statistics

COLOURS = ['#0b6e4f', '#c1272d', '#1f4e9c', '#d98200', '#6b3fa0', '#555555', '#0097a7', '#8d6e63']
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 720, 420, 70, 60, 40, 200


def text(x, y, content, anchor='middle', size=13, extra=''):
    content = content.replace('&', '&amp;').replace('<', '&lt;')
    return '<text x="%.1f" y="%.1f" text-anchor="%s" font-size="%d" %s>%s</text>' % (
        x, y, anchor, size, extra, content)


def frame(title, x_name, y_name, body):
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    return '\n'.join([
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" '
        'font-family="sans-serif" fill="#222">' % (WIDTH, HEIGHT),
        '<rect width="%d" height="%d" fill="#ffffff"/>' % (WIDTH, HEIGHT),
        text(middle, 24, title, size=15, extra='font-weight="bold"'),
        text(middle, HEIGHT - 14, x_name),
        text(18, HEIGHT / 2, y_name, extra='transform="rotate(-90 18 %d)"' % (HEIGHT / 2)),
    ] + body + ['</svg>', ''])


def ticks(low, high):
    return [10.0 ** k for k in range(math.floor(low + 1e-9), math.ceil(high - 1e-9) + 1)]


def short(value):
    exponent = round(math.log10(value))
    return '%g' % value if -2 <= exponent <= 4 else '1e%d' % exponent


def lines(title, x_name, y_name, series):
    """Draws both axes logarithmic; series: name -> [(x, y)]."""
    xs = [math.log10(x) for points in series.values() for x, _ in points]
    ys = [math.log10(y) for points in series.values() for _, y in points]
    x_low, x_high = min(xs), max(max(xs), min(xs) + 1e-9)
    y_low, y_high = math.floor(min(ys)), math.ceil(max(ys))

    def place(x, y):
        return (LEFT + (math.log10(x) - x_low) / (x_high - x_low) * (WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - (math.log10(y) - y_low) / (y_high - y_low)
                * (HEIGHT - BOTTOM - TOP))
    body = []
    for y in ticks(y_low, y_high):
        _, at = place(10 ** x_low, y)
        body.append('<path d="M%d %.1fH%d" stroke="#ddd"/>' % (LEFT, at, WIDTH - RIGHT))
        body.append(text(LEFT - 6, at + 4, short(y), 'end', 11))
    for x in ticks(x_low, x_high):
        if x_low - 1e-9 <= math.log10(x) <= x_high + 1e-9:
            at, _ = place(x, 10 ** y_low)
            body.append('<path d="M%.1f %dV%d" stroke="#eee"/>' % (at, TOP, HEIGHT - BOTTOM))
            body.append(text(at, HEIGHT - BOTTOM + 16, short(x), size=11))
    for i, (name, points) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        path = ' '.join('%.1f,%.1f' % place(x, y) for x, y in sorted(points))
        body.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (
            path, colour))
        for x, y in points:
            body.append('<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>' % (place(x, y) + (colour,)))
        body.append('<rect x="%d" y="%d" width="12" height="12" fill="%s"/>' % (
            WIDTH - RIGHT + 14, TOP + 20 * i, colour))
        body.append(text(WIDTH - RIGHT + 31, TOP + 20 * i + 11, name, 'start', 12))
    return frame(title, x_name, y_name, body)


def bars(title, y_name, groups):
    """Draws groups: name -> (missed per cent, alarms per cent)."""
    body, names = [], list(groups)
    left, step = 210, (HEIGHT - TOP - BOTTOM) / max(1, len(names))
    scale = (WIDTH - left - 60) / 100.0
    for k in range(0, 101, 25):
        at = left + k * scale
        body.append('<path d="M%.1f %dV%d" stroke="#ddd"/>' % (at, TOP, HEIGHT - BOTTOM))
        body.append(text(at, HEIGHT - BOTTOM + 16, '%d %%' % k, size=11))
    for i, name in enumerate(names):
        y = TOP + i * step
        body.append(text(left - 8, y + step * 0.62, name, 'end', 12))
        for k, (value, colour) in enumerate(zip(groups[name], ('#c1272d', '#d98200'))):
            body.append('<rect x="%d" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>' % (
                left, y + step * (0.12 + 0.4 * k), max(value * scale, 0.8), step * 0.36, colour))
            body.append(text(left + value * scale + 5, y + step * (0.42 + 0.4 * k),
                             '%.3g' % value, 'start', 10))
    return frame(title, y_name, '', body)


def medians(rows, experiment, methods):
    found = collections.OrderedDict()
    for method in methods:
        by_parameter = collections.defaultdict(list)
        for row in rows:
            if row['experiment'] == experiment and row['method'] == method and row['value'] \
                    and row['verdict'] != 'UNDECIDED':
                by_parameter[float(row['parameter'])].append(float(row['value']))
        if by_parameter:
            found[method] = [(x, statistics.median(v)) for x, v in by_parameter.items()]
    return found


def quality(rows):
    counts = collections.OrderedDict()
    for row in rows:
        if row['experiment'].split()[0] in ('shared', 'straight') and row['truth'] and row['value'] \
                and row['method'] not in ('vouch certificate', 'vouch first contact'):
            entry = counts.setdefault(row['method'], [0, 0, 0, 0])
            collides = row['truth'] == 'COLLISION'
            entry[0 if collides else 1] += 1
            entry[2] += collides and row['verdict'] == 'FREE'
            entry[3] += not collides and row['verdict'] == 'COLLISION'
    return collections.OrderedDict(
        (name, (100.0 * c[2] / max(1, c[0]), 100.0 * c[3] / max(1, c[1])))
        for name, c in counts.items())


def draw(rows, directory):
    os.makedirs(directory, exist_ok=True)
    cost = 'CPU time of one check, µs'
    plots = {}
    series = medians(rows, 'clearance arm', ['vouch', 'vouch Schwarzer', 'FCL hulls 0.02 rad'])
    slide = medians(rows, 'clearance slide', ['vouch', 'vouch Schwarzer'])
    for name, points in slide.items():
        series[name + ', sphere'] = points
    if series:
        plots['bench_clearance.svg'] = lines(
            'Cost against clearance', 'smallest distance on the way, m', cost, series)
    series = medians(rows, 'obstacles', ['vouch', 'FCL hulls waypoints', 'FCL hulls 0.02 rad'])
    if series:
        plots['bench_obstacles.svg'] = lines(
            'Cost against number of obstacles', 'obstacles', cost, series)
    series = medians(rows, 'waypoints', ['vouch', 'FCL hulls waypoints'])
    if series:
        plots['bench_waypoints.svg'] = lines(
            'One motion, more and more waypoints', 'waypoints', cost, series)
    groups = quality(rows)
    if groups:
        plots['bench_quality.svg'] = bars(
            'Wrong answers on the shared motions',
            'red: collisions missed; orange: free motions called colliding', groups)
    for name, content in plots.items():
        with open(os.path.join(directory, name), 'w') as file:
            file.write(content)
    print('bench: plots %s' % ', '.join(sorted(plots)))
