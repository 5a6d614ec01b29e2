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

#include "search/search.h"

#include <math.h>

#include "search/contact.h"
#include "search/open.h"
#include "search/shape.h"

/* No direction is inherited: look at the boxes first. */
static const vec3_t NO_HINT = {0.0, 0.0, 0.0};

/* Directions are stored as float32 and must not be longer than 1 + 2^-22 or so. */
#define SHRINK (1.0 - 0x1p-22)

/* A pair is given up after so many open intervals: more would not tell a user more. */
#define MOST_OPEN 1024u

/* Where bodies may touch they must not be shorter than 1 - 2^-22 or so either. */
#define SHRINK_LITTLE (1.0 - 0x1p-23)
/* All of the following choose between steps that are each sound. They are chosen for few
 * tests a leaf; a wrong one costs time, never an answer. Lengths are in metres.
 *
 * One minus the cosine of two directions that no test tells apart: an angle of 1.4e-7, where float32
 * directions are 6e-8 apart. */
#define SAME_DIRECTION 1e-14
/* Squared metres: below a micrometre the way to a box has no direction worth a test. */
#define NO_WAY_SQUARE 1e-12
/* GJK stops at bounds that are so near each other, of the upper one: for a first direction, and where the
 * gap decides. The first need not be good, because the chord test takes up to four times the gap. */
#define ROUGH 0.1
#define FINE 1e-3
/* Of the bend: a gap at the middle from which on the chord test may hold (it needs a quarter of it). */
#define ENOUGH_OF_BEND 0.3
/* The motion hardly bends any more when the bend is this part of the gap: splitting it does not help. */
#define STALLED (1.0 / 256.0)
/* Bodies go on before time while the bend is below so many of their radii. */
#define BEND_OF_RADIUS 2.0
/* The same for a box of a group that the centre is outside of: where the bend takes more than that of the
 * distance, and is large against both, no direction will close it. */
#define GROUP_BEND_OF_DISTANCE 2.0
#define GROUP_BEND_OF_SIZES 0.6
/* ... and the part of the bend that the distance, less what A takes of it, has to exceed for a test. */
#define GROUP_TEST_FROM 0.22
/* ... and for two bodies, squared, and against their radii. */
#define BODIES_BEND_OF_DISTANCE_SQUARE 9.0
#define BODIES_BEND_OF_SIZES 0.45
/* Of A's thickness: so much of the distance to a box A takes at least, mostly. */
#define TAKEN_BY_A 0.9

/// Along a direction of that length.
static bool close_scaled(search_t * s, vec3_t n, double length)
{
  return kernel_close_chord(
    s->proof, vec3_scale(n, (kernel_may_touch(s->proof) ? SHRINK_LITTLE : SHRINK) / length));
}

static bool close_chord(search_t * s, vec3_t n)
{
  if (kernel_may_touch(s->proof)) {   // n may be one that was shortened before
    return kernel_close_chord(s->proof, vec3_scale(vec3_unit(n, n), SHRINK_LITTLE));
  }
  return kernel_close_chord(s->proof, vec3_scale(n, SHRINK));
}

/// The place where two nodes are remembered. What stands there may be about others.
static search_seen_t * place_of(const search_t * s, const kernel_goal_t * goal)
{
  uint32_t hash = goal->a * 2654435761u ^ goal->b * 2246822519u ^ goal->body_b * 3266489917u;
  return &s->seen[hash >> 16 & (SEARCH_SEEN - 1u)];
}

/// What was seen of the goal's nodes since the pair was opened; NULL: nothing. So what a pair's search
/// does depends on the pair alone, whoever searched before.
static const search_seen_t * recall(const search_t * s, const kernel_goal_t * goal)
{
  const search_seen_t * seen = place_of(s, goal);
  return seen->serial == kernel_view(s->proof)->serial && seen->a == goal->a &&
         seen->b == goal->b &&
         seen->body_b == goal->body_b ? seen : NULL;
}

