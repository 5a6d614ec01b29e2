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

/* The report for people: the verdict first, then what it rests on, one line each. */

#include <math.h>
#include <string.h>

#include "report/report.h"

#define LABEL "%-12s"

typedef struct writer_s
{
  const vouch_report_t * report;
  vouch_text_t * out;
  bool colour;
} writer_t;

static const char * verdict_colour(vouch_verdict_t verdict)
{
  switch (verdict) {
    case VOUCH_FREE: return "\033[1;32m";
    case VOUCH_COLLISION: return "\033[1;31m";
    case VOUCH_UNDECIDED: return "\033[1;33m";
    case VOUCH_INVALID: break;
  }
  return "\033[1;35m";
}

static void write_verdict(writer_t * w, vouch_verdict_t verdict)
{
  vouch_text_append(
    w->out, "%s" LABEL "%s", w->colour ? verdict_colour(verdict) : "", vouch_verdict_name(verdict),
    w->colour ? "\033[0m" : "");
}

/* Which way a number is rounded: what is proved to be at least, or at most, that much is not made
 * better by printing it. */
typedef enum rounding_e {DOWN = -1, NEAREST = 0, UP = 1} rounding_t;

/* To a multiple of `step`, up to what decimals lose in binary. Never -0. */
static double rounded(double value, double step, rounding_t way)
{
  return way == DOWN ? floor(value / step + 1e-9) * step :
         way == UP ? ceil(value / step - 1e-9) * step + 0.0 : value;
}

/* Lengths as an engineer says them: millimetres, unless that would be unreadable. */
static void write_length(writer_t * w, double metres, rounding_t way)
{
  if (fabs(metres) >= 1.0) {
    const double step = pow(10.0, floor(log10(fabs(metres))) - 3.0);
    vouch_text_append(w->out, "%.4g m", rounded(metres, step, way));
  } else if (metres == 0.0 || fabs(metres) >= 1e-6) {
    vouch_text_append(w->out, "%.3f mm", rounded(metres * 1e3, 1e-3, way));
  } else {
    const double step = pow(10.0, floor(log10(fabs(metres * 1e9))) - 2.0);
    vouch_text_append(w->out, "%.3g nm", rounded(metres * 1e9, step, way));
  }
}

static const char * unit_of(const writer_t * w)
{
  return vouch_motion_has_time(w->report->motion) ? "s" : "segments";
}

static void write_time(writer_t * w, double time, rounding_t way)
{
  vouch_text_append(w->out, "%.6f %s", rounded(time, 1e-6, way), unit_of(w));
}

/* Points are counted as in the file, from 0. */
static void write_place(writer_t * w, size_t segment, double fraction)
{
  size_t lead_in = vouch_motion_lead_in_count(w->report->motion);
  size_t from = segment - lead_in;
  if (vouch_motion_model(w->report->motion) == VOUCH_MODEL_POLYNOMIAL) {
    vouch_text_append(w->out, " (%.1f %% of segments[%zu])", 100.0 * fraction, segment);
  } else if (segment < lead_in && fraction < 1.0) {
    vouch_text_append(
      w->out, " (%.1f %% of the way from the start state to points[0])", 100.0 * fraction);
  } else if (fraction == 0.0 || fraction == 1.0) {
    vouch_text_append(w->out, " (at points[%zu])", fraction == 0.0 ? from : from + 1);
  } else {
    vouch_text_append(
      w->out, " (%.1f %% of the way from points[%zu] to points[%zu])", 100.0 * fraction, from,
      from + 1);
  }
}

static void write_duration(writer_t * w)
{
  const vouch_motion_t * motion = w->report->motion;
  if (vouch_motion_has_time(motion)) {
    vouch_text_append(w->out, "%.4g s", vouch_motion_duration(motion));
  } else {
    size_t count = vouch_motion_segment_count(motion);
    vouch_text_append(w->out, "%zu segment%s", count, count == 1 ? "" : "s");
  }
}

static bool is_tolerant(const vouch_check_options_t * options)
{
  return options->tolerance_rad > 0.0 || options->tolerance_m > 0.0 ||
         options->tolerance_count > 0;
}

