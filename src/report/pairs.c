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

#include "report/pairs.h"

#include <string.h>

#include "base/memory.h"
#include "model/scene.h"

const char * vouch_left_out_words(vouch_left_reason_t reason)
{
  static const char * const words[VOUCH_LEFT_COUNT] = {
    "asked for", "SRDF", "SRDF default", "adjacent", "allowed-collision matrix",
    "default of the matrix", "held or touch link", "one body", "no joint between"
  };
  return words[reason];
}

const char * vouch_left_out_key(vouch_left_reason_t reason)
{
  static const char * const keys[VOUCH_LEFT_COUNT] = {
    "asked_for", "srdf", "srdf_default", "adjacent", "matrix", "matrix_default", "touch_link",
    "one_body", "no_joint_between"
  };
  return keys[reason];
}

/* A link or an object, with the bodies that it becomes. */
typedef struct item_s
{
  const char * name;
  const vouch_object_t * object;   // NULL: a link
  uint32_t link;                   // of an obstacle: the root
  bool robot;
  uint32_t cluster;                // the topmost link that it never moves against
  uint64_t solids, planes;         // bodies
} item_t;

static uint32_t cluster_of(const vouch_robot_t * robot, uint32_t link)
{
  while (link != 0 && robot->joints[link - 1].variable == VOUCH_NONE) {
    link = robot->joints[link - 1].parent;
  }
  return link;
}

static item_t object_item(const vouch_scene_t * scene, const vouch_object_t * object)
{
  const bool robot = object->link != VOUCH_NONE;
  return (item_t) {.name = object->id, .object = object, .link = robot ? object->link : 0,
           .robot = robot, .cluster = robot ? cluster_of(scene->robot, object->link) : 0,
           .solids = object->body->has_geometry, .planes = object->body->plane_count};
}

static bool touches(const vouch_scene_t * scene, const item_t * held, const item_t * other)
{
  if (!held->object || !held->robot || !other->robot) {
    return false;
  }
  if (!other->object && strcmp(scene->robot->links[held->link].name, other->name) == 0) {
    return true;
  }
  bool found = false;
  for (size_t i = 0; i < held->object->touch_count && !found; i++) {
    found = strcmp(held->object->touch_links[i], other->name) == 0;
  }
  return found && !(other->object &&
         vouch_robot_find_link(scene->robot, other->name) != VOUCH_NONE);
}

static bool is_asked(const vouch_report_t * report, const char * a, const char * b)
{
  bool asked = false;
  for (size_t i = 0; i < report->asked_count && !asked; i++) {
    const vouch_report_asked_t * pair = &report->asked[i];
    asked = (strcmp(pair->a, a) == 0 && strcmp(pair->b, b) == 0) ||
      (strcmp(pair->a, b) == 0 && strcmp(pair->b, a) == 0);
  }
  return asked;
}

/* Of two links that neither the matrix nor the person names. */
static vouch_left_reason_t srdf_reason(const vouch_robot_t * robot, uint32_t a, uint32_t b)
{
  return vouch_robot_pair_named(robot, a, b) == VOUCH_ALLOWED_YES ?
         robot->has_srdf ? VOUCH_LEFT_SRDF : VOUCH_LEFT_ADJACENT :
         robot->has_srdf ? VOUCH_LEFT_SRDF_DEFAULT : VOUCH_LEFT_ADJACENT;
}

/* VOUCH_LEFT_COUNT: the pair is not left out by a rule about names. */
static vouch_left_reason_t reason_of(
  const vouch_report_t * report, const item_t * a, const item_t * b)
{
  const vouch_scene_t * scene = report->scene;
  if (touches(scene, a, b) || touches(scene, b, a)) {
    return VOUCH_LEFT_TOUCH;
  }
  const uint32_t link_a = a->object ? VOUCH_NONE : a->link;
  const uint32_t link_b = b->object ? VOUCH_NONE : b->link;
  if (!vouch_scene_pair_allowed(scene, a->name, link_a, b->name, link_b)) {
    return VOUCH_LEFT_COUNT;
  }
  if (is_asked(report, a->name, b->name)) {
    return VOUCH_LEFT_ASKED;
  }
  if (vouch_allowed_explicit(&scene->allowed, a->name, b->name) == VOUCH_ALLOWED_YES) {
    return VOUCH_LEFT_MATRIX;
  }
  const bool links = link_a != VOUCH_NONE && link_b != VOUCH_NONE;
  if (links && vouch_robot_pair_named(scene->robot, link_a, link_b) == VOUCH_ALLOWED_YES) {
    return srdf_reason(scene->robot, link_a, link_b);
  }
  return vouch_allowed_by_default(&scene->allowed, a->name, b->name) == VOUCH_ALLOWED_YES ?
         VOUCH_LEFT_MATRIX_DEFAULT : srdf_reason(scene->robot, link_a, link_b);
}

