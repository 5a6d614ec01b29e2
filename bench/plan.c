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

/* Plans every shared MotionBenchMaker request, or repairs the shared paths that collide between their
 * waypoints, and prints one CSV line each and a summary. Times are those of the processor, of the
 * shortest of several repeats:
 *   plan [--repair] [--robot panda] [--only box_panda/0001] [--stride n] [--limit n] [--seed n]
 *        [--rows] [--repeat n] [--deadline s] [--rounds n] [--bare] [--no-verify] [--step rad] [--shortcuts n] */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/mbm.h"
#include "verify/verify.h"

typedef struct settings_s
{
  bool repair, verify, rows;
  const char * robot, * only;
  size_t stride, limit;
  int repeat;       // each plan is made so often; it is the same, and its shortest times count
  vouch_plan_options_t plan;
} settings_t;

/// One number per problem, by robot.
typedef struct series_s
{
  double values[3][4096];
  size_t counts[3];
} series_t;

static series_t first, proved, total, written, lengths, durations, deviations, ratios;
static size_t asked[3], solved[3], verified[3];

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int robot_number(const char * name)
{
  return strcmp(name, "panda") == 0 ? 0 : strcmp(name, "ur5") == 0 ? 1 : 2;
}

static void record(series_t * s, int robot, double value)
{
  s->values[robot][s->counts[robot]++] = value;
}

