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

/* The report for machines. */

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sha256.h"
#include "model/scene.h"
#include "report/json_tools.h"
#include "report/pairs.h"

static json_t * contact(const vouch_contact_t * c, bool first_contact)
{
  if (c->kind == VOUCH_CONTACT_NONE) {
    return json_null();
  }
  json_t * object = json_object();
  set_text(object, "kind", vouch_contact_kind_name(c->kind));
  set_text(object, "a", c->a);
  set_text(object, "b", c->b);
  set(object, "time_s", real_or_null(c->time_s));
  set(object, "free_until_s", first_contact ? real_or_null(c->free_until_s) : json_null());
  set_count(object, "segment", c->segment);
  set(object, "fraction", real_or_null(c->fraction));
  set(object, "point_a", point(c->point_a));
  set(object, "point_b", point(c->point_b));
  set(object, "depth_m", real_or_null(c->depth_m));
  return object;
}

static json_t * clearance(const vouch_clearance_t * c)
{
  if (!c->valid) {
    return json_null();
  }
  json_t * object = json_object();
  set(object, "lower_m", real_or_null(c->lower_m));
  set(object, "upper_m", real_or_null(c->upper_m));
  set_text(object, "a", c->a);
  set_text(object, "b", c->b);
  set(object, "time_s", real_or_null(c->time_s));
  set_count(object, "segment", c->segment);
  set(object, "fraction", real_or_null(c->fraction));
  set(object, "point_a", point(c->point_a));
  set(object, "point_b", point(c->point_b));
  return object;
}

static json_t * open_pairs(const vouch_result_t * result)
{
  json_t * array = json_array();
  for (size_t i = 0; i < result->open_count; i++) {
    const vouch_open_t * open = &result->open[i];
    json_t * object = json_object();
    set_text(object, "a", open->a);
    set_text(object, "b", open->b);
    set(object, "begin_s", real_or_null(open->begin_s));
    set(object, "end_s", real_or_null(open->end_s));
    set(
      object, "distance_m", open->distance_m >= 0.0 ?
      real_or_null(fabs(open->distance_m)) : json_null());   // -0 is 0
    set_text(object, "reason", vouch_open_reason_name(open->reason));
    json_array_append_new(array, object);
  }
  return array;
}

static json_t * statics(const vouch_result_t * result)
{
  json_t * array = json_array();
  for (size_t i = 0; i < result->static_count; i++) {
    const vouch_static_pair_t * pair = &result->statics[i];
    json_t * object = json_object();
    set_text(object, "a", pair->a);
    set_text(object, "b", pair->b);
    set(object, "overlapping", json_boolean(pair->overlapping));
    set(object, "environment", json_boolean(pair->environment));
    set(object, "distance_m", real_or_null(pair->distance_m));
    set(object, "depth_m", real_or_null(pair->depth_m));
    json_array_append_new(array, object);
  }
  return array;
}

static json_t * pairs(const vouch_report_t * report)
{
  vouch_pair_counts_t counts;
  if (!report->scene || vouch_report_count_pairs(report, &counts, NULL, NULL) != VOUCH_RET_OK) {
    return json_null();
  }
  json_t * object = json_object(), * reasons = json_object();
  set_count(object, "checked", counts.checked);
  set_count(object, "total", counts.total);
  set_count(object, "left_out", counts.left_out);
  for (int i = 0; i < VOUCH_LEFT_COUNT; i++) {
    if (counts.reasons[i] > 0) {
      set_count(reasons, vouch_left_out_key((vouch_left_reason_t)i), counts.reasons[i]);
    }
  }
  set(object, "reasons", reasons);
  return object;
}

/* Links that can be seen but not touched. */
static json_t * untouchable(const vouch_report_t * report)
{
  json_t * array = json_array();
  const vouch_robot_t * robot = report->scene ? vouch_scene_robot(report->scene) : NULL;
  for (size_t i = 0; robot && i < robot->link_count; i++) {
    if (robot->links[i].only_visual && !robot->links[i].geometry) {
      json_array_append_new(array, string(robot->links[i].name));
    }
  }
  return array;
}

static json_t * doubts(const vouch_report_t * report)
{
  json_t * array = json_array();
  for (size_t i = 0; i < report->doubt_count; i++) {
    json_array_append_new(array, string(report->doubts[i]));
  }
  return array;
}

static json_t * hits(const vouch_report_next_t * next)
{
  json_t * array = json_array();
  for (size_t i = 0; i < next->hit_count; i++) {
    const vouch_report_hit_t * hit = &next->hits[i];
    json_t * object = json_object(), * intervals = json_array();
    set_text(object, "kind", vouch_contact_kind_name(hit->kind));
    set_text(object, "a", hit->a);
    set_text(object, "b", hit->b);
    set(object, "depth_m", real_or_null(hit->depth_m));
    for (size_t k = 0; k < hit->interval_count; k++) {
      json_t * ends = json_array();
      json_array_append_new(ends, real_or_null(hit->intervals[k][0]));
      json_array_append_new(ends, real_or_null(hit->intervals[k][1]));
      json_array_append_new(intervals, ends);
    }
    set(object, "intervals_s", intervals);
    json_array_append_new(array, object);
  }
  return array;
}

