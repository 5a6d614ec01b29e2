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

/* TRUSTED. The object-oriented metric in the space of affine displacements (Belta and Kumar 2002;
 * Schroecker and Weber 2014, section 2), in the form of its inertia ellipsoid.
 *
 * A metric is given by a point b, three (nearly) orthonormal vectors q_j and three lengths s_j:
 *   |alpha|^2 = |A b + a|^2 + sum_j s_j^2 |A q_j|^2           for alpha(x) = A x + a,
 * which is the metric of unit mass with barycentre b and inertia sum_j s_j^2 q_j q_j^T. Whatever
 * these numbers are, the distortion rate holds by Cauchy and Schwarz: with x - b = sum_j y_j q_j,
 *   alpha(x) = (A b + a) + sum_j (y_j / s_j) (s_j A q_j),  so
 *   |alpha(x)| <= rho(x) |alpha|,  rho(x)^2 = 1 + sum_j (y_j / s_j)^2 = 1 + |z(x)|^2.
 * So a proof does not depend on how well the ellipsoid fits the masses. */

#ifndef METHODS__METRIC_H_
#define METHODS__METRIC_H_

#include "geometry/vec.h"
#include "methods/rigid_motion.h"

typedef struct metric_s
{
  vec3_t centre;
  vec3_t q[3];
  double s[3];
  bool flat;      // a length was raised to 2^-20 of the largest: flat or straight masses
  /// A displacement of norm 1 in the metric of the masses (with what was raised) has at most this
  /// norm here; infinite when rounding hides it. Owed by tolerances, which are measured in theirs.
  double excess;
} metric_t;

/// From point masses (weights NULL: equal; they are scaled to sum 1). False when all points are
/// (nearly) one point, or a weight is not positive.
bool metric_from_points(
  metric_t * metric, const vec3_t * points, const double * weights, size_t count);

/// Draws the masses of a face away from its centre, between its own size and the body's. A displacement
/// that moves the centre by d and the masses about it by r has R rho = sqrt((d^2 + l^2 r^2)(1 + k / l^2))
/// at a corner when all is drawn out l times (k = 2 for corners): least at l^2 = sqrt(k) d / r, where it
/// is d + sqrt(k) r, as near as the displacement of the corner itself; d / r is about body / face.
void metric_draw_out(metric_t * face, const metric_t * body);

/// [M-Z] z(x) = (y_j / s_j): affine in x. Each component is off by at most *error.
vec3_t metric_z(const metric_t * metric, vec3_t x, double * error);

/// [M-RHO] An upper bound of rho(x).
double metric_rho(const metric_t * metric, vec3_t x);

/// [M-NORM] An upper bound of |alpha - beta|.
double metric_distance(
  const metric_t * metric, const vouch_affine_t * alpha, const vouch_affine_t * beta);

/// The image of a displacement in R^12, where the metric is the Euclidean one; rounded.
void metric_embed(const metric_t * metric, const vouch_affine_t * alpha, double out[12]);

#endif  // METHODS__METRIC_H_
