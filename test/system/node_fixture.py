# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""A running vouch_node and a client of it, on loopback and in a DDS domain of their own.

The arm of these tests has two revolute joints about z, `shoulder` at the origin and `elbow` at
x = 1, and two links of 1.0 x 0.1 x 0.1 m: its collisions have closed forms.
"""

import atexit
import fcntl
import math
import os
import pathlib
import signal
import subprocess
import tempfile
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
INSTALL = pathlib.Path(os.environ.get('VOUCH_INSTALL', ROOT / 'install' / 'vouch'))
NODE = INSTALL / 'lib' / 'vouch' / 'vouch_node'
# With the stand-ins of tools/standins where moveit_msgs or control_msgs are missing.
SOFT_NODE = pathlib.Path(os.environ.get('VOUCH_SOFT_NODE', NODE))
if not SOFT_NODE.exists():
    SOFT_NODE = NODE
CELL = ROOT / 'examples' / 'cell'


def own_domain():
    """
    Return a DDS domain that no other test process has, for as long as this one lives.

    The ports of domains above 100 reach into those that the system hands out.
    """
    if 'VOUCH_TEST_DOMAIN' in os.environ:
        return int(os.environ['VOUCH_TEST_DOMAIN']), None
    taken = int(os.environ.get('ROS_DOMAIN_ID') or 0)      # perhaps somebody works there
    for number in (1 + (os.getpid() + i) % 100 for i in range(100)):
        try:
            lock = open(os.path.join(tempfile.gettempdir(), f'vouch_test_domain_{number}'), 'w')
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        if number != taken:
            return number, lock
    raise RuntimeError('all DDS domains from 1 to 100 are taken by other tests')


DOMAIN, DOMAIN_LOCK = own_domain()

rclpy = pytest.importorskip('rclpy', reason='rclpy is not installed: no ROS 2 here')
pytest.importorskip('vouch.srv', reason='the vouch messages are not built')
if not NODE.exists():
    pytest.skip(f'{NODE} is not built', allow_module_level=True)

from builtin_interfaces.msg import Duration, Time  # noqa: E402
from geometry_msgs.msg import Point, Pose  # noqa: E402
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402
from shape_msgs.msg import SolidPrimitive  # noqa: E402
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint  # noqa: E402
from vouch.msg import Obstacle, Scene, TrajectoryReport  # noqa: E402
from vouch.srv import ApplyScene, CheckTrajectory, GetScene, VerifyCertificate  # noqa: E402

FREE, COLLISION = TrajectoryReport.FREE, TrajectoryReport.COLLISION
UNDECIDED, INVALID = TrajectoryReport.UNDECIDED, TrajectoryReport.INVALID
JOINTS = ['shoulder', 'elbow']
LATCHED = QoSProfile(
    depth=1, reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL)

URDF = """<robot name="{name}">
  <link name="base"/>
  <link name="upper"><collision><origin xyz="0.5 0 0"/>
    <geometry><box size="{length} 0.1 0.1"/></geometry></collision></link>
  <link name="lower"><collision><origin xyz="0.5 0 0"/>
    <geometry><box size="1.0 0.1 0.1"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/>
    <origin xyz="1 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
</robot>
"""


def urdf(name='two_link', length=1.0):
    return URDF.format(name=name, length=length)


class Node:
    """The process vouch_node."""

    def __init__(self, parameters=None, arguments=(), name='vouch', namespace='', executable=NODE):
        self.full_name = f'{namespace}/{name}'
        command = [str(executable), '--ros-args', '-r', f'__node:={name}']
        if namespace:
            command += ['-r', f'__ns:={namespace}']
        self.files = []
        if parameters is not None:
            command += ['--params-file', self.write_parameters(parameters)]
        command += [str(a) for a in arguments]
        environment = dict(
            os.environ, ROS_DOMAIN_ID=str(DOMAIN), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
        self.log = tempfile.NamedTemporaryFile(prefix='vouch_node_', suffix='.log')
        self.process = subprocess.Popen(
            command, env=environment, stdout=self.log, stderr=subprocess.STDOUT)

    def write_parameters(self, parameters):
        import yaml
        file = tempfile.NamedTemporaryFile('w', suffix='.yaml', delete=False)
        yaml.safe_dump({'/**': {'ros__parameters': parameters}}, file)
        file.close()
        self.files.append(file.name)
        return file.name

    def output(self):
        return pathlib.Path(self.log.name).read_text(errors='replace')

    def memory(self):
        """Resident kilobytes."""
        for line in pathlib.Path(f'/proc/{self.process.pid}/status').read_text().splitlines():
            if line.startswith('VmRSS'):
                return int(line.split()[1])
        return 0

    def stop(self, number=signal.SIGINT, timeout=20.0):
        """Sends a signal and returns the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError('vouch_node does not stop:\n' + self.output()) from None
        finally:
            for file in self.files:
                if os.path.exists(file):
                    os.unlink(file)


