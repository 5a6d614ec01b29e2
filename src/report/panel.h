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
/* Drawing one panel of a picture. */

#ifndef REPORT__PANEL_H_
#define REPORT__PANEL_H_

#include "report/stage.h"

#define VOUCH_PICTURE_TOP 64.0      // pixels above the panels
#define VOUCH_PICTURE_SWEEPS 24     // robots that show a sweep

typedef struct vouch_picture_box_s
{
  double x0, y0, x1, y1;
} vouch_picture_box_t;

typedef struct vouch_painter_s
{
  vouch_stage_t stage;
  vouch_outline_t outline;
  vouch_text_t * out;
  double time;              // of the solid robot
  const double * point_a;   // of the collision or closest approach; NULL: none
  const double * point_b;
  uint32_t body_a, body_b;
  bool hit;
} vouch_painter_t;

/* A panel maps `world` (metres) to a rectangle of `width` x `height` pixels at (left,
 * VOUCH_PICTURE_TOP). */
typedef struct vouch_panel_s
{
  const vouch_view_t * view;
  vouch_picture_box_t world;
  double left, width, height, scale;
  int number;
  bool close;
} vouch_panel_t;

/// Widens a box to hold all polygons of an outline.
void vouch_picture_box_grow(vouch_picture_box_t * box, const vouch_outline_t * outline);

/// Collects the silhouettes of all bodies that `wanted` names into the painter's outline: bit 0 the
/// robot's that move, bit 1 those that stand still, bit 2 obstacles.
vouch_ret_t vouch_painter_collect(
  vouch_painter_t * painter, const vouch_view_t * view, unsigned wanted) VOUCH_WARN_UNUSED;

vouch_ret_t vouch_painter_draw_panel(
  vouch_painter_t * painter, const vouch_panel_t * panel) VOUCH_WARN_UNUSED;

/// Text as XML.
void vouch_painter_escape(vouch_text_t * out, const char * text);

#endif  // REPORT__PANEL_H_
