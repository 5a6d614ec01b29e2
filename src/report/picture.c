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
/* The picture of one check, as SVG written by hand.
 *
 * Three panels: the cell from the side and from above at one scale, and a close-up of the collision
 * or of the closest approach. In each: obstacles in grey, the swept robot in light blue, the robot
 * at the waypoints as outlines, and the robot at the interesting time in full colour. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/panel.h"

#define PANEL 352.0
#define GAP 16.0

static const vouch_view_t SIDE = {"side", {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
static const vouch_view_t ABOVE = {"top", {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
static const vouch_view_t FRONT = {"front", {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

/* What a view must hold: the whole sweep, and obstacles as far as they are near it. */
static vouch_ret_t world_box(
  vouch_painter_t * p, const vouch_view_t * view,
  vouch_picture_box_t * box)
{
  double end = vouch_stage_end(&p->stage);
  vouch_picture_box_t all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  *box = all;
  for (int k = 0; k <= VOUCH_PICTURE_SWEEPS; k++) {
    vouch_stage_set_time(&p->stage, end * k / VOUCH_PICTURE_SWEEPS);
    vouch_ret_t ret = vouch_painter_collect(p, view, 3u);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    vouch_picture_box_grow(box, &p->outline);
  }
  double room = 0.2 * fmax(box->x1 - box->x0, box->y1 - box->y0);
  vouch_ret_t ret = vouch_painter_collect(p, view, 4u);
  vouch_picture_box_grow(&all, &p->outline);
  box->x0 = fmax(box->x0 - room, fmin(all.x0, box->x0) - 0.1 * room);
  box->x1 = fmin(box->x1 + room, fmax(all.x1, box->x1) + 0.1 * room);
  box->y0 = fmax(box->y0 - room, fmin(all.y0, box->y0) - 0.1 * room);
  box->y1 = fmin(box->y1 + room, fmax(all.y1, box->y1) + 0.1 * room);
  return ret;
}

static double box_width(const vouch_picture_box_t * box) {return box->x1 - box->x0;}
static double box_height(const vouch_picture_box_t * box) {return box->y1 - box->y0;}

/* Widens a box about its middle to the panel's shape. */
static void fit(vouch_panel_t * panel, double height)
{
  double cx = 0.5 * (panel->world.x0 + panel->world.x1);
  double cy = 0.5 * (panel->world.y0 + panel->world.y1);
  panel->width = PANEL;
  panel->height = height;
  panel->world = (vouch_picture_box_t) {
    cx - 0.5 * PANEL / panel->scale, cy - 0.5 * height / panel->scale,
    cx + 0.5 * PANEL / panel->scale, cy + 0.5 * height / panel->scale
  };
}

static double outline_area(const vouch_outline_t * outline)
{
  double area = 0.0;
  size_t begin = 0;
  for (size_t k = 0; k < outline->polygon_count; begin = outline->ends[k++]) {
    for (size_t i = begin; i < outline->ends[k]; i++) {
      vouch_point2_t p = outline->points[i];
      vouch_point2_t q = outline->points[i + 1 < outline->ends[k] ? i + 1 : begin];
      area += 0.5 * (p.x * q.y - p.y * q.x);
    }
  }
  return area;
}

/* The view that shows the two points furthest apart; points that coincide: the one in which the
 * second body is thinnest, because a thin plate is seen edge-on then. */
