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

/* Loading geometries: primitives, containment trees, kept vertices and balls. */
#include <string.h>

#include "internal.h"

typedef struct { vv_reader vertices, indices, curved, primitives, kinds, nodes, kept, witnesses; }
tables;

/* An edge of a solid component: how often triangles pass it upwards, less downwards. */
typedef struct { uint64_t key[3]; int64_t balance; } vv_edge;

/* [V-TABLE] Ensures: a reader of the records that a count announces; bad if they are not there. */
static vv_reader table(vv_reader * r, size_t bytes) {return vv_bytes(r, vv_number(r, 4) * bytes);}

/* [V-ENTRY] Ensures: a reader that begins at record `number`; bad if the table is too short. */
static vv_reader entry(vv_reader records, uint64_t number, size_t bytes)
{
  (void)vv_bytes(&records, number * bytes);
  return records;
}

/* [V-VERTICES] Ensures: the vertices of `count` entries of the list (indices or kept) from
 * `first`, each with the carry; bad if one does not exist. */
static vv_ball * vertices(vv_verifier * v, vv_reader all, vv_reader indices, uint32_t count)
{
  vv_ball * balls = vv_take(v, count, sizeof(vv_ball));
  for (uint32_t i = 0; !v->bad && i < count; i++) {
    vv_reader vertex = entry(all, vv_number(&indices, 4), 24);
    VV_READ(&vertex, "v", balls[i].v);
  }
  return balls;
}

/* [V-CURVED] Ensures: p has its pose and size and a ball around it: a cylinder or cone is within
 * sqrt(r^2 + h^2), an ellipsoid within its largest radius of its pose's origin. */
static bool read_curved(vv_verifier * v, vv_reader shape, vv_primitive * p)
{
  const double * s = p->size;
  VV_READ(&shape, "pv", &p->pose, p->size);
  p->list = vv_take(v, 1, sizeof(vv_ball));
  if (v->bad || p->count != 1 || p->kind < VV_CYLINDER || p->kind > VV_ELLIPSOID) {return false;}
  const double corner = vv_length(vv_vector((const double[3]) {s[0], s[1], 0.0}));
  const double far = p->kind == VV_ELLIPSOID ? vv_max(s[0], vv_max(s[1], s[2])) : corner;
  for (int i = 0; i < 3; i++) {
    p->list[0].v[i] = p->pose.t.x[i].lo;
  }
  p->list[0].carry = vv_up(far + p->radius);
  return s[0] >= 0.0 && s[1] >= 0.0 && s[2] >= 0.0;
}

/* [V-PRIMS] Ensures: all primitives are well-formed, their lists one after the other in memory;
 * every component has a primitive, a convex one exactly one. */
static bool read_primitives(vv_verifier * v, vv_geometry * g, tables * t)
{
  uint32_t * uses = vv_take(v, g->component_count, sizeof(uint32_t)), first = 0;
  for (uint32_t i = 0; !v->bad && i < g->primitive_count; i++) {
    vv_primitive * p = &g->primitives[i];
    VV_READ(&t->primitives, "biiix", &p->kind, &p->component, &first, &p->count, &p->radius);
    if (p->component >= g->component_count || !(p->radius >= 0.0)) {return false;}
    const bool convex = g->component_kinds[p->component] == VV_CONVEX;
    if (convex == (p->kind == VV_TRIANGLE) || (convex && uses[p->component] > 0)) {return false;}
    uses[p->component]++;
    if (p->kind != VV_TRIANGLE && p->kind != VV_HULL) {
      if (!read_curved(v, entry(t->curved, first, 80), p)) {return false;}
      continue;
    }
    if (p->kind == VV_TRIANGLE ? p->count != 3 : p->count == 0) {return false;}
    p->list = vertices(v, t->vertices, entry(t->indices, first, 4), p->count);
    for (uint32_t j = 0; !v->bad && j < p->count; j++) {
      p->list[j].carry = p->radius;
    }
  }
  for (uint32_t c = 0; !v->bad && c < g->component_count; c++) {
    if (uses[c] == 0 || g->component_kinds[c] > VV_CONVEX) {return false;}
  }
  return !v->bad;
}

/* [V-EDGE] Requires: more slots than edges. Ensures: the edge's slot, all zero but for the key when
 * it is met for the first time. */
static vv_edge * edge_slot(vv_edge * edges, size_t slots, const uint64_t key[3])
{
  size_t slot = vv_hash(key, slots);
  while (edges[slot].key[0] != 0 && memcmp(edges[slot].key, key, sizeof(edges[slot].key)) != 0) {
    slot = (slot + 1) % slots;
  }
  memcpy(edges[slot].key, key, sizeof(edges[slot].key));
  return &edges[slot];
}

