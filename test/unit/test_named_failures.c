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

/* What others are known to get wrong, one test each: motions that cast hulls, waypoint checks and
 * step-by-step distance queries miss or cannot finish. Truth by closed form.
 * [L1] [L2] [L3] [L5] [L8] */

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/cell.h"

#define PI 3.14159265358979323846

#define LINK(name) "<link name='" name "'/>"
#define JOINT(name, type, parent, child, axis) \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" \
  "<axis xyz='" axis "'/><limit lower='-100' upper='100' effort='1' velocity='1'/></joint>"

static const char RAIL[] =
  "<robot name='rail'>" LINK("base") LINK("car") JOINT("x", "prismatic", "base", "car", "1 0 0")
  "</robot>";
static const char SWING[] =
  "<robot name='swing'>" LINK("base") LINK("arm") JOINT(
  "turn", "continuous", "base", "arm",
  "0 0 1")
  "</robot>";
/* Two prongs on one turning hand; the second can slide up, and never does. */
static const char FORK[] =
  "<robot name='fork'>" LINK("base") LINK("hand")
  "<link name='low'><collision><origin xyz='0.5 0 0'/><geometry><box size='1 0.1 0.04'/></geometry>"
  "</collision></link>"
  "<link name='high'><collision><origin xyz='0.5 0 0.06'/><geometry><box size='1 0.1 0.04'/>"
  "</geometry></collision></link>"
  JOINT("turn", "continuous", "base", "hand", "0 0 1") JOINT(
  "tilt", "revolute", "hand", "low",
  "0 1 0")
  JOINT("lift", "prismatic", "low", "high", "0 0 1") "</robot>";
static const char ELBOW[] =
  "<robot name='elbow'>" LINK("base")
  "<link name='upper'><collision><origin xyz='0.5 0 0'/><geometry><box size='1 0.1 0.1'/></geometry>"
  "</collision></link>"
  "<link name='lower'><collision><origin xyz='0.5 0 0'/><geometry><box size='1 0.1 0.1'/></geometry>"
  "</collision></link>"
  JOINT("shoulder", "continuous", "base", "upper", "0 0 1")
  "<joint name='elbow' type='continuous'><origin xyz='1 0 0'/><parent link='upper'/>"
  "<child link='lower'/><axis xyz='0 0 1'/></joint></robot>";
static const char ALL_PAIRS[] = "<robot name='fork'/>";

static const char * reason(const vouch_result_t * result)
{
  return result->open_count > 0 ? vouch_open_reason_name(result->open[0].reason) : "nothing";
}

/* ---- named failures ---- */

/* [K-FK] The tip of the arm runs over a half circle; the straight line between its ends misses
 * the plate by 0.4 m. The arm is 1 m long and 2 cm wide, the plate stands at angle pi/2 from 0.9
 * m on. */
static void an_arm_that_swings_half_a_turn_hits_the_plate_in_between(void ** state)
{
  (void)state;
  cell_t cell = cell_open(SWING, NULL);
  cell_hold(&cell, "rod", "arm", cell_box(1.0, 0.02, 0.02), cell_at(0.5, 0, 0));
  cell_add(&cell, "plate", cell_box(0.002, 0.5, 0.5), cell_at(0, 1.15, 0));
  const double turn[2] = {0.0, PI};
  cell_path(&cell, turn, 2);
  vouch_result_t result = cell_check(&cell, NULL);
  assert_int_equal(result.verdict, VOUCH_COLLISION);
  /* The side of the rod, 1 cm from its axis, meets the plate's edge at (0.001, 0.9). */
  double angle = acos(0.01 / hypot(0.9, 0.001)) - atan2(0.001, 0.9);
  assert_true(result.first_collision.time_s >= angle / PI - 1e-9);
  assert_true(result.first_collision.time_s <= angle / PI + 2e-6);
  assert_true(result.first_collision.free_until_s <= angle / PI + 1e-9);
  assert_true(result.first_collision.time_s - result.first_collision.free_until_s <= 1e-6);
  /* A plate that begins where the arm ends is not hit. */
  cell_clear(&cell);
  cell_hold(&cell, "rod", "arm", cell_box(1.0, 0.02, 0.02), cell_at(0.5, 0, 0));
  cell_add(&cell, "plate", cell_box(0.002, 0.5, 0.5), cell_at(0, 1.0001 + 0.25, 0));
  assert_int_equal(cell_check(&cell, NULL).verdict, VOUCH_FREE);
  cell_close(&cell);
}

