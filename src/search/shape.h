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

/* Views of a goal's two sides for GJK and box directions (UNTRUSTED). */

#ifndef SEARCH__SHAPE_H_
#define SEARCH__SHAPE_H_

#include "kernel/proof.h"
#include "search/gjk.h"

/// An oriented box with the ball's centre and radius: what cheap tests look at.
typedef struct search_box_s
{
  const rigid_t * pose;   // of the box's axes in the common frame; NULL: the same axes
  vec3_t low, high;
  vec3_t center;    // in the common frame
  double radius;
} search_box_t;

search_shape_t search_shape_a(
  const kernel_proof_t * proof, const kernel_goal_t * goal,
  const rigid_t * relative);
search_shape_t search_shape_b(const kernel_proof_t * proof, const kernel_goal_t * goal);
search_box_t search_box_a(
  const kernel_proof_t * proof, const kernel_goal_t * goal,
  const rigid_t * relative);
search_box_t search_box_b(const kernel_proof_t * proof, const kernel_goal_t * goal);

/// In the form that compiles to a minimum and a maximum: on which side p lies cannot be predicted.
static inline double search_between(double low, double high, double p)
{
  p = high < p ? high : p;
  return low > p ? low : p;
}

/// The nearest point between low and high.
static inline vec3_t search_clamp(vec3_t low, vec3_t high, vec3_t p)
{
  return vec3(
    search_between(low.x, high.x, p.x), search_between(low.y, high.y, p.y),
    search_between(low.z, high.z, p.z));
}

/// The nearest point of the box.
static inline vec3_t search_box_clamp(const search_box_t * box, vec3_t p)
{
  return box->pose == NULL ? search_clamp(box->low, box->high, p) :
         rigid_apply(box->pose, search_clamp(box->low, box->high, rigid_unapply(box->pose, p)));
}

/// Direction from A's box to B's by alternating projections; false when they seem to overlap.
bool search_box_direction(const search_box_t * a, const search_box_t * b, vec3_t * n);

#endif  // SEARCH__SHAPE_H_
