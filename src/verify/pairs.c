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

/* Pairs of a scene: the joints between two bodies; every two bodies are checked or left out. */

#include "internal.h"

/* [V-STEP] Requires: every point of p's a is within *r of *c on this side of f's joint; nothing was
 *           taken since p's steps were begun.
 * Ensures:  the same beyond it, at all times, deviations included. The joint is a step of p, with a
 *           radius that bounds the distance of every point of a from its axis (L4), 1 if it is
 *           prismatic; deviation grows by as much as the joint lets these points deviate (L3).
 * Why:      turning keeps a ball in the one about the foot on the axis, sliding in one that is
 *           larger by as much; so does undoing either. */
static bool add_step(verifier * v, pair_t * p, const frame_t * f, vec * c, double * r)
{
  if (f->joint == FIXED) {return true;}
  const bool turns = f->joint == REVOLUTE;
  const variable_t * q = &v->variables[f->variable];
  const vec foot = times(f->unit, dot(*c, f->unit));
  const double k = fabs(f->factor), most = up(up(k * up(q->most + q->tolerance)) + fabs(f->offset));
  *r = up(*r + (turns ? length(minus(*c, foot)) : most));
  *c = turns ? foot : *c;
  if (v_take(v, 1, sizeof(step_t)) == NULL) {return false;}
  p->steps[p->step_count++] = (step_t) {f, turns ? *r : 1.0};
  p->deviation = up(p->deviation + up(up((turns ? *r : 1.0) * k) * q->tolerance));
  return v_need(v, *r + length(*c) + p->deviation < FINITE, "scene: a path is too long");
}

/* [V-PATH] Requires: p has its a and b.
 * Ensures:  p's steps are the joints between a and the frame that b rides on, from a on.
 * Why:      parents have lower numbers: of two frames the one of the higher number is not above the
 *           other, so the way leads over its parent: up on a's branch, where joints are as they
 *           are, and down on b's, where they are undone. A group is in a ball around its box. */
static bool set_path(verifier * v, pair_t * p)
{
  const thing_t * a = &v->things[p->a];
  const geometry_t * g = a->geometry;
  const iv x = point(middle(a->box.x)), y = point(middle(a->box.y)), z = point(middle(a->box.z));
  vec c = {x, y, z};
  double r = length(minus(a->box, c));
  uint32_t down[256] = {0}, count = 0, at = a->frame, to = v->things[p->b].frame;
  if (a->kind != GROUP) {
    c = apply(v->frames[a->pose].pose, vector(g->vertices[0].p));
    r = g->radius;
  }
  p->steps = v_take(v, 0, sizeof(step_t));
  bool good = p->steps != NULL && v_spend(v, 512);
  while (good && at != to) {
    const frame_t * f = &v->frames[at > to ? at : to];
    if (at > to) {
      good = add_step(v, p, f, &c, &r);
      c = apply(f->pose, c);
      at = f->parent;
    } else {
      down[count++] = to;
      to = f->parent;
    }
  }
  while (good && count-- > 0) {
    const frame_t * f = &v->frames[down[count]];
    c = unapply(f->pose, c);
    good = add_step(v, p, f, &c, &r);
  }
  return good;
}

/* [V-PAIR] Requires: the pair's record begins at *at.
 * Ensures:  p is a body or group and another one or a plane; *at is behind it. */
static bool load_pair(verifier * v, pair_t * p, const uint8_t ** at)
{
  const uint32_t things = v->body_count + v->group_count;
  const bool minus = (*at)[7] >> 7;                 // also of -0
  if (!v_numbers(v, at, 1, 1e6, &p->margin)) {return false;}
  p->a = v_u32(at);
  p->b = v_u32(at);
  p->skip_count = v_u32(at);
  const bool zero = v_u32(at) == 0, two = p->a < things && p->b < things && p->a != p->b;
  const uint32_t kind = two ? v->things[p->a].kind : PLANE;
  const bool good = p->margin >= -0.05 && (p->margin < 0.0) == minus;
  v->report.margin = min(v->report.margin, p->margin);
  return v_need(v, two && (kind == BODY || kind == GROUP), "scene: no such two bodies") &&
         v_need(v, good && zero, "scene: a margin below -0.05, or a field is not 0") &&
         set_path(v, p);
}

