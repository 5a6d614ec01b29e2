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

#include "node/check_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/robot.h"
#include "model/scene.h"

vouch_verdict_t node_check_verdict(const check_run_t * run)
{
  return run->ret == VOUCH_RET_OK ? run->result.verdict : VOUCH_INVALID;
}

check_request_t check_request_default(const vouch_node_t * node)
{
  const parameters_t * p = &node->parameters;
  static const char * const models[] = {"auto", "controller", "planner", "linear"};
  const char * model = parameters_string(p, PARAMETER_MOTION_MODEL);
  check_request_t request = {0};
  for (int i = 0; i < 4; ++i) {
    if (strcmp(model, models[i]) == 0) {
      request.model = (vouch_motion_model_t)i;
    }
  }
  request.method = strcmp(parameters_string(p, PARAMETER_METHOD), "schwarzer") == 0 ?
    VOUCH_METHOD_SCHWARZER : VOUCH_METHOD_CHORD;
  request.margin_m = parameters_double(p, PARAMETER_MARGIN_M);
  request.tolerance_rad = parameters_double(p, PARAMETER_TOLERANCE_RAD);
  request.tolerance_m = parameters_double(p, PARAMETER_TOLERANCE_M);
  request.deadline_s = parameters_double(p, PARAMETER_DEADLINE_S);
  request.clearance = request.first_contact = true;
  return request;
}

/* ---- tolerances ---- */

/// Joint tolerances of the parameters, then those of the request: later ones win.
static vouch_ret_t collect_tolerances(
  vouch_node_t * node, const check_request_t * request, check_run_t * run)
{
  const rosidl_runtime_c__String__Sequence * texts =
    parameters_strings(&node->parameters, PARAMETER_JOINT_TOLERANCES);
  size_t bytes = 1;
  if (request->tolerance_count > vouch_robot_variable_count(node->robot)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%zu joint tolerances, but the robot has %zu joints that move",
      request->tolerance_count, vouch_robot_variable_count(node->robot));
  }
  for (size_t i = 0; i < texts->size; ++i) {
    bytes += texts->data[i].size + 1;
  }
  run->names = calloc(1, bytes);
  run->joint_tolerances =
    calloc(texts->size + request->tolerance_count + 1, sizeof(*run->joint_tolerances));
  if (run->names == NULL || run->joint_tolerances == NULL) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for tolerances");
  }
  size_t count = 0;
  char * at = run->names;
  for (size_t i = 0; i < texts->size; ++i) {
    const char * text = texts->data[i].data;
    size_t name = strcspn(text, "=");
    if (text[name] != '=') {
      continue;   // an empty string stands for an empty list
    }
    memcpy(at, text, name);
    run->joint_tolerances[count++] = (vouch_joint_tolerance_t) {at, strtod(text + name + 1, NULL)};
    at += name + 1;
  }
  for (size_t i = 0; i < request->tolerance_count; ++i) {
    size_t same = 0;
    while (same < count &&
      strcmp(run->joint_tolerances[same].joint, request->tolerances[i].joint) != 0)
    {
      ++same;
    }
    run->joint_tolerances[same] = request->tolerances[i];
    count = same == count ? count + 1 : count;
  }
  run->options.tolerances = run->joint_tolerances;
  run->options.tolerance_count = count;
  return VOUCH_RET_OK;
}

double robot_joint_tolerance(const vouch_robot_t * robot, size_t variable, double rad, double m)
{
  return robot->joints[robot->variables[variable]].type == VOUCH_URDF_PRISMATIC ? m : rad;
}

