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

/* Objects of a scene: added, appended to, moved, removed, attached, detached. Each function leaves
 * the scene as it was when it fails. */

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/scene.h"

size_t vouch_scene_find(const vouch_scene_t * scene, const char * id)
{
  return vouch_name_index_find(&scene->names, id);
}

static void free_texts(const vouch_allocator_t * allocator, char ** texts, size_t count)
{
  for (size_t i = 0; texts != NULL && i < count; ++i) {
    vouch_free(allocator, texts[i]);
  }
  vouch_free(allocator, texts);
}

static void object_fini(const vouch_scene_t * scene, vouch_object_t * object)
{
  vouch_free(&scene->allocator, object->id);
  vouch_free(&scene->allocator, object->frame);
  free_texts(&scene->allocator, object->touch_links, object->touch_count);
  vouch_object_body_release(object->body);
}

/// The last one takes its place: of many objects none else has to move.
static void drop_object(vouch_scene_t * scene, size_t number)
{
  vouch_scene_forget_warnings(scene, scene->objects[number].id);
  if (scene->objects[number].id != NULL) {   // it has none where a copy ran out of memory
    vouch_name_index_remove(&scene->names, scene->objects[number].id);
  }
  object_fini(scene, &scene->objects[number]);
  const size_t last = --scene->object_count;
  if (number != last) {
    scene->objects[number] = scene->objects[last];
    vouch_name_index_set(&scene->names, scene->objects[number].id, number);
  }
}

/// With the object its pairs go, as in MoveIt: the next one of that name has no permission.
static void remove_object(vouch_scene_t * scene, size_t number)
{
  if (!vouch_scene_is_namesake(scene, scene->objects[number].id)) {
    vouch_allowed_forget(&scene->allowed, scene->objects[number].id);
    vouch_scene_forget_margins(scene, scene->objects[number].id);
  }
  drop_object(scene, number);
}

static vouch_ret_t unknown_object(const char * id)
{
  return vouch_fail(VOUCH_RET_INVALID, "object '%s' is not in the scene", id == NULL ? "" : id);
}

