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

#if !defined(_GNU_SOURCE)
  #define _GNU_SOURCE   // O_CLOEXEC, O_NOFOLLOW
#endif

#include "read/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/error.h"

/* An entry, little-endian:
 *   8   "VOUCHGEO"
 *   4   version
 *   32  key
 *   48  facts: triangles, solids, surfaces, open, convex (u64), extent (f64)
 *   32  SHA-256 of the encoded geometry
 *   32  SHA-256 of all the bytes before
 *   then the encoded geometry */
enum {SEALED_SIZE = 8 + 4 + 32 + 48 + 32, ENTRY_HEADER = SEALED_SIZE + 32};

static const char entry_magic[8] = {'V', 'O', 'U', 'C', 'H', 'G', 'E', 'O'};

const char * vouch_cache_directory(const char * wanted, char * buffer, size_t size)
{
  if (wanted != NULL && wanted[0] != '\0') {
    return strcmp(wanted, "off") == 0 ? NULL : wanted;
  }
  const char * base = getenv("XDG_CACHE_HOME");
  const char * middle = "";
  if (base == NULL || base[0] != '/') {
    base = getenv("HOME");
    middle = "/.cache";
  }
  if (base == NULL || base[0] != '/') {
    return NULL;
  }
  int length = snprintf(buffer, size, "%s%s/vouch", base, middle);
  return length > 0 && (size_t)length < size ? buffer : NULL;
}

void vouch_cache_key_begin(vouch_sha256_t * hash, bool hulls, bool surfaces)
{
  const uint8_t head[4] = {VOUCH_CACHE_VERSION, hulls, surfaces, 0};
  vouch_sha256_init(hash);
  vouch_sha256_update(hash, entry_magic, sizeof(entry_magic));
  vouch_sha256_update(hash, vouch_version(), strlen(vouch_version()) + 1);
  vouch_sha256_update(hash, head, sizeof(head));
}

static bool entry_path(
  const vouch_allocator_t * allocator, const char * directory, const uint8_t key[32],
  vouch_text_t * path)
{
  char hex[65];
  vouch_sha256_hex(key, hex);
  *path = (vouch_text_t) {.allocator = *allocator};
  vouch_text_append(path, "%s/%s.vouchgeo", directory, hex);
  return !path->failed;
}

/* ---- whose it is ---- */

/* Group and others: whoever may write can give the robot another shape. */
static bool others_may_write(const struct stat * status)
{
  return (status->st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

vouch_ret_t vouch_cache_check(const char * directory)
{
  struct stat status;
  if (stat(directory, &status) != 0) {
    return VOUCH_RET_OK;   // it will be made, or cannot be
  }
  if (S_ISDIR(status.st_mode) && status.st_uid != geteuid()) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the geometry cache %s belongs to another user (number %lu) and is not "
      "used; name one of your own", directory, (unsigned long)status.st_uid);
  }
  if (S_ISDIR(status.st_mode) && others_may_write(&status)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "others may write to the geometry cache %s (mode %03o), so it is not used: "
      "remove it, or empty it and make it yours alone (chmod 700)", directory,
      (unsigned)(status.st_mode & 0777));
  }
  return VOUCH_RET_OK;
}

/* An entry that somebody else wrote, or may have written, is none. */
static int open_entry(const char * path)
{
  struct stat status;
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor >= 0 && (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
    status.st_uid != geteuid() || others_may_write(&status)))
  {
    (void)close(descriptor);
    descriptor = -1;
  }
  return descriptor;
}

/* ---- reading ---- */

static bool read_header(
  const char * data, size_t size, const uint8_t key[32], vouch_link_geometry_t * built)
{
  vouch_bytes_t in = vouch_bytes_reader(data, size);
  const uint8_t * magic = vouch_bytes_take(&in, sizeof(entry_magic));
  uint32_t version = vouch_bytes_get_u32(&in);
  const uint8_t * its_key = vouch_bytes_take(&in, 32);
  size_t * const counts[5] = {
    &built->facts.triangles, &built->facts.solids, &built->facts.surfaces, &built->facts.open,
    &built->facts.convex
  };
  for (size_t i = 0; i < 5; ++i) {
    *counts[i] = (size_t)vouch_bytes_get_u64(&in);
  }
  vouch_bytes_get_f64(&in, &built->facts.extent, 1);
  const uint8_t * digest = vouch_bytes_take(&in, 32);
  const uint8_t * seal = vouch_bytes_take(&in, 32);
  if (in.failed || memcmp(magic, entry_magic, sizeof(entry_magic)) != 0 ||
    version != VOUCH_CACHE_VERSION || memcmp(its_key, key, 32) != 0 ||
    !isfinite(built->facts.extent))
  {
    return false;
  }
  uint8_t expected[32];
  vouch_sha256(data, SEALED_SIZE, expected);
  memcpy(built->digest, digest, 32);
  return memcmp(expected, seal, 32) == 0;
}

