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
/* Scratch of model/build*.c: what is known about each body while pairs are made. */

#ifndef MODEL__BUILD_ITEMS_H_
#define MODEL__BUILD_ITEMS_H_

#include "model/build.h"
#include "model/scene.h"

typedef struct vouch_build_item_s
{
  const char * name;
  const vouch_object_t * object;   // NULL: a link
  uint32_t link;        // a link's own number; of an attached object the link it rides on; else 0
  uint32_t joints;      // that move, above it
  uint32_t cluster;     // bodies with the same number never move against each other
  bool robot;           // a link or an attached object
  bool plane;           // plane or half-space
  double padding;
  double low[3], high[3];   // obstacles: bounding box in frame 0
} vouch_build_item_t;

typedef struct vouch_build_key_s
{
  double centre;        // twice the middle of the box, along one axis
  double behind;        // cost of this body and of those behind it
  uint32_t body;
} vouch_build_key_t;

typedef struct vouch_build_work_s
{
  vouch_build_t * build;
  const vouch_scene_t * scene;
  const vouch_problem_t * previous;   // of a scene much like this one; NULL: none
  bool moved_stay;              // as in vouch_build_after_t
  double margin;
  vouch_build_item_t * items;   // one per body
  uint32_t * obstacles;         // bodies of the group tree
  uint32_t obstacle_count;
  vouch_build_key_t * keys;     // room for sorting all obstacles
  vouch_arena_t arena;          // of this scratch
} vouch_build_work_t;

/// Fills build->links.body and build->links.same.
vouch_ret_t vouch_build_match_bodies(vouch_build_work_t * work) VOUCH_WARN_UNUSED;
/// A tree after the previous one's; *made is false when it is better made afresh.
vouch_ret_t vouch_build_groups_again(vouch_build_work_t * work, bool * made) VOUCH_WARN_UNUSED;
/// Parts the bodies so that boxes become small; depth: log2 of count and three more at most.
/// Returns the number of the group over all of them.
uint32_t vouch_build_split(vouch_build_work_t * work, uint32_t * bodies, uint32_t count);
/// The obstacle tree.
vouch_ret_t vouch_build_groups(vouch_build_work_t * work) VOUCH_WARN_UNUSED;
/// Pairs, static pairs and what is not supported.
vouch_ret_t vouch_build_pairs(vouch_build_work_t * work) VOUCH_WARN_UNUSED;

#endif  // MODEL__BUILD_ITEMS_H_
