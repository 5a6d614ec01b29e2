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

/* Rules of free rigid bodies that whole checks rarely show when they are broken: the rounding of
 * screws, what each gap is charged, and positive quadratics whose least place was proposed badly. */

#include "methods/chord_test.h"
#include "methods/quadratic.h"
#include "methods/rigid_motion.h"
#include "unit/test_rigid_fixture.h"

/// A screw in 64-bit significands: rotation and translation at a fraction.
typedef struct wide_s
{
  long double r[9], t[3];
} wide_t;

static void wide_product(const long double a[9], const long double b[9], long double out[9])
{
  for (int i = 0; i < 9; i++) {
    out[i] = 0.0L;
    for (int k = 0; k < 3; k++) {
      out[i] += a[3 * (i / 3) + k] * b[3 * k + i % 3];
    }
  }
}

/// The rotation of a quaternion of any length.
static void wide_rotation(const double q[4], long double out[9])
{
  long double x = q[0], y = q[1], z = q[2], w = q[3];
  long double s = 2.0L / (x * x + y * y + z * z + w * w);
  const long double m[9] = {
    1.0L - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),
    s * (x * y + w * z), 1.0L - s * (x * x + z * z), s * (y * z - w * x),
    s * (x * z - w * y), s * (y * z + w * x), 1.0L - s * (x * x + y * y)
  };
  memcpy(out, m, sizeof(m));
}

static wide_t wide_screw(const vouch_screw_t * screw, double fraction)
{
  long double axis[3], length = 0.0L, turn[9], start[9],
    angle = (long double)fraction * screw->angle;
  for (int k = 0; k < 3; k++) {
    length += (long double)screw->direction[k] * screw->direction[k];
  }
  for (int k = 0; k < 3; k++) {
    axis[k] = screw->direction[k] / sqrtl(length);
  }
  const long double c = cosl(angle), s = sinl(angle);
  for (int i = 0; i < 9; i++) {
    int row = i / 3, column = i % 3, other = 3 - row - column;
    long double across = row ==
      column ? 0.0L : axis[other] * ((column - row + 3) % 3 == 1 ? -1 : 1);
    turn[i] = (row == column ? c : 0.0L) + (1.0L - c) * axis[row] * axis[column] + s * across;
  }
  wide_t out;
  wide_rotation(screw->start.rotation, start);
  wide_product(turn, start, out.r);
  for (int k = 0; k < 3; k++) {
    out.t[k] = screw->point[k] + (long double)fraction * screw->travel * axis[k];
    for (int i = 0; i < 3; i++) {
      out.t[k] += turn[3 * k + i] * ((long double)screw->start.translation[i] - screw->point[i]);
    }
  }
  return out;
}

/* [R-SCREW] Displacements of screws, far from their axes and over many turns, err by less than what
 * a piece states, and that is not a matter of course: they do err. */
static void screws_are_as_near_as_stated(void ** state)
{
  (void)state;
  fixture_seed(21);
  double worst = 0.0, largest = 0.0;
  for (int round = 0; round < 5000; round++) {
    vouch_screw_t screw = {.start = random_pose(exp2(uniform(-3.0, 10.0))),
      .angle = uniform(-1.0, 1.0) * exp2(uniform(-4.0, 1.6)), .travel = uniform(-2.0, 2.0)};
    for (int k = 0; k < 3; k++) {
      screw.point[k] = uniform(-1.0, 1.0);
      screw.direction[k] = uniform(-1.0, 1.0);
    }
    vouch_rigid_motion_t * motion = NULL;
    require_ok(vouch_rigid_motion_create(&motion, vouch_allocator_default()));
    if (vouch_rigid_motion_add_screw_axis(motion, 1.0, &screw) == VOUCH_RET_OK) {
      const rigid_segment_t * segment = &motion->segments[0];
      motion_piece_t piece = {.h = NULL};
      motion_piece_init(&piece, segment);
      for (int k = 0; k < 3; k++) {
        wide_t exact = wide_screw(&segment->screw, 0.5 * k);
        long double turn = 0.0L, shift = 0.0L;
        for (int i = 0; i < 12; i++) {
          long double off = piece.at[k].m[i] - (i < 9 ? exact.r[i] : exact.t[i - 9]);
          *(i < 9 ? &turn : &shift) += off * off;
        }
        assert_true(sqrtl(turn) <= piece.error[0] && sqrtl(shift) <= piece.error[1]);
        worst = fmax(worst, (double)(sqrtl(turn) / piece.error[0]));
        largest = fmax(largest, (double)sqrtl(turn));
      }
    }
    vouch_rigid_motion_destroy(motion);
  }
  print_message("rotations err by up to %.3g, %.3g of what is stated\n", largest, worst);
  assert_true(largest > 0x1p-53);
}

/* [C-E] Each share of what a gap is charged is there when it is the only one that matters: the
 * largest length of either body, the error that a motion states, the one of its weights. */
