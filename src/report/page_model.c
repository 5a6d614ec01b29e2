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
/* What moves on a page: frames, bodies, their meshes, and the motion. */

#include <math.h>

#include "base/error.h"
#include "report/blob.h"
#include "report/json_tools.h"
#include "report/page_data.h"
#include "report/shown_mesh.h"

/* Triangles of all bodies together; what is above is shown by hulls of parts. */
#define MOST_TRIANGLES 400000u

static json_t * numbers(const double * values, int count)
{
  json_t * array = json_array();
  for (int i = 0; i < count; i++) {
    json_array_append_new(array, real_or_null(values[i]));
  }
  return array;
}

static void set_pose(json_t * object, const vouch_pose_t * pose)
{
  set(object, "p", numbers(pose->translation, 3));
  set(object, "q", numbers(pose->rotation, 4));
}

static json_t * frames_of(const vouch_scene_part_t * scene)
{
  json_t * array = json_array();
  for (uint32_t i = 0; i < scene->frame_count; i++) {
    const vouch_frame_t * frame = &scene->frames[i];
    json_t * object = json_object();
    set_count(object, "parent", frame->parent);
    set_pose(object, &frame->pose);
    set_count(object, "joint", frame->joint);
    if (frame->joint != VOUCH_JOINT_FIXED) {
      set(object, "axis", numbers(frame->axis, 3));
      set_count(object, "variable", frame->variable);
      set(object, "multiplier", real_or_null(frame->multiplier));
      set(object, "offset", real_or_null(frame->offset));
    }
    json_array_append_new(array, object);
  }
  return array;
}

static json_t * add_mesh(vouch_text_t * blob, const vouch_shown_mesh_t * mesh)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < mesh->point_count; i++) {
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], (double)mesh->points[i][k]);
      high[k] = fmax(high[k], (double)mesh->points[i][k]);
    }
  }
  json_t * object = json_object();
  double step[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < 3; k++) {
    low[k] = mesh->point_count > 0 ? low[k] : 0.0;
    step[k] = mesh->point_count > 0 ? (high[k] - low[k]) / 65535.0 : 0.0;
  }
  set(object, "low", numbers(low, 3));
  set(object, "step", numbers(step, 3));
  set_count(object, "points", mesh->point_count);
  set_count(object, "at", vouch_blob_begin(blob));
  for (size_t i = 0; i < mesh->point_count; i++) {
    for (int k = 0; k < 3; k++) {
      const double place = step[k] > 0.0 ? ((double)mesh->points[i][k] - low[k]) / step[k] : 0.0;
      vouch_blob_u16(blob, (uint32_t)fmin(65535.0, floor(place + 0.5)));
    }
  }
  const bool narrow = mesh->point_count <= 65536u;
  set_count(object, "triangles", mesh->triangle_count);
  set_count(object, "bytes", narrow ? 2 : 4);
  set_count(object, "corners", vouch_blob_begin(blob));
  for (size_t i = 0; i < mesh->triangle_count; i++) {
    for (int k = 0; k < 3; k++) {
      if (narrow) {
        vouch_blob_u16(blob, mesh->triangles[i][k]);
      } else {
        vouch_blob_u32(blob, mesh->triangles[i][k]);
      }
    }
  }
  return object;
}

static json_t * body_of(const vouch_page_data_t * data, uint32_t number)
{
  static const char * const roles[] = {"link", "attached", "obstacle", "plane"};
  const vouch_body_t * body = &data->stage.build.problem.scene.bodies[number];
  json_t * object = json_object();
  set_text(object, "name", body->name);
  set_text(object, "role", roles[data->stage.roles[number]]);
  set(object, "moves", json_boolean(data->stage.moving[number]));
  set_count(object, "frame", body->frame);
  set_pose(object, &body->placement);
  if (body->kind != VOUCH_BODY_GEOMETRY) {
    set(object, "thin", json_boolean(body->kind == VOUCH_BODY_PLANE));
  }
  return object;
}

