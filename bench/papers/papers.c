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

/* One program for all tables: papers DATA RESULTS writes RESULTS/report.md and the pictures. */

#include "papers.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Processor time: the tables must not depend on what else the machine does. */
double papers_now_s(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

const char * papers_path(const char * folder, const char * name, char out[512])
{
  if (snprintf(out, 512, "%s/%s", folder, name) >= 512) {
    fprintf(stderr, "papers: the path %s/%s is too long\n", folder, name);
    exit(3);
  }
  return out;
}

void papers_require(vouch_ret_t ret)
{
  if (ret != VOUCH_RET_OK) {
    fprintf(stderr, "papers: %s\n", vouch_error());
    exit(3);
  }
}

typedef struct listing_s
{
  const fat_face_t * face;
  const metric_t * metric;
  const flat_face_t * fixed;
  double epsilon, rho;
  bool first;
  listing_result_t result;
} listing_t;

/// The piece is used up: its right half takes its place, its left half the next one.
static void collision(listing_t * l, motion_piece_t * piece)
{
  motion_ball_t ball = motion_ball(piece, l->metric, VOUCH_BALL_MIDPOINT, INFINITY);
  if (l->first && l->result.open) {
    return;
  }
  l->result.depth = piece->level > l->result.depth ? piece->level : l->result.depth;
  if (ball.radius * l->rho < l->epsilon || piece->level >= RIGID_MAX_LEVEL) {
    l->result.open = true;
    return;
  }
  l->result.tests++;
  if (!fat_features_apart(l->face, l->fixed, &ball, 1e-11, NULL)) {
    motion_piece_split(piece, piece + 1, piece);
    collision(l, piece + 1);
    collision(l, piece);
  }
}

listing_result_t papers_listing_1(
  const fat_face_t * face, const metric_t * metric, const flat_face_t * fixed,
  const vouch_rigid_motion_t * motion, double epsilon, bool first)
{
  listing_t l =
  {.face = face, .metric = metric, .fixed = fixed, .epsilon = epsilon, .first = first};
  motion_room_t room;
  double begin = papers_now_s();
  for (int k = 0; k < face->count; k++) {
    l.rho = fmax(l.rho, face->rho[k]);
  }
  if (motion_room_init(
      &room, &motion->allocator, &motion->segments[0], RIGID_MAX_LEVEL + 2) != VOUCH_RET_OK)
  {
    l.result.open = true;
    return l.result;
  }
  motion_piece_init(&room.pieces[0], &motion->segments[0]);
  collision(&l, &room.pieces[0]);
  motion_room_fini(&room);
  l.result.seconds = papers_now_s() - begin;
  return l.result;
}

static void read_polygon(const json_t * array, vec3_t out[FAT_MAX_CORNERS], int * count)
{
  *count = (int)json_array_size(array);
  for (int k = 0; k < *count && k < FAT_MAX_CORNERS; k++) {
    const json_t * p = json_array_get(array, (size_t)k);
    out[k] = vec3(
      json_number_value(json_array_get(p, 0)), json_number_value(json_array_get(p, 1)),
      json_number_value(json_array_get(p, 2)));
  }
}

/* Section 7.1 of the second paper. */
int papers_octagons(const char * data, FILE * report)
{
  static const char * const files[2] = {"octagons_free.json", "octagons_collision.json"};
  static const char * const paper[2] = {
    "depth 8, 173 tests, 0.1427 s", "depth 8, 9 tests, 0.0075 s"
  };
  char path[512];
  json_error_t error;
  json_t * root = json_load_file(papers_path(data, "octagons.json", path), 0, &error);
  vec3_t moving[FAT_MAX_CORNERS + 1];
  flat_face_t fixed;
  int count;
  if (root == NULL) {
    fprintf(stderr, "papers: %s: %s\n", path, error.text);
    return 3;
  }
  read_polygon(json_object_get(root, "moving"), moving, &count);
  read_polygon(json_object_get(root, "fixed"), fixed.y, &fixed.count);
  json_decref(root);
  /* Masses as in the paper: the vertices, and a point a little above the barycentre. */
  moving[count] = vec3(0.0, 0.0, 0.05);
  metric_t metric;
  if (!metric_from_points(&metric, moving, NULL, (size_t)count + 1)) {
    return 4;
  }
  fat_face_t face;
  fat_face_init(&face, &metric, moving, count);
  fprintf(
    report, "## Two octagons (section 7.1)\n\n| motion | paper | ours: depth | tests | seconds | result |\n"
    "|---|---|---|---|---|---|\n");
  for (int i = 0; i < 2; i++) {
    vouch_rigid_motion_t * motion = NULL;
    papers_require(
      vouch_rigid_motion_load(
        &motion, vouch_allocator_default(), papers_path(data, files[i], path)));
    listing_result_t best = {.seconds = INFINITY};
    for (int repeat = 0; repeat < 20; repeat++) {
      listing_result_t r = papers_listing_1(&face, &metric, &fixed, motion, 0.02, i == 1);
      best = r.seconds < best.seconds ? r : best;
    }
    fprintf(
      report, "| %s | %s | %u | %llu | %.6f | %s |\n",
      i == 0 ? "without collision" : "with collision",
      paper[i], best.depth, (unsigned long long)best.tests, best.seconds,
      best.open ? "not excluded" : "excluded");
    vouch_rigid_motion_destroy(motion);
  }
  fprintf(report, "\n");
  return 0;
}

int main(int argc, char ** argv)
{
  char path[512];
  if (argc != 3) {
    fprintf(stderr, "Usage: papers DATA RESULTS (bench/papers/run calls it)\n");
    return 3;
  }
  FILE * report = fopen(papers_path(argv[2], "report.md", path), "w");
  if (report == NULL) {
    fprintf(stderr, "papers: %s cannot be written\n", path);
    return 3;
  }
  fprintf(
    report, "# The papers' tables, measured here\n\nThe papers do not print their polygons and motions; ours "
    "are of the same kind and are in `bench/papers/data`. The papers' times are from a Core 2 Duo at 3 GHz "
    "(2014) and an unnamed computer (2003).\n\n");
  int code = papers_octagons(argv[1], report);
  code = code != 0 ? code : papers_squares(argv[1], argv[2], report);
  code = code != 0 ? code : papers_screws(argv[1], report);
  if (fclose(report) != 0) {
    code = 4;
  }
  printf("%s\n", path);
  return code;
}
