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

static inline void w_string(w_bytes * b, const char * s)
{
  w_u32(b, (uint32_t)strlen(s));
  w_put(b, s, strlen(s));
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
  w_witness witness[W_MAX];
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
  double placement[7], normal[3], offset;
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

// A balanced tree over the primitives. Nodes that cover at least `keep` primitives keep all the
// vertices of their primitives (each once, at most 128), with exact witnesses.
static inline void w_tree(w_geometry * g, int keep)
{
  g->nodes = 1;
  g->node[0] = (w_node) {0, (uint32_t)g->primitives, 0, 0, 0, 0};
  for (int i = 0; i < g->nodes; i++) {
    w_node * n = &g->node[i];
    if (n->count == 1) {continue;}
    const uint32_t half = n->count / 2;
    n->left = (uint32_t)g->nodes;
    n->right = (uint32_t)g->nodes + 1;
    g->node[g->nodes++] = (w_node) {n->first, half, 0, 0, 0, 0};
    g->node[g->nodes++] = (w_node) {n->first + half, n->count - half, 0, 0, 0, 0};
    if ((int)n->count < keep) {continue;}
    n->kept_first = (uint32_t)g->kept;
    for (uint32_t k = n->first; k < n->first + n->count; k++) {
      for (uint32_t j = 0; j < g->primitive[k].count; j++) {
        const uint32_t vertex = g->index[g->primitive[k].first + j];
        int known = 0;
        for (uint32_t m = 0; m < n->kept_count; m++) {
          known = known || g->kept_index[n->kept_first + m] == vertex;
        }
        if (!known) {
          g->kept_index[g->kept++] = vertex;
          n->kept_count++;
        }
      }
    }
  }
  for (int i = 0; i < g->nodes; i++) {
    const w_node * n = &g->node[i];
    for (int side = 0; n->kept_count > 0 && side < 2; side++) {
      const w_node * c = &g->node[side == 0 ? n->left : n->right];
      uint32_t list[W_MAX];
      uint32_t count = 0;
      for (uint32_t k = 0; c->kept_count > 0 && k < c->kept_count; k++) {
        list[count++] = g->kept_index[c->kept_first + k];
      }
      for (uint32_t k = c->first; c->kept_count == 0 && k < c->first + c->count; k++) {
        for (uint32_t j = 0; j < g->primitive[k].count; j++) {
          list[count++] = g->index[g->primitive[k].first + j];
        }
      }
      for (uint32_t k = 0; k < count; k++) {
        w_witness w = {{0, 0, 0, 0}, {1.0f, 0.0f, 0.0f}};
        for (uint32_t m = 0; m < n->kept_count; m++) {
          if (g->kept_index[n->kept_first + m] == list[k]) {w.index[0] = (uint8_t)m;}
        }
        g->witness[g->witnesses++] = w;
      }
    }
  }
}

static inline void w_write_geometry(w_bytes * b, const w_geometry * g)
{
  w_u32(b, (uint32_t)g->vertices);
  for (int i = 0; i < g->vertices; i++) {
    w_f64s(b, g->vertex[i], 3);
  }
  w_u32(b, (uint32_t)g->indices);
  for (int i = 0; i < g->indices; i++) {
    w_u32(b, g->index[i]);
  }
  w_u32(b, (uint32_t)g->curved);
  for (int i = 0; i < g->curved; i++) {
    w_f64s(b, g->curve[i], 10);
  }
  w_u32(b, (uint32_t)g->primitives);
  for (int i = 0; i < g->primitives; i++) {
    const w_primitive * p = &g->primitive[i];
    w_u8(b, p->kind);
    w_u32(b, p->component);
    w_u32(b, p->first);
    w_u32(b, p->count);
    w_f64(b, p->radius);
  }
  w_u32(b, (uint32_t)g->components);
  for (int i = 0; i < g->components; i++) {
    w_u8(b, g->component[i]);
  }
  w_u32(b, (uint32_t)g->nodes);
  for (int i = 0; i < g->nodes; i++) {
    const w_node * n = &g->node[i];
    w_u32(b, n->first);
    w_u32(b, n->count);
    w_u32(b, n->left);
    w_u32(b, n->right);
    w_u32(b, n->kept_first);
    w_u32(b, n->kept_count);
  }
  w_u32(b, (uint32_t)g->kept);
  for (int i = 0; i < g->kept; i++) {
    w_u32(b, g->kept_index[i]);
  }
  w_u32(b, (uint32_t)g->witnesses);
  for (int i = 0; i < g->witnesses; i++) {
    w_put(b, g->witness[i].index, 4);
    for (int j = 0; j < 3; j++) {
      w_f32(b, (double)g->witness[i].weight[j]);
    }
  }
}

static inline void w_write_scene(w_bytes * b, const w_problem * p)
{
  char name[32];
  w_string(b, "test arm");
  w_u64(b, 7);
  w_u32(b, (uint32_t)p->frames);
  for (int i = 0; i < p->frames; i++) {
    const w_frame * f = &p->frame[i];
    snprintf(name, sizeof(name), "frame%d", i);
    w_string(b, name);
    w_u32(b, f->parent);
    w_f64s(b, f->pose, 7);
    w_u8(b, f->joint);
    w_f64s(b, f->axis, 3);
    w_u32(b, f->variable);
    w_f64(b, f->multiplier);
    w_f64(b, f->offset);
  }
  w_u32(b, (uint32_t)p->bodies);
  for (int i = 0; i < p->bodies; i++) {
    const w_body * o = &p->body[i];
    snprintf(name, sizeof(name), "body%d", i);
    w_string(b, name);
    w_string(b, name);
    w_u8(b, o->kind);
    w_u32(b, o->frame);
    w_u32(b, o->geometry);
    w_f64s(b, o->placement, 7);
    w_f64s(b, o->normal, 3);
    w_f64(b, o->offset);
  }
  w_u32(b, (uint32_t)p->groups);
  for (int i = 0; i < p->groups; i++) {
    w_u32(b, p->group[i].left);
    w_u32(b, p->group[i].right);
    w_u32(b, p->group[i].body);
  }
  w_u32(b, (uint32_t)p->pairs);
  for (int i = 0; i < p->pairs; i++) {
    w_u8(b, p->pair[i].kind);
    w_u32(b, p->pair[i].a);
    w_u32(b, p->pair[i].b);
    w_f64(b, p->pair[i].margin);
    if (p->pair[i].kind == 1) {w_f64s(b, p->pair[i].entries, p->groups);}
  }
}

static inline void w_write_motion(w_bytes * b, const w_problem * p)
{
  w_u32(b, 1);
  w_string(b, "linear");
  w_u32(b, (uint32_t)p->variables);
  for (int i = 0; i < p->variables; i++) {
    w_string(b, "q");
    w_f64(b, p->tolerance[i]);
  }
  w_u32(b, (uint32_t)p->segments);
  w_f64s(b, p->knot, p->segments + 1);
  w_f64s(b, p->second, p->segments + 1);
  for (int i = 0; i < p->segments; i++) {
    w_u32(b, p->segment[i].degree);
    w_f64s(b, p->segment[i].b, p->variables * (int)(p->segment[i].degree + 1));
  }
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
  (void)vouch_verify_memory(problem->data, problem->size, "", 0, &report);
  w_put(&b, "VOUCHCRT", 8);
  w_u32(&b, 1);
  w_put(&b, report.hash, 96);
  w_u8(&b, (unsigned)kind);
  w_f64(&b, margin);
  w_u32(&b, (uint32_t)p->variables);
  w_f64s(&b, p->tolerance, p->variables);
  return b;
}

static inline void w_ops(w_bytes * b, const w_bytes * ops)
{
  w_u64(b, ops->size);
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
  b->kind = kind;
  b->geometry = W_NONE;
  memcpy(b->placement, w_identity, sizeof(w_identity));
  b->normal[0] = x;
  b->normal[1] = y;
  b->normal[2] = z;
  b->offset = offset;
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
  const int code =
    vouch_verify_memory(problem.data, problem.size, certificate.data, certificate.size, report);
  w_free(&problem);
  w_free(&certificate);
  w_free(ops);
  return code;
}

#endif  // UNIT__VERIFY_WRITER_H_
