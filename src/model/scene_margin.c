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

/* Margins that two names have of their own. */

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/problem.h"
#include "model/scene.h"

static vouch_pair_margin_t * find(const vouch_scene_t * scene, const char * a, const char * b)
{
  for (size_t i = 0; i < scene->margin_count; ++i) {
    vouch_pair_margin_t * entry = &scene->margins[i];
    if ((strcmp(entry->a, a) == 0 && strcmp(entry->b, b) == 0) ||
      (strcmp(entry->a, b) == 0 && strcmp(entry->b, a) == 0))
    {
      return entry;
    }
  }
  return NULL;
}

static vouch_ret_t check_name(const vouch_scene_t * scene, const char * name)
{
  char question[160];
  return vouch_scene_has_name(scene, name) ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID,
    "a margin for '%.200s', which is neither a link nor an object of the scene%s",
    name, vouch_scene_question(scene, name, question));
}

vouch_ret_t vouch_scene_set_pair_margin(
  vouch_scene_t * scene, const char * a, const char * b, double margin_m)
{
  VOUCH_REQUIRE("scene, a, b", scene, a, b);
  if (!(margin_m >= VOUCH_MIN_MARGIN && margin_m <= VOUCH_MAX_COORDINATE)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the margin of '%s' and '%s' is %g m; it must be finite and at least %g m "
      "(below 0 they may overlap by so much)", a, b, margin_m, VOUCH_MIN_MARGIN);
  }
  if (strcmp(a, b) == 0) {
    return vouch_fail(VOUCH_RET_INVALID, "a margin of '%s' with itself: it needs two names", a);
  }
  vouch_ret_t ret = check_name(scene, a);
  ret = ret == VOUCH_RET_OK ? check_name(scene, b) : ret;
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vouch_pair_margin_t * entry = find(scene, a, b);
  if (entry == NULL) {
    vouch_pair_margin_t made = {vouch_strdup(&scene->allocator, a),
      vouch_strdup(&scene->allocator, b), 0.0};
    if (made.a == NULL || made.b == NULL ||
      !vouch_grow(
        &scene->allocator, &scene->margins, scene->margin_count, &scene->margin_capacity,
        sizeof(*scene->margins)))
    {
      vouch_free(&scene->allocator, made.a);
      vouch_free(&scene->allocator, made.b);
      return VOUCH_RET_NO_MEMORY;
    }
    entry = &scene->margins[scene->margin_count++];
    *entry = made;
  }
  entry->margin_m = margin_m + 0.0;   // -0 is 0
  scene->revision++;
  return VOUCH_RET_OK;
}

bool vouch_scene_pair_margin(
  const vouch_scene_t * scene, const char * a, const char * b, double * margin_m)
{
  const vouch_pair_margin_t * entry = find(scene, a, b);
  *margin_m = entry == NULL ? 0.0 : entry->margin_m;
  return entry != NULL;
}

void vouch_scene_forget_margins(vouch_scene_t * scene, const char * name)
{
  size_t kept = 0;
  for (size_t i = 0; i < scene->margin_count; ++i) {
    vouch_pair_margin_t * entry = &scene->margins[i];
    if (name != NULL && strcmp(entry->a, name) != 0 && strcmp(entry->b, name) != 0) {
      scene->margins[kept++] = *entry;
    } else {
      vouch_free(&scene->allocator, entry->a);
      vouch_free(&scene->allocator, entry->b);
    }
  }
  scene->margin_count = kept;
}

vouch_ret_t vouch_scene_copy_margins(vouch_scene_t * copy, const vouch_scene_t * scene)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < scene->margin_count; ++i) {
    const vouch_pair_margin_t * entry = &scene->margins[i];
    ret = vouch_scene_set_pair_margin(copy, entry->a, entry->b, entry->margin_m);
  }
  return ret;
}

void vouch_scene_hash_margins(const vouch_scene_t * scene, uint8_t digest[32])
{
  memset(digest, 0, 32);
  for (size_t i = 0; i < scene->margin_count; ++i) {
    const vouch_pair_margin_t * entry = &scene->margins[i];
    const bool swap = strcmp(entry->a, entry->b) > 0;
    const char * first = swap ? entry->b : entry->a, * second = swap ? entry->a : entry->b;
    uint8_t item[32];
    vouch_sha256_t hash;
    vouch_sha256_init(&hash);
    vouch_sha256_update(&hash, first, strlen(first) + 1);
    vouch_sha256_update(&hash, second, strlen(second) + 1);
    vouch_sha256_update(&hash, &entry->margin_m, sizeof(entry->margin_m));
    vouch_sha256_final(&hash, item);
    for (size_t k = 0; k < sizeof(item); ++k) {   // in whichever order they were set
      digest[k] = (uint8_t)(digest[k] ^ item[k]);
    }
  }
}
