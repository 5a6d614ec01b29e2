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
#include "model/scene.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/sha256.h"

vouch_scene_options_t vouch_scene_options_default(void)
{
  return (vouch_scene_options_t) {
           .struct_size = sizeof(vouch_scene_options_t), .allocator = vouch_allocator_default()
  };
}

vouch_ret_t vouch_scene_create(
  vouch_scene_t ** out, const vouch_robot_t * robot, const vouch_scene_options_t * options)
{
  VOUCH_REQUIRE("scene", out);
  *out = NULL;
  VOUCH_REQUIRE("robot", robot);
  vouch_scene_options_t all = vouch_scene_options_default();
  if (options != NULL) {
    vouch_ret_t ret = vouch_options_check(
      "scene_options", options->struct_size, sizeof(all), &options->allocator);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    all = *options;
  }
  vouch_scene_t * scene = vouch_calloc(&all.allocator, 1, sizeof(*scene));
  if (scene == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  scene->allocator = all.allocator;
  scene->allowed.allocator = all.allocator;
  scene->sources.allocator = all.allocator;
  scene->robot = robot;
  scene->hulls = all.hulls;
  scene->surfaces = all.surfaces;
  scene->base = vouch_pose_identity();
  scene->link_padding = vouch_calloc(&all.allocator, robot->link_count, sizeof(double));
  scene->state = vouch_calloc(&all.allocator, robot->variable_count, sizeof(double));
  scene->velocities = vouch_calloc(&all.allocator, robot->variable_count, sizeof(double));
  scene->held = vouch_calloc(&all.allocator, robot->link_count, sizeof(*scene->held));
  if (all.base_directory != NULL) {
    scene->base_directory = vouch_strdup(&all.allocator, all.base_directory);
  }
  scene->held_known = vouch_calloc(&all.allocator, robot->link_count, sizeof(bool));
  if (scene->link_padding == NULL || scene->state == NULL || scene->velocities == NULL ||
    scene->held == NULL || scene->held_known == NULL ||
    (all.base_directory != NULL && scene->base_directory == NULL))
  {
    vouch_scene_destroy(scene);
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < robot->link_count; ++i) {
    scene->link_padding[i] = NAN;
    scene->held[i] = vouch_pose_identity();
  }
  for (size_t i = 0; i < robot->variable_count; ++i) {
    scene->state[i] = NAN;
  }
  *out = scene;
  return VOUCH_RET_OK;
}

void vouch_scene_clear_allowed(vouch_scene_t * scene)
{
  for (size_t i = 0; i < scene->allowed.name_count; ++i) {
    if (!vouch_scene_has_name(scene, scene->allowed.names[i])) {
      vouch_scene_forget_warnings(scene, scene->allowed.names[i]);
    }
  }
  vouch_scene_forget_warnings(scene, VOUCH_MATRIX);
  vouch_allowed_fini(&scene->allowed);
}

void vouch_scene_destroy(vouch_scene_t * scene)
{
  if (scene == NULL) {
    return;
  }
  const vouch_allocator_t allocator = scene->allocator;
  if (scene->link_padding != NULL) {
    vouch_scene_clear(scene, true);
  }
  for (size_t i = 0; i < scene->warning_count; ++i) {
    vouch_free(&allocator, scene->warnings[i].object);
    vouch_free(&allocator, scene->warnings[i].text);
  }
  vouch_free(&allocator, scene->warnings);
  vouch_sources_fini(&scene->sources);
  vouch_free(&allocator, scene->objects);
  vouch_name_index_fini(&scene->names, &allocator);
  vouch_free(&allocator, scene->transforms);
  vouch_free(&allocator, scene->margins);
  vouch_free(&allocator, scene->link_padding);
  vouch_free(&allocator, scene->state);
  vouch_free(&allocator, scene->velocities);
  vouch_free(&allocator, scene->held);
  vouch_free(&allocator, scene->held_known);
  vouch_free(&allocator, scene->base_directory);
  vouch_free(&allocator, scene);
}

static vouch_ret_t copy_object(vouch_scene_t * copy, const vouch_object_t * object)
{
  if (!vouch_grow(
      &copy->allocator, &copy->objects, copy->object_count, &copy->object_capacity,
      sizeof(*copy->objects)) ||
    vouch_name_index_reserve(&copy->names, &copy->allocator) != VOUCH_RET_OK)
  {
    return VOUCH_RET_NO_MEMORY;
  }
  vouch_object_t * target = &copy->objects[copy->object_count++];
  *target = *object;
  target->fresh = false;
  vouch_object_body_retain(target->body);
  target->id = vouch_strdup(&copy->allocator, object->id);
  target->frame = vouch_strdup(&copy->allocator, object->frame);
  target->touch_links = vouch_calloc(
    &copy->allocator, object->touch_count, sizeof(*target->touch_links));
  if (target->id == NULL || target->frame == NULL || target->touch_links == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < object->touch_count; ++i) {
    target->touch_links[i] = vouch_strdup(&copy->allocator, object->touch_links[i]);
    if (target->touch_links[i] == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
  }
  vouch_name_index_set(&copy->names, target->id, copy->object_count - 1);
  return VOUCH_RET_OK;
}

static vouch_ret_t copy_lists(vouch_scene_t * copy, const vouch_scene_t * scene)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < scene->object_count; ++i) {
    ret = copy_object(copy, &scene->objects[i]);
  }
  for (size_t i = 0; ret == VOUCH_RET_OK && i < scene->transform_count; ++i) {
    ret = vouch_scene_set_transform(
      copy, scene->transforms[i].name, &scene->transforms[i].pose);
  }
  for (size_t i = 0; ret == VOUCH_RET_OK && i < scene->warning_count; ++i) {
    ret = vouch_scene_warn(
      copy, scene->warnings[i].object, "%s", scene->warnings[i].text);
  }
  ret = ret == VOUCH_RET_OK ? vouch_sources_append(&copy->sources, &scene->sources) : ret;
  vouch_allowed_fini(&copy->allowed);
  ret = ret == VOUCH_RET_OK ? vouch_scene_copy_margins(copy, scene) : ret;
  return ret == VOUCH_RET_OK ? vouch_allowed_copy(&copy->allowed, &scene->allowed) : ret;
}

