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

/* Triangles for the eye. Facets of hulls: Qhull (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The
 * Quickhull algorithm for convex hulls", ACM TOMS 22(4), 1996). */

#include "report/shown_mesh.h"

#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdio.h>

#include "geometry/vec.h"

/* A ball is a hull of so many circles of so many points: 230 triangles, smooth enough for one
 * link and few enough for a robot of a thousand balls. */
#define CIRCLES 8
#define AROUND 16

/* Parts that show what has too many triangles, at most. */
#define MOST_PARTS 512u

void vouch_shown_mesh_fini(vouch_shown_mesh_t * m)
{
  vouch_free(&m->allocator, m->points);
  vouch_free(&m->allocator, m->triangles);
  vouch_free(&m->allocator, m->cloud);
  vouch_free(&m->allocator, m->numbers);
  *m = (vouch_shown_mesh_t) {.allocator = m->allocator};
}

static vouch_ret_t push_point(vouch_shown_mesh_t * m, const double p[3])
{
  if (!vouch_grow(
      &m->allocator, &m->points, m->point_count, &m->point_capacity, sizeof(*m->points)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  for (int k = 0; k < 3; k++) {
    m->points[m->point_count][k] = (float)p[k];
  }
  m->point_count++;
  return VOUCH_RET_OK;
}

static vouch_ret_t push_triangle(vouch_shown_mesh_t * m, uint32_t a, uint32_t b, uint32_t c)
{
  if (!vouch_grow(
      &m->allocator, &m->triangles, m->triangle_count, &m->triangle_capacity,
      sizeof(*m->triangles)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  uint32_t * triangle = m->triangles[m->triangle_count++];
  triangle[0] = a;
  triangle[1] = b;
  triangle[2] = c;
  return VOUCH_RET_OK;
}

static vouch_ret_t push_cloud(vouch_shown_mesh_t * m, vec3_t p)
{
  if (!vouch_grow(
      &m->allocator, &m->cloud, m->cloud_count, &m->cloud_capacity, sizeof(*m->cloud)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  vec3_store(p, m->cloud[m->cloud_count++]);
  return VOUCH_RET_OK;
}

/* A vertex, or points all over the ellipsoid (disc, ball) around it. */
static vouch_ret_t push_vertex(
  vouch_shown_mesh_t * m, const vouch_geometry_t * g, uint32_t number)
{
  vec3_t centre = vec3_from(g->vertices[number]);
  const double * half = vouch_geometry_round(g, number);
  if (half == NULL) {
    return push_cloud(m, centre);
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  for (int i = 0; i <= CIRCLES; i++) {
    const double polar = 3.14159265358979 * i / CIRCLES;
    const int around = i == 0 || i == CIRCLES ? 1 : AROUND;
    for (int k = 0; k < around && ret == VOUCH_RET_OK; k++) {
      const double angle = 6.28318530717959 * k / AROUND;
      const double u[3] = {sin(polar) * cos(angle), sin(polar) * sin(angle), cos(polar)};
      vec3_t p = centre;
      for (int axis = 0; axis < 3; axis++) {
        p = vec3_add(p, vec3_scale(vec3_from(half + 3 * axis), u[axis]));
      }
      ret = push_cloud(m, p);
    }
  }
  return ret;
}

/* Facets turn clockwise or not as `toporient` says. */
static vouch_ret_t push_facets(vouch_shown_mesh_t * m, qhT * qh)
{
  const uint32_t first = (uint32_t)m->point_count;
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; i < m->cloud_count && ret == VOUCH_RET_OK; i++) {
    ret = push_point(m, m->cloud[i]);
  }
  for (facetT * facet = qh->facet_list; facet && facet->next; facet = facet->next) {
    uint32_t corner[3] = {0, 0, 0};
    int count = 0;
    for (vertexT ** at = SETaddr_(facet->vertices, vertexT); *at && count < 3; at++) {
      corner[count++] = first + (uint32_t)qh_pointid(qh, (*at)->point);
    }
    if (count == 3 && ret == VOUCH_RET_OK) {
      ret = facet->toporient ? push_triangle(m, corner[1], corner[0], corner[2]) :
        push_triangle(m, corner[0], corner[1], corner[2]);
    }
  }
  return ret;
}

/* The hull of the cloud; flat ones are made a little thick ("QJ"). What has no hull is not shown. */
static vouch_ret_t push_hull(vouch_shown_mesh_t * m)
{
  static char plain[] = "qhull Qt Pp", joggled[] = "qhull QJ Pp";
  vouch_ret_t ret = VOUCH_RET_OK;
  FILE * nowhere = m->cloud_count >= 4 ? fopen("/dev/null", "w") : NULL;
  bool done = nowhere == NULL;
  for (int attempt = 0; attempt < 2 && !done; attempt++) {
    qhT qh;
    qh_zero(&qh, nowhere);
    done = qh_new_qhull(
      &qh, 3, (int)m->cloud_count, m->cloud[0], False, attempt == 0 ? plain : joggled, nowhere,
      nowhere) == 0;
    if (done) {
      ret = push_facets(m, &qh);
    }
    int large, total;
    qh_freeqhull(&qh, !qh_ALL);
    qh_memfreeshort(&qh, &large, &total);
  }
  if (nowhere) {
    fclose(nowhere);
  }
  m->cloud_count = 0;
  return ret;
}

static vouch_ret_t push_list(
  vouch_shown_mesh_t * m, const vouch_geometry_t * g, const uint32_t * list, uint32_t count)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  m->cloud_count = 0;
  for (uint32_t i = 0; i < count && ret == VOUCH_RET_OK; i++) {
    ret = push_vertex(m, g, list[i]);
  }
  return ret == VOUCH_RET_OK ? push_hull(m) : ret;
}

static vouch_ret_t push_primitive(
  vouch_shown_mesh_t * m, const vouch_geometry_t * g, uint32_t number)
{
  const vouch_primitive_t * primitive = &g->primitives[number];
  const uint32_t * list = g->indices + primitive->first;
  bool plain = primitive->kind == VOUCH_PRIMITIVE_TRIANGLE;
  for (uint32_t i = 0; i < primitive->count && plain; i++) {
    plain = vouch_geometry_round(g, list[i]) == NULL;
  }
  if (!plain) {
    return push_list(m, g, list, primitive->count);
  }
  uint32_t corner[3];
  vouch_ret_t ret = VOUCH_RET_OK;
  for (int i = 0; i < 3 && ret == VOUCH_RET_OK; i++) {
    uint32_t * own = &m->numbers[list[i]];
    if (*own == VOUCH_NONE) {
      *own = (uint32_t)m->point_count;
      ret = push_point(m, g->vertices[list[i]]);
    }
    corner[i] = *own;
  }
  return ret == VOUCH_RET_OK ? push_triangle(m, corner[0], corner[1], corner[2]) : ret;
}

/* About how many triangles push_primitive() makes. */
static size_t cost_of(const vouch_geometry_t * g, uint32_t number)
{
  const vouch_primitive_t * primitive = &g->primitives[number];
  if (primitive->kind == VOUCH_PRIMITIVE_TRIANGLE) {
    return 1;
  }
  size_t points = 0;
  for (uint32_t i = 0; i < primitive->count; i++) {
    points += vouch_geometry_round(g, g->indices[primitive->first + i]) ? CIRCLES * AROUND : 1u;
  }
  return 2u * points;
}

/* Nodes of the tree instead of what is below them: always the one with the most primitives is halved
 * next. */
static vouch_ret_t push_parts(vouch_shown_mesh_t * m, const vouch_geometry_t * g, size_t parts)
{
  uint32_t shown[MOST_PARTS] = {0};
  size_t count = 1;
  parts = parts < MOST_PARTS ? parts : MOST_PARTS;
  while (count < parts) {
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
      const vouch_tree_node_t * node = &g->nodes[shown[i]];
      if (node->left != 0 && (best == count || node->count > g->nodes[shown[best]].count)) {
        best = i;
      }
    }
    if (best == count) {
      break;
    }
    shown[count++] = g->nodes[shown[best]].right;
    shown[best] = g->nodes[shown[best]].left;
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; i < count && ret == VOUCH_RET_OK; i++) {
    const vouch_tree_node_t * node = &g->nodes[shown[i]];
    ret = node->left == 0 ? push_primitive(m, g, node->first) :
      push_list(m, g, g->kept + node->kept_first, node->kept_count);
  }
  return ret;
}

vouch_ret_t vouch_shown_mesh_build(
  vouch_shown_mesh_t * m, const vouch_geometry_t * g, size_t most)
{
  m->point_count = m->triangle_count = m->cloud_count = 0;
  m->coarse = false;
  if (m->number_capacity < g->vertex_count) {
    uint32_t * numbers = vouch_realloc(
      &m->allocator, m->numbers, g->vertex_count, sizeof(*numbers));
    if (!numbers) {
      return VOUCH_RET_NO_MEMORY;
    }
    m->numbers = numbers;
    m->number_capacity = g->vertex_count;
  }
  for (uint32_t i = 0; i < g->vertex_count; i++) {
    m->numbers[i] = VOUCH_NONE;
  }
  size_t cost = 0;
  for (uint32_t i = 0; i < g->primitive_count; i++) {
    cost += cost_of(g, i);
  }
  if (cost > most && g->node_count > 1) {
    m->coarse = true;
    return push_parts(m, g, most / 200u + 1u);
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  for (uint32_t i = 0; i < g->primitive_count && ret == VOUCH_RET_OK; i++) {
    ret = push_primitive(m, g, i);
  }
  return ret;
}

vouch_ret_t vouch_shown_mesh_hull(
  vouch_shown_mesh_t * m, const double(*points)[3], size_t count)
{
  m->point_count = m->triangle_count = m->cloud_count = 0;
  m->coarse = false;
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; i < count && ret == VOUCH_RET_OK; i++) {
    ret = push_cloud(m, vec3_from(points[i]));
  }
  return ret == VOUCH_RET_OK ? push_hull(m) : ret;
}
