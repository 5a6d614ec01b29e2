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
/* Scenes: objects, frames, attachment, the matrix; and files, with what they may not say. */

#include <math.h>
#include <stdlib.h>

#include "test_scene_fixture.h"

static void test_every_message_shape(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene();
  load(
    scene,
    "world:\n  collision_objects:\n"
    "    - id: all\n      header: {frame_id: base}\n"
    "      pose: {position: {x: 1, y: 0, z: 0}, orientation: {w: 1}}\n"
    "      primitives:\n"
    "        - {type: 1, dimensions: [0.1, 0.2, 0.3]}\n"
    "        - {type: sphere, dimensions: [0.1]}\n"
    "        - {type: cylinder, dimensions: [0.5, 0.1]}\n"
    "        - {type: 4, dimensions: [0.5, 0.1]}\n"
    "        - {type: prism, dimensions: [0.5], polygon: {points: [{x: 0, y: 0, z: 0}, "
    "{x: 1, y: 0, z: 0}, {x: 0, y: 1, z: 0}]}}\n"
    "      primitive_poses:\n"
    "        - {position: [0, 0, 1], orientation: [0, 0, 0, 1]}\n"
    "      meshes:\n"
    "        - vertices: [[0, 0, 0], {x: 1, y: 0, z: 0}, [0, 1, 0]]\n"
    "          triangles: [{vertex_indices: [0, 1, 2]}, [0, 2, 1]]\n"
    "      planes: [{coef: [0, 0, 2, 4]}]\n"
    "    - {id: floor, planes: [{coef: [0, 0, 1, 0]}]}\n");
  const vouch_object_view_t all = view(scene, "all");
  assert_int_equal(all.shape_count, 7);
  assert_int_equal(all.shapes[2].kind, VOUCH_SHAPE_CYLINDER);
  assert_true(all.shapes[2].size[0] == 0.1 && all.shapes[2].size[1] == 0.5);
  assert_true(all.shape_poses[0].translation[2] == 1.0);
  assert_true(all.shape_poses[1].translation[2] == 0.0);   // fewer poses: identity
  assert_int_equal(all.shapes[5].triangle_count, 2);
  assert_true(all.pose.translation[0] == 1.0);
  assert_int_equal(vouch_scene_object_count(scene), 2);
  assert_int_equal(vouch_scene_revision(scene), 1);
  vouch_scene_destroy(scene);
}