vouch_ret_t vouch_page_add_model(vouch_page_data_t * data)
{
  const vouch_problem_t * problem = &data->stage.build.problem;
  const vouch_scene_part_t * scene = &problem->scene;
  vouch_shown_mesh_t mesh = {.allocator = data->stage.allocator};
  json_t * bodies = json_array();
  vouch_ret_t ret = VOUCH_RET_OK;
  const size_t each = MOST_TRIANGLES / (scene->body_count + 1u);
  size_t left = MOST_TRIANGLES;
  for (uint32_t i = 0; i < scene->body_count && ret == VOUCH_RET_OK; i++) {
    json_t * object = body_of(data, i);
    if (scene->bodies[i].kind == VOUCH_BODY_GEOMETRY) {
      const vouch_geometry_t * g = problem->geometry.geometries[scene->bodies[i].geometry];
      ret = vouch_shown_mesh_build(&mesh, g, left > each ? left : each);
      left -= mesh.triangle_count < left ? mesh.triangle_count : left;
      set(object, "mesh", add_mesh(&data->blob, &mesh));
      set(object, "coarse", json_boolean(mesh.coarse));
    }
    json_array_append_new(bodies, object);
  }
  set(data->root, "frames", frames_of(scene));
  set(data->root, "bodies", bodies);
  vouch_shown_mesh_fini(&mesh);
  return ret;
}

/* The times that other parts of the page point at are pictures of their own. */
static vouch_ret_t wanted_times(const vouch_page_data_t * data, double ** times, size_t * count)
{
  const vouch_result_t * result = data->report->result;
  const vouch_allocator_t * allocator = &data->stage.allocator;
  *count = 0;
  *times = vouch_calloc(
    allocator, data->profile.pair_count + 2u * data->profile.span_count + 2u, sizeof(**times));
  if (!*times) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < data->profile.pair_count; i++) {
    if (isfinite(data->profile.pairs[i].found)) {
      (*times)[(*count)++] = data->profile.pairs[i].time;
    }
  }
  if (result->first_collision.kind != VOUCH_CONTACT_NONE) {
    (*times)[(*count)++] = result->first_collision.time_s;
  }
  if (result->clearance.valid) {
    (*times)[(*count)++] = result->clearance.time_s;
  }
  return VOUCH_RET_OK;
}

static void add_joints(vouch_page_data_t * data)
{
  const vouch_robot_t * robot = vouch_scene_robot(data->report->scene);
  const vouch_film_t * film = &data->film;
  json_t * array = json_array();
  for (size_t v = 0; v < film->variables; v++) {
    double low = INFINITY, high = -INFINITY, limits[2] = {NAN, NAN};
    for (size_t i = 0; i < film->count; i++) {
      low = fmin(low, film->values[i * film->variables + v]);
      high = fmax(high, film->values[i * film->variables + v]);
    }
    const vouch_joint_t * joint = &robot->joints[robot->variables[v]];
    json_t * object = json_object();
    set_text(object, "name", vouch_robot_variable_name(robot, v));
    set_text(object, "unit", joint->type == VOUCH_URDF_PRISMATIC ? "m" : "rad");
    set(object, "from", real_or_null(low));
    set(object, "to", real_or_null(high));
    if (vouch_robot_variable_limits(robot, v, &limits[0], &limits[1])) {
      set(object, "lower", real_or_null(limits[0]));
      set(object, "upper", real_or_null(limits[1]));
    }
    json_array_append_new(array, object);
  }
  set(data->root, "joints", array);
}

static void add_waypoints(vouch_page_data_t * data)
{
  const vouch_motion_t * motion = data->report->motion;
  json_t * array = json_array();
  for (uint32_t k = 0; motion->segment_count <= 300u && k <= motion->segment_count; k++) {
    json_array_append_new(array, real_or_null(motion->seconds[k]));
  }
  set(data->root, "waypoints", array);
}

vouch_ret_t vouch_page_add_film(vouch_page_data_t * data)
{
  double * wanted = NULL;
  size_t count = 0;
  vouch_ret_t ret = wanted_times(data, &wanted, &count);
  ret = ret ? ret : vouch_film_init(
    &data->film, data->report->motion, wanted, count, data->stage.allocator);
  vouch_free(&data->stage.allocator, wanted);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_film_t * film = &data->film;
  json_t * object = json_object();
  set_count(object, "count", film->count);
  set_count(object, "variables", film->variables);
  set(object, "thinned", json_boolean(film->thinned));
  set_count(object, "points", vouch_motion_segment_count(data->report->motion) + 1u);
  json_t * times = json_array();
  for (size_t i = 0; i < film->count; i++) {
    json_array_append_new(times, json_real(film->times[i]));
  }
  set(object, "times", times);
  set_count(object, "at", vouch_blob_begin(&data->blob));
  for (size_t i = 0; i < film->count * film->variables; i++) {
    vouch_blob_f32(&data->blob, film->values[i]);
  }
  set(data->root, "film", object);
  add_joints(data);
  add_waypoints(data);
  return VOUCH_RET_OK;
}
