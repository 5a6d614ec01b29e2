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

/* TRUSTED. Balls in the space of affine displacements that contain a piece of a motion.
 *
 * Schroecker and Weber 2014, section 5. Proofs: docs/rigid_motions.md. */

#ifndef METHODS__MOTION_BALL_H_
#define METHODS__MOTION_BALL_H_

#include "methods/metric.h"

typedef struct motion_ball_s
{
  /// any displacement: the proof needs only that the piece lies within radius
  vouch_affine_t g;
  double radius;
  double speed;           // bound on |c'| in the piece's own time, for the halves of the piece
} motion_ball_t;

/// [B-COVER] Every displacement of the piece (without its segment's stated error) is within
/// ball.radius of ball.g. `parent_speed`: ball.speed of the piece that this is a half of, or
/// infinite.
motion_ball_t motion_ball(
  const motion_piece_t * piece, const metric_t * metric, vouch_ball_t kind, double parent_speed);

#endif  // METHODS__MOTION_BALL_H_
