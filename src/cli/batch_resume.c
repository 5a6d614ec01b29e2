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

/* What an interrupted run of the same list wrote, so that its rows are not run again. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/batch.h"
#include "cli/commands.h"

/* Up to behind the last end of a line that is no part of a quoted cell. */
static size_t whole_size(const char * text, size_t size, bool json)
{
  size_t whole = 0;
  bool quoted = false;
  for (size_t i = 0; i < size; i++) {
    quoted ^= !json && text[i] == '"';
    if (text[i] == '\n' && !quoted) {
      whole = i + 1;
    }
  }
  return whole;
}

static vouch_ret_t take_row(cli_batch_t * batch, const char * name, const char * verdict)
{
  static const char * const verdicts[] = {"FREE", "COLLISION", "UNDECIDED", "INVALID"};
  const size_t number = batch->finished;
  if (number >= batch->list.row_count || !name || !verdict ||
    strcmp(name, batch->rows[number].name) != 0)
  {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s was not written by a run of this list: its row %zu is '%.100s', and the "
      "list has '%.100s' there.", batch->resume, number + 1, name ? name : "",
      number < batch->list.row_count ? batch->rows[number].name : "nothing");
  }
  batch->rows[number].finished = batch->rows[number].done = true;
  batch->finished++;
  for (size_t i = 0; i < 4; i++) {
    batch->counts[i] += strcmp(verdict, verdicts[i]) == 0;
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t take_json(cli_batch_t * batch, const char * text)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (const char * line = text; *line && ret == VOUCH_RET_OK; ) {
    const size_t size = strcspn(line, "\n");
    json_t * row = json_loadb(line, size, 0, NULL);
    ret = take_row(
      batch, json_string_value(json_object_get(row, "name")),
      json_string_value(json_object_get(row, "verdict")));
    json_decref(row);
    line += size + (line[size] == '\n');
  }
  return ret;
}

/* The present header, or none at all. */
static vouch_ret_t check_header(const cli_batch_t * batch, const char * text)
{
  vouch_text_t header = {.allocator = vouch_allocator_default()};
  cli_batch_write_header(batch, &header);
  const bool same = !header.failed && strncmp(text, header.data, header.size) == 0 &&
    text[header.size] == '\n';
  vouch_text_fini(&header);
  return same ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "%s does not begin as the output of this command does (--json and --times are "
    "as they were?).",
    batch->resume);
}

/* Unquotes a cell in place. Returns where the next one begins, or the end of its line. */
static char * take_cell(char * at, char ** cell)
{
  char * to = at;
  *cell = at;
  bool quoted = *at == '"';
  at += quoted;
  while (*at && (quoted || (*at != ',' && *at != '\n'))) {
    if (quoted && *at == '"') {
      at++;
      quoted = *at == '"';
      if (!quoted) {
        continue;
      }
    }
    *to++ = *at++;
  }
  char * next = at + (*at == ',');
  *to = '\0';
  return next;
}

static vouch_ret_t take_csv(cli_batch_t * batch, char * text)
{
  vouch_ret_t ret = check_header(batch, text);
  char * line = ret == VOUCH_RET_OK ? strchr(text, '\n') + 1 : text;
  batch->header_there = true;
  while (ret == VOUCH_RET_OK && *line) {
    char * end = line;
    for (bool quoted = false; *end && (quoted || *end != '\n'); end++) {
      quoted ^= *end == '"';
    }
    char * name, * verdict;
    char * next = end + (*end == '\n');
    *end = '\0';
    (void)take_cell(take_cell(line, &name), &verdict);
    ret = take_row(batch, name, verdict);
    line = next;
  }
  return ret;
}

vouch_ret_t cli_batch_resume(cli_batch_t * batch)
{
  const vouch_allocator_t allocator = vouch_allocator_default();
  char * text = NULL;
  size_t size = 0;
  if (!batch->resume) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = vouch_file_read(&allocator, batch->resume, 0, &text, &size);
  if (ret == VOUCH_RET_OK) {
    const size_t whole = whole_size(text, size, batch->json);
    text[whole] = '\0';
    if (whole > 0) {
      ret = batch->json ? take_json(batch, text) : take_csv(batch, text);
    }
    /* Only now is it clear that it is ours. */
    if (ret == VOUCH_RET_OK && whole > 0 && whole < size &&
      truncate(batch->resume, (off_t)whole) != 0)
    {
      ret = vouch_fail(
        VOUCH_RET_IO, "cannot cut half a line off %s: %s", batch->resume, strerror(errno));
    } else if (ret == VOUCH_RET_OK && whole == 0 && size > 0) {
      ret = vouch_fail(
        VOUCH_RET_INVALID, "%s has no whole line: run the list anew.", batch->resume);
    }
  }
  vouch_free(&allocator, text);
  return ret;
}
