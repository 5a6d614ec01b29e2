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

/* /diagnostics once a second: is there a robot, how big is the scene, what was answered, how fast.
 * */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnostic_msgs/msg/diagnostic_array.h"
#include "diagnostic_msgs/msg/diagnostic_status.h"
#include "diagnostic_msgs/msg/key_value.h"
#include "node/node.h"

#define MAX_VALUES 24

typedef struct value_list_s
{
  diagnostic_msgs__msg__DiagnosticStatus * status;
  size_t count;
  bool ok;
} value_list_t;

__attribute__((format(printf, 3, 4)))
static void add_value(value_list_t * list, const char * key, const char * format, ...)
{
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  if (list->count < MAX_VALUES) {
    diagnostic_msgs__msg__KeyValue * value = &list->status->values.data[list->count++];
    list->ok = list->ok && rosidl_runtime_c__String__assign(&value->key, key) &&
      rosidl_runtime_c__String__assign(&value->value, text);
  }
}

static int compare(const void * a, const void * b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/// The smallest time that `share` of the last checks did not exceed, in milliseconds.
static void add_times(const statistics_t * statistics, value_list_t * list)
{
  double sorted[TIME_WINDOW];
  size_t count = statistics->time_count < TIME_WINDOW ? statistics->time_count : TIME_WINDOW;
  memcpy(sorted, statistics->times, count * sizeof(double));
  qsort(sorted, count, sizeof(double), compare);
  double p50 = count > 0 ? sorted[(count - 1) / 2] : 0.0;
  double p99 = count > 0 ? sorted[(count - 1) * 99 / 100] : 0.0;
  add_value(list, "check time p50 [ms]", "%.3f", 1e3 * p50);
  add_value(list, "check time p99 [ms]", "%.3f", 1e3 * p99);
}

static void add_all(vouch_node_t * node, value_list_t * list)
{
  const statistics_t * s = &node->statistics;
  add_value(list, "library", "%s", vouch_version());
  add_value(list, "executor", "%s", executor_name());
  add_value(list, "robot", "%s", node->robot != NULL ? vouch_robot_name(node->robot) : "");
  add_value(
    list, "objects", "%zu", node->scene != NULL ? vouch_scene_object_count(node->scene) : 0);
  add_value(
    list, "scene revision", "%llu",
    node->scene != NULL ? (unsigned long long)vouch_scene_revision(node->scene) : 0ULL);
  add_value(list, "checks", "%llu", (unsigned long long)s->checks);
  for (int i = 0; i < 4; ++i) {
    add_value(
      list, vouch_verdict_name((vouch_verdict_t)i), "%llu", (unsigned long long)s->verdicts[i]);
  }
  add_times(s, list);
  add_value(list, "refused inputs", "%llu", (unsigned long long)s->refused_inputs);
  add_value(list, "forwarded", "%llu", (unsigned long long)s->forwarded);
  add_value(list, "revoked", "%llu", (unsigned long long)s->revoked);
  add_value(list, "vetting", "%s", vetting_state_name(node->watched.vetting.state));
}

static bool fill_status(vouch_node_t * node, diagnostic_msgs__msg__DiagnosticStatus * status)
{
  status->level = diagnostic_msgs__msg__DiagnosticStatus__OK;
  char text[512] = "ready";
  const char * open = scene_store_open_name(node, &node->rest.not_understood);
  if (node->robot_error != NULL) {
    status->level = node->robot != NULL ? diagnostic_msgs__msg__DiagnosticStatus__WARN :
      diagnostic_msgs__msg__DiagnosticStatus__ERROR;
    snprintf(text, sizeof(text), "robot description refused: %.400s", node->robot_error);
  } else if (robot_source_lack(node) != NULL) {
    status->level = diagnostic_msgs__msg__DiagnosticStatus__WARN;
    snprintf(text, sizeof(text), "%s", robot_source_lack(node));
  } else if (open != NULL) {
    status->level = diagnostic_msgs__msg__DiagnosticStatus__WARN;
    snprintf(text, sizeof(text), "part of the scene is not understood: %.300s", open);
  } else if (scene_store_base_lacks(node->scene)) {
    status->level = diagnostic_msgs__msg__DiagnosticStatus__WARN;
    snprintf(text, sizeof(text), "nobody says where the robot stands: its virtual joint can move");
  }
  value_list_t list = {status, 0, true};
  bool ok = rosidl_runtime_c__String__assign(&status->message, text) &&
    rosidl_runtime_c__String__assign(
    &status->name, rcl_node_get_fully_qualified_name(&node->node)) &&
    rosidl_runtime_c__String__assign(&status->hardware_id, "vouch") &&
    diagnostic_msgs__msg__KeyValue__Sequence__init(&status->values, MAX_VALUES);
  if (ok) {
    add_all(node, &list);
    status->values.size = list.count;
  }
  return ok && list.ok;
}

void diagnostics_publish(vouch_node_t * node)
{
  diagnostic_msgs__msg__DiagnosticArray * array = diagnostic_msgs__msg__DiagnosticArray__create();
  if (array != NULL &&
    diagnostic_msgs__msg__DiagnosticStatus__Sequence__init(&array->status, 1) &&
    node_stamp(node, &array->header) && fill_status(node, &array->status.data[0]))
  {
    node_publish(node, &node->diagnostics, array);
    array->status.data[0].values.size = MAX_VALUES;
  }
  diagnostic_msgs__msg__DiagnosticArray__destroy(array);
}
