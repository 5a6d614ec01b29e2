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

#include "support/arb_checker.h"

#ifdef VOUCH_HAVE_ARB

#include "kernel/derived.h"
#include "support/arb_frames.h"

/* ---- the motion ---- */

void arb_checker_variable(
  ac_t * c, uint32_t variable, const arb_span_t * span, arb_ptr out[3])
{
  const vouch_motion_part_t * m = &c->problem->motion;
  arb_ptr speed = num(c, 0), half = num(c, 0), integral = num(c, 0), kinks = num(c, 0);
  arb_ptr variation = num(c, 0), leaving = NULL;
  arb_ptr whole = sub(c, num(c, m->knots[span->last]), num(c, m->knots[span->first]));
  for (uint32_t k = span->first; k < span->last; k++) {
    uint32_t degree = m->degrees[k];
    arb_ptr d = num(c, degree), last = NULL, step = NULL, entering = NULL, before = NULL;
    arb_ptr f = quotient(c, whole, sub(c, num(c, m->knots[k + 1]), num(c, m->knots[k])));
    for (uint32_t i = 0; i <= degree; i++) {
      arb_ptr b = blossom(c, k, variable, span->begin, span->begin + span->length, i);
      before = step;
      step = i > 0 ? sub(c, b, last) : NULL;
      last = b;
      if (i > 0) {
        speed = larger(c, speed, mul(c, mul(c, d, size_of(c, step)), f));
        variation = add(c, variation, size_of(c, step));
        entering = i == 1 ? mul(c, mul(c, d, step), f) : entering;
      }
      if (i > 1) {
        arb_ptr bend = mul(c, size_of(c, sub(c, step, before)), mul(c, d, f));
        integral = add(c, integral, bend);
        half = larger(c, half, mul(c, mul(c, bend, f), num(c, 0.5 * (degree - 1.0))));
      }
    }
    if (k > span->first) {
      kinks = add(c, kinks, size_of(c, sub(c, entering, leaving)));
    }
    leaving = mul(c, mul(c, d, step), f);
  }
  arb_ptr bend = fresh(c);
  arb_min(bend, half, integral, BITS);
  out[0] = speed;
  out[1] = add(c, bend, kinks);
  out[2] = variation;
}

/* ---- sets ---- */

/// The height and the three radii of a curved primitive.
static arb_ptr shape_of(
  ac_t * c, const vouch_geometry_t * g, const vouch_primitive_t * p, av_t * radii)
{
  double s[4];
  arb_checker_shape(&g->curved[p->first], p->kind, s);
  *radii = vec(c, s);
  return num(c, s[3]);
}

static arb_ptr support_primitive(ac_t * c, const vouch_geometry_t * g, uint32_t number, av_t m)
{
  const vouch_primitive_t * p = &g->primitives[number];
  arb_ptr best = NULL;
  if (p->kind < VOUCH_PRIMITIVE_CYLINDER) {
    for (uint32_t i = 0; i < p->count; i++) {
      arb_ptr value = dot(c, m, vec(c, g->vertices[g->indices[p->first + i]]));
      best = best == NULL ? value : larger(c, best, value);
    }
  } else {
    ap_t pose = from_pose(c, &g->curved[p->first].pose);
    av_t e = turn_back(c, &pose, m), radii;
    arb_ptr height = shape_of(c, g, p, &radii), along = mul(c, e.x[2], height);
    arb_ptr round = norm(
      c, (av_t) {{mul(c, radii.x[0], e.x[0]), mul(c, radii.x[1], e.x[1]),
          mul(c, radii.x[2], e.x[2])}});
    arb_ptr upper = p->kind == VOUCH_PRIMITIVE_CONE ? along : add(c, along, round);
    best = add(c, larger(c, upper, sub(c, round, along)), dot(c, m, pose.t));
  }
  return add(c, best, mul(c, num(c, p->radius), norm(c, m)));
}

static arb_ptr support_node(ac_t * c, const vouch_geometry_t * g, uint32_t node, av_t m)
{
  const vouch_tree_node_t * n = &g->nodes[node];
  arb_ptr best = NULL;
  for (uint32_t i = n->first; i < n->first + n->count; i++) {
    arb_ptr value = support_primitive(c, g, i, m);
    best = best == NULL ? value : larger(c, best, value);
  }
  return best;
}

