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

/* Section 7.2: two squares split into n^2 sub-squares; flat as in the paper, and with hierarchy. */

#include <stdlib.h>

#include "papers.h"

#define MAX_N 10
#define CASES 3
#define MASSES 3

static const char * const names[CASES] = {"collision", "near", "none"};
/* totals of Tables 1 and 2, n = 1..10 */
static const double paper[2][CASES][MAX_N] = {
  {{0.17, 1.58, 5.91, 16.07, 35.09, 67.41, 118.42, 194.16, 300.88, 448.09},
    {0.49, 2.43, 9.49, 25.78, 57.05, 110.34, 193.47, 318.39, 494.69, 738.22},
    {0.11, 1.12, 4.57, 12.17, 27.60, 54.82, 98.25, 164.00, 258.29, 388.67}},
  {{0.17, 1.21, 3.68, 9.12, 19.01, 35.69, 61.59, 99.71, 153.22, 226.60},
    {0.49, 1.85, 5.99, 15.23, 32.59, 62.36, 108.64, 177.00, 274.48, 407.89},
    {0.11, 0.98, 3.22, 8.27, 18.74, 36.97, 66.01, 109.79, 172.29, 258.99}}
};

typedef struct flat_result_s
{
  double seconds, per_square[MAX_N * MAX_N];
  uint64_t tests;
  bool open[MAX_N * MAX_N];
} flat_result_t;

static void sub_square(int n, int i, int j, vec3_t out[4])
{
  static const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (int k = 0; k < 4; k++) {
    out[k] = vec3(
      -1.0 + 2.0 * (i + corner[k][0]) / n, -1.0 + 2.0 * (j + corner[k][1]) / n, 0.0);
  }
}

/* The paper's program: every pair of sub-squares by itself. Masses 0: global, 1: one distribution for each square,
 * 2: the same drawn out. */
static flat_result_t run_flat(int n, int masses, const vouch_rigid_motion_t * motion)
{
  flat_result_t out = {.seconds = 0.0};
  metric_t global;
  vec3_t all[(MAX_N + 1) * (MAX_N + 1)], x[4];
  for (int i = 0; i <= n; i++) {
    for (int j = 0; j <= n; j++) {
      all[i * (n + 1) + j] = vec3(-1.0 + 2.0 * i / n, -1.0 + 2.0 * j / n, 0.0);
    }
  }
  if (!metric_from_points(&global, all, NULL, (size_t)((n + 1) * (n + 1)))) {
    exit(4);
  }
  for (int a = 0; a < n * n; a++) {
    metric_t metric = global;
    fat_face_t face;
    double begin = papers_now_s();
    sub_square(n, a / n, a % n, x);
    if (masses > 0 && !metric_from_points(&metric, x, NULL, 4)) {
      exit(4);
    }
    if (masses == 2) {
      metric_draw_out(&metric, &global);
    }
    fat_face_init(&face, &metric, x, 4);
    for (int b = 0; b < n * n; b++) {
      flat_face_t fixed = {.count = 4};
      sub_square(n, b / n, b % n, fixed.y);
      listing_result_t r = papers_listing_1(&face, &metric, &fixed, motion, 0.02, false);
      out.tests += r.tests;
      out.open[a] = out.open[a] || r.open;
    }
    out.per_square[a] = papers_now_s() - begin;
    out.seconds += out.per_square[a];
  }
  return out;
}

static vouch_rigid_body_t * square_mesh(int n)
{
  static double v[(MAX_N + 1) * (MAX_N + 1)][3];
  static uint32_t t[2 * MAX_N * MAX_N][3];
  for (int i = 0; i <= n; i++) {
    for (int j = 0; j <= n; j++) {
      double * p = v[i * (n + 1) + j];
      p[0] = -1.0 + 2.0 * i / n;
      p[1] = -1.0 + 2.0 * j / n;
      p[2] = 0.0;
    }
  }
  for (int i = 0; i < n * n; i++) {
    uint32_t a = (uint32_t)((i / n) * (n + 1) + i % n), b = a + (uint32_t)n + 1;
    uint32_t * first = t[2 * i], * second = t[2 * i + 1];
    first[0] = a; first[1] = b; first[2] = b + 1;
    second[0] = a; second[1] = b + 1; second[2] = a + 1;
  }
  vouch_rigid_body_t * body = NULL;
  papers_require(
    vouch_rigid_body_create(
      &body, vouch_allocator_default(), (const double(*)[3])v, (size_t)((n + 1) * (n + 1)),
      (const uint32_t(*)[3])t, (size_t)(2 * n * n)));
  return body;
}

