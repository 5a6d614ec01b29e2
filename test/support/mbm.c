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

#include "support/mbm.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/data.h"

static void die(const char * what, const char * which)
{
  fprintf(stderr, "%s %s: %s\n", what, which, vouch_error());
  exit(1);
}

static bool parse_row(char * line, mbm_row_t * row)
{
  char * fields[17];
  size_t count = 0;
  for (char * p = strtok(line, ",\n"); p != NULL && count < 17; p = strtok(NULL, ",\n")) {
    fields[count++] = p;
  }
  if (count < 14) {
    return false;
  }
  snprintf(row->problem, sizeof(row->problem), "%s", fields[0]);
  char * slash = strchr(fields[0], '/');
  *slash = 0;
  snprintf(row->number, sizeof(row->number), "%s", slash + 1);
  char * last = strrchr(fields[0], '_');
  snprintf(row->robot, sizeof(row->robot), "%s", last + 1);
  *last = 0;
  snprintf(row->family, sizeof(row->family), "%s", fields[0]);
  row->points = (size_t)atoi(fields[1]);
  snprintf(row->label, sizeof(row->label), "%s", fields[2]);
  row->t_contact = atof(fields[3]);
  row->t_penetration = atof(fields[5]);
  row->distance = fmin(atof(fields[10]), atof(fields[13]));
  return true;
}

static bool unpack(mbm_t * mbm)
{
  snprintf(mbm->unpacked, sizeof(mbm->unpacked), "/tmp/vouch-mbm-XXXXXX");
  if (mkdtemp(mbm->unpacked) == NULL) {
    return false;
  }
  char command[4096];
  snprintf(
    command, sizeof(command),
    "for f in '%s'/motion_bench_maker/archives/*.tar.gz; do tar xzf \"$f\" -C '%s' || exit 1; done",
    mbm->data, mbm->unpacked);
  return system(command) == 0;
}

bool mbm_open(mbm_t * mbm, bool direct)
{
  memset(mbm, 0, sizeof(*mbm));
  const char * data = test_data_directory();
  if (data == NULL) {
    return false;
  }
  snprintf(mbm->data, sizeof(mbm->data), "%s", data);
  char path[2048], line[4096];
  snprintf(
    path, sizeof(path), "%s/derived_labels/%s.csv", data,
    direct ? "mbm_direct_labels" : "mbm_labels");
  FILE * file = fopen(path, "r");
  if (file == NULL || !unpack(mbm)) {
    return false;
  }
  mbm->rows = calloc(4096, sizeof(*mbm->rows));
  if (fgets(line, sizeof(line), file) == NULL) {
    fclose(file);
    return false;
  }
  while (mbm->count < 4096 && fgets(line, sizeof(line), file) != NULL) {
    mbm->count += parse_row(line, &mbm->rows[mbm->count]) ? 1u : 0u;
  }
  fclose(file);
  return true;
}

void mbm_close(mbm_t * mbm)
{
  char command[2048];
  for (int i = 0; i < 3; i++) {
    vouch_robot_destroy(mbm->robots[i]);
  }
  free(mbm->rows);
  if (strncmp(mbm->unpacked, "/tmp/vouch-mbm-", 15) == 0) {
    snprintf(command, sizeof(command), "rm -rf '%s'", mbm->unpacked);
    if (system(command) != 0) {
      fprintf(stderr, "could not remove %s\n", mbm->unpacked);
    }
  }
  memset(mbm, 0, sizeof(*mbm));
}

static const char * const ROBOTS[3][3] = {
  {"panda", "panda/urdf/panda.urdf", "panda/config/panda.srdf"},
  {"ur5", "ur/robots/ur5_robotiq85_small_table.expanded.urdf",
    "ur/config/ur5/ur5_robotiq85_table.expanded.srdf"},
  {"yumi", "yumi/urdf/yumi.urdf", "yumi/config/yumi.srdf"}
};

vouch_robot_t * mbm_robot(mbm_t * mbm, const char * name)
{
  for (int i = 0; i < 3; i++) {
    if (strcmp(ROBOTS[i][0], name) != 0) {
      continue;
    }
    if (mbm->robots[i] == NULL) {
      char base[2048], urdf[4096], srdf[4096];
      snprintf(base, sizeof(base), "%s/robowflex_resources", mbm->data);
      snprintf(urdf, sizeof(urdf), "%s/%s", base, ROBOTS[i][1]);
      snprintf(srdf, sizeof(srdf), "%s/%s", base, ROBOTS[i][2]);
      vouch_package_t package = {"robowflex_resources", base};
      vouch_robot_options_t options = vouch_robot_options_default();
      options.srdf_path = srdf;
      options.packages = &package;
      options.package_count = 1;
      options.surfaces = true;   // the labels are about surfaces; the kitchens are open at the back
      options.cache_directory = getenv("VOUCH_TEST_CACHE");
      if (vouch_robot_load_urdf(&mbm->robots[i], urdf, &options) != VOUCH_RET_OK) {
        die("robot", name);
      }
    }
    return mbm->robots[i];
  }
  die("no such robot:", name);
  return NULL;
}

