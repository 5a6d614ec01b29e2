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

/* Round vertices: their supports against closed forms, the balls and lists of nodes above them, solids
 * and reference points; and that the verifier takes what the kernel took. [K-ROUND] [K-NODE] [L4] [L6]
 * [L8] */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/support.h"
#include "search/support_point.h"
#include "support/cell.h"
#include "support/random.h"
#include "support/solids.h"
#include "support/verified.h"

typedef struct fixture_s
{
  vouch_arena_t arena;
  vouch_geometry_builder_t * builder;
  vouch_geometry_t geometry;
} fixture_t;

static void begin(fixture_t * f)
{
  *f = (fixture_t) {.arena = {.allocator = vouch_allocator_default()}};
  vouch_geometry_options_t options = {0};
  assert_int_equal(
    vouch_geometry_builder_create(&f->builder, f->arena.allocator, &options), VOUCH_RET_OK);
}

static void build(fixture_t * f)
{
  assert_int_equal(
    vouch_geometry_build(f->builder, &f->arena, &f->geometry, NULL), VOUCH_RET_OK);
  assert_int_equal(kernel_derive(&f->geometry, vouch_allocator_default()), VOUCH_RET_OK);
}

static void end(fixture_t * f)
{
  vouch_geometry_release(&f->geometry);
  vouch_geometry_builder_destroy(f->builder);
  vouch_arena_fini(&f->arena);
}

static vouch_pose_t random_pose(test_random_t * r)
{
  double axis[3];
  test_random_direction(r, axis);
  double angle = test_random_in(r, -3.0, 3.0), s = sin(angle / 2.0);
  vouch_pose_t pose = {.rotation = {axis[0] * s, axis[1] * s, axis[2] * s, cos(angle / 2.0)}};
  for (int k = 0; k < 3; k++) {
    pose.translation[k] = test_random_in(r, -1.0, 1.0);
  }
  return pose;
}

static void add_shape(vouch_geometry_builder_t * builder, const vouch_curved_t * shape)
{
  const double * s = shape->size;
  vouch_ret_t ret = shape->look == VOUCH_LOOK_SPHERE ?
    vouch_geometry_add_sphere(builder, s[0], &shape->pose) :
    shape->look == VOUCH_LOOK_CAPSULE ?
    vouch_geometry_add_capsule(builder, s[0], 2.0 * s[1], &shape->pose) :
    vouch_geometry_add_curved(builder, shape);
  assert_int_equal(ret, VOUCH_RET_OK);
}

/// The closed form, in the shape's own axes.
static double support_of(const vouch_curved_t * shape, vec3_t m)
{
  rigid_t pose = rigid_from_pose(&shape->pose);
  vec3_t e = mat3_tmul_vec(&pose.rotation, m);
  const double * s = shape->size;
  double flat = s[0] * hypot(e.x, e.y), middle = vec3_dot(m, pose.translation);
  switch (shape->look) {
    case VOUCH_LOOK_SPHERE:
      return middle + s[0] * vec3_norm(m);
    case VOUCH_LOOK_CAPSULE:
      return middle + s[0] * vec3_norm(m) + s[1] * fabs(e.z);
    case VOUCH_LOOK_CYLINDER:
      return middle + flat + s[1] * fabs(e.z);
    case VOUCH_LOOK_CONE:
      return middle + fmax(s[1] * e.z, flat - s[1] * e.z);
    default:
      return middle + vec3_norm(vec3(s[0] * e.x, s[1] * e.y, s[2] * e.z));
  }
}

static vouch_curved_t random_shape(test_random_t * r, vouch_look_t look)
{
  return (vouch_curved_t) {.look = look, .pose = random_pose(r),
           .size = {test_random_in(r, 0.01, 1.0), test_random_in(r, 0.01, 1.0),
             look == VOUCH_LOOK_ELLIPSOID ? test_random_in(r, 0.01, 1.0) : 0.0}};
}

static void supports_of_shapes_are_their_closed_forms(void ** state)
{
  (void)state;
  test_random_t r = {31};
  for (int look = VOUCH_LOOK_SPHERE; look <= VOUCH_LOOK_ELLIPSOID; look++) {
    for (int i = 0; i < 40; i++) {
      vouch_curved_t shape = random_shape(&r, (vouch_look_t)look);
      fixture_t f;
      begin(&f);
      add_shape(f.builder, &shape);
      build(&f);
      double around = kernel_derived(&f.geometry)->nodes[0].epsilon;
      for (int k = 0; k < 50; k++) {
        double d[3];
        test_random_direction(&r, d);
        vec3_t m = vec3_from(d);
        double truth = support_of(&shape, m), found = kernel_support(&f.geometry, 0, m);
        assert_true(found >= truth - 1e-14 && found <= truth + 2e-6 * around + 1e-14);
        vec3_t p = support_point(&f.geometry, 0, m, k % 2 == 0);
        assert_true(fabs(vec3_dot(m, p) + around - truth) < 1e-11);
      }
      end(&f);
    }
  }
}

