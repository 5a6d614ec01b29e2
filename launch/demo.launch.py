# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""The example cell: vouch_node, and a client that has four trajectories checked."""

import os
import sys

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import ExecuteProcess, IncludeLaunchDescription, RegisterEventHandler, Shutdown
from launch.event_handlers import OnProcessExit
from launch.launch_description_sources import PythonLaunchDescriptionSource


def generate_launch_description():
    share = get_package_share_directory('vouch')
    cell = os.path.join(share, 'examples', 'cell')
    node = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(os.path.join(share, 'launch', 'vouch.launch.py')),
        launch_arguments={
            'robot_description_file': os.path.join(cell, 'arm.urdf'),
            'robot_description_semantic_file': os.path.join(cell, 'arm.srdf'),
            'scene_file': os.path.join(cell, 'cell.yaml')}.items())
    client = ExecuteProcess(
        cmd=[sys.executable, os.path.join(share, 'examples', 'ros', 'check_client.py'), cell],
        output='screen')
    return LaunchDescription([
        node, client,
        RegisterEventHandler(OnProcessExit(target_action=client, on_exit=[Shutdown()]))])
