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

/* A client of vouch_node in C (rcl): asks about a straight motion and prints what is proved.
 *
 *   check_client [--node /vouch] [--points 2] [--repeat 1] [--certificate] joint=from:to ...
 *
 * Exit code: 0 FREE, 1 COLLISION, 2 UNDECIDED, 3 INVALID, 4 no answer. */

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

#define MAX_JOINTS 32

typedef struct arguments_s
{
  const char * node;
  size_t points, repeat;
  bool certificate;
  char names[MAX_JOINTS][64];
  double from[MAX_JOINTS], to[MAX_JOINTS];
  size_t joints;
} arguments_t;

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool fail(const char * what)
{
  fprintf(
    stderr, "check_client: %s: %s\n", what,
    rcl_error_is_set() ? rcl_get_error_string().str : "failed");
  rcl_reset_error();
  return false;
}

static bool parse(int argc, char ** argv, arguments_t * out)
{
  *out = (arguments_t) {.node = "/vouch", .points = 2, .repeat = 1};
  for (int i = 1; i < argc; ++i) {
    double from, to;
    char name[64];
    if (strcmp(argv[i], "--ros-args") == 0) {
      break;
    } else if (strcmp(argv[i], "--node") == 0 && i + 1 < argc) {
      out->node = argv[++i];
    } else if (strcmp(argv[i], "--points") == 0 && i + 1 < argc) {
      out->points = strtoul(argv[++i], NULL, 10);
    } else if (strcmp(argv[i], "--repeat") == 0 && i + 1 < argc) {
      out->repeat = strtoul(argv[++i], NULL, 10);
    } else if (strcmp(argv[i], "--certificate") == 0) {
      out->certificate = true;
    } else if (out->joints < MAX_JOINTS &&
      sscanf(argv[i], "%63[^=]=%lf:%lf", name, &from, &to) == 3)
    {
      memcpy(out->names[out->joints], name, sizeof(name));
      out->from[out->joints] = from;
      out->to[out->joints++] = to;
    } else {
      fprintf(stderr, "check_client: '%s' is not understood: joint=from:to\n", argv[i]);
      return false;
    }
  }
  return out->joints > 0 && out->points > 1 && out->repeat > 0;
}

/// Points on the straight line, one second from the first to the last.
static bool fill(const arguments_t * in, vouch__srv__CheckTrajectory_Request * request)
{
  trajectory_msgs__msg__JointTrajectory * trajectory = &request->trajectory;
  request->start_anywhere = true;
  request->want_certificate = in->certificate;
  bool ok = rosidl_runtime_c__String__Sequence__init(&trajectory->joint_names, in->joints) &&
    trajectory_msgs__msg__JointTrajectoryPoint__Sequence__init(&trajectory->points, in->points);
  for (size_t i = 0; ok && i < in->joints; ++i) {
    ok = rosidl_runtime_c__String__assign(&trajectory->joint_names.data[i], in->names[i]);
  }
  for (size_t k = 0; ok && k < in->points; ++k) {
    trajectory_msgs__msg__JointTrajectoryPoint * point = &trajectory->points.data[k];
    double part = (double)k / (double)(in->points - 1);
    ok = rosidl_runtime_c__double__Sequence__init(&point->positions, in->joints);
    for (size_t i = 0; ok && i < in->joints; ++i) {
      point->positions.data[i] = in->from[i] + part * (in->to[i] - in->from[i]);
    }
    uint64_t nanoseconds = (uint64_t)k * 1000000000ULL / (in->points - 1);
    point->time_from_start.sec = (int32_t)(nanoseconds / 1000000000ULL);
    point->time_from_start.nanosec = (uint32_t)(nanoseconds % 1000000000ULL);
  }
  return ok;
}

static bool wait_for_service(const rcl_node_t * node, const rcl_client_t * client)
{
  for (double end = now() + 20.0; now() < end; ) {
    bool there = false;
    if (rcl_service_server_is_available(node, client, &there) != RCL_RET_OK) {
      return fail("looking for the service");
    }
    if (there) {
      return true;
    }
    nanosleep(&(struct timespec) {0, 20000000}, NULL);
  }
  return fail("the service is not there: is vouch_node running?");
}

/// Sends one request and waits for its answer.
static bool ask(
  rcl_client_t * client, rcl_wait_set_t * wait_set,
  const vouch__srv__CheckTrajectory_Request * request,
  vouch__srv__CheckTrajectory_Response * response)
{
  int64_t number = 0;
  if (rcl_send_request(client, request, &number) != RCL_RET_OK) {
    return fail("sending");
  }
  for (double end = now() + 30.0; now() < end; ) {
    rmw_request_id_t id;
    if (rcl_wait_set_clear(wait_set) != RCL_RET_OK ||
      rcl_wait_set_add_client(wait_set, client, NULL) != RCL_RET_OK)
    {
      return fail("waiting");
    }
    if (rcl_wait(wait_set, 1000000000LL) != RCL_RET_OK) {
      rcl_reset_error();
      continue;
    }
    if (rcl_take_response(client, &id, response) == RCL_RET_OK && id.sequence_number == number) {
      return true;
    }
    rcl_reset_error();
  }
  return fail("no answer");
}

