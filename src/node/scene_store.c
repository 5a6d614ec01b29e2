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

/* The monitored scene: changed as a whole or not at all, published after every change. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "model/scene.h"
#include "node/convert.h"
#include "node/node.h"
#include "node/scene_doubt.h"
#include "vouch/msg/scene.h"

SEQUENCE_GROW(rosidl_runtime_c__String)

bool scene_store_init(vouch_node_t * node)
{
  node->rest_ready = vouch__msg__Scene__init(&node->rest);
  return node->rest_ready;
}

void scene_store_fini(vouch_node_t * node)
{
  vouch_scene_destroy(node->scene);
  node->scene = NULL;
  if (node->rest_ready) {
    vouch__msg__Scene__fini(&node->rest);
    node->rest_ready = false;
  }
}

static vouch_scene_options_t scene_options(const vouch_node_t * node)
{
  vouch_scene_options_t options = vouch_scene_options_default();
  options.hulls = parameters_bool(&node->parameters, PARAMETER_HULLS);
  options.surfaces = parameters_bool(&node->parameters, PARAMETER_SURFACES);
  return options;
}

/// A scene that is made anew starts to count anew; one number must not name two scenes.
static uint64_t later_revision(const vouch_scene_t * scene, const vouch_scene_t * before)
{
  return scene->revision > before->revision ? scene->revision : before->revision + 1;
}

/// Objects of the old scene, attached ones where their links still exist.
static vouch_ret_t take_over_objects(vouch_scene_t * scene, const vouch_scene_t * old)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  vouch_object_view_t view;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < vouch_scene_object_count(old); ++i) {
    if (!vouch_scene_object(old, i, &view)) {
      continue;
    }
    ret = vouch_scene_add_object(
      scene, view.id, view.frame, &view.pose, view.shapes, view.shape_poses, view.shape_count);
    if (ret == VOUCH_RET_OK && view.padding_m > 0.0) {
      ret = vouch_scene_set_padding(scene, view.id, view.padding_m);
    }
  }
  /* Touch links may name objects that come later. */
  for (size_t i = 0; ret == VOUCH_RET_OK && i < vouch_scene_object_count(old); ++i) {
    if (vouch_scene_object(old, i, &view) && view.attached) {
      ret = vouch_scene_attach_object(
        scene, view.id, view.frame, view.touch_links, view.touch_count);
    }
  }
  return ret;
}

/// Where the robot stands (if that is said of the same joint), padded links and known joints; by name,
/// as far as the new robot has them.
static vouch_ret_t take_over_robot(vouch_scene_t * scene, const vouch_scene_t * old)
{
  const vouch_robot_t * from = old->robot, * to = scene->robot;
  vouch_ret_t ret = VOUCH_RET_OK;
  if (vouch_same_text(from->virtual_joint, to->virtual_joint) &&
    vouch_same_text(from->virtual_parent_frame, to->virtual_parent_frame))
  {
    scene->base = old->base;
    scene->base_known = old->base_known;
  }
  for (uint32_t i = 0; i < from->link_count; ++i) {
    uint32_t link = vouch_robot_find_link(to, from->links[i].name);
    if (link != VOUCH_NONE) {
      scene->link_padding[link] = old->link_padding[i];
    }
  }
  for (size_t i = 0; i < from->variable_count; ++i) {
    int variable = vouch_robot_find_variable(to, vouch_robot_variable_name(from, i));
    if (variable >= 0) {
      scene->state[variable] = old->state[i];
    }
  }
  for (size_t i = 0; ret == VOUCH_RET_OK && i + 1 < from->link_count; ++i) {
    const vouch_joint_t * joint = &from->joints[i];
    bool held = old->held_known[i] &&
      (joint->type == VOUCH_URDF_PLANAR || joint->type == VOUCH_URDF_FLOATING);
    for (size_t k = 0; ret == VOUCH_RET_OK && held && k + 1 < to->link_count; ++k) {
      if (to->joints[k].type == joint->type && strcmp(to->joints[k].name, joint->name) == 0) {
        ret = vouch_scene_hold_joint(scene, joint->name, &old->held[i]);
      }
    }
  }
  return ret;
}

