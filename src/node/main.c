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

/* vouch_node: proves trajectories collision-free, as a ROS 2 node. Ends with 0 on SIGINT and
 * SIGTERM. */

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "node/node.h"

static void on_signal(int number)
{
  (void)number;
  node_stop();
}

static void catch_signals(void)
{
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

int main(int argc, char ** argv)
{
  static vouch_node_t node;
  catch_signals();
  if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    printf(
      "vouch_node [--ros-args -p name:=value --params-file file -r old:=new]\n"
      "Proves trajectories collision-free. Parameters and interfaces: docs/ros2.md\n");
    return 0;
  }
  bool ok = node_init(&node, argc, argv);
  int64_t wait_ns = 0;
  while (ok && !node_stops()) {
    executor_spin_some(node.executor, wait_ns);
    wait_ns = node_tick(&node);
  }
  if (ok) {
    NODE_INFO(&node, "stopping");
  }
  node_fini(&node);
  return ok ? 0 : 1;
}
