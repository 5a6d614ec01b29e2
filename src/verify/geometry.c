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

/* Geometries: primitives, containment trees, closed solids; how far they reach. */

#include "internal.h"

/* [V-ROUND] Ensures: size is at least |sum u_i a_i| for all |u| <= 1, a_i the half-axes.
 * Why:      its square is at most the largest eigenvalue of the products a_i.a_j, and no eigenvalue
 *           exceeds the largest sum of a row's magnitudes. */
static void set_size(round_t * r)
{
  const vec a = vector(r->axes), b = vector(r->axes + 3), c = vector(r->axes + 6);
  const double ab = mag(dot(a, b)), bc = mag(dot(b, c)), ca = mag(dot(c, a));
  const double x = up(up(dot(a, a).hi + ab) + ca), y = up(up(dot(b, b).hi + ab) + bc);
  r->size = up(sqrt(max(max(x, y), up(up(dot(c, c).hi + bc) + ca))));
}

/* [V-VERTEX] Ensures: contains the vertex plus sum u_i a_i, a_i its half-axes, if it has some. */
static vec vertex_at(const geometry_t * g, uint32_t k, vec u)
{
  const vec p = vector(g->vertices[k].p);
  if (k < g->plain) {return p;}
  const double * a = g->rounds[k - g->plain].axes;
  const vec x = times(vector(a), u.x), y = times(vector(a + 3), u.y), z = times(vector(a + 6), u.z);
  return plus(plus(p, x), plus(y, z));
}

/* [V-MIX] Requires: |u| <= 1.
 * Ensures:  mixed contains a point of the hull of the points p.k of n's list, each at u: the sum of
 *           w_i v_i, w_3 = 1 - w_0 - w_1 - w_2, if that is >= 0.
 * Why:      the sum is v_3 + sum of w_i (v_i - v_3). If s = w_0 + w_1 + w_2 exceeds 1, take
 *           w_i/s instead, and 1/s lies in [2 - s, 1]. */
bool v_mix(verifier * v, const geometry_t * g, const node_t * n, const point_t * p, vec * mixed)
{
  const vec u = vector(p->u);
  if (!v_need(v, p->k[3] < n->count, "a wrong point")) {return false;}
  const vec last = vertex_at(g, n->list[p->k[3]], u);
  vec sum = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
  double total = 0.0;
  for (int i = 0; i < 3; i++) {
    const bool good = p->k[i] < n->count && p->w[i] >= 0.0 && p->w[i] <= 1.0;
    if (!v_need(v, good, "a wrong point or weight")) {return false;}
    total = up(total + p->w[i]);
    sum = plus(sum, times(minus(vertex_at(g, n->list[p->k[i]], u), last), point(p->w[i])));
  }
  *mixed = plus(last, times(sum, (iv) {min(1.0, down(2.0 - total)), 1.0}));
  return true;
}

/* [V-COVER] Requires: n is the keeper of the vertices that it keeps. own: NULL, or n keeps all that
 *           its children do, and this is room for them.
 * Ensures:  n's hull contains the child's: its carry is at least the child's plus how far each
 *           point of the child is from the hull of what n keeps: nothing if n keeps it, else the
 *           next mixture shows it (L6). No other node has this child. */
static bool cover(verifier * v, const geometry_t * g, node_t * n, node_t * child, uint32_t * own)
{
  const bool first = !child->claimed;
  child->claimed = true;
  n->carry = max(n->carry, child->carry);
  if (!v_need(v, first, "geometry: a node has two parents")) {return false;}
  for (uint32_t i = 0; i < child->count; i++) {
    const uint32_t k = child->list[i];
    const uint8_t * at;
    if (g->vertices[k].keeper == n) {continue;}
    if (own != NULL) {own[n->count++] = k; g->vertices[k].keeper = n; continue;}
    if (!v_bytes(v, 16, &at)) {return false;}
    point_t p = {.u = {0.0}};
    for (int j = 0; j < 3; j++) {
      p.w[j] = v_f32(&at);
    }
    for (int j = 0; j < 4; j++) {
      p.k[j] = at[j];
    }
    vec mixed;
    if (!v_mix(v, g, n, &p, &mixed)) {return false;}
    const double size = k < g->plain ? 0.0 : g->rounds[k - g->plain].size;
    const double off = length(minus(vector(g->vertices[k].p), mixed));
    n->carry = max(n->carry, up(up(off + size) + child->carry));
  }
  return v_need(v, n->carry < FINITE, "geometry: a node carries too much");
}

