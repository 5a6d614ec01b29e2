/* Solids (L8) and the witnesses of a collision. */
#include "internal.h"

/* [V-PIERCE] Ensures: 1 or -1 if the line through p along d meets the triangle's inside, whose
 * corners seen from p are e, in the sense of d.normal; 2 if it misses it; 0 if undecided.
 * Why:      d.(e_i x e_j) is the side on which the line passes the edge from e_i to e_j. */
static int pierce(vv_vec d, const vv_vec e[3])
{
  bool plus = false;
  bool minus = false;
  bool open = false;
  for (int i = 0; i < 3; i++) {
    const int sign = vv_sign(vv_dot(d, vv_cross(e[i], e[(i + 1) % 3])));
    plus = plus || sign > 0;
    minus = minus || sign < 0;
    open = open || sign == 0;
  }
  if (plus && minus) return 2;
  return open ? 0 : plus ? 1 : -1;
}

/* [V-VOLUME] Ensures: the sign of e_0.(e_1 x e_2), 0 if undecided. */
static int volume(const vv_vec e[3])
{
  return vv_sign(vv_dot(e[0], vv_cross(e[1], e[2])));
}

/* [V-CROSSINGS] Ensures: on true *sum is the sum of the signed crossings of the ray from p along
 * d with the triangles of the component, every sign decided.
 * Why:      a triangle wholly behind p is not met; else the line must miss it or pierce it, and
 *           it is met in front of p when the volume has the sign of the piercing. */
static bool crossings(
  const vv_geometry * g, uint32_t component, vv_vec p, vv_vec d, int64_t * sum)
{
  *sum = 0;
  for (uint32_t i = 0; i < g->primitive_count; i++) {
    if (g->primitives[i].component != component) continue;
    vv_vec e[3];
    bool behind = true;
    for (int j = 0; j < 3; j++) {
      e[j] = vv_minus(vv_vector(g->primitives[i].list[j].v), p);
      behind = behind && vv_sign(vv_dot(d, e[j])) < 0;
    }
    const int through = behind ? 2 : pierce(d, e);
    if (through == 2) continue;
    const int side = volume(e);
    if (through == 0 || side == 0) return false;
    *sum += through == side ? side : 0;
  }
  return true;
}

/* [V-REFERENCE] Ensures: a point of component c: the first vertex of its first primitive, or the
 * origin of a curved one. */
static vv_vec reference(const vv_geometry * g, uint32_t c)
{
  const vv_primitive * p = g->primitives;
  while (p->component != c)
    p++;
  return p->count > 0 ? vv_vector(p->list[0].v) : p->pose.t;
}

/* [V-BETWEEN] Requires: the path is set for a and b.
 * Ensures:  contains the pose of a's geometry in b's (into_a: of b's in a's) at that time. */
static vv_pose between(const vv_verifier * v, const vv_body * b, vv_time at, bool into_a)
{
  const vv_pose frames = vv_relative(v, at);
  const vv_pose a_in_b = vv_compose(&frames, &v->a->placement);
  const vv_pose back = vv_inverse(into_a ? &a_in_b : &b->placement);
  return vv_compose(&back, into_a ? &b->placement : &a_in_b);
}

/* [V-OUTSIDE] Requires: the goal is two bodies' roots on a span that begins at a start.
 * Ensures:  on true, at the beginning no component of one has its reference point inside a solid
 *           component of the other, and no component is open. */
bool vv_all_outside(vv_verifier * v, const vv_goal * goal)
{
  const vv_body * b = &v->bodies[goal->body];
  const vv_time begin = {goal->span.first, 0};
  for (int who = 0; who < 2; who++) {
    const vv_geometry * solid = who == 0 ? v->a->geometry : b->geometry;
    const vv_geometry * other = who == 0 ? b->geometry : v->a->geometry;
    const vv_pose pose = between(v, b, begin, who == 0);
    for (uint32_t c = 0; c < solid->component_count; c++) {
      const uint8_t kind = solid->component_kinds[c];
      if (!vv_need(v, kind != VV_OPEN, "A or B between open components")) return false;
      for (uint32_t k = 0; kind == VV_SOLID && k < other->component_count; k++) {
        uint32_t tag;
        double ray[3];
        int64_t sum;
        vv_read(&v->ops, "br", (void * const[]){&tag, ray});
        if (!vv_need(v, tag == 'I' && !v->bad, "an I is owed here")) return false;
        const vv_vec p = vv_apply(&pose, reference(other, k));
        const bool decided = crossings(solid, c, p, vv_vector(ray), &sum);
        if (!vv_need(v, decided && sum == 0, "an I does not show outside")) return false;
      }
    }
  }
  return true;
}

