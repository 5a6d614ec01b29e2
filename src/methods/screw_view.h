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

/* TRUSTED. Both bodies as one screw sees them: points, features and nodes in cylinder coordinates,
 * vertices as helices. Each is computed when it is first asked for and then kept, or never kept
 * when every pair of features is to be by itself. */

#ifndef METHODS__SCREW_VIEW_H_
#define METHODS__SCREW_VIEW_H_

#include "methods/rigid_body.h"
#include "methods/screw_cylinder.h"
#include "methods/screw_roots.h"

typedef enum screw_side_e
{
  SCREW_MOVING = 0,
  SCREW_FIXED = 1
} screw_side_t;

typedef struct kept_point_s
{
  cylinder_point_t point;
  bool known;
} kept_point_t;

typedef struct kept_helix_s
{
  helix_t helix;
  uint32_t vertex;
  bool known;
} kept_helix_t;

typedef struct screw_view_s
{
  const vouch_rigid_body_t * body[2];
  const rigid_segment_t * segment;
  screw_frame_t frame;
  cylinder_frame_t cylinder;
  bool keep;
  kept_point_t * points[2];     // of each vertex
  cylinder_t * bounds[2];       // of each tree node, known when r.hi > 0
  kept_helix_t * helices;       // of the vertices that were asked for last
} screw_view_t;

/// `view` must be zero but for body, segment and keep. Release with screw_view_fini() in any case.
vouch_ret_t screw_view_init(screw_view_t * view) VOUCH_WARN_UNUSED;
void screw_view_fini(screw_view_t * view);

/// Features 0-2: vertices of the triangle, 3-5: its edges from vertex i to i+1, 6: the face.
cylinder_t screw_view_feature(
  screw_view_t * view, screw_side_t side, uint32_t triangle, int feature);
/// A node's bound is the union of its triangles' bounds where these are few, else that of its ball.
const cylinder_t * screw_view_node(screw_view_t * view, screw_side_t side, uint32_t number);
helix_t screw_view_helix(screw_view_t * view, screw_side_t side, uint32_t triangle, int corner);

/// [Y-ADVANCE] Two triangles do not meet from `from` up to the result, which is `from` itself when
/// nothing was shown.
double screw_view_apart_until(screw_view_t * view, uint32_t ta, uint32_t tb, double from);

#endif  // METHODS__SCREW_VIEW_H_
