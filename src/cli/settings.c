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
/* One table of options; each knows how its text becomes a setting. */

#include "cli/settings.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

#define MAX_OPTIONS 64

void cli_settings_init(cli_settings_t * settings)
{
  memset(settings, 0, sizeof(*settings));
  settings->check = vouch_check_options_default();
  settings->unwind_lead_in = vouch_motion_options_default().unwind_lead_in;
}

void cli_numbers_fini(cli_numbers_t * numbers)
{
  for (size_t i = 0; i < numbers->count; i++) {
    free(numbers->items[i].name);
  }
  free(numbers->items);
}

void cli_settings_fini(cli_settings_t * settings)
{
  free(settings->packages.items);
  free(settings->scenes.items);
  free(settings->group_states.items);
  free(settings->allows.items);
  cli_numbers_fini(&settings->start);
  cli_numbers_fini(&settings->paddings);
  cli_numbers_fini(&settings->scales);
  cli_numbers_fini(&settings->joint_tolerances);
  memset(settings, 0, sizeof(*settings));
}

/* ---- values ---- */

vouch_ret_t cli_parse_number(const char * name, const char * text, double low, double * value)
{
  if (!vouch_parse_double(text, value) || !(*value >= low)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "--%s needs a number%s, not '%s'.", name,
      low == 0.0 ? " that is not negative" : "", text);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t parse_count(const char * name, const char * text, double high, double * value)
{
  if (!vouch_parse_double(text, value) || !(*value >= 0.0 && *value <= high) ||
    *value != floor(*value))
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "--%s needs a whole number from 0 to %.0f, not '%s'.", name, high, text);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t parse_switch(const char * name, const char * text, bool * value)
{
  if (strcmp(text, "on") == 0 || strcmp(text, "off") == 0) {
    *value = text[1] == 'n';
    return VOUCH_RET_OK;
  }
  return vouch_fail(VOUCH_RET_INVALID, "--%s is on or off, not '%s'.", name, text);
}

/* 64M, 2G, 100k or plain bytes. What no check can do anything with is a forgotten M. */
static vouch_ret_t parse_memory(const char * text, size_t * bytes)
{
  const double least = 65536.0;
  size_t length = strlen(text);
  double unit = 1.0, value;
  char digits[32];
  if (length > 0 && length < sizeof(digits)) {
    char last = text[length - 1];
    unit = last == 'k' || last == 'K' ? 1024.0 : last == 'M' ? 1048576.0 :
      last == 'G' ? 1073741824.0 : 1.0;
    memcpy(digits, text, length + 1);
    digits[unit > 1.0 ? length - 1 : length] = '\0';
    const bool number = vouch_parse_double(digits, &value) && value >= 0.0;
    if (number && value * unit < least) {
      return vouch_fail(
        VOUCH_RET_INVALID, "--memory %s is too little for any check; it counts bytes, so write "
        "%sM for megabytes (at least 64k).", text, value > 0.0 ? digits : "200");
    }
    if (number && value * unit < 1e15) {
      *bytes = (size_t)(value * unit);
      return VOUCH_RET_OK;
    }
  }
  return vouch_fail(
    VOUCH_RET_INVALID, "--memory needs bytes such as 200M or 1G, not '%s'.", text);
}

vouch_ret_t cli_texts_append(cli_texts_t * list, const char * text)
{
  vouch_allocator_t allocator = vouch_allocator_default();
  if (!vouch_grow(&allocator, &list->items, list->count, &list->capacity, sizeof(*list->items))) {
    return VOUCH_RET_NO_MEMORY;
  }
  list->items[list->count++] = text;
  return VOUCH_RET_OK;
}

/* name=value, or (when `bare` is allowed) a value for all. */
vouch_ret_t cli_numbers_append(
  cli_numbers_t * list, const char * option, const char * text, double low, bool bare)
{
  vouch_allocator_t allocator = vouch_allocator_default();
  const char * equals = strrchr(text, '=');
  double value;
  if ((!equals && !bare) || equals == text) {
    return vouch_fail(
      VOUCH_RET_INVALID, "--%s needs name=value, not '%s'.", option, text);
  }
  vouch_ret_t ret = cli_parse_number(option, equals ? equals + 1 : text, low, &value);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (!vouch_grow(&allocator, &list->items, list->count, &list->capacity, sizeof(*list->items))) {
    return VOUCH_RET_NO_MEMORY;
  }
  char * name = NULL;
  if (equals) {
    name = vouch_strdup(&allocator, text);
    if (!name) {
      return VOUCH_RET_NO_MEMORY;
    }
    name[equals - text] = '\0';
  }
  list->items[list->count++] = (cli_named_number_t) {name, value};
  return VOUCH_RET_OK;
}

static vouch_ret_t parse_model(const char * text, vouch_motion_model_t * model)
{
  static const struct {const char * name; vouch_motion_model_t model;} models[] = {
    {"auto", VOUCH_MODEL_AUTO}, {"controller", VOUCH_MODEL_CONTROLLER},
    {"planner", VOUCH_MODEL_PLANNER}, {"linear", VOUCH_MODEL_LINEAR}
  };
  for (size_t i = 0; i < sizeof(models) / sizeof(*models); i++) {
    if (strcmp(text, models[i].name) == 0) {
      *model = models[i].model;
      return VOUCH_RET_OK;
    }
  }
  return vouch_fail(
    VOUCH_RET_INVALID, "--model is auto, controller, planner or linear, not '%s'.", text);
}

static vouch_ret_t parse_method(const char * text, vouch_method_t * method)
{
  if (strcmp(text, "chord") == 0) {
    *method = VOUCH_METHOD_CHORD;
  } else if (strcmp(text, "schwarzer") == 0) {
    *method = VOUCH_METHOD_SCHWARZER;
  } else {
    return vouch_fail(VOUCH_RET_INVALID, "--method is chord or schwarzer, not '%s'.", text);
  }
  return VOUCH_RET_OK;
}

/* ---- the options ---- */

typedef enum option_id_e
{
  OPTION_ROBOT, OPTION_SRDF, OPTION_PACKAGE, OPTION_SCENE, OPTION_REQUEST, OPTION_TRAJECTORY,
  OPTION_DEGREES, OPTION_COLUMNS,
  OPTION_CACHE, OPTION_GROUP_STATE, OPTION_START, OPTION_PADDING, OPTION_SCALE, OPTION_ALLOW,
  OPTION_HULLS, OPTION_SURFACES, OPTION_HUMBLE_LEAD_IN, OPTION_MODEL, OPTION_STRICT, OPTION_METHOD,
  OPTION_MARGIN,
  OPTION_TOLERANCE, OPTION_TOLERANCE_M, OPTION_JOINT_TOLERANCE, OPTION_DEADLINE, OPTION_DEPTH,
  OPTION_MEMORY, OPTION_THREADS, OPTION_FIRST_CONTACT, OPTION_CLEARANCE,
  OPTION_CLEARANCE_RESOLUTION, OPTION_PROBLEM, OPTION_CERTIFICATE, OPTION_PICTURE, OPTION_REPORT,
  OPTION_GLTF, OPTION_ALL, OPTION_JSON, OPTION_QUIET, OPTION_COUNT
} option_id_t;

const cli_option_t cli_settings_options[] = {
  [OPTION_ROBOT] = {
    "robot", "FILE", "Input",
    "URDF, or xacro where that is installed"
  },
  [OPTION_SRDF] = {
    "srdf", "FILE", "Input",
    "which link pairs need no check; group states"
  },
  [OPTION_PACKAGE] = {
    "package", "NAME=DIR", "Input",
    "where package://NAME/ is (may be repeated; else AMENT_PREFIX_PATH says\n"
    "it, or the package lies above or beside the directory of the file)"
  },
  [OPTION_SCENE] = {
    "scene", "FILE", "Input",
    "obstacles: PlanningScene (YAML, JSON), vouch JSON (may be repeated)"
  },
  [OPTION_REQUEST] = {
    "request", "FILE", "Input",
    "start state: MotionPlanRequest, RobotState or JointState"
  },
  [OPTION_TRAJECTORY] = {
    "trajectory", "FILE", "Input",
    "RobotTrajectory, JointTrajectory (YAML, JSON), CSV, polynomials (JSON)\n"
    "('-': from standard input)"
  },
  [OPTION_DEGREES] = {
    "degrees", NULL, "Input",
    "CSV: joints that turn are in degrees, where the header gives no unit"
  },
  [OPTION_COLUMNS] = {
    "columns", "NAMES", "Input",
    "CSV: the columns that count: COLUMN or JOINT=COLUMN, by commas"
  },
  [OPTION_CACHE] = {
    "cache", "DIR", "Input",
    "where built meshes are kept, or 'off' ($XDG_CACHE_HOME/vouch)"
  },
  [OPTION_GROUP_STATE] = {
    "group-state", "GROUP/NAME", "Input",
    "start state from the SRDF (may be repeated)"
  },
  [OPTION_START] = {
    "start", "JOINT=VALUE", "Input",
    "start value of one joint (may be repeated; wins)"
  },
  [OPTION_PADDING] = {
    "padding", "NAME=M", "Meaning",
    "metres around a link or object; without NAME around all links"
  },
  [OPTION_SCALE] = {
    "scale", "LINK=FACTOR", "Meaning",
    "a link's geometry made larger or smaller"
  },
  [OPTION_ALLOW] = {
    "allow", "A,B", "Meaning",
    "do not check this pair (may be repeated); one name alone: --strict\n"
    "does not ask for that link's or object's geometry"
  },
  [OPTION_HULLS] = {
    "hulls", NULL, "Meaning",
    "take the convex hull of every mesh on purpose"
  },
  [OPTION_SURFACES] = {
    "surfaces", NULL, "Meaning",
    "open meshes are meant as surfaces"
  },
  [OPTION_HUMBLE_LEAD_IN] = {
    "humble-lead-in", NULL, "Meaning",
    "continuous joints are not unwound on the way to the first point"
  },
  [OPTION_MODEL] = {
    "model", "auto|controller|planner|linear", "Meaning",
    "how points are joined (auto: controller where there are times)"
  },
  [OPTION_STRICT] = {
    "strict", NULL, "Meaning",
    "FREE only where nothing is left out without a name: links without\n"
    "<collision>, what stands in each other, defaults, unseen space"
  },
  [OPTION_METHOD] = {
    "method", "chord|schwarzer", "Work",
    "how it is proved (chord: stronger and faster)"
  },
  [OPTION_MARGIN] = {
    "margin", "M", "Meaning",
    "metres that must remain between all pairs (0)"
  },
  [OPTION_TOLERANCE] = {
    "tolerance", "RAD", "Meaning",
    "deviation of revolute joints that the proof survives (0)"
  },
  [OPTION_TOLERANCE_M] = {
    "tolerance-m", "M", "Meaning",
    "the same for prismatic joints (0)"
  },
  [OPTION_JOINT_TOLERANCE] = {
    "joint-tolerance", "JOINT=VALUE", "Meaning",
    "the same for one joint (may be repeated; wins)"
  },
  [OPTION_DEADLINE] = {
    "deadline", "S", "Work",
    "seconds; running out is UNDECIDED (no limit)"
  },
  [OPTION_DEPTH] = {
    "depth", "N", "Work",
    "halvings of a segment, at most 44 (24)"
  },
  [OPTION_MEMORY] = {
    "memory", "BYTES", "Work",
    "for the check, such as 200M"
  },
  [OPTION_THREADS] = {
    "threads", "N", "Work",
    "workers of one check; of a batch rows at a time, with the same output"
  },
  [OPTION_FIRST_CONTACT] = {
    "first-contact", "on|off", "Work",
    "bracket the first contact, or stop at any (on)"
  },
  [OPTION_CLEARANCE] = {
    "clearance", "on|off", "Work",
    "bound the smallest distance (on)"
  },
  [OPTION_CLEARANCE_RESOLUTION] = {
    "clearance-resolution", "M", "Work",
    "how closely the smallest distance is bounded (0.0001)"
  },
  [OPTION_PROBLEM] = {
    "problem", "FILE", CLI_OUTPUT_GROUP,
    "everything the proof speaks about (batch: a column of the list)"
  },
  [OPTION_CERTIFICATE] = {
    "certificate", "FILE", CLI_OUTPUT_GROUP,
    "the proof (or the collision's witness), for vouch-verify (batch: a column)"
  },
  [OPTION_PICTURE] = {
    "picture", "FILE", CLI_OUTPUT_GROUP,
    "SVG of the motion, and of the collision or closest approach (batch: a column)"
  },
  [OPTION_REPORT] = {
    "report", "FILE", CLI_OUTPUT_GROUP,
    "HTML: the cell in 3-D, the motion, clearance over time, every pair; one\n"
    "file, opens without a network. Of a batch: one page with all rows;\n"
    "OUT.html: that file, else a directory, which gets a page for each row too"
  },
  [OPTION_GLTF] = {
    "gltf", "FILE", CLI_OUTPUT_GROUP,
    "binary glTF with the motion as its animation, for other viewers (batch:\n"
    "a column)"
  },
  [OPTION_ALL] = {
    "all", NULL, CLI_OUTPUT_GROUP,
    "every pair that collides, and when, not only the first one (check only)"
  },
  [OPTION_JSON] = {
    "json", NULL, CLI_OUTPUT_GROUP,
    "one JSON object on standard output; of a batch one a line"
  },
  [OPTION_QUIET] = {
    "quiet", NULL, CLI_OUTPUT_GROUP,
    "only the exit code; of a batch no summary"
  },
  [OPTION_COUNT] = {NULL, NULL, NULL, NULL}
};

typedef cli_settings_t settings_t;

/* Two names, or one. */
static vouch_ret_t append_allow(cli_texts_t * list, const char * text)
{
  const char * comma = strchr(text, ',');
  if (text[0] == '\0' || comma == text || (comma && (!comma[1] || strchr(comma + 1, ',')))) {
    return vouch_fail(
      VOUCH_RET_INVALID,
      "--allow needs two names of links or objects such as base,table, not '%s'.",
      text);
  }
  return cli_texts_append(list, text);
}

/* A list may turn off what the command line turned on; there a switch has no value. */
static vouch_ret_t set_switch(const char * value, bool on, bool * setting)
{
  *setting = value && strcmp(value, "off") == 0 ? !on : on;
  return VOUCH_RET_OK;
}

/* Files, start state and geometry. */
static vouch_ret_t set_input(settings_t * s, option_id_t id, const char * value)
{
  switch (id) {
    case OPTION_ROBOT: s->robot = value; return VOUCH_RET_OK;
    case OPTION_SRDF: s->srdf = value; return VOUCH_RET_OK;
    case OPTION_REQUEST: s->request = value; return VOUCH_RET_OK;
    case OPTION_TRAJECTORY: s->trajectory = value; return VOUCH_RET_OK;
    case OPTION_DEGREES: return set_switch(value, true, &s->degrees);
    case OPTION_COLUMNS: s->columns = value; return VOUCH_RET_OK;
    case OPTION_CACHE: s->cache = value; return VOUCH_RET_OK;
    case OPTION_SCENE: return cli_texts_append(&s->scenes, value);
    case OPTION_PACKAGE:
      return strcspn(value, "=") > 0 && strchr(value, '=') ? cli_texts_append(&s->packages, value) :
             vouch_fail(VOUCH_RET_INVALID, "--package needs name=directory, not '%s'.", value);
    case OPTION_GROUP_STATE:
      return strchr(value, '/') ? cli_texts_append(&s->group_states, value) :
             vouch_fail(VOUCH_RET_INVALID, "--group-state needs group/state, not '%s'.", value);
    case OPTION_START: return cli_numbers_append(&s->start, "start", value, -INFINITY, false);
    case OPTION_PADDING: return cli_numbers_append(&s->paddings, "padding", value, 0.0, true);
    case OPTION_SCALE: return cli_numbers_append(&s->scales, "scale", value, 0.0, false);
    case OPTION_ALLOW: return append_allow(&s->allows, value);
    case OPTION_HULLS: return set_switch(value, true, &s->hulls);
    case OPTION_SURFACES: return set_switch(value, true, &s->surfaces);
    case OPTION_HUMBLE_LEAD_IN: return set_switch(value, false, &s->unwind_lead_in);
    case OPTION_MODEL: return parse_model(value, &s->model);
    case OPTION_STRICT: return set_switch(value, true, &s->strict);
    default: return VOUCH_RET_UNSUPPORTED;
  }
}

/* What is to be proved, and how. */
static vouch_ret_t set_check(settings_t * s, option_id_t id, const char * value)
{
  const char * name = cli_settings_options[id].name;
  vouch_check_options_t * check = &s->check;
  double number = 0.0;
  vouch_ret_t ret = VOUCH_RET_UNSUPPORTED;
  switch (id) {
    case OPTION_METHOD: return parse_method(value, &check->method);
    case OPTION_MARGIN: return cli_parse_number(name, value, 0.0, &check->margin_m);
    case OPTION_TOLERANCE: return cli_parse_number(name, value, 0.0, &check->tolerance_rad);
    case OPTION_TOLERANCE_M: return cli_parse_number(name, value, 0.0, &check->tolerance_m);
    case OPTION_JOINT_TOLERANCE:
      return cli_numbers_append(&s->joint_tolerances, name, value, 0.0, false);
    case OPTION_DEADLINE: return cli_parse_number(name, value, 0.0, &check->deadline_s);
    case OPTION_MEMORY: return parse_memory(value, &check->max_memory);
    case OPTION_FIRST_CONTACT: return parse_switch(name, value, &check->first_contact);
    case OPTION_CLEARANCE: return parse_switch(name, value, &check->clearance);
    case OPTION_CLEARANCE_RESOLUTION:
      return cli_parse_number(name, value, 0.0, &check->clearance_resolution_m);
    case OPTION_DEPTH:
      ret = parse_count(name, value, 44.0, &number);
      check->max_depth = (uint32_t)number;
      return ret;
    case OPTION_THREADS:
      ret = parse_count(name, value, 256.0, &number);
      check->threads = (uint32_t)number;
      return ret;
    default: return VOUCH_RET_UNSUPPORTED;
  }
}

static vouch_ret_t set_output(settings_t * s, option_id_t id, const char * value)
{
  switch (id) {
    case OPTION_PROBLEM: s->problem = value; return VOUCH_RET_OK;
    case OPTION_CERTIFICATE: s->certificate = value; return VOUCH_RET_OK;
    case OPTION_PICTURE: s->picture = value; return VOUCH_RET_OK;
    case OPTION_ALL: s->all = true; return VOUCH_RET_OK;
    case OPTION_REPORT: s->report = value; return VOUCH_RET_OK;
    case OPTION_GLTF: s->gltf = value; return VOUCH_RET_OK;
    case OPTION_JSON: s->json = true; return VOUCH_RET_OK;
    case OPTION_QUIET: s->quiet = true; return VOUCH_RET_OK;
    default: return VOUCH_RET_UNSUPPORTED;
  }
}

vouch_ret_t cli_settings_set(cli_settings_t * settings, const char * name, const char * value)
{
  for (int id = 0; id < OPTION_COUNT; id++) {
    if (strcmp(cli_settings_options[id].name, name) != 0) {
      continue;
    }
    if (id < OPTION_METHOD) {
      return set_input(settings, (option_id_t)id, value);
    }
    return id < OPTION_PROBLEM ? set_check(settings, (option_id_t)id, value) :
           set_output(settings, (option_id_t)id, value);
  }
  return vouch_fail(VOUCH_RET_UNSUPPORTED, "There is no option --%s.", name);
}

/* ---- the command line ---- */

static vouch_ret_t complain(const char * command, const char * sentence)
{
  fprintf(
    stderr, "vouch %s: %s\n'vouch %s --help' lists the options.\n", command, sentence, command);
  return VOUCH_RET_INVALID;
}

vouch_ret_t cli_complain_about_option(char ** argv, bool missing)
{
  char sentence[256];
  const char * option = argv[optind - 1];
  char letter[3] = {'-', (char)optopt, '\0'};
  bool is_long = strncmp(option, "--", 2) == 0;
  snprintf(
    sentence, sizeof(sentence), missing ? "the option %.200s needs a value." :
    "there is no option %.200s (or it takes no value).", is_long ? option : letter);
  return complain(argv[0], sentence);
}

bool cli_option_is_whole(char ** argv, const char * name)
{
  const char * option = argv[optind - 1];
  if (optarg != NULL && optarg == option) {
    option = argv[optind - 2];   // its value was an argument of its own
  }
  const size_t length = strlen(name);
  if (strncmp(option + 2, name, length) == 0 && (option[2 + length] == '\0' ||
    option[2 + length] == '='))
  {
    return true;
  }
  char sentence[256];
  snprintf(
    sentence, sizeof(sentence), "there is no option %.150s (--%s?); names are written out.", option,
    name);
  (void)complain(argv[0], sentence);
  return false;
}

static size_t fill_long_options(struct option * table, const cli_option_t * extra)
{
  const cli_option_t * const rows[2] = {cli_settings_options, extra};
  size_t n = 0;
  for (size_t t = 0; t < 2; t++) {
    for (const cli_option_t * o = rows[t]; o && o->name && n < MAX_OPTIONS; o++) {
      table[n++] = (struct option) {
        o->name, o->value ? required_argument : no_argument, NULL, 0
      };
    }
  }
  return n;
}

bool cli_wants_help(int argc, char ** argv)
{
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      return true;
    }
  }
  return false;
}

