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

/* A point with a ball around it: a circle in every view. */
static vouch_ret_t push_ball(
  vouch_outline_t * o, const vouch_view_t * view, vec3_t centre, double radius)
{
  if (!(radius > 0.0)) {
    return push_scratch(o, view, centre);
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  for (int k = 0; k < CIRCLE && ret == VOUCH_RET_OK; k++) {
    double angle = 6.283185307179586 * k / CIRCLE;
    vec3_t side = vec3_add(
      vec3_scale(view->right, radius * cos(angle)), vec3_scale(view->up, radius * sin(angle)));
    ret = push_scratch(o, view, vec3_add(centre, side));
  }
  return ret;
}

/* Rings of points on a curved primitive: the rims of a cylinder, base and tip of a cone, circles of
 * latitude of an ellipsoid. */
static vouch_ret_t push_curved(
  vouch_outline_t * o, const vouch_view_t * view, const vouch_curved_t * curved, uint8_t kind,
  double radius, const rigid_t * pose)
{
  rigid_t local = rigid_from_pose(&curved->pose);
  rigid_t world = rigid_mul(pose, &local);
  int rings = kind == VOUCH_PRIMITIVE_ELLIPSOID ? 13 : 2;
  vouch_ret_t ret = VOUCH_RET_OK;
  for (int k = 0; k < rings * CIRCLE && ret == VOUCH_RET_OK; k++) {
    double angle = 6.283185307179586 * (k % CIRCLE) / CIRCLE;
    double height = 2.0 * (k / CIRCLE) / (rings - 1) - 1.0;
    double width = 1.0;
    vec3_t size = vec3(curved->size[0], curved->size[0], curved->size[1]);
    if (kind == VOUCH_PRIMITIVE_ELLIPSOID) {
      size = vec3_from(curved->size);
      width = sqrt(fmax(0.0, 1.0 - height * height));
    } else if (kind == VOUCH_PRIMITIVE_CONE && height > 0.0) {
      width = 0.0;
    }
    vec3_t p = vec3(size.x * width * cos(angle), size.y * width * sin(angle), size.z * height);
    ret = push_ball(o, view, rigid_apply(&world, p), radius);
  }
  return ret;
}

static vouch_ret_t push_primitive(
  vouch_outline_t * o, const vouch_view_t * view, const vouch_geometry_t * g,
  const vouch_primitive_t * primitive, const rigid_t * pose)
{
  if (primitive->kind != VOUCH_PRIMITIVE_TRIANGLE && primitive->kind != VOUCH_PRIMITIVE_HULL) {
    return push_curved(
      o, view, &g->curved[primitive->first], primitive->kind, primitive->radius, pose);
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  for (uint32_t i = 0; i < primitive->count && ret == VOUCH_RET_OK; i++) {
    vec3_t p = vec3_from(g->vertices[g->indices[primitive->first + i]]);
    ret = push_ball(o, view, rigid_apply(pose, p), primitive->radius);
  }
  return ret;
}

/* One tree node as one polygon: by its kept vertices where it has them. */
static vouch_ret_t add_node(
  vouch_outline_t * o, const vouch_view_t * view, const vouch_geometry_t * g, uint32_t node,
  const rigid_t * pose)
{
  const vouch_tree_node_t * n = &g->nodes[node];
  vouch_ret_t ret = VOUCH_RET_OK;
  if (n->kept_count > 0) {
    for (uint32_t i = 0; i < n->kept_count && ret == VOUCH_RET_OK; i++) {
      vec3_t p = vec3_from(g->vertices[g->kept[n->kept_first + i]]);
      ret = push_scratch(o, view, rigid_apply(pose, p));
    }
  } else {
    for (uint32_t i = 0; i < n->count && ret == VOUCH_RET_OK; i++) {
      ret = push_primitive(o, view, g, &g->primitives[n->first + i], pose);
    }
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
