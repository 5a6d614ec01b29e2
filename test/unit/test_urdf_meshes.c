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

/* Mesh files of a URDF: found through all kinds of addresses, scaled, described. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "test_urdf_fixture.h"

static const char cube_obj[] =
  "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
  "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static char directory[64];

static void write_file(const char * name, const char * text)
{
  char path[256];
  (void)snprintf(path, sizeof(path), "%s/%s", directory, name);
  assert_int_equal(vouch_file_write(path, text, strlen(text)), VOUCH_RET_OK);
}

static void make_directory(const char * name)
{
  char path[256];
  (void)snprintf(path, sizeof(path), "%s/%s", directory, name);
  assert_int_equal(mkdir(path, 0777), 0);
}

static int make_files(void ** state)
{
  (void)state;
  (void)snprintf(directory, sizeof(directory), "/tmp/vouch_test_urdf_XXXXXX");
  assert_non_null(mkdtemp(directory));
  static const char * const folders[] = {
    "share", "share/arm", "share/arm/meshes", "share/ament_index",
    "share/ament_index/resource_index", "share/ament_index/resource_index/packages", "share/beside",
    "other", "other/share", "other/share/fake"
  };
  for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); ++i) {
    make_directory(folders[i]);
  }
  write_file("share/ament_index/resource_index/packages/arm", "");
  write_file("share/arm/meshes/a b.obj", cube_obj);
  write_file("share/arm/meshes/cube.obj", cube_obj);
  write_file("share/arm/meshes/open.obj", "v 0 0 0\nv 20 0 0\nv 0 1 0\nf 1 2 3\n");
  write_file("share/beside/cube.obj", cube_obj);
  write_file("other/share/fake/cube.obj", cube_obj);
  return 0;
}

static int remove_files(void ** state)
{
  (void)state;
  char command[128];
  (void)snprintf(command, sizeof(command), "rm -r %s", directory);
  return system(command);
}

static vouch_ret_t load_mesh(
  vouch_robot_t ** robot, const char * filename, const char * more,
  const vouch_robot_options_t * options)
{
  char text[1024];
  (void)snprintf(
    text, sizeof(text), "<robot name='r'><link name='a'><collision><origin xyz='0 0 3'/><geometry>"
    "<mesh filename='%s' %s/></geometry></collision></link></robot>", filename, more);
  write_file("share/arm/robot.urdf", text);
  char path[256];
  (void)snprintf(path, sizeof(path), "%s/share/arm/robot.urdf", directory);
  return vouch_robot_load_urdf(robot, path, options);
}

static void assert_cube_at(const char * filename, const vouch_robot_options_t * options)
{
  vouch_robot_t * robot = NULL;
  if (load_mesh(&robot, filename, "", options) != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
  assert_int_equal(robot->links[0].facts.triangles, 12);
  assert_int_equal(robot->links[0].facts.solids, 1);
  vouch_robot_destroy(robot);
}

static void mesh_files_are_found(void ** state)
{
  (void)state;
  char text[512];
  assert_cube_at("meshes/cube.obj", NULL);
  assert_cube_at("../arm/meshes/cube.obj", NULL);
  (void)snprintf(text, sizeof(text), "%s/share/arm/meshes/cube.obj", directory);
  assert_cube_at(text, NULL);
  (void)snprintf(text, sizeof(text), "file://%s/share/arm/meshes/a%%20b.obj", directory);
  assert_cube_at(text, NULL);
  (void)snprintf(text, sizeof(text), "/nowhere::%s/other:%s", directory, directory);
  assert_int_equal(setenv("AMENT_PREFIX_PATH", text, 1), 0);
  assert_cube_at("package://arm/meshes/cube.obj", NULL);
  vouch_robot_t * robot = NULL;   // there, but not in the resource index
  assert_int_equal(
    load_mesh(&robot, "package://fake/cube.obj", "", NULL), VOUCH_RET_INVALID);
  (void)snprintf(text, sizeof(text), "%s/other/share/fake", directory);
  const vouch_package_t package = {.name = "fake", .directory = text};
  vouch_robot_options_t options = vouch_robot_options_default();
  options.packages = &package;
  options.package_count = 1;
  assert_cube_at("package://fake/cube.obj", &options);
}

static void packages_are_found_above_the_description(void ** state)
{
  (void)state;
  vouch_robot_t * robot = NULL;
  assert_int_equal(unsetenv("AMENT_PREFIX_PATH"), 0);
  assert_cube_at("package://arm/meshes/cube.obj", NULL);   // by the name of the directory
  assert_cube_at("package://beside/cube.obj", NULL);
  assert_int_equal(
    load_mesh(&robot, "package://my_arm/meshes/cube.obj", "", NULL), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "directories above"));
  write_file("share/arm/package.xml", "<package format='3'><name> my_arm\n</name></package>");
  assert_cube_at("package://my_arm/meshes/cube.obj", NULL);   // by what it says of itself
  assert_int_equal(
    load_mesh(&robot, "package://my_ar/meshes/cube.obj", "", NULL), VOUCH_RET_INVALID);
  assert_int_equal(
    load_mesh(&robot, "package://beside/other.obj", "", NULL), VOUCH_RET_INVALID);
  write_file("share/arm/package.xml", "<package><name>my_arm</name>");
  assert_int_equal(
    load_mesh(&robot, "package://my_arm/meshes/cube.obj", "", NULL), VOUCH_RET_INVALID);
  write_file("share/arm/package.xml", "<package/>");
  assert_int_equal(
    load_mesh(&robot, "package://my_arm/meshes/cube.obj", "", NULL), VOUCH_RET_INVALID);
}

static double volume6(const vouch_geometry_t * g)
{
  double sum = 0.0;
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    assert_int_equal(g->primitives[i].kind, VOUCH_PRIMITIVE_TRIANGLE);
    const uint32_t * t = &g->indices[g->primitives[i].first];
    const double * a = g->vertices[t[0]];
    const double * b = g->vertices[t[1]];
    const double * c = g->vertices[t[2]];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum;
}

static void mesh_scale_may_mirror_and_link_scale_multiplies(void ** state)
{
  (void)state;
  vouch_robot_t * robot = NULL;
  assert_int_equal(load_mesh(&robot, "meshes/cube.obj", "scale='-1 2 3'", NULL), VOUCH_RET_OK);
  assert_int_equal(robot->links[0].facts.solids, 1);
  assert_true(fabs(volume6(robot->links[0].geometry) - 36.0) < 1e-9);   // outward again
  vouch_robot_destroy(robot);
  const vouch_link_value_t scale = {.link = "a", .value = 2.0};
  const vouch_link_value_t padding = {.link = "a", .value = 0.25};
  vouch_robot_options_t options = vouch_robot_options_default();
  options.scales = &scale;
  options.scale_count = 1;
  options.paddings = &padding;
  options.padding_count = 1;
  assert_int_equal(load_mesh(&robot, "meshes/cube.obj", "", &options), VOUCH_RET_OK);
  assert_true(fabs(volume6(robot->links[0].geometry) - 48.0) < 1e-9);
  double least = INFINITY;   // the cube stands on its own origin, 3 m up
  for (uint32_t i = 0; i < robot->links[0].geometry->vertex_count; ++i) {
    least = fmin(least, robot->links[0].geometry->vertices[i][2]);
  }
  assert_true(least == 3.0);
  assert_true(robot->links[0].padding_m == 0.25);
  vouch_robot_destroy(robot);
}

static void meshes_are_described_in_warnings(void ** state)
{
  (void)state;
  vouch_robot_t * robot = NULL;
  assert_int_equal(load_mesh(&robot, "meshes/open.obj", "", NULL), VOUCH_RET_OK);
  assert_true(warned(robot, "link 'a': 1 of its 1 mesh parts are open"));
  assert_true(warned(robot, "millimetres"));
  vouch_robot_destroy(robot);
  vouch_robot_options_t options = vouch_robot_options_default();
  options.surfaces = true;
  assert_int_equal(load_mesh(&robot, "meshes/open.obj", "", &options), VOUCH_RET_OK);
  assert_false(warned(robot, "open"));
  vouch_robot_destroy(robot);
  options.hulls = true;
  assert_int_equal(load_mesh(&robot, "meshes/cube.obj", "", &options), VOUCH_RET_OK);
  assert_true(warned(robot, "convex hull"));
  assert_int_equal(robot->links[0].facts.convex, 1);
  vouch_robot_destroy(robot);
  assert_int_equal(
    load_mesh(&robot, "meshes/cube.obj", "make_convex='true'", NULL), VOUCH_RET_OK);
  assert_int_equal(robot->links[0].facts.convex, 1);
  assert_true(warned(robot, "the URDF declares meshes to be convex"));
  vouch_robot_destroy(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(mesh_files_are_found),
    cmocka_unit_test(packages_are_found_above_the_description),
    cmocka_unit_test(mesh_scale_may_mirror_and_link_scale_multiplies),
    cmocka_unit_test(meshes_are_described_in_warnings),
  };
  return cmocka_run_group_tests(tests, make_files, remove_files);
}
