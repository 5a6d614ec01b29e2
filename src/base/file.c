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

/* Whole files: read with a limit, written so that a reader never sees half of one. */

#if !defined(_GNU_SOURCE)
  #define _GNU_SOURCE   // realpath, fileno
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

/// How much to ask for at first: the size of a regular file, else a page or so.
static size_t expected_size(FILE * file, size_t limit)
{
  struct stat status;
  if (fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
    (uintmax_t)status.st_size <= limit)
  {
    return (size_t)status.st_size;
  }
  return limit < 65536 ? limit : 65536;
}

/// Reads to the end of the file, at most limit bytes, into a block of the allocator.
static vouch_ret_t read_all(
  const vouch_allocator_t * allocator, FILE * file, size_t limit, char ** data, size_t * size)
{
  size_t capacity = expected_size(file, limit) + 2;   // a byte to see the end, a byte for NUL
  size_t used = 0;
  char * block = vouch_realloc(allocator, NULL, capacity, 1);
  while (block != NULL) {
    used += fread(block + used, 1, capacity - 1 - used, file);
    if (ferror(file) || used > limit) {
      vouch_ret_t code = ferror(file) ? vouch_fail(VOUCH_RET_IO, "%s", strerror(errno)) :
        vouch_fail(VOUCH_RET_IO, "the file is larger than the limit of %zu bytes", limit);
      vouch_free(allocator, block);
      return code;
    }
    if (feof(file)) {
      block[used] = '\0';
      *data = block;
      *size = used;
      return VOUCH_RET_OK;
    }
    if (used == capacity - 1) {
      size_t larger = capacity > limit / 2 ? limit + 2 : 2 * capacity;
      char * moved = vouch_realloc(allocator, block, larger, 1);
      if (moved == NULL) {
        vouch_free(allocator, block);
      }
      block = moved;
      capacity = larger;
    }
  }
  return VOUCH_RET_NO_MEMORY;
}

vouch_ret_t vouch_file_read(
  const vouch_allocator_t * allocator, const char * path, size_t limit, char ** data, size_t * size)
{
  *data = NULL;
  *size = 0;
  limit = limit == 0 ? (size_t)1 << 30 : limit;
  limit = limit > SIZE_MAX / 4 ? SIZE_MAX / 4 : limit;
  FILE * file = fopen(path, "rb");
  if (file == NULL) {
    return vouch_fail(VOUCH_RET_IO, "cannot open %s: %s", path, strerror(errno));
  }
  vouch_ret_t code = read_all(allocator, file, limit, data, size);
  if (code != VOUCH_RET_OK) {
    code = vouch_fail_prefix(code, "cannot read %s", path);
  }
  (void)fclose(file);
  return code;
}

static bool write_all(int descriptor, const char * data, size_t size)
{
  while (size > 0) {
    ssize_t written = write(descriptor, data, size);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    data += written;
    size -= (size_t)written;
  }
  return true;
}

/// Writes and closes; on failure errno says why.
static bool write_and_close(int descriptor, const void * data, size_t size)
{
  bool written = write_all(descriptor, data, size);
  int why = errno;
  if (close(descriptor) != 0 && written) {
    return false;
  }
  errno = why;
  return written;
}

/// Pipes, terminals and devices cannot be replaced by renaming.
static vouch_ret_t write_in_place(const char * path, const void * data, size_t size)
{
  int descriptor = open(path, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0 || !write_and_close(descriptor, data, size)) {
    return vouch_fail(VOUCH_RET_IO, "cannot write %s: %s", path, strerror(errno));
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t write_and_rename(const char * path, const void * data, size_t size)
{
  static atomic_uint counter;
  char temporary[4096];
  int length = snprintf(
    temporary, sizeof(temporary), "%s.%ld.%u.tmp", path, (long)getpid(),
    atomic_fetch_add(&counter, 1u));
  if (length < 0 || (size_t)length >= sizeof(temporary)) {
    return vouch_fail(VOUCH_RET_IO, "cannot write %s: the path is too long", path);
  }
  int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    return vouch_fail(VOUCH_RET_IO, "cannot write %s: %s", path, strerror(errno));
  }
  if (!write_and_close(descriptor, data, size) || rename(temporary, path) != 0) {
    int why = errno;
    (void)unlink(temporary);
    return vouch_fail(VOUCH_RET_IO, "cannot write %s: %s", path, strerror(why));
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_file_write(const char * path, const void * data, size_t size)
{
  struct stat status;
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
    return write_in_place(path, data, size);
  }
  // A symbolic link stays one: what it points to is replaced.
  char * real = realpath(path, NULL);
  vouch_ret_t code = write_and_rename(real != NULL ? real : path, data, size);
  free(real);
  return code;
}
