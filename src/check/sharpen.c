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

#include "check/sharpen.h"

#include <math.h>

#include "methods/screw_simplex.h"
#include "search/contact.h"
#include "search/shape.h"

/* Times that are tried behind the root: multiples of 2^-FINE of a segment. */
#define FINE 46u

typedef struct sharpen_s
{
  vouch_checker_t * checker;
  search_t * search;
  kernel_goal_t goal;         // the two primitives
  uint32_t segment;
  double from, to;            // the bracket
} sharpen_t;

static double value(const sharpen_t * x, uint32_t variable, double fraction)
{
  const vouch_motion_part_t * motion = &x->checker->build.problem.motion;
  uint32_t degree = motion->degrees[x->segment];
  const double * b = &motion->coefficients[motion->offsets[x->segment] +
      (size_t)variable * (degree + 1u)];
  double row[16];
  for (uint32_t i = 0; i <= degree && i < 16u; i++) {
    row[i] = b[i];
  }
  for (uint32_t r = degree; r > 0; r--) {
    for (uint32_t i = 0; i < r; i++) {
      row[i] += fraction * (row[i + 1] - row[i]);
    }
  }
  return row[0];
}

static bool moves(const vouch_motion_part_t * motion, uint32_t segment, uint32_t variable)
{
  uint32_t degree = motion->degrees[segment];
  const double * b = &motion->coefficients[motion->offsets[segment] +
      (size_t)variable * (degree + 1u)];
  for (uint32_t i = 1; i <= degree; i++) {
    if (b[i] != b[0]) {
      return true;
    }
  }
  return false;
}

/// The one step of the path whose joint moves in the segment; NULL: none, or several.
static const kernel_step_t * moving_step(const sharpen_t * x, uint32_t pair)
{
  const kernel_path_t * path = &x->checker->kernel.paths[pair];
  const kernel_step_t * found = NULL;
  for (uint32_t i = 0; i < path->step_count; i++) {
    const kernel_step_t * step = &path->steps[i];
    if (step->joint != VOUCH_NONE && moves(
        &x->checker->build.problem.motion, x->segment, path->joints[step->joint].variable))
    {
      if (found != NULL) {
        return NULL;
      }
      found = step;
    }
  }
  return found;
}

/// The motion of A in the frame of B over the bracket, from `poses` at its begin.
static vouch_screw_t screw_of(
  const sharpen_t * x, const kernel_step_t * step,
  const rigid_t * poses)
{
  const vouch_frame_t * frame = &x->checker->build.problem.scene.frames[step->frame];
  const kernel_path_t * path = &x->checker->kernel.paths[kernel_view(x->search->proof)->pair];
  rigid_t joint = rigid_relative(&poses[path->frame_b], &poses[step->frame]);
  double turn = frame->multiplier *
    (value(x, frame->variable, x->to) - value(x, frame->variable, x->from));
  turn = step->down ? -turn : turn;   // the joint moves B: A moves the other way
  bool revolute = frame->joint == VOUCH_JOINT_REVOLUTE;
  vouch_screw_t screw = {
    .start = {.rotation = {0.0, 0.0, 0.0, 1.0}}, .angle = revolute ? turn : 0.0,
    .travel = revolute ? 0.0 : turn
  };
  vec3_store(joint.translation, screw.point);
  vec3_store(mat3_mul_vec(&joint.rotation, vec3_from(frame->axis)), screw.direction);
  return screw;
}

/// The childless node that holds the primitive.
static uint32_t node_of(const vouch_geometry_t * g, uint32_t primitive)
{
  for (uint32_t i = 0; i < g->node_count; i++) {
    if (g->nodes[i].left == 0 && g->nodes[i].first == primitive) {
      return i;
    }
  }
  return 0;
}

/// Vertices only, none of them round.
static bool polyhedral(const vouch_geometry_t * g, uint32_t primitive)
{
  const vouch_primitive_t * p = &g->primitives[primitive];
  bool plain = true;
  for (uint32_t i = 0; i < p->count && plain; i++) {
    plain = vouch_geometry_round(g, g->indices[p->first + i]) == NULL;
  }
  return plain;
}

static void add_point(screw_simplex_t * simplex, vec3_t p)
{
  for (int i = 0; i < simplex->count; i++) {
    if (vec3_norm(vec3_sub(p, vec3_from(simplex->point[i]))) < 1e-12) {
      return;
    }
  }
  if (simplex->count < 3) {
    vec3_store(p, simplex->point[simplex->count++]);
  }
}

