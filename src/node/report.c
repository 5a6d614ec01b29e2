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

/* A check as a message. */

#include <stdio.h>
#include <string.h>

#include "model/robot.h"
#include "model/scene.h"
#include "node/check_run.h"
#include "node/convert.h"
#include "rcl/error_handling.h"
#include "report/report.h"
#include "vouch/msg/pair_report.h"

static bool fill_pair(
  vouch__msg__PairReport * out, uint8_t kind, const char * a, const char * b)
{
  out->kind = kind;
  out->upper_m = -1.0;
  return rosidl_runtime_c__String__assign(&out->a, a != NULL ? a : "") &&
         rosidl_runtime_c__String__assign(&out->b, b != NULL ? b : "");
}

static bool fill_contact(const vouch_contact_t * contact, vouch__msg__PairReport * out)
{
  if (contact->kind == VOUCH_CONTACT_NONE) {
    return true;
  }
  bool ok = fill_pair(out, (uint8_t)contact->kind, contact->a, contact->b);
  out->time_s = out->end_s = contact->time_s;
  out->begin_s = contact->free_until_s;
  out->segment = (uint32_t)contact->segment;
  out->fraction = contact->fraction;
  convert_point_to_message(contact->point_a, &out->point_a);
  convert_point_to_message(contact->point_b, &out->point_b);
  out->depth_m = contact->depth_m;
  return ok;
}

static bool fill_clearance(const vouch_clearance_t * clearance, vouch__msg__PairReport * out)
{
  if (!clearance->valid) {
    return true;
  }
  bool ok = fill_pair(
    out, vouch__msg__PairReport__CLEARANCE, clearance->a, clearance->b);
  out->time_s = out->begin_s = out->end_s = clearance->time_s;
  out->segment = (uint32_t)clearance->segment;
  out->fraction = clearance->fraction;
  convert_point_to_message(clearance->point_a, &out->point_a);
  convert_point_to_message(clearance->point_b, &out->point_b);
  out->lower_m = clearance->lower_m;
  out->upper_m = clearance->upper_m;
  return ok;
}

static bool fill_open(const vouch_result_t * result, vouch__msg__TrajectoryReport * report)
{
  if (!vouch__msg__PairReport__Sequence__init(&report->open, result->open_count)) {
    return false;
  }
  bool ok = true;
  for (size_t i = 0; ok && i < result->open_count; ++i) {
    const vouch_open_t * in = &result->open[i];
    vouch__msg__PairReport * out = &report->open.data[i];
    ok = fill_pair(out, vouch__msg__PairReport__OPEN, in->a, in->b);
    out->reason = (uint8_t)in->reason;
    out->time_s = 0.5 * (in->begin_s + in->end_s);
    out->begin_s = in->begin_s;
    out->end_s = in->end_s;
    out->upper_m = in->distance_m;
  }
  return ok;
}

static bool fill_statics(const vouch_result_t * result, vouch__msg__TrajectoryReport * report)
{
  size_t count = 0;
  for (size_t i = 0; i < result->static_count; ++i) {
    count += result->statics[i].overlapping;
  }
  if (!vouch__msg__PairReport__Sequence__init(&report->static_contacts, count)) {
    return false;
  }
  size_t at = 0;
  bool ok = true;
  for (size_t i = 0; ok && i < result->static_count; ++i) {
    if (result->statics[i].overlapping) {
      ok = fill_pair(
        &report->static_contacts.data[at++], vouch__msg__PairReport__STATIC,
        result->statics[i].a, result->statics[i].b);
    }
  }
  return ok;
}

/* ---- warnings: counted first, then copied ---- */

typedef struct warning_list_s
{
  rosidl_runtime_c__String__Sequence * out;   // NULL: only count
  size_t count;
  bool ok;
} warning_list_t;

static void each_warning(const char * warning, void * state)
{
  warning_list_t * list = state;
  if (list->out != NULL && list->ok && list->count < list->out->size) {
    list->ok = rosidl_runtime_c__String__assign(&list->out->data[list->count], warning);
  }
  ++list->count;
}

