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

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/vec.h"
#include "support/random.h"

static double apart(vec3_t a, vec3_t b)
{
  return vec3_norm(vec3_sub(a, b));
}

static vec3_t random_vector(test_random_t * random)
{
  double n[3];
  test_random_direction(random, n);
  return vec3_scale(vec3_from(n), test_random_in(random, 0.1, 3.0));
}

static void random_quaternion(test_random_t * random, double length, double q[4])
{
  double square = 0.0;
  for (int i = 0; i < 4; ++i) {
    q[i] = test_random_in(random, -1.0, 1.0);
    square += q[i] * q[i];
  }
  for (int i = 0; i < 4; ++i) {
    q[i] *= length / sqrt(square);
  }
}

static vouch_pose_t random_pose(test_random_t * random)
{
  vouch_pose_t pose;
  random_quaternion(random, 1.0, pose.rotation);
  vec3_store(random_vector(random), pose.translation);
  return pose;
}

/// q v q* by the definition of quaternions, without any matrix.
static vec3_t turned(const double q[4], vec3_t v)
{
  double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  double p[4] = {v.x, v.y, v.z, 0.0}, conjugate[4] = {-q[0], -q[1], -q[2], q[3]};
  double t[4], r[4];
  quaternion_mul(q, p, t);
  quaternion_mul(t, conjugate, r);
  return vec3_scale(vec3(r[0], r[1], r[2]), 1.0 / n);
}

static void matrix_of_a_quaternion_is_its_rotation(void ** state)
{
  (void)state;
  test_random_t random = {.state = 11};
  for (int i = 0; i < 1000; ++i) {
    double q[4];
    random_quaternion(&random, test_random_in(&random, 0.999, 1.001), q);
    mat3_t m = mat3_from_quaternion(q);
    vec3_t v = random_vector(&random);
    assert_true(apart(mat3_mul_vec(&m, v), turned(q, v)) < 1e-14);
    mat3_t unit = mat3_tmul(&m, &m), one = mat3_identity();
    for (int k = 0; k < 9; ++k) {
      assert_true(fabs(unit.m[k] - one.m[k]) < 1e-15 * 4);
    }
  }
}

/* Rodrigues' formula against the turn in the plane: what is along the axis stays, what is across it
 * moves by cosine and sine. */
static void turn_about_an_axis(void ** state)
{
  (void)state;
  test_random_t random = {.state = 12};
  for (int i = 0; i < 1000; ++i) {
    vec3_t axis = random_vector(&random), v = random_vector(&random);
    double angle = test_random_in(&random, -7.0, 7.0);
    vec3_t z = vec3_unit(axis, vec3(0.0, 0.0, 1.0));
    vec3_t along = vec3_scale(z, vec3_dot(z, v)), across = vec3_sub(v, along);
    vec3_t want = vec3_add(
      along, vec3_add(
        vec3_scale(across, cos(angle)), vec3_scale(vec3_cross(z, across), sin(angle))));
    mat3_t m = mat3_from_axis_angle(axis, angle);
    assert_true(apart(mat3_mul_vec(&m, v), want) < 1e-14);
  }
}

static void fixed_axis_angles_turn_x_then_y_then_z(void ** state)
{
  (void)state;
  test_random_t random = {.state = 13};
  for (int i = 0; i < 1000; ++i) {
    double rpy[3], q[4];
    for (int k = 0; k < 3; ++k) {
      rpy[k] = test_random_in(&random, -3.2, 3.2);
    }
    mat3_t x = mat3_from_axis_angle(vec3(1.0, 0.0, 0.0), rpy[0]);
    mat3_t y = mat3_from_axis_angle(vec3(0.0, 1.0, 0.0), rpy[1]);
    mat3_t z = mat3_from_axis_angle(vec3(0.0, 0.0, 1.0), rpy[2]);
    vec3_t v = random_vector(&random);
    vec3_t want = mat3_mul_vec(&z, mat3_mul_vec(&y, mat3_mul_vec(&x, v)));
    quaternion_from_rpy(rpy, q);
    mat3_t m = mat3_from_quaternion(q);
    assert_true(apart(mat3_mul_vec(&m, v), want) < 1e-14);
  }
}

static void products_of_poses(void ** state)
{
  (void)state;
  test_random_t random = {.state = 14};
  for (int i = 0; i < 1000; ++i) {
    vouch_pose_t pa = random_pose(&random), pb = random_pose(&random);
    vouch_pose_t pc = pose_mul(&pa, &pb);
    rigid_t a = rigid_from_pose(&pa), b = rigid_from_pose(&pb), c = rigid_from_pose(&pc);
    rigid_t ab = rigid_mul(&a, &b), relative = rigid_relative(&a, &ab), one = rigid_identity();
    vec3_t v = random_vector(&random);
    vec3_t want = rigid_apply(&a, rigid_apply(&b, v));
    assert_true(apart(rigid_apply(&c, v), want) < 1e-14);
    assert_true(apart(rigid_apply(&ab, v), want) < 1e-14);
    assert_true(apart(rigid_apply(&relative, v), rigid_apply(&b, v)) < 2e-14);
    assert_true(apart(rigid_unapply(&a, rigid_apply(&a, v)), v) < 1e-14);
    assert_true(apart(rigid_apply(&one, v), v) == 0.0);
  }
}

static void the_identity_is_exact_at_any_length(void ** state)
{
  (void)state;
  const double q[4] = {0.0, 0.0, 0.0, 0.9995};
  mat3_t m = mat3_from_quaternion(q), one = mat3_identity();
  for (int k = 0; k < 9; ++k) {
    assert_true(m.m[k] == one.m[k]);
  }
}

static void unit_falls_back_on_nothing(void ** state)
{
  (void)state;
  vec3_t fallback = vec3(1.0, 0.0, 0.0);
  assert_true(apart(vec3_unit(vec3(0.0, 0.0, 0.0), fallback), fallback) == 0.0);
  assert_true(apart(vec3_unit(vec3(NAN, 0.0, 0.0), fallback), fallback) == 0.0);
  assert_true(fabs(vec3_norm(vec3_unit(vec3(3.0, 4.0, 12.0), fallback)) - 1.0) < 1e-15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(matrix_of_a_quaternion_is_its_rotation),
    cmocka_unit_test(turn_about_an_axis),
    cmocka_unit_test(fixed_axis_angles_turn_x_then_y_then_z),
    cmocka_unit_test(products_of_poses),
    cmocka_unit_test(the_identity_is_exact_at_any_length),
    cmocka_unit_test(unit_falls_back_on_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
