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
/* The rows of vouch batch: what each of them asks for, and the robots that they share. */

#ifndef CLI__BATCH_H_
#define CLI__BATCH_H_

#include <pthread.h>
#include <stdatomic.h>

#include "cli/list.h"
#include "cli/session.h"
#include "base/memory.h"
#include "report/page.h"

/* A robot that rows share. */
typedef struct cli_batch_robot_s
{
  const cli_settings_t * settings;   // of the first row with it
  cli_session_t session;
  vouch_ret_t ret;
  char * error;
} cli_batch_robot_t;

typedef struct cli_batch_row_s
{
  char * name;
  cli_settings_t settings;
  size_t robot;
  vouch_ret_t bad;        // the cells were not understood
  char * error;
  vouch_text_t output;
  vouch_index_row_t told;   // for the index and the test report
  vouch_arena_t arena;      // of its texts
  int code;
  bool done;
  bool finished;          // by the run that is resumed: it is neither run nor printed
} cli_batch_row_t;

typedef struct cli_batch_s
{
  cli_list_t list;
  char * paths;           // memory of file names that were put behind the list's directory
  cli_batch_row_t * rows;
  cli_batch_robot_t * robots;
  size_t robot_count;
  bool json, times;
  const char * resume;    // what an interrupted run wrote; NULL: none
  bool header_there;      // in it
  size_t finished;        // its rows: the first ones of the list
  size_t counts[5];       // rows by exit code
  atomic_int interrupted; // the signal
  const char * index;     // --report: a file, or a directory that gets a page for each row; NULL: none
  bool index_is_directory;
  const char * junit;
  atomic_size_t next;
  pthread_mutex_t mutex;
  pthread_cond_t changed;    // a row is done, or an interrupt came
  pthread_mutex_t loading;   // checkers of one robot are made one after the other
} cli_batch_t;

/// Options of batch itself.
vouch_ret_t cli_batch_take(void * state, const char * name, const char * value) VOUCH_WARN_UNUSED;

/// Every column is an option, or `name`, and none comes twice.
vouch_ret_t cli_batch_check_columns(const cli_list_t * list, const char * path) VOUCH_WARN_UNUSED;
/// Settings of every row. A cell that is not understood makes its row bad, not the call.
vouch_ret_t cli_batch_make_rows(cli_batch_t * batch, int argc, char ** argv) VOUCH_WARN_UNUSED;
/// Header of the output as CSV, without the end of the line.
void cli_batch_write_header(const cli_batch_t * batch, vouch_text_t * out);
/// Reads what an interrupted run wrote (batch->resume): cuts off half a line at its end, and marks the
/// rows that are there. INVALID when they are not the first ones of this list.
vouch_ret_t cli_batch_resume(cli_batch_t * batch) VOUCH_WARN_UNUSED;
/// Loads each robot once.
vouch_ret_t cli_batch_load_robots(cli_batch_t * batch) VOUCH_WARN_UNUSED;
void cli_batch_fini(cli_batch_t * batch);

/* batch_pages.c: --report and --junit. */

/// Makes the directory of --report and says where the page of each row goes.
vouch_ret_t cli_batch_pages_begin(cli_batch_t * batch, const char * list) VOUCH_WARN_UNUSED;
/// Keeps what the index and the test report tell of a row. report->error: what went wrong, if it did.
void cli_batch_pages_keep(
  const cli_batch_t * batch, cli_batch_row_t * row, const vouch_report_t * report);
/// Writes them.
vouch_ret_t cli_batch_pages_end(const cli_batch_t * batch, const char * list) VOUCH_WARN_UNUSED;

#endif  // CLI__BATCH_H_
