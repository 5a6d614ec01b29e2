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

/* Metric, distortion rate, bounding balls and fat features against sampled displacements. */

#include "methods/fat_test.h"
#include "unit/test_rigid_fixture.h"

/// A displacement at distance exactly `radius` from g in the metric, in a random direction.
static vouch_affine_t displaced(const metric_t * m, const vouch_affine_t * g, double radius)
{
  vouch_affine_t out = *g;
  double e[12], norm = 0.0;
  for (int k = 0; k < 12; k++) {
    e[k] = uniform(-1.0, 1.0);
    norm += e[k] * e[k];
  }
  double scale = radius / sqrt(norm);
  vec3_t image = vec3_scale(vec3_from(&e[0]), scale);
  for (int j = 0; j < 3; j++) {
    vec3_t column = vec3_scale(vec3_from(&e[3 + 3 * j]), scale / m->s[j]);
    for (int k = 0; k < 9; k++) {
      out.m[k] += (&column.x)[k / 3] * (&m->q[j].x)[k % 3];
    }
    image = vec3_sub(image, vec3_scale(column, vec3_dot(m->q[j], m->centre)));
  }
  for (int k = 0; k < 3; k++) {
    out.m[9 + k] += (&image.x)[k];
  }
  return out;
}

/* [M-NORM] Weights w_i, not w_i^2, and about the barycentre: only then the ellipsoid's metric is
 * the sum over the masses. */
static void metric_is_the_sum_over_the_masses(void ** state)
{
  (void)state;
  fixture_seed(1);
  for (int round = 0; round < 2000; round++) {
    vec3_t points[9];
    double weights[9], total = 0.0;
    vouch_affine_t a, b;
    for (int i = 0; i < 9; i++) {
      points[i] = vec3(uniform(-1.0, 2.0), uniform(-3.0, 1.0), uniform(-1.0, 1.0));
      weights[i] = uniform(0.1, 4.0);
      total += weights[i];
    }
    for (int k = 0; k < 12; k++) {
      a.m[k] = uniform(-1.0, 1.0);
      b.m[k] = uniform(-1.0, 1.0);
    }
    metric_t metric;
    assert_true(metric_from_points(&metric, points, weights, 9));
    double sum = 0.0;
    for (int i = 0; i < 9; i++) {
      vec3_t d = vec3_sub(affine_apply(&a, points[i]), affine_apply(&b, points[i]));
      sum += weights[i] / total * vec3_dot(d, d);
    }
    double distance = metric_distance(&metric, &a, &b);
    assert_true(fabs(distance - sqrt(sum)) <= 1e-9 * distance);
    assert_true(distance >= sqrt(sum) * (1.0 - 1e-13));
  }
}

/* [M-Z] [M-RHO] A displacement at distance R moves no point further than R rho. */
static void no_point_moves_further_than_the_distortion_rate_allows(void ** state)
{
  (void)state;
  fixture_seed(2);
  double tightest = 0.0;
  for (int round = 0; round < 300; round++) {
    vouch_rigid_body_t * body = make_body(0.5);
    const metric_t * m = &body->metric;
    vouch_rigid_motion_t * motion = make_motion(1, 1.0);
    vouch_affine_t g = vouch_rigid_motion_at(motion, 0, 0.5);
    vouch_rigid_motion_destroy(motion);
    vec3_t x = vec3(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0));
    double radius = uniform(1e-6, 1.0), error;
    vec3_t z = metric_z(m, x, &error);
    for (int i = 0; i < 50; i++) {
      vouch_affine_t h = displaced(m, &g, radius);
      vec3_t d = vec3_sub(affine_apply(&h, x), affine_apply(&g, x));
      assert_true(vec3_norm(d) <= radius * metric_rho(m, x));
    }
    /* The displacement that reaches the bound: alpha(x) parallel for barycentre and axes. */
    vouch_affine_t h = g;
    double rho = sqrt(1.0 + vec3_dot(z, z)), scale = radius / rho;
    vec3_t image = vec3(scale, 0.0, 0.0);
    for (int j = 0; j < 3; j++) {
      double amount = (&z.x)[j] * scale / m->s[j];
      for (int k = 0; k < 3; k++) {
        h.m[k] += amount * (&m->q[j].x)[k];
      }
      image.x -= amount * vec3_dot(m->q[j], m->centre);
    }
    h.m[9] += image.x;
    double moved = vec3_norm(vec3_sub(affine_apply(&h, x), affine_apply(&g, x)));
    tightest = fmax(tightest, moved / (radius * metric_rho(m, x)));
    vouch_rigid_body_destroy(body);
  }
  assert_true(tightest > 0.999999 && tightest <= 1.0);
}

