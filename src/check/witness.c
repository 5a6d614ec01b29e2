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
  while (time.depth > 0 && time.numerator % 2u == 0) {
    time.numerator /= 2u;
    time.depth--;
  }
  vouch_bytes_put_u32(out, time.segment);
  vouch_bytes_put_u64(out, time.numerator);
  vouch_bytes_put_u8(out, (uint8_t)time.depth);
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
  vouch_bytes_put_u32s(out, index, 4);
  vouch_bytes_put_f64(out, weight, 3);
  vouch_bytes_put_f64(out, offset, 3);
  vouch_cloud_fini(&cloud, &c->allocator);
  return VOUCH_RET_OK;
}

static vouch_ret_t put_point(
  const vouch_checker_t * c, const vouch_geometry_t * g, uint32_t number, vec3_t point,
  vouch_text_t * out)
{
  const vouch_primitive_t * primitive = &g->primitives[number];
  bool curved = primitive->kind >= VOUCH_PRIMITIVE_CYLINDER;
  vouch_bytes_put_u32(out, number);
  vouch_bytes_put_u8(out, curved ? 1 : 0);
  if (!curved) {
    return put_vertex_point(c, g, primitive, point, out);
  }
  rigid_t pose = rigid_from_pose(&g->curved[primitive->first].pose);
  double local[3];
  vec3_store(vec3_scale(rigid_unapply(&pose, point), 1.0 - 1e-13), local);
  vouch_bytes_put_f64(out, local, 3);
  return VOUCH_RET_OK;
}

static vouch_ret_t put_points(
  const vouch_checker_t * c, const search_contact_t * contact, int count, vouch_text_t * out)
{
  const vouch_problem_t * problem = &c->build.problem;
  const vouch_body_t * a = &problem->scene.bodies[contact->body_a];
  const vouch_body_t * b = &problem->scene.bodies[contact->body_b];
  vouch_ret_t ret = VOUCH_RET_OK;
  for (int i = 0; i < count && ret == VOUCH_RET_OK; i++) {
    ret = put_point(
      c, problem->geometry.geometries[a->geometry], contact->primitive_a, contact->points_a[i],
      out);
  }
  for (int i = 0; i < count && ret == VOUCH_RET_OK && b->kind == VOUCH_BODY_GEOMETRY; i++) {
    ret = put_point(
      c, problem->geometry.geometries[b->geometry], contact->primitive_b, contact->points_b[i],
      out);
  }
  return ret;
}

vouch_ret_t check_put_witness(
  const vouch_checker_t * c, const search_contact_t * contact, vouch_text_t * out)
{
  vouch_bytes_put_u32(out, contact->body_a);
  vouch_bytes_put_u32(out, contact->body_b);
  vouch_bytes_put_u8(out, (uint8_t)contact->shown);
  switch (contact->shown) {
    case SEARCH_SHOWN_OVERLAP:
      return put_points(c, contact, 4, out);
    case SEARCH_SHOWN_MARGIN:
      return put_points(c, contact, 1, out);
    case SEARCH_SHOWN_CONTAINMENT:
      vouch_bytes_put_u8(out, contact->contained.solid_in_a ? 0 : 1);
      vouch_bytes_put_u32(out, contact->contained.solid);
      vouch_bytes_put_u32(out, contact->contained.other);
      vouch_bytes_put_f32(out, contact->contained.ray, 3);
      return VOUCH_RET_OK;
    case SEARCH_SHOWN_PLANE: {
        const vouch_body_t * plane = &c->build.problem.scene.bodies[contact->body_b];
        bool two = plane->kind == VOUCH_BODY_PLANE && contact->kind == VOUCH_CONTACT_CONTACT;
        vouch_bytes_put_u8(out, two ? 2 : 1);
        return put_points(c, contact, two ? 2 : 1, out);
      }
  }
  return vouch_fail(VOUCH_RET_INTERNAL, "a contact without a witness");
}
