#!/usr/bin/env python3
# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Start the real vouch_node on the example cell and have four trajectories checked.

  make demo            after a build; everything stays on this machine
"""

import os
import pathlib
import signal
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parent


def find_node():
    for prefix in os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep):
        node = pathlib.Path(prefix) / 'lib' / 'vouch' / 'vouch_node'
        if node.exists():
            return str(node)
    sys.exit('demo: vouch_node was not found: build it and source tools/env first.')


def main():
    cell = EXAMPLES / 'cell'
    # A domain of this run's own: two demos do not meet.
    environment = dict(
        os.environ, ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST',
        ROS_DOMAIN_ID=os.environ.get('VOUCH_DEMO_DOMAIN', str(30 + os.getpid() % 70)))
    parameters = {
        'robot_description_file': cell / 'arm.urdf',
        'robot_description_semantic_file': cell / 'arm.srdf',
        'scene_file': cell / 'cell.yaml'}
    command = [find_node(), '--ros-args', '--log-level', 'warn']
    for name, value in parameters.items():
        command += ['-p', f'{name}:={value}']
    print('vouch_node is started on examples/cell; each trajectory is sent to ~/check_trajectory.\n',
          flush=True)
    node = subprocess.Popen(command, env=environment)
    try:
        code = subprocess.run(
            [sys.executable, str(EXAMPLES / 'ros' / 'check_client.py'), str(cell)],
            env=environment, timeout=120).returncode
    except subprocess.TimeoutExpired:
        code = 1
    finally:
        node.send_signal(signal.SIGINT)
        try:
            stopped = node.wait(20)
        except subprocess.TimeoutExpired:
            node.kill()
            stopped = 1
    if stopped != 0:
        print(f'demo: vouch_node ended with {stopped}', file=sys.stderr)
    return code or stopped


if __name__ == '__main__':
    sys.exit(main())
