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

/* Contact times on screws: against Arb's root isolation where Arb is there, against dense sampling
 * of the features themselves everywhere. */

#include "methods/interval.h"
#include "methods/screw_view.h"
#include "unit/test_screw_fixture.h"

static root_t solve_case(const case_t * c, int kind)
{
  screw_frame_t frame;
  uint64_t steps = 0;
  const interval_t window = {0.0, 1.0};
  screw_frame_init(&frame, &c->screw);
  if (kind == 2) {
    edge_edge_t pair =
    {&frame, {screw_helix(&frame, c->moving[0]), screw_helix(&frame, c->moving[1])},
      {twofold3_point(c->fixed[0]), twofold3_point(c->fixed[1])}};
    return screw_edge_edge(&pair, window, &steps);
  }
  vertex_face_t pair = {.frame = &frame, .direction = kind == 0 ? 1.0 : -1.0};
  pair.vertex = kind == 0 ? screw_helix(&frame, c->moving[0]) :
    screw_helix_fixed(&frame, c->fixed[0]);
  for (int k = 0; k < 3; k++) {
    helix_t h = screw_helix(&frame, c->moving[k]);
    pair.corner[k] = kind == 0 ? twofold3_point(c->fixed[k]) : screw_begin(&frame, &h);
  }
  return screw_vertex_face(&pair, window, &steps);
}

/* [T-ISOLATE] [T-MONOTONE] [T-APART] No contact is missed: each sign change of f at a place well
 * inside the features lies behind the reported root. */
static void no_root_is_missed_and_none_invented(void ** state)
{
  (void)state;
  fixture_seed(11);
  int found = 0, missed_none = 0, perhaps = 0;
  for (int round = 0; round < 12000; round++) {
    case_t c;
    random_case(&c);
    int kind = round % 3;
    root_t root = solve_case(&c, kind);
    double before, inside, first = INFINITY;
    before = function_at(&c, kind, 0.0, &inside);
    for (int i = 1; i <= 600 && first > 1.0; i++) {
      double t = i / 600.0, now = function_at(&c, kind, t, &inside);
      double inside_before;
      (void)function_at(&c, kind, t - 1.0 / 600.0, &inside_before);
      if (now * before < 0.0 && inside > 0.03 && inside_before > 0.03) {
        first = t;
      }
      before = now;
    }
    if (first <= 1.0 && (root.answer == ROOT_NONE || root.time.lo > first)) {
      fail_msg("round %d: a contact before %.17g was missed", round, first);
    }
    missed_none += first <= 1.0;
    perhaps += root.answer == ROOT_PERHAPS;
    if (root.answer != ROOT_CONTACT) {
      continue;
    }
    found++;
    assert_true(root.time.hi - root.time.lo <= 1e-12);
    double f = function_at(&c, kind, 0.5 * (root.time.lo + root.time.hi), &inside);
    assert_true(fabs(f) < 1e-9 && inside > -1e-9);
  }
  print_message("%d contacts, %d seen by sampling, %d perhaps\n", found, missed_none, perhaps);
  assert_true(found > 300 && perhaps < 10);
}

#ifdef VOUCH_HAVE_ARB
/* [T-HELIX] [T-PLANE] [T-PLACE] Arb's isolated roots, in the order of time, that lie well inside the
 * features: ours must be the first of them, and Arb's root must lie in our bracket of at most 1e-12. */
