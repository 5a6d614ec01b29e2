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
#include "drive.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arm.h"

static uint32_t count_of(
  const world_t * world, drive_mode_t mode, double parameter, uint32_t segment)
{
  if (mode == DRIVE_STEP) {
    return world_steps(world, segment, parameter);
  }
  if (mode == DRIVE_RATE) {
    return (uint32_t)fmax(1.0, ceil(world_seconds(world, segment) * parameter - 1e-9));
  }
  return 1;
}

drive_result_t drive(
  const peer_t * peer, void * self, const world_t * world, drive_mode_t mode, double parameter,
  double limit)
{
  drive_result_t out = {.first = NAN};
  world_pose_t * poses = calloc(2 * (size_t)world->body_count, sizeof(*poses));
  world_pose_t * next = poses + world->body_count;
  double begin = bench_cpu();
  if (mode == DRIVE_MOTION) {
    out.hit = peer->motion(self, world, &out.first);
    out.seconds = bench_since(begin);
    free(poses);
    return out;
  }
  for (uint32_t segment = 0; segment < world->segment_count && !out.hit; segment++) {
    uint32_t count = count_of(world, mode, parameter, segment);
    uint32_t last = segment + 1 == world->segment_count ? count + 1 : count;
    if (mode == DRIVE_SEGMENTS) {
      double toc;
      world_poses(world, segment, 0.0, poses);
      world_poses(world, segment, 1.0, next);
      out.hit = peer->segment(self, poses, next, &toc);
      out.first = segment + toc;
      out.states++;
      last = 0;
    }
    for (uint32_t i = 0; i < last && !out.hit; i++) {
      double fraction = (double)i / (double)count;
      world_poses(world, segment, fraction, poses);
      out.hit = peer->state(self, poses);
      out.first = segment + fraction;
      out.states++;
    }
    if (bench_since(begin) > limit) {
      out.gave_up = segment + 1 < world->segment_count && !out.hit;
      break;
    }
  }
  out.seconds = bench_since(begin);
  if (!out.hit) {
    out.first = NAN;
  }
  free(poses);
  return out;
}

drive_result_t drive_apart(
  const peer_t * peer, void * self, const world_t * world, drive_mode_t mode, double parameter,
  double limit)
{
  drive_result_t out = {.crashed = true, .first = NAN};
  int ends[2];
  fflush(stdout);
  if (pipe(ends) != 0) {
    return out;
  }
  pid_t child = fork();
  if (child == 0) {
    rlim_t seconds = (rlim_t)ceil(limit);
    setrlimit(RLIMIT_CPU, &(struct rlimit) {seconds, seconds + 1});
    drive_result_t result = drive(peer, self, world, mode, parameter, limit);
    _exit(write(ends[1], &result, sizeof(result)) == (ssize_t)sizeof(result) ? 0 : 1);
  }
  close(ends[1]);
  drive_result_t result;
  int status = 1;
  if (child > 0 && read(ends[0], &result, sizeof(result)) == (ssize_t)sizeof(result)) {
    out = result;
  }
  close(ends[0]);
  if (child > 0) {
    waitpid(child, &status, 0);
    out.gave_up |= WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
    out.seconds = out.crashed ? limit : out.seconds;
    out.crashed &= !out.gave_up;
  }
  return out;
}

void drive_print(const drive_row_t * row)
{
  printf("%s,%s,%s,", row->experiment, row->name, row->method);
  if (row->value >= 0.0) {
    printf("%.6g", row->value);
  }
  printf(
    ",%s,%s,%s,%llu,%s\n", row->parameter ? row->parameter : "", row->verdict ? row->verdict : "",
    row->truth ? row->truth : "", (unsigned long long)row->leaves, row->note ? row->note : "");
  fflush(stdout);
}