static vouch_ret_t take_over_settings(vouch_scene_t * scene, const vouch_scene_t * old)
{
  vouch_ret_t ret = take_over_robot(scene, old);
  for (size_t i = 0; ret == VOUCH_RET_OK && i < old->transform_count; ++i) {
    ret = vouch_scene_set_transform(scene, old->transforms[i].name, &old->transforms[i].pose);
  }
  const vouch_allowed_t * allowed = &old->allowed;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < allowed->entry_slots; ++i) {
    const vouch_allowed_entry_t * entry = &allowed->entries[i];
    if (entry->a != VOUCH_NONE) {
      ret = vouch_scene_allow_pair(
        scene, allowed->names[entry->a], allowed->names[entry->b],
        entry->answer == VOUCH_ALLOWED_YES);
    }
  }
  for (size_t i = 0; ret == VOUCH_RET_OK && i < allowed->name_count; ++i) {
    if (allowed->defaults[i] != VOUCH_ALLOWED_UNKNOWN) {
      ret = vouch_scene_allow_default(
        scene, allowed->names[i], allowed->defaults[i] == VOUCH_ALLOWED_YES);
    }
  }
  return ret;
}

vouch_ret_t scene_store_rebuild(vouch_node_t * node, vouch_robot_t * robot)
{
  vouch_scene_options_t options = scene_options(node);
  vouch_scene_t * scene = NULL;
  vouch_ret_t ret = vouch_scene_create(&scene, robot, &options);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const char * file = parameters_string(&node->parameters, PARAMETER_SCENE_FILE);
  if (node->scene != NULL) {
    ret = take_over_settings(scene, node->scene);
    ret = ret != VOUCH_RET_OK ? ret : take_over_objects(scene, node->scene);
  } else if (file[0] != '\0') {
    ret = vouch_scene_load(scene, file);
  }
  if (ret != VOUCH_RET_OK) {
    vouch_scene_destroy(scene);
    return vouch_fail_prefix(ret, "the scene does not fit the robot");
  }
  if (node->scene != NULL) {
    scene->revision = later_revision(scene, node->scene);
  }
  vouch_scene_destroy(node->scene);
  node->scene = scene;
  return VOUCH_RET_OK;
}

bool scene_message_is_empty(const vouch__msg__Scene * message)
{
  const vouch__msg__AllowedPairs * allowed = &message->allowed;
  const sensor_msgs__msg__MultiDOFJointState * multi_dof = &message->multi_dof_state;
  return message->name.size == 0 && message->fixed_transforms.size == 0 &&
         message->obstacles.size == 0 && message->attached.size == 0 && !allowed->replace &&
         allowed->a.size == 0 && allowed->b.size == 0 && allowed->allowed.size == 0 &&
         allowed->default_names.size == 0 && allowed->default_allowed.size == 0 &&
         message->padding_names.size == 0 && message->paddings.size == 0 &&
         message->state.name.size == 0 && message->state.position.size == 0 &&
         multi_dof->joint_names.size == 0 && multi_dof->transforms.size == 0 &&
         message->not_understood.size == 0;
}

/// Scene of a whole message: nothing of the monitored one but the state of the joints.
static vouch_ret_t fresh_scene(vouch_node_t * node, vouch_scene_t ** scene)
{
  vouch_scene_options_t options = scene_options(node);
  return vouch_scene_create(scene, node->robot, &options);
}

/// *sum (zero-initialised) gets the names of both, each once. False: no memory.
static bool add_names(
  const rosidl_runtime_c__String__Sequence * old, const rosidl_runtime_c__String__Sequence * more,
  rosidl_runtime_c__String__Sequence * sum)
{
  bool ok = rosidl_runtime_c__String__Sequence__copy(old, sum);
  for (size_t i = 0; ok && i < more->size; ++i) {
    if (!scene_doubt_has(sum, more->data[i].data)) {
      ok = rosidl_runtime_c__String__grow(sum) &&
        rosidl_runtime_c__String__copy(&more->data[i], &sum->data[sum->size - 1]);
    }
  }
  return ok;
}

/// As scene_store_derive(), with the joints at `state`.
static vouch_ret_t derive_at(
  vouch_node_t * node, const vouch__msg__Scene * message, const double * state,
  vouch_scene_t ** scene)
{
  vouch_ret_t ret = message->is_diff ?
    vouch_scene_clone(scene, node->scene) : fresh_scene(node, scene);
  ret = ret != VOUCH_RET_OK ? ret : vouch_scene_set_state(*scene, state);
  ret = ret != VOUCH_RET_OK ? ret : scene_message_apply(*scene, message);
  if (ret != VOUCH_RET_OK) {
    vouch_scene_destroy(*scene);
    *scene = NULL;
  }
  return ret;
}