static void write_free(writer_t * w)
{
  const vouch_check_options_t * options = w->report->options;
  const vouch_result_t * result = w->report->result;
  const unsigned long long touch = (unsigned long long)result->may_touch;
  const unsigned long long pairs = (unsigned long long)result->statistics.pairs - touch;
  const double margin = fmin(options->margin_m, result->least_margin_m);
  vouch_text_append(w->out, pairs == 1 ? "%llu pair stays " : "%llu pairs stay ", pairs);
  if (margin > 0.0) {
    vouch_text_append(w->out, "more than ");
    write_length(w, margin, DOWN);
    vouch_text_append(w->out, " ");
  }
  vouch_text_append(w->out, "apart at every time of ");
  write_duration(w);
  vouch_text_append(w->out, "%s\n", is_tolerant(options) ? ", within the joint tolerances" : "");
}

static void write_point(writer_t * w, const char * name, const double p[3])
{
  vouch_text_append(
    w->out, LABEL "(%.6f, %.6f, %.6f) on %s\n", "  point", p[0], p[1], p[2], name);
}

static void write_collision(writer_t * w)
{
  const vouch_contact_t * c = &w->report->result->first_collision;
  bool margin = c->kind == VOUCH_CONTACT_MARGIN;
  vouch_text_append(
    w->out, "%s %s %s at ", c->a, margin ? "comes within the margin of" : "hits", c->b);
  write_time(w, c->time_s, NEAREST);
  write_place(w, c->segment, c->fraction);
  vouch_text_append(w->out, "\n" LABEL, margin ? "  inside" : "  depth");
  vouch_text_append(w->out, "at least ");
  write_length(w, c->depth_m, DOWN);
  vouch_text_append(w->out, " there\n");
  write_point(w, c->a, c->point_a);
  write_point(w, c->b, c->point_b);
  if (w->report->options->first_contact) {
    vouch_text_append(w->out, LABEL "proved for all pairs until ", "  free");
    write_time(w, c->free_until_s, DOWN);
    vouch_text_append(
      w->out, ", %.2g %s before that\n", c->time_s - c->free_until_s, unit_of(w));
  }
}

static const char * open_sentence(vouch_open_reason_t reason)
{
  switch (reason) {
    case VOUCH_OPEN_DEADLINE: return "the deadline came first";
    case VOUCH_OPEN_DEPTH: return "in touch, or nearer than can be decided";
    case VOUCH_OPEN_TOLERANCE: return "within margin and tolerance";
    case VOUCH_OPEN_MEMORY: return "the memory limit came first";
    case VOUCH_OPEN_SURFACE: return "starts inside the hull of an open mesh (see --surfaces)";
    case VOUCH_OPEN_CONTAINMENT: return "may start inside the other body";
    case VOUCH_OPEN_CANCELLED: return "the check was cancelled";
    case VOUCH_OPEN_TOUCH: return "deeper than the touch that is permitted";
    case VOUCH_OPEN_UNSUPPORTED: return "this pair of shapes is not supported";
    case VOUCH_OPEN_NONE: break;
  }
  return "not said why";
}

static void write_undecided(writer_t * w)
{
  const vouch_result_t * result = w->report->result;
  if (result->open_count == 0) {
    vouch_text_append(
      w->out, "nothing was proved: %s\n",
      result->statistics.pairs == 0 ? "there is no pair to check" : "no reason given");
    return;
  }
  vouch_text_append(
    w->out, "%zu question%s open; proved free until ", result->open_count,
    result->open_count == 1 ? "" : "s");
  write_time(w, result->free_until_s, DOWN);
  vouch_text_append(w->out, "\n");
  for (size_t i = 0; i < result->open_count; i++) {
    const vouch_open_t * open = &result->open[i];
    vouch_text_append(
      w->out, LABEL "%s - %s between ", "  open", open->a,
      open->b && open->b[0] ? open->b : "the obstacles");
    write_time(w, open->begin_s, DOWN);
    vouch_text_append(w->out, " and ");
    double length = open->end_s - open->begin_s;
    if (length > 0.0 && length < 1e-6) {
      vouch_text_append(w->out, "%.2g %s later", length, unit_of(w));
    } else {
      write_time(w, open->end_s, UP);
    }
    if (open->distance_m >= 0.0) {
      vouch_text_append(w->out, ", at most ");
      write_length(w, fabs(open->distance_m), UP);   // -0 is 0
      vouch_text_append(w->out, " apart");
    }
    vouch_text_append(w->out, ": %s\n", open_sentence(open->reason));
  }
}

