# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""~/check_trajectory and ~/verify_certificate against closed forms."""

import math
import time

import pytest
from node_fixture import (
    BALL_ANGLE, COLLISION, FREE, INVALID, UNDECIDED, Client, ball, check_request,
    fresh, joint_state, obstacle, world)  # noqa: F401
from shape_msgs.msg import SolidPrimitive
from vouch.msg import PairReport, Scene
from vouch.srv import CheckTrajectory, VerifyCertificate

QUARTER = [(0.0, 0.0), (math.pi / 2, 0.0)]


def test_free_says_how_far_and_for_what(fresh):
    report = fresh.check([(0.0, 0.0), (1.0, 0.0)], id='mine').report
    assert report.verdict == FREE, report.message
    assert report.id == 'mine' and report.source == report.SOURCE_SERVICE
    assert report.free_until_s == pytest.approx(1.0)
    # The closest approach is at the end: ball against the side of the upper or lower link.
    true = 1.5 * math.cos(1.0) - 0.25
    assert report.clearance.kind == PairReport.CLEARANCE
    assert report.clearance.lower_m <= true + 1e-9
    assert report.clearance.upper_m >= true - 1e-9
    assert report.clearance.upper_m - report.clearance.lower_m < 0.01
    assert {report.clearance.a, report.clearance.b} & {'ball'}
    assert any(report.robot_hash) and any(report.scene_hash) and any(report.problem_hash)
    assert report.library_version == '0.1.0' and report.robot_name == 'two_link'
    assert report.motion_model == 'controller' and report.method == 'chord'
    assert report.has_time and report.segments == 1 and report.pairs > 0
    assert report.header.frame_id == 'base'


def test_collision_names_time_pair_and_points(fresh):
    report = fresh.check(QUARTER).report
    assert report.verdict == COLLISION, report.message
    hit = report.first_collision
    true = BALL_ANGLE / (math.pi / 2)
    assert hit.kind == PairReport.CONTACT
    assert hit.begin_s <= true + 1e-9, 'proved free for longer than is true'
    assert hit.time_s >= true - 1e-9
    assert hit.time_s - true < 0.01
    assert report.free_until_s <= true + 1e-9
    assert {hit.a, hit.b} <= {'upper', 'lower', 'ball'} and 'ball' in (hit.a, hit.b)
    for point in (hit.point_a, hit.point_b):
        assert math.dist((point.x, point.y, point.z), (0.0, 1.5, 0.0)) < 0.4


def test_the_time_between_waypoints_counts(fresh):
    # Both waypoints are free; the way between them is not.
    report = fresh.check([(0.9, 0.0), (2.2, 0.0)]).report
    assert report.verdict == COLLISION
    assert 0.0 < report.first_collision.time_s < 1.0


def test_margin_decides(fresh):
    clear = 1.5 * math.cos(1.0) - 0.25
    points = [(0.0, 0.0), (1.0, 0.0)]
    assert fresh.check(points, margin_m=clear - 0.01).report.verdict == FREE
    report = fresh.check(points, margin_m=clear + 0.01).report
    assert report.verdict == COLLISION
    assert report.first_collision.kind == PairReport.MARGIN
    assert report.margin_m == pytest.approx(clear + 0.01)


def test_tolerance_that_reaches_the_ball_is_undecided(fresh):
    points = [(0.0, 0.0), (1.3, 0.0)]
    assert fresh.check(points, tolerance_rad=0.02).report.verdict == FREE
    report = fresh.check(points, tolerance_rad=0.3).report
    assert report.verdict == UNDECIDED
    assert report.open and report.open[0].reason == PairReport.REASON_TOLERANCE
    single = fresh.check(
        points, tolerance_joints=['shoulder'], tolerances=[0.3]).report
    assert single.verdict == UNDECIDED


def test_bare_path_counts_segments(fresh):
    report = fresh.check([(0.0, 0.0), (0.5, 0.0), (1.0, 0.2)], times=[0.0, 0.0, 0.0]).report
    assert report.verdict == FREE and not report.has_time
    assert report.motion_model == 'planner' and report.free_until_s == pytest.approx(2.0)


def test_models_and_methods(fresh):
    points = [(0.0, 0.0), (1.0, 0.0)]
    for model, name in ((1, 'controller'), (2, 'planner'), (3, 'linear')):
        report = fresh.check(points, motion_model=model).report
        assert (report.verdict, report.motion_model) == (FREE, name)
    report = fresh.check(points, method=CheckTrajectory.Request.METHOD_SCHWARZER).report
    assert (report.verdict, report.method) == (FREE, 'schwarzer')


