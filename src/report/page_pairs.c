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
/* The table of pairs, and the curve of clearance over time. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/json_tools.h"
#include "report/page_data.h"
#include "report/reasons.h"

/* Pairs that are not checked, at most; the others are counted. */
#define MOST_LISTED 5000u

json_t * vouch_page_certified(double metres)
{
  return metres >= 0.0 && isfinite(metres) ? json_real(floor(metres * 1e9) * 1e-9) : json_null();
}

/* To the micrometre; it is for a line that is drawn. */
static json_t * curve_of(const double * curve, size_t count)
{
  json_t * array = json_array();
  for (size_t i = 0; i < count; i++) {
    json_array_append_new(array, real_or_null(floor(curve[i] * 1e6 + 0.5) * 1e-6));
  }
  return array;
}

static json_t * pair_of(const vouch_profile_pair_t * pair, size_t spans)
{
  json_t * object = json_object();
  set_count(object, "a", pair->a);
  set(object, "b", pair->b == VOUCH_NONE ? json_null() : json_integer(pair->b));
  set_text(object, "side", pair->side == VOUCH_SIDE_WORLD ? "world" : "self");
  set_text(object, "state", "checked");
  if (pair->group > 0) {
    set_count(object, "group", pair->group);
  }
  set(object, "margin", real_or_null(pair->margin));
  set(object, "certified", vouch_page_certified(pair->certified));
  if (isfinite(pair->found)) {
    set(object, "found", real_or_null(pair->found));
    set(object, "time", real_or_null(pair->time));
    set(object, "pa", point(pair->point_a));
    set(object, "pb", point(pair->point_b));
  }
  if (pair->curve) {
    set(object, "curve", curve_of(pair->curve, spans));
  }
  return object;
}

static bool has_leaf(const vouch_scene_part_t * scene, const vouch_pair_t * pair, uint32_t body)
{
  for (uint32_t g = 0; g < scene->group_count; g++) {
    if (scene->groups[g].body == body) {
      return pair->checked[g];
    }
  }
  return false;
}

static bool is_checked(const vouch_scene_part_t * scene, uint32_t a, uint32_t b)
{
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    const vouch_pair_t * pair = &scene->pairs[i];
    const bool group = pair->kind == VOUCH_PAIR_GROUP;
    if ((pair->a == a && (group ? has_leaf(scene, pair, b) : pair->b == b)) ||
      (pair->a == b && (group ? has_leaf(scene, pair, a) : pair->b == a)))
    {
      return true;
    }
  }
  return false;
}

static const vouch_static_pair_t * find_static(
  const vouch_result_t * result, const char * a, const char * b)
{
  for (size_t i = 0; i < result->static_count; i++) {
    const vouch_static_pair_t * pair = &result->statics[i];
    if ((strcmp(pair->a, a) == 0 && strcmp(pair->b, b) == 0) ||
      (strcmp(pair->a, b) == 0 && strcmp(pair->b, a) == 0))
    {
      return pair;
    }
  }
  return NULL;
}

/* A pair that is not searched for collisions, and why. */
static json_t * other_pair(const vouch_page_data_t * data, uint32_t a, uint32_t b)
{
  const vouch_scene_part_t * scene = &data->stage.build.problem.scene;
  const char * name_a = scene->bodies[a].name, * name_b = scene->bodies[b].name;
  const vouch_static_pair_t * still = find_static(data->report->result, name_a, name_b);
  json_t * object = json_object();
  set_count(object, "a", a);
  set_count(object, "b", b);
  const bool world = data->stage.roles[a] >= VOUCH_ROLE_OBSTACLE ||
    data->stage.roles[b] >= VOUCH_ROLE_OBSTACLE;
  set_text(object, "side", world ? "world" : "self");
  set_text(object, "state", still ? "static" : "left out");
  if (still) {
    set_text(
      object, "why", still->overlapping ?
      "no joint between them; they touch or overlap" : "no joint between them");
    set(object, "found", real_or_null(still->distance_m));
  } else {
    set_text(object, "why", vouch_left_out_reason(data->report->scene, name_a, name_b));
  }
  return object;
}

/* Every two bodies of which at least one belongs to the robot. */
static void add_others(vouch_page_data_t * data, json_t * array)
{
  const vouch_scene_part_t * scene = &data->stage.build.problem.scene;
  const vouch_role_t * roles = data->stage.roles;
  size_t listed = 0, more = 0;
  for (uint32_t a = 0; a < scene->body_count; a++) {
    for (uint32_t b = a + 1; b < scene->body_count; b++) {
      if ((roles[a] >= VOUCH_ROLE_OBSTACLE && roles[b] >= VOUCH_ROLE_OBSTACLE) ||
        is_checked(scene, a, b))
      {
        continue;
      }
      if (listed < MOST_LISTED) {
        json_array_append_new(array, other_pair(data, a, b));
        listed++;
      } else {
        more++;
      }
    }
  }
  set_count(data->root, "unlisted", more);
}

static json_t * span_of(const vouch_profile_span_t * span)
{
  json_t * object = json_object();
  set(object, "begin", real_or_null(span->begin));
  set(object, "end", real_or_null(span->end));
  for (int side = 0; side < 2; side++) {
    json_t * one = json_object();
    if (span->pair[side] != VOUCH_NONE) {
      set(one, "found", real_or_null(span->found[side]));
      set(one, "at", real_or_null(span->at[side]));
      set_count(one, "pair", span->pair[side]);
    }
    set(one, "certified", vouch_page_certified(span->certified[side]));
    set(object, side == VOUCH_SIDE_WORLD ? "world" : "self", one);
  }
  return object;
}

vouch_ret_t vouch_page_add_pairs(vouch_page_data_t * data)
{
  const vouch_profile_t * profile = &data->profile;
  json_t * pairs = json_array(), * spans = json_array();
  for (size_t i = 0; i < profile->pair_count; i++) {
    json_array_append_new(pairs, pair_of(&profile->pairs[i], profile->span_count));
  }
  set_count(data->root, "checked", vouch_checker_pair_count(data->report->checker));
  add_others(data, pairs);
  for (size_t i = 0; i < profile->span_count; i++) {
    json_array_append_new(spans, span_of(&profile->spans[i]));
  }
  set(data->root, "pairs", pairs);
  set(data->root, "spans", spans);
  set_count(data->root, "leftAway", profile->left_away);
  set(data->root, "cutShort", json_boolean(profile->cut_short));
  return VOUCH_RET_OK;
}
