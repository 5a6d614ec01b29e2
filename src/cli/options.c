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

#include "cli/options.h"

#include <string.h>

#include "cli/settings.h"
#include "vouch/types.h"

enum {HELP_COLUMN = 27, MAX_GROUPS = 16};

/* ---- the rows of a command ---- */

typedef void (* visit_t)(const cli_option_t * option, void * state);

/* Its own rows, then those that commands share; of one group (NULL: of all). */
static void each_option(
  const cli_command_t * command, const char * group, visit_t visit, void * state)
{
  const cli_option_t * const tables[2] = {
    command->own, command->shared ? cli_settings_options : NULL
  };
  for (size_t t = 0; t < 2; t++) {
    for (const cli_option_t * o = tables[t]; o && o->name; o++) {
      const bool has = t == 0 || command->output || strcmp(o->group, CLI_OUTPUT_GROUP) != 0;
      if (has && (!group || strcmp(o->group, group) == 0)) {
        visit(o, state);
      }
    }
  }
}

typedef struct groups_s
{
  const char * names[MAX_GROUPS];
  size_t count;
} groups_t;

static void note_group(const cli_option_t * option, void * state)
{
  groups_t * groups = state;
  bool known = false;
  for (size_t i = 0; i < groups->count && !known; i++) {
    known = strcmp(groups->names[i], option->group) == 0;
  }
  if (!known && groups->count < MAX_GROUPS) {
    groups->names[groups->count++] = option->group;
  }
}

static groups_t groups_of(const cli_command_t * command)
{
  groups_t groups = {.count = 0};
  each_option(command, NULL, note_group, &groups);
  return groups;
}

/* ---- help ---- */

static void print_option(const cli_option_t * option, void * state)
{
  (void)state;
  int column = printf(
    "  --%s%s%s", option->name, option->value ? " " : "", option->value ? option->value : "");
  if (column >= HELP_COLUMN) {
    printf("\n");
    column = 0;
  }
  for (const char * line = option->help; line; ) {
    const size_t size = strcspn(line, "\n");
    printf("%*s%.*s\n", HELP_COLUMN - column, "", (int)size, line);
    column = 0;
    line = line[size] ? line + size + 1 : NULL;
  }
}

void cli_help_print(const cli_command_t * command)
{
  const groups_t groups = groups_of(command);
  printf("Usage: %s\n%s\n", command->usage, command->about);
  for (size_t i = 0; i < groups.count; i++) {
    printf("%s\n", groups.names[i]);
    each_option(command, groups.names[i], print_option, NULL);
  }
  printf(
    "%s%s\nExample%s\n%s", groups.count > 0 ? "\n" : "", command->ends,
    strstr(command->examples, "\n  vouch") ? "s" : "", command->examples);
}

/* ---- manual pages ---- */

/* What groff would take for a request, or change, is escaped. */
static void print_roff(const char * text, size_t size)
{
  for (size_t i = 0; i < size; i++) {
    const bool begins = i == 0 || text[i - 1] == '\n';
    if (begins && (text[i] == '.' || text[i] == '\'')) {
      fputs("\\&", stdout);
    }
    if (text[i] == '\\') {
      fputs("\\e", stdout);
    } else if (text[i] == '-') {
      fputs("\\-", stdout);
    } else {
      putchar(text[i]);
    }
  }
}

static void print_roff_option(const cli_option_t * option, void * state)
{
  (void)state;
  printf(".TP\n\\fB\\-\\-");
  print_roff(option->name, strlen(option->name));
  printf("\\fR");
  if (option->value) {
    printf(" \\fI");
    print_roff(option->value, strlen(option->value));
    printf("\\fR");
  }
  printf("\n");
  print_roff(option->help, strlen(option->help));
  printf("\n");
}

static void print_verbatim(const char * heading, const char * text)
{
  printf(".SH %s\n.nf\n", heading);
  print_roff(text, strlen(text));
  printf(".fi\n");
}

static void print_title(const char * name, const char * summary)
{
  printf(
    ".TH VOUCH%s%s 1 \"\" \"vouch %s\" \"vouch\"\n.SH NAME\nvouch%s%s \\- ", name[0] ? "\\-" : "",
    name, vouch_version(), name[0] ? "\\-" : "", name);
  print_roff(summary, strlen(summary));
  printf("\n");
}

static void print_top_manual(void)
{
  print_title("", "prove that robot motions touch nothing");
  printf(
    ".SH SYNOPSIS\n.B vouch\n.I COMMAND\n[\n.I options\n]\n.SH DESCRIPTION\n"
    "Proves that a robot arm's motion never touches anything, between its waypoints too,\n"
    "or names the time, the pair and the points where it does not.\n.SH COMMANDS\n");
  for (size_t i = 0; cli_commands[i]; i++) {
    printf(".TP\n\\fBvouch\\-%s\\fR(1)\n", cli_commands[i]->name);
    print_roff(cli_commands[i]->summary, strlen(cli_commands[i]->summary));
    printf("\n");
  }
  printf(
    ".SH EXIT STATUS\n0 FREE, 1 COLLISION, 2 UNDECIDED, 3 INVALID input, 4 internal fault.\n");
}

