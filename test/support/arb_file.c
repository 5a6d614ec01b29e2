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

#include "support/arb_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes ---- */

typedef struct
{
  arb_file_t * file;
  const uint8_t * data;
  size_t at, end;
  bool good;
} reader_t;

static void fail(reader_t * r, const char * why)
{
  if (r->good) {
    r->file->reason = why;
  }
  r->good = false;
}

/// Memory that arb_file_free() gives back; at least one byte.
static void * keep(reader_t * r, size_t count, size_t size)
{
  void ** block = calloc(1, sizeof(void *) * 2 + count * size + 1);
  if (block == NULL) {
    abort();
  }
  block[0] = r->file->blocks;
  r->file->blocks = block;
  return block + 2;
}

static void take(reader_t * r, void * out, size_t size)
{
  if (!r->good || size > r->end - r->at) {
    fail(r, "the file is cut");
    memset(out, 0, size);
    return;
  }
  memcpy(out, r->data + r->at, size);
  r->at += size;
}

static uint32_t take_u32(reader_t * r)
{
  uint32_t x;
  take(r, &x, sizeof(x));
  return x;
}

static void take_doubles(reader_t * r, double * out, size_t count, double most)
{
  take(r, out, count * sizeof(double));
  for (size_t i = 0; i < count; i++) {
    if (!(fabs(out[i]) <= most)) {
      fail(r, "a number is beyond its limit");
    }
  }
}

static void take_zero(reader_t * r)
{
  if (take_u32(r) != 0) {
    fail(r, "a field is not 0");
  }
}

/// An f64, of which no bit is set.
static void take_zeros(reader_t * r)
{
  take_zero(r);
  take_zero(r);
}

/// The number of records of a table that fits into what is left; 0 if it does not.
static uint32_t take_count(reader_t * r, size_t record)
{
  uint32_t count = take_u32(r);
  if (count > (r->end - r->at) / record) {
    fail(r, "a table is cut");
  }
  return r->good ? count : 0;
}

/// A table of so many strings, each with its end.
static void take_names(reader_t * r, uint64_t strings)
{
  const uint32_t size = take_count(r, 1);
  uint8_t last = 0;
  for (uint32_t i = 0; i < size; i++) {
    take(r, &last, 1);
    strings -= last == 0;
  }
  if (last != 0 || strings != 0) {
    fail(r, "names are missing, or too many");
  }
}

/* ---- geometry ---- */

static bool in_list(const arb_node_t * node, uint32_t vertex)
{
  for (uint32_t i = 0; i < node->count; i++) {
    if (node->list[i] == vertex) {
      return true;
    }
  }
  return false;
}

/// What the children's lists have, those of the left one first.
static void unite(reader_t * r, const arb_geometry_t * g, arb_node_t * n)
{
  const arb_node_t * children[2] = {n + 1, &g->nodes[n->right]};
  n->list = keep(r, (size_t)children[0]->count + children[1]->count, sizeof(uint32_t));
  for (int k = 0; k < 2; k++) {
    for (uint32_t i = 0; i < children[k]->count; i++) {
      if (!in_list(n, children[k]->list[i])) {
        n->list[n->count++] = children[k]->list[i];
      }
    }
  }
}

static void read_witness(reader_t * r, uint32_t count)
{
  float weight[3];
  uint8_t position[4];
  take(r, weight, sizeof(weight));
  take(r, position, sizeof(position));
  for (int i = 0; i < 4; i++) {
    if (position[i] >= count || !(i == 3 || (weight[i] >= 0.0f && weight[i] <= 1.0f))) {
      fail(r, "a witness names no point, or has a weight that is none");
    }
  }
}

static void read_node(reader_t * r, arb_geometry_t * g, uint32_t number)
{
  arb_node_t * n = &g->nodes[number];
  if (n->count > (r->end - r->at) / 4) {
    fail(r, "a list is cut");
    return;
  }
  n->listed = n->count;
  n->list = keep(r, n->count, sizeof(uint32_t));
  n->list_at = r->at;
  take(r, n->list, n->count * sizeof(uint32_t));
  for (uint32_t i = 0; i < n->count; i++) {
    if (n->list[i] == 0 || n->list[i] >= g->vertex_count) {
      fail(r, "no such vertex");
    }
  }
  n->twins_at = r->at;
  uint32_t twins[3];
  take(r, twins, n->solid > 0 ? sizeof(twins) : 0);
  n->witnesses_at = r->at;
  if ((n->count == 0 && n->right == 0) || n->open > 1 ||
    (n->solid > 0 && (n->right > 0 || n->count != 3)))
  {
    fail(r, "a node of nothing, or a solid not of triangles");
  }
  if (n->right == 0 || !r->good) {
    return;
  }
  if (n->right <= number + 1 || n->right >= g->node_count) {
    fail(r, "no such child");
    return;
  }
  if (n->count == 0) {
    unite(r, g, n);
  }
  const uint32_t children[2] = {number + 1, n->right};
  for (int k = 0; k < 2; k++) {
    const arb_node_t * child = &g->nodes[children[k]];
    for (uint32_t i = 0; i < child->count; i++) {
      n->witness_count += !in_list(n, child->list[i]);
    }
  }
  for (uint32_t i = 0; r->good && i < n->witness_count; i++) {
    read_witness(r, n->count);
  }
}

