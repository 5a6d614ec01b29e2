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
/* A world as JSON, for peers that are driven from Python (peers/worlds.py reads it). Points and triangles go
 * into a file for each shape, which all worlds share. */

#include "world.h"

#include <stdio.h>

static void numbers(FILE * file, const char * name, const double * values, size_t count)
{
  fprintf(file, "\"%s\": [", name);
  for (size_t i = 0; i < count; i++) {
    fprintf(file, "%s%.17g", i == 0 ? "" : ", ", values[i]);
  }
  fprintf(file, "]");
}

static void indices(FILE * file, const char * name, uint32_t(*faces)[3], uint32_t count)
{
  fprintf(file, ",\n\"%s\": [", name);
  for (uint32_t i = 0; i < count; i++) {
    fprintf(
      file, "%s%u, %u, %u", i == 0 ? "" : ", ", (unsigned)faces[i][0], (unsigned)faces[i][1],
      (unsigned)faces[i][2]);
  }
  fprintf(file, "]");
}

static void pose(FILE * file, const char * name, const world_pose_t * value)
{
  fprintf(file, "\"%s\": {", name);
  numbers(file, "r", value->r, 9);
  fprintf(file, ", ");
  numbers(file, "t", value->t, 3);
  fprintf(file, "}");
}

static bool write_points(const world_shape_t * shape, const char * directory)
{
  char path[4096];
  snprintf(path, sizeof(path), "%s/%016llx.shape", directory, (unsigned long long)shape->key);
  FILE * file = fopen(path, "wx");
  if (file == NULL) {
    file = fopen(path, "r");   // another world has the same shape
    return file != NULL && fclose(file) == 0;
  }
  fprintf(file, "{");
  numbers(file, "points", shape->points == NULL ? NULL : shape->points[0], 3u * shape->point_count);
  indices(file, "triangles", shape->triangles, shape->triangle_count);
  fprintf(file, ",\n");
  numbers(file, "hull", shape->hull == NULL ? NULL : shape->hull[0], 3u * shape->hull_count);
  indices(file, "hull_faces", shape->hull_faces, shape->hull_face_count);
  fprintf(file, "}\n");
  return fclose(file) == 0;
}

static bool write_body(FILE * file, const world_t * world, uint32_t number, const char * directory)
{
  const world_body_t * body = &world->bodies[number];
  bool good = true;
  world_pose_t placement;
  uint32_t frame = world_body_frame(world, number, &placement);
  fprintf(
    file, "{\"moving\": %s, \"frame\": %u, ", body->moving ? "true" : "false",
    (unsigned)frame);
  pose(file, "placement", &placement);
  fprintf(file, ", \"shapes\": [");
  for (uint32_t k = 0; k < body->shape_count; k++) {
    const world_shape_t * shape = &body->shapes[k];
    fprintf(
      file, "%s{\"kind\": %d, \"key\": \"%016llx\", ", k == 0 ? "" : ", ", (int)shape->kind,
      (unsigned long long)shape->key);
    numbers(file, "size", shape->size, 3);
    fprintf(file, ", ");
    pose(file, "pose", &shape->pose);
    fprintf(file, "}");
    if (shape->kind == WORLD_CONVEX || shape->kind == WORLD_MESH) {
      good = write_points(shape, directory) && good;
    }
  }
  fprintf(file, "]}");
  return good;
}

static void write_frames(FILE * file, const world_t * world)
{
  for (uint32_t i = 0; i < world_frame_count(world); i++) {
    const world_frame_t frame = world_frame(world, i);
    fprintf(
      file, "%s\n{\"parent\": %u, \"joint\": %d, ", i == 0 ? "" : ",", (unsigned)frame.parent,
      frame.joint);
    numbers(file, "axis", frame.axis, 3);
    fprintf(file, ", ");
    pose(file, "pose", &frame.pose);
    fprintf(file, ", \"values\": [");   // at every waypoint
    for (uint32_t knot = 0; frame.joint != 0 && knot <= world->segment_count; knot++) {
      fprintf(
        file, "%s%.17g", knot == 0 ? "" : ", ",
        frame.multiplier * world_waypoint(world, knot, frame.variable) + frame.offset);
    }
    fprintf(file, "]}");
  }
}

bool world_write(const world_t * world, const char * directory, const world_title_t * title)
{
  if (!world_is_linear(world)) {
    return false;
  }
  char path[4096];
  snprintf(
    path, sizeof(path), "%s/%s %05zu.world", directory, title->experiment, title->number);
  FILE * file = fopen(path, "w");
  if (file == NULL) {
    return false;
  }
  bool good = true;
  fprintf(
    file, "{\"experiment\": \"%s\", \"case\": \"%s\", \"truth\": \"%s\", \"segments\": %u,\n",
    title->experiment, title->name, title->truth, (unsigned)world->segment_count);
  fprintf(file, "\"frames\": [");
  write_frames(file, world);
  fprintf(file, "],\n\"bodies\": [");
  for (uint32_t i = 0; i < world->body_count; i++) {
    fprintf(file, "%s\n", i == 0 ? "" : ",");
    good = write_body(file, world, i, directory) && good;
  }
  fprintf(file, "],\n\"pairs\": [");
  for (uint32_t i = 0; i < world->pair_count; i++) {
    fprintf(
      file, "%s[%u, %u]", i == 0 ? "" : ", ", (unsigned)world->pairs[i].a,
      (unsigned)world->pairs[i].b);
  }
  fprintf(file, "]}\n");
  return fclose(file) == 0 && good;
}