/* Hulls over the swept prongs overlap; the prongs are never less than 2 cm apart. */
static void two_links_that_stay_two_centimetres_apart_are_free(void ** state)
{
  (void)state;
  cell_t cell = cell_open(FORK, ALL_PAIRS);
  const double swing[2][3] = {{0.0, -1.0, 0.0}, {PI, 1.0, 0.0}};
  cell_path(&cell, swing[0], 2);
  vouch_check_options_t options = cell_options();
  options.clearance = true;
  vouch_result_t result = cell_check(&cell, &options);
  assert_int_equal(result.verdict, VOUCH_FREE);
  assert_true(result.clearance.valid);
  assert_true(result.clearance.lower_m <= 0.02 && result.clearance.lower_m >= 0.02 - 1.01e-4);
  assert_true(result.clearance.upper_m >= 0.02 - 1e-9 && result.clearance.upper_m <= 0.02 + 1e-4);
  /* And with the second prong 2.1 cm lower they overlap all the time. */
  const double closed[2][3] = {{0.0, -1.0, -0.021}, {PI, 1.0, -0.021}};
  cell_path(&cell, closed[0], 2);
  assert_int_equal(cell_check(&cell, NULL).verdict, VOUCH_COLLISION);
  cell_close(&cell);
}

static void a_thin_plate_between_waypoints_is_hit(void ** state)
{
  (void)state;
  cell_t cell = cell_open(RAIL, NULL);
  cell_hold(&cell, "ball", "car", cell_sphere(1e-3), cell_at(0, 0, 0));
  cell_add(&cell, "plate", cell_box(1e-4, 1, 1), cell_at(0.123456, 0, 0));
  const double path[3] = {-10.0, 10.0, 20.0};
  cell_path(&cell, path, 3);
  vouch_result_t result = cell_check(&cell, NULL);
  double truth = (0.123456 - 5e-5 - 1e-3 + 10.0) / 20.0;
  assert_int_equal(result.verdict, VOUCH_COLLISION);
  assert_true(fabs(result.first_collision.time_s - truth) <= 1.1e-6);
  assert_true(result.first_collision.free_until_s <= truth + 1e-12);
  cell_close(&cell);
}

/* Both waypoints at 0; the cubic between them goes to 2. */
static void a_spline_that_overshoots_its_waypoints_is_followed(void ** state)
{
  (void)state;
  cell_t cell = cell_open(RAIL, NULL);
  cell_hold(&cell, "ball", "car", cell_sphere(0.1), cell_at(0, 0, 0));
  const double positions[2] = {0.0, 0.0}, velocities[2] = {8.0, -8.0}, still[2] = {0.0, 0.0};
  for (int far = 0; far < 2; far++) {
    cell_clear(&cell);
    cell_hold(&cell, "ball", "car", cell_sphere(0.1), cell_at(0, 0, 0));
    double face = far ? 2.1 + 1e-6 : 2.1 - 1e-6;
    cell_add(&cell, "wall", cell_box(0.2, 1, 1), cell_at(face + 0.1, 0, 0));
    cell_spline(&cell, positions, velocities, NULL, 2);
    vouch_verdict_t verdict = cell_check(&cell, NULL).verdict;
    assert_int_equal(verdict, far ? VOUCH_FREE : VOUCH_COLLISION);
    /* Quintic: with the accelerations 0 at both ends it goes to 2.5. */
    cell_spline(&cell, positions, velocities, still, 2);
    assert_int_equal(cell_check(&cell, NULL).verdict, VOUCH_COLLISION);
    cell_path(&cell, positions, 2);
    assert_int_equal(cell_check(&cell, NULL).verdict, VOUCH_FREE);
  }
  cell_close(&cell);
}

