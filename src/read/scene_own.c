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
/* Our own scene format: all shapes, pairs by name. docs/scenes.md describes it. */

#include <string.h>

#include "base/error.h"
#include "read/scene_reader.h"

static const char OWN_KEYS[] =
  "name objects remove allow check allow_default check_default padding transforms state is_diff "
  "margins";

bool vouch_is_own_scene(const vouch_value_t * root)
{
  static const char * const words[] = {
    "objects", "remove", "allow", "check", "allow_default", "check_default", "padding",
    "transforms", "state", "margins"
  };
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); ++i) {
    for (const vouch_value_t * v = root->first; v != NULL; v = v->next) {
      if (strcmp(v->key, words[i]) == 0) {
        return true;
      }
    }
  }
  return false;
}

typedef struct shape_word_s
{
  const char * word;
  vouch_shape_kind_t kind;
  const char * keys;      // all that may be said
  const char * sizes[2];  // numbers, in the order of vouch_shape_t
} shape_word_t;

static const shape_word_t SHAPES[] = {
  {"box", VOUCH_SHAPE_BOX, "type pose size", {NULL, NULL}},
  {"sphere", VOUCH_SHAPE_SPHERE, "type pose radius", {"radius", NULL}},
  {"cylinder", VOUCH_SHAPE_CYLINDER, "type pose radius height", {"radius", "height"}},
  {"cone", VOUCH_SHAPE_CONE, "type pose radius height", {"radius", "height"}},
  {"capsule", VOUCH_SHAPE_CAPSULE, "type pose radius length", {"radius", "length"}},
  {"ellipsoid", VOUCH_SHAPE_ELLIPSOID, "type pose radii", {NULL, NULL}},
  {"prism", VOUCH_SHAPE_PRISM, "type pose height points", {"height", NULL}},
  {"convex", VOUCH_SHAPE_CONVEX, "type pose points", {NULL, NULL}},
  {"mesh", VOUCH_SHAPE_MESH, "type pose points triangles file scale", {NULL, NULL}},
  {"plane", VOUCH_SHAPE_PLANE, "type pose normal offset", {NULL, NULL}},
  {"half_space", VOUCH_SHAPE_HALFSPACE, "type pose normal offset", {NULL, NULL}},
};

static const shape_word_t * find_shape(const char * word)
{
  for (size_t i = 0; i < sizeof(SHAPES) / sizeof(SHAPES[0]); ++i) {
    if (strcmp(SHAPES[i].word, word) == 0) {
      return &SHAPES[i];
    }
  }
  return NULL;
}

/// A member that must be there.
static vouch_ret_t need(
  const vouch_document_t * document, const vouch_value_t * map, const char * key,
  const vouch_value_t ** value)
{
  *value = vouch_value_get(map, key);
  return *value != NULL ? VOUCH_RET_OK :
         vouch_value_fail(document, map, "'%s' is missing here", key);
}

static vouch_ret_t read_mesh(
  vouch_scene_reader_t * reader, const vouch_value_t * value, vouch_shape_t * shape)
{
  const vouch_value_t * file = vouch_value_get(value, "file");
  const vouch_value_t * scale_value = vouch_value_get(value, "scale");
  const vouch_value_t * points = vouch_value_get(value, "points");
  const vouch_value_t * triangles = vouch_value_get(value, "triangles");
  double scale[3] = {1.0, 1.0, 1.0};
  if ((file == NULL) == (points == NULL) || (file == NULL) != (triangles != NULL) ||
    (file == NULL && scale_value != NULL))
  {
    return vouch_value_fail(
      reader->document, value, "a mesh needs 'points' and 'triangles', or 'file' (and 'scale')");
  }
  if (file == NULL) {
    vouch_ret_t ret = vouch_read_points(reader, points, 1, shape);
    return ret == VOUCH_RET_OK ? vouch_read_triangles(reader, triangles, shape) : ret;
  }
  vouch_ret_t ret = scale_value == NULL ? VOUCH_RET_OK :
    vouch_value_numbers(reader->document, scale_value, "scale", "xyz", scale, 3);
  return ret == VOUCH_RET_OK ? vouch_read_mesh_resource(reader, file, scale, shape) : ret;
}

