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

#include "support/adversary_parts.h"
#include "verify/verify.h"

/* ---- one case ---- */

static const double SCALES[7] = {1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3};

typedef struct case_s
{
  int family;
  bool may_touch;    // by permission: never a COLLISION
  bool grows;
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
  cell_hold(cell, id, name, adversary_shape_of(s), pose_of(s, at));
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
  adversary_values_at(kiss->motion, time, values);
  rigid_t a = adversary_link_pose(kiss->robot, kiss->robot->joint_count, values);
  rigid_t b = adversary_link_pose(kiss->robot, kiss->robot->other, values);
  return rigid_unapply(&b, rigid_apply(&a, kiss->local));
}

/// A normal to the path of the point at that time, on the side from which the path bends away.
static vec3_t grazing_normal(test_random_t * r, const kiss_t * kiss, double time)
{
  double h = 1e-4;
  vec3_t before = kissing_point(kiss, fmax(time - h, 0.0)), at = kissing_point(kiss, time);
  vec3_t after = kissing_point(kiss, fmin(time + h, kiss->motion->count - 1.0));
  vec3_t v = vec3_unit(vec3_sub(after, before), adversary_random_unit(r));
  vec3_t bend = vec3_sub(vec3_add(before, after), vec3_scale(at, 2.0));
  vec3_t n = test_random_below(r, 4) == 0 ? adversary_random_unit(r) : vec3_neg(bend);
  n = vec3_sub(n, vec3_scale(v, vec3_dot(n, v)));
  return vec3_unit(n, adversary_random_unit(r));
}

/// The rotation of a link at a time brings world directions to it; B may ride on a link.
static case_t kiss_case(test_random_t * r, robot_t * robot)
{
  case_t out = {.family = ADVERSARY_KISS, .options = random_options(r)};
  motion_t motion = adversary_random_motion(r, robot);
  double size = robot->scale * magnitude(r, -1.5, -0.3);
  shape_t a = adversary_make_shape(r, adversary_any_kind(r), size);
  adversary_turn_at_random(r, &a);
  vec3_t arm = vec3_scale(adversary_random_unit(r), robot->scale * uniform(r, 0.0, 0.5));
  kiss_t kiss = {.robot = robot, .motion = &motion, .local = arm};
  double time = uniform(r, 0.0, motion.count - 1.0);
  if (test_random_below(r, 4) == 0) {
    time = floor(time * 4.0) / 4.0;   // knots and places where intervals are cut
  }
  vec3_t n = grazing_normal(r, &kiss, time);
  double values[MAX_JOINTS];
  adversary_values_at(&motion, time, values);
  rigid_t pa = adversary_link_pose(robot, robot->joint_count, values);
  rigid_t pb = adversary_link_pose(robot, robot->other, values);
  mat3_t turn = mat3_tmul(&pa.rotation, &pb.rotation);   // from B's link to A's
  kiss.local = vec3_add(arm, adversary_farthest(&a, mat3_mul_vec(&turn, n)));
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
    shape_t b = adversary_make_shape(
      r, kind >= 9u ? VOUCH_SHAPE_BOX : (vouch_shape_kind_t)(VOUCH_SHAPE_BOX + (int)kind),
      robot->scale * magnitude(r, -1.5, 0.0));
    adversary_turn_at_random(r, &b);
    vec3_t touch = vec3_scale(adversary_farthest(&b, vec3_neg(n)), 1.0 - share);
    hold(&robot->cell, "b", robot->other, &b, vec3_sub(point, touch));
    out.gap = -share * b.inner;
  }
  adversary_use_motion(&robot->cell, &motion);
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

