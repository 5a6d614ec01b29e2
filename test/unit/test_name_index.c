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

/* Names are found, whatever was added and removed before, and the work for it is counted: it does
 * not grow with their number. Objects of a scene are found by such an index. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/memory.h"
#include "geometry/geometry.h"
#include "model/scene.h"
#include "support/random.h"

enum {NAMES = 400, STEPS = 200000, MANY = 100000};

/* Against a plain list: what is there has its number, what is not is not found. */
static void names_are_found_after_any_history(void ** state)
{
  (void)state;
  static char names[NAMES][16];
  size_t numbers[NAMES];
  const vouch_allocator_t allocator = vouch_allocator_default();
  vouch_name_index_t index = {NULL, 0, 0};
  test_random_t random = {.state = 20261119};
  size_t live = 0;
  for (size_t i = 0; i < NAMES; ++i) {
    (void)snprintf(names[i], sizeof(names[i]), "n%zu", i * i);
    numbers[i] = VOUCH_NONE;
    assert_int_equal(vouch_name_index_find(&index, names[i]), VOUCH_NONE);
  }
  for (int step = 0; step < STEPS; ++step) {
    const uint64_t bits = test_random_bits(&random);
    const size_t i = (size_t)(bits >> 8) % NAMES;
    if ((bits & 3) == 0) {
      vouch_name_index_remove(&index, names[i]);
      live -= numbers[i] != VOUCH_NONE;
      numbers[i] = VOUCH_NONE;
    } else if ((bits & 3) == 1) {
      assert_int_equal(vouch_name_index_reserve(&index, &allocator), VOUCH_RET_OK);
      live += numbers[i] == VOUCH_NONE;
      numbers[i] = (size_t)step;
      vouch_name_index_set(&index, names[i], numbers[i]);
    }
    const size_t k = (size_t)(bits >> 32) % NAMES;
    assert_int_equal(vouch_name_index_find(&index, names[k]), numbers[k]);
    assert_int_equal(index.count, live);
  }
  vouch_name_index_fini(&index, &allocator);
}

/* Linear probing at a load of at most one half visits 1.5 slots on average. */
static void the_work_for_a_name_does_not_grow(void ** state)
{
  (void)state;
  const vouch_allocator_t allocator = vouch_allocator_default();
  char(*names)[16] = calloc(MANY, sizeof(*names));
  vouch_name_index_t index = {NULL, 0, 0};
  assert_non_null(names);
  for (size_t i = 0; i < MANY; ++i) {
    (void)snprintf(names[i], sizeof(names[i]), "box_%zu", i);
    assert_int_equal(vouch_name_index_reserve(&index, &allocator), VOUCH_RET_OK);
    vouch_name_index_set(&index, names[i], i);
    if ((i & (i + 1)) == 0 || i + 1 == MANY) {
      const double visits = (double)vouch_name_index_work(&index) / (double)(i + 1);
      assert_true(visits < (i < 100 ? 3.0 : 2.0));
    }
  }
  for (size_t i = 0; i < MANY; i += 2) {
    vouch_name_index_remove(&index, names[i]);
  }
  assert_int_equal(index.count, MANY / 2);
  assert_true((double)vouch_name_index_work(&index) < 2.0 * (MANY / 2));
  vouch_name_index_fini(&index, &allocator);
  free(names);
}

static double cpu_seconds(void)
{
  return (double)clock() / CLOCKS_PER_SEC;
}

static vouch_ret_t add_box(vouch_scene_t * scene, size_t number)
{
  char id[32];
  vouch_shape_t box = {.kind = VOUCH_SHAPE_BOX, .size = {0.1, 0.1, 0.1}};
  vouch_pose_t pose = vouch_pose_identity();
  pose.translation[0] = (double)number;
  (void)snprintf(id, sizeof(id), "box_%zu", number);
  return vouch_scene_add_object(scene, id, "", &pose, &box, NULL, 1);
}

static const char urdf[] = "<robot name='r'><link name='a'/></robot>";

static vouch_robot_t * make_robot(void)
{
  vouch_robot_t * robot = NULL;
  vouch_robot_options_t options = vouch_robot_options_default();
  assert_int_equal(
    vouch_robot_parse_urdf(&robot, urdf, sizeof(urdf) - 1, NULL, &options), VOUCH_RET_OK);
  return robot;
}

/* The time is that of an idle machine times thirty; walking through all names takes minutes. */
static void many_objects_are_added_moved_copied_and_removed(void ** state)
{
  (void)state;
  char id[32];
  vouch_robot_t * robot = make_robot();
  vouch_scene_t * scene = NULL, * copy = NULL;
  assert_int_equal(vouch_scene_create(&scene, robot, NULL), VOUCH_RET_OK);
  const double begin = cpu_seconds();
  for (size_t i = 0; i < MANY; ++i) {
    assert_int_equal(add_box(scene, i), VOUCH_RET_OK);
  }
  const double added = cpu_seconds();
  vouch_pose_t pose = vouch_pose_identity();
  pose.translation[1] = 3.0;
  for (size_t i = 0; i < MANY; ++i) {
    (void)snprintf(id, sizeof(id), "box_%zu", i);
    assert_int_equal(vouch_scene_move_object(scene, id, "", &pose), VOUCH_RET_OK);
  }
  assert_int_equal(vouch_scene_clone(&copy, scene), VOUCH_RET_OK);
  for (size_t i = 0; i < MANY; ++i) {   // in an order that is neither the one nor the other
    (void)snprintf(id, sizeof(id), "box_%zu", i * 7919 % MANY);
    assert_int_equal(vouch_scene_remove_object(scene, id), VOUCH_RET_OK);
  }
  const double end = cpu_seconds();
  printf(
    "%d objects: %.3f s to add, %.3f s to move, copy and remove\n", MANY, added - begin,
    end - added);
  assert_int_equal(vouch_scene_object_count(scene), 0);
  assert_int_equal(vouch_scene_object_count(copy), MANY);
  for (size_t i = 0; i < MANY; i += 997) {
    (void)snprintf(id, sizeof(id), "box_%zu", i);
    assert_int_equal(vouch_scene_find(copy, id), i);
    assert_int_equal(vouch_scene_find(scene, id), VOUCH_NONE);
  }
  assert_true(end - begin < 20.0);
  vouch_scene_destroy(copy);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

static void a_replaced_object_is_found_under_its_name(void ** state)
{
  (void)state;
  vouch_robot_t * robot = make_robot();
  vouch_scene_t * scene = NULL;
  assert_int_equal(vouch_scene_create(&scene, robot, NULL), VOUCH_RET_OK);
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < 50; ++i) {
      assert_int_equal(add_box(scene, i), VOUCH_RET_OK);
    }
  }
  assert_int_equal(vouch_scene_object_count(scene), 50);
  assert_int_equal(vouch_scene_remove_object(scene, "box_7"), VOUCH_RET_OK);
  for (size_t i = 0; i < scene->object_count; ++i) {
    assert_int_equal(vouch_scene_find(scene, scene->objects[i].id), i);
  }
  assert_int_equal(vouch_scene_find(scene, "box_7"), VOUCH_NONE);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(names_are_found_after_any_history),
    cmocka_unit_test(the_work_for_a_name_does_not_grow),
    cmocka_unit_test(many_objects_are_added_moved_copied_and_removed),
    cmocka_unit_test(a_replaced_object_is_found_under_its_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