/// Many shapes, and a ball of triangles, in one geometry.
static void build_heap(fixture_t * f, test_random_t * r, vouch_curved_t * shapes, int count)
{
  begin(f);
  for (int i = 0; i < count; i++) {
    vouch_look_t look = (vouch_look_t)(VOUCH_LOOK_SPHERE + test_random_below(r, 5));
    shapes[i] = random_shape(r, look);
    add_shape(f->builder, &shapes[i]);
  }
  if (count % 2 == 0) {
    const double radii[3] = {0.5, 0.4, 0.3};
    vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
    assert_int_equal(test_ball(&mesh, 4, radii), VOUCH_RET_OK);
    assert_int_equal(vouch_geometry_add_mesh(f->builder, &mesh), VOUCH_RET_OK);
    vouch_mesh_fini(&mesh);
  }
  build(f);
}

/* [K-SUPPORT] [K-NODE] No point beneath a node is beyond its support or outside of its ball. */
static void nodes_and_their_balls_contain_what_is_beneath(void ** state)
{
  (void)state;
  test_random_t r = {32};
  for (int count = 2; count < 60; count += 3) {
    vouch_curved_t shapes[60];
    fixture_t f;
    build_heap(&f, &r, shapes, count);
    const vouch_geometry_t * g = &f.geometry;
    const kernel_derived_t * d = kernel_derived(g);
    for (int k = 0; k < 200; k++) {
      double direction[3], most = -INFINITY;
      test_random_direction(&r, direction);
      vec3_t m = vec3_from(direction);
      for (int i = 0; i < count; i++) {
        most = fmax(most, support_of(&shapes[i], m));
      }
      assert_true(kernel_support(g, 0, m) >= most - 1e-14);
      assert_true(vec3_dot(m, vec3_from(g->vertices[0])) + d->radius >= most);
      for (uint32_t i = 0; i < g->node_count; i++) {
        const kernel_node_t * node = &d->nodes[i];
        double own = kernel_support(g, i, m), ball = vec3_dot(m, node->center) + node->radius;
        assert_true(ball >= own - 2e-6 * node->epsilon);
        for (int c = 0; g->nodes[i].left != 0 && c < 2; c++) {
          uint32_t child = c == 0 ? g->nodes[i].left : g->nodes[i].right;
          double slack = 2e-6 * d->nodes[child].epsilon + 1e-14;   // which is for longer directions
          assert_true(own >= kernel_support(g, child, m) - slack);
        }
      }
    }
    assert_memory_equal(&d->nodes[0].center, g->vertices[0], sizeof(double[3]));
    end(&f);
  }
}

static void every_connected_part_has_one_reference_point(void ** state)
{
  (void)state;
  test_random_t r = {33};
  vouch_curved_t shapes[8];
  fixture_t f;
  build_heap(&f, &r, shapes, 8);
  const vouch_geometry_t * g = &f.geometry;
  const kernel_derived_t * d = kernel_derived(g);
  assert_int_equal(d->reference_count, 9);
  assert_int_equal(d->solid_count, 1);
  assert_int_equal(g->components[d->solids[0]], VOUCH_COMPONENT_SOLID);
  for (uint32_t i = 0; i < g->primitive_count; i++) {
    const uint32_t * list = g->indices + g->primitives[i].first;
    for (uint32_t k = 0; k < d->reference_count; k++) {
      for (uint32_t j = 1; j < g->primitives[i].count; j++) {
        assert_int_not_equal(list[j], d->references[k]);
      }
    }
  }
  end(&f);
}

/* ---- what the kernel takes, the verifier takes ---- */

static const char GANTRY[] =
  "<robot name='gantry'><link name='world'/><link name='car'/><link name='arm'/>"
  "<joint name='slide' type='prismatic'><parent link='world'/><child link='car'/>"
  "<origin xyz='0.1 0.2 0.3'/><axis xyz='1 0.1 0'/>"
  "<limit lower='-9' upper='9' effort='1' velocity='1'/></joint>"
  "<joint name='turn' type='continuous'><parent link='car'/><child link='arm'/>"
  "<origin xyz='0 0 0.1'/><axis xyz='0.2 0 1'/></joint></robot>";

