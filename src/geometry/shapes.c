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

/* Boxes, spheres, capsules: hulls of a few points, each rounded once from the pose. */

#include "base/error.h"
#include "geometry/geometry.h"
#include "geometry/limits.h"
#include "geometry/vec.h"

static vouch_ret_t check_size(const char * what, double size)
{
  if (!(size > 0.0 && vouch_is_coordinate(size))) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s of %g m: it must be positive and at most 1e6", what, size);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_pose(const vouch_pose_t * pose)
{
  return vouch_is_pose(pose) ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "a shape's pose needs a quaternion of length 1 (within 1e-3) and finite "
    "coordinates up to 1e6 m");
}

vouch_ret_t vouch_geometry_add_box(
  vouch_geometry_builder_t * builder, const double size[3], const vouch_pose_t * pose)
{
  for (int k = 0; k < 3; ++k) {
    vouch_ret_t code = check_size("a box with a side", size[k]);
    if (code != VOUCH_RET_OK) {
      return code;
    }
  }
  vouch_ret_t code = check_pose(pose);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  rigid_t frame = rigid_from_pose(pose);
  double corners[8][3];
  for (int i = 0; i < 8; ++i) {
    vec3_t p = vec3(
      (i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1],
      (i & 4 ? 0.5 : -0.5) * size[2]);
    vec3_store(rigid_apply(&frame, p), corners[i]);
  }
  return vouch_geometry_add_hull(builder, (const double(*)[3])corners, 8, 0.0);
}

vouch_ret_t vouch_geometry_add_sphere(
  vouch_geometry_builder_t * builder, double radius, const vouch_pose_t * pose)
{
  vouch_ret_t code = check_size("a sphere with a radius", radius);
  code = code != VOUCH_RET_OK ? code : check_pose(pose);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  return vouch_geometry_add_hull(
    builder, (const double(*)[3])(const void *) pose->translation, 1, radius);
}

vouch_ret_t vouch_geometry_add_capsule(
  vouch_geometry_builder_t * builder, double radius, double length, const vouch_pose_t * pose)
{
  vouch_ret_t code = check_size("a capsule with a radius", radius);
  code = code != VOUCH_RET_OK ? code : check_size("a capsule with a length", length);
  code = code != VOUCH_RET_OK ? code : check_pose(pose);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  rigid_t frame = rigid_from_pose(pose);
  double ends[2][3];
  vec3_store(rigid_apply(&frame, vec3(0.0, 0.0, -0.5 * length)), ends[0]);
  vec3_store(rigid_apply(&frame, vec3(0.0, 0.0, 0.5 * length)), ends[1]);
  return vouch_geometry_add_hull(builder, (const double(*)[3])ends, 2, radius);
}
