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

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <locale.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "support/failing.h"
#include "support/random.h"

static void numbers_are_read_exactly(void ** state)
{
  (void)state;
  test_random_t random = {.state = 3};
  for (int i = 0; i < 20000; ++i) {
    uint64_t bits = test_random_bits(&random);
    double want, got = 0.0;
    memcpy(&want, &bits, sizeof(want));
    if (!(want - want == 0.0)) {
      continue;
    }
    char text[64];
    (void)snprintf(text, sizeof(text), " \t%.17g\n", want);
    assert_true(vouch_parse_double(text, &got));
    assert_memory_equal(&got, &want, sizeof(want));
  }
}

static void what_is_no_finite_number_is_refused(void ** state)
{
  (void)state;
  static const char * const wrong[] = {
    "", " ", "nan", "NaN", "inf", "-inf", "infinity", "0x10", "0x1p3", "1e400", "-1e999", "1.5x",
    "x1", "1 2", "1,5", "--1", "+-1", "+", ".", "e5", "1e", "1e+", "1.e", "1..2", "1d5", "1_000",
  };
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i) {
    double value = 42.0;
    if (vouch_parse_double(wrong[i], &value)) {
      fail_msg("\"%s\" was read as %g", wrong[i], value);
    }
    assert_true(value == 42.0);
  }
  static const char * const right[] = {"1.", ".5", "+2", "-0", "1E5", "007", "1e-400", "4.9e-324"};
  for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); ++i) {
    double value;
    if (!vouch_parse_double(right[i], &value)) {
      fail_msg("\"%s\" was refused", right[i]);
    }
  }
}

static void as_many_numbers_as_asked_for(void ** state)
{
  (void)state;
  double v[3] = {0.0, 0.0, 0.0};
  assert_true(vouch_parse_doubles("1 2\n\t-3e1", v, 3));
  assert_true(v[0] == 1.0 && v[1] == 2.0 && v[2] == -30.0);
  assert_false(vouch_parse_doubles("1 2", v, 3));
  assert_false(vouch_parse_doubles("1 2 3 4", v, 3));
  assert_false(vouch_parse_doubles("1 2 nan", v, 3));
  assert_true(vouch_parse_doubles("  ", v, 0));
}

static void a_comma_locale_changes_nothing(void ** state)
{
  (void)state;
  static const char * const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "nl_NL.UTF-8"};
  bool found = false;
  for (size_t i = 0; i < 4 && !found; ++i) {
    found = setlocale(LC_ALL, names[i]) != NULL;
  }
  double value = 0.0;
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  vouch_text_append(&text, "%.3f", 1.5);
  bool good = vouch_parse_double("2.25", &value) && value == 2.25 &&
    strcmp(text.data, "1.500") == 0 && !vouch_parse_double("2,25", &value);
  vouch_text_fini(&text);
  (void)setlocale(LC_ALL, "C");
  assert_true(good);
  if (!found) {
    print_message("no locale with a decimal comma is installed: only the C locale was tried\n");
  }
}

static void texts_grow_and_hold_any_bytes(void ** state)
{
  (void)state;
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  for (int i = 0; i < 3000; ++i) {
    vouch_text_append(&text, "%d,", i);
  }
  vouch_text_append_bytes(&text, "\0x\0", 3);
  assert_false(text.failed);
  assert_int_equal(strlen(text.data), text.size - 3);
  assert_memory_equal(text.data, "0,1,2,3,", 8);
  char * big = malloc(100001);
  assert_non_null(big);
  memset(big, 'y', 100000);
  big[100000] = '\0';
  size_t before = text.size;
  vouch_text_append(&text, "%s", big);
  assert_int_equal(text.size, before + 100000);
  assert_int_equal(text.data[text.size], 0);
  free(big);
  vouch_text_fini(&text);
}

