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

#include "kernel/support.h"

#include <math.h>
#include <stdatomic.h>

#include "base/fpguard.h"

#if defined(__x86_64__)
  #include <immintrin.h>
#endif

/// [K-SUPPORT] Ensures:  the largest m . x of the first `count` vertices; -infinity of none.
static double hull_scalar(const double * x, uint32_t size, uint32_t count, vec3_t m)
{
  const double * y = x + size, * z = y + size;
  double best = -INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    double value = m.x * x[i] + m.y * y[i] + m.z * z[i];
    best = value > best ? value : best;
  }
  return best;
}

#if defined(__x86_64__)
__attribute__((target("avx2")))
static inline __m256d four_values(
  const double * x, uint32_t size, uint32_t i, __m256d mx, __m256d my, __m256d mz)
{
  const double * y = x + size, * z = y + size;
  return _mm256_add_pd(
    _mm256_add_pd(
      _mm256_mul_pd(mx, _mm256_loadu_pd(x + i)), _mm256_mul_pd(my, _mm256_loadu_pd(y + i))),
    _mm256_mul_pd(mz, _mm256_loadu_pd(z + i)));
}

/* Two running maxima, so that one does not wait for the other; a maximum does not round. */
__attribute__((target("avx2")))
static inline double hull_avx2(const double * x, uint32_t size, uint32_t count, vec3_t m)
{
  const __m256d mx = _mm256_set1_pd(m.x), my = _mm256_set1_pd(m.y), mz = _mm256_set1_pd(m.z);
  __m256d best = _mm256_set1_pd(-INFINITY), other = best;
  uint32_t i = 0;
  for (; i + 8u <= count; i += 8u) {
    best = _mm256_max_pd(four_values(x, size, i, mx, my, mz), best);
    other = _mm256_max_pd(four_values(x, size, i + 4u, mx, my, mz), other);
  }
  if (i < count) {
    best = _mm256_max_pd(four_values(x, size, i, mx, my, mz), best);
  }
  best = _mm256_max_pd(best, other);
  __m128d pair = _mm_max_pd(_mm256_castpd256_pd128(best), _mm256_extractf128_pd(best, 1));
  return _mm_cvtsd_f64(_mm_max_sd(pair, _mm_unpackhi_pd(pair, pair)));
}

/* The vertices that outline a hull, without a loop. */
__attribute__((target("avx2")))
static double outline_avx2(const double * x, uint32_t size, vec3_t m)
{
  return hull_avx2(x, size, KERNEL_COARSE, m);
}

#endif

/* 0: not asked yet, 1: scalar, 2: AVX2. */
static atomic_int width;

static int find_width(bool scalar)
{
#if defined(__x86_64__)
  int found = !scalar && __builtin_cpu_supports("avx2") ? 2 : 1;
#else
  int found = 1;
  (void)scalar;
#endif
  atomic_store(&width, found);
  return found;
}

void kernel_support_force_scalar(bool scalar)
{
  find_width(scalar);
}

static inline bool use_avx2(void)
{
  int known = atomic_load_explicit(&width, memory_order_relaxed);
  return (known != 0 ? known : find_width(false)) == 2;
}

bool kernel_support_wide(void)
{
  return use_avx2();
}

static double hull_value(
  const double * hull, uint32_t size, uint32_t count, vec3_t m)
{
#if defined(__x86_64__)
  if (use_avx2()) {
    return hull_avx2(hull, size, count, m);
  }
#endif
  return hull_scalar(hull, size, count, m);
}

/// Of the first KERNEL_COARSE vertices.
static double outline_value(const double * hull, uint32_t size, vec3_t m)
{
#if defined(__x86_64__)
  if (use_avx2()) {
    return outline_avx2(hull, size, m);
  }
#endif
  return hull_scalar(hull, size, KERNEL_COARSE, m);
}

/// [K-ROUND] Ensures: at least m . x for all points x of these ellipsoids, up to rounding.
/// Why:      m . sum u_i a_i = u . (m . a_i), at most |(m . a_i)| for |u| <= 1.
static double rounds_value(const kernel_round_t * rounds, uint32_t count, vec3_t m)
{
  double best = -INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    const vec3_t * a = rounds[i].axes;
    vec3_t along = vec3(vec3_dot(m, a[0]), vec3_dot(m, a[1]), vec3_dot(m, a[2]));
    double value = vec3_dot(m, rounds[i].center) + vec3_norm(along);
    best = value > best ? value : best;
  }
  return best;
}

/// [K-SUPPORT] Ensures:  the largest m . x over the points of a primitive, or over the centres of its
///           balls.
static double points_value(const vouch_geometry_t * g, uint32_t number, vec3_t m)
{
  const vouch_primitive_t * primitive = &g->primitives[number];
  double best = -INFINITY;
  uint32_t i = 0;
#ifdef VOUCH_FAULT_DROP_VERTEX
  i = primitive->count > 1u ? 1u : 0u;
#endif
  for (; i < primitive->count; i++) {
    const double * v = g->vertices[g->indices[primitive->first + i]];
    double value = m.x * v[0] + m.y * v[1] + m.z * v[2];
    best = value > best ? value : best;
  }
  return best;
}

/// [K-SUPPORT] Why:      the largest over a hull is attained at a vertex or an ellipsoid of its list;
///           epsilon times the length of m is on top, and that is at most N.
double kernel_support(const vouch_geometry_t * g, uint32_t number, vec3_t m)
{
  const kernel_derived_t * d = kernel_derived(g);
  const kernel_node_t * node = &d->nodes[number];
  if (node->hull == KERNEL_NO_HULL) {
    return points_value(g, g->nodes[number].first, m) + node->epsilon * KERNEL_NORM;
  }
  double far = hull_value(d->hulls + node->hull, node->hull_size, node->hull_size, m);
  if (node->round_count > 0) {
    double round = rounds_value(d->rounds + node->round, node->round_count, m);
    far = round > far ? round : far;
  }
  return far + node->epsilon * KERNEL_NORM;
}

double kernel_support_coarse(const vouch_geometry_t * g, uint32_t number, vec3_t m)
{
  const kernel_derived_t * d = kernel_derived(g);
  const kernel_node_t * node = &d->nodes[number];
  return outline_value(d->hulls + node->hull, node->hull_size, m) + node->epsilon * KERNEL_NORM;
}
