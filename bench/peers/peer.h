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
/* A peer: somebody else's collision check, asked about single states or about whole segments. */

#ifndef BENCH__PEERS__PEER_H_
#define BENCH__PEERS__PEER_H_

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_s
{
  const char * name;
  /// Builds what can be built before the first check. NULL: not available here, rows say "not run".
  void * (*open)(const world_t * world);
  /// True: in collision.
  bool (* state)(void * self, const world_pose_t * poses);
  /// True: in collision between the two states; *toc in [0, 1], NaN when the peer does not say.
  bool (* segment)(
    void * self, const world_pose_t * begin, const world_pose_t * end, double * toc);
  void (* close)(void * self);
  /// True: in collision somewhere on the whole motion; *first in segments.
  bool (* motion)(void * self, const world_t * world, double * first);
} peer_t;

extern const peer_t peer_fcl_bvh;      // FCL, triangle meshes
extern const peer_t peer_fcl_hull;     // FCL, convex hulls
extern const peer_t peer_fcl_ca;       // FCL continuousCollide, conservative advancement
extern const peer_t peer_bullet;       // Bullet, convex hulls
extern const peer_t peer_bullet_cast;  // Bullet, hull of two poses
extern const peer_t peer_gjk;          // our own GJK on hulls
extern const peer_t peer_gjk_every;

// From Python wheels, in a program of their own.
extern const peer_t peer_coal_bvh;
extern const peer_t peer_coal_hull;
extern const peer_t peer_hpp_bvh;          // hpp-core, dichotomy: certifies in exact arithmetic
extern const peer_t peer_hpp_mixed;        // the same, hulls of the robot's links
extern const peer_t peer_hpp_progressive;  // steps with a tolerance: does not certify

#ifdef __cplusplus
}
#endif

#endif  // BENCH__PEERS__PEER_H_
