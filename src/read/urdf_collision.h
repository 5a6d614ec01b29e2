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

/* One link's <collision> elements, read but not built: primitive shapes, and the bytes of meshes.
 * Private to the URDF reader. */

#ifndef READ__URDF_COLLISION_H_
#define READ__URDF_COLLISION_H_

#include "read/mesh_file.h"
#include "read/urdf.h"

typedef struct vouch_urdf_collision_s
{
  const vouch_xml_element_t * element;
  vouch_shape_t shape;   // kind and sizes, the link's scale applied
  vouch_pose_t pose;
  double scale[3];       // of the mesh, the link's scale applied
  bool convex;           // the file declares the mesh to be meant as its convex hull
  char * path;           // of the mesh file
  char * data;           // its bytes
  size_t size;
  vouch_mesh_format_t format;
} vouch_urdf_collision_t;

typedef struct vouch_urdf_collisions_s
{
  vouch_urdf_collision_t * items;
  size_t count;
} vouch_urdf_collisions_t;

/// Reads all of a link; `scale` is the link's. Free with the function below, also after a failure.
vouch_ret_t vouch_urdf_collisions_read(
  vouch_urdf_t * urdf, uint32_t link, double scale,
  vouch_urdf_collisions_t * out) VOUCH_WARN_UNUSED;
void vouch_urdf_collisions_fini(
  vouch_urdf_collisions_t * collisions, const vouch_allocator_t * allocator);

/// Puts file, line and link in front of the error text.
vouch_ret_t vouch_urdf_blame(
  const vouch_urdf_t * urdf, uint32_t link, const vouch_xml_element_t * element, vouch_ret_t ret);

#endif  // READ__URDF_COLLISION_H_
