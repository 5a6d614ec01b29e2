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
#include "proof/encode.h"

uint64_t check_ticks(search_time_t time)
{
  uint32_t finest = PROOF_TICK_BITS;
  uint64_t within = time.depth > finest ? time.numerator >> (time.depth - finest) :
    time.numerator << (finest - time.depth);
  return ((uint64_t)time.segment << finest) + within;
}

/// A point of a primitive as the file has it.
typedef struct point_s
{
  double u[3], weight[3];
  uint32_t position[4];
} point_t;

static void put_point(vouch_text_t * out, const point_t * point)
{
  vouch_bytes_put_f64(out, point->u, 3);
  vouch_bytes_put_f64(out, point->weight, 3);
  vouch_bytes_put_u32s(out, point->position, 4);
}

/// In the unit ball, rounding included.
static void store_unit(vec3_t u, double out[3])
{
  double limit = 1.0 - 1e-13, length = vec3_norm(u);
  vec3_store(vec3_scale(u, length > limit ? limit / length : 1.0), out);
}

/// The largest weight comes last, where it is 1 minus the others.
static void set_weights(const vouch_nearest_t * nearest, point_t * point)
{
  uint32_t largest = 0;
  for (uint32_t i = 0; i < nearest->count; i++) {
    largest = nearest->weight[i] > nearest->weight[largest] ? i : largest;
  }
  for (uint32_t i = 0, k = 0; i < nearest->count; i++) {
    uint32_t slot = i == largest ? 3u : k++;
    point->position[slot] = nearest->index[i];
    if (slot < 3) {
      point->weight[slot] = nearest->weight[i];
    }
  }
}

/// The u of a point, from its weights: what its mixture of half-axes adds to that of the vertices
/// is `offset`. Half-axes that are not orthogonal take more than one round.
static void set_u(
  const vouch_geometry_t * g, const uint32_t * list, const vouch_nearest_t * nearest,
  vec3_t offset, point_t * point)
{
  vec3_t axes[3] = {vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)};
  double u[3] = {0.0, 0.0, 0.0};
  for (uint32_t i = 0; i < nearest->count; i++) {
    const double * round = vouch_geometry_round(g, list[nearest->index[i]]);
    for (int k = 0; k < 3 && round != NULL; k++) {
      axes[k] = vec3_add(axes[k], vec3_scale(vec3_from(round + 3 * k), nearest->weight[i]));
    }
  }
  for (int i = 0; i < 48; i++) {
    int k = i % 3;
    double square = vec3_dot(axes[k], axes[k]), step = vec3_dot(axes[k], offset) / square;
    if (square > 0.0 && isfinite(step)) {
      u[k] += step;
      offset = vec3_sub(offset, vec3_scale(axes[k], step));
    }
  }
  store_unit(vec3_from(u), point->u);
}

/* Weights of at most four vertices of the primitive, and u. Of spheres, capsules, rounded bodies,
 * cylinders, cones and ellipsoids the nearest mixture of vertices is the one: what remains lies
 * across the axis, or leads straight out. */
static vouch_ret_t find_point(
  const vouch_checker_t * c, const vouch_geometry_t * g, const vouch_primitive_t * primitive,
  vec3_t at, point_t * point)
{
  const uint32_t * list = g->indices + primitive->first;
  vouch_cloud_t cloud = {0};
  if (!vouch_cloud_reserve(&cloud, &c->allocator, primitive->count)) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (uint32_t i = 0; i < primitive->count; i++) {
    vouch_cloud_add(&cloud, vec3_from(g->vertices[list[i]]));
  }
  vouch_nearest_t nearest = vouch_cloud_nearest(
    &cloud, at, (vouch_nearest_options_t) {HUGE_VAL, 1e-12});
  set_weights(&nearest, point);
  set_u(g, list, &nearest, vec3_neg(nearest.offset), point);
  vouch_cloud_fini(&cloud, &c->allocator);
  return VOUCH_RET_OK;
}

static vouch_ret_t put_points(
  const vouch_checker_t * c, const vouch_geometry_t * g, uint32_t number, const vec3_t at[4],
  vouch_text_t * out)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (int i = 0; i < 4 && ret == VOUCH_RET_OK; i++) {
    point_t point = {.u = {0.0}};
    ret = find_point(c, g, &g->primitives[number], at[i], &point);
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
    point_t point = {.u = {0.0}};   // beside the only vertex
    vec3_store(of_b[i], point.u);
    put_point(out, &point);
  }
  return VOUCH_RET_OK;
}

/// The node that is a primitive.
static uint32_t find_node(const vouch_geometry_t * g, uint32_t primitive)
{
  for (uint32_t i = 0; i < g->node_count; i++) {
    if (g->nodes[i].left == 0 && g->nodes[i].first == primitive) {
      return i;
    }
  }
  return VOUCH_NONE;
}

static const vouch_geometry_t * geometry_of(const vouch_checker_t * c, uint32_t body)
{
  const vouch_problem_t * problem = &c->build.problem;
  uint32_t number = problem->scene.bodies[body].geometry;
  return number == VOUCH_NONE ? NULL : problem->geometry.geometries[number];
}

/// Time, pair, bodies, parts, side, solid, before.
static vouch_ret_t put_place(
  const vouch_checker_t * c, const search_contact_t * contact, vouch_text_t * out)
{
  bool contained = contact->shown == SEARCH_SHOWN_CONTAINMENT, in_a = contact->contained.solid_in_a;
  const vouch_geometry_t * a = geometry_of(c, contact->body_a);
  const vouch_geometry_t * b = geometry_of(c, contact->body_b);
  search_time_t time = contact->time;
  uint32_t parts[2] = {0, 0}, solid = 0;
  if (contained) {
    parts[0] = find_node(in_a ? b : a, contact->contained.primitive);
    solid = contact->contained.solid;
  } else {
    parts[0] = find_node(a, contact->primitive_a);
    parts[1] = b == NULL ? 0 : find_node(b, contact->primitive_b);
  }
  vouch_bytes_put_u64(out, check_ticks(time));
  vouch_bytes_put_u32(out, contact->pair);
  vouch_bytes_put_u32(out, contact->body_a);
  vouch_bytes_put_u32(out, contact->body_b);
  vouch_bytes_put_u32s(out, parts, 2);
  vouch_bytes_put_u32(out, contained && !in_a ? 1 : 0);
  vouch_bytes_put_u32(out, solid);
  vouch_bytes_put_u32(out, time.numerator >> time.depth == 1u ? 1 : 0);
  return parts[0] != VOUCH_NONE && parts[1] != VOUCH_NONE ? VOUCH_RET_OK :
         vouch_fail(VOUCH_RET_INTERNAL, "a contact of a primitive that is not in the tree");
}

vouch_ret_t check_put_witness(
  const vouch_checker_t * c, const search_contact_t * contact, vouch_text_t * out)
{
  vouch_ret_t ret = put_place(c, contact, out);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  switch (contact->shown) {
    case SEARCH_SHOWN_OVERLAP:
      return put_both(c, contact, 4, out);
    case SEARCH_SHOWN_PLANE:
    case SEARCH_SHOWN_MARGIN:
      return put_both(c, contact, 1, out);
    case SEARCH_SHOWN_CONTAINMENT:
      vouch_bytes_put_u32(out, 0);
      vouch_bytes_put_u8(out, PROOF_RAY);
      vouch_bytes_put_f32(out, contact->contained.ray, 3);
      return VOUCH_RET_OK;
  }
  return vouch_fail(VOUCH_RET_INTERNAL, "a contact without a witness");
}
