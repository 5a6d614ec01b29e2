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

#include "search/contact.h"

#include <math.h>

#include "search/shape.h"

/* Of the distance: what a contact, and what the order of a walk, needs to be known to. */
#define EXACT 1e-9
#define ROUGH 0.05

/* Rounding may move each of two bodies by kernel_error(), and twice: when it is found and when the
 * verifier places it. What is told as nearer than a margin is so by more than that. */
#define ERRORS 4.0

/* A direction that no edge of a box or axis of a robot is likely to have. */
static const vec3_t ASKEW = {0.48, 0.64, 0.6};

static vec3_t to_root(const search_t * s, const rigid_t * poses, vec3_t p)
{
  return rigid_apply(
    &poses[kernel_view(s->proof)->scene->paths[kernel_view(
      s->proof)->pair].frame_b], p);
}

static search_contact_t new_contact(
  const search_t * s, const kernel_goal_t * goal, search_time_t time)
{
  search_contact_t contact =
  {.kind = VOUCH_CONTACT_NONE, .pair = kernel_view(s->proof)->pair, .time = time,
    .body_a = kernel_pair(s->proof)->a, .body_b = goal->body_b};
  return contact;
}

static uint32_t primitive_of(const vouch_geometry_t * g, uint32_t node)
{
  return g->nodes[node].first;
}

/// Points of the common frame back into the geometries' own frames.
static void keep_points(
  search_contact_t * contact, const search_shape_t * a, const search_shape_t * b,
  const search_vertex_t * vertices, int count)
{
  for (int i = 0; i < count; i++) {
    contact->points_a[i] = rigid_unapply(&a->pose, vertices[i].a);
    contact->points_b[i] =
      b->posed ? rigid_unapply(&b->pose, vertices[i].b) : vertices[i].b;
  }
  contact->primitive_a = primitive_of(a->geometry, a->node);
  contact->primitive_b = primitive_of(b->geometry, b->node);
}

/// [SEARCH_SHOWN_OVERLAP] Balls are taken along only when there are any. Of boxes that lie alike the
/// origin is on an edge for good when one begins along their axes: then a second direction is tried.
static bool show_overlap(
  const search_t * s, search_shape_t a, search_shape_t b, bool balls, search_contact_t * contact)
{
  double depth;
  a.inflate = b.inflate = balls;
  const vec3_t first[2] = {vec3(1.0, 0.0, 0.0), ASKEW};
  search_distance_t found = {.overlap = true};
  bool shown = false;
  for (int i = 0; i < 2 && found.overlap && !shown; i++) {
    found = search_distance(&a, &b, first[i], EXACT);
    shown = found.overlap &&
      search_enclose_origin(&a, &b, &found, kernel_error(s->proof), &depth);
  }
  if (!shown) {
    return false;
  }
  contact->kind = VOUCH_CONTACT_CONTACT;
  contact->shown = SEARCH_SHOWN_OVERLAP;
  contact->depth = depth;
  keep_points(contact, &a, &b, found.simplex, 4);
  contact->point_a = found.point_a;
  contact->point_b = found.point_b;
  return true;
}

/// An upper bound of the distance of bodies between which it was found: rounding moves either one.
static double not_below(const search_t * s, double distance)
{
  return fmax(0.0, distance) + kernel_error(s->proof);
}

/// Requires: the bodies are no further apart than `distance`.
static void note_upper(
  search_t * s, const kernel_goal_t * goal, const rigid_t * poses, search_time_t time,
  double distance, vec3_t point_a, vec3_t point_b)
{
  if (distance < s->upper) {
    s->upper = distance;
    s->upper_pair = kernel_view(s->proof)->pair;
    s->upper_body_b = goal->body_b;
    s->upper_time = time;
    s->upper_a = to_root(s, poses, point_a);
    s->upper_b = to_root(s, poses, point_b);
    kernel_proof_distance(s->proof, fmax(0.0, s->upper - s->resolution));
  }
}

/// The radius of a primitive's balls, where they are alike; else the shape's points have them.
static double ball(const vouch_geometry_t * g, uint32_t node)
{
  return kernel_derived(g)->nodes[node].epsilon;
}

