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
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

bool cli_colour(FILE * stream)
{
  const char * off = getenv("NO_COLOR");
  const char * term = getenv("TERM");
  return isatty(fileno(stream)) && !(off && off[0]) && !(term && strcmp(term, "dumb") == 0);
}

double cli_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Waits at most `seconds`, or until somebody wakes us. The mutex is held. */
static void wait_a_little(cli_progress_t * progress, double seconds)
{
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  long nanoseconds = until.tv_nsec + (long)(seconds * 1e9);
  until.tv_sec += nanoseconds / 1000000000L;
  until.tv_nsec = nanoseconds % 1000000000L;
  pthread_cond_timedwait(&progress->wake, &progress->mutex, &until);
}

/* 59 s, 12 min, 3.4 h */
static void write_duration(char * text, size_t size, double seconds)
{
  if (seconds < 90.0) {
    snprintf(text, size, "%.0f s", seconds);
  } else if (seconds < 5400.0) {
    snprintf(text, size, "%.0f min", seconds / 60.0);
  } else {
    snprintf(text, size, "%.1f h", seconds / 3600.0);
  }
}

/* The mutex is held. */
static void write_counts(const cli_progress_t * progress, double elapsed, char * text, size_t size)
{
  char left[32];
  const double rate = (double)(progress->done - progress->begun) / elapsed;
  int used = snprintf(
    text, size, "%s %zu of %zu", progress->label, progress->done, progress->total);
  if (rate > 0.0) {
    write_duration(left, sizeof(left), (double)(progress->total - progress->done) / rate);
    used += snprintf(text + used, size - (size_t)used, ", %.3g/s, %s left", rate, left);
  }
  if (progress->verdicts != NULL) {
    const size_t * v = progress->verdicts;
    snprintf(
      text + used, size - (size_t)used, ": %zu FREE, %zu COLLISION, %zu UNDECIDED, %zu INVALID",
      v[0],
      v[1], v[2], v[3]);
  }
}

/* What does not fit on the line would stay on the terminal. */
static size_t terminal_width(void)
{
  struct winsize window;
  return ioctl(fileno(stderr), TIOCGWINSZ, &window) == 0 && window.ws_col > 1 ?
         window.ws_col - 1u : 79u;
}

static void * show(void * argument)
{
  cli_progress_t * progress = argument;
  double begin = cli_now();
  bool shown = false;
  pthread_mutex_lock(&progress->mutex);
  while (!progress->stop) {
    double elapsed = cli_now() - begin;
    if (elapsed >= 1.0) {
      shown = true;
      char line[256];
      if (progress->total > 0) {
        write_counts(progress, elapsed, line, sizeof(line));
      } else {
        snprintf(line, sizeof(line), "%s, %.0f s", progress->label, elapsed);
      }
      fprintf(stderr, "\r\033[K%.*s", (int)terminal_width(), line);
      fflush(stderr);
    }
    wait_a_little(progress, 0.25);
  }
  pthread_mutex_unlock(&progress->mutex);
  if (shown) {
    fprintf(stderr, "\r\033[K");
    fflush(stderr);
  }
  return NULL;
}

void cli_progress_start(cli_progress_t * progress, const char * label, size_t total)
{
  memset(progress, 0, sizeof(*progress));
  progress->label = label;
  progress->total = total;
  if (!isatty(fileno(stderr))) {
    return;
  }
  pthread_mutex_init(&progress->mutex, NULL);
  pthread_cond_init(&progress->wake, NULL);
  progress->running = pthread_create(&progress->thread, NULL, show, progress) == 0;
}

void cli_progress_label(cli_progress_t * progress, const char * label)
{
  if (progress->running) {
    pthread_mutex_lock(&progress->mutex);
    progress->label = label;
    pthread_mutex_unlock(&progress->mutex);
  }
}

void cli_progress_step(cli_progress_t * progress, size_t * count)
{
  if (progress->running) {
    pthread_mutex_lock(&progress->mutex);
  }
  progress->done++;
  if (count != NULL) {
    (*count)++;
  }
  if (progress->running) {
    pthread_mutex_unlock(&progress->mutex);
  }
}

void cli_progress_stop(cli_progress_t * progress)
{
  if (!progress->running) {
    return;
  }
  pthread_mutex_lock(&progress->mutex);
  progress->stop = true;
  pthread_cond_signal(&progress->wake);
  pthread_mutex_unlock(&progress->mutex);
  pthread_join(progress->thread, NULL);
  pthread_cond_destroy(&progress->wake);
  pthread_mutex_destroy(&progress->mutex);
  progress->running = false;
}
