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
/* Generated scenes: many obstacles, many triangles, scenes that change, robots of the shared data. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "families.h"
#include "support/data.h"
#include "support/mbm.h"

/// Adds obstacle `number` of a family: a box, or a closed mesh of `mesh`, at near..far from (0, 0, lift).
typedef struct shell_s
{
  double near, far, lift, smallest, largest;
  const arm_mesh_t * mesh;
} shell_t;

static void add_obstacle(
  vouch_scene_t * scene, const shell_t * shell, test_random_t * random, uint32_t number)
{
  vouch_shape_t shape = {.kind = VOUCH_SHAPE_BOX};
  double(*points)[3] = NULL;
  vouch_pose_t pose = vouch_pose_identity();
  double direction[3], axis[3];
  test_random_direction(random, direction);
  test_random_direction(random, axis);
  double distance = test_random_in(random, shell->near, shell->far);
  double turn = test_random_in(random, 0.0, 3.0);
  double size = test_random_in(random, shell->smallest, shell->largest);
  for (int k = 0; k < 3; k++) {
    pose.translation[k] = distance * direction[k];
    pose.rotation[k] = sin(0.5 * turn) * axis[k];
    shape.size[k] = size * test_random_in(random, 0.5, 1.5);
  }
  pose.rotation[3] = cos(0.5 * turn);
  pose.translation[2] += shell->lift;
  if (shell->mesh != NULL) {
    points = malloc(shell->mesh->point_count * sizeof(*points));
    for (size_t i = 0; i < shell->mesh->point_count; i++) {
      for (int k = 0; k < 3; k++) {
        points[i][k] = shape.size[k] * shell->mesh->points[i][k];
      }
    }
    shape = arm_mesh_shape(shell->mesh);
    shape.points = (const double(*)[3])points;
  }
  char name[32];
  snprintf(name, sizeof(name), "obstacle_%u", number);
  bench_must(vouch_scene_add_object(scene, name, NULL, &pose, &shape, NULL, 1), name);
  free(points);
}

void families_obstacles(void)
{
  static const uint32_t COUNTS[4] = {1, 10, 100, 1000};
  const shell_t shell = {1.0, 3.0, 0.3, 0.1, 0.25, NULL};
  vouch_robot_t * robot = arm_robot(1);
  vouch_check_options_t options = families_options();
  vouch_checker_t * checkers[4];
  vouch_scene_t * scenes[4];
  for (int i = 0; i < 4; i++) {
    test_random_t random = {51};   // the smaller scenes are the beginnings of the larger ones
    bench_must(vouch_scene_create(&scenes[i], robot, NULL), "scene");
    for (uint32_t k = 0; k < COUNTS[i]; k++) {
      add_obstacle(scenes[i], &shell, &random, k);
    }
    bench_must(vouch_checker_create(&checkers[i], scenes[i], &options), "checker");
  }
  test_random_t random = {52};
  size_t wanted = families_small ? 3 : 20, done = 0;
  for (int attempt = 0; done < wanted && attempt < 1000; attempt++) {
    double from[ARM_JOINTS], to[ARM_JOINTS];
    families_random(&random, 1.0, from, to);
    vouch_motion_t * motion = arm_motion(robot, from, to);
    vouch_result_t result;
    families_check(checkers[3], motion, 1, &result);
    bool use = result.verdict == VOUCH_FREE;
    for (int i = 0; use && i < 4; i++) {
      char parameter[16];
      snprintf(parameter, sizeof(parameter), "%u", COUNTS[i]);
      double time = families_check(checkers[i], motion, 7, &result);
      families_row("obstacles", done, "vouch", parameter, time, &result);
      const families_peer_t peers[2] = {
        {"obstacles", done, "FCL hulls waypoints", parameter, "FREE", &peer_fcl_hull,
          DRIVE_WAYPOINTS, 0.0, 3},
        {"obstacles", done, "FCL hulls 0.02 rad", parameter, "FREE", &peer_fcl_hull, DRIVE_STEP,
          0.02, 1}
      };
      families_peer(&peers[0], checkers[i]);
      families_peer(&peers[1], checkers[i]);
    }
    done += use;
    vouch_motion_destroy(motion);
  }
  for (int i = 0; i < 4; i++) {
    vouch_checker_destroy(checkers[i]);
    vouch_scene_destroy(scenes[i]);
  }
  vouch_robot_destroy(robot);
}

/// Resident memory of this process.
static double megabytes(void)
{
  unsigned long size = 0, resident = 0;
  FILE * file = fopen("/proc/self/statm", "r");
  if (file != NULL) {
    if (fscanf(file, "%lu %lu", &size, &resident) != 2) {
      resident = 0;
    }
    fclose(file);
  }
  return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

void families_triangles(void)
{
  arm_mesh_t mesh = arm_bumpy_mesh(4, 1.0, 61);   // 5,120 triangles
  const shell_t shell = {0.8, 1.4, 0.3, 0.1, 0.2, &mesh};
  vouch_robot_t * robot = arm_robot(1);
  vouch_check_options_t options = families_options();
  vouch_scene_t * scene;
  vouch_checker_t * checker;
  test_random_t random = {62};
  double before = megabytes(), used = 0.0, begin = bench_cpu();
  bench_must(vouch_scene_create(&scene, robot, NULL), "scene");
  for (uint32_t k = 0; k < 20; k++) {
    add_obstacle(scene, &shell, &random, k);
  }
  bench_must(vouch_checker_create(&checker, scene, &options), "checker");
  families_row("triangles", 0, "vouch", "build s", bench_since(begin), NULL);
  size_t wanted = families_small ? 3 : 30, done = 0;
  for (int attempt = 0; done < wanted && attempt < 1000; attempt++) {
    double from[ARM_JOINTS], to[ARM_JOINTS];
    families_random(&random, 1.0, from, to);
    vouch_motion_t * motion = arm_motion(robot, from, to);
    vouch_result_t result;
    double time = families_check(checker, motion, 3, &result);
    families_row("triangles", done++, "vouch", "path", time, &result);
    used = done == 1 ? megabytes() - before : used;   // before a peer builds its trees
    if (result.verdict == VOUCH_FREE && done % 5 == 1) {
      const families_peer_t peers[2] = {
        {"triangles", done, "FCL meshes waypoints", "path", "FREE", &peer_fcl_bvh, DRIVE_WAYPOINTS,
          0.0, 3},
        {"triangles", done, "FCL meshes 0.02 rad", "path", "FREE", &peer_fcl_bvh, DRIVE_STEP, 0.02,
          1}
      };
      families_peer(&peers[0], checker);
      families_peer(&peers[1], checker);
    }
    vouch_motion_destroy(motion);
  }
  families_row("triangles", 0, "vouch", "megabytes", used, NULL);
  vouch_checker_destroy(checker);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
  arm_mesh_free(&mesh);
}

typedef struct recertify_s
{
  vouch_scene_t * scenes[2];       // 100 boxes; one of them elsewhere
  vouch_checker_t * checkers[2];   // one for each
  vouch_checker_t * living;        // changes between the two
  vouch_check_options_t options;
} recertify_t;

static recertify_t recertify_open(const vouch_robot_t * robot)
{
  const shell_t shell = {0.9, 1.8, 0.3, 0.1, 0.2, NULL};
  recertify_t r = {.options = families_options()};
  r.options.certificate = true;
  for (int i = 0; i < 2; i++) {
    test_random_t random = {71};
    bench_must(vouch_scene_create(&r.scenes[i], robot, NULL), "scene");
    for (uint32_t k = 0; k < 100; k++) {
      add_obstacle(r.scenes[i], &shell, &random, k);
    }
    if (i == 1) {
      add_obstacle(r.scenes[i], &shell, &random, 50);   // replaces it, elsewhere
    }
    bench_must(vouch_checker_create(&r.checkers[i], r.scenes[i], &r.options), "checker");
  }
  bench_must(vouch_checker_create(&r.living, r.scenes[0], &r.options), "checker");
  return r;
}

static void recertify_close(recertify_t * r)
{
  for (int i = 0; i < 2; i++) {
    vouch_checker_destroy(r->checkers[i]);
    vouch_scene_destroy(r->scenes[i]);
  }
  vouch_checker_destroy(r->living);
}

/// From files: everything is read, hashed and tested again.
static void recertify_files(const recertify_t * r, const vouch_motion_t * motion, size_t number)
{
  uint8_t * data[2];
  size_t size[2];
  vouch_result_t result;
  double times[5];
  bench_must(vouch_checker_problem(r->checkers[0], &data[0], &size[0]), "problem");
  bench_must(vouch_checker_certificate(r->checkers[0], &data[1], &size[1]), "certificate");
  for (int i = 0; i < 5; i++) {
    double begin = bench_cpu();
    bench_must(
      vouch_recertify(r->checkers[1], motion, data[0], size[0], data[1], size[1], &result),
      "recertify");
    times[i] = 1e6 * bench_since(begin);
  }
  families_row("recertify", number, "vouch recertify files", "", bench_median(times, 5), &result);
  vouch_bytes_free(r->checkers[0], data[0]);
  vouch_bytes_free(r->checkers[0], data[1]);
}

/// In place, there and back again: the proof alone, and with the change of the scene before it.
static void recertify_living(const recertify_t * r, const vouch_motion_t * motion, size_t number)
{
  vouch_result_t result;
  double times[9], whole[9];
  bench_must(vouch_checker_change_scene(r->living, r->scenes[0]), "change");
  bench_must(vouch_check(r->living, motion, &result), "check");
  for (int i = 0; i < 18; i++) {
    double begin = bench_cpu();
    bench_must(vouch_checker_change_scene(r->living, r->scenes[(i + 1) % 2]), "change");
    double changed = bench_cpu();
    bench_must(vouch_checker_recertify(r->living, motion, &result), "recertify");
    if (i % 2 == 0) {
      times[i / 2] = 1e6 * bench_since(changed);
      whole[i / 2] = 1e6 * bench_since(begin);
    }
  }
  bench_must(vouch_checker_change_scene(r->living, r->scenes[1]), "change");
  bench_must(vouch_checker_recertify(r->living, motion, &result), "recertify");
  families_row("recertify", number, "vouch recertify", "", bench_median(times, 9), &result);
  families_row(
    "recertify", number, "vouch change and recertify", "", bench_median(whole, 9), &result);
}

/// The same obstacle moves from one of the two places to the other in one call.
static void recertify_moving(const recertify_t * r, const vouch_motion_t * motion, size_t number)
{
  vouch_result_t result;
  vouch_object_view_t view;
  vouch_pose_t places[2];
  double times[9];
  for (int i = 0; i < 2; i++) {
    if (!vouch_scene_object(r->scenes[i], 50, &view)) {
      return;
    }
    places[i] = view.pose;
  }
  const char * id = view.id;
  bench_must(vouch_checker_change_scene(r->living, r->scenes[1]), "change");
  for (int i = 0; i < 19; i++) {
    double begin = bench_cpu();
    bench_must(vouch_checker_move_object(r->living, id, NULL, &places[i % 2]), "move");
    bench_must(vouch_checker_recertify(r->living, motion, &result), "recertify");
    if (i % 2 == 1) {   // from the first place, where it came to rest before
      times[i / 2] = 1e6 * bench_since(begin);
    }
  }
  families_row(
    "recertify", number, "vouch move and recertify", "", bench_median(times, 9), &result);
}

/// Full check after a change, and re-certification from the old proof.
void families_recertify(void)
{
  vouch_robot_t * robot = arm_robot(1);
  recertify_t r = recertify_open(robot);
  test_random_t random = {72};
  size_t wanted = families_small ? 2 : 15, done = 0;
  for (int attempt = 0; done < wanted && attempt < 1000; attempt++) {
    double from[ARM_JOINTS], to[ARM_JOINTS], times[5];
    families_random(&random, 1.0, from, to);
    vouch_motion_t * motion = arm_timed(robot, from, to, 101, 10.0, 5);
    vouch_result_t result;
    families_check(r.checkers[0], motion, 1, &result);
    bool use = result.verdict == VOUCH_FREE;
    if (use) {
      families_check(r.checkers[1], motion, 1, &result);
      use = result.verdict == VOUCH_FREE;
    }
    if (use) {
      recertify_files(&r, motion, done);
      recertify_living(&r, motion, done);
      recertify_moving(&r, motion, done);
      double time = families_check(r.checkers[1], motion, 7, &result);
      families_row("recertify", done, "vouch", "", time, &result);
      for (int i = 0; i < 5; i++) {
        vouch_checker_t * checker;
        double begin = bench_cpu();
        bench_must(vouch_checker_create(&checker, r.scenes[1], &r.options), "checker");
        bench_must(vouch_check(checker, motion, &result), "check");
        times[i] = 1e6 * bench_since(begin);
        vouch_checker_destroy(checker);
      }
      families_row(
        "recertify", done++, "vouch new checker", "", bench_median(times, 5), &result);
    }
    vouch_motion_destroy(motion);
  }
  recertify_close(&r);
  vouch_robot_destroy(robot);
}

void families_absent(const char * experiment, const char * why)
{
  drive_print(&(drive_row_t) {experiment, "", "all", -1.0, "", "not run", "", 0, why});
}

/// A random motion of a robot of the shared data; variables after the first seven stay still.
static void random_motion(
  const vouch_robot_t * robot, test_random_t * random, double reach, double * from, double * to)
{
  size_t n = vouch_robot_variable_count(robot);
  for (size_t v = 0; v < n; v++) {
    double lower = -3.0, upper = 3.0;
    vouch_robot_variable_limits(robot, v, &lower, &upper);
    double width = upper - lower;
    from[v] = v < 7 ? test_random_in(random, lower + 0.2 * width, upper - 0.2 * width) : lower;
    to[v] = v < 7 ? fmin(upper, fmax(lower, from[v] + test_random_in(random, -reach, reach))) :
      from[v];
  }
}

void families_panda100(void)
{
  mbm_t mbm;
  if (!mbm_open(&mbm, false)) {
    families_absent("panda100", "the shared data is absent");
    return;
  }
  vouch_robot_t * robot = mbm_robot(&mbm, "panda");
  arm_mesh_t mesh = arm_bumpy_mesh(1, 1.0, 81);   // 80 triangles
  const shell_t shell = {0.75, 1.6, 0.3, 0.05, 0.12, &mesh};
  vouch_check_options_t options = families_options();
  size_t wanted = families_small ? 2 : 20, done = 0;
  test_random_t random = {82};
  for (uint64_t seed = 0; done < wanted && seed < 40; seed++) {
    vouch_scene_t * scene;
    vouch_checker_t * checker;
    test_random_t scene_random = {1000 + seed};
    bench_must(vouch_scene_create(&scene, robot, NULL), "scene");
    for (uint32_t k = 0; k < 100; k++) {
      add_obstacle(scene, &shell, &scene_random, k);
    }
    bench_must(vouch_checker_create(&checker, scene, &options), "checker");
    for (int attempt = 0, found = 0; attempt < 60 && found < 2 && done < wanted; attempt++) {
      double from[64], to[64];
      random_motion(robot, &random, 1.0, from, to);
      vouch_motion_t * motion = arm_timed(robot, from, to, 101, 10.0, 5);
      vouch_result_t result;
      double time = families_check(checker, motion, 5, &result);
      if (result.verdict == VOUCH_FREE) {
        found++;
        const families_peer_t peers[4] = {
          {"panda100", done, "FCL meshes waypoints", "", "FREE", &peer_fcl_bvh, DRIVE_WAYPOINTS,
            0.0, 3},
          {"panda100", done, "FCL meshes 1 kHz", "", "FREE", &peer_fcl_bvh, DRIVE_RATE, 1000.0, 1},
          {"panda100", done, "FCL hulls waypoints", "", "FREE", &peer_fcl_hull, DRIVE_WAYPOINTS,
            0.0,
            3},
          {"panda100", done, "Bullet hulls waypoints", "", "FREE", &peer_bullet, DRIVE_WAYPOINTS,
            0.0, 3}
        };
        families_row("panda100", done, "vouch", "", time, &result);
        for (int i = 0; i < 4; i++) {
          families_peer(&peers[i], checker);
        }
        done++;
      }
      vouch_motion_destroy(motion);
    }
    vouch_checker_destroy(checker);
    vouch_scene_destroy(scene);
  }
  arm_mesh_free(&mesh);
  mbm_close(&mbm);
}

typedef struct cell_s
{
  const char * experiment, * urdf, * srdf, * package, * root;
} cell_t;

static void cell(const cell_t * of)
{
  char path[1024], srdf[1024], base[1024];
  const char * experiment = of->experiment;
  if (test_data_path(of->urdf, path, sizeof(path)) == NULL ||
    test_data_path(of->root, base, sizeof(base)) == NULL)
  {
    families_absent(experiment, "the shared data is absent");
    return;
  }
  vouch_package_t packages[1] = {{of->package, base}};
  vouch_robot_options_t robot_options = vouch_robot_options_default();
  robot_options.srdf_path = of->srdf ? test_data_path(of->srdf, srdf, sizeof(srdf)) : NULL;
  robot_options.packages = packages;
  robot_options.package_count = 1;
  robot_options.surfaces = true;
  robot_options.cache_directory = getenv("VOUCH_TEST_CACHE");
  vouch_robot_t * robot;
  if (vouch_robot_load_urdf(&robot, path, &robot_options) != VOUCH_RET_OK) {
    fprintf(stderr, "%s: %s\n", experiment, vouch_error());
    families_absent(experiment, "the robot does not load");
    return;
  }
  const shell_t shell = {1.2, 4.0, 1.0, 0.2, 0.6, NULL};
  vouch_scene_t * scene;
  vouch_checker_t * checker;
  vouch_check_options_t options = families_options();
  test_random_t random = {91};
  bench_must(vouch_scene_create(&scene, robot, NULL), "scene");
  for (uint32_t k = 0; k < 30; k++) {
    add_obstacle(scene, &shell, &random, k);
  }
  bench_must(vouch_checker_create(&checker, scene, &options), "checker");
  size_t wanted = families_small ? 2 : 15, done = 0;
  for (int attempt = 0; done < wanted && attempt < 400; attempt++) {
    double from[64], to[64];
    random_motion(robot, &random, 0.7, from, to);
    vouch_motion_t * motion = arm_motion(robot, from, to);
    vouch_result_t result;
    double time = families_check(checker, motion, 3, &result);
    if (result.verdict == VOUCH_FREE) {
      const families_peer_t peers[3] = {
        {experiment, done, "FCL meshes waypoints", "", "FREE", &peer_fcl_bvh, DRIVE_WAYPOINTS, 0.0,
          3},
        {experiment, done, "FCL meshes 0.02 rad", "", "FREE", &peer_fcl_bvh, DRIVE_STEP, 0.02, 1},
        {experiment, done, "Bullet cast", "", "FREE", &peer_bullet_cast, DRIVE_SEGMENTS, 0.0, 1}
      };
      families_row(experiment, done, "vouch", "", time, &result);
      for (int i = 0; i < 3; i++) {
        families_peer(&peers[i], checker);
      }
      done++;
    }
    vouch_motion_destroy(motion);
  }
  vouch_checker_destroy(checker);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

void families_cells(void)
{
  static const cell_t CELLS[3] = {
    {"cell KR210", "kuka_experimental/kuka_kr210_support/urdf/kr210l150.urdf", NULL,
      "kuka_kr210_support", "kuka_experimental/kuka_kr210_support"},
    {"cell IRB4600", "compas_fab_robot_library/abb_irb4600_40_255/urdf/robot_description.urdf",
      "compas_fab_robot_library/abb_irb4600_40_255/robot_description_semantic.srdf",
      "abb_irb4600_40_255", "compas_fab_robot_library/abb_irb4600_40_255/abb_irb4600_40_255"},
    {"cell SIA20D", "tesseract_support/support/urdf/car_seat_demo.urdf",
      "tesseract_support/support/urdf/car_seat_demo.srdf", "tesseract", "tesseract_support"}
  };
  for (int i = 0; i < 3; i++) {
    cell(&CELLS[i]);
  }
}
