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

/* Every rule about scenes and motions: a good problem, with one thing made wrong, is refused. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "base/error.h"
#include "support/small_problem.h"

static vouch_problem_t good;

static int make_good(void ** state)
{
  (void)state;
  return test_small_problem(&good, vouch_allocator_default()) != VOUCH_RET_OK;
}

static int drop_good(void ** state)
{
  (void)state;
  vouch_problem_fini(&good);
  return 0;
}

static bool refused(void)
{
  vouch_error_reset();
  for (uint32_t i = 0; i < good.geometry.geometry_count; i++) {
    atomic_store(&((vouch_geometry_t *)good.geometry.geometries[i])->accepted, false);   // touched
  }
  vouch_ret_t code = vouch_problem_validate(&good);
  return code == VOUCH_RET_INVALID && strlen(vouch_error()) > 10;
}

/// Puts a wrong value into a field, looks whether that is refused, and puts the right one back.
#define REFUSES(field, wrong) \
  do { \
    __typeof__(field) before_ = (field); \
    (field) = (wrong); \
    bool refused_ = refused(); \
    (field) = before_; \
    if (!refused_) {fail_msg("%s = %s was taken", #field, #wrong);} \
  } while (0)

static const double not_finite[] = {NAN, INFINITY, -INFINITY};

static void the_good_one_is_good(void ** state)
{
  (void)state;
  if (vouch_problem_validate(&good) != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
}

static void geometries(void ** state)
{
  (void)state;
  REFUSES(good.geometry.geometries[1]->vertices[0][0], NAN);
  assert_non_null(strstr(vouch_error(), "geometry 1"));
  REFUSES(good.geometry.geometry_count, 2);   // bodies refer to number 2
}

static void frames(void ** state)
{
  (void)state;
  vouch_frame_t * f = good.scene.frames;
  REFUSES(good.scene.frame_count, 0);
  REFUSES(f[0].parent, 1);
  REFUSES(f[0].joint, VOUCH_JOINT_REVOLUTE);
  REFUSES(f[0].pose.translation[0], 1e-300);
  REFUSES(f[0].pose.translation[0], -0.0);
  REFUSES(f[0].pose.rotation[3], 0.9999);
  REFUSES(f[1].parent, 1);
  REFUSES(f[2].parent, 3);
  REFUSES(f[1].axis[1], 1.0);
  REFUSES(f[1].variable, 1);
  REFUSES(f[1].multiplier, 1.0);
  REFUSES(f[1].offset, -0.0);
  REFUSES(f[2].joint, 3);
  REFUSES(f[2].axis[2], 0.0);
  REFUSES(f[2].axis[2], 1e-200);
  REFUSES(f[2].axis[2], 2e6);
  REFUSES(f[2].variable, 3);
  REFUSES(f[2].multiplier, 65537.0);
  REFUSES(f[2].offset, -65537.0);
  REFUSES(f[2].pose.rotation[3], 1.0011);
  REFUSES(f[2].pose.rotation[3], 0.0);
  REFUSES(f[2].pose.translation[1], 1.1e6);
  char latin1[] = "\xe9t\xe9", overlong[] = "\xc0\xaf", surrogate[] = "\xed\xa0\x80",
    cut[] = "\xe2\x82";
  REFUSES(f[2].name, latin1);
  REFUSES(f[2].name, overlong);
  REFUSES(f[2].name, surrogate);
  REFUSES(f[2].name, cut);
  for (int i = 0; i < 3; ++i) {
    REFUSES(f[2].axis[0], not_finite[i]);
    REFUSES(f[2].multiplier, not_finite[i]);
    REFUSES(f[2].offset, not_finite[i]);
    REFUSES(f[2].pose.rotation[1], not_finite[i]);
    REFUSES(f[2].pose.translation[1], not_finite[i]);
  }
}

static void bodies(void ** state)
{
  (void)state;
  vouch_body_t * b = good.scene.bodies;
  REFUSES(b[0].kind, 3);
  REFUSES(b[0].frame, 6);
  REFUSES(b[0].geometry, 3);
  REFUSES(b[0].geometry, VOUCH_NONE);
  REFUSES(b[0].normal[0], 1.0);
  REFUSES(b[0].offset, 0.5);
  REFUSES(b[0].placement.rotation[3], 1.1);
  REFUSES(b[6].geometry, 0);
  REFUSES(b[6].placement.translation[0], 1.0);
  REFUSES(b[6].normal[0], 1.0 + 2e-9);
  REFUSES(b[6].normal[0], 0.0);
  REFUSES(b[7].normal[1], 0.999);
  char latin1[] = "\xff";
  REFUSES(b[0].name, latin1);
  REFUSES(b[0].id, latin1);
  for (int i = 0; i < 3; ++i) {
    REFUSES(b[0].placement.translation[2], not_finite[i]);
    REFUSES(b[6].normal[2], not_finite[i]);
    REFUSES(b[6].offset, not_finite[i]);
  }
}

static void groups(void ** state)
{
  (void)state;
  vouch_group_t * g = good.scene.groups;
  REFUSES(g[0].left, 0);
  REFUSES(g[0].left, 2);
  REFUSES(g[0].right, 5);
  REFUSES(g[0].right, 4);   // 2 would be the root of another tree, which is not paired
  REFUSES(g[2].left, 1);
  REFUSES(g[2].left, 2);
  REFUSES(g[1].left, 3);
  REFUSES(g[1].body, 8);
  REFUSES(g[1].body, 6);    // a half-space
  REFUSES(g[1].body, 0);    // on another frame
  REFUSES(g[1].body, 4);    // twice
  REFUSES(g[1].body, VOUCH_NONE);
  REFUSES(good.scene.group_count, 4);
  REFUSES(good.scene.group_count, 0);
}

static void pairs(void ** state)
{
  (void)state;
  vouch_pair_t * p = good.scene.pairs;
  p[0].skips = p[2].skips = p[1].skips;   // not one of which is theirs
  REFUSES(p[0].kind, 3);
  REFUSES(p[0].kind, VOUCH_PAIR_PLANE);
  REFUSES(p[1].kind, VOUCH_PAIR_BODIES);
  REFUSES(p[0].a, 13);
  REFUSES(p[0].a, 6);   // a plane
  REFUSES(p[0].b, 13);
  REFUSES(p[0].b, 6);   // left out
  REFUSES(p[0].b, 1);   // itself
  REFUSES(p[0].margin, -0.0500001);
  REFUSES(p[0].margin, -0.0);
  REFUSES(p[0].skip_count, 1);
  REFUSES(p[4].b, 0);
  REFUSES(p[4].b, 7);   // repeats pair 5
  REFUSES(p[0].b, 5);   // of a group, and no skip asks for it
  REFUSES(p[1].b, 9);   // not a root
  REFUSES(p[1].a, 3);   // of that group itself
  REFUSES(p[2].a, 0);   // not the pair that a skip of pair 1 asks for
  REFUSES(p[2].b, 5);
  REFUSES(p[2].margin, -1.0);
  REFUSES(p[2].skip_count, 1);
  REFUSES(good.scene.pair_count, 5);
  REFUSES(good.scene.pair_count, 2);
  for (int i = 0; i < 3; ++i) {
    REFUSES(p[0].margin, not_finite[i]);
    REFUSES(p[1].margin, not_finite[i]);
    REFUSES(p[2].margin, not_finite[i]);
  }
}

static void skips(void ** state)
{
  (void)state;
  vouch_pair_t * p = good.scene.pairs;
  vouch_skip_t wrong[3] = {{3, VOUCH_REASON_OWN_PAIR}, {4, VOUCH_REASON_MATRIX},
    {5, VOUCH_REASON_MATRIX}};
  const vouch_skip_t * right = p[1].skips;
  p[1].skips = wrong;
  assert_int_equal(vouch_problem_validate(&good), VOUCH_RET_OK);
  REFUSES(wrong[0].body, 5);      // not in order
  REFUSES(wrong[0].body, 4);      // twice
  REFUSES(wrong[1].body, 2);      // not of the group
  REFUSES(wrong[1].body, 8);
  REFUSES(wrong[1].body, 5);      // another one than is marked
  REFUSES(wrong[1].reason, 12);
  REFUSES(wrong[1].reason, VOUCH_REASON_OWN_PAIR);   // there is none
  REFUSES(wrong[0].reason, VOUCH_REASON_MATRIX);     // there is a pair that nothing asks for
  REFUSES(p[1].skip_count, 1);
  REFUSES(p[1].skip_count, 3);
  p[1].skips = right;
  bool marks[5];
  memcpy(marks, p[1].checked, sizeof(marks));
  const bool * marked = p[1].checked;
  p[1].checked = marks;
  for (int i = 0; i < 5; ++i) {
    REFUSES(marks[i], !marks[i]);
  }
  p[1].checked = marked;
}

static void left_out(void ** state)
{
  (void)state;
  vouch_left_out_t * l = good.scene.left_out;
  REFUSES(l[0].a, 1);        // a pair
  REFUSES(l[0].a, 2);        // itself
  REFUSES(l[0].a, 3);        // of a group
  REFUSES(l[0].a, 13);
  REFUSES(l[1].a, 7);        // another one that is left out
  REFUSES(l[0].reason, VOUCH_REASON_OWN_PAIR);
  REFUSES(l[0].reason, VOUCH_REASON_RIGID);   // a joint moves
  REFUSES(l[0].reason, 12);
  REFUSES(good.scene.left_out_count, 9);
  REFUSES(good.scene.left_out_count, 0);
}

static void motions(void ** state)
{
  (void)state;
  vouch_motion_part_t * m = &good.motion;
  REFUSES(m->segment_count, 0);
  REFUSES(m->knots[0], -1.0);
  REFUSES(m->knots[0], -0.0);
  REFUSES(m->knots[1], 0.0);
  REFUSES(m->knots[1], 0.9e-12);   // above knot 0, and nearer than the verifier takes
  REFUSES(m->knots[2], 0.5);
  REFUSES(m->knots[2], 1.1e9);
  REFUSES(m->degrees[0], 0);
  REFUSES(m->degrees[0], 6);
  REFUSES(m->coefficients[5], 65536.1);
  REFUSES(m->coefficients[17], -65536.1);
  REFUSES(m->tolerances[1], -1e-9);
  REFUSES(m->tolerances[1], -0.0);
  REFUSES(m->variable_count, 2);   // a frame moves with number 2
  char latin1[] = "\x80";
  REFUSES(m->names[0], latin1);
  REFUSES(m->model, latin1);
  for (int i = 0; i < 3; ++i) {
    REFUSES(m->knots[1], not_finite[i]);
    REFUSES(m->seconds[1], not_finite[i]);
    REFUSES(m->coefficients[9], not_finite[i]);
    REFUSES(m->tolerances[2], not_finite[i]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_good_one_is_good),
    cmocka_unit_test(geometries),
    cmocka_unit_test(frames),
    cmocka_unit_test(bodies),
    cmocka_unit_test(groups),
    cmocka_unit_test(pairs),
    cmocka_unit_test(skips),
    cmocka_unit_test(left_out),
    cmocka_unit_test(motions),
  };
  return cmocka_run_group_tests(tests, make_good, drop_good);
}
