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

/* The public check: start tests, one sweep for each segment, verdict.
 *
 * TRUSTED for the verdict: FREE needs a start test that says APART for every segment and a sweep of
 * every segment that left nothing open, found nothing, and was not stopped. */

#include "methods/rigid_check.h"

#include "base/error.h"
#include "base/fpguard.h"
#include "base/memory.h"
#include "methods/sweep.h"

vouch_rigid_options_t vouch_rigid_options_default(void)
{
  return (vouch_rigid_options_t) {
           .struct_size = sizeof(vouch_rigid_options_t),
           .resolution_m = 1e-6,
           .max_tests = 50000000,
           .max_depth = 40
  };
}

static bool amount_ok(double value)
{
  return value >= 0.0 && value <= 1e6;
}

vouch_ret_t rigid_validate(
  const vouch_rigid_body_t * moving, const vouch_rigid_body_t * fixed,
  const vouch_rigid_options_t * options)
{
  if (options->struct_size != sizeof(*options)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "rigid options: struct_size is %zu instead of %zu; start from "
      "vouch_rigid_options_default()", options->struct_size, sizeof(*options));
  }
  if ((unsigned)options->method > VOUCH_RIGID_SCREW ||
    (unsigned)options->ball > VOUCH_BALL_PROPOSITION_2)
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "rigid options: there is no method %u or no kind of ball %u",
      (unsigned)options->method, (unsigned)options->ball);
  }
  if (!amount_ok(options->margin_m) || !amount_ok(options->tolerance) ||
    !amount_ok(options->deadline_s) || !(options->resolution_m > 0.0) ||
    !(options->resolution_m <= 1e6))
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "margin, tolerance and deadline must be between 0 and 1e6, the resolution "
      "above 0 and at most 1e6");
  }
  if (!options->surfaces && (!moving->closed || !fixed->closed)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the %s mesh is open: it has edges that do not join two triangles. Close "
      "it, or ask for surfaces (an open mesh has no inside)", moving->closed ? "fixed" : "moving");
  }
  if (!vouch_fp_environment_ok()) {
    return vouch_fail(
      VOUCH_RET_FP_ENVIRONMENT, "this thread does not round to nearest, or flushes denormals: "
      "nothing can be proved");
  }
  return VOUCH_RET_OK;
}

/// Metric data of all moving triangles.
typedef struct face_data_s
{
  fat_face_t * faces;
  metric_t * metrics;
  double * tolerance;
} face_data_t;

static void face_data_fini(const vouch_allocator_t * allocator, face_data_t * data)
{
  vouch_free(allocator, data->faces);
  vouch_free(allocator, data->metrics);
  vouch_free(allocator, data->tolerance);
}

/// The largest norm in `metric` of a displacement whose norm in `body` is 1.
static double metric_ratio(const metric_t * metric, const metric_t * body)
{
  double rho = metric_rho(body, metric->centre), sum = rho * rho;
  for (int j = 0; j < 3; j++) {
    for (int k = 0; k < 3; k++) {
      double part = metric->s[j] / body->s[k] *
        (fabs(vec3_dot(metric->q[j], body->q[k])) + 0x1p-40);
      sum += part * part;
    }
  }
  return sqrt(sum) * (1.0 + 0x1p-40);
}

