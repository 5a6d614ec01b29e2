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
/* A picture of the size of a thumb: obstacles in grey, the robot at the time that is worth seeing, the two
 * bodies of the contact or the closest approach in their colours. Seen from the front right. */

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "report/page.h"
#include "report/panel.h"

#define WIDTH 240.0
#define HEIGHT 180.0
#define PIECES 3

/* x to the right and back, z up and back. */
static const vouch_view_t VIEW = {
  "corner", {0.8, 0.6, 0.0}, {-0.24, 0.32, 0.91651513899116799}
};

typedef struct drawn_s
{
  uint32_t body;
  double depth;
} drawn_t;

typedef struct thumb_s
{
  vouch_stage_t stage;
  vouch_outline_t outline;
  vouch_text_t * out;
  drawn_t * order;
  size_t count;
  vouch_picture_box_t box;
  uint32_t a, b;
  bool hit;
} thumb_t;

static int compare_depths(const void * left, const void * right)
{
  const drawn_t * x = left, * y = right;
  return x->depth != y->depth ? (x->depth > y->depth) - (x->depth < y->depth) :
         (x->body > y->body) - (x->body < y->body);
}

static vouch_ret_t outline_of(thumb_t * t, uint32_t body, int pieces)
{
  vouch_outline_clear(&t->outline);
  return vouch_stage_outline(&t->stage, body, &VIEW, (size_t)pieces, &t->outline);
}

/* Everything that is not a plane, from back to front; the box holds the robot and what is near it. */
static vouch_ret_t collect(thumb_t * t)
{
  const vouch_scene_part_t * scene = &t->stage.build.problem.scene;
  const vec3_t towards = vec3_cross(VIEW.right, VIEW.up);
  vouch_picture_box_t all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  t->box = all;
  vouch_ret_t ret = VOUCH_RET_OK;
  for (uint32_t i = 0; i < scene->body_count && ret == VOUCH_RET_OK; i++) {
    if (t->stage.roles[i] == VOUCH_ROLE_PLANE) {
      continue;
    }
    const vouch_geometry_t * g =
      t->stage.build.problem.geometry.geometries[scene->bodies[i].geometry];
    const rigid_t pose = vouch_stage_pose(&t->stage, i);
    const vec3_t middle = rigid_apply(&pose, vec3_from(g->vertices[0]));
    t->order[t->count++] = (drawn_t) {i, vec3_dot(middle, towards)};
    ret = outline_of(t, i, 1);
    vouch_picture_box_grow(t->stage.roles[i] <= VOUCH_ROLE_ATTACHED ? &t->box : &all, &t->outline);
  }
  t->box = isfinite(t->box.x0) ? t->box : all;
  const double room = 0.25 * fmax(t->box.x1 - t->box.x0, t->box.y1 - t->box.y0);
  t->box.x0 = fmax(t->box.x0 - room, fmin(all.x0, t->box.x0));
  t->box.x1 = fmin(t->box.x1 + room, fmax(all.x1, t->box.x1));
  t->box.y0 = fmax(t->box.y0 - room, fmin(all.y0, t->box.y0));
  t->box.y1 = fmin(t->box.y1 + room, fmax(all.y1, t->box.y1));
  if (t->count > 1) {
    qsort(t->order, t->count, sizeof(*t->order), compare_depths);
  }
  return ret;
}

static const char * colour_of(const thumb_t * t, uint32_t body)
{
  if (body == t->a || body == t->b) {
    return t->hit ? "#ef5350" : body == t->a ? "#42a5f5" : "#ffca28";
  }
  const vouch_role_t role = t->stage.roles[body];
  return role == VOUCH_ROLE_OBSTACLE ? "#dcd5c8" : role == VOUCH_ROLE_ATTACHED ? "#f2a64b" :
         body % 2 ? "#b4c3d3" : "#cfd9e3";
}

static void draw(thumb_t * t, uint32_t body)
{
  const double width = fmax(t->box.x1 - t->box.x0, 1e-6), tall = fmax(t->box.y1 - t->box.y0, 1e-6);
  const double scale = fmin((WIDTH - 12.0) / width, (HEIGHT - 12.0) / tall);
  const double left = 0.5 * (WIDTH - scale * width), low = 0.5 * (HEIGHT + scale * tall);
  size_t begin = 0;
  vouch_text_append(t->out, "<path fill=\"%s\" d=\"", colour_of(t, body));
  for (size_t k = 0; k < t->outline.polygon_count; begin = t->outline.ends[k++]) {
    double last_x = INFINITY, last_y = INFINITY;
    for (size_t i = begin; i < t->outline.ends[k]; i++) {
      const double x = left + (t->outline.points[i].x - t->box.x0) * scale;
      const double y = low - (t->outline.points[i].y - t->box.y0) * scale;
      if (i == begin || fabs(x - last_x) > 1.2 || fabs(y - last_y) > 1.2) {
        vouch_text_append(t->out, "%s%.1f,%.1f", i == begin ? "M" : " ", x, y);
        last_x = x;
        last_y = y;
      }
    }
    vouch_text_append(t->out, "Z");
  }
  vouch_text_append(t->out, "\"/>");
}

static void choose(thumb_t * t, const vouch_result_t * result)
{
  const vouch_contact_t * contact = &result->first_collision;
  const vouch_clearance_t * near = &result->clearance;
  t->hit = contact->kind != VOUCH_CONTACT_NONE;
  t->a = t->b = VOUCH_NONE;
  if (t->hit || near->valid) {
    t->a = vouch_stage_find(&t->stage, t->hit ? contact->a : near->a);
    t->b = vouch_stage_find(&t->stage, t->hit ? contact->b : near->b);
    vouch_stage_set_time(&t->stage, t->hit ? contact->time_s : near->time_s);
  } else if (result->open_count > 0) {
    t->a = vouch_stage_find(&t->stage, result->open[0].a);
    t->b = vouch_stage_find(&t->stage, result->open[0].b);
    vouch_stage_set_time(&t->stage, result->open[0].begin_s);
  }
}

vouch_ret_t vouch_report_thumbnail(const vouch_report_t * report, vouch_text_t * out)
{
  if (!report->result || !report->scene || !report->motion) {
    return vouch_fail(VOUCH_RET_INVALID, "A picture needs a checked motion and its scene.");
  }
  thumb_t t = {.out = out, .outline = {.allocator = out->allocator},
    .stage = {.allocator = out->allocator}};
  vouch_ret_t ret = vouch_stage_init(&t.stage, report, out->allocator);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  t.order = vouch_calloc(
    &out->allocator, t.stage.build.problem.scene.body_count + 1u, sizeof(*t.order));
  ret = t.order ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
  if (ret == VOUCH_RET_OK) {
    choose(&t, report->result);
    ret = collect(&t);
    vouch_text_append(
      out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\">"
      "<g stroke=\"#37474f\" stroke-width=\".7\" stroke-linejoin=\"round\">", WIDTH, HEIGHT);
    for (size_t i = 0; i < t.count && ret == VOUCH_RET_OK; i++) {
      ret = outline_of(&t, t.order[i].body, PIECES);
      draw(&t, t.order[i].body);
    }
    vouch_text_append(out, "</g></svg>");
  }
  vouch_free(&out->allocator, t.order);
  vouch_outline_fini(&t.outline);
  vouch_stage_fini(&t.stage);
  return ret == VOUCH_RET_OK && out->failed ?
         vouch_fail(VOUCH_RET_NO_MEMORY, "Out of memory while drawing a picture.") : ret;
}
