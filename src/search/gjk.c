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

#include "search/gjk.h"

#include <math.h>

#include "kernel/contact.h"
#include "kernel/derived.h"
#include "search/support_point.h"

/* Gilbert, Johnson, Keerthi (1988) on the difference of two shapes. All of it proposes: the kernel tests
 * each direction, and a tetrahedron, by itself. So a constant that is wrong here costs steps, leaves or
 * an UNDECIDED, never a wrong answer.
 *
 * Steps, each of which adds a vertex to the simplex. What was found when they run out is still a lower and
 * an upper bound; the goal is split where a better direction might have closed it. */
#define MAX_ITERATIONS 64

/* Squared metres. Vertices within 1e-14 m are the same: a support of shapes of a metre rounds by 1e-16 m
 * and more when it comes again from another direction, and one that came before cannot bring the simplex
 * nearer. Smaller: the loop turns until it runs out; larger: it ends early, with a rougher direction. */
#define SAME_VERTEX_SQUARE 1e-28

/* Squared metres. Nearer than 1e-13 m the direction is made of rounding alone: it counts as overlap, and
 * whether it is one is decided by a tetrahedron around the origin. */
#define TOUCHING_SQUARE 1e-26

/* Metres. Bounds that are as near as that are one: no margin is told as finely. */
#define SAME_DISTANCE 1e-12

/* Points of balls are taken so much inside, of their radius, that rounding leaves them there: what a
 * witness shows must belong to the body. */
#define INSIDE (1.0 - 1e-12)

/* A tetrahedron is exchanged for one that holds the origin deeper, by more than rounding makes of the
 * same one; so often at most: each time one vertex moves out to the surface. */
#define DEEPER (1.0 + 1e-9)
#define MAX_EXCHANGES 32

/// A childless node's epsilon is the radius of its balls.
static vec3_t ball_offset(const search_shape_t * shape, vec3_t m)
{
  const vouch_tree_node_t * node = &shape->geometry->nodes[shape->node];
  double radius =
    node->left == 0 ? kernel_derived(shape->geometry)->nodes[shape->node].epsilon : 0.0;
  double n = vec3_norm(m);
  return n > 0.0 ? vec3_scale(m, radius * INSIDE / n) : vec3(0.0, 0.0, 0.0);
}

vec3_t search_shape_point(const search_shape_t * shape, vec3_t d)
{
  if (shape->geometry == NULL) {
    return vec3(
      d.x > 0.0 ? shape->high.x : shape->low.x, d.y > 0.0 ? shape->high.y : shape->low.y,
      d.z > 0.0 ? shape->high.z : shape->low.z);
  }
  vec3_t m = shape->posed ? mat3_tmul_vec(&shape->pose.rotation, d) : d;
  vec3_t p = support_point(shape->geometry, shape->node, m, shape->coarse);
  if (shape->inflate) {
    p = vec3_add(p, ball_offset(shape, m));
  }
  return shape->posed ? rigid_apply(&shape->pose, p) : p;
}

/* ---- closest point of a simplex to the origin; keeps only the vertices that carry it ---- */

/// Numbers of found vertices: they stay where they are, whatever becomes of the simplex.
typedef struct simplex_s
{
  const search_vertex_t * all;
  int v[4];
  double weight[4];
  int count;
} simplex_t;

static vec3_t corner(const simplex_t * s, int i)
{
  return s->all[s->v[i]].w;
}

static vec3_t keep_one(simplex_t * s, int i)
{
  s->v[0] = s->v[i];
  s->weight[0] = 1.0;
  s->count = 1;
  return corner(s, 0);
}

static vec3_t keep_two(simplex_t * s, int i, int j, double t)
{
  vec3_t a = corner(s, i), b = corner(s, j);
  int first = s->v[i], second = s->v[j];
  s->v[0] = first;
  s->v[1] = second;
  s->weight[0] = 1.0 - t;
  s->weight[1] = t;
  s->count = 2;
  return vec3_add(a, vec3_scale(vec3_sub(b, a), t));
}

