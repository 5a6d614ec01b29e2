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

/* Random bodies and motions, and a brute-force truth that shares no code with the methods:
 * triangles placed at one
 * time, edges that pierce, closest points of segments and triangles, ray parity. */

#ifndef UNIT__TEST_RIGID_FIXTURE_H_
#define UNIT__TEST_RIGID_FIXTURE_H_

#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "methods/rigid_body.h"
#include "vouch/rigid.h"

#define FIXTURE_UNUSED __attribute__((unused))

static uint64_t fixture_state = 1;

FIXTURE_UNUSED static void fixture_seed(uint64_t seed)
{
  fixture_state = seed * 0x9e3779b97f4a7c15u + 1;
}

FIXTURE_UNUSED static double uniform(double low, double high)
{
  fixture_state ^= fixture_state << 13;
  fixture_state ^= fixture_state >> 7;
  fixture_state ^= fixture_state << 17;
  return low + (high - low) * (double)(fixture_state >> 11) * 0x1p-53;
}

FIXTURE_UNUSED static int pick(int count)
{
  return (int)uniform(0.0, (double)count - 1e-9);
}

FIXTURE_UNUSED static void random_quaternion(double q[4])
{
  double norm;
  do {
    norm = 0.0;
    for (int k = 0; k < 4; k++) {
      q[k] = uniform(-1.0, 1.0);
      norm += q[k] * q[k];
    }
  } while (norm > 1.0 || norm < 0.05);
  for (int k = 0; k < 4; k++) {
    q[k] /= sqrt(norm);
  }
}

FIXTURE_UNUSED static vouch_pose_t random_pose(double reach)
{
  vouch_pose_t pose;
  random_quaternion(pose.rotation);
  for (int k = 0; k < 3; k++) {
    pose.translation[k] = uniform(-reach, reach);
  }
  return pose;
}

