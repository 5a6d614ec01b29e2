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
/* Motions: the polynomials are the controller's and the planner's; bad waypoints are refused. */

#include <stdio.h>
#include <stdlib.h>

#include "test_motion_fixture.h"

static uint64_t seed = 20260101;

static double uniform(double low, double high)
{
  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return low + (high - low) * ((double)(seed >> 11) / 9007199254740992.0);
}

/// 2,000 random trajectories of 5 points; degree by what both ends of a segment give.
static void test_controller_polynomials_to_1e_12(void ** state)
{
  (void)state;
  double worst = 0.0;
  print_message("seed %llu\n", (unsigned long long)seed);
  for (int run = 0; run < 2000; ++run) {
    double p[5][3], v[5][3], a[5][3], t = 0.0;
    vouch_trajectory_point_t points[5];
    for (int i = 0; i < 5; ++i) {
      for (int k = 0; k < 3; ++k) {
        p[i][k] = uniform(-3.0, 3.0);
        v[i][k] = uniform(-2.0, 2.0);
        a[i][k] = uniform(-5.0, 5.0);
      }
      const int kind = run % 3 == 2 ? (int)uniform(0.0, 2.999) : run % 3 == 1 ? 1 : 2;
      points[i] = (vouch_trajectory_point_t) {
        .positions = p[i], .velocities = kind >= 1 ? v[i] : NULL,
        .accelerations = kind >= 2 ? a[i] : NULL, .time_s = t
      };
      t += uniform(0.05, 2.0);
    }
    vouch_motion_t * motion = make(points, 5, NULL);
    assert_int_equal(vouch_motion_model(motion), VOUCH_MODEL_CONTROLLER);
    assert_int_equal(motion->segment_count, 4);
    for (int i = 0; i < 4; ++i) {
      const bool vel = points[i].velocities && points[i + 1].velocities;
      const bool acc = vel && points[i].accelerations && points[i + 1].accelerations;
      const int degree = acc ? 5 : vel ? 3 : 1;
      assert_int_equal(motion->degrees[i], degree);
      const double T = points[i + 1].time_s - points[i].time_s;
      for (int s = 0; s <= 20; ++s) {
        const double time = points[i].time_s + T * s / 20.0;
        double values[3];
        vouch_motion_evaluate(motion, time, values);
        for (int k = 0; k < 3 && time <= points[i + 1].time_s; ++k) {
          const long double truth = controller_value(
            degree, p[i][k], v[i][k], a[i][k], p[i + 1][k], v[i + 1][k], a[i + 1][k], T,
            (long double)time - points[i].time_s);
          const double error = (double)fabsl(truth - values[k]);
          worst = error > worst ? error : worst;
        }
      }
    }
    vouch_motion_destroy(motion);
  }
  print_message("largest difference %.3g rad\n", worst);
  assert_true(worst < 1e-12);
}

static void test_ends_are_bitwise_the_waypoints_and_segments_join(void ** state)
{
  (void)state;
  double p[4][3], v[4][3], a[4][3];
  vouch_trajectory_point_t points[4];
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 3; ++k) {
      p[i][k] = uniform(-3.0, 3.0);
      v[i][k] = uniform(-1.0, 1.0);
      a[i][k] = uniform(-1.0, 1.0);
    }
    points[i] = (vouch_trajectory_point_t) {
      .positions = p[i], .velocities = v[i], .accelerations = i == 3 ? NULL : a[i],
      .time_s = 0.1 * i
    };
  }
  vouch_motion_t * motion = make(points, 4, NULL);
  for (uint32_t k = 0; k < 3; ++k) {
    const uint32_t d = motion->degrees[k];
    for (size_t j = 0; j < 3; ++j) {
      const double * b = &motion->coefficients[motion->offsets[k] + j * (d + 1)];
      assert_memory_equal(&b[0], &p[k][j], sizeof(double));
      assert_memory_equal(&b[d], &p[k + 1][j], sizeof(double));
    }
  }
  assert_int_equal(motion->degrees[0], 5);
  assert_int_equal(motion->degrees[2], 3);
  vouch_motion_destroy(motion);
}

