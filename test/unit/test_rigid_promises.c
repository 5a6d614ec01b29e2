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

/* What comes with a verdict, deadlines, what lies between two segments, and input at the edge of
 * what numbers can hold. */

#include "methods/chord_test.h"
#include "unit/test_rigid_fixture.h"

static vouch_rigid_motion_t * new_motion(void)
{
  vouch_rigid_motion_t * motion = NULL;
  require_ok(vouch_rigid_motion_create(&motion, vouch_allocator_default()));
  return motion;
}

static vouch_pose_t at(double x, double y, double z)
{
  vouch_pose_t pose = vouch_pose_identity();
  pose.translation[0] = x;
  pose.translation[1] = y;
  pose.translation[2] = z;
  return pose;
}

static void expect_invalid(vouch_ret_t ret, const char * word)
{
  assert_int_equal(ret, VOUCH_RET_INVALID);
  if (strstr(vouch_error(), word) == NULL) {
    fail_msg("'%s' does not mention '%s'", vouch_error(), word);
  }
}

/// What is charged for rounding and the stated error on a whole segment.
static double charged(
  const rigid_segment_t * segment, const vouch_rigid_body_t * a, const vouch_rigid_body_t * b)
{
  motion_room_t room;
  const vouch_allocator_t allocator = vouch_allocator_default();
  require_ok(motion_room_init(&room, &allocator, segment, 1));
  motion_piece_init(&room.pieces[0], segment);
  double error = chord_rounding(&room.pieces[0], a, b);
  motion_room_fini(&room);
  return error;
}

/* The two points are as far apart as the upper bound says, but for what is charged for rounding, and
 * the bodies are that near then. */
static void closest_points_are_those_of_the_upper_bound(void ** state)
{
  (void)state;
  int nearer = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    fixture_seed(seed);
    vouch_rigid_body_t * a = make_body(0.5), * b = make_body(0.7);
    vouch_rigid_motion_t * motion = make_motion(pick(6), 1.5);
    for (int m = 0; m < 2 && motion != NULL; m++) {
      vouch_rigid_options_t options = vouch_rigid_options_default();
      vouch_rigid_result_t r;
      options.method = (vouch_rigid_method_t)m;
      options.max_tests = 20000;
      options.margin_m = 0.3;
      require_ok(vouch_rigid_check(a, b, motion, &options, &r));
      if (r.clearance_upper_m > 0.0 && r.clearance_upper_m < INFINITY) {
        double stated = 1e-7 + charged(&motion->segments[r.closest_segment], a, b);
        vec3_t apart = vec3_sub(vec3_from(r.closest_a), vec3_from(r.closest_b));
        vouch_affine_t g = vouch_rigid_motion_at(motion, r.closest_segment, r.closest_fraction);
        double distance = truth_distance(a, b, &g, INFINITY);
        if (fabs(vec3_norm(apart) - r.clearance_upper_m) > stated ||
          distance > r.clearance_upper_m + 1e-9)
        {
          fail_msg(
            "seed %llu: upper bound %.17g, points %.17g apart, bodies %.17g",
            (unsigned long long)seed,
            r.clearance_upper_m, vec3_norm(apart), distance);
        }
        nearer += r.margin_only && r.closest_fraction != r.fraction;
      }
      vouch_rigid_result_fini(&r);
    }
    vouch_rigid_motion_destroy(motion);
    vouch_rigid_body_destroy(a);
    vouch_rigid_body_destroy(b);
  }
  assert_true(nearer > 20);
}

/* A stated error joins the upper bound of a start within the margin, as it does everywhere else. */
static void the_stated_error_is_part_of_the_upper_bound(void ** state)
{
  (void)state;
  vouch_rigid_body_t * a = make_box(0.2, 0.2, 0.2), * b = make_box(1.0, 1.0, 1.0);
  vouch_rigid_motion_t * motion = new_motion();
  const vouch_pose_t poses[2] = {at(0.0, 0.0, 0.7), at(0.0, 0.0, 2.0)};
  const double error[2] = {0.0, 0.01};
  require_ok(vouch_rigid_motion_add_samples(motion, 1.0, poses, 2, error));
  vouch_rigid_options_t options = vouch_rigid_options_default();
  vouch_rigid_result_t r;
  options.margin_m = 0.2;
  require_ok(vouch_rigid_check(a, b, motion, &options, &r));
  assert_int_equal(r.verdict, VOUCH_COLLISION);
  assert_true(r.margin_only && r.fraction == 0.0);
  assert_true(r.clearance_upper_m >= 0.11 - 1e-12 && r.clearance_upper_m < 0.1101);
  vouch_rigid_result_fini(&r);
  vouch_rigid_motion_destroy(motion);
  vouch_rigid_body_destroy(a);
  vouch_rigid_body_destroy(b);
}