vouch_ret_t scene_store_derive(
  vouch_node_t * node, const vouch__msg__Scene * message, vouch_scene_t ** scene,
  rosidl_runtime_c__String__Sequence * rest)
{
  *scene = NULL;
  if (node->robot == NULL) {
    return vouch_fail(VOUCH_RET_INVALID, "%s", robot_source_lack(node));
  }
  double * state = calloc(node->joints.count + 1, sizeof(*state));
  if (state == NULL) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for a joint state");
  }
  joint_states_still(node, state);
  vouch_ret_t ret = derive_at(node, message, state, scene);
  free(state);
  if (ret == VOUCH_RET_OK && !(message->is_diff ?
    add_names(&node->rest.not_understood, &message->not_understood, rest) :
    rosidl_runtime_c__String__Sequence__copy(&message->not_understood, rest)))
  {
    vouch_scene_destroy(*scene);
    *scene = NULL;
    ret = vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for a scene");
  }
  return ret;
}

uint32_t scene_store_frame_link(const vouch_scene_t * scene, size_t object)
{
  const vouch_object_t * item = &scene->objects[object];
  return item->link != VOUCH_NONE || item->frame[0] == '\0' ?
         VOUCH_NONE : vouch_robot_find_link(scene->robot, item->frame);
}

bool scene_store_base_lacks(const vouch_scene_t * scene)
{
  bool stands = false;
  for (size_t i = 0; i < scene->object_count; ++i) {
    stands = stands || scene->objects[i].link == VOUCH_NONE;
  }
  return stands && scene->robot->virtual_moves && !scene->base_known;
}

/// Obstacles in the frames of links: the links move on, the obstacles do not. Where a joint is not
/// known they wait for the next change, and for each check they stand at the start of its motion.
static vouch_ret_t settle(vouch_scene_t * scene)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < scene->object_count; ++i) {
    vouch_object_t * object = &scene->objects[i];
    uint32_t link = scene_store_frame_link(scene, i);
    bool moves = link != VOUCH_NONE && (link != 0 || scene->robot->virtual_joint != NULL);
    vouch_pose_t frame;
    if (moves && vouch_scene_frame_pose(scene, object->frame, &frame) == VOUCH_RET_OK) {
      frame = vouch_pose_product(&scene->base, &frame);
      frame = vouch_pose_product(&frame, &object->pose);
      ret = vouch_scene_move_object(scene, object->id, "", &frame);
    }
  }
  return ret;
}

/// INVALID when an obstacle that settle() left where it is hangs on a joint that moves just now.
static vouch_ret_t refuse_moving(vouch_node_t * node, const vouch_scene_t * scene)
{
  const vouch_robot_t * robot = scene->robot;
  for (size_t i = 0; i < scene->object_count; ++i) {
    uint32_t link = scene_store_frame_link(scene, i);
    for (; link != VOUCH_NONE && link != 0; link = robot->joints[link - 1].parent) {
      uint32_t variable = robot->joints[link - 1].variable;
      if (variable != VOUCH_NONE && isnan(scene->state[variable]) &&
        joint_states_moved(node, variable))
      {
        return vouch_fail(
          VOUCH_RET_INVALID, "object '%.200s' is given in the frame of link '%.200s', and joint "
          "'%s' has moved since the message came in, or may have: give `state`, or another frame",
          scene->objects[i].id, scene->objects[i].frame,
          vouch_robot_variable_name(robot, variable));
      }
    }
  }
  return VOUCH_RET_OK;
}

/// The new scene takes the place of the monitored one.
static void replace(vouch_node_t * node, vouch_scene_t * scene)
{
  markers_draw(node);   // the last verdict was about the scene that goes
  scene->revision = later_revision(scene, node->scene);
  vouch_scene_destroy(node->scene);
  node->scene = scene;
  node_changed(node);
  scene_store_publish(node);
  live_scene_changed(node);
}

