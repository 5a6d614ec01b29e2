# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Many clients, clients that vanish, signals."""

import math
import os
import signal
import subprocess
import threading
import time

import pytest
from node_fixture import (
    COLLISION, DOMAIN, FREE, INSTALL, Client, ball, check_request, finish, running, start)
from rclpy.qos import QoSProfile
from vouch.msg import Scene, TrajectoryReport
from vouch.srv import ApplyScene


def request(number):
    """The answer can be told from every other one: the clearance depends on the number."""
    return check_request(
        [(0.0, 0.0), (0.2 + 0.0005 * number, 0.0)], id=str(number), skip_first_contact=True)


def test_a_thousand_requests_from_four_clients():
    node, client = start()
    assert client.apply(obstacles=[ball()]).success
    truth = {}
    wrong = []

    def work(first):
        own = Client()
        own.wait()
        futures = {}
        for number in range(first, 1000, 4):
            futures[number] = own.check_client.call_async(request(number))
            if len(futures) >= 8:      # several under way at once
                drain(own, futures)
        while futures:
            drain(own, futures)
        own.close()

    def drain(own, futures):
        assert own.spin_until(lambda: any(f.done() for f in futures.values()), 30.0)
        for number in [n for n, f in futures.items() if f.done()]:
            report = futures.pop(number).result().report
            truth[number] = report.clearance.lower_m
            if report.id != str(number) or report.verdict != FREE:
                wrong.append((number, report.id, report.message))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
    assert not wrong and len(truth) == 1000
    # Each got its own: the closest approach of the arm to the ball is at the end of the swing.
    for number, lower in truth.items():
        distance = 1.5 * math.cos(0.2 + 0.0005 * number) - 0.25
        assert lower <= distance + 1e-9 and distance - lower < 2e-3, number
    assert client.is_healthy()
    finish(node, client)


def test_clients_that_vanish():
    """Killed while the node works for them; the answers go nowhere, the next client gets its own."""
    node, client = start()
    assert client.apply(obstacles=[ball()]).success
    reports = client.subscribe(TrajectoryReport, '~/report', QoSProfile(depth=1000))
    for _ in range(5):
        client.spin(0.1)
        del reports[:]
        vanishing = subprocess.Popen(
            [str(INSTALL / 'lib' / 'vouch' / 'example_check_client'), '--certificate', '--points',
             '400', '--repeat', '100000', 'shoulder=0:1.3', 'elbow=0:0.1'],
            stdout=subprocess.DEVNULL, env=dict(
                os.environ, ROS_DOMAIN_ID=str(DOMAIN), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST'))
        assert client.spin_until(lambda: len(reports) > 5, 20.0), 'it is being served'
        vanishing.kill()
        vanishing.wait()
        assert client.is_healthy()
    finish(node, client)


def test_nothing_is_lost_while_the_node_is_busy():
    """Scene changes by topic and by service, more than a queue of the usual depth holds."""
    node, client = start()
    scenes = client.publisher(Scene, '~/scene', QoSProfile(depth=1000))
    assert client.apply(obstacles=[ball('first', at=(5.0, 0.0, 0.0))]).success
    near = [ball(f'b{i}_{j}', at=(0.2 * i - 2.0, 0.2 * j - 2.0, 0.12), radius=0.05)
            for i in range(21) for j in range(21)]
    swings = [(2.5 * math.sin(0.7 * i), 2.5 * math.cos(0.9 * i)) for i in range(4000)]
    busy = client.check_client.call_async(check_request(
        swings, deadline_s=1.0, scene=Scene(name='ceiling', obstacles=near)))
    client.spin(0.3)
    scenes.publish(Scene(is_diff=True, obstacles=[ball()]))
    for number in range(300):
        scenes.publish(Scene(is_diff=True, obstacles=[ball('far', at=(-5.0, 0.01 * number, 0.0))]))
    asked = [client.apply_client.call_async(ApplyScene.Request(scene=Scene(
        is_diff=True, obstacles=[ball(f'asked_{i}', at=(-9.0, float(i), 0.0))]))) for i in range(50)]
    assert not busy.done(), 'all of it came while the node was busy'
    assert client.spin_until(lambda: all(f.done() for f in asked), 20.0), 'all answered'
    assert all(f.result().success for f in asked)
    assert client.check([(0.0, 0.0), (math.pi / 2, 0.0)]).report.verdict == COLLISION
    names = {o.id for o in client.scene().scene.obstacles}
    assert names == {'first', 'ball', 'far', *(f'asked_{i}' for i in range(50))}
    finish(node, client)


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_signal_under_load_ends_with_zero(number):
    node, client = start()
    assert client.apply(obstacles=[ball()]).success
    for _ in range(40):
        client.check_client.call_async(check_request([(0.0, 0.0), (1.0, 0.0)]))
    client.spin(0.05)
    begin = time.monotonic()
    code = node.stop(number)
    assert code == 0, node.output()
    assert time.monotonic() - begin < 5.0
    running.remove(node)
    client.close()


def test_idle_node_stops_at_once():
    node, client = start({})
    begin = time.monotonic()
    assert node.stop(signal.SIGTERM) == 0
    assert time.monotonic() - begin < 2.0
    running.remove(node)
    client.close()


def test_memory_does_not_grow_with_requests():
    node, client = start()
    assert client.apply(obstacles=[ball()]).success

    def some(count):
        for number in range(count):
            hit = client.check([(0.0, 0.0), (1.5, 0.0)], want_certificate=number % 3 == 0).report
            assert hit.verdict == COLLISION
            client.apply(obstacles=[ball(at=(0.0, 1.5, 0.001 * (number % 5)))])
    some(150)
    before = node.memory()
    some(300)
    grown = node.memory() - before
    assert grown < 1500, f'{grown} kB more after 600 requests'
    finish(node, client)
