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

/* The campaign of test_rigid_agreement.c, also run longer in test/long. */

#ifndef UNIT__TEST_RIGID_AGREEMENT_H_
#define UNIT__TEST_RIGID_AGREEMENT_H_

#include "unit/test_rigid_fixture.h"

typedef struct tally_s
{
  int motions, refused, decided[3][4], screws;
} tally_t;

static const char * const method_names[3] = {"chord", "toleranced", "screw"};

#define COMPLAIN(seed, ...) \
  do { \
    print_error("replay: seed %llu\n", (unsigned long long)(seed)); \
    fail_msg(__VA_ARGS__); \
  } while (0)

/// FREE must survive dense sampling of the motion, and of displacements within the tolerance.
static void check_free(
  uint64_t seed, const vouch_rigid_body_t * a, const vouch_rigid_body_t * b,
  const vouch_rigid_motion_t * motion, const vouch_rigid_options_t * options,
  const vouch_rigid_result_t * result, int samples)
{
  double low = result->clearance_lower_m;
  for (size_t s = 0; s < vouch_rigid_motion_segment_count(motion); s++) {
    for (int i = 0; i <= samples; i++) {
      vouch_affine_t g = vouch_rigid_motion_at(motion, s, (double)i / samples);
      if (options->tolerance > 0.0) {
        /* A random affine displacement with norm equal to the tolerance. */
        const metric_t * m = &a->metric;
        double e[12], norm = 0.0;
        for (int k = 0; k < 12; k++) {
          e[k] = uniform(-1.0, 1.0);
          norm += e[k] * e[k];
        }
        double scale = options->tolerance / sqrt(norm);
        vec3_t image = vec3_scale(vec3_from(&e[0]), scale);
        for (int j = 0; j < 3; j++) {
          vec3_t column = vec3_scale(vec3_from(&e[3 + 3 * j]), scale / m->s[j]);
          const double * q = &m->q[j].x, * c = &column.x;
          for (int k = 0; k < 9; k++) {
            g.m[k] += c[k / 3] * q[k % 3];
          }
          image = vec3_sub(image, vec3_scale(column, vec3_dot(m->q[j], m->centre)));
        }
        for (int k = 0; k < 3; k++) {
          g.m[9 + k] += (&image.x)[k];
        }
      }
      if (truth_overlap(a, b, &g)) {
        COMPLAIN(
          seed, "%s: FREE, but there is an overlap at %zu, %.17g", method_names[options->method],
          s, (double)i / samples);
      }
      bool measure = i % 16 == 0;
      double limit = fmax(options->margin_m, low);
      double distance = measure ? truth_distance(a, b, &g, limit) : INFINITY;
      if (distance < options->margin_m - 1e-9 ||
        (options->tolerance == 0.0 && distance < low - 1e-9))
      {
        COMPLAIN(
          seed, "%s: FREE with margin %.17g and clearance %.17g, but the distance at %zu, %.17g is "
          "%.17g", method_names[options->method], options->margin_m, low, s, (double)i / samples,
          distance);
      }
    }
  }
}

static void check_collision(
  uint64_t seed, const vouch_rigid_body_t * a, const vouch_rigid_body_t * b,
  const vouch_rigid_motion_t * motion, const vouch_rigid_options_t * options,
  const vouch_rigid_result_t * result)
{
  vouch_affine_t g = vouch_rigid_motion_at(motion, result->segment, result->fraction);
  double distance = truth_overlap(a, b, &g) ? 0.0 : truth_distance(a, b, &g, INFINITY);
  if (!(distance <= options->margin_m + 1e-9)) {
    COMPLAIN(
      seed, "%s: COLLISION at %zu, %.17g, but the distance there is %.17g",
      method_names[options->method], result->segment, result->fraction, distance);
  }
  for (int i = 0; i < 32 && result->segment == 0; i++) {
    double t = result->free_until * i / 32.0;
    g = vouch_rigid_motion_at(motion, 0, t);
    if (t < result->free_until - 1e-9 && truth_overlap(a, b, &g)) {
      COMPLAIN(
        seed, "%s: free until %.17g, but there is an overlap at %.17g",
        method_names[options->method], result->free_until, t);
    }
  }
}