FIXTURE_UNUSED static vouch_rigid_body_t * body_from(
  const double(*v)[3], size_t nv, const uint32_t(*t)[3], size_t nt)
{
  vouch_rigid_body_t * body = NULL;
  vouch_ret_t ret = vouch_rigid_body_create(&body, vouch_allocator_default(), v, nv, t, nt);
  if (ret != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
  return body;
}

FIXTURE_UNUSED static vouch_rigid_body_t * make_box(double x, double y, double z)
{
  static const uint32_t t[12][3] = {
    {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
    {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}
  };
  double v[8][3];
  for (int i = 0; i < 8; i++) {
    v[i][0] = (i & 1 ? 0.5 : -0.5) * x;
    v[i][1] = (i & 2 ? 0.5 : -0.5) * y;
    v[i][2] = (i & 4 ? 0.5 : -0.5) * z;
  }
  return body_from((const double(*)[3])v, 8, t, 12);
}

/// An octahedron with random radii: star-shaped, not convex in general.
FIXTURE_UNUSED static vouch_rigid_body_t * make_star(double size)
{
  static const uint32_t t[8][3] = {
    {0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}
  };
  double v[6][3] = {{0.0}};
  for (int i = 0; i < 6; i++) {
    v[i][i / 2] = (i % 2 ? -1.0 : 1.0) * size * uniform(0.15, 1.0);
    for (int k = 0; k < 3; k++) {
      v[i][k] += uniform(-0.05, 0.05) * size;
    }
  }
  return body_from((const double(*)[3])v, 6, t, 8);
}

FIXTURE_UNUSED static vouch_rigid_body_t * make_body(double size)
{
  return pick(2) ? make_star(size) :
         make_box(size * uniform(0.2, 1.5), size * uniform(0.2, 1.5), size * uniform(0.05, 1.5));
}

FIXTURE_UNUSED static void require_ok(vouch_ret_t ret)
{
  if (ret != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
}

#define FIXTURE_MAX_QUATERNIONS 60
#define FIXTURE_MAX_DEGREE 200

/// Control points of a random motion.
typedef struct controls_s
{
  size_t degree, translation_degree;
  double q[FIXTURE_MAX_DEGREE + 1][4], t[FIXTURE_MAX_DEGREE + 1][3], w[FIXTURE_MAX_DEGREE + 1];
} controls_t;

/// Many controls along waves, since a curve of high degree through random ones hardly moves.
static void waves(controls_t * c, double reach)
{
  double high[7], phase[7], turns[7];
  for (int k = 0; k < 7; k++) {
    high[k] = (k < 4 ? 0.9 : reach) * uniform(0.3, 1.0);
    phase[k] = uniform(0.0, 6.3);
    turns[k] = uniform(0.0, k < 4 ? 4.0 : 14.0);
  }
  for (size_t i = 0; i <= FIXTURE_MAX_DEGREE; i++) {
    double rotation = c->degree == 0 ? 0.0 : (double)i / (double)c->degree;
    double shift = (double)i / (double)c->translation_degree;
    for (int k = 0; k < 7; k++) {
      double * x = k < 4 ? &c->q[i][k] : &c->t[i][k - 4];
      *x = high[k] * sin(phase[k] + turns[k] * (k < 4 ? rotation : shift)) + uniform(-0.1, 0.1);
    }
  }
}

/// A few are of high degree, some have weights far apart.
static void random_controls(controls_t * c, int kind, double reach)
{
  double spread = pick(4) == 0 ? 5.0 : 0.7;
  bool high = pick(16) == 0;
  c->degree = (size_t)(1 + pick(kind < 4 && pick(6) == 0 ? 8 : 3));
  if (high) {
    double most = kind == 4 ? FIXTURE_MAX_DEGREE : FIXTURE_MAX_QUATERNIONS;
    c->degree = (size_t)exp(uniform(log(9.0), log(most + 0.999)));
  }
  c->translation_degree = kind == 3 ? 2 * c->degree :
    (size_t)(1 + pick(high && pick(2) ? FIXTURE_MAX_QUATERNIONS : 3));
  if (kind == 4) {
    c->translation_degree = c->degree;
  }
  random_quaternion(c->q[0]);
  for (size_t i = 0; i <= (high ? FIXTURE_MAX_DEGREE : 17); i++) {
    c->w[i] = exp(uniform(-spread, spread));
    for (int k = 0; k < 3; k++) {
      c->t[i][k] = uniform(-reach, reach);
    }
    for (int k = 0; k < 4 && i > 0; k++) {
      c->q[i][k] = c->q[i - 1][k] + uniform(-0.5, 0.5);
    }
  }
  if (high) {
    waves(c, reach);
  }
}

static vouch_ret_t add_affine(vouch_rigid_motion_t * motion, const controls_t * c)
{
  static vouch_affine_t controls[FIXTURE_MAX_DEGREE + 1];
  for (size_t i = 0; i <= c->degree; i++) {
    rigid_t g = {
      .rotation = mat3_from_quaternion(c->q[0]), .translation = vec3_from(c->t[i])
    };
    controls[i] = affine_from_rigid(&g);
    for (int k = 0; k < 9; k++) {
      double turn = c->degree > 8 ? 0.3 * c->q[i][k % 4] : 0.0;
      controls[i].m[k] += uniform(-0.15, 0.15) + turn;
    }
  }
  return vouch_rigid_motion_add_bezier(motion, 1.0, c->degree, c->w, controls);
}

static vouch_ret_t add_random_samples(vouch_rigid_motion_t * motion, const controls_t * c)
{
  vouch_pose_t poses[4];
  const double most = pick(2) ? 1e-4 : 0.02, error[2] = {uniform(0.0, most), uniform(0.0, most)};
  for (int i = 0; i < 4; i++) {
    double norm = 0.0;
    for (int k = 0; k < 4; k++) {
      norm += c->q[i][k] * c->q[i][k];
    }
    for (int k = 0; k < 4; k++) {
      poses[i].rotation[k] = c->q[i][k] / sqrt(norm);
    }
    memcpy(poses[i].translation, c->t[i], sizeof(c->t[i]));
  }
  return vouch_rigid_motion_add_samples(motion, 1.0, poses, 4, error);
}

/// kind 0: screw between poses, 1: screw by axis, 2: quaternion curve, 3: shared quaternion curve,
/// 4: affine controls, 5: samples.
/// NULL when the random data is refused (half turns and the like).
FIXTURE_UNUSED static vouch_rigid_motion_t * make_motion(int kind, double reach)
{
  static controls_t c;
  vouch_rigid_motion_t * motion = NULL;
  require_ok(vouch_rigid_motion_create(&motion, vouch_allocator_default()));
  vouch_ret_t ret = VOUCH_RET_OK;
  random_controls(&c, kind, reach);
  vouch_quaternion_curve_t curve = {
    c.degree, (const double(*)[4])c.q, c.translation_degree, (const double(*)[3])c.t,
    kind == 2 ? c.w : NULL, kind == 3
  };
  if (kind == 0) {
    vouch_pose_t a = random_pose(reach), b = random_pose(reach);
    ret = vouch_rigid_motion_add_screw(motion, 1.0, &a, &b);
  } else if (kind == 1) {
    vouch_screw_t s = {
      .start = random_pose(reach), .angle = uniform(-7.0, 7.0), .travel = uniform(-reach, reach)
    };
    for (int k = 0; k < 3; k++) {
      s.point[k] = uniform(-0.5 * reach, 0.5 * reach);
      s.direction[k] = uniform(-1.0, 1.0);
    }
    ret = vouch_rigid_motion_add_screw_axis(motion, 1.0, &s);
  } else if (kind == 2 || kind == 3) {
    ret = vouch_rigid_motion_add_quaternions(motion, 1.0, &curve);
  } else {
    ret = kind == 4 ? add_affine(motion, &c) : add_random_samples(motion, &c);
  }
  if (ret != VOUCH_RET_OK) {
    vouch_rigid_motion_destroy(motion);
    return NULL;
  }
  return motion;
}

#define FIXTURE_HIGHEST 1000

/// Of any degree: control displacements along waves, with weights.
FIXTURE_UNUSED static vouch_rigid_motion_t * wavy_motion(size_t degree)
{
  static vouch_affine_t controls[FIXTURE_HIGHEST + 1];
  static double weights[FIXTURE_HIGHEST + 1];
  double phase[3] = {uniform(0.0, 6.0), uniform(0.0, 6.0), uniform(0.0, 6.0)};
  double height = uniform(0.0, 1.5);
  for (size_t i = 0; i <= degree; i++) {
    double t = (double)i / (double)degree;
    vec3_t axis = vec3_unit(vec3(1.0, sin(phase[0] + 2.0 * t), 0.5), vec3(0.0, 0.0, 1.0));
    rigid_t g = {
      .rotation = mat3_from_axis_angle(axis, 1.5 * sin(phase[1] + 3.0 * t)),
      .translation = vec3(sin(phase[2] + 7.0 * t), 2.0 * t, height + uniform(-0.1, 0.1))
    };
    controls[i] = affine_from_rigid(&g);
    weights[i] = exp(uniform(-1.0, 1.0));
  }
  vouch_rigid_motion_t * motion = NULL;
  require_ok(vouch_rigid_motion_create(&motion, vouch_allocator_default()));
  require_ok(vouch_rigid_motion_add_bezier(motion, 1.0, degree, weights, controls));
  return motion;
}

/* fmin and fmax call libm; here no number is NaN. */
FIXTURE_UNUSED static inline double least(double a, double b) {return a < b ? a : b;}
FIXTURE_UNUSED static inline double most(double a, double b) {return a > b ? a : b;}

typedef struct placed_s
{
  size_t count;
  vec3_t(*t)[3];
  double low[3], high[3];
} placed_t;

FIXTURE_UNUSED static placed_t place(const vouch_rigid_body_t * body, const vouch_affine_t * g)
{
  placed_t p = {
    body->mesh.triangle_count, malloc(body->mesh.triangle_count * sizeof(*p.t)),
    {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}
  };
  for (uint32_t i = 0; i < p.count; i++) {
    for (int k = 0; k < 3; k++) {
      vec3_t v = body_vertex(body, i, k);
      p.t[i][k] = g == NULL ? v : affine_apply(g, v);
      const double * x = &p.t[i][k].x;
      for (int c = 0; c < 3; c++) {
        p.low[c] = x[c] < p.low[c] ? x[c] : p.low[c];
        p.high[c] = x[c] > p.high[c] ? x[c] : p.high[c];
      }
    }
  }
  return p;
}

/// Largest distance of the boxes along an axis: no more than that of the bodies.
FIXTURE_UNUSED static double boxes_distance(const placed_t * a, const placed_t * b)
{
  double apart = -INFINITY;
  for (int c = 0; c < 3; c++) {
    apart = most(apart, most(a->low[c] - b->high[c], b->low[c] - a->high[c]));
  }
  return apart;
}

FIXTURE_UNUSED static double det3(vec3_t a, vec3_t b, vec3_t c)
{
  return vec3_dot(a, vec3_cross(b, c));
}

FIXTURE_UNUSED static bool truth_pierces(vec3_t p, vec3_t q, const vec3_t t[3])
{
  vec3_t n = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
  double a = vec3_dot(n, vec3_sub(p, t[0])), b = vec3_dot(n, vec3_sub(q, t[0]));
  if (!(a * b < 0.0)) {
    return false;
  }
  vec3_t x = vec3_add(p, vec3_scale(vec3_sub(q, p), a / (a - b)));
  for (int k = 0; k < 3; k++) {
    vec3_t e = vec3_sub(t[(k + 1) % 3], t[k]);
    if (!(vec3_dot(vec3_cross(n, e), vec3_sub(x, t[k])) > 0.0)) {
      return false;
    }
  }
  return true;
}

/// Largest distance of the boxes of two triangles along an axis: no more than theirs.
FIXTURE_UNUSED static double triangle_boxes_distance(const vec3_t a[3], const vec3_t b[3])
{
  const double * x = &a[0].x, * y = &b[0].x;
  double apart = -INFINITY;
  for (int k = 0; k < 3; k++) {
    double la = least(x[k], least(x[k + 3], x[k + 6])), ha = most(x[k], most(x[k + 3], x[k + 6]));
    double lb = least(y[k], least(y[k + 3], y[k + 6])), hb = most(y[k], most(y[k + 3], y[k + 6]));
    apart = most(apart, most(la - hb, lb - ha));
  }
  return apart;
}

FIXTURE_UNUSED static bool truth_cross(const vec3_t a[3], const vec3_t b[3])
{
  if (triangle_boxes_distance(a, b) > 0.0) {
    return false;
  }
  for (int k = 0; k < 3; k++) {
    if (truth_pierces(a[k], a[(k + 1) % 3], b) || truth_pierces(b[k], b[(k + 1) % 3], a)) {
      return true;
    }
  }
  return false;
}

/// Squared distance.
FIXTURE_UNUSED static double truth_point_segment(vec3_t p, vec3_t a, vec3_t b)
{
  vec3_t d = vec3_sub(b, a);
  double t = vec3_dot(vec3_sub(p, a), d) / vec3_dot(d, d);
  t = least(most(t, 0.0), 1.0);
  vec3_t off = vec3_sub(p, vec3_add(a, vec3_scale(d, t)));
  return vec3_dot(off, off);
}

FIXTURE_UNUSED static double truth_point_triangle(vec3_t p, const vec3_t t[3])
{
  vec3_t n = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
  bool inside = true;
  double best = INFINITY;
  for (int k = 0; k < 3; k++) {
    vec3_t e = vec3_sub(t[(k + 1) % 3], t[k]);
    inside = inside && vec3_dot(vec3_cross(n, e), vec3_sub(p, t[k])) > 0.0;
    best = least(best, truth_point_segment(p, t[k], t[(k + 1) % 3]));
  }
  return inside ? fabs(vec3_dot(n, vec3_sub(p, t[0]))) / vec3_norm(n) : sqrt(best);
}

/// Distance of two lines where the nearest points are inside both segments, else infinity.
FIXTURE_UNUSED static double truth_insides(vec3_t a, vec3_t b, vec3_t c, vec3_t d)
{
  vec3_t u = vec3_sub(b, a), v = vec3_sub(d, c), n = vec3_cross(u, v), w = vec3_sub(c, a);
  double nn = vec3_dot(n, n), s = det3(w, v, n), t = det3(w, u, n);
  return nn > 0.0 && s > 0.0 && s < nn && t > 0.0 && t < nn ? fabs(vec3_dot(w, n)) / sqrt(nn) :
         INFINITY;
}

/// Corners against triangles (with their edges) and edges against edges inside of both are all.
FIXTURE_UNUSED static double truth_triangle_distance(const vec3_t a[3], const vec3_t b[3])
{
  double best = truth_cross(a, b) ? 0.0 : INFINITY;
  for (int i = 0; i < 3; i++) {
    best = least(best, least(truth_point_triangle(a[i], b), truth_point_triangle(b[i], a)));
    for (int j = 0; j < 3; j++) {
      best = least(best, truth_insides(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
    }
  }
  return best;
}

FIXTURE_UNUSED static bool truth_inside(const placed_t * body, vec3_t p)
{
  int parity = 0;
  vec3_t far = vec3_add(p, vec3(1013.1, 517.3, 871.7));
  for (size_t i = 0; i < body->count; i++) {
    parity ^= truth_pierces(p, far, body->t[i]);
  }
  return parity != 0;
}

/// Surfaces cross or one body holds a point of the other.
FIXTURE_UNUSED static bool truth_overlap(
  const vouch_rigid_body_t * moving, const vouch_rigid_body_t * fixed, const vouch_affine_t * g)
{
  placed_t a = place(moving, g), b = place(fixed, NULL);
  bool overlap = false, near = boxes_distance(&a, &b) <= 0.0;
  for (size_t i = 0; i < a.count && near && !overlap; i++) {
    for (size_t j = 0; j < b.count && !overlap; j++) {
      overlap = truth_cross(a.t[i], b.t[j]);
    }
  }
  overlap = overlap ||
    (near && (truth_inside(&b, a.t[0][0]) || truth_inside(&a, b.t[0][0])));
  free(a.t);
  free(b.t);
  return overlap;
}

/// Distance of the surfaces, or more than `limit` when it certainly is.
FIXTURE_UNUSED static double truth_distance(
  const vouch_rigid_body_t * moving, const vouch_rigid_body_t * fixed, const vouch_affine_t * g,
  double limit)
{
  placed_t a = place(moving, g), b = place(fixed, NULL);
  double best = INFINITY;
  bool near = boxes_distance(&a, &b) <= limit;
  for (size_t i = 0; i < a.count && near; i++) {
    for (size_t j = 0; j < b.count; j++) {
      if (triangle_boxes_distance(a.t[i], b.t[j]) <= least(best, limit)) {
        best = least(best, truth_triangle_distance(a.t[i], b.t[j]));
      }
    }
  }
  free(a.t);
  free(b.t);
  return best;
}

#endif  // UNIT__TEST_RIGID_FIXTURE_H_
