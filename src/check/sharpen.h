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

/* A sharper first contact where a single joint moves (UNTRUSTED: it only proposes a time). */

#ifndef CHECK__SHARPEN_H_
#define CHECK__SHARPEN_H_

#include "check/checker.h"

/// The bracket [free_until, contact] of the last search lies in one segment, in which one joint
/// between the two bodies moves: a screw. Its root is looked for an overlap that can be shown, and the contact
/// moved there. Returns the depth of halving at which rounding is as large as what the bodies move
/// by, or 0 when nothing was found.
uint32_t check_sharpen(vouch_checker_t * checker, search_t * search);

#endif  // CHECK__SHARPEN_H_
