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

/* URDF: what a robot means, and that nothing doubtful gets through. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "model/robot.h"

static vouch_ret_t parse(vouch_robot_t ** robot, const char * text)
{
  return vouch_robot_parse_urdf(robot, text, strlen(text), NULL, NULL);
}

static void refused(const char * text, const char * part)
{
  vouch_robot_t * robot = NULL;
  vouch_ret_t ret = parse(&robot, text);
  if (ret != VOUCH_RET_INVALID) {
    fail_msg("%d, not refused: %s", (int)ret, text);
  }
  assert_null(robot);
  if (strstr(vouch_error(), part) == NULL) {
    fail_msg("\"%s\" does not say \"%s\"", vouch_error(), part);
  }
}

static vouch_robot_t * accepted(const char * text)
{
  vouch_robot_t * robot = NULL;
  if (parse(&robot, text) != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
  return robot;
}

static bool warned(const vouch_robot_t * robot, const char * part)
{
  for (size_t i = 0; i < vouch_robot_warning_count(robot); ++i) {
    if (strstr(vouch_robot_warning(robot, i), part) != NULL) {
      return true;
    }
  }
  return false;
}

#define J(name, type, parent, child, more) \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" \
  more "</joint>\n"
#define L(name) "<link name='" name "'/>\n"
#define ROBOT(body) "<robot name='r'>\n" body "</robot>"
#define LIMIT "<limit lower='-1' upper='2' effort='1' velocity='1'/>"
#define LINK_WITH(shape) \
  ROBOT("<link name='a'>\n<collision>\n<geometry>\n" shape "</geometry></collision></link>")

static void links_come_breadth_first_in_the_order_of_the_joints(void ** state)
{
  (void)state;
  // Two arms on a world link, written in a mixed-up order.
  vouch_robot_t * robot = accepted(
    ROBOT(
      L("b2") L("b1") L("a1") L("a2") L("world") L("b3")
      J("jb2", "revolute", "b1", "b2", LIMIT)
      J("jb1", "fixed", "world", "b1", "")
      J("ja2", "prismatic", "a1", "a2", LIMIT)
      J("ja1", "continuous", "world", "a1", "")
      J("jb3", "revolute", "b2", "b3", LIMIT)));
  const char * const links[] = {"world", "b1", "a1", "b2", "a2", "b3"};
  assert_int_equal(vouch_robot_link_count(robot), 6);
  for (uint32_t i = 0; i < 6; ++i) {
    assert_string_equal(vouch_robot_link_name(robot, i), links[i]);
    assert_int_equal(vouch_robot_find_link(robot, links[i]), i);
    if (i > 0) {
      assert_int_equal(robot->joints[i - 1].child, i);
      assert_true(robot->joints[i - 1].parent < i);
    }
  }
  const char * const variables[] = {"ja1", "jb2", "ja2", "jb3"};
  assert_int_equal(vouch_robot_variable_count(robot), 4);
  for (int i = 0; i < 4; ++i) {
    assert_string_equal(vouch_robot_variable_name(robot, (size_t)i), variables[i]);
    assert_int_equal(vouch_robot_find_variable(robot, variables[i]), i);
  }
  assert_int_equal(vouch_robot_find_variable(robot, "jb1"), -1);
  assert_string_equal(vouch_robot_root_link(robot), "world");
  double lower = 0.0, upper = 0.0;
  assert_false(vouch_robot_variable_limits(robot, 0, &lower, &upper));   // continuous
  assert_true(vouch_robot_variable_limits(robot, 1, &lower, &upper));
  assert_true(lower == -1.0 && upper == 2.0);
  assert_true(warned(robot, "no SRDF"));
  vouch_robot_destroy(robot);
}

static void wrong_trees_are_refused_with_their_line(void ** state)
{
  (void)state;
  refused(ROBOT(L("a") L("a")), "URDF:3");
  refused(ROBOT("<link/>\n"), "'name'");
  refused(ROBOT(""), "no <link>");
  refused(ROBOT(L("a") L("b")), "two root links");
  refused(ROBOT(L("a") L("b") J("j", "fixed", "a", "c", "")), "'c' does not exist");
  refused(ROBOT(L("a") L("b") J("j", "fixed", "c", "b", "")), "URDF:4");
  refused(
    ROBOT(L("a") L("b") "<joint name='j' type='fixed'><parent link='a'/></joint>"), "<child");
  refused(
    ROBOT(L("a") L("b") "<joint name='j' type='fixed'><child link='b'/></joint>"), "<parent");
  refused(
    ROBOT(L("a") L("b") J("j", "fixed", "a", "b", "") J("j", "fixed", "b", "a", "")),
    "second joint");
  refused(
    ROBOT(L("a") L("b") L("c") J("j", "fixed", "a", "c", "") J("k", "fixed", "b", "c", "")),
    "one parent");
  refused(
    ROBOT(L("a") L("b") J("j", "fixed", "a", "b", "") J("k", "fixed", "b", "a", "")), "cycle");
  refused(
    ROBOT(L("r") L("a") L("b") J("j", "fixed", "a", "b", "") J("k", "fixed", "b", "a", "")),
    "cycle");
  refused(ROBOT(L("a") J("j", "fixed", "a", "a", "")), "cycle");
  refused(ROBOT(L("a") L("b") J("j", "screw", "a", "b", "")), "'screw'");
  refused(
    ROBOT(L("a") L("b") "<joint name='j'><parent link='a'/><child link='b'/></joint>"), "'type'");
  refused(
    ROBOT(L("a") L("b") J("j", "fixed", "a", "b", "<parent link='b'/>")), "second <parent>");
}

static void wrong_documents_are_refused(void ** state)
{
  (void)state;
  refused("", "XML");
  refused("<robot name='r'><link name='a'></robot>", "XML");
  refused("<sdf/>", "<sdf>");
  refused("<robot><link name='a'/></robot>", "'name'");
  refused("<robot name='r' version='2.0'><link name='a'/></robot>", "2.0");
  refused("<robot name='r'><xacro:arm/><link name='a'/></robot>", "xacro");
  refused("<!DOCTYPE robot><robot name='r'><link name='a'/></robot>", "DOCTYPE");
  refused(
    "<!DOCTYPE r [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"
    "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'>]><robot name='&c;'/>", "entity");
  char deep[4096] = "<robot name='r'>";
  for (int i = 0; i < 70; ++i) {
    strcat(deep, "<x>");
  }
  refused(deep, "deeper");
}

static void joint_numbers_are_checked(void ** state)
{
  (void)state;
#define ORIGIN(o) ROBOT(L("a") L("b") "\n" J("j", "revolute", "a", "b", o))
  refused(ORIGIN("<origin xyz='0 0'/>"), "URDF:5");
  refused(ORIGIN("<origin xyz='0 0 0 0'/>"), "xyz");
  refused(ORIGIN("<origin xyz='0 0 nan'/>"), "xyz");
  refused(ORIGIN("<origin xyz='0 0 1e7'/>"), "1e+07");
  refused(ORIGIN("<origin rpy='0 0 1,5'/>"), "rpy");
  refused(ORIGIN("<origin rpy='0 0 ${pi}'/>"), "rpy");
  refused(ORIGIN("<origin quat_xyzw='0 0 0 1.01'/>"), "length");
  refused(ORIGIN("<origin rpy='0 0 0' quat_xyzw='0 0 0 1'/>"), "both");
  refused(ORIGIN("<origin/><origin/>"), "second <origin>");
  refused(ORIGIN("<axis xyz='0 0 0'/>"), "axis");
  refused(ORIGIN("<axis xyz='0 0 inf'/>"), "axis");
  refused(ORIGIN("<limit lower='x'/>"), "lower");
  vouch_robot_t * robot = accepted(
    ORIGIN("<origin xyz=' 1\t2  -3e-1 ' quat_xyzw='0 0 0.7071 0.7071'/>"));
  assert_true(robot->joints[0].axis[0] == 1.0 && robot->joints[0].axis[2] == 0.0);
  assert_true(robot->joints[0].origin.translation[2] == -0.3);
  assert_true(robot->joints[0].origin.rotation[3] == 0.7071);
  vouch_robot_destroy(robot);
  robot = accepted(ORIGIN("<origin rpy='0.1 0.2 0.3'/><axis xyz='0 2 0'/>"));
  const double * q = robot->joints[0].origin.rotation;
  // Rz(0.3) Ry(0.2) Rx(0.1): its third column is known in closed form.
  double x = cos(0.3) * sin(0.2) * cos(0.1) + sin(0.3) * sin(0.1);
  double z = cos(0.2) * cos(0.1);
  assert_true(fabs(2.0 * (q[0] * q[2] + q[3] * q[1]) - x) < 1e-15);
  assert_true(fabs(1.0 - 2.0 * (q[0] * q[0] + q[1] * q[1]) - z) < 1e-15);
  assert_true(robot->joints[0].axis[1] == 2.0);
  vouch_robot_destroy(robot);
}

static void planar_and_floating_joints_have_no_variable(void ** state)
{
  (void)state;
  vouch_robot_t * robot = accepted(
    ROBOT(
      L("a") L("b") L("c") J("j", "planar", "a", "b", "<axis xyz='0 0 0'/>")
      J("k", "floating", "b", "c", "")));
  assert_int_equal(vouch_robot_variable_count(robot), 0);
  assert_int_equal(robot->joints[0].type, VOUCH_URDF_PLANAR);
  assert_int_equal(robot->joints[1].type, VOUCH_URDF_FLOATING);
  assert_int_equal(robot->joints[1].variable, VOUCH_NONE);
  vouch_robot_destroy(robot);
}

#define COLLISION(inside) "<link name='a'><collision>" inside "</collision></link>"
#define BALL "<geometry><sphere radius='1'/></geometry>"

/* Other readers drop such words too, and then prove, plan and draw another robot. */
static void misspelled_words_are_refused(void ** state)
{
  (void)state;
  refused(ROBOT("<link name='a'><colision/></link>"), "the element 'colision' of <link>");
  refused(
    ROBOT(COLLISION("<orgin xyz='1 0 0'/>" BALL)), "the element 'orgin' of <collision>");
  refused(
    ROBOT(COLLISION("<Origin xyz='1 0 0'/>" BALL)), "the element 'Origin' of <collision>");
  refused(
    ROBOT(COLLISION("<origin xyz='0 0 0' ryp='1 0 0'/>" BALL)),
    "the attribute 'ryp' of <origin>");
  refused(
    ROBOT(COLLISION("<geometry><mesh filename='a.stl' scal='2 2 2'/></geometry>")),
    "the attribute 'scal' of <mesh>");
  refused(
    ROBOT(L("a") L("b") J("j", "revolute", "a", "b", LIMIT "<axes xyz='0 0 1'/>")),
    "the element 'axes' of <joint>");
  refused(
    ROBOT(L("a") L("b") J("j", "revolute", "a", "b", LIMIT "<mimick joint='j'/>")),
    "the element 'mimick' of <joint>");
}

