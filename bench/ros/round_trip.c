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

/* What ~/check_trajectory costs beside the check: its round trip, and that of a service which does
 * nothing but take the same request and send the same answer, in turns.
 *
 *   round_trip --echo                    serves /echo/check_trajectory with the answers of /vouch
 *   round_trip ROUNDS FILE...            asks both about each trajectory; prints rows
 *
 * A file: the joint names on one line, then one line per point: time, positions, velocities,
 * accelerations. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rcl/error_handling.h"
#include "rcl/graph.h"
#include "rcl/rcl.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "trajectory_msgs/msg/joint_trajectory_point.h"
#include "vouch/srv/check_trajectory.h"

#define MAX_JOINTS 16
#define MAX_POINTS 1000

typedef vouch__srv__CheckTrajectory_Request request_t;
typedef vouch__srv__CheckTrajectory_Response response_t;

static rcl_context_t context;
static rcl_node_t node;

static void must(bool ok, const char * what)
{
  if (!ok) {
    fprintf(
      stderr, "round_trip: %s: %s\n", what,
      rcl_error_is_set() ? rcl_get_error_string().str : "failed");
    exit(1);
  }
}

static double microseconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static const rosidl_service_type_support_t * support(void)
{
  return ROSIDL_GET_SRV_TYPE_SUPPORT(vouch, srv, CheckTrajectory);
}

/* ---- asking ---- */

typedef struct asker_s
{
  rcl_client_t client;
  rcl_wait_set_t waiting;
} asker_t;

static void asker_open(asker_t * asker, const char * service)
{
  rcl_client_options_t options = rcl_client_get_default_options();
  asker->client = rcl_get_zero_initialized_client();
  asker->waiting = rcl_get_zero_initialized_wait_set();
  must(
    rcl_client_init(&asker->client, &node, support(), service, &options) == RCL_RET_OK, service);
  must(
    rcl_wait_set_init(
      &asker->waiting, 0, 0, 0, 1, 0, 0, &context, rcl_get_default_allocator()) == RCL_RET_OK,
    "wait set");
  bool there = false;
  for (int i = 0; i < 400 && !there; ++i) {
    nanosleep(&(struct timespec) {0, 50000000}, NULL);
    must(
      rcl_service_server_is_available(&node, &asker->client, &there) == RCL_RET_OK, "looking");
  }
  must(there, service);
}

static void ask(asker_t * asker, const request_t * request, response_t * response)
{
  int64_t number = 0;
  rmw_request_id_t id = {.sequence_number = -1};
  must(rcl_send_request(&asker->client, request, &number) == RCL_RET_OK, "sending");
  for (double end = microseconds() + 30e6; id.sequence_number != number; ) {
    must(microseconds() < end, "no answer");
    must(rcl_wait_set_clear(&asker->waiting) == RCL_RET_OK, "clearing");
    must(
      rcl_wait_set_add_client(&asker->waiting, &asker->client, NULL) == RCL_RET_OK, "waiting");
    if (rcl_wait(&asker->waiting, 1000000000) != RCL_RET_OK ||
      rcl_take_response(&asker->client, &id, response) != RCL_RET_OK)
    {
      rcl_reset_error();
      id.sequence_number = -1;
    }
  }
}

/* ---- the echo ---- */

