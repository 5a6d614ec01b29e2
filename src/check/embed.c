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


/* How deep bodies that never move against each other are in each other. UNTRUSTED, and about: for
 * people, and for the question whether frames and units are what somebody meant.
 *
 * Two convex shapes come apart when one is moved along n by h_B(n) + h_A(-n), h the supports; the
 * least of that over a few directions is taken for their depth. Of two trees the deepest pair of
 * primitives counts: each of them has to come out. A hull has no smaller value than what is in it
 * (the directions are the same), so pairs of nodes that are no deeper than what was found are left.
 * A closed mesh that is convex counts as one; of other closed meshes only what crosses their
 * triangles is seen, so that the depth is too small there, never too large. */

#include <math.h>

#include "check/checker.h"

enum {DIRECTIONS = 32, MAX_LOOKS = 4000, MAX_PENDING = 256, MAX_CONVEX = 200};

typedef struct directions_s
{
  vec3_t items[DIRECTIONS];
  int count;
} directions_t;

/// Axes of B and of A, and the diagonals of B: both ways.
static void fill_directions(const rigid_t * relative, directions_t * out)
{
  out->count = 0;
  for (int i = 0; i < 27; i++) {
    const vec3_t n = vec3((double)(i % 3 - 1), (double)(i / 3 % 3 - 1), (double)(i / 9 - 1));
    if (i != 13) {
      out->items[out->count++] = vec3_scale(n, 1.0 / vec3_norm(n));
    }
  }
  for (int i = 0; i < 6; i++) {
    const double sign = i < 3 ? 1.0 : -1.0;
    const int k = i % 3;
    out->items[out->count++] = mat3_mul_vec(
      &relative->rotation, vec3(k == 0 ? sign : 0.0, k == 1 ? sign : 0.0, k == 2 ? sign : 0.0));
  }
}

static double depth_of(
  const search_shape_t * a, const search_shape_t * b, const directions_t * directions)
{
  double least = INFINITY;
  for (int i = 0; i < directions->count && least > 0.0; i++) {
    const vec3_t n = directions->items[i];
    const double out = vec3_dot(n, search_shape_point(b, n)) -
      vec3_dot(n, search_shape_point(a, vec3_neg(n)));
    least = out < least ? out : least;
  }
  return fmax(0.0, least);
}

typedef struct pending_s
{
  uint32_t a, b;
  double depth;
} pending_t;

static bool is_primitive(const vouch_geometry_t * geometry, uint32_t node)
{
  return geometry->nodes[node].left == 0;
}

/// On which sides of a triangle vertices are: bit 0 and bit 1.
static unsigned sides_of(const vouch_geometry_t * geometry, const uint32_t * corners)
{
  const vec3_t a = vec3_from(geometry->vertices[corners[0]]);
  const vec3_t n = vec3_cross(
    vec3_sub(vec3_from(geometry->vertices[corners[1]]), a),
    vec3_sub(vec3_from(geometry->vertices[corners[2]]), a));
  const double near = 1e-6 * vec3_norm(n);
  unsigned sides = 0;
  for (uint32_t i = 1; i < geometry->vertex_count && sides != 3u; i++) {
    const double side = vec3_dot(n, vec3_sub(vec3_from(geometry->vertices[i]), a));
    sides |= side > near ? 1u : side < -near ? 2u : 0u;
  }
  return sides;
}

/// One closed mesh, of which no triangle has vertices on both sides.
static bool is_convex_solid(const vouch_geometry_t * geometry)
{
  bool convex = geometry->component_count == 1 && geometry->primitive_count <= MAX_CONVEX &&
    geometry->components[0] == VOUCH_COMPONENT_SOLID;
  for (uint32_t i = 0; i < geometry->primitive_count && convex; i++) {
    const vouch_primitive_t * triangle = &geometry->primitives[i];
    convex = triangle->kind == VOUCH_PRIMITIVE_TRIANGLE &&
      sides_of(geometry, geometry->indices + triangle->first) != 3u;
  }
  return convex;
}