static void what_may_be_a_link_or_a_joint_is_refused(void ** state)
{
  (void)state;
  refused(ROBOT(L("a") "<include filename='b.urdf.xacro'/>"), "<include> is not expanded");
  refused(ROBOT(L("a") "<xacro:include filename='b.xacro'/>"), "<xacro:include> is not expanded");
  refused(
    "<robot name='r' xmlns:x='http://www.ros.org/wiki/xacro'><link name='a'/><x:if value='1'/>"
    "</robot>", "<x:if> is not expanded");
  refused(
    ROBOT(L("a") "<x:include xmlns:x='http://www.ros.org/wiki/xacro'/>"),
    "<x:include> is not expanded");
  refused(ROBOT(L("a") "<Link name='b'/>"), "<Link> is not known");
  refused(ROBOT(L("a") "<y:link name='b'/>"), "<y:link> is not known");
  refused(ROBOT(L("a") "<body><y:shape><geometry/></y:shape></body>"), "<body> is not known");
  vouch_robot_t * robot = accepted(
    ROBOT(L("a") "<gazebo><geometry/></gazebo><y:z/><frame name='f' link='a'/><thing/>"));
  assert_true(warned(robot, "the element 'thing' of <robot>"));
  assert_false(warned(robot, "'y:z'"));
  assert_false(warned(robot, "'frame'"));
  vouch_robot_destroy(robot);
}

