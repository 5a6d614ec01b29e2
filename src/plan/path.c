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
#include "plan/path.h"

/// A shortcut that saves less than this, in rad, is not worth an edge.
static const double WORTH = 1e-3;

static bool reserve(plan_path_t * p, size_t count)
{
  if (count <= p->capacity) {
    return true;
  }
  const size_t capacity = count < 16u ? 32u : 2u * count;
  double * values = vouch_realloc(
    &p->allocator, p->values, capacity, p->joints * sizeof(*values));
  if (values == NULL) {
    return false;
  }
  p->values = values;
  p->capacity = capacity;
  return true;
}

bool plan_path_add(plan_path_t * p, const double * q)
{
  if (!reserve(p, p->count + 1u)) {
    return false;
  }
  memcpy(plan_path_at(p, p->count++), q, p->joints * sizeof(*q));
  return true;
}

bool plan_path_replace(
  plan_path_t * p, size_t begin, size_t end, const double * points, size_t count)
{
  const size_t size = p->joints * sizeof(double), left = p->count - end;
  if (!reserve(p, begin + count + left)) {
    return false;
  }
  memmove(plan_path_at(p, begin + count), plan_path_at(p, end), left * size);
  if (count > 0) {
    memcpy(plan_path_at(p, begin), points, count * size);
  }
  p->count = begin + count + left;
  return true;
}

bool plan_path_copy(plan_path_t * to, const plan_path_t * from)
{
  to->joints = from->joints;
  if (!reserve(to, from->count)) {
    return false;
  }
  to->count = from->count;
  if (from->count > 0) {
    memcpy(to->values, from->values, from->count * from->joints * sizeof(double));
  }
  return true;
}

void plan_path_fini(plan_path_t * p)
{
  vouch_free(&p->allocator, p->values);
  p->values = NULL;
  p->count = p->capacity = 0;
}

static double length_of(const plan_path_t * p, const plan_space_t * s, size_t from, size_t to)
{
  double sum = 0.0;
  for (size_t i = from; i < to; i++) {
    sum += plan_distance(s, plan_path_at(p, i), plan_path_at(p, i + 1u));
  }
  return sum;
}

double plan_path_length(const plan_path_t * p, const plan_space_t * s)
{
  return p->count > 1u ? length_of(p, s, 0, p->count - 1u) : 0.0;
}

static bool is_idle(const plan_space_t * s, const double * a, const double * q, const double * b)
{
  const double whole = plan_distance(s, a, b);
  const double parts = plan_distance(s, a, q) + plan_distance(s, q, b);
  return (parts - whole <= 1e-12 * parts &&
         plan_is_short(s, a, b)) || plan_distance(s, a, q) <= 1e-9 ||
         plan_distance(s, q, b) <= 1e-9;
}

void plan_path_tidy(plan_path_t * p, const plan_space_t * s)
{
  size_t kept = 1;
  for (size_t i = 1; i + 1u < p->count; i++) {
    if (!is_idle(s, plan_path_at(p, kept - 1u), plan_path_at(p, i), plan_path_at(p, i + 1u))) {
      memmove(plan_path_at(p, kept++), plan_path_at(p, i), p->joints * sizeof(double));
    }
  }
  if (p->count > 1u) {
    memmove(plan_path_at(p, kept++), plan_path_at(p, p->count - 1u), p->joints * sizeof(double));
    p->count = kept;
  }
}

/// The point that lies `way` further than the point `from`; *edge: it is on the edge that ends there.
static void walk(
  const plan_path_t * p, const plan_space_t * s, size_t from, double way, double * q, size_t * edge)
{
  for (size_t i = from + 1u; i < p->count; i++) {
    const double * a = plan_path_at(p, i - 1u), * b = plan_path_at(p, i);
    const double length = plan_distance(s, a, b);
    if (way <= length || i + 1u == p->count) {
      plan_between(s, a, b, length > 0.0 ? fmin(1.0, way / length) : 0.0, q);
      *edge = i;
      return;
    }
    way -= length;
  }
}

