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
/* Putting a page together: one template, one style, one script, the library, the data. */

#include <jansson.h>
#include <string.h>

#include "base/error.h"
#include "report/assets.h"
#include "report/blob.h"
#include "report/page_data.h"
#include "report/panel.h"

static vouch_ret_t collect(vouch_page_data_t * data)
{
  vouch_ret_t ret = vouch_stage_init(&data->stage, data->report, data->stage.allocator);
  ret = ret ? ret : vouch_profile_init(&data->profile, data->report, data->stage.allocator);
  ret = ret ? ret : vouch_page_add_facts(data);
  ret = ret ? ret : vouch_page_add_model(data);
  ret = ret ? ret : vouch_page_add_film(data);
  return ret ? ret : vouch_page_add_pairs(data);
}

static vouch_fill_t fill(const char * name, const vouch_asset_t * asset)
{
  return (vouch_fill_t) {name, (const char *)asset->data, asset->size};
}

static vouch_fill_t fill_text(const char * name, const vouch_text_t * text)
{
  return (vouch_fill_t) {name, text->data ? text->data : "", text->size};
}

vouch_ret_t vouch_report_page(
  const vouch_page_t * page, const vouch_page_library_t * library, vouch_text_t * out)
{
  const vouch_report_t * report = page->report;
  if (!report->result || !report->scene || !report->motion || !report->checker) {
    return vouch_fail(VOUCH_RET_INVALID, "A report needs a checked motion and its scene.");
  }
  if (library->three.size == 0 || library->controls.size == 0) {
    return vouch_fail(VOUCH_RET_UNSUPPORTED, "%s", vouch_page_without_library);
  }
  vouch_allocator_t allocator = out->allocator;
  vouch_page_data_t data = {.page = page, .report = report, .stage = {.allocator = allocator},
    .blob = {.allocator = allocator}, .root = json_object(),
    .profile = {.allocator = allocator}, .film = {.allocator = allocator}};
  vouch_text_t title = {.allocator = allocator}, json = {.allocator = allocator};
  vouch_text_t blob = {.allocator = allocator};
  vouch_ret_t ret = collect(&data);
  ret = ret ? ret : vouch_asset_json(data.root, &json);
  if (ret == VOUCH_RET_OK) {
    vouch_painter_escape(&title, page->title);
    vouch_blob_base64(&data.blob, &blob);
    const vouch_fill_t fills[] = {
      fill_text("title", &title), fill("style", &vouch_asset_style_css),
      fill_text("data", &json), fill_text("blob", &blob), fill("three", &library->three),
      fill("controls", &library->controls), fill("scene", &vouch_asset_scene_js),
      fill("chart", &vouch_asset_chart_js), fill("panels", &vouch_asset_panels_js),
      {NULL, NULL, 0}
    };
    vouch_asset_fill(&vouch_asset_page_html, fills, out);
    if (out->failed || title.failed || json.failed || blob.failed || data.blob.failed) {
      ret = vouch_fail(VOUCH_RET_NO_MEMORY, "Out of memory while writing a page.");
    }
  }
  json_decref(data.root);
  vouch_text_fini(&title);
  vouch_text_fini(&json);
  vouch_text_fini(&blob);
  vouch_text_fini(&data.blob);
  vouch_film_fini(&data.film);
  vouch_profile_fini(&data.profile);
  vouch_stage_fini(&data.stage);
  return ret;
}

const char vouch_page_without_library[] =
  "This vouch was built without three.js, which reports are drawn with: install it (Debian and "
  "Ubuntu: libjs-three) and build again, or take --gltf or --picture.";