static const vouch_geometry_t * geometry_of(const ac_t * c, uint32_t body)
{
  return c->problem->geometry.geometries[c->problem->scene.bodies[body].geometry];
}

/// Largest m . y over a body's node, in the body's frame.
static arb_ptr support_body(ac_t * c, uint32_t body, uint32_t node, av_t m)
{
  ap_t placed = from_pose(c, &c->problem->scene.bodies[body].placement);
  arb_ptr far = support_node(c, geometry_of(c, body), node, turn_back(c, &placed, m));
  return add(c, far, dot(c, m, placed.t));
}

static arb_ptr support_group(ac_t * c, uint32_t number, av_t m)
{
  const vouch_group_t * group = &c->problem->scene.groups[number];
  if (c->pair->leaf_margins[number] < 0.0) {
    return NULL;   // nothing in there is checked
  }
  if (group->body != VOUCH_NONE) {
    return support_body(c, group->body, 0, m);
  }
  arb_ptr x = support_group(c, group->left, m), y = support_group(c, group->right, m);
  return x == NULL ? y : y == NULL ? x : larger(c, x, y);
}

/// min over B of n . y.
static arb_ptr floor_of(ac_t * c, const arb_goal_t * goal, av_t n)
{
  av_t m = vmul(c, n, num(c, -1.0));
  arb_ptr far = goal->body == VOUCH_NONE ? support_group(c, goal->b, m) :
    support_body(c, goal->body, goal->b, m);
  return sub(c, num(c, 0.0), far);
}

static arb_ptr gap_to(
  ac_t * c, const arb_goal_t * goal, av_t d, arb_srcptr floor, uint32_t segment, uint64_t tick)
{
  ap_t pose = relative(c, segment, tick);
  arb_ptr far = support_node(
    c, geometry_of(c, c->pair->a), goal->a, turn_back(c, &pose, d));
  return sub(c, floor, add(c, far, dot(c, d, pose.t)));
}

arb_srcptr arb_checker_gap(
  ac_t * c, const vouch_pair_t * pair, const arb_goal_t * goal, const double n[3],
  uint32_t segment, uint64_t tick)
{
  c->pair = pair;
  return gap_to(c, goal, vec(c, n), floor_of(c, goal, vec(c, n)), segment, tick);
}

/* ---- bounds of the motion ---- */

/// The root's ball is the kernel's, once it was seen to contain every primitive; else NULL radius.
static arb_ptr root_ball(ac_t * c, const vouch_geometry_t * g, av_t * center)
{
  const kernel_node_t * known = &kernel_derived(g)->nodes[0];
  const double at[3] = {known->center.x, known->center.y, known->center.z};
  *center = vec(c, at);
  arb_ptr radius = num(c, known->radius);
  for (uint32_t i = 0; i < g->primitive_count; i++) {
    const vouch_primitive_t * p = &g->primitives[i];
    bool curved = p->kind >= VOUCH_PRIMITIVE_CYLINDER;
    for (uint32_t k = 0; k < (curved ? 1u : p->count); k++) {
      const double * v = curved ? g->curved[p->first].pose.translation :
        g->vertices[g->indices[p->first + k]];
      arb_ptr reach = num(c, p->radius);
      if (curved) {
        av_t r;
        arb_ptr height = shape_of(c, g, p, &r);
        arb_ptr across = larger(c, r.x[0], larger(c, r.x[1], r.x[2]));
        reach = add(c, reach, root(c, add(c, mul(c, across, across), mul(c, height, height))));
      }
      reach = add(c, reach, norm(c, vsub(c, vec(c, v), *center)));
      if (!arb_le(reach, radius)) {
        return NULL;
      }
    }
  }
  return radius;
}

typedef struct
{
  uint32_t frame;
  bool down;
} step_t;

