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

#include "report/pairs.h"

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
  if (c->depth_m >= 1e-9) {
    vouch_text_append(w->out, "at least ");
    write_length(w, c->depth_m, DOWN);
    vouch_text_append(w->out, " there\n");
  } else {
    vouch_text_append(w->out, "less than 1 nm there: it only begins\n");
  }
  write_point(w, c->a, c->point_a);
  write_point(w, c->b, c->point_b);
  if (w->report->options->first_contact) {
    vouch_text_append(w->out, LABEL "proved for all pairs until ", "  free");
    write_time(w, c->free_until_s, DOWN);
    if (c->time_s > c->free_until_s) {
      vouch_text_append(
        w->out, ", %.2g %s before that", c->time_s - c->free_until_s, unit_of(w));
    }
    vouch_text_append(w->out, "\n");
  }
}

/* Halvings after which rounding, not patience, is what is left: the default. */
#define ENOUGH_DEPTH 24u

static const char * open_sentence(const writer_t * w, vouch_open_reason_t reason)
{
  switch (reason) {
    case VOUCH_OPEN_DEADLINE: return "the deadline came first";
    case VOUCH_OPEN_DEPTH:
      return w->report->options->max_depth < ENOUGH_DEPTH ? "the limit of --depth came first" :
             "in touch, or nearer than can be decided";
    case VOUCH_OPEN_TOLERANCE: return "within margin and tolerance";
    case VOUCH_OPEN_MEMORY: return "the memory limit came first";
    case VOUCH_OPEN_SURFACE: return "starts inside the hull of an open mesh (see --surfaces)";
    case VOUCH_OPEN_CONTAINMENT: return "may start inside the other body";
    case VOUCH_OPEN_CANCELLED: return "the check was cancelled";
    case VOUCH_OPEN_TOUCH: return "deeper than the touch that is permitted";
    case VOUCH_OPEN_UNSUPPORTED: return "this pair of shapes is not supported";
    case VOUCH_OPEN_EMBEDDED:
      return "stands deeper in it than anything is mounted: frames or units look wrong";
    case VOUCH_OPEN_NONE: break;
  }
  return "not said why";
}

static bool same_question(const vouch_open_t * x, const vouch_open_t * y)
{
  const char * x_b = x->b ? x->b : "", * y_b = y->b ? y->b : "";
  return x->reason == y->reason && strcmp(x->a, y->a) == 0 && strcmp(x_b, y_b) == 0;
}

/* One line for a pair, however many pieces of time are open. The first of them writes it. */
static void write_open(writer_t * w, size_t number)
{
  const vouch_result_t * result = w->report->result;
  vouch_open_t all = result->open[number];
  size_t pieces = 0;
  for (size_t i = 0; i < result->open_count; i++) {
    const vouch_open_t * other = &result->open[i];
    if (!same_question(&all, other)) {
      continue;
    }
    if (i < number) {
      return;
    }
    pieces++;
    all.begin_s = fmin(all.begin_s, other->begin_s);
    all.end_s = fmax(all.end_s, other->end_s);
    all.distance_m = all.distance_m < 0.0 ? other->distance_m :
      other->distance_m < 0.0 ? all.distance_m : fmin(all.distance_m, other->distance_m);
  }
  vouch_text_append(
    w->out, LABEL "%s - %s between ", "  open", all.a, all.b && all.b[0] ? all.b : "the obstacles");
  write_time(w, all.begin_s, DOWN);
  vouch_text_append(w->out, " and ");
  const double length = all.end_s - all.begin_s;
  if (length > 0.0 && length < 1e-6) {
    vouch_text_append(w->out, "%.2g %s later", length, unit_of(w));
  } else {
    write_time(w, all.end_s, UP);
  }
  if (pieces > 1) {
    vouch_text_append(w->out, " in %zu pieces", pieces);
  }
  if (all.distance_m >= 0.0) {
    vouch_text_append(w->out, ", at most ");
    write_length(w, fabs(all.distance_m), UP);   // -0 is 0
    vouch_text_append(w->out, " apart");
  }
  vouch_text_append(w->out, ": %s\n", open_sentence(w, all.reason));
}

