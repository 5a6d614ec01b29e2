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
#include "model/build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "geometry/vec.h"
#include "model/build_items.h"

/* ---- frames ---- */

static vouch_frame_t make_frame(
  const vouch_scene_t * scene, uint32_t link, char * name, char * owner)
{
  vouch_frame_t frame = {.name = name, .owner = owner, .pose = vouch_pose_identity()};
  if (link == 0) {
    return frame;
  }
  const vouch_joint_t * joint = &scene->robot->joints[link - 1];
  frame.parent = joint->parent;
  frame.pose = vouch_scene_joint_origin(scene, link - 1);
  if (joint->variable == VOUCH_NONE) {
    return frame;
  }
  frame.joint = joint->type == VOUCH_URDF_PRISMATIC ? VOUCH_JOINT_PRISMATIC : VOUCH_JOINT_REVOLUTE;
  memcpy(frame.axis, joint->axis, sizeof(frame.axis));
  frame.variable = joint->variable;
  frame.multiplier = joint->multiplier;
  frame.offset = joint->offset;
  return frame;
}

static vouch_ret_t make_frames(vouch_build_work_t * work)
{
  const vouch_robot_t * robot = work->scene->robot;
  vouch_scene_part_t * part = &work->build->problem.scene;
  part->robot = vouch_arena_strdup(&part->arena, vouch_robot_name(robot));
  part->frames = vouch_arena_calloc(&part->arena, robot->link_count, sizeof(*part->frames));
  if (part->robot == NULL || part->frames == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  part->revision = work->scene->revision;
  part->frame_count = (uint32_t)robot->link_count;
  for (uint32_t i = 0; i < part->frame_count; ++i) {
    char * name = vouch_arena_strdup(&part->arena, robot->links[i].name);
    if (name == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
    part->frames[i] = make_frame(work->scene, i, name, part->robot);
    vouch_ret_t ret = i == 0 ? VOUCH_RET_OK : vouch_scene_check_held(work->scene, i - 1);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  return VOUCH_RET_OK;
}

/* ---- bodies ---- */

/// Joints that move above a link, and the topmost link that it never moves against.
static void place_item(const vouch_robot_t * robot, vouch_build_item_t * item)
{
  item->joints = 0;
  item->cluster = VOUCH_NONE;
  for (uint32_t link = item->link; link != 0; link = robot->joints[link - 1].parent) {
    if (robot->joints[link - 1].variable != VOUCH_NONE) {
      item->joints++;
      item->cluster = item->cluster == VOUCH_NONE ? link : item->cluster;
    }
  }
  item->cluster = item->cluster == VOUCH_NONE ? 0 : item->cluster;
}

/// A body with its names; ids tell links and objects of the same name apart.
static vouch_ret_t add_body(
  vouch_build_work_t * work, const vouch_build_item_t * item, int plane, vouch_body_t ** out)
{
  vouch_scene_part_t * part = &work->build->problem.scene;
  char suffix[32] = "";
  if (plane >= 0) {
    (void)snprintf(suffix, sizeof(suffix), "#%d", plane);
  }
  const char * prefix = item->object == NULL ? "link/" : "object/";
  const size_t size = strlen(prefix) + strlen(item->name) + strlen(suffix) + 1;
  char * id = vouch_arena_calloc(&part->arena, size, 1);
  char * name = vouch_arena_strdup(&part->arena, item->name);
  if (id == NULL || name == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  (void)snprintf(id, size, "%s%s%s", prefix, item->name, suffix);
  vouch_build_item_t * kept = &work->items[part->body_count];
  *kept = *item;
  place_item(work->scene->robot, kept);
  vouch_body_t * body = &part->bodies[part->body_count++];
  *body = (vouch_body_t) {
    .name = name, .id = id, .frame = item->link, .geometry = VOUCH_NONE,
    .placement = vouch_pose_identity()
  };
  *out = body;
  return VOUCH_RET_OK;
}

static void use_geometry(
  vouch_build_work_t * work, vouch_body_t * body, vouch_geometry_t * geometry)
{
  vouch_geometry_part_t * part = &work->build->problem.geometry;
  body->kind = VOUCH_BODY_GEOMETRY;
  body->geometry = part->geometry_count;
  part->geometries[part->geometry_count++] = geometry;
}

static double link_padding(const vouch_scene_t * scene, uint32_t link)
{
  const double padding = scene->link_padding[link];
  return isnan(padding) ? scene->robot->links[link].padding_m : padding;
}

static vouch_ret_t add_links(vouch_build_work_t * work)
{
  const vouch_robot_t * robot = work->scene->robot;
  vouch_ret_t ret = VOUCH_RET_OK;
  for (uint32_t i = 0; ret == VOUCH_RET_OK && i < robot->link_count; ++i) {
    const vouch_link_t * link = &robot->links[i];
    if (link->geometry == NULL) {
      continue;
    }
    const vouch_build_item_t item = {
      .name = link->name, .link = i, .robot = true, .padding = link_padding(work->scene, i)
    };
    vouch_body_t * body = NULL;
    ret = add_body(work, &item, -1, &body);
    if (ret == VOUCH_RET_OK) {
      use_geometry(work, body, link->geometry);
    }
  }
  return ret;
}

vouch_ret_t vouch_build_placement(
  const vouch_scene_t * scene, const vouch_object_t * object, vouch_pose_t * placement)
{
  *placement = object->pose;
  if (object->link != VOUCH_NONE) {
    return VOUCH_RET_OK;
  }
  vouch_pose_t frame;
  vouch_ret_t ret = vouch_scene_frame_pose(scene, object->frame, &frame);
  if (ret == VOUCH_RET_OK) {
    *placement = vouch_pose_product(&frame, &object->pose);
    ret = vouch_pose_validate(placement, "placement");
  }
  return ret == VOUCH_RET_OK ? ret : vouch_fail_prefix(ret, "object '%s'", object->id);
}

/// Bounding box in the frame of `pose`.
static void bounding_box(
  const vouch_geometry_t * geometry, const vouch_pose_t * pose, double low[3], double high[3])
{
  const rigid_t rigid = rigid_from_pose(pose);
  for (int k = 0; k < 3; ++k) {
    low[k] = geometry->vertex_count < 2 ? 0.0 : INFINITY;
    high[k] = -low[k];
  }
  for (uint32_t i = 1; i < geometry->vertex_count; ++i) {
    const double * axes = vouch_geometry_round(geometry, i);
    double point[3], reach[3] = {0.0, 0.0, 0.0};
    vec3_store(rigid_apply(&rigid, vec3_from(geometry->vertices[i])), point);
    for (int k = 0; axes != NULL && k < 3; ++k) {
      vec3_t row = vec3_from(rigid.rotation.m + 3 * k);
      reach[k] = vec3_norm(
        vec3(
          vec3_dot(row, vec3_from(axes)), vec3_dot(row, vec3_from(axes + 3)),
          vec3_dot(row, vec3_from(axes + 6))));
    }
    for (int k = 0; k < 3; ++k) {
      low[k] = fmin(low[k], point[k] - reach[k]);
      high[k] = fmax(high[k], point[k] + reach[k]);
    }
  }
}

/// What a link holds is padded like the link, as in MoveIt, unless its own padding is larger.
static vouch_build_item_t object_item(const vouch_scene_t * scene, const vouch_object_t * object)
{
  const bool attached = object->link != VOUCH_NONE;
  return (vouch_build_item_t) {
           .name = object->id, .object = object, .link = attached ? object->link : 0,
           .robot = attached, .padding = attached ?
             fmax(object->padding_m, link_padding(scene, object->link)) : object->padding_m
  };
}

static vouch_ret_t add_object(vouch_build_work_t * work, const vouch_object_t * object)
{
  vouch_build_item_t item = object_item(work->scene, object);
  vouch_pose_t placement;
  vouch_body_t * body = NULL;
  vouch_ret_t ret = vouch_build_placement(work->scene, object, &placement);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (!item.robot) {
    bounding_box(&object->body->geometry, &placement, item.low, item.high);
    work->obstacles[work->obstacle_count++] = work->build->problem.scene.body_count;
  }
  ret = add_body(work, &item, -1, &body);
  if (ret == VOUCH_RET_OK) {
    body->placement = placement;
    body->growth = object->growth;
    use_geometry(work, body, &object->body->geometry);
  }
  return ret;
}

static vouch_ret_t add_planes(vouch_build_work_t * work, const vouch_object_t * object)
{
  vouch_build_item_t item = object_item(work->scene, object);
  item.plane = true;
  vouch_pose_t placement;
  vouch_ret_t ret = vouch_build_placement(work->scene, object, &placement);
  int number = 0;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < object->body->shape_count; ++i) {
    const vouch_shape_t * shape = &object->body->shapes[i];
    if (shape->kind != VOUCH_SHAPE_PLANE && shape->kind != VOUCH_SHAPE_HALFSPACE) {
      continue;
    }
    vouch_body_t * body = NULL;
    ret = add_body(work, &item, number++, &body);
    if (ret == VOUCH_RET_OK) {
      const vouch_pose_t pose = vouch_pose_product(&placement, &object->body->shape_poses[i]);
      vouch_shape_plane(shape, &pose, body->normal, &body->offset);
      vouch_plane_place(body);
      body->growth = object->growth;
      body->kind = shape->kind == VOUCH_SHAPE_PLANE ? VOUCH_BODY_PLANE : VOUCH_BODY_HALFSPACE;
    }
    if (ret == VOUCH_RET_OK && !(fabs(body->offset) <= VOUCH_MAX_COORDINATE)) {
      ret = vouch_fail(
        VOUCH_RET_INVALID, "object '%s': its plane is beyond 1e6 m from the origin", object->id);
    }
  }
  return ret;
}

static vouch_ret_t make_room(vouch_build_work_t * work)
{
  const vouch_scene_t * scene = work->scene;
  vouch_problem_t * problem = &work->build->problem;
  size_t count = scene->robot->link_count;
  for (size_t i = 0; i < scene->object_count; ++i) {
    count += 1 + scene->objects[i].body->plane_count;
  }
  if (count >= VOUCH_NONE / 2) {
    return vouch_fail(VOUCH_RET_INVALID, "the scene has too many objects");
  }
  problem->scene.bodies = vouch_arena_calloc(
    &problem->scene.arena, count, sizeof(*problem->scene.bodies));
  problem->geometry.geometries = vouch_arena_calloc(
    &problem->geometry.arena, count, sizeof(*problem->geometry.geometries));
  work->items = vouch_arena_calloc(&work->arena, count, sizeof(*work->items));
  work->obstacles = vouch_arena_calloc(&work->arena, count, sizeof(*work->obstacles));
  if (problem->scene.bodies == NULL || problem->geometry.geometries == NULL ||
    work->items == NULL || work->obstacles == NULL)
  {
    return VOUCH_RET_NO_MEMORY;
  }
  return VOUCH_RET_OK;
}

/// Links, attached objects, obstacles, planes: in this order.
static vouch_ret_t make_bodies(vouch_build_work_t * work)
{
  const vouch_scene_t * scene = work->scene;
  vouch_ret_t ret = make_room(work);
  ret = ret == VOUCH_RET_OK ? add_links(work) : ret;
  for (int attached = 1; attached >= 0; --attached) {
    for (size_t i = 0; ret == VOUCH_RET_OK && i < scene->object_count; ++i) {
      const vouch_object_t * object = &scene->objects[i];
      if (object->body->has_geometry && (object->link != VOUCH_NONE) == (attached == 1)) {
        ret = add_object(work, object);
      }
    }
  }
  for (size_t i = 0; ret == VOUCH_RET_OK && i < scene->object_count; ++i) {
    if (scene->objects[i].body->plane_count > 0) {
      ret = add_planes(work, &scene->objects[i]);
    }
  }
  return ret;
}

/* ---- the parts together ---- */

/// Those of the robot, then those of the scene.
static vouch_ret_t name_files(vouch_sources_part_t * part, const vouch_scene_t * scene)
{
  const vouch_sources_t * lists[2] = {&scene->robot->sources, &scene->sources};
  part->sources = vouch_arena_calloc(
    &part->arena, lists[0]->count + lists[1]->count, sizeof(*part->sources));
  for (size_t i = 0; part->sources != NULL && i < lists[0]->count + lists[1]->count; ++i) {
    const vouch_source_t * file = i < lists[0]->count ? &lists[0]->items[i] :
      &lists[1]->items[i - lists[0]->count];
    vouch_source_t * copy = &part->sources[part->source_count++];
    *copy = *file;
    copy->role = vouch_arena_strdup(&part->arena, file->role);
    copy->name = vouch_arena_strdup(&part->arena, file->name);
    if (copy->role == NULL || copy->name == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
  }
  return part->sources == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
}

static vouch_ret_t name_writer(vouch_sources_part_t * part)
{
  char text[64];
  (void)snprintf(text, sizeof(text), "vouch %s", vouch_version());
  part->writer = vouch_arena_strdup(&part->arena, text);
  return part->writer == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
}

vouch_ret_t vouch_build_scene(
  vouch_build_t * build, const vouch_scene_t * scene, double margin_m,
  vouch_allocator_t allocator)
{
  return vouch_build_scene_again(
    build, scene, margin_m, (vouch_build_after_t) {.problem = NULL}, allocator);
}

vouch_ret_t vouch_build_scene_again(
  vouch_build_t * build, const vouch_scene_t * scene, double margin_m,
  vouch_build_after_t after, vouch_allocator_t allocator)
{
  *build = (vouch_build_t) {.arena = {.allocator = allocator}};
  build->problem.geometry.arena.allocator = allocator;
  build->problem.scene.arena.allocator = allocator;
  build->problem.motion.arena.allocator = allocator;
  build->problem.sources.arena.allocator = allocator;
  if (!(margin_m >= 0.0 && margin_m <= VOUCH_MAX_COORDINATE)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the margin is %g m; it must be finite and not negative", margin_m);
  }
  vouch_build_work_t work = {
    .build = build, .scene = scene, .previous = after.problem,
    .moved_stay = after.moved_stay, .margin = margin_m,
    .arena = {.allocator = allocator}};
  vouch_ret_t ret = name_writer(&build->problem.sources);
  ret = ret == VOUCH_RET_OK ? name_files(&build->problem.sources, scene) : ret;
  ret = ret == VOUCH_RET_OK ? make_frames(&work) : ret;
  ret = ret == VOUCH_RET_OK ? make_bodies(&work) : ret;
  if (ret == VOUCH_RET_OK && after.problem != NULL) {
    ret = vouch_build_match_bodies(&work);
  }
  ret = ret == VOUCH_RET_OK ? vouch_build_groups(&work) : ret;
  ret = ret == VOUCH_RET_OK ? vouch_build_pairs(&work) : ret;
  vouch_arena_fini(&work.arena);
  if (ret != VOUCH_RET_OK) {
    vouch_build_fini(build);
  }
  return ret;
}

void vouch_build_fini(vouch_build_t * build)
{
  vouch_problem_fini(&build->problem);
  vouch_arena_fini(&build->arena);
  build->statics = NULL;
  build->unsupported = NULL;
  build->static_count = 0;
  build->unsupported_count = 0;
  build->links = (vouch_build_links_t) {0};
}