static void test_bare_path_is_planner_and_unwinds(void ** state)
{
  (void)state;
  const double p0[] = {3.0, 0.0, 0.1}, p1[] = {-3.0, 0.5, 0.1}, p2[] = {-2.0, 0.5, 0.1};
  const vouch_trajectory_point_t points[] = {
    {.positions = p0}, {.positions = p1}, {.positions = p2}
  };
  vouch_motion_t * motion = make(points, 3, NULL);
  assert_int_equal(vouch_motion_model(motion), VOUCH_MODEL_PLANNER);
  assert_false(vouch_motion_has_time(motion));
  assert_true(vouch_motion_duration(motion) == 2.0);
  double values[3];
  vouch_motion_evaluate(motion, 1.0, values);
  assert_true(fabs(values[0] - (2.0 * PI - 3.0)) < 1e-12);
  vouch_motion_evaluate(motion, 2.0, values);
  assert_true(fabs(values[0] - (2.0 * PI - 2.0)) < 1e-12);   // carried forward
  // Knots are as far apart as the largest step.
  const double ratio =
    (motion->knots[2] - motion->knots[1]) / (motion->knots[1] - motion->knots[0]);
  assert_true(fabs(ratio - 1.0 / 0.5) < 1e-9 * ratio);
  vouch_motion_destroy(motion);
  vouch_motion_options_t options = vouch_motion_options_default();
  options.model = VOUCH_MODEL_LINEAR;
  motion = make(points, 3, &options);
  vouch_motion_evaluate(motion, 1.0, values);
  assert_true(values[0] == -3.0);
  vouch_motion_destroy(motion);
}

static void test_repeated_points_keep_knots_apart(void ** state)
{
  (void)state;
  const double p0[] = {0.0, 0.0, 0.0}, p1[] = {0.0, 0.0, 0.0}, p2[] = {1.0, 0.0, 0.0};
  const vouch_trajectory_point_t points[] = {
    {.positions = p0}, {.positions = p1}, {.positions = p2}, {.positions = p2}
  };
  vouch_motion_t * motion = make(points, 4, NULL);
  for (uint32_t k = 0; k < 3; ++k) {
    assert_true(motion->knots[k + 1] > motion->knots[k]);
  }
  vouch_motion_destroy(motion);
  motion = make(points, 2, NULL);   // never moves
  assert_true(motion->knots[1] > 0.0);
  vouch_motion_destroy(motion);
}

static void test_planner_refuses_half_turns(void ** state)
{
  (void)state;
  static const double steps[] = {3.14159265358979, 3.1415935, 3.1415917, 9.4247779, 12.0};
  for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); ++i) {
    for (int sign = -1; sign <= 1; sign += 2) {
      const double p0[] = {0.5, 0.0, 0.0}, p1[] = {0.5 + sign * steps[i], 0.0, 0.0};
      const vouch_trajectory_point_t points[] = {{.positions = p0}, {.positions = p1}};
      const vouch_trajectory_t trajectory = trajectory_of(points, 2);
      refuse(&trajectory, NULL, "joint 'turn' turns by");
    }
  }
  const double p0[] = {0.0, -2.0, 0.0}, p1[] = {3.14158, 2.0, 0.0};   // tilt is not continuous
  const vouch_trajectory_point_t points[] = {{.positions = p0}, {.positions = p1}};
  vouch_motion_destroy(make(points, 2, NULL));
}

static void test_bad_trajectories(void ** state)
{
  (void)state;
  double p[] = {0.0, 0.0, 0.0}, q[] = {1.0, 0.0, 0.0}, bad[] = {NAN, 0.0, 0.0};
  double huge[] = {70000.0, 0.0, 0.0}, fast[] = {1e11, 0.0, 0.0};
  vouch_trajectory_point_t points[3] = {
    {.positions = p}, {.positions = q, .time_s = 1.0}, {.positions = p, .time_s = 1.0}
  };
  vouch_trajectory_t t = trajectory_of(points, 3);
  refuse(&t, NULL, "point 2 has time 1 s, which is not after point 1");
  points[2].time_s = 0.5;
  refuse(&t, NULL, "point 2 has time 0.5 s");
  t.point_count = 0;
  refuse(&t, NULL, "no points");
  t.point_count = 2;
  points[1].positions = bad;
  refuse(&t, NULL, "point 1, joint 'turn': the position");
  points[1].positions = huge;
  refuse(&t, NULL, "point 1, joint 'turn': the position 70000");
  points[1].positions = NULL;
  refuse(&t, NULL, "point 1 has no positions");
  points[1].positions = q;
  points[1].accelerations = p;
  refuse(&t, NULL, "accelerations but no velocities");
  points[1].accelerations = NULL;
  points[0].velocities = points[1].velocities = fast;
  refuse(&t, NULL, "joint 'turn' reaches");
  points[0].velocities = points[1].velocities = NULL;
  points[0].time_s = -1.0;
  refuse(&t, NULL, "point 0 has time -1");
  points[0].time_s = 0.0;
  static const char * const unknown[] = {"turn", "tilt", "sidle"};
  static const char * const twice[] = {"turn", "tilt", "turn"};
  static const char * const fixed[] = {"turn", "tilt", "mount"};
  t.joint_names = unknown;
  refuse(&t, NULL, "'sidle', which the robot does not have");
  t.joint_names = twice;
  refuse(&t, NULL, "names joint 'turn' twice");
  t.joint_names = fixed;
  refuse(&t, NULL, "'mount', which is fixed");
  t.joint_names = NAMES;
  vouch_motion_options_t options = vouch_motion_options_default();
  options.model = VOUCH_MODEL_CONTROLLER;
  points[1].time_s = 0.0;
  refuse(&t, &options, "no times");
}