/* [V-CURVED-POINT] Ensures: on true, x is a point of the curved primitive (without its radius). */
static bool curved_point(vv_reader * r, const vv_primitive * p, vv_vec * x)
{
  double y[3];
  vv_read(r, "v", (void * const[]){y});
  const double * s = p->size;
  const double across = vv_length(vv_vector((const double[3]){y[0], y[1], 0.0}));
  *x = vv_apply(&p->pose, vv_vector(y));
  if (p->kind == VV_ELLIPSOID) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
      const double part = vv_up(fabs(y[i]) / s[i]);
      sum = vv_up(sum + vv_up(part * part));
    }
    return sum <= 1.0;
  }
  if (!(fabs(y[2]) <= s[1])) return false;
  if (p->kind == VV_CYLINDER) return across <= s[0];
  return vv_up(across * (2.0 * s[1])) <= vv_down(s[0] * vv_down(s[1] - y[2]));
}

/* [V-FLAT-POINT] Ensures: on true, x contains a point of the triangle or hull with its radius. */
static bool flat_point(vv_reader * r, const vv_primitive * p, vv_vec * x)
{
  uint32_t index[4];
  double w[3];
  double offset[3];
  vv_read(r, "iiii", (void * const[]){&index[0], &index[1], &index[2], &index[3]});
  vv_read(r, "xxxv", (void * const[]){&w[0], &w[1], &w[2], offset});
  for (int i = 0; i < 4; i++)
    if (index[i] >= p->count) return false;
  for (int i = 0; i < 3; i++)
    if (!(w[i] >= 0.0 && w[i] <= 1.0)) return false;
  const bool none = offset[0] == 0.0 && offset[1] == 0.0 && offset[2] == 0.0;
  *x = vv_plus(vv_mix(p->list, index, w), vv_vector(offset));
  return none || vv_length(vv_vector(offset)) <= p->radius;
}

/* [V-POINTS] Ensures: on true, x[] contain points of one primitive of the body, in its frame. */
static bool read_points(vv_reader * r, const vv_body * body, uint32_t count, vv_vec * x)
{
  const vv_geometry * g = body->geometry;
  uint32_t first = VV_NONE;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t number;
    uint32_t form;
    vv_read(r, "ib", (void * const[]){&number, &form});
    first = i == 0 ? number : first;
    if (number != first || number >= g->primitive_count) return false;
    const vv_primitive * p = &g->primitives[number];
    if (form != (p->count == 0)) return false;
    if (!(form == 0 ? flat_point(r, p, &x[i]) : curved_point(r, p, &x[i]))) return false;
    x[i] = vv_apply(&body->placement, x[i]);
  }
  return !*r->bad;
}

/* [V-MARGIN] Ensures: the margin of the pair of bodies a and b, -1 if none is checked. */
static double margin_of(const vv_verifier * v, uint32_t a, uint32_t b)
{
  for (uint32_t i = 0; i < v->pair_count; i++) {
    const vv_pair * p = &v->pairs[i];
    if (p->a != a) continue;
    if (p->kind != VV_PAIR_GROUP && p->b == b) return p->margin;
    for (uint32_t g = 0; p->kind == VV_PAIR_GROUP && g < v->groups.node_count; g++)
      if (v->groups.nodes[g].body == b && p->entries[g] >= 0.0) return p->entries[g];
  }
  return -1.0;
}

/* [V-TIME] Ensures: the time that is read; bad if it is not one of the motion's. */
static vv_time read_time(const vv_verifier * v, vv_reader * r)
{
  uint32_t segment;
  vv_read(r, "i", (void * const[]){&segment});
  const uint64_t numerator = vv_number(r, 8);
  const uint64_t depth = vv_number(r, 1);
  if (segment < v->segment_count && depth <= 50 && numerator <= UINT64_C(1) << depth) {
    return (vv_time){segment, numerator << (50 - depth)};
  }
  *r->bad = true;
  return (vv_time){0, 0};
}

/* [V-PLANE] Ensures: on true the points that are read show that a meets the plane or half-space
 * b, or that it is closer to it than the margin. */
