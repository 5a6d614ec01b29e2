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

/* A motion as a row of pictures: the times at which it is shown, and where the joints are then. */

#ifndef REPORT__FILM_H_
#define REPORT__FILM_H_

#include "vouch/motion.h"

/// Pictures of a film, at most; what is asked for by name comes on top.
#define VOUCH_FILM_MOST 1500u

typedef struct vouch_film_s
{
  vouch_allocator_t allocator;
  double * times;      // ascending, each once
  double * values;     // [picture * variables + variable]
  size_t count, variables;
  bool thinned;        // not every waypoint is among them
} vouch_film_t;

/// Every knot and times between them, evenly, as long as they are few enough; else even times.
/// `wanted`: times that are in any case among them.
vouch_ret_t vouch_film_init(
  vouch_film_t * film, const vouch_motion_t * motion, const double * wanted, size_t wanted_count,
  vouch_allocator_t allocator) VOUCH_WARN_UNUSED;
void vouch_film_fini(vouch_film_t * film);

#endif  // REPORT__FILM_H_
