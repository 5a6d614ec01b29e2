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

/* Changes of problems: at the places that the reader of the format knows. */

#include "support/mutations.h"

#include <string.h>

double mutation_nudge(test_random_t * r, double scale)
{
  double by = scale * pow(10.0, test_random_in(r, -12.0, 0.0));
  return test_random_below(r, 2) ? by : -by;
}

/// Moves one of the eight-byte numbers of the problem.
static bool move(test_random_t * r, mutant_t * m, size_t at, double scale)
{
  double x;
  memcpy(&x, m->problem.data + at, sizeof(x));
  x += mutation_nudge(r, scale);
  x = test_random_below(r, 30) == 0 ? 0.0 : test_random_below(r, 30) == 0 ? -x : x;
  memcpy(m->problem.data + at, &x, sizeof(x));
  m->number_at = at;
  return true;
}

static bool set(mutant_t * m, size_t at, uint32_t x)
{
  memcpy(m->problem.data + at, &x, sizeof(x));
  return true;
}

static uint32_t get(const mutant_t * m, size_t at)
{
  uint32_t x;
  memcpy(&x, m->problem.data + at, sizeof(x));
  return x;
}

/// Exchanges two four-byte numbers.
static bool exchange(mutant_t * m, size_t x, size_t y)
{
  const uint32_t old = get(m, x);
  return set(m, x, get(m, y)) && set(m, y, old) && x != y;
}

/* ---- motion and scene ---- */

/// Removes bytes of a part.
static void cut_out(mutant_t * m, int part, size_t at, size_t size)
{
  uint64_t length;
  uint8_t * place = m->problem.data + m->file->body[part] - sizeof(length);
  memmove(m->problem.data + at, m->problem.data + at + size, m->problem.size - at - size);
  m->problem.size -= size;
  memcpy(&length, place, sizeof(length));
  length -= size;
  memcpy(place, &length, sizeof(length));
}

/// Puts bytes into a part.
static void put_in(mutant_t * m, int part, size_t at, const void * bytes, size_t size)
{
  uint64_t length;
  arb_bytes_put(&m->problem, bytes, size);   // somewhere, to have room
  uint8_t * place = m->problem.data + m->file->body[part] - sizeof(length);
  memmove(m->problem.data + at + size, m->problem.data + at, m->problem.size - at - size);
  memcpy(m->problem.data + at, bytes, size);
  memcpy(&length, place, sizeof(length));
  length += size;
  memcpy(place, &length, sizeof(length));
}

static bool mutate_motion(test_random_t * r, mutant_t * m, int kind)
{
  const arb_file_t * f = m->file;
  if (f->variable_count == 0) {
    return false;
  }
  if (kind == MUTATE_TOLERANCE) {
    return move(
      r, m,
      f->tolerances_at + ARB_VARIABLE * (size_t)test_random_below(r, f->variable_count), 0.1);
  }
  const uint32_t k = test_random_below(r, f->segment_count);
  if (kind == MUTATE_KNOTS) {   // the end of a segment, which is the beginning of the next
    const size_t at = f->segments_at + 32 * (size_t)k + 8;
    move(r, m, at, f->segments[k].to - f->segments[k].from);
    m->number_at = k + 1 < f->segment_count ? 0 : at;
    if (k + 1 < f->segment_count && test_random_below(r, 8) > 0) {
      memcpy(m->problem.data + at + 24, m->problem.data + at, sizeof(double));
    }
    return true;
  }
  const uint32_t v = test_random_below(r, f->variable_count);
  const uint32_t i = test_random_below(r, f->segments[k].degree + 1);
  const size_t index = (size_t)(arb_coefficients(f, k, v) - f->coefficients) + i;
  move(r, m, f->coefficients_at + 8 * index, 1.0);
  if (i == 0 && k > 0 && test_random_below(r, 4) > 0) {   // without a jump
    const size_t before = (size_t)(arb_coefficients(f, k - 1, v) - f->coefficients) +
      f->segments[k - 1].degree;
    memcpy(
      m->problem.data + f->coefficients_at + 8 * before,
      m->problem.data + f->coefficients_at + 8 * index, sizeof(double));
    m->number_at = 0;
  }
  return true;
}

