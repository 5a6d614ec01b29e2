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

/* Motions of high degree: the same curve in another degree, first contacts in closed form, and what
 * is refused. Their rounding: test_rigid_rounding.c. */

#include "unit/test_rigid_fixture.h"

#define HIGHEST FIXTURE_HIGHEST

/// The same curve with `degree` + 1 controls more than it needs: one degree at a time.
static vouch_rigid_motion_t * elevated(const vouch_rigid_motion_t * motion, size_t degree)
{
  static double h[HIGHEST + 1][13], weights[HIGHEST + 1];
  static vouch_affine_t controls[HIGHEST + 1];
  const rigid_segment_t * s = &motion->segments[0];
  memcpy(h, s->h, (s->degree + 1) * sizeof(h[0]));
  for (size_t d = s->degree; d < degree; d++) {
    memcpy(h[d + 1], h[d], sizeof(h[0]));
    for (size_t i = d; i > 0; i--) {
      double share = (double)i / (double)(d + 1);
      for (int k = 0; k < 13; k++) {
        h[i][k] += share * (h[i - 1][k] - h[i][k]);
      }
    }
  }
  for (size_t i = 0; i <= degree; i++) {
    weights[i] = h[i][0];
    for (int k = 0; k < 12; k++) {
      controls[i].m[k] = h[i][1 + k] / h[i][0];
    }
  }
  vouch_rigid_motion_t * out = NULL;
  require_ok(vouch_rigid_motion_create(&out, vouch_allocator_default()));
  require_ok(vouch_rigid_motion_add_bezier(out, 1.0, degree, weights, controls));
  return out;
}

/* The methods say the same about a curve of degree 3 and about itself in degree up to 200. */
static void a_curve_is_the_same_in_any_degree(void ** state)
{
  (void)state;
  static const size_t higher[] = {25, 40, 64, 100, 200};
  int decided = 0, free_count = 0;
  fixture_seed(24);
  for (int round = 0; round < 60; round++) {
    size_t degree = higher[round % 5];
    vouch_rigid_motion_t * low = wavy_motion(3), * high = elevated(low, degree);
    vouch_rigid_body_t * a = make_body(0.5), * b = make_body(0.7);
    for (int i = 0; i <= 16; i++) {
      vouch_affine_t g = vouch_rigid_motion_at(low, 0, i / 16.0);
      vouch_affine_t h = vouch_rigid_motion_at(high, 0, i / 16.0);
      for (int k = 0; k < 12; k++) {
        assert_true(fabs(g.m[k] - h.m[k]) < 1e-12);
      }
    }
    for (int method = 0; method < 2; method++) {
      vouch_rigid_options_t options = vouch_rigid_options_default();
      vouch_rigid_result_t one, two;
      options.method = (vouch_rigid_method_t)method;
      options.margin_m = uniform(0.0, 0.05);
      options.max_depth = 20;
      options.resolution_m = 1e-3;
      options.ball = (vouch_ball_t)pick(4);
      require_ok(vouch_rigid_check(a, b, low, &options, &one));
      require_ok(vouch_rigid_check(a, b, high, &options, &two));
      if (one.verdict != VOUCH_UNDECIDED && two.verdict != VOUCH_UNDECIDED) {
        decided++;
        free_count += one.verdict == VOUCH_FREE;
        if (one.verdict != two.verdict) {
          fail_msg(
            "round %d, method %d: %s in degree 3, %s in degree %zu", round, method,
            vouch_verdict_name(one.verdict), vouch_verdict_name(two.verdict), degree);
        }
        if (one.verdict == VOUCH_COLLISION && one.margin_only == two.margin_only) {
          assert_true(fabs(one.fraction - two.fraction) < 1e-3);
        }
      }
      vouch_rigid_result_fini(&one);
      vouch_rigid_result_fini(&two);
    }
    vouch_rigid_motion_destroy(low);
    vouch_rigid_motion_destroy(high);
    vouch_rigid_body_destroy(a);
    vouch_rigid_body_destroy(b);
  }
  print_message(
    "%d of 120 checks decided in both degrees, %d of these free\n", decided,
    free_count);
  assert_true(decided > 100 && free_count > 10 && free_count < decided - 10);
}

/// Control points on a line at equal distances: x(t) is linear, whatever the degree.
static vouch_rigid_motion_t * straight(size_t degree, double from, double to, double height)
{
  static vouch_affine_t controls[HIGHEST + 1];
  for (size_t i = 0; i <= degree; i++) {
    controls[i] = (vouch_affine_t) {{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.1, height}};
    controls[i].m[9] = from + (to - from) * (double)i / (double)degree;
  }
  vouch_rigid_motion_t * motion = NULL;
  require_ok(vouch_rigid_motion_create(&motion, vouch_allocator_default()));
  require_ok(vouch_rigid_motion_add_bezier(motion, 1.0, degree, NULL, controls));
  return motion;
}