/// The obstacle whose flat top lies in z = 0, and contains the disc of radius `inner` there. To be entered
/// it must have an inside: its triangles, or a plane, would be left on the other side.
static double flat_top(
  test_random_t * r, robot_t * robot, double size, double thinnest, bool entered)
{
  uint32_t kind = test_random_below(r, 7);
  if (entered) {
    kind = kind == 4u ? 0 : kind == 5u ? 6 : kind;
  }
  if (kind >= 5u) {
    vouch_shape_t plane = {.kind = kind == 5u ? VOUCH_SHAPE_PLANE : VOUCH_SHAPE_HALFSPACE,
      .plane = {0, 0, 1, 0}};
    cell_add(&robot->cell, "b", plane, vouch_pose_identity());
    return size;
  }
  shape_t b = adversary_make_shape(r, FLAT[kind], size);
  if (FLAT[kind] == VOUCH_SHAPE_BOX && test_random_below(r, 2) == 0) {
    b.shape.size[2] = thinnest;   // a plate
  }
  double inner = fmin(b.inner, 0.2 * size);
  cell_add(&robot->cell, "b", adversary_shape_of(&b), cell_at(0, 0, -adversary_half_height(&b)));
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
  shape_t a = adversary_make_shape(r, adversary_any_kind(r), size);
  adversary_turn_at_random(r, &a);
  out.gap = fmax(out.gap, -0.5 * a.inner);   // not wholly behind a thin plane
  out.may_touch = test_random_below(r, 3) == 0;
  double deep = fmin(0.02 * fmin(scale, a.inner), 0.04);
  double inner = flat_top(
    r, robot, scale * uniform(r, 0.2, 1.0),
    fmax(fmax(1e-4, fabs(out.gap) * 2.0), out.may_touch ? 8.0 * deep : 0.0), out.may_touch);
  if (out.may_touch) {   // as deep as that and less `gap` is allowed
    deep = fmin(deep, 0.1 * inner);
    out.gap = fmax(fmin(out.gap, 0.9 * deep), -deep);
    out.options.margin_m = 0.0;
    margin = -deep;
  }
  vec3_t low = adversary_farthest(&a, vec3(0, 0, -1));
  double aside = 0.5 * inner * uniform(r, -1.0, 1.0);
  hold(
    &robot->cell, "a", robot->joint_count, &a,
    vec3(-low.x, aside - low.y, out.gap + margin - low.z));
  if (out.may_touch &&
    vouch_scene_set_pair_margin(robot->cell.scene, "a", "b", margin) != VOUCH_RET_OK)
  {
    abort();
  }
  double length = scale * uniform(r, 1.0, 3.0),
    k = robot->joints[robot->joint_count - 1].multiplier;
  k = robot->joint_count > 1 ? k : 1.0;
  motion_t motion = adversary_sweep(r, -length / k, length / k * uniform(r, 0.5, 1.0));
  adversary_use_motion(&robot->cell, &motion);
  return out;
}