/// One random problem through all methods that apply.
static void one_problem(uint64_t seed, int samples, tally_t * tally)
{
  fixture_seed(seed);
  int kind = pick(6);
  vouch_rigid_body_t * a = make_body(0.5), * b = make_body(0.7);
  vouch_rigid_motion_t * motion = make_motion(kind, 1.3);
  vouch_verdict_t first = VOUCH_UNDECIDED;
  tally->motions++;
  if (motion == NULL) {
    tally->refused++;
  }
  double margin = pick(3) == 0 ? uniform(0.0, 0.1) : 0.0;
  double tolerance = pick(4) == 0 ? uniform(0.0, 0.03) : 0.0;
  double contact_from = -1.0;
  for (int method = 0; method < 3 && motion != NULL; method++) {
    vouch_rigid_options_t options = vouch_rigid_options_default();
    vouch_rigid_result_t result;
    options.method = (vouch_rigid_method_t)method;
    options.margin_m = margin;
    options.tolerance = tolerance;
    options.threads = 1;
    /* First contacts are narrowed in one of eight: verdicts need fewer halvings. */
    options.max_depth = pick(8) == 0 ? options.max_depth : 14;
    options.max_tests = 5000;
    options.resolution_m = 1e-3;
    options.ball = (vouch_ball_t)pick(4);
    options.individual_masses = pick(3) == 0;
    if (method == VOUCH_RIGID_SCREW && (kind > 1 || margin + tolerance > 0.0)) {
      continue;
    }
    vouch_ret_t ret = vouch_rigid_check(a, b, motion, &options, &result);
    if (ret == VOUCH_RET_INVALID && method == VOUCH_RIGID_SCREW) {
      continue;   // a turn too small for an axis
    }
    require_ok(ret);
    tally->decided[method][result.verdict]++;
    if (result.verdict == VOUCH_FREE) {
      check_free(seed, a, b, motion, &options, &result, samples);
    } else if (result.verdict == VOUCH_COLLISION) {
      check_collision(seed, a, b, motion, &options, &result);
      if (method == VOUCH_RIGID_CHORD) {
        contact_from = result.fraction;
      }
      if (method == VOUCH_RIGID_SCREW && contact_from >= 0.0 &&
        !(result.free_until <= contact_from + 1e-9))
      {
        COMPLAIN(
          seed, "screw: free until %.17g, chord: contact at %.17g", result.free_until,
          contact_from);
      }
    }
    if (result.verdict != VOUCH_UNDECIDED) {
      if (first != VOUCH_UNDECIDED && first != result.verdict) {
        COMPLAIN(
          seed, "%s says %s, another method %s", method_names[method],
          vouch_verdict_name(result.verdict), vouch_verdict_name(first));
      }
      first = result.verdict;
    }
    vouch_rigid_result_fini(&result);
  }
  vouch_rigid_motion_destroy(motion);
  vouch_rigid_body_destroy(a);
  vouch_rigid_body_destroy(b);
}

static void campaign(uint64_t first_seed, int count, int samples)
{
  tally_t tally = {0};
  for (int i = 0; i < count; i++) {
    one_problem(first_seed + (uint64_t)i, samples, &tally);
  }
  print_message(
    "%d motions from seed %llu, %d refused\n", tally.motions, (unsigned long long)first_seed,
    tally.refused);
  for (int m = 0; m < 3; m++) {
    print_message(
      "%-10s undecided %d, free %d, collision %d\n", method_names[m], tally.decided[m][0],
      tally.decided[m][1], tally.decided[m][2]);
    int all = tally.decided[m][0] + tally.decided[m][1] + tally.decided[m][2];
    assert_true(tally.decided[m][1] > all / 20 && tally.decided[m][2] > all / 20);
    assert_true(tally.decided[m][0] <= all / 5);
  }
}

#endif  // UNIT__TEST_RIGID_AGREEMENT_H_