/// normal . x = offset becomes normal . x - offset = 0.
static vouch_ret_t read_plane(
  const vouch_document_t * document, const vouch_value_t * value, vouch_shape_t * shape)
{
  const vouch_value_t * normal = NULL;
  double offset = 0.0;
  vouch_ret_t ret = need(document, value, "normal", &normal);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_value_numbers(document, normal, "normal", "xyz", shape->plane, 3);
  }
  if (ret == VOUCH_RET_OK && vouch_value_get(value, "offset") != NULL) {
    ret = vouch_value_number(document, vouch_value_get(value, "offset"), "offset", &offset);
  }
  shape->plane[3] = -offset;
  return ret;
}

static vouch_ret_t read_sizes(
  const vouch_document_t * document, const vouch_value_t * value, const shape_word_t * word,
  vouch_shape_t * shape)
{
  const vouch_value_t * member = NULL;
  const char * vector = shape->kind == VOUCH_SHAPE_BOX ? "size" :
    shape->kind == VOUCH_SHAPE_ELLIPSOID ? "radii" : NULL;
  if (vector != NULL) {
    vouch_ret_t ret = need(document, value, vector, &member);
    return ret == VOUCH_RET_OK ?
           vouch_value_numbers(document, member, vector, "xyz", shape->size, 3) : ret;
  }
  for (size_t i = 0; i < 2 && word->sizes[i] != NULL; ++i) {
    vouch_ret_t ret = need(document, value, word->sizes[i], &member);
    ret = ret == VOUCH_RET_OK ?
      vouch_value_number(document, member, word->sizes[i], &shape->size[i]) : ret;
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_shape(
  vouch_scene_reader_t * reader, const vouch_value_t * value, vouch_shape_t * shape,
  vouch_pose_t * pose)
{
  const vouch_document_t * document = reader->document;
  const vouch_value_t * member = NULL;
  const char * type = "";
  vouch_ret_t ret = value->kind == VOUCH_VALUE_MAP ?
    vouch_value_text(document, vouch_value_get(value, "type"), "type", &type) :
    vouch_value_fail(document, value, "a shape must be a map with a 'type'");
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const shape_word_t * word = find_shape(type);
  if (word == NULL) {
    return vouch_value_fail(
      document, value, "shape type '%.40s' is not known; known are box, sphere, cylinder, cone, "
      "capsule, ellipsoid, prism, convex, mesh, plane, half_space", type);
  }
  *shape = (vouch_shape_t) {.kind = word->kind};
  ret = vouch_value_keys(document, value, word->keys);
  ret = ret == VOUCH_RET_OK ? read_sizes(document, value, word, shape) : ret;
  if (ret == VOUCH_RET_OK &&
    (shape->kind == VOUCH_SHAPE_PRISM || shape->kind == VOUCH_SHAPE_CONVEX))
  {
    ret = need(document, value, "points", &member);
    ret = ret == VOUCH_RET_OK ? vouch_read_points(reader, member, 1, shape) : ret;
  }
  if (ret == VOUCH_RET_OK && shape->kind == VOUCH_SHAPE_MESH) {
    ret = read_mesh(reader, value, shape);
  }
  if (ret == VOUCH_RET_OK &&
    (shape->kind == VOUCH_SHAPE_PLANE || shape->kind == VOUCH_SHAPE_HALFSPACE))
  {
    ret = read_plane(document, value, shape);
  }
  return ret == VOUCH_RET_OK ?
         vouch_value_pose(document, vouch_value_get(value, "pose"), "pose", pose) : ret;
}

static vouch_ret_t read_shape_list(
  vouch_scene_reader_t * reader, const vouch_value_t * value, vouch_shape_list_t * list)
{
  vouch_ret_t ret = vouch_value_list(reader->document, value, "shapes");
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  list->shapes = vouch_arena_calloc(
    &reader->document->arena, value->count, sizeof(*list->shapes));
  list->poses = vouch_arena_calloc(&reader->document->arena, value->count, sizeof(*list->poses));
  if (list->shapes == NULL || list->poses == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (const vouch_value_t * v = value->first; ret == VOUCH_RET_OK && v != NULL; v = v->next) {
    ret = read_shape(reader, v, &list->shapes[list->count], &list->poses[list->count]);
    list->count++;
  }
  return ret;
}

static vouch_ret_t read_attach(
  vouch_scene_reader_t * reader, const char * id, const vouch_value_t * value)
{
  vouch_document_t * document = reader->document;
  const char * link = "";
  const char ** touch_links = NULL;
  size_t touch_count = 0;
  vouch_ret_t ret = vouch_value_keys(document, value, "link touch_links");
  if (ret == VOUCH_RET_OK) {
    ret = vouch_value_text(document, vouch_value_get(value, "link"), "link", &link);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_value_texts(
      document, vouch_value_get(value, "touch_links"), "touch_links", &touch_links, &touch_count);
  }
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_scene_attach_object(reader->scene, id, link, touch_links, touch_count);
  return ret == VOUCH_RET_OK ? ret : vouch_value_fail_at(ret, document, value);
}

static vouch_ret_t read_object(vouch_scene_reader_t * reader, const vouch_value_t * value)
{
  vouch_document_t * document = reader->document;
  const char * id = "", * frame = "";
  const vouch_value_t * shapes = NULL;
  vouch_shape_list_t list = {0};
  vouch_pose_t pose;
  double padding = 0.0, growth = 0.0;
  vouch_ret_t ret = vouch_value_keys(document, value, "id frame pose shapes padding growth attach");
  ret = ret == VOUCH_RET_OK ?
    vouch_value_text(document, vouch_value_get(value, "id"), "id", &id) : ret;
  ret = ret == VOUCH_RET_OK ?
    vouch_value_text(document, vouch_value_get(value, "frame"), "frame", &frame) : ret;
  ret = ret == VOUCH_RET_OK ?
    vouch_value_pose(document, vouch_value_get(value, "pose"), "pose", &pose) : ret;
  ret = ret == VOUCH_RET_OK ? need(document, value, "shapes", &shapes) : ret;
  ret = ret == VOUCH_RET_OK ? read_shape_list(reader, shapes, &list) : ret;
  const vouch_value_t * padding_value = vouch_value_get(value, "padding");
  if (ret == VOUCH_RET_OK && padding_value != NULL) {
    ret = vouch_value_number(document, padding_value, "padding", &padding);
  }
  const vouch_value_t * growth_value = vouch_value_get(value, "growth");
  if (ret == VOUCH_RET_OK && growth_value != NULL) {
    ret = vouch_value_number(document, growth_value, "growth", &growth);
  }
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_scene_check_new(reader->scene, id);
  ret = ret != VOUCH_RET_OK ? ret : vouch_scene_add_object(
    reader->scene, id, frame, &pose, list.shapes, list.poses, list.count);
  if (ret == VOUCH_RET_OK && padding_value != NULL) {
    ret = vouch_scene_set_padding(reader->scene, id, padding);
  }
  ret = ret == VOUCH_RET_OK ? vouch_scene_set_growth(reader->scene, id, growth) : ret;
  if (ret != VOUCH_RET_OK) {
    return vouch_value_fail_at(ret, document, value);
  }
  const vouch_value_t * attach = vouch_value_get(value, "attach");
  return attach == NULL ? VOUCH_RET_OK : read_attach(reader, id, attach);
}

static vouch_ret_t read_objects(vouch_scene_reader_t * reader, const vouch_value_t * list)
{
  vouch_ret_t ret = list == NULL ? VOUCH_RET_OK :
    vouch_value_list(reader->document, list, "objects");
  for (const vouch_value_t * v = list == NULL ? NULL : list->first;
    ret == VOUCH_RET_OK && v != NULL; v = v->next)
  {
    ret = read_object(reader, v);
  }
  return ret;
}

/// A pair with a misspelled name would be one that is not looked at.
static vouch_ret_t check_names(
  const vouch_scene_reader_t * reader, const vouch_value_t * value, const char * const * names,
  size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    char question[160];
    if (!vouch_scene_has_name(reader->scene, names[i])) {
      return vouch_value_fail(
        reader->document, value, "'%s' is neither a link nor an object of the scene%s", names[i],
        vouch_scene_question(reader->scene, names[i], question));
    }
  }
  return VOUCH_RET_OK;
}

/// Whether a list of pairs that was read before has this one.
static bool has_pair(const vouch_value_t * list, const char * a, const char * b)
{
  for (const vouch_value_t * v = list == NULL ? NULL : list->first; v != NULL; v = v->next) {
    const char * first = v->first->text, * second = v->first->next->text;
    if ((strcmp(first, a) == 0 && strcmp(second, b) == 0) ||
      (strcmp(first, b) == 0 && strcmp(second, a) == 0))
    {
      return true;
    }
  }
  return false;
}

static bool has_name(const vouch_value_t * list, const char * name)
{
  for (const vouch_value_t * v = list == NULL ? NULL : list->first; v != NULL; v = v->next) {
    if (strcmp(v->text, name) == 0) {
      return true;
    }
  }
  return false;
}

/// "allow", "check": [[a, b], ...]. What both name is refused: either of them could be meant.
static vouch_ret_t read_pairs(
  vouch_scene_reader_t * reader, const vouch_value_t * root, const char * key)
{
  const vouch_value_t * list = vouch_value_get(root, key);
  const vouch_allowed_t * matrix = &reader->scene->allowed;
  const bool allowed = key[0] == 'a';
  vouch_ret_t ret = list == NULL ? VOUCH_RET_OK :
    vouch_value_list(reader->document, list, key);
  for (const vouch_value_t * v = list == NULL ? NULL : list->first;
    ret == VOUCH_RET_OK && v != NULL; v = v->next)
  {
    const char ** names = NULL;
    size_t count = 0;
    ret = vouch_value_texts(reader->document, v, "a pair", &names, &count);
    if (ret == VOUCH_RET_OK && count != 2) {
      ret = vouch_value_fail(reader->document, v, "a pair needs two names");
    }
    ret = ret == VOUCH_RET_OK ? check_names(reader, v, names, count) : ret;
    if (ret == VOUCH_RET_OK && !allowed &&
      vouch_allowed_explicit(matrix, names[0], names[1]) == VOUCH_ALLOWED_YES &&
      has_pair(vouch_value_get(root, "allow"), names[0], names[1]))
    {
      ret = vouch_value_fail(
        reader->document, v, "'%s' and '%s' are both in allow and in check: leave one out",
        names[0], names[1]);
    }
    ret = ret == VOUCH_RET_OK ?
      vouch_scene_allow_pair(reader->scene, names[0], names[1], allowed) : ret;
  }
  return ret;
}

static vouch_ret_t read_names(
  vouch_scene_reader_t * reader, const vouch_value_t * root, const char * key)
{
  const vouch_value_t * value = vouch_value_get(root, key);
  const char ** names = NULL;
  size_t count = 0;
  vouch_ret_t ret = vouch_value_texts(reader->document, value, key, &names, &count);
  ret = ret == VOUCH_RET_OK ? check_names(reader, value, names, count) : ret;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < count; ++i) {
    if (key[0] == 'c' && vouch_allowed_by_default(
        &reader->scene->allowed, names[i], names[i]) == VOUCH_ALLOWED_YES &&
      has_name(vouch_value_get(root, "allow_default"), names[i]))
    {
      return vouch_value_fail(
        reader->document, value,
        "'%s' is both in allow_default and in check_default: leave one out",
        names[i]);
    }
    ret = key[0] == 'r' ? vouch_scene_remove_object(reader->scene, names[i]) :
      vouch_scene_allow_default(reader->scene, names[i], key[0] == 'a');
    ret = ret == VOUCH_RET_OK ? ret : vouch_value_fail_at(ret, reader->document, value);
  }
  return ret;
}

/// "margins": [{"pair": [a, b], "margin": metres}, ...]
static vouch_ret_t read_margins(vouch_scene_reader_t * reader, const vouch_value_t * list)
{
  vouch_document_t * document = reader->document;
  vouch_ret_t ret = list == NULL ? VOUCH_RET_OK : vouch_value_list(document, list, "margins");
  for (const vouch_value_t * v = list == NULL ? NULL : list->first;
    ret == VOUCH_RET_OK && v != NULL; v = v->next)
  {
    const vouch_value_t * pair = NULL, * margin = NULL;
    const char ** names = NULL;
    size_t count = 0;
    double metres = 0.0;
    ret = v->kind == VOUCH_VALUE_MAP ? vouch_value_keys(document, v, "pair margin") :
      vouch_value_fail(document, v, "a margin must be a map with 'pair' and 'margin'");
    ret = ret == VOUCH_RET_OK ? need(document, v, "pair", &pair) : ret;
    ret = ret == VOUCH_RET_OK ? need(document, v, "margin", &margin) : ret;
    ret = ret == VOUCH_RET_OK ? vouch_value_texts(document, pair, "pair", &names, &count) : ret;
    if (ret == VOUCH_RET_OK && count != 2) {
      ret = vouch_value_fail(document, pair, "a pair needs two names");
    }
    ret = ret == VOUCH_RET_OK ? vouch_value_number(document, margin, "margin", &metres) : ret;
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    for (const vouch_value_t * w = list->first; w != v; w = w->next) {
      const vouch_value_t * two = vouch_value_get(w, "pair")->first;
      if ((strcmp(two->text, names[0]) == 0 && strcmp(two->next->text, names[1]) == 0) ||
        (strcmp(two->text, names[1]) == 0 && strcmp(two->next->text, names[0]) == 0))
      {
        return vouch_value_fail(
          document, v, "'%s' and '%s' have two margins: leave one out", names[0], names[1]);
      }
    }
    ret = vouch_scene_set_pair_margin(reader->scene, names[0], names[1], metres);
    ret = ret == VOUCH_RET_OK ? ret : vouch_value_fail_at(ret, document, v);
  }
  return ret;
}

static vouch_ret_t read_map_entry(
  vouch_scene_reader_t * reader, const vouch_value_t * value, const char * key)
{
  const vouch_document_t * document = reader->document;
  vouch_scene_t * scene = reader->scene;
  double number = 0.0;
  vouch_pose_t pose;
  vouch_ret_t ret;
  if (key[0] == 't') {
    ret = vouch_value_pose(document, value, "transform", &pose);
    ret = ret == VOUCH_RET_OK ? vouch_read_check_frame(reader, value, value->key, &pose) : ret;
    return ret != VOUCH_RET_OK ? ret : vouch_scene_set_transform(scene, value->key, &pose);
  }
  ret = vouch_value_number(document, value, key, &number);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (key[0] == 'p') {
    ret = vouch_scene_set_padding(scene, value->key, number);
    return ret == VOUCH_RET_OK ? ret : vouch_value_fail_at(ret, document, value);
  }
  const int variable = vouch_robot_find_variable(scene->robot, value->key);
  if (variable < 0) {
    const uint32_t joint = vouch_robot_find_joint(scene->robot, value->key);
    const vouch_joint_t * mimic = joint != VOUCH_NONE && scene->robot->joints[joint].mimic ?
      &scene->robot->joints[joint] : NULL;
    return mimic != NULL ? vouch_value_fail(
      document, value, "joint '%s' follows joint '%s': give that one only", value->key,
      vouch_robot_variable_name(scene->robot, mimic->variable)) :
           vouch_value_fail(document, value, "the robot has no joint '%s' to set", value->key);
  }
  if (!(number >= -65536.0 && number <= 65536.0)) {
    return vouch_value_fail(document, value, "joint '%s' is beyond 65536", value->key);
  }
  scene->state[variable] = number;
  scene->velocities[variable] = 0.0;
  return VOUCH_RET_OK;
}

/// "padding", "transforms", "state": maps from a name to a number or a pose.
static vouch_ret_t read_map(
  vouch_scene_reader_t * reader, const vouch_value_t * root, const char * key)
{
  const vouch_value_t * map = vouch_value_get(root, key);
  if (map == NULL) {
    return VOUCH_RET_OK;
  }
  if (map->kind != VOUCH_VALUE_MAP) {
    return vouch_value_fail(reader->document, map, "%s must be a map", key);
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  for (const vouch_value_t * v = map->first; ret == VOUCH_RET_OK && v != NULL; v = v->next) {
    ret = read_map_entry(reader, v, key);
  }
  return ret;
}

vouch_ret_t vouch_read_own_scene(vouch_scene_reader_t * reader, const vouch_value_t * root)
{
  bool diff = false;
  vouch_ret_t ret = vouch_value_keys(reader->document, root, OWN_KEYS);
  if (ret == VOUCH_RET_OK && vouch_value_get(root, "is_diff") != NULL) {
    ret = vouch_value_bool(
      reader->document, vouch_value_get(root, "is_diff"), "is_diff", &diff);
  }
  if (ret == VOUCH_RET_OK && !diff) {
    vouch_scene_clear(reader->scene, true);
    reader->scene->wholes++;
  }
  ret = ret == VOUCH_RET_OK ? read_map(reader, root, "state") : ret;
  ret = ret == VOUCH_RET_OK ? read_map(reader, root, "transforms") : ret;
  ret = ret == VOUCH_RET_OK ? read_names(reader, root, "remove") : ret;
  ret = ret == VOUCH_RET_OK ? read_objects(reader, vouch_value_get(root, "objects")) : ret;
  ret = ret == VOUCH_RET_OK ? read_pairs(reader, root, "allow") : ret;
  ret = ret == VOUCH_RET_OK ? read_pairs(reader, root, "check") : ret;
  ret = ret == VOUCH_RET_OK ? read_names(reader, root, "allow_default") : ret;
  ret = ret == VOUCH_RET_OK ? read_names(reader, root, "check_default") : ret;
  ret = ret == VOUCH_RET_OK ? read_map(reader, root, "padding") : ret;
  return ret == VOUCH_RET_OK ? read_margins(reader, vouch_value_get(root, "margins")) : ret;
}