static void roots_are_those_of_arb(void ** state)
{
  (void)state;
  fixture_seed(12);
  int compared = 0, none = 0;
  for (int round = 0; round < 6000; round++) {
    case_t c;
    random_case(&c);
    int kind = round % 3;
    void * parameter[2] = {&c, &kind};
    root_t root = solve_case(&c, kind);
    if (root.answer == ROOT_NONE && round % 8 != 0) {
      continue;   // Arb is slow
    }
    arf_interval_t range;
    arf_interval_ptr blocks;
    int * flags;
    arf_interval_init(range);
    arf_set_d(&range->a, 0.0);
    arf_set_d(&range->b, 1.0);
    slong count = arb_calc_isolate_roots(
      &blocks, &flags, arb_function, parameter, range, 30, 2000, 100, ARB_BITS);
    bool seen = false, doubtful = false;
    for (slong i = 0; i < count && !seen && !doubtful; i++) {
      if (flags[i] != 1) {
        doubtful = true;
        break;
      }
      arf_interval_t fine;
      arf_interval_init(fine);
      arb_calc_refine_root_bisect(fine, arb_function, parameter, &blocks[i], 120, ARB_BITS);
      double low = arf_get_d(&fine->a, ARF_RND_DOWN), high = arf_get_d(&fine->b, ARF_RND_UP);
      double inside;
      (void)function_at(&c, kind, 0.5 * (low + high), &inside);
      if (inside > 1e-6) {
        seen = true;
        assert_int_equal(root.answer, ROOT_CONTACT);
        assert_true(root.time.lo <= low && high <= root.time.hi);
        assert_true(root.time.hi - root.time.lo <= 1e-12);
        compared++;
      } else if (inside > -1e-6) {
        doubtful = true;
      }
      arf_interval_clear(fine);
    }
    if (!seen && !doubtful) {
      none++;
      assert_int_equal(root.answer, ROOT_NONE);
    }
    for (slong i = 0; i < count; i++) {
      arf_interval_clear(&blocks[i]);
    }
    flint_free(blocks);
    flint_free(flags);
    arf_interval_clear(range);
  }
  flint_cleanup();
  print_message("%d roots equal to Arb's, %d without a contact in both\n", compared, none);
  assert_true(compared > 100 && none > 200);
}

/* [I-ROUND] Every operation encloses the exact result. */
static void interval_operations_contain_the_truth(void ** state)
{
  (void)state;
  fixture_seed(13);
  arb_t x, y, z;
  arb_init(x); arb_init(y); arb_init(z);
  for (int round = 0; round < 200000; round++) {
    double scale = exp2(uniform(-30.0, 30.0));
    double a = uniform(-1.0, 1.0) * scale, b = uniform(-1.0, 1.0);
    interval_t r;
    arb_set_d(x, a);
    arb_set_d(y, b);
    switch (round % 6) {
      case 0: arb_add(z, x, y, 200); r = interval_add(interval_point(a), interval_point(b)); break;
      case 1: arb_mul(z, x, y, 200); r = interval_mul(interval_point(a), interval_point(b)); break;
      case 2: arb_div(z, x, y, 200); r = interval_div(interval_point(a), interval_point(b)); break;
      case 3: arb_sqrt(z, y, 200); r = interval_sqrt(interval_point(b)); break;
      case 4: arb_sin(z, y, 200); r = interval_sin(interval_point(b)); break;
      default: arb_cos(z, y, 200); r = interval_cos(interval_point(b));
    }
    if (round % 6 == 3 && b < 0.0) {
      continue;
    }
    arb_set_d(x, r.lo);
    arb_set_d(y, r.hi);
    assert_true(arb_le(x, z) && arb_le(z, y));
  }
  arb_clear(x); arb_clear(y); arb_clear(z);
  flint_cleanup();
}
#endif

static cylinder_t bound_of(const cylinder_frame_t * frame, const vec3_t * x, int count)
{
  cylinder_point_t p[3];
  for (int k = 0; k < count; k++) {
    p[k] = cylinder_point(frame, x[k]);
  }
  return cylinder_of(frame, p, count);
}

/* [Y-WINDOW] Whatever two features do, they are never closer than nothing outside their window of
 * time. */
static void windows_hold_all_contacts(void ** state)
{
  (void)state;
  fixture_seed(14);
  int rejected = 0, meetings = 0;
  for (int round = 0; round < 6000; round++) {
    case_t c;
    random_case(&c);
    c.screw.angle *= 2.0;
    vec3_t a[3], b[3];
    place_case(&c, 0.0, a, b);
    vec3_t axis = vec3_unit(vec3_from(c.screw.direction), vec3(0, 0, 1));
    cylinder_frame_t frame = cylinder_frame(vec3_from(c.screw.point), axis, 8.0);
    int count = 1 + pick(3);
    cylinder_t ca = bound_of(&frame, a, count), cb = bound_of(&frame, b, 3);
    interval_t window;
    bool some = cylinder_window(&ca, &cb, c.screw.angle, c.screw.travel, &window);
    rejected += !some;
    for (int i = 0; i <= 100; i++) {
      double t = i / 100.0;
      if (some && t >= window.lo && t <= window.hi) {
        continue;
      }
      vec3_t at[3];
      place_case(&c, t, at, b);
      for (int k = count; k < 3; k++) {
        at[k] = at[0];
      }
      bool meet = count == 3 ? truth_cross(at, b) : truth_pierces(at[0], at[1], b);
      meetings += meet;
      assert_false(meet);
    }
  }
  print_message("%d of 6000 pairs have no window\n", rejected);
  assert_true(rejected > 300);
  assert_int_equal(meetings, 0);
}

