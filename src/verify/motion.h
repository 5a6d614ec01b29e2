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

/* [V-SEGMENT] Requires: the segments before s are loaded.
 * Ensures:  s has its coefficients, those from b on; its knots are apart; no variable exceeds its
 *           `most`. Returns: the coefficients that follow.
 * Why:      a knot is a start when a first coefficient differs in any bit from the last one. A
 *           Bernstein polynomial stays between its least and its largest coefficient. */
static const double * load_segment(
  verifier * v, segment_t * s, const double * b, const double * end)
{
  const bool first = s == v->segments, later = first || s->from == s[-1].to;
  need(v, later && s->to - s->from >= 1e-12 && s->from >= 0.0, "motion: a knot is wrong");
  const bool told = s->seconds >= (first ? v->seconds : s[-1].seconds);
  need(v, told && s->degree >= 1 && s->degree <= 5, "motion: seconds or a degree are wrong");
  const uint64_t width = (s->degree + UINT64_C(1)) * v->variable_count;
  need(v, width <= (uint64_t)(end - b), "motion: coefficients are missing");
  s->b = b;
  s->starts = first ? 1 : s[-1].starts;
  for (uint32_t j = 0; j < v->variable_count; j++) {
    const double * last = first ? b : s[-1].b + (j + UINT64_C(1)) * (s[-1].degree + 1) - 1;
    if (memcmp(last, b, sizeof(double)) != 0) {s->starts = s[-1].starts + 1;}
    for (uint32_t i = 0; i <= s->degree; i++) {
      v->variables[j].most = max(v->variables[j].most, fabs(*b++));
    }
  }
  return b;
}

/* [V-MOTION] Ensures: the motion is as the format describes it. */
static void load_motion(verifier * v)
{
  uint32_t kind, count, k = 0;
  memcpy(&kind, bytes(v, sizeof(kind)), sizeof(kind));
  memcpy(&v->seconds, bytes(v, sizeof(double)), sizeof(double));
  need(v, kind == 1 && fabs(v->seconds) <= 1e9, "motion: of another kind");
  v->variables = table(v, 1, 1e6, 8, sizeof(variable_t), &v->variable_count);
  v->segments = table(v, 3, 1e9, 32, sizeof(segment_t), &v->segment_count);
  const double * b = table(v, 1, 65536.0, 8, 8, &count), * end = b + count;
  (void)table(v, 0, 0.0, 1, 1, &count);
  need(v, v->segment_count > 0 && v->segment_count < 1 << 20, "motion: none, or too long");
  for (uint32_t j = 0; j < v->variable_count; j++) {
    need(v, v->variables[j].tolerance >= 0.0, "motion: a tolerance is negative");
    v->tolerance = max(v->tolerance, v->variables[j].tolerance);
  }
  while (k < v->segment_count) {b = load_segment(v, &v->segments[k++], b, end);}
  need(v, b == end, "motion: too many coefficients");
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

/* [V-POSES] Ensures: contains the pose of every frame in frame 0's parent at time t; at a knot, at
 * the end of the segment before it, or else at the beginning of the one after. */
static rigid * poses_at(verifier * v, uint64_t t, bool before)
{
  const uint64_t number = (t - before) / ONE, tick = t - number * ONE;
  const segment_t * k = &v->segments[number];
  rigid * world = take(v, v->frame_count, sizeof(rigid));
  const vec none = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
  for (uint32_t i = 0; i < v->frame_count; i++) {
    const frame_t * f = &v->frames[i];
    rigid x = f->pose;
    if (!f->moves) {world[i] = f->world; continue;}
    if (f->joint != FIXED) {
      const double * b = k->b + f->variable * (k->degree + UINT64_C(1));
      const iv value = blossom(b, k->degree, 0, tick, tick);
      const iv q = add(mul(point(f->factor), value), point(f->offset)), half = mul(q, point(0.5));
      const vec axis = times(f->unit, sine(half, 0));
      const rigid turned = rotation(axis, sine(half, 1), point(2.0), none);
      const rigid slid = {x.x, x.y, x.z, plus(x.t, times(turn(x, f->unit), q))};
      x = f->joint == REVOLUTE ? compose(x, turned) : slid;
    }
    world[i] = compose(world[f->parent], x);
  }
  return world;
}

/* [V-BOUNDS] Requires: no start strictly inside the span.
 * Ensures:  in the span's own time |q'| of the variable number j is at most its speed, its total
 *           variation at most its variation, and its bend at least the sum of half of max |q''| (or
 *           the integral of |q''|, whichever is smaller) and of all kinks.
 * Why:      L5 and L10, every step rounded up. The velocity has the coefficients d*rate*step; it
 *           bends between two of one segment, and has a kink between segments. */
static void set_bound(const verifier * v, uint32_t j)
{
  const uint64_t first = v->span.begin / ONE, last = (v->span.end - 1) / ONE;
  const uint64_t begin = v->span.begin % ONE, end = v->span.end - last * ONE;
  const iv whole = sub(point(v->segments[last].to), point(v->segments[first].from));
  double half = 0.0, integral = 0.0, kinks = 0.0;
  variable_t * q = &v->variables[j];
  iv velocity = {0.0, 0.0};
  q->speed = q->variation = 0.0;
  for (const segment_t * s = &v->segments[first]; s <= &v->segments[last]; s++) {
    const double d = s->degree, * b = s->b + j * (s->degree + UINT64_C(1));
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
}
