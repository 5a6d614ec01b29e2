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

/* What hard cases are made of: shapes that know their farthest point along a direction, chains of joints,
 * and motions, all written down independently of the library. */

#ifndef SUPPORT__ADVERSARY_PARTS_H_
#define SUPPORT__ADVERSARY_PARTS_H_

#include <math.h>

#include "geometry/vec.h"
#include "support/cell.h"
#include "support/random.h"

#define PI 3.14159265358979323846
#define MAX_JOINTS 7
#define MAX_POINTS 5

static inline double uniform(test_random_t * r, double low, double high)
{
  return test_random_in(r, low, high);
}

/// 10^x with x uniform: all magnitudes alike.
static inline double magnitude(test_random_t * r, double low, double high)
{
  return pow(10.0, uniform(r, low, high));
}

typedef struct shape_s
{
  vouch_shape_t shape;
  vouch_pose_t pose;
  double points[16][3];
  uint32_t triangles[12][3];
  double inner;   // a ball of this size about the origin lies inside
} shape_t;

typedef struct joint_s
{
  int parent;           // link; link i + 1 is moved by joint i, link 0 is the root
  bool revolute;
  double origin[3], rpy[3], axis[3];
  int master;           // < 0: its own variable
  double multiplier, offset;
  int variable;
} joint_t;

typedef struct robot_s
{
  cell_t cell;
  joint_t joints[MAX_JOINTS];
  int joint_count, other;   // other: a link on the second branch, or 0
  double scale;
} robot_t;

typedef struct motion_s
{
  int degree, count;
  size_t width;
  double p[MAX_POINTS][MAX_JOINTS], v[MAX_POINTS][MAX_JOINTS], a[MAX_POINTS][MAX_JOINTS];
} motion_t;

/// The shape's pointers, after it was copied.
vouch_shape_t adversary_shape_of(const shape_t * s);
/// kind: BOX .. MESH. Half sizes h; flat: the top is a face at z = h[2] that contains the disc of
/// radius `inner` about the z axis.
shape_t adversary_make_shape(test_random_t * r, vouch_shape_kind_t kind, double size);
vouch_shape_kind_t adversary_any_kind(test_random_t * r);
double adversary_half_height(const shape_t * s);
/// Farthest point along m.
vec3_t adversary_farthest(const shape_t * s, vec3_t m);
/// Largest distance from the z axis, with the point; only shapes where it is simple.
vec3_t adversary_farthest_from_axis(const shape_t * s, vec3_t at);
vec3_t adversary_random_unit(test_random_t * r);
void adversary_turn_at_random(test_random_t * r, shape_t * s);
/// A chain of 1 to 7 joints, with a second branch every other time.
void adversary_random_robot(test_random_t * r, double scale, robot_t * robot);
/// One joint about or along z.
void adversary_simple_robot(double scale, bool revolute, double multiplier, robot_t * robot);
/// Pose of a link. values: one per variable.
rigid_t adversary_link_pose(const robot_t * robot, int link, const double * values);
void adversary_use_motion(cell_t * cell, const motion_t * m);
void adversary_values_at(const motion_t * m, double time, double * values);
motion_t adversary_random_motion(test_random_t * r, const robot_t * robot);
/// One variable from `from` to `to`, wherever it goes in between.
motion_t adversary_sweep(test_random_t * r, double from, double to);

#endif  // SUPPORT__ADVERSARY_PARTS_H_
