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
/* Generated work with known answers, one experiment a function. Rows for bench/report.py on stdout.
 *   families [--small] [experiment]... */

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "arm.h"
#include "base/sha256.h"
#include "drive.h"
#include "families.h"
#include "support/mbm.h"
#include "verify/verify.h"

bool families_small;

vouch_check_options_t families_options(void)
{
  vouch_check_options_t options = vouch_check_options_default();
  options.clearance = options.first_contact = false;
  return options;
}

double families_check(
  vouch_checker_t * checker, const vouch_motion_t * motion, int repeats, vouch_result_t * result)
{
  double times[16];
  for (int i = 0; i < repeats; i++) {
    double begin = bench_cpu();
    bench_must(vouch_check(checker, motion, result), "check");
    times[i] = 1e6 * bench_since(begin);
  }
  return bench_median(times, (size_t)repeats);
}

void families_row(
  const char * experiment, uint64_t number, const char * method, const char * parameter,
  double value, const vouch_result_t * result)
{
  char name[32];
  snprintf(name, sizeof(name), "%llu", (unsigned long long)number);
  drive_print(
    &(drive_row_t) {experiment, name, method, value, parameter,
      result ? vouch_verdict_name(result->verdict) : "", "", result ? result->statistics.leaves : 0,
      result && result->open_count ? vouch_open_reason_name(result->open[0].reason) : ""});
}

void families_peer(const families_peer_t * p, vouch_checker_t * checker)
{
  char name[32];
  snprintf(name, sizeof(name), "%llu", (unsigned long long)p->number);
  drive_row_t row = {p->experiment, name, p->method, -1.0, p->parameter, "not run", p->truth, 0,
    "the library was not found"};
  uint8_t * data;
  size_t size;
  world_t world;
  if (p->peer->open == NULL) {
    drive_print(&row);
    return;
  }
  bench_must(vouch_checker_problem(checker, &data, &size), "problem");
  if (world_open(&world, data, size)) {
    void * self = p->peer->open(&world);
    world_pose_t * poses = calloc(world.body_count, sizeof(*poses));
    world_poses(&world, 0, 0.0, poses);
    if (p->peer->state != NULL) {
      p->peer->state(self, poses);
    }
    double times[8];
    drive_result_t result = {0};
    for (int r = 0; r < p->repeats; r++) {
      result = drive(p->peer, self, &world, p->mode, p->step, 20.0);
      times[r] = 1e6 * result.seconds;
    }
    row.value = bench_median(times, (size_t)p->repeats);
    row.verdict = result.hit ? "COLLISION" : result.gave_up ? "UNDECIDED" : "FREE";
    row.leaves = result.states;
    row.note = "";
    drive_print(&row);
    free(poses);
    p->peer->close(self);
    world_close(&world);
  }
  vouch_bytes_free(checker, data);
}

void families_random(test_random_t * random, double reach, double * from, double * to)
{
  for (int k = 0; k < ARM_JOINTS; k++) {
    from[k] = test_random_in(random, -2.0, 2.0);
    to[k] = from[k] + test_random_in(random, -reach, reach);
  }
}

/* ---- 60 pairs a segment ---- */

static void segment60(void)
{
  static const double REACH[4] = {0.1, 0.25, 1.0, 3.0};
  vouch_robot_t * robot = arm_robot(1);
  vouch_check_options_t options = families_options();
  test_random_t random = {11};
  for (int r = 0; r < 4; r++) {
    char parameter[32];
    snprintf(parameter, sizeof(parameter), "%g rad", REACH[r]);
    size_t wanted = families_small ? 3 : 30, done = 0;
    for (uint64_t seed = 1; done < wanted && seed < 2000; seed++) {
      vouch_scene_t * scene = arm_scene(robot, 12, seed);
      vouch_checker_t * checker, * schwarzer;
      double from[ARM_JOINTS], to[ARM_JOINTS];
      families_random(&random, REACH[r], from, to);
      vouch_motion_t * motion = arm_motion(robot, from, to);
      options.method = VOUCH_METHOD_CHORD;
      bench_must(vouch_checker_create(&checker, scene, &options), "checker");
      vouch_result_t result;
      double chord = families_check(checker, motion, 7, &result);
      if (result.verdict == VOUCH_FREE) {
        families_row("segment60", done, "vouch", parameter, chord, &result);
        options.method = VOUCH_METHOD_SCHWARZER;
        bench_must(vouch_checker_create(&schwarzer, scene, &options), "checker");
        double time = families_check(schwarzer, motion, 3, &result);
        families_row("segment60", done, "vouch Schwarzer", parameter, time, &result);
        vouch_checker_destroy(schwarzer);
        const families_peer_t peers[4] = {
          {"segment60", done, "own GJK 0.02 rad", parameter, "FREE", &peer_gjk, DRIVE_STEP, 0.02,
            3},
          {"segment60", done, "own GJK every pair 0.02 rad", parameter, "FREE", &peer_gjk_every,
            DRIVE_STEP, 0.02, 1},
          {"segment60", done, "FCL hulls 0.02 rad", parameter, "FREE", &peer_fcl_hull, DRIVE_STEP,
            0.02, 1},
          {"segment60", done, "Bullet hulls 0.02 rad", parameter, "FREE", &peer_bullet, DRIVE_STEP,
            0.02, 1}
        };
        for (int i = 0; i < 4; i++) {
          families_peer(&peers[i], checker);
        }
        done++;
      }
      vouch_motion_destroy(motion);
      vouch_checker_destroy(checker);
      vouch_scene_destroy(scene);
    }
  }
  vouch_robot_destroy(robot);
}

