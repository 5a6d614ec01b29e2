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

/* A robot, a scene and a motion in a few lines, for tests that make many of them. Everything that
 * goes wrong in here ends the process with a message: tests ask about verdicts only. */

#ifndef SUPPORT__CELL_H_
#define SUPPORT__CELL_H_

#include "vouch/vouch.h"

typedef struct cell_s
{
  vouch_robot_t * robot;
  vouch_scene_t * scene;
  vouch_motion_t * motion;
  vouch_checker_t * checker;   // of the last check
} cell_t;

/// A robot from URDF text (and SRDF text, or NULL) and an empty scene.
cell_t cell_open(const char * urdf, const char * srdf);
void cell_close(cell_t * cell);
/// A new scene for the same robot; the motion stays.
void cell_clear(cell_t * cell);

vouch_shape_t cell_box(double x, double y, double z);
vouch_shape_t cell_sphere(double radius);
/// A cube, 2 m wide; with ten triangles, of twelve, its upper side is missing.
vouch_shape_t cell_cube_mesh(size_t triangles);
vouch_pose_t cell_at(double x, double y, double z);
/// The same, turned by `angle` about a unit axis.
vouch_pose_t cell_turned(double x, double y, double z, const double axis[3], double angle);

/// An object of one shape in the frame of the robot's root.
void cell_add(cell_t * cell, const char * id, vouch_shape_t shape, vouch_pose_t pose);
/// The same, held by a link: pose in the link's frame.
void cell_hold(
  cell_t * cell, const char * id, const char * link, vouch_shape_t shape, vouch_pose_t pose);

/// Linear through `count` rows of one value per variable; knots at 0, 1, 2...
void cell_path(cell_t * cell, const double * values, size_t count);
/// One row per point: positions, velocities (or NULL), accelerations (or NULL); one second each.
void cell_spline(
  cell_t * cell, const double * positions, const double * velocities,
  const double * accelerations, size_t count);

/// Options with a small workspace, clearance and certificate off.
vouch_check_options_t cell_options(void);
/// Checks with a new checker. The result lives until the next check.
vouch_result_t cell_check(cell_t * cell, const vouch_check_options_t * options);

#endif  // SUPPORT__CELL_H_
