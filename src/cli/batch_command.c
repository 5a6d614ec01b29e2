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
/* vouch batch: many checks from one list.
 *
 * Rows are checked by several threads and printed in the order of the list, so that the output does
 * not depend on the number of threads. Rows with the same robot share it. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/list.h"
#include "cli/session.h"
#include "cli/terminal.h"

static const char HELP[] =
  "Usage: vouch batch LIST.csv [--threads N] [--json] [--times] [options]\n"
  "\n"
  "Checks every row of a list. Columns are named like the options below, without dashes: robot, srdf,\n"
  "scene, request, trajectory, margin, tolerance, model, ... and `name`. An empty cell means what the command line\n"
  "says; several scenes, packages, starts and the like in one cell are separated by ';'. Files are looked up from where\n"
  "the list is.\n"
  "\n"
  "  --threads N   rows at a time; the output is the same\n"
  "  --json        one JSON object a line instead of CSV\n"
  "  --times       the seconds of each check too\n"
  "  --quiet       no summary\n"
  "\n"
  "Exit code: 4 if a row met an internal fault, else 3 if one was INVALID, else 1 if one was a COLLISION,\n"
  "else 2 if one was UNDECIDED, else 0.\n"
  "\n";

static const char HELP_END[] =
  "\n"
  "Examples\n"
  "  vouch batch night.csv --robot arm.urdf --srdf arm.srdf --threads 4 > verdicts.csv\n"
  "  vouch batch night.csv --json --margin 0.005 | jq -r 'select(.verdict != \"FREE\") | .name'\n";

/* A robot that rows share. */
typedef struct shared_robot_s
{
  const cli_settings_t * settings;   // of the first row with it
  cli_session_t session;
  vouch_ret_t ret;
  char * error;
} shared_robot_t;

typedef struct row_s
{
  char * name;
  cli_settings_t settings;
  size_t robot;
  vouch_ret_t bad;        // the cells were not understood
  char * error;
  vouch_text_t output;
  int code;
  bool done;
} row_t;

typedef struct batch_s
{
  cli_list_t list;
  char * paths;           // memory of file names that were put behind the list's directory
  row_t * rows;
  shared_robot_t * robots;
  size_t robot_count;
  bool json, times;
  atomic_size_t next;
  pthread_mutex_t mutex;
  pthread_cond_t finished;
  pthread_mutex_t loading;   // checkers of one robot are made one after the other
} batch_t;

/* ---- rows ---- */

static bool is_path(const char * column)
{
  static const char * const paths[] = {"robot", "srdf", "scene", "request", "trajectory"};
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
         strcmp(column, "humble-lead-in") == 0;
}

/* One value of one cell. File names are put behind the list's directory; they live in batch->paths. */
static vouch_ret_t set_value(
  batch_t * batch, row_t * row, const char * column, char * value, char ** memory)
{
  if (is_switch(column)) {
    if (strcmp(value, "on") == 0) {
      return cli_settings_set(&row->settings, column, NULL);
    }
    return strcmp(value, "off") == 0 ? VOUCH_RET_OK :
           vouch_fail(VOUCH_RET_INVALID, "%s is on or off, not '%s'.", column, value);
  }
  if (is_path(column) && value[0] != '/') {
    char * joined = *memory;
    size_t directory = strlen(batch->list.directory), length = strlen(value) + 1;
    memcpy(joined, batch->list.directory, directory);
    memcpy(joined + directory, value, length);
    *memory += directory + length;
    value = joined;
  }
  return cli_settings_set(&row->settings, column, value);
}