static bool mutate_frame(test_random_t * r, mutant_t * m, int kind)
{
  const arb_file_t * f = m->file;
  const size_t frame = f->frames_at + ARB_FRAME * (size_t)test_random_below(r, f->frame_count);
  switch (kind) {
    case MUTATE_SHIFT:
      return move(r, m, frame + 8 * (4 + (size_t)test_random_below(r, 3)), 1.0);
    case MUTATE_FRAME:   // quaternion, axis, multiplier, offset
      return move(r, m, frame + 8 * (size_t)((4 + test_random_below(r, 9)) % 13 % 12), 1.0);
    default:   // parent, joint, variable
      return set(m, frame + 96 + 4 * (size_t)test_random_below(r, 3), test_random_below(r, 5));
  }
}

static bool mutate_body(test_random_t * r, mutant_t * m, int kind)
{
  const arb_file_t * f = m->file;
  const size_t body = f->bodies_at + ARB_BODY_RECORD * (size_t)test_random_below(r, f->body_count);
  if (kind == MUTATE_BODY) {
    return move(r, m, body + 8 * (size_t)test_random_below(r, 8), 1.0);   // or growth
  }
  const uint32_t field = test_random_below(r, 5) / 2;   // frame, kind, geometry
  const uint32_t below = field == 0 ? f->frame_count : field == 1 ? 3 : f->geometry_count + 1;
  return set(m, body + 64 + 4 * (size_t)field, test_random_below(r, below));
}

/// The halves of a tree in the other order: the same groups, in other places.
static bool exchange_children(mutant_t * m, uint32_t number)
{
  const arb_group_t * groups = m->file->groups, * g = &groups[number];
  const size_t at = m->file->groups_at;
  const uint32_t left = g->right - number - 1, right = g->end - g->right;
  if (g->right == 0) {
    return false;
  }
  for (uint32_t i = number + 1; i < g->end; i++) {
    const bool first = i < g->right;
    const uint32_t to = first ? i + right : i - left;
    const uint32_t child = groups[i].right == 0 ? 0 : groups[i].right + to - i;
    set(m, at + ARB_GROUP * (size_t)to, child);
    set(m, at + ARB_GROUP * (size_t)to + 4, groups[i].body);
  }
  return set(m, at + ARB_GROUP * (size_t)number, number + 1 + right);
}

static bool mutate_group(test_random_t * r, mutant_t * m, int kind)
{
  const arb_file_t * f = m->file;
  if (f->group_count == 0) {
    return false;
  }
  const uint32_t x = test_random_below(r, f->group_count), y = test_random_below(r, f->group_count);
  const size_t at = f->groups_at + ARB_GROUP * (size_t)x;
  const uint32_t field = test_random_below(r, 2);
  if (kind == MUTATE_GROUP_CHILDREN) {
    return exchange_children(m, x);
  }
  if (test_random_below(r, 2)) {
    return exchange(m, at + 4 * field, f->groups_at + ARB_GROUP * (size_t)y + 4 * field);
  }
  return set(m, at + 4 * field, test_random_below(r, f->group_count + f->body_count));
}

static uint32_t random_thing(test_random_t * r, const arb_file_t * f)
{
  return test_random_below(r, f->body_count + f->group_count + 1);
}

/// One more record behind some of a table, whose number of records is in front of it.
static void add_record(mutant_t * m, size_t table, uint32_t place, const void * record, size_t size)
{
  put_in(m, 2, table + place * size, record, size);
  set(m, table - 4, get(m, table - 4) + 1);
}

static void remove_record(mutant_t * m, size_t table, uint32_t place, size_t size)
{
  cut_out(m, 2, table + place * size, size);
  set(m, table - 4, get(m, table - 4) - 1);
}

/// A pair again, in front of another one; sometimes the other way round, with no margin, or in the
/// place of what is left out.
static bool repeat_pair(test_random_t * r, mutant_t * m, uint32_t pair)
{
  const arb_file_t * f = m->file;
  arb_pair_t p = f->pairs[pair];
  p.margin = test_random_below(r, 2) ? 0.0 : p.margin;
  p.skip_count = test_random_below(r, 2) ? 0 : p.skip_count;
  if (test_random_below(r, 4) == 0) {
    p.a = f->pairs[pair].b;
    p.b = f->pairs[pair].a;
  }
  const uint32_t last[2] = {p.skip_count, 0};
  uint8_t record[ARB_PAIR];
  memcpy(record, &p.margin, 8);
  memcpy(record + 8, &p.a, 4);
  memcpy(record + 12, &p.b, 4);
  memcpy(record + 16, last, 8);
  if (f->left_out_count > 0 && test_random_below(r, 2)) {
    remove_record(m, f->left_out_at, test_random_below(r, f->left_out_count), ARB_LEFT_OUT);
  }
  add_record(m, f->pairs_at, test_random_below(r, f->pair_count + 1), record, ARB_PAIR);
  return true;
}

