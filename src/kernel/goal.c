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
#include "kernel/inside.h"

bool kernel_halve(kernel_proof_t * p, uint32_t interval)
{
  return kernel_timeline_split(&p->v.timeline, interval);
}

const rigid_t * kernel_poses_begin(kernel_proof_t * p, uint32_t interval)
{
  return kernel_timeline_begin(&p->v.timeline, interval);
}

const rigid_t * kernel_poses_end(kernel_proof_t * p, uint32_t interval)
{
  return kernel_timeline_end(&p->v.timeline, interval);
}

const rigid_t * kernel_poses_middle(kernel_proof_t * p, uint32_t interval)
{
  return kernel_timeline_middle(&p->v.timeline, interval);
}

const rigid_t * kernel_find_middle(kernel_proof_t * p)
{
  return p->v.middle = kernel_relative_middle(p, p->v.known_interval);
}

/// [K-FK] Ensures:  A's pose in the frame of B, with the products that E is counted for (5.1).
rigid_t kernel_relative(const kernel_proof_t * p, const rigid_t * poses)
{
  const kernel_path_t * path = p->v.path;
  const rigid_t * frame_a = &poses[path->frame_a];
  rigid_t a =
    p->v.scene->placed[kernel_pair(p)->a] ? rigid_mul(frame_a, &path->placement_a) : *frame_a;
  return path->frame_b == 0 ? a : rigid_relative(&poses[path->frame_b], &a);
}

/// Neighbours in time share configurations, so each is placed once a pair.
const rigid_t * kernel_relative_at(kernel_proof_t * p, uint32_t configuration)
{
  if (configuration == VOUCH_NONE) {
    return NULL;
  }
  const rigid_t * poses = p->v.timeline.poses + (size_t)configuration * p->v.timeline.frame_count;
  if (p->plain) {
    return &poses[p->v.path->frame_a];
  }
  rigid_t * relative = &p->relative[configuration];
  if (p->relative_of[configuration] != p->v.serial) {
    *relative = kernel_relative(p, poses);
    p->relative_of[configuration] = p->v.serial;
  }
  return relative;
}

/// [K-E] Ensures:  the centre of the ball of A's root in the frame of B.
/// Why:      by the same steps as its pose, without the products of rotations: fewer roundings, and
///           all that most tests need.
static inline vec3_t root_center(const kernel_proof_t * p, uint32_t configuration)
{
  const kernel_path_t * path = p->v.path;
  const rigid_t * poses = p->v.timeline.poses + (size_t)configuration * p->v.timeline.frame_count;
  vec3_t center = rigid_apply(&poses[path->frame_a], path->root_center);
  return path->frame_b == 0 ? center : rigid_unapply(&poses[path->frame_b], center);
}

const rigid_t * kernel_relative_middle(kernel_proof_t * p, uint32_t interval)
{
  const kernel_interval_t * record = &p->v.timeline.intervals[interval];
  if (record->middle == VOUCH_NONE) {
    (void)kernel_timeline_middle(&p->v.timeline, interval);
  }
  return kernel_relative_at(p, record->middle);
}

/// Ensures:  ends are the interval's configurations, VOUCH_NONE where memory is used up.
static void find_ends(kernel_proof_t * p, uint32_t interval)
{
  const kernel_interval_t * record = &p->v.timeline.intervals[interval];
  if (record->begin == VOUCH_NONE) {
    (void)kernel_timeline_begin(&p->v.timeline, interval);
  }
  if (record->end == VOUCH_NONE) {
    (void)kernel_timeline_end(&p->v.timeline, interval);
  }
  p->v.ends[0] = record->begin;
  p->v.ends[1] = record->end;
}

/// [K-SUPPORT] Ensures:  at most n . y for all y of B's node, or of the group's box, up to rounding
///           (in E).
/// Why:      min n . y = -max (-n) . y; placing B adds n . t and turns n back.
double kernel_support_b(const kernel_proof_t * p, const kernel_goal_t * goal, vec3_t n)
{
  vec3_t m = vec3_neg(n);
  if (goal->body_b == VOUCH_NONE) {
    return -kernel_support_box(p->v.scene->group_low[goal->b], p->v.scene->group_high[goal->b], m);
  }
  const vouch_geometry_t * g = p->v.scene->geometries[goal->body_b];
  if (!p->v.scene->placed[goal->body_b]) {
    return -kernel_support(g, goal->b, m);
  }
  const rigid_t * placement = &p->v.scene->placements[goal->body_b];
  return -(kernel_support(g, goal->b, mat3_tmul_vec(&placement->rotation, m)) +
         vec3_dot(m, placement->translation));
}

