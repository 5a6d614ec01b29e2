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

/* What a page shows, as JSON and one blob of numbers. Private to report/page*.c. */

#ifndef REPORT__PAGE_DATA_H_
#define REPORT__PAGE_DATA_H_

#include <jansson.h>

#include "report/film.h"
#include "report/page.h"
#include "report/profile.h"
#include "report/stage.h"

typedef struct vouch_page_data_s
{
  const vouch_page_t * page;
  const vouch_report_t * report;
  vouch_stage_t stage;
  vouch_profile_t profile;
  vouch_film_t film;
  vouch_text_t blob;
  json_t * root;
} vouch_page_data_t;

/// The bodies, frames and meshes (page_model.c). In the blob: positions as 16 bits a number, in the box
/// of their mesh.
vouch_ret_t vouch_page_add_model(vouch_page_data_t * data) VOUCH_WARN_UNUSED;
/// The film and the joints (page_model.c).
vouch_ret_t vouch_page_add_film(vouch_page_data_t * data) VOUCH_WARN_UNUSED;
/// Pairs and spans (page_pairs.c).
vouch_ret_t vouch_page_add_pairs(vouch_page_data_t * data) VOUCH_WARN_UNUSED;
/// What the verdict rests on (page_facts.c).
vouch_ret_t vouch_page_add_facts(vouch_page_data_t * data) VOUCH_WARN_UNUSED;

/// A distance that is certified, not made better by printing it; null: none, or without an end.
json_t * vouch_page_certified(double metres);

#endif  // REPORT__PAGE_DATA_H_
