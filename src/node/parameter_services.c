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

/* The six standard parameter services, so that `ros2 param` and rqt work, and /parameter_events. */

#include <stdio.h>
#include <string.h>

#include "node/convert.h"
#include "node/node.h"
#include "rcl_interfaces/msg/floating_point_range.h"
#include "rcl_interfaces/msg/integer_range.h"
#include "rcl_interfaces/msg/parameter.h"
#include "rcl_interfaces/msg/parameter_descriptor.h"
#include "rcl_interfaces/msg/parameter_event.h"
#include "rcl_interfaces/msg/parameter_type.h"
#include "rcl_interfaces/msg/parameter_value.h"
#include "rcl_interfaces/msg/set_parameters_result.h"
#include "rcl_interfaces/srv/describe_parameters.h"
#include "rcl_interfaces/srv/get_parameter_types.h"
#include "rcl_interfaces/srv/get_parameters.h"
#include "rcl_interfaces/srv/list_parameters.h"
#include "rcl_interfaces/srv/set_parameters.h"
#include "rcl_interfaces/srv/set_parameters_atomically.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "std_msgs/msg/header.h"

MESSAGE_TYPE(get_in, rcl_interfaces__srv__GetParameters_Request);
MESSAGE_TYPE(get_out, rcl_interfaces__srv__GetParameters_Response);
MESSAGE_TYPE(types_in, rcl_interfaces__srv__GetParameterTypes_Request);
MESSAGE_TYPE(types_out, rcl_interfaces__srv__GetParameterTypes_Response);
MESSAGE_TYPE(list_in, rcl_interfaces__srv__ListParameters_Request);
MESSAGE_TYPE(list_out, rcl_interfaces__srv__ListParameters_Response);
MESSAGE_TYPE(describe_in, rcl_interfaces__srv__DescribeParameters_Request);
MESSAGE_TYPE(describe_out, rcl_interfaces__srv__DescribeParameters_Response);
MESSAGE_TYPE(set_in, rcl_interfaces__srv__SetParameters_Request);
MESSAGE_TYPE(set_out, rcl_interfaces__srv__SetParameters_Response);
MESSAGE_TYPE(atomic_in, rcl_interfaces__srv__SetParametersAtomically_Request);
MESSAGE_TYPE(atomic_out, rcl_interfaces__srv__SetParametersAtomically_Response);

static void on_get(const void * request, void * response, void * context)
{
  const vouch_node_t * node = context;
  const rcl_interfaces__srv__GetParameters_Request * in = request;
  rcl_interfaces__srv__GetParameters_Response * out = response;
  bool ok = rcl_interfaces__msg__ParameterValue__Sequence__init(&out->values, in->names.size);
  for (size_t i = 0; ok && i < in->names.size; ++i) {
    parameter_id_t id = parameters_find(in->names.data[i].data);
    if (id < PARAMETER_COUNT) {
      ok = rcl_interfaces__msg__ParameterValue__copy(
        &node->parameters.values[id], &out->values.data[i]);
    }
  }
  if (!ok) {
    NODE_ERROR(node, "no memory for parameters");
  }
}

static void on_types(const void * request, void * response, void * context)
{
  const vouch_node_t * node = context;
  const rcl_interfaces__srv__GetParameterTypes_Request * in = request;
  rcl_interfaces__srv__GetParameterTypes_Response * out = response;
  if (!rosidl_runtime_c__uint8__Sequence__init(&out->types, in->names.size)) {
    NODE_ERROR(node, "no memory for parameters");
    return;
  }
  for (size_t i = 0; i < in->names.size; ++i) {
    parameter_id_t id = parameters_find(in->names.data[i].data);
    out->types.data[i] = id < PARAMETER_COUNT ? parameter_infos[id].type : 0;
  }
}

/* ---- list ---- */

static size_t dots(const char * text, size_t size)
{
  size_t count = 0;
  for (size_t i = 0; i < size; ++i) {
    count += text[i] == '.';
  }
  return count;
}

/// Depth 0 (recursive) lists everything; depth n lists names with fewer than n dots below the
/// prefix.
static bool is_listed(const char * name, const rcl_interfaces__srv__ListParameters_Request * in)
{
  bool deep = in->depth == rcl_interfaces__srv__ListParameters_Request__DEPTH_RECURSIVE;
  if (in->prefixes.size == 0) {
    return deep || dots(name, strlen(name)) < in->depth;
  }
  for (size_t i = 0; i < in->prefixes.size; ++i) {
    const char * prefix = in->prefixes.data[i].data;
    size_t size = strlen(prefix);
    if (strcmp(name, prefix) == 0) {
      return true;
    }
    if (strncmp(name, prefix, size) == 0 && name[size] == '.' &&
      (deep || dots(name + size + 1, strlen(name + size + 1)) < in->depth))
    {
      return true;
    }
  }
  return false;
}

