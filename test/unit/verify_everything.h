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

/* One problem with everything in it, for tests that change it. */

#ifndef UNIT__VERIFY_EVERYTHING_H_
#define UNIT__VERIFY_EVERYTHING_H_

#include "unit/verify_expect.h"

// A problem with everything in it: a mesh of two solids, round vertices, a plane, a mimic joint, two
// segments of different degrees; and ops that prove it.
static inline w_problem * everything(w_bytes * ops)
{
  w_problem * p = w_one_joint(2, X, 0, 0.25);
  p->frames = 3;
  p->frame[2] = p->frame[1];
  p->frame[2].parent = 1;
  p->frame[2].multiplier = -0.5;
  p->frame[2].joint = 1;
  p->tolerance[0] = 1e-3;
  p->segments = 2;
  p->knot[2] = p->second[2] = 2;
  p->segment[1] = (w_segment) {3, {0.25, 0.25, 0.28125, 0.3125}};
  w_geometry * mesh = w_new_geometry(p);
  w_add_box_mesh(mesh, (const double[3]) {0, 0, 0}, (const double[3]) {1, 0.25, 0.25}, 1);
  w_add_box_mesh(mesh, (const double[3]) {0, 0, 0.75}, (const double[3]) {0.25, 0.25, 0.5}, 2);
  w_tree(mesh);
  w_sphere(p, 0.125);
  w_box(p, 0.125, 0.125, 0.125);
  w_curved(p, W_CYLINDER, w_identity, (const double[3]) {0.125, 0.25, 0});
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 0, 1, 0.75, 0, 0.5);
  w_add_body(p, 0, 2, 0, 3, 0);
  w_add_body(p, 2, 3, 0, 0, 2);
  w_add_plane(p, 1, 0, 0, -1, -6);
  pair_of(p, 0, 1, 0.01);
  pair_of(p, 3, 2, 0.02);
  pair_of(p, 3, 4, 0.5);
  // Pair 0: the sphere in the corner of the mesh, from 0.125 to 0.25 away.
  w_u8(ops, 'T');
  w_leaf(ops, 0, 1, 0);
  w_leaf(ops, 0, 0, -1);
  for (int i = 0; i < 2; i++) {
    w_u8(ops, 'A');
    if (i == 0) {
      w_ray(ops, 0.25, 0.5, 0.125);
      w_ray(ops, 0.25, 0.5, 0.125);
    }
    w_leaf(ops, 0, 0, 1);
    w_u8(ops, 'T');
    w_leaf(ops, 1, 0, 0);
    w_leaf(ops, 1, 0, 0);
  }
  return p;
}

#endif  // UNIT__VERIFY_EVERYTHING_H_
