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

#include "geometry/nearest.h"

#include <math.h>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
  #define HAVE_AVX 1
  #include <immintrin.h>
#else
  #define HAVE_AVX 0
#endif

/* ---- clouds ---- */

enum {LANES = 4, MAX_ITERATIONS = 64};

static bool reserve_one(double ** array, const vouch_allocator_t * allocator, size_t capacity)
{
  double * moved = vouch_realloc(allocator, *array, capacity, sizeof(double));
  if (moved != NULL) {
    *array = moved;
  }
  return moved != NULL;
}

bool vouch_cloud_reserve(vouch_cloud_t * cloud, const vouch_allocator_t * allocator, size_t count)
{
  if (count <= cloud->capacity) {
    return true;
  }
  size_t capacity = (count + count / 2 + 64) / LANES * LANES;
  if (capacity > UINT32_MAX || !reserve_one(&cloud->x, allocator, capacity) ||
    !reserve_one(&cloud->y, allocator, capacity) || !reserve_one(&cloud->z, allocator, capacity))
  {
    return false;
  }
  cloud->capacity = (uint32_t)capacity;
  return true;
}

void vouch_cloud_fini(vouch_cloud_t * cloud, const vouch_allocator_t * allocator)
{
  vouch_free(allocator, cloud->x);
  vouch_free(allocator, cloud->y);
  vouch_free(allocator, cloud->z);
  memset(cloud, 0, sizeof(*cloud));
}

void vouch_cloud_clear(vouch_cloud_t * cloud)
{
  cloud->count = 0;
}

static void set_point(vouch_cloud_t * cloud, uint32_t i, vec3_t point)
{
  cloud->x[i] = point.x;
  cloud->y[i] = point.y;
  cloud->z[i] = point.z;
}

/// Behind the last point, up to a full set of lanes: copies of the first point. They are never
/// lower than the first, and come later.
static void fill_up(vouch_cloud_t * cloud)
{
  for (uint32_t i = cloud->count; i % LANES != 0; ++i) {
    set_point(cloud, i, vouch_cloud_get(cloud, 0));
  }
}

void vouch_cloud_add(vouch_cloud_t * cloud, vec3_t point)
{
  uint32_t i = cloud->count++;
  set_point(cloud, i, point);
  if (i % LANES == 0) {
    fill_up(cloud);
  }
}

void vouch_cloud_remove(vouch_cloud_t * cloud, uint32_t i)
{
  cloud->count -= 1;
  set_point(cloud, i, vouch_cloud_get(cloud, cloud->count));
  fill_up(cloud);
}

/* Each lane remembers its first lowest point; then the lanes are compared. All builds and machines
 * add and compare the same way, so they all find the same point. */

/// The lowest of the lanes' points; of equals the first.
static uint32_t lowest_lane(const double * best, const double * at, int lanes, double * height)
{
  int lane = 0;
  for (int k = 1; k < lanes; ++k) {
    if (best[k] < best[lane] || (!(best[k] > best[lane]) && at[k] < at[lane])) {
      lane = k;
    }
  }
  *height = best[lane];
  return (uint32_t)at[lane];
}

#if HAVE_AVX
__attribute__((target("avx")))
static uint32_t lowest_avx(const vouch_cloud_t * cloud, vec3_t d, double * height)
{
  __m256d dx = _mm256_set1_pd(d.x), dy = _mm256_set1_pd(d.y), dz = _mm256_set1_pd(d.z);
  __m256d best = _mm256_set1_pd(HUGE_VAL), at = _mm256_setzero_pd();
  __m256d now = _mm256_setr_pd(0.0, 1.0, 2.0, 3.0), step = _mm256_set1_pd(LANES);
  for (uint32_t i = 0; i < cloud->count; i += LANES) {
    __m256d h = _mm256_add_pd(
      _mm256_mul_pd(_mm256_loadu_pd(cloud->x + i), dx),
      _mm256_mul_pd(_mm256_loadu_pd(cloud->y + i), dy));
    h = _mm256_add_pd(h, _mm256_mul_pd(_mm256_loadu_pd(cloud->z + i), dz));
    __m256d lower = _mm256_cmp_pd(h, best, _CMP_LT_OQ);
    best = _mm256_blendv_pd(best, h, lower);
    at = _mm256_blendv_pd(at, now, lower);
    now = _mm256_add_pd(now, step);
  }
  double heights[LANES], places[LANES];
  _mm256_storeu_pd(heights, best);
  _mm256_storeu_pd(places, at);
  return lowest_lane(heights, places, LANES, height);
}
#endif

