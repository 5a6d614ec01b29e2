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

/* The solids of a geometry, and the points that stand for its connected parts (L8). TRUSTED. */

#include "base/fpguard.h"
#include "kernel/derived.h"

/// Requires: `seen` is false for every component.
/// Ensures:  the solids, as they are numbered: by their first primitives.
static void find_solids(const vouch_geometry_t * g, kernel_derived_t * d, bool * seen)
{
  for (uint32_t i = 0; i < g->primitive_count; i++) {
    uint32_t component = g->primitives[i].component;
    if (!seen[component] && g->components[component] == VOUCH_COMPONENT_SOLID) {
      d->solids[d->solid_count++] = component;
    }
    seen[component] = true;
  }
}

/// Ensures: `joined` is true for every vertex that a primitive joins to a lower one.
static void find_joined(const vouch_geometry_t * g, bool * joined)
{
  for (uint32_t i = 0; i < g->primitive_count; i++) {
    const uint32_t * list = g->indices + g->primitives[i].first;
    for (uint32_t k = 1; k < g->primitives[i].count; k++) {
      joined[list[k]] |= list[k] > list[0];
    }
  }
}

/// [L8] Ensures: one vertex at least of each connected part of the geometry is a reference point.
/// Why:      its vertex of the lowest number is not joined to a lower one.
static vouch_ret_t find_references(
  const vouch_geometry_t * g, kernel_derived_t * d, const bool * joined)
{
  uint32_t count = 0;
  for (uint32_t k = 1; k < g->vertex_count; k++) {
    count += !joined[k];
  }
  d->references = vouch_calloc(&d->allocator, count, sizeof(*d->references));
  for (uint32_t k = 1; d->references != NULL && k < g->vertex_count; k++) {
    if (!joined[k]) {
      d->references[d->reference_count++] = k;
    }
  }
  return d->references != NULL ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

/// [L8] Ensures:  the solids, and a reference point of each connected part at least.
vouch_ret_t kernel_derive_parts(const vouch_geometry_t * g, kernel_derived_t * d)
{
  bool * seen = vouch_calloc(&d->allocator, g->component_count, sizeof(*seen));
  bool * joined = vouch_calloc(&d->allocator, g->vertex_count, sizeof(*joined));
  d->solids = vouch_calloc(&d->allocator, g->component_count, sizeof(*d->solids));
  vouch_ret_t ret = VOUCH_RET_NO_MEMORY;
  if (seen != NULL && joined != NULL && d->solids != NULL) {
    find_solids(g, d, seen);
    find_joined(g, joined);
    ret = find_references(g, d, joined);
  }
  vouch_free(&d->allocator, seen);
  vouch_free(&d->allocator, joined);
  return ret;
}
