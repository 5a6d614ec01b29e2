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

/* First contact of whole bodies on screws: the bracket holds the first of all features' roots that
 * Arb isolates, and it stays narrow where faces lie in one plane. */

#include "unit/test_screw_fixture.h"

#ifdef VOUCH_HAVE_ARB
static const uint32_t FACES[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
static const int EDGES[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

typedef struct tetrahedra_s
{
  vouch_screw_t screw;
  double moving[4][3], fixed[4][3];
} tetrahedra_t;

static void make_tetrahedron(double v[4][3], double size)
{
  double volume;
  do {
    for (int i = 0; i < 12; i++) {
      v[i / 3][i % 3] = uniform(-size, size);
    }
    vec3_t o = vec3_from(v[0]);
    volume = det3(
      vec3_sub(vec3_from(v[1]), o), vec3_sub(vec3_from(v[2]), o), vec3_sub(vec3_from(v[3]), o));
  } while (!(volume > 0.2 * size * size * size));
}

/// Pair number 0 to 15: vertex and face, 16 to 31: face and vertex, 32 to 67: edges.
static int case_of(const tetrahedra_t * t, int number, case_t * c)
{
  int kind = number < 16 ? 0 : (number < 32 ? 1 : 2);
  int i = kind == 2 ? (number - 32) / 6 : number % 16 / 4, j = kind == 2 ? (number - 32) % 6 :
    number % 4;
  memset(c, 0, sizeof(*c));
  c->screw = t->screw;
  for (int k = 0; k < 3; k++) {
    int a = kind == 0 ? i : (kind == 1 ? (int)FACES[j][k] : EDGES[i][k % 2]);
    int b = kind == 0 ? (int)FACES[j][k] : (kind == 1 ? i : EDGES[j][k % 2]);
    memcpy(c->moving[k], t->moving[a], sizeof(c->moving[k]));
    memcpy(c->fixed[k], t->fixed[b], sizeof(c->fixed[k]));
  }
  return kind;
}

/// Lowers *first to the earliest contact of one pair between two times. False: cannot be told.
static bool arb_first(case_t * c, int kind, double from, double to, arb_t first)
{
  void * parameter[2] = {c, &kind};
  arf_interval_t range, fine;
  arf_interval_ptr blocks;
  int * flags;
  bool known = true, found = false;
  arf_interval_init(range);
  arf_interval_init(fine);
  arf_set_d(&range->a, from);
  arf_set_d(&range->b, to);
  slong count = arb_calc_isolate_roots(
    &blocks, &flags, arb_function, parameter, range, 30, 2000, 100, ARB_BITS);
  for (slong i = 0; i < count && known && !found; i++) {
    known = flags[i] == 1;
    if (known) {
      double inside;
      arb_calc_refine_root_bisect(fine, arb_function, parameter, &blocks[i], 100, ARB_BITS);
      (void)function_at(c, kind, arf_get_d(&fine->a, ARF_RND_NEAR), &inside);
      found = inside > 1e-7;
      known = found || inside < -1e-7;
    }
  }
  if (found) {
    arb_t root;
    arb_init(root);
    arf_interval_get_arb(root, fine, ARB_BITS);
    if (arb_lt(root, first)) {
      arb_set(first, root);
    }
    arb_clear(root);
  }
  for (slong i = 0; i < count; i++) {
    arf_interval_clear(&blocks[i]);
  }
  flint_free(blocks);
  flint_free(flags);
  arf_interval_clear(range);
  arf_interval_clear(fine);
  return known;
}

/// The earliest contact of all features; infinite when there is none. Only stretches of time at
/// whose ends the equation has two signs are given to Arb, which is slow.
static bool first_of_all(const tetrahedra_t * t, arb_t first)
{
  enum {STRETCHES = 200};
  arb_pos_inf(first);
  for (int number = 0; number < 68; number++) {
    case_t c;
    int kind = case_of(t, number, &c);
    double inside, before = function_at(&c, kind, 0.0, &inside);
    for (int i = 1; i <= STRETCHES; i++) {
      double at = (double)i / STRETCHES, now = function_at(&c, kind, at, &inside);
      bool crossing = (now < 0.0) != (before < 0.0) && inside > -0.2;
      before = now;
      if (crossing && !arb_first(&c, kind, (double)(i - 1) / STRETCHES, at, first)) {
        return false;
      }
    }
  }
  return true;
}

static void the_first_contact_of_bodies_is_arbs(void ** state)
{
  (void)state;
  fixture_seed(41);
  int compared = 0, none = 0, kinds[5] = {0};
  for (int round = 0; round < 1200; round++) {
    tetrahedra_t t;
    vouch_screw_contact_t contact;
    case_t c;
    random_case(&c);
    t.screw = c.screw;
    t.screw.angle *= 1.5;
    t.screw.start = random_pose(1.6);
    make_tetrahedron(t.moving, 0.9);
    make_tetrahedron(t.fixed, 0.9);
    vouch_rigid_body_t * a = body_from((const double(*)[3])t.moving, 4, FACES, 4);
    vouch_rigid_body_t * b = body_from((const double(*)[3])t.fixed, 4, FACES, 4);
    assert_true(vouch_rigid_body_closed(a) && vouch_rigid_body_closed(b));
    require_ok(vouch_screw_first_contact(a, b, &t.screw, NULL, &contact));
    arb_t first;
    arb_init(first);
    kinds[contact.kind]++;
    if (contact.kind != VOUCH_SCREW_START && first_of_all(&t, first)) {
      if (contact.verdict == VOUCH_FREE) {
        none++;
        assert_false(arb_is_finite(first));
      } else {
        assert_int_equal(contact.verdict, VOUCH_COLLISION);
        arb_t from, to;
        arb_init(from); arb_init(to);
        arb_set_d(from, contact.from);
        arb_set_d(to, contact.to);
        assert_true(arb_le(from, first) && arb_le(first, to));
        assert_true(contact.to - contact.from <= 1e-12);
        arb_clear(from); arb_clear(to);
        compared++;
      }
    }
    arb_clear(first);
    vouch_rigid_body_destroy(a);
    vouch_rigid_body_destroy(b);
  }
  flint_cleanup();
  print_message(
    "%d first contacts equal to Arb's (%d vertex-face, %d face-vertex, %d edge-edge), %d without "
    "in both\n", compared, kinds[1], kinds[2], kinds[3], none);
  assert_true(compared > 100 && none > 100 && kinds[1] > 10 && kinds[2] > 10 && kinds[3] > 10);
}
#endif

/* Boxes that stand on one plane and turn on it: edges slide in planes of faces, and many features
 * meet at once. Where they approach so slowly that a time of 1e-12 moves them by less than
 * rounding, the bracket may be wider; it is marked then. */
static void brackets_stay_narrow_where_faces_share_a_plane(void ** state)
{
  (void)state;
  fixture_seed(42);
  int contacts = 0, undecided = 0, wide = 0;
  for (int round = 0; round < 2000; round++) {
    double low = uniform(0.1, 1.0), high = pick(2) ? low : uniform(0.1, 1.0);
    vouch_rigid_body_t * a = make_box(uniform(0.2, 1.0), uniform(0.2, 1.0), low);
    vouch_rigid_body_t * b = make_box(uniform(0.2, 1.0), uniform(0.2, 1.0), high);
    vouch_screw_t screw = {
      .start = vouch_pose_identity(), .direction = {0.0, 0.0, 1.0}, .angle = uniform(-3.0, 3.0)
    };
    vouch_screw_contact_t contact;
    screw.start.translation[0] = uniform(-1.5, 1.5);
    screw.start.translation[1] = uniform(-1.5, 1.5);
    screw.start.translation[2] = 0.5 * (low - high);
    screw.point[0] = uniform(-1.0, 1.0);
    screw.point[1] = uniform(-1.0, 1.0);
    require_ok(vouch_screw_first_contact(a, b, &screw, NULL, &contact));
    undecided += contact.verdict == VOUCH_UNDECIDED;
    if (contact.verdict == VOUCH_COLLISION && contact.kind != VOUCH_SCREW_START) {
      contacts++;
      bool narrow = contact.to - contact.from <= 1e-12;
      wide += !narrow;
      if (!narrow && !(contact.touching && contact.to - contact.from <= 4e-12)) {
        fail_msg("round %d: from %.17g to %.17g", round, contact.from, contact.to);
      }
    }
    vouch_rigid_body_destroy(a);
    vouch_rigid_body_destroy(b);
  }
  print_message("%d contacts, %d wider than 1e-12, %d undecided\n", contacts, wide, undecided);
  assert_true(contacts > 200 && wide <= contacts / 100 && undecided < 20);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
#ifdef VOUCH_HAVE_ARB
    cmocka_unit_test(the_first_contact_of_bodies_is_arbs),
#endif
    cmocka_unit_test(brackets_stay_narrow_where_faces_share_a_plane)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
