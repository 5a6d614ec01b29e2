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

#include "support/adversary_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- shapes: each knows its farthest point along a direction ---- */

static const double CORNERS[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
  {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};

static const uint32_t SIDES[12][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 5}, {0, 5, 4}, {1, 2, 6},
  {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}, {4, 5, 6}, {4, 6, 7}};

static void set_corners(shape_t * s, const double half[3])
{
  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < 3; k++) {
      s->points[i][k] = CORNERS[i][k] * half[k];
    }
  }
  memcpy(s->triangles, SIDES, sizeof(SIDES));
  s->shape.point_count = 8;
}

vouch_shape_t adversary_shape_of(const shape_t * s)
{
  vouch_shape_t shape = s->shape;
  shape.points = (const double(*)[3])s->points;
  shape.triangles = (const uint32_t(*)[3])s->triangles;
  return shape;
}

shape_t adversary_make_shape(test_random_t * r, vouch_shape_kind_t kind, double size)
{
  shape_t s = {.shape = {.kind = kind}, .pose = vouch_pose_identity()};
  double h[3];
  for (int k = 0; k < 3; k++) {
    h[k] = size * uniform(r, 0.2, 1.0);
  }
  s.inner = fmin(h[0], fmin(h[1], h[2]));
  switch (kind) {
    case VOUCH_SHAPE_BOX:
      memcpy(s.shape.size, (double[3]) {2.0 * h[0], 2.0 * h[1], 2.0 * h[2]}, sizeof(h));
      break;
    case VOUCH_SHAPE_SPHERE:
      s.shape.size[0] = s.inner = h[0];
      break;
    case VOUCH_SHAPE_CYLINDER:
      s.shape.size[0] = h[0];
      s.shape.size[1] = 2.0 * h[2];
      s.inner = fmin(h[0], h[2]);
      break;
    case VOUCH_SHAPE_CONE:
      s.shape.size[0] = h[0];
      s.shape.size[1] = 2.0 * h[2];
      s.inner = 0.4 * fmin(h[0], h[2]);   // half height there, under 45 degrees or more
      break;
    case VOUCH_SHAPE_CAPSULE:
      s.shape.size[0] = s.inner = h[0];
      s.shape.size[1] = 2.0 * h[2];
      break;
    case VOUCH_SHAPE_ELLIPSOID:
      memcpy(s.shape.size, h, sizeof(h));
      break;
    case VOUCH_SHAPE_PRISM: {
        uint32_t n = 3 + test_random_below(r, 6);
        double phase = uniform(r, 0.0, 2.0 * PI);
        for (uint32_t i = 0; i < n; i++) {
          s.points[i][0] = h[0] * cos(phase + 2.0 * PI * i / n);
          s.points[i][1] = h[0] * sin(phase + 2.0 * PI * i / n);
        }
        s.shape.point_count = n;
        s.shape.size[0] = 2.0 * h[2];
        s.inner = fmin(0.49 * h[0], h[2]);
        break;
      }
    case VOUCH_SHAPE_CONVEX:
      set_corners(&s, h);
      for (int i = 8; i < 12; i++) {   // and some points inside
        for (int k = 0; k < 3; k++) {
          s.points[i][k] = h[k] * uniform(r, -0.9, 0.9);
        }
      }
      s.shape.point_count = 12;
      break;
    default:
      s.shape.kind = VOUCH_SHAPE_MESH;
      set_corners(&s, h);
      s.shape.triangle_count = 12;
  }
  return s;
}

vouch_shape_kind_t adversary_any_kind(test_random_t * r)
{
  return (vouch_shape_kind_t)(VOUCH_SHAPE_BOX + (int)test_random_below(r, 9));
}

double adversary_half_height(const shape_t * s)
{
  switch (s->shape.kind) {
    case VOUCH_SHAPE_BOX:
      return 0.5 * s->shape.size[2];
    case VOUCH_SHAPE_PRISM:
      return 0.5 * s->shape.size[0];
    case VOUCH_SHAPE_CYLINDER:
      return 0.5 * s->shape.size[1];
    default:
      return s->points[7][2];   // convex and mesh
  }
}

static vec3_t farthest_of_points(const shape_t * s, vec3_t m)
{
  vec3_t best = vec3_from(s->points[0]);
  bool prism = s->shape.kind == VOUCH_SHAPE_PRISM;
  double z = prism ? copysign(0.5 * s->shape.size[0], m.z) : 0.0;
  for (size_t i = 1; i < s->shape.point_count; i++) {
    vec3_t p = vec3_from(s->points[i]);
    best = vec3_dot(p, m) > vec3_dot(best, m) ? p : best;
  }
  return prism ? vec3(best.x, best.y, z) : best;
}