/* Conservative advancement needs 564,412 steps for this one. */
static void a_sphere_slides_past_a_box_at_one_micrometre_in_few_leaves(void ** state)
{
  (void)state;
  cell_t cell = cell_open(RAIL, NULL);
  const double path[2] = {-5.0, 5.0};
  cell_hold(&cell, "ball", "car", cell_sphere(0.1), cell_at(0, 0, 0.6 + 1e-6));
  cell_add(&cell, "box", cell_box(1, 1, 1), cell_at(0, 0, 0));
  cell_path(&cell, path, 2);
  vouch_result_t result = cell_check(&cell, NULL);
  assert_int_equal(result.verdict, VOUCH_FREE);
  assert_true(result.statistics.leaves <= 50);
  /* One micrometre the other way, and in touch up to rounding. */
  cell_clear(&cell);
  cell_hold(&cell, "ball", "car", cell_sphere(0.1), cell_at(0, 0, 0.6 - 1e-6));
  cell_add(&cell, "box", cell_box(1, 1, 1), cell_at(0, 0, 0));
  assert_int_equal(cell_check(&cell, NULL).verdict, VOUCH_COLLISION);
  cell_clear(&cell);
  cell_hold(&cell, "ball", "car", cell_sphere(0.1), cell_at(0, 0, 0.6));
  cell_add(&cell, "box", cell_box(1, 1, 1), cell_at(0, 0, 0));
  assert_int_not_equal(cell_check(&cell, NULL).verdict, VOUCH_FREE);
  cell_close(&cell);
}

/* A shaft turns about its own axis, ten micrometres from a wall. */
/* Two boxes turn below balls, one millimetre away: the balls' radii are fifty times that, so a
 * distance of the centres that is known to a tenth says nothing. */
static void boxes_turn_below_balls_at_one_millimetre(void ** state)
{
  (void)state;
  cell_t cell = cell_open(ELBOW, NULL);
  double path[10][2];
  for (int i = 0; i < 10; i++) {
    path[i][0] = 2.5 * sin(0.7 * i);
    path[i][1] = 2.5 * cos(0.9 * i);
  }
  for (int far = 0; far < 2; far++) {
    cell_clear(&cell);
    for (int i = 0; i < 441; i++) {
      char id[16];
      snprintf(id, sizeof(id), "ball%d", i);
      cell_add(
        &cell, id, cell_sphere(0.05),
        cell_at(0.2 * (i % 21) - 2.0, 0.2 * (i / 21) - 2.0, far ? 0.101 : 0.0995));
    }
    cell_path(&cell, path[0], 10);
    vouch_result_t result = cell_check(&cell, NULL);
    assert_string_equal(reason(&result), "nothing");
    assert_int_equal(result.verdict, far ? VOUCH_FREE : VOUCH_COLLISION);
  }
  cell_close(&cell);
}

/* One body slides along a box in touch, which stays open in many intervals; the other one hits a
 * post. What is open for one pair does not hide the contact of the next. */
static void a_pair_that_stays_open_hides_no_contact(void ** state)
{
  (void)state;
  cell_t cell = cell_open(RAIL, NULL);
  const double path[2] = {-0.4, 0.4};
  vouch_check_options_t options = cell_options();
  options.max_depth = 10;
  for (int touching = 0; touching < 2; touching++) {
    cell_clear(&cell);
    for (int i = 0; i < 2; i++) {
      double z = i == touching ? 0.6 : 2.0;
      cell_hold(&cell, i == 0 ? "first" : "second", "car", cell_sphere(0.1), cell_at(0, 0, z));
    }
    cell_add(&cell, "box", cell_box(1, 1, 1), cell_at(0, 0, 0));
    cell_add(&cell, "post", cell_box(0.1, 0.1, 0.5), cell_at(0, 0, 2));
    cell_path(&cell, path, 2);
    assert_int_equal(cell_check(&cell, &options).verdict, VOUCH_COLLISION);
  }
  cell_close(&cell);
}