static bool mutate_pair(test_random_t * r, mutant_t * m, int kind)
{
  const arb_file_t * f = m->file;
  uint32_t number = test_random_below(r, f->pair_count);
  for (uint32_t i = 0; kind == MUTATE_OWN_PAIR && !f->pairs[number].own; i++) {
    if (i == f->pair_count) {
      return false;
    }
    number = (number + 1) % f->pair_count;
  }
  const size_t pair = f->pairs_at + ARB_PAIR * (size_t)number;
  const size_t side = 8 + 4 * (size_t)test_random_below(r, 2);
  switch (kind) {
    case MUTATE_MARGIN:
      return move(r, m, pair, 1.0);
    case MUTATE_PAIR_AGAIN:
      return repeat_pair(r, m, number);
    case MUTATE_OWN_PAIR:   // away, against another, or somewhere else
      if (test_random_below(r, 2)) {
        uint8_t record[ARB_PAIR];
        memcpy(record, m->problem.data + pair, sizeof(record));
        remove_record(m, f->pairs_at, number, ARB_PAIR);
        if (test_random_below(r, 2)) {
          add_record(m, f->pairs_at, test_random_below(r, f->pair_count), record, sizeof(record));
        }
        return true;
      }
      return set(m, pair + side, random_thing(r, f));
    default:
      return test_random_below(r, 2) ? exchange(m, pair + 8, pair + 12) :
             set(m, pair + side, random_thing(r, f));
  }
}

/// What a record of what is left out says stands in a pair's place, and the other way round.
static bool exchange_with_pair(test_random_t * r, mutant_t * m, uint32_t number)
{
  const arb_file_t * f = m->file;
  const size_t left_out = f->left_out_at + ARB_LEFT_OUT * (size_t)number;
  const size_t pair = f->pairs_at + ARB_PAIR * (size_t)test_random_below(r, f->pair_count);
  return exchange(m, left_out, pair + 8) && exchange(m, left_out + 4, pair + 12);
}

static bool mutate_left_out(test_random_t * r, mutant_t * m, int kind)
{
  const arb_file_t * f = m->file;
  if (f->left_out_count == 0) {
    return false;
  }
  const uint32_t x = test_random_below(r, f->left_out_count);
  const uint32_t y = test_random_below(r, f->left_out_count);
  const size_t at = f->left_out_at + ARB_LEFT_OUT * (size_t)x;
  uint8_t record[ARB_LEFT_OUT];
  memcpy(record, m->problem.data + at, sizeof(record));
  if (kind == MUTATE_LEFT_OUT) {   // another item, another reason
    const uint32_t field = test_random_below(r, 3);
    return set(
      m, at + 4 * (size_t)field,
      field < 2 ? random_thing(r, f) : test_random_below(r, 13));
  }
  switch (test_random_below(r, 4)) {
    case 0:   // to another place, or it is gone
      remove_record(m, f->left_out_at, x, sizeof(record));
      if (test_random_below(r, 2)) {
        add_record(m, f->left_out_at, y, record, sizeof(record));
      }
      return true;
    case 1:   // twice
      add_record(m, f->left_out_at, y, record, sizeof(record));
      return true;
    case 2:
      return exchange(m, at, at + 4);
    default:
      return exchange_with_pair(r, m, x);
  }
}

/// A body of the pair's group, or any, is skipped by it; perhaps by a pair of its own.
static bool add_skip(test_random_t * r, mutant_t * m)
{
  const arb_file_t * f = m->file;
  const uint32_t number = test_random_below(r, f->pair_count);
  const arb_pair_t * p = &f->pairs[number];
  const uint32_t group = arb_group_of(f, arb_group_of(f, p->a) != ARB_NONE ? p->a : p->b);
  const uint32_t first = (uint32_t)(p->skips - f->skips);
  uint32_t record[2] = {test_random_below(r, f->body_count), test_random_below(r, 12)}, seen = 0;
  for (uint32_t i = group; group != ARB_NONE && i < f->groups[group].end; i++) {
    if (f->groups[i].right == 0 && test_random_below(r, ++seen) == 0) {
      record[0] = f->groups[i].body;
    }
  }
  const size_t pair = f->pairs_at + ARB_PAIR * (size_t)number;
  add_record(
    m, f->skips_at, first + test_random_below(r, p->skip_count + 1), record, sizeof(record));
  if (test_random_below(r, 8) > 0) {
    set(m, pair + 16, p->skip_count + 1);
  }
  if (record[1] == ARB_OWN_PAIR && test_random_below(r, 4) > 0) {
    uint8_t own[ARB_PAIR];
    memcpy(own, m->problem.data + pair, sizeof(own));
    memcpy(own + (group == arb_group_of(f, p->a) ? 8 : 12), &record[0], 4);
    memset(own + 16, 0, 8);
    add_record(m, f->pairs_at, number + 1, own, sizeof(own));
  }
  return true;
}

