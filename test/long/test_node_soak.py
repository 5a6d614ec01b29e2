# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Ten minutes of everything at once: no wrong answer, no growing memory, a clean end.

VOUCH_SOAK_SECONDS shortens it.
"""

import math
import os
import pathlib
import random
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'system'))

from node_fixture import (  # noqa: E402
    COLLISION, FREE, INVALID, LATCHED, Client, ball, finish, joint_state, start, trajectory, urdf)
from rclpy.qos import qos_profile_sensor_data  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402
from std_msgs.msg import String  # noqa: E402
from trajectory_msgs.msg import JointTrajectory  # noqa: E402

SECONDS = float(os.environ.get('VOUCH_SOAK_SECONDS', '600'))


def ask(end, seed, wrong, counts):
    """Checks whose answers are known, with garbage in between."""
    rng = random.Random(seed)
    client = Client()
    client.wait()
    count = 0
    while time.monotonic() < end:
        angle = rng.uniform(0.1, 1.3)
        answers = (
            (client.check([(0.0, 0.0), (angle, 0.0)], want_certificate=rng.random() < 0.2), FREE),
            (client.check([(0.0, 0.0), (1.5, 0.0)]), COLLISION),
            (client.check([(0.0, 0.0), (math.nan, 0.0)]), INVALID))
        for answer, truth in answers:
            if answer.report.verdict != truth:
                wrong.append((seed, count, truth, answer.report.verdict, answer.report.message))
        count += 1
    counts.append(count)
    client.close()


def disturb(end):
    """Joint states, commands, scene changes that do not matter, new robots that are the same."""
    client = Client()
    client.wait()
    states = client.publisher(JointState, '/joint_states', qos_profile_sensor_data)
    commands = client.publisher(JointTrajectory, '~/joint_trajectory')
    robots = client.publisher(String, '/robot_description', LATCHED)
    number = 0
    while time.monotonic() < end:
        number += 1
        states.publish(joint_state([0.0, 0.0]))
        if number % 20 == 0:
            commands.publish(trajectory([(0.0, 0.0), (0.01, 0.0)], times=[0.0, 0.05]))
        if number % 15 == 0:
            client.apply(obstacles=[ball('far', at=(-5.0, 0.001 * (number % 7), 0.0))])
        if number % 200 == 0:
            robots.publish(String(data=urdf(f'robot_{number}')))
        client.spin(0.01)
    client.close()


def test_soak():
    node, client = start({})
    first = client.publisher(String, '/robot_description', LATCHED)
    first.publish(String(data=urdf()))
    assert client.spin_until(lambda: client.check([]).report.robot_name == 'two_link', 10.0)
    assert client.apply(obstacles=[ball()]).success
    end = time.monotonic() + SECONDS
    wrong, counts = [], []
    threads = [threading.Thread(target=ask, args=(end, i, wrong, counts)) for i in range(3)]
    threads.append(threading.Thread(target=disturb, args=(end,)))
    for thread in threads:
        thread.start()
    samples = []
    while time.monotonic() < end:
        time.sleep(min(2.0, max(0.1, SECONDS / 100.0)))
        samples.append(node.memory())
        assert node.process.poll() is None, node.output()[-4000:]
    for thread in threads:
        thread.join(60.0)
    assert not wrong, wrong[:5]
    assert len(counts) == 3 and min(counts) > 0.1 * SECONDS, 'every client was answered all the time'
    assert client.is_healthy()
    # The second half against the end of the first quarter: caches are warm by then.
    quarter = max(samples[:max(1, len(samples) // 4)])
    late = sorted(samples[len(samples) // 2:])[len(samples) // 4]
    growth = slope(samples[len(samples) // 2:]) * len(samples) / SECONDS * 60.0
    print(f'{sum(counts)} rounds; memory: {quarter} kB after a quarter, {late} kB in the second '
          f'half, where it grows by {growth:.1f} kB a minute')
    assert late - quarter < 4096, samples
    assert growth < 100.0 or SECONDS < 300.0, samples
    finish(node, client)


def slope(values):
    """Least squares: how much one value is more than the one before."""
    middle = (len(values) - 1) / 2.0
    mean = sum(values) / len(values)
    return sum((i - middle) * (v - mean) for i, v in enumerate(values)) / \
        max(1.0, sum((i - middle) ** 2 for i in range(len(values))))