/// Sets up the goal of the two primitives; false: something more than contact is in question.
static bool open_primitives(sharpen_t * x, const search_contact_t * contact)
{
  kernel_proof_t * p = x->search->proof;
  kernel_proof_open(p, contact->pair);
  if (kernel_proof_goal(p) == NULL || kernel_pair(p)->kind == VOUCH_PAIR_PLANE) {
    return false;
  }
  x->goal = *kernel_proof_goal(p);
  x->goal.body_b = contact->body_b;
  const vouch_geometry_t * a = kernel_geometry_a(p), * b = kernel_geometry_b(p, &x->goal);
  x->goal.a = node_of(a, contact->primitive_a);
  x->goal.b = node_of(b, contact->primitive_b);
  x->goal.hint = vec3(0.0, 0.0, 0.0);
  return !(kernel_charge(p, &x->goal) > 0.0);
}

static bool show_at(sharpen_t * x, search_time_t time, search_contact_t * contact)
{
  search_contact_t shown;
  kernel_timeline_evaluate(
    &kernel_view(x->search->proof)->timeline, x->segment, search_time_fraction(
      time), x->checker->poses);
  search_primitives(x->search, &x->goal, x->checker->poses, time, &shown);
  if (shown.kind == VOUCH_CONTACT_CONTACT) {
    *contact = shown;
  }
  return shown.kind == VOUCH_CONTACT_CONTACT;
}

/// The first time after the root at which the overlap shows itself; the contact is moved there.
static bool show_after(sharpen_t * x, double root, search_contact_t * contact)
{
  double place = ldexp(x->from + root * (x->to - x->from), (int)FINE),
    end = ldexp(x->to, (int)FINE);
  for (double step = 1.0; place + step < end; step *= 2.0) {
    if (show_at(x, (search_time_t) {x->segment, (uint64_t)(place + step), FINE}, contact)) {
      return true;
    }
  }
  return false;
}

uint32_t check_sharpen(vouch_checker_t * c, search_t * s)
{
  search_contact_t * contact = &c->contact;
  sharpen_t x = {
    .checker = c, .search = s, .segment = contact->time.segment,
    .from = search_time_fraction(c->free_until), .to = search_time_fraction(contact->time)
  };
  if (!c->claims_free_until || contact->shown != SEARCH_SHOWN_OVERLAP ||
    c->free_until.segment != x.segment || !(x.from < x.to))
  {
    return 0;
  }
  /* Bodies that overlap where the proof ends, as at the start of a motion: that is the contact. */
  if (!open_primitives(&x, contact) || show_at(&x, c->free_until, contact)) {
    return 0;
  }
  kernel_proof_t * p = s->proof;
  const kernel_step_t * step = moving_step(&x, contact->pair);
  if (step == NULL || c->build.problem.motion.degrees[x.segment] > 15u ||
    !polyhedral(kernel_geometry_a(p), contact->primitive_a) ||
    !polyhedral(kernel_geometry_b(p, &x.goal), contact->primitive_b))
  {
    return 0;
  }
  kernel_timeline_evaluate(&kernel_view(p)->timeline, x.segment, x.from, c->poses);
  rigid_t relative = kernel_relative(p, c->poses);
  search_shape_t a = search_shape_a(p, &x.goal, &relative), b = search_shape_b(p, &x.goal);
  search_distance_t found = search_distance(&a, &b, vec3(1.0, 0.0, 0.0), 1e-9);
  vouch_screw_t screw = screw_of(&x, step, c->poses);
  screw_simplex_t moving = {.count = 0}, fixed = {.count = 0};
  for (int i = 0; i < found.count; i++) {
    add_point(&moving, found.simplex[i].a);
    add_point(&fixed, found.simplex[i].b);
  }
  double root = screw_simplices_meet(&screw, &moving, &fixed);
  if (found.overlap || !isfinite(root) || !show_after(&x, root, contact)) {
    return 0;
  }
  /* Metres in a whole segment, as fast as the bodies come together now. */
  double speed = found.upper / fmax(root * (x.to - x.from), 1e-300);
  double depth = log2(fmax(speed / kernel_rounding(p), 1.0));
  return (uint32_t)fmin(fmax(depth, 22.0), 40.0);
}