static vouch_ret_t set_cell(
  batch_t * batch, row_t * row, const char * column, char * cell, char ** memory)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  while (cell && *cell && ret == VOUCH_RET_OK) {
    char * semicolon = strchr(cell, ';');
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

/* Settings of one row: those of the command line (parsed again), then those of its cells. */
static vouch_ret_t fill_row(batch_t * batch, size_t number, char ** memory)
{
  row_t * row = &batch->rows[number];
  const cli_list_t * list = &batch->list;
  for (size_t c = 0; c < list->column_count && row->bad == VOUCH_RET_OK; c++) {
    const char * column = cli_list_column(list, c);
    char * cell = list->cells[(number + 1) * list->column_count + c];
    if (strcmp(column, "name") == 0) {
      row->name = cell;
    } else {
      row->bad = set_cell(batch, row, column, cell, memory);
    }
  }
  if (!row->name || !row->name[0]) {
    const char * slash = row->settings.trajectory ? strrchr(row->settings.trajectory, '/') : NULL;
    row->name = (char *)(slash ? slash + 1 :
      row->settings.trajectory ? row->settings.trajectory : "");
  }
  if (row->bad != VOUCH_RET_OK) {
    row->bad = vouch_fail_prefix(
      VOUCH_RET_INVALID, "line %zu of the list", cli_list_line(list, number));
    return copy_error(&row->error);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_columns(const cli_list_t * list, const char * path)
{
  static const char * const known[] = {
    "name", "robot", "srdf", "package", "scene", "request", "trajectory", "group-state", "start",
    "padding", "scale", "hulls", "surfaces", "humble-lead-in", "model", "method", "margin",
    "tolerance", "tolerance-m", "joint-tolerance", "deadline", "depth", "memory", "first-contact",
    "clearance", "clearance-resolution", "problem", "certificate", "picture"
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

static bool same_text(const char * a, const char * b)
{
  return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_numbers(const cli_numbers_t * a, const cli_numbers_t * b)
{
  bool same = a->count == b->count;
  for (size_t i = 0; i < a->count && same; i++) {
    same = same_text(a->items[i].name, b->items[i].name) && a->items[i].value == b->items[i].value;
  }
  return same;
}

static bool same_robot(const cli_settings_t * a, const cli_settings_t * b)
{
  bool same = same_text(a->robot, b->robot) && same_text(a->srdf, b->srdf) &&
    same_text(a->cache, b->cache) && a->hulls == b->hulls && a->surfaces == b->surfaces &&
    same_numbers(&a->paddings, &b->paddings) && same_numbers(&a->scales, &b->scales) &&
    a->packages.count == b->packages.count;
  for (size_t i = 0; i < a->packages.count && same; i++) {
    same = same_text(a->packages.items[i], b->packages.items[i]);
  }
  return same;
}

static vouch_ret_t load_robots(batch_t * batch)
{
  for (size_t i = 0; i < batch->list.row_count; i++) {
    row_t * row = &batch->rows[i];
    if (row->bad != VOUCH_RET_OK) {
      continue;
    }
    size_t k = 0;
    while (k < batch->robot_count && !same_robot(batch->robots[k].settings, &row->settings)) {
      k++;
    }
    row->robot = k;
    if (k == batch->robot_count) {
      shared_robot_t * robot = &batch->robots[batch->robot_count++];
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

/* ---- output ---- */

static void append_csv_text(vouch_text_t * out, const char * text)
{
  text = text ? text : "";
  if (!strpbrk(text, ",\"\r\n")) {
    vouch_text_append(out, "%s", text);
    return;
  }
  vouch_text_append(out, "\"");
  for (; *text; text++) {
    vouch_text_append(out, *text == '"' ? "\"\"" : "%c", *text);
  }
  vouch_text_append(out, "\"");
}

static const char CSV_HEADER[] =
  "name,verdict,a,b,time_s,segment,fraction,depth_m,free_until_s,clearance_lower_m,"
  "clearance_upper_m,clearance_a,clearance_b,clearance_time_s,open,error";

static void append_csv_contact(vouch_text_t * out, const vouch_contact_t * c)
{
  vouch_text_append(out, ",");
  append_csv_text(out, c->kind != VOUCH_CONTACT_NONE ? c->a : "");
  vouch_text_append(out, ",");
  append_csv_text(out, c->kind != VOUCH_CONTACT_NONE ? c->b : "");
  if (c->kind == VOUCH_CONTACT_NONE) {
    vouch_text_append(out, ",,,,");
  } else {
    vouch_text_append(
      out, ",%.17g,%zu,%.17g,%.17g", c->time_s, c->segment, c->fraction, c->depth_m);
  }
}

static void append_csv(const vouch_report_t * report, bool times, vouch_text_t * out)
{
  const vouch_result_t * result = report->result;
  append_csv_text(out, report->name);
  if (!result) {
    vouch_text_append(out, ",INVALID,,,,,,,,,,,,,,");
    append_csv_text(out, report->error);
    vouch_text_append(out, times ? ",\n" : "\n");
    return;
  }
  const vouch_clearance_t * clearance = &result->clearance;
  vouch_text_append(out, ",%s", vouch_verdict_name(result->verdict));
  append_csv_contact(out, &result->first_collision);
  vouch_text_append(out, ",%.17g", result->free_until_s);
  if (clearance->valid) {
    vouch_text_append(out, ",%.17g,%.17g,", clearance->lower_m, clearance->upper_m);
    append_csv_text(out, clearance->a);
    vouch_text_append(out, ",");
    append_csv_text(out, clearance->b);
    vouch_text_append(out, ",%.17g", clearance->time_s);
  } else {
    vouch_text_append(out, ",,,,,");
  }
  vouch_text_append(out, ",%zu,", result->open_count);
  if (times) {
    vouch_text_append(out, ",%.9f", result->statistics.seconds);
  }
  vouch_text_append(out, "\n");
}

/* ---- work ---- */

static vouch_ret_t run_session(batch_t * batch, cli_session_t * session)
{
  vouch_ret_t ret = cli_session_load_scene(session);
  if (ret == VOUCH_RET_OK) {
    ret = cli_session_load_motion(session);
  }
  if (ret == VOUCH_RET_OK) {
    pthread_mutex_lock(&batch->loading);
    ret = cli_session_create_checker(session);
    pthread_mutex_unlock(&batch->loading);
  }
  if (ret == VOUCH_RET_OK) {
    ret = cli_session_check(session);
  }
  return ret == VOUCH_RET_OK ? cli_session_write_files(session) : ret;
}

static void run_row(batch_t * batch, row_t * row)
{
  cli_session_t session = {.settings = &row->settings, .load_seconds = -1.0};
  const shared_robot_t * robot = &batch->robots[row->robot];
  vouch_ret_t ret = row->bad;
  const char * error = row->error;
  if (ret == VOUCH_RET_OK && robot->ret != VOUCH_RET_OK) {
    ret = robot->ret;
    error = robot->error;
  } else if (ret == VOUCH_RET_OK) {
    session.robot = robot->session.robot;
    ret = run_session(batch, &session);
    error = vouch_error();
  }
  vouch_report_t report = cli_session_report(&session, ret);
  report.error = error;
  report.name = row->name;
  report.hide_times = !batch->times;
  row->output = (vouch_text_t) {.allocator = vouch_allocator_default()};
  row->code = ret == VOUCH_RET_OK ? cli_exit_of_verdict(session.result.verdict) :
    cli_exit_of_failure(ret);
  if (!batch->json) {
    append_csv(&report, batch->times, &row->output);
  } else if (vouch_report_json(&report, true, &row->output) != VOUCH_RET_OK) {
    row->code = CLI_EXIT_INTERNAL;
  }
  cli_session_fini(&session);
}

static void * work(void * argument)
{
  batch_t * batch = argument;
  size_t number;
  while ((number = atomic_fetch_add(&batch->next, 1)) < batch->list.row_count) {
    run_row(batch, &batch->rows[number]);
    pthread_mutex_lock(&batch->mutex);
    batch->rows[number].done = true;
    pthread_cond_signal(&batch->finished);
    pthread_mutex_unlock(&batch->mutex);
  }
  return NULL;
}

/* Prints rows as they become ready, in order. */
static void print_rows(batch_t * batch, cli_progress_t * progress, size_t counts[5])
{
  if (!batch->json) {
    printf("%s%s\n", CSV_HEADER, batch->times ? ",seconds" : "");
  }
  for (size_t i = 0; i < batch->list.row_count; i++) {
    row_t * row = &batch->rows[i];
    pthread_mutex_lock(&batch->mutex);
    while (!row->done) {
      pthread_cond_wait(&batch->finished, &batch->mutex);
    }
    pthread_mutex_unlock(&batch->mutex);
    if (row->output.data) {
      fwrite(row->output.data, 1, row->output.size, stdout);
    }
    vouch_text_fini(&row->output);
    counts[row->code]++;
    cli_progress_step(progress);
  }
}

static void run_all(batch_t * batch, uint32_t threads, size_t counts[5])
{
  cli_progress_t progress;
  pthread_t workers[64];
  uint32_t started = 0;
  threads = threads < 1 ? 1 : threads > 64 ? 64 : threads;
  cli_progress_start(&progress, "checked", batch->list.row_count);
  while (started < threads && pthread_create(&workers[started], NULL, work, batch) == 0) {
    started++;
  }
  if (started == 0) {
    work(batch);
  }
  print_rows(batch, &progress, counts);
  for (uint32_t i = 0; i < started; i++) {
    pthread_join(workers[i], NULL);
  }
  cli_progress_stop(&progress);
}

static int summarise(const size_t counts[5], size_t rows, double seconds, bool quiet)
{
  if (!quiet) {
    fprintf(
      stderr, "%zu rows in %.1f s: %zu FREE, %zu COLLISION, %zu UNDECIDED, %zu INVALID", rows,
      seconds, counts[0], counts[1], counts[2], counts[3]);
    fprintf(stderr, counts[4] ? ", %zu internal faults\n" : "\n", counts[4]);
  }
  static const int order[] = {
    CLI_EXIT_INTERNAL, CLI_EXIT_INVALID, CLI_EXIT_COLLISION, CLI_EXIT_UNDECIDED
  };
  for (size_t i = 0; i < 4; i++) {
    if (counts[order[i]] > 0) {
      return order[i];
    }
  }
  return CLI_EXIT_FREE;
}

/* ---- set-up ---- */

static const cli_extra_t EXTRA[] = {{"times", false}, {NULL, false}};

static vouch_ret_t take(void * state, const char * name, const char * value)
{
  (void)name;
  (void)value;
  ((batch_t *)state)->times = true;
  return VOUCH_RET_OK;
}

static vouch_ret_t make_rows(batch_t * batch, int argc, char ** argv)
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
    row_t * row = &batch->rows[i];
    int rest;
    cli_settings_init(&row->settings);
    vouch_ret_t ret = cli_settings_parse(&row->settings, argc, argv, EXTRA, take, batch, &rest);
    if (ret == VOUCH_RET_OK) {
      row->settings.check.threads = 1;
      ret = fill_row(batch, i, &memory);
    }
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  return VOUCH_RET_OK;
}

static int fail(void)
{
  fprintf(stderr, "vouch batch: %s\n", vouch_error());
  return CLI_EXIT_INVALID;
}

static int run_list(batch_t * batch, const cli_settings_t * settings, int argc, char ** argv)
{
  double begin = cli_now();
  size_t counts[5] = {0, 0, 0, 0, 0};
  if (check_columns(&batch->list, argv[argc - 1]) != VOUCH_RET_OK ||
    make_rows(batch, argc, argv) != VOUCH_RET_OK)
  {
    return fail();
  }
  cli_progress_t progress;
  cli_progress_start(&progress, "loading robots", 0);
  vouch_ret_t ret = load_robots(batch);
  cli_progress_stop(&progress);
  if (ret != VOUCH_RET_OK) {
    return fail();
  }
  pthread_mutex_init(&batch->mutex, NULL);
  pthread_mutex_init(&batch->loading, NULL);
  pthread_cond_init(&batch->finished, NULL);
  run_all(batch, settings->check.threads, counts);
  pthread_cond_destroy(&batch->finished);
  pthread_mutex_destroy(&batch->loading);
  pthread_mutex_destroy(&batch->mutex);
  return summarise(counts, batch->list.row_count, cli_now() - begin, settings->quiet);
}

static void batch_fini(batch_t * batch)
{
  for (size_t i = 0; i < batch->robot_count; i++) {
    cli_session_fini(&batch->robots[i].session);
    free(batch->robots[i].error);
  }
  for (size_t i = 0; batch->rows && i < batch->list.row_count; i++) {
    cli_settings_fini(&batch->rows[i].settings);
    free(batch->rows[i].error);
  }
  free(batch->rows);
  free(batch->robots);
  free(batch->paths);
  cli_list_fini(&batch->list);
}

int vouch_cli_batch(int argc, char ** argv)
{
  if (cli_wants_help(argc, argv)) {
    printf("%s%s%s", HELP, cli_settings_help, HELP_END);
    return 0;
  }
  batch_t batch;
  memset(&batch, 0, sizeof(batch));
  cli_settings_t settings;
  cli_settings_init(&settings);
  int rest = argc, code = CLI_EXIT_INVALID;
  if (cli_settings_parse(&settings, argc, argv, EXTRA, take, &batch, &rest) == VOUCH_RET_OK) {
    if (rest + 1 != argc) {
      fprintf(
        stderr, "vouch batch: one list (a CSV file) is needed.\n"
        "'vouch batch --help' lists the options.\n");
    } else if (cli_list_read(&batch.list, argv[rest]) != VOUCH_RET_OK) {
      code = fail();
    } else {
      batch.json = settings.json;
      code = run_list(&batch, &settings, argc, argv);
    }
  }
  batch_fini(&batch);
  cli_settings_fini(&settings);
  return code;
}
