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

#include "arm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void bench_must(vouch_ret_t ret, const char * what)
{
  if (ret != VOUCH_RET_OK) {
    fprintf(stderr, "bench: %s: %s\n", what, vouch_error());
    exit(1);
  }
}

double bench_cpu(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// What reading the clock adds to a measurement: the median of many in which nothing is done.
static double clock_cost(void)
{
  static double cost = -1.0;
  double times[1001];
  if (cost < 0.0) {
    for (int i = 0; i < 1001; i++) {
      double begin = bench_cpu();
      times[i] = bench_cpu() - begin;
    }
    cost = bench_median(times, 1001);
  }
  return cost;
}

double bench_since(double begin)
{
  double now = bench_cpu();
  return fmax(0.0, now - begin - clock_cost());
}

double bench_wall(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int bench_compare(const void * a, const void * b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

double bench_median(double * values, size_t count)
{
  qsort(values, count, sizeof(double), bench_compare);
  return count == 0 ? 0.0 : values[count / 2];
}

static const double ORIGINS[ARM_JOINTS][3] = {
  {0, 0, 0.1575}, {0, 0, 0.2025}, {0, 0.2045, 0}, {0, 0, 0.2155}, {0, 0.1845, 0}, {0, 0, 0.2155},
  {0, 0.081, 0}
};
#define RIGHT 1.5707963267948966
#define HALF 3.141592653589793
static const double TURNS[ARM_JOINTS][3] = {
  {0, 0, 0}, {RIGHT, 0, HALF}, {RIGHT, 0, HALF}, {RIGHT, 0, 0}, {-RIGHT, HALF, 0}, {RIGHT, 0, 0},
  {-RIGHT, HALF, 0}
};

static void arm_text(char * urdf, size_t size, char * srdf, size_t srdf_size)
{
  int n = snprintf(urdf, size, "<robot name='arm7'><link name='link_0'/>");
  for (int k = 0; k < ARM_JOINTS; k++) {
    n += snprintf(
      urdf + n, size - (size_t)n,
      "<link name='link_%d'/><joint name='joint_%d' type='revolute'>"
      "<parent link='link_%d'/><child link='link_%d'/>"
      "<origin xyz='%.17g %.17g %.17g' rpy='%.17g %.17g %.17g'/><axis xyz='0 0 1'/>"
      "<limit lower='-6.3' upper='6.3' effort='1' velocity='10'/></joint>", k + 1, k + 1, k, k + 1,
      ORIGINS[k][0], ORIGINS[k][1], ORIGINS[k][2], TURNS[k][0], TURNS[k][1], TURNS[k][2]);
  }
  snprintf(urdf + n, size - (size_t)n, "</robot>");
  n = snprintf(srdf, srdf_size, "<robot name='arm7'>");
  for (int i = 0; i <= ARM_JOINTS; i++) {
    for (int j = i + 1; j <= ARM_JOINTS; j++) {
      n += snprintf(
        srdf + n, srdf_size - (size_t)n,
        "<disable_collisions link1='link_%d' link2='link_%d' reason='Never'/>", i, j);
    }
  }
  snprintf(srdf + n, srdf_size - (size_t)n, "</robot>");
}

vouch_robot_t * arm_robot(uint64_t seed)
{
  static char urdf[16384], srdf[16384];
  arm_text(urdf, sizeof(urdf), srdf, sizeof(srdf));
  vouch_robot_options_t options = vouch_robot_options_default();
  options.srdf_text = srdf;
  options.ignore_geometry = true;
  vouch_robot_t * robot;
  bench_must(
    vouch_robot_parse_urdf(&robot, urdf, strlen(urdf), NULL, &options), "the generated arm");
  test_random_t random = {seed};
  for (int k = 2; k < ARM_JOINTS; k++) {
    const double tip[3] = {0, 0, 0.2};
    const double * end = k + 1 < ARM_JOINTS ? ORIGINS[k + 1] : tip;
    const double radius = k + 1 < ARM_JOINTS ? 0.075 - 0.004 * k : 0.05;
    double points[64][3];
    for (int v = 0; v < 64; v++) {
      double direction[3];
      test_random_direction(&random, direction);
      double along = v % 4 == 3 ? test_random_in(&random, 0.0, 1.0) : v % 2;
      for (int i = 0; i < 3; i++) {
        points[v][i] = along * end[i] + radius * direction[i];
      }
    }
    vouch_shape_t shape = {.kind = VOUCH_SHAPE_CONVEX, .points = (const double(*)[3])points,
      .point_count = 64};
    char name[16];
    snprintf(name, sizeof(name), "link_%d", k + 1);
    bench_must(vouch_robot_set_link_shapes(robot, name, &shape, NULL, 1), name);
  }
  return robot;
}

vouch_scene_t * arm_scene(const vouch_robot_t * robot, uint32_t count, uint64_t seed)
{
  vouch_scene_t * scene;
  bench_must(vouch_scene_create(&scene, robot, NULL), "scene");
  test_random_t random = {seed};
  for (uint32_t i = 0; i < count; i++) {
    vouch_shape_t box = {.kind = VOUCH_SHAPE_BOX};
    vouch_pose_t pose = vouch_pose_identity();
    double direction[3], q[3];
    test_random_direction(&random, direction);
    test_random_direction(&random, q);
    double turn = test_random_in(&random, 0.0, 3.0), reach = test_random_in(&random, 0.35, 1.1);
    for (int k = 0; k < 3; k++) {
      pose.translation[k] = reach * direction[k];
      pose.rotation[k] = sin(0.5 * turn) * q[k];
      box.size[k] = test_random_in(&random, 0.06, 0.3);
    }
    pose.rotation[3] = cos(0.5 * turn);
    pose.translation[2] = fabs(pose.translation[2]) + 0.1;
    char name[32];
    snprintf(name, sizeof(name), "box_%u", i);
    bench_must(vouch_scene_add_object(scene, name, NULL, &pose, &box, NULL, 1), name);
  }
  return scene;
}

static uint32_t middle_of(
  double(*points)[3], size_t * count, uint64_t * keys, uint32_t * values, size_t table,
  uint32_t a, uint32_t b)
{
  uint64_t key = ((uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a)) + 1;
  size_t at = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) % table;
  while (keys[at] != 0 && keys[at] != key) {
    at = (at + 1) % table;
  }
  if (keys[at] == key) {
    return values[at];
  }
  double length = 0.0;
  for (int k = 0; k < 3; k++) {
    points[*count][k] = points[a][k] + points[b][k];
    length += points[*count][k] * points[*count][k];
  }
  for (int k = 0; k < 3; k++) {
    points[*count][k] /= sqrt(length);
  }
  keys[at] = key;
  values[at] = (uint32_t)*count;
  return (uint32_t)(*count)++;
}

static void refine(arm_mesh_t * mesh)
{
  size_t table = 8 * mesh->triangle_count + 64, count = mesh->point_count;
  uint64_t * keys = calloc(table, sizeof(*keys));
  uint32_t * values = calloc(table, sizeof(*values));
  uint32_t(*out)[3] = calloc(4 * mesh->triangle_count, sizeof(*out));
  mesh->points = realloc(mesh->points, (count + 2 * mesh->triangle_count) * sizeof(*mesh->points));
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t * p = mesh->triangles[t];
    uint32_t m[3];
    for (int k = 0; k < 3; k++) {
      m[k] = middle_of(mesh->points, &count, keys, values, table, p[k], p[(k + 1) % 3]);
    }
    const uint32_t parts[4][3] = {
      {p[0], m[0], m[2]}, {m[0], p[1], m[1]}, {m[2], m[1], p[2]}, {m[0], m[1], m[2]}
    };
    memcpy(out[4 * t], parts, sizeof(parts));
  }
  free(keys);
  free(values);
  free(mesh->triangles);
  mesh->triangles = out;
  mesh->triangle_count *= 4;
  mesh->point_count = count;
}

arm_mesh_t arm_bumpy_mesh(uint32_t levels, double size, uint64_t seed)
{
  static const double g = 1.618033988749895;
  const double corners[12][3] = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0}, {0, -1, g},
    {0, 1, g}, {0, -1, -g}, {0, 1, -g}, {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
  static const uint32_t faces[20][3] = {{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11},
    {1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8}, {3, 9, 4}, {3, 4, 2}, {3, 2, 6},
    {3, 6, 8}, {3, 8, 9}, {4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1}};
  arm_mesh_t mesh = {malloc(sizeof(corners)), malloc(sizeof(faces)), 12, 20};
  memcpy(mesh.triangles, faces, sizeof(faces));
  for (int i = 0; i < 12; i++) {
    for (int k = 0; k < 3; k++) {
      mesh.points[i][k] = corners[i][k] / sqrt(1.0 + g * g);
    }
  }
  for (uint32_t i = 0; i < levels; i++) {
    refine(&mesh);
  }
  test_random_t random = {seed};
  double waves[4][4];
  for (int w = 0; w < 4; w++) {
    test_random_direction(&random, waves[w]);
    waves[w][3] = test_random_in(&random, 2.0, 6.0);
  }
  for (size_t i = 0; i < mesh.point_count; i++) {
    double * p = mesh.points[i], r = 1.0;
    for (int w = 0; w < 4; w++) {
      r += 0.08 * sin(
        waves[w][3] * (waves[w][0] * p[0] + waves[w][1] * p[1] + waves[w][2] * p[2]) + w);
    }
    for (int k = 0; k < 3; k++) {
      p[k] *= r * size;
    }
  }
  return mesh;
}

void arm_mesh_free(arm_mesh_t * mesh)
{
  free(mesh->points);
  free(mesh->triangles);
}

vouch_shape_t arm_mesh_shape(const arm_mesh_t * mesh)
{
  return (vouch_shape_t) {.kind = VOUCH_SHAPE_MESH, .points = (const double(*)[3])mesh->points,
           .point_count = mesh->point_count, .triangles = (const uint32_t(*)[3])mesh->triangles,
           .triangle_count = mesh->triangle_count};
}

static vouch_motion_t * motion_of(
  const vouch_robot_t * robot, const vouch_trajectory_point_t * points, size_t count,
  vouch_motion_model_t model)
{
  const char * names[64];
  size_t n = vouch_robot_variable_count(robot);
  for (size_t i = 0; i < n; i++) {
    names[i] = vouch_robot_variable_name(robot, i);
  }
  vouch_trajectory_t trajectory = {.joint_names = names, .joint_count = n, .points = points,
    .point_count = count};
  vouch_motion_options_t options = vouch_motion_options_default();
  options.model = model;
  vouch_motion_t * motion;
  bench_must(vouch_motion_create(&motion, robot, &trajectory, &options), "motion");
  return motion;
}

vouch_motion_t * arm_motion(const vouch_robot_t * robot, const double * from, const double * to)
{
  vouch_trajectory_point_t points[2] = {{.positions = from}, {.positions = to}};
  return motion_of(robot, points, 2, VOUCH_MODEL_LINEAR);
}

vouch_motion_t * arm_polyline(
  const vouch_robot_t * robot, const double * const * rows, size_t count)
{
  vouch_trajectory_point_t * points = calloc(count, sizeof(*points));
  for (size_t i = 0; i < count; i++) {
    points[i].positions = rows[i];
  }
  vouch_motion_t * motion = motion_of(robot, points, count, VOUCH_MODEL_LINEAR);
  free(points);
  return motion;
}

static vouch_motion_t * sampled(
  const vouch_robot_t * robot, const double * from, const double * to, size_t count,
  double seconds, int order)
{
  size_t n = vouch_robot_variable_count(robot);
  double * values = calloc(3 * n * count, sizeof(double));
  vouch_trajectory_point_t * points = calloc(count, sizeof(*points));
  for (size_t i = 0; i < count; i++) {
    double s = (double)i / (double)(count - 1), t = seconds > 0.0 ? seconds : 1.0;
    double at[3] = {s * s * s * (10.0 - 15.0 * s + 6.0 * s * s),
      30.0 * s * s * (1.0 - s) * (1.0 - s) / t,
      60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / (t * t)};
    double * row = values + 3 * n * i;
    for (size_t v = 0; v < n; v++) {
      row[v] = i + 1 == count ? to[v] : from[v] + at[0] * (to[v] - from[v]);
      row[n + v] = at[1] * (to[v] - from[v]);
      row[2 * n + v] = at[2] * (to[v] - from[v]);
    }
    points[i] = (vouch_trajectory_point_t) {.positions = row,
      .velocities = order >= 3 ? row + n : NULL, .accelerations = order >= 5 ? row + 2 * n : NULL,
      .time_s = seconds > 0.0 ? s * seconds : 0.0};
  }
  vouch_motion_t * motion = motion_of(
    robot, points, count, seconds > 0.0 ? VOUCH_MODEL_CONTROLLER : VOUCH_MODEL_LINEAR);
  free(points);
  free(values);
  return motion;
}

vouch_motion_t * arm_timed(
  const vouch_robot_t * robot, const double * from, const double * to, size_t points,
  double seconds, int order)
{
  return sampled(robot, from, to, points, seconds, order);
}

vouch_motion_t * arm_path(
  const vouch_robot_t * robot, const double * from, const double * to, size_t points)
{
  return sampled(robot, from, to, points, 0.0, 1);
}
