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

#include "base/sha256.h"
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

static void w_write_witness(w_bytes * b, const w_witness * w)
{
  for (int j = 0; j < 3; j++) {
    w_f32(b, (double)w->weight[j]);
  }
  w_put(b, w->index, 4);
}

static bool w_has(const w_node * n, uint32_t vertex)
{
  uint32_t k = 0;
  while (k < n->count && k < W_LIST && n->list[k] != vertex) {
    k++;
  }
  return k < n->count && k < W_LIST;
}

// The node with its list, which it may leave to its children.
static w_node w_listed(const w_geometry * g, int number)
{
  w_node n = g->node[number];
  if (n.count > 0 || n.right <= (uint32_t)number || n.right >= (uint32_t)g->nodes) {
    return n;
  }
  for (int k = 0; k < 2; k++) {
    const w_node child = w_listed(g, k == 0 ? number + 1 : (int)n.right);
    for (uint32_t i = 0; i < child.count && i < W_LIST && n.count < W_LIST; i++) {
      if (!w_has(&n, child.list[i])) {
        n.list[n.count++] = child.list[i];
      }
    }
  }
  return n;
}

// How many points of a child a node does not keep.
static int w_dropped(const w_node * n, const w_node * child)
{
  int dropped = 0;
  for (uint32_t i = 0; i < child->count && i < W_LIST; i++) {
    dropped += !w_has(n, child->list[i]);
  }
  return dropped;
}

// Every node's list, twins and witnesses. Witnesses that are left over follow the last node.
static void w_write_lists(w_bytes * b, const w_geometry * g)
{
  int witness = 0;
  for (int i = g->nodes; i-- > 0; ) {
    const w_node * n = &g->node[i];
    const bool inner = n->right > 0 && n->right < (uint32_t)g->nodes && i + 1 < g->nodes;
    int owed = 0;
    for (int k = 0; inner && n->count > 0 && k < 2; k++) {
      const w_node child = w_listed(g, k == 0 ? i + 1 : (int)n->right);
      owed += w_dropped(n, &child);
    }
    for (uint32_t j = 0; j < n->count && j < W_LIST; j++) {
      w_u32(b, n->list[j]);
    }
    for (int j = 0; n->solid > 0 && j < 3; j++) {
      w_u32(b, n->twins[j]);
    }
    for (; witness < g->witnesses && (owed-- > 0 || i == 0); witness++) {
      w_write_witness(b, &g->witness[witness]);
    }
  }
}

static void w_middle(const w_geometry * g, double at[3])
{
  for (int j = 0; j < 3; j++) {
    double lo = 1e9, hi = -1e9;
    for (int i = 1; i < g->vertices; i++) {
      lo = fmin(lo, g->vertex[i][j]);
      hi = fmax(hi, g->vertex[i][j]);
    }
    at[j] = g->own_middle ? g->vertex[0][j] : 0.5 * (lo + hi);
  }
}

static void w_write_geometry(w_bytes * b, const w_geometry * g)
{
  double middle[3];
  w_middle(g, middle);
  w_u32(b, (uint32_t)g->vertices);
  for (int i = 0; i < g->vertices; i++) {
    w_f64s(b, i == 0 ? middle : g->vertex[i], 3);
  }
  w_u32(b, (uint32_t)g->rounds);
  for (int i = 0; i < g->rounds; i++) {
    w_f64s(b, g->round[i], 9);
  }
  w_u32(b, (uint32_t)g->nodes);
  for (int i = 0; i < g->nodes; i++) {
    w_u32(b, g->node[i].right);
    w_u32(b, g->node[i].count);
    w_u32(b, g->node[i].solid);
    w_u32(b, g->node[i].open);
  }
  w_write_lists(b, g);
}

static void w_name(w_bytes * b, const char * name)
{
  w_put(b, name, strlen(name) + 1);
}

