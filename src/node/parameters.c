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

#include "node/parameters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rcl_interfaces/msg/parameter_type.h"
#include "rcl_interfaces/msg/parameter_value.h"
#include "rosidl_runtime_c/string_functions.h"

#define BOOL rcl_interfaces__msg__ParameterType__PARAMETER_BOOL
#define INTEGER rcl_interfaces__msg__ParameterType__PARAMETER_INTEGER
#define DOUBLE rcl_interfaces__msg__ParameterType__PARAMETER_DOUBLE
#define STRING rcl_interfaces__msg__ParameterType__PARAMETER_STRING
#define STRINGS rcl_interfaces__msg__ParameterType__PARAMETER_STRING_ARRAY
#define ANY_TEXT "", 0.0, 0.0, 0.0, NULL
#define FLAG(value) "", value, 0.0, 1.0, NULL
#define NUMBER(value, lower, upper) "", value, lower, upper, NULL
#define CHOICE(value, choices) value, 0.0, 0.0, 0.0, choices

/* In the order of parameter_id_t. config/vouch.yaml explains each at length. */
const parameter_info_t parameter_infos[PARAMETER_COUNT] = {
  {"robot_description", STRING, ANY_TEXT, "URDF text; empty: the topic robot_description"},
  {"robot_description_semantic", STRING, ANY_TEXT,
    "SRDF text; empty: the topic robot_description_semantic"},
  {"robot_description_file", STRING, ANY_TEXT, "URDF file, when robot_description is empty"},
  {"robot_description_semantic_file", STRING, ANY_TEXT,
    "SRDF file, when robot_description_semantic is empty"},
  {"scene_file", STRING, ANY_TEXT, "scene that is loaded together with the robot"},
  {"package_directories", STRINGS, ANY_TEXT, "name=directory for package:// of mesh files"},
  {"geometry_source", STRING, CHOICE("urdf", "urdf|topic"),
    "collision geometry from the URDF, or convex meshes from the topic robot_geometry"},
  {"hulls", BOOL, FLAG(0.0), "take the convex hull of every mesh on purpose"},
  {"surfaces", BOOL, FLAG(0.0), "open meshes are meant as surfaces"},
  {"cache_directory", STRING, ANY_TEXT,
    "where built trees are kept between runs; empty: as the command line; off: nowhere"},
  {"default_padding_m", DOUBLE, NUMBER(0.0, 0.0, 10.0),
    "metres around every link in environment pairs"},
  {"ignore", STRINGS, ANY_TEXT, "parts of a scene that may stay not understood"},
  {"margin_m", DOUBLE, NUMBER(0.0, 0.0, 10.0),
    "metres that must remain between every checked pair"},
  {"tolerance_rad", DOUBLE, NUMBER(0.0, 0.0, 3.0), "deviation of every revolute joint"},
  {"tolerance_m", DOUBLE, NUMBER(0.0, 0.0, 10.0), "deviation of every prismatic joint"},
  {"joint_tolerances", STRINGS, ANY_TEXT, "joint=value for single joints, rad or m"},
  {"motion_model", STRING, CHOICE("auto", "auto|controller|planner|linear"),
    "how waypoints are meant"},
  {"method", STRING, CHOICE("chord", "chord|schwarzer"), "which proof is searched"},
  {"deadline_s", DOUBLE, NUMBER(1.0, 1e-4, 3600.0), "seconds for one check"},
  {"max_deadline_s", DOUBLE, NUMBER(10.0, 1e-4, 3600.0), "most that a request may ask for"},
  {"threads", INTEGER, NUMBER(1.0, 0.0, 256.0), "workers of one check"},
  {"max_memory_mb", INTEGER, NUMBER(1024.0, 1.0, 1048576.0), "memory that one check may take"},
  {"max_points", INTEGER, NUMBER(100000.0, 1.0, 1e8), "longest trajectory that is looked at"},
  {"clearance_resolution_m", DOUBLE, NUMBER(0.001, 1e-6, 1.0),
    "how closely the smallest distance is bracketed"},
  {"joint_state_timeout_s", DOUBLE, NUMBER(0.5, 0.0, 3600.0), "older joint states are not used"},
  {"vetting.enabled", BOOL, FLAG(1.0), "forward what is proved free on the topic joint_trajectory"},
  {"vetting.tolerance_rad", DOUBLE, NUMBER(0.01, 0.0, 3.0),
    "tracking error of revolute joints that forwarded trajectories survive"},
  {"vetting.tolerance_m", DOUBLE, NUMBER(0.001, 0.0, 10.0),
    "tracking error of prismatic joints that forwarded trajectories survive"},
  {"vetting.latency_s", DOUBLE, NUMBER(0.1, 0.0, 10.0),
    "how much earlier or later than planned the robot may be on its way"},
  {"gate.controller", STRING, ANY_TEXT,
    "the controller's action that ~/follow_joint_trajectory goes on to; empty: no gate"},
  {"gate.type", STRING, CHOICE("auto", "auto|control_msgs|vouch"),
    "FollowJointTrajectory of control_msgs, or FollowTrajectory of vouch"},
  {"gate.on_refused", STRING, CHOICE("abort", "abort|reject"),
    "accept a goal before the check and abort it with the reason, or reject it without one"},
  {"gate.on_revoke", STRING, CHOICE("cancel", "cancel|stop"),
    "cancel the controller's goal only, or also say true on ~/stop"},
  {"gate.answer_timeout_s", DOUBLE, NUMBER(2.0, 0.01, 3600.0),
    "how long the controller may take to accept a goal"},
  {"gate.result_timeout_s", DOUBLE, NUMBER(5.0, 0.0, 3600.0),
    "how long after the end of the motion its result may come"},
  {"gate.stop_timeout_s", DOUBLE, NUMBER(2.0, 0.01, 3600.0),
    "how long after a cancel its result may come"},
  {"gate.gone_timeout_s", DOUBLE, NUMBER(1.0, 0.0, 3600.0),
    "how long the controller may be away while it has a goal"},
  {"stream.lead_s", DOUBLE, NUMBER(0.05, 1e-3, 60.0),
    "how long before a chunk runs it has to be proved and with the controller"},
  {"stream.brake_rad_s2", DOUBLE, NUMBER(2.0, 1e-3, 1e6),
    "how hard revolute joints brake in the stop after a chunk"},
  {"stream.brake_m_s2", DOUBLE, NUMBER(1.0, 1e-3, 1e6),
    "how hard prismatic joints brake in the stop after a chunk"},
  {"markers", BOOL, FLAG(1.0), "publish pictures of every verdict on ~/markers"},
  {"use_sim_time", BOOL, FLAG(0.0), "take the time from /clock"},
};