static void file_path(
  const mbm_t * mbm, const mbm_row_t * row, const char * what, char * out,
  size_t size)
{
  const char * roots[2] = {mbm->data, mbm->unpacked};
  const char * middles[2] = {"/motion_bench_maker/problems", "/problems"};
  for (int i = 0; i < 2; i++) {
    snprintf(
      out, size, "%s%s/%s_%s/%s%s.yaml", roots[i], middles[i], row->family, row->robot, what,
      row->number);
    if (access(out, R_OK) == 0) {
      return;
    }
  }
}

/// The goal's joint_constraints of a MotionPlanRequest, read the plain way: name and position lines.
static void read_goal(const vouch_robot_t * robot, const char * path, double * goal)
{
  FILE * file = fopen(path, "r");
  char line[4096], name[256] = "";
  bool inside = false, has_position = false;
  double position = 0.0;
  while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
    if (strncmp(line, "goal_constraints", 16) == 0) {
      inside = true;
    } else if (inside && line[0] != ' ' && line[0] != '-') {
      inside = false;
    }
    if (!inside) {
      continue;
    }
    if (strstr(line, "- ") != NULL && (strstr(line, "joint_name:") || strstr(line, "position:"))) {
      name[0] = 0;
      has_position = false;
    }
    char * p = strstr(line, "joint_name:");
    if (p != NULL) {
      sscanf(p + 11, " %255[^ \n,}]", name);
    }
    p = strstr(line, "position:");
    if (p != NULL) {
      has_position = sscanf(p + 9, "%lf", &position) == 1;
    }
    int v = name[0] ? vouch_robot_find_variable(robot, name) : -1;
    if (v >= 0 && has_position) {
      goal[v] = position;
    }
  }
  if (file != NULL) {
    fclose(file);
  }
}

mbm_case_t mbm_load(mbm_t * mbm, const mbm_row_t * row, bool direct)
{
  mbm_case_t out = {0};
  char path[4096];
  vouch_robot_t * robot = mbm_robot(mbm, row->robot);
  size_t n = vouch_robot_variable_count(robot);
  out.start = calloc(n, sizeof(double));
  out.goal = calloc(n, sizeof(double));
  file_path(mbm, row, "request", path, sizeof(path));
  if (vouch_state_load(robot, path, out.start) != VOUCH_RET_OK) {
    die("start state of", row->problem);
  }
  memcpy(out.goal, out.start, n * sizeof(double));
  read_goal(robot, path, out.goal);
  file_path(mbm, row, "scene", path, sizeof(path));
  vouch_scene_options_t scene_options = vouch_scene_options_default();
  scene_options.surfaces = true;
  if (vouch_scene_create(&out.scene, robot, &scene_options) != VOUCH_RET_OK ||
    vouch_scene_load(out.scene, path) != VOUCH_RET_OK)
  {
    die("scene of", row->problem);
  }
  const char * names[64];
  for (size_t i = 0; i < n; i++) {
    names[i] = vouch_robot_variable_name(robot, i);
  }
  vouch_joint_values_t start = {.names = names, .positions = out.start, .count = n};
  vouch_motion_options_t options = vouch_motion_options_default();
  options.start_state = &start;
  vouch_ret_t ret;
  if (direct) {
    vouch_trajectory_point_t points[2] = {{.positions = out.start}, {.positions = out.goal}};
    vouch_trajectory_t trajectory = {.joint_names = names, .joint_count = n, .points = points,
      .point_count = 2};
    ret = vouch_motion_create(&out.motion, robot, &trajectory, &options);
  } else {
    file_path(mbm, row, "path", path, sizeof(path));
    ret = vouch_motion_load(&out.motion, robot, path, &options);
  }
  if (ret != VOUCH_RET_OK) {
    die("motion of", row->problem);
  }
  return out;
}

void mbm_release(mbm_case_t * problem)
{
  vouch_motion_destroy(problem->motion);
  vouch_scene_destroy(problem->scene);
  free(problem->start);
  free(problem->goal);
}
