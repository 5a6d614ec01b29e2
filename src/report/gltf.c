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
/* The cell and its motion as binary glTF 2.0 (Khronos, "glTF 2.0 specification", 2021): a tree of
 * nodes, one mesh a body, one animation. Planes have no end and are drawn as squares. */

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "report/blob.h"
#include "report/film.h"
#include "report/json_tools.h"
#include "report/page.h"
#include "report/shown_mesh.h"
#include "report/stage.h"

/* The numbers of the specification. */
enum
{
  GLTF_U32 = 5125, GLTF_F32 = 5126, GLTF_ARRAY = 34962, GLTF_ELEMENTS = 34963,
  GLTF_MAGIC = 0x46546c67, GLTF_JSON = 0x4e4f534a, GLTF_BIN = 0x004e4942
};

#define MOST_TRIANGLES 400000u
#define PLANE_SIZE 2.0

typedef struct writer_s
{
  vouch_stage_t stage;
  vouch_film_t film;
  vouch_text_t blob;
  json_t * views, * accessors, * meshes, * nodes, * samplers, * channels;
  size_t times;            // accessor of the film's times
} writer_t;

static json_t * numbers(const double * values, int count)
{
  json_t * array = json_array();
  for (int i = 0; i < count; i++) {
    json_array_append_new(array, real_or_null(values[i]));
  }
  return array;
}

/* What was appended since `begin` is one view and one accessor. Returns the accessor's number. */
static size_t add_accessor(
  writer_t * w, size_t begin, int target, const char * type, size_t count)
{
  json_t * view = json_object(), * accessor = json_object();
  set_count(view, "buffer", 0);
  set_count(view, "byteOffset", begin);
  set_count(view, "byteLength", w->blob.size - begin);
  if (target != 0) {
    set_count(view, "target", (uint64_t)target);
  }
  set_count(accessor, "bufferView", json_array_size(w->views));
  set_count(accessor, "componentType", target == GLTF_ELEMENTS ? GLTF_U32 : GLTF_F32);
  set_count(accessor, "count", count);
  set_text(accessor, "type", type);
  json_array_append_new(w->views, view);
  json_array_append_new(w->accessors, accessor);
  return json_array_size(w->accessors) - 1;
}

static void set_bounds(
  writer_t * w, size_t accessor, const double * low, const double * high,
  int n)
{
  json_t * object = json_array_get(w->accessors, accessor);
  set(object, "min", numbers(low, n));
  set(object, "max", numbers(high, n));
}

/* ---- meshes ---- */

static void add_mesh(
  writer_t * w, const vouch_shown_mesh_t * mesh, const char * name, vouch_role_t role)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  const size_t points = vouch_blob_begin(&w->blob);
  for (size_t i = 0; i < mesh->point_count; i++) {
    for (int k = 0; k < 3; k++) {
      const double value = (double)mesh->points[i][k];
      vouch_blob_f32(&w->blob, value);
      low[k] = fmin(low[k], value);
      high[k] = fmax(high[k], value);
    }
  }
  const size_t position = add_accessor(w, points, GLTF_ARRAY, "VEC3", mesh->point_count);
  set_bounds(w, position, low, high, 3);
  const size_t corners = vouch_blob_begin(&w->blob);
  for (size_t i = 0; i < mesh->triangle_count; i++) {
    for (int k = 0; k < 3; k++) {
      vouch_blob_u32(&w->blob, mesh->triangles[i][k]);
    }
  }
  const size_t indices = add_accessor(
    w, corners, GLTF_ELEMENTS, "SCALAR", 3u * mesh->triangle_count);
  json_t * object = json_object(), * primitive = json_object(), * attributes = json_object();
  set_count(attributes, "POSITION", position);
  set(primitive, "attributes", attributes);
  set_count(primitive, "indices", indices);
  set_count(primitive, "material", role);
  json_t * primitives = json_array();
  json_array_append_new(primitives, primitive);
  set_text(object, "name", name);
  set(object, "primitives", primitives);
  json_array_append_new(w->meshes, object);
}

