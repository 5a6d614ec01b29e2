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

/* What is loaded, how bytes become it, and how anything is refused. Names as in
 * docs/certificate_format.md.
 *
 * Whatever does not hold ends the verification: need() jumps out of it, so that no caller can
 * overlook a refusal, and a line is reached only if all before it held.
 * A type whose comment names bytes begins with the fields of a record of so many bytes. */

/* At least the length of a direction; its length squared as stored; the ticks of a segment; the
 * goals that may wait. */
#define N 0x1.00001p+0
#define UNIT (1.0 + 0x1p-21)
#define ONE (UINT64_C(1) << 44)
#define GOALS ((1u << 19) + 16 * (size_t)v->pair_count)

enum { FIXED, REVOLUTE, PRISMATIC };
enum { BODY, HALF_SPACE, PLANE };

/* 24 bytes. joined: a primitive joins it to a vertex of a lower number. keeper: the last node that
 * kept it. 72 bytes: half-axes. A vertex that has them is the ellipsoid around it, none of whose
 * points is further away than `size`. */
typedef struct { double p[3]; const void * keeper; bool joined; } vertex_t;
typedef struct { double axes[9], size; } round_t;

/* 16 bytes. The hull of a list of vertices, plus a ball of radius `carry`. right = 0: a primitive,
 * a triangle of that solid unless that is 0. Else its hull contains its children: the next node,
 * and `right`. open: at a start nothing else may be within its hull. */
typedef struct { uint32_t right, count, solid, open; const uint32_t * list, * twins; double carry;
  bool claimed; } node_t;

/* 16 bytes: a mixture of four points of a list. 64 bytes: likewise, of their ellipsoids at u. */
typedef struct { float w[3]; uint8_t k[4]; } mixture_t;
typedef struct { double u[3], w[3]; uint32_t k[4]; } point_t;

/* Everything lies within `radius` of vertex 0, no vertex further than `reach` from the origin.
 * Vertices from `plain` on have half-axes. */
typedef struct { vertex_t * vertices; round_t * rounds; node_t * nodes; double radius, reach;
  uint32_t vertex_count, plain, node_count, solids; } geometry_t;

/* 120 bytes. unit: along its axis. depth: how many frames are above. moves: a joint is above it, or
 * its own; else `world` is its pose in frame 0's parent. A body: a geometry in its frame; or all
 * that is not above it (half-space), or neither above nor below (plane), along z. */
typedef struct { double place[7], axis[3], factor, offset; uint32_t parent, joint, variable, kind,
    number, depth; rigid pose, world; vec unit; const geometry_t * geometry; bool moves; } frame_t;

/* 16 bytes. steps: the joints between a and the frame that b is fixed to, from a on, and how far
 * a's points are from their axes at most. deviation: how far tolerances move these points. */
typedef struct { const frame_t * frame; double radius; } step_t;
typedef struct { double margin; uint32_t a, b, count; step_t * steps; double deviation; } pair_t;

/* 8 bytes. most: the largest magnitude. On the span at hand, in the span's own time: |q'|, half of
 * |q''| with kinks, total variation. */
typedef struct { double tolerance, most, speed, bend, variation; } variable_t;

/* 32 bytes: a segment's knots, what reports say at its end, its degree. starts: how many knots up
 * to its first are starts. */
typedef struct { double from, to, seconds; uint32_t degree, starts; const double * b; } segment_t;

/* Times count ticks: segment s begins at s*ONE. early, late: poses of all frames at the ends. */
typedef struct { uint64_t begin, end; const rigid * early, * late; } span_t;

/* A node of a pair's a and one of its b are to be apart by the margin. */
typedef struct { uint32_t pair, node[2]; } goal_t;

/* at, left: the bytes still to be read. span: what is proved now. t_lo: nothing is owed from there
 * on. t_hi, apart: when and how a collision was shown. */
typedef struct vouch_verifier { jmp_buf refused; struct vouch_verify_report * report;
  uint8_t * arena, * loaded, * end; const uint8_t * at; size_t left; uint32_t hash[3][8];
  uint32_t geometry_count, frame_count, pair_count, variable_count, segment_count, goal_count;
  geometry_t * geometries; frame_t * frames; pair_t * pairs; variable_t * variables;
  segment_t * segments; goal_t * goals; span_t span;
  double margin, tolerance, seconds, apart; uint64_t t_lo, t_hi; char robot[128]; } verifier;

/* [V-NEED] Ensures: returns only if the condition holds. */
static void need(verifier * v, bool condition, const char * reason)
{
  if (condition) {return;}
  snprintf(v->report->text, sizeof(v->report->text), "%s (%zu bytes left)", reason, v->left);
  longjmp(v->refused, 1);
}

/* [V-TAKE] Requires: count * size < 2^63. Ensures: memory for count elements, to be set. */
static void * take(verifier * v, size_t count, size_t size)
{
  const size_t bytes = (count * size + 7) / 8 * 8;
  need(v, bytes <= (size_t)(v->end - v->arena), "too much memory is needed");
  v->arena += bytes;
  return v->arena - bytes;
}

/* [V-BYTES] Ensures: the next `length` bytes, which are skipped. */
static const void * bytes(verifier * v, uint64_t length)
{
  v->report->code = length > v->left ? VOUCH_VERIFY_MALFORMED : v->report->code;
  need(v, length <= v->left, "the file is cut");
  v->at += length;
  v->left -= (size_t)length;
  return v->at - length;
}

/* [V-TABLE] Requires: bytes <= size.
 * Ensures:  reads a count and so many records of `record` bytes each, to the fronts of elements of
 *           `size` bytes that are otherwise zero. The first `reals` of a record are finite numbers
 *           within the limit. */
static void * table(
  verifier * v, size_t reals, double limit, size_t record, size_t size, uint32_t * count)
{
  memcpy(count, bytes(v, sizeof(*count)), sizeof(*count));
  const uint8_t * from = bytes(v, *count * (uint64_t)record);
  uint8_t * to = memset(take(v, *count, size), 0, *count * size);
  for (size_t i = 0; i < *count; i++) {
    const double * x = memcpy(to + i * size, from + i * record, record);
    size_t j = 0;
    while (j < reals) {need(v, fabs(x[j++]) <= limit, "a number is too large");}
  }
  return to;
}

/* [V-DIRECTION] Ensures: the next three numbers, |n|^2 <= limit up to rounding.
 * Why:      N^2 > UNIT + 2^-21. */
static vec direction(verifier * v, double limit)
{
  float f[3];
  memcpy(f, bytes(v, sizeof(f)), sizeof(f));
  const double n[3] = {(double)f[0], (double)f[1], (double)f[2]};
  need(v, n[0] * n[0] + n[1] * n[1] + n[2] * n[2] <= limit, "a direction is longer than 1");
  return vector(n);
}
