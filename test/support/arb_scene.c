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

/* What the tables of a scene must say (docs/certificate_format.md, "Scene body"): every two items
 * are checked or left out, once. By brute force: each pair, and each record of what is left out, is
 * marked in a matrix of all bodies and groups. */

#include "support/arb_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- frames and bodies ---- */

static bool is_rotation(const double q[4])
{
  const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return fabs(size - 1.0) <= 1e-3 * (1.0 + 1e-9);   // this is rounded; the limit is not
}

static bool all_zero(const double * x, size_t count)
{
  static const double zero[8];
  return memcmp(x, zero, count * sizeof(double)) == 0;   // not -0
}

static const char * frames_refuse(const arb_file_t * file)
{
  static const double identity[7] = {0, 0, 0, 1, 0, 0, 0};
  uint32_t * depth = calloc((size_t)file->frame_count + 1, sizeof(uint32_t));
  const char * why = file->frame_count == 0 ? "there is no root" : NULL;
  if (depth == NULL) {
    abort();
  }
  for (uint32_t i = 0; why == NULL && i < file->frame_count; i++) {
    const arb_frame_t * f = &file->frames[i];
    const bool fixed = f->joint == ARB_FIXED;
    const bool unmoved = memcmp(f->pose, identity, sizeof(identity)) == 0;
    if (i == 0 ? f->parent != 0 || !fixed || !unmoved : f->parent >= i) {
      why = "the root is none, or a frame has no parent";
      break;
    }
    depth[i] = i == 0 ? 0 : depth[f->parent] + 1;
    if (depth[i] > 255 || f->zero != 0 || f->joint > ARB_PRISMATIC || !is_rotation(f->pose)) {
      why = "a frame is too deep, has no such joint, or no rotation";
    } else if (fixed && (!all_zero(f->axis, 5) || f->variable != 0)) {   // multiplier, offset
      why = "a frame that is fixed has an axis or a variable";
    } else if (!fixed && (f->variable >= file->variable_count ||
      !(hypot(hypot(f->axis[0], f->axis[1]), f->axis[2]) > 1e-6 * (1.0 - 1e-9))))
    {
      why = "a joint has no variable or no axis";
    }
  }
  free(depth);
  return why;
}

static const char * bodies_refuse(const arb_file_t * file)
{
  for (uint32_t i = 0; i < file->body_count; i++) {
    const arb_body_t * b = &file->bodies[i];
    const bool none = b->geometry == ARB_NONE;
    if (b->frame >= file->frame_count || b->kind > ARB_PLANE || b->zero != 0 ||
      !is_rotation(b->placement) ||
      (b->kind == ARB_BODY ? b->geometry >= file->geometry_count : !none))
    {
      return "a body has no such frame, kind or geometry, or is not rotated";
    }
  }
  return NULL;
}

/* ---- groups ---- */

uint32_t arb_group_of(const arb_file_t * file, uint32_t thing)
{
  return thing >= file->body_count && thing - file->body_count < file->group_count ?
         thing - file->body_count : ARB_NONE;
}

static const arb_group_t * group_at(const arb_file_t * file, uint32_t thing)
{
  const uint32_t group = arb_group_of(file, thing);
  return group == ARB_NONE ? NULL : &file->groups[group];
}

/// From the last one on: children are behind their parents, the right one where the left one ends.
static const char * groups_refuse(arb_file_t * file)
{
  const uint32_t count = file->group_count;
  bool * beneath = calloc((size_t)count + 1, sizeof(bool));
  bool * grouped = calloc((size_t)file->body_count + 1, sizeof(bool));
  const char * why = NULL;
  if (beneath == NULL || grouped == NULL) {
    abort();
  }
  for (uint32_t i = count; why == NULL && i-- > 0; ) {
    arb_group_t * g = &file->groups[i];
    if (g->right == 0) {
      if (g->body >= file->body_count || file->bodies[g->body].kind != ARB_BODY ||
        grouped[g->body])
      {
        why = "a group over no body, or over one that is in another";
        break;
      }
      grouped[g->body] = true;
      g->frame = file->bodies[g->body].frame;
      g->end = i + 1;
      continue;
    }
    if (g->body != ARB_NONE || i + 1 >= count || g->right >= count ||
      g->right != file->groups[i + 1].end || beneath[i + 1] || beneath[g->right] ||
      file->groups[i + 1].frame != file->groups[g->right].frame)
    {
      why = "a group has no such children, or they ride on two frames";
      break;
    }
    beneath[i + 1] = beneath[g->right] = true;
    g->frame = file->groups[i + 1].frame;
    g->end = file->groups[g->right].end;
  }
  for (uint32_t i = 0; why == NULL && i < count; i++) {
    arb_group_t * g = &file->groups[i];
    g->root = beneath[i] ? g->root : i;
    why = g->depth > 255 ? "a group is too deep" : NULL;
    for (int k = 0; g->right != 0 && k < 2; k++) {
      arb_group_t * child = &file->groups[k == 0 ? i + 1 : g->right];
      child->depth = g->depth + 1;
      child->root = g->root;
    }
  }
  free(beneath);
  free(grouped);
  return why;
}

