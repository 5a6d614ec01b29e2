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
/* Drawing: obstacles from far to near, the sweep, the waypoints, the robot at the interesting time,
 * and the two bodies that matter in front of everything. */

#include "report/panel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WAYPOINTS 12
#define PIECES 4

static double to_x(const vouch_panel_t * panel, double x)
{
  return panel->left + (x - panel->world.x0) * panel->scale;
}

static double to_y(const vouch_panel_t * panel, double y)
{
  return VOUCH_PICTURE_TOP + panel->height - (y - panel->world.y0) * panel->scale;
}

static vouch_point2_t project(const vouch_panel_t * panel, vec3_t p)
{
  return (vouch_point2_t) {
           to_x(panel, vec3_dot(p, panel->view->right)), to_y(panel, vec3_dot(p, panel->view->up))
  };
}

void vouch_painter_escape(vouch_text_t * out, const char * text)
{
  for (; *text; text++) {
    switch (*text) {
      case '&': vouch_text_append(out, "&amp;"); break;
      case '<': vouch_text_append(out, "&lt;"); break;
      case '>': vouch_text_append(out, "&gt;"); break;
      case '"': vouch_text_append(out, "&quot;"); break;
      default: vouch_text_append(out, "%c", (unsigned char)*text < 0x20 ? ' ' : *text);
    }
  }
}

void vouch_picture_box_grow(vouch_picture_box_t * box, const vouch_outline_t * outline)
{
  for (size_t i = 0; i < outline->point_count; i++) {
    box->x0 = fmin(box->x0, outline->points[i].x);
    box->x1 = fmax(box->x1, outline->points[i].x);
    box->y0 = fmin(box->y0, outline->points[i].y);
    box->y1 = fmax(box->y1, outline->points[i].y);
  }
}

/* Collects the silhouettes of all bodies that `wanted` names: bit 0 robot that moves, bit 1 robot
 * that stands still, bit 2 obstacles. */
vouch_ret_t vouch_painter_collect(vouch_painter_t * p, const vouch_view_t * view, unsigned wanted)
{
  vouch_outline_clear(&p->outline);
  for (uint32_t i = 0; i < p->stage.build.problem.scene.body_count; i++) {
    bool robot = p->stage.roles[i] <= VOUCH_ROLE_ATTACHED;
    unsigned bit = robot ? (p->stage.moving[i] ? 1u : 2u) : 4u;
    if (wanted & bit) {
      vouch_ret_t ret = vouch_stage_outline(&p->stage, i, view, PIECES, &p->outline);
      if (ret != VOUCH_RET_OK) {
        return ret;
      }
    }
  }
  return VOUCH_RET_OK;
}

/* All polygons of the outline as one path, so that overlapping pieces show as one shape. Coarse: to
 * the pixel, for what is drawn faintly and often. */
static void draw_outline(
  vouch_painter_t * p, const vouch_panel_t * panel, const char * class, bool coarse)
{
  const vouch_outline_t * o = &p->outline;
  size_t begin = 0;
  vouch_text_append(p->out, "<path class=\"%s\" d=\"", class);
  for (size_t k = 0; k < o->polygon_count; k++) {
    double last_x = INFINITY, last_y = INFINITY;
    for (size_t i = begin; i < o->ends[k]; i++) {
      double x = to_x(panel, o->points[i].x), y = to_y(panel, o->points[i].y);
      double step = coarse ? 2.0 : 0.8;
      if (fabs(x - last_x) < step && fabs(y - last_y) < step) {
        continue;
      }
      vouch_text_append(
        p->out, coarse ? "%s%.0f,%.0f" : "%s%.1f,%.1f", i == begin ? "M" : " ", x, y);
      last_x = x;
      last_y = y;
    }
    vouch_text_append(p->out, "Z");
    begin = o->ends[k];
  }
  vouch_text_append(p->out, "\"/>\n");
}

/* Towards the viewer. */
static vec3_t view_normal(const vouch_view_t * view)
{
  return vec3_cross(view->right, view->up);
}

static vouch_ret_t draw_body(
  vouch_painter_t * p, const vouch_panel_t * panel, uint32_t body, const char * class)
{
  vouch_outline_clear(&p->outline);
  vouch_ret_t ret = vouch_stage_outline(
    &p->stage, body, panel->view, panel->close ? 8 * PIECES : 2 * PIECES, &p->outline);
  if (ret == VOUCH_RET_OK) {
    draw_outline(p, panel, class, false);
  }
  return ret;
}