static json_t * materials(void)
{
  static const struct {const char * name; double colour[4];} all[] = {
    [VOUCH_ROLE_LINK] = {"robot", {0.62, 0.69, 0.76, 1.0}},
    [VOUCH_ROLE_ATTACHED] = {"held", {0.89, 0.38, 0.07, 1.0}},
    [VOUCH_ROLE_OBSTACLE] = {"obstacles", {0.58, 0.51, 0.42, 1.0}},
    [VOUCH_ROLE_PLANE] = {"planes", {0.45, 0.5, 0.55, 1.0}}
  };
  json_t * array = json_array();
  for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
    json_t * material = json_object(), * look = json_object();
    set(look, "baseColorFactor", numbers(all[i].colour, 4));
    set(look, "metallicFactor", json_real(0.1));
    set(look, "roughnessFactor", json_real(0.7));
    set_text(material, "name", all[i].name);
    set(material, "pbrMetallicRoughness", look);
    set(material, "doubleSided", json_true());
    json_array_append_new(array, material);
  }
  return array;
}

/* ---- nodes: the root, the frames, then the bodies ---- */

static void set_pose(json_t * node, const vouch_pose_t * pose)
{
  double q[4], norm = 0.0;
  for (int i = 0; i < 4; i++) {
    norm += pose->rotation[i] * pose->rotation[i];
  }
  for (int i = 0; i < 4; i++) {
    q[i] = pose->rotation[i] / sqrt(norm);
  }
  set(node, "translation", numbers(pose->translation, 3));
  set(node, "rotation", numbers(q, 4));
}

static void add_child(writer_t * w, size_t parent, size_t child)
{
  json_t * node = json_array_get(w->nodes, parent);
  json_t * children = json_object_get(node, "children");
  if (!children) {
    children = json_array();
    set(node, "children", children);
  }
  json_array_append_new(children, json_integer((json_int_t)child));
}

/* glTF looks along -z with y up; robots stand along z. */
static void add_root(writer_t * w)
{
  const double upright[4] = {-0.70710678118654752, 0.0, 0.0, 0.70710678118654752};
  json_t * root = json_object();
  set_text(root, "name", "cell");
  set(root, "rotation", numbers(upright, 4));
  json_array_append_new(w->nodes, root);
}

static void add_frames(writer_t * w)
{
  const vouch_scene_part_t * scene = &w->stage.build.problem.scene;
  for (uint32_t i = 0; i < scene->frame_count; i++) {
    json_t * node = json_object();
    set_text(node, "name", scene->frames[i].name);
    set_pose(node, &scene->frames[i].pose);
    json_array_append_new(w->nodes, node);
    add_child(w, i == 0 ? 0 : scene->frames[i].parent + 1u, i + 1u);
  }
}

static vouch_ret_t square(vouch_shown_mesh_t * mesh)
{
  static const double points[8][3] = {
    {-PLANE_SIZE, -PLANE_SIZE, -1e-3}, {PLANE_SIZE, -PLANE_SIZE, -1e-3},
    {PLANE_SIZE, PLANE_SIZE, -1e-3}, {-PLANE_SIZE, PLANE_SIZE, -1e-3},
    {-PLANE_SIZE, -PLANE_SIZE, 0.0}, {PLANE_SIZE, -PLANE_SIZE, 0.0},
    {PLANE_SIZE, PLANE_SIZE, 0.0}, {-PLANE_SIZE, PLANE_SIZE, 0.0}
  };
  return vouch_shown_mesh_hull(mesh, points, 8);
}

static vouch_ret_t add_bodies(writer_t * w)
{
  const vouch_problem_t * problem = &w->stage.build.problem;
  const vouch_scene_part_t * scene = &problem->scene;
  vouch_shown_mesh_t mesh = {.allocator = w->stage.allocator};
  vouch_ret_t ret = VOUCH_RET_OK;
  for (uint32_t i = 0; i < scene->body_count && ret == VOUCH_RET_OK; i++) {
    const vouch_body_t * body = &scene->bodies[i];
    ret = body->kind != VOUCH_BODY_GEOMETRY ? square(&mesh) : vouch_shown_mesh_build(
      &mesh, problem->geometry.geometries[body->geometry], MOST_TRIANGLES);
    json_t * node = json_object();
    set_text(node, "name", body->name);
    set_pose(node, &body->placement);
    if (ret == VOUCH_RET_OK && mesh.triangle_count > 0) {
      set_count(node, "mesh", json_array_size(w->meshes));
      add_mesh(w, &mesh, body->name, w->stage.roles[i]);
    }
    json_array_append_new(w->nodes, node);
    add_child(w, body->frame + 1u, json_array_size(w->nodes) - 1);
  }
  vouch_shown_mesh_fini(&mesh);
  return ret;
}