static void texts_remember_that_memory_ran_out(void ** state)
{
  (void)state;
  for (long n = 0; n < 4; ++n) {
    test_failing_t failing = {.fail_at = n};
    vouch_text_t text = {.allocator = test_failing_allocator(&failing)};
    for (int i = 0; i < 1000; ++i) {
      vouch_text_append(&text, "%d ", i);
    }
    assert_true(text.failed);
    vouch_text_fini(&text);
    assert_int_equal(failing.alive, 0);
  }
}

static char directory[] = "/tmp/vouch_test_XXXXXX";
static char path[256];

static void files_come_back_as_written(void ** state)
{
  (void)state;
  vouch_allocator_t allocator = vouch_allocator_default();
  (void)snprintf(path, sizeof(path), "%s/file", directory);
  static char data[300000];
  for (size_t i = 0; i < sizeof(data); ++i) {
    data[i] = (char)(i * 17 >> 3);
  }
  const size_t sizes[] = {0, 1, 65535, 65536, 65537, sizeof(data)};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
    assert_int_equal(vouch_file_write(path, data, sizes[i]), VOUCH_RET_OK);
    char * got = NULL;
    size_t size = 0;
    assert_int_equal(vouch_file_read(&allocator, path, 0, &got, &size), VOUCH_RET_OK);
    assert_int_equal(size, sizes[i]);
    assert_memory_equal(got, data, size);
    assert_int_equal(got[size], 0);
    vouch_free(&allocator, got);
    if (sizes[i] > 0) {
      assert_int_equal(
        vouch_file_read(&allocator, path, sizes[i] - 1 + (sizes[i] == 1), &got, &size),
        sizes[i] == 1 ? VOUCH_RET_OK : VOUCH_RET_IO);
      vouch_free(&allocator, got);
    }
  }
  assert_int_equal(unlink(path), 0);
}

static void errors_name_the_path(void ** state)
{
  (void)state;
  vouch_allocator_t allocator = vouch_allocator_default();
  char * data;
  size_t size;
  assert_int_equal(
    vouch_file_read(&allocator, "/nowhere/arm.urdf", 0, &data, &size), VOUCH_RET_IO);
  assert_non_null(strstr(vouch_error(), "/nowhere/arm.urdf"));
  assert_null(data);
  assert_int_equal(vouch_file_read(&allocator, directory, 0, &data, &size), VOUCH_RET_IO);
  assert_non_null(strstr(vouch_error(), directory));
  assert_int_equal(vouch_file_write("/nowhere/out", "x", 1), VOUCH_RET_IO);
  assert_non_null(strstr(vouch_error(), "/nowhere/out"));
  assert_int_equal(vouch_file_write("/dev/full", "x", 1), VOUCH_RET_IO);
  assert_non_null(strstr(vouch_error(), "/dev/full"));
}

static void pipes_and_devices_are_not_waited_for(void ** state)
{
  (void)state;
  vouch_allocator_t allocator = vouch_allocator_default();
  char * data;
  size_t size;
  (void)snprintf(path, sizeof(path), "%s/pipe", directory);
  assert_int_equal(mkfifo(path, 0600), 0);
  alarm(20);   // ends the test where it would wait for ever
  assert_int_equal(vouch_file_read(&allocator, path, 0, &data, &size), VOUCH_RET_IO);
  assert_non_null(strstr(vouch_error(), "a pipe"));
  assert_int_equal(vouch_file_write(path, "x", 1), VOUCH_RET_IO);
  assert_non_null(strstr(vouch_error(), "nobody reads"));
  assert_int_equal(vouch_file_read(&allocator, "/dev/zero", 0, &data, &size), VOUCH_RET_IO);
  assert_non_null(strstr(vouch_error(), "a device"));
  alarm(0);
  assert_int_equal(unlink(path), 0);
}

static size_t count_files(void)
{
  DIR * list = opendir(directory);
  size_t count = 0;
  assert_non_null(list);
  while (readdir(list) != NULL) {
    count++;
  }
  closedir(list);
  return count;
}

