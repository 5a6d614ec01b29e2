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

/* Ball arithmetic, the motion and the frames: what the parts of the judge share. Numbers live in
 * the checker's pool until the next reset. */

#ifndef SUPPORT__ARB_FRAMES_H_
#define SUPPORT__ARB_FRAMES_H_

#include "support/arb_checker.h"

#ifdef VOUCH_HAVE_ARB

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BITS 128
#define POOL 400000
#define KEPT 2048
#define BOXES 512

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

/// Rotation of q/|q|, column by column: 2/n (w [v] + [v]^2) + 1.
static inline ap_t from_pose(ac_t * c, const double pose[7])
{
  const double zero[3] = {0, 0, 0};
  av_t v = vec(c, pose);
  arb_ptr w = num(c, pose[3]);
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
  z.t = vec(c, pose + 4);
  return z;
}

/* ---- the motion ---- */

/// Coefficient `ones` of the polynomial restricted to the ticks t0..t1 of the segment (blossom).
static inline arb_ptr blossom(
  ac_t * c, uint64_t segment, uint32_t variable, const uint64_t t[2], uint32_t ones)
{
  uint32_t degree = c->file->segments[segment].degree;
  const double * b = arb_coefficients(c->file, segment, variable);
  arb_ptr w[6];
  for (uint32_t i = 0; i <= degree; i++) {
    w[i] = num(c, b[i]);
  }
  for (uint32_t level = 0; level < degree; level++) {
    arb_ptr s = num(c, (double)t[level < ones] * 0x1p-44);
    arb_ptr rest = sub(c, num(c, 1.0), s);
    for (uint32_t i = 0; i + level < degree; i++) {
      w[i] = add(c, mul(c, w[i], rest), mul(c, w[i + 1], s));
    }
  }
  return w[0];
}

/* ---- frames ---- */

static inline av_t axis_of(ac_t * c, const arb_frame_t * f)
{
  av_t z = vec(c, f->axis);
  return vmul(c, z, quotient(c, num(c, 1.0), norm(c, z)));
}

/// Rodrigues: e + s z x e + (1 - cos) z x (z x e) for each column e.
static inline void turn_about(ac_t * c, ap_t * move, av_t z, arb_srcptr q)
{
  arb_ptr s = fresh(c), k = fresh(c);
  arb_sin_cos(s, k, q, BITS);
  k = sub(c, num(c, 1.0), k);
  for (int j = 0; j < 3; j++) {
    av_t e = {{move->r[j], move->r[3 + j], move->r[6 + j]}};
    av_t ze = cross(c, z, e);
    e = vadd(c, e, vadd(c, vmul(c, ze, s), vmul(c, cross(c, z, ze), k)));
    for (int i = 0; i < 3; i++) {
      move->r[3 * i + j] = e.x[i];
    }
  }
}

/// Pose of a frame in the world.
static inline ap_t found_pose(ac_t * c, uint32_t number, uint64_t tick, bool before);

/// Poses that were found lately are copied.
static inline ap_t frame_pose(ac_t * c, uint32_t number, uint64_t tick, bool before)
{
  const size_t slot =
    (number * UINT64_C(31) + (tick >> 20) * UINT64_C(7919) + tick + before) % KEPT;
  arb_kept_t * kept = &c->kept[slot];
  arb_ptr at = c->pool + POOL + 12 * slot;
  if (kept->serial == c->serial && kept->tick == tick && kept->frame == number &&
    kept->before == before)
  {
    ap_t p;
    for (int i = 0; i < 12; i++) {
      arb_ptr x = fresh(c);
      arb_set(x, at + i);
      *(i < 9 ? &p.r[i] : &p.t.x[i - 9]) = x;
    }
    return p;
  }
  const ap_t p = found_pose(c, number, tick, before);
  *kept = (arb_kept_t) {c->serial, tick, number, before};
  for (int i = 0; i < 12; i++) {
    arb_set(at + i, i < 9 ? p.r[i] : p.t.x[i - 9]);
  }
  return p;
}

static inline ap_t found_pose(ac_t * c, uint32_t number, uint64_t tick, bool before)
{
  static const double identity[7] = {0, 0, 0, 1, 0, 0, 0};
  const arb_frame_t * f = &c->file->frames[number];
  ap_t pose = from_pose(c, f->pose);
  if (f->joint != ARB_FIXED) {
    const uint64_t segment = (tick - before) / ARB_ONE, at = tick - segment * ARB_ONE;
    const uint64_t both[2] = {at, at};
    arb_ptr q = mul(c, num(c, f->multiplier), blossom(c, segment, f->variable, both, 0));
    q = add(c, q, num(c, f->offset));
    ap_t move = from_pose(c, identity);
    if (f->joint == ARB_PRISMATIC) {
      move.t = vmul(c, axis_of(c, f), q);
    } else {
      turn_about(c, &move, axis_of(c, f), q);
    }
    pose = compose(c, &pose, &move);
  }
  if (number == 0) {
    return pose;
  }
  ap_t parent = frame_pose(c, f->parent, tick, before);
  return compose(c, &parent, &pose);
}

static inline av_t place(ac_t * c, const ap_t * p, av_t x)
{
  return vadd(c, turn(c, p, x), p->t);
}

static inline av_t place_back(ac_t * c, const ap_t * p, av_t x)
{
  return turn_back(c, p, vsub(c, x, p->t));
}

/// Pose of a body in the world.
static inline ap_t body_pose(ac_t * c, uint32_t body, uint64_t tick, bool before)
{
  const arb_body_t * b = &c->file->bodies[body];
  const ap_t frame = frame_pose(c, b->frame, tick, before), placed = from_pose(c, b->placement);
  return compose(c, &frame, &placed);
}

/// Requires: the body is no plane or half-space.
static inline const arb_geometry_t * geometry_of(const ac_t * c, uint32_t body)
{
  return &c->file->geometries[c->file->bodies[body].geometry];
}

static inline bool is_group(const ac_t * c, uint32_t thing)
{
  return arb_group_of(c->file, thing) != ARB_NONE;
}

static inline bool is_plane(const ac_t * c, uint32_t thing)
{
  return !is_group(c, thing) && c->file->bodies[thing].kind != ARB_BODY;
}

static inline bool is_start(const ac_t * c, uint64_t tick)
{
  return tick % ARB_ONE == 0 && arb_is_start(c->file, tick / ARB_ONE);
}

/// The half-axes of a vertex; NULL: it has none.
static inline const double * round_of(const arb_geometry_t * g, uint32_t vertex)
{
  const uint32_t plain = g->vertex_count - g->round_count;
  return vertex < plain ? NULL : g->rounds[vertex - plain];
}

/* ---- reading, refusing ---- */

static inline bool refuse(ac_t * c, const char * why)
{
  if (c->verdict->reason[0] == 0) {
    snprintf(c->verdict->reason, sizeof(c->verdict->reason), "%s", why);
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
  return (fabs(n[0]) < 1e9 && fabs(n[1]) < 1e9 && fabs(n[2]) < 1e9) ||
         refuse(c, "a direction is none");
}

static inline int sign(arb_srcptr x)
{
  return arb_is_positive(x) ? 1 : arb_is_negative(x) ? -1 : 0;
}

/* ---- arb_witness.c ---- */

/// The witness of a collision shows one.
bool arb_shows(ac_t * c, const arb_proof_t * proof);

#endif  // VOUCH_HAVE_ARB

#endif  // SUPPORT__ARB_FRAMES_H_