/// Answers each request with what /vouch said about the one with the same id.
static void echo(void)
{
  static response_t known[64];
  asker_t real;
  asker_open(&real, "/vouch/check_trajectory");
  rcl_service_t service = rcl_get_zero_initialized_service();
  rcl_service_options_t options = rcl_service_get_default_options();
  rcl_wait_set_t waiting = rcl_get_zero_initialized_wait_set();
  must(
    rcl_service_init(&service, &node, support(), "/echo/check_trajectory", &options) ==
    RCL_RET_OK && rcl_wait_set_init(
      &waiting, 0, 0, 0, 0, 1, 0, &context, rcl_get_default_allocator()) == RCL_RET_OK, "echo");
  request_t request = {0};
  must(vouch__srv__CheckTrajectory_Request__init(&request), "memory");
  for (;; ) {
    rmw_request_id_t id;
    must(
      rcl_wait_set_clear(&waiting) == RCL_RET_OK &&
      rcl_wait_set_add_service(&waiting, &service, NULL) == RCL_RET_OK, "waiting");
    if (rcl_wait(&waiting, 1000000000) != RCL_RET_OK ||
      rcl_take_request(&service, &id, &request) != RCL_RET_OK)
    {
      rcl_reset_error();
      continue;
    }
    response_t * answer = &known[(unsigned)atoi(request.id.data) % 64u];
    if (answer->report.id.data == NULL) {
      must(vouch__srv__CheckTrajectory_Response__init(answer), "memory");
      ask(&real, &request, answer);
    }
    must(rcl_send_response(&service, &id, answer) == RCL_RET_OK, "answering");
  }
}

/* ---- the trajectory ---- */

static bool copy_numbers(
  const double * numbers, size_t count, rosidl_runtime_c__double__Sequence * out)
{
  bool ok = rosidl_runtime_c__double__Sequence__init(out, count);
  if (ok) {
    memcpy(out->data, numbers, count * sizeof(double));
  }
  return ok;
}

static void read_names(FILE * file, trajectory_msgs__msg__JointTrajectory * out)
{
  char line[4096], * names[MAX_JOINTS];
  size_t count = 0;
  must(fgets(line, sizeof(line), file) != NULL, "joint names");
  for (char * p = strtok(line, " \n"); p != NULL && count < MAX_JOINTS; p = strtok(NULL, " \n")) {
    names[count++] = p;
  }
  must(rosidl_runtime_c__String__Sequence__init(&out->joint_names, count), "memory");
  for (size_t i = 0; i < count; ++i) {
    must(rosidl_runtime_c__String__assign(&out->joint_names.data[i], names[i]), "memory");
  }
}

static void read_trajectory(const char * path, trajectory_msgs__msg__JointTrajectory * out)
{
  FILE * file = fopen(path, "r");
  must(file != NULL, path);
  read_names(file, out);
  size_t joints = out->joint_names.size, count = 0;
  must(
    trajectory_msgs__msg__JointTrajectoryPoint__Sequence__init(&out->points, MAX_POINTS),
    "memory");
  double row[1 + 3 * MAX_JOINTS];
  for (bool more = true; more && count < MAX_POINTS; ) {
    for (size_t i = 0; more && i < 1 + 3 * joints; ++i) {
      more = fscanf(file, "%lf", &row[i]) == 1;
    }
    if (more) {
      trajectory_msgs__msg__JointTrajectoryPoint * point = &out->points.data[count++];
      point->time_from_start.sec = (int32_t)row[0];
      point->time_from_start.nanosec = (uint32_t)(1e9 * (row[0] - (int32_t)row[0]));
      must(
        copy_numbers(row + 1, joints, &point->positions) &&
        copy_numbers(row + 1 + joints, joints, &point->velocities) &&
        copy_numbers(row + 1 + 2 * joints, joints, &point->accelerations), "memory");
    }
  }
  fclose(file);
  out->points.size = count;
}

/// The trajectory is the arm's; the fingers stand.
static void hold(sensor_msgs__msg__JointState * state)
{
  const double position = 0.02;
  must(
    rosidl_runtime_c__String__Sequence__init(&state->name, 1) &&
    rosidl_runtime_c__String__assign(&state->name.data[0], "panda_finger_joint1") &&
    copy_numbers(&position, 1, &state->position), "memory");
}

/* ---- measuring ---- */

static int compare(const void * a, const void * b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double * values, size_t count)
{
  qsort(values, count, sizeof(double), compare);
  return values[count / 2];
}

/// What the answer brings with it.
typedef enum answer_e
{
  ANSWER_REPORT, ANSWER_CERTIFICATE, ANSWER_PROBLEM
} answer_t;

