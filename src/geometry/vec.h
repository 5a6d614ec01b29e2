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

/* Three-vectors, rotations and poses: small values, passed by value, no hidden normalisation. */

#ifndef GEOMETRY__VEC_H_
#define GEOMETRY__VEC_H_

#include <math.h>

#include "vouch/types.h"

typedef struct vec3_s
{
  double x, y, z;
} vec3_t;

/// Rotation matrix, rows in order: m[3 * row + column].
typedef struct mat3_s
{
  double m[9];
} mat3_t;

/// x -> rotation * x + translation
typedef struct rigid_s
{
  mat3_t rotation;
  vec3_t translation;
} rigid_t;

static inline vec3_t vec3(double x, double y, double z) {return (vec3_t) {x, y, z};}
static inline vec3_t vec3_from(const double v[3]) {return (vec3_t) {v[0], v[1], v[2]};}
static inline void vec3_store(vec3_t a, double v[3]) {v[0] = a.x; v[1] = a.y; v[2] = a.z;}
static inline vec3_t vec3_add(vec3_t a, vec3_t b) {return vec3(a.x + b.x, a.y + b.y, a.z + b.z);}
static inline vec3_t vec3_sub(vec3_t a, vec3_t b) {return vec3(a.x - b.x, a.y - b.y, a.z - b.z);}
static inline vec3_t vec3_scale(vec3_t a, double s) {return vec3(a.x * s, a.y * s, a.z * s);}
static inline vec3_t vec3_neg(vec3_t a) {return vec3(-a.x, -a.y, -a.z);}
static inline double vec3_dot(vec3_t a, vec3_t b) {return a.x * b.x + a.y * b.y + a.z * b.z;}
static inline vec3_t vec3_cross(vec3_t a, vec3_t b)
{
  return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double vec3_norm(vec3_t a) {return sqrt(vec3_dot(a, a));}

/// a/|a|, or `fallback` when |a| is not a positive normal number.
static inline vec3_t vec3_unit(vec3_t a, vec3_t fallback)
{
  double n = vec3_norm(a);
  return n > 1e-150 ? vec3_scale(a, 1.0 / n) : fallback;
}

static inline vec3_t mat3_mul_vec(const mat3_t * a, vec3_t v)
{
  const double * m = a->m;
  return vec3(
    m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
    m[6] * v.x + m[7] * v.y + m[8] * v.z);
}

/// transpose(a) * v
static inline vec3_t mat3_tmul_vec(const mat3_t * a, vec3_t v)
{
  const double * m = a->m;
  return vec3(
    m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
    m[2] * v.x + m[5] * v.y + m[8] * v.z);
}

static inline mat3_t mat3_identity(void)
{
  return (mat3_t) {{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
}

static inline mat3_t mat3_mul(const mat3_t * a, const mat3_t * b)
{
  mat3_t c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      c.m[3 * i + j] = a->m[3 * i] * b->m[j] + a->m[3 * i + 1] * b->m[3 + j] +
        a->m[3 * i + 2] * b->m[6 + j];
    }
  }
  return c;
}

/// transpose(a) * b
static inline mat3_t mat3_tmul(const mat3_t * a, const mat3_t * b)
{
  mat3_t c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      c.m[3 * i + j] = a->m[i] * b->m[j] + a->m[3 + i] * b->m[3 + j] + a->m[6 + i] * b->m[6 + j];
    }
  }
  return c;
}

/// Rotation of the quaternion q/|q| (x, y, z, w).
mat3_t mat3_from_quaternion(const double q[4]);
/// Rotation by `angle` about axis/|axis| (Rodrigues).
mat3_t mat3_from_axis_angle(vec3_t axis, double angle);

static inline rigid_t rigid_identity(void)
{
  return (rigid_t) {.rotation = mat3_identity(), .translation = {0.0, 0.0, 0.0}};
}

rigid_t rigid_from_pose(const vouch_pose_t * pose);
static inline vec3_t rigid_apply(const rigid_t * a, vec3_t p)
{
  return vec3_add(mat3_mul_vec(&a->rotation, p), a->translation);
}
/// inverse(a) applied to p
static inline vec3_t rigid_unapply(const rigid_t * a, vec3_t p)
{
  return mat3_tmul_vec(&a->rotation, vec3_sub(p, a->translation));
}

/// a * b: first b, then a.
static inline rigid_t rigid_mul(const rigid_t * a, const rigid_t * b)
{
  return (rigid_t) {
           .rotation = mat3_mul(&a->rotation, &b->rotation),
           .translation = rigid_apply(a, b->translation),
  };
}

/// inverse(a) * b
static inline rigid_t rigid_relative(const rigid_t * a, const rigid_t * b)
{
  return (rigid_t) {
           .rotation = mat3_tmul(&a->rotation, &b->rotation),
           .translation = rigid_unapply(a, b->translation),
  };
}

/// q1 * q2 as quaternions (x, y, z, w).
void quaternion_mul(const double a[4], const double b[4], double out[4]);
/// From fixed-axis roll, pitch, yaw (URDF rpy).
void quaternion_from_rpy(const double rpy[3], double out[4]);
/// Pose product a * b with quaternions kept as they come (not renormalised beyond rounding).
vouch_pose_t pose_mul(const vouch_pose_t * a, const vouch_pose_t * b);

#endif  // GEOMETRY__VEC_H_
