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

/* Motions of high degree: every stated rounding bound against Arb, the same curve in another degree,
 * first contacts in closed form, and what is refused. */

#include "methods/bernstein.h"
#include "unit/test_rigid_fixture.h"

#define ROUND_OFF 0x1p-53
#define HIGHEST 1000

static const size_t degrees[] = {1, 2, 3, 8, 24, 25, 40, 64, 100, 200};

/// Control displacements along waves, and weights.
static vouch_rigid_motion_t * wavy_motion(size_t degree)
{
  static vouch_affine_t controls[HIGHEST + 1];
  static double weights[HIGHEST + 1];
  double phase[3] = {uniform(0.0, 6.0), uniform(0.0, 6.0), uniform(0.0, 6.0)};
  double height = uniform(0.0, 1.5);
  for (size_t i = 0; i <= degree; i++) {
    double t = (double)i / (double)degree;
    vec3_t axis = vec3_unit(vec3(1.0, sin(phase[0] + 2.0 * t), 0.5), vec3(0.0, 0.0, 1.0));
    rigid_t g = {
      .rotation = mat3_from_axis_angle(axis, 1.5 * sin(phase[1] + 3.0 * t)),
      .translation = vec3(sin(phase[2] + 7.0 * t), 2.0 * t, height + uniform(-0.1, 0.1))
    };
    controls[i] = affine_from_rigid(&g);
    weights[i] = exp(uniform(-1.0, 1.0));
  }
  vouch_rigid_motion_t * motion = NULL;
  require_ok(vouch_rigid_motion_create(&motion, vouch_allocator_default()));
  require_ok(vouch_rigid_motion_add_bezier(motion, 1.0, degree, weights, controls));
  return motion;
}

#ifdef VOUCH_HAVE_ARB
#include <arb.h>

/* The radii of de Casteljau in Arb grow up to threefold with each row. */
#define BITS 640

/// One homogeneous displacement in Arb.
typedef struct exact_s
{
  arb_t x[13];
} exact_t;

static exact_t * exact_new(size_t count)
{
  exact_t * e = malloc(count * sizeof(*e));
  for (size_t i = 0; i < count; i++) {
    for (int k = 0; k < 13; k++) {
      arb_init(e[i].x[k]);
    }
  }
  return e;
}

static void exact_delete(exact_t * e, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    for (int k = 0; k < 13; k++) {
      arb_clear(e[i].x[k]);
    }
  }
  free(e);
}

/// The blossom at degree - i times `from` and i times `to`: coefficient i of the part [from, to].
static void exact_coefficient(
  const rigid_segment_t * s, size_t i, double from, double to, exact_t * out)
{
  size_t d = s->degree;
  exact_t * row = exact_new(d + 1);
  arb_t t, step;
  arb_init(t);
  arb_init(step);
  for (size_t j = 0; j <= d; j++) {
    for (int k = 0; k < 13; k++) {
      arb_set_d(row[j].x[k], s->h[j][k]);
    }
  }
  for (size_t r = d; r > 0; r--) {
    arb_set_d(t, r > i ? from : to);
    for (size_t j = 0; j < r; j++) {
      for (int k = 0; k < 13; k++) {
        arb_sub(step, row[j + 1].x[k], row[j].x[k], BITS);
        arb_addmul(row[j].x[k], step, t, BITS);
      }
    }
  }
  for (int k = 0; k < 13; k++) {
    arb_set(out->x[k], row[0].x[k]);
  }
  arb_clear(t);
  arb_clear(step);
  exact_delete(row, d + 1);
}

/// Upper bound of |x|, radius included.
static double size_of(const arb_t x)
{
  arf_t up;
  arf_init(up);
  arb_get_abs_ubound_arf(up, x, 64);
  double size = arf_get_d(up, ARF_RND_UP);
  arf_clear(up);
  return size;
}

/// Norm of the difference of `count` numbers, rounded; `over` divides the exact ones.
static double off_by(const double * v, arb_t * exact, int count, const arb_t over)
{
  arb_t e, x;
  double sum = 0.0;
  arb_init(e);
  arb_init(x);
  for (int k = 0; k < count; k++) {
    arb_div(e, exact[k], over, BITS);
    arb_set_d(x, v[k]);
    arb_sub(e, e, x, BITS);
    double d = size_of(e);
    sum += d * d;
  }
  arb_clear(e);
  arb_clear(x);
  return sqrt(sum);
}

static void require_within(double off, double bound, const char * what, size_t degree)
{
  if (!(off <= bound)) {
    fail_msg("%s at degree %zu is off by %.17g; the bound is %.17g", what, degree, off, bound);
  }
}