static void test_own_format_has_every_shape(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene();
  load(
    scene,
    "{\"state\": {\"turn\": 0.5, \"tilt\": 0, \"slide\": 0.1},\n"
    " \"transforms\": {\"cell\": {\"position\": [0, 0, 1]}},\n"
    " \"objects\": [\n"
    "  {\"id\": \"all\", \"frame\": \"cell\", \"padding\": 0.01, \"shapes\": [\n"
    "   {\"type\": \"box\", \"size\": [1, 2, 3]},\n"
    "   {\"type\": \"sphere\", \"radius\": 0.1},\n"
    "   {\"type\": \"cylinder\", \"radius\": 0.1, \"height\": 0.4},\n"
    "   {\"type\": \"cone\", \"radius\": 0.1, \"height\": 0.4},\n"
    "   {\"type\": \"capsule\", \"radius\": 0.1, \"length\": 0.4},\n"
    "   {\"type\": \"ellipsoid\", \"radii\": [0.1, 0.2, 0.3]},\n"
    "   {\"type\": \"prism\", \"height\": 1, \"points\": [[0, 0], [1, 0], [1, 1], [0.5, 0.2]]},\n"
    "   {\"type\": \"convex\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]},\n"
    "   {\"type\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],\n"
    "    \"triangles\": [[0, 1, 2]]},\n"
    "   {\"type\": \"plane\", \"normal\": [0, 0, 1], \"offset\": -2},\n"
    "   {\"type\": \"half_space\", \"normal\": [0, 0, 1], \"offset\": -3}]},\n"
    "  {\"id\": \"part\", \"frame\": \"tool\", \"shapes\": [{\"type\": \"sphere\", \"radius\": "
    "0.02}], \"attach\": {\"link\": \"hand\", \"touch_links\": [\"claw\"]}}],\n"
    " \"allow\": [[\"all\", \"base\"]], \"check\": [[\"base\", \"arm\"]],\n"
    " \"allow_default\": [\"fore\"], \"padding\": {\"hand\": 0.02}}");
  const vouch_object_view_t all = view(scene, "all");
  assert_int_equal(all.shape_count, 11);
  assert_true(all.padding_m == 0.01);
  assert_true(all.shapes[9].plane[3] == 2.0);   // normal . x + 2 = 0
  const vouch_object_view_t part = view(scene, "part");
  assert_true(part.attached);
  assert_string_equal(part.frame, "hand");
  assert_true(part.pose.translation[0] == 0.1);   // tool is 0.1 in front of the hand
  assert_string_equal(part.touch_links[0], "claw");
  double values[3];
  vouch_scene_get_state(scene, values);
  assert_true(values[0] == 0.5 && values[2] == 0.1);
  const uint32_t base = vouch_robot_find_link(robot, "base");
  const uint32_t arm = vouch_robot_find_link(robot, "arm");
  assert_true(vouch_robot_pair_disabled(robot, base, arm));
  assert_false(vouch_scene_pair_allowed(scene, "base", base, "arm", arm));
  assert_true(vouch_scene_pair_allowed(scene, "fore", 2, "all", VOUCH_NONE));
  vouch_scene_destroy(scene);
}

static void test_frames(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene();
  world(
    scene, "id: a, header: {frame_id: cell}, primitives: [{type: sphere, dimensions: [1]}]",
    "fixed_frame_transforms: [{child_frame_id: cell, transform: {translation: [1, 2, 3]}}]");
  vouch_pose_t pose;
  assert_int_equal(vouch_scene_frame_pose(scene, "cell", &pose), VOUCH_RET_OK);
  assert_true(pose.translation[1] == 2.0);
  // MoveIt's own messages name the planning frame as the child, in every transform.
  load(
    scene, "fixed_frame_transforms: [{header: {frame_id: base}, child_frame_id: base},\n"
    "{header: {frame_id: camera}, child_frame_id: base, transform: {translation: [1, 0, 0]}},\n"
    "{header: {frame_id: cell}, child_frame_id: base, transform: {translation: [2, 0, 0]}}]");
  assert_int_equal(vouch_scene_frame_pose(scene, "camera", &pose), VOUCH_RET_OK);
  assert_true(pose.translation[0] == 1.0);
  assert_int_equal(vouch_scene_frame_pose(scene, "cell", &pose), VOUCH_RET_OK);
  assert_true(pose.translation[0] == 2.0 && pose.translation[1] == 0.0);
  load(
    scene, "is_diff: true\nfixed_frame_transforms: [{header: {frame_id: cell}, child_frame_id: "
    "base, transform: {translation: [3, 0, 0]}}]");
  assert_int_equal(vouch_scene_frame_pose(scene, "cell", &pose), VOUCH_RET_OK);
  assert_true(pose.translation[0] == 3.0);
  refuse(
    scene, "fixed_frame_transforms: [{header: {frame_id: arm}, child_frame_id: base, transform: "
    "{translation: [1, 0, 0]}}]", "");   // where the arm is, the joints say
  // A link's frame is where the state has it; unknown joints are named.
  assert_int_equal(vouch_scene_frame_pose(scene, "fore", &pose), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "joint 'tilt'"));
  const double state_values[] = {1.5707963267948966, 0.0, 0.25};
  assert_int_equal(vouch_scene_set_state(scene, state_values), VOUCH_RET_OK);
  assert_int_equal(vouch_scene_frame_pose(scene, "claw", &pose), VOUCH_RET_OK);
  // x: 0.9 + 0.25 + 0.1 along the arm, y: finger at 0.5 * 0.25 + 0.1, turned by 90 degrees about z.
  assert_true(fabs(pose.translation[0] + 0.225) < 1e-12);
  assert_true(fabs(pose.translation[1] - 1.25) < 1e-12);
  assert_true(fabs(pose.translation[2] - 0.9) < 1e-12);
  // Two links that never move against each other need no state.
  const double unknown[] = {NAN, NAN, NAN};
  assert_int_equal(vouch_scene_set_state(scene, unknown), VOUCH_RET_OK);
  assert_int_equal(
    vouch_scene_link_relative(
      scene, vouch_robot_find_link(robot, "tool"), vouch_robot_find_link(robot, "hand"), &pose),
    VOUCH_RET_OK);
  assert_true(pose.translation[0] == -0.1);
  char text[256];
  snprintf(text, sizeof(text), "id: x, header: {frame_id: nowhere}, %s", BOX);
  refuse_object(scene, text, "frame 'nowhere' is neither a link");
  vouch_scene_destroy(scene);
}

