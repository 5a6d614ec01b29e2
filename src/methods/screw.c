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

/* First contact on a screw: the two trees in cylinder coordinates, pairs in the order of the
 * earliest time at which they can meet, isolated roots at the bottom.
 *
 * TRUSTED for coverage: a pair is dropped only when cylinder_window() gives it no time before the
 * best proved contact, and a pair of features only when screw_roots says so. Each vertex and edge
 * is tested with the one triangle that owns it, so that every pair of features is met exactly
 * once. */

#include "base/error.h"
#include "base/fpguard.h"
#include "base/memory.h"
#include "methods/motion_build.h"
#include "methods/rigid_check.h"
#include "methods/screw_view.h"
#include "methods/sweep.h"

/* How often a pair of triangles is looked at before its equations are set up. */
#define ADVANCES 3

typedef struct candidate_s
{
  double time, until;
  uint32_t a, b;
  uint32_t advances;      // how often the triangles were shown apart for longer
} candidate_t;

typedef struct contact_search_s
{
  const vouch_rigid_body_t * moving, * fixed;
  const rigid_segment_t * segment;
  const vouch_allocator_t * allocator;
  screw_view_t view;
  candidate_t * heap;
  size_t heap_count, heap_capacity;
  double best;                      // end of the best proved contact, 1 before there is one
  vouch_screw_contact_t * contact;
  double perhaps;                   // begin of the earliest contact that may be one
  vouch_screw_contact_t maybe;
  double finish_s;
  uint64_t max_tests, turns;
  bool flat, failed, stopped;
} contact_search_t;