vouch_ret_t scene_store_apply(vouch_node_t * node, const vouch__msg__Scene * message)
{
  if (scene_message_is_empty(message)) {
    return node->scene != NULL ? VOUCH_RET_OK :
           vouch_fail(VOUCH_RET_INVALID, "%s", robot_source_lack(node));
  }
  vouch_scene_t * scene = NULL;
  rosidl_runtime_c__String__Sequence rest = {0};
  joint_states_catch_up(node);
  node->scene_taken = true;
  vouch_ret_t ret = scene_store_derive(node, message, &scene, &rest);
  ret = ret != VOUCH_RET_OK ? ret : settle(scene);
  ret = ret != VOUCH_RET_OK ? ret : refuse_moving(node, scene);
  if (ret != VOUCH_RET_OK) {
    node_refused(node);
    vouch_scene_destroy(scene);
    rosidl_runtime_c__String__Sequence__fini(&rest);
    return ret;
  }
  scene_doubt_told(message, &rest);
  rosidl_runtime_c__String__Sequence__fini(&node->rest.not_understood);
  node->rest.not_understood = rest;
  replace(node, scene);
  return VOUCH_RET_OK;
}

/// A copy of the monitored scene with the joints where they are now.
static vouch_ret_t clone_now(vouch_node_t * node, vouch_scene_t ** scene)
{
  *scene = NULL;
  double * state = calloc(node->joints.count + 1, sizeof(*state));
  vouch_ret_t ret = state != NULL ? vouch_scene_clone(scene, node->scene) :
    vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for a joint state");
  if (ret == VOUCH_RET_OK) {
    joint_states_still(node, state);
    ret = vouch_scene_set_state(*scene, state);
  }
  free(state);
  return ret;
}

bool scene_store_fits_at_rest(vouch_node_t * node, const vouch__msg__Scene * message)
{
  vouch_scene_t * scene = NULL;
  vouch_ret_t ret = node->robot == NULL ? VOUCH_RET_INVALID :
    derive_at(node, message, node->joints.positions, &scene);
  ret = ret != VOUCH_RET_OK ? ret : settle(scene);
  vouch_scene_destroy(scene);
  return ret != VOUCH_RET_INVALID;   // without memory nobody knows
}

vouch_ret_t scene_store_settle(vouch_node_t * node)
{
  size_t i = 0;
  while (i < node->scene->object_count &&
    (scene_store_frame_link(node->scene, i) == VOUCH_NONE ||
    scene_store_frame_link(node->scene, i) == 0))
  {
    ++i;
  }
  if (i == node->scene->object_count) {
    return VOUCH_RET_OK;
  }
  vouch_scene_t * scene = NULL;
  vouch_ret_t ret = clone_now(node, &scene);
  ret = ret != VOUCH_RET_OK ? ret : settle(scene);
  ret = ret != VOUCH_RET_OK ? ret : refuse_moving(node, scene);
  if (ret == VOUCH_RET_OK) {
    replace(node, scene);
  } else {
    vouch_scene_destroy(scene);
  }
  return ret;
}

bool scene_store_load(vouch_node_t * node)
{
  const char * file = parameters_string(&node->parameters, PARAMETER_SCENE_FILE);
  if (node->scene == NULL || file[0] == '\0') {
    return true;   // loaded with the robot; or nothing to load
  }
  vouch_scene_t * scene = NULL;
  joint_states_catch_up(node);
  node->scene_taken = true;
  vouch_ret_t ret = clone_now(node, &scene);
  ret = ret != VOUCH_RET_OK ? ret : vouch_scene_load(scene, file);
  ret = ret != VOUCH_RET_OK ? ret : settle(scene);
  ret = ret != VOUCH_RET_OK ? ret : refuse_moving(node, scene);
  if (ret != VOUCH_RET_OK) {
    NODE_ERROR(node, "scene_file refused (the old scene stays): %s", vouch_error());
    node_refused(node);
    vouch_scene_destroy(scene);
    return false;
  }
  replace(node, scene);
  return true;
}

void scene_store_publish(vouch_node_t * node)
{
  vouch__msg__Scene * message = vouch__msg__Scene__create();
  if (message == NULL) {
    return;
  }
  if (node->scene != NULL && scene_message_fill(node->scene, message) &&
    node_stamp(node, &message->header) &&
    rosidl_runtime_c__String__Sequence__copy(
      &node->rest.not_understood, &message->not_understood))
  {
    node_publish(node, &node->monitored_scene, message);
  }
  vouch__msg__Scene__destroy(message);
}

const char * scene_store_open_name(
  const vouch_node_t * node, const rosidl_runtime_c__String__Sequence * rest)
{
  const rosidl_runtime_c__String__Sequence * ignore =
    parameters_strings(&node->parameters, PARAMETER_IGNORE);
  for (size_t i = 0; i < rest->size; ++i) {
    if (!scene_doubt_has(ignore, rest->data[i].data)) {
      return rest->data[i].data;
    }
  }
  return NULL;
}