/// Close along a box of 1 by 1 by 0.5 m, about an axis across.
static const vouch_screw_t along = {
  .start = {{0.0, 0.0, 0.0, 1.0}, {-2.0, 0.0, 0.5}}, .direction = {1.0, 0.1, 0.0}, .angle = 1.0,
  .travel = 4.0
};

/* A deadline that has passed before the first test leaves everything open, by every method. */
static void a_deadline_ends_every_method(void ** state)
{
  (void)state;
  vouch_rigid_body_t * a = make_box(0.4, 0.3, 0.2), * b = make_box(1.0, 1.0, 0.5);
  vouch_rigid_motion_t * motion = new_motion();
  vouch_pose_t places[3] = {at(-2.0, 0.1, 0.4), at(0.0, 0.0, 0.5), at(2.0, -0.1, 0.4)};
  places[1].rotation[2] = 0.6;
  places[1].rotation[3] = 0.8;
  for (int i = 0; i < 2; i++) {
    require_ok(vouch_rigid_motion_add_screw(motion, 1.0, &places[i], &places[i + 1]));
  }
  for (int k = 0; k < 6; k++) {
    vouch_rigid_options_t options = vouch_rigid_options_default();
    vouch_rigid_result_t r;
    vouch_screw_contact_t contact;
    options.method = (vouch_rigid_method_t)(k / 2);
    options.flat = k % 2 == 1;
    require_ok(vouch_rigid_check(a, b, motion, &options, &r));
    assert_int_equal(r.verdict, VOUCH_FREE);
    vouch_rigid_result_fini(&r);
    options.deadline_s = 1e-9;
    require_ok(vouch_rigid_check(a, b, motion, &options, &r));
    assert_int_equal(r.verdict, VOUCH_UNDECIDED);
    assert_int_equal(r.open_count, 2);
    for (size_t i = 0; i < 2; i++) {
      assert_int_equal(r.open[i].segment, i);
      assert_true(r.open[i].from == 0.0 && r.open[i].to == 1.0);
    }
    vouch_rigid_result_fini(&r);
    require_ok(vouch_screw_first_contact(a, b, &along, &options, &contact));
    assert_int_equal(contact.verdict, VOUCH_UNDECIDED);
    assert_true(contact.from < 0.5);
  }
  vouch_rigid_motion_destroy(motion);
  vouch_rigid_body_destroy(a);
  vouch_rigid_body_destroy(b);
}

/* The budget of tests counts where all pairs are tried one by one, too. */
static void a_budget_ends_the_search_of_all_pairs(void ** state)
{
  (void)state;
  vouch_rigid_body_t * a = make_box(0.4, 0.3, 0.2), * b = make_box(1.0, 1.0, 0.5);
  vouch_rigid_options_t options = vouch_rigid_options_default();
  vouch_screw_contact_t contact;
  options.flat = true;
  require_ok(vouch_screw_first_contact(a, b, &along, &options, &contact));
  assert_int_not_equal(contact.verdict, VOUCH_UNDECIDED);
  options.max_tests = 20;
  require_ok(vouch_screw_first_contact(a, b, &along, &options, &contact));
  assert_int_equal(contact.verdict, VOUCH_UNDECIDED);
  assert_true(contact.from == 0.0 && contact.to == 1.0);
  vouch_rigid_body_destroy(a);
  vouch_rigid_body_destroy(b);
}

/// From z = -1 to -4e-7, then from `next` to its side's 1: screws, or affine controls.
static vouch_rigid_motion_t * two_strokes(bool screws, double next)
{
  const double z[4] = {-1.0, -4e-7, next, next > 0.0 ? 1.0 : -1.0};
  vouch_rigid_motion_t * motion = new_motion();
  for (int i = 0; i < 4; i += 2) {
    const vouch_pose_t from = at(0.0, 0.0, z[i]), to = at(0.0, 0.0, z[i + 1]);
    const vouch_affine_t controls[2] = {
      {{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, z[i]}}, {{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, z[i + 1]}}
    };
    require_ok(
      screws ? vouch_rigid_motion_add_screw(motion, 1.0, &from, &to) :
      vouch_rigid_motion_add_bezier(motion, 1.0, 1, NULL, controls));
  }
  return motion;
}

