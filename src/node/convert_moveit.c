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

/* With moveit_msgs: MoveIt's monitored scene becomes the node's, and RobotTrajectory is accepted for
 * vetting. What has no counterpart here is listed as not understood, never dropped. */

#include "node/node.h"

#ifdef VOUCH_HAVE_MOVEIT_MSGS

#include <stdio.h>
#include <string.h>

#include "geometry_msgs/msg/transform_stamped.h"
#include "moveit_msgs/msg/planning_scene.h"
#include "moveit_msgs/msg/robot_trajectory.h"
#include "model/scene.h"
#include "node/convert.h"
#include "node/scene_message.h"
#include "octomap_msgs/msg/octomap_with_pose.h"
#include "read/octomap.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "sensor_msgs/msg/multi_dof_joint_state.h"
#include "shape_msgs/msg/mesh.h"
#include "shape_msgs/msg/plane.h"
#include "shape_msgs/msg/solid_primitive.h"
#include "std_msgs/msg/header.h"
#include "vouch/msg/allowed_pairs.h"
#include "vouch/msg/attached_object.h"

MESSAGE_TYPE(planning_scene_type, moveit_msgs__msg__PlanningScene);
MESSAGE_TYPE(robot_trajectory_type, moveit_msgs__msg__RobotTrajectory);

SEQUENCE_GROW(rosidl_runtime_c__String)
SEQUENCE_GROW(vouch__msg__Obstacle)

static bool not_understood(vouch__msg__Scene * out, const char * what, const char * name)
{
  char text[512];
  snprintf(text, sizeof(text), "%s%s%.300s", what, name[0] != '\0' ? " " : "", name);
  return rosidl_runtime_c__String__grow(&out->not_understood) &&
         rosidl_runtime_c__String__assign(
    &out->not_understood.data[out->not_understood.size - 1], text);
}

static bool convert_object(
  const moveit_msgs__msg__CollisionObject * in, vouch__msg__Obstacle * out)
{
  out->operation = in->operation;
  out->pose = in->pose;
  return std_msgs__msg__Header__copy(&in->header, &out->header) &&
         rosidl_runtime_c__String__copy(&in->id, &out->id) &&
         shape_msgs__msg__SolidPrimitive__Sequence__copy(&in->primitives, &out->primitives) &&
         geometry_msgs__msg__Pose__Sequence__copy(&in->primitive_poses, &out->primitive_poses) &&
         shape_msgs__msg__Mesh__Sequence__copy(&in->meshes, &out->meshes) &&
         geometry_msgs__msg__Pose__Sequence__copy(&in->mesh_poses, &out->mesh_poses) &&
         shape_msgs__msg__Plane__Sequence__copy(&in->planes, &out->planes) &&
         geometry_msgs__msg__Pose__Sequence__copy(&in->plane_poses, &out->plane_poses);
}

/// Occupied cells as boxes of an obstacle; without any it is one to remove.
static bool fill_cells(
  const vouch_shape_t * boxes, const vouch_pose_t * poses, size_t count, vouch__msg__Obstacle * out)
{
  bool ok = rosidl_runtime_c__String__assign(&out->id, VOUCH_OCTOMAP_ID) &&
    shape_msgs__msg__SolidPrimitive__Sequence__init(&out->primitives, count) &&
    geometry_msgs__msg__Pose__Sequence__init(&out->primitive_poses, count);
  out->operation = count > 0 ? vouch__msg__Obstacle__ADD : vouch__msg__Obstacle__REMOVE;
  for (size_t i = 0; ok && i < count; ++i) {
    shape_msgs__msg__SolidPrimitive * box = &out->primitives.data[i];
    box->type = shape_msgs__msg__SolidPrimitive__BOX;
    ok = rosidl_runtime_c__double__Sequence__init(&box->dimensions, 3);
    for (size_t k = 0; ok && k < 3; ++k) {
      box->dimensions.data[k] = boxes[i].size[k];
    }
    out->primitive_poses.data[i].position = (geometry_msgs__msg__Point) {
      poses[i].translation[0], poses[i].translation[1], poses[i].translation[2]
    };
  }
  return ok;
}

