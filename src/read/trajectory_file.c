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
/* Trajectory files: RobotTrajectory or JointTrajectory as YAML or JSON, our own `segments`, CSV. */

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/text.h"
#include "model/motion_make.h"
#include "read/trajectory_reader.h"
#include "read/tree.h"

/// time_from_start: seconds, or {sec, nanosec}, or {secs, nsecs}.
static vouch_ret_t read_time(
  const vouch_document_t * document, const vouch_value_t * value, double * time_s)
{
  *time_s = 0.0;
  if (value == NULL) {
    return VOUCH_RET_OK;
  }
  if (value->kind != VOUCH_VALUE_MAP) {
    return vouch_value_number(document, value, "time_from_start", time_s);
  }
  vouch_ret_t ret = vouch_value_keys(document, value, "sec nanosec secs nsecs");
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_value_t * sec = vouch_value_get(value, "sec");
  const vouch_value_t * nano = vouch_value_get(value, "nanosec");
  if ((sec != NULL || nano != NULL) &&
    (vouch_value_get(value, "secs") != NULL || vouch_value_get(value, "nsecs") != NULL))
  {
    return vouch_value_fail(document, value, "a time is {sec, nanosec} or {secs, nsecs}, not both");
  }
  sec = sec == NULL ? vouch_value_get(value, "secs") : sec;
  nano = nano == NULL ? vouch_value_get(value, "nsecs") : nano;
  double seconds = 0.0, nanoseconds = 0.0;
  if (sec != NULL) {
    ret = vouch_value_number(document, sec, "sec", &seconds);
  }
  if (ret == VOUCH_RET_OK && nano != NULL) {
    ret = vouch_value_number(document, nano, "nanosec", &nanoseconds);
  }
  if (ret == VOUCH_RET_OK && !(nanoseconds >= 0.0 && nanoseconds < 1e9)) {
    return vouch_value_fail(document, value, "nanosec must be between 0 and 999999999");
  }
  if (ret == VOUCH_RET_OK && (seconds != floor(seconds) || nanoseconds != floor(nanoseconds))) {
    return vouch_value_fail(
      document, value, "seconds and nanoseconds of a message are whole numbers; give a fraction as "
      "one number (time_from_start: %.9g)", seconds + nanoseconds / 1e9);
  }
  *time_s = seconds + nanoseconds / 1e9;
  return ret;
}

static vouch_ret_t read_values(
  vouch_document_t * document, const vouch_value_t * point, const char * key, size_t joints,
  const double ** values)
{
  double * numbers = NULL;
  size_t count = 0;
  const vouch_value_t * value = vouch_value_get(point, key);
  vouch_ret_t ret = vouch_value_series(document, value, key, &numbers, &count);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (count != 0 && count != joints) {
    return vouch_value_fail(document, value, "%zu %s for %zu joints", count, key, joints);
  }
  *values = count == 0 ? NULL : numbers;
  return VOUCH_RET_OK;
}

static vouch_ret_t read_point(
  vouch_document_t * document, const vouch_value_t * value, size_t joints,
  vouch_trajectory_point_t * point)
{
  vouch_ret_t ret = vouch_value_keys(
    document, value, "positions velocities accelerations effort time_from_start");
  ret = ret == VOUCH_RET_OK ?
    read_values(document, value, "positions", joints, &point->positions) : ret;
  ret = ret == VOUCH_RET_OK ?
    read_values(document, value, "velocities", joints, &point->velocities) : ret;
  ret = ret == VOUCH_RET_OK ?
    read_values(document, value, "accelerations", joints, &point->accelerations) : ret;
  if (ret == VOUCH_RET_OK && point->positions == NULL) {
    return vouch_value_fail(document, value, "this point has no positions");
  }
  return ret == VOUCH_RET_OK ?
         read_time(document, vouch_value_get(value, "time_from_start"), &point->time_s) : ret;
}