/* Up to a wall, and on from behind it: plate and wall together are thinner than segments may be
 * apart. */
static void nothing_is_jumped_over_between_segments(void ** state)
{
  (void)state;
  vouch_rigid_body_t * plate = make_box(1.0, 1.0, 1e-7), * wall = make_box(2.0, 2.0, 1e-7);
  for (int k = 0; k < 10; k++) {
    /* chord and toleranced with screws and with controls, the screw method with screws */
    bool through = k < 5, screws = k % 5 < 3;
    vouch_rigid_motion_t * motion = two_strokes(screws, through ? 4e-7 : -4e-7);
    vouch_rigid_options_t options = vouch_rigid_options_default();
    vouch_rigid_result_t r;
    options.method = (vouch_rigid_method_t)(k % 5 % 3);
    options.resolution_m = 1e-9;
    require_ok(vouch_rigid_check(plate, wall, motion, &options, &r));
    assert_int_equal(r.verdict, through ? VOUCH_UNDECIDED : VOUCH_FREE);
    if (through) {
      assert_true(r.open_count > 0);
      assert_int_equal(r.open[0].segment, 1);
      assert_true(r.open[0].from == 0.0);
    }
    vouch_rigid_result_fini(&r);
    vouch_rigid_motion_destroy(motion);
  }
  vouch_rigid_body_destroy(plate);
  vouch_rigid_body_destroy(wall);
}

/// y^T J^-1 y by Cramer's rule; J is not singular.
static long double form(long double j[3][3], const long double y[3])
{
  long double determinant = 0.0L, sum = 0.0L;
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      int a = (c + 1) % 3, b = (c + 2) % 3, d = (r + 1) % 3, e = (r + 2) % 3;
      long double cofactor = j[a][d] * j[b][e] - j[a][e] * j[b][d];
      sum += y[r] * cofactor * y[c];
      determinant += r == 0 ? j[c][0] * cofactor : 0.0L;
    }
  }
  return sum / determinant;
}

/* A displacement of norm 1 in the metric of the masses moves x by up to sqrt(1 + y^T J^-1 y), y from
 * their centre, J their inertia. What is charged is not less, also for bodies as thin as foil. */
static void thin_bodies_are_charged_what_their_masses_allow(void ** state)
{
  (void)state;
  fixture_seed(41);
  for (int round = 0; round < 3000; round++) {
    vec3_t p[8];
    double thin[3] = {1.0, pow(10.0, uniform(-1.5, 0.0)), pow(10.0, uniform(-5.0, 0.0))};
    double weights[8];
    vouch_pose_t pose = random_pose(pick(2) ? 100.0 : 1.0);
    rigid_t g = {
      .rotation = mat3_from_quaternion(pose.rotation), .translation = vec3_from(pose.translation)
    };
    long double total = 0.0L, b[3] = {0.0L}, j[3][3] = {{0.0L}};
    for (int i = 0; i < 8; i++) {
      weights[i] = uniform(0.2, 3.0);
      p[i] = rigid_apply(
        &g, vec3(uniform(-1.0, 1.0), thin[1] * uniform(-1.0, 1.0), thin[2] * uniform(-1.0, 1.0)));
      total += weights[i];
      for (int k = 0; k < 3; k++) {
        b[k] += (long double)weights[i] * (&p[i].x)[k];
      }
    }
    for (int k = 0; k < 3; k++) {
      b[k] /= total;
    }
    for (int i = 0; i < 8; i++) {
      for (int k = 0; k < 9; k++) {
        j[k / 3][k % 3] += weights[i] / total * ((&p[i].x)[k / 3] - b[k / 3]) *
          ((&p[i].x)[k % 3] - b[k % 3]);
      }
    }
    metric_t metric;
    assert_true(metric_from_points(&metric, p, weights, 8));
    if (metric.flat) {
      continue;
    }
    assert_true(metric.excess >= 1.0 && metric.excess < 1.001);
    for (int i = 0; i < 8; i++) {
      const long double y[3] = {p[i].x - b[0], p[i].y - b[1], p[i].z - b[2]};
      double truth = (double)sqrtl(1.0L + form(j, y));
      double charged = metric.excess * metric_rho(&metric, p[i]);
      if (!(charged >= truth * (1.0 - 1e-7)) || !(charged <= truth * 1.002)) {
        fail_msg("round %d: %.17g is charged for %.17g", round, charged, truth);
      }
    }
  }
}

