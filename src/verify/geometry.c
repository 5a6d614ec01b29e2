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
#include <string.h>

#include "internal.h"

/* [V-COMPONENTS] Ensures: all are well-formed; only a convex one of one point has a shape.
 * Why:      no point of the shape is further from its middle than the largest radius across and the
 *           height along: either the height is 0, or the ellipsoids are flat discs. */
static void load_components(vv_verifier * v, vv_geometry * g)
{
  g->components = vv_table(v, 9, 1e6, 88, sizeof(vv_component), &g->component_count);
  for (vv_component * c = g->components; c < g->components + g->component_count; c++) {
    const double * r = c->radii, across = max(r[0], max(r[1], r[2]));
    const double least = min(min(r[0], r[1]), min(r[2], min(c->height, c->radius)));
    const bool shape = across > 0.0 || c->height > 0.0, convex = c->kind == VV_CONVEX;
    const bool known = (r[2] == 0.0 || c->height == 0.0) && c->tip <= 1 && c->set == 0;
    need(v, least >= 0.0 && known && c->kind <= VV_CONVEX, "geometry: a component is malformed");
    need(v, shape ? convex && c->count == 1 : convex || c->count == 3, "geometry: wrong lists");
    c->turn = vv_pose(v, c->rotation, (vec) {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}});
    const vec corner = {point(across), point(c->height), {0.0, 0.0}};
    c->carry = shape ? up(length(corner) + c->radius) : c->radius;
    g->carry = max(g->carry, c->carry);
    if (c->kind == VV_OPEN && g->open == VV_NONE) {g->open = (uint32_t)(c - g->components);}
  }
}

/* [V-SET] Requires: chains of `sets` end in a vertex that names itself. Ensures: the end of i's. */
static uint32_t set_of(uint32_t * sets, uint32_t i)
{
  while (sets[i] != i) {i = sets[i] = sets[sets[i]];}
  return i;
}

/* [V-PRIMITIVE] Ensures: p has its list; the sets of its points are one. */
static void load_primitive(vv_verifier * v, vv_geometry * g, vv_hull * p, uint32_t * sets)
{
  need(v, p->component < g->component_count, "geometry: a component is missing");
  p->count = g->components[p->component].count;
  p->carry = g->components[p->component].carry;
  p->list = vv_next(v, &g->numbers, p->count);
  for (uint32_t i = 1; i < p->count; i++) {
    sets[set_of(sets, p->list[i])] = set_of(sets, p->list[0]);
  }
}

/* [V-CONNECTED] Requires: all primitives are loaded.
 * Ensures:  a convex component has one primitive; the points of others are in one set.
 * Why:      points of one set are joined by primitives of the body, so that what a ray tells about
 *           one point of a component holds for all of them (L8). */
static void check_connected(vv_verifier * v, vv_geometry * g, const vv_hull * p, uint32_t * sets)
{
  vv_component * c = &g->components[p->component];
  const uint32_t set = set_of(sets, p->list[0]) + 1;
  const bool joined = c->set == set && c->kind != VV_CONVEX;
  need(v, c->set == 0 || joined, "geometry: a component is not connected, or two convex sets");
  c->set = set;
}

/* [V-EDGE] Ensures: edge e (3 times its primitive plus its corner), if it is a solid's, has a twin,
 * which begins where e ends, in the same component, and has e as its twin.
 * Why:      if all have, twins run against each other, since e begins where its twin ends. So the
 *           component has no boundary, and the signed crossings of all rays from a point have the
 *           same sum (L8). An edge from a point to itself is its own twin. */
static void check_edge(vv_verifier * v, const vv_geometry * g, const uint32_t * twins, uint32_t e)
{
  const uint32_t t = twins[e];
  const vv_hull * p = &g->primitives[e / 3];
  if (g->components[p->component].kind != VV_SOLID) {return;}
  need(v, t < 3 * g->primitive_count && twins[t] == e, "geometry: an edge has no twin");
  const vv_hull * q = &g->primitives[t / 3];
  need(v, p->component == q->component, "geometry: twins of different components");
  need(v, p->list[(e + 1) % 3] == q->list[t % 3], "geometry: a solid is not closed");
}

/* [V-MIX] Ensures: contains a point of the hull of the four points p.k of h's list: the sum of
 * w_i v_i, w_3 = 1 - w_0 - w_1 - w_2, if that is >= 0.
 * Why:      the sum is v_3 + sum of w_i (v_i - v_3). If s = w_0 + w_1 + w_2 exceeds 1, take
 *           w_i/s instead, and 1/s lies in [2 - s, 1]. */
