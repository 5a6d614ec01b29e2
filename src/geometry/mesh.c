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

#include "geometry/mesh.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/edges.h"
#include "geometry/geometry.h"
#include "geometry/vec.h"

vouch_mesh_t vouch_mesh_zero(vouch_allocator_t allocator)
{
  vouch_mesh_t mesh;
  memset(&mesh, 0, sizeof(mesh));
  mesh.allocator = allocator;
  return mesh;
}

void vouch_mesh_fini(vouch_mesh_t * mesh)
{
  vouch_free(&mesh->allocator, mesh->vertices);
  vouch_free(&mesh->allocator, mesh->triangles);
  *mesh = vouch_mesh_zero(mesh->allocator);
}

vouch_ret_t vouch_mesh_add_vertex(vouch_mesh_t * mesh, const double v[3])
{
  if (mesh->vertex_count >= VOUCH_NONE) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "a mesh has at most 2^32 - 1 vertices");
  }
  if (!vouch_grow(
      &mesh->allocator, &mesh->vertices, mesh->vertex_count, &mesh->vertex_capacity,
      sizeof(mesh->vertices[0])))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  memcpy(mesh->vertices[mesh->vertex_count++], v, sizeof(mesh->vertices[0]));
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_mesh_add_triangle(vouch_mesh_t * mesh, uint32_t a, uint32_t b, uint32_t c)
{
  if (mesh->triangle_count >= VOUCH_NONE) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "a mesh has at most 2^32 - 1 triangles");
  }
  if (!vouch_grow(
      &mesh->allocator, &mesh->triangles, mesh->triangle_count, &mesh->triangle_capacity,
      sizeof(mesh->triangles[0])))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  uint32_t * triangle = mesh->triangles[mesh->triangle_count++];
  triangle[0] = a;
  triangle[1] = b;
  triangle[2] = c;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_mesh_validate(const vouch_mesh_t * mesh)
{
  if (mesh->triangle_count == 0) {
    return vouch_fail(VOUCH_RET_INVALID, "the mesh has no triangles");
  }
  for (size_t i = 0; i < mesh->vertex_count; ++i) {
    for (int k = 0; k < 3; ++k) {
      double x = mesh->vertices[i][k];
      if (!(fabs(x) <= VOUCH_MAX_COORDINATE)) {
        return vouch_fail(
          VOUCH_RET_INVALID, "vertex %zu of the mesh has the coordinate %g (at most 1e6 m)", i, x);
      }
    }
  }
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    for (int k = 0; k < 3; ++k) {
      if (mesh->triangles[t][k] >= mesh->vertex_count) {
        return vouch_fail(
          VOUCH_RET_INVALID, "triangle %zu of the mesh refers to vertex %u, but there are only %zu",
          t, mesh->triangles[t][k], mesh->vertex_count);
      }
    }
  }
  return VOUCH_RET_OK;
}

void vouch_mesh_transform(vouch_mesh_t * mesh, const double scale[3], const vouch_pose_t * pose)
{
  rigid_t frame = rigid_from_pose(pose);
  for (size_t i = 0; i < mesh->vertex_count; ++i) {
    double * v = mesh->vertices[i];
    vec3_t p = vec3(scale[0] * v[0], scale[1] * v[1], scale[2] * v[2]);
    vec3_store(rigid_apply(&frame, p), v);
  }
  int negative = (scale[0] < 0.0) + (scale[1] < 0.0) + (scale[2] < 0.0);
  if (negative % 2 == 1) {
    for (size_t t = 0; t < mesh->triangle_count; ++t) {
      uint32_t second = mesh->triangles[t][1];
      mesh->triangles[t][1] = mesh->triangles[t][2];
      mesh->triangles[t][2] = second;
    }
  }
}

/* ---- welding ---- */

static uint64_t vertex_hash(const double v[3])
{
  uint64_t bits[3];
  memcpy(bits, v, sizeof(bits));
  return vouch_edge_mix(bits[0] + vouch_edge_mix(bits[1] + vouch_edge_mix(bits[2])));
}

vouch_ret_t vouch_mesh_weld(vouch_mesh_t * mesh)
{
  vouch_ret_t code = vouch_mesh_validate(mesh);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  for (size_t i = 0; i < mesh->vertex_count; ++i) {
    for (int k = 0; k < 3; ++k) {
      mesh->vertices[i][k] += 0.0;   // -0.0 becomes 0.0
    }
  }
  // Open addressing: a slot holds the number of a welded vertex plus one. No vertex is used more
  // often than there are triangle corners.
  size_t size = vouch_table_size(mesh->vertex_count);
  uint32_t * table = vouch_calloc(&mesh->allocator, size, sizeof(table[0]));
  double(*welded)[3] = vouch_calloc(&mesh->allocator, mesh->vertex_count, sizeof(welded[0]));
  if (table == NULL || welded == NULL) {
    vouch_free(&mesh->allocator, table);
    vouch_free(&mesh->allocator, welded);
    return VOUCH_RET_NO_MEMORY;
  }
  uint32_t count = 0;
  for (size_t corner = 0; corner < 3 * mesh->triangle_count; ++corner) {
    uint32_t * index = &mesh->triangles[corner / 3][corner % 3];
    const double * v = mesh->vertices[*index];
    size_t slot = (size_t)vertex_hash(v) & (size - 1);
    while (table[slot] != 0 && memcmp(welded[table[slot] - 1], v, sizeof(welded[0])) != 0) {
      slot = (slot + 1) & (size - 1);
    }
    if (table[slot] == 0) {
      memcpy(welded[count], v, sizeof(welded[0]));
      table[slot] = ++count;
    }
    *index = table[slot] - 1;
  }
  vouch_free(&mesh->allocator, table);
  vouch_free(&mesh->allocator, mesh->vertices);
  mesh->vertices = welded;
  mesh->vertex_capacity = mesh->vertex_count;
  mesh->vertex_count = count;
  return VOUCH_RET_OK;
}
