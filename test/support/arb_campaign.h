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

/* The kernel and its proofs against ball arithmetic of 128 bits. Used by the short and by the long
 * test; only where Arb was found. */

#ifndef SUPPORT__ARB_CAMPAIGN_H_
#define SUPPORT__ARB_CAMPAIGN_H_

#include <stdint.h>

#ifdef VOUCH_HAVE_ARB
#include "kernel/timeline.h"
#include "support/arb_checker.h"

/// An interval of the kernel as the file has it.
arb_span_t arb_campaign_span(const kernel_interval_t * interval);
#endif

typedef struct arb_tally_s
{
  uint64_t problems, free, leaves;     // whole problems; FREE ones, all re-checked
  uint64_t gaps, rounding_seen;        // gaps; how many would be wrong without the rounding bound
  uint64_t bounds;                     // C and l
  uint64_t radii;                      // distances from joint axes, sampled
  uint64_t wrong;
} arb_tally_t;

/// Random whole problems: every FREE is re-checked, and the kernel's gaps, C, l and radii on
/// random intervals are compared. Prints what is wrong with its seed.
void arb_campaign(uint64_t seed, uint64_t count, arb_tally_t * tally);
void arb_campaign_print(const arb_tally_t * tally);

#endif  // SUPPORT__ARB_CAMPAIGN_H_