static void measure(
  asker_t * vouch, asker_t * bare, int number, const char * path, answer_t answer, size_t rounds)
{
  static const char * const answers[] = {"report", "certificate", "problem"};
  static const char * const verdicts[] = {"UNDECIDED", "FREE", "COLLISION", "INVALID"};
  request_t request = {0};   // __init() leaves numbers as they are
  response_t response = {0};
  double * times[4];
  must(
    vouch__srv__CheckTrajectory_Request__init(&request) &&
    vouch__srv__CheckTrajectory_Response__init(&response), "memory");
  for (int k = 0; k < 4; ++k) {
    times[k] = calloc(rounds, sizeof(double));
    must(times[k] != NULL, "memory");
  }
  char id[32];
  snprintf(id, sizeof(id), "%d", 3 * number + (int)answer);
  read_trajectory(path, &request.trajectory);
  must(rosidl_runtime_c__String__assign(&request.id, id), "memory");
  hold(&request.start_state);
  request.start_anywhere = true;
  request.want_certificate = answer != ANSWER_REPORT;
  request.skip_problem = answer != ANSWER_PROBLEM;
  for (int i = 0; i < 5; ++i) {
    ask(bare, &request, &response);
    ask(vouch, &request, &response);
  }
  for (size_t i = 0; i < rounds; ++i) {
    double begin = microseconds();
    ask(bare, &request, &response);
    double middle = microseconds();
    ask(vouch, &request, &response);
    times[0][i] = middle - begin;
    times[1][i] = microseconds() - middle;
    times[2][i] = 1e6 * response.report.seconds;
    times[3][i] = times[1][i] - times[2][i];   // a busy machine delays both
  }
  static const char * const methods[4] = {"bare echo", "round trip", "engine", "beyond engine"};
  for (int k = 0; k < 4; ++k) {
    printf(
      "service,%d,%s,%.3f,%s,%s,,%llu,%zu points; problem and certificate of %zu and %zu bytes\n",
      number,
      methods[k],
      median(times[k], rounds), answers[answer],
      verdicts[response.report.verdict & 3], (unsigned long long)response.report.leaves,
      request.trajectory.points.size, response.problem.size, response.certificate.size);
    free(times[k]);
  }
  vouch__srv__CheckTrajectory_Request__fini(&request);
  vouch__srv__CheckTrajectory_Response__fini(&response);
}

int main(int argc, char ** argv)
{
  bool serve = argc == 2 && strcmp(argv[1], "--echo") == 0;
  size_t rounds = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
  if (!serve && rounds == 0) {
    fprintf(stderr, "round_trip --echo | round_trip ROUNDS FILE...\n");
    return 2;
  }
  rcl_init_options_t options = rcl_get_zero_initialized_init_options();
  rcl_node_options_t node_options = rcl_node_get_default_options();
  context = rcl_get_zero_initialized_context();
  node = rcl_get_zero_initialized_node();
  must(
    rcl_init_options_init(&options, rcl_get_default_allocator()) == RCL_RET_OK &&
    rcl_init(0, NULL, &options, &context) == RCL_RET_OK, "starting");
  must(
    rcl_node_init(
      &node, serve ? "echo" : "round_trip", "", &context, &node_options) == RCL_RET_OK, "node");
  if (serve) {
    echo();
  }
  asker_t vouch, bare;
  asker_open(&bare, "/echo/check_trajectory");
  asker_open(&vouch, "/vouch/check_trajectory");
  for (int i = 2; i < argc; ++i) {
    measure(&vouch, &bare, i - 2, argv[i], ANSWER_REPORT, rounds);
    measure(&vouch, &bare, i - 2, argv[i], ANSWER_CERTIFICATE, rounds);
    measure(&vouch, &bare, i - 2, argv[i], ANSWER_PROBLEM, rounds);
  }
  return 0;   // the process ends here: nothing is given back one by one
}
