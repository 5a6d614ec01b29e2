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

/* A small problem that has one of everything: an arm of two joints and a mimic joint, a slider,
 * boxes in the obstacle tree, a half-space, a plane, pairs of all kinds, two segments and a jump. */

#ifndef SUPPORT__SMALL_PROBLEM_H_
#define SUPPORT__SMALL_PROBLEM_H_

#include "model/problem.h"

/// On failure the problem is empty again.
vouch_ret_t test_small_problem(vouch_problem_t * problem, vouch_allocator_t allocator);

#endif  // SUPPORT__SMALL_PROBLEM_H_
