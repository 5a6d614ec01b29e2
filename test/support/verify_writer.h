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

// A tiny writer of problem and certificate files for the tests of the verifier. It follows
// docs/certificate_format.md and nothing else: neither the producer nor the verifier is used,
// except that the verifier reports the hashes of a problem's parts.
#ifndef SUPPORT__VERIFY_WRITER_H_
#define SUPPORT__VERIFY_WRITER_H_

#include <stddef.h>
#include <stdint.h>

#include "verify/verify.h"

#define W_NONE 0xffffffffu
#define W_MAX 4096

typedef struct
{
  uint8_t * data;
  size_t size;
  size_t capacity;
} w_bytes;

typedef struct {uint32_t kind, component, first, count; double radius;} w_primitive;
typedef struct {uint32_t first, count, left, right, kept_first, kept_count;} w_node;
typedef struct {uint8_t index[4]; float weight[3];} w_witness;

typedef struct
{
  int vertices, indices, curved, primitives, components, nodes, kept, witnesses;
  double vertex[W_MAX][3];
  uint32_t index[W_MAX];
  double curve[16][10];
  w_primitive primitive[W_MAX];
  uint8_t component[64];
  w_node node[W_MAX];
  uint32_t kept_index[W_MAX];
  w_witness witness[W_MAX];   // of points that are not kept: last node first, left child first
  double odd_radius;          // of the shape of hulls and triangles, which have none
  double thickness;           // the third radius of cylinders and cones, which is 0
  uint32_t odd_tip;           // added to the tip of shapes, which is 0 or 1
  uint32_t wrong_twin;        // 0, or 1 + an edge whose twin is written wrong
  int forced;                 // edges whose twins are given
  uint32_t forced_edge[16], forced_twin[16];
} w_geometry;

typedef struct
{
  uint32_t parent;
  double pose[7];
  uint32_t joint;
  double axis[3];
  uint32_t variable;
  double multiplier, offset;
} w_frame;

typedef struct
{
  uint32_t kind, frame, geometry;
  double placement[7];
} w_body;

typedef struct {uint32_t left, right, body;} w_group;
typedef struct {uint32_t kind, a, b; double margin; double entries[64];} w_pair;

// Coefficients: variable after variable.
typedef struct {uint32_t degree; double b[64];} w_segment;

typedef struct
{
  int geometries, frames, bodies, groups, pairs, variables, segments;
  w_geometry * geometry[8];
  w_frame frame[32];
  w_body body[64];
  w_group group[64];
  w_pair pair[64];
  double tolerance[8];
  double knot[65];
  double second[65];
  w_segment segment[64];
} w_problem;

extern const double w_identity[7];

void w_put(w_bytes * b, const void * data, size_t size);
void w_free(w_bytes * b);
void w_u8(w_bytes * b, unsigned x);
void w_u32(w_bytes * b, uint32_t x);
void w_u64(w_bytes * b, uint64_t x);
void w_f64(w_bytes * b, double x);
void w_f32(w_bytes * b, double x);
void w_f64s(w_bytes * b, const double * x, int n);

// One geometry with node 0 over whatever is appended by hand.
w_geometry * w_new_geometry(w_problem * p);

// A hull of n points with a radius, as the only primitive.
w_geometry * w_hull(w_problem * p, const double(*v)[3], int n, double radius);
w_geometry * w_sphere(w_problem * p, double radius);
w_geometry * w_box(w_problem * p, double x, double y, double z);
w_geometry * w_curved(
  w_problem * p, uint32_t kind, const double pose[7], const double size[3], double radius);

// Adds a triangle mesh; the tree is made by w_tree().
void w_add_mesh(
  w_geometry * g, const double(*v)[3], int vertices, const uint32_t(*t)[3], int triangles,
  uint8_t kind);

// A closed box of 12 triangles, turned outwards.
void w_add_box_mesh(
  w_geometry * g, const double centre[3], const double half[3], uint8_t kind);
void w_tree(w_geometry * g, int keep);

// The edge of a triangle of the same solid component that runs back along edge e and is not taken.
uint32_t w_twin(const w_geometry * g, const uint32_t * taken, uint32_t e);
void w_force_twin(w_geometry * g, uint32_t edge, uint32_t twin);
w_bytes w_write_problem(const w_problem * p);

// Everything of a certificate that comes before the ops or the witness.
w_bytes w_certificate_head(
  const w_problem * p, const w_bytes * problem, int kind, double margin);
void w_ops(w_bytes * b, const w_bytes * ops);
void w_leaf(w_bytes * ops, double x, double y, double z);
void w_ray(w_bytes * ops, double x, double y, double z);

// A problem with frame 0, one frame on a prismatic (joint 2) or revolute (1) joint about `axis`,
// and one segment in which the joint goes linearly from q0 to q1 in a second.
w_problem * w_one_joint(uint32_t joint, const double axis[3], double q0, double q1);
void w_add_body(
  w_problem * p, uint32_t frame, uint32_t geometry, double x, double y, double z);
void w_add_plane(
  w_problem * p, uint32_t kind, double x, double y, double z, double offset);
void w_free_problem(w_problem * p);

// Writes problem and FREE certificate, verifies; consumes ops, keeps p.
int w_verify_free(
  const w_problem * p, w_bytes * ops, double margin, struct vouch_verify_report * report);

#endif  // SUPPORT__VERIFY_WRITER_H_