static void w_names(w_bytes * b, w_bytes * names)
{
  w_u32(b, (uint32_t)names->size);
  w_put(b, names->data, names->size);
  w_free(names);
}

static void w_write_motion(w_bytes * b, const w_problem * p)
{
  w_bytes names = {NULL, 0, 0}, coefficients = {NULL, 0, 0};
  w_u32(b, p->motion_kind);
  w_f64(b, p->second[0]);
  w_name(&names, "linear");
  w_u32(b, (uint32_t)p->variables);
  for (int i = 0; i < p->variables; i++) {
    w_f64(b, p->tolerance[i]);
    w_f64(b, 0);
  }
  w_u32(b, (uint32_t)p->segments);
  for (int i = 0; i < p->segments; i++) {
    w_f64(b, p->knot[i] + p->late[i]);
    w_f64(b, p->knot[i + 1]);
    w_f64(b, p->second[i + 1]);
    w_u32(b, p->segment[i].degree);
    w_u32(b, 0);
    w_f64s(&coefficients, p->segment[i].b, p->variables * (int)(p->segment[i].degree + 1));
  }
  w_u32(b, (uint32_t)(coefficients.size / 8));
  w_put(b, coefficients.data, coefficients.size);
  w_free(&coefficients);
  for (int i = 0; i < p->variables; i++) {
    w_name(&names, "q");
  }
  w_names(b, &names);
}

static void w_write_frame(w_bytes * b, const w_frame * f)
{
  w_f64s(b, f->pose, 7);
  w_f64s(b, f->axis, 3);
  w_f64(b, f->multiplier);
  w_f64(b, f->offset);
  w_u32(b, f->parent);
  w_u32(b, f->joint);
  w_u32(b, f->variable);
  w_u32(b, 0);
}

static void w_write_body(w_bytes * b, const w_frame * f)
{
  w_f64s(b, f->pose, 7);
  w_f64(b, 0);
  w_u32(b, f->parent);
  w_u32(b, f->kind);
  w_u32(b, f->geometry);
  w_u32(b, 0);
}

// Whether a group is beneath another, or a body beneath a group.
static bool w_is_item(const w_problem * p, uint32_t thing)
{
  for (int i = 0; i < p->groups; i++) {
    const w_group * g = &p->group[i];
    const uint32_t left = (uint32_t)(p->bodies + i + 1), right = (uint32_t)p->bodies + g->right;
    if (g->right == 0 ? g->body == thing : left == thing || right == thing) {return false;}
  }
  return true;
}

// The table of what is left out: what was told, and all other items that no pair names.
static void w_write_left(w_bytes * b, const w_problem * p)
{
  const uint32_t things = (uint32_t)(p->bodies + p->groups);
  bool * named = calloc((size_t)things * things + 1, 1);
  w_bytes table = {NULL, 0, 0};
  if (named == NULL) {abort();}
  for (int i = 0; i < p->pairs; i++) {
    const w_pair * w = &p->pair[i];
    if (w->a < things && w->b < things) {named[w->a * things + w->b] = true;}
  }
  for (int i = 0; i < p->lefts; i++) {
    const w_left * w = &p->left[i];
    w_u32(&table, w->a);
    w_u32(&table, w->b);
    w_u32(&table, w->reason);
    if (w->a < things && w->b < things) {named[w->a * things + w->b] = true;}
  }
  for (uint32_t x = 0; !p->no_more_left && x < things; x++) {
    for (uint32_t y = x + 1; w_is_item(p, x) && y < things; y++) {
      if (named[x * things + y] || named[y * things + x] || !w_is_item(p, y)) {continue;}
      w_u32(&table, x);
      w_u32(&table, y);
      w_u32(&table, 10);
    }
  }
  w_u32(b, (uint32_t)(table.size / 12));
  w_put(b, table.data, table.size);
  w_free(&table);
  free(named);
}