/// [L11] Ensures:  at least the metres that the goal's two sides have grown when its interval ends.
/// Why:      seconds are rounded up, and three roundings of numbers that are not negative are paid for.
double kernel_grown(const kernel_proof_t * p, const kernel_goal_t * goal)
{
  const kernel_timeline_t * t = &p->v.timeline;
  double end = kernel_timeline_seconds(t, goal->interval, 1.0, KERNEL_UP);
#ifdef VOUCH_FAULT_EARLY_GROWTH
  end = kernel_timeline_seconds(t, goal->interval, 0.0, KERNEL_DOWN);
#endif
  double grown = kernel_growth(p, goal) * (end - t->problem->motion.seconds[0]);
#ifdef VOUCH_FAULT_NO_GROWTH
  grown = 0.0;
#endif
  return grown * (1.0 + 0x1p-40);
}

/// [L1] Ensures:  the weights of the pair's chain of joints on this interval.
/// Why:      the pairs of a chain share them (kernel/scene.c); a row is taken only when its number is
///           this check's for this chain. The first chain, on which most links meet the scene, keeps
///           its own place.
static const double(*weights(kernel_proof_t * p, uint32_t interval))[2]
{
  uint32_t chain = p->v.path->chain, slot = p->v.path->chain_slot;
  double(*row)[2] =
    p->weights + (KERNEL_CHAINS * (size_t)interval + slot) * (p->v.scene->most_joints + 1u);
  uint64_t * weights_of = &p->v.timeline.intervals[interval].weights_of[slot];
  if (*weights_of != p->chain_keys + chain) {
    const kernel_path_t * longest = &p->v.scene->paths[p->v.scene->chains[chain]];
    kernel_path_weights(longest, &p->v.timeline, interval, row);
    *weights_of = p->chain_keys + chain;
  }
  return (const double(*)[2])row;
}

/// [L1, L2, L3, L10] Ensures:  C = N+ (1 + 2^-40) sum of radius times weight, l = (1 + 2^-40) sum of
///           radius times variation, for all of A: above the true ones, the rounding of their sums
///           included (5.3).
static void find_bounds(kernel_proof_t * p, uint32_t interval)
{
  const double * r = p->v.path->radii, (*w)[2] = weights(p, interval);
  double bend = 0.0, travel = 0.0;
  for (uint32_t j = 0, count = p->v.path->joint_count; j < count; j++) {
    bend += r[j] * w[j][0];
    travel += r[j] * w[j][1];
  }
  p->v.bend = bend * KERNEL_NORM * (1.0 + 0x1p-40);
  p->v.travel = travel * (1.0 + 0x1p-40);
}

/// Ensures:  bounds, ends, ball and its centres at both ends are those of this goal. Kept until
///           another one is asked about.
void kernel_find_out(kernel_proof_t * p, const kernel_goal_t * goal)
{
  if (p->v.known_interval != goal->interval) {
    find_bounds(p, goal->interval);
    find_ends(p, goal->interval);
    p->v.middle = NULL;
    p->v.known_interval = goal->interval;
  }
  const kernel_node_t * ball = &kernel_derived(p->v.geometry_a)->nodes[goal->a];
  p->v.radius = ball->radius;
  p->v.known_node = goal->a;
  if (p->v.ends[0] == VOUCH_NONE || p->v.ends[1] == VOUCH_NONE) {
    return;
  }
  if (goal->a == 0) {
    p->v.centers[0] = root_center(p, p->v.ends[0]);
    p->v.centers[1] = root_center(p, p->v.ends[1]);
  } else {
    p->v.centers[0] = rigid_apply(kernel_relative_at(p, p->v.ends[0]), ball->center);
    p->v.centers[1] = rigid_apply(kernel_relative_at(p, p->v.ends[1]), ball->center);
  }
}

/* ---- start containment (L8) ---- */

static const float RAYS[8][3] = {
  {0.6123724f, 0.3535534f, 0.7071068f}, {-0.2705981f, 0.8923991f, 0.3612375f},
  {0.1913417f, -0.4619398f, 0.8660254f}, {-0.7886751f, -0.2113249f, -0.5773503f},
  {0.0871557f, 0.9961947f, -0.0012341f}, {0.9510565f, -0.2938926f, 0.0954915f},
  {-0.4045085f, 0.2351411f, 0.8838348f}, {0.3090170f, -0.8090170f, -0.5000000f}
};

/// The body that has the solids and the other one, and how points come from the geometries' frames to
/// the frame of B.
typedef struct owed_s
{
  bool solid_in_a;
  const vouch_geometry_t * solid, * other;
  rigid_t solid_pose, other_pose;   // of the geometries in the frame of B
} owed_t;

