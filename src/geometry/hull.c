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

#include "geometry/hull.h"

#include <math.h>

/* What bounds the time: so many chosen points, then another way is taken. */
enum {MOST_NEEDED = 1024, MOST_EXTREME = 4096};

/* ---- room ---- */

void vouch_hull_fini(vouch_hull_t * hull)
{
  vouch_cloud_fini(&hull->points, &hull->allocator);
  vouch_cloud_fini(&hull->chosen, &hull->allocator);
  vouch_free(&hull->allocator, hull->kept);
  vouch_free(&hull->allocator, hull->place);
  vouch_free(&hull->allocator, hull->mixtures);
  vouch_free(&hull->allocator, hull->size);
  vouch_free(&hull->allocator, hull->distance);
  vouch_free(&hull->allocator, hull->heap);
  *hull = (vouch_hull_t) {.allocator = hull->allocator};
}

/// As vouch_realloc, into *array, which is a pointer of any type.
static bool resize(const vouch_allocator_t * allocator, void * array, size_t count, size_t size)
{
  void * block;
  memcpy(&block, array, sizeof(block));
  block = vouch_realloc(allocator, block, count, size);
  if (block != NULL) {
    memcpy(array, &block, sizeof(block));
  }
  return block != NULL;
}

static bool make_room(vouch_hull_t * hull, size_t count)
{
  if (count <= hull->capacity) {
    return true;
  }
  const vouch_allocator_t * allocator = &hull->allocator;
  size_t capacity = count + count / 2 + 64;
  if (capacity > UINT32_MAX || !vouch_cloud_reserve(&hull->points, allocator, capacity) ||
    !vouch_cloud_reserve(&hull->chosen, allocator, capacity) ||
    !resize(allocator, &hull->kept, capacity, sizeof(hull->kept[0])) ||
    !resize(allocator, &hull->place, capacity, sizeof(hull->place[0])) ||
    !resize(allocator, &hull->mixtures, capacity, sizeof(hull->mixtures[0])) ||
    !resize(allocator, &hull->size, capacity, sizeof(hull->size[0])) ||
    !resize(allocator, &hull->distance, capacity, sizeof(hull->distance[0])) ||
    !resize(allocator, &hull->heap, capacity, sizeof(hull->heap[0])))
  {
    return false;
  }
  hull->capacity = (uint32_t)capacity;
  return true;
}

static double smaller(double a, double b) {return b < a ? b : a;}
static double larger(double a, double b) {return b > a ? b : a;}

