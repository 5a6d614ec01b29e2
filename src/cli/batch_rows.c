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
#include "cli/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/outputs.h"

/* ---- rows ---- */

/* Columns whose cells may hold several values. */
static const char REPEATED[] =
  "scene package group-state start padding scale joint-tolerance allow";

static bool is_path(const char * column)
{
  static const char * const paths[] = {
    "robot", "srdf", "scene", "request", "trajectory", "package", "problem", "certificate",
    "picture", "report", "gltf"
  };
  for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
    if (strcmp(column, paths[i]) == 0) {
      return true;
    }
  }
  return false;
}

static bool is_switch(const char * column)
{
  return strcmp(column, "hulls") == 0 || strcmp(column, "surfaces") == 0 ||
         strcmp(column, "humble-lead-in") == 0 || strcmp(column, "strict") == 0 ||
         strcmp(column, "degrees") == 0;
}

/* Puts a relative file name behind the list's directory, in batch->paths. A package is name=directory. */
static char * find_path(cli_batch_t * batch, const char * column, char * value, char ** memory)
{
  const char * equals = strcmp(column, "package") == 0 ? strchr(value, '=') : NULL;
  const size_t name = equals ? (size_t)(equals + 1 - value) : 0;
  if (value[name] == '/') {
    return value;
  }
  char * joined = *memory;
  const size_t directory = strlen(batch->list.directory), length = strlen(value + name) + 1;
  memcpy(joined, value, name);
  memcpy(joined + name, batch->list.directory, directory);
  memcpy(joined + name + directory, value + name, length);
  *memory += name + directory + length;
  return joined;
}

/* One value of one cell. */
static vouch_ret_t set_value(
  cli_batch_t * batch, cli_batch_row_t * row, const char * column, char * value, char ** memory)
{
  if (is_switch(column)) {
    return strcmp(value, "on") == 0 || strcmp(value, "off") == 0 ?
           cli_settings_set(&row->settings, column, value) :
           vouch_fail(VOUCH_RET_INVALID, "%s is on or off, not '%s'.", column, value);
  }
  return cli_settings_set(
    &row->settings, column, is_path(column) ? find_path(batch, column, value, memory) : value);
}

static vouch_ret_t set_cell(
  cli_batch_t * batch, cli_batch_row_t * row, const char * column, char * cell, char ** memory)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  while (cell && *cell && ret == VOUCH_RET_OK) {
    char * semicolon = strchr(cell, ';');
    if (semicolon && semicolon[1] && !vouch_word_in(REPEATED, column)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "%s takes one value, not several ('%s').", column, cell);
    }
    if (semicolon) {
      *semicolon = '\0';
    }
    ret = set_value(batch, row, column, cell, memory);
    cell = semicolon ? semicolon + 1 : NULL;
  }
  return ret;
}