static void w_write_scene(w_bytes * b, const w_problem * p)
{
  w_bytes names = {NULL, 0, 0};
  w_name(&names, "test arm");
  w_u64(b, 7);
  w_u32(b, (uint32_t)p->frames);
  for (int i = 0; i < p->frames; i++) {
    w_write_frame(b, &p->frame[i]);
    w_name(&names, "frame");
    w_name(&names, "owner");
  }
  w_u32(b, (uint32_t)p->bodies);
  for (int i = 0; i < p->bodies; i++) {
    char name[32];
    snprintf(name, sizeof(name), "body %d", i);
    w_write_body(b, &p->body[i]);
    w_name(&names, name);
    w_name(&names, "id");
  }
  w_u32(b, (uint32_t)p->groups);
  for (int i = 0; i < p->groups; i++) {
    w_u32(b, p->group[i].right);
    w_u32(b, p->group[i].body);
  }
  w_u32(b, (uint32_t)p->pairs);
  for (int i = 0; i < p->pairs; i++) {
    w_f64(b, p->pair[i].margin);
    w_u32(b, p->pair[i].a);
    w_u32(b, p->pair[i].b);
    w_u32(b, p->pair[i].skips);
    w_u32(b, 0);
  }
  w_u32(b, (uint32_t)p->skips);
  for (int i = 0; i < p->skips; i++) {
    w_u32(b, p->skip[i].body);
    w_u32(b, p->skip[i].reason);
  }
  w_write_left(b, p);
  w_names(b, &names);
}

static void w_write_sources(w_bytes * b)
{
  w_bytes names = {NULL, 0, 0};
  w_u32(b, 1);
  for (int i = 0; i < 32; i++) {
    w_u8(b, (unsigned)i);
  }
  w_name(&names, "a test");
  w_name(&names, "robot");
  w_name(&names, "arm.urdf");
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
  w_u32(&b, 3);
  w_u32(&part, (uint32_t)p->geometries);
  for (int i = 0; i < p->geometries; i++) {
    w_write_geometry(&part, p->geometry[i]);
  }
  w_part(&b, 1, &part);
  w_write_motion(&part, p);
  w_part(&b, 2, &part);
  w_write_scene(&part, p);
  w_part(&b, 3, &part);
  w_write_sources(&part);
  w_part(&b, 4, &part);
  return b;
}

w_bytes w_certificate_head(const w_bytes * problem, int kind, uint64_t t_lo)
{
  w_bytes b = {NULL, 0, 0};
  size_t at = 12;
  w_put(&b, "VOUCHCRT", 8);
  w_u32(&b, 3);
  w_u32(&b, (uint32_t)kind);
  for (int i = 0; i < 4; i++) {
    uint8_t digest[32] = {0};
    uint64_t length = 0;
    if (at + 12 <= problem->size) {memcpy(&length, problem->data + at + 4, sizeof(length));}
    if (at + 12 <= problem->size && length <= problem->size - at - 12) {
      vouch_sha256(problem->data + at + 12, (size_t)length, digest);
      at += 12 + (size_t)length;
    }
    w_put(&b, digest, sizeof(digest));
  }
  w_u64(&b, t_lo);
  return b;
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

int w_verify(
  const w_bytes * problem, const w_bytes * certificate, struct vouch_verify_report * report)
{
  struct vouch_verifier * v = vouch_verify_load(problem->data, problem->size, report);
  const int code =
    v == NULL ? report->code : vouch_verify_check(v, certificate->data, certificate->size, report);
  free(v);
  return code;
}

int w_verify_free(const w_problem * p, w_bytes * ops, struct vouch_verify_report * report)
{
  w_bytes problem = w_write_problem(p);
  w_bytes certificate = w_certificate_head(&problem, 1, (uint64_t)p->segments * W_ONE);
  w_put(&certificate, ops->data, ops->size);
  const int code = w_verify(&problem, &certificate, report);
  w_free(&problem);
  w_free(&certificate);
  w_free(ops);
  return code;
}
