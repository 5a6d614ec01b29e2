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

/* Where a file of a robot description is: package://, file://, absolute and relative paths.
 * A package is, in this order: the directory given for it; a prefix of AMENT_PREFIX_PATH whose
 * resource index lists it; in or beside one of the directories above the description. */

#ifndef READ__RESOURCE_H_
#define READ__RESOURCE_H_

#include "vouch/robot.h"
#include "vouch/types.h"

typedef struct vouch_resource_context_s
{
  vouch_allocator_t allocator;
  const vouch_package_t * packages;   // searched before AMENT_PREFIX_PATH
  size_t package_count;
  const char * base_directory;        // of relative paths; packages are looked for above it; NULL: neither
} vouch_resource_context_t;

/// The path of a file for a URI; *path belongs to the caller (vouch_free). The file itself is not
/// looked at, except that an AMENT prefix counts only if its resource index lists the package.
vouch_ret_t vouch_resource_resolve(
  const vouch_resource_context_t * context, const char * uri, char ** path) VOUCH_WARN_UNUSED;

/// The directory part of a path ("." when there is none); *directory belongs to the caller.
vouch_ret_t vouch_resource_directory(
  const vouch_allocator_t * allocator, const char * path, char ** directory) VOUCH_WARN_UNUSED;

#endif  // READ__RESOURCE_H_
