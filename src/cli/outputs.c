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
#include "cli/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

/* Devices and pipes may be written to as often as one likes; what is not there and has no directory
 * cannot be written at all, which cli_claim_begin() says. */
static void find_place(cli_claim_t * claim)
{
  struct stat status;
  claim->nowhere = true;
  if (stat(claim->target, &status) == 0) {
    claim->nowhere = !S_ISREG(status.st_mode);
  } else {
    char * slash = strrchr(claim->target, '/');
    const char * directory = slash == NULL ? "." : slash == claim->target ? "/" : claim->target;
    claim->name = slash == NULL ? claim->target : slash + 1;
    if (slash != NULL) {
      *slash = '\0';
    }
    claim->nowhere = stat(directory, &status) != 0;
    if (slash != NULL) {
      *slash = '/';
    }
  }
  if (!claim->nowhere) {
    claim->device = status.st_dev;
    claim->inode = status.st_ino;
  }
}

static vouch_ret_t add(cli_claims_t * claims, const cli_claim_t * what)
{
  const vouch_allocator_t allocator = vouch_allocator_default();
  if (what->path == NULL) {
    return VOUCH_RET_OK;
  }
  if (!vouch_grow(
      &allocator, &claims->items, claims->count, &claims->capacity, sizeof(*claims->items)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  cli_claim_t * claim = &claims->items[claims->count];
  *claim = *what;
  claim->number = claims->count;
  vouch_ret_t ret = vouch_file_follow(&allocator, claim->path, &claim->target);
  if (ret == VOUCH_RET_OK) {
    claims->count++;
    find_place(claim);
  }
  return ret;
}

vouch_ret_t cli_claims_add_input(
  cli_claims_t * claims, const char * option, const char * path, size_t row)
{
  return add(claims, &(cli_claim_t) {.option = option, .path = path, .row = row});
}

vouch_ret_t cli_claims_add(
  cli_claims_t * claims, const cli_settings_t * s, size_t row, bool idle)
{
  const cli_claim_t named[] = {
    {.option = "robot", .path = s->robot}, {.option = "srdf", .path = s->srdf},
    {.option = "request", .path = s->request}, {.option = "trajectory", .path = s->trajectory},
    {.option = "limits", .path = s->limits},
    {.option = "output", .path = s->output, .signature = "joint_trajectory:"},
    {.option = "problem", .path = s->problem, .signature = "VOUCHPRB"},
    {.option = "certificate", .path = s->certificate, .signature = "VOUCHCRT"},
    {.option = "picture", .path = s->picture, .signature = "<svg "},
    {.option = "report", .path = s->report, .signature = "<!DOCTYPE html>"},
    {.option = "gltf", .path = s->gltf, .signature = "glTF"}
  };
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; i < s->scenes.count && ret == VOUCH_RET_OK; i++) {
    ret = cli_claims_add_input(claims, "scene", s->scenes.items[i], row);
  }
  for (size_t i = 0; i < sizeof(named) / sizeof(*named) && ret == VOUCH_RET_OK; i++) {
    cli_claim_t claim = named[i];
    claim.row = row;
    claim.idle = idle;
    const bool standard = !claim.signature && claim.path && strcmp(claim.path, "-") == 0;
    ret = standard ? ret : add(claims, &claim);
  }
  return ret;
}

/* ---- the same file twice ---- */

static int compare_places(const cli_claim_t * a, const cli_claim_t * b)
{
  if (a->nowhere || b->nowhere) {
    return (int)a->nowhere - (int)b->nowhere;
  }
  if (a->device != b->device) {
    return a->device < b->device ? -1 : 1;
  }
  if (a->inode != b->inode) {
    return a->inode < b->inode ? -1 : 1;
  }
  if (a->name == NULL || b->name == NULL) {
    return (a->name != NULL) - (b->name != NULL);
  }
  return strcmp(a->name, b->name);
}

/* Within a place: readers, then writers that will write, then the others; in order. */
static int compare(const void * one, const void * two)
{
  const cli_claim_t * a = one, * b = two;
  const int place = compare_places(a, b);
  const int a_class = a->signature == NULL ? 0 : 1 + a->idle;
  const int b_class = b->signature == NULL ? 0 : 1 + b->idle;
  return place != 0 ? place : a_class != b_class ? a_class - b_class :
         (a->number > b->number) - (a->number < b->number);
}

void cli_claims_judge(cli_claims_t * claims)
{
  if (claims->count == 0) {
    return;
  }
  qsort(claims->items, claims->count, sizeof(*claims->items), compare);
  const cli_claim_t * owner = &claims->items[0];
  for (size_t i = 1; i < claims->count; i++) {
    cli_claim_t * claim = &claims->items[i];
    if (claim->nowhere || compare_places(owner, claim) != 0) {
      owner = claim;
    } else if (claim->signature != NULL) {
      claim->other = owner;
    }
  }
}

/* ---- what an earlier run left ---- */

/* An empty file is nobody's loss: mktemp makes them. */
static bool is_ours(const cli_claim_t * claim)
{
  char begin[16];
  const size_t size = strlen(claim->signature);
  int descriptor = open(claim->target, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  ssize_t got = descriptor < 0 ? -1 : read(descriptor, begin, size);
  if (descriptor >= 0) {
    (void)close(descriptor);
  }
  return got == 0 || (got == (ssize_t)size && memcmp(begin, claim->signature, size) == 0);
}

static vouch_ret_t look_at_directory(const cli_claim_t * claim)
{
  const char * slash = strrchr(claim->target, '/');
  const vouch_allocator_t allocator = vouch_allocator_default();
  char * directory = vouch_strdup(&allocator, slash == NULL ? "." : claim->target);
  if (directory == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  if (slash != NULL) {
    directory[slash == claim->target ? 1 : slash - claim->target] = '\0';
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  if (access(directory, W_OK | X_OK) != 0) {
    ret = vouch_fail(
      VOUCH_RET_IO, "cannot write --%s %s: directory %s: %s", claim->option, claim->path, directory,
      strerror(errno));
  }
  vouch_free(&allocator, directory);
  return ret;
}

vouch_ret_t cli_claim_begin(const cli_claim_t * claim)
{
  struct stat status;
  if (stat(claim->target, &status) != 0) {
    return look_at_directory(claim);
  }
  if (S_ISDIR(status.st_mode)) {
    return vouch_fail(
      VOUCH_RET_IO, "cannot write --%s %s: it is a directory", claim->option, claim->path);
  }
  if (!S_ISREG(status.st_mode)) {
    return VOUCH_RET_OK;
  }
  if (!is_ours(claim)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "--%s would be written over %s, which is not an older %s; give it another "
      "name, or move that file away.", claim->option, claim->path, claim->option);
  }
  vouch_ret_t ret = look_at_directory(claim);
  if (ret == VOUCH_RET_OK && unlink(claim->target) != 0 && errno != ENOENT) {
    ret = vouch_fail(
      VOUCH_RET_IO, "cannot replace --%s %s: %s", claim->option, claim->path, strerror(errno));
  }
  return ret;
}

void cli_claims_fini(cli_claims_t * claims)
{
  const vouch_allocator_t allocator = vouch_allocator_default();
  for (size_t i = 0; i < claims->count; i++) {
    vouch_free(&allocator, claims->items[i].target);
  }
  vouch_free(&allocator, claims->items);
  *claims = (cli_claims_t) {NULL, 0, 0};
}

/* ---- one run ---- */

static vouch_ret_t judge_one(const cli_settings_t * settings, cli_claims_t * claims)
{
  vouch_ret_t ret = cli_claims_add(claims, settings, 0, false);
  cli_claims_judge(claims);
  for (size_t i = 0; i < claims->count && ret == VOUCH_RET_OK; i++) {
    const cli_claim_t * claim = &claims->items[i];
    if (claim->other != NULL) {
      ret = vouch_fail(
        VOUCH_RET_INVALID, "--%s would be written over --%s (%s); give it a file of its own.",
        claim->option, claim->other->option, claim->path);
    }
  }
  return ret;
}

vouch_ret_t cli_outputs_check(const cli_settings_t * settings)
{
  cli_claims_t claims = {NULL, 0, 0};
  vouch_ret_t ret = judge_one(settings, &claims);
  cli_claims_fini(&claims);
  return ret;
}

vouch_ret_t cli_outputs_begin(const cli_settings_t * settings)
{
  cli_claims_t claims = {NULL, 0, 0};
  vouch_ret_t ret = judge_one(settings, &claims);
  for (size_t i = 0; i < claims.count && ret == VOUCH_RET_OK; i++) {
    ret = claims.items[i].signature ? cli_claim_begin(&claims.items[i]) : ret;
  }
  cli_claims_fini(&claims);
  return ret;
}

void cli_outputs_drop(const cli_settings_t * settings)
{
  cli_claims_t claims = {NULL, 0, 0};
  vouch_ret_t ret = judge_one(settings, &claims);
  for (size_t i = 0; i < claims.count; i++) {
    if (claims.items[i].signature && !claims.items[i].other) {
      ret = cli_claim_begin(&claims.items[i]);
    }
  }
  (void)ret;   // the mistake that ended the run is what is told
  cli_claims_fini(&claims);
}
