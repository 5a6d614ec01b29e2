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

/* Disjoint sets of numbers: parent[i] == i where i stands for its set. Private to geometry/. */

#ifndef GEOMETRY__SETS_H_
#define GEOMETRY__SETS_H_

#include <stdint.h>

/// The number that stands for i's set.
static inline uint32_t vouch_set_of(uint32_t * parent, uint32_t i)
{
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

/// Makes one set of two; the smaller number stands for it.
static inline void vouch_sets_unite(uint32_t * parent, uint32_t a, uint32_t b)
{
  a = vouch_set_of(parent, a);
  b = vouch_set_of(parent, b);
  if (a < b) {
    parent[b] = a;
  } else {
    parent[a] = b;
  }
}

#endif  // GEOMETRY__SETS_H_
