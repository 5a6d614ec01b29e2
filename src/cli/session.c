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
#include "cli/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/outputs.h"
#include "cli/pages.h"
#include "cli/source.h"
#include "cli/strict.h"
#include "cli/terminal.h"
#include "model/robot.h"
#include "model/scene.h"
#include "read/cache.h"

/* Zeroed; sets the error text when there is none. */
static void * zeroed(size_t count, size_t size)
{
  vouch_allocator_t allocator = vouch_allocator_default();
  return vouch_calloc(&allocator, count + 1, size);
}

/* ---- robot ---- */

bool cli_session_needs_sources(const cli_settings_t * settings)
{
  return settings->problem || settings->certificate;
}

/* A problem and a certificate are about the mesh files as they are, and not about what somebody may
 * have put into a cache. */
static const char * cache_directory(
  const cli_settings_t * settings, char * buffer, size_t size)
{
  return cli_session_needs_sources(settings) ? NULL :
         vouch_cache_directory(settings->cache, buffer, size);
}

/* Splits name=directory; the names live in `names`. The first of a name counts, so what a list says
 * comes before what the command line says. */
static vouch_ret_t split_packages(
  const cli_texts_t * texts, vouch_package_t ** packages, char ** names)
{
  size_t total = 0;
  for (size_t i = 0; i < texts->count; i++) {
    total += strlen(texts->items[i]) + 1;
  }
  *packages = zeroed(texts->count, sizeof(**packages));
  *names = zeroed(total, 1);
  if (!*packages || !*names) {
    return VOUCH_RET_NO_MEMORY;
  }
  char * at = *names;
  for (size_t i = 0; i < texts->count; i++) {
    const char * text = texts->items[(i + texts->overruled) % texts->count];
    size_t length = strlen(text);
    memcpy(at, text, length + 1);
    char * equals = strchr(at, '=');
    *equals = '\0';
    (*packages)[i] = (vouch_package_t) {at, equals + 1};
    at += length + 1;
  }
  return VOUCH_RET_OK;
}

/* Paddings with a name may mean an object: those are set on the scene. */
static double default_padding(const cli_settings_t * settings)
{
  double padding = 0.0;
  for (size_t i = 0; i < settings->paddings.count; i++) {
    padding = settings->paddings.items[i].name ? padding : settings->paddings.items[i].value;
  }
  return padding;
}

vouch_ret_t cli_session_load_robot(cli_session_t * session)
{
  const cli_settings_t * settings = session->settings;
  vouch_robot_options_t options = vouch_robot_options_default();
  char cache[4096];
  char * names = NULL;
  vouch_package_t * packages = NULL;
  vouch_link_value_t * scales = NULL;
  if (!settings->robot) {
    return vouch_fail(VOUCH_RET_INVALID, "No robot is given; name its URDF file with --robot.");
  }
  vouch_ret_t ret = split_packages(&settings->packages, &packages, &names);
  scales = zeroed(settings->scales.count, sizeof(*scales));
  if (!scales) {
    ret = VOUCH_RET_NO_MEMORY;
  }
  if (ret == VOUCH_RET_OK) {
    for (size_t i = 0; i < settings->scales.count; i++) {
      scales[i] = (vouch_link_value_t) {
        settings->scales.items[i].name, settings->scales.items[i].value
      };
    }
    options.srdf_path = settings->srdf;
    options.packages = packages;
    options.package_count = settings->packages.count;
    options.hulls = settings->hulls;
    options.surfaces = settings->surfaces;
    options.cache_directory = cache_directory(settings, cache, sizeof(cache));
    options.default_padding_m = default_padding(settings);
    options.scales = scales;
    options.scale_count = settings->scales.count;
    ret = cli_source_is_xacro(settings->robot) ?
      cli_source_load_xacro(&session->own_robot, settings->robot, &options) :
      vouch_robot_load_urdf(&session->own_robot, settings->robot, &options);
    session->robot = session->own_robot;
  }
  free(scales);
  free(packages);
  free(names);
  return ret;
}

/* ---- start state and scene ---- */

static vouch_ret_t apply_group_state(
  const vouch_robot_t * robot, const char * text, double * values)
{
  char group[256];
  const char * slash = strchr(text, '/');
  size_t length = (size_t)(slash - text);
  if (length >= sizeof(group)) {
    return vouch_fail(VOUCH_RET_INVALID, "The group name in '%s' is too long.", text);
  }
  memcpy(group, text, length);
  group[length] = '\0';
  return vouch_robot_group_state(robot, group, slash + 1, values);
}

/* What is known of `asked` goes into the state. */
static void merge(
  const double * asked, const double * speeds, size_t count, double * values, double * velocities)
{
  for (size_t i = 0; i < count; i++) {
    if (!isnan(asked[i])) {
      values[i] = asked[i];
      velocities[i] = speeds ? speeds[i] : 0.0;
    }
  }
}

