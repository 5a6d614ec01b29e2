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

/* Is the linear part A(t) of a Bezier segment regular at all times? Nothing else builds on it: FREE
 * does not need it.
 *
 * [R-REGULAR] By the hull property every A(t) of a piece is within r = max|A_i - A_m| (Frobenius)
 * of its middle A_m. The smallest singular value of A_m is det A_m / (s1 s2) >= 2 det A_m /
 * |A_m|^2, since s1 s2 <= (s1^2 + s2^2) / 2. If it is above r, no A(t) of the piece is singular,
 * and all have the sign of det A_m. Otherwise the piece is halved. The determinant is rounded by
 * less than 16u |A|^3, displacements by piece->error[0] each. */

#include "methods/rigid_motion.h"

#define MAX_HALVINGS 20
#define MAX_PIECES 2048

typedef enum regular_e
{
  REGULAR_NO = 0,
  REGULAR_YES = 1,
  REGULAR_PERHAPS = 2
} regular_t;

static regular_t piece_is_regular(const motion_piece_t * piece)
{
  const vouch_affine_t * middle = &piece->at[1];
  double size = motion_norm(middle->m, 9), radius = 0.0;
  double determinant = affine_determinant(middle) - 0x1p-49 * size * size * size;
  if (!(determinant > 0.0)) {
    return REGULAR_NO;
  }
  for (size_t i = 0; i <= piece->segment->degree; i++) {
    double off[9];
    for (int k = 0; k < 9; k++) {
      off[k] = piece->h[i][1 + k] / piece->h[i][0] - middle->m[k];
    }
    double distance = motion_norm(off, 9);
    radius = distance > radius ? distance : radius;
  }
  double need = (radius + 4.0 * piece->error[0] + 0x1p-48 * size) * (1.0 + 0x1p-40);
  return 2.0 * determinant / (size * size) > need ? REGULAR_YES : REGULAR_PERHAPS;
}

vouch_ret_t segment_is_regular(
  const rigid_segment_t * segment, const vouch_allocator_t * allocator, bool * regular)
{
  motion_room_t room;
  *regular = false;
  vouch_ret_t ret = motion_room_init(&room, allocator, segment, MAX_HALVINGS + 2);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  /* The pieces that are still in doubt, the first one last: its right half takes its place. */
  size_t count = 1;
  motion_piece_init(&room.pieces[0], segment);
  for (int pieces = 0; pieces < MAX_PIECES && count > 0; pieces++) {
    motion_piece_t * piece = &room.pieces[count - 1];
    regular_t answer = piece_is_regular(piece);
    if (answer == REGULAR_NO || (answer == REGULAR_PERHAPS && piece->level >= MAX_HALVINGS)) {
      break;
    }
    if (answer == REGULAR_YES) {
      count--;
    } else {
      motion_piece_split(piece, &room.pieces[count], piece);
      count++;
    }
  }
  *regular = count == 0;
  motion_room_fini(&room);
  return VOUCH_RET_OK;
}
