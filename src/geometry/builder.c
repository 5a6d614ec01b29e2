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

/* Collecting shapes. A call that fails leaves the builder as it was, so that a caller who goes on
 * without the shape does not build half of it. */

#include "geometry/builder.h"

#include <math.h>

#include "base/error.h"
#include "geometry/limits.h"

vouch_ret_t vouch_geometry_builder_create(
  vouch_geometry_builder_t ** out, vouch_allocator_t allocator,
  const vouch_geometry_options_t * options)
{
  *out = NULL;
  vouch_geometry_builder_t * builder = vouch_calloc(&allocator, 1, sizeof(*builder));
  if (builder == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  builder->allocator = allocator;
  builder->hull.allocator = allocator;
  if (options != NULL) {
    builder->options = *options;
  }
  *out = builder;
  return VOUCH_RET_OK;
}

void vouch_geometry_builder_destroy(vouch_geometry_builder_t * builder)
{
  if (builder == NULL) {
    return;
  }
  vouch_allocator_t allocator = builder->allocator;
  vouch_hull_fini(&builder->hull);
  vouch_free(&allocator, builder->vertices);
  vouch_free(&allocator, builder->indices);
  vouch_free(&allocator, builder->round_of);
  vouch_free(&allocator, builder->rounds);
  vouch_free(&allocator, builder->primitives);
  vouch_free(&allocator, builder->components);
  vouch_free(&allocator, builder->items);
  vouch_free(&allocator, builder);
}

/* ---- parts of a shape ---- */

/// Counts before a shape was begun, to go back to.
typedef struct mark_s
{
  size_t vertices, rounds, indices, primitives, components, items;
} mark_t;

static mark_t begin_shape(const vouch_geometry_builder_t * b)
{
  return (mark_t) {
           b->vertex_count, b->round_count, b->index_count, b->primitive_count,
           b->component_count, b->item_count
  };
}

static vouch_ret_t take_back(vouch_geometry_builder_t * b, const mark_t * mark)
{
  b->vertex_count = mark->vertices;
  b->index_count = mark->indices;
  b->round_count = mark->rounds;
  b->primitive_count = mark->primitives;
  b->component_count = mark->components;
  b->item_count = mark->items;
  return VOUCH_RET_NO_MEMORY;
}

/// Room for one more of each kind, and numbers that still fit 31 bits (nodes are twice as many).
static bool has_room(vouch_geometry_builder_t * b)
{
  const size_t most = INT32_MAX;
  if (b->vertex_count >= most || b->index_count >= most || b->primitive_count >= most) {
    (void)vouch_fail(VOUCH_RET_NO_MEMORY, "a geometry has at most 2^31 vertices and primitives");
    return false;
  }
  const vouch_allocator_t * a = &b->allocator;
  return
    vouch_grow(a, &b->vertices, b->vertex_count, &b->vertex_capacity, sizeof(b->vertices[0])) &&
    vouch_grow(a, &b->indices, b->index_count, &b->index_capacity, sizeof(b->indices[0])) &&
    vouch_grow(
    a, &b->round_of, b->vertex_count, &b->round_of_capacity, sizeof(b->round_of[0])) &&
    vouch_grow(a, &b->rounds, b->round_count, &b->round_capacity, sizeof(b->rounds[0])) &&
    vouch_grow(
    a, &b->primitives, b->primitive_count, &b->primitive_capacity, sizeof(b->primitives[0])) &&
    vouch_grow(a, &b->components, b->component_count, &b->component_capacity, 1) &&
    vouch_grow(a, &b->items, b->item_count, &b->item_capacity, sizeof(b->items[0]));
}

static bool push_vertex(vouch_geometry_builder_t * b, const double v[3])
{
  if (!has_room(b)) {
    return false;
  }
  for (int k = 0; k < 3; ++k) {
    b->vertices[b->vertex_count][k] = v[k] + 0.0;   // -0.0 becomes 0.0
  }
  b->round_of[b->vertex_count] = VOUCH_NONE;
  b->vertex_count += 1;
  return true;
}

/// Gives a vertex its half-axes.
static bool push_round(vouch_geometry_builder_t * b, size_t vertex, const double axes[9])
{
  if (!has_room(b)) {
    return false;
  }
  for (int k = 0; k < 9; ++k) {
    b->rounds[b->round_count][k] = axes[k] + 0.0;
  }
  b->round_of[vertex] = (uint32_t)b->round_count++;
  return true;
}

static bool push_index(vouch_geometry_builder_t * b, size_t vertex)
{
  if (!has_room(b)) {
    return false;
  }
  b->indices[b->index_count++] = (uint32_t)vertex;
  return true;
}

static bool push_primitive(vouch_geometry_builder_t * b, vouch_primitive_t primitive)
{
  if (!has_room(b)) {
    return false;
  }
  b->primitives[b->primitive_count++] = primitive;
  return true;
}

static bool push_component(vouch_geometry_builder_t * b, vouch_component_kind_t kind)
{
  if (!has_room(b)) {
    return false;
  }
  b->components[b->component_count++] = (uint8_t)kind;
  return true;
}

/// All primitives since the mark are one shape.
static bool end_shape(vouch_geometry_builder_t * b, const mark_t * mark)
{
  if (!has_room(b)) {
    return false;
  }
  b->items[b->item_count++] = (vouch_item_t) {
    .first = (uint32_t)mark->primitives,
    .count = (uint32_t)(b->primitive_count - mark->primitives),
  };
  return true;
}

/* ---- convex shapes ---- */

static vouch_ret_t check_radius(double radius)
{
  if (!(radius >= 0.0 && vouch_is_coordinate(radius))) {
    return vouch_fail(
      VOUCH_RET_INVALID, "a radius of %g m: it must be finite and not negative", radius);
  }
  return VOUCH_RET_OK;
}

/// The vertices since the mark are the points of one convex primitive, which is one shape.
static bool finish_convex(vouch_geometry_builder_t * b, const mark_t * mark)
{
  vouch_primitive_t primitive = {
    .kind = VOUCH_PRIMITIVE_HULL, .component = (uint32_t)b->component_count,
    .first = (uint32_t)b->index_count, .count = (uint32_t)(b->vertex_count - mark->vertices),
  };
  for (size_t i = mark->vertices; i < b->vertex_count; ++i) {
    if (!push_index(b, i)) {
      return false;
    }
  }
  return push_component(b, VOUCH_COMPONENT_CONVEX) && push_primitive(b, primitive) &&
         end_shape(b, mark);
}

/// The extreme ones of the vertices since the mark as one hull; the others are dropped again.
/// Around all of them the same ball.
static vouch_ret_t finish_hull(vouch_geometry_builder_t * b, const mark_t * mark, double radius)
{
  size_t count = b->vertex_count - mark->vertices;
  uint32_t * numbers = vouch_calloc(&b->allocator, count, sizeof(numbers[0]));
  if (numbers == NULL) {
    return take_back(b, mark);
  }
  for (size_t i = 0; i < count; ++i) {
    numbers[i] = (uint32_t)(mark->vertices + i);
  }
  bool memory = true;
  size_t extreme = count;
  if (count > 8) {
    memory = vouch_hull_set_points(
      &b->hull, (const double(*)[3])b->vertices, numbers, count);
    if (memory) {
      vouch_hull_keep_all_extreme(&b->hull);
      extreme = b->hull.kept_count;
      for (size_t i = 0; i < extreme; ++i) {   // ascending, so nothing is overwritten too early
        memmove(
          b->vertices[mark->vertices + i], b->vertices[mark->vertices + b->hull.kept[i]],
          sizeof(b->vertices[0]));
      }
    }
  }
  vouch_free(&b->allocator, numbers);
  b->vertex_count = mark->vertices + extreme;
  const double ball[9] = {radius, 0.0, 0.0, 0.0, radius, 0.0, 0.0, 0.0, radius};
  for (size_t i = 0; i < extreme && memory && radius > 0.0; ++i) {
    memory = push_round(b, mark->vertices + i, ball);
  }
  return memory && finish_convex(b, mark) ? VOUCH_RET_OK : take_back(b, mark);
}

vouch_ret_t vouch_geometry_add_hull(
  vouch_geometry_builder_t * builder, const double(*points)[3], size_t count, double radius)
{
  vouch_ret_t code = check_radius(radius);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  if (count == 0) {
    return vouch_fail(VOUCH_RET_INVALID, "a convex shape without points");
  }
  for (size_t i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) {
      if (!vouch_is_coordinate(points[i][k])) {
        return vouch_fail(
          VOUCH_RET_INVALID, "point %zu of a convex shape has the coordinate %g (at most 1e6 m)", i,
          points[i][k]);
      }
    }
  }
  mark_t mark = begin_shape(builder);
  for (size_t i = 0; i < count; ++i) {
    if (!push_vertex(builder, points[i])) {
      return take_back(builder, &mark);
    }
  }
  return finish_hull(builder, &mark, radius);
}