/* Only what was looked for has a key. */
static json_t * next_step(const vouch_report_t * report)
{
  const vouch_report_next_t * next = report->next;
  json_t * object = json_object();
  if (next->waypoints > 0) {
    set_count(object, "waypoints", next->waypoints);
    set_count(object, "waypoints_free", next->waypoints_free);
  }
  if (next->hit_count > 0) {
    set(object, "collisions", hits(next));
    set(object, "collisions_complete", json_boolean(next->hits_complete));
  }
  if (next->margin_searched) {
    set(
      object, "largest_margin_m",
      next->largest_margin_m >= 0.0 ? real_or_null(next->largest_margin_m) : json_null());
  }
  if (next->tolerance_searched) {
    set(
      object, "largest_tolerance_share",
      next->largest_tolerance >= 0.0 ? real_or_null(next->largest_tolerance) : json_null());
  }
  if (next->world.valid) {
    set(object, "nearest_obstacle", clearance(&next->world));
  }
  if (next->self.valid) {
    set(object, "nearest_self", clearance(&next->self));
  }
  return object;
}

static json_t * overshoot(const vouch_motion_t * motion)
{
  json_t * array = json_array();
  for (size_t i = 0; motion && i < vouch_motion_overshoot_count(motion); i++) {
    vouch_overshoot_t over = vouch_motion_overshoot(motion, i);
    json_t * object = json_object();
    set_text(object, "joint", over.joint);
    set(object, "lower", real_or_null(over.lower));
    set(object, "upper", real_or_null(over.upper));
    set(object, "minimum", real_or_null(over.minimum));
    set(object, "maximum", real_or_null(over.maximum));
    json_array_append_new(array, object);
  }
  return array;
}

static json_t * statistics(const vouch_report_t * report)
{
  const vouch_statistics_t * s = &report->result->statistics;
  json_t * object = json_object();
  if (!report->hide_times) {
    set(object, "seconds", real_or_null(s->seconds));
    set(object, "cpu_seconds", real_or_null(s->cpu_seconds));
    set(
      object, "load_seconds", report->load_seconds >= 0.0 ?
      real_or_null(report->load_seconds) : json_null());
  }
  set_count(object, "pairs", s->pairs);
  set_count(object, "leaves", s->leaves);
  set_count(object, "chord_tests", s->chord_tests);
  set_count(object, "distance_queries", s->distance_queries);
  set_count(object, "configurations", s->configurations);
  set_count(object, "certificate_bytes", s->certificate_bytes);
  return object;
}

static json_t * tolerances(const vouch_check_options_t * options)
{
  json_t * object = json_object();
  set(object, "revolute_rad", real_or_null(options->tolerance_rad));
  set(object, "prismatic_m", real_or_null(options->tolerance_m));
  json_t * joints = json_object();
  for (size_t i = 0; i < options->tolerance_count; i++) {
    set(joints, options->tolerances[i].joint, real_or_null(options->tolerances[i].value));
  }
  set(object, "joints", joints);
  return object;
}

static json_t * joints(const vouch_report_t * report, const double * values)
{
  const vouch_robot_t * robot = report->scene ? vouch_scene_robot(report->scene) : NULL;
  if (!robot || !values) {
    return json_null();
  }
  json_t * object = json_object();
  for (size_t i = 0; i < vouch_robot_variable_count(robot); i++) {
    set(object, vouch_robot_variable_name(robot, i), real_or_null(values[i]));
  }
  return object;
}

static json_t * waypoints(const vouch_report_t * report)
{
  const vouch_plan_result_t * plan = report->plan;
  json_t * array = json_array();
  for (size_t i = 0; report->scene && i < plan->path_count; i++) {
    const size_t count = vouch_robot_variable_count(vouch_scene_robot(report->scene));
    json_array_append_new(array, joints(report, plan->path + i * count));
  }
  return array;
}

static json_t * plan_statistics(const vouch_report_t * report)
{
  const vouch_plan_statistics_t * s = &report->plan->statistics;
  json_t * object = json_object();
  if (!report->hide_times) {
    set(object, "seconds", real_or_null(s->seconds));
    set(object, "first_path_seconds", real_or_null(s->first_seconds));
    set(object, "first_proof_seconds", real_or_null(s->proved_seconds));
  }
  set_count(object, "edges", s->edges);
  set_count(object, "free_edges", s->free_edges);
  set_count(object, "states", s->states);
  set_count(object, "free_states", s->free_states);
  set_count(object, "nodes", s->nodes);
  set_count(object, "paths", s->paths);
  return object;
}

