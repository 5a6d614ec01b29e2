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
/* Which files a robot and a scene were made from, as a problem names them. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/sha256.h"
#include "model/build.h"
#include "model/scene.h"
#include "support/failing.h"

static char directory[64];

static const char * write_file(const char * name, const char * text)
{
  static char path[128];
  (void)snprintf(path, sizeof(path), "%s/%s", directory, name);
  FILE * file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
  return path;
}

static const char MESH[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
  "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
static const char URDF[] =
  "<robot name='r'><link name='a'><collision><geometry><mesh filename='m.obj'/></geometry>"
  "</collision></link><link name='b'><collision><geometry><mesh filename='m.obj'/></geometry>"
  "</collision></link><joint name='j' type='continuous'><parent link='a'/><child link='b'/>"
  "</joint></robot>";
static const char SRDF[] = "<robot name='r'/>";
static const char SCENE[] = "{\"objects\": [{\"id\": \"o\", \"shapes\": [{\"type\": \"mesh\", "
  "\"file\": \"other.obj\"}]}]}";
static const char DIFF[] = "{\"is_diff\": true, \"allow\": [[\"a\", \"b\"]]}";
static const char EMPTY[] = "{\"objects\": []}";

static vouch_robot_t * load_robot(void)
{
  (void)write_file("m.obj", MESH);
  char srdf[128];
  (void)snprintf(srdf, sizeof(srdf), "%s", write_file("r.srdf", SRDF));
  vouch_robot_options_t options = vouch_robot_options_default();
  options.srdf_path = srdf;
  vouch_robot_t * robot = NULL;
  assert_int_equal(
    vouch_robot_load_urdf(&robot, write_file("r.urdf", URDF), &options), VOUCH_RET_OK);
  return robot;
}

static void expect(
  const vouch_sources_part_t * part, uint32_t i, const char * role, const char * name,
  const char * text)
{
  uint8_t hash[32];
  vouch_sha256(text, strlen(text), hash);
  assert_true(i < part->source_count);
  assert_string_equal(part->sources[i].role, role);
  assert_string_equal(part->sources[i].name, name);
  assert_memory_equal(part->sources[i].hash, hash, sizeof(hash));
}

static void build(vouch_build_t * out, const vouch_scene_t * scene)
{
  assert_int_equal(
    vouch_build_scene(out, scene, 0.0, vouch_allocator_default()), VOUCH_RET_OK);
}

static void a_problem_names_every_file_once(void ** state)
{
  (void)state;
  vouch_robot_t * robot = load_robot();
  vouch_scene_t * scene = NULL;
  vouch_build_t built;
  (void)write_file("other.obj", MESH);
  assert_int_equal(vouch_scene_create(&scene, robot, NULL), VOUCH_RET_OK);
  assert_int_equal(vouch_scene_load(scene, write_file("s.json", SCENE)), VOUCH_RET_OK);
  assert_int_equal(vouch_scene_load(scene, write_file("d.json", DIFF)), VOUCH_RET_OK);
  assert_int_equal(vouch_scene_load(scene, write_file("d.json", DIFF)), VOUCH_RET_OK);
  build(&built, scene);
  const vouch_sources_part_t * part = &built.problem.sources;
  assert_int_equal(part->source_count, 6);
  expect(part, 0, "robot", "r.urdf", URDF);
  expect(part, 1, "srdf", "r.srdf", SRDF);
  expect(part, 2, "mesh", "m.obj", MESH);
  expect(part, 3, "mesh", "other.obj", MESH);
  expect(part, 4, "scene", "s.json", SCENE);
  expect(part, 5, "scene", "d.json", DIFF);
  vouch_build_fini(&built);
  // Nothing is left of the files before a whole scene; a file that fails is none.
  assert_int_equal(vouch_scene_load(scene, write_file("e.json", EMPTY)), VOUCH_RET_OK);
  assert_int_equal(
    vouch_scene_load(scene, write_file("x.json", "{\"objects\": 1}")),
    VOUCH_RET_INVALID);
  assert_int_equal(vouch_scene_parse(scene, DIFF, strlen(DIFF)), VOUCH_RET_OK);
  build(&built, scene);
  assert_int_equal(part->source_count, 4);
  expect(part, 3, "scene", "e.json", EMPTY);
  vouch_build_fini(&built);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

static void the_bytes_come_back(void ** state)
{
  (void)state;
  vouch_robot_t * robot = load_robot();
  vouch_scene_t * scene = NULL;
  vouch_build_t built;
  assert_int_equal(vouch_scene_create(&scene, robot, NULL), VOUCH_RET_OK);
  build(&built, scene);
  const double zero = 0.0, one = 1.0, none = 0.0;
  assert_int_equal(vouch_build_set_edge(&built, robot, &zero, &one, &none), VOUCH_RET_OK);
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  assert_int_equal(vouch_problem_encode(&built.problem, &text), VOUCH_RET_OK);
  vouch_problem_t problem;
  assert_int_equal(
    vouch_problem_decode(&problem, vouch_allocator_default(), text.data, text.size), VOUCH_RET_OK);
  assert_int_equal(problem.sources.source_count, 3);
  expect(&problem.sources, 2, "mesh", "m.obj", MESH);
  vouch_problem_fini(&problem);
  vouch_text_fini(&text);
  vouch_build_fini(&built);
  vouch_scene_destroy(scene);
  vouch_robot_destroy(robot);
}

static void without_memory_nothing_is_noted(void ** state)
{
  (void)state;
  for (long fail_at = 0; fail_at < 8; ++fail_at) {
    test_failing_t failing = {.fail_at = fail_at};
    vouch_sources_t a = {.allocator = test_failing_allocator(&failing)}, b = a;
    vouch_ret_t ret = vouch_sources_note(&a, "mesh", "/x/y", "z", 1);
    ret = ret ? ret : vouch_sources_note(&a, "mesh", "y", "z", 1);   // the same one
    ret = ret ? ret : vouch_sources_append(&b, &a);
    assert_int_equal(ret, fail_at < 6 ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK);
    assert_int_equal(b.count, fail_at < 6 ? 0 : 1);
    assert_true(a.count <= 1);
    vouch_sources_fini(&a);
    vouch_sources_fini(&b);
    assert_int_equal(failing.alive, 0);
  }
}

int main(void)
{
  (void)snprintf(directory, sizeof(directory), "/tmp/vouch_test_sources_XXXXXX");
  if (mkdtemp(directory) == NULL) {
    return 1;
  }
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_problem_names_every_file_once),
    cmocka_unit_test(the_bytes_come_back),
    cmocka_unit_test(without_memory_nothing_is_noted),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  static const char * const files[] = {
    "m.obj", "other.obj", "r.urdf", "r.srdf", "s.json", "d.json", "e.json", "x.json"
  };
  char path[128];
  for (size_t i = 0; i < sizeof(files) / sizeof(*files); ++i) {
    (void)snprintf(path, sizeof(path), "%s/%s", directory, files[i]);
    (void)unlink(path);
  }
  return rmdir(directory) == 0 ? failed : 1;
}
