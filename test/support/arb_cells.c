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

#include "support/arb_cells.h"

#include <stdlib.h>
#include <string.h>

/* ---- bytes ---- */

void arb_bytes_put(arb_bytes_t * b, const void * data, size_t size)
{
  if (b->size + size > b->capacity) {
    b->capacity = 2 * (b->size + size) + 256;
    b->data = realloc(b->data, b->capacity);
    if (b->data == NULL) {
      abort();
    }
  }
  if (size > 0) {
    memcpy(b->data + b->size, data, size);
  }
  b->size += size;
}

void arb_bytes_u32(arb_bytes_t * b, uint32_t x)
{
  arb_bytes_put(b, &x, sizeof(x));
}

void arb_bytes_free(arb_bytes_t * b)
{
  free(b->data);
  *b = (arb_bytes_t) {NULL, 0, 0};
}

static void put_doubles(arb_bytes_t * b, const double * x, size_t count)
{
  arb_bytes_put(b, x, count * sizeof(double));
}

static void put_names(arb_bytes_t * b, uint32_t count)
{
  arb_bytes_u32(b, 2 * count);
  for (uint32_t i = 0; i < count; i++) {
    arb_bytes_put(b, "n", 2);
  }
}

/* ---- geometries ---- */

#define MOST 64

typedef struct
{
  uint32_t count, list[8], solid;
} primitive_t;

/// Vertices from `plain` on are round. Primitives from `open` on are an open mesh. Inner nodes keep
/// all but one in `drop` of the points, all if that is 0.
typedef struct
{
  uint32_t vertex_count, plain, primitive_count, open, drop;
  double vertices[MOST][3], rounds[MOST][9];
  primitive_t primitives[MOST];
} shape_t;

typedef struct
{
  uint32_t right, count, solid, open, list[MOST], primitive;
} branch_t;

static uint32_t add_vertex(shape_t * s, double x, double y, double z)
{
  const double v[3] = {x, y, z};
  memcpy(s->vertices[s->vertex_count], v, sizeof(v));
  return s->vertex_count++;
}

static void add_triangle(shape_t * s, const uint32_t v[3], uint32_t solid)
{
  primitive_t * p = &s->primitives[s->primitive_count++];
  const int low = v[0] <= v[1] && v[0] <= v[2] ? 0 : v[1] <= v[2] ? 1 : 2;
  *p = (primitive_t) {3, {v[low], v[(low + 1) % 3], v[(low + 2) % 3]}, solid};
}

/// The corners of a box; a hull of them, or twelve triangles (eleven: open).
static void add_box(
  shape_t * s, const double at[3], const double half[3], uint32_t triangles, uint32_t solid)
{
  static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4},
    {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  uint32_t corners[8];
  for (uint32_t i = 0; i < 8; i++) {
    corners[i] = add_vertex(
      s, at[0] + (i & 1 ? half[0] : -half[0]), at[1] + (i & 2 ? half[1] : -half[1]),
      at[2] + (i & 4 ? half[2] : -half[2]));
  }
  if (triangles == 0) {
    primitive_t * p = &s->primitives[s->primitive_count++];
    *p = (primitive_t) {.count = 8};
    memcpy(p->list, corners, sizeof(corners));
  }
  for (uint32_t i = 0; i < triangles; i++) {
    const uint32_t v[3] = {corners[faces[i][0]], corners[faces[i][1]], corners[faces[i][2]]};
    add_triangle(s, v, solid);
  }
}

/// A hull of one or two round vertices: sphere, ellipsoid, capsule, cylinder; with a tip: a cone.
static void add_round(test_random_t * r, shape_t * s)
{
  primitive_t * p = &s->primitives[s->primitive_count++];
  const double size = test_random_in(r, 0.05, 0.2), high = test_random_in(r, 0.05, 0.3);
  const uint32_t kind = test_random_below(r, 5);
  *p = (primitive_t) {.count = 0};
  if (kind == 4) {   // the tip is plain and comes first
    p->list[p->count++] = add_vertex(s, 0.0, 0.0, high);
  }
  s->plain = s->vertex_count;
  for (uint32_t i = 0; i < (kind == 2 || kind == 3 ? 2u : 1u); i++) {
    const double flat = kind >= 3 ? 0.0 : kind == 1 ? 0.4 * size : size;
    const double skew = kind == 1 ? 0.3 * size : 0.0;
    const double a[9] = {size, 0, skew, 0, size, 0, skew, 0, flat};
    p->list[p->count++] = add_vertex(s, 0.0, 0.0, i == 0 ? -high : high);
    memcpy(s->rounds[p->list[p->count - 1]], a, sizeof(a));
  }
}

