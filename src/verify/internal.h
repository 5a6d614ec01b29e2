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

/* What is loaded, and the functions of each file. Names as in docs/certificate_format.md.
 *
 * Whatever does not hold is refused by return value: each function that can refuse is bool and
 * returns false, the compiler warns where that is not looked at, and each caller returns false at
 * once. So what a function ensures, it ensures when it returns true. */

#ifndef VERIFY__INTERNAL_H_
#define VERIFY__INTERNAL_H_

#include <stdbool.h>

#include "interval.h"
#include "verify.h"

#define MUST __attribute__((warn_unused_result))

/* At least the length of a direction; its length squared as stored; the ticks of a segment; the
 * goals that may wait; no number; a bound of all that was tested to be finite. */
#define N 0x1.00001p+0
#define UNIT (1.0 + 0x1p-21)
#define ONE (UINT64_C(1) << 44)
#define GOALS ((1u << 19) + 16 * (size_t)v->pair_count)
#define NONE UINT32_MAX
#define FINITE 1e15

enum { FIXED, REVOLUTE, PRISMATIC };
enum { BODY, HALF_SPACE, PLANE, GROUP };
enum { REASON_OWN = 0, REASON_STILL = 1, REASON_PLANES = 11 };

/* joined: a primitive joins it to a vertex of a lower number. keeper: the last node that kept it.
 * Half-axes: a vertex that has them is the ellipsoid around it, none of whose points is further
 * away than `size`. */
typedef struct { double p[3]; const void * keeper; bool joined; } vertex_t;
typedef struct { double axes[9], size; } round_t;

/* The hull of a list of vertices, plus a ball of radius `carry`. right = 0: a primitive, a triangle
 * of that solid unless that is 0. Else its hull contains its children: the next node, and `right`.
 * open: at a start nothing else may be within its hull. within: it, or a node above it, is open. */
typedef struct { uint32_t right, count, solid, open; const uint32_t * list; uint32_t twins[3];
  double carry; bool claimed, within; } node_t;

/* A mixture of four points of a list, of their ellipsoids at u. */
typedef struct { double u[3], w[3]; uint32_t k[4]; } point_t;

/* Everything lies within `radius` of vertex 0, no vertex further than `reach` from the origin.
 * Vertices from `plain` on have half-axes. */
typedef struct { vertex_t * vertices; round_t * rounds; node_t * nodes; double radius, reach;
  uint32_t vertex_count, plain, node_count, solids; } geometry_t;

/* A frame, or a body's own, which is fixed to its parent. unit: along its axis. depth: how many
 * frames are above. held: the frame furthest up to which nothing but fixed joints lead from it.
 * moves: a joint is above it, or its own, and `mover` is its number among those; else `world` is
 * its pose in frame 0. */
typedef struct { double factor, offset; uint32_t parent, joint, variable, depth, held, mover;
  rigid pose, world; vec unit; bool moves; } frame_t;

/* A body, or a group: what pairs name. It rides on `frame`; `pose` is the frame that it is told
 * in: its own, or, of a group, `frame`. A body is a geometry, or all that is not above it
 * (half-space), or neither above nor below (plane), along z. root: the root group above it, or
 * itself. item: its number among the items, NONE if a group is above it. Of a group: right, body
 * and the first thing behind it; everything is in the box, told in `frame`; height: how many groups
 * are beneath one another. leaves: how many bodies are beneath it, the first of which is the one
 * number `order` beneath its root. growth: m/s; a group's is the largest beneath it. */
typedef struct { const geometry_t * geometry; const char * name; vec box; double growth;
  uint32_t kind, frame, pose, root, item, right, body, end, height, order, leaves; } thing_t;

/* A body of a group that a pair does not check, or checks by a pair of its own. */
typedef struct { uint32_t body, reason, order; } skip_t;
typedef struct { uint32_t a, b, reason; } left_t;

/* steps: the joints between a and the frame that b rides on, from a on, and how far a's points are
 * from their axes at most. deviation: how far tolerances move these points. */
