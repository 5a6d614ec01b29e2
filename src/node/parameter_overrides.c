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

/* Parameters from files and from the command line. rcl parses them and leaves it to the client
 * library to find out which of them mean this node. */

#include <stdio.h>
#include <string.h>

#include "node/parameters.h"
#include "rcl/error_handling.h"
#include "rcl_interfaces/msg/parameter_type.h"
#include "rcl_interfaces/msg/parameter_value.h"
#include "rcl_yaml_param_parser/parser.h"
#include "rcutils/logging_macros.h"
#include "rosidl_runtime_c/string_functions.h"

/// Matches the parts of a name one by one: "*" is one part, "**" any number of them.
static bool parts_match(const char * pattern, const char * name)
{
  while (*pattern == '/') {
    ++pattern;
  }
  while (*name == '/') {
    ++name;
  }
  if (*pattern == '\0') {
    return *name == '\0';
  }
  size_t part = strcspn(pattern, "/");
  if (part == 2 && strncmp(pattern, "**", 2) == 0) {
    if (parts_match(pattern + part, name)) {
      return true;
    }
    return *name != '\0' && parts_match(pattern, name + strcspn(name, "/"));
  }
  if (*name == '\0') {
    return false;
  }
  size_t size = strcspn(name, "/");
  bool same = (part == 1 && pattern[0] == '*') ||
    (part == size && strncmp(pattern, name, part) == 0);
  return same && parts_match(pattern + part, name + size);
}

bool parameters_node_matches(const char * pattern, const char * full_name)
{
  return parts_match(pattern, full_name);
}

static bool convert(const rcl_variant_t * variant, rcl_interfaces__msg__ParameterValue * value)
{
  if (variant->bool_value != NULL) {
    value->type = rcl_interfaces__msg__ParameterType__PARAMETER_BOOL;
    value->bool_value = *variant->bool_value;
  } else if (variant->integer_value != NULL) {
    value->type = rcl_interfaces__msg__ParameterType__PARAMETER_INTEGER;
    value->integer_value = *variant->integer_value;
  } else if (variant->double_value != NULL) {
    value->type = rcl_interfaces__msg__ParameterType__PARAMETER_DOUBLE;
    value->double_value = *variant->double_value;
  } else if (variant->string_value != NULL) {
    value->type = rcl_interfaces__msg__ParameterType__PARAMETER_STRING;
    return rosidl_runtime_c__String__assign(&value->string_value, variant->string_value);
  } else if (variant->string_array_value != NULL) {
    const rcutils_string_array_t * array = variant->string_array_value;
    value->type = rcl_interfaces__msg__ParameterType__PARAMETER_STRING_ARRAY;
    bool ok = rosidl_runtime_c__String__Sequence__init(&value->string_array_value, array->size);
    for (size_t i = 0; ok && i < array->size; ++i) {
      ok = rosidl_runtime_c__String__assign(&value->string_array_value.data[i], array->data[i]);
    }
    return ok;
  } else {
    value->type = rcl_interfaces__msg__ParameterType__PARAMETER_BYTE_ARRAY;
  }
  return true;
}

static bool apply_one(
  parameters_t * parameters, const char * name, const rcl_variant_t * variant, const char * logger)
{
  parameter_id_t id = parameters_find(name);
  if (id == PARAMETER_COUNT) {
    if (strncmp(name, "qos_overrides", 13) != 0 &&
      strcmp(name, "start_type_description_service") != 0)
    {
      RCUTILS_LOG_WARN_NAMED(logger, "parameter '%s' is not known and has no effect", name);
    }
    return true;
  }
  rcl_interfaces__msg__ParameterValue value = {0};   // __init() leaves numbers as they are
  if (!rcl_interfaces__msg__ParameterValue__init(&value)) {
    return false;
  }
  char reason[512] = "no memory";
  bool ok = convert(variant, &value) && parameters_validate(id, &value, reason, sizeof(reason)) &&
    parameters_set(parameters, id, &value);
  if (!ok) {
    RCUTILS_LOG_ERROR_NAMED(logger, "parameter refused: %s", reason);
  }
  rcl_interfaces__msg__ParameterValue__fini(&value);
  return ok;
}

bool parameters_apply_overrides(
  parameters_t * parameters, const rcl_context_t * context, const rcl_node_t * node)
{
  const char * logger = rcl_node_get_logger_name(node);
  rcl_params_t * overrides = NULL;
  if (rcl_arguments_get_param_overrides(&context->global_arguments, &overrides) != RCL_RET_OK) {
    RCUTILS_LOG_ERROR_NAMED(logger, "parameters: %s", rcl_get_error_string().str);
    rcl_reset_error();
    return false;
  }
  if (overrides == NULL) {
    return true;
  }
  bool ok = true;
  const char * name = rcl_node_get_fully_qualified_name(node);
  for (size_t i = 0; i < overrides->num_nodes; ++i) {
    if (!parameters_node_matches(overrides->node_names[i], name)) {
      continue;
    }
    const rcl_node_params_t * set = &overrides->params[i];
    for (size_t k = 0; k < set->num_params; ++k) {
      ok = apply_one(parameters, set->parameter_names[k], &set->parameter_values[k], logger) && ok;
    }
  }
  rcl_yaml_node_struct_fini(overrides);
  return ok;
}