static void remember(search_t * s, const kernel_goal_t * goal, vec3_t n, bool overlap)
{
  *place_of(
    s,
    goal) = (search_seen_t) {.serial = kernel_view(s->proof)->serial, .a = goal->a, .b = goal->b,
    .body_b = goal->body_b, .overlap = overlap, .n = n};
}

/// [L11] Metres that both sides grow during the interval, all of which is charged at both ends. Like the
/// bend it is less over less time.
static double widening(const search_t * s, const kernel_goal_t * goal)
{
  const kernel_proof_t * p = s->proof;
  if (!kernel_view(p)->scene->grows || s->mode == SEARCH_CLEARANCE) {
    return 0.0;
  }
  const kernel_timeline_t * t = &kernel_view(p)->timeline;
  return kernel_growth(p, goal) *
         (kernel_timeline_seconds(t, goal->interval, 1.0, KERNEL_UP) -
         kernel_timeline_seconds(t, goal->interval, 0.0, KERNEL_DOWN));
}

/// Closes the goal on top along n and remembers that.
static bool close_bodies(search_t * s, vec3_t n)
{
  const kernel_goal_t * goal = kernel_proof_goal(s->proof);
  if (!close_chord(s, n)) {
    return false;
  }
  remember(s, goal, n, false);   // off the stack, and still where it was
  return true;
}

static void handle_owed(search_t * s, kernel_step_result_t result, const kernel_goal_t * goal)
{
  switch (result) {
    case KERNEL_CONTAINMENT_UNCLEAR:
      search_leave_open(s, VOUCH_OPEN_CONTAINMENT, -1.0);
      break;
    case KERNEL_CONTAINED: {
        search_contact_t contact = search_contained(s, goal);
        search_take_contact(s, &contact);
        kernel_abandon(s->proof);
        break;
      }
    default:
      search_leave_open(s, VOUCH_OPEN_MEMORY, -1.0);
  }
}

/// Gap along n at one pose, with all charges.
static double gap_at(search_t * s, const kernel_goal_t * goal, const rigid_t * relative, vec3_t n)
{
  vec3_t m = mat3_tmul_vec(&relative->rotation, n);
  return kernel_support_b(s->proof, goal, n) - vec3_dot(n, relative->translation) -
         kernel_support(kernel_geometry_a(s->proof), goal->a, m) -
         kernel_charge(s->proof, goal) - kernel_rounding(s->proof);
}

/// Whether the goal's nodes are apart when its interval begins.
static bool begins_apart(search_t * s, const kernel_goal_t * goal)
{
  kernel_proof_t * p = s->proof;
  const rigid_t * poses = kernel_poses_begin(p, goal->interval);
  if (poses == NULL) {
    return false;
  }
  if (kernel_view(p)->kind == VOUCH_PAIR_PLANE) {
    search_contact_t contact;
    return search_plane(s, goal, poses, &contact) > kernel_charge(p, goal) + kernel_rounding(p);
  }
  rigid_t relative = kernel_relative(p, poses);
  search_shape_t a = search_shape_a(p, goal, &relative), b = search_shape_b(p, goal);
  search_distance_t found = search_distance(&a, &b, goal->hint, FINE);
  s->distance_queries++;
  return !found.overlap && gap_at(s, goal, &relative, found.direction) > 0.0;
}

/// Open meshes are not entered at a start: parts of the other body may be apart from their hull where
/// the whole is not, or all of it is for some time.
static void keep_open_whole(search_t * s, bool into_a)
{
  kernel_step_result_t result =
    into_a ? kernel_descend_b(s->proof) : kernel_descend_a(s->proof);
  const kernel_goal_t * goal = kernel_proof_goal(s->proof);
  if (result == KERNEL_REFUSED || result == KERNEL_OPEN_SURFACE) {
    if (!search_is_deep(s, goal) && begins_apart(s, goal)) {
      search_split_time(s, -1.0);
    } else {
      search_leave_open(s, VOUCH_OPEN_SURFACE, -1.0);
    }
  } else if (result != KERNEL_DONE) {
    handle_owed(s, result, goal);
  }
}

