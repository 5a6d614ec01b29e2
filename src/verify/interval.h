/* Interval arithmetic in round-to-nearest, widened outwards after each operation.
 *
 * Rump, Zimmermann, Boldo, Melquiond, "Computing predecessor and successor in rounding to
 * nearest", BIT 49 (2009): for every finite binary64 c that does not overflow,
 * c - (phi*|c| + eta) <= pred(c) and c + (phi*|c| + eta) >= succ(c), all operations rounded
 * to nearest, phi = u(1+2u), u = 2^-53, eta = 2^-1074. An operation errs by at most half an
 * ulp, so the true result lies strictly between pred(c) and succ(c).
 *
 * All numbers stay finite: the loader bounds every number it reads and the distance of knots,
 * and sines, cosines and the entries of products of rotations are clipped to [-1,1]. */
#ifndef VOUCH_VERIFY_INTERVAL_H
#define VOUCH_VERIFY_INTERVAL_H

#include <float.h>
#include <math.h>

#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
#error "the verifier needs strict IEEE 754 arithmetic: no -ffast-math, no x87"
#endif

#define VV_PHI 0x1.0000000000001p-53
#define VV_ETA 0x1p-1074

typedef struct { double lo, hi; } vv_iv;
typedef struct { vv_iv x[3]; } vv_vec;

/* A rigid motion x -> r*x + t; r by rows. */
typedef struct { vv_vec r[3], t; } vv_pose;

/* [V-UP] Requires: x is the rounded-to-nearest result of one operation, finite.
 * Ensures:  the result is at least the exact value of that operation.
 * Why:      Rump et al., quoted above. */
static inline double vv_up(double x) { return x + (VV_PHI * fabs(x) + VV_ETA); }

/* [V-DOWN] As [V-UP], from below. */
static inline double vv_down(double x) { return x - (VV_PHI * fabs(x) + VV_ETA); }

/* [V-MAX] Requires: neither is NaN. Ensures: the larger, the smaller. */
static inline double vv_max(double x, double y) { return x > y ? x : y; }
static inline double vv_min(double x, double y) { return x < y ? x : y; }

/* [V-POINT] Ensures: the interval of the one number x. */
static inline vv_iv vv_point(double x) { return (vv_iv){x, x}; }

/* [V-ADD] Requires: a and b are finite intervals.
 * Ensures:  the result contains x + y for every x in a and y in b.
 * Why:      addition is monotone; [V-UP], [V-DOWN]. */
static inline vv_iv vv_add(vv_iv a, vv_iv b)
{
  return (vv_iv){vv_down(a.lo + b.lo), vv_up(a.hi + b.hi)};
}

/* [V-SUB] As [V-ADD], for x - y. */
static inline vv_iv vv_sub(vv_iv a, vv_iv b)
{
  return (vv_iv){vv_down(a.lo - b.hi), vv_up(a.hi - b.lo)};
}

/* [V-MUL] As [V-ADD], for x * y.
 * Why:      x*y takes its extremes at corners; rounding is monotone, so the least rounded
 *           corner is the rounded least corner. */
static inline vv_iv vv_mul(vv_iv a, vv_iv b)
{
  const double p = a.lo * b.lo;
  const double q = a.lo * b.hi;
  const double r = a.hi * b.lo;
  const double s = a.hi * b.hi;
  return (vv_iv){
    vv_down(vv_min(vv_min(p, q), vv_min(r, s))), vv_up(vv_max(vv_max(p, q), vv_max(r, s)))};
}

/* [V-SCALE] Requires: s >= 0.
 * Ensures:  the result contains x * s for every x in a.
 * Why:      multiplication by s is monotone. */
static inline vv_iv vv_scale(vv_iv a, double s)
{
  return (vv_iv){vv_down(a.lo * s), vv_up(a.hi * s)};
}

/* [V-DIV] Requires: 0 < b.lo, and 0 <= a.lo or b is one number.
 * Ensures:  the result contains x / y for every x in a and y in b.
 * Why:      x/y grows with x, and falls with y where x >= 0. */
static inline vv_iv vv_div(vv_iv a, vv_iv b)
{
  return (vv_iv){vv_down(a.lo / b.hi), vv_up(a.hi / b.lo)};
}

/* [V-MAG] Ensures: the largest |x| of an x in a. */
static inline double vv_mag(vv_iv a) { return vv_max(fabs(a.lo), fabs(a.hi)); }

/* [V-SIGN] Ensures: 1 or -1 if every x in a has that sign, else 0. */
static inline int vv_sign(vv_iv a) { return (a.lo > 0.0) - (a.hi < 0.0); }

/* [V-CLIP] Requires: a contains a number of [-1,1].
 * Ensures:  the part of a inside [-1,1]. */
static inline vv_iv vv_clip(vv_iv a) { return (vv_iv){vv_max(a.lo, -1.0), vv_min(a.hi, 1.0)}; }

vv_vec vv_vector(const double x[3]);
vv_vec vv_plus(vv_vec a, vv_vec b);
vv_vec vv_minus(vv_vec a, vv_vec b);
vv_vec vv_times(vv_vec a, vv_iv s);
vv_iv vv_dot(vv_vec a, vv_vec b);
vv_vec vv_cross(vv_vec a, vv_vec b);
double vv_length(vv_vec a);
void vv_sincos(vv_iv x, vv_iv * sine, vv_iv * cosine);
vv_vec vv_turn(const vv_pose * p, vv_vec x);
vv_vec vv_turn_back(const vv_pose * p, vv_vec x);
vv_vec vv_apply(const vv_pose * p, vv_vec x);
vv_pose vv_compose(const vv_pose * p, const vv_pose * q);
vv_pose vv_inverse(const vv_pose * p);
vv_pose vv_pose_of(const double f[7]);

#endif
