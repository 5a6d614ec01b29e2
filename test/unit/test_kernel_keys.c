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

/* Steps are copied where every key is the same, and nowhere else: each part of a key is changed by
 * itself, and the kernel then refuses what it copied before. [K-COPY] */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "check/checker.h"
#include "support/cell.h"

#define RAIL(name, y) \
  "<link name='" name "_car'/>" \
  "<joint name='" name "' type='prismatic'><parent link='world'/><child link='" name "_car'/>" \
  "<origin xyz='0 " y " 0'/><axis xyz='1 0 0'/>" \
  "<limit lower='-100' upper='100' effort='1' velocity='1'/></joint>"

/* Two cars on rails of their own. */
static const char RAILS[] =
  "<robot name='rails'><link name='world'/>" RAIL("left", "1") RAIL("right", "-1") "</robot>";

typedef struct kept_s
{
  cell_t cell;
  vouch_checker_t * checker;
  kernel_proof_t * proof;
  kernel_kept_t * kept;
  uint32_t bodies, group;   // a pair of two bodies, and one of a body and the obstacles
} kept_t;

static kept_t open_kept(void)
{
  kept_t k = {.cell = cell_open(RAILS, NULL)};
  cell_hold(&k.cell, "ball", "left_car", cell_sphere(0.1), cell_at(0, 0, 0));
  cell_hold(&k.cell, "box", "right_car", cell_box(0.2, 0.2, 0.2), cell_at(0, 0, 0));
  cell_add(&k.cell, "near", cell_box(0.2, 0.2, 0.2), cell_at(1.0, 1.3, 0));
  cell_add(&k.cell, "far", cell_sphere(0.2), cell_at(4.0, 2.0, 0));
  cell_add(&k.cell, "low", cell_sphere(0.2), cell_at(2.0, -2.0, 0));
  const double path[3][2] = {{0, 0}, {2, 1}, {1, 3}};
  cell_path(&k.cell, path[0], 3);
  vouch_check_options_t options = cell_options();
  options.certificate = true;
  assert_int_equal(cell_check(&k.cell, &options).verdict, VOUCH_FREE);
  k.checker = k.cell.checker;
  k.proof = k.checker->workers[0].proof;
  assert_int_equal(kernel_kept_create(&k.kept, k.checker->allocator), VOUCH_RET_OK);
  assert_true(kernel_keep(k.kept, &k.proof, 1));
  k.bodies = k.group = VOUCH_NONE;
  const vouch_scene_part_t * scene = &k.checker->build.problem.scene;
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    *(scene->pairs[i].kind == VOUCH_PAIR_GROUP ? &k.group : &k.bodies) = i;
  }
  assert_true(k.bodies != VOUCH_NONE && k.group != VOUCH_NONE);
  kernel_proof_phase(k.proof, &(kernel_phase_t) {.mode = KERNEL_MODE_PROOF});
  assert_int_equal(kernel_proof_begin(k.proof), VOUCH_RET_OK);
  return k;
}

static void close_kept(kept_t * k)
{
  kernel_kept_destroy(k->kept);
  cell_close(&k->cell);
}

static bool copies_bodies(const kept_t * k)
{
  kernel_proof_open(k->proof, k->bodies);
  return kernel_close_kept(k->proof, k->kept, k->bodies, KERNEL_WHOLE);
}

static bool copies_group(const kept_t * k)
{
  kernel_proof_open(k->proof, k->group);
  return kernel_close_kept(
    k->proof, k->kept, k->group, kernel_kept_steps(k->kept)->stretches[k->group].first_mark);
}

/// Both kinds of pairs are copied as long as a number is what it was, and not when it is another one.
static void expect_needed(kept_t * k, uint64_t * key, bool of_bodies, bool of_group)
{
  const uint64_t before = *key;
  assert_true(copies_bodies(k) && copies_group(k));
  *key = kernel_new_keys(1);
  if (of_bodies) {
    assert_false(copies_bodies(k));
  }
  if (of_group) {
    assert_false(copies_group(k));
  }
  *key = before;
  assert_true(copies_bodies(k) && copies_group(k));
}

static void each_number_is_needed(void ** state)
{
  (void)state;
  kept_t k = open_kept();
  vouch_problem_t * problem = &k.checker->build.problem;
  kernel_keys_t * keys = &k.checker->kernel.keys;
  const vouch_pair_t * bodies = &problem->scene.pairs[k.bodies];
  const vouch_pair_t * group = &problem->scene.pairs[k.group];
  expect_needed(&k, &problem->motion.accepted, true, true);
  expect_needed(&k, &keys->frames, true, true);
  expect_needed(&k, &keys->bodies[bodies->a], true, bodies->a == group->a);
  expect_needed(&k, &keys->bodies[group->a], bodies->a == group->a, true);
  expect_needed(&k, &keys->bodies[bodies->b], true, false);
  expect_needed(&k, &keys->skips[k.bodies], true, false);
  expect_needed(&k, &keys->skips[k.group], false, true);
  problem->motion.accepted = 0;   // changed since it was validated
  assert_false(copies_bodies(&k) || copies_group(&k));
  close_kept(&k);
}

