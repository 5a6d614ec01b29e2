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

#include "cli/strict.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/scene.h"
#include "report/pairs.h"

/* ---- --allow ---- */

static vouch_ret_t check_name(const vouch_scene_t * scene, const char * name)
{
  char question[160];
  return vouch_scene_has_name(scene, name) || strcmp(name, VOUCH_OCTOMAP_ID) == 0 ?
         VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "--allow names '%.200s', which is neither a link nor an object%s", name,
    vouch_scene_question(scene, name, question));
}

vouch_ret_t cli_strict_allow(cli_session_t * session)
{
  const cli_texts_t * allows = &session->settings->allows;
  const vouch_allocator_t allocator = vouch_allocator_default();
  size_t bytes = 1;
  for (size_t i = 0; i < allows->count; i++) {
    bytes += strlen(allows->items[i]) + 1;
  }
  session->asked = vouch_calloc(&allocator, allows->count, sizeof(*session->asked));
  session->asked_names = vouch_calloc(&allocator, bytes, 1);
  if (!session->asked || !session->asked_names) {
    return VOUCH_RET_NO_MEMORY;
  }
  char * at = session->asked_names;
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; i < allows->count && ret == VOUCH_RET_OK; i++) {
    const size_t length = strlen(allows->items[i]);
    memcpy(at, allows->items[i], length + 1);
    char * comma = strchr(at, ',');
    if (comma) {
      *comma = '\0';
    }
    ret = check_name(session->scene, at);
    if (comma && ret == VOUCH_RET_OK) {
      ret = check_name(session->scene, comma + 1);
      session->asked[session->asked_count++] = (vouch_report_asked_t) {at, comma + 1};
      ret = ret != VOUCH_RET_OK ? ret :
        vouch_scene_allow_pair(session->scene, at, comma + 1, true);
    }
    at += length + 1;
  }
  return ret;
}

/* ---- --strict ---- */

/* --allow NAME, without a second one. */
static bool is_named(const cli_session_t * session, const char * name)
{
  const cli_texts_t * allows = &session->settings->allows;
  bool named = false;
  for (size_t i = 0; i < allows->count && !named; i++) {
    named = strcmp(allows->items[i], name) == 0;
  }
  return named;
}

static vouch_ret_t doubt(cli_session_t * session, const char * format, ...)
{
  const vouch_allocator_t allocator = vouch_allocator_default();
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  if (!vouch_grow(
      &allocator, &session->doubts, session->doubt_count, &session->doubt_capacity,
      sizeof(*session->doubts)))
  {
    return VOUCH_RET_NO_MEMORY;
  }
  session->doubts[session->doubt_count] = vouch_strdup(&allocator, text);
  return session->doubts[session->doubt_count++] ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

static vouch_ret_t doubt_links(cli_session_t * session)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; i < session->robot->link_count && ret == VOUCH_RET_OK; i++) {
    const vouch_link_t * link = &session->robot->links[i];
    if (link->only_visual && !link->geometry && !is_named(session, link->name)) {
      ret = doubt(
        session, "link %s can be seen but has no <collision>, so it is not checked (--allow %s)",
        link->name, link->name);
    }
  }
  return ret;
}

static vouch_ret_t doubt_statics(cli_session_t * session)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; i < session->result.static_count && ret == VOUCH_RET_OK; i++) {
    const vouch_static_pair_t * pair = &session->result.statics[i];
    if (pair->overlapping && pair->depth_m >= 1e-6) {   // touching is how things stand
      ret = doubt(
        session, "%s and %s do not move against each other and overlap by about %.3f mm (--allow "
        "%s,%s)", pair->a, pair->b, 1e3 * pair->depth_m, pair->a, pair->b);
    }
  }
  return ret;
}

/* Left out by a rule about many, and by nobody who meant this pair. */
typedef struct defaults_s
{
  size_t count;
  vouch_text_t names;
} defaults_t;

static void note_default(const char * a, const char * b, vouch_left_reason_t reason, void * state)
{
  defaults_t * defaults = state;
  if (reason == VOUCH_LEFT_ADJACENT || reason == VOUCH_LEFT_SRDF_DEFAULT ||
    reason == VOUCH_LEFT_MATRIX_DEFAULT)
  {
    if (defaults->count++ < 5) {
      vouch_text_append(
        &defaults->names, "%s%s,%s", defaults->count > 1 ? " " : "", a, b);
    }
  }
}

static vouch_ret_t doubt_defaults(cli_session_t * session)
{
  defaults_t defaults = {.names = {.allocator = vouch_allocator_default()}};
  vouch_pair_counts_t counts;
  const vouch_report_t report = cli_session_report(session, VOUCH_RET_OK);
  vouch_ret_t ret = vouch_report_count_pairs(&report, &counts, note_default, &defaults);
  if (ret == VOUCH_RET_OK && defaults.count > 0) {
    ret = defaults.names.failed ? VOUCH_RET_NO_MEMORY : doubt(
      session, "%zu pair%s left out by a default that names neither (%.700s%s): allow %s by name",
      defaults.count, defaults.count == 1 ? " is" : "s are", defaults.names.data,
      defaults.count > 5 ? " ..." : "", defaults.count == 1 ? "it" : "them");
  }
  vouch_text_fini(&defaults.names);
  return ret;
}

vouch_ret_t cli_strict_judge(cli_session_t * session)
{
  if (!session->settings->strict || session->result.verdict != VOUCH_FREE) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = doubt_links(session);
  ret = ret == VOUCH_RET_OK ? doubt_statics(session) : ret;
  ret = ret == VOUCH_RET_OK ? doubt_defaults(session) : ret;
  if (ret == VOUCH_RET_OK && vouch_scene_find(session->scene, VOUCH_OCTOMAP_ID) != VOUCH_NONE &&
    !is_named(session, VOUCH_OCTOMAP_ID))
  {
    ret = doubt(
      session, "what the octomap has never seen counts as free (--allow '%s')", VOUCH_OCTOMAP_ID);
  }
  if (session->doubt_count > 0) {
    session->result.verdict = VOUCH_UNDECIDED;
  }
  return ret;
}

void cli_strict_fini(cli_session_t * session)
{
  const vouch_allocator_t allocator = vouch_allocator_default();
  for (size_t i = 0; i < session->doubt_count; i++) {
    vouch_free(&allocator, session->doubts[i]);
  }
  vouch_free(&allocator, session->doubts);
  vouch_free(&allocator, session->asked);
  vouch_free(&allocator, session->asked_names);
}
