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

/* [V-COMPONENT] Ensures: c is well-formed.
 * Why:      a cylinder or cone reaches sqrt(r^2 + h^2) from its middle, an ellipsoid its largest
 *           radius. */
static void load_component(vv_verifier * v, vv_component * c)
{
  const double * s = c->size, corner = length((vec) {point(s[0]), point(s[1]), {0.0, 0.0}});
  const double far = c->shape == VV_ELLIPSOID ? max(s[0], max(s[1], s[2])) : corner;
  const bool sized = s[0] >= 0.0 && s[1] >= 0.0 && s[2] >= 0.0 && c->radius >= 0.0;
  const bool shaped = s[0] > 0.0 && s[1] > 0.0 && (c->shape != VV_ELLIPSOID || s[2] > 0.0);
  const bool known = c->shape == VV_BALL || (shaped && c->kind == VV_CONVEX);
  const bool kinds = c->shape <= VV_ELLIPSOID && c->kind <= VV_CONVEX;
  need(v, sized && known && kinds, "geometry: a component is malformed");
  c->turn = vv_pose(v, c->rotation, (vec) {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}});
  c->carry = c->shape == VV_BALL ? c->radius : up(far + c->radius);
}

/* [V-LIST] Ensures: h has its list of vertices. */
static void take_list(vv_verifier * v, vv_geometry * g, vv_hull * h)
{
  need(v, h->count > 0 && h->count <= g->numbers_left, "geometry: a list is empty or cut");
  h->list = g->numbers;
  g->numbers += h->count;
  g->numbers_left -= h->count;
}

/* [V-PRIMITIVE] Ensures: p fits its component and has its list. */
static void load_primitive(vv_verifier * v, vv_geometry * g, vv_hull * p)
{
  need(v, p->component < g->component_count, "geometry: a component is missing");
  vv_component * c = &g->components[p->component];
  const bool fits = c->kind == VV_CONVEX ? c->uses == 0 : p->count == 3;
  need(v, fits, "geometry: a primitive does not fit its component");
  c->uses++;
  p->carry = c->carry;
  take_list(v, g, p);
}

/* [V-EDGE] Ensures: edge e of a solid triangle (3 times its primitive plus its corner) has a twin,
 * which runs the other way, in the same component, and has e as its twin.
 * Why:      if all have, the component has no boundary, and the signed crossings of all rays from
 *           a point have the same sum (L8). An edge from a point to itself is its own twin. */
static void check_edge(vv_verifier * v, const vv_geometry * g, const uint32_t * twins, uint32_t e)
{
  const uint32_t t = twins[e], i = e % 3, j = t % 3;
  need(v, t < 3 * g->primitive_count && twins[t] == e, "geometry: an edge has no twin");
  const vv_hull * p = &g->primitives[e / 3], * q = &g->primitives[t / 3];
  need(v, p->component == q->component, "geometry: twins of different components");
  const bool opposite = p->list[i] == q->list[(j + 1) % 3] && q->list[j] == p->list[(i + 1) % 3];
  need(v, opposite, "geometry: a solid is not closed");
}

/* [V-MIX] Ensures: contains a point of the hull of the four points k of h's list: the sum of
 * w_i v_i, w_3 = 1 - w_0 - w_1 - w_2, if that is >= 0.
 * Why:      the sum is v_3 + sum of w_i (v_i - v_3). If s = w_0 + w_1 + w_2 exceeds 1, take
 *           w_i/s instead, and 1/s lies in [2 - s, 1]. */
vec vv_mix(vv_verifier * v, const vv_geometry * g, const vv_hull * h, const vv_mixture * m)
{
  vec sum = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}, p[4];
  double total = 0.0;
  for (int i = 3; i >= 0; i--) {
    const double w = i == 3 ? 0.0 : m->w[i];
    need(v, m->k[i] < h->count && w >= 0.0, "a wrong point or weight");
    p[i] = vector(g->vertices[h->list[m->k[i]]]);
    total = up(total + w);
    sum = plus(sum, times(minus(p[i], p[3]), point(w)));
  }
  return plus(p[3], times(sum, (iv) {min(1.0, down(2.0 - total)), 1.0}));
}

