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

/* [V-ROUND] Ensures: size is at least |sum u_i a_i| for all |u| <= 1, a_i the half-axes.
 * Why:      its square is at most the largest eigenvalue of the products a_i.a_j, and no eigenvalue
 *           exceeds the largest sum of a row's magnitudes. */
static void load_round(round_t * r)
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
 * Ensures:  contains a point of the hull of the points p.k of n's list, each at u: the sum of
 *           w_i v_i, w_3 = 1 - w_0 - w_1 - w_2, if that is >= 0.
 * Why:      the sum is v_3 + sum of w_i (v_i - v_3). If s = w_0 + w_1 + w_2 exceeds 1, take
 *           w_i/s instead, and 1/s lies in [2 - s, 1]. */
static vec mix(verifier * v, const geometry_t * g, const node_t * n, const point_t * p)
{
  const vec u = vector(p->u);
  need(v, p->k[3] < n->count, "a wrong point");
  const vec last = vertex_at(g, n->list[p->k[3]], u);
  vec sum = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
  double total = 0.0;
  for (int i = 0; i < 3; i++) {
    need(v, p->k[i] < n->count && p->w[i] >= 0.0 && p->w[i] <= 1.0, "a wrong point or weight");
    total = up(total + p->w[i]);
    sum = plus(sum, times(minus(vertex_at(g, n->list[p->k[i]], u), last), point(p->w[i])));
  }
  return plus(last, times(sum, (iv) {min(1.0, down(2.0 - total)), 1.0}));
}

/* [V-COVER] Requires: n is the keeper of the vertices that it keeps. own: NULL, or n keeps all that
 *           its children do, and this is room for them.
 * Ensures:  n's hull contains the child's: its carry is at least the child's plus how far each
 *           point of the child is from the hull of what n keeps: nothing if n keeps it, else the
 *           next mixture shows it (L6). */
static void cover(verifier * v, const geometry_t * g, node_t * n, node_t * child, uint32_t * own)
{
  child->claimed = true;
  n->carry = max(n->carry, child->carry);
  for (uint32_t i = 0; i < child->count; i++) {
    const uint32_t k = child->list[i];
    if (g->vertices[k].keeper == n) {continue;}
    if (own != NULL) {own[n->count++] = k; g->vertices[k].keeper = n; continue;}
    const mixture_t * m = bytes(v, sizeof(*m));
    const point_t p = {.w = {(double)m->w[0], (double)m->w[1], (double)m->w[2]},
      .k = {m->k[0], m->k[1], m->k[2], m->k[3]}};
    const double off = length(minus(vector(g->vertices[k].p), mix(v, g, n, &p)));
    const double size = k < g->plain ? 0.0 : g->rounds[k - g->plain].size;
    n->carry = max(n->carry, up(up(off + size) + child->carry));
  }
}

/* [V-NODE] Requires: called for each node, from the last to the first.
 * Ensures:  n has its list, joined if it is a primitive; else its hull contains its children (L7).
 *           Vertex 0 is in no list. */
static void load_node(verifier * v, geometry_t * g, node_t * n)
{
  const uint32_t left = (uint32_t)(n - g->nodes) + 1;
  const bool leaf = n->right == 0, inner = n->right > left && n->right < g->node_count;
  n->list = bytes(v, 4 * (uint64_t)n->count);
  need(v, inner || (leaf && n->count > 0), "geometry: a node is malformed");
  need(v, n->solid == 0 || (leaf && n->count == 3), "geometry: a solid is not of triangles");
  for (uint32_t i = 0; i < n->count; i++) {
    need(v, n->list[i] - 1 < g->vertex_count - 1, "geometry: a vertex is missing");
    vertex_t * p = &g->vertices[n->list[i]];
    p->joined |= leaf && n->list[i] > n->list[0];
    p->keeper = n;
  }
  n->twins = n->solid > 0 ? bytes(v, 3 * sizeof(uint32_t)) : NULL;
  g->solids = n->solid > g->solids ? n->solid : g->solids;
  if (leaf) {return;}
  node_t * a = &g->nodes[left], * b = &g->nodes[n->right];
  uint32_t * own = n->count > 0 ? NULL : take(v, a->count + (size_t)b->count, sizeof(*own));
  n->list = own != NULL ? own : n->list;
  cover(v, g, n, a, own);
  cover(v, g, n, b, own);
}