def test_spline_is_checked_as_the_controller_executes_it(fresh):
    # The cubic overshoots into the ball; the straight line between the waypoints is free.
    points, fast = [(0.0, 0.0), (1.2, 0.0)], [(0.0, 0.0), (-4.0, 0.0)]
    assert fresh.check(points).report.verdict == FREE
    assert fresh.check(points, velocities=fast).report.verdict == COLLISION


def test_certificate_is_verified_and_a_changed_one_is_not(fresh):
    for points, verdict in (([(0.0, 0.0), (1.0, 0.0)], FREE), (QUARTER, COLLISION)):
        answer = fresh.check(points, want_certificate=True)
        assert answer.report.verdict == verdict
        problem, certificate = bytes(answer.problem), bytes(answer.certificate)
        assert problem and certificate
        request = VerifyCertificate.Request(problem=problem, certificate=certificate)
        good = fresh.call(fresh.verify_client, request)
        assert good.verified and good.code == 0 and good.message == 'VERIFIED', good.message
        assert good.verdict == verdict
        other = bytearray(problem)
        other[len(other) // 2] ^= 1
        bad = fresh.call(
            fresh.verify_client,
            VerifyCertificate.Request(problem=bytes(other), certificate=certificate))
        assert not bad.verified and bad.code in (1, 3) and bad.message
    nothing = fresh.call(fresh.verify_client, VerifyCertificate.Request())
    assert not nothing.verified and nothing.code == 3
    assert not fresh.check(QUARTER).certificate, 'not asked for'
    both = fresh.check(QUARTER, want_certificate=True)
    small = fresh.check(QUARTER, want_certificate=True, skip_problem=True)
    assert small.certificate == both.certificate and both.problem and not small.problem


def test_scene_of_the_request_stays_in_the_request(fresh):
    wall = obstacle('wall', SolidPrimitive.BOX, [0.1, 1.0, 1.0], (1.5, 1.0, 0.0))
    points = [(0.0, 0.0), (1.0, 0.0)]
    walled = fresh.check(points, scene=Scene(is_diff=True, obstacles=[wall])).report
    assert walled.verdict == COLLISION
    assert fresh.check(points).report.verdict == FREE
    whole = Scene(name='only a far ball', obstacles=[ball(at=(5.0, 5.0, 0.0))])
    assert fresh.check(QUARTER, scene=whole).report.verdict == FREE
    assert fresh.check(QUARTER).report.verdict == COLLISION
    assert [o.id for o in fresh.scene().scene.obstacles] == ['ball']
    bad = Scene(is_diff=True, obstacles=[ball(frame='nowhere')])
    report = fresh.check(points, scene=bad).report
    assert report.verdict == INVALID and 'nowhere' in report.message


def test_start_state(fresh):
    points = [(0.5, 0.0), (1.0, 0.0)]
    # Given and near, given and far, lead-in from the given state.
    near = fresh.check(points, start_state=joint_state([0.5, 0.0])).report
    assert near.verdict == FREE
    far = fresh.check(points, start_state=joint_state([0.0, 0.0])).report
    assert far.verdict == INVALID and 'shoulder' in far.message
    later = fresh.check(points, start_state=joint_state([0.0, 0.0]), start_anywhere=True).report
    assert later.verdict == FREE
    lead = fresh.check(points, times=[1.0, 2.0], start_state=joint_state([0.0, 0.0])).report
    assert lead.verdict == FREE and lead.lead_in_segments == 1 and lead.segments == 2
    # A lead-in through the ball.
    hit = fresh.check(
        [(2.2, 0.0), (2.3, 0.0)], times=[1.0, 2.0], start_state=joint_state([0.9, 0.0])).report
    assert hit.verdict == COLLISION


def test_one_point_at_time_zero_is_a_jump(fresh):
    """Under the controller's model; a bare path says nothing about the way to it."""
    request = {'motion_model': CheckTrajectory.Request.MODEL_CONTROLLER, 'tolerance_rad': 0.01}
    far = fresh.check([(0.9, 0.0)], start_state=joint_state([0.0, 0.0]), **request).report
    assert far.verdict == INVALID and 'shoulder' in far.message and 'jump' in far.message
    near = fresh.check([(0.9, 0.0)], start_state=joint_state([0.905, 0.0]), **request).report
    assert near.verdict == FREE, near.message
    later = fresh.check(
        [(0.9, 0.0)], start_state=joint_state([0.0, 0.0]), start_anywhere=True, **request).report
    assert later.verdict == FREE
    lead = fresh.check(
        [(0.9, 0.0)], times=[1.0], start_state=joint_state([0.0, 0.0]), **request).report
    assert lead.verdict == FREE and lead.lead_in_segments == 1
    bare = fresh.check([(0.9, 0.0)], start_state=joint_state([0.0, 0.0])).report
    assert bare.verdict == FREE and [w for w in bare.warnings if 'does not begin at' in w]


def test_one_warning_names_all_joints_that_were_not_compared(fresh):
    def remarks(**fields):
        warnings = fresh.check([(0.0, 0.0), (1.0, 0.0)], **fields).report.warnings
        return [w for w in warnings if 'not compared' in w]
    both, = remarks()
    assert 'shoulder, elbow' in both
    one, = remarks(start_state=joint_state([0.0], ['shoulder']))
    assert 'elbow' in one and 'shoulder' not in one
    assert not remarks(start_state=joint_state([0.0, 0.0]))
    assert not remarks(start_anywhere=True)


def test_missing_start_state_is_invalid_never_zero(fresh):
    for request in (
            check_request([(0.0,), (1.0,)], names=['shoulder']),
            check_request([(0.0, 0.0), (1.0, 0.0)], times=[1.0, 2.0])):
        report = fresh.check(request=request).report
        assert report.verdict == INVALID and 'start state' in report.message
    partial = fresh.check(
        [(0.0,), (1.0,)], names=['shoulder'], start_state=joint_state([0.3], ['elbow'])).report
    assert partial.verdict == FREE


def test_an_unknown_joint_is_named(fresh):
    report = fresh.check([(0.0,), (1.0,)], names=['wrist']).report
    assert report.verdict == INVALID and "'wrist'" in report.message, report.message


def test_fcl_results(fresh):
    answer = fresh.check(QUARTER, want_fcl_results=True)
    assert answer.continuous_collision.is_collide
    assert answer.continuous_collision.time_of_contact == pytest.approx(
        BALL_ANGLE / (math.pi / 2), abs=0.01)
    contact, = answer.collision.contacts
    assert 'ball' in (contact.o1, contact.o2) and contact.b1 == contact.NONE
    free = fresh.check([(0.0, 0.0), (1.0, 0.0)], want_fcl_results=True)
    assert not free.continuous_collision.is_collide
    assert free.continuous_collision.time_of_contact == 1.0 and not free.collision.contacts
    assert free.distance.min_distance > 0.5


def test_deadline_is_kept_and_undecided(fresh):
    """Thousands of swings 20 mm below 441 balls: seconds of work, cut off when it is time."""
    near = [ball(f'b{i}_{j}', at=(0.2 * i - 2.0, 0.2 * j - 2.0, 0.12), radius=0.05)
            for i in range(21) for j in range(21)]
    assert fresh.apply(is_diff=False, name='balls', obstacles=near).success
    swings = [(2.5 * math.sin(0.7 * i), 2.5 * math.cos(0.9 * i)) for i in range(4000)]
    other = Client(fresh.name)
    other.wait()
    for deadline in (0.1, 0.5):
        begin = time.monotonic()
        future = fresh.check_client.call_async(check_request(swings, deadline_s=deadline, id='long'))
        fresh.spin(0.02)
        answer = other.check([(0.0, 0.0)], timeout=10.0).report
        waited = time.monotonic() - begin
        assert answer.verdict == FREE and waited < deadline + 1.0, 'nobody waits for longer'
        assert fresh.spin_until(future.done, 5.0)
        report = future.result().report
        assert report.verdict == UNDECIDED and report.id == 'long'
        assert {o.reason for o in report.open} == {PairReport.REASON_DEADLINE}
        assert 0.9 * deadline < report.seconds < deadline + 0.25
        assert 0.0 <= report.free_until_s < 3999.0
    other.close()


def test_empty_request_is_invalid(fresh):
    report = fresh.check(request=CheckTrajectory.Request()).report
    assert report.verdict == INVALID and report.message
    assert any(report.robot_hash) and any(report.scene_hash) and report.scene_revision > 0
    assert report.library_version == '0.1.0' and report.header.stamp.sec > 0
    assert report.free_until_s == 0.0


def test_a_moving_joint_without_tolerance_is_told(fresh):
    bend = [(0.0, 0.0), (0.3, 0.3)]
    some = fresh.check(bend, tolerance_joints=['shoulder'], tolerances=[0.001]).report
    warning, = [w for w in some.warnings if 'no tolerance' in w]
    assert some.verdict == FREE and warning.endswith('elbow')
    for fields in ({}, {'tolerance_rad': 0.001}):
        report = fresh.check(bend, **fields).report
        assert not [w for w in report.warnings if 'no tolerance' in w]


def test_nothing_to_check_is_not_free(fresh):
    report = fresh.check([(0.0, 0.0), (1.0, 0.0)], scene=Scene(name='empty')).report
    assert report.verdict == UNDECIDED
