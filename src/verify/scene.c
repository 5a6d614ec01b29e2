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

/* Loading the scene: frames, bodies, groups, pairs. */
#include "internal.h"

/* [V-JOINT] Ensures: axis has length 1, slide is the axis seen from the parent, and the rows of
 * pose.r * rotation(q) are along + cos q * across + sin q * turned.
 * Why:      row p of P turns into R(q)'p = a(a.p) + cos q (p - a(a.p)) + sin q (p x a). */
static bool prepare_joint(vv_frame * f, const double axis[3])
{
  const vv_vec raw = vv_vector(axis);
  const vv_iv square = vv_dot(raw, raw);
  if (!(square.lo > 1e-12)) {return false;}
  const vv_iv norm = {vv_down(sqrt(square.lo)), vv_up(sqrt(square.hi))};
  f->axis = vv_times(raw, vv_div(vv_point(1.0), norm));
  f->slide = vv_turn(&f->pose, f->axis);
  for (int i = 0; i < 3; i++) {
    f->along[i] = vv_times(f->axis, f->slide.x[i]);
    f->across[i] = vv_minus(f->pose.r[i], f->along[i]);
    f->turned[i] = vv_cross(f->pose.r[i], f->axis);
  }
  return true;
}

/* [V-FRAMES] Ensures: on true the frames are a tree, parents before children, with their joints. */
static bool load_frames(vv_verifier * v, vv_reader * r)
{
  double axis[3];
  v->frames = vv_array(v, r, 109, sizeof(vv_frame), &v->frame_count);
  for (uint32_t i = 0; !v->bad && i < v->frame_count; i++) {
    vv_frame * f = &v->frames[i];
    VV_READ(
      r, "sipbvicc", &f->parent, &f->pose, &f->joint, axis, &f->variable, &f->multiplier,
      &f->offset);
    f->inverse = vv_inverse(&f->pose);
    if (i == 0 ? f->joint != VV_FIXED || f->parent != 0 : f->parent >= i) {return false;}
    if (f->joint > VV_PRISMATIC) {return false;}
    if (f->joint != VV_FIXED && !prepare_joint(f, axis)) {return false;}
  }
  return !v->bad && v->frame_count > 0;
}

/* [V-BODIES] Ensures: on true every body has a frame, and a geometry or a unit normal. */
static bool load_bodies(vv_verifier * v, vv_reader * r)
{
  uint32_t geometry;
  v->bodies = vv_array(v, r, 105, sizeof(vv_body), &v->body_count);
  for (uint32_t i = 0; !v->bad && i < v->body_count; i++) {
    vv_body * b = &v->bodies[i];
    double * n = b->normal;
    VV_READ(r, "ssbiipvx", &b->kind, &b->frame, &geometry, &b->placement, n, &b->offset);
    const bool solid = b->kind == VV_BODY;
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (b->kind > VV_PLANE || b->frame >= v->frame_count) {return false;}
    if (solid ? geometry >= v->geometry_count : !(fabs(length - 1.0) <= 1e-9)) {return false;}
    b->geometry = solid ? &v->geometries[geometry] : NULL;
  }
  return !v->bad;
}

/* [V-BOX] Requires: g is a leaf with its body, or its children have their boxes.
 * Ensures:  the box whose corners are g's list contains all bodies under g, in frame 0.
 * Why:      x.n <= support(n) for n = +-e_j; the placement turns n and shifts by n.t. */
static void group_box(vv_geometry * groups, vv_node * g, const vv_body * b)
{
  const vv_node * l = &groups->nodes[g->left], * r = &groups->nodes[g->right];
  for (int i = 0; i < 6; i++) {
    const vv_iv sign = vv_point(i % 2 == 0 ? 1.0 : -1.0);
    g->far[i] = vv_max(l->far[i], r->far[i]);
    if (g->left == 0) {
      const vv_vec m = vv_times(b->placement.r[i / 2], sign);
      const double shift = vv_mul(b->placement.t.x[i / 2], sign).hi;
      g->far[i] = vv_up(vv_support(b->geometry, 0, m, 1.0) + shift);
    }
    groups->reach = vv_max(groups->reach, fabs(g->far[i]));
  }
  for (int i = 0; i < 24; i++) {
    const int k = i / 3, j = i % 3;
    g->list[k].v[j] = (k >> j & 1) == 0 ? g->far[2 * j] : -g->far[2 * j + 1];
  }
}

