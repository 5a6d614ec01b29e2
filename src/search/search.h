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

/* The search for proofs and for contacts (UNTRUSTED): looks at the kernel's goal on top and chooses
 * the next step. It may be wrong in any way and only costs time.
 *
 * Rules, in this order (measured in docs/performance.md): if the bend C is hopeless against the
 * distance of A's centre from B's box, split time and forget the direction; the direction that
 * these two nodes had the last time, the inherited one, or else that from A's centre to B's box; a
 * direction from alternating clamps between the boxes; GJK at the middle, no longer than it takes to
 * see whether the bend leaves something of the distance; then, hulls apart there: split time;
 * overlapping: descend into the bigger one once C < 2 * radius, else split time. Nodes that
 * overlapped the last time, and whose boxes do now, are taken to overlap without GJK, unless they
 * are two primitives: hulls of neighbouring links do so most of the time. */

#ifndef SEARCH__SEARCH_H_
#define SEARCH__SEARCH_H_

#include <stdatomic.h>

#include "kernel/proof.h"
#include "search/gjk.h"
#include "vouch/check.h"

/// A place in time: an exact dyadic fraction of a segment.
typedef struct search_time_s
{
  uint32_t segment;
  uint64_t numerator;
  uint32_t depth;
} search_time_t;

double search_time_fraction(search_time_t time);
/// Sign of a - b.
int search_time_compare(search_time_t a, search_time_t b);

typedef enum search_shown_e
{
  SEARCH_SHOWN_OVERLAP = 1,       // four pairs of points (a_i, b_i) in the primitives
  SEARCH_SHOWN_MARGIN = 2,        // one pair
  SEARCH_SHOWN_CONTAINMENT = 3,
  SEARCH_SHOWN_PLANE = 4
} search_shown_t;

/// A contact or margin violation at one configuration, with what shows it.
typedef struct search_contact_s
{
  vouch_contact_kind_t kind;
  search_shown_t shown;
  uint32_t pair, body_a, body_b;
  search_time_t time;
  vec3_t point_a, point_b;     // root frame
  double depth;
  uint32_t primitive_a, primitive_b;
  vec3_t points_a[4], points_b[4];   // in the geometries' frames
  kernel_contained_t contained;
} search_contact_t;

typedef struct search_open_s
{
  uint32_t pair;
  uint32_t body_a, body_b;     // body_b VOUCH_NONE: several obstacles
  double begin_s, end_s, distance;
  vouch_open_reason_t reason;
} search_open_t;

#define SEARCH_MAX_OPEN 64

/// What came of two nodes the last time, at another interval of the same pair.
typedef struct search_seen_s
{
  uint32_t serial, a, b, body_b;   // whose it is; the serial is that of the open pair
  bool overlap;
  vec3_t n;                        // the direction that closed the goal, or came nearest to it
} search_seen_t;

/// A power of two.
#define SEARCH_SEEN 512u

typedef enum search_mode_e
{
  SEARCH_PROVE = 0,       // stop at the first contact that turns up
  SEARCH_FIRST = 1,       // keep going: the earliest contact over all pairs
  SEARCH_CLEARANCE = 2    // smallest distance
} search_mode_t;

typedef struct search_s
{
  kernel_proof_t * proof;
  search_mode_t mode;
  vouch_method_t method;
  uint32_t max_depth;
  search_seen_t * seen;        // SEARCH_SEEN of them
  /* stop */
  bool has_deadline;
  int64_t deadline_ns;         // CLOCK_MONOTONIC
  const atomic_bool * cancel;  // may be NULL
  uint32_t polls;
  uint32_t floor;              // goals at or below this height of the stack are left alone
  double taken_by_a;           // what the pair's A takes of the distance of its centre, about
  bool stopped;                // deadline or cancel
  bool cancelled;              // it was cancel
  /* results */
  bool has_contact;
  search_contact_t contact;
  search_open_t * open;        // SEARCH_MAX_OPEN of them
  size_t open_entries;         // neighbours are one; may be larger than what is stored
  size_t open_count;           // intervals that were left open
  size_t open_before;          // how many of them belong to earlier pairs
  bool has_stuck;              // begin of the earliest interval that could not be closed
  search_time_t stuck;
  uint32_t pair_serial;        // the same of the open pair alone, whose serial this is
  search_time_t pair_stuck;
  /* SEARCH_CLEARANCE */
  double upper, resolution;
  uint32_t upper_pair, upper_body_b;
  search_time_t upper_time;
  vec3_t upper_a, upper_b;     // root frame
  uint64_t distance_queries;
} search_t;

typedef enum search_outcome_e
{
  SEARCH_PROVED = 0,
  SEARCH_CONTACT = 1,
  SEARCH_OPEN = 2,       // something stayed open (see open)
  SEARCH_STOPPED = 3
} search_outcome_t;

/// Works on one pair until it is proved, refuted, open or stopped.
search_outcome_t search_pair(search_t * search, uint32_t pair);

/// SEARCH_FIRST: nothing after this contact needs to be looked at.
void search_start_first(search_t * search, const search_contact_t * contact);

/// From A's centre, half-way between the ends, where the chord test sees it, to B's box. Requires:
/// kernel_know_ends(), and B is a body with a geometry.
vec3_t search_toward_box(const kernel_proof_t * proof, const kernel_goal_t * goal);

/// Works on what the kernel has open now, down to the floor.
search_outcome_t search_goals(search_t * search);

/// True when the deadline has passed or the search was cancelled. Called every few microseconds.
bool search_poll(search_t * search);

/// Smallest distance of a pair of bodies at given poses; for clearance starts and static pairs.
/// Updates search->upper and its record when it finds less.
void search_distance_at(
  search_t * search, uint32_t pair, const rigid_t * poses, search_time_t time);

/// Looks for a contact of a pair of bodies at given poses, the deepest places first, and gives up
/// after a while. True: it is one.
bool search_contact_at(
  search_t * search, uint32_t pair, const rigid_t * poses, search_time_t time,
  search_contact_t * contact);

#endif  // SEARCH__SEARCH_H_
