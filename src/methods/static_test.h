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

/* TRUSTED. The two bodies at one displacement: apart, overlapping, or not decided.
 *
 * Owed wherever a motion starts and after every stretch without a guarantee: surfaces that stay
 * apart cannot turn an outside into an inside, but they cannot tell which of the two it was. */

#ifndef METHODS__STATIC_TEST_H_
#define METHODS__STATIC_TEST_H_

#include "methods/chord_test.h"

typedef enum static_answer_e
{
  STATIC_UNKNOWN = 0,
  STATIC_APART = 1,      // more than `extra` apart, and no solid inside the other
  STATIC_OVERLAP = 2,    // proved: surfaces cross, or one solid holds a point of the other
  STATIC_NEAR = 3        // proved: two points nearer than `extra`, no overlap found
} static_answer_t;

typedef struct static_query_s
{
  const vouch_rigid_body_t * moving, * fixed;
  const vouch_affine_t * g;
  double rounding;       // chord_rounding() of the piece that g belongs to
  double extra;
} static_query_t;

typedef struct static_witness_s
{
  uint32_t triangle_a, triangle_b;
  vec3_t a, b;           // points of the two bodies, in the frame of the fixed one
  double distance;
} static_witness_t;

/// The whole question.
static_answer_t static_test(const static_query_t * query, static_witness_t * witness);

/// [S-CROSS] True when an edge of one triangle certainly pierces the other, within the errors.
bool static_triangles_cross(
  const static_query_t * query, uint32_t triangle_a, uint32_t triangle_b, vec3_t * point);

/// [S-INSIDE] APART: no component of either body lies inside a closed component of the other, given
/// that the surfaces do not meet. OVERLAP: one does.
static_answer_t static_containment(const static_query_t * query, static_witness_t * witness);

#endif  // METHODS__STATIC_TEST_H_