/* A plane that is seen edge-on: a line through the whole panel. Others cannot be shown. */
static void draw_plane(vouch_painter_t * p, const vouch_panel_t * panel, const vouch_body_t * body)
{
  const rigid_t * frame = &p->stage.frames[body->frame];
  vec3_t normal = mat3_mul_vec(&frame->rotation, vec3_from(body->normal));
  double offset = body->offset + vec3_dot(normal, frame->translation);
  double nx = vec3_dot(normal, panel->view->right), ny = vec3_dot(normal, panel->view->up);
  if (fabs(vec3_dot(normal, view_normal(panel->view))) > 1e-3) {
    return;
  }
  double cx = 0.5 * (panel->world.x0 + panel->world.x1);
  double cy = 0.5 * (panel->world.y0 + panel->world.y1);
  double away = offset - nx * cx - ny * cy, reach = 2.0 * (panel->width + panel->height) /
    panel->scale;
  vouch_text_append(
    p->out, "<path class=\"plane\" d=\"M%.1f,%.1f %.1f,%.1f\"/>\n",
    to_x(panel, cx + nx * away - ny * reach), to_y(panel, cy + ny * away + nx * reach),
    to_x(panel, cx + nx * away + ny * reach), to_y(panel, cy + ny * away - nx * reach));
}

typedef struct layer_s
{
  uint32_t body;
  double depth;
} layer_t;

static int compare_layers(const void * left, const void * right)
{
  const layer_t * a = left, * b = right;
  if (a->depth != b->depth) {
    return a->depth < b->depth ? -1 : 1;
  }
  return a->body < b->body ? -1 : 1;
}

/* Nearest point to the viewer of a body's silhouette, seen along `view`. */
static vouch_ret_t body_depth(
  vouch_painter_t * p, const vouch_view_t * view, uint32_t body, double * depth)
{
  vouch_view_t edge = {"depth", view_normal(view), view->up};
  vouch_picture_box_t box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  vouch_outline_clear(&p->outline);
  vouch_ret_t ret = vouch_stage_outline(&p->stage, body, &edge, 1, &p->outline);
  vouch_picture_box_grow(&box, &p->outline);
  *depth = p->stage.roles[body] == VOUCH_ROLE_PLANE ? -INFINITY : box.x1;
  return ret;
}

static bool is_named(const vouch_painter_t * p, uint32_t body)
{
  return p->point_a && (body == p->body_a || body == p->body_b);
}

static const char * class_of(const vouch_painter_t * p, const vouch_panel_t * panel, uint32_t body)
{
  bool robot = p->stage.roles[body] <= VOUCH_ROLE_ATTACHED;
  if (is_named(p, body) && (p->hit || panel->close)) {
    return robot && !(body == p->body_b && panel->close) ? (p->hit ? "hit" : "link") : "struck";
  }
  if (p->stage.roles[body] == VOUCH_ROLE_ATTACHED) {
    return "attached";
  }
  return robot ? (body % 2 ? "link" : "link even") : "obstacle";
}

/* Draws obstacles (robot false) or robot (true) from far to near. */
static vouch_ret_t draw_bodies(vouch_painter_t * p, const vouch_panel_t * panel, bool robot)
{
  const vouch_scene_part_t * scene = &p->stage.build.problem.scene;
  layer_t * layers = vouch_calloc(&p->stage.allocator, scene->body_count, sizeof(*layers));
  size_t count = 0;
  vouch_ret_t ret = layers ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
  for (uint32_t i = 0; i < scene->body_count && ret == VOUCH_RET_OK; i++) {
    if ((p->stage.roles[i] <= VOUCH_ROLE_ATTACHED) == robot && !(panel->close && is_named(p, i))) {
      layers[count].body = i;
      ret = body_depth(p, panel->view, i, &layers[count++].depth);
    }
  }
  if (count > 1 && ret == VOUCH_RET_OK) {
    qsort(layers, count, sizeof(*layers), compare_layers);
  }
  for (size_t k = 0; k < count && ret == VOUCH_RET_OK; k++) {
    uint32_t i = layers[k].body;
    if (p->stage.roles[i] == VOUCH_ROLE_PLANE) {
      draw_plane(p, panel, &scene->bodies[i]);
    } else {
      ret = draw_body(p, panel, i, class_of(p, panel, i));
    }
  }
  vouch_free(&p->stage.allocator, layers);
  return ret;
}

