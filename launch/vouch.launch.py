# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""
Start vouch_node.

  ros2 launch vouch vouch.launch.py                          robot from the topic robot_description
  ros2 launch vouch vouch.launch.py robot_description_file:=arm.urdf \\
    robot_description_semantic_file:=arm.srdf
  ros2 launch vouch vouch.launch.py params_file:=my.yaml namespace:=cell_7 log_level:=debug
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

ARGUMENTS = (
    ('robot_description_file', '', 'URDF file; empty: the topic robot_description'),
    ('robot_description_topic', 'robot_description', 'the topic that has the URDF'),
    ('robot_description_semantic_file', '', 'SRDF file; empty: the topic robot_description_semantic'),
    ('scene_file', '', 'scene that is loaded with the robot'),
    ('params_file', '', 'parameters; empty: config/vouch.yaml of this package'),
    ('namespace', '', 'namespace of the node'),
    ('name', 'vouch', 'name of the node'),
    ('log_level', 'info', 'debug, info, warn or error'),
    ('use_sim_time', '', 'true: time from /clock'),
)


def start(context):
    """Only what was given goes on top of the parameter file: an empty text would hide its value."""
    if 'srdf_file' in context.launch_configurations:   # launch takes any name without a word
        raise RuntimeError('srdf_file:= is called robot_description_semantic_file:=')

    def value(name):
        return LaunchConfiguration(name).perform(context)
    default = os.path.join(get_package_share_directory('vouch'), 'config', 'vouch.yaml')
    given = {
        'robot_description_file': value('robot_description_file'),
        'robot_description_semantic_file': value('robot_description_semantic_file'),
        'scene_file': value('scene_file'),
    }
    given = {key: text for key, text in given.items() if text}
    if value('use_sim_time'):
        given['use_sim_time'] = value('use_sim_time').lower() in ('true', '1')
    return [Node(
        package='vouch', executable='vouch_node', output='screen', name=value('name'),
        namespace=value('namespace'),
        parameters=[value('params_file') or default] + ([given] if given else []),
        remappings=[('robot_description', value('robot_description_topic'))],
        arguments=['--ros-args', '--log-level', value('log_level')])]


def generate_launch_description():
    arguments = [
        DeclareLaunchArgument(name, default_value=default, description=what)
        for name, default, what in ARGUMENTS]
    return LaunchDescription([*arguments, OpaqueFunction(function=start)])