/* [V-GROUPS] Ensures: on true the groups are a tree whose leaves are bodies on frame 0. */
static bool load_groups(vv_verifier * v, vv_reader * r)
{
  vv_geometry * all = &v->groups;
  all->nodes = vv_array(v, r, 12, sizeof(vv_node), &all->node_count);
  for (uint32_t i = 0; !v->bad && i < all->node_count; i++) {
    vv_node * g = &all->nodes[i];
    VV_READ(r, "iii", &g->left, &g->right, &g->body);
    g->list = vv_take(v, 8, sizeof(vv_ball));
    g->list_count = 8;
    if (g->left != 0 ? g->body != VV_NONE : g->body >= v->body_count) {return false;}
    const vv_body * b = &v->bodies[g->left != 0 ? 0 : g->body];
    if (g->left == 0 && (b->kind != VV_BODY || b->frame != 0)) {return false;}
  }
  if (v->bad) {return false;}
  if (all->node_count > 0 && !vv_is_tree(all->nodes, all->node_count)) {return false;}
  for (uint32_t i = all->node_count; i-- > 0; ) {
    group_box(all, &all->nodes[i], &v->bodies[all->nodes[i].left == 0 ? all->nodes[i].body : 0]);
  }
  return true;
}

/* [V-IS-MARGIN] Ensures: true only for a number >= 0 that is not -0 (there is one encoding). */
static bool is_margin(double x)
{
  return x > 0.0 || (x == 0.0 && 1.0 / x > 0.0);
}

/* [V-ENTRIES] Ensures: on true, entries[g] is -1 if nothing under g is checked, else at least the
 * margin of every checked body under g. */
static bool load_entries(vv_verifier * v, vv_reader * r, vv_pair * p)
{
  const uint32_t count = v->groups.node_count;
  double * e = p->entries = vv_take(v, count, sizeof(double));
  if (v->bad || count == 0 || p->b != 0) {return false;}
  for (uint32_t g = 0; g < count; g++) {
    VV_READ(r, "x", &e[g]);
  }
  for (uint32_t g = 0; g < count; g++) {
    const vv_node * n = &v->groups.nodes[g];
    if (!is_margin(e[g]) && e[g] != -1.0) {return false;}
    if (n->left != 0 && e[g] != vv_max(e[n->left], e[n->right])) {return false;}
  }
  return e[0] == -1.0 || e[0] == p->margin;
}

/* [V-PAIRS] Ensures: on true every pair is of bodies that its kind allows, with margins >= 0. */
static bool load_pairs(vv_verifier * v, vv_reader * r)
{
  v->pairs = vv_array(v, r, 17, sizeof(vv_pair), &v->pair_count);
  for (uint32_t i = 0; !v->bad && i < v->pair_count; i++) {
    vv_pair * p = &v->pairs[i];
    VV_READ(r, "biix", &p->kind, &p->a, &p->b, &p->margin);
    if (p->a >= v->body_count || p->b >= v->body_count || !is_margin(p->margin)) {return false;}
    const bool body = v->bodies[p->b].kind == VV_BODY;
    if (v->bodies[p->a].kind != VV_BODY || p->kind > VV_PAIR_PLANE) {return false;}
    if (p->kind == VV_PAIR_GROUP && !load_entries(v, r, p)) {return false;}
    if (p->kind == VV_PAIR_BODIES && (!body || p->a == p->b)) {return false;}
    if (p->kind == VV_PAIR_PLANE && body) {return false;}
  }
  return !v->bad;
}

/* [V-SCENE] Ensures: on true the scene is as the format describes it. */
bool vv_load_scene(vv_verifier * v, vv_reader * r)
{
  const vv_reader name = vv_bytes(r, vv_number(r, 4));
  for (size_t i = 0; i < name.left && i + 1 < sizeof(v->report->robot); i++) {
    v->report->robot[i] = name.at[i] >= 0x20 && name.at[i] != 0x7f ? (char)name.at[i] : '?';
  }
  (void)vv_number(r, 8);
  return vv_need(v, load_frames(v, r), "scene: the frames are malformed") &&
         vv_need(v, load_bodies(v, r), "scene: the bodies are malformed") &&
         vv_need(v, load_groups(v, r), "scene: the groups are malformed") &&
         vv_need(v, load_pairs(v, r), "scene: the pairs are malformed");
}
