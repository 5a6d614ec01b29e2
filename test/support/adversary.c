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

#include "support/adversary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vec.h"
#include "support/cell.h"
#include "verify/verify.h"

#define PI 3.14159265358979323846
#define MAX_JOINTS 7
#define MAX_POINTS 5

/* ---- shapes: each knows its farthest point along a direction ---- */

typedef struct shape_s
{
  vouch_shape_t shape;
  vouch_pose_t pose;
  double points[16][3];
  uint32_t triangles[12][3];
  double inner;   // a ball of this size about the origin lies inside
} shape_t;

static double uniform(test_random_t * r, double low, double high)
{
  return test_random_in(r, low, high);
}

/// 10^x with x uniform: all magnitudes alike.
static double magnitude(test_random_t * r, double low, double high)
{
  return pow(10.0, uniform(r, low, high));
}

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

/// The shape's pointers, after it was copied.
static vouch_shape_t shape_of(const shape_t * s)
{
  vouch_shape_t shape = s->shape;
  shape.points = (const double(*)[3])s->points;
  shape.triangles = (const uint32_t(*)[3])s->triangles;
  return shape;
}

/// kind: BOX .. MESH. Half sizes h; flat: the top is a face at z = h[2] that contains the disc of
/// radius `inner` about the z axis.
static shape_t make_shape(test_random_t * r, vouch_shape_kind_t kind, double size)
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

static vouch_shape_kind_t any_kind(test_random_t * r)
{
  return (vouch_shape_kind_t)(VOUCH_SHAPE_BOX + (int)test_random_below(r, 9));
}

static double half_height(const shape_t * s)
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

static vec3_t farthest(const shape_t * s, vec3_t m)
{
  rigid_t pose = rigid_from_pose(&s->pose);
  return rigid_apply(&pose, farthest_local(s, mat3_tmul_vec(&pose.rotation, m)));
}

static vec3_t random_unit(test_random_t * r)
{
  double n[3];
  test_random_direction(r, n);
  return vec3_from(n);
}

static void turn_at_random(test_random_t * r, shape_t * s)
{
  double n[3];
  test_random_direction(r, n);
  s->pose = cell_turned(0, 0, 0, n, uniform(r, -PI, PI));
}

/* ---- robots ---- */

typedef struct joint_s
{
  int parent;           // link; link i + 1 is moved by joint i, link 0 is the root
  bool revolute;
  double origin[3], rpy[3], axis[3];
  int master;           // < 0: its own variable
  double multiplier, offset;
  int variable;
} joint_t;

typedef struct robot_s
{
  cell_t cell;
  joint_t joints[MAX_JOINTS];
  int joint_count, other;   // other: a link on the second branch, or 0
  double scale;
} robot_t;

static const double SCALES[7] = {1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3};

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

/// A chain of 1 to 7 joints, with a second branch every other time.
static void random_robot(test_random_t * r, double scale, robot_t * robot)
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
    vec3_store(random_unit(r), j->axis);
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

/// One joint about or along z.
static void simple_robot(double scale, bool revolute, double multiplier, robot_t * robot)
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