/* [B-COVER] [B-MIDPOINT] [B-NESTED] All four kinds of balls, on pieces of every level, contain
 * the displacements of the piece; nested ones contain the balls of the halves. */
static void balls_contain_the_motion(void ** state)
{
  (void)state;
  fixture_seed(3);
  double waste[4] = {0.0};
  int pieces = 0;
  for (int round = 0; round < 1500; round++) {
    vouch_rigid_body_t * body = make_body(0.5);
    vouch_rigid_motion_t * motion = make_motion(pick(5), 1.0);
    if (motion == NULL) {
      vouch_rigid_body_destroy(body);
      continue;
    }
    motion_room_t room;
    double speed = INFINITY;
    require_ok(motion_room_init(&room, &motion->allocator, &motion->segments[0], 3));
    motion_piece_t * piece = &room.pieces[0], * halves[2] = {&room.pieces[1], &room.pieces[2]};
    motion_piece_init(piece, &motion->segments[0]);
    for (int depth = pick(9); depth > 0; depth--) {
      speed = motion_ball(piece, &body->metric, VOUCH_BALL_NESTED, speed).speed;
      motion_piece_split(piece, halves[0], halves[1]);
      motion_piece_copy(piece, halves[pick(2)]);
    }
    double needed = 1e-300;
    for (int kind = 0; kind < 4; kind++) {
      motion_ball_t ball = motion_ball(piece, &body->metric, (vouch_ball_t)kind, speed);
      double most = 0.0;
      for (int i = 0; i <= 32; i++) {
        double t = piece->from + (piece->to - piece->from) * i / 32.0;
        vouch_affine_t g = vouch_rigid_motion_at(motion, 0, t);
        most = fmax(most, metric_distance(&body->metric, &g, &ball.g));
      }
      if (!(most <= ball.radius * (1.0 + 1e-10) + 1e-12)) {
        fail_msg("kind %d, round %d: %.17g > %.17g", kind, round, most, ball.radius);
      }
      needed = kind == 0 ? most : needed;
      waste[kind] += ball.radius / fmax(needed, 1e-300);
    }
    motion_ball_t whole = motion_ball(piece, &body->metric, VOUCH_BALL_NESTED, speed);
    motion_piece_split(piece, halves[0], halves[1]);
    for (int i = 0; i < 2; i++) {
      motion_ball_t half =
        motion_ball(halves[i], &body->metric, VOUCH_BALL_NESTED, whole.speed);
      double apart = metric_distance(&body->metric, &whole.g, &half.g);
      assert_true(apart + half.radius <= whole.radius * (1.0 + 1e-9) + 1e-9);
    }
    motion_room_fini(&room);
    pieces++;
    vouch_rigid_motion_destroy(motion);
    vouch_rigid_body_destroy(body);
  }
  print_message(
    "mean radius / distance needed: nested %.3f, midpoint %.3f, polygon %.3f, proposition 2 %.3f\n",
    waste[0] / pieces, waste[1] / pieces, waste[2] / pieces, waste[3] / pieces);
}

/* [B-PROP2] Curves that come back behind their start, all weights 1: nothing but the second
 * differences tells Proposition 2 that they turn too much. */
static void hairpins_are_in_their_balls(void ** state)
{
  (void)state;
  fixture_seed(7);
  vouch_rigid_body_t * body = make_box(0.4, 0.3, 0.2);
  for (size_t d = 2; d <= 40; d += d < 6 ? 1 : 7) {
    vouch_affine_t controls[41];
    vouch_rigid_motion_t * motion = NULL;
    motion_room_t room;
    for (size_t i = 0; i <= d; i++) {
      double t = (double)i / (double)d;
      controls[i] =
        (vouch_affine_t) {{1, 0, 0, 0, 1, 0, 0, 0, 1, 4.0 * t - 5.0 * t * t, 0.3 * t, 0}};
      controls[i].m[10] += uniform(0.0, 0.01);
    }
    require_ok(vouch_rigid_motion_create(&motion, vouch_allocator_default()));
    require_ok(vouch_rigid_motion_add_bezier(motion, 1.0, d, NULL, controls));
    require_ok(motion_room_init(&room, &motion->allocator, &motion->segments[0], 1));
    motion_piece_init(&room.pieces[0], &motion->segments[0]);
    for (int kind = 0; kind < 4; kind++) {
      motion_ball_t ball =
        motion_ball(&room.pieces[0], &body->metric, (vouch_ball_t)kind, INFINITY);
      for (int i = 0; i <= 64; i++) {
        vouch_affine_t g = vouch_rigid_motion_at(motion, 0, i / 64.0);
        assert_true(metric_distance(&body->metric, &g, &ball.g) <= ball.radius + 1e-12);
      }
    }
    motion_room_fini(&room);
    vouch_rigid_motion_destroy(motion);
  }
  vouch_rigid_body_destroy(body);
}

