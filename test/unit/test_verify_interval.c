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

/* The verifier's arithmetic against Arb: every operation encloses the exact result, sine and
 * cosine to few ulps; SHA-256 against published values; the floating-point environment. */

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fenv.h>

#include "base/sha256.h"
#include "support/verify_writer.h"
#include "verify/interval.h"
#include "verify/sha256.h"

#ifdef VOUCH_HAVE_ARB
#include <arb.h>
#endif

#ifndef CASES
  #define CASES 1000000
  #define POSES 20000
#endif
#define SEED UINT64_C(0x2545F4914F6CDD1D)

static uint64_t seed = SEED;

static uint64_t next(void)
{
  seed ^= seed >> 12;
  seed ^= seed << 25;
  seed ^= seed >> 27;
  return seed * UINT64_C(0x2545F4914F6CDD1D);
}

// Numbers of all sizes: exponents -60..60, small integers, subnormal numbers.
static double number(void)
{
  const uint64_t r = next();
  const double m = 1.0 + (double)(next() >> 12) * 0x1p-52;
  const double sign = r & 1 ? -1.0 : 1.0;
  switch ((r >> 1) % 16) {
    case 0: return sign * (double)((r >> 8) % 8);
    case 1: return sign * m * 0x1p-1030;
    case 2: return sign * (1.0 + (double)((r >> 8) % 4) * 0x1p-52);
    default: return sign * ldexp(m, (int)((r >> 8) % 121) - 60);
  }
}

static iv interval(void)
{
  const double a = number();
  const double b = next() % 4 == 0 ? a : next() % 4 ==
    0 ? number() : a * (1.0 + 0x1p-40 * (double)(next() % 64));
  return a < b ? (iv) {a, b} : (iv) {b, a};
}

// A number of the interval.
static double inside(iv a)
{
  const uint64_t r = next() % 4;
  const double t = (double)(next() >> 11) * 0x1p-53;
  const double x = r == 0 ? a.lo : r == 1 ? a.hi : a.lo + t * (a.hi - a.lo);
  return x < a.lo ? a.lo : x > a.hi ? a.hi : x;
}

#ifdef VOUCH_HAVE_ARB
static bool encloses(iv a, const arb_t exact)
{
  bool good = a.lo <= a.hi;
  arb_t lo;
  arb_t hi;
  arb_init(lo);
  arb_init(hi);
  arb_set_d(lo, a.lo);
  arb_set_d(hi, a.hi);
  good = good && arb_le(lo, exact) && arb_le(exact, hi);
  arb_clear(lo);
  arb_clear(hi);
  return good;
}

// [V-UP] [V-DOWN] [V-MORE] [V-LESS] [V-ADD] [V-SUB] [V-MUL] [V-DIV] [V-MAG] [V-SIGN] [V-LEN]
static void operations_enclose_the_exact_result(void ** state)
{
  (void)state;
  arb_t x, y, z;
  arb_init(x);
  arb_init(y);
  arb_init(z);
  for (int i = 0; i < CASES; i++) {
    const iv a = interval();
    const iv b = interval();
    const double p = inside(a);
    const double q = inside(b);
    arb_set_d(x, p);
    arb_set_d(y, q);
    bool good = true;
    arb_add(z, x, y, 3000);
    good = good && encloses(add(a, b), z);
    arb_sub(z, x, y, 3000);
    good = good && encloses(sub(a, b), z);
    arb_mul(z, x, y, 3000);
    good = good && encloses(mul(a, b), z);
    if (b.lo > 1e-200 && (a.lo >= 0.0 || b.lo == b.hi)) {
      arb_div(z, x, y, 3000);
      good = good && encloses(over(a, b), z);
    }
    good = good && fabs(p) <= mag(a) && (sign(a) == 0 || sign(a) * p > 0.0);
    const vec v = {a, b, point(p)};
    arb_mul(x, x, x, 3000);
    arb_mul(y, y, y, 3000);
    arb_add(z, x, y, 3000);
    arb_add(z, z, x, 3000);
    arb_sqrt(z, z, 200);
    good = good && encloses((iv) {0.0, length(v)}, z);
    if (!good) {
      fail_msg(
        "case %d: [%.17g, %.17g] [%.17g, %.17g] %.17g %.17g", i, a.lo, a.hi, b.lo, b.hi, p,
        q);
    }
  }
  arb_clear(x);
  arb_clear(y);
  arb_clear(z);
}

