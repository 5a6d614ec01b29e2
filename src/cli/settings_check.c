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

/* What can only be seen when all options are set. */

#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cli/settings.h"

/* Options with a name may be repeated, but not for the same one. */
static vouch_ret_t refuse_repeated(const char * option, const cli_numbers_t * list)
{
  for (size_t i = list->overruled; i < list->count; i++) {
    for (size_t k = list->overruled; k < i; k++) {
      const char * a = list->items[i].name ? list->items[i].name : "";
      const char * b = list->items[k].name ? list->items[k].name : "";
      if (strcmp(a, b) == 0) {
        return vouch_fail(
          VOUCH_RET_INVALID, "--%s is given twice for %s%s; only one can be meant.", option,
          a[0] ? a : "all", a[0] ? "" : " links");
      }
    }
  }
  return VOUCH_RET_OK;
}

/* Of a package in two directories one would be looked into, and nobody would be told which. */
static vouch_ret_t refuse_repeated_packages(const cli_texts_t * list)
{
  for (size_t i = list->overruled; i < list->count; i++) {
    const size_t length = strcspn(list->items[i], "=");
    for (size_t k = list->overruled; k < i; k++) {
      if (strncmp(list->items[i], list->items[k], length + 1) == 0) {
        return vouch_fail(
          VOUCH_RET_INVALID, "--package is given twice for %.*s; only one can be meant.",
          (int)length, list->items[i]);
      }
    }
  }
  return VOUCH_RET_OK;
}

/* Devices may be written to as often as one likes. */
static bool same_file(const char * a, const char * b)
{
  struct stat x, y;
  const bool a_there = stat(a, &x) == 0, b_there = stat(b, &y) == 0;
  if (a_there && b_there) {
    return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
  }
  return !a_there && !b_there && strcmp(a, b) == 0;
}

/* The second file would take the first one's place, and nobody would be told. */
static vouch_ret_t refuse_overwriting(const cli_settings_t * s)
{
  const struct {const char * option; const char * path;} files[] = {
    {"robot", s->robot}, {"srdf", s->srdf}, {"request", s->request},
    {"trajectory", s->trajectory}, {"limits", s->limits}, {"output", s->output},
    {"problem", s->problem}, {"certificate", s->certificate},
    {"picture", s->picture}
  };
  const size_t count = sizeof(files) / sizeof(*files), inputs = 5;
  for (size_t i = inputs; i < count; i++) {
    for (size_t k = 0; k < i && files[i].path; k++) {
      if (files[k].path && same_file(files[i].path, files[k].path)) {
        return vouch_fail(
          VOUCH_RET_INVALID, "--%s would be written over --%s (%s); give it a file of its own.",
          files[i].option, files[k].option, files[i].path);
      }
    }
    for (size_t k = 0; k < s->scenes.count && files[i].path; k++) {
      if (same_file(files[i].path, s->scenes.items[k])) {
        return vouch_fail(
          VOUCH_RET_INVALID, "--%s would be written over --scene (%s); give it a file of its own.",
          files[i].option, files[i].path);
      }
    }
  }
  return VOUCH_RET_OK;
}

void cli_settings_begin_row(cli_settings_t * settings)
{
  cli_numbers_t * const lists[] = {
    &settings->start, &settings->paddings, &settings->scales, &settings->joint_tolerances
  };
  for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
    lists[i]->overruled = lists[i]->count;
  }
  settings->packages.overruled = settings->packages.count;
}

vouch_ret_t cli_settings_check(const cli_settings_t * settings)
{
  vouch_ret_t ret = refuse_repeated("start", &settings->start);
  ret = ret == VOUCH_RET_OK ? refuse_repeated("padding", &settings->paddings) : ret;
  ret = ret == VOUCH_RET_OK ? refuse_repeated("scale", &settings->scales) : ret;
  ret = ret == VOUCH_RET_OK ?
    refuse_repeated("joint-tolerance", &settings->joint_tolerances) : ret;
  ret = ret == VOUCH_RET_OK ? refuse_repeated_packages(&settings->packages) : ret;
  return ret == VOUCH_RET_OK ? refuse_overwriting(settings) : ret;
}
