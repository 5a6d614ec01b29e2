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
 * line. Comma, semicolon or tab; with the last two numbers may have a decimal comma. A unit may stand
 * behind a name, as in "Time [s]" and "A1 (deg)". Blank lines and lines that begin with # are
 * skipped. */

#include <math.h>
#include <string.h>
#include <strings.h>

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
  vouch_csv_format_t * format;
  bool used[MAX_COLUMNS];
  bool plain_angle[MAX_COLUMNS];   // of a joint that turns, in radians because nobody said otherwise
  double factor[MAX_COLUMNS];      // to seconds, radians or metres
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

/* ---- the header ---- */

/// Cuts "name [unit]" or "name (unit)" in two; the unit is empty where there is none.
static const char * cut_unit(char * name)
{
  const size_t size = strlen(name);
  const char close = size > 0 ? name[size - 1] : '\0';
  char * open = close == ']' ? strrchr(name, '[') : close == ')' ? strrchr(name, '(') : NULL;
  if (open == NULL) {
    return "";
  }
  name[size - 1] = '\0';
  *open = '\0';
  for (char * end = open; end > name && end[-1] == ' '; --end) {
    end[-1] = '\0';
  }
  return open + 1;
}

static bool is_time_name(const char * name)
{
  return strcasecmp(name, "time") == 0 || strcasecmp(name, "time_s") == 0 || strcmp(name, "t") == 0;
}

/// How many of ours one is: seconds (kind 's'), radians ('r') or metres ('m'). 0: another kind.
static double unit_factor(const char * unit, char kind)
{
  static const struct {const char * unit; char kind; double factor;} units[] = {
    {"s", 's', 1.0}, {"sec", 's', 1.0}, {"seconds", 's', 1.0}, {"ms", 's', 1e-3},
    {"rad", 'r', 1.0}, {"deg", 'r', M_PI / 180.0}, {"degrees", 'r', M_PI / 180.0},
    {"\xc2\xb0", 'r', M_PI / 180.0}, {"m", 'm', 1.0}, {"mm", 'm', 1e-3}
  };
  double factor = 0.0;
  for (size_t i = 0; i < sizeof(units) / sizeof(*units); ++i) {
    if (units[i].kind == kind && strcasecmp(units[i].unit, unit) == 0) {
      factor = units[i].factor;
    }
  }
  return factor;
}

static vouch_ret_t unknown_column(const csv_t * csv, const char * column)
{
  const vouch_robot_t * robot = csv->format->robot;
  vouch_guess_t guess = {.word = column};
  char question[160];
  vouch_text_t names = {.allocator = csv->arena->allocator};
  for (size_t i = 0; i < robot->variable_count; ++i) {
    const char * name = vouch_robot_variable_name(robot, i);
    vouch_guess_try(&guess, name);
    vouch_text_append(&names, "%s%s", i == 0 ? "" : ", ", name);
  }
  vouch_ret_t ret = vouch_fail(
    VOUCH_RET_INVALID, "%s:%zu: the column '%.100s' is neither 'time' nor a joint of the robot%s. Its "
    "joints are %.600s; --columns says which columns count", csv->name, csv->line, column,
    vouch_guess_question(
      &guess,
      question), names.data == NULL ? "none" : names.data);
  vouch_text_fini(&names);
  return ret;
}

static vouch_ret_t take_time(csv_t * csv, size_t column, const char * name, const char * unit)
{
  if (csv->time_column != MAX_COLUMNS) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s:%zu: the column '%s' is there twice", csv->name, csv->line, name);
  }
  csv->time_column = column;
  csv->factor[column] = unit[0] == '\0' ? 1.0 : unit_factor(unit, 's');
  return csv->factor[column] > 0.0 ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "%s:%zu: the time is in '%.40s'; s and ms are read", csv->name, csv->line,
    unit);
}

/// A joint that turns is in radians, or in degrees where that is asked for or written.
static vouch_ret_t take_joint(csv_t * csv, size_t column, uint32_t joint, const char * unit)
{
  const vouch_joint_t * j = &csv->format->robot->joints[joint];
  const bool turns = j->type == VOUCH_URDF_REVOLUTE || j->type == VOUCH_URDF_CONTINUOUS;
  if (unit[0] == '\0') {
    csv->factor[column] = turns && csv->format->degrees ? M_PI / 180.0 : 1.0;
    csv->plain_angle[column] = turns && !csv->format->degrees;
    return VOUCH_RET_OK;
  }
  csv->factor[column] = unit_factor(unit, turns ? 'r' : 'm');
  return csv->factor[column] > 0.0 ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "%s:%zu: joint '%s' is in '%.40s'; %s are read", csv->name, csv->line,
    j->name,
    unit, turns ? "rad and deg" : "m and mm");
}

/// The entry of --columns that is about a column: COLUMN, or JOINT=COLUMN. *joint: its length before
/// the '=', or 0. NULL: there is none.
static const char * find_entry(const char * columns, const char * column, size_t * joint)
{
  const size_t length = strlen(column);
  for (const char * at = columns; at != NULL && *at != '\0'; ) {
    const size_t size = strcspn(at, ",");
    const char * equals = memchr(at, '=', size);
    const size_t before = equals == NULL ? 0 : (size_t)(equals + 1 - at);
    if (size - before == length && memcmp(at + before, column, length) == 0) {
      *joint = before == 0 ? 0 : before - 1;
      return at;
    }
    at += size + (at[size] == ',');
  }
  return NULL;
}

