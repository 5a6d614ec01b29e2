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

/* vouch motion: a rigid body on a Bezier or screw motion against a fixed body. */

#include "cli/motion_command.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/motion_report.h"
#include "cli/motion_screws.h"
#include "cli/settings.h"
#include "cli/terminal.h"

static const cli_option_t own_options[] = {
  {
    "moving", "FILE", "Input",
    "mesh of the moving body: STL, OBJ or DAE"
  },
  {
    "fixed", "FILE", "Input",
    "mesh of the fixed body"
  },
  {
    "motion", "FILE", "Input",
    "JSON: type screw, bezier, quaternion_curve or samples, or segments of these"
  },
  {
    "surfaces", NULL, "Input",
    "open meshes are meant as surfaces (else they are INVALID)"
  },
  {
    "method", "NAME", "Check",
    "chord (default), toleranced or screw"
  },
  {
    "margin", "M", "Check",
    "metres that must remain (default 0)"
  },
  {
    "tolerance", "R", "Check",
    "every displacement within R of the motion is covered (default 0); R is the root\n"
    "mean square of the distances of the moving body's vertices, or of its masses"
  },
  {
    "largest-tolerance", "MAX", "Check",
    "the largest certified tolerance up to MAX, to 1/1000 of MAX; instead of --tolerance"
  },
  {
    "resolution", "M", "Check",
    "toleranced: stop at balls that move no point further than M (default 1e-6)"
  },
  {
    "ball", "NAME", "Check",
    "toleranced: nested (default), midpoint, polygon or proposition2"
  },
  {
    "masses", "FILE", "Check",
    "mass distribution of the moving body, JSON: [[x, y, z, weight], ...]; it makes\n"
    "the metric of tolerances (default: equal masses in the vertices)"
  },
  {
    "individual-masses", NULL, "Check",
    "toleranced: a mass distribution for each face"
  },
  {
    "screws", "M", "Check",
    "first turn the motion into screws within M metres; the error joins the margin,\n"
    "so that FREE is about the motion that was given"
  },
  {
    "deadline", "S", "Check",
    "seconds for all checks together, then UNDECIDED; reading files comes on top"
  },
  {
    "threads", "N", "Check",
    "0 (default): all processors"
  },
  {
    "json", NULL, "Output",
    "one JSON object on standard output"
  },
  {
    "quiet", NULL, "Output",
    "only the exit code"
  },
  {NULL, NULL, NULL, NULL}
};

const cli_command_t cli_motion_command = {
  .name = "motion", .summary = "one rigid body on a free motion against a fixed one",
  .usage = "vouch motion --moving a.obj --fixed b.obj --motion m.json [options]\n",
  .about =
    "Proves that a rigid body on a rational Bezier or screw motion stays clear of a fixed body, or names\n"
    "the time and the points where it does not.\n",
  .own = own_options,
  .ends = "Exit code: 0 FREE, 1 COLLISION, 2 UNDECIDED, 3 INVALID input, 4 internal fault.\n",
  .examples =
    "  vouch motion --moving gripper.stl --fixed table.obj --motion screw.json --method screw\n"
    "  vouch motion --moving tool.obj --fixed part.obj --motion mill.json --margin 0.002\n"
    "  vouch motion --moving tool.obj --fixed part.obj --motion mill.json --method toleranced \\\n"
    "    --largest-tolerance 0.05 --json\n"
};

/* "help" behind the rows. */
enum {OWN_COUNT = sizeof(own_options) / sizeof(*own_options) - 1};

static void fill_known(struct option known[OWN_COUNT + 2])
{
  for (size_t i = 0; i < OWN_COUNT; i++) {
    known[i] = (struct option) {own_options[i].name, own_options[i].value ? 1 : 0, NULL, 0};
  }
  known[OWN_COUNT] = (struct option) {"help", 0, NULL, 'h'};
  known[OWN_COUNT + 1] = (struct option) {NULL, 0, NULL, 0};
}

