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

/* Where one joint moves, the arm is on a screw: the engine's first contact is as narrow as rounding
 * lets one see, holds the closed form, and agrees with the screw method on random motions. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/cell.h"
#include "support/random.h"
#include "support/verified.h"
#include "vouch/rigid.h"

#define PI 3.14159265358979323846
#define NARROW 1e-9

static const char SWING[] =
  "<robot name='swing'><link name='base'/><link name='arm'/>"
  "<joint name='turn' type='continuous'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/>"
  "</joint></robot>";
static const char RAIL[] =
  "<robot name='rail'><link name='base'/><link name='car'/>"
  "<joint name='x' type='prismatic'><parent link='base'/><child link='car'/><axis xyz='1 0 0'/>"
  "<limit lower='-100' upper='100' effort='1' velocity='1'/></joint></robot>";
/* The tool hangs on the wrist; both can turn. */
static const char ELBOW[] =
  "<robot name='elbow'><link name='base'/><link name='arm'/><link name='hand'/>"
  "<joint name='turn' type='continuous'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/>"
  "</joint><joint name='bend' type='continuous'><parent link='arm'/><child link='hand'/>"
  "<origin xyz='1 0 0'/><axis xyz='0 1 0'/></joint></robot>";

/// Narrower than without the screw, and the truth lies inside.
static void holds(const vouch_result_t * result, double truth, double most)
{
  const vouch_contact_t * contact = &result->first_collision;
  assert_int_equal(result->verdict, VOUCH_COLLISION);
  if (!(contact->free_until_s < truth + 1e-14) || !(contact->time_s > truth - 1e-14) ||
    !(contact->time_s - contact->free_until_s <= most))
  {
    fail_msg(
      "[%.17g, %.17g] (%.3g wide) against %.17g", contact->free_until_s, contact->time_s,
      contact->time_s - contact->free_until_s, truth);
  }
}

/* The side of the rod, 1 cm from its axis, meets the plate's edge at (0.001, 0.9). */
static void a_turning_arm_meets_an_edge(void ** state)
{
  (void)state;
  cell_t cell = cell_open(SWING, NULL);
  cell_hold(&cell, "rod", "arm", cell_box(1.0, 0.02, 0.02), cell_at(0.5, 0, 0));
  cell_add(&cell, "plate", cell_box(0.002, 0.5, 0.5), cell_at(0, 1.15, 0));
  const double turn[2] = {0.0, PI};
  cell_path(&cell, turn, 2);
  vouch_check_options_t options = cell_options();
  options.certificate = true;
  vouch_result_t result = cell_check(&cell, &options);
  holds(&result, (acos(0.01 / hypot(0.9, 0.001)) - atan2(0.001, 0.9)) / PI, NARROW);
  test_is_verified(cell.checker);
  cell_close(&cell);
}

static void a_sliding_box_meets_a_corner(void ** state)
{
  (void)state;
  cell_t cell = cell_open(RAIL, NULL);
  cell_hold(&cell, "block", "car", cell_box(0.2, 1.0, 1.0), cell_at(0, 0, 0));
  /* A box on its corner: the lowest x of it is half its diagonal away. */
  vouch_pose_t pose = cell_at(3.0, 0.05, 0.02);
  double half = 0.5 * acos(1.0 / sqrt(3.0));   // about (0, -1, 1)/sqrt(2): (1,1,1) to the x axis
  pose.rotation[1] = -sin(half) / sqrt(2.0);
  pose.rotation[2] = sin(half) / sqrt(2.0);
  pose.rotation[3] = cos(half);
  cell_add(&cell, "cube", cell_box(0.4, 0.4, 0.4), pose);
  const double path[2] = {0.0, 5.0};
  cell_path(&cell, path, 2);
  vouch_result_t result = cell_check(&cell, NULL);
  assert_int_equal(result.verdict, VOUCH_COLLISION);
  const vouch_contact_t * contact = &result.first_collision;
  double reach = 0.0;   // of the cube along -x, from its rotation matrix
  const double * q = pose.rotation;
  reach = 0.2 * (fabs(1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2])) + fabs(2.0 * q[2] * q[3]) +
    fabs(2.0 * q[1] * q[3]));
  holds(&result, (3.0 - reach - 0.1) / 5.0, NARROW);
  assert_true(contact->depth_m < 1e-8);
  cell_close(&cell);
}