/// Capsules in a row; trees over them keep few of the ends.
static shape_t row_of_capsules(test_random_t * r)
{
  shape_t s = {.vertex_count = 1, .plain = 1, .open = UINT32_MAX, .drop = 2};
  const double size = test_random_in(r, 0.03, 0.15);
  const double a[9] = {size, 0, 0, 0, size, 0, 0, 0, size};
  for (uint32_t i = 0; i < 5; i++) {
    const uint32_t k = add_vertex(&s, 0.12 * i, test_random_in(r, -0.02, 0.02), 0.0);
    memcpy(s.rounds[k], a, sizeof(a));
    if (i > 0) {
      s.primitives[s.primitive_count++] = (primitive_t) {2, {k - 1, k}, 0};
    }
  }
  return s;
}

static shape_t random_shape(test_random_t * r)
{
  shape_t s = {.vertex_count = 1, .drop = test_random_below(r, 2) * 4};
  const double half[3] = {test_random_in(r, 0.05, 0.25), test_random_in(r, 0.05, 0.25),
    test_random_in(r, 0.05, 0.25)};
  double at[3] = {0.0, 0.0, 0.0};
  const uint32_t kind = test_random_below(r, 8);
  if (kind == 7) {
    return row_of_capsules(r);
  }
  s.open = UINT32_MAX;
  switch (kind) {
    case 0:
      add_box(&s, at, half, 0, 0);
      break;
    case 1:   // two or three boxes
      for (uint32_t i = 0; i < 2 + test_random_below(r, 2); i++) {
        add_box(&s, at, half, 0, 0);
        at[i % 3] += test_random_in(r, 0.2, 0.6);
      }
      break;
    case 2: case 3:   // solids, sometimes two of them, or a box beside one
      add_box(&s, at, half, 12, 1);
      at[0] += 0.6;
      if (kind == 3) {
        const uint32_t two = test_random_below(r, 3);
        add_box(&s, at, half, two == 0 ? 0 : 12, two);
      }
      break;
    case 4:   // an open mesh, sometimes with a box before it
      if (test_random_below(r, 2)) {
        add_box(&s, at, half, 0, 0);
        at[1] += 0.7;
      }
      s.open = s.primitive_count;
      add_box(&s, at, half, 11, 0);
      break;
    default:
      add_round(r, &s);
      if (kind == 6) {   // a box that shares no vertex; the round ones stay last
        shape_t box = {.vertex_count = 1, .drop = s.drop};
        at[0] += 0.5;
        add_box(&box, at, half, 0, 0);
        for (uint32_t i = 1; i < s.vertex_count; i++) {
          memcpy(box.vertices[i + 8], s.vertices[i], sizeof(s.vertices[i]));
          memcpy(box.rounds[i + 8], s.rounds[i], sizeof(s.rounds[i]));
        }
        primitive_t * p = &box.primitives[1];
        *p = s.primitives[0];
        for (uint32_t i = 0; i < p->count; i++) {
          p->list[i] += 8;
        }
        box.primitive_count = 2;
        box.vertex_count += s.vertex_count - 1;
        box.plain = s.plain + 8;
        box.open = UINT32_MAX;
        return box;
      }
      return s;
  }
  s.plain = s.vertex_count;
  return s;
}

/* ---- trees ---- */

static bool keeps(const branch_t * n, uint32_t vertex)
{
  for (uint32_t i = 0; i < n->count; i++) {
    if (n->list[i] == vertex) {
      return true;
    }
  }
  return false;
}

/// Whether an inner node keeps all that its children do; it keeps nothing else.
static bool keeps_all(const branch_t * nodes, uint32_t number)
{
  const branch_t * n = &nodes[number];
  bool all = n->right > 0;
  for (int k = 0; all && k < 2; k++) {
    const branch_t * child = &nodes[k == 0 ? number + 1 : n->right];
    for (uint32_t i = 0; i < child->count; i++) {
      all = all && keeps(n, child->list[i]);
    }
  }
  return all;
}

