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
/* Trajectories as CSV: the header names the joints, `time` (seconds) is optional, then one point a
 * line. Comma or semicolon; blank lines and lines that begin with # are skipped. */

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "read/scan.h"
#include "read/trajectory_reader.h"

enum {MAX_COLUMNS = 1000};

typedef struct csv_s
{
  vouch_arena_t * arena;
  const char * name;
  char * cursor;
  size_t line;
  char separator;
  char * fields[MAX_COLUMNS];
  size_t field_count;
  size_t time_column;   // MAX_COLUMNS: none
} csv_t;

static vouch_ret_t fail(const csv_t * csv, const char * text)
{
  return vouch_fail(VOUCH_RET_INVALID, "%s:%zu: %s", csv->name, csv->line, text);
}

static char * trim(char * text)
{
  while (*text == ' ' || *text == '\t') {
    text++;
  }
  size_t size = strlen(text);
  while (size > 0 && (text[size - 1] == ' ' || text[size - 1] == '\t' || text[size - 1] == '\r')) {
    text[--size] = '\0';
  }
  if (size >= 2 && text[0] == '"' && text[size - 1] == '"') {
    text[size - 1] = '\0';
    text++;
  }
  return text;
}

/// The next line that says something, cut at its end; NULL at the end of the text.
static char * next_line(csv_t * csv)
{
  while (csv->cursor != NULL && *csv->cursor != '\0') {
    char * line = csv->cursor;
    char * end = strchr(line, '\n');
    csv->cursor = end == NULL ? NULL : end + 1;
    if (end != NULL) {
      *end = '\0';
    }
    csv->line++;
    line += strspn(line, " \t");
    if (line[0] != '\0' && line[0] != '#' && strcmp(line, "\r") != 0) {
      return line;
    }
  }
  return NULL;
}

static vouch_ret_t split(csv_t * csv, char * line)
{
  csv->field_count = 0;
  for (char * field = line; field != NULL; ) {
    char * end = strchr(field, csv->separator);
    if (end != NULL) {
      *end = '\0';
    }
    if (csv->field_count == MAX_COLUMNS) {
      return fail(csv, "more than 1000 columns");
    }
    csv->fields[csv->field_count++] = trim(field);
    field = end == NULL ? NULL : end + 1;
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_header(csv_t * csv, vouch_trajectory_t * trajectory)
{
  char * line = next_line(csv);
  if (line == NULL) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s: it is empty; a header of joint names is expected", csv->name);
  }
  csv->separator = strchr(line, ',') == NULL && strchr(line, ';') != NULL ? ';' : ',';
  vouch_ret_t ret = split(csv, line);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const char ** names = vouch_arena_calloc(csv->arena, csv->field_count, sizeof(*names));
  if (names == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  csv->time_column = MAX_COLUMNS;
  for (size_t i = 0; i < csv->field_count; ++i) {
    if (csv->fields[i][0] == '\0') {
      return fail(csv, "a column has no name");
    }
    if (strcmp(csv->fields[i], "time") != 0) {
      names[trajectory->joint_count++] = csv->fields[i];
    } else if (csv->time_column != MAX_COLUMNS) {
      return fail(csv, "the column 'time' is there twice");
    } else {
      csv->time_column = i;
    }
  }
  trajectory->joint_names = names;
  return VOUCH_RET_OK;
}

static vouch_ret_t read_row(
  csv_t * csv, size_t columns, char * line, vouch_trajectory_point_t * point)
{
  vouch_ret_t ret = split(csv, line);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (csv->field_count != columns) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s:%zu: %zu values, but the header names %zu columns", csv->name,
      csv->line, csv->field_count, columns);
  }
  double * positions = vouch_arena_calloc(csv->arena, columns, sizeof(*positions));
  if (positions == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  size_t joint = 0;
  for (size_t i = 0; i < columns; ++i) {
    double value = 0.0;
    if (!vouch_parse_double(csv->fields[i], &value)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "%s:%zu: '%.40s' is not a finite number", csv->name, csv->line,
        csv->fields[i]);
    }
    if (i == csv->time_column) {
      point->time_s = value;
    } else {
      positions[joint++] = value;
    }
  }
  point->positions = positions;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_read_csv_trajectory(
  vouch_arena_t * arena, const char * name, const char * text, size_t size,
  vouch_trajectory_t * trajectory)
{
  *trajectory = (vouch_trajectory_t) {0};
  if (memchr(text, '\0', size) != NULL) {
    return vouch_fail(VOUCH_RET_INVALID, "%s: it is not a text file", name);
  }
  vouch_ret_t ret = vouch_scan_check_lines(name, text, size);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  char * copy = vouch_arena_calloc(arena, size + 1, 1);
  if (copy == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  memcpy(copy, text, size);
  size_t lines = 1;
  for (size_t i = 0; i < size; ++i) {
    lines += text[i] == '\n' ? 1 : 0;
  }
  csv_t csv = {.arena = arena, .name = name, .cursor = copy};
  vouch_trajectory_point_t * points = vouch_arena_calloc(arena, lines, sizeof(*points));
  if (points == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  ret = read_header(&csv, trajectory);
  const size_t columns = csv.field_count;
  char * line = NULL;
  while (ret == VOUCH_RET_OK && (line = next_line(&csv)) != NULL) {
    ret = read_row(&csv, columns, line, &points[trajectory->point_count++]);
  }
  trajectory->points = points;
  return ret;
}