static void descend(search_t * s, bool into_a)
{
  kernel_step_result_t result =
    into_a ? kernel_descend_a(s->proof) : kernel_descend_b(s->proof);
  if (result == KERNEL_OPEN_SURFACE) {
    keep_open_whole(s, into_a);
  } else if (result != KERNEL_DONE) {
    handle_owed(s, result, kernel_proof_goal(s->proof));
  }
}

/// Two primitives at one time: a contact, nearer than margin + tolerance, or nothing.
/// Returns false when the goal is done with.
static bool look_at_primitives(
  search_t * s, const kernel_goal_t * goal, int halves, double * distance)
{
  const kernel_timeline_t * t = &kernel_view(s->proof)->timeline;
  const rigid_t * poses = halves == 0 ? kernel_poses_begin(s->proof, goal->interval) :
    halves == 1 ? kernel_poses_middle(s->proof, goal->interval) :
    kernel_poses_end(s->proof, goal->interval);
  if (poses == NULL) {
    search_leave_open(s, VOUCH_OPEN_MEMORY, -1.0);
    return false;
  }
  search_contact_t contact;
  search_time_t time = search_interval_time(t, goal->interval, halves);
  *distance = search_primitives(s, goal, poses, time, &contact);
  if (s->mode == SEARCH_CLEARANCE) {
    return true;
  }
  if (contact.kind != VOUCH_CONTACT_NONE) {
    bool go_on = search_take_contact(s, &contact);
    if (!go_on) {
      kernel_abandon(s->proof);
    }
    return go_on;
  }
  if (kernel_may_touch(s->proof) && *distance < search_remains(s, goal, time)) {
    search_leave_open(s, VOUCH_OPEN_TOUCH, *distance);
    return false;
  }
  if (kernel_view(s->proof)->path->tolerance > 0.0 && *distance < search_remains(s, goal, time)) {
    search_leave_open(s, VOUCH_OPEN_TOLERANCE, *distance);
    return false;
  }
  return true;
}

/// Hulls do not help any further: time or geometry? The motion hardly bends any more when
/// bend << gap: then not the bend is in the way but an end where the hulls are not apart.
static void choose_split(search_t * s, double gap, double ra, double rb)
{
  const kernel_goal_t * goal = kernel_proof_goal(s->proof);
  bool la = search_childless_a(s->proof, goal), lb = search_childless_b(s->proof, goal),
    leaves = la && lb;
  double distance = -1.0, bend = kernel_bend(s->proof, goal) + widening(s, goal);
  bool stalled = gap > 0.0 && bend < gap * STALLED;
  if (leaves && !(gap > 0.0) && !look_at_primitives(s, goal, 1, &distance)) {
    return;
  }
  if (leaves && stalled && (!look_at_primitives(s, goal, 0, &distance) ||
    !look_at_primitives(s, goal, 2, &distance)))
  {
    return;
  }
  double bigger = fmax(la ? 0.0 : ra, lb ? 0.0 : rb);
  bool geometry = !leaves &&
    (stalled || search_is_deep(s, goal) || (!(gap > 0.0) && bend < BEND_OF_RADIUS * bigger));
  if (!geometry) {
    search_split_time(s, distance);
  } else if (goal->body_b == VOUCH_NONE) {
    descend(s, false);
  } else {
    descend(s, lb || (!la && ra >= rb));
  }
}

/// What lies behind the horizon is in the way of a proof and need not be proved.
static bool straddles_horizon(const search_t * s, const kernel_goal_t * goal)
{
  const kernel_proof_t * p = s->proof;
  if (!kernel_view(p)->has_horizon || search_is_deep(s, goal)) {
    return false;
  }
  search_time_t end = search_interval_time(&kernel_view(p)->timeline, goal->interval, 2);
  return end.segment > kernel_view(p)->horizon_segment ||
         (end.segment == kernel_view(p)->horizon_segment &&
         search_time_fraction(end) > kernel_view(p)->horizon_fraction);
}

