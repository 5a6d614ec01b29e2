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

/* TRUSTED. See static_test.h.
 *
 * All signs are signs of determinants of differences of points that are known to `delta`. For
 * vectors of length at most L, each off by 2 delta, det(a, b, c) errs by less than 8 delta L^2 +
 * 2^-46 L^3, and d.(a x b) with |d| <= 1 by less than 8 delta L + 2^-46 L^2. Signs below that count
 * as unknown. */

#include "methods/static_test.h"

#include "base/fpguard.h"
#include "methods/direction.h"

static double volume(vec3_t a, vec3_t b, vec3_t c) {return vec3_dot(a, vec3_cross(b, c));}

/// -1, 1, or 0 for unknown.
static int sign_of(double value, double error)
{
  return value > error ? 1 : (value < -error ? -1 : 0);
}

static double longest(const vec3_t * v, int count)
{
  double most = 0.0;
  for (int i = 0; i < count; i++) {
    most = fmax(most, vec3_norm(v[i]));
  }
  return most;
}

/* [S-CROSS] Edge p q against triangle t: p and q on different sides of the plane, and the line p q
 * on the same side of all three edges. */
static bool edge_pierces(vec3_t p, vec3_t q, const vec3_t t[3], double delta, vec3_t * point)
{
  vec3_t v[4] = {
    vec3_sub(t[0], p), vec3_sub(t[1], p), vec3_sub(t[2], p), vec3_sub(q, p)
  };
  double l = longest(v, 4), error = 8.0 * delta * 4.0 * l * l + 0x1p-44 * l * l * l;
  double below = volume(v[0], v[1], v[2]);
  double above = volume(vec3_sub(v[0], v[3]), vec3_sub(v[1], v[3]), vec3_sub(v[2], v[3]));
  int side = sign_of(below, error);
  if (side == 0 || sign_of(above, 8.0 * error) != -side) {
    return false;
  }
  for (int k = 0; k < 3; k++) {
    if (sign_of(volume(v[3], v[k], v[(k + 1) % 3]), error) != side) {
      return false;
    }
  }
  double s = below / (below - above);
  *point = vec3_add(p, vec3_scale(v[3], s));
  return true;
}

bool static_triangles_cross(
  const static_query_t * query, uint32_t triangle_a, uint32_t triangle_b, vec3_t * point)
{
  vec3_t a[3], b[3];
  for (int k = 0; k < 3; k++) {
    a[k] = affine_apply(query->g, body_vertex(query->moving, triangle_a, k));
    b[k] = body_vertex(query->fixed, triangle_b, k);
  }
  for (int k = 0; k < 3; k++) {
    if (edge_pierces(a[k], a[(k + 1) % 3], b, query->rounding, point) ||
      edge_pierces(b[k], b[(k + 1) % 3], a, query->rounding, point))
    {
      return true;
    }
  }
  return false;
}

/* Crossings of the ray p + t d, t > 0, with one triangle: -1, 0, 1, or 2 for unknown. */
static int crossing(vec3_t p, vec3_t d, const vec3_t t[3], double delta)
{
  vec3_t v[3] = {vec3_sub(t[0], p), vec3_sub(t[1], p), vec3_sub(t[2], p)};
  double l = longest(v, 3), error = 8.0 * delta * l + 0x1p-46 * l * l;
  int s[3], most = -1, least = 1;
  for (int k = 0; k < 3; k++) {
    s[k] = sign_of(volume(d, v[k], v[(k + 1) % 3]), error);
    most = s[k] > most ? s[k] : most;
    least = s[k] < least ? s[k] : least;
  }
  if (most == 1 && least == -1) {
    return 0;
  }
  int ahead = sign_of(volume(v[0], v[1], v[2]), error * l);
  if (most == 1 && least == 1 && ahead != 0) {
    return ahead > 0 ? 1 : 0;
  }
  if (most == -1 && least == -1 && ahead != 0) {
    return ahead < 0 ? -1 : 0;
  }
  return 2;
}

/* One side of [S-INSIDE]: the winding number of component c of `body` (placed by g unless NULL)
 * around p.
 * 0 outside, 1 inside, -1 not decided by any of the rays. */
static int inside_component(
  const vouch_rigid_body_t * body, const vouch_affine_t * g, uint32_t c, vec3_t p, double delta)
{
  static const double rays[6][3] = {
    {0.137, 0.259, 0.951}, {-0.611, 0.333, 0.713}, {0.577, -0.789, 0.201},
    {0.901, 0.411, -0.113}, {-0.271, -0.533, -0.797}, {-0.873, 0.127, -0.463}
  };
  for (int r = 0; r < 6; r++) {
    int sum = 0;
    bool known = true;
    for (size_t t = 0; t < body->mesh.triangle_count && known; t++) {
      if (body->component[t] != c) {
        continue;
      }
      vec3_t v[3];
      for (int k = 0; k < 3; k++) {
        v[k] = body_vertex(body, (uint32_t)t, k);
        v[k] = g == NULL ? v[k] : affine_apply(g, v[k]);
      }
      int cross = crossing(p, vec3_from(rays[r]), v, delta);
      known = cross != 2;
      sum += cross;
    }
    if (known) {
      return sum != 0 ? 1 : 0;
    }
  }
  return -1;
}