static bool mutate_skip(test_random_t * r, mutant_t * m, int kind)
{
  const arb_file_t * f = m->file;
  if (kind == MUTATE_SKIP_ADDED) {
    return add_skip(r, m);
  }
  if (f->skip_count == 0) {
    return false;
  }
  const uint32_t x = test_random_below(r, f->skip_count), y = test_random_below(r, f->skip_count);
  const size_t at = f->skips_at + ARB_SKIP * (size_t)x;
  const uint32_t field = test_random_below(r, 2);
  if (test_random_below(r, 4) == 0) {
    return exchange(m, at + 4 * field, f->skips_at + ARB_SKIP * (size_t)y + 4 * field);
  }
  return set(m, at + 4 * field, field == 0 ? random_thing(r, f) : test_random_below(r, 13));
}

/* ---- geometry ---- */

/// Edges whose twins are gone take others that begin where they end.
static void take_other_twins(test_random_t * r, mutant_t * m, const arb_geometry_t * g, bool * gone)
{
  for (uint32_t i = 0; i < 3 * g->node_count; i++) {
    const arb_node_t * n = &g->nodes[i / 3];
    const size_t at = n->twins_at + 4 * (size_t)(i % 3);
    if (n->solid == 0 || gone[i / 3] || !gone[get(m, at) / 3]) {
      continue;
    }
    uint32_t seen = 0;
    for (uint32_t k = 0; k < 3 * g->node_count; k++) {
      const arb_node_t * o = &g->nodes[k / 3];
      if (o->solid == n->solid && !gone[k / 3] && o->list[k % 3] == n->list[(i + 1) % 3] &&
        test_random_below(r, ++seen) == 0)
      {
        set(m, at, k);
      }
    }
  }
}

/// Some triangles are no longer of their solid, or all are not.
static bool forget_solid(test_random_t * r, mutant_t * m, const arb_geometry_t * g)
{
  enum { MOST = 256 };
  const bool all = test_random_below(r, 2) == 0;
  bool gone[MOST] = {false}, any = false;
  for (uint32_t i = 0; i < g->node_count && i < MOST; i++) {
    gone[i] = g->nodes[i].solid > 0 && (all || test_random_below(r, 12) == 0);
  }
  if (g->node_count > MOST) {
    return false;
  }
  take_other_twins(r, m, g, gone);
  for (uint32_t i = 0; i < g->node_count; i++) {   // later nodes stand before it
    const arb_node_t * n = &g->nodes[i];
    if (gone[i]) {
      set(m, g->nodes_at + 16 * (size_t)i + 8, 0);
      cut_out(m, 0, n->twins_at, 12);
      any = true;
    }
  }
  return any;
}

/// The node's list is left out, and so are its witnesses: it keeps all that its children do.
static bool forget_list(mutant_t * m, const arb_geometry_t * g, uint32_t node)
{
  const arb_node_t * n = &g->nodes[node];
  cut_out(m, 0, n->witnesses_at, 16 * (size_t)n->witness_count);
  cut_out(m, 0, n->list_at, 4 * (size_t)n->listed);
  return n->listed > 0 && set(m, g->nodes_at + 16 * (size_t)node + 4, 0);
}

static bool mutate_flags(test_random_t * r, mutant_t * m, const arb_geometry_t * g, uint32_t node)
{
  const size_t at = g->nodes_at + 16 * (size_t)node;
  switch (test_random_below(r, 5)) {
    case 0:
      return set(m, at + 12, 1 - (g->nodes[node].open != 0));
    case 3:
      return forget_list(m, g, node);
    case 1:
      return set(m, at + 8, test_random_below(r, 4));
    case 2:
      return set(m, at, test_random_below(r, g->node_count + 2));
    default:
      for (uint32_t i = 0; i < g->node_count; i++) {   // all solids get another number
        if (g->nodes[i].solid > 0) {
          set(m, g->nodes_at + 16 * (size_t)i + 8, 3 - g->nodes[i].solid);
        }
      }
      return true;
  }
}