/// About as much of a node lies on either side of its middle, along any direction.
static double thickness(const kernel_node_t * node)
{
  float x = node->high[0] - node->low[0], y = node->high[1] - node->low[1];
  float z = node->high[2] - node->low[2], least = x < y ? x : y;
  return 0.5 * (double)(z < least ? z : least);
}

/// A group of obstacles is a box along the axes: the direction from A's centre to it, or down.
/// Where the bend takes more than four times what A leaves of the distance, a test is in vain.
static void work_group(search_t * s, const kernel_goal_t * goal)
{
  kernel_proof_t * p = s->proof;
  vec3_t low = kernel_view(p)->scene->group_low[goal->b],
    high = kernel_view(p)->scene->group_high[goal->b];
  vec3_t center = vec3_scale(vec3_add(kernel_view(p)->centers[0], kernel_view(p)->centers[1]), 0.5);
  vec3_t toward = vec3_sub(search_clamp(low, high, center), center);
  double apart = vec3_norm(toward), bend = kernel_view(p)->bend + widening(s, goal);
  double sizes = kernel_view(p)->radius + kernel_view(p)->scene->group_radius[goal->b];
  if ((bend > GROUP_BEND_OF_DISTANCE * apart) & (bend > GROUP_BEND_OF_SIZES * sizes) &&
    !search_is_deep(s, goal))
  {
    search_split_time(s, -1.0);
    return;
  }
  if ((apart > 0.0) & (apart >= s->taken_by_a + GROUP_TEST_FROM * bend) &&
    close_scaled(s, toward, apart))
  {
    return;
  }
  if (straddles_horizon(s, goal)) {
    search_split_time(s, -1.0);
  } else {
    descend(s, false);
  }
}

/// Epsilon around what the shape's supports see.
static double around(const search_shape_t * shape)
{
  return kernel_derived(shape->geometry)->nodes[shape->node].epsilon;
}

/// The same direction, as far as a test can tell.
static bool same_direction(vec3_t a, vec3_t b)
{
  return vec3_dot(a, b) > 1.0 - SAME_DIRECTION;
}

/// Bodies that may touch, and do at the middle: along what do they overlap least? Where that is too deep
/// for two primitives, halving the time is in vain.
static void work_depth(
  search_t * s, const kernel_goal_t * goal, const rigid_t * middle, const search_box_t box[2],
  const search_distance_t * overlap)
{
  kernel_proof_t * p = s->proof;
  search_shape_t a = search_shape_a(p, goal, middle), b = search_shape_b(p, goal);
  bool leaves = search_childless_a(p, goal) && search_childless_b(p, goal);
  vec3_t n = overlap->direction;
  bool found = search_depth(&a, &b, overlap, &n);
  double gap = gap_at(s, goal, middle, n);
  if (gap > 0.0 && close_bodies(s, n)) {
    return;
  }
  kernel_proof_hint(p, n);
  if (leaves && found && !(gap + widening(s, goal) > 0.0)) {
    search_leave_open(s, VOUCH_OPEN_TOUCH, 0.0);
  } else {
    choose_split(s, gap, box[0].radius, box[1].radius);
  }
}

