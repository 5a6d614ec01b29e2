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

/* What the public check and the screw method share. */

#ifndef METHODS__RIGID_CHECK_H_
#define METHODS__RIGID_CHECK_H_

#include "methods/static_test.h"
#include "vouch/rigid.h"

/// First contact on one screw segment, after the caller has validated everything.
vouch_ret_t screw_segment_contact(
  const vouch_rigid_body_t * moving, const vouch_rigid_body_t * fixed,
  const rigid_segment_t * segment, const vouch_rigid_options_t * options,
  vouch_screw_contact_t * contact) VOUCH_WARN_UNUSED;

/// INVALID for options, open meshes and floating-point environments that prove nothing.
vouch_ret_t rigid_validate(
  const vouch_rigid_body_t * moving, const vouch_rigid_body_t * fixed,
  const vouch_rigid_options_t * options) VOUCH_WARN_UNUSED;

#endif  // METHODS__RIGID_CHECK_H_
