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
/* From scene and motion to the problem: frames, bodies, which pairs, with which margin. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/build.h"
#include "model/scene.h"
#include "support/toy.h"

static vouch_robot_t * robot;
static const double ZERO[3] = {0.0, 0.0, 0.0};

static int set_up(void ** state)
{
  (void)state;
  robot = toy_robot();
  return 0;
}

static int tear_down(void ** state)
{
  (void)state;
  vouch_robot_destroy(robot);
  return 0;
}

static vouch_scene_t * new_scene(const char * text)
{
  vouch_scene_t * scene = NULL;
  assert_int_equal(vouch_scene_create(&scene, robot, NULL), VOUCH_RET_OK);
  if (vouch_scene_parse(scene, text, strlen(text)) != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
  return scene;
}

static vouch_build_t build_it(const vouch_scene_t * scene, double margin)
{
  vouch_build_t build;
  const double to[3] = {1.0, 0.5, 0.1};
  if (vouch_build_scene(&build, scene, margin, vouch_allocator_default()) != VOUCH_RET_OK ||
    vouch_build_set_edge(&build, robot, ZERO, to, ZERO) != VOUCH_RET_OK ||
    vouch_problem_validate(&build.problem) != VOUCH_RET_OK)
  {
    fail_msg("%s", vouch_error());
  }
  return build;
}

static uint32_t body(const vouch_build_t * build, const char * id)
{
  for (uint32_t i = 0; i < build->problem.scene.body_count; ++i) {
    if (strcmp(build->problem.scene.bodies[i].id, id) == 0) {
      return i;
    }
  }
  fail_msg("no body '%s'", id);
  return 0;
}

/// The margin of a pair of bodies, wherever it is kept; -1: not checked.
static double margin_of(const vouch_build_t * build, const char * x, const char * y)
{
  const vouch_scene_part_t * part = &build->problem.scene;
  const uint32_t i = body(build, x), k = body(build, y);
  for (uint32_t n = 0; n < part->pair_count; ++n) {
    const vouch_pair_t * pair = &part->pairs[n];
    if (pair->kind != VOUCH_PAIR_GROUP &&
      ((pair->a == i && pair->b == k) || (pair->a == k && pair->b == i)))
    {
      return pair->margin;
    }
    for (uint32_t g = 0; pair->kind == VOUCH_PAIR_GROUP && g < part->group_count; ++g) {
      if ((pair->a == i && part->groups[g].body == k) ||
        (pair->a == k && part->groups[g].body == i))
      {
        if (pair->checked[g]) {
          return pair->margin;
        }
      }
    }
  }
  return -1.0;
}

static bool is_static(const vouch_build_t * build, const char * x, const char * y)
{
  const uint32_t i = body(build, x), k = body(build, y);
  for (size_t n = 0; n < build->static_count; ++n) {
    const vouch_static_entry_t * entry = &build->statics[n];
    if ((entry->a == i && entry->b == k) || (entry->a == k && entry->b == i)) {
      return true;
    }
  }
  return false;
}

static const char SCENE[] =
  "{\"state\": {\"turn\": 0, \"tilt\": 0, \"slide\": 0},\n"
  " \"objects\": [\n"
  "  {\"id\": \"a\", \"pose\": {\"position\": [2, 0, 0]}, \"padding\": 0.003,\n"
  "   \"shapes\": [{\"type\": \"box\", \"size\": [1, 1, 1]}]},\n"
  "  {\"id\": \"b\", \"pose\": {\"position\": [-2, 0, 0]},\n"
  "   \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.5},\n"
  "               {\"type\": \"half_space\", \"normal\": [0, 0, 2], \"offset\": -1}]},\n"
  "  {\"id\": \"c\", \"pose\": {\"position\": [0, 3, 0]},\n"
  "   \"shapes\": [{\"type\": \"cylinder\", \"radius\": 0.5, \"height\": 1}]},\n"
  "  {\"id\": \"held\", \"frame\": \"tool\", \"padding\": 0.001,\n"
  "   \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.02}],\n"
  "   \"attach\": {\"link\": \"tool\", \"touch_links\": [\"claw\"]}},\n"
  "  {\"id\": \"sheet\", \"frame\": \"fore\",\n"
  "   \"shapes\": [{\"type\": \"plane\", \"normal\": [1, 0, 0], \"offset\": 5}],\n"
  "   \"attach\": {\"link\": \"fore\"}}],\n"
  " \"allow\": [[\"a\", \"fore\"], [\"c\", \"held\"]], \"padding\": {\"hand\": 0.02}}";

/// Pairs and touch links go by name; an object that has that of a link is not left out with it.
static void test_an_object_with_the_name_of_a_link_is_checked(void ** state)
{
  (void)state;
  static const char text[] =
    "{\"state\": {\"turn\": 0, \"tilt\": 0, \"slide\": 0}, \"objects\": [\n"
    " {\"id\": \"base\", \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.5}]},\n"
    " {\"id\": \"tool\", \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.5}]},\n"
    " {\"id\": \"held\", \"frame\": \"hand\",\n"
    "  \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.02}],\n"
    "  \"attach\": {\"link\": \"hand\", \"touch_links\": [\"base\", \"tool\"]}}],\n"
    " \"allow\": [[\"base\", \"fore\"], [\"tool\", \"fore\"]], \"allow_default\": [\"base\"]}";
  vouch_scene_t * scene = new_scene(text);
  assert_int_equal(vouch_scene_warning_count(scene), 1);
  assert_non_null(strstr(vouch_scene_warning(scene, 0), "'base' has the name of a link"));
  vouch_build_t build = build_it(scene, 0.01);
  assert_true(margin_of(&build, "link/fore", "object/base") == 0.01);
  assert_true(margin_of(&build, "object/held", "object/base") == 0.01);
  assert_true(margin_of(&build, "link/hand", "object/base") == 0.01);
  assert_true(margin_of(&build, "link/fore", "link/base") == -1.0);
  assert_true(margin_of(&build, "object/held", "link/base") == -1.0);
  // The link 'tool' has no body, so a pair of its name can only mean the object; a touch link is a link.
  assert_true(margin_of(&build, "link/fore", "object/tool") == -1.0);
  assert_true(margin_of(&build, "object/held", "object/tool") == 0.01);
  vouch_build_fini(&build);
  vouch_scene_destroy(scene);
}

/// MoveIt pads attached bodies like their link (collision_env_fcl.cpp, getAttachedBodyObjects).
static void test_attached_objects_are_padded_like_their_link(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene(SCENE);
  assert_int_equal(vouch_scene_set_padding(scene, "tool", 0.05), VOUCH_RET_OK);
  vouch_build_t build = build_it(scene, 0.01);
  assert_true(fabs(margin_of(&build, "object/held", "object/a") - 0.063) < 1e-15);
  assert_true(margin_of(&build, "object/held", "link/arm") == 0.01);   // not against itself
  vouch_build_fini(&build);
  vouch_scene_destroy(scene);
}

static void test_pairs_and_margins(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene(SCENE);
  vouch_build_t build = build_it(scene, 0.01);
  const vouch_scene_part_t * part = &build.problem.scene;
  // 5 links with geometry, held, a, b, c, then b's half-space and the sheet.
  assert_int_equal(part->frame_count, 6);
  assert_int_equal(part->body_count, 11);
  assert_int_equal(body(&build, "object/held"), 5);
  assert_int_equal(body(&build, "object/b#0"), 9);
  assert_int_equal(part->group_count, 5);
  // Environment: margin + both paddings. Self: margin only.
  assert_true(fabs(margin_of(&build, "link/hand", "object/a") - 0.033) < 1e-15);
  assert_true(fabs(margin_of(&build, "object/held", "object/a") - 0.014) < 1e-15);
  assert_true(margin_of(&build, "link/arm", "object/b") == 0.01);
  assert_true(margin_of(&build, "link/hand", "object/b#0") == 0.03);
  assert_true(margin_of(&build, "link/arm", "link/hand") == 0.01);
  assert_true(margin_of(&build, "object/held", "link/arm") == 0.01);
  assert_true(margin_of(&build, "object/sheet#0", "object/a") > 0.0129);
  assert_true(margin_of(&build, "object/sheet#0", "link/base") == 0.01);
  // Allowed, touching, parent and child.
  assert_true(margin_of(&build, "link/fore", "object/a") == -1.0);
  assert_true(margin_of(&build, "object/held", "object/c") == -1.0);
  assert_true(margin_of(&build, "object/held", "link/claw") == -1.0);
  assert_true(margin_of(&build, "link/base", "link/arm") == -1.0);
  assert_false(is_static(&build, "link/base", "link/arm"));
  // No joint between them: static. World against world: not at all.
  assert_true(is_static(&build, "link/base", "object/a"));
  assert_true(is_static(&build, "link/base", "object/b#0"));
  assert_true(is_static(&build, "object/held", "link/hand"));
  assert_false(is_static(&build, "object/a", "object/b"));
  assert_false(is_static(&build, "object/sheet#0", "link/fore"));
  assert_true(margin_of(&build, "link/base", "object/a") == -1.0);
  // Plane against half-space moves and is not supported.
  assert_int_equal(build.unsupported_count, 1);
  for (uint32_t i = 0; i < part->pair_count; ++i) {
    const vouch_pair_t * pair = &part->pairs[i];
    assert_int_equal(part->bodies[pair->a].kind, VOUCH_BODY_GEOMETRY);
    if (pair->kind == VOUCH_PAIR_BODIES) {   // seen from the body nearer the root
      assert_true(pair->a > pair->b || part->bodies[pair->b].frame == 0);
    }
  }
  const vouch_body_t * floor_body = &part->bodies[9];
  assert_true(floor_body->normal[2] == 1.0 && floor_body->offset == -0.5);
  vouch_build_fini(&build);
  vouch_scene_destroy(scene);
}

/// Both ends of a chain: the claw (5 links deep, 3 joints and a mimic) sees the arm as the frame.
static void test_frames_carry_joints(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene("{}");
  vouch_build_t build = build_it(scene, 0.0);
  const vouch_frame_t * frames = build.problem.scene.frames;
  assert_int_equal(frames[0].joint, VOUCH_JOINT_FIXED);
  for (uint32_t i = 1; i < 6; ++i) {
    assert_true(frames[i].parent < i);
    if (strcmp(frames[i].name, "claw") == 0) {
      assert_int_equal(frames[i].joint, VOUCH_JOINT_PRISMATIC);
      assert_true(frames[i].multiplier == 0.5 && frames[i].offset == 0.1);
      assert_int_equal(frames[i].variable, 2);
    }
    if (strcmp(frames[i].name, "tool") == 0) {
      assert_int_equal(frames[i].joint, VOUCH_JOINT_FIXED);
      assert_true(frames[i].multiplier == 0.0 && frames[i].variable == 0);
    }
  }
  assert_int_equal(build.problem.scene.group_count, 0);
  vouch_build_fini(&build);
  vouch_scene_destroy(scene);
}

/// A link's frame places an object at the scene's state.
static void test_object_in_a_link_frame(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene(
    "objects: [{id: a, frame: hand, shapes: [{type: sphere, radius: 0.1}]}]");
  vouch_build_t build;
  assert_int_equal(
    vouch_build_scene(&build, scene, 0.0, vouch_allocator_default()), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "object 'a'"));
  const double values[3] = {0.0, 0.0, 0.3};
  assert_int_equal(vouch_scene_set_state(scene, values), VOUCH_RET_OK);
  build = build_it(scene, 0.0);
  const vouch_body_t * a = &build.problem.scene.bodies[body(&build, "object/a")];
  assert_int_equal(a->frame, 0);
  assert_true(fabs(a->placement.translation[0] - 1.2) < 1e-12);
  vouch_build_fini(&build);
  vouch_scene_destroy(scene);
}

/// A floor and the things that stand on it: the floor is parted from them first, wherever its
/// middle is. Distances that grow by a factor each would make a chain of groups: the tree stays flat.
static void test_group_tree_parts_large_and_far(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene("{}");
  const vouch_shape_t floor = {.kind = VOUCH_SHAPE_BOX, .size = {4.0, 4.0, 0.1}};
  const vouch_shape_t thing = {.kind = VOUCH_SHAPE_BOX, .size = {0.05, 0.05, 0.1}};
  vouch_pose_t pose = vouch_pose_identity();
  pose.translation[0] = 1.0;
  assert_int_equal(
    vouch_scene_add_object(scene, "floor", "", &pose, &floor, NULL, 1), VOUCH_RET_OK);
  for (int i = 0; i < 6; ++i) {
    char id[16];
    pose.translation[0] = 0.8 + 0.1 * i;
    pose.translation[2] = 0.2;
    snprintf(id, sizeof(id), "thing%d", i);
    assert_int_equal(
      vouch_scene_add_object(scene, id, "", &pose, &thing, NULL, 1), VOUCH_RET_OK);
  }
  vouch_build_t build = build_it(scene, 0.0);
  const vouch_scene_part_t * part = &build.problem.scene;
  const uint32_t alone = body(&build, "object/floor");
  assert_true(
    part->groups[part->groups[0].left].body == alone ||
    part->groups[part->groups[0].right].body == alone);
  vouch_build_fini(&build);
  vouch_scene_destroy(scene);

  scene = new_scene("{}");
  double place = 1e-3;
  for (int i = 0; i < 64; ++i) {
    char id[16];
    place *= 1.3;
    pose.translation[0] = place;
    snprintf(id, sizeof(id), "o%d", i);
    assert_int_equal(
      vouch_scene_add_object(scene, id, "", &pose, &thing, NULL, 1), VOUCH_RET_OK);
  }
  build = build_it(scene, 0.0);
  part = &build.problem.scene;
  uint32_t depth[127] = {0};
  for (uint32_t g = 0; g < part->group_count; ++g) {
    assert_true(depth[g] <= 6 + 3);
    if (part->groups[g].body == VOUCH_NONE) {
      depth[part->groups[g].left] = depth[part->groups[g].right] = depth[g] + 1;
    }
  }
  vouch_build_fini(&build);
  vouch_scene_destroy(scene);
}

/// The tree over many obstacles: every obstacle in one leaf, inner margins the largest below.
static void test_group_tree_over_many(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene("{}");
  const vouch_shape_t shape = {.kind = VOUCH_SHAPE_SPHERE, .size = {0.01, 0.0, 0.0}};
  for (int i = 0; i < 333; ++i) {
    char id[16];
    vouch_pose_t pose = vouch_pose_identity();
    pose.translation[0] = (i * 37 % 101) * 0.1;
    pose.translation[1] = (i * 53 % 97) * 0.1;
    pose.translation[2] = i % 7 == 0 ? 1.0 : 0.0;   // many equal centres
    snprintf(id, sizeof(id), "o%d", i);
    assert_int_equal(
      vouch_scene_add_object(scene, id, "", &pose, &shape, NULL, 1), VOUCH_RET_OK);
    assert_int_equal(
      vouch_scene_set_padding(scene, id, i % 5 == 0 ? 0.02 : 0.001 * (i % 3)), VOUCH_RET_OK);
  }
  assert_int_equal(vouch_scene_allow_pair(scene, "o7", "hand", true), VOUCH_RET_OK);
  vouch_build_t build = build_it(scene, 0.0);
  const vouch_scene_part_t * part = &build.problem.scene;
  assert_int_equal(part->group_count, 665);
  bool seen[400] = {false};
  uint32_t depth[665] = {0}, deepest = 0;
  for (uint32_t g = 0; g < part->group_count; ++g) {
    deepest = depth[g] > deepest ? depth[g] : deepest;
    if (part->groups[g].body == VOUCH_NONE) {
      assert_true(part->groups[g].left > g && part->groups[g].right > g);
      depth[part->groups[g].left] = depth[part->groups[g].right] = depth[g] + 1;
    } else {
      assert_false(seen[part->groups[g].body]);
      seen[part->groups[g].body] = true;
    }
  }
  assert_true(deepest <= 9 + 3);
  for (uint32_t i = 0; i < part->pair_count; ++i) {
    const bool * checked = part->pairs[i].checked;
    for (uint32_t g = 0; checked != NULL && g < part->group_count; ++g) {
      if (part->groups[g].body == VOUCH_NONE) {
        assert_true(
          checked[g] == (checked[part->groups[g].left] || checked[part->groups[g].right]));
      }
    }
  }
  assert_true(margin_of(&build, "link/hand", "object/o7") == -1.0);
  assert_true(margin_of(&build, "link/claw", "object/o7") == 0.001);
  vouch_build_fini(&build);
  vouch_scene_destroy(scene);
}

static long allocations;
static long allowance = 1000000000;   // allocations after which memory runs out

static void * counting_allocate(size_t size, void * unused)
{
  (void)unused;
  allocations++;
  return allocations <= allowance ? malloc(size) : NULL;
}

static void * counting_reallocate(void * pointer, size_t size, void * unused)
{
  (void)unused;
  allocations++;
  return allocations <= allowance ? realloc(pointer, size) : NULL;
}

static void counting_free(void * pointer, void * unused)
{
  (void)unused;
  free(pointer);
}

static void test_edges_allocate_once(void ** state)
{
  (void)state;
  const vouch_allocator_t allocator = {
    .allocate = counting_allocate, .reallocate = counting_reallocate,
    .deallocate = counting_free
  };
  vouch_scene_t * scene = new_scene("{}");
  vouch_build_t build;
  const double to[3] = {1.0, 2.0, 0.3}, bad[3] = {NAN, 0.0, 0.0}, negative[3] = {-1.0, 0.0, 0.0};
  assert_int_equal(vouch_build_scene(&build, scene, 0.0, allocator), VOUCH_RET_OK);
  assert_int_equal(vouch_build_set_edge(&build, robot, ZERO, to, ZERO), VOUCH_RET_OK);
  const long before = allocations;
  for (int i = 0; i < 100; ++i) {
    assert_int_equal(vouch_build_set_edge(&build, robot, to, ZERO, ZERO), VOUCH_RET_OK);
  }
  assert_true(allocations == before);
  assert_true(build.problem.motion.coefficients[0] == 1.0);
  assert_int_equal(vouch_build_set_edge(&build, robot, bad, to, ZERO), VOUCH_RET_INVALID);
  assert_int_equal(vouch_build_set_edge(&build, robot, ZERO, to, negative), VOUCH_RET_INVALID);
  // Another motion in between, then an edge again.
  const vouch_trajectory_point_t points[3] = {
    {.positions = ZERO}, {.positions = to}, {.positions = ZERO}
  };
  const char * const names[3] = {"turn", "tilt", "slide"};
  const vouch_trajectory_t trajectory = {
    .joint_names = names, .joint_count = 3, .points = points, .point_count = 3
  };
  vouch_motion_t * motion = NULL;
  assert_int_equal(vouch_motion_create(&motion, robot, &trajectory, NULL), VOUCH_RET_OK);
  assert_int_equal(vouch_build_set_motion(&build, motion, ZERO), VOUCH_RET_OK);
  assert_int_equal(vouch_problem_validate(&build.problem), VOUCH_RET_OK);
  assert_int_equal(build.problem.motion.segment_count, 2);
  assert_int_equal(vouch_build_set_edge(&build, robot, ZERO, to, ZERO), VOUCH_RET_OK);
  assert_int_equal(build.problem.motion.segment_count, 1);
  vouch_motion_destroy(motion);
  vouch_build_fini(&build);
  assert_int_equal(
    vouch_build_scene(&build, scene, -1.0, allocator), VOUCH_RET_INVALID);
  assert_int_equal(vouch_build_scene(&build, scene, NAN, allocator), VOUCH_RET_INVALID);
  vouch_scene_destroy(scene);
}

static void test_out_of_memory_at_every_request(void ** state)
{
  (void)state;
  const vouch_allocator_t allocator = {
    .allocate = counting_allocate, .reallocate = counting_reallocate,
    .deallocate = counting_free
  };
  vouch_scene_t * scene = new_scene(SCENE);
  bool worked = false;
  for (long n = 0; !worked && n < 1000; ++n) {
    vouch_build_t build;
    allocations = 0;
    allowance = n;
    vouch_ret_t ret = vouch_build_scene(&build, scene, 0.0, allocator);
    if (ret == VOUCH_RET_OK) {
      ret = vouch_build_set_edge(&build, robot, ZERO, ZERO, ZERO);
      vouch_build_fini(&build);
    }
    worked = ret == VOUCH_RET_OK;
    assert_true(worked || ret == VOUCH_RET_NO_MEMORY);
  }
  allowance = 1000000000;
  assert_true(worked);
  vouch_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_an_object_with_the_name_of_a_link_is_checked),
    cmocka_unit_test(test_attached_objects_are_padded_like_their_link),
    cmocka_unit_test(test_pairs_and_margins),
    cmocka_unit_test(test_frames_carry_joints),
    cmocka_unit_test(test_object_in_a_link_frame),
    cmocka_unit_test(test_group_tree_parts_large_and_far),
    cmocka_unit_test(test_group_tree_over_many),
    cmocka_unit_test(test_edges_allocate_once),
    cmocka_unit_test(test_out_of_memory_at_every_request),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