/// Closest points of the cores moved outwards by the balls.
static void move_to_surface(search_distance_t * found, double ra, double rb)
{
  vec3_t d = vec3_sub(found->point_b, found->point_a);
  vec3_t u = vec3_unit(d, found->direction);
  found->point_a = vec3_add(found->point_a, vec3_scale(u, ra));
  found->point_b = vec3_sub(found->point_b, vec3_scale(u, rb));
}

/// Metres that must remain at that time: the margin, and what has grown by then.
static double margin_at(const search_t * s, const kernel_goal_t * goal, search_time_t time)
{
  const kernel_timeline_t * t = &kernel_view(s->proof)->timeline;
  if (!kernel_view(s->proof)->scene->grows) {
    return goal->margin;
  }
  const double * seconds = t->problem->motion.seconds;
  double until = kernel_seconds(
    seconds + time.segment, search_time_fraction(time), KERNEL_DOWN) - seconds[0];
  return goal->margin +
         kernel_growth(s->proof, goal) * fmax(0.0, until) * (1.0 - 0x1p-40);
}

double search_remains(const search_t * s, const kernel_goal_t * goal, search_time_t time)
{
  return margin_at(s, goal, time) + kernel_view(s->proof)->path->tolerance;
}

double search_primitives(
  search_t * s, const kernel_goal_t * goal, const rigid_t * poses, search_time_t time,
  search_contact_t * contact)
{
  kernel_proof_t * p = s->proof;
  rigid_t relative = kernel_relative(p, poses);
  search_shape_t a = search_shape_a(p, goal, &relative), b = search_shape_b(p, goal);
  double ra = ball(a.geometry, a.node), rb = ball(b.geometry, b.node);
  search_distance_t found = search_distance(&a, &b, goal->hint, EXACT);
  s->distance_queries++;
  double distance = fmax(0.0, found.upper - ra - rb);
  double error = ERRORS * kernel_error(p);
  *contact = new_contact(s, goal, time);
  bool inside = found.overlap || found.upper - ra - rb < 0.0;
  if (inside && !kernel_may_touch(p)) {
    show_overlap(s, a, b, ra > 0.0 || rb > 0.0, contact);
  }
  if (!found.overlap) {
    move_to_surface(&found, ra, rb);
  }
  double margin = margin_at(s, goal, time);
  if (contact->kind == VOUCH_CONTACT_NONE && !kernel_may_touch(p) && distance + error < margin) {
    contact->kind = VOUCH_CONTACT_MARGIN;
    contact->shown = SEARCH_SHOWN_MARGIN;
    contact->depth = margin - distance;
    contact->point_a = found.point_a;
    contact->point_b = found.point_b;
    search_vertex_t ends = {.a = found.point_a, .b = found.point_b};
    keep_points(contact, &a, &b, &ends, 1);
  }
  if (contact->kind != VOUCH_CONTACT_NONE) {
    contact->point_a = to_root(s, poses, contact->point_a);
    contact->point_b = to_root(s, poses, contact->point_b);
  }
  if (s->mode == SEARCH_CLEARANCE) {
    note_upper(s, goal, poses, time, not_below(s, distance), found.point_a, found.point_b);
  }
  return not_below(s, distance);
}

/// Deepest and highest point of a node along the plane's normal, in the plane's frame.
static vec3_t extreme(
  const vouch_geometry_t * g, uint32_t node, const rigid_t * relative, vec3_t n, double * value)
{
  search_shape_t shape = {.geometry = g, .node = node, .posed = true, .pose = *relative,
    .inflate = g->nodes[node].left == 0};
  vec3_t p = search_shape_point(&shape, n);
  *value = vec3_dot(n, p);
  return p;
}