/* ---- the motion ---- */

static void add_channel(writer_t * w, size_t output, size_t node, const char * path)
{
  json_t * sampler = json_object(), * channel = json_object(), * target = json_object();
  set_count(sampler, "input", w->times);
  set_count(sampler, "output", output);
  set_text(sampler, "interpolation", "LINEAR");
  set_count(target, "node", node);
  set_text(target, "path", path);
  set_count(channel, "sampler", json_array_size(w->samplers));
  set(channel, "target", target);
  json_array_append_new(w->samplers, sampler);
  json_array_append_new(w->channels, channel);
}

static double value_of(const writer_t * w, const vouch_frame_t * frame, size_t picture)
{
  return frame->multiplier * w->film.values[picture * w->film.variables + frame->variable] +
         frame->offset;
}

/* Rotations between two pictures take the shorter way, as the pictures of one joint are near. */
static void add_turning(writer_t * w, uint32_t number)
{
  const vouch_frame_t * frame = &w->stage.build.problem.scene.frames[number];
  const vec3_t axis = vec3_unit(vec3_from(frame->axis), vec3(0.0, 0.0, 1.0));
  const size_t begin = vouch_blob_begin(&w->blob);
  double last[4] = {0.0, 0.0, 0.0, 0.0};
  for (size_t i = 0; i < w->film.count; i++) {
    const double half = 0.5 * value_of(w, frame, i);
    const double turn[4] = {
      axis.x * sin(half), axis.y * sin(half), axis.z * sin(half), cos(half)
    };
    double q[4], norm = 0.0, same = 0.0;
    quaternion_mul(frame->pose.rotation, turn, q);
    for (int k = 0; k < 4; k++) {
      norm += q[k] * q[k];
      same += q[k] * last[k];
    }
    for (int k = 0; k < 4; k++) {
      last[k] = (same < 0.0 ? -1.0 : 1.0) * q[k] / sqrt(norm);
      vouch_blob_f32(&w->blob, last[k]);
    }
  }
  add_channel(w, add_accessor(w, begin, 0, "VEC4", w->film.count), number + 1u, "rotation");
}

static void add_sliding(writer_t * w, uint32_t number)
{
  const vouch_frame_t * frame = &w->stage.build.problem.scene.frames[number];
  const vec3_t axis = vec3_unit(vec3_from(frame->axis), vec3(0.0, 0.0, 1.0));
  const rigid_t pose = rigid_from_pose(&frame->pose);
  const size_t begin = vouch_blob_begin(&w->blob);
  for (size_t i = 0; i < w->film.count; i++) {
    const vec3_t p = rigid_apply(&pose, vec3_scale(axis, value_of(w, frame, i)));
    vouch_blob_f32(&w->blob, p.x);
    vouch_blob_f32(&w->blob, p.y);
    vouch_blob_f32(&w->blob, p.z);
  }
  add_channel(w, add_accessor(w, begin, 0, "VEC3", w->film.count), number + 1u, "translation");
}

static void add_motion(writer_t * w)
{
  const vouch_scene_part_t * scene = &w->stage.build.problem.scene;
  const size_t begin = vouch_blob_begin(&w->blob);
  for (size_t i = 0; i < w->film.count; i++) {
    vouch_blob_f32(&w->blob, w->film.times[i]);
  }
  const double first = (double)(float)w->film.times[0];
  const double last = (double)(float)w->film.times[w->film.count - 1];
  w->times = add_accessor(w, begin, 0, "SCALAR", w->film.count);
  set_bounds(w, w->times, &first, &last, 1);
  for (uint32_t i = 0; i < scene->frame_count; i++) {
    if (scene->frames[i].joint == VOUCH_JOINT_REVOLUTE) {
      add_turning(w, i);
    } else if (scene->frames[i].joint == VOUCH_JOINT_PRISMATIC) {
      add_sliding(w, i);
    }
  }
}

/* ---- the file ---- */

