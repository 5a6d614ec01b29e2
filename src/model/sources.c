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
#include "model/sources.h"

#include <string.h>

#include "base/sha256.h"

static bool is_same(const vouch_source_t * a, const vouch_source_t * b)
{
  return memcmp(a->hash, b->hash, sizeof(a->hash)) == 0 && strcmp(a->role, b->role) == 0 &&
         strcmp(a->name, b->name) == 0;
}

/// A copy of one, at the end.
static vouch_ret_t push(vouch_sources_t * sources, const vouch_source_t * source)
{
  for (size_t i = 0; i < sources->count; ++i) {
    if (is_same(&sources->items[i], source)) {
      return VOUCH_RET_OK;
    }
  }
  if (!vouch_grow(
      &sources->allocator, &sources->items, sources->count, &sources->capacity,
      sizeof(*sources->items)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  vouch_source_t * copy = &sources->items[sources->count];
  *copy = *source;
  copy->role = vouch_strdup(&sources->allocator, source->role);
  copy->name = vouch_strdup(&sources->allocator, source->name);
  if (copy->role == NULL || copy->name == NULL) {
    vouch_free(&sources->allocator, copy->role);
    vouch_free(&sources->allocator, copy->name);
    return VOUCH_RET_NO_MEMORY;
  }
  sources->count++;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_sources_note(
  vouch_sources_t * sources, const char * role, const char * path, const void * data, size_t size)
{
  // The last part only: the same files in another place make the same problem.
  const char * slash = strrchr(path, '/');
  vouch_source_t source = {
    .role = (char *)role, .name = (char *)(slash == NULL ? path : slash + 1)   // copied by push()
  };
  vouch_sha256(data, size, source.hash);
  return push(sources, &source);
}

vouch_ret_t vouch_sources_append(vouch_sources_t * sources, const vouch_sources_t * more)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < more->count; ++i) {
    ret = push(sources, &more->items[i]);
  }
  return ret;
}

void vouch_sources_clear(vouch_sources_t * sources)
{
  for (size_t i = 0; i < sources->count; ++i) {
    vouch_free(&sources->allocator, sources->items[i].role);
    vouch_free(&sources->allocator, sources->items[i].name);
  }
  sources->count = 0;
}

void vouch_sources_fini(vouch_sources_t * sources)
{
  vouch_sources_clear(sources);
  vouch_free(&sources->allocator, sources->items);
  *sources = (vouch_sources_t) {.allocator = sources->allocator};
}
