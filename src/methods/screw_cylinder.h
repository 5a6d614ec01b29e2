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

/* TRUSTED. Features and nodes in cylinder coordinates (r, z, angle) about a screw axis, where the
 * screw adds d t to z and b t to the angle and leaves r alone. Two things can only meet when their
 * r overlap, and only at times when z and angle overlap: that is Kim and Rossignac's whole set of
 * rejection tests, and a window of time besides. */

#ifndef METHODS__SCREW_CYLINDER_H_
#define METHODS__SCREW_CYLINDER_H_

#include "geometry/vec.h"
#include "methods/interval.h"

typedef struct cylinder_s
{
  interval_t r, z;
  interval_t angle;      // some turn of it; a full turn when hi - lo >= 2 pi
} cylinder_t;

/// The axis: p + z s, with any u, v across it.
typedef struct cylinder_frame_s
{
  vec3_t p, s, u, v;
  double scale;          // largest coordinate that enters
} cylinder_frame_t;

cylinder_frame_t cylinder_frame(vec3_t point, vec3_t axis, double scale);

/// A point from p: along u, v and s, and as r and angle.
typedef struct cylinder_point_s
{
  vec3_t x;
  double r, angle;
} cylinder_point_t;

cylinder_point_t cylinder_point(const cylinder_frame_t * frame, vec3_t x);

/// [Y-HULL] Bounds of the hull of 1, 2 or 3 points, each known to 1e-12 * scale.
cylinder_t cylinder_of(const cylinder_frame_t * frame, const cylinder_point_t * p, int count);
/// [Y-BALL] Bounds of a ball whose centre is known to 1e-12 * scale.
cylinder_t cylinder_of_ball(const cylinder_frame_t * frame, vec3_t centre, double radius);

/// [Y-UNION] Bounds of both together.
cylinder_t cylinder_union(const cylinder_t * a, const cylinder_t * b);

/// [Y-WINDOW] All times in [0, 1] at which a, moving by (angle b, travel d), can meet b lie in
/// *window. False: none.
bool cylinder_window(
  const cylinder_t * a, const cylinder_t * b, double angle, double travel, interval_t * window);

#endif  // METHODS__SCREW_CYLINDER_H_