static void unknown_words_are_told(void ** state)
{
  (void)state;
  vouch_robot_t * robot = accepted(
    ROBOT(
      COLLISION(
        "<origin xyz='1 0 0' ryp='0 0 0'/><geometry><sphere radius='1' scale='2'/></geometry>"
        "<surface/>")));
  assert_true(warned(robot, "the attribute 'ryp' of <origin>"));
  assert_true(warned(robot, "the attribute 'scale' of <sphere>"));
  assert_true(warned(robot, "the element 'surface' of <collision>"));
  vouch_robot_destroy(robot);
  robot = accepted(
    ROBOT(
      "<link name='a'><inertial/><visual/><collision name='c'><origin xyz='0 0 0' rpy='0 0 0'/>"
      "<geometry><box size='1 1 1'/></geometry><x:y/></collision></link>"));
  assert_false(warned(robot, "is not known"));
  vouch_robot_destroy(robot);
  refused(
    ROBOT("<link name='a'>\n<colision><geometry><box size='1 1 1'/></geometry></colision></link>"),
    "URDF:3: <colision> holds a <geometry>");
  refused(ROBOT(L("a") L("b") J("j", "revolute", "a", "b", "<axis/>" LIMIT)), "'j' has no xyz");
}

static void mimic_chains_are_multiplied_out(void ** state)
{
  (void)state;
  vouch_robot_t * robot = accepted(
    ROBOT(
      L("a") L("b") L("c") L("d")
      J("j3", "revolute", "c", "d", "<mimic joint='j2' multiplier='-2' offset='0.5'/>")
      J("j2", "revolute", "b", "c", "<mimic joint='j1' multiplier='3' offset='0.25'/>")
      J("j1", "revolute", "a", "b", "")));
  assert_int_equal(vouch_robot_variable_count(robot), 1);
  const vouch_joint_t * j2 = &robot->joints[vouch_robot_find_joint(robot, "j2")];
  const vouch_joint_t * j3 = &robot->joints[vouch_robot_find_joint(robot, "j3")];
  assert_true(j2->mimic && j2->variable == 0 && j2->multiplier == 3.0 && j2->offset == 0.25);
  assert_true(j3->mimic && j3->variable == 0 && j3->multiplier == -6.0 && j3->offset == 0.0);
  assert_int_equal(vouch_robot_find_variable(robot, "j3"), -1);
  vouch_robot_destroy(robot);
  // The master may come later in the tree than the mimic; a missing multiplier is 1.
  robot = accepted(
    ROBOT(
      L("a") L("b") L("c") J("j1", "revolute", "a", "b", "<mimic joint='j2'/>")
      J("j2", "revolute", "b", "c", "")));
  assert_true(robot->joints[0].variable == 0 && robot->joints[0].multiplier == 1.0);
  assert_true(robot->joints[0].offset == 0.0 && robot->variables[0] == 1);
  vouch_robot_destroy(robot);
}

