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

static uint64_t mix(uint64_t x)
{
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  return x ^ (x >> 32);
}

static uint64_t vertex_hash(const double v[3])
{
  uint64_t bits[3];
  memcpy(bits, v, sizeof(bits));
  return mix(bits[0] + mix(bits[1] + mix(bits[2])));
}

/// The smallest power of two that leaves a table at most half full.
static size_t table_size(size_t count)
{
  size_t size = 16;
  while (size / 2 < count) {
    size *= 2;
  }
  return size;
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
  size_t size = table_size(mesh->vertex_count);
  uint32_t * table = vouch_calloc(&mesh->allocator, size, sizeof(table[0]));
  double (* welded)[3] = vouch_calloc(&mesh->allocator, mesh->vertex_count, sizeof(welded[0]));
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

/* ---- components ----
 * Triangles are connected through edges, not through single vertices: two shells that merely touch
 * in a vertex may be oriented differently, and the crossings of one would cancel the other's. */

typedef struct edge_s
{
  uint64_t key;        // smaller vertex, larger vertex; 0 is free (never an edge: both would be 0)
  uint32_t triangle;   // the first one seen
  uint16_t forward, backward;
} edge_t;

typedef struct edge_table_s
{
  edge_t * slots;
  size_t size;
} edge_table_t;

static edge_t * edge_find(const edge_table_t * table, uint32_t a, uint32_t b)
{
  uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
  size_t slot = (size_t)mix(key) & (table->size - 1);
  while (table->slots[slot].key != 0 && table->slots[slot].key != key) {
    slot = (slot + 1) & (table->size - 1);
  }
  table->slots[slot].key = key;
  return &table->slots[slot];
}

static uint32_t find_root(uint32_t * parent, uint32_t i)
{
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

static void unite(uint32_t * parent, uint32_t a, uint32_t b)
{
  a = find_root(parent, a);
  b = find_root(parent, b);
  if (a < b) {
    parent[b] = a;
  } else {
    parent[a] = b;
  }
}

static bool degenerate(const uint32_t t[3])
{
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

static void count_edges(const vouch_mesh_t * mesh, const edge_table_t * edges, uint32_t * parent)
{
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t * corner = mesh->triangles[t];
    for (int k = 0; k < 3 && !degenerate(corner); ++k) {
      uint32_t a = corner[k], b = corner[(k + 1) % 3];
      edge_t * edge = edge_find(edges, a, b);
      if (edge->forward + edge->backward == 0) {
        edge->triangle = t;
      } else {
        unite(parent, t, edge->triangle);
      }
      uint16_t * count = a < b ? &edge->forward : &edge->backward;
      *count = (uint16_t)(*count < 3 ? *count + 1 : 3);
    }
  }
}

/// Degenerate triangles join the first proper triangle at one of their vertices, else each other.
static void place_degenerate(const vouch_mesh_t * mesh, uint32_t * owner, uint32_t * parent)
{
  memset(owner, 0xff, mesh->vertex_count * sizeof(owner[0]));
  for (int pass = 0; pass < 2; ++pass) {
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
      const uint32_t * corner = mesh->triangles[t];
      if (degenerate(corner) != (pass == 1)) {
        continue;
      }
      bool joined = false;   // once only: a degenerate triangle must not tie two shells together
      for (int k = 0; k < 3; ++k) {
        if (owner[corner[k]] == VOUCH_NONE) {
          owner[corner[k]] = t;
        } else if (pass == 1 && !joined && owner[corner[k]] != t) {
          unite(parent, t, owner[corner[k]]);
          joined = true;
        }
      }
    }
  }
}

/// Numbers the sets by first appearance and returns how many there are.
static size_t number_components(const vouch_mesh_t * mesh, uint32_t * parent, uint32_t * component)
{
  uint32_t count = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    uint32_t root = find_root(parent, t);   // the smallest of its set
    component[t] = root == t ? count++ : component[root];
  }
  return count;
}

static void find_closed(
  const vouch_mesh_t * mesh, const edge_table_t * edges, const uint32_t * component, bool * closed)
{
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    closed[component[t]] = closed[component[t]] || !degenerate(mesh->triangles[t]);
  }
  for (size_t i = 0; i < edges->size; ++i) {
    const edge_t * edge = &edges->slots[i];
    if (edge->key != 0 && (edge->forward != 1 || edge->backward != 1)) {
      closed[component[edge->triangle]] = false;
    }
  }
}

vouch_ret_t vouch_mesh_components(
  const vouch_mesh_t * mesh, uint32_t * component, bool ** closed, size_t * component_count)
{
  *closed = NULL;
  *component_count = 0;
  vouch_ret_t code = vouch_mesh_validate(mesh);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  const vouch_allocator_t * allocator = &mesh->allocator;
  edge_table_t edges = {.slots = NULL, .size = table_size(3 * mesh->triangle_count)};
  edges.slots = vouch_calloc(allocator, edges.size, sizeof(edges.slots[0]));
  uint32_t * parent = vouch_calloc(allocator, mesh->triangle_count, sizeof(parent[0]));
  uint32_t * owner = vouch_calloc(allocator, mesh->vertex_count, sizeof(owner[0]));
  code = VOUCH_RET_NO_MEMORY;
  if (edges.slots != NULL && parent != NULL && owner != NULL) {
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
      parent[t] = t;
    }
    count_edges(mesh, &edges, parent);
    place_degenerate(mesh, owner, parent);
    size_t count = number_components(mesh, parent, component);
    *closed = vouch_calloc(allocator, count, sizeof((*closed)[0]));
    if (*closed != NULL) {
      find_closed(mesh, &edges, component, *closed);
      *component_count = count;
      code = VOUCH_RET_OK;
    }
  }
  vouch_free(allocator, edges.slots);
  vouch_free(allocator, parent);
  vouch_free(allocator, owner);
  return code;
}
