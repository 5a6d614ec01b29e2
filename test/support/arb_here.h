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

/* The test that is skipped, loudly, where Arb was not found. Needs cmocka.h. */

#ifndef SUPPORT__ARB_HERE_H_
#define SUPPORT__ARB_HERE_H_

#include <stdio.h>

static inline void arb_is_here(void ** state)
{
  (void)state;
#ifndef VOUCH_HAVE_ARB
  fprintf(stderr, "LEFT OUT: Arb was not found; nothing here is compared with it\n");
  skip();
#endif
}

#endif  // SUPPORT__ARB_HERE_H_
