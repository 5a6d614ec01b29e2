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

/* Rigid motions, sine and cosine of intervals. */
#include "interval.h"

/* [V-TAYLOR] Requires: square contains r*r, |r| <= 0.8; first is 1 (sine) or 0 (cosine).
 * Ensures:  contains sin(r)/r or cos(r).
 * Why:      with f = first, the series is 1 - r^2/((f+1)(f+2))*(1 - r^2/((f+3)(f+4))*(...)).
 *           After eight factors the rest is an alternating series of falling terms
 *           1 - r^2/((f+17)(f+18)) + ..., hence in [1 - 0.64/306, 1]. */
static vv_iv taylor(vv_iv square, int first)
{
  vv_iv sum = {1.0 - 0x1p-8, 1.0};
  for (int n = first + 16; n > first; n -= 2) {
    const vv_iv factor = vv_point((double)(n * (n - 1)));
    sum = vv_sub(vv_point(1.0), vv_div(vv_mul(square, sum), factor));
  }
  return sum;
}

/* [V-TRIG] Requires: x is a finite interval.
 * Ensures:  sine contains sin t and cosine contains cos t for every t in x.
 * Why:      r = t - k*pi/2 for any whole number k, and pi/2 lies in p1 + p2 + [p3, p3 + ulp].
 *           k*p1 and k*p2 are exact for |k| < 2^20 (31 and 32 significant bits). If k is too
 *           large or r leaves [-0.8, 0.8], [-1,1] is returned, which always holds. */
void vv_sincos(vv_iv x, vv_iv * sine, vv_iv * cosine)
{
  *sine = (vv_iv) {-1.0, 1.0};
  *cosine = (vv_iv) {-1.0, 1.0};
  const double turns = x.lo * 0.6366197723675814;
  if (!(fabs(turns) < 0x1p19)) {return;}
  const long whole = (long)(turns < 0.0 ? turns - 0.5 : turns + 0.5);
  const double k = (double)whole;
  const vv_iv p3 = {0x1.3198a2e037073p-69, 0x1.3198a2e037074p-69};
  vv_iv r = vv_sub(x, vv_point(k * 0x1.921fb544p+0));
  r = vv_sub(r, vv_point(k * 0x1.0b4611a6p-34));
  r = vv_sub(r, vv_mul(vv_point(k), p3));
  if (!(vv_mag(r) <= 0.8)) {return;}
  const vv_iv square = vv_mul(r, r);
  const vv_iv s = vv_clip(vv_mul(r, taylor(square, 1)));
  const vv_iv c = vv_clip(taylor(square, 0));
  const vv_iv cycle[5] = {s, c, {-s.hi, -s.lo}, {-c.hi, -c.lo}, s};
  const long quarter = ((whole % 4) + 4) % 4;
  *sine = cycle[quarter];
  *cosine = cycle[quarter + 1];
}

/* [V-COMPOSE] Ensures: contains P after Q for all motions P in p and Q in q.
 * Why:      row i of PQ is Q' times row i of P. Entries of a rotation lie in [-1,1], so
 *           clipping loses none. */
vv_pose vv_compose(const vv_pose * p, const vv_pose * q)
{
  vv_pose c;
  for (int i = 0; i < 3; i++) {
    c.r[i] = vv_turn_back(q, p->r[i]);
    for (int j = 0; j < 3; j++) {
      c.r[i].x[j] = vv_clip(c.r[i].x[j]);
    }
  }
  c.t = vv_apply(p, q->t);
  return c;
}

/* [V-INVERSE] Ensures: contains the inverse of every motion in p. */
vv_pose vv_inverse(const vv_pose * p)
{
  const vv_vec * r = p->r;
  vv_pose c;
  for (int i = 0; i < 3; i++) {
    c.r[i] = (vv_vec) {{r[0].x[i], r[1].x[i], r[2].x[i]}};
  }
  c.t = vv_minus((vv_vec) {{{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}}, vv_turn(&c, p->t));
  return c;
}

/* [V-QUAT] Requires: f = qx qy qz qw tx ty tz, |q| between 0.9 and 1.1.
 * Ensures:  contains the motion with the exact rotation of q/|q| and translation t.
 * Why:      for q = (v, w), R x = x + 2(v x (v x x) + w v x x)/|q|^2; row i of R is R'e_i, and
 *           R' is the rotation of (v, -w). */
vv_pose vv_pose_of(const double f[7])
{
  const vv_vec v = vv_vector(f);
  const vv_iv w = vv_point(f[3]);
  const vv_iv scale = vv_div(vv_point(2.0), vv_add(vv_dot(v, v), vv_mul(w, w)));
  vv_pose c;
  for (int i = 0; i < 3; i++) {
    const vv_vec e = vv_vector((const double[3]) {i == 0, i == 1, i == 2});
    const vv_vec once = vv_cross(v, e);
    const vv_vec twice = vv_cross(v, once);
    c.r[i] = vv_plus(e, vv_times(vv_minus(twice, vv_times(once, w)), scale));
  }
  c.t = vv_vector(f + 4);
  return c;
}
