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

/* A writer of problem and certificate files for the tests of the verifier. It follows
 * docs/certificate_format.md and nothing else, writes what it is told, right or wrong, and aborts
 * when there is no memory. */

#ifndef SUPPORT__VERIFY_WRITER_H_
#define SUPPORT__VERIFY_WRITER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "verify/verify.h"

#define W_NONE 0xffffffffu
#define W_ONE (UINT64_C(1) << 44)
#define W_VERTICES 256
#define W_NODES 256
#define W_LIST 64
#define W_FRAMES 5000
#define W_BODIES 256
#define W_PAIRS 32768
#define W_HEAD 152   // of a certificate: where the ops of a FREE one begin

typedef struct
{
  uint8_t * data;
  size_t size;
  size_t capacity;
} w_bytes;

typedef struct {uint32_t right, count, solid, open, list[W_LIST], twins[3];} w_node;
typedef struct {uint8_t index[4]; float weight[3];} w_witness;

/// vertex[0] is written as the middle of the box of the others, unless own_middle.
/// primitive: what w_tree builds its nodes from.
typedef struct
{
  int vertices, rounds, nodes, witnesses, primitives;
  bool own_middle;
  double vertex[W_VERTICES][3];
  double round[W_VERTICES][9];   // of the last vertices
  w_node node[W_NODES];
  w_node primitive[W_NODES];
  w_witness witness[W_VERTICES];   // of points that are not kept: last node first, left child first
} w_geometry;

/// A frame; a body, which has no joint.
typedef struct
{
  uint32_t parent;
  double pose[7];
  uint32_t joint;
  double axis[3];
  uint32_t variable;
  double multiplier, offset;
  uint32_t kind, geometry;
} w_frame;

/// Numbers of bodies, or of groups, from the number of bodies on. skips: how many, of the table.
typedef struct {uint32_t a, b; double margin; uint32_t skips;} w_pair;
typedef struct {uint32_t right, body;} w_group;
typedef struct {uint32_t body, reason;} w_skip;
typedef struct {uint32_t a, b, reason;} w_left;

typedef struct {uint32_t degree; double b[64];} w_segment;

typedef struct
{
  int geometries, frames, bodies, pairs, variables, segments;
  uint32_t motion_kind;
  w_geometry * geometry[16];
  w_frame frame[W_FRAMES];
  w_frame body[W_BODIES];
  int groups, skips, lefts;
  w_group group[W_BODIES];
  w_pair pair[W_PAIRS];
  w_skip skip[W_BODIES];
  w_left left[W_BODIES];
  bool no_more_left;   // else all items that nothing names are left out, with reason 10
  double tolerance[8];
  double knot[65];
  double second[65];
  double late[64];   // how much later than its knot a segment begins
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

w_geometry * w_new_geometry(w_problem * p);

/// The number of a new vertex; with half-axes unless they are NULL. Those with them come last.
uint32_t w_vertex(w_geometry * g, const double at[3], const double * axes);

/// A primitive of `count` vertices from `first` on.
void w_primitive(w_geometry * g, uint32_t first, uint32_t count);

/// One primitive: the hull of points rounded by a radius.
w_geometry * w_hull(w_problem * p, const double(*v)[3], int n, double radius);
w_geometry * w_sphere(w_problem * p, double radius);
w_geometry * w_box(w_problem * p, double x, double y, double z);

enum {W_CYLINDER, W_CONE, W_ELLIPSOID};

/// A cylinder or cone with radius and half height, an ellipsoid with three half-axes, in a pose.
w_geometry * w_curved(w_problem * p, int kind, const double pose[7], const double size[3]);

/// Triangles, of the solid of that number unless it is 0.
void w_add_mesh(
  w_geometry * g, const double(*v)[3], int vertices, const uint32_t(*t)[3], int triangles,
  uint32_t solid);

/// A box as a mesh with its 12 triangles turned outwards, two a side: -z, z, -y, y, -x, x.
void w_add_box_mesh(
  w_geometry * g, const double centre[3], const double half[3], uint32_t solid);

/// Halves the primitives into a tree whose nodes keep every vertex; then matches twins.
void w_tree(w_geometry * g);
void w_match_twins(w_geometry * g);

/// Of a tree built by w_tree: how many primitives are before the node: a leaf's own number.
uint32_t w_number(const w_geometry * g, uint32_t node);

w_bytes w_write_problem(const w_problem * p);

/// The start of a certificate, up to t_lo. Parts that are not there have a hash of zeros.
w_bytes w_certificate_head(const w_bytes * problem, int kind, uint64_t t_lo);
void w_leaf(w_bytes * ops, double x, double y, double z);
void w_ray(w_bytes * ops, double x, double y, double z);

/// One variable, one joint on frame 0, one segment of degree 1 in [0, 1].
w_problem * w_one_joint(uint32_t joint, const double axis[3], double q0, double q1);
void w_add_body(
  w_problem * p, uint32_t frame, uint32_t geometry, double x, double y, double z);

/// A group over the bodies from `first` on, next to the others, halved again and again. Its number
/// among what pairs name is the return value; so all bodies come first.
uint32_t w_add_group(w_problem * p, uint32_t first, uint32_t count);

/// A half-space (1) or plane (2) on frame 0: n.x <= offset, n.x = offset.
void w_add_plane(
  w_problem * p, uint32_t kind, double x, double y, double z, double offset);
void w_free_problem(w_problem * p);

int w_verify(
  const w_bytes * problem, const w_bytes * certificate, struct vouch_verify_report * report);

/// The code for a FREE certificate of these ops, which are freed.
int w_verify_free(const w_problem * p, w_bytes * ops, struct vouch_verify_report * report);

#endif  // SUPPORT__VERIFY_WRITER_H_