/* ---- exactly known clearance ---- */

static const double CLEARANCES[6] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};

static const char * clearance_name(double clearance)
{
  static char name[16];
  snprintf(name, sizeof(name), "%g", clearance);
  return name;
}

/// One joint with a sphere: sliding past a box, or swinging past it. The clearance is exact.
static void one_joint(const char * experiment, const char * joint, bool swing)
{
  char urdf[1024];
  snprintf(
    urdf, sizeof(urdf), "<robot name='one'><link name='world'/><link name='ball'/>"
    "<joint name='j' type='%s'><parent link='world'/><child link='ball'/>"
    "<axis xyz='%s'/><limit lower='-4' upper='4' effort='1' velocity='1'/></joint></robot>", joint,
    swing ? "0 0 1" : "1 0 0");
  vouch_robot_options_t robot_options = vouch_robot_options_default();
  robot_options.ignore_geometry = true;
  vouch_robot_t * robot;
  bench_must(
    vouch_robot_parse_urdf(&robot, urdf, strlen(urdf), NULL, &robot_options), "one joint");
  vouch_shape_t sphere = {.kind = VOUCH_SHAPE_SPHERE, .size = {0.1}};
  vouch_pose_t tip = vouch_pose_identity();
  tip.translation[0] = swing ? 1.0 : 0.0;
  bench_must(vouch_robot_set_link_shapes(robot, "ball", &sphere, &tip, 1), "ball");
  for (int i = 0; i < 6; i++) {
    vouch_scene_t * scene;
    bench_must(vouch_scene_create(&scene, robot, NULL), "scene");
    vouch_shape_t box = {.kind = VOUCH_SHAPE_BOX, .size = {1, 1, 1}};
    vouch_pose_t pose = vouch_pose_identity();
    pose.translation[swing ? 0 : 1] = (swing ? 1.0 : 0.0) + 0.1 + 0.5 + CLEARANCES[i];
    bench_must(vouch_scene_add_object(scene, "box", NULL, &pose, &box, NULL, 1), "box");
    double from = -1.0, to = 1.0;
    vouch_motion_t * motion = arm_motion(robot, &from, &to);
    for (int method = 0; method < 2; method++) {
      vouch_check_options_t options = families_options();
      options.method = method ? VOUCH_METHOD_SCHWARZER : VOUCH_METHOD_CHORD;
      options.deadline_s = 1.0;
      vouch_checker_t * checker;
      bench_must(vouch_checker_create(&checker, scene, &options), "checker");
      vouch_result_t result;
      double time = families_check(checker, motion, method ? 1 : 15, &result);
      families_row(
        experiment, 0, method ? "vouch Schwarzer" : "vouch", clearance_name(CLEARANCES[i]), time,
        &result);
      vouch_checker_destroy(checker);
    }
    vouch_motion_destroy(motion);
    vouch_scene_destroy(scene);
  }
  vouch_robot_destroy(robot);
}