static void wrong_mimics_are_refused(void ** state)
{
  (void)state;
#define MIMIC(first, second) \
  ROBOT( \
    L("a") L("b") L("c") J("j", "revolute", "a", "b", first) \
    J("k", "revolute", "b", "c", second))
  refused(MIMIC("<mimic joint='j'/>", ""), "mimics itself");
  refused(MIMIC("<mimic joint='k'/>", "<mimic joint='j'/>"), "mimics itself");
  refused(MIMIC("<mimic joint='z'/>", ""), "'z'");
  refused(MIMIC("<mimic/>", ""), "'joint'");
  refused(MIMIC("<mimic joint='k' multiplier='nan'/>", ""), "multiplier");
  refused(MIMIC("<mimic joint='k' multiplier='1e9'/>", ""), "1e+09");
  refused(
    ROBOT(
      L("a") L("b") L("c") J("j", "fixed", "a", "b", "")
      J("k", "revolute", "b", "c", "<mimic joint='j'/>")), "no value");
}

static void shapes_become_geometry(void ** state)
{
  (void)state;
  vouch_robot_t * robot = accepted(
    ROBOT(
      "<link name='a'><visual><geometry><mesh filename='nowhere'/></geometry></visual>"
      "<collision><geometry><box size='1 2 3'/></geometry></collision>"
      "<collision><origin xyz='5 0 0'/><geometry><sphere radius='.5'/></geometry></collision>"
      "<collision><geometry><cylinder radius='.5' length='4'/></geometry></collision>"
      "<collision><geometry><capsule radius='.5' length='4'/></geometry></collision></link>"
      "<link name='b'><visual/></link><link name='c'/>"
      J("j", "fixed", "a", "b", "") J("k", "fixed", "a", "c", "")));
  assert_non_null(robot->links[0].geometry);
  assert_int_equal(robot->links[0].facts.convex, 4);
  assert_int_equal(robot->links[0].geometry->primitive_count, 4);
  // x from -0.5 to 5.5; curved shapes may be measured by their balls.
  assert_true(robot->links[0].facts.extent >= 6.0 && robot->links[0].facts.extent < 8.0);
  assert_null(robot->links[1].geometry);
  assert_true(warned(robot, "without <collision> are not checked: b"));
  assert_false(warned(robot, "b, c"));
  vouch_robot_destroy(robot);
}

