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

#include "check/witness.h"

#include <math.h>

#include "base/bytes.h"
#include "base/error.h"
#include "geometry/nearest.h"

void check_put_time(vouch_text_t * out, search_time_t time)
{
  const uint32_t finest = 50;   // a time that is finer than ticks is told as the one before it
  vouch_bytes_put_u64(
    out, time.depth > finest ? time.numerator >> (time.depth - finest) :
    time.numerator << (finest - time.depth));
  vouch_bytes_put_u32(out, time.segment);
  vouch_bytes_put_u32(out, 0);
}

/// A point of a primitive as the file has it.
typedef struct point_s
{
  double u[3], t, weight[3];
  uint32_t index[4];
} point_t;

static void put_point(vouch_text_t * out, const point_t * point)
{
  vouch_bytes_put_f64(out, point->u, 3);
  vouch_bytes_put_f64(out, &point->t, 1);
  vouch_bytes_put_f64(out, point->weight, 3);
  vouch_bytes_put_u32s(out, point->index, 4);
}

/// In the unit ball, rounding included.
static void store_unit(vec3_t u, double out[3])
{
  double limit = 1.0 - 1e-13, length = vec3_norm(u);
  vec3_store(vec3_scale(u, length > limit ? limit / length : 1.0), out);
}

/// As weights of at most four of the primitive's vertices, plus an offset inside its ball.
static vouch_ret_t vertex_point(
  const vouch_checker_t * c, const vouch_geometry_t * g, const vouch_primitive_t * primitive,
  vec3_t at, point_t * point)
{
  vouch_cloud_t cloud = {0};
  if (!vouch_cloud_reserve(&cloud, &c->allocator, primitive->count)) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (uint32_t i = 0; i < primitive->count; i++) {
    vouch_cloud_add(&cloud, vec3_from(g->vertices[g->indices[primitive->first + i]]));
  }
  vouch_nearest_t nearest = vouch_cloud_nearest(
    &cloud, at, (vouch_nearest_options_t) {HUGE_VAL, 1e-12});
  uint32_t largest = 0;
  for (uint32_t i = 0; i < nearest.count; i++) {
    largest = nearest.weight[i] > nearest.weight[largest] ? i : largest;
  }
  /* The largest weight comes last, where it is 1 minus the others. */
  for (uint32_t i = 0, k = 0; i < nearest.count; i++) {
    uint32_t slot = i == largest ? 3u : k++;
    point->index[slot] = nearest.index[i];
    if (slot < 3) {
      point->weight[slot] = nearest.weight[i];
    }
  }
  if (primitive->radius > 0.0) {
    store_unit(vec3_scale(nearest.offset, -1.0 / primitive->radius), point->u);
  }
  vouch_cloud_fini(&cloud, &c->allocator);
  return VOUCH_RET_OK;
}

/// Across the shape as a part of its radii, along it as a part of its height.
static void curved_point(
  const vouch_curved_t * curved, uint8_t kind, vec3_t at, point_t * point)
{
  rigid_t pose = rigid_from_pose(&curved->pose);
  vec3_t y = vec3_scale(rigid_unapply(&pose, at), 1.0 - 1e-13);
  const double * s = curved->size;
  if (kind == VOUCH_PRIMITIVE_ELLIPSOID) {
    store_unit(vec3(y.x / s[0], y.y / s[1], y.z / s[2]), point->u);
    return;
  }
  point->t = fmax(-1.0, fmin(1.0, y.z / s[1]));
  double across = s[0] * (kind == VOUCH_PRIMITIVE_CONE ? (1.0 - point->t) * 0.5 : 1.0);
  if (across > 0.0) {
    store_unit(vec3(y.x / across, y.y / across, 0.0), point->u);
  }
}

static vouch_ret_t put_points(
  const vouch_checker_t * c, const vouch_geometry_t * g, uint32_t number, const vec3_t at[4],
  vouch_text_t * out)
{
  const vouch_primitive_t * primitive = &g->primitives[number];
  vouch_ret_t ret = VOUCH_RET_OK;
  for (int i = 0; i < 4 && ret == VOUCH_RET_OK; i++) {
    point_t point = {.t = 0.0};
    if (primitive->kind < VOUCH_PRIMITIVE_CYLINDER) {
      ret = vertex_point(c, g, primitive, at[i], &point);
    } else {
      curved_point(&g->curved[primitive->first], primitive->kind, at[i], &point);
    }
    put_point(out, &point);
  }
  return ret;
}

/* Points of a plane (z = 0) or half-space (z <= 0) in its own axes, so that the differences to
 * those of the body enclose 0: around the body's deepest point; around the place where the segment
 * between its two points goes through the plane, two for either; or the foot of the nearest one. */
