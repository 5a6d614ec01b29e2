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
/* What the options of check, inspect and batch say, before anything is loaded.
 *
 * Texts are borrowed: from argv, or from the list file that batch keeps in memory. */

#ifndef CLI__SETTINGS_H_
#define CLI__SETTINGS_H_

#include <stdbool.h>
#include <stddef.h>

#include "cli/options.h"
#include "vouch/vouch.h"

/// name=value; name NULL: the value for all.
typedef struct cli_named_number_s
{
  char * name;
  double value;
} cli_named_number_t;

typedef struct cli_numbers_s
{
  cli_named_number_t * items;
  size_t count, capacity;
  size_t overruled;   // the first ones, of the command line: later ones of the same name win
} cli_numbers_t;

typedef struct cli_texts_s
{
  const char ** items;
  size_t count, capacity;
  size_t overruled;   // packages: as above
} cli_texts_t;

typedef struct cli_settings_s
{
  const char * robot;
  const char * srdf;
  cli_texts_t packages;       // name=directory
  cli_texts_t scenes;         // applied in order
  const char * request;
  const char * trajectory;
  const char * limits;        // plan, repair: joint_limits.yaml
  const char * output;        // plan, repair: the trajectory
  const char * cache;         // NULL: the default; "off": none
  cli_texts_t group_states;   // group/state
  cli_texts_t allows;         // a,b: the pair is not checked; or one name, for --strict
  cli_numbers_t start;
  cli_numbers_t paddings;
  cli_numbers_t scales;
  cli_numbers_t joint_tolerances;
  bool hulls, surfaces;
  bool unwind_lead_in;
  bool strict;
  bool degrees;               // of CSV files
  const char * columns;       // of CSV files that count
  vouch_motion_model_t model;
  vouch_check_options_t check;
  /* where the answer goes */
  const char * problem;
  const char * certificate;
  const char * picture;
  const char * report;
  const char * gltf;
  bool json, quiet;
  bool all;                   // every pair that collides
} cli_settings_t;

void cli_settings_init(cli_settings_t * settings);
void cli_settings_fini(cli_settings_t * settings);

/// A number that is at least `low`; name=value, or (when `bare` is allowed) a value for all; a text.
/// INVALID with a sentence that names the option.
vouch_ret_t cli_parse_number(
  const char * name, const char * text, double low, double * value) VOUCH_WARN_UNUSED;
vouch_ret_t cli_numbers_append(
  cli_numbers_t * list, const char * option, const char * text, double low,
  bool bare) VOUCH_WARN_UNUSED;
vouch_ret_t cli_texts_append(cli_texts_t * list, const char * text) VOUCH_WARN_UNUSED;
void cli_numbers_fini(cli_numbers_t * numbers);

/// One option by its long name, without the dashes; value NULL for switches. On failure the error
/// text is set: INVALID for a bad value, UNSUPPORTED for a name that is not one of ours.
vouch_ret_t cli_settings_set(
  cli_settings_t * settings, const char * name, const char * value) VOUCH_WARN_UNUSED;

/// Parses argv[1 ..] with getopt_long; `extra` (may be NULL) are options of the command itself,
/// handed to `take`. *rest: index of the first argument that is no option. On failure prints one
/// sentence and a hint; what stands behind the mistake is set all the same, as far as it can be.
vouch_ret_t cli_settings_parse(
  cli_settings_t * settings, int argc, char ** argv, const cli_option_t * extra,
  vouch_ret_t (* take)(void * state, const char * name, const char * value), void * state,
  int * rest) VOUCH_WARN_UNUSED;

/// What is set from now on comes from a row of a list: it may name again what the command line named.
void cli_settings_begin_row(cli_settings_t * settings);

/// What can only be seen when all is set: a name with two values.
vouch_ret_t cli_settings_check(const cli_settings_t * settings) VOUCH_WARN_UNUSED;

/// Says what getopt_long did not understand: an option without its value, or none that there is.
vouch_ret_t cli_complain_about_option(char ** argv, bool missing);

/// Whether the option that getopt_long just found was written out; one that was not is complained
/// about: a margin that half a name sets is not one that somebody asked for.
bool cli_option_is_whole(char ** argv, const char * name);

/// --help or -h is somewhere among the arguments.
bool cli_wants_help(int argc, char ** argv);

/// The options that check, inspect and batch share.
extern const cli_option_t cli_settings_options[];

#endif  // CLI__SETTINGS_H_
