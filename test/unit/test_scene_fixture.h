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

/* Scenes of the toy robot as texts: loaded, or refused as they were. */

#ifndef TEST_SCENE_FIXTURE_H_
#define TEST_SCENE_FIXTURE_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/scene.h"
#include "unit/test_toy_fixture.h"

static inline vouch_scene_t * new_scene(void)
{
  vouch_scene_t * scene = NULL;
  assert_int_equal(vouch_scene_create(&scene, robot, NULL), VOUCH_RET_OK);
  return scene;
}

static inline void load(vouch_scene_t * scene, const char * text)
{
  if (vouch_scene_parse(scene, text, strlen(text)) != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
}

/// INVALID with this sentence, and the scene is bitwise what it was.
static inline void refuse(vouch_scene_t * scene, const char * text, const char * sentence)
{
  uint8_t before[32], after[32];
  const uint64_t revision = vouch_scene_revision(scene);
  vouch_scene_hash(scene, before);
  assert_int_equal(vouch_scene_parse(scene, text, strlen(text)), VOUCH_RET_INVALID);
  if (strstr(vouch_error(), sentence) == NULL) {
    fail_msg("'%s' does not hold '%s'", vouch_error(), sentence);
  }
  vouch_scene_hash(scene, after);
  assert_memory_equal(before, after, 32);
  assert_true(vouch_scene_revision(scene) == revision);
}

static inline vouch_object_view_t view(const vouch_scene_t * scene, const char * id)
{
  vouch_object_view_t object = {0};
  for (size_t i = 0; i < vouch_scene_object_count(scene); ++i) {
    if (strcmp(vouch_scene_object_id(scene, i), id) == 0) {
      assert_true(vouch_scene_object(scene, i, &object));
      return object;
    }
  }
  fail_msg("no object '%s'", id);
  return object;
}

#define BOX "primitives: [{type: box, dimensions: [0.1, 0.2, 0.3]}]"

static inline void world(vouch_scene_t * scene, const char * object, const char * more)
{
  char text[4096];
  snprintf(
    text, sizeof(text), "is_diff: true\nworld: {collision_objects: [{%s}]}\n%s", object, more);
  load(scene, text);
}

static inline void refuse_object(vouch_scene_t * scene, const char * object, const char * sentence)
{
  char text[4096];
  snprintf(text, sizeof(text), "is_diff: true\nworld: {collision_objects: [{%s}]}\n", object);
  refuse(scene, text, sentence);
}

#endif  // TEST_SCENE_FIXTURE_H_
