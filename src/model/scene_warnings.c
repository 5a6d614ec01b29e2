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

/* What is told about a scene: warnings that go away with their object. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/scene.h"

enum {MAX_TOLD = 16};   // names that are told one by one

vouch_ret_t vouch_scene_warn(
  vouch_scene_t * scene, const char * object, const char * format, ...)
{
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  const int size = vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  if (size < 0 ||
    !vouch_grow(
      &scene->allocator, &scene->warnings, scene->warning_count, &scene->warning_capacity,
      sizeof(*scene->warnings)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  vouch_scene_warning_t warning = {.text = vouch_strdup(&scene->allocator, text)};
  if (object != NULL) {
    warning.object = vouch_strdup(&scene->allocator, object);
  }
  if (warning.text == NULL || (object != NULL && warning.object == NULL)) {
    vouch_free(&scene->allocator, warning.text);
    vouch_free(&scene->allocator, warning.object);
    return VOUCH_RET_NO_MEMORY;
  }
  scene->warnings[scene->warning_count++] = warning;
  return VOUCH_RET_OK;
}

void vouch_scene_forget_warnings(vouch_scene_t * scene, const char * object)
{
  size_t kept = 0;
  for (size_t i = 0; i < scene->warning_count; ++i) {
    vouch_scene_warning_t * warning = &scene->warnings[i];
    if (warning->object != NULL && strcmp(warning->object, object) == 0) {
      vouch_free(&scene->allocator, warning->object);
      vouch_free(&scene->allocator, warning->text);
    } else {
      scene->warnings[kept++] = *warning;
    }
  }
  scene->warning_count = kept;
}

size_t vouch_scene_warning_count(const vouch_scene_t * scene)
{
  return scene->warning_count;
}

const char * vouch_scene_warning(const vouch_scene_t * scene, size_t number)
{
  return number < scene->warning_count ? scene->warnings[number].text : "";
}

bool vouch_scene_has_name(const vouch_scene_t * scene, const char * name)
{
  return vouch_robot_find_link(scene->robot, name) != VOUCH_NONE ||
         vouch_scene_find(scene, name) != VOUCH_NONE;
}

const char * vouch_scene_question(const vouch_scene_t * scene, const char * name, char text[160])
{
  vouch_guess_t guess = {.word = name};
  for (size_t i = 0; i < scene->robot->link_count; ++i) {
    vouch_guess_try(&guess, scene->robot->links[i].name);
  }
  for (size_t i = 0; i < scene->object_count; ++i) {
    vouch_guess_try(&guess, scene->objects[i].id);
  }
  return vouch_guess_question(&guess, text);
}

/* The warning goes away with an object of that name: also when one comes. */
vouch_ret_t vouch_scene_warn_names(vouch_scene_t * scene)
{
  const vouch_allowed_t * allowed = &scene->allowed;
  const char * first_untold = NULL;
  size_t told = 0, untold = 0;
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < allowed->name_count; ++i) {
    const char * name = allowed->names[i];
    char question[160];
    if (vouch_scene_has_name(scene, name) || strcmp(name, VOUCH_OCTOMAP_ID) == 0) {
      continue;
    }
    vouch_scene_forget_warnings(scene, name);
    if (told < MAX_TOLD) {
      told++;
      ret = vouch_scene_warn(
        scene, name, "the allowed collision matrix names '%.200s', which is neither a link nor an "
        "object: no pair is allowed or checked by that%s", name,
        vouch_scene_question(scene, name, question));
    } else {
      first_untold = untold++ == 0 ? name : first_untold;
    }
  }
  return ret != VOUCH_RET_OK || untold == 0 ? ret : vouch_scene_warn(
    scene, first_untold, "the allowed collision matrix has %zu more names that are neither links "
    "nor objects", untold);
}
