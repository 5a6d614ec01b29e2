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

/* Silhouettes for pictures. Round parts are shown by CIRCLE directions; nothing is proved here. */

#include "report/outline.h"

#include <stdlib.h>

#include "base/memory.h"

#define CIRCLE 24
#define MAX_PIECES 32

void vouch_outline_fini(vouch_outline_t * outline)
{
  vouch_free(&outline->allocator, outline->points);
  vouch_free(&outline->allocator, outline->ends);
  vouch_free(&outline->allocator, outline->scratch);
  *outline = (vouch_outline_t) {.allocator = outline->allocator};
}

void vouch_outline_clear(vouch_outline_t * outline)
{
  outline->point_count = 0;
  outline->polygon_count = 0;
}

static vouch_ret_t push(
  const vouch_allocator_t * allocator, vouch_point2_t ** points, size_t * count, size_t * capacity,
  vouch_point2_t p)
{
  if (!vouch_grow(allocator, points, *count, capacity, sizeof(**points))) {
    return VOUCH_RET_NO_MEMORY;
  }
  (*points)[(*count)++] = p;
  return VOUCH_RET_OK;
}

static vouch_ret_t push_scratch(vouch_outline_t * o, const vouch_view_t * view, vec3_t p)
{
  vouch_point2_t q = {vec3_dot(p, view->right), vec3_dot(p, view->up)};
  return push(&o->allocator, &o->scratch, &o->scratch_count, &o->scratch_capacity, q);
}

static int compare_points(const void * left, const void * right)
{
  const vouch_point2_t * a = left, * b = right;
  if (a->x != b->x) {
    return a->x < b->x ? -1 : 1;
  }
  return a->y < b->y ? -1 : a->y > b->y;
}

static double turn(vouch_point2_t a, vouch_point2_t b, vouch_point2_t c)
{
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Convex hull of the scratch points (Andrew 1979, monotone chain), appended as a polygon. */
static vouch_ret_t close_polygon(vouch_outline_t * o)
{
  size_t n = o->scratch_count, begin = o->point_count;
  vouch_ret_t ret = VOUCH_RET_OK;
  if (n == 0) {
    return ret;
  }
  qsort(o->scratch, n, sizeof(*o->scratch), compare_points);
  for (int half = 0; half < 2; half++) {
    size_t low = o->point_count;
    for (size_t k = 0; k < n && ret == VOUCH_RET_OK; k++) {
      vouch_point2_t p = o->scratch[half ? n - 1 - k : k];
      while (o->point_count >= low + 2 &&
        turn(o->points[o->point_count - 2], o->points[o->point_count - 1], p) <= 1e-12)
      {
        o->point_count--;
      }
      ret = push(&o->allocator, &o->points, &o->point_count, &o->point_capacity, p);
    }
    if (o->point_count > begin + 1) {
      o->point_count--;   // the last point of one half is the first of the other
    }
  }
  o->scratch_count = 0;
  if (ret == VOUCH_RET_OK &&
    !vouch_grow(
      &o->allocator, &o->ends, o->polygon_count, &o->polygon_capacity, sizeof(*o->ends)))
  {
    ret = VOUCH_RET_NO_MEMORY;
  }
  if (ret == VOUCH_RET_OK) {
    o->ends[o->polygon_count++] = o->point_count;
  }
  return ret;
}

/* A vertex: a point, or the outline of the ellipsoid around it. */
static vouch_ret_t push_vertex(
  vouch_outline_t * o, const vouch_view_t * view, const vouch_geometry_t * g, uint32_t number,
  const rigid_t * pose)
{
  vec3_t centre = rigid_apply(pose, vec3_from(g->vertices[number]));
  const double * half = vouch_geometry_round(g, number);
  if (half == NULL) {
    return push_scratch(o, view, centre);
  }
  vec3_t a = mat3_mul_vec(&pose->rotation, vec3_from(half));
  vec3_t b = mat3_mul_vec(&pose->rotation, vec3_from(half + 3));
  vec3_t c = mat3_mul_vec(&pose->rotation, vec3_from(half + 6));
  vouch_ret_t ret = VOUCH_RET_OK;
  for (int k = 0; k < CIRCLE && ret == VOUCH_RET_OK; k++) {
    double angle = 6.283185307179586 * k / CIRCLE;
    vec3_t d = vec3_add(
      vec3_scale(view->right, cos(angle)), vec3_scale(view->up, sin(angle)));
    vec3_t u = vec3_unit(
      vec3(vec3_dot(d, a), vec3_dot(d, b), vec3_dot(d, c)), vec3(0.0, 0.0, 0.0));
    vec3_t farthest = vec3_add(
      vec3_add(vec3_scale(a, u.x), vec3_scale(b, u.y)), vec3_scale(c, u.z));
    ret = push_scratch(o, view, vec3_add(centre, farthest));
  }
  return ret;
}

/* One tree node as one polygon, by the vertices of its list. */
static vouch_ret_t add_node(
  vouch_outline_t * o, const vouch_view_t * view, const vouch_geometry_t * g, uint32_t node,
  const rigid_t * pose)
{
  const vouch_tree_node_t * n = &g->nodes[node];
  const vouch_primitive_t * primitive = &g->primitives[n->first];
  const uint32_t * list =
    n->left != 0 ? g->kept + n->kept_first : g->indices + primitive->first;
  uint32_t count = n->left != 0 ? n->kept_count : primitive->count;
  vouch_ret_t ret = VOUCH_RET_OK;
  for (uint32_t i = 0; i < count && ret == VOUCH_RET_OK; i++) {
    ret = push_vertex(o, view, g, list[i], pose);
  }
  return ret == VOUCH_RET_OK ? close_polygon(o) : ret;
}

/* Different convex shapes of one link are never hulled together, whatever the limit says. */
static bool must_split(const vouch_geometry_t * g, const vouch_tree_node_t * node)
{
  return node->left != 0 &&
         (g->components[g->primitives[node->first].component] == VOUCH_COMPONENT_CONVEX ||
         g->components[g->primitives[node->first + node->count - 1].component] ==
         VOUCH_COMPONENT_CONVEX);
}

vouch_ret_t vouch_outline_add(
  vouch_outline_t * outline, const vouch_geometry_t * geometry, const rigid_t * pose,
  const vouch_view_t * view, size_t pieces)
{
  uint32_t shown[MAX_PIECES] = {0};
  size_t count = 1;
  pieces = pieces < MAX_PIECES ? pieces : MAX_PIECES;
  while (count < MAX_PIECES) {
    size_t best = MAX_PIECES;
    for (size_t i = 0; i < count; i++) {
      const vouch_tree_node_t * node = &geometry->nodes[shown[i]];
      bool wanted = node->left != 0 && (count < pieces || must_split(geometry, node));
      if (wanted && (best == MAX_PIECES || node->count > geometry->nodes[shown[best]].count)) {
        best = i;
      }
    }
    if (best == MAX_PIECES) {
      break;
    }
    shown[count++] = geometry->nodes[shown[best]].right;
    shown[best] = geometry->nodes[shown[best]].left;
  }
  for (size_t i = 0; i < count; i++) {
    vouch_ret_t ret = add_node(outline, view, geometry, shown[i], pose);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  return VOUCH_RET_OK;
}