/// Frames from A to B: up to the common ancestor, then down.
static uint32_t find_path(const ac_t * c, step_t * steps)
{
  const vouch_frame_t * frames = c->problem->scene.frames;
  uint32_t a = c->problem->scene.bodies[c->pair->a].frame, b = frame_of_b(c), up = 0, down = 0;
  uint32_t below[1024];
  while (a != b) {
    if (a > b) {
      steps[up++] = (step_t) {a, false};
      a = frames[a].parent;
    } else {
      below[down++] = b;
      b = frames[b].parent;
    }
  }
  for (uint32_t i = 0; i < down; i++) {
    steps[up + i] = (step_t) {below[down - 1u - i], true};
  }
  return up + down;
}

/// [L4] The ball carried over one joint; returns the joint's radius.
static arb_ptr carry(ac_t * c, step_t step, av_t * center, arb_ptr * radius)
{
  const vouch_frame_t * f = &c->problem->scene.frames[step.frame];
  const vouch_motion_part_t * m = &c->problem->motion;
  av_t z = axis_of(c, f);
  if (f->joint == VOUCH_JOINT_REVOLUTE) {
    av_t foot = vmul(c, z, dot(c, *center, z));
    *radius = add(c, *radius, norm(c, vsub(c, *center, foot)));
    *center = foot;
    return *radius;
  }
  double low = 0.0, high = 0.0;
  for (uint32_t k = 0; k < m->segment_count; k++) {
    const double * b = coefficients(c, k, f->variable);
    for (uint32_t i = 0; i <= m->degrees[k]; i++) {
      low = (k == 0 && i == 0) || b[i] < low ? b[i] : low;
      high = (k == 0 && i == 0) || b[i] > high ? b[i] : high;
    }
  }
  arb_ptr k = num(c, f->multiplier), half = num(c, 0.5), offset = num(c, f->offset);
  arb_ptr x = add(c, mul(c, k, num(c, low)), offset), y = add(c, mul(c, k, num(c, high)), offset);
  arb_ptr middle = mul(c, add(c, x, y), half);
  arb_ptr reach = add(
    c, mul(c, size_of(c, sub(c, y, x)), half),
    mul(c, size_of(c, k), num(c, m->tolerances[f->variable])));
  av_t moved = vmul(c, z, middle);
  *center = step.down ? vsub(c, *center, moved) : vadd(c, *center, moved);
  *radius = add(c, *radius, reach);
  return num(c, 1.0);
}

/// [L1, L3, L10] C / |n|, l, tau.
static bool bounds(ac_t * c, const arb_goal_t * goal, arb_ptr out[3])
{
  step_t steps[2048];
  arb_ptr rho[256];
  uint32_t joints[256], count = find_path(c, steps), n = 0;
  av_t center;
  arb_ptr radius = root_ball(c, geometry_of(c, c->pair->a), &center);
  if (radius == NULL) {
    return false;
  }
  ap_t placed = from_pose(c, &c->problem->scene.bodies[c->pair->a].placement);
  center = vadd(c, turn(c, &placed, center), placed.t);
  for (uint32_t i = 0; i < count; i++) {
    const vouch_frame_t * f = &c->problem->scene.frames[steps[i].frame];
    ap_t fixed = from_pose(c, &f->pose);
    if (steps[i].down) {
      center = turn_back(c, &fixed, vsub(c, center, fixed.t));
    }
    if (f->joint != VOUCH_JOINT_FIXED) {
      rho[n] = carry(c, steps[i], &center, &radius);
      joints[n++] = steps[i].frame;
    }
    if (!steps[i].down) {
      center = vadd(c, turn(c, &fixed, center), fixed.t);
    }
  }
  arb_ptr turning = num(c, 0.0), bend = num(c, 0.0), travel = num(c, 0.0), tau = num(c, 0.0);
  for (uint32_t j = n; j-- > 0; ) {   // from B to A
    const vouch_frame_t * f = &c->problem->scene.frames[joints[j]];
    arb_ptr v[3], k = size_of(c, num(c, f->multiplier));
    arb_checker_variable(c, f->variable, &goal->span, v);
    arb_ptr speed = mul(c, k, v[0]);
    arb_ptr own = f->joint == VOUCH_JOINT_REVOLUTE ? speed : num(c, 0.0);
    arb_ptr arc = mul(c, speed, add(c, turning, mul(c, own, num(c, 0.5))));
    bend = add(c, bend, mul(c, rho[j], add(c, arc, mul(c, k, v[1]))));
    travel = add(c, travel, mul(c, rho[j], mul(c, k, v[2])));
    arb_ptr tolerance = num(c, c->problem->motion.tolerances[f->variable]);
    tau = add(c, tau, mul(c, rho[j], mul(c, k, tolerance)));
    turning = add(c, turning, own);
  }
  out[0] = bend;
  out[1] = travel;
  out[2] = tau;
  return true;
}

