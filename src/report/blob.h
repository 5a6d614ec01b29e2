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

/* Numbers for a page or a glTF file, one array after the other in one piece of memory. */

#ifndef REPORT__BLOB_H_
#define REPORT__BLOB_H_

#include "base/text.h"

/// Fills up to a multiple of four bytes and says where the next array begins.
size_t vouch_blob_begin(vouch_text_t * blob);
/// Little endian, whatever the machine.
void vouch_blob_u16(vouch_text_t * blob, uint32_t value);
void vouch_blob_u32(vouch_text_t * blob, uint32_t value);
void vouch_blob_f32(vouch_text_t * blob, double value);

/// Appends bytes as base64 (RFC 4648).
void vouch_blob_base64(const vouch_text_t * blob, vouch_text_t * out);

#endif  // REPORT__BLOB_H_
