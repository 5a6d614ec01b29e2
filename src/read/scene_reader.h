// Copyright 2026 The vouch authors
//
// Licensed under the Apache License, Version 2.0 (the "License");
// you may not use this file except in compliance with the License.
// You may obtain a copy of the License at
//
//     http://www.apache.org/licenses/LICENSE-2.0
//
// Unless required by applicable law or agreed to in writing, software
// distributed under the License is distributed on an "AS IS" BASIS,
// WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
// See the License for the specific language governing permissions and
// limitations under the License.
/* Shared by the files that read scenes: MoveIt's messages and our own format. */

#ifndef READ__SCENE_READER_H_
#define READ__SCENE_READER_H_

#include "model/scene.h"
#include "read/tree.h"

typedef struct vouch_scene_reader_s
{
  vouch_document_t * document;
  vouch_scene_t * scene;     // a copy: put in place only when everything was read
  const char * directory;    // for mesh files; NULL: refused
  bool request;              // a start state, which knows nothing of the world
  bool put_down;             // of the attached objects only those that are detached, or only the others
} vouch_scene_reader_t;

/// What a moveit_msgs/PlanningScene and a MotionPlanRequest may say.
#define VOUCH_SCENE_KEYS \
  "name robot_state robot_model_name fixed_frame_transforms allowed_collision_matrix " \
  "link_padding link_scale object_colors world is_diff"
#define VOUCH_REQUEST_KEYS \
  "workspace_parameters start_state goal_constraints path_constraints trajectory_constraints " \
  "reference_trajectories pipeline_id planner_id group_name num_planning_attempts " \
  "allowed_planning_time max_velocity_scaling_factor max_acceleration_scaling_factor " \
  "cartesian_speed_limited_link cartesian_speed_end_effector_link max_cartesian_speed"

/// What a moveit_msgs/RobotState may say.
#define VOUCH_ROBOT_STATE_KEYS \
  "joint_state multi_dof_joint_state attached_collision_objects is_diff"

/// Shapes with poses, collected in the document's arena.
typedef struct vouch_shape_list_s
{
  vouch_shape_t * shapes;
  vouch_pose_t * poses;
  size_t count;
} vouch_shape_list_t;

/// CollisionObject: adds, removes, appends to or moves an object of the world.
vouch_ret_t vouch_read_collision_object(
  vouch_scene_reader_t * reader, const vouch_value_t * value) VOUCH_WARN_UNUSED;
/// AttachedCollisionObject: attaches or detaches.
vouch_ret_t vouch_read_attached_object(
  vouch_scene_reader_t * reader, const vouch_value_t * value) VOUCH_WARN_UNUSED;
/// OctomapWithPose: replaces the one before, unless it is empty. `value` may be NULL.
vouch_ret_t vouch_read_octomap(
  vouch_scene_reader_t * reader, const vouch_value_t * value) VOUCH_WARN_UNUSED;
/// AllowedCollisionMatrix: replaces the one before, and the SRDF's, unless it is empty.
vouch_ret_t vouch_read_matrix(
  vouch_scene_reader_t * reader, const vouch_value_t * value, bool diff) VOUCH_WARN_UNUSED;
/// True when a document is a scene in our own format; then reads it.
bool vouch_is_own_scene(const vouch_value_t * root);
vouch_ret_t vouch_read_own_scene(
  vouch_scene_reader_t * reader, const vouch_value_t * root) VOUCH_WARN_UNUSED;

/// INVALID when a transform is given for a frame of the robot itself, unless it is the identity.
vouch_ret_t vouch_read_check_frame(
  const vouch_scene_reader_t * reader, const vouch_value_t * value, const char * frame,
  const vouch_pose_t * pose) VOUCH_WARN_UNUSED;

/// Points: lists of three numbers or maps {x, y, z}; in the document's arena.
vouch_ret_t vouch_read_points(
  vouch_scene_reader_t * reader, const vouch_value_t * value, size_t least,
  vouch_shape_t * shape) VOUCH_WARN_UNUSED;
/// Triangles: lists of three numbers or maps {vertex_indices}.
vouch_ret_t vouch_read_triangles(
  vouch_scene_reader_t * reader, const vouch_value_t * value,
  vouch_shape_t * shape) VOUCH_WARN_UNUSED;
/// A mesh from a file, scaled, in the document's arena.
vouch_ret_t vouch_read_mesh_resource(
  vouch_scene_reader_t * reader, const vouch_value_t * value, const double scale[3],
  vouch_shape_t * shape) VOUCH_WARN_UNUSED;
/// JointState {name, position, velocity}: sets what belongs to the variables that it names; a
/// velocity that is not given is 0. `velocities` may be NULL.
vouch_ret_t vouch_read_joint_state(
  vouch_document_t * document, const vouch_value_t * value, const vouch_robot_t * robot,
  double * values, double * velocities) VOUCH_WARN_UNUSED;
/// MultiDOFJointState {joint_names, transforms}, in the planning frame: held in the scene; NULL:
/// only identities pass.
vouch_ret_t vouch_read_multi_dof_state(
  vouch_document_t * document, const vouch_value_t * value, const vouch_robot_t * robot,
  vouch_scene_t * scene) VOUCH_WARN_UNUSED;

#endif  // READ__SCENE_READER_H_
