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
/* Scene files: PlanningScene and MotionPlanRequest (its start state) of moveit_msgs, or our own
 * format (scene_own.c). What is read goes into a copy, which takes the scene's place only when all
 * of it was understood. */

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "read/mesh_file.h"
#include "read/resource.h"
#include "read/scene_reader.h"

enum {MAX_NAMED = 4000};   // items of a list that are told apart by name

/// As vouch_mesh_load(), noted as a source.
static vouch_ret_t load_mesh(vouch_scene_reader_t * reader, const char * path, vouch_mesh_t * mesh)
{
  const vouch_mesh_format_t format = vouch_mesh_format_of(path);
  if (format == VOUCH_MESH_UNKNOWN) {
    return vouch_mesh_load(mesh, path);   // says which are read
  }
  const vouch_allocator_t allocator = mesh->allocator;
  char * data = NULL;
  size_t size = 0;
  vouch_ret_t ret = vouch_file_read(&allocator, path, 0, &data, &size);
  ret = ret == VOUCH_RET_OK ? vouch_mesh_parse(mesh, path, data, size, format) : ret;
  ret = ret != VOUCH_RET_OK ? ret :
    vouch_sources_note(&reader->scene->sources, "mesh", path, data, size);
  vouch_free(&allocator, data);
  return ret;
}

vouch_ret_t vouch_read_mesh_resource(
  vouch_scene_reader_t * reader, const vouch_value_t * value, const double scale[3],
  vouch_shape_t * shape)
{
  vouch_arena_t * arena = &reader->document->arena;
  const vouch_resource_context_t context = {
    .allocator = arena->allocator, .base_directory = reader->directory,
    .packages = reader->scene->robot->packages,
    .package_count = reader->scene->robot->package_count
  };
  const vouch_pose_t identity = vouch_pose_identity();
  const char * uri = NULL;
  char * path = NULL;
  vouch_mesh_t mesh = vouch_mesh_zero(arena->allocator);
  vouch_ret_t ret = vouch_value_text(reader->document, value, "mesh file", &uri);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  for (size_t i = 0; i < 3; ++i) {
    if (!(fabs(scale[i]) >= 1e-9 && fabs(scale[i]) <= 1e9)) {
      return vouch_value_fail(
        reader->document, value, "the mesh scale %g makes nothing of the mesh", scale[i]);
    }
  }
  ret = vouch_resource_resolve(&context, uri, &path);
  ret = ret == VOUCH_RET_OK ? load_mesh(reader, path, &mesh) : ret;
  vouch_free(&arena->allocator, path);
  if (ret != VOUCH_RET_OK) {
    return vouch_value_fail_at(ret, reader->document, value);
  }
  vouch_mesh_transform(&mesh, scale, &identity);
  double(*points)[3] = vouch_arena_calloc(arena, mesh.vertex_count, sizeof(*points));
  uint32_t(*triangles)[3] = vouch_arena_calloc(arena, mesh.triangle_count, sizeof(*triangles));
  if (points == NULL || triangles == NULL) {
    vouch_mesh_fini(&mesh);
    return VOUCH_RET_NO_MEMORY;
  }
  memcpy(points, mesh.vertices, mesh.vertex_count * sizeof(*points));
  memcpy(triangles, mesh.triangles, mesh.triangle_count * sizeof(*triangles));
  shape->kind = VOUCH_SHAPE_MESH;
  shape->points = (const double(*)[3])points;
  shape->point_count = mesh.vertex_count;
  shape->triangles = (const uint32_t(*)[3])triangles;
  shape->triangle_count = mesh.triangle_count;
  vouch_mesh_fini(&mesh);
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_read_check_frame(
  const vouch_scene_reader_t * reader, const vouch_value_t * value, const char * frame,
  const vouch_pose_t * pose)
{
  const vouch_robot_t * robot = reader->scene->robot;
  const char * planning = robot->virtual_parent_frame;
  const bool own = vouch_robot_find_link(robot, frame) != VOUCH_NONE ||
    (planning != NULL && strcmp(planning, frame) == 0);
  return !own || vouch_pose_is_identity(pose) ? VOUCH_RET_OK : vouch_value_fail(
    reader->document, value,
    "frame '%s' is a frame of the robot; its transform contradicts that", frame);
}

/// TransformStamped: the child's pose in the planning frame.
static vouch_ret_t read_transform(vouch_scene_reader_t * reader, const vouch_value_t * value)
{
  vouch_document_t * document = reader->document;
  vouch_scene_t * scene = reader->scene;
  const char * parent = "", * child = "";
  vouch_pose_t pose, frame;
  bool turned = false;
  vouch_ret_t ret = vouch_value_keys(document, value, "header child_frame_id transform");
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_value_header(document, vouch_value_get(value, "header"), &parent);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_value_text(
      document, vouch_value_get(value, "child_frame_id"), "child_frame_id", &child);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_value_pose(
      document, vouch_value_get(value, "transform"), "transform", &pose);
  }
  if (ret == VOUCH_RET_OK) {
    // MoveIt writes its frames the other way round: the planning frame is the child, and the
    // transform takes points of the header's frame to it (moveit_core, Transforms).
    turned = child[0] != '\0' && vouch_robot_is_planning_frame(scene->robot, child) &&
      !vouch_robot_is_planning_frame(scene->robot, parent) &&
      vouch_robot_find_link(scene->robot, parent) == VOUCH_NONE;
    child = turned ? parent : child;
    // A frame that says where it stands itself, as full scenes do for the planning frame.
    const char * reference = turned || strcmp(parent, child) == 0 ? "" : parent;
    ret = vouch_scene_frame_pose(scene, reference, &frame);
    ret = ret == VOUCH_RET_OK ? ret : vouch_value_fail_at(ret, document, value);
  }
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_read_check_frame(reader, value, child, &pose);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  frame = vouch_pose_product(&scene->base, &frame);
  pose = vouch_pose_product(&frame, &pose);
  for (size_t i = 0; i < scene->transform_count; ++i) {
    if (strcmp(scene->transforms[i].name, child) == 0 && scene->transforms[i].fresh) {
      return vouch_value_fail(document, value, "frame '%s' is given twice in this file", child);
    }
  }
  ret = vouch_scene_set_transform(scene, child, &pose);
  for (size_t i = 0; ret == VOUCH_RET_OK && i < scene->transform_count; ++i) {
    scene->transforms[i].fresh |= strcmp(scene->transforms[i].name, child) == 0;
  }
  return ret == VOUCH_RET_OK ? ret : vouch_value_fail_at(ret, document, value);
}

