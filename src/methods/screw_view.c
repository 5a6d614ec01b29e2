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

/* TRUSTED. See screw_view.h. */

#include "methods/screw_view.h"

#include "base/memory.h"
#include "methods/chord_test.h"
#include "methods/direction.h"

/* A node with fewer nodes than this in its left half is bounded by its triangles. */
#define UNION_NODES 12u
/* Helices that are kept for each body: in the order of time the same triangles come again. */
#define KEPT_HELICES 16u

static const vouch_allocator_t * allocator_of(const screw_view_t * view)
{
  return &view->body[SCREW_MOVING]->mesh.allocator;
}

vouch_ret_t screw_view_init(screw_view_t * view)
{
  const vouch_screw_t * screw = &view->segment->screw;
  const vouch_allocator_t * allocator = allocator_of(view);
  double scale = view->body[SCREW_MOVING]->reach + view->body[SCREW_FIXED]->reach +
    vec3_norm(view->segment->start.translation) + vec3_norm(vec3_from(screw->point)) +
    fabs(screw->travel);
  screw_frame_init(&view->frame, screw);
  view->cylinder = cylinder_frame(vec3_from(screw->point), view->segment->axis, scale);
  if (!view->keep) {
    return VOUCH_RET_OK;
  }
  bool complete = true;
  for (int side = 0; side < 2; side++) {
    const vouch_rigid_body_t * body = view->body[side];
    view->points[side] = vouch_calloc(allocator, body->mesh.vertex_count, sizeof(kept_point_t));
    view->bounds[side] = vouch_calloc(allocator, body->node_count, sizeof(cylinder_t));
    complete = complete && view->points[side] != NULL && view->bounds[side] != NULL;
  }
  view->helices = vouch_calloc(allocator, 2 * KEPT_HELICES, sizeof(kept_helix_t));
  return complete && view->helices != NULL ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

void screw_view_fini(screw_view_t * view)
{
  for (int side = 0; side < 2; side++) {
    vouch_free(allocator_of(view), view->points[side]);
    vouch_free(allocator_of(view), view->bounds[side]);
  }
  vouch_free(allocator_of(view), view->helices);
}

static uint32_t vertex_of(
  const screw_view_t * view, screw_side_t side, uint32_t triangle, int corner)
{
  return view->body[side]->mesh.triangles[triangle][corner];
}

static cylinder_point_t point_of(
  screw_view_t * view, screw_side_t side, uint32_t triangle, int corner)
{
  uint32_t vertex = vertex_of(view, side, triangle, corner);
  kept_point_t * kept = view->keep ? &view->points[side][vertex] : NULL;
  if (kept != NULL && kept->known) {
    return kept->point;
  }
  vec3_t x = vec3_from(view->body[side]->mesh.vertices[vertex]);
  x = side == SCREW_MOVING ? rigid_apply(&view->segment->start, x) : x;
  cylinder_point_t point = cylinder_point(&view->cylinder, x);
  if (kept != NULL) {
    *kept = (kept_point_t) {point, true};
  }
  return point;
}

cylinder_t screw_view_feature(
  screw_view_t * view, screw_side_t side, uint32_t triangle, int feature)
{
  cylinder_point_t p[3];
  int count = feature < 3 ? 1 : (feature < 6 ? 2 : 3), first = feature < 6 ? feature % 3 : 0;
  for (int k = 0; k < count; k++) {
    p[k] = point_of(view, side, triangle, (first + k) % 3);
  }
  return cylinder_of(&view->cylinder, p, count);
}

const cylinder_t * screw_view_node(screw_view_t * view, screw_side_t side, uint32_t number)
{
  const body_node_t * node = &view->body[side]->nodes[number];
  cylinder_t * bound = &view->bounds[side][number];
  if (bound->r.hi > 0.0) {
    return bound;
  }
  if (body_node_is_leaf(node)) {
    *bound = screw_view_feature(view, side, node->triangle, 6);
  } else if (node->right - number <= UNION_NODES) {
    const cylinder_t * left = screw_view_node(view, side, node->left);
    *bound = cylinder_union(left, screw_view_node(view, side, node->right));
  } else {
    vec3_t centre = side == SCREW_MOVING ? rigid_apply(&view->segment->start, node->centre) :
      node->centre;
    *bound = cylinder_of_ball(&view->cylinder, centre, node->radius);
  }
  return bound;
}

helix_t screw_view_helix(screw_view_t * view, screw_side_t side, uint32_t triangle, int corner)
{
  uint32_t vertex = vertex_of(view, side, triangle, corner);
  kept_helix_t * kept = view->keep ?
    &view->helices[vertex % KEPT_HELICES + (side == SCREW_MOVING ? 0 : KEPT_HELICES)] : NULL;
  if (kept != NULL && kept->known && kept->vertex == vertex) {
    return kept->helix;
  }
  const double * v = view->body[side]->mesh.vertices[vertex];
  helix_t helix = side == SCREW_MOVING ? screw_helix(&view->frame, v) :
    screw_helix_fixed(&view->frame, v);
  if (kept != NULL) {
    *kept = (kept_helix_t) {helix, vertex, true};
  }
  return helix;
}

/* The first t with gap = v t + c t^2 / 2, infinite when there is none; gap > 0, c >= 0. */
static double time_to_close(double gap, double v, double c)
{
  double root = sqrt(v * v + 2.0 * c * gap);
  return v > 0.0 ? 2.0 * gap / (v + root) : (root - v) / c;
}

/* In the coordinates along u, v and s, which are as good as the others. Along a fixed n a corner
 * comes nearer by at most v t + |n| b^2 r t^2 / 2, v its speed along n at the begin: its
 * acceleration is b^2 r. The slack is a thousand times what places and speeds err. The direction is
 * only a proposal. */
double screw_view_apart_until(screw_view_t * view, uint32_t ta, uint32_t tb, double from)
{
  const vouch_screw_t * screw = &view->segment->screw;
  double angle = screw->angle, cosine = cos(angle * from), sine = sin(angle * from);
  double slack = 1e-9 * (1.0 + fabs(angle)) * view->cylinder.scale;
  double least = INFINITY, step = INFINITY, r[3];
  vec3_t a[3], b[3];
  for (int k = 0; k < 3; k++) {
    cylinder_point_t p = point_of(view, SCREW_MOVING, ta, k);
    a[k] = vec3(
      cosine * p.x.x - sine * p.x.y, sine * p.x.x + cosine * p.x.y, p.x.z + screw->travel * from);
    r[k] = p.r;
    b[k] = point_of(view, SCREW_FIXED, tb, k).x;
  }
  vec3_t n = direction_between(a, 3, b, 3).direction;
  for (int k = 0; k < 3; k++) {
    least = fmin(least, vec3_dot(n, b[k]));
  }
  for (int k = 0; k < 3; k++) {
    double gap = least - vec3_dot(n, a[k]) - slack;
    if (!(gap > 0.0)) {
      return from;
    }
    double v = angle * (n.y * a[k].x - n.x * a[k].y) + screw->travel * n.z;
    step = fmin(step, time_to_close(gap, v, angle * angle * (r[k] + slack) * DIRECTION_NORM));
  }
  return vec3_dot(n, n) <= 1.0 + 0x1p-21 ? from + step * (1.0 - 1e-9) : from;
}