static int index_of(const char * name, const char * const * names, int count)
{
  for (int i = 0; i < count; i++) {
    if (strcmp(name, names[i]) == 0) {
      return i;
    }
  }
  return -1;
}

static const char * const BALLS[4] = {"nested", "midpoint", "polygon", "proposition2"};

static vouch_ret_t number_of(const char * option, const char * text, double * value)
{
  if (!vouch_parse_double(text, value) || *value < 0.0) {
    return vouch_fail(
      VOUCH_RET_INVALID, "--%s needs a number that is not negative, not '%s'", option, text);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t threads_of(const char * text, size_t * threads)
{
  double number;
  if (!vouch_parse_double(text, &number) || !(number >= 0.0 && number <= 1024.0) ||
    number != floor(number))
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "--threads needs a whole number from 0 to 1024, not '%s'", text);
  }
  *threads = (size_t)number;
  return VOUCH_RET_OK;
}

static vouch_ret_t apply(motion_settings_t * s, const char * name, const char * value)
{
  if (strcmp(name, "method") == 0 || strcmp(name, "ball") == 0) {
    bool method = name[0] == 'm';
    int i = method ? index_of(value, MOTION_METHODS, 3) : index_of(value, BALLS, 4);
    if (i < 0) {
      return vouch_fail(
        VOUCH_RET_INVALID, "--%s %s: choose %s", name, value, method ?
        "chord, toleranced or screw" : "nested, midpoint, polygon or proposition2");
    }
    if (method) {
      s->options.method = (vouch_rigid_method_t)i;
    } else {
      s->options.ball = (vouch_ball_t)i;
    }
    return VOUCH_RET_OK;
  }
  const struct {const char * name; double * target;} numbers[] = {
    {"margin", &s->options.margin_m}, {"tolerance", &s->options.tolerance},
    {"largest-tolerance", &s->largest}, {"resolution", &s->options.resolution_m},
    {"screws", &s->screws}, {"deadline", &s->options.deadline_s}
  };
  for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
    if (strcmp(name, numbers[i].name) == 0) {
      return number_of(name, value, numbers[i].target);
    }
  }
  if (strcmp(name, "threads") == 0) {
    return threads_of(value, &s->options.threads);
  }
  const struct {const char * name; const char ** target;} texts[] = {
    {"moving", &s->moving}, {"fixed", &s->fixed}, {"motion", &s->motion}, {"masses", &s->masses}
  };
  for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
    if (strcmp(name, texts[i].name) == 0) {
      *texts[i].target = value;
    }
  }
  s->json = s->json || strcmp(name, "json") == 0;
  s->quiet = s->quiet || strcmp(name, "quiet") == 0;
  s->options.surfaces = s->options.surfaces || strcmp(name, "surfaces") == 0;
  s->options.individual_masses =
    s->options.individual_masses || strcmp(name, "individual-masses") == 0;
  return VOUCH_RET_OK;
}

/// 0 to go on, 1 after --help, -1 after an error that was printed.
static int parse(motion_settings_t * s, int argc, char ** argv)
{
  struct option known[OWN_COUNT + 2];
  fill_known(known);
  bool given[sizeof(known) / sizeof(*known)] = {false};
  const char * toleranced = NULL;   // an option of this method only
  int option, which = 0;
  s->options = vouch_rigid_options_default();
  s->largest = s->screws = -1.0;
  opterr = 0;
  optind = 0;
  while ((option = getopt_long(argc, argv, ":h", known, &which)) != -1) {
    if (option == 0 && !cli_option_is_whole(argv, known[which].name)) {
      return -1;
    }
    if (option == 'h') {
      cli_help_print(&cli_motion_command);
      return 1;
    }
    if (option != 0) {
      (void)cli_complain_about_option(argv, option == ':');
      return -1;
    }
    if (given[which] && known[which].has_arg) {
      fprintf(
        stderr, "vouch motion: --%s is given twice; only one can be meant.\n", known[which].name);
      return -1;
    }
    given[which] = true;
    toleranced = strcmp(known[which].name, "ball") == 0 ||
      strcmp(known[which].name, "individual-masses") == 0 ? known[which].name : toleranced;
    if (apply(s, known[which].name, optarg) != VOUCH_RET_OK) {
      fprintf(stderr, "vouch motion: %s\n", vouch_error());
      return -1;
    }
  }
  if (optind < argc || s->moving == NULL || s->fixed == NULL || s->motion == NULL) {
    fprintf(
      stderr, "vouch motion: %s%s. 'vouch motion --help' lists the options.\n",
      optind < argc ? "not understood: " : "--moving, --fixed and --motion are needed",
      optind < argc ? argv[optind] : "");
    return -1;
  }
  if (s->largest >= 0.0 && s->options.tolerance > 0.0) {
    fprintf(
      stderr, "vouch motion: --tolerance asks for a tolerance, --largest-tolerance looks for one; "
      "give one of them.\n");
    return -1;
  }
  if (toleranced && s->options.method != VOUCH_RIGID_TOLERANCED) {
    fprintf(
      stderr, "vouch motion: --%s is for --method toleranced; leave it out or choose that.\n",
      toleranced);
    return -1;
  }
  return 0;
}

