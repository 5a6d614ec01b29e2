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

#include "kernel/derived.h"

#include <math.h>

#include "base/error.h"
#include "base/fpguard.h"
#include "kernel/boxes.h"

/* Every length computed here comes from at most a few dozen operations on numbers of magnitude M,
 * so it is off by less than 2^-46 M; SLACK covers that and leaves the verifier room. */
#define RELATIVE (1.0 + 0x1p-40)
#define SLACK 0x1p-44

static double largest(vec3_t a)
{
  return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
}

static vec3_t vertex(const vouch_geometry_t * geometry, uint32_t number)
{
  return vec3_from(geometry->vertices[number]);
}

/// While a geometry is derived.
typedef struct work_s
{
  const vouch_geometry_t * g;
  kernel_derived_t * d;
  double * sizes;       // per round vertex
  double * carries;     // per node
  uint32_t * marks;     // per vertex: one more than the node that keeps it, of those looked at last
} work_t;

/// [L6] Ensures: |sum u_i a_i| <= the result for all |u| <= 1.
/// Why:      the square is at most the largest eigenvalue of the products a_i.a_j, and
///           that at most the largest sum of a row's magnitudes; underflow takes less than 2^-500.
static double size_of_round(const double axes[9])
{
  double most = 0.0;
  for (int i = 0; i < 3; i++) {
    double sum = 0.0;
    for (int j = 0; j < 3; j++) {
      sum += fabs(vec3_dot(vec3_from(axes + 3 * i), vec3_from(axes + 3 * j)));
    }
    if (!(sum <= 9.0 * VOUCH_MAX_COORDINATE * VOUCH_MAX_COORDINATE * RELATIVE)) {
      return INFINITY;
    }
    most = fmax(most, sum);
  }
  return sqrt(most) * RELATIVE + 0x1p-500;
}

/// [L6] Ensures:  no point that the vertex stands for is further from its centre.
static double size_of(const work_t * w, uint32_t number)
{
  const uint32_t plain = w->g->vertex_count - w->g->round_count;
  return number < plain ? 0.0 : w->sizes[number - plain];
}

/// [L6] Requires: weights >= 0 that sum to at most 1.
/// Ensures: |p - sum w v| <= the result, or the result is infinite.
static double witness_error(
  const vouch_geometry_t * g, const vouch_tree_node_t * node, const vouch_witness_t * witness,
  vec3_t p)
{
  double w[4] = {(double)witness->weight[0], (double)witness->weight[1],
    (double)witness->weight[2], 0.0};
  w[3] = 1.0 - (w[0] + w[1] + w[2]);
  vec3_t sum = vec3(0.0, 0.0, 0.0);
  double magnitude = largest(p);
  for (int i = 0; i < 4; i++) {
    if (!(w[i] >= 0.0 && w[i] <= 1.0) || witness->index[i] >= node->kept_count) {
      return INFINITY;
    }
    vec3_t v = vertex(g, g->kept[node->kept_first + witness->index[i]]);
    magnitude = fmax(magnitude, largest(v));
    sum = vec3_add(sum, vec3_scale(v, w[i]));
  }
  return vec3_norm(vec3_sub(p, sum)) * RELATIVE + SLACK * magnitude;
}

/// [L6] Requires: the children's carries are known; their sizes are.
/// Ensures:  the hull of what the node keeps, plus a ball of its carry, contains its children's.
/// Why:      a point that is kept is in the hull; one that is not is as far from it as its witness
///           shows, and what it stands for as much farther as its size and its child's carry. A
///           witness that is none refuses the geometry.
static vouch_ret_t set_carry(work_t * w, uint32_t number)
{
  const vouch_geometry_t * g = w->g;
  const vouch_tree_node_t * node = &g->nodes[number];
  const uint32_t children[2] = {node->left, node->right};
  uint32_t witness = node->witness_first, count;
  double carry = 0.0;
  for (uint32_t i = 0; i < node->kept_count; i++) {
    w->marks[g->kept[node->kept_first + i]] = number + 1u;
  }
  for (int c = 0; c < 2; c++) {
    const uint32_t * list = kernel_list(g, children[c], &count);
    carry = fmax(carry, w->carries[children[c]]);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t its = witness++;
      if (w->marks[list[i]] == number + 1u) {
        continue;
      }
      double error = its >= g->witness_count ? INFINITY :
        witness_error(g, node, &g->witnesses[its], vertex(g, list[i]));
      if (!(error < VOUCH_MAX_COORDINATE)) {
        return vouch_fail(
          VOUCH_RET_INVALID, "hull witness of node %u is no convex combination", number);
      }
      double more = (error + size_of(w, list[i])) * RELATIVE + w->carries[children[c]];
      carry = fmax(carry, more * RELATIVE);
    }
  }
  w->carries[number] = carry;
  return VOUCH_RET_OK;
}