static void test_virtual_joint_places_the_base(void ** state)
{
  (void)state;
  vouch_robot_t * other = toy_robot_srdf(
    "<robot name='toy'><virtual_joint name='base_joint' type='floating' parent_frame='map' "
    "child_link='base'/></robot>");
  vouch_scene_t * scene = NULL;
  assert_int_equal(vouch_scene_create(&scene, other, NULL), VOUCH_RET_OK);
  load(
    scene, "robot_state: {multi_dof_joint_state: {joint_names: [base_joint], transforms: "
    "[{translation: [2, 0, 0], rotation: [0, 0, 0, 1]}]}}\n");
  vouch_pose_t pose;
  assert_int_equal(vouch_scene_frame_pose(scene, "map", &pose), VOUCH_RET_OK);
  assert_true(pose.translation[0] == -2.0);
  assert_int_equal(vouch_scene_frame_pose(scene, "", &pose), VOUCH_RET_OK);
  assert_true(pose.translation[0] == -2.0);
  assert_int_equal(vouch_scene_frame_pose(scene, "base", &pose), VOUCH_RET_OK);
  assert_true(pose.translation[0] == 0.0);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(other);
}

static void test_operations(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene();
  char text[512];
  snprintf(text, sizeof(text), "id: a, %s", BOX);
  world(scene, text, "");
  world(scene, "id: a, operation: 2, primitives: [{type: sphere, dimensions: [0.1]}]", "");
  assert_int_equal(view(scene, "a").shape_count, 2);
  world(scene, "id: a, operation: move, pose: {position: [5, 0, 0]}", "");
  assert_true(view(scene, "a").pose.translation[0] == 5.0);
  assert_int_equal(view(scene, "a").shape_count, 2);
  world(scene, "id: a, operation: !!binary AA==, primitives: [{type: 2, dimensions: [0.1]}]", "");
  assert_int_equal(view(scene, "a").shape_count, 1);
  // As `ros2 topic echo` and MoveIt write the byte.
  static const char * const add[] = {"0x00", "\"\\0\"", "\"\\x00\""};
  for (size_t i = 0; i < 3; ++i) {
    snprintf(text, sizeof(text), "id: a, operation: %s, %s", add[i], BOX);
    world(scene, text, "");
    assert_int_equal(view(scene, "a").shape_count, 1);
  }
  world(scene, "id: a, operation: 0x02, primitives: [{type: 2, dimensions: [0.1]}]", "");
  world(scene, "id: a, operation: \"\\x02\", primitives: [{type: 2, dimensions: [0.1]}]", "");
  assert_int_equal(view(scene, "a").shape_count, 3);
  world(scene, "id: a, operation: 0x03, pose: {position: [7, 0, 0]}", "");
  assert_true(view(scene, "a").pose.translation[0] == 7.0);
  refuse_object(scene, "id: b, operation: 0x04", "operation must be");
  refuse_object(scene, "id: b, operation: \"\\x04\"", "operation must be");
  refuse_object(scene, "id: b, operation: \"\\0\\0\"", "NUL");
  refuse_object(scene, "id: \"\\0\", operation: 0", "NUL");
  refuse_object(scene, "id: b, operation: 3", "object 'b' is not in the scene");
  refuse_object(scene, "id: b, operation: 7", "operation must be");
  refuse_object(scene, "id: b", "it has no shapes");
  world(scene, "id: a, operation: \"\\x01\"", "");
  assert_int_equal(vouch_scene_object_count(scene), 0);
  // A full scene replaces everything.
  world(scene, text, "");
  load(scene, "world: {collision_objects: []}");
  assert_int_equal(vouch_scene_object_count(scene), 0);
  vouch_scene_destroy(scene);
}