static vouch_scene_t * sphere_scene(const vouch_robot_t * robot, const double at[3], double radius)
{
  vouch_scene_t * scene;
  bench_must(vouch_scene_create(&scene, robot, NULL), "scene");
  vouch_shape_t sphere = {.kind = VOUCH_SHAPE_SPHERE, .size = {radius}};
  vouch_pose_t pose = vouch_pose_identity();
  memcpy(pose.translation, at, sizeof(pose.translation));
  bench_must(vouch_scene_add_object(scene, "sphere", NULL, &pose, &sphere, NULL, 1), "sphere");
  return scene;
}

/// The largest radius of a sphere at `at` that the motion is proved free of, to 1e-9 m: halving between
/// radii that are proved free and radii that are not.
static double free_radius(
  const vouch_robot_t * robot, const vouch_motion_t * motion, const double at[3])
{
  double low = 0.0, high = 2.0;
  vouch_check_options_t options = families_options();
  options.deadline_s = 1.0;
  while (high - low > 1e-9) {
    double middle = 0.5 * (low + high);
    vouch_scene_t * scene = sphere_scene(robot, at, middle);
    vouch_checker_t * checker;
    vouch_result_t result;
    bench_must(vouch_checker_create(&checker, scene, &options), "checker");
    bench_must(vouch_check(checker, motion, &result), "check");
    *(result.verdict == VOUCH_FREE ? &low : &high) = middle;
    vouch_checker_destroy(checker);
    vouch_scene_destroy(scene);
  }
  return low;
}

/// The arm and one sphere whose radius is what is left of the proved distance of its centre.
static void arm_clearance(void)
{
  vouch_robot_t * robot = arm_robot(1);
  test_random_t random = {5};
  size_t wanted = families_small ? 2 : 15, done = 0;
  for (int attempt = 0; done < wanted && attempt < 400; attempt++) {
    double from[ARM_JOINTS], to[ARM_JOINTS], at[3];
    families_random(&random, 1.0, from, to);
    test_random_direction(&random, at);
    for (int k = 0; k < 3; k++) {
      at[k] *= 0.8;
    }
    at[2] = fabs(at[2]) + 0.2;
    vouch_motion_t * motion = arm_motion(robot, from, to);
    double distance = free_radius(robot, motion, at);
    for (int i = 0; distance > 0.15 && i < 6; i++) {
      vouch_scene_t * scene = sphere_scene(robot, at, distance - CLEARANCES[i]);
      for (int method = 0; method < 2; method++) {
        vouch_check_options_t options = families_options();
        options.method = method ? VOUCH_METHOD_SCHWARZER : VOUCH_METHOD_CHORD;
        options.deadline_s = 1.0;
        vouch_checker_t * checker;
        vouch_result_t result;
        bench_must(vouch_checker_create(&checker, scene, &options), "checker");
        double time = families_check(checker, motion, method ? 1 : 7, &result);
        families_row(
          "clearance arm", done, method ? "vouch Schwarzer" : "vouch",
          clearance_name(CLEARANCES[i]), time, &result);
        if (!method) {
          const families_peer_t peer = {"clearance arm", done, "FCL hulls 0.02 rad",
            clearance_name(CLEARANCES[i]), "FREE", &peer_fcl_hull, DRIVE_STEP, 0.02, 1};
          families_peer(&peer, checker);
        }
        vouch_checker_destroy(checker);
      }
      vouch_scene_destroy(scene);
    }
    done += distance > 0.15;
    vouch_motion_destroy(motion);
  }
  vouch_robot_destroy(robot);
}

static void clearance(void)
{
  one_joint("clearance slide", "prismatic", false);
  one_joint("clearance swing", "revolute", true);
  arm_clearance();
}

/* ---- one motion, more and more waypoints; orders of polynomials ---- */

