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


#include "model/problem.h"

#include "base/error.h"
#include "base/sha256.h"
#include "geometry/vec.h"
#include "model/problem_format.h"

void vouch_problem_fini(vouch_problem_t * problem)
{
  vouch_geometry_part_t * part = &problem->geometry;
  if (part->owns_geometries) {
    for (uint32_t i = 0; i < part->geometry_count; ++i) {
      vouch_geometry_release(part->geometries[i]);
    }
  }
  vouch_arena_fini(&problem->geometry.arena);
  vouch_arena_fini(&problem->scene.arena);
  vouch_arena_fini(&problem->motion.arena);
  vouch_arena_fini(&problem->sources.arena);
  memset(problem, 0, sizeof(*problem));
}

/// Hashes what was appended to `text` and forgets it.
static vouch_ret_t hash_and_clear(vouch_text_t * text, uint8_t hash[32])
{
  if (text->failed) {
    return VOUCH_RET_NO_MEMORY;
  }
  vouch_sha256(text->data, text->size, hash);
  text->size = 0;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_problem_hash(vouch_problem_t * problem)
{
  vouch_text_t text = {.allocator = problem->scene.arena.allocator};
  if (text.allocator.allocate == NULL) {
    text.allocator = vouch_allocator_default();
  }
  vouch_geometry_part_encode(&problem->geometry, &text);
  vouch_ret_t code = hash_and_clear(&text, problem->geometry.hash);
  if (code == VOUCH_RET_OK) {
    vouch_motion_part_encode(&problem->motion, &text);
    code = hash_and_clear(&text, problem->motion.hash);
  }
  if (code == VOUCH_RET_OK) {
    vouch_scene_part_encode(&problem->scene, &text);
    code = hash_and_clear(&text, problem->scene.hash);
  }
  if (code == VOUCH_RET_OK) {
    vouch_sources_part_encode(&problem->sources, &text);
    code = hash_and_clear(&text, problem->sources.hash);
  }
  vouch_text_fini(&text);
  return code;
}

void vouch_problem_digest(const vouch_problem_t * problem, uint8_t digest[32])
{
  vouch_sha256_t hash;
  vouch_sha256_init(&hash);
  vouch_sha256_update(&hash, problem->geometry.hash, sizeof(problem->geometry.hash));
  vouch_sha256_update(&hash, problem->motion.hash, sizeof(problem->motion.hash));
  vouch_sha256_update(&hash, problem->scene.hash, sizeof(problem->scene.hash));
  vouch_sha256_update(&hash, problem->sources.hash, sizeof(problem->sources.hash));
  vouch_sha256_final(&hash, digest);
}

const char * vouch_reason_text(uint32_t reason)
{
  static const char * const texts[VOUCH_REASON_COUNT] = {
    "checked as a pair of its own", "nothing between them moves", "parts of one object",
    "neighbouring links", "SRDF: adjacent", "SRDF: never", "SRDF: another reason",
    "allowed-collision matrix", "default of the allowed-collision matrix",
    "held, or a touch link", "left out by the user", "two planes: cannot be checked"
  };
  return reason < VOUCH_REASON_COUNT ? texts[reason] : "?";
}

uint32_t vouch_group_end(const vouch_scene_part_t * scene, uint32_t group)
{
  while (scene->groups[group].body == VOUCH_NONE) {
    group = scene->groups[group].right;
  }
  return group + 1u;
}

void vouch_pair_mark_checked(
  const vouch_scene_part_t * scene, const vouch_pair_t * pair, bool * checked)
{
  uint32_t root = vouch_group_of(scene, pair->b), end = vouch_group_end(scene, root);
  uint32_t skip = 0;
  for (uint32_t g = root; g < end; ++g) {   // leaves come in the order of the skips
    bool leaf = scene->groups[g].body != VOUCH_NONE;
    bool skipped = leaf && skip < pair->skip_count &&
      pair->skips[skip].body == scene->groups[g].body;
    skip += skipped ? 1u : 0u;
    checked[g] = leaf && !skipped;
  }
  for (uint32_t g = end; g-- > root; ) {
    const vouch_group_t * group = &scene->groups[g];
    if (group->body == VOUCH_NONE) {
      checked[g] = checked[group->left] || checked[group->right];
    }
  }
}

void vouch_plane_from_placement(vouch_body_t * body)
{
  const rigid_t at = rigid_from_pose(&body->placement);
  const vec3_t normal = mat3_mul_vec(&at.rotation, vec3(0.0, 0.0, 1.0));
  vec3_store(normal, body->normal);
  body->offset = vec3_dot(normal, at.translation);
}

/// The shortest turn takes z to the normal; below the horizon it takes z to minus the normal, after
/// half a turn about x, because turns by nearly half a turn lose their axis to rounding.
void vouch_plane_place(vouch_body_t * body)
{
  const bool below = body->normal[2] < 0.0;
  const vec3_t up = vec3_scale(vec3_from(body->normal), below ? -1.0 : 1.0);
  const double size = sqrt(up.y * up.y + up.x * up.x + (1.0 + up.z) * (1.0 + up.z));
  const double x = -up.y / size, y = up.x / size, w = (1.0 + up.z) / size;
  const double turned[4] = {below ? w : x, below ? 0.0 : y, below ? -y : 0.0, below ? -x : w};
  memcpy(body->placement.rotation, turned, sizeof(turned));
  vec3_store(vec3_scale(vec3_from(body->normal), body->offset), body->placement.translation);
  vouch_plane_from_placement(body);
}
