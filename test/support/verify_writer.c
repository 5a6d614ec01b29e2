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

/* Problems and certificates of the verifier's tests, as bytes. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/verify_writer.h"

void w_put(w_bytes * b, const void * data, size_t size)
{
  if (b->size + size > b->capacity) {
    b->capacity = 2 * (b->size + size) + 64;
    b->data = realloc(b->data, b->capacity);
    if (b->data == NULL) {abort();}
  }
  if (size > 0) {memcpy(b->data + b->size, data, size);}
  b->size += size;
}

void w_free(w_bytes * b)
{
  free(b->data);
  *b = (w_bytes) {NULL, 0, 0};
}

void w_u8(w_bytes * b, unsigned x)
{
  const uint8_t byte = (uint8_t)x;
  w_put(b, &byte, 1);
}

void w_u32(w_bytes * b, uint32_t x)
{
  for (int i = 0; i < 4; i++) {
    w_u8(b, (x >> (8 * i)) & 255);
  }
}

void w_u64(w_bytes * b, uint64_t x)
{
  for (int i = 0; i < 8; i++) {
    w_u8(b, (unsigned)((x >> (8 * i)) & 255));
  }
}

void w_f64(w_bytes * b, double x)
{
  uint64_t bits;
  memcpy(&bits, &x, 8);
  w_u64(b, bits);
}

void w_f32(w_bytes * b, double x)
{
  const float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, 4);
  w_u32(b, bits);
}

void w_f64s(w_bytes * b, const double * x, int n)
{
  for (int i = 0; i < n; i++) {
    w_f64(b, x[i]);
  }
}

uint32_t w_twin(const w_geometry * g, const uint32_t * taken, uint32_t e)
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

static void w_write_component(w_bytes * b, const w_geometry * g, uint32_t c)
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

static void w_write_lists(w_bytes * b, const w_geometry * g)
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

static void w_write_twins(w_bytes * b, const w_geometry * g)
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

static void w_write_geometry(w_bytes * b, const w_geometry * g)
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

static void w_name(w_bytes * b, const char * name)
{
  w_put(b, name, strlen(name) + 1);
}

// Names, with their length in front.
static void w_names(w_bytes * b, w_bytes * names)
{
  w_u32(b, (uint32_t)names->size);
  w_put(b, names->data, names->size);
  w_free(names);
}

static void w_write_pairs(w_bytes * b, const w_problem * p)
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

static void w_write_scene(w_bytes * b, const w_problem * p)
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

static void w_write_motion(w_bytes * b, const w_problem * p)
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

static void w_part(w_bytes * b, uint32_t tag, w_bytes * body)
{
  w_u32(b, tag);
  w_u64(b, body->size);
  w_put(b, body->data, body->size);
  w_free(body);
}

w_bytes w_write_problem(const w_problem * p)
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

w_bytes w_certificate_head(
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

void w_ops(w_bytes * b, const w_bytes * ops)
{
  w_put(b, ops->data, ops->size);
}

void w_leaf(w_bytes * ops, double x, double y, double z)
{
  w_u8(ops, 'L');
  w_f32(ops, x);
  w_f32(ops, y);
  w_f32(ops, z);
}

void w_ray(w_bytes * ops, double x, double y, double z)
{
  w_u8(ops, 'I');
  w_f32(ops, x);
  w_f32(ops, y);
  w_f32(ops, z);
}

int w_verify_free(
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
