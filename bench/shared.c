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
/* The shared MotionBenchMaker problems: we and every peer, interleaved, on the same problem file.
 * Built twice: with the peers of Debian (shared), and with those of Python wheels (wheels).
 *   shared [--limit n] [--robot name | --straight name] [--save directory] [--worlds directory]
 *     [--problem file]
 * --limit: Panda paths; UR5, YuMi and straight motions in proportion. --save: for every peer the problem on
 * which it was most wrong. --worlds: the cases as files for peers/worlds.py.
 * --problem: asks every peer about one problem file. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "drive.h"
#include "support/mbm.h"
#include "verify/verify.h"

typedef struct method_s
{
  const peer_t * peer;
  drive_mode_t mode;
  double parameter;
  const char * name;
  int repeats;
  size_t every;      // every n-th case only
  double worst;      // severity of the worst wrong answer saved so far
  bool apart;        // in a child process, because it is known to crash
} method_t;

#ifdef BENCH_WHEELS
static method_t METHODS[] = {
  {&peer_coal_bvh, DRIVE_WAYPOINTS, 0, "coal meshes waypoints", 5, 1, 0, false},
  {&peer_coal_bvh, DRIVE_STEP, 0.02, "coal meshes 0.02 rad", 1, 1, 0, false},
  {&peer_coal_hull, DRIVE_STEP, 0.02, "coal hulls 0.02 rad", 1, 1, 0, false},
  {&peer_hpp_bvh, DRIVE_MOTION, 0, "hpp dichotomy meshes", 3, 1, 0, false},
  {&peer_hpp_mixed, DRIVE_MOTION, 0, "hpp dichotomy mixed", 3, 1, 0, false},
  {&peer_hpp_progressive, DRIVE_MOTION, 0, "hpp progressive 1e-3", 1, 4, 0, false}
};
#else
static method_t METHODS[] = {
  {&peer_fcl_bvh, DRIVE_WAYPOINTS, 0, "FCL meshes waypoints", 5, 1, 0, false},
  {&peer_fcl_bvh, DRIVE_STEP, 0.02, "FCL meshes 0.02 rad", 1, 1, 0, false},
  {&peer_fcl_bvh, DRIVE_STEP, 0.005, "FCL meshes 0.005 rad", 1, 8, 0, false},
  {&peer_fcl_hull, DRIVE_WAYPOINTS, 0, "FCL hulls waypoints", 3, 1, 0, false},
  {&peer_fcl_hull, DRIVE_STEP, 0.02, "FCL hulls 0.02 rad", 1, 1, 0, false},
  {&peer_fcl_ca, DRIVE_SEGMENTS, 0, "FCL continuous", 1, 16, 0, true},
  {&peer_bullet, DRIVE_WAYPOINTS, 0, "Bullet hulls waypoints", 3, 1, 0, false},
  {&peer_bullet, DRIVE_STEP, 0.02, "Bullet hulls 0.02 rad", 1, 1, 0, false},
  {&peer_bullet_cast, DRIVE_SEGMENTS, 0, "Bullet cast", 3, 1, 0, false},
  {&peer_gjk, DRIVE_STEP, 0.02, "own GJK hulls 0.02 rad", 1, 1, 0, false}
};
#endif
#define METHOD_COUNT (sizeof(METHODS) / sizeof(METHODS[0]))
#define REPEATS 5
#ifdef BENCH_WHEELS
#define OUR_METHODS 3   // without Schwarzer
#else
#define OUR_METHODS 4
#endif

typedef struct bytes_s
{
  uint8_t * problem, * certificate;
  size_t problem_size, certificate_size;
} bytes_t;

typedef struct case_s
{
  const char * experiment;
  const char * name;
  const char * truth;      // FREE, COLLISION
  double severity;         // depth of a collision, clearance of a free motion
  size_t number;
  bytes_t bytes;
  const char * save;
  const char * worlds;
} case_t;

static void save(const case_t * c, const char * method)
{
  const uint8_t * data[2] = {c->bytes.problem, c->bytes.certificate};
  size_t size[2] = {c->bytes.problem_size, c->bytes.certificate_size};
  char slug[64];
  snprintf(slug, sizeof(slug), "%s", method);
  for (char * p = slug; *p; p++) {
    *p = *p == ' ' || *p == '.' ? '_' : *p;
  }
  for (int i = 0; i < 2; i++) {
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s.%s", c->save, slug, i == 0 ? "problem" : "certificate");
    FILE * file = data[i] == NULL ? NULL : fopen(path, "wb");
    if (file != NULL) {
      fwrite(data[i], 1, size[i], file);
      fclose(file);
    }
  }
}

/// One peer on one case, `repeats` times; the median goes into the row.
static void run_method(
  method_t * method, void * self, const world_t * world, const case_t * c, double limit)
{
  double times[8];
  drive_result_t result = {0};
  for (int r = 0; r < method->repeats; r++) {
    result = (method->apart ? drive_apart : drive)(
      method->peer, self, world, method->mode, method->parameter, limit);
    times[r] = 1e6 * result.seconds;
  }
  bool answered = !result.gave_up && !result.crashed;
  const char * verdict = result.hit ? "COLLISION" : answered ? "FREE" : "not run";
  char note[128] = "";
  if (result.hit && !isnan(result.first)) {
    snprintf(note, sizeof(note), "first=%.9g", result.first);
  } else if (result.crashed) {
    snprintf(note, sizeof(note), "the peer crashed");
  } else if (result.gave_up) {
    snprintf(note, sizeof(note), "stopped after %.3g s", result.seconds);
  }
  drive_print(
    &(drive_row_t) {c->experiment, c->name, method->name,
      !answered ? -1.0 : bench_median(times, (size_t)method->repeats), "", verdict, c->truth,
      result.states, note});
  bool wrong = answered && c->truth[0] && strcmp(verdict, c->truth) != 0;
  double severity = c->severity + (strcmp(c->truth, "COLLISION") == 0 ? 10.0 : 0.0);
  if (wrong && c->save != NULL && severity > method->worst && c->bytes.problem_size < 4000000) {
    method->worst = severity;
    save(c, method->name);
  }
}

static void run_peers(const case_t * c, double limit)
{
  world_t world;
  if (!world_open(&world, c->bytes.problem, c->bytes.problem_size)) {
    return;
  }
  if (c->worlds != NULL && !world_write(
      &world, c->worlds, &(world_title_t) {c->experiment, c->name, c->truth, c->number}))
  {
    fprintf(stderr, "shared: %s was not written into %s\n", c->name, c->worlds);
  }
  const peer_t * open = NULL;
  void * self = NULL;
  for (size_t i = 0; i < METHOD_COUNT; i++) {
    method_t * method = &METHODS[i];
    if (c->number % method->every != 0) {
      continue;
    }
    if (method->peer->open == NULL) {
      drive_print(
        &(drive_row_t) {c->experiment, c->name, method->name, -1.0, "", "not run", c->truth, 0,
          "the library was not found"});
      continue;
    }
    if (open != method->peer) {
      if (self != NULL) {
        open->close(self);
      }
      open = method->peer;
      self = open->open(&world);
      if (self == NULL) {
        drive_print(
          &(drive_row_t) {c->experiment, c->name, method->name, -1.0, "", "not run", c->truth, 0,
            "the peer cannot take this problem"});
        open = NULL;
        continue;
      }
      // Places the obstacles; not part of a check.
      world_pose_t * poses = calloc(world.body_count, sizeof(*poses));
      world_poses(&world, 0, 0.0, poses);
      double toc;
      if (open->state != NULL) {
        open->state(self, poses);
      } else if (open->segment != NULL && method->repeats > 1) {
        open->segment(self, poses, poses, &toc);
      }
      free(poses);
    }
    run_method(method, self, &world, c, limit);
  }
  if (self != NULL) {
    open->close(self);
  }
  world_close(&world);
}

typedef struct ours_s
{
  vouch_checker_t * checker;
  const char * method;
  double times[REPEATS];
  int repeats;
  vouch_result_t result;
} ours_t;

static void print_ours(const case_t * c, ours_t * ours)
{
  char note[160] = "";
  const vouch_result_t * r = &ours->result;
  if (r->verdict == VOUCH_COLLISION) {
    snprintf(
      note, sizeof(note), "first=%.9g free_until=%.9g", (double)r->first_collision.segment +
      r->first_collision.fraction, r->first_collision.free_until_s);
  } else if (r->open_count > 0) {
    snprintf(note, sizeof(note), "%s", vouch_open_reason_name(r->open[0].reason));
  }
  drive_print(
    &(drive_row_t) {c->experiment, c->name, ours->method,
      bench_median(ours->times, (size_t)ours->repeats), "", vouch_verdict_name(
        r->verdict), c->truth,
      r->statistics.leaves, note});
}

/// With the problem loaded before the clock starts, as FCL's trees are, or with everything.
static void run_verifier(const case_t * c, bool loaded)
{
  struct vouch_verify_report report;
  double times[3];
  int code = 0;
  for (int i = 0; i < 3; i++) {
    double begin = bench_cpu();
    struct vouch_verifier * verifier =
      vouch_verify_load(c->bytes.problem, c->bytes.problem_size, &report);
    begin = loaded ? bench_cpu() : begin;
    code = verifier == NULL ? report.code : vouch_verify_check(
      verifier, c->bytes.certificate, c->bytes.certificate_size, &report);
    times[i] = 1e6 * bench_since(begin);
    free(verifier);
  }
  const char * verdict = code != VOUCH_VERIFY_OK ? "REFUSED" :
    report.kind == VOUCH_VERIFY_FREE ? "FREE" : "COLLISION";
  char note[64];
  snprintf(note, sizeof(note), "problem_bytes=%zu", c->bytes.problem_size);
  drive_print(
    &(drive_row_t) {c->experiment, c->name,
      loaded ? "vouch verifier problem loaded" : "vouch verifier", bench_median(times, 3), "",
      verdict, c->truth, report.leaves, code == VOUCH_VERIFY_OK ? note : report.text});
}

static void run_case(mbm_t * mbm, const mbm_row_t * row, bool direct, case_t * c)
{
  mbm_case_t problem = mbm_load(mbm, row, direct);
  vouch_check_options_t options = vouch_check_options_default();
  options.clearance = options.first_contact = false;
  ours_t ours[4] = {{.method = "vouch", .repeats = REPEATS},
    {.method = "vouch certificate", .repeats = REPEATS},
    {.method = "vouch first contact", .repeats = 1}, {.method = "vouch Schwarzer", .repeats = 1}};
  for (int i = 0; i < OUR_METHODS; i++) {
    vouch_check_options_t o = options;
    o.certificate = i == 1;
    o.first_contact = i == 2;
    o.method = i == 3 ? VOUCH_METHOD_SCHWARZER : VOUCH_METHOD_CHORD;
    o.deadline_s = i == 3 ? 1.0 : 0.0;
    bench_must(vouch_checker_create(&ours[i].checker, problem.scene, &o), row->problem);
  }
  for (int r = 0; r < REPEATS; r++) {
    for (int i = 0; i < OUR_METHODS; i++) {
      if (r < ours[i].repeats) {
        double begin = bench_cpu();
        bench_must(vouch_check(ours[i].checker, problem.motion, &ours[i].result), row->problem);
        ours[i].times[r] = 1e6 * bench_since(begin);
      }
    }
  }
  const vouch_result_t * result = &ours[2].result;
  c->truth = strcmp(row->label, "free") == 0 ? "FREE" :
    strcmp(row->label, "COLLISION") == 0 ? "COLLISION" :
    result->verdict == VOUCH_UNDECIDED ? "" : vouch_verdict_name(result->verdict);
  c->severity = result->verdict == VOUCH_COLLISION ? result->first_collision.depth_m :
    fmax(0.0, row->distance);
  for (int i = 0; i < OUR_METHODS; i++) {
    print_ours(c, &ours[i]);
  }
  if (ours[1].result.verdict != VOUCH_UNDECIDED) {
    bench_must(
      vouch_checker_problem(ours[1].checker, &c->bytes.problem, &c->bytes.problem_size),
      "problem");
    bench_must(
      vouch_checker_certificate(
        ours[1].checker, &c->bytes.certificate, &c->bytes.certificate_size), "certificate");
    if (OUR_METHODS == 4) {
      run_verifier(c, false);
      run_verifier(c, true);
    }
    run_peers(c, 3.0);
    vouch_bytes_free(ours[1].checker, c->bytes.problem);
    vouch_bytes_free(ours[1].checker, c->bytes.certificate);
  }
  for (int i = 0; i < OUR_METHODS; i++) {
    vouch_checker_destroy(ours[i].checker);
  }
  mbm_release(&problem);
}

typedef struct directories_s
{
  const char * save, * worlds;
} directories_t;

static int run_robot(const char * robot, bool direct, size_t limit, directories_t directory)
{
  mbm_t mbm;
  char experiment[64];
  snprintf(experiment, sizeof(experiment), "%s %s", direct ? "straight" : "shared", robot);
  if (!mbm_open(&mbm, direct)) {
    drive_print(
      &(drive_row_t) {experiment, "", "all", -1.0, "", "not run", "", 0,
        "the shared data is absent"});
    return 0;
  }
  size_t total = 0, done = 0, seen = 0;
  for (size_t i = 0; i < mbm.count; i++) {
    total += strcmp(mbm.rows[i].robot, robot) == 0;
  }
  for (size_t i = 0; i < mbm.count && done < limit; i++) {
    if (strcmp(mbm.rows[i].robot, robot) != 0) {
      continue;
    }
    // Spread evenly over all families.
    if (limit < total && seen++ *limit / total < done) {
      continue;
    }
    case_t c = {.experiment = experiment, .name = mbm.rows[i].problem, .number = done++,
      .save = directory.save, .worlds = directory.worlds};
    run_case(&mbm, &mbm.rows[i], direct, &c);
  }
  mbm_close(&mbm);
  return 0;
}

static int replay(const char * path)
{
  FILE * file = fopen(path, "rb");
  case_t c = {.experiment = "replay", .name = path, .truth = ""};
  c.bytes.problem = malloc(1u << 28);
  c.bytes.problem_size = file == NULL ? 0 : fread(c.bytes.problem, 1, 1u << 28, file);
  if (file == NULL) {
    fprintf(stderr, "shared: cannot read %s\n", path);
    free(c.bytes.problem);
    return 1;
  }
  fclose(file);
  run_peers(&c, 60.0);
  free(c.bytes.problem);
  return 0;
}

int main(int argc, char ** argv)
{
  size_t limit = 140;
  const char * only = NULL;
  directories_t directory = {NULL, NULL};
  bool straight = false;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--limit") == 0) {
      limit = (size_t)atol(argv[i + 1]);
    } else if (strcmp(argv[i], "--save") == 0) {
      directory.save = argv[i + 1];
    } else if (strcmp(argv[i], "--worlds") == 0) {
      directory.worlds = argv[i + 1];
    } else if (strcmp(argv[i], "--robot") == 0 || strcmp(argv[i], "--straight") == 0) {
      only = argv[i + 1];
      straight = argv[i][2] == 's';
    } else if (strcmp(argv[i], "--problem") == 0) {
      return replay(argv[i + 1]);
    } else {
      fprintf(stderr, "shared: unknown option %s\n", argv[i]);
      return 2;
    }
  }
  if (only != NULL) {
    return run_robot(only, straight, limit, directory);
  }
  int code = run_robot("panda", false, limit, directory) ||
    run_robot("ur5", false, (limit + 2) / 3, directory);
#ifndef BENCH_WHEELS
  code = code || run_robot("yumi", false, (limit + 6) / 7, directory) ||
    run_robot("panda", true, (limit + 1) / 2, directory);
#endif
  return code;
}
