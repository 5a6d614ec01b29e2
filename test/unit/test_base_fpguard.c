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

#include <cmocka.h>
#include <fenv.h>
#if defined(__x86_64__)
  #include <xmmintrin.h>
#endif

#include "base/fpguard.h"

static void the_normal_environment_is_good(void ** state)
{
  (void)state;
  assert_true(vouch_fp_environment_ok());
}

static void every_other_rounding_is_noticed(void ** state)
{
  (void)state;
  const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (int i = 0; i < 3; ++i) {
    assert_int_equal(fesetround(modes[i]), 0);
    bool good = vouch_fp_environment_ok();
    assert_int_equal(fesetround(FE_TONEAREST), 0);
    assert_false(good);
  }
  assert_true(vouch_fp_environment_ok());
}

static void flushed_denormals_are_noticed(void ** state)
{
  (void)state;
#if defined(__x86_64__)
  const unsigned int flags[] = {0x8000u, 0x0040u};   // FTZ, DAZ
  for (int i = 0; i < 2; ++i) {
    unsigned int before = _mm_getcsr();
    _mm_setcsr(before | flags[i]);
    bool good = vouch_fp_environment_ok();
    _mm_setcsr(before);
    assert_false(good);
  }
#else
  skip();
#endif
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_normal_environment_is_good),
    cmocka_unit_test(every_other_rounding_is_noticed),
    cmocka_unit_test(flushed_denormals_are_noticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
