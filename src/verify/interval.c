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

/* Rotations, and the sine and cosine of intervals. */

#include "interval.h"

/* [V-COMPOSE] Ensures: contains P after Q for all motions P in p and Q in q.
 * Why:      a row of PQ is Q' times that row of P. Entries of a rotation lie in [-1,1], so
 *           clipping loses none. */
rigid v_compose(rigid p, rigid q)
{
  const vec x = unturn(q, p.x), y = unturn(q, p.y), z = unturn(q, p.z);
  return (rigid) {clip3(x), clip3(y), clip3(z), apply(p, q.t)};
}

/* [V-QUATERNION] Requires: a number of s is 2/(|q|^2 + p^2), q in v and p in w.
 * Ensures:  contains the motion with a translation in t and the rotation of the quaternion
 *           (q, p)/|(q, p)|: the turn about q by the angle whose half has the tangent |q|/p.
 * Why:      its matrix is 1 + s(p[q] + [q][q]), [q]y = q x y. */
rigid v_rotation(vec v, iv w, iv s, vec t)
{
  const iv one = point(1.0);
  const vec x = times(v, mul(s, v.x)), y = times(v, mul(s, v.y)), z = times(v, mul(s, v.z));
  const vec u = times(v, mul(s, w));
  return (rigid) {{sub(one, add(y.y, z.z)), sub(x.y, u.z), add(x.z, u.y)},
           {add(x.y, u.z), sub(one, add(x.x, z.z)), sub(y.z, u.x)},
           {sub(x.z, u.y), add(y.z, u.x), sub(one, add(x.x, y.y))}, t};
}

/* [V-SINE] Requires: x is a finite interval, 0 <= quarters < 4.
 * Ensures:  contains sin(t + quarters*pi/2) for every t in x.
 * Why:      r = t - k*pi/2 for any whole number k, and pi/2 lies in p1 + p2 + [p3, p3 + ulp];
 *           k*p1 and k*p2 are exact for |k| < 2^20 (31 and 32 significant bits). With f = 1 for
 *           the sine of r and 0 for its cosine, sin(r)/r or cos(r) is
 *           1 - r^2/((f+1)(f+2))*(1 - r^2/((f+3)(f+4))*(...)). After eight factors the rest is an
 *           alternating series of falling terms, hence in [1 - 0.64/306, 1] for |r| <= 0.8. If k
 *           or r is too large, [-1,1] is returned, which always holds. */
iv v_sine(iv x, int quarters)
{
  const iv any = {-1.0, 1.0}, p3 = {0x1.3198a2e037073p-69, 0x1.3198a2e037074p-69};
  const double turns = x.lo * 0.6366197723675814;
  if (!(fabs(turns) < 0x1p19)) {return any;}
  const int k = (int)(turns < 0.0 ? turns - 0.5 : turns + 0.5);
  const int quadrant = (k % 4 + 4 + quarters) % 4;
  const iv coarse = sub(sub(x, point(k * 0x1.921fb544p+0)), point(k * 0x1.0b4611a6p-34));
  const iv r = sub(coarse, mul(point(k), p3)), square = mul(r, r);
  if (!(mag(r) <= 0.8)) {return any;}
  iv sum = {1.0 - 0x1p-8, 1.0};
  for (int n = 17 - quadrant % 2; n > 1; n -= 2) {
    sum = sub(point(1.0), over(mul(square, sum), point(n * (n - 1))));
  }
  sum = clip(quadrant % 2 == 0 ? mul(r, sum) : sum);
  return quadrant < 2 ? sum : (iv) {-sum.hi, -sum.lo};
}