/* The two bodies of the collision or closest approach once more, in front of everything. */
static vouch_ret_t draw_named(vouch_painter_t * p, const vouch_panel_t * panel)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  if (p->point_a && (p->hit || panel->close)) {
    vouch_text_append(p->out, "<g opacity=\".85\">\n");
    ret = draw_body(p, panel, p->body_b, class_of(p, panel, p->body_b));
    vouch_text_append(p->out, "</g>\n<g opacity=\".75\">\n");
    if (ret == VOUCH_RET_OK) {
      ret = draw_body(p, panel, p->body_a, class_of(p, panel, p->body_a));
    }
    vouch_text_append(p->out, "</g>\n");
  }
  return ret;
}

static vouch_ret_t draw_sweep(vouch_painter_t * p, const vouch_panel_t * panel)
{
  double end = vouch_stage_end(&p->stage);
  vouch_ret_t ret = VOUCH_RET_OK;
  for (int k = 0; k <= VOUCH_PICTURE_SWEEPS && ret == VOUCH_RET_OK; k++) {
    vouch_stage_set_time(&p->stage, end * k / VOUCH_PICTURE_SWEEPS);
    ret = vouch_painter_collect(p, panel->view, 1u);
    if (ret == VOUCH_RET_OK) {
      draw_outline(p, panel, "sweep", true);
    }
  }
  return ret;
}

static vouch_ret_t draw_waypoints(vouch_painter_t * p, const vouch_panel_t * panel)
{
  const vouch_motion_t * motion = p->stage.report->motion;
  vouch_ret_t ret = VOUCH_RET_OK;
  if (motion->segment_count > MAX_WAYPOINTS) {
    return ret;
  }
  for (uint32_t k = 0; k <= motion->segment_count && ret == VOUCH_RET_OK; k++) {
    vouch_stage_set_time(&p->stage, motion->seconds[k]);
    ret = vouch_painter_collect(p, panel->view, 1u);
    if (ret == VOUCH_RET_OK) {
      vouch_text_append(p->out, "<g opacity=\".3\">");
      draw_outline(p, panel, "waypoint", false);
      vouch_text_append(p->out, "</g>\n");
    }
  }
  return ret;
}

static void draw_way(
  vouch_painter_t * p, const vouch_panel_t * panel, const vouch_motion_t * motion,
  const char * class)
{
  double end = motion->seconds[motion->segment_count];
  vouch_text_append(p->out, "<path class=\"%s\" d=\"", class);
  for (int k = 0; k <= 4 * VOUCH_PICTURE_SWEEPS; k++) {
    vouch_stage_set_time_of(&p->stage, motion, end * k / (4 * VOUCH_PICTURE_SWEEPS));
    vouch_point2_t q = project(panel, vouch_stage_tool(&p->stage));
    vouch_text_append(p->out, "%s%.1f,%.1f", k ? " " : "M", q.x, q.y);
  }
  vouch_text_append(p->out, "\"/>\n");
}

/* The way of the tool, and the numbers of the waypoints on it; where it went before it was repaired,
 * if it was. */
static void draw_tool_path(vouch_painter_t * p, const vouch_panel_t * panel)
{
  const vouch_motion_t * motion = p->stage.report->motion;
  if (p->stage.report->old_motion && p->stage.report->old_motion != motion) {
    draw_way(p, panel, p->stage.report->old_motion, "old");
  }
  draw_way(p, panel, motion, "tool");
  vouch_point2_t told[MAX_WAYPOINTS + 1];
  size_t told_count = 0;
  for (uint32_t k = 0; motion->segment_count <= MAX_WAYPOINTS && k <= motion->segment_count; k++) {
    vouch_stage_set_time(&p->stage, motion->seconds[k]);
    vouch_point2_t q = project(panel, vouch_stage_tool(&p->stage));
    bool crowded = k < motion->lead_in;
    for (size_t i = 0; i < told_count; i++) {
      crowded = crowded || hypot(told[i].x - q.x, told[i].y - q.y) < 9.0;
    }
    if (!crowded) {
      told[told_count++] = q;
      vouch_text_append(
        p->out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\"/>"
        "<text class=\"small\" x=\"%.1f\" y=\"%.1f\">%u</text>\n", q.x, q.y, q.x + 4.0, q.y - 3.0,
        k - (uint32_t)motion->lead_in);
    }
  }
}

