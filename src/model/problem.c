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
  vouch_geometry_part_encode(problem, &text);
  vouch_ret_t code = hash_and_clear(&text, problem->geometry.hash);
  if (code == VOUCH_RET_OK) {
    vouch_motion_part_encode(&problem->motion, &text);
    code = hash_and_clear(&text, problem->motion.hash);
  }
  if (code == VOUCH_RET_OK) {
    vouch_scene_part_encode(problem, &text);
    code = hash_and_clear(&text, problem->scene.hash);
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
  vouch_sha256_final(&hash, digest);
}

bool vouch_scene_has_planes(const vouch_scene_part_t * scene)
{
  for (uint32_t i = 0; i < scene->body_count; ++i) {
    if (scene->bodies[i].kind != VOUCH_BODY_GEOMETRY) {
      return true;
    }
  }
  return false;
}

/// The group that is each body's leaf; VOUCH_NONE: it has none.
static void find_leaves(const vouch_scene_part_t * scene, uint32_t * leaves)
{
  memset(leaves, 0xff, scene->body_count * sizeof(leaves[0]));
  for (uint32_t g = 0; g < scene->group_count; ++g) {
    if (scene->groups[g].body != VOUCH_NONE) {
      leaves[scene->groups[g].body] = g;
    }
  }
}

/// Sets them, unless `out` is NULL. Returns how many there are.
static size_t list_pairs(
  const vouch_scene_part_t * scene, const uint32_t * leaves, vouch_filed_pair_t * out)
{
  size_t count = 0;
  for (uint32_t i = 0; i < scene->pair_count; ++i) {
    const vouch_pair_t * pair = &scene->pairs[i];
    bool one = pair->kind != VOUCH_PAIR_GROUP;
    for (uint32_t b = one ? pair->b : 0; b < (one ? pair->b + 1 : scene->body_count); ++b) {
      uint32_t group = one ? VOUCH_NONE : leaves[b];
      double margin = one ? pair->margin : group == VOUCH_NONE ? -1.0 : pair->leaf_margins[group];
      if (margin >= 0.0) {
        count++;
        if (out != NULL) {
          out[count - 1] = (vouch_filed_pair_t) {margin, i, group, b};
        }
      }
    }
  }
  return count;
}

vouch_filed_pair_t * vouch_scene_filed_pairs(
  const vouch_scene_part_t * scene, const vouch_allocator_t * allocator, uint32_t * count)
{
  *count = 0;
  uint32_t * leaves = vouch_calloc(allocator, (size_t)scene->body_count + 1, sizeof(leaves[0]));
  if (leaves == NULL) {
    return NULL;
  }
  find_leaves(scene, leaves);
  size_t all = list_pairs(scene, leaves, NULL);
  vouch_filed_pair_t * pairs = all > UINT32_MAX ? NULL :
    vouch_calloc(allocator, all + 1, sizeof(pairs[0]));
  if (pairs != NULL) {
    *count = (uint32_t)list_pairs(scene, leaves, pairs);
  }
  vouch_free(allocator, leaves);
  return pairs;
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
