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

#include "kernel/path.h"

#include <math.h>

#include "base/error.h"
#include "base/fpguard.h"

#define U 0x1p-53
/* Rounding of one step of the radius recurrence: a dozen operations on numbers of that size. */
#define RELATIVE (1.0 + 0x1p-40)
#define SLACK 0x1p-44

static uint32_t depth_of(const vouch_scene_part_t * scene, uint32_t frame)
{
  uint32_t depth = 0;
  while (frame != 0) {
    frame = scene->frames[frame].parent;
    depth++;
  }
  return depth;
}

/// Ensures:  the frame of the highest number above, or equal to, both.
/// Why:      the deeper one goes up, so neither passes it.
static uint32_t common_ancestor(const vouch_scene_part_t * scene, uint32_t a, uint32_t b)
{
  uint32_t depth_a = depth_of(scene, a), depth_b = depth_of(scene, b);
  while (a != b) {
    if (depth_a >= depth_b) {
      a = scene->frames[a].parent;
      depth_a--;
    } else {
      b = scene->frames[b].parent;
      depth_b--;
    }
  }
  return a;
}

/// Ensures:  the way goes on through that frame: up through its joint and pose, or down through their
///           inverses.
static void add_step(
  kernel_path_t * path, const vouch_scene_part_t * scene, uint32_t frame,
  bool down)
{
  kernel_step_t * step = &path->steps[path->step_count++];
  *step = (kernel_step_t) {.frame = frame, .joint = VOUCH_NONE, .down = down,
    .fixed = rigid_from_pose(&scene->frames[frame].pose),
    .axis = vec3_unit(vec3_from(scene->frames[frame].axis), vec3(0.0, 0.0, 1.0))};
  if (scene->frames[frame].joint != VOUCH_JOINT_FIXED) {
    step->joint = path->joint_count++;
  }
}

/// Requires: joints were numbered from A.
/// Ensures:  they are numbered from B, as the path of [L1] is, with what weights read of them.
static void number_joints(kernel_path_t * path, const vouch_scene_part_t * scene)
{
  for (uint32_t i = 0; i < path->step_count; i++) {
    kernel_step_t * step = &path->steps[i];
    if (step->joint != VOUCH_NONE) {
      const vouch_frame_t * frame = &scene->frames[step->frame];
      step->joint = path->joint_count - 1u - step->joint;
      path->joints[step->joint] = (kernel_joint_t) {.variable = frame->variable,
        .revolute = frame->joint == VOUCH_JOINT_REVOLUTE, .gain = fabs(frame->multiplier),
        .turns = frame->joint == VOUCH_JOINT_REVOLUTE ? 1.0 : 0.0};
      path->slides |= frame->joint != VOUCH_JOINT_REVOLUTE;
    }
  }
}

/// [L4] Requires: the ball contains A for all values of the joints passed so far.
/// Ensures:  the same behind this joint; the result bounds the distance of A from its axis, 1 for a
///           slide.
/// Why:      a turn keeps the ball around the foot on the axis, a slide moves it by `slide` at most;
///           undoing either is the same.
static double joint_ball(
  const kernel_joint_t * joint, vec3_t axis, vec3_t * center, double * radius)
{
  if (joint->revolute) {
    vec3_t foot = vec3_scale(axis, vec3_dot(axis, *center));
    double reach = vec3_norm(vec3_sub(*center, foot)) + *radius;
    reach = reach * RELATIVE + SLACK * (fabs(center->x) + fabs(center->y) + fabs(center->z));
    *center = foot;
    *radius = reach;
    return reach;
  }
  *radius = (*radius + joint->slide) * RELATIVE;
  return 1.0 * RELATIVE;
}

/// [L4] radii[j] >= distance of any point of A's ball, and so of A, from the axis of joint j, for
/// all values that the other joints take; 1 for a prismatic joint.
static void set_radii(kernel_path_t * path)
{
  vec3_t c = path->root_center;
  double r = path->root_radius * RELATIVE + SLACK * (vec3_norm(path->root->center) + vec3_norm(c));
  for (uint32_t i = 0; i < path->step_count; i++) {
    const kernel_step_t * step = &path->steps[i];
    if (step->down) {
      c = rigid_unapply(&step->fixed, c);
    }
    if (step->joint != VOUCH_NONE) {
      path->radii[step->joint] = joint_ball(&path->joints[step->joint], step->axis, &c, &r);
    }
    if (!step->down) {
      c = rigid_apply(&step->fixed, c);
    }
    r += SLACK * (fabs(c.x) + fabs(c.y) + fabs(c.z) + vec3_norm(step->fixed.translation));
  }
}

