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

#include "geometry/lists.h"

bool vouch_is_union(vouch_kept_t * kept, vouch_list_t list, const vouch_list_t parts[2])
{
  vouch_kept_of(kept, list);
  uint32_t met = 0, in_list = kept->now;
  kept->now += 1;   // the stamp of those that were met
  for (int part = 0; part < 2; ++part) {
    for (uint32_t i = 0; i < parts[part].count; ++i) {
      uint32_t * stamp = &kept->stamp[parts[part].vertices[i]];
      if (*stamp != in_list && *stamp != kept->now) {
        return false;
      }
      met += *stamp == in_list ? 1 : 0;
      *stamp = kept->now;
    }
  }
  return met == list.count;
}

void vouch_list_sort(uint32_t * list, uint32_t count)
{
  for (uint32_t i = 1; i < count; ++i) {
    uint32_t number = list[i], k = i;
    for (; k > 0 && list[k - 1] > number; --k) {
      list[k] = list[k - 1];
    }
    list[k] = number;
  }
}
