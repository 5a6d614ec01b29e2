/* Loading geometries: primitives, containment trees, kept vertices and balls. */
#include "internal.h"

typedef struct { vv_reader vertices, indices, curved, primitives, kinds, nodes, kept, witnesses; }
  tables;

/* [V-TABLE] Ensures: a reader of the records that a count announces; bad if they are not there. */
static vv_reader table(vv_reader * r, size_t bytes)
{
  const uint64_t count = vv_number(r, 4);
  return vv_bytes(r, count * bytes);
}

/* [V-ENTRY] Ensures: a reader that begins at record `number`; bad if the table is too short. */
static vv_reader entry(vv_reader records, uint64_t number, size_t bytes)
{
  (void)vv_bytes(&records, number * bytes);
  return records;
}

/* [V-VERTICES] Ensures: the vertices of `count` entries of the list (indices or kept) from
 * `first`; NULL or bad if one does not exist. */
static vv_ball * vertices(
  vv_verifier * v, const tables * t, vv_reader list, uint32_t first, uint32_t count)
{
  vv_ball * balls = vv_take(v, count, sizeof(vv_ball));
  vv_reader indices = entry(list, first, 4);
  for (uint32_t i = 0; balls != NULL && !v->bad && i < count; i++) {
    vv_reader vertex = entry(t->vertices, vv_number(&indices, 4), 24);
    vv_read(&vertex, "v", (void * const[]){balls[i].v});
  }
  return balls;
}

/* [V-PRIM] Ensures: p is a well-formed primitive, with its vertices or its pose and size. */
static bool read_primitive(vv_verifier * v, const vv_geometry * g, tables * t, vv_primitive * p)
{
  uint32_t first;
  vv_read(&t->primitives, "biiix", (void * const[]){&p->kind, &p->component, &first, &p->count, &p->radius});
  if (v->bad || p->component >= g->component_count || !(p->radius >= 0.0)) return false;
  if ((g->component_kinds[p->component] == VV_CONVEX) == (p->kind == VV_TRIANGLE)) return false;
  if (p->kind == VV_TRIANGLE || p->kind == VV_HULL) {
    p->list = vertices(v, t, t->indices, first, p->count);
    for (uint32_t i = 0; p->list != NULL && i < p->count; i++)
      p->list[i].carry = p->radius;
    return p->list != NULL && (p->kind == VV_TRIANGLE ? p->count == 3 : p->count > 0);
  }
  vv_reader shape = entry(t->curved, first, 80);
  vv_read(&shape, "pv", (void * const[]){&p->pose, p->size});
  const bool sized = p->size[0] >= 0.0 && p->size[1] >= 0.0 && p->size[2] >= 0.0;
  const bool curved = p->kind >= VV_CYLINDER && p->kind <= VV_ELLIPSOID && p->count == 1;
  p->list = vv_take(v, 0, 0);
  p->count = 0;
  return curved && sized;
}

/* [V-PRIMS] Ensures: all primitives are well-formed, their vertices one after the other in
 * memory; every component has a primitive, a convex one exactly one. */
static bool read_primitives(vv_verifier * v, vv_geometry * g, tables * t)
{
  uint32_t * uses = vv_take(v, g->component_count, sizeof(uint32_t));
  if (uses == NULL || g->primitive_count == 0) return false;
  for (uint32_t i = 0; i < g->primitive_count; i++) {
    if (!read_primitive(v, g, t, &g->primitives[i])) return false;
    uses[g->primitives[i].component]++;
  }
  for (uint32_t c = 0; c < g->component_count; c++) {
    const uint8_t kind = g->component_kinds[c];
    if (uses[c] == 0 || kind > VV_CONVEX || (kind == VV_CONVEX && uses[c] > 1)) return false;
  }
  return !v->bad;
}

/* [V-NODES] Ensures: every node has a range of primitives and its list: kept vertices, or the
 * vertices of its primitives. */
static bool read_nodes(vv_verifier * v, vv_geometry * g, tables * t)
{
  for (uint32_t i = 0; i < g->node_count; i++) {
    vv_node * n = &g->nodes[i];
    uint32_t kept_first;
    vv_read(&t->nodes, "iiiii", (void * const[]){&n->first, &n->count, &n->left, &n->right, &kept_first});
    vv_read(&t->nodes, "i", (void * const[]){&n->kept_count});
    if (n->count == 0 || (uint64_t)n->first + n->count > g->primitive_count) return false;
    const vv_primitive * last = &g->primitives[n->first + n->count - 1];
    n->list = g->primitives[n->first].list;
    n->list_count = (uint32_t)(last->list - n->list) + last->count;
    if (n->kept_count == 0) continue;
    n->list = vertices(v, t, t->kept, kept_first, n->kept_count);
    n->list_count = n->kept_count;
    if (n->list == NULL || n->kept_count > 128) return false;
  }
  return !v->bad;
}

/* [V-TREE] Ensures: true only if children have higher numbers than their parents and every node
 * but node 0 is the child of exactly one node. */
bool vv_is_tree(vv_node * nodes, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const vv_node * n = &nodes[i];
    if (i > 0 && n->parents != 1) return false;
    if (n->left == 0 && n->right == 0) continue;
    if (n->left <= i || n->left >= count || n->right <= i || n->right >= count) return false;
    nodes[n->left].parents++;
    nodes[n->right].parents++;
  }
  return count > 0;
}