/// Farthest point along m, in the shape's own frame.
static vec3_t farthest_local(const shape_t * s, vec3_t m)
{
  const double * d = s->shape.size;
  double flat = hypot(m.x, m.y), n = vec3_norm(m);
  vec3_t rim = flat > 0.0 ? vec3(m.x / flat, m.y / flat, 0.0) : vec3(1.0, 0.0, 0.0);
  switch (s->shape.kind) {
    case VOUCH_SHAPE_BOX:
      return vec3(copysign(0.5 * d[0], m.x), copysign(0.5 * d[1], m.y), copysign(0.5 * d[2], m.z));
    case VOUCH_SHAPE_SPHERE:
      return vec3_scale(m, d[0] / n);
    case VOUCH_SHAPE_CYLINDER:
      return vec3(d[0] * rim.x, d[0] * rim.y, copysign(0.5 * d[1], m.z));
    case VOUCH_SHAPE_CONE:
      return m.z * d[1] > d[0] * flat ? vec3(0.0, 0.0, 0.5 * d[1]) :
             vec3(d[0] * rim.x, d[0] * rim.y, -0.5 * d[1]);
    case VOUCH_SHAPE_CAPSULE:
      return vec3_add(vec3(0.0, 0.0, copysign(0.5 * d[1], m.z)), vec3_scale(m, d[0] / n));
    case VOUCH_SHAPE_ELLIPSOID: {
        vec3_t q = vec3(d[0] * m.x, d[1] * m.y, d[2] * m.z);
        double t = vec3_norm(q);
        return vec3(d[0] * q.x / t, d[1] * q.y / t, d[2] * q.z / t);
      }
    default:
      return farthest_of_points(s, m);
  }
}

vec3_t adversary_farthest(const shape_t * s, vec3_t m)
{
  rigid_t pose = rigid_from_pose(&s->pose);
  return rigid_apply(&pose, farthest_local(s, mat3_tmul_vec(&pose.rotation, m)));
}

vec3_t adversary_farthest_from_axis(const shape_t * s, vec3_t at)
{
  vec3_t best = vec3(0, 0, 0);
  rigid_t pose = rigid_from_pose(&s->pose);
  for (int i = 0; i < 16; i++) {
    vec3_t p;
    if (s->shape.kind == VOUCH_SHAPE_BOX && i < 8) {
      p = vec3(
        CORNERS[i][0] * 0.5 * s->shape.size[0], CORNERS[i][1] * 0.5 * s->shape.size[1],
        CORNERS[i][2] * 0.5 * s->shape.size[2]);
    } else if (s->shape.kind == VOUCH_SHAPE_PRISM && (size_t)(i / 2) < s->shape.point_count) {
      p = vec3(s->points[i / 2][0], s->points[i / 2][1], (i % 2 - 0.5) * s->shape.size[0]);
    } else if (s->shape.kind >= VOUCH_SHAPE_CONVEX && (size_t)i < s->shape.point_count) {
      p = vec3_from(s->points[i]);
    } else if (s->shape.kind == VOUCH_SHAPE_CAPSULE || s->shape.kind == VOUCH_SHAPE_SPHERE) {
      double length = s->shape.kind == VOUCH_SHAPE_CAPSULE ? s->shape.size[1] : 0.0;
      p = vec3(0, 0, (i % 2 - 0.5) * length);
    } else {
      continue;
    }
    p = vec3_add(rigid_apply(&pose, p), at);
    if (s->shape.kind == VOUCH_SHAPE_CAPSULE || s->shape.kind == VOUCH_SHAPE_SPHERE) {
      double d = hypot(p.x, p.y);
      vec3_t out = d > 0.0 ? vec3(p.x / d, p.y / d, 0.0) : vec3(1, 0, 0);
      p = vec3_add(p, vec3_scale(out, s->shape.size[0]));
    }
    best = hypot(p.x, p.y) > hypot(best.x, best.y) ? p : best;
  }
  return best;
}

vec3_t adversary_random_unit(test_random_t * r)
{
  double n[3];
  test_random_direction(r, n);
  return vec3_from(n);
}

void adversary_turn_at_random(test_random_t * r, shape_t * s)
{
  double n[3];
  test_random_direction(r, n);
  s->pose = cell_turned(0, 0, 0, n, uniform(r, -PI, PI));
}

/* ---- robots ---- */

