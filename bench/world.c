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
#include "world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libqhull_r/qhull_ra.h>

#include "kernel/timeline.h"
#include "model/problem.h"
#include "vouch/types.h"
#include "world_inside.h"

static world_pose_t plain(const rigid_t * pose)
{
  world_pose_t out;
  memcpy(out.r, pose->rotation.m, sizeof(out.r));
  vec3_store(pose->translation, out.t);
  return out;
}

static uint64_t mix(uint64_t hash, const void * data, size_t size)
{
  const uint8_t * bytes = data;
  for (size_t i = 0; i < size; i++) {
    hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
  }
  return hash;
}

/// Facets of the hull, outward; the shape keeps no hull when the points are flat.
static void make_hull(world_shape_t * shape, double(*points)[3], uint32_t count)
{
  qhT storage, * qh = &storage;
  char options[] = "qhull Qt Pp";
  FILE * quiet = fopen("/dev/null", "w");
  qh_zero(qh, quiet);
  if (count >= 4 && qh_new_qhull(qh, 3, (int)count, points[0], 0, options, NULL, quiet) == 0) {
    uint32_t * place = malloc(count * sizeof(*place));
    memset(place, 0xff, count * sizeof(*place));
    shape->hull = calloc((size_t)qh->num_vertices, sizeof(*shape->hull));
    shape->hull_faces = calloc((size_t)qh->num_facets, sizeof(*shape->hull_faces));
    facetT * facet;
    vertexT * vertex, ** vertexp;
    FORALLfacets {
      int corner = 0;
      uint32_t * face = shape->hull_faces[shape->hull_face_count];
      FOREACHvertex_(facet->vertices) {
        uint32_t at = (uint32_t)qh_pointid(qh, vertex->point);
        if (place[at] == UINT32_MAX) {
          memcpy(shape->hull[shape->hull_count], points[at], sizeof(points[at]));
          place[at] = shape->hull_count++;
        }
        if (corner < 3) {
          face[corner++] = place[at];
        }
      }
      vec3_t p[3];
      for (int k = 0; k < 3; k++) {
        p[k] = vec3_from(shape->hull[face[k]]);
      }
      vec3_t normal = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
      if (vec3_dot(normal, vec3_from(facet->normal)) < 0.0) {
        uint32_t swap = face[1];
        face[1] = face[2];
        face[2] = swap;
      }
      shape->hull_face_count++;
    }
    free(place);
  }
  int current, total;
  qh_freeqhull(qh, 0);
  qh_memfreeshort(qh, &current, &total);
  fclose(quiet);
}

/// Eight points that are the corners of a box?
static bool recognise_box(world_shape_t * shape)
{
  if (shape->point_count != 8) {
    return false;
  }
  vec3_t p[8], edges[3], center = vec3(0, 0, 0);
  for (int i = 0; i < 8; i++) {
    p[i] = vec3_from(shape->points[i]);
    center = vec3_add(center, vec3_scale(p[i], 0.125));
  }
  double scale = vec3_norm(vec3_sub(p[0], center));
  for (int i = 1; i < 8; i++) {
    for (int j = i + 1; j < 8; j++) {
      for (int k = j + 1; k < 8; k++) {
        edges[0] = vec3_sub(p[i], p[0]);
        edges[1] = vec3_sub(p[j], p[0]);
        edges[2] = vec3_sub(p[k], p[0]);
        vec3_t far = vec3_add(p[0], vec3_add(edges[0], vec3_add(edges[1], edges[2])));
        vec3_t opposite = vec3_sub(vec3_scale(center, 2.0), p[0]);
        double lengths[3];
        double skew = 0.0;
        for (int e = 0; e < 3; e++) {
          lengths[e] = vec3_norm(edges[e]);
          skew += fabs(vec3_dot(edges[e], edges[(e + 1) % 3]));
        }
        if (skew > 1e-9 * scale * scale || vec3_norm(vec3_sub(far, opposite)) > 1e-9 * scale ||
          !(lengths[0] > 0.0 && lengths[1] > 0.0 && lengths[2] > 0.0))
        {
          continue;
        }
        if (vec3_dot(vec3_cross(edges[0], edges[1]), edges[2]) < 0.0) {
          edges[2] = vec3_neg(edges[2]);
        }
        for (int e = 0; e < 3; e++) {
          shape->size[e] = lengths[e];
          shape->pose.r[e] = edges[e].x / lengths[e];
          shape->pose.r[3 + e] = edges[e].y / lengths[e];
          shape->pose.r[6 + e] = edges[e].z / lengths[e];
        }
        vec3_store(center, shape->pose.t);
        shape->kind = WORLD_BOX;
        return true;
      }
    }
  }
  return false;
}