/* [V-COVER] Requires: marks of the vertices that n keeps are n's.
 * Ensures:  n's carry is at least the child's plus how far each of its points is from the hull of
 *           what n keeps: nothing if n keeps it, else the next mixture shows it (L6). */
static void cover(vv_verifier * v, vv_geometry * g, vv_node * n, const vv_hull * child)
{
  n->all.carry = max(n->all.carry, child->carry);
  for (uint32_t i = 0; i < child->count; i++) {
    if (g->marks[child->list[i]] == n - g->nodes + 1) {continue;}
    need(v, g->mixtures_left-- > 0, "geometry: a witness is missing");
    const vec near = vv_mix(v, g, &n->all, g->mixtures++);
    const double off = length(minus(vector(g->vertices[child->list[i]]), near));
    n->all.carry = max(n->all.carry, up(off + child->carry));
  }
}

/* [V-NODE] Requires: called for each node, from the last to the first.
 * Ensures:  n covers one primitive, or what its two children cover; all contains that.
 * Why:      the ranges of the nodes on the stack of [V-ADOPT] follow each other, the uppermost
 *           first, so that the two children tile n. So do the lists of primitives. */
static void load_node(vv_verifier * v, vv_geometry * g, vv_node * n)
{
  const bool leaf = n->kept == VV_LEAF;
  need(v, leaf ? g->primitives_left > 0 : n->kept <= 128, "geometry: a node is malformed");
  n->right = vv_adopt(v, (uint32_t)(n - g->nodes), leaf);
  n->kept = leaf ? 0 : n->kept;
  n->first = leaf ? --g->primitives_left : n[1].first;
  n->end = leaf ? n->first + 1 : g->nodes[n->right].end;
  n->all = g->primitives[n->first];
  if (leaf) {return;}
  const vv_hull * l = &n[1].all, * r = &g->nodes[n->right].all, * last = &g->primitives[n->end - 1];
  n->all.count = (uint32_t)(last->list - n->all.list) + last->count;
  n->all.carry = max(l->carry, r->carry);
  if (n->kept == 0) {return;}
  n->all = (vv_hull) {VV_NONE, n->kept, NULL, 0.0};
  take_list(v, g, &n->all);
  for (uint32_t i = 0; i < n->kept; i++) {
    g->marks[n->all.list[i]] = (uint32_t)(n - g->nodes) + 1;
  }
  cover(v, g, n, l);
  cover(v, g, n, r);
}

/* [V-GEOMETRY] Ensures: g is as the format describes it. */
static void load_geometry(vv_verifier * v, vv_geometry * g)
{
  uint32_t vertices, twin_count, i, used = 0;
  g->vertices = vv_table(v, 3, 1e6, 24, 24, &vertices);
  g->components = vv_table(v, 8, 1e6, 72, sizeof(vv_component), &g->component_count);
  g->primitives = vv_table(v, 0, 0.0, 8, sizeof(vv_hull), &g->primitive_count);
  g->nodes = vv_table(v, 0, 0.0, 1, sizeof(vv_node), &g->node_count);
  g->numbers = vv_table(v, 0, 0.0, 4, 4, &g->numbers_left);
  g->mixtures = vv_table(v, 3, 1e6, sizeof(vv_mixture), sizeof(vv_mixture), &g->mixtures_left);
  const uint32_t * twins = vv_table(v, 0, 0.0, 4, 4, &twin_count);
  g->marks = vv_take(v, vertices, sizeof(uint32_t));
  v->stack = vv_take(v, g->node_count, sizeof(uint32_t));
  v->depth = 0;
  for (i = 0; i < vertices; i++) {
    g->reach = max(g->reach, length(vector(g->vertices[i])));
  }
  for (i = 0; i < g->numbers_left; i++) {
    need(v, g->numbers[i] < vertices, "geometry: a vertex is missing");
  }
  for (i = 0; i < g->component_count; i++) {
    load_component(v, &g->components[i]);
  }
  for (i = 0; i < g->primitive_count; i++) {
    load_primitive(v, g, &g->primitives[i]);
    used += g->components[g->primitives[i].component].uses == 1;
  }
  need(v, twin_count == 3 * g->primitive_count, "geometry: an edge has no twin");
  for (i = 0; i < twin_count; i++) {
    const bool solid = g->components[g->primitives[i / 3].component].kind == VV_SOLID;
    if (solid) {check_edge(v, g, twins, i);}
  }
  g->primitives_left = g->primitive_count;
  for (i = g->node_count; i-- > 0; ) {
    load_node(v, g, &g->nodes[i]);
  }
  const bool rest = g->primitives_left > 0 || g->numbers_left > 0 || g->mixtures_left > 0;
  need(v, v->depth == 1 && used == g->component_count && !rest, "geometry: something is not used");
}

