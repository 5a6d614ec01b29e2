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

/* The last verdict as a picture for RViz and Foxglove: the pair that decides, as meshes, at the
 * decisive
 * time; its two points joined by a line, with a label; the way of that link; open intervals in
 * another
 * colour. Drawn when the node has time, not while somebody waits for an answer. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vec.h"
#include "geometry_msgs/msg/point.h"
#include "model/scene.h"
#include "node/check_run.h"
#include "node/convert.h"
#include "node/solid.h"
#include "visualization_msgs/msg/marker.h"
#include "visualization_msgs/msg/marker_array.h"
#include "vouch/msg/trajectory_report.h"

#define MAX_MARKERS 64
#define MAX_OPEN 16
#define PATH_POINTS 64

typedef struct color_s
{
  float r, g, b, a;
} color_t;

static const color_t red = {0.9F, 0.1F, 0.1F, 0.8F};
static const color_t orange = {0.95F, 0.55F, 0.1F, 0.8F};
static const color_t green = {0.1F, 0.7F, 0.2F, 0.8F};
static const color_t teal = {0.1F, 0.6F, 0.7F, 0.8F};
static const color_t yellow = {0.95F, 0.85F, 0.1F, 1.0F};
static const color_t white = {1.0F, 1.0F, 1.0F, 1.0F};

typedef struct drawing_s
{
  vouch_node_t * node;
  const vouch_scene_t * scene;
  const vouch_motion_t * motion;
  visualization_msgs__msg__MarkerArray * array;   // room for MAX_MARKERS
  size_t count;
  double * values;
  bool ok;
} drawing_t;

static visualization_msgs__msg__Marker * add_marker(
  drawing_t * drawing, const char * name, int32_t type, color_t color)
{
  if (drawing->count == MAX_MARKERS) {
    drawing->ok = false;
    return NULL;
  }
  visualization_msgs__msg__Marker * marker = &drawing->array->markers.data[drawing->count];
  drawing->ok = drawing->ok && node_stamp(drawing->node, &marker->header) &&
    rosidl_runtime_c__String__assign(&marker->ns, name);
  marker->id = (int32_t)drawing->count++;
  marker->type = type;
  marker->pose.orientation.w = 1.0;
  marker->scale.x = marker->scale.y = marker->scale.z = 1.0;
  marker->color.r = color.r;
  marker->color.g = color.g;
  marker->color.b = color.b;
  marker->color.a = color.a;
  return marker;
}

/* ---- bodies ---- */

/// The geometry of a link or an object and where it is at the values of `drawing`. NULL: a plane,
/// or unknown.
static const vouch_geometry_t * find_body(
  const drawing_t * drawing, const char * name, vouch_pose_t * pose)
{
  const vouch_robot_t * robot = vouch_scene_robot(drawing->scene);
  uint32_t link = vouch_robot_find_link(robot, name);
  *pose = vouch_pose_identity();
  if (link != VOUCH_NONE) {
    return vouch_robot_link_pose(robot, link, drawing->values, pose) == VOUCH_RET_OK ?
           robot->links[link].geometry : NULL;
  }
  size_t number = vouch_scene_find(drawing->scene, name);
  if (number == VOUCH_NONE) {
    return NULL;
  }
  const vouch_object_t * object = &drawing->scene->objects[number];
  vouch_pose_t frame = vouch_pose_identity();
  vouch_ret_t ret = object->link != VOUCH_NONE ?
    vouch_robot_link_pose(robot, object->link, drawing->values, &frame) :
    vouch_scene_frame_pose(drawing->scene, object->frame, &frame);
  *pose = vouch_pose_product(&frame, &object->pose);
  return ret == VOUCH_RET_OK && object->body->has_geometry ? &object->body->geometry : NULL;
}

static bool fill_triangles(visualization_msgs__msg__Marker * marker, const solid_t * solid)
{
  if (!geometry_msgs__msg__Point__Sequence__init(&marker->points, 3 * solid->triangle_count)) {
    return false;
  }
  for (size_t i = 0; i < solid->triangle_count; ++i) {
    for (size_t k = 0; k < 3; ++k) {
      convert_point_to_message(
        solid->points[solid->triangles[i][k]], &marker->points.data[3 * i + k]);
    }
  }
  return true;
}

