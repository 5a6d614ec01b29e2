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

/* FCL's shapes and results as plain C data, and their conversion to and from vouch's types. Needs
 * no
 * FCL: fields, numbers and meanings are FCL's (fcl::NODE_TYPE, fcl::Convex faces, fcl::Contact), so
 * that
 * a few lines convert either way. The messages vouch/msg/CollisionGeometry, Contact, DistanceResult
 * and
 * ContinuousCollisionResult have the same fields. All functions are inline; C and C++. */

#ifndef VOUCH__FCL_MIRROR_H_
#define VOUCH__FCL_MIRROR_H_

#include <math.h>
#include <string.h>

#include "vouch/check.h"
#include "vouch/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// fcl::NODE_TYPE
typedef enum vouch_fcl_node_e
{
  VOUCH_FCL_BV_UNKNOWN = 0,
  VOUCH_FCL_BV_AABB = 1,
  VOUCH_FCL_BV_OBB = 2,
  VOUCH_FCL_BV_RSS = 3,
  VOUCH_FCL_BV_KIOS = 4,
  VOUCH_FCL_BV_OBBRSS = 5,
  VOUCH_FCL_BV_KDOP16 = 6,
  VOUCH_FCL_BV_KDOP18 = 7,
  VOUCH_FCL_BV_KDOP24 = 8,
  VOUCH_FCL_GEOM_BOX = 9,
  VOUCH_FCL_GEOM_SPHERE = 10,
  VOUCH_FCL_GEOM_ELLIPSOID = 11,
  VOUCH_FCL_GEOM_CAPSULE = 12,
  VOUCH_FCL_GEOM_CONE = 13,
  VOUCH_FCL_GEOM_CYLINDER = 14,
  VOUCH_FCL_GEOM_CONVEX = 15,
  VOUCH_FCL_GEOM_PLANE = 16,
  VOUCH_FCL_GEOM_HALFSPACE = 17,
  VOUCH_FCL_GEOM_TRIANGLE = 18,
  VOUCH_FCL_GEOM_OCTREE = 19
} vouch_fcl_node_t;

/// One fcl::CollisionGeometry. Arrays belong to the caller.
typedef struct vouch_fcl_geometry_s
{
  uint8_t node_type;
  double side[3];     // BOX: full lengths
  double radii[3];    // ELLIPSOID
  double radius;      // SPHERE, CAPSULE, CONE, CYLINDER
  double lz;          // CAPSULE (cylinder part), CONE, CYLINDER
  double n[3], d;     // PLANE n.x = d; HALFSPACE n.x < d is solid
  const double (*vertices)[3];         // TRIANGLE, CONVEX, BV_*
  size_t vertex_count;
  const uint32_t(*triangles)[3];       // BV_*
  size_t triangle_count;
  const int32_t * faces;               // CONVEX: [n, i0 .. in-1, n, ...]
  size_t faces_size;                   // entries of faces
  uint32_t num_faces;
  const double (*cell_centers)[3];     // OCTREE
  const double * cell_sizes;
  size_t cell_count;
} vouch_fcl_geometry_t;

/// How many vouch shapes make it: the cells of an octree, else 1 (0: not supported).
static inline size_t vouch_fcl_shape_count(const vouch_fcl_geometry_t * geometry)
{
  if (geometry->node_type == VOUCH_FCL_GEOM_OCTREE) {
    return geometry->cell_count;
  }
  return geometry->node_type >= VOUCH_FCL_BV_AABB && geometry->node_type < VOUCH_FCL_GEOM_OCTREE;
}

static inline void vouch_fcl_plane_(const vouch_fcl_geometry_t * geometry, vouch_shape_t * shape)
{
  memcpy(shape->plane, geometry->n, sizeof(geometry->n));
  shape->plane[3] = -geometry->d;
}