static void first_contact_is_the_closed_form(void ** state)
{
  (void)state;
  static const size_t tested[] = {25, 40, 64, 100, 200, HIGHEST};
  vouch_rigid_body_t * a = make_box(0.4, 0.4, 0.4), * b = make_box(1.0, 1.0, 1.0);
  for (size_t n = 0; n < sizeof(tested) / sizeof(*tested); n++) {
    /* The faces meet when the centre is at -0.7, at 13/20 of the way from -2 to 0. */
    vouch_rigid_motion_t * hits = straight(tested[n], -2.0, 0.0, 0.0);
    vouch_rigid_motion_t * misses = straight(tested[n], -2.0, 2.0, 0.705);
    for (int method = 0; method < 2; method++) {
      vouch_rigid_options_t options = vouch_rigid_options_default();
      vouch_rigid_result_t result;
      options.method = (vouch_rigid_method_t)method;
      options.resolution_m = 1e-4;
      options.max_depth = tested[n] > 200 ? 12 : 40;
      require_ok(vouch_rigid_check(a, b, hits, &options, &result));
      assert_int_equal(result.verdict, VOUCH_COLLISION);
      assert_true(result.fraction >= 0.65 - 1e-9 && result.free_until <= 0.65 + 1e-9);
      assert_true(result.fraction <= 0.65 + (method == 0 && tested[n] <= 200 ? 1e-7 : 1e-3));
      vouch_rigid_result_fini(&result);
      require_ok(vouch_rigid_check(a, b, misses, &options, &result));
      assert_int_equal(result.verdict, VOUCH_FREE);
      assert_true(result.clearance_lower_m <= 0.005 + 1e-12);
      vouch_rigid_result_fini(&result);
      options.margin_m = 0.006;
      require_ok(vouch_rigid_check(a, b, misses, &options, &result));
      assert_int_equal(result.verdict, VOUCH_COLLISION);
      vouch_rigid_result_fini(&result);
    }
    vouch_rigid_motion_destroy(hits);
    vouch_rigid_motion_destroy(misses);
  }
  vouch_rigid_body_destroy(a);
  vouch_rigid_body_destroy(b);
}

static long double binomial(size_t n, size_t k)
{
  long double value = 1.0L;
  for (size_t i = 1; i <= k; i++) {
    value = value * (long double)(n - k + i) / (long double)i;
  }
  return value;
}

/// Coordinate k of the translation over |q|^2 at time t.
static double shared_translation(
  const double(*q)[4], size_t d, const double(*x)[3], int k, double t)
{
  long double over = 0.0L, under = 0.0L;
  for (size_t n = 0; n <= 2 * d; n++) {
    long double weight = 0.0L;
    for (size_t i = n > d ? n - d : 0; i <= (n < d ? n : d); i++) {
      long double dot = 0.0L;
      for (int c = 0; c < 4; c++) {
        dot += (long double)q[i][c] * (long double)q[n - i][c];
      }
      weight += binomial(d, i) * binomial(d, n - i) * dot;   // times C(2d, n), as B_n has it
    }
    weight *= powl((long double)t, (long double)n) * powl(
      1.0L - (long double)t, 2.0L * (long double)d -
      (long double)n);
    over += weight * (long double)x[n][k];
    under += weight;
  }
  return (double)(over / under);
}

/* A shared translation, also where a coefficient of |q|^2 is negative though |q|^2 is not. */
static void a_shared_translation_is_over_the_same_denominator(void ** state)
{
  (void)state;
  static double q[61][4], x[121][3];
  double off = 0.0;
  for (size_t d = 1; d <= 60; d = d < 12 ? d + 1 : d + 12) {
    for (size_t i = 0; i <= d; i++) {
      double angle = (d == 2 ? 3.6 : 2.0) * (double)i / (double)d;
      q[i][0] = sin(angle);
      q[i][3] = cos(angle);
    }
    for (size_t i = 0; i <= 2 * d; i++) {
      x[i][0] = -1.25;
      x[i][1] = 7.0;
      x[i][2] = cos(3.0 * (double)i / (double)d);
    }
    vouch_quaternion_curve_t curve = {
      d, (const double(*)[4])q, 2 * d, (const double(*)[3])x, NULL, true
    };
    vouch_rigid_motion_t * motion = NULL;
    require_ok(vouch_rigid_motion_create(&motion, vouch_allocator_default()));
    require_ok(vouch_rigid_motion_add_quaternions(motion, 1.0, &curve));
    assert_true(d != 2 || motion->count > 1);
    for (size_t s = 0; s < motion->count; s++) {
      for (int i = 0; i <= 8; i++) {
        vouch_affine_t g = vouch_rigid_motion_at(motion, s, i / 8.0);
        double time = vouch_rigid_motion_time_s(motion, s, i / 8.0);
        double z = shared_translation((const double(*)[4])q, d, (const double(*)[3])x, 2, time);
        off = fmax(off, fmax(fabs(g.m[9] + 1.25), fabs(g.m[10] - 7.0)));
        off = fmax(off, fabs(g.m[11] - z));
        assert_true(fabs(g.m[0] - 1.0) < 1e-12);
      }
    }
    vouch_rigid_motion_destroy(motion);
  }
  assert_true(off < 1e-12);
}