/// A direction from GJK at the middle; along n was tested before. The chord test takes up to four times
/// the gap there, which is all that has to be known of it; and the vertices that outline large hulls
/// are enough to begin with.
static void work_distance(
  search_t * s, const kernel_goal_t * goal, const rigid_t * middle, const search_box_t box[2],
  vec3_t n)
{
  kernel_proof_t * p = s->proof;
  double bend = kernel_bend(p, goal);
  search_shape_t a = search_shape_a(p, goal, middle), b = search_shape_b(p, goal);
  double taken = kernel_charge(p, goal) + kernel_rounding(p) + around(&a) + around(&b);
  search_stop_t stop = {.relative = ROUGH, .apart = taken,
    .enough = taken + ENOUGH_OF_BEND * bend};
  a.coarse = b.coarse = true;
  search_distance_t found = search_distance_until(&a, &b, n, &stop);
  s->distance_queries++;
  if (found.overlap && kernel_may_touch(p) && s->mode != SEARCH_CLEARANCE) {
    work_depth(s, goal, middle, box, &found);
    return;
  }
  double gap = found.overlap ? -1.0 : gap_at(s, goal, middle, found.direction);
  if (gap > 0.0 && !same_direction(found.direction, n) && close_bodies(s, found.direction)) {
    return;
  }
  /* Where margin, balls and tolerances eat what is left, or where the bend is not what is in the
   * way, a rough direction does not tell. */
  if (gap > 0.0 ? bend < gap : !found.overlap && gap + found.upper - found.lower > 0.0) {
    a.coarse = b.coarse = false;
    stop = (search_stop_t) {.relative = FINE, .apart = gap > 0.0 ? INFINITY : taken,
      .enough = stop.enough};
    found = search_distance_until(&a, &b, found.direction, &stop);
    gap = gap_at(s, goal, middle, found.direction);
    if (gap > 0.0 && close_bodies(s, found.direction)) {
      return;
    }
  }
  /* Of two primitives one must know: nothing lies below them that could tell. */
  bool leaves = search_childless_a(s->proof, goal) && search_childless_b(s->proof, goal);
  remember(s, goal, found.direction, !(gap > 0.0) && !leaves);
  kernel_proof_hint(p, found.direction);
  choose_split(s, gap, box[0].radius, box[1].radius);
}

vec3_t search_toward_box(const kernel_proof_t * p, const kernel_goal_t * goal)
{
  const kernel_node_t * b = &kernel_derived(kernel_geometry_b(p, goal))->nodes[goal->b];
  vec3_t center = vec3_scale(vec3_add(kernel_view(p)->centers[0], kernel_view(p)->centers[1]), 0.5);
  vec3_t low = vec3((double)b->low[0], (double)b->low[1], (double)b->low[2]);
  vec3_t high = vec3((double)b->high[0], (double)b->high[1], (double)b->high[2]);
  if (!kernel_view(p)->scene->placed[goal->body_b]) {
    return vec3_sub(search_clamp(low, high, center), center);
  }
  const rigid_t * placement = &kernel_view(p)->scene->placements[goal->body_b];
  center = rigid_unapply(placement, center);
  return mat3_mul_vec(
    &placement->rotation, vec3_sub(search_clamp(low, high, center), center));
}

/// The chord test takes up to four times the gap, and A's centre is further from B than A is: with
/// a bend of some times that distance, and large against the bodies, nothing will close it.
static bool bodies_hopeless(const search_t * s, const kernel_goal_t * goal, double square)
{
  const kernel_proof_t * p = s->proof;
  double radius = kernel_derived(kernel_geometry_b(p, goal))->nodes[goal->b].radius;
  double bend = kernel_view(p)->bend, sizes = kernel_view(p)->radius + radius;
  return (bend * bend > BODIES_BEND_OF_DISTANCE_SQUARE * square) &
         (bend > BODIES_BEND_OF_SIZES * sizes) && !search_is_deep(s, goal);
}

static void work_bodies(search_t * s, const rigid_t * middle, bool hinted, bool overlapped)
{
  kernel_proof_t * p = s->proof;
  const kernel_goal_t * goal = kernel_proof_goal(p);
  search_box_t box[2] = {search_box_a(p, goal, middle), search_box_b(p, goal)};
  vec3_t n;
  bool boxes_apart = search_box_direction(&box[0], &box[1], &n);
  if (!boxes_apart) {
    n = hinted ? goal->hint :
      vec3_unit(vec3_sub(box[1].center, box[0].center), vec3(1.0, 0.0, 0.0));
  }
  bool tried = hinted && !overlapped && same_direction(n, goal->hint);
  if ((boxes_apart ? !tried : !(hinted || overlapped)) && close_bodies(s, n)) {
    return;
  }
  if (straddles_horizon(s, goal)) {
    kernel_proof_hint(p, n);
    search_split_time(s, -1.0);
  } else if (overlapped && !boxes_apart) {
    choose_split(s, -1.0, box[0].radius, box[1].radius);   // most likely they still do
  } else {
    work_distance(s, goal, middle, box, n);
  }
}

