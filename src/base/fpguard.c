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

#include "base/fpguard.h"

#include <stdint.h>

#if defined(__x86_64__) || defined(__SSE2__)
  #include <xmmintrin.h>
#endif

/// Rounding control, flush-to-zero and (x86) denormals-are-zero, all as IEEE 754 wants them.
static bool control_register_ok(void)
{
#if defined(__x86_64__) || defined(__SSE2__)
  return (_mm_getcsr() & 0xE040u) == 0;   // RC, FTZ, DAZ
#elif defined(__aarch64__)
  uint64_t fpcr;
  __asm__ volatile ("mrs %0, fpcr" : "=r" (fpcr));
  return (fpcr & ((UINT64_C(3) << 22) | (UINT64_C(1) << 24))) == 0;   // RMode, FZ
#else
  return true;
#endif
}

bool vouch_fp_environment_ok(void)
{
  if (!control_register_ok()) {
    return false;
  }
  // Volatile, so that the machine computes and not the compiler.
  volatile double one = 1.0;
  volatile double half_ulp = 0x1p-53;
  volatile double ulp = 0x1p-52;
  volatile double tiny = 0x1p-1074;
  volatile double up = one + half_ulp;
  volatile double down = -one - half_ulp;
  volatile double next = one + ulp;
  volatile double product = tiny * one;
  volatile double sum = tiny + tiny;
  return up == 1.0 && down == -1.0 && next > 1.0 && product != 0.0 && sum == 0x1p-1073;
}
