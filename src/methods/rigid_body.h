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

/* A mesh prepared for the methods: a tree of boxes over its triangles, its closed components, and
 * the mass distribution of its vertices. */

#ifndef METHODS__RIGID_BODY_H_
#define METHODS__RIGID_BODY_H_

#include "geometry/mesh.h"
#include "geometry/vec.h"
#include "methods/metric.h"
#include "vouch/rigid.h"

typedef struct body_node_s
{
  vec3_t centre, half;       // a box that contains all triangles beneath
  double radius;             // and a ball around the same centre
  double rho;                // largest distortion rate of the body's metric in the box
  uint32_t left, right;      // 0, 0: a single triangle
  uint32_t triangle;
} body_node_t;

typedef struct body_component_s
{
  vec3_t low, high;          // box
  uint32_t vertex;           // one vertex of it
  bool closed;
} body_component_t;

struct vouch_rigid_body_s
{
  vouch_mesh_t mesh;         // welded
  body_node_t * nodes;       // node 0 is the root; children have higher numbers
  size_t node_count;
  uint32_t * component;      // of each triangle
  uint8_t * owned;           // of each triangle: bit k: its vertex k, bit 3 + k: its edge k to k+1
  body_component_t * components;
  size_t component_count;
  bool closed;
  double reach;              // largest |vertex|
  metric_t metric;
  double * rho;              // of each vertex
};

static inline vec3_t body_vertex(const vouch_rigid_body_t * body, uint32_t triangle, int corner)
{
  return vec3_from(body->mesh.vertices[body->mesh.triangles[triangle][corner]]);
}

/// Distortion rates of vertices and nodes, after a change of body->metric.
void body_take_metric(vouch_rigid_body_t * body);

static inline bool body_node_is_leaf(const body_node_t * node) {return node->left == 0;}

#endif  // METHODS__RIGID_BODY_H_