/// The deepest of the pending pairs, taken out.
static pending_t take_deepest(pending_t * pending, int * count)
{
  int best = 0;
  for (int i = 1; i < *count; i++) {
    best = pending[i].depth > pending[best].depth ? i : best;
  }
  const pending_t taken = pending[best];
  pending[best] = pending[--*count];
  return taken;
}

static double deepest_pair(
  const vouch_geometry_t * a, const vouch_geometry_t * b, const rigid_t * relative)
{
  directions_t directions;
  pending_t pending[MAX_PENDING];
  int count = 1, looks = 0;
  double deepest = 0.0;
  const bool a_whole = is_convex_solid(a), b_whole = is_convex_solid(b);
  fill_directions(relative, &directions);
  pending[0] = (pending_t) {0, 0, INFINITY};
  while (count > 0 && looks < MAX_LOOKS) {
    const pending_t pair = take_deepest(pending, &count);
    const bool a_done = a_whole || is_primitive(a, pair.a);
    const bool b_done = b_whole || is_primitive(b, pair.b);
    if (pair.depth <= deepest) {
      break;   // nor is any other one deeper
    }
    if (a_done && b_done && isfinite(pair.depth)) {
      deepest = pair.depth;
      continue;
    }
    /* The larger one is parted; at the root a primitive is looked at as it is. */
    const bool part_a = !a_done && (b_done || a->nodes[pair.a].count >= b->nodes[pair.b].count);
    const bool part_b = !part_a && !b_done;
    for (int side = 0; side < (part_a || part_b ? 2 : 1); side++) {
      pending_t child = pair;
      child.a = part_a ? (side == 0 ? a->nodes[pair.a].left : a->nodes[pair.a].right) : pair.a;
      child.b = part_b ? (side == 0 ? b->nodes[pair.b].left : b->nodes[pair.b].right) : pair.b;
      const search_shape_t shape_a = {.geometry = a, .node = child.a, .posed = true,
        .inflate = is_primitive(a, child.a), .pose = *relative};
      const search_shape_t shape_b = {.geometry = b, .node = child.b,
        .inflate = is_primitive(b, child.b)};
      child.depth = fmin(depth_of(&shape_a, &shape_b, &directions), 1e9);
      looks++;
      if (child.depth > deepest && count < MAX_PENDING) {
        pending[count++] = child;
      }
    }
  }
  return deepest;
}

/// A half-space is solid; a plane has two sides, and the nearer one is the way out.
static double depth_in_plane(
  const vouch_body_t * plane, const vouch_geometry_t * geometry, const rigid_t * relative)
{
  const search_shape_t shape = {.geometry = geometry, .node = 0, .posed = true, .pose = *relative,
    .inflate = is_primitive(geometry, 0)};
  const vec3_t n = vec3_from(plane->normal);
  const double low = vec3_dot(n, search_shape_point(&shape, vec3_neg(n))) - plane->offset;
  const double high = vec3_dot(n, search_shape_point(&shape, n)) - plane->offset;
  return fmax(0.0, plane->kind == VOUCH_BODY_PLANE ? fmin(-low, high) : -low);
}

double check_overlap_depth(const kernel_proof_t * proof, uint32_t body_b, const rigid_t * poses)
{
  const kernel_scene_t * scene = kernel_view(proof)->scene;
  const vouch_body_t * b = &scene->problem->scene.bodies[body_b];
  const rigid_t relative = kernel_relative(proof, poses);
  const vouch_geometry_t * geometry = kernel_geometry_a(proof);
  if (b->kind != VOUCH_BODY_GEOMETRY) {
    return depth_in_plane(b, geometry, &relative);
  }
  const rigid_t seen = scene->placed[body_b] ?
    rigid_relative(&scene->placements[body_b], &relative) : relative;
  return deepest_pair(geometry, scene->geometries[body_b], &seen);
}