static void draw_marker(vouch_painter_t * p, const vouch_panel_t * panel)
{
  if (!p->point_a) {
    return;
  }
  vouch_point2_t a = project(panel, vec3_from(p->point_a));
  vouch_point2_t b = project(panel, vec3_from(p->point_b));
  const char * class = p->hit ? "mark" : "mark near";
  vouch_text_append(
    p->out, "<path class=\"%s\" d=\"M%.1f,%.1f %.1f,%.1f\"/>"
    "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>\n", class, a.x, a.y, b.x, b.y, class,
    0.5 * (a.x + b.x), 0.5 * (a.y + b.y), panel->close ? "5" : "9");
}

/* A bar of 1, 2 or 5 times a power of ten, at most a third of the panel. */
static void draw_scale_bar(vouch_painter_t * p, const vouch_panel_t * panel)
{
  double room = panel->width / 3.0 / panel->scale, length = 1e-6;
  static const double steps[] = {2.0, 2.5, 2.0};
  for (int k = 0; length * steps[k % 3] <= room && k < 60; k++) {
    length *= steps[k % 3];
  }
  double x = panel->left + 10.0, y = VOUCH_PICTURE_TOP + panel->height - 10.0;
  vouch_text_append(
    p->out, "<path class=\"bar\" d=\"M%.1f,%.1f v4 h%.1f v-4\"/>"
    "<text class=\"small\" x=\"%.1f\" y=\"%.1f\">", x, y - 4.0, length * panel->scale, x + 4.0,
    y - 5.0);
  if (length < 0.999) {
    vouch_text_append(p->out, "%.3g mm</text>\n", length * 1e3);
  } else {
    vouch_text_append(p->out, "%.3g m</text>\n", length);
  }
}

static void draw_caption(vouch_painter_t * p, const vouch_panel_t * panel)
{
  vouch_text_append(
    p->out, "<rect class=\"strip\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"24\"/>"
    "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
    "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">", panel->left, VOUCH_PICTURE_TOP, panel->width,
    panel->left,
    VOUCH_PICTURE_TOP,
    panel->width, panel->height, panel->left + 8.0, VOUCH_PICTURE_TOP + 17.0);
  const vouch_scene_part_t * scene = &p->stage.build.problem.scene;
  if (!panel->close) {
    vouch_text_append(p->out, "%s</text>\n", panel->view->name);
    return;
  }
  vouch_text_append(
    p->out, "close-up, %s: <tspan class=\"%s\">", panel->view->name, p->hit ? "bad" : "blue");
  vouch_painter_escape(p->out, scene->bodies[p->body_a].name);
  vouch_text_append(p->out, "</tspan> and <tspan class=\"brown\">");
  vouch_painter_escape(p->out, scene->bodies[p->body_b].name);
  vouch_text_append(p->out, "</tspan></text>\n");
}

vouch_ret_t vouch_painter_draw_panel(vouch_painter_t * p, const vouch_panel_t * panel)
{
  vouch_text_append(
    p->out, "<clipPath id=\"panel%d\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
    "</clipPath>\n<g clip-path=\"url(#panel%d)\">\n", panel->number, panel->left, VOUCH_PICTURE_TOP,
    panel->width, panel->height, panel->number);
  vouch_stage_set_time(&p->stage, p->time);
  vouch_ret_t ret = draw_bodies(p, panel, false);
  if (ret == VOUCH_RET_OK && !panel->close) {
    ret = draw_sweep(p, panel);
  }
  if (ret == VOUCH_RET_OK && !panel->close) {
    ret = draw_waypoints(p, panel);
  }
  vouch_stage_set_time(&p->stage, p->time);
  if (ret == VOUCH_RET_OK) {
    vouch_text_append(p->out, "<g opacity=\"%s\">\n", panel->close ? ".25" : ".9");
    ret = draw_bodies(p, panel, true);
    vouch_text_append(p->out, "</g>\n");
  }
  if (ret == VOUCH_RET_OK) {
    ret = draw_named(p, panel);
  }
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (!panel->close) {
    draw_tool_path(p, panel);
    vouch_stage_set_time(&p->stage, p->time);
  }
  draw_marker(p, panel);
  vouch_text_append(p->out, "</g>\n");
  draw_caption(p, panel);
  draw_scale_bar(p, panel);
  return VOUCH_RET_OK;
}
