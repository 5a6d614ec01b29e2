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
/* What differs between a terminal and a pipe: colours, and signs of life during long work. */

#ifndef CLI__TERMINAL_H_
#define CLI__TERMINAL_H_

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// True on a terminal, unless NO_COLOR is set or TERM is dumb.
bool cli_colour(FILE * stream);

/// Seconds of a clock that only goes forward.
double cli_now(void);

/// A line on the terminal (standard error) that appears after one second of work and goes away at
/// the end. Silent when standard error is no terminal.
typedef struct cli_progress_s
{
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t wake;
  bool running, stop;
  const char * label;
  size_t done, total;   // total 0: no count
  size_t begun;         // of `done`, what was there before: no part of the rate
  const size_t * verdicts;   // NULL: none; counts of FREE, COLLISION, UNDECIDED, INVALID
} cli_progress_t;

void cli_progress_start(cli_progress_t * progress, const char * label, size_t total);
void cli_progress_label(cli_progress_t * progress, const char * label);
/// One more is done, with one more in counts (NULL: none), which is what `verdicts` points to.
void cli_progress_step(cli_progress_t * progress, size_t * count);
void cli_progress_stop(cli_progress_t * progress);

#endif  // CLI__TERMINAL_H_