/// Nodes over the primitives from first to last - 1, in the order of the file. Returns its number.
static uint32_t add_branch(
  test_random_t * r, const shape_t * s, branch_t * nodes, uint32_t * count, const uint32_t range[2])
{
  const uint32_t first = range[0], last = range[1], number = (*count)++;
  branch_t * n = &nodes[number];
  *n = (branch_t) {.open = first == s->open && last == s->primitive_count};
  if (last - first == 1) {
    const primitive_t * p = &s->primitives[first];
    n->primitive = first;
    n->solid = p->solid;
    n->count = p->count;
    memcpy(n->list, p->list, p->count * sizeof(uint32_t));
    return number;
  }
  uint32_t middle = (first + last) / 2;
  if (first < s->open && s->open < last) {
    middle = s->open;
  }
  const uint32_t children[2] = {
    add_branch(r, s, nodes, count, (uint32_t[2]) {first, middle}),
    add_branch(r, s, nodes, count, (uint32_t[2]) {middle, last})
  };
  n->right = children[1];
  for (int k = 0; k < 2; k++) {
    const branch_t * child = &nodes[children[k]];
    for (uint32_t i = 0; i < child->count; i++) {
      const bool dropped = n->count > 0 && s->drop > 0 && test_random_below(r, s->drop) == 0;
      if (!keeps(n, child->list[i]) && !dropped) {
        n->list[n->count++] = child->list[i];
      }
    }
  }
  return number;
}

static double distance(const double * p, const double * q)
{
  return sqrt(pow(p[0] - q[0], 2) + pow(p[1] - q[1], 2) + pow(p[2] - q[2], 2));
}

/// A mixture of kept points near a vertex: the best of some guesses.
static void put_witness(
  test_random_t * r, arb_bytes_t * b, const shape_t * s, const branch_t * n, uint32_t vertex)
{
  float best[3] = {0.0f, 0.0f, 0.0f};
  uint8_t chosen[4] = {0, 0, 0, 0};
  double least = 1e9;
  for (uint32_t k = 0; k < 200; k++) {
    uint8_t position[4];
    float w[3];
    double x[3] = {0.0, 0.0, 0.0}, left = 1.0;
    for (int i = 0; i < 4; i++) {
      position[i] = (uint8_t)(k < n->count ? k : test_random_below(r, n->count));
      const double weight = i == 3 ? left :
        (double)(float)(k < n->count ? 0.25 : left * test_random_in(r, 0.0, 1.0) * 0.999);
      left -= weight;
      for (int j = 0; j < 3; j++) {
        x[j] += weight * s->vertices[n->list[position[i]]][j];
      }
      if (i < 3) {
        w[i] = (float)weight;
      }
    }
    if (distance(x, s->vertices[vertex]) < least) {
      least = distance(x, s->vertices[vertex]);
      memcpy(best, w, sizeof(w));
      memcpy(chosen, position, sizeof(position));
    }
  }
  arb_bytes_put(b, best, sizeof(best));
  arb_bytes_put(b, chosen, sizeof(chosen));
}

/// The twin of an edge of a solid: the one that leads back.
static uint32_t find_twin(const branch_t * nodes, uint32_t count, uint32_t node, uint32_t edge)
{
  const uint32_t from = nodes[node].list[edge], to = nodes[node].list[(edge + 1) % 3];
  for (uint32_t i = 0; i < 3 * count; i++) {
    const branch_t * n = &nodes[i / 3];
    if (n->solid == nodes[node].solid && n->right == 0 && n->list[i % 3] == to &&
      n->list[(i % 3 + 1) % 3] == from)
    {
      return i;
    }
  }
  abort();
}