/// What is asked may be less than what was shown, not more.
static void no_more_may_be_asked_than_was_shown(void ** state)
{
  (void)state;
  kept_t k = open_kept();
  double * margins[2] = {&k.checker->build.problem.scene.pairs[k.bodies].margin,
    &k.checker->build.problem.scene.pairs[k.group].margin};
  kernel_path_t * paths[2] = {&k.checker->kernel.paths[k.bodies],
    &k.checker->kernel.paths[k.group]};
  double * charges[6] = {margins[0], margins[1], &paths[0]->rounding, &paths[1]->rounding,
    &paths[0]->error, &paths[1]->error};
  for (int i = 0; i < 6; i++) {
    const double before = *charges[i];
    bool (* copies)(const kept_t *) = i % 2 == 0 ? copies_bodies : copies_group;
    assert_true(copies(&k));
    *charges[i] = nextafter(before, INFINITY);
    assert_false(copies(&k));
    *charges[i] = NAN;
    assert_false(copies(&k));
    *charges[i] = before;
  }
  close_kept(&k);
}

/// A goal is closed by the steps of the same interval, against the same group or one in its box.
static void the_goal_is_the_same(void ** state)
{
  (void)state;
  kept_t k = open_kept();
  kernel_keys_t * keys = &k.checker->kernel.keys;
  const vouch_scene_part_t * scene = &k.checker->build.problem.scene;
  uint32_t root = vouch_group_of(scene, scene->pairs[k.group].b);
  assert_true(copies_group(&k));
  const uint64_t group = keys->groups[root], within = keys->within[root];
  keys->groups[root] = keys->within[root] = kernel_new_keys(1);
  assert_false(copies_group(&k));
  keys->within[root] = within;   // in the same box as it was: if a leaf has closed all of it
  const kernel_steps_t * steps = kernel_kept_steps(k.kept);
  const kernel_stretch_t * stretch = &steps->stretches[k.group];
  bool leaf = proof_op(steps->ops[stretch->begin]).children == 0;
  assert_int_equal(copies_group(&k), leaf);
  keys->groups[root] = group;
  kernel_proof_open(k.proof, k.group);
  assert_int_equal(kernel_split_time(k.proof), KERNEL_DONE);
  assert_false(kernel_close_kept(k.proof, k.kept, k.group, stretch->first_mark));
  kernel_proof_open(k.proof, k.bodies);   // a whole pair is not part of one
  assert_int_equal(kernel_split_time(k.proof), KERNEL_DONE);
  assert_false(kernel_close_kept(k.proof, k.kept, k.bodies, KERNEL_WHOLE));
  kernel_proof_open(k.proof, k.group);    // nor is a group a body
  assert_false(kernel_close_kept(k.proof, k.kept, k.group, KERNEL_WHOLE));
  assert_false(kernel_close_kept(k.proof, k.kept, k.bodies, stretch->first_mark));
  assert_false(kernel_close_kept(k.proof, k.kept, 1000000u, 0));
  close_kept(&k);
}

/// A box is one in a frame: the same numbers in another frame are another box.
static void boxes_ride_on_the_same_frame(void ** state)
{
  (void)state;
  kept_t k = open_kept();
  kernel_scene_t * now = &k.checker->kernel, before = *now;
  vouch_problem_t old = k.checker->build.problem;
  vouch_body_t bodies[16];
  uint32_t same[32];
  assert_true(old.scene.body_count <= 16 && old.scene.group_count <= 32);
  vouch_arena_t arena = {.allocator = k.checker->allocator};
  before.problem = &old;
  memcpy(bodies, old.scene.bodies, old.scene.body_count * sizeof(*bodies));
  old.scene.bodies = bodies;
  for (uint32_t i = 0; i < old.scene.group_count; i++) {
    same[i] = i;
  }
  const kernel_links_t links = {.groups = same};   // what is proposed may be anything
  for (int other = 0; other < 2; other++) {
    for (uint32_t i = 0; i < old.scene.group_count; i++) {
      if (old.scene.groups[i].body != VOUCH_NONE) {
        bodies[old.scene.groups[i].body].frame = other == 0 ? 0 : 1;
      }
    }
    assert_int_equal(kernel_keys_init(&before.keys, &old.scene, &arena), VOUCH_RET_OK);
    kernel_keys_inherit(now, &before, &links);
    for (uint32_t i = 0; i < old.scene.group_count; i++) {
      assert_int_equal(now->keys.within[i] == before.keys.within[i], other == 0);
    }
  }
  vouch_arena_fini(&arena);
  close_kept(&k);
}

/// FREE is about the scene and the motion as they are now, all pairs of them.
static void free_is_about_now(void ** state)
{
  (void)state;
  kept_t k = open_kept();
  vouch_check_options_t options = cell_options();
  options.certificate = true;
  assert_int_equal(cell_check(&k.cell, &options).verdict, VOUCH_FREE);
  vouch_checker_t * c = k.cell.checker;
  kernel_proof_t * proof = c->workers[0].proof;
  assert_true(kernel_free(&proof, 1));
  uint64_t * numbers[3] = {&c->build.problem.motion.accepted, &c->kernel.keys.frames,
    &c->kernel.keys.bodies[0]};
  for (int i = 0; i < 3; i++) {
    const uint64_t before = *numbers[i];
    *numbers[i] = kernel_new_keys(1);
    assert_false(kernel_free(&proof, 1));
    *numbers[i] = before;
  }
  assert_true(kernel_free(&proof, 1));
  kernel_proof_forget(proof);
  assert_false(kernel_free(&proof, 1));
  k.checker = c;
  close_kept(&k);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_number_is_needed),
    cmocka_unit_test(no_more_may_be_asked_than_was_shown),
    cmocka_unit_test(the_goal_is_the_same),
    cmocka_unit_test(boxes_ride_on_the_same_frame),
    cmocka_unit_test(free_is_about_now)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
