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

static bool mutate_motion(test_random_t * r, mutant_t * m, int kind)
{
  const arb_file_t * f = m->file;
  if (f->variable_count == 0) {
    return false;
  }
  if (kind == MUTATE_TOLERANCE) {
    return move(r, m, f->tolerances_at + 8 * (size_t)test_random_below(r, f->variable_count), 0.1);
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

static bool mutate_scene(test_random_t * r, mutant_t * m, int kind)
{
  const arb_file_t * f = m->file;
  const uint32_t number = test_random_below(r, f->frame_count);
  const size_t frame = f->frames_at + ARB_FRAME * (size_t)number;
  const size_t pair = f->pairs_at + 16 * (size_t)test_random_below(r, f->pair_count);
  switch (kind) {
    case MUTATE_SHIFT:
      return move(r, m, frame + 8 * (4 + (size_t)test_random_below(r, 3)), 1.0);
    case MUTATE_FRAME:   // quaternion, axis, multiplier, offset
      return move(r, m, frame + 8 * (size_t)((4 + test_random_below(r, 9)) % 13 % 12), 1.0);
    case MUTATE_LINK:   // parent, joint, variable, kind, geometry
      return set(m, frame + 96 + 4 * (size_t)test_random_below(r, 5), test_random_below(r, 5));
    case MUTATE_MARGIN:
      return move(r, m, pair, 1.0);
    default:
      return test_random_below(r, 2) ? exchange(m, pair + 8, pair + 12) :
             set(m, pair + 8 + 4 * (size_t)test_random_below(r, 2), number);
  }
}

/* ---- geometry ---- */

/// Removes bytes of the geometry.
static void cut_out(mutant_t * m, size_t at, size_t size)
{
  uint64_t length;
  uint8_t * place = m->problem.data + m->file->body[0] - sizeof(length);
  memmove(m->problem.data + at, m->problem.data + at + size, m->problem.size - at - size);
  m->problem.size -= size;
  memcpy(&length, place, sizeof(length));
  length -= size;
  memcpy(place, &length, sizeof(length));
}

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
      cut_out(m, n->twins_at, 12);
      any = true;
    }
  }
  return any;
}

/// The node's list is left out, and so are its witnesses: it keeps all that its children do.
static bool forget_list(mutant_t * m, const arb_geometry_t * g, uint32_t node)
{
  const arb_node_t * n = &g->nodes[node];
  cut_out(m, n->witnesses_at, 16 * (size_t)n->witness_count);
  cut_out(m, n->list_at, 4 * (size_t)n->listed);
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
    case MUTATE_SHIFT: case MUTATE_FRAME: case MUTATE_LINK: case MUTATE_MARGIN: case MUTATE_PAIR:
      return mutate_scene(r, m, kind);
    default:
      return mutate_geometry(r, m, kind);
  }
}
