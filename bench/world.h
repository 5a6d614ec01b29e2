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
/* A problem file as peers want it: bodies made of plain shapes, which pairs are checked, and the pose
 * of every body at any time of the motion. All peers and we see the same numbers. C and C++. */

#ifndef BENCH__WORLD_H_
#define BENCH__WORLD_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// x -> r x + t, r by rows.
typedef struct world_pose_s
{
  double r[9], t[3];
} world_pose_t;

typedef enum world_kind_e
{
  WORLD_BOX,        // size: full sides
  WORLD_SPHERE,     // size[0]: radius
  WORLD_CAPSULE,    // size: radius, length of the cylinder part
  WORLD_CYLINDER,   // size: radius, height
  WORLD_CONE,       // size: radius, height
  WORLD_ELLIPSOID,  // size: radii
  WORLD_CONVEX,     // the hull
  WORLD_MESH        // points and triangles; has a hull too (none when flat)
} world_kind_t;

typedef struct world_shape_s
{
  world_kind_t kind;
  double size[3];
  world_pose_t pose;          // in the body
  double (*points)[3];
  uint32_t(*triangles)[3];
  double (*hull)[3];
  uint32_t(*hull_faces)[3];     // outward, counter-clockwise
  uint32_t point_count, triangle_count, hull_count, hull_face_count;
  uint64_t key;               // equal for equal shapes
} world_shape_t;

typedef struct world_body_s
{
  const char * name;
  bool moving;
  world_shape_t * shapes;
  uint32_t shape_count;
} world_body_t;

typedef struct world_pair_s
{
  uint32_t a, b;
} world_pair_t;

typedef struct world_inside_s world_inside_t;

typedef struct world_s
{
  world_body_t * bodies;
  uint32_t body_count;
  world_pair_t * pairs;       // a moves; b may
  uint32_t pair_count;
  bool * checked;             // body_count x body_count, symmetric
  uint32_t segment_count;
  world_inside_t * inside;
} world_t;

/// From the bytes of a problem file. False, with a sentence on stderr: cannot be given to peers.
bool world_open(world_t * world, const void * data, size_t size);
void world_close(world_t * world);

/// A frame of the kinematic tree: x_parent = pose * joint(multiplier * variable + offset) * x.
typedef struct world_frame_s
{
  uint32_t parent;
  int joint;            // 0 fixed, 1 revolute, 2 prismatic
  double axis[3];       // of length 1
  world_pose_t pose;
  uint32_t variable;
  double multiplier, offset, low, high;   // values that the variable takes in this motion
} world_frame_t;
uint32_t world_frame_count(const world_t * world);
world_frame_t world_frame(const world_t * world, uint32_t number);
/// The frame that a body rides on, and where.
uint32_t world_body_frame(const world_t * world, uint32_t body, world_pose_t * placement);
/// Is every segment linear? Then waypoint `knot` (0 .. segment_count) of a variable:
bool world_is_linear(const world_t * world);
double world_waypoint(const world_t * world, uint32_t knot, uint32_t variable);

/// Poses of all bodies at a fraction of a segment.
void world_poses(const world_t * world, uint32_t segment, double fraction, world_pose_t * poses);
/// How many steps of at most `step` rad (or m) in any joint a segment needs.
uint32_t world_steps(const world_t * world, uint32_t segment, double step);
/// Seconds of a segment, as reports count.
double world_seconds(const world_t * world, uint32_t segment);

/// Writes the world into files of a directory, for peers that are driven from Python. False: not linear, or
/// not written.
typedef struct world_title_s
{
  const char * experiment, * name, * truth;
  size_t number;
} world_title_t;
bool world_write(const world_t * world, const char * directory, const world_title_t * title);

#ifdef __cplusplus
}
#endif

#endif  // BENCH__WORLD_H_