static void unknown_methods_are_refused(void ** state)
{
  (void)state;
  vouch_rigid_body_t * box = make_box(1.0, 1.0, 1.0);
  vouch_rigid_motion_t * motion = two_strokes(true, -4e-7);
  for (int k = 0; k < 2; k++) {
    vouch_rigid_options_t options = vouch_rigid_options_default();
    vouch_rigid_result_t r;
    int none = k == 0 ? 3 : 4;
    memcpy(k == 0 ? (void *)&options.method : (void *)&options.ball, &none, sizeof(none));
    expect_invalid(vouch_rigid_check(box, box, motion, &options, &r), "no ");
    assert_int_equal(r.verdict, VOUCH_INVALID);
  }
  vouch_rigid_motion_destroy(motion);
  vouch_rigid_body_destroy(box);
}

/* A motion is all screws or none for the screw method, whatever the first of them meets. */
static void a_later_segment_that_is_no_screw_is_refused(void ** state)
{
  (void)state;
  fixture_seed(3);
  vouch_rigid_body_t * star = make_star(0.4), * box = make_box(1.0, 1.0, 1.0);
  vouch_rigid_motion_t * motion = new_motion();
  const vouch_pose_t from = at(0.0, 0.0, 3.0), to = vouch_pose_identity();
  const vouch_affine_t id = {{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}}, controls[2] = {id, id};
  require_ok(vouch_rigid_motion_add_screw(motion, 1.0, &from, &to));
  require_ok(vouch_rigid_motion_add_bezier(motion, 1.0, 1, NULL, controls));
  vouch_rigid_options_t options = vouch_rigid_options_default();
  vouch_rigid_result_t r;
  options.method = VOUCH_RIGID_SCREW;
  expect_invalid(vouch_rigid_check(star, box, motion, &options, &r), "not a screw");
  vouch_rigid_motion_destroy(motion);
  vouch_rigid_body_destroy(star);
  vouch_rigid_body_destroy(box);
}

/* Weights that would lose bits or overflow in products, and weights that would not be used. */
static void weights_that_cannot_be_kept_are_refused(void ** state)
{
  (void)state;
  const double extremes[4] = {1e-320, 1e-200, 1e200, 1e308};
  const double q[3][4] = {{0, 0, 0, 1}, {0, 0, 0.5, 1}, {0, 0, 0.7, 0.7}};
  const double t[5][3] = {{0, 0, 3}, {1, 0, 3}, {2, 0, 3}, {3, 0, 3}, {4, 0, 3}};
  const vouch_affine_t controls[2] = {
    {{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 3}}, {{1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 3}}
  };
  vouch_rigid_motion_t * motion = new_motion();
  for (int i = 0; i < 4; i++) {
    const double w[2] = {extremes[i], extremes[i]};
    expect_invalid(vouch_rigid_motion_add_bezier(motion, 1.0, 1, w, controls), "weight");
    vouch_quaternion_curve_t curve = {2, q, 1, t, w, false};
    expect_invalid(vouch_rigid_motion_add_quaternions(motion, 1.0, &curve), "weight");
  }
  const double ones[5] = {1.0, 2.0, 1.0, 2.0, 1.0};
  vouch_quaternion_curve_t shared = {2, q, 4, t, ones, true};
  expect_invalid(vouch_rigid_motion_add_quaternions(motion, 1.0, &shared), "shared weights");
  assert_int_equal(vouch_rigid_motion_segment_count(motion), 0);
  vouch_rigid_motion_destroy(motion);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(closest_points_are_those_of_the_upper_bound),
    cmocka_unit_test(the_stated_error_is_part_of_the_upper_bound),
    cmocka_unit_test(a_deadline_ends_every_method),
    cmocka_unit_test(a_budget_ends_the_search_of_all_pairs),
    cmocka_unit_test(nothing_is_jumped_over_between_segments),
    cmocka_unit_test(thin_bodies_are_charged_what_their_masses_allow),
    cmocka_unit_test(unknown_methods_are_refused),
    cmocka_unit_test(a_later_segment_that_is_no_screw_is_refused),
    cmocka_unit_test(weights_that_cannot_be_kept_are_refused)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