/* [V-MARK] Ensures: a and b are two items that were not named together before.
 * Why:      bit y(y-1)/2 + x stands for the items x < y. */
static bool mark(verifier * v, uint8_t * bits, uint32_t a, uint32_t b)
{
  const uint32_t things = v->body_count + v->group_count;
  const uint64_t i = a < things ? v->things[a].item : NONE,
    k = b < things ? v->things[b].item : NONE;
  const uint64_t x = i < k ? i : k, y = i < k ? k : i;
  if (!v_need(v, x != y && y != NONE, "scene: these are no two items")) {return false;}
  const uint64_t bit = y * (y - 1) / 2 + x;
  const bool twice = bits[bit / 8] >> bit % 8 & 1;
  bits[bit / 8] |= (uint8_t)(1u << bit % 8);
  return v_need(v, !twice, "scene: two items are named twice");
}

/* [V-REASON] Ensures: two things may be left out for that reason, and so many pairs are counted. */
static bool leave_out(verifier * v, uint32_t a, uint32_t b, uint32_t reason, uint64_t pairs)
{
  const thing_t * x = &v->things[a], * y = &v->things[b];
  const bool held = v->frames[x->frame].held == v->frames[y->frame].held;
  const bool planes = x->geometry == NULL && y->geometry == NULL && x->kind != GROUP &&
    y->kind != GROUP;
  if (!v_need(v, reason != REASON_STILL || held, "scene: a joint is between what is left out") ||
    !v_need(v, reason > REASON_OWN && reason <= REASON_PLANES, "scene: an unknown reason") ||
    !v_need(v, reason != REASON_PLANES || planes, "scene: these are not two planes"))
  {
    return false;
  }
  v->report.left_out[reason] += pairs;
  return true;
}

/* [V-SKIPS] Requires: p is a pair of items; so many skips and pairs are loaded.
 * Ensures:  p's skips are bodies of its group, in order, each once. Those with reason 0 are checked
 *           by pairs of their own, which follow p. */
static bool load_skips(
  verifier * v, uint32_t number, uint32_t * skip, const uint8_t ** skips, const uint8_t ** pairs,
  uint32_t * own)
{
  pair_t * p = &v->pairs[number];
  const bool side = v->things[p->b].kind == GROUP;
  const uint32_t group = side ? p->b : p->a, other = side ? p->a : p->b;
  const bool one = (v->things[p->a].kind == GROUP) != side;
  *own = 0;
  if (!v_need(v, p->skip_count <= v->skip_count - *skip, "scene: skips are missing") ||
    !v_need(v, p->skip_count == 0 || one, "scene: skips of no group and body"))
  {
    return false;
  }
  skip_t * s = &v->skips[*skip];
  p->skips = s;
  for (uint32_t i = 0; i < p->skip_count; i++, s++) {
    *s = (skip_t) {.body = v_u32(skips)};
    s->reason = v_u32(skips);
    const bool beneath = s->body < v->body_count && v->things[s->body].root == group;
    s->order = beneath ? v->things[s->body].order : 0;
    const bool later = i == 0 || s->order > s[-1].order;
    if (!v_need(v, beneath && later, "scene: a skip is not of the group, or not in order")) {
      return false;
    }
    if (s->reason != REASON_OWN) {
      if (!leave_out(v, s->body, other, s->reason, 1)) {return false;}
      continue;
    }
    if (!v_need(v, ++*own < v->pair_count - number, "scene: a pair of its own is missing")) {
      return false;
    }
    pair_t * single = &v->pairs[number + *own];
    if (!load_pair(v, single, pairs)) {return false;}
    v->report.touching += single->margin < 0.0;
    const bool good = single->a == (side ? p->a : s->body) && single->b == (side ? s->body : p->b);
    if (!v_need(v, good && single->skip_count == 0, "scene: a pair is not the skipped body's")) {
      return false;
    }
  }
  *skip += p->skip_count;
  return true;
}

