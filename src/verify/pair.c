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

/* One pair: its path of joints, relative poses, radii, and the tests of a leaf. */
#include "internal.h"

/* [V-PATH] Ensures: a and base are set; steps are the frames whose joints lie between base and
 * a's frame, from base up to the common ancestor (upward_count of them) and down to a's. False
 * if more than VV_JOINTS of them move.
 * Why:      parents have lower numbers, so the larger of two different frames is no ancestor of
 *           the other, and replacing it by its parent keeps the common ancestors. */
bool vv_set_path(vv_verifier * v, const vv_body * a, uint32_t base)
{
  uint32_t up = base, down = a->frame, below = v->frame_count;
  v->a = a;
  v->base = base;
  v->step_count = v->joint_count = 0;
  while (up != down) {
    uint32_t * side = up > down ? &up : &down;
    v->steps[up > down ? v->step_count++ : --below] = *side;
    v->joint_count += v->frames[*side].joint != VV_FIXED;
    *side = v->frames[*side].parent;
  }
  v->upward_count = v->step_count;
  while (below < v->frame_count) {v->steps[v->step_count++] = v->steps[below++];}
  return vv_need(v, v->joint_count <= VV_JOINTS, "too many joints between two bodies");
}

/* [V-LOCAL] Ensures: contains the pose of frame f in its parent at that time. */
static vv_pose local(const vv_verifier * v, const vv_frame * f, vv_time at)
{
  vv_pose x = f->pose;
  vv_iv s, c;
  if (f->joint == VV_FIXED) {return x;}
  const vv_iv scaled = vv_mul(vv_point(f->multiplier), vv_value(v, f->variable, at));
  const vv_iv q = vv_add(scaled, vv_point(f->offset));
  if (f->joint == VV_PRISMATIC) {
    x.t = vv_plus(x.t, vv_times(f->slide, q));
    return x;
  }
  vv_sincos(q, &s, &c);
  for (int i = 0; i < 3; i++) {
    x.r[i] = vv_plus(f->along[i], vv_plus(vv_times(f->across[i], c), vv_times(f->turned[i], s)));
  }
  return x;
}

/* [V-SLOT] Ensures: the slot of the pose, in base, of the frame that step s reaches. */
static vv_pose * pose_slot(const vv_verifier * v, uint32_t s, vv_time at, bool * hit)
{
  const uint32_t crossed = v->steps[s];
  const uint64_t reached = s < v->upward_count ? v->frames[crossed].parent : crossed;
  const uint64_t key[3] = {(reached + 1) << 32 | v->base, at.segment, at.tick};
  return vv_lookup(&v->poses, vv_hash(key, v->poses.slots), key, hit);
}

/* [V-RELATIVE] Ensures: contains the pose of a's frame in base at that time.
 * Why:      the product of the steps' poses, upwards inverted; poses met before are cached. Every
 *           slot that the first loop claims is written by the second. */
vv_pose vv_relative(const vv_verifier * v, vv_time at)
{
  vv_pose x = v->identity;
  uint32_t s = v->step_count;
  bool hit = false;
  for (; s > 0; s--) {
    const vv_pose * known = pose_slot(v, s - 1, at, &hit);
    x = hit ? *known : x;
    if (hit) {break;}
  }
  for (; s < v->step_count; s++) {
    vv_pose step = local(v, &v->frames[v->steps[s]], at);
    step = s < v->upward_count ? vv_inverse(&step) : step;
    x = vv_compose(&x, &step);
    *pose_slot(v, s, at, &hit) = x;
  }
  return x;
}

/* [V-RADII] Ensures: rho[m] bounds the distance of every point of a's node from the axis of joint
 * m of the path, counted from base, at all times (L4); 1 for a prismatic joint.
 * Why:      a ball around the node, carried from a to base: a rotation keeps it in the ball about
 *           the foot on the axis, a translation along the axis in the ball about the middle. */
static const double * radii(const vv_verifier * v, uint32_t node)
{
  const uint64_t key[3] = {(uint64_t)v->pair + 1, node, 0};
  bool hit;
  double * rho = vv_lookup(&v->radii, vv_hash(key, v->radii.slots), key, &hit);
  if (hit) {return rho;}
  const vv_ball * ball = &v->a->geometry->nodes[node].ball;
  vv_vec c = vv_apply(&v->a->placement, vv_vector(ball->v));
  double r = ball->carry;
  uint32_t m = v->joint_count;
  for (uint32_t s = v->step_count; s-- > 0; ) {
    const vv_frame * f = &v->frames[v->steps[s]];
    const bool upwards = s < v->upward_count;
    c = upwards ? vv_apply(&f->inverse, c) : c;
    if (f->joint == VV_REVOLUTE) {
      const vv_vec foot = vv_times(f->axis, vv_dot(c, f->axis));
      r = vv_up(r + vv_length(vv_minus(c, foot)));
      c = foot;
      rho[--m] = r;
    } else if (f->joint == VV_PRISMATIC) {
      c = vv_plus(c, vv_times(f->axis, vv_point(upwards ? -f->middle : f->middle)));
      r = vv_up(r + f->half);
      rho[--m] = 1.0;
    }
    c = upwards ? c : vv_apply(&f->pose, c);
  }
  return rho;
}

