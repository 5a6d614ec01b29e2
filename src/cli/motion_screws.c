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

/* With e the proved error of the screws and m the margin that was asked for, at every time:
 *   screws farther apart than m + e: the motion keeps m;
 *   screws nearer than m - e: the motion does not.
 * Between the two nothing is shown. A contact of the screws with m < e is told as one, with a
 * warning: a contact of bodies can be had in no other way from screws. */

#include "cli/motion_screws.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"

vouch_ret_t motion_to_screws(motion_run_t * run, motion_settings_t * s)
{
  vouch_rigid_motion_t * chain = NULL;
  vouch_ret_t ret = vouch_rigid_motion_to_screws(
    &chain, run->motion, run->moving, s->screws, &run->screw_error);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vouch_rigid_motion_destroy(run->motion);
  run->motion = chain;
  size_t count = vouch_rigid_motion_segment_count(chain);
  char text[160];
  snprintf(
    text, sizeof(text), "the motion was replaced by %zu screw%s within %.3g m", count,
    count == 1 ? "" : "s", run->screw_error);
  motion_warn(run, text);
  if (s->options.method != VOUCH_RIGID_SCREW) {
    s->options.margin_m += run->screw_error;
  }
  return VOUCH_RET_OK;
}

/* What `wide` leaves unproved up to the collision of `result`, or to the end of the motion, joins
 * the open parts of `result`. */
static vouch_ret_t open_what_is_unproved(
  vouch_rigid_result_t * result, const vouch_rigid_result_t * wide, size_t segments)
{
  bool hit = result->verdict == VOUCH_COLLISION;
  size_t last = hit ? result->segment : segments - 1, tail = 0;
  if (wide->verdict == VOUCH_COLLISION && wide->segment <= last) {
    tail = last - wide->segment + 1;
  }
  size_t count = result->open_count + wide->open_count + tail;
  vouch_rigid_open_t * open =
    vouch_realloc(&result->allocator, result->open, count + 1, sizeof(*open));
  if (open == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  result->open = open;
  for (size_t i = 0; i < wide->open_count; i++) {
    open[result->open_count++] = wide->open[i];
  }
  for (size_t i = 0; i < tail; i++) {
    vouch_rigid_open_t part = {
      .segment = wide->segment + i, .from = i == 0 ? wide->free_until : 0.0, .to = 1.0,
      .triangle_a = UINT32_MAX, .triangle_b = UINT32_MAX, .near_m = INFINITY
    };
    if (hit && part.segment == last) {
      part.to = fmax(part.from, result->fraction);
    }
    open[result->open_count++] = part;
  }
  for (size_t i = 0; hit && i < result->open_count; i++) {
    if (open[i].segment == last) {
      result->free_until = fmin(result->free_until, open[i].from);
    }
  }
  return VOUCH_RET_OK;
}

/// Releases `wide`, whose unproved part is left in the result.
static vouch_ret_t take_over(motion_run_t * run, vouch_rigid_result_t * wide)
{
  vouch_ret_t ret = open_what_is_unproved(
    &run->result, wide, vouch_rigid_motion_segment_count(run->motion));
  vouch_rigid_result_fini(wide);
  return ret;
}

/* The screw method knows no margin: what the motion itself keeps is left to the chord method. */
static vouch_ret_t answer_of_screws(const motion_settings_t * s, motion_run_t * run)
{
  vouch_rigid_options_t options = s->options;
  vouch_rigid_result_t wide;
  options.method = VOUCH_RIGID_CHORD;
  options.margin_m = run->screw_error;
  if (run->result.verdict != VOUCH_FREE && run->result.verdict != VOUCH_COLLISION) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = vouch_rigid_check(run->moving, run->fixed, run->motion, &options, &wide);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (run->result.verdict == VOUCH_FREE && wide.verdict != VOUCH_FREE) {
    run->result.verdict = VOUCH_UNDECIDED;
    motion_warn(
      run,
      "the screws are free, but the motion may be as far from them as they are from contact");
  }
  return take_over(run, &wide);
}

/* The result is that of screws with the margin m + e: a collision counts for the motion when it is
 * one with m - e. */
static vouch_ret_t answer_of_margin(const motion_settings_t * s, motion_run_t * run)
{
  vouch_rigid_options_t options = s->options;
  vouch_rigid_result_t wide = run->result;
  if (wide.verdict != VOUCH_COLLISION) {
    return VOUCH_RET_OK;
  }
  options.margin_m = fmax(options.margin_m - 2.0 * run->screw_error, 0.0);
  vouch_ret_t ret = vouch_rigid_check(
    run->moving, run->fixed, run->motion, &options, &run->result);
  if (ret != VOUCH_RET_OK) {
    vouch_rigid_result_fini(&wide);
    return ret;
  }
  if (run->result.verdict != VOUCH_COLLISION) {
    run->result.verdict = VOUCH_UNDECIDED;
    run->result.open_count = 0;      // those of the wider margin hold
    run->result.clearance_lower_m = 0.0;
    motion_warn(
      run, "the screws come too near to tell whether the motion, which they replace, does");
  }
  return take_over(run, &wide);
}

vouch_ret_t motion_answer_for_given(const motion_settings_t * s, motion_run_t * run)
{
  if (s->screws < 0.0 || !(run->screw_error > 0.0)) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = s->options.method == VOUCH_RIGID_SCREW ? answer_of_screws(s, run) :
    answer_of_margin(s, run);
  if (ret == VOUCH_RET_OK && run->result.verdict == VOUCH_COLLISION && !run->result.margin_only) {
    motion_warn(run, "the contact is one of the screws; the motion itself is that near to it");
  }
  return ret;
}

void motion_take_off_error(motion_settings_t * s, motion_run_t * run)
{
  vouch_rigid_result_t * r = &run->result;
  double error = run->screw_error;
  if (s->screws < 0.0) {
    return;
  }
  if (s->options.method != VOUCH_RIGID_SCREW) {
    s->options.margin_m = fmax(s->options.margin_m - error, 0.0);
  }
  /* The depth was measured with the smaller margin of answer_of_margin(). */
  if (r->verdict == VOUCH_COLLISION) {
    r->depth_m += fmin(error, s->options.margin_m);
  }
  r->clearance_lower_m = fmax(r->clearance_lower_m - error, 0.0);
  r->clearance_upper_m += error;
}
