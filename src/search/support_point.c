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

#include "search/support_point.h"

#include <math.h>

#include "base/fpguard.h"
#include "kernel/support.h"

#if defined(__x86_64__)
  #include <immintrin.h>
#endif

static uint32_t index_scalar(const double * x, uint32_t size, uint32_t count, vec3_t m)
{
  const double * y = x + size, * z = y + size;
  double best = -INFINITY;
  uint32_t which = 0;
  for (uint32_t i = 0; i < count; i++) {
    double value = m.x * x[i] + m.y * y[i] + m.z * z[i];
    if (value > best) {
      best = value;
      which = i;
    }
  }
  return which;
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

/* The first vertex that attains the maximum, as in the scalar loop: each lane keeps its first, and
 * of the lanes that attain it the one with the smallest index counts. */
__attribute__((target("avx2")))
static uint32_t index_avx2(const double * x, uint32_t size, uint32_t count, vec3_t m)
{
  const __m256d mx = _mm256_set1_pd(m.x), my = _mm256_set1_pd(m.y), mz = _mm256_set1_pd(m.z);
  const __m256d four = _mm256_set1_pd(4.0);
  __m256d best = _mm256_set1_pd(-INFINITY), where = _mm256_setzero_pd();
  __m256d here = _mm256_setr_pd(0.0, 1.0, 2.0, 3.0);
  for (uint32_t i = 0; i < count; i += 4u) {
    __m256d value = four_values(x, size, i, mx, my, mz);
    __m256d more = _mm256_cmp_pd(value, best, _CMP_GT_OQ);
    best = _mm256_blendv_pd(best, value, more);
    where = _mm256_blendv_pd(where, here, more);
    here = _mm256_add_pd(here, four);
  }
  __m256d most = _mm256_max_pd(best, _mm256_permute2f128_pd(best, best, 1));
  most = _mm256_max_pd(most, _mm256_permute_pd(most, 5));
  __m256d attained = _mm256_cmp_pd(best, most, _CMP_EQ_OQ);
  where = _mm256_blendv_pd(_mm256_set1_pd((double)count), where, attained);
  __m128d first = _mm_min_pd(_mm256_castpd256_pd128(where), _mm256_extractf128_pd(where, 1));
  uint32_t index = (uint32_t)_mm_cvtsd_f64(_mm_min_sd(first, _mm_unpackhi_pd(first, first)));
  return index < count ? index : 0;
}
#endif

static uint32_t hull_index(
  const double * hull, uint32_t size, uint32_t count, vec3_t m)
{
#if defined(__x86_64__)
  if (kernel_support_wide()) {
    return index_avx2(hull, size, count, m);
  }
#endif
  return index_scalar(hull, size, count, m);
}

static vec3_t points_point(const vouch_geometry_t * g, uint32_t number, vec3_t m)
{
  const vouch_primitive_t * primitive = &g->primitives[number];
  double best = -INFINITY;
  vec3_t point = vec3(0.0, 0.0, 0.0);
  for (uint32_t i = 0; i < primitive->count; i++) {
    vec3_t v = vec3_from(g->vertices[g->indices[primitive->first + i]]);
    double value = vec3_dot(m, v);
    if (value > best) {
      best = value;
      point = v;
    }
  }
  return point;
}

/// A little inside the ellipsoid, so that rounding leaves it there.
static vec3_t round_point(const kernel_round_t * round, vec3_t m)
{
  const vec3_t * a = round->axes;
  vec3_t along = vec3(vec3_dot(m, a[0]), vec3_dot(m, a[1]), vec3_dot(m, a[2]));
  double n = vec3_norm(along);
  vec3_t u = vec3_scale(along, n > 0.0 ? (1.0 - 1e-12) / n : 0.0);
  vec3_t x = vec3_add(vec3_scale(a[0], u.x), vec3_scale(a[1], u.y));
  return vec3_add(round->center, vec3_add(x, vec3_scale(a[2], u.z)));
}

vec3_t support_point(
  const vouch_geometry_t * g, uint32_t number, vec3_t m, bool coarse)
{
  const kernel_derived_t * d = kernel_derived(g);
  const kernel_node_t * node = &d->nodes[number];
  if (node->hull == KERNEL_NO_HULL) {
    return points_point(g, g->nodes[number].first, m);
  }
  vec3_t best = vec3(0.0, 0.0, 0.0);
  if (node->hull_size > 0) {
    const double * x = d->hulls + node->hull;
    uint32_t i = hull_index(x, node->hull_size, coarse ? node->coarse : node->hull_size, m);
    best = vec3(x[i], x[node->hull_size + i], x[2 * node->hull_size + i]);
  }
  double most = node->hull_size > 0 ? vec3_dot(m, best) : -INFINITY;
  for (uint32_t i = 0; i < node->round_count; i++) {
    vec3_t p = round_point(&d->rounds[node->round + i], m);
    double value = vec3_dot(m, p);
    best = value > most ? p : best;
    most = value > most ? value : most;
  }
  return best;
}
