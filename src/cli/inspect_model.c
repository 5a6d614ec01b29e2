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
/* vouch inspect: robot, scene and motion. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/inspect.h"
#include "model/robot.h"
#include "model/scene.h"

static const char * joint_type(const vouch_joint_t * joint)
{
  switch (joint->type) {
    case VOUCH_URDF_FIXED: return "fixed";
    case VOUCH_URDF_REVOLUTE: return "revolute";
    case VOUCH_URDF_CONTINUOUS: return "continuous";
    case VOUCH_URDF_PRISMATIC: return "prismatic";
    case VOUCH_URDF_PLANAR: return "planar";
    case VOUCH_URDF_FLOATING: return "floating";
  }
  return "?";
}

static void print_joint(const vouch_robot_t * robot, const vouch_joint_t * joint)
{
  printf(
    "  %-24s %-10s %s -> %s", joint->name, joint_type(joint), robot->links[joint->parent].name,
    robot->links[joint->child].name);
  if (joint->variable != VOUCH_NONE) {
    printf(
      ", axis (%.6g %.6g %.6g), variable %u", joint->axis[0], joint->axis[1], joint->axis[2],
      joint->variable);
  }
  if (joint->mimic) {
    printf(" * %.6g + %.6g", joint->multiplier, joint->offset);
  }
  if (joint->limited) {
    printf(", limits [%.6g, %.6g]", joint->lower, joint->upper);
  }
  printf("\n");
}

static void print_geometry(
  const vouch_geometry_t * geometry, const vouch_geometry_facts_t * facts)
{
  if (!geometry) {
    printf("no collision geometry\n");
    return;
  }
  printf("%zu convex", facts->convex);
  if (facts->triangles > 0) {
    printf(
      ", %zu triangles in %zu closed, %zu open meshes and %zu surfaces", facts->triangles,
      facts->solids, facts->open, facts->surfaces);
  }
  printf("; extent %.4g m, tree of %u nodes", facts->extent, geometry->node_count);
  if (geometry->nodes[0].kept_count > 0) {
    printf(", root hull of %u vertices", geometry->nodes[0].kept_count);
  }
  printf("\n");
}

void cli_inspect_robot(const vouch_robot_t * robot)
{
  printf(
    "robot %s: %zu links, %zu joints, %zu variables, root %s%s\n", robot->name, robot->link_count,
    robot->link_count - 1, robot->variable_count, robot->links[0].name,
    robot->has_srdf ? "" : " (no SRDF: parent and child are not checked)");
  printf("joints\n");
  for (size_t i = 0; i + 1 < robot->link_count; i++) {
    print_joint(robot, &robot->joints[i]);
  }
  printf("variables\n");
  for (size_t i = 0; i < robot->variable_count; i++) {
    printf("  %3zu %s\n", i, vouch_robot_variable_name(robot, i));
  }
  printf("links\n");
  for (size_t i = 0; i < robot->link_count; i++) {
    const vouch_link_t * link = &robot->links[i];
    printf("  %-24s ", link->name);
    print_geometry(link->geometry, &link->facts);
    if (link->padding_m > 0.0) {
      printf("  %-24s padding %.6g m\n", "", link->padding_m);
    }
  }
  for (size_t i = 0; i < robot->group_state_count; i++) {
    printf("group state %s/%s\n", robot->group_states[i].group, robot->group_states[i].name);
  }
  for (size_t i = 0; i < robot->warning_count; i++) {
    printf("warning: %s\n", robot->warnings[i]);
  }
}

static void print_shape(const vouch_shape_t * shape, const vouch_pose_t * pose)
{
  static const char * const names[] = {
    "unknown", "box", "sphere", "cylinder", "cone", "capsule", "ellipsoid", "prism", "convex",
    "mesh", "plane", "half-space"
  };
  static const int sizes[] = {0, 3, 1, 2, 2, 2, 3, 1, 0, 0, 0, 0};
  printf("  %-24s %s", "", names[shape->kind]);
  for (int i = 0; i < sizes[shape->kind]; i++) {
    printf(" %.6g", shape->size[i]);
  }
  if (shape->kind == VOUCH_SHAPE_PLANE || shape->kind == VOUCH_SHAPE_HALFSPACE) {
    printf(
      " %.6g x + %.6g y + %.6g z + %.6g %s 0", shape->plane[0], shape->plane[1], shape->plane[2],
      shape->plane[3], shape->kind == VOUCH_SHAPE_PLANE ? "=" : "<=");
  }
  if (shape->point_count > 0) {
    printf(" of %zu points, %zu triangles", shape->point_count, shape->triangle_count);
  }
  printf(
    " at (%.6g %.6g %.6g), quaternion (%.6g %.6g %.6g %.6g)\n", pose->translation[0],
    pose->translation[1], pose->translation[2], pose->rotation[0], pose->rotation[1],
    pose->rotation[2], pose->rotation[3]);
}

void cli_inspect_scene(const vouch_scene_t * scene, const vouch_build_t * build)
{
  printf(
    "scene: %zu objects, revision %llu\n", scene->object_count,
    (unsigned long long)scene->revision);
  for (size_t i = 0; i < scene->object_count; i++) {
    const vouch_object_t * object = &scene->objects[i];
    const char * frame = object->frame && object->frame[0] ? object->frame : "root";
    printf("  %-24s ", object->id);
    if (object->body->has_geometry) {
      print_geometry(&object->body->geometry, &object->body->facts);
    } else {
      printf("unbounded\n");   // planes and half-spaces only; their number follows
    }
    printf("  %-24s %s %s", "", object->link != VOUCH_NONE ? "attached to" : "in", frame);
    printf(
      " at (%.6g %.6g %.6g), quaternion (%.6g %.6g %.6g %.6g)", object->pose.translation[0],
      object->pose.translation[1], object->pose.translation[2], object->pose.rotation[0],
      object->pose.rotation[1], object->pose.rotation[2], object->pose.rotation[3]);
    if (object->body->plane_count > 0) {
      printf(", %zu planes", object->body->plane_count);
    }
    if (object->padding_m > 0.0) {
      printf(", padding %.6g m", object->padding_m);
    }
    printf("\n");
    for (size_t k = 0; k < object->body->shape_count; k++) {
      print_shape(&object->body->shapes[k], &object->body->shape_poses[k]);
    }
  }
  for (size_t i = 0; i < scene->warning_count; i++) {
    printf("warning: %s\n", scene->warnings[i].text);
  }
  const vouch_problem_t * problem = &build->problem;
  printf(
    "problem: %u frames, %u bodies, %u geometries, obstacle tree of %u nodes\n",
    problem->scene.frame_count, problem->scene.body_count, problem->geometry.geometry_count,
    problem->scene.group_count);
}

static void print_range(const vouch_motion_t * motion, size_t variable)
{
  double low = INFINITY, high = -INFINITY;
  for (uint32_t k = 0; k < motion->segment_count; k++) {
    const double * c = motion->coefficients + motion->offsets[k] +
      variable * (motion->degrees[k] + 1);
    for (uint32_t i = 0; i <= motion->degrees[k]; i++) {
      low = fmin(low, c[i]);
      high = fmax(high, c[i]);
    }
  }
  printf(
    "  %-24s stays in [%.9g, %.9g]\n", vouch_robot_variable_name(motion->robot, variable), low,
    high);
}

void cli_inspect_motion(const vouch_motion_t * motion)
{
  static const char * const names[] = {"constant", "linear", "quadratic", "cubic", "quartic",
    "quintic"};
  printf(
    "motion: model %s, %u segments", vouch_motion_model_name(motion->model),
    motion->segment_count);
  if (motion->has_time) {
    printf(", %.9g s", motion->seconds[motion->segment_count]);
  } else {
    printf(", a bare path: times count segments");
  }
  printf("%s\n", motion->lead_in ? ", the first from the start state to points[0]" : "");
  for (uint32_t degree = 0; degree <= 5; degree++) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < motion->segment_count; k++) {
      count += motion->degrees[k] == degree;
    }
    if (count > 0) {
      printf("  %u %s\n", count, names[degree]);
    }
  }
  for (size_t i = 0; i < vouch_robot_variable_count(motion->robot); i++) {
    print_range(motion, i);
  }
  for (size_t i = 0; i < motion->overshoot_count; i++) {
    const vouch_overshoot_t * over = &motion->overshoots[i];
    printf(
      "overshoot: %s moves in [%.9g, %.9g], its limits are [%.9g, %.9g]\n", over->joint,
      over->minimum, over->maximum, over->lower, over->upper);
  }
  for (size_t i = 0; i < motion->warning_count; i++) {
    printf("warning: %s\n", motion->warnings[i]);
  }
}
