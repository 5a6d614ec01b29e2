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

/* The motion: segments, poses at a time, bounds on a span. */

#include <string.h>

#include "internal.h"

/* [V-SEGMENT] Requires: the segments before s are loaded; its record begins at `at`.
 * Ensures:  s has its coefficients, those from *b on; its knots are apart; no variable exceeds its
 *           `most`. *b is behind them.
 * Why:      a knot is a start when a first coefficient differs in any bit from the last one. A
 *           Bernstein polynomial stays between its least and its largest coefficient. */
static bool load_segment(
  verifier * v, segment_t * s, const uint8_t * at, const double ** b, const double * end)
{
  double x[3];
  if (!v_numbers(v, &at, 3, 1e9, x)) {return false;}
  const uint32_t degree = v_u32(&at);
  const bool first = s == v->segments, zero = v_u32(&at) == 0;
  *s = (segment_t) {x[0], x[1], x[2], degree, first ? 1 : s[-1].starts, *b};
  const bool later = (first || s->from == s[-1].to) && s->to - s->from >= 1e-12 && s->from >= 0.0;
  const bool told = s->seconds >= (first ? v->seconds : s[-1].seconds);
  const uint64_t width = (degree + UINT64_C(1)) * v->variable_count;
  if (!v_need(v, later, "motion: a knot is wrong") ||
    !v_need(v, told && zero, "motion: seconds are wrong") ||
    !v_need(v, degree >= 1 && degree <= 5, "motion: a degree is wrong") ||
    !v_need(v, width <= (uint64_t)(end - *b), "motion: coefficients are missing"))
  {
    return false;
  }
  for (uint32_t j = 0; j < v->variable_count; j++) {
    const double * last = first ? *b : s[-1].b + (j + UINT64_C(1)) * (s[-1].degree + 1) - 1;
    if (memcmp(last, *b, sizeof(double)) != 0) {s->starts = s[-1].starts + 1;}
    for (uint32_t i = 0; i <= degree; i++) {
      v->variables[j].most = max(v->variables[j].most, fabs(*(*b)++));
    }
  }
  return true;
}

/* [V-VARIABLES] Ensures: every variable has its tolerance, whose records begin at `at`. */
static bool load_variables(verifier * v, const uint8_t * at)
{
  for (uint32_t j = 0; j < v->variable_count; j++) {
    double * tolerance = &v->variables[j].tolerance;
    if (!v_numbers(v, &at, 1, 1e6, tolerance) ||
      !v_need(v, *tolerance >= 0.0 && v_u64(&at) == 0, "motion: a tolerance is negative"))
    {
      return false;
    }
    v->report.tolerance = max(v->report.tolerance, *tolerance);
  }
  return true;
}

/* [V-MOTION] Ensures: the motion is as the format describes it. */
bool v_load_motion(verifier * v)
{
  const uint8_t * at, * variables, * segments, * coefficients;
  const char * names;
  uint32_t count;
  if (!v_bytes(v, 12, &at) || !v_need(v, v_u32(&at) == 1, "motion: of another kind") ||
    !v_numbers(v, &at, 1, 1e9, &v->seconds) ||
    !v_table(v, 16, &v->variable_count, &variables) ||
    !v_table(v, 32, &v->segment_count, &segments) || !v_table(v, 8, &count, &coefficients) ||
    !v_names(v, 1 + (uint64_t)v->variable_count, &names) ||
    !v_need(v, v->segment_count > 0 && v->segment_count < 1 << 20, "motion: none, or too long"))
  {
    return false;
  }
  v->variables = v_take(v, v->variable_count, sizeof(variable_t));
  v->segments = v_take(v, v->segment_count, sizeof(segment_t));
  double * b = v_take(v, count, sizeof(double));
  if (v->variables == NULL || v->segments == NULL || b == NULL || !load_variables(v, variables) ||
    !v_numbers(v, &coefficients, count, 65536.0, b))
  {
    return false;
  }
  const double * next = b;
  for (uint32_t i = 0; i < v->segment_count; i++) {
    const uint8_t * record = segments + 32 * (size_t)i;
    if (!load_segment(v, &v->segments[i], record, &next, b + count)) {return false;}
  }
  v->report.duration = v->segments[v->segment_count - 1].seconds - v->seconds;
  return v_need(v, next == b + count, "motion: too many coefficients");
}

/* [V-BLOSSOM] Requires: degree <= 5.
 * Ensures:  contains the blossom of the polynomial with coefficients b at `ones` times the tick
 *           `end` and else `begin`: coefficient `ones` of the polynomial restricted to that part;
 *           its value at the beginning for ones = 0.
 * Why:      de Casteljau; a blossom does not depend on the order of its arguments; times and 1 - t
 *           are exact multiples of 2^-44. */
static iv blossom(const double * b, uint32_t degree, uint32_t ones, uint64_t begin, uint64_t end)
{
  if (degree == 0) {return point(b[0]);}
  if (end - begin == ONE) {return point(b[ones]);}
  const double t = (double)(degree <= ones ? end : begin) * 0x1p-44;
  const iv early = blossom(b, degree - 1, ones, begin, end);
  const iv late = blossom(b + 1, degree - 1, ones, begin, end);
  return add(mul(early, point(1.0 - t)), mul(late, point(t)));
}