/* Overwrites the state with what --request, --group-state and --start say, in this order. Only a
 * request says how fast the robot is. */
static vouch_ret_t apply_start(
  const cli_session_t * session, double * values, double * velocities)
{
  const cli_settings_t * settings = session->settings;
  const vouch_robot_t * robot = session->robot;
  size_t count = vouch_robot_variable_count(robot);
  vouch_ret_t ret = VOUCH_RET_OK;
  double * asked = zeroed(2 * count, sizeof(*asked));
  if (!asked) {
    return VOUCH_RET_NO_MEMORY;
  }
  if (settings->request) {
    ret = vouch_state_load_moving(robot, settings->request, asked, asked + count);
    if (ret == VOUCH_RET_OK) {
      merge(asked, asked + count, count, values, velocities);
    }
  }
  for (size_t i = 0; i < settings->group_states.count && ret == VOUCH_RET_OK; i++) {
    for (size_t k = 0; k < count; k++) {
      asked[k] = NAN;
    }
    ret = apply_group_state(robot, settings->group_states.items[i], asked);
    merge(asked, NULL, count, values, velocities);
  }
  free(asked);
  for (size_t i = 0; i < settings->start.count && ret == VOUCH_RET_OK; i++) {
    int variable = vouch_robot_find_variable(robot, settings->start.items[i].name);
    if (variable < 0) {
      return vouch_fail(
        VOUCH_RET_INVALID, "--start names the joint '%s', which %s does not have or cannot move.",
        settings->start.items[i].name, settings->robot);
    }
    values[variable] = settings->start.items[i].value;
    velocities[variable] = 0.0;
  }
  return ret;
}

/* The state is set before the files, because they may place objects at links, and after them,
 * because what the user says wins over a state inside a scene file. */
static vouch_ret_t set_state(cli_session_t * session)
{
  double * values = zeroed(vouch_robot_variable_count(session->robot), sizeof(*values));
  if (!values) {
    return VOUCH_RET_NO_MEMORY;
  }
  vouch_scene_get_state(session->scene, values);
  vouch_ret_t ret = apply_start(session, values, session->scene->velocities);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_scene_set_state(session->scene, values);
  }
  free(values);
  return ret;
}

/* A second whole scene throws the first one away, which nobody means who names both. */
static vouch_ret_t load_scenes(cli_session_t * session)
{
  const cli_texts_t * scenes = &session->settings->scenes;
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; i < scenes->count && ret == VOUCH_RET_OK; i++) {
    const uint32_t wholes = session->scene->wholes;
    ret = vouch_scene_load(session->scene, scenes->items[i]);
    if (ret == VOUCH_RET_OK && i > 0 && session->scene->wholes != wholes) {
      ret = vouch_fail(
        VOUCH_RET_INVALID, "%s: this is a whole scene, and nothing of %s would be left: write "
        "is_diff: true into it, or leave one of the two out", scenes->items[i],
        scenes->items[i - 1]);
    }
  }
  return ret;
}

/* A joint that moves is above the link. */
static bool link_moves(const vouch_robot_t * robot, uint32_t link)
{
  for (; link != 0 && link != VOUCH_NONE; link = robot->joints[link - 1].parent) {
    if (robot->joints[link - 1].variable != VOUCH_NONE) {
      return true;
    }
  }
  return false;
}

/* What is right by the rules and still may not be what was meant. */
static vouch_ret_t warn_of_places(cli_session_t * session)
{
  vouch_scene_t * scene = session->scene;
  const vouch_robot_t * robot = session->robot;
  vouch_ret_t ret = VOUCH_RET_OK;
  if (robot->virtual_moves && !scene->base_known && scene->object_count > 0) {
    ret = vouch_scene_warn(
      scene, NULL, "no state says where the base is (virtual joint '%s', which can move): it is "
      "taken to stand at the origin of '%s'", robot->virtual_joint, robot->virtual_parent_frame);
  }
  if (ret == VOUCH_RET_OK && session->settings->request && !vouch_pose_is_identity(&scene->base)) {
    ret = vouch_scene_warn(
      scene, NULL, "the base stands where the scene has it; of --request only the joint values are "
      "taken");
  }
  bool alone = true;
  for (size_t i = 0; i < scene->object_count && ret == VOUCH_RET_OK; i++) {
    const vouch_object_t * object = &scene->objects[i];
    alone = alone && object->link != VOUCH_NONE;
    if (object->link == VOUCH_NONE &&
      link_moves(robot, vouch_robot_find_link(robot, object->frame)))
    {
      ret = vouch_scene_warn(
        scene, object->id, "object '%s' is given in the frame of link '%s', which moves: it stays "
        "where the start state has that link (attach it if it moves along)", object->id,
        object->frame);
    }
  }
  return ret != VOUCH_RET_OK || !alone ? ret : vouch_scene_warn(
    scene, NULL, "there are no obstacles: the robot is checked against itself only");
}

