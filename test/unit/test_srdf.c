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

/* SRDF: which pairs are off, states of groups, and what is only warned about. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "model/robot.h"

#define BALL "<collision><geometry><sphere radius='1'/></geometry></collision>"
static const char urdf[] =
  "<robot name='r'>"
  "<link name='base'>" BALL "</link><link name='flange'/><link name='tool'>" BALL "</link>"
  "<link name='arm'>" BALL "</link>"
  "<joint name='j1' type='revolute'><parent link='base'/><child link='arm'/></joint>"
  "<joint name='j2' type='revolute'><parent link='arm'/><child link='flange'/></joint>"
  "<joint name='j3' type='revolute'><parent link='flange'/><child link='tool'/>"
  "<mimic joint='j2'/></joint></robot>";

static vouch_ret_t load(vouch_robot_t ** robot, const char * srdf)
{
  vouch_robot_options_t options = vouch_robot_options_default();
  options.srdf_text = srdf;
  return vouch_robot_parse_urdf(robot, urdf, strlen(urdf), NULL, &options);
}

static vouch_robot_t * accepted(const char * srdf)
{
  vouch_robot_t * robot = NULL;
  if (load(&robot, srdf) != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
  return robot;
}

static bool off(const vouch_robot_t * robot, const char * a, const char * b)
{
  uint32_t i = vouch_robot_find_link(robot, a);
  uint32_t k = vouch_robot_find_link(robot, b);
  assert_true(i != VOUCH_NONE && k != VOUCH_NONE);
  assert_int_equal(vouch_robot_pair_disabled(robot, i, k), vouch_robot_pair_disabled(robot, k, i));
  return vouch_robot_pair_disabled(robot, i, k);
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

static void without_srdf_parents_and_children_are_off(void ** state)
{
  (void)state;
  vouch_robot_t * robot = accepted(NULL);
  assert_true(off(robot, "base", "arm"));
  assert_true(off(robot, "arm", "flange"));
  assert_false(off(robot, "base", "tool"));
  assert_true(off(robot, "arm", "arm"));
  assert_true(warned(robot, "no SRDF"));
  vouch_robot_destroy(robot);
}

/* A flange without geometry between two links makes them no neighbours if both its joints move: the
 * tool can then turn into any part of the arm. */
static void links_with_two_joints_between_them_are_no_parent_and_child(void ** state)
{
  (void)state;
  vouch_robot_t * robot = accepted(NULL);
  assert_false(off(robot, "arm", "tool"));
  vouch_robot_destroy(robot);
  static const char mounted[] =
    "<robot name='r'><link name='arm'>" BALL "</link><link name='flange'/><link name='mount'/>"
    "<link name='tool'>" BALL "</link><link name='finger'>" BALL "</link>"
    "<joint name='j1' type='fixed'><parent link='arm'/><child link='flange'/></joint>"
    "<joint name='j2' type='revolute'><parent link='flange'/><child link='mount'/></joint>"
    "<joint name='j3' type='fixed'><parent link='mount'/><child link='tool'/></joint>"
    "<joint name='j4' type='fixed'><parent link='tool'/><child link='finger'/></joint></robot>";
  assert_int_equal(
    vouch_robot_parse_urdf(&robot, mounted, strlen(mounted), NULL, NULL), VOUCH_RET_OK);
  assert_true(off(robot, "arm", "tool"));      // one joint between them
  assert_true(off(robot, "tool", "finger"));
  assert_false(off(robot, "arm", "finger"));   // the tool is between them
  vouch_robot_destroy(robot);
}

static void an_srdf_replaces_the_parent_child_rule(void ** state)
{
  (void)state;
  vouch_robot_t * robot = accepted("<robot name='r'/>");
  assert_false(off(robot, "base", "arm"));
  assert_false(warned(robot, "no SRDF"));
  assert_int_equal(vouch_robot_warning_count(robot), 0);
  vouch_robot_destroy(robot);
}