static void draw_body(drawing_t * drawing, const char * name, color_t color)
{
  vouch_pose_t pose;
  const vouch_geometry_t * geometry = find_body(drawing, name, &pose);
  solid_t solid = {0};
  if (geometry != NULL && solid_add_geometry(&solid, geometry) && solid.triangle_count > 0) {
    visualization_msgs__msg__Marker * marker = add_marker(
      drawing, "bodies", visualization_msgs__msg__Marker__TRIANGLE_LIST, color);
    if (marker != NULL) {
      convert_pose_to_message(&pose, &marker->pose);
      drawing->ok = drawing->ok && fill_triangles(marker, &solid);
    }
  }
  solid_fini(&solid);
}

/* ---- lines and text ---- */

static void draw_line(drawing_t * drawing, const vouch__msg__PairReport * pair)
{
  visualization_msgs__msg__Marker * marker = add_marker(
    drawing, "points", visualization_msgs__msg__Marker__LINE_LIST, white);
  if (marker == NULL) {
    return;
  }
  marker->scale.x = 0.005;
  drawing->ok = drawing->ok && geometry_msgs__msg__Point__Sequence__init(&marker->points, 2);
  if (drawing->ok) {
    marker->points.data[0] = pair->point_a;
    marker->points.data[1] = pair->point_b;
  }
}

static void draw_label(
  drawing_t * drawing, const vouch__msg__PairReport * pair,
  const vouch__msg__TrajectoryReport * report)
{
  visualization_msgs__msg__Marker * marker = add_marker(
    drawing, "label", visualization_msgs__msg__Marker__TEXT_VIEW_FACING, white);
  if (marker == NULL) {
    return;
  }
  char text[512];
  const char * unit = report->has_time ? "s" : "segments";
  if (pair->kind == vouch__msg__PairReport__CLEARANCE) {
    snprintf(
      text, sizeof(text), "%s\n%.100s - %.100s\n%.4f m at %.3f %s",
      vouch_verdict_name((vouch_verdict_t)report->verdict), pair->a.data, pair->b.data,
      pair->lower_m, pair->time_s, unit);
  } else {
    snprintf(
      text, sizeof(text), "%s\n%.100s - %.100s\n%.4f m deep at %.3f %s",
      vouch_verdict_name((vouch_verdict_t)report->verdict), pair->a.data, pair->b.data,
      pair->depth_m, pair->time_s, unit);
  }
  marker->pose.position = pair->point_a;
  marker->pose.position.z += 0.1;
  marker->scale.z = 0.05;
  drawing->ok = drawing->ok && rosidl_runtime_c__String__assign(&marker->text, text);
}

/// The way of a point that is fixed to body `name`, from begin to end.
static void draw_path(
  drawing_t * drawing, const char * name, const double local[3], double begin, double end,
  color_t color)
{
  visualization_msgs__msg__Marker * marker = add_marker(
    drawing, "path", visualization_msgs__msg__Marker__LINE_STRIP, color);
  if (marker == NULL || !drawing->ok) {
    return;
  }
  marker->scale.x = 0.01;
  drawing->ok = geometry_msgs__msg__Point__Sequence__init(&marker->points, PATH_POINTS);
  for (size_t i = 0; drawing->ok && i < PATH_POINTS; ++i) {
    double time = begin + (end - begin) * (double)i / (PATH_POINTS - 1);
    vouch_pose_t pose;
    double point[3];
    vouch_motion_evaluate(drawing->motion, time, drawing->values);
    (void)find_body(drawing, name, &pose);
    rigid_t rigid = rigid_from_pose(&pose);
    vec3_store(rigid_apply(&rigid, vec3_from(local)), point);
    convert_point_to_message(point, &marker->points.data[i]);
  }
}

/* ---- the picture ---- */

static void draw_pair(
  drawing_t * drawing, const vouch__msg__PairReport * pair,
  const vouch__msg__TrajectoryReport * report)
{
  bool collision = pair->kind != vouch__msg__PairReport__CLEARANCE;
  vouch_motion_evaluate(drawing->motion, pair->time_s, drawing->values);
  draw_body(drawing, pair->a.data, collision ? red : green);
  draw_body(drawing, pair->b.data, collision ? orange : teal);
  draw_line(drawing, pair);
  draw_label(drawing, pair, report);
  vouch_pose_t pose;
  (void)find_body(drawing, pair->a.data, &pose);
  rigid_t rigid = rigid_from_pose(&pose);
  double local[3];
  vec3_store(
    rigid_unapply(&rigid, vec3(pair->point_a.x, pair->point_a.y, pair->point_a.z)), local);
  draw_path(
    drawing, pair->a.data, local, 0.0, report->duration_s, collision ? red : green);
}