bool parameters_init(parameters_t * parameters)
{
  memset(parameters, 0, sizeof(*parameters));
  bool ok = true;
  for (size_t i = 0; i < PARAMETER_COUNT; ++i) {
    const parameter_info_t * info = &parameter_infos[i];
    rcl_interfaces__msg__ParameterValue * value = &parameters->values[i];
    ok = rcl_interfaces__msg__ParameterValue__init(value) && ok;
    value->type = info->type;
    value->bool_value = info->type == BOOL && info->number > 0.0;
    value->integer_value = info->type == INTEGER ? (int64_t)info->number : 0;
    value->double_value = info->type == DOUBLE ? info->number : 0.0;
    if (info->type == STRING) {
      ok = rosidl_runtime_c__String__assign(&value->string_value, info->text) && ok;
    }
  }
  return ok;
}

void parameters_fini(parameters_t * parameters)
{
  for (size_t i = 0; i < PARAMETER_COUNT; ++i) {
    rcl_interfaces__msg__ParameterValue__fini(&parameters->values[i]);
  }
}

bool parameters_is_fixed(parameter_id_t id)
{
  return id == PARAMETER_USE_SIM_TIME || id == PARAMETER_GATE_CONTROLLER ||
         id == PARAMETER_GATE_TYPE || id == PARAMETER_GATE_ANSWER_TIMEOUT_S ||
         id == PARAMETER_GATE_RESULT_TIMEOUT_S || id == PARAMETER_GATE_STOP_TIMEOUT_S ||
         id == PARAMETER_GATE_GONE_TIMEOUT_S;
}

parameter_id_t parameters_find(const char * name)
{
  size_t i = 0;
  while (i < PARAMETER_COUNT && strcmp(parameter_infos[i].name, name) != 0) {
    ++i;
  }
  return (parameter_id_t)i;
}

static bool is_choice(const char * choices, const char * text)
{
  size_t length = strlen(text);
  for (const char * at = choices; at != NULL; ) {
    const char * end = strchr(at, '|');
    size_t size = end != NULL ? (size_t)(end - at) : strlen(at);
    if (size == length && strncmp(at, text, size) == 0) {
      return true;
    }
    at = end != NULL ? end + 1 : NULL;
  }
  return false;
}