static void each_share_of_the_rounding_is_charged(void ** state)
{
  (void)state;
  vouch_affine_t controls[2] = {{{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}}, {{0}}};
  controls[1] = controls[0];
  const double even[2] = {1.0, 1.0}, uneven[2] = {1.0, 1e6};
  vouch_rigid_body_t * small = make_box(0.2, 0.2, 0.2), * wide = make_box(2e4, 0.2, 0.2);
  double charged[2];
  /* A screw that does not turn has no weights: nothing but the lengths is charged for it. */
  const vouch_screw_t still = {.start = vouch_pose_identity(), .direction = {0.0, 0.0, 1.0}};
  rigid_segment_t screw = {.kind = SEGMENT_SCREW, .screw = still, .axis = vec3(0.0, 0.0, 1.0),
    .start = rigid_from_pose(&still.start)};
  motion_piece_t piece = {.h = NULL};
  motion_piece_init(&piece, &screw);
  assert_true(chord_rounding(&piece, small, small) < 1e-10);
  assert_true(chord_rounding(&piece, small, wide) >= 1e-11 * 1e4);
  for (int i = 0; i < 2; i++) {
    vouch_rigid_motion_t * motion = NULL;
    motion_room_t room;
    require_ok(vouch_rigid_motion_create(&motion, vouch_allocator_default()));
    require_ok(vouch_rigid_motion_add_bezier(motion, 1.0, 1, i == 0 ? even : uneven, controls));
    rigid_segment_t * segment = &motion->segments[0];
    require_ok(motion_room_init(&room, &motion->allocator, segment, 1));
    motion_piece_init(&room.pieces[0], segment);
    charged[i] = chord_rounding(&room.pieces[0], small, small);
    if (i == 0) {
      assert_true(charged[0] < 1e-10);
      assert_true(chord_rounding(&room.pieces[0], small, wide) >= 1e-11 * 1e4);
      segment->error[0] = 0.5;
      assert_true(chord_rounding(&room.pieces[0], small, small) >= 0.5 * small->reach);
      segment->error[0] = 0.0;
      segment->error[1] = 0.25;
      assert_true(chord_rounding(&room.pieces[0], small, small) >= 0.25);
    }
    motion_room_fini(&room);
    vouch_rigid_motion_destroy(motion);
  }
  /* Where a coefficient is small against its weight's largest, its error counts as much more. */
  assert_true(charged[1] >= 1e5 * 1e-11);
  vouch_rigid_body_destroy(small);
  vouch_rigid_body_destroy(wide);
}

static double value_of(const quadratic_t * q, double s, double t)
{
  return q->k + s * q->ks + t * q->kt + s * s * q->kss + s * t * q->kst + t * t * q->ktt;
}

/* [F-CONVEX] A convex quadratic that is said to be positive is so at all sampled points: also where
 * it hardly bends along some line, so that the proposed place is far from the least one. */
static void convex_quadratics_are_positive_where_said(void ** state)
{
  (void)state;
  fixture_seed(22);
  static const double square[4][2] = {{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}};
  static const double triangle[3][2] = {{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}};
  int positive = 0, not_positive = 0;
  for (int round = 0; round < 200000; round++) {
    /* (a s + b t + c)^2, nothing or a little across it, and a slope. */
    double a = uniform(-2.0, 2.0), b = uniform(-2.0, 2.0), c = uniform(-2.0, 2.0);
    double across = pick(2) ? 0.0 : exp2(uniform(-60.0, 2.0)), slope = exp2(uniform(-60.0, 1.0));
    quadratic_t q = {c * c, 2.0 * a * c + slope * uniform(-1.0, 1.0),
      2.0 * b * c + slope * uniform(-1.0, 1.0), a * a + across * b * b,
      2.0 * a * b * (1.0 - across), b * b + across * a * a};
    bool whole = pick(2) == 0;
    double least = INFINITY;
    for (int i = 0; i <= 20; i++) {
      for (int j = 0; j <= (whole ? 20 : 20 - i); j++) {
        least = fmin(least, value_of(&q, i / 20.0, j / 20.0));
      }
    }
    q.k -= least + uniform(-1.0, 1.0) * (pick(2) ? 0.1 * slope : 0.01);
    least = INFINITY;
    for (int i = 0; i <= 20; i++) {
      for (int j = 0; j <= (whole ? 20 : 20 - i); j++) {
        least = fmin(least, value_of(&q, i / 20.0, j / 20.0));
      }
    }
    bool said = quadratic_convex_positive(
      &q, whole ? square : triangle, whole ? 4 : 3, 0x1p-46 * quadratic_size(&q));
    positive += said;
    not_positive += !said;
    if (said && !(least > 0.0)) {
      fail_msg("round %d: %.17g is not positive", round, least);
    }
  }
  print_message("%d positive, %d not said to be\n", positive, not_positive);
  assert_true(positive > 1000 && not_positive > 1000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(screws_are_as_near_as_stated),
    cmocka_unit_test(each_share_of_the_rounding_is_charged),
    cmocka_unit_test(convex_quadratics_are_positive_where_said)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
