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
/* The page that lists many checks. */

#include <jansson.h>
#include <math.h>

#include "base/error.h"
#include "report/assets.h"
#include "report/json_tools.h"
#include "report/page_data.h"
#include "report/panel.h"

static json_t * row_of(const vouch_index_row_t * row)
{
  json_t * object = json_object();
  set_text(object, "name", row->name ? row->name : "");
  set_text(object, "verdict", row->fault ? "FAULT" : vouch_verdict_name(row->verdict));
  set_text(object, "text", row->error ? row->error : row->text ? row->text : "");
  set_text(object, "robot", row->robot);
  set_text(object, "a", row->a);
  set_text(object, "b", row->b);
  set(object, "distance", vouch_page_certified(row->distance_m));
  set(object, "time", row->time_s >= 0.0 ? real_or_null(row->time_s) : json_null());
  set_text(object, "link", row->link);
  set_text(object, "thumbnail", row->thumbnail);
  return object;
}

vouch_ret_t vouch_report_index(
  const char * title, const vouch_index_row_t * rows, size_t count, vouch_text_t * out)
{
  vouch_text_t escaped = {.allocator = out->allocator}, json = {.allocator = out->allocator};
  json_t * root = json_object(), * list = json_array();
  set_text(root, "title", title);
  set_text(root, "vouch", vouch_version());
  for (size_t i = 0; i < count; i++) {
    json_array_append_new(list, row_of(&rows[i]));
  }
  set(root, "rows", list);
  vouch_ret_t ret = vouch_asset_json(root, &json);
  if (ret == VOUCH_RET_OK) {
    vouch_painter_escape(&escaped, title);
    const vouch_fill_t fills[] = {
      {"title", escaped.data ? escaped.data : "", escaped.size},
      {"style", (const char *)vouch_asset_style_css.data, vouch_asset_style_css.size},
      {"data", json.data ? json.data : "", json.size},
      {"index", (const char *)vouch_asset_index_js.data, vouch_asset_index_js.size},
      {NULL, NULL, 0}
    };
    vouch_asset_fill(&vouch_asset_index_html, fills, out);
    ret = out->failed || json.failed ?
      vouch_fail(VOUCH_RET_NO_MEMORY, "Out of memory while writing a page.") : VOUCH_RET_OK;
  }
  json_decref(root);
  vouch_text_fini(&escaped);
  vouch_text_fini(&json);
  return ret;
}
