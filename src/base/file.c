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
  #define _GNU_SOURCE   // O_CLOEXEC, getrandom
#endif

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
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

static const char * kind_of(mode_t mode)
{
  return S_ISDIR(mode) ? "a directory" : S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" :
         "a device";
}

/// A pipe that nobody writes to would be waited for without end, and a device need not have one.
static vouch_ret_t refuse_kind(const char * path, mode_t mode)
{
  return S_ISREG(mode) ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_IO, "cannot read %s: it is %s, and only files are read", path, kind_of(mode));
}

/// Looks before it opens, because opening a pipe or a device may already do something, and after it,
/// because another file may have got the name in between. Never blocks.
static vouch_ret_t open_file(const char * path, int * descriptor)
{
  struct stat status;
  *descriptor = -1;
  if (stat(path, &status) != 0) {
    return vouch_fail(VOUCH_RET_IO, "cannot open %s: %s", path, strerror(errno));
  }
  vouch_ret_t code = refuse_kind(path, status.st_mode);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  int opened = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (opened < 0 || fstat(opened, &status) != 0) {
    code = vouch_fail(VOUCH_RET_IO, "cannot open %s: %s", path, strerror(errno));
  } else {
    code = refuse_kind(path, status.st_mode);
  }
  if (code != VOUCH_RET_OK && opened >= 0) {
    (void)close(opened);
    opened = -1;
  }
  *descriptor = opened;
  return code;
}

vouch_ret_t vouch_file_read(
  const vouch_allocator_t * allocator, const char * path, size_t limit, char ** data, size_t * size)
{
  *data = NULL;
  *size = 0;
  int descriptor = -1;
  vouch_ret_t code = open_file(path, &descriptor);
  if (code == VOUCH_RET_OK) {
    code = vouch_file_read_open(allocator, descriptor, path, limit, data, size);
  }
  return code;
}

vouch_ret_t vouch_file_read_open(
  const vouch_allocator_t * allocator, int descriptor, const char * name, size_t limit,
  char ** data, size_t * size)
{
  *data = NULL;
  *size = 0;
  limit = limit == 0 ? (size_t)1 << 30 : limit;
  limit = limit > SIZE_MAX / 4 ? SIZE_MAX / 4 : limit;
  FILE * file = fdopen(descriptor, "rb");
  if (file == NULL) {
    vouch_ret_t code = vouch_fail(VOUCH_RET_IO, "cannot read %s: %s", name, strerror(errno));
    (void)close(descriptor);
    return code;
  }
  vouch_ret_t code = read_all(allocator, file, limit, data, size);
  if (code != VOUCH_RET_OK) {
    code = vouch_fail_prefix(code, "cannot read %s", name);
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

/// Beyond a limit on the size of files the system sends a signal that ends the program, unless it
/// is kept back; write() then says EFBIG. Only this thread's mask is changed, for this write.
static bool write_within_limit(int descriptor, const char * data, size_t size)
{
  sigset_t limit, before, pending;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  const bool masked = pthread_sigmask(SIG_BLOCK, &limit, &before) == 0;
  bool written = write_all(descriptor, data, size);
  int why = errno;
  if (masked) {
    const bool ours = sigismember(&before, SIGXFSZ) == 0;
    if (ours && !written && sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1) {
      const struct timespec now = {0, 0};
      (void)sigtimedwait(&limit, NULL, &now);
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  errno = why;
  return written;
}

/// Writes and closes; on failure errno says why.
static bool write_and_close(int descriptor, const void * data, size_t size)
{
  bool written = write_within_limit(descriptor, data, size);
  int why = errno;
  if (close(descriptor) != 0 && written) {
    return false;
  }
  errno = why;
  return written;
}

/// Pipes, terminals and devices cannot be replaced by renaming. A pipe that nobody reads is an error
/// and not waited for; one that somebody reads slowly is.
static vouch_ret_t write_in_place(const char * path, const void * data, size_t size)
{
  int descriptor = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  int flags = descriptor < 0 ? -1 : fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) != 0 ||
    !write_and_close(descriptor, data, size))
  {
    return vouch_fail(
      VOUCH_RET_IO, "cannot write %s: %s", path,
      errno == ENXIO ? "nobody reads that pipe" : strerror(errno));
  }
  return VOUCH_RET_OK;
}

/// A new file beside `path`. Its name is drawn, so that no leftover of another run is in its way.
static int create_beside(const char * path, char * temporary, size_t capacity)
{
  const char * slash = strrchr(path, '/');
  const int directory = slash == NULL ? 0 : (int)(slash + 1 - path);
  for (int attempt = 0; attempt < 100; attempt++) {
    uint64_t drawn = 0;
    if (getrandom(&drawn, sizeof(drawn), 0) != (ssize_t)sizeof(drawn)) {
      return -1;
    }
    int length = snprintf(
      temporary, capacity, "%.*s.vouch-%016llx.tmp", directory, path, (unsigned long long)drawn);
    if (length < 0 || (size_t)length >= capacity) {
      errno = ENAMETOOLONG;
      return -1;
    }
    int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) {
      return descriptor;
    }
  }
  return -1;
}

static vouch_ret_t write_and_rename(const char * path, const void * data, size_t size)
{
  char temporary[4096];
  int descriptor = create_beside(path, temporary, sizeof(temporary));
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

vouch_ret_t vouch_file_follow(
  const vouch_allocator_t * allocator, const char * path, char ** target)
{
  *target = vouch_strdup(allocator, path);
  for (int links = 0; *target != NULL; links++) {
    char to[4096];
    const ssize_t length = readlink(*target, to, sizeof(to));
    if (length < 0) {
      return VOUCH_RET_OK;   // no link, or nothing there: this is the place
    }
    if (links == 40 || (size_t)length == sizeof(to)) {
      vouch_free(allocator, *target);
      *target = NULL;
      return vouch_fail(VOUCH_RET_IO, "%s: too many links, or a link that is too long", path);
    }
    const char * slash = strrchr(*target, '/');
    const int directory = to[0] == '/' || slash == NULL ? 0 : (int)(slash + 1 - *target);
    vouch_text_t next = {.allocator = *allocator};
    vouch_text_append(&next, "%.*s%.*s", directory, *target, (int)length, to);
    vouch_free(allocator, *target);
    *target = next.failed ? NULL : next.data;
    if (next.failed) {
      vouch_text_fini(&next);
    }
  }
  return VOUCH_RET_NO_MEMORY;
}

vouch_ret_t vouch_file_write(const char * path, const void * data, size_t size)
{
  struct stat status;
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
    return write_in_place(path, data, size);
  }
  // A symbolic link stays one: what it points to is replaced.
  const vouch_allocator_t allocator = vouch_allocator_default();
  char * target = NULL;
  vouch_ret_t code = vouch_file_follow(&allocator, path, &target);
  if (code == VOUCH_RET_OK) {
    code = write_and_rename(target, data, size);
  }
  vouch_free(&allocator, target);
  return code;
}