/* Of a second robot or margin nobody would be told that the first was not looked at. */
static bool is_single(int id)
{
  switch (id) {
    case OPTION_PACKAGE:
    case OPTION_SCENE:
    case OPTION_GROUP_STATE:
    case OPTION_START:
    case OPTION_PADDING:
    case OPTION_SCALE:
    case OPTION_ALLOW:
    case OPTION_JOINT_TOLERANCE:
      return false;
    default:
      return cli_settings_options[id].value != NULL;
  }
}

static vouch_ret_t take_option(
  cli_settings_t * settings, int index, bool given[OPTION_COUNT], const char * name,
  vouch_ret_t (* take)(void * state, const char * name, const char * value), void * state)
{
  if (index >= OPTION_COUNT) {
    return take(state, name, optarg);
  }
  if (is_single(index) && given[index]) {
    return vouch_fail(VOUCH_RET_INVALID, "--%s is given twice; only one can be meant.", name);
  }
  given[index] = true;
  return cli_settings_set(settings, name, optarg);
}

vouch_ret_t cli_settings_parse(
  cli_settings_t * settings, int argc, char ** argv, const cli_option_t * extra,
  vouch_ret_t (* take)(void * state, const char * name, const char * value), void * state,
  int * rest)
{
  struct option table[MAX_OPTIONS + 1] = {{NULL, 0, NULL, 0}};
  fill_long_options(table, extra);
  bool given[OPTION_COUNT] = {false};
  opterr = 0;
  optind = 1;
  int index = 0, code;
  vouch_ret_t first = VOUCH_RET_OK;   // the mistake that is complained about
  while ((code = getopt_long(argc, argv, ":", table, &index)) != -1) {
    vouch_ret_t ret = VOUCH_RET_OK;
    if (code != 0) {
      ret = first == VOUCH_RET_OK ? cli_complain_about_option(argv, code == ':') : first;
    } else if (first == VOUCH_RET_OK && !cli_option_is_whole(argv, table[index].name)) {
      ret = VOUCH_RET_INVALID;
    } else {
      ret = take_option(settings, index, given, table[index].name, take, state);
      if (ret != VOUCH_RET_OK && first == VOUCH_RET_OK) {
        ret = complain(argv[0], vouch_error());
      }
    }
    first = first == VOUCH_RET_OK ? ret : first;
  }
  *rest = optind;
  if (first != VOUCH_RET_OK) {
    return first;
  }
  vouch_ret_t ret = cli_settings_check(settings);
  return ret == VOUCH_RET_OK ? ret : complain(argv[0], vouch_error());
}