vec vv_mix(vv_verifier * v, const vv_geometry * g, const vv_hull * h, const vv_point * p)
{
  need(v, p->k[3] < h->count, "a wrong point");
  const vec last = vector(g->vertices[h->list[p->k[3]]]);
  vec sum = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
  double total = 0.0;
  for (int i = 0; i < 3; i++) {
    const double w = p->w[i];
    need(v, p->k[i] < h->count && w >= 0.0 && w <= 1.0, "a wrong point or weight");
    total = up(total + w);
    sum = plus(sum, times(minus(vector(g->vertices[h->list[p->k[i]]]), last), point(w)));
  }
  return plus(last, times(sum, (iv) {min(1.0, down(2.0 - total)), 1.0}));
}

/* [V-COVER] Requires: marks of the vertices that n keeps are n's.
 * Ensures:  n's carry is at least the hull's plus how far each of its points is from the hull of
 *           what n keeps: nothing if n keeps it, else the next mixture shows it (L6). */
static void cover(vv_verifier * v, vv_geometry * g, vv_node * n, const vv_hull * h)
{
  n->all.carry = max(n->all.carry, h->carry);
  for (uint32_t i = 0; i < h->count; i++) {
    if (g->marks[h->list[i]] == n - g->nodes + 1) {continue;}
    const vv_mixture * m = vv_next(v, &g->mixtures, 1);
    const vv_point p = {.w = {(double)m->w[0], (double)m->w[1], (double)m->w[2]},
      .k = {m->k[0], m->k[1], m->k[2], m->k[3]}};
    const vec near = vv_mix(v, g, &n->all, &p);
    const double off = length(minus(vector(g->vertices[h->list[i]]), near));
    n->all.carry = max(n->all.carry, up(off + h->carry));
  }
}

/* [V-NODE] Requires: called for each node, from the last to the first.
 * Ensures:  n covers one primitive, or what its two children cover; its hulls contain that.
 * Why:      a node over k primitives and all beneath it are 2k - 1 nodes in a row, by induction:
 *           the right child comes after all of the left one's. Primitives are given out in the same
 *           order, the last first, so that those of the two children follow each other. */
static void load_node(vv_verifier * v, vv_geometry * g, vv_node * n)
{
  const uint32_t number = (uint32_t)(n - g->nodes), kept = n->kept;
  const bool leaf = kept == VV_LEAF;
  need(
    v, leaf ? g->primitives_left > 0 : number + 1 < g->node_count && kept <= 128,
    "geometry: a node is malformed");
  n->right = leaf ? 0 : number + 2 * (n[1].end - n[1].first);
  need(v, n->right < g->node_count, "geometry: a node has no right child");
  const vv_node * left = n + 1, * right = &g->nodes[n->right];
  n->first = leaf ? --g->primitives_left : left->first;
  n->end = leaf ? n->first + 1 : right->end;
  n->hulls = leaf || kept == 0 ? &g->primitives[n->first] : &n->all;
  n->hull_count = leaf || kept == 0 ? n->end - n->first : 1;
  if (n->hulls != &n->all) {return;}
  n->all = (vv_hull) {VV_NONE, kept, vv_next(v, &g->numbers, kept), 0.0};
  for (uint32_t i = 0; i < kept; i++) {
    g->marks[n->all.list[i]] = number + 1;
  }
  need(v, left->hull_count + right->hull_count == 2, "geometry: vertices are kept above none");
  cover(v, g, n, left->hulls);
  cover(v, g, n, right->hulls);
}

/* [V-GEOMETRY] Ensures: g is as the format describes it. Why: no primitive reaches further from its
 * points than `carry`, so that all lie in the ball of that radius about the centre, if it has points. */