void arb_checker_bounds(
  ac_t * c, const vouch_pair_t * pair, const arb_goal_t * goal, arb_ptr * bend, arb_ptr * travel)
{
  arb_ptr out[3];
  c->pair = pair;
  if (!bounds(c, goal, out)) {
    out[0] = out[1] = fresh(c);
    arb_pos_inf(out[0]);
  }
  *bend = out[0];
  *travel = out[1];
}

/* ---- leaves ---- */

static void end_of(const ac_t * c, const arb_span_t * s, uint32_t * segment, uint64_t * tick)
{
  (void)c;
  *segment = s->last - 1u;
  *tick = s->begin + s->length;   // a run ends at the end of its last segment
}

static bool leaf(ac_t * c, const arb_goal_t * goal, av_t n[2], arb_ptr floors[2], bool chord)
{
  arb_ptr b[3], g[2];
  uint32_t segment;
  uint64_t tick;
  if (!bounds(c, goal, b)) {
    return refuse(c, "a ball does not contain its body");
  }
  end_of(c, &goal->span, &segment, &tick);
  arb_ptr charge = add(c, num(c, goal->margin), b[2]);
  arb_ptr size[2];
  for (int i = 0; i < 2; i++) {
    size[i] = norm(c, n[i]);
    g[i] = gap_to(
      c, goal, n[i], floors[i], i == 0 ? goal->span.first : segment,
      i == 0 ? goal->span.begin : tick);
    g[i] = sub(c, g[i], mul(c, charge, size[i]));
    if (!arb_is_positive(g[i])) {
      return refuse(c, "a gap is not positive");
    }
  }
  c->leaves++;
  arb_ptr sum = add(c, g[0], g[1]);
  if (arb_gt(sum, mul(c, larger(c, size[0], size[1]), b[1]))) {
    return true;
  }
  if (!chord) {
    return refuse(c, "Schwarzer's test does not hold");
  }
  arb_ptr C = mul(c, size[0], b[0]), over = sub(c, C, sum);
  arb_ptr product = mul(c, num(c, 4.0), mul(c, g[0], g[1]));
  return arb_le(C, sum) || arb_lt(mul(c, over, over), product) ||
         refuse(c, "the chord test does not hold");
}

/* ---- ops ---- */

static bool leaf_op(ac_t * c, const arb_goal_t * goal, char tag)
{
  double d[3];
  av_t n[2];
  arb_ptr floors[2];
  if ((tag == 'P') != (c->pair->kind == VOUCH_PAIR_PLANE)) {
    return refuse(c, "the wrong kind of leaf");
  }
  if (tag == 'P') {
    const vouch_body_t * plane = &c->problem->scene.bodies[c->pair->b];
    uint8_t side;
    if (!take(c, &side, 1)) {
      return false;
    }
    if (side > 1 || (side == 1 && plane->kind != VOUCH_BODY_PLANE)) {
      return refuse(c, "the wrong side of a plane");
    }
    const double z[3] = {0.0, 0.0, side == 1 ? 1.0 : -1.0};
    ap_t placed = from_pose(c, &plane->placement);
    n[0] = n[1] = turn(c, &placed, vec(c, z));
    floors[0] = floors[1] = dot(c, n[0], placed.t);
    return leaf(c, goal, n, floors, true);
  }
  if (!take_direction(c, d)) {
    return false;
  }
  n[0] = n[1] = vec(c, d);
  if (tag == 'D' && !take_direction(c, d)) {
    return false;
  }
  n[1] = vec(c, d);
  floors[0] = floor_of(c, goal, n[0]);
  floors[1] = tag == 'D' ? floor_of(c, goal, n[1]) : floors[0];
  return leaf(c, goal, n, floors, tag == 'L');
}