static vouch_ret_t read_joint_trajectory(
  vouch_document_t * document, const vouch_value_t * value, vouch_trajectory_t * trajectory,
  bool * stamped)
{
  const char ** names = NULL;
  const char * frame = NULL;   // of no meaning for joints
  double stamp = 0.0;
  const vouch_value_t * header = vouch_value_get(value, "header");
  *trajectory = (vouch_trajectory_t) {0};
  vouch_ret_t ret = vouch_value_keys(document, value, "header joint_names points");
  ret = ret == VOUCH_RET_OK ? vouch_value_header(document, header, &frame) : ret;
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = read_time(document, vouch_value_get(header, "stamp"), &stamp);
  *stamped = stamp != 0.0;
  if (ret == VOUCH_RET_OK) {
    ret = vouch_value_texts(
      document, vouch_value_get(value, "joint_names"), "joint_names", &names,
      &trajectory->joint_count);
  }
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  trajectory->joint_names = names;
  const vouch_value_t * list = vouch_value_get(value, "points");
  if (list == NULL || list->kind != VOUCH_VALUE_LIST || list->count == 0) {
    return vouch_value_fail(document, list == NULL ? value : list, "the trajectory has no points");
  }
  vouch_trajectory_point_t * points = vouch_arena_calloc(
    &document->arena, list->count, sizeof(*points));
  if (points == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (const vouch_value_t * v = list->first; ret == VOUCH_RET_OK && v != NULL; v = v->next) {
    ret = read_point(document, v, trajectory->joint_count, &points[trajectory->point_count++]);
  }
  trajectory->points = points;
  return ret;
}

/// Multi-DOF trajectories move a base; only the empty field of a message passes.
/// Whether a list says anything: not where it is empty, or null.
static bool says_something(const vouch_value_t * list)
{
  return list != NULL && (list->count > 0 ||
         (list->text != NULL && list->text[0] != '\0' && !vouch_word_in("~ null", list->text)));
}

static vouch_ret_t check_multi_dof(const vouch_document_t * document, const vouch_value_t * value)
{
  const vouch_value_t * points = vouch_value_get(value, "points");
  const vouch_value_t * names = vouch_value_get(value, "joint_names");
  vouch_ret_t ret = vouch_value_keys(document, value, "header joint_names points");
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (says_something(points) || says_something(names)) {
    return vouch_value_fail(
      document, value,
      "a multi-DOF trajectory moves a planar, floating or virtual joint, which is not supported");
  }
  return VOUCH_RET_OK;
}

/* ---- segments ---- */

/// One list of powers per joint, filled up with zeros to the longest.
static vouch_ret_t read_coefficients(
  vouch_document_t * document, const vouch_value_t * list, size_t joints,
  vouch_polynomial_segment_t * segment)
{
  if (list == NULL || list->kind != VOUCH_VALUE_LIST || list->count != joints) {
    return vouch_value_fail(
      document, list, "'coefficients' must be a list with one list a joint, %zu in all", joints);
  }
  size_t longest = 0;
  for (const vouch_value_t * v = list->first; v != NULL; v = v->next) {
    if (v->kind != VOUCH_VALUE_LIST || v->count == 0 || v->count > 6) {
      return vouch_value_fail(
        document, v, "a polynomial needs 1 to 6 coefficients (degree at most 5)");
    }
    longest = v->count > longest ? v->count : longest;
  }
  double * numbers = vouch_arena_calloc(&document->arena, joints * longest, sizeof(*numbers));
  if (numbers == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  size_t i = 0;
  for (const vouch_value_t * v = list->first; v != NULL; v = v->next, ++i) {
    vouch_ret_t ret = vouch_value_numbers(
      document, v, "coefficients", NULL, &numbers[i * longest], v->count);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  segment->coefficients = numbers;
  segment->degree = (uint32_t)(longest - 1);
  return VOUCH_RET_OK;
}

static vouch_ret_t read_segments(
  vouch_motion_t ** motion, const vouch_robot_t * robot, vouch_document_t * document,
  const vouch_motion_options_t * options)
{
  const vouch_value_t * root = document->root;
  const char ** names = NULL;
  size_t joints = 0, count = 0;
  vouch_ret_t ret = vouch_value_keys(document, root, "joint_names segments");
  ret = ret == VOUCH_RET_OK ? vouch_value_texts(
    document, vouch_value_get(root, "joint_names"), "joint_names", &names, &joints) : ret;
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_value_t * list = vouch_value_get(root, "segments");
  if (list == NULL || list->kind != VOUCH_VALUE_LIST || list->count == 0) {
    return vouch_value_fail(document, root, "'segments' must be a list that is not empty");
  }
  vouch_polynomial_segment_t * segments = vouch_arena_calloc(
    &document->arena, list->count, sizeof(*segments));
  if (segments == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (const vouch_value_t * v = list->first; v != NULL; v = v->next) {
    vouch_polynomial_segment_t * segment = &segments[count++];
    ret = vouch_value_keys(document, v, "duration coefficients");
    if (ret == VOUCH_RET_OK) {
      const vouch_value_t * duration = vouch_value_get(v, "duration");
      ret = vouch_value_number(
        document, duration == NULL ? v : duration, "duration", &segment->duration_s);
    }
    const vouch_value_t * lists = vouch_value_get(v, "coefficients");
    ret = ret == VOUCH_RET_OK ?
      read_coefficients(document, lists == NULL ? v : lists, joints, segment) : ret;
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  ret = vouch_motion_create_polynomial(motion, robot, names, joints, segments, count, options);
  return ret == VOUCH_RET_OK ? ret : vouch_fail_prefix(ret, "%s", document->name);
}

/* ---- documents and texts ---- */

static vouch_ret_t read_document(
  vouch_motion_t ** motion, const vouch_robot_t * robot, vouch_document_t * document,
  const vouch_motion_options_t * options)
{
  const vouch_value_t * root = document->root;
  if (vouch_value_get(root, "segments") != NULL) {
    return read_segments(motion, robot, document, options);
  }
  const vouch_value_t * joint = vouch_value_get(root, "joint_trajectory");
  const vouch_value_t * multi = vouch_value_get(root, "multi_dof_joint_trajectory");
  vouch_ret_t ret = VOUCH_RET_OK;
  if (joint != NULL || multi != NULL) {
    ret = vouch_value_keys(document, root, "joint_trajectory multi_dof_joint_trajectory");
    ret = ret == VOUCH_RET_OK && multi != NULL ? check_multi_dof(document, multi) : ret;
  } else if (vouch_value_get(root, "points") == NULL) {
    ret = vouch_value_fail(
      document, root,
      "this is no trajectory: joint_trajectory, points or segments is expected at the top");
  }
  vouch_trajectory_t trajectory;
  bool stamped = false;
  ret = ret == VOUCH_RET_OK ? read_joint_trajectory(
    document, joint == NULL ? root : joint, &trajectory, &stamped) : ret;
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_motion_create(motion, robot, &trajectory, options);
  if (ret != VOUCH_RET_OK) {
    return vouch_fail_prefix(ret, "%s", document->name);
  }
  if (stamped) {
    ret = vouch_motion_warn(
      *motion, "the header's stamp is not zero; the motion is taken to start at once");
  }
  return ret;
}

/// YAML and JSON begin with a bracket, a dash or a key; a CSV header has no colon.
static bool looks_like_csv(const char * text, size_t size)
{
  size_t i = 0;
  while (i < size) {
    size_t begin = i;
    while (i < size && text[i] != '\n') {
      i++;
    }
    while (begin < i && (text[begin] == ' ' || text[begin] == '\t' || text[begin] == '\r')) {
      begin++;
    }
    const size_t length = i - begin;
    i++;
    if (length == 0 || text[begin] == '#') {
      continue;
    }
    return strchr("{[-%", text[begin]) == NULL && memchr(text + begin, ':', length) == NULL;
  }
  return false;
}

/* A guess is only ever a warning. */
static vouch_ret_t warn_of_csv(
  vouch_motion_t * motion, const char * name, const vouch_csv_format_t * format)
{
  vouch_ret_t ret = format->unused.failed ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
  if (ret == VOUCH_RET_OK && format->unused.size > 0) {
    ret = vouch_motion_warn(
      motion, "%s: columns that --columns does not name are not looked at: %.400s", name,
      format->unused.data);
  }
  if (ret == VOUCH_RET_OK && format->largest_angle > 4.0 * M_PI) {
    ret = vouch_motion_warn(
      motion, "%s: angles up to %.6g are taken as radians; if they are degrees, say --degrees",
      name,
      format->largest_angle);
  }
  return ret;
}

static vouch_ret_t parse_csv(
  vouch_motion_t ** motion, const vouch_robot_t * robot, const char * name, const char * text,
  size_t size, const vouch_motion_options_t * options)
{
  vouch_arena_t arena = {.allocator = options->allocator};
  vouch_trajectory_t trajectory;
  vouch_csv_format_t format = {.robot = robot, .degrees = options->degrees,
    .columns = options->columns, .unused = {.allocator = options->allocator}};
  vouch_ret_t ret = vouch_read_csv_trajectory(&arena, name, text, size, &format, &trajectory);
  if (ret == VOUCH_RET_OK && vouch_robot_find_joint(robot, "time") != VOUCH_NONE) {
    ret = vouch_fail(
      VOUCH_RET_INVALID, "%s: the robot has a joint named 'time', and a CSV column of that name "
      "means the seconds: use YAML or JSON", name);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_motion_create(motion, robot, &trajectory, options);
    ret = ret == VOUCH_RET_OK ? ret : vouch_fail_prefix(ret, "%s", name);
  }
  ret = ret == VOUCH_RET_OK ? warn_of_csv(*motion, name, &format) : ret;
  vouch_text_fini(&format.unused);
  vouch_arena_fini(&arena);
  if (ret != VOUCH_RET_OK) {
    vouch_motion_destroy(*motion);
    *motion = NULL;
  }
  return ret;
}

/* Programs of robot controllers, and logs, that people try. */
static vouch_ret_t refuse_others(const char * name, const char * text, size_t size)
{
  static const struct {const char * ending; const char * what;} others[] = {
    {".src", "a KRL program"}, {".mod", "a RAPID program"}, {".prg", "a RAPID program"},
    {".script", "a URScript program"}, {".urp", "a URScript program"}, {".ls", "a TP program"},
    {".db3", "a ROS bag"}, {".mcap", "a ROS bag"}, {".bag", "a ROS bag"}
  };
  const char * dot = strrchr(name, '.');
  const char * what = NULL;
  for (size_t i = 0; dot != NULL && i < sizeof(others) / sizeof(*others); ++i) {
    what = strcasecmp(dot, others[i].ending) == 0 ? others[i].what : what;
  }
  what = size > 7 && memcmp(text, "&ACCESS", 7) == 0 ? "a KRL program" : what;
  return what == NULL ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "%s: this is %s, which is not read: what it does depends on its controller. "
    "Record or export the joint values over time, as CSV or JointTrajectory", name, what);
}

static vouch_ret_t parse_named(
  vouch_motion_t ** motion, const vouch_robot_t * robot, const char * name, const char * text,
  size_t size, const vouch_motion_options_t * options)
{
  if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {   // UTF-8's mark, as Excel writes it
    text += 3;
    size -= 3;
  }
  vouch_ret_t ret = refuse_others(name, text, size);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const size_t length = strlen(name);
  const bool csv = length > 4 && strcmp(name + length - 4, ".csv") == 0;
  if (csv || looks_like_csv(text, size)) {
    return parse_csv(motion, robot, name, text, size, options);
  }
  if (options->degrees || options->columns != NULL) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s: --degrees and --columns are for CSV files; messages are in radians and "
      "name their joints",
      name);
  }
  vouch_document_t document;
  ret = vouch_document_parse(&document, options->allocator, name, text, size);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = read_document(motion, robot, &document, options);
  vouch_document_fini(&document);
  if (ret != VOUCH_RET_OK) {
    vouch_motion_destroy(*motion);
    *motion = NULL;
  }
  return ret;
}

vouch_ret_t vouch_motion_parse(
  vouch_motion_t ** motion, const vouch_robot_t * robot, const char * text, size_t size,
  const vouch_motion_options_t * options)
{
  VOUCH_REQUIRE("motion", motion);
  *motion = NULL;
  VOUCH_REQUIRE("robot", robot);
  VOUCH_REQUIRE_ARRAY("text", text, size);
  vouch_motion_options_t all;
  vouch_ret_t ret = vouch_motion_options_read(options, &all);
  return ret == VOUCH_RET_OK ?
         parse_named(motion, robot, "trajectory", text, size, &all) : ret;
}

vouch_ret_t vouch_motion_load(
  vouch_motion_t ** motion, const vouch_robot_t * robot, const char * path,
  const vouch_motion_options_t * options)
{
  VOUCH_REQUIRE("motion", motion);
  *motion = NULL;
  VOUCH_REQUIRE("robot, path", robot, path);
  vouch_motion_options_t all;
  char * text = NULL;
  size_t size = 0;
  vouch_ret_t ret = vouch_motion_options_read(options, &all);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_file_read(&all.allocator, path, 0, &text, &size);
  if (ret == VOUCH_RET_OK) {
    ret = parse_named(motion, robot, path, text, size, &all);
  }
  vouch_free(&all.allocator, text);
  return ret;
}