static bool meets_plane(vv_verifier * v, vv_reader * r, const vv_body * b, double margin)
{
  const vv_pose pose = vv_relative(v, v->t_hi);
  vv_vec x[2];
  vv_iv height[2];
  uint32_t count;
  vv_read(r, "b", (void * const[]){&count});
  if (count < 1 || count > 2 || !read_points(r, v->a, count, x)) return false;
  for (uint32_t i = 0; i < count; i++) {
    const vv_iv along = vv_dot(vv_vector(b->normal), vv_apply(&pose, x[i]));
    height[i] = vv_sub(along, vv_point(b->offset));
  }
  const bool thin = b->kind == VV_PLANE;
  if (count == 2) return thin && vv_sign(height[0]) * vv_sign(height[1]) < 0;
  const double far = thin ? vv_mag(height[0]) : height[0].hi;
  return far < 0.0 || far < vv_down(margin * (1.0 - 0x1p-29));
}

/* [V-INSIDE] Ensures: on true the ray that is read shows a component of one body with its
 * reference point inside a solid component of the other at t_hi. */
static bool shows_inside(vv_verifier * v, vv_reader * r, const vv_body * b)
{
  uint32_t who;
  uint32_t c;
  uint32_t k;
  double ray[3];
  int64_t sum;
  vv_read(r, "biir", (void * const[]){&who, &c, &k, ray});
  const vv_geometry * solid = who == 0 ? v->a->geometry : b->geometry;
  const vv_geometry * other = who == 0 ? b->geometry : v->a->geometry;
  if (*r->bad || who > 1 || c >= solid->component_count || k >= other->component_count) return false;
  if (solid->component_kinds[c] != VV_SOLID) return false;
  const vv_pose pose = between(v, b, v->t_hi, who == 0);
  const vv_vec p = vv_apply(&pose, reference(other, k));
  return crossings(solid, c, p, vv_vector(ray), &sum) && sum != 0;
}

/* [V-TOUCH] Ensures: on true the points that are read show a segment of one body that crosses a
 * triangle of the other (crossing), or two points closer than the margin, at t_hi. */
static bool touches(vv_verifier * v, vv_reader * r, const vv_body * b, double margin, bool crossing)
{
  const vv_pose pose = vv_relative(v, v->t_hi);
  uint32_t who = 0;
  if (crossing) vv_read(r, "b", (void * const[]){&who});
  vv_vec x[5];
  const uint32_t own = crossing ? 2 : 1;
  const uint32_t all = crossing ? 5 : 2;
  if (who > 1 || !read_points(r, who == 0 ? v->a : b, own, x)) return false;
  if (!read_points(r, who == 0 ? b : v->a, all - own, x + own)) return false;
  for (uint32_t i = 0; i < all; i++)
    if ((i < own) == (who == 0)) x[i] = vv_apply(&pose, x[i]);
  if (!crossing) return vv_length(vv_minus(x[0], x[1])) < margin;
  vv_vec e[2][3];
  for (int i = 0; i < 6; i++)
    e[i / 3][i % 3] = vv_minus(x[2 + i % 3], x[i / 3]);
  const int through = pierce(vv_minus(x[1], x[0]), e[0]);
  return (through == 1 || through == -1) && volume(e[0]) * volume(e[1]) < 0;
}

/* [V-COLLISION] Ensures: on true, the witness shows contact, or a distance below the margin, of a
 * checked pair at t_hi; ops are those of the claim that all is free before t_lo, if made. */
bool vv_collision(vv_verifier * v, vv_reader * r)
{
  uint32_t claim;
  uint32_t a;
  uint32_t b;
  uint32_t kind;
  vv_read(r, "b", (void * const[]){&claim});
  v->t_lo = read_time(v, r);
  v->t_hi = read_time(v, r);
  vv_read(r, "ii", (void * const[]){&a, &b});
  const bool order = v->t_lo.segment < v->t_hi.segment ||
    (v->t_lo.segment == v->t_hi.segment && v->t_lo.tick <= v->t_hi.tick);
  if (!vv_need(v, !v->bad && claim <= 1 && order, "witness: malformed claim or times")) return false;
  v->skips = claim == 1;
  const double margin = margin_of(v, a, b);
  if (!vv_need(v, margin >= 0.0, "witness: the pair is not checked")) return false;
  if (!vv_set_path(v, &v->bodies[a], v->bodies[b].frame)) return false;
  const vv_body * other = &v->bodies[b];
  bool shown = false;
  vv_read(r, "b", (void * const[]){&kind});
  if (kind == 4 && other->kind != VV_BODY) shown = meets_plane(v, r, other, margin);
  if (kind == 3 && other->kind == VV_BODY) shown = shows_inside(v, r, other);
  if (kind <= 2 && other->kind == VV_BODY) shown = touches(v, r, other, margin, kind == 1);
  return vv_need(v, shown, "witness: it does not show a contact");
}