/* What the user says wins over what a scene says: first for all links, then for those with a name. */
static vouch_ret_t set_paddings(cli_session_t * session)
{
  const cli_settings_t * settings = session->settings;
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; i < settings->paddings.count; i++) {
    for (size_t k = 0; !settings->paddings.items[i].name && ret == VOUCH_RET_OK &&
      k < vouch_robot_link_count(session->robot); k++)
    {
      ret = vouch_scene_set_padding(
        session->scene, vouch_robot_link_name(session->robot, k), default_padding(settings));
    }
  }
  for (size_t i = 0; i < settings->paddings.count && ret == VOUCH_RET_OK; i++) {
    const cli_named_number_t * padding = &settings->paddings.items[i];
    if (padding->name) {
      ret = vouch_scene_set_padding(session->scene, padding->name, padding->value);
    }
  }
  return ret;
}

vouch_ret_t cli_session_load_scene(cli_session_t * session)
{
  const cli_settings_t * settings = session->settings;
  vouch_scene_options_t options = vouch_scene_options_default();
  options.hulls = settings->hulls;
  options.surfaces = settings->surfaces;
  vouch_ret_t ret = vouch_scene_create(&session->scene, session->robot, &options);
  if (ret == VOUCH_RET_OK) {
    ret = set_state(session);
  }
  ret = ret == VOUCH_RET_OK ? load_scenes(session) : ret;
  if (ret == VOUCH_RET_OK) {
    ret = set_state(session);
  }
  ret = ret == VOUCH_RET_OK ? cli_strict_allow(session) : ret;
  ret = ret == VOUCH_RET_OK ? warn_of_places(session) : ret;
  return ret == VOUCH_RET_OK ? set_paddings(session) : ret;
}

/* ---- motion ---- */

/* How far the start state may be from the first point: the tolerance of each joint. */
static void fill_start_tolerances(const cli_session_t * session, double * tolerances)
{
  const vouch_robot_t * robot = session->robot;
  const cli_settings_t * settings = session->settings;
  for (size_t i = 0; i < vouch_robot_variable_count(robot); i++) {
    bool prismatic = robot->joints[robot->variables[i]].type == VOUCH_URDF_PRISMATIC;
    double value = prismatic ? settings->check.tolerance_m : settings->check.tolerance_rad;
    for (size_t k = 0; k < settings->joint_tolerances.count; k++) {
      const cli_named_number_t * own = &settings->joint_tolerances.items[k];
      value = strcmp(own->name, vouch_robot_variable_name(robot, i)) == 0 ? own->value : value;
    }
    tolerances[i] = fmax(value, 1e-9);
  }
}

vouch_ret_t cli_session_load_motion(cli_session_t * session)
{
  const cli_settings_t * settings = session->settings;
  size_t count = vouch_robot_variable_count(session->robot);
  if (!settings->trajectory) {
    return vouch_fail(
      VOUCH_RET_INVALID,
      "No trajectory is given; name its file with --trajectory.");
  }
  double * numbers = zeroed(3 * count, sizeof(*numbers));
  const char ** names = zeroed(count, sizeof(*names));
  vouch_ret_t ret = VOUCH_RET_NO_MEMORY;
  if (numbers && names) {
    vouch_motion_options_t options = vouch_motion_options_default();
    double * velocities = numbers + 2 * count;
    vouch_joint_values_t start = {
      .names = names, .positions = numbers, .velocities = velocities
    };
    vouch_scene_get_state(session->scene, numbers);
    for (size_t i = 0; i < count; i++) {
      if (!isnan(numbers[i])) {
        names[start.count] = vouch_robot_variable_name(session->robot, i);
        velocities[start.count] = session->scene->velocities[i];
        numbers[start.count++] = numbers[i];
      }
    }
    fill_start_tolerances(session, numbers + count);
    options.model = settings->model;
    options.start_state = start.count > 0 ? &start : NULL;
    options.start_tolerances = numbers + count;
    options.unwind_lead_in = settings->unwind_lead_in;
    options.degrees = settings->degrees;
    options.columns = settings->columns;
    ret = strcmp(settings->trajectory, "-") == 0 ?
      cli_source_read_motion(&session->motion, session->robot, &options) :
      vouch_motion_load(&session->motion, session->robot, settings->trajectory, &options);
  }
  free(numbers);
  free(names);
  return ret;
}

/* ---- the check ---- */

