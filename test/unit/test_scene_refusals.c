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

/* What a scene may not say, with a sentence. */

#include "test_scene_fixture.h"

static void test_bad_scenes(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene();
  static const struct {const char * text, * sentence;} cases[] = {
    {"id: a, primitives: [{type: blob, dimensions: [1]}]", "scene:2: primitive type 'blob'"},
    {"id: a, primitives: [{type: box, dimensions: [1, 2]}]", "3 numbers"},
    {"id: a, primitives: [{type: box, dimensions: [1, 2, -3]}]", "must be positive"},
    {"id: a, primitives: [{type: box, dimensions: [1, 2, nan]}]", "finite number"},
    {"id: a, primitives: [{type: box, dimensions: [1, 2, 2e6]}]", "object 'a'"},
    {"id: '', primitives: [{type: sphere, dimensions: [1]}]", "no id"},
    {"id: a, primitives: [{type: sphere, dimensions: [1]}], primitive_poses: [{}, {}]", "2 prim"},
    {"id: a, primitives: [{type: sphere, dimensions: [1]}], pose: {orientation: [0, 0, 0, 2], "
      "position: [1, 0, 0]}", "unit quaternion"},
    {"id: a, primitives: [{type: sphere, dimensions: [1]}], pose: {position: [1e7, 0, 0]}",
      "1e6 m"},
    {"id: a, primitves: []", "key 'primitves' is not known"},
    {"id: a, meshes: [{vertices: [[0, 0, 0]], triangles: [[0, 0, 1]]}]", "vertex 1"},
    {"id: a, meshes: [{vertices: [[0, 0, 0]], triangles: [[0, 0, 0.5]]}]", "vertex 0.5"},
    {"id: a, meshes: [{vertices: [[0, 0, .nan]], triangles: [[0, 0, 0]]}]", "finite"},
    {"id: a, meshes: [{vertices: [], triangles: []}]", "points"},
    {"id: a, meshes: [{resource: 'missing.stl'}]", "scene:2"},
    {"id: a, planes: [{coef: [0, 0, 0, 1]}]", "normal"},
    {"id: a, planes: [{coef: [0, 0, 1]}]", "4 numbers"},
    {"id: a, planes: [{coef: [0, 0, 1, 0], offset: 5}]", "key 'offset' is not known"},
    {"id: a, meshes: [{vertices: [[0, 0, 0]], triangles: [{vertex_indices: [0, 0, 0], x: 1}]}]",
      "key 'x' is not known"},
    {"id: a, primitives: [{type: prism, dimensions: [1], polygon: {points: [{}, {x: 1}, {y: 1}], "
      "z: 4}}]", "key 'z' is not known"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
    refuse_object(scene, cases[i].text, cases[i].sentence);
  }
  refuse(scene, "world: {octomap: {octomap: {id: OcTree}}}", "octomap has no data");
  load(scene, "world: {octomap: {header: {frame_id: ''}, octomap: {id: '', data: []}}}");
  refuse(scene, "world: {octomap: {octomap: {}, data: [1]}}", "key 'data' is not known");
  refuse(scene, "world: {octomap: {octomap: {Data: [1]}}}", "key 'Data' is not known");
  refuse(scene, "link_scale: [{link_name: hand, scale: 1.1}]", "scaled by 1.1");
  load(scene, "link_scale: [{link_name: hand, scale: 1.0}]");
  refuse(scene, "link_padding: [{link_name: hand, padding: -0.1}]", "padding of 'hand'");
  refuse(scene, "link_padding: [{link_name: nolink, padding: 0.1}]", "neither a link");
  refuse(scene, "robot_state: {joint_state: {name: [nope], position: [1]}}", "no joint 'nope'");
  refuse(scene, "robot_state: {joint_state: {name: [turn], position: []}}", "1 joint names but 0");
  refuse(scene, "robot_state: {joint_state: {name: [turn, turn], position: [1, 1]}}", "twice");
  refuse(
    scene, "robot_state: {joint_state: {name: [slide, finger], position: [0.2, 0.3]}}",
    "should be at 0.2");
  refuse(
    scene, "robot_state: {multi_dof_joint_state: {joint_names: [x], transforms: [{translation: "
    "[1, 0, 0]}]}}", "multi-DOF joint 'x'");
  refuse(scene, "[1, 2]", "must be a map");
  refuse(scene, "objects: [{id: a, shapes: [{type: blob}]}]", "shape type 'blob'");
  refuse(scene, "objects: [{id: a, shapes: [{type: box, size: [1, 1]}]}]", "3 numbers");
  refuse(scene, "objects: [{id: a, shapes: [{type: sphere}]}]", "'radius' is missing");
  refuse(scene, "objects: [{id: a, shapes: []}]", "no shapes");
  vouch_scene_destroy(scene);
}

/// Each of these once lost a word of what the file says.
static void test_what_is_said_is_not_dropped(void ** state)
{
  (void)state;
  vouch_scene_t * scene = new_scene();
  refuse(
    scene, "start_state: {joint_state: {name: [turn], position: [0]}}\n"
    "world: {collision_objects: [{id: a, primitives: [{type: sphere, dimensions: [0.1]}]}]}",
    "key 'world' is not known here");
  refuse(
    scene, "transforms: {base: {position: [0, 0, 1]}}\n"
    "objects: [{id: a, frame: base, shapes: [{type: sphere, radius: 0.1}]}]",
    "scene:1: frame 'base' is a frame of the robot");
  load(scene, "transforms: {base: {position: [0, 0, 0]}, cell: {position: [0, 0, 1]}}");
  refuse(
    scene, "fixed_frame_transforms: [{header: {frame: arm}, child_frame_id: cell, transform: "
    "{translation: [0, 0, 1]}}]", "key 'frame' is not known");
  refuse(
    scene, "objects: [{id: a, shapes: [{type: sphere, radius: 0.1}]}]\ncheck: [[a, hnad]]",
    "scene:2: 'hnad' is neither a link nor an object");
  refuse(scene, "check_default: [hnad]", "'hnad' is neither a link nor an object");
  refuse(
    scene, "allow: [[base, fore], [base, hand]]\ncheck: [[arm, hand], [hand, base]]",
    "scene:2: 'hand' and 'base' are both in allow and in check");
  refuse(
    scene, "allow_default: [fore, hand]\ncheck_default: [arm, hand]",
    "'hand' is both in allow_default and in check_default");
  refuse(
    scene, "fixed_frame_transforms: [{child_frame_id: c, transform: {translation: [0, 0, 1]}},\n"
    "{child_frame_id: c, transform: {translation: [0, 0, 2]}}]", "scene:2: frame 'c' is given");
  refuse(
    scene, "link_padding: [{link_name: hand, padding: 1}, {link_name: hand, padding: 0}]",
    "'hand' is named twice");
  refuse(
    scene, "robot_state: {multi_dof_joint_state: {joint_names: [x, x], transforms: [{}, {}]}}",
    "multi-DOF joint 'x' is named twice");
  refuse_object(
    scene, "id: a, meshes: [{resource: a.stl, dimensions: [1, 1, 1e-12]}]", "makes nothing");
  refuse_object(
    scene, "id: a, meshes: [{vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]], "
    "dimensions: [2, 2, 2]}]", "dimensions scale a mesh that comes from a resource");
  refuse_object(
    scene, "id: a, primitives: [{type: prism, dimensions: [1], polygon: {points: [{x: 0}, {x: 1}, "
    "{x: 1, z: 1}]}}]", "corner 2 of a prism's base has z = 1");
  vouch_scene_destroy(scene);
}

static void test_the_base_is_placed_in_the_planning_frame_only(void ** state)
{
  (void)state;
  static const char form[] =
    "robot_state: {multi_dof_joint_state: {header: {frame_id: %s}, joint_names: [%s], transforms: "
    "[{translation: [%g, 0, 0]}]}}\n";
  vouch_robot_t * other = toy_robot_srdf(
    "<robot name='toy'><virtual_joint name='base_joint' type='floating' parent_frame='map' "
    "child_link='base'/></robot>");
  vouch_scene_t * scene = NULL;
  char text[512];
  assert_int_equal(vouch_scene_create(&scene, other, NULL), VOUCH_RET_OK);
  snprintf(text, sizeof(text), form, "map", "base_joint", 2.0);
  load(scene, text);
  assert_true(scene->base.translation[0] == 2.0);
  snprintf(text, sizeof(text), form, "odom", "base_joint", 2.0);
  refuse(scene, text, "in frame 'odom', which is not the planning frame");
  snprintf(text, sizeof(text), form, "odom", "base_joint", 0.0);
  refuse(scene, text, "in frame 'odom'");   // the identity there is not the identity here
  snprintf(text, sizeof(text), form, "odom", "stranger", 0.0);
  load(scene, text);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(other);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_bad_scenes),
    cmocka_unit_test(test_what_is_said_is_not_dropped),
    cmocka_unit_test(test_the_base_is_placed_in_the_planning_frame_only),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
