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
/* A planner's inner loop: a tree grows through random configurations, and each of its edges is
 * proved free before it is added, not sampled. Once the workspace has grown nothing is allocated:
 *
 *   example_planner_edge arm.urdf arm.srdf cell.yaml [edges]
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vouch/vouch.h>

#define MAX_VARIABLES 32
#define MAX_NODES 4096

typedef struct tree_s
{
  double nodes[MAX_NODES][MAX_VARIABLES];
  size_t count, variables;
  double lower[MAX_VARIABLES], upper[MAX_VARIABLES];
  unsigned long long random;
} tree_t;

/* splitmix64: the same tree in every run. */
static double draw(tree_t * tree)
{
  unsigned long long z = tree->random += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static size_t nearest(const tree_t * tree, const double * q)
{
  size_t best = 0;
  double best_distance = INFINITY;
  for (size_t i = 0; i < tree->count; i++) {
    double distance = 0.0;
    for (size_t j = 0; j < tree->variables; j++) {
      double d = q[j] - tree->nodes[i][j];
      distance += d * d;
    }
    if (distance < best_distance) {
      best_distance = distance;
      best = i;
    }
  }
  return best;
}

/* A configuration at most `step` away from the nearest node, towards a random one. */
static size_t extend(tree_t * tree, double step, double * q)
{
  double length = 0.0;
  for (size_t j = 0; j < tree->variables; j++) {
    q[j] = tree->lower[j] + (tree->upper[j] - tree->lower[j]) * draw(tree);
  }
  size_t from = nearest(tree, q);
  for (size_t j = 0; j < tree->variables; j++) {
    double d = q[j] - tree->nodes[from][j];
    length += d * d;
  }
  double scale = fmin(1.0, step / sqrt(length));
  for (size_t j = 0; j < tree->variables; j++) {
    q[j] = tree->nodes[from][j] + scale * (q[j] - tree->nodes[from][j]);
  }
  return from;
}

static int grow(tree_t * tree, vouch_checker_t * checker, size_t edges)
{
  size_t counts[3] = {0, 0, 0};   // by verdict
  double seconds = 0.0;
  for (size_t i = 0; i < edges && tree->count < MAX_NODES; i++) {
    double q[MAX_VARIABLES];
    vouch_result_t result;
    size_t from = extend(tree, 0.8, q);
    if (vouch_check_motion(checker, tree->nodes[from], q, &result) != VOUCH_RET_OK) {
      fprintf(stderr, "%s\n", vouch_error());
      return 1;
    }
    counts[result.verdict]++;
    seconds += result.statistics.seconds;
    if (result.verdict == VOUCH_FREE) {
      memcpy(tree->nodes[tree->count++], q, tree->variables * sizeof(double));
    }
  }
  printf(
    "%zu edges proved free, %zu in collision, %zu undecided; %.1f us an edge\n",
    counts[VOUCH_FREE], counts[VOUCH_COLLISION], counts[VOUCH_UNDECIDED],
    1e6 * seconds / (double)edges);
  return counts[VOUCH_FREE] > 0 ? 0 : 1;
}

/* Limits of all joints; those without get a turn. The tree's root is home. */
static int plant(tree_t * tree, const vouch_robot_t * robot)
{
  tree->variables = vouch_robot_variable_count(robot);
  if (tree->variables > MAX_VARIABLES) {
    fprintf(stderr, "this example handles at most %d joints\n", MAX_VARIABLES);
    return 1;
  }
  for (size_t j = 0; j < tree->variables; j++) {
    tree->lower[j] = -3.14;
    tree->upper[j] = 3.14;
    vouch_robot_variable_limits(robot, j, &tree->lower[j], &tree->upper[j]);
  }
  tree->count = 1;
  tree->random = 1;
  if (vouch_robot_group_state(robot, "arm", "home", tree->nodes[0]) != VOUCH_RET_OK ||
    vouch_robot_group_state(robot, "gripper", "open", tree->nodes[0]) != VOUCH_RET_OK)
  {
    fprintf(stderr, "%s\n", vouch_error());
    return 1;
  }
  return 0;
}

int main(int argc, char ** argv)
{
  if (argc < 4) {
    fprintf(stderr, "usage: %s robot.urdf robot.srdf scene.yaml [edges]\n", argv[0]);
    return 1;
  }
  static tree_t tree;
  size_t edges = argc > 4 ? (size_t)strtoul(argv[4], NULL, 10) : 2000;
  vouch_robot_options_t robot_options = vouch_robot_options_default();
  vouch_scene_options_t scene_options = vouch_scene_options_default();
  vouch_check_options_t check_options = vouch_check_options_default();
  vouch_robot_t * robot = NULL;
  vouch_scene_t * scene = NULL;
  vouch_checker_t * checker = NULL;
  int code = 1;

  robot_options.srdf_path = argv[2];
  check_options.first_contact = false;   // a planner wants yes or no
  check_options.clearance = false;
  if (vouch_robot_load_urdf(&robot, argv[1], &robot_options) != VOUCH_RET_OK ||
    vouch_scene_create(&scene, robot, &scene_options) != VOUCH_RET_OK ||
    vouch_scene_load(scene, argv[3]) != VOUCH_RET_OK ||
    vouch_checker_create(&checker, scene, &check_options) != VOUCH_RET_OK)
  {
    fprintf(stderr, "%s\n", vouch_error());
  } else if (plant(&tree, robot) == 0) {
    code = grow(&tree, checker, edges);
  }
  vouch_checker_destroy(checker);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
  return code;
}