/* [V-GEOMETRIES] Ensures: all geometries are as the format describes them. */
void vv_load_geometries(vv_verifier * v)
{
  v->geometry_count = vv_number(v);
  v->geometries = vv_take(v, v->geometry_count, sizeof(vv_geometry));
  for (uint32_t i = 0; i < v->geometry_count; i++) {
    load_geometry(v, &v->geometries[i]);
  }
}

/* [V-SHAPE] Requires: size >= |m| for all vectors m in m.
 * Ensures:  at least m.x for all points x of the component's shape plus its ball.
 * Why:      in its own frame a cylinder is the hull of two discs at z = -h and h, a cone the hull
 *           of the lower disc and the tip; an ellipsoid reaches |(r_i d_i)|. */
static double shape_reach(const vv_component * c, vec m, double size)
{
  const vec d = unturn(c->turn, m), flat = {d.x, d.y, {0.0, 0.0}};
  const iv r = point(c->size[0]), h = point(c->size[1]), z = mul(d.z, h);
  const double disc = up(c->size[0] * length(flat)), tip = c->shape == VV_CONE ? 0.0 : disc;
  const double round = length((vec) {mul(d.x, r), mul(d.y, h), mul(d.z, point(c->size[2]))});
  const double far = c->shape == VV_ELLIPSOID ? round : max(up(tip + z.hi), up(disc - z.lo));
  return up(far + up(size * c->radius));
}

/* [V-HULL] Requires: size >= |m| for all vectors m in m.
 * Ensures:  at least m.x for all points x of the hull and all vectors m in m.
 * Why:      with the middle c of m, m.x <= c.x + reach * sum of widths; the middle, three products
 *           and two sums err by less than 2^-48 size*reach, and by 2^-1000 in underflow. */
static double hull_reach(const vv_geometry * g, const vv_hull * h, vec m, double size)
{
  const vv_component * c = h->component == VV_NONE ? NULL : &g->components[h->component];
  const double ball = c != NULL && c->shape != VV_BALL ? shape_reach(c, m, size) : size * h->carry;
  const double x = middle(m.x), y = middle(m.y), z = middle(m.z);
  const double width = up(up(up(m.x.hi - m.x.lo) + up(m.y.hi - m.y.lo)) + up(m.z.hi - m.z.lo));
  const double slack = up(up(up(width + up(size * 0x1p-48)) * g->reach) + 0x1p-1000);
  double far = -INFINITY;
  for (uint32_t i = 0; i < h->count; i++) {
    const double * p = g->vertices[h->list[i]];
    far = max(far, x * p[0] + y * p[1] + z * p[2]);
  }
  return up(up(far + slack) + up(ball));
}

/* [V-REACH] Ensures: at least n.x for all points x of the side, seen from its body's frame, and
 * all vectors n in n. */
double vv_reach(vv_side s, vec n)
{
  const vv_geometry * g = s.body->geometry;
  const vv_node * at = &g->nodes[s.node];
  const vec m = unturn(s.body->pose, n);
  const double size = length(m);
  double far = at->kept > 0 && s.part == VV_NONE ? hull_reach(g, &at->all, m, size) : -INFINITY;
  for (uint32_t i = far > -INFINITY ? at->end : at->first; i < at->end; i++) {
    const vv_hull * p = &g->primitives[i];
    if (s.part != VV_NONE && s.part != p->component) {continue;}
    far = max(far, hull_reach(g, p, m, size));
  }
  return up(far + dot(n, s.body->pose.t).hi);
}
