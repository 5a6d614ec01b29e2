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

#include "read/mesh_file.h"

#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

vouch_mesh_format_t vouch_mesh_format_of(const char * path)
{
  const char * slash = strrchr(path, '/');
  const char * dot = strrchr(slash == NULL ? path : slash, '.');
  if (dot == NULL) {
    return VOUCH_MESH_UNKNOWN;
  }
  if (strcasecmp(dot, ".stl") == 0) {
    return VOUCH_MESH_STL;
  }
  if (strcasecmp(dot, ".obj") == 0) {
    return VOUCH_MESH_OBJ;
  }
  return strcasecmp(dot, ".dae") == 0 ? VOUCH_MESH_DAE : VOUCH_MESH_UNKNOWN;
}

static vouch_ret_t read_format(
  vouch_mesh_t * mesh, const char * name, const void * data, size_t size,
  vouch_mesh_format_t format)
{
  switch (format) {
    case VOUCH_MESH_STL:
      return vouch_mesh_read_stl(mesh, name, data, size);
    case VOUCH_MESH_OBJ:
      return vouch_mesh_read_obj(mesh, name, data, size);
    case VOUCH_MESH_DAE:
      return vouch_mesh_read_dae(mesh, name, data, size);
    case VOUCH_MESH_UNKNOWN:
      break;
  }
  return vouch_fail(
    VOUCH_RET_INVALID, "%s: unknown kind of mesh file; .stl, .obj and .dae are read", name);
}

vouch_ret_t vouch_mesh_parse(
  vouch_mesh_t * mesh, const char * name, const void * data, size_t size,
  vouch_mesh_format_t format)
{
  vouch_ret_t ret = read_format(mesh, name, data, size, format);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_mesh_validate(mesh);
    if (ret != VOUCH_RET_OK) {
      ret = vouch_fail_prefix(ret, "%s", name);
    }
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_mesh_weld(mesh);
  }
  if (ret != VOUCH_RET_OK) {
    vouch_allocator_t allocator = mesh->allocator;
    vouch_mesh_fini(mesh);
    *mesh = vouch_mesh_zero(allocator);
  }
  return ret;
}

vouch_ret_t vouch_mesh_load(vouch_mesh_t * mesh, const char * path)
{
  vouch_mesh_format_t format = vouch_mesh_format_of(path);
  if (format == VOUCH_MESH_UNKNOWN) {
    return read_format(mesh, path, NULL, 0, format);
  }
  vouch_allocator_t allocator = mesh->allocator;
  char * data = NULL;
  size_t size = 0;
  vouch_ret_t ret = vouch_file_read(&allocator, path, 0, &data, &size);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_mesh_parse(mesh, path, data, size, format);
  }
  vouch_free(&allocator, data);
  return ret;
}
