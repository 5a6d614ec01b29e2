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

/* The lists of a geometry's nodes in the layout that the support functions read: plain vertices in
 * blocks, ellipsoids one after the other. TRUSTED to keep all of them. */

#include "base/error.h"
#include "base/fpguard.h"
#include "kernel/derived.h"

/// The radius of a vertex that is a ball, as balls are written; 0: it is none.
static double ball_of(const vouch_geometry_t * g, uint32_t number)
{
  const double * a = vouch_geometry_round(g, number);
  if (a == NULL || !(a[0] > 0.0)) {
    return 0.0;
  }
  for (int i = 0; i < 9; i++) {
    if (!(a[i] == (i % 4 == 0 ? a[0] : 0.0))) {
      return 0.0;
    }
  }
  return a[0];
}

/// [K-ROUND] The radius of the balls of a list if all are alike, else 0. Their hull is that of their
/// centres plus one of them.
static double common_ball(const vouch_geometry_t * g, const uint32_t * list, uint32_t count)
{
  double radius = g->round_count > 0 ? ball_of(g, list[0]) : 0.0;
  for (uint32_t i = 1; radius > 0.0 && i < count; i++) {
    radius = ball_of(g, list[i]) == radius ? radius : 0.0;
  }
  return radius;
}

/// [K-ROUND] Ensures:  room for the list of a node; epsilon is the radius of alike balls.
/// Why:      a primitive of points, or of balls that are alike, is read where it is, and needs none.
static void measure(const vouch_geometry_t * g, uint32_t number, kernel_node_t * node)
{
  uint32_t count, plain = 0;
  const uint32_t * list = kernel_list(g, number, &count);
  node->epsilon = common_ball(g, list, count);
  for (uint32_t i = 0; i < count; i++) {
    plain += node->epsilon > 0.0 || vouch_geometry_round(g, list[i]) == NULL;
  }
  node->hull = KERNEL_NO_HULL;
  if (g->nodes[number].left != 0 || plain < count) {
    node->round_count = count - plain;
    node->hull_size = (plain + 3u) / 4u * 4u;
    node->coarse = node->hull_size > KERNEL_COARSE + 8u ? KERNEL_COARSE : node->hull_size;
    node->hull = 0;
  }
}

static void copy_round(kernel_round_t * out, const double * v, const double * a)
{
  *out = (kernel_round_t) {.center = vec3_from(v),
    .axes = {vec3_from(a), vec3_from(a + 3), vec3_from(a + 6)}};
}

/// Ensures: every vertex of the list is in the node's block or among its ellipsoids.
static void copy(
  const vouch_geometry_t * g, uint32_t number, const kernel_node_t * node, kernel_derived_t * d)
{
  uint32_t count, size = node->hull_size, rounds = 0, used = 0;
  const uint32_t * list = kernel_list(g, number, &count);
  double * x = d->hulls + node->hull;
  for (uint32_t i = 0; i < count; i++) {
    const double * v = g->vertices[list[i]], * axes = vouch_geometry_round(g, list[i]);
    if (axes != NULL && node->round_count > 0) {
      copy_round(&d->rounds[node->round + rounds++], v, axes);
      continue;
    }
    x[used] = v[0];
    x[size + used] = v[1];
    x[2u * size + used++] = v[2];
  }
  for (; used > 0 && used < size; used++) {
    x[used] = x[used - 1u];
    x[size + used] = x[size + used - 1u];
    x[2u * size + used] = x[2u * size + used - 1u];
  }
  if (node->coarse < size) {
    kernel_order_hull(x, size);
  }
}

/// [K-SUPPORT] Ensures:  every list has a block of its own, with all of its vertices (copy()); none
///           is empty.
vouch_ret_t kernel_derive_lists(const vouch_geometry_t * g, kernel_derived_t * d)
{
  size_t doubles = 0, rounds = 0;
  for (uint32_t i = g->node_count; i-- > 0; ) {
    kernel_node_t * node = &d->nodes[i];
    uint32_t count;
    (void)kernel_list(g, i, &count);
    if (count == 0) {
      return vouch_fail(VOUCH_RET_INVALID, "node %u of a geometry has no vertices", i);
    }
    measure(g, i, node);
    if (node->hull != KERNEL_NO_HULL) {
      node->hull = (uint32_t)doubles;
      node->round = (uint32_t)rounds;
      doubles += 3u * (size_t)node->hull_size;
      rounds += node->round_count;
    }
  }
  if (doubles >= KERNEL_NO_HULL || rounds >= UINT32_MAX) {
    return VOUCH_RET_NO_MEMORY;
  }
  d->hulls = vouch_calloc(&d->allocator, doubles, sizeof(*d->hulls));
  d->rounds = vouch_calloc(&d->allocator, rounds, sizeof(*d->rounds));
  if (d->hulls == NULL || d->rounds == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (uint32_t i = 0; i < g->node_count; i++) {
    if (d->nodes[i].hull != KERNEL_NO_HULL) {
      copy(g, i, &d->nodes[i], d);
    }
  }
  return VOUCH_RET_OK;
}