static void wrong_shapes_are_refused_with_link_and_line(void ** state)
{
  (void)state;
  refused(LINK_WITH("<cone radius='1' length='1'/>"), "URDF:5: link 'a': <cone>");
  refused(LINK_WITH("<box size='1 2'/>"), "URDF:5");
  refused(LINK_WITH("<box/>"), "'size'");
  refused(LINK_WITH("<box size='1 2 -3'/>"), "link 'a'");
  refused(LINK_WITH("<box size='1 2 0'/>"), "positive");
  refused(LINK_WITH("<sphere/>"), "'radius'");
  refused(LINK_WITH("<sphere radius='-1'/>"), "positive");
  refused(LINK_WITH("<sphere radius='nan'/>"), "radius");
  refused(LINK_WITH("<cylinder radius='1'/>"), "'length'");
  refused(LINK_WITH("<sphere radius='1'/><sphere radius='2'/>"), "second shape");
  refused(LINK_WITH(""), "without a shape");
  refused(LINK_WITH("<mesh/>"), "'filename'");
  refused(LINK_WITH("<mesh filename='a.stl'/>"), "relative");
  refused(LINK_WITH("<mesh filename='http://x/a.stl'/>"), "locally");
  refused(LINK_WITH("<mesh filename='package://no_such_package_x/a.stl'/>"), "--package no_such");
  refused(LINK_WITH("<mesh filename='package://no_such_package_x'/>"), "package://NAME");
  refused(LINK_WITH("<mesh filename='file://a.stl'/>"), "absolute");
  refused(LINK_WITH("<mesh filename='/nowhere/a.ply'/>"), ".stl");
  refused(LINK_WITH("<mesh filename='/nowhere/a.stl' scale='1 0 1'/>"), "scale");
  refused(LINK_WITH("<mesh filename='/nowhere/a.stl' scale='1 1'/>"), "scale");
  refused(ROBOT("<link name='a'>\n<collision/></link>"), "URDF:3");
  vouch_robot_t * robot = NULL;
  assert_int_equal(
    parse(&robot, LINK_WITH("<mesh filename='/nowhere/a.stl'/>")), VOUCH_RET_IO);
  assert_non_null(strstr(vouch_error(), "URDF:5: link 'a': cannot open /nowhere/a.stl"));
}