static void heap_push(contact_search_t * s, candidate_t c)
{
  if (!vouch_grow(s->allocator, &s->heap, s->heap_count, &s->heap_capacity, sizeof(c))) {
    s->failed = true;
    return;
  }
  size_t i = s->heap_count++;
  while (i > 0 && c.time < s->heap[(i - 1) / 2].time) {
    s->heap[i] = s->heap[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  s->heap[i] = c;
}

static candidate_t heap_pop(contact_search_t * s)
{
  candidate_t top = s->heap[0], last = s->heap[--s->heap_count];
  size_t i = 0;
  for (;; ) {
    size_t child = 2 * i + 1;
    if (child >= s->heap_count) {
      break;
    }
    if (child + 1 < s->heap_count && s->heap[child + 1].time < s->heap[child].time) {
      child++;
    }
    if (!(s->heap[child].time < last.time)) {
      break;
    }
    s->heap[i] = s->heap[child];
    i = child;
  }
  s->heap[i] = last;
  return top;
}

static void push_pair(contact_search_t * s, uint32_t a, uint32_t b, interval_t within)
{
  interval_t window;
  const cylinder_t * bound_a = screw_view_node(&s->view, SCREW_MOVING, a);
  const cylinder_t * bound_b = screw_view_node(&s->view, SCREW_FIXED, b);
  s->contact->statistics.node_tests++;
  if (cylinder_window(
      bound_a, bound_b, s->segment->screw.angle, s->segment->screw.travel, &window))
  {
    window = interval_cut(window, within);
    if (window.lo <= window.hi && window.lo <= s->best) {
      heap_push(s, (candidate_t) {window.lo, window.hi, a, b, 0});
    }
  }
}

static root_t solve(
  contact_search_t * s, const uint32_t t[2], const int feature[2], interval_t window)
{
  screw_view_t * v = &s->view;
  uint64_t * steps = &s->contact->statistics.pieces;
  const double(*vb)[3] = (const double(*)[3])s->fixed->mesh.vertices;
  const uint32_t * tb = s->fixed->mesh.triangles[t[1]];
  s->contact->statistics.root_tests++;
  if (feature[0] < 3) {
    vertex_face_t pair = {
      &v->frame, screw_view_helix(v, SCREW_MOVING, t[0], feature[0]), {{{{0.0, 0.0, 0.0}}}}, 1.0
    };
    for (int k = 0; k < 3; k++) {
      pair.corner[k] = twofold3_point(vb[tb[k]]);
    }
    return screw_vertex_face(&pair, window, steps);
  }
  if (feature[1] < 3) {
    vertex_face_t pair = {
      &v->frame, screw_view_helix(v, SCREW_FIXED, t[1], feature[1]), {{{{0.0, 0.0, 0.0}}}}, -1.0
    };
    for (int k = 0; k < 3; k++) {
      helix_t h = screw_view_helix(v, SCREW_MOVING, t[0], k);
      pair.corner[k] = screw_begin(&v->frame, &h);
    }
    return screw_vertex_face(&pair, window, steps);
  }
  int i = feature[0] - 3, j = feature[1] - 3;
  edge_edge_t pair = {
    &v->frame, {screw_view_helix(v, SCREW_MOVING, t[0], i),
      screw_view_helix(v, SCREW_MOVING, t[0], (i + 1) % 3)},
    {twofold3_point(vb[tb[j]]), twofold3_point(vb[tb[(j + 1) % 3]])}
  };
  return screw_edge_edge(&pair, window, steps);
}

static void describe(
  const contact_search_t * s, const uint32_t t[2], const int feature[2], const root_t * root,
  vouch_screw_contact_t * out)
{
  double time = 0.5 * (root->time.lo + root->time.hi);
  vouch_affine_t g = segment_screw_at(s->segment, time);
  vec3_t a[3], b[3], point, normal;
  for (int k = 0; k < 3; k++) {
    a[k] = affine_apply(&g, body_vertex(s->moving, t[0], k));
    b[k] = body_vertex(s->fixed, t[1], k);
  }
  /* Before the contact f has the sign opposite to its slope; f is (moving - fixed).normal, or
   * its opposite. */
  double sign = root->rising ? -1.0 : 1.0;
  if (feature[0] < 3) {
    out->kind = VOUCH_SCREW_VERTEX_FACE;
    point = a[feature[0]];
    normal = vec3_cross(vec3_sub(b[1], b[0]), vec3_sub(b[2], b[0]));
  } else if (feature[1] < 3) {
    out->kind = VOUCH_SCREW_FACE_VERTEX;
    point = b[feature[1]];
    normal = vec3_neg(vec3_cross(vec3_sub(a[1], a[0]), vec3_sub(a[2], a[0])));
  } else {
    out->kind = VOUCH_SCREW_EDGE_EDGE;
    int i = feature[0] - 3, j = feature[1] - 3;
    vec3_t u = vec3_sub(a[(i + 1) % 3], a[i]), v = vec3_sub(b[(j + 1) % 3], b[j]);
    vec3_t n = vec3_cross(u, v), w = vec3_sub(b[j], a[i]);
    double alpha = vec3_dot(vec3_cross(w, v), n) / fmax(vec3_dot(n, n), 1e-300);
    point = vec3_add(a[i], vec3_scale(u, alpha));
    normal = n;
  }
  vec3_store(point, out->point);
  vec3_store(vec3_scale(vec3_unit(normal, vec3(0.0, 0.0, 0.0)), sign), out->normal);
  out->from = root->time.lo;
  out->to = root->time.hi;
  out->triangle_a = t[0];
  out->triangle_b = t[1];
  out->feature_a = (uint32_t)(feature[0] < 6 ? feature[0] % 3 : 3);
  out->feature_b = (uint32_t)(feature[1] < 6 ? feature[1] % 3 : 3);
}

/* One pair of features, numbered as in screw_view.h, at the times when their triangles may meet. */
static void test_features(
  contact_search_t * s, const uint32_t t[2], const int feature[2], interval_t within)
{
  cylinder_t a = screw_view_feature(&s->view, SCREW_MOVING, t[0], feature[0]);
  cylinder_t b = screw_view_feature(&s->view, SCREW_FIXED, t[1], feature[1]);
  interval_t window;
  s->contact->statistics.face_tests++;
  if (!cylinder_window(&a, &b, s->segment->screw.angle, s->segment->screw.travel, &window)) {
    return;
  }
  window = interval_cut(window, within);
  for (int round = 0; round < 8; round++) {
    window.hi = fmin(window.hi, s->best);
    if (!(window.lo <= window.hi)) {
      return;
    }
    root_t root = solve(s, t, feature, window);
    if (root.answer == ROOT_NONE) {
      return;
    }
    if (root.answer == ROOT_CONTACT) {
      if (root.time.hi < s->best || s->contact->kind == VOUCH_SCREW_NONE) {
        s->best = root.time.hi;
        describe(s, t, feature, &root, s->contact);
      }
      return;
    }
    if (root.time.lo < s->perhaps) {
      s->perhaps = root.time.lo;
      describe(s, t, feature, &root, &s->maybe);
    }
    /* Perhaps a touch: look behind it for a contact that is certain. */
    window.lo = root.time.hi;
    if (!(window.lo < window.hi)) {
      return;
    }
  }
}

/* A vertex or an edge meets something only when its triangle does: `within` holds for all. */
static void test_triangles(contact_search_t * s, uint32_t ta, uint32_t tb, interval_t within)
{
  const uint32_t t[2] = {ta, tb};
  unsigned own_a = s->moving->owned[ta], own_b = s->fixed->owned[tb];
  for (int i = 0; i < 3; i++) {
    if ((own_a >> i & 1u) != 0) {
      test_features(s, t, (const int[2]) {i, 6}, within);
    }
    if ((own_b >> i & 1u) != 0) {
      test_features(s, t, (const int[2]) {6, i}, within);
    }
  }
  for (int i = 3; i < 6; i++) {
    for (int j = 3; j < 6 && (own_a >> i & 1u) != 0; j++) {
      if ((own_b >> j & 1u) != 0) {
        test_features(s, t, (const int[2]) {i, j}, within);
      }
    }
  }
}

/* Two triangles that may meet at c.time are looked at there first; where that shows them apart for
 * a while, their turn comes again when it is over. */
static void meet_triangles(contact_search_t * s, candidate_t c)
{
  uint32_t ta = s->moving->nodes[c.a].triangle, tb = s->fixed->nodes[c.b].triangle;
  double until = fmin(c.until, s->best);
  double time = screw_view_apart_until(&s->view, ta, tb, c.time);
  if (time > until) {
    return;
  }
  if (time > c.time && c.advances < ADVANCES) {
    heap_push(s, (candidate_t) {time, c.until, c.a, c.b, c.advances + 1});
    return;
  }
  test_triangles(s, ta, tb, (interval_t) {time, until});
}

/* The clock is read by turns of the search: tests are made in twos, so that their number may step
 * over every multiple. What is left may hold a contact from `time` on. */
static bool out_of_budget(contact_search_t * s, double time)
{
  if ((s->max_tests > 0 && s->contact->statistics.node_tests > s->max_tests) ||
    (s->turns++ % 16 == 0 && sweep_clock_s() > s->finish_s))
  {
    s->stopped = true;
    s->perhaps = fmin(s->perhaps, time);
  }
  return s->stopped;
}

static void search_tree(contact_search_t * s)
{
  push_pair(s, 0, 0, (interval_t) {0.0, 1.0});
  while (s->heap_count > 0 && !s->failed) {
    candidate_t c = heap_pop(s);
    if (c.time > s->best) {
      return;
    }
    if (out_of_budget(s, c.time)) {
      return;
    }
    const body_node_t * a = &s->moving->nodes[c.a], * b = &s->fixed->nodes[c.b];
    bool leaf_a = body_node_is_leaf(a), leaf_b = body_node_is_leaf(b);
    if (leaf_a && leaf_b) {
      meet_triangles(s, c);
    } else if (leaf_b || (!leaf_a && a->radius >= b->radius)) {
      push_pair(s, a->left, c.b, (interval_t) {c.time, c.until});
      push_pair(s, a->right, c.b, (interval_t) {c.time, c.until});
    } else {
      push_pair(s, c.a, b->left, (interval_t) {c.time, c.until});
      push_pair(s, c.a, b->right, (interval_t) {c.time, c.until});
    }
  }
}

static void search_all(contact_search_t * s)
{
  for (uint32_t a = 0; a < s->moving->mesh.triangle_count; a++) {
    for (uint32_t b = 0; b < s->fixed->mesh.triangle_count; b++) {
      s->contact->statistics.node_tests++;
      if (out_of_budget(s, 0.0)) {
        return;
      }
      test_triangles(s, a, b, (interval_t) {0.0, 1.0});
    }
  }
}

/* A touch that could not be decided: is there an overlap soon after it? */
static bool overlap_after(contact_search_t * s, double rounding)
{
  for (int k = 30; k >= 4; k -= 2) {
    double time = s->perhaps + ldexp(1.0, -k);
    if (time > s->best || time > 1.0) {
      return false;
    }
    vouch_affine_t g = segment_screw_at(s->segment, time);
    const static_query_t query = {s->moving, s->fixed, &g, rounding, 0.0};
    static_witness_t witness;
    if (static_test(&query, &witness) == STATIC_OVERLAP) {
      vouch_rigid_statistics_t statistics = s->contact->statistics;
      *s->contact = s->maybe;
      s->contact->statistics = statistics;
      s->contact->to = time;
      s->best = time;
      return true;
    }
  }
  return false;
}

static void conclude(contact_search_t * s, double rounding)
{
  vouch_screw_contact_t * contact = s->contact;
  bool found = contact->kind != VOUCH_SCREW_NONE;
  if (s->stopped) {
    contact->verdict = VOUCH_UNDECIDED;
    contact->from = s->perhaps;
    contact->to = 1.0;
    return;
  }
  if (s->perhaps < (found ? contact->from : INFINITY)) {
    contact->touching = true;
    double from = s->perhaps;
    if (overlap_after(s, rounding) || found) {
      contact->touching = true;
      contact->from = from;
      contact->verdict = VOUCH_COLLISION;
      return;
    }
    vouch_rigid_statistics_t statistics = contact->statistics;
    *contact = s->maybe;
    contact->statistics = statistics;
    contact->touching = true;
    contact->verdict = VOUCH_UNDECIDED;
    return;
  }
  contact->verdict = found ? VOUCH_COLLISION : VOUCH_FREE;
}

vouch_ret_t screw_segment_contact(
  const vouch_rigid_body_t * moving, const vouch_rigid_body_t * fixed,
  const rigid_segment_t * segment, const vouch_rigid_options_t * options,
  vouch_screw_contact_t * contact)
{
  contact_search_t s = {
    .moving = moving, .fixed = fixed, .segment = segment, .best = 1.0, .perhaps = INFINITY,
    .allocator = &moving->mesh.allocator, .contact = contact, .flat = options->flat,
    .max_tests = options->max_tests
  };
  double begin = sweep_clock_s();
  s.finish_s = options->deadline_s > 0.0 ? begin + options->deadline_s : INFINITY;
  *contact = (vouch_screw_contact_t) {.triangle_a = UINT32_MAX, .triangle_b = UINT32_MAX};
  motion_piece_t piece = {.h = NULL};
  motion_piece_init(&piece, segment);
  double rounding = chord_rounding(&piece, moving, fixed);
  const static_query_t query = {moving, fixed, &piece.at[0], rounding, 0.0};
  static_witness_t witness = {UINT32_MAX, UINT32_MAX, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 0.0};
  static_answer_t answer = static_test(&query, &witness);
  if (answer == STATIC_OVERLAP) {
    contact->verdict = VOUCH_COLLISION;
    contact->kind = VOUCH_SCREW_START;
    contact->triangle_a = witness.triangle_a;
    contact->triangle_b = witness.triangle_b;
    contact->feature_a = contact->feature_b = 3;
    vec3_store(witness.a, contact->point);
    return VOUCH_RET_OK;
  }
  if (answer != STATIC_APART) {
    contact->verdict = VOUCH_UNDECIDED;
    contact->touching = true;
    contact->to = 1.0;
    return VOUCH_RET_OK;
  }
  s.view = (screw_view_t) {
    .body = {moving, fixed}, .segment = segment, .keep = !options->flat
  };
  vouch_ret_t ret = screw_view_init(&s.view);
  if (ret == VOUCH_RET_OK) {
    if (s.flat) {
      search_all(&s);
    } else {
      search_tree(&s);
    }
    ret = s.failed ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
  }
  if (ret == VOUCH_RET_OK) {
    conclude(&s, rounding);
  }
  contact->statistics.seconds = sweep_clock_s() - begin;
  screw_view_fini(&s.view);
  vouch_free(s.allocator, s.heap);
  return ret;
}

vouch_ret_t vouch_screw_first_contact(
  const vouch_rigid_body_t * moving, const vouch_rigid_body_t * fixed,
  const vouch_screw_t * screw, const vouch_rigid_options_t * options,
  vouch_screw_contact_t * contact)
{
  VOUCH_REQUIRE("contact", contact);
  *contact = (vouch_screw_contact_t) {.verdict = VOUCH_INVALID};
  VOUCH_REQUIRE("moving, fixed, screw", moving, fixed, screw);
  vouch_rigid_options_t standard = vouch_rigid_options_default();
  vouch_rigid_motion_t * motion = NULL;
  options = options == NULL ? &standard : options;
  vouch_ret_t ret = rigid_validate(moving, fixed, options);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_rigid_motion_create(&motion, moving->mesh.allocator);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_rigid_motion_add_screw_axis(motion, 1.0, screw);
  }
  if (ret == VOUCH_RET_OK) {
    ret = screw_segment_contact(moving, fixed, &motion->segments[0], options, contact);
  }
  vouch_rigid_motion_destroy(motion);
  return ret;
}