static void a_limit_on_file_sizes_is_an_error_and_leaves_what_was(void ** state)
{
  (void)state;
  vouch_allocator_t allocator = vouch_allocator_default();
  struct rlimit before, small;
  char * data = NULL;
  size_t size = 0;
  static char large[10000];
  (void)snprintf(path, sizeof(path), "%s/limited", directory);
  assert_int_equal(vouch_file_write(path, "old", 3), VOUCH_RET_OK);
  const size_t files = count_files();
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  small = before;
  small.rlim_cur = 100;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  vouch_ret_t ret = vouch_file_write(path, large, sizeof(large));
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(ret, VOUCH_RET_IO);
  assert_non_null(strstr(vouch_error(), path));
  assert_int_equal(count_files(), files);
  assert_int_equal(vouch_file_read(&allocator, path, 0, &data, &size), VOUCH_RET_OK);
  assert_string_equal(data, "old");
  vouch_free(&allocator, data);
  assert_int_equal(unlink(path), 0);
}

static void devices_and_links_are_written_through(void ** state)
{
  (void)state;
  vouch_allocator_t allocator = vouch_allocator_default();
  assert_int_equal(vouch_file_write("/dev/null", "x", 1), VOUCH_RET_OK);
  char target[256], link[256];
  (void)snprintf(target, sizeof(target), "%s/target", directory);
  (void)snprintf(link, sizeof(link), "%s/link", directory);
  assert_int_equal(vouch_file_write(target, "old", 3), VOUCH_RET_OK);
  assert_int_equal(symlink(target, link), 0);
  assert_int_equal(vouch_file_write(link, "new", 3), VOUCH_RET_OK);
  char * data = NULL;
  size_t size = 0;
  assert_int_equal(vouch_file_read(&allocator, target, 0, &data, &size), VOUCH_RET_OK);
  assert_string_equal(data, "new");
  vouch_free(&allocator, data);
  struct stat status;
  assert_int_equal(lstat(link, &status), 0);
  assert_true(S_ISLNK(status.st_mode));
  assert_int_equal(unlink(target), 0);
  assert_int_equal(vouch_file_write(link, "again", 5), VOUCH_RET_OK);
  assert_int_equal(lstat(link, &status), 0);
  assert_true(S_ISLNK(status.st_mode));
  assert_int_equal(unlink(target), 0);
  assert_int_equal(unlink(link), 0);
}

static void bytes_are_little_endian(void ** state)
{
  (void)state;
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  double one = 1.0;
  float half = 0.5f;
  vouch_bytes_put_u8(&text, 0xab);
  vouch_bytes_put_u32(&text, 0x01020304u);
  vouch_bytes_put_u64(&text, UINT64_C(0x0102030405060708));
  vouch_bytes_put_f64(&text, &one, 1);
  vouch_bytes_put_f32(&text, &half, 1);
  vouch_bytes_put_string(&text, "ab");
  static const uint8_t want[] = {
    0xab, 4, 3, 2, 1, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0x3f,
    2, 0, 0, 0, 'a', 'b',
  };
  assert_int_equal(text.size, sizeof(want));
  assert_memory_equal(text.data, want, sizeof(want));
  vouch_bytes_t in = vouch_bytes_reader(text.data, text.size);
  assert_int_equal(vouch_bytes_get_u8(&in), 0xab);
  assert_int_equal(vouch_bytes_get_u32(&in), 0x01020304u);
  assert_true(vouch_bytes_get_u64(&in) == UINT64_C(0x0102030405060708));
  double d = 0.0;
  float f = 0.0f;
  vouch_bytes_get_f64(&in, &d, 1);
  vouch_bytes_get_f32(&in, &f, 1);
  assert_true(d == 1.0 && f == 0.5f);
  assert_int_equal(vouch_bytes_get_count(&in, 1), 2);
  assert_non_null(vouch_bytes_take(&in, 2));
  assert_false(in.failed);
  assert_int_equal(vouch_bytes_get_u8(&in), 0);
  assert_true(in.failed);
  vouch_text_fini(&text);
}

