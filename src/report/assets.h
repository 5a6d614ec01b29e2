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

/* Files of src/report/page/, put into the program when it is built (cmake/VouchEmbed.cmake). */

#ifndef REPORT__ASSETS_H_
#define REPORT__ASSETS_H_

#include <jansson.h>

#include "report/page.h"

extern const vouch_asset_t vouch_asset_page_html;
extern const vouch_asset_t vouch_asset_index_html;
extern const vouch_asset_t vouch_asset_style_css;
extern const vouch_asset_t vouch_asset_scene_js;
extern const vouch_asset_t vouch_asset_chart_js;
extern const vouch_asset_t vouch_asset_panels_js;
extern const vouch_asset_t vouch_asset_index_js;

/// What stands for a name between two @ signs.
typedef struct vouch_fill_s
{
  const char * name;
  const char * text;   // NULL ends a list
  size_t size;
} vouch_fill_t;

/// Appends a template with each @name@ replaced; names that are not in the list stay as they are.
void vouch_asset_fill(
  const vouch_asset_t * asset, const vouch_fill_t * fills, vouch_text_t * out);

/// Appends JSON that may stand inside of <script>: no character of it ends that.
vouch_ret_t vouch_asset_json(json_t * root, vouch_text_t * out) VOUCH_WARN_UNUSED;

#endif  // REPORT__ASSETS_H_