static void write_undecided(writer_t * w)
{
  const vouch_result_t * result = w->report->result;
  if (result->open_count == 0 && w->report->doubt_count > 0) {
    const size_t count = w->report->doubt_count;
    vouch_text_append(
      w->out, "what is checked is proved apart; --strict leaves %zu question%s open\n", count,
      count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++) {
      vouch_text_append(w->out, LABEL "%s\n", "  open", w->report->doubts[i]);
    }
    return;
  }
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
    write_open(w, i);
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

/* So that nobody takes 8 pairs for all that there are. */
static void write_pairs(writer_t * w)
{
  vouch_pair_counts_t counts;
  if (!w->report->scene ||
    vouch_report_count_pairs(w->report, &counts, NULL, NULL) != VOUCH_RET_OK)
  {
    return;
  }
  vouch_text_append(
    w->out, LABEL "%llu of %llu pair%s checked", "pairs", (unsigned long long)counts.checked,
    (unsigned long long)counts.total, counts.total == 1 ? "" : "s");
  const char * before = " (";
  if (counts.left_out > 0) {
    vouch_text_append(w->out, ", %llu left out", (unsigned long long)counts.left_out);
    for (int i = 0; i < VOUCH_LEFT_COUNT; i++) {
      if (counts.reasons[i] > 0) {
        vouch_text_append(
          w->out, "%s%llu %s", before, (unsigned long long)counts.reasons[i],
          vouch_left_out_words((vouch_left_reason_t)i));
        before = ", ";
      }
    }
    vouch_text_append(w->out, ")");
  }
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

/* ---- what a person asks next ---- */

static void write_hits(writer_t * w, const vouch_report_next_t * next)
{
  for (size_t i = 0; i < next->hit_count; i++) {
    const vouch_report_hit_t * hit = &next->hits[i];
    vouch_text_append(
      w->out, LABEL "%s %s %s", "collision", hit->a,
      hit->kind == VOUCH_CONTACT_MARGIN ? "within the margin of" : "in", hit->b);
    for (size_t k = 0; k < hit->interval_count; k++) {
      vouch_text_append(w->out, k == 0 ? " from " : ", from ");
      write_time(w, hit->intervals[k][0], NEAREST);
      vouch_text_append(w->out, " to ");
      write_time(w, hit->intervals[k][1], NEAREST);
    }
    vouch_text_append(w->out, "\n");
  }
  if (next->hit_count > 0) {
    vouch_text_append(
      w->out, LABEL "%zu pair%s collide%s; %s\n", "", next->hit_count,
      next->hit_count == 1 ? "" : "s", next->hit_count == 1 ? "s" : "", next->hits_complete ?
      "all others are proved apart" : "of the others not all are decided");
  }
}

static void write_waypoints(writer_t * w, const vouch_report_next_t * next)
{
  vouch_text_append(
    w->out, LABEL "%zu of %zu free%s\n", "waypoints", next->waypoints_free, next->waypoints,
    next->waypoints_free == next->waypoints ?
    ": a look at the waypoints alone would not have seen it" : "");
}

/* Six digits that are not more than the value: what is proved is not rounded up. */
static double digits_below(double value)
{
  const double step = value > 0.0 ? pow(10.0, floor(log10(value)) - 5.0) : 1.0;
  return floor(value / step) * step;
}

static void write_largest(writer_t * w, const vouch_report_next_t * next)
{
  if (next->margin_searched) {
    vouch_text_append(w->out, LABEL, "  next");
    if (next->largest_margin_m >= 0.0) {
      vouch_text_append(w->out, "proved with a margin of ");
      write_length(w, next->largest_margin_m, DOWN);
      vouch_text_append(w->out, ": --margin %.6g\n", digits_below(next->largest_margin_m));
    } else {
      vouch_text_append(w->out, "not proved without a margin either\n");
    }
  }
  if (next->tolerance_searched) {
    const vouch_check_options_t * o = w->report->options;
    const double share = next->largest_tolerance;
    vouch_text_append(w->out, LABEL, "  next");
    if (share > 0.0) {
      vouch_text_append(w->out, "proved with %.3g %% of the tolerances:", 100.0 * share);
      if (o->tolerance_rad > 0.0) {
        vouch_text_append(w->out, " --tolerance %.6g", digits_below(share * o->tolerance_rad));
      }
      if (o->tolerance_m > 0.0) {
        vouch_text_append(w->out, " --tolerance-m %.6g", digits_below(share * o->tolerance_m));
      }
      for (size_t i = 0; i < o->tolerance_count; i++) {
        vouch_text_append(
          w->out, " --joint-tolerance %s=%.6g", o->tolerances[i].joint,
          digits_below(share * o->tolerances[i].value));
      }
      vouch_text_append(w->out, "\n");
    } else {
      vouch_text_append(
        w->out, share == 0.0 ? "proved only without tolerances\n" :
        "not proved without tolerances either\n");
    }
  }
}

static void write_nearest(writer_t * w, const char * label, const vouch_clearance_t * nearest)
{
  if (nearest->valid) {
    vouch_text_append(w->out, LABEL "%s - %s: at least ", label, nearest->a, nearest->b);
    write_length(w, nearest->lower_m, DOWN);
    vouch_text_append(w->out, " at all times, nearest at ");
    write_time(w, nearest->time_s, NEAREST);
    vouch_text_append(w->out, "\n");
  }
}

/* The first open question of each kind gets its answer. */
static void write_ways_out(writer_t * w)
{
  const vouch_result_t * result = w->report->result;
  const vouch_check_options_t * options = w->report->options;
  bool told[VOUCH_OPEN_TOUCH + 1] = {false};
  for (size_t i = 0; i < result->open_count; i++) {
    const vouch_open_t * open = &result->open[i];
    const char * b = open->b && open->b[0] ? open->b : "OBSTACLE";
    if ((unsigned)open->reason > VOUCH_OPEN_TOUCH || told[open->reason]) {
      continue;
    }
    told[open->reason] = true;
    if (open->reason == VOUCH_OPEN_DEADLINE) {
      vouch_text_append(
        w->out, LABEL "more time: --deadline %.3g, or none\n", "  next",
        10.0 * options->deadline_s);
    } else if (open->reason == VOUCH_OPEN_MEMORY) {
      vouch_text_append(
        w->out, LABEL "more memory: --memory %zuM\n", "  next", options->max_memory / 262144u);
    } else if (open->reason == VOUCH_OPEN_DEPTH && options->max_depth < ENOUGH_DEPTH) {
      vouch_text_append(
        w->out, LABEL "more halvings than --depth %u: %u is the default\n", "  next",
        options->max_depth, ENOUGH_DEPTH);
    } else if (open->reason == VOUCH_OPEN_DEPTH || open->reason == VOUCH_OPEN_UNSUPPORTED) {
      vouch_text_append(
        w->out, LABEL "if the two may touch: --allow %s,%s\n", "  next", open->a, b);
    } else if (open->reason == VOUCH_OPEN_EMBEDDED) {
      vouch_text_append(
        w->out, LABEL "look at frame and unit of %s and %s; if they are right: --allow %s,%s\n",
        "  next", open->a, b, open->a, b);
    }
  }
}

static void write_next(writer_t * w)
{
  const vouch_report_next_t * next = w->report->next;
  if (w->report->result->verdict == VOUCH_UNDECIDED) {
    write_ways_out(w);
  }
  if (!next) {
    return;
  }
  write_hits(w, next);
  if (next->waypoints > 0) {
    write_waypoints(w, next);
  }
  write_largest(w, next);
  write_nearest(w, "obstacle", &next->world);
  write_nearest(w, "self", &next->self);
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
        w->out, LABEL "%s and %s do not move against each other and ", "static", pair->a, pair->b);
      if (pair->depth_m >= 1e-6) {
        vouch_text_append(w->out, "overlap by about ");
        write_length(w, pair->depth_m, NEAREST);
      } else {
        vouch_text_append(w->out, "touch");
      }
      vouch_text_append(w->out, "; not part of the verdict\n");
    }
  }
}