static vouch_rigid_result_t run_tree(
  const vouch_rigid_body_t * body, const vouch_rigid_motion_t * motion,
  vouch_rigid_method_t method)
{
  vouch_rigid_options_t options = vouch_rigid_options_default();
  vouch_rigid_result_t best = {.statistics = {.seconds = INFINITY}};
  options.method = method;
  options.surfaces = true;
  options.threads = 1;
  options.resolution_m = 0.02;
  options.ball = VOUCH_BALL_MIDPOINT;
  for (int repeat = 0; repeat < 5; repeat++) {
    vouch_rigid_result_t r;
    double begin = papers_now_s();
    papers_require(vouch_rigid_check(body, body, motion, &options, &r));
    r.statistics.seconds = papers_now_s() - begin;
    vouch_verdict_t verdict = r.verdict;
    vouch_rigid_result_fini(&r);
    r.verdict = verdict;
    best = r.statistics.seconds < best.statistics.seconds ? r : best;
  }
  return best;
}

/// A grid of small block diagrams: rows are the cases, columns n = 1, 4, 7, 10.
static void draw(const char * path, flat_result_t results[CASES][MAX_N], const char * title)
{
  static const int shown[4] = {1, 4, 7, 10};
  FILE * svg = fopen(path, "w");
  if (svg == NULL) {
    return;
  }
  fprintf(
    svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 880 680\" font-family=\"sans-serif\" "
    "font-size=\"13\">\n<rect width=\"880\" height=\"680\" fill=\"white\"/>\n"
    "<text x=\"20\" y=\"24\" font-size=\"16\">%s</text>\n",
    title);
  for (int c = 0; c < CASES; c++) {
    fprintf(svg, "<text x=\"14\" y=\"%d\">%s</text>\n", 170 + 210 * c, names[c]);
    for (int s = 0; s < 4; s++) {
      int n = shown[s];
      const flat_result_t * r = &results[c][n - 1];
      double most = 1e-12, unit = 60.0 / n;
      for (int i = 0; i < n * n; i++) {
        most = fmax(most, r->per_square[i]);
      }
      fprintf(
        svg, "<text x=\"%d\" y=\"%d\">n = %d, highest %.3g ms</text>\n", 110 + 200 * s,
        60 + 210 * c, n, 1e3 * most);
      for (int i = n - 1; i >= 0; i--) {
        for (int j = n - 1; j >= 0; j--) {
          double h = 90.0 * r->per_square[i * n + j] / most;
          double x = 190 + 200 * s + (i - j) * unit, y = 225 + 210 * c - (i + j) * unit * 0.5;
          const char * fill = r->open[i * n + j] ? "#d9534f" : "#9bbbd9";
          fprintf(
            svg, "<path d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz\" fill=\"%s\" stroke=\"#333\" "
            "stroke-width=\"0.4\"/><path d=\"M%.1f %.1fl%.1f %.1fv%.1fl%.1f %.1fz\" fill=\"%s\" "
            "fill-opacity=\"0.75\" stroke=\"#333\" stroke-width=\"0.4\"/><path d=\"M%.1f %.1fl%.1f %.1f"
            "v%.1fl%.1f %.1fz\" fill=\"%s\" fill-opacity=\"0.55\" stroke=\"#333\" stroke-width=\"0.4\"/>\n",
            x, y - h, unit, -0.5 * unit, -unit, -0.5 * unit, -unit, 0.5 * unit, fill,
            x, y - h, unit, -0.5 * unit, h, -unit, 0.5 * unit, fill,
            x, y - h, -unit, -0.5 * unit, h, unit, 0.5 * unit, fill);
        }
      }
    }
  }
  fprintf(svg, "</svg>\n");
  fclose(svg);
}

static flat_result_t results[MASSES][CASES][MAX_N];

