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
#include "report/reasons.h"

#include <string.h>

static const char * srdf_reason(const vouch_robot_t * robot, const char * a, const char * b)
{
  for (size_t i = 0; i < robot->disabled_count; i++) {
    const vouch_name_pair_t * pair = &robot->disabled[i];
    if ((strcmp(pair->a, a) == 0 && strcmp(pair->b, b) == 0) ||
      (strcmp(pair->a, b) == 0 && strcmp(pair->b, a) == 0))
    {
      return "SRDF disable_collisions";
    }
  }
  return robot->has_srdf ? "SRDF disable_default_collisions" : "parent and child, no SRDF";
}

static bool touches(const vouch_scene_t * scene, const char * object, const char * link)
{
  size_t number = vouch_scene_find(scene, object);
  if (number >= scene->object_count || scene->objects[number].link == VOUCH_NONE) {
    return false;
  }
  const vouch_object_t * o = &scene->objects[number];
  bool found = strcmp(scene->robot->links[o->link].name, link) == 0;
  for (size_t i = 0; i < o->touch_count && !found; i++) {
    found = strcmp(o->touch_links[i], link) == 0;
  }
  return found;
}

const char * vouch_left_out_reason(const vouch_scene_t * scene, const char * a, const char * b)
{
  uint32_t link_a = vouch_robot_find_link(scene->robot, a);
  uint32_t link_b = vouch_robot_find_link(scene->robot, b);
  vouch_allowed_answer_t entry = vouch_allowed_explicit(&scene->allowed, a, b);
  if (entry == VOUCH_ALLOWED_YES) {
    return "allowed-collision matrix";
  }
  if (link_a != VOUCH_NONE && link_b != VOUCH_NONE &&
    vouch_robot_pair_disabled(scene->robot, link_a, link_b))
  {
    return srdf_reason(scene->robot, a, b);
  }
  if (touches(scene, a, b) || touches(scene, b, a)) {
    return "attached, touch link";
  }
  if (vouch_allowed_by_default(&scene->allowed, a, b) == VOUCH_ALLOWED_YES) {
    return "default of the allowed-collision matrix";
  }
  return link_a == VOUCH_NONE && link_b == VOUCH_NONE ? "two objects on one body" :
         "shapes of one body";
}
