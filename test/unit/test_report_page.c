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
/* What pages, glTF and JUnit are made of, against volumes, distances and bytes that are known. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/vec.h"
#include "model/motion.h"
#include "report/assets.h"
#include "report/blob.h"
#include "report/film.h"
#include "report/profile.h"
#include "report/shown_mesh.h"
#include "support/failing.h"

#define PI 3.14159265358979323846

/* ---- meshes ---- */

typedef struct solid_s
{
  vouch_geometry_builder_t * builder;
  vouch_arena_t arena;
  vouch_geometry_t geometry;
  vouch_shown_mesh_t mesh;
} solid_t;

static void begin(solid_t * s)
{
  vouch_geometry_options_t options = {false, false};
  memset(s, 0, sizeof(*s));
  s->arena.allocator = s->mesh.allocator = vouch_allocator_default();
  assert_int_equal(
    vouch_geometry_builder_create(&s->builder, vouch_allocator_default(), &options), VOUCH_RET_OK);
}

static void show(solid_t * s, size_t most)
{
  vouch_geometry_facts_t facts;
  if (s->geometry.vertex_count == 0) {
    assert_int_equal(
      vouch_geometry_build(s->builder, &s->arena, &s->geometry, &facts), VOUCH_RET_OK);
  }
  assert_int_equal(vouch_shown_mesh_build(&s->mesh, &s->geometry, most), VOUCH_RET_OK);
}

static void end(solid_t * s)
{
  vouch_shown_mesh_fini(&s->mesh);
  vouch_geometry_builder_destroy(s->builder);
  vouch_arena_fini(&s->arena);
}

static vec3_t corner(const vouch_shown_mesh_t * m, size_t triangle, int k)
{
  const float * p = m->points[m->triangles[triangle][k]];
  return vec3((double)p[0], (double)p[1], (double)p[2]);
}

/* Positive only if triangles turn the same way, seen from outside counter-clockwise. */
static double volume(const vouch_shown_mesh_t * m)
{
  double sum = 0.0;
  for (size_t i = 0; i < m->triangle_count; i++) {
    sum += vec3_dot(corner(m, i, 0), vec3_cross(corner(m, i, 1), corner(m, i, 2))) / 6.0;
  }
  return sum;
}

static void shapes_have_their_volumes(void ** state)
{
  (void)state;
  const vouch_pose_t pose = {{0.0, 0.0, 0.0, 1.0}, {0.3, -0.2, 0.5}};
  const double size[3] = {0.2, 0.3, 0.4};
  const vouch_curved_t cylinder = {.look = VOUCH_LOOK_CYLINDER, .pose = pose, .size = {0.1, 0.25}};
  const vouch_curved_t cone = {.look = VOUCH_LOOK_CONE, .pose = pose, .size = {0.1, 0.25}};
  const double truths[5] = {
    0.2 * 0.3 * 0.4, 4.0 / 3.0 * PI * 1e-3, 4.0 / 3.0 * PI * 1e-3 + PI * 1e-2 * 0.5,
    PI * 1e-2 * 0.5, PI * 1e-2 * 0.5 / 3.0
  };
  for (int kind = 0; kind < 5; kind++) {
    solid_t s;
    begin(&s);
    vouch_ret_t ret = kind == 0 ? vouch_geometry_add_box(s.builder, size, &pose) :
      kind == 1 ? vouch_geometry_add_sphere(s.builder, 0.1, &pose) :
      kind == 2 ? vouch_geometry_add_capsule(s.builder, 0.1, 0.5, &pose) :
      vouch_geometry_add_curved(s.builder, kind == 3 ? &cylinder : &cone);
    assert_int_equal(ret, VOUCH_RET_OK);
    show(&s, SIZE_MAX);
    const double found = volume(&s.mesh), truth = truths[kind];
    assert_true(found <= truth * (1.0 + 1e-5));   // flat triangles inscribe
    assert_true(found >= truth * (kind == 0 ? 1.0 - 1e-5 : 0.93));
    end(&s);
  }
}

/* A ball of 2,048 triangles. */
static void add_ball(vouch_geometry_builder_t * builder)
{
  enum {ROUND = 64, HIGH = 17};
  double points[ROUND * HIGH][3];
  uint32_t triangles[2 * ROUND * (HIGH - 1)][3];
  size_t n = 0;
  for (uint32_t i = 0; i < HIGH; i++) {
    for (uint32_t k = 0; k < ROUND; k++) {
      const double polar = 0.01 + (PI - 0.02) * i / (HIGH - 1), angle = 2.0 * PI * k / ROUND;
      double * p = points[i * ROUND + k];
      p[0] = sin(polar) * cos(angle);
      p[1] = sin(polar) * sin(angle);
      p[2] = cos(polar);
      const uint32_t a = i * ROUND + k, b = i * ROUND + (k + 1) % ROUND;
      if (i + 1 < HIGH) {
        memcpy(triangles[n++], (uint32_t[3]) {a, a + ROUND, b}, sizeof(*triangles));
        memcpy(triangles[n++], (uint32_t[3]) {b, a + ROUND, b + ROUND}, sizeof(*triangles));
      }
    }
  }
  const vouch_mesh_t mesh = {.vertices = points, .vertex_count = ROUND * HIGH,
    .triangles = triangles, .triangle_count = n};
  assert_int_equal(vouch_geometry_add_mesh(builder, &mesh), VOUCH_RET_OK);
}