static vouch_ret_t load(const motion_settings_t * s, motion_run_t * run)
{
  vouch_allocator_t allocator = vouch_allocator_default();
  vouch_ret_t ret = vouch_rigid_body_load(&run->moving, allocator, s->moving);
  if (ret == VOUCH_RET_OK && s->masses != NULL) {
    ret = vouch_rigid_body_load_masses(run->moving, s->masses);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_rigid_body_load(&run->fixed, allocator, s->fixed);
  }
  return ret == VOUCH_RET_OK ? vouch_rigid_motion_load(&run->motion, allocator, s->motion) : ret;
}

/// Seconds of the deadline that are left, at least a moment: 0 would be none.
static double time_left(double deadline_s, double begin_s)
{
  return deadline_s > 0.0 ? fmax(deadline_s - (cli_now() - begin_s), 1e-9) : 0.0;
}

/* The deadline is that of all checks together. The search for a tolerance gets half of it, so that
 * what it found can be shown once more. */
static vouch_ret_t run_checks(motion_settings_t * s, motion_run_t * run)
{
  vouch_rigid_options_t * options = &s->options;
  const double deadline_s = options->deadline_s, begin_s = cli_now();
  vouch_ret_t ret = VOUCH_RET_OK;
  if (s->largest >= 0.0) {
    const double limits[2] = {s->largest, fmax(s->largest * 1e-3, 1e-12)};
    options->deadline_s = 0.5 * deadline_s;
    ret = vouch_rigid_largest_tolerance(
      run->moving, run->fixed, run->motion, options, limits, &run->tolerance_found);
    options->tolerance = run->tolerance_found;
  }
  if (ret == VOUCH_RET_OK) {
    options->deadline_s = time_left(deadline_s, begin_s);
    ret = vouch_rigid_check(run->moving, run->fixed, run->motion, options, &run->result);
  }
  if (ret == VOUCH_RET_OK) {
    options->deadline_s = time_left(deadline_s, begin_s);
    ret = motion_answer_for_given(s, run);
  }
  if (ret == VOUCH_RET_OK) {
    /* It counts the seconds of the check as part of its own. */
    double more_s = deadline_s > 0.0 ? run->result.statistics.seconds : 0.0;
    options->deadline_s = time_left(deadline_s, begin_s) + more_s;
    ret = vouch_rigid_sharpen_clearance(
      run->moving, run->fixed, run->motion, options, &run->result);
  }
  options->deadline_s = deadline_s;
  return ret;
}

