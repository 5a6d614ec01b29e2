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
/* A whole check from files:
 *
 *   example_whole_file arm.urdf arm.srdf cell.yaml pick.yaml
 */

#include <stdio.h>
#include <vouch/vouch.h>

static void print_answer(const vouch_result_t * result)
{
  printf("%s\n", vouch_verdict_name(result->verdict));
  if (result->verdict == VOUCH_COLLISION) {
    const vouch_contact_t * c = &result->first_collision;
    printf(
      "%s hits %s at %.6f s; free until %.6f s\n", c->a, c->b, c->time_s, c->free_until_s);
  }
  if (result->verdict == VOUCH_FREE && result->clearance.valid) {
    const vouch_clearance_t * c = &result->clearance;
    printf(
      "%s and %s stay between %.2f and %.2f mm apart\n", c->a, c->b, c->lower_m * 1e3,
      c->upper_m * 1e3);
  }
  for (size_t i = 0; i < result->open_count; i++) {
    const vouch_open_t * open = &result->open[i];
    printf(
      "open: %s and %s from %.6f to %.6f s (%s)\n", open->a, open->b, open->begin_s, open->end_s,
      vouch_open_reason_name(open->reason));
  }
}

int main(int argc, char ** argv)
{
  if (argc != 5) {
    fprintf(stderr, "usage: %s robot.urdf robot.srdf scene.yaml trajectory.yaml\n", argv[0]);
    return 3;
  }
  vouch_robot_options_t robot_options = vouch_robot_options_default();
  vouch_scene_options_t scene_options = vouch_scene_options_default();
  vouch_motion_options_t motion_options = vouch_motion_options_default();
  vouch_check_options_t check_options = vouch_check_options_default();
  vouch_robot_t * robot = NULL;
  vouch_scene_t * scene = NULL;
  vouch_motion_t * motion = NULL;
  vouch_checker_t * checker = NULL;
  vouch_result_t result;
  int code = 3;

  robot_options.srdf_path = argv[2];
  check_options.margin_m = 0.0005;
  if (vouch_robot_load_urdf(&robot, argv[1], &robot_options) != VOUCH_RET_OK ||
    vouch_scene_create(&scene, robot, &scene_options) != VOUCH_RET_OK ||
    vouch_scene_load(scene, argv[3]) != VOUCH_RET_OK ||
    vouch_motion_load(&motion, robot, argv[4], &motion_options) != VOUCH_RET_OK ||
    vouch_checker_create(&checker, scene, &check_options) != VOUCH_RET_OK ||
    vouch_check(checker, motion, &result) != VOUCH_RET_OK)
  {
    fprintf(stderr, "%s\n", vouch_error());
  } else {
    print_answer(&result);
    code = result.verdict == VOUCH_FREE ? 0 : result.verdict == VOUCH_COLLISION ? 1 : 2;
  }
  vouch_checker_destroy(checker);
  vouch_motion_destroy(motion);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
  return code;
}