/// INVALID when two items of a list have the same name: only one of them would count.
static vouch_ret_t check_once(
  const vouch_document_t * document, const vouch_value_t * list, const char * key)
{
  for (const vouch_value_t * v = list->first; v != NULL; v = v->next) {
    const vouch_value_t * name = vouch_value_get(v, key);
    for (const vouch_value_t * w = list->first; name != NULL && w != v; w = w->next) {
      const vouch_value_t * other = vouch_value_get(w, key);
      if (other != NULL && strcmp(name->text, other->text) == 0) {
        return vouch_value_fail(
          document, v, "%s '%s' is named twice (first in line %u)", key, name->text, w->line);
      }
    }
  }
  return VOUCH_RET_OK;
}

typedef vouch_ret_t (* item_reader_t)(vouch_scene_reader_t *, const vouch_value_t *);

/// Reads each item of a list; a null is an empty list. `name` (or NULL) tells the items apart.
static vouch_ret_t read_list(
  vouch_scene_reader_t * reader, const vouch_value_t * map, const char * key, const char * name,
  item_reader_t read)
{
  const vouch_value_t * list = vouch_value_get(map, key);
  if (list == NULL) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = vouch_value_list(reader->document, list, key);
  if (ret == VOUCH_RET_OK && name != NULL && list->count > MAX_NAMED) {
    ret = vouch_value_fail(reader->document, list, "%s has more than %d items", key, MAX_NAMED);
  }
  ret = ret == VOUCH_RET_OK && name != NULL ? check_once(reader->document, list, name) : ret;
  for (const vouch_value_t * v = list->first; ret == VOUCH_RET_OK && v != NULL; v = v->next) {
    ret = read(reader, v);
  }
  return ret;
}

