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
/* The rows of a list as JUnit XML, which every continuous integration reads. */

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/page.h"
#include "report/panel.h"

/* XML has no control characters, escaped or not. */
static void append_attribute(vouch_text_t * out, const char * name, const char * value)
{
  vouch_text_append(out, " %s=\"", name);
  vouch_painter_escape(out, value ? value : "");
  vouch_text_append(out, "\"");
}

static void append_text(vouch_text_t * out, const char * text)
{
  for (const char * line = text ? text : ""; *line; ) {
    const size_t length = strcspn(line, "\n");
    for (size_t i = 0; i < length; i++) {
      const char one[2] = {line[i], '\0'};
      vouch_painter_escape(out, one);
    }
    vouch_text_append(out, "\n");
    line += length + (line[length] == '\n');
  }
}

static void append_outcome(vouch_text_t * out, const vouch_index_row_t * row)
{
  const bool error = row->fault || row->verdict == VOUCH_INVALID;
  const char * word = row->fault ? "FAULT" : vouch_verdict_name(row->verdict);
  const char * text = row->error ? row->error : row->text;
  const size_t length = text ? strcspn(text, "\n") : 0;
  char first[256];
  snprintf(first, sizeof(first), "%.*s", (int)(length < 255 ? length : 255), text ? text : "");
  vouch_text_append(out, "    <%s", error ? "error" : "failure");
  append_attribute(out, "type", word);
  append_attribute(out, "message", first);
  vouch_text_append(out, ">");
  append_text(out, text);
  vouch_text_append(out, "</%s>\n", error ? "error" : "failure");
}

vouch_ret_t vouch_report_junit(
  const char * title, const vouch_index_row_t * rows, size_t count, vouch_text_t * out)
{
  size_t failures = 0, errors = 0;
  double seconds = 0.0;
  for (size_t i = 0; i < count; i++) {
    const bool error = rows[i].fault || rows[i].verdict == VOUCH_INVALID;
    errors += error;
    failures += !error && rows[i].verdict != VOUCH_FREE;
    seconds += rows[i].seconds;
  }
  vouch_text_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite");
  append_attribute(out, "name", title);
  vouch_text_append(
    out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"%.6f\">\n", count, failures, errors,
    seconds);
  for (size_t i = 0; i < count; i++) {
    const vouch_index_row_t * row = &rows[i];
    vouch_text_append(out, "    <testcase");
    append_attribute(out, "classname", row->robot ? row->robot : "vouch");
    append_attribute(out, "name", row->name);
    vouch_text_append(out, " time=\"%.6f\"", row->seconds);
    if (!row->fault && row->verdict == VOUCH_FREE) {
      vouch_text_append(out, "/>\n");
      continue;
    }
    vouch_text_append(out, ">\n");
    append_outcome(out, row);
    vouch_text_append(out, "    </testcase>\n");
  }
  vouch_text_append(out, "  </testsuite>\n</testsuites>\n");
  return out->failed ? vouch_fail(VOUCH_RET_NO_MEMORY, "Out of memory while writing JUnit XML.") :
         VOUCH_RET_OK;
}
