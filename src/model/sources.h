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
/* Which files a robot or a scene was made from. */

#ifndef MODEL__SOURCES_H_
#define MODEL__SOURCES_H_

#include "base/memory.h"
#include "model/problem.h"

/// A growing list; all zero but the allocator is empty.
typedef struct vouch_sources_s
{
  vouch_allocator_t allocator;
  vouch_source_t * items;
  size_t count, capacity;
} vouch_sources_t;

/// Notes a file: its role ("robot", "srdf", "mesh", "scene"), the last part of its path, the SHA-256
/// of what was read. The same file in the same role is noted once.
vouch_ret_t vouch_sources_note(
  vouch_sources_t * sources, const char * role, const char * path, const void * data,
  size_t size) VOUCH_WARN_UNUSED;
/// Appends those of another list.
vouch_ret_t vouch_sources_append(
  vouch_sources_t * sources, const vouch_sources_t * more) VOUCH_WARN_UNUSED;
void vouch_sources_clear(vouch_sources_t * sources);
void vouch_sources_fini(vouch_sources_t * sources);

#endif  // MODEL__SOURCES_H_