/* [V-LIST] Ensures: n has the list and the twins that the file has of it, joined if it is a
 *           primitive, and is their keeper. Vertex 0 is in no list. */
static bool load_list(verifier * v, geometry_t * g, node_t * n, bool leaf)
{
  const uint8_t * at;
  if (!v_bytes(v, 4 * (uint64_t)n->count, &at)) {return false;}
  uint32_t * list = v_take(v, n->count, sizeof(*list));
  n->list = list;
  if (list == NULL) {return false;}
  for (uint32_t i = 0; i < n->count; i++) {
    list[i] = v_u32(&at);
    const bool good = list[i] > 0 && list[i] < g->vertex_count;
    if (!v_need(v, good, "geometry: a vertex is missing")) {return false;}
    g->vertices[list[i]].joined |= leaf && list[i] > list[0];
    g->vertices[list[i]].keeper = n;
  }
  if (n->solid == 0) {return true;}
  if (!v_bytes(v, 12, &at)) {return false;}
  for (int i = 0; i < 3; i++) {
    n->twins[i] = v_u32(&at);
  }
  return true;
}

/* [V-NODE] Requires: called for each node, from the last to the first.
 * Ensures:  n has its list; if it is no primitive, its hull contains its children (L7). */
static bool load_node(verifier * v, geometry_t * g, node_t * n)
{
  const uint32_t left = (uint32_t)(n - g->nodes) + 1;
  const bool leaf = n->right == 0, inner = n->right > left && n->right < g->node_count;
  const bool solid = leaf && n->count == 3, none = n->count == 0;
  if (!load_list(v, g, n, leaf)) {return false;}
  if (!v_need(v, inner || (leaf && !none), "geometry: a node is malformed") ||
    !v_need(v, n->solid == 0 || solid, "geometry: a solid is not of triangles"))
  {
    return false;
  }
  g->solids = n->solid > g->solids ? n->solid : g->solids;
  if (leaf) {return true;}
  node_t * a = &g->nodes[left], * b = &g->nodes[n->right];
  const uint64_t room = a->count + (uint64_t)b->count;
  uint32_t * own = none ? v_take(v, room, sizeof(*own)) : NULL;
  n->list = none ? own : n->list;
  return n->list != NULL && v_spend(v, room) && cover(v, g, n, a, own) && cover(v, g, n, b, own);
}

/* [V-EDGES] Ensures: the edges of n, if it is a solid's, have twins: edges of the same solid that
 * lead back, whose twins they are. Edge 3*node + i leads from point i of the node to the next.
 * Why:      if all have, the solid has no boundary, and the signed crossings of all rays from a
 *           point have the same sum (L8). An edge from a point to itself is its own twin. */
static bool check_edges(verifier * v, const geometry_t * g, const node_t * n)
{
  for (uint32_t i = 0; n->solid > 0 && i < 3; i++) {
    const uint32_t edge = 3 * (uint32_t)(n - g->nodes) + i, t = n->twins[i];
    const node_t * o = t / 3 < g->node_count ? &g->nodes[t / 3] : NULL;
    const bool twin = o != NULL && o->solid == n->solid && o->twins[t % 3] == edge;
    if (!v_need(v, twin, "geometry: an edge has no twin")) {return false;}
    const bool back = o->list[t % 3] == n->list[(i + 1) % 3];
    if (!v_need(v, back, "geometry: a solid is not closed")) {return false;}
  }
  return true;
}

/* [V-TREE] Requires: all nodes have their lists.
 * Ensures:  every node but node 0 has a parent; solids are closed; one node at most is open. Counts
 *           the triangles that have no inside. Why: each parent has a lower number. */
static bool check_tree(verifier * v, geometry_t * g)
{
  uint32_t open = 0;
  for (uint32_t i = 0; i < g->node_count; i++) {
    node_t * n = &g->nodes[i];
    open += n->open;
    n->within |= n->open > 0;
    if (!v_need(v, i == 0 || n->claimed, "geometry: a node has no parent") ||
      !v_need(v, n->open <= 1 && open <= 1, "geometry: two nodes are open") ||
      !check_edges(v, g, n))
    {
      return false;
    }
    v->report.surfaces += n->right == 0 && n->count == 3 && n->solid == 0 && !n->within;
    if (n->right > 0) {n[1].within = g->nodes[n->right].within = n->within;}
  }
  return true;
}

