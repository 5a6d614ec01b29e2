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

/// As weights of at most four of the primitive's vertices, plus an offset inside its ball.
static vouch_ret_t put_vertex_point(
  const vouch_checker_t * c, const vouch_geometry_t * g, const vouch_primitive_t * primitive,
  vec3_t point, vouch_text_t * out)
{
  vouch_cloud_t cloud = {0};
  if (!vouch_cloud_reserve(&cloud, &c->allocator, primitive->count)) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (uint32_t i = 0; i < primitive->count; i++) {
    vouch_cloud_add(&cloud, vec3_from(g->vertices[g->indices[primitive->first + i]]));
  }
  vouch_nearest_t nearest = vouch_cloud_nearest(
    &cloud, point, (vouch_nearest_options_t) {HUGE_VAL, 1e-12});
  uint32_t index[4] = {0, 0, 0, 0};
  double weight[4] = {0.0, 0.0, 0.0, 0.0};
  uint32_t largest = 0;
  for (uint32_t i = 0; i < nearest.count; i++) {
    largest = nearest.weight[i] > nearest.weight[largest] ? i : largest;
  }
  /* The largest weight comes last, where it is 1 minus the others. */
  for (uint32_t i = 0, k = 0; i < nearest.count; i++) {
    uint32_t slot = i == largest ? 3u : k++;
    index[slot] = nearest.index[i];
    weight[slot] = nearest.weight[i];
  }
  double limit = primitive->radius * (1.0 - 1e-13), length = nearest.distance;
  double shrink = length > limit ? limit / length : 1.0;
  double offset[3] = {0.0, 0.0, 0.0};
  if (primitive->radius > 0.0) {
    vec3_store(vec3_scale(nearest.offset, -shrink), offset);
  }
  vouch_bytes_put_f64(out, offset, 3);
  vouch_bytes_put_f64(out, weight, 3);
  vouch_bytes_put_u32s(out, index, 4);
  vouch_cloud_fini(&cloud, &c->allocator);
  return VOUCH_RET_OK;
}

static vouch_ret_t put_point(
  const vouch_checker_t * c, const vouch_geometry_t * g, uint32_t number, vec3_t point,
  vouch_text_t * out)
{
  const vouch_primitive_t * primitive = &g->primitives[number];
  if (primitive->kind < VOUCH_PRIMITIVE_CYLINDER) {
    return put_vertex_point(c, g, primitive, point, out);
  }
  rigid_t pose = rigid_from_pose(&g->curved[primitive->first].pose);
  const uint32_t index[4] = {0, 0, 0, 0};
  double local[3], weight[3] = {0.0, 0.0, 0.0};
  vec3_store(vec3_scale(rigid_unapply(&pose, point), 1.0 - 1e-13), local);
  vouch_bytes_put_f64(out, local, 3);
  vouch_bytes_put_f64(out, weight, 3);
  vouch_bytes_put_u32s(out, index, 4);
  return VOUCH_RET_OK;
}

/// Four points of each body that is no plane; the last of fewer is repeated.
static vouch_ret_t put_points(
  const vouch_checker_t * c, const search_contact_t * contact, int count, vouch_text_t * out)
{
  const vouch_problem_t * problem = &c->build.problem;
  const vouch_body_t * a = &problem->scene.bodies[contact->body_a];
  const vouch_body_t * b = &problem->scene.bodies[contact->body_b];
  bool both = b->kind == VOUCH_BODY_GEOMETRY;
  vouch_ret_t ret = VOUCH_RET_OK;
  vouch_bytes_put_u32(out, both ? 8 : 4);
  for (int i = 0; i < 4 && ret == VOUCH_RET_OK; i++) {
    ret = put_point(
      c, problem->geometry.geometries[a->geometry], contact->primitive_a,
      contact->points_a[i < count ? i : count - 1], out);
  }
  for (int i = 0; i < 4 && ret == VOUCH_RET_OK && both; i++) {
    ret = put_point(
      c, problem->geometry.geometries[b->geometry], contact->primitive_b,
      contact->points_b[i < count ? i : count - 1], out);
  }
  return ret;
}

vouch_ret_t check_put_witness(
  const vouch_checker_t * c, const search_contact_t * contact, vouch_text_t * out)
{
  const vouch_body_t * b = &c->build.problem.scene.bodies[contact->body_b];
  bool contained = contact->shown == SEARCH_SHOWN_CONTAINMENT, in_a = contact->contained.solid_in_a;
  const float none[3] = {0.0f, 0.0f, 0.0f};
  uint32_t parts[2] = {contact->primitive_a, contact->primitive_b};
  if (contained) {
    parts[0] = in_a ? contact->contained.solid : contact->contained.other;
    parts[1] = in_a ? contact->contained.other : contact->contained.solid;
  } else if (b->kind != VOUCH_BODY_GEOMETRY) {
    parts[1] = 0;
  }
  vouch_bytes_put_u32(out, contact->body_a);
  vouch_bytes_put_u32(out, contact->body_b);
  vouch_bytes_put_u32(out, contained ? 2 : 1);
  vouch_bytes_put_u32s(out, parts, 2);
  vouch_bytes_put_u32(out, contained && !in_a ? 1 : 0);
  vouch_bytes_put_f32(out, contained ? contact->contained.ray : none, 3);
  switch (contact->shown) {
    case SEARCH_SHOWN_OVERLAP:
      return put_points(c, contact, 4, out);
    case SEARCH_SHOWN_MARGIN:
      return put_points(c, contact, 1, out);
    case SEARCH_SHOWN_CONTAINMENT:
      vouch_bytes_put_u32(out, 0);
      return VOUCH_RET_OK;
    case SEARCH_SHOWN_PLANE: {
        bool two = b->kind == VOUCH_BODY_PLANE && contact->kind == VOUCH_CONTACT_CONTACT;
        return put_points(c, contact, two ? 2 : 1, out);
      }
  }
  return vouch_fail(VOUCH_RET_INTERNAL, "a contact without a witness");
}