/* Proposition 2's ball contains every arc followed by a tangent: the extreme points of its
 * proof. */
static void proposition_2_contains_the_involutes(void ** state)
{
  (void)state;
  for (int i = 1; i <= 400; i++) {
    double total = 1.5707963 * i / 400.0, k = tan(0.5 * total);
    for (int j = 0; j <= 400; j++) {
      double a = total * j / 400.0, rest = total - a;
      double x = sin(a) + rest * cos(a), y = 1.0 - cos(a) + rest * sin(a);
      assert_true(hypot(x - k, y) <= k * (1.0 + 1e-12));
    }
  }
}

static double closest_features(const vec3_t a[3], const vec3_t b[3])
{
  return truth_triangle_distance(a, b);
}

/* [F-FEATURES] [F-SADDLE] [F-LINEAR] Listing 2 together with the plane at the centre: no sampled
 * displacement of the ball brings the faces within `extra`. */
static void fat_features_keep_their_promise(void ** state)
{
  (void)state;
  fixture_seed(4);
  int excluded = 0, close = 0, refused_far = 0;
  for (int round = 0; round < 20000; round++) {
    vec3_t x[3];
    flat_face_t fixed = {.count = 3};
    for (int k = 0; k < 3; k++) {
      x[k] = vec3(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0));
      fixed.y[k] = vec3(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-0.3, 2.0));
    }
    metric_t metric;
    if (!metric_from_points(&metric, x, NULL, 3)) {
      continue;
    }
    fat_face_t face;
    fat_face_init(&face, &metric, x, 3);
    motion_ball_t ball = {.radius = exp(uniform(-7.0, 0.7))};
    for (int k = 0; k < 12; k++) {
      ball.g.m[k] = (k % 4 == 0 && k < 9 ? 1.0 : 0.0) + (k < 9 ? uniform(-0.1, 0.1) : 0.0);
    }
    double extra = pick(2) ? 0.0 : uniform(0.0, 0.2);
    vec3_t at[3];
    for (int k = 0; k < 3; k++) {
      at[k] = affine_apply(&ball.g, x[k]);
    }
    double centre = closest_features(at, fixed.y), most = 0.0;
    for (int k = 0; k < 3; k++) {
      most = fmax(most, face.rho[k]);
    }
    uint16_t done = 0;
    bool apart = centre > 1e-9 && fat_features_apart(&face, &fixed, &ball, extra, &done);
    refused_far += !apart && extra == 0.0 && centre > ball.radius * most * 1.001 + 1e-6;
    if (!apart) {
      continue;
    }
    excluded++;
    close += centre < ball.radius * most + extra;
    for (int i = 0; i < 40; i++) {
      vouch_affine_t h =
        displaced(&metric, &ball.g, ball.radius * (pick(2) ? 1.0 : uniform(0.0, 1.0)));
      vec3_t moved[3];
      for (int k = 0; k < 3; k++) {
        moved[k] = affine_apply(&h, x[k]);
      }
      double distance = closest_features(moved, fixed.y);
      if (!(distance > extra - 1e-9)) {
        fail_msg("round %d: distance %.17g, extra %.17g", round, distance, extra);
      }
    }
  }
  print_message("%d excluded, %d of them although the vertex balls reach\n", excluded, close);
  assert_true(excluded > 2000 && close > 50);
  /* Completeness: faces farther apart than the fattest vertex are always told apart. */
  assert_int_equal(refused_far, 0);
}