static void work_chord(search_t * s)
{
  kernel_proof_t * p = s->proof;
  const kernel_goal_t * goal = kernel_proof_goal(p);
  if (!kernel_know_ends(p, goal)) {
    search_leave_open(s, VOUCH_OPEN_MEMORY, -1.0);
    return;
  }
  if (goal->body_b == VOUCH_NONE) {
    if (vec3_dot(goal->hint, goal->hint) > 0.0) {
      if (close_chord(s, goal->hint)) {
        return;
      }
      kernel_proof_hint(p, NO_HINT);
    }
    work_group(s, goal);
    return;
  }
  vec3_t toward = search_toward_box(p, goal);
  double square = vec3_dot(toward, toward);
  if (bodies_hopeless(s, goal, square)) {
    kernel_proof_hint(p, NO_HINT);   // what fails that clearly would fail for the halves, too
    search_split_time(s, -1.0);
    return;
  }
  const search_seen_t * seen = recall(s, goal);
  bool overlapped = seen != NULL && seen->overlap;
  if (seen != NULL && !overlapped) {
    kernel_proof_hint(p, seen->n);
  } else if (seen == NULL && !(vec3_dot(goal->hint, goal->hint) > 0.0) && square > NO_WAY_SQUARE) {
    kernel_proof_hint(p, vec3_scale(toward, 1.0 / sqrt(square)));
  }
  bool hinted = vec3_dot(goal->hint, goal->hint) > 0.0;
  if (hinted && !overlapped && close_bodies(s, goal->hint)) {
    return;
  }
  const rigid_t * middle = kernel_know_middle(p, goal);
  if (middle == NULL) {
    search_leave_open(s, VOUCH_OPEN_MEMORY, -1.0);
  } else {
    work_bodies(s, middle, hinted, overlapped);
  }
}

/// Schwarzer, Saha, Latombe (2005): distances at the two ends against the travelled length.
static void work_schwarzer(search_t * s)
{
  kernel_proof_t * p = s->proof;
  const kernel_goal_t * goal = kernel_proof_goal(p);
  const rigid_t * ends[2] = {kernel_poses_begin(p, goal->interval),
    kernel_poses_end(p, goal->interval)};
  const rigid_t * middle = kernel_poses_middle(p, goal->interval);
  if (ends[0] == NULL || ends[1] == NULL || middle == NULL) {
    search_leave_open(s, VOUCH_OPEN_MEMORY, -1.0);
    return;
  }
  vec3_t n[2];
  double gap = INFINITY;
  search_shape_t shape_b = search_shape_b(p, goal);
  for (int i = 0; i < 2; i++) {
    rigid_t relative = kernel_relative(p, ends[i]);
    search_shape_t shape_a = search_shape_a(p, goal, &relative);
    search_distance_t found = search_distance(&shape_a, &shape_b, goal->hint, FINE);
    s->distance_queries++;
    n[i] = vec3_scale(found.direction, SHRINK);
    gap = fmin(gap, gap_at(s, goal, &relative, found.direction));
  }
  if (gap > 0.0 && kernel_close_schwarzer(p, n[0], n[1])) {
    return;
  }
  kernel_proof_hint(p, n[0]);
  rigid_t relative = kernel_relative(p, middle);
  search_box_t a = search_box_a(p, goal, &relative), b = search_box_b(p, goal);
  search_shape_t shape_a = search_shape_a(p, goal, &relative);
  search_distance_t found = search_distance(&shape_a, &shape_b, n[0], FINE);
  s->distance_queries++;
  double at_middle = gap_at(s, goal, &relative, found.direction);
  choose_split(s, fmin(gap, at_middle), a.radius, b.radius);
}