/// Where a body stands among those beneath a group; ARB_NONE: it is none of them.
static uint32_t place_in(const arb_file_t * file, const arb_group_t * group, uint32_t body)
{
  const uint32_t first = (uint32_t)(group - file->groups);
  for (uint32_t i = first; i < group->end; i++) {
    if (file->groups[i].right == 0 && file->groups[i].body == body) {
      return i;
    }
  }
  return ARB_NONE;
}

bool arb_is_checked(const arb_file_t * file, const arb_pair_t * pair, uint32_t group)
{
  for (uint32_t i = group; i < file->groups[group].end; i++) {
    bool skipped = file->groups[i].right != 0;
    for (uint32_t k = 0; !skipped && k < pair->skip_count; k++) {
      skipped = pair->skips[k].body == file->groups[i].body;
    }
    if (!skipped) {
      return true;
    }
  }
  return false;
}

bool arb_checks_body(const arb_file_t * file, const arb_pair_t * pair, int side, uint32_t body)
{
  const uint32_t thing = side == 0 ? pair->a : pair->b;
  const arb_group_t * group = group_at(file, thing);
  const uint32_t place = group != NULL ? place_in(file, group, body) : ARB_NONE;
  return group == NULL ? thing == body : place != ARB_NONE && arb_is_checked(file, pair, place);
}

bool arb_checks_any(const arb_file_t * file, const arb_pair_t * pair)
{
  const uint32_t a = arb_group_of(file, pair->a), b = arb_group_of(file, pair->b);
  return (a == ARB_NONE || arb_is_checked(file, pair, a)) &&
         (b == ARB_NONE || arb_is_checked(file, pair, b));
}

/* ---- what is checked and what is not ---- */

typedef struct
{
  const arb_file_t * file;
  uint32_t things;
  bool * item;          // per body and group
  uint8_t * named;      // things x things: how often
  const char * why;
} count_t;

uint32_t arb_frame_of(const arb_file_t * file, uint32_t thing)
{
  const arb_group_t * g = group_at(file, thing);
  return g != NULL ? g->frame : file->bodies[thing].frame;
}

static bool is_plane(const arb_file_t * file, uint32_t thing)
{
  return thing < file->body_count && file->bodies[thing].kind != ARB_BODY;
}

/// Whether a joint is between two frames.
static bool moves(const arb_file_t * file, uint32_t a, uint32_t b)
{
  while (a != b) {
    uint32_t * far = a > b ? &a : &b;
    if (file->frames[*far].joint != ARB_FIXED) {
      return true;
    }
    *far = file->frames[*far].parent;
  }
  return false;
}

static bool reason_holds(const arb_file_t * file, uint32_t a, uint32_t b, uint32_t reason)
{
  return reason >= ARB_RIGID && reason <= ARB_TWO_PLANES &&
         !(reason == ARB_RIGID && moves(file, arb_frame_of(file, a), arb_frame_of(file, b))) &&
         !(reason == ARB_TWO_PLANES && !(is_plane(file, a) && is_plane(file, b)));
}

static void name_both(count_t * c, uint32_t a, uint32_t b)
{
  if (a >= c->things || b >= c->things || a == b || !c->item[a] || !c->item[b]) {
    c->why = "no two items";
    return;
  }
  uint8_t * times = &c->named[(a > b ? b : a) * (size_t)c->things + (a > b ? a : b)];
  c->why = *times > 0 ? "two items are named twice" : c->why;
  *times = 1;
}

