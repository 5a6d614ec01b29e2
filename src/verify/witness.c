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

/* The witnesses of a collision. */
#include "internal.h"

/* [V-CURVED-POINT] Ensures: on true, x is a point of the curved primitive (without its radius). */
static bool curved_point(vv_reader * r, const vv_primitive * p, vv_vec * x)
{
  double y[3];
  VV_READ(r, "v", y);
  *x = vv_apply(&p->pose, vv_vector(y));
  const double * s = p->size;
  const double across = vv_length(vv_vector((const double[3]) {y[0], y[1], 0.0}));
  if (p->kind == VV_ELLIPSOID) {
    vv_vec scaled;
    for (int i = 0; i < 3; i++) {
      scaled.x[i] = vv_point(vv_up(fabs(y[i]) / s[i]));
    }
    return vv_length(scaled) <= 1.0;
  }
  if (!(fabs(y[2]) <= s[1])) {return false;}
  if (p->kind == VV_CYLINDER) {return across <= s[0];}
  return vv_up(across * (2.0 * s[1])) <= vv_down(s[0] * vv_down(s[1] - y[2]));
}

/* [V-FLAT-POINT] Ensures: on true, x contains a point of the triangle or hull with its radius. */
static bool flat_point(vv_reader * r, const vv_primitive * p, vv_vec * x)
{
  uint32_t k[4];
  double w[3], offset[3];
  VV_READ(r, "iiiivv", &k[0], &k[1], &k[2], &k[3], w, offset);
  for (int i = 0; i < 4; i++) {
    if (k[i] >= p->count || (i < 3 && !(w[i] >= 0.0))) {return false;}
  }
  const bool none = offset[0] == 0.0 && offset[1] == 0.0 && offset[2] == 0.0;
  *x = vv_plus(vv_mix(p->list, k, w), vv_vector(offset));
  return none || vv_length(vv_vector(offset)) <= p->radius;
}

/* [V-POINTS] Ensures: on true, x[] contain points of one primitive of the body, in its frame. */
static bool read_points(vv_reader * r, const vv_body * body, uint32_t count, vv_vec * x)
{
  uint32_t first = 0, number, form;
  for (uint32_t i = 0; i < count; i++) {
    VV_READ(r, "ib", &number, &form);
    first = i == 0 ? number : first;
    if (number != first || number >= body->geometry->primitive_count) {return false;}
    const vv_primitive * p = &body->geometry->primitives[number];
    if (form != (p->kind >= VV_CYLINDER)) {return false;}
    if (!(form == 0 ? flat_point(r, p, &x[i]) : curved_point(r, p, &x[i]))) {return false;}
    x[i] = vv_apply(&body->placement, x[i]);
  }
  return !*r->bad;
}

/* [V-OVERLAP] Ensures: true only if the hulls of x[0..3] and x[4..7] have a common point.
 * Why:      0 is strictly inside the tetrahedron of the differences w_i: its barycentric
 *           coordinates l_i have one sign, and sum l_i x_i = sum l_i x_(4+i). */
static bool overlap(const vv_vec x[8])
{
  vv_vec w[4];
  for (int i = 0; i < 4; i++) {
    w[i] = vv_minus(x[4 + i], x[i]);
  }
  const int sum = vv_det(w[1], w[2], w[3]) + vv_det(w[0], w[3], w[2]) +
    vv_det(w[0], w[1], w[3]) + vv_det(w[0], w[2], w[1]);
  return sum == 4 || sum == -4;
}

/* [V-PLANE] Ensures: true only if the one or two points of one primitive in b's frame show that
 * it meets the plane or half-space b, or is closer to it than the margin. */
static bool meets_plane(const vv_body * b, const vv_vec * x, uint32_t count, double margin)
{
  vv_iv height[2];
  for (uint32_t i = 0; i < count; i++) {
    height[i] = vv_sub(vv_dot(vv_vector(b->normal), x[i]), vv_point(b->offset));
  }
  const bool thin = b->kind == VV_PLANE;
  if (count == 2) {return thin && vv_sign(height[0]) * vv_sign(height[1]) < 0;}
  const double far = thin ? vv_mag(height[0]) : height[0].hi;
  return far < 0.0 || far < vv_down(margin * (1.0 - 0x1p-29));
}

/* [V-MARGIN] Ensures: the margin of the pair of bodies a and b, -1 if none is checked or one of
 * them is no body (inner groups carry a number that is none). */