double search_plane(
  search_t * s, const kernel_goal_t * goal, const rigid_t * poses, search_contact_t * contact)
{
  kernel_proof_t * p = s->proof;
  const vouch_body_t * plane = &kernel_view(p)->scene->problem->scene.bodies[goal->body_b];
  const vouch_geometry_t * g = kernel_geometry_a(p);
  rigid_t relative = kernel_relative(p, poses);
  vec3_t n = vec3_from(plane->normal);
  search_time_t time = search_interval_time(&kernel_view(p)->timeline, goal->interval, 1);
  double high, low;
  vec3_t top = extreme(g, goal->a, &relative, n, &high);
  vec3_t bottom = extreme(g, goal->a, &relative, vec3_neg(n), &low);
  low = -low - plane->offset;    // smallest signed distance
  high = high - plane->offset;
  double through = plane->kind == VOUCH_BODY_PLANE ? fmax(low, -high) : low;
  *contact = new_contact(s, goal, time);
  double error = ERRORS * kernel_error(p), margin = margin_at(s, goal, time);
  bool exact = g->nodes[goal->a].left == 0;   // hulls with an epsilon show nothing
  if (exact && !kernel_may_touch(p) && (through + error < 0.0 || through + error < margin)) {
    bool two = plane->kind == VOUCH_BODY_PLANE && through + error < 0.0;
    contact->kind = through + error < 0.0 ? VOUCH_CONTACT_CONTACT : VOUCH_CONTACT_MARGIN;
    contact->shown = SEARCH_SHOWN_PLANE;
    bool from_top = plane->kind == VOUCH_BODY_PLANE && -high > low;
    vec3_t nearest = from_top ? top : bottom;
    contact->depth = contact->kind == VOUCH_CONTACT_CONTACT ? -through : margin - through;
    contact->primitive_a = primitive_of(g, goal->a);
    contact->points_a[0] = rigid_unapply(&relative, nearest);
    contact->points_a[1] = rigid_unapply(&relative, two ? (from_top ? bottom : top) : nearest);
    contact->points_b[0] = nearest;   // the same two, in the plane's frame
    contact->points_b[1] = two ? (from_top ? bottom : top) : nearest;
    vec3_t foot = vec3_sub(nearest, vec3_scale(n, vec3_dot(n, nearest) - plane->offset));
    contact->point_a = to_root(s, poses, nearest);
    contact->point_b = to_root(s, poses, foot);
  }
  if (s->mode == SEARCH_CLEARANCE && exact) {
    vec3_t nearest = through == low ? bottom : top;
    vec3_t foot = vec3_sub(nearest, vec3_scale(n, vec3_dot(n, nearest) - plane->offset));
    note_upper(s, goal, poses, time, not_below(s, through), nearest, foot);
  }
  return through;
}

search_contact_t search_contained(search_t * s, const kernel_goal_t * goal)
{
  kernel_proof_t * p = s->proof;
  search_contact_t contact = new_contact(
    s, goal, search_interval_time(&kernel_view(p)->timeline, goal->interval, 0));
  contact.kind = VOUCH_CONTACT_CONTACT;
  contact.shown = SEARCH_SHOWN_CONTAINMENT;
  contact.contained = kernel_view(p)->contained;
  const rigid_t * poses = kernel_poses_begin(p, goal->interval);
  if (poses != NULL) {   // a point of the one, which is inside the other
    contact.point_a = contact.point_b = to_root(s, poses, kernel_view(p)->contained.point);
  }
  return contact;
}

/* ---- two trees at one configuration ---- */

/* Goals that may wait: a walk puts one more than it takes, so trees of that depth fit; what does not is
 * left out, which makes a distance an upper bound still. And how many nodes and primitives a look for a
 * contact takes in, before the search goes on: it only saves time when it finds one. */
#define WAITING 192u
#define LOOKS 256u

/// The goals that together are this one, one step further down. Returns how many are checked.
static int parts_of(
  const kernel_proof_t * p, const kernel_goal_t * goal, const rigid_t * relative,
  kernel_goal_t parts[2])
{
  bool group = goal->body_b == VOUCH_NONE, la = search_childless_a(p, goal);
  bool lb = search_childless_b(p, goal);
  search_box_t box_a = search_box_a(p, goal, relative), box_b = search_box_b(p, goal);
  parts[0] = parts[1] = *goal;
  if (!group && (lb || (!la && box_a.radius >= box_b.radius))) {
    const vouch_tree_node_t * node = &kernel_geometry_a(p)->nodes[goal->a];
    parts[0].a = node->left;
    parts[1].a = node->right;
    return 2;
  }
  if (!group) {
    const vouch_tree_node_t * node = &kernel_geometry_b(p, goal)->nodes[goal->b];
    parts[0].b = node->left;
    parts[1].b = node->right;
    return 2;
  }
  const vouch_group_t * g = &kernel_view(p)->scene->problem->scene.groups[goal->b];
  if (g->body != VOUCH_NONE) {
    parts[0].b = 0;
    parts[0].body_b = g->body;
    return 1;
  }
  const bool * checked = kernel_pair(p)->checked;
  int count = 0;
  for (int i = 0; i < 2; i++) {
    uint32_t child = i == 0 ? g->left : g->right;
    if (checked[child]) {
      parts[count++].b = child;
    }
  }
  return count;
}

