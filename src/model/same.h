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

/* What of two problems is the same, to the bit. TRUSTED: where this says so, a step of a proof is
 * the same step (kernel/keys.c). */

#ifndef MODEL__SAME_H_
#define MODEL__SAME_H_

#include "model/problem.h"

/// The whole tables, names aside.
bool vouch_frames_same(const vouch_scene_part_t * a, const vouch_scene_part_t * b);

/// Shape, placement, frame and kind of two bodies; frames of one number are taken to be the same.
bool vouch_bodies_same(
  const vouch_problem_t * a, uint32_t number_a, const vouch_problem_t * b, uint32_t number_b);

#endif  // MODEL__SAME_H_
