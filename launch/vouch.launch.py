# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Start vouch_node.

  ros2 launch vouch vouch.launch.py                          robot from the topic robot_description
  ros2 launch vouch vouch.launch.py robot_description_file:=arm.urdf srdf_file:=arm.srdf
  ros2 launch vouch vouch.launch.py params_file:=my.yaml namespace:=cell_7 log_level:=debug
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

ARGUMENTS = (
    ('robot_description_file', '', 'URDF file; empty: the topic robot_description'),
    ('robot_description_topic', 'robot_description', 'the topic that has the URDF'),
    ('srdf_file', '', 'SRDF file; empty: the topic robot_description_semantic'),
    ('scene_file', '', 'scene that is loaded with the robot'),
    ('params_file', '', 'parameters; empty: config/vouch.yaml of this package'),
    ('namespace', '', 'namespace of the node'),
    ('name', 'vouch', 'name of the node'),
    ('log_level', 'info', 'debug, info, warn or error'),
    ('use_sim_time', 'false', 'time from /clock'),
)


def text(name):
    return ParameterValue(LaunchConfiguration(name), value_type=str)


def generate_launch_description():
    share = get_package_share_directory('vouch')
    default = os.path.join(share, 'config', 'vouch.yaml')
    arguments = [
        DeclareLaunchArgument(
            name, default_value=default if name == 'params_file' else value, description=what)
        for name, value, what in ARGUMENTS]
    node = Node(
        package='vouch', executable='vouch_node', output='screen',
        name=LaunchConfiguration('name'), namespace=LaunchConfiguration('namespace'),
        parameters=[LaunchConfiguration('params_file'), {
            'robot_description_file': text('robot_description_file'),
            'robot_description_semantic_file': text('srdf_file'),
            'scene_file': text('scene_file'),
            'use_sim_time': ParameterValue(LaunchConfiguration('use_sim_time'), value_type=bool),
        }],
        remappings=[('robot_description', LaunchConfiguration('robot_description_topic'))],
        arguments=['--ros-args', '--log-level', LaunchConfiguration('log_level')])
    return LaunchDescription([*arguments, node])