static vec3_t closest_segment(simplex_t * s)
{
  vec3_t a = corner(s, 0), ab = vec3_sub(corner(s, 1), a);
  double t = -vec3_dot(a, ab), length = vec3_dot(ab, ab);
  if (t <= 0.0 || length <= 0.0) {
    return keep_one(s, 0);
  }
  return t >= length ? keep_one(s, 1) : keep_two(s, 0, 1, t / length);
}

/// By the regions of Ericson (2005), section 5.1.5: corners and edges first, whose signs are decided by
/// fewer operations; the inside is what is left. A triangle without area gives its first corner.
static vec3_t closest_triangle(simplex_t * s)
{
  vec3_t a = corner(s, 0), b = corner(s, 1), c = corner(s, 2);
  vec3_t ab = vec3_sub(b, a), ac = vec3_sub(c, a);
  double d1 = -vec3_dot(ab, a), d2 = -vec3_dot(ac, a);
  if (d1 <= 0.0 && d2 <= 0.0) {
    return keep_one(s, 0);
  }
  double d3 = -vec3_dot(ab, b), d4 = -vec3_dot(ac, b);
  if (d3 >= 0.0 && d4 <= d3) {
    return keep_one(s, 1);
  }
  double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
    return keep_two(s, 0, 1, d1 / (d1 - d3));
  }
  double d5 = -vec3_dot(ab, c), d6 = -vec3_dot(ac, c);
  if (d6 >= 0.0 && d5 <= d6) {
    return keep_one(s, 2);
  }
  double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
    return keep_two(s, 0, 2, d2 / (d2 - d6));
  }
  double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
    return keep_two(s, 1, 2, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
  }
  vec3_t normal = vec3_cross(ab, ac);
  double scale = vec3_dot(normal, normal), sum = va + vb + vc;
  if (!(scale > 0.0 && sum != 0.0)) {
    return keep_one(s, 0);
  }
  s->weight[1] = vb / sum;
  s->weight[2] = vc / sum;
  s->weight[0] = 1.0 - s->weight[1] - s->weight[2];
  return vec3_scale(normal, vec3_dot(normal, a) / scale);
}

/// The nearest of the faces that have the origin on their outer side. True: none has, the origin is
/// inside. A face on which the fourth vertex lies (inner == 0) has no outer side and is looked at anyway:
/// else a flat tetrahedron would count as one around the origin.
static bool closest_tetrahedron(simplex_t * s, vec3_t * closest)
{
  static const int faces[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  double best = INFINITY;
  simplex_t found = *s;
  for (int f = 0; f < 4; f++) {
    vec3_t a = corner(s, faces[f][0]), d = corner(s, faces[f][3]);
    vec3_t normal = vec3_cross(
      vec3_sub(corner(s, faces[f][1]), a), vec3_sub(corner(s, faces[f][2]), a));
    double inner = vec3_dot(vec3_sub(d, a), normal), origin = -vec3_dot(a, normal);
    if (inner * origin < 0.0 || inner == 0.0) {
      simplex_t face = {.all = s->all, .count = 3,
        .v = {s->v[faces[f][0]], s->v[faces[f][1]], s->v[faces[f][2]]}};
      vec3_t p = closest_triangle(&face);
      if (vec3_dot(p, p) < best) {
        best = vec3_dot(p, p);
        found = face;
        *closest = p;
      }
    }
  }
  *s = found;
  return best == INFINITY;
}

static bool closest_point(simplex_t * s, vec3_t * closest)
{
  switch (s->count) {
    case 1:
      *closest = keep_one(s, 0);
      return false;
    case 2:
      *closest = closest_segment(s);
      return false;
    case 3:
      *closest = closest_triangle(s);
      return false;
    default:
      return closest_tetrahedron(s, closest);
  }
}

static bool known(const simplex_t * s, vec3_t w)
{
  for (int i = 0; i < s->count; i++) {
    vec3_t d = vec3_sub(corner(s, i), w);
    if (vec3_dot(d, d) < SAME_VERTEX_SQUARE) {
      return true;
    }
  }
  return false;
}

static void support(
  const search_shape_t * a, const search_shape_t * b, vec3_t v, search_vertex_t * vertex)
{
  vertex->a = search_shape_point(a, v);
  vertex->b = search_shape_point(b, vec3_neg(v));
  vertex->w = vec3_sub(vertex->b, vertex->a);
}

static void finish(search_distance_t * out, const simplex_t * s)
{
  out->count = s->count;
  out->point_a = out->point_b = vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < s->count; i++) {
    const search_vertex_t * v = &s->all[s->v[i]];
    out->simplex[i] = *v;
    out->weights[i] = s->weight[i];
    out->point_a = vec3_add(out->point_a, vec3_scale(v->a, s->weight[i]));
    out->point_b = vec3_add(out->point_b, vec3_scale(v->b, s->weight[i]));
  }
}

