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

/* A geometry: convex primitives in one frame, a containment tree over them, and the witnesses that
 * show the tree's hulls to contain what is beneath them. Plain data; one per link or object.
 *
 * Nothing here is trusted or derived: balls, epsilons and supports are computed from it by kernel/
 * and, independently, by verify/. Byte layout and rules: docs/certificate_format.md. */

#ifndef GEOMETRY__GEOMETRY_H_
#define GEOMETRY__GEOMETRY_H_

#include <stdatomic.h>

#include "base/memory.h"
#include "base/text.h"
#include "geometry/mesh.h"
#include "vouch/types.h"

#define VOUCH_NONE UINT32_MAX
#define VOUCH_MAX_COORDINATE 1e6
#define VOUCH_MAX_KEPT 128

typedef enum vouch_primitive_kind_e
{
  VOUCH_PRIMITIVE_TRIANGLE = 1,   // three points
  VOUCH_PRIMITIVE_HULL = 2        // everything else: spheres, capsules, cylinders, boxes, prisms
} vouch_primitive_kind_t;

/// The hull of what the vertices indices[first .. first + count) stand for.
typedef struct vouch_primitive_s
{
  uint8_t kind;
  uint32_t component;
  uint32_t first, count;
} vouch_primitive_t;

typedef enum vouch_component_kind_e
{
  VOUCH_COMPONENT_SURFACE = 0,   // triangles meant as a surface only
  VOUCH_COMPONENT_SOLID = 1,     // closed triangles: start containment is owed (L8)
  VOUCH_COMPONENT_OPEN = 2,      // open triangles: must not go below the root hull at a start
  VOUCH_COMPONENT_CONVEX = 3     // one convex primitive, solid by itself
} vouch_component_kind_t;

/// Node 0 is the root and covers all primitives; children tile their parent's range. Nodes are in
/// pre-order: left is the next node, right follows all that is beneath left. left == 0 means
/// childless (then count == 1, and nothing is kept).
/// Others keep 1 to VOUCH_MAX_KEPT vertices, kept[kept_first ..], in ascending order. The hull of
/// what they stand for contains what is beneath, up to a carry that the witnesses show (L6).
typedef struct vouch_tree_node_s
{
  uint32_t first, count;
  uint32_t left, right;
  uint32_t kept_first, kept_count;
  uint32_t witness_first;   // not stored: witnesses follow each other in node order
} vouch_tree_node_t;

/// The position of one point of a child's list as a convex combination of the node's kept vertices:
/// sum over i of weight[i] * kept[index[i]], with weight[3] = 1 - (w0 + w1 + w2) >= 0.
/// A child's list: its kept vertices, or if it is childless the points of its primitive. Points
/// that the node keeps have the witness that says so: weight 1 for their own place.
typedef struct vouch_witness_s
{
  uint8_t index[4];   // positions in the node's kept list
  float weight[3];
} vouch_witness_t;

/* Vertex 0 is the middle of the geometry's ball, that of the axis-aligned box of all others, and in
 * no list; all others are in the list of some primitive. The last round_count vertices have
 * half-axes, rounds[vertex - (vertex_count - round_count)], and stand for the ellipsoid (disc,
 * ball) around them; the others, the plain ones, for themselves. Lists of triangles begin with
 * their lowest number, other lists ascend. Vertices are numbered so that each connected part
 * (primitives that share vertices) has one vertex that no primitive joins to a lower one: its
 * reference point (L8). Components are numbered: the solid ones in the order of their first
 * primitives; the open one; that of all other triangles of plain vertices (SURFACE); one
 * (CONVEX) for each other primitive. */
typedef struct vouch_geometry_s
{
  double (*vertices)[3];
  double (*rounds)[9];    // three half-axes
  uint32_t * indices;
  vouch_primitive_t * primitives;
  uint8_t * components;   // vouch_component_kind_t
  vouch_tree_node_t * nodes;
  uint32_t * kept;        // vertex numbers
  vouch_witness_t * witnesses;
  uint32_t vertex_count, round_count, index_count, primitive_count;
  uint32_t component_count, node_count, kept_count, witness_count;
  bool spelled;           // its bytes name what every node keeps, as those of older files did
  uint32_t open_node;     // all that is open, and nothing else, is beneath it; VOUCH_NONE: nothing
  atomic_bool accepted;   // by vouch_geometry_validate(), and not touched since
  /* What kernel/ derives from the above (balls, epsilons, SIMD copies), made once by the first
   * checker and shared by all; released by vouch_geometry_release(). Not part of the problem. */
  void * derived;
  void (* derived_free)(void * derived);
} vouch_geometry_t;

/// The half-axes of a vertex, or NULL.
static inline const double * vouch_geometry_round(
  const vouch_geometry_t * geometry,
  uint32_t vertex)
{
  uint32_t plain = geometry->vertex_count - geometry->round_count;
  return vertex < plain ? NULL : geometry->rounds[vertex - plain];
}

/// Whoever owns a geometry's arena calls this before releasing it.
static inline void vouch_geometry_release(vouch_geometry_t * geometry)
{
  if (geometry != NULL && geometry->derived != NULL) {
    geometry->derived_free(geometry->derived);
    geometry->derived = NULL;
  }
}

/// Every index in range, trees tiled, numbers finite and within limits. INVALID with a sentence
/// otherwise. Sets `accepted`.
vouch_ret_t vouch_geometry_validate(const vouch_geometry_t * geometry) VOUCH_WARN_UNUSED;

