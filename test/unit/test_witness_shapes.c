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

/* Every two shapes that meet, or come closer than the margin: the witness is one that the verifier
 * accepts, and so is the proof until then. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/cell.h"
#include "support/random.h"
#include "support/verified.h"

static const char RAIL[] =
  "<robot name='rail'><link name='base'/><link name='car'/>"
  "<joint name='x' type='prismatic'><parent link='base'/><child link='car'/><axis xyz='1 0 0'/>"
  "<limit lower='-9' upper='9' effort='1' velocity='1'/></joint></robot>";
static const double CORNERS[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
  {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
static const uint32_t SIDES[12][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 5}, {0, 5, 4}, {1, 2, 6},
  {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}, {4, 5, 6}, {4, 6, 7}};
static const double WEDGE[3][3] = {{0.3, 0, 0}, {-0.2, 0.3, 0}, {-0.2, -0.3, 0}};

static vouch_shape_t shape(vouch_shape_kind_t kind)
{
  vouch_shape_t s = {.kind = kind, .size = {0.2, 0.3, 0.4}, .plane = {0.6, 0.0, 0.8, 0.1}};
  bool prism = kind == VOUCH_SHAPE_PRISM;
  s.points = prism ? WEDGE : kind == VOUCH_SHAPE_MESH || kind == VOUCH_SHAPE_CONVEX ? CORNERS :
    NULL;
  s.point_count = prism ? 3 : s.points != NULL ? 8 : 0;
  s.triangles = kind == VOUCH_SHAPE_MESH ? SIDES : NULL;
  s.triangle_count = kind == VOUCH_SHAPE_MESH ? 12 : 0;
  return s;
}

static vouch_pose_t somewhere(test_random_t * random, double y)
{
  double axis[3], size = 0.0;
  for (int k = 0; k < 3; k++) {
    axis[k] = test_random_in(random, -1.0, 1.0);
    size += axis[k] * axis[k];
  }
  for (int k = 0; k < 3; k++) {
    axis[k] /= sqrt(size);
  }
  return cell_turned(0.0, y, 0.0, axis, test_random_in(random, -3.0, 3.0));
}

/// The held shape passes the other one at a random height, for which a margin may be asked.
static void meet(
  vouch_shape_kind_t held, vouch_shape_kind_t other, test_random_t * random,
  size_t seen[4])
{
  const double path[2] = {-3.0, test_random_in(random, 2.0, 4.0)};
  cell_t cell = cell_open(RAIL, NULL);
  vouch_check_options_t options = cell_options();
  options.certificate = true;
  options.first_contact = test_random_bits(random) % 2u == 0;
  options.margin_m = test_random_bits(random) % 2u == 0 ? 0.0 : 0.3;
  cell_path(&cell, path, 2);
  cell_hold(&cell, "held", "car", shape(held), somewhere(random, 0.0));
  cell_add(
    &cell, "other", shape(other), somewhere(random, test_random_in(random, 0.0, 0.9)));
  cell_add(&cell, "far", cell_sphere(0.1), cell_at(0.0, -4.0, 0.0));
  vouch_result_t result = cell_check(&cell, &options);
  if (result.verdict != VOUCH_UNDECIDED) {
    seen[result.verdict == VOUCH_FREE ? 0 : result.first_collision.kind]++;
    test_is_verified(cell.checker);
  } else {
    seen[3]++;
  }
  cell_close(&cell);
}

static void every_contact_is_verified(void ** state)
{
  (void)state;
  test_random_t random = {.state = 2024};
  size_t seen[4] = {0};
  for (int held = VOUCH_SHAPE_BOX; held < VOUCH_SHAPE_PLANE; held++) {
    for (int other = VOUCH_SHAPE_BOX; other <= VOUCH_SHAPE_HALFSPACE; other++) {
      for (int round = 0; round < 6; round++) {
        meet((vouch_shape_kind_t)held, (vouch_shape_kind_t)other, &random, seen);
      }
    }
  }
  print_message(
    "free %zu, contact %zu, margin %zu, undecided %zu\n", seen[0], seen[VOUCH_CONTACT_CONTACT],
    seen[VOUCH_CONTACT_MARGIN], seen[3]);
  assert_true(seen[VOUCH_CONTACT_CONTACT] > 100 && seen[VOUCH_CONTACT_MARGIN] > 50);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_contact_is_verified),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
