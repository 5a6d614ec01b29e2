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

/* Distance between two convex shapes by GJK, stopped on its duality gap (UNTRUSTED).
 *
 * The search wants directions, so any answer is allowed to be inexact; what is proved is proved in
 * kernel/. References: Gilbert, Johnson, Keerthi (1988); van den Bergen (1999) for the stop on
 * lower and upper bound; Ericson (2005), 5.1, for closest points of simplices. */

#ifndef SEARCH__GJK_H_
#define SEARCH__GJK_H_

#include "geometry/geometry.h"
#include "geometry/vec.h"

/// A convex shape in the common frame (the frame of B): a tree node with a pose, or a box.
typedef struct search_shape_s
{
  const vouch_geometry_t * geometry;   // NULL: the box low..high
  uint32_t node;
  bool posed;
  bool inflate;      // take the primitive's balls along (childless nodes only)
  bool coarse;       // only the vertices that outline large hulls
  rigid_t pose;
  vec3_t low, high;
} search_shape_t;

typedef struct search_vertex_s
{
  vec3_t a, b;       // points of A and B in the common frame
  vec3_t w;          // b - a
} search_vertex_t;

typedef struct search_distance_s
{
  vec3_t direction;      // unit, from A towards B; the best separating direction found
  double lower, upper;   // of the distance of the shapes without balls; lower < 0: overlap or unknown
  bool overlap;          // the simplex contains the origin
  vec3_t point_a, point_b;
  search_vertex_t simplex[4];
  int count;
  double weights[4];
} search_distance_t;

/// When a distance is known well enough: upper - lower <= relative * upper (or 1e-12 m); or, once more
/// than `apart` apart for sure, it is clear on which side of `enough` the distance lies.
typedef struct search_stop_s
{
  double relative;
  double apart, enough;
} search_stop_t;

search_distance_t search_distance_until(
  const search_shape_t * a, const search_shape_t * b, vec3_t guess, const search_stop_t * stop);

/// The same with `relative` alone.
search_distance_t search_distance(
  const search_shape_t * a, const search_shape_t * b, vec3_t guess, double relative);

vec3_t search_shape_point(const search_shape_t * shape, vec3_t direction);

/// After an overlap: four pairs of points whose differences enclose the origin by more than `error`.
bool search_enclose_origin(
  const search_shape_t * a, const search_shape_t * b, search_distance_t * found, double error,
  double * depth);

/// After an overlap: the unit direction from A towards B along which the two overlap least, as far as
/// that was found (depth.c). False: they hardly overlap, or it was not found.
bool search_depth(
  const search_shape_t * a, const search_shape_t * b, const search_distance_t * overlap,
  vec3_t * n);

#endif  // SEARCH__GJK_H_
