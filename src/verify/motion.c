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

/* The motion: Bernstein polynomials, their values and their bounds (L5, L10). */
#include <string.h>

#include "internal.h"

/* [V-COEFFICIENTS] Ensures: the coefficients of a variable on a segment. */
static const double * coefficients(const vv_verifier * v, uint32_t segment, uint32_t variable)
{
  const vv_segment * s = &v->segments[segment];
  return s->b + (size_t)variable * (s->degree + 1);
}

/* [V-STARTS] Ensures: starts[k] counts the starts among knots 0 to k.
 * Why:      a knot is a start when a first coefficient differs in any bit from the last one. */
static void count_starts(vv_verifier * v)
{
  v->starts[0] = 1;
  for (uint32_t k = 1; k < v->segment_count; k++) {
    bool jump = false;
    for (uint32_t j = 0; j < v->variable_count; j++) {
      const double * last = coefficients(v, k - 1, j) + v->segments[k - 1].degree;
      jump = jump || memcmp(last, coefficients(v, k, j), sizeof(double)) != 0;
    }
    v->starts[k] = v->starts[k - 1] + jump;
  }
}

/* [V-START] Requires: knot < the number of segments. Ensures: true if the knot is a start. */
bool vv_is_start(const vv_verifier * v, uint32_t knot)
{
  return knot == 0 || v->starts[knot] > v->starts[knot - 1];
}

/* [V-SWEEP] Ensures: tolerance bounds the deviation of f's joint; every value that it takes,
 * deviations included, is within half of middle. Why: a Bernstein polynomial stays between its
 * least and its largest coefficient. */
static void sweep(const vv_verifier * v, vv_frame * f)
{
  vv_iv range = {INFINITY, -INFINITY};
  for (uint32_t k = 0; k < v->segment_count; k++) {
    const double * b = coefficients(v, k, f->variable);
    for (uint32_t i = 0; i <= v->segments[k].degree; i++) {
      range = (vv_iv) {vv_min(range.lo, b[i]), vv_max(range.hi, b[i])};
    }
  }
  const vv_iv q = vv_add(vv_mul(vv_point(f->multiplier), range), vv_point(f->offset));
  f->tolerance = vv_up(fabs(f->multiplier) * v->tolerances[f->variable]);
  f->middle = 0.5 * (q.lo + q.hi);
  f->half = vv_up(f->tolerance + vv_max(vv_up(q.hi - f->middle), vv_up(f->middle - q.lo)));
}

/* [V-SEGMENTS] Ensures: on true knots are apart, degrees 1 to 5, coefficients bounded. */
static bool load_segments(vv_verifier * v, vv_reader * r)
{
  v->segments = vv_array(v, r, 20, sizeof(vv_segment), &v->segment_count);
  const size_t count = v->segment_count;
  double * t = v->knots = vv_take(v, count + 1, sizeof(double));
  v->seconds = vv_take(v, count + 1, sizeof(double));
  v->starts = vv_take(v, count + 1, sizeof(uint32_t));
  for (size_t k = 0; !v->bad && k <= count; k++) {
    VV_READ(r, "t", &t[k]);
    if (!(k == 0 ? t[0] >= 0.0 : t[k] - t[k - 1] >= 1e-12)) {return false;}
  }
  for (size_t k = 0; !v->bad && k <= count; k++) {
    VV_READ(r, "t", &v->seconds[k]);
  }
  for (size_t k = 0; !v->bad && k < count; k++) {
    vv_segment * s = &v->segments[k];
    VV_READ(r, "i", &s->degree);
    if (s->degree < 1 || s->degree > 5) {return false;}
    const size_t width = (size_t)v->variable_count * (s->degree + 1);
    s->b = vv_take(v, width, sizeof(double));
    for (size_t i = 0; !v->bad && i < width; i++) {
      VV_READ(r, "c", &s->b[i]);
    }
  }
  return !v->bad && count > 0;
}

/* [V-MOTION] Ensures: on true the motion is as the format describes it and moves every joint. */
bool vv_load_motion(vv_verifier * v, vv_reader * r)
{
  uint32_t kind;
  VV_READ(r, "is", &kind);
  v->tolerances = vv_array(v, r, 12, sizeof(double), &v->variable_count);
  for (uint32_t j = 0; !v->bad && j < v->variable_count; j++) {
    VV_READ(r, "sx", &v->tolerances[j]);
    v->bad = v->bad || !(v->tolerances[j] >= 0.0);
  }
  if (!vv_need(v, kind == 1 && !v->bad, "motion: kind or variables are malformed")) {return false;}
  if (!vv_need(v, load_segments(v, r), "motion: segments are malformed")) {return false;}
  count_starts(v);
  for (uint32_t i = 0; i < v->frame_count; i++) {
    if (v->frames[i].joint == VV_FIXED) {continue;}
    const bool moved = v->frames[i].variable < v->variable_count;
    if (!vv_need(v, moved, "scene: a joint has no variable")) {return false;}
    sweep(v, &v->frames[i]);
  }
  return true;
}

/* [V-BLOSSOM] Requires: degree <= 5; t[0], t[1] multiples of 2^-50 in [0,1].
 * Ensures:  contains the blossom of b at `ones` times t[1] and degree - ones times t[0]: the
 *           coefficient `ones` of the polynomial restricted to [t[0], t[1]]; its value at t[0]
 *           for ones = 0. Why: de Casteljau; 1 - t is exact. */