/// [L4] Ensures:  the ball of A and what of its radii does not depend on the motion; extent_a bounds
///           every point of A in its frame.
static void set_root(kernel_path_t * path, const kernel_derived_t * derived)
{
  path->root = &derived->nodes[0];
  path->root_radius = derived->radius;
  path->root_center = rigid_apply(&path->placement_a, path->root->center);
  path->extent_a = (vec3_norm(path->placement_a.translation) + derived->extent) * RELATIVE;
  if (!path->slides) {
    set_radii(path);
  }
}

vouch_ret_t kernel_path_init(
  kernel_path_t * path, const vouch_problem_t * problem, uint32_t body_a, uint32_t frame_b,
  double extent_b, vouch_arena_t * arena)
{
  const vouch_scene_part_t * scene = &problem->scene;
  const vouch_body_t * body = &scene->bodies[body_a];
  *path = (kernel_path_t) {.frame_a = body->frame, .frame_b = frame_b, .tolerance = INFINITY,
    .extent_b = extent_b};
  uint32_t top = common_ancestor(scene, body->frame, frame_b);
  size_t room = depth_of(scene, body->frame) + depth_of(scene, frame_b) + 1u;
  path->steps = vouch_arena_calloc(arena, room, sizeof(*path->steps));
  path->joints = vouch_arena_calloc(arena, room, sizeof(*path->joints));
  path->radii = vouch_arena_calloc(arena, room, sizeof(*path->radii));
  if (path->steps == NULL || path->joints == NULL || path->radii == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < room; i++) {
    path->radii[i] = INFINITY;
  }
  for (uint32_t f = body->frame; f != top; f = scene->frames[f].parent) {
    add_step(path, scene, f, false);
  }
  uint32_t first_down = path->step_count, below = 0;
  for (uint32_t f = frame_b; f != top; f = scene->frames[f].parent) {
    below++;
  }
  path->step_count += below;
  uint32_t position = path->step_count;
  for (uint32_t f = frame_b; f != top; f = scene->frames[f].parent) {
    path->steps[--position].frame = f;
  }
  path->step_count = first_down;
  for (uint32_t i = 0; i < below; i++) {
    add_step(path, scene, path->steps[first_down + i].frame, true);
  }
  if (path->joint_count > KERNEL_MAX_JOINTS) {
    return vouch_fail(
      VOUCH_RET_UNSUPPORTED, "%u joints between '%s' and what it is checked against; at most %d",
      path->joint_count, body->name, KERNEL_MAX_JOINTS);
  }
  number_joints(path, scene);
  path->placement_a = rigid_from_pose(&body->placement);
  set_root(path, kernel_derived(problem->geometry.geometries[body->geometry]));
  return VOUCH_RET_OK;
}

/// [L1] Why:      a weight reads variable, kind and gain of its joint and of those nearer B, and
///           nothing else.
bool kernel_path_shares(const kernel_path_t * a, const kernel_path_t * b)
{
  uint32_t common = a->joint_count < b->joint_count ? a->joint_count : b->joint_count;
  for (uint32_t i = 0; i < common; i++) {
    const kernel_joint_t * x = &a->joints[i], * y = &b->joints[i];
    if (x->variable != y->variable || x->revolute != y->revolute || !(x->gain == y->gain)) {
      return false;
    }
  }
  return true;
}

/// [K-E] The recurrence of docs/soundness.md (rounding): each constant exceeds what a count of the
/// operations gives, and the result is doubled on top.
void kernel_frame_errors(const kernel_timeline_t * t, kernel_frame_error_t * errors)
{
  const vouch_scene_part_t * scene = &t->problem->scene;
  errors[0] = (kernel_frame_error_t) {0.0, 0.0, 0.0};
  for (uint32_t i = 1; i < scene->frame_count; i++) {
    const vouch_frame_t * frame = &scene->frames[i];
    const kernel_frame_error_t * parent = &errors[frame->parent];
    double offset = vec3_norm(vec3_from(frame->pose.translation));
    kernel_frame_error_t * e = &errors[i];
    e->reach = (parent->reach + offset) * RELATIVE;
    e->translation = parent->translation + parent->rotation * offset +
      16.0 * U * (parent->reach + 2.0 * offset);
    e->rotation = parent->rotation * RELATIVE + 64.0 * U;
    if (frame->joint == VOUCH_JOINT_FIXED) {
      continue;
    }
    double most = fabs(frame->multiplier) * t->largest[frame->variable];
    double dq = 16.0 * U * most + 4.0 * U * (most + fabs(frame->offset));
    if (frame->joint == VOUCH_JOINT_REVOLUTE) {
      e->rotation = e->rotation * RELATIVE + 128.0 * U + 1.5 * dq;
    } else {
      double travel = (most + fabs(frame->offset)) * RELATIVE;
      e->reach = (e->reach + travel) * RELATIVE;
      e->translation += dq + e->rotation * travel + 16.0 * U * (e->reach + 2.0 * travel);
    }
  }
}

