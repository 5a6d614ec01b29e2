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

#include "search/open.h"

#include <math.h>
#include <time.h>

#include "search/contact.h"

/* A contact is looked for in at least 2^COARSEST parts of a segment. Fewer would miss short ones. */
#define COARSEST 6u

/* So many open intervals of a pair make it one halving coarser behind the first of them. Fewer: contacts
 * are told late; more: bodies that slide along each other are looked at in 2^max_depth parts. */
#define OPEN_PER_LEVEL 8u

/* The clock is asked every so many steps, a power of two: a step costs a few microseconds at most, so that
 * a deadline is kept to less than a tenth of a millisecond, and asking costs next to nothing. */
#define STEPS_PER_LOOK 8u

/* Of a segment. An open interval that begins so shortly before the first contact does not hold up its
 * time: reports tell times less finely. */
#define NEAR_CONTACT 1e-6

double search_time_fraction(search_time_t time)
{
  return ldexp((double)time.numerator, -(int)time.depth);
}

int search_time_compare(search_time_t a, search_time_t b)
{
  double x = (double)a.segment, y = (double)b.segment;
  if (a.segment == b.segment) {
    x = search_time_fraction(a);
    y = search_time_fraction(b);
  } else if (a.segment + 1u == b.segment && search_time_fraction(a) == 1.0 && b.numerator == 0) {
    return 0;
  } else if (b.segment + 1u == a.segment && search_time_fraction(b) == 1.0 && a.numerator == 0) {
    return 0;
  }
  return x < y ? -1 : x > y;
}

search_time_t search_interval_time(const kernel_timeline_t * t, uint32_t number, int halves)
{
  const kernel_interval_t * i = &t->intervals[number];
  if (i->last - i->first == 1u) {
    return (search_time_t) {i->first, 2u * i->numerator + (uint64_t)halves, i->depth + 1u};
  }
  if (halves == 0 && i->begins_at_start) {
    return (search_time_t) {i->first, 0, 0};   // behind a jump, not before it
  }
  uint32_t knot = halves == 0 ? i->first : halves == 2 ? i->last : kernel_interval_knot(i);
  return knot == 0 ? (search_time_t) {0, 0, 0} : (search_time_t) {knot - 1u, 1, 0};
}

/// True when time is up.
bool search_poll(search_t * s)
{
  if ((++s->polls & (STEPS_PER_LOOK - 1u)) != 0) {
    return s->stopped;
  }
  if (s->cancel != NULL && atomic_load_explicit(s->cancel, memory_order_relaxed)) {
    s->stopped = s->cancelled = true;
  }
  if (s->has_deadline) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec >= s->deadline_ns) {
      s->stopped = true;
    }
  }
  return s->stopped;
}

static void set_horizon(search_t * s, search_time_t time)
{
  const kernel_view_t * v = kernel_view(s->proof);
  double fraction = search_time_fraction(time);
  if (!v->has_horizon || time.segment < v->horizon_segment ||
    (time.segment == v->horizon_segment && fraction < v->horizon_fraction))
  {
    kernel_proof_horizon(s->proof, time.segment, fraction);
  }
}

static bool near_contact(const search_t * s, search_time_t time)
{
  return time.segment == s->contact.time.segment &&
         search_time_fraction(s->contact.time) - search_time_fraction(time) <= NEAR_CONTACT;
}

/// Adds a goal to what is open, or to the entry before it if that is about the same bodies.
static void note_open(
  search_t * s, const kernel_goal_t * goal, vouch_open_reason_t reason, double distance)
{
  const kernel_timeline_t * t = &kernel_view(s->proof)->timeline;
  double begin = kernel_timeline_seconds(t, goal->interval, 0.0, KERNEL_DOWN);
  double end = kernel_timeline_seconds(t, goal->interval, 1.0, KERNEL_UP);
  search_open_t * last = s->open_entries > 0 && s->open_entries <= SEARCH_MAX_OPEN ?
    &s->open[s->open_entries - 1u] : NULL;
  if (last != NULL && last->pair == kernel_view(s->proof)->pair && last->body_b == goal->body_b &&
    last->reason == reason)
  {
    last->begin_s = fmin(last->begin_s, begin);
    last->end_s = fmax(last->end_s, end);
    last->distance = last->distance < 0.0 ? distance : distance < 0.0 ? last->distance :
      fmin(last->distance, distance);
    return;
  }
  if (s->open_entries < SEARCH_MAX_OPEN) {
    s->open[s->open_entries] = (search_open_t) {
      .pair = kernel_view(s->proof)->pair, .body_a = kernel_pair(s->proof)->a,
      .body_b = goal->body_b,
      .reason = reason, .begin_s = begin, .end_s = end, .distance = distance
    };
  }
  s->open_entries++;
}

