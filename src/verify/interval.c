/* Vectors, rigid motions, sine and cosine of intervals. */
#include "interval.h"

/* [V-VEC] Ensures: the interval vector of the one vector x. */

vv_vec vv_vector(const double x[3])
{
  return (vv_vec){{vv_point(x[0]), vv_point(x[1]), vv_point(x[2])}};
}

/* [V-VADD] Ensures: contains x + y for every x in a and y in b. Why: [V-ADD] by coordinate. */

vv_vec vv_plus(vv_vec a, vv_vec b)
{
  return (vv_vec){{vv_add(a.x[0], b.x[0]), vv_add(a.x[1], b.x[1]), vv_add(a.x[2], b.x[2])}};
}

/* [V-VSUB] Ensures: contains x - y for every x in a and y in b. */

vv_vec vv_minus(vv_vec a, vv_vec b)
{
  return (vv_vec){{vv_sub(a.x[0], b.x[0]), vv_sub(a.x[1], b.x[1]), vv_sub(a.x[2], b.x[2])}};
}

/* [V-VMUL] Ensures: contains f*x for every x in a and every number f in s. */

vv_vec vv_times(vv_vec a, vv_iv s)
{
  return (vv_vec){{vv_mul(a.x[0], s), vv_mul(a.x[1], s), vv_mul(a.x[2], s)}};
}

/* [V-DOT] Ensures: contains x.y for every x in a and y in b. */

vv_iv vv_dot(vv_vec a, vv_vec b)
{
  return vv_add(vv_add(vv_mul(a.x[0], b.x[0]), vv_mul(a.x[1], b.x[1])), vv_mul(a.x[2], b.x[2]));
}

/* [V-CROSSP] Ensures: contains the cross product of every x in a and y in b. */
vv_vec vv_cross(vv_vec a, vv_vec b)
{
  const vv_iv * p = a.x, * q = b.x;
  const vv_vec l = {{vv_mul(p[1], q[2]), vv_mul(p[2], q[0]), vv_mul(p[0], q[1])}};
  const vv_vec r = {{vv_mul(p[2], q[1]), vv_mul(p[0], q[2]), vv_mul(p[1], q[0])}};
  return vv_minus(l, r);
}

/* [V-LEN] Ensures: at least |x| for every x in a. Why: every step is rounded up; the square
 * root of IEEE 754 is correctly rounded. */
double vv_length(vv_vec a)
{
  const double x = vv_mag(a.x[0]), y = vv_mag(a.x[1]), z = vv_mag(a.x[2]);
  return vv_up(sqrt(vv_up(vv_up(vv_up(x * x) + vv_up(y * y)) + vv_up(z * z))));
}

/* [V-TAYLOR] Requires: square contains r*r, |r| <= 0.8; first is 1 (sine) or 0 (cosine).
 * Ensures:  contains sin(r)/r or cos(r).
 * Why:      with f = first, the series is 1 - r^2/((f+1)(f+2))*(1 - r^2/((f+3)(f+4))*(...)).
 *           After ten factors the rest is an alternating series of falling terms
 *           1 - r^2/((f+21)(f+22)) + ..., hence in [1 - 0.64/462, 1]. */
static vv_iv taylor(vv_iv square, int first)
{
  vv_iv sum = {1.0 - 0x1p-9, 1.0};
  for (int n = first + 20; n > first; n -= 2) {
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
  *sine = (vv_iv){-1.0, 1.0};
  *cosine = (vv_iv){-1.0, 1.0};
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

/* [V-TURN] Ensures: contains R*v for every rotation R in p and v in x. */

vv_vec vv_turn(const vv_pose * p, vv_vec x)
{
  return (vv_vec){{vv_dot(p->r[0], x), vv_dot(p->r[1], x), vv_dot(p->r[2], x)}};
}

/* [V-TURNB] As [V-TURN] with the inverse rotation. Why: R' is R's inverse, and R'v is the sum
 * of R's rows weighted with v. */
vv_vec vv_turn_back(const vv_pose * p, vv_vec x)
{
  const vv_vec xy = vv_plus(vv_times(p->r[0], x.x[0]), vv_times(p->r[1], x.x[1]));
  return vv_plus(xy, vv_times(p->r[2], x.x[2]));
}

/* [V-APPLY] Ensures: contains R*v + t for every motion (R, t) in p and v in x. */
vv_vec vv_apply(const vv_pose * p, vv_vec x) { return vv_plus(vv_turn(p, x), p->t); }

/* [V-COMPOSE] Ensures: contains P after Q for all motions P in p and Q in q.
 * Why:      row i of PQ is Q' times row i of P. Entries of a rotation lie in [-1,1], so
 *           clipping loses none. */
vv_pose vv_compose(const vv_pose * p, const vv_pose * q)
{
  vv_pose c;
  for (int i = 0; i < 3; i++) {
    c.r[i] = vv_turn_back(q, p->r[i]);
    for (int j = 0; j < 3; j++) {c.r[i].x[j] = vv_clip(c.r[i].x[j]);}
  }
  c.t = vv_apply(p, q->t);
  return c;
}

/* [V-INVERSE] Ensures: contains the inverse of every motion in p. */
vv_pose vv_inverse(const vv_pose * p)
{
  const vv_vec * r = p->r;
  vv_pose c;
  for (int i = 0; i < 3; i++) {c.r[i] = (vv_vec) {{r[0].x[i], r[1].x[i], r[2].x[i]}};}
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
    const vv_vec e = vv_vector((const double[3]){i == 0, i == 1, i == 2});
    const vv_vec once = vv_cross(v, e);
    const vv_vec twice = vv_cross(v, once);
    c.r[i] = vv_plus(e, vv_times(vv_minus(twice, vv_times(once, w)), scale));
  }
  c.t = vv_vector(f + 4);
  return c;
}