/// One of the papers' tables; runs everything in it.
static void write_table(FILE * report, int masses, vouch_rigid_motion_t * motion[CASES])
{
  static const char * const titles[MASSES] = {
    "Table 1: global masses", "Table 2: individual masses",
    "not in the paper: individual masses, drawn outwards"
  };
  int like = masses < 2 ? masses : 1;
  fprintf(
    report, "## Squares split into n² (%s)\n\nTotal seconds, flat: every pair of sub-squares "
    "by itself, as in the paper.\n\n| n | collision: paper | ours | tests | near: paper | ours | tests | none: "
    "paper | ours | tests |\n|---|---|---|---|---|---|---|---|---|---|\n",
    titles[masses]);
  for (int n = 1; n <= MAX_N; n++) {
    fprintf(report, "| %d ", n);
    for (int c = 0; c < CASES; c++) {
      results[masses][c][n - 1] = run_flat(n, masses, motion[c]);
      const flat_result_t * r = &results[masses][c][n - 1];
      fprintf(
        report, "| %.2f | %.5f | %llu ", paper[like][c][n - 1], r->seconds,
        (unsigned long long)r->tests);
    }
    fprintf(report, "|\n");
  }
  fprintf(report, "\nSeconds for one pair at n = 5 and n = 10 (linear in n⁴ when equal):");
  for (int c = 0; c < CASES; c++) {
    fprintf(
      report, " %s %.2e, %.2e;", names[c], results[masses][c][4].seconds / 625.0,
      results[masses][c][9].seconds / 10000.0);
  }
  if (masses > 0) {
    fprintf(report, "\n\nGlobal masses need this many times as many tests at n = 10 (seconds):");
  }
  for (int c = 0; c < CASES && masses > 0; c++) {
    const flat_result_t * one = &results[0][c][MAX_N - 1], * two = &results[masses][c][MAX_N - 1];
    fprintf(
      report, " %s %.2f (%.2f; paper, seconds: %.2f);", names[c],
      (double)one->tests / (double)two->tests, one->seconds / two->seconds,
      paper[0][c][MAX_N - 1] / paper[1][c][MAX_N - 1]);
  }
  fprintf(report, "\n\n");
}

/// False when there are not 100 times fewer tests of polygons than in the best flat run.
static bool write_hierarchy(FILE * report, vouch_rigid_motion_t * motion[CASES])
{
  bool enough = true;
  fprintf(
    report, "## The same with hierarchy, n = 10\n\nTriangles instead of squares (four times as many pairs); face tests "
    "are pairs of triangles, all tests those and pairs of boxes. A pair that is excluded for a piece of the motion "
    "is never looked at again in it. Fewer: face tests than flat, with global masses and with those that need "
    "fewest.\n\n"
    "| case | flat tests: global masses | fewest | flat s | tree: face tests | all tests | s | fewer than global | "
    "than fewest | all than global | faster | verdict | chord s | paper, best s |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  vouch_rigid_body_t * body = square_mesh(MAX_N);
  for (int c = 0; c < CASES; c++) {
    vouch_rigid_result_t r = run_tree(body, motion[c], VOUCH_RIGID_TOLERANCED);
    vouch_rigid_result_t chord = run_tree(body, motion[c], VOUCH_RIGID_CHORD);
    const flat_result_t * flat = &results[0][c][MAX_N - 1];
    double faces = fmax((double)r.statistics.face_tests, 1.0), fewest = INFINITY;
    for (int masses = 0; masses < MASSES; masses++) {
      fewest = fmin(fewest, (double)results[masses][c][MAX_N - 1].tests);
    }
    enough = enough && fewest >= 100.0 * faces;
    fprintf(
      report,
      "| %s | %llu | %.0f | %.4f | %llu | %llu | %.6f | %.0f× | %.0f× | %.0f× | %.0f× | %s | %.6f | %.2f |\n",
      names[c], (unsigned long long)flat->tests, fewest, flat->seconds,
      (unsigned long long)r.statistics.face_tests, (unsigned long long)r.statistics.node_tests,
      r.statistics.seconds, (double)flat->tests / faces, fewest / faces,
      (double)flat->tests / (double)r.statistics.node_tests, flat->seconds / r.statistics.seconds,
      vouch_verdict_name(r.verdict), chord.statistics.seconds, paper[1][c][MAX_N - 1]);
  }
  fprintf(
    report, "\nAt least 100× fewer tests of polygons in every row: %s\n\n", enough ? "yes" : "NO");
  vouch_rigid_body_destroy(body);
  return enough;
}

int papers_squares(const char * data, const char * results_dir, FILE * report)
{
  vouch_rigid_motion_t * motion[CASES];
  char path[512], name[64];
  for (int c = 0; c < CASES; c++) {
    snprintf(name, sizeof(name), "squares_%s.json", names[c]);
    papers_require(
      vouch_rigid_motion_load(
        &motion[c], vouch_allocator_default(), papers_path(data, name, path)));
  }
  for (int masses = 0; masses < MASSES; masses++) {
    write_table(report, masses, motion);
    if (masses < 2) {
      fprintf(report, "![time for each moving square](figure_%d.svg)\n\n", masses + 5);
      snprintf(name, sizeof(name), "figure_%d.svg", masses + 5);
      draw(
        papers_path(results_dir, name, path), results[masses], masses ?
        "Time for each moving square, individual masses (red: no guarantee)" :
        "Time for each moving square, global masses (red: no guarantee)");
    }
  }
  bool enough = write_hierarchy(report, motion);
  for (int c = 0; c < CASES; c++) {
    vouch_rigid_motion_destroy(motion[c]);
  }
  return enough ? 0 : 4;
}
