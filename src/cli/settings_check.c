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

#include "base/error.h"
#include "cli/pages.h"
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
  return ret == VOUCH_RET_OK ? cli_pages_check(settings) : ret;
}