/// FCL to vouch: shape `number` and its pose. Pointers go on pointing to the geometry's arrays.
/// False: the node type is not supported, or an array is missing.
static inline bool vouch_fcl_shape(
  const vouch_fcl_geometry_t * geometry, size_t number, vouch_shape_t * shape,
  vouch_pose_t * pose)
{
  memset(shape, 0, sizeof(*shape));
  *pose = vouch_pose_identity();
  shape->size[0] = geometry->radius;
  shape->size[1] = geometry->lz;
  switch (geometry->node_type) {
    case VOUCH_FCL_GEOM_BOX:
      shape->kind = VOUCH_SHAPE_BOX;
      memcpy(shape->size, geometry->side, sizeof(shape->size));
      return true;
    case VOUCH_FCL_GEOM_SPHERE:
      shape->kind = VOUCH_SHAPE_SPHERE;
      shape->size[1] = 0.0;
      return true;
    case VOUCH_FCL_GEOM_ELLIPSOID:
      shape->kind = VOUCH_SHAPE_ELLIPSOID;
      memcpy(shape->size, geometry->radii, sizeof(shape->size));
      return true;
    case VOUCH_FCL_GEOM_CAPSULE:
      shape->kind = VOUCH_SHAPE_CAPSULE;
      return true;
    case VOUCH_FCL_GEOM_CONE:
      shape->kind = VOUCH_SHAPE_CONE;
      return true;
    case VOUCH_FCL_GEOM_CYLINDER:
      shape->kind = VOUCH_SHAPE_CYLINDER;
      return true;
    case VOUCH_FCL_GEOM_PLANE:
    case VOUCH_FCL_GEOM_HALFSPACE:
      memset(shape->size, 0, sizeof(shape->size));
      shape->kind = geometry->node_type == VOUCH_FCL_GEOM_PLANE ?
        VOUCH_SHAPE_PLANE : VOUCH_SHAPE_HALFSPACE;
      vouch_fcl_plane_(geometry, shape);
      return true;
    case VOUCH_FCL_GEOM_OCTREE:
      if (number >= geometry->cell_count) {
        return false;
      }
      shape->kind = VOUCH_SHAPE_BOX;
      shape->size[0] = shape->size[1] = shape->size[2] = geometry->cell_sizes[number];
      memcpy(pose->translation, geometry->cell_centers[number], sizeof(pose->translation));
      return true;
    case VOUCH_FCL_BV_UNKNOWN:
      return false;
    default:
      break;
  }
  memset(shape->size, 0, sizeof(shape->size));
  if (geometry->node_type > VOUCH_FCL_GEOM_OCTREE || geometry->vertex_count == 0) {
    return false;
  }
  shape->points = geometry->vertices;
  shape->point_count = geometry->vertex_count;
  shape->kind = VOUCH_SHAPE_CONVEX;
  if (geometry->node_type <= VOUCH_FCL_BV_KDOP24) {
    shape->kind = VOUCH_SHAPE_MESH;
    shape->triangles = geometry->triangles;
    shape->triangle_count = geometry->triangle_count;
  }
  return geometry->node_type != VOUCH_FCL_GEOM_TRIANGLE || geometry->vertex_count == 3;
}

/// vouch to FCL. A convex shape of three points becomes a TRIANGLE; a mesh becomes BV_OBBRSS,
/// MoveIt's choice.
/// The faces of a CONVEX are the caller's to fill. False: FCL has no such shape (a prism).
static inline bool vouch_fcl_from_shape(
  const vouch_shape_t * shape, vouch_fcl_geometry_t * geometry)
{
  memset(geometry, 0, sizeof(*geometry));
  geometry->radius = shape->size[0];
  geometry->lz = shape->size[1];
  switch (shape->kind) {
    case VOUCH_SHAPE_BOX:
      geometry->node_type = VOUCH_FCL_GEOM_BOX;
      geometry->radius = geometry->lz = 0.0;
      memcpy(geometry->side, shape->size, sizeof(geometry->side));
      return true;
    case VOUCH_SHAPE_SPHERE:
      geometry->node_type = VOUCH_FCL_GEOM_SPHERE;
      geometry->lz = 0.0;
      return true;
    case VOUCH_SHAPE_ELLIPSOID:
      geometry->node_type = VOUCH_FCL_GEOM_ELLIPSOID;
      geometry->radius = geometry->lz = 0.0;
      memcpy(geometry->radii, shape->size, sizeof(geometry->radii));
      return true;
    case VOUCH_SHAPE_CAPSULE:
      geometry->node_type = VOUCH_FCL_GEOM_CAPSULE;
      return true;
    case VOUCH_SHAPE_CONE:
      geometry->node_type = VOUCH_FCL_GEOM_CONE;
      return true;
    case VOUCH_SHAPE_CYLINDER:
      geometry->node_type = VOUCH_FCL_GEOM_CYLINDER;
      return true;
    case VOUCH_SHAPE_PLANE:
    case VOUCH_SHAPE_HALFSPACE:
      geometry->node_type = shape->kind == VOUCH_SHAPE_PLANE ?
        VOUCH_FCL_GEOM_PLANE : VOUCH_FCL_GEOM_HALFSPACE;
      geometry->radius = geometry->lz = 0.0;
      memcpy(geometry->n, shape->plane, sizeof(geometry->n));
      geometry->d = -shape->plane[3];
      return true;
    case VOUCH_SHAPE_CONVEX:
    case VOUCH_SHAPE_MESH:
      geometry->radius = geometry->lz = 0.0;
      geometry->vertices = shape->points;
      geometry->vertex_count = shape->point_count;
      geometry->node_type = VOUCH_FCL_BV_OBBRSS;
      if (shape->kind == VOUCH_SHAPE_CONVEX) {
        geometry->node_type = shape->point_count == 3 ?
          VOUCH_FCL_GEOM_TRIANGLE : VOUCH_FCL_GEOM_CONVEX;
      } else {
        geometry->triangles = shape->triangles;
        geometry->triangle_count = shape->triangle_count;
      }
      return true;
    case VOUCH_SHAPE_UNKNOWN:
    case VOUCH_SHAPE_PRISM:
    default:
      return false;
  }
}

