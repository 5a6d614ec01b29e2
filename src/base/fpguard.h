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

/* The floating-point rules of the whole project, checked when compiling and when running.
 *
 * Every bound in kernel/ assumes IEEE 754 binary64, round-to-nearest, no contraction, no flushed
 * denormals. Compilers and foreign libraries can break each of these silently, so: include this
 * file wherever bounds are computed, and ask vouch_fp_environment_ok() per thread before proving. */

#ifndef BASE__FPGUARD_H_
#define BASE__FPGUARD_H_

#include <float.h>
#include <stdbool.h>

#if defined(__FAST_MATH__) || defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
  #error "vouch must not be compiled with -ffast-math or parts of it: every proof would be void"
#endif
#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
  #error "vouch needs FLT_EVAL_METHOD 0 (SSE2 or better): excess precision breaks its bounds"
#endif
#if defined(__FP_FAST_FMA) && defined(__clang__) && !defined(__STDC_VERSION__)
  #error "compile vouch as C11 with -ffp-contract=off"
#endif

/// True when this thread rounds to nearest and keeps denormals, by control register (x86, arm64)
/// and by trying it.
bool vouch_fp_environment_ok(void);

#endif  // BASE__FPGUARD_H_
