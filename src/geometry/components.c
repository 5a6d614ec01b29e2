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

/* Components of meshes. TRUSTED for free rigid bodies, where each component owes one point: that it is
 * connected, and what is called closed.
 *
 * Triangles are connected through edges, not through single vertices: two shells that merely touch
 * in a vertex may be oriented differently, and the crossings of one would cancel the other's. For
 * the same reason they are not connected through an edge with two (or more) triangles each way,
 * where shells touch, unless they are open anyway.
 *
 * Closed means: within the component every edge has as many triangles one way as the other. Then
 * the crossings of a ray, counted with their signs, do not depend on the ray. And it is around
 * something: a sheet is not closed. */

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/edges.h"
#include "geometry/geometry.h"
#include "geometry/mesh.h"
#include "geometry/sets.h"
#include "geometry/vec.h"

/// A body is around more than this part of its surface times its extent: foils of a nanometre are not.
static const double SHEET = 1e-9;

/// What the components are found with, per call.
typedef struct finder_s
{
  const vouch_mesh_t * mesh;
  vouch_edge_table_t all, apart;   // edges of the mesh; edges of each component
  uint32_t * parent;               // per triangle
  uint32_t * owner;                // per vertex
  bool * open;                     // per root triangle
} finder_t;

static bool shells_touch(const vouch_edge_t * edge)
{
  return edge->forward == edge->backward && edge->forward >= 2;
}

static void count_edges(finder_t * f)
{
  for (uint32_t t = 0; t < f->mesh->triangle_count; ++t) {
    const uint32_t * corner = f->mesh->triangles[t];
    for (int k = 0; k < 3 && !vouch_triangle_is_degenerate(corner); ++k) {
      uint32_t from = corner[k], to = corner[(k + 1) % 3];
      vouch_edges_count(vouch_edges_find(&f->all, from, to, 0), from, t);
    }
  }
}

/// Connects triangles through their edges; where shells touch, only those of open components.
static void connect(finder_t * f, bool touching)
{
  for (uint32_t t = 0; t < f->mesh->triangle_count; ++t) {
    const uint32_t * corner = f->mesh->triangles[t];
    for (int k = 0; k < 3 && !vouch_triangle_is_degenerate(corner); ++k) {
      vouch_edge_t * edge = vouch_edges_find(&f->all, corner[k], corner[(k + 1) % 3], 0);
      if (shells_touch(edge) != touching) {
        continue;
      }
      uint32_t root = vouch_set_of(f->parent, t), other = vouch_set_of(f->parent, edge->triangle);
      if (!touching || (f->open[root] && f->open[other])) {
        f->open[root < other ? root : other] = f->open[root] || f->open[other];
        vouch_sets_unite(f->parent, root, other);
      } else if (f->open[root]) {
        edge->triangle = t;   // the others that are open meet here
      }
    }
  }
}

/// Counts every edge again within its component; a component with an unequal one is open.
static void find_open(finder_t * f)
{
  for (uint32_t t = 0; t < f->mesh->triangle_count; ++t) {
    const uint32_t * corner = f->mesh->triangles[t];
    for (int k = 0; k < 3 && !vouch_triangle_is_degenerate(corner); ++k) {
      uint32_t from = corner[k], to = corner[(k + 1) % 3];
      uint32_t root = vouch_set_of(f->parent, t);
      vouch_edges_count(vouch_edges_find(&f->apart, from, to, root), from, t);
    }
  }
  for (size_t i = 0; i < f->apart.size; ++i) {
    const vouch_edge_t * edge = &f->apart.slots[i];
    if (edge->forward != edge->backward) {
      f->open[edge->component] = true;
    }
  }
}

/// Degenerate triangles join the first proper triangle at one of their vertices, else each other.
static void place_degenerate(finder_t * f)
{
  memset(f->owner, 0xff, f->mesh->vertex_count * sizeof(f->owner[0]));
  for (int pass = 0; pass < 2; ++pass) {
    for (uint32_t t = 0; t < f->mesh->triangle_count; ++t) {
      const uint32_t * corner = f->mesh->triangles[t];
      if (vouch_triangle_is_degenerate(corner) != (pass == 1)) {
        continue;
      }
      bool joined = false;   // once only: a degenerate triangle must not tie two shells together
      for (int k = 0; k < 3; ++k) {
        if (f->owner[corner[k]] == VOUCH_NONE) {
          f->owner[corner[k]] = t;
        } else if (pass == 1 && !joined && f->owner[corner[k]] != t) {
          uint32_t root = vouch_set_of(f->parent, f->owner[corner[k]]);
          vouch_sets_unite(f->parent, t, root);
          f->open[vouch_set_of(f->parent, t)] = f->open[root];
          joined = true;
        }
      }
    }
  }
}