static bool anything_grows(const vouch_scene_t * scene)
{
  vouch_object_view_t view;
  for (size_t i = 0; scene != NULL && vouch_scene_object(scene, i, &view); i++) {
    if (view.growth_m_s > 0.0) {
      return true;
    }
  }
  return false;
}

static void write_clearance(writer_t * w)
{
  const vouch_clearance_t * c = &w->report->result->clearance;
  if (!c->valid || w->report->result->verdict == VOUCH_COLLISION) {
    return;
  }
  vouch_text_append(w->out, LABEL, "clearance");
  vouch_text_append(w->out, "between ");
  write_length(w, c->lower_m, DOWN);
  vouch_text_append(w->out, " and ");
  write_length(w, c->upper_m, UP);
  vouch_text_append(
    w->out, "%s%s: %s - %s at ", is_tolerant(w->report->options) ? " without deviations" : "",
    anything_grows(w->report->scene) ? " of the shapes as given, not grown" : "", c->a, c->b);
  write_time(w, c->time_s, NEAREST);
  write_place(w, c->segment, c->fraction);
  vouch_text_append(w->out, "\n");
}

static void write_proof(writer_t * w)
{
  const vouch_statistics_t * s = &w->report->result->statistics;
  vouch_text_append(
    w->out, LABEL "%s, %s, %llu leaves, %llu configurations, %.3f ms", "proof",
    vouch_method_name(w->report->options->method),
    vouch_motion_model_name(vouch_motion_model(w->report->motion)), (unsigned long long)s->leaves,
    (unsigned long long)s->configurations, s->seconds * 1e3);
  if (w->report->load_seconds >= 0.0) {
    vouch_text_append(w->out, " (loading %.0f ms)", w->report->load_seconds * 1e3);
  }
  vouch_text_append(w->out, "\n");
}

static void write_notes(writer_t * w)
{
  const vouch_result_t * result = w->report->result;
  if (result->may_touch > 0) {
    vouch_text_append(
      w->out, LABEL "%llu pair%s may overlap as deep as the scene permits; what is inside what is not "
      "said\n", "touch", (unsigned long long)result->may_touch,
      result->may_touch == 1 ? "" : "s");
  }
  const vouch_motion_t * motion = w->report->motion;
  for (size_t i = 0; i < vouch_motion_overshoot_count(motion); i++) {
    vouch_overshoot_t over = vouch_motion_overshoot(motion, i);
    vouch_text_append(
      w->out, LABEL "%s moves in [%.6g, %.6g], outside its limits [%.6g, %.6g]\n", "overshoot",
      over.joint, over.minimum, over.maximum, over.lower, over.upper);
  }
  for (size_t i = 0; i < result->static_count; i++) {
    const vouch_static_pair_t * pair = &result->statics[i];
    if (pair->overlapping) {
      vouch_text_append(
        w->out,
        LABEL "%s and %s do not move against each other and touch; not part of the verdict\n",
        "static", pair->a, pair->b);
    }
  }
}

static void write_warning(const char * warning, void * state)
{
  writer_t * w = state;
  vouch_text_append(w->out, LABEL "%s\n", "warning", warning);
}

void vouch_report_text(const vouch_report_t * report, bool colour, vouch_text_t * out)
{
  writer_t w = {.report = report, .out = out, .colour = colour};
  if (!report->result) {
    write_verdict(&w, VOUCH_INVALID);
    vouch_text_append(out, "%s\n", report->error ? report->error : "");
    return;
  }
  write_verdict(&w, report->result->verdict);
  switch (report->result->verdict) {
    case VOUCH_FREE: write_free(&w); break;
    case VOUCH_COLLISION: write_collision(&w); break;
    case VOUCH_UNDECIDED: write_undecided(&w); break;
    case VOUCH_INVALID: vouch_text_append(out, "%s\n", report->error ? report->error : ""); break;
  }
  write_clearance(&w);
  write_proof(&w);
  write_notes(&w);
  vouch_report_warnings(report, write_warning, &w);
}
