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
/* The list of vouch batch: a CSV file with a header, quotes as in RFC 4180, '#' comments. */

#ifndef CLI__LIST_H_
#define CLI__LIST_H_

#include "vouch/types.h"

typedef struct cli_list_s
{
  char * text;        // the cells live here
  char * directory;   // of the file, with a slash at the end; "" for the present one
  char ** cells;      // row after row, header first
  size_t * lines;     // of each row
  size_t column_count, row_count;   // rows without the header
} cli_list_t;

vouch_ret_t cli_list_read(cli_list_t * list, const char * path) VOUCH_WARN_UNUSED;
void cli_list_fini(cli_list_t * list);

static inline const char * cli_list_column(const cli_list_t * list, size_t column)
{
  return list->cells[column];
}

static inline const char * cli_list_cell(const cli_list_t * list, size_t row, size_t column)
{
  return list->cells[(row + 1) * list->column_count + column];
}

static inline size_t cli_list_line(const cli_list_t * list, size_t row)
{
  return list->lines[row + 1];
}

#endif  // CLI__LIST_H_