static void write_joint(char * text, size_t size, const joint_t * j, int number)
{
  size_t used = strlen(text);
  used += (size_t)snprintf(
    text + used, size - used, "<link name='l%d'/><joint name='j%d' type='%s'><parent link='l%d'/>"
    "<child link='l%d'/><origin xyz='%.17g %.17g %.17g' rpy='%.17g %.17g %.17g'/>"
    "<axis xyz='%.17g %.17g %.17g'/><limit lower='-1e3' upper='1e3' effort='1' velocity='1'/>",
    number + 1, number, j->revolute ? "revolute" : "prismatic", j->parent, number + 1,
    j->origin[0], j->origin[1], j->origin[2], j->rpy[0], j->rpy[1], j->rpy[2], j->axis[0],
    j->axis[1], j->axis[2]);
  if (j->master >= 0) {
    used += (size_t)snprintf(
      text + used, size - used, "<mimic joint='j%d' multiplier='%.17g' offset='%.17g'/>",
      j->master, j->multiplier, j->offset);
  }
  snprintf(text + used, size - used, "</joint>");
}

static void open_robot(robot_t * robot)
{
  char text[16384] = "<robot name='adversary'><link name='l0'/>";
  for (int i = 0; i < robot->joint_count; i++) {
    write_joint(text, sizeof(text) - 32, &robot->joints[i], i);
  }
  strcat(text, "</robot>");
  robot->cell = cell_open(text, NULL);
  for (int i = 0; i < robot->joint_count; i++) {
    joint_t * j = &robot->joints[i];
    char name[16];
    snprintf(name, sizeof(name), "j%d", j->master >= 0 ? j->master : i);
    j->variable = vouch_robot_find_variable(robot->cell.robot, name);
  }
}

void adversary_random_robot(test_random_t * r, double scale, robot_t * robot)
{
  memset(robot, 0, sizeof(*robot));
  robot->scale = scale;
  robot->joint_count = 1 + (int)test_random_below(r, MAX_JOINTS);
  int branch = test_random_below(r, 2) == 0 ? robot->joint_count / 2 : 0;
  for (int i = 0; i < robot->joint_count; i++) {
    joint_t * j = &robot->joints[i];
    j->parent = i == branch ? 0 : i;
    j->revolute = test_random_below(r, 5) < 3;
    j->master = -1;
    vec3_store(adversary_random_unit(r), j->axis);
    for (int k = 0; k < 3; k++) {
      j->origin[k] = scale * uniform(r, -0.5, 0.5);
      j->rpy[k] = uniform(r, -PI, PI);
    }
    if (i > 0 && test_random_below(r, 5) == 0 && robot->joints[i - 1].master < 0) {
      j->master = i - 1;
      j->multiplier = uniform(r, -2.0, 2.0);
      j->offset = uniform(r, -0.5, 0.5);
      if (j->revolute != robot->joints[i - 1].revolute) {
        double unit = j->revolute ? 1.0 / scale : scale;
        j->multiplier *= unit;
      }
      j->offset *= j->revolute ? 1.0 : scale;
    }
  }
  robot->other = branch > 0 ? branch : 0;
  open_robot(robot);
}

void adversary_simple_robot(double scale, bool revolute, double multiplier, robot_t * robot)
{
  memset(robot, 0, sizeof(*robot));
  robot->scale = scale;
  robot->joint_count = 1;
  robot->joints[0] = (joint_t) {.revolute = revolute, .axis = {0, 0, 1}, .master = -1};
  if (!revolute) {
    memcpy(robot->joints[0].axis, (double[3]) {1, 0, 0}, sizeof(robot->joints[0].axis));
  }
  if (multiplier != 1.0) {   // the joint that moves things follows another one
    robot->joint_count = 2;
    robot->joints[1] = robot->joints[0];
    robot->joints[1].multiplier = multiplier;
    robot->joints[1].master = 0;
  }
  open_robot(robot);
}

rigid_t adversary_link_pose(const robot_t * robot, int link, const double * values)
{
  rigid_t pose = rigid_identity();
  if (link == 0) {
    return pose;
  }
  const joint_t * j = &robot->joints[link - 1];
  rigid_t parent = adversary_link_pose(robot, j->parent, values), move = rigid_identity();
  double q = values[j->variable];
  q = j->master >= 0 ? j->multiplier * q + j->offset : q;
  rigid_t origin = rigid_identity();
  const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
  mat3_t rx = mat3_from_axis_angle(vec3_from(x), j->rpy[0]);
  mat3_t ry = mat3_from_axis_angle(vec3_from(y), j->rpy[1]);
  mat3_t rz = mat3_from_axis_angle(vec3_from(z), j->rpy[2]);
  mat3_t zy = mat3_mul(&rz, &ry);
  origin.rotation = mat3_mul(&zy, &rx);
  origin.translation = vec3_from(j->origin);
  if (j->revolute) {
    move.rotation = mat3_from_axis_angle(vec3_from(j->axis), q);
  } else {
    move.translation = vec3_scale(vec3_unit(vec3_from(j->axis), vec3(0, 0, 1)), q);
  }
  pose = rigid_mul(&parent, &origin);
  return rigid_mul(&pose, &move);
}