static void put_shape(test_random_t * r, arb_bytes_t * b, shape_t * s)
{
  branch_t nodes[2 * MOST];
  uint32_t count = 0;
  double low[3], high[3];
  memcpy(low, s->vertices[1], sizeof(low));
  memcpy(high, s->vertices[1], sizeof(high));
  for (uint32_t i = 1; i < s->vertex_count; i++) {
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], s->vertices[i][k]);
      high[k] = fmax(high[k], s->vertices[i][k]);
      s->vertices[0][k] = 0.5 * (low[k] + high[k]);
    }
  }
  (void)add_branch(r, s, nodes, &count, (uint32_t[2]) {0, s->primitive_count});
  arb_bytes_u32(b, s->vertex_count);
  put_doubles(b, s->vertices[0], 3 * (size_t)s->vertex_count);
  arb_bytes_u32(b, s->vertex_count - s->plain);
  put_doubles(b, s->rounds[s->plain], 9 * (size_t)(s->vertex_count - s->plain));
  arb_bytes_u32(b, count);
  bool left_out[2 * MOST];
  for (uint32_t i = 0; i < count; i++) {
    branch_t record = nodes[i];
    left_out[i] = keeps_all(nodes, i) && test_random_below(r, 3) > 0;
    record.count = left_out[i] ? 0 : record.count;
    arb_bytes_put(b, &record, 16);
  }
  for (uint32_t i = count; i-- > 0; ) {
    const branch_t * n = &nodes[i];
    arb_bytes_put(b, n->list, left_out[i] ? 0 : n->count * sizeof(uint32_t));
    for (uint32_t k = 0; n->solid > 0 && k < 3; k++) {
      arb_bytes_u32(b, find_twin(nodes, count, i, k));
    }
    for (uint32_t k = 0; n->right > 0 && k < 2; k++) {
      const branch_t * child = &nodes[k == 0 ? i + 1 : n->right];
      for (uint32_t j = 0; j < child->count; j++) {
        if (!keeps(n, child->list[j])) {
          put_witness(r, b, s, n, child->list[j]);
        }
      }
    }
  }
}

/* ---- motion ---- */

#define VARIABLES 3

static void put_motion(test_random_t * r, arb_bytes_t * b)
{
  const uint32_t segments = 1 + test_random_below(r, 4) * test_random_below(r, 2);
  double tolerances[VARIABLES], last[VARIABLES] = {0.0}, time = test_random_in(r, 0.0, 2.0);
  const double zero = 0.0, scale = test_random_in(r, 0.05, 0.8);
  arb_bytes_t coefficients = {NULL, 0, 0};
  for (int v = 0; v < VARIABLES; v++) {
    tolerances[v] = test_random_below(r, 3) == 0 ? test_random_in(r, 0.0, 0.01) : 0.0;
    last[v] = test_random_in(r, -0.5, 0.5);
  }
  arb_bytes_u32(b, 1);
  put_doubles(b, &zero, 1);
  arb_bytes_u32(b, VARIABLES);
  for (int v = 0; v < VARIABLES; v++) {
    put_doubles(b, &tolerances[v], 1);
    put_doubles(b, &zero, 1);
  }
  arb_bytes_u32(b, segments);
  for (uint32_t k = 0; k < segments; k++) {
    const uint32_t degree = 1 + test_random_below(r, 5);
    const double record[3] = {time, time + test_random_in(r, 0.2, 1.5), 0.5 * k};
    const bool jump = k > 0 && test_random_below(r, 4) == 0;
    time = record[1];
    put_doubles(b, record, 3);
    arb_bytes_u32(b, degree);
    arb_bytes_u32(b, 0);
    for (int v = 0; v < VARIABLES; v++) {
      last[v] += jump ? test_random_in(r, -0.3, 0.3) : 0.0;
      put_doubles(&coefficients, &last[v], 1);
      for (uint32_t i = 0; i < degree; i++) {
        last[v] += scale * test_random_in(r, -0.5, 0.5);
        put_doubles(&coefficients, &last[v], 1);
      }
    }
  }
  arb_bytes_u32(b, (uint32_t)(coefficients.size / sizeof(double)));
  arb_bytes_put(b, coefficients.data, coefficients.size);
  put_names(b, 1 + VARIABLES);
  arb_bytes_free(&coefficients);
}

/* ---- scene ---- */

typedef struct
{
  double pose[7], axis[3], multiplier, offset;
  uint32_t parent, joint, variable, zero;
} frame_t;

typedef struct
{
  double placement[7], growth;
  uint32_t frame, kind, geometry, zero;
} body_t;

#define ITEMS 3
#define MOST_BODIES (4 * ITEMS)