static vouch_ret_t check_frame(const vouch_scene_t * scene, const char * id, const char * frame)
{
  if (!vouch_scene_knows_frame(scene, frame)) {
    return vouch_fail(
      VOUCH_RET_INVALID,
      "object '%s': frame '%s' is neither a link of the robot nor in fixed_frame_transforms", id,
      frame);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t warn_about_body(
  vouch_scene_t * scene, const char * id, const vouch_object_body_t * body)
{
  bool mesh = false;
  for (size_t i = 0; i < body->shape_count; ++i) {
    mesh = mesh || body->shapes[i].kind == VOUCH_SHAPE_MESH;
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  if (vouch_scene_is_namesake(scene, id)) {
    ret = vouch_scene_warn(
      scene, id, "object '%s' has the name of a link: allowed pairs and touch links of that name "
      "mean the link, and the object is checked; rename it", id);
  }
  if (ret == VOUCH_RET_OK && body->has_geometry && body->facts.open > 0) {
    ret = vouch_scene_warn(
      scene, id, "object '%s': %zu open mesh part%s: a surface, not a solid", id,
      body->facts.open, body->facts.open == 1 ? "" : "s");
  }
  if (ret == VOUCH_RET_OK && mesh && body->has_geometry && body->facts.extent > 10.0) {
    ret = vouch_scene_warn(
      scene, id, "object '%s': its mesh is %.3g m large; is it in millimetres?", id,
      body->facts.extent);
  }
  if (ret == VOUCH_RET_OK && mesh && body->has_geometry && body->facts.extent < 1e-3) {
    ret = vouch_scene_warn(
      scene, id, "object '%s': its geometry is only %.3g m large; was a unit applied twice?", id,
      body->facts.extent);
  }
  if (ret == VOUCH_RET_OK && mesh && scene->hulls) {
    ret = vouch_scene_warn(
      scene, id, "object '%s': meshes were replaced by their convex hulls, as asked", id);
  }
  return ret;
}

/// Puts an object in the place of the one with its id, or last. Takes it over on success.
static vouch_ret_t store_object(vouch_scene_t * scene, vouch_object_t * object)
{
  size_t number = vouch_scene_find(scene, object->id);
  const bool is_new = number == VOUCH_NONE;
  if (is_new &&
    (!vouch_grow(
      &scene->allocator, &scene->objects, scene->object_count, &scene->object_capacity,
      sizeof(*scene->objects)) ||
    vouch_name_index_reserve(&scene->names, &scene->allocator) != VOUCH_RET_OK))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  vouch_scene_forget_warnings(scene, object->id);
  vouch_ret_t ret = warn_about_body(scene, object->id, object->body);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  number = is_new ? scene->object_count++ : number;
  vouch_name_index_set(&scene->names, object->id, number);   // while the old name is still there
  if (!is_new) {
    object_fini(scene, &scene->objects[number]);
  }
  scene->objects[number] = *object;
  scene->revision++;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_scene_add_object(
  vouch_scene_t * scene, const char * id, const char * frame, const vouch_pose_t * pose,
  const vouch_shape_t * shapes, const vouch_pose_t * shape_poses, size_t count)
{
  VOUCH_REQUIRE("scene", scene);
  VOUCH_REQUIRE_ARRAY("shapes", shapes, count);
  if (id == NULL || id[0] == '\0') {
    return vouch_fail(VOUCH_RET_INVALID, "an object has no id: give it one");
  }
  vouch_object_t object = {.link = VOUCH_NONE, .fresh = true};
  object.pose = pose == NULL ? vouch_pose_identity() : *pose;
  vouch_ret_t ret = check_frame(scene, id, frame);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_pose_validate(&object.pose, "pose");
  if (ret == VOUCH_RET_OK) {
    ret = vouch_object_body_create(&object.body, scene, shapes, shape_poses, count);
  }
  if (ret != VOUCH_RET_OK) {
    return vouch_fail_prefix(ret, "object '%s'", id);
  }
  const size_t old = vouch_scene_find(scene, id);
  object.padding_m = old == VOUCH_NONE ? 0.0 : scene->objects[old].padding_m;
  object.growth = old == VOUCH_NONE ? 0.0 : scene->objects[old].growth;
  object.id = vouch_strdup(&scene->allocator, id);
  object.frame = vouch_strdup(&scene->allocator, frame == NULL ? "" : frame);
  ret = object.id == NULL || object.frame == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
  ret = ret == VOUCH_RET_OK ? store_object(scene, &object) : ret;
  if (ret != VOUCH_RET_OK) {
    object_fini(scene, &object);
  }
  return ret;
}

vouch_ret_t vouch_scene_append_object(
  vouch_scene_t * scene, const char * id, const vouch_shape_t * shapes,
  const vouch_pose_t * shape_poses, size_t count)
{
  VOUCH_REQUIRE("scene", scene);
  VOUCH_REQUIRE_ARRAY("shapes", shapes, count);
  const size_t number = id == NULL ? VOUCH_NONE : vouch_scene_find(scene, id);
  if (number == VOUCH_NONE) {
    return unknown_object(id);
  }
  vouch_object_t * object = &scene->objects[number];
  const size_t old = object->body->shape_count;
  vouch_shape_t * all = vouch_calloc(&scene->allocator, old + count, sizeof(*all));
  vouch_pose_t * poses = vouch_calloc(&scene->allocator, old + count, sizeof(*poses));
  vouch_object_body_t * body = NULL;
  vouch_ret_t ret = all == NULL || poses == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
  if (ret == VOUCH_RET_OK) {
    memcpy(all, object->body->shapes, old * sizeof(*all));
    memcpy(poses, object->body->shape_poses, old * sizeof(*poses));
    for (size_t i = 0; i < count; ++i) {
      all[old + i] = shapes[i];
      poses[old + i] = shape_poses == NULL ? vouch_pose_identity() : shape_poses[i];
    }
    ret = vouch_object_body_create(&body, scene, all, poses, old + count);
    if (ret != VOUCH_RET_OK) {
      ret = vouch_fail_prefix(ret, "object '%s'", id);
    }
  }
  if (ret == VOUCH_RET_OK) {
    vouch_object_body_release(object->body);
    object->body = body;
    vouch_scene_forget_warnings(scene, id);
    ret = warn_about_body(scene, id, body);
    scene->revision++;
  }
  vouch_free(&scene->allocator, all);
  vouch_free(&scene->allocator, poses);
  return ret;
}

vouch_ret_t vouch_scene_move_object(
  vouch_scene_t * scene, const char * id, const char * frame, const vouch_pose_t * pose)
{
  VOUCH_REQUIRE("scene", scene);
  const size_t number = id == NULL ? VOUCH_NONE : vouch_scene_find(scene, id);
  if (number == VOUCH_NONE) {
    return unknown_object(id);
  }
  vouch_object_t * object = &scene->objects[number];
  if (object->link != VOUCH_NONE) {
    return vouch_fail(
      VOUCH_RET_INVALID, "object '%s' is attached to link '%s': detach it before moving it", id,
      object->frame);
  }
  const vouch_pose_t there = pose == NULL ? vouch_pose_identity() : *pose;
  vouch_ret_t ret = check_frame(scene, id, frame);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_pose_validate(&there, "pose");
  if (ret != VOUCH_RET_OK) {
    return vouch_fail_prefix(ret, "object '%s'", id);
  }
  char * copy = vouch_strdup(&scene->allocator, frame == NULL ? "" : frame);
  if (copy == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  vouch_free(&scene->allocator, object->frame);
  object->frame = copy;
  object->pose = there;
  scene->revision++;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_scene_remove_object(vouch_scene_t * scene, const char * id)
{
  VOUCH_REQUIRE("scene", scene);
  if (id == NULL || id[0] == '\0') {
    for (size_t i = scene->object_count; i-- > 0; ) {
      if (scene->objects[i].link == VOUCH_NONE &&
        strcmp(scene->objects[i].id, VOUCH_OCTOMAP_ID) != 0)
      {
        remove_object(scene, i);
      }
    }
    scene->revision++;
    return VOUCH_RET_OK;
  }
  const size_t number = vouch_scene_find(scene, id);
  if (number == VOUCH_NONE) {
    return unknown_object(id);
  }
  remove_object(scene, number);
  scene->revision++;
  return VOUCH_RET_OK;
}

/// Copies the names; each must be a link or an object.
static vouch_ret_t copy_touch_links(
  const vouch_scene_t * scene, vouch_object_t * object, const char * const * names, size_t count)
{
  char ** copy = vouch_calloc(&scene->allocator, count, sizeof(*copy));
  vouch_ret_t ret = copy == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < count; ++i) {
    if (vouch_robot_find_link(scene->robot, names[i]) == VOUCH_NONE &&
      vouch_scene_find(scene, names[i]) == VOUCH_NONE)
    {
      ret = vouch_fail(
        VOUCH_RET_INVALID, "object '%s': touch link '%s' is neither a link nor an object",
        object->id, names[i]);
    } else {
      copy[i] = vouch_strdup(&scene->allocator, names[i]);
      ret = copy[i] == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
    }
  }
  if (ret != VOUCH_RET_OK) {
    free_texts(&scene->allocator, copy, count);
    return ret;
  }
  free_texts(&scene->allocator, object->touch_links, object->touch_count);
  object->touch_links = copy;
  object->touch_count = count;
  return VOUCH_RET_OK;
}

/// Touch links are links and what other links hold; an object of the world is checked all the same.
static vouch_ret_t warn_about_touch(vouch_scene_t * scene, const vouch_object_t * object)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < object->touch_count; ++i) {
    const char * name = object->touch_links[i];
    const size_t other = vouch_scene_find(scene, name);
    if (vouch_robot_find_link(scene->robot, name) == VOUCH_NONE && other != VOUCH_NONE &&
      scene->objects[other].link == VOUCH_NONE)
    {
      ret = vouch_scene_warn(
        scene, object->id, "object '%s': its touch link '%s' is an object of the world, which is "
        "checked until a link holds it: allow the pair if that is meant", object->id, name);
    }
  }
  return ret;
}

/// The pose of the object seen from a link, at the scene's state.
static vouch_ret_t pose_on_link(
  const vouch_scene_t * scene, const vouch_object_t * object, uint32_t link, vouch_pose_t * pose)
{
  const uint32_t given = object->link != VOUCH_NONE ?
    object->link : vouch_scene_frame_link(scene, object->frame);
  if (given == link) {
    *pose = object->pose;
    return VOUCH_RET_OK;
  }
  vouch_pose_t frame = vouch_pose_identity(), relative;
  vouch_ret_t ret = VOUCH_RET_OK;
  if (given == VOUCH_NONE) {
    ret = vouch_scene_frame_pose(scene, object->frame, &frame);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_scene_link_relative(scene, link, given == VOUCH_NONE ? 0 : given, &relative);
  }
  if (ret != VOUCH_RET_OK) {
    return vouch_fail_prefix(
      ret, "object '%s' cannot be attached to link '%s'", object->id,
      scene->robot->links[link].name);
  }
  relative = vouch_pose_product(&relative, &frame);
  *pose = vouch_pose_product(&relative, &object->pose);
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_scene_attach_object(
  vouch_scene_t * scene, const char * id, const char * link, const char * const * touch_links,
  size_t touch_count)
{
  VOUCH_REQUIRE("scene", scene);
  VOUCH_REQUIRE_ARRAY("touch_links", touch_links, touch_count);
  const size_t number = id == NULL ? VOUCH_NONE : vouch_scene_find(scene, id);
  if (number == VOUCH_NONE) {
    return unknown_object(id);
  }
  const uint32_t to = link == NULL ? VOUCH_NONE : vouch_robot_find_link(scene->robot, link);
  if (to == VOUCH_NONE) {
    return vouch_fail(
      VOUCH_RET_INVALID, "object '%s' cannot be attached: the robot has no link '%s'", id,
      link == NULL ? "" : link);
  }
  vouch_object_t * object = &scene->objects[number];
  vouch_pose_t pose;
  vouch_ret_t ret = pose_on_link(scene, object, to, &pose);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  char * frame = vouch_strdup(&scene->allocator, link);
  if (frame == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  ret = copy_touch_links(scene, object, touch_links, touch_count);
  if (ret != VOUCH_RET_OK) {
    vouch_free(&scene->allocator, frame);
    return ret;
  }
  vouch_free(&scene->allocator, object->frame);
  object->frame = frame;
  object->pose = pose;
  object->link = to;
  scene->revision++;
  return warn_about_touch(scene, object);
}

vouch_ret_t vouch_scene_detach_object(vouch_scene_t * scene, const char * id)
{
  VOUCH_REQUIRE("scene", scene);
  const size_t number = id == NULL ? VOUCH_NONE : vouch_scene_find(scene, id);
  if (number == VOUCH_NONE) {
    return unknown_object(id);
  }
  vouch_object_t * object = &scene->objects[number];
  if (object->link == VOUCH_NONE) {
    return vouch_fail(VOUCH_RET_INVALID, "object '%s' is not attached", id);
  }
  vouch_pose_t link;
  vouch_ret_t ret = vouch_scene_link_relative(scene, 0, object->link, &link);
  if (ret != VOUCH_RET_OK) {
    return vouch_fail_prefix(ret, "object '%s' cannot be detached", id);
  }
  const vouch_pose_t in_root = vouch_pose_product(&link, &object->pose);
  char * frame = vouch_strdup(&scene->allocator, "");
  if (frame == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  vouch_free(&scene->allocator, object->frame);
  object->frame = frame;
  object->pose = vouch_pose_product(&scene->base, &in_root);
  free_texts(&scene->allocator, object->touch_links, object->touch_count);
  object->touch_links = NULL;
  object->touch_count = 0;
  object->link = VOUCH_NONE;
  scene->revision++;
  return VOUCH_RET_OK;
}

void vouch_scene_clear(vouch_scene_t * scene, bool attached_too)
{
  for (size_t i = scene->object_count; i-- > 0; ) {
    if (attached_too || scene->objects[i].link == VOUCH_NONE) {
      drop_object(scene, i);
    }
  }
  for (size_t i = 0; i < scene->transform_count; ++i) {
    vouch_free(&scene->allocator, scene->transforms[i].name);
  }
  scene->transform_count = 0;
  vouch_sources_clear(&scene->sources);
  for (size_t i = 0; i < scene->robot->link_count; ++i) {
    scene->link_padding[i] = NAN;
  }
  vouch_scene_clear_allowed(scene);
  vouch_scene_forget_margins(scene, NULL);
}
