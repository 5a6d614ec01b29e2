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
  g->vertices = 1;
  p->geometry[p->geometries++] = g;
  return g;
}

uint32_t w_vertex(w_geometry * g, const double at[3], const double * axes)
{
  if (axes == NULL && g->rounds > 0) {abort();}
  memcpy(g->vertex[g->vertices], at, 3 * sizeof(double));
  if (axes != NULL) {memcpy(g->round[g->rounds++], axes, 9 * sizeof(double));}
  return (uint32_t)g->vertices++;
}

void w_primitive(w_geometry * g, uint32_t first, uint32_t count)
{
  w_node * n = &g->primitive[g->primitives++];
  *n = (w_node) {.count = count};
  for (uint32_t i = 0; i < count; i++) {
    n->list[i] = first + i;
  }
}

w_geometry * w_hull(w_problem * p, const double(*v)[3], int n, double radius)
{
  const double axes[9] = {radius, 0, 0, 0, radius, 0, 0, 0, radius};
  w_geometry * g = w_new_geometry(p);
  for (int i = 0; i < n; i++) {
    (void)w_vertex(g, v[i], radius > 0 ? axes : NULL);
  }
  w_primitive(g, 1, (uint32_t)n);
  w_tree(g);
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

// Column k of the rotation of the pose, times a size.
static void w_axis(const double q[7], int k, double size, double out[3])
{
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const double r[3][3] = {
    {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
    {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
    {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}
  };
  for (int i = 0; i < 3; i++) {
    out[i] = size * r[i][k];
  }
}

w_geometry * w_curved(w_problem * p, int kind, const double pose[7], const double size[3])
{
  double axes[9], up[3], ends[2][3];
  w_geometry * g = w_new_geometry(p);
  for (int k = 0; k < 3; k++) {
    w_axis(pose, k, kind == W_ELLIPSOID ? size[k] : k < 2 ? size[0] : 0, axes + 3 * k);
  }
  w_axis(pose, 2, kind == W_ELLIPSOID ? 0 : size[1], up);
  for (int i = 0; i < 3; i++) {
    ends[0][i] = pose[4 + i] + up[i];
    ends[1][i] = pose[4 + i] - up[i];
  }
  // A cone's tip is above.
  if (kind != W_ELLIPSOID) {(void)w_vertex(g, ends[0], kind == W_CONE ? NULL : axes);}
  (void)w_vertex(g, ends[1], axes);
  w_primitive(g, 1, kind == W_ELLIPSOID ? 1 : 2);
  w_tree(g);
  return g;
}

void w_add_mesh(
  w_geometry * g, const double(*v)[3], int vertices, const uint32_t(*t)[3], int triangles,
  uint32_t solid)
{
  const uint32_t base = (uint32_t)g->vertices;
  for (int i = 0; i < vertices; i++) {
    (void)w_vertex(g, v[i], NULL);
  }
  for (int i = 0; i < triangles; i++) {
    w_node * n = &g->primitive[g->primitives++];
    const int low = t[i][1] < t[i][0] ? (t[i][2] < t[i][1] ? 2 : 1) : t[i][2] < t[i][0] ? 2 : 0;
    *n = (w_node) {.count = 3, .solid = solid};
    for (int j = 0; j < 3; j++) {
      n->list[j] = base + t[i][(low + j) % 3];
    }
  }
}

void w_add_box_mesh(
  w_geometry * g, const double centre[3], const double half[3], uint32_t solid)
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
  w_add_mesh(g, (const double(*)[3])v, 8, t, 12, solid);
}

static void w_subtree(w_geometry * g, int first, int count)
{
  const int number = g->nodes++;
  w_node n = g->primitive[first];
  if (count > 1) {
    n = (w_node) {.count = 0};
    for (uint32_t vertex = 1; vertex < (uint32_t)g->vertices; vertex++) {
      bool used = false;
      for (int k = first; k < first + count; k++) {
        for (uint32_t j = 0; j < g->primitive[k].count; j++) {
          used = used || g->primitive[k].list[j] == vertex;
        }
      }
      if (used) {n.list[n.count++] = vertex;}
    }
    w_subtree(g, first, count / 2);
    n.right = (uint32_t)g->nodes;
    w_subtree(g, first + count / 2, count - count / 2);
  }
  g->node[number] = n;
}

void w_match_twins(w_geometry * g)
{
  const uint32_t edges = 3 * (uint32_t)g->nodes;
  for (int i = 0; i < g->nodes; i++) {
    memset(g->node[i].twins, 0xff, sizeof(g->node[i].twins));
  }
  for (uint32_t e = 0; e < edges; e++) {
    w_node * n = &g->node[e / 3];
    for (uint32_t f = edges; n->solid > 0 && n->twins[e % 3] == W_NONE && f-- > 0; ) {
      w_node * o = &g->node[f / 3];
      if (o->solid == n->solid && o->twins[f % 3] == W_NONE &&
        o->list[f % 3] == n->list[(e % 3 + 1) % 3] &&
        o->list[(f % 3 + 1) % 3] == n->list[e % 3])
      {
        n->twins[e % 3] = f;
        o->twins[f % 3] = e;
      }
    }
  }
}

void w_tree(w_geometry * g)
{
  g->nodes = 0;
  w_subtree(g, 0, g->primitives);
  w_match_twins(g);
}

uint32_t w_number(const w_geometry * g, uint32_t node)
{
  uint32_t leaves = 0;
  for (uint32_t i = 0; i < node; i++) {
    leaves += g->node[i].right == 0;
  }
  return leaves;
}

w_problem * w_one_joint(uint32_t joint, const double axis[3], double q0, double q1)
{
  w_problem * p = calloc(1, sizeof(*p));
  if (p == NULL) {abort();}
  p->motion_kind = 1;
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
  w_frame * b = &p->body[p->bodies++];
  b->parent = frame;
  b->geometry = geometry;
  memcpy(b->pose, w_identity, sizeof(w_identity));
  b->pose[4] = x;
  b->pose[5] = y;
  b->pose[6] = z;
}

uint32_t w_add_group(w_problem * p, uint32_t first, uint32_t count)
{
  const int number = p->groups++;
  p->group[number] = (w_group) {0, first};
  if (count > 1) {
    (void)w_add_group(p, first, count / 2);
    p->group[number] = (w_group) {(uint32_t)p->groups, W_NONE};
    (void)w_add_group(p, first + count / 2, count - count / 2);
  }
  return (uint32_t)(p->bodies + number);
}

void w_add_plane(
  w_problem * p, uint32_t kind, double x, double y, double z,
  double offset)
{
  w_frame * b = &p->body[p->bodies++];
  // The turn that takes the z axis to (x, y, z), z > -1; half a turn about x for z = -1.
  const double down[4] = {1, 0, 0, 0}, turn[4] = {-y, x, 0, 1 + z};
  const double size = sqrt(y * y + x * x + (1 + z) * (1 + z));
  b->kind = kind;
  b->geometry = W_NONE;
  for (int i = 0; i < 4; i++) {
    b->pose[i] = size > 0 ? turn[i] / size : down[i];
  }
  b->pose[4] = x * offset;
  b->pose[5] = y * offset;
  b->pose[6] = z * offset;
}

void w_free_problem(w_problem * p)
{
  for (int i = 0; i < p->geometries; i++) {
    free(p->geometry[i]);
  }
  free(p);
}