static void meshes_are_shown_as_they_are_unless_they_are_too_large(void ** state)
{
  (void)state;
  solid_t s;
  begin(&s);
  add_ball(s.builder);
  show(&s, 4000);
  assert_int_equal(s.mesh.triangle_count, 2048);
  assert_false(s.mesh.coarse);
  assert_true(fabs(volume(&s.mesh) - 4.0 / 3.0 * PI) < 0.1);
  show(&s, 500);
  assert_true(s.mesh.coarse);
  assert_in_range(s.mesh.triangle_count, 8, 1000);
  end(&s);
}

static void flat_things_are_shown_without_a_fault(void ** state)
{
  (void)state;
  const double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  vouch_shown_mesh_t mesh = {.allocator = vouch_allocator_default()};
  assert_int_equal(vouch_shown_mesh_hull(&mesh, points, 4), VOUCH_RET_OK);
  assert_int_equal(vouch_shown_mesh_hull(&mesh, points, 2), VOUCH_RET_OK);
  assert_int_equal(mesh.triangle_count, 0);
  vouch_shown_mesh_fini(&mesh);
}

/* ---- bytes ---- */

static void base64_is_that_of_the_rfc(void ** state)
{
  (void)state;
  static const char * const pairs[][2] = {
    {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"},
    {"\xff\xfe\xfd", "//79"}
  };
  for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
    vouch_text_t in = {.allocator = vouch_allocator_default()};
    vouch_text_t out = {.allocator = vouch_allocator_default()};
    vouch_text_append_bytes(&in, pairs[i][0], strlen(pairs[i][0]));
    vouch_blob_base64(&in, &out);
    vouch_text_append(&out, "%s", "");
    assert_string_equal(out.data ? out.data : "", pairs[i][1]);
    vouch_text_fini(&in);
    vouch_text_fini(&out);
  }
}

static void json_cannot_end_a_script(void ** state)
{
  (void)state;
  static const char nasty[] = "</script><!--&\"\\";
  vouch_text_t out = {.allocator = vouch_allocator_default()};
  json_t * root = json_pack("{s:s}", nasty, nasty);
  assert_int_equal(vouch_asset_json(root, &out), VOUCH_RET_OK);
  assert_null(strpbrk(out.data, "<>&"));
  json_t * back = json_loads(out.data, 0, NULL);
  assert_string_equal(json_string_value(json_object_get(back, nasty)), nasty);
  json_decref(root);
  json_decref(back);
  vouch_text_fini(&out);
}

static void templates_are_filled_once(void ** state)
{
  (void)state;
  static const char text[] = "a@x@b@unknown@c@";
  const vouch_asset_t asset = {(const unsigned char *)text, sizeof(text) - 1};
  const vouch_fill_t fills[] = {{"x", "@x@", 3}, {NULL, NULL, 0}};
  vouch_text_t out = {.allocator = vouch_allocator_default()};
  vouch_asset_fill(&asset, fills, &out);
  assert_string_equal(out.data, "a@x@b@unknown@c@");
  vouch_text_fini(&out);
}

static void junit_says_what_failed_and_escapes_it(void ** state)
{
  (void)state;
  const vouch_index_row_t rows[3] = {
    {.name = "fine", .verdict = VOUCH_FREE},
    {.name = "a<b & \"c\"", .verdict = VOUCH_COLLISION, .text = "x < y\x01\nsecond"},
    {.name = "bad", .verdict = VOUCH_INVALID, .error = "no file"}
  };
  vouch_text_t out = {.allocator = vouch_allocator_default()};
  assert_int_equal(vouch_report_junit("list", rows, 3, &out), VOUCH_RET_OK);
  assert_non_null(strstr(out.data, "tests=\"3\" failures=\"1\" errors=\"1\""));
  assert_non_null(strstr(out.data, "name=\"a&lt;b &amp; &quot;c&quot;\""));
  assert_non_null(strstr(out.data, "message=\"x &lt; y \""));
  assert_non_null(strstr(out.data, "<error type=\"INVALID\" message=\"no file\">"));
  assert_null(strchr(out.data, 1));
  vouch_text_fini(&out);
}

/* ---- a ball on a slide before a box and above a plane ---- */