static void all_warnings(const check_run_t * run, warning_list_t * list)
{
  if (run->warning[0] != '\0') {
    each_warning(run->warning, list);
  }
  if (scene_store_base_lacks(run->scene)) {
    const vouch_robot_t * robot = run->scene->robot;
    char text[512];
    snprintf(
      text, sizeof(text), "nobody says where the robot stands (virtual joint '%.150s', which can move; "
      "multi_dof_state of a scene): it is taken to stand at the origin of '%.150s'",
      robot->virtual_joint,
      robot->virtual_parent_frame);
    each_warning(text, list);
  }
  for (size_t i = 0; i < vouch_motion_overshoot_count(run->motion); ++i) {
    vouch_overshoot_t over = vouch_motion_overshoot(run->motion, i);
    char text[256];
    snprintf(
      text, sizeof(text), "joint '%.100s' may reach [%.4f, %.4f] and leave its limits [%.4f, %.4f]",
      over.joint, over.minimum, over.maximum, over.lower, over.upper);
    each_warning(text, list);
  }
  vouch_report_t source = {
    .result = &run->result, .checker = run->checker, .options = &run->options,
    .motion = run->motion, .scene = run->scene
  };
  vouch_report_warnings(&source, each_warning, list);
}

static bool fill_warnings(const check_run_t * run, vouch__msg__TrajectoryReport * report)
{
  warning_list_t list = {NULL, 0, true};
  all_warnings(run, &list);
  if (!rosidl_runtime_c__String__Sequence__init(&report->warnings, list.count)) {
    return false;
  }
  list = (warning_list_t) {&report->warnings, 0, true};
  all_warnings(run, &list);
  return list.ok;
}

static bool fill_message(const check_run_t * run, vouch__msg__TrajectoryReport * report)
{
  const vouch_result_t * result = &run->result;
  const char * unit = report->has_time ? "s" : "segments";
  char text[1200];
  if (run->ret != VOUCH_RET_OK) {
    snprintf(text, sizeof(text), "%s", run->error);
  } else if (result->verdict == VOUCH_FREE) {
    snprintf(
      text, sizeof(text), "every checked pair stays more than %g m apart for the whole motion",
      report->margin_m);
  } else if (result->verdict == VOUCH_COLLISION) {
    const vouch_contact_t * first = &result->first_collision;
    snprintf(
      text, sizeof(text), "%.200s and %.200s %s at %.6g %s (segment %zu)", first->a, first->b,
      first->kind == VOUCH_CONTACT_CONTACT ? "collide" : "come nearer than the margin",
      first->time_s, unit, first->segment);
  } else if (result->open_count > 0) {
    const vouch_open_t * open = &result->open[0];
    snprintf(
      text, sizeof(text), "not proved: %.200s and %.200s from %.6g to %.6g %s (%s)%s", open->a,
      open->b[0] != '\0' ? open->b : "the obstacles", open->begin_s, open->end_s, unit,
      vouch_open_reason_name(open->reason), result->open_count > 1 ? ", and more" : "");
  } else {
    snprintf(text, sizeof(text), "not proved: there is nothing to check");
  }
  return rosidl_runtime_c__String__assign(&report->message, text);
}

/// The first eight digits: enough to compare by eye.
static void short_hash(const uint8_t hash[32], char text[9])
{
  snprintf(text, 9, "%02x%02x%02x%02x", hash[0], hash[1], hash[2], hash[3]);
}

/// One line for a terminal: the verdict as a word, why, the closest approach, what it is about.
static bool fill_summary(const check_run_t * run, vouch__msg__TrajectoryReport * report)
{
  static const char * const words[] = {"UNDECIDED", "FREE", "COLLISION", "INVALID"};
  char robot[9], scene[9], problem[9], closest[600] = "", text[2600];
  short_hash(report->robot_hash, robot);
  short_hash(report->scene_hash, scene);
  short_hash(report->problem_hash, problem);
  if (report->clearance.kind != vouch__msg__PairReport__NONE) {
    snprintf(
      closest, sizeof(closest), "; closest %.4g m (%.200s, %.200s, at %.4g %s)",
      report->clearance.upper_m, report->clearance.a.data, report->clearance.b.data,
      report->clearance.time_s, report->has_time ? "s" : "segments");
  }
  int length = snprintf(
    text, sizeof(text), "%s: %.1200s%s", words[report->verdict & 3], report->message.data, closest);
  if (run->ret == VOUCH_RET_OK && length > 0 && (size_t)length < sizeof(text)) {
    snprintf(
      text + length, sizeof(text) - (size_t)length,
      "; robot '%.100s' %s, scene %s (revision %llu), problem %s, %.3g ms", report->robot_name.data,
      robot, scene, (unsigned long long)report->scene_revision, problem, 1e3 * report->seconds);
  }
  return rosidl_runtime_c__String__assign(&report->summary, text);
}

