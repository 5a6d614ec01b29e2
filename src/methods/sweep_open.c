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

/* TRUSTED for coverage: what stretches without a guarantee leave behind.
 *
 * In such a stretch one body may have got inside the other unseen. Behind it the surfaces are
 * proved apart, which keeps outside and inside what they are, so that one containment test at its
 * end decides for the rest: outside, or a collision. Where the test does not decide, the rest of
 * the segment has no guarantee either. */

#include "methods/sweep.h"

void sweep_open_all(sweep_task_t * task)
{
  task->open_count -= task->open_count == SWEEP_MAX_OPEN;
  task->open[task->open_count++] = (vouch_rigid_open_t) {
    .triangle_a = UINT32_MAX, .triangle_b = UINT32_MAX, .near_m = INFINITY, .to = 1.0
  };
}

/// No other open stretch goes on at the end of number i.
static bool ends_here(const sweep_task_t * task, size_t i)
{
  double time = task->open[i].to;
  for (size_t j = 0; j < task->open_count; j++) {
    if (task->open[j].from <= time && task->open[j].to > time) {
      return false;
    }
  }
  return true;
}

/// Some piece that ends at `time`, which is a multiple of 2^-RIGID_MAX_LEVEL.
static const motion_piece_t * piece_before(sweep_task_t * task, double time)
{
  double length = 1.0;
  while (fmod(time, length) != 0.0) {
    length *= 0.5;
  }
  motion_piece_t * piece = &task->room.pieces[0];
  motion_piece_init(piece, task->sweep->segment);
  motion_piece_restrict(piece, &task->room.pieces[task->room.count - 1], time - length, time);
  return piece;
}

void sweep_test_after_open(sweep_task_t * task)
{
  const sweep_t * sweep = task->sweep;
  double last = -1.0;
  for (size_t i = 0; i < task->open_count && !task->hit.valid; i++) {
    double time = task->open[i].to;
    if (time == last) {
      continue;
    }
    last = time;
    const motion_piece_t * piece = piece_before(task, time);
    const static_query_t query = {
      sweep->moving, sweep->fixed, &piece->at[2],
      chord_rounding(piece, sweep->moving, sweep->fixed), 0.0
    };
    static_witness_t witness;
    static_answer_t answer =
      piece->to == time ? static_containment(&query, &witness) : STATIC_UNKNOWN;
    if (answer == STATIC_OVERLAP) {
      task->hit = (sweep_hit_t) {true, false, time, witness, 0.0};
    } else if (answer != STATIC_APART && ends_here(task, i)) {
      task->open[i].to = 1.0;
    }
  }
}