/* The joint that moves is next to the other body, seen from either side, and another joint rests. */
static void the_resting_joint_does_not_matter(void ** state)
{
  (void)state;
  cell_t cell = cell_open(ELBOW, NULL);
  cell_hold(&cell, "rod", "hand", cell_box(0.02, 0.02, 0.5), cell_at(0.0, 0, -0.25));
  cell_add(&cell, "block", cell_box(0.3, 0.3, 0.3), cell_at(0.0, 1.0, -0.3));
  const double path[2][2] = {{0.0, 0.0}, {2.0, 0.0}};
  cell_path(&cell, path[0], 2);
  vouch_result_t result = cell_check(&cell, NULL);
  /* The rod hangs at (1, 0) and turns about z; its leading corner (0.99, 0.01) or (1.01, 0.01) meets the
   * plane x = 0.15 or the corner region first: take the earliest of the four corners. */
  double first = INFINITY;
  for (int i = 0; i < 4; i++) {
    double x = i & 1 ? 1.01 : 0.99, y = i & 2 ? 0.01 : -0.01, r = hypot(x, y);
    double angle = acos(0.15 / r) - atan2(y, x);
    double hit = r * sin(angle + atan2(y, x));
    if (hit > 0.85 && hit < 1.15) {
      first = fmin(first, angle);
    }
  }
  holds(&result, first / 2.0, NARROW);
  cell_close(&cell);
}

