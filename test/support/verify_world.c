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

/* What the problems of the verifier's tests are made of: geometries, bodies, one joint. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/verify_writer.h"

const double w_identity[7] = {0, 0, 0, 1, 0, 0, 0};

w_geometry * w_new_geometry(w_problem * p)
{
  w_geometry * g = calloc(1, sizeof(*g));
  if (g == NULL) {abort();}
  p->geometry[p->geometries++] = g;
  return g;
}

w_geometry * w_hull(w_problem * p, const double(*v)[3], int n, double radius)
{
  w_geometry * g = w_new_geometry(p);
  for (int i = 0; i < n; i++) {
    memcpy(g->vertex[i], v[i], sizeof(g->vertex[i]));
    g->index[i] = (uint32_t)i;
  }
  g->vertices = g->indices = n;
  g->primitives = g->components = g->nodes = 1;
  g->primitive[0] = (w_primitive) {2, 0, 0, (uint32_t)n, radius};
  g->component[0] = 3;
  g->node[0] = (w_node) {0, 1, 0, 0, 0, 0};
  return g;
}

w_geometry * w_sphere(w_problem * p, double radius)
{
  const double zero[1][3] = {{0, 0, 0}};
  return w_hull(p, zero, 1, radius);
}

w_geometry * w_box(w_problem * p, double x, double y, double z)
{
  double v[8][3];
  for (int i = 0; i < 8; i++) {
    v[i][0] = i & 1 ? x : -x;
    v[i][1] = i & 2 ? y : -y;
    v[i][2] = i & 4 ? z : -z;
  }
  return w_hull(p, (const double(*)[3])v, 8, 0.0);
}

w_geometry * w_curved(
  w_problem * p, uint32_t kind, const double pose[7], const double size[3], double radius)
{
  w_geometry * g = w_new_geometry(p);
  memcpy(g->curve[0], pose, 7 * sizeof(double));
  memcpy(g->curve[0] + 7, size, 3 * sizeof(double));
  g->curved = g->primitives = g->components = g->nodes = 1;
  g->primitive[0] = (w_primitive) {kind, 0, 0, 1, radius};
  g->component[0] = 3;
  g->node[0] = (w_node) {0, 1, 0, 0, 0, 0};
  return g;
}

void w_add_mesh(
  w_geometry * g, const double(*v)[3], int vertices, const uint32_t(*t)[3], int triangles,
  uint8_t kind)
{
  const uint32_t base = (uint32_t)g->vertices;
  for (int i = 0; i < vertices; i++) {
    memcpy(g->vertex[g->vertices++], v[i], 3 * sizeof(double));
  }
  for (int i = 0; i < triangles; i++) {
    g->primitive[g->primitives++] =
      (w_primitive) {1, (uint32_t)g->components, (uint32_t)g->indices, 3, 0.0};
    for (int j = 0; j < 3; j++) {
      g->index[g->indices++] = base + t[i][j];
    }
  }
  g->component[g->components++] = kind;
}

void w_add_box_mesh(
  w_geometry * g, const double centre[3], const double half[3], uint8_t kind)
{
  static const uint32_t t[12][3] = {
    {0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}
  };
  double v[8][3];
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j < 3; j++) {
      v[i][j] = centre[j] + ((i >> j) & 1 ? half[j] : -half[j]);
    }
  }
  w_add_mesh(g, (const double(*)[3])v, 8, t, 12, kind);
}

// A tree over `count` primitives from `first` on: node, left tree, right tree. Nodes that cover at
// least `keep` primitives keep all the vertices of their primitives (each once, at most 128).
static uint32_t w_subtree(w_geometry * g, uint32_t first, uint32_t count, int keep)
{
  const uint32_t number = (uint32_t)g->nodes++;
  w_node n = {first, count, 0, 0, (uint32_t)g->kept, 0};
  for (uint32_t k = first; count > 1 && (int)count >= keep && k < first + count; k++) {
    for (uint32_t j = 0; j < g->primitive[k].count; j++) {
      const uint32_t vertex = g->index[g->primitive[k].first + j];
      int known = 0;
      for (uint32_t m = 0; m < n.kept_count; m++) {
        known = known || g->kept_index[n.kept_first + m] == vertex;
      }
      if (!known) {
        g->kept_index[g->kept++] = vertex;
        n.kept_count++;
      }
    }
  }
  if (count > 1) {
    n.left = w_subtree(g, first, count / 2, keep);
    n.right = w_subtree(g, first + count / 2, count - count / 2, keep);
  }
  g->node[number] = n;
  return number;
}

void w_tree(w_geometry * g, int keep)
{
  g->nodes = 0;
  (void)w_subtree(g, 0, (uint32_t)g->primitives, keep);
}

void w_force_twin(w_geometry * g, uint32_t edge, uint32_t twin)
{
  g->forced_edge[g->forced] = edge;
  g->forced_twin[g->forced++] = twin;
}

w_problem * w_one_joint(uint32_t joint, const double axis[3], double q0, double q1)
{
  w_problem * p = calloc(1, sizeof(*p));
  if (p == NULL) {abort();}
  p->frames = 2;
  memcpy(p->frame[0].pose, w_identity, sizeof(w_identity));
  memcpy(p->frame[1].pose, w_identity, sizeof(w_identity));
  p->frame[1].joint = joint;
  memcpy(p->frame[1].axis, axis, 3 * sizeof(double));
  p->frame[1].multiplier = 1.0;
  p->variables = 1;
  p->segments = 1;
  p->knot[1] = p->second[1] = 1.0;
  p->segment[0] = (w_segment) {1, {q0, q1}};
  return p;
}

void w_add_body(
  w_problem * p, uint32_t frame, uint32_t geometry, double x, double y,
  double z)
{
  w_body * b = &p->body[p->bodies++];
  b->frame = frame;
  b->geometry = geometry;
  memcpy(b->placement, w_identity, sizeof(w_identity));
  b->placement[4] = x;
  b->placement[5] = y;
  b->placement[6] = z;
}

void w_add_plane(
  w_problem * p, uint32_t kind, double x, double y, double z,
  double offset)
{
  w_body * b = &p->body[p->bodies++];
  // The turn that takes the z axis to (x, y, z), z > -1; half a turn about x for z = -1.
  const double down[4] = {1, 0, 0, 0}, turn[4] = {-y, x, 0, 1 + z};
  const double size = sqrt(y * y + x * x + (1 + z) * (1 + z));
  b->kind = kind;
  b->geometry = W_NONE;
  for (int i = 0; i < 4; i++) {
    b->placement[i] = size > 0 ? turn[i] / size : down[i];
  }
  b->placement[4] = x * offset;
  b->placement[5] = y * offset;
  b->placement[6] = z * offset;
}

void w_free_problem(w_problem * p)
{
  for (int i = 0; i < p->geometries; i++) {
    free(p->geometry[i]);
  }
  free(p);
}
