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

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/batch.h"
#include "cli/commands.h"
#include "cli/terminal.h"

static const cli_option_t own_options[] = {
  {"times", NULL, "Batch", "the seconds of each check too"},
  {
    "resume", "OUT", "Batch",
    "what an interrupted run of the same list wrote: its rows are not run again;\n"
    "append the rest to it (>> OUT). Half a line at its end is cut off"
  },
  {"junit", "FILE", "Batch", "JUnit XML: one test case a row"},
  {NULL, NULL, NULL, NULL}
};

const cli_command_t cli_batch_command = {
  .name = "batch", .summary = "many, listed in a CSV file",
  .usage = "vouch batch LIST.csv [--threads N] [--json] [--times] [--resume OUT] [options]\n",
  .about =
    "Checks every row of a list. Columns are named like the options below, without dashes: robot,\n"
    "srdf, scene, request, trajectory, margin, tolerance, model, ... and 'name'. An empty cell means\n"
    "what the command line says; several scenes, packages, starts and the like in one cell are\n"
    "separated by ';'. Relative file names start where the list is, also of what is written.\n",
  .own = own_options, .shared = true, .output = true,
  .ends =
    "Exit code: 4 if a row met an internal fault, else 3 if one was INVALID, else 1 if one was a\n"
    "COLLISION, else 2 if one was UNDECIDED, else 0.\n",
  .examples =
    "  vouch batch night.csv --robot arm.urdf --srdf arm.srdf --threads 4 > verdicts.csv\n"
    "  vouch batch night.csv --robot arm.urdf --srdf arm.srdf --resume verdicts.csv >> verdicts.csv\n"
    "  vouch batch night.csv --json --margin 0.005 | jq -r 'select(.verdict != \"FREE\") | .name'\n"
};

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
  vouch_text_append(out, ",%zu,", result->open_count + report->doubt_count);
  if (times) {
    vouch_text_append(out, ",%.9f", result->statistics.seconds);
  }
  vouch_text_append(out, "\n");
}

/* ---- work ---- */

static vouch_ret_t run_session(cli_batch_t * batch, cli_session_t * session)
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

static void run_row(cli_batch_t * batch, cli_batch_row_t * row)
{
  cli_session_t session = {.settings = &row->settings, .load_seconds = -1.0};
  const cli_batch_robot_t * robot = &batch->robots[row->robot];
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
  cli_batch_pages_keep(batch, row, &report);
  cli_session_fini(&session);
}

static void * work(void * argument)
{
  cli_batch_t * batch = argument;
  size_t number;
  while (atomic_load(&batch->interrupted) == 0 &&
    (number = atomic_fetch_add(&batch->next, 1)) < batch->list.row_count)
  {
    run_row(batch, &batch->rows[number]);
    pthread_mutex_lock(&batch->mutex);
    batch->rows[number].done = true;
    pthread_cond_signal(&batch->changed);
    pthread_mutex_unlock(&batch->mutex);
  }
  return NULL;
}

/* Rows that run when the interrupt comes may still end within this time. */
#define GRACE_S 2

/* False: it was interrupted, and the row did not end in time. */
static bool wait_for(cli_batch_t * batch, const cli_batch_row_t * row)
{
  struct timespec until = {0, 0};
  int why = 0;
  pthread_mutex_lock(&batch->mutex);
  while (!row->done && why == 0) {
    if (atomic_load(&batch->interrupted) == 0) {
      pthread_cond_wait(&batch->changed, &batch->mutex);
    } else {
      if (until.tv_sec == 0) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += GRACE_S;
      }
      why = pthread_cond_timedwait(&batch->changed, &batch->mutex, &until);
    }
  }
  const bool done = row->done;
  pthread_mutex_unlock(&batch->mutex);
  return done;
}

void cli_batch_write_header(const cli_batch_t * batch, vouch_text_t * out)
{
  vouch_text_append(out, "%s%s", CSV_HEADER, batch->times ? ",seconds" : "");
}

/* Prints rows as they become ready, in order, each as a whole. Returns how many of the list are there. */
static size_t print_rows(cli_batch_t * batch, cli_progress_t * progress)
{
  if (!batch->json && !batch->header_there) {
    printf("%s%s\n", CSV_HEADER, batch->times ? ",seconds" : "");
  }
  size_t i = batch->finished;
  for (; i < batch->list.row_count && wait_for(batch, &batch->rows[i]); i++) {
    cli_batch_row_t * row = &batch->rows[i];
    if (row->output.data) {
      fwrite(row->output.data, 1, row->output.size, stdout);
      fflush(stdout);
    }
    vouch_text_fini(&row->output);
    cli_progress_step(progress, &batch->counts[row->code]);
  }
  return i;
}

/* Waits for a signal that would end the program, and lets the rows end first. */
static void * watch(void * argument)
{
  cli_batch_t * batch = argument;
  sigset_t signals;
  int signal = 0;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  if (sigwait(&signals, &signal) == 0) {
    pthread_mutex_lock(&batch->mutex);
    atomic_store(&batch->interrupted, signal);
    pthread_cond_broadcast(&batch->changed);
    pthread_mutex_unlock(&batch->mutex);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);   // a second one ends it at once
  }
  return NULL;
}

