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

/* The vertex-face and edge-edge queries of Wang, Ferguson, Schneider, Jiang, Attene and Panozzo
 * (2021), "A Large-Scale Benchmark and an Inclusion-Based Algorithm for Continuous Collision
 * Detection", whose truth was found in exact arithmetic.
 *
 * Each vertex of a query moves on a straight line of its own. How a query becomes a motion of two
 * rigid bodies:
 *   - the vertices of each body move alike (a translation): one body rests, the other moves on
 *     three slides along x, y and z by the difference of the two translations. This is the query
 *     itself.
 *   - otherwise a body is deformed while it moves. Time is cut into 16 parts; in each part the body
 *     has the shape of the part's beginning and moves with the mean of its vertices, and the
 *     farthest that a vertex deviates from that is asked for as margin. FREE for all parts implies
 *     that the deformed bodies do not meet; nothing is said when a part is not FREE.
 * A contact of points, edges and faces is never shown: they have no inside. */

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/cell.h"
#include "support/data.h"
#include "support/sanitized.h"

#define PARTS 16

/* Sanitizers are slow: every n-th query only. */
#define EVERY (TEST_SANITIZED ? 20 : 1)

typedef struct query_s
{
  double p[2][4][3];   // at the two ends
  int split;           // vertices 0 .. split - 1 are the first body
  bool collides;
} query_t;

typedef struct tally_s
{
  size_t rigid, rigid_colliding, rigid_free, rigid_shown;
  size_t deformed, deformed_colliding, deformed_free, wrong;
} tally_t;

static const char SLIDES[] =
  "<robot name='slides'><link name='base'/><link name='lx'/><link name='ly'/><link name='lz'/>"
  "<joint name='x' type='prismatic'><parent link='base'/><child link='lx'/><axis xyz='1 0 0'/>"
  "<limit lower='-99' upper='99' effort='1' velocity='1'/></joint>"
  "<joint name='y' type='prismatic'><parent link='lx'/><child link='ly'/><axis xyz='0 1 0'/>"
  "<limit lower='-99' upper='99' effort='1' velocity='1'/></joint>"
  "<joint name='z' type='prismatic'><parent link='ly'/><child link='lz'/><axis xyz='0 0 1'/>"
  "<limit lower='-99' upper='99' effort='1' velocity='1'/></joint></robot>";

/// Mean displacement of a body's vertices between two times, and how far a vertex deviates from it.
static double mean_motion(
  const double from[][3], const double to[][3], int count, double mean[3])
{
  double most = 0.0;
  for (int k = 0; k < 3; k++) {
    mean[k] = 0.0;
    for (int i = 0; i < count; i++) {
      mean[k] += (to[i][k] - from[i][k]) / count;
    }
  }
  for (int i = 0; i < count; i++) {
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
      double d = to[i][k] - from[i][k] - mean[k];
      square += d * d;
    }
    most = fmax(most, sqrt(square));
  }
  return most;
}

static vouch_verdict_t check_part(
  cell_t * cell, const query_t * q, const double from[4][3], const double to[4][3], bool rigid)
{
  double a[3], b[3], path[2][3] = {{0}};
  int rest = 4 - q->split;
  double deviation = mean_motion(from, to, q->split, a) + mean_motion(
    from + q->split,
    to + q->split, rest, b);
  for (int k = 0; k < 3; k++) {
    path[1][k] = a[k] - b[k];
  }
  vouch_shape_t first = {.kind = VOUCH_SHAPE_CONVEX, .points = from,
    .point_count = (size_t)q->split};
  vouch_shape_t second = {.kind = VOUCH_SHAPE_CONVEX, .points = from + q->split,
    .point_count = (size_t)rest};
  cell_clear(cell);
  cell_hold(cell, "first", "lz", first, cell_at(0, 0, 0));
  cell_add(cell, "second", second, cell_at(0, 0, 0));
  cell_path(cell, path[0], 2);
  vouch_check_options_t options = cell_options();
  options.first_contact = false;
  options.max_memory = (size_t)1 << 18;
  options.margin_m = rigid ? 0.0 : deviation * (1.0 + 1e-9) + 1e-12;
  return cell_check(cell, &options).verdict;
}

static bool is_rigid(const query_t * q)
{
  for (int i = 0; i < 4; i++) {
    int first = i < q->split ? 0 : q->split;
    for (int k = 0; k < 3; k++) {
      double x = q->p[1][i][k] - q->p[0][i][k], y = q->p[1][first][k] - q->p[0][first][k];
      if (x != y) {
        return false;
      }
    }
  }
  return true;
}

static void at_time(const query_t * q, double s, double out[4][3])
{
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) {
      out[i][k] = (1.0 - s) * q->p[0][i][k] + s * q->p[1][i][k];
    }
  }
}