static void waypoints(void)
{
  static const size_t COUNTS[4] = {2, 11, 101, 1001};
  vouch_robot_t * robot = arm_robot(1);
  vouch_check_options_t options = families_options();
  test_random_t random = {21};
  size_t wanted = families_small ? 2 : 12, done = 0;
  for (uint64_t seed = 100; done < wanted && seed < 400; seed++) {
    vouch_scene_t * scene = arm_scene(robot, 12, seed);
    vouch_checker_t * checker;
    bench_must(vouch_checker_create(&checker, scene, &options), "checker");
    double from[ARM_JOINTS], to[ARM_JOINTS];
    families_random(&random, 1.0, from, to);
    vouch_motion_t * motions[8];
    for (int i = 0; i < 4; i++) {
      motions[i] = arm_path(robot, from, to, COUNTS[i]);
    }
    motions[4] = arm_timed(robot, from, to, 101, 10.0, 1);
    motions[5] = arm_timed(robot, from, to, 101, 10.0, 3);
    motions[6] = arm_timed(robot, from, to, 101, 10.0, 5);
    motions[7] = arm_timed(robot, from, to, 1001, 10.0, 5);
    static const char * const NAMES[8] = {"2", "11", "101", "1001", "linear", "cubic", "quintic",
      "quintic 1001"};
    vouch_result_t result;
    families_check(checker, motions[2], 1, &result);
    if (result.verdict == VOUCH_FREE) {
      for (int i = 0; i < 8; i++) {
        double time = families_check(checker, motions[i], 7, &result);
        families_row(i < 4 ? "waypoints" : "orders", done, "vouch", NAMES[i], time, &result);
        if (i < 4) {
          const families_peer_t peer = {"waypoints", done, "FCL hulls waypoints", NAMES[i], "",
            &peer_fcl_hull, DRIVE_WAYPOINTS, 0.0, 3};
          families_peer(&peer, checker);
        }
      }
      done++;
    }
    for (int i = 0; i < 8; i++) {
      vouch_motion_destroy(motions[i]);
    }
    vouch_checker_destroy(checker);
    vouch_scene_destroy(scene);
  }
  vouch_robot_destroy(robot);
}

/* ---- two threads on a batch ---- */

#define BATCH 120

typedef struct batch_s
{
  vouch_checker_t * checker;
  vouch_motion_t ** motions;
  size_t first, step;
  uint8_t(*digests)[32];
  double cpu;
} batch_t;

static void * run_batch(void * data)
{
  batch_t * batch = data;
  double begin = bench_cpu();
  for (size_t i = batch->first; i < BATCH; i += batch->step) {
    vouch_result_t result;
    bench_must(vouch_check(batch->checker, batch->motions[i], &result), "check");
    if (result.verdict != VOUCH_UNDECIDED) {
      uint8_t * bytes;
      size_t size;
      bench_must(vouch_checker_certificate(batch->checker, &bytes, &size), "certificate");
      vouch_sha256(bytes, size, batch->digests[i]);
      vouch_bytes_free(batch->checker, bytes);
    }
  }
  batch->cpu = bench_since(begin);
  return NULL;
}