// [V-POINT] [V-CLIP] [V-SINE]
static void sine_and_cosine_are_enclosed_tightly(void ** state)
{
  (void)state;
  double widest = 0.0;
  arb_t x, s, c;
  arb_init(x);
  arb_init(s);
  arb_init(c);
  for (int i = 0; i < CASES; i++) {
    // Small angles, near multiples of pi/2, and up to 2^17.
    const double unit = (double)(next() >> 11) * 0x1p-53 - 0.5;
    const double quarter = (double)((int)(next() % 2000) - 1000) * 1.5707963267948966;
    const double q = i % 4 == 0 ? 16.0 * unit : i % 4 == 1 ? quarter * (1.0 + unit * 0x1p-40) :
      i % 4 == 2 ? 0x1p18 * unit : ldexp(unit, -(int)(next() % 100));
    const double wide = i % 8 < 4 ? 0.0 : 1e-13 * fabs(q);
    const iv angle = {q - wide, q + wide};
    const iv a = v_sine(angle, 0);
    const iv b = v_sine(angle, 1);
    arb_set_d(x, i % 16 < 8 ? q : i % 2 ? q - wide : q + wide);
    arb_sin_cos(s, c, x, 600);
    if (!encloses(a, s) || !encloses(b, c)) {fail_msg("case %d: q = %.17g", i, q);}
    if (wide == 0.0 && fabs(q) <= 16.0) {
      widest = fmax(widest, fmax(a.hi - a.lo, b.hi - b.lo));
    }
  }
  print_message(
    "%d operations, %d sines and cosines, %d poses against Arb; seed %" PRIu64 "\n",
    CASES, CASES, POSES, SEED);
  print_message("widest sine or cosine for |q| <= 16: %.3g\n", widest);
  assert_true(widest < 2e-15);
  for (int i = 0; i < 4; i++) {
    const iv wide = v_sine((iv) {0.0, 2.0}, i);
    const iv far = v_sine(point(1e300), i);
    assert_true(wide.lo == -1.0 && wide.hi == 1.0 && far.lo == -1.0 && far.hi == 1.0);
  }
  arb_clear(x);
  arb_clear(s);
  arb_clear(c);
}

// The exact rotation of a quaternion, row by row, in Arb.
static void exact_rotation(arb_t r[3][3], const double q[4])
{
  arb_t v[4], n, t;
  arb_init(n);
  arb_init(t);
  for (int i = 0; i < 4; i++) {
    arb_init(v[i]);
    arb_set_d(v[i], q[i]);
    arb_addmul(n, v[i], v[i], 300);
  }
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      const int k = 3 - i - j;
      if (i == j) {
        arb_mul(r[i][j], v[(i + 1) % 3], v[(i + 1) % 3], 300);
        arb_addmul(r[i][j], v[(i + 2) % 3], v[(i + 2) % 3], 300);
        arb_mul_si(r[i][j], r[i][j], -2, 300);
        arb_div(r[i][j], r[i][j], n, 300);
        arb_add_si(r[i][j], r[i][j], 1, 300);
      } else {
        arb_mul(r[i][j], v[i], v[j], 300);
        arb_mul(t, v[3], v[k], 300);
        if ((i + 1) % 3 == j) {arb_sub(r[i][j], r[i][j], t, 300);} else {
          arb_add(r[i][j], r[i][j], t, 300);
        }
        arb_mul_si(r[i][j], r[i][j], 2, 300);
        arb_div(r[i][j], r[i][j], n, 300);
      }
    }
  }
  for (int i = 0; i < 4; i++) {
    arb_clear(v[i]);
  }
  arb_clear(n);
  arb_clear(t);
}