/// False: other libraries have no such shape.
static bool convex_shape(world_shape_t * shape, const vouch_geometry_t * g, uint32_t number)
{
  const vouch_primitive_t * p = &g->primitives[number];
  const vouch_curved_t look = vouch_primitive_look(g, number);
  static const struct {vouch_look_t look; world_kind_t kind; double halves;} known[] = {
    {VOUCH_LOOK_SPHERE, WORLD_SPHERE, 1.0}, {VOUCH_LOOK_CAPSULE, WORLD_CAPSULE, 2.0},
    {VOUCH_LOOK_CYLINDER, WORLD_CYLINDER, 2.0}, {VOUCH_LOOK_CONE, WORLD_CONE, 2.0},
    {VOUCH_LOOK_ELLIPSOID, WORLD_ELLIPSOID, 1.0}
  };
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
    if (known[i].look == look.look) {
      rigid_t pose = rigid_from_pose(&look.pose);
      shape->kind = known[i].kind;
      shape->pose = plain(&pose);
      memcpy(shape->size, look.size, sizeof(shape->size));
      shape->size[1] *= known[i].halves;
      return true;
    }
  }
  if (look.look != VOUCH_LOOK_POINTS || look.size[0] > 0.0) {
    return false;
  }
  shape->points = calloc(p->count, sizeof(*shape->points));
  shape->point_count = p->count;
  for (uint32_t i = 0; i < p->count; i++) {
    memcpy(shape->points[i], g->vertices[g->indices[p->first + i]], sizeof(*shape->points));
  }
  if (!recognise_box(shape)) {
    shape->kind = WORLD_CONVEX;
    make_hull(shape, shape->points, shape->point_count);
  }
  return true;
}

static void mesh_shape(world_shape_t * shape, const vouch_geometry_t * g, uint32_t triangles)
{
  shape->kind = WORLD_MESH;
  shape->points = calloc(g->vertex_count, sizeof(*shape->points));
  memcpy(shape->points, g->vertices, g->vertex_count * sizeof(*shape->points));
  shape->point_count = g->vertex_count;
  shape->triangles = calloc(triangles, sizeof(*shape->triangles));
  uint8_t * used = calloc(g->vertex_count, 1);
  for (uint32_t i = 0; i < g->primitive_count; i++) {
    if (g->primitives[i].kind == VOUCH_PRIMITIVE_TRIANGLE) {
      memcpy(
        shape->triangles[shape->triangle_count++], g->indices + g->primitives[i].first,
        sizeof(*shape->triangles));
      for (int k = 0; k < 3; k++) {
        used[g->indices[g->primitives[i].first + (uint32_t)k]] = 1;
      }
    }
  }
  double(*some)[3] = calloc(g->vertex_count, sizeof(*some));
  uint32_t count = 0;
  for (uint32_t i = 0; i < g->vertex_count; i++) {
    if (used[i]) {
      memcpy(some[count++], g->vertices[i], sizeof(*some));
    }
  }
  make_hull(shape, some, count);
  free(some);
  free(used);
}