vouch_ret_t vouch_scene_clone(vouch_scene_t ** out, const vouch_scene_t * scene)
{
  VOUCH_REQUIRE("copy", out);
  *out = NULL;
  VOUCH_REQUIRE("scene", scene);
  const vouch_scene_options_t options = {
    .struct_size = sizeof(options), .allocator = scene->allocator, .hulls = scene->hulls,
    .surfaces = scene->surfaces, .base_directory = scene->base_directory
  };
  vouch_scene_t * copy = NULL;
  vouch_ret_t ret = vouch_scene_create(&copy, scene->robot, &options);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = copy_lists(copy, scene);
  if (ret != VOUCH_RET_OK) {
    vouch_scene_destroy(copy);
    return ret;
  }
  const vouch_robot_t * robot = scene->robot;
  memcpy(copy->link_padding, scene->link_padding, robot->link_count * sizeof(double));
  memcpy(copy->state, scene->state, robot->variable_count * sizeof(double));
  memcpy(copy->velocities, scene->velocities, robot->variable_count * sizeof(double));
  memcpy(copy->held, scene->held, robot->link_count * sizeof(*scene->held));
  memcpy(copy->held_known, scene->held_known, robot->link_count * sizeof(bool));
  copy->base = scene->base;
  copy->base_known = scene->base_known;
  copy->revision = scene->revision;
  copy->wholes = scene->wholes;
  *out = copy;
  return VOUCH_RET_OK;
}

void vouch_scene_replace(vouch_scene_t * scene, vouch_scene_t * source)
{
  const vouch_scene_t old = *scene;
  *scene = *source;
  *source = old;
  vouch_scene_destroy(source);
}

vouch_ret_t vouch_scene_allow_pair(
  vouch_scene_t * scene, const char * a, const char * b, bool allowed)
{
  VOUCH_REQUIRE("scene", scene);
  if (a == NULL || b == NULL || a[0] == '\0' || b[0] == '\0') {
    return vouch_fail(VOUCH_RET_INVALID, "an allowed pair needs two names");
  }
  scene->revision++;
  return vouch_allowed_set(&scene->allowed, a, b, allowed);
}