static vv_iv blossom(const double * b, uint32_t degree, uint32_t ones, const double t[2])
{
  vv_iv c[6];
  for (uint32_t i = 0; i <= degree; i++) {
    c[i] = vv_point(b[i]);
  }
  for (uint32_t left = degree; left > 0; left--) {
    const double s = t[left <= ones];
    for (uint32_t i = 0; i < left; i++) {
      c[i] = vv_add(vv_scale(c[i], 1.0 - s), vv_scale(c[i + 1], s));
    }
  }
  return c[0];
}

/* [V-VALUE] Ensures: contains the variable at that time, in its segment. */
vv_iv vv_value(const vv_verifier * v, uint32_t variable, vv_time at)
{
  const double t[2] = {(double)at.tick / (double)VV_ONE, 0.0};
  const double * b = coefficients(v, at.segment, variable);
  return blossom(b, v->segments[at.segment].degree, 0, t);
}

/* [V-END] Ensures: the time of the span's end, its configuration the one before the end.
 * Why:      at a knot that is not a start both configurations are bitwise the same. */
vv_time vv_end(const vv_verifier * v, vv_span s)
{
  if (s.begin + s.length < VV_ONE) {return (vv_time) {s.first, s.begin + s.length};}
  if (s.last < v->segment_count && !vv_is_start(v, s.last)) {return (vv_time) {s.last, 0};}
  return (vv_time) {s.last - 1, VV_ONE};
}

/* [V-STEPS] Ensures: step[i] contains the difference of coefficients i+1 and i of the variable on
 * the part of segment k that is in the span. */
static void steps(const vv_verifier * v, vv_span s, uint32_t k, uint32_t variable, vv_iv step[5])
{
  const double one = (double)VV_ONE;
  const double t[2] = {(double)s.begin / one, (double)(s.begin + s.length) / one};
  const double * b = coefficients(v, k, variable);
  const uint32_t degree = v->segments[k].degree;
  vv_iv c[6];
  for (uint32_t i = 0; i <= degree; i++) {
    c[i] = s.length == VV_ONE ? vv_point(b[i]) : blossom(b, degree, i, t);
  }
  for (uint32_t i = 0; i < degree; i++) {
    step[i] = vv_sub(c[i + 1], c[i]);
  }
}

/* [V-BOUND] Requires: no start strictly inside the span.
 * Ensures:  in the span's own time, |q'| <= speed, total variation <= variation, and bend is at
 *           least the sum of half of max |q''| (or the integral of |q''|, whichever is smaller)
 *           and of all kinks.
 * Why:      L5 and L10, every step rounded up. */
static vv_bound bound(const vv_verifier * v, vv_span s, uint32_t variable)
{
  vv_bound out = {0.0, 0.0, 0.0};
  double half = 0.0, integral = 0.0, kinks = 0.0;
  vv_iv velocity = {0.0, 0.0}, step[5];
  const vv_iv whole = vv_sub(vv_point(v->knots[s.last]), vv_point(v->knots[s.first]));
  for (uint32_t k = s.first; k < s.last; k++) {
    const uint32_t degree = v->segments[k].degree;
    const double d = (double)degree;
    const vv_iv rate = vv_div(whole, vv_sub(vv_point(v->knots[k + 1]), vv_point(v->knots[k])));
    double widest = 0.0, sharpest = 0.0, turning = 0.0;
    steps(v, s, k, variable, step);
    for (uint32_t i = 0; i < degree; i++) {
      const double turn = i == 0 ? 0.0 : vv_mag(vv_sub(step[i], step[i - 1]));
      widest = vv_max(widest, vv_mag(step[i]));
      sharpest = vv_max(sharpest, turn);
      turning = vv_up(turning + turn);
      out.variation = vv_up(out.variation + vv_mag(step[i]));
    }
    const vv_iv enter = vv_scale(vv_mul(step[0], rate), d);
    kinks = k == s.first ? 0.0 : vv_up(kinks + vv_mag(vv_sub(enter, velocity)));
    velocity = vv_scale(vv_mul(step[degree - 1], rate), d);
    out.speed = vv_max(out.speed, vv_up(vv_up(d * widest) * rate.hi));
    const double bend = vv_up(vv_up(0.5 * d * (d - 1.0) * sharpest) * rate.hi);
    half = vv_max(half, vv_up(bend * rate.hi));
    integral = vv_up(integral + vv_up(vv_up(d * turning) * rate.hi));
  }
  out.bend = vv_up(vv_min(half, integral) + kinks);
  return out;
}

/* [V-BOUNDS] Ensures: the bounds of all variables on the span.
 * Why:      a run has its slot under the knot where it is split, which is no other run's; parts
 *           of segments share the others. 2*begin + length tells parts apart: length is a power
 *           of two and divides begin. */
const vv_bound * vv_bounds_on(const vv_verifier * v, vv_span s)
{
  const uint64_t key[3] = {(uint64_t)s.first + 1, s.last, 2 * s.begin + s.length};
  const size_t runs = v->segment_count, split = s.first + (s.last - s.first) / 2;
  const bool run = s.last - s.first > 1;
  bool hit;
  const size_t slot = run ? split : runs + vv_hash(key, v->bounds.slots - runs);
  vv_bound * bounds = vv_lookup(&v->bounds, slot, key, &hit);
  for (uint32_t j = 0; !hit && j < v->variable_count; j++) {
    bounds[j] = bound(v, s, j);
  }
  return bounds;
}