static void on_list(const void * request, void * response, void * context)
{
  const vouch_node_t * node = context;
  const rcl_interfaces__srv__ListParameters_Request * in = request;
  rcl_interfaces__srv__ListParameters_Response * out = response;
  size_t count = 0;
  bool vetting = false;
  for (size_t i = 0; i < PARAMETER_COUNT; ++i) {
    bool listed = is_listed(parameter_infos[i].name, in);
    count += listed;
    vetting = vetting || (listed && strchr(parameter_infos[i].name, '.') != NULL);
  }
  bool ok = rosidl_runtime_c__String__Sequence__init(&out->result.names, count) &&
    rosidl_runtime_c__String__Sequence__init(&out->result.prefixes, vetting) &&
    (!vetting || rosidl_runtime_c__String__assign(&out->result.prefixes.data[0], "vetting"));
  size_t at = 0;
  for (size_t i = 0; ok && i < PARAMETER_COUNT; ++i) {
    if (is_listed(parameter_infos[i].name, in)) {
      ok = rosidl_runtime_c__String__assign(
        &out->result.names.data[at++], parameter_infos[i].name);
    }
  }
  if (!ok) {
    NODE_ERROR(node, "no memory for parameters");
  }
}

/* ---- describe ---- */

static bool describe(
  const char * name, rcl_interfaces__msg__ParameterDescriptor * out)
{
  parameter_id_t id = parameters_find(name);
  if (!rosidl_runtime_c__String__assign(&out->name, name) || id == PARAMETER_COUNT) {
    return id == PARAMETER_COUNT;
  }
  const parameter_info_t * info = &parameter_infos[id];
  out->type = info->type;
  out->read_only = parameters_is_fixed(id);
  bool ok = rosidl_runtime_c__String__assign(&out->description, info->description);
  if (info->choices != NULL) {
    ok = ok && rosidl_runtime_c__String__assign(&out->additional_constraints, info->choices);
  }
  if (info->type == rcl_interfaces__msg__ParameterType__PARAMETER_DOUBLE) {
    ok = ok &&
      rcl_interfaces__msg__FloatingPointRange__Sequence__init(&out->floating_point_range, 1);
    if (ok) {
      out->floating_point_range.data[0].from_value = info->lower;
      out->floating_point_range.data[0].to_value = info->upper;
    }
  } else if (info->type == rcl_interfaces__msg__ParameterType__PARAMETER_INTEGER) {
    ok = ok && rcl_interfaces__msg__IntegerRange__Sequence__init(&out->integer_range, 1);
    if (ok) {
      out->integer_range.data[0].from_value = (int64_t)info->lower;
      out->integer_range.data[0].to_value = (int64_t)info->upper;
      out->integer_range.data[0].step = 1;
    }
  }
  return ok;
}

static void on_describe(const void * request, void * response, void * context)
{
  const vouch_node_t * node = context;
  const rcl_interfaces__srv__DescribeParameters_Request * in = request;
  rcl_interfaces__srv__DescribeParameters_Response * out = response;
  bool ok = rcl_interfaces__msg__ParameterDescriptor__Sequence__init(
    &out->descriptors, in->names.size);
  for (size_t i = 0; ok && i < in->names.size; ++i) {
    ok = describe(in->names.data[i].data, &out->descriptors.data[i]);
  }
  if (!ok) {
    NODE_ERROR(node, "no memory for parameters");
  }
}

/* ---- set ---- */

static bool may_be_set(
  const rcl_interfaces__msg__Parameter * parameter, char * reason, size_t size)
{
  parameter_id_t id = parameters_find(parameter->name.data);
  if (id == PARAMETER_COUNT) {
    snprintf(reason, size, "parameter '%.200s' is not known", parameter->name.data);
    return false;
  }
  if (parameters_is_fixed(id)) {
    snprintf(reason, size, "%s can only be given at the start", parameter_infos[id].name);
    return false;
  }
  return parameters_validate(id, &parameter->value, reason, size);
}

static void publish_event(vouch_node_t * node, const rcl_interfaces__msg__Parameter * parameter)
{
  rcl_interfaces__msg__ParameterEvent * event = rcl_interfaces__msg__ParameterEvent__create();
  std_msgs__msg__Header header = {0};
  if (event != NULL && std_msgs__msg__Header__init(&header) && node_stamp(node, &header) &&
    rcl_interfaces__msg__Parameter__Sequence__init(&event->changed_parameters, 1) &&
    rcl_interfaces__msg__Parameter__copy(parameter, &event->changed_parameters.data[0]) &&
    rosidl_runtime_c__String__assign(
      &event->node, rcl_node_get_fully_qualified_name(&node->node)))
  {
    event->stamp = header.stamp;
    node_publish(node, &node->parameter_events, event);
  }
  std_msgs__msg__Header__fini(&header);
  rcl_interfaces__msg__ParameterEvent__destroy(event);
}

/// The values as they were, to be set back. False: no memory.
static bool save_values(
  const vouch_node_t * node, const rcl_interfaces__msg__Parameter__Sequence * parameters,
  rcl_interfaces__msg__ParameterValue__Sequence * saved)
{
  bool ok = rcl_interfaces__msg__ParameterValue__Sequence__init(saved, parameters->size);
  for (size_t i = 0; ok && i < parameters->size; ++i) {
    parameter_id_t id = parameters_find(parameters->data[i].name.data);
    ok = rcl_interfaces__msg__ParameterValue__copy(&node->parameters.values[id], &saved->data[i]);
  }
  return ok;
}