static bool make_body(world_t * world, uint32_t number)
{
  const vouch_problem_t * problem = &world->inside->problem;
  const vouch_body_t * from = &problem->scene.bodies[number];
  world_body_t * body = &world->bodies[number];
  body->name = from->name;
  for (uint32_t f = from->frame; f != 0; f = problem->scene.frames[f].parent) {
    body->moving |= problem->scene.frames[f].joint != VOUCH_JOINT_FIXED;
  }
  if (from->kind != VOUCH_BODY_GEOMETRY) {
    fprintf(stderr, "bench: %s is a plane; peers are not given planes\n", from->name);
    return false;
  }
  const vouch_geometry_t * g = problem->geometry.geometries[from->geometry];
  body->shapes = calloc(g->primitive_count, sizeof(*body->shapes));
  uint32_t triangles = 0;
  for (uint32_t i = 0; i < g->primitive_count; i++) {
    const vouch_primitive_t * p = &g->primitives[i];
    if (p->kind == VOUCH_PRIMITIVE_TRIANGLE) {
      triangles++;
      continue;
    }
    world_shape_t * shape = &body->shapes[body->shape_count++];
    rigid_t identity = rigid_identity();
    shape->pose = plain(&identity);
    if (!convex_shape(shape, g, i)) {
      fprintf(stderr, "bench: %s has a rounded hull; peers have none\n", from->name);
      return false;
    }
  }
  if (triangles > 0) {
    world_shape_t * shape = &body->shapes[body->shape_count++];
    rigid_t identity = rigid_identity();
    shape->pose = plain(&identity);
    mesh_shape(shape, g, triangles);
  }
  for (uint32_t i = 0; i < body->shape_count; i++) {
    world_shape_t * shape = &body->shapes[i];
    shape->key = mix(UINT64_C(14695981039346656037), &shape->kind, sizeof(shape->kind));
    shape->key = mix(shape->key, shape->size, sizeof(shape->size));
    shape->key = mix(shape->key, shape->points, shape->point_count * sizeof(*shape->points));
    shape->key = mix(
      shape->key, shape->triangles, shape->triangle_count * sizeof(*shape->triangles));
  }
  return true;
}

static void add_pair(world_t * world, uint32_t a, uint32_t b)
{
  if (!world->bodies[a].moving && !world->bodies[b].moving) {
    return;
  }
  if (!world->checked[a * world->body_count + b]) {
    bool swap = !world->bodies[a].moving;
    world->pairs[world->pair_count++] = (world_pair_t) {swap ? b : a, swap ? a : b};
    world->checked[a * world->body_count + b] = world->checked[b * world->body_count + a] = true;
  }
}

static void make_pairs(world_t * world)
{
  const vouch_scene_part_t * scene = &world->inside->problem.scene;
  size_t count = (size_t)world->body_count * world->body_count;
  world->checked = calloc(count, sizeof(bool));
  world->pairs = calloc(count, sizeof(world_pair_t));
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    const vouch_pair_t * pair = &scene->pairs[i];
    if (pair->a >= scene->body_count) {
      continue;   // its bodies have pairs of their own
    }
    if (pair->kind != VOUCH_PAIR_GROUP) {
      add_pair(world, pair->a, pair->b);
      continue;
    }
    for (uint32_t k = 0; k < scene->group_count; k++) {
      if (scene->groups[k].body != VOUCH_NONE && pair->checked[k]) {
        add_pair(world, pair->a, scene->groups[k].body);
      }
    }
  }
}

bool world_open(world_t * world, const void * data, size_t size)
{
  memset(world, 0, sizeof(*world));
  world->inside = calloc(1, sizeof(*world->inside));
  vouch_problem_t * problem = &world->inside->problem;
  vouch_allocator_t allocator = vouch_allocator_default();
  if (vouch_problem_decode(problem, allocator, data, size) != VOUCH_RET_OK ||
    kernel_timeline_init(&world->inside->timeline, problem, allocator, 1u << 20) !=
    VOUCH_RET_OK || kernel_timeline_set_motion(&world->inside->timeline) != VOUCH_RET_OK)
  {
    fprintf(stderr, "bench: %s\n", vouch_error());
    free(world->inside);
    world->inside = NULL;
    return false;
  }
  world->segment_count = problem->motion.segment_count;
  world->body_count = problem->scene.body_count;
  world->bodies = calloc(world->body_count, sizeof(*world->bodies));
  world->inside->frames = calloc(problem->scene.frame_count, sizeof(rigid_t));
  world->inside->placements = calloc(world->body_count, sizeof(rigid_t));
  for (uint32_t i = 0; i < world->body_count; i++) {
    world->inside->placements[i] = rigid_from_pose(&problem->scene.bodies[i].placement);
    if (!make_body(world, i)) {
      world_close(world);
      return false;
    }
  }
  make_pairs(world);
  return true;
}