/// Frames come first; then bodies in items, of which each is a body or a tree of them.
typedef struct
{
  frame_t frames[8];
  body_t bodies[MOST_BODIES];
  uint32_t groups[2 * MOST_BODIES][2];          // right, body
  uint32_t items[ITEMS];                        // their numbers among bodies and groups
  uint32_t members[ITEMS][4], sizes[ITEMS];     // their bodies, in order
  bool grouped[ITEMS];
  uint32_t frame_count, body_count, group_count;
} plan_t;

static void random_pose(test_random_t * r, double pose[7], double reach)
{
  double d[3], w = test_random_in(r, -1.0, 1.0), square = w * w;
  test_random_direction(r, d);
  for (int i = 0; i < 3; i++) {
    pose[i] = d[i];
    pose[4 + i] = reach * test_random_in(r, -1.0, 1.0);
    square += d[i] * d[i];
  }
  pose[3] = w;
  for (int i = 0; i < 4; i++) {
    pose[i] /= sqrt(square) * (1.0 + 1e-4 * test_random_in(r, -1.0, 1.0));
  }
}

/// Two branches of joints; a mimic joint where a variable comes again; some do not move.
static void add_joints(test_random_t * r, plan_t * plan)
{
  static const double identity[7] = {0, 0, 0, 1, 0, 0, 0};
  memcpy(plan->frames[0].pose, identity, sizeof(identity));
  plan->frame_count = 1;
  for (uint32_t branch = 0; branch < 2; branch++) {
    uint32_t parent = 0;
    for (uint32_t i = 1 + test_random_below(r, 3); i-- > 0; ) {
      frame_t * f = &plan->frames[plan->frame_count];
      random_pose(r, f->pose, 0.4);
      f->parent = parent;
      parent = plan->frame_count++;
      if (i > 0 && test_random_below(r, 6) == 0) {
        continue;
      }
      test_random_direction(r, f->axis);
      f->joint = test_random_below(r, 3) == 0 ? ARB_PRISMATIC : ARB_REVOLUTE;
      f->variable = test_random_below(r, VARIABLES);
      f->multiplier = test_random_below(r, 3) == 0 ? test_random_in(r, -1.5, 1.5) : 1.0;
      f->offset = test_random_below(r, 3) == 0 ? test_random_in(r, -0.5, 0.5) : 0.0;
    }
  }
}

/// A tree over some bodies. Returns its number among the groups.
static uint32_t add_groups(
  test_random_t * r, plan_t * plan, const uint32_t * bodies,
  uint32_t count)
{
  const uint32_t number = plan->group_count++;
  plan->groups[number][0] = 0;
  plan->groups[number][1] = bodies[0];
  if (count > 1) {
    const uint32_t left = 1 + test_random_below(r, count - 1);
    (void)add_groups(r, plan, bodies, left);
    plan->groups[number][0] = add_groups(r, plan, bodies + left, count - left);
    plan->groups[number][1] = ARB_NONE;
  }
  return number;
}

/// The first body of an item, and others beside it.
static void add_bodies(
  test_random_t * r, plan_t * plan, uint32_t item, uint32_t geometries, arb_cell_t cell)
{
  const bool near = cell != ARB_CELL_FAR, inside = cell == ARB_CELL_INSIDE;
  static const double identity[4] = {0, 0, 0, 1};
  body_t first = {.frame = item < 2 ? test_random_below(r, plan->frame_count - 1) + 1 : 0};
  random_pose(r, first.placement, inside ? 0.05 : item < 2 ? 0.3 : near ? 0.4 : 1.5);
  first.geometry = inside ? item / 2 : item % geometries;
  first.kind = item == 2 && !inside ? test_random_below(r, 4) % 3 : ARB_BODY;
  if (first.kind != ARB_BODY) {
    first.geometry = ARB_NONE;
    const bool above = first.kind == ARB_PLANE && test_random_below(r, 2);
    first.placement[6] += near ? 0.0 : above ? 1.5 : -1.5;
    memcpy(first.placement, identity, sizeof(identity));
  }
  plan->grouped[item] = first.kind == ARB_BODY && test_random_below(r, 2) == 0;
  plan->sizes[item] = plan->grouped[item] ? 1 + test_random_below(r, 4) : 1;
  for (uint32_t i = 0; i < plan->sizes[item]; i++) {
    body_t * b = &plan->bodies[plan->body_count];
    *b = first;
    if (i > 0) {
      random_pose(r, b->placement, inside ? 0.05 : 0.3);
      for (int k = 4; k < 7; k++) {
        b->placement[k] += first.placement[k];
      }
      b->geometry = inside ? item / 2 : test_random_below(r, geometries);
    }
    const double some = fabs(b->placement[5]) * 1e3;
    b->growth = !inside && some - floor(some) < 0.4 ? 0.05 * (some - floor(some)) : 0.0;
    plan->members[item][i] = plan->body_count++;
  }
}

