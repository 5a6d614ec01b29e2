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
/* CollisionObject and AttachedCollisionObject of moveit_msgs, as YAML or JSON. */

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "read/scene_reader.h"

static const char OBJECT_KEYS[] =
  "header pose id type primitives primitive_poses meshes mesh_poses planes plane_poses "
  "subframe_names subframe_poses operation";

static size_t list_count(const vouch_value_t * value)
{
  return value == NULL ? 0 : value->count;
}

static bool word_number(
  const char * text, const char * const * words, size_t count, double * number)
{
  for (size_t i = 0; i < count; ++i) {
    if (strcmp(text, words[i]) == 0) {
      *number = (double)i;
      return true;
    }
  }
  return false;
}

/// A number, or one of MotionBenchMaker's words, or a byte as ROS prints it: base64, hexadecimal, or
/// the character itself (the tree writes a NUL as \\0).
static vouch_ret_t read_operation(
  const vouch_document_t * document, const vouch_value_t * value, int * operation)
{
  static const char * const words[] = {"add", "remove", "append", "move"};
  static const char * const base64[] = {"AA==", "AQ==", "Ag==", "Aw=="};
  static const char * const hexadecimal[] = {"0x00", "0x01", "0x02", "0x03"};
  static const char * const characters[] = {"\\0", "\x01", "\x02", "\x03"};
  double number = 0.0;
  if (value == NULL) {
    *operation = VOUCH_OPERATION_ADD;
    return VOUCH_RET_OK;
  }
  if (value->kind != VOUCH_VALUE_SCALAR ||
    !(word_number(value->text, words, 4, &number) ||
    word_number(value->text, base64, 4, &number) ||
    word_number(value->text, hexadecimal, 4, &number) ||
    word_number(value->text, characters, 4, &number) ||
    vouch_parse_double(value->text, &number)) ||
    !(number == 0.0 || number == 1.0 || number == 2.0 || number == 3.0))
  {
    return vouch_value_fail(
      document, value, "operation must be 0 add, 1 remove, 2 append or 3 move");
  }
  *operation = (int)number;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_read_points(
  vouch_scene_reader_t * reader, const vouch_value_t * value, size_t least, vouch_shape_t * shape)
{
  vouch_document_t * document = reader->document;
  if (value == NULL || value->kind != VOUCH_VALUE_LIST || value->count < least) {
    return vouch_value_fail(document, value, "at least %zu points are needed", least);
  }
  double(*points)[3] = vouch_arena_calloc(&document->arena, value->count, sizeof(*points));
  if (points == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  size_t i = 0;
  for (const vouch_value_t * v = value->first; v != NULL; v = v->next) {
    // A prism's base may be given in the plane.
    const size_t size = v->kind == VOUCH_VALUE_LIST && shape->kind == VOUCH_SHAPE_PRISM &&
      v->count == 2 ? 2 : 3;
    vouch_ret_t ret = vouch_value_numbers(document, v, "a point", "xyz", points[i++], size);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  shape->points = (const double(*)[3])points;
  shape->point_count = i;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_read_triangles(
  vouch_scene_reader_t * reader, const vouch_value_t * value, vouch_shape_t * shape)
{
  vouch_document_t * document = reader->document;
  if (value == NULL || value->kind != VOUCH_VALUE_LIST || value->count == 0) {
    return vouch_value_fail(document, value, "the mesh has no triangles");
  }
  uint32_t(*triangles)[3] = vouch_arena_calloc(
    &document->arena, value->count, sizeof(*triangles));
  if (triangles == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  size_t i = 0;
  for (const vouch_value_t * v = value->first; v != NULL; v = v->next) {
    const vouch_value_t * indices =
      v->kind == VOUCH_VALUE_MAP ? vouch_value_get(v, "vertex_indices") : v;
    double numbers[3] = {0.0, 0.0, 0.0};
    vouch_ret_t ret = v->kind != VOUCH_VALUE_MAP ? VOUCH_RET_OK :
      vouch_value_keys(document, v, "vertex_indices");
    ret = ret != VOUCH_RET_OK ? ret : vouch_value_numbers(
      document, indices == NULL ? v : indices, "a triangle", NULL, numbers, 3);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    for (int k = 0; k < 3; ++k) {
      if (!(numbers[k] >= 0.0 && numbers[k] < (double)shape->point_count) ||
        numbers[k] != floor(numbers[k]))
      {
        return vouch_value_fail(
          document, v, "triangle %zu names vertex %g, but there are %zu", i, numbers[k],
          shape->point_count);
      }
      triangles[i][k] = (uint32_t)numbers[k];
    }
    i++;
  }
  shape->triangles = (const uint32_t(*)[3])triangles;
  shape->triangle_count = i;
  return VOUCH_RET_OK;
}

static vouch_ret_t read_dimensions(
  const vouch_document_t * document, const vouch_value_t * value, vouch_shape_t * shape,
  size_t count)
{
  double numbers[3] = {0.0, 0.0, 0.0};
  vouch_ret_t ret = vouch_value_numbers(
    document, vouch_value_get(value, "dimensions") == NULL ?
    value : vouch_value_get(value, "dimensions"), "dimensions", NULL, numbers, count);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  for (size_t i = 0; i < count; ++i) {
    if (!(numbers[i] > 0.0)) {
      return vouch_value_fail(
        document, value, "dimension %zu is %g; it must be positive", i, numbers[i]);
    }
  }
  memcpy(shape->size, numbers, sizeof(numbers));
  if (shape->kind == VOUCH_SHAPE_CYLINDER || shape->kind == VOUCH_SHAPE_CONE) {
    shape->size[0] = numbers[1];   // messages say height, radius
    shape->size[1] = numbers[0];
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_primitive(
  vouch_scene_reader_t * reader, const vouch_value_t * value, vouch_shape_t * shape)
{
  static const char * const words[] = {"", "box", "sphere", "cylinder", "cone", "prism"};
  static const vouch_shape_kind_t kinds[] = {
    VOUCH_SHAPE_UNKNOWN, VOUCH_SHAPE_BOX, VOUCH_SHAPE_SPHERE, VOUCH_SHAPE_CYLINDER,
    VOUCH_SHAPE_CONE, VOUCH_SHAPE_PRISM
  };
  static const size_t sizes[] = {0, 3, 1, 2, 2, 1};
  vouch_ret_t ret = vouch_value_keys(reader->document, value, "type dimensions polygon");
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_value_t * type = vouch_value_get(value, "type");
  double number = 0.0;
  if (type == NULL || type->kind != VOUCH_VALUE_SCALAR ||
    !(word_number(type->text, words, 6, &number) || vouch_parse_double(type->text, &number)) ||
    !(number >= 1.0 && number <= 5.0) || number != floor(number))
  {
    return vouch_value_fail(
      reader->document, type == NULL ? value : type,
      "primitive type '%.40s' is not known; known are box, sphere, cylinder, cone, prism (1 to 5)",
      type == NULL ? "" : type->text);
  }
  shape->kind = kinds[(int)number];
  ret = read_dimensions(reader->document, value, shape, sizes[(int)number]);
  const vouch_value_t * polygon = vouch_value_get(value, "polygon");
  const vouch_value_t * points = vouch_value_get(polygon, "points");
  if (ret == VOUCH_RET_OK && polygon != NULL) {
    ret = vouch_value_keys(reader->document, polygon, "points");
  }
  if (ret == VOUCH_RET_OK && shape->kind == VOUCH_SHAPE_PRISM) {
    ret = vouch_read_points(reader, points == NULL ? value : points, 3, shape);
  }
  return ret;
}

static vouch_ret_t read_mesh(
  vouch_scene_reader_t * reader, const vouch_value_t * value, vouch_shape_t * shape)
{
  vouch_document_t * document = reader->document;
  shape->kind = VOUCH_SHAPE_MESH;
  vouch_ret_t ret = vouch_value_keys(document, value, "triangles vertices resource dimensions");
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_value_t * resource = vouch_value_get(value, "resource");
  if (resource != NULL) {
    double scale[3] = {1.0, 1.0, 1.0};
    const vouch_value_t * given = vouch_value_get(value, "dimensions");
    if (vouch_value_get(value, "triangles") != NULL || vouch_value_get(value, "vertices") != NULL) {
      return vouch_value_fail(document, value, "a mesh has either a resource or triangles");
    }
    if (given != NULL) {
      ret = vouch_value_numbers(document, given, "dimensions", NULL, scale, 3);
    }
    return ret == VOUCH_RET_OK ? vouch_read_mesh_resource(reader, resource, scale, shape) : ret;
  }
  if (vouch_value_get(value, "dimensions") != NULL) {
    return vouch_value_fail(
      document, value, "dimensions scale a mesh that comes from a resource; scale the vertices");
  }
  const vouch_value_t * vertices = vouch_value_get(value, "vertices");
  ret = vouch_read_points(reader, vertices == NULL ? value : vertices, 1, shape);
  if (ret == VOUCH_RET_OK) {
    const vouch_value_t * triangles = vouch_value_get(value, "triangles");
    ret = vouch_read_triangles(reader, triangles == NULL ? value : triangles, shape);
  }
  return ret;
}

static vouch_ret_t read_plane(
  vouch_scene_reader_t * reader, const vouch_value_t * value, vouch_shape_t * shape)
{
  shape->kind = VOUCH_SHAPE_PLANE;
  const vouch_value_t * coef =
    value->kind == VOUCH_VALUE_MAP ? vouch_value_get(value, "coef") : value;
  vouch_ret_t ret = value->kind != VOUCH_VALUE_MAP ? VOUCH_RET_OK :
    vouch_value_keys(reader->document, value, "coef");
  return ret != VOUCH_RET_OK ? ret : vouch_value_numbers(
    reader->document, coef == NULL ? value : coef, "the plane's coef", NULL, shape->plane, 4);
}

typedef vouch_ret_t (* shape_reader_t)(
  vouch_scene_reader_t *, const vouch_value_t *, vouch_shape_t *);

/// One of the three lists of shapes with its list of poses.
static vouch_ret_t read_shapes(
  vouch_scene_reader_t * reader, const vouch_value_t * object, const char * key,
  const char * pose_key, vouch_shape_list_t * list)
{
  const shape_reader_t read = key[0] == 'm' ? read_mesh : key[1] == 'r' ? read_primitive :
    read_plane;
  vouch_document_t * document = reader->document;
  const vouch_value_t * shapes = vouch_value_get(object, key);
  const vouch_value_t * poses = vouch_value_get(object, pose_key);
  if ((shapes != NULL && shapes->kind != VOUCH_VALUE_LIST) ||
    (poses != NULL && poses->kind != VOUCH_VALUE_LIST))
  {
    return vouch_value_fail(document, object, "%s and %s must be lists", key, pose_key);
  }
  if (list_count(poses) > list_count(shapes)) {
    return vouch_value_fail(
      document, poses, "%zu %s for %zu %s", list_count(poses), pose_key, list_count(shapes), key);
  }
  const vouch_value_t * pose = poses == NULL ? NULL : poses->first;
  for (const vouch_value_t * v = shapes == NULL ? NULL : shapes->first; v != NULL; v = v->next) {
    vouch_ret_t ret = read(reader, v, &list->shapes[list->count]);
    if (ret == VOUCH_RET_OK) {
      ret = vouch_value_pose(document, pose, pose_key, &list->poses[list->count]);
    }
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    pose = pose == NULL ? NULL : pose->next;
    list->count++;
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_all_shapes(
  vouch_scene_reader_t * reader, const vouch_value_t * object, vouch_shape_list_t * list)
{
  const size_t count = list_count(vouch_value_get(object, "primitives")) +
    list_count(vouch_value_get(object, "meshes")) +
    list_count(vouch_value_get(object, "planes"));
  *list = (vouch_shape_list_t) {
    .shapes = vouch_arena_calloc(&reader->document->arena, count, sizeof(*list->shapes)),
    .poses = vouch_arena_calloc(&reader->document->arena, count, sizeof(*list->poses))
  };
  if (list->shapes == NULL || list->poses == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  vouch_ret_t ret = read_shapes(reader, object, "primitives", "primitive_poses", list);
  if (ret == VOUCH_RET_OK) {
    ret = read_shapes(reader, object, "meshes", "mesh_poses", list);
  }
  if (ret == VOUCH_RET_OK) {
    ret = read_shapes(reader, object, "planes", "plane_poses", list);
  }
  return ret;
}

static vouch_ret_t read_object(
  vouch_scene_reader_t * reader, const vouch_value_t * value, vouch_object_change_t * object)
{
  vouch_document_t * document = reader->document;
  vouch_shape_list_t list;
  *object = (vouch_object_change_t) {.frame = ""};
  vouch_ret_t ret = vouch_value_keys(document, value, OBJECT_KEYS);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_value_text(document, vouch_value_get(value, "id"), "id", &object->id);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_value_header(document, vouch_value_get(value, "header"), &object->frame);
  }
  if (ret == VOUCH_RET_OK) {
    ret = read_operation(document, vouch_value_get(value, "operation"), &object->operation);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_value_pose(document, vouch_value_get(value, "pose"), "pose", &object->pose);
  }
  if (ret == VOUCH_RET_OK) {
    ret = read_all_shapes(reader, value, &list);
  }
  if (ret == VOUCH_RET_OK) {
    object->shapes = list.shapes;
    object->poses = list.poses;
    object->count = list.count;
  }
  return ret;
}

vouch_ret_t vouch_read_collision_object(
  vouch_scene_reader_t * reader, const vouch_value_t * value)
{
  vouch_object_change_t object;
  vouch_ret_t ret = read_object(reader, value, &object);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (strcmp(object.id, VOUCH_OCTOMAP_ID) == 0) {
    return vouch_value_fail(
      reader->document, value, "the id '%s' is kept for the octomap", object.id);
  }
  ret = vouch_scene_change_object(reader->scene, &object);
  ret = ret == VOUCH_RET_OK ? vouch_scene_settle(reader->scene, object.id) : ret;
  return ret == VOUCH_RET_OK ? ret : vouch_value_fail_at(ret, reader->document, value);
}

vouch_ret_t vouch_read_attached_object(
  vouch_scene_reader_t * reader, const vouch_value_t * value)
{
  vouch_document_t * document = reader->document;
  vouch_ret_t ret = vouch_value_keys(
    document, value, "link_name object touch_links detach_posture weight");
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const char * link = NULL;
  const char ** touch_links = NULL;
  size_t touch_count = 0;
  vouch_object_change_t object = {0};
  const vouch_value_t * inner = vouch_value_get(value, "object");
  if (inner == NULL) {
    return vouch_value_fail(document, value, "an attached object needs the key 'object'");
  }
  ret = vouch_value_text(document, vouch_value_get(value, "link_name"), "link_name", &link);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_value_texts(
      document, vouch_value_get(value, "touch_links"), "touch_links", &touch_links, &touch_count);
  }
  if (ret == VOUCH_RET_OK) {
    ret = read_object(reader, inner, &object);
  }
  if (ret != VOUCH_RET_OK ||
    (object.operation == VOUCH_OPERATION_REMOVE) != reader->put_down)
  {
    return ret;
  }
  object.keeps_world = reader->request;
  ret = vouch_scene_change_attached(
    reader->scene, &object, link, touch_links, touch_count);
  return ret == VOUCH_RET_OK ? ret : vouch_value_fail_at(ret, document, value);
}