static json_t * root_of(writer_t * w, const vouch_report_t * report)
{
  json_t * root = json_object(), * asset = json_object(), * scene = json_object();
  json_t * buffer = json_object();
  char generator[64];
  snprintf(generator, sizeof(generator), "vouch %s", vouch_version());
  set_text(asset, "version", "2.0");
  set_text(asset, "generator", generator);
  set(root, "asset", asset);
  set_count(root, "scene", 0);
  set_text(scene, "name", vouch_robot_name(vouch_scene_robot(report->scene)));
  set(scene, "nodes", json_pack("[i]", 0));
  set(root, "scenes", json_pack("[o]", scene));
  json_object_set(root, "nodes", w->nodes);
  set(root, "materials", materials());
  if (json_array_size(w->meshes) > 0) {   // empty lists are not allowed
    json_object_set(root, "meshes", w->meshes);
  }
  if (json_array_size(w->channels) > 0) {
    json_t * animation = json_object();
    set_text(animation, "name", "motion");
    json_object_set(animation, "samplers", w->samplers);
    json_object_set(animation, "channels", w->channels);
    set(root, "animations", json_pack("[o]", animation));
  }
  json_object_set(root, "accessors", w->accessors);
  json_object_set(root, "bufferViews", w->views);
  (void)vouch_blob_begin(&w->blob);
  set_count(buffer, "byteLength", w->blob.size);
  set(root, "buffers", json_pack("[o]", buffer));
  return root;
}

static vouch_ret_t write_file(writer_t * w, const vouch_report_t * report, vouch_text_t * out)
{
  json_t * root = root_of(w, report);
  char * text = json_dumps(root, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15));
  json_decref(root);
  vouch_text_t json = {.allocator = out->allocator};
  if (text) {
    vouch_text_append(&json, "%s", text);
    while (json.size % 4u != 0 && !json.failed) {
      vouch_text_append(&json, " ");
    }
  }
  free(text);
  if (text == NULL || json.failed || w->blob.failed || w->blob.size > UINT32_MAX / 2u) {
    vouch_text_fini(&json);
    return vouch_fail(VOUCH_RET_NO_MEMORY, "Out of memory while writing a glTF file.");
  }
  vouch_blob_u32(out, GLTF_MAGIC);
  vouch_blob_u32(out, 2);
  vouch_blob_u32(out, (uint32_t)(12u + 8u + json.size + 8u + w->blob.size));
  vouch_blob_u32(out, (uint32_t)json.size);
  vouch_blob_u32(out, GLTF_JSON);
  vouch_text_append_bytes(out, json.data, json.size);
  vouch_blob_u32(out, (uint32_t)w->blob.size);
  vouch_blob_u32(out, GLTF_BIN);
  vouch_text_append_bytes(out, w->blob.data, w->blob.size);
  vouch_text_fini(&json);
  return out->failed ? vouch_fail(VOUCH_RET_NO_MEMORY, "Out of memory while writing a glTF file.") :
         VOUCH_RET_OK;
}

vouch_ret_t vouch_report_gltf(const vouch_report_t * report, vouch_text_t * out)
{
  if (!report->result || !report->scene || !report->motion) {
    return vouch_fail(VOUCH_RET_INVALID, "A glTF file needs a checked motion and its scene.");
  }
  vouch_allocator_t allocator = out->allocator;
  writer_t w = {.stage = {.allocator = allocator}, .film = {.allocator = allocator},
    .blob = {.allocator = allocator}, .views = json_array(), .accessors = json_array(),
    .meshes = json_array(), .nodes = json_array(), .samplers = json_array(),
    .channels = json_array()};
  const double contact = report->result->first_collision.time_s;
  vouch_ret_t ret = vouch_stage_init(&w.stage, report, allocator);
  ret = ret ? ret : vouch_film_init(&w.film, report->motion, &contact, 1, allocator);
  if (ret == VOUCH_RET_OK) {
    add_root(&w);
    add_frames(&w);
    ret = add_bodies(&w);
  }
  if (ret == VOUCH_RET_OK) {
    add_motion(&w);
    ret = write_file(&w, report, out);
  }
  json_t * const lists[] = {w.views, w.accessors, w.meshes, w.nodes, w.samplers, w.channels};
  for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
    json_decref(lists[i]);
  }
  vouch_text_fini(&w.blob);
  vouch_film_fini(&w.film);
  vouch_stage_fini(&w.stage);
  return ret;
}