/// Bodies get other numbers, so that those of a group do not stand in a row.
static void mix_bodies(test_random_t * r, plan_t * plan)
{
  uint32_t number[MOST_BODIES];
  body_t old[MOST_BODIES];
  memcpy(old, plan->bodies, sizeof(old));
  for (uint32_t i = 0; i < plan->body_count; i++) {
    const uint32_t k = test_random_below(r, i + 1);
    number[i] = number[k];
    number[k] = i;
  }
  for (uint32_t i = 0; i < plan->body_count; i++) {
    plan->bodies[number[i]] = old[i];
  }
  for (uint32_t i = 0; i < ITEMS; i++) {
    for (uint32_t k = 0; k < plan->sizes[i]; k++) {
      plan->members[i][k] = number[plan->members[i][k]];
    }
  }
}

static uint32_t depth_of(const plan_t * plan, uint32_t item)
{
  uint32_t depth = 0;
  for (uint32_t f = plan->bodies[plan->members[item][0]].frame; f > 0; depth++) {
    f = plan->frames[f].parent;
  }
  return depth;
}

static void put_pair(arb_bytes_t * pairs, double margin, const uint32_t things[2], uint32_t skips)
{
  put_doubles(pairs, &margin, 1);
  arb_bytes_u32(pairs, things[0]);
  arb_bytes_u32(pairs, things[1]);
  arb_bytes_u32(pairs, skips);
  arb_bytes_u32(pairs, 0);
}

/// Where something is to be found inside, touching is not permitted.
static double random_margin(test_random_t * r, bool inside)
{
  const double margin = test_random_below(r, 2) ? 0.0 : test_random_in(r, 0.0, 0.05);
  return margin > 0.035 && !inside ? -margin : margin;
}

/// A pair of two items; some bodies of a group are not checked, or by pairs of their own.
static void put_checked(
  test_random_t * r, const plan_t * plan, const uint32_t items[2], bool inside,
  arb_bytes_t tables[2])
{
  const int group = plan->grouped[items[1]];
  const bool some = plan->grouped[items[0]] != plan->grouped[items[1]] && test_random_below(r, 2);
  const uint32_t * members = plan->members[items[group]];
  uint32_t things[2] = {plan->items[items[0]], plan->items[items[1]]}, skips = 0;
  arb_bytes_t own = {NULL, 0, 0};
  const double margin = random_margin(r, inside);
  for (uint32_t i = 0; some && i < plan->sizes[items[group]]; i++) {
    uint32_t pair[2] = {things[0], things[1]};
    pair[group] = members[i];
    if (test_random_below(r, 3) > 0) {
      continue;
    }
    const bool alone = test_random_below(r, 2);
    arb_bytes_u32(&tables[1], members[i]);
    arb_bytes_u32(&tables[1], alone ? ARB_OWN_PAIR : 2 + test_random_below(r, 9));
    skips++;
    if (alone) {
      put_pair(&own, random_margin(r, inside), pair, 0);
    }
  }
  put_pair(&tables[0], margin, things, skips);
  arb_bytes_put(&tables[0], own.data, own.size);
  arb_bytes_free(&own);
}

static void put_table(arb_bytes_t * b, arb_bytes_t * table, size_t record)
{
  arb_bytes_u32(b, (uint32_t)(table->size / record));
  arb_bytes_put(b, table->data, table->size);
  arb_bytes_free(table);
}

