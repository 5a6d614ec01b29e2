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
#include "cli/pages.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "report/page.h"

/* Put into this program when it is built (cmake/VouchEmbed.cmake). */
extern const vouch_asset_t vouch_asset_three_js;
extern const vouch_asset_t vouch_asset_orbit_controls_js;

static vouch_page_library_t library(void)
{
  return (vouch_page_library_t) {vouch_asset_three_js, vouch_asset_orbit_controls_js};
}

vouch_ret_t cli_pages_check(const cli_settings_t * settings)
{
  return settings->report == NULL || library().three.size > 0 ? VOUCH_RET_OK :
         vouch_fail(VOUCH_RET_UNSUPPORTED, "%s", vouch_page_without_library);
}

static const char * base_name(const char * path)
{
  const char * slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static vouch_ret_t append_report(const cli_session_t * session, vouch_text_t * text)
{
  const cli_settings_t * s = session->settings;
  vouch_allocator_t allocator = vouch_allocator_default();
  vouch_page_input_t * inputs = vouch_calloc(
    &allocator, s->scenes.count + 4u, sizeof(*inputs));
  if (!inputs) {
    return VOUCH_RET_NO_MEMORY;
  }
  size_t count = 0;
  inputs[count++] = (vouch_page_input_t) {"robot", s->robot};
  if (s->srdf) {
    inputs[count++] = (vouch_page_input_t) {"srdf", s->srdf};
  }
  for (size_t i = 0; i < s->scenes.count; i++) {
    inputs[count++] = (vouch_page_input_t) {"scene", s->scenes.items[i]};
  }
  if (s->request) {
    inputs[count++] = (vouch_page_input_t) {"request", s->request};
  }
  inputs[count++] = (vouch_page_input_t) {"trajectory", s->trajectory};
  vouch_report_t report = cli_session_report(session, VOUCH_RET_OK);
  char title[512];
  snprintf(
    title, sizeof(title), "%s: %s", vouch_robot_name(session->robot), base_name(s->trajectory));
  const vouch_page_t page = {.report = &report, .title = title,
    .trajectory = base_name(s->trajectory), .inputs = inputs, .input_count = count};
  const vouch_page_library_t three = library();
  vouch_ret_t ret = vouch_report_page(&page, &three, text);
  vouch_free(&allocator, inputs);
  return ret;
}

static vouch_ret_t append_gltf(const cli_session_t * session, vouch_text_t * text)
{
  const vouch_report_t report = cli_session_report(session, VOUCH_RET_OK);
  return vouch_report_gltf(&report, text);
}

static vouch_ret_t write_one(
  const cli_session_t * session, const char * path,
  vouch_ret_t (* append)(const cli_session_t *, vouch_text_t *))
{
  if (!path) {
    return VOUCH_RET_OK;
  }
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  vouch_ret_t ret = append(session, &text);
  ret = ret ? ret : vouch_file_write(path, text.data, text.size);
  vouch_text_fini(&text);
  return ret;
}

vouch_ret_t cli_pages_write(const cli_session_t * session)
{
  vouch_ret_t ret = write_one(session, session->settings->report, append_report);
  return ret ? ret : write_one(session, session->settings->gltf, append_gltf);
}