static vouch_ret_t read_padding(vouch_scene_reader_t * reader, const vouch_value_t * value)
{
  const char * name = "";
  double number = 0.0;
  vouch_ret_t ret = vouch_value_keys(reader->document, value, "link_name padding");
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_value_text(
    reader->document, vouch_value_get(value, "link_name"), "link_name", &name);
  if (ret == VOUCH_RET_OK && vouch_value_get(value, "padding") != NULL) {
    ret = vouch_value_number(
      reader->document, vouch_value_get(value, "padding"), "padding", &number);
  }
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_scene_set_padding(reader->scene, name, number);
  return ret == VOUCH_RET_OK ? ret : vouch_value_fail_at(ret, reader->document, value);
}

static vouch_ret_t read_scale(vouch_scene_reader_t * reader, const vouch_value_t * value)
{
  const char * name = "";
  double number = 1.0;
  vouch_ret_t ret = vouch_value_keys(reader->document, value, "link_name scale");
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_value_text(
    reader->document, vouch_value_get(value, "link_name"), "link_name", &name);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_value_number(
      reader->document, vouch_value_get(value, "scale") == NULL ?
      value : vouch_value_get(value, "scale"), "scale", &number);
  }
  if (ret == VOUCH_RET_OK && number != 1.0) {
    return vouch_value_fail(
      reader->document, value,
      "link '%s' is scaled by %g in the scene, which is not supported: scale it when loading the "
      "robot", name, number);
  }
  return ret;
}

static vouch_ret_t read_world(vouch_scene_reader_t * reader, const vouch_value_t * world)
{
  if (world == NULL) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = vouch_value_keys(reader->document, world, "collision_objects octomap");
  ret = ret != VOUCH_RET_OK ? ret :
    read_list(reader, world, "collision_objects", NULL, vouch_read_collision_object);
  return ret != VOUCH_RET_OK ? ret :
         vouch_read_octomap(reader, vouch_value_get(world, "octomap"));
}

/// Joint values and held joints; attached objects come after the world's.
static vouch_ret_t read_robot_state(vouch_scene_reader_t * reader, const vouch_value_t * state)
{
  vouch_document_t * document = reader->document;
  if (state == NULL) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = vouch_value_keys(document, state, VOUCH_ROBOT_STATE_KEYS);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_value_t * joints = vouch_value_get(state, "joint_state");
  const vouch_value_t * multi = vouch_value_get(state, "multi_dof_joint_state");
  if (joints != NULL) {
    ret = vouch_read_joint_state(
      document, joints, reader->scene->robot, reader->scene->state, reader->scene->velocities);
  }
  if (ret == VOUCH_RET_OK && multi != NULL) {
    ret = vouch_read_multi_dof_state(document, multi, reader->scene->robot, reader->scene);
  }
  return ret;
}

/// Those that are put down, as objects of the world, or the others. What is put down may be moved by the
/// same file, so it is first (setPlanningSceneDiffMsg: the state before the world).
static vouch_ret_t read_attached(
  vouch_scene_reader_t * reader, const vouch_value_t * state, bool put_down)
{
  reader->put_down = put_down;
  return read_list(
    reader, state, "attached_collision_objects", NULL, vouch_read_attached_object);
}

static vouch_ret_t read_diff_flag(
  const vouch_document_t * document, const vouch_value_t * map, bool * diff)
{
  const vouch_value_t * value = vouch_value_get(map, "is_diff");
  *diff = false;
  return value == NULL ? VOUCH_RET_OK : vouch_value_bool(document, value, "is_diff", diff);
}

static vouch_ret_t check_model_name(vouch_scene_reader_t * reader, const vouch_value_t * root)
{
  const char * name = "";
  vouch_ret_t ret = vouch_value_text(
    reader->document, vouch_value_get(root, "robot_model_name"), "robot_model_name", &name);
  const char * robot = vouch_robot_name(reader->scene->robot);
  if (ret == VOUCH_RET_OK && name[0] != '\0' && strcmp(name, robot) != 0) {
    ret = vouch_scene_warn(
      reader->scene, NULL, "the scene was made for robot '%s', but this is '%s'", name, robot);
  }
  return ret;
}