/// A cubic that swings far outside its waypoints; the bound must enclose it and be sharp.
static void test_overshoot_is_reported_sharply(void ** state)
{
  (void)state;
  const double p0[] = {0.0, 1.9, 0.1}, p1[] = {0.0, 1.9, 0.1};
  const double v0[] = {0.0, 3.0, 0.0}, v1[] = {0.0, -1.0, 0.0};
  const vouch_trajectory_point_t points[] = {
    {.positions = p0, .velocities = v0}, {.positions = p1, .velocities = v1, .time_s = 1.0}
  };
  vouch_motion_t * motion = make(points, 2, NULL);
  assert_int_equal(vouch_motion_overshoot_count(motion), 1);
  const vouch_overshoot_t overshoot = vouch_motion_overshoot(motion, 0);
  assert_string_equal(overshoot.joint, "tilt");
  double most = -1e9;
  for (int i = 0; i <= 1000000; ++i) {
    const double value = (double)controller_value(
      3, 1.9, 3.0, 0.0, 1.9, -1.0, 0.0, 1.0L, (long double)i / 1e6L);
    most = value > most ? value : most;
  }
  assert_true(overshoot.maximum >= most && overshoot.maximum <= most + 1e-8);
  assert_true(overshoot.upper == 2.0 && overshoot.minimum >= 1.9 - 1e-9);
  vouch_motion_destroy(motion);
}

static void test_remaining_is_the_same_motion(void ** state)
{
  (void)state;
  double p[4][3], v[4][3], a[4][3];
  vouch_trajectory_point_t points[4];
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 3; ++k) {
      p[i][k] = uniform(-1.0, 1.0);
      v[i][k] = uniform(-1.0, 1.0);
      a[i][k] = uniform(-1.0, 1.0);
    }
    points[i] = (vouch_trajectory_point_t) {
      .positions = p[i], .velocities = v[i], .accelerations = a[i], .time_s = 0.7 * i
    };
  }
  vouch_motion_t * motion = make(points, 4, NULL);
  static const double cuts[] = {-1.0, 0.0, 0.3, 0.7, 1.1, 2.0999999};
  for (size_t c = 0; c < sizeof(cuts) / sizeof(cuts[0]); ++c) {
    vouch_motion_t * rest = NULL;
    assert_int_equal(vouch_motion_remaining(&rest, motion, cuts[c]), VOUCH_RET_OK);
    assert_true(rest->knots[0] == 0.0);
    for (uint32_t k = 0; k < rest->segment_count; ++k) {
      assert_true(rest->knots[k + 1] > rest->knots[k]);
    }
    for (int s = 0; s <= 50; ++s) {
      const double begin = cuts[c] > 0.0 ? cuts[c] : 0.0;
      const double time = begin + (2.1 - begin) * s / 50.0;
      double x[3], y[3];
      vouch_motion_evaluate(motion, time, x);
      vouch_motion_evaluate(rest, time, y);
      for (int k = 0; k < 3; ++k) {
        assert_true(fabs(x[k] - y[k]) < 1e-9);
      }
    }
    for (uint32_t k = 0; k + 1 < rest->segment_count; ++k) {   // joins stay bitwise
      const uint32_t d = rest->degrees[k], e = rest->degrees[k + 1];
      for (size_t j = 0; j < 3; ++j) {
        assert_memory_equal(
          &rest->coefficients[rest->offsets[k] + j * (d + 1) + d],
          &rest->coefficients[rest->offsets[k + 1] + j * (e + 1)], sizeof(double));
      }
    }
    vouch_motion_destroy(rest);
  }
  vouch_motion_t * rest = NULL;
  assert_int_equal(vouch_motion_remaining(&rest, motion, 5.0), VOUCH_RET_OK);
  assert_int_equal(rest->segment_count, 1);
  double values[3];
  vouch_motion_evaluate(rest, 5.0, values);
  assert_memory_equal(values, p[3], sizeof(values));
  vouch_motion_destroy(rest);
  assert_int_equal(vouch_motion_remaining(&rest, motion, NAN), VOUCH_RET_INVALID);
  vouch_motion_destroy(motion);
}

