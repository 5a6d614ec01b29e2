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
/* vouch inspect: which pairs are checked, which are not and why, and how far bodies reach. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/inspect.h"
#include "kernel/derived.h"
#include "kernel/proof.h"
#include "model/scene.h"
#include "report/reasons.h"

/* ---- pairs ---- */

/* Where a body is in the tree over the obstacles: of many bodies nobody wants to walk through it for
 * every pair. */
static uint32_t * find_leaves(const vouch_scene_part_t * part)
{
  uint32_t * leaves = malloc(((size_t)part->body_count + 1) * sizeof(*leaves));
  for (uint32_t i = 0; leaves && i < part->body_count; i++) {
    leaves[i] = VOUCH_NONE;
  }
  for (uint32_t g = 0; leaves && g < part->group_count; g++) {
    if (part->groups[g].body != VOUCH_NONE) {
      leaves[part->groups[g].body] = g;
    }
  }
  return leaves;
}

/* Margin of a pair of bodies, or a negative number when it is not checked. */
static double margin_of(
  const vouch_scene_part_t * part, const uint32_t * leaves, uint32_t a, uint32_t b)
{
  for (uint32_t i = 0; i < part->pair_count; i++) {
    const vouch_pair_t * pair = &part->pairs[i];
    if (pair->kind != VOUCH_PAIR_GROUP) {
      if ((pair->a == a && pair->b == b) || (pair->a == b && pair->b == a)) {
        return pair->margin;
      }
      continue;
    }
    const uint32_t leaf = pair->a == a ? leaves[b] : pair->a == b ? leaves[a] : VOUCH_NONE;
    if (leaf != VOUCH_NONE && pair->checked[leaf]) {
      return pair->margin;
    }
  }
  return -1.0;
}

static bool is_static(const vouch_build_t * build, uint32_t a, uint32_t b)
{
  for (size_t i = 0; i < build->static_count; i++) {
    const vouch_static_entry_t * entry = &build->statics[i];
    if ((entry->a == a && entry->b == b) || (entry->a == b && entry->b == a)) {
      return true;
    }
  }
  return false;
}

static bool is_unsupported(const vouch_build_t * build, uint32_t a, uint32_t b)
{
  for (size_t i = 0; i < build->unsupported_count; i++) {
    const vouch_unsupported_entry_t * entry = &build->unsupported[i];
    if ((entry->a == a && entry->b == b) || (entry->a == b && entry->b == a)) {
      return true;
    }
  }
  return false;
}

typedef struct tally_s
{
  size_t checked, fixed, off;
} tally_t;

static void print_pair(
  const vouch_scene_t * scene, const vouch_build_t * build, const uint32_t bodies[2],
  double margin, tally_t * tally)
{
  const vouch_scene_part_t * part = &build->problem.scene;
  const uint32_t a = bodies[0], b = bodies[1];
  const char * name_a = part->bodies[a].name, * name_b = part->bodies[b].name;
  if (margin >= 0.0) {
    tally->checked++;
    printf("  %-24s %-24s checked, more than %.6g m\n", name_a, name_b, margin);
  } else if (is_static(build, a, b)) {
    tally->fixed++;
    printf("  %-24s %-24s static: no joint between them\n", name_a, name_b);
  } else if (is_unsupported(build, a, b)) {
    printf("  %-24s %-24s not supported: makes every verdict UNDECIDED\n", name_a, name_b);
  } else {
    tally->off++;
    printf("  %-24s %-24s off: %s\n", name_a, name_b, vouch_left_out_reason(scene, name_a, name_b));
  }
}

static bool is_obstacle(
  const vouch_scene_part_t * part, const uint32_t * leaves, uint32_t body)
{
  return part->bodies[body].kind != VOUCH_BODY_GEOMETRY || leaves[body] != VOUCH_NONE;
}

void cli_inspect_pairs(const vouch_scene_t * scene, const vouch_build_t * build, bool all)
{
  const vouch_scene_part_t * part = &build->problem.scene;
  tally_t tally = {0, 0, 0};
  uint32_t * leaves = find_leaves(part);
  if (!leaves) {
    return;
  }
  printf("pairs\n");
  for (uint32_t a = 0; a < part->body_count; a++) {
    for (uint32_t b = a + 1; b < part->body_count; b++) {
      if (is_obstacle(part, leaves, a) && is_obstacle(part, leaves, b)) {
        continue;
      }
      const double margin = margin_of(part, leaves, a, b);
      if (!all && margin >= 0.0) {
        tally.checked++;
      } else {
        print_pair(scene, build, (const uint32_t[2]) {a, b}, margin, &tally);
      }
    }
  }
  free(leaves);
  printf(
    "  %zu checked%s, %zu static, %zu off\n", tally.checked,
    all ? "" : " (--pairs lists them)", tally.fixed, tally.off);
}

/* ---- radii ---- */

static void print_radii(const kernel_scene_t * scene, uint32_t number)
{
  const vouch_scene_part_t * part = &scene->problem->scene;
  const vouch_pair_t * pair = &part->pairs[number];
  const kernel_path_t * path = &scene->paths[number];
  if (path->steps == NULL) {
    return;   // its bodies have pairs of their own
  }
  printf(
    "  %s - %s: ball of %.4g m, rounding bound %.3g m\n", part->bodies[pair->a].name,
    pair->kind == VOUCH_PAIR_GROUP ? "obstacles" : part->bodies[pair->b].name, path->root->radius,
    path->rounding);
  for (uint32_t j = 0; j < path->joint_count; j++) {
    printf(
      "    %-22s %s %.6g\n", scene->problem->motion.names[path->joints[j].variable],
      path->joints[j].revolute ? "reach [m]  " : "prismatic  ", path->radii[j]);
  }
}

vouch_ret_t cli_inspect_radii(const vouch_build_t * build)
{
  vouch_allocator_t allocator = vouch_allocator_default();
  kernel_scene_t scene;
  kernel_timeline_t timeline;
  vouch_ret_t ret = kernel_scene_init(&scene, &build->problem, allocator);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = kernel_timeline_init(&timeline, &build->problem, allocator, (size_t)64 << 20);
  if (ret == VOUCH_RET_OK) {
    ret = kernel_timeline_set_motion(&timeline);
    if (ret == VOUCH_RET_OK) {
      kernel_scene_set_motion(&scene, &timeline);
      printf("radii: no point of a body is further from the joint's axis, in this motion\n");
      for (uint32_t i = 0; i < build->problem.scene.pair_count; i++) {
        print_radii(&scene, i);
      }
    }
    kernel_timeline_fini(&timeline);
  }
  kernel_scene_fini(&scene);
  return ret;
}