static void coaxial_rotation_near_contact_is_proved(void ** state)
{
  (void)state;
  cell_t cell = cell_open(SWING, NULL);
  vouch_shape_t shaft = {.kind = VOUCH_SHAPE_CYLINDER, .size = {0.1, 1.0}};
  const double turn[2] = {0.0, 2.0 * PI};
  cell_path(&cell, turn, 2);
  for (int sign = -1; sign <= 1; sign += 2) {
    cell_clear(&cell);
    cell_hold(&cell, "shaft", "arm", shaft, cell_at(0, 0, 0));
    cell_add(&cell, "wall", cell_box(0.2, 1, 1), cell_at(0.2 + sign * 1e-5, 0, 0));
    vouch_verdict_t verdict = cell_check(&cell, NULL).verdict;
    assert_int_equal(verdict, sign > 0 ? VOUCH_FREE : VOUCH_COLLISION);
  }
  cell_close(&cell);
}

static void a_base_on_its_table_is_reported_apart(void ** state)
{
  (void)state;
  static const char stand[] =
    "<robot name='stand'><link name='base'><collision><geometry><box size='1 1 0.2'/></geometry>"
    "</collision></link>" LINK("arm") JOINT(
    "turn", "continuous", "base", "arm",
    "0 0 1") "</robot>";
  cell_t cell = cell_open(stand, NULL);
  const double turn[2] = {0.0, PI};
  cell_hold(&cell, "ball", "arm", cell_sphere(0.1), cell_at(0.5, 0, 1));
  cell_add(&cell, "table", cell_box(3, 3, 0.2), cell_at(0, 0, -0.2));
  cell_path(&cell, turn, 2);
  vouch_result_t result = cell_check(&cell, NULL);
  assert_int_equal(result.verdict, VOUCH_FREE);
  assert_int_equal(result.static_count, 1);
  assert_true(result.statics[0].overlapping);
  cell_close(&cell);
}

/* ---- solids, surfaces ---- */

static void a_body_inside_a_solid_at_the_start_is_a_contact(void ** state)
{
  (void)state;
  cell_t cell = cell_open(RAIL, NULL);
  const double path[2] = {-0.3, 0.3};
  cell_hold(&cell, "ball", "car", cell_sphere(0.1), cell_at(0, 0, 0));
  cell_add(&cell, "cube", cell_cube_mesh(12), cell_at(0, 0, 0));
  cell_path(&cell, path, 2);
  vouch_result_t result = cell_check(&cell, NULL);
  assert_int_equal(result.verdict, VOUCH_COLLISION);
  assert_true(result.first_collision.time_s == 0.0);
  /* The other way round: the moving cube holds the ball. */
  cell_clear(&cell);
  cell_add(&cell, "ball", cell_sphere(0.1), cell_at(0, 0, 0));
  cell_hold(&cell, "cube", "car", cell_cube_mesh(12), cell_at(0, 0, 0));
  assert_int_equal(cell_check(&cell, NULL).verdict, VOUCH_COLLISION);
  cell_close(&cell);
}

static void a_body_inside_an_open_surface_is_undecided_unless_asked_for(void ** state)
{
  (void)state;
  cell_t cell = cell_open(RAIL, NULL);
  const double path[2] = {-0.3, 0.3};
  cell_hold(&cell, "ball", "car", cell_sphere(0.1), cell_at(0, 0, 0));
  cell_add(&cell, "open", cell_cube_mesh(10), cell_at(0, 0, 0));
  cell_path(&cell, path, 2);
  vouch_result_t result = cell_check(&cell, NULL);
  assert_int_equal(result.verdict, VOUCH_UNDECIDED);
  assert_string_equal(reason(&result), "surface");
  vouch_scene_options_t options = vouch_scene_options_default();
  options.surfaces = true;
  vouch_scene_destroy(cell.scene);
  assert_int_equal(vouch_scene_create(&cell.scene, cell.robot, &options), VOUCH_RET_OK);
  cell_hold(&cell, "ball", "car", cell_sphere(0.1), cell_at(0, 0, 0));
  cell_add(&cell, "open", cell_cube_mesh(10), cell_at(0, 0, 0));
  assert_int_equal(cell_check(&cell, NULL).verdict, VOUCH_FREE);
  cell_close(&cell);
}

