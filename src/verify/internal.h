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

/* What the files of the verifier share. Names as in docs/certificate_format.md.
 *
 * Whatever does not hold ends the verification: need() jumps out to vouch_verify_memory(), so
 * that no caller can overlook a refusal, and a line is reached only if all before it held.
 * A type whose comment names bytes begins with the fields of a record of so many bytes. */
#ifndef VOUCH_VERIFY_INTERNAL_H
#define VOUCH_VERIFY_INTERNAL_H

#include <setjmp.h>
#include <stdbool.h>

#include "interval.h"
#include "verify.h"

/* No body, no component; at least the length of a direction; its length squared as stored; the
 * ticks of a segment; a node without children; the goals that may wait. */
#define VV_NONE 0xffffffffu
#define VV_N 0x1.00001p+0
#define VV_UNIT (1.0 + 0x1p-21)
#define VV_ONE (UINT64_C(1) << 50)
#define VV_LEAF 255
#define VV_GOALS 4096

enum { VV_FIXED, VV_REVOLUTE, VV_PRISMATIC };
enum { VV_SURFACE, VV_SOLID, VV_OPEN, VV_CONVEX };
enum { VV_BODY, VV_HALF_SPACE, VV_PLANE };

/* 88 bytes. Its primitives are hulls of `count` points, plus a shape, plus a ball. carry: how far
 * shape and ball reach, more than the radius if there is a shape. set: that of its points, plus 1. */
typedef struct { double rotation[4], radii[3], height, radius; uint32_t kind, tip, count, set;
  rigid turn; double carry; } vv_component;

/* 4 bytes. A primitive; or, with the component VV_NONE, a hull of points plus a ball. */
typedef struct { uint32_t component, count; const uint32_t * list; double carry; } vv_hull;

/* 1 byte. A node covers the primitives from first to end. They lie in its hulls: in `all`, or
 * these are they. Its children are the next node and `right`; 0: it has none. */
typedef struct { uint8_t kept; uint32_t right, first, end, hull_count; vv_hull all;
  const vv_hull * hulls; } vv_node;

/* 16 bytes: a mixture of four points of a list. 72 bytes: a point of a primitive: a mixture of
 * points of its list plus the point (u, t) of its shape, or u times its radius. */
typedef struct { float w[3]; uint8_t k[4]; } vv_mixture;
typedef struct { double u[3], t, w[3]; uint32_t k[4]; } vv_point;

/* What is left of a table that is used up in order: `left` records of `size` bytes. */
typedef struct { const uint8_t * at; size_t size; uint32_t left; } vv_run;

/* reach: at least the length of every vertex. carry: the most of a component's. Everything lies within
 * `radius` of the centre. open: its first open component, or VV_NONE. While it is loaded: the numbers
 * and mixtures that are still to be used, the primitives that no node has yet, and for each vertex one
 * more than the last node that kept it. */
typedef struct { uint32_t component_count, primitive_count, node_count, open; double (*vertices)[3];
  double reach, carry, radius; vec centre; vv_component * components; vv_hull * primitives;
  vv_node * nodes; vv_run numbers, mixtures; uint32_t primitives_left, * marks; } vv_geometry;

/* 112 bytes. unit: along its axis. tolerance: of its joint. middle and half: the values of a prismatic
 * joint, tolerance included. */
typedef struct { double place[7], axis[3], factor, offset; uint32_t parent, joint, variable, zero;
  rigid pose; vec unit; double tolerance, middle, half; } vv_frame;

/* 72 bytes. A plane is z = 0 and a half-space z <= 0, placed; both have the geometry NULL. */
typedef struct { double place[7]; uint32_t kind, frame, number, zero; rigid pose;
  const vv_geometry * geometry; } vv_body;

/* 4 bytes. A body, or (VV_NONE) the next group and `right`; its box in frame 0. */
typedef struct { uint32_t body, right, leaves; vec box; } vv_group;