bool vouch_hull_set_points(
  vouch_hull_t * hull, const double(*vertices)[3], const uint32_t * numbers, size_t count)
{
  if (!make_room(hull, count)) {
    return false;
  }
  vec3_t low = vec3(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = vec3_neg(low);
  for (size_t i = 0; i < count; ++i) {
    const double * v = vertices[numbers[i]];
    low = vec3(smaller(low.x, v[0]), smaller(low.y, v[1]), smaller(low.z, v[2]));
    high = vec3(larger(high.x, v[0]), larger(high.y, v[1]), larger(high.z, v[2]));
  }
  hull->origin = vec3_scale(vec3_add(low, high), 0.5);
  vouch_cloud_clear(&hull->points);
  for (size_t i = 0; i < count; ++i) {
    vouch_cloud_add(&hull->points, vec3_sub(vec3_from(vertices[numbers[i]]), hull->origin));
    hull->size[i] = 0.0;
  }
  return true;
}

/* ---- choosing ---- */

static void clear_chosen(vouch_hull_t * hull)
{
  vouch_cloud_clear(&hull->chosen);
  hull->kept_count = 0;
  for (uint32_t i = 0; i < hull->points.count; ++i) {
    hull->place[i] = VOUCH_NONE;
    hull->mixtures[i].count = 0;
  }
}

static void choose(vouch_hull_t * hull, uint32_t point)
{
  if (hull->place[point] != VOUCH_NONE) {
    return;
  }
  hull->place[point] = hull->kept_count;
  hull->kept[hull->kept_count++] = point;
  vouch_cloud_add(&hull->chosen, vouch_cloud_get(&hull->points, point));
}

/// The point that is farthest along `direction`. Of those within `slack` of it the one farthest
/// from `from`: a corner of a flat face, not a point in its middle.
static uint32_t farthest(const vouch_hull_t * hull, vec3_t direction, vec3_t from, double slack)
{
  const vouch_cloud_t * points = &hull->points;
  double low;
  uint32_t best = vouch_cloud_lowest(points, vec3_neg(direction), &low);
  double limit = -low - slack * vec3_norm(direction);
  double away = -1.0;
  for (uint32_t i = 0; i < points->count; ++i) {
    vec3_t p = vouch_cloud_get(points, i);
    if (vec3_dot(p, direction) >= limit) {
      vec3_t d = vec3_sub(p, from);
      double square = vec3_dot(d, d);
      if (square > away) {
        away = square;
        best = i;
      }
    }
  }
  return best;
}

/// The farthest points along the axes and the diagonals of the cube, both ways.
static void choose_seeds(vouch_hull_t * hull, double slack)
{
  static const double directions[7][3] = {
    {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}
  };
  for (int i = 0; i < 7; ++i) {
    vec3_t d = vec3_from(directions[i]);
    choose(hull, farthest(hull, d, vec3(0.0, 0.0, 0.0), slack));
    choose(hull, farthest(hull, vec3_neg(d), vec3(0.0, 0.0, 0.0), slack));
  }
}

/// As exactly as doubles allow, but no further than to see that a point is this far outside.
static vouch_nearest_options_t look_until(double enough)
{
  return (vouch_nearest_options_t) {.enough = enough, .relative = 1e-14};
}

static void remember(vouch_hull_t * hull, uint32_t point, const vouch_nearest_t * nearest)
{
  vouch_mixture_t * mixture = &hull->mixtures[point];
  mixture->count = nearest->count;
  for (uint32_t i = 0; i < nearest->count; ++i) {
    mixture->index[i] = nearest->index[i];
    mixture->weight[i] = nearest->weight[i];
  }
}

static void remember_kept(vouch_hull_t * hull)
{
  for (uint32_t i = 0; i < hull->kept_count; ++i) {
    hull->mixtures[hull->kept[i]] =
      (vouch_mixture_t) {.count = 1, .index = {i}, .weight = {1.0}};
  }
}

/// Chooses until this point is inside. What was chosen before stays, so mixtures stay valid.
static void settle(vouch_hull_t * hull, uint32_t point, double tolerance)
{
  vec3_t p = vouch_cloud_get(&hull->points, point);
  while (hull->place[point] == VOUCH_NONE) {
    vouch_nearest_t nearest = vouch_cloud_nearest(&hull->chosen, p, look_until(tolerance));
    if (!nearest.apart && nearest.distance <= tolerance) {
      remember(hull, point, &nearest);
      return;
    }
    vec3_t outwards = vec3_neg(nearest.offset);
    uint32_t next = farthest(hull, outwards, vec3_add(p, nearest.offset), tolerance);
    choose(hull, hull->place[next] == VOUCH_NONE ? next : point);
  }
}

/// False when too many are needed to go on; the mixtures are incomplete then.
static bool keep_needed(vouch_hull_t * hull, double tolerance)
{
  clear_chosen(hull);
  choose_seeds(hull, tolerance);
  for (uint32_t i = 0; i < hull->points.count; ++i) {
    if (hull->size[i] > tolerance) {
      choose(hull, i);
    }
  }
  for (uint32_t i = 0; i < hull->points.count; ++i) {
    if (hull->kept_count > MOST_NEEDED) {
      return false;
    }
    settle(hull, i, tolerance);
  }
  return true;
}

/* ---- choosing at most so many ----
 * The point that costs most is chosen next: how far it sticks out, plus its size. A distance
 * that was found for fewer chosen points is an upper bound for the present one, so only the
 * largest bound has to be looked at again: a heap of points by their bounds, the largest (of
 * equals the first point) at its root. */

static bool above(const vouch_hull_t * hull, uint32_t a, uint32_t b)
{
  double x = hull->distance[a], y = hull->distance[b];
  return x > y || (!(y > x) && a < b);
}

static void sift_down(vouch_hull_t * hull, uint32_t count, uint32_t i)
{
  uint32_t * heap = hull->heap;
  for (uint32_t child; (child = 2 * i + 1) < count; i = child) {
    if (child + 1 < count && above(hull, heap[child + 1], heap[child])) {
      child += 1;
    }
    if (!above(hull, heap[child], heap[i])) {
      return;
    }
    uint32_t point = heap[i];
    heap[i] = heap[child];
    heap[child] = point;
  }
}

/// The second largest bound.
static double runner_up(const vouch_hull_t * hull, uint32_t count)
{
  double left = count > 1 ? hull->distance[hull->heap[1]] : 0.0;
  double right = count > 2 ? hull->distance[hull->heap[2]] : 0.0;
  return larger(left, right);
}

static void choose_farthest(vouch_hull_t * hull, uint32_t limit, double tolerance)
{
  const vouch_nearest_options_t roughly = {.enough = HUGE_VAL, .relative = 0.05};
  uint32_t count = hull->points.count;
  for (uint32_t i = 0; i < count; ++i) {   // equal bounds in order of points: already a heap
    hull->distance[i] = HUGE_VAL;
    hull->heap[i] = i;
  }
  while (hull->kept_count < limit && hull->distance[hull->heap[0]] > tolerance) {
    uint32_t point = hull->heap[0];
    vec3_t p = vouch_cloud_get(&hull->points, point);
    double distance = hull->place[point] != VOUCH_NONE ? 0.0 :
      vouch_cloud_nearest(&hull->chosen, p, roughly).distance + hull->size[point];
    if (distance >= 0.9 * runner_up(hull, count) && distance > tolerance) {
      choose(hull, point);
      distance = 0.0;
    }
    hull->distance[point] = distance;
    sift_down(hull, count, 0);
  }
}

static void keep_best(vouch_hull_t * hull, uint32_t limit, double tolerance)
{
  clear_chosen(hull);
  choose_seeds(hull, tolerance);
  choose_farthest(hull, limit, tolerance);
  for (uint32_t i = 0; i < hull->points.count; ++i) {
    if (hull->place[i] == VOUCH_NONE) {
      vec3_t p = vouch_cloud_get(&hull->points, i);
      vouch_nearest_t nearest = vouch_cloud_nearest(&hull->chosen, p, look_until(HUGE_VAL));
      remember(hull, i, &nearest);
    }
  }
}

void vouch_hull_keep(vouch_hull_t * hull, uint32_t limit, double tolerance)
{
  if (!keep_needed(hull, tolerance) || hull->kept_count > limit) {
    keep_best(hull, limit, tolerance);
  }
  remember_kept(hull);
}

/* ---- all extreme points ---- */

/// Inside a tetrahedron of chosen points and not near its faces, or a copy of one of them: surely
/// not needed.
static bool surely_inside(const vouch_nearest_t * nearest)
{
  if (nearest->apart || nearest->count < 4) {
    return nearest->count == 1 && nearest->distance == 0.0;
  }
  for (int i = 0; i < 4; ++i) {
    if (!(nearest->weight[i] > 1e-9)) {
      return false;
    }
  }
  return true;
}

void vouch_hull_keep_all_extreme(vouch_hull_t * hull)
{
  clear_chosen(hull);
  choose_seeds(hull, 0.0);
  for (uint32_t i = 0; i < hull->points.count; ++i) {
    vec3_t p = vouch_cloud_get(&hull->points, i);
    while (hull->place[i] == VOUCH_NONE && hull->kept_count <= MOST_EXTREME) {
      vouch_nearest_t nearest = vouch_cloud_nearest(&hull->chosen, p, look_until(0.0));
      if (surely_inside(&nearest)) {
        break;
      }
      uint32_t next = i;
      if (nearest.apart) {
        next = farthest(hull, vec3_neg(nearest.offset), vec3_add(p, nearest.offset), 0.0);
      }
      choose(hull, hull->place[next] == VOUCH_NONE ? next : i);
    }
  }
  // With too many of them the rest is kept unless inside what was chosen so far.
  bool many = hull->kept_count > MOST_EXTREME;
  hull->kept_count = 0;
  for (uint32_t i = 0; i < hull->points.count; ++i) {
    bool keep = hull->place[i] != VOUCH_NONE;
    if (many && !keep) {
      vec3_t p = vouch_cloud_get(&hull->points, i);
      vouch_nearest_t nearest = vouch_cloud_nearest(&hull->chosen, p, look_until(0.0));
      keep = !surely_inside(&nearest);
    }
    if (keep) {
      hull->kept[hull->kept_count++] = i;
    }
  }
}
