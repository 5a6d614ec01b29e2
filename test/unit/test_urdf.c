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

#include <math.h>

#include "test_urdf_fixture.h"

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
  // urdfdom drops it where the file does not say that it is of version 1.1.
#define TURNED "<origin xyz=' 1\t2  -3e-1 ' quat_xyzw='0 0 0.7071 0.7071'/>"
#define VERSION(number) \
  "<robot name='r' version='" number "'>" L("a") L("b") J( \
    "j", "revolute", "a", "b", \
    TURNED) "</robot>"
  refused(ORIGIN(TURNED), "URDF:5: quat_xyzw belongs to version 1.1");
  refused(VERSION("1.0"), "quat_xyzw belongs to version 1.1");
  refused(VERSION("1"), "quat_xyzw belongs to version 1.1");
  vouch_robot_destroy(accepted(ORIGIN("<origin quat_xyzw='0 0 0 1'/>")));
  vouch_robot_destroy(accepted(VERSION("1.2")));
  vouch_robot_t * robot = accepted(VERSION("1.1"));
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
    cmocka_unit_test(mimic_chains_are_multiplied_out),
    cmocka_unit_test(wrong_mimics_are_refused),
    cmocka_unit_test(shapes_become_geometry),
    cmocka_unit_test(wrong_shapes_are_refused_with_link_and_line),
    cmocka_unit_test(geometry_can_be_left_out),
    cmocka_unit_test(wrong_options_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
