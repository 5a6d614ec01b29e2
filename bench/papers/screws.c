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

/* Kim and Rossignac, section 5: two polyhedra, 1,000 random screws. */

#include <stdlib.h>
#include <string.h>

#include "methods/screw_cylinder.h"
#include "papers.h"

typedef struct rates_s
{
  uint64_t vertex_pairs, vertex_rejected, edge_pairs, edge_rejected;
} rates_t;

static cylinder_t bound(
  const vouch_rigid_body_t * body, const rigid_t * start, const cylinder_frame_t * frame,
  uint32_t triangle, int feature)
{
  cylinder_point_t p[3];
  int count = feature < 3 ? 1 : (feature < 6 ? 2 : 3), first = feature < 6 ? feature % 3 : 0;
  for (int k = 0; k < count; k++) {
    vec3_t v = body_vertex(body, triangle, (first + k) % 3);
    p[k] = cylinder_point(frame, start == NULL ? v : rigid_apply(start, v));
  }
  return cylinder_of(frame, p, count);
}

/// All vertex-triangle and edge-edge pairs of one motion: how many the windows reject.
static void count_rejections(
  const vouch_rigid_body_t * a, const vouch_rigid_body_t * b, const rigid_segment_t * s,
  rates_t * rates)
{
  cylinder_frame_t frame = cylinder_frame(vec3_from(s->screw.point), s->axis, 100.0);
  const vouch_rigid_body_t * bodies[2] = {a, b};
  static cylinder_t vertex[2][128], edge[2][512], face[2][256];
  size_t counts[2][3] = {{0}};
  for (int k = 0; k < 2; k++) {
    const rigid_t * start = k == 0 ? &s->start : NULL;
    for (uint32_t t = 0; t < bodies[k]->mesh.triangle_count; t++) {
      face[k][counts[k][2]++] = bound(bodies[k], start, &frame, t, 6);
      for (int f = 0; f < 6; f++) {
        if ((bodies[k]->owned[t] >> f & 1) != 0) {
          cylinder_t c = bound(bodies[k], start, &frame, t, f);
          if (f < 3) {
            vertex[k][counts[k][0]++] = c;
          } else {
            edge[k][counts[k][1]++] = c;
          }
        }
      }
    }
  }
  interval_t window;
  double angle = s->screw.angle, travel = s->screw.travel;
  for (size_t i = 0; i < counts[0][0]; i++) {
    for (size_t j = 0; j < counts[1][2]; j++) {
      rates->vertex_pairs++;
      rates->vertex_rejected +=
        !cylinder_window(&vertex[0][i], &face[1][j], angle, travel, &window);
    }
  }
  for (size_t i = 0; i < counts[0][2]; i++) {
    for (size_t j = 0; j < counts[1][0]; j++) {
      rates->vertex_pairs++;
      rates->vertex_rejected +=
        !cylinder_window(&face[0][i], &vertex[1][j], angle, travel, &window);
    }
  }
  for (size_t i = 0; i < counts[0][1]; i++) {
    for (size_t j = 0; j < counts[1][1]; j++) {
      rates->edge_pairs++;
      rates->edge_rejected += !cylinder_window(&edge[0][i], &edge[1][j], angle, travel, &window);
    }
  }
}

/// Motions of one kind: all, those that collide, free ones that the whole objects do not exclude.
typedef struct group_s
{
  int motions;
  double tree_s, flat_s, windows_s, chord_s;
  uint64_t flat_pairs, flat_roots, tree_roots;
} group_t;

enum {ALL, COLLIDING, FREE_NEAR, GROUPS};

typedef struct totals_s
{
  int collisions, free, undecided, whole_rejected, disagree;
  group_t group[GROUPS];
} totals_t;

