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
/* vouch batch --report and --junit: all rows on one page, and as test cases. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cli/batch.h"
#include "cli/commands.h"

/* A list of more rows than that has none of them: they are some 8 kB each. */
#define MOST_THUMBNAILS 1000u

/* ---- where pages go ---- */

static bool is_directory(const char * path)
{
  struct stat status;
  const size_t length = strlen(path);
  if (stat(path, &status) == 0) {
    return S_ISDIR(status.st_mode);
  }
  return length < 5 || (strcmp(path + length - 5, ".html") != 0 &&
         strcmp(path + length - 4, ".htm") != 0);
}

/* A name as a file may have it on every system. The number keeps rows of one name apart. */
static char * page_of(cli_batch_t * batch, size_t number)
{
  cli_batch_row_t * row = &batch->rows[number];
  char name[64];
  size_t n = 0;
  for (const char * p = row->name; *p && n + 1 < sizeof(name); p++) {
    const bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
      (*p >= '0' && *p <= '9') || *p == '-' || *p == '_' || *p == '.';
    name[n++] = plain ? *p : '_';
  }
  name[n] = '\0';
  const size_t room = strlen(batch->index) + sizeof(name) + 32;
  char * path = vouch_arena_calloc(&row->arena, room, 1);
  if (path) {
    snprintf(path, room, "%s/%04zu-%s.html", batch->index, number + 1, name);
  }
  return path;
}

static bool same_file(const char * a, const char * b)
{
  struct stat x, y;
  return strcmp(a, b) == 0 || (stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) &&
         x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

/* The second would take the first one's place. */
static vouch_ret_t refuse_overwriting(const cli_batch_t * batch, const char * list)
{
  if (batch->index && batch->junit && same_file(batch->index, batch->junit)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "--junit would be written over --report (%s); give it a file of its own.",
      batch->junit);
  }
  const char * const outputs[2] = {batch->index, batch->junit};
  for (int i = 0; i < 2; i++) {
    if (outputs[i] && same_file(outputs[i], list)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "--%s would be written over the list (%s); give it a file of its own.",
        i == 0 ? "report" : "junit", list);
    }
  }
  return VOUCH_RET_OK;
}

vouch_ret_t cli_batch_pages_begin(cli_batch_t * batch, const char * list)
{
  if (refuse_overwriting(batch, list) != VOUCH_RET_OK) {
    return VOUCH_RET_INVALID;
  }
  for (size_t i = 0; i < batch->list.row_count; i++) {
    batch->rows[i].arena.allocator = vouch_allocator_default();
  }
  batch->index_is_directory = batch->index && is_directory(batch->index);
  if (!batch->index_is_directory) {
    return VOUCH_RET_OK;
  }
  if (mkdir(batch->index, 0777) != 0 && errno != EEXIST) {
    return vouch_fail(
      VOUCH_RET_IO, "%s: the directory for the report could not be made: %s", batch->index,
      strerror(errno));
  }
  for (size_t i = 0; i < batch->list.row_count; i++) {
    cli_batch_row_t * row = &batch->rows[i];
    if (row->bad == VOUCH_RET_OK && !row->settings.report) {
      row->settings.report = page_of(batch, i);
      if (!row->settings.report) {
        return VOUCH_RET_NO_MEMORY;
      }
    }
  }
  return VOUCH_RET_OK;
}

/* ---- what is kept of a row ---- */

static const char * keep(cli_batch_row_t * row, const char * text)
{
  return text && *text ? vouch_arena_strdup(&row->arena, text) : NULL;
}