static double margin_of(const vv_verifier * v, uint32_t a, uint32_t b)
{
  if (a >= v->body_count || b >= v->body_count) {return -1.0;}
  for (uint32_t i = 0; i < v->pair_count; i++) {
    const vv_pair * p = &v->pairs[i];
    const bool group = p->kind == VV_PAIR_GROUP;
    if (p->a == a && p->b == b && !group) {return p->margin;}
    for (uint32_t g = 0; group && p->a == a && g < v->groups.node_count; g++) {
      if (v->groups.nodes[g].body == b && p->entries[g] >= 0.0) {return p->entries[g];}
    }
  }
  return -1.0;
}

/* [V-TIME] Ensures: the time that is read; bad if it is not one of the motion's. */
static vv_time read_time(const vv_verifier * v, vv_reader * r)
{
  const uint32_t segment = (uint32_t)vv_number(r, 4);
  const uint64_t numerator = vv_number(r, 8), depth = vv_number(r, 1);
  const bool known = segment < v->segment_count && depth <= 50;
  if (known && numerator <= VV_ONE >> (50 - depth)) {
    return (vv_time) {segment, numerator << (50 - depth)};
  }
  *r->bad = true;
  return (vv_time) {0, 0};
}

/* [V-CONTACT] Requires: the path is set for a and body b.
 * Ensures:  on true, the witness of this kind shows at t_hi that they meet, or (margin, plane)
 *           that they are closer than the margin. */
static bool contact(vv_verifier * v, vv_reader * r, uint32_t kind, uint32_t b, double margin)
{
  const vv_body * other = &v->bodies[b];
  vv_goal parts = {.geometry = other->geometry, .body = b};
  vv_vec x[8];
  if ((kind == 4) != (other->kind != VV_BODY)) {return false;}
  if (kind == 3) {
    uint32_t who, c, k;
    double ray[3];
    VV_READ(r, "biir", &who, &c, &k, ray);
    const vv_geometry * g = who == 0 ? v->a->geometry : other->geometry;
    const vv_geometry * h = who == 0 ? other->geometry : v->a->geometry;
    if (*r->bad || who > 1 || c >= g->component_count || k >= h->component_count) {return false;}
    if (g->component_kinds[c] != VV_SOLID) {return false;}
    parts.part_a = v->a->geometry->node_count + (who == 0 ? c : k);
    parts.part_b = other->geometry->node_count + (who == 0 ? k : c);
    const int64_t sum = vv_winding(v, &parts, v->t_hi, who == 0, ray);
    return sum != 0 && sum != VV_UNDECIDED;
  }
  const uint32_t count = kind == 4 ? (uint32_t)vv_number(r, 1) : kind == 1 ? 4 : 1;
  if (kind < 1 || kind > 4 || count < 1 || count > 4 || (kind == 4 && count > 2)) {return false;}
  const vv_pose pose = vv_relative(v, v->t_hi);
  if (!read_points(r, v->a, count, x)) {return false;}
  for (uint32_t i = 0; i < count; i++) {
    x[i] = vv_apply(&pose, x[i]);
  }
  if (kind == 4) {return meets_plane(other, x, count, margin);}
  if (!read_points(r, other, count, x + count)) {return false;}
  return kind == 1 ? overlap(x) : vv_length(vv_minus(x[0], x[1])) < margin;
}

/* [V-COLLISION] Ensures: on true, a checked pair meets or is closer than its margin at t_hi; the
 * ops that follow belong to the claim, if made, that all is free before t_lo. */
bool vv_collision(vv_verifier * v, vv_reader * r)
{
  uint32_t a, b, kind;
  const uint64_t claim = vv_number(r, 1);
  v->t_lo = read_time(v, r);
  v->t_hi = read_time(v, r);
  VV_READ(r, "iib", &a, &b, &kind);
  const bool same = v->t_lo.segment == v->t_hi.segment && v->t_lo.tick <= v->t_hi.tick;
  const bool order = claim <= 1 && (same || v->t_lo.segment < v->t_hi.segment);
  v->skips = claim == 1;
  if (!vv_need(v, !v->bad && order, "witness: malformed claim or times")) {return false;}
  const double margin = margin_of(v, a, b);
  if (!vv_need(v, margin >= 0.0, "witness: the pair is not checked")) {return false;}
  if (!vv_set_path(v, &v->bodies[a], v->bodies[b].frame)) {return false;}
  return vv_need(v, contact(v, r, kind, b, margin), "witness: it does not show a contact");
}
