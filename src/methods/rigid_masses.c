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

/* Mass distributions that are given instead of the vertices. Whatever they are, what is proved with
 * their metric holds (metric.h); bad ones only prove little, so those are refused. */

#include <jansson.h>

#include "base/error.h"
#include "base/memory.h"
#include "methods/rigid_body.h"

/* Masses without depth have a distortion rate of this and more beside their plane. */
#define LARGEST_RHO 1e4

static vouch_ret_t validate(const vouch_mass_t * masses, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++) {
      if (!(fabs(masses[i].point[k]) <= 1e6)) {
        return vouch_fail(
          VOUCH_RET_INVALID, "mass %zu: coordinates must be finite and at most 1e6 m", i);
      }
    }
    if (!(masses[i].weight > 0.0) || !(masses[i].weight <= 1e12)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "mass %zu: the weight must be positive and at most 1e12, not %g", i,
        masses[i].weight);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t take_masses(
  vouch_rigid_body_t * body, const vec3_t * points, const double * weights, size_t count)
{
  const metric_t before = body->metric;
  metric_t metric;
  if (count == 0 || !metric_from_points(&metric, points, weights, count)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "all masses lie in one point: they make no metric; spread them over the "
      "body");
  }
  body->metric = metric;
  body_take_metric(body);
  if (metric.flat && !(body->nodes[0].rho <= LARGEST_RHO)) {
    body->metric = before;
    body_take_metric(body);
    return vouch_fail(
      VOUCH_RET_INVALID, "the masses lie in a plane or on a line, but the body does not: next to "
      "nothing could be tolerated beside it; add masses on both sides");
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_rigid_body_set_masses(
  vouch_rigid_body_t * body, const vouch_mass_t * masses, size_t count)
{
  VOUCH_REQUIRE("body", body);
  VOUCH_REQUIRE_ARRAY("masses", masses, count);
  const vouch_allocator_t * allocator = &body->mesh.allocator;
  vouch_ret_t ret = validate(masses, count);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vec3_t * points = vouch_calloc(allocator, count, sizeof(vec3_t));
  double * weights = vouch_calloc(allocator, count, sizeof(double));
  ret = points == NULL || weights == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
  if (ret == VOUCH_RET_OK) {
    for (size_t i = 0; i < count; i++) {
      points[i] = vec3_from(masses[i].point);
      weights[i] = masses[i].weight;
    }
    ret = take_masses(body, points, weights, count);
  }
  vouch_free(allocator, points);
  vouch_free(allocator, weights);
  return ret;
}

static vouch_ret_t read_mass(const json_t * entry, size_t number, vouch_mass_t * mass)
{
  size_t size = json_array_size(entry);
  double values[4] = {0.0, 0.0, 0.0, 1.0};
  bool good = size == 3 || size == 4;
  for (size_t i = 0; i < size && good; i++) {
    good = json_is_number(json_array_get(entry, i));
    values[i] = json_number_value(json_array_get(entry, i));
  }
  *mass = (vouch_mass_t) {{values[0], values[1], values[2]}, values[3]};
  return good ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "mass %zu must be [x, y, z] or [x, y, z, weight]", number);
}

static vouch_ret_t masses_from_json(vouch_rigid_body_t * body, const json_t * root)
{
  size_t count = json_array_size(root);
  vouch_ret_t ret = VOUCH_RET_OK;
  if (!json_is_array(root)) {
    return vouch_fail(VOUCH_RET_INVALID, "masses must be an array of [x, y, z, weight]");
  }
  vouch_mass_t * masses = vouch_calloc(&body->mesh.allocator, count, sizeof(vouch_mass_t));
  if (masses == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < count && ret == VOUCH_RET_OK; i++) {
    ret = read_mass(json_array_get(root, i), i, &masses[i]);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_rigid_body_set_masses(body, masses, count);
  }
  vouch_free(&body->mesh.allocator, masses);
  return ret;
}

vouch_ret_t vouch_rigid_body_load_masses(vouch_rigid_body_t * body, const char * path)
{
  VOUCH_REQUIRE("body, path", body, path);
  json_error_t error;
  json_t * root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  vouch_ret_t ret = root != NULL ? masses_from_json(body, root) : vouch_fail(
    error.line < 0 ? VOUCH_RET_IO : VOUCH_RET_INVALID, "line %d: %s",
    error.line < 0 ? 0 : error.line, error.text);
  json_decref(root);
  return ret == VOUCH_RET_OK ? ret : vouch_fail_prefix(ret, "%s", path);
}