/* ---- motions: linear, cubic or quintic through up to five points, one second each ---- */

void adversary_use_motion(cell_t * cell, const motion_t * m)
{
  double p[MAX_POINTS * MAX_JOINTS], v[MAX_POINTS * MAX_JOINTS], a[MAX_POINTS * MAX_JOINTS];
  for (int i = 0; i < m->count; i++) {
    memcpy(p + (size_t)i * m->width, m->p[i], m->width * sizeof(double));
    memcpy(v + (size_t)i * m->width, m->v[i], m->width * sizeof(double));
    memcpy(a + (size_t)i * m->width, m->a[i], m->width * sizeof(double));
  }
  if (m->degree == 1) {
    cell_path(cell, p, (size_t)m->count);
  } else {
    cell_spline(cell, p, v, m->degree == 5 ? a : NULL, (size_t)m->count);
  }
}

/// Hermite polynomials, written down independently of the library.
static double motion_value(const motion_t * m, size_t j, double time)
{
  int k = (int)time;
  k = k > m->count - 2 ? m->count - 2 : k;
  double s = time - k, p0 = m->p[k][j], p1 = m->p[k + 1][j];
  double v0 = m->v[k][j], v1 = m->v[k + 1][j], a0 = m->a[k][j], a1 = m->a[k + 1][j];
  double s2 = s * s, s3 = s2 * s;
  if (m->degree == 1) {
    return p0 + s * (p1 - p0);
  }
  if (m->degree == 3) {
    return p0 * (1 - 3 * s2 + 2 * s3) + p1 * (3 * s2 - 2 * s3) + v0 * (s - 2 * s2 + s3) +
           v1 * (s3 - s2);
  }
  double s4 = s3 * s, s5 = s4 * s;
  return p0 * (1 - 10 * s3 + 15 * s4 - 6 * s5) + p1 * (10 * s3 - 15 * s4 + 6 * s5) +
         v0 * (s - 6 * s3 + 8 * s4 - 3 * s5) + v1 * (-4 * s3 + 7 * s4 - 3 * s5) +
         a0 * (0.5 * s2 - 1.5 * s3 + 1.5 * s4 - 0.5 * s5) + a1 * (0.5 * s3 - s4 + 0.5 * s5);
}

void adversary_values_at(const motion_t * m, double time, double * values)
{
  for (size_t j = 0; j < m->width; j++) {
    values[j] = motion_value(m, j, time);
  }
}

motion_t adversary_random_motion(test_random_t * r, const robot_t * robot)
{
  motion_t m = {.degree = 1 + 2 * (int)test_random_below(r, 3),
    .count = 2 + (int)test_random_below(r, MAX_POINTS - 1)};
  m.width = vouch_robot_variable_count(robot->cell.robot);
  double reach = test_random_below(r, 4) == 0 ? 6.0 : uniform(r, 0.01, 2.0);
  for (int i = 0; i < robot->joint_count; i++) {
    const joint_t * j = &robot->joints[i];
    if (j->master >= 0) {
      continue;
    }
    double unit = j->revolute ? reach : 0.5 * robot->scale * fmin(reach, 2.0);
    for (int k = 0; k < m.count; k++) {
      m.p[k][j->variable] = unit * uniform(r, -1.0, 1.0);
      m.v[k][j->variable] = unit * uniform(r, -4.0, 4.0);
      m.a[k][j->variable] = unit * uniform(r, -8.0, 8.0);
    }
  }
  return m;
}

motion_t adversary_sweep(test_random_t * r, double from, double to)
{
  motion_t m = {.degree = 1 + 2 * (int)test_random_below(r, 3),
    .count = 2 + (int)test_random_below(r, 3), .width = 1};
  for (int k = 0; k < m.count; k++) {
    double s = (double)k / (m.count - 1);
    m.p[k][0] = from + s * (to - from);
    if (k > 0 && k < m.count - 1) {
      m.p[k][0] += 0.3 * (to - from) * uniform(r, -1.0, 1.0);
    }
    m.v[k][0] = (to - from) * uniform(r, -1.0, 2.0);
    m.a[k][0] = (to - from) * uniform(r, -3.0, 3.0);
  }
  return m;
}