/// [L4] Ensures:  no point that the list stands for is further from the centre.
static double list_radius(
  const work_t * w, const uint32_t * list, uint32_t count, vec3_t center)
{
  double radius = 0.0, magnitude = largest(center);
  for (uint32_t i = 0; i < count; i++) {
    vec3_t p = vertex(w->g, list[i]);
    radius = fmax(radius, vec3_norm(vec3_sub(p, center)) + size_of(w, list[i]));
    magnitude = fmax(magnitude, largest(p));
  }
  return radius * RELATIVE + SLACK * magnitude;
}

/// [K-NODE] Requires: the node's carry and its children's boxes are known.
/// Ensures:  the ball contains the node's set.
/// Why:      any centre will do; the radius reaches every point of the list with its size, and the
///           carry is on top. The root's is around vertex 0, as that of [L4] is.
static void set_ball(work_t * w, uint32_t number)
{
  const vouch_tree_node_t * tree = &w->g->nodes[number];
  kernel_node_t * node = &w->d->nodes[number];
  uint32_t count;
  const uint32_t * list = kernel_list(w->g, number, &count);
  vec3_t low, high;
  kernel_list_box(w->g, list, count, &low, &high);
  node->center = number == 0 ? vertex(w->g, 0) : vec3_scale(vec3_add(low, high), 0.5);
  node->radius = (list_radius(w, list, count, node->center) + w->carries[number]) * RELATIVE;
  kernel_set_box(node, low, high, w->carries[number]);
  if (w->g->round_count > 0 && tree->left != 0) {
    kernel_join_boxes(node, &w->d->nodes[tree->left], &w->d->nodes[tree->right]);
  }
}

static void derived_free(void * pointer)
{
  kernel_derived_t * derived = pointer;
  vouch_allocator_t allocator = derived->allocator;
  vouch_free(&allocator, derived->nodes);
  vouch_free(&allocator, derived->hulls);
  vouch_free(&allocator, derived->rounds);
  vouch_free(&allocator, derived->solids);
  vouch_free(&allocator, derived->references);
  vouch_free(&allocator, derived);
}

/// [L4] Ensures:  the ball around vertex 0 contains everything; no point is further from the origin
///           than `extent`.
/// Why:      it reaches every vertex with its size, whether a list has it or not.
static void set_radius(work_t * w)
{
  vec3_t center = vertex(w->g, 0);
  for (uint32_t i = 0; i < w->g->vertex_count; i++) {
    w->d->radius = fmax(w->d->radius, list_radius(w, &i, 1, center));
  }
  w->d->extent = vec3_norm(center) + w->d->radius;
}

/// [K-NODE] Ensures:  epsilon and ball of every node.
/// Why:      carries need those of the children, which have larger numbers.
static vouch_ret_t fill_nodes(work_t * w)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (uint32_t i = 0; i < w->g->round_count; i++) {
    w->sizes[i] = size_of_round(w->g->rounds[i]);
    if (!(w->sizes[i] < INFINITY)) {
      return vouch_fail(VOUCH_RET_INVALID, "half-axes %u of a geometry are not finite", i);
    }
  }
  for (uint32_t i = w->g->node_count; i-- > 0 && ret == VOUCH_RET_OK; ) {
    ret = w->g->nodes[i].left != 0 ? set_carry(w, i) : VOUCH_RET_OK;
    w->d->nodes[i].epsilon += w->carries[i];
    set_ball(w, i);
  }
  set_radius(w);
  return ret;
}

static vouch_ret_t derive_nodes(const vouch_geometry_t * g, kernel_derived_t * d)
{
  work_t w = {.g = g, .d = d};
  w.sizes = vouch_calloc(&d->allocator, g->round_count, sizeof(*w.sizes));
  w.carries = vouch_calloc(&d->allocator, g->node_count, sizeof(*w.carries));
  w.marks = vouch_calloc(&d->allocator, g->vertex_count, sizeof(*w.marks));
  vouch_ret_t ret = w.sizes == NULL || w.carries == NULL || w.marks == NULL ?
    VOUCH_RET_NO_MEMORY : fill_nodes(&w);
  vouch_free(&d->allocator, w.sizes);
  vouch_free(&d->allocator, w.carries);
  vouch_free(&d->allocator, w.marks);
  return ret;
}

vouch_ret_t kernel_derive(vouch_geometry_t * geometry, vouch_allocator_t allocator)
{
  if (geometry->derived != NULL) {
    return VOUCH_RET_OK;
  }
  kernel_derived_t * d = vouch_calloc(&allocator, 1, sizeof(*d));
  if (d == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  d->allocator = allocator;
  d->nodes = vouch_calloc(&allocator, geometry->node_count, sizeof(*d->nodes));
  vouch_ret_t ret = d->nodes == NULL ? VOUCH_RET_NO_MEMORY : kernel_derive_lists(geometry, d);
  ret = ret ? ret : derive_nodes(geometry, d);
  ret = ret ? ret : kernel_derive_parts(geometry, d);
  if (ret != VOUCH_RET_OK) {
    derived_free(d);
    return ret;
  }
  geometry->derived = d;
  geometry->derived_free = derived_free;
  return VOUCH_RET_OK;
}
