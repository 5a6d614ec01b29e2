/* Loading the scene: frames, bodies, groups, pairs. */
#include "internal.h"

/* [V-JOINT] Ensures: axis has length 1, slide is the axis seen from the parent, and the rows of
 * pose.r * rotation(q) are along + cos q * across + sin q * turned.
 * Why:      row p of P turns into R(q)'p = a(a.p) + cos q (p - a(a.p)) + sin q (p x a). */
static bool prepare_joint(vv_frame * f, const double axis[3])
{
  const vv_vec raw = vv_vector(axis);
  const vv_iv square = vv_dot(raw, raw);
  if (!(square.lo > 1e-12)) return false;
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

/* [V-FRAMES] Ensures: on true the frames are a tree, parents before children, with proper joints. */
static bool load_frames(vv_verifier * v, vv_reader * r)
{
  v->frames = vv_array(v, r, 109, sizeof(vv_frame), &v->frame_count);
  for (uint32_t i = 0; i < v->frame_count; i++) {
    vv_frame * f = &v->frames[i];
    double axis[3];
    vv_read(r, "sipbvicc", (void * const[]){&f->parent, &f->pose, &f->joint, axis, &f->variable, &f->multiplier,
      &f->offset});
    f->inverse = vv_inverse(&f->pose);
    if (f->joint > VV_PRISMATIC || (i > 0 && f->parent >= i)) return false;
    if (i == 0 && (f->joint != VV_FIXED || f->parent != 0)) return false;
    if (f->joint != VV_FIXED && !prepare_joint(f, axis)) return false;
  }
  return !v->bad && v->frame_count > 0;
}

/* [V-BODIES] Ensures: on true every body has a frame, and a geometry or a unit normal. */
static bool load_bodies(vv_verifier * v, vv_reader * r)
{
  v->bodies = vv_array(v, r, 105, sizeof(vv_body), &v->body_count);
  for (uint32_t i = 0; i < v->body_count; i++) {
    vv_body * b = &v->bodies[i];
    uint32_t geometry;
    double * n = b->normal;
    vv_read(r, "ssbiipvx", (void * const[]){&b->kind, &b->frame, &geometry, &b->placement, n, &b->offset});
    if (v->bad || b->frame >= v->frame_count || b->kind > VV_PLANE) return false;
    if (b->kind == VV_BODY) {
      if (geometry >= v->geometry_count) return false;
      b->geometry = &v->geometries[geometry];
    } else {
      const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
      if (!(fabs(length - 1.0) <= 1e-9)) return false;
    }
  }
  return !v->bad;
}

/* [V-BOX] Requires: group g is a leaf with its body, or its children have their boxes.
 * Ensures:  the box of the eight corners of g's list contains all bodies under g, in frame 0.
 * Why:      n.x <= support(n) for n = +-e_i; the placement turns n and shifts by n.t. */
static void group_box(vv_verifier * v, vv_node * g)
{
  const vv_node * l = &v->groups.nodes[g->left];
  const vv_node * r = &v->groups.nodes[g->right];
  for (int side = 0; side < 6; side++) {
    const double sign = side % 2 == 0 ? 1.0 : -1.0;
    const int i = side / 2;
    double far;
    if (g->left == 0) {
      const vv_body * b = &v->bodies[g->body];
      const vv_vec m = vv_times(b->placement.r[i], vv_point(sign));
      const vv_iv shift = vv_mul(b->placement.t.x[i], vv_point(sign));
      far = vv_up(vv_support(b->geometry, 0, m, 1.0) + shift.hi);
    } else {
      const int k = side % 2 == 0 ? 7 : 0;
      far = vv_max(sign * l->list[k].v[i], sign * r->list[k].v[i]);
    }
    for (int k = 0; k < 8; k++)
      if (((k >> i) & 1) == (side % 2 == 0)) g->list[k].v[i] = sign * far;
    v->groups.reach = vv_max(v->groups.reach, fabs(far));
  }
}

/* [V-GROUPS] Ensures: on true the groups are a tree whose leaves are bodies on frame 0. */
static bool load_groups(vv_verifier * v, vv_reader * r)
{
  vv_geometry * all = &v->groups;
  all->nodes = vv_array(v, r, 12, sizeof(vv_node), &all->node_count);
  for (uint32_t i = 0; i < all->node_count; i++) {
    vv_node * g = &all->nodes[i];
    vv_read(r, "iii", (void * const[]){&g->left, &g->right, &g->body});
    g->list = vv_take(v, 8, sizeof(vv_ball));
    g->list_count = 8;
    if (v->bad || g->list == NULL || (g->left != 0) != (g->body == VV_NONE)) return false;
    if (g->left != 0) continue;
    if (g->body >= v->body_count) return false;
    if (v->bodies[g->body].kind != VV_BODY || v->bodies[g->body].frame != 0) return false;
  }
  if (v->bad || (all->node_count > 0 && !vv_is_tree(all->nodes, all->node_count))) return false;
  for (uint32_t i = all->node_count; i-- > 0;)
    group_box(v, &all->nodes[i]);
  return true;
}

/* [V-ENTRIES] Ensures: on true, entries[g] is -1 if nothing under g is checked, else at least the
 * margin of every checked body under g. */
static bool load_entries(vv_verifier * v, vv_reader * r, vv_pair * p)
{
  const uint32_t count = v->groups.node_count;
  p->entries = vv_take(v, count, sizeof(double));
  if (p->entries == NULL || count == 0 || p->b != 0) return false;
  for (uint32_t g = 0; g < count; g++)
    vv_read(r, "x", (void * const[]){&p->entries[g]});
  for (uint32_t g = 0; g < count; g++) {
    const vv_node * n = &v->groups.nodes[g];
    const double larger = vv_max(p->entries[n->left], p->entries[n->right]);
    if (!(p->entries[g] >= 0.0) && p->entries[g] != -1.0) return false;
    if (n->left != 0 && p->entries[g] != larger) return false;
  }
  return p->entries[0] == -1.0 || p->entries[0] == p->margin;
}

/* [V-PAIRS] Ensures: on true every pair is of bodies that its kind allows, with margins >= 0. */
static bool load_pairs(vv_verifier * v, vv_reader * r)
{
  v->pairs = vv_array(v, r, 17, sizeof(vv_pair), &v->pair_count);
  for (uint32_t i = 0; i < v->pair_count; i++) {
    vv_pair * p = &v->pairs[i];
    vv_read(r, "biix", (void * const[]){&p->kind, &p->a, &p->b, &p->margin});
    if (v->bad || p->kind > VV_PAIR_PLANE || !(p->margin >= 0.0)) return false;
    if (p->a >= v->body_count || v->bodies[p->a].kind != VV_BODY) return false;
    if (p->kind == VV_PAIR_GROUP) {
      if (!load_entries(v, r, p)) return false;
    } else {
      if (p->b >= v->body_count || p->a == p->b) return false;
      if ((v->bodies[p->b].kind == VV_BODY) != (p->kind == VV_PAIR_BODIES)) return false;
    }
  }
  return !v->bad;
}

/* [V-SCENE] Ensures: on true the scene is as the format describes it. */
bool vv_load_scene(vv_verifier * v, vv_reader * r)
{
  vv_reader name = vv_bytes(r, vv_number(r, 4));
  char * robot = v->report->robot;
  for (size_t i = 0; i < name.left && i + 1 < sizeof(v->report->robot); i++)
    robot[i] = name.at[i] >= 0x20 && name.at[i] != 0x7f ? (char)name.at[i] : '?';
  (void)vv_number(r, 8);
  return vv_need(v, load_frames(v, r), "scene: frames are malformed") &&
         vv_need(v, load_bodies(v, r), "scene: bodies are malformed") &&
         vv_need(v, load_groups(v, r), "scene: groups are malformed") &&
         vv_need(v, load_pairs(v, r), "scene: pairs are malformed");
}
