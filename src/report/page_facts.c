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
/* What the verdict says and what it rests on: hashes, versions, options, assumptions. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/sha256.h"
#include "report/json_tools.h"
#include "report/page_data.h"

/* Bytes of an input file that are read for its hash, at most. */
#define MOST_INPUT ((size_t)256 << 20)

static void set_hex(json_t * object, const char * key, const uint8_t digest[32])
{
  char hex[65];
  vouch_sha256_hex(digest, hex);
  set_text(object, key, hex);
}

static void say(json_t * array, const char * text)
{
  json_array_append_new(array, string(text));
}

static const char * model_sentence(const vouch_motion_t * motion)
{
  switch (vouch_motion_model(motion)) {
    case VOUCH_MODEL_CONTROLLER:
      return "The motion is the polynomials that joint_trajectory_controller makes of the points.";
    case VOUCH_MODEL_PLANNER:
      return
        "Points are joined by straight lines in the joints; continuous joints take the shorter "
        "way round.";
    case VOUCH_MODEL_LINEAR:
      return "Points are joined by straight lines in the joints, with the numbers as they are.";
    case VOUCH_MODEL_POLYNOMIAL:
      return "The motion is the polynomials of the file.";
    case VOUCH_MODEL_AUTO:
      break;
  }
  return "";
}

static void say_deviations(json_t * array, const vouch_check_options_t * options)
{
  char text[256];
  if (options->tolerance_rad > 0.0 || options->tolerance_m > 0.0 || options->tolerance_count > 0) {
    snprintf(
      text, sizeof(text), "Every joint may deviate at any time: revolute ones by %g rad, prismatic "
      "ones by %g m%s. Distances on this page are of the motion without deviations.",
      options->tolerance_rad, options->tolerance_m,
      options->tolerance_count > 0 ? ", single joints by their own" : "");
  } else {
    snprintf(
      text, sizeof(text),
      "The robot follows the motion exactly: no deviation of a joint is covered.");
  }
  say(array, text);
  snprintf(
    text, sizeof(text), "Between checked pairs more than %g m must remain, and their paddings.",
    options->margin_m);
  say(array, text);
}

static json_t * assumptions_of(const vouch_page_data_t * data)
{
  const vouch_report_t * report = data->report;
  const vouch_robot_t * robot = vouch_scene_robot(report->scene);
  json_t * array = json_array();
  say(array, model_sentence(report->motion));
  if (vouch_motion_lead_in_count(report->motion) > 0) {
    say(array, "It begins with the way from the start state to the first point.");
  }
  say_deviations(array, report->options);
  say(
    array, robot->hulls ? "Bodies are the convex hulls of their collision meshes, as was asked for." :
    "Bodies are the collision geometry of the files, meshes triangle by triangle.");
  if (robot->surfaces) {
    say(array, "Meshes with holes are surfaces, as was asked for: they have no inside.");
  }
  say(
    array,
    "Pairs that are left out, and pairs without a joint between them, are no part of the verdict.");
  say(
    array,
    "Joint limits, speeds, torques, calibration, cables and people are no part of the verdict.");
  return array;
}

static json_t * inputs_of(const vouch_page_data_t * data)
{
  json_t * array = json_array();
  for (size_t i = 0; i < data->page->input_count; i++) {
    const vouch_page_input_t * input = &data->page->inputs[i];
    json_t * object = json_object();
    char * bytes = NULL;
    size_t size = 0;
    set_text(object, "role", input->role);
    set_text(object, "path", input->path);
    if (vouch_file_read(
        &data->stage.allocator, input->path, MOST_INPUT, &bytes, &size) == VOUCH_RET_OK)
    {
      uint8_t digest[32];
      vouch_sha256(bytes, size, digest);
      set_hex(object, "sha256", digest);
      set_count(object, "size", size);
      vouch_free(&data->stage.allocator, bytes);
    }
    json_array_append_new(array, object);
  }
  return array;
}

/* The number of a body; null: none is meant. */
static void set_body(
  json_t * object, const char * key, const vouch_page_data_t * data, const char * name)
{
  const uint32_t body = vouch_stage_find(&data->stage, name);
  set(object, key, body == VOUCH_NONE ? json_null() : json_integer(body));
}

static json_t * contact_of(const vouch_page_data_t * data)
{
  const vouch_contact_t * c = &data->report->result->first_collision;
  if (c->kind == VOUCH_CONTACT_NONE) {
    return json_null();
  }
  json_t * object = json_object();
  set_text(object, "kind", vouch_contact_kind_name(c->kind));
  set_body(object, "a", data, c->a);
  set_body(object, "b", data, c->b);
  set(object, "time", real_or_null(c->time_s));
  set(object, "depth", real_or_null(c->depth_m));
  set(object, "pa", point(c->point_a));
  set(object, "pb", point(c->point_b));
  return object;
}