static void plane_points(
  const vouch_body_t * plane, const search_contact_t * contact, vec3_t out[4])
{
  rigid_t placed = rigid_from_pose(&plane->placement);
  vec3_t x = rigid_unapply(&placed, contact->points_b[0]);
  vec3_t y = rigid_unapply(&placed, contact->points_b[1]);
  bool met = contact->kind == VOUCH_CONTACT_CONTACT, thin = plane->kind == VOUCH_BODY_PLANE;
  double part = thin && met ? x.z / (x.z - y.z) : 0.0;
  vec3_t middle = vec3_add(x, vec3_scale(vec3_sub(y, x), part));
  double wide = met ? 0.01 + vec3_norm(vec3_sub(y, x)) : 0.0, deep = met && !thin ? x.z / 2.0 : 0.0;
  for (int i = 0; i < 4; i++) {
    double along = i % 2 == 0 ? wide : -wide;
    double z = thin || !met ? 0.0 : x.z + (i < 2 ? -deep : deep);
    out[i] = vec3(middle.x + (i < 2 ? along : 0.0), middle.y + (i < 2 ? 0.0 : along), z);
  }
}

/// Four points of each body; the last of fewer is repeated.
static vouch_ret_t put_both(
  const vouch_checker_t * c, const search_contact_t * contact, int count, vouch_text_t * out)
{
  const vouch_problem_t * problem = &c->build.problem;
  const vouch_body_t * a = &problem->scene.bodies[contact->body_a];
  const vouch_body_t * b = &problem->scene.bodies[contact->body_b];
  bool plane = b->kind != VOUCH_BODY_GEOMETRY;
  vec3_t of_a[4], of_b[4];
  for (int i = 0; i < 4; i++) {
    of_a[i] = contact->points_a[plane ? i / 2 : i < count ? i : count - 1];
    of_b[i] = contact->points_b[plane ? 0 : i < count ? i : count - 1];
  }
  vouch_bytes_put_u32(out, 8);
  vouch_ret_t ret = put_points(
    c, problem->geometry.geometries[a->geometry], contact->primitive_a, of_a, out);
  if (ret != VOUCH_RET_OK || !plane) {
    return ret != VOUCH_RET_OK ? ret : put_points(
      c, problem->geometry.geometries[b->geometry], contact->primitive_b, of_b, out);
  }
  plane_points(b, contact, of_b);
  for (int i = 0; i < 4; i++) {
    point_t point = {.t = 0.0};
    vec3_store(of_b[i], point.u);
    put_point(out, &point);
  }
  return VOUCH_RET_OK;
}

/// The pair that checks two bodies, and the group of b in it (0 for a pair of bodies).
static bool find_pair(
  const vouch_scene_part_t * scene, uint32_t a, uint32_t b, uint32_t found[2])
{
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    const vouch_pair_t * pair = &scene->pairs[i];
    bool groups = pair->kind == VOUCH_PAIR_GROUP;
    for (uint32_t g = 0; pair->a == a && g < (groups ? scene->group_count : 1); g++) {
      if (groups ? scene->groups[g].body == b && pair->leaf_margins[g] >= 0.0 : pair->b == b) {
        found[0] = i;
        found[1] = g;
        return true;
      }
    }
  }
  return false;
}

vouch_ret_t check_put_witness(
  const vouch_checker_t * c, const search_contact_t * contact, vouch_text_t * out)
{
  const vouch_scene_part_t * scene = &c->build.problem.scene;
  bool contained = contact->shown == SEARCH_SHOWN_CONTAINMENT, in_a = contact->contained.solid_in_a;
  uint32_t parts[2] = {contact->primitive_a, contact->primitive_b}, pair[2];
  if (!find_pair(scene, contact->body_a, contact->body_b, pair)) {
    return vouch_fail(VOUCH_RET_INTERNAL, "a contact of a pair that is not checked");
  }
  if (contained) {
    parts[0] = in_a ? contact->contained.solid : contact->contained.other;
    parts[1] = in_a ? contact->contained.other : contact->contained.solid;
  } else if (scene->bodies[contact->body_b].kind != VOUCH_BODY_GEOMETRY) {
    parts[1] = 0;
  }
  vouch_bytes_put_u32s(out, pair, 2);
  vouch_bytes_put_u32(out, contained && !in_a ? 1 : 0);
  vouch_bytes_put_u32s(out, parts, 2);
  switch (contact->shown) {
    case SEARCH_SHOWN_OVERLAP:
      return put_both(c, contact, 4, out);
    case SEARCH_SHOWN_PLANE:
    case SEARCH_SHOWN_MARGIN:
      return put_both(c, contact, 1, out);
    case SEARCH_SHOWN_CONTAINMENT:
      vouch_bytes_put_u32(out, 0);
      vouch_bytes_put_f32(out, contact->contained.ray, 3);
      return VOUCH_RET_OK;
  }
  return vouch_fail(VOUCH_RET_INTERNAL, "a contact without a witness");
}