/// Are the faces of a CONVEX well-formed: counts that add up, at least 3 corners, every corner a
/// vertex?
static inline bool vouch_fcl_faces_valid(const vouch_fcl_geometry_t * geometry)
{
  size_t at = 0;
  for (uint32_t face = 0; face < geometry->num_faces; ++face) {
    if (at >= geometry->faces_size || geometry->faces[at] < 3) {
      return false;
    }
    size_t corners = (size_t)geometry->faces[at++];
    if (corners > geometry->faces_size - at) {
      return false;
    }
    for (size_t i = 0; i < corners; ++i, ++at) {
      if (geometry->faces[at] < 0 || (size_t)geometry->faces[at] >= geometry->vertex_count) {
        return false;
      }
    }
  }
  return at == geometry->faces_size;
}

/// Triangles in FCL's face encoding: 4 entries each.
static inline void vouch_fcl_faces_from_triangles(
  const uint32_t(*triangles)[3], size_t count, int32_t * faces)
{
  for (size_t i = 0; i < count; ++i) {
    faces[4 * i] = 3;
    for (size_t k = 0; k < 3; ++k) {
      faces[4 * i + 1 + k] = (int32_t)triangles[i][k];
    }
  }
}

#define VOUCH_FCL_NONE (-1)   // fcl::Contact::NONE

typedef struct vouch_fcl_contact_s
{
  const char * o1;
  const char * o2;
  int64_t b1, b2;
  double normal[3];           // from o1 to o2
  double pos[3];
  double penetration_depth;   // negative: that far apart, but nearer than the margin
} vouch_fcl_contact_t;

typedef struct vouch_fcl_distance_s
{
  double min_distance;
  double nearest_points[2][3];
  const char * o1;
  const char * o2;
  int64_t b1, b2;
} vouch_fcl_distance_t;

typedef struct vouch_fcl_continuous_s
{
  bool is_collide;
  double time_of_contact;   // in [0, 1]
} vouch_fcl_continuous_t;

/// The first collision as a contact. Zero normal when the two points coincide.
static inline vouch_fcl_contact_t vouch_fcl_contact(const vouch_contact_t * contact)
{
  vouch_fcl_contact_t out;
  memset(&out, 0, sizeof(out));
  out.o1 = contact->a;
  out.o2 = contact->b;
  out.b1 = out.b2 = VOUCH_FCL_NONE;
  double sign = contact->kind == VOUCH_CONTACT_MARGIN ? 1.0 : -1.0;
  double length = 0.0;
  for (int i = 0; i < 3; ++i) {
    out.normal[i] = sign * (contact->point_b[i] - contact->point_a[i]);
    out.pos[i] = 0.5 * (contact->point_a[i] + contact->point_b[i]);
    length += out.normal[i] * out.normal[i];
  }
  length = sqrt(length);
  for (int i = 0; i < 3; ++i) {
    out.normal[i] = length > 0.0 ? out.normal[i] / length : 0.0;
  }
  out.penetration_depth = contact->kind == VOUCH_CONTACT_MARGIN ? -length : contact->depth_m;
  return out;
}

/// The closest approach; the lower bound is what is proved.
static inline vouch_fcl_distance_t vouch_fcl_distance(const vouch_clearance_t * clearance)
{
  vouch_fcl_distance_t out;
  memset(&out, 0, sizeof(out));
  out.min_distance = clearance->lower_m;
  memcpy(out.nearest_points[0], clearance->point_a, sizeof(clearance->point_a));
  memcpy(out.nearest_points[1], clearance->point_b, sizeof(clearance->point_b));
  out.o1 = clearance->a;
  out.o2 = clearance->b;
  out.b1 = out.b2 = VOUCH_FCL_NONE;
  return out;
}

/// time_of_contact 1 and is_collide false unless a collision was shown. `duration` in the unit of
/// the result.
static inline vouch_fcl_continuous_t vouch_fcl_continuous(
  const vouch_result_t * result, double duration)
{
  vouch_fcl_continuous_t out = {false, 1.0};
  if (result->verdict == VOUCH_COLLISION) {
    out.is_collide = true;
    out.time_of_contact = duration > 0.0 ? result->first_collision.time_s / duration : 0.0;
  }
  return out;
}

#ifdef __cplusplus
}
#endif

#endif  // VOUCH__FCL_MIRROR_H_