static const char ROBOT[] =
  "<robot name=\"slide\"><link name=\"rail\"/><link name=\"ball\"><collision><geometry>"
  "<sphere radius=\"0.1\"/></geometry></collision></link>"
  "<joint name=\"x\" type=\"prismatic\"><parent link=\"rail\"/><child link=\"ball\"/>"
  "<axis xyz=\"1 0 0\"/><limit lower=\"-2\" upper=\"2\" effort=\"1\" velocity=\"1\"/></joint>"
  "</robot>";
static const char SCENE[] =
  "world: {collision_objects: [{id: wall, header: {frame_id: rail}, primitives: [{type: box, "
  "dimensions: [0.2, 1, 1]}], primitive_poses: [{position: [1.5, 0, 0]}]}, {id: floor, header: "
  "{frame_id: rail}, planes: [{coef: [0, 0, 1, 0.5]}], plane_poses: [{position: [0, 0, 0]}]}]}";

typedef struct slide_s
{
  vouch_robot_t * robot;
  vouch_scene_t * scene;
  vouch_motion_t * motion;
  vouch_checker_t * checker;
  vouch_check_options_t options;
  vouch_result_t result;
  vouch_report_t report;
} slide_t;

static void start(slide_t * s, double to, double margin)
{
  static const char * const names[1] = {"x"};
  const double from = 0.0;
  const vouch_trajectory_point_t points[2] = {
    {.positions = &from, .time_s = 0.0}, {.positions = &to, .time_s = 1.0}
  };
  const vouch_trajectory_t trajectory = {names, 1, points, 2};
  memset(s, 0, sizeof(*s));
  s->options = vouch_check_options_default();
  s->options.margin_m = margin;
  assert_int_equal(
    vouch_robot_parse_urdf(&s->robot, ROBOT, sizeof(ROBOT) - 1, NULL, NULL), VOUCH_RET_OK);
  assert_int_equal(vouch_scene_create(&s->scene, s->robot, NULL), VOUCH_RET_OK);
  assert_int_equal(vouch_scene_parse(s->scene, SCENE, sizeof(SCENE) - 1), VOUCH_RET_OK);
  assert_int_equal(vouch_motion_create(&s->motion, s->robot, &trajectory, NULL), VOUCH_RET_OK);
  assert_int_equal(vouch_checker_create(&s->checker, s->scene, &s->options), VOUCH_RET_OK);
  assert_int_equal(vouch_check(s->checker, s->motion, &s->result), VOUCH_RET_OK);
  s->report = (vouch_report_t) {.result = &s->result, .checker = s->checker,
    .options = &s->options, .motion = s->motion, .scene = s->scene};
}

static void stop(slide_t * s)
{
  vouch_checker_destroy(s->checker);
  vouch_motion_destroy(s->motion);
  vouch_scene_destroy(s->scene);
  vouch_robot_destroy(s->robot);
}

/* The wall's face is at 1.4, the ball's radius 0.1; the floor is 0.4 below the ball. */
static double truth(double time, double to)
{
  return fmin(0.4, fmax(0.0, 1.3 - to * time));
}

static void certified_distances_are_below_the_true_ones_and_near_them(void ** state)
{
  (void)state;
  const double ends[3] = {1.25, 1.299, 0.2};
  for (int i = 0; i < 3; i++) {
    slide_t s;
    vouch_profile_t profile;
    start(&s, ends[i], 0.0);
    assert_int_equal(s.result.verdict, VOUCH_FREE);
    assert_int_equal(
      vouch_profile_init(&profile, &s.report, vouch_allocator_default()), VOUCH_RET_OK);
    assert_int_equal(profile.pair_count, 2);
    assert_false(profile.cut_short);
    for (size_t k = 0; k < profile.span_count; k++) {
      const vouch_profile_span_t * span = &profile.spans[k];
      const double least = truth(span->end, ends[i]);
      assert_true(span->certified[VOUCH_SIDE_WORLD] <= least + 1e-9);
      assert_true(span->certified[VOUCH_SIDE_WORLD] >= 0.95 * least - 1e-4);
      assert_true(fabs(span->found[VOUCH_SIDE_WORLD] - truth(span->at[0], ends[i])) < 1e-6);
      assert_true(isinf(span->certified[VOUCH_SIDE_SELF]));
    }
    for (size_t k = 0; k < profile.pair_count; k++) {
      const vouch_profile_pair_t * pair = &profile.pairs[k];
      const double least = pair->margin >= 0.0 && fabs(pair->found - 0.4) < 1e-6 ? 0.4 :
        1.3 - ends[i];
      assert_true(pair->certified <= least + 1e-9 && pair->certified >= 0.9 * least - 1e-4);
      assert_true(pair->found >= least - 1e-9);
    }
    vouch_profile_fini(&profile);
    stop(&s);
  }
}

