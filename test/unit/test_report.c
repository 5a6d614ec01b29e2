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
/* Reports of the example cell's checks, and of results made up to be awkward. */

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/report.h"
#include "support/failing.h"

#define CELL VOUCH_SOURCE_DIR "/examples/cell/"

typedef struct checked_s
{
  vouch_robot_t * robot;
  vouch_scene_t * scene;
  vouch_motion_t * motion;
  vouch_checker_t * checker;
  vouch_check_options_t options;
  vouch_result_t result;
  vouch_report_t report;
} checked_t;

static void check(checked_t * c, const char * trajectory)
{
  memset(c, 0, sizeof(*c));
  vouch_robot_options_t robot = vouch_robot_options_default();
  vouch_scene_options_t scene = vouch_scene_options_default();
  vouch_motion_options_t motion = vouch_motion_options_default();
  robot.srdf_path = CELL "arm.srdf";
  c->options = vouch_check_options_default();
  assert_int_equal(vouch_robot_load_urdf(&c->robot, CELL "arm.urdf", &robot), VOUCH_RET_OK);
  assert_int_equal(vouch_scene_create(&c->scene, c->robot, &scene), VOUCH_RET_OK);
  assert_int_equal(vouch_scene_load(c->scene, CELL "cell.yaml"), VOUCH_RET_OK);
  assert_int_equal(vouch_motion_load(&c->motion, c->robot, trajectory, &motion), VOUCH_RET_OK);
  assert_int_equal(vouch_checker_create(&c->checker, c->scene, &c->options), VOUCH_RET_OK);
  assert_int_equal(vouch_check(c->checker, c->motion, &c->result), VOUCH_RET_OK);
  c->report = (vouch_report_t) {
    .result = &c->result, .checker = c->checker, .options = &c->options, .motion = c->motion,
    .scene = c->scene, .load_seconds = -1.0
  };
}

static void release(checked_t * c)
{
  vouch_checker_destroy(c->checker);
  vouch_motion_destroy(c->motion);
  vouch_scene_destroy(c->scene);
  vouch_robot_destroy(c->robot);
}

static json_t * parse(const vouch_report_t * report, bool compact)
{
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  assert_int_equal(vouch_report_json(report, compact, &text), VOUCH_RET_OK);
  assert_int_equal(text.data[text.size - 1], '\n');
  if (compact) {
    assert_ptr_equal(strchr(text.data, '\n'), text.data + text.size - 1);
  }
  json_t * root = json_loads(text.data, 0, NULL);
  assert_non_null(root);
  vouch_text_fini(&text);
  return root;
}

static const char * text_at(json_t * object, const char * key)
{
  const char * text = json_string_value(json_object_get(object, key));
  assert_non_null(text);
  return text;
}

static void assert_says(const vouch_report_t * report, const char * words)
{
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  vouch_report_text(report, false, &text);
  if (!strstr(text.data, words)) {
    fail_msg("'%s' is not in:\n%s", words, text.data);
  }
  vouch_text_fini(&text);
}

static void invalid_has_its_sentence_and_nothing_else(void ** state)
{
  (void)state;
  vouch_report_t report = {.error = "t.yaml:3: knee is no joint", .load_seconds = -1.0};
  json_t * root = parse(&report, true);
  assert_string_equal(text_at(root, "verdict"), "INVALID");
  assert_string_equal(text_at(root, "error"), report.error);
  assert_int_equal(json_object_size(root), 3);
  json_decref(root);
  assert_says(&report, "INVALID     t.yaml:3: knee is no joint");
}

static void bytes_that_are_no_utf8_do_not_break_json(void ** state)
{
  (void)state;
  vouch_report_t report = {.error = "caf\xe9.yaml is missing", .name = "a \"quoted\"\nname"};
  json_t * root = parse(&report, true);
  assert_string_equal(text_at(root, "error"), "caf?.yaml is missing");
  assert_string_equal(text_at(root, "name"), "a \"quoted\"\nname");
  json_decref(root);
}

