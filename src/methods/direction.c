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

/* UNTRUSTED. Gilbert, Johnson and Keerthi's algorithm, stopped on the duality gap. Closest points
 * of simplices as in Ericson, Real-Time Collision Detection, section 5.1. */

#include "methods/direction.h"

typedef struct corner_s
{
  vec3_t w;          // a - b
  int a, b;
  double weight;
} corner_t;

typedef struct simplex_s
{
  corner_t c[4];
  int count;
} simplex_t;

static void keep(simplex_t * s, int i) {s->c[0] = s->c[i]; s->c[0].weight = 1.0; s->count = 1;}

static void closest_segment(simplex_t * s)
{
  vec3_t ab = vec3_sub(s->c[1].w, s->c[0].w);
  double t = -vec3_dot(s->c[0].w, ab), d = vec3_dot(ab, ab);
  if (!(t > 0.0)) {
    keep(s, 0);
  } else if (!(t < d)) {
    keep(s, 1);
  } else {
    s->c[1].weight = t / d;
    s->c[0].weight = 1.0 - t / d;
  }
}

static void reduce_to(simplex_t * s, int i, int j)
{
  corner_t a = s->c[i], b = s->c[j];
  s->c[0] = a;
  s->c[1] = b;
  s->count = 2;
  closest_segment(s);
}

static vec3_t closest_of(const simplex_t * s)
{
  vec3_t v = vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < s->count; i++) {
    v = vec3_add(v, vec3_scale(s->c[i].w, s->c[i].weight));
  }
  return v;
}

/* The best of the three edges: always something, also for a triangle without area. */
static void closest_boundary(simplex_t * s)
{
  simplex_t best = *s;
  double least = INFINITY;
  for (int i = 0; i < 3; i++) {
    simplex_t edge = *s;
    reduce_to(&edge, i, (i + 1) % 3);
    vec3_t v = closest_of(&edge);
    if (vec3_dot(v, v) < least) {
      least = vec3_dot(v, v);
      best = edge;
    }
  }
  *s = best;
}

static void closest_triangle(simplex_t * s)
{
  vec3_t a = s->c[0].w, b = s->c[1].w, c = s->c[2].w;
  vec3_t ab = vec3_sub(b, a), ac = vec3_sub(c, a);
  double d1 = -vec3_dot(ab, a), d2 = -vec3_dot(ac, a);
  double d3 = -vec3_dot(ab, b), d4 = -vec3_dot(ac, b);
  double d5 = -vec3_dot(ab, c), d6 = -vec3_dot(ac, c);
  double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  if (va > 0.0 && vb > 0.0 && vc > 0.0) {
    double sum = va + vb + vc;
    s->c[0].weight = va / sum;
    s->c[1].weight = vb / sum;
    s->c[2].weight = vc / sum;
  } else if (d1 <= 0.0 && d2 <= 0.0) {
    keep(s, 0);
  } else if (d3 >= 0.0 && d4 <= d3) {
    keep(s, 1);
  } else if (d6 >= 0.0 && d5 <= d6) {
    keep(s, 2);
  } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
    reduce_to(s, 0, 1);
  } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
    reduce_to(s, 0, 2);
  } else if (va <= 0.0 && d4 >= d3 && d5 >= d6) {
    reduce_to(s, 1, 2);
  } else {
    closest_boundary(s);
  }
}

/// False when the origin is inside the tetrahedron.
static bool closest_tetrahedron(simplex_t * s)
{
  static const int faces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  simplex_t best = *s;
  double least = INFINITY;
  bool inside = true;
  for (int f = 0; f < 4; f++) {
    vec3_t a = s->c[faces[f][0]].w;
    vec3_t n = vec3_cross(
      vec3_sub(s->c[faces[f][1]].w, a), vec3_sub(s->c[faces[f][2]].w, a));
    vec3_t d = vec3_sub(s->c[faces[f][3]].w, a);
    double side = vec3_dot(n, d), origin = -vec3_dot(n, a);
    /* A flat tetrahedron has no inside: all its faces are tried. */
    bool flat = !(fabs(side) > 1e-10 * vec3_norm(n) * vec3_norm(d));
    if (!flat && side * origin > 0.0) {
      continue;
    }
    inside = false;
    simplex_t face = {.count = 3};
    for (int k = 0; k < 3; k++) {
      face.c[k] = s->c[faces[f][k]];
    }
    closest_triangle(&face);
    vec3_t v = closest_of(&face);
    if (vec3_dot(v, v) < least) {
      least = vec3_dot(v, v);
      best = face;
    }
  }
  *s = best;
  return !inside;
}

static bool simplex_solve(simplex_t * s)
{
  switch (s->count) {
    case 1:
      s->c[0].weight = 1.0;
      return true;
    case 2:
      closest_segment(s);
      return true;
    case 3:
      closest_triangle(s);
      return true;
    default:
      return closest_tetrahedron(s);
  }
}

static int support_of(const vec3_t * p, int count, vec3_t d)
{
  int best = 0;
  double most = vec3_dot(p[0], d);
  for (int i = 1; i < count; i++) {
    double value = vec3_dot(p[i], d);
    if (value > most) {
      most = value;
      best = i;
    }
  }
  return best;
}

static closest_t finish(const simplex_t * s, const vec3_t * a, const vec3_t * b, bool apart)
{
  closest_t out = {.distance = 0.0};
  for (int i = 0; i < s->count; i++) {
    out.a = vec3_add(out.a, vec3_scale(a[s->c[i].a], s->c[i].weight));
    out.b = vec3_add(out.b, vec3_scale(b[s->c[i].b], s->c[i].weight));
  }
  vec3_t v = vec3_sub(out.b, out.a);
  out.distance = apart ? vec3_norm(v) : 0.0;
  out.direction = vec3_scale(vec3_unit(v, vec3(1.0, 0.0, 0.0)), 1.0 - 0x1p-30);
  return out;
}

closest_t direction_between(const vec3_t * a, int count_a, const vec3_t * b, int count_b)
{
  simplex_t s = {.count = 0};
  vec3_t v = vec3_sub(a[0], b[0]);
  double size = 0.0;
  for (int round = 0; round < 32; round++) {
    int i = support_of(a, count_a, vec3_neg(v)), j = support_of(b, count_b, v);
    vec3_t w = vec3_sub(a[i], b[j]);
    double vv = vec3_dot(v, v);
    size = fmax(size, vec3_dot(w, w));
    bool repeated = false;
    for (int k = 0; k < s.count; k++) {
      repeated = repeated || (s.c[k].a == i && s.c[k].b == j);
    }
    if (s.count > 0 && (repeated || vv - vec3_dot(v, w) <= 1e-12 * vv)) {
      return finish(&s, a, b, true);
    }
    s.c[s.count++] = (corner_t) {w, i, j, 0.0};
    if (!simplex_solve(&s)) {
      return finish(&s, a, b, false);
    }
    v = closest_of(&s);
    if (!(vec3_dot(v, v) > 1e-28 * size)) {
      return finish(&s, a, b, false);
    }
  }
  return finish(&s, a, b, true);
}