static json_t * clearance_of(const vouch_page_data_t * data)
{
  const vouch_clearance_t * c = &data->report->result->clearance;
  if (!c->valid) {
    return json_null();
  }
  json_t * object = json_object();
  set_body(object, "a", data, c->a);
  set_body(object, "b", data, c->b);
  set(object, "time", real_or_null(c->time_s));
  set(object, "certified", vouch_page_certified(c->lower_m));
  set(object, "found", real_or_null(c->upper_m));
  set(object, "pa", point(c->point_a));
  set(object, "pb", point(c->point_b));
  return object;
}

static json_t * open_of(const vouch_page_data_t * data)
{
  const vouch_result_t * result = data->report->result;
  json_t * array = json_array();
  for (size_t i = 0; i < result->open_count; i++) {
    const vouch_open_t * open = &result->open[i];
    json_t * object = json_object();
    set_text(object, "a", open->a);
    set_text(object, "b", open->b);
    set_body(object, "bodyA", data, open->a);
    set_body(object, "bodyB", data, open->b);
    set(object, "begin", real_or_null(open->begin_s));
    set(object, "end", real_or_null(open->end_s));
    set(object, "distance", open->distance_m >= 0.0 ? real_or_null(open->distance_m) : json_null());
    set_text(object, "reason", vouch_open_reason_name(open->reason));
    json_array_append_new(array, object);
  }
  return array;
}

static json_t * overshoots_of(const vouch_motion_t * motion)
{
  json_t * array = json_array();
  for (size_t i = 0; i < vouch_motion_overshoot_count(motion); i++) {
    say(array, vouch_motion_overshoot(motion, i).joint);
  }
  return array;
}

static void append_warning(const char * warning, void * state)
{
  say((json_t *)state, warning);
}

static json_t * statistics_of(const vouch_report_t * report)
{
  const vouch_statistics_t * s = &report->result->statistics;
  json_t * object = json_object();
  set_count(object, "pairs", s->pairs);
  set_count(object, "leaves", s->leaves);
  set_count(object, "chord tests", s->chord_tests);
  set_count(object, "distance queries", s->distance_queries);
  if (!report->hide_times) {
    set(object, "seconds", real_or_null(s->seconds));
  }
  return object;
}

static json_t * hashes_of(const vouch_page_data_t * data)
{
  uint8_t digest[32];
  json_t * object = json_object();
  vouch_checker_problem_hash(data->report->checker, digest);
  set_hex(object, "problem", digest);
  vouch_robot_hash(vouch_scene_robot(data->report->scene), digest);
  set_hex(object, "robot, with its meshes", digest);
  vouch_scene_hash(data->report->scene, digest);
  set_hex(object, "scene", digest);
  return object;
}

/* The lines that the command prints. */
static json_t * lines_of(const vouch_page_data_t * data)
{
  vouch_text_t text = {.allocator = data->stage.allocator};
  json_t * array = json_array();
  vouch_report_text(data->report, false, &text);
  for (char * line = text.data; line && *line; ) {
    char * end = strchr(line, '\n');
    if (end) {
      *end = '\0';
    }
    say(array, line);
    line = end ? end + 1 : NULL;
  }
  vouch_text_fini(&text);
  return array;
}

vouch_ret_t vouch_page_add_facts(vouch_page_data_t * data)
{
  const vouch_report_t * report = data->report;
  json_t * root = data->root;
  set_text(root, "vouch", vouch_version());
  set_text(root, "title", data->page->title);
  set_text(root, "trajectory", data->page->trajectory);
  set_text(root, "robot", vouch_robot_name(vouch_scene_robot(report->scene)));
  set_text(root, "verdict", vouch_verdict_name(report->result->verdict));
  set(root, "lines", lines_of(data));
  set(root, "hasTime", json_boolean(vouch_motion_has_time(report->motion)));
  set_text(root, "model", vouch_motion_model_name(vouch_motion_model(report->motion)));
  set_text(root, "method", vouch_method_name(report->options->method));
  set(root, "margin", real_or_null(report->options->margin_m));
  set(root, "freeUntil", real_or_null(report->result->free_until_s));
  set(root, "contact", contact_of(data));
  set(root, "clearance", clearance_of(data));
  set(root, "open", open_of(data));
  set(root, "overshoot", overshoots_of(report->motion));
  json_t * warnings = json_array();
  vouch_report_warnings(report, append_warning, warnings);
  set(root, "warnings", warnings);
  set(root, "assumptions", assumptions_of(data));
  set(root, "inputs", inputs_of(data));
  set(root, "hashes", hashes_of(data));
  set(root, "statistics", statistics_of(report));
  return VOUCH_RET_OK;
}