/* [Y-UNION] The bounds of two triangles together hold the window of each, whatever turn their angles
 * are in. */
static void unions_hold_both_windows(void ** state)
{
  (void)state;
  fixture_seed(15);
  int narrow = 0, windows = 0;
  for (int round = 0; round < 20000; round++) {
    case_t c[2];
    cylinder_t part[2], other;
    cylinder_frame_t frame;
    for (int i = 0; i < 2; i++) {
      vec3_t a[3], b[3];
      random_case(&c[i]);
      c[i].screw.angle *= 2.0;
      place_case(&c[i], 0.0, a, b);
      if (i == 0) {
        frame = cylinder_frame(
          vec3_from(c[0].screw.point), vec3_unit(vec3_from(c[0].screw.direction), vec3(0, 0, 1)),
          8.0);
        other = bound_of(&frame, b, 3);
      }
      part[i] = bound_of(&frame, a, 1 + pick(3));
    }
    cylinder_t both = cylinder_union(&part[0], &part[1]);
    narrow += both.angle.hi - both.angle.lo < 6.28;
    for (int i = 0; i < 2; i++) {
      interval_t one, all;
      if (cylinder_window(&part[i], &other, c[0].screw.angle, c[0].screw.travel, &one)) {
        windows++;
        assert_true(cylinder_window(&both, &other, c[0].screw.angle, c[0].screw.travel, &all));
        assert_true(all.lo <= one.lo + 1e-12 && all.hi >= one.hi - 1e-12);
      }
    }
  }
  assert_true(narrow > 1000 && windows > 1000);
}

/* [Y-HULL] Points of a triangle, inside or on its border, are inside its bounds: also of one that the
 * axis pierces, of a needle and of one that begins at the axis. */
static void bounds_hold_all_points(void ** state)
{
  (void)state;
  fixture_seed(16);
  int pierced = 0, narrow = 0;
  for (int round = 0; round < 40000; round++) {
    vec3_t axis = vec3_unit(
      vec3(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0)), vec3(0, 0, 1));
    cylinder_frame_t frame = cylinder_frame(
      vec3(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0)), axis, 8.0);
    double size = exp2(uniform(-12.0, 1.0)), off = pick(2) ? size : 1.0;
    vec3_t x[3], shift = vec3_scale(
      vec3(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0)), off);
    for (int k = 0; k < 3; k++) {
      x[k] = vec3_scale(
        vec3(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0)), size);
      x[k] = vec3_add(frame.p, vec3_add(shift, x[k]));
    }
    if (pick(8) == 0) {
      x[2] = vec3_add(x[1], vec3_scale(vec3_sub(x[2], x[1]), 1e-6));
    }
    if (pick(16) == 0) {
      x[0] = vec3_add(frame.p, vec3_scale(frame.s, uniform(-1.0, 1.0)));
    }
    cylinder_t c = bound_of(&frame, x, 3);
    bool full = c.angle.hi - c.angle.lo >= 6.28318530717958;
    pierced += full;
    narrow += !full;
    for (int i = 0; i < 20; i++) {
      double u = uniform(0.0, 1.0), v = pick(3) == 0 ? 0.0 : uniform(0.0, 1.0 - u);
      vec3_t y = vec3_add(
        x[0], vec3_add(vec3_scale(vec3_sub(x[1], x[0]), u), vec3_scale(vec3_sub(x[2], x[0]), v)));
      cylinder_point_t p = cylinder_point(&frame, y);
      assert_true(c.r.lo <= p.r && p.r <= c.r.hi && c.z.lo <= p.x.z && p.x.z <= c.z.hi);
      double above = fmod(p.angle - c.angle.lo + 4.0 * 3.14159265358979323846, 6.283185307179586);
      assert_true(full || above <= c.angle.hi - c.angle.lo);
    }
  }
  print_message("%d full turns, %d less\n", pierced, narrow);
  assert_true(pierced > 1000 && narrow > 10000);
}

/* [Y-BALL] Points of a ball, most of them on its surface, are inside its bounds, however near the axis
 * it is. */