/// Powers to Bernstein form against direct evaluation; joins that miss by rounding are closed.
static void test_polynomials_as_given(void ** state)
{
  (void)state;
  double c[2][3 * 6] = {{0.0}};
  const double T[2] = {0.8, 1.3};
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 6; ++i) {
      c[0][j * 6 + i] = uniform(-0.5, 0.5);
    }
    long double end = 0;
    for (int i = 5; i >= 0; --i) {
      end = end * (long double)T[0] + (long double)c[0][j * 6 + i];
    }
    c[1][j * 4 + 0] = (double)end;
    for (int i = 1; i < 4; ++i) {
      c[1][j * 4 + i] = uniform(-0.5, 0.5);
    }
  }
  vouch_polynomial_segment_t segments[2] = {
    {.duration_s = T[0], .degree = 5, .coefficients = c[0]},
    {.duration_s = T[1], .degree = 3, .coefficients = c[1]}
  };
  vouch_motion_t * motion = NULL;
  assert_int_equal(
    vouch_motion_create_polynomial(&motion, robot, NAMES, 3, segments, 2, NULL), VOUCH_RET_OK);
  assert_int_equal(vouch_motion_model(motion), VOUCH_MODEL_POLYNOMIAL);
  assert_int_equal(vouch_motion_warning_count(motion), 0);
  for (size_t j = 0; j < 3; ++j) {
    assert_memory_equal(
      &motion->coefficients[j * 6 + 5], &motion->coefficients[motion->offsets[1] + j * 4],
      sizeof(double));
  }
  for (int s = 0; s <= 100; ++s) {
    const double time = 2.1 * s / 100.0;
    const int k = time < motion->seconds[1] ? 0 : 1;
    const int size = k == 0 ? 6 : 4;
    double values[3];
    vouch_motion_evaluate(motion, time, values);
    for (int j = 0; j < 3; ++j) {
      long double sum = 0;
      for (int i = size - 1; i >= 0; --i) {
        sum = sum * ((long double)time - (k == 0 ? 0 : (long double)T[0])) +
          (long double)c[k][j * size + i];
      }
      assert_true(fabs((double)sum - values[j]) < 1e-12);
    }
  }
  vouch_motion_destroy(motion);
  c[1][4] += 0.01;   // tilt jumps
  assert_int_equal(
    vouch_motion_create_polynomial(&motion, robot, NAMES, 3, segments, 2, NULL), VOUCH_RET_OK);
  assert_int_equal(vouch_motion_warning_count(motion), 1);
  assert_non_null(strstr(vouch_motion_warning(motion, 0), "'tilt'"));
  vouch_motion_destroy(motion);
  segments[0].degree = 6;
  assert_int_equal(
    vouch_motion_create_polynomial(&motion, robot, NAMES, 3, segments, 2, NULL),
    VOUCH_RET_INVALID);
  segments[0].degree = 5;
  segments[0].duration_s = 0.0;
  assert_int_equal(
    vouch_motion_create_polynomial(&motion, robot, NAMES, 3, segments, 2, NULL),
    VOUCH_RET_INVALID);
}

static void test_no_more_segments_than_a_certificate_tells(void ** state)
{
  (void)state;
  const size_t most = (1u << 20) - 1u;
  const double still[6] = {0.1, 0.0, 0.2, 0.0, 0.3, 0.0};
  vouch_polynomial_segment_t * segments = calloc(most + 1u, sizeof(*segments));
  assert_non_null(segments);
  for (size_t i = 0; i <= most; ++i) {
    segments[i] = (vouch_polynomial_segment_t) {.duration_s = 1e-3, .degree = 1,
      .coefficients = still};
  }
  vouch_motion_t * motion = NULL;
  assert_int_equal(
    vouch_motion_create_polynomial(&motion, robot, NAMES, 3, segments, most, NULL), VOUCH_RET_OK);
  vouch_motion_destroy(motion);
  assert_int_equal(
    vouch_motion_create_polynomial(&motion, robot, NAMES, 3, segments, most + 1u, NULL),
    VOUCH_RET_UNSUPPORTED);
  assert_null(motion);
  assert_non_null(strstr(vouch_error(), "1048576 segments"));
  free(segments);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_controller_polynomials_to_1e_12),
    cmocka_unit_test(test_ends_are_bitwise_the_waypoints_and_segments_join),
    cmocka_unit_test(test_bare_path_is_planner_and_unwinds),
    cmocka_unit_test(test_repeated_points_keep_knots_apart),
    cmocka_unit_test(test_planner_refuses_half_turns),
    cmocka_unit_test(test_bad_trajectories),
    cmocka_unit_test(test_overshoot_is_reported_sharply),
    cmocka_unit_test(test_remaining_is_the_same_motion),
    cmocka_unit_test(test_polynomials_as_given),
    cmocka_unit_test(test_no_more_segments_than_a_certificate_tells),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
