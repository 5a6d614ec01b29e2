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

/* Ball arithmetic, the motion and the frames: what arb_checker.c and arb_witness.c share. Numbers live
 * in the checker's pool until the next reset. */

#ifndef SUPPORT__ARB_FRAMES_H_
#define SUPPORT__ARB_FRAMES_H_

#include "support/arb_checker.h"

#ifdef VOUCH_HAVE_ARB

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BITS 128
#define POOL 400000

/* ---- numbers that live until the next reset ---- */

typedef arb_checker_t ac_t;
typedef struct
{
  arb_ptr x[3];
} av_t;
typedef struct
{
  arb_ptr r[9];
  av_t t;
} ap_t;

static inline arb_ptr fresh(ac_t * c)
{
  if (c->used == POOL) {
    fprintf(stderr, "arb checker: pool is used up\n");
    abort();
  }
  return c->pool + c->used++;
}

static inline arb_ptr num(ac_t * c, double value)
{
  arb_ptr x = fresh(c);
  arb_set_d(x, value);
  return x;
}

static inline arb_ptr add(ac_t * c, arb_srcptr x, arb_srcptr y)
{
  arb_ptr z = fresh(c);
  arb_add(z, x, y, BITS);
  return z;
}

static inline arb_ptr sub(ac_t * c, arb_srcptr x, arb_srcptr y)
{
  arb_ptr z = fresh(c);
  arb_sub(z, x, y, BITS);
  return z;
}

static inline arb_ptr mul(ac_t * c, arb_srcptr x, arb_srcptr y)
{
  arb_ptr z = fresh(c);
  arb_mul(z, x, y, BITS);
  return z;
}

static inline arb_ptr quotient(ac_t * c, arb_srcptr x, arb_srcptr y)
{
  arb_ptr z = fresh(c);
  arb_div(z, x, y, BITS);
  return z;
}

static inline arb_ptr size_of(ac_t * c, arb_srcptr x)
{
  arb_ptr z = fresh(c);
  arb_abs(z, x);
  return z;
}

static inline arb_ptr larger(ac_t * c, arb_srcptr x, arb_srcptr y)
{
  arb_ptr z = fresh(c);
  arb_max(z, x, y, BITS);
  return z;
}

static inline arb_ptr root(ac_t * c, arb_srcptr x)
{
  arb_ptr z = fresh(c);
  arb_sqrtpos(z, x, BITS);
  return z;
}

static inline av_t vec(ac_t * c, const double v[3])
{
  return (av_t) {{num(c, v[0]), num(c, v[1]), num(c, v[2])}};
}

static inline arb_ptr dot(ac_t * c, av_t a, av_t b)
{
  return add(c, add(c, mul(c, a.x[0], b.x[0]), mul(c, a.x[1], b.x[1])), mul(c, a.x[2], b.x[2]));
}

static inline arb_ptr norm(ac_t * c, av_t a)
{
  return root(c, dot(c, a, a));
}

static inline av_t vadd(ac_t * c, av_t a, av_t b)
{
  return (av_t) {{add(c, a.x[0], b.x[0]), add(c, a.x[1], b.x[1]), add(c, a.x[2], b.x[2])}};
}

static inline av_t vsub(ac_t * c, av_t a, av_t b)
{
  return (av_t) {{sub(c, a.x[0], b.x[0]), sub(c, a.x[1], b.x[1]), sub(c, a.x[2], b.x[2])}};
}

static inline av_t vmul(ac_t * c, av_t a, arb_srcptr s)
{
  return (av_t) {{mul(c, a.x[0], s), mul(c, a.x[1], s), mul(c, a.x[2], s)}};
}

static inline av_t cross(ac_t * c, av_t a, av_t b)
{
  av_t z;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    z.x[i] = sub(c, mul(c, a.x[j], b.x[k]), mul(c, a.x[k], b.x[j]));
  }
  return z;
}

static inline av_t turn(ac_t * c, const ap_t * p, av_t v)
{
  av_t z;
  for (int i = 0; i < 3; i++) {
    z.x[i] = dot(c, (av_t) {{p->r[3 * i], p->r[3 * i + 1], p->r[3 * i + 2]}}, v);
  }
  return z;
}

static inline av_t turn_back(ac_t * c, const ap_t * p, av_t v)
{
  av_t z;
  for (int i = 0; i < 3; i++) {
    z.x[i] = dot(c, (av_t) {{p->r[i], p->r[3 + i], p->r[6 + i]}}, v);
  }
  return z;
}