static uint32_t lowest_plain(const vouch_cloud_t * cloud, vec3_t d, double * height)
{
  double best[2] = {HUGE_VAL, HUGE_VAL}, at[2] = {0.0, 0.0};
  for (uint32_t i = 0; i < cloud->count; i += 2) {
    for (uint32_t k = 0; k < 2; ++k) {
      double h = cloud->x[i + k] * d.x + cloud->y[i + k] * d.y + cloud->z[i + k] * d.z;
      at[k] = h < best[k] ? (double)(i + k) : at[k];
      best[k] = h < best[k] ? h : best[k];
    }
  }
  return lowest_lane(best, at, 2, height);
}

uint32_t vouch_cloud_lowest(const vouch_cloud_t * cloud, vec3_t direction, double * height)
{
#if HAVE_AVX
  if (__builtin_cpu_supports("avx")) {
    return lowest_avx(cloud, direction, height);
  }
#endif
  return lowest_plain(cloud, direction, height);
}

/* ---- nearest point of a simplex to the origin ---- */

/// Corners relative to the query, with the weights of the nearest point so far.
typedef struct simplex_s
{
  vec3_t y[4];
  uint32_t index[4];
  double weight[4];
  int count;
} simplex_t;

/// A face of a simplex: which corners, with which weights, how far.
typedef struct face_s
{
  double square;   // of the distance
  int count;
  int corner[4];
  double weight[4];
} face_t;

static vec3_t combination(const simplex_t * s, const face_t * face)
{
  vec3_t v = vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < face->count; ++i) {
    v = vec3_add(v, vec3_scale(s->y[face->corner[i]], face->weight[i]));
  }
  return v;
}

static face_t finish_face(const simplex_t * s, face_t face)
{
  vec3_t v = combination(s, &face);
  face.square = vec3_dot(v, v);
  return face;
}

static face_t corner_face(const simplex_t * s, int a)
{
  return finish_face(s, (face_t) {.count = 1, .corner = {a}, .weight = {1.0}});
}

static face_t nearest_on_edge(const simplex_t * s, int a, int b)
{
  vec3_t ab = vec3_sub(s->y[b], s->y[a]);
  double length = vec3_dot(ab, ab);
  double t = -vec3_dot(s->y[a], ab);
  if (!(t > 0.0)) {
    return corner_face(s, a);
  }
  if (!(t < length)) {
    return corner_face(s, b);
  }
  t /= length;
  return finish_face(s, (face_t) {.count = 2, .corner = {a, b}, .weight = {1.0 - t, t}});
}

static face_t better(face_t a, face_t b)
{
  return b.square < a.square ? b : a;
}

static face_t nearest_on_triangle(const simplex_t * s, int a, int b, int c)
{
  vec3_t pa = s->y[a], pb = s->y[b], pc = s->y[c];
  vec3_t n = vec3_cross(vec3_sub(pb, pa), vec3_sub(pc, pa));
  double wa = vec3_dot(n, vec3_cross(pb, pc));
  double wb = vec3_dot(n, vec3_cross(pc, pa));
  double wc = vec3_dot(n, vec3_cross(pa, pb));
  double sum = wa + wb + wc;
  if (wa > 0.0 && wb > 0.0 && wc > 0.0 && sum > 1e-280) {
    return finish_face(
      s, (face_t) {.count = 3, .corner = {a, b, c}, .weight = {wa / sum, wb / sum, wc / sum}});
  }
  face_t best = nearest_on_edge(s, a, b);
  best = better(best, nearest_on_edge(s, b, c));
  return better(best, nearest_on_edge(s, c, a));
}

static double det(vec3_t a, vec3_t b, vec3_t c)
{
  return vec3_dot(a, vec3_cross(b, c));
}