/* [V-EDGES] Ensures: the edges of n, if it is a solid's, have twins: edges of the same solid that
 * lead back, whose twins they are. Edge 3*node + i leads from point i of the node to the next.
 * Why:      if all have, the solid has no boundary, and the signed crossings of all rays from a
 *           point have the same sum (L8). An edge from a point to itself is its own twin. */
static void check_edges(verifier * v, const geometry_t * g, const node_t * n)
{
  for (uint32_t i = 0; n->solid > 0 && i < 3; i++) {
    const uint32_t edge = 3 * (uint32_t)(n - g->nodes) + i, t = n->twins[i];
    need(v, t / 3 < g->node_count, "geometry: an edge has no twin");
    const node_t * o = &g->nodes[t / 3];
    need(v, o->solid == n->solid && o->twins[t % 3] == edge, "geometry: an edge has no twin");
    need(v, o->list[t % 3] == n->list[(i + 1) % 3], "geometry: a solid is not closed");
  }
}

/* [V-GEOMETRY] Ensures: g is as the format describes it, every node beneath node 0.
 * Why:      every other node has a parent, of a lower number. */
static void load_geometry(verifier * v, geometry_t * g)
{
  uint32_t rounds, i;
  g->vertices = table(v, 3, 1e6, 24, sizeof(vertex_t), &g->vertex_count);
  g->rounds = table(v, 9, 1e6, 72, sizeof(round_t), &rounds);
  g->nodes = table(v, 0, 0.0, 16, sizeof(node_t), &g->node_count);
  need(v, g->vertex_count > rounds && g->node_count > 0, "geometry: it is empty");
  g->plain = g->vertex_count - rounds;
  for (i = 0; i < g->vertex_count; i++) {
    const vec p = vector(g->vertices[i].p), off = minus(p, vector(g->vertices[0].p));
    round_t none = {.size = 0.0}, * r = i < g->plain ? &none : &g->rounds[i - g->plain];
    load_round(r);
    g->reach = max(g->reach, length(p));
    g->radius = max(g->radius, up(length(off) + r->size));
  }
  i = g->node_count;
  while (i-- > 0) {load_node(v, g, &g->nodes[i]);}
  for (i = 0; i < g->node_count; i++) {
    need(v, i == 0 || g->nodes[i].claimed, "geometry: a node has no parent");
    check_edges(v, g, &g->nodes[i]);
  }
}

/* [V-REACH] Ensures: at least m.x for all points x of the node and all vectors m in m.
 * Why:      with the middle c of m, m.p <= c.p + reach * sum of widths; the middle, three products
 *           and two sums err by less than 2^-48 |m| reach, and by 2^-1000 in underflow. An
 *           ellipsoid reaches |(m.a_i)|. */
static double hull_reach(const geometry_t * g, const node_t * n, vec m)
{
  const double x = middle(m.x), y = middle(m.y), z = middle(m.z), size = length(m);
  const double width = up(up(up(m.x.hi - m.x.lo) + up(m.y.hi - m.y.lo)) + up(m.z.hi - m.z.lo));
  const double slack = up(up(up(width + up(size * 0x1p-48)) * g->reach) + 0x1p-1000);
  double far = -INFINITY;
  for (uint32_t i = 0; i < n->count; i++) {
    const uint32_t k = n->list[i];
    const double * p = g->vertices[k].p, flat = x * p[0] + y * p[1] + z * p[2];
    far = max(far, flat);
    if (k < g->plain) {continue;}
    const double * a = g->rounds[k - g->plain].axes;
    const vec along = {dot(m, vector(a)), dot(m, vector(a + 3)), dot(m, vector(a + 6))};
    far = max(far, up(flat + length(along)));
  }
  return up(up(far + slack) + up(size * n->carry));
}