static void threads(void)
{
  vouch_robot_t * robot = arm_robot(1);
  vouch_scene_t * scene = arm_scene(robot, 12, 3);
  vouch_check_options_t options = families_options();
  options.certificate = true;
  vouch_checker_t * checkers[2];
  bench_must(vouch_checker_create(&checkers[0], scene, &options), "checker");
  bench_must(vouch_checker_clone(&checkers[1], checkers[0]), "clone");
  vouch_motion_t * motions[BATCH];
  test_random_t random = {31};
  for (int i = 0; i < BATCH; i++) {
    double from[ARM_JOINTS], to[ARM_JOINTS];
    families_random(&random, 1.0, from, to);
    motions[i] = arm_motion(robot, from, to);
  }
  static uint8_t digests[2][BATCH][32];
  for (int round = 0; round < (families_small ? 3 : 15); round++) {
    for (int count = 1; count <= 2; count++) {
      batch_t batches[2];
      pthread_t ids[2];
      double begin = bench_wall(), cpu = 0.0;
      for (int i = 0; i < count; i++) {
        batches[i] = (batch_t) {checkers[i], motions, (size_t)i, (size_t)count, digests[count - 1],
          0.0};
        pthread_create(&ids[i], NULL, run_batch, &batches[i]);
      }
      for (int i = 0; i < count; i++) {
        pthread_join(ids[i], NULL);
        cpu += batches[i].cpu;
      }
      families_row(
        "threads", (uint64_t)round, count == 1 ? "one thread" : "two threads", "cpu", 1e6 * cpu,
        NULL);
      families_row(
        "threads", (uint64_t)round, count == 1 ? "one thread" : "two threads", "wall",
        1e6 * (bench_wall() - begin), NULL);
    }
    families_row(
      "threads", (uint64_t)round, "same bytes", "", memcmp(
        digests[0], digests[1],
        sizeof(digests[0])) == 0, NULL);
  }
  for (int i = 0; i < BATCH; i++) {
    vouch_motion_destroy(motions[i]);
  }
  vouch_checker_destroy(checkers[0]);
  vouch_checker_destroy(checkers[1]);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

/* ---- the verifier ---- */

static void verifier(void)
{
  vouch_robot_t * robot = arm_robot(1);
  vouch_scene_t * scene = arm_scene(robot, 4, 4);
  vouch_check_options_t options = families_options();
  options.certificate = true;
  vouch_checker_t * checker;
  bench_must(vouch_checker_create(&checker, scene, &options), "checker");
  // A long motion of short free pieces that goes there and back; cut at different lengths.
  double turns[2][ARM_JOINTS];
  test_random_t random = {41};
  vouch_result_t result;
  for (int attempt = 0; attempt < 1000; attempt++) {
    families_random(&random, 1.5, turns[0], turns[1]);
    vouch_motion_t * motion = arm_motion(robot, turns[0], turns[1]);
    bench_must(vouch_check(checker, motion, &result), "check");
    vouch_motion_destroy(motion);
    if (result.verdict == VOUCH_FREE && result.statistics.leaves > 12) {
      break;
    }
  }
  const char * names[ARM_JOINTS];
  for (size_t i = 0; i < ARM_JOINTS; i++) {
    names[i] = vouch_robot_variable_name(robot, i);
  }
  for (size_t count = 25; count <= (families_small ? 100u : 1600u); count *= 2) {
    vouch_trajectory_point_t * points = calloc(count, sizeof(*points));
    for (size_t i = 0; i < count; i++) {
      points[i].positions = turns[i % 2];
    }
    vouch_trajectory_t trajectory = {.joint_names = names, .joint_count = ARM_JOINTS,
      .points = points, .point_count = count};
    vouch_motion_options_t motion_options = vouch_motion_options_default();
    motion_options.model = VOUCH_MODEL_LINEAR;
    vouch_motion_t * motion;
    bench_must(vouch_motion_create(&motion, robot, &trajectory, &motion_options), "motion");
    double prover = families_check(checker, motion, 3, &result);
    uint8_t * data[2];
    size_t size[2];
    bench_must(vouch_checker_problem(checker, &data[0], &size[0]), "problem");
    bench_must(vouch_checker_certificate(checker, &data[1], &size[1]), "certificate");
    char parameter[32];
    snprintf(parameter, sizeof(parameter), "%zu", count);
    families_row("verifier", 0, "vouch", parameter, prover, &result);
    struct vouch_verify_report report;
    double times[5];
    int code = 0;
    for (int r = 0; r < 5; r++) {
      double begin = bench_cpu();
      struct vouch_verifier * verifier = vouch_verify_load(data[0], size[0], &report);
      code = verifier == NULL ? report.code :
        vouch_verify_check(verifier, data[1], size[1], &report);
      free(verifier);
      times[r] = 1e6 * bench_since(begin);
    }
    drive_print(
      &(drive_row_t) {"verifier", "0", "vouch verifier", bench_median(times, 5), parameter,
        code == 0 ? "FREE" : "REFUSED", "FREE", report.leaves, code == 0 ? "" : report.text});
    const families_peer_t peer = {"verifier", 0, "FCL hulls 0.02 rad", parameter, "FREE",
      &peer_fcl_hull, DRIVE_STEP, 0.02, 1};
    families_peer(&peer, checker);
    vouch_bytes_free(checker, data[0]);
    vouch_bytes_free(checker, data[1]);
    vouch_motion_destroy(motion);
    free(points);
  }
  vouch_checker_destroy(checker);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

int main(int argc, char ** argv)
{
  static const struct
  {
    const char * name;
    void (* run)(void);
  } ALL[] = {{"segment60", segment60}, {"clearance", clearance}, {"obstacles", families_obstacles},
    {"triangles", families_triangles}, {"waypoints", waypoints}, {"lengths", families_lengths},
    {"threads", threads},
    {"recertify", families_recertify}, {"panda100", families_panda100},
    {"cells", families_cells}, {"verifier", verifier}};
  bool some = false;
  for (int i = 1; i < argc; i++) {
    families_small |= strcmp(argv[i], "--small") == 0;
    some |= argv[i][0] != '-';
  }
  for (size_t k = 0; k < sizeof(ALL) / sizeof(ALL[0]); k++) {
    bool wanted = !some;
    for (int i = 1; i < argc; i++) {
      wanted |= strcmp(argv[i], ALL[k].name) == 0;
    }
    if (wanted) {
      ALL[k].run();
    }
  }
  return 0;
}
