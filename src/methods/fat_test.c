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
 * [F-CONVEX] A convex quadratic Q on a polygon with corners c_k is at least Q(p) + min_k grad Q(p).(c_k - p), for
 * any p whatsoever: the untrusted part of this file only proposes p.
 * [F-LINEAR] rho^2 is convex, so it is at most its linear interpolation between the corners; with that Q is convex always.
 * [F-SADDLE] A quadratic whose Hessian is not positive definite has its minimum over a polygon on the boundary.
 * [F-MARGIN] (R rho + m)^2 <= (1 + m/t) R^2 rho^2 + m^2 + m t for every t > 0, sharp at R rho = t.
 * Coefficients err by less than 2^-46 of the squared lengths that enter; that is subtracted. */

#include "methods/fat_test.h"

#include "base/fpguard.h"

/// Q(s, t) = k + s ks + t kt + s^2 kss + s t kst + t^2 ktt
typedef struct quadratic_s
{
  double k, ks, kt, kss, kst, ktt;
} quadratic_t;

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

static double value_at(const quadratic_t * q, double s, double t)
{
  return q->k + s * (q->ks + s * q->kss + t * q->kst) + t * (q->kt + t * q->ktt);
}

static double size_of(const quadratic_t * q)
{
  return fabs(q->k) + fabs(q->ks) + fabs(q->kt) + fabs(q->kss) + fabs(q->kst) + fabs(q->ktt);
}

/* UNTRUSTED: proposes the minimum over the polygon. */
static void propose(const quadratic_t * q, const double (* corners)[2], int count, double p[2])
{
  double det = 4.0 * q->kss * q->ktt - q->kst * q->kst;
  double s = (q->kst * q->kt - 2.0 * q->ktt * q->ks) / det;
  double t = (q->kst * q->ks - 2.0 * q->kss * q->kt) / det;
  bool inside = count == 4 ? s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0 :
    s >= 0.0 && t >= 0.0 && s + t <= 1.0;
  if (inside) {
    p[0] = s;
    p[1] = t;
    return;
  }
  double least = INFINITY;
  for (int i = 0; i < count; i++) {
    const double * a = corners[i], * b = corners[(i + 1) % count];
    double d0 = b[0] - a[0], d1 = b[1] - a[1];
    double slope = d0 * (q->ks + 2.0 * a[0] * q->kss + a[1] * q->kst) +
      d1 * (q->kt + a[0] * q->kst + 2.0 * a[1] * q->ktt);
    double bend = d0 * d0 * q->kss + d0 * d1 * q->kst + d1 * d1 * q->ktt;
    double r = bend > 0.0 ? -0.5 * slope / bend : (slope + bend < 0.0 ? 1.0 : 0.0);
    r = r > 0.0 ? (r < 1.0 ? r : 1.0) : 0.0;
    double v = value_at(q, a[0] + r * d0, a[1] + r * d1);
    if (v < least) {
      least = v;
      p[0] = a[0] + r * d0;
      p[1] = a[1] + r * d1;
    }
  }
}

/* [F-CONVEX] Requires: q is convex up to rounding. Ensures: true only if q > 0 on the polygon. */
static bool convex_positive(
  const quadratic_t * q, const double (* corners)[2], int count, double error)
{
  double p[2] = {0.0, 0.0};
  propose(q, corners, count, p);
  double gs = q->ks + 2.0 * p[0] * q->kss + p[1] * q->kst;
  double gt = q->kt + p[0] * q->kst + 2.0 * p[1] * q->ktt;
  double drop = INFINITY;
  for (int i = 0; i < count; i++) {
    double d = gs * (corners[i][0] - p[0]) + gt * (corners[i][1] - p[1]);
    drop = d < drop ? d : drop;
    if (!(d == d)) {
      return false;
    }
  }
  return value_at(q, p[0], p[1]) + drop - 16.0 * error > 0.0;
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
    radius * radius * (1.0 + ratio) * (1.0 + 0x1p-40), (extra * extra + extra * t) * (1.0 + 0x1p-40),
    radius, extra};
  return out;
}

