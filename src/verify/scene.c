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

/* The scene: frames, bodies, groups of bodies and the boxes around them. */

#include <string.h>

#include "internal.h"

/* [V-PLACE] Requires: f has its parent, which is loaded, and its joint; a pose begins at *at.
 * Ensures:  f has that pose, whose quaternion is close to length 1, and what follows from it; *at
 *           is behind it. */
static bool load_place(verifier * v, frame_t * f, const uint8_t ** at)
{
  const uint32_t number = (uint32_t)(f - v->frames);
  const frame_t * above = number == 0 ? NULL : &v->frames[f->parent];
  double x[7];
  if (!v_numbers(v, at, 7, 1e6, x)) {return false;}
  const vec q = vector(x);
  const iv w = point(x[3]), square = add(dot(q, q), mul(w, w));
  const bool good = square.hi >= 0.998001 && square.lo <= 1.002001;
  if (!v_need(v, good, "scene: the length of a quaternion is not 1")) {return false;}
  f->pose = v_rotation(q, w, over(point(2.0), square), vector(x + 4));
  f->depth = above == NULL ? 0 : above->depth + 1;
  f->moves = f->joint != FIXED || (above != NULL && above->moves);
  f->mover = f->moves ? ++v->mover_count : 0;
  f->held = f->joint == FIXED && above != NULL ? above->held : number;
  f->world = above == NULL || f->moves ? f->pose : v_compose(above->world, f->pose);
  return true;
}

/* [V-FRAME] Requires: the motion is loaded; the frames before f are; its record begins at `at`.
 * Ensures:  f hangs on a frame before it (none hangs frame 0), not too deep; unit has length 1;
 *           frame 0 is fixed, without a turn or a shift. */
static bool load_frame(verifier * v, frame_t * f, const uint8_t * at)
{
  static const uint8_t identity[56] = {[30] = 0xf0, [31] = 0x3f};
  const uint8_t * pose = at, * axis = at + 56, * words = at + 96;
  double a[5];
  f->parent = v_u32(&words);
  f->joint = v_u32(&words);
  f->variable = v_u32(&words);
  const bool zero = v_u32(&words) == 0, fixed = f->joint == FIXED;
  const bool root = f->parent == 0 && fixed && memcmp(pose, identity, sizeof(identity)) == 0;
  const bool child = f->parent < f - v->frames && f->joint <= PRISMATIC;
  const bool still = f->variable == 0 && v_zero(axis, 40);
  if (!v_need(v, f == v->frames ? root : child, "scene: a frame has a wrong parent or joint") ||
    !v_need(v, zero && (!fixed || still), "scene: a field is not 0") ||
    !load_place(v, f, &pose) || !v_numbers(v, &axis, 5, 1e6, a) ||
    !v_need(v, f->depth < 256, "scene: too many frames in a row"))
  {
    return false;
  }
  const iv norm = dot(vector(a), vector(a));
  f->factor = a[3];
  f->offset = a[4];
  if (fixed) {return true;}
  const bool good = norm.lo > 1e-12 && f->variable < v->variable_count;
  if (!v_need(v, good, "scene: no axis or variable")) {return false;}
  const iv size = {down(sqrt(norm.lo)), up(sqrt(norm.hi))};
  f->unit = times(vector(a), over(point(1.0), size));
  return true;
}

/* [V-BODY] Requires: frames and geometries are loaded; the record of body k begins at `at`.
 * Ensures:  it rides on a frame, by a frame of its own; it has a geometry, or is a plane or a
 *           half-space; it does not shrink. */
static bool load_body(verifier * v, uint32_t k, const uint8_t * at)
{
  const uint8_t * pose = at, * words = at + 64, * grows = at + 56;
  frame_t * f = &v->frames[v->frame_count + k];
  thing_t * t = &v->things[k];
  const uint32_t frame = v_u32(&words), kind = v_u32(&words), number = v_u32(&words);
  const bool shape = kind == BODY ? number < v->geometry_count : number == NONE;
  const bool zero = v_zero(at + 76, 4) && !(at[63] >> 7);
  double growth;
  if (!v_need(v, frame < v->frame_count, "scene: a body rides on no frame") ||
    !v_numbers(v, &grows, 1, 1e6, &growth) ||
    !v_need(v, kind <= PLANE && shape && zero, "scene: a wrong kind or geometry, or growth"))
  {
    return false;
  }
  *t = (thing_t) {.kind = kind, .frame = frame, .pose = v->frame_count + k, .root = k,
    .end = k + 1, .leaves = 1, .growth = growth};
  t->geometry = kind == BODY ? &v->geometries[number] : NULL;
  f->parent = frame;
  return load_place(v, f, &pose);
}

/* [V-BOX] Requires: the body is of kind 0.
 * Ensures:  box contains all of the body, in the frame that it rides on.
 * Why:      rows of the rotation are the frame's axes, seen from the body. */
static bool set_box(verifier * v, uint32_t body, vec * box)
{
  const geometry_t * g = v->things[body].geometry;
  const rigid p = v->frames[v->things[body].pose].pose;
  const vec rows[3] = {p.x, p.y, p.z};
  const iv t[3] = {p.t.x, p.t.y, p.t.z};
  iv * const sides[3] = {&box->x, &box->y, &box->z};
  if (!v_spend(v, 6 * (uint64_t)g->nodes[0].count)) {return false;}
  for (int i = 0; i < 3; i++) {
    const double below = v_hull_reach(g, g->nodes, times(rows[i], point(-1.0)));
    *sides[i] = (iv) {down(t[i].lo - below), up(t[i].hi + v_hull_reach(g, g->nodes, rows[i]))};
  }
  return v_need(v, length(*box) < FINITE, "scene: a box is too large");
}