void search_leave_rest_open(search_t * s, vouch_open_reason_t reason)
{
  const kernel_proof_t * p = s->proof;
  for (uint32_t i = s->floor; i < kernel_view(p)->stack_size; i++) {
    note_open(s, &kernel_view(p)->stack[i], reason, -1.0);
  }
}

void search_leave_open(search_t * s, vouch_open_reason_t reason, double distance)
{
  const kernel_goal_t * goal = kernel_proof_goal(s->proof);
  const kernel_timeline_t * t = &kernel_view(s->proof)->timeline;
  note_open(s, goal, reason, distance);
  s->open_count++;
  search_time_t begin = search_interval_time(t, goal->interval, 0);
  if (!s->has_stuck || search_time_compare(begin, s->stuck) < 0) {
    s->stuck = begin;
    s->has_stuck = true;
  }
  if (s->pair_serial != kernel_view(s->proof)->serial ||
    search_time_compare(begin, s->pair_stuck) < 0)
  {
    s->pair_stuck = begin;
    s->pair_serial = kernel_view(s->proof)->serial;
  }
  if (s->mode == SEARCH_FIRST && s->has_contact && near_contact(s, begin)) {
    set_horizon(s, begin);   // the bracket is narrow enough: nothing later matters
  }
  kernel_abandon(s->proof);
}

/// How often a segment is halved. What comes after an interval of this pair that stayed open does not
/// tell until when all is free: some of them make it coarser there. Bodies in touch over a
/// stretch of time would otherwise be looked at in all its 2^max_depth parts.
static uint32_t depth_limit(const search_t * s, const kernel_goal_t * goal)
{
  uint32_t coarser = (uint32_t)((s->open_count - s->open_before) / OPEN_PER_LEVEL);
  if (coarser == 0 || s->pair_serial != kernel_view(s->proof)->serial || search_time_compare(
      search_interval_time(&kernel_view(s->proof)->timeline, goal->interval, 0),
      s->pair_stuck) <= 0)
  {
    return s->max_depth;
  }
  uint32_t least = s->max_depth < COARSEST ? s->max_depth : COARSEST;
  return s->max_depth > least + coarser ? s->max_depth - coarser : least;
}

bool search_is_deep(const search_t * s, const kernel_goal_t * goal)
{
  const kernel_interval_t * interval = &kernel_view(s->proof)->timeline.intervals[goal->interval];
  return interval->depth >= depth_limit(s, goal) && interval->last - interval->first == 1u;
}

void search_split_time(search_t * s, double distance)
{
  if (search_is_deep(s, kernel_proof_goal(s->proof))) {
    search_leave_open(s, VOUCH_OPEN_DEPTH, distance);
  } else if (kernel_split_time(s->proof) != KERNEL_DONE) {
    search_leave_open(s, VOUCH_OPEN_MEMORY, distance);
  }
}

void search_start_first(search_t * s, const search_contact_t * contact)
{
  s->contact = *contact;
  s->has_contact = true;
  set_horizon(s, contact->time);
}

bool search_take_contact(search_t * s, const search_contact_t * contact)
{
  if (!s->has_contact || search_time_compare(contact->time, s->contact.time) < 0) {
    s->contact = *contact;
    s->has_contact = true;
  }
  if (s->mode == SEARCH_PROVE) {
    return false;
  }
  set_horizon(s, s->contact.time);
  return true;
}