/* ---- containment at a start ---- */

bool arb_checker_crossings(
  ac_t * c, const vouch_geometry_t * g, uint32_t component, const arb_ptr point[3],
  const float ray[3], int * sum)
{
  const double d[3] = {(double)ray[0], (double)ray[1], (double)ray[2]};
  av_t along = vec(c, d), at = {{point[0], point[1], point[2]}};
  size_t mark = c->used;
  *sum = 0;
  for (uint32_t i = 0; i < g->primitive_count; i++) {
    const vouch_primitive_t * p = &g->primitives[i];
    c->used = mark;
    if (p->component != component) {
      continue;
    }
    av_t v[3];
    int s[3], plus = 0, minus = 0;
    for (uint32_t k = 0; k < 3; k++) {
      v[k] = vsub(c, vec(c, g->vertices[g->indices[p->first + k]]), at);
    }
    for (int k = 0; k < 3; k++) {
      s[k] = sign(dot(c, along, cross(c, v[k], v[(k + 1) % 3])));
      plus += s[k] > 0;
      minus += s[k] < 0;
    }
    if (plus > 0 && minus > 0) {
      continue;
    }
    int ahead = sign(dot(c, v[0], cross(c, v[1], v[2])));
    if ((plus != 3 && minus != 3) || ahead == 0) {
      return refuse(c, "a crossing is not decided");
    }
    *sum += ahead == s[0] ? s[0] : 0;
  }
  return true;
}

static bool outside(ac_t * c, const placed_t * solid, uint32_t component, av_t point)
{
  float f[3];
  char tag;
  int sum;
  if (!take(c, &tag, 1) || tag != 'I' || !take(c, f, sizeof(f))) {
    return refuse(c, "I is missing");
  }
  av_t at = turn_back(c, &solid->pose, vsub(c, point, solid->pose.t));
  return arb_checker_crossings(c, solid->g, component, at.x, f, &sum) &&
         (sum == 0 || refuse(c, "a component is inside"));
}

static arb_ptr component_support(ac_t * c, const placed_t * x, uint32_t component, av_t m)
{
  arb_ptr best = NULL;
  av_t local = turn_back(c, &x->pose, m);
  for (uint32_t i = 0; i < x->g->primitive_count; i++) {
    const uint32_t its = x->g->primitives[i].component;
    const bool open = x->g->components[component] == VOUCH_COMPONENT_OPEN &&
      x->g->components[its] == VOUCH_COMPONENT_OPEN;   // all open ones are one hull
    if (its == component || open) {
      arb_ptr value = support_primitive(c, x->g, i, local);
      best = best == NULL ? value : larger(c, best, value);
    }
  }
  return add(c, best, dot(c, m, x->pose.t));
}

static bool hulls_apart(
  ac_t * c, const placed_t * a, uint32_t component_a, const placed_t * b, uint32_t component_b,
  arb_ptr tau)
{
  char tag;
  double n[3];
  if (!take(c, &tag, 1) || tag != 'H' || !take_direction(c, n)) {
    return refuse(c, "H is missing");
  }
  const double minus[3] = {-n[0], -n[1], -n[2]};
  arb_ptr far_a = component_support(c, a, component_a, vec(c, n));
  arb_ptr far_b = component_support(c, b, component_b, vec(c, minus));
  arb_ptr far = add(c, add(c, far_a, far_b), mul(c, tau, norm(c, vec(c, n))));
  return arb_is_negative(far) || refuse(c, "hulls of components are not apart");
}

static bool pay(
  ac_t * c, const placed_t * a, const placed_t * b, bool surface_in_a, arb_ptr tau)
{
  const placed_t * surface = surface_in_a ? a : b, * other = surface_in_a ? b : a;
  bool opened = false;
  for (uint32_t s = 0; s < surface->g->component_count; s++) {
    uint8_t kind = surface->g->components[s];
    bool first = kind == VOUCH_COMPONENT_OPEN && !opened;
    opened = opened || first;
    if (kind != VOUCH_COMPONENT_SOLID && !first) {
      continue;
    }
    for (uint32_t k = 0; k < other->g->component_count; k++) {
      bool good = kind == VOUCH_COMPONENT_SOLID ? outside(c, surface, s, reference(c, other, k)) :
        hulls_apart(c, a, surface_in_a ? s : k, b, surface_in_a ? k : s, tau);
      if (!good) {
        return false;
      }
    }
  }
  return true;
}

