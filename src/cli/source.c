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

#include "cli/source.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

extern char ** environ;

/* ---- xacro ---- */

bool cli_source_is_xacro(const char * path)
{
  static const char ending[] = ".xacro";
  const size_t length = strlen(path), size = sizeof(ending) - 1;
  return length > size && strcmp(path + length - size, ending) == 0;
}

/* Its standard output comes through the pipe; what it complains about goes where we complain. */
static int start_xacro(const char * path, const int ends[2], pid_t * child)
{
  char program[] = "xacro";
  const vouch_allocator_t allocator = vouch_allocator_default();
  char * file = vouch_strdup(&allocator, path);
  if (file == NULL) {
    return ENOMEM;
  }
  char * const arguments[] = {program, file, NULL};
  posix_spawn_file_actions_t actions;
  int why = posix_spawn_file_actions_init(&actions);
  if (why == 0) {
    why = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    why = why != 0 ? why : posix_spawnp(child, program, &actions, NULL, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
  }
  vouch_free(&allocator, file);
  return why;
}

static vouch_ret_t run_xacro(const char * path, char ** text, size_t * size)
{
  const vouch_allocator_t allocator = vouch_allocator_default();
  int ends[2], state = 0;
  pid_t child = 0;
  if (access(path, R_OK) != 0) {
    return vouch_fail(VOUCH_RET_IO, "cannot open %s: %s", path, strerror(errno));
  }
  if (pipe(ends) != 0) {
    return vouch_fail(VOUCH_RET_IO, "no pipe to xacro: %s", strerror(errno));
  }
  (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  const int why = start_xacro(path, ends, &child);
  (void)close(ends[1]);
  if (why != 0) {
    (void)close(ends[0]);
    return vouch_fail(
      VOUCH_RET_IO, "%s needs the program xacro, which cannot be run (%s): install it (ros-*-xacro), or "
      "name a URDF: xacro %s > robot.urdf", path, strerror(
        why), path);
  }
  vouch_ret_t ret = vouch_file_read_open(
    &allocator, ends[0], path, (size_t)64 << 20, text, size);
  while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  if (ret == VOUCH_RET_OK && !(WIFEXITED(state) && WEXITSTATUS(state) == 0)) {
    ret = vouch_fail(
      VOUCH_RET_INVALID, "xacro did not make a URDF of %s; what it says is above", path);
  }
  if (ret != VOUCH_RET_OK) {
    vouch_free(&allocator, *text);
    *text = NULL;
  }
  return ret;
}

vouch_ret_t cli_source_load_xacro(
  vouch_robot_t ** robot, const char * path, const vouch_robot_options_t * options)
{
  const vouch_allocator_t allocator = vouch_allocator_default();
  char * text = NULL, * directory = vouch_strdup(&allocator, path);
  size_t size = 0;
  if (directory == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  char * slash = strrchr(directory, '/');
  if (slash != NULL) {
    slash[slash == directory] = '\0';
  }
  vouch_ret_t ret = run_xacro(path, &text, &size);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_robot_parse_urdf(robot, text, size, slash ? directory : ".", options);
    ret = ret == VOUCH_RET_OK ? ret : vouch_fail_prefix(ret, "%s, as xacro reads it", path);
  }
  vouch_free(&allocator, text);
  vouch_free(&allocator, directory);
  return ret;
}

/* ---- standard input ---- */

vouch_ret_t cli_source_read_motion(
  vouch_motion_t ** motion, const vouch_robot_t * robot, const vouch_motion_options_t * options)
{
  const vouch_allocator_t allocator = vouch_allocator_default();
  char * text = NULL;
  size_t size = 0;
  const int descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  if (descriptor < 0) {
    return vouch_fail(VOUCH_RET_IO, "cannot read standard input: %s", strerror(errno));
  }
  vouch_ret_t ret = vouch_file_read_open(&allocator, descriptor, "standard input", 0, &text, &size);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_motion_parse(motion, robot, text, size, options);
    ret = ret == VOUCH_RET_OK ? ret : vouch_fail_prefix(ret, "standard input");
  }
  vouch_free(&allocator, text);
  return ret;
}
