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

/* Cases with a known answer, and input that must be refused. */

#include "unit/test_rigid_fixture.h"

static vouch_rigid_motion_t * new_motion(void)
{
  vouch_rigid_motion_t * motion = NULL;
  require_ok(vouch_rigid_motion_create(&motion, vouch_allocator_default()));
  return motion;
}

static vouch_rigid_motion_t * translation(
  double fx, double fy, double fz, double tx, double ty,
  double tz)
{
  vouch_rigid_motion_t * motion = new_motion();
  vouch_pose_t from = vouch_pose_identity(), to = from;
  from.translation[0] = fx; from.translation[1] = fy; from.translation[2] = fz;
  to.translation[0] = tx; to.translation[1] = ty; to.translation[2] = tz;
  require_ok(vouch_rigid_motion_add_screw(motion, 1.0, &from, &to));
  return motion;
}

static vouch_verdict_t verdict_of(
  const vouch_rigid_body_t * a, const vouch_rigid_body_t * b, const vouch_rigid_motion_t * motion,
  vouch_rigid_method_t method, vouch_rigid_result_t * out)
{
  vouch_rigid_options_t options = vouch_rigid_options_default();
  vouch_rigid_result_t result;
  options.method = method;
  options.threads = 2;
  options.max_tests = 200000;
  require_ok(vouch_rigid_check(a, b, motion, &options, &result));
  if (out != NULL) {
    *out = result;
    out->open = NULL;
  }
  vouch_verdict_t verdict = result.verdict;
  vouch_rigid_result_fini(&result);
  return verdict;
}

/* [C-PLANE] A gap that is not charged what must remain would be free. */
static void a_thin_plate_is_not_jumped_over(void ** state)
{
  (void)state;
  vouch_rigid_body_t * ball = make_star(0.001), * plate = make_box(1.0, 1.0, 1e-4);
  vouch_rigid_motion_t * through = translation(0.1, 0.2, 0.5, 0.1, 0.2, -0.5);
  for (int m = 0; m < 3; m++) {
    vouch_rigid_result_t r;
    assert_int_equal(
      verdict_of(ball, plate, through, (vouch_rigid_method_t)m, &r), VOUCH_COLLISION);
    assert_true(fabs(r.fraction - 0.5) < 0.002);
  }
  vouch_rigid_motion_destroy(through);
  vouch_rigid_body_destroy(ball);
  vouch_rigid_body_destroy(plate);
}

/* [S-INSIDE] Inside without touching: only the start test can tell. */
static void a_body_inside_the_other_is_a_collision_at_zero(void ** state)
{
  (void)state;
  vouch_rigid_body_t * small = make_box(0.1, 0.1, 0.1), * large = make_box(1.0, 1.0, 1.0);
  vouch_rigid_motion_t * inside = translation(0.0, 0.0, 0.0, 0.1, 0.0, 0.0);
  for (int m = 0; m < 3; m++) {
    for (int swap = 0; swap < 2; swap++) {
      vouch_rigid_result_t r;
      assert_int_equal(
        verdict_of(
          swap ? large : small, swap ? small : large, inside, (vouch_rigid_method_t)m, &r),
        VOUCH_COLLISION);
      assert_true(r.fraction == 0.0);
    }
  }
  vouch_rigid_motion_destroy(inside);
  vouch_rigid_body_destroy(small);
  vouch_rigid_body_destroy(large);
}

/* Inside at the start and farther from the surface than the stated error, which yet blurs which
 * side it is: on the way out through a wall no time is free. */