static void counts_that_cannot_follow_are_refused(void ** state)
{
  (void)state;
  const uint8_t data[8] = {0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4};
  vouch_bytes_t in = vouch_bytes_reader(data, sizeof(data));
  assert_int_equal(vouch_bytes_get_count(&in, 1), 0);
  assert_true(in.failed);
  const uint8_t fitting[8] = {4, 0, 0, 0, 1, 2, 3, 4};
  in = vouch_bytes_reader(fitting, sizeof(fitting));
  assert_int_equal(vouch_bytes_get_count(&in, 1), 4);
  in = vouch_bytes_reader(fitting, sizeof(fitting));
  assert_int_equal(vouch_bytes_get_count(&in, 2), 0);
  assert_true(in.failed);
}

static int make_directory(void ** state)
{
  (void)state;
  return mkdtemp(directory) == NULL;
}

static int remove_directory(void ** state)
{
  (void)state;
  return rmdir(directory);   // fails when a temporary file was left
}

static void misspelled_words_are_like_the_right_ones(void ** state)
{
  (void)state;
  assert_true(vouch_word_like("geometry origin", "orgin"));
  assert_true(vouch_word_like("geometry origin", "geometery"));
  assert_true(vouch_word_like("geometry origin", "Orgiin"));
  assert_true(vouch_word_like("xyz rpy", "ryp"));
  assert_true(vouch_word_like("xyz rpy", "RPY"));
  assert_true(vouch_word_like("radius", "raidus"));
  assert_false(vouch_word_like("xyz rpy", "name"));
  assert_false(vouch_word_like("xyz rpy", "yrp1"));
  assert_false(vouch_word_like("origin", "orientation"));
  assert_false(vouch_word_like("", "origin"));
  assert_false(vouch_word_like("a-word-of-more-than-thirty-one-letters", "origin"));
  assert_false(vouch_word_like("origin", "a-word-of-more-than-thirty-one-letters"));
}

static void a_guess_is_made_where_it_is_clear(void ** state)
{
  (void)state;
  static const struct {const char * word, * candidates[3], * question;} cases[] = {
    {"hnad", {"hand", "arm", "base"}, "; is 'hand' meant?"},
    {"Hand", {"hans", "hand", "han"}, "; is 'hand' meant?"},
    {"hand", {"hans", "Hand", "hanf"}, "; is 'Hand' meant?"},
    {"link_3", {"link_1", "link_2", "base"}, ""},
    {"tool", {"flange", "hand", "base"}, ""},
    {"gripper_lnk", {"gripper_link", "gripper_base", "hand"}, "; is 'gripper_link' meant?"},
    {"part", {"park", "park", "base"}, "; is 'park' meant?"}
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
    vouch_guess_t guess = {.word = cases[i].word};
    char text[160];
    for (size_t k = 0; k < 3; ++k) {
      vouch_guess_try(&guess, cases[i].candidates[k]);
    }
    assert_string_equal(vouch_guess_question(&guess, text), cases[i].question);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_guess_is_made_where_it_is_clear),
    cmocka_unit_test(misspelled_words_are_like_the_right_ones),
    cmocka_unit_test(numbers_are_read_exactly),
    cmocka_unit_test(what_is_no_finite_number_is_refused),
    cmocka_unit_test(as_many_numbers_as_asked_for),
    cmocka_unit_test(a_comma_locale_changes_nothing),
    cmocka_unit_test(texts_grow_and_hold_any_bytes),
    cmocka_unit_test(texts_remember_that_memory_ran_out),
    cmocka_unit_test(files_come_back_as_written),
    cmocka_unit_test(errors_name_the_path),
    cmocka_unit_test(pipes_and_devices_are_not_waited_for),
    cmocka_unit_test(a_limit_on_file_sizes_is_an_error_and_leaves_what_was),
    cmocka_unit_test(devices_and_links_are_written_through),
    cmocka_unit_test(bytes_are_little_endian),
    cmocka_unit_test(counts_that_cannot_follow_are_refused),
  };
  return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