// As the verifier loads it.
static rigid pose_of(const double f[7])
{
  const vec q = vector(f);
  const iv w = point(f[3]), square = add(dot(q, q), mul(w, w));
  return v_rotation(q, w, over(point(2.0), square), vector(f + 4));
}

// [V-VEC] [V-TURN] [V-UNTURN] [V-APPLY] [V-UNAPPLY] [V-COMPOSE] [V-QUATERNION]
static void poses_enclose_exact_rotations_and_their_products(void ** state)
{
  (void)state;
  arb_t r[3][3], s[3][3], z;
  arb_init(z);
  for (int i = 0; i < 9; i++) {
    arb_init(r[i / 3][i % 3]);
    arb_init(s[i / 3][i % 3]);
  }
  for (int n = 0; n < POSES; n++) {
    double f[2][7];
    for (int k = 0; k < 2; k++) {
      double norm = 0.0;
      for (int i = 0; i < 7; i++) {
        f[k][i] = (double)(next() >> 11) * 0x1p-52 - 1.0;
        norm += i < 4 ? f[k][i] * f[k][i] : 0.0;
      }
      for (int i = 0; i < 4; i++) {
        f[k][i] /= sqrt(norm) * (1.0 + 1e-4 * (double)(n % 5));
      }
    }
    const rigid p = pose_of(f[0]), q = pose_of(f[1]);
    const rigid product = v_compose(p, q);
    exact_rotation(r, f[0]);
    exact_rotation(s, f[1]);
    const vec rows[3] = {p.x, p.y, p.z}, products[3] = {product.x, product.y, product.z};
    const vec back = unapply(p, vector(f[1] + 4));
    const iv * t_product = &product.t.x, * t_back = &back.x;
    for (int i = 0; i < 3; i++) {
      const iv * row = &rows[i].x, * both = &products[i].x;
      arb_t t, u;
      arb_init(t);
      arb_init(u);
      arb_set_d(t, f[0][4 + i]);
      for (int j = 0; j < 3; j++) {
        assert_true(encloses(row[j], r[i][j]));
        arb_zero(z);
        for (int k = 0; k < 3; k++) {
          arb_addmul(z, r[i][k], s[k][j], 300);
        }
        assert_true(encloses(both[j], z));
        assert_true(both[j].hi - both[j].lo < 3e-14);
        arb_set_d(z, f[1][4 + j]);
        arb_addmul(t, r[i][j], z, 300);
        arb_addmul(u, r[j][i], z, 300);
        arb_set_d(z, f[0][4 + j]);
        arb_submul(u, r[j][i], z, 300);
      }
      assert_true(encloses(t_product[i], t));
      assert_true(encloses(t_back[i], u));
      arb_clear(t);
      arb_clear(u);
    }
  }
  for (int i = 0; i < 9; i++) {
    arb_clear(r[i / 3][i % 3]);
    arb_clear(s[i / 3][i % 3]);
  }
  arb_clear(z);
}
#endif

// [V-MAX] [V-MIN] No number is larger or smaller than NaN, on either side.
// [V-CROSS] The cross product of small whole numbers, which is exact but for the last widening.
static void nan_stays_and_cross_products_are_enclosed(void ** state)
{
  (void)state;
  const double nan = (double)NAN;
  assert_true(isnan(max(nan, 1.0)) && isnan(max(1.0, nan)));
  assert_true(isnan(min(nan, 1.0)) && isnan(min(1.0, nan)));
  assert_true(max(1.0, 2.0) == 2.0 && min(1.0, 2.0) == 1.0);
  for (int i = 0; i < 1000; i++) {
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
      a[k] = (double)(next() % 1001) - 500.0;
      b[k] = (double)(next() % 1001) - 500.0;
    }
    const vec c = cross(vector(a), vector(b));
    const iv sides[3] = {c.x, c.y, c.z};
    for (int k = 0; k < 3; k++) {
      const double exact = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
      assert_true(sides[k].lo <= exact && exact <= sides[k].hi);
      assert_true(sides[k].hi - sides[k].lo < 1e-9);
    }
  }
}