static void disabled_wins_over_enabled_wins_over_default(void ** state)
{
  (void)state;
  vouch_robot_t * robot = accepted(
    "<robot name='r'>"
    "<disable_default_collisions link='tool'/>"
    "<enable_collisions link1='tool' link2='base'/>"
    "<enable_collisions link1='tool' link2='arm'/>"
    "<disable_collisions link1='arm' link2='tool' reason='Never'/>"
    "<disable_collisions link1='base' link2='arm' reason='Adjacent'/></robot>");
  assert_true(off(robot, "tool", "flange"));   // by default
  assert_false(off(robot, "base", "tool"));    // enabled
  assert_true(off(robot, "arm", "tool"));      // enabled and disabled
  assert_true(off(robot, "arm", "base"));
  assert_false(off(robot, "flange", "base"));
  vouch_robot_destroy(robot);
}

static void group_states_set_what_they_name(void ** state)
{
  (void)state;
  vouch_robot_t * robot = accepted(
    "<robot name='r'><group name='g'><joint name='j1'/><link name='arm'/>"
    "<chain base_link='base' tip_link='tool'/><group name='h'/></group>"
    "<group name='h'><joint name='j2'/></group>"
    "<group_state name='home' group='g'><joint name='j2' value='0.5'/>"
    "<joint name='j3' value='7'/></group_state></robot>");
  assert_int_equal(vouch_robot_warning_count(robot), 0);
  assert_int_equal(robot->group_count, 2);
  double values[2] = {9.0, 9.0};
  assert_int_equal(vouch_robot_group_state(robot, "g", "home", values), VOUCH_RET_OK);
  assert_true(values[0] == 9.0 && values[1] == 0.5);
  assert_int_equal(vouch_robot_group_state(robot, "g", "work", values), VOUCH_RET_INVALID);
  assert_int_equal(vouch_robot_group_state(robot, "h", "home", values), VOUCH_RET_INVALID);
  vouch_robot_destroy(robot);
}

/* Where the base stands is not a value that a group state can hand over. */
/* Of two MoveIt takes the last one, or none. */
static void group_states_that_are_said_twice_are_refused(void ** state)
{
  (void)state;
  vouch_robot_t * robot = accepted(
    "<robot name='r'><group name='g'><joint name='j1'/></group>"
    "<group_state name='home' group='g'><joint name='j1' value='0'/></group_state>"
    "<group_state name='home' group='g'><joint name='j1' value='1'/></group_state>"
    "<group_state name='both' group='g'><joint name='j1' value='0'/><joint name='j1' value='1'/>"
    "</group_state><group_state name='once' group='g'><joint name='j1' value='1'/></group_state>"
    "</robot>");
  double values[2];
  assert_int_equal(vouch_robot_group_state(robot, "g", "home", values), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "twice"));
  assert_int_equal(vouch_robot_group_state(robot, "g", "both", values), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "twice"));
  assert_int_equal(vouch_robot_group_state(robot, "g", "once", values), VOUCH_RET_OK);
  vouch_robot_destroy(robot);
}

static void group_states_that_place_the_base_are_refused(void ** state)
{
  (void)state;
  vouch_robot_t * robot = accepted(
    "<robot name='r'><virtual_joint name='v' type='planar' parent_frame='w' child_link='base'/>"
    "<group name='g'><joint name='j1'/></group>"
    "<group_state name='away' group='g'><joint name='v' value='5 0 0'/></group_state>"
    "<group_state name='here' group='g'><joint name='v' value='0 0 0'/></group_state>"
    "<group_state name='float' group='g'><joint name='v' value='0 0 0 0 0 0 1'/></group_state>"
    "<group_state name='odd' group='g'><joint name='v' value='0 0'/></group_state></robot>");
  double values[2] = {9.0, 9.0};
  assert_int_equal(vouch_robot_group_state(robot, "g", "away", values), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "multi_dof_joint_state"));
  assert_int_equal(vouch_robot_group_state(robot, "g", "odd", values), VOUCH_RET_INVALID);
  assert_int_equal(vouch_robot_group_state(robot, "g", "here", values), VOUCH_RET_OK);
  assert_int_equal(vouch_robot_group_state(robot, "g", "float", values), VOUCH_RET_OK);
  vouch_robot_destroy(robot);
}

