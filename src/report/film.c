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

#include "report/film.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/motion.h"

static int compare_times(const void * left, const void * right)
{
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* Between two knots as many pictures as that stretch has of the whole time: at least a straight
 * line's four, since hands do not move along straight lines. */
static size_t fill_times(vouch_film_t * film, const vouch_motion_t * motion)
{
  const uint32_t segments = motion->segment_count;
  const double begin = motion->seconds[0], all = motion->seconds[segments] - begin;
  size_t n = 0;
  if (film->thinned || !(all > 0.0)) {
    const size_t pictures = film->thinned ? VOUCH_FILM_MOST : 1u;
    for (size_t i = 0; i < pictures; i++) {
      film->times[n++] = begin + all * (double)i / (double)pictures;
    }
  } else {
    const double room = (double)(VOUCH_FILM_MOST / 2u);
    for (uint32_t k = 0; k < segments; k++) {
      const double from = motion->seconds[k], long_s = motion->seconds[k + 1] - from;
      const double least = fmin(4.0, floor(room / segments));
      const size_t parts = (size_t)fmax(fmax(least, 1.0), fmin(room, 240.0) * long_s / all);
      for (size_t i = 0; i < parts && n + 1 < VOUCH_FILM_MOST; i++) {
        film->times[n++] = from + long_s * (double)i / (double)parts;
      }
    }
  }
  film->times[n++] = motion->seconds[segments];
  return n;
}

static void sort_and_merge(vouch_film_t * film)
{
  size_t kept = 0;
  qsort(film->times, film->count, sizeof(*film->times), compare_times);
  for (size_t i = 0; i < film->count; i++) {
    if (kept == 0 || film->times[i] > film->times[kept - 1]) {
      film->times[kept++] = film->times[i];
    }
  }
  film->count = kept;
}

vouch_ret_t vouch_film_init(
  vouch_film_t * film, const vouch_motion_t * motion, const double * wanted, size_t wanted_count,
  vouch_allocator_t allocator)
{
  *film = (vouch_film_t) {.allocator = allocator,
    .variables = vouch_robot_variable_count(motion->robot)};
  film->thinned = motion->segment_count > VOUCH_FILM_MOST / 2u;
  film->times = vouch_calloc(&allocator, VOUCH_FILM_MOST + 1u + wanted_count, sizeof(double));
  if (!film->times) {
    return VOUCH_RET_NO_MEMORY;
  }
  film->count = fill_times(film, motion);
  const double begin = motion->seconds[0], end = motion->seconds[motion->segment_count];
  for (size_t i = 0; i < wanted_count; i++) {
    if (wanted[i] >= begin && wanted[i] <= end) {
      film->times[film->count++] = wanted[i];
    }
  }
  sort_and_merge(film);
  film->values = vouch_calloc(&allocator, film->count * film->variables + 1u, sizeof(double));
  if (!film->values) {
    vouch_film_fini(film);
    return VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < film->count; i++) {
    vouch_motion_evaluate(motion, film->times[i], film->values + i * film->variables);
  }
  return VOUCH_RET_OK;
}

void vouch_film_fini(vouch_film_t * film)
{
  vouch_free(&film->allocator, film->times);
  vouch_free(&film->allocator, film->values);
  *film = (vouch_film_t) {.allocator = film->allocator};
}