static bool owed(ac_t * c, const arb_goal_t * goal)
{
  if (goal->a != 0 || goal->b != 0 || goal->span.begin != 0 || !is_start(c, goal->span.first)) {
    return true;
  }
  placed_t a = {geometry_of(c, c->pair->a), relative(c, goal->span.first, 0)};
  placed_t b = {geometry_of(c, goal->body),
    from_pose(c, &c->problem->scene.bodies[goal->body].placement)};
  arb_ptr motion[3];
  return bounds(c, goal, motion) && pay(c, &a, &b, true, motion[2]) &&
         pay(c, &a, &b, false, motion[2]);
}

/* ---- the walk ---- */

static bool walk(ac_t * c, const arb_goal_t * goal, int depth);

static bool both(ac_t * c, const arb_goal_t * x, const arb_goal_t * y, int depth)
{
  return walk(c, x, depth + 1) && walk(c, y, depth + 1);
}

static bool split(ac_t * c, const arb_goal_t * goal, int depth)
{
  arb_goal_t early = *goal, late = *goal;
  uint32_t segments = goal->span.last - goal->span.first;
  if (segments > 1) {
    early.span.last = late.span.first = goal->span.first + segments / 2u;
  } else {
    if (goal->span.length < 2) {
      return refuse(c, "split too often");
    }
    early.span.length = late.span.length = goal->span.length / 2u;
    late.span.begin += late.span.length;
  }
  return both(c, &early, &late, depth);
}

static bool descend_group(ac_t * c, const arb_goal_t * goal, int depth)
{
  const vouch_group_t * group = &c->problem->scene.groups[goal->b];
  arb_goal_t x = *goal, y = *goal;
  if (group->body != VOUCH_NONE) {
    x.body = group->body;
    x.b = 0;
    return walk(c, &x, depth + 1);
  }
  x.b = group->left;
  y.b = group->right;
  x.margin = c->pair->leaf_margins[x.b];
  y.margin = c->pair->leaf_margins[y.b];
  return both(c, &x, &y, depth);
}

static bool descend(ac_t * c, const arb_goal_t * goal, bool in_a, int depth)
{
  if (c->pair->kind == VOUCH_PAIR_PLANE ? !in_a : goal->body == VOUCH_NONE && in_a) {
    return refuse(c, "A at a group, or B at a plane");
  }
  if (goal->body == VOUCH_NONE) {
    return descend_group(c, goal, depth);
  }
  const vouch_geometry_t * g = geometry_of(c, in_a ? c->pair->a : goal->body);
  const vouch_tree_node_t * node = &g->nodes[in_a ? goal->a : goal->b];
  arb_goal_t x = *goal, y = *goal;
  if (node->left == 0) {
    return refuse(c, "descent below a leaf");
  }
  *(in_a ? &x.a : &x.b) = node->left;
  *(in_a ? &y.a : &y.b) = node->right;
  return (c->pair->kind == VOUCH_PAIR_PLANE || owed(c, goal)) && both(c, &x, &y, depth);
}

static bool walk(ac_t * c, const arb_goal_t * goal, int depth)
{
  char tag;
  if (goal->margin < 0.0) {
    return true;
  }
  if (depth > 2000 || !take(c, &tag, 1)) {
    return refuse(c, "too deep, or ops end too early");
  }
  if (tag == 'T') {
    return split(c, goal, depth);
  }
  if (tag == 'S') {
    bool after = goal->span.first > c->until_segment ||
      (goal->span.first == c->until_segment && goal->span.begin >= c->until_tick);
    return (c->skips && after) || refuse(c, "a goal is skipped too early");
  }
  for (uint32_t k = goal->span.first + 1u; k < goal->span.last; k++) {
    if (is_start(c, k)) {
      return refuse(c, "a jump inside");
    }
  }
  arb_checker_reset(c);
  if (tag == 'A' || tag == 'B') {
    return descend(c, goal, tag == 'A', depth);
  }
  return (tag == 'L' || tag == 'D' || tag == 'P' || refuse(c, "unknown op")) &&
         leaf_op(c, goal, tag);
}