void vv_load_geometry(vv_verifier * v, vv_geometry * g)
{
  uint32_t vertices, twin_count, i;
  *g = (vv_geometry) {.open = VV_NONE, .numbers = {NULL, 4, 0}, .mixtures = {NULL, 16, 0}};
  g->vertices = vv_table(v, 3, 1e6, 24, 24, &vertices);
  load_components(v, g);
  g->primitives = vv_table(v, 0, 0.0, 4, sizeof(vv_hull), &g->primitive_count);
  g->nodes = vv_table(v, 0, 0.0, 1, sizeof(vv_node), &g->node_count);
  const uint32_t * numbers = vv_table(v, 0, 0.0, 4, 4, &g->numbers.left);
  g->mixtures.at = vv_table(v, 0, 0.0, 16, 16, &g->mixtures.left);
  const uint32_t * twins = vv_table(v, 0, 0.0, 4, 4, &twin_count);
  g->marks = memset(vv_take(v, vertices, sizeof(uint32_t)), 0, vertices * sizeof(uint32_t));
  uint32_t * sets = vv_take(v, vertices, sizeof(uint32_t));
  const iv none = {INFINITY, -INFINITY};
  vec all = {none, none, none};
  for (i = 0; i < vertices; i++) {
    sets[i] = i;
    g->reach = max(g->reach, length(vector(g->vertices[i])));
    all = box3(all, vector(g->vertices[i]));
  }
  g->centre = (vec) {point(middle(all.x)), point(middle(all.y)), point(middle(all.z))};
  for (i = 0; i < vertices; i++) {
    const double off = length(minus(vector(g->vertices[i]), g->centre));
    g->radius = max(g->radius, up(off + g->carry));
  }
  for (i = 0; i < g->numbers.left; i++) {
    need(v, numbers[i] < vertices, "a vertex is missing");
  }
  g->numbers.at = (const uint8_t *)numbers;
  for (i = 0; i < g->primitive_count; i++) {
    load_primitive(v, g, &g->primitives[i], sets);
  }
  for (i = 0; i < g->primitive_count; i++) {
    check_connected(v, g, &g->primitives[i], sets);
  }
  need(v, twin_count == 3 * (uint64_t)g->primitive_count, "geometry: an edge has no twin");
  for (i = 0; i < twin_count; i++) {
    check_edge(v, g, twins, i);
  }
  g->primitives_left = g->primitive_count;
  for (i = g->node_count; i-- > 0; ) {
    load_node(v, g, &g->nodes[i]);
  }
  const bool tree = g->node_count > 0 && g->nodes[0].end - g->nodes[0].first == g->primitive_count;
  need(v, tree && g->numbers.left + g->mixtures.left == 0, "geometry: something is not used");
}

/* [V-SHAPE] Requires: size >= |m| for all vectors m in m.
 * Ensures:  at least m.x for all points x of the component's shape plus its ball.
 * Why:      in its own axes the shape is the hull of the ellipsoid of its radii around z = -height
 *           and of another around z = height (its middle only, if tip); an ellipsoid reaches
 *           |(r_i d_i)|. */
static double shape_reach(const vv_component * c, vec m, double size)
{
  const vec d = unturn(c->turn, m);
  const iv x = mul(d.x, point(c->radii[0])), y = mul(d.y, point(c->radii[1]));
  const iv z = mul(d.z, point(c->radii[2])), along = mul(d.z, point(c->height));
  const double round = length((vec) {x, y, z}), upper = c->tip ? 0.0 : round;
  return up(max(up(along.hi + upper), up(round - along.lo)) + up(size * c->radius));
}

/* [V-HULL] Requires: size >= |m| for all vectors m in m.
 * Ensures:  at least m.x for all points x of the hull and all vectors m in m.
 * Why:      with the middle c of m, m.x <= c.x + reach * sum of widths; the middle, three products
 *           and two sums err by less than 2^-48 size*reach, and by 2^-1000 in underflow. */
static double hull_reach(const vv_geometry * g, const vv_hull * h, vec m, double size)
{
  const vv_component * c = h->component == VV_NONE ? NULL : &g->components[h->component];
  const bool shape = c != NULL && c->carry > c->radius;
  const double x = middle(m.x), y = middle(m.y), z = middle(m.z);
  const double width = up(up(up(m.x.hi - m.x.lo) + up(m.y.hi - m.y.lo)) + up(m.z.hi - m.z.lo));
  const double slack = up(up(up(width + up(size * 0x1p-48)) * g->reach) + 0x1p-1000);
  double far = -INFINITY;
  for (uint32_t i = 0; i < h->count; i++) {
    const double * p = g->vertices[h->list[i]];
    far = max(far, x * p[0] + y * p[1] + z * p[2]);
  }
  return up(up(far + slack) + (shape ? shape_reach(c, m, size) : up(size * h->carry)));
}

/* [V-REACH] Ensures: at least n.x for all points x of the side, seen from its body's frame, and
 * all vectors n in n. An open component reaches as far as all open ones of its body. */
double vv_reach(vv_side s, vec n)
{
  const vv_geometry * g = s.body->geometry;
  const vv_node * at = &g->nodes[s.node];
  const bool all = s.part == VV_NONE, open = !all && g->components[s.part].kind == VV_OPEN;
  const vv_hull * h = all ? at->hulls : g->primitives;
  const uint32_t count = all ? at->hull_count : g->primitive_count;
  const vec m = unturn(s.body->pose, n);
  const double size = length(m);
  double far = -INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    const bool too = open && g->components[h[i].component].kind == VV_OPEN;
    if (all || h[i].component == s.part || too) {far = max(far, hull_reach(g, &h[i], m, size));}
  }
  return up(far + dot(n, s.body->pose.t).hi);
}
