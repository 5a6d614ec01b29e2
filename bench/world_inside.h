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
/* What is behind a world: only for adapters written in C. */

#ifndef BENCH__WORLD_INSIDE_H_
#define BENCH__WORLD_INSIDE_H_

#include "kernel/timeline.h"
#include "model/problem.h"
#include "world.h"

struct world_inside_s
{
  vouch_problem_t problem;
  kernel_timeline_t timeline;
  rigid_t * frames;
  rigid_t * placements;
};

#endif  // BENCH__WORLD_INSIDE_H_