typedef struct { const frame_t * frame; double radius; } step_t;
typedef struct { double margin, deviation; uint32_t a, b, skip_count, step_count;
  const skip_t * skips; step_t * steps; } pair_t;

/* most: the largest magnitude. On the span of the number `known`, in the span's own time: |q'|,
 * half of |q''| with kinks, total variation. */
typedef struct { double tolerance, most, speed, bend, variation; uint64_t known; } variable_t;

/* A segment's knots, what reports say at its end, its degree, its coefficients. starts: how many
 * knots up to its first are starts. */
typedef struct { double from, to, seconds; uint32_t degree, starts; const double * b; } segment_t;

/* Times count ticks: segment s begins at s*ONE. before: at a knot, the end of the segment before
 * it, else the beginning of the one after it. */
typedef struct { uint64_t tick; bool before; } moment_t;
typedef struct { uint64_t begin, end; } span_t;

/* A pose that was found, by the check of that number. */
typedef struct { moment_t when; uint64_t check; uint32_t mover; rigid pose; } known_t;

/* A node of a pair's a and one of its b, or groups, are to be apart by the margin. */
typedef struct { uint32_t pair, thing[2], node[2]; } goal_t;

/* at, left: the bytes still to be read. span: what is proved now, the span of number span_count.
 * t_lo: nothing is owed from there on. frames: then those of the bodies; things: bodies, groups. */
typedef struct vouch_verifier { struct vouch_verify_report report, loaded; const uint8_t * at;
  size_t left; uint8_t * arena, * end, hash[4][32]; uint64_t budget, check_count, span_count, t_lo;
  uint32_t geometry_count, frame_count, body_count, group_count, pair_count, left_count, skip_count,
    variable_count, segment_count, goal_count, mover_count, item_count, cache_mask;
  geometry_t * geometries; frame_t * frames; thing_t * things; pair_t * pairs; skip_t * skips;
  left_t * left_out; variable_t * variables; segment_t * segments; goal_t * goals; known_t * cache;
  span_t span; double seconds; const char * robot; } verifier;

/* bytes.c */
MUST bool v_need(verifier * v, bool condition, const char * reason);
MUST bool v_spend(verifier * v, uint64_t steps);
MUST void * v_take(verifier * v, uint64_t count, size_t size);
MUST bool v_bytes(verifier * v, uint64_t length, const uint8_t ** at);
MUST bool v_table(verifier * v, size_t record, uint32_t * count, const uint8_t ** at);
MUST bool v_numbers(verifier * v, const uint8_t ** at, size_t count, double limit, double * to);
MUST bool v_names(verifier * v, uint64_t count, const char ** first);
MUST bool v_direction(verifier * v, double least, double most, vec * n);
uint32_t v_u32(const uint8_t ** at);
uint64_t v_u64(const uint8_t ** at);
double v_f32(const uint8_t ** at);
bool v_zero(const uint8_t * at, size_t size);

/* geometry.c */
MUST bool v_load_geometries(verifier * v);
MUST bool v_mix(
  verifier * v, const geometry_t * g, const node_t * n, const point_t * p, vec * sum);
double v_hull_reach(const geometry_t * g, const node_t * n, vec m);

/* motion.c */
MUST bool v_load_motion(verifier * v);
MUST bool v_pose(verifier * v, uint32_t frame, moment_t when, rigid * pose);
MUST bool v_bound(verifier * v, uint32_t number);
iv v_grown(const verifier * v, const uint32_t things[2], uint64_t tick);

/* scene.c, pairs.c */
MUST bool v_load_scene(verifier * v);
MUST bool v_load_pairs(
  verifier * v, const uint8_t * pairs, const uint8_t * skips, const uint8_t * left_out);
uint32_t v_skipped(const verifier * v, const pair_t * p, uint32_t thing);

/* contact.c */
MUST bool v_winding(
  verifier * v, moment_t when, uint32_t body, uint64_t number, uint32_t other, uint32_t k,
  int64_t * sum);
MUST bool v_check_collision(verifier * v);

/* prove.c */
MUST bool v_prove(verifier * v);

#endif