/// Pose of a link. values: one per variable.
static rigid_t link_pose(const robot_t * robot, int link, const double * values)
{
  rigid_t pose = rigid_identity();
  if (link == 0) {
    return pose;
  }
  const joint_t * j = &robot->joints[link - 1];
  rigid_t parent = link_pose(robot, j->parent, values), move = rigid_identity();
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

typedef struct motion_s
{
  int degree, count;
  size_t width;
  double p[MAX_POINTS][MAX_JOINTS], v[MAX_POINTS][MAX_JOINTS], a[MAX_POINTS][MAX_JOINTS];
} motion_t;

static void use_motion(cell_t * cell, const motion_t * m)
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

static void values_at(const motion_t * m, double time, double * values)
{
  for (size_t j = 0; j < m->width; j++) {
    values[j] = motion_value(m, j, time);
  }
}

static motion_t random_motion(test_random_t * r, const robot_t * robot)
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

/// One variable from `from` to `to`, wherever it goes in between.
static motion_t sweep(test_random_t * r, double from, double to)
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

/* ---- one case ---- */

typedef struct case_s
{
  int family;
  double gap;
  vouch_check_options_t options;
} case_t;

static vouch_check_options_t random_options(test_random_t * r)
{
  vouch_check_options_t options = cell_options();
  options.max_memory = (size_t)1 << 20;
  options.first_contact = test_random_below(r, 8) == 0;
  options.certificate = true;
  options.max_depth = 16 + test_random_below(r, 9);
  options.method = test_random_below(r, 10) == 0 ? VOUCH_METHOD_SCHWARZER : VOUCH_METHOD_CHORD;
  options.deadline_s = 0.002;
  return options;
}

static vouch_pose_t pose_of(const shape_t * s, vec3_t at)
{
  vouch_pose_t pose = s->pose;
  vec3_store(vec3_add(vec3_from(s->pose.translation), at), pose.translation);
  return pose;
}

/// A pose (rotation as given, then turned into the link's frame) so that the shape is held there.
static void hold(cell_t * cell, const char * id, int link, const shape_t * s, vec3_t at)
{
  char name[16];
  snprintf(name, sizeof(name), "l%d", link);
  cell_hold(cell, id, name, shape_of(s), pose_of(s, at));
}

/* Point of A (held at the end of the chain) in the frame of the link that carries B. */
typedef struct kiss_s
{
  const robot_t * robot;
  const motion_t * motion;
  vec3_t local;      // in A's link
} kiss_t;

static vec3_t kissing_point(const kiss_t * kiss, double time)
{
  double values[MAX_JOINTS];
  values_at(kiss->motion, time, values);
  rigid_t a = link_pose(kiss->robot, kiss->robot->joint_count, values);
  rigid_t b = link_pose(kiss->robot, kiss->robot->other, values);
  return rigid_unapply(&b, rigid_apply(&a, kiss->local));
}

/// A normal to the path of the point at that time, on the side from which the path bends away.
static vec3_t grazing_normal(test_random_t * r, const kiss_t * kiss, double time)
{
  double h = 1e-4;
  vec3_t before = kissing_point(kiss, fmax(time - h, 0.0)), at = kissing_point(kiss, time);
  vec3_t after = kissing_point(kiss, fmin(time + h, kiss->motion->count - 1.0));
  vec3_t v = vec3_unit(vec3_sub(after, before), random_unit(r));
  vec3_t bend = vec3_sub(vec3_add(before, after), vec3_scale(at, 2.0));
  vec3_t n = test_random_below(r, 4) == 0 ? random_unit(r) : vec3_neg(bend);
  n = vec3_sub(n, vec3_scale(v, vec3_dot(n, v)));
  return vec3_unit(n, random_unit(r));
}

/// The rotation of a link at a time brings world directions to it; B may ride on a link.
static case_t kiss_case(test_random_t * r, robot_t * robot)
{
  case_t out = {.family = ADVERSARY_KISS, .options = random_options(r)};
  motion_t motion = random_motion(r, robot);
  double size = robot->scale * magnitude(r, -1.5, -0.3);
  shape_t a = make_shape(r, any_kind(r), size);
  turn_at_random(r, &a);
  vec3_t arm = vec3_scale(random_unit(r), robot->scale * uniform(r, 0.0, 0.5));
  kiss_t kiss = {.robot = robot, .motion = &motion, .local = arm};
  double time = uniform(r, 0.0, motion.count - 1.0);
  if (test_random_below(r, 4) == 0) {
    time = floor(time * 4.0) / 4.0;   // knots and places where intervals are cut
  }
  vec3_t n = grazing_normal(r, &kiss, time);
  double values[MAX_JOINTS];
  values_at(&motion, time, values);
  rigid_t pa = link_pose(robot, robot->joint_count, values);
  rigid_t pb = link_pose(robot, robot->other, values);
  mat3_t turn = mat3_tmul(&pa.rotation, &pb.rotation);   // from B's link to A's
  kiss.local = vec3_add(arm, farthest(&a, mat3_mul_vec(&turn, n)));
  vec3_t point = kissing_point(&kiss, time);
  /* b + s (center - b) lies inside B by s * inner at least. */
  uint32_t kind = test_random_below(r, 11);
  double share = magnitude(r, -7.5, -2.0);
  hold(&robot->cell, "a", robot->joint_count, &a, arm);
  if (kind >= 9u && robot->other == 0) {
    double depth = share * size;
    vouch_shape_t plane = {.kind = kind == 9u ? VOUCH_SHAPE_PLANE : VOUCH_SHAPE_HALFSPACE,
      .plane = {-n.x, -n.y, -n.z, vec3_dot(n, point) - depth}};
    cell_add(&robot->cell, "b", plane, vouch_pose_identity());
    out.gap = -depth;
  } else {
    shape_t b = make_shape(
      r, kind >= 9u ? VOUCH_SHAPE_BOX : (vouch_shape_kind_t)(VOUCH_SHAPE_BOX + (int)kind),
      robot->scale * magnitude(r, -1.5, 0.0));
    turn_at_random(r, &b);
    vec3_t touch = vec3_scale(farthest(&b, vec3_neg(n)), 1.0 - share);
    hold(&robot->cell, "b", robot->other, &b, vec3_sub(point, touch));
    out.gap = -share * b.inner;
  }
  use_motion(&robot->cell, &motion);
  return out;
}

/// Signed: half of the cases overlap.
static double random_gap(test_random_t * r, double scale)
{
  double gap = fmax(scale, 1.0) * magnitude(r, -9.0, -3.0);
  gap = fmin(gap, 0.05 * scale);
  return test_random_below(r, 2) == 0 ? -gap : gap;
}

static const vouch_shape_kind_t FLAT[5] = {VOUCH_SHAPE_BOX, VOUCH_SHAPE_CYLINDER,
  VOUCH_SHAPE_PRISM, VOUCH_SHAPE_CONVEX, VOUCH_SHAPE_MESH};

/// The obstacle whose flat top lies in z = 0, and contains the disc of radius `inner` there.
static double flat_top(test_random_t * r, robot_t * robot, double size, double thinnest)
{
  uint32_t kind = test_random_below(r, 7);
  if (kind >= 5u) {
    vouch_shape_t plane = {.kind = kind == 5u ? VOUCH_SHAPE_PLANE : VOUCH_SHAPE_HALFSPACE,
      .plane = {0, 0, 1, 0}};
    cell_add(&robot->cell, "b", plane, vouch_pose_identity());
    return size;
  }
  shape_t b = make_shape(r, FLAT[kind], size);
  if (FLAT[kind] == VOUCH_SHAPE_BOX && test_random_below(r, 2) == 0) {
    b.shape.size[2] = thinnest;   // a plate
  }
  double inner = fmin(b.inner, 0.2 * size);
  cell_add(&robot->cell, "b", shape_of(&b), cell_at(0, 0, -half_height(&b)));
  return inner;
}

static case_t slide_case(test_random_t * r, robot_t * robot)
{
  case_t out = {.family = ADVERSARY_SLIDE, .options = random_options(r)};
  double scale = robot->scale, size = scale * uniform(r, 0.05, 0.5);
  out.gap = random_gap(r, scale);
  double margin = test_random_below(r, 4) == 0 ? scale * magnitude(r, -4.0, -1.0) : 0.0;
  margin = fmin(margin, 500.0);
  out.options.margin_m = margin;
  shape_t a = make_shape(r, any_kind(r), size);
  turn_at_random(r, &a);
  out.gap = fmax(out.gap, -0.5 * a.inner);   // not wholly behind a thin plane
  double inner = flat_top(r, robot, scale * uniform(r, 0.2, 1.0), fmax(1e-4, fabs(out.gap) * 2.0));
  vec3_t low = farthest(&a, vec3(0, 0, -1));
  double aside = 0.5 * inner * uniform(r, -1.0, 1.0);
  hold(
    &robot->cell, "a", robot->joint_count, &a,
    vec3(-low.x, aside - low.y, out.gap + margin - low.z));
  double length = scale * uniform(r, 1.0, 3.0),
    k = robot->joints[robot->joint_count - 1].multiplier;
  k = robot->joint_count > 1 ? k : 1.0;
  motion_t motion = sweep(r, -length / k, length / k * uniform(r, 0.5, 1.0));
  use_motion(&robot->cell, &motion);
  return out;
}

/// Largest distance from the z axis, with the point; only shapes where it is simple.
static vec3_t farthest_from_axis(const shape_t * s, vec3_t at)
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

static case_t swing_case(test_random_t * r, robot_t * robot)
{
  case_t out = {.family = ADVERSARY_SWING, .options = random_options(r)};
  double scale = robot->scale;
  out.gap = random_gap(r, scale);
  shape_t a = make_shape(r, any_kind(r), scale * uniform(r, 0.05, 0.5));
  vec3_t at = vec3(0, 0, 0), tip;
  if (a.shape.kind == VOUCH_SHAPE_CYLINDER || a.shape.kind == VOUCH_SHAPE_CONE ||
    a.shape.kind == VOUCH_SHAPE_ELLIPSOID)
  {
    /* Coaxial. */
    bool wide = a.shape.kind == VOUCH_SHAPE_ELLIPSOID && a.shape.size[1] > a.shape.size[0];
    double z = a.shape.kind == VOUCH_SHAPE_ELLIPSOID ? 0.0 : -0.5 * a.shape.size[1];
    tip = wide ? vec3(0, a.shape.size[1], z) : vec3(a.shape.size[0], 0, z);
  } else {
    turn_at_random(r, &a);
    at = vec3_scale(random_unit(r), scale * uniform(r, 0.0, 1.0));
    tip = farthest_from_axis(&a, at);
  }
  double radius = hypot(tip.x, tip.y), phi = uniform(r, -PI, PI);
  double thick = fmax(fmax(1e-4, 4.0 * fabs(out.gap)), test_random_below(r, 2) ? 0.1 * scale : 0.0);
  double wide = scale * uniform(r, 0.01, 0.3), tall = scale * uniform(r, 0.01, 0.3);
  const double z[3] = {0, 0, 1};
  double far = radius + out.gap + 0.5 * thick;
  cell_add(
    &robot->cell, "b", cell_box(thick, wide, tall),
    cell_turned(far * cos(phi), far * sin(phi), tip.z, z, phi));
  hold(&robot->cell, "a", robot->joint_count, &a, at);
  double centre = phi - atan2(tip.y, tip.x), k = robot->joints[robot->joint_count - 1].multiplier;
  k = robot->joint_count > 1 ? k : 1.0;
  double from = centre - uniform(r, 0.1, 3.5), to = centre + uniform(r, 0.1, 3.5);
  motion_t motion = sweep(r, from / k, to / k);
  use_motion(&robot->cell, &motion);
  return out;
}

/// A ball moves towards a wall; margin and tolerance leave `gap`.
static case_t approach_case(test_random_t * r, robot_t * robot)
{
  case_t out = {.family = ADVERSARY_APPROACH, .options = random_options(r)};
  double scale = robot->scale, radius = scale * uniform(r, 0.05, 0.5);
  out.gap = random_gap(r, scale);
  out.options.margin_m = fmin(scale * magnitude(r, -4.0, -1.0), 500.0);
  shape_t a = make_shape(r, VOUCH_SHAPE_SPHERE, radius);
  radius = a.shape.size[0];
  bool revolute = robot->joints[0].revolute;
  double k = robot->joint_count > 1 ? robot->joints[1].multiplier : 1.0;
  double end, lever = scale * uniform(r, 0.2, 1.0), reached;
  motion_t motion = {.degree = 1, .count = 2, .width = 1};
  if (revolute) {
    double angle = uniform(r, 0.1, 0.5), delta = magnitude(r, -4.0, -1.0);
    out.options.tolerance_rad = delta / fabs(k);
    end = angle;
    reached = lever * sin(angle + delta) + radius;
    hold(&robot->cell, "a", robot->joint_count, &a, vec3(lever, 0, 0));
    double face = reached + out.options.margin_m + out.gap;
    cell_add(
      &robot->cell, "b", cell_box(4 * scale, scale, scale),
      cell_at(0, face + 0.5 * scale, 0));
    motion.p[0][0] = (angle - 1.0) / k;
  } else {
    double delta = fmin(scale * magnitude(r, -4.0, -1.0), 500.0);
    out.options.tolerance_m = delta / fabs(k);
    end = lever;
    reached = lever + delta + radius;
    hold(&robot->cell, "a", robot->joint_count, &a, vec3(0, 0, 0));
    double face = reached + out.options.margin_m + out.gap;
    cell_add(&robot->cell, "b", cell_box(scale, scale, scale), cell_at(face + 0.5 * scale, 0, 0));
    motion.p[0][0] = -lever / k;
  }
  motion.p[1][0] = end / k;
  use_motion(&robot->cell, &motion);
  return out;
}

/* ---- random problems ---- */

static void random_obstacles(test_random_t * r, robot_t * robot)
{
  uint32_t count = 1 + test_random_below(r, 5);
  for (uint32_t i = 0; i < count; i++) {
    char id[16];
    snprintf(id, sizeof(id), "o%u", i);
    vec3_t at = vec3_scale(random_unit(r), robot->scale * uniform(r, 0.3, 3.0));
    if (test_random_below(r, 12) == 0) {
      vec3_t n = random_unit(r);
      vouch_shape_t plane = {.plane = {n.x, n.y, n.z, robot->scale * uniform(r, 1.0, 4.0)},
        .kind = test_random_below(r, 2) ? VOUCH_SHAPE_PLANE : VOUCH_SHAPE_HALFSPACE};
      cell_add(&robot->cell, id, plane, vouch_pose_identity());
      continue;
    }
    shape_t shape = make_shape(r, any_kind(r), robot->scale * magnitude(r, -1.5, -0.2));
    turn_at_random(r, &shape);
    cell_add(&robot->cell, id, shape_of(&shape), pose_of(&shape, at));
  }
}

cell_t adversary_problem(test_random_t * r, vouch_check_options_t * options)
{
  robot_t robot;
  random_robot(r, SCALES[test_random_below(r, 7)], &robot);
  *options = random_options(r);
  options->deadline_s = 0.0;
  options->first_contact = false;
  options->max_depth = 12;
  shape_t a = make_shape(r, any_kind(r), robot.scale * magnitude(r, -1.5, -0.5));
  turn_at_random(r, &a);
  vec3_t arm = vec3_scale(random_unit(r), robot.scale * uniform(r, 0.0, 0.5));
  hold(&robot.cell, "a", robot.joint_count, &a, arm);
  if (robot.other > 0) {
    shape_t b = make_shape(r, any_kind(r), robot.scale * magnitude(r, -1.5, -0.5));
    turn_at_random(r, &b);
    arm = vec3_scale(random_unit(r), robot.scale * uniform(r, 0.0, 0.5));
    hold(&robot.cell, "b", robot.other, &b, arm);
  }
  random_obstacles(r, &robot);
  if (test_random_below(r, 3) == 0) {
    options->margin_m = fmin(robot.scale * magnitude(r, -5.0, -1.5), 500.0);
    options->tolerance_rad = magnitude(r, -6.0, -2.0);
    options->tolerance_m = robot.scale * magnitude(r, -6.0, -2.0);
  }
  motion_t motion = random_motion(r, &robot);
  use_motion(&robot.cell, &motion);
  return robot.cell;
}

/* ---- the campaign ---- */

#define ROBOTS 12

typedef struct robots_s
{
  robot_t chains[ROBOTS], rails[7], turns[7];
} robots_t;

static void open_robots(test_random_t * r, robots_t * robots)
{
  for (int i = 0; i < ROBOTS; i++) {
    random_robot(r, SCALES[test_random_below(r, 7)], &robots->chains[i]);
  }
  for (int i = 0; i < 7; i++) {
    const double multipliers[3] = {1.0, -0.5, 3.0};
    simple_robot(SCALES[i], false, multipliers[test_random_below(r, 3)], &robots->rails[i]);
    simple_robot(SCALES[i], true, multipliers[test_random_below(r, 3)], &robots->turns[i]);
  }
}

static void close_robots(robots_t * robots)
{
  for (int i = 0; i < ROBOTS; i++) {
    cell_close(&robots->chains[i].cell);
  }
  for (int i = 0; i < 7; i++) {
    cell_close(&robots->rails[i].cell);
    cell_close(&robots->turns[i].cell);
  }
}

static void give_to_verifier(const cell_t * cell, adversary_tally_t * tally)
{
  uint8_t * problem, * certificate;
  size_t sizes[2];
  struct vouch_verify_report report;
  if (vouch_checker_problem(cell->checker, &problem, &sizes[0]) != VOUCH_RET_OK ||
    vouch_checker_certificate(cell->checker, &certificate, &sizes[1]) != VOUCH_RET_OK)
  {
    tally->refused++;
    return;
  }
  int code = vouch_verify_memory(NULL, problem, sizes[0], certificate, sizes[1], &report);
  tally->verified += code == VOUCH_VERIFY_OK;
  tally->refused += code != VOUCH_VERIFY_OK;
  if (code != VOUCH_VERIFY_OK) {
    fprintf(stderr, "not verified: %s\n", report.reason);
  }
  vouch_bytes_free(cell->checker, problem);
  vouch_bytes_free(cell->checker, certificate);
}

static robot_t * run_case(test_random_t * r, robots_t * robots, case_t * out)
{
  uint32_t which = test_random_below(r, 10);
  robot_t * robot = which < 5 ? &robots->chains[test_random_below(r, ROBOTS)] :
    which < 7 ? &robots->rails[test_random_below(r, 7)] : &robots->turns[test_random_below(r, 7)];
  if (which == 9) {
    robot = test_random_below(r, 2) ? &robots->rails[test_random_below(r, 7)] : robot;
  }
  cell_clear(&robot->cell);
  *out = which < 5 ? kiss_case(r, robot) : which < 7 ? slide_case(r, robot) :
    which < 9 ? swing_case(r, robot) : approach_case(r, robot);
  return robot;
}

void adversary_run(
  uint64_t seed, uint64_t count, uint64_t verify_every, adversary_tally_t * tally)
{
  static const char * const names[] = {"kiss", "slide", "swing", "approach"};
  robots_t * robots = calloc(1, sizeof(*robots));
  uint64_t proofs = 0;
  for (uint64_t i = 0; i < count && tally->wrong < 20; i++) {
    if (i % 500 == 0) {
      test_random_t r = {seed + i};
      if (i > 0) {
        close_robots(robots);
      }
      open_robots(&r, robots);
    }
    test_random_t r = {seed ^ (UINT64_C(0x5851f42d4c957f2d) * (i + 1))};
    case_t c;
    robot_t * robot = run_case(&r, robots, &c);
    vouch_result_t result = cell_check(&robot->cell, &c.options);
    bool free = result.verdict == VOUCH_FREE, touch = c.gap < 0.0;
    bool collision = result.verdict == VOUCH_COLLISION;
    tally->cases++;
    tally->touching[c.family] += touch;
    tally->apart[c.family] += !touch;
    tally->proved[c.family] += !touch && free;
    tally->shown[c.family] += touch && collision;
    if ((touch && free) || (!touch && collision)) {
      tally->wrong++;
      fprintf(
        stderr, "WRONG: %s, seed %" PRIu64 " case %" PRIu64 ", scale %g: gap %.17g, verdict %s\n",
        names[c.family], seed, i, robot->scale, c.gap, vouch_verdict_name(result.verdict));
    }
    if (free && verify_every > 0 && proofs++ % verify_every == 0) {
      give_to_verifier(&robot->cell, tally);
    }
  }
  close_robots(robots);
  free(robots);
}

void adversary_print(const adversary_tally_t * t)
{
  static const char * const names[] = {"kiss", "slide", "swing", "approach"};
  printf("%" PRIu64 " motions, %" PRIu64 " wrong\n", t->cases, t->wrong);
  for (int f = 0; f < ADVERSARY_FAMILIES; f++) {
    printf(
      "  %-8s touching %8" PRIu64 " (COLLISION %5.1f %%, none FREE)   apart %8" PRIu64
      " (FREE %5.1f %%)\n", names[f], t->touching[f],
      100.0 * (double)t->shown[f] / fmax((double)t->touching[f], 1.0), t->apart[f],
      100.0 * (double)t->proved[f] / fmax((double)t->apart[f], 1.0));
  }
  printf(
    "  certificates verified %" PRIu64 ", not verified %" PRIu64 "\n", t->verified, t->refused);
}