static inline ap_t compose(ac_t * c, const ap_t * a, const ap_t * b)
{
  ap_t z;
  for (int j = 0; j < 3; j++) {
    av_t column = turn(c, a, (av_t) {{b->r[j], b->r[3 + j], b->r[6 + j]}});
    for (int i = 0; i < 3; i++) {
      z.r[3 * i + j] = column.x[i];
    }
  }
  z.t = vadd(c, turn(c, a, b->t), a->t);
  return z;
}

static inline ap_t inverse(ac_t * c, const ap_t * a)
{
  ap_t z;
  for (int i = 0; i < 9; i++) {
    z.r[i] = a->r[i % 3 * 3 + i / 3];
  }
  z.t = vmul(c, turn_back(c, a, a->t), num(c, -1.0));
  return z;
}

/// Rotation of q/|q|, column by column: 2/n (w [v] + [v]^2) + 1.
static inline ap_t from_pose(ac_t * c, const vouch_pose_t * pose)
{
  const double zero[3] = {0, 0, 0};
  av_t v = vec(c, pose->rotation);
  arb_ptr w = num(c, pose->rotation[3]);
  arb_ptr s = quotient(c, num(c, 2.0), add(c, dot(c, v, v), mul(c, w, w)));
  ap_t z;
  for (int j = 0; j < 3; j++) {
    av_t e = vec(c, zero);
    arb_one(e.x[j]);
    av_t ve = cross(c, v, e);
    av_t column = vadd(c, e, vmul(c, vadd(c, vmul(c, ve, w), cross(c, v, ve)), s));
    for (int i = 0; i < 3; i++) {
      z.r[3 * i + j] = column.x[i];
    }
  }
  z.t = vec(c, pose->translation);
  return z;
}

/* ---- the motion ---- */

static inline const double * coefficients(const ac_t * c, uint32_t segment, uint32_t variable)
{
  const vouch_motion_part_t * m = &c->problem->motion;
  return m->coefficients + m->offsets[segment] + variable * (m->degrees[segment] + 1u);
}

/// Coefficient `ones` of the polynomial restricted to [t0, t1] (blossom).
static inline arb_ptr blossom(
  ac_t * c, uint32_t segment, uint32_t variable, uint64_t t0, uint64_t t1, uint32_t ones)
{
  uint32_t degree = c->problem->motion.degrees[segment];
  const double * b = coefficients(c, segment, variable);
  arb_ptr w[VOUCH_MAX_DEGREE + 1];
  for (uint32_t i = 0; i <= degree; i++) {
    w[i] = num(c, b[i]);
  }
  for (uint32_t level = 0; level < degree; level++) {
    arb_ptr s = num(c, (double)(level < ones ? t1 : t0) * 0x1p-50);
    arb_ptr rest = sub(c, num(c, 1.0), s);
    for (uint32_t i = 0; i + level < degree; i++) {
      w[i] = add(c, mul(c, w[i], rest), mul(c, w[i + 1], s));
    }
  }
  return w[0];
}

static inline bool is_start(const ac_t * c, uint32_t knot)
{
  const vouch_motion_part_t * m = &c->problem->motion;
  for (uint32_t v = 0; knot > 0 && v < m->variable_count; v++) {
    const double * before = coefficients(c, knot - 1u, v) + m->degrees[knot - 1u];
    if (memcmp(before, coefficients(c, knot, v), sizeof(double)) != 0) {
      return true;
    }
  }
  return knot == 0;
}

/* ---- frames ---- */

static inline arb_ptr joint_value(
  ac_t * c, const vouch_frame_t * f, uint32_t segment,
  uint64_t tick)
{
  arb_ptr q = blossom(c, segment, f->variable, tick, tick, 0);
  return add(c, mul(c, num(c, f->multiplier), q), num(c, f->offset));
}

static inline av_t axis_of(ac_t * c, const vouch_frame_t * f)
{
  av_t z = vec(c, f->axis);
  return vmul(c, z, quotient(c, num(c, 1.0), norm(c, z)));
}

static inline ap_t frame_pose(ac_t * c, uint32_t number, uint32_t segment, uint64_t tick)
{
  const vouch_frame_t * f = &c->problem->scene.frames[number];
  ap_t fixed = from_pose(c, &f->pose);
  if (number == 0) {
    return fixed;
  }
  ap_t parent = frame_pose(c, f->parent, segment, tick), pose = compose(c, &parent, &fixed);
  if (f->joint == VOUCH_JOINT_FIXED) {
    return pose;
  }
  av_t z = axis_of(c, f);
  arb_ptr q = joint_value(c, f, segment, tick);
  vouch_pose_t identity = vouch_pose_identity();
  ap_t move = from_pose(c, &identity);
  if (f->joint == VOUCH_JOINT_PRISMATIC) {
    move.t = vmul(c, z, q);
    return compose(c, &pose, &move);
  }
  arb_ptr s = fresh(c), k = fresh(c);
  arb_sin_cos(s, k, q, BITS);
  k = sub(c, num(c, 1.0), k);
  for (int j = 0; j < 3; j++) {   // Rodrigues: e + s z x e + (1 - cos) z x (z x e)
    av_t e = {{move.r[j], move.r[3 + j], move.r[6 + j]}};
    av_t ze = cross(c, z, e);
    e = vadd(c, e, vadd(c, vmul(c, ze, s), vmul(c, cross(c, z, ze), k)));
    for (int i = 0; i < 3; i++) {
      move.r[3 * i + j] = e.x[i];
    }
  }
  return compose(c, &pose, &move);
}

