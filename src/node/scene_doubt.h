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

/* What is missing in the monitored scene, as names among its parts that are not understood. */

#ifndef NODE__SCENE_DOUBT_H_
#define NODE__SCENE_DOUBT_H_

#include "node/node.h"

bool scene_doubt_has(const rosidl_runtime_c__String__Sequence * list, const char * name);
/// A message was refused, and nobody tells its sender. If it would have been taken from a robot at
/// rest, it is missed: its objects one by one, where it is about nothing else.
void scene_doubt_refused(vouch_node_t * node, const vouch__msg__Scene * message);
/// A change was taken: objects that it gives anew, or takes away, are not missed any more.
void scene_doubt_told(
  const vouch__msg__Scene * message, rosidl_runtime_c__String__Sequence * rest);

#endif  // NODE__SCENE_DOUBT_H_
