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

/* The reproduction of Schroecker and Weber 2014 and of Kim and Rossignac 2003: what its parts
 * share. */

#ifndef PAPERS__PAPERS_H_
#define PAPERS__PAPERS_H_

#include <stdio.h>

#include "methods/fat_test.h"
#include "methods/rigid_body.h"

double papers_now_s(void);
/// Path of a data file or result; prints and exits when it is too long.
const char * papers_path(const char * folder, const char * name, char out[512]);
/// Prints vouch_error() and exits unless ret is OK.
void papers_require(vouch_ret_t ret);

typedef struct listing_result_s
{
  uint64_t tests;      // polygon against fat polygon
  uint32_t depth;
  bool open;           // a sub-motion without a guarantee was left
  double seconds;
} listing_result_t;

/// Listing 1, as printed: mid-point balls, depth-first halving, one test of Listing 2 for each
/// ball, end at
/// R max rho < epsilon. `first` stops at the first sub-motion without a guarantee, as the paper's
/// second example does.
listing_result_t papers_listing_1(
  const fat_face_t * face, const metric_t * metric, const flat_face_t * fixed,
  const vouch_rigid_motion_t * motion, double epsilon, bool first);

int papers_octagons(const char * data, FILE * report);
int papers_squares(const char * data, const char * results, FILE * report);
int papers_screws(const char * data, FILE * report);

#endif  // PAPERS__PAPERS_H_