static void free_motion_is_told_with_its_clearance(void ** state)
{
  (void)state;
  checked_t c;
  check(&c, CELL "pick.yaml");
  json_t * root = parse(&c.report, false);
  assert_string_equal(text_at(root, "verdict"), "FREE");
  assert_string_equal(text_at(root, "robot"), "example_arm");
  assert_string_equal(text_at(root, "model"), "controller");
  assert_string_equal(text_at(root, "method"), "chord");
  assert_int_equal(strlen(text_at(root, "problem_sha256")), 64);
  assert_true(json_is_null(json_object_get(root, "first_collision")));
  json_t * clearance = json_object_get(root, "clearance");
  assert_true(json_real_value(json_object_get(clearance, "lower_m")) == c.result.clearance.lower_m);
  json_t * statistics = json_object_get(root, "statistics");
  assert_true(json_is_null(json_object_get(statistics, "load_seconds")));
  json_decref(root);
  assert_says(&c.report, "FREE        ");
  assert_says(&c.report, "apart at every time of 5.8 s\n");
  assert_says(&c.report, "right_finger - part at 2.900000 s (at points[3])");
  c.result.statistics.pairs = 1;
  assert_says(&c.report, "FREE        1 pair stays apart");
  release(&c);
}

/* A bound that is printed is no better than the one that is proved. */
static void what_is_proved_is_not_rounded_up(void ** state)
{
  (void)state;
  checked_t c;
  check(&c, CELL "pick.yaml");
  c.result.clearance.lower_m = 0.0399999;
  c.result.clearance.upper_m = 0.0400001;
  assert_says(&c.report, "between 39.999 mm and 40.001 mm");
  c.result.clearance.lower_m = 1.2349999;
  c.result.clearance.upper_m = 1.2340001;
  assert_says(&c.report, "between 1.234 m and 1.235 m");
  c.result.clearance.lower_m = 0.012;   // which has no binary digits of its own
  c.result.clearance.upper_m = 0.012;
  assert_says(&c.report, "between 12.000 mm and 12.000 mm");
  c.options.margin_m = 0.0049999;
  c.result.least_margin_m = c.options.margin_m;
  assert_says(&c.report, "stay more than 4.999 mm apart");
  c.options.margin_m = 0.005;
  c.result.least_margin_m = c.options.margin_m;
  assert_says(&c.report, "stay more than 5.000 mm apart");
  vouch_open_t open = {
    .a = "hand", .b = "part", .begin_s = 1.9999999, .end_s = 2.0000011, .distance_m = 0.0010001,
    .reason = VOUCH_OPEN_DEADLINE
  };
  c.result.verdict = VOUCH_UNDECIDED;
  c.result.open = &open;
  c.result.open_count = 1;
  c.result.free_until_s = 1.9999999;
  assert_says(&c.report, "proved free until 1.999999 s");
  assert_says(&c.report, "between 1.999999 s and 2.000002 s, at most 1.001 mm apart");
  release(&c);
}

static void unknown_numbers_are_null(void ** state)
{
  (void)state;
  checked_t c;
  check(&c, CELL "pick.yaml");
  vouch_open_t open = {
    .a = "hand", .b = "", .begin_s = 1.0, .end_s = 2.0, .distance_m = -1.0,
    .reason = VOUCH_OPEN_DEADLINE
  };
  c.result.verdict = VOUCH_UNDECIDED;
  c.result.open = &open;
  c.result.open_count = 1;
  c.result.clearance.upper_m = NAN;
  json_t * root = parse(&c.report, true);
  json_t * item = json_array_get(json_object_get(root, "open"), 0);
  assert_true(json_is_null(json_object_get(item, "distance_m")));
  assert_string_equal(text_at(item, "reason"), vouch_open_reason_name(VOUCH_OPEN_DEADLINE));
  assert_true(
    json_is_null(json_object_get(json_object_get(root, "clearance"), "upper_m")));
  json_decref(root);
  assert_says(
    &c.report, "hand - the obstacles between 1.000000 s and 2.000000 s: the deadline came first");
  open.end_s = 1.0 + 0x1p-24;   // would look like nothing
  assert_says(&c.report, "hand - the obstacles between 1.000000 s and 6e-08 s later: ");
  open.distance_m = -0.0;
  assert_says(&c.report, "later, at most 0.000 mm apart: ");
  root = parse(&c.report, true);
  item = json_array_get(json_object_get(root, "open"), 0);
  assert_false(signbit(json_real_value(json_object_get(item, "distance_m"))));
  json_decref(root);
  release(&c);
}