static vouch_ret_t copy_error(char ** error)
{
  vouch_allocator_t allocator = vouch_allocator_default();
  *error = vouch_strdup(&allocator, vouch_error());
  return *error ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

/* The row is INVALID for the reason that the error text gives; the others go on. */
static vouch_ret_t mark_bad(const cli_list_t * list, size_t number, cli_batch_row_t * row)
{
  row->bad = vouch_fail_prefix(
    VOUCH_RET_INVALID, "line %zu of the list", cli_list_line(list, number));
  return copy_error(&row->error);
}

/* Settings of one row: those of the command line (parsed again), then those of its cells. A row with
 * a bad cell still says which files it would have written. */
static vouch_ret_t fill_row(cli_batch_t * batch, size_t number, char ** memory)
{
  cli_batch_row_t * row = &batch->rows[number];
  const cli_list_t * list = &batch->list;
  vouch_ret_t ret = VOUCH_RET_OK;
  cli_settings_begin_row(&row->settings);
  row->settings.report = NULL;   // on the command line it is the index
  for (size_t c = 0; c < list->column_count && ret == VOUCH_RET_OK; c++) {
    const char * column = cli_list_column(list, c);
    char * cell = list->cells[(number + 1) * list->column_count + c];
    if (strcmp(column, "name") == 0) {
      row->name = cell;
    } else if (set_cell(batch, row, column, cell, memory) != VOUCH_RET_OK &&
      row->bad == VOUCH_RET_OK)
    {
      ret = mark_bad(list, number, row);
    }
  }
  if (!row->name || !row->name[0]) {
    const char * slash = row->settings.trajectory ? strrchr(row->settings.trajectory, '/') : NULL;
    row->name = (char *)(slash ? slash + 1 :
      row->settings.trajectory ? row->settings.trajectory : "");
  }
  return ret != VOUCH_RET_OK || row->bad != VOUCH_RET_OK ||
         cli_settings_check(&row->settings) == VOUCH_RET_OK ? ret : mark_bad(list, number, row);
}

/* ---- files ---- */

static vouch_ret_t blame_claim(cli_batch_t * batch, const cli_claim_t * claim)
{
  cli_batch_row_t * row = &batch->rows[claim->row];
  const cli_claim_t * other = claim->other;
  if (row->bad != VOUCH_RET_OK) {
    return VOUCH_RET_OK;   // something else is wrong with it too
  }
  if (other->row == claim->row) {
    (void)vouch_fail(
      VOUCH_RET_INVALID, "--%s would be written over --%s (%s); give it a file of its own.",
      claim->option, other->option, claim->path);
  } else if (other->row == batch->list.row_count) {
    (void)vouch_fail(
      VOUCH_RET_INVALID, "--%s would be written over %s, %s; give it a file of its own.",
      claim->option, other->option, claim->path);
  } else {
    (void)vouch_fail(
      VOUCH_RET_INVALID, "%s is also %s by line %zu (--%s); give each row a file of its own.",
      claim->path, other->signature ? "written" : "read",
      cli_list_line(&batch->list, other->row), other->option);
  }
  return mark_bad(&batch->list, claim->row, row);
}

static vouch_ret_t begin_outputs(cli_batch_t * batch, const cli_claims_t * claims)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; i < claims->count && ret == VOUCH_RET_OK; i++) {
    const cli_claim_t * claim = &claims->items[i];
    cli_batch_row_t * row = &batch->rows[claim->row];
    if (claim->other) {
      ret = blame_claim(batch, claim);
    } else if (claim->signature && !row->finished && cli_claim_begin(claim) != VOUCH_RET_OK &&
      row->bad == VOUCH_RET_OK)
    {
      ret = mark_bad(&batch->list, claim->row, row);
    }
  }
  return ret;
}

/* No row writes over the list, or over what another one reads or writes: of two rows that write the
 * same file only the first is run. Its certificate must not be lost, nor stand beside the other's
 * problem. All of this comes before the first row is run. */
static vouch_ret_t judge_files(cli_batch_t * batch, const char * list)
{
  cli_claims_t claims = {NULL, 0, 0};
  vouch_ret_t ret = cli_claims_add_input(&claims, "the list", list, batch->list.row_count);
  if (batch->resume && ret == VOUCH_RET_OK) {
    ret = cli_claims_add_input(&claims, "--resume", batch->resume, batch->list.row_count);
  }
  for (size_t i = 0; i < batch->list.row_count && ret == VOUCH_RET_OK; i++) {
    const cli_batch_row_t * row = &batch->rows[i];
    ret = cli_claims_add(&claims, &row->settings, i, row->bad != VOUCH_RET_OK);
  }
  cli_claims_judge(&claims);
  ret = ret == VOUCH_RET_OK ? begin_outputs(batch, &claims) : ret;
  cli_claims_fini(&claims);
  return ret;
}

vouch_ret_t cli_batch_check_columns(const cli_list_t * list, const char * path)
{
  static const char * const known[] = {
    "name", "robot", "srdf", "package", "scene", "request", "trajectory", "group-state", "start",
    "padding", "scale", "allow", "strict", "degrees", "columns", "hulls", "surfaces",
    "humble-lead-in", "model", "method",
    "margin",
    "tolerance", "tolerance-m", "joint-tolerance", "deadline", "depth", "memory", "first-contact",
    "clearance", "clearance-resolution", "problem", "certificate", "picture", "report", "gltf"
  };
  for (size_t c = 0; c < list->column_count; c++) {
    const char * column = cli_list_column(list, c);
    bool found = false;
    for (size_t i = 0; i < sizeof(known) / sizeof(*known) && !found; i++) {
      found = strcmp(column, known[i]) == 0;
    }
    for (size_t other = 0; other < c && found; other++) {
      found = strcmp(column, cli_list_column(list, other)) != 0;
    }
    if (!found) {
      return vouch_fail(
        VOUCH_RET_INVALID, "%s:%zu: the column '%s' is not known, or named twice; columns are "
        "options without dashes, and 'name'.", path, list->lines[0], column);
    }
  }
  return VOUCH_RET_OK;
}

/* ---- robots ---- */

