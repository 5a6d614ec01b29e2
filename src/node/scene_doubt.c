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

#include "node/scene_doubt.h"

#include <stdio.h>
#include <string.h>

#include "node/convert.h"

SEQUENCE_GROW(rosidl_runtime_c__String)

enum {MOST_OBJECTS = 32};   // that are missed by name

bool scene_doubt_has(const rosidl_runtime_c__String__Sequence * list, const char * name)
{
  for (size_t i = 0; i < list->size; ++i) {
    if (strcmp(list->data[i].data, name) == 0) {
      return true;
    }
  }
  return false;
}

void scene_store_doubt(vouch_node_t * node, const char * what)
{
  rosidl_runtime_c__String__Sequence * rest = &node->rest.not_understood;
  if (!scene_doubt_has(rest, what)) {
    if (!rosidl_runtime_c__String__grow(rest) ||
      !rosidl_runtime_c__String__assign(&rest->data[rest->size - 1], what))
    {
      NODE_ERROR(node, "no memory to note: %s", what);
    }
    node_changed(node);
    scene_store_publish(node);
  }
  live_scene_changed(node);
}

/* ---- messages that were refused ---- */

typedef struct doubt_s
{
  char text[256];
} doubt_t;

/// False: the name is too long to be told from others.
static bool doubt_object(doubt_t * doubt, const char * id)
{
  int size = snprintf(
    doubt->text, sizeof(doubt->text),
    "object '%s' of a scene that was refused while the robot moved",
    id);
  return size > 0 && (size_t)size < sizeof(doubt->text);
}

/// A move says all about where an object is, but not what it is.
static bool doubt_place(doubt_t * doubt, const char * id)
{
  int size = snprintf(
    doubt->text, sizeof(doubt->text), "place of object '%s' whose move was refused while the robot "
    "moved", id);
  return size > 0 && (size_t)size < sizeof(doubt->text);
}

static bool is_move(const vouch__msg__Obstacle * obstacle)
{
  return obstacle->operation == vouch__msg__Obstacle__MOVE && obstacle->padding_m == 0.0;
}

/// A change of some obstacles and of nothing else.
static bool changes_obstacles_only(const vouch__msg__Scene * message)
{
  const vouch__msg__AllowedPairs * allowed = &message->allowed;
  return message->is_diff && message->obstacles.size <= MOST_OBJECTS &&
         message->fixed_transforms.size == 0 && message->attached.size == 0 && !allowed->replace &&
         allowed->a.size == 0 && allowed->default_names.size == 0 &&
         message->padding_names.size == 0 && message->state.name.size == 0 &&
         message->multi_dof_state.joint_names.size == 0 && message->not_understood.size == 0;
}

/// False: it has to be missed as a whole.
static bool miss_objects(vouch_node_t * node, const vouch__msg__Scene * message)
{
  doubt_t doubt;
  bool ok = changes_obstacles_only(message);
  for (size_t i = 0; ok && i < message->obstacles.size; ++i) {
    ok = doubt_object(&doubt, message->obstacles.data[i].id.data) &&
      doubt_place(&doubt, message->obstacles.data[i].id.data);
  }
  for (size_t i = 0; ok && i < message->obstacles.size; ++i) {
    const vouch__msg__Obstacle * obstacle = &message->obstacles.data[i];
    ok = is_move(obstacle) ? doubt_place(&doubt, obstacle->id.data) :
      doubt_object(&doubt, obstacle->id.data);
    scene_store_doubt(node, doubt.text);
  }
  return ok;
}

void scene_doubt_refused(vouch_node_t * node, const vouch__msg__Scene * message)
{
  bool moved = false;
  for (size_t i = 0; i < node->joints.count; ++i) {
    moved = moved || joint_states_moved(node, i);
  }
  if (moved && scene_store_fits_at_rest(node, message) && !miss_objects(node, message)) {
    scene_store_doubt(node, "scene that was refused while the robot moved");
  }
}

static void forget(rosidl_runtime_c__String__Sequence * rest, const char * text)
{
  for (size_t i = 0; i < rest->size; ++i) {
    if (strcmp(rest->data[i].data, text) == 0) {
      rosidl_runtime_c__String last = rest->data[rest->size - 1];
      rest->data[rest->size - 1] = rest->data[i];
      rest->data[i] = last;
      /* What lies beyond the size is released with the capacity. */
      --rest->size;
      return;
    }
  }
}

void scene_doubt_told(
  const vouch__msg__Scene * message, rosidl_runtime_c__String__Sequence * rest)
{
  doubt_t doubt;
  for (size_t i = 0; message->is_diff && i < message->obstacles.size; ++i) {
    const vouch__msg__Obstacle * obstacle = &message->obstacles.data[i];
    bool whole = obstacle->operation == vouch__msg__Obstacle__ADD ||
      obstacle->operation == vouch__msg__Obstacle__REMOVE;
    if (whole && doubt_object(&doubt, obstacle->id.data)) {
      forget(rest, doubt.text);
    }
    if ((whole || obstacle->operation == vouch__msg__Obstacle__MOVE) &&
      doubt_place(&doubt, obstacle->id.data))
    {
      forget(rest, doubt.text);
    }
  }
}