/// Lower and upper bound say all that was asked.
static bool answered(const search_distance_t * out, const search_stop_t * stop)
{
  return out->upper - out->lower <= fmax(stop->relative * out->upper, SAME_DISTANCE) ||
         (out->lower > stop->apart && (out->lower >= stop->enough || out->upper < stop->enough));
}

/* v is the point of the simplex nearest to the origin. The support against it bounds the distance from
 * below by the plane through it, |v| bounds it from above; the best lower bound keeps its direction, which
 * need not be that of the last step. The loop ends when both say what was asked, when the support is known
 * already, or when v does not come nearer: then rounding decides, not the shapes. */
search_distance_t search_distance_until(
  const search_shape_t * a, const search_shape_t * b, vec3_t guess, const search_stop_t * stop)
{
  search_distance_t out;
  search_vertex_t all[MAX_ITERATIONS];
  simplex_t s = {.all = all, .count = 0};
  vec3_t v = vec3_unit(guess, vec3(1.0, 0.0, 0.0));
  double square = INFINITY;
  out.lower = -INFINITY;
  out.upper = INFINITY;
  out.direction = guess;
  out.overlap = false;
  for (int i = 0; i < MAX_ITERATIONS; i++) {
    support(a, b, v, &all[i]);
    double length = vec3_norm(v), lower = vec3_dot(v, all[i].w) / length;
    if (lower > out.lower) {
      out.lower = lower;
      out.direction = vec3_scale(v, 1.0 / length);
    }
    if (s.count > 0 && (answered(&out, stop) || known(&s, all[i].w))) {
      break;
    }
    simplex_t next = s;
    next.v[next.count++] = i;
    if (closest_point(&next, &v)) {
      out.overlap = true;
      out.upper = 0.0;
      s = next;
      s.weight[0] = s.weight[1] = s.weight[2] = s.weight[3] = 0.25;
      break;
    }
    double now = vec3_dot(v, v);
    if (!(now < square)) {
      break;
    }
    s = next;
    square = now;
    out.upper = sqrt(square);
    if (square < TOUCHING_SQUARE) {
      out.overlap = true;
      break;
    }
  }
  finish(&out, &s);
  return out;
}

search_distance_t search_distance(
  const search_shape_t * a, const search_shape_t * b, vec3_t guess, double relative)
{
  search_stop_t stop = {.relative = relative, .apart = INFINITY};
  return search_distance_until(a, b, guess, &stop);
}

/* ---- a tetrahedron around the origin that is not thin ---- */

