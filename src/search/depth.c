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

/* How deep two convex shapes overlap, and along which direction they part soonest (UNTRUSTED).
 *
 * The expanding polytope (van den Bergen 2001, "Proximity queries and penetration depth computation on
 * 3D game objects"): from a tetrahedron of differences b - a around the origin on, the face nearest to
 * the origin is pushed outwards until there is nothing beyond it. The direction against its normal is
 * the one along which the shapes overlap least. */

#include "search/gjk.h"

#include <math.h>

/* So many faces are kept, and so often one is pushed: then the best direction so far has to do. */
#define FACES 128
#define PUSHES 48
/* Metres by which a face may still move outwards. The kernel says what the direction is good for. */
#define FINE 1e-7

typedef struct face_s
{
  vec3_t p[3];       // seen from outside in the order of a left turn
  vec3_t normal;     // outwards, unit
  double away;       // of its plane from the origin
} face_t;

typedef struct polytope_s
{
  face_t faces[FACES];
  int count;
} polytope_t;

static bool add_face(polytope_t * x, vec3_t p, vec3_t q, vec3_t r)
{
  vec3_t normal = vec3_cross(vec3_sub(q, p), vec3_sub(r, p));
  double length = vec3_norm(normal);
  if (x->count == FACES || !(length > 1e-18)) {
    return false;
  }
  normal = vec3_scale(normal, 1.0 / length);
  x->faces[x->count++] = (face_t) {{p, q, r}, normal, vec3_dot(normal, p)};
  return true;
}

static bool begin(polytope_t * x, const search_vertex_t v[4])
{
  static const int faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  bool good = true;
  vec3_t edge = vec3_cross(vec3_sub(v[1].w, v[0].w), vec3_sub(v[2].w, v[0].w));
  bool turned = vec3_dot(edge, vec3_sub(v[3].w, v[0].w)) > 0.0;   // the fourth is to be behind
  for (int i = 0; i < 4 && good; i++) {
    const int * f = faces[i];
    good = add_face(x, v[f[0]].w, v[f[turned ? 2 : 1]].w, v[f[turned ? 1 : 2]].w);
  }
  return good;
}

static bool same(vec3_t a, vec3_t b)
{
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Takes the faces away that see the point, and closes the hole with faces that meet in it. The edges
/// of the hole are those that no second face that is taken away has.
static bool push(polytope_t * x, vec3_t point)
{
  vec3_t edges[3 * FACES][2];
  int count = 0;
  for (int i = 0; i < x->count; ) {
    const face_t f = x->faces[i];
    if (!(vec3_dot(f.normal, vec3_sub(point, f.p[0])) > 0.0)) {
      i++;
      continue;
    }
    x->faces[i] = x->faces[--x->count];
    for (int k = 0; k < 3; k++) {
      vec3_t from = f.p[k], to = f.p[(k + 1) % 3];
      int other = 0;
      while (other < count && !(same(edges[other][0], to) && same(edges[other][1], from))) {
        other++;
      }
      if (other < count) {
        count--;
        edges[other][0] = edges[count][0];
        edges[other][1] = edges[count][1];
      } else {
        edges[count][0] = from;
        edges[count++][1] = to;
      }
    }
  }
  bool good = count > 0;
  for (int i = 0; i < count && good; i++) {
    good = add_face(x, edges[i][0], edges[i][1], point);
  }
  return good;
}

bool search_depth(
  const search_shape_t * a, const search_shape_t * b, const search_distance_t * overlap, vec3_t * n)
{
  search_distance_t found = *overlap;
  polytope_t x = {.count = 0};
  double depth, least = INFINITY;
  if (!search_enclose_origin(a, b, &found, 1e-12, &depth) || !begin(&x, found.simplex)) {
    return false;
  }
  for (int i = 0; i < PUSHES; i++) {
    const face_t * nearest = &x.faces[0];
    for (int k = 1; k < x.count; k++) {
      nearest = x.faces[k].away < nearest->away ? &x.faces[k] : nearest;
    }
    vec3_t normal = nearest->normal;
    double away = nearest->away;
    vec3_t point = vec3_sub(
      search_shape_point(b, normal), search_shape_point(a, vec3_neg(normal)));
    double reach = vec3_dot(normal, point);
    if (reach < least) {
      least = reach;
      *n = vec3_neg(normal);
    }
    if (!(reach - away > FINE) || !push(&x, point)) {
      break;
    }
  }
  return isfinite(least);
}