/// Two points of the path, joined by an edge if that is shorter and proved.
static bool join(
  plan_path_t * p, plan_ask_t * ask, plan_random_t * random, size_t from, size_t * to)
{
  const plan_space_t * s = ask->space;
  double pair[2][PLAN_MAX_JOINTS], flat[2 * PLAN_MAX_JOINTS];
  size_t edges[2] = {0, 0};
  const double length = length_of(p, s, from, *to);
  double x = length * plan_random_unit(random), y = length * plan_random_unit(random);
  walk(p, s, from, fmin(x, y), pair[0], &edges[0]);
  walk(p, s, from, fmax(x, y), pair[1], &edges[1]);
  if (edges[0] == edges[1] || edges[1] > *to) {
    return true;
  }
  const double old = plan_distance(s, pair[0], plan_path_at(p, edges[0])) +
    length_of(p, s, edges[0], edges[1] - 1u) +
    plan_distance(s, plan_path_at(p, edges[1] - 1u), pair[1]);
  if (plan_distance(s, pair[0], pair[1]) > old - WORTH || !plan_ask_edge(ask, pair[0], pair[1])) {
    return true;
  }
  memcpy(flat, pair[0], p->joints * sizeof(double));
  memcpy(flat + p->joints, pair[1], p->joints * sizeof(double));
  *to = *to + 2u - (edges[1] - edges[0]);
  return plan_path_replace(p, edges[0], edges[1], flat, 2);
}

/// Leaves out what lies between two points, if the edge between them is proved.
static bool skip(
  plan_path_t * p, plan_ask_t * ask, size_t a, size_t b, size_t * to, bool * skipped)
{
  *skipped = false;
  const double old = length_of(p, ask->space, a, b);
  const double * x = plan_path_at(p, a), * y = plan_path_at(p, b);
  if (plan_distance(ask->space, x, y) > old - 1e-9 || !plan_ask_edge(ask, x, y)) {
    return true;
  }
  *skipped = true;
  *to -= b - a - 1u;
  return plan_path_replace(p, a + 1u, b, NULL, 0);
}

bool plan_path_shorten(
  plan_path_t * p, plan_ask_t * ask, plan_random_t * random, size_t from, size_t * to,
  uint32_t tries)
{
  bool skipped;
  for (uint32_t i = 0; i < tries && *to > from + 1u && !plan_ask_stopped(ask); i++) {
    bool fine;
    if (i % 3u == 0u) {
      size_t a = from + (size_t)(plan_random_unit(random) * (double)(*to - from + 1u));
      size_t b = from + (size_t)(plan_random_unit(random) * (double)(*to - from + 1u));
      const size_t low = a < b ? a : b, high = a < b ? b : a;
      fine = high < low + 2u || skip(p, ask, low, high, to, &skipped);
    } else {
      fine = join(p, ask, random, from, to);
    }
    if (!fine) {
      return false;
    }
  }
  return true;
}

double plan_path_distance(const plan_path_t * p, const plan_space_t * s, const double * q)
{
  double best = INFINITY;
  for (size_t i = 1; i < p->count; i++) {
    const double * a = plan_path_at(p, i - 1u), * b = plan_path_at(p, i);
    double along = 0.0, whole = 0.0, nearest[PLAN_MAX_JOINTS];
    for (uint32_t k = 0; k < s->count; k++) {
      const double w = s->weights[k] * s->weights[k];
      along += w * (q[k] - a[k]) * (b[k] - a[k]);
      whole += w * (b[k] - a[k]) * (b[k] - a[k]);
    }
    plan_between(s, a, b, whole > 0.0 ? fmin(1.0, fmax(0.0, along / whole)) : 0.0, nearest);
    best = fmin(best, plan_distance(s, nearest, q));
  }
  return best;
}
