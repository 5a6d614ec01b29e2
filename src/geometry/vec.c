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

#include "geometry/vec.h"

/* With n = |q|^2 the matrix of q/|q| is I + 2/n * (w*[v] + [v]^2): no square root is needed, and
 * the identity quaternion of any length gives the identity exactly. */
mat3_t mat3_from_quaternion(const double q[4])
{
  double x = q[0], y = q[1], z = q[2], w = q[3];
  double s = 2.0 / (x * x + y * y + z * z + w * w);
  double xx = s * x * x, yy = s * y * y, zz = s * z * z;
  double xy = s * x * y, xz = s * x * z, yz = s * y * z;
  double wx = s * w * x, wy = s * w * y, wz = s * w * z;
  return (mat3_t) {{
             1.0 - (yy + zz), xy - wz, xz + wy,
             xy + wz, 1.0 - (xx + zz), yz - wx,
             xz - wy, yz + wx, 1.0 - (xx + yy)
           }};
}

mat3_t mat3_from_axis_angle(vec3_t axis, double angle)
{
  vec3_t z = vec3_unit(axis, vec3(0.0, 0.0, 1.0));
  double s = sin(angle), half = sin(0.5 * angle);
  double v = 2.0 * half * half;   // 1 - cos(angle) without cancellation
  return (mat3_t) {{
             1.0 - v * (z.y * z.y + z.z * z.z), v * z.x * z.y - s * z.z, v * z.x * z.z + s * z.y,
             v * z.x * z.y + s * z.z, 1.0 - v * (z.x * z.x + z.z * z.z), v * z.y * z.z - s * z.x,
             v * z.x * z.z - s * z.y, v * z.y * z.z + s * z.x, 1.0 - v * (z.x * z.x + z.y * z.y)
           }};
}

rigid_t rigid_from_pose(const vouch_pose_t * pose)
{
  return (rigid_t) {
           .rotation = mat3_from_quaternion(pose->rotation),
           .translation = vec3_from(pose->translation),
  };
}
