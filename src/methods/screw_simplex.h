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

/* The first meeting of two small simplices on a screw, by the isolated roots of screw_roots.h. */

#ifndef METHODS__SCREW_SIMPLEX_H_
#define METHODS__SCREW_SIMPLEX_H_

#include "vouch/rigid.h"

/// One to three points: a vertex, an edge or a triangle.
typedef struct screw_simplex_s
{
  double point[3][3];
  int count;
} screw_simplex_t;

/// No meeting of `moving` (placed by the screw's start pose) and `fixed` before the fraction returned;
/// there is one at it or cannot be told from one. Infinity: they do not meet.
double screw_simplices_meet(
  const vouch_screw_t * screw, const screw_simplex_t * moving, const screw_simplex_t * fixed);

#endif  // METHODS__SCREW_SIMPLEX_H_
