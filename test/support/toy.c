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
#include "support/toy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char URDF[] =
  "<robot name='toy'>"
  "<link name='base'><collision><geometry><box size='0.2 0.2 0.2'/></geometry></collision></link>"
  "<link name='arm'><collision><origin xyz='0 0 0.5'/><geometry><box size='0.1 0.1 0.6'/>"
  "</geometry></collision></link>"
  "<link name='fore'><collision><origin xyz='0.5 0 0' rpy='0 1.5707963267948966 0'/><geometry>"
  "<cylinder radius='0.05' length='0.6'/></geometry></collision></link>"
  "<link name='hand'><collision><geometry><sphere radius='0.05'/></geometry></collision></link>"
  "<link name='tool'/>"
  "<link name='claw'><collision><geometry><box size='0.02 0.02 0.02'/></geometry></collision>"
  "</link>"
  "<joint name='turn' type='continuous'><parent link='base'/><child link='arm'/>"
  "<axis xyz='0 0 1'/></joint>"
  "<joint name='tilt' type='revolute'><parent link='arm'/><child link='fore'/>"
  "<origin xyz='0 0 0.9'/><axis xyz='0 1 0'/><limit lower='-2' upper='2' effort='1' "
  "velocity='1'/></joint>"
  "<joint name='slide' type='prismatic'><parent link='fore'/><child link='hand'/>"
  "<origin xyz='0.9 0 0'/><axis xyz='1 0 0'/><limit lower='0' upper='0.5' effort='1' "
  "velocity='1'/></joint>"
  "<joint name='mount' type='fixed'><parent link='hand'/><child link='tool'/>"
  "<origin xyz='0.1 0 0'/></joint>"
  "<joint name='finger' type='prismatic'><parent link='hand'/><child link='claw'/>"
  "<origin xyz='0.1 0 0'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='1' "
  "velocity='1'/><mimic joint='slide' multiplier='0.5' offset='0.1'/></joint>"
  "</robot>";

vouch_robot_t * toy_robot_srdf(const char * srdf)
{
  vouch_robot_t * robot = NULL;
  vouch_robot_options_t options = vouch_robot_options_default();
  options.srdf_text = srdf;
  if (vouch_robot_parse_urdf(&robot, URDF, strlen(URDF), NULL, &options) != VOUCH_RET_OK) {
    fprintf(stderr, "toy robot: %s\n", vouch_error());
    exit(99);
  }
  return robot;
}

vouch_robot_t * toy_robot(void)
{
  return toy_robot_srdf(NULL);
}
