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

#include "base/error.h"
#include "base/fpguard.h"
#include "kernel/chains.h"
#include "kernel/proof.h"

#include <math.h>

/// [L7] Ensures:  the box contains the body, in the frame that it rides on.
/// Why:      supports along the six axis directions, raised by far more than the rounding of a
///           placement and a support.
static void body_box(
  const kernel_scene_t * scene, uint32_t number, vec3_t * low, vec3_t * high)
{
  const vouch_body_t * body = &scene->problem->scene.bodies[number];
  const vouch_geometry_t * g = scene->problem->geometry.geometries[body->geometry];
  const rigid_t * placement = &scene->placements[number];
  double raise = 1e-12 * (1.0 + vec3_norm(placement->translation) + kernel_derived(g)->extent);
  double sides[6];
  for (int i = 0; i < 6; i++) {
    double s = i < 3 ? 1.0 : -1.0;
    vec3_t axis = vec3(i % 3 == 0 ? s : 0.0, i % 3 == 1 ? s : 0.0, i % 3 == 2 ? s : 0.0);
    sides[i] = kernel_support(g, 0, mat3_tmul_vec(&placement->rotation, axis)) +
      vec3_dot(axis, placement->translation) + raise;
  }
  *high = vec3(sides[0], sides[1], sides[2]);
  *low = vec3(-sides[3], -sides[4], -sides[5]);
}

/// [L7] Requires: the boxes of both children are known.
/// Ensures:  the box contains all bodies beneath, none of which grows faster than the group ([L11]).
///           Minima and maxima do not round.
static void group_box(kernel_scene_t * scene, uint32_t number)
{
  const vouch_group_t * group = &scene->problem->scene.groups[number];
  vec3_t * low = &scene->group_low[number], * high = &scene->group_high[number];
  if (group->body != VOUCH_NONE) {
    body_box(scene, group->body, low, high);
    scene->group_growth[number] = scene->problem->scene.bodies[group->body].growth;
  } else {
    scene->group_growth[number] =
      fmax(scene->group_growth[group->left], scene->group_growth[group->right]);
    vec3_t a = scene->group_low[group->left], b = scene->group_low[group->right];
    *low = vec3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
    a = scene->group_high[group->left];
    b = scene->group_high[group->right];
    *high = vec3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
  }
  scene->group_radius[number] = 0.5 * vec3_norm(vec3_sub(*high, *low));
}

/// [K-E] Ensures:  at least the length of the placement's translation and of the point together, for
///           every point of the body.
static double body_extent(const kernel_scene_t * scene, uint32_t number)
{
  const vouch_body_t * body = &scene->problem->scene.bodies[number];
  if (body->kind != VOUCH_BODY_GEOMETRY) {
    return vec3_norm(scene->placements[number].translation);
  }
  return vec3_norm(scene->placements[number].translation) +
         kernel_derived(scene->problem->geometry.geometries[body->geometry])->extent;
}

/// [K-E] Ensures:  at least that of every body of the tree.
/// Why:      not of the box around them: points that are far from their object's origin may come to
///           lie near by, and placing them rounds as much as they are far.
static double tree_extent(const kernel_scene_t * scene, uint32_t root)
{
  const vouch_scene_part_t * part = &scene->problem->scene;
  uint32_t end = vouch_group_end(part, root);
  double extent = 0.0;
  for (uint32_t i = root; i < end; i++) {
    if (part->groups[i].body != VOUCH_NONE) {
      extent = fmax(extent, body_extent(scene, part->groups[i].body));
    }
  }
  return extent;
}

static void place(kernel_scene_t * scene, uint32_t body)
{
  const vouch_pose_t identity = vouch_pose_identity();
  const vouch_pose_t * placement = &scene->problem->scene.bodies[body].placement;
  scene->placements[body] = rigid_from_pose(placement);
  scene->placed[body] = memcmp(placement, &identity, sizeof(identity)) != 0;
}