class Client:
    """An rclpy node with the service clients of one vouch_node."""

    count = 0

    def __init__(self, full_name='/vouch'):
        Client.count += 1
        self.context = rclpy.Context()
        rclpy.init(context=self.context, domain_id=DOMAIN)
        self.node = rclpy.create_node(
            f'client_{os.getpid()}_{Client.count}', context=self.context)
        self.executor = rclpy.executors.SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.name = full_name
        self.check_client = self.client(CheckTrajectory, 'check_trajectory')
        self.apply_client = self.client(ApplyScene, 'apply_scene')
        self.get_client = self.client(GetScene, 'get_scene')
        self.verify_client = self.client(VerifyCertificate, 'verify_certificate')

    def client(self, kind, name):
        # Every client sees the answers to all of them: the default history of 10 is short.
        return self.node.create_client(
            kind, f'{self.name}/{name}', qos_profile=QoSProfile(depth=1000))

    def wait(self, timeout=20.0):
        """Until every service answers: one that was found may still not know its client."""
        first = (
            (self.check_client, CheckTrajectory.Request()), (self.get_client, GetScene.Request()),
            (self.apply_client, ApplyScene.Request(scene=Scene(is_diff=True))),
            (self.verify_client, VerifyCertificate.Request()))
        end = time.monotonic() + timeout
        for client, request in first:
            assert client.wait_for_service(timeout), f'{client.srv_name} is not there'
            answered = False
            while not answered:
                assert time.monotonic() < end, f'{client.srv_name} does not answer'
                future = client.call_async(request)
                answered = self.spin_until(future.done, 1.0)

    def call(self, client, request, timeout=30.0):
        future = client.call_async(request)
        self.spin_until(future.done, timeout)
        assert future.done(), f'{client.srv_name} did not answer in {timeout} s'
        return future.result()

    def spin_until(self, condition, timeout=10.0):
        """True when the condition came true."""
        end = time.monotonic() + timeout
        while not condition():
            if time.monotonic() > end:
                return False
            self.executor.spin_once(timeout_sec=0.02)
        return True

    def spin(self, seconds):
        self.spin_until(lambda: False, seconds)

    def subscribe(self, kind, topic, qos=10, **options):
        """A list that grows."""
        received = []
        self.node.create_subscription(kind, self.topic(topic), received.append, qos, **options)
        return received

    def publisher(self, kind, topic, qos=10, wait=True):
        publisher = self.node.create_publisher(kind, self.topic(topic), qos)
        if wait:
            assert self.spin_until(lambda: publisher.get_subscription_count() > 0), topic
        return publisher

    def topic(self, name):
        return name.replace('~', self.name)

    def check(self, points=None, timeout=30.0, **fields):
        request = fields.pop('request', None) or check_request(points, **fields)
        return self.call(self.check_client, request, timeout)

    def apply(self, **fields):
        fields.setdefault('is_diff', True)
        return self.call(self.apply_client, ApplyScene.Request(scene=Scene(**fields)))

    def scene(self, want_pairs=False):
        return self.call(self.get_client, GetScene.Request(want_pairs=want_pairs))

    def is_healthy(self):
        """The next good request is answered correctly."""
        free = self.check([(0.0, 0.0), (1.0, 0.0)]).report
        hit = self.check([(0.0, 0.0), (math.pi / 2, 0.0)]).report
        return (free.verdict, hit.verdict) == (FREE, COLLISION)

    def close(self):
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)


def seconds(value):
    return Duration(sec=int(math.floor(value)), nanosec=int(round((value % 1.0) * 1e9)) % 10**9)