static void bounds_hold_whole_balls(void ** state)
{
  (void)state;
  fixture_seed(18);
  int full = 0, narrow = 0;
  for (int round = 0; round < 20000; round++) {
    vec3_t axis = vec3_unit(
      vec3(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0)), vec3(0, 0, 1));
    cylinder_frame_t frame = cylinder_frame(
      vec3(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0)), axis, 8.0);
    double radius = exp2(uniform(-12.0, 1.0));
    vec3_t centre = vec3(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0));
    cylinder_t c = cylinder_of_ball(&frame, centre, radius);
    bool around = c.angle.hi - c.angle.lo >= 6.28318530717958;
    full += around;
    narrow += !around;
    for (int i = 0; i < 20; i++) {
      vec3_t d = vec3_unit(
        vec3(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0)), vec3(0, 0, 1));
      /* Every other one where the ball is seen from the axis at its widest. */
      vec3_t to = vec3_sub(centre, frame.p);
      to = vec3_sub(to, vec3_scale(axis, vec3_dot(to, axis)));
      if (i % 2 == 0 && vec3_norm(to) > radius) {
        double s = radius / vec3_norm(to);
        vec3_t out = vec3_scale(to, 1.0 / vec3_norm(to)), side = vec3_cross(axis, out);
        d = vec3_add(vec3_scale(side, (i % 4 - 1) * sqrt(1.0 - s * s)), vec3_scale(out, -s));
      }
      double far = radius * (pick(3) == 0 ? uniform(0.0, 1.0) : 1.0);
      cylinder_point_t p = cylinder_point(&frame, vec3_add(centre, vec3_scale(d, far)));
      assert_true(c.r.lo <= p.r && p.r <= c.r.hi && c.z.lo <= p.x.z && p.x.z <= c.z.hi);
      double above = fmod(p.angle - c.angle.lo + 4.0 * 3.14159265358979323846, 6.283185307179586);
      assert_true(around || above <= c.angle.hi - c.angle.lo);
    }
  }
  assert_true(full > 1000 && narrow > 5000);
}

/* [Y-ADVANCE] Two triangles that are said to be apart for a while are apart at all times of it. */
static void triangles_stay_apart_as_long_as_said(void ** state)
{
  (void)state;
  fixture_seed(17);
  static const uint32_t corners[1][3] = {{0, 1, 2}};
  int whole = 0, some = 0, meet = 0;
  for (int round = 0; round < 20000; round++) {
    case_t c;
    random_case(&c);
    vouch_rigid_motion_t * motion = NULL;
    require_ok(vouch_rigid_motion_create(&motion, vouch_allocator_default()));
    if (vouch_rigid_motion_add_screw_axis(motion, 1.0, &c.screw) != VOUCH_RET_OK) {
      vouch_rigid_motion_destroy(motion);
      continue;
    }
    screw_view_t view = {
      .body = {body_from((const double(*)[3])c.moving, 3, corners, 1),
        body_from((const double(*)[3])c.fixed, 3, corners, 1)},
      .segment = &motion->segments[0], .keep = round % 2 == 0
    };
    require_ok(screw_view_init(&view));
    double from = uniform(0.0, 0.9), until = screw_view_apart_until(&view, 0, 0, from);
    assert_true(until >= from);
    whole += until > 1.0;
    some += until > from && until <= 1.0;
    for (int i = 0; i <= 60; i++) {
      vec3_t a[3], b[3];
      double t = from + (fmin(until, 1.0) - from) * i / 60.0;
      place_case(&c, t, a, b);
      bool crossing = truth_cross(a, b);
      meet += until <= from && crossing;
      assert_false(until > from && crossing);
    }
    screw_view_fini(&view);
    vouch_rigid_motion_destroy(motion);
    vouch_rigid_body_destroy((vouch_rigid_body_t *)view.body[0]);
    vouch_rigid_body_destroy((vouch_rigid_body_t *)view.body[1]);
  }
  print_message("%d apart to the end, %d for a while\n", whole, some);
  assert_true(whole > 500 && some > 5000 && meet > 500);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
#ifdef VOUCH_HAVE_ARB
    cmocka_unit_test(interval_operations_contain_the_truth),
    cmocka_unit_test(roots_are_those_of_arb),
#endif
    cmocka_unit_test(no_root_is_missed_and_none_invented),
    cmocka_unit_test(windows_hold_all_contacts),
    cmocka_unit_test(unions_hold_both_windows),
    cmocka_unit_test(bounds_hold_all_points),
    cmocka_unit_test(bounds_hold_whole_balls),
    cmocka_unit_test(triangles_stay_apart_as_long_as_said)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
