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

/* What a proof under way is made of: for src/kernel/ alone. TRUSTED. */

#ifndef KERNEL__INSIDE_H_
#define KERNEL__INSIDE_H_

#include "kernel/proof.h"

/// What the steps are written to: those of the view.
typedef struct kernel_buffers_s
{
  uint8_t * ops;
  kernel_mark_t * marks;
  kernel_stretch_t * stretches;
  size_t ops_capacity, mark_capacity;
  uint32_t stretch_capacity;
} kernel_buffers_t;

void kernel_buffers_fini(kernel_buffers_t * buffers, const vouch_allocator_t * allocator);

struct kernel_proof_s
{
  kernel_view_t v;             // first: what others look at
  vouch_allocator_t allocator;
  bool proved_free;            // KERNEL_MODE_CLEARANCE: and so was this motion, open meshes included
  bool record;                 // write ops
  bool recorded;               // the steps of every pair since this check began
  bool fp_checked;             // floating-point environment was right when this check began
  bool plain;                  // A's pose in the frame of B is that of A's frame
  bool opened_at_root;
  kernel_buffers_t buffers;
  size_t base;                 // where the steps of the open pair begin
  uint32_t open_mark;          // the last one whose goal is not closed, from 1; 0: none
  bool marks_failed;           // memory ran out: they are incomplete
  uint64_t timeline_of[2];     // the numbers of the motion and the frames that it was made for
  double(*weights)[2];         // per interval: of some chains' joints, most_joints + 1 each
  uint32_t weights_capacity;
  uint64_t chain_keys, next_key;   // this check's chains are chain_keys + number; none is used twice
  rigid_t * relative;          // per configuration: pose of A in the frame of B
  uint32_t * relative_of;      // the open pair (its serial) whose that is
};

/// [L8] What is owed when the goal leaves two root nodes at a start; writes the rays.
kernel_step_result_t kernel_start_containment(kernel_proof_t * proof, const kernel_goal_t * goal);
/// Puts bytes at the end of the steps, if they are recorded.
void kernel_write(kernel_proof_t * proof, const void * data, size_t size);
/// The steps that are written next are about the goal on top, which is against a group.
void kernel_mark(kernel_proof_t * proof);
/// Room for every pair of the scene; nothing is proved.
vouch_ret_t kernel_begin_stretches(kernel_proof_t * proof) VOUCH_WARN_UNUSED;
/// The steps of the open pair begin here.
void kernel_begin_stretch(kernel_proof_t * proof);
/// A leaf with a direction, a ray.
void kernel_write_record(kernel_proof_t * proof, proof_tag_t tag, const float values[3]);
/// The direction as the certificate stores it; false when it is too long.
bool kernel_store_direction(vec3_t n, float stored[3], vec3_t * used);

#endif  // KERNEL__INSIDE_H_