static void shares_and_products_are_as_near_as_stated(void ** state)
{
  (void)state;
  static const size_t pairs[][2] = {
    {1, 1}, {8, 8}, {16, 3}, {60, 60}, {120, 60}, {200, 100}, {500, 500}, {998, 2}
  };
  static double a[HIGHEST + 1], b[HIGHEST + 1], out[HIGHEST + 1], shares[3][HIGHEST + 1];
  double worst = 0.0;
  fixture_seed(21);
  fmpz_t n[3];
  arb_t sum, term, x;
  arb_init(sum);
  arb_init(term);
  arb_init(x);
  for (int k = 0; k < 3; k++) {
    fmpz_init(n[k]);
  }
  for (size_t p = 0; p < sizeof(pairs) / sizeof(*pairs); p++) {
    size_t da = pairs[p][0], db = pairs[p][1], d = da + db;
    const bernstein_factors_t f = {a, b, da, db, {shares[0], shares[1], shares[2]}};
    for (size_t i = 0; i <= d; i++) {
      a[i] = uniform(-1.0, 1.0);
      b[i] = uniform(-1.0, 1.0);
    }
    bernstein_shares(da, shares[0]);
    bernstein_shares(db, shares[1]);
    bernstein_shares(d, shares[2]);
    bernstein_product(&f, out);
    for (size_t k = 0; k <= d; k++) {
      fmpz_bin_uiui(n[2], d, k);
      arb_set_d(x, shares[2][k]);
      arb_mul_2exp_si(x, x, (slong)d);
      arb_div_fmpz(x, x, n[2], BITS);
      arb_sub_si(x, x, 1, BITS);
      require_within(
        size_of(x), (double)d * ROUND_OFF, "a share", d);
      arb_zero(sum);
      for (size_t i = k > db ? k - db : 0; i <= (k < da ? k : da); i++) {
        fmpz_bin_uiui(n[0], da, i);
        fmpz_bin_uiui(n[1], db, k - i);
        fmpz_mul(n[0], n[0], n[1]);
        arb_set_d(term, a[i]);
        arb_set_d(x, b[k - i]);
        arb_mul(term, term, x, BITS);
        arb_mul_fmpz(term, term, n[0], BITS);
        arb_div_fmpz(term, term, n[2], BITS);
        arb_add(sum, sum, term, BITS);
      }
      arb_one(x);
      double off = off_by(&out[k], &sum, 1, x);
      double bound = (3.0 * (double)d + 8.0) * ROUND_OFF;
      require_within(off, bound, "a product", d);
      worst = fmax(worst, off / bound);
    }
  }
  print_message("products: at most %.3g of the bound\n", worst);
  for (int k = 0; k < 3; k++) {
    fmpz_clear(n[k]);
  }
  arb_clear(sum);
  arb_clear(term);
  arb_clear(x);
}

/// All that a piece promises about one coefficient and about its three displacements.
static double check_piece(const motion_piece_t * piece, exact_t * e)
{
  const rigid_segment_t * s = piece->segment;
  const double * bound = piece->coefficient_error;
  double middle = 0.5 * (piece->from + piece->to), worst = 0.0;
  double ends[3][2] = {{piece->from, piece->from}, {middle, middle}, {piece->to, piece->to}};
  size_t i = (size_t)pick((int)s->degree + 1);
  arb_t one;
  arb_init(one);
  arb_one(one);
  exact_coefficient(s, i, piece->from, piece->to, e);
  require_within(off_by(&piece->h[i][0], &e->x[0], 1, one), bound[0], "a weight", s->degree);
  require_within(off_by(&piece->h[i][1], &e->x[1], 9, one), bound[1], "w A", s->degree);
  require_within(off_by(&piece->h[i][10], &e->x[10], 3, one), bound[2], "w a", s->degree);
  for (int k = 0; k < 3; k++) {
    exact_coefficient(s, 0, ends[k][0], ends[k][1], e);
    double a = off_by(&piece->at[k].m[0], &e->x[1], 9, e->x[0]);
    double b = off_by(&piece->at[k].m[9], &e->x[10], 3, e->x[0]);
    require_within(a, piece->error[0], "A", s->degree);
    require_within(b, piece->error[1], "a", s->degree);
    worst = fmax(worst, fmax(a / piece->error[0], b / piece->error[1]));
  }
  arb_clear(one);
  return worst;
}

