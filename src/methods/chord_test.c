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

/* TRUSTED. See chord_test.h.
 *
 * Bezier. With h = support(B) - N (extra + E) the function w(s) (h - n.x(s)) is the polynomial with
 * Bernstein coefficients c_i = w_i h - n.(wA)_i x - n.(wa)_i, linear in x. It is positive where
 * the gap is. Two sufficient conditions, for all x in the node at once:
 *   [C-HULL]  all c_i > 0;
 *   [C-CHORD] with C = d(d-1)/2 max(0, max second difference of c_i): the polynomial is at least
 *             (1-s) c_0 + s c_d - s(1-s) C.
 * The gap itself is at least the polynomial's bound divided by the largest weight.
 *
 * Screw. |x''| <= (b h)^2 r for a point at distance r from the axis, so C = N (b h)^2 r / 2 with the
 * two end gaps. */

#include "methods/chord_test.h"

#include "base/fpguard.h"

/* [C-E] Displacements err by piece->error; the dot products of supports and of the coefficients c_i
 * by less than 2^-46 of the sizes that enter, for which 1e-11 of the largest of them is charged, in
 * each coefficient over its weight; w h by the error of w, where |h| is at most twice the largest
 * size wherever a gap is positive. The jump to the begin of a segment is owed there. */
double chord_rounding(
  const motion_piece_t * piece, const vouch_rigid_body_t * moving,
  const vouch_rigid_body_t * fixed)
{
  double size = fmax(1.0, fmax(fixed->reach, piece->size[0] * moving->reach + piece->size[1]));
  const double * stated = piece->segment->error;
  double e = (piece->error[0] + stated[0]) * moving->reach + piece->error[1] + stated[1] +
    1e-11 * size;
  if (piece->segment->kind == SEGMENT_BEZIER) {
    double least = piece->weight[0], most = piece->weight[1];
    e += 4.0 * piece->coefficient_error[0] / least * 2.0 * size + 1e-11 * size * (most / least);
  }
  if (piece->from == 0.0) {
    e += piece->segment->jump[0] * moving->reach + piece->segment->jump[1];
  }
  return e;
}

double node_support(
  const vouch_rigid_body_t * body, uint32_t node, const vouch_affine_t * g, vec3_t n)
{
  const body_node_t * box = &body->nodes[node];
  vec3_t m = affine_tmul(g, n);
  double shift = vec3_dot(n, vec3_from(&g->m[9]));
  if (body_node_is_leaf(box)) {
    double best = vec3_dot(m, body_vertex(body, box->triangle, 0));
    best = fmax(best, vec3_dot(m, body_vertex(body, box->triangle, 1)));
    return shift + fmax(best, vec3_dot(m, body_vertex(body, box->triangle, 2)));
  }
  return shift + vec3_dot(m, box->centre) + fabs(m.x) * box->half.x + fabs(m.y) * box->half.y +
         fabs(m.z) * box->half.z;
}

double node_support_low(const vouch_rigid_body_t * body, uint32_t node, vec3_t n)
{
  const body_node_t * box = &body->nodes[node];
  if (body_node_is_leaf(box)) {
    double best = vec3_dot(n, body_vertex(body, box->triangle, 0));
    best = fmin(best, vec3_dot(n, body_vertex(body, box->triangle, 1)));
    return fmin(best, vec3_dot(n, body_vertex(body, box->triangle, 2)));
  }
  return vec3_dot(n, box->centre) - fabs(n.x) * box->half.x - fabs(n.y) * box->half.y -
         fabs(n.z) * box->half.z;
}

static bool direction_ok(vec3_t n)
{
  return vec3_dot(n, n) <= 1.0 + 0x1p-21;
}

static bool gap_sane(double gap)
{
  return gap > 0.0 && gap < 1e9;
}

double plane_gap(const node_pair_t * pair, const vouch_affine_t * g, double rounding, vec3_t n)
{
  double gap = node_support_low(pair->fixed, pair->b, n) -
    node_support(pair->moving, pair->a, g, n) - (pair->extra + rounding) * DIRECTION_NORM;
  return direction_ok(n) && gap_sane(gap) ? gap / DIRECTION_NORM : -1.0;
}

/* [C-CHORD] Requires g_a, g_b > 0. The minimum of (1-s) g_a + s g_b - s(1-s) C over [0,1], or -1
 * when it is not positive. The last factor covers the rounding of this formula. */
static double chord_minimum(double g_a, double g_b, double c)
{
  double low;
  if (!(g_a > 0.0) || !(g_b > 0.0) || !(c >= 0.0)) {
    return -1.0;
  }
  if (c <= fabs(g_a - g_b)) {
    low = fmin(g_a, g_b);
  } else {
    double slope = c + g_a - g_b;
    low = g_a - slope * slope / (4.0 * c) - 0x1p-48 * (g_a + c);
  }
  return low > 0.0 ? low * (1.0 - 0x1p-48) : -1.0;
}

