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

/* URDF: the robot's tree (urdf_tree.c) and its collision geometry (urdf_geometry.c).
 *
 * Unknown elements are ignored as other readers do, and told where they could be misspelled; never
 * where they could be geometry, and never when they are unexpanded xacro. */

#ifndef READ__URDF_H_
#define READ__URDF_H_

#include "model/robot.h"
#include "read/resource.h"
#include "read/xml.h"

#define VOUCH_URDF_MAX_LINKS 4096

typedef struct vouch_urdf_s
{
  vouch_xml_t * document;                // its arena also holds what is needed while reading only
  vouch_robot_t * robot;
  const vouch_robot_options_t * options;
  vouch_resource_context_t resources;
  vouch_xml_element_t ** link_elements;  // by link number
} vouch_urdf_t;

/// Links, joints and variables. Fills link_elements.
vouch_ret_t vouch_urdf_read_tree(vouch_urdf_t * urdf) VOUCH_WARN_UNUSED;

/// Type, origin, axis and limits of a joint (not its links, not its mimic).
vouch_ret_t vouch_urdf_read_joint(
  vouch_urdf_t * urdf, const vouch_xml_element_t * element, vouch_joint_t * joint)
VOUCH_WARN_UNUSED;
/// After all joints are known: mimic joints follow their masters, variables get their numbers.
vouch_ret_t vouch_urdf_number_variables(
  vouch_urdf_t * urdf, vouch_xml_element_t * const * joint_elements) VOUCH_WARN_UNUSED;

/// <origin> of an element: identity when there is none.
vouch_ret_t vouch_urdf_read_origin(
  const vouch_xml_t * document, const vouch_xml_element_t * element,
  vouch_pose_t * pose) VOUCH_WARN_UNUSED;

/// Collision geometry of all links, with the warnings it gives rise to.
vouch_ret_t vouch_urdf_read_geometry(vouch_urdf_t * urdf) VOUCH_WARN_UNUSED;

/// Warns of elements and attributes that are not known where a pose, an axis or a shape is read;
/// refuses those that look like a misspelled one.
vouch_ret_t vouch_urdf_warn_strange(vouch_urdf_t * urdf) VOUCH_WARN_UNUSED;

#endif  // READ__URDF_H_