static void a_start_that_is_not_decided_leaves_nothing_free(void ** state)
{
  (void)state;
  fixture_seed(61);
  int undecided = 0;
  vouch_rigid_body_t * a = make_box(0.1, 0.1, 0.1), * b = make_box(1.0, 0.8, 1.0);
  for (int round = 0; round < 200; round++) {
    vouch_pose_t poses[2] = {vouch_pose_identity(), vouch_pose_identity()};
    const double error[2] = {0.0, uniform(0.01, 0.05)};
    for (int k = 0; k < 3; k++) {
      poses[0].translation[k] = uniform(-0.2, 0.2);
      poses[1].translation[k] = uniform(0.2, 1.0);
    }
    vouch_rigid_motion_t * motion = new_motion();
    require_ok(vouch_rigid_motion_add_samples(motion, 1.0, poses, 2, error));
    for (int method = 0; method < 2; method++) {
      vouch_rigid_options_t options = vouch_rigid_options_default();
      vouch_rigid_result_t result;
      options.method = (vouch_rigid_method_t)method;
      options.resolution_m = 1e-2;
      options.max_depth = 12;
      require_ok(vouch_rigid_check(a, b, motion, &options, &result));
      double until = result.verdict == VOUCH_COLLISION ? result.free_until : 1.0;
      for (size_t i = 0; i < result.open_count; i++) {
        until = fmin(until, result.open[i].from);
      }
      assert_true(result.verdict != VOUCH_FREE && until == 0.0);
      undecided += result.verdict == VOUCH_UNDECIDED || result.fraction > 0.0;
      vouch_rigid_result_fini(&result);
    }
    vouch_rigid_motion_destroy(motion);
  }
  assert_true(undecided > 10);
  vouch_rigid_body_destroy(a);
  vouch_rigid_body_destroy(b);
}

static void an_overlapping_start_is_a_collision_at_zero(void ** state)
{
  (void)state;
  vouch_rigid_body_t * a = make_box(0.5, 0.5, 0.5), * b = make_star(1.0);
  vouch_rigid_motion_t * away = translation(0.3, 0.0, 0.0, 5.0, 0.0, 0.0);
  for (int m = 0; m < 3; m++) {
    vouch_rigid_result_t r;
    assert_int_equal(verdict_of(a, b, away, (vouch_rigid_method_t)m, &r), VOUCH_COLLISION);
    assert_true(r.fraction == 0.0);
  }
  vouch_rigid_motion_destroy(away);
  vouch_rigid_body_destroy(a);
  vouch_rigid_body_destroy(b);
}

/* [S-CROSS] A box sliding on another, faces exactly in one plane: neither free nor a collision. */
static void sliding_contact_is_undecided(void ** state)
{
  (void)state;
  vouch_rigid_body_t * a = make_box(0.5, 0.5, 0.5), * b = make_box(1.0, 1.0, 0.5);
  vouch_rigid_motion_t * slide = translation(-0.1, 0.0, 0.5, 0.1, 0.0, 0.5);
  for (int m = 0; m < 3; m++) {
    assert_int_equal(
      verdict_of(a, b, slide, (vouch_rigid_method_t)m, NULL), VOUCH_UNDECIDED);
  }
  vouch_rigid_motion_destroy(slide);
  vouch_rigid_body_destroy(a);
  vouch_rigid_body_destroy(b);
}

/* Boxes moving parallel to each other's faces: f of many edge pairs is 0 at all times. */
static void parallel_boxes_are_decided(void ** state)
{
  (void)state;
  vouch_rigid_body_t * a = make_box(0.5, 0.5, 0.5), * b = make_box(1.0, 1.0, 0.5);
  vouch_rigid_motion_t * past = translation(-2.0, 0.0, 0.5000001, 2.0, 0.0, 0.5000001);
  vouch_rigid_motion_t * wide = translation(-2.0, 0.0, 0.51, 2.0, 0.0, 0.51);
  vouch_rigid_motion_t * into = translation(-2.0, 0.0, 0.4, 2.0, 0.0, 0.4);
  for (int m = 0; m < 3; m++) {
    vouch_rigid_result_t r;
    /* Balls fatten in all directions: they do not resolve a tenth of a micrometre. */
    assert_int_equal(
      verdict_of(a, b, m == VOUCH_RIGID_TOLERANCED ? wide : past, (vouch_rigid_method_t)m, NULL),
      VOUCH_FREE);
    assert_int_equal(verdict_of(a, b, into, (vouch_rigid_method_t)m, &r), VOUCH_COLLISION);
    /* contact of the faces x = -0.25 and x = -0.5: at -0.75 of -2..2 */
    assert_true(r.free_until <= 1.25 / 4.0 + 1e-12 && r.fraction >= 1.25 / 4.0 - 1e-12);
    assert_true(r.fraction - r.free_until < 1e-4);
  }
  vouch_rigid_motion_destroy(past);
  vouch_rigid_motion_destroy(wide);
  vouch_rigid_motion_destroy(into);
  vouch_rigid_body_destroy(a);
  vouch_rigid_body_destroy(b);
}