static bool read_entry(
  const char * data, size_t size, const uint8_t key[32], vouch_link_geometry_t * built)
{
  if (!read_header(data, size, key, built)) {
    return false;
  }
  const char * body = data + ENTRY_HEADER;
  size_t body_size = size - ENTRY_HEADER;
  uint8_t digest[32];
  vouch_sha256(body, body_size, digest);
  if (memcmp(digest, built->digest, 32) != 0) {
    return false;
  }
  size_t used = 0;
  built->geometry = vouch_arena_calloc(&built->arena, 1, sizeof(*built->geometry));
  return built->geometry != NULL &&
         vouch_geometry_decode(built->geometry, &built->arena, body, body_size, &used) ==
         VOUCH_RET_OK && used == body_size;
}

vouch_ret_t vouch_cache_load(
  const char * directory, const uint8_t key[32], vouch_allocator_t allocator,
  vouch_link_geometry_t * built, bool * found)
{
  *found = false;
  *built = (vouch_link_geometry_t) {.arena = {.allocator = allocator}};
  vouch_text_t path;
  if (!entry_path(&allocator, directory, key, &path)) {
    vouch_text_fini(&path);
    return VOUCH_RET_NO_MEMORY;
  }
  char * data = NULL;
  size_t size = 0;
  const int descriptor = open_entry(path.data);
  if (descriptor >= 0 &&
    vouch_file_read_open(&allocator, descriptor, path.data, 0, &data, &size) == VOUCH_RET_OK)
  {
    *found = read_entry(data, size, key, built);
  }
  vouch_text_fini(&path);
  vouch_free(&allocator, data);
  if (!*found) {
    // Absent, damaged, another's, or no memory to look: the geometry is built as if there were no cache.
    vouch_arena_fini(&built->arena);
    *built = (vouch_link_geometry_t) {.arena = {.allocator = allocator}};
    vouch_error_reset();
  }
  return VOUCH_RET_OK;
}

/* ---- writing ---- */

/* mkdir -p; what is made is the user's alone. */
static bool make_directories(char * path)
{
  for (char * p = path + 1; *p != '\0'; ++p) {
    if (*p == '/') {
      *p = '\0';
      (void)mkdir(path, 0700);   // what is wrong shows at the last one
      *p = '/';
    }
  }
  return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static vouch_ret_t write_entry(
  const char * directory, const uint8_t key[32], const vouch_text_t * entry)
{
  vouch_text_t path = {.allocator = entry->allocator};
  vouch_text_append(&path, "%s", directory);
  vouch_ret_t ret = VOUCH_RET_NO_MEMORY;
  if (!path.failed) {
    ret = make_directories(path.data) ? VOUCH_RET_OK :
      vouch_fail(VOUCH_RET_IO, "cannot make the directory %s: %s", directory, strerror(errno));
  }
  vouch_text_fini(&path);
  if (ret == VOUCH_RET_OK && !entry_path(&entry->allocator, directory, key, &path)) {
    ret = VOUCH_RET_NO_MEMORY;
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_file_write(path.data, entry->data, entry->size);
  }
  if (ret == VOUCH_RET_OK) {
    (void)chmod(path.data, 0600);   // where it fails, the entry is not believed
  }
  vouch_text_fini(&path);
  return ret;
}

vouch_ret_t vouch_cache_store(
  const char * directory, const uint8_t key[32], const vouch_link_geometry_t * built,
  const vouch_text_t * encoded)
{
  vouch_text_t entry = {.allocator = encoded->allocator};
  const vouch_geometry_facts_t * facts = &built->facts;
  vouch_text_append_bytes(&entry, entry_magic, sizeof(entry_magic));
  vouch_bytes_put_u32(&entry, VOUCH_CACHE_VERSION);
  vouch_text_append_bytes(&entry, key, 32);
  vouch_bytes_put_u64(&entry, facts->triangles);
  vouch_bytes_put_u64(&entry, facts->solids);
  vouch_bytes_put_u64(&entry, facts->surfaces);
  vouch_bytes_put_u64(&entry, facts->open);
  vouch_bytes_put_u64(&entry, facts->convex);
  vouch_bytes_put_f64(&entry, &facts->extent, 1);
  vouch_text_append_bytes(&entry, built->digest, 32);
  vouch_ret_t ret = VOUCH_RET_NO_MEMORY;
  if (!entry.failed) {
    uint8_t seal[32];
    vouch_sha256(entry.data, entry.size, seal);
    vouch_text_append_bytes(&entry, seal, 32);
    vouch_text_append_bytes(&entry, encoded->data, encoded->size);
  }
  if (!entry.failed) {
    ret = write_entry(directory, key, &entry);
  }
  vouch_text_fini(&entry);
  return ret;
}
