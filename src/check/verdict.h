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
/* The verdict FREE of a check: nothing else in the library gives it. TRUSTED. */

#ifndef CHECK__VERDICT_H_
#define CHECK__VERDICT_H_

#include "check/checker.h"

/// Ensures: true only if every pair that the problem names is proved for the motion that was checked
/// last, and the result says so.
bool check_conclude_free(const vouch_checker_t * checker, vouch_result_t * result);

#endif  // CHECK__VERDICT_H_