static void add_to(group_t * sum, const group_t * one)
{
  sum->motions++;
  sum->tree_s += one->tree_s;
  sum->flat_s += one->flat_s;
  sum->windows_s += one->windows_s;
  sum->chord_s += one->chord_s;
  sum->flat_pairs += one->flat_pairs;
  sum->flat_roots += one->flat_roots;
  sum->tree_roots += one->tree_roots;
}

/// Processor time of one search, as the mean of `repeats`.
static double search_s(
  const vouch_rigid_body_t * bodies[2], const vouch_screw_t * screw,
  const vouch_rigid_options_t * options, int repeats, vouch_screw_contact_t * contact)
{
  double begin = papers_now_s();
  for (int i = 0; i < repeats; i++) {
    papers_require(vouch_screw_first_contact(bodies[0], bodies[1], screw, options, contact));
  }
  return (papers_now_s() - begin) / repeats;
}

static void one_screw(
  const vouch_rigid_body_t * bodies[2], const vouch_pose_t pose[2], totals_t * sum,
  rates_t * rates)
{
  vouch_rigid_motion_t * motion = NULL;
  papers_require(vouch_rigid_motion_create(&motion, vouch_allocator_default()));
  if (vouch_rigid_motion_add_screw(motion, 1.0, &pose[0], &pose[1]) != VOUCH_RET_OK) {
    vouch_rigid_motion_destroy(motion);   // a half turn
    return;
  }
  const vouch_screw_t * screw = &motion->segments[0].screw;
  vouch_rigid_options_t options = vouch_rigid_options_default();
  vouch_screw_contact_t tree, flat;
  vouch_rigid_result_t chord;
  rates_t unused = {0};
  group_t one = {0};
  options.threads = 1;
  one.tree_s = search_s(bodies, screw, &options, 10, &tree);   // too short to be measured once
  one.chord_s = papers_now_s();
  papers_require(vouch_rigid_check(bodies[0], bodies[1], motion, &options, &chord));
  one.chord_s = papers_now_s() - one.chord_s;
  options.flat = true;
  one.flat_s = search_s(bodies, screw, &options, 1, &flat);
  one.windows_s = papers_now_s();
  count_rejections(
    bodies[0], bodies[1], &motion->segments[0],
    tree.verdict == VOUCH_COLLISION ? rates : &unused);
  one.windows_s = papers_now_s() - one.windows_s;
  one.flat_pairs = flat.statistics.face_tests;
  one.flat_roots = flat.statistics.root_tests;
  one.tree_roots = tree.statistics.root_tests;
  bool whole = tree.verdict == VOUCH_FREE && tree.statistics.node_tests <= 1;
  add_to(&sum->group[ALL], &one);
  if (tree.verdict == VOUCH_COLLISION) {
    add_to(&sum->group[COLLIDING], &one);
    sum->disagree += flat.verdict == VOUCH_COLLISION &&
      (tree.from > flat.to || flat.from > tree.to);
  } else if (tree.verdict == VOUCH_FREE && !whole) {
    add_to(&sum->group[FREE_NEAR], &one);
  }
  sum->whole_rejected += whole;
  sum->disagree += tree.verdict != flat.verdict ||
    (chord.verdict != VOUCH_UNDECIDED && chord.verdict != tree.verdict);
  sum->collisions += tree.verdict == VOUCH_COLLISION;
  sum->free += tree.verdict == VOUCH_FREE;
  sum->undecided += tree.verdict == VOUCH_UNDECIDED;
  vouch_rigid_result_fini(&chord);
  vouch_rigid_motion_destroy(motion);
}

static void load(const char * data, const char * name, vouch_rigid_body_t ** out)
{
  char path[512];
  papers_require(
    vouch_rigid_body_load(out, vouch_allocator_default(), papers_path(data, name, path)));
}

