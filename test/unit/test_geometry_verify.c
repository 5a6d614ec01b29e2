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

/* What is encoded, judged by the verifier: around it a problem of one segment in which the geometry
 * turns about an axis, far from a small one that stays. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "base/bytes.h"
#include "base/sha256.h"
#include "geometry/geometry.h"
#include "geometry/vec.h"
#include "read/mesh_file.h"
#include "support/built.h"
#include "support/data.h"
#include "support/random.h"
#include "support/solids.h"
#include "verify/verify.h"

static vouch_text_t new_text(void)
{
  return (vouch_text_t) {.allocator = vouch_allocator_default()};
}

static void put_part(vouch_text_t * out, uint32_t tag, vouch_text_t * body, uint8_t hash[32])
{
  vouch_bytes_put_u32(out, tag);
  vouch_bytes_put_u64(out, body->size);
  vouch_text_append_bytes(out, body->data, body->size);
  vouch_sha256(body->data, body->size, hash);
  vouch_text_fini(body);
}

static void put_names(vouch_text_t * out, const char * names, uint32_t size)
{
  vouch_bytes_put_u32(out, size);
  vouch_text_append_bytes(out, names, size);
}

static vouch_text_t motion_body(void)
{
  const double seconds = 0.0, variable[2] = {0.0}, knots[3] = {0.0, 1.0, 1.0},
    coefficients[2] = {0.0, 0.1};
  vouch_text_t body = new_text();
  vouch_bytes_put_u32(&body, 1);
  vouch_bytes_put_f64(&body, &seconds, 1);   // seconds at the first knot
  vouch_bytes_put_u32(&body, 1);
  vouch_bytes_put_f64(&body, variable, 2);
  vouch_bytes_put_u32(&body, 1);
  vouch_bytes_put_f64(&body, knots, 3);
  vouch_bytes_put_u32(&body, 1);
  vouch_bytes_put_u32(&body, 0);
  vouch_bytes_put_u32(&body, 2);
  vouch_bytes_put_f64(&body, coefficients, 2);
  static const char names[] = "model\0turn";
  put_names(&body, names, sizeof(names));
  return body;
}

static void put_frame(vouch_text_t * out, uint32_t joint)
{
  double turns = joint == 1 ? 1.0 : 0.0;
  const double numbers[12] = {0, 0, 0, 1, 0, 0, 0, 0, 0, turns, turns, 0};
  const uint32_t words[4] = {0, joint, 0, 0};
  vouch_bytes_put_f64(out, numbers, 12);
  vouch_bytes_put_u32s(out, words, 4);
}

static void put_body(vouch_text_t * out, uint32_t frame, uint32_t geometry, double x)
{
  const double numbers[8] = {0, 0, 0, 1, x, 0, 0, 0};
  const uint32_t words[4] = {frame, 0, geometry, 0};
  vouch_bytes_put_f64(out, numbers, 8);
  vouch_bytes_put_u32s(out, words, 4);
}

/// Geometry 0 hangs on the joint, geometry 1 on the root, `away` along x.
static vouch_text_t scene_body(double away)
{
  const double margin = 0.01;
  const uint32_t pair[4] = {0, 1, 0, 0};
  vouch_text_t body = new_text();
  vouch_bytes_put_u64(&body, 0);
  vouch_bytes_put_u32(&body, 2);
  put_frame(&body, 0);
  put_frame(&body, 1);
  vouch_bytes_put_u32(&body, 2);
  put_body(&body, 1, 0, 0.0);
  put_body(&body, 0, 1, away);
  vouch_bytes_put_u32(&body, 0);   // groups
  vouch_bytes_put_u32(&body, 1);
  vouch_bytes_put_f64(&body, &margin, 1);
  vouch_bytes_put_u32s(&body, pair, 4);
  vouch_bytes_put_u32(&body, 0);   // skips
  vouch_bytes_put_u32(&body, 0);   // left out
  static const char names[] = "robot\0root\0\0arm\0\0a\0a\0b\0b";
  put_names(&body, names, sizeof(names));
  return body;
}

static vouch_text_t sources_body(void)
{
  vouch_text_t body = new_text();
  vouch_bytes_put_u32(&body, 0);
  put_names(&body, "test", 5);
  return body;
}

typedef struct problem_s
{
  vouch_text_t bytes;
  uint8_t hashes[4][32];
} problem_t;

/// Around the bytes of two geometries, which are released.
static problem_t make_problem(vouch_text_t geometries, double away)
{
  problem_t problem = {.bytes = new_text()};
  vouch_text_t body = new_text(), motion = motion_body(), scene = scene_body(away),
    sources = sources_body();
  vouch_bytes_put_u32(&body, 2);
  vouch_text_append_bytes(&body, geometries.data, geometries.size);
  vouch_text_fini(&geometries);
  assert_false(body.failed);
  vouch_text_append_bytes(&problem.bytes, "VOUCHPRB", 8);
  vouch_bytes_put_u32(&problem.bytes, 3);
  put_part(&problem.bytes, 1, &body, problem.hashes[0]);
  put_part(&problem.bytes, 2, &motion, problem.hashes[1]);
  put_part(&problem.bytes, 3, &scene, problem.hashes[2]);
  put_part(&problem.bytes, 4, &sources, problem.hashes[3]);
  return problem;
}

/// That they are free, by one leaf with the direction x between the roots.
static vouch_text_t make_certificate(const problem_t * problem)
{
  vouch_text_t bytes = new_text();
  const float direction[3] = {1.0f, 0.0f, 0.0f};
  vouch_text_append_bytes(&bytes, "VOUCHCRT", 8);
  vouch_bytes_put_u32(&bytes, 3);
  vouch_bytes_put_u32(&bytes, VOUCH_VERIFY_FREE);
  vouch_text_append_bytes(&bytes, problem->hashes, sizeof(problem->hashes));
  vouch_bytes_put_u64(&bytes, UINT64_C(1) << 44);
  vouch_bytes_put_u8(&bytes, 'L');
  vouch_bytes_put_f32(&bytes, direction, 3);
  return bytes;
}

/// How far the geometry reaches along x at most while it turns by up to 0.1 about z.
static double reach(const vouch_geometry_t * g)
{
  double far = -HUGE_VAL;
  for (int i = 0; i <= 10; ++i) {
    double angle = 0.01 * i;
    const double n[3] = {cos(angle), -sin(angle), 0.0};
    far = fmax(far, test_support_of_primitives(g, &g->nodes[0], n));
  }
  return far;
}

/// Loads, and proves what is true; and does not prove it where it is false.
static void expect_accepted(const vouch_geometry_t * g, double slack)
{
  vouch_geometry_builder_t * builder = test_builder(false, false);
  vouch_pose_t pose = vouch_pose_identity();
  assert_int_equal(vouch_geometry_add_sphere(builder, 0.25, &pose), VOUCH_RET_OK);
  test_built_t ball = test_finish(builder);
  double touching = reach(g) + 0.25 + 0.01;
  for (int round = 0; round < 2; ++round) {
    vouch_text_t both = new_text();
    vouch_geometry_encode(g, &both);
    vouch_geometry_encode(&ball.geometry, &both);
    problem_t problem = make_problem(both, touching + (round == 0 ? slack : -1e-6));
    vouch_text_t certificate = make_certificate(&problem);
    struct vouch_verify_report report;
    struct vouch_verifier * verifier =
      vouch_verify_load(problem.bytes.data, problem.bytes.size, &report);
    if (verifier == NULL) {
      fail_msg("not loaded: %s", report.text);
    }
    int code = vouch_verify_check(verifier, certificate.data, certificate.size, &report);
    if (code != (round == 0 ? VOUCH_VERIFY_OK : VOUCH_VERIFY_REFUSED)) {
      fail_msg("round %d: %s", round, report.text);
    }
    free(verifier);
    vouch_text_fini(&certificate);
    vouch_text_fini(&problem.bytes);
  }
  test_release(&ball);
}

enum {SHAPES = 8};

static void add_shape(vouch_geometry_builder_t * builder, int kind, test_random_t * random)
{
  vouch_pose_t pose = test_random_pose(random, 1.0);
  const double size[3] = {0.3, 0.2, 0.4}, base[4][2] = {{0, 0}, {1, 0}, {0.2, 0.2}, {0, 1}};
  const vouch_look_t looks[3] = {VOUCH_LOOK_CYLINDER, VOUCH_LOOK_CONE, VOUCH_LOOK_ELLIPSOID};
  vouch_curved_t curved = {.pose = pose, .size = {0.3, 0.2, 0.4}};
  double points[20][3];
  vouch_ret_t code = VOUCH_RET_OK;
  for (int i = 0; i < 20; ++i) {
    test_random_direction(random, points[i]);
  }
  switch (kind) {
    case 0: code = vouch_geometry_add_box(builder, size, &pose); break;
    case 1: code = vouch_geometry_add_sphere(builder, 0.3, &pose); break;
    case 2: code = vouch_geometry_add_capsule(builder, 0.3, 0.5, &pose); break;
    case 3: code = vouch_geometry_add_prism(builder, base, 4, 0.5, &pose); break;
    case 4: code = vouch_geometry_add_hull(builder, (const double(*)[3])points, 20, 0.1); break;
    default:
      curved.look = looks[kind - 5];
      code = vouch_geometry_add_curved(builder, &curved);
  }
  assert_int_equal(code, VOUCH_RET_OK);
}

static void every_shape_alone(void ** state)
{
  (void)state;
  test_random_t random = {.state = 81};
  for (int round = 0; round < 5 * SHAPES; ++round) {
    vouch_geometry_builder_t * builder = test_builder(false, false);
    add_shape(builder, round % SHAPES, &random);
    test_built_t built = test_finish(builder);
    expect_accepted(&built.geometry, 0.1);
    test_release(&built);
  }
}

static void many_shapes_together(void ** state)
{
  (void)state;
  test_random_t random = {.state = 82};
  for (int round = 0; round < 30; ++round) {
    vouch_geometry_builder_t * builder = test_builder(false, false);
    uint32_t count = 2 + test_random_below(&random, round == 29 ? 100 : 30);
    for (uint32_t i = 0; i < count; ++i) {
      add_shape(builder, (int)test_random_below(&random, SHAPES), &random);
    }
    test_built_t built = test_finish(builder);
    expect_accepted(&built.geometry, 0.1 + vouch_geometry_witness_error(&built.geometry, 0));
    test_release(&built);
  }
}

/// Closed, open, degenerate, and both beside each other; as open ones and as surfaces.
static void meshes_of_all_kinds(void ** state)
{
  (void)state;
  test_random_t random = {.state = 83};
  const double radii[3] = {0.3, 0.4, 0.5};
  for (int round = 0; round < 32; ++round) {
    vouch_geometry_builder_t * builder = test_builder(false, round % 2 == 1);
    vouch_mesh_t mesh = vouch_mesh_zero(vouch_allocator_default());
    for (int part = 0; part < 3; ++part) {
      size_t before = mesh.vertex_count;
      assert_int_equal(test_ball(&mesh, 2 + part, radii), VOUCH_RET_OK);
      mesh.triangle_count -= (round >> (part + 1)) % 2 != 0;
      for (size_t i = before; i < mesh.vertex_count; ++i) {
        mesh.vertices[i][part] += 1.0;
      }
    }
    assert_int_equal(vouch_mesh_add_triangle(&mesh, 0, 1, 0), VOUCH_RET_OK);
    assert_int_equal(vouch_mesh_add_triangle(&mesh, 2, 2, 2), VOUCH_RET_OK);
    assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
    vouch_mesh_fini(&mesh);
    for (int i = 0; round >= 16 && i < 3; ++i) {
      add_shape(builder, (int)test_random_below(&random, SHAPES), &random);
    }
    test_built_t built = test_finish(builder);
    expect_accepted(&built.geometry, 0.1 + vouch_geometry_witness_error(&built.geometry, 0));
    test_release(&built);
  }
}

static void real_meshes(void ** state)
{
  (void)state;
  static const char * const paths[] = {
    "robowflex_resources/panda/meshes/collision/hand.stl",
    "robowflex_resources/ur/meshes/ur5/collision/upperarm.stl",
    "robowflex_resources/robotiq/85_gripper/meshes/collision/robotiq_85_base_link.stl",
    "robowflex_resources/yumi/meshes/coarse/link_2.stl",
  };
  if (test_data_directory() == NULL) {
    skip();
  }
  for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); ++i) {
    test_built_t built = test_built_of(paths[i]);
    expect_accepted(&built.geometry, 0.05);
    test_release(&built);
  }
}

/// Bytes that are not as they were written: what is read back here, the verifier takes too.
static void what_is_decoded_is_loaded(void ** state)
{
  (void)state;
  test_random_t random = {.state = 84};
  vouch_geometry_builder_t * builder = test_builder(false, false);
  for (int i = 0; i < SHAPES; ++i) {
    add_shape(builder, i, &random);
  }
  test_built_t built = test_finish(builder);
  vouch_text_t bytes = new_text();
  vouch_geometry_encode(&built.geometry, &bytes);
  int taken = 0, loaded = 0;
  for (int round = 0; round < 600; ++round) {
    size_t at = test_random_bits(&random) % bytes.size, used;
    char before = bytes.data[at];
    bytes.data[at] = (char)(before ^ (char)(1 << test_random_below(&random, 8)));
    vouch_arena_t arena = {.allocator = vouch_allocator_default()};
    vouch_geometry_t g;
    bool decoded = vouch_geometry_decode(&g, &arena, bytes.data, bytes.size, &used) == VOUCH_RET_OK;
    vouch_text_t both = new_text();
    vouch_text_append_bytes(&both, bytes.data, bytes.size);
    vouch_geometry_encode(&built.geometry, &both);
    problem_t problem = make_problem(both, 10.0);
    struct vouch_verify_report report;
    struct vouch_verifier * verifier =
      vouch_verify_load(problem.bytes.data, problem.bytes.size, &report);
    if (decoded && used == bytes.size && verifier == NULL) {
      fail_msg("decoded, but not loaded: %s (byte %zu)", report.text, at);
    }
    taken += decoded;
    loaded += verifier != NULL;
    free(verifier);
    vouch_text_fini(&problem.bytes);
    vouch_arena_fini(&arena);
    bytes.data[at] = before;
  }
  assert_true(taken > 100 && loaded >= taken && taken < 590);
  vouch_text_fini(&bytes);
  test_release(&built);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_shape_alone),
    cmocka_unit_test(many_shapes_together),
    cmocka_unit_test(meshes_of_all_kinds),
    cmocka_unit_test(real_meshes),
    cmocka_unit_test(what_is_decoded_is_loaded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