/* [V-CLOSED] Requires: primitives as [V-PRIMS] ensures them; t still at their beginning.
 * Ensures:  on true every edge of a solid component is passed as often one way as the other.
 * Why:      the triangles then have no boundary, and the signed crossings of all rays from a point
 *           have the same sum (L8). */
static bool closed(vv_verifier * v, const vv_geometry * g, tables t)
{
  const size_t slots = 4 * (size_t)g->primitive_count + 1;
  vv_edge * edges = vv_take(v, slots, sizeof(vv_edge));
  for (uint32_t i = 0; !v->bad && i < g->primitive_count; i++) {
    vv_primitive p;
    uint32_t first;
    uint64_t k[3];
    VV_READ(&t.primitives, "biiix", &p.kind, &p.component, &first, &p.count, &p.radius);
    if (v->bad || g->component_kinds[p.component] != VV_SOLID) {continue;}
    vv_reader indices = entry(t.indices, first, 4);
    for (int j = 0; j < 3; j++) {
      k[j] = vv_number(&indices, 4);
    }
    for (int j = 0; j < 3; j++) {
      const uint64_t a = k[j], b = k[(j + 1) % 3];
      const uint64_t key[3] = {(uint64_t)p.component + 1, a < b ? a : b, a < b ? b : a};
      edge_slot(edges, slots, key)->balance += (a < b) - (b < a);
    }
  }
  for (size_t i = 0; !v->bad && i < slots; i++) {
    if (edges[i].balance != 0) {return false;}
  }
  return !v->bad;
}

/* [V-NODES] Ensures: every node has a range of primitives and its list: kept vertices, or the
 * lists of its primitives. */
static bool read_nodes(vv_verifier * v, vv_geometry * g, tables * t)
{
  for (uint32_t i = 0; !v->bad && i < g->node_count; i++) {
    vv_node * n = &g->nodes[i];
    uint32_t kept_first;
    VV_READ(
      &t->nodes, "iiiiii", &n->first, &n->count, &n->left, &n->right, &kept_first,
      &n->kept_count);
    if (n->count == 0 || (uint64_t)n->first + n->count > g->primitive_count) {return false;}
    const vv_primitive * last = &g->primitives[n->first + n->count - 1];
    n->list = g->primitives[n->first].list;
    n->list_count = (uint32_t)(last->list - n->list) + last->count;
    if (n->kept_count > 128) {return false;}
    if (n->kept_count > 0) {
      n->list = vertices(v, t->vertices, entry(t->kept, kept_first, 4), n->kept_count);
      n->list_count = n->kept_count;
    }
  }
  return !v->bad;
}

/* [V-TREE] Ensures: true only if children have higher numbers than their parents and every node
 * but node 0 is the child of exactly one node. */
bool vv_is_tree(vv_node * nodes, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t l = nodes[i].left, r = nodes[i].right;
    if (i > 0 && nodes[i].parents != 1) {return false;}
    if (l == 0 && r == 0) {continue;}
    if (l <= i || l >= count || r <= i || r >= count) {return false;}
    nodes[l].parents++;
    nodes[r].parents++;
  }
  return count > 0;
}

/* [V-MIX] Requires: index[] is in the list, weights >= 0.
 * Ensures:  contains a point of the hull of the four vertices: sum of w_i v_i, w_3 = 1 - w_0 -
 *           w_1 - w_2, if w_3 >= 0.
 * Why:      if the sum s of the first three exceeds 1 (defect >= s - 1), w_i/s are weights of a
 *           point p of the hull, and |w_0 v_0 + w_1 v_1 + w_2 v_2 - p| = (s-1)|p| by coordinate. */
vv_vec vv_mix(const vv_ball * list, const uint32_t index[4], const double weight[3])
{
  vv_iv rest = vv_point(1.0);
  vv_vec sum = vv_vector((const double[3]) {0.0, 0.0, 0.0});
  for (int i = 0; i < 3; i++) {
    rest = vv_sub(rest, vv_point(weight[i]));
    sum = vv_plus(sum, vv_times(vv_vector(list[index[i]].v), vv_point(weight[i])));
  }
  const vv_iv last = {vv_max(0.0, rest.lo), vv_max(0.0, rest.hi)};
  sum = vv_plus(sum, vv_times(vv_vector(list[index[3]].v), last));
  const double defect = vv_max(0.0, -rest.lo);
  for (int i = 0; i < 3; i++) {
    const double error = vv_up(defect * vv_mag(sum.x[i]));
    sum.x[i] = vv_add(sum.x[i], (vv_iv) {-error, error});
  }
  return sum;
}

/* [V-COVER] Ensures: every point of the child's list, with what it carries, is within the result
 * of the hull of the parent's kept vertices; infinite if a witness is malformed. */