static json_t * plan(const vouch_report_t * report)
{
  const vouch_plan_result_t * p = report->plan;
  const bool found = p->verdict == VOUCH_FREE;
  json_t * object = json_object();
  set_text(object, "verdict", vouch_verdict_name(p->verdict));
  set_text(object, "reason", vouch_plan_reason_name(p->reason));
  set_text(object, "message", p->message);
  set(object, "contact", contact(&p->contact, false));
  set(object, "free_state", joints(report, p->free_state));
  set(object, "free_distance_rad", p->free_state ? real_or_null(p->free_distance) : json_null());
  set_count(object, "goal", p->goal);
  set(object, "waypoints", waypoints(report));
  set(object, "length_rad", found ? real_or_null(p->statistics.length) : json_null());
  set(object, "first_length_rad", found ? real_or_null(p->statistics.first_length) : json_null());
  set(object, "changed", json_boolean(p->changed));
  set(object, "kept", found ? real_or_null(p->kept) : json_null());
  set(object, "deviation_rad", found ? real_or_null(p->deviation) : json_null());
  set(object, "statistics", plan_statistics(report));
  return object;
}

static void append_warning(const char * warning, void * state)
{
  json_array_append_new((json_t *)state, string(warning));
}

static void set_motion(json_t * object, const vouch_motion_t * motion)
{
  set_text(object, "model", vouch_motion_model_name(vouch_motion_model(motion)));
  set(object, "has_time", json_boolean(vouch_motion_has_time(motion)));
  set(object, "duration_s", real_or_null(vouch_motion_duration(motion)));
  set_count(object, "segments", vouch_motion_segment_count(motion));
  set_count(object, "lead_in_segments", vouch_motion_lead_in_count(motion));
}

static void set_result(json_t * root, const vouch_report_t * report)
{
  const vouch_result_t * result = report->result;
  const vouch_check_options_t * options = report->options;
  set_text(root, "verdict", vouch_verdict_name(result->verdict));
  set_text(
    root, "robot", report->scene ?
    vouch_robot_name(vouch_scene_robot(report->scene)) : NULL);
  set_motion(root, report->motion);
  set_text(root, "method", vouch_method_name(options->method));
  set(root, "margin_m", real_or_null(options->margin_m));
  if (result->may_touch > 0) {
    set_count(root, "may_touch", result->may_touch);
  }
  if (result->least_margin_m < options->margin_m) {
    set(root, "least_margin_m", real_or_null(result->least_margin_m));
  }
  set(root, "tolerance", tolerances(options));
  set(root, "free_until_s", real_or_null(result->free_until_s));
  set(root, "first_collision", contact(&result->first_collision, options->first_contact));
  set(root, "clearance", clearance(&result->clearance));
  set(root, "open", open_pairs(result));
  if (report->next) {
    set(root, "next", next_step(report));
  }
  set(root, "doubts", doubts(report));
  set(root, "pairs", pairs(report));
  set(root, "links_without_collision", untouchable(report));
  set(root, "statics", statics(result));
  set(root, "overshoot", overshoot(report->motion));
  json_t * warnings = json_array();
  vouch_report_warnings(report, append_warning, warnings);
  set(root, "warnings", warnings);
  uint8_t digest[32];
  char hex[65];
  vouch_checker_problem_hash(report->checker, digest);
  vouch_sha256_hex(digest, hex);
  set_text(root, "problem_sha256", hex);
  set(root, "statistics", statistics(report));
}

vouch_ret_t vouch_report_json(const vouch_report_t * report, bool compact, vouch_text_t * out)
{
  json_t * root = json_object();
  set_text(root, "vouch", vouch_version());
  if (report->name) {
    set_text(root, "name", report->name);
  }
  if (report->result) {
    set_result(root, report);
  } else {
    set_text(
      root, "verdict", vouch_verdict_name(report->plan ? report->plan->verdict : VOUCH_INVALID));
    set_text(
      root, "error", report->plan ? report->plan->message : report->error ? report->error : "");
  }
  if (report->plan) {
    set(root, "plan", plan(report));
  }
  char * text = json_dumps(
    root, (compact ? JSON_COMPACT : JSON_INDENT(2)) | JSON_PRESERVE_ORDER | JSON_ENSURE_ASCII);
  json_decref(root);
  if (!text) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "Out of memory while writing the JSON report.");
  }
  vouch_text_append(out, "%s\n", text);
  free(text);
  return out->failed ? vouch_fail(VOUCH_RET_NO_MEMORY, "Out of memory while writing a report.") :
         VOUCH_RET_OK;
}