static vouch_rigid_body_t * box_body(const double size[3], const vouch_pose_t * pose)
{
  static const uint32_t t[12][3] = {
    {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
    {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}
  };
  double v[8][3];
  const double * q = pose->rotation;
  for (int i = 0; i < 8; i++) {
    double p[3], c[3];
    for (int k = 0; k < 3; k++) {
      p[k] = (i >> k & 1 ? 0.5 : -0.5) * size[k];
    }
    for (int k = 0; k < 3; k++) {   // 2 (q x p) of v' = v + w t + q x t
      c[k] = 2.0 * (q[(k + 1) % 3] * p[(k + 2) % 3] - q[(k + 2) % 3] * p[(k + 1) % 3]);
    }
    for (int k = 0; k < 3; k++) {
      v[i][k] = p[k] + q[3] * c[k] + q[(k + 1) % 3] * c[(k + 2) % 3] -
        q[(k + 2) % 3] * c[(k + 1) % 3] + pose->translation[k];
    }
  }
  vouch_rigid_body_t * body = NULL;
  assert_int_equal(
    vouch_rigid_body_create(
      &body, vouch_allocator_default(), (const double(*)[3])v, 8, t, 12), VOUCH_RET_OK);
  return body;
}

typedef struct tally_s
{
  int free, collisions, starts, open, narrow;
} tally_t;

static void compare(
  const vouch_result_t * engine, const vouch_screw_contact_t * screw, uint64_t seed,
  tally_t * tally)
{
  const vouch_contact_t * contact = &engine->first_collision;
  if (engine->verdict == VOUCH_UNDECIDED || screw->verdict == VOUCH_UNDECIDED) {
    tally->open++;
    return;
  }
  if (engine->verdict != screw->verdict) {
    fail_msg(
      "seed %llu: engine %d, screw %d", (unsigned long long)seed, engine->verdict,
      screw->verdict);
  }
  if (engine->verdict == VOUCH_FREE) {
    tally->free++;
    return;
  }
  tally->collisions++;
  /* Two brackets of one number: they overlap, up to the rounding of the two models. */
  if (contact->free_until_s > screw->to + 1e-12 || contact->time_s < screw->from - 1e-12) {
    fail_msg(
      "seed %llu: engine [%.17g, %.17g], screw [%.17g, %.17g]", (unsigned long long)seed,
      contact->free_until_s, contact->time_s, screw->from, screw->to);
  }
  double width = contact->time_s - contact->free_until_s;
  tally->starts += screw->kind == VOUCH_SCREW_START;
  if (screw->kind == VOUCH_SCREW_START ? contact->time_s != 0.0 : width > 1.5e-7) {
    fail_msg(
      "seed %llu: contact at %.17g, %.3g after what is proved", (unsigned long long)seed,
      contact->time_s, width);
  }
  tally->narrow += width <= 2e-8;
}

static void engine_and_screw_agree(void ** state)
{
  (void)state;
  tally_t tally = {0};
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    test_random_t random = {seed};
    bool turning = test_random_below(&random, 3) != 0;
    cell_t cell = cell_open(turning ? SWING : RAIL, NULL);
    double size[2][3], path[2] = {test_random_in(&random, -1, 1), test_random_in(&random, -3, 3)};
    vouch_pose_t pose[2];
    for (int i = 0; i < 2; i++) {
      double n[3], half = test_random_in(&random, -1.5, 1.5);
      test_random_direction(&random, n);
      for (int k = 0; k < 3; k++) {
        size[i][k] = test_random_in(&random, 0.05, 0.8);
        pose[i].translation[k] = test_random_in(&random, -0.9, 0.9);
        pose[i].rotation[k] = n[k] * sin(half);
      }
      pose[i].rotation[3] = cos(half);
    }
    cell_hold(
      &cell, "tool", turning ? "arm" : "car",
      cell_box(size[0][0], size[0][1], size[0][2]), pose[0]);
    cell_add(&cell, "part", cell_box(size[1][0], size[1][1], size[1][2]), pose[1]);
    cell_path(&cell, path, 2);
    vouch_check_options_t options = cell_options();
    options.certificate = seed % 8 == 0;
    vouch_result_t engine = cell_check(&cell, &options);
    if (options.certificate && engine.verdict != VOUCH_UNDECIDED) {
      test_is_verified(cell.checker);
    }

    vouch_rigid_body_t * moving = box_body(size[0], &pose[0]);
    vouch_rigid_body_t * fixed = box_body(size[1], &pose[1]);
    vouch_screw_t screw = {.start = vouch_pose_identity()};
    screw.direction[turning ? 2 : 0] = 1.0;
    double half = 0.5 * path[0];
    screw.start.rotation[2] = turning ? sin(half) : 0.0;
    screw.start.rotation[3] = turning ? cos(half) : 1.0;
    screw.start.translation[0] = turning ? 0.0 : path[0];
    screw.angle = turning ? path[1] - path[0] : 0.0;
    screw.travel = turning ? 0.0 : path[1] - path[0];
    vouch_screw_contact_t contact;
    assert_int_equal(
      vouch_screw_first_contact(moving, fixed, &screw, NULL, &contact), VOUCH_RET_OK);
    compare(&engine, &contact, seed, &tally);
    vouch_rigid_body_destroy(moving);
    vouch_rigid_body_destroy(fixed);
    cell_close(&cell);
  }
  print_message(
    "free %d, collision %d (%d at the start, %d narrower than 2e-8 of the motion), open %d\n",
    tally.free, tally.collisions, tally.starts, tally.narrow, tally.open);
  assert_true(tally.free > 100 && tally.collisions - tally.starts > 200 && tally.open < 60);
  assert_true(10 * tally.narrow > 9 * tally.collisions);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_turning_arm_meets_an_edge),
    cmocka_unit_test(a_sliding_box_meets_a_corner),
    cmocka_unit_test(the_resting_joint_does_not_matter),
    cmocka_unit_test(engine_and_screw_agree)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
