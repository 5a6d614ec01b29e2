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

/* Loading the scene and the motion. */
#include <string.h>

#include "internal.h"

/* [V-FRAME] Ensures: f hangs on a frame before it (none hangs frame 0), its axis has length 1. */
static void load_frame(vv_verifier * v, vv_frame * f)
{
  const vec z = vector(f->axis);
  const iv square = dot(z, z), norm = {down(sqrt(square.lo)), up(sqrt(square.hi))};
  const bool fixed = f->joint == VV_FIXED, root = f == v->frames && f->parent == 0 && fixed;
  const bool small = fabs(f->factor) <= 65536.0 && fabs(f->offset) <= 65536.0;
  const bool child = f->parent < f - v->frames && f->joint <= VV_PRISMATIC;
  need(v, (root || child) && small, "scene: a frame has a wrong parent, joint, factor or offset");
  need(v, fixed || square.lo > 1e-12, "scene: a joint has no axis");
  f->pose = vv_pose(v, f->place, vector(f->place + 4));
  if (!fixed) {f->unit = times(z, over(point(1.0), norm));}
}

/* [V-EXTENT] Ensures: contains n.x for all points x of the body, n the unit vector (x, y, z). */
static iv extent(const vv_body * b, double x, double y, double z)
{
  const vec n = {point(x), point(y), point(z)};
  const vv_side s = {b, 0, VV_NONE};
  return (iv) {-vv_reach(s, times(n, point(-1.0))), vv_reach(s, n)};
}

/* [V-GROUP] Requires: called for each group, from the last to the first.
 * Ensures:  g is a body on frame 0 or has two children; its box contains all bodies under it.
 * Why:      as [V-NODE]: all groups are under group 0 if its leaves are as many as they can be. */
static void load_group(vv_verifier * v, vv_group * g)
{
  const uint32_t number = (uint32_t)(g - v->groups);
  if (g->body == VV_NONE) {
    g->right = number + 1 < v->group_count ? number + 2 * g[1].leaves : v->group_count;
    need(v, g->right < v->group_count, "scene: a group has no children");
    g->leaves = g[1].leaves + v->groups[g->right].leaves;
    g->box = box3(g[1].box, v->groups[g->right].box);
    return;
  }
  need(v, g->body < v->body_count, "scene: a group's body is missing");
  vv_body * b = &v->bodies[g->body];
  need(v, b->geometry != NULL && b->frame == 0 && b->zero == 0, "scene: a wrong body of a group");
  b->zero = 1;
  g->leaves = 1;
  g->box = (vec) {extent(b, 1, 0, 0), extent(b, 0, 1, 0), extent(b, 0, 0, 1)};
}

/* [V-PAIR] Ensures: p is a geometry and another body or the groups, and has its margins, the next
 * ones; that of a group is at least those of all groups under it. */
static void load_pair(vv_verifier * v, vv_pair * p, vv_run * run)
{
  const bool group = p->b == VV_NONE, body = p->b < v->body_count && p->a != p->b;
  const uint32_t count = group ? v->group_count : 1;
  need(v, p->a < v->body_count && (group || body), "scene: a pair's body is missing");
  need(v, v->bodies[p->a].geometry != NULL, "scene: a pair of planes");
  const double * margins = p->margins = vv_next(v, run, count);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t right = group ? v->groups[i].right : 0;
    const bool covers = right == 0 || margins[i] >= max(margins[i + 1], margins[right]);
    const bool known = margins[i] >= 0.0 || (group && margins[i] == -1.0);
    need(v, known && covers, "scene: a margin is negative, or not the largest under its group");
    v->report->pairs += right == 0 && margins[i] >= 0.0;
    v->report->margin = margins[i] < 0.0 ? v->report->margin : min(v->report->margin, margins[i]);
  }
}

/* [V-SCENE] Ensures: the scene is as the format describes it. */
void vv_load_scene(vv_verifier * v)
{
  uint32_t left, i;
  (void)vv_bytes(v, sizeof(uint64_t));
  v->frames = vv_table(v, 12, 1e6, 112, sizeof(vv_frame), &v->frame_count);
  v->bodies = vv_table(v, 7, 1e6, 72, sizeof(vv_body), &v->body_count);
  v->groups = vv_table(v, 0, 0.0, 4, sizeof(vv_group), &v->group_count);
  v->pairs = vv_table(v, 0, 0.0, 8, sizeof(vv_pair), &v->pair_count);
  vv_run margins = {.size = sizeof(double)};
  margins.at = vv_table(v, 1, 1e6, 8, 8, &margins.left);
  for (i = 0; i < v->frame_count; i++) {
    load_frame(v, &v->frames[i]);
  }
  for (i = 0; i < v->body_count; i++) {
    vv_body * b = &v->bodies[i];
    const bool known = b->kind == VV_BODY ? b->number < v->geometry_count : b->kind <= VV_PLANE;
    need(v, known && b->frame < v->frame_count, "scene: a body is malformed");
    b->pose = vv_pose(v, b->place, vector(b->place + 4));
    b->geometry = b->kind == VV_BODY ? &v->geometries[b->number] : NULL;
  }
  for (i = v->group_count; i-- > 0; ) {
    load_group(v, &v->groups[i]);
  }
  for (i = 0; i < v->pair_count; i++) {
    load_pair(v, &v->pairs[i], &margins);
  }
  const bool tree = v->group_count == 0 || v->group_count == 2 * v->groups[0].leaves - 1;
  const bool rest = v->frame_count == 0 || margins.left > 0;
  need(v, tree && !rest, "scene: no frames, no tree, or margins left");
  const char * name = vv_table(v, 0, 0.0, 1, 1, &left);
  for (i = 0; i < left && i + 1 < sizeof(v->report->robot) && name[i] != 0; i++) {
    v->report->robot[i] = name[i] >= 0x20 && name[i] < 0x7f ? name[i] : '?';
  }
}