/// How far the fat face stays from the fixed one: the orbit of x is the ball with radius R rho(x).
static double orbit_distance(
  const vec3_t x[3], const metric_t * metric, const motion_ball_t * ball, const vec3_t y[3])
{
  double least = INFINITY;
  for (int i = 0; i <= 16; i++) {
    for (int j = 0; i + j <= 16; j++) {
      vec3_t p = vec3_add(
        vec3_scale(x[0], (16 - i - j) / 16.0),
        vec3_add(vec3_scale(x[1], i / 16.0), vec3_scale(x[2], j / 16.0)));
      double d = truth_point_triangle(affine_apply(&ball->g, p), y);
      least = fmin(least, d - ball->radius * metric_rho(metric, p));
    }
  }
  return least;
}

/* [F-MARGIN] Margins that are large against the faces, where the end balls of a fat edge nearly
 * cover it: an edge just outside of the two and just inside of what lies between them. */
static void large_margins_are_kept(void ** state)
{
  (void)state;
  fixture_seed(6);
  int excluded = 0, refused = 0;
  for (int round = 0; round < 20000; round++) {
    vec3_t x[3];
    for (int k = 0; k < 3; k++) {
      double angle = 2.0943951023931953 * k + uniform(-0.2, 0.2);
      x[k] = vec3(cos(angle), sin(angle), 0.0);
    }
    metric_t metric;
    assert_true(metric_from_points(&metric, x, NULL, 3));
    fat_face_t face;
    fat_face_init(&face, &metric, x, 3);
    vec3_t along = vec3_sub(x[1], x[0]), middle = vec3_scale(vec3_add(x[0], x[1]), 0.5);
    double margin = exp(uniform(0.5, 4.0)), bulge = vec3_dot(along, along) / margin;
    motion_ball_t ball = {
      .g = {{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}}, .radius = uniform(0.2, 0.26) * bulge
    };
    /* A fixed edge across the moving one, its face behind it. */
    vec3_t out = vec3_unit(
      vec3_add(vec3_scale(middle, uniform(0.0, 2.0)), vec3(0.0, 0.0, 1.0)), vec3(0.0, 0.0, 1.0));
    vec3_t side = vec3_scale(
      vec3_unit(vec3_cross(along, out), vec3(0.0, 0.0, 1.0)), uniform(1.0, 5.0));
    double apart_by = ball.radius * metric_rho(&metric, middle) + margin;
    vec3_t y = vec3_add(middle, vec3_scale(out, apart_by - uniform(-0.01, 0.012) * bulge));
    flat_face_t fixed = {
      3, {vec3_add(y, side), vec3_sub(y, side), vec3_add(y, vec3_scale(out, 3.0))}
    };
    uint16_t done = 0;
    bool apart = fat_features_apart(&face, &fixed, &ball, margin, pick(2) ? &done : NULL);
    double distance = orbit_distance(x, &metric, &ball, fixed.y);
    if (apart && !(distance > margin - 1e-9)) {
      fail_msg("round %d: distance %.17g, margin %.17g", round, distance, margin);
    }
    excluded += apart;
    refused += !apart;
  }
  print_message("%d excluded, %d not\n", excluded, refused);
  assert_true(excluded > 1000 && refused > 1000);
}

/* A point of the fat edge is outside iff the hyperboloid of equation (6) says so. */
static void fat_edge_is_the_hyperboloid(void ** state)
{
  (void)state;
  fixture_seed(5);
  for (int round = 0; round < 20000; round++) {
    double nu = uniform(0.5, 2.0), rho0 = uniform(0.5, 2.0), radius = uniform(0.01, 0.9) * nu;
    double x = uniform(-1.0, 1.0), y = uniform(0.0, 3.0);
    double side = x * x / (1.0 - nu * nu / (radius * radius)) + y * y - radius * radius * rho0 *
      rho0;
    /* min over t of (x - t)^2 + y^2 - R^2 (rho0^2 + t^2 / nu^2) */
    double c = 1.0 - radius * radius / (nu * nu), t = x / c;
    double least = (x - t) * (x - t) + y * y - radius * radius * (rho0 * rho0 + t * t / (nu * nu));
    assert_true(fabs(side - least) <= 1e-9 * (1.0 + fabs(side)));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(metric_is_the_sum_over_the_masses),
    cmocka_unit_test(no_point_moves_further_than_the_distortion_rate_allows),
    cmocka_unit_test(balls_contain_the_motion),
    cmocka_unit_test(hairpins_are_in_their_balls),
    cmocka_unit_test(proposition_2_contains_the_involutes),
    cmocka_unit_test(fat_features_keep_their_promise),
    cmocka_unit_test(large_margins_are_kept),
    cmocka_unit_test(fat_edge_is_the_hyperboloid)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