static inline uint32_t frame_of_b(const ac_t * c)
{
  return c->pair->kind == VOUCH_PAIR_GROUP ? 0 : c->problem->scene.bodies[c->pair->b].frame;
}

/// Pose of A's geometry in the frame of B.
static inline ap_t relative(ac_t * c, uint32_t segment, uint64_t tick)
{
  const vouch_body_t * a = &c->problem->scene.bodies[c->pair->a];
  ap_t pa = frame_pose(c, a->frame, segment, tick);
  ap_t pb = frame_pose(c, frame_of_b(c), segment, tick), back = inverse(c, &pb);
  ap_t placed = from_pose(c, &a->placement), both = compose(c, &back, &pa);
  return compose(c, &both, &placed);
}

/* ---- reading, refusing ---- */

static inline bool refuse(ac_t * c, const char * why)
{
  if (c->reason[0] == 0) {
    snprintf(c->reason, sizeof(c->reason), "%s", why);
  }
  return false;
}

static inline bool take(ac_t * c, void * out, size_t size)
{
  if (c->left < size) {
    return refuse(c, "ops end too early");
  }
  memcpy(out, c->ops, size);
  c->ops += size;
  c->left -= size;
  return true;
}

static inline bool take_direction(ac_t * c, double n[3])
{
  float f[3];
  if (!take(c, f, sizeof(f))) {
    return false;
  }
  for (int i = 0; i < 3; i++) {
    n[i] = (double)f[i];
  }
  return n[0] * n[0] + n[1] * n[1] + n[2] * n[2] <= 1.0 + 0x1p-21 ||
         refuse(c, "a direction is too long");
}

static inline int sign(arb_srcptr x)
{
  return arb_is_positive(x) ? 1 : arb_is_negative(x) ? -1 : 0;
}

/// Radii and height of a curved primitive: as it was read loosely, or from its size.
static inline void arb_checker_shape(const vouch_curved_t * curved, uint8_t kind, double shape[4])
{
  const double * s = curved->size, * given = curved->shape;
  bool ellipsoid = kind == VOUCH_PRIMITIVE_ELLIPSOID;
  const double own[4] = {s[0], ellipsoid ? s[1] : s[0], ellipsoid ? s[2] : 0.0,
    ellipsoid ? 0.0 : s[1]};
  bool loose = given[0] > 0.0 || given[1] > 0.0 || given[2] > 0.0 || given[3] > 0.0;
  memcpy(shape, loose ? given : own, sizeof(own));
}

/// A geometry somewhere.
typedef struct
{
  const vouch_geometry_t * g;
  ap_t pose;    // of the geometry in the frame of B
} placed_t;

static inline av_t reference(ac_t * c, const placed_t * x, uint32_t component)
{
  uint32_t i = 0;
  while (x->g->primitives[i].component != component) {
    i++;
  }
  const vouch_primitive_t * p = &x->g->primitives[i];
  const double * v = p->kind >= VOUCH_PRIMITIVE_CYLINDER ? x->g->curved[p->first].pose.translation :
    x->g->vertices[x->g->indices[p->first]];
  return vadd(c, turn(c, &x->pose, vec(c, v)), x->pose.t);
}

/* ---- arb_bounds.c ---- */

const vouch_geometry_t * arb_geometry_of(const ac_t * c, uint32_t body);
/// min over B of n . y.
arb_ptr arb_floor_of(ac_t * c, const arb_goal_t * goal, av_t n);
arb_ptr arb_gap_to(
  ac_t * c, const arb_goal_t * goal, av_t d, arb_srcptr floor, uint32_t segment, uint64_t tick);
/// [L1, L3, L10] C / |n|, l, tau.
bool arb_bounds(ac_t * c, const arb_goal_t * goal, arb_ptr out[3]);
arb_ptr arb_support_primitive(ac_t * c, const vouch_geometry_t * g, uint32_t number, av_t m);

#endif  // VOUCH_HAVE_ARB

#endif  // SUPPORT__ARB_FRAMES_H_
