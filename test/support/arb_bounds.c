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

#include "support/arb_frames.h"

/* ---- the motion ---- */

void arb_checker_variable(
  ac_t * c, uint32_t variable, const arb_span_t * span, arb_ptr out[3])
{
  const arb_segment_t * segments = c->file->segments;
  const uint64_t first = span->begin / ARB_ONE, last = (span->end - 1) / ARB_ONE;
  const uint64_t part[2] = {span->begin - first * ARB_ONE, span->end - last * ARB_ONE};
  arb_ptr speed = num(c, 0), half = num(c, 0), integral = num(c, 0), kinks = num(c, 0);
  arb_ptr variation = num(c, 0), leaving = NULL;
  arb_ptr whole = sub(c, num(c, segments[last].to), num(c, segments[first].from));
  for (uint64_t k = first; k <= last; k++) {
    uint32_t degree = segments[k].degree;
    arb_ptr d = num(c, degree), old = NULL, step = NULL, entering = NULL, before = NULL;
    arb_ptr f = quotient(c, whole, sub(c, num(c, segments[k].to), num(c, segments[k].from)));
    for (uint32_t i = 0; i <= degree; i++) {
      arb_ptr b = blossom(c, k, variable, part, i);
      before = step;
      step = i > 0 ? sub(c, b, old) : NULL;
      old = b;
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
    if (k > first) {
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

/// Largest m.x over the hull of what the vertices of a list stand for.
static arb_ptr support_primitive(ac_t * c, const arb_geometry_t * g, const arb_node_t * n, av_t m)
{
  arb_ptr best = NULL;
  for (uint32_t i = 0; i < n->count; i++) {
    const uint32_t k = n->list[i];
    const double * a = round_of(g, k);
    arb_ptr value = dot(c, m, vec(c, g->vertices[k]));
    if (a != NULL) {
      av_t along = {{dot(c, m, vec(c, a)), dot(c, m, vec(c, a + 3)), dot(c, m, vec(c, a + 6))}};
      value = add(c, value, norm(c, along));
    }
    best = best == NULL ? value : larger(c, best, value);
  }
  return best;
}

/// Largest m.x over all primitives beneath a node. Children come after their parents.
static arb_ptr support_node(ac_t * c, const arb_geometry_t * g, uint32_t node, av_t m)
{
  bool * beneath = calloc(g->node_count, sizeof(bool));
  arb_ptr best = num(c, 0.0);
  bool any = false;
  if (beneath == NULL) {
    abort();
  }
  beneath[node] = true;
  const size_t mark = c->used;
  for (uint32_t i = node; i < g->node_count; i++) {
    const arb_node_t * n = &g->nodes[i];
    if (beneath[i] && n->right > 0) {
      beneath[i + 1] = beneath[n->right] = true;
    } else if (beneath[i]) {
      arb_ptr value = support_primitive(c, g, n, m);
      if (!any || !arb_le(value, best)) {
        arb_max(best, any ? best : value, value, BITS);
      }
      any = true;
      c->used = mark;
    }
  }
  free(beneath);
  return best;
}

/// How far a point of the ellipsoid is from its middle at most: no eigenvalue of the matrix of the
/// a_i.a_j exceeds the largest sum of magnitudes of a row.
static arb_ptr size_of_round(ac_t * c, const double * a)
{
  arb_ptr most = num(c, 0.0);
  for (int i = 0; i < 3; i++) {
    arb_ptr sum = num(c, 0.0);
    for (int j = 0; j < 3; j++) {
      sum = add(c, sum, size_of(c, dot(c, vec(c, a + 3 * i), vec(c, a + 3 * j))));
    }
    most = larger(c, most, sum);
  }
  return root(c, most);
}

/// [L6] How far a vertex of a child's list, with its ellipsoid, is from the mixture of its witness.
/// Weights that add up to more than 1 mean their mean.
static arb_ptr off_by(
  ac_t * c, const arb_geometry_t * g, const arb_node_t * n, uint32_t vertex,
  const uint8_t * witness)
{
  const double zero[3] = {0, 0, 0}, * a = round_of(g, vertex);
  arb_ptr rest = num(c, 1.0), sum = num(c, 0.0);
  av_t mean = vec(c, zero);
  for (int i = 0; i < 4; i++) {
    float w = 0.0f;
    memcpy(&w, witness + 4 * i, i < 3 ? sizeof(w) : 0);
    arb_ptr weight = i < 3 ? num(c, (double)w) : larger(c, rest, num(c, 0.0));
    rest = sub(c, rest, weight);
    sum = add(c, sum, weight);
    mean = vadd(c, mean, vmul(c, vec(c, g->vertices[n->list[witness[12 + i]]]), weight));
  }
  mean = vmul(c, mean, quotient(c, num(c, 1.0), sum));
  arb_ptr off = norm(c, vsub(c, vec(c, g->vertices[vertex]), mean));
  return a == NULL ? off : add(c, off, size_of_round(c, a));
}

static bool keeps(const arb_node_t * n, uint32_t vertex)
{
  uint32_t i = 0;
  while (i < n->count && n->list[i] != vertex) {
    i++;
  }
  return i < n->count;
}

/// [L6] How far what is beneath a node may stick out of its list's hull.
static arb_ptr carry_of(ac_t * c, const arb_geometry_t * g, uint32_t number)
{
  const arb_node_t * n = &g->nodes[number];
  const uint8_t * witness = c->file->data + n->witnesses_at;
  arb_ptr most = num(c, 0.0);
  const size_t mark = c->used;
  for (int k = 0; n->right > 0 && k < 2; k++) {
    const uint32_t below = k == 0 ? number + 1 : n->right;
    const arb_node_t * child = &g->nodes[below];
    arb_ptr more = carry_of(c, g, below);
    const size_t inner = c->used;
    arb_max(most, most, more, BITS);
    for (uint32_t i = 0; i < child->count; i++) {
      if (!keeps(n, child->list[i])) {
        c->used = inner;
        arb_max(most, most, add(c, more, off_by(c, g, n, child->list[i], witness)), BITS);
        witness += 16;
      }
    }
    c->used = mark;
  }
  return most;
}

/// The box around a body: what its root node's list and carry say, and no less than its primitives.
static void body_box(ac_t * c, uint32_t body, arb_ptr box)
{
  const arb_geometry_t * g = geometry_of(c, body);
  const ap_t placed = from_pose(c, c->file->bodies[body].placement);
  arb_ptr carry = carry_of(c, g, 0);
  const size_t mark = c->used;
  for (int i = 0; i < 6; i++) {
    double axis[3] = {0, 0, 0};
    axis[i % 3] = i < 3 ? -1.0 : 1.0;
    c->used = mark;
    const av_t out = vec(c, axis), m = turn_back(c, &placed, out);
    arb_ptr listed = add(c, support_primitive(c, g, &g->nodes[0], m), carry);
    arb_ptr most = larger(c, listed, support_node(c, g, 0, m));
    arb_add(&box[i], most, dot(c, out, placed.t), BITS);
    if (i < 3) {
      arb_neg(&box[i], &box[i]);
    }
  }
}

/// Boxes that were found lately are kept.
void arb_checker_box(ac_t * c, uint32_t group, arb_ptr out[6])
{
  const arb_group_t * g = &c->file->groups[group];
  arb_kept_t * kept = &c->kept[KEPT + group % BOXES];
  arb_ptr box = c->pool + POOL + 12 * KEPT + 6 * (size_t)(group % BOXES);
  for (int i = 0; i < 6; i++) {
    out[i] = fresh(c);
  }
  const size_t mark = c->used;
  const bool known = kept->serial == c->serial && kept->frame == group;
  if (!known && g->right == 0) {
    body_box(c, g->body, box);
  } else if (!known) {
    arb_ptr a[6], b[6];
    arb_checker_box(c, group + 1, a);
    arb_checker_box(c, g->right, b);
    for (int i = 0; i < 6; i++) {
      (i < 3 ? arb_min : arb_max)(&box[i], a[i], b[i], BITS);
    }
  }
  *kept = (arb_kept_t) {.serial = c->serial, .frame = group};
  for (int i = 0; i < 6; i++) {
    arb_set(out[i], &box[i]);
  }
  c->used = mark;
}

/// Largest out.x over a body or group, all in the world. Planes: `out` is along their normal.
static arb_ptr reach(
  ac_t * c, const arb_goal_t * goal, int side, av_t out, uint64_t tick, bool before)
{
  const uint32_t thing = goal->thing[side], group = arb_group_of(c->file, thing);
  if (group == ARB_NONE) {
    const ap_t pose = body_pose(c, thing, tick, before);
    arb_ptr middle = dot(c, out, pose.t);
    return is_plane(c, thing) ? middle : add(
      c, middle,
      support_node(c, geometry_of(c, thing), goal->node[side], turn_back(c, &pose, out)));
  }
  const ap_t pose = frame_pose(c, c->file->groups[group].frame, tick, before);
  const av_t m = turn_back(c, &pose, out);
  arb_ptr box[6], most = dot(c, out, pose.t);
  arb_checker_box(c, group, box);
  for (int i = 0; i < 3; i++) {
    most = add(c, most, larger(c, mul(c, m.x[i], box[i]), mul(c, m.x[i], box[3 + i])));
  }
  return most;
}

arb_ptr arb_checker_gap(
  ac_t * c, const arb_goal_t * goal, const double n[3], uint64_t tick, bool before)
{
  const uint32_t b = goal->thing[1];
  const ap_t seen = is_plane(c, b) ? body_pose(c, b, tick, before) :
    frame_pose(c, arb_frame_of(c->file, b), tick, before);
  const av_t out = turn(c, &seen, vec(c, n)), back = vmul(c, out, num(c, -1.0));
  arb_ptr far = reach(c, goal, 0, out, tick, before), near = reach(c, goal, 1, back, tick, before);
  arb_ptr gap = add(c, far, near);
  arb_neg(gap, gap);
  return gap;
}

/* ---- bounds of the motion ---- */

/// The radius of the ball around vertex 0 that contains all primitives.
static arb_ptr ball(ac_t * c, const arb_geometry_t * g)
{
  arb_ptr radius = num(c, 0.0);
  const size_t mark = c->used;
  for (uint32_t i = 0; i < g->node_count; i++) {
    for (uint32_t k = 0; g->nodes[i].right == 0 && k < g->nodes[i].count; k++) {
      const uint32_t vertex = g->nodes[i].list[k];
      const double * a = round_of(g, vertex);
      c->used = mark;
      arb_ptr reach = norm(c, vsub(c, vec(c, g->vertices[vertex]), vec(c, g->vertices[0])));
      reach = a == NULL ? reach : add(c, reach, size_of_round(c, a));
      arb_max(radius, radius, reach, BITS);
    }
  }
  c->used = mark;
  return radius;
}

typedef struct
{
  uint32_t frame;
  bool down;
} step_t;

/// Frames from the one that A rides on to that of B: up to the common ancestor, then down.
static uint32_t find_path(const ac_t * c, const arb_pair_t * p, step_t * steps, uint32_t most)
{
  const arb_frame_t * frames = c->file->frames;
  uint32_t a = arb_frame_of(c->file, p->a), b = arb_frame_of(c->file, p->b), up = 0, down = 0;
  uint32_t below[512];
  while (a != b && up + down < most && down < 512) {
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
  return a == b ? up + down : most;
}

/// [L4] The ball carried over one joint; returns the joint's radius.
static arb_ptr carry(ac_t * c, const arb_frame_t * f, av_t * center, arb_ptr * radius)
{
  if (f->joint == ARB_REVOLUTE) {
    av_t z = axis_of(c, f), foot = vmul(c, z, dot(c, *center, z));
    *radius = add(c, *radius, norm(c, vsub(c, *center, foot)));
    *center = foot;
    return *radius;
  }
  double most = 0.0;
  for (uint32_t k = 0; k < c->file->segment_count; k++) {
    const double * b = arb_coefficients(c->file, k, f->variable);
    for (uint32_t i = 0; i <= c->file->segments[k].degree; i++) {
      most = fmax(most, fabs(b[i]));
    }
  }
  arb_ptr value = add(c, num(c, most), num(c, c->file->tolerances[f->variable]));
  value = add(c, mul(c, size_of(c, num(c, f->multiplier)), value), num(c, fabs(f->offset)));
  *radius = add(c, *radius, value);
  return num(c, 1.0);
}

/// L1's double sum, l and tau, from B to A. turning: the speeds of turning joints nearer B.
static void sum_up(
  ac_t * c, const arb_span_t * span, const uint32_t * joints, arb_ptr * rho, uint32_t count,
  arb_ptr out[3])
{
  arb_ptr turning = num(c, 0.0);
  out[0] = out[1] = out[2] = num(c, 0.0);
  for (uint32_t j = count; j-- > 0; ) {
    const arb_frame_t * f = &c->file->frames[joints[j]];
    arb_ptr v[3], k = size_of(c, num(c, f->multiplier));
    arb_checker_variable(c, f->variable, span, v);
    arb_ptr speed = mul(c, k, v[0]);
    arb_ptr own = f->joint == ARB_REVOLUTE ? speed : num(c, 0.0);
    arb_ptr arc = mul(c, speed, add(c, turning, mul(c, own, num(c, 0.5))));
    out[0] = add(c, out[0], mul(c, rho[j], add(c, arc, mul(c, k, v[1]))));
    out[1] = add(c, out[1], mul(c, rho[j], mul(c, k, v[2])));
    arb_ptr tolerance = num(c, c->file->tolerances[f->variable]);
    out[2] = add(c, out[2], mul(c, rho[j], mul(c, k, tolerance)));
    turning = add(c, turning, own);
  }
}

/// A ball around what the pair's a is, in the frame that it rides on.
static arb_ptr first_ball(ac_t * c, const arb_pair_t * p, av_t * center)
{
  const uint32_t group = arb_group_of(c->file, p->a);
  if (group == ARB_NONE) {
    const arb_geometry_t * g = geometry_of(c, p->a);
    const ap_t placed = from_pose(c, c->file->bodies[p->a].placement);
    *center = place(c, &placed, vec(c, g->vertices[0]));
    return ball(c, g);
  }
  arb_ptr box[6];
  arb_checker_box(c, group, box);
  const av_t low = {{box[0], box[1], box[2]}}, high = {{box[3], box[4], box[5]}};
  *center = vmul(c, vadd(c, low, high), num(c, 0.5));
  return norm(c, vmul(c, vsub(c, high, low), num(c, 0.5)));
}

void arb_checker_bounds(ac_t * c, uint32_t pair, const arb_span_t * span, arb_ptr out[3])
{
  enum { MOST = 1024 };
  step_t steps[MOST];
  arb_ptr rho[MOST];
  uint32_t joints[MOST], n = 0;
  const arb_pair_t * p = &c->file->pairs[pair];
  const uint32_t count = find_path(c, p, steps, MOST);
  av_t center;
  arb_ptr radius = first_ball(c, p, &center);
  for (uint32_t i = 0; i < count && count < MOST; i++) {
    const arb_frame_t * f = &c->file->frames[steps[i].frame];
    ap_t fixed = from_pose(c, f->pose);
    if (steps[i].down) {
      center = place_back(c, &fixed, center);
    }
    if (f->joint != ARB_FIXED) {
      rho[n] = carry(c, f, &center, &radius);
      joints[n++] = steps[i].frame;
    }
    if (!steps[i].down) {
      center = place(c, &fixed, center);
    }
  }
  sum_up(c, span, joints, rho, n, out);
  for (int i = 0; i < 3 && count == MOST; i++) {   // nothing is known of so long a path
    out[i] = fresh(c);
    arb_pos_inf(out[i]);
  }
}

/* ---- growth ---- */

/// The largest growth beneath a group, or that of a body.
static double growth_of(const arb_file_t * file, uint32_t thing)
{
  const uint32_t group = arb_group_of(file, thing);
  double most = 0.0;
  if (group == ARB_NONE) {
    return file->bodies[thing].growth;
  }
  for (uint32_t i = group; i < file->groups[group].end; i++) {
    if (file->groups[i].right == 0) {
      most = fmax(most, file->bodies[file->groups[i].body].growth);
    }
  }
  return most;
}

arb_ptr arb_checker_grown(ac_t * c, const uint32_t things[2], uint64_t tick)
{
  const arb_file_t * f = c->file;
  const uint64_t number = tick == 0 ? 0 : (tick - 1) / ARB_ONE;
  arb_ptr from = num(c, number == 0 ? f->seconds : f->segments[number - 1].seconds);
  arb_ptr part = num(c, ldexp((double)(tick - number * ARB_ONE), -44));
  arb_ptr length = sub(c, num(c, f->segments[number].seconds), from);
  arb_ptr passed = sub(c, add(c, from, mul(c, part, length)), num(c, f->seconds));
  arb_ptr growth = add(c, num(c, growth_of(f, things[0])), num(c, growth_of(f, things[1])));
  return mul(c, growth, passed);
}

/* ---- leaves ---- */

bool arb_checker_leaf(
  ac_t * c, const arb_goal_t * goal, const arb_span_t * span, double n[2][3], bool chord,
  double slack)
{
  const arb_pair_t * p = &c->file->pairs[goal->pair];
  arb_ptr b[3], g[2], size[2];
  arb_checker_bounds(c, goal->pair, span, b);
  arb_ptr charge = add(c, add(c, num(c, p->margin), num(c, slack)), b[2]);
  charge = add(c, charge, arb_checker_grown(c, goal->thing, span->end));
  for (int i = 0; i < 2; i++) {
    const double * d = n[chord ? 0 : i];
    size[i] = norm(c, vec(c, d));
    g[i] = arb_checker_gap(c, goal, d, i == 0 ? span->begin : span->end, i == 1);
    g[i] = sub(c, g[i], mul(c, charge, size[i]));
    if (!arb_is_positive(g[i])) {
      return refuse(c, "a gap is not positive");
    }
  }
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

#else
typedef int arb_bounds_needs_arb_t;
#endif  // VOUCH_HAVE_ARB
