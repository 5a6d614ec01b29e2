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

/* Options and commands as data: --help, manual pages, completion and parsing read the same rows. */

#ifndef CLI__OPTIONS_H_
#define CLI__OPTIONS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// A row. A table ends with a row without a name.
typedef struct cli_option_s
{
  const char * name;    // without the dashes
  const char * value;   // what stands for it in the help: FILE, on|off; NULL: a switch
  const char * group;   // heading
  const char * help;    // lines that end in '\n', but for the last one
} cli_option_t;

#define CLI_OUTPUT_GROUP "Output"

/// A command.
typedef struct cli_command_s
{
  const char * name;
  const char * summary;        // one line
  const char * usage;          // lines behind "Usage: ", the first without blanks in front
  const char * about;          // paragraphs
  const cli_option_t * own;    // options of this command only; NULL: none
  bool shared;                 // has the options of settings.h
  bool output;                 // of those, the group Output too
  const char * ends;           // exit codes
  const char * examples;
} cli_command_t;

/// --help.
void cli_help_print(const cli_command_t * command);
/// A manual page (groff -man) of a command; NULL: of vouch itself.
void cli_manual_print(const cli_command_t * command);
/// A completion script; false: for no shell that we know.
bool cli_completion_print(const char * shell);

/// The commands, in the order of the help; ends with a row without a name.
extern const cli_command_t * const cli_commands[];

#endif  // CLI__OPTIONS_H_
