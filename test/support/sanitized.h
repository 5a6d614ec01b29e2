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

/* Whether a sanitizer watches, under which campaigns are shorter. */

#ifndef SUPPORT__SANITIZED_H_
#define SUPPORT__SANITIZED_H_

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  #define TEST_SANITIZED 1
#elif defined(__has_feature)
  #if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    #define TEST_SANITIZED 1
  #endif
#endif
#ifndef TEST_SANITIZED
  #define TEST_SANITIZED 0
#endif

#endif  // SUPPORT__SANITIZED_H_