/// The octomap as the obstacle of its name, behind the others; one that cannot be read is told.
static bool convert_octomap(
  vouch_node_t * node, const octomap_msgs__msg__OctomapWithPose * in,
  vouch__msg__Scene * out)
{
  vouch_arena_t arena = {.allocator = vouch_allocator_default()};
  const vouch_octomap_t octomap = {
    in->octomap.id.data, in->octomap.binary, in->octomap.resolution,
    (const uint8_t *)in->octomap.data.data, in->octomap.data.size
  };
  vouch_shape_t * boxes = NULL;
  vouch_pose_t * poses = NULL;
  size_t count = 0;
  if (octomap.size == 0) {
    return true;
  }
  vouch_ret_t ret = vouch_octomap_boxes(&octomap, &arena, &boxes, &poses, &count);
  const bool known = out->is_diff && node->scene != NULL &&
    vouch_scene_find(node->scene, VOUCH_OCTOMAP_ID) != VOUCH_NONE;
  bool ok = ret != VOUCH_RET_NO_MEMORY;
  if (ret == VOUCH_RET_INVALID) {
    NODE_WARN(node, "planning scene: %s", vouch_error());
    ok = not_understood(out, "octomap", octomap.id);
  } else if (ok && (count > 0 || known)) {
    ok = vouch__msg__Obstacle__grow(&out->obstacles);
    vouch__msg__Obstacle * last = ok ? &out->obstacles.data[out->obstacles.size - 1] : NULL;
    ok = ok && std_msgs__msg__Header__copy(&in->header, &last->header) &&
      fill_cells(boxes, poses, count, last);
    if (ok) {
      last->pose = in->origin;
    }
  }
  vouch_arena_fini(&arena);
  return ok;
}

static bool convert_world(
  vouch_node_t * node, const moveit_msgs__msg__PlanningSceneWorld * world,
  vouch__msg__Scene * out)
{
  size_t count = world->collision_objects.size;
  bool ok = vouch__msg__Obstacle__Sequence__init(&out->obstacles, count);
  for (size_t i = 0; ok && i < count; ++i) {
    const moveit_msgs__msg__CollisionObject * object = &world->collision_objects.data[i];
    ok = convert_object(object, &out->obstacles.data[i]);
    if (ok && strcmp(object->id.data, VOUCH_OCTOMAP_ID) == 0) {
      ok = not_understood(out, "object with the octomap's name", object->id.data);
    }
  }
  return ok && convert_octomap(node, &world->octomap, out);
}

static bool convert_attached(
  const moveit_msgs__msg__AttachedCollisionObject__Sequence * in, vouch__msg__Scene * out)
{
  bool ok = vouch__msg__AttachedObject__Sequence__init(&out->attached, in->size);
  for (size_t i = 0; ok && i < in->size; ++i) {
    vouch__msg__AttachedObject * item = &out->attached.data[i];
    ok = convert_object(&in->data[i].object, &item->object) &&
      rosidl_runtime_c__String__copy(&in->data[i].link_name, &item->link_name) &&
      rosidl_runtime_c__String__Sequence__copy(&in->data[i].touch_links, &item->touch_links);
  }
  return ok;
}

/// A square matrix that says the same of a, b and of b, a.
static bool is_matrix(const moveit_msgs__msg__AllowedCollisionMatrix * in)
{
  size_t names = in->entry_names.size;
  bool ok = in->entry_values.size == names;
  for (size_t i = 0; ok && i < names; ++i) {
    ok = in->entry_values.data[i].enabled.size == names;
    for (size_t k = 0; ok && k < i; ++k) {
      ok = in->entry_values.data[i].enabled.data[k] == in->entry_values.data[k].enabled.data[i];
    }
  }
  return ok;
}

/// As in MoveIt, a matrix takes the place of the one before, in a diff too, and of the SRDF's: pairs of
/// links that only the SRDF leaves out become pairs to check. What cannot be read is refused later.
static bool check_unnamed(vouch_node_t * node, vouch__msg__AllowedPairs * allowed)
{
  vouch_scene_t * scene = NULL;
  bool ok = true;
  if (!allowed->replace || node->robot == NULL) {
    return true;
  }
  vouch_ret_t ret = vouch_scene_create(&scene, node->robot, NULL);
  ret = ret != VOUCH_RET_OK ? ret : scene_allowed_apply(scene, allowed);
  ret = ret != VOUCH_RET_OK ? ret : vouch_scene_check_unnamed(scene);
  if (ret == VOUCH_RET_OK && vouch_scene_warning_count(scene) > 0) {
    NODE_WARN(node, "planning scene: %s", vouch_scene_warning(scene, 0));
    vouch__msg__AllowedPairs__fini(allowed);
    ok = vouch__msg__AllowedPairs__init(allowed) && scene_allowed_fill(scene, allowed);
    allowed->replace = true;
  }
  vouch_scene_destroy(scene);
  return ok && ret != VOUCH_RET_NO_MEMORY;
}