/// Numbers the sets by first appearance and returns how many there are.
static size_t number_components(finder_t * f, uint32_t * component)
{
  uint32_t count = 0;
  for (uint32_t t = 0; t < f->mesh->triangle_count; ++t) {
    uint32_t root = vouch_set_of(f->parent, t);   // the smallest of its set
    component[t] = root == t ? count++ : component[root];
  }
  return count;
}

/// Six times the volume that a component is around, with its sign, and what that is measured against.
typedef struct bulk_s
{
  double volume, area;
  vec3_t origin, low, high;
  bool begun;
} bulk_t;

static void add_bulk(bulk_t * bulk, const vouch_mesh_t * mesh, const uint32_t * corner)
{
  vec3_t p[3];
  for (int k = 0; k < 3; ++k) {
    p[k] = vec3_from(mesh->vertices[corner[k]]);
    bulk->origin = bulk->begun ? bulk->origin : p[k];
    p[k] = vec3_sub(p[k], bulk->origin);
    bulk->low = vec3(
      fmin(bulk->low.x, p[k].x), fmin(bulk->low.y, p[k].y), fmin(bulk->low.z, p[k].z));
    bulk->high = vec3(
      fmax(bulk->high.x, p[k].x), fmax(bulk->high.y, p[k].y), fmax(bulk->high.z, p[k].z));
    bulk->begun = true;
  }
  bulk->volume += vec3_dot(p[0], vec3_cross(p[1], p[2]));
  bulk->area += vec3_norm(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])));
}

/// A sheet of triangles and their reverses is closed and around nothing: what lies behind it, in the
/// body that many such sheets draw, would count as outside. It is not closed here.
static bool tell_sheets(const finder_t * f, const uint32_t * component, size_t count, bool * closed)
{
  bulk_t * bulks = vouch_calloc(&f->mesh->allocator, count, sizeof(*bulks));
  if (bulks == NULL) {
    return false;
  }
  for (uint32_t t = 0; t < f->mesh->triangle_count; ++t) {
    add_bulk(&bulks[component[t]], f->mesh, f->mesh->triangles[t]);
  }
  for (size_t i = 0; i < count; ++i) {
    const double extent = vec3_norm(vec3_sub(bulks[i].high, bulks[i].low));
    closed[i] = closed[i] && fabs(bulks[i].volume) > SHEET * bulks[i].area * extent;
  }
  vouch_free(&f->mesh->allocator, bulks);
  return true;
}

/// Nothing but degenerate triangles is not closed either.
static void tell_closed(finder_t * f, const uint32_t * component, bool * closed)
{
  for (uint32_t t = 0; t < f->mesh->triangle_count; ++t) {
    if (!vouch_triangle_is_degenerate(f->mesh->triangles[t])) {
      closed[component[t]] = !f->open[vouch_set_of(f->parent, t)];
    }
  }
}

static bool finder_init(finder_t * f)
{
  const vouch_allocator_t * allocator = &f->mesh->allocator;
  size_t triangles = f->mesh->triangle_count;
  f->parent = vouch_calloc(allocator, triangles, sizeof(f->parent[0]));
  f->owner = vouch_calloc(allocator, f->mesh->vertex_count, sizeof(f->owner[0]));
  f->open = vouch_calloc(allocator, triangles, sizeof(f->open[0]));
  if (f->parent == NULL || f->owner == NULL || f->open == NULL ||
    !vouch_edges_init(&f->all, allocator, 3 * triangles) ||
    !vouch_edges_init(&f->apart, allocator, 3 * triangles))
  {
    return false;
  }
  for (uint32_t t = 0; t < triangles; ++t) {
    f->parent[t] = t;
  }
  return true;
}

static void finder_fini(finder_t * f)
{
  const vouch_allocator_t * allocator = &f->mesh->allocator;
  vouch_free(allocator, f->parent);
  vouch_free(allocator, f->owner);
  vouch_free(allocator, f->open);
  vouch_free(allocator, f->all.slots);
  vouch_free(allocator, f->apart.slots);
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
  finder_t finder = {.mesh = mesh};
  code = VOUCH_RET_NO_MEMORY;
  if (finder_init(&finder)) {
    count_edges(&finder);
    connect(&finder, false);
    find_open(&finder);
    connect(&finder, true);
    place_degenerate(&finder);
    size_t count = number_components(&finder, component);
    *closed = vouch_calloc(&mesh->allocator, count, sizeof((*closed)[0]));
    if (*closed != NULL) {
      tell_closed(&finder, component, *closed);
      *component_count = count;
      code = VOUCH_RET_OK;
      if (!tell_sheets(&finder, component, count, *closed)) {
        vouch_free(&mesh->allocator, *closed);
        *closed = NULL;
        code = VOUCH_RET_NO_MEMORY;
      }
    }
  }
  finder_fini(&finder);
  return code;
}