static void print_report(const vouch__srv__CheckTrajectory_Response * response)
{
  static const char * const verdicts[] = {"UNDECIDED", "FREE", "COLLISION", "INVALID"};
  const vouch__msg__TrajectoryReport * report = &response->report;
  printf("%s: %s\n", verdicts[report->verdict & 3], report->message.data);
  if (report->clearance.kind != vouch__msg__PairReport__NONE) {
    printf(
      "closest: %s - %s, %.6f to %.6f m\n", report->clearance.a.data, report->clearance.b.data,
      report->clearance.lower_m, report->clearance.upper_m);
  }
  if (response->certificate.size > 0) {
    printf("certificate: %zu bytes\n", response->certificate.size);
  }
}

static int compare(const void * a, const void * b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int run(const arguments_t * arguments, rcl_client_t * client, rcl_wait_set_t * wait_set)
{
  static const int codes[] = {2, 0, 1, 3};
  /* Zeroed first: __init() leaves numbers as they are. */
  vouch__srv__CheckTrajectory_Request request = {0};
  vouch__srv__CheckTrajectory_Response response = {0};
  double * times = calloc(2 * arguments->repeat, sizeof(double));
  int code = 4;
  if (times == NULL || !vouch__srv__CheckTrajectory_Request__init(&request)) {
    free(times);
    return code;
  }
  if (!vouch__srv__CheckTrajectory_Response__init(&response)) {
    vouch__srv__CheckTrajectory_Request__fini(&request);
    free(times);
    return code;
  }
  bool ok = fill(arguments, &request);
  for (size_t i = 0; ok && i < arguments->repeat; ++i) {
    double begin = now();
    ok = ask(client, wait_set, &request, &response);
    times[i] = now() - begin;
    times[arguments->repeat + i] = response.report.seconds;
  }
  if (ok) {
    print_report(&response);
    qsort(times, arguments->repeat, sizeof(double), compare);
    qsort(times + arguments->repeat, arguments->repeat, sizeof(double), compare);
    printf(
      "median of %zu: round trip %.3f ms, check %.3f ms\n", arguments->repeat,
      1e3 * times[arguments->repeat / 2],
      1e3 * times[arguments->repeat + arguments->repeat / 2]);
    code = codes[response.report.verdict & 3];
  }
  vouch__srv__CheckTrajectory_Response__fini(&response);
  vouch__srv__CheckTrajectory_Request__fini(&request);
  free(times);
  return code;
}

static int with_node(const arguments_t * arguments, rcl_context_t * context)
{
  rcl_node_t node = rcl_get_zero_initialized_node();
  rcl_node_options_t node_options = rcl_node_get_default_options();
  if (rcl_node_init(&node, "check_client", "", context, &node_options) != RCL_RET_OK) {
    return fail("the node") + 4;
  }
  char service[256];
  snprintf(service, sizeof(service), "%s/check_trajectory", arguments->node);
  rcl_client_t client = rcl_get_zero_initialized_client();
  rcl_client_options_t options = rcl_client_get_default_options();
  rcl_wait_set_t wait_set = rcl_get_zero_initialized_wait_set();
  int code = 4;
  if (rcl_client_init(
      &client, &node, ROSIDL_GET_SRV_TYPE_SUPPORT(vouch, srv, CheckTrajectory), service,
      &options) != RCL_RET_OK)
  {
    (void)fail("the client");
  } else {
    if (rcl_wait_set_init(
        &wait_set, 0, 0, 0, 1, 0, 0, context, rcl_get_default_allocator()) != RCL_RET_OK)
    {
      (void)fail("the wait set");
    } else {
      code = wait_for_service(&node, &client) ? run(arguments, &client, &wait_set) : 4;
      (void)(rcl_wait_set_fini(&wait_set) == RCL_RET_OK || fail("closing"));
    }
    (void)(rcl_client_fini(&client, &node) == RCL_RET_OK || fail("closing"));
  }
  (void)(rcl_node_fini(&node) == RCL_RET_OK || fail("closing"));
  return code;
}

int main(int argc, char ** argv)
{
  arguments_t arguments;
  if (!parse(argc, argv, &arguments)) {
    fprintf(
      stderr,
      "check_client [--node /vouch] [--points 2] [--repeat 1] [--certificate] joint=from:to ...\n");
    return 4;
  }
  rcl_init_options_t options = rcl_get_zero_initialized_init_options();
  rcl_context_t context = rcl_get_zero_initialized_context();
  if (rcl_init_options_init(&options, rcl_get_default_allocator()) != RCL_RET_OK ||
    rcl_init(argc, (const char * const *)argv, &options, &context) != RCL_RET_OK)
  {
    (void)fail("starting");
    return 4;
  }
  int code = with_node(&arguments, &context);
  (void)(rcl_shutdown(&context) == RCL_RET_OK || fail("closing"));
  (void)(rcl_context_fini(&context) == RCL_RET_OK || fail("closing"));
  (void)(rcl_init_options_fini(&options) == RCL_RET_OK || fail("closing"));
  return code;
}
