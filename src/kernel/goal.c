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

/* What a goal is made of: its geometries, poses, bounds and charges, and the start containment. */

#include <math.h>

#include "base/fpguard.h"
#include "kernel/proof.h"

const vouch_geometry_t * kernel_geometry_a(const kernel_proof_t * p)
{
  const vouch_problem_t * problem = p->scene->problem;
  return problem->geometry.geometries[problem->scene.bodies[kernel_pair(p)->a].geometry];
}

const vouch_geometry_t * kernel_geometry_b(const kernel_proof_t * p, const kernel_goal_t * goal)
{
  const vouch_problem_t * problem = p->scene->problem;
  if (goal->body_b == VOUCH_NONE || kernel_pair(p)->kind == VOUCH_PAIR_PLANE) {
    return NULL;
  }
  return problem->geometry.geometries[problem->scene.bodies[goal->body_b].geometry];
}

rigid_t kernel_relative(const kernel_proof_t * p, const rigid_t * poses)
{
  const kernel_path_t * path = &p->scene->paths[p->pair];
  const rigid_t * frame_a = &poses[path->frame_a];
  rigid_t a = p->scene->placed[kernel_pair(p)->a] ? rigid_mul(frame_a, &path->placement_a) : *frame_a;
  return path->frame_b == 0 ? a : rigid_relative(&poses[path->frame_b], &a);
}

double kernel_support_b(const kernel_proof_t * p, const kernel_goal_t * goal, vec3_t n)
{
  vec3_t m = vec3_neg(n);
  if (goal->body_b == VOUCH_NONE) {
    return -kernel_support_box(p->scene->group_low[goal->b], p->scene->group_high[goal->b], m);
  }
  const vouch_body_t * body = &p->scene->problem->scene.bodies[goal->body_b];
  const vouch_geometry_t * g = p->scene->problem->geometry.geometries[body->geometry];
  if (!p->scene->placed[goal->body_b]) {
    return -kernel_support(g, goal->b, m);
  }
  const rigid_t * placement = &p->scene->placements[goal->body_b];
  return -(kernel_support(g, goal->b, mat3_tmul_vec(&placement->rotation, m)) +
         vec3_dot(m, placement->translation));
}

static const double * radii(kernel_proof_t * p, uint32_t node)
{
  const kernel_path_t * path = &p->scene->paths[p->pair];
  double * row = p->radii + (size_t)node * (p->scene->most_joints + 1u);
  if (p->radii_of[node] != p->serial) {
    const kernel_node_t * ball = &kernel_derived(kernel_geometry_a(p))->nodes[node];
    kernel_path_radii(path, &p->timeline, ball->center, ball->radius, row);
    double tau = 0.0;
    for (uint32_t j = 0; j < path->joint_count; j++) {
      tau += row[j] * path->joints[j].tolerance;
    }
    row[path->joint_count] = tau * (1.0 + 0x1p-40);
    p->radii_of[node] = p->serial;
  }
  return row;
}

static const double * weights(kernel_proof_t * p, uint32_t interval)
{
  double * row = p->weights + (size_t)interval * 2u * (p->scene->most_joints + 1u);
  kernel_interval_t * record = &p->timeline.intervals[interval];
  if (record->weights_of != p->serial) {
    kernel_path_weights(
      &p->scene->paths[p->pair], &p->timeline, interval, row, row + p->scene->most_joints);
    record->weights_of = p->serial;
  }
  return row;
}

/// [L1, L2, L10] C of the goal: N+ (1 + 2^-40) sum of radius times weight.
double kernel_bend(kernel_proof_t * p, const kernel_goal_t * goal)
{
  const double * w = weights(p, goal->interval), * r = radii(p, goal->a);
  double sum = 0.0;
  for (uint32_t j = 0; j < p->scene->paths[p->pair].joint_count; j++) {
    sum += r[j] * w[j];
  }
  return sum * KERNEL_NORM * (1.0 + 0x1p-40);
}

/// [L3] l of the goal.
double kernel_travel(kernel_proof_t * p, const kernel_goal_t * goal)
{
  const double * w = weights(p, goal->interval) + p->scene->most_joints;
  const double * r = radii(p, goal->a);
  double sum = 0.0;
  for (uint32_t j = 0; j < p->scene->paths[p->pair].joint_count; j++) {
    sum += r[j] * w[j];
  }
  return sum * (1.0 + 0x1p-40);
}

