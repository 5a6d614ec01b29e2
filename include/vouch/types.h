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

/* Words that every other header uses: return codes, verdicts, the allocator, the error text.
 *
 * Two channels, never mixed: vouch_ret_t says whether a call worked, vouch_verdict_t says what is
 * proved. The zero verdict is UNDECIDED, so that forgotten memory never reads as "free". */

#ifndef VOUCH__TYPES_H_
#define VOUCH__TYPES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
  #define VOUCH_PUBLIC
#else
  #define VOUCH_PUBLIC __attribute__((visibility("default")))
#endif

#define VOUCH_WARN_UNUSED __attribute__((warn_unused_result))

#define VOUCH_VERSION_MAJOR 0
#define VOUCH_VERSION_MINOR 1
#define VOUCH_VERSION_PATCH 0

/// Did the call work? Says nothing about collisions.
typedef enum vouch_ret_e
{
  VOUCH_RET_OK = 0,
  /// The input is wrong; vouch_error() names file, line, joint or link and what to do.
  VOUCH_RET_INVALID = 1,
  /// A file could not be opened, read or written.
  VOUCH_RET_IO = 2,
  /// The allocator returned NULL, or a size limit was reached.
  VOUCH_RET_NO_MEMORY = 3,
  /// The input is understood but not supported (named in the error text).
  VOUCH_RET_UNSUPPORTED = 4,
  /// The floating-point environment is not round-to-nearest with denormals: nothing is proved.
  VOUCH_RET_FP_ENVIRONMENT = 5,
  /// A broken promise inside the library. Please report it.
  VOUCH_RET_INTERNAL = 6
} vouch_ret_t;

/// What is proved.
typedef enum vouch_verdict_e
{
  /// Neither proved nor refuted: budget, tolerance or touch. The report says what is open.
  VOUCH_UNDECIDED = 0,
  /// Every checked pair stays more than the margin apart, for all times and all tolerated deviations.
  VOUCH_FREE = 1,
  /// A time, a pair and two points show contact, or a distance below the margin.
  VOUCH_COLLISION = 2,
  /// The input is wrong; nothing was checked.
  VOUCH_INVALID = 3
} vouch_verdict_t;

/// Memory for everything that is created at load time, and for a checker's workspace. Only what
/// checkers find out about shapes and share, whoever was first, is from malloc.
typedef struct vouch_allocator_s
{
  void * (*allocate)(size_t size, void * state);
  void * (*reallocate)(void * pointer, size_t size, void * state);
  void (* deallocate)(void * pointer, void * state);
  void * state;
} vouch_allocator_t;

/* Options begin with struct_size and allocator: start from vouch_..._options_default(), or give NULL.
 * Options of another size, or without an allocator, are INVALID: none of them is passed over. */

/// malloc, realloc, free.
VOUCH_PUBLIC vouch_allocator_t vouch_allocator_default(void);

/// The sentence that belongs to the last failed call of this thread; never NULL, "" if none.
VOUCH_PUBLIC const char * vouch_error(void);

/// "0.1.0"
VOUCH_PUBLIC const char * vouch_version(void);

/// "FREE", "COLLISION", "UNDECIDED", "INVALID".
VOUCH_PUBLIC const char * vouch_verdict_name(vouch_verdict_t verdict);

/// A rotation as quaternion (x, y, z, w), then a translation in metres.
/// The rotation that is meant is the exact one of q/|q|.
typedef struct vouch_pose_s
{
  double rotation[4];
  double translation[3];
} vouch_pose_t;

VOUCH_PUBLIC vouch_pose_t vouch_pose_identity(void);

#ifdef __cplusplus
}
#endif

#endif  // VOUCH__TYPES_H_