static int compare(const void * a, const void * b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double quantile(series_t * s, int robot, double share)
{
  size_t n = s->counts[robot];
  qsort(s->values[robot], n, sizeof(double), compare);
  return n == 0 ? NAN : s->values[robot][(size_t)fmin((double)n * share, (double)n - 1.0)];
}

static vouch_joint_limits_t * limits_of(const mbm_t * mbm, const mbm_row_t * row)
{
  static const char * const files[3] = {"panda/config", "ur/config/ur5", "yumi/config"};
  static vouch_joint_limits_t * limits[3];
  int i = robot_number(row->robot);
  char path[2048];
  snprintf(
    path, sizeof(path), "%s/robowflex_resources/%s/joint_limits.yaml", mbm->data, files[i]);
  if (limits[i] == NULL &&
    vouch_joint_limits_load(&limits[i], mbm_robot((mbm_t *)mbm, row->robot), path) != VOUCH_RET_OK)
  {
    fprintf(stderr, "limits: %s\n", vouch_error());
    exit(1);
  }
  return limits[i];
}

/// Problem and certificate, written and re-checked by the independent verifier.
static bool verify(const vouch_checker_t * checker, double * seconds)
{
  uint8_t * data[2] = {NULL, NULL};
  size_t size[2];
  double begin = now();
  bool fine = vouch_checker_problem(checker, &data[0], &size[0]) == VOUCH_RET_OK &&
    vouch_checker_certificate(checker, &data[1], &size[1]) == VOUCH_RET_OK;
  *seconds = now() - begin;
  struct vouch_verify_report report;
  struct vouch_verifier * verifier = fine ? vouch_verify_load(data[0], size[0], &report) : NULL;
  fine = verifier != NULL &&
    vouch_verify_check(verifier, data[1], size[1], &report) == VOUCH_VERIFY_OK &&
    report.kind == VOUCH_VERIFY_FREE;
  free(verifier);
  for (int i = 0; i < 2; i++) {
    vouch_bytes_free(checker, data[i]);
  }
  return fine;
}

/// The published path is free at its waypoints, and not between them.
static bool collides_between(vouch_checker_t * checker, const mbm_case_t * c, const mbm_row_t * row)
{
  vouch_result_t result;
  if (vouch_check(checker, c->motion, &result) != VOUCH_RET_OK ||
    result.verdict != VOUCH_COLLISION)
  {
    return false;
  }
  double values[64];
  for (size_t i = 0; i < row->points; i++) {
    vouch_motion_evaluate(c->motion, (double)i, values);
    if (vouch_check_motion(checker, values, values, &result) != VOUCH_RET_OK ||
      result.verdict == VOUCH_COLLISION)
    {
      return false;
    }
  }
  return true;
}

/// How long the published path is, in rad as the planner counts; 0: there is none.
static double published_length(mbm_t * mbm, const mbm_row_t * row)
{
  mbm_case_t c = mbm_load(mbm, row, false);
  const vouch_robot_t * robot = vouch_scene_robot(c.scene);
  double length = 0.0, a[64], b[64];
  for (size_t i = 1; i < row->points; i++) {
    double sum = 0.0;
    vouch_motion_evaluate(c.motion, (double)i - 1.0, a);
    vouch_motion_evaluate(c.motion, (double)i, b);
    for (size_t k = 0; k < vouch_robot_variable_count(robot); k++) {
      sum += (b[k] - a[k]) * (b[k] - a[k]);
    }
    length += sqrt(sum);
  }
  mbm_release(&c);
  return length;
}

static bool wanted(const mbm_case_t * c, const mbm_row_t * row, const settings_t * settings)
{
  vouch_check_options_t options = vouch_check_options_planner();
  vouch_checker_t * checker = NULL;
  if (!settings->repair) {
    return true;
  }
  bool yes = vouch_checker_create(&checker, c->scene, &options) == VOUCH_RET_OK &&
    collides_between(checker, c, row);
  vouch_checker_destroy(checker);
  return yes;
}

static void print_row(
  const mbm_row_t * row, const vouch_plan_result_t * r, double setup, double file, bool checked)
{
  const vouch_plan_statistics_t * s = &r->statistics;
  printf(
    "%s,%s,%s,%.3f,%.3f,%.3f,%.3f,%.3f,%llu,%llu,%llu,%llu,%llu,%llu,%.4f,%.4f,%.4f,%.5f,%d,%.4f,"
    "%.4f,\"%s\"\n", row->problem, vouch_verdict_name(r->verdict), vouch_plan_reason_name(
      r->reason),
    1e3 * setup, 1e3 * s->first_seconds, 1e3 * s->proved_seconds, 1e3 * s->seconds, 1e3 * file,
    (unsigned long long)s->edges, (unsigned long long)s->free_edges,
    (unsigned long long)s->states, (unsigned long long)s->free_states,
    (unsigned long long)s->nodes, (unsigned long long)s->paths, s->first_length, s->length,
    r->motion ? vouch_motion_duration(r->motion) : 0.0, r->proof.clearance.lower_m, checked,
    r->kept, r->deviation, r->message);
  fflush(stdout);
}

/// As bench/report.py reads them; microseconds.
static void print_rows(const mbm_row_t * row, const vouch_plan_result_t * r, bool repair)
{
  const char * verdict = vouch_verdict_name(r->verdict), * what = repair ? "repair" : "plan";
  printf(
    "%s,%s,vouch first path,%.1f,,%s,,,\n%s,%s,vouch proved,%.1f,,%s,,,\n", what, row->problem,
    1e6 * r->statistics.first_seconds, verdict, what, row->problem,
    1e6 * r->statistics.proved_seconds, verdict);
}

static void run(mbm_t * mbm, const mbm_row_t * row, const settings_t * settings)
{
  mbm_case_t c = mbm_load(mbm, row, !settings->repair);
  if (!wanted(&c, row, settings)) {
    mbm_release(&c);
    return;
  }
  int robot = robot_number(row->robot);
  vouch_check_options_t check = vouch_check_options_default();
  vouch_plan_options_t options = settings->plan;
  vouch_planner_t * planner;
  vouch_plan_result_t result;
  check.certificate = true;
  check.clearance = false;
  options.limits = vouch_joint_limits_list(limits_of(mbm, row), &options.limit_count);
  double begin = now();
  if (vouch_planner_create(&planner, c.scene, &check, &options) != VOUCH_RET_OK) {
    fprintf(stderr, "%s: %s\n", row->problem, vouch_error());
    exit(1);
  }
  double setup = now() - begin;
  vouch_plan_request_t request = {.start = c.start, .goals = c.goal, .goal_count = 1};
  vouch_plan_statistics_t best = {.first_seconds = INFINITY, .proved_seconds = INFINITY,
    .seconds = INFINITY};
  vouch_ret_t ret = VOUCH_RET_OK;
  for (int i = 0; i < settings->repeat && ret == VOUCH_RET_OK; i++) {
    ret = settings->repair ? vouch_repair(planner, c.motion, NULL, &result) :
      vouch_plan(planner, &request, &result);
    best.first_seconds = fmin(best.first_seconds, result.statistics.first_cpu_seconds);
    best.proved_seconds = fmin(best.proved_seconds, result.statistics.proved_cpu_seconds);
    best.seconds = fmin(best.seconds, result.statistics.cpu_seconds);
  }
  result.statistics.first_seconds = best.first_seconds;
  result.statistics.proved_seconds = best.proved_seconds;
  result.statistics.seconds = best.seconds;
  if (ret != VOUCH_RET_OK) {
    fprintf(stderr, "%s: %s\n", row->problem, vouch_error());
    exit(1);
  }
  double file = 0.0;
  bool checked = result.verdict == VOUCH_FREE && settings->verify &&
    verify(vouch_planner_checker(planner), &file);
  if (settings->rows) {
    print_rows(row, &result, settings->repair);
  } else {
    print_row(row, &result, setup, file, checked);
  }
  asked[robot]++;
  verified[robot] += checked;
  if (result.verdict == VOUCH_FREE) {
    solved[robot]++;
    record(&first, robot, 1e3 * result.statistics.first_seconds);
    record(&proved, robot, 1e3 * result.statistics.proved_seconds);
    record(&total, robot, 1e3 * result.statistics.seconds);
    record(&written, robot, 1e3 * file);
    record(&lengths, robot, result.statistics.length);
    record(&durations, robot, vouch_motion_duration(result.motion));
    record(&deviations, robot, result.deviation);
    record(&ratios, robot, result.statistics.length / published_length(mbm, row));
  }
  vouch_planner_destroy(planner);
  mbm_release(&c);
}

static void summarise(const settings_t * settings)
{
  static const char * const names[3] = {"panda", "ur5", "yumi"};
  for (int i = 0; i < 3; i++) {
    if (asked[i] == 0) {
      continue;
    }
    fprintf(
      stderr, "%s: %zu asked, %zu solved and proved, %zu verified; first path median %.2f p99 %.1f "
      "max %.1f ms; proved median %.2f p99 %.1f ms; files %.1f ms; length median %.2f, of the "
      "published %.2f; duration median %.2f s", names[i], asked[i], solved[i], verified[i], quantile(
        &first, i,
        0.5),
      quantile(&first, i, 0.99), quantile(&first, i, 1.0), quantile(&proved, i, 0.5),
      quantile(&proved, i, 0.99), quantile(&written, i, 0.5), quantile(&lengths, i, 0.5),
      quantile(&ratios, i, 0.5), quantile(&durations, i, 0.5));
    if (settings->repair) {
      fprintf(
        stderr, "; total median %.2f max %.1f ms; deviation median %.3f max %.3f rad",
        quantile(&total, i, 0.5), quantile(&total, i, 1.0), quantile(&deviations, i, 0.5),
        quantile(&deviations, i, 1.0));
    }
    fprintf(stderr, "\n");
  }
}

static bool parse(int argc, char ** argv, settings_t * s)
{
  for (int i = 1; i < argc; i++) {
    const char * value = i + 1 < argc ? argv[i + 1] : "";
    const char * option = argv[i];
    if (strcmp(option, "--repair") == 0) {
      s->repair = true;
      continue;
    } else if (strcmp(option, "--bare") == 0) {
      s->plan.timed = false;
      continue;
    } else if (strcmp(option, "--rows") == 0) {
      s->rows = true;
      continue;
    } else if (strcmp(option, "--no-verify") == 0) {
      s->verify = false;
      continue;
    }
    i++;
    if (strcmp(option, "--robot") == 0) {
      s->robot = value;
    } else if (strcmp(option, "--only") == 0) {
      s->only = value;
    } else if (strcmp(option, "--stride") == 0) {
      s->stride = (size_t)atol(value) > 0 ? (size_t)atol(value) : 1u;
    } else if (strcmp(option, "--limit") == 0) {
      s->limit = (size_t)atol(value);
    } else if (strcmp(option, "--repeat") == 0) {
      s->repeat = atoi(value) > 0 ? atoi(value) : 1;
    } else if (strcmp(option, "--seed") == 0) {
      s->plan.seed = (uint64_t)atol(value);
    } else if (strcmp(option, "--deadline") == 0) {
      s->plan.deadline_s = atof(value);
    } else if (strcmp(option, "--rounds") == 0) {
      s->plan.rounds = (uint32_t)atol(value);
    } else if (strcmp(option, "--step") == 0) {
      s->plan.step_rad = atof(value);
    } else if (strcmp(option, "--shortcuts") == 0) {
      s->plan.shortcuts = (uint32_t)atol(value);
    } else {
      fprintf(stderr, "plan: unknown option %s\n", option);
      return false;
    }
  }
  return true;
}

int main(int argc, char ** argv)
{
  settings_t settings = {.verify = true, .stride = 1, .limit = SIZE_MAX, .repeat = 1,
    .plan = vouch_plan_options_default()};
  mbm_t mbm;
  if (!parse(argc, argv, &settings)) {
    return 2;
  }
  if (!mbm_open(&mbm, false)) {
    fprintf(stderr, "plan: the shared data is absent: not run\n");
    return 3;
  }
  printf(
    settings.rows ? "" : "problem,verdict,reason,setup_ms,first_ms,proved_ms,total_ms,files_ms,edges,free_edges,states,"
    "free_states,nodes,paths,first_length,length,duration_s,clearance_m,verified,kept,deviation,"
    "message\n");
  size_t seen = 0, done = 0;
  for (size_t i = 0; i < mbm.count && done < settings.limit; i++) {
    const mbm_row_t * row = &mbm.rows[i];
    if ((settings.robot == NULL || strcmp(row->robot, settings.robot) == 0) &&
      (settings.only == NULL || strcmp(row->problem, settings.only) == 0) &&
      seen++ % settings.stride == 0)
    {
      done++;
      run(&mbm, row, &settings);
    }
  }
  summarise(&settings);
  mbm_close(&mbm);
  return 0;
}