def trajectory(points, names=None, times=None, velocities=None):
    """Points one second apart, from time 0."""
    message = JointTrajectory(joint_names=list(names or JOINTS))
    for number, values in enumerate(points):
        when = float(number) if times is None else times[number]
        point = JointTrajectoryPoint(
            positions=[float(v) for v in values], time_from_start=seconds(when))
        if velocities is not None:
            point.velocities = [float(v) for v in velocities[number]]
        message.points.append(point)
    return message


def check_request(points=None, names=None, times=None, velocities=None, **fields):
    if points is not None:
        fields['trajectory'] = trajectory(points, names, times, velocities)
    return CheckTrajectory.Request(**fields)


def pose(x=0.0, y=0.0, z=0.0):
    return Pose(position=Point(x=float(x), y=float(y), z=float(z)))


def obstacle(name, kind, dimensions, at=(0.0, 0.0, 0.0), frame='', **fields):
    result = Obstacle(
        id=name, pose=pose(*at),
        primitives=[SolidPrimitive(type=kind, dimensions=[float(d) for d in dimensions])],
        **fields)
    result.header.frame_id = frame
    return result


def ball(name='ball', at=(0.0, 1.5, 0.0), radius=0.2, **fields):
    """In the default place the straight arm hits it when cos(shoulder) = 1/6."""
    return obstacle(name, SolidPrimitive.SPHERE, [radius], at, **fields)


BALL_ANGLE = math.acos(0.25 / 1.5)


def joint_state(values, names=None, velocities=(), stamp=None):
    message = JointState(
        name=list(names or JOINTS), position=[float(v) for v in values],
        velocity=[float(v) for v in velocities])
    if stamp is not None:
        message.header.stamp = Time(sec=int(stamp), nanosec=int((stamp % 1.0) * 1e9))
    return message


def balls(height):
    """A ceiling of 441 balls over the arm."""
    return [ball(f'b{i}_{j}', at=(0.2 * i - 2.0, 0.2 * j - 2.0, height), radius=0.05)
            for i in range(21) for j in range(21)]


def keep_busy(client, seconds):
    """A request that the node works on for as long; it is at it when this returns."""
    swings = [(2.5 * math.sin(0.7 * i), 2.5 * math.cos(0.9 * i)) for i in range(4000)]
    answer = client.check_client.call_async(check_request(
        swings, deadline_s=seconds, start_anywhere=True,
        scene=Scene(name='ceiling', obstacles=balls(0.12))))
    client.spin(0.2)
    return answer


running = []


@atexit.register
def stop_all():
    """Nothing outlives the tests, whatever became of them."""
    for node in running:
        if node.process.poll() is None:
            node.process.kill()
            node.process.wait()


def start(
        parameters=None, arguments=(), name='vouch', namespace='', shared=False, executable=NODE):
    """A node and a client that has found it. Shared: it outlives a test."""
    for leftover in [n for n in running if not n.shared]:   # of a test that failed
        leftover.process.kill()
        leftover.process.wait()
        running.remove(leftover)
    parameters = {'robot_description': urdf()} if parameters is None else parameters
    node = Node(parameters, arguments, name, namespace, executable)
    node.shared = shared
    running.append(node)
    client = Client(node.full_name)
    try:
        client.wait()
    except AssertionError:
        node.process.kill()
        node.process.wait()
        raise AssertionError('vouch_node did not come up:\n' + node.output()) from None
    return node, client


def finish(node, client):
    client.close()
    if node in running:
        running.remove(node)
    code = node.stop()
    output = node.output()
    assert code == 0, f'exit code {code}:\n{output}'
    assert 'Sanitizer' not in output, output


@pytest.fixture(scope='module')
def world():
    """One node with the two-link arm and one ball, shared by a file of tests."""
    node, client = start(shared=True)
    answer = client.apply(is_diff=False, name='world', obstacles=[ball()])
    assert answer.success, answer.message
    yield client
    finish(node, client)


@pytest.fixture
def fresh(world):
    """The shared node with nothing but the ball in its scene."""
    answer = world.apply(is_diff=False, name='world', obstacles=[ball()])
    assert answer.success, answer.message
    return world
