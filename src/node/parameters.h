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

/* The node's parameters: one table, read from rcl's overrides (files, -p, wildcards), changed
 * through
 * the standard parameter services. Values of unknown names or wrong types are refused by name. */

#ifndef NODE__PARAMETERS_H_
#define NODE__PARAMETERS_H_

#include "rcl/rcl.h"
#include "rcl_interfaces/msg/parameter_value.h"

typedef enum parameter_id_e
{
  PARAMETER_ROBOT_DESCRIPTION = 0,
  PARAMETER_ROBOT_DESCRIPTION_SEMANTIC,
  PARAMETER_ROBOT_DESCRIPTION_FILE,
  PARAMETER_ROBOT_DESCRIPTION_SEMANTIC_FILE,
  PARAMETER_SCENE_FILE,
  PARAMETER_PACKAGE_DIRECTORIES,
  PARAMETER_GEOMETRY_SOURCE,
  PARAMETER_HULLS,
  PARAMETER_SURFACES,
  PARAMETER_CACHE_DIRECTORY,
  PARAMETER_DEFAULT_PADDING_M,
  PARAMETER_IGNORE,
  PARAMETER_MARGIN_M,
  PARAMETER_TOLERANCE_RAD,
  PARAMETER_TOLERANCE_M,
  PARAMETER_JOINT_TOLERANCES,
  PARAMETER_MOTION_MODEL,
  PARAMETER_METHOD,
  PARAMETER_DEADLINE_S,
  PARAMETER_MAX_DEADLINE_S,
  PARAMETER_THREADS,
  PARAMETER_MAX_MEMORY_MB,
  PARAMETER_MAX_POINTS,
  PARAMETER_CLEARANCE_RESOLUTION_M,
  PARAMETER_JOINT_STATE_TIMEOUT_S,
  PARAMETER_VETTING_ENABLED,
  PARAMETER_VETTING_TOLERANCE_RAD,
  PARAMETER_VETTING_TOLERANCE_M,
  PARAMETER_VETTING_LATENCY_S,
  PARAMETER_GATE_CONTROLLER,
  PARAMETER_GATE_TYPE,
  PARAMETER_GATE_ON_REFUSED,
  PARAMETER_GATE_ON_REVOKE,
  PARAMETER_GATE_ANSWER_TIMEOUT_S,
  PARAMETER_GATE_RESULT_TIMEOUT_S,
  PARAMETER_GATE_STOP_TIMEOUT_S,
  PARAMETER_GATE_GONE_TIMEOUT_S,
  PARAMETER_STREAM_LEAD_S,
  PARAMETER_STREAM_BRAKE_RAD_S2,
  PARAMETER_STREAM_BRAKE_M_S2,
  PARAMETER_MARKERS,
  PARAMETER_USE_SIM_TIME,
  PARAMETER_COUNT
} parameter_id_t;

typedef struct parameter_info_s
{
  const char * name;
  uint8_t type;               // rcl_interfaces ParameterType
  const char * text;          // default of a string
  double number;              // default of a number or bool
  double lower, upper;        // of numbers
  const char * choices;       // of strings: "a|b|c"; NULL: any
  const char * description;
} parameter_info_t;

typedef struct parameters_s
{
  rcl_interfaces__msg__ParameterValue values[PARAMETER_COUNT];
} parameters_t;

extern const parameter_info_t parameter_infos[PARAMETER_COUNT];

/// All defaults. False: no memory.
bool parameters_init(parameters_t * parameters);
void parameters_fini(parameters_t * parameters);

/// Applies what files and command line say for this node. Whatever is wrong with them is told to
/// the log;
/// false when a value was refused.
bool parameters_apply_overrides(
  parameters_t * parameters, const rcl_context_t * context, const rcl_node_t * node);

/// True for parameters that only count at the start.
bool parameters_is_fixed(parameter_id_t id);

/// The number of a name, or PARAMETER_COUNT.
parameter_id_t parameters_find(const char * name);

/// True when the value may be set; else `reason` says why not. Integers are taken for doubles.
bool parameters_validate(
  parameter_id_t id, const rcl_interfaces__msg__ParameterValue * value, char * reason,
  size_t size);
/// Sets a validated value. False: no memory.
bool parameters_set(
  parameters_t * parameters, parameter_id_t id, const rcl_interfaces__msg__ParameterValue * value);

bool parameters_bool(const parameters_t * parameters, parameter_id_t id);
double parameters_double(const parameters_t * parameters, parameter_id_t id);
int64_t parameters_integer(const parameters_t * parameters, parameter_id_t id);
/// Never NULL.
const char * parameters_string(const parameters_t * parameters, parameter_id_t id);
const rosidl_runtime_c__String__Sequence * parameters_strings(
  const parameters_t * parameters, parameter_id_t id);

/// Does a key of a parameter file ("/ns/node", "node", "/**", "/ns/*", "/**/node") mean this node?
bool parameters_node_matches(const char * pattern, const char * full_name);

#endif  // NODE__PARAMETERS_H_