void arb_checker_reset(ac_t * c)
{
  c->used = 0;
}

/* One for all: making it costs more than a check. */
static arb_ptr shared_pool;

void arb_checker_init(ac_t * c, const vouch_problem_t * problem)
{
  shared_pool = shared_pool != NULL ? shared_pool : _arb_vec_init(POOL);
  *c = (ac_t) {.problem = problem, .pool = shared_pool};
}

void arb_checker_release(void)
{
  if (shared_pool != NULL) {
    _arb_vec_clear(shared_pool, POOL);
  }
  shared_pool = NULL;
  flint_cleanup();
}

bool arb_checker_head(ac_t * c, const uint8_t * certificate, size_t size, uint8_t * kind)
{
  const vouch_scene_part_t * scene = &c->problem->scene;
  const vouch_motion_part_t * motion = &c->problem->motion;
  char head[8];
  uint8_t hash[32];
  uint32_t version, word = 0;
  double tolerance, largest = 0.0;
  c->ops = certificate;
  c->left = size;
  c->leaves = 0;
  c->skips = false;
  c->reason[0] = 0;
  const uint8_t * hashes[3] = {c->problem->geometry.hash, scene->hash, motion->hash};
  if (!take(c, head, 8) || memcmp(head, "VOUCHCRT", 8) != 0 || !take(c, &version, 4) ||
    version != 1)
  {
    return refuse(c, "head");
  }
  if (!take(c, &word, 4) || word > UINT8_MAX) {
    return refuse(c, "kind");
  }
  *kind = (uint8_t)word;
  for (int i = 0; i < 3; i++) {
    if (!take(c, hash, 32) || memcmp(hash, hashes[i], 32) != 0) {
      return refuse(c, "hash");
    }
  }
  for (uint32_t i = 0; i < motion->variable_count; i++) {
    largest = fmax(largest, motion->tolerances[i]);
  }
  if (!take(c, &c->margin, 8) || !(c->margin >= 0.0) || !take(c, &tolerance, 8) ||
    !(tolerance >= largest && tolerance <= largest))
  {
    return refuse(c, "margin or tolerance");
  }
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    const vouch_pair_t * pair = &scene->pairs[i];
    bool group = pair->kind == VOUCH_PAIR_GROUP;
    for (uint32_t k = 0; group && k < scene->group_count; k++) {
      if (pair->leaf_margins[k] >= 0.0 && pair->leaf_margins[k] < c->margin) {
        return refuse(c, "a margin is smaller");
      }
    }
    if (!group && pair->margin < c->margin) {
      return refuse(c, "a margin is smaller");
    }
  }
  return true;
}

bool arb_checker_trees(ac_t * c)
{
  const vouch_scene_part_t * scene = &c->problem->scene;
  if (scene->pair_count == 0) {
    return refuse(c, "nothing is checked");
  }
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    c->pair = &scene->pairs[i];
    bool group = c->pair->kind == VOUCH_PAIR_GROUP;
    arb_goal_t goal = {.body = group ? VOUCH_NONE : c->pair->b,
      .margin = group ? c->pair->leaf_margins[0] : c->pair->margin,
      .span = {0, c->problem->motion.segment_count, 0, ARB_ONE}};
    if (!walk(c, &goal, 0)) {
      return refuse(c, "a tree does not close");
    }
  }
  return c->left == 0 || refuse(c, "bytes left over");
}

bool arb_checker_proves(ac_t * c, const uint8_t * certificate, size_t size)
{
  uint8_t kind;
  return arb_checker_head(c, certificate, size, &kind) &&
         (kind == 1 || refuse(c, "not a certificate of FREE")) && arb_checker_trees(c);
}

#else
typedef int arb_checker_needs_arb_t;
#endif  // VOUCH_HAVE_ARB