static void pieces_are_as_near_as_stated(void ** state)
{
  (void)state;
  fixture_seed(22);
  exact_t * e = exact_new(1);
  double worst = 0.0;
  for (size_t n = 0; n < sizeof(degrees) / sizeof(*degrees); n++) {
    size_t d = degrees[n];
    for (int round = 0; round < (d > 64 ? 2 : 6); round++) {
      vouch_rigid_motion_t * motion = wavy_motion(d);
      const rigid_segment_t * s = &motion->segments[0];
      motion_room_t room;
      require_ok(motion_room_init(&room, &motion->allocator, s, 2));
      motion_piece_init(&room.pieces[0], s);
      for (int level = 0; level <= 12; level++) {
        if (level % 4 == 0) {
          worst = fmax(worst, check_piece(&room.pieces[0], e));
        }
        motion_piece_split(&room.pieces[0], &room.pieces[1], &room.pieces[0]);
        if (pick(2)) {
          motion_piece_copy(&room.pieces[0], &room.pieces[1]);
        }
      }
      double t = uniform(0.0, 1.0), least_weight = INFINITY;
      for (size_t i = 0; i <= d; i++) {
        least_weight = fmin(least_weight, s->h[i][0]);
      }
      vouch_affine_t g = vouch_rigid_motion_at(motion, 0, t);
      double rate = (6.0 * (double)d + 2.0) * ROUND_OFF / least_weight;
      exact_coefficient(s, 0, t, t, e);
      require_within(
        off_by(&g.m[0], &e->x[1], 9, e->x[0]), rate * (s->largest[1] + 3.0 * s->largest[0]),
        "vouch_rigid_motion_at()", d);
      motion_room_fini(&room);
      vouch_rigid_motion_destroy(motion);
    }
  }
  print_message("pieces: at most %.3g of the bound\n", worst);
  exact_delete(e, 1);
}

/// sum of B_i(t) v_i w_i for one component of controls.
static void exact_sum(
  arb_t out, const double * v, size_t stride, const double * w, size_t d,
  const arb_t t)
{

  arb_ptr row = _arb_vec_init((slong)d + 1);
  arb_t step;
  arb_init(step);
  for (size_t i = 0; i <= d; i++) {
    arb_set_d(&row[i], v[i * stride]);
    if (w != NULL) {
      arb_set_d(step, w[i]);
      arb_mul(&row[i], &row[i], step, BITS);
    }
  }
  for (size_t r = d; r > 0; r--) {
    for (size_t i = 0; i < r; i++) {
      arb_sub(step, &row[i + 1], &row[i], BITS);
      arb_addmul(&row[i], step, t, BITS);
    }
  }
  arb_set(out, &row[0]);
  arb_clear(step);
  _arb_vec_clear(row, (slong)d + 1);
}

/// The true displacement of a curve with weights of its own at time t: |q|^2, R(q) |q|^2 and the
/// translation.
static void exact_curve(const vouch_quaternion_curve_t * c, const arb_t t, exact_t * out)
{
  static const signed char squares[3][4] = {{1, -1, -1, 1}, {-1, 1, -1, 1}, {-1, -1, 1, 1}};
  arb_t q[4], a, b, w;
  arb_init(a);
  arb_init(b);
  arb_init(w);
  for (int k = 0; k < 4; k++) {
    arb_init(q[k]);
    exact_sum(q[k], &c->quaternions[0][k], 4, NULL, c->degree, t);
  }
  for (int k = 0; k < 13; k++) {
    arb_zero(out->x[k]);
  }
  for (int k = 0; k < 4; k++) {
    arb_addmul(out->x[0], q[k], q[k], BITS);
  }
  for (int r = 0; r < 3; r++) {
    for (int k = 0; k < 4; k++) {
      arb_mul(a, q[k], q[k], BITS);
      arb_mul_si(a, a, squares[r][k], BITS);
      arb_add(out->x[1 + 4 * r], out->x[1 + 4 * r], a, BITS);
    }
    int i = (r + 1) % 3, j = (r + 2) % 3;
    arb_mul(a, q[i], q[j], BITS);
    arb_mul(b, q[r], q[3], BITS);
    arb_sub(w, a, b, BITS);
    arb_mul_si(out->x[1 + 3 * i + j], w, 2, BITS);
    arb_add(w, a, b, BITS);
    arb_mul_si(out->x[1 + 3 * j + i], w, 2, BITS);
  }
  static double ones[HIGHEST + 1];
  for (size_t i = 0; i <= c->translation_degree; i++) {
    ones[i] = 1.0;
  }
  exact_sum(w, c->weights == NULL ? ones : c->weights, 1, NULL, c->translation_degree, t);
  for (int k = 0; k < 3; k++) {
    exact_sum(
      a, &c->translations[0][k], 3, c->weights, c->translation_degree, t);
    arb_mul(a, a, out->x[0], BITS);
    arb_div(out->x[10 + k], a, w, BITS);
  }
  for (int k = 0; k < 4; k++) {
    arb_clear(q[k]);
  }
  arb_clear(a);
  arb_clear(b);
  arb_clear(w);
}