/* [V-SEGMENT] Requires: the segments before s are loaded.
 * Ensures:  s has its coefficients, the next ones; its knots are apart; ranges contain its variables.
 * Why:      a knot is a start when a first coefficient differs in any bit from the last one. A
 *           Bernstein polynomial stays between its least and its largest coefficient. */
static void load_segment(vv_verifier * v, vv_segment * s, vv_run * run)
{
  const size_t k = (size_t)(s - v->segments), width = s->degree + UINT64_C(1);
  const bool apart = v->knots[k + 1] - v->knots[k] >= 1e-12 && v->seconds[k + 1] >= v->seconds[k];
  need(v, apart && s->degree >= 1 && s->degree <= 5, "motion: a knot or a degree is wrong");
  if (v->variable_count > 0) {s->b = vv_next(v, run, width * v->variable_count);}
  s->starts = k == 0 ? 1 : s[-1].starts;
  for (uint32_t j = 0; j < v->variable_count; j++) {
    const double * b = s->b + j * width;
    const double * last = k == 0 ? b : s[-1].b + j * (s[-1].degree + UINT64_C(1)) + s[-1].degree;
    if (memcmp(last, b, sizeof(double)) != 0) {s->starts = s[-1].starts + 1;}
    for (size_t i = 0; i < width; i++) {
      v->ranges[j] = box(v->ranges[j], point(b[i]));
    }
  }
}

/* [V-JOINT] Requires: the motion is loaded.
 * Ensures:  tolerance bounds the deviation of f's joint; every value that it takes, deviations
 *           included, is within half of middle. */
static void load_joint(vv_verifier * v, vv_frame * f)
{
  need(v, f->variable < v->variable_count, "scene: a joint has no variable");
  const iv q = add(mul(point(f->factor), v->ranges[f->variable]), point(f->offset));
  f->tolerance = up(fabs(f->factor) * v->tolerances[f->variable]);
  f->middle = middle(q);
  f->half = up(f->tolerance + max(up(q.hi - f->middle), up(f->middle - q.lo)));
}

/* [V-MOTION] Ensures: the motion is as the format describes it and moves every joint. */
void vv_load_motion(vv_verifier * v)
{
  uint32_t kind, knots, seconds, i;
  vv_run coefficients = {.size = sizeof(double)};
  memcpy(&kind, vv_bytes(v, sizeof(kind)), sizeof(kind));
  need(v, kind == 1, "motion: of another kind");
  v->tolerances = vv_table(v, 1, 1e6, 8, 8, &v->variable_count);
  v->knots = vv_table(v, 1, 1e9, 8, 8, &knots);
  v->seconds = vv_table(v, 1, 1e9, 8, 8, &seconds);
  v->segments = vv_table(v, 0, 0.0, 4, sizeof(vv_segment), &v->segment_count);
  coefficients.at = vv_table(v, 1, 65536.0, 8, 8, &coefficients.left);
  (void)vv_table(v, 0, 0.0, 1, 1, &i);
  need(v, v->segment_count > 0 && v->segment_count == knots - 1, "motion: knots are missing");
  v->ranges = vv_take(v, v->variable_count, sizeof(iv));
  need(v, seconds == knots && v->knots[0] >= 0.0, "motion: knots are missing, or below 0");
  for (i = 0; i < v->variable_count; i++) {
    need(v, v->tolerances[i] >= 0.0, "motion: a tolerance is negative");
    v->report->tolerance = max(v->report->tolerance, v->tolerances[i]);
    v->ranges[i] = (iv) {INFINITY, -INFINITY};
  }
  for (i = 0; i < v->segment_count; i++) {
    load_segment(v, &v->segments[i], &coefficients);
  }
  need(v, coefficients.left == 0, "motion: too many coefficients");
  for (i = 0; i < v->frame_count; i++) {
    if (v->frames[i].joint != VV_FIXED) {load_joint(v, &v->frames[i]);}
  }
  v->report->seconds = v->seconds[v->segment_count] - v->seconds[0];
}