/* Behind the wall the ball is apart again; but it went through, and nothing is said of that. */
static void nothing_is_certified_after_a_contact(void ** state)
{
  (void)state;
  slide_t s;
  vouch_profile_t profile;
  start(&s, 2.0, 0.0);
  assert_int_equal(s.result.verdict, VOUCH_COLLISION);
  assert_int_equal(
    vouch_profile_init(&profile, &s.report, vouch_allocator_default()), VOUCH_RET_OK);
  for (size_t k = 0; k < profile.span_count; k++) {
    const vouch_profile_span_t * span = &profile.spans[k];
    if (2.0 * span->end > 1.3) {
      assert_true(span->certified[VOUCH_SIDE_WORLD] < 0.0);
    } else if (2.0 * span->end < 1.25) {
      assert_true(span->certified[VOUCH_SIDE_WORLD] > 0.0);
    }
  }
  vouch_profile_fini(&profile);
  stop(&s);
}

static void a_page_says_what_it_lacks(void ** state)
{
  (void)state;
  slide_t s;
  start(&s, 0.2, 0.0);
  vouch_text_t out = {.allocator = vouch_allocator_default()};
  const vouch_page_library_t none = {{NULL, 0}, {NULL, 0}};
  vouch_page_t page = {.report = &s.report, .title = "t", .trajectory = "t"};
  assert_int_equal(vouch_report_page(&page, &none, &out), VOUCH_RET_UNSUPPORTED);
  assert_non_null(strstr(vouch_error(), "libjs-three"));
  s.report.result = NULL;
  assert_int_equal(vouch_report_page(&page, &none, &out), VOUCH_RET_INVALID);
  assert_int_equal(vouch_report_gltf(&s.report, &out), VOUCH_RET_INVALID);
  vouch_text_fini(&out);
  stop(&s);
}

/* Whatever request for memory fails, it is told, and all of it is given back. */
static void memory_that_runs_out_is_told(void ** state)
{
  (void)state;
  static const unsigned char script[] = "1;";
  const vouch_page_library_t library = {{script, 2}, {script, 2}};
  slide_t s;
  start(&s, 1.25, 0.0);
  const vouch_page_t page = {.report = &s.report, .title = "t", .trajectory = "t"};
  for (int kind = 0; kind < 3; kind++) {
    vouch_ret_t ret = VOUCH_RET_NO_MEMORY;
    for (long tries = 0; ret != VOUCH_RET_OK; tries++) {
      test_failing_t failing = {.fail_at = tries};
      vouch_text_t text = {.allocator = test_failing_allocator(&failing)};
      ret = kind == 0 ? vouch_report_page(&page, &library, &text) :
        kind == 1 ? vouch_report_gltf(&s.report, &text) :
        vouch_report_thumbnail(&s.report, &text);
      assert_true(ret == VOUCH_RET_OK || ret == VOUCH_RET_NO_MEMORY);
      vouch_text_fini(&text);
      assert_int_equal(failing.alive, 0);
      assert_true(tries < 3000);
    }
  }
  stop(&s);
}

/* ---- films ---- */

static void a_film_has_the_knots_and_what_is_wanted(void ** state)
{
  (void)state;
  slide_t s;
  vouch_film_t film;
  const double wanted[3] = {0.123456, 7.0, NAN};
  start(&s, 0.2, 0.0);
  assert_int_equal(
    vouch_film_init(&film, s.motion, wanted, 3, vouch_allocator_default()), VOUCH_RET_OK);
  bool there = false;
  assert_false(film.thinned);
  assert_true(film.times[0] == 0.0 && film.times[film.count - 1] == 1.0);
  for (size_t i = 0; i < film.count; i++) {
    assert_true(i == 0 || film.times[i] > film.times[i - 1]);
    assert_true(fabs(film.values[i] - 0.2 * film.times[i]) < 1e-12);
    there = there || film.times[i] == wanted[0];
  }
  assert_true(there);
  vouch_film_fini(&film);
  stop(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(shapes_have_their_volumes),
    cmocka_unit_test(meshes_are_shown_as_they_are_unless_they_are_too_large),
    cmocka_unit_test(flat_things_are_shown_without_a_fault),
    cmocka_unit_test(base64_is_that_of_the_rfc),
    cmocka_unit_test(json_cannot_end_a_script),
    cmocka_unit_test(templates_are_filled_once),
    cmocka_unit_test(junit_says_what_failed_and_escapes_it),
    cmocka_unit_test(certified_distances_are_below_the_true_ones_and_near_them),
    cmocka_unit_test(nothing_is_certified_after_a_contact),
    cmocka_unit_test(a_page_says_what_it_lacks),
    cmocka_unit_test(memory_that_runs_out_is_told),
    cmocka_unit_test(a_film_has_the_knots_and_what_is_wanted)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