static void test_an_id_given_twice_in_one_file_is_refused(void ** state)
{
  (void)state;
  static const char * const twice[] = {
    "world: {collision_objects: [{id: a, primitives: [{type: sphere, dimensions: [0.1]}]}, "
    "{id: a, primitives: [{type: sphere, dimensions: [0.2]}]}]}",
    "objects: [{id: a, shapes: [{type: sphere, radius: 0.1}]}, "
    "{id: a, shapes: [{type: sphere, radius: 0.2}]}]",
    "robot_state: {attached_collision_objects: [{link_name: hand, object: {id: a, header: "
    "{frame_id: hand}, primitives: [{type: sphere, dimensions: [0.1]}]}}, {link_name: hand, "
    "object: {id: a, header: {frame_id: hand}, primitives: [{type: sphere, dimensions: [0.2]}]}}]}",
  };
  vouch_scene_t * scene = new_scene();
  for (size_t i = 0; i < sizeof(twice) / sizeof(twice[0]); ++i) {
    refuse(scene, twice[i], "object 'a' is given twice");
  }
  // What another file said may be said anew, and what was taken away may come back.
  world(scene, "id: a, primitives: [{type: sphere, dimensions: [0.1]}]", "");
  world(scene, "id: a, primitives: [{type: sphere, dimensions: [0.2]}]", "");
  world(
    scene, "id: a, primitives: [{type: sphere, dimensions: [0.3]}]}, {id: a, operation: 1}, "
    "{id: a, primitives: [{type: sphere, dimensions: [0.4]}]", "");
  assert_true(view(scene, "a").shapes[0].size[0] == 0.4);
  vouch_scene_destroy(scene);
}

/// Where shape 0 of an object is in the planning frame, along x.
static double shape_at(const vouch_scene_t * scene, const char * id)
{
  const vouch_object_view_t object = view(scene, id);
  return vouch_pose_product(&object.pose, &object.shape_poses[0]).translation[0];
}

static void test_moves_and_appends_mean_what_moveit_means(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene();
  char text[512];
  // planning_scene.cpp: an only shape without a pose of the object lends it its own.
  snprintf(text, sizeof(text), "id: a, %s, primitive_poses: [{position: [2, 0, 0]}]", BOX);
  world(scene, text, "");
  assert_true(shape_at(scene, "a") == 2.0);
  world(scene, "id: a, operation: 3, pose: {position: [5, 0, 0]}", "");
  assert_true(shape_at(scene, "a") == 5.0);
  // An object with a pose, or with several shapes, moves as a whole.
  snprintf(
    text, sizeof(text), "id: b, pose: {position: [1, 0, 0]}, %s, "
    "primitive_poses: [{position: [2, 0, 0]}]", BOX);
  world(scene, text, "");
  world(scene, "id: b, operation: 3, pose: {position: [5, 0, 0]}", "");
  assert_true(shape_at(scene, "b") == 7.0);
  // The pose of an append is the object's, or the two readings differ.
  static const char ball[] = "primitives: [{type: sphere, dimensions: [0.1]}]";
  snprintf(text, sizeof(text), "id: b, operation: 2, %s", ball);
  refuse_object(scene, text, "not the object's own");
  snprintf(
    text, sizeof(text), "id: b, operation: 2, header: {frame_id: base}, pose: {position: [5, 0, "
    "0]}, %s", ball);
  world(scene, text, "");
  assert_int_equal(view(scene, "b").shape_count, 2);
  vouch_scene_destroy(scene);
}