/* [V-MIX] Requires: index[] is in the list, weights in [0,1].
 * Ensures:  contains a point of the hull of the four vertices: sum of w_i v_i, w_3 = 1 - w_0 -
 *           w_1 - w_2, if w_3 >= 0.
 * Why:      if the sum s of the first three exceeds 1 (defect >= s - 1), w_i/s are weights of a
 *           point p of the hull, and |w_0 v_0 + w_1 v_1 + w_2 v_2 - p| = (s-1)|p| by coordinate. */
vv_vec vv_mix(const vv_ball * list, const uint32_t index[4], const double weight[3])
{
  vv_iv rest = vv_point(1.0);
  vv_vec sum = vv_vector((const double[3]){0.0, 0.0, 0.0});
  for (int i = 0; i < 3; i++) {
    rest = vv_sub(rest, vv_point(weight[i]));
    sum = vv_plus(sum, vv_times(vv_vector(list[index[i]].v), vv_point(weight[i])));
  }
  const vv_iv last = {vv_max(0.0, rest.lo), vv_max(0.0, rest.hi)};
  sum = vv_plus(sum, vv_times(vv_vector(list[index[3]].v), last));
  const double defect = vv_max(0.0, -rest.lo);
  for (int i = 0; i < 3; i++) {
    const double error = vv_up(defect * vv_mag(sum.x[i]));
    sum.x[i] = vv_add(sum.x[i], (vv_iv){-error, error});
  }
  return sum;
}

/* [V-COVER] Ensures: every point of the child's list, with what it carries, is within the result
 * of the hull of the parent's kept vertices; infinite if a witness is malformed. */
static double cover(const vv_node * parent, const vv_node * child, vv_reader * witnesses)
{
  double epsilon = 0.0;
  for (uint32_t i = 0; i < child->list_count; i++) {
    uint32_t index[4];
    double w[3];
    vv_read(witnesses, "bbbbr", (void * const[]){&index[0], &index[1], &index[2], &index[3], w});
    if (*witnesses->bad || !(w[0] >= 0.0 && w[1] >= 0.0 && w[2] >= 0.0)) return INFINITY;
    for (int j = 0; j < 4; j++)
      if (index[j] >= parent->kept_count) return INFINITY;
    const vv_vec gap = vv_minus(vv_vector(child->list[i].v), vv_mix(parent->list, index, w));
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
    double lo = INFINITY;
    double hi = -INFINITY;
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

/* [V-LEAF] Ensures: the ball of a childless node. A cylinder or cone is within
 * sqrt(r^2 + h^2), an ellipsoid within its largest radius of its pose's origin. */
static vv_ball primitive_ball(const vv_primitive * p)
{
  if (p->count > 0) return ball_around(p->list, p->count, 0.0);
  const double * s = p->size;
  const double corner = vv_length(vv_vector((const double[3]){s[0], s[1], 0.0}));
  const double radius = p->kind == VV_ELLIPSOID ? vv_max(s[0], vv_max(s[1], s[2])) : corner;
  const vv_iv * t = p->pose.t.x;
  return (vv_ball){{t[0].lo, t[1].lo, t[2].lo}, vv_up(radius + p->radius)};
}

/* [V-SETTLE] Requires: the nodes after n are settled; the witnesses end with those of n.
 * Ensures:  the children tile n; n's list, with what it carries, contains n's primitives (unless
 *           one is curved); so does its ball; n's witnesses are taken off. */
static bool settle(vv_geometry * g, vv_node * n, vv_reader * witnesses)
{
  const vv_node * l = &g->nodes[n->left];
  const vv_node * r = &g->nodes[n->right];
  const vv_ball both[2] = {l->ball, r->ball};
  n->curved = n->left == 0 ? g->primitives[n->first].count == 0 : l->curved || r->curved;
  n->ball = primitive_ball(&g->primitives[n->first]);
  if (n->left == 0) return n->count == 1 && n->kept_count == 0;
  if (l->first != n->first || r->first != n->first + l->count) return false;
  if (l->count + r->count != n->count || (n->curved && n->kept_count > 0)) return false;
  if (n->kept_count > 0) {
    const size_t bytes = 16 * ((size_t)l->list_count + r->list_count);
    if (bytes > witnesses->left) return false;
    witnesses->left -= bytes;
    vv_reader own = {witnesses->at + witnesses->left, bytes, witnesses->bad};
    const double left = cover(n, l, &own);
    const double epsilon = vv_max(left, cover(n, r, &own));
    for (uint32_t i = 0; i < n->list_count; i++)
      n->list[i].carry = epsilon;
    if (!(epsilon <= 1e6)) return false;
  }
  n->ball = n->curved ? ball_around(both, 2, 1.0) : ball_around(n->list, n->list_count, 0.0);
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
  if (v->bad || g->primitives == NULL || g->nodes == NULL) return false;
  if (!read_primitives(v, g, &t) || !read_nodes(v, g, &t)) return false;
  if (!vv_is_tree(g->nodes, g->node_count)) return false;
  if (g->nodes[0].count != g->primitive_count) return false;
  for (uint32_t i = g->node_count; i-- > 0;) {
    if (!settle(g, &g->nodes[i], &t.witnesses)) return false;
    for (uint32_t j = 0; j < g->nodes[i].list_count; j++) {
      const vv_ball * p = &g->nodes[i].list[j];
      g->reach = vv_max(vv_max(g->reach, p->carry), vv_length(vv_vector(p->v)));
    }
  }
  return !v->bad && t.witnesses.left == 0;
}
