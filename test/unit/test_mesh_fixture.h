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

/* Mesh files as texts: parsed, or refused with a sentence. */

#ifndef TEST_MESH_FIXTURE_H_
#define TEST_MESH_FIXTURE_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "read/mesh_file.h"

static inline vouch_ret_t parse(
  const void * data, size_t size, vouch_mesh_format_t format, vouch_mesh_t * m)
{
  *m = vouch_mesh_zero(vouch_allocator_default());
  return vouch_mesh_parse(m, "file", data, size, format);
}

/* The text must be refused, and the sentence must contain `part`. */
static inline void refused(const char * text, vouch_mesh_format_t format, const char * part)
{
  vouch_mesh_t m;
  assert_int_equal(parse(text, strlen(text), format, &m), VOUCH_RET_INVALID);
  if (strstr(vouch_error(), part) == NULL) {
    fail_msg("\"%s\" does not say \"%s\"", vouch_error(), part);
  }
  assert_int_equal(m.triangle_count, 0);
  vouch_mesh_fini(&m);
}

#endif  // TEST_MESH_FIXTURE_H_