static vouch_ret_t choose_view(vouch_painter_t * p, const vouch_view_t ** best)
{
  static const vouch_view_t * const views[] = {&ABOVE, &FRONT, &SIDE};
  vec3_t between = vec3_sub(vec3_from(p->point_a), vec3_from(p->point_b));
  double best_score = -INFINITY;
  *best = views[0];
  for (size_t k = 0; k < 3; k++) {
    double score = hypot(
      vec3_dot(between, views[k]->right), vec3_dot(between, views[k]->up));
    if (p->hit) {
      vouch_outline_clear(&p->outline);
      vouch_ret_t ret = vouch_stage_outline(&p->stage, p->body_b, views[k], 1, &p->outline);
      if (ret != VOUCH_RET_OK) {
        return ret;
      }
      score = -outline_area(&p->outline);
    }
    if (score > best_score * (best_score > 0.0 ? 1.01 : 0.99) || k == 0) {
      best_score = score;
      *best = views[k];
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t lay_out_close_up(vouch_painter_t * p, vouch_panel_t * panel, double height)
{
  vouch_stage_set_time(&p->stage, p->time);
  vouch_ret_t ret = choose_view(p, &panel->view);
  vec3_t a = vec3_from(p->point_a), b = vec3_from(p->point_b);
  vec3_t middle = vec3_scale(vec3_add(a, b), 0.5);
  double half = fmin(0.25, fmax(p->hit ? 0.08 : 0.02, 2.5 * vec3_norm(vec3_sub(a, b))));
  double x = vec3_dot(middle, panel->view->right), y = vec3_dot(middle, panel->view->up);
  panel->world = (vouch_picture_box_t) {x, y, x, y};
  panel->scale = 0.5 * PANEL / half;
  panel->close = true;
  fit(panel, height);
  return ret;
}

static vouch_ret_t lay_out(vouch_painter_t * p, vouch_panel_t panels[3], int * count)
{
  panels[0] = (vouch_panel_t) {.view = &SIDE, .number = 0, .left = GAP};
  panels[1] = (vouch_panel_t) {.view = &ABOVE, .number = 1, .left = 2.0 * GAP + PANEL};
  panels[2] = (vouch_panel_t) {.number = 2, .left = 3.0 * GAP + 2.0 * PANEL};
  vouch_ret_t ret = world_box(p, &SIDE, &panels[0].world);
  if (ret == VOUCH_RET_OK) {
    ret = world_box(p, &ABOVE, &panels[1].world);
  }
  double width = fmax(box_width(&panels[0].world), box_width(&panels[1].world));
  double tall = fmax(box_height(&panels[0].world), box_height(&panels[1].world));
  double scale = fmin(PANEL / width, 1.5 * PANEL / tall);
  scale = isfinite(scale) && scale > 0.0 ? scale : 100.0;
  double height = fmax(0.7 * PANEL, tall * scale);
  for (int k = 0; k < 2; k++) {
    panels[k].scale = scale;
    fit(&panels[k], height);
  }
  *count = 2;
  if (ret == VOUCH_RET_OK && p->point_a) {
    *count = 3;
    ret = lay_out_close_up(p, &panels[2], height);
  }
  return ret;
}

static const char STYLE[] =
  "<style>\n"
  "text{font-family:Helvetica,Arial,sans-serif;fill:#263238}\n"
  ".title{font-size:17px;font-weight:bold}.sub{font-size:13px}.label{font-size:12px}\n"
  ".small{font-size:10px}.frame{fill:none;stroke:#b0bec5}.strip{fill:#fff;fill-opacity:.8}\n"
  ".bar{fill:none;stroke:#263238}\n"
  ".obstacle{fill:#e1e7ea;stroke:#78909c;stroke-width:.8;paint-order:stroke}\n"
  ".plane{fill:none;stroke:#78909c;stroke-width:2}\n"
  ".struck{fill:#8d6e63;stroke:#5d4037;stroke-width:1.6;paint-order:stroke}\n"
  ".sweep{fill:#1e88e5;fill-opacity:.045}\n"
  ".waypoint{fill:#e3f2fd;stroke:#0d47a1;stroke-width:1.6;paint-order:stroke}\n"
  ".link{fill:#42a5f5;stroke:#0d47a1;stroke-width:1.4;paint-order:stroke}.even{fill:#90caf9}\n"
  ".attached{fill:#ffb74d;stroke:#e65100;stroke-width:1.4;paint-order:stroke}\n"
  ".hit{fill:#ef5350;stroke:#b71c1c;stroke-width:1.4;paint-order:stroke}\n"
  ".old{fill:none;stroke:#d50000;stroke-width:1.6;stroke-dasharray:5 3}\n"
  ".tool{fill:none;stroke:#0d47a1;stroke-width:.8;stroke-dasharray:3 2}.dot{fill:#0d47a1}\n"
  ".mark{fill:none;stroke:#d50000;stroke-width:2}.near{stroke:#2e7d32}\n"
  ".blue{fill:#1565c0}.brown{fill:#6d4c41}.good{fill:#2e7d32}\n"
  ".bad{fill:#c62828}.unsure{fill:#ef6c00}\n"
  "</style>\n";

/* The first line of the text report, without its label, is the picture's second line. */
static void draw_title(vouch_painter_t * p, const char * title)
{
  const vouch_report_t * report = p->stage.report;
  vouch_verdict_t verdict = report->result->verdict;
  vouch_text_t text = {.allocator = p->stage.allocator};
  vouch_report_text(report, false, &text);
  char * line = text.data ? text.data : NULL;
  if (line) {
    line[strcspn(line, "\n")] = '\0';
  }
  size_t label = strlen(vouch_verdict_name(verdict));
  const char * class = verdict == VOUCH_FREE ? "good" :
    verdict == VOUCH_COLLISION ? "bad" : "unsure";
  vouch_text_append(p->out, "<text class=\"title\" x=\"%.0f\" y=\"28\">", GAP);
  vouch_painter_escape(p->out, title ? title : vouch_robot_name(vouch_scene_robot(report->scene)));
  vouch_text_append(
    p->out, "</text>\n<text class=\"sub\" x=\"%.0f\" y=\"50\"><tspan class=\"%s\" "
    "font-weight=\"bold\">%s</tspan>", GAP, class, vouch_verdict_name(verdict));
  if (line && strlen(line) > label) {
    vouch_text_append(p->out, "  ");
    vouch_painter_escape(p->out, line + label + strspn(line + label, " "));
  }
  vouch_text_append(p->out, "</text>\n");
  vouch_text_fini(&text);
}

/* The time that is worth seeing: the collision, else the closest approach, else the end. */
static void choose_time(vouch_painter_t * p)
{
  const vouch_result_t * result = p->stage.report->result;
  const vouch_contact_t * contact = &result->first_collision;
  const vouch_clearance_t * clearance = &result->clearance;
  p->time = vouch_stage_end(&p->stage);
  p->body_a = p->body_b = VOUCH_NONE;
  p->hit = contact->kind != VOUCH_CONTACT_NONE;
  if (p->hit || clearance->valid) {
    p->time = p->hit ? contact->time_s : clearance->time_s;
    p->body_a = vouch_stage_find(&p->stage, p->hit ? contact->a : clearance->a);
    p->body_b = vouch_stage_find(&p->stage, p->hit ? contact->b : clearance->b);
    p->point_a = p->hit ? contact->point_a : clearance->point_a;
    p->point_b = p->hit ? contact->point_b : clearance->point_b;
  }
  if (p->body_a == VOUCH_NONE || p->body_b == VOUCH_NONE) {
    p->point_a = p->point_b = NULL;
  }
}

vouch_ret_t vouch_report_picture(
  const vouch_report_t * report, const char * title, vouch_text_t * out)
{
  if (!report->result || !report->scene || !report->motion) {
    return vouch_fail(VOUCH_RET_INVALID, "A picture needs a checked motion and its scene.");
  }
  vouch_painter_t p = {.out = out, .outline = {.allocator = out->allocator}};
  vouch_panel_t panels[3];
  int count = 0;
  vouch_ret_t ret = vouch_stage_init(&p.stage, report, out->allocator);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  choose_time(&p);
  ret = lay_out(&p, panels, &count);
  if (ret == VOUCH_RET_OK) {
    double width = GAP + count * (PANEL + GAP), height = VOUCH_PICTURE_TOP + panels[0].height + GAP;
    vouch_text_append(
      out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
      "height=\"%.0f\">\n%s<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n", width, height,
      width, height, STYLE);
    draw_title(&p, title);
    for (int k = 0; k < count && ret == VOUCH_RET_OK; k++) {
      ret = vouch_painter_draw_panel(&p, &panels[k]);
    }
    vouch_text_append(out, "</svg>\n");
  }
  vouch_outline_fini(&p.outline);
  vouch_stage_fini(&p.stage);
  return ret == VOUCH_RET_OK && out->failed ?
         vouch_fail(VOUCH_RET_NO_MEMORY, "Out of memory while drawing the picture.") : ret;
}