/// Every node but the root is the child of one; one node is open, if any.
static void check_tree(reader_t * r, const arb_geometry_t * g)
{
  uint8_t * parents = keep(r, g->node_count, 1);
  uint32_t open = 0;
  for (uint32_t i = 0; r->good && i < g->node_count; i++) {
    open += g->nodes[i].open;
    if (parents[i] != (i > 0) || open > 1) {
      fail(r, "a node has no parent, or two; or two nodes are open");
    }
    for (int k = 0; g->nodes[i].right > 0 && k < 2; k++) {
      uint8_t * count = &parents[k == 0 ? i + 1 : g->nodes[i].right];
      *count = (uint8_t)(*count + (*count < 2));
    }
  }
}

/// Twins lead there and back, and are each other's. Without that the judge still knows whether a
/// solid is closed.
static void check_twins(reader_t * r, const arb_geometry_t * g)
{
  for (uint32_t i = 0; r->good && i < g->node_count; i++) {
    const arb_node_t * n = &g->nodes[i];
    for (uint32_t k = 0; r->good && n->solid > 0 && k < 3; k++) {
      uint32_t twin, back = ARB_NONE;
      memcpy(&twin, r->data + n->twins_at + 4 * (size_t)k, sizeof(twin));
      const arb_node_t * o = twin / 3 < g->node_count ? &g->nodes[twin / 3] : NULL;
      if (o != NULL && o->solid == n->solid) {
        memcpy(&back, r->data + o->twins_at + 4 * (size_t)(twin % 3), sizeof(back));
      }
      if (back != 3 * i + k || o->list[twin % 3] != n->list[(k + 1) % 3] ||
        o->list[(twin + 1) % 3] != n->list[k] ||
        (twin == back) != (n->list[k] == n->list[(k + 1) % 3]))
      {
        fail(r, "an edge has no twin");
      }
    }
  }
}

static void read_geometry(reader_t * r, arb_geometry_t * g)
{
  g->vertex_count = take_count(r, 24);
  g->vertices_at = r->at;
  g->vertices = keep(r, g->vertex_count, 24);
  take_doubles(r, (double *)g->vertices, 3 * (size_t)g->vertex_count, 1e6);
  g->round_count = take_count(r, 72);
  g->rounds_at = r->at;
  g->rounds = keep(r, g->round_count, 72);
  take_doubles(r, (double *)g->rounds, 9 * (size_t)g->round_count, 1e6);
  g->node_count = take_count(r, 16);
  g->nodes_at = r->at;
  g->nodes = keep(r, g->node_count, sizeof(arb_node_t));
  for (uint32_t i = 0; i < g->node_count; i++) {
    take(r, &g->nodes[i], 16);
  }
  if (g->node_count == 0 || g->round_count >= g->vertex_count) {
    fail(r, "a geometry of nothing");
  }
  for (uint32_t i = g->node_count; r->good && i-- > 0; ) {
    read_node(r, g, i);
  }
  check_tree(r, g);
  check_twins(r, g);
}

static void read_geometries(reader_t * r)
{
  arb_file_t * f = r->file;
  f->geometry_count = take_count(r, 12);
  f->geometries = keep(r, f->geometry_count, sizeof(arb_geometry_t));
  for (uint32_t i = 0; r->good && i < f->geometry_count; i++) {
    read_geometry(r, &f->geometries[i]);
  }
}

/* ---- motion ---- */

static void read_segments(reader_t * r, double seconds)
{
  arb_file_t * f = r->file;
  for (uint32_t i = 0; i < f->segment_count; i++) {
    double x[3];
    take_doubles(r, x, 3, 1e9);
    f->segments[i] = (arb_segment_t) {x[0], x[1], x[2], take_u32(r), NULL};
    take_zero(r);
    if (!(x[0] >= 0.0 && x[0] + 1e-12 <= x[1] && x[2] >= seconds) ||
      (i > 0 && (x[0] < f->segments[i - 1].to || x[0] > f->segments[i - 1].to)))
    {
      fail(r, "a knot is not after the one before");
    }
    seconds = x[2];
  }
}