/* [V-GROUP] Requires: bodies are loaded, and the groups behind it; the record of group k begins at
 *           `at`.
 * Ensures:  it is a leaf, over a body of kind 0 that no other leaf is over; or all that is beneath
 *           its two children stands directly behind it, left to right, and rides on one frame.
 *           Everything beneath is in its box.
 * Why:      the next thing is its left child, which ends where the right one begins; both had no
 *           parent before, and have larger numbers. */
static bool load_group(verifier * v, uint32_t k, const uint8_t * at)
{
  const uint32_t number = v->body_count + k, right = v_u32(&at), body = v_u32(&at);
  thing_t * t = &v->things[number], * a = t + 1;
  *t = (thing_t) {.kind = GROUP, .root = number, .body = body, .end = number + 1, .leaves = 1};
  if (right == 0) {
    const bool good = body < v->body_count && v->things[body].kind == BODY;
    if (!v_need(v, good, "scene: a group is over no body")) {return false;}
    if (!v_need(v, v->things[body].root == body, "scene: a body is in two groups")) {return false;}
    v->things[body].root = number;
    t->frame = t->pose = v->things[body].frame;
    t->growth = v->things[body].growth;
    return set_box(v, body, &t->box);
  }
  const bool inner = right > k + 1 && right < v->group_count && body == NONE;
  if (!v_need(v, inner, "scene: a group has a wrong child")) {return false;}
  thing_t * b = &v->things[v->body_count + right];
  const bool row = a->end == v->body_count + right && a->root == number + 1 && b->root == a->end;
  if (!v_need(v, row, "scene: a group's children are not in a row") ||
    !v_need(v, a->frame == b->frame, "scene: a group rides on two frames"))
  {
    return false;
  }
  t->right = v->body_count + right;
  t->end = b->end;
  t->frame = t->pose = a->frame;
  t->leaves = a->leaves + b->leaves;
  t->growth = max(a->growth, b->growth);
  t->height = (a->height > b->height ? a->height : b->height) + 1;
  t->box = (vec) {join(a->box.x, b->box.x), join(a->box.y, b->box.y), join(a->box.z, b->box.z)};
  a->root = b->root = number;
  return v_need(v, t->height < 256, "scene: a group is too deep");
}

/* [V-ITEMS] Requires: bodies and groups are loaded; a group's `root` is its parent, or itself; a
 *           body's is its leaf, or itself.
 * Ensures:  roots are roots; bodies know their place in the order beneath them; items are numbered.
 * Why:      parents come first, and the leaves beneath the left child before those of the right. */
static void number_items(verifier * v)
{
  for (uint32_t i = v->body_count; i < v->body_count + v->group_count; i++) {
    thing_t * t = &v->things[i];
    const uint32_t root = t->root == i ? i : v->things[t->root].root;
    t->root = root;
    if (t->right == 0) {
      v->things[t->body].root = root;
      v->things[t->body].order = t->order;
    } else {
      t[1].order = t->order;
      v->things[t->right].order = t->order + t[1].leaves;
    }
  }
  for (uint32_t i = 0; i < v->body_count + v->group_count; i++) {
    v->things[i].item = v->things[i].root == i ? v->item_count++ : NONE;
  }
}

/* [V-SCENE] Ensures: the scene is as the format describes it. */
bool v_load_scene(verifier * v)
{
  const uint8_t * at, * frames, * bodies, * groups, * pairs, * skips, * left_out;
  const char * name;
  if (!v_bytes(v, 8, &at) || !v_table(v, 112, &v->frame_count, &frames) ||
    !v_table(v, 80, &v->body_count, &bodies) || !v_table(v, 8, &v->group_count, &groups) ||
    !v_table(v, 24, &v->pair_count, &pairs) || !v_table(v, 8, &v->skip_count, &skips) ||
    !v_table(v, 12, &v->left_count, &left_out) ||
    !v_names(v, 1 + 2 * ((uint64_t)v->frame_count + v->body_count), &name) ||
    !v_need(v, v->frame_count > 0, "scene: it has no frame"))
  {
    return false;
  }
  v->robot = name;
  v->frames = v_take(v, (uint64_t)v->frame_count + v->body_count, sizeof(frame_t));
  v->things = v_take(v, (uint64_t)v->body_count + v->group_count, sizeof(thing_t));
  if (v->frames == NULL || v->things == NULL) {return false;}
  for (uint32_t i = 0; i < v->frame_count; i++) {
    if (!load_frame(v, &v->frames[i], frames + 112 * (size_t)i)) {return false;}
  }
  for (uint32_t i = 0; i < v->body_count; i++) {
    if (!load_body(v, i, bodies + 80 * (size_t)i)) {return false;}
  }
  for (uint32_t i = v->group_count; i-- > 0; ) {
    if (!load_group(v, i, groups + 8 * (size_t)i)) {return false;}
  }
  number_items(v);
  for (uint64_t i = 0; i < v->frame_count + (uint64_t)v->body_count; i++) {
    name += strlen(name) + 1;                       // behind the robot's, or an owner's, or an id
    if (i >= v->frame_count) {v->things[i - v->frame_count].name = name;}
    name += strlen(name) + 1;
  }
  return v_load_pairs(v, pairs, skips, left_out);
}