/* A corner that turns about z and hits the plane x = 0.5: the closed form is asin. */
static void a_turning_corner_hits_at_the_closed_form(void ** state)
{
  (void)state;
  vouch_rigid_body_t * a = make_box(0.2, 0.2, 0.2), * b = make_box(1.0, 8.0, 8.0);
  vouch_screw_t screw = {
    .start = vouch_pose_identity(), .direction = {0.0, 0.0, 2.0}, .angle = 2.0
  };
  screw.start.translation[1] = 1.0;
  screw.start.translation[0] = 1.0;
  vouch_screw_contact_t contact;
  require_ok(vouch_screw_first_contact(a, b, &screw, NULL, &contact));
  assert_int_equal(contact.verdict, VOUCH_COLLISION);
  assert_true(contact.to - contact.from <= 1e-12);
  /* the corner (0.9, 1.1) has radius sqrt(2.02) and the angle atan2(1.1, 0.9); it hits where cos
   * = 0.5/r */
  double r = sqrt(0.81 + 1.21), t = (acos(0.5 / r) - atan2(1.1, 0.9)) / 2.0;
  assert_true(contact.from <= t && t <= contact.to);
  assert_true(contact.normal[0] > 0.999 && fabs(contact.point[0] - 0.5) < 1e-9);
  vouch_rigid_body_destroy(a);
  vouch_rigid_body_destroy(b);
}

static void expect_invalid(vouch_ret_t ret, const char * word)
{
  assert_int_equal(ret, VOUCH_RET_INVALID);
  if (strstr(vouch_error(), word) == NULL) {
    fail_msg("'%s' does not mention '%s'", vouch_error(), word);
  }
}

static void bad_motions_are_refused_with_a_reason(void ** state)
{
  (void)state;
  vouch_rigid_motion_t * motion = new_motion();
  vouch_affine_t id = {{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}};
  vouch_affine_t controls[3] = {id, id, id};
  double weights[3] = {1.0, 0.0, 1.0};
  expect_invalid(vouch_rigid_motion_add_bezier(motion, 1.0, 2, weights, controls), "positive");
  weights[1] = NAN;
  expect_invalid(vouch_rigid_motion_add_bezier(motion, 1.0, 2, weights, controls), "positive");
  weights[1] = 1.0;
  controls[1].m[0] = 0.0;
  expect_invalid(vouch_rigid_motion_add_bezier(motion, 1.0, 2, weights, controls), "singular");
  controls[1].m[0] = NAN;
  assert_int_equal(
    vouch_rigid_motion_add_bezier(motion, 1.0, 2, weights, controls), VOUCH_RET_INVALID);
  /* a half turn about z between affine controls is singular in the middle */
  controls[0] = controls[1] = id;
  controls[1].m[0] = controls[1].m[4] = -1.0;
  expect_invalid(vouch_rigid_motion_add_bezier(motion, 1.0, 1, NULL, controls), "singular");
  vouch_pose_t from = vouch_pose_identity(), to = from;
  to.rotation[3] = 0.0;
  to.rotation[2] = 1.0;
  expect_invalid(vouch_rigid_motion_add_screw(motion, 1.0, &from, &to), "ambiguous");
  to = from;
  to.rotation[3] = 0.9;
  expect_invalid(vouch_rigid_motion_add_screw(motion, 1.0, &from, &to), "length");
  const double q[3][4] = {{0, 0, 0, 1}, {0, 0, 0, 0.0}, {0, 0, 0, -1}}, t[1][3] = {{0, 0, 0}};
  vouch_quaternion_curve_t curve = {2, q, 0, t, NULL, false};
  expect_invalid(vouch_rigid_motion_add_quaternions(motion, 1.0, &curve), "zero");
  to = from;
  to.translation[0] = 1.0;
  require_ok(vouch_rigid_motion_add_screw(motion, 1.0, &from, &to));
  expect_invalid(vouch_rigid_motion_add_screw(motion, 1.0, &from, &to), "begin");
  expect_invalid(vouch_rigid_motion_add_screw(motion, 0.0, &to, &from), "duration");
  assert_int_equal(vouch_rigid_motion_segment_count(motion), 1);
  vouch_rigid_motion_destroy(motion);
}