static void write_offer(writer_t * w)
{
  const vouch_plan_result_t * plan = w->report->plan;
  const vouch_robot_t * robot = w->report->scene ? vouch_scene_robot(w->report->scene) : NULL;
  if (plan->contact.kind != VOUCH_CONTACT_NONE) {
    write_point(w, plan->contact.a, plan->contact.point_a);
    write_point(w, plan->contact.b, plan->contact.point_b);
  }
  for (size_t i = 0; robot && plan->free_state && i < vouch_robot_variable_count(robot); i++) {
    vouch_text_append(
      w->out, LABEL "%s=%.9g\n", i == 0 ? "  free at" : "", vouch_robot_variable_name(robot, i),
      plan->free_state[i]);
  }
}

static void write_plan(writer_t * w)
{
  const vouch_plan_result_t * plan = w->report->plan;
  const vouch_plan_statistics_t * s = &plan->statistics;
  if (plan->path_count > 0) {
    vouch_text_append(
      w->out, LABEL "%zu waypoints, %.3f rad long (first path: %.3f)\n", "plan", plan->path_count,
      s->length, s->first_length);
    vouch_text_append(
      w->out, LABEL "first path after %.3f ms, proved after %.3f ms, done after %.3f ms; %llu edges "
      "and %llu states asked about\n", "", 1e3 * s->first_seconds, 1e3 * s->proved_seconds,
      1e3 * s->seconds, (unsigned long long)s->edges,
      (unsigned long long)s->states);
  }
  if (w->report->old_motion && plan->verdict == VOUCH_FREE) {
    vouch_text_append(
      w->out, plan->changed ? LABEL "%.1f %% of the old path is kept; the new one is nowhere further "
      "than %.3f rad from it\n" : LABEL "nothing: it is free as it is\n", "repair",
      100.0 * plan->kept,
      plan->deviation);
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
  if (!report->result && report->plan) {
    write_verdict(&w, report->plan->verdict);
    vouch_text_append(out, "%s\n", report->plan->message);
    write_offer(&w);
    vouch_report_warnings(report, write_warning, &w);
    return;
  }
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
  write_next(&w);
  write_clearance(&w);
  write_pairs(&w);
  write_proof(&w);
  if (report->plan) {
    write_plan(&w);
  }
  write_notes(&w);
  vouch_report_warnings(report, write_warning, &w);
}
