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
/* Value trees: what YAML and JSON may say, and what is refused with file and line. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/tree.h"

static vouch_document_t parse(const char * text)
{
  vouch_document_t document;
  vouch_ret_t ret = vouch_document_parse(
    &document, vouch_allocator_default(), "f.yaml", text, strlen(text));
  if (ret != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
  return document;
}

static void refuse(const char * text, const char * sentence)
{
  vouch_document_t document;
  vouch_ret_t ret = vouch_document_parse(
    &document, vouch_allocator_default(), "f.yaml", text, strlen(text));
  assert_int_equal(ret, VOUCH_RET_INVALID);
  if (strstr(vouch_error(), sentence) == NULL || strstr(vouch_error(), "f.yaml") == NULL) {
    fail_msg("'%s' does not hold '%s'", vouch_error(), sentence);
  }
}

static void test_yaml_and_json_give_the_same_tree(void ** state)
{
  (void)state;
  const char * texts[2] = {
    "a: [1, 2.5, -3e2]\nb:\n  c: hello\n  d: true\n",
    "{\"a\":[1,2.5,-3e2],\n\"b\":{\t\"c\":\"hello\",\n\"d\":true}}"
  };
  for (int i = 0; i < 2; ++i) {
    vouch_document_t document = parse(texts[i]);
    double numbers[3];
    const char * text = NULL;
    bool truth = false;
    const vouch_value_t * b = vouch_value_get(document.root, "b");
    assert_int_equal(
      vouch_value_numbers(
        &document, vouch_value_get(document.root, "a"), "a", NULL, numbers, 3), VOUCH_RET_OK);
    assert_true(numbers[0] == 1.0 && numbers[1] == 2.5 && numbers[2] == -300.0);
    assert_int_equal(
      vouch_value_text(&document, vouch_value_get(b, "c"), "c", &text), VOUCH_RET_OK);
    assert_string_equal(text, "hello");
    assert_int_equal(
      vouch_value_bool(&document, vouch_value_get(b, "d"), "d", &truth), VOUCH_RET_OK);
    assert_true(truth);
    assert_null(vouch_value_get(document.root, "missing"));
    vouch_document_fini(&document);
  }
}

static void test_lines_are_those_of_the_file(void ** state)
{
  (void)state;
  vouch_document_t document = parse("a: 1\n\n# remark\nb: x\n");
  double number = 0.0;
  assert_int_equal(vouch_value_get(document.root, "b")->line, 4);
  assert_int_equal(
    vouch_value_number(&document, vouch_value_get(document.root, "b"), "b", &number),
    VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "f.yaml:4: b must be a finite number"));
  vouch_document_fini(&document);
}

static void test_numbers_that_are_none(void ** state)
{
  (void)state;
  static const char * const bad[] = {
    "a: .nan", "a: nan", "a: .inf", "a: 0x10", "a: 1_000", "a: 1e999", "a: \"1\"", "a: [1]",
    "a: 1 2", "a: 010", "a: -0777", "a: !!str 1"
  };
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
    vouch_document_t document = parse(bad[i]);
    double number = 0.0;
    assert_int_equal(
      vouch_value_number(&document, vouch_value_get(document.root, "a"), "a", &number),
      VOUCH_RET_INVALID);
    vouch_document_fini(&document);
  }
}

static void test_refused(void ** state)
{
  (void)state;
  refuse("", "empty");
  refuse("# only a remark\n", "empty");
  refuse("a: 1\nb: 2\na: 3\n", "f.yaml:3: key 'a' is given twice (first in line 1)");
  refuse("a: &x [1]\nb: *x\n", "f.yaml:2: YAML aliases");
  refuse("a: 1\n---\nb: 2\n", "second document");
  refuse("a: !!python/object:os.system x\n", "tag");
  refuse("{\"a\": 1", "f.yaml:2");
  refuse("a: [1, 2\nb: 3\n", "f.yaml:");
  refuse("? [a]\n: 1\n", "key of a map");
  refuse("a: \"x\\0y\"\n", "NUL");
  refuse("a: \xff\xfe\n", "f.yaml");
}

static void test_alias_bomb_is_refused_at_its_first_alias(void ** state)
{
  (void)state;
  refuse(
    "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\n"
    "d: &d [*c,*c,*c,*c,*c,*c]\n", "f.yaml:2");
}

static void test_nesting_is_bounded(void ** state)
{
  (void)state;
  char text[400];
  memset(text, '[', 200);
  memset(text + 200, ']', 199);
  text[399] = '\0';
  refuse(text, "nested more than 64 deep");
}

static void test_a_trailing_separator_is_fine(void ** state)
{
  (void)state;
  vouch_document_t document = parse("a: 1\n---\n");
  assert_non_null(vouch_value_get(document.root, "a"));
  vouch_document_fini(&document);
}

static void test_poses(void ** state)
{
  (void)state;
  static const struct {const char * text; bool good; double x, w;} cases[] = {
    {"{position: [1, 2, 3], orientation: [0, 0, 0, 1]}", true, 1.0, 1.0},
    {"{position: {x: 1, y: 2, z: 3}, orientation: {x: 0, y: 0, z: 0, w: 1}}", true, 1.0, 1.0},
    {"{translation: [1, 0, 0], rotation: [0, 0, 1, 0]}", true, 1.0, 0.0},
    {"{position: {x: 1}}", true, 1.0, 1.0},
    {"{}", true, 0.0, 1.0},
    {"{position: [0, 0, 0], orientation: [0, 0, 0, 0]}", true, 0.0, 1.0},
    {"{position: [1, 0, 0], orientation: [0, 0, 0, 0]}", false, 0.0, 0.0},
    {"{position: [1, 0, 0], orientation: [0, 0, 0, 1.01]}", false, 0.0, 0.0},
    {"{position: [1, 0]}", false, 0.0, 0.0},
    {"{positon: [1, 0, 0]}", false, 0.0, 0.0},
    {"{position: {a: 1}}", false, 0.0, 0.0},
    {"{orientation: {x: 0.1}}", false, 0.0, 0.0},
    {"{position: [1, 0, 0], translation: [1, 0, 0]}", false, 0.0, 0.0}
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
    vouch_document_t document = parse(cases[i].text);
    vouch_pose_t pose;
    vouch_ret_t ret = vouch_value_pose(&document, document.root, "pose", &pose);
    assert_int_equal(ret, cases[i].good ? VOUCH_RET_OK : VOUCH_RET_INVALID);
    if (cases[i].good) {
      assert_true(pose.translation[0] == cases[i].x && pose.rotation[3] == cases[i].w);
    }
    vouch_document_fini(&document);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_yaml_and_json_give_the_same_tree),
    cmocka_unit_test(test_lines_are_those_of_the_file),
    cmocka_unit_test(test_numbers_that_are_none),
    cmocka_unit_test(test_refused),
    cmocka_unit_test(test_alias_bomb_is_refused_at_its_first_alias),
    cmocka_unit_test(test_nesting_is_bounded),
    cmocka_unit_test(test_a_trailing_separator_is_fine),
    cmocka_unit_test(test_poses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