/// "name=rest" with neither part empty.
static bool is_assignment(const char * text)
{
  const char * equals = strchr(text, '=');
  return equals != NULL && equals != text && equals[1] != '\0';
}

/// One of the assignments before number `count` is to the same name.
static bool is_assigned_before(const rosidl_runtime_c__String__Sequence * strings, size_t count)
{
  const char * text = strings->data[count].data;
  size_t size = strcspn(text, "=") + 1;
  for (size_t i = 0; i < count; ++i) {
    if (strncmp(strings->data[i].data, text, size) == 0) {
      return true;
    }
  }
  return false;
}

static bool validate_strings(
  parameter_id_t id, const rosidl_runtime_c__String__Sequence * strings, char * reason,
  size_t size)
{
  if (id != PARAMETER_PACKAGE_DIRECTORIES && id != PARAMETER_JOINT_TOLERANCES) {
    return true;
  }
  for (size_t i = 0; i < strings->size; ++i) {
    const char * text = strings->data[i].data;
    double number = 0.0;
    char rest = '\0';
    if (text[0] == '\0') {
      continue;
    }
    if (!is_assignment(text)) {
      snprintf(
        reason, size, "%s: '%.200s' must have the form name=value", parameter_infos[id].name, text);
      return false;
    }
    if (id == PARAMETER_JOINT_TOLERANCES && is_assigned_before(strings, i)) {
      snprintf(
        reason, size, "%s: the joint of '%.200s' is there twice", parameter_infos[id].name, text);
      return false;
    }
    if (id == PARAMETER_JOINT_TOLERANCES &&
      (sscanf(strchr(text, '=') + 1, "%lf%c", &number, &rest) != 1 || !isfinite(number) ||
      number < 0.0))
    {
      snprintf(
        reason, size, "%s: '%.200s' must end in a number >= 0", parameter_infos[id].name, text);
      return false;
    }
  }
  return true;
}

bool parameters_validate(
  parameter_id_t id, const rcl_interfaces__msg__ParameterValue * value, char * reason, size_t size)
{
  static const char * const type_names[] = {
    "not set", "bool", "integer", "double", "string", "byte array", "bool array", "integer array",
    "double array", "string array"
  };
  const parameter_info_t * info = &parameter_infos[id];
  bool widened = info->type == DOUBLE && value->type == INTEGER;
  if (value->type != info->type && !widened) {
    snprintf(
      reason, size, "%s must be a %s, not a %s", info->name, type_names[info->type],
      value->type < 10 ? type_names[value->type] : "?");
    return false;
  }
  if (info->type == DOUBLE || info->type == INTEGER) {
    double number = value->type == DOUBLE ? value->double_value : (double)value->integer_value;
    if (!(number >= info->lower && number <= info->upper)) {
      snprintf(
        reason, size, "%s is %g; it must lie between %g and %g", info->name, number, info->lower,
        info->upper);
      return false;
    }
  }
  if (info->type == STRING && info->choices != NULL &&
    !is_choice(info->choices, value->string_value.data))
  {
    snprintf(
      reason, size, "%s is '%.200s'; it must be one of %s", info->name, value->string_value.data,
      info->choices);
    return false;
  }
  return info->type != STRINGS ||
         validate_strings(id, &value->string_array_value, reason, size);
}

bool parameters_set(
  parameters_t * parameters, parameter_id_t id, const rcl_interfaces__msg__ParameterValue * value)
{
  rcl_interfaces__msg__ParameterValue * own = &parameters->values[id];
  if (parameter_infos[id].type == DOUBLE && value->type == INTEGER) {
    own->double_value = (double)value->integer_value;
    return true;
  }
  return rcl_interfaces__msg__ParameterValue__copy(value, own);
}

bool parameters_bool(const parameters_t * parameters, parameter_id_t id)
{
  return parameters->values[id].bool_value;
}

double parameters_double(const parameters_t * parameters, parameter_id_t id)
{
  return parameters->values[id].double_value;
}

int64_t parameters_integer(const parameters_t * parameters, parameter_id_t id)
{
  return parameters->values[id].integer_value;
}

const char * parameters_string(const parameters_t * parameters, parameter_id_t id)
{
  const char * text = parameters->values[id].string_value.data;
  return text != NULL ? text : "";
}

const rosidl_runtime_c__String__Sequence * parameters_strings(
  const parameters_t * parameters, parameter_id_t id)
{
  return &parameters->values[id].string_array_value;
}
