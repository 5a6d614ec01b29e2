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

// A tiny writer of problem and certificate files for the tests of the verifier. It follows
// docs/certificate_format.md and nothing else: neither the producer nor the verifier is used,
// except that the verifier reports the hashes of a problem's parts.
#ifndef UNIT__VERIFY_WRITER_H_
#define UNIT__VERIFY_WRITER_H_

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/verify.h"

#define W_NONE 0xffffffffu
#define W_MAX 4096

typedef struct
{
  uint8_t * data;
  size_t size;
  size_t capacity;
} w_bytes;

static inline void w_put(w_bytes * b, const void * data, size_t size)
{
  if (b->size + size > b->capacity) {
    b->capacity = 2 * (b->size + size) + 64;
    b->data = realloc(b->data, b->capacity);
    if (b->data == NULL) {abort();}
  }
  if (size > 0) {memcpy(b->data + b->size, data, size);}
  b->size += size;
}

static inline void w_free(w_bytes * b)
{
  free(b->data);
  *b = (w_bytes) {NULL, 0, 0};
}

static inline void w_u8(w_bytes * b, unsigned x)
{
  const uint8_t byte = (uint8_t)x;
  w_put(b, &byte, 1);
}

static inline void w_u32(w_bytes * b, uint32_t x)
{
  for (int i = 0; i < 4; i++) {
    w_u8(b, (x >> (8 * i)) & 255);
  }
}

static inline void w_u64(w_bytes * b, uint64_t x)
{
  for (int i = 0; i < 8; i++) {
    w_u8(b, (unsigned)((x >> (8 * i)) & 255));
  }
}

static inline void w_f64(w_bytes * b, double x)
{
  uint64_t bits;
  memcpy(&bits, &x, 8);
  w_u64(b, bits);
}

static inline void w_f32(w_bytes * b, double x)
{
  const float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, 4);
  w_u32(b, bits);
}

static inline void w_f64s(w_bytes * b, const double * x, int n)
{
  for (int i = 0; i < n; i++) {
    w_f64(b, x[i]);
  }
}

typedef struct {uint32_t kind, component, first, count; double radius;} w_primitive;
typedef struct {uint32_t first, count, left, right, kept_first, kept_count;} w_node;
typedef struct {uint8_t index[4]; float weight[3];} w_witness;

typedef struct
{
  int vertices, indices, curved, primitives, components, nodes, kept, witnesses;
  double vertex[W_MAX][3];
  uint32_t index[W_MAX];
  double curve[16][10];
  w_primitive primitive[W_MAX];
  uint8_t component[64];
  w_node node[W_MAX];
  uint32_t kept_index[W_MAX];
  w_witness witness[W_MAX];   // of points that are not kept: last node first, left child first
  double odd_radius;          // of the shape of hulls and triangles, which have none
  double thickness;           // the third radius of cylinders and cones, which is 0
  uint32_t odd_tip;           // added to the tip of shapes, which is 0 or 1
  uint32_t wrong_twin;        // 0, or 1 + an edge whose twin is written wrong
  int forced;                 // edges whose twins are given
  uint32_t forced_edge[16], forced_twin[16];
} w_geometry;

typedef struct
{
  uint32_t parent;
  double pose[7];
  uint32_t joint;
  double axis[3];
  uint32_t variable;
  double multiplier, offset;
} w_frame;

typedef struct
{
  uint32_t kind, frame, geometry;
  double placement[7];
} w_body;

typedef struct {uint32_t left, right, body;} w_group;
typedef struct {uint32_t kind, a, b; double margin; double entries[64];} w_pair;

// Coefficients: variable after variable.
typedef struct {uint32_t degree; double b[64];} w_segment;

typedef struct
{
  int geometries, frames, bodies, groups, pairs, variables, segments;
  w_geometry * geometry[8];
  w_frame frame[32];
  w_body body[64];
  w_group group[64];
  w_pair pair[64];
  double tolerance[8];
  double knot[65];
  double second[65];
  w_segment segment[64];
} w_problem;

static const double w_identity[7] = {0, 0, 0, 1, 0, 0, 0};

// One geometry with node 0 over whatever is appended by hand.
static inline w_geometry * w_new_geometry(w_problem * p)
{
  w_geometry * g = calloc(1, sizeof(*g));
  if (g == NULL) {abort();}
  p->geometry[p->geometries++] = g;
  return g;
}

// A hull of n points with a radius, as the only primitive.
static inline w_geometry * w_hull(w_problem * p, const double(*v)[3], int n, double radius)
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

