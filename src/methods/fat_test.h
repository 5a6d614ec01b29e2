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

/* TRUSTED. Orbits of vertices, edges and faces under a ball of affine displacements: fat vertices,
 * fat edges and fat faces, against vertices, edges and faces that do not move.
 *
 * Schroecker and Weber 2014, sections 3, 4 and 6. The orbit of x under the ball (g, R) is the ball
 * around g(x) with radius R rho(x), so a point y is outside the orbit of a feature iff
 *   Q = |g(x) - y|^2 - R^2 rho(x)^2 > 0 for all x of the feature.
 * Q is quadratic in the coordinates of x: for an edge its discriminant is the one-sheeted
 * hyperboloid of equation (6), for a face the two-sheeted one of equation (8), and the place of the
 * minimum is the scaled polygon of Proposition 1. Testing Q itself covers every case of Remark
 * 1. */

#ifndef METHODS__FAT_TEST_H_
#define METHODS__FAT_TEST_H_

#include "methods/chord_test.h"
#include "methods/motion_ball.h"

#define FAT_MAX_CORNERS 8

/// A convex plane polygon of the moving body with its metric data.
typedef struct fat_face_s
{
  int count;
  vec3_t x[FAT_MAX_CORNERS];
  vec3_t z[FAT_MAX_CORNERS];      // metric_z: rho^2 = 1 + |z|^2, and z is affine in x
  double rho[FAT_MAX_CORNERS];
  double z_error;
} fat_face_t;

typedef struct flat_face_s
{
  int count;
  vec3_t y[FAT_MAX_CORNERS];
} flat_face_t;

void fat_face_init(fat_face_t * face, const metric_t * metric, const vec3_t * x, int count);

/// [F-PLANE] Lower bound of the distance of the fat node from the fixed one, minus pair->extra. rho
/// is convex, so a fat triangle lies in the hull of its three fat vertices and a fat box in the box
/// fattened by its largest rho. Proves something only if positive. `face` holds the metric data of
/// pair->a when that is a single triangle.
double fat_plane_gap(
  const node_pair_t * pair, const fat_face_t * face, const motion_ball_t * ball, double rounding,
  vec3_t n);

/// [F-FEATURES] Listing 2. True: for every displacement in the ball no vertex of the moving face
/// comes within `extra` of the fixed face, no edge of an edge, and no vertex of the fixed face of
/// the moving face. Together with plane_gap() > 0 at the centre: the faces stay apart. `done` (or
/// NULL) remembers which of the tests passed already for a ball that contains this one; it needs
/// triangles.
bool fat_features_apart(
  const fat_face_t * face, const flat_face_t * fixed, const motion_ball_t * ball, double extra,
  uint16_t * done);

#endif  // METHODS__FAT_TEST_H_
