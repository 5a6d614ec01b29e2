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

/* What a builder holds. Private to geometry/. */

#ifndef GEOMETRY__BUILDER_H_
#define GEOMETRY__BUILDER_H_

#include "geometry/geometry.h"
#include "geometry/hull.h"
#include "geometry/tree.h"
#include "geometry/vec.h"

struct vouch_geometry_builder_s
{
  vouch_allocator_t allocator;
  vouch_geometry_options_t options;
  double(*vertices)[3];
  size_t vertex_count, vertex_capacity;
  uint32_t * round_of;   // per vertex: its half-axes among `rounds`, VOUCH_NONE: none
  size_t round_of_capacity;
  double(*rounds)[9];
  size_t round_count, round_capacity;
  uint32_t * indices;
  size_t index_count, index_capacity;
  vouch_primitive_t * primitives;
  size_t primitive_count, primitive_capacity;
  uint8_t * components;
  size_t component_count, component_capacity;
  vouch_item_t * items;
  size_t item_count, item_capacity;
  vouch_hull_t hull;
};

/// Numbers the vertices as geometry.h says and writes them, with their half-axes and the lists.
/// Requires: the primitives are in the order of the tree, with the builder's vertices.
vouch_ret_t vouch_number_vertices(
  const vouch_geometry_builder_t * builder, vouch_geometry_t * out) VOUCH_WARN_UNUSED;

/// Likewise the components.
vouch_ret_t vouch_number_components(
  const vouch_geometry_builder_t * builder, vouch_geometry_t * out) VOUCH_WARN_UNUSED;

#endif  // GEOMETRY__BUILDER_H_