/* [V-GEOMETRY] Ensures: g is as the format describes it, every node beneath node 0. */
static bool load_geometry(verifier * v, geometry_t * g)
{
  const uint8_t * vertex, * round, * node;
  uint32_t rounds;
  bool good = v_table(v, 24, &g->vertex_count, &vertex) && v_table(v, 72, &rounds, &round) &&
    v_table(v, 16, &g->node_count, &node) &&
    v_need(v, g->vertex_count > rounds && g->node_count > 0, "geometry: it is empty") &&
    (g->vertices = v_take(v, g->vertex_count, sizeof(vertex_t))) != NULL &&
    (g->rounds = v_take(v, rounds, sizeof(round_t))) != NULL &&
    (g->nodes = v_take(v, g->node_count, sizeof(node_t))) != NULL;
  g->plain = good ? g->vertex_count - rounds : 0;
  for (uint32_t i = 0; good && i < g->vertex_count; i++) {
    round_t none = {.size = 0.0}, * r = i < g->plain ? &none : &g->rounds[i - g->plain];
    const bool is_round = i >= g->plain;
    good = v_numbers(v, &vertex, 3, 1e6, g->vertices[i].p) &&
      (!is_round || v_numbers(v, &round, 9, 1e6, r->axes));
    if (is_round) {set_size(r);}
    const vec p = vector(g->vertices[i].p), off = minus(p, vector(g->vertices[0].p));
    g->reach = max(g->reach, length(p));
    g->radius = max(g->radius, up(length(off) + r->size));
  }
  for (uint32_t i = 0; good && i < g->node_count; i++) {
    node_t * n = &g->nodes[i];
    uint32_t * const fields[4] = {&n->right, &n->count, &n->solid, &n->open};
    for (int j = 0; j < 4; j++) {
      *fields[j] = v_u32(&node);
    }
  }
  for (uint32_t i = g->node_count; good && i-- > 0; ) {
    good = load_node(v, g, &g->nodes[i]);
  }
  return good && v_need(v, g->reach + g->radius < FINITE, "geometry: it is too large") &&
         check_tree(v, g);
}

/* [V-GEOMETRIES] Ensures: all are as the format describes them. */
bool v_load_geometries(verifier * v)
{
  const uint8_t * at;
  if (!v_table(v, 0, &v->geometry_count, &at)) {return false;}
  v->geometries = v_take(v, v->geometry_count, sizeof(geometry_t));
  for (uint32_t i = 0; v->geometries != NULL && i < v->geometry_count; i++) {
    if (!load_geometry(v, &v->geometries[i])) {return false;}
  }
  return v->geometries != NULL;
}

/* [V-REACH] Requires: m is finite.
 * Ensures:  at least m.x for all points x of the node and all vectors m in m.
 * Why:      with the middle c of m, m.p <= c.p + reach * sum of widths; the middle, three products
 *           and two sums err by less than 2^-48 |m| reach, and by 2^-1000 in underflow. An
 *           ellipsoid reaches |(m.a_i)|. Sums of products of finite numbers below 1e15 are no NaN. */
double v_hull_reach(const geometry_t * g, const node_t * n, vec m)
{
  const double x = middle(m.x), y = middle(m.y), z = middle(m.z), size = length(m);
  const double width = up(up(up(m.x.hi - m.x.lo) + up(m.y.hi - m.y.lo)) + up(m.z.hi - m.z.lo));
  const double slack = up(up(up(width + up(size * 0x1p-48)) * g->reach) + 0x1p-1000);
  double far = -INFINITY;
  for (uint32_t i = 0; i < n->count; i++) {
    const uint32_t k = n->list[i];
    const double * p = g->vertices[k].p, flat = x * p[0] + y * p[1] + z * p[2];
    far = more(far, flat);
    if (k < g->plain) {continue;}
    const double * a = g->rounds[k - g->plain].axes;
    const vec along = {dot(m, vector(a)), dot(m, vector(a + 3)), dot(m, vector(a + 6))};
    far = more(far, up(flat + length(along)));
  }
  return up(up(far + slack) + up(size * n->carry));
}