/* Returns how many rows are there in the end. */
static size_t run_all(cli_batch_t * batch, uint32_t threads)
{
  cli_progress_t progress;
  pthread_t workers[64], watcher;
  uint32_t started = 0;
  sigset_t signals, before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  const bool watched = pthread_create(&watcher, NULL, watch, batch) == 0;
  threads = threads < 1 ? 1 : threads > 64 ? 64 : threads;
  atomic_store(&batch->next, batch->finished);
  cli_progress_start(&progress, "checked", batch->list.row_count);
  if (progress.running) {
    pthread_mutex_lock(&progress.mutex);
    progress.done = progress.begun = batch->finished;
    progress.verdicts = batch->counts;
    pthread_mutex_unlock(&progress.mutex);
  }
  while (started < threads && pthread_create(&workers[started], NULL, work, batch) == 0) {
    started++;
  }
  if (started == 0) {
    work(batch);
  }
  const size_t rows = print_rows(batch, &progress);
  for (uint32_t i = 0; i < started && rows == batch->list.row_count; i++) {
    pthread_join(workers[i], NULL);
  }
  cli_progress_stop(&progress);
  if (watched) {
    pthread_cancel(watcher);
    pthread_join(watcher, NULL);
  }
  if (atomic_load(&batch->interrupted) == 0) {
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  return rows;
}

static int summarise(const cli_batch_t * batch, size_t rows, double seconds, bool quiet)
{
  const size_t * counts = batch->counts;
  const size_t all = batch->list.row_count;
  fflush(stdout);
  if (!quiet) {
    if (rows < all) {
      fprintf(stderr, "interrupted after %zu of ", rows);
    }
    fprintf(
      stderr, "%zu rows in %.1f s: %zu FREE, %zu COLLISION, %zu UNDECIDED, %zu INVALID", all,
      seconds, counts[0], counts[1], counts[2], counts[3]);
    fprintf(stderr, counts[4] ? ", %zu internal faults\n" : "\n", counts[4]);
    if (batch->finished > 0) {
      fprintf(stderr, "%zu of them were there already\n", batch->finished);
    }
    if (rows < all) {
      fprintf(stderr, "the same command with --resume OUT >> OUT goes on; OUT is what it wrote\n");
    }
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

static int fail(void)
{
  fprintf(stderr, "vouch batch: %s\n", vouch_error());
  return CLI_EXIT_INVALID;
}

static int run_list(cli_batch_t * batch, const cli_settings_t * settings, int argc, char ** argv)
{
  double begin = cli_now();
  if (cli_batch_check_columns(&batch->list, argv[argc - 1]) != VOUCH_RET_OK ||
    cli_batch_make_rows(batch, argc, argv) != VOUCH_RET_OK ||
    cli_batch_pages_begin(batch, argv[argc - 1]) != VOUCH_RET_OK)
  {
    return fail();
  }
  cli_progress_t progress;
  cli_progress_start(&progress, "loading robots", 0);
  vouch_ret_t ret = cli_batch_load_robots(batch);
  cli_progress_stop(&progress);
  if (ret != VOUCH_RET_OK) {
    return fail();
  }
  pthread_mutex_init(&batch->mutex, NULL);
  pthread_mutex_init(&batch->loading, NULL);
  pthread_cond_init(&batch->changed, NULL);
  const size_t rows = run_all(batch, settings->check.threads);
  const int code = summarise(batch, rows, cli_now() - begin, settings->quiet);
  const int signal_number = atomic_load(&batch->interrupted);
  if (signal_number != 0) {   // rows may still run: end as the signal would have ended us
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, signal_number);
    (void)signal(signal_number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
    (void)raise(signal_number);
    _exit(128 + signal_number);
  }
  pthread_cond_destroy(&batch->changed);
  pthread_mutex_destroy(&batch->loading);
  pthread_mutex_destroy(&batch->mutex);
  ret = cli_batch_pages_end(batch, argv[argc - 1]);
  if (ret != VOUCH_RET_OK) {
    fprintf(stderr, "vouch batch: %s\n", vouch_error());
  }
  return ret == VOUCH_RET_OK || code == CLI_EXIT_INTERNAL ? code : cli_exit_of_failure(ret);
}

int vouch_cli_batch(int argc, char ** argv)
{
  if (cli_wants_help(argc, argv)) {
    cli_help_print(&cli_batch_command);
    return 0;
  }
  cli_batch_t batch;
  memset(&batch, 0, sizeof(batch));
  cli_settings_t settings;
  cli_settings_init(&settings);
  int rest = argc, code = CLI_EXIT_INVALID;
  if (cli_settings_parse(
      &settings, argc, argv, own_options, cli_batch_take, &batch,
      &rest) == VOUCH_RET_OK)
  {
    if (rest + 1 != argc) {
      fprintf(
        stderr, "vouch batch: one list (a CSV file) is needed.\n"
        "'vouch batch --help' lists the options.\n");
    } else if (settings.problem || settings.certificate || settings.picture || settings.gltf) {
      fprintf(
        stderr, "vouch batch: every row would write the same --problem, --certificate, --picture or "
        "--gltf; name them in columns of the list.\n");
    } else if (settings.all) {
      fprintf(stderr, "vouch batch: --all is for vouch check, one motion at a time.\n");
    } else if (cli_list_read(&batch.list, argv[rest]) != VOUCH_RET_OK) {
      code = fail();
    } else {
      batch.json = settings.json;
      batch.index = settings.report;
      code = run_list(&batch, &settings, argc, argv);
    }
  }
  cli_batch_fini(&batch);
  cli_settings_fini(&settings);
  return code;
}