/// Turning by quarters leaves axes on axes: quaternions that say so only up to their rounding would
/// make tiny numbers of zeros.
static mat3_t rotation_of(const vouch_pose_t * pose)
{
  mat3_t rotation = mat3_from_quaternion(pose->rotation), quarters;
  for (int k = 0; k < 9; ++k) {
    quarters.m[k] = rint(rotation.m[k]);
    if (!(fabs(rotation.m[k] - quarters.m[k]) <= 1e-15)) {
      return rotation;
    }
  }
  return quarters;
}

/// A vertex of a curved shape on the z axis of its frame, with half-axes of these lengths along the
/// frame's axes; without, if they are 0.
static vouch_ret_t push_curved(
  vouch_geometry_builder_t * b, const rigid_t * frame, double z, const double lengths[3])
{
  double v[3], axes[9];
  vec3_store(rigid_apply(frame, vec3(0.0, 0.0, z)), v);
  bool good = true;
  for (int k = 0; k < 9; ++k) {   // column k / 3 of the rotation
    axes[k] = frame->rotation.m[3 * (k % 3) + k / 3] * lengths[k / 3];
    good = good && vouch_is_coordinate(axes[k]) && vouch_is_coordinate(v[k % 3]);
  }
  if (!good) {
    return vouch_fail(
      VOUCH_RET_INVALID, "a curved shape reaches further than 1e6 m from the origin of its frame");
  }
  bool round = lengths[0] > 0.0;
  return push_vertex(b, v) && (!round || push_round(b, b->vertex_count - 1, axes)) ?
         VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

static vouch_ret_t check_curved(const vouch_curved_t * curved)
{
  if (curved->look != VOUCH_LOOK_CYLINDER && curved->look != VOUCH_LOOK_CONE &&
    curved->look != VOUCH_LOOK_ELLIPSOID)
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "a curved shape of the unknown kind %d", (int)curved->look);
  }
  int sizes = curved->look == VOUCH_LOOK_ELLIPSOID ? 3 : 2;
  for (int k = 0; k < sizes; ++k) {
    if (!(vouch_is_coordinate(curved->size[k]) && curved->size[k] > 0.0)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "a cylinder, cone or ellipsoid of size %g m: sizes must be positive and "
        "at most 1e6", curved->size[k]);
    }
  }
  return vouch_is_pose(&curved->pose) ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "a shape's pose needs a quaternion of length 1 (within 1e-3) and finite "
    "coordinates up to 1e6 m");
}

