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

/* From two primitives that do not come apart to a contact that can be shown (UNTRUSTED finder; the
 * facts it reports were decided by kernel/contact.h). */

#ifndef SEARCH__CONTACT_H_
#define SEARCH__CONTACT_H_

#include "search/search.h"

/// Nothing lies below the goal's node of A, of B.
static inline bool search_childless_a(const kernel_proof_t * proof, const kernel_goal_t * goal)
{
  return kernel_geometry_a(proof)->nodes[goal->a].left == 0;
}
static inline bool search_childless_b(const kernel_proof_t * proof, const kernel_goal_t * goal)
{
  return goal->body_b != VOUCH_NONE && kernel_geometry_b(proof, goal)->nodes[goal->b].left == 0;
}

/// begin (0), middle (1) or end (2) of an interval.
search_time_t search_interval_time(
  const kernel_timeline_t * timeline, uint32_t interval, int halves);

/// Two childless nodes at `poses`: fills the contact (kind NONE if there is none that is definite)
/// and returns an upper bound of their distance. In SEARCH_CLEARANCE it updates the upper bound.
double search_primitives(
  search_t * search, const kernel_goal_t * goal, const rigid_t * poses, search_time_t time,
  search_contact_t * contact);

/// A node against a plane or half-space at the middle; returns the distance (negative: through it).
double search_plane(
  search_t * search, const kernel_goal_t * goal, const rigid_t * poses,
  search_contact_t * contact);

/// The contact of KERNEL_CONTAINED.
search_contact_t search_contained(search_t * search, const kernel_goal_t * goal);

/// Metres that must remain at that time: margin, what has grown by then, and tolerances.
double search_remains(const search_t * search, const kernel_goal_t * goal, search_time_t time);

#endif  // SEARCH__CONTACT_H_