/// GJK may end with fewer vertices than four: with the origin on an edge, or nearly. The others are the
/// farthest ones across what is there, to the side where more of the difference lies.
static bool tetrahedron_from(
  const search_shape_t * a, const search_shape_t * b, search_distance_t * found)
{
  static const vec3_t axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  while (found->count < 4) {
    const search_vertex_t * v = found->simplex;
    vec3_t normal = axes[0];
    if (found->count == 3) {
      normal = vec3_cross(vec3_sub(v[1].w, v[0].w), vec3_sub(v[2].w, v[0].w));
    } else if (found->count == 2) {
      vec3_t edge = vec3_sub(v[1].w, v[0].w);
      int least = fabs(edge.x) < fabs(edge.y) ? (fabs(edge.x) < fabs(edge.z) ? 0 : 2) :
        (fabs(edge.y) < fabs(edge.z) ? 1 : 2);
      normal = vec3_cross(edge, axes[least]);
    }
    search_vertex_t up, down;
    support(a, b, vec3_neg(normal), &up);
    support(a, b, normal, &down);
    double above = vec3_dot(normal, vec3_sub(up.w, v[0].w));
    double below = vec3_dot(normal, vec3_sub(v[0].w, down.w));
    if (!(fmax(above, below) > 0.0)) {
      return false;
    }
    found->simplex[found->count++] = above >= below ? up : down;
  }
  return true;
}

/// How deep the origin lies in the tetrahedron; -1: not inside, or not for certain.
static double thinness(const search_vertex_t v[4], double error)
{
  vec3_t w[4] = {v[0].w, v[1].w, v[2].w, v[3].w};
  double depth;
  return kernel_contains_origin(w, error, &depth) ? depth : -1.0;
}

/// Pushes the nearest face outwards and keeps the tetrahedron that holds the origin best. In vain
/// where the shapes overlap by no more than the error: they may only touch.
static bool improve(
  const search_shape_t * a, const search_shape_t * b, double error, search_vertex_t v[4],
  double * best)
{
  static const int faces[4][4] = {{1, 2, 3, 0}, {0, 3, 2, 1}, {0, 1, 3, 2}, {0, 2, 1, 3}};
  search_vertex_t found[4];
  bool better = false;
  for (int f = 0; f < 4; f++) {
    vec3_t p = v[faces[f][0]].w, q = v[faces[f][1]].w, r = v[faces[f][2]].w;
    vec3_t normal = vec3_cross(vec3_sub(q, p), vec3_sub(r, p));
    normal = vec3_dot(normal, vec3_sub(v[faces[f][3]].w, p)) > 0.0 ? vec3_neg(normal) : normal;
    search_vertex_t outer;
    support(a, b, vec3_neg(normal), &outer);
    if (!(vec3_dot(normal, outer.w) > error * vec3_norm(normal))) {
      return false;
    }
    for (int i = 0; i < 4; i++) {
      search_vertex_t trial[4] = {v[0], v[1], v[2], v[3]};
      trial[i] = outer;
      double depth = thinness(trial, 0.0);
      if (depth > *best * DEEPER) {
        *best = depth;
        memcpy(found, trial, sizeof(found));
        better = true;
      }
    }
  }
  if (better) {
    memcpy(v, found, sizeof(found));
  }
  return better;
}

/// The common point: the origin's barycentric coordinates in the tetrahedron.
static void find_common_point(search_distance_t * found)
{
  static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  double sum = 0.0;
  search_vertex_t v[4];
  memcpy(v, found->simplex, sizeof(v));
  simplex_t s = {.all = v, .count = 4};
  for (int i = 0; i < 4; i++) {
    s.v[i] = i;
    s.weight[i] = vec3_dot(
      v[faces[i][0]].w, vec3_cross(v[faces[i][1]].w, v[faces[i][2]].w));
    sum += s.weight[i];
  }
  for (int i = 0; i < 4; i++) {
    s.weight[i] /= sum;
  }
  finish(found, &s);
}

bool search_enclose_origin(
  const search_shape_t * a, const search_shape_t * b, search_distance_t * found, double error,
  double * depth)
{
  if (!tetrahedron_from(a, b, found)) {
    return false;
  }
  double best = thinness(found->simplex, 0.0);
  for (int i = 0; i < MAX_EXCHANGES; i++) {
    vec3_t w[4] = {found->simplex[0].w, found->simplex[1].w, found->simplex[2].w,
      found->simplex[3].w};
    if (kernel_contains_origin(w, error, depth)) {
      find_common_point(found);
      return true;
    }
    if (!improve(a, b, error, found->simplex, &best)) {
      return false;
    }
  }
  return false;
}
