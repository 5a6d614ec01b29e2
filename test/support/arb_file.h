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

/* Problem and certificate files as they stand (docs/certificate_format.md, version 3): plain
 * numbers, and where in the file each of them is. Written from the format's description alone;
 * neither the producer nor the verifier is used (arb_file.c). It refuses files that are cut,
 * numbers of things that do not exist and numbers beyond their limits; the scene's tables must name
 * every two items once, as the description says (arb_scene.c). In which order lists stand, and twins
 * of which there could be others, does not matter to the judge. */

#ifndef SUPPORT__ARB_FILE_H_
#define SUPPORT__ARB_FILE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARB_ONE (UINT64_C(1) << 44)      // ticks of a segment
#define ARB_PROBLEM_HEAD 12              // magic and version, of both files
#define ARB_PART_HEAD 12                 // tag and length
#define ARB_HASHES 16                    // of a certificate: after its kind
#define ARB_PARTS 4
#define ARB_T_LO (ARB_HASHES + 32 * ARB_PARTS)
#define ARB_WITNESS (ARB_T_LO + 8)       // or the ops
#define ARB_WITNESS_POINTS (ARB_WITNESS + 40)   // their number
#define ARB_VARIABLE 16                  // bytes of the records of tables
#define ARB_FRAME 112
#define ARB_BODY_RECORD 80
#define ARB_GROUP 8
#define ARB_PAIR 24
#define ARB_SKIP 8
#define ARB_LEFT_OUT 12
#define ARB_POINT 64
#define ARB_NONE UINT32_MAX

enum { ARB_FIXED, ARB_REVOLUTE, ARB_PRISMATIC };
enum { ARB_BODY, ARB_HALF_SPACE, ARB_PLANE };
enum { ARB_OWN_PAIR = 0, ARB_RIGID = 1, ARB_ASKED = 10, ARB_TWO_PLANES = 11 };   // reasons

typedef struct arb_node_s
{
  uint32_t right, count, solid, open;
  uint32_t * list;
  uint32_t listed;          // how many of its list the file names: all, or none
  uint32_t witness_count;
  size_t list_at, twins_at, witnesses_at;
} arb_node_t;

typedef struct arb_geometry_s
{
  uint32_t vertex_count, round_count, node_count;
  double (*vertices)[3];
  double (*rounds)[9];        // of the last vertices
  arb_node_t * nodes;
  size_t vertices_at, rounds_at, nodes_at;
} arb_geometry_t;

typedef struct arb_segment_s
{
  double from, to, seconds;
  uint32_t degree;
  const double * b;           // variable after variable, degree + 1 each
} arb_segment_t;

typedef struct arb_frame_s
{
  double pose[7], axis[3], multiplier, offset;
  uint32_t parent, joint, variable, zero;
} arb_frame_t;

typedef struct arb_body_s
{
  double placement[7];
  double growth;
  uint32_t frame, kind, geometry, zero;
} arb_body_t;

typedef struct arb_group_s
{
  uint32_t right, body;
  uint32_t end;               // the number behind the last one beneath it
  uint32_t depth;             // how many are above it
  uint32_t root;              // of its tree
  uint32_t frame;             // that all of its bodies ride on
} arb_group_t;

typedef struct arb_skip_s
{
  uint32_t body, reason;
} arb_skip_t;

typedef struct arb_pair_s
{
  double margin;
  uint32_t a, b, skip_count;
  bool own;                   // of a skipped body
  const arb_skip_t * skips;
} arb_pair_t;

typedef struct arb_left_out_s
{
  uint32_t a, b, reason;
} arb_left_out_t;

typedef struct arb_file_s
{
  void * blocks;              // all memory
  const char * reason;        // why it was refused
  const uint8_t * data;       // what was read
  size_t body[ARB_PARTS], length[ARB_PARTS];   // geometry, motion, scene, sources
  double seconds;             // at the first knot
  uint32_t geometry_count, variable_count, segment_count;
  uint32_t frame_count, body_count, group_count, pair_count, skip_count, left_out_count;
  arb_geometry_t * geometries;
  double * tolerances;
  arb_segment_t * segments;
  double * coefficients;
  uint32_t coefficient_count;
  arb_frame_t * frames;
  arb_body_t * bodies;
  arb_group_t * groups;
  arb_pair_t * pairs;
  arb_skip_t * skips;
  arb_left_out_t * left_out;
  size_t tolerances_at, segments_at, coefficients_at;
  size_t frames_at, bodies_at, groups_at, pairs_at, skips_at, left_out_at;
} arb_file_t;

typedef struct arb_point_s
{
  double u[3], weight[3];
  uint32_t position[4];
} arb_point_t;

typedef struct arb_proof_s
{
  uint32_t kind;              // 1 FREE, 2 COLLISION
  uint8_t hashes[32 * ARB_PARTS];
  uint64_t t_lo, t_hi;
  uint32_t pair, body[2], part[2], side, solid, before;
  uint32_t point_count;       // 8, or 0: a ray
  arb_point_t points[8];
  float ray[3];
  const uint8_t * ops;        // to the end
  size_t ops_at, ops_size;
} arb_proof_t;

/// False: *file says why, and needs no arb_file_free().
bool arb_file_read(arb_file_t * file, const void * data, size_t size);
void arb_file_free(arb_file_t * file);
/// The ops stay where they are. NULL, or why it was refused.
const char * arb_proof_read(arb_proof_t * proof, const void * data, size_t size);

/// NULL, or why the tables of frames, bodies, groups, pairs and what is left out are not as they
/// must be. Sets what is found out about groups.
const char * arb_scene_refuses(arb_file_t * file);
/// A number that names a group: which; ARB_NONE: it names a body, or nothing.
uint32_t arb_group_of(const arb_file_t * file, uint32_t thing);
/// The frame that a body, or every body of a group, rides on.
uint32_t arb_frame_of(const arb_file_t * file, uint32_t thing);
/// Whether any body beneath a group is checked by the pair.
bool arb_is_checked(const arb_file_t * file, const arb_pair_t * pair, uint32_t group);
/// Whether the pair checks that body on its side: it is what the pair names, or of that group.
bool arb_checks_body(const arb_file_t * file, const arb_pair_t * pair, int side, uint32_t body);
/// Whether anything is checked by the pair.
bool arb_checks_any(const arb_file_t * file, const arb_pair_t * pair);

/// How many bytes an op has, its tag included; 1 for unknown ones.
size_t arb_op_size(uint8_t tag);

/// The coefficients of a variable on a segment.
const double * arb_coefficients(const arb_file_t * file, uint64_t segment, uint32_t variable);
/// A knot where a motion starts: the first, and those where a value differs in any bit.
bool arb_is_start(const arb_file_t * file, uint64_t knot);

#endif  // SUPPORT__ARB_FILE_H_
