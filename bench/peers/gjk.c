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
/* Sampling with our own GJK: every checked pair of root hulls whose balls touch, warm-started. What a
 * careful engineer would write in a day, with the same GJK that our search uses. */

#include <math.h>
#include <stdlib.h>

#include "kernel/derived.h"
#include "peers/peer.h"
#include "search/gjk.h"
#include "world_inside.h"

typedef struct gjk_body_s
{
  const vouch_geometry_t * geometry;
  vec3_t center;   // of a ball around it
  double radius, inflation;
} gjk_body_t;

typedef struct gjk_peer_s
{
  const world_t * world;
  gjk_body_t * bodies;
  vec3_t * centers;
  vec3_t * guesses;   // per pair
  bool every;         // no look at balls first
} gjk_peer_t;

static void close_gjk(void * data)
{
  gjk_peer_t * self = data;
  free(self->bodies);
  free(self->centers);
  free(self->guesses);
  free(self);
}

static void * open_gjk(const world_t * world)
{
  gjk_peer_t * self = calloc(1, sizeof(*self));
  self->world = world;
  self->bodies = calloc(world->body_count, sizeof(*self->bodies));
  self->centers = calloc(world->body_count, sizeof(*self->centers));
  self->guesses = calloc(world->pair_count + 1u, sizeof(*self->guesses));
  const vouch_problem_t * problem = &world->inside->problem;
  for (uint32_t i = 0; i < world->body_count; i++) {
    gjk_body_t * body = &self->bodies[i];
    vouch_geometry_t * g = problem->geometry.geometries[problem->scene.bodies[i].geometry];
    if (kernel_derive(g, vouch_allocator_default()) != VOUCH_RET_OK) {
      close_gjk(self);
      return NULL;
    }
    const kernel_node_t * root = &kernel_derived(g)->nodes[0];
    body->geometry = g;
    body->center = root->center;
    body->radius = root->radius;
    body->inflation = root->epsilon;
  }
  for (uint32_t i = 0; i < world->pair_count; i++) {
    self->guesses[i] = vec3(1, 0, 0);
  }
  return self;
}

static void * open_every(const world_t * world)
{
  gjk_peer_t * self = open_gjk(world);
  if (self != NULL) {
    self->every = true;
  }
  return self;
}

static rigid_t rigid_of(const world_pose_t * pose)
{
  rigid_t out;
  for (int i = 0; i < 9; i++) {
    out.rotation.m[i] = pose->r[i];
  }
  out.translation = vec3_from(pose->t);
  return out;
}

static bool state_gjk(void * data, const world_pose_t * poses)
{
  gjk_peer_t * self = data;
  for (uint32_t i = 0; i < self->world->body_count; i++) {
    rigid_t pose = rigid_of(&poses[i]);
    self->centers[i] = rigid_apply(&pose, self->bodies[i].center);
  }
  for (uint32_t i = 0; i < self->world->pair_count; i++) {
    uint32_t a = self->world->pairs[i].a, b = self->world->pairs[i].b;
    vec3_t apart = vec3_sub(self->centers[b], self->centers[a]);
    double reach = self->bodies[a].radius + self->bodies[b].radius;
    if (!self->every && vec3_dot(apart, apart) > reach * reach) {
      continue;
    }
    search_shape_t shapes[2] = {
      {.geometry = self->bodies[a].geometry, .posed = true, .pose = rigid_of(&poses[a])},
      {.geometry = self->bodies[b].geometry, .posed = true, .pose = rigid_of(&poses[b])}
    };
    search_distance_t found = search_distance(&shapes[0], &shapes[1], self->guesses[i], 1e-3);
    self->guesses[i] = found.direction;
    if (found.overlap || !(found.upper > self->bodies[a].inflation + self->bodies[b].inflation)) {
      return true;
    }
  }
  return false;
}

const peer_t peer_gjk = {"own GJK, hulls", open_gjk, state_gjk, NULL, close_gjk,
  NULL};
const peer_t peer_gjk_every = {"own GJK, hulls, every pair", open_every, state_gjk, NULL, close_gjk,
  NULL};
