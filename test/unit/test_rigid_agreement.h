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
  int motions, refused, high, decided[3][4], grazing, touching;
} tally_t;

static const char * const method_names[3] = {"chord", "toleranced", "screw"};

#define COMPLAIN(seed, ...) \
  do { \
    print_error("replay: seed %llu\n", (unsigned long long)(seed)); \
    fail_msg(__VA_ARGS__); \
  } while (0)

/// What the methods that said FREE have promised together.
typedef struct claim_s
{
  const char * method;         // one of them, or NULL: nobody said FREE
  double margin, tolerance, low;
} claim_t;

/// One problem: bodies, motion, and the seed that makes it.
typedef struct problem_s
{
  uint64_t seed;
  const vouch_rigid_body_t * a, * b;
  const vouch_rigid_motion_t * motion;
} problem_t;

/// A random displacement within the tolerance and the segment's stated error of the one at a time.
static vouch_affine_t displacement(const problem_t * p, double tolerance, size_t s, double time)
{
  vouch_affine_t g = vouch_rigid_motion_at(p->motion, s, time);
  const metric_t * m = &p->a->metric;
  if (tolerance > 0.0) {
    double e[12], norm = 0.0;
    for (int k = 0; k < 12; k++) {
      e[k] = uniform(-1.0, 1.0);
      norm += e[k] * e[k];
    }
    double scale = tolerance / sqrt(norm);
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
  const double * error = p->motion->segments[s].error;
  if (error[0] + error[1] > 1e-6) {
    vouch_pose_t pose = random_pose(1.0);
    mat3_t turn = mat3_from_quaternion(pose.rotation);
    vec3_t off = vec3_unit(vec3_from(pose.translation), vec3(1.0, 0.0, 0.0));
    for (int k = 0; k < 9; k++) {
      g.m[k] += error[0] * turn.m[k];
    }
    for (int k = 0; k < 3; k++) {
      g.m[9 + k] += error[1] * (&off.x)[k];
    }
  }
  return g;
}

/// Some displacement within the tolerance takes a vertex x straight to the fixed body by r rho(x).
static void check_tolerance(
  const problem_t * p, const claim_t * claim, const vouch_affine_t * g, double time)
{
  placed_t b = place(p->b, NULL);
  for (size_t i = 0; i < p->a->mesh.vertex_count; i++) {
    vec3_t x = vec3_from(p->a->mesh.vertices[i]), at = affine_apply(g, x);
    double distance = INFINITY, error;
    vec3_t z = metric_z(&p->a->metric, x, &error);
    double moved = claim->tolerance * sqrt(1.0 + vec3_dot(z, z));
    const vec3_t point[3] = {at, at, at};
    for (size_t t = 0; t < b.count; t++) {
      if (triangle_boxes_distance(point, b.t[t]) <= least(distance, claim->margin + moved)) {
        distance = least(distance, truth_point_triangle(at, b.t[t]));
      }
    }
    distance -= moved;
    if (!(distance > claim->margin - 1e-9)) {
      COMPLAIN(
        p->seed, "%s: FREE with margin %.17g and tolerance %.17g, but at %.17g a vertex may come "
        "within %.17g", claim->method, claim->margin, claim->tolerance, time, distance);
    }
  }
  free(b.t);
}

/// The claim at one displacement. Returns the distance when it is measured, else infinity.
static double check_claim(
  const problem_t * p, const claim_t * claim, const vouch_affine_t * g, double time, double limit)
{
  if (truth_overlap(p->a, p->b, g)) {
    COMPLAIN(
      p->seed, "%s: FREE, but there is an overlap at %.17g", claim->method, time);
  }
  double distance = limit > 0.0 ? truth_distance(p->a, p->b, g, limit) : INFINITY;
  if (distance < claim->margin - 1e-9 ||
    (claim->tolerance == 0.0 && distance < claim->low - 1e-9))
  {
    COMPLAIN(
      p->seed, "%s: FREE with margin %.17g and clearance %.17g, but the distance at %.17g is %.17g",
      claim->method, claim->margin, claim->low, time, distance);
  }
  return distance;
}

/// FREE must survive samples of the motion, of displacements within the tolerance, and ever denser
/// ones around the time where the bodies are nearest. Returns that time of segment 0, and the
/// distance there.
static double check_free(
  const problem_t * p, const claim_t * claim, int samples, double * nearest)
{
  double limit = fmax(0.5, fmax(claim->margin, claim->low)), at = 0.0;
  *nearest = INFINITY;
  for (size_t s = 0; s < vouch_rigid_motion_segment_count(p->motion); s++) {
    double near = INFINITY, place = 0.0, step = 8.0 / samples;
    for (int i = 0; i <= samples; i++) {
      double time = (double)i / samples;
      vouch_affine_t g = displacement(p, claim->tolerance, s, time);
      double distance = check_claim(p, claim, &g, time, i % 8 == 0 ? limit : 0.0);
      if (claim->tolerance > 0.0) {
        vouch_affine_t nominal = displacement(p, 0.0, s, time);
        check_tolerance(p, claim, &nominal, time);
        if (i % 8 == 0 && truth_distance(p->a, p->b, &nominal, claim->low) < claim->low - 1e-9) {
          COMPLAIN(
            p->seed, "%s: clearance %.17g is not kept at %.17g", claim->method, claim->low, time);
        }
      }
      place = distance < near ? time : place;
      near = fmin(near, distance);
    }
    for (int round = 0; round < 8 && near < INFINITY; round++) {
      step *= 0.6;
      for (int side = -1; side <= 1; side += 2) {
        double time = fmin(fmax(place + side * step, 0.0), 1.0);
        vouch_affine_t g = displacement(p, claim->tolerance, s, time);
        double distance = check_claim(p, claim, &g, time, limit);
        place = distance < near ? time : place;
        near = fmin(near, distance);
      }
    }
    if (s == 0) {
      at = place;
      *nearest = near;
    }
  }
  return at;
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

/// What is not listed as open is proved: no overlap outside of the open stretches.
static void check_open(
  const problem_t * p, const char * method,
  const vouch_rigid_result_t * result)
{
  for (size_t s = 0; s < vouch_rigid_motion_segment_count(p->motion); s++) {
    for (int i = 0; i <= 24; i++) {
      double time = i / 24.0;
      bool open = false;
      for (size_t k = 0; k < result->open_count; k++) {
        const vouch_rigid_open_t * o = &result->open[k];
        open = open || (o->segment == s && o->from - 1e-9 <= time && time <= o->to + 1e-9);
      }
      vouch_affine_t g = vouch_rigid_motion_at(p->motion, s, time);
      if (!open && truth_overlap(p->a, p->b, &g)) {
        COMPLAIN(
          p->seed, "%s: UNDECIDED, but not at %zu, %.17g, where there is an overlap", method, s,
          time);
      }
    }
  }
}

/// Asks all methods that apply; they may not contradict each other. Returns what FREE was said.
static claim_t ask_all(const problem_t * p, int kind, const double asked[2], tally_t * tally)
{
  claim_t claim = {NULL, asked[0], asked[1], 0.0};
  vouch_verdict_t first = VOUCH_UNDECIDED;
  double contact_from = -1.0;
  for (int method = 0; method < 3; method++) {
    vouch_rigid_options_t options = vouch_rigid_options_default();
    vouch_rigid_result_t result;
    options.method = (vouch_rigid_method_t)method;
    options.margin_m = asked[0];
    options.tolerance = asked[1];
    options.threads = 1;
    /* First contacts are narrowed in one of eight: verdicts need fewer halvings. */
    options.max_depth = pick(8) == 0 ? options.max_depth : 14;
    options.max_tests = 5000;
    options.resolution_m = 1e-3;
    options.ball = (vouch_ball_t)pick(4);
    options.individual_masses = pick(3) == 0;
    if (method == VOUCH_RIGID_SCREW && (kind > 1 || asked[0] + asked[1] > 0.0)) {
      continue;
    }
    vouch_ret_t ret = vouch_rigid_check(p->a, p->b, p->motion, &options, &result);
    if (ret == VOUCH_RET_INVALID && method == VOUCH_RIGID_SCREW) {
      continue;   // a turn too small for an axis
    }
    require_ok(ret);
    tally->decided[method][result.verdict]++;
    if (result.verdict == VOUCH_UNDECIDED) {
      check_open(p, method_names[method], &result);
    } else if (result.verdict == VOUCH_FREE) {
      claim.method = method_names[method];
      claim.low = fmax(claim.low, result.clearance_lower_m);
    } else if (result.verdict == VOUCH_COLLISION) {
      check_collision(p->seed, p->a, p->b, p->motion, &options, &result);
      if (method == VOUCH_RIGID_CHORD) {
        contact_from = result.fraction;
      }
      if (method == VOUCH_RIGID_SCREW && contact_from >= 0.0 &&
        !(result.free_until <= contact_from + 1e-9))
      {
        COMPLAIN(
          p->seed, "screw: free until %.17g, chord: contact at %.17g", result.free_until,
          contact_from);
      }
    }
    if (result.verdict != VOUCH_UNDECIDED) {
      if (first != VOUCH_UNDECIDED && first != result.verdict) {
        COMPLAIN(
          p->seed, "%s says %s, another method %s", method_names[method],
          vouch_verdict_name(result.verdict), vouch_verdict_name(first));
      }
      first = result.verdict;
    }
    vouch_rigid_result_fini(&result);
  }
  return claim;
}

/// The same motion with the fixed body moved up to the moving one at the time when it is nearest,
/// so that they overlap there by a little, or miss each other by as little.
static void graze(problem_t p, int kind, double time, double distance, tally_t * tally)
{
  vouch_affine_t g = vouch_rigid_motion_at(p.motion, 0, time);
  vec3_t n;
  for (int k = 0; k < 3; k++) {
    vouch_affine_t h = g;
    h.m[9 + k] += 1e-6;
    (&n.x)[k] = truth_distance(p.a, p.b, &h, INFINITY) - distance;
  }
  double into = (pick(2) ? 1.0 : -1.0) * exp(uniform(-16.0, -5.0));
  n = vec3_scale(vec3_unit(n, vec3(1.0, 0.0, 0.0)), distance + into);
  const vouch_mesh_t * mesh = &p.b->mesh;
  double v[8][3];
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    vec3_store(vec3_add(vec3_from(mesh->vertices[i]), n), v[i]);
  }
  vouch_rigid_body_t * moved = body_from(
    (const double(*)[3])v, mesh->vertex_count, (const uint32_t(*)[3])mesh->triangles,
    mesh->triangle_count);
  tally_t unused = {0};
  p.b = moved;
  claim_t claim = ask_all(&p, kind, (const double[2]) {0.0, 0.0}, &unused);
  tally->grazing++;
  tally->touching += truth_overlap(p.a, p.b, &g);
  if (claim.method != NULL) {
    double nearest;
    (void)check_claim(&p, &claim, &g, time, INFINITY);
    (void)check_free(&p, &claim, 16, &nearest);
  }
  vouch_rigid_body_destroy(moved);
}

/// One random problem through all methods that apply.
static void one_problem(uint64_t seed, int samples, tally_t * tally)
{
  fixture_seed(seed);
  int kind = pick(6);
  vouch_rigid_body_t * a = make_body(0.5), * b = make_body(0.7);
  vouch_rigid_motion_t * motion = make_motion(kind, 1.3);
  const double margin = pick(3) == 0 ? uniform(0.0, pick(4) ? 0.1 : 1.0) : 0.0;
  const double asked[2] = {margin, pick(4) == 0 ? uniform(0.0, 0.03) : 0.0};
  tally->motions++;
  if (motion == NULL) {
    tally->refused++;
  } else {
    problem_t problem = {seed, a, b, motion};
    tally->high += motion->segments[0].degree > 24;
    claim_t claim = ask_all(&problem, kind, asked, tally);
    if (claim.method != NULL) {
      double nearest, time = check_free(&problem, &claim, samples, &nearest);
      bool exact = motion->segments[0].error[0] + motion->segments[0].error[1] < 1e-6;
      if (asked[0] + asked[1] == 0.0 && nearest < 0.5 && exact && kind != 5 && pick(2) == 0) {
        graze(problem, kind, time, nearest, tally);
      }
    }
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
    "%d motions from seed %llu, %d refused, %d of degree 25 to 200; %d once more nearly touching, "
    "%d of these overlap\n", tally.motions, (unsigned long long)first_seed, tally.refused,
    tally.high,
    tally.grazing, tally.touching);
  assert_true(tally.refused < count / 50 && tally.high > count / 100);
  assert_true(tally.grazing > count / 50 && tally.touching > count / 200);
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
