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

/* Nearest points against optimality itself: a point of the hull is nearest to q exactly when no
 * cloud point lies below the plane through it across the line to q. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/hull.h"
#include "geometry/nearest.h"
#include "support/random.h"

static const vouch_nearest_options_t exactly = {.enough = HUGE_VAL, .relative = 1e-14};

/// Clouds of many kinds: 0 ball, 1 flat, 2 line, 3 one point many times, 4 grid, 5 sphere, 6 tiny.
static vec3_t cloud_point(test_random_t * random, int kind)
{
  double n[3];
  test_random_direction(random, n);
  vec3_t p = vec3(
    test_random_in(random, -1.0, 1.0), test_random_in(random, -1.0, 1.0),
    test_random_in(random, -1.0, 1.0));
  switch (kind) {
    case 1: return vec3(p.x, p.y, 0.25 * p.x - 0.5 * p.y);
    case 2: return vec3(p.x, 2.0 * p.x, -p.x);
    case 3: return vec3(0.5, 0.25, -1.0);
    case 4: return vec3(round(2.0 * p.x), round(2.0 * p.y), round(2.0 * p.z));
    case 5: return vec3_from(n);
    case 6: return vec3_scale(p, 1e-9);
    default: return p;
  }
}

static void fill(vouch_cloud_t * cloud, test_random_t * random, int kind, uint32_t count)
{
  vouch_allocator_t allocator = vouch_allocator_default();
  assert_true(vouch_cloud_reserve(cloud, &allocator, count));
  vouch_cloud_clear(cloud);
  for (uint32_t i = 0; i < count; ++i) {
    vouch_cloud_add(cloud, cloud_point(random, kind));
  }
}

static void lowest_is_the_first_of_the_lowest(void ** state)
{
  (void)state;
  vouch_cloud_t cloud = {0};
  vouch_allocator_t allocator = vouch_allocator_default();
  test_random_t random = {.state = 21};
  for (int round = 0; round < 3000; ++round) {
    fill(&cloud, &random, round % 7, 1 + test_random_below(&random, 70));
    double n[3], height = 0.0;
    test_random_direction(&random, n);
    vec3_t d = round % 5 == 0 ? vec3(0.0, 0.0, 1.0) : vec3_from(n);
    uint32_t got = vouch_cloud_lowest(&cloud, d, &height), want = 0;
    for (uint32_t i = 1; i < cloud.count; ++i) {
      if (vec3_dot(vouch_cloud_get(&cloud, i), d) < vec3_dot(vouch_cloud_get(&cloud, want), d)) {
        want = i;
      }
    }
    assert_int_equal(got, want);
    assert_true(height == vec3_dot(vouch_cloud_get(&cloud, want), d));
  }
  vouch_cloud_fini(&cloud, &allocator);
}

static void check_nearest(const vouch_cloud_t * cloud, vec3_t q, double size)
{
  vouch_nearest_t nearest = vouch_cloud_nearest(cloud, q, exactly);
  vec3_t sum = vec3(0.0, 0.0, 0.0);
  double weights = 0.0;
  assert_true(nearest.count >= 1 && nearest.count <= 4);
  for (uint32_t i = 0; i < nearest.count; ++i) {
    assert_true(nearest.index[i] < cloud->count);
    assert_true(nearest.weight[i] >= 0.0);
    weights += nearest.weight[i];
    sum = vec3_add(
      sum, vec3_scale(vouch_cloud_get(cloud, nearest.index[i]), nearest.weight[i]));
  }
  assert_true(fabs(weights - 1.0) < 1e-14);
  vec3_t offset = vec3_sub(sum, q);
  assert_true(vec3_norm(vec3_sub(offset, nearest.offset)) < 1e-14 * size);
  assert_true(fabs(vec3_norm(offset) - nearest.distance) < 1e-14 * size);
  double height;
  (void)vouch_cloud_lowest(cloud, nearest.offset, &height);
  double lower = (height - vec3_dot(q, nearest.offset)) / nearest.distance;
  // Either the distance is nothing, or a plane at (nearly) that distance separates.
  if (nearest.distance > 1e-13 * size && !(nearest.distance - lower < 1e-9 * size)) {
    fail_msg("distance %.17g, separated by %.17g", nearest.distance, lower);
  }
}

static void nearest_points_are_nearest(void ** state)
{
  (void)state;
  vouch_cloud_t cloud = {0};
  vouch_allocator_t allocator = vouch_allocator_default();
  test_random_t random = {.state = 22};
  for (int round = 0; round < 20000; ++round) {
    int kind = round % 7;
    fill(&cloud, &random, kind, 1 + test_random_below(&random, round % 2 == 0 ? 8 : 128));
    double size = kind == 6 ? 1e-9 : 1.0;
    double reach = test_random_in(&random, 0.0, 2.0) * size;
    double n[3];
    test_random_direction(&random, n);
    vec3_t q = round % 3 == 0 ? vouch_cloud_get(&cloud, 0) : vec3_scale(vec3_from(n), reach);
    check_nearest(&cloud, q, 4.0 * size);
  }
  vouch_cloud_fini(&cloud, &allocator);
}

static void early_stops_are_right(void ** state)
{
  (void)state;
  vouch_cloud_t cloud = {0};
  vouch_allocator_t allocator = vouch_allocator_default();
  test_random_t random = {.state = 23};
  int apart = 0;
  for (int round = 0; round < 5000; ++round) {
    fill(&cloud, &random, round % 6, 1 + test_random_below(&random, 60));
    double n[3];
    test_random_direction(&random, n);
    vec3_t q = vec3_scale(vec3_from(n), test_random_in(&random, 0.5, 2.0));
    double distance = vouch_cloud_nearest(&cloud, q, exactly).distance;
    vouch_nearest_options_t options = {.enough = 0.1, .relative = 1e-14};
    bool stopped = vouch_cloud_nearest(&cloud, q, options).apart;
    assert_true(!stopped || distance > 0.1 * (1.0 - 1e-12));
    apart += stopped;
  }
  assert_true(apart > 1000);
  vouch_cloud_fini(&cloud, &allocator);
}

static void set_points(
  vouch_hull_t * hull, test_random_t * random, int kind, uint32_t count, double(*points)[3])
{
  static uint32_t numbers[3000];
  assert_true(count <= 3000);
  for (uint32_t i = 0; i < count; ++i) {
    vec3_store(cloud_point(random, kind), points[i]);
    numbers[i] = i;
  }
  assert_true(vouch_hull_set_points(hull, (const double(*)[3])points, numbers, count));
}

/// How far the mixtures miss their points.
static double worst_miss(const vouch_hull_t * hull)
{
  double worst = 0.0;
  for (uint32_t i = 0; i < hull->points.count; ++i) {
    const vouch_mixture_t * mixture = &hull->mixtures[i];
    vec3_t miss = vec3_neg(vouch_cloud_get(&hull->points, i));
    assert_true(mixture->count >= 1 && mixture->count <= 4);
    for (uint32_t k = 0; k < mixture->count; ++k) {
      assert_true(mixture->index[k] < hull->kept_count);
      uint32_t point = hull->kept[mixture->index[k]];
      miss = vec3_add(miss, vec3_scale(vouch_cloud_get(&hull->points, point), mixture->weight[k]));
    }
    worst = vec3_norm(miss) > worst ? vec3_norm(miss) : worst;
  }
  return worst;
}

static void kept_points_contain_all_points(void ** state)
{
  (void)state;
  static double points[3000][3];
  vouch_hull_t hull = {.allocator = vouch_allocator_default()};
  test_random_t random = {.state = 24};
  for (int round = 0; round < 400; ++round) {
    int kind = round % 7;
    uint32_t count = 1 + test_random_below(&random, round % 10 == 0 ? 1500 : 200);
    set_points(&hull, &random, kind, count, points);
    vouch_hull_keep(&hull, 3000, 1e-10);
    assert_true(worst_miss(&hull) <= 1.001e-10);
    uint32_t needed = hull.kept_count;
    assert_true(kind != 1 || needed < 70);                 // hull of a flat set: few corners
    assert_true(kind != 2 || needed <= 2);                 // a line: its ends
    assert_true(kind != 3 || needed == 1);
    vouch_hull_keep(&hull, 24, 1e-10);
    assert_true(hull.kept_count <= 24);
    double miss = worst_miss(&hull);
    assert_true(needed <= 24 ? miss <= 1.001e-10 : miss < 0.8);
  }
  vouch_hull_fini(&hull);
}

/// Faces, edges and the inside of a grid are full of points that are not needed; binary32 makes
/// them stick out a little.
static void of_a_grid_only_the_corners_are_kept(void ** state)
{
  (void)state;
  static double points[1000][3];
  static uint32_t numbers[1000];
  vouch_hull_t hull = {.allocator = vouch_allocator_default()};
  const double q[4] = {0.1, -0.3, 0.2, 0.9};
  for (int turned = 0; turned < 2; ++turned) {
    mat3_t m = turned ? mat3_from_quaternion(q) : mat3_identity();
    for (uint32_t i = 0; i < 1000; ++i) {
      vec3_t p = mat3_mul_vec(&m, vec3(0.1 * (i % 10), 0.1 * (i / 10 % 10), 0.1 * (i / 100)));
      points[i][0] = (double)(float)p.x;
      points[i][1] = (double)(float)p.y;
      points[i][2] = (double)(float)p.z;
      numbers[i] = i;
    }
    assert_true(vouch_hull_set_points(&hull, (const double(*)[3])points, numbers, 1000));
    vouch_hull_keep(&hull, 128, 1.5e-7);
    assert_int_equal(hull.kept_count, 8);
    assert_true(worst_miss(&hull) < 1.5e-7);
  }
  vouch_hull_fini(&hull);
}

static void many_points_are_thinned_well(void ** state)
{
  (void)state;
  static double points[3000][3];
  vouch_hull_t hull = {.allocator = vouch_allocator_default()};
  test_random_t random = {.state = 25};
  set_points(&hull, &random, 5, 3000, points);
  vouch_hull_keep(&hull, 128, 1e-10);
  assert_int_equal(hull.kept_count, 128);
  // 128 points on a sphere stand about 0.31 apart: the caps between them are about 0.03 high.
  assert_true(worst_miss(&hull) < 0.06);
  vouch_hull_fini(&hull);
}

static void no_extreme_point_is_dropped(void ** state)
{
  (void)state;
  static double points[3000][3];
  vouch_hull_t hull = {.allocator = vouch_allocator_default()};
  test_random_t random = {.state = 26};
  for (int round = 0; round < 200; ++round) {
    int kind = round % 7;
    uint32_t count = 9 + test_random_below(&random, 300);
    set_points(&hull, &random, kind, count, points);
    vouch_hull_keep_all_extreme(&hull);
    assert_true(kind != 0 || count < 100 || hull.kept_count < count);
    for (int k = 0; k < 300; ++k) {
      double n[3], all = HUGE_VAL, kept = HUGE_VAL;
      test_random_direction(&random, n);
      (void)vouch_cloud_lowest(&hull.points, vec3_from(n), &all);
      for (uint32_t i = 0; i < hull.kept_count; ++i) {
        double h = vec3_dot(vouch_cloud_get(&hull.points, hull.kept[i]), vec3_from(n));
        kept = h < kept ? h : kept;
        assert_true(i == 0 || hull.kept[i] > hull.kept[i - 1]);
      }
      assert_true(kept == all);
    }
  }
  vouch_hull_fini(&hull);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(lowest_is_the_first_of_the_lowest),
    cmocka_unit_test(nearest_points_are_nearest),
    cmocka_unit_test(early_stops_are_right),
    cmocka_unit_test(kept_points_contain_all_points),
    cmocka_unit_test(of_a_grid_only_the_corners_are_kept),
    cmocka_unit_test(many_points_are_thinned_well),
    cmocka_unit_test(no_extreme_point_is_dropped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