/// [L3, L4] Ensures:  tolerances of all joints in their own unit; slide bounds how far a prismatic
///           one moves anything, tolerance included.
/// Why:      no value of a Bernstein polynomial is larger than its largest coefficient.
static void set_joints(kernel_path_t * path, const kernel_timeline_t * t)
{
  for (uint32_t j = 0; j < path->joint_count; j++) {
    kernel_joint_t * joint = &path->joints[j];
    joint->tolerance = joint->gain * t->problem->motion.tolerances[joint->variable] * RELATIVE;
#ifdef VOUCH_FAULT_NO_TOLERANCE
    joint->tolerance = 0.0;
#endif
  }
  for (uint32_t i = 0; path->slides && i < path->step_count; i++) {
    if (path->steps[i].joint == VOUCH_NONE) {
      continue;
    }
    const vouch_frame_t * frame = &t->problem->scene.frames[path->steps[i].frame];
    kernel_joint_t * joint = &path->joints[path->steps[i].joint];
    double most = joint->gain * t->largest[joint->variable] + joint->tolerance;
    joint->slide = (most + fabs(frame->offset)) * RELATIVE;
#ifdef VOUCH_FAULT_WRONG_SLIDE
    joint->slide = 0.0;
#endif
  }
}

/// [K-E] Ensures:  radii, tau, the error of a position, and E.
/// Why:      the recurrence of 5.1 and, for everything that is a fixed number of operations on these
///           lengths, 1e-11 of the largest (5.2). Joints' tolerances are set when they are not all 0,
///           or were not at the last motion.
void kernel_path_set_motion(
  kernel_path_t * path, const kernel_timeline_t * t, const kernel_frame_error_t * errors,
  bool rigid)
{
  if (path->slides || !path->rigid || !rigid) {
    set_joints(path, t);
  }
  path->rigid = rigid;
  if (path->slides) {
    set_radii(path);
  }
  path->tolerance = 0.0;
  for (uint32_t j = 0; j < path->joint_count && !rigid; j++) {
    path->tolerance += path->radii[j] * path->joints[j].tolerance * RELATIVE;   // [L3]
  }
  const kernel_frame_error_t * a = &errors[path->frame_a], * b = &errors[path->frame_b];
  double apart = a->reach + b->reach;
  double rotation = a->rotation + b->rotation + 64.0 * U;
  double recurrence = rotation * path->extent_a + a->translation + b->translation +
    (b->rotation + 64.0 * U) * apart + 64.0 * U * (apart + path->extent_a + path->extent_b);
  double largest = fmax(1.0, fmax(apart + path->extent_a, path->extent_b));
  path->error = 2.0 * recurrence;
  path->rounding = fmax(path->error, 1e-11 * largest);
#ifdef VOUCH_FAULT_NO_ROUNDING
  path->rounding = 0.0;
#endif
}

/// [L1, L10] Why:      the bracket of [L10] joint by joint, from B on: `turning` is the sum over the
///           joints passed; a slide has no share in it.
void kernel_path_weights(
  const kernel_path_t * path, kernel_timeline_t * t, uint32_t interval, double(*weights)[2])
{
  const double * bounds = kernel_timeline_bounds(t, interval);
  uint32_t n = t->variable_count;
  double turning = 0.0;   // sum of |q'| of the revolute joints nearer B
  for (uint32_t j = 0; j < path->joint_count; j++) {
    const kernel_joint_t * joint = &path->joints[j];
    double velocity = joint->gain * bounds[KERNEL_VELOCITY * n + joint->variable];
    double bend = joint->gain *
      (bounds[KERNEL_BEND * n + joint->variable] + bounds[KERNEL_KINK * n + joint->variable]);
    double own = velocity * joint->turns;
    weights[j][0] = velocity * (0.5 * own + turning) + bend;
    weights[j][1] = joint->gain * bounds[KERNEL_VARIATION * n + joint->variable];
    turning += own;
#ifdef VOUCH_FAULT_SMALL_K
    weights[j][0] *= 0.9;
#endif
#ifdef VOUCH_FAULT_DROP_JOINT
    weights[j][0] = j == 0 ? 0.0 : weights[j][0];
    weights[j][1] = j == 0 ? 0.0 : weights[j][1];
#endif
  }
}
