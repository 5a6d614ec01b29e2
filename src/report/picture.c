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
#include "report/stage.h"

#define PANEL 352.0
#define GAP 16.0
#define TOP 64.0
#define SWEEPS 24
#define MAX_WAYPOINTS 12
#define PIECES 4

static const vouch_view_t SIDE = {"side", {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
static const vouch_view_t ABOVE = {"top", {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
static const vouch_view_t FRONT = {"front", {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

typedef struct box_s
{
  double x0, y0, x1, y1;
} box_t;

typedef struct painter_s
{
  vouch_stage_t stage;
  vouch_outline_t outline;
  vouch_text_t * out;
  double time;              // of the solid robot
  const double * point_a;   // of the collision or closest approach; NULL: none
  const double * point_b;
  uint32_t body_a, body_b;
  bool hit;
} painter_t;

/* A panel maps `world` (metres) to a rectangle of `width` x `height` pixels at (left, TOP). */
typedef struct panel_s
{
  const vouch_view_t * view;
  box_t world;
  double left, width, height, scale;
  int number;
  bool close;
} panel_t;

static double to_x(const panel_t * panel, double x)
{
  return panel->left + (x - panel->world.x0) * panel->scale;
}

static double to_y(const panel_t * panel, double y)
{
  return TOP + panel->height - (y - panel->world.y0) * panel->scale;
}

static vouch_point2_t project(const panel_t * panel, vec3_t p)
{
  return (vouch_point2_t) {
           to_x(panel, vec3_dot(p, panel->view->right)), to_y(panel, vec3_dot(p, panel->view->up))
  };
}

static void append_escaped(vouch_text_t * out, const char * text)
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

static void grow_box(box_t * box, const vouch_outline_t * outline)
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
static vouch_ret_t collect(painter_t * p, const vouch_view_t * view, unsigned wanted)
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

/* All polygons of the outline as one path, so that overlapping pieces show as one shape. */
static void draw_outline(painter_t * p, const panel_t * panel, const char * class)
{
  const vouch_outline_t * o = &p->outline;
  size_t begin = 0;
  vouch_text_append(p->out, "<path class=\"%s\" d=\"", class);
  for (size_t k = 0; k < o->polygon_count; k++) {
    double last_x = INFINITY, last_y = INFINITY;
    for (size_t i = begin; i < o->ends[k]; i++) {
      double x = to_x(panel, o->points[i].x), y = to_y(panel, o->points[i].y);
      if (fabs(x - last_x) < 0.8 && fabs(y - last_y) < 0.8) {
        continue;
      }
      vouch_text_append(p->out, "%s%.1f,%.1f", i == begin ? "M" : " ", x, y);
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
  painter_t * p, const panel_t * panel, uint32_t body, const char * class)
{
  vouch_outline_clear(&p->outline);
  vouch_ret_t ret = vouch_stage_outline(
    &p->stage, body, panel->view, panel->close ? 8 * PIECES : 2 * PIECES, &p->outline);
  if (ret == VOUCH_RET_OK) {
    draw_outline(p, panel, class);
  }
  return ret;
}

/* A plane that is seen edge-on: a line through the whole panel. Others cannot be shown. */
static void draw_plane(painter_t * p, const panel_t * panel, const vouch_body_t * body)
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
  painter_t * p, const vouch_view_t * view, uint32_t body, double * depth)
{
  vouch_view_t edge = {"depth", view_normal(view), view->up};
  box_t box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  vouch_outline_clear(&p->outline);
  vouch_ret_t ret = vouch_stage_outline(&p->stage, body, &edge, 1, &p->outline);
  grow_box(&box, &p->outline);
  *depth = p->stage.roles[body] == VOUCH_ROLE_PLANE ? -INFINITY : box.x1;
  return ret;
}

static bool is_named(const painter_t * p, uint32_t body)
{
  return p->point_a && (body == p->body_a || body == p->body_b);
}

static const char * class_of(const painter_t * p, const panel_t * panel, uint32_t body)
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
static vouch_ret_t draw_bodies(painter_t * p, const panel_t * panel, bool robot)
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
static vouch_ret_t draw_named(painter_t * p, const panel_t * panel)
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

static vouch_ret_t draw_sweep(painter_t * p, const panel_t * panel)
{
  double end = vouch_stage_end(&p->stage);
  vouch_ret_t ret = VOUCH_RET_OK;
  for (int k = 0; k <= SWEEPS && ret == VOUCH_RET_OK; k++) {
    vouch_stage_set_time(&p->stage, end * k / SWEEPS);
    ret = collect(p, panel->view, 1u);
    if (ret == VOUCH_RET_OK) {
      draw_outline(p, panel, "sweep");
    }
  }
  return ret;
}

static vouch_ret_t draw_waypoints(painter_t * p, const panel_t * panel)
{
  const vouch_motion_t * motion = p->stage.report->motion;
  vouch_ret_t ret = VOUCH_RET_OK;
  if (motion->segment_count > MAX_WAYPOINTS) {
    return ret;
  }
  for (uint32_t k = 0; k <= motion->segment_count && ret == VOUCH_RET_OK; k++) {
    vouch_stage_set_time(&p->stage, motion->seconds[k]);
    ret = collect(p, panel->view, 1u);
    if (ret == VOUCH_RET_OK) {
      vouch_text_append(p->out, "<g opacity=\".3\">");
      draw_outline(p, panel, "waypoint");
      vouch_text_append(p->out, "</g>\n");
    }
  }
  return ret;
}

/* The way of the tool, and the numbers of the waypoints on it. */
static void draw_tool_path(painter_t * p, const panel_t * panel)
{
  const vouch_motion_t * motion = p->stage.report->motion;
  double end = vouch_stage_end(&p->stage);
  vouch_text_append(p->out, "<path class=\"tool\" d=\"");
  for (int k = 0; k <= 4 * SWEEPS; k++) {
    vouch_stage_set_time(&p->stage, end * k / (4 * SWEEPS));
    vouch_point2_t q = project(panel, vouch_stage_tool(&p->stage));
    vouch_text_append(p->out, "%s%.1f,%.1f", k ? " " : "M", q.x, q.y);
  }
  vouch_text_append(p->out, "\"/>\n");
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

static void draw_marker(painter_t * p, const panel_t * panel)
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
static void draw_scale_bar(painter_t * p, const panel_t * panel)
{
  double room = panel->width / 3.0 / panel->scale, length = 1e-6;
  static const double steps[] = {2.0, 2.5, 2.0};
  for (int k = 0; length * steps[k % 3] <= room && k < 60; k++) {
    length *= steps[k % 3];
  }
  double x = panel->left + 10.0, y = TOP + panel->height - 10.0;
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

static void draw_caption(painter_t * p, const panel_t * panel)
{
  vouch_text_append(
    p->out, "<rect class=\"strip\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"24\"/>"
    "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
    "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">", panel->left, TOP, panel->width, panel->left,
    TOP,
    panel->width, panel->height, panel->left + 8.0, TOP + 17.0);
  const vouch_scene_part_t * scene = &p->stage.build.problem.scene;
  if (!panel->close) {
    vouch_text_append(p->out, "%s</text>\n", panel->view->name);
    return;
  }
  vouch_text_append(
    p->out, "close-up, %s: <tspan class=\"%s\">", panel->view->name, p->hit ? "bad" : "blue");
  append_escaped(p->out, scene->bodies[p->body_a].name);
  vouch_text_append(p->out, "</tspan> and <tspan class=\"brown\">");
  append_escaped(p->out, scene->bodies[p->body_b].name);
  vouch_text_append(p->out, "</tspan></text>\n");
}

static vouch_ret_t draw_panel(painter_t * p, const panel_t * panel)
{
  vouch_text_append(
    p->out, "<clipPath id=\"panel%d\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
    "</clipPath>\n<g clip-path=\"url(#panel%d)\">\n", panel->number, panel->left, TOP,
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

/* What a view must hold: the whole sweep, and obstacles as far as they are near it. */
static vouch_ret_t world_box(painter_t * p, const vouch_view_t * view, box_t * box)
{
  double end = vouch_stage_end(&p->stage);
  box_t all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  *box = all;
  for (int k = 0; k <= SWEEPS; k++) {
    vouch_stage_set_time(&p->stage, end * k / SWEEPS);
    vouch_ret_t ret = collect(p, view, 3u);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    grow_box(box, &p->outline);
  }
  double room = 0.2 * fmax(box->x1 - box->x0, box->y1 - box->y0);
  vouch_ret_t ret = collect(p, view, 4u);
  grow_box(&all, &p->outline);
  box->x0 = fmax(box->x0 - room, fmin(all.x0, box->x0) - 0.1 * room);
  box->x1 = fmin(box->x1 + room, fmax(all.x1, box->x1) + 0.1 * room);
  box->y0 = fmax(box->y0 - room, fmin(all.y0, box->y0) - 0.1 * room);
  box->y1 = fmin(box->y1 + room, fmax(all.y1, box->y1) + 0.1 * room);
  return ret;
}

static double box_width(const box_t * box) {return box->x1 - box->x0;}
static double box_height(const box_t * box) {return box->y1 - box->y0;}

/* Widens a box about its middle to the panel's shape. */
static void fit(panel_t * panel, double height)
{
  double cx = 0.5 * (panel->world.x0 + panel->world.x1);
  double cy = 0.5 * (panel->world.y0 + panel->world.y1);
  panel->width = PANEL;
  panel->height = height;
  panel->world = (box_t) {
    cx - 0.5 * PANEL / panel->scale, cy - 0.5 * height / panel->scale,
    cx + 0.5 * PANEL / panel->scale, cy + 0.5 * height / panel->scale
  };
}

/* The view that shows the two points furthest apart; points that coincide: the one in which the
 * second body is thinnest, because a thin plate is seen edge-on then. */
static vouch_ret_t choose_view(painter_t * p, const vouch_view_t ** best)
{
  static const vouch_view_t * const views[] = {&ABOVE, &FRONT, &SIDE};
  vec3_t between = vec3_sub(vec3_from(p->point_a), vec3_from(p->point_b));
  double best_score = -INFINITY;
  *best = views[0];
  for (size_t k = 0; k < 3; k++) {
    double score = hypot(
      vec3_dot(between, views[k]->right), vec3_dot(between, views[k]->up));
    if (p->hit) {
      box_t box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
      vouch_outline_clear(&p->outline);
      vouch_ret_t ret = vouch_stage_outline(&p->stage, p->body_b, views[k], 1, &p->outline);
      if (ret != VOUCH_RET_OK) {
        return ret;
      }
      grow_box(&box, &p->outline);
      score = -box_width(&box) * box_height(&box);
    }
    if (score > best_score * (best_score > 0.0 ? 1.01 : 0.99) || k == 0) {
      best_score = score;
      *best = views[k];
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t lay_out_close_up(painter_t * p, panel_t * panel, double height)
{
  vouch_stage_set_time(&p->stage, p->time);
  vouch_ret_t ret = choose_view(p, &panel->view);
  vec3_t a = vec3_from(p->point_a), b = vec3_from(p->point_b);
  vec3_t middle = vec3_scale(vec3_add(a, b), 0.5);
  double half = fmin(0.25, fmax(p->hit ? 0.08 : 0.02, 2.5 * vec3_norm(vec3_sub(a, b))));
  double x = vec3_dot(middle, panel->view->right), y = vec3_dot(middle, panel->view->up);
  panel->world = (box_t) {x, y, x, y};
  panel->scale = 0.5 * PANEL / half;
  panel->close = true;
  fit(panel, height);
  return ret;
}

static vouch_ret_t lay_out(painter_t * p, panel_t panels[3], int * count)
{
  panels[0] = (panel_t) {.view = &SIDE, .number = 0, .left = GAP};
  panels[1] = (panel_t) {.view = &ABOVE, .number = 1, .left = 2.0 * GAP + PANEL};
  panels[2] = (panel_t) {.number = 2, .left = 3.0 * GAP + 2.0 * PANEL};
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
  ".small{font-size:10px}.frame{fill:none;stroke:#b0bec5}.strip{fill:#fff;fill-opacity:.8}.bar{fill:none;stroke:#263238}\n"
  ".obstacle{fill:#e1e7ea;stroke:#78909c;stroke-width:.8;paint-order:stroke}\n"
  ".plane{fill:none;stroke:#78909c;stroke-width:2}\n"
  ".struck{fill:#8d6e63;stroke:#5d4037;stroke-width:1.6;paint-order:stroke}\n"
  ".sweep{fill:#1e88e5;fill-opacity:.045}\n"
  ".waypoint{fill:#e3f2fd;stroke:#0d47a1;stroke-width:1.6;paint-order:stroke}\n"
  ".link{fill:#42a5f5;stroke:#0d47a1;stroke-width:1.4;paint-order:stroke}.even{fill:#90caf9}\n"
  ".attached{fill:#ffb74d;stroke:#e65100;stroke-width:1.4;paint-order:stroke}\n"
  ".hit{fill:#ef5350;stroke:#b71c1c;stroke-width:1.4;paint-order:stroke}\n"
  ".tool{fill:none;stroke:#0d47a1;stroke-width:.8;stroke-dasharray:3 2}.dot{fill:#0d47a1}\n"
  ".mark{fill:none;stroke:#d50000;stroke-width:2}.near{stroke:#2e7d32}\n"
  ".blue{fill:#1565c0}.brown{fill:#6d4c41}.good{fill:#2e7d32}.bad{fill:#c62828}.unsure{fill:#ef6c00}\n"
  "</style>\n";

/* The first line of the text report, without its label, is the picture's second line. */
static void draw_title(painter_t * p, const char * title)
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
  append_escaped(p->out, title ? title : vouch_robot_name(vouch_scene_robot(report->scene)));
  vouch_text_append(
    p->out, "</text>\n<text class=\"sub\" x=\"%.0f\" y=\"50\"><tspan class=\"%s\" "
    "font-weight=\"bold\">%s</tspan>", GAP, class, vouch_verdict_name(verdict));
  if (line && strlen(line) > label) {
    vouch_text_append(p->out, "  ");
    append_escaped(p->out, line + label + strspn(line + label, " "));
  }
  vouch_text_append(p->out, "</text>\n");
  vouch_text_fini(&text);
}

/* The time that is worth seeing: the collision, else the closest approach, else the end. */
static void choose_time(painter_t * p)
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
  painter_t p = {.out = out, .outline = {.allocator = out->allocator}};
  panel_t panels[3];
  int count = 0;
  vouch_ret_t ret = vouch_stage_init(&p.stage, report, out->allocator);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  choose_time(&p);
  ret = lay_out(&p, panels, &count);
  if (ret == VOUCH_RET_OK) {
    double width = GAP + count * (PANEL + GAP), height = TOP + panels[0].height + GAP;
    vouch_text_append(
      out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
      "height=\"%.0f\">\n%s<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n", width, height,
      width, height, STYLE);
    draw_title(&p, title);
    for (int k = 0; k < count && ret == VOUCH_RET_OK; k++) {
      ret = draw_panel(&p, &panels[k]);
    }
    vouch_text_append(out, "</svg>\n");
  }
  vouch_outline_fini(&p.outline);
  vouch_stage_fini(&p.stage);
  return ret == VOUCH_RET_OK && out->failed ?
         vouch_fail(VOUCH_RET_NO_MEMORY, "Out of memory while drawing the picture.") : ret;
}
