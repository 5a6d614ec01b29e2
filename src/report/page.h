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

/* One check as a page that a browser opens without a network, and as glTF for every other viewer. */

#ifndef REPORT__PAGE_H_
#define REPORT__PAGE_H_

#include "report/report.h"

/// A file that was put into the program when it was built; size 0: it was not there.
typedef struct vouch_asset_s
{
  const unsigned char * data;
  size_t size;
} vouch_asset_t;

/// The 3-D library: three.js and its OrbitControls.
typedef struct vouch_page_library_s
{
  vouch_asset_t three, controls;
} vouch_page_library_t;

/// What to say when it was not there.
extern const char vouch_page_without_library[];

/// A file that the check was made from.
typedef struct vouch_page_input_s
{
  const char * role;       // "robot", "scene", ...
  const char * path;
} vouch_page_input_t;

typedef struct vouch_page_s
{
  const vouch_report_t * report;   // result, scene and motion are needed
  const char * title;
  const char * trajectory;         // what a person calls the motion
  const vouch_page_input_t * inputs;
  size_t input_count;
} vouch_page_t;

/// Appends the page. The same check gives the same page, but for seconds in its statistics.
vouch_ret_t vouch_report_page(
  const vouch_page_t * page, const vouch_page_library_t * library,
  vouch_text_t * out) VOUCH_WARN_UNUSED;

/// Appends a binary glTF 2.0 file with the motion as its animation (y is up, as glTF wants it).
vouch_ret_t vouch_report_gltf(const vouch_report_t * report, vouch_text_t * out) VOUCH_WARN_UNUSED;

/// Appends a small picture (SVG) of the robot at the time that is worth seeing.
vouch_ret_t vouch_report_thumbnail(
  const vouch_report_t * report, vouch_text_t * out) VOUCH_WARN_UNUSED;

/* ---- many checks ---- */

/// One row of a list, as the index and the test report tell it. Texts may be NULL.
typedef struct vouch_index_row_s
{
  const char * name;
  vouch_verdict_t verdict;
  bool fault;              // something went wrong inside: then there is no verdict
  const char * error;      // of INVALID and of faults
  const char * text;       // what the check said, for people
  const char * robot;
  const char * a;          // the colliding, nearest or open pair
  const char * b;
  double distance_m;       // the least that is certified; < 0: not known
  double time_s;           // of the contact or the least distance; < 0: none
  double seconds;          // that the check took
  const char * link;       // to its own page
  const char * thumbnail;  // SVG
} vouch_index_row_t;

/// Appends a page that lists all rows; it can be sorted and filtered.
vouch_ret_t vouch_report_index(
  const char * title, const vouch_index_row_t * rows, size_t count,
  vouch_text_t * out) VOUCH_WARN_UNUSED;

/// Appends JUnit XML: COLLISION and UNDECIDED are failures, INVALID and faults are errors.
vouch_ret_t vouch_report_junit(
  const char * title, const vouch_index_row_t * rows, size_t count,
  vouch_text_t * out) VOUCH_WARN_UNUSED;

#endif  // REPORT__PAGE_H_
