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

/* TRUSTED. See fat_test.h.
 *
 * [F-CONVEX]: quadratic.h.
 * [F-SADDLE] What the boundary's own tests show is not Q with a margin in it, but d > R rho + m for
 * the distance d. It carries over inside along a line on which Q = d^2 - R^2 rho^2 *without* the
 * margin is concave: with D = d + R rho, which is convex, Q > m D at both ends, so Q > m D between
 * them, which is d - R rho > m.
 * [F-LINEAR] rho^2 is convex, so it is at most its linear interpolation between the corners; with
 * that Q is convex always.
 * [F-MARGIN] (R rho + m)^2 <= (1 + m/t) R^2 rho^2 + m^2 + m t for every t > 0, sharp at R rho = t.
 * Coefficients err by less than 2^-46 of the squared lengths that enter; that is subtracted. */

#include "methods/fat_test.h"

#include "base/fpguard.h"
#include "methods/quadratic.h"

static const double unit_square[4][2] = {{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}};
static const double unit_triangle[3][2] = {{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}};

void fat_face_init(fat_face_t * face, const metric_t * metric, const vec3_t * x, int count)
{
  face->count = count;
  face->z_error = 0.0;
  for (int i = 0; i < count; i++) {
    double error;
    face->x[i] = x[i];
    face->z[i] = metric_z(metric, x[i], &error);
    face->rho[i] = metric_rho(metric, x[i]);
    face->z_error = fmax(face->z_error, error);
  }
}

double fat_plane_gap(
  const node_pair_t * pair, const fat_face_t * face, const motion_ball_t * ball, double rounding,
  vec3_t n)
{
  const body_node_t * node = &pair->moving->nodes[pair->a];
  node_pair_t fat = *pair;
  if (!body_node_is_leaf(node)) {
    fat.extra += ball->radius * node->rho;
    return plane_gap(&fat, &ball->g, rounding, n);
  }
  double most = -INFINITY;
  for (int k = 0; k < face->count; k++) {
    double reach = vec3_dot(n, affine_apply(&ball->g, face->x[k])) +
      ball->radius * face->rho[k] * (1.0 + 0x1p-40) * DIRECTION_NORM;
    most = reach > most ? reach : most;
    if (!(reach == reach)) {
      return -1.0;
    }
  }
  double gap = node_support_low(pair->fixed, pair->b, n) - most -
    (pair->extra + rounding) * DIRECTION_NORM;
  return vec3_dot(n, n) <= 1.0 + 0x1p-21 && gap > 0.0 && gap < 1e9 ? gap / DIRECTION_NORM : -1.0;
}

/// What a fat feature subtracts, [F-MARGIN] included: scale * rho^2 + rest.
typedef struct thickness_s
{
  double scale, rest, radius, extra;
} thickness_t;

static thickness_t thickness_of(double radius, double extra, double rho)
{
  double t = fmax(radius * rho, 1e-9 * extra);
  double ratio = t > 0.0 ? extra / t : 0.0;
  thickness_t out = {
    radius * radius * (1.0 + ratio) * (1.0 + 0x1p-40),
    (extra * extra + extra * t) * (1.0 + 0x1p-40),
    radius, extra
  };
  return out;
}

/* Fat vertex against a fixed triangle: a ball, so Q is convex. */
static bool vertex_apart(vec3_t p, double radius, const vec3_t y[3])
{
  vec3_t w = vec3_sub(y[0], p), u = vec3_sub(y[1], y[0]), v = vec3_sub(y[2], y[0]);
  quadratic_t q = {
    vec3_dot(w, w) - radius * radius * (1.0 + 0x1p-40), 2.0 * vec3_dot(w, u),
    2.0 * vec3_dot(w, v), vec3_dot(u, u), 2.0 * vec3_dot(u, v), vec3_dot(v, v)
  };
  double error = 0x1p-46 * (quadratic_size(&q) + vec3_dot(w, w) + radius * radius);
  return quadratic_convex_positive(&q, unit_triangle, 3, error);
}