/// The same numbers per robot variable, for the start and for the tube of live vetting.
static vouch_ret_t spread_tolerances(const vouch_robot_t * robot, check_run_t * run)
{
  size_t variables = vouch_robot_variable_count(robot);
  run->tolerances = calloc(variables + 1, sizeof(double));
  if (run->tolerances == NULL) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for tolerances");
  }
  for (size_t i = 0; i < variables; ++i) {
    run->tolerances[i] = robot_joint_tolerance(
      robot, i, run->options.tolerance_rad, run->options.tolerance_m);
  }
  for (size_t i = 0; i < run->options.tolerance_count; ++i) {
    const vouch_joint_tolerance_t * item = &run->options.tolerances[i];
    int variable = vouch_robot_find_variable(robot, item->joint);
    if (variable < 0) {
      return vouch_fail(
        VOUCH_RET_INVALID, "tolerance: the robot has no movable joint '%.200s'", item->joint);
    }
    if (!(item->value >= 0.0) || !isfinite(item->value)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "tolerance of joint '%.200s' is %g; it must be a number >= 0",
        item->joint, item->value);
    }
    run->tolerances[variable] = item->value;
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t set_options(
  vouch_node_t * node, const check_request_t * request, check_run_t * run)
{
  const parameters_t * p = &node->parameters;
  double most = parameters_double(p, PARAMETER_MAX_DEADLINE_S);
  if (!(request->deadline_s >= 0.0)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "deadline_s is %g; it must be a number >= 0", request->deadline_s);
  }
  vouch_check_options_t * options = &run->options;
  *options = vouch_check_options_default();
  options->margin_m = request->margin_m;
  options->tolerance_rad = request->tolerance_rad;
  options->tolerance_m = request->tolerance_m;
  options->method = request->method;
  options->deadline_s = request->deadline_s < most ? request->deadline_s : most;
  options->threads = (uint32_t)parameters_integer(p, PARAMETER_THREADS);
  options->max_memory = (size_t)parameters_integer(p, PARAMETER_MAX_MEMORY_MB) << 20;
  options->clearance = request->clearance;
  options->first_contact = request->first_contact;
  options->clearance_resolution_m = parameters_double(p, PARAMETER_CLEARANCE_RESOLUTION_M);
  options->certificate = request->certificate;
  vouch_ret_t ret = collect_tolerances(node, request, run);
  return ret != VOUCH_RET_OK ? ret : spread_tolerances(node->robot, run);
}

/* ---- checkers ---- */

/// A scene with objects in the frames of moving links has to be placed at the start of each motion.
static bool needs_placing(const vouch_scene_t * scene)
{
  for (size_t i = 0; i < scene->object_count; ++i) {
    uint32_t link = scene_store_frame_link(scene, i);
    if (link != VOUCH_NONE && link != 0) {
      return true;
    }
  }
  return false;
}

static vouch_ret_t choose_scene(
  vouch_node_t * node, const check_request_t * request, check_run_t * run)
{
  run->scene = node->scene;
  const rosidl_runtime_c__String__Sequence * rest = &node->rest.not_understood;
  if (request->scene != NULL && !scene_message_is_empty(request->scene)) {
    vouch_ret_t ret = scene_store_derive(node, request->scene, &run->own_scene, &run->rest);
    if (ret != VOUCH_RET_OK) {
      return vouch_fail_prefix(ret, "scene of the request");
    }
    rest = &run->rest;
    run->scene = run->own_scene;
  }
  const char * open = scene_store_open_name(node, rest);
  if (open != NULL) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the scene has a part that is not understood: %.300s (the parameter "
      "'ignore' can name it)", open);
  }
  return VOUCH_RET_OK;
}

/// The scene of a request may say where joints were when its objects were seen.
static void obey_scene_state(
  const vouch_robot_t * robot, const vouch__msg__Scene * message, double * values)
{
  for (size_t i = 0; message != NULL && i < message->state.name.size; ++i) {
    int variable = vouch_robot_find_variable(robot, message->state.name.data[i].data);
    if (variable >= 0) {
      values[variable] = message->state.position.data[i];
    }
  }
}

/// Objects in the frames of links: where the request's scene has them, else at the start.
static vouch_ret_t place_scene(const check_request_t * request, check_run_t * run)
{
  if (!needs_placing(run->scene)) {
    return VOUCH_RET_OK;
  }
  vouch_scene_t * placed = NULL;
  double * start = calloc(vouch_robot_variable_count(run->scene->robot) + 1, sizeof(double));
  vouch_ret_t ret = start == NULL ? vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for a state") :
    vouch_scene_clone(&placed, run->scene);
  if (ret == VOUCH_RET_OK) {
    vouch_motion_evaluate(run->motion, 0.0, start);
    obey_scene_state(run->scene->robot, request->scene, start);
    ret = vouch_scene_set_state(placed, start);
  }
  free(start);
  if (ret != VOUCH_RET_OK) {
    vouch_scene_destroy(placed);
    return ret;
  }
  vouch_scene_destroy(run->own_scene);
  run->scene = run->own_scene = placed;
  return VOUCH_RET_OK;
}

void check_cache_clear(vouch_node_t * node)
{
  for (size_t i = 0; i < CHECKER_CACHE_SIZE; ++i) {
    vouch_checker_destroy(node->cache[i].checker);
    node->cache[i] = (cached_checker_t) {0};
  }
}