vouch_ret_t cli_session_fill_options(cli_session_t * session)
{
  const cli_settings_t * settings = session->settings;
  session->options = settings->check;
  session->options.certificate = cli_session_needs_sources(settings);
  session->tolerances = zeroed(settings->joint_tolerances.count, sizeof(*session->tolerances));
  if (!session->tolerances) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < settings->joint_tolerances.count; i++) {
    session->tolerances[i] = (vouch_joint_tolerance_t) {
      settings->joint_tolerances.items[i].name, settings->joint_tolerances.items[i].value
    };
  }
  session->options.tolerances = session->tolerances;
  session->options.tolerance_count = settings->joint_tolerances.count;
  return VOUCH_RET_OK;
}

vouch_ret_t cli_session_create_checker(cli_session_t * session)
{
  vouch_ret_t ret = cli_session_fill_options(session);
  return ret != VOUCH_RET_OK ? ret :
         vouch_checker_create(&session->checker, session->scene, &session->options);
}

vouch_ret_t cli_session_check(cli_session_t * session)
{
  vouch_ret_t ret = vouch_check(session->checker, session->motion, &session->result);
  return ret == VOUCH_RET_OK ? cli_strict_judge(session) : ret;
}

vouch_ret_t cli_session_run(cli_session_t * session)
{
  double begin = cli_now();
  vouch_ret_t ret = cli_outputs_begin(session->settings);
  if (ret == VOUCH_RET_OK && !session->robot) {
    ret = cli_session_load_robot(session);
  }
  if (ret == VOUCH_RET_OK) {
    ret = cli_session_load_scene(session);
  }
  if (ret == VOUCH_RET_OK) {
    ret = cli_session_load_motion(session);
  }
  if (ret == VOUCH_RET_OK) {
    ret = cli_session_create_checker(session);
  }
  session->load_seconds = cli_now() - begin;
  return ret == VOUCH_RET_OK ? cli_session_check(session) : ret;
}

vouch_report_t cli_session_report(const cli_session_t * session, vouch_ret_t ret)
{
  return (vouch_report_t) {
           .error = vouch_error(), .result = ret == VOUCH_RET_OK ? &session->result : NULL,
           .checker = session->checker, .options = &session->options, .motion = session->motion,
           .scene = session->scene, .load_seconds = session->load_seconds,
           .asked = session->asked, .asked_count = session->asked_count,
           .doubts = (const char * const *)session->doubts, .doubt_count = session->doubt_count
  };
}

vouch_ret_t cli_write_bytes(
  const vouch_checker_t * checker, const char * path,
  vouch_ret_t (* get)(const vouch_checker_t *, uint8_t **, size_t *))
{
  uint8_t * data = NULL;
  size_t size = 0;
  vouch_ret_t ret = get(checker, &data, &size);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_file_write(path, data, size);
    vouch_bytes_free(checker, data);
  }
  return ret;
}

vouch_ret_t cli_write_picture(
  const vouch_report_t * report, const char * about, const char * path)
{
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  const char * slash = strrchr(about, '/');
  char title[256];
  snprintf(
    title, sizeof(title), "%s: %s", vouch_robot_name(vouch_scene_robot(report->scene)),
    slash ? slash + 1 : about);
  vouch_ret_t ret = vouch_report_picture(report, title, &text);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_file_write(path, text.data, text.size);
  }
  vouch_text_fini(&text);
  return ret;
}

vouch_ret_t cli_session_write_files(const cli_session_t * session)
{
  const cli_settings_t * settings = session->settings;
  vouch_verdict_t verdict = session->result.verdict;
  vouch_ret_t ret = VOUCH_RET_OK;
  if (settings->problem) {
    ret = cli_write_bytes(session->checker, settings->problem, vouch_checker_problem);
  }
  if (ret == VOUCH_RET_OK && settings->certificate) {
    if (verdict == VOUCH_FREE || verdict == VOUCH_COLLISION) {
      ret = cli_write_bytes(session->checker, settings->certificate, vouch_checker_certificate);
    } else {
      fprintf(
        stderr, "vouch: %s was not written: an undecided motion has no certificate.\n",
        settings->certificate);
    }
  }
  if (ret == VOUCH_RET_OK && settings->picture) {
    const vouch_report_t report = cli_session_report(session, VOUCH_RET_OK);
    ret = cli_write_picture(&report, settings->trajectory, settings->picture);
  }
  if (ret == VOUCH_RET_OK) {
    ret = cli_pages_write(session);
  }
  return ret;
}

void cli_session_fini(cli_session_t * session)
{
  vouch_checker_destroy(session->checker);
  vouch_motion_destroy(session->motion);
  vouch_scene_destroy(session->scene);
  vouch_robot_destroy(session->own_robot);
  free(session->tolerances);
  cli_strict_fini(session);
  memset(session, 0, sizeof(*session));
}
