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

/* Checks the shared MotionBenchMaker paths and prints one CSV line each:
 *   paths [--direct] [--robot panda] [--limit n] [--stride n] [--repeat n] [--method schwarzer] [--clearance]
 *         [--first-contact] [--threads n] [--certificates directory] */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/mbm.h"

static int compare(const void * a, const void * b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void save(const vouch_checker_t * checker, const char * directory, const mbm_row_t * row)
{
  uint8_t * data[2];
  size_t size[2];
  if (vouch_checker_problem(checker, &data[0], &size[0]) != VOUCH_RET_OK ||
    vouch_checker_certificate(checker, &data[1], &size[1]) != VOUCH_RET_OK)
  {
    fprintf(stderr, "%s: no certificate: %s\n", row->problem, vouch_error());
    return;
  }
  for (int i = 0; i < 2; i++) {
    char path[4096];
    snprintf(
      path, sizeof(path), "%s/%s_%s_%s.%s", directory, row->family, row->robot, row->number,
      i == 0 ? "problem" : "certificate");
    FILE * file = fopen(path, "wb");
    if (file == NULL || fwrite(data[i], 1, size[i], file) != size[i]) {
      fprintf(stderr, "%s: cannot write\n", path);
    }
    if (file != NULL) {
      fclose(file);
    }
    vouch_bytes_free(checker, data[i]);
  }
}

int main(int argc, char ** argv)
{
  bool direct = false;
  const char * robot = NULL, * certificates = NULL, * only = NULL;
  size_t limit = SIZE_MAX;
  int repeat = 1;
  size_t stride = 1, seen = 0;
  vouch_check_options_t options = vouch_check_options_default();
  options.clearance = false;
  options.first_contact = false;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--direct") == 0) {
      direct = true;
    } else if (strcmp(argv[i], "--clearance") == 0) {
      options.clearance = true;
    } else if (strcmp(argv[i], "--first-contact") == 0) {
      options.first_contact = true;
    } else if (i + 1 < argc && strcmp(argv[i], "--robot") == 0) {
      robot = argv[++i];
    } else if (i + 1 < argc && strcmp(argv[i], "--only") == 0) {
      only = argv[++i];
    } else if (i + 1 < argc && strcmp(argv[i], "--limit") == 0) {
      limit = (size_t)atol(argv[++i]);
    } else if (i + 1 < argc && strcmp(argv[i], "--stride") == 0) {
      stride = (size_t)atol(argv[++i]) > 0 ? (size_t)atol(argv[i]) : 1u;
    } else if (i + 1 < argc && strcmp(argv[i], "--repeat") == 0) {
      repeat = atoi(argv[++i]);
    } else if (i + 1 < argc && strcmp(argv[i], "--threads") == 0) {
      options.threads = (uint32_t)atoi(argv[++i]);
    } else if (i + 1 < argc && strcmp(argv[i], "--deadline") == 0) {
      options.deadline_s = atof(argv[++i]);
    } else if (i + 1 < argc && strcmp(argv[i], "--certificates") == 0) {
      certificates = argv[++i];
      options.certificate = true;
    } else if (i + 1 < argc && strcmp(argv[i], "--method") == 0) {
      options.method = strcmp(argv[++i], "schwarzer") == 0 ? VOUCH_METHOD_SCHWARZER :
        VOUCH_METHOD_CHORD;
    } else {
      fprintf(stderr, "paths: unknown option %s\n", argv[i]);
      return 2;
    }
  }
  mbm_t mbm;
  if (!mbm_open(&mbm, direct)) {
    fprintf(stderr, "paths: the shared data is absent: not run\n");
    return 3;
  }
  double * times = calloc(mbm.count, sizeof(double));
  size_t done = 0, counts[4] = {0}, wrong = 0;
  printf("problem,label,verdict,us,leaves,tests,gjk,configurations,t,free_until,lower,upper,a,b\n");
  for (size_t i = 0; i < mbm.count && done < limit; i++) {
    const mbm_row_t * row = &mbm.rows[i];
    if ((robot != NULL && strcmp(row->robot, robot) != 0) ||
      (only != NULL && strcmp(row->problem, only) != 0) || seen++ % stride != 0)
    {
      continue;
    }
    mbm_case_t problem = mbm_load(&mbm, row, direct);
    vouch_checker_t * checker;
    vouch_result_t result = {0};
    if (vouch_checker_create(&checker, problem.scene, &options) != VOUCH_RET_OK) {
      fprintf(stderr, "%s: %s\n", row->problem, vouch_error());
      return 1;
    }
    double best = INFINITY;
    for (int k = 0; k < repeat; k++) {
      if (vouch_check(checker, problem.motion, &result) != VOUCH_RET_OK) {
        fprintf(stderr, "%s: %s\n", row->problem, vouch_error());
        return 1;
      }
      best = fmin(best, result.statistics.cpu_seconds);
    }
    times[done++] = 1e6 * best;
    counts[result.verdict]++;
    bool collides = result.verdict == VOUCH_COLLISION;
    double t = collides ? (double)result.first_collision.segment + result.first_collision.fraction :
      -1.0;
    wrong += (strcmp(row->label, "COLLISION") == 0 && result.verdict == VOUCH_FREE) ||
      (strcmp(row->label, "free") == 0 && collides);
    printf(
      "%s,%s,%s,%.1f,%llu,%llu,%llu,%llu,%.9f,%.9f,%.9g,%.9g,%s,%s\n", row->problem, row->label,
      vouch_verdict_name(result.verdict), 1e6 * best,
      (unsigned long long)result.statistics.leaves,
      (unsigned long long)result.statistics.chord_tests,
      (unsigned long long)result.statistics.distance_queries,
      (unsigned long long)result.statistics.configurations, t, result.free_until_s,
      result.clearance.lower_m, result.clearance.upper_m,
      collides ? result.first_collision.a : result.open_count ? result.open[0].a : "-",
      collides ? result.first_collision.b :
      result.open_count ? vouch_open_reason_name(result.open[0].reason) : "-");
    if (certificates != NULL && result.verdict != VOUCH_UNDECIDED) {
      save(checker, certificates, row);
    }
    vouch_checker_destroy(checker);
    mbm_release(&problem);
  }
  qsort(times, done, sizeof(double), compare);
  if (done > 0) {
    fprintf(
      stderr, "%zu paths: FREE %zu, COLLISION %zu, UNDECIDED %zu, against the label %zu; "
      "median %.0f us, p90 %.0f, p99 %.0f, max %.0f\n", done, counts[VOUCH_FREE],
      counts[VOUCH_COLLISION], counts[VOUCH_UNDECIDED], wrong, times[done / 2],
      times[done * 9 / 10], times[done * 99 / 100], times[done - 1]);
  }
  free(times);
  mbm_close(&mbm);
  return 0;
}