static bool mutate_node(test_random_t * r, mutant_t * m, const arb_geometry_t * g, int kind)
{
  uint32_t number = test_random_below(r, g->node_count);
  for (int i = 0; i < 20; i++) {   // one that has something to change
    const arb_node_t * n = &g->nodes[number];
    if (kind == MUTATE_HULL ? n->witness_count > 0 : kind == MUTATE_LIST ? n->listed > 0 :
      kind != MUTATE_TWINS || n->solid > 0)
    {
      break;
    }
    number = test_random_below(r, g->node_count);
  }
  const arb_node_t * n = &g->nodes[number];
  const size_t list = n->list_at, twins = n->twins_at;
  const uint32_t i = test_random_below(r, n->count), k = test_random_below(r, n->count);
  switch (kind) {
    case MUTATE_LIST:
      if (n->listed == 0) {
        return false;
      }
      return test_random_below(
        r,
        3) == 0 ? exchange(m, list + 4 * (size_t)i, list + 4 * (size_t)k) :
             set(m, list + 4 * (size_t)i, test_random_below(r, g->vertex_count));
    case MUTATE_HULL: {
        if (n->witness_count == 0) {
          return false;
        }
        uint8_t * w = m->problem.data + n->witnesses_at +
          16 * (size_t)test_random_below(r, n->witness_count);
        const uint32_t field = test_random_below(r, 7);
        float x;
        memcpy(&x, w + 4 * (field % 3), sizeof(x));
        x += (float)mutation_nudge(r, 1.0);
        if (field < 3) {
          memcpy(w + 4 * field, &x, sizeof(x));
        } else {
          w[9 + field] = (uint8_t)test_random_below(r, n->count + 1);
        }
        return true;
      }
    case MUTATE_TWINS:
      if (n->solid == 0) {
        return false;
      }
      return test_random_below(r, 2) ? exchange(m, twins + 4 * (i % 3), twins + 4 * (k % 3)) :
             set(m, twins + 4 * (i % 3), test_random_below(r, 3 * g->node_count));
    default:
      return mutate_flags(r, m, g, number);
  }
}

static bool mutate_geometry(test_random_t * r, mutant_t * m, int kind)
{
  const arb_file_t * f = m->file;
  const arb_geometry_t * g = &f->geometries[test_random_below(r, f->geometry_count)];
  switch (kind) {
    case MUTATE_VERTEX:
      return move(
        r, m, g->vertices_at + 8 * (size_t)test_random_below(r, 3 * g->vertex_count), 1.0);
    case MUTATE_ROUND:
      return g->round_count > 0 &&
             move(r, m, g->rounds_at + 8 * (size_t)test_random_below(r, 9 * g->round_count), 0.3);
    case MUTATE_FORGET:
      return forget_solid(r, m, g);
    case MUTATE_WORDS: {   // a number, of four bytes or eight, takes the place of another
        const size_t size = test_random_below(r, 2) ? 4 : 8, words = (f->length[0] - size) / 4;
        uint8_t * body = m->problem.data + f->body[0];
        memmove(
          body + 4 * (test_random_bits(r) % words), body + 4 * (test_random_bits(r) % words), size);
        return true;
      }
    default:
      return mutate_node(r, m, g, kind);
  }
}

bool mutate_problem(test_random_t * r, mutant_t * m, int kind)
{
  switch (kind) {
    case MUTATE_TRAJECTORY: case MUTATE_TOLERANCE: case MUTATE_KNOTS:
      return mutate_motion(r, m, kind);
    case MUTATE_SHIFT: case MUTATE_FRAME: case MUTATE_LINK:
      return mutate_frame(r, m, kind);
    case MUTATE_BODY: case MUTATE_BODY_FRAME:
      return mutate_body(r, m, kind);
    case MUTATE_GROUP: case MUTATE_GROUP_CHILDREN:
      return mutate_group(r, m, kind);
    case MUTATE_MARGIN: case MUTATE_PAIR: case MUTATE_PAIR_AGAIN: case MUTATE_OWN_PAIR:
      return mutate_pair(r, m, kind);
    case MUTATE_LEFT_OUT: case MUTATE_LEFT_OUT_MOVED:
      return mutate_left_out(r, m, kind);
    case MUTATE_SKIP: case MUTATE_SKIP_ADDED:
      return mutate_skip(r, m, kind);
    default:
      return mutate_geometry(r, m, kind);
  }
}