vouch_ret_t vouch_geometry_add_curved(
  vouch_geometry_builder_t * builder, const vouch_curved_t * curved)
{
  vouch_ret_t code = check_curved(curved);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  const double * size = curved->size, none[3] = {0.0, 0.0, 0.0};
  const double disc[3] = {size[0], size[0], 0.0};
  rigid_t frame = {rotation_of(&curved->pose), vec3_from(curved->pose.translation)};
  mark_t mark = begin_shape(builder);
  if (curved->look == VOUCH_LOOK_ELLIPSOID) {
    code = push_curved(builder, &frame, 0.0, size);
  } else {
    code = push_curved(builder, &frame, -size[1], disc);
    code = code != VOUCH_RET_OK ? code : push_curved(
      builder, &frame, size[1], curved->look == VOUCH_LOOK_CYLINDER ? disc : none);
  }
  if (code == VOUCH_RET_OK && !finish_convex(builder, &mark)) {
    code = VOUCH_RET_NO_MEMORY;
  }
  if (code != VOUCH_RET_OK) {
    (void)take_back(builder, &mark);
  }
  return code;
}

/* ---- meshes ---- */

/// Solid when closed. A component of nothing but degenerate triangles is a set of segments with
/// nothing inside: a surface.
static vouch_component_kind_t component_kind(
  const vouch_geometry_builder_t * b, bool closed, bool area)
{
  if (closed) {
    return VOUCH_COMPONENT_SOLID;
  }
  return b->options.surfaces || !area ? VOUCH_COMPONENT_SURFACE : VOUCH_COMPONENT_OPEN;
}

