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

/* When the search stops on a goal: what stays open, how finely time is cut, and what a contact makes
 * superfluous (UNTRUSTED). */

#ifndef SEARCH__OPEN_H_
#define SEARCH__OPEN_H_

#include "search/search.h"

/// Gives the goal on top up and remembers why.
void search_leave_open(search_t * search, vouch_open_reason_t reason, double distance);
/// The pair is given up: whatever was not looked at yet is open as well.
void search_leave_rest_open(search_t * search, vouch_open_reason_t reason);
/// The goal's interval is as short as it may get.
bool search_is_deep(const search_t * search, const kernel_goal_t * goal);
/// Halves the interval of the goal on top, or leaves it open.
void search_split_time(search_t * search, double distance);
/// A contact was found: stop (false), or move the horizon there and look earlier.
bool search_take_contact(search_t * search, const search_contact_t * contact);

#endif  // SEARCH__OPEN_H_
