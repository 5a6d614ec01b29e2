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

#include "support/small_problem.h"

#include "support/solids.h"

static vouch_ret_t add_shapes(vouch_geometry_builder_t * builder, uint32_t number)
{
  const double radii[3] = {0.05, 0.06, 0.2}, size[3] = {0.1, 0.2, 0.3};
  vouch_pose_t pose = vouch_pose_identity();
  vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
  vouch_curved_t cylinder = {.look = VOUCH_LOOK_CYLINDER, .pose = pose, .size = {0.1, 0.2, 0.0}};
  vouch_ret_t code = VOUCH_RET_OK;
  switch (number) {
    case 0:
      code = test_ball(&mesh, 3, radii);
      code = code != VOUCH_RET_OK ? code : vouch_geometry_add_mesh(builder, &mesh);
      break;
    case 1:
      code = vouch_geometry_add_box(builder, size, &pose);
      break;
    default:
      code = vouch_geometry_add_curved(builder, &cylinder);
      code = code != VOUCH_RET_OK ? code : vouch_geometry_add_capsule(builder, 0.05, 0.3, &pose);
      break;
  }
  vouch_mesh_fini(&mesh);
  return code;
}

static vouch_ret_t fill_geometry(vouch_geometry_part_t * part)
{
  const uint32_t count = 3;
  part->geometries = vouch_arena_calloc(&part->arena, count, sizeof(part->geometries[0]));
  if (part->geometries == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  part->owns_geometries = true;
  for (uint32_t i = 0; i < count; ++i) {
    vouch_geometry_builder_t * builder = NULL;
    vouch_geometry_options_t options = {0};
    vouch_geometry_t * geometry = vouch_arena_calloc(&part->arena, 1, sizeof(*geometry));
    vouch_ret_t code = geometry == NULL ? VOUCH_RET_NO_MEMORY :
      vouch_geometry_builder_create(&builder, part->arena.allocator, &options);
    code = code != VOUCH_RET_OK ? code : add_shapes(builder, i);
    code = code != VOUCH_RET_OK ? code :
      vouch_geometry_build(builder, &part->arena, geometry, NULL);
    vouch_geometry_builder_destroy(builder);
    if (code != VOUCH_RET_OK) {
      return code;
    }
    part->geometries[i] = geometry;
    part->geometry_count = i + 1;
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t fill_frames(vouch_scene_part_t * scene)
{
  static const struct
  {
    const char * name;
    uint32_t parent;
    uint8_t joint;
    uint32_t variable;
    double multiplier, offset;
  } rows[6] = {
    {"world", 0, VOUCH_JOINT_FIXED, 0, 0.0, 0.0},
    {"base", 0, VOUCH_JOINT_FIXED, 0, 0.0, 0.0},
    {"link1", 1, VOUCH_JOINT_REVOLUTE, 0, 1.0, 0.0},
    {"link2", 2, VOUCH_JOINT_REVOLUTE, 1, 1.0, 0.0},
    {"mimic \"\xc3\xa9\"", 3, VOUCH_JOINT_REVOLUTE, 1, -0.5, 0.25},
    {"slider", 3, VOUCH_JOINT_PRISMATIC, 2, 1.0, 0.0},
  };
  scene->frames = vouch_arena_calloc(&scene->arena, 6, sizeof(scene->frames[0]));
  for (uint32_t i = 0; scene->frames != NULL && i < 6; ++i) {
    vouch_frame_t * frame = &scene->frames[i];
    frame->name = vouch_arena_strdup(&scene->arena, rows[i].name);
    frame->owner = vouch_arena_strdup(&scene->arena, i < 1 ? "" : "robot");
    if (frame->name == NULL || frame->owner == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
    frame->parent = rows[i].parent;
    frame->joint = rows[i].joint;
    frame->pose = vouch_pose_identity();
    frame->pose.translation[2] = i == 0 ? 0.0 : 0.4;
    frame->axis[i % 3] = rows[i].joint == VOUCH_JOINT_FIXED ? 0.0 : 1.0;
    frame->variable = rows[i].variable;
    frame->multiplier = rows[i].multiplier;
    frame->offset = rows[i].offset;
    scene->frame_count = i + 1;
  }
  return scene->frames == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
}

static vouch_ret_t fill_bodies(vouch_scene_part_t * scene)
{
  static const struct
  {
    const char * name;
    uint8_t kind;
    uint32_t frame, geometry;
  } rows[8] = {
    {"link1", VOUCH_BODY_GEOMETRY, 2, 0}, {"link2", VOUCH_BODY_GEOMETRY, 3, 0},
    {"tool", VOUCH_BODY_GEOMETRY, 5, 2}, {"shelf", VOUCH_BODY_GEOMETRY, 0, 1},
    {"can", VOUCH_BODY_GEOMETRY, 0, 2}, {"table", VOUCH_BODY_GEOMETRY, 0, 1},
    {"floor", VOUCH_BODY_HALFSPACE, 0, VOUCH_NONE}, {"curtain", VOUCH_BODY_PLANE, 0, VOUCH_NONE},
  };
  scene->bodies = vouch_arena_calloc(&scene->arena, 8, sizeof(scene->bodies[0]));
  for (uint32_t i = 0; scene->bodies != NULL && i < 8; ++i) {
    vouch_body_t * body = &scene->bodies[i];
    body->name = vouch_arena_strdup(&scene->arena, rows[i].name);
    body->id = vouch_arena_strdup(&scene->arena, i % 2 == 0 ? rows[i].name : "");
    if (body->name == NULL || body->id == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
    body->kind = rows[i].kind;
    body->frame = rows[i].frame;
    body->geometry = rows[i].geometry;
    body->placement = vouch_pose_identity();
    if (body->kind == VOUCH_BODY_GEOMETRY) {
      body->placement.translation[0] = 0.5 * i;
    } else {
      body->normal[i % 3] = 1.0;
      body->offset = -0.1;
      vouch_plane_place(body);
    }
    scene->body_count = i + 1;
  }
  return scene->bodies == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
}

/// Group 0 is number 8. Of it, pair 1 leaves out body 4 and has a pair of its own for body 3; all of
/// pair 3's is left out.
static vouch_ret_t fill_pairs(vouch_scene_part_t * scene)
{
  static const vouch_group_t groups[5] = {
    {1, 2, VOUCH_NONE}, {0, 0, 3}, {3, 4, VOUCH_NONE}, {0, 0, 4}, {0, 0, 5}
  };
  static const vouch_skip_t skips[5] = {
    {3, VOUCH_REASON_OWN_PAIR}, {4, VOUCH_REASON_MATRIX},
    {3, VOUCH_REASON_MATRIX}, {4, VOUCH_REASON_DEFAULT}, {5, VOUCH_REASON_ASKED}
  };
  const vouch_pair_t pairs[6] = {
    {.kind = VOUCH_PAIR_BODIES, .a = 1, .b = 0, .margin = 0.01},
    {.kind = VOUCH_PAIR_GROUP, .a = 1, .b = 8, .margin = 0.03, .skip_count = 2},
    {.kind = VOUCH_PAIR_BODIES, .a = 1, .b = 3, .margin = 0.01},
    {.kind = VOUCH_PAIR_GROUP, .a = 2, .b = 8, .margin = 0.0, .skip_count = 3},
    {.kind = VOUCH_PAIR_PLANE, .a = 2, .b = 6, .margin = 0.0},
    {.kind = VOUCH_PAIR_PLANE, .a = 2, .b = 7, .margin = 0.02},
  };
  static const vouch_left_out_t left_out[10] = {
    {0, 2, VOUCH_REASON_SRDF_NEVER}, {0, 6, VOUCH_REASON_ASKED}, {7, 0, VOUCH_REASON_ASKED},
    {8, 0, VOUCH_REASON_HELD}, {1, 2, VOUCH_REASON_SRDF_ADJACENT}, {1, 6, VOUCH_REASON_DEFAULT},
    {1, 7, VOUCH_REASON_MATRIX}, {6, 7, VOUCH_REASON_RIGID}, {8, 6, VOUCH_REASON_RIGID},
    {7, 8, VOUCH_REASON_RIGID}
  };
  vouch_arena_t * arena = &scene->arena;
  scene->groups = vouch_arena_calloc(arena, 5, sizeof(scene->groups[0]));
  scene->pairs = vouch_arena_calloc(arena, 6, sizeof(scene->pairs[0]));
  scene->left_out = vouch_arena_calloc(arena, 10, sizeof(scene->left_out[0]));
  vouch_skip_t * all = vouch_arena_calloc(arena, 5, sizeof(*all));
  bool * checked = vouch_arena_calloc(arena, 10, sizeof(*checked));
  if (scene->groups == NULL || scene->pairs == NULL || scene->left_out == NULL || all == NULL ||
    checked == NULL)
  {
    return VOUCH_RET_NO_MEMORY;
  }
  memcpy(scene->groups, groups, sizeof(groups));
  memcpy(scene->pairs, pairs, sizeof(pairs));
  memcpy(scene->left_out, left_out, sizeof(left_out));
  memcpy(all, skips, sizeof(skips));
  scene->group_count = 5;
  scene->pair_count = 6;
  scene->left_out_count = 10;
  for (uint32_t i = 1; i <= 3; i += 2, all += 2, checked += 5) {
    scene->pairs[i].skips = all;
    vouch_pair_mark_checked(scene, &scene->pairs[i], checked);
    scene->pairs[i].checked = checked;
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t fill_sources(vouch_sources_part_t * part)
{
  part->writer = vouch_arena_strdup(&part->arena, "test 1");
  part->sources = vouch_arena_calloc(&part->arena, 1, sizeof(part->sources[0]));
  if (part->writer == NULL || part->sources == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  part->source_count = 1;
  part->sources[0].role = vouch_arena_strdup(&part->arena, "robot");
  part->sources[0].name = vouch_arena_strdup(&part->arena, "arm.urdf");
  memset(part->sources[0].hash, 0xa5, sizeof(part->sources[0].hash));
  return part->sources[0].role == NULL || part->sources[0].name == NULL ?
         VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
}

static vouch_ret_t fill_motion(vouch_motion_part_t * motion)
{
  static const char * const names[3] = {"joint1", "joint2", "slide"};
  static const uint32_t degrees[2] = {3, 1};
  const uint32_t segments = 2, variables = 3;
  vouch_arena_t * arena = &motion->arena;
  motion->model = vouch_arena_strdup(arena, "polynomial");
  motion->names = vouch_arena_calloc(arena, variables, sizeof(motion->names[0]));
  motion->tolerances = vouch_arena_calloc(arena, variables, sizeof(double));
  motion->knots = vouch_arena_calloc(arena, segments + 1, sizeof(double));
  motion->seconds = vouch_arena_calloc(arena, segments + 1, sizeof(double));
  motion->degrees = vouch_arena_calloc(arena, segments, sizeof(motion->degrees[0]));
  motion->offsets = vouch_arena_calloc(arena, segments, sizeof(motion->offsets[0]));
  motion->coefficients = vouch_arena_calloc(arena, 3 * 4 + 3 * 2, sizeof(double));
  if (motion->model == NULL || motion->names == NULL || motion->tolerances == NULL ||
    motion->knots == NULL || motion->seconds == NULL || motion->degrees == NULL ||
    motion->offsets == NULL || motion->coefficients == NULL)
  {
    return VOUCH_RET_NO_MEMORY;
  }
  for (uint32_t i = 0; i < variables; ++i) {
    motion->names[i] = vouch_arena_strdup(arena, names[i]);
    if (motion->names[i] == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
    motion->tolerances[i] = 0.001 * i;
  }
  motion->variable_count = variables;
  motion->segment_count = segments;
  for (uint32_t i = 0; i < segments; ++i) {
    motion->degrees[i] = degrees[i];
    motion->offsets[i] = i * 12;
    motion->knots[i + 1] = 0.5 + i;
    motion->seconds[i + 1] = 1.0 + 2 * i;
  }
  for (int i = 0; i < 18; ++i) {
    motion->coefficients[i] = 0.1 * i - 0.3;
  }
  return VOUCH_RET_OK;
}

vouch_ret_t test_small_problem(vouch_problem_t * problem, vouch_allocator_t allocator)
{
  memset(problem, 0, sizeof(*problem));
  problem->geometry.arena.allocator = allocator;
  problem->scene.arena.allocator = allocator;
  problem->motion.arena.allocator = allocator;
  problem->sources.arena.allocator = allocator;
  problem->scene.revision = 7;
  problem->scene.robot = vouch_arena_strdup(&problem->scene.arena, "robot");
  vouch_ret_t code = problem->scene.robot == NULL ? VOUCH_RET_NO_MEMORY :
    fill_geometry(&problem->geometry);
  code = code != VOUCH_RET_OK ? code : fill_frames(&problem->scene);
  code = code != VOUCH_RET_OK ? code : fill_bodies(&problem->scene);
  code = code != VOUCH_RET_OK ? code : fill_pairs(&problem->scene);
  code = code != VOUCH_RET_OK ? code : fill_motion(&problem->motion);
  code = code != VOUCH_RET_OK ? code : fill_sources(&problem->sources);
  code = code != VOUCH_RET_OK ? code : vouch_problem_hash(problem);
  if (code != VOUCH_RET_OK) {
    vouch_problem_fini(problem);
  }
  return code;
}
