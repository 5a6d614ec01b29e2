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

#include "check/again.h"

#include <math.h>
#include <pthread.h>

#include "base/error.h"
#include "base/fpguard.h"

vouch_check_options_t vouch_check_options_default(void)
{
  return (vouch_check_options_t) {.struct_size = sizeof(vouch_check_options_t),
           .allocator = vouch_allocator_default(), .method = VOUCH_METHOD_CHORD, .max_depth = 24,
           .max_memory = (size_t)256 << 20, .threads = 1, .first_contact = true, .clearance = true,
             .clearance_resolution_m = 1e-4};
}

static vouch_ret_t check_number(const char * name, double value, double most)
{
  if (!(value >= 0.0 && value <= most)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s is %g: it must be a number from 0 to %g", name, value, most);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_deadline(double deadline_s)
{
  return check_number("deadline_s", deadline_s, 1e9);
}

static vouch_ret_t check_options(const vouch_check_options_t * o)
{
  vouch_ret_t ret = vouch_options_check(
    "check_options", o->struct_size, sizeof(*o), &o->allocator);
  ret = ret ? ret : check_number("margin_m", o->margin_m, 1e3);
  ret = ret ? ret : check_number("tolerance_rad", o->tolerance_rad, 7.0);
  ret = ret ? ret : check_number("tolerance_m", o->tolerance_m, 1e3);
  ret = ret ? ret : check_deadline(o->deadline_s);
  ret = ret ? ret : check_number("max_depth", (double)o->max_depth, KERNEL_MAX_DEPTH);
  ret = ret ? ret : check_number("threads", (double)o->threads, CHECK_MAX_WORKERS);
  if (ret == VOUCH_RET_OK && o->clearance && !(o->clearance_resolution_m >= 1e-9)) {
    ret = vouch_fail(
      VOUCH_RET_INVALID, "clearance_resolution_m is %g: it must be at least 1e-9",
      o->clearance_resolution_m);
  }
  if (ret == VOUCH_RET_OK && o->method != VOUCH_METHOD_CHORD &&
    o->method != VOUCH_METHOD_SCHWARZER)
  {
    ret = vouch_fail(VOUCH_RET_INVALID, "method %d is not known", (int)o->method);
  }
  return ret;
}

static vouch_ret_t find_tolerances(vouch_checker_t * c, const vouch_robot_t * robot)
{
  const vouch_check_options_t * o = &c->options;
  c->tolerances = vouch_calloc(&c->allocator, robot->variable_count, sizeof(double));
  if (c->tolerances == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < robot->variable_count; i++) {
    const vouch_joint_t * joint = &robot->joints[robot->variables[i]];
    c->tolerances[i] = joint->type == VOUCH_URDF_PRISMATIC ? o->tolerance_m : o->tolerance_rad;
  }
  for (size_t i = 0; i < o->tolerance_count; i++) {
    const vouch_joint_tolerance_t * t = &o->tolerances[i];
    int variable = vouch_robot_find_variable(robot, t->joint);
    if (variable < 0) {
      return vouch_fail(
        VOUCH_RET_INVALID, "tolerance for joint '%s', which is not a moving joint of robot '%s'",
        t->joint, robot->name);
    }
    vouch_ret_t ret = check_number("a joint tolerance", t->value, 1e3);
    if (ret != VOUCH_RET_OK) {
      return vouch_fail_prefix(ret, "joint '%s'", t->joint);
    }
    c->tolerances[variable] = t->value;
  }
  c->options.tolerances = NULL;   // the caller's array is not kept
  c->options.tolerance_count = 0;
  return VOUCH_RET_OK;
}

/// A motion of one constant segment, so that sizes are known before the first check.
static vouch_ret_t rest(vouch_checker_t * c, const vouch_robot_t * robot)
{
  double * zeros = vouch_calloc(&c->allocator, robot->variable_count, sizeof(double));
  if (zeros == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  vouch_ret_t ret = vouch_build_set_edge(&c->build, robot, zeros, zeros, c->tolerances);
  vouch_free(&c->allocator, zeros);
  return ret;
}

vouch_ret_t check_create_workers(
  const vouch_checker_t * c, const kernel_scene_t * kernel, check_worker_t ** workers)
{
  check_worker_t * all = vouch_calloc(&c->allocator, c->worker_count, sizeof(*all));
  *workers = all;
  if (all == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (uint32_t i = 0; i < c->worker_count; i++) {
    vouch_ret_t ret = kernel_proof_create(
      &all[i].proof, kernel, c->allocator, c->options.max_memory / c->worker_count);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    all[i].search.proof = all[i].proof;
  }
  return VOUCH_RET_OK;
}

void check_destroy_workers(const vouch_checker_t * c, check_worker_t * workers)
{
  for (uint32_t i = 0; workers != NULL && i < c->worker_count; i++) {
    kernel_proof_destroy(workers[i].proof);
  }
  vouch_free(&c->allocator, workers);
}

static vouch_ret_t make_room(vouch_checker_t * c)
{
  const vouch_scene_part_t * scene = &c->build.problem.scene;
  c->worker_count = c->options.threads > 1u ? c->options.threads : 1u;
  check_count(c);
  c->pairs = vouch_calloc(&c->allocator, scene->pair_count, sizeof(*c->pairs));
  c->poses = vouch_calloc(&c->allocator, scene->frame_count, sizeof(*c->poses));
  if (c->pairs == NULL || c->poses == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  return check_create_workers(c, &c->kernel, &c->workers);
}

/* Geometries are shared between checkers of one robot, and derived by the first that needs them. */
static pthread_mutex_t deriving = PTHREAD_MUTEX_INITIALIZER;

vouch_ret_t check_derive(
  kernel_scene_t * kernel, const vouch_problem_t * problem, vouch_allocator_t allocator)
{
  pthread_mutex_lock(&deriving);
  vouch_ret_t ret = kernel_scene_init(kernel, problem, allocator);
  pthread_mutex_unlock(&deriving);
  return ret;
}

static vouch_ret_t fill(vouch_checker_t * c, const vouch_scene_t * scene)
{
  const vouch_robot_t * robot = vouch_scene_robot(scene);
  vouch_ret_t ret = vouch_scene_clone(&c->scene, scene);
  c->robot_revision = robot->revision;
  ret = ret ? ret : find_tolerances(c, robot);
  ret = ret ? ret : vouch_build_scene(&c->build, c->scene, c->options.margin_m, c->allocator);
  ret = ret ? ret : rest(c, robot);
  ret = ret ? ret : vouch_problem_validate(&c->build.problem);
  ret = ret ? ret : check_derive(&c->kernel, &c->build.problem, c->allocator);
  ret = ret ? ret : make_room(c);
  return ret ? ret : check_statics(c);
}

vouch_ret_t vouch_checker_create(
  vouch_checker_t ** checker, const vouch_scene_t * scene, const vouch_check_options_t * options)
{
  VOUCH_REQUIRE("checker", checker);
  *checker = NULL;
  VOUCH_REQUIRE("scene", scene);
  vouch_check_options_t defaults = vouch_check_options_default();
  const vouch_check_options_t * o = options != NULL ? options : &defaults;
  vouch_ret_t ret = check_options(o);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vouch_checker_t * c = vouch_calloc(&o->allocator, 1, sizeof(*c));
  if (c == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  c->allocator = o->allocator;
  c->options = *o;
  ret = fill(c, scene);
  if (ret != VOUCH_RET_OK) {
    vouch_checker_destroy(c);
    return ret;
  }
  *checker = c;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_checker_clone(vouch_checker_t ** copy, const vouch_checker_t * checker)
{
  VOUCH_REQUIRE("copy", copy);
  *copy = NULL;
  VOUCH_REQUIRE("checker", checker);
  vouch_ret_t ret = vouch_checker_create(copy, checker->scene, &checker->options);
  if (ret == VOUCH_RET_OK) {
    memcpy(
      (*copy)->tolerances, checker->tolerances,
      vouch_scene_robot(checker->scene)->variable_count * sizeof(double));
  }
  return ret;
}

void vouch_checker_destroy(vouch_checker_t * c)
{
  if (c == NULL) {
    return;
  }
  vouch_allocator_t allocator = c->allocator;
  check_kept_destroy(c);
  vouch_text_fini(&c->fixed);
  check_destroy_workers(c, c->workers);
  vouch_free(&allocator, c->pairs);
  vouch_free(&allocator, c->poses);
  vouch_free(&allocator, c->statics);
  vouch_free(&allocator, c->tolerances);
  kernel_scene_fini(&c->kernel);
  vouch_build_fini(&c->build);
  vouch_scene_destroy(c->scene);
  vouch_free(&allocator, c);
}

vouch_ret_t vouch_checker_set_deadline(vouch_checker_t * c, double deadline_s)
{
  VOUCH_REQUIRE("checker", c);
  vouch_ret_t ret = check_deadline(deadline_s);
  if (ret == VOUCH_RET_OK) {
    c->options.deadline_s = deadline_s;
  }
  return ret;
}

void vouch_checker_cancel(vouch_checker_t * c, bool cancel)
{
  if (c != NULL) {
    atomic_store(&c->cancelled, cancel);
  }
}

vouch_ret_t check_robot(const vouch_checker_t * c)
{
  const vouch_robot_t * robot = vouch_scene_robot(c->scene);
  return robot->revision == c->robot_revision ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "shapes of robot '%s' were replaced after this checker was made: make a new "
    "one", robot->name);
}

vouch_ret_t check_growth(const vouch_checker_t * c, bool has_time)
{
  const vouch_scene_part_t * scene = &c->build.problem.scene;
  for (uint32_t i = 0; c->kernel.grows && !has_time && i < scene->body_count; i++) {
    if (scene->bodies[i].growth > 0.0) {
      return vouch_fail(
        VOUCH_RET_INVALID, "object '%s' grows by %g m/s, and the motion has no times: give each point "
        "its time", scene->bodies[i].name,
        scene->bodies[i].growth);
    }
  }
  return VOUCH_RET_OK;
}

vouch_ret_t check_begin(vouch_checker_t * c, const vouch_motion_t * motion)
{
  c->checked = false;
  vouch_ret_t ret = check_robot(c);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (motion->robot != vouch_scene_robot(c->scene)) {
    return vouch_fail(VOUCH_RET_INVALID, "the motion belongs to another robot than the checker");
  }
  ret = check_growth(c, vouch_motion_has_time(motion));
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  check_forget(c);
  check_warn(c, motion);
  return vouch_build_set_motion(&c->build, motion, c->tolerances);
}

vouch_ret_t check_end(vouch_checker_t * c, vouch_ret_t ret, vouch_result_t * result)
{
  if (ret != VOUCH_RET_OK) {
    c->checked = false;
    result->verdict = VOUCH_UNDECIDED;
  }
  return ret;
}

vouch_ret_t vouch_check(
  vouch_checker_t * c, const vouch_motion_t * motion, vouch_result_t * result)
{
  VOUCH_REQUIRE_RESULT(result);
  VOUCH_REQUIRE("checker, motion", c, motion);
  vouch_ret_t ret = check_begin(c, motion);
  return check_end(c, ret ? ret : check_run(c, result), result);
}

vouch_ret_t vouch_check_motion(
  vouch_checker_t * c, const double * from, const double * to, vouch_result_t * result)
{
  VOUCH_REQUIRE_RESULT(result);
  VOUCH_REQUIRE("checker", c);
  VOUCH_REQUIRE_ARRAY("from", from, vouch_scene_robot(c->scene)->variable_count);
  VOUCH_REQUIRE_ARRAY("to", to, vouch_scene_robot(c->scene)->variable_count);
  c->checked = false;
  c->warning[0] = '\0';
  check_forget(c);
  vouch_ret_t ret = check_robot(c);
  ret = ret ? ret : check_growth(c, false);
  ret = ret ? ret : vouch_build_set_edge(
    &c->build, vouch_scene_robot(c->scene), from, to, c->tolerances);
  return check_end(c, ret ? ret : check_run(c, result), result);
}

/* ---- for people ---- */

static const char * body_name(const vouch_checker_t * c, uint32_t body)
{
  return c->build.problem.scene.bodies[body].name;
}

bool check_has_goal(const vouch_scene_part_t * scene, uint32_t pair)
{
  const vouch_pair_t * p = &scene->pairs[pair];
  uint32_t root = vouch_group_of(scene, p->b);
  return p->a < scene->body_count && (root == VOUCH_NONE || p->checked[root]);
}

/// Pairs of bodies that one pair of the scene stands for.
static size_t count_bodies(const vouch_scene_part_t * scene, const vouch_pair_t * pair)
{
  size_t count = pair->kind != VOUCH_PAIR_GROUP && pair->a < scene->body_count;
  for (uint32_t g = 0; pair->kind == VOUCH_PAIR_GROUP && g < scene->group_count; g++) {
    count += scene->groups[g].body != VOUCH_NONE && pair->checked[g];
  }
  return count;
}

size_t check_count_pairs(const vouch_scene_part_t * scene)
{
  size_t count = 0;
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    count += count_bodies(scene, &scene->pairs[i]);
  }
  return count;
}

void check_count(vouch_checker_t * c)
{
  const vouch_scene_part_t * scene = &c->build.problem.scene;
  c->pair_count = check_count_pairs(scene);
  c->may_touch = 0;
  c->least_margin = INFINITY;
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    const vouch_pair_t * pair = &scene->pairs[i];
    if (pair->margin < 0.0) {
      c->may_touch += count_bodies(scene, pair);
    } else if (pair->margin < c->least_margin && check_has_goal(scene, i)) {
      c->least_margin = pair->margin;
    }
  }
}

size_t vouch_checker_pair_count(const vouch_checker_t * c)
{
  return c->pair_count;
}

void vouch_checker_pair(
  const vouch_checker_t * c, size_t number, const char ** a, const char ** b, double * margin_m)
{
  const vouch_scene_part_t * scene = &c->build.problem.scene;
  *a = *b = "";
  *margin_m = 0.0;
  size_t count = 0;
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    const vouch_pair_t * pair = &scene->pairs[i];
    uint32_t others = pair->kind == VOUCH_PAIR_GROUP ? scene->group_count :
      pair->a < scene->body_count ? 1u : 0u;
    for (uint32_t g = 0; g < others; g++) {
      bool group = pair->kind == VOUCH_PAIR_GROUP;
      if (group && (scene->groups[g].body == VOUCH_NONE || !pair->checked[g])) {
        continue;
      }
      if (count++ == number) {
        *a = body_name(c, pair->a);
        *b = body_name(c, group ? scene->groups[g].body : pair->b);
        *margin_m = pair->margin;
        return;
      }
    }
  }
}

size_t vouch_checker_warning_count(const vouch_checker_t * c)
{
  return c->warning[0] != '\0';
}

const char * vouch_checker_warning(const vouch_checker_t * c, size_t number)
{
  return number == 0 ? c->warning : "";
}

const char * vouch_open_reason_name(vouch_open_reason_t reason)
{
  static const char * const names[] = {"none", "deadline", "depth", "tolerance", "memory",
    "surface", "containment", "unsupported", "cancelled", "embedded", "touch"};
  return (unsigned)reason < sizeof(names) / sizeof(names[0]) ? names[reason] : "unknown";
}