static double screw_chord(
  const node_pair_t * pair, const motion_piece_t * piece, double rounding, vec3_t n,
  double * need)
{
  const rigid_segment_t * segment = piece->segment;
  const body_node_t * box = &pair->moving->nodes[pair->a];
  vec3_t arm = vec3_sub(affine_apply(&piece->at[0], box->centre), vec3_from(segment->screw.point));
  double off = vec3_norm(vec3_cross(segment->axis, arm));
  /* The distance from the axis errs by the displacement's error and by rounding. */
  double radius = (off + box->radius + rounding + 0x1p-40 * vec3_norm(arm)) * (1.0 + 0x1p-40);
  double turn = segment->screw.angle * (piece->to - piece->from);
  double c = DIRECTION_NORM * 0.5 * turn * turn * radius * (1.0 + 0x1p-40);
  double low = node_support_low(pair->fixed, pair->b, n);
  double charge = (pair->extra + rounding) * DIRECTION_NORM;
  double g_a = low - node_support(pair->moving, pair->a, &piece->at[0], n) - charge;
  double g_b = low - node_support(pair->moving, pair->a, &piece->at[2], n) - charge;
  if (need != NULL) {
    *need = c;
  }
  return chord_minimum(g_a, g_b, c);
}

typedef struct second_s
{
  double value;
  vec3_t spread;
} second_t;

/// c_i at the point p, and the vector by which it changes with x.
static second_t coefficient(const double h[13], vec3_t n, double level, vec3_t p)
{
  vec3_t m = vec3(
    h[1] * n.x + h[4] * n.y + h[7] * n.z, h[2] * n.x + h[5] * n.y + h[8] * n.z,
    h[3] * n.x + h[6] * n.y + h[9] * n.z);
  double value = h[0] * level - vec3_dot(m, p) - (n.x * h[10] + n.y * h[11] + n.z * h[12]);
  return (second_t) {value, m};
}

static double spread_in(vec3_t spread, vec3_t half)
{
  return fabs(spread.x) * half.x + fabs(spread.y) * half.y + fabs(spread.z) * half.z;
}

/* The lower bound of the polynomial for all x in p +- half. */
static double bezier_bound(
  const motion_piece_t * piece, vec3_t n, double level, const vec3_t point_half[2], double slack,
  double * need)
{
  size_t degree = piece->segment->degree;
  vec3_t half = point_half[1];
  second_t c[3];
  double ends[2] = {0.0, 0.0}, hull = INFINITY, bend = 0.0;
  for (size_t i = 0; i <= degree; i++) {
    second_t * now = &c[i % 3];
    *now = coefficient(piece->h[i], n, level, point_half[0]);
    double low = now->value - spread_in(now->spread, half);
    hull = low < hull ? low : hull;
    if (i == 0 || i == degree) {
      ends[i == degree] = low;
    }
    if (!isfinite(low)) {
      return -1.0;
    }
    if (i >= 2) {
      const second_t * last = &c[(i + 2) % 3], * before = &c[(i + 1) % 3];
      vec3_t v = vec3_add(
        vec3_sub(before->spread, vec3_scale(last->spread, 2.0)), now->spread);
      double d2 = before->value - 2.0 * last->value + now->value + spread_in(v, half) + slack;
      bend = d2 > bend ? d2 : bend;
    }
  }
  double curve = 0.5 * (double)(degree * (degree - (degree > 0))) * bend * (1.0 + 0x1p-40);
  *need = fmax(*need, curve);
  double chord = chord_minimum(ends[0], ends[1], curve);
  return hull > chord ? hull : chord;
}

static double bezier_chord(
  const node_pair_t * pair, const motion_piece_t * piece, double rounding, vec3_t n,
  double * need)
{
  const body_node_t * box = &pair->moving->nodes[pair->a];
  double low = node_support_low(pair->fixed, pair->b, n);
  double level = low - (pair->extra + rounding) * DIRECTION_NORM;
  const double * e = piece->coefficient_error;
  /* Errors of a second difference: four coefficients, and the rounding of their sum. */
  double slack = 32.0 * (e[1] * pair->moving->reach + e[2] + e[0] * fabs(level));
  double most = piece->weight[1] + e[0], bound, worst = 0.0;
  if (body_node_is_leaf(box)) {
    bound = INFINITY;
    for (int k = 0; k < 3; k++) {
      const vec3_t point[2] = {body_vertex(pair->moving, box->triangle, k), {0.0, 0.0, 0.0}};
      double b = bezier_bound(piece, n, level, point, slack, &worst);
      bound = b < bound ? b : bound;
    }
  } else {
    const vec3_t point[2] = {box->centre, box->half};
    bound = bezier_bound(piece, n, level, point, slack, &worst);
  }
  if (need != NULL) {
    *need = worst / most;
  }
  return bound > 0.0 ? bound / (most * (1.0 + 0x1p-40)) : -1.0;
}

double chord_gap(
  const node_pair_t * pair, const motion_piece_t * piece, double rounding, vec3_t n,
  double * need)
{
  double gap = piece->segment->kind == SEGMENT_SCREW ?
    screw_chord(pair, piece, rounding, n, need) : bezier_chord(pair, piece, rounding, n, need);
  return direction_ok(n) && gap_sane(gap) ? gap / DIRECTION_NORM : -1.0;
}
