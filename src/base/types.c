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

/* The few words of include/vouch/types.h that need code. */

#include <stdlib.h>

#include "vouch/types.h"

static void * default_allocate(size_t size, void * state)
{
  (void)state;
  return malloc(size);
}

static void * default_reallocate(void * pointer, size_t size, void * state)
{
  (void)state;
  return realloc(pointer, size);
}

static void default_deallocate(void * pointer, void * state)
{
  (void)state;
  free(pointer);
}

vouch_allocator_t vouch_allocator_default(void)
{
  return (vouch_allocator_t) {
           .allocate = default_allocate,
           .reallocate = default_reallocate,
           .deallocate = default_deallocate,
           .state = NULL,
  };
}

#define AS_TEXT(x) #x
#define VERSION_TEXT(major, minor, patch) AS_TEXT(major) "." AS_TEXT(minor) "." AS_TEXT(patch)

const char * vouch_version(void)
{
  return VERSION_TEXT(VOUCH_VERSION_MAJOR, VOUCH_VERSION_MINOR, VOUCH_VERSION_PATCH);
}

const char * vouch_verdict_name(vouch_verdict_t verdict)
{
  switch (verdict) {
    case VOUCH_FREE: return "FREE";
    case VOUCH_COLLISION: return "COLLISION";
    case VOUCH_INVALID: return "INVALID";
    case VOUCH_UNDECIDED: break;
  }
  return "UNDECIDED";
}

vouch_pose_t vouch_pose_identity(void)
{
  return (vouch_pose_t) {.rotation = {0.0, 0.0, 0.0, 1.0}, .translation = {0.0, 0.0, 0.0}};
}