vouch_ret_t vouch_scene_allow_default(vouch_scene_t * scene, const char * name, bool allowed)
{
  VOUCH_REQUIRE("scene", scene);
  if (name == NULL || name[0] == '\0') {
    return vouch_fail(VOUCH_RET_INVALID, "a default entry of the matrix needs a name");
  }
  scene->revision++;
  return vouch_allowed_set_default(&scene->allowed, name, allowed);
}

vouch_ret_t vouch_scene_set_padding(vouch_scene_t * scene, const char * name, double metres)
{
  VOUCH_REQUIRE("scene, name", scene, name);
  if (!(metres >= 0.0 && metres <= VOUCH_MAX_COORDINATE)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "padding of '%s' is %g; it must be finite and not negative",
      name == NULL ? "" : name, metres);
  }
  const size_t object = name == NULL ? VOUCH_NONE : vouch_scene_find(scene, name);
  const uint32_t link = name == NULL ? VOUCH_NONE : vouch_robot_find_link(scene->robot, name);
  if (object == VOUCH_NONE && link == VOUCH_NONE) {
    return vouch_fail(
      VOUCH_RET_INVALID, "padding is given for '%s', which is neither a link nor an object",
      name == NULL ? "" : name);
  }
  if (object != VOUCH_NONE) {
    scene->objects[object].padding_m = metres;
  }
  if (link != VOUCH_NONE) {
    scene->link_padding[link] = metres;
  }
  scene->revision++;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_scene_set_growth(vouch_scene_t * scene, const char * id, double metres_per_s)
{
  VOUCH_REQUIRE("scene, id", scene, id);
  const size_t object = vouch_scene_find(scene, id);
  if (object == VOUCH_NONE) {
    return vouch_fail(VOUCH_RET_INVALID, "growth is given for '%s', which is no object", id);
  }
  if (!(metres_per_s >= 0.0 && metres_per_s <= VOUCH_MAX_COORDINATE)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the growth of '%s' is %g m/s; it must be finite and not negative", id,
      metres_per_s);
  }
  scene->objects[object].growth = metres_per_s + 0.0;   // -0 is 0
  scene->revision++;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_scene_set_transform(
  vouch_scene_t * scene, const char * frame, const vouch_pose_t * pose)
{
  VOUCH_REQUIRE("scene, pose", scene, pose);
  if (frame == NULL || frame[0] == '\0') {
    return vouch_fail(VOUCH_RET_INVALID, "a fixed transform has no frame name");
  }
  vouch_ret_t ret = vouch_pose_validate(pose, "pose");
  if (ret != VOUCH_RET_OK) {
    return vouch_fail_prefix(ret, "fixed transform '%s'", frame);
  }
  for (size_t i = 0; i < scene->transform_count; ++i) {
    if (strcmp(scene->transforms[i].name, frame) == 0) {
      scene->transforms[i].pose = *pose;
      scene->revision++;
      return VOUCH_RET_OK;
    }
  }
  if (!vouch_grow(
      &scene->allocator, &scene->transforms, scene->transform_count,
      &scene->transform_capacity, sizeof(*scene->transforms)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  char * name = vouch_strdup(&scene->allocator, frame);
  if (name == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  scene->transforms[scene->transform_count++] = (vouch_transform_t) {.name = name, .pose = *pose};
  scene->revision++;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_scene_set_state(vouch_scene_t * scene, const double * values)
{
  VOUCH_REQUIRE("scene", scene);
  VOUCH_REQUIRE_ARRAY("values", values, scene->robot->variable_count);
  for (size_t i = 0; i < scene->robot->variable_count; ++i) {
    if (!isnan(values[i]) && !(fabs(values[i]) <= 65536.0)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "the state of joint '%s' is %g; it must be finite and at most 65536",
        vouch_robot_variable_name(scene->robot, i), values[i]);
    }
  }
  memcpy(scene->state, values, scene->robot->variable_count * sizeof(double));
  scene->revision++;
  return VOUCH_RET_OK;
}

void vouch_scene_get_state(const vouch_scene_t * scene, double * values)
{
  memcpy(values, scene->state, scene->robot->variable_count * sizeof(double));
}

/// MoveIt leaves a fixed joint where it is, and of a planar one it takes x, y and yaw only.
static vouch_ret_t check_hold(
  const char * joint, const vouch_pose_t * pose, bool moves,
  bool planar)
{
  const double * q = pose->rotation;
  const bool upright = fabs(pose->translation[2]) <= 1e-9 && fabs(q[0]) <= 1e-9 &&
    fabs(q[1]) <= 1e-9;
  return moves && (upright || !planar) ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "joint '%s' is %s, but its transform is %s, of which MoveIt takes no notice: "
    "correct it, or make the joint floating", joint, moves ? "planar" : "fixed",
    moves ? "above the plane or not upright" : "not the identity");
}

vouch_ret_t vouch_scene_hold_joint(
  vouch_scene_t * scene, const char * joint, const vouch_pose_t * pose)
{
  vouch_ret_t ret = vouch_pose_validate(pose, "transform");
  if (ret != VOUCH_RET_OK) {
    return vouch_fail_prefix(ret, "joint '%s'", joint);
  }
  const char * virtual_joint = scene->robot->virtual_joint;
  if (virtual_joint != NULL && strcmp(joint, virtual_joint) == 0) {
    const bool moves = scene->robot->virtual_moves || vouch_pose_is_identity(pose);
    ret = check_hold(joint, pose, moves, scene->robot->virtual_planar);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    scene->base = *pose;
    scene->base_known = true;
    scene->revision++;
    return VOUCH_RET_OK;
  }
  const uint32_t number = vouch_robot_find_joint(scene->robot, joint);
  const vouch_urdf_joint_t type =
    number == VOUCH_NONE ? VOUCH_URDF_FIXED : scene->robot->joints[number].type;
  if (type == VOUCH_URDF_PLANAR || type == VOUCH_URDF_FLOATING) {
    ret = check_hold(joint, pose, true, type == VOUCH_URDF_PLANAR);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    scene->held[number] = *pose;
    scene->held_known[number] = true;
    scene->revision++;
    return VOUCH_RET_OK;
  }
  if (vouch_pose_is_identity(pose)) {
    return VOUCH_RET_OK;   // says nothing
  }
  return vouch_fail(
    VOUCH_RET_INVALID,
    "multi-DOF joint '%s' is neither a planar or floating joint of the robot nor the SRDF's "
    "virtual joint", joint);
}

bool vouch_scene_is_namesake(const vouch_scene_t * scene, const char * object)
{
  const uint32_t link = vouch_robot_find_link(scene->robot, object);
  return link != VOUCH_NONE && scene->robot->links[link].geometry != NULL;
}

vouch_reason_t vouch_scene_pair_reason(
  const vouch_scene_t * scene, const char * name_a, uint32_t a, const char * name_b, uint32_t b)
{
  const vouch_reason_t checked = VOUCH_REASON_OWN_PAIR;
  if ((a == VOUCH_NONE && vouch_scene_is_namesake(scene, name_a)) ||
    (b == VOUCH_NONE && vouch_scene_is_namesake(scene, name_b)))
  {
    return checked;
  }
  const vouch_allowed_answer_t explicit_answer =
    vouch_allowed_explicit(&scene->allowed, name_a, name_b);
  if (explicit_answer != VOUCH_ALLOWED_UNKNOWN) {
    return explicit_answer == VOUCH_ALLOWED_YES ? VOUCH_REASON_MATRIX : checked;
  }
  const vouch_allowed_answer_t by_default =
    vouch_allowed_by_default(&scene->allowed, name_a, name_b);
  if (a == VOUCH_NONE || b == VOUCH_NONE) {
    return by_default == VOUCH_ALLOWED_YES ? VOUCH_REASON_DEFAULT : checked;
  }
  if (by_default == VOUCH_ALLOWED_NO) {
    return checked;
  }
  // A pair that the SRDF names, then defaults.
  const vouch_allowed_answer_t named = vouch_robot_pair_named(scene->robot, a, b);
  if (named == VOUCH_ALLOWED_UNKNOWN && by_default == VOUCH_ALLOWED_YES) {
    return VOUCH_REASON_DEFAULT;
  }
  const bool disabled = named != VOUCH_ALLOWED_UNKNOWN ? named == VOUCH_ALLOWED_YES :
    vouch_robot_pair_disabled(scene->robot, a, b);
  return disabled ? vouch_robot_pair_reason(scene->robot, a, b) : checked;
}

const vouch_robot_t * vouch_scene_robot(const vouch_scene_t * scene)
{
  return scene->robot;
}

uint64_t vouch_scene_revision(const vouch_scene_t * scene)
{
  return scene->revision;
}

size_t vouch_scene_object_count(const vouch_scene_t * scene)
{
  return scene->object_count;
}

const char * vouch_scene_object_id(const vouch_scene_t * scene, size_t number)
{
  return number < scene->object_count ? scene->objects[number].id : "";
}

bool vouch_scene_object(
  const vouch_scene_t * scene, size_t number, vouch_object_view_t * view)
{
  if (number >= scene->object_count) {
    return false;
  }
  const vouch_object_t * object = &scene->objects[number];
  *view = (vouch_object_view_t) {
    .id = object->id, .frame = object->frame, .pose = object->pose,
    .shapes = object->body->shapes, .shape_poses = object->body->shape_poses,
    .shape_count = object->body->shape_count, .attached = object->link != VOUCH_NONE,
    .touch_links = (const char * const *)object->touch_links,
    .touch_count = object->touch_count, .padding_m = object->padding_m,
    .growth_m_s = object->growth
  };
  return true;
}

static void hash_text(vouch_sha256_t * hash, const char * text)
{
  vouch_sha256_update(hash, text, strlen(text) + 1);
}

static void hash_numbers(vouch_sha256_t * hash, const double * values, size_t count)
{
  vouch_sha256_update(hash, values, count * sizeof(*values));
}

static void hash_pose(vouch_sha256_t * hash, const vouch_pose_t * pose)
{
  hash_numbers(hash, pose->rotation, 4);
  hash_numbers(hash, pose->translation, 3);
}

static void hash_shape(vouch_sha256_t * hash, const vouch_shape_t * shape)
{
  const uint64_t counts[3] = {(uint64_t)shape->kind, shape->point_count, shape->triangle_count};
  vouch_sha256_update(hash, counts, sizeof(counts));
  hash_numbers(hash, shape->size, 3);
  hash_numbers(hash, shape->plane, 4);
  vouch_sha256_update(hash, shape->points, shape->point_count * sizeof(*shape->points));
  vouch_sha256_update(hash, shape->triangles, shape->triangle_count * sizeof(*shape->triangles));
}

void vouch_scene_hash(const vouch_scene_t * scene, uint8_t digest[32])
{
  uint8_t part[32];
  vouch_sha256_t hash;
  vouch_sha256_init(&hash);
  vouch_robot_hash(scene->robot, part);
  vouch_sha256_update(&hash, part, sizeof(part));
  for (size_t i = 0; i < scene->object_count; ++i) {
    const vouch_object_t * object = &scene->objects[i];
    const uint64_t counts[3] = {object->link, object->touch_count, object->body->shape_count};
    hash_text(&hash, object->id);
    hash_text(&hash, object->frame);
    vouch_sha256_update(&hash, counts, sizeof(counts));
    hash_pose(&hash, &object->pose);
    hash_numbers(&hash, &object->padding_m, 1);
    if (object->growth > 0.0) {
      hash_numbers(&hash, &object->growth, 1);
    }
    for (size_t k = 0; k < object->touch_count; ++k) {
      hash_text(&hash, object->touch_links[k]);
    }
    for (size_t k = 0; k < object->body->shape_count; ++k) {
      hash_shape(&hash, &object->body->shapes[k]);
      hash_pose(&hash, &object->body->shape_poses[k]);
    }
  }
  for (size_t i = 0; i < scene->transform_count; ++i) {
    hash_text(&hash, scene->transforms[i].name);
    hash_pose(&hash, &scene->transforms[i].pose);
  }
  const uint8_t options[2] = {scene->hulls, scene->surfaces};
  vouch_sha256_update(&hash, options, sizeof(options));
  hash_numbers(&hash, scene->link_padding, scene->robot->link_count);
  hash_numbers(&hash, scene->state, scene->robot->variable_count);
  for (size_t i = 0; i < scene->robot->link_count; ++i) {
    hash_pose(&hash, &scene->held[i]);
  }
  hash_pose(&hash, &scene->base);
  vouch_allowed_hash(&scene->allowed, part);
  vouch_sha256_update(&hash, part, sizeof(part));
  if (scene->margin_count > 0) {
    vouch_scene_hash_margins(scene, part);
    vouch_sha256_update(&hash, part, sizeof(part));
  }
  vouch_sha256_final(&hash, digest);
}
