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

/* Where MoveIt's own code decides what a scene means (moveit_core, planning_scene.cpp). */

#include "test_scene_fixture.h"

#define STATE "joint_state: {name: [turn, tilt, slide], position: [0, 0, 0.1]}"
#define BALL "primitives: [{type: sphere, dimensions: [0.1]}]"

/// processCollisionObjectRemove: the pairs of an object go with it, all of them and no others.
static void test_entries_of_a_removed_object_are_gone(void ** state)
{
  (void)state;
  enum {COUNT = 200};
  vouch_scene_t * scene = new_scene();
  const uint32_t none = VOUCH_NONE;
  char name[16];
  for (int i = 0; i < COUNT; ++i) {
    snprintf(name, sizeof(name), "part_%d", i);
    char text[128];
    snprintf(text, sizeof(text), "id: %s, " BALL, name);
    world(scene, text, "");
    assert_int_equal(vouch_scene_allow_pair(scene, name, "hand", true), VOUCH_RET_OK);
    assert_int_equal(vouch_scene_allow_pair(scene, name, "part_0", i % 2 == 0), VOUCH_RET_OK);
  }
  for (int i = 0; i < COUNT; i += 3) {
    snprintf(name, sizeof(name), "part_%d", i);
    assert_int_equal(vouch_scene_remove_object(scene, name), VOUCH_RET_OK);
  }
  for (int i = 0; i < COUNT; ++i) {
    snprintf(name, sizeof(name), "part_%d", i);
    assert_int_equal(vouch_scene_pair_allowed(scene, name, none, "hand", 3), i % 3 != 0);
    assert_false(vouch_scene_pair_allowed(scene, name, none, "part_0", none));
  }
  // All of the world at once; the pairs of links stay, and so does a name that is a link's.
  assert_int_equal(vouch_scene_allow_pair(scene, "base", "hand", true), VOUCH_RET_OK);
  world(scene, "id: hand, " BALL, "");
  world(scene, "operation: 1", "");
  assert_false(vouch_scene_pair_allowed(scene, "part_1", none, "hand", 3));
  assert_true(vouch_scene_pair_allowed(scene, "base", 0, "hand", 3));
  vouch_scene_destroy(scene);
}

/// The state comes before the world, and a removal takes away what the matrix of its own file says.
static void test_the_order_of_a_diff(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene();
  load(
    scene, "robot_state: {" STATE ", attached_collision_objects: [{link_name: hand, object: {id: held, "
    "header: {frame_id: hand}, " BALL ", primitive_poses: [{position: [0.2, 0, 0]}]}}]}");
  // An only shape lends the object its pose, so a move replaces it.
  assert_true(view(scene, "held").pose.translation[0] == 0.2);
  load(
    scene, "is_diff: true\nrobot_state: {is_diff: true, attached_collision_objects: [{object: {id: "
    "held, operation: 1}}]}\nworld: {collision_objects: [{id: held, operation: 3, pose: {position: "
    "[7, 0, 0]}}]}");
  const vouch_object_view_t held = view(scene, "held");
  assert_false(held.attached);
  assert_true(held.pose.translation[0] == 7.0 && held.shape_poses[0].translation[0] == 0.0);
  world(
    scene, "id: held, operation: 1", "allowed_collision_matrix: {entry_names: [held, hand], "
    "entry_values: [[0, 1], [1, 0]]}\n");
  world(scene, "id: held, " BALL, "");
  assert_false(vouch_scene_pair_allowed(scene, "held", VOUCH_NONE, "hand", 3));
  vouch_scene_destroy(scene);
}

static void test_appends_that_moveit_puts_elsewhere(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene();
  world(
    scene, "id: a, primitives: [{type: sphere, dimensions: [0.1]}, {type: sphere, dimensions: "
    "[0.2]}]", "");
  refuse_object(
    scene, "id: a, operation: 2, " BALL ", primitive_poses: [{position: [1, 0, 0]}]",
    "an only shape is appended");
  world(scene, "id: a, operation: 2, " BALL, "");
  assert_int_equal(view(scene, "a").shape_count, 3);
  load(
    scene, "is_diff: true\nrobot_state: {is_diff: true, " STATE ", attached_collision_objects: "
    "[{link_name: hand, object: {id: a}}]}");
  refuse(
    scene, "is_diff: true\nrobot_state: {is_diff: true, attached_collision_objects: [{link_name: fore, "
    "object: {id: a, operation: 2, header: {frame_id: base}, " BALL "}}]}",
    "append to it there");
  vouch_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_entries_of_a_removed_object_are_gone),
    cmocka_unit_test(test_the_order_of_a_diff),
    cmocka_unit_test(test_appends_that_moveit_puts_elsewhere),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