static bool same_numbers(const cli_numbers_t * a, const cli_numbers_t * b)
{
  bool same = a->count == b->count;
  for (size_t i = 0; i < a->count && same; i++) {
    same =
      vouch_same_text(a->items[i].name, b->items[i].name) && a->items[i].value == b->items[i].value;
  }
  return same;
}

static bool same_robot(const cli_settings_t * a, const cli_settings_t * b)
{
  bool same = vouch_same_text(a->robot, b->robot) && vouch_same_text(a->srdf, b->srdf) &&
    vouch_same_text(a->cache, b->cache) &&
    cli_session_needs_sources(a) == cli_session_needs_sources(b) && a->hulls == b->hulls &&
    a->surfaces == b->surfaces &&
    same_numbers(&a->paddings, &b->paddings) && same_numbers(&a->scales, &b->scales) &&
    a->packages.count == b->packages.count;
  for (size_t i = 0; i < a->packages.count && same; i++) {
    same = vouch_same_text(a->packages.items[i], b->packages.items[i]);
  }
  return same;
}

vouch_ret_t cli_batch_load_robots(cli_batch_t * batch)
{
  for (size_t i = 0; i < batch->list.row_count; i++) {
    cli_batch_row_t * row = &batch->rows[i];
    if (row->bad != VOUCH_RET_OK || row->finished) {
      continue;
    }
    size_t k = 0;
    while (k < batch->robot_count && !same_robot(batch->robots[k].settings, &row->settings)) {
      k++;
    }
    row->robot = k;
    if (k == batch->robot_count) {
      cli_batch_robot_t * robot = &batch->robots[batch->robot_count++];
      robot->settings = &row->settings;
      robot->session.settings = &row->settings;
      robot->ret = cli_session_load_robot(&robot->session);
      if (robot->ret != VOUCH_RET_OK && copy_error(&robot->error) != VOUCH_RET_OK) {
        return VOUCH_RET_NO_MEMORY;
      }
    }
  }
  return VOUCH_RET_OK;
}

/* ---- set-up ---- */

vouch_ret_t cli_batch_take(void * state, const char * name, const char * value)
{
  cli_batch_t * batch = state;
  if (strcmp(name, "resume") == 0) {
    batch->resume = value;
  } else if (strcmp(name, "junit") == 0) {
    batch->junit = value;
  } else {
    batch->times = true;
  }
  return VOUCH_RET_OK;
}

vouch_ret_t cli_batch_make_rows(cli_batch_t * batch, int argc, char ** argv)
{
  vouch_allocator_t allocator = vouch_allocator_default();
  size_t count = batch->list.row_count, bytes = 1;
  size_t directory = strlen(batch->list.directory);
  for (size_t i = 0; i < (count + 1) * batch->list.column_count; i++) {
    size_t files = 1;
    for (const char * p = batch->list.cells[i]; (p = strchr(p, ';')) != NULL; p++) {
      files++;
    }
    bytes += strlen(batch->list.cells[i]) + files * (directory + 1);
  }
  batch->rows = vouch_calloc(&allocator, count, sizeof(*batch->rows));
  batch->robots = vouch_calloc(&allocator, count, sizeof(*batch->robots));
  batch->paths = vouch_calloc(&allocator, bytes, 1);
  if (!batch->rows || !batch->robots || !batch->paths) {
    return VOUCH_RET_NO_MEMORY;
  }
  char * memory = batch->paths;
  for (size_t i = 0; i < count; i++) {
    cli_batch_row_t * row = &batch->rows[i];
    int rest;
    cli_settings_init(&row->settings);
    vouch_ret_t ret = cli_settings_parse(
      &row->settings, argc, argv, cli_batch_command.own,
      cli_batch_take, batch, &rest);
    if (ret == VOUCH_RET_OK) {
      row->settings.check.threads = 1;
      ret = fill_row(batch, i, &memory);
    }
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  vouch_ret_t ret = cli_batch_resume(batch);
  return ret == VOUCH_RET_OK ? judge_files(batch, argv[argc - 1]) : ret;
}

void cli_batch_fini(cli_batch_t * batch)
{
  for (size_t i = 0; i < batch->robot_count; i++) {
    cli_session_fini(&batch->robots[i].session);
    free(batch->robots[i].error);
  }
  for (size_t i = 0; batch->rows && i < batch->list.row_count; i++) {
    cli_settings_fini(&batch->rows[i].settings);
    free(batch->rows[i].error);
    vouch_arena_fini(&batch->rows[i].arena);
  }
  free(batch->rows);
  free(batch->robots);
  free(batch->paths);
  cli_list_fini(&batch->list);
}
