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

/* Reads a motion from JSON. The format is in docs/rigid_motions.md; a key that is not understood
 * is an error. */

#include <jansson.h>

#include "base/error.h"
#include "base/memory.h"
#include "methods/rigid_motion.h"

#define MAX_POSES 4096

static vouch_ret_t refuse_unknown(const json_t * object, const char * const * known)
{
  const char * key;
  json_t * value;
  json_object_foreach((json_t *)(uintptr_t)object, key, value) {
    bool found = false;
    for (size_t i = 0; known[i] != NULL; i++) {
      found = found || strcmp(key, known[i]) == 0;
    }
    if (!found) {
      return vouch_fail(VOUCH_RET_INVALID, "unknown key \"%s\"", key);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_numbers(
  const json_t * array, const char * what, double * out, size_t count)
{
  if (!json_is_array(array) || json_array_size(array) != count) {
    return vouch_fail(VOUCH_RET_INVALID, "\"%s\" must be an array of %zu numbers", what, count);
  }
  for (size_t i = 0; i < count; i++) {
    const json_t * value = json_array_get(array, i);
    if (!json_is_number(value) || !isfinite(json_number_value(value))) {
      return vouch_fail(VOUCH_RET_INVALID, "\"%s\": entry %zu is not a number", what, i);
    }
    out[i] = json_number_value(value);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_number(const json_t * object, const char * key, double * out)
{
  const json_t * value = json_object_get(object, key);
  if (!json_is_number(value) || !isfinite(json_number_value(value))) {
    return vouch_fail(VOUCH_RET_INVALID, "\"%s\" is missing or not a number", key);
  }
  *out = json_number_value(value);
  return VOUCH_RET_OK;
}

/// {"rotation": [x, y, z, w], "translation": [x, y, z]}; each may be left out.
static vouch_ret_t read_pose(const json_t * object, vouch_pose_t * pose)
{
  static const char * const known[] = {"rotation", "translation", NULL};
  *pose = vouch_pose_identity();
  if (!json_is_object(object)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "a pose must be {\"rotation\": [x, y, z, w], \"translation\": [x, y, z]}");
  }
  vouch_ret_t ret = refuse_unknown(object, known);
  if (ret == VOUCH_RET_OK && json_object_get(object, "rotation") != NULL) {
    ret = read_numbers(json_object_get(object, "rotation"), "rotation", pose->rotation, 4);
  }
  if (ret == VOUCH_RET_OK && json_object_get(object, "translation") != NULL) {
    ret = read_numbers(
      json_object_get(object, "translation"), "translation", pose->translation, 3);
  }
  return ret == VOUCH_RET_OK ? pose_validate(pose) : ret;
}

static vouch_ret_t read_screw(vouch_rigid_motion_t * motion, const json_t * object, double duration)
{
  static const char * const between[] = {"type", "duration_s", "from", "to", NULL};
  static const char * const axis[] = {
    "type", "duration_s", "start", "point", "direction", "angle_rad", "travel_m", NULL
  };
  if (json_object_get(object, "from") != NULL) {
    vouch_pose_t from, to;
    vouch_ret_t ret = refuse_unknown(object, between);
    if (ret == VOUCH_RET_OK) {
      ret = read_pose(json_object_get(object, "from"), &from);
    }
    if (ret == VOUCH_RET_OK) {
      ret = read_pose(json_object_get(object, "to"), &to);
    }
    return ret == VOUCH_RET_OK ? vouch_rigid_motion_add_screw(motion, duration, &from, &to) : ret;
  }
  vouch_screw_t screw = {.start = vouch_pose_identity()};
  vouch_ret_t ret = refuse_unknown(object, axis);
  if (ret == VOUCH_RET_OK && json_object_get(object, "start") != NULL) {
    ret = read_pose(json_object_get(object, "start"), &screw.start);
  }
  if (ret == VOUCH_RET_OK) {
    ret = read_numbers(json_object_get(object, "point"), "point", screw.point, 3);
  }
  if (ret == VOUCH_RET_OK) {
    ret = read_numbers(json_object_get(object, "direction"), "direction", screw.direction, 3);
  }
  if (ret == VOUCH_RET_OK && json_object_get(object, "angle_rad") != NULL) {
    ret = read_number(object, "angle_rad", &screw.angle);
  }
  if (ret == VOUCH_RET_OK && json_object_get(object, "travel_m") != NULL) {
    ret = read_number(object, "travel_m", &screw.travel);
  }
  return ret == VOUCH_RET_OK ? vouch_rigid_motion_add_screw_axis(motion, duration, &screw) : ret;
}

static vouch_ret_t read_weights(
  const json_t * object, double * weights, size_t count, const double ** out)
{
  const json_t * array = json_object_get(object, "weights");
  *out = array == NULL ? NULL : weights;
  return array == NULL ? VOUCH_RET_OK : read_numbers(array, "weights", weights, count);
}

/// A control: a pose, or {"matrix": [12 numbers]}.
static vouch_ret_t read_control(const json_t * object, vouch_affine_t * control)
{
  const json_t * matrix = json_object_get(object, "matrix");
  if (matrix != NULL) {
    static const char * const known[] = {"matrix", NULL};
    vouch_ret_t ret = refuse_unknown(object, known);
    return ret == VOUCH_RET_OK ? read_numbers(matrix, "matrix", control->m, 12) : ret;
  }
  vouch_pose_t pose;
  vouch_ret_t ret = read_pose(object, &pose);
  if (ret == VOUCH_RET_OK) {
    rigid_t g = rigid_from_pose(&pose);
    *control = affine_from_rigid(&g);
  }
  return ret;
}

static vouch_ret_t read_bezier(
  vouch_rigid_motion_t * motion, const json_t * object, double duration)
{
  static const char * const known[] = {"type", "duration_s", "weights", "controls", NULL};
  const json_t * array = json_object_get(object, "controls");
  size_t count = json_array_size(array);
  vouch_ret_t ret = refuse_unknown(object, known);
  if (ret == VOUCH_RET_OK && (count < 2 || count > RIGID_MAX_DEGREE + 1)) {
    ret = vouch_fail(
      VOUCH_RET_INVALID, "\"controls\" has %zu entries; it must be 2 to %d poses or {\"matrix\": "
      "[12 numbers]}", count, RIGID_MAX_DEGREE + 1);
  }
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vouch_affine_t * controls = vouch_calloc(&motion->allocator, count, sizeof(*controls));
  double * storage = vouch_calloc(&motion->allocator, count, sizeof(*storage));
  const double * weights = NULL;
  ret = controls == NULL || storage == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
  for (size_t i = 0; i < count && ret == VOUCH_RET_OK; i++) {
    ret = read_control(json_array_get(array, i), &controls[i]);
    if (ret != VOUCH_RET_OK) {
      ret = vouch_fail_prefix(ret, "controls[%zu]", i);
    }
  }
  if (ret == VOUCH_RET_OK) {
    ret = read_weights(object, storage, count, &weights);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_rigid_motion_add_bezier(motion, duration, count - 1, weights, controls);
  }
  vouch_free(&motion->allocator, controls);
  vouch_free(&motion->allocator, storage);
  return ret;
}

/// Numbers of a quaternion curve as the file has them.
typedef struct curve_numbers_s
{
  double (*q)[4], (*x)[3], *weights;
} curve_numbers_t;

static vouch_ret_t read_curve(
  const json_t * object, const curve_numbers_t * n, vouch_quaternion_curve_t * curve)
{
  const json_t * r = json_object_get(object, "rotations");
  const json_t * t = json_object_get(object, "translations");
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; i <= curve->degree && ret == VOUCH_RET_OK; i++) {
    ret = read_numbers(json_array_get(r, i), "rotations", n->q[i], 4);
  }
  for (size_t i = 0; i <= curve->translation_degree && ret == VOUCH_RET_OK; i++) {
    ret = read_numbers(json_array_get(t, i), "translations", n->x[i], 3);
  }
  if (ret == VOUCH_RET_OK) {
    ret = read_weights(object, n->weights, curve->translation_degree + 1, &curve->weights);
  }
  if (ret == VOUCH_RET_OK && curve->shared && curve->weights != NULL) {
    ret = vouch_fail(VOUCH_RET_INVALID, "\"weights\" and \"shared_weights\" exclude each other");
  }
  return ret;
}

static vouch_ret_t read_quaternions(
  vouch_rigid_motion_t * motion, const json_t * object, double duration)
{
  static const char * const known[] = {
    "type", "duration_s", "rotations", "translations", "weights", "shared_weights", NULL
  };
  size_t count_r = json_array_size(json_object_get(object, "rotations"));
  size_t count_t = json_array_size(json_object_get(object, "translations"));
  const json_t * shared = json_object_get(object, "shared_weights");
  vouch_ret_t ret = refuse_unknown(object, known);
  if (ret == VOUCH_RET_OK && shared != NULL && !json_is_boolean(shared)) {
    ret = vouch_fail(VOUCH_RET_INVALID, "\"shared_weights\" must be true or false");
  }
  if (ret == VOUCH_RET_OK && (count_r < 1 || count_r > RIGID_MAX_DEGREE + 1 || count_t < 1 ||
    count_t > RIGID_MAX_DEGREE + 1))
  {
    ret = vouch_fail(
      VOUCH_RET_INVALID, "\"rotations\" must be 1 to %d quaternions, \"translations\" 1 to %d "
      "points", RIGID_MAX_DEGREE / 2 + 1, RIGID_MAX_DEGREE + 1);
  }
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_allocator_t * allocator = &motion->allocator;
  curve_numbers_t n = {
    vouch_calloc(allocator, count_r, sizeof(n.q[0])),
    vouch_calloc(allocator, count_t, sizeof(n.x[0])),
    vouch_calloc(allocator, count_t, sizeof(double))
  };
  vouch_quaternion_curve_t curve = {
    .degree = count_r - 1, .quaternions = (const double(*)[4])n.q,
    .translation_degree = count_t - 1, .translations = (const double(*)[3])n.x,
    .shared = json_is_true(shared)
  };
  ret = n.q == NULL || n.x == NULL || n.weights == NULL ? VOUCH_RET_NO_MEMORY :
    read_curve(object, &n, &curve);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_rigid_motion_add_quaternions(motion, duration, &curve);
  }
  vouch_free(allocator, n.q);
  vouch_free(allocator, n.x);
  vouch_free(allocator, n.weights);
  return ret;
}

static vouch_ret_t read_samples(
  vouch_rigid_motion_t * motion, const json_t * object, double duration)
{
  static const char * const known[] = {
    "type", "duration_s", "poses", "rotation_error_rad", "translation_error_m", NULL
  };
  const json_t * array = json_object_get(object, "poses");
  size_t count = json_array_size(array);
  double error[2];
  vouch_ret_t ret = refuse_unknown(object, known);
  if (ret == VOUCH_RET_OK && (count < 2 || count > MAX_POSES)) {
    ret = vouch_fail(VOUCH_RET_INVALID, "\"poses\" must be 2 to %d poses", MAX_POSES);
  }
  if (ret == VOUCH_RET_OK) {
    ret = read_number(object, "rotation_error_rad", &error[0]);
  }
  if (ret == VOUCH_RET_OK) {
    ret = read_number(object, "translation_error_m", &error[1]);
  }
  vouch_pose_t * poses = NULL;
  if (ret == VOUCH_RET_OK) {
    poses = vouch_calloc(&motion->allocator, count, sizeof(*poses));
    ret = poses == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
  }
  for (size_t i = 0; i < count && ret == VOUCH_RET_OK; i++) {
    ret = read_pose(json_array_get(array, i), &poses[i]);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_rigid_motion_add_samples(motion, duration, poses, count, error);
  }
  vouch_free(&motion->allocator, poses);
  return ret;
}

static vouch_ret_t read_segment(vouch_rigid_motion_t * motion, const json_t * object)
{
  const char * type = json_string_value(json_object_get(object, "type"));
  double duration = 1.0;
  if (json_object_get(object, "duration_s") != NULL) {
    vouch_ret_t ret = read_number(object, "duration_s", &duration);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  if (type != NULL && strcmp(type, "screw") == 0) {
    return read_screw(motion, object, duration);
  }
  if (type != NULL && strcmp(type, "bezier") == 0) {
    return read_bezier(motion, object, duration);
  }
  if (type != NULL && strcmp(type, "quaternion_curve") == 0) {
    return read_quaternions(motion, object, duration);
  }
  if (type != NULL && strcmp(type, "samples") == 0) {
    return read_samples(motion, object, duration);
  }
  return vouch_fail(
    VOUCH_RET_INVALID, "\"type\" is %s%s%s; it must be \"screw\", \"bezier\", \"quaternion_curve\" or "
    "\"samples\"", type == NULL ? "missing" : "\"", type == NULL ? "" : type,
    type == NULL ? "" : "\"");
}

static vouch_ret_t read_motion(vouch_rigid_motion_t * motion, const json_t * root)
{
  static const char * const known[] = {"segments", NULL};
  const json_t * segments = json_object_get(root, "segments");
  if (segments == NULL) {
    return read_segment(motion, root);
  }
  vouch_ret_t ret = refuse_unknown(root, known);
  if (ret == VOUCH_RET_OK && json_array_size(segments) == 0) {
    ret = vouch_fail(VOUCH_RET_INVALID, "\"segments\" must be an array of at least one segment");
  }
  for (size_t i = 0; i < json_array_size(segments) && ret == VOUCH_RET_OK; i++) {
    ret = read_segment(motion, json_array_get(segments, i));
    if (ret != VOUCH_RET_OK) {
      ret = vouch_fail_prefix(ret, "segments[%zu]", i);
    }
  }
  return ret;
}

/// Takes `root` (may be NULL: then `error` says why).
static vouch_ret_t motion_from_json(
  vouch_rigid_motion_t ** out, vouch_allocator_t allocator, json_t * root,
  const json_error_t * error)
{
  vouch_rigid_motion_t * motion = NULL;
  *out = NULL;
  if (root == NULL) {
    return vouch_fail(
      error->line < 0 ? VOUCH_RET_IO : VOUCH_RET_INVALID, "line %d: %s",
      error->line < 0 ? 0 : error->line, error->text);
  }
  vouch_ret_t ret = vouch_rigid_motion_create(&motion, allocator);
  if (ret == VOUCH_RET_OK) {
    ret = read_motion(motion, root);
  }
  json_decref(root);
  if (ret != VOUCH_RET_OK) {
    vouch_rigid_motion_destroy(motion);
    return ret;
  }
  *out = motion;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_rigid_motion_load(
  vouch_rigid_motion_t ** out, vouch_allocator_t allocator, const char * path)
{
  VOUCH_REQUIRE("out", out);
  *out = NULL;
  VOUCH_REQUIRE("path", path);
  json_error_t error;
  json_t * root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  vouch_ret_t ret = motion_from_json(out, allocator, root, &error);
  return ret == VOUCH_RET_OK ? ret : vouch_fail_prefix(ret, "%s", path);
}

vouch_ret_t vouch_rigid_motion_parse(
  vouch_rigid_motion_t ** out, vouch_allocator_t allocator, const char * text, size_t size)
{
  VOUCH_REQUIRE("out", out);
  *out = NULL;
  VOUCH_REQUIRE_ARRAY("text", text, size);
  json_error_t error;
  json_t * root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
  return motion_from_json(out, allocator, root, &error);
}