static bool convert_matrix(
  const moveit_msgs__msg__AllowedCollisionMatrix * in, vouch__msg__AllowedPairs * out)
{
  size_t names = in->entry_names.size, pairs = names > 0 ? names * (names - 1) / 2 : 0;
  if (!is_matrix(in)) {
    return false;
  }
  out->replace = true;
  bool ok = rosidl_runtime_c__String__Sequence__init(&out->a, pairs) &&
    rosidl_runtime_c__String__Sequence__init(&out->b, pairs) &&
    rosidl_runtime_c__boolean__Sequence__init(&out->allowed, pairs) &&
    rosidl_runtime_c__String__Sequence__copy(&in->default_entry_names, &out->default_names) &&
    rosidl_runtime_c__boolean__Sequence__copy(&in->default_entry_values, &out->default_allowed);
  size_t at = 0;
  for (size_t i = 0; ok && i < names; ++i) {
    for (size_t k = i + 1; ok && k < names; ++k) {
      ok = rosidl_runtime_c__String__copy(&in->entry_names.data[i], &out->a.data[at]) &&
        rosidl_runtime_c__String__copy(&in->entry_names.data[k], &out->b.data[at]);
      out->allowed.data[at++] = in->entry_values.data[i].enabled.data[k];
    }
  }
  return ok;
}

static bool convert_padding(
  const moveit_msgs__msg__PlanningScene * in, vouch__msg__Scene * out)
{
  size_t count = in->link_padding.size;
  bool ok = rosidl_runtime_c__String__Sequence__init(&out->padding_names, count) &&
    rosidl_runtime_c__double__Sequence__init(&out->paddings, count);
  for (size_t i = 0; ok && i < count; ++i) {
    ok = rosidl_runtime_c__String__copy(
      &in->link_padding.data[i].link_name, &out->padding_names.data[i]);
    out->paddings.data[i] = in->link_padding.data[i].padding;
  }
  for (size_t i = 0; ok && i < in->link_scale.size; ++i) {
    if (in->link_scale.data[i].scale != 1.0) {
      ok = not_understood(out, "scaled link", in->link_scale.data[i].link_name.data);
    }
  }
  return ok;
}

/// MoveIt names its planning frame; here the root link is meant by an empty name.
static void drop_planning_frame(vouch_node_t * node, vouch__msg__Scene * scene)
{
  bool same = node->robot != NULL &&
    strcmp(scene->header.frame_id.data, vouch_robot_root_link(node->robot)) == 0;
  if (!same && !rosidl_runtime_c__String__assign(&scene->header.frame_id, "")) {
    NODE_ERROR(node, "no memory for a frame");
  }
}

static bool convert_scene(
  vouch_node_t * node, const moveit_msgs__msg__PlanningScene * in, vouch__msg__Scene * out)
{
  out->is_diff = in->is_diff;
  bool ok = rosidl_runtime_c__String__assign(
    &out->name, in->name.size > 0 ? in->name.data : "moveit") &&
    geometry_msgs__msg__TransformStamped__Sequence__copy(
    &in->fixed_frame_transforms, &out->fixed_transforms) &&
    convert_world(node, &in->world, out) &&
    convert_attached(&in->robot_state.attached_collision_objects, out) &&
    sensor_msgs__msg__MultiDOFJointState__copy(
    &in->robot_state.multi_dof_joint_state, &out->multi_dof_state) && convert_padding(in, out);
  const moveit_msgs__msg__AllowedCollisionMatrix * matrix = &in->allowed_collision_matrix;
  if (ok && matrix->entry_names.size + matrix->entry_values.size +
    matrix->default_entry_names.size > 0)
  {
    // MoveIt passes over the defaults of a diff that has no entries.
    ok = (!in->is_diff || matrix->entry_names.size > 0) && convert_matrix(matrix, &out->allowed);
  }
  if (ok && !in->robot_state.is_diff) {
    ok = sensor_msgs__msg__JointState__copy(&in->robot_state.joint_state, &out->state);
  }
  return ok;
}