typedef struct counting_s
{
  const vouch_report_t * report;
  vouch_pair_counts_t * counts;
  void (* each)(const char * a, const char * b, vouch_left_reason_t reason, void * state);
  void * state;
} counting_t;

static void leave_out(
  const counting_t * c, const item_t * a, const item_t * b, vouch_left_reason_t reason,
  uint64_t bodies)
{
  c->counts->reasons[reason] += bodies;
  c->counts->left_out += bodies;
  if (c->each && bodies > 0 && reason <= VOUCH_LEFT_TOUCH) {
    c->each(a->name, b->name, reason, c->state);
  }
}

static void count_pair(const counting_t * c, const item_t * a, const item_t * b)
{
  vouch_pair_counts_t * counts = c->counts;
  const uint64_t all = (a->solids + a->planes) * (b->solids + b->planes);
  const uint64_t planes = a->planes * b->planes;
  counts->total += all;
  /* Nothing is said of obstacles: no need to ask. */
  const bool unnamed = c->report->scene->allowed.name_count == 0 && a->robot != b->robot;
  const vouch_left_reason_t reason = unnamed ? VOUCH_LEFT_COUNT : reason_of(c->report, a, b);
  if (reason != VOUCH_LEFT_COUNT) {
    leave_out(c, a, b, reason, all);
    return;
  }
  counts->unsupported += planes;
  if (a->cluster == b->cluster) {
    leave_out(c, a, b, VOUCH_LEFT_FIXED, all - planes);
  } else {
    counts->checked += all - planes;
  }
}

static void count_inside(const counting_t * c, const item_t * item)
{
  const uint64_t bodies = item->solids + item->planes;
  c->counts->total += bodies * (bodies - (bodies > 0)) / 2;
  leave_out(c, item, item, VOUCH_LEFT_ONE_BODY, bodies * (bodies - (bodies > 0)) / 2);
}

/* The links and what they hold. */
static size_t fill_robot(const vouch_scene_t * scene, item_t * items)
{
  const vouch_robot_t * robot = scene->robot;
  size_t count = 0;
  for (uint32_t i = 0; i < robot->link_count; i++) {
    if (robot->links[i].geometry) {
      items[count++] = (item_t) {.name = robot->links[i].name, .link = i, .robot = true,
        .cluster = cluster_of(robot, i), .solids = 1};
    }
  }
  for (size_t i = 0; i < scene->object_count; i++) {
    if (scene->objects[i].link != VOUCH_NONE) {
      items[count++] = object_item(scene, &scene->objects[i]);
    }
  }
  return count;
}

vouch_ret_t vouch_report_count_pairs(
  const vouch_report_t * report, vouch_pair_counts_t * counts,
  void (* each)(const char * a, const char * b, vouch_left_reason_t reason, void * state),
  void * state)
{
  const vouch_scene_t * scene = report->scene;
  const vouch_allocator_t allocator = vouch_allocator_default();
  *counts = (vouch_pair_counts_t) {.total = 0};
  if (!scene) {
    return VOUCH_RET_OK;
  }
  size_t held = 0;
  for (size_t i = 0; i < scene->object_count; i++) {
    held += scene->objects[i].link != VOUCH_NONE;
  }
  item_t * items = vouch_calloc(&allocator, scene->robot->link_count + held, sizeof(*items));
  if (!items) {
    return VOUCH_RET_NO_MEMORY;
  }
  const counting_t counting = {report, counts, each, state};
  const size_t count = fill_robot(scene, items);
  for (size_t i = 0; i < count; i++) {
    count_inside(&counting, &items[i]);
    for (size_t k = 0; k < i; k++) {
      count_pair(&counting, &items[k], &items[i]);
    }
    for (size_t k = 0; k < scene->object_count; k++) {
      if (scene->objects[k].link == VOUCH_NONE) {
        const item_t obstacle = object_item(scene, &scene->objects[k]);
        count_pair(&counting, &items[i], &obstacle);
      }
    }
  }
  vouch_free(&allocator, items);
  return VOUCH_RET_OK;
}
