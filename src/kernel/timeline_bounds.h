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

/* Bounds of the joint variables on an interval (L5, L10). Used by kernel/timeline.c only. */

#ifndef KERNEL__TIMELINE_BOUNDS_H_
#define KERNEL__TIMELINE_BOUNDS_H_

#include "kernel/timeline.h"

/// Value of a variable at an exact fraction of a segment. Error <= 16u max|b| (de Casteljau).
double kernel_bounds_value(
  const vouch_motion_part_t * motion, uint32_t segment, uint32_t variable, double fraction);

/// A run of whole segments (or one): rates per unit of the common time, kinks added.
void kernel_bounds_run(kernel_timeline_t * timeline, uint32_t interval);
/// The same from its two halves, before they are finished.
void kernel_bounds_join(kernel_timeline_t * timeline, uint32_t interval);
/// From rates to the interval's own time, once for every run and whole segment that is looked at.
void kernel_bounds_finish(kernel_timeline_t * timeline, uint32_t interval);
/// Both halves of a single-segment interval, by de Casteljau.
void kernel_bounds_halve(kernel_timeline_t * timeline, uint32_t interval);

#endif  // KERNEL__TIMELINE_BOUNDS_H_