// [V-ROTR] [V-BLOCK] [V-SHA]
static void sha256_has_the_published_values(void ** state)
{
  (void)state;
  const struct {const char * text; const char * digest;} cases[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}
  };
  for (size_t i = 0; i < 3; i++) {
    uint8_t digest[32];
    char text[65];
    v_sha256((const uint8_t *)cases[i].text, strlen(cases[i].text), digest);
    for (int k = 0; k < 32; k++) {
      snprintf(text + 2 * k, 3, "%02x", digest[k]);
    }
    assert_string_equal(text, cases[i].digest);
  }
  // A million times 'a'; every length around a block, against another implementation.
  uint8_t * many = malloc(1000000), digest[32], other[32];
  memset(many, 'a', 1000000);
  for (size_t size = 0; size < 200; size++) {
    many[size] = (uint8_t)(31 * size);
    v_sha256(many, size, other);
    vouch_sha256(many, size, digest);
    assert_memory_equal(digest, other, sizeof(digest));
  }
  memset(many, 'a', 1000000);
  v_sha256(many, 1000000, other);
  assert_int_equal(other[0], 0xcd);
  assert_int_equal(other[31], 0xd0);
  free(many);
}

// Both calls ask for the environment: a thread may change it between them.
static void expect_refused(
  struct vouch_verifier * v, const w_bytes * problem,
  const w_bytes * proof)
{
  struct vouch_verify_report load, check;
  struct vouch_verifier * none = vouch_verify_load(problem->data, problem->size, &load);
  const int code = vouch_verify_check(v, proof->data, proof->size, &check);
  fesetround(FE_TONEAREST);
#ifdef __SSE2__
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() & ~0x8040u);
#endif
  assert_null(none);
  assert_int_equal(load.code, VOUCH_VERIFY_REFUSED);
  assert_int_equal(code, VOUCH_VERIFY_REFUSED);
  assert_int_equal(check.code, VOUCH_VERIFY_REFUSED);
  assert_non_null(strstr(load.text, "environment"));
  assert_non_null(strstr(check.text, "environment"));
  assert_int_equal(vouch_verify_check(v, proof->data, proof->size, &check), VOUCH_VERIFY_OK);
}

// [V-ENVIRONMENT]
static void a_changed_floating_point_environment_is_refused(void ** state)
{
  (void)state;
  struct vouch_verify_report report;
  w_problem * p = w_one_joint(2, (const double[3]) {1, 0, 0}, -1, 1);
  w_sphere(p, 0.1);
  w_add_body(p, 1, 0, 0, 0, 0);
  w_add_body(p, 0, 0, 0, 1, 0);
  p->pair[p->pairs++] = (w_pair) {0, 1, 0, 0};
  w_bytes problem = w_write_problem(p), proof = w_certificate_head(&problem, 1, W_ONE);
  w_leaf(&proof, 0, 1, 0);
  struct vouch_verifier * v = vouch_verify_load(problem.data, problem.size, &report);
  assert_non_null(v);
  const int modes[3] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (int i = 0; i < 3; i++) {
    fesetround(modes[i]);
    expect_refused(v, &problem, &proof);
  }
#ifdef __SSE2__
  const unsigned bits[2] = {0x8000, 0x0040};
  for (int i = 0; i < 2; i++) {
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | bits[i]);
    expect_refused(v, &problem, &proof);
  }
#endif
  free(v);
  w_free(&problem);
  w_free(&proof);
  w_free_problem(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
#ifdef VOUCH_HAVE_ARB
    cmocka_unit_test(operations_enclose_the_exact_result),
    cmocka_unit_test(sine_and_cosine_are_enclosed_tightly),
    cmocka_unit_test(poses_enclose_exact_rotations_and_their_products),
#endif
    cmocka_unit_test(nan_stays_and_cross_products_are_enclosed),
    cmocka_unit_test(sha256_has_the_published_values),
    cmocka_unit_test(a_changed_floating_point_environment_is_refused),
  };
  print_message("seed %llu\n", (unsigned long long)seed);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
#ifdef VOUCH_HAVE_ARB
  flint_cleanup();
#endif
  return failed;
}