/// Off by no more than the stated error of the segment; `near` and `truth` are homogeneous.
static double check_stated(const rigid_segment_t * s, const exact_t * stored, const exact_t * truth)
{
  arb_t a, b;
  double sum[2] = {0.0, 0.0};
  arb_init(a);
  arb_init(b);
  for (int k = 1; k < 13; k++) {
    arb_div(a, stored->x[k], stored->x[0], BITS);
    arb_div(b, truth->x[k], truth->x[0], BITS);
    arb_sub(a, a, b, BITS);
    double d = size_of(a);
    sum[k > 9] += d * d;
  }
  arb_clear(a);
  arb_clear(b);
  require_within(sqrt(sum[0]), s->error[0], "a rotation", s->degree);
  require_within(sqrt(sum[1]), s->error[1], "a translation", s->degree);
  return fmax(sqrt(sum[0]) / s->error[0], sqrt(sum[1]) / s->error[1]);
}

static void quaternion_curves_are_as_near_as_stated(void ** state)
{
  (void)state;
  static controls_t c;
  static const size_t tested[] = {1, 4, 8, 9, 12, 20, 33, 60};
  fixture_seed(23);
  exact_t * e = exact_new(2);
  arb_t t;
  arb_init(t);
  double worst = 0.0;
  size_t halved = 0;
  for (size_t n = 0; n < 4 * sizeof(tested) / sizeof(*tested); n++) {
    c.degree = tested[n / 4];
    c.translation_degree = n % 2 ? 1 : c.degree + 3;
    waves(&c, 2.0);
    for (size_t i = 0; i <= c.translation_degree; i++) {
      c.w[i] = exp(uniform(-3.0, 3.0));
    }
    const vouch_quaternion_curve_t curve = {
      c.degree, (const double(*)[4])c.q, c.translation_degree, (const double(*)[3])c.t,
      n % 4 < 2 ? c.w : NULL, false
    };
    vouch_rigid_motion_t * motion = NULL;
    require_ok(vouch_rigid_motion_create(&motion, vouch_allocator_default()));
    if (vouch_rigid_motion_add_quaternions(motion, 1.0, &curve) == VOUCH_RET_OK) {
      halved += motion->count > 1;
      for (int i = 0; i < 3; i++) {
        const rigid_segment_t * s = &motion->segments[pick((int)motion->count)];
        double at = (double)pick(1025) / 1024.0;
        arb_set_d(t, s->start_s + at * s->duration_s);
        exact_coefficient(s, 0, at, at, &e[0]);
        exact_curve(&curve, t, &e[1]);
        worst = fmax(worst, check_stated(s, &e[0], &e[1]));
      }
    }
    vouch_rigid_motion_destroy(motion);
  }
  print_message(
    "quaternion curves: at most %.3g of the bound, %zu needed halving\n", worst, halved);
  assert_true(halved > 2);
  arb_clear(t);
  exact_delete(e, 2);
}
#endif  // VOUCH_HAVE_ARB

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
  print_message("%d of 120 checks decided in both degrees, %d of these free\n", decided, free_count);
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
    weight *= powl((long double)t, (long double)n) * powl(1.0L - (long double)t, 2.0L * (long double)d -
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
  /* Half a turn about z without poses between: singular in the middle, in any degree. */
  for (size_t d = 1; d <= 81; d += 20) {
    for (size_t i = 0; i <= d; i++) {
      controls[i].m[0] = controls[i].m[4] = 1.0 - 2.0 * (double)i / (double)d;
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
#ifdef VOUCH_HAVE_ARB
    cmocka_unit_test(shares_and_products_are_as_near_as_stated),
    cmocka_unit_test(pieces_are_as_near_as_stated),
    cmocka_unit_test(quaternion_curves_are_as_near_as_stated),
#endif
    cmocka_unit_test(a_curve_is_the_same_in_any_degree),
    cmocka_unit_test(first_contact_is_the_closed_form),
    cmocka_unit_test(a_shared_translation_is_over_the_same_denominator),
    cmocka_unit_test(a_chain_of_screws_follows_a_curve_of_high_degree),
    cmocka_unit_test(what_is_refused_says_why)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
