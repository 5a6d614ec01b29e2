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

/* The program around the verifier: which files it reads, what it prints, and its exit codes. */

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "unit/verify_everything.h"

enum
{
  MOST = 1 << 16
};

/// What the program printed last, and a directory of its own.
static char told[MOST], place[] = "/tmp/vouch_program_XXXXXX";

/// The files, and where they are.
static const char * const names[] = {"problem", "proof", "cut", "bad", "told", "pipe", "nothing"};
static char paths[7][sizeof(place) + 16];

static const char * path_of(const char * name)
{
  size_t i = 0;
  while (strcmp(names[i], name) != 0) {i++;}
  snprintf(paths[i], sizeof(paths[i]), "%s/%s", place, name);
  return paths[i];
}

static void put_file(const char * name, const w_bytes * bytes)
{
  FILE * file = fopen(path_of(name), "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes->data, 1, bytes->size, file), bytes->size);
  fclose(file);
}

/// The program with so many words behind its name; both its streams are told together.
static int run(int count, const char * const * words)
{
  char * argv[8] = {(char *)(uintptr_t)"vouch-verify"};
  for (int i = 0; i < count; i++) {
    argv[i + 1] = (char *)(uintptr_t)words[i];
  }
  fflush(NULL);
  int before[2] = {dup(1), dup(2)}, file = open(path_of("told"), O_RDWR | O_CREAT | O_TRUNC, 0600);
  assert_true(file >= 0 && before[0] >= 0 && before[1] >= 0);
  dup2(file, 1);
  dup2(file, 2);
  int code = vouch_verify_program("vouch-verify", count + 1, argv);
  fflush(NULL);
  dup2(before[0], 1);
  dup2(before[1], 2);
  close(before[0]);
  close(before[1]);
  lseek(file, 0, SEEK_SET);
  ssize_t size = read(file, told, sizeof(told) - 1);
  told[size > 0 ? size : 0] = 0;
  close(file);
  return code;
}

#define RUN(...) \
  run( \
    sizeof((const char * const[]) {__VA_ARGS__}) / sizeof(char *), \
    (const char * const[]) {__VA_ARGS__})

static void told_with(int code, int got, const char * words)
{
  if (got != code || strstr(told, words) == NULL) {
    fail_msg("expected %d \"%s\", got %d: %s", code, words, got, told);
  }
}

/// The problem and the proof of everything(), which `change` may change before they are written.
static void write_files(void (* change)(w_bytes * problem))
{
  w_bytes ops = {0};
  w_problem * p = everything(&ops);
  w_bytes problem = w_write_problem(p);
  if (change != NULL) {
    change(&problem);
  }
  w_bytes proof = w_certificate_head(&problem, 1, 2 * W_ONE);
  w_put(&proof, ops.data, ops.size);
  put_file("problem", &problem);
  put_file("proof", &proof);
  proof.size--;
  put_file("cut", &proof);
  proof.data[W_HEAD] = '?';
  put_file("bad", &proof);
  w_free(&ops);
  w_free(&problem);
  w_free(&proof);
  w_free_problem(p);
}

/* [V-ANSWER] 0 only with VERIFIED FREE, and the word for everything else. */
static void only_what_is_verified_is_answered_with_0(void ** state)
{
  (void)state;
  write_files(NULL);
  const char * problem = path_of("problem"), * proof = path_of("proof");
  told_with(0, RUN(problem, proof), "VERIFIED FREE\n");
  told_with(3, RUN(problem, path_of("cut")), "MALFORMED: the file is cut");
  told_with(1, RUN(problem, path_of("bad")), "REFUSED: unknown op");
  told_with(3, RUN(proof, problem), "MALFORMED: not a problem");
  told_with(1, RUN("--json", problem, path_of("bad")), "\"verdict\": \"REFUSED\"");
  assert_null(strstr(told, "VERIFIED"));
  told_with(1, RUN("--expect", "0123", problem, proof), "REFUSED: the problem's hash is ");
  assert_null(strstr(told, "VERIFIED"));
  char hash[65] = {0};
  memcpy(hash, strstr(told, "hash is ") + 8, 64);
  told_with(0, RUN("--expect", hash, problem, proof), hash);
}

/* [V-PROGRAM] Words that it does not know, or too few or too many files, are wrong usage. */
static void wrong_usage_is_told(void ** state)
{
  (void)state;
  write_files(NULL);
  const char * problem = path_of("problem"), * proof = path_of("proof");
  told_with(3, RUN(problem), "are needed.\nUsage: vouch-verify");
  told_with(3, RUN(problem, proof, proof), "Usage");
  told_with(3, RUN("--pear", problem, proof), "Usage");
  told_with(3, RUN(problem, proof, "--expect"), "Usage");
  told_with(0, RUN("--help"), "Usage: vouch-verify [--pairs]");
  told_with(0, RUN("--version"), VOUCH_VERIFY_VERSION ", files of version 3");
}

/* [V-FILE] What is no regular file is not waited for. */
static void only_regular_files_are_read(void ** state)
{
  (void)state;
  write_files(NULL);
  const char * problem = path_of("problem"), * pipe = path_of("pipe");
  unlink(pipe);
  assert_int_equal(mkfifo(pipe, 0600), 0);
  told_with(3, RUN(problem, pipe), "cannot read");
  told_with(3, RUN(problem, place), "cannot read");
  told_with(3, RUN(path_of("nothing"), problem), "cannot read");
  unlink(pipe);
}

static void odd_name(w_bytes * problem)
{
  static const char old[] = "body 1", new[] = "a\"\\\n\xff" "b";
  for (size_t i = 0; i + 6 <= problem->size; i++) {
    if (memcmp(problem->data + i, old, 6) == 0) {memcpy(problem->data + i, new, 6);}
  }
}

static int count_of(const char * words)
{
  int count = 0;
  for (const char * at = told; (at = strstr(at, words)) != NULL; at++) {
    count++;
  }
  return count;
}

/* [V-PRINT] Names are told as printable ASCII, and JSON stays JSON.
 * [V-SCENE] They are the bodies' own. */
static void names_cannot_break_the_report(void ** state)
{
  (void)state;
  write_files(odd_name);
  const char * problem = path_of("problem"), * proof = path_of("proof");
  told_with(0, RUN("--pairs", problem, proof), "body 0 - a\\x22\\x5c\\x0a\\xffb: checked, margin ");
  told_with(
    0, RUN("--pairs", "--json", problem, proof),
    "{\"a\": \"body 0\", \"b\": \"a\\\\x22\\\\x5c\\\\x0a\\\\xffb\", \"margin\": 0.01}");
}

/* [V-REPORT] Each number of the report. [V-LINE] [V-EACH] [V-ALL] Each two bodies once, with their
 * margin or the reason. */
static void the_report_is_whole(void ** state)
{
  (void)state;
  write_files(NULL);
  const char * problem = path_of("problem"), * proof = path_of("proof");
  told_with(0, RUN("--pairs", problem, proof), "checked 3 of 10 pairs of bodies\n");
  const char * const lines[] = {
    "margin: 0.01 m\n", "largest tolerance: 0.001\n", "duration: 2 s\n", "leaves: 8\n",
    "free until: segment 2\n", "robot: test arm\n", "surfaces without inside: 0 triangles\n",
    "body 0 - body 1: checked, margin 0.01", "body 3 - body 2: checked, margin 0.02",
    "body 3 - body 4: checked, margin 0.5"
  };
  for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
    told_with(0, 0, lines[i]);
  }
  assert_int_equal(count_of(": checked, "), 3);
  assert_int_equal(count_of(": left out, "), 7);
  for (int a = 0; a < 5; a++) {
    for (int b = 0; b < a; b++) {
      char one[64], other[64];
      snprintf(one, sizeof(one), "body %d - body %d: ", a, b);
      snprintf(other, sizeof(other), "body %d - body %d: ", b, a);
      assert_int_equal(count_of(one) + count_of(other), 1);
    }
  }
  told_with(0, RUN("--json", "--pairs", problem, proof), "\"all_pairs\": true\n}\n");
  assert_int_equal(count_of("\"margin\": "), 4);
  assert_int_equal(count_of("\"left_out\": \""), 7);
}