void world_close(world_t * world)
{
  for (uint32_t i = 0; i < world->body_count; i++) {
    for (uint32_t k = 0; k < world->bodies[i].shape_count; k++) {
      world_shape_t * shape = &world->bodies[i].shapes[k];
      free(shape->points);
      free(shape->triangles);
      free(shape->hull);
      free(shape->hull_faces);
    }
    free(world->bodies[i].shapes);
  }
  free(world->bodies);
  free(world->pairs);
  free(world->checked);
  if (world->inside != NULL) {
    free(world->inside->frames);
    free(world->inside->placements);
    kernel_timeline_fini(&world->inside->timeline);
    vouch_problem_fini(&world->inside->problem);
    free(world->inside);
  }
  memset(world, 0, sizeof(*world));
}

void world_poses(const world_t * world, uint32_t segment, double fraction, world_pose_t * poses)
{
  world_inside_t * inside = world->inside;
  kernel_timeline_evaluate(&inside->timeline, segment, fraction, inside->frames);
  for (uint32_t i = 0; i < world->body_count; i++) {
    rigid_t pose = rigid_mul(
      &inside->frames[inside->problem.scene.bodies[i].frame], &inside->placements[i]);
    poses[i] = plain(&pose);
  }
}

uint32_t world_steps(const world_t * world, uint32_t segment, double step)
{
  const vouch_motion_part_t * motion = &world->inside->problem.motion;
  uint32_t degree = motion->degrees[segment];
  double most = 0.0;
  for (uint32_t v = 0; v < motion->variable_count; v++) {
    const double * c = motion->coefficients + motion->offsets[segment] + v * (degree + 1);
    double sum = 0.0;
    for (uint32_t i = 0; i < degree; i++) {
      sum += fabs(c[i + 1] - c[i]);
    }
    most = fmax(most, sum);
  }
  return most > step ? (uint32_t)ceil(most / step) : 1u;
}

double world_seconds(const world_t * world, uint32_t segment)
{
  const double * seconds = world->inside->problem.motion.seconds;
  return seconds[segment + 1] - seconds[segment];
}

uint32_t world_frame_count(const world_t * world)
{
  return world->inside->problem.scene.frame_count;
}

/// Between the least and the largest coefficient are all values of a variable.
static void find_range(
  const vouch_motion_part_t * motion, uint32_t variable, double * low, double * high)
{
  *low = INFINITY;
  *high = -INFINITY;
  for (uint32_t k = 0; k < motion->segment_count; k++) {
    uint32_t size = motion->degrees[k] + 1u;
    const double * b = motion->coefficients + motion->offsets[k] + variable * size;
    for (uint32_t i = 0; i < size; i++) {
      *low = fmin(*low, b[i]);
      *high = fmax(*high, b[i]);
    }
  }
}

world_frame_t world_frame(const world_t * world, uint32_t number)
{
  const kernel_timeline_t * timeline = &world->inside->timeline;
  const vouch_frame_t * frame = &world->inside->problem.scene.frames[number];
  rigid_t pose = rigid_from_pose(&frame->pose);
  world_frame_t out = {.parent = frame->parent, .joint = frame->joint, .pose = plain(&pose),
    .variable = frame->variable, .multiplier = frame->multiplier, .offset = frame->offset};
  vec3_store(timeline->frame_axis[number], out.axis);
  if (frame->joint != VOUCH_JOINT_FIXED) {
    find_range(&world->inside->problem.motion, frame->variable, &out.low, &out.high);
  }
  return out;
}

uint32_t world_body_frame(const world_t * world, uint32_t body, world_pose_t * placement)
{
  *placement = plain(&world->inside->placements[body]);
  return world->inside->problem.scene.bodies[body].frame;
}

bool world_is_linear(const world_t * world)
{
  for (uint32_t i = 0; i < world->segment_count; i++) {
    if (world->inside->problem.motion.degrees[i] > 1) {
      return false;
    }
  }
  return true;
}

double world_waypoint(const world_t * world, uint32_t knot, uint32_t variable)
{
  const vouch_motion_part_t * motion = &world->inside->problem.motion;
  uint32_t segment = knot < world->segment_count ? knot : world->segment_count - 1;
  uint32_t degree = motion->degrees[segment];
  const double * c = motion->coefficients + motion->offsets[segment] + variable * (degree + 1);
  return c[knot == segment ? 0 : degree];
}