static void a_chain_of_screws_follows_a_curve_of_high_degree(void ** state)
{
  (void)state;
  static controls_t c;
  fixture_seed(25);
  vouch_rigid_body_t * body = make_box(0.3, 0.2, 0.4);
  for (size_t d = 9; d <= 33; d += 12) {
    c.degree = d;
    c.translation_degree = 2 * d;
    waves(&c, 1.0);
    vouch_quaternion_curve_t curve = {
      d, (const double(*)[4])c.q, 2 * d, (const double(*)[3])c.t, NULL, true
    };
    vouch_rigid_motion_t * motion = NULL, * chain = NULL;
    double error;
    require_ok(vouch_rigid_motion_create(&motion, vouch_allocator_default()));
    require_ok(vouch_rigid_motion_add_quaternions(motion, 1.0, &curve));
    require_ok(vouch_rigid_motion_to_screws(&chain, motion, body, 1e-3, &error));
    assert_true(error > 0.0 && error <= 1e-3 + 1e-9);
    double worst = 0.0;
    for (size_t s = 0, m = 0; s < chain->count; s++) {
      for (int i = 0; i <= 8; i++) {
        double time = vouch_rigid_motion_time_s(chain, s, i / 8.0);
        while (m + 1 < motion->count && motion->segments[m + 1].start_s <= time) {
          m++;
        }
        const rigid_segment_t * whole = &motion->segments[m];
        vouch_affine_t g = vouch_rigid_motion_at(chain, s, i / 8.0);
        vouch_affine_t h = vouch_rigid_motion_at(
          motion, m, fmin((time - whole->start_s) / whole->duration_s, 1.0));
        for (size_t v = 0; v < body->mesh.vertex_count; v++) {
          vec3_t p = vec3_from(body->mesh.vertices[v]);
          worst = fmax(worst, vec3_norm(vec3_sub(affine_apply(&g, p), affine_apply(&h, p))));
        }
      }
    }
    print_message("degree %zu: %zu screws, %.3g of %.3g m\n", 2 * d, chain->count, worst, error);
    assert_true(worst <= error);
    vouch_rigid_motion_destroy(motion);
    vouch_rigid_motion_destroy(chain);
  }
  vouch_rigid_body_destroy(body);
}

/* [R-REGULAR] Motions that become singular are refused, among others. */
static void what_is_refused_says_why(void ** state)
{
  (void)state;
  static vouch_affine_t controls[HIGHEST + 2];
  static double q[502][4], x[HIGHEST + 2][3];
  vouch_rigid_motion_t * motion = NULL;
  require_ok(vouch_rigid_motion_create(&motion, vouch_allocator_default()));
  for (size_t i = 0; i < HIGHEST + 2; i++) {
    controls[i] = (vouch_affine_t) {{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}};
    q[i < 502 ? i : 0][3] = 1.0;
  }
  assert_int_equal(
    vouch_rigid_motion_add_bezier(motion, 1.0, HIGHEST + 1, NULL, controls), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "1 to 1000"));
  static const size_t wrong[][3] = {
    {501, 1002, 1}, {500, 1, 0}, {0, 0, 0}, {4, 7, 1}, {SIZE_MAX, 1, 0}, {1, SIZE_MAX, 0},
    {SIZE_MAX / 2 + 2, 2, 1}
  };
  for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
    const vouch_quaternion_curve_t curve = {
      wrong[i][0], (const double(*)[4])q, wrong[i][1], (const double(*)[3])x, NULL,
      wrong[i][2] != 0
    };
    assert_int_equal(vouch_rigid_motion_add_quaternions(motion, 1.0, &curve), VOUCH_RET_INVALID);
    assert_non_null(strstr(vouch_error(), "degree"));
  }
  /* Half a turn about z without poses between: singular at one time, in any degree. */
  for (size_t n = 0; n < 10; n++) {
    size_t d = 1 + 20 * (n / 2);
    double most = n % 2 == 0 ? 2.0 : 1.8;
    for (size_t i = 0; i <= d; i++) {
      controls[i].m[0] = controls[i].m[4] = 1.0 - most * (double)i / (double)d;
      if (controls[i].m[0] == 0.0) {
        controls[i].m[0] = 1e-4;
      }
    }
    assert_int_equal(
      vouch_rigid_motion_add_bezier(motion, 1.0, d, NULL, controls), VOUCH_RET_INVALID);
    assert_non_null(strstr(vouch_error(), "singular"));
  }
  assert_int_equal(vouch_rigid_motion_segment_count(motion), 0);
  memset(q, 0, sizeof(q));
  const vouch_quaternion_curve_t zero = {
    20, (const double(*)[4])q, 1, (const double(*)[3])x, NULL, false
  };
  assert_int_equal(vouch_rigid_motion_add_quaternions(motion, 1.0, &zero), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "zero"));
  vouch_rigid_motion_destroy(motion);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_curve_is_the_same_in_any_degree),
    cmocka_unit_test(first_contact_is_the_closed_form),
    cmocka_unit_test(a_shared_translation_is_over_the_same_denominator),
    cmocka_unit_test(a_chain_of_screws_follows_a_curve_of_high_degree),
    cmocka_unit_test(what_is_refused_says_why)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