static void the_virtual_joint_names_the_world(void ** state)
{
  (void)state;
  vouch_robot_t * robot = accepted(
    "<robot name='r'><virtual_joint name='v' type='fixed' parent_frame='world' child_link='base'/>"
    "<passive_joint name='v'/><end_effector name='e' parent_link='tool' group='g' parent_group=''/>"
    "<group name='g'><joint name='v'/></group></robot>");
  assert_string_equal(robot->virtual_parent_frame, "world");
  assert_string_equal(robot->virtual_joint, "v");
  assert_int_equal(vouch_robot_warning_count(robot), 0);
  vouch_robot_destroy(robot);
  robot = accepted(
    "<robot name='r'><virtual_joint name='v' parent_frame='world' child_link='arm'/></robot>");
  assert_null(robot->virtual_joint);
  assert_true(warned(robot, "virtual joint was ignored"));
  vouch_robot_destroy(robot);
}

static void unknown_names_and_elements_are_warned_about(void ** state)
{
  (void)state;
  vouch_robot_t * robot = accepted(
    "<robot name='other'>\n<disable_collisions link1='base' link2='nose'/>\n"
    "<group name='g'><joint name='j9'/></group>\n<passive_joint name='j8'/>\n"
    "<group_state name='s' group='k'><joint name='j7' value='1'/></group_state>\n"
    "<telemetry/></robot>");
  assert_true(warned(robot, "'other'"));
  assert_true(warned(robot, "SRDF:2: <disable_collisions> names the link 'nose'"));
  assert_false(warned(robot, "is 'base' meant?"));
  assert_true(warned(robot, "'j9'"));
  assert_true(warned(robot, "'j8'"));
  assert_true(warned(robot, "'j7'"));
  assert_true(warned(robot, "group 'k'"));
  assert_true(warned(robot, "<telemetry>"));
  assert_int_equal(robot->disabled_count, 0);
  vouch_robot_destroy(robot);
  robot = accepted(
    "<robot name='r'><enable_collisions link1='base' link2='flnage'/><passive_joint name='j'/>"
    "<disable_colisions link1='base' link2='arm'/></robot>");
  assert_true(warned(robot, "'flnage', which the robot does not have; is 'flange' meant?"));
  assert_false(warned(robot, "is 'j1' meant?"));   // or j2, or j3
  assert_true(warned(robot, "<disable_colisions> is not known"));
  vouch_robot_destroy(robot);
}

static void refused(const char * srdf, const char * part)
{
  vouch_robot_t * robot = NULL;
  assert_int_equal(load(&robot, srdf), VOUCH_RET_INVALID);
  assert_null(robot);
  if (strstr(vouch_error(), part) == NULL) {
    fail_msg("\"%s\" does not say \"%s\"", vouch_error(), part);
  }
}

static void wrong_srdf_is_refused(void ** state)
{
  (void)state;
  refused("<robot", "XML");
  refused("<launch/>", "<launch>");
  refused(
    "<robot name='r'><enable_collision link1='base' link2='arm'/></robot>",
    "<enable_collision> is not known");
  refused("<!DOCTYPE x [<!ENTITY a 'b'>]><robot name='r'/>", "DOCTYPE");
  refused("<robot name='r'>\n<disable_collisions link1='base'/></robot>", "SRDF:2");
  refused("<robot name='r'><group/></robot>", "'name'");
  refused("<robot name='r'><group_state name='a'/></robot>", "'group'");
  refused(
    "<robot name='r'><group name='g'/><group_state name='a' group='g'>"
    "<joint name='j1' value='x'/></group_state></robot>", "value");
  refused("<robot name='r'><virtual_joint name='v' child_link='base'/></robot>", "'parent_frame'");
  vouch_robot_options_t options = vouch_robot_options_default();
  options.srdf_path = "/nowhere/r.srdf";
  vouch_robot_t * robot = NULL;
  assert_int_equal(
    vouch_robot_parse_urdf(&robot, urdf, strlen(urdf), NULL, &options), VOUCH_RET_IO);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(without_srdf_parents_and_children_are_off),
    cmocka_unit_test(links_with_two_joints_between_them_are_no_parent_and_child),
    cmocka_unit_test(an_srdf_replaces_the_parent_child_rule),
    cmocka_unit_test(disabled_wins_over_enabled_wins_over_default),
    cmocka_unit_test(group_states_set_what_they_name),
    cmocka_unit_test(group_states_that_are_said_twice_are_refused),
    cmocka_unit_test(group_states_that_place_the_base_are_refused),
    cmocka_unit_test(the_virtual_joint_names_the_world),
    cmocka_unit_test(unknown_names_and_elements_are_warned_about),
    cmocka_unit_test(wrong_srdf_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