static void hidden_times_give_the_same_bytes(void ** state)
{
  (void)state;
  checked_t c;
  vouch_text_t text[2] = {
    {.allocator = vouch_allocator_default()}, {.allocator = vouch_allocator_default()}
  };
  check(&c, CELL "pick.yaml");
  c.report.hide_times = true;
  for (int i = 0; i < 2; i++) {
    c.result.statistics.seconds = i;
    c.result.statistics.cpu_seconds = i;
    c.report.load_seconds = i;
    assert_int_equal(vouch_report_json(&c.report, true, &text[i]), VOUCH_RET_OK);
  }
  assert_string_equal(text[0].data, text[1].data);
  vouch_text_fini(&text[0]);
  vouch_text_fini(&text[1]);
  release(&c);
}

static void collision_is_told_with_its_place(void ** state)
{
  (void)state;
  checked_t c;
  check(&c, CELL "through_plate.yaml");
  assert_int_equal(c.result.verdict, VOUCH_COLLISION);
  assert_says(&c.report, "hits");
  assert_says(&c.report, "of the way from points[2] to points[3])");
  assert_says(&c.report, "proved for all pairs until");
  c.options.first_contact = false;
  json_t * root = parse(&c.report, true);
  json_t * contact = json_object_get(root, "first_collision");
  assert_true(json_is_null(json_object_get(contact, "free_until_s")));
  json_decref(root);
  c.result.first_collision.kind = VOUCH_CONTACT_MARGIN;
  assert_says(&c.report, "comes within the margin of");
  release(&c);
}

static void colour_is_only_around_the_verdict(void ** state)
{
  (void)state;
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  vouch_report_t report = {.error = "no"};
  vouch_report_text(&report, true, &text);
  assert_int_equal(text.data[0], '\033');
  assert_non_null(strstr(text.data, "\033[0mno\n"));
  vouch_text_fini(&text);
}

static void picture_shows_three_panels_and_escapes_names(void ** state)
{
  (void)state;
  checked_t c;
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  check(&c, CELL "through_plate.yaml");
  assert_int_equal(vouch_report_picture(&c.report, "a < b & \"c\"", &text), VOUCH_RET_OK);
  assert_non_null(strstr(text.data, "<svg "));
  assert_non_null(strstr(text.data, "a &lt; b &amp; &quot;c&quot;"));
  assert_non_null(strstr(text.data, "close-up"));
  assert_non_null(strstr(text.data, "guard_plate</tspan>"));
  assert_non_null(strstr(text.data, "id=\"panel2\""));
  assert_null(strstr(text.data, "nan"));
  assert_null(strstr(text.data, "inf"));
  vouch_text_fini(&text);
  vouch_report_t nothing = {.error = "no"};
  assert_int_equal(vouch_report_picture(&nothing, NULL, &text), VOUCH_RET_INVALID);
  release(&c);
}

static void picture_without_memory_says_so_and_keeps_nothing(void ** state)
{
  (void)state;
  checked_t c;
  vouch_ret_t ret = VOUCH_RET_NO_MEMORY;
  check(&c, CELL "tight.yaml");
  long tries = 0;
  for (; ret != VOUCH_RET_OK && tries < 100000; tries++) {
    test_failing_t failing = {.fail_at = tries};
    vouch_text_t text = {.allocator = test_failing_allocator(&failing)};
    ret = vouch_report_picture(&c.report, NULL, &text);
    assert_true(ret == VOUCH_RET_OK || ret == VOUCH_RET_NO_MEMORY);
    vouch_text_fini(&text);
    assert_int_equal(failing.alive, 0);
  }
  assert_int_equal(ret, VOUCH_RET_OK);
  assert_true(tries > 10);
  release(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(invalid_has_its_sentence_and_nothing_else),
    cmocka_unit_test(bytes_that_are_no_utf8_do_not_break_json),
    cmocka_unit_test(free_motion_is_told_with_its_clearance),
    cmocka_unit_test(what_is_proved_is_not_rounded_up),
    cmocka_unit_test(unknown_numbers_are_null),
    cmocka_unit_test(hidden_times_give_the_same_bytes),
    cmocka_unit_test(collision_is_told_with_its_place),
    cmocka_unit_test(colour_is_only_around_the_verdict),
    cmocka_unit_test(picture_shows_three_panels_and_escapes_names),
    cmocka_unit_test(picture_without_memory_says_so_and_keeps_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
