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

/* What the files of the verifier share. Names as in docs/certificate_format.md. */
#ifndef VOUCH_VERIFY_INTERNAL_H
#define VOUCH_VERIFY_INTERNAL_H

#include <stdbool.h>

#include "interval.h"
#include "verify.h"

#define VV_NONE 0xffffffffu
#define VV_UNDECIDED INT64_MAX
#define VV_N 0x1.00001p+0
#define VV_ONE (UINT64_C(1) << 50)
#define VV_READ(r, format, ...) vv_read(r, format, (void * const[]) {__VA_ARGS__})

/* Fixed sizes: joints of a path, pending goals, slots of the caches. */
enum { VV_JOINTS = 64, VV_GOALS = 4096, VV_POSES = 4096, VV_RADII = 1024, VV_BOUNDS = 1 << 15 };

enum { VV_FIXED, VV_REVOLUTE, VV_PRISMATIC };
enum { VV_TRIANGLE = 1, VV_HULL, VV_CYLINDER, VV_CONE, VV_ELLIPSOID };
enum { VV_SURFACE, VV_SOLID, VV_OPEN, VV_CONVEX };
enum { VV_BODY, VV_HALF_SPACE, VV_PLANE };
enum { VV_PAIR_BODIES, VV_PAIR_GROUP, VV_PAIR_PLANE };

/* Bytes still to be read. `bad` becomes true, and stays so, when they run out or when a number
 * is out of bounds; zeros are read then. */
typedef struct { const uint8_t * at; size_t left; bool * bad; } vv_reader;

/* A point with what it carries (radius or epsilon), or the ball of a node. */
typedef struct { double v[3], carry; } vv_ball;

/* list: its vertices; of a curved primitive one ball around it. */
typedef struct
{
  uint32_t kind, component, count;
  double radius, size[3];
  vv_pose pose;
  vv_ball * list;
} vv_primitive;

/* A node of a geometry; or a group, with the corners of its box as list, how far it reaches
 * along +x -x +y -y +z -z, and the body of a leaf. */
typedef struct
{
  uint32_t first, count, left, right, body, kept_count, list_count, parents;
  bool curved;
  vv_ball * list, ball;
  double far[6];
} vv_node;

/* reach: at least every coordinate and every carry of the lists. */
typedef struct
{
  uint32_t primitive_count, component_count, node_count;
  double reach;
  const uint8_t * component_kinds;
  vv_primitive * primitives;
  vv_node * nodes;
} vv_geometry;

/* The rows of pose.r * rotation(q) are along + cos q * across + sin q * turned. middle and half:
 * the values of a prismatic joint, tolerance included. */
typedef struct
{
  uint32_t parent, joint, variable;
  double multiplier, offset, tolerance, middle, half;
  vv_pose pose, inverse;
  vv_vec axis, slide, along[3], across[3], turned[3];
} vv_frame;

typedef struct
{
  uint32_t kind, frame;
  const vv_geometry * geometry;
  vv_pose placement;
  double normal[3], offset;
} vv_body;

typedef struct { uint32_t kind, a, b; double margin, * entries; } vv_pair;
typedef struct { uint32_t degree; double * b; } vv_segment;

/* tick/2^50 of a segment; knots first to last (a run), or ticks begin to begin + length of one
 * segment. */
typedef struct { uint32_t segment; uint64_t tick; } vv_time;
typedef struct { uint32_t first, last; uint64_t begin, length; } vv_span;

/* A part of a against a part of b's geometry: node numbers, or the number of nodes plus a
 * component's. body is VV_NONE in the tree of groups; geometry is NULL for planes. */
typedef struct
{
  const vv_geometry * geometry;
  uint32_t body, part_b, part_a;
  double margin;
  vv_span span;
} vv_goal;

/* One variable on one span, in the span's own time: |q'|, half of |q''| with kinks, variation. */
typedef struct { double speed, bend, variation; } vv_bound;

/* Direct-mapped: slot i holds a key (all zero: empty) and a value of `size` bytes. */
typedef struct { uint64_t(*keys)[3]; uint8_t * values; size_t slots, size; } vv_cache;

typedef struct
{
  struct vouch_verify_report * report;
  bool bad, malformed, skips;
  uint8_t * arena;
  size_t arena_left;
  uint32_t geometry_count, frame_count, body_count, pair_count, variable_count, segment_count;
  vv_geometry * geometries, groups;
  vv_frame * frames;
  vv_body * bodies;
  vv_pair * pairs;
  vv_segment * segments;
  double * tolerances, * knots, * seconds;
  uint32_t * starts, * steps;
  vv_reader ops;
  const uint8_t * ops_begin;
  vv_time t_lo, t_hi;
  const vv_body * a;
  uint32_t pair, base, step_count, upward_count, joint_count, goal_count;
  vv_goal * goals;
  vv_cache bounds, poses, radii;
  vv_pose identity;
} vv_verifier;

bool vv_need(vv_verifier * v, bool condition, const char * reason);
void * vv_take(vv_verifier * v, size_t count, size_t size);
void * vv_lookup(const vv_cache * c, size_t slot, const uint64_t key[3], bool * hit);
size_t vv_hash(const uint64_t key[3], size_t slots);
vv_reader vv_bytes(vv_reader * r, uint64_t length);
uint64_t vv_number(vv_reader * r, size_t bytes);
void vv_read(vv_reader * r, const char * format, void * const * to);
void * vv_array(vv_verifier * v, vv_reader * r, size_t bytes, size_t size, uint32_t * count);
void vv_sha256(const uint8_t * data, size_t size, uint8_t digest[32]);
bool vv_load_geometry(vv_verifier * v, vv_reader * r, vv_geometry * g);
bool vv_load_scene(vv_verifier * v, vv_reader * r);
bool vv_load_motion(vv_verifier * v, vv_reader * r);
bool vv_is_tree(vv_node * nodes, uint32_t count);
vv_vec vv_mix(const vv_ball * list, const uint32_t index[4], const double weight[3]);
double vv_support(const vv_geometry * g, uint32_t part, vv_vec m, double size);
vv_iv vv_value(const vv_verifier * v, uint32_t variable, vv_time at);
bool vv_is_start(const vv_verifier * v, uint32_t knot);
vv_time vv_end(const vv_verifier * v, vv_span s);
const vv_bound * vv_bounds_on(const vv_verifier * v, vv_span s);
bool vv_set_path(vv_verifier * v, const vv_body * a, uint32_t base);
vv_pose vv_relative(const vv_verifier * v, vv_time at);
double vv_floor(const vv_verifier * v, const vv_goal * goal, const double n[3]);
double vv_gap(const vv_verifier * v, uint32_t part, const double n[3], vv_time at, double floor);
bool vv_leaf(const vv_verifier * v, const vv_goal * goal, double n[2][3], bool chord);
bool vv_walk(vv_verifier * v);
bool vv_read_direction(vv_verifier * v, double n[3]);
bool vv_all_outside(vv_verifier * v, const vv_goal * goal);
int vv_det(vv_vec a, vv_vec b, vv_vec c);
int64_t vv_winding(
  const vv_verifier * v, const vv_goal * goal, vv_time at, bool in_a, const double ray[3]);
bool vv_collision(vv_verifier * v, vv_reader * r);

#endif
