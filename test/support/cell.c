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

#include "support/cell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void need(vouch_ret_t ret, const char * what)
{
  if (ret != VOUCH_RET_OK) {
    fprintf(stderr, "%s: %s\n", what, vouch_error());
    exit(99);
  }
}

cell_t cell_open(const char * urdf, const char * srdf)
{
  cell_t cell = {0};
  vouch_robot_options_t options = vouch_robot_options_default();
  options.srdf_text = srdf;
  need(vouch_robot_parse_urdf(&cell.robot, urdf, strlen(urdf), NULL, &options), "robot");
  need(vouch_scene_create(&cell.scene, cell.robot, NULL), "scene");
  return cell;
}

void cell_close(cell_t * cell)
{
  vouch_checker_destroy(cell->checker);
  vouch_motion_destroy(cell->motion);
  vouch_scene_destroy(cell->scene);
  vouch_robot_destroy(cell->robot);
  memset(cell, 0, sizeof(*cell));
}

void cell_clear(cell_t * cell)
{
  vouch_checker_destroy(cell->checker);
  cell->checker = NULL;
  vouch_scene_destroy(cell->scene);
  need(vouch_scene_create(&cell->scene, cell->robot, NULL), "scene");
}

vouch_shape_t cell_box(double x, double y, double z)
{
  return (vouch_shape_t) {.kind = VOUCH_SHAPE_BOX, .size = {x, y, z}};
}

vouch_shape_t cell_cube_mesh(size_t triangles)
{
  static const double corners[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
    {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
  static const uint32_t sides[12][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 5}, {0, 5, 4}, {1, 2, 6},
    {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}, {4, 5, 6}, {4, 6, 7}};
  return (vouch_shape_t) {.kind = VOUCH_SHAPE_MESH, .points = corners, .point_count = 8,
           .triangles = sides, .triangle_count = triangles};
}

vouch_shape_t cell_sphere(double radius)
{
  return (vouch_shape_t) {.kind = VOUCH_SHAPE_SPHERE, .size = {radius}};
}

vouch_pose_t cell_at(double x, double y, double z)
{
  return (vouch_pose_t) {{0.0, 0.0, 0.0, 1.0}, {x, y, z}};
}

vouch_pose_t cell_turned(double x, double y, double z, const double axis[3], double angle)
{
  double s = sin(0.5 * angle);
  return (vouch_pose_t) {{s * axis[0], s * axis[1], s * axis[2], cos(0.5 * angle)}, {x, y, z}};
}

void cell_add(cell_t * cell, const char * id, vouch_shape_t shape, vouch_pose_t pose)
{
  vouch_pose_t identity = vouch_pose_identity();
  need(vouch_scene_add_object(cell->scene, id, NULL, &pose, &shape, &identity, 1), id);
}

void cell_hold(
  cell_t * cell, const char * id, const char * link, vouch_shape_t shape, vouch_pose_t pose)
{
  vouch_pose_t identity = vouch_pose_identity();
  need(vouch_scene_add_object(cell->scene, id, link, &pose, &shape, &identity, 1), id);
  need(vouch_scene_attach_object(cell->scene, id, link, NULL, 0), id);
}

static void make_motion(
  cell_t * cell, const double * positions, const double * velocities,
  const double * accelerations, size_t count, vouch_motion_model_t model)
{
  size_t n = vouch_robot_variable_count(cell->robot);
  const char * names[64];
  vouch_trajectory_point_t points[1024];
  if (n > 64 || count > 1024) {
    fprintf(stderr, "cell: more than 64 joints or 1024 points\n");
    exit(99);
  }
  for (size_t i = 0; i < n; i++) {
    names[i] = vouch_robot_variable_name(cell->robot, i);
  }
  for (size_t i = 0; i < count; i++) {
    points[i] = (vouch_trajectory_point_t) {.positions = positions + i * n, .time_s = (double)i,
      .velocities = velocities != NULL ? velocities + i * n : NULL,
      .accelerations = accelerations != NULL ? accelerations + i * n : NULL};
  }
  vouch_trajectory_t trajectory = {.joint_names = names, .joint_count = n, .points = points,
    .point_count = count};
  vouch_motion_options_t options = vouch_motion_options_default();
  options.model = model;
  vouch_motion_destroy(cell->motion);
  need(vouch_motion_create(&cell->motion, cell->robot, &trajectory, &options), "motion");
}

void cell_path(cell_t * cell, const double * values, size_t count)
{
  make_motion(cell, values, NULL, NULL, count, VOUCH_MODEL_LINEAR);
}

void cell_spline(
  cell_t * cell, const double * positions, const double * velocities,
  const double * accelerations, size_t count)
{
  make_motion(cell, positions, velocities, accelerations, count, VOUCH_MODEL_CONTROLLER);
}

vouch_check_options_t cell_options(void)
{
  vouch_check_options_t options = vouch_check_options_default();
  options.clearance = false;
  options.max_memory = (size_t)4 << 20;
  return options;
}

vouch_result_t cell_check(cell_t * cell, const vouch_check_options_t * options)
{
  vouch_check_options_t small = cell_options();
  vouch_result_t result;
  vouch_checker_destroy(cell->checker);
  need(
    vouch_checker_create(&cell->checker, cell->scene, options != NULL ? options : &small),
    "checker");
  need(vouch_check(cell->checker, cell->motion, &result), "check");
  return result;
}