/* 8 bytes. margins: of the groups, or the one margin; below 0: not checked. */
typedef struct { uint32_t a, b; const double * margins; } vv_pair;

/* 4 bytes. starts: how many knots up to the segment's first are starts. */
typedef struct { uint32_t degree, starts; const double * b; } vv_segment;

/* 16 bytes: tick/2^50 of a segment. A span is a run of whole segments, from tick 0 of the first to
 * tick 2^50 of the last, or a part of one segment. */
typedef struct { uint64_t tick; uint32_t segment, zero; } vv_time;
typedef struct { vv_time begin, end; } vv_span;

/* One side of a goal: a node of a body, or one of its components or primitives (part is not
 * VV_NONE); a group (body is NULL). */
typedef struct { const vv_body * body; uint32_t node, part; } vv_side;

/* sides[0] is to be apart from sides[1] by the margin during the span. */
typedef struct { vv_side sides[2]; double margin; vv_span span; } vv_goal;

/* One variable on one span, in the span's own time: |q'|, half of |q''| with kinks, variation. */
typedef struct { double speed, bend, variation; } vv_bound;

/* Direct-mapped: slot i holds a key (all zero: empty) and the number of its value, from 1 on, in
 * the order in which slots were first used. Values have `size` bytes. */
typedef struct { uint64_t(*keys)[4]; uint8_t * values; size_t slots, size, used; } vv_cache;

/* at, left: the bytes still to be read. code: what a condition that fails means now. steps: the
 * frames whose joints lie between a's frame and b's, from a on; after the first `upward` they are
 * b's. radii: how far a's points are from their axes at most;
 * deviation: how far tolerances let them be from where they are. */
typedef struct vv_verifier { struct vouch_verify_report * report; struct vouch_verify_kept * kept;
  jmp_buf refused; int code;
  bool skips; void * memory; uint8_t * arena; const uint8_t * at; size_t arena_left, left;
  uint32_t geometry_count, frame_count, body_count, group_count, pair_count, variable_count;
  uint32_t segment_count, pair, step_count, upward, goal_count, * steps; vv_geometry * geometries;
  vv_frame * frames; vv_body * bodies; vv_group * groups; vv_pair * pairs; vv_segment * segments;
  double * tolerances, * knots, * seconds, * radii, deviation; iv * ranges; vv_time t_lo;
  vv_goal * goals; vv_cache poses, bounds; } vv_verifier;

void vv_refuse(vv_verifier * v, const char * reason);
void * vv_take(vv_verifier * v, size_t count, size_t size);
const uint8_t * vv_bytes(vv_verifier * v, uint64_t length);
void * vv_table(
  vv_verifier * v, size_t reals, double limit, size_t bytes, size_t size, uint32_t * count);
const void * vv_next(vv_verifier * v, vv_run * run, uint64_t count);
rigid vv_pose(vv_verifier * v, const double * place, vec t);
vec vv_direction(vv_verifier * v, double limit);
void vv_sha256(const uint8_t * data, size_t size, uint8_t digest[32]);
void vv_load_geometry(vv_verifier * v, vv_geometry * g);
void vv_load_scene(vv_verifier * v);
void vv_load_motion(vv_verifier * v);
vec vv_mix(vv_verifier * v, const vv_geometry * g, const vv_hull * h, const vv_point * p);
double vv_reach(vv_side s, vec n);
const rigid * vv_poses(vv_verifier * v, vv_time at);
void vv_prove(vv_verifier * v);
int64_t vv_winding(vv_verifier * v, const vv_goal * goal, uint32_t who, vv_time at, vec d);
void vv_check_collision(vv_verifier * v);

/* [V-NEED] Ensures: returns only if the condition holds. */
static inline void need(vv_verifier * v, bool condition, const char * reason)
{
  if (!condition) {vv_refuse(v, reason);}
}

/* [V-UNTIL] Ensures: whether a is not after b. */
static inline bool until(vv_time a, vv_time b)
{
  return a.segment < b.segment || (a.segment == b.segment && a.tick <= b.tick);
}

#endif