static bool push_triangles(
  vouch_geometry_builder_t * b, const vouch_mesh_t * mesh, const uint32_t * component,
  const mark_t * mark)
{
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    vouch_primitive_t primitive = {
      .kind = VOUCH_PRIMITIVE_TRIANGLE, .component = (uint32_t)mark->components + component[t],
      .first = (uint32_t)b->index_count, .count = 3,
    };
    for (int k = 0; k < 3; ++k) {
      if (!push_index(b, mark->vertices + mesh->triangles[t][k])) {
        return false;
      }
    }
    if (!push_primitive(b, primitive)) {
      return false;
    }
  }
  return true;
}

static bool push_components(
  vouch_geometry_builder_t * b, const vouch_mesh_t * mesh, const uint32_t * component,
  const bool * closed, size_t count)
{
  bool * area = vouch_calloc(&b->allocator, count, sizeof(area[0]));
  if (area == NULL) {
    return false;
  }
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t * c = mesh->triangles[t];
    area[component[t]] = area[component[t]] || (c[0] != c[1] && c[1] != c[2] && c[2] != c[0]);
  }
  bool memory = true;
  for (size_t i = 0; i < count && memory; ++i) {
    memory = push_component(b, component_kind(b, closed[i], area[i]));
  }
  vouch_free(&b->allocator, area);
  return memory;
}

/// `mesh` is welded and all its vertices are in use.
static vouch_ret_t add_welded(vouch_geometry_builder_t * b, const vouch_mesh_t * mesh)
{
  mark_t mark = begin_shape(b);
  for (size_t i = 0; i < mesh->vertex_count; ++i) {
    if (!push_vertex(b, mesh->vertices[i])) {
      return take_back(b, &mark);
    }
  }
  if (b->options.hulls) {
    return finish_hull(b, &mark, 0.0);
  }
  uint32_t * component = vouch_calloc(&b->allocator, mesh->triangle_count, sizeof(component[0]));
  bool * closed = NULL;
  size_t count = 0;
  vouch_ret_t code = component == NULL ? VOUCH_RET_NO_MEMORY :
    vouch_mesh_components(mesh, component, &closed, &count);
  if (code == VOUCH_RET_OK && !(push_triangles(b, mesh, component, &mark) &&
    push_components(b, mesh, component, closed, count) && end_shape(b, &mark)))
  {
    code = VOUCH_RET_NO_MEMORY;
  }
  vouch_free(&b->allocator, component);
  vouch_free(&mesh->allocator, closed);
  if (code != VOUCH_RET_OK) {
    (void)take_back(b, &mark);
  }
  return code;
}

vouch_ret_t vouch_geometry_add_mesh(vouch_geometry_builder_t * builder, const vouch_mesh_t * mesh)
{
  vouch_ret_t code = vouch_mesh_validate(mesh);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  // A welded copy; the caller's mesh stays as it is.
  vouch_mesh_t copy = vouch_mesh_zero(builder->allocator);
  copy.vertices = vouch_calloc(&copy.allocator, mesh->vertex_count, sizeof(copy.vertices[0]));
  copy.triangles = vouch_calloc(&copy.allocator, mesh->triangle_count, sizeof(copy.triangles[0]));
  code = VOUCH_RET_NO_MEMORY;
  if (copy.vertices != NULL && copy.triangles != NULL) {
    memcpy(copy.vertices, mesh->vertices, mesh->vertex_count * sizeof(copy.vertices[0]));
    memcpy(copy.triangles, mesh->triangles, mesh->triangle_count * sizeof(copy.triangles[0]));
    copy.vertex_count = copy.vertex_capacity = mesh->vertex_count;
    copy.triangle_count = copy.triangle_capacity = mesh->triangle_count;
    code = vouch_mesh_weld(&copy);
    code = code != VOUCH_RET_OK ? code : add_welded(builder, &copy);
  }
  vouch_mesh_fini(&copy);
  return code;
}