/// Only the joints moved: those come from their own topic.
static bool moves_joints_only(const moveit_msgs__msg__PlanningScene * in)
{
  const moveit_msgs__msg__AllowedCollisionMatrix * matrix = &in->allowed_collision_matrix;
  return in->is_diff && in->fixed_frame_transforms.size == 0 &&
         in->world.collision_objects.size == 0 && in->world.octomap.octomap.data.size == 0 &&
         in->robot_state.attached_collision_objects.size == 0 &&
         in->robot_state.multi_dof_joint_state.joint_names.size == 0 &&
         matrix->entry_names.size + matrix->entry_values.size + matrix->default_entry_names.size ==
         0 && in->link_padding.size == 0 && in->link_scale.size == 0;
}

/// A whole scene whose robot state is a diff leaves attached objects as they are: not so here.
static bool loses_attached(
  const vouch_node_t * node, const moveit_msgs__msg__PlanningScene * in)
{
  bool attached = false;
  for (size_t i = 0; node->scene != NULL && i < node->scene->object_count; ++i) {
    attached = attached || node->scene->objects[i].link != VOUCH_NONE;
  }
  return attached && !in->is_diff && in->robot_state.is_diff;
}

static void on_planning_scene(const void * message, void * context)
{
  vouch_node_t * node = context;
  if (moves_joints_only(message)) {
    return;
  }
  vouch__msg__Scene * scene = vouch__msg__Scene__create();
  bool taken = false;
  if (scene == NULL ||
    !convert_scene(node, message, scene) || !check_unnamed(node, &scene->allowed))
  {
    NODE_WARN(
      node, "planning scene refused: its matrix is not square and symmetric, or has only defaults "
      "and is of a diff, or memory ran out");
    node_refused(node);
  } else if (loses_attached(node, message)) {
    NODE_WARN(
      node, "planning scene refused: it is whole, but its robot state is a diff: attached objects "
      "would be lost");
    node_refused(node);
  } else {
    drop_planning_frame(node, scene);
    taken = scene_store_apply(node, scene) == VOUCH_RET_OK;
    if (!taken) {
      NODE_WARN(node, "planning scene refused, nothing was changed: %s", vouch_error());
    }
  }
  vouch__msg__Scene__destroy(scene);
  if (!taken) {
    /* MoveIt knows of a world that we do not: nothing is free in the old one. */
    scene_store_doubt(node, "planning scene that was refused");
  }
}

static void on_planning_scene_mismatch(void * context)
{
  scene_store_doubt(
    context, "planning scene of a publisher whose QoS does not fit monitored_planning_scene "
    "(reliable)");
}

static void on_robot_trajectory(const void * message, void * context)
{
  vouch_node_t * node = context;
  const moveit_msgs__msg__RobotTrajectory * trajectory = message;
  if (trajectory->multi_dof_joint_trajectory.points.size > 0) {
    live_refuse(
      node, "multi-DOF joints are not supported: leave multi_dof_joint_trajectory empty",
      NULL, 0);
    return;
  }
  live_order_t order = {.trajectory = &trajectory->joint_trajectory};
  live_vet(node, &order);
}

bool convert_moveit_init(vouch_node_t * node)
{
  subscription_setting_t scene = {
    ROSIDL_GET_MSG_TYPE_SUPPORT(moveit_msgs, msg, PlanningScene), &planning_scene_type,
    "monitored_planning_scene", rmw_qos_profile_default, on_planning_scene,
    on_planning_scene_mismatch
  };
  scene.qos.history = RMW_QOS_POLICY_HISTORY_KEEP_ALL;   // a lost diff is a missing obstacle
  subscription_setting_t trajectory = {
    ROSIDL_GET_MSG_TYPE_SUPPORT(moveit_msgs, msg, RobotTrajectory), &robot_trajectory_type,
    "~/robot_trajectory", rmw_qos_profile_default, on_robot_trajectory, NULL
  };
  return node_listen(node, &scene) &&
         executor_subscribe(node->executor, &trajectory, node, NULL) == RCL_RET_OK;
}

#else

bool convert_moveit_init(vouch_node_t * node)
{
  (void)node;
  return true;
}

#endif