static void read_motion(reader_t * r)
{
  arb_file_t * f = r->file;
  if (take_u32(r) != 1) {
    fail(r, "another kind of motion");
  }
  take_doubles(r, &f->seconds, 1, 1e9);
  f->variable_count = take_count(r, ARB_VARIABLE);
  f->tolerances_at = r->at;
  f->tolerances = keep(r, f->variable_count, 8);
  for (uint32_t i = 0; i < f->variable_count; i++) {
    take_doubles(r, &f->tolerances[i], 1, 1e6);
    take_zeros(r);
  }
  f->segment_count = take_count(r, 32);
  f->segments_at = r->at;
  f->segments = keep(r, f->segment_count, sizeof(arb_segment_t));
  read_segments(r, f->seconds);
  f->coefficient_count = take_count(r, 8);
  f->coefficients_at = r->at;
  f->coefficients = keep(r, f->coefficient_count, 8);
  take_doubles(r, f->coefficients, f->coefficient_count, 65536.0);
  take_names(r, 1 + (uint64_t)f->variable_count);
  size_t used = 0;
  for (uint32_t i = 0; r->good && i < f->segment_count; i++) {
    f->segments[i].b = f->coefficients + used;
    used += (f->segments[i].degree + (size_t)1) * f->variable_count;
    if (f->segments[i].degree < 1 || f->segments[i].degree > 5 || used > f->coefficient_count) {
      fail(r, "coefficients are missing, or a degree is wrong");
    }
  }
  for (uint32_t i = 0; i < f->variable_count; i++) {
    if (!(f->tolerances[i] >= 0.0)) {
      fail(r, "a negative tolerance");
    }
  }
  if (f->segment_count == 0 || f->segment_count >= 1 << 20 || used != f->coefficient_count) {
    fail(r, "no motion, or coefficients of no segment");
  }
}

/* ---- scene ---- */

static void read_frames(reader_t * r)
{
  arb_file_t * f = r->file;
  f->frame_count = take_count(r, ARB_FRAME);
  f->frames_at = r->at;
  f->frames = keep(r, f->frame_count, sizeof(arb_frame_t));
  for (uint32_t i = 0; i < f->frame_count; i++) {
    take_doubles(r, f->frames[i].pose, 12, 1e6);   // with axis, multiplier and offset
    take(r, &f->frames[i].parent, 16);
  }
}

static void read_bodies(reader_t * r)
{
  arb_file_t * f = r->file;
  f->body_count = take_count(r, ARB_BODY_RECORD);
  f->bodies_at = r->at;
  f->bodies = keep(r, f->body_count, sizeof(arb_body_t));
  for (uint32_t i = 0; i < f->body_count; i++) {
    take_doubles(r, f->bodies[i].placement, 8, 1e6);   // with the growth
    if (signbit(f->bodies[i].growth)) {
      fail(r, "a body shrinks");
    }
    take(r, &f->bodies[i].frame, 16);
  }
  f->group_count = take_count(r, ARB_GROUP);
  f->groups_at = r->at;
  f->groups = keep(r, f->group_count, sizeof(arb_group_t));
  for (uint32_t i = 0; i < f->group_count; i++) {
    take(r, &f->groups[i], ARB_GROUP);
  }
}

static void read_pairs(reader_t * r)
{
  arb_file_t * f = r->file;
  f->pair_count = take_count(r, ARB_PAIR);
  f->pairs_at = r->at;
  f->pairs = keep(r, f->pair_count, sizeof(arb_pair_t));
  for (uint32_t i = 0; i < f->pair_count; i++) {
    take_doubles(r, &f->pairs[i].margin, 1, 1e6);
    take(r, &f->pairs[i].a, 12);
    take_zero(r);
  }
  f->skip_count = take_count(r, ARB_SKIP);
  f->skips_at = r->at;
  f->skips = keep(r, f->skip_count, ARB_SKIP);
  take(r, f->skips, ARB_SKIP * (size_t)f->skip_count);
  f->left_out_count = take_count(r, ARB_LEFT_OUT);
  f->left_out_at = r->at;
  f->left_out = keep(r, f->left_out_count, ARB_LEFT_OUT);
  take(r, f->left_out, ARB_LEFT_OUT * (size_t)f->left_out_count);
}

