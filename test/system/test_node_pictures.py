# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""~/markers, /diagnostics and ~/report."""

import math

from diagnostic_msgs.msg import DiagnosticArray
from node_fixture import LATCHED, Client, ball, fresh, world  # noqa: F401
from visualization_msgs.msg import Marker, MarkerArray
from vouch.msg import TrajectoryReport


def markers_after(client, points, **fields):
    received = client.subscribe(MarkerArray, '~/markers', LATCHED)
    client.spin(0.3)
    del received[:]
    client.check(points, **fields)
    assert client.spin_until(lambda: received, 5.0)
    return received[-1].markers


def length(marker):
    points = [(p.x, p.y, p.z) for p in marker.points]
    return sum(math.dist(a, b) for a, b in zip(points, points[1:]))


def test_collision_is_drawn(fresh):
    markers = markers_after(fresh, [(0.0, 0.0), (math.pi / 2, 0.0)])
    assert markers[0].action == Marker.DELETEALL
    drawn = markers[1:]
    assert all(m.header.frame_id == 'base' and m.action == Marker.ADD for m in drawn)
    bodies = [m for m in drawn if m.type == Marker.TRIANGLE_LIST]
    assert len(bodies) == 2 and all(len(m.points) % 3 == 0 and m.points for m in bodies)
    line, = [m for m in drawn if m.type == Marker.LINE_LIST]
    assert len(line.points) == 2
    path, = [m for m in drawn if m.type == Marker.LINE_STRIP]
    assert len(path.points) > 10 and 1.0 < length(path) < 3.0, 'a quarter turn at about 1.5 m'
    assert math.dist([line.points[0].x, line.points[0].y], (0.0, 1.5)) < 0.4
    label, = [m for m in drawn if m.type == Marker.TEXT_VIEW_FACING]
    assert 'COLLISION' in label.text and 'ball' in label.text
    assert len({(m.ns, m.id) for m in drawn}) == len(drawn)
    for marker in drawn:
        values = [marker.pose.position.x, marker.scale.x] + [p.x for p in marker.points]
        assert all(math.isfinite(v) for v in values)


def test_the_picture_is_of_the_scene_that_was_checked(fresh):
    """Not of one that came before there was time to draw."""
    received = fresh.subscribe(MarkerArray, '~/markers', LATCHED)
    fresh.spin(0.3)
    del received[:]
    fresh.check([(0.0, 0.0), (math.pi / 2, 0.0)])
    assert fresh.apply(obstacles=[ball(at=(9.0, 9.0, 0.0))]).success
    assert fresh.spin_until(lambda: received, 5.0)
    places = [(m.pose.position.x, m.pose.position.y) for m in received[-1].markers
              if m.type == Marker.TRIANGLE_LIST]
    assert (0.0, 1.5) in places and (9.0, 9.0) not in places


def test_ball_is_drawn_where_it_is(fresh):
    markers = markers_after(fresh, [(0.0, 0.0), (math.pi / 2, 0.0)])
    bodies = [m for m in markers if m.type == Marker.TRIANGLE_LIST]
    at = [m for m in bodies
          if math.dist((m.pose.position.x, m.pose.position.y), (0.0, 1.5)) < 1e-9]
    assert len(at) == 1
    radii = [math.dist((p.x, p.y, p.z), (0, 0, 0)) for p in at[0].points]
    assert 0.2 - 1e-9 <= min(radii) and max(radii) < 0.22


def test_closest_approach_and_open_intervals_are_drawn(fresh):
    free = markers_after(fresh, [(0.0, 0.0), (1.0, 0.0)])
    label, = [m for m in free if m.type == Marker.TEXT_VIEW_FACING]
    assert 'FREE' in label.text
    both = markers_after(fresh, [(0.0, 0.0), (1.3, 0.0)], tolerance_rad=0.3)
    strips = [m for m in both if m.type == Marker.LINE_STRIP]
    yellow = [m for m in strips if m.color.r > 0.9 and m.color.g > 0.8]
    assert yellow, 'open intervals in another colour'
    begin, end = fresh.check([(0.0, 0.0), (1.3, 0.0)], tolerance_rad=0.3).report.open[0].begin_s, 1.0
    assert length(yellow[0]) > 0.3 * (end - begin), 'one sees the way of the link'
    assert not [m for m in free if m.color.r > 0.9 and 0.8 < m.color.g < 0.9]


def test_an_invalid_request_leaves_no_old_picture(fresh):
    assert len(markers_after(fresh, [(0.0, 0.0), (1.0, 0.0)])) > 1
    only, = markers_after(fresh, [(0.0, 0.0), (math.nan, 0.0)])
    assert only.action == Marker.DELETEALL


def test_late_joiner_sees_the_last_picture(fresh):
    markers_after(fresh, [(0.0, 0.0), (1.0, 0.0)])
    late = Client(fresh.name)
    received = late.subscribe(MarkerArray, '~/markers', LATCHED)
    assert late.spin_until(lambda: received, 5.0)
    late.close()


def test_diagnostics(fresh):
    received = fresh.subscribe(DiagnosticArray, '/diagnostics')
    fresh.check([(0.0, 0.0), (1.0, 0.0)])
    for _ in range(200):
        fresh.check([(math.nan, 0.0), (1.0, 0.0)])
    fresh.spin(1.2)
    del received[:]
    assert fresh.spin_until(lambda: len(received) >= 2, 5.0), 'about once a second'
    status, = received[-1].status
    assert status.name == '/vouch' and status.level == b'\x00' and status.message == 'ready'
    values = {v.key: v.value for v in status.values}
    assert values['robot'] == 'two_link' and values['objects'] == '1'
    assert int(values['checks']) >= 2 and int(values['INVALID']) >= 1 and int(values['FREE']) >= 1
    assert int(values['refused inputs']) >= 1
    p50, p99 = float(values['check time p50 [ms]']), float(values['check time p99 [ms]'])
    assert p99 >= p50 > 0.0, 'what was refused took no time and does not count'


def test_every_verdict_is_published(fresh):
    received = fresh.subscribe(TrajectoryReport, '~/report', 100)
    fresh.spin(0.3)
    del received[:]
    answers = [fresh.check([(0.0, 0.0), (i / 10, 0.0)], id=f'r{i}').report for i in range(10)]
    assert fresh.spin_until(lambda: len(received) >= 10, 5.0)
    assert received[-10:] == answers
