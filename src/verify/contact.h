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

/* How often a solid is around a point; the witnesses of a collision. */

/* [V-DET] Ensures: the sign of the determinant a.(b x c), 0 if undecided. */
static int det(vec a, vec b, vec c) {return sign(dot(a, cross(b, c)));}

/* [V-WINDING] Requires: number > 0.
 * Ensures:  how often the solid of that number of one body is around vertex k of another at the
 *           beginning of the span: the signed crossings of the ray of the next record.
 * Why:      a triangle wholly behind the point is not met. Else, with its corners e seen from the
 *           point, d.(e_i x e_j) is the side on which the line passes an edge: two different sides
 *           are a miss, three equal ones a crossing of that sign, in front if det(e) has it too. */
static int64_t winding(verifier * v, uint32_t body, uint64_t number, uint32_t other, uint32_t k)
{
  const geometry_t * g = v->frames[body].geometry;
  const vec out = apply(v->span.early[other], vector(v->frames[other].geometry->vertices[k].p));
  const vec from = unapply(v->span.early[body], out);
  need(v, *(const char *)bytes(v, 1) == 'I', "a ray is owed here");
  const vec d = direction(v, 1e12);
  int64_t sum = 0;
  for (const node_t * n = g->nodes; n < g->nodes + g->node_count; n++) {
    if (n->solid != number) {continue;}
    const vec e = minus(vector(g->vertices[n->list[0]].p), from);
    const vec f = minus(vector(g->vertices[n->list[1]].p), from);
    const vec h = minus(vector(g->vertices[n->list[2]].p), from);
    if (dot(d, e).hi < 0.0 && dot(d, f).hi < 0.0 && dot(d, h).hi < 0.0) {continue;}
    const int x = det(d, e, f), y = det(d, f, h), z = x * y < 0 ? 0 : det(d, h, e);
    if (x * y < 0 || y * z < 0 || z * x < 0) {continue;}
    const int front = det(e, f, h);
    need(v, x * y * z * front != 0, "a ray meets an edge");
    sum += front == x ? front : 0;
  }
  return sum;
}

/* [V-POINT] Ensures: contains a point of the body, of that primitive, at the beginning of the span,
 *           in frame 0's parent.
 * Why:      p is a mixture of points of a hull; half-spaces have all points below theirs, planes
 *           all beside them. */
static vec point_of(verifier * v, uint32_t body, uint32_t part, point_t p)
{
  const frame_t * f = &v->frames[body];
  const geometry_t * g = f->geometry;
  const vec u = vector(p.u);
  const bool plane = f->kind == PLANE ? p.u[2] == 0.0 : f->kind == HALF_SPACE && p.u[2] <= 0.0;
  need(v, part < g->node_count && g->nodes[part].right == 0, "witness: a wrong primitive");
  need(v, plane || (f->kind == BODY && dot(u, u).hi <= 1.0), "witness: a point is not the body's");
  if (plane) {memset(p.u, 0, sizeof(p.u));}
  const vec x = mix(v, g, &g->nodes[part], &p);
  return apply(v->span.early[body], plane ? plus(x, u) : x);
}

/* [V-COLLISION] Ensures: a checked pair meets at t_hi, or is closer than its margin, by `apart`.
 * Why:      a vertex of one is in a solid of the other; or 0 is strictly inside the tetrahedron of
 *           the differences d_i of four points of each: its barycentric coordinates l_i have one
 *           sign, and sum l_i x_i = sum l_i y_i; or two points are too close. */
static void check_collision(verifier * v)
{
  struct { uint64_t t_hi; uint32_t pair, part[2], side, solid, before; } w;
  uint32_t count;
  memcpy(&w, bytes(v, sizeof(w)), sizeof(w));
  const point_t * points = table(v, 6, 1e6, sizeof(point_t), sizeof(point_t), &count);
  const bool known = w.pair < v->pair_count && w.side <= 1 && w.before <= 1;
  need(v, known && w.t_hi - w.before < v->segment_count * ONE, "witness: wrong numbers");
  const pair_t * p = &v->pairs[w.pair];
  v->span.early = poses_at(v, w.t_hi, w.before);
  const uint32_t body = w.side == 0 ? p->a : p->b, other = w.side == 0 ? p->b : p->a;
  const geometry_t * g = v->frames[other].geometry;
  const node_t * n = &g->nodes[w.part[0] < g->node_count ? w.part[0] : 0];
  v->t_hi = w.t_hi;
  v->apart = 0.0;
  if (count == 0) {
    need(v, w.part[0] < g->node_count && n->right == 0 && w.solid > 0, "witness: wrong numbers");
    need(v, winding(v, body, w.solid, other, n->list[0]) != 0, "witness: it is not inside");
    return;
  }
  vec d[4];
  need(v, count == 8, "witness: eight points are needed");
  for (int i = 0; i < 4; i++) {
    const vec x = point_of(v, p->a, w.part[0], points[i]);
    d[i] = minus(point_of(v, p->b, w.part[1], points[4 + i]), x);
  }
  const int one = det(d[1], d[2], d[3]), two = det(d[0], d[3], d[2]), three = det(d[0], d[1], d[3]);
  const bool around = one != 0 && one == two && one == three && one == det(d[0], d[2], d[1]);
  v->apart = around ? 0.0 : length(d[0]);
  need(v, around || v->apart < p->margin, "witness: it does not show a contact");
}