static void test_attached_objects(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene();
  load(
    scene,
    "robot_state:\n  joint_state: {name: [turn, tilt, slide], position: [0, 0, 0.1]}\n"
    "  attached_collision_objects:\n"
    "    - {link_name: hand, touch_links: [claw], object: {id: held, header: {frame_id: tool}, "
    "pose: {position: [0, 0, 0.5]}, primitives: [{type: sphere, dimensions: [0.01]}]}}\n"
    "world: {collision_objects: [{id: held, primitives: [{type: sphere, dimensions: [0.5]}]}]}\n");
  assert_int_equal(vouch_scene_object_count(scene), 1);   // attached wins
  assert_int_equal(vouch_scene_warning_count(scene), 1);
  vouch_object_view_t held = view(scene, "held");
  assert_true(held.attached && held.shapes[0].size[0] == 0.01);
  assert_true(fabs(held.pose.translation[0] - 0.1) < 1e-15 && held.pose.translation[2] == 0.5);
  // A world object of the same name in a later diff does not replace it.
  world(scene, "id: held, primitives: [{type: sphere, dimensions: [0.5]}]", "");
  assert_true(view(scene, "held").attached);
  assert_int_equal(vouch_scene_warning_count(scene), 2);
  // Nor is it taken away with one of the world, or given shapes of the world.
  world(scene, "id: held, operation: 1", "");
  assert_true(view(scene, "held").attached);
  assert_int_equal(vouch_scene_warning_count(scene), 3);
  refuse_object(
    scene, "id: held, operation: 2, primitives: [{type: sphere, dimensions: [0.5]}]",
    "append to it there");
  load(
    scene, "is_diff: true\nrobot_state: {is_diff: true, attached_collision_objects: [{link_name: "
    "hand, object: {id: held, operation: 1}}]}\n");
  held = view(scene, "held");
  assert_false(held.attached);
  assert_true(fabs(held.pose.translation[0] - 1.1) < 1e-12);
  assert_true(fabs(held.pose.translation[2] - 1.4) < 1e-12);
  // Attach by name, and names that are wrong.
  load(
    scene, "is_diff: true\nrobot_state: {is_diff: true, attached_collision_objects: [{link_name: "
    "fore, object: {id: held}}]}\n");
  assert_true(view(scene, "held").attached);
  refuse(
    scene, "is_diff: true\nrobot_state: {is_diff: true, attached_collision_objects: [{link_name: "
    "nolink, object: {id: held}}]}\n", "no link 'nolink'");
  refuse(
    scene, "is_diff: true\nrobot_state: {is_diff: true, attached_collision_objects: [{link_name: "
    "hand, touch_links: [nolink], object: {id: held}}]}\n", "touch link 'nolink'");
  vouch_scene_destroy(scene);
}

static void test_padding_and_request(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene();
  load(scene, "link_padding: [{link_name: hand, padding: 0.02}]");
  assert_true(scene->link_padding[vouch_robot_find_link(robot, "hand")] == 0.02);
  load(
    scene, "start_state: {joint_state: {name: [turn], position: [0.25]}}\ngroup_name: arm\n");
  double values[3];
  vouch_scene_get_state(scene, values);
  assert_true(values[0] == 0.25 && isnan(values[1]));
  assert_true(scene->link_padding[vouch_robot_find_link(robot, "hand")] == 0.02);
  vouch_scene_destroy(scene);
}