void kernel_scene_move_obstacle(
  kernel_scene_t * scene, vouch_problem_t * problem, uint32_t body,
  const vouch_pose_t * placement)
{
  const vouch_scene_part_t * part = &scene->problem->scene;
  problem->scene.bodies[body].placement = *placement;
  kernel_keys_t * keys = &scene->keys;
  const uint64_t first = keys->bodies[body] = kernel_new_keys(1);
  place(scene, body);
  for (uint32_t i = part->group_count; i-- > 0; ) {
    const vouch_group_t * group = &part->groups[i];
    /* Numbers only grow: one above `first` was given here. */
    bool touched = group->body != VOUCH_NONE ? group->body == body :
      keys->groups[group->left] > first || keys->groups[group->right] > first;
    if (touched) {
      vec3_t low = scene->group_low[i], high = scene->group_high[i];
      group_box(scene, i);
      kernel_keys_moved(scene, i, low, high);
    }
  }
  double extent = tree_extent(scene, 0);
  for (uint32_t i = 0; i < part->pair_count; i++) {
    if (part->pairs[i].b == part->body_count) {
      scene->paths[i].extent_b = extent;
    }
  }
}

/// Whether every body of the group a is skipped: they are named in order, each once.
static bool all_skipped(const vouch_scene_part_t * part, const vouch_pair_t * pair)
{
  uint32_t root = vouch_group_of(part, pair->a), end = vouch_group_end(part, root), bodies = 0;
  for (uint32_t i = root; i < end; i++) {
    bodies += part->groups[i].body != VOUCH_NONE ? 1u : 0u;
  }
  return pair->b < part->body_count && pair->skip_count == bodies;
}

/// [L1] Ensures:  every pair has the path between A and what B rides on.
/// Why:      all bodies of a tree ride on one frame, so any of them leads there; a group as A has
///           nothing to prove, because all of it is skipped.
static vouch_ret_t init_paths(kernel_scene_t * scene)
{
  const vouch_scene_part_t * part = &scene->problem->scene;
  uint32_t known = VOUCH_NONE;   // the tree whose extent `extent` is
  double extent = 0.0;
  for (uint32_t i = 0; i < part->pair_count; i++) {
    const vouch_pair_t * pair = &part->pairs[i];
    if (pair->a >= part->body_count) {
      if (!all_skipped(part, pair)) {
        return vouch_fail(
          VOUCH_RET_UNSUPPORTED, "pair %u begins with a group: that is not supported", i);
      }
      continue;   // nothing to prove: see kernel_proof_open()
    }
    uint32_t root = vouch_group_of(part, pair->b);
    if (root != VOUCH_NONE && root != known) {
      extent = tree_extent(scene, root);
      known = root;
    }
    bool group = root != VOUCH_NONE;
    uint32_t b = group ? vouch_group_any(part, root) : pair->b;
    vouch_ret_t ret = kernel_path_init(
      &scene->paths[i], scene->problem, pair->a, part->bodies[b].frame,
      group ? extent : body_extent(scene, b), &scene->arena);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    uint32_t joints = scene->paths[i].joint_count;
    scene->most_joints = joints > scene->most_joints ? joints : scene->most_joints;
  }
  return VOUCH_RET_OK;
}

/// [L1] Ensures: the joints of a path are the first joints of its chain's longest path, as far as
/// weights go.
/// Why:      the weight of a joint depends on it and on the joints nearer B, so paths that begin alike
///           share weights. Which chain it may be is proposed, and compared here.
static vouch_ret_t find_chains(kernel_scene_t * scene)
{
  kernel_chains_t known;
  vouch_ret_t ret = kernel_chains_init(&known, scene->arena.allocator);
  for (uint32_t i = 0; ret == VOUCH_RET_OK && i < scene->problem->scene.pair_count; i++) {
    kernel_path_t * path = &scene->paths[i];
    if (path->steps == NULL) {
      continue;
    }
    uint32_t c = kernel_chains_propose(&known, path);
    if (c >= scene->chain_count || !kernel_path_shares(path, &scene->paths[scene->chains[c]])) {
      c = scene->chain_count++;
      scene->chains[c] = i;
      ret = kernel_chains_lengthen(&known, path, c);
    } else if (path->joint_count > scene->paths[scene->chains[c]].joint_count) {
      scene->chains[c] = i;
      ret = kernel_chains_lengthen(&known, path, c);
    }
    path->chain = c;
    path->chain_slot = c == 0 ? 0 : 1u + (c - 1u) % (KERNEL_CHAINS - 1u);
  }
  kernel_chains_fini(&known);
  return ret;
}

