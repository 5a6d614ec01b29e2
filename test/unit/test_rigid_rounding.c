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

/* Every stated rounding bound of motions, in all degrees, against Arb. */

#include "methods/bernstein.h"
#include "unit/test_rigid_fixture.h"

#ifdef VOUCH_HAVE_ARB
#include <arb.h>

#define ROUND_OFF 0x1p-53
#define HIGHEST FIXTURE_HIGHEST

static const size_t degrees[] = {1, 2, 3, 8, 24, 25, 40, 64, 100, 200, 500, 1000};

/* The radii of de Casteljau in Arb grow up to threefold with each row. */
#define BITS 640
#define BLOSSOM_DEGREE 200

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

/// The homogeneous displacement at t, added up with the Bernstein polynomials.
static void exact_at(const rigid_segment_t * s, double t, exact_t * out)
{
  size_t d = s->degree;
  arb_t share, ratio, other, h;
  arb_init(share);
  arb_init(ratio);
  arb_init(other);
  arb_init(h);
  arb_set_d(ratio, t);
  arb_sub_si(other, ratio, 1, BITS);
  arb_neg(other, other);
  if (t < 1.0) {
    arb_pow_ui(share, other, d, BITS);
    arb_div(ratio, ratio, other, BITS);
  }
  for (int k = 0; k < 13; k++) {
    arb_set_d(out->x[k], t < 1.0 ? 0.0 : s->h[d][k]);
  }
  for (size_t i = 0; i <= d && t < 1.0; i++) {
    for (int k = 0; k < 13; k++) {
      arb_set_d(h, s->h[i][k]);
      arb_addmul(out->x[k], h, share, BITS);
    }
    arb_mul(share, share, ratio, BITS);
    arb_mul_ui(share, share, d - i, BITS);
    arb_div_ui(share, share, i + 1, BITS);
  }
  arb_clear(share);
  arb_clear(ratio);
  arb_clear(other);
  arb_clear(h);
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

/* [Q-PRODUCT] Products of polynomials err by no more than methods/bernstein.h says. */
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
  double worst = 0.0;
  const double times[3] = {piece->from, 0.5 * (piece->from + piece->to), piece->to};
  size_t i = (size_t)pick((int)s->degree + 1);
  arb_t one;
  arb_init(one);
  arb_one(one);
  if (s->degree <= BLOSSOM_DEGREE) {
    exact_coefficient(s, i, piece->from, piece->to, e);
    require_within(off_by(&piece->h[i][0], &e->x[0], 1, one), bound[0], "a weight", s->degree);
    require_within(off_by(&piece->h[i][1], &e->x[1], 9, one), bound[1], "w A", s->degree);
    require_within(off_by(&piece->h[i][10], &e->x[10], 3, one), bound[2], "w a", s->degree);
  }
  for (int k = 0; k < 3; k++) {
    exact_at(s, times[k], e);
    double a = off_by(&piece->at[k].m[0], &e->x[1], 9, e->x[0]);
    double b = off_by(&piece->at[k].m[9], &e->x[10], 3, e->x[0]);
    require_within(a, piece->error[0], "A", s->degree);
    require_within(b, piece->error[1], "a", s->degree);
    worst = fmax(worst, fmax(a / piece->error[0], b / piece->error[1]));
  }
  arb_clear(one);
  return worst;
}

/* [R-CASTELJAU] [R-MIDDLE] [R-POSE] Coefficients, middles and displacements of pieces of all levels. */
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
      exact_at(s, t, e);
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

/* [Q-ROUND] What the rounded coefficients of a quaternion curve add to its stated error. */
static void quaternion_curves_are_as_near_as_stated(void ** state)
{
  (void)state;
  static controls_t c;
  static const size_t tested[] = {1, 4, 8, 9, 12, 20, 33, 60, 120, 190};
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
        exact_at(s, at, &e[0]);
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

int main(void)
{
#ifdef VOUCH_HAVE_ARB
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(shares_and_products_are_as_near_as_stated),
    cmocka_unit_test(pieces_are_as_near_as_stated),
    cmocka_unit_test(quaternion_curves_are_as_near_as_stated)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
#else
  return 77;
#endif
}