/// The same once in the life of a geometry: those of robots and scenes never change, and every
/// checker of them asks.
static inline vouch_ret_t vouch_geometry_accept(const vouch_geometry_t * geometry)
{
  return atomic_load_explicit(&geometry->accepted, memory_order_acquire) ? VOUCH_RET_OK :
         vouch_geometry_validate(geometry);
}

/// Appends the bytes of one geometry.
void vouch_geometry_encode(const vouch_geometry_t * geometry, vouch_text_t * out);

/// Reads one geometry into `arena`; *used says how many bytes it took. Validates, and refuses what
/// would not be written again as the same bytes.
vouch_ret_t vouch_geometry_decode(
  vouch_geometry_t * geometry, vouch_arena_t * arena, const void * data, size_t size,
  size_t * used) VOUCH_WARN_UNUSED;

/* ---- what a primitive looks like: for pictures, messages and other libraries ---- */

typedef enum vouch_look_e
{
  VOUCH_LOOK_POINTS = 0,      // the hull of its points, rounded by size[0]
  VOUCH_LOOK_SPHERE = 1,      // size = {radius}
  VOUCH_LOOK_CAPSULE = 2,     // size = {radius, half length}, axis z
  VOUCH_LOOK_CYLINDER = 3,    // size = {radius, half height}, axis z
  VOUCH_LOOK_CONE = 4,        // size = {radius, half height}, tip at +z
  VOUCH_LOOK_ELLIPSOID = 5,   // size = the three radii
  VOUCH_LOOK_OTHER = 6        // some other hull of round vertices
} vouch_look_t;

typedef struct vouch_curved_s
{
  vouch_look_t look;
  vouch_pose_t pose;   // in the geometry's frame
  double size[3];
} vouch_curved_t;

/// Recognises what the builder made of a shape, up to rounding. Not trusted.
vouch_curved_t vouch_primitive_look(const vouch_geometry_t * geometry, uint32_t primitive);

/* ---- building ---- */

typedef struct vouch_geometry_options_s
{
  bool hulls;      // replace every mesh by the convex hull of its vertices (one HULL primitive)
  bool surfaces;   // open meshes are meant as surfaces (SURFACE instead of OPEN)
} vouch_geometry_options_t;

/// Collects shapes, then makes a geometry of them. Zero-initialise through the function.
typedef struct vouch_geometry_builder_s vouch_geometry_builder_t;

vouch_ret_t vouch_geometry_builder_create(
  vouch_geometry_builder_t ** out, vouch_allocator_t allocator,
  const vouch_geometry_options_t * options) VOUCH_WARN_UNUSED;
void vouch_geometry_builder_destroy(vouch_geometry_builder_t * builder);

/// Triangles as given, already in the geometry's frame; welded and split into components here.
vouch_ret_t vouch_geometry_add_mesh(
  vouch_geometry_builder_t * builder, const vouch_mesh_t * mesh) VOUCH_WARN_UNUSED;
/// Convex hull of points (a box, a prism, a convex shape), with a ball of `radius` around it.
vouch_ret_t vouch_geometry_add_hull(
  vouch_geometry_builder_t * builder, const double(*points)[3], size_t count,
  double radius) VOUCH_WARN_UNUSED;
/// A cylinder, cone or ellipsoid.
vouch_ret_t vouch_geometry_add_curved(
  vouch_geometry_builder_t * builder, const vouch_curved_t * curved) VOUCH_WARN_UNUSED;
/// Full side lengths.
vouch_ret_t vouch_geometry_add_box(
  vouch_geometry_builder_t * builder, const double size[3],
  const vouch_pose_t * pose) VOUCH_WARN_UNUSED;
vouch_ret_t vouch_geometry_add_sphere(
  vouch_geometry_builder_t * builder, double radius, const vouch_pose_t * pose) VOUCH_WARN_UNUSED;
/// `length` is that of the cylinder part, axis z.
vouch_ret_t vouch_geometry_add_capsule(
  vouch_geometry_builder_t * builder, double radius, double length,
  const vouch_pose_t * pose) VOUCH_WARN_UNUSED;
/// Base polygon (x, y), any simple polygon, extruded over [-height/2, height/2]; triangulated when
/// it is not convex (then it becomes a closed mesh).
vouch_ret_t vouch_geometry_add_prism(
  vouch_geometry_builder_t * builder, const double(*base)[2], size_t count, double height,
  const vouch_pose_t * pose) VOUCH_WARN_UNUSED;

/// Counts of what the shapes turned out to be, for warnings: solids, surfaces and open ones as the
/// meshes have them.
typedef struct vouch_geometry_facts_s
{
  size_t triangles, solids, surfaces, open, convex;
  double extent;   // largest side of the bounding box
} vouch_geometry_facts_t;

/// Builds the tree, the hulls and the witnesses; everything lives in `arena`. Deterministic: the
/// same input gives the same bytes on every machine and compiler flag. INVALID for an empty
/// builder.
vouch_ret_t vouch_geometry_build(
  vouch_geometry_builder_t * builder, vouch_arena_t * arena, vouch_geometry_t * out,
  vouch_geometry_facts_t * facts) VOUCH_WARN_UNUSED;

/// No point of the ellipsoid around a vertex is further from it than this.
double vouch_geometry_size(const vouch_geometry_t * geometry, uint32_t vertex);

/// How far the kept hull of a node misses what is beneath it, as its witnesses say: the carry that
/// kernel/ and verify/ compute with bounds, here in plain floating point, for people and tests.
/// Childless nodes: 0.
double vouch_geometry_witness_error(const vouch_geometry_t * geometry, uint32_t node);

#endif  // GEOMETRY__GEOMETRY_H_