/// A primitive whose list begins with that vertex; VOUCH_NONE: no list has the vertex.
static uint32_t primitive_at(const vouch_geometry_t * g, uint32_t vertex)
{
  uint32_t i = 0;
  while (i < g->primitive_count && g->indices[g->primitives[i].first] != vertex) {
    i++;
  }
  return i < g->primitive_count ? i : VOUCH_NONE;
}

/// Ensures:  what shows that the vertex is inside the solid, for a witness.
/// Why:      a witness names a primitive that begins with the vertex; without one nothing is shown.
static kernel_step_result_t contained(
  kernel_proof_t * p, const owed_t * owed, uint32_t solid, uint32_t vertex, const float ray[3])
{
  vec3_t at = rigid_apply(&owed->other_pose, vec3_from(owed->other->vertices[vertex]));
  p->v.contained = (kernel_contained_t) {.solid_in_a = owed->solid_in_a, .solid = solid + 1u,
    .vertex = vertex, .primitive = primitive_at(owed->other, vertex), .point = at};
  memcpy(p->v.contained.ray, ray, sizeof(p->v.contained.ray));
  return p->v.contained.primitive != VOUCH_NONE ? KERNEL_CONTAINED : KERNEL_CONTAINMENT_UNCLEAR;
}

/// [L8] Ensures:  DONE only if the reference point is outside the solid, and the ray is written.
/// Why:      each answer but UNCLEAR holds for all points within `error`, which is how far rounding
///           displaces them. Whether a ray meets an edge depends on its direction: eight are tried.
static kernel_step_result_t pay_by_ray(
  kernel_proof_t * p, const owed_t * owed, uint32_t solid, uint32_t vertex)
{
  uint32_t component = kernel_derived(owed->solid)->solids[solid];
  vec3_t at = rigid_apply(&owed->other_pose, vec3_from(owed->other->vertices[vertex]));
  vec3_t point = rigid_unapply(&owed->solid_pose, at);
  for (uint32_t ray = 0; ray < 8u; ray++) {
    kernel_side_t side =
      kernel_ray_side(owed->solid, component, point, kernel_error(p), RAYS[ray]);
    if (side == KERNEL_OUTSIDE) {
      kernel_write_record(p, PROOF_RAY, RAYS[ray]);
      return KERNEL_DONE;
    }
    if (side == KERNEL_INSIDE) {
      return contained(p, owed, solid, vertex, RAYS[ray]);
    }
  }
  return KERNEL_CONTAINMENT_UNCLEAR;
}

/// [L8] Ensures:  DONE only if every reference point of the one is outside every solid of the other.
static kernel_step_result_t pay(kernel_proof_t * p, const owed_t * owed)
{
  const kernel_derived_t * solid = kernel_derived(owed->solid);
  const kernel_derived_t * other = kernel_derived(owed->other);
  kernel_step_result_t result = KERNEL_DONE;
  for (uint32_t i = 0; i < solid->solid_count; i++) {
    for (uint32_t k = 0; k < other->reference_count && result == KERNEL_DONE; k++) {
      result = pay_by_ray(p, owed, i, other->references[k]);
    }
  }
  return result;
}

/// [L8] Why:      it is owed where two roots are left at a start; elsewhere winding numbers are
///           carried along, or the hulls are apart. Half-spaces and planes owe nothing: the hull of a
///           filled solid is on one side when its triangles are. Of what may touch nothing is claimed
///           by a proof; a distance is one of filled solids all the same.
kernel_step_result_t kernel_start_containment(kernel_proof_t * p, const kernel_goal_t * goal)
{
  bool claimed = p->v.mode == KERNEL_MODE_CLEARANCE || !kernel_may_touch(p);
#ifdef VOUCH_FAULT_TOUCH_INSIDE
  claimed = !claimed;
#endif
  if (goal->a != 0 || goal->b != 0 || p->v.kind == VOUCH_PAIR_PLANE || !claimed ||
    !p->v.timeline.intervals[goal->interval].begins_at_start)
  {
    return KERNEL_DONE;   // [L9] for planes, and [L2] for what may touch
  }
  const rigid_t * poses = kernel_timeline_begin(&p->v.timeline, goal->interval);
  if (poses == NULL) {
    return KERNEL_LIMIT;
  }
  rigid_t pose_a = kernel_relative(p, poses), pose_b = p->v.scene->placements[goal->body_b];
  const vouch_geometry_t * a = kernel_geometry_a(p), * b = kernel_geometry_b(p, goal);
  const owed_t in_a = {.solid_in_a = true, .solid = a, .other = b, .solid_pose = pose_a,
    .other_pose = pose_b};
  const owed_t in_b = {.solid = b, .other = a, .solid_pose = pose_b, .other_pose = pose_a};
  kernel_step_result_t result = pay(p, &in_a);
  return result == KERNEL_DONE ? pay(p, &in_b) : result;
}