static void geometry_can_be_left_out(void ** state)
{
  (void)state;
  vouch_robot_options_t options = vouch_robot_options_default();
  options.ignore_geometry = true;
  vouch_robot_t * robot = NULL;
  const char * text = LINK_WITH("<mesh filename='/nowhere/a.stl'/>");
  assert_int_equal(
    vouch_robot_parse_urdf(&robot, text, strlen(text), NULL, &options), VOUCH_RET_OK);
  assert_null(robot->links[0].geometry);
  vouch_robot_destroy(robot);
}

/* ---- mesh files through all kinds of addresses ---- */

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

static void wrong_options_are_refused(void ** state)
{
  (void)state;
  vouch_robot_t * robot = NULL;
  const char * text = ROBOT(L("a"));
  const double bad[] = {-1.0, NAN, INFINITY};
  for (size_t i = 0; i < 3; ++i) {
    vouch_robot_options_t options = vouch_robot_options_default();
    const vouch_link_value_t value = {.link = "a", .value = bad[i]};
    options.default_padding_m = bad[i];
    assert_int_equal(
      vouch_robot_parse_urdf(&robot, text, strlen(text), NULL, &options), VOUCH_RET_INVALID);
    options.default_padding_m = 0.0;
    options.paddings = &value;
    options.padding_count = 1;
    assert_int_equal(
      vouch_robot_parse_urdf(&robot, text, strlen(text), NULL, &options), VOUCH_RET_INVALID);
    options.padding_count = 0;
    options.scales = &value;
    options.scale_count = 1;
    assert_int_equal(
      vouch_robot_parse_urdf(&robot, text, strlen(text), NULL, &options), VOUCH_RET_INVALID);
  }
  vouch_robot_options_t options = vouch_robot_options_default();
  const vouch_link_value_t unknown = {.link = "zz", .value = 1.0};
  options.paddings = &unknown;
  options.padding_count = 1;
  assert_int_equal(
    vouch_robot_parse_urdf(&robot, text, strlen(text), NULL, &options), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "'zz'"));
  options = vouch_robot_options_default();
  options.struct_size = 0;
  assert_int_equal(
    vouch_robot_parse_urdf(&robot, text, strlen(text), NULL, &options), VOUCH_RET_INVALID);
  assert_int_equal(vouch_robot_load_urdf(&robot, "/nowhere/r.urdf", NULL), VOUCH_RET_IO);
  assert_null(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(links_come_breadth_first_in_the_order_of_the_joints),
    cmocka_unit_test(wrong_trees_are_refused_with_their_line),
    cmocka_unit_test(wrong_documents_are_refused),
    cmocka_unit_test(joint_numbers_are_checked),
    cmocka_unit_test(planar_and_floating_joints_have_no_variable),
    cmocka_unit_test(misspelled_words_are_refused),
    cmocka_unit_test(what_may_be_a_link_or_a_joint_is_refused),
    cmocka_unit_test(unknown_words_are_told),
    cmocka_unit_test(mimic_chains_are_multiplied_out),
    cmocka_unit_test(wrong_mimics_are_refused),
    cmocka_unit_test(shapes_become_geometry),
    cmocka_unit_test(wrong_shapes_are_refused_with_link_and_line),
    cmocka_unit_test(geometry_can_be_left_out),
    cmocka_unit_test(mesh_files_are_found),
    cmocka_unit_test(packages_are_found_above_the_description),
    cmocka_unit_test(mesh_scale_may_mirror_and_link_scale_multiplies),
    cmocka_unit_test(meshes_are_described_in_warnings),
    cmocka_unit_test(wrong_options_are_refused),
  };
  return cmocka_run_group_tests(tests, make_files, remove_files);
}