static double cover(const vv_node * parent, const vv_node * child, vv_reader * witnesses)
{
  double epsilon = 0.0;
  for (uint32_t i = 0; i < child->list_count; i++) {
    uint32_t k[4];
    double w[3];
    VV_READ(witnesses, "bbbbr", &k[0], &k[1], &k[2], &k[3], w);
    if (*witnesses->bad || !(w[0] >= 0.0 && w[1] >= 0.0 && w[2] >= 0.0)) {return INFINITY;}
    for (int j = 0; j < 4; j++) {
      epsilon = k[j] < parent->kept_count ? epsilon : INFINITY;
    }
    if (!(epsilon <= 1e6)) {return INFINITY;}
    const vv_vec gap = vv_minus(vv_vector(child->list[i].v), vv_mix(parent->list, k, w));
    epsilon = vv_max(epsilon, vv_up(vv_length(gap) + child->list[i].carry));
  }
  return epsilon;
}

/* [V-BALL] Ensures: a ball that contains the given balls, about the middle of the box of their
 * centres (swell 0) or of the balls themselves (swell 1). */
static vv_ball ball_around(const vv_ball * balls, uint32_t count, double swell)
{
  vv_ball all = {{0.0, 0.0, 0.0}, 0.0};
  for (int j = 0; j < 3; j++) {
    double lo = INFINITY, hi = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
      lo = vv_min(lo, balls[i].v[j] - swell * balls[i].carry);
      hi = vv_max(hi, balls[i].v[j] + swell * balls[i].carry);
    }
    all.v[j] = 0.5 * (lo + hi);
  }
  for (uint32_t i = 0; i < count; i++) {
    const vv_vec gap = vv_minus(vv_vector(balls[i].v), vv_vector(all.v));
    all.carry = vv_max(all.carry, vv_up(vv_length(gap) + balls[i].carry));
  }
  return all;
}

/* [V-SETTLE] Requires: the nodes after n are settled; the witnesses end with those of n.
 * Ensures:  the children tile n; n's list, with what it carries, contains n's primitives; so does
 *           its ball; n's witnesses are taken off. */
static bool settle(vv_geometry * g, vv_node * n, vv_reader * witnesses)
{
  const vv_node * l = &g->nodes[n->left], * r = &g->nodes[n->right];
  const bool leaf = n->left == 0;
  n->curved = leaf ? g->primitives[n->first].kind >= VV_CYLINDER : l->curved || r->curved;
  if (leaf ? n->count != 1 : l->count + r->count != n->count) {return false;}
  if (!leaf && (l->first != n->first || r->first != n->first + l->count)) {return false;}
  if (n->kept_count > 0) {
    const size_t bytes = leaf ? 0 : 16 * ((size_t)l->list_count + r->list_count);
    if (leaf || n->curved || bytes > witnesses->left) {return false;}
    witnesses->left -= bytes;
    vv_reader own = {witnesses->at + witnesses->left, bytes, witnesses->bad};
    const double left = cover(n, l, &own), epsilon = vv_max(left, cover(n, r, &own));
    if (!(epsilon <= 1e6)) {return false;}
    for (uint32_t i = 0; i < n->list_count; i++) {
      n->list[i].carry = epsilon;
    }
  }
  const vv_ball both[2] = {l->ball, r->ball};
  const bool inner = n->curved && !leaf;
  n->ball = inner ? ball_around(both, 2, 1.0) : ball_around(n->list, n->list_count, 0.0);
  for (uint32_t i = 0; i < n->list_count; i++) {
    g->reach = vv_max(g->reach, vv_max(n->list[i].carry, vv_length(vv_vector(n->list[i].v))));
  }
  return true;
}

/* [V-GEOMETRY] Ensures: on true, g is a geometry as the format describes it. */
bool vv_load_geometry(vv_verifier * v, vv_reader * r, vv_geometry * g)
{
  tables t;
  t.vertices = table(r, 24);
  t.indices = table(r, 4);
  t.curved = table(r, 80);
  t.primitives = table(r, 21);
  t.kinds = table(r, 1);
  t.nodes = table(r, 24);
  t.kept = table(r, 4);
  t.witnesses = table(r, 16);
  g->primitive_count = (uint32_t)(t.primitives.left / 21);
  g->component_count = (uint32_t)t.kinds.left;
  g->component_kinds = t.kinds.at;
  g->node_count = (uint32_t)(t.nodes.left / 24);
  g->primitives = vv_take(v, g->primitive_count, sizeof(vv_primitive));
  g->nodes = vv_take(v, g->node_count, sizeof(vv_node));
  const tables whole = t;
  if (!read_primitives(v, g, &t) || !closed(v, g, whole) || !read_nodes(v, g, &t)) {return false;}
  if (!vv_is_tree(g->nodes, g->node_count) || g->nodes[0].first != 0) {return false;}
  if (g->nodes[0].count != g->primitive_count) {return false;}
  for (uint32_t i = g->node_count; i-- > 0; ) {
    if (!settle(g, &g->nodes[i], &t.witnesses)) {return false;}
  }
  return !v->bad && t.witnesses.left == 0;
}