static void test_clones_share_geometry_and_live_alone(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene(), * copy = NULL;
  uint8_t a[32], b[32];
  world(
    scene, "id: a, primitives: [{type: sphere, dimensions: [0.1]}]",
    "allowed_collision_matrix: {entry_names: [a, base], entry_values: [[0, 1], [1, 0]]}\n");
  assert_int_equal(vouch_scene_clone(&copy, scene), VOUCH_RET_OK);
  vouch_scene_hash(scene, a);
  vouch_scene_hash(copy, b);
  assert_memory_equal(a, b, 32);
  assert_ptr_equal(scene->objects[0].body, copy->objects[0].body);
  assert_int_equal(vouch_scene_remove_object(scene, "a"), VOUCH_RET_OK);
  assert_int_equal(vouch_scene_object_count(copy), 1);
  vouch_scene_hash(scene, a);
  assert_memory_not_equal(a, b, 32);
  vouch_scene_destroy(scene);
  assert_true(copy->objects[0].body->geometry.primitive_count == 1);
  vouch_scene_destroy(copy);
}

/* Memory that runs out at the n-th request: an error, no leak, the scene unchanged. */
static long allowance;

static void * starved_allocate(size_t size, void * unused)
{
  (void)unused;
  return allowance-- > 0 ? malloc(size) : NULL;
}

static void * starved_reallocate(void * pointer, size_t size, void * unused)
{
  (void)unused;
  return allowance-- > 0 ? realloc(pointer, size) : NULL;
}

static void starved_free(void * pointer, void * unused)
{
  (void)unused;
  free(pointer);
}

static void test_out_of_memory_leaves_the_scene_as_it_was(void ** state)
{
  (void)state;
  static const char text[] =
    "is_diff: true\nallowed_collision_matrix: {entry_names: [a, b], entry_values: [[0, 1], "
    "[1, 0]]}\nfixed_frame_transforms: [{child_frame_id: c}]\n"
    "world: {collision_objects: [{id: a, primitives: [{type: box, dimensions: [1, 1, 1]}]}, "
    "{id: b, meshes: [{vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]]}]}]}\n"
    "robot_state: {is_diff: true, joint_state: {name: [turn, tilt, slide], position: [0, 0, 0]}, "
    "attached_collision_objects: [{link_name: hand, touch_links: [claw], object: {id: b}}]}\n";
  vouch_scene_options_t options = vouch_scene_options_default();
  options.allocator = (vouch_allocator_t) {
    .allocate = starved_allocate, .reallocate = starved_reallocate, .deallocate = starved_free
  };
  bool worked = false;
  for (long n = 0; !worked && n < 5000; ++n) {
    vouch_scene_t * scene = NULL;
    allowance = 1000000;
    assert_int_equal(vouch_scene_create(&scene, robot, &options), VOUCH_RET_OK);
    allowance = n;
    const vouch_ret_t ret = vouch_scene_parse(scene, text, sizeof(text) - 1);
    allowance = 1000000;
    worked = ret == VOUCH_RET_OK;
    assert_true(worked || ret == VOUCH_RET_NO_MEMORY);
    assert_int_equal(vouch_scene_object_count(scene), worked ? 2 : 0);
    vouch_scene_destroy(scene);
  }
  assert_true(worked);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_message_shape),
    cmocka_unit_test(test_own_format_has_every_shape),
    cmocka_unit_test(test_frames),
    cmocka_unit_test(test_virtual_joint_places_the_base),
    cmocka_unit_test(test_operations),
    cmocka_unit_test(test_an_id_given_twice_in_one_file_is_refused),
    cmocka_unit_test(test_moves_and_appends_mean_what_moveit_means),
    cmocka_unit_test(test_attached_objects),
    cmocka_unit_test(test_padding_and_request),
    cmocka_unit_test(test_clones_share_geometry_and_live_alone),
    cmocka_unit_test(test_out_of_memory_leaves_the_scene_as_it_was),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