/* [V-FLOOR] Ensures: at most n.y for all points y of the goal's part of b. For a plane, n is
 * minus its normal (part_b 0) or its normal (part_b 1), and the part is the plane itself, or all
 * of the half-space for part_b 0. */
double vv_floor(const vv_verifier * v, const vv_goal * goal, const double n[3])
{
  const vv_vec m = vv_vector((const double[3]) {-n[0], -n[1], -n[2]});
  const double size = vv_length(m);
  if (goal->body == VV_NONE) {return -vv_support(goal->geometry, goal->part_b, m, size);}
  const vv_body * b = &v->bodies[goal->body];
  if (goal->geometry == NULL) {return goal->part_b == 0 ? -b->offset : b->offset;}
  const vv_vec turned = vv_turn_back(&b->placement, m);
  const double far = vv_support(b->geometry, goal->part_b, turned, size);
  return -vv_up(far + vv_dot(m, b->placement.t).hi);
}

/* [V-GAP] Ensures: at most floor - n.x for all points x of a's part at that time. */
double vv_gap(const vv_verifier * v, uint32_t part, const double n[3], vv_time at, double floor)
{
  const vv_pose pose = vv_relative(v, at);
  const vv_vec d = vv_vector(n), in_frame = vv_turn_back(&pose, d);
  const vv_vec m = vv_turn_back(&v->a->placement, in_frame);
  const vv_iv shift = vv_add(vv_dot(d, pose.t), vv_dot(in_frame, v->a->placement.t));
  const double far = vv_support(v->a->geometry, part, m, vv_length(d));
  return vv_down(floor - vv_up(far + shift.hi));
}

/* [V-TESTS] Requires: |n[0]|, |n[1]| <= VV_N; if chord, they are equal; no start strictly inside
 * the goal's span.
 * Ensures:  on true, the goal's parts are more than its margin apart during all of its span,
 *           under all deviations within the tolerances.
 * Why:      L1, L2, L3, L10; bounds on the motion rounded up, gaps rounded down. */
bool vv_leaf(const vv_verifier * v, const vv_goal * goal, double n[2][3], bool chord)
{
  const vv_bound * bounds = vv_bounds_on(v, goal->span);
  const double * rho = radii(v, goal->part_a);
  double turning = 0.0, bend = 0.0, travel = 0.0, reserve = goal->margin;
  for (uint32_t s = 0; s < v->step_count; s++) {
    const vv_frame * f = &v->frames[v->steps[s]];
    if (f->joint == VV_FIXED) {continue;}
    const vv_bound * b = &bounds[f->variable];
    const double k = fabs(f->multiplier), speed = vv_up(k * b->speed);
    const double turn = f->joint == VV_REVOLUTE ? speed : 0.0;
    const double rotation = vv_up(speed * vv_up(turning + 0.5 * turn));
    bend = vv_up(bend + vv_up(*rho * vv_up(rotation + vv_up(k * b->bend))));
    travel = vv_up(travel + vv_up(*rho * vv_up(k * b->variation)));
    reserve = vv_up(reserve + vv_up(*rho * f->tolerance));
    turning = vv_up(turning + turn);
    rho++;
  }
  const vv_time begin = {goal->span.first, goal->span.begin}, end = vv_end(v, goal->span);
  const double kept = vv_up(VV_N * reserve), f_a = vv_floor(v, goal, n[0]);
  const double f_b = chord ? f_a : vv_floor(v, goal, n[1]);
  const double g_a = vv_down(vv_gap(v, goal->part_a, n[0], begin, f_a) - kept);
  const double g_b = vv_down(vv_gap(v, goal->part_a, n[1], end, f_b) - kept);
  if (!(g_a > 0.0 && g_a < 1e9 && g_b > 0.0 && g_b < 1e9)) {return false;}
  const double sum = vv_down(g_a + g_b), excess = vv_up(vv_up(VV_N * bend) - sum);
  if (sum > vv_up(VV_N * travel)) {return true;}
  if (!chord) {return false;}
  return excess <= 0.0 || vv_up(excess * excess) < vv_down(4.0 * vv_down(g_a * g_b));
}