static bool same_key(const checker_key_t * a, const checker_key_t * b)
{
  return a->generation == b->generation && a->margin_m == b->margin_m &&
         a->tolerance_rad == b->tolerance_rad && a->tolerance_m == b->tolerance_m &&
         a->deadline_s == b->deadline_s && a->method == b->method &&
         a->clearance == b->clearance && a->first_contact == b->first_contact &&
         a->certificate == b->certificate;
}

/// A checker for the monitored scene, kept for the next request with the same numbers.
static vouch_ret_t cached_checker(vouch_node_t * node, check_run_t * run)
{
  const vouch_check_options_t * o = &run->options;
  checker_key_t key = {
    node->generation, o->margin_m, o->tolerance_rad, o->tolerance_m, o->deadline_s, o->method,
    o->clearance, o->first_contact, o->certificate
  };
  cached_checker_t * oldest = &node->cache[0];
  ++node->cache_clock;
  for (size_t i = 0; i < CHECKER_CACHE_SIZE; ++i) {
    cached_checker_t * entry = &node->cache[i];
    if (entry->checker != NULL && same_key(&entry->key, &key)) {
      entry->used = node->cache_clock;
      run->checker = entry->checker;
      return VOUCH_RET_OK;
    }
    if (entry->checker == NULL || (oldest->checker != NULL && entry->used < oldest->used)) {
      oldest = entry;
    }
  }
  vouch_ret_t ret = vouch_checker_create(&run->checker, run->scene, o);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vouch_checker_destroy(oldest->checker);
  *oldest = (cached_checker_t) {key, run->checker, node->cache_clock};
  return VOUCH_RET_OK;
}

static vouch_ret_t choose_checker(
  vouch_node_t * node, const check_request_t * request, check_run_t * run)
{
  if (run->own_scene == NULL && request->tolerance_count == 0) {
    return cached_checker(node, run);
  }
  run->own_checker = true;
  return vouch_checker_create(&run->checker, run->scene, &run->options);
}

/* ---- the check ---- */

static vouch_ret_t run_steps(
  vouch_node_t * node, const check_request_t * request, vouch_motion_t * motion,
  check_run_t * run)
{
  if (robot_source_lack(node) != NULL) {
    return vouch_fail(VOUCH_RET_INVALID, "%s", robot_source_lack(node));
  }
  vouch_ret_t ret = set_options(node, request, run);
  ret = ret != VOUCH_RET_OK ? ret : choose_scene(node, request, run);
  if (ret == VOUCH_RET_OK && motion != NULL) {
    run->motion = motion;
  } else if (ret == VOUCH_RET_OK) {
    ret = check_motion_create(node, request, run);
  }
  ret = ret != VOUCH_RET_OK ? ret : place_scene(request, run);
  ret = ret != VOUCH_RET_OK ? ret : choose_checker(node, request, run);
  return ret != VOUCH_RET_OK ? ret : vouch_check(run->checker, run->motion, &run->result);
}

static void run_and_count(
  vouch_node_t * node, const check_request_t * request, vouch_motion_t * motion,
  check_run_t * run)
{
  run->ret = run_steps(node, request, motion, run);
  if (run->ret != VOUCH_RET_OK) {
    run->result = (vouch_result_t) {0};
    snprintf(run->error, sizeof(run->error), "%s", vouch_error());
    node_refused(node);
  }
  statistics_t * statistics = &node->statistics;
  ++statistics->checks;
  ++statistics->verdicts[node_check_verdict(run) & 3];
  if (run->ret == VOUCH_RET_OK) {
    statistics->times[statistics->time_count++ % TIME_WINDOW] = run->result.statistics.seconds;
  }
}

void node_check(vouch_node_t * node, const check_request_t * request, check_run_t * run)
{
  memset(run, 0, sizeof(*run));
  run_and_count(node, request, NULL, run);
}

void node_check_motion(
  vouch_node_t * node, const check_request_t * request, vouch_motion_t * motion,
  check_run_t * run)
{
  memset(run, 0, sizeof(*run));
  run_and_count(node, request, motion, run);
  run->motion = motion;
}

void node_check_fini(check_run_t * run)
{
  if (run->own_checker) {
    vouch_checker_destroy(run->checker);
  }
  vouch_scene_destroy(run->own_scene);
  vouch_motion_destroy(run->motion);
  rosidl_runtime_c__String__Sequence__fini(&run->rest);
  free(run->tolerances);
  free(run->joint_tolerances);
  free(run->names);
  memset(run, 0, sizeof(*run));
}
