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
/* The bodies of a picture. Plain floating point: nothing is proved here. */

#include "report/stage.h"

static void assign_roles(vouch_stage_t * stage)
{
  const vouch_scene_part_t * scene = &stage->build.problem.scene;
  const vouch_robot_t * robot = vouch_scene_robot(stage->report->scene);
  for (uint32_t i = 0; i < scene->body_count; i++) {
    bool link = vouch_robot_find_link(robot, scene->bodies[i].name) != VOUCH_NONE;
    stage->roles[i] = link ? VOUCH_ROLE_LINK : VOUCH_ROLE_ATTACHED;
    if (scene->bodies[i].kind != VOUCH_BODY_GEOMETRY) {
      stage->roles[i] = VOUCH_ROLE_PLANE;
    }
  }
  for (uint32_t g = 0; g < scene->group_count; g++) {
    if (scene->groups[g].body != VOUCH_NONE) {
      stage->roles[scene->groups[g].body] = VOUCH_ROLE_OBSTACLE;
    }
  }
}

static uint32_t joints_above(const vouch_scene_part_t * scene, uint32_t frame)
{
  uint32_t count = 0;
  for (; frame != 0; frame = scene->frames[frame].parent) {
    count += scene->frames[frame].joint != VOUCH_JOINT_FIXED;
  }
  return count;
}

static void find_moving(vouch_stage_t * stage)
{
  const vouch_scene_part_t * scene = &stage->build.problem.scene;
  for (uint32_t i = 0; i < scene->body_count; i++) {
    uint32_t joints = joints_above(scene, scene->bodies[i].frame);
    stage->moving[i] = joints > 0;
    stage->tool_joints = joints > stage->tool_joints ? joints : stage->tool_joints;
  }
}

vouch_ret_t vouch_stage_init(
  vouch_stage_t * stage, const vouch_report_t * report, vouch_allocator_t allocator)
{
  *stage = (vouch_stage_t) {.allocator = allocator, .report = report};
  vouch_ret_t ret = vouch_build_scene(&stage->build, report->scene, 0.0, allocator);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_scene_part_t * scene = &stage->build.problem.scene;
  size_t variables = vouch_robot_variable_count(vouch_scene_robot(report->scene));
  stage->roles = vouch_calloc(&allocator, scene->body_count, sizeof(*stage->roles));
  stage->moving = vouch_calloc(&allocator, scene->body_count, sizeof(*stage->moving));
  stage->frames = vouch_calloc(&allocator, scene->frame_count, sizeof(*stage->frames));
  stage->values = vouch_calloc(&allocator, variables, sizeof(*stage->values));
  if (!stage->roles || !stage->moving || !stage->frames || !stage->values) {
    vouch_stage_fini(stage);
    return VOUCH_RET_NO_MEMORY;
  }
  assign_roles(stage);
  find_moving(stage);
  vouch_stage_set_time(stage, 0.0);
  return VOUCH_RET_OK;
}

void vouch_stage_fini(vouch_stage_t * stage)
{
  vouch_free(&stage->allocator, stage->roles);
  vouch_free(&stage->allocator, stage->moving);
  vouch_free(&stage->allocator, stage->frames);
  vouch_free(&stage->allocator, stage->values);
  vouch_build_fini(&stage->build);
  *stage = (vouch_stage_t) {.allocator = stage->allocator};
}

double vouch_stage_end(const vouch_stage_t * stage)
{
  const vouch_motion_t * motion = stage->report->motion;
  return motion->seconds[motion->segment_count];
}

void vouch_stage_set_time(vouch_stage_t * stage, double time)
{
  vouch_stage_set_time_of(stage, stage->report->motion, time);
}

void vouch_stage_set_time_of(vouch_stage_t * stage, const vouch_motion_t * motion, double time)
{
  const vouch_scene_part_t * scene = &stage->build.problem.scene;
  vouch_motion_evaluate(motion, time, stage->values);
  for (uint32_t i = 0; i < scene->frame_count; i++) {
    const vouch_frame_t * frame = &scene->frames[i];
    rigid_t local = rigid_from_pose(&frame->pose);
    if (frame->joint != VOUCH_JOINT_FIXED) {
      double q = frame->multiplier * stage->values[frame->variable] + frame->offset;
      vec3_t axis = vec3_unit(vec3_from(frame->axis), vec3(0.0, 0.0, 1.0));
      rigid_t joint = rigid_identity();
      if (frame->joint == VOUCH_JOINT_REVOLUTE) {
        joint.rotation = mat3_from_axis_angle(axis, q);
      } else {
        joint.translation = vec3_scale(axis, q);
      }
      local = rigid_mul(&local, &joint);
    }
    stage->frames[i] = i == 0 ? local : rigid_mul(&stage->frames[frame->parent], &local);
  }
}

rigid_t vouch_stage_pose(const vouch_stage_t * stage, uint32_t body)
{
  const vouch_body_t * b = &stage->build.problem.scene.bodies[body];
  rigid_t placement = rigid_from_pose(&b->placement);
  return rigid_mul(&stage->frames[b->frame], &placement);
}

vouch_ret_t vouch_stage_outline(
  const vouch_stage_t * stage, uint32_t body, const vouch_view_t * view, size_t pieces,
  vouch_outline_t * outline)
{
  if (stage->roles[body] == VOUCH_ROLE_PLANE) {
    return VOUCH_RET_OK;
  }
  const vouch_problem_t * problem = &stage->build.problem;
  const vouch_geometry_t * geometry =
    problem->geometry.geometries[problem->scene.bodies[body].geometry];
  rigid_t pose = vouch_stage_pose(stage, body);
  return vouch_outline_add(outline, geometry, &pose, view, pieces);
}

vec3_t vouch_stage_tool(const vouch_stage_t * stage)
{
  const vouch_problem_t * problem = &stage->build.problem;
  vec3_t sum = vec3(0.0, 0.0, 0.0);
  double count = 0.0;
  for (uint32_t i = 0; i < problem->scene.body_count; i++) {
    const vouch_body_t * body = &problem->scene.bodies[i];
    if (stage->roles[i] == VOUCH_ROLE_LINK &&
      joints_above(&problem->scene, body->frame) == stage->tool_joints)
    {
      rigid_t pose = vouch_stage_pose(stage, i);
      vec3_t p = vec3_from(problem->geometry.geometries[body->geometry]->vertices[0]);
      sum = vec3_add(sum, rigid_apply(&pose, p));
      count += 1.0;
    }
  }
  return count > 0.0 ? vec3_scale(sum, 1.0 / count) : sum;
}

uint32_t vouch_stage_find(const vouch_stage_t * stage, const char * name)
{
  const vouch_scene_part_t * scene = &stage->build.problem.scene;
  for (uint32_t i = 0; name && i < scene->body_count; i++) {
    if (strcmp(scene->bodies[i].name, name) == 0) {
      return i;
    }
  }
  return VOUCH_NONE;
}