static void read_scene(reader_t * r)
{
  uint64_t revision;
  take(r, &revision, sizeof(revision));
  read_frames(r);
  read_bodies(r);
  read_pairs(r);
  take_names(r, 1 + 2 * ((uint64_t)r->file->frame_count + r->file->body_count));
  const char * why = r->good ? arb_scene_refuses(r->file) : NULL;
  if (why != NULL) {
    fail(r, why);
  }
}

static void read_sources(reader_t * r)
{
  const uint32_t files = take_count(r, 32);
  r->at += r->good ? 32 * (size_t)files : 0;
  take_names(r, 1 + 2 * (uint64_t)files);
}

/* ---- files ---- */

bool arb_file_read(arb_file_t * file, const void * data, size_t size)
{
  static const char head[ARB_PROBLEM_HEAD + 1] = "VOUCHPRB\3\0\0\0";
  static void(*const parts[ARB_PARTS])(reader_t *) = {read_geometries, read_motion, read_scene,
    read_sources};
  reader_t r = {file, data, 0, size, true};
  char magic[ARB_PROBLEM_HEAD];
  *file = (arb_file_t) {.data = data};
  take(&r, magic, sizeof(magic));
  if (memcmp(magic, head, sizeof(magic)) != 0) {
    fail(&r, "not a problem of version 3");
  }
  for (uint32_t i = 0; i < ARB_PARTS; i++) {
    uint32_t tag = take_u32(&r);
    uint64_t length;
    take(&r, &length, sizeof(length));
    if (tag != i + 1 || length > size - r.at) {
      fail(&r, "a part is missing");
      length = 0;
    }
    file->body[i] = r.at;
    file->length[i] = (size_t)length;
    r.end = r.at + (size_t)length;
    parts[i](&r);
    if (r.at != r.end) {
      fail(&r, "bytes are left over");
    }
    r.end = size;
  }
  if (r.at != size) {
    fail(&r, "bytes are left over");
  }
  if (!r.good) {
    arb_file_free(file);
  }
  return r.good;
}

void arb_file_free(arb_file_t * file)
{
  while (file->blocks != NULL) {
    void * next = *(void **)file->blocks;
    free(file->blocks);
    file->blocks = next;
  }
}

const char * arb_proof_read(arb_proof_t * p, const void * data, size_t size)
{
  static const char head[ARB_PROBLEM_HEAD + 1] = "VOUCHCRT\3\0\0\0";
  arb_file_t file = {.reason = NULL};
  reader_t r = {&file, data, ARB_PROBLEM_HEAD, size, true};
  *p = (arb_proof_t) {.kind = 0};
  if (size < ARB_WITNESS || memcmp(data, head, ARB_PROBLEM_HEAD) != 0) {
    return "not a certificate of version 3";
  }
  p->kind = take_u32(&r);
  take(&r, p->hashes, sizeof(p->hashes));
  take(&r, &p->t_lo, sizeof(p->t_lo));
  if (p->kind == 2) {
    take(&r, &p->t_hi, sizeof(p->t_hi));
    take(&r, &p->pair, 32);
    p->point_count = take_count(&r, ARB_POINT);
    if (p->point_count != 0 && p->point_count != 8) {
      fail(&r, "neither eight points nor a ray");
      p->point_count = 0;
    }
    for (uint32_t i = 0; i < p->point_count; i++) {
      take_doubles(&r, p->points[i].u, 3, 1e6);
      take_doubles(&r, p->points[i].weight, 3, 1.0);
      take(&r, p->points[i].position, 16);
    }
    uint8_t tag = 'I';
    if (p->point_count == 0) {
      take(&r, &tag, 1);
      take(&r, p->ray, sizeof(p->ray));
    }
    if (tag != 'I') {
      fail(&r, "the ray is missing");
    }
  }
  p->ops_at = r.at;
  p->ops = r.data + r.at;
  p->ops_size = size - r.at;
  return r.good && p->kind != 1 && p->kind != 2 ? "another kind" : file.reason;
}

size_t arb_op_size(uint8_t tag)
{
  return tag == 'L' || tag == 'I' ? 13 : tag == 'D' ? 25 : 1;
}

const double * arb_coefficients(const arb_file_t * file, uint64_t segment, uint32_t variable)
{
  const arb_segment_t * s = &file->segments[segment];
  return s->b + variable * (s->degree + (size_t)1);
}

bool arb_is_start(const arb_file_t * file, uint64_t knot)
{
  for (uint32_t v = 0; knot > 0 && v < file->variable_count; v++) {
    const double * before = arb_coefficients(file, knot - 1, v) + file->segments[knot - 1].degree;
    if (memcmp(before, arb_coefficients(file, knot, v), sizeof(double)) != 0) {
      return true;
    }
  }
  return knot == 0;
}
