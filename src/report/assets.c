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
#include "report/assets.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const vouch_fill_t * find(const vouch_fill_t * fills, const char * name, size_t length)
{
  for (; fills->name; fills++) {
    if (strlen(fills->name) == length && memcmp(fills->name, name, length) == 0) {
      return fills;
    }
  }
  return NULL;
}

void vouch_asset_fill(const vouch_asset_t * asset, const vouch_fill_t * fills, vouch_text_t * out)
{
  const char * at = (const char *)asset->data, * end = at + asset->size;
  while (at < end) {
    const char * mark = memchr(at, '@', (size_t)(end - at));
    const char * close = mark ? memchr(mark + 1, '@', (size_t)(end - mark - 1)) : NULL;
    const vouch_fill_t * fill = close ? find(fills, mark + 1, (size_t)(close - mark - 1)) : NULL;
    const char * stop = fill ? mark : mark ? mark + 1 : end;
    vouch_text_append_bytes(out, at, (size_t)(stop - at));
    if (fill) {
      vouch_text_append_bytes(out, fill->text, fill->size);
    }
    at = fill ? close + 1 : stop;
  }
}

vouch_ret_t vouch_asset_json(json_t * root, vouch_text_t * out)
{
  char * text = json_dumps(
    root, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12));
  if (!text) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "Out of memory while writing a page.");
  }
  /* Outside of strings JSON has none of these characters. */
  const char * at = text;
  while (*at) {
    const size_t plain = strcspn(at, "<>&");
    vouch_text_append_bytes(out, at, plain);
    at += plain;
    if (*at) {
      vouch_text_append(out, "\\u%04x", (unsigned)*at++);
    }
  }
  free(text);
  return VOUCH_RET_OK;
}
