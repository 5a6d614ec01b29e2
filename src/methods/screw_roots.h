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

/* TRUSTED. Contact times of two features on a screw, by isolated roots.
 *
 * Kim and Rossignac 2003, with the corrections of docs/rigid_motions.md. On a screw through p along
 * s a point is at
 *   x(t) = p + (x_s + d t) s + cos(bt) x_a + sin(bt) x_b,   r = x(0) - p,
 *   x_s = r.s,  x_a = r - x_s s,  x_b = s x r,
 * and the contact equations of vertex and face and of edge and edge have the form
 *   f(t) = k0 + k1 t + (k2 + k4 t) cos bt + (k3 + k5 t) sin bt.
 * The coefficients are balls of about 100 bits, their values over time intervals. A stretch of time
 * is dropped only when the interval extension of f, of a side condition, or of a separating
 * direction shows that there is no contact in it. */

#ifndef METHODS__SCREW_ROOTS_H_
#define METHODS__SCREW_ROOTS_H_

#include "methods/rigid_motion.h"
#include "methods/twofold.h"

/// The screw in balls that contain the model's.
typedef struct screw_frame_s
{
  twofold3_t point, axis;
  twofold_t rotation[9];
  twofold3_t translation;
  double angle, travel;
  interval3_t point_interval, axis_interval;
} screw_frame_t;

void screw_frame_init(screw_frame_t * frame, const vouch_screw_t * screw);

/// x_s, x_a, x_b of a point at time 0.
typedef struct helix_s
{
  twofold_t s;
  twofold3_t a, b;
} helix_t;

/// Where the helix is at time 0.
twofold3_t screw_begin(const screw_frame_t * frame, const helix_t * helix);

/// [T-HELIX] The helix of body point v.
helix_t screw_helix(const screw_frame_t * frame, const double v[3]);
/// The helix of a fixed point as seen by the moving body (the screw runs backwards).
helix_t screw_helix_fixed(const screw_frame_t * frame, const double y[3]);

typedef enum root_answer_e
{
  ROOT_NONE = 0,        // proved: no contact in the window
  ROOT_CONTACT = 1,     // proved: contact in [from, to], none before `from`
  ROOT_PERHAPS = 2      // none before `from`; perhaps one in [from, to]
} root_answer_t;

typedef struct root_s
{
  root_answer_t answer;
  interval_t time;
  bool rising;          // f goes from negative to positive
} root_t;

/// A vertex on a helix against a triangle at rest; `direction` 1: the body's vertex and a fixed
/// triangle, -1: a fixed vertex and a triangle of the body at time 0 (then the screw runs
/// backwards).
typedef struct vertex_face_s
{
  const screw_frame_t * frame;
  helix_t vertex;
  twofold3_t corner[3];
  double direction;
} vertex_face_t;

root_t screw_vertex_face(const vertex_face_t * pair, interval_t window, uint64_t * steps);

/// An edge on a screw against an edge at rest.
typedef struct edge_edge_s
{
  const screw_frame_t * frame;
  helix_t moving[2];
  twofold3_t fixed[2];
} edge_edge_t;

root_t screw_edge_edge(const edge_edge_t * pair, interval_t window, uint64_t * steps);

/// Where a helix is at the times T: in x, and at `at` + speed (T - middle), by the mean value.
typedef struct screw_place_s
{
  interval3_t x, at, speed;
  interval_t off;
} screw_place_t;

/// [T-PLACE] direction -1 runs the screw backwards.
screw_place_t screw_position(
  const screw_frame_t * frame, const helix_t * helix, interval_t time, double direction);
/// All values of n.x(t), as narrow as the speed along n allows.
interval_t screw_place_along(const screw_place_t * place, interval3_t n);

#endif  // METHODS__SCREW_ROOTS_H_