static vouch_ret_t run_check(motion_settings_t * s, motion_run_t * run)
{
  vouch_ret_t ret = load(s, run);
  if (ret == VOUCH_RET_OK && s->screws >= 0.0) {
    ret = motion_to_screws(run, s);
  }
  if (ret == VOUCH_RET_OK) {
    ret = run_checks(s, run);
  }
  motion_take_off_error(s, run);
  if (ret == VOUCH_RET_OK && s->options.surfaces) {
    motion_warn(run, "open meshes are taken as surfaces: being inside of one is not noticed");
  }
  if (ret == VOUCH_RET_OK && run->result.flat_mass && s->options.method != VOUCH_RIGID_SCREW) {
    motion_warn(
      run,
      "the moving body is flat or straight: its mass distribution was given a little depth");
  }
  return ret;
}

/// Nine digits that are not more than the value: what is proved is not rounded up.
static const char * digits_below(double value, char text[32])
{
  double shown = value;
  do {
    snprintf(text, 32, "%.9g", shown);
    shown -= 1e-9 * fabs(value);
  } while (strtod(text, NULL) > value);
  return text;
}

static void print_text(const motion_settings_t * s, const motion_run_t * run)
{
  const vouch_rigid_result_t * r = &run->result;
  char text[32], more[32];
  printf("%s", vouch_verdict_name(r->verdict));
  if (r->verdict == VOUCH_FREE) {
    if (r->clearance_lower_m > 0.0) {
      printf(": at least %s m apart at all times", digits_below(r->clearance_lower_m, text));
    } else {
      printf(": apart at all times");
    }
    if (s->options.tolerance > 0.0) {
      printf(
        "; more than %s m for every displacement within %s",
        digits_below(s->options.margin_m, more), digits_below(s->options.tolerance, text));
    }
  } else if (r->verdict == VOUCH_COLLISION) {
    printf(
      ": %s at %.12g s (segment %zu, fraction %.17g; free until fraction %.17g)\n"
      "  at (%.9g, %.9g, %.9g)", r->margin_only ? "closer than the margin" : "contact", r->time_s,
      r->segment, r->fraction, r->free_until, r->point_a[0], r->point_a[1], r->point_a[2]);
    if (r->features != VOUCH_SCREW_NONE) {
      printf(": %s", MOTION_FEATURES[r->features]);
    }
  }
  printf("\n");
  if (s->largest >= 0.0) {
    printf("  largest tolerance: %s\n", digits_below(run->tolerance_found, text));
  }
  for (size_t i = 0; i < r->open_count && i < 10; i++) {
    const vouch_rigid_open_t * o = &r->open[i];
    printf(
      "  open: segment %zu, fractions %.12g to %.12g%s\n", o->segment, o->from, o->to,
      o->tolerance ? " (within the tolerance)" : "");
  }
  if (r->open_count > 10) {
    printf("  and %zu more\n", r->open_count - 10);
  }
  for (size_t i = 0; i < run->warning_count; i++) {
    printf("  warning: %s\n", run->warnings[i]);
  }
}

int vouch_cli_motion(int argc, char ** argv)
{
  motion_settings_t settings = {.moving = NULL};
  motion_run_t run = {.moving = NULL};
  int go = parse(&settings, argc, argv);
  if (go != 0) {
    return go > 0 ? 0 : CLI_EXIT_INVALID;
  }
  vouch_ret_t ret = run_check(&settings, &run);
  int code = ret == VOUCH_RET_OK ? cli_exit_of_verdict(run.result.verdict) :
    cli_exit_of_failure(ret);
  if (ret != VOUCH_RET_OK) {
    run.result.verdict = code == CLI_EXIT_INVALID ? VOUCH_INVALID : VOUCH_UNDECIDED;
    fprintf(stderr, "vouch motion: %s\n", vouch_error());
  }
  if (settings.json && !settings.quiet) {
    if (motion_report_json(&settings, &run, ret == VOUCH_RET_OK ? NULL : vouch_error()) != 0) {
      code = CLI_EXIT_INTERNAL;
    }
  } else if (ret == VOUCH_RET_OK && !settings.quiet) {
    print_text(&settings, &run);
  }
  vouch_rigid_result_fini(&run.result);
  vouch_rigid_motion_destroy(run.motion);
  vouch_rigid_body_destroy(run.moving);
  vouch_rigid_body_destroy(run.fixed);
  return code;
}