/// The pair's skips: bodies of its group, in order.
static void check_skips(count_t * c, const arb_pair_t * p)
{
  const arb_group_t * a = group_at(c->file, p->a), * b = group_at(c->file, p->b);
  const arb_group_t * group = a != NULL ? a : b;
  uint32_t last = 0;
  if (p->skip_count > 0 && (a != NULL) == (b != NULL)) {
    c->why = "skips of no group and body";
  }
  for (uint32_t i = 0; c->why == NULL && i < p->skip_count; i++) {
    const uint32_t place = place_in(c->file, group, p->skips[i].body);
    const uint32_t other = group == a ? p->b : p->a;
    if (place == ARB_NONE || (i > 0 && place <= last) || (p->skips[i].reason != ARB_OWN_PAIR &&
      !reason_holds(c->file, p->skips[i].body, other, p->skips[i].reason)))
    {
      c->why = "a skip is not of the group, not in order, or for no such reason";
    }
    last = place;
  }
}

/// The pairs behind `number` that its skips promise. Returns how many there are.
static uint32_t check_own(count_t * c, uint32_t number)
{
  const arb_pair_t * p = &c->file->pairs[number];
  const bool a_is_group = group_at(c->file, p->a) != NULL;
  uint32_t found = 0;
  for (uint32_t i = 0; c->why == NULL && i < p->skip_count; i++) {
    if (p->skips[i].reason != ARB_OWN_PAIR) {
      continue;
    }
    const uint32_t k = number + ++found;
    const uint32_t a = a_is_group ? p->skips[i].body : p->a;
    const uint32_t b = a_is_group ? p->b : p->skips[i].body;
    if (k >= c->file->pair_count || c->file->pairs[k].a != a || c->file->pairs[k].b != b ||
      c->file->pairs[k].skip_count != 0)
    {
      c->why = "a skipped body has no pair of its own";
      break;
    }
    c->file->pairs[k].own = true;
  }
  return found;
}

static void check_pairs(count_t * c)
{
  const arb_file_t * file = c->file;
  uint64_t skips = 0;
  for (uint32_t i = 0; i < file->pair_count; i++) {
    arb_pair_t * p = &file->pairs[i];
    p->skips = file->skips + skips;
    skips += p->skip_count;
    if (skips > file->skip_count || !(p->margin >= -0.05) ||
      (signbit(p->margin) && !(p->margin < 0.0)))
    {
      c->why = "skips are missing, or a margin is too far below 0";
      return;
    }
  }
  c->why = skips != file->skip_count ? "skips of no pair" : file->pair_count > 1 << 24 ?
    "too many pairs" : c->why;
  for (uint32_t i = 0; c->why == NULL && i < file->pair_count; i++) {
    const arb_pair_t * p = &file->pairs[i];
    name_both(c, p->a, p->b);
    if (c->why == NULL && is_plane(file, p->a)) {
      c->why = "a plane is the first of a pair";
    }
    if (c->why == NULL) {
      check_skips(c, p);
      i += check_own(c, i);
    }
  }
}

static const char * pairs_refuse(const arb_file_t * file)
{
  const uint32_t things = file->body_count + file->group_count;
  count_t c = {.file = file, .things = things};
  c.item = calloc((size_t)things + 1, sizeof(bool));
  c.named = calloc((size_t)things * things + 1, 1);
  if (c.item == NULL || c.named == NULL) {
    abort();
  }
  memset(c.item, true, file->body_count);
  for (uint32_t i = 0; i < file->group_count; i++) {
    c.item[file->body_count + i] = file->groups[i].root == i;
    if (file->groups[i].right == 0) {
      c.item[file->groups[i].body] = false;
    }
  }
  check_pairs(&c);
  for (uint32_t i = 0; c.why == NULL && i < file->left_out_count; i++) {
    const arb_left_out_t * l = &file->left_out[i];
    name_both(&c, l->a, l->b);
    if (c.why == NULL && !reason_holds(file, l->a, l->b, l->reason)) {
      c.why = "left out for no such reason";
    }
  }
  for (uint32_t a = 0; c.why == NULL && a < things; a++) {
    for (uint32_t b = a + 1; c.item[a] && b < things; b++) {
      if (c.item[b] && c.named[a * (size_t)things + b] == 0) {
        c.why = "two items are not named";
      }
    }
  }
  free(c.item);
  free(c.named);
  return c.why;
}

const char * arb_scene_refuses(arb_file_t * file)
{
  const char * why = frames_refuse(file);
  why = why != NULL ? why : bodies_refuse(file);
  why = why != NULL ? why : groups_refuse(file);
  return why != NULL ? why : pairs_refuse(file);
}
