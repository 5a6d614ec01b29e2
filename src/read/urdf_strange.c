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

/* Words in a URDF that nobody reads: <orgin>, <collison>, ryp="...". Every URDF reader drops them,
 * and what they were meant to say is then not what is proved, so they are told. Names with a colon
 * are other people's extensions. */

#include "base/text.h"
#include "read/urdf.h"

enum {MAX_TOLD = 32};

typedef struct words_s
{
  const char * element;
  const char * children;     // blank-separated, known here or known to be of no meaning; NULL: any
  const char * attributes;   // the same
} words_t;

static const words_t WORDS[] = {   // links first
  {"link", "inertial visual collision contact material sensor gazebo collision_checking "
    "self_collision_checking", NULL},
  {"joint", "parent child origin axis limit mimic dynamics safety_controller calibration gazebo",
    NULL},
  {"collision", "origin geometry material contact_coefficients verbose", NULL},
  {"origin", NULL, "xyz rpy quat_xyzw"},
  {"axis", NULL, "xyz"},
  {"mimic", NULL, "joint multiplier offset"},
  {"box", NULL, "size"},
  {"sphere", NULL, "radius"},
  {"cylinder", NULL, "radius length"},
  {"capsule", NULL, "radius length"},
  {"mesh", NULL, "filename scale make_convex"},
};

typedef struct teller_s
{
  vouch_urdf_t * urdf;
  const char * told[MAX_TOLD][2];   // element and word: each is told once
  size_t count;
} teller_t;

static bool is_known(const char * words, const char * word)
{
  return words == NULL || strchr(word, ':') != NULL || strcmp(word, "xmlns") == 0 ||
         vouch_word_in(words, word);
}

static vouch_ret_t tell(
  teller_t * teller, const vouch_xml_element_t * element, const char * word, bool attribute)
{
  for (size_t i = 0; i < teller->count; ++i) {
    if (strcmp(teller->told[i][0], element->name) == 0 && strcmp(teller->told[i][1], word) == 0) {
      return VOUCH_RET_OK;
    }
  }
  if (teller->count == MAX_TOLD) {
    return VOUCH_RET_OK;
  }
  teller->told[teller->count][0] = element->name;
  teller->told[teller->count++][1] = word;
  return vouch_robot_warn(
    teller->urdf->robot, "%s:%lu: the %s '%.100s' of <%s> is not known and was ignored; is it "
    "misspelled?", teller->urdf->document->source, element->line,
    attribute ? "attribute" : "element", word, element->name);
}

static vouch_ret_t look_at(teller_t * teller, const vouch_xml_element_t * element)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; i < sizeof(WORDS) / sizeof(WORDS[0]); ++i) {
    if (strcmp(WORDS[i].element, element->name) != 0) {
      continue;
    }
    for (const vouch_xml_element_t * e = element->first_child; e != NULL; e = e->next) {
      if (ret == VOUCH_RET_OK && !is_known(WORDS[i].children, e->name)) {
        ret = tell(teller, element, e->name, false);
      }
    }
    for (const char ** pair = element->attributes; *pair != NULL; pair += 2) {
      if (ret == VOUCH_RET_OK && !is_known(WORDS[i].attributes, pair[0])) {
        ret = tell(teller, element, pair[0], true);
      }
    }
  }
  return ret;
}

/// The children too, down to the shapes.
static vouch_ret_t look_below(teller_t * teller, const vouch_xml_element_t * element, int levels)
{
  vouch_ret_t ret = look_at(teller, element);
  for (const vouch_xml_element_t * e = element->first_child;
    ret == VOUCH_RET_OK && levels > 0 && e != NULL; e = e->next)
  {
    ret = look_below(teller, e, levels - 1);
  }
  return ret;
}

/// A body under another name than <collision> is not left out with a warning.
static vouch_ret_t refuse_geometry(const vouch_urdf_t * urdf, const vouch_xml_element_t * link)
{
  for (const vouch_xml_element_t * e = link->first_child; e != NULL; e = e->next) {
    for (const vouch_xml_element_t * c = e->first_child; c != NULL; c = c->next) {
      if (strcmp(c->name, "geometry") == 0 && !vouch_word_in(WORDS[0].children, e->name)) {
        return vouch_xml_fail(
          urdf->document, e, "<%s> holds a <geometry> but is neither <collision> nor <visual>",
          e->name);
      }
    }
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_urdf_warn_strange(vouch_urdf_t * urdf)
{
  teller_t teller = {.urdf = urdf};
  vouch_ret_t ret = VOUCH_RET_OK;
  for (const vouch_xml_element_t * e = urdf->document->root->first_child;
    ret == VOUCH_RET_OK && e != NULL; e = e->next)
  {
    if (strcmp(e->name, "joint") == 0) {
      ret = look_below(&teller, e, 1);
    } else if (strcmp(e->name, "link") == 0) {
      ret = refuse_geometry(urdf, e);
      ret = ret == VOUCH_RET_OK ? look_at(&teller, e) : ret;
      for (const vouch_xml_element_t * c = e->first_child; ret == VOUCH_RET_OK && c != NULL;
        c = c->next)
      {
        ret = strcmp(c->name, "collision") == 0 ? look_below(&teller, c, 2) : ret;
      }
    }
  }
  return ret;
}
