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

/* Which pairs a scene allows, and whose names its matrix has. */

#include "test_scene_fixture.h"

static void test_matrix_rules(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene();
  load(
    scene,
    "allowed_collision_matrix:\n  entry_names: [base, fore, box]\n"
    "  entry_values:\n    - [false, true, false]\n    - {enabled: [true, false, false]}\n"
    "    - [false, false, false]\n"
    "  default_entry_names: [box, hand, claw]\n  default_entry_values: [true, true, false]\n");
  const uint32_t none = VOUCH_NONE;
  assert_true(vouch_scene_pair_allowed(scene, "base", 0, "fore", 2));   // explicit
  assert_true(vouch_scene_pair_allowed(scene, "fore", 2, "base", 0));
  assert_false(vouch_scene_pair_allowed(scene, "box", none, "fore", 2));   // explicit beats default
  assert_true(vouch_scene_pair_allowed(scene, "box", none, "arm", 1));   // one default
  assert_true(vouch_scene_pair_allowed(scene, "box", none, "hand", 3));   // both: yes and yes
  assert_false(vouch_scene_pair_allowed(scene, "box", none, "claw", 5));   // both: yes and no
  assert_false(vouch_scene_pair_allowed(scene, "other", none, "arm", 1));   // nothing said
  assert_true(vouch_scene_pair_allowed(scene, "base", 0, "arm", 1));   // parent and child
  refuse(
    scene, "allowed_collision_matrix: {entry_names: [a, b], entry_values: [[0, 1], [0, 0]]}",
    "not symmetric");
  refuse(
    scene, "allowed_collision_matrix: {entry_names: [a, b], entry_values: [[0, 1]]}",
    "2 names but 1 rows");
  refuse(
    scene, "allowed_collision_matrix: {entry_names: [a, b], entry_values: [[0, 1], [1]]}",
    "row 1");
  refuse(
    scene, "allowed_collision_matrix: {entry_names: [a, a], entry_values: [[0, 1], [1, 0]]}",
    "twice");
  refuse(
    scene, "allowed_collision_matrix: {default_entry_names: [hand, hand], default_entry_values: "
    "[false, true]}", "names 'hand' twice");
  refuse(
    scene, "allowed_collision_matrix: {default_entry_names: [hand, arm], default_entry_values: "
    "{x: true, y: true}}", "is not a list of 2 truth values");
  vouch_scene_destroy(scene);
}

/// MoveIt makes them defaults of the matrix: where two names have one, both must allow.
static void test_defaults_of_the_srdf_are_defaults(void ** state)
{
  (void)state;
  vouch_robot_t * other = toy_robot_srdf(
    "<robot name='toy'><disable_default_collisions link='hand'/>"
    "<disable_collisions link1='fore' link2='claw'/>"
    "<enable_collisions link1='arm' link2='base'/></robot>");
  vouch_scene_t * scene = NULL;
  assert_int_equal(vouch_scene_create(&scene, other, NULL), VOUCH_RET_OK);
  assert_true(vouch_scene_pair_allowed(scene, "hand", 3, "base", 0));
  load(scene, "allow_default: [arm]\ncheck_default: [base, claw]");
  assert_false(vouch_scene_pair_allowed(scene, "arm", 1, "base", 0));
  load(scene, "allow_default: [arm, base]");
  assert_false(vouch_scene_pair_allowed(scene, "arm", 1, "base", 0));   // the SRDF names it
  assert_true(vouch_scene_pair_allowed(scene, "arm", 1, "fore", 2));
  load(scene, "check_default: [base, claw]");
  assert_false(vouch_scene_pair_allowed(scene, "hand", 3, "base", 0));
  assert_true(vouch_scene_pair_allowed(scene, "hand", 3, "arm", 1));
  assert_false(vouch_scene_pair_allowed(scene, "fore", 2, "claw", 5));   // the scene says "check"
  load(scene, "check_default: [base]");
  vouch_scene_destroy(scene);
  vouch_robot_destroy(other);
}

static size_t warnings_with(const vouch_scene_t * scene, const char * part)
{
  size_t count = 0;
  for (size_t i = 0; i < vouch_scene_warning_count(scene); ++i) {
    count += strstr(vouch_scene_warning(scene, i), part) != NULL;
  }
  return count;
}

/// A misspelled name allows nothing and checks nothing. MoveIt's matrices keep those of objects that
/// are gone, so they are told, not refused.
static void test_names_that_nobody_has_are_told(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene();
  static const char matrix[] =
    "allowed_collision_matrix: {entry_names: [hnad, base, gone, <octomap>], "
    "entry_values: [[0, 1, 0, 0], [1, 0, 1, 1], [0, 1, 0, 0], [0, 1, 0, 0]], "
    "default_entry_names: [froe, box], default_entry_values: [true, true]}\n";
  world(scene, "id: box, " BOX, matrix);
  assert_int_equal(warnings_with(scene, "'hnad', which is neither a link nor an object"), 1);
  assert_int_equal(warnings_with(scene, "is 'hand' meant?"), 1);
  assert_int_equal(warnings_with(scene, "is 'fore' meant?"), 1);
  assert_int_equal(warnings_with(scene, "'gone', which is neither"), 1);
  assert_int_equal(warnings_with(scene, "octomap"), 0);
  assert_int_equal(warnings_with(scene, "meant?"), 2);
  // Again is not twice; one that comes later is no stranger, and another matrix has other names.
  world(scene, "id: other, " BOX, matrix);
  assert_int_equal(warnings_with(scene, "'hnad'"), 1);
  world(scene, "id: gone, " BOX, "");
  assert_int_equal(warnings_with(scene, "'gone'"), 0);
  assert_int_equal(warnings_with(scene, "'hnad'"), 1);
  load(
    scene, "is_diff: true\nallowed_collision_matrix: {entry_names: [base, arm], entry_values: "
    "[[0, 1], [1, 0]], default_entry_names: [hand], default_entry_values: [true]}");
  assert_int_equal(warnings_with(scene, "neither"), 0);
  refuse(scene, "is_diff: true\ncheck: [[base, hnad]]", "is 'hand' meant?");
  // Many of them are counted.
  char text[8192] = "allowed_collision_matrix: {default_entry_names: [";
  for (int i = 0; i < 40; ++i) {
    snprintf(text + strlen(text), sizeof(text) - strlen(text), "part_%d, ", 10 + i);
  }
  snprintf(text + strlen(text), sizeof(text) - strlen(text), "x], default_entry_values: [");
  for (int i = 0; i < 40; ++i) {
    snprintf(text + strlen(text), sizeof(text) - strlen(text), "true, ");
  }
  snprintf(text + strlen(text), sizeof(text) - strlen(text), "true]}");
  load(scene, text);
  assert_int_equal(warnings_with(scene, "which is neither"), 16);
  assert_int_equal(warnings_with(scene, "25 more names"), 1);
  vouch_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_matrix_rules),
    cmocka_unit_test(test_defaults_of_the_srdf_are_defaults),
    cmocka_unit_test(test_names_that_nobody_has_are_told),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