/// The three groups beside each other. False when the hierarchy is not 100 times faster in each.
static bool write_times(FILE * report, const totals_t * sum)
{
  static const char * const names[GROUPS] = {
    "all", "colliding", "free, not excluded by the whole objects"
  };
  bool enough = true;
  fprintf(
    report, "Processor time of one motion in ms. All pairs: each pair of features by itself, as in the paper, "
    "bounds included. Windows: the rejection tests of all pairs alone, the bounds of each feature computed "
    "once.\n\n"
    "| motions | number | all pairs | windows | hierarchy | faster than all pairs | than windows | "
    "equations solved: all pairs | hierarchy | chord |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (int k = 0; k < GROUPS; k++) {
    const group_t * g = &sum->group[k];
    double n = g->motions, faster = g->flat_s / g->tree_s;
    enough = enough && faster >= 100.0;
    fprintf(
      report, "| %s | %d | %.3f | %.3f | %.4f | %.0f× | %.0f× | %.1f | %.2f | %.4f |\n", names[k],
      g->motions, 1e3 * g->flat_s / n, 1e3 * g->windows_s / n, 1e3 * g->tree_s / n, faster,
      g->windows_s / g->tree_s, (double)g->flat_roots / n, (double)g->tree_roots / n,
      1e3 * g->chord_s / n);
  }
  fprintf(
    report, "\nAt least 100× faster with hierarchy in every row: %s\n\n",
    enough ? "yes" : "NO");
  return enough;
}

int papers_screws(const char * data, FILE * report)
{
  vouch_rigid_body_t * a = NULL, * b = NULL;
  char path[512], line[1024];
  totals_t sum = {0};
  rates_t rates = {0};
  load(data, "polyhedron_a.obj", &a);
  load(data, "polyhedron_b.obj", &b);
  const vouch_rigid_body_t * bodies[2] = {a, b};
  FILE * file = fopen(papers_path(data, "screws.csv", path), "r");
  if (file == NULL || fgets(line, sizeof(line), file) == NULL) {
    fprintf(stderr, "papers: %s cannot be read\n", path);
    return 3;
  }
  while (fgets(line, sizeof(line), file) != NULL) {
    vouch_pose_t pose[2];
    char * at = line;
    for (int i = 0; i < 14; i++) {
      double value = strtod(at, &at);
      double * target = i % 7 < 4 ? pose[i / 7].rotation : pose[i / 7].translation - 4;
      target[i % 7] = value;
      at += *at == ',';
    }
    one_screw(bodies, pose, &sum, &rates);
  }
  fclose(file);
  double n = sum.group[ALL].motions;
  fprintf(
    report, "## Screws: polyhedra with 80 and 85 vertices, %d random screws\n\n"
    "| | paper | ours |\n|---|---|---|\n"
    "| whole objects rejected | 50 %% | %.1f %% |\n"
    "| vertex-triangle pairs rejected, colliding cases | 50.5 %% | %.1f %% |\n"
    "| edge-edge pairs rejected, colliding cases | 66 %% | %.1f %% |\n"
    "| pairs of features | 84,806 | %.0f |\n"
    "| rejection tests of all pairs, one motion | 32.8 ms | %.2f ms, each pair by itself; "
    "%.2f ms, bounds computed once |\n"
    "| collision, free, undecided | - | %d, %d, %d |\n"
    "| verdicts or times that disagree (all pairs, hierarchy, chord) | - | %d |\n\n",
    sum.group[ALL].motions, 100.0 * sum.whole_rejected / n,
    100.0 * (double)rates.vertex_rejected / (double)rates.vertex_pairs,
    100.0 * (double)rates.edge_rejected / (double)rates.edge_pairs,
    (double)sum.group[ALL].flat_pairs / n, 1e3 * sum.group[ALL].flat_s / n,
    1e3 * sum.group[ALL].windows_s / n, sum.collisions, sum.free, sum.undecided, sum.disagree);
  bool enough = write_times(report, &sum);
  vouch_rigid_body_destroy(a);
  vouch_rigid_body_destroy(b);
  return sum.disagree == 0 && enough ? 0 : 4;
}
