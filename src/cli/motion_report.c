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

#include "cli/motion_report.h"

#include <stdio.h>

#include "report/json_tools.h"
#include "vouch/check.h"

const char * const MOTION_METHODS[3] = {"chord", "toleranced", "screw"};
const char * const MOTION_FEATURES[5] = {
  "none", "vertex and face", "face and vertex", "edge and edge", "overlap at the start"
};

void motion_warn(motion_run_t * run, const char * text)
{
  if (run->warning_count < 4) {
    snprintf(run->warnings[run->warning_count++], sizeof(run->warnings[0]), "%s", text);
  }
}

static void set_bodies(json_t * object, const motion_settings_t * s)
{
  set_text(object, "a", s->moving);
  set_text(object, "b", s->fixed);
}

static void set_triangles(json_t * object, uint32_t a, uint32_t b)
{
  set(object, "triangle_a", a == UINT32_MAX ? json_null() : json_integer(a));
  set(object, "triangle_b", b == UINT32_MAX ? json_null() : json_integer(b));
}

static json_t * collision(const motion_settings_t * s, const motion_run_t * run)
{
  const vouch_rigid_result_t * r = &run->result;
  if (r->verdict != VOUCH_COLLISION) {
    return json_null();
  }
  json_t * object = json_object();
  set_text(object, "kind", r->margin_only ? "margin" : "contact");
  set_bodies(object, s);
  set(object, "time_s", real_or_null(r->time_s));
  set(
    object, "free_until_s",
    real_or_null(vouch_rigid_motion_time_s(run->motion, r->segment, r->free_until)));
  set_count(object, "segment", r->segment);
  set(object, "fraction", real_or_null(r->fraction));
  set(object, "free_until_fraction", real_or_null(r->free_until));
  set(object, "point_a", point(r->point_a));
  set(object, "point_b", point(r->point_b));
  set(object, "normal", point(r->normal));
  set(object, "depth_m", real_or_null(r->depth_m));
  set_triangles(object, r->triangle_a, r->triangle_b);
  if (r->features != VOUCH_SCREW_NONE) {
    set_text(object, "features", MOTION_FEATURES[r->features]);
    set_count(object, "feature_a", r->feature_a);
    set_count(object, "feature_b", r->feature_b);
  }
  return object;
}

static json_t * clearance(const motion_settings_t * s, const motion_run_t * run)
{
  const vouch_rigid_result_t * r = &run->result;
  json_t * object = json_object();
  set(object, "lower_m", real_or_null(r->clearance_lower_m));
  set(object, "upper_m", real_or_null(r->clearance_upper_m));
  set_bodies(object, s);
  set(
    object, "time_s",
    real_or_null(
      vouch_rigid_motion_time_s(run->motion, r->closest_segment, r->closest_fraction)));
  set_count(object, "segment", r->closest_segment);
  set(object, "fraction", real_or_null(r->closest_fraction));
  bool seen = r->clearance_upper_m < INFINITY;
  set(object, "point_a", seen ? point(r->closest_a) : json_null());
  set(object, "point_b", seen ? point(r->closest_b) : json_null());
  return object;
}

static json_t * open_parts(const motion_settings_t * s, const motion_run_t * run)
{
  json_t * array = json_array();
  for (size_t i = 0; i < run->result.open_count; i++) {
    const vouch_rigid_open_t * o = &run->result.open[i];
    json_t * object = json_object();
    set_bodies(object, s);
    set(
      object, "begin_s",
      real_or_null(vouch_rigid_motion_time_s(run->motion, o->segment, o->from)));
    set(
      object, "end_s", real_or_null(vouch_rigid_motion_time_s(run->motion, o->segment, o->to)));
    set(object, "distance_m", real_or_null(o->near_m));
    set_text(object, "reason", o->tolerance ? "tolerance" : "resolution");
    set_count(object, "segment", o->segment);
    set(object, "from", real_or_null(o->from));
    set(object, "to", real_or_null(o->to));
    set_triangles(object, o->triangle_a, o->triangle_b);
    json_array_append_new(array, object);
  }
  return array;
}

static double free_until_s(const motion_run_t * run)
{
  const vouch_rigid_result_t * r = &run->result;
  double until = vouch_rigid_motion_duration_s(run->motion);
  if (r->verdict == VOUCH_COLLISION) {
    until = vouch_rigid_motion_time_s(run->motion, r->segment, r->free_until);
  } else if (r->verdict != VOUCH_FREE && r->open_count == 0) {
    until = 0.0;
  }
  for (size_t i = 0; i < r->open_count; i++) {
    until = fmin(
      until, vouch_rigid_motion_time_s(run->motion, r->open[i].segment, r->open[i].from));
  }
  return until;
}

static void set_result(json_t * root, const motion_settings_t * s, const motion_run_t * run)
{
  const vouch_rigid_statistics_t * t = &run->result.statistics;
  set_text(root, "verdict", vouch_verdict_name(run->result.verdict));
  set(root, "robot", json_null());
  set_text(root, "model", "rigid");
  set(root, "has_time", json_true());
  set(root, "duration_s", real_or_null(vouch_rigid_motion_duration_s(run->motion)));
  set_count(root, "segments", vouch_rigid_motion_segment_count(run->motion));
  set_count(root, "lead_in_segments", 0);
  set_text(root, "method", MOTION_METHODS[s->options.method]);
  set(root, "margin_m", real_or_null(s->options.margin_m));
  json_t * tolerance = json_object();
  set(tolerance, "displacement_m", real_or_null(s->options.tolerance));
  set(root, "tolerance", tolerance);
  if (s->largest >= 0.0) {
    set(root, "largest_tolerance", real_or_null(run->tolerance_found));
  }
  set(root, "free_until_s", real_or_null(free_until_s(run)));
  set(root, "first_collision", collision(s, run));
  set(root, "clearance", clearance(s, run));
  set(root, "open", open_parts(s, run));
  set(root, "next", json_object());
  set(root, "doubts", json_array());
  json_t * pairs = json_object();
  set_count(pairs, "checked", 1);
  set_count(pairs, "total", 1);
  set_count(pairs, "left_out", 0);
  set(pairs, "reasons", json_object());
  set(root, "pairs", pairs);
  set(root, "links_without_collision", json_array());
  set(root, "statics", json_array());
  set(root, "overshoot", json_array());
  json_t * warnings = json_array();
  for (size_t i = 0; i < run->warning_count; i++) {
    json_array_append_new(warnings, string(run->warnings[i]));
  }
  set(root, "warnings", warnings);
  set(root, "problem_sha256", json_null());
  json_t * statistics = json_object();
  set(statistics, "seconds", real_or_null(t->seconds));
  set_count(statistics, "pairs", 1);
  set_count(statistics, "pieces", t->pieces);
  set_count(statistics, "node_tests", t->node_tests);
  set_count(statistics, "face_tests", t->face_tests);
  set_count(statistics, "root_tests", t->root_tests);
  set_count(statistics, "depth", t->depth);
  set(root, "statistics", statistics);
}

int motion_report_json(
  const motion_settings_t * s, const motion_run_t * run, const char * error)
{
  json_t * root = json_object();
  set_text(root, "vouch", vouch_version());
  if (error == NULL) {
    set_result(root, s, run);
  } else {
    set_text(root, "verdict", vouch_verdict_name(run->result.verdict));
    set_text(root, "error", error);
  }
  int failed = json_dumpf(root, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_ENSURE_ASCII);
  putchar('\n');
  json_decref(root);
  return failed;
}