/* [V-PAIRS] Requires: bodies and groups are loaded; the records of the three tables begin there.
 * Ensures:  every two items are either one pair or left out, once. So every two bodies are checked,
 *           or left out, but those of one group; both are counted.
 * Why:      as many are named as there are, each two once. Tables are shorter than 2^30, so nothing
 *           that is counted here exceeds 2^61. */
bool v_load_pairs(
  verifier * v, const uint8_t * pairs, const uint8_t * skips, const uint8_t * left_out)
{
  uint32_t own = 0, skip = 0, number = 0;
  uint64_t single = 0, all = v->body_count * (v->body_count - UINT64_C(1)) / 2, sum = 0;
  for (uint32_t i = 0; i < v->skip_count; i++) {
    single += v_zero(skips + 8 * (size_t)i + 4, 4);
  }
  const uint64_t items = v->item_count, named = (uint64_t)v->pair_count + v->left_count;
  const uint64_t owed = items * (items - 1) / 2;
  if (!v_need(v, v->pair_count <= 1 << 24, "scene: too many pairs") ||
    !v_need(v, named == single + owed, "scene: pairs are missing, or too many"))
  {
    return false;
  }
  uint8_t * bits = v_take(v, owed / 8 + 1, 1);
  v->pairs = v_take(v, v->pair_count, sizeof(pair_t));
  v->skips = v_take(v, v->skip_count, sizeof(skip_t));
  v->left_out = v_take(v, v->left_count, sizeof(left_t));
  if (bits == NULL || v->pairs == NULL || v->skips == NULL || v->left_out == NULL) {return false;}
  for (; number < v->pair_count; number += 1 + own) {
    pair_t * p = &v->pairs[number];
    if (!load_pair(v, p, &pairs) || !mark(v, bits, p->a, p->b) ||
      !load_skips(v, number, &skip, &skips, &pairs, &own))
    {
      return false;
    }
    const uint64_t both = (uint64_t)v->things[p->a].leaves * v->things[p->b].leaves;
    v->report.checked += both - p->skip_count + own;
    v->report.touching += p->margin < 0.0 ? both - p->skip_count : 0;
  }
  if (!v_need(v, skip == v->skip_count, "scene: too many skips")) {return false;}
  for (uint32_t i = 0; i < v->left_count; i++) {
    left_t * l = &v->left_out[i];
    uint32_t * const fields[3] = {&l->a, &l->b, &l->reason};
    for (int j = 0; j < 3; j++) {
      *fields[j] = v_u32(&left_out);
    }
    if (!mark(v, bits, l->a, l->b)) {return false;}
    const uint64_t both = (uint64_t)v->things[l->a].leaves * v->things[l->b].leaves;
    if (!leave_out(v, l->a, l->b, l->reason, both)) {return false;}
  }
  for (uint32_t i = v->body_count; i < v->body_count + v->group_count; i++) {
    const uint64_t leaves = v->things[i].root == i ? v->things[i].leaves : 0;
    all -= leaves * (leaves - 1) / 2;
  }
  for (int i = 0; i < 12; i++) {
    sum += v->report.left_out[i];
  }
  v->report.total = all;
  return v_need(v, sum + v->report.checked == v->report.total, "scene: pairs do not add up");
}

/* [V-SKIPPED] Requires: thing is beneath a side of the pair, or is that side.
 * Ensures:  how many of the bodies of the group `thing` the pair skips: 0 of a body.
 * Why:      skips are in order: those before `order` are found by halving. */
uint32_t v_skipped(const verifier * v, const pair_t * p, uint32_t thing)
{
  const thing_t * t = &v->things[thing];
  uint32_t before[2];
  if (t->kind != GROUP) {return 0;}
  for (int i = 0; i < 2; i++) {
    uint32_t low = 0, high = p->skip_count;
    while (low < high) {
      const uint32_t half = low + (high - low) / 2;
      const bool early = p->skips[half].order < t->order + (i == 0 ? 0 : t->leaves);
      low = early ? half + 1 : low;
      high = early ? high : half;
    }
    before[i] = low;
  }
  return before[1] - before[0];
}