/* The pair that matters most, how far it is apart for certain, and when. */
static void keep_pair(cli_batch_row_t * row, const vouch_result_t * result)
{
  const vouch_contact_t * contact = &result->first_collision;
  const vouch_clearance_t * near = &result->clearance;
  vouch_index_row_t * told = &row->told;
  if (contact->kind != VOUCH_CONTACT_NONE) {
    told->a = keep(row, contact->a);
    told->b = keep(row, contact->b);
    told->time_s = contact->time_s;
  } else if (near->valid) {
    told->a = keep(row, near->a);
    told->b = keep(row, near->b);
    told->time_s = near->time_s;
  } else if (result->open_count > 0) {
    told->a = keep(row, result->open[0].a);
    told->b = keep(row, result->open[0].b);
    told->time_s = result->open[0].begin_s;
  }
  told->distance_m = near->valid ? near->lower_m : -1.0;
}

/* Beside the index a page has a name; elsewhere a place. */
static void keep_link(const cli_batch_t * batch, cli_batch_row_t * row)
{
  const char * path = row->settings.report;
  const size_t length = batch->index ? strlen(batch->index) : 0;
  if (!path || row->code > CLI_EXIT_UNDECIDED) {
    return;
  }
  if (batch->index_is_directory &&
    strncmp(path, batch->index, length) == 0 && path[length] == '/')
  {
    row->told.link = path + length + 1;
    return;
  }
  char * whole = realpath(path, NULL);
  row->told.link = keep(row, whole ? whole : path);
  free(whole);
}

static void keep_pictures(
  const cli_batch_t * batch, cli_batch_row_t * row, const vouch_report_t * report)
{
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  vouch_report_text(report, false, &text);
  row->told.text = keep(row, text.data);
  text.size = 0;
  if (batch->index && batch->list.row_count <= MOST_THUMBNAILS &&
    vouch_report_thumbnail(report, &text) == VOUCH_RET_OK)
  {
    row->told.thumbnail = keep(row, text.data);
  }
  vouch_text_fini(&text);
}

void cli_batch_pages_keep(
  const cli_batch_t * batch, cli_batch_row_t * row, const vouch_report_t * report)
{
  if (!batch->index && !batch->junit) {
    return;
  }
  row->told = (vouch_index_row_t) {.name = row->name, .verdict = VOUCH_INVALID,
    .fault = row->code == CLI_EXIT_INTERNAL, .distance_m = -1.0, .time_s = -1.0};
  if (report->result) {
    row->told.verdict = report->result->verdict;
    row->told.robot = keep(row, vouch_robot_name(vouch_scene_robot(report->scene)));
    row->told.seconds = report->result->statistics.seconds;
    keep_pair(row, report->result);
    keep_pictures(batch, row, report);
    keep_link(batch, row);
  } else {
    row->told.error = keep(row, report->error);
  }
}

/* ---- the pages ---- */

static vouch_ret_t write_text(const char * path, vouch_text_t * text, vouch_ret_t ret)
{
  ret = ret ? ret : vouch_file_write(path, text->data, text->size);
  vouch_text_fini(text);
  return ret;
}

vouch_ret_t cli_batch_pages_end(const cli_batch_t * batch, const char * list)
{
  if (!batch->index && !batch->junit) {
    return VOUCH_RET_OK;
  }
  vouch_allocator_t allocator = vouch_allocator_default();
  const size_t count = batch->list.row_count;
  vouch_index_row_t * rows = vouch_calloc(&allocator, count + 1, sizeof(*rows));
  if (!rows) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < count; i++) {
    rows[i] = batch->rows[i].told;
  }
  const char * slash = strrchr(list, '/');
  const char * title = slash ? slash + 1 : list;
  vouch_ret_t ret = VOUCH_RET_OK;
  if (batch->index) {
    char path[4096];
    vouch_text_t text = {.allocator = allocator};
    snprintf(
      path, sizeof(path), "%s%s", batch->index, batch->index_is_directory ? "/index.html" : "");
    ret = write_text(path, &text, vouch_report_index(title, rows, count, &text));
  }
  if (batch->junit && ret == VOUCH_RET_OK) {
    vouch_text_t text = {.allocator = allocator};
    ret = write_text(batch->junit, &text, vouch_report_junit(title, rows, count, &text));
  }
  vouch_free(&allocator, rows);
  return ret;
}
