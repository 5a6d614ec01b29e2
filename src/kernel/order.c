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

/* In which order a hull's vertices stand: the most outstanding ones first, so that the first few alone
 * are a good guess of the whole. TRUSTED to keep all of them, and for nothing else. */

#include "kernel/derived.h"

#include "base/fpguard.h"

static void swap_vertices(double * x, uint32_t size, uint32_t i, uint32_t j)
{
  for (uint32_t axis = 0; axis < 3; axis++, x += size) {
    double kept = x[i];
    x[i] = x[j];
    x[j] = kept;
  }
}

static uint32_t farthest(const double * x, uint32_t size, vec3_t d)
{
  uint32_t best = 0;
  double most = -INFINITY;
  for (uint32_t i = 0; i < size; i++) {
    double value = d.x * x[i] + d.y * x[size + i] + d.z * x[2u * size + i];
    if (value > most) {
      most = value;
      best = i;
    }
  }
  return best;
}

static vec3_t extent(const double * x, uint32_t size)
{
  vec3_t low = vec3(INFINITY, INFINITY, INFINITY), high = vec3_neg(low);
  for (uint32_t i = 0; i < size; i++) {
    low = vec3(fmin(low.x, x[i]), fmin(low.y, x[size + i]), fmin(low.z, x[2u * size + i]));
    high = vec3(fmax(high.x, x[i]), fmax(high.y, x[size + i]), fmax(high.z, x[2u * size + i]));
  }
  return vec3_sub(high, low);
}

/// [K-ORDER] Ensures: the blocks x, y, z of `size` hold the same vertices, exchanged two at a time. In
/// front: the farthest ones along two spirals of directions, which are stretched as the hull is.
void kernel_order_hull(double * x, uint32_t size)
{
  uint32_t first = 0;
  vec3_t wide = extent(x, size);
  double least = 1e-3 * (wide.x + wide.y + wide.z) + 1e-9;
  for (uint32_t k = 0; k < 2u * KERNEL_COARSE && first < KERNEL_COARSE; k++) {
    double z = 1.0 - (2.0 * (k % KERNEL_COARSE) + 1.0) / KERNEL_COARSE;
    double flat = sqrt(1.0 - z * z), turn = 2.399963229728653 * k;
    vec3_t d = vec3(
      flat * cos(turn) / (wide.x + least), flat * sin(turn) / (wide.y + least),
      z / (wide.z + least));
    uint32_t i = farthest(x, size, d);
    if (i >= first) {
      swap_vertices(x, size, first++, i);
    }
  }
}
