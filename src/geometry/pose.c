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

/* Products of poses as they are written: for robots and scenes, not for proofs. */

#include "geometry/vec.h"

#include <math.h>

void quaternion_mul(const double a[4], const double b[4], double out[4])
{
  double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
  double y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
  double z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
  double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = w;
}

void quaternion_from_rpy(const double rpy[3], double out[4])
{
  double sr = sin(0.5 * rpy[0]), cr = cos(0.5 * rpy[0]);
  double sp = sin(0.5 * rpy[1]), cp = cos(0.5 * rpy[1]);
  double sy = sin(0.5 * rpy[2]), cy = cos(0.5 * rpy[2]);
  out[0] = sr * cp * cy - cr * sp * sy;
  out[1] = cr * sp * cy + sr * cp * sy;
  out[2] = cr * cp * sy - sr * sp * cy;
  out[3] = cr * cp * cy + sr * sp * sy;
}

vouch_pose_t pose_mul(const vouch_pose_t * a, const vouch_pose_t * b)
{
  vouch_pose_t c = vouch_pose_identity();
  quaternion_mul(a->rotation, b->rotation, c.rotation);
  rigid_t frame = rigid_from_pose(a);
  vec3_store(rigid_apply(&frame, vec3_from(b->translation)), c.translation);
  return c;
}