/// One that is named twice has its first value saved first.
static void restore_values(
  vouch_node_t * node, const rcl_interfaces__msg__Parameter__Sequence * parameters,
  const rcl_interfaces__msg__ParameterValue__Sequence * saved, size_t count)
{
  for (size_t i = count; i > 0; --i) {
    parameter_id_t id = parameters_find(parameters->data[i - 1].name.data);
    if (!parameters_set(&node->parameters, id, &saved->data[i - 1])) {
      NODE_ERROR(node, "no memory to set '%s' back", parameter_infos[id].name);
    }
  }
}

/// Sets all of them or none. `reason` says why none; empty: set.
static void set_together(
  vouch_node_t * node, const rcl_interfaces__msg__Parameter__Sequence * parameters, char * reason,
  size_t size)
{
  rcl_interfaces__msg__ParameterValue__Sequence saved = {0};
  size_t count = 0;
  unsigned changes = 0;
  bool ok = true;
  const vouch_robot_t * before = node->robot;
  const char * lack = node->robot_lack;
  for (size_t i = 0; ok && i < parameters->size; ++i) {
    ok = may_be_set(&parameters->data[i], reason, size);
  }
  if (ok && !save_values(node, parameters, &saved)) {
    snprintf(reason, size, "no memory");
    ok = false;
  }
  for (; ok && count < parameters->size; ++count) {
    parameter_id_t id = parameters_find(parameters->data[count].name.data);
    changes |= node_change_of(id);
    if (!parameters_set(&node->parameters, id, &parameters->data[count].value)) {
      snprintf(reason, size, "no memory");
      ok = false;
    }
  }
  const char * why = ok ? node_parameters_changed(node, changes) : NULL;
  if (why != NULL) {
    snprintf(reason, size, "%.400s (nothing was set)", why);
    ok = false;
  }
  if (!ok) {
    node_refused(node);
    restore_values(node, parameters, &saved, count);
    if (why != NULL && (changes & CHANGE_ROBOT) != 0) {
      robot_source_restore(node, before, lack);
    }
  }
  for (size_t i = 0; ok && i < parameters->size; ++i) {
    publish_event(node, &parameters->data[i]);
  }
  rcl_interfaces__msg__ParameterValue__Sequence__fini(&saved);
}

static void answer(
  const vouch_node_t * node, const char * reason, rcl_interfaces__msg__SetParametersResult * result)
{
  result->successful = reason[0] == '\0';
  if (!rosidl_runtime_c__String__assign(&result->reason, reason)) {
    NODE_ERROR(node, "no memory for a reason");
  }
}

static void on_set(const void * request, void * response, void * context)
{
  vouch_node_t * node = context;
  const rcl_interfaces__srv__SetParameters_Request * in = request;
  rcl_interfaces__srv__SetParameters_Response * out = response;
  if (!rcl_interfaces__msg__SetParametersResult__Sequence__init(
      &out->results, in->parameters.size))
  {
    NODE_ERROR(node, "no memory for parameters");
    return;
  }
  for (size_t i = 0; i < in->parameters.size; ++i) {
    const rcl_interfaces__msg__Parameter__Sequence one = {&in->parameters.data[i], 1, 1};
    char reason[512] = "";
    set_together(node, &one, reason, sizeof(reason));
    answer(node, reason, &out->results.data[i]);
  }
}

static void on_set_atomically(const void * request, void * response, void * context)
{
  vouch_node_t * node = context;
  const rcl_interfaces__srv__SetParametersAtomically_Request * in = request;
  rcl_interfaces__srv__SetParametersAtomically_Response * out = response;
  char reason[512] = "";
  set_together(node, &in->parameters, reason, sizeof(reason));
  answer(node, reason, &out->result);
}

#define SETTING(type, in, out, name, callback) \
  & (service_setting_t) { \
    ROSIDL_GET_SRV_TYPE_SUPPORT(rcl_interfaces, srv, type), &in, &out, name, \
    rmw_qos_profile_parameters, callback}
#define SERVE(...) \
  (executor_serve(node->executor, SETTING(__VA_ARGS__), node, NULL) == RCL_RET_OK)
#define SERVE_CHANGE(...) node_serve_change(node, SETTING(__VA_ARGS__))

bool parameter_services_init(vouch_node_t * node)
{
  return SERVE(GetParameters, get_in, get_out, "~/get_parameters", on_get) &&
         SERVE(GetParameterTypes, types_in, types_out, "~/get_parameter_types", on_types) &&
         SERVE(ListParameters, list_in, list_out, "~/list_parameters", on_list) &&
         SERVE(
    DescribeParameters, describe_in, describe_out, "~/describe_parameters", on_describe) &&
         SERVE_CHANGE(SetParameters, set_in, set_out, "~/set_parameters", on_set) &&
         SERVE_CHANGE(
    SetParametersAtomically, atomic_in, atomic_out, "~/set_parameters_atomically",
    on_set_atomically);
}
