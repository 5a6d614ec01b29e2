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

/* Meshes made without libm: the same bits on every machine. */

#ifndef SUPPORT__SOLIDS_H_
#define SUPPORT__SOLIDS_H_

#include <math.h>

#include "geometry/mesh.h"

/// A corner of the grid on a side of the cube [-1, 1]^3, moved out to the ball's surface.
static inline vouch_ret_t test_ball_corner(
  vouch_mesh_t * mesh, int side, double u, double v, const double radii[3])
{
  int axis = side / 2;
  double p[3], size = sqrt(1.0 + u * u + v * v);
  p[axis] = side % 2 == 0 ? 1.0 : -1.0;
  p[(axis + 1) % 3] = side % 2 == 0 ? u : v;
  p[(axis + 2) % 3] = side % 2 == 0 ? v : u;
  for (int k = 0; k < 3; ++k) {
    p[k] = p[k] / size * radii[k];
  }
  return vouch_mesh_add_vertex(mesh, p);
}

/// An ellipsoid of 12 * steps^2 triangles, closed after welding, outwards.
static inline vouch_ret_t test_ball(vouch_mesh_t * mesh, int steps, const double radii[3])
{
  vouch_ret_t code = VOUCH_RET_OK;
  for (int i = 0; i < 6 * steps * steps && code == VOUCH_RET_OK; ++i) {
    int side = i / (steps * steps), row = i / steps % steps, column = i % steps;
    uint32_t first = (uint32_t)mesh->vertex_count;
    for (int corner = 0; corner < 4 && code == VOUCH_RET_OK; ++corner) {
      double u = (double)(2 * (column + (corner == 1 || corner == 2)) - steps) / steps;
      double v = (double)(2 * (row + (corner >= 2)) - steps) / steps;
      code = test_ball_corner(mesh, side, u, v, radii);
    }
    code = code != VOUCH_RET_OK ? code : vouch_mesh_add_triangle(mesh, first, first + 1, first + 2);
    code = code != VOUCH_RET_OK ? code : vouch_mesh_add_triangle(mesh, first, first + 2, first + 3);
  }
  return code;
}

#endif  // SUPPORT__SOLIDS_H_