/// A lower bound of the distance; remembers its direction in the goal.
static double distance_of(search_t * s, kernel_goal_t * goal, const rigid_t * relative)
{
  kernel_proof_t * p = s->proof;
  search_shape_t a = search_shape_a(p, goal, relative), b = search_shape_b(p, goal);
  search_distance_t found = search_distance(&a, &b, goal->hint, ROUGH);
  s->distance_queries++;
  goal->hint = found.direction;
  vec3_t m = mat3_tmul_vec(&relative->rotation, found.direction);
  return kernel_support_b(p, goal, found.direction) -
         vec3_dot(found.direction, relative->translation) -
         kernel_support(kernel_geometry_a(p), goal->a, m);
}

typedef struct pending_s
{
  kernel_goal_t goal;
  double lower;
} pending_t;

/// Puts the parts of a goal that are nearer than `most` on the stack, the nearest on top.
static size_t push_parts(
  search_t * s, const kernel_goal_t * goal, const rigid_t * relative, double most,
  pending_t stack[WAITING + 2u], size_t top)
{
  kernel_goal_t parts[2];
  int count = parts_of(s->proof, goal, relative, parts);
  size_t first = top;
  for (int i = 0; i < count && first < WAITING; i++) {
    double lower = distance_of(s, &parts[i], relative);
    if (lower < most) {
      stack[top++] = (pending_t) {.goal = parts[i], .lower = lower};
    }
  }
  if (top == first + 2u && stack[first].lower < stack[first + 1u].lower) {
    pending_t swap = stack[first];
    stack[first] = stack[first + 1u];
    stack[first + 1u] = swap;
  }
  return top;
}

void search_distance_at(search_t * s, uint32_t pair, const rigid_t * poses, search_time_t time)
{
  kernel_proof_t * p = s->proof;
  kernel_proof_open(p, pair);
  if (kernel_proof_goal(p) == NULL || kernel_pair(p)->kind == VOUCH_PAIR_PLANE) {
    return;
  }
  pending_t stack[WAITING + 2u];
  size_t top = 0;
  stack[top++] = (pending_t) {.goal = *kernel_proof_goal(p), .lower = -1.0};
  rigid_t relative = kernel_relative(p, poses);
  while (top > 0 && !search_poll(s)) {
    pending_t item = stack[--top];
    if (item.lower >= s->upper) {
      continue;
    }
    if (search_childless_a(p, &item.goal) && search_childless_b(p, &item.goal)) {
      search_contact_t contact;
      search_primitives(s, &item.goal, poses, time, &contact);
    } else {
      top = push_parts(s, &item.goal, &relative, s->upper, stack, top);
    }
  }
}

bool search_contact_at(
  search_t * s, uint32_t pair, const rigid_t * poses, search_time_t time,
  search_contact_t * contact)
{
  kernel_proof_t * p = s->proof;
  kernel_proof_open(p, pair);
  if (kernel_proof_goal(p) == NULL || kernel_pair(p)->kind == VOUCH_PAIR_PLANE) {
    return false;
  }
  pending_t stack[WAITING + 2u];
  size_t top = 0;
  stack[top++] = (pending_t) {.goal = *kernel_proof_goal(p)};
  rigid_t relative = kernel_relative(p, poses);
  for (uint32_t i = 0; top > 0 && i < LOOKS && !search_poll(s); i++) {
    kernel_goal_t goal = stack[--top].goal;
    if (!search_childless_a(p, &goal) || !search_childless_b(p, &goal)) {
      top = push_parts(s, &goal, &relative, margin_at(s, &goal, time), stack, top);
      continue;
    }
    search_primitives(s, &goal, poses, time, contact);
    if (contact->kind != VOUCH_CONTACT_NONE) {
      return true;
    }
  }
  return false;
}
