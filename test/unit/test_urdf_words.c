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

/* Words of a URDF that nobody reads: refused where they could change what is proved. */

#include "test_urdf_fixture.h"

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

/* As readers drop them there, or find nothing under a prefix. */
static void words_in_the_wrong_place_are_refused(void ** state)
{
  (void)state;
#define JOINT(more) ROBOT(L("a") L("b") J("j", "revolute", "a", "b", more))
  refused(
    ROBOT(COLLISION("<geometry><box size='1 1 1'><origin xyz='1 0 0'/></box></geometry>")),
    "the element 'origin' of <box>");
  refused(
    ROBOT(COLLISION("<origin><xyz>1 0 0</xyz></origin>" BALL)), "the element 'xyz' of <origin>");
  refused(ROBOT(COLLISION("<origin>1 0 0</origin>" BALL)), "text between the tags of <origin>");
  refused(JOINT(LIMIT "<axis xyz='0 0 1'>0 1 0</axis>"), "text between the tags of <axis>");
  refused(
    ROBOT(
      "<link name='a'><visual>" BALL "\n<collision>" BALL "</collision></visual></link>"),
    "URDF:3: a <collision> within a <visual>");
  refused(
    ROBOT(COLLISION(BALL "<collision>" BALL "</collision>")), "<collision> within a <collision>");
#define PREFIXED(body) "<robot name='r' xmlns:u='urn:u'>" body "</robot>"
  refused(
    PREFIXED("<link name='a'><u:collision/></link>"), "the element 'u:collision' of <link>");
  refused(
    PREFIXED(COLLISION("<u:origin xyz='1 0 0'/>" BALL)), "the element 'u:origin' of <collision>");
  refused(
    PREFIXED(COLLISION("<origin u:xyz='1 0 0'/>" BALL)), "the attribute 'u:xyz' of <origin>");
  refused(JOINT("<limits lower='-1' upper='1'/>"), "the element 'limits' of <joint>");
  refused(JOINT("<limit lower='-1' uper='1'/>"), "the attribute 'uper' of <limit>");
  // Sensors name bodies, and extensions say other things.
  vouch_robot_t * robot = accepted(
    PREFIXED(
      "<link name='a'><contact><collision>c</collision></contact><collision u:name='c'>"
      "<geometry><box size='1 1 1' u:hint='1'><u:convex/></box></geometry><u:surface/></collision>"
      "</link>"));
  assert_false(warned(robot, "is not known"));
  vouch_robot_destroy(robot);
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

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(misspelled_words_are_refused),
    cmocka_unit_test(words_in_the_wrong_place_are_refused),
    cmocka_unit_test(what_may_be_a_link_or_a_joint_is_refused),
    cmocka_unit_test(unknown_words_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