/// *name: what the column stands for; NULL: it does not count.
static vouch_ret_t choose_column(csv_t * csv, size_t column, char ** name)
{
  size_t joint = 0;
  char * field = csv->fields[column];
  const char * entry = find_entry(csv->format->columns, field, &joint);
  *name = field;
  csv->format->chosen += entry != NULL;
  if (csv->format->columns != NULL && entry == NULL) {
    vouch_text_append(
      &csv->format->unused, "%s%s", csv->format->unused.size == 0 ? "" : ", ", field);
    *name = NULL;
  } else if (entry != NULL && joint > 0) {
    *name = vouch_arena_calloc(csv->arena, joint + 1, 1);
    if (*name == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
    memcpy(*name, entry, joint);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_column(csv_t * csv, size_t column, vouch_trajectory_t * trajectory)
{
  const vouch_robot_t * robot = csv->format->robot;
  char * name = NULL;
  if (csv->fields[column][0] == '\0') {
    return fail(csv, "a column has no name");
  }
  vouch_ret_t ret = choose_column(csv, column, &name);
  csv->used[column] = name != NULL;
  if (ret != VOUCH_RET_OK || name == NULL) {
    return ret;
  }
  uint32_t joint = vouch_robot_find_joint(robot, name);
  char * whole = vouch_arena_strdup(csv->arena, name);
  if (whole == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  const char * unit = joint == VOUCH_NONE ? cut_unit(name) : "";
  joint = joint == VOUCH_NONE ? vouch_robot_find_joint(robot, name) : joint;
  if (strcmp(name, "time") == 0 || (joint == VOUCH_NONE && is_time_name(name))) {
    return take_time(csv, column, name, unit);
  }
  if (joint == VOUCH_NONE) {
    return unknown_column(csv, whole);
  }
  const char ** names = (const char **)trajectory->joint_names;
  names[trajectory->joint_count++] = robot->joints[joint].name;
  return take_joint(csv, column, joint, unit);
}

/// Every column that was asked for by name is there.
static vouch_ret_t check_chosen(const csv_t * csv)
{
  size_t entries = 0;
  for (const char * at = csv->format->columns; at != NULL && *at != '\0'; ) {
    const size_t size = strcspn(at, ",");
    entries++;
    at += size + (at[size] == ',');
  }
  return entries == csv->format->chosen ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "%s:%zu: --columns %.200s names %zu columns, and the header has %zu of them",
    csv->name, csv->line, csv->format->columns, entries, csv->format->chosen);
}

static vouch_ret_t read_header(csv_t * csv, vouch_trajectory_t * trajectory)
{
  char * line = next_line(csv);
  if (line == NULL) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s: it is empty; a header of joint names is expected", csv->name);
  }
  csv->separator = strchr(line, ',') != NULL ? ',' : strchr(line, ';') != NULL ? ';' :
    strchr(line, '\t') != NULL ? '\t' : ',';
  vouch_ret_t ret = split(csv, line);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  trajectory->joint_names = vouch_arena_calloc(
    csv->arena, csv->field_count, sizeof(*trajectory->joint_names));
  if (trajectory->joint_names == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  csv->time_column = MAX_COLUMNS;
  for (size_t i = 0; i < csv->field_count && ret == VOUCH_RET_OK; ++i) {
    ret = read_column(csv, i, trajectory);
  }
  return ret == VOUCH_RET_OK ? check_chosen(csv) : ret;
}

/* ---- the points ---- */

/// A decimal comma is one where commas separate nothing.
static bool parse_number(const csv_t * csv, char * field, double * value)
{
  char * comma = csv->separator == ',' ? NULL : strchr(field, ',');
  if (comma != NULL && strchr(field, '.') == NULL && strchr(comma + 1, ',') == NULL) {
    *comma = '.';
  }
  return vouch_parse_double(field, value);
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
      VOUCH_RET_INVALID, "%s:%zu: %zu values, but the header names %zu columns%s", csv->name,
      csv->line, csv->field_count, columns, csv->separator == ',' && csv->field_count > columns ?
      " (with decimal commas, separate columns by ';')" : "");
  }
  double * positions = vouch_arena_calloc(csv->arena, columns, sizeof(*positions));
  if (positions == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  size_t joint = 0;
  for (size_t i = 0; i < columns; ++i) {
    double value = 0.0;
    if (!csv->used[i]) {
      continue;
    }
    if (!parse_number(csv, csv->fields[i], &value)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "%s:%zu: '%.40s' is not a finite number", csv->name, csv->line,
        csv->fields[i]);
    }
    if (csv->plain_angle[i]) {
      csv->format->largest_angle = fmax(csv->format->largest_angle, fabs(value));
    }
    value *= csv->factor[i];
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
  vouch_csv_format_t * format, vouch_trajectory_t * trajectory)
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
  csv_t csv = {.arena = arena, .name = name, .cursor = copy, .format = format};
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