static bool fill_identity(
  vouch_node_t * node, const check_run_t * run, vouch__msg__TrajectoryReport * report)
{
  bool ok = node_stamp(node, &report->header) &&
    rosidl_runtime_c__String__assign(&report->library_version, vouch_version());
  if (node->robot != NULL) {
    memcpy(report->robot_hash, node->robot_hash, sizeof(node->robot_hash));
    ok = ok && rosidl_runtime_c__String__assign(
      &report->robot_name, vouch_robot_name(node->robot));
  }
  if (run->own_scene != NULL) {
    vouch_scene_hash(run->own_scene, report->scene_hash);
    report->scene_revision = vouch_scene_revision(run->own_scene);
  } else if (node->scene != NULL) {
    memcpy(report->scene_hash, node->scene_hash, sizeof(node->scene_hash));
    report->scene_revision = vouch_scene_revision(node->scene);
  }
  if (run->ret == VOUCH_RET_OK) {
    vouch_checker_problem_hash(run->checker, report->problem_hash);
  }
  return ok;
}

static bool fill_checked(const check_run_t * run, vouch__msg__TrajectoryReport * report)
{
  const vouch_result_t * result = &run->result;
  const vouch_statistics_t * statistics = &result->statistics;
  report->free_until_s = result->free_until_s;
  report->seconds = statistics->seconds;
  report->pairs = statistics->pairs;
  report->leaves = statistics->leaves;
  report->chord_tests = statistics->chord_tests;
  report->distance_queries = statistics->distance_queries;
  report->configurations = statistics->configurations;
  report->certificate_bytes = statistics->certificate_bytes;
  report->has_time = vouch_motion_has_time(run->motion);
  report->duration_s = vouch_motion_duration(run->motion);
  report->segments = (uint32_t)vouch_motion_segment_count(run->motion);
  report->lead_in_segments = (uint32_t)vouch_motion_lead_in_count(run->motion);
  return rosidl_runtime_c__String__assign(
    &report->motion_model, vouch_motion_model_name(vouch_motion_model(run->motion))) &&
         rosidl_runtime_c__String__assign(
    &report->method, vouch_method_name(run->options.method)) &&
         fill_contact(&result->first_collision, &report->first_collision) &&
         fill_clearance(&result->clearance, &report->clearance) && fill_open(result, report) &&
         fill_statics(result, report) && fill_warnings(run, report);
}

bool report_fill(
  vouch_node_t * node, const check_run_t * run,
  vouch__msg__TrajectoryReport * report)
{
  report->verdict = (uint8_t)node_check_verdict(run);
  report->margin_m = run->options.margin_m;
  report->tolerance_rad = run->options.tolerance_rad;
  report->tolerance_m = run->options.tolerance_m;
  bool ok = fill_identity(node, run, report);
  if (run->ret == VOUCH_RET_OK) {
    ok = ok && fill_checked(run, report);
  }
  return ok && fill_message(run, report) && fill_summary(run, report);
}

void report_publish(
  vouch_node_t * node, check_run_t * run, const vouch__msg__TrajectoryReport * report)
{
  /* The topic keeps one message, the newest. Nobody may miss that the robot has to be stopped. */
  const int64_t patience_ns = 50000000;
  if (node->revocation_told &&
    rcl_publisher_wait_for_all_acked(&node->report, patience_ns) != RCL_RET_OK)
  {
    rcl_reset_error();
  }
  node_publish(node, &node->report, report);
  node->revocation_told = report->revoked;
  /* What runs and may go on has its picture already. */
  bool kept = report->source == vouch__msg__TrajectoryReport__SOURCE_RECHECK && !report->revoked;
  if (!kept && node->scene != NULL && parameters_bool(&node->parameters, PARAMETER_MARKERS)) {
    markers_keep(node, run, report);
  }
}
