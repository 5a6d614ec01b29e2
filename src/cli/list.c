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
#include "cli/list.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "read/scan.h"

typedef struct reader_s
{
  cli_list_t * list;
  const char * path;
  char * at;
  size_t line;
  size_t cell_count, cell_capacity;
  size_t row_total, row_capacity;   // header included
} reader_t;

static vouch_ret_t add_cell(reader_t * reader, char * cell)
{
  vouch_allocator_t allocator = vouch_allocator_default();
  cli_list_t * list = reader->list;
  if (!vouch_grow(
      &allocator, &list->cells, reader->cell_count, &reader->cell_capacity, sizeof(*list->cells)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  list->cells[reader->cell_count++] = cell;
  return VOUCH_RET_OK;
}

/* "a ""quoted"" cell": unquotes in place and stops behind the closing quote. */
static vouch_ret_t unquote(reader_t * reader, char ** cell, char ** end)
{
  char * from = reader->at + 1, * to = reader->at + 1;
  *cell = to;
  while (*from && (*from != '"' || from[1] == '"')) {
    reader->line += *from == '\n';
    from += *from == '"';
    *to++ = *from++;
  }
  if (!*from) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s:%zu: a quoted cell does not end.", reader->path, reader->line);
  }
  reader->at = from + 1;
  *end = to;
  return VOUCH_RET_OK;
}

static void trim(char ** cell, char * end)
{
  while (end > *cell && (end[-1] == ' ' || end[-1] == '\t')) {
    end--;
  }
  *end = '\0';
  *cell += strspn(*cell, " \t");
}

/* One line. The character that ends each cell is looked at before the cell is terminated. */
static vouch_ret_t read_row(reader_t * reader)
{
  size_t first = reader->cell_count, line = reader->line;
  char stop;
  do {
    char * cell = reader->at, * end = reader->at;
    if (*reader->at == '"') {
      vouch_ret_t ret = unquote(reader, &cell, &end);
      if (ret != VOUCH_RET_OK) {
        return ret;
      }
    } else {
      reader->at += strcspn(reader->at, ",\r\n");
      end = reader->at;
    }
    stop = *reader->at;
    if (stop && !strchr(",\r\n", stop)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "%s:%zu: text behind a closing quote.", reader->path, line);
    }
    reader->at += stop == '\r' && reader->at[1] == '\n' ? 2 : stop != '\0';
    trim(&cell, end);
    vouch_ret_t ret = add_cell(reader, cell);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  } while (stop == ',');
  reader->line++;
  size_t count = reader->cell_count - first;
  if (reader->row_total == 0) {
    reader->list->column_count = count;
  } else if (count != reader->list->column_count) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s:%zu: %zu cells where the header has %zu.", reader->path, line, count,
      reader->list->column_count);
  }
  vouch_allocator_t allocator = vouch_allocator_default();
  if (!vouch_grow(
      &allocator, &reader->list->lines, reader->row_total, &reader->row_capacity, sizeof(size_t)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  reader->list->lines[reader->row_total++] = line;
  return VOUCH_RET_OK;
}

static vouch_ret_t read_rows(reader_t * reader)
{
  while (*reader->at) {
    size_t blank = strspn(reader->at, " \t\r");
    if (reader->at[blank] == '\n' || reader->at[blank] == '#' || !reader->at[blank]) {
      reader->at += strcspn(reader->at, "\n");
      reader->at += *reader->at == '\n';
      reader->line++;
      continue;
    }
    vouch_ret_t ret = read_row(reader);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  if (reader->row_total < 2) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s: the list is empty; it needs a header such as "
      "'robot,scene,trajectory' and at least one row.", reader->path);
  }
  reader->list->row_count = reader->row_total - 1;
  return VOUCH_RET_OK;
}

vouch_ret_t cli_list_read(cli_list_t * list, const char * path)
{
  vouch_allocator_t allocator = vouch_allocator_default();
  size_t size = 0;
  memset(list, 0, sizeof(*list));
  vouch_ret_t ret = vouch_file_read(&allocator, path, (size_t)256 << 20, &list->text, &size);
  if (ret == VOUCH_RET_OK && strlen(list->text) != size) {
    ret = vouch_fail(VOUCH_RET_INVALID, "%s is not text.", path);
  }
  ret = ret == VOUCH_RET_OK ? vouch_scan_check_lines(path, list->text, size) : ret;
  if (ret == VOUCH_RET_OK) {
    const char * slash = strrchr(path, '/');
    list->directory = vouch_strdup(&allocator, path);
    ret = list->directory ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
    if (list->directory) {
      list->directory[slash ? slash - path + 1 : 0] = '\0';
    }
  }
  if (ret == VOUCH_RET_OK) {
    bool mark = strncmp(list->text, "\xef\xbb\xbf", 3) == 0;
    reader_t reader = {.list = list, .path = path, .at = list->text + (mark ? 3 : 0), .line = 1};
    ret = read_rows(&reader);
  }
  if (ret != VOUCH_RET_OK) {
    cli_list_fini(list);
  }
  return ret;
}

void cli_list_fini(cli_list_t * list)
{
  free(list->text);
  free(list->directory);
  free(list->cells);
  free(list->lines);
  memset(list, 0, sizeof(*list));
}
