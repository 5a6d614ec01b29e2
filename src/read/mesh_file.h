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

/* Mesh files: STL (binary and text), OBJ, and COLLADA where assimp is there.
 *
 * Triangles come out welded and validated. Colours, normals and textures are ignored; geometry that
 * cannot be read is refused, never dropped. */

#ifndef READ__MESH_FILE_H_
#define READ__MESH_FILE_H_

#include "base/sha256.h"
#include "geometry/mesh.h"
#include "vouch/types.h"

typedef enum vouch_mesh_format_e
{
  VOUCH_MESH_UNKNOWN = 0,
  VOUCH_MESH_STL = 1,
  VOUCH_MESH_OBJ = 2,
  VOUCH_MESH_DAE = 3
} vouch_mesh_format_t;

/// By the end of the file name (.stl, .obj, .dae in any case).
vouch_mesh_format_t vouch_mesh_format_of(const char * path);

/// Adds to a cache key what, besides the bytes of the file, decides what a reader makes of it.
void vouch_mesh_hash_reader(vouch_sha256_t * hash, vouch_mesh_format_t format);

/// Fills an empty mesh (vouch_mesh_zero) from a file. On failure the mesh is empty again and the
/// sentence names file and line or triangle.
vouch_ret_t vouch_mesh_load(vouch_mesh_t * mesh, const char * path) VOUCH_WARN_UNUSED;

/// The same from bytes; `name` is what messages call them.
vouch_ret_t vouch_mesh_parse(
  vouch_mesh_t * mesh, const char * name, const void * data, size_t size,
  vouch_mesh_format_t format) VOUCH_WARN_UNUSED;

/* The readers behind it: they add what they read and leave welding and validation to the caller. */

vouch_ret_t vouch_mesh_read_stl(
  vouch_mesh_t * mesh, const char * name, const char * data, size_t size) VOUCH_WARN_UNUSED;
vouch_ret_t vouch_mesh_read_obj(
  vouch_mesh_t * mesh, const char * name, const char * data, size_t size) VOUCH_WARN_UNUSED;
vouch_ret_t vouch_mesh_read_dae(
  vouch_mesh_t * mesh, const char * name, const char * data, size_t size) VOUCH_WARN_UNUSED;
/// INVALID for COLLADA of which assimp would leave out a part.
vouch_ret_t vouch_mesh_check_dae(
  vouch_allocator_t allocator, const char * name, const char * data, size_t size) VOUCH_WARN_UNUSED;
/// True when the unit of a COLLADA file is not the metre.
bool vouch_mesh_dae_has_unit(const char * data, size_t size);

#endif  // READ__MESH_FILE_H_
