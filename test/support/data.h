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

/* Where the big test data is: robots, scenes and motions that are not in this repository. */

#ifndef SUPPORT__DATA_H_
#define SUPPORT__DATA_H_

#include <stddef.h>

/// The data directory (environment VOUCH_DATA, else the one found at configure time), or NULL.
/// Says loudly on stderr when it is absent; the caller should then skip().
const char * test_data_directory(void);

/// Writes "<data directory>/<relative>" to path. Returns path, or NULL if there is no such file.
const char * test_data_path(const char * relative, char * path, size_t size);

#endif  // SUPPORT__DATA_H_