static case_t swing_case(test_random_t * r, robot_t * robot)
{
  case_t out = {.family = ADVERSARY_SWING, .options = random_options(r)};
  double scale = robot->scale;
  out.gap = random_gap(r, scale);
  shape_t a = adversary_make_shape(r, adversary_any_kind(r), scale * uniform(r, 0.05, 0.5));
  vec3_t at = vec3(0, 0, 0), tip;
  if (a.shape.kind == VOUCH_SHAPE_CYLINDER || a.shape.kind == VOUCH_SHAPE_CONE ||
    a.shape.kind == VOUCH_SHAPE_ELLIPSOID)
  {
    /* Coaxial. */
    bool wide = a.shape.kind == VOUCH_SHAPE_ELLIPSOID && a.shape.size[1] > a.shape.size[0];
    double z = a.shape.kind == VOUCH_SHAPE_ELLIPSOID ? 0.0 : -0.5 * a.shape.size[1];
    tip = wide ? vec3(0, a.shape.size[1], z) : vec3(a.shape.size[0], 0, z);
  } else {
    adversary_turn_at_random(r, &a);
    at = vec3_scale(adversary_random_unit(r), scale * uniform(r, 0.0, 1.0));
    tip = adversary_farthest_from_axis(&a, at);
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
  motion_t motion = adversary_sweep(r, from / k, to / k);
  adversary_use_motion(&robot->cell, &motion);
  return out;
}

/// A ball moves towards a wall, which may grow; margin, tolerance and growth leave `gap`.
static case_t approach_case(test_random_t * r, robot_t * robot)
{
  case_t out = {.family = ADVERSARY_APPROACH, .options = random_options(r)};
  double scale = robot->scale, radius = scale * uniform(r, 0.05, 0.5);
  out.gap = random_gap(r, scale);
  out.options.margin_m = fmin(scale * magnitude(r, -4.0, -1.0), 500.0);
  shape_t a = adversary_make_shape(r, VOUCH_SHAPE_SPHERE, radius);
  radius = a.shape.size[0];
  bool revolute = robot->joints[0].revolute;
  double k = robot->joint_count > 1 ? robot->joints[1].multiplier : 1.0;
  double end, lever = scale * uniform(r, 0.2, 1.0), reached;
  motion_t motion = {.degree = 1, .count = 2, .width = 1};
  /* The wall grows until the ball is there, a second later. */
  out.grows = test_random_below(r, 3) == 0;
  double grown = out.grows ? fmin(scale * magnitude(r, -4.0, 0.0), 500.0) : 0.0;
  if (revolute) {
    double angle = uniform(r, 0.1, 0.5), delta = magnitude(r, -4.0, -1.0);
    out.options.tolerance_rad = delta / fabs(k);
    end = angle;
    reached = lever * sin(angle + delta) + radius;
    hold(&robot->cell, "a", robot->joint_count, &a, vec3(lever, 0, 0));
    double face = reached + out.options.margin_m + grown + out.gap;
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
    double face = reached + out.options.margin_m + grown + out.gap;
    cell_add(&robot->cell, "b", cell_box(scale, scale, scale), cell_at(face + 0.5 * scale, 0, 0));
    motion.p[0][0] = -lever / k;
  }
  motion.p[1][0] = end / k;
  if (out.grows) {
    motion.degree = 3;   // with times; at rest at both ends
    if (vouch_scene_set_growth(robot->cell.scene, "b", grown) != VOUCH_RET_OK) {
      abort();
    }
  }
  adversary_use_motion(&robot->cell, &motion);
  return out;
}

/* ---- random problems ---- */

static uint32_t random_obstacles(test_random_t * r, robot_t * robot)
{
  uint32_t count = 1 + test_random_below(r, 5);
  for (uint32_t i = 0; i < count; i++) {
    char id[16];
    snprintf(id, sizeof(id), "o%u", i);
    vec3_t at = vec3_scale(adversary_random_unit(r), robot->scale * uniform(r, 0.3, 3.0));
    if (test_random_below(r, 12) == 0) {
      vec3_t n = adversary_random_unit(r);
      vouch_shape_t plane = {.plane = {n.x, n.y, n.z, robot->scale * uniform(r, 1.0, 4.0)},
        .kind = test_random_below(r, 2) ? VOUCH_SHAPE_PLANE : VOUCH_SHAPE_HALFSPACE};
      cell_add(&robot->cell, id, plane, vouch_pose_identity());
      continue;
    }
    shape_t shape =
      adversary_make_shape(r, adversary_any_kind(r), robot->scale * magnitude(r, -1.5, -0.2));
    adversary_turn_at_random(r, &shape);
    cell_add(&robot->cell, id, adversary_shape_of(&shape), pose_of(&shape, at));
  }
  return count;
}

/// Some obstacles are not checked against what is held, others have a padding: the tree over all of
/// them has skips, and pairs of their own for some.
static void random_exceptions(test_random_t * r, robot_t * robot, uint32_t obstacles)
{
  vouch_scene_t * scene = robot->cell.scene;
  for (uint32_t i = 0; i < obstacles; i++) {
    char id[16];
    vouch_ret_t ret = VOUCH_RET_OK;
    snprintf(id, sizeof(id), "o%u", i);
    if (test_random_below(r, 3) == 0) {
      const bool b = robot->other > 0 && test_random_below(r, 2);
      ret = vouch_scene_allow_pair(scene, b ? "b" : "a", id, true);
    } else if (test_random_below(r, 4) == 0) {
      ret =
        vouch_scene_set_padding(scene, id, fmin(robot->scale * magnitude(r, -5.0, -2.0), 500.0));
    }
    if (ret != VOUCH_RET_OK) {
      abort();
    }
  }
}

cell_t adversary_problem(test_random_t * r, vouch_check_options_t * options)
{
  robot_t robot;
  adversary_random_robot(r, SCALES[test_random_below(r, 7)], &robot);
  *options = random_options(r);
  options->deadline_s = 0.0;
  options->first_contact = false;
  options->max_depth = 12;
  shape_t a =
    adversary_make_shape(r, adversary_any_kind(r), robot.scale * magnitude(r, -1.5, -0.5));
  adversary_turn_at_random(r, &a);
  vec3_t arm = vec3_scale(adversary_random_unit(r), robot.scale * uniform(r, 0.0, 0.5));
  hold(&robot.cell, "a", robot.joint_count, &a, arm);
  if (robot.other > 0) {
    shape_t b = adversary_make_shape(
      r, adversary_any_kind(r), robot.scale * magnitude(
        r, -1.5,
        -0.5));
    adversary_turn_at_random(r, &b);
    arm = vec3_scale(adversary_random_unit(r), robot.scale * uniform(r, 0.0, 0.5));
    hold(&robot.cell, "b", robot.other, &b, arm);
  }
  const uint32_t obstacles = random_obstacles(r, &robot);
  if (test_random_below(r, 3) == 0) {
    options->margin_m = fmin(robot.scale * magnitude(r, -5.0, -1.5), 500.0);
    options->tolerance_rad = magnitude(r, -6.0, -2.0);
    options->tolerance_m = robot.scale * magnitude(r, -6.0, -2.0);
  }
  motion_t motion = adversary_random_motion(r, &robot);
  adversary_use_motion(&robot.cell, &motion);
  if (test_random_below(r, 2)) {
    random_exceptions(r, &robot, obstacles);
  }
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
    adversary_random_robot(r, SCALES[test_random_below(r, 7)], &robots->chains[i]);
  }
  for (int i = 0; i < 7; i++) {
    const double multipliers[3] = {1.0, -0.5, 3.0};
    adversary_simple_robot(
      SCALES[i], false, multipliers[test_random_below(r, 3)],
      &robots->rails[i]);
    adversary_simple_robot(
      SCALES[i], true, multipliers[test_random_below(r, 3)],
      &robots->turns[i]);
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
  struct vouch_verifier * verifier = vouch_verify_load(problem, sizes[0], &report);
  int code = verifier == NULL ? report.code :
    vouch_verify_check(verifier, certificate, sizes[1], &report);
  free(verifier);
  tally->verified += code == VOUCH_VERIFY_OK;
  tally->refused += code != VOUCH_VERIFY_OK;
  if (code != VOUCH_VERIFY_OK) {
    fprintf(stderr, "not verified: %s\n", report.text);
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
    tally->grown[0] += c.grows;
    tally->grown[1] += c.grows && touch && collision;
    tally->grown[2] += c.grows && !touch && free;
    tally->entered[0] += c.may_touch;
    tally->entered[1] += c.may_touch && !touch;
    tally->entered[2] += c.may_touch && !touch && free;
    if ((touch && free) || ((!touch || c.may_touch) && collision)) {
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
    "  permitted touch %" PRIu64 ", no deeper %" PRIu64 " (FREE %5.1f %%)\n", t->entered[0],
    t->entered[1], 100.0 * (double)t->entered[2] / fmax((double)t->entered[1], 1.0));
  printf(
    "  growing %" PRIu64 " (COLLISION %" PRIu64 ", FREE %" PRIu64 ")\n", t->grown[0], t->grown[1],
    t->grown[2]);
  printf(
    "  certificates verified %" PRIu64 ", not verified %" PRIu64 "\n", t->verified, t->refused);
}