double kernel_charge(kernel_proof_t * p, const kernel_goal_t * goal)
{
  if (p->mode == KERNEL_MODE_CLEARANCE) {
    return p->distance;
  }
  return goal->margin + radii(p, goal->a)[p->scene->paths[p->pair].joint_count];
}

double kernel_rounding(const kernel_proof_t * p)
{
  return p->scene->paths[p->pair].rounding;
}

/* ---- start containment (L8) ---- */

static const float RAYS[8][3] = {
  {0.6123724f, 0.3535534f, 0.7071068f}, {-0.2705981f, 0.8923991f, 0.3612375f},
  {0.1913417f, -0.4619398f, 0.8660254f}, {-0.7886751f, -0.2113249f, -0.5773503f},
  {0.0871557f, 0.9961947f, -0.0012341f}, {0.9510565f, -0.2938926f, 0.0954915f},
  {-0.4045085f, 0.2351411f, 0.8838348f}, {0.3090170f, -0.8090170f, -0.5000000f}};

static vec3_t reference_point(const vouch_geometry_t * g, uint32_t component)
{
  const vouch_primitive_t * first =
    &g->primitives[kernel_derived(g)->component_first[component]];
  return first->kind >= VOUCH_PRIMITIVE_CYLINDER ?
         vec3_from(g->curved[first->first].pose.translation) :
         vec3_from(g->vertices[g->indices[first->first]]);
}

/// Every component of `other` against one solid component of `solid`; to_solid brings points of the
/// other geometry into the solid's frame.
static kernel_step_result_t component_outside(
  kernel_proof_t * p, const vouch_geometry_t * solid, uint32_t component,
  const vouch_geometry_t * other, const rigid_t * to_solid)
{
  for (uint32_t k = 0; k < other->component_count; k++) {
    vec3_t point = rigid_apply(to_solid, reference_point(other, k));
    kernel_side_t side = KERNEL_UNCLEAR;
    uint32_t ray = 0;
    for (; ray < 8u; ray++) {
      side = kernel_ray_side(solid, component, point, kernel_rounding(p), RAYS[ray]);
      if (side != KERNEL_UNCLEAR) {
        break;
      }
    }
    if (side == KERNEL_OUTSIDE) {
      kernel_write_ray(p, RAYS[ray]);
      continue;
    }
    if (side == KERNEL_UNCLEAR) {
      return KERNEL_CONTAINMENT_UNCLEAR;
    }
    p->contained.solid = component;
    p->contained.other = k;
    memcpy(p->contained.ray, RAYS[ray], sizeof(p->contained.ray));
    return KERNEL_CONTAINED;
  }
  return KERNEL_DONE;
}

static kernel_step_result_t solids_outside(
  kernel_proof_t * p, const vouch_geometry_t * solid, const vouch_geometry_t * other,
  const rigid_t * to_solid)
{
  for (uint32_t c = 0; c < solid->component_count; c++) {
    if (solid->components[c] == VOUCH_COMPONENT_OPEN) {
      return KERNEL_OPEN_SURFACE;
    }
  }
  for (uint32_t c = 0; c < solid->component_count; c++) {
    if (solid->components[c] == VOUCH_COMPONENT_SOLID) {
      kernel_step_result_t result = component_outside(p, solid, c, other, to_solid);
      if (result != KERNEL_DONE) {
        return result;
      }
    }
  }
  return KERNEL_DONE;
}

kernel_step_result_t kernel_start_containment(kernel_proof_t * p, const kernel_goal_t * goal)
{
  if (goal->a != 0 || goal->b != 0 || !p->timeline.intervals[goal->interval].begins_at_start ||
    kernel_pair(p)->kind == VOUCH_PAIR_PLANE)
  {
    return KERNEL_DONE;
  }
  const vouch_geometry_t * a = kernel_geometry_a(p), * b = kernel_geometry_b(p, goal);
  const rigid_t * poses = kernel_timeline_begin(&p->timeline, goal->interval);
  if (poses == NULL) {
    return KERNEL_LIMIT;
  }
  rigid_t a_in_frame = kernel_relative(p, poses);
  rigid_t a_in_b = rigid_relative(&p->scene->placements[goal->body_b], &a_in_frame);
  rigid_t identity = rigid_identity();
  rigid_t b_in_a = rigid_relative(&a_in_b, &identity);
  p->contained.solid_in_a = true;
  kernel_step_result_t result = solids_outside(p, a, b, &b_in_a);
  if (result == KERNEL_DONE) {
    p->contained.solid_in_a = false;
    result = solids_outside(p, b, a, &a_in_b);
  }
  return result;
}
