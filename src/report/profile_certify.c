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

/* Distances that hold at every time of an interval: leaves of the kernel, which bound the least from
 * below. */

#include <math.h>

#include "report/profile_survey.h"

/* The kernel's word that a pair stays more than `distance` apart in an interval; what it shows is at
 * least that, often more. < 0: it does not say so. */
static double certify(vouch_survey_t * look, size_t number, uint32_t interval, double distance)
{
  check_worker_t * worker = look->worker;
  search_t * s = &worker->search;
  kernel_proof_t * p = worker->proof;
  s->upper = isfinite(distance) ? distance : 1.0;
  s->resolution = fmax(VOUCH_PROFILE_LEAST_SLACK, VOUCH_PROFILE_SLACK * s->upper);
  for (int attempt = 0; attempt < 3 && vouch_survey_goes_on(look); attempt++) {
    kernel_proof_phase(
      p, &(kernel_phase_t) {.mode = KERNEL_MODE_CLEARANCE, .proved_free = look->free,
        .distance = fmax(0.0, s->upper - s->resolution)});
    s->open_count = s->open_entries = s->open_before = 0;
    const vouch_profile_pair_t * pair = &look->out->pairs[number];
    const vouch_scene_part_t * scene = &look->problem.scene;
    const bool group = scene->pairs[number].kind == VOUCH_PAIR_GROUP;
    const kernel_goal_t goal = {.interval = interval, .margin = pair->margin,
      .b = group ? vouch_group_of(scene, scene->pairs[number].b) : 0,
      .body_b = group ? VOUCH_NONE : pair->b};
    if (interval == 0) {
      kernel_proof_open(p, (uint32_t)number);
    } else {
      kernel_proof_open_at(p, (uint32_t)number, &goal);
    }
    if (search_goals(s) == SEARCH_PROVED && isfinite(kernel_view(p)->lower)) {
      return fmax(0.0, kernel_view(p)->lower);
    }
    s->resolution *= 8.0;
  }
  return -1.0;
}

/* Of a pair that nothing is proved about, a body could be inside the other one, with its surface far
 * away: a span says something only where the pair is known to have started apart and stayed so. */
static bool may_certify(
  const vouch_survey_t * look, size_t number,
  const vouch_profile_span_t * span)
{
  return look->free || look->out->pairs[number].certified >= 0.0 || span->end <= look->until;
}

/* Of every pair a proof that the motion is free has shown that much already. */
static void take_over(vouch_survey_t * look)
{
  const vouch_clearance_t * all = &look->report->result->clearance;
  const double shown = all->valid ? all->lower_m : look->report->options->margin_m;
  for (size_t i = 0; i < look->out->pair_count; i++) {
    look->out->pairs[i].certified = fmin(shown, look->out->pairs[i].found);
  }
}

static void certify_pairs(vouch_survey_t * look)
{
  for (size_t i = 0; i < look->out->pair_count; i++) {
    vouch_profile_pair_t * pair = &look->out->pairs[i];
    if (pair->found > VOUCH_PROFILE_LEAST_SLACK) {
      pair->certified = fmax(pair->certified, certify(look, i, 0, pair->found));
    }
  }
}

/* What was measured in the span, or else beside it. */
static double guess_at(const vouch_survey_t * look, size_t span, int side)
{
  for (size_t away = 0; away < look->out->span_count; away++) {
    const size_t places[2] = {span - (away < span ? away : span), span + away};
    for (int i = 0; i < 2; i++) {
      if (places[i] < look->out->span_count &&
        isfinite(look->out->spans[places[i]].found[side]))
      {
        return look->out->spans[places[i]].found[side];
      }
    }
  }
  return INFINITY;
}

static void certify_spans(vouch_survey_t * look)
{
  const bool all = look->out->left_away == 0;
  for (size_t k = 0; k < look->out->span_count; k++) {
    vouch_profile_span_t * span = &look->out->spans[k];
    const double guess[2] = {guess_at(look, k, 0), guess_at(look, k, 1)};
    for (size_t i = 0; i < look->out->pair_count; i++) {
      double * least = &span->certified[look->out->pairs[i].side];
      *least = all ? *least : -1.0;
      if (*least < 0.0) {
        continue;
      }
      const double whole = look->out->pairs[i].certified;
      if (whole >= *least) {
        continue;   // nearer than the others it is not, here or anywhere
      }
      double here = may_certify(look, i, span) ?
        certify(look, i, look->intervals[k], fmin(guess[look->out->pairs[i].side], *least)) :
        -1.0;
      here = fmax(here, whole);
      *least = here < 0.0 ? -1.0 : fmin(*least, here);
    }
  }
}

void vouch_survey_certify(vouch_survey_t * look)
{
  if (look->free) {
    take_over(look);
    certify_spans(look);
    certify_pairs(look);
  } else {   // then it depends on the pairs what can be said of a span
    certify_pairs(look);
    certify_spans(look);
  }
}