static void bodies_of_groups_are_told_one_by_one(void ** state)
{
  (void)state;
  w_problem * p = w_one_joint(2, X, -1, 1);
  w_sphere(p, 0.1);
  w_box(p, 0.1, 0.1, 0.1);
  w_add_body(p, 1, 0, 0, 0, 0);
  for (int i = 0; i < 4; i++) {
    w_add_body(p, 0, 1, i - 1.5, 0.5, 0);
  }
  p->pair[p->pairs++] = (w_pair) {0, w_add_group(p, 1, 4), 0.1, 0};
  w_bytes problem = w_write_problem(p), proof = w_certificate_head(&problem, 1, W_ONE);
  w_leaf(&proof, 0, 1, 0);
  put_file("problem", &problem);
  put_file("proof", &proof);
  told_with(0, RUN("--pairs", path_of("problem"), path_of("proof")), "checked 4 of 4");
  for (int i = 1; i < 5; i++) {
    char line[64];
    snprintf(line, sizeof(line), "body 0 - body %d: checked, margin 0.1", i);
    assert_int_equal(count_of(line), 1);
  }
  w_free(&problem);
  w_free(&proof);
  w_free_problem(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(only_what_is_verified_is_answered_with_0),
    cmocka_unit_test(wrong_usage_is_told),
    cmocka_unit_test(only_regular_files_are_read),
    cmocka_unit_test(names_cannot_break_the_report),
    cmocka_unit_test(the_report_is_whole),
    cmocka_unit_test(bodies_of_groups_are_told_one_by_one),
  };
  if (mkdtemp(place) == NULL) {return 1;}
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    unlink(path_of(names[i]));
  }
  rmdir(place);
  return failed;
}