/* ---- margins, tolerances, budgets ---- */

/* The ball passes the wall at 5 mm. */
static cell_t passing(void)
{
  cell_t cell = cell_open(RAIL, NULL);
  const double path[2] = {-1.0, 1.0};
  cell_hold(&cell, "ball", "car", cell_sphere(0.1), cell_at(0, 0, 0));
  cell_add(&cell, "wall", cell_box(1, 1, 1), cell_at(0, 0, 0.605));
  cell_path(&cell, path, 2);
  return cell;
}

static void margins_decide_between_free_and_too_near(void ** state)
{
  (void)state;
  cell_t cell = passing();
  vouch_check_options_t options = cell_options();
  options.margin_m = 0.004999;
  assert_int_equal(cell_check(&cell, &options).verdict, VOUCH_FREE);
  options.margin_m = 0.005001;
  vouch_result_t result = cell_check(&cell, &options);
  assert_int_equal(result.verdict, VOUCH_COLLISION);
  assert_int_equal(result.first_collision.kind, VOUCH_CONTACT_MARGIN);
  assert_int_equal(vouch_scene_set_padding(cell.scene, "wall", 0.003), VOUCH_RET_OK);
  options.margin_m = 0.0021;
  assert_int_equal(cell_check(&cell, &options).verdict, VOUCH_COLLISION);
  options.margin_m = 0.0019;
  assert_int_equal(cell_check(&cell, &options).verdict, VOUCH_FREE);
  cell_close(&cell);
}

static void tolerances_are_proved_or_stay_open(void ** state)
{
  (void)state;
  cell_t cell = passing();
  const double across[2] = {-1.0, 0.2};
  vouch_check_options_t options = cell_options();
  options.tolerance_m = 1.0;   // along the rail: the wall is above it, but the bound does not know
  vouch_result_t result = cell_check(&cell, &options);
  assert_int_equal(result.verdict, VOUCH_UNDECIDED);
  assert_string_equal(reason(&result), "tolerance");
  cell_clear(&cell);
  cell_hold(&cell, "ball", "car", cell_sphere(0.1), cell_at(0, 0, 0));
  cell_add(&cell, "wall", cell_box(0.2, 1, 1), cell_at(0.4 + 0.01, 0, 0));
  cell_path(&cell, across, 2);   // stops 1 cm before it
  options.tolerance_m = 0.00999;
  assert_int_equal(cell_check(&cell, &options).verdict, VOUCH_FREE);
  options.tolerance_m = 0.01001;
  result = cell_check(&cell, &options);
  assert_int_equal(result.verdict, VOUCH_UNDECIDED);
  options.tolerance_m = 0.005;
  options.margin_m = 0.00501;
  assert_int_equal(cell_check(&cell, &options).verdict, VOUCH_UNDECIDED);
  options.margin_m = 0.00499;
  assert_int_equal(cell_check(&cell, &options).verdict, VOUCH_FREE);
  cell_close(&cell);
}