static vouch_ret_t face_data_init(
  const vouch_rigid_body_t * body, const vouch_rigid_options_t * options, double tolerance,
  face_data_t * data)
{
  const vouch_allocator_t * allocator = &body->mesh.allocator;
  size_t count = body->mesh.triangle_count;
  data->faces = vouch_calloc(allocator, count, sizeof(fat_face_t));
  if (options->individual_masses) {
    data->metrics = vouch_calloc(allocator, count, sizeof(metric_t));
    data->tolerance = vouch_calloc(allocator, count, sizeof(double));
  }
  if (data->faces == NULL ||
    (options->individual_masses && (data->metrics == NULL || data->tolerance == NULL)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  for (uint32_t t = 0; t < count; t++) {
    const vec3_t x[3] = {body_vertex(body, t, 0), body_vertex(body, t, 1), body_vertex(body, t, 2)};
    const metric_t * metric = &body->metric;
    if (options->individual_masses) {
      if (metric_from_points(&data->metrics[t], x, NULL, 3)) {
        metric_draw_out(&data->metrics[t], &body->metric);
      } else {
        data->metrics[t] = body->metric;
      }
      metric = &data->metrics[t];
      data->tolerance[t] = tolerance * metric_ratio(metric, &body->metric);
    }
    fat_face_init(&data->faces[t], metric, x, 3);
  }
  return VOUCH_RET_OK;
}

/// Lengthens the entry of the same two triangles that ends where this one begins, if there is one.
static bool join_open(vouch_rigid_result_t * result, const vouch_rigid_open_t * entry)
{
  /* Segments come one after the other. */
  for (size_t i = result->open_count; i > 0; i--) {
    vouch_rigid_open_t * before = &result->open[i - 1];
    if (before->segment != entry->segment) {
      return false;
    }
    if (before->to == entry->from &&
      before->triangle_a == entry->triangle_a && before->triangle_b == entry->triangle_b &&
      before->tolerance == entry->tolerance)
    {
      before->to = entry->to;
      before->near_m = fmin(before->near_m, entry->near_m);
      return true;
    }
  }
  return false;
}

static vouch_ret_t append_open(
  vouch_rigid_result_t * result, size_t segment, const vouch_rigid_open_t * open, size_t count)
{
  if (count == 0) {
    return VOUCH_RET_OK;
  }
  vouch_rigid_open_t * grown = vouch_realloc(
    &result->allocator, result->open, result->open_count + count, sizeof(*open));
  if (grown == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  result->open = grown;
  for (size_t i = 0; i < count; i++) {
    vouch_rigid_open_t entry = open[i];
    entry.segment = segment;
    if (!join_open(result, &entry)) {
      grown[result->open_count++] = entry;
    }
  }
  return VOUCH_RET_OK;
}

static void set_hit(
  vouch_rigid_result_t * result, const vouch_rigid_motion_t * motion, size_t segment,
  const sweep_hit_t * hit, double margin_m)
{
  const rigid_segment_t * s = &motion->segments[segment];
  result->verdict = VOUCH_COLLISION;
  result->segment = segment;
  result->fraction = result->free_until = hit->fraction;
  result->time_s = s->start_s + hit->fraction * s->duration_s;
  result->margin_only = hit->near;
  result->triangle_a = hit->witness.triangle_a;
  result->triangle_b = hit->witness.triangle_b;
  vec3_store(hit->witness.a, result->point_a);
  vec3_store(hit->witness.b, result->point_b);
  vec3_t apart = vec3_sub(hit->witness.a, hit->witness.b);
  vec3_store(vec3_unit(apart, vec3(0.0, 0.0, 0.0)), result->normal);
  result->depth_m = fmax(margin_m - hit->witness.distance, 0.0);
  result->clearance_lower_m = 0.0;
  /* Behind the first time within the margin the bodies may have been seen nearer. */
  if (hit->within < result->clearance_upper_m) {
    result->clearance_upper_m = hit->within;
    result->closest_segment = segment;
    result->closest_fraction = hit->fraction;
    vec3_store(hit->witness.a, result->closest_a);
    vec3_store(hit->witness.b, result->closest_b);
  }
}

/// The static test at one end of a segment's piece, turned into a hit if it shows one.
static static_answer_t test_at(
  const sweep_t * sweep, const vouch_affine_t * g, double rounding, double fraction,
  sweep_hit_t * hit)
{
  const static_query_t query = {
    sweep->moving, sweep->fixed, g, rounding, sweep->options->margin_m
  };
  static_answer_t answer = static_test(&query, &hit->witness);
  hit->valid = answer == STATIC_OVERLAP || answer == STATIC_NEAR;
  hit->near = answer == STATIC_NEAR;
  hit->fraction = fraction;
  hit->within = hit->near ? hit->witness.distance + rounding : 0.0;
  return answer;
}

static vouch_ret_t check_segment(
  sweep_t * sweep, const vouch_rigid_motion_t * motion, size_t segment,
  vouch_rigid_result_t * result, bool * free)
{
  sweep_task_t task;
  sweep_hit_t start;
  *free = false;
  sweep->segment = &motion->segments[segment];
  vouch_ret_t ret = sweep_task_init(&task, sweep);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (sweep_clock_s() > sweep->finish_s) {
    sweep_open_all(&task);
    ret = append_open(result, segment, task.open, task.open_count);
    sweep_task_fini(&task);
    return ret;
  }
  motion_piece_t * piece = &task.room.pieces[0];
  motion_piece_init(piece, sweep->segment);
  double rounding = chord_rounding(piece, sweep->moving, sweep->fixed);
  static_answer_t answer = test_at(sweep, &piece->at[0], rounding, 0.0, &start);
  if (start.valid) {
    set_hit(result, motion, segment, &start, sweep->options->margin_m);
    sweep_task_fini(&task);
    return VOUCH_RET_OK;
  }
  ret = sweep_segment(sweep, &task);
  if (ret == VOUCH_RET_OK && task.open_count > 0) {
    sweep_test_after_open(&task);
  }
  if (ret == VOUCH_RET_OK) {
    result->statistics.pieces += task.statistics.pieces;
    result->statistics.node_tests += task.statistics.node_tests;
    result->statistics.face_tests += task.statistics.face_tests;
    if (task.statistics.depth > result->statistics.depth) {
      result->statistics.depth = task.statistics.depth;
    }
    result->clearance_lower_m = fmin(result->clearance_lower_m, task.clearance_lower);
    if (task.clearance_upper < result->clearance_upper_m) {
      result->clearance_upper_m = task.clearance_upper;
      result->closest_segment = segment;
      result->closest_fraction = task.closest_fraction;
      vec3_store(task.closest_a, result->closest_a);
      vec3_store(task.closest_b, result->closest_b);
    }
    if (answer != STATIC_APART) {
      sweep_open_all(&task);
    }
    if (task.hit.valid) {
      set_hit(result, motion, segment, &task.hit, sweep->options->margin_m);
      for (size_t i = 0; i < task.open_count; i++) {
        result->free_until = fmin(result->free_until, task.open[i].from);
      }
    } else {
      ret = append_open(result, segment, task.open, task.open_count);
    }
    *free = answer == STATIC_APART && task.open_count == 0 && !task.hit.valid && !task.stopped &&
      !task.failed;
  }
  sweep_task_fini(&task);
  return ret;
}

static vouch_ret_t check_sweeps(
  const vouch_rigid_body_t * moving, const vouch_rigid_body_t * fixed,
  const vouch_rigid_motion_t * motion, const vouch_rigid_options_t * options,
  vouch_rigid_result_t * result)
{
  sweep_t sweep = {.moving = moving, .fixed = fixed, .options = options};
  face_data_t data = {NULL, NULL, NULL};
  bool all_free = true;
  vouch_ret_t ret = VOUCH_RET_OK;
  sweep.extra = options->margin_m;
  sweep.tolerance = options->tolerance > 0.0 ? options->tolerance * moving->metric.excess : 0.0;
  sweep.finish_s = options->deadline_s > 0.0 ? sweep_clock_s() + options->deadline_s : INFINITY;
  if (options->method == VOUCH_RIGID_TOLERANCED) {
    ret = face_data_init(moving, options, sweep.tolerance, &data);
    sweep.faces = data.faces;
    sweep.face_metrics = data.metrics;
    sweep.face_tolerance = data.tolerance;
  } else {
    sweep.extra += sweep.tolerance * moving->nodes[0].rho;
  }
  for (size_t i = 0; i < motion->count && ret == VOUCH_RET_OK; i++) {
    bool free = false;
    ret = check_segment(&sweep, motion, i, result, &free);
    all_free = all_free && free;
    if (result->verdict == VOUCH_COLLISION) {
      break;
    }
  }
  face_data_fini(&moving->mesh.allocator, &data);
  if (ret == VOUCH_RET_OK && all_free && result->verdict == VOUCH_UNDECIDED) {
    result->verdict = VOUCH_FREE;
    if (options->method == VOUCH_RIGID_TOLERANCED) {
      result->clearance_lower_m = options->margin_m;
    }
  } else {
    result->clearance_lower_m = 0.0;
  }
  return ret;
}

/// A segment of which nothing is known from `contact->from` on.
static vouch_ret_t open_screw(
  vouch_rigid_result_t * result, size_t segment, const vouch_screw_contact_t * contact)
{
  const vouch_rigid_open_t open = {
    .from = contact->from, .to = 1.0, .triangle_a = contact->triangle_a,
    .triangle_b = contact->triangle_b, .near_m = INFINITY
  };
  return append_open(result, segment, &open, 1);
}

static vouch_ret_t screws_validate(
  const vouch_rigid_motion_t * motion, const vouch_rigid_options_t * options)
{
  if (options->margin_m > 0.0 || options->tolerance > 0.0) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the screw method solves for contact and knows no margin or tolerance; use "
      "the method chord or toleranced for these");
  }
  for (size_t i = 0; i < motion->count; i++) {
    const rigid_segment_t * segment = &motion->segments[i];
    if (segment->kind == SEGMENT_SCREW && (segment->error[0] > 0.0 || segment->error[1] > 0.0)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "segment %zu turns by so little (%.3g rad) that its screw has no axis within "
        "reach; give both poses the same rotation, or use the method chord or toleranced", i,
        segment->error[0]);
    }
    if (segment->kind != SEGMENT_SCREW) {
      return vouch_fail(
        VOUCH_RET_INVALID, "segment %zu is not a screw; convert the motion to a chain of screws, "
        "or use the method chord or toleranced", i);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_screws(
  const vouch_rigid_body_t * moving, const vouch_rigid_body_t * fixed,
  const vouch_rigid_motion_t * motion, const vouch_rigid_options_t * options,
  vouch_rigid_result_t * result)
{
  bool all_free = true;
  vouch_rigid_options_t left = *options;
  double finish = sweep_clock_s() + options->deadline_s;
  vouch_ret_t ret = screws_validate(motion, options);
  for (size_t i = 0; i < motion->count && ret == VOUCH_RET_OK; i++) {
    vouch_screw_contact_t contact = {.triangle_a = UINT32_MAX, .triangle_b = UINT32_MAX};
    /* The deadline is that of all segments together; what it does not reach stays open. */
    left.deadline_s = options->deadline_s > 0.0 ? finish - sweep_clock_s() : 0.0;
    if (options->deadline_s == 0.0 || left.deadline_s > 0.0) {
      ret = screw_segment_contact(moving, fixed, &motion->segments[i], &left, &contact);
    }
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    result->statistics.pieces += contact.statistics.pieces;
    result->statistics.node_tests += contact.statistics.node_tests;
    result->statistics.face_tests += contact.statistics.face_tests;
    result->statistics.root_tests += contact.statistics.root_tests;
    if (contact.verdict == VOUCH_COLLISION) {
      sweep_hit_t hit = {true, false, contact.to, {
          contact.triangle_a, contact.triangle_b, vec3_from(contact.point),
          vec3_from(contact.point), 0.0
        }, 0.0};
      set_hit(result, motion, i, &hit, 0.0);
      memcpy(result->normal, contact.normal, sizeof(result->normal));
      result->features = contact.kind;
      result->feature_a = contact.feature_a;
      result->feature_b = contact.feature_b;
      result->free_until = contact.from;
      return VOUCH_RET_OK;
    }
    if (contact.verdict != VOUCH_FREE) {
      all_free = false;
      ret = open_screw(result, i, &contact);
    }
  }
  result->verdict = all_free && ret == VOUCH_RET_OK ? VOUCH_FREE : VOUCH_UNDECIDED;
  result->clearance_lower_m = 0.0;
  return ret;
}

vouch_ret_t vouch_rigid_check(
  const vouch_rigid_body_t * moving, const vouch_rigid_body_t * fixed,
  const vouch_rigid_motion_t * motion, const vouch_rigid_options_t * options,
  vouch_rigid_result_t * result)
{
  VOUCH_REQUIRE("result", result);
  memset(result, 0, sizeof(*result));
  VOUCH_REQUIRE("moving, fixed, motion", moving, fixed, motion);
  const vouch_rigid_options_t standard = vouch_rigid_options_default();
  options = options == NULL ? &standard : options;
  *result = (vouch_rigid_result_t) {
    .clearance_lower_m = INFINITY, .clearance_upper_m = INFINITY,
    .triangle_a = UINT32_MAX, .triangle_b = UINT32_MAX, .allocator = moving->mesh.allocator
  };
  double begin = sweep_clock_s();
  vouch_ret_t ret = rigid_validate(moving, fixed, options);
  if (ret == VOUCH_RET_OK && motion->count == 0) {
    ret = vouch_fail(VOUCH_RET_INVALID, "the motion has no segment");
  }
  if (ret == VOUCH_RET_OK) {
    result->flat_mass = moving->metric.flat;
    ret = options->method == VOUCH_RIGID_SCREW ?
      check_screws(moving, fixed, motion, options, result) :
      check_sweeps(moving, fixed, motion, options, result);
  }
  if (ret != VOUCH_RET_OK) {
    vouch_rigid_result_fini(result);
    result->verdict = ret == VOUCH_RET_INVALID ? VOUCH_INVALID : VOUCH_UNDECIDED;
  }
  result->statistics.seconds = sweep_clock_s() - begin;
  return ret;
}

void vouch_rigid_result_fini(vouch_rigid_result_t * result)
{
  if (result->open != NULL) {
    vouch_free(&result->allocator, result->open);
  }
  result->open = NULL;
  result->open_count = 0;
  result->verdict = VOUCH_UNDECIDED;
}

vouch_ret_t vouch_rigid_largest_tolerance(
  const vouch_rigid_body_t * moving, const vouch_rigid_body_t * fixed,
  const vouch_rigid_motion_t * motion, const vouch_rigid_options_t * options,
  const double limit_and_accuracy[2], double * tolerance)
{
  VOUCH_REQUIRE("tolerance", tolerance);
  *tolerance = 0.0;
  VOUCH_REQUIRE("moving, fixed, motion", moving, fixed, motion);
  const vouch_rigid_options_t standard = vouch_rigid_options_default();
  options = options == NULL ? &standard : options;
  VOUCH_REQUIRE("limit_and_accuracy", limit_and_accuracy);
  double low = 0.0, high = limit_and_accuracy[0], accuracy = limit_and_accuracy[1];
  vouch_rigid_options_t trial = *options;
  if (!(high >= 0.0) || !(accuracy > 0.0) || options->method == VOUCH_RIGID_SCREW) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the largest tolerance needs a limit, a positive accuracy and the method "
      "toleranced or chord");
  }
  double finish = sweep_clock_s() + options->deadline_s;
  /* First 0, then the limit itself, then halving, as long as there is time. */
  for (int round = 0; round < 2 || high - low > accuracy; round++) {
    vouch_rigid_result_t result;
    double middle = 0.5 * (low + high);
    trial.tolerance = round == 0 ? 0.0 : (round == 1 ? high : middle);
    trial.deadline_s = options->deadline_s > 0.0 ? finish - sweep_clock_s() : 0.0;
    bool late = options->deadline_s > 0.0 && !(trial.deadline_s > 0.0);   // 0 would be none
    if ((round > 1 && (middle == low || middle == high)) || late) {
      break;
    }
    vouch_ret_t ret = vouch_rigid_check(moving, fixed, motion, &trial, &result);
    bool free = result.verdict == VOUCH_FREE;
    vouch_rigid_result_fini(&result);
    if (ret != VOUCH_RET_OK || (round == 0 && !free)) {
      return ret;
    }
    low = free ? trial.tolerance : low;
    high = free ? high : trial.tolerance;
    *tolerance = low;
  }
  return VOUCH_RET_OK;
}