/// Pairs, skips, what is left out: each two items in one of them.
static void put_pairs(test_random_t * r, arb_bytes_t * b, const plan_t * plan, bool inside)
{
  arb_bytes_t tables[2] = {{NULL, 0, 0}, {NULL, 0, 0}}, left_out = {NULL, 0, 0};
  bool any = false;
  for (uint32_t i = 0; i < ITEMS; i++) {
    for (uint32_t k = i + 1; k < ITEMS; k++) {
      const bool turned = depth_of(plan, i) < depth_of(plan, k);
      const uint32_t items[2] = {turned ? k : i, turned ? i : k};
      if (inside ? k < 2 : any && test_random_below(r, 2)) {
        arb_bytes_u32(&left_out, plan->items[items[0]]);
        arb_bytes_u32(&left_out, plan->items[items[1]]);
        arb_bytes_u32(&left_out, 2 + test_random_below(r, 9));
        continue;
      }
      put_checked(r, plan, items, inside, tables);
      any = true;
    }
  }
  put_table(b, &tables[0], ARB_PAIR);
  put_table(b, &tables[1], ARB_SKIP);
  put_table(b, &left_out, ARB_LEFT_OUT);
}

static void put_scene(test_random_t * r, arb_bytes_t * b, uint32_t geometries, arb_cell_t cell)
{
  const bool inside = cell == ARB_CELL_INSIDE;
  const uint64_t revision = 7;
  plan_t plan = {.body_count = 0};
  add_joints(r, &plan);
  for (uint32_t i = 0; i < plan.frame_count && inside; i++) {
    memset(plan.frames[i].pose + 4, 0, 3 * sizeof(double));
  }
  for (uint32_t i = 0; i < ITEMS; i++) {   // the last one stands still
    add_bodies(r, &plan, i, geometries, cell);
  }
  mix_bodies(r, &plan);
  for (uint32_t i = 0; i < ITEMS; i++) {
    plan.items[i] = !plan.grouped[i] ? plan.members[i][0] :
      plan.body_count + add_groups(r, &plan, plan.members[i], plan.sizes[i]);
  }
  arb_bytes_put(b, &revision, sizeof(revision));
  arb_bytes_u32(b, plan.frame_count);
  arb_bytes_put(b, plan.frames, plan.frame_count * sizeof(frame_t));
  arb_bytes_u32(b, plan.body_count);
  arb_bytes_put(b, plan.bodies, plan.body_count * sizeof(body_t));
  arb_bytes_u32(b, plan.group_count);
  arb_bytes_put(b, plan.groups, plan.group_count * sizeof(plan.groups[0]));
  put_pairs(r, b, &plan, inside);
  put_names(b, 1 + 2 * (plan.frame_count + plan.body_count));
}

static void put_sources(test_random_t * r, arb_bytes_t * b)
{
  const uint32_t files = test_random_below(r, 3);
  arb_bytes_u32(b, files);
  for (uint32_t i = 0; i < 8 * files; i++) {
    arb_bytes_u32(b, (uint32_t)test_random_bits(r));
  }
  put_names(b, 1 + 2 * files);
}

/// A small box, or a large solid.
static shape_t nested_shape(uint32_t number)
{
  const double at[3] = {0.0, 0.0, 0.0}, size = number == 0 ? 0.05 : 6.0;
  const double half[3] = {size, size, size};
  shape_t s = {.vertex_count = 1, .open = UINT32_MAX};
  add_box(&s, at, half, number == 0 ? 0 : 12, 1);
  s.plain = s.vertex_count;
  return s;
}

arb_bytes_t arb_cell_problem(test_random_t * r, arb_cell_t cell)
{
  arb_bytes_t file = {NULL, 0, 0};
  const uint32_t geometries = cell == ARB_CELL_INSIDE ? 2 : 1 + test_random_below(r, 3);
  arb_bytes_put(&file, "VOUCHPRB\3\0\0\0", ARB_PROBLEM_HEAD);
  for (uint32_t part = 1; part <= ARB_PARTS; part++) {
    arb_bytes_t body = {NULL, 0, 0};
    if (part == 1) {
      arb_bytes_u32(&body, geometries);
      for (uint32_t i = 0; i < geometries; i++) {
        shape_t s = cell == ARB_CELL_INSIDE ? nested_shape(i) : random_shape(r);
        put_shape(r, &body, &s);
      }
    } else if (part == 2) {
      put_motion(r, &body);
    } else if (part == 3) {
      put_scene(r, &body, geometries, cell);
    } else {
      put_sources(r, &body);
    }
    const uint64_t length = body.size;
    arb_bytes_u32(&file, part);
    arb_bytes_put(&file, &length, sizeof(length));
    arb_bytes_put(&file, body.data, body.size);
    arb_bytes_free(&body);
  }
  return file;
}