static vouch_shape_t some_shape(test_random_t * r)
{
  static const vouch_shape_kind_t kinds[] = {VOUCH_SHAPE_SPHERE, VOUCH_SHAPE_CAPSULE,
    VOUCH_SHAPE_CYLINDER, VOUCH_SHAPE_CONE, VOUCH_SHAPE_ELLIPSOID, VOUCH_SHAPE_BOX};
  uint32_t kind = test_random_below(r, 8);
  return kind >= 6 ? cell_cube_mesh(kind == 6 ? 10 : 12) :
         (vouch_shape_t) {.kind = kinds[kind], .size = {test_random_in(r, 0.02, 0.4),
             test_random_in(r, 0.02, 0.4), test_random_in(r, 0.02, 0.4)}};
}

static vouch_pose_t far_pose(test_random_t * r, double reach)
{
  vouch_pose_t pose = random_pose(r);
  for (int k = 0; k < 3; k++) {
    pose.translation[k] *= reach;
  }
  return pose;
}

// [K-DET] [K-OVERLAP]
static void what_the_kernel_accepts_the_verifier_accepts(void ** state)
{
  (void)state;
  test_random_t r = {34};
  cell_t cell = cell_open(GANTRY, NULL);
  vouch_check_options_t options = cell_options();
  options.certificate = true;
  int verdicts[3] = {0, 0, 0};
  for (int i = 0; i < 150; i++) {
    cell_clear(&cell);
    options.margin_m = i % 3 == 0 ? 0.01 : 0.0;
    options.first_contact = i % 2 == 0;
    cell_hold(&cell, "held", "arm", some_shape(&r), far_pose(&r, 0.5));
    cell_hold(&cell, "carried", "car", some_shape(&r), far_pose(&r, 2.5));
    cell_add(&cell, "one", some_shape(&r), far_pose(&r, 2.5));
    cell_add(&cell, "two", some_shape(&r), far_pose(&r, 2.5));
    double path[6];
    for (int k = 0; k < 6; k++) {
      path[k] = test_random_in(&r, -1.5, 1.5);
    }
    cell_path(&cell, path, 3);
    vouch_result_t result = cell_check(&cell, &options);
    verdicts[result.verdict]++;
    if (result.verdict != VOUCH_UNDECIDED) {
      test_is_verified(cell.checker);
    }
  }
  print_message("undecided %d, %d, %d\n", verdicts[0], verdicts[1], verdicts[2]);
  assert_true(verdicts[VOUCH_FREE] > 20 && verdicts[VOUCH_COLLISION] > 20);
  cell_close(&cell);
}

static const char LIFT[] =
  "<robot name='lift'><link name='world'/><link name='car'/>"
  "<joint name='lift' type='prismatic'><parent link='world'/><child link='car'/>"
  "<axis xyz='0 0 1'/><limit lower='-9' upper='9' effort='1' velocity='1'/></joint></robot>";

/* From above a ball sinks into an open cube. Its hull is entered when the start is over. */
static void an_open_mesh_is_entered_through_its_hole_after_the_start(void ** state)
{
  (void)state;
  cell_t cell = cell_open(LIFT, NULL);
  vouch_check_options_t options = cell_options();
  options.certificate = options.clearance = true;
  cell_hold(&cell, "ball", "car", cell_sphere(0.2), cell_at(0, 0, 0));
  cell_add(&cell, "open", cell_cube_mesh(10), cell_at(0, 0, 0));
  const double down[2] = {1.5, 0.0}, up[2] = {0.0, 1.5};
  cell_path(&cell, down, 2);
  vouch_result_t result = cell_check(&cell, &options);
  assert_int_equal(result.verdict, VOUCH_FREE);
  test_is_verified(cell.checker);
  assert_true(result.clearance.lower_m > 0.79 && result.clearance.upper_m < 0.8 + 1e-9);
  cell_path(&cell, up, 2);
  result = cell_check(&cell, &options);
  assert_int_equal(result.verdict, VOUCH_UNDECIDED);
  assert_string_equal(vouch_open_reason_name(result.open[0].reason), "surface");
  cell_close(&cell);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(supports_of_shapes_are_their_closed_forms),
    cmocka_unit_test(nodes_and_their_balls_contain_what_is_beneath),
    cmocka_unit_test(every_connected_part_has_one_reference_point),
    cmocka_unit_test(what_the_kernel_accepts_the_verifier_accepts),
    cmocka_unit_test(an_open_mesh_is_entered_through_its_hole_after_the_start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