/* Fat vertex against a fixed triangle: a ball, so Q is convex. */
static bool vertex_apart(vec3_t p, double radius, const vec3_t y[3])
{
  vec3_t w = vec3_sub(y[0], p), u = vec3_sub(y[1], y[0]), v = vec3_sub(y[2], y[0]);
  quadratic_t q = {
    vec3_dot(w, w) - radius * radius * (1.0 + 0x1p-40), 2.0 * vec3_dot(w, u),
    2.0 * vec3_dot(w, v), vec3_dot(u, u), 2.0 * vec3_dot(u, v), vec3_dot(v, v)};
  double error = 0x1p-46 * (size_of(&q) + vec3_dot(w, w) + radius * radius);
  return convex_positive(&q, unit_triangle, 3, error);
}

/* [F-SADDLE] or exact, for the square of an edge pair or the triangle of a face; `linear` was not enough. */
static bool exact_positive(
  const quadratic_t * q, const double (* corners)[2], int count, double error, bool * saddle)
{
  double det = 4.0 * q->kss * q->ktt - q->kst * q->kst;
  double doubt = 64.0 * error * (fabs(q->kss) + fabs(q->ktt) + fabs(q->kst) + error);
  *saddle = false;
  if (q->kss > 16.0 * error && q->ktt > 16.0 * error && det > doubt) {
    return convex_positive(q, corners, count, error);
  }
  *saddle = det < -doubt || q->kss < -16.0 * error || q->ktt < -16.0 * error;
  return false;
}

/* Positive for s in [0,1] at one end t of the square; concave ones are left to the fat vertices. */
static bool side_positive(const quadratic_t * q, double t, double error)
{
  quadratic_t side = {
    q->k + t * (q->kt + t * q->ktt), q->ks + t * q->kst, 0.0, q->kss, 0.0, 0.0};
  if (side.kss <= 0.0) {
    return side.k - 16.0 * error > 0.0 && side.k + side.ks + side.kss - 16.0 * error > 0.0;
  }
  double s = -0.5 * side.ks / side.kss;
  s = s > 0.0 ? (s < 1.0 ? s : 1.0) : 0.0;
  double slope = side.ks + 2.0 * s * side.kss;
  double drop = slope > 0.0 ? -slope * s : slope * (1.0 - s);
  return value_at(&side, s, 0.0) + drop - 16.0 * error > 0.0;
}

/// Whether a test passed by itself, or only together with the tests of the boundary (then it is not remembered).
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
    vec3_dot(u, u), -2.0 * vec3_dot(u, v), vec3_dot(v, v)};
  double error = 0x1p-46 * (size_of(&q) + vec3_dot(w, w) + fat + fabs(lean) + bend);
  if (convex_positive(&q, unit_square, 4, error)) {
    return PASSED;
  }
  q.ks += bend;
  q.kss -= bend;
  bool saddle;
  if (exact_positive(&q, unit_square, 4, error, &saddle)) {
    return PASSED;
  }
  return saddle && side_positive(&q, 0.0, error) && side_positive(&q, 1.0, error) ?
         PASSED_WITH_BOUNDARY : FAILED;
}

/* Fat triangle against the point y. The boundary is covered by the fat edges when it is a whole face. */
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
    vec3_dot(u, u), 2.0 * vec3_dot(u, v), vec3_dot(v, v)};
  double error = 0x1p-46 * (size_of(&q) + vec3_dot(w, w) + fat + fabs(la) + fabs(lb) + aa + bb);
  if (convex_positive(&q, unit_triangle, 3, error)) {
    return PASSED;
  }
  q.ks += aa;
  q.kt += bb;
  q.kss -= aa;
  q.ktt -= bb;
  q.kst -= 2.0 * r * vec3_dot(a, b);
  bool saddle;
  if (exact_positive(&q, unit_triangle, 3, error, &saddle)) {
    return PASSED;
  }
  return saddle && whole ? PASSED_WITH_BOUNDARY : FAILED;
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
