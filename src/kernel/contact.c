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

#include "kernel/contact.h"

#include <math.h>

#include "base/fpguard.h"
#include "kernel/derived.h"

static double one_norm(vec3_t a)
{
  return fabs(a.x) + fabs(a.y) + fabs(a.z);
}

/// [K-DET] Requires: b and c, and a unless `first_exact`, are off by at most `error` in each
///           coordinate.
/// Ensures:  the sign of a . (b x c) for all such a, b, c; 0: not decided.
/// Why:      with A, B, C the 1-norms of a, b, c, `error` added, the product moves by at most
///           error (A (B + C) + B C) and rounds by less than 16u A B C. NaN is larger than no bound.
static int sign_of_determinant(vec3_t a, vec3_t b, vec3_t c, double error, bool first_exact)
{
  double value = vec3_dot(a, vec3_cross(b, c));
  double na = one_norm(a) + (first_exact ? 0.0 : error);
  double nb = one_norm(b) + error, nc = one_norm(c) + error;
  double moved = error * (na * (nb + nc) + (first_exact ? 0.0 : nb * nc));
  double bound = 1.01 * moved + 0x1p-47 * na * nb * nc + 0x1p-900;
  return value > bound ? 1 : value < -bound ? -1 : 0;
}

/// [L8] Requires: `point` and the corners are off by at most `error` together.
/// Ensures:  the sign with which the ray crosses the triangle, 0: it does not; *clear = false: not
///           decided.
/// Why:      the line passes each edge on the side that a sign tells. Two sides that differ are a
///           miss, three equal ones a crossing, in front of the point if the point is on that side
///           too.
static int crossing(
  const vouch_geometry_t * g, const vouch_primitive_t * triangle, vec3_t point, double error,
  vec3_t ray, bool * clear)
{
  vec3_t p[3];
  for (uint32_t i = 0; i < 3; i++) {
    p[i] = vec3_sub(vec3_from(g->vertices[g->indices[triangle->first + i]]), point);
  }
  int s[3], plus = 0, minus = 0;
  for (int i = 0; i < 3; i++) {
    s[i] = sign_of_determinant(ray, p[i], p[(i + 1) % 3], error, true);
    plus += s[i] > 0;
    minus += s[i] < 0;
  }
  if (plus > 0 && minus > 0) {
    return 0;
  }
  if (plus != 3 && minus != 3) {
    *clear = false;
    return 0;
  }
  int ahead = sign_of_determinant(p[0], p[1], p[2], error, false);
  if (ahead == 0) {
    *clear = false;
    return 0;
  }
  return ahead == s[0] ? s[0] : 0;
}

/// Requires: `ray` is not 0.
/// Ensures:  true only if the ray misses the node's whole set.
/// Why:      the ball contains the set [K-NODE]; what is added is far above the rounding of a
///           distance.
static bool misses(const kernel_node_t * node, vec3_t point, double error, vec3_t ray)
{
  vec3_t to = vec3_sub(node->center, point);
  double along = vec3_dot(to, ray) / vec3_dot(ray, ray);
  vec3_t nearest = along > 0.0 ? vec3_scale(ray, along) : vec3(0.0, 0.0, 0.0);
  double distance = vec3_norm(vec3_sub(to, nearest));
  return distance > node->radius + 1e-6 * (1.0 + one_norm(to)) + 4.0 * error;
}

/// [L8] Why:      every triangle of the component that the ray may meet is in the sum; one that is
///           unclear, a ray of nearly no length, or a tree that is too deep for the stack leave the
///           answer open.
kernel_side_t kernel_ray_side(
  const vouch_geometry_t * g, uint32_t component, vec3_t point, double error, const float ray_[3])
{
  vec3_t ray = vec3((double)ray_[0], (double)ray_[1], (double)ray_[2]);
  uint32_t stack[256], top = 0;
  int sum = 0;
  bool clear = vec3_dot(ray, ray) > 0.25;
  stack[top++] = 0;
  while (top > 0 && clear) {
    const uint32_t number = stack[--top];
    const vouch_tree_node_t * node = &g->nodes[number];
    if (misses(&kernel_derived(g)->nodes[number], point, error, ray)) {
      continue;
    }
    if (node->left != 0) {
      if (top + 2u > 256u) {
        return KERNEL_UNCLEAR;
      }
      stack[top++] = node->left;
      stack[top++] = node->right;
      continue;
    }
    const vouch_primitive_t * primitive = &g->primitives[node->first];
    if (primitive->component == component && primitive->kind == VOUCH_PRIMITIVE_TRIANGLE) {
      sum += crossing(g, primitive, point, error, ray, &clear);
    }
  }
  return !clear ? KERNEL_UNCLEAR : sum == 0 ? KERNEL_OUTSIDE : KERNEL_INSIDE;
}

/// Distance of the origin from the plane of a triangle: told, not relied on.
static double face_distance(vec3_t a, vec3_t b, vec3_t c)
{
  vec3_t normal = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
  double n = vec3_norm(normal);
  return n > 0.0 ? fabs(vec3_dot(normal, a)) / n : 0.0;
}

/// [K-OVERLAP] Why:      by Cramer's rule the four determinants are, up to one factor, the
///           barycentric coordinates of the origin; all of one decided sign, it is inside whatever
///           the errors are.
bool kernel_contains_origin(const vec3_t w[4], double error, double * depth)
{
  static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  int sign = 0;
  *depth = INFINITY;
  for (int f = 0; f < 4; f++) {
    vec3_t a = w[faces[f][0]], b = w[faces[f][1]], c = w[faces[f][2]];
    int s = sign_of_determinant(a, b, c, error, false);
    if (s == 0 || (f > 0 && s != sign)) {
      return false;
    }
    sign = s;
    *depth = fmin(*depth, face_distance(a, b, c));
  }
  return true;
}