/// Whether a test passed by itself, or only together with the tests of the boundary (then it is not
/// remembered).
typedef enum outcome_e
{
  FAILED = 0,
  PASSED = 1,
  PASSED_WITH_BOUNDARY = 2
} outcome_t;

/* Fat edge p0 p1 against the edge y0 y1: Q over the unit square. */
static outcome_t edge_apart(
  const vec3_t p[2], const vec3_t z[2], const vec3_t y[2], const thickness_t * thick)
{
  vec3_t w = vec3_sub(p[0], y[0]), u = vec3_sub(p[1], p[0]), v = vec3_sub(y[1], y[0]);
  vec3_t dz = vec3_sub(z[1], z[0]);
  double r = thick->scale, bend = r * vec3_dot(dz, dz), lean = r * 2.0 * vec3_dot(z[0], dz);
  double fat = r * (1.0 + vec3_dot(z[0], z[0])) + thick->rest;
  quadratic_t q = {
    vec3_dot(w, w) - fat, 2.0 * vec3_dot(w, u) - lean - bend, -2.0 * vec3_dot(w, v),
    vec3_dot(u, u), -2.0 * vec3_dot(u, v), vec3_dot(v, v)
  };
  double error = 0x1p-46 * (quadratic_size(&q) + vec3_dot(w, w) + fat + fabs(lean) + bend);
  if (quadratic_convex_positive(&q, unit_square, 4, error)) {
    return PASSED;
  }
  q.ks += bend;
  q.kss -= bend;
  if (quadratic_exact_positive(&q, unit_square, 4, error)) {
    return PASSED;
  }
  quadratic_t thin = q;
  thin.kss = vec3_dot(u, u) - thick->radius * thick->radius * vec3_dot(dz, dz);
  return quadratic_saddle(&thin, error) &&
         quadratic_side_positive(&q, 0.0, error) && quadratic_side_positive(&q, 1.0, error) ?
         PASSED_WITH_BOUNDARY : FAILED;
}

/* Fat triangle against the point y. The boundary is covered by the fat edges when it is a whole
 * face. */
static outcome_t face_apart(
  const vec3_t p[3], const vec3_t z[3], vec3_t y, const thickness_t * thick, bool whole)
{
  vec3_t w = vec3_sub(p[0], y), u = vec3_sub(p[1], p[0]), v = vec3_sub(p[2], p[0]);
  vec3_t a = vec3_sub(z[1], z[0]), b = vec3_sub(z[2], z[0]);
  double r = thick->scale, aa = r * vec3_dot(a, a), bb = r * vec3_dot(b, b);
  double la = r * 2.0 * vec3_dot(z[0], a), lb = r * 2.0 * vec3_dot(z[0], b);
  double fat = r * (1.0 + vec3_dot(z[0], z[0])) + thick->rest;
  quadratic_t q = {
    vec3_dot(w, w) - fat, 2.0 * vec3_dot(w, u) - la - aa, 2.0 * vec3_dot(w, v) - lb - bb,
    vec3_dot(u, u), 2.0 * vec3_dot(u, v), vec3_dot(v, v)
  };
  double error = 0x1p-46 *
    (quadratic_size(&q) + vec3_dot(w, w) + fat + fabs(la) + fabs(lb) + aa + bb);
  if (quadratic_convex_positive(&q, unit_triangle, 3, error)) {
    return PASSED;
  }
  q.ks += aa;
  q.kt += bb;
  q.kss -= aa;
  q.ktt -= bb;
  q.kst -= 2.0 * r * vec3_dot(a, b);
  if (quadratic_exact_positive(&q, unit_triangle, 3, error)) {
    return PASSED;
  }
  quadratic_t thin = q;
  double square = thick->radius * thick->radius;
  thin.kss = vec3_dot(u, u) - square * vec3_dot(a, a);
  thin.ktt = vec3_dot(v, v) - square * vec3_dot(b, b);
  thin.kst = 2.0 * vec3_dot(u, v) - 2.0 * square * vec3_dot(a, b);
  return whole && quadratic_saddle(&thin, error) ? PASSED_WITH_BOUNDARY : FAILED;
}

