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

/* A stream of short pieces of motion ("chunks", of a learned policy or of teleoperation): each is
 * spliced to what runs, and accepted only with a proof for the splice, the chunk and a stop after it.
 * So there is always a proved way to stand still, and it is what runs when chunks stay away.
 *
 * What runs is a cubic spline through knots with velocities, as joint_trajectory_controller executes
 * points with positions and velocities: send it all knots that lie ahead, and it has the stop, too. Its
 * way to the first of them is then a part of the same cubic. Times are nanoseconds of one clock, the
 * caller's. */

#ifndef VOUCH__STREAM_H_
#define VOUCH__STREAM_H_

#include "vouch/check.h"
#include "vouch/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Belongs to one robot, which must outlive it. One thread at a time.
typedef struct vouch_stream_s vouch_stream_t;

typedef struct vouch_stream_options_s
{
  size_t struct_size;
  vouch_allocator_t allocator;
  /// How long it takes until the controller follows a new plan: nothing is changed before now + lead.
  double lead_s;
  /// With how much joints brake in the stop, 1/s^2: revolute and prismatic. Must be > 0.
  double brake_rad_s2, brake_m_s2;
  /// Most that a joint may do, per robot variable; NULL: not looked at. A limit of the motion, not of the
  /// proof.
  const double * velocity_limits;
  const double * acceleration_limits;
  /// Points that a plan may have, at most 100000.
  size_t max_points;
} vouch_stream_options_t;

/// 20 ms, 2 rad/s^2, 1 m/s^2, no limits, 1000 points.
VOUCH_PUBLIC vouch_stream_options_t vouch_stream_options_default(void);

/// Why a chunk is accepted or not.
typedef enum vouch_chunk_code_e
{
  VOUCH_CHUNK_NONE = 0,
  VOUCH_CHUNK_ACCEPTED = 1,
  VOUCH_CHUNK_COLLISION = 2,       // shown, on the splice, the chunk or the stop
  VOUCH_CHUNK_UNDECIDED = 3,       // not proved
  VOUCH_CHUNK_LATE = 4,            // its last point is over, or before the controller could follow
  VOUCH_CHUNK_POSITION = 5,        // leaves the limits of a joint
  VOUCH_CHUNK_VELOCITY = 6,
  VOUCH_CHUNK_ACCELERATION = 7,
  VOUCH_CHUNK_INVALID = 8          // not understood: names, sizes, numbers, times
} vouch_chunk_code_t;

/// `trajectory` as for a motion: times from start_ns on; accelerations are not looked at. Without
/// velocities (in no point) each gets the slope between its neighbours, the last that to the one before.
/// Joints that it does not name stay, and must be at rest.
typedef struct vouch_chunk_s
{
  int64_t start_ns;
  const vouch_trajectory_t * trajectory;
} vouch_chunk_t;

typedef struct vouch_chunk_answer_s
{
  vouch_chunk_code_t code;
  char message[256];        // a sentence
  vouch_result_t result;    // of the proof, lives until the checker's next check; UNDECIDED: there was none
  int64_t splice_ns;        // from here on something new runs, or would have
  int64_t stop_ns;          // and here the robot stands, unless more comes
  size_t dropped;           // points that came too late
} vouch_chunk_answer_t;

VOUCH_PUBLIC vouch_ret_t vouch_stream_create(
  vouch_stream_t ** stream, const vouch_robot_t * robot,
  const vouch_stream_options_t * options) VOUCH_WARN_UNUSED;
VOUCH_PUBLIC void vouch_stream_destroy(vouch_stream_t * stream);

/// The robot stands at `positions` (one value per variable), whatever ran before. INVALID when one is
/// not finite.
VOUCH_PUBLIC vouch_ret_t vouch_stream_begin(
  vouch_stream_t * stream, int64_t now_ns, const double * positions) VOUCH_WARN_UNUSED;

/// Splices a chunk: what runs is followed up to its last point before the chunk's first (a stop that was
/// begun by then is left), at least until now + lead. The return code says whether the call worked,
/// answer->code what became of the chunk; unless it is ACCEPTED everything goes on as before. The
/// checker is of the same robot: its scene, margin and tolerances are those of the proof.
VOUCH_PUBLIC vouch_ret_t vouch_stream_offer(
  vouch_stream_t * stream, vouch_checker_t * checker, const vouch_chunk_t * chunk, int64_t now_ns,
  vouch_chunk_answer_t * answer) VOUCH_WARN_UNUSED;

/// The same in two steps, for who checks by other means than one checker: makes the motion from the
/// splice to the end of the stop, which the caller owns. NULL: the answer's code says why there is none,
/// else it is NONE. The next begin, offer or proposal takes its place.
VOUCH_PUBLIC vouch_ret_t vouch_stream_propose(
  vouch_stream_t * stream, const vouch_chunk_t * chunk, int64_t now_ns,
  vouch_chunk_answer_t * answer, vouch_motion_t ** motion) VOUCH_WARN_UNUSED;
/// What was proposed runs from now on, if `result` is FREE and the motion keeps its limits; answer->code
/// says so. `motion` and `answer` are those of the proposal.
VOUCH_PUBLIC vouch_ret_t vouch_stream_accept(
  vouch_stream_t * stream, const vouch_motion_t * motion, const vouch_result_t * result,
  vouch_chunk_answer_t * answer) VOUCH_WARN_UNUSED;
/// The whole plan as a motion, which the caller owns; its time 0 is that of knot 0.
VOUCH_PUBLIC vouch_ret_t vouch_stream_motion(
  const vouch_stream_t * stream, vouch_motion_t ** motion) VOUCH_WARN_UNUSED;

/// Checks what is left of the plan, its stop included, from now on: after a change of the scene.
VOUCH_PUBLIC vouch_ret_t vouch_stream_check(
  const vouch_stream_t * stream, vouch_checker_t * checker, int64_t now_ns,
  vouch_result_t * result) VOUCH_WARN_UNUSED;

/// Where the plan has the robot: one value per variable; velocities may be NULL.
VOUCH_PUBLIC void vouch_stream_evaluate(
  const vouch_stream_t * stream, int64_t time_ns, double * positions, double * velocities);

/// The points of the plan, from the last one that was over at the last offer to the end of the stop.
VOUCH_PUBLIC size_t vouch_stream_knot_count(const vouch_stream_t * stream);
/// Values live until the next begin or offer.
VOUCH_PUBLIC int64_t vouch_stream_knot(
  const vouch_stream_t * stream, size_t number, const double ** positions,
  const double ** velocities);

/// "accepted", "collision", ...
VOUCH_PUBLIC const char * vouch_chunk_code_name(vouch_chunk_code_t code);

#ifdef __cplusplus
}
#endif

#endif  // VOUCH__STREAM_H_