/* A tolerance of the turn counts with the arm's length; a mimic joint's with its multiplier. */
static void tolerances_count_with_the_lever_and_the_multiplier(void ** state)
{
  (void)state;
  static const char mimic[] =
    "<robot name='mimic'>" LINK("base") LINK("arm") LINK("car")
    JOINT("turn", "revolute", "base", "arm", "0 0 1")
    "<joint name='x' type='prismatic'><parent link='base'/><child link='car'/><axis xyz='1 0 0'/>"
    "<limit lower='-9' upper='9' effort='1' velocity='1'/>"
    "<mimic joint='turn' multiplier='-3' offset='0'/></joint></robot>";
  cell_t cell = cell_open(mimic, NULL);
  const double rest[2] = {0.0, 0.0};
  vouch_check_options_t options = cell_options();
  cell_path(&cell, rest, 2);
  for (int far = 0; far < 2; far++) {
    cell_clear(&cell);
    cell_hold(&cell, "ball", "arm", cell_sphere(0.01), cell_at(2, 0, 0));
    cell_add(&cell, "wall", cell_box(1, 0.2, 1), cell_at(2, 0.11 + 0.02, 0));
    options.tolerance_rad = far ? 0.00995 : 0.01005;   // 2.01 m of lever for 20 mm
    assert_int_equal(
      cell_check(&cell, &options).verdict, far ? VOUCH_FREE : VOUCH_UNDECIDED);
    cell_clear(&cell);
    cell_hold(&cell, "ball", "car", cell_sphere(0.01), cell_at(0, 0, 0));
    cell_add(&cell, "wall", cell_box(0.2, 1, 1), cell_at(0.11 + 0.03, 0, 0));
    assert_int_equal(
      cell_check(&cell, &options).verdict, far ? VOUCH_FREE : VOUCH_UNDECIDED);
  }
  cell_close(&cell);
}

static void a_deadline_that_is_over_leaves_everything_open(void ** state)
{
  (void)state;
  cell_t cell = passing();
  vouch_check_options_t options = cell_options();
  options.deadline_s = 1e-9;
  const double path[2] = {-1000.0, 1000.0};
  cell_path(&cell, path, 2);
  cell_clear(&cell);
  cell_hold(&cell, "ball", "car", cell_sphere(0.1), cell_at(0, 0, 0));
  vouch_shape_t blob = {.kind = VOUCH_SHAPE_ELLIPSOID, .size = {1.0, 0.7, 0.3}};
  const double axis[3] = {0.6, 0.8, 0.0};
  cell_add(&cell, "blob", blob, cell_turned(0, 0.7, 0.33, axis, 0.4));
  vouch_result_t result = cell_check(&cell, &options);
  assert_int_equal(result.verdict, VOUCH_UNDECIDED);
  assert_string_equal(reason(&result), "deadline");
  assert_true(result.free_until_s == 0.0);
  cell_close(&cell);
}

static void a_depth_that_is_too_small_is_undecided(void ** state)
{
  (void)state;
  cell_t cell = cell_open(SWING, NULL);
  cell_hold(&cell, "rod", "arm", cell_box(1.0, 0.02, 0.02), cell_at(0.5, 0, 0));
  cell_add(&cell, "plate", cell_box(0.002, 0.5, 0.5), cell_at(0, 1.0001 + 0.25, 0));
  const double turn[2] = {0.0, PI};
  cell_path(&cell, turn, 2);
  vouch_check_options_t options = cell_options();
  options.max_depth = 2;
  vouch_result_t result = cell_check(&cell, &options);
  assert_int_equal(result.verdict, VOUCH_UNDECIDED);
  assert_string_equal(reason(&result), "depth");
  cell_close(&cell);
}

static void nothing_to_check_is_not_free(void ** state)
{
  (void)state;
  cell_t cell = cell_open(RAIL, NULL);
  const double path[2] = {-1.0, 1.0};
  cell_path(&cell, path, 2);
  assert_int_equal(cell_check(&cell, NULL).verdict, VOUCH_UNDECIDED);
  cell_close(&cell);
}

/* ---- numbers that are none ---- */

