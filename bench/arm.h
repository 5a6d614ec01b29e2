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

/* Generated work: an arm of seven joints with 64-vertex hulls, random scenes around it, motions.
 *
 * Everything comes from a seed, so that two runs, and two machines, check the same problems. */

#ifndef BENCH__ARM_H_
#define BENCH__ARM_H_

#include "support/random.h"
#include "vouch/vouch.h"

#define ARM_JOINTS 7

/// Links 3..7 have hulls of 64 vertices; pairs of links are not checked: with 12 obstacles, 60 pairs.
vouch_robot_t * arm_robot(uint64_t seed);

/// `count` boxes at random around the arm, half sides 0.03..0.15 m, centres 0.35..1.1 m from the base.
vouch_scene_t * arm_scene(const vouch_robot_t * robot, uint32_t count, uint64_t seed);

/// A closed mesh: an icosphere of 20 * 4^levels triangles with a bumpy surface, about 2 * size across.
typedef struct arm_mesh_s
{
  double (*points)[3];
  uint32_t(*triangles)[3];
  size_t point_count, triangle_count;
} arm_mesh_t;
arm_mesh_t arm_bumpy_mesh(uint32_t levels, double size, uint64_t seed);
void arm_mesh_free(arm_mesh_t * mesh);
vouch_shape_t arm_mesh_shape(const arm_mesh_t * mesh);

/// One linear segment from `from` to `to` (one value per variable).
vouch_motion_t * arm_motion(const vouch_robot_t * robot, const double * from, const double * to);

/// Timed waypoints of the minimum-jerk motion from `from` to `to`, equally spaced in time.
/// order 1: positions only; 3: and velocities; 5: and accelerations.
vouch_motion_t * arm_timed(
  const vouch_robot_t * robot, const double * from, const double * to, size_t points,
  double seconds, int order);

/// The same waypoints without time, linear in between.
vouch_motion_t * arm_path(
  const vouch_robot_t * robot, const double * from, const double * to, size_t points);

/// Linear between rows of one value per variable, without time.
vouch_motion_t * arm_polyline(
  const vouch_robot_t * robot, const double * const * rows, size_t count);

/// Ends the process with the library's sentence when `ret` is not OK.
void bench_must(vouch_ret_t ret, const char * what);
/// CPU seconds of this thread; those since then, without what reading them costs; seconds of the
/// clock.
double bench_cpu(void);
double bench_since(double begin);
double bench_wall(void);
int bench_compare(const void * a, const void * b);
/// Sorts.
double bench_median(double * values, size_t count);

#endif  // BENCH__ARM_H_