static face_t nearest_in_tetrahedron(const simplex_t * s)
{
  const vec3_t * y = s->y;
  double volume = det(vec3_sub(y[1], y[0]), vec3_sub(y[2], y[0]), vec3_sub(y[3], y[0]));
  double w[4] = {
    det(y[1], y[2], y[3]), -det(y[0], y[2], y[3]), det(y[0], y[1], y[3]), -det(y[0], y[1], y[2])
  };
  bool flat = !(fabs(volume) > 1e-280);
  bool outside[4], inside = !flat;
  for (int i = 0; i < 4; ++i) {
    w[i] = flat ? 0.0 : w[i] / volume;
    outside[i] = flat || !(w[i] > 0.0);
    inside = inside && !outside[i];
  }
  if (inside) {
    double sum = (w[0] + w[1]) + (w[2] + w[3]);
    face_t face = {.count = 4, .corner = {0, 1, 2, 3}};
    for (int i = 0; i < 4; ++i) {
      face.weight[i] = w[i] / sum;
    }
    return finish_face(s, face);
  }
  static const int opposite[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  face_t best = {.square = HUGE_VAL, .count = 0};
  for (int i = 0; i < 4; ++i) {
    if (outside[i]) {
      best = better(
        best, nearest_on_triangle(s, opposite[i][0], opposite[i][1], opposite[i][2]));
    }
  }
  return best;
}

static face_t nearest_on_simplex(const simplex_t * s)
{
  switch (s->count) {
    case 1: return corner_face(s, 0);
    case 2: return nearest_on_edge(s, 0, 1);
    case 3: return nearest_on_triangle(s, 0, 1, 2);
    default: return nearest_in_tetrahedron(s);
  }
}

static void shrink(simplex_t * s, const face_t * face)
{
  simplex_t smaller = {.count = face->count};
  for (int i = 0; i < face->count; ++i) {
    smaller.y[i] = s->y[face->corner[i]];
    smaller.index[i] = s->index[face->corner[i]];
    smaller.weight[i] = face->weight[i];
  }
  *s = smaller;
}

/* ---- the search ---- */

static bool has(const simplex_t * s, uint32_t index)
{
  for (int i = 0; i < s->count; ++i) {
    if (s->index[i] == index) {
      return true;
    }
  }
  return false;
}

static vouch_nearest_t result_of(const simplex_t * s, vec3_t v, bool apart)
{
  vouch_nearest_t result = {
    .offset = v, .distance = vec3_norm(v), .count = (uint32_t)s->count, .apart = apart
  };
  for (int i = 0; i < s->count; ++i) {
    result.index[i] = s->index[i];
    result.weight[i] = s->weight[i];
  }
  return result;
}

/* Invariant: v is the nearest point of the simplex. With i the cloud's lowest point along v, the
 * distance is at least v.y_i / |v|; it is v itself when no point is lower than v by more than
 * rounding. Every turn makes |v| smaller, else the search stops with what it has. */
vouch_nearest_t vouch_cloud_nearest(
  const vouch_cloud_t * cloud, vec3_t query, vouch_nearest_options_t options)
{
  double height;
  simplex_t s = {.count = 1, .weight = {1.0}};
  s.index[0] = vouch_cloud_lowest(cloud, vec3_neg(query), &height);
  s.y[0] = vec3_sub(vouch_cloud_get(cloud, s.index[0]), query);
  vec3_t v = s.y[0];
  double square = vec3_dot(v, v);
  for (int turn = 0; turn < MAX_ITERATIONS && square > 0.0 && s.count < 4; ++turn) {
    uint32_t i = vouch_cloud_lowest(cloud, v, &height);
    vec3_t y = vec3_sub(vouch_cloud_get(cloud, i), query);
    double low = vec3_dot(v, y);
    if (low > 0.0 && low > options.enough * sqrt(square)) {
      return result_of(&s, v, true);
    }
    if (square - low <= options.relative * square || has(&s, i)) {
      break;
    }
    simplex_t larger = s;
    larger.y[larger.count] = y;
    larger.index[larger.count] = i;
    larger.count += 1;
    face_t face = nearest_on_simplex(&larger);
    if (!(face.square < square)) {
      break;
    }
    v = combination(&larger, &face);
    square = face.square;
    shrink(&larger, &face);
    s = larger;
  }
  return result_of(&s, v, false);
}
