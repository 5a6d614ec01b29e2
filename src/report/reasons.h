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

/* Why a pair of bodies is not checked, in words. */

#ifndef REPORT__REASONS_H_
#define REPORT__REASONS_H_

#include "model/scene.h"

/// Of two bodies by their names, of which it is known that they are neither checked nor without motion
/// against each other.
const char * vouch_left_out_reason(const vouch_scene_t * scene, const char * a, const char * b);

#endif  // REPORT__REASONS_H_