static vouch_ret_t read_planning_scene(vouch_scene_reader_t * reader, const vouch_value_t * root)
{
  vouch_document_t * document = reader->document;
  const vouch_value_t * state = vouch_value_get(root, "robot_state");
  const vouch_value_t * matrix = vouch_value_get(root, "allowed_collision_matrix");
  bool diff = false, state_diff = false;
  vouch_ret_t ret = vouch_value_keys(document, root, VOUCH_SCENE_KEYS);
  ret = ret == VOUCH_RET_OK ? read_diff_flag(document, root, &diff) : ret;
  ret = ret == VOUCH_RET_OK ? read_diff_flag(document, state, &state_diff) : ret;
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (!diff) {
    vouch_scene_clear(reader->scene, !state_diff);
    reader->scene->wholes++;
  }
  ret = check_model_name(reader, root);
  ret = ret == VOUCH_RET_OK ? read_robot_state(reader, state) : ret;
  ret = ret == VOUCH_RET_OK ?
    read_list(reader, root, "fixed_frame_transforms", NULL, read_transform) : ret;
  ret = ret == VOUCH_RET_OK ? read_attached(reader, state, true) : ret;
  ret = ret == VOUCH_RET_OK ? vouch_read_matrix(reader, matrix, diff) : ret;
  ret = ret == VOUCH_RET_OK ? read_world(reader, vouch_value_get(root, "world")) : ret;
  ret = ret == VOUCH_RET_OK ? read_attached(reader, state, false) : ret;
  ret = ret == VOUCH_RET_OK && matrix != NULL ? vouch_scene_warn_names(reader->scene) : ret;
  ret = ret == VOUCH_RET_OK ?
    read_list(reader, root, "link_padding", "link_name", read_padding) : ret;
  return ret == VOUCH_RET_OK ?
         read_list(reader, root, "link_scale", "link_name", read_scale) : ret;
}

static vouch_ret_t read_document(vouch_scene_reader_t * reader)
{
  const vouch_value_t * root = reader->document->root;
  if (root->kind != VOUCH_VALUE_MAP) {
    return vouch_value_fail(reader->document, root, "a scene must be a map");
  }
  const vouch_value_t * start = vouch_value_get(root, "start_state");
  if (start != NULL) {
    vouch_ret_t ret = vouch_value_keys(reader->document, root, VOUCH_REQUEST_KEYS);
    reader->request = true;
    ret = ret == VOUCH_RET_OK ? read_robot_state(reader, start) : ret;
    ret = ret == VOUCH_RET_OK ? read_attached(reader, start, true) : ret;
    return ret == VOUCH_RET_OK ? read_attached(reader, start, false) : ret;
  }
  return vouch_is_own_scene(root) ?
         vouch_read_own_scene(reader, root) : read_planning_scene(reader, root);
}

static vouch_ret_t apply_text(
  vouch_scene_t * scene, const char * path, const char * directory, const char * text, size_t size)
{
  const char * name = path == NULL ? "scene" : path;
  vouch_document_t document;
  vouch_scene_t * copy = NULL;
  vouch_ret_t ret = vouch_document_parse(&document, scene->allocator, name, text, size);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_scene_clone(&copy, scene);
  if (ret == VOUCH_RET_OK) {
    vouch_scene_reader_t reader = {.document = &document, .scene = copy, .directory = directory};
    ret = read_document(&reader);
    ret = ret == VOUCH_RET_OK && path != NULL ?
      vouch_sources_note(&copy->sources, "scene", path, text, size) : ret;
  }
  if (ret == VOUCH_RET_OK) {
    copy->revision = scene->revision + 1;
    vouch_scene_replace(scene, copy);
  } else {
    vouch_scene_destroy(copy);
  }
  vouch_document_fini(&document);
  return ret;
}

vouch_ret_t vouch_scene_parse(vouch_scene_t * scene, const char * text, size_t size)
{
  VOUCH_REQUIRE("scene", scene);
  VOUCH_REQUIRE_ARRAY("text", text, size);
  return apply_text(scene, NULL, scene->base_directory, text, size);
}

vouch_ret_t vouch_scene_load(vouch_scene_t * scene, const char * path)
{
  VOUCH_REQUIRE("scene, path", scene, path);
  const vouch_allocator_t allocator = scene->allocator;
  char * text = NULL;
  char * directory = NULL;
  size_t size = 0;
  vouch_ret_t ret = vouch_file_read(&allocator, path, 0, &text, &size);
  if (ret == VOUCH_RET_OK && scene->base_directory == NULL) {
    ret = vouch_resource_directory(&allocator, path, &directory);
  }
  if (ret == VOUCH_RET_OK) {
    ret = apply_text(
      scene, path, directory == NULL ? scene->base_directory : directory, text, size);
  }
  vouch_free(&allocator, directory);
  vouch_free(&allocator, text);
  return ret;
}
