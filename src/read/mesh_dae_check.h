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

/* A COLLADA file before assimp reads it. Private to mesh_dae_check.c and mesh_dae_faces.c. */

#ifndef READ__MESH_DAE_CHECK_H_
#define READ__MESH_DAE_CHECK_H_

#include <string.h>

#include "read/xml.h"

typedef struct vouch_collada_s
{
  const vouch_xml_t * document;
  const char * data;                    // what was parsed
  const vouch_xml_element_t ** named;   // geometries and nodes, by kind and id
  size_t count;
} vouch_collada_t;

static inline bool vouch_collada_is(const vouch_xml_element_t * element, const char * name)
{
  return strcmp(element->name, name) == 0;
}

/// How many numbers stand between the tags of an element. False: something else is there, or a number
/// that assimp reads as another one: with a comma, or with more digits than it counts.
bool vouch_collada_count_numbers(
  const vouch_collada_t * collada, const vouch_xml_element_t * element, double * count);

/// The faces of a <mesh> are counted and numbered as they say.
vouch_ret_t vouch_collada_check_faces(
  const vouch_collada_t * collada, const vouch_xml_element_t * faces) VOUCH_WARN_UNUSED;
/// The corners of a mesh with faces are where its <vertices> say.
vouch_ret_t vouch_collada_check_positions(
  const vouch_collada_t * collada, const vouch_xml_element_t * mesh) VOUCH_WARN_UNUSED;

#endif  // READ__MESH_DAE_CHECK_H_