void cli_manual_print(const cli_command_t * command)
{
  if (!command) {
    print_top_manual();
    return;
  }
  const groups_t groups = groups_of(command);
  print_title(command->name, command->summary);
  print_verbatim("SYNOPSIS", command->usage);
  printf(".SH DESCRIPTION\n");
  print_roff(command->about, strlen(command->about));
  for (size_t i = 0; i < groups.count; i++) {
    printf("%s.SS %s\n", i == 0 ? ".SH OPTIONS\n" : "", groups.names[i]);
    each_option(command, groups.names[i], print_roff_option, NULL);
  }
  print_verbatim("EXIT STATUS", command->ends);
  print_verbatim("EXAMPLES", command->examples);
  printf(".SH SEE ALSO\n.BR vouch (1)\n");
}

/* ---- completion ---- */

static bool names_files(const cli_option_t * option)
{
  return option->value &&
         (strcmp(option->value, "FILE") == 0 || strcmp(option->value, "DIR") == 0 ||
         strcmp(option->value, "OUT") == 0);
}

static bool names_choices(const cli_option_t * option)
{
  return option->value && strchr(option->value, '|');
}

static void print_name(const cli_option_t * option, void * state)
{
  (void)state;
  printf(" --%s", option->name);
}

static void print_bash_value(const cli_option_t * option, void * state)
{
  const char * command = state;
  if (names_files(option)) {
    printf(
      "    %s:--%s) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", command,
      option->name);
  } else if (names_choices(option)) {
    printf("    %s:--%s) COMPREPLY=($(compgen -W \"", command, option->name);
    for (const char * c = option->value; *c; c++) {
      putchar(*c == '|' ? ' ' : *c);
    }
    printf("\" -- \"$word\")); return ;;\n");
  } else if (option->value) {
    printf("    %s:--%s) return ;;\n", command, option->name);
  }
}

static void print_bash(void)
{
  printf(
    "_vouch()\n{\n  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
    "  local command=${COMP_WORDS[1]}\n  COMPREPLY=()\n  if [ \"$COMP_CWORD\" = 1 ]; then\n"
    "    COMPREPLY=($(compgen -W \"");
  for (size_t i = 0; cli_commands[i]; i++) {
    printf("%s ", cli_commands[i]->name);
  }
  printf("--help --version\" -- \"$word\"))\n    return\n  fi\n  case $command:$before in\n");
  for (size_t i = 0; cli_commands[i]; i++) {
    char name[32];
    snprintf(name, sizeof(name), "%s", cli_commands[i]->name);
    each_option(cli_commands[i], NULL, print_bash_value, name);
  }
  printf("  esac\n  case $command:$word in\n");
  for (size_t i = 0; cli_commands[i]; i++) {
    printf("    %s:-*) COMPREPLY=($(compgen -W \"", cli_commands[i]->name);
    each_option(cli_commands[i], NULL, print_name, NULL);
    printf(" --help\" -- \"$word\")) ;;\n");
  }
  printf(
    "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n  esac\n}\n"
    "complete -o filenames -F _vouch vouch\n");
}

/* zsh: brackets, colons and quotes mean something in an option's specification. */
static void print_zsh_text(const char * text, size_t size)
{
  for (size_t i = 0; i < size; i++) {
    if (strchr("[]:\\", text[i])) {
      putchar('\\');
    }
    if (text[i] == '\'') {
      fputs("'\\'", stdout);
    }
    putchar(text[i] == '\n' ? ' ' : text[i]);
  }
}

static void print_zsh_option(const cli_option_t * option, void * state)
{
  (void)state;
  printf("        '*--%s[", option->name);
  print_zsh_text(option->help, strlen(option->help));
  printf("]");
  if (names_files(option)) {
    printf(":file:_files");
  } else if (names_choices(option)) {
    printf(":value:(");
    for (const char * c = option->value; *c; c++) {
      putchar(*c == '|' ? ' ' : *c);
    }
    printf(")");
  } else if (option->value) {
    printf(":value: ");
  }
  printf("' \\\n");
}

static void print_zsh(void)
{
  printf("#compdef vouch\n_vouch()\n{\n  if (( CURRENT == 2 )); then\n    local -a commands=(\n");
  for (size_t i = 0; cli_commands[i]; i++) {
    printf("      '%s:", cli_commands[i]->name);
    print_zsh_text(cli_commands[i]->summary, strlen(cli_commands[i]->summary));
    printf("'\n");
  }
  printf("    )\n    _describe command commands\n    return\n  fi\n  case $words[2] in\n");
  for (size_t i = 0; cli_commands[i]; i++) {
    printf("    %s)\n      _arguments \\\n", cli_commands[i]->name);
    each_option(cli_commands[i], NULL, print_zsh_option, NULL);
    printf("        '--help[options and examples]' '*:file:_files' ;;\n");
  }
  printf("  esac\n}\n_vouch \"$@\"\n");
}

bool cli_completion_print(const char * shell)
{
  if (strcmp(shell, "bash") == 0) {
    print_bash();
  } else if (strcmp(shell, "zsh") == 0) {
    print_zsh();
  } else {
    return false;
  }
  return true;
}