static inline w_geometry * w_sphere(w_problem * p, double radius)
{
  const double zero[1][3] = {{0, 0, 0}};
  return w_hull(p, zero, 1, radius);
}

static inline w_geometry * w_box(w_problem * p, double x, double y, double z)
{
  double v[8][3];
  for (int i = 0; i < 8; i++) {
    v[i][0] = i & 1 ? x : -x;
    v[i][1] = i & 2 ? y : -y;
    v[i][2] = i & 4 ? z : -z;
  }
  return w_hull(p, (const double(*)[3])v, 8, 0.0);
}

static inline w_geometry * w_curved(
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

// Adds a triangle mesh; the tree is made by w_tree().
static inline void w_add_mesh(
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

// A closed box of 12 triangles, turned outwards.
static inline void w_add_box_mesh(
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
static inline uint32_t w_subtree(w_geometry * g, uint32_t first, uint32_t count, int keep)
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

static inline void w_tree(w_geometry * g, int keep)
{
  g->nodes = 0;
  (void)w_subtree(g, 0, (uint32_t)g->primitives, keep);
}

// The edge of a triangle of the same solid component that runs back along edge e and is not taken.
static inline uint32_t w_twin(const w_geometry * g, const uint32_t * taken, uint32_t e)
{
  const w_primitive * p = &g->primitive[e / 3];
  const uint32_t from = g->index[p->first + e % 3];
  const uint32_t next = g->index[p->first + (e % 3 + 1) % 3];
  for (uint32_t f = 0; f < 3 * (uint32_t)g->primitives; f++) {
    const w_primitive * q = &g->primitive[f / 3];
    if (q->component == p->component && taken[f] == W_NONE &&
      g->index[q->first + f % 3] == next && g->index[q->first + (f % 3 + 1) % 3] == from)
    {
      return f;
    }
  }
  return 0;
}

static inline void w_force_twin(w_geometry * g, uint32_t edge, uint32_t twin)
{
  g->forced_edge[g->forced] = edge;
  g->forced_twin[g->forced++] = twin;
}

static inline void w_write_component(w_bytes * b, const w_geometry * g, uint32_t c)
{
  const double identity[4] = {0, 0, 0, 1};
  const w_primitive * p = NULL;
  for (int i = g->primitives; i-- > 0; ) {
    p = g->primitive[i].component == c ? &g->primitive[i] : p;
  }
  const int curved = p != NULL && p->kind > 2, round = p != NULL && p->kind == 5;
  const double * size = curved ? g->curve[p->first] + 7 : NULL;
  w_f64s(b, curved ? g->curve[p->first] : identity, 4);
  w_f64(b, curved ? size[0] : g->odd_radius);
  w_f64(b, curved ? size[round ? 1 : 0] : 0);
  w_f64(b, round ? size[2] : g->thickness);
  w_f64(b, curved && !round ? size[1] : 0);   // the height
  w_f64(b, p == NULL ? 0 : p->radius);
  w_u32(b, g->component[c]);
  w_u32(b, (p != NULL && p->kind == 4) + g->odd_tip);
  w_u32(b, p == NULL ? 0 : p->count);
  w_u32(b, 0);
}

static inline void w_write_lists(w_bytes * b, const w_geometry * g)
{
  w_bytes numbers = {NULL, 0, 0};
  uint32_t middle = (uint32_t)g->vertices;
  for (int i = 0; i < g->primitives; i++) {
    const w_primitive * p = &g->primitive[i];
    for (uint32_t j = 0; p->kind < 3 && j < p->count && j < 64; j++) {
      w_u32(&numbers, g->index[p->first + j]);
    }
    if (p->kind > 2) {w_u32(&numbers, middle++);}
  }
  for (int i = g->nodes; i-- > 0; ) {
    for (uint32_t j = 0; j < g->node[i].kept_count; j++) {
      w_u32(&numbers, g->kept_index[g->node[i].kept_first + j]);
    }
  }
  w_u32(b, (uint32_t)(numbers.size / 4));
  w_put(b, numbers.data, numbers.size);
  w_free(&numbers);
  w_u32(b, (uint32_t)g->witnesses);
  for (int i = 0; i < g->witnesses; i++) {
    for (int j = 0; j < 3; j++) {
      w_f32(b, (double)g->witness[i].weight[j]);
    }
    for (int j = 0; j < 4; j++) {
      w_u8(b, g->witness[i].index[j]);
    }
  }
}

static inline void w_write_twins(w_bytes * b, const w_geometry * g)
{
  const uint32_t count = 3 * (uint32_t)g->primitives;
  uint32_t * twin = malloc((count + 1) * sizeof(*twin));
  if (twin == NULL) {abort();}
  memset(twin, 0xff, (count + 1) * sizeof(*twin));
  w_u32(b, count);
  for (uint32_t e = 0; e < count; e++) {
    const w_primitive * p = &g->primitive[e / 3];
    const int solid = p->kind == 1 && g->component[p->component] == 1;
    if (twin[e] == W_NONE) {
      const uint32_t f = solid ? w_twin(g, twin, e) : 0;
      twin[e] = f;
      twin[f] = solid ? e : twin[f];
    }
    uint32_t written = twin[e] ^ (g->wrong_twin == e + 1);
    for (int i = 0; i < g->forced; i++) {
      written = g->forced_edge[i] == e ? g->forced_twin[i] : written;
    }
    w_u32(b, written);
  }
  free(twin);
}

static inline void w_write_geometry(w_bytes * b, const w_geometry * g)
{
  uint32_t middles = 0;
  for (int i = 0; i < g->primitives; i++) {
    middles += g->primitive[i].kind > 2;
  }
  w_u32(b, (uint32_t)g->vertices + middles);
  for (int i = 0; i < g->vertices; i++) {
    w_f64s(b, g->vertex[i], 3);
  }
  for (int i = 0; i < g->primitives; i++) {
    if (g->primitive[i].kind > 2) {w_f64s(b, g->curve[g->primitive[i].first] + 4, 3);}
  }
  w_u32(b, (uint32_t)g->components);
  for (int i = 0; i < g->components; i++) {
    w_write_component(b, g, (uint32_t)i);
  }
  w_u32(b, (uint32_t)g->primitives);
  for (int i = 0; i < g->primitives; i++) {
    w_u32(b, g->primitive[i].component);
  }
  w_u32(b, (uint32_t)g->nodes);
  for (int i = 0; i < g->nodes; i++) {
    w_u8(b, g->node[i].left == 0 && g->node[i].right == 0 ? 255 : g->node[i].kept_count);
  }
  w_write_lists(b, g);
  w_write_twins(b, g);
}

static inline void w_name(w_bytes * b, const char * name)
{
  w_put(b, name, strlen(name) + 1);
}

// Names, with their length in front.
static inline void w_names(w_bytes * b, w_bytes * names)
{
  w_u32(b, (uint32_t)names->size);
  w_put(b, names->data, names->size);
  w_free(names);
}

static inline void w_write_pairs(w_bytes * b, const w_problem * p)
{
  int margins = 0;
  w_u32(b, (uint32_t)p->pairs);
  for (int i = 0; i < p->pairs; i++) {
    w_u32(b, p->pair[i].a);
    w_u32(b, p->pair[i].kind == 1 ? W_NONE : p->pair[i].b);
    margins += p->pair[i].kind == 1 ? p->groups : 1;
  }
  w_u32(b, (uint32_t)margins);
  for (int i = 0; i < p->pairs; i++) {
    const int group = p->pair[i].kind == 1;
    w_f64s(b, group ? p->pair[i].entries : &p->pair[i].margin, group ? p->groups : 1);
  }
}

static inline void w_write_scene(w_bytes * b, const w_problem * p)
{
  char name[32];
  w_bytes names = {NULL, 0, 0};
  w_name(&names, "test arm");
  w_u64(b, 7);
  w_u32(b, (uint32_t)p->frames);
  for (int i = 0; i < p->frames; i++) {
    const w_frame * f = &p->frame[i];
    snprintf(name, sizeof(name), "frame%d", i);
    w_name(&names, name);
    w_f64s(b, f->pose, 7);
    w_f64s(b, f->axis, 3);
    w_f64(b, f->multiplier);
    w_f64(b, f->offset);
    w_u32(b, f->parent);
    w_u32(b, f->joint);
    w_u32(b, f->variable);
    w_u32(b, 0);
  }
  w_u32(b, (uint32_t)p->bodies);
  for (int i = 0; i < p->bodies; i++) {
    const w_body * o = &p->body[i];
    snprintf(name, sizeof(name), "body%d", i);
    w_name(&names, name);
    w_name(&names, name);
    w_f64s(b, o->placement, 7);
    w_u32(b, o->kind);
    w_u32(b, o->frame);
    w_u32(b, o->geometry);
    w_u32(b, 0);
  }
  w_u32(b, (uint32_t)p->groups);
  for (int i = 0; i < p->groups; i++) {
    w_u32(b, p->group[i].body);
  }
  w_write_pairs(b, p);
  w_names(b, &names);
}

static inline void w_write_motion(w_bytes * b, const w_problem * p)
{
  w_bytes names = {NULL, 0, 0}, coefficients = {NULL, 0, 0};
  w_u32(b, 1);
  w_name(&names, "linear");
  w_u32(b, (uint32_t)p->variables);
  w_f64s(b, p->tolerance, p->variables);
  for (int i = 0; i < p->variables; i++) {
    w_name(&names, "q");
  }
  w_u32(b, (uint32_t)p->segments + 1);
  w_f64s(b, p->knot, p->segments + 1);
  w_u32(b, (uint32_t)p->segments + 1);
  w_f64s(b, p->second, p->segments + 1);
  w_u32(b, (uint32_t)p->segments);
  for (int i = 0; i < p->segments; i++) {
    w_u32(b, p->segment[i].degree);
    w_f64s(&coefficients, p->segment[i].b, p->variables * (int)(p->segment[i].degree + 1));
  }
  w_u32(b, (uint32_t)(coefficients.size / 8));
  w_put(b, coefficients.data, coefficients.size);
  w_free(&coefficients);
  w_names(b, &names);
}

static inline void w_part(w_bytes * b, uint32_t tag, w_bytes * body)
{
  w_u32(b, tag);
  w_u64(b, body->size);
  w_put(b, body->data, body->size);
  w_free(body);
}

static inline w_bytes w_write_problem(const w_problem * p)
{
  w_bytes b = {NULL, 0, 0};
  w_bytes part = {NULL, 0, 0};
  w_put(&b, "VOUCHPRB", 8);
  w_u32(&b, 1);
  w_u32(&part, (uint32_t)p->geometries);
  for (int i = 0; i < p->geometries; i++) {
    w_write_geometry(&part, p->geometry[i]);
  }
  w_part(&b, 1, &part);
  w_write_scene(&part, p);
  w_part(&b, 2, &part);
  w_write_motion(&part, p);
  w_part(&b, 3, &part);
  return b;
}

// Everything of a certificate that comes before the ops or the witness.
static inline w_bytes w_certificate_head(
  const w_problem * p, const w_bytes * problem, int kind, double margin)
{
  struct vouch_verify_report report;
  w_bytes b = {NULL, 0, 0};
  (void)vouch_verify_memory(NULL, problem->data, problem->size, "", 0, &report);
  double tolerance = 0;
  for (int i = 0; i < p->variables; i++) {
    tolerance = p->tolerance[i] > tolerance ? p->tolerance[i] : tolerance;
  }
  w_put(&b, "VOUCHCRT", 8);
  w_u32(&b, 1);
  w_u32(&b, (uint32_t)kind);
  w_put(&b, report.hash, 96);
  w_f64(&b, margin);
  w_f64(&b, tolerance);
  return b;
}

static inline void w_ops(w_bytes * b, const w_bytes * ops)
{
  w_put(b, ops->data, ops->size);
}

static inline void w_leaf(w_bytes * ops, double x, double y, double z)
{
  w_u8(ops, 'L');
  w_f32(ops, x);
  w_f32(ops, y);
  w_f32(ops, z);
}

static inline void w_ray(w_bytes * ops, double x, double y, double z)
{
  w_u8(ops, 'I');
  w_f32(ops, x);
  w_f32(ops, y);
  w_f32(ops, z);
}

// A problem with frame 0, one frame on a prismatic (joint 2) or revolute (1) joint about `axis`,
// and one segment in which the joint goes linearly from q0 to q1 in a second.
static inline w_problem * w_one_joint(uint32_t joint, const double axis[3], double q0, double q1)
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

static inline void w_add_body(
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

static inline void w_add_plane(
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

static inline void w_free_problem(w_problem * p)
{
  for (int i = 0; i < p->geometries; i++) {
    free(p->geometry[i]);
  }
  free(p);
}

// Writes problem and FREE certificate, verifies; consumes ops, keeps p.
static inline int w_verify_free(
  const w_problem * p, w_bytes * ops, double margin, struct vouch_verify_report * report)
{
  w_bytes problem = w_write_problem(p);
  w_bytes certificate = w_certificate_head(p, &problem, 1, margin);
  w_ops(&certificate, ops);
  const int code = vouch_verify_memory(
    NULL, problem.data, problem.size, certificate.data, certificate.size, report);
  w_free(&problem);
  w_free(&certificate);
  w_free(ops);
  return code;
}

#endif  // UNIT__VERIFY_WRITER_H_
