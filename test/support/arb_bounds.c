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

/* Sets, gaps and bounds of the motion in ball arithmetic, written from the format's description. */

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

arb_ptr arb_support_primitive(ac_t * c, const vouch_geometry_t * g, uint32_t number, av_t m)
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
    arb_ptr value = arb_support_primitive(c, g, i, m);
    best = best == NULL ? value : larger(c, best, value);
  }
  return best;
}

const vouch_geometry_t * arb_geometry_of(const ac_t * c, uint32_t body)
{
  return c->problem->geometry.geometries[c->problem->scene.bodies[body].geometry];
}

/// Largest m . y over a body's node, in the body's frame.
static arb_ptr support_body(ac_t * c, uint32_t body, uint32_t node, av_t m)
{
  ap_t placed = from_pose(c, &c->problem->scene.bodies[body].placement);
  arb_ptr far = support_node(c, arb_geometry_of(c, body), node, turn_back(c, &placed, m));
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

arb_ptr arb_floor_of(ac_t * c, const arb_goal_t * goal, av_t n)
{
  av_t m = vmul(c, n, num(c, -1.0));
  arb_ptr far = goal->body == VOUCH_NONE ? support_group(c, goal->b, m) :
    support_body(c, goal->body, goal->b, m);
  return sub(c, num(c, 0.0), far);
}

arb_ptr arb_gap_to(
  ac_t * c, const arb_goal_t * goal, av_t d, arb_srcptr floor, uint32_t segment, uint64_t tick)
{
  ap_t pose = relative(c, segment, tick);
  arb_ptr far = support_node(
    c, arb_geometry_of(c, c->pair->a), goal->a, turn_back(c, &pose, d));
  return sub(c, floor, add(c, far, dot(c, d, pose.t)));
}

arb_srcptr arb_checker_gap(
  ac_t * c, const vouch_pair_t * pair, const arb_goal_t * goal, const double n[3],
  uint32_t segment, uint64_t tick)
{
  c->pair = pair;
  return arb_gap_to(c, goal, vec(c, n), arb_floor_of(c, goal, vec(c, n)), segment, tick);
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

bool arb_bounds(ac_t * c, const arb_goal_t * goal, arb_ptr out[3])
{
  step_t steps[2048];
  arb_ptr rho[256];
  uint32_t joints[256], count = find_path(c, steps), n = 0;
  av_t center;
  arb_ptr radius = root_ball(c, arb_geometry_of(c, c->pair->a), &center);
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
  if (!arb_bounds(c, goal, out)) {
    out[0] = out[1] = fresh(c);
    arb_pos_inf(out[0]);
  }
  *bend = out[0];
  *travel = out[1];
}

#else
typedef int arb_bounds_needs_arb_t;
#endif  // VOUCH_HAVE_ARB