vouch_ret_t kernel_scene_init(
  kernel_scene_t * scene, const vouch_problem_t * problem, vouch_allocator_t allocator)
{
  *scene = (kernel_scene_t) {.arena = {.allocator = allocator}, .problem = problem};
  const vouch_scene_part_t * part = &problem->scene;
  for (uint32_t i = 0; i < problem->geometry.geometry_count; i++) {
    /* Not from the caller: what is derived belongs to the geometry, which others share and which lives
     * longer than this scene. */
    vouch_ret_t ret = kernel_derive(problem->geometry.geometries[i], vouch_allocator_default());
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  vouch_arena_t * arena = &scene->arena;
  scene->paths = vouch_arena_calloc(arena, part->pair_count, sizeof(*scene->paths));
  scene->geometries = vouch_arena_calloc(arena, part->body_count, sizeof(*scene->geometries));
  scene->placements = vouch_arena_calloc(arena, part->body_count, sizeof(rigid_t));
  scene->placed = vouch_arena_calloc(arena, part->body_count, sizeof(bool));
  scene->group_low = vouch_arena_calloc(arena, part->group_count, sizeof(vec3_t));
  scene->group_high = vouch_arena_calloc(arena, part->group_count, sizeof(vec3_t));
  scene->group_radius = vouch_arena_calloc(arena, part->group_count, sizeof(double));
  scene->group_growth = vouch_arena_calloc(arena, part->group_count, sizeof(double));
  scene->chains = vouch_arena_calloc(arena, part->pair_count, sizeof(*scene->chains));
  scene->errors = vouch_arena_calloc(arena, part->frame_count, sizeof(*scene->errors));
  vouch_ret_t ret = VOUCH_RET_NO_MEMORY;
  if (scene->paths && scene->geometries && scene->placements && scene->placed && scene->group_low &&
    scene->group_high && scene->group_radius && scene->group_growth && scene->chains &&
    scene->errors)
  {
    for (uint32_t i = 0; i < part->body_count; i++) {
      const vouch_body_t * body = &part->bodies[i];
      scene->geometries[i] = body->kind == VOUCH_BODY_GEOMETRY ?
        problem->geometry.geometries[body->geometry] : NULL;
      place(scene, i);
      scene->grows |= body->growth > 0.0;
    }
    for (uint32_t i = part->group_count; i-- > 0; ) {
      group_box(scene, i);
    }
    ret = kernel_keys_init(&scene->keys, part, arena);
    ret = ret ? ret : init_paths(scene);
  }
  ret = ret ? ret : find_chains(scene);
  if (ret != VOUCH_RET_OK) {
    kernel_scene_fini(scene);
  }
  return ret;
}

void kernel_scene_fini(kernel_scene_t * scene)
{
  vouch_arena_fini(&scene->arena);
}

/// [K-E] Ensures:  every path has the radii, tau and E of this motion.
/// Why:      `rigid` leaves tau out only where all tolerances are 0.
void kernel_scene_set_motion(kernel_scene_t * scene, const kernel_timeline_t * timeline)
{
  const vouch_motion_part_t * motion = &scene->problem->motion;
  bool rigid = true;
  for (uint32_t v = 0; v < motion->variable_count; v++) {
    rigid &= motion->tolerances[v] == 0.0;
  }
  kernel_frame_errors(timeline, scene->errors);
  for (uint32_t i = 0; i < scene->problem->scene.pair_count; i++) {
    if (scene->paths[i].steps != NULL) {
      kernel_path_set_motion(&scene->paths[i], timeline, scene->errors, rigid);
    }
  }
}