/* [V-JOINT] Ensures: contains the pose of f in its parent at that time. */
static rigid local_pose(const verifier * v, const frame_t * f, moment_t when)
{
  if (f->joint == FIXED) {return f->pose;}
  const vec none = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
  const uint64_t number = (when.tick - when.before) / ONE, tick = when.tick - number * ONE;
  const segment_t * s = &v->segments[number];
  const double * b = s->b + f->variable * (s->degree + UINT64_C(1));
  const iv value = blossom(b, s->degree, 0, tick, tick);
  const iv q = add(mul(point(f->factor), value), point(f->offset)), half = mul(q, point(0.5));
  const rigid x = f->pose;
  if (f->joint == PRISMATIC) {
    return (rigid) {x.x, x.y, x.z, plus(x.t, times(turn(x, f->unit), q))};
  }
  const vec axis = times(f->unit, v_sine(half, 0));
  return v_compose(x, v_rotation(axis, v_sine(half, 1), point(2.0), none));
}

/* [V-POSE] Requires: `when` is a time of the motion, of a segment before or after it.
 * Ensures:  contains the frame's pose in frame 0 at that time, finite.
 * Why:      it is the parent's after the one in the parent. One that was found is known by frame
 *           and time, and taken only where both are the same. Of the ends of the spans that are
 *           above one another within a segment no two have the same number of zero bits at the
 *           end: so these poses are found once. At most 256 frames are above one another. */
bool v_pose(verifier * v, uint32_t frame, moment_t when, rigid * pose)
{
  const frame_t * f = &v->frames[frame];
  if (!f->moves) {*pose = f->world; return true;}
  const uint64_t segment = when.tick / ONE, tick = when.tick % ONE;
  when.before = when.before && tick == 0;
  const uint32_t level = (uint32_t)(tick > 0 ? __builtin_ctzll(tick) : 44 + (int)(segment % 20));
  known_t * known = &v->cache[(64 * f->mover + level) & v->cache_mask];
  const bool same = known->when.tick == when.tick && known->when.before == when.before;
  if (!same || known->mover != f->mover || known->check != v->check_count) {
    rigid above;
    if (!v_spend(v, 32) || !v_pose(v, f->parent, when, &above)) {return false;}
    const rigid found = v_compose(above, local_pose(v, f, when));
    if (!v_need(v, length(found.t) < FINITE, "a pose is too far away")) {return false;}
    *known = (known_t) {when, v->check_count, f->mover, found};
    v->report.poses++;
  }
  *pose = known->pose;
  return true;
}

/* [V-GROWN] Requires: a tick of the motion.
 * Ensures:  contains the metres that both things together have grown since the first knot: even
 *           between two knots. */
iv v_grown(const verifier * v, const uint32_t things[2], uint64_t tick)
{
  const uint64_t number = tick == 0 ? 0 : (tick - 1) / ONE;
  const segment_t * s = &v->segments[number];
  const iv from = point(number == 0 ? v->seconds : s[-1].seconds), to = point(s->seconds);
  const iv later = mul(point((double)(tick - number * ONE) * 0x1p-44), sub(to, from));
  const iv a = point(v->things[things[0]].growth), b = point(v->things[things[1]].growth);
  return mul(add(a, b), sub(add(from, later), point(v->seconds)));
}

/* [V-BOUNDS] Requires: no start strictly inside the span.
 * Ensures:  in the span's own time |q'| of the variable of that number is at most its speed, its
 *           total variation at most its variation, and its bend at least the sum of half of max
 *           |q''| (or the integral of |q''|, whichever is smaller) and of all kinks; all finite.
 * Why:      L5 and L10, every step rounded up. The velocity has the coefficients d*rate*step; it
 *           bends between two of one segment, and has a kink between segments. Where it is `known`,
 *           that was found for this very span. */
bool v_bound(verifier * v, uint32_t number)
{
  const uint64_t first = v->span.begin / ONE, last = (v->span.end - 1) / ONE;
  const uint64_t begin = v->span.begin % ONE, end = v->span.end - last * ONE;
  variable_t * q = &v->variables[number];
  if (q->known == v->span_count) {return true;}
  if (!v_spend(v, 16 * (last - first + 1))) {return false;}
  const iv whole = sub(point(v->segments[last].to), point(v->segments[first].from));
  double half = 0.0, integral = 0.0, kinks = 0.0;
  iv velocity = {0.0, 0.0};
  q->speed = q->variation = 0.0;
  for (const segment_t * s = &v->segments[first]; s <= &v->segments[last]; s++) {
    const double d = s->degree, * b = s->b + number * (s->degree + UINT64_C(1));
    const iv rate = over(whole, sub(point(s->to), point(s->from)));
    for (uint32_t i = 1; i <= s->degree; i++) {
      const iv old = blossom(b, s->degree, i - 1, begin, end), before = velocity;
      const iv step = sub(blossom(b, s->degree, i, begin, end), old);
      velocity = mul(step, mul(rate, point(d)));
      const double change = s == &v->segments[first] && i == 1 ? 0.0 : mag(sub(velocity, before));
      const double turn = i == 1 ? 0.0 : change;
      kinks = up(kinks + (change - turn));
      half = max(half, up(up(0.5 * (d - 1.0) * turn) * rate.hi));
      integral = up(integral + turn);
      q->speed = max(q->speed, mag(velocity));
      q->variation = up(q->variation + mag(step));
    }
  }
  q->bend = up(min(half, integral) + kinks);
  const bool good = q->speed < 1e200 && q->bend < 1e200 && q->variation < 1e200;
  q->known = good ? v->span_count : 0;
  return v_need(v, good, "a variable has no bounds");
}