static void bad_bodies_and_options_are_refused(void ** state)
{
  (void)state;
  vouch_rigid_body_t * body = NULL, * box = make_box(1.0, 1.0, 1.0);
  const double v[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const double same[3][3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  const uint32_t t[1][3] = {{0, 1, 2}};
  assert_int_equal(
    vouch_rigid_body_create(&body, vouch_allocator_default(), v, 3, t, 0), VOUCH_RET_INVALID);
  assert_int_equal(
    vouch_rigid_body_create(&body, vouch_allocator_default(), same, 3, t, 1), VOUCH_RET_INVALID);
  require_ok(vouch_rigid_body_create(&body, vouch_allocator_default(), v, 3, t, 1));
  assert_false(vouch_rigid_body_closed(body));
  vouch_rigid_motion_t * motion = translation(5.0, 0.0, 0.0, 5.0, 1.0, 0.0);
  vouch_rigid_options_t options = vouch_rigid_options_default();
  vouch_rigid_result_t result;
  expect_invalid(vouch_rigid_check(body, box, motion, &options, &result), "open");
  assert_int_equal(result.verdict, VOUCH_INVALID);
  options.surfaces = true;
  require_ok(vouch_rigid_check(body, box, motion, &options, &result));
  assert_int_equal(result.verdict, VOUCH_FREE);
  assert_true(result.flat_mass);
  vouch_rigid_result_fini(&result);
  options.margin_m = NAN;
  expect_invalid(vouch_rigid_check(box, box, motion, &options, &result), "margin");
  options = vouch_rigid_options_default();
  options.struct_size = 8;
  expect_invalid(vouch_rigid_check(box, box, motion, &options, &result), "struct_size");
  options = vouch_rigid_options_default();
  options.method = VOUCH_RIGID_SCREW;
  options.margin_m = 0.1;
  expect_invalid(vouch_rigid_check(box, box, motion, &options, &result), "margin");
  vouch_rigid_motion_t * empty = new_motion();
  options = vouch_rigid_options_default();
  expect_invalid(vouch_rigid_check(box, box, empty, &options, &result), "no segment");
  vouch_rigid_motion_destroy(empty);
  vouch_rigid_motion_destroy(motion);
  vouch_rigid_body_destroy(body);
  vouch_rigid_body_destroy(box);
}

/* The screw between two poses begins and ends there, turns by no more than a half turn and in one
 * sense; also about axes whose components cancel or have a negative sum, for which the sum of cross
 * products in Kim and Rossignac's equation (1) gives nothing, or the opposite axis. */
static void screws_between_poses_join_them(void ** state)
{
  (void)state;
  fixture_seed(51);
  static const double axes[4][3] = {{1, -1, 0}, {1, 1, -2}, {-1, -1, -1}, {-1, 0.2, 0.1}};
  for (int round = 0; round < 4000; round++) {
    vouch_pose_t from = random_pose(1.0), to = random_pose(1.0);
    vec3_t axis = vec3_unit(vec3_from(axes[round % 4]), vec3(0.0, 0.0, 1.0));
    double angle = uniform(-3.1, 3.1), s = sin(0.5 * angle);
    if (round % 8 < 4) {
      const double turn[4] = {s * axis.x, s * axis.y, s * axis.z, cos(0.5 * angle)};
      from.rotation[0] = from.rotation[1] = from.rotation[2] = 0.0;
      from.rotation[3] = 1.0;
      memcpy(to.rotation, turn, sizeof(turn));
    }
    vouch_rigid_motion_t * motion = new_motion();
    if (vouch_rigid_motion_add_screw(motion, 1.0, &from, &to) == VOUCH_RET_OK) {
      const vouch_screw_t * screw = &motion->segments[0].screw;
      const vouch_pose_t * ends[2] = {&from, &to};
      for (int end = 0; end < 2; end++) {
        vouch_affine_t g = vouch_rigid_motion_at(motion, 0, end);
        rigid_t pose = rigid_from_pose(ends[end]);
        vouch_affine_t want = affine_from_rigid(&pose);
        for (int k = 0; k < 12; k++) {
          assert_true(fabs(g.m[k] - want.m[k]) < 1e-9);
        }
      }
      assert_true(fabs(screw->angle) <= 3.14159265358979324);
      if (round % 8 < 4 && fabs(angle) > 0.1) {
        vec3_t found = vec3_scale(vec3_from(screw->direction), screw->angle);
        assert_true(vec3_norm(vec3_sub(found, vec3_scale(axis, angle))) < 1e-9);
      }
    }
    vouch_rigid_motion_destroy(motion);
  }
  /* A half turn can go both ways: refused within 1e-6 rad, not beyond. */
  for (int k = -1; k <= 1; k++) {
    vouch_pose_t from = vouch_pose_identity(), to = from;
    double off = k == 0 ? 5e-7 : 4e-6 * k;
    to.rotation[2] = cos(0.5 * off);
    to.rotation[3] = sin(0.5 * off);
    vouch_rigid_motion_t * motion = new_motion();
    vouch_ret_t ret = vouch_rigid_motion_add_screw(motion, 1.0, &from, &to);
    assert_int_equal(ret, k == 0 ? VOUCH_RET_INVALID : VOUCH_RET_OK);
    vouch_rigid_motion_destroy(motion);
  }
}

/* The axis of a small turn over a long way is too far away: the motion is stored as a translation,
 * and its stated error covers the screw. About z, from (-L/2, 0, 0) to (L/2, 0, 0). */
static void a_turn_that_is_dropped_is_charged(void ** state)
{
  (void)state;
  static const double ways[] = {1.0, 30.0, 500.0}, turns[] = {1e-8, 1e-7, 4e-7};
  double most = 0.0;
  for (int n = 0; n < 9; n++) {
    double way = ways[n / 3], turn = turns[n % 3];
    vouch_pose_t from = vouch_pose_identity(), to = from;
    from.translation[0] = -0.5 * way;
    to.translation[0] = 0.5 * way;
    to.rotation[2] = sin(0.5 * turn);
    to.rotation[3] = cos(0.5 * turn);
    vouch_rigid_motion_t * motion = new_motion();
    require_ok(vouch_rigid_motion_add_screw(motion, 1.0, &from, &to));
    const rigid_segment_t * s = &motion->segments[0];
    assert_true(s->screw.angle == 0.0 && s->error[0] >= 1.4 * turn);
    long double y = 0.5L * (long double)way / tanl(0.5L * (long double)turn);
    for (int i = 0; i <= 16; i++) {
      for (int side = -1; side <= 1; side++) {
        vouch_affine_t g = vouch_rigid_motion_at(motion, 0, i / 16.0);
        vec3_t got = affine_apply(&g, vec3(0.3, 0.5 * side, 0.0));
        /* (dx, dy) about the axis at (0, y) */
        long double a = (long double)turn * (long double)i / 16.0L;
        long double dx = -0.5L * (long double)way + 0.3L, dy = 0.5L * side - y;
        double x_off = got.x - (double)(cosl(a) * dx - sinl(a) * dy);
        double y_off = got.y - (double)(y + sinl(a) * dx + cosl(a) * dy);
        double off = hypot(x_off, y_off),
          bound = s->error[0] * hypot(0.3, 0.5 * side) + s->error[1];
        assert_true(off <= bound + 1e-8);
        most = fmax(most, off / bound);
      }
    }
    vouch_rigid_motion_destroy(motion);
  }
  assert_true(most > 0.3);
}

/* [R-CHAIN] A running sample is inside the chain's bound, and the bound is inside the tolerance. */
static void chains_of_screws_stay_within_their_bound(void ** state)
{
  (void)state;
  fixture_seed(21);
  int chains = 0;
  for (int round = 0; round < 60; round++) {
    vouch_rigid_body_t * body = make_body(0.4);
    vouch_rigid_motion_t * motion = make_motion(2 + pick(2), 1.0), * chain = NULL;
    double tolerance = exp(uniform(-9.0, -2.0)), error;
    if (motion != NULL && motion->count == 1) {
      require_ok(vouch_rigid_motion_to_screws(&chain, motion, body, tolerance, &error));
      assert_true(error <= tolerance * (1.0 + 1e-6) + 1e-9);
      double from = 0.0, worst = 0.0;
      for (size_t s = 0; s < chain->count; s++) {
        double h = chain->segments[s].duration_s;
        for (int i = 0; i <= 10; i++) {
          vouch_affine_t a = vouch_rigid_motion_at(chain, s, i / 10.0);
          vouch_affine_t b = vouch_rigid_motion_at(motion, 0, from + h * i / 10.0);
          for (size_t k = 0; k < body->mesh.vertex_count; k++) {
            vec3_t x = vec3_from(body->mesh.vertices[k]);
            worst = fmax(
              worst, vec3_norm(vec3_sub(affine_apply(&a, x), affine_apply(&b, x))));
          }
        }
        from += h;
      }
      assert_true(worst <= error && error < 1e3 * worst + 1e-8);
      chains++;
    }
    vouch_rigid_motion_destroy(chain);
    vouch_rigid_motion_destroy(motion);
    vouch_rigid_body_destroy(body);
  }
  assert_true(chains > 30);
}

/* The certified tolerance is FREE, a little more is not, and it does not exceed what the
 * distance allows. */
static void the_largest_tolerance_is_the_largest(void ** state)
{
  (void)state;
  vouch_rigid_body_t * a = make_box(0.4, 0.3, 0.2), * b = make_box(1.0, 1.0, 0.5);
  vouch_rigid_motion_t * motion = translation(-1.0, 0.0, 0.6, 1.0, 0.0, 0.6);
  vouch_rigid_options_t options = vouch_rigid_options_default();
  options.method = VOUCH_RIGID_TOLERANCED;
  options.resolution_m = 1e-4;
  const double limits[2] = {1.0, 1e-3};
  double tolerance = 0.0;
  require_ok(vouch_rigid_largest_tolerance(a, b, motion, &options, limits, &tolerance));
  /* distance 0.25; the corners' distortion rate is 2, so at most 0.125 */
  assert_true(tolerance > 0.12 && tolerance <= 0.1251);
  vouch_rigid_motion_destroy(motion);
  vouch_rigid_body_destroy(a);
  vouch_rigid_body_destroy(b);
}

/* 0.25 m above a plate, turning: all methods know it to 1 % after sharpening, none knows more. */
static void clearance_is_sharpened_to_the_distance(void ** state)
{
  (void)state;
  vouch_rigid_body_t * a = make_box(0.4, 0.3, 0.2), * b = make_box(1.0, 1.0, 0.5);
  vouch_rigid_motion_t * past = NULL, * into = translation(-1.0, 0.0, 0.6, 1.0, 0.0, 0.0);
  vouch_pose_t from = vouch_pose_identity(), to = {{0.0, 0.0, 0.6, 0.8}, {2.0, 0.1, 0.6}};
  from.translation[0] = -2.0;
  from.translation[2] = 0.6;
  require_ok(vouch_rigid_motion_create(&past, vouch_allocator_default()));
  require_ok(vouch_rigid_motion_add_screw(past, 1.0, &from, &to));
  for (int method = 0; method < 3; method++) {
    vouch_rigid_options_t options = vouch_rigid_options_default();
    vouch_rigid_result_t result;
    options.method = (vouch_rigid_method_t)method;
    options.resolution_m = 1e-3;
    options.tolerance = method == VOUCH_RIGID_SCREW ? 0.0 : 0.05;
    require_ok(vouch_rigid_check(a, b, past, &options, &result));
    assert_int_equal(result.verdict, VOUCH_FREE);
    double before = result.clearance_lower_m;
    require_ok(vouch_rigid_sharpen_clearance(a, b, past, &options, &result));
    assert_int_equal(result.verdict, VOUCH_FREE);
    assert_true(result.clearance_lower_m >= before && result.clearance_lower_m > 0.2475);
    assert_true(result.clearance_lower_m <= 0.25 && result.clearance_upper_m >= 0.25 - 1e-9);
    assert_true(result.clearance_upper_m < 0.2526);
    vec3_t apart = vec3_sub(vec3_from(result.closest_a), vec3_from(result.closest_b));
    assert_true(fabs(vec3_norm(apart) - result.clearance_upper_m) < 1e-9);
    vouch_rigid_result_fini(&result);
    require_ok(vouch_rigid_check(a, b, into, &options, &result));
    assert_int_equal(result.verdict, VOUCH_COLLISION);
    const vouch_rigid_result_t same = result;
    require_ok(vouch_rigid_sharpen_clearance(a, b, into, &options, &result));
    assert_memory_equal(&result, &same, sizeof(same));
    vouch_rigid_result_fini(&result);
  }
  vouch_rigid_motion_destroy(past);
  vouch_rigid_motion_destroy(into);
  vouch_rigid_body_destroy(a);
  vouch_rigid_body_destroy(b);
}

static void the_number_of_threads_does_not_matter(void ** state)
{
  (void)state;
  fixture_seed(31);
  for (int round = 0; round < 100; round++) {
    vouch_rigid_body_t * a = make_body(0.5), * b = make_body(0.7);
    vouch_rigid_motion_t * motion = make_motion(pick(5), 1.2);
    for (int m = 0; m < 2 && motion != NULL; m++) {
      vouch_rigid_options_t options = vouch_rigid_options_default();
      vouch_rigid_result_t one, four;
      options.method = (vouch_rigid_method_t)m;
      options.max_tests = 20000;
      options.threads = 1;
      require_ok(vouch_rigid_check(a, b, motion, &options, &one));
      options.threads = 4;
      require_ok(vouch_rigid_check(a, b, motion, &options, &four));
      assert_int_equal(one.verdict, four.verdict);
      assert_memory_equal(&one.fraction, &four.fraction, sizeof(double));
      assert_memory_equal(&one.clearance_lower_m, &four.clearance_lower_m, sizeof(double));
      assert_int_equal(one.open_count, four.open_count);
      vouch_rigid_result_fini(&one);
      vouch_rigid_result_fini(&four);
    }
    vouch_rigid_motion_destroy(motion);
    vouch_rigid_body_destroy(a);
    vouch_rigid_body_destroy(b);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_thin_plate_is_not_jumped_over),
    cmocka_unit_test(a_body_inside_the_other_is_a_collision_at_zero),
    cmocka_unit_test(a_start_that_is_not_decided_leaves_nothing_free),
    cmocka_unit_test(an_overlapping_start_is_a_collision_at_zero),
    cmocka_unit_test(sliding_contact_is_undecided),
    cmocka_unit_test(parallel_boxes_are_decided),
    cmocka_unit_test(a_turning_corner_hits_at_the_closed_form),
    cmocka_unit_test(bad_motions_are_refused_with_a_reason),
    cmocka_unit_test(bad_bodies_and_options_are_refused),
    cmocka_unit_test(screws_between_poses_join_them),
    cmocka_unit_test(a_turn_that_is_dropped_is_charged),
    cmocka_unit_test(chains_of_screws_stay_within_their_bound),
    cmocka_unit_test(the_largest_tolerance_is_the_largest),
    cmocka_unit_test(clearance_is_sharpened_to_the_distance),
    cmocka_unit_test(the_number_of_threads_does_not_matter)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