static void numbers_that_are_none_are_invalid(void ** state)
{
  (void)state;
  const double bad[3] = {NAN, INFINITY, -INFINITY};
  cell_t cell = passing();
  assert_int_equal(cell_check(&cell, NULL).verdict, VOUCH_FREE);
  for (int i = 0; i < 3; i++) {
    vouch_result_t result;
    const double good = 0.5;
    assert_int_equal(
      vouch_check_motion(cell.checker, &bad[i], &good, &result), VOUCH_RET_INVALID);
    assert_int_not_equal(result.verdict, VOUCH_FREE);
    assert_int_equal(
      vouch_check_motion(cell.checker, &good, &bad[i], &result), VOUCH_RET_INVALID);
    assert_int_not_equal(result.verdict, VOUCH_FREE);
    vouch_check_options_t options[5];
    for (int k = 0; k < 5; k++) {
      options[k] = cell_options();
    }
    vouch_joint_tolerance_t tolerance = {"x", bad[i]};
    options[0].margin_m = options[1].tolerance_m = options[2].tolerance_rad = bad[i];
    options[3].deadline_s = bad[i];
    options[4].tolerances = &tolerance;
    options[4].tolerance_count = 1;
    for (int k = 0; k < 5; k++) {
      vouch_checker_t * checker;
      assert_int_equal(
        vouch_checker_create(&checker, cell.scene, &options[k]), VOUCH_RET_INVALID);
      assert_null(checker);
    }
    vouch_shape_t box = cell_box(1, bad[i], 1), fine = cell_box(1, 1, 1);
    vouch_pose_t identity = vouch_pose_identity(), away = cell_at(0, bad[i], 0);
    assert_int_equal(
      vouch_scene_add_object(cell.scene, "bad", NULL, &identity, &box, &identity, 1),
      VOUCH_RET_INVALID);
    assert_int_equal(
      vouch_scene_add_object(cell.scene, "bad", NULL, &away, &fine, &identity, 1),
      VOUCH_RET_INVALID);
    assert_int_equal(
      vouch_scene_add_object(cell.scene, "bad", NULL, &identity, &fine, &away, 1),
      VOUCH_RET_INVALID);
    assert_int_equal(vouch_scene_set_padding(cell.scene, "wall", bad[i]), VOUCH_RET_INVALID);
  }
  cell_close(&cell);
}

static void a_foreign_rounding_mode_is_refused(void ** state)
{
  (void)state;
  cell_t cell = passing();
  vouch_result_t result = cell_check(&cell, NULL);
  assert_int_equal(result.verdict, VOUCH_FREE);
  const int modes[3] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (int i = 0; i < 3; i++) {
    fesetround(modes[i]);
    vouch_ret_t ret = vouch_check(cell.checker, cell.motion, &result);
    fesetround(FE_TONEAREST);
    assert_int_equal(ret, VOUCH_RET_FP_ENVIRONMENT);
    assert_int_not_equal(result.verdict, VOUCH_FREE);
  }
  cell_close(&cell);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_arm_that_swings_half_a_turn_hits_the_plate_in_between),
    cmocka_unit_test(two_links_that_stay_two_centimetres_apart_are_free),
    cmocka_unit_test(a_thin_plate_between_waypoints_is_hit),
    cmocka_unit_test(a_spline_that_overshoots_its_waypoints_is_followed),
    cmocka_unit_test(a_sphere_slides_past_a_box_at_one_micrometre_in_few_leaves),
    cmocka_unit_test(boxes_turn_below_balls_at_one_millimetre),
    cmocka_unit_test(a_pair_that_stays_open_hides_no_contact),
    cmocka_unit_test(coaxial_rotation_near_contact_is_proved),
    cmocka_unit_test(a_base_on_its_table_is_reported_apart),
    cmocka_unit_test(a_body_inside_a_solid_at_the_start_is_a_contact),
    cmocka_unit_test(a_body_inside_an_open_surface_is_undecided_unless_asked_for),
    cmocka_unit_test(margins_decide_between_free_and_too_near),
    cmocka_unit_test(tolerances_are_proved_or_stay_open),
    cmocka_unit_test(tolerances_count_with_the_lever_and_the_multiplier),
    cmocka_unit_test(a_deadline_that_is_over_leaves_everything_open),
    cmocka_unit_test(a_depth_that_is_too_small_is_undecided),
    cmocka_unit_test(nothing_to_check_is_not_free),
    cmocka_unit_test(numbers_that_are_none_are_invalid),
    cmocka_unit_test(a_foreign_rounding_mode_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