static void judge(
  cell_t * cell, const query_t * q, const char * file, size_t number,
  tally_t * tally)
{
  bool rigid = is_rigid(q), is_free = true;
  vouch_verdict_t verdict = VOUCH_FREE;
  int parts = rigid ? 1 : PARTS;
  for (int i = 0; i < parts && is_free; i++) {
    double from[4][3], to[4][3];
    at_time(q, (double)i / parts, from);
    at_time(q, (double)(i + 1) / parts, to);
    verdict = check_part(cell, q, (const double(*)[3])from, (const double(*)[3])to, rigid);
    is_free = verdict == VOUCH_FREE;
  }
  *(rigid ? &tally->rigid : &tally->deformed) += 1;
  *(rigid ? &tally->rigid_colliding : &tally->deformed_colliding) += q->collides;
  *(rigid ? &tally->rigid_free : &tally->deformed_free) += is_free && !q->collides;
  tally->rigid_shown += rigid && q->collides && verdict == VOUCH_COLLISION;
  if ((q->collides && is_free) || (rigid && !q->collides && verdict == VOUCH_COLLISION)) {
    tally->wrong++;
    fprintf(stderr, "WRONG: %s, query %zu: %s\n", file, number, vouch_verdict_name(verdict));
  }
}

/// Numerators and denominators of up to a few hundred bits.
static double quotient_of(const char * numerator, const char * denominator)
{
  return (double)(strtold(numerator, NULL) / strtold(denominator, NULL));
}

static bool read_query(FILE * file, query_t * q)
{
  char line[8192];
  for (int i = 0; i < 8; i++) {
    char * fields[7], * rest = line;
    if (fgets(line, sizeof(line), file) == NULL) {
      return false;
    }
    for (int k = 0; k < 7; k++) {
      fields[k] = strtok(rest, ",\n");
      rest = NULL;
      if (fields[k] == NULL) {
        return false;
      }
    }
    for (int k = 0; k < 3; k++) {
      q->p[i / 4][i % 4][k] = quotient_of(fields[2 * k], fields[2 * k + 1]);
    }
    q->collides = atoi(fields[6]) != 0;
  }
  return true;
}

static void run_file(cell_t * cell, const char * path, int split, tally_t * tally)
{
  FILE * file = fopen(path, "r");
  query_t q = {.split = split};
  for (size_t number = 0; file != NULL && read_query(file, &q); number++) {
    if (number % EVERY == 0) {
      judge(cell, &q, path, number, tally);
    }
  }
  if (file != NULL) {
    fclose(file);
  }
}

static void run_kind(const char * kind, int split, tally_t * tally)
{
  char path[2048], folder[1536], root[1024];
  if (test_data_path("ccd_sample_queries/README_upstream.md", root, sizeof(root)) == NULL) {
    skip();
  }
  *strrchr(root, '/') = 0;
  cell_t cell = cell_open(SLIDES, NULL);
  struct dirent ** groups;
  int count = scandir(root, &groups, NULL, alphasort);
  assert_true(count > 0);
  for (int i = 0; i < count; i++) {
    struct dirent ** files;
    snprintf(folder, sizeof(folder), "%s/%s/%s", root, groups[i]->d_name, kind);
    int number = groups[i]->d_name[0] == '.' ? -1 : scandir(folder, &files, NULL, alphasort);
    for (int k = 0; k < number; k++) {
      if (strstr(files[k]->d_name, ".csv") != NULL) {
        snprintf(path, sizeof(path), "%s/%s", folder, files[k]->d_name);
        run_file(&cell, path, split, tally);
      }
      free(files[k]);
    }
    if (number >= 0) {
      free(files);
    }
    free(groups[i]);
  }
  free(groups);
  cell_close(&cell);
  printf(
    "%s: %zu translations, %zu colliding (%zu shown, none FREE), %zu of %zu others FREE; %zu "
    "deformed, %zu colliding (none FREE), %zu of %zu others FREE\n", kind, tally->rigid,
    tally->rigid_colliding, tally->rigid_shown, tally->rigid_free,
    tally->rigid - tally->rigid_colliding, tally->deformed, tally->deformed_colliding,
    tally->deformed_free,
    tally->deformed - tally->deformed_colliding);
}

static void no_colliding_vertex_and_face_are_free(void ** state)
{
  (void)state;
  tally_t tally = {0};
  run_kind("vertex-face", 1, &tally);
  assert_int_equal(tally.wrong, 0);
  assert_true(tally.rigid > 0 && tally.rigid_colliding > 0 && tally.rigid_free > 0);
}

static void no_colliding_edges_are_free(void ** state)
{
  (void)state;
  tally_t tally = {0};
  run_kind("edge-edge", 2, &tally);
  assert_int_equal(tally.wrong, 0);
  assert_true(tally.rigid > 0 && tally.deformed_free > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_colliding_vertex_and_face_are_free),
    cmocka_unit_test(no_colliding_edges_are_free),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