/// p certainly outside the box of the component (of a body placed by g unless NULL)?
static bool outside_box(
  const body_component_t * c, const vouch_affine_t * g, vec3_t p, double delta)
{
  if (g == NULL) {
    return p.x < c->low.x - delta || p.y < c->low.y - delta || p.z < c->low.z - delta ||
           p.x > c->high.x + delta || p.y > c->high.y + delta || p.z > c->high.z + delta;
  }
  vec3_t centre = vec3_scale(vec3_add(c->low, c->high), 0.5);
  vec3_t half = vec3_scale(vec3_sub(c->high, c->low), 0.5 * (1.0 + 0x1p-40));
  vec3_t middle = affine_apply(g, centre);
  const double * m = g->m;
  double offset[3] = {p.x - middle.x, p.y - middle.y, p.z - middle.z};
  for (int k = 0; k < 3; k++) {
    double reach = fabs(m[3 * k]) * half.x + fabs(m[3 * k + 1]) * half.y +
      fabs(m[3 * k + 2]) * half.z;
    if (fabs(offset[k]) > reach + 2.0 * delta) {
      return true;
    }
  }
  return false;
}

static_answer_t static_containment(const static_query_t * query, static_witness_t * witness)
{
  const vouch_rigid_body_t * moving = query->moving, * fixed = query->fixed;
  for (uint32_t a = 0; a < moving->component_count; a++) {
    for (uint32_t b = 0; b < fixed->component_count; b++) {
      const body_component_t * ca = &moving->components[a], * cb = &fixed->components[b];
      vec3_t p = affine_apply(query->g, vec3_from(moving->mesh.vertices[ca->vertex]));
      vec3_t q = vec3_from(fixed->mesh.vertices[cb->vertex]);
      int inside = 0, holds = 0;
      if (cb->closed && !outside_box(cb, NULL, p, query->rounding)) {
        inside = inside_component(fixed, NULL, b, p, query->rounding);
      }
      if (inside == 0 && ca->closed && !outside_box(ca, query->g, q, query->rounding)) {
        holds = inside_component(moving, query->g, a, q, query->rounding);
      }
      if (inside == 1 || holds == 1) {
        witness->a = witness->b = inside == 1 ? p : q;
        witness->distance = 0.0;
        witness->triangle_a = witness->triangle_b = UINT32_MAX;
        return STATIC_OVERLAP;
      }
      if (inside != 0 || holds != 0) {
        return STATIC_UNKNOWN;
      }
    }
  }
  return STATIC_APART;
}

static void node_points(
  const vouch_rigid_body_t * body, uint32_t node, const vouch_affine_t * g, vec3_t out[8],
  int * count)
{
  const body_node_t * box = &body->nodes[node];
  *count = body_node_is_leaf(box) ? 3 : 8;
  for (int k = 0; k < *count; k++) {
    vec3_t v = *count == 3 ? body_vertex(body, box->triangle, k) : vec3(
      box->centre.x + (k & 1 ? box->half.x : -box->half.x),
      box->centre.y + (k & 2 ? box->half.y : -box->half.y),
      box->centre.z + (k & 4 ? box->half.z : -box->half.z));
    out[k] = g == NULL ? v : affine_apply(g, v);
  }
}

/* Surfaces: every pair of triangles lies beneath a pair of nodes that plane_gap() separates. */
static static_answer_t surfaces(
  const static_query_t * query, uint32_t a, uint32_t b, static_witness_t * witness)
{
  const body_node_t * na = &query->moving->nodes[a], * nb = &query->fixed->nodes[b];
  const node_pair_t pair = {query->moving, query->fixed, a, b, query->extra};
  vec3_t pa[8], pb[8];
  int count_a, count_b;
  node_points(query->moving, a, query->g, pa, &count_a);
  node_points(query->fixed, b, NULL, pb, &count_b);
  closest_t closest = direction_between(pa, count_a, pb, count_b);
  if (plane_gap(&pair, query->g, query->rounding, closest.direction) > 0.0) {
    return STATIC_APART;
  }
  bool leaf_a = body_node_is_leaf(na), leaf_b = body_node_is_leaf(nb);
  if (leaf_a && leaf_b) {
    vec3_t point = closest.a;
    static_answer_t answer = STATIC_UNKNOWN;
    if (static_triangles_cross(query, na->triangle, nb->triangle, &point)) {
      *witness = (static_witness_t) {na->triangle, nb->triangle, point, point, 0.0};
      answer = STATIC_OVERLAP;
    } else if (closest.distance > 0.0 && closest.distance + query->rounding < query->extra) {
      *witness = (static_witness_t) {
        na->triangle, nb->triangle, closest.a, closest.b, closest.distance
      };
      answer = STATIC_NEAR;
    }
    return answer;
  }
  bool down_a = leaf_b || (!leaf_a && na->radius >= nb->radius);
  uint32_t first = down_a ? na->left : nb->left, second = down_a ? na->right : nb->right;
  static_answer_t one = surfaces(query, down_a ? first : a, down_a ? b : first, witness);
  if (one == STATIC_OVERLAP) {
    return one;
  }
  static_witness_t other = *witness;
  static_answer_t two = surfaces(query, down_a ? second : a, down_a ? b : second, &other);
  if (two == STATIC_OVERLAP || (two == STATIC_NEAR && one != STATIC_NEAR) ||
    (two == STATIC_NEAR && other.distance < witness->distance))
  {
    *witness = other;
    return two;
  }
  return one == STATIC_NEAR ? one : (one == STATIC_APART ? two : STATIC_UNKNOWN);
}

static_answer_t static_test(const static_query_t * query, static_witness_t * witness)
{
  static_answer_t answer = surfaces(query, 0, 0, witness);
  if (answer == STATIC_OVERLAP) {
    return answer;
  }
  /* A point that is inside for certain is one wherever the surfaces may be. */
  static_answer_t inside = static_containment(query, witness);
  return inside == STATIC_APART || (inside == STATIC_UNKNOWN && answer == STATIC_NEAR) ?
         answer : inside;
}