/// A point whose way shows how a body moves: its middle. A link's origin may lie on its own axis.
static void find_middle(const drawing_t * drawing, const char * name, double middle[3])
{
  vouch_pose_t pose;
  const vouch_geometry_t * geometry = find_body(drawing, name, &pose);
  solid_t solid = {0};
  memset(middle, 0, 3 * sizeof(middle[0]));
  if (geometry != NULL && solid_add_geometry(&solid, geometry)) {
    for (size_t i = 0; i < solid.point_count; ++i) {
      for (size_t k = 0; k < 3; ++k) {
        middle[k] += solid.points[i][k] / (double)solid.point_count;
      }
    }
  }
  solid_fini(&solid);
}

static void draw_open(drawing_t * drawing, const vouch__msg__TrajectoryReport * report)
{
  for (size_t i = 0; i < report->open.size && i < MAX_OPEN; ++i) {
    const vouch__msg__PairReport * open = &report->open.data[i];
    if (i == 0) {
      vouch_motion_evaluate(drawing->motion, open->time_s, drawing->values);
      draw_body(drawing, open->a.data, yellow);
      draw_body(drawing, open->b.data, yellow);
    }
    double middle[3];
    find_middle(drawing, open->a.data, middle);
    draw_path(drawing, open->a.data, middle, open->begin_s, open->end_s, yellow);
  }
}

static void draw(drawing_t * drawing, const vouch__msg__TrajectoryReport * report)
{
  visualization_msgs__msg__Marker * first = add_marker(drawing, "", 0, white);
  if (first != NULL) {
    first->action = visualization_msgs__msg__Marker__DELETEALL;
  }
  if (report->first_collision.kind != vouch__msg__PairReport__NONE) {
    draw_pair(drawing, &report->first_collision, report);
  } else if (report->clearance.kind != vouch__msg__PairReport__NONE) {
    draw_pair(drawing, &report->clearance, report);
  }
  draw_open(drawing, report);
}

void markers_draw(vouch_node_t * node)
{
  picture_t * picture = &node->picture;
  if (!picture->due || node->scene == NULL) {
    return;
  }
  picture->due = false;
  drawing_t drawing = {
    node, picture->scene != NULL ? picture->scene : node->scene, picture->motion,
    visualization_msgs__msg__MarkerArray__create(), 0,
    calloc(node->joints.count + 1, sizeof(double)), true
  };
  if (drawing.array != NULL && drawing.values != NULL &&
    visualization_msgs__msg__Marker__Sequence__init(&drawing.array->markers, MAX_MARKERS))
  {
    draw(&drawing, picture->report);
    if (drawing.ok) {
      /* Sent with the markers that were used; released with all of them. */
      drawing.array->markers.size = drawing.count;
      node_publish(node, &node->markers, drawing.array);
      drawing.array->markers.size = MAX_MARKERS;
    }
  }
  free(drawing.values);
  visualization_msgs__msg__MarkerArray__destroy(drawing.array);
  markers_forget(node);
}

void markers_keep(
  vouch_node_t * node, check_run_t * run, const vouch__msg__TrajectoryReport * report)
{
  markers_forget(node);
  picture_t * picture = &node->picture;
  picture->report = vouch__msg__TrajectoryReport__create();
  if (picture->report == NULL ||
    !vouch__msg__TrajectoryReport__copy(report, picture->report))
  {
    markers_forget(node);
    return;
  }
  picture->motion = run->motion;
  picture->scene = run->own_scene;
  run->motion = NULL;
  run->own_scene = NULL;
  picture->due = true;
  picture->since = node_steady();
}

void markers_forget(vouch_node_t * node)
{
  picture_t * picture = &node->picture;
  vouch__msg__TrajectoryReport__destroy(picture->report);
  vouch_motion_destroy(picture->motion);
  vouch_scene_destroy(picture->scene);
  *picture = (picture_t) {0};
}