static bool known(const uint16_t * done, int bit)
{
  return done != NULL && (*done >> bit & 1u) != 0;
}

static bool note(uint16_t * done, int bit, outcome_t outcome)
{
  if (done != NULL && outcome == PASSED) {
    *done = (uint16_t)(*done | (1u << bit));
  }
  return outcome != FAILED;
}

/// The three groups of Listing 2; each returns false at the first failure, unless `done` collects.
typedef struct listing_s
{
  const fat_face_t * face;
  const flat_face_t * fixed;
  vec3_t p[FAT_MAX_CORNERS];
  thickness_t thick;
  double radius, wide;
  uint16_t * done;
} listing_t;

static bool vertices_apart(const listing_t * l)
{
  bool apart = true;
  for (int i = 0; i < l->face->count && (apart || l->done != NULL); i++) {
    if (known(l->done, i)) {
      continue;
    }
    bool far = true;
    for (int k = 1; k + 1 < l->fixed->count; k++) {
      const vec3_t y[3] = {l->fixed->y[0], l->fixed->y[k], l->fixed->y[k + 1]};
      far = far && vertex_apart(l->p[i], l->radius * l->face->rho[i] + l->wide, y);
    }
    apart = note(l->done, i, far ? PASSED : FAILED) && apart;
  }
  return apart;
}

static bool edges_apart(const listing_t * l)
{
  int m = l->face->count, f = l->fixed->count;
  const vec3_t * z = l->face->z;
  bool apart = true;
  for (int i = 0; i < m * f && (apart || l->done != NULL); i++) {
    int a = i / f, b = i % f;
    const vec3_t e[2] = {l->p[a], l->p[(a + 1) % m]}, ez[2] = {z[a], z[(a + 1) % m]};
    const vec3_t y[2] = {l->fixed->y[b], l->fixed->y[(b + 1) % f]};
    if (!known(l->done, 3 + i)) {
      apart = note(l->done, 3 + i, edge_apart(e, ez, y, &l->thick)) && apart;
    }
  }
  return apart;
}

static bool faces_apart(const listing_t * l)
{
  int m = l->face->count, f = l->fixed->count;
  const vec3_t * z = l->face->z, * p = l->p;
  bool apart = true;
  for (int k = 0; k < f && (apart || l->done != NULL); k++) {
    for (int i = 1; i + 1 < m && !known(l->done, 12 + k); i++) {
      const vec3_t t[3] = {p[0], p[i], p[i + 1]}, tz[3] = {z[0], z[i], z[i + 1]};
      outcome_t outcome = face_apart(t, tz, l->fixed->y[k], &l->thick, m == 3);
      apart = note(l->done, 12 + k, outcome) && apart;
    }
  }
  return apart;
}

bool fat_features_apart(
  const fat_face_t * face, const flat_face_t * fixed, const motion_ball_t * ball, double extra,
  uint16_t * done)
{
  listing_t l = {.face = face, .fixed = fixed, .radius = ball->radius};
  double most = 0.0;
  for (int i = 0; i < face->count; i++) {
    l.p[i] = affine_apply(&ball->g, face->x[i]);
    most = fmax(most, face->rho[i]);
  }
  /* z is known to z_error: R rho changes by at most R * 2 z_error. */
  l.wide = extra + 4.0 * ball->radius * face->z_error;
  l.thick = thickness_of(ball->radius, l.wide, 0.5 * (1.0 + most));
  l.done = face->count == 3 && fixed->count == 3 ? done : NULL;
  if (!(ball->radius < 1e9) || !(l.wide < 1e9)) {
    return false;
  }
  bool vertices = vertices_apart(&l);
  if (!vertices && l.done == NULL) {
    return false;
  }
  bool edges = edges_apart(&l);
  if (!edges && l.done == NULL) {
    return false;
  }
  return faces_apart(&l) && edges && vertices;
}
