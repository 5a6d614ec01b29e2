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
/* vouch inspect: what a robot, a scene and a trajectory become before anything is proved. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sha256.h"
#include "cli/commands.h"
#include "cli/inspect.h"

static const cli_option_t own_options[] = {
  {"pairs", NULL, "Inspect", "list the checked pairs too"},
  {
    "radii", NULL, "Inspect",
    "how far every checked body reaches from every joint axis (needs a trajectory)"
  },
  {
    "dump", NULL, "Inspect", "the whole problem as text, every number exact (needs a trajectory)"
  },
  {NULL, NULL, NULL, NULL}
};

const cli_command_t cli_inspect_command = {
  .name = "inspect",
  .summary = "what a robot, a scene and a trajectory become before they are checked",
  .usage =
    "vouch inspect --robot arm.urdf [--srdf f] [--scene s] [--trajectory t] [options]\n"
    "       vouch inspect PROBLEM\n",
  .about =
    "Shows joints, links, hulls and trees, objects, which pairs are checked and why others are not,\n"
    "what the points of a trajectory mean, and how far each body reaches. The second form prints a\n"
    "problem file as text.\n",
  .own = own_options, .shared = true,
  .ends = "Exit code: 0, 3 INVALID input, 4 internal fault.\n",
  .examples =
    "  vouch inspect --robot arm.urdf --srdf arm.srdf --scene cell.yaml --pairs\n"
    "  vouch inspect --robot arm.urdf --scene cell.yaml --trajectory pick.yaml --radii\n"
    "  vouch inspect pick.problem\n"
};

typedef struct wishes_s
{
  bool pairs, radii, dump;
} wishes_t;

static vouch_ret_t take(void * state, const char * name, const char * value)
{
  wishes_t * wishes = state;
  (void)value;
  wishes->pairs |= strcmp(name, "pairs") == 0;
  wishes->radii |= strcmp(name, "radii") == 0;
  wishes->dump |= strcmp(name, "dump") == 0;
  return VOUCH_RET_OK;
}

static vouch_ret_t print_dump(const vouch_problem_t * problem)
{
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  vouch_ret_t ret = vouch_problem_dump(problem, &text);
  if (ret == VOUCH_RET_OK) {
    fwrite(text.data, 1, text.size, stdout);
  }
  vouch_text_fini(&text);
  return ret;
}

static vouch_ret_t inspect_file(const char * path)
{
  vouch_allocator_t allocator = vouch_allocator_default();
  char * data = NULL;
  size_t size = 0;
  vouch_ret_t ret = vouch_file_read(&allocator, path, 0, &data, &size);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vouch_problem_t problem;
  ret = vouch_problem_decode(&problem, allocator, data, size);
  if (ret != VOUCH_RET_OK) {
    ret = vouch_fail_prefix(ret, "%s", path);
  } else {
    ret = print_dump(&problem);
    vouch_problem_fini(&problem);
  }
  vouch_free(&allocator, data);
  return ret;
}

/* Tolerances as the check would use them: one per variable. */
static vouch_ret_t set_motion(cli_session_t * session, vouch_build_t * build)
{
  const cli_settings_t * settings = session->settings;
  const vouch_robot_t * robot = session->robot;
  double * tolerances = calloc(robot->variable_count + 1, sizeof(*tolerances));
  if (!tolerances) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "Out of memory.");
  }
  for (size_t i = 0; i < robot->variable_count; i++) {
    bool prismatic = robot->joints[robot->variables[i]].type == VOUCH_URDF_PRISMATIC;
    tolerances[i] = prismatic ? settings->check.tolerance_m : settings->check.tolerance_rad;
  }
  for (size_t k = 0; k < settings->joint_tolerances.count; k++) {
    int variable = vouch_robot_find_variable(robot, settings->joint_tolerances.items[k].name);
    if (variable < 0) {
      free(tolerances);
      return vouch_fail(
        VOUCH_RET_INVALID, "--joint-tolerance names '%s', which is not a moving joint of robot "
        "'%s'.", settings->joint_tolerances.items[k].name, robot->name);
    }
    tolerances[variable] = settings->joint_tolerances.items[k].value;
  }
  vouch_ret_t ret = vouch_build_set_motion(build, session->motion, tolerances);
  free(tolerances);
  return ret;
}

static vouch_ret_t inspect_motion(
  cli_session_t * session, vouch_build_t * build, const wishes_t * wishes)
{
  if (!session->settings->trajectory) {
    return wishes->radii || wishes->dump ?
           vouch_fail(VOUCH_RET_INVALID, "--radii and --dump need a trajectory (--trajectory).") :
           VOUCH_RET_OK;
  }
  vouch_ret_t ret = cli_session_load_motion(session);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  cli_inspect_motion(session->motion);
  ret = set_motion(session, build);
  if (ret == VOUCH_RET_OK && wishes->radii) {
    ret = cli_inspect_radii(build);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_problem_hash(&build->problem);
  }
  if (ret == VOUCH_RET_OK) {
    uint8_t digest[32];
    char hex[65];
    vouch_problem_digest(&build->problem, digest);
    vouch_sha256_hex(digest, hex);
    printf("problem sha256 %s\n", hex);
    ret = wishes->dump ? print_dump(&build->problem) : VOUCH_RET_OK;
  }
  return ret;
}

static vouch_ret_t inspect(cli_session_t * session, const wishes_t * wishes)
{
  vouch_build_t build;
  vouch_ret_t ret = cli_session_load_robot(session);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  cli_inspect_robot(session->robot);
  ret = cli_session_load_scene(session);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_build_scene(
    &build, session->scene, session->settings->check.margin_m, vouch_allocator_default());
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  cli_inspect_scene(session->scene, &build);
  cli_inspect_pairs(session->scene, &build, wishes->pairs);
  ret = inspect_motion(session, &build, wishes);
  vouch_build_fini(&build);
  return ret;
}

int vouch_cli_inspect(int argc, char ** argv)
{
  if (cli_wants_help(argc, argv)) {
    cli_help_print(&cli_inspect_command);
    return 0;
  }
  cli_settings_t settings;
  cli_settings_init(&settings);
  wishes_t wishes = {false, false, false};
  int rest = argc, code = CLI_EXIT_INVALID;
  if (cli_settings_parse(
      &settings, argc, argv, own_options, take, &wishes,
      &rest) == VOUCH_RET_OK)
  {
    cli_session_t session = {.settings = &settings};
    const bool written = settings.problem || settings.certificate || settings.picture ||
      settings.report || settings.gltf;
    vouch_ret_t ret = written || settings.json || settings.all ?
      vouch_fail(
      VOUCH_RET_INVALID, "--problem, --certificate, --picture, --report, --gltf, --all and --json are "
      "for vouch check.") :
      rest + 1 == argc && argc > 2 && !settings.robot ?
      vouch_fail(
      VOUCH_RET_INVALID, "A problem file (%s) holds everything itself and is printed as it is: "
      "leave the options out.", argv[rest]) :
      rest + 1 == argc && !settings.robot ? inspect_file(argv[rest]) :
      rest < argc ? vouch_fail(VOUCH_RET_INVALID, "'%s' is not understood.", argv[rest]) :
      inspect(&session, &wishes);
    code = ret == VOUCH_RET_OK ? 0 : cli_exit_of_failure(ret);
    if (ret != VOUCH_RET_OK) {
      fflush(stdout);
      fprintf(stderr, "vouch inspect: %s\n", vouch_error());
    }
    cli_session_fini(&session);
  }
  cli_settings_fini(&settings);
  return code;
}
