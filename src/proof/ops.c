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

#include "proof/ops.h"

proof_op_t proof_op(uint8_t tag)
{
  switch (tag) {
    case PROOF_SPLIT:
      return (proof_op_t) {.size = 1, .children = 2};
    case PROOF_A:
    case PROOF_B:
      return (proof_op_t) {.size = 1, .children = 2, .rays = true};
    case PROOF_ONE_A:
    case PROOF_ONE_B:
      return (proof_op_t) {.size = 1, .children = 1};
    case PROOF_LEAF:
    case PROOF_RAY:
      return (proof_op_t) {.size = 13};
    case PROOF_LEAVES:
      return (proof_op_t) {.size = 25};
    case PROOF_NOTHING:
      return (proof_op_t) {.size = 1};
    default:
      return (proof_op_t) {.size = 0};
  }
}

size_t proof_step_size(const uint8_t * ops, size_t size, size_t at)
{
  if (at >= size || ops[at] == PROOF_RAY) {
    return 0;
  }
  const proof_op_t op = proof_op(ops[at]), ray = proof_op(PROOF_RAY);
  size_t bytes = op.size;
  while (op.rays && bytes < size - at && ops[at + bytes] == PROOF_RAY) {
    bytes += ray.size;
  }
  return bytes <= size - at ? bytes : 0;
}

size_t proof_end(const uint8_t * ops, size_t size, size_t at, proof_walk_t * walk)
{
  for (uint64_t owed = 1; owed > 0; owed--) {   // at most one more than there are bytes
    const size_t bytes = proof_step_size(ops, size, at);
    if (bytes == 0) {
      return SIZE_MAX;
    }
    owed += proof_op(ops[at]).children;
    if (walk != NULL && (ops[at] == PROOF_LEAF || ops[at] == PROOF_LEAVES)) {
      walk->leaves++;
      walk->last = ops + at + 1;
    }
    at += bytes;
  }
  return at;
}