static void work_plane(search_t * s)
{
  kernel_proof_t * p = s->proof;
  if (kernel_close_plane(p, false) || kernel_close_plane(p, true)) {
    return;
  }
  const kernel_goal_t * goal = kernel_proof_goal(p);
  const rigid_t * poses = kernel_poses_middle(p, goal->interval);
  if (poses == NULL) {
    search_leave_open(s, VOUCH_OPEN_MEMORY, -1.0);
    return;
  }
  search_contact_t contact;
  double distance = search_plane(s, goal, poses, &contact);
  if (s->mode != SEARCH_CLEARANCE && contact.kind != VOUCH_CONTACT_NONE) {
    if (!search_take_contact(s, &contact)) {
      kernel_abandon(p);
      return;
    }
  }
  bool leaf = search_childless_a(s->proof, goal);
  const search_time_t time = search_interval_time(&kernel_view(p)->timeline, goal->interval, 1);
  const kernel_node_t * node = &kernel_derived(kernel_geometry_a(p))->nodes[goal->a];
  if (!leaf &&
    distance <= kernel_charge(p, goal) &&
    kernel_bend(p, goal) + widening(s, goal) < BEND_OF_RADIUS * node->radius)
  {
    descend(s, true);
  } else if (leaf && s->mode != SEARCH_CLEARANCE && kernel_may_touch(p) &&
    distance < search_remains(s, goal, time))
  {
    search_leave_open(s, VOUCH_OPEN_TOUCH, fmax(0.0, distance));
  } else if (leaf && s->mode != SEARCH_CLEARANCE && kernel_view(p)->path->tolerance > 0.0 &&
    distance < search_remains(s, goal, time))
  {
    search_leave_open(s, VOUCH_OPEN_TOLERANCE, distance);
  } else {
    search_split_time(s, distance);
  }
}

/* One step for the goal on top, until there is none above the floor. Each step closes, splits, descends or
 * gives up; the kernel keeps the stack, so nothing is lost whatever is chosen here. A start inside an interval
 * leaves only splitting; what lies behind the horizon is dropped first, because most of it is asked about no
 * more once a contact was found. */
search_outcome_t search_goals(search_t * s)
{
  kernel_proof_t * p = s->proof;
  bool watched = s->has_deadline || s->cancel != NULL;
  if (kernel_proof_goal(p) == NULL) {   // of pairs whose bodies have pairs of their own
    return kernel_view(p)->abandoned ? SEARCH_OPEN : SEARCH_PROVED;
  }
  s->taken_by_a = TAKEN_BY_A * thickness(&kernel_derived(kernel_view(p)->geometry_a)->nodes[0]);
  while (kernel_view(p)->stack_size > s->floor) {
    if (watched && search_poll(s)) {
      vouch_open_reason_t reason = s->cancelled ? VOUCH_OPEN_CANCELLED : VOUCH_OPEN_DEADLINE;
      search_leave_open(s, reason, -1.0);
      search_leave_rest_open(s, reason);
      return SEARCH_STOPPED;
    }
    const kernel_goal_t * goal = kernel_proof_goal(p);
    if (kernel_view(p)->has_horizon && kernel_skip(p)) {
      continue;
    }
    if (kernel_view(p)->timeline.intervals[goal->interval].start_inside) {
      search_split_time(s, -1.0);
    } else if (kernel_view(p)->kind == VOUCH_PAIR_PLANE) {
      work_plane(s);
    } else if (s->method == VOUCH_METHOD_SCHWARZER && s->mode != SEARCH_CLEARANCE &&
      !kernel_may_touch(p))
    {
      work_schwarzer(s);
    } else {
      work_chord(s);
    }
    if (s->has_contact && s->mode == SEARCH_PROVE) {
      return SEARCH_CONTACT;
    }
    if (s->open_count - s->open_before > MOST_OPEN && s->mode != SEARCH_FIRST) {
      search_leave_rest_open(s, VOUCH_OPEN_DEPTH);
      return SEARCH_OPEN;
    }
  }
  return kernel_view(p)->abandoned ? SEARCH_OPEN : SEARCH_PROVED;
}

search_outcome_t search_pair(search_t * s, uint32_t pair)
{
  kernel_proof_open(s->proof, pair);
  return search_goals(s);
}
