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

/* Words in a URDF that nobody reads. Those that look like one that says where a body is or how it moves
 * (<orgin>, <axes>, ryp="...", an <origin> within a <box>) are refused: every URDF reader drops them,
 * and what they were meant to say is then not what is proved. Others are told. Names with a colon are
 * other people's extensions, unless a known word stands behind it. */

#include "base/text.h"
#include "read/urdf.h"

enum {MAX_TOLD = 32};

typedef struct words_s
{
  const char * element;
  const char * children;     // blank-separated, known here or known to be of no meaning; NULL: any
  const char * attributes;   // the same
  const char * meaning;      // those of both that say what is proved
} words_t;

static const words_t WORDS[] = {   // links first
  {"link", "inertial visual collision contact material sensor gazebo collision_checking "
    "self_collision_checking", NULL, "collision"},
  {"joint", "parent child origin axis limit mimic dynamics safety_controller calibration gazebo",
    NULL, "parent child origin axis limit mimic"},
  {"collision", "origin geometry material contact_coefficients verbose", NULL, "origin geometry"},
  {"origin", "", "xyz rpy quat_xyzw", "xyz rpy quat_xyzw"},
  {"axis", "", "xyz", "xyz"},
  {"limit", "", "lower upper effort velocity acceleration deceleration jerk current command_effort "
    "gear_velocity k_velocity", "lower upper"},
  {"mimic", "", "joint multiplier offset", "joint multiplier offset"},
  {"box", "", "size", "size origin"},
  {"sphere", "", "radius", "radius origin"},
  {"cylinder", "", "radius length", "radius length origin"},
  {"capsule", "", "radius length", "radius length origin"},
  {"mesh", "", "filename scale make_convex", "filename scale origin"},
};

typedef struct teller_s
{
  vouch_urdf_t * urdf;
  const char * told[MAX_TOLD][2];   // element and word: each is told once
  size_t count;
} teller_t;

/// Behind a namespace's prefix.
static const char * local_name(const char * name)
{
  const char * colon = strchr(name, ':');
  return colon == NULL ? name : colon + 1;
}

/// A known word with a prefix is one that readers do not find, and was meant as one.
static bool is_known(const char * words, const char * meaning, const char * word)
{
  if (strchr(word, ':') != NULL) {
    return strncmp(word, "xmlns:", 6) == 0 || !vouch_word_in(meaning, local_name(word));
  }
  return words == NULL || strcmp(word, "xmlns") == 0 || vouch_word_in(words, word);
}

/// Whether it can change nothing: an origin without turn or shift.
static bool is_zero(const vouch_xml_element_t * element, const char * value)
{
  double n[3];
  return value != NULL &&
         strcmp(element->name, "origin") == 0 && vouch_parse_doubles(value, n, 3) &&
         n[0] == 0.0 && n[1] == 0.0 && n[2] == 0.0;
}

/// value: of an attribute; NULL: the word is an element.
static vouch_ret_t tell(
  teller_t * teller, const vouch_xml_element_t * element, const char * word, const char * value,
  const char * meaning)
{
  const char * kind = value != NULL ? "attribute" : "element";
  if (vouch_word_like(meaning, local_name(word)) && !is_zero(element, value)) {
    return vouch_xml_fail(
      teller->urdf->document, element, "the %s '%.100s' of <%s> is not known; if it is misspelled, "
      "correct it, else remove it: ignored, it could change what is proved", kind, word,
      element->name);
  }
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
    "needed?", teller->urdf->document->source, element->line,
    kind, word, element->name);
}

static vouch_ret_t look_at(teller_t * teller, const vouch_xml_element_t * element)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (size_t i = 0; i < sizeof(WORDS) / sizeof(WORDS[0]); ++i) {
    if (strcmp(WORDS[i].element, element->name) != 0) {
      continue;
    }
    if (element->has_text && WORDS[i].children != NULL && WORDS[i].children[0] == '\0') {
      return vouch_xml_fail(
        teller->urdf->document, element, "text between the tags of <%s> is not read; write it as "
        "attributes (%s)", element->name, WORDS[i].attributes);
    }
    for (const vouch_xml_element_t * e = element->first_child; e != NULL; e = e->next) {
      if (ret == VOUCH_RET_OK && !is_known(WORDS[i].children, WORDS[i].meaning, e->name)) {
        ret = tell(teller, element, e->name, NULL, WORDS[i].meaning);
      }
    }
    for (const char ** pair = element->attributes; *pair != NULL; pair += 2) {
      if (ret == VOUCH_RET_OK && !is_known(WORDS[i].attributes, WORDS[i].meaning, pair[0])) {
        ret = tell(teller, element, pair[0], pair[1], WORDS[i].meaning);
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

static const vouch_xml_element_t * find_collision(const vouch_xml_element_t * element)
{
  const vouch_xml_element_t * found = NULL;
  for (const vouch_xml_element_t * e = element->first_child; e != NULL && found == NULL;
    e = e->next)
  {
    found = strcmp(local_name(e->name), "collision") == 0 ? e : find_collision(e);
  }
  return found;
}

/// A body under another name than <collision>, or within another one or a <visual>, is not left out
/// with a warning.
static vouch_ret_t refuse_geometry(const vouch_urdf_t * urdf, const vouch_xml_element_t * link)
{
  for (const vouch_xml_element_t * e = link->first_child; e != NULL; e = e->next) {
    const vouch_xml_element_t * inner =
      vouch_word_in("collision visual inertial", e->name) ? find_collision(e) : NULL;
    if (inner != NULL) {
      return vouch_xml_fail(
        urdf->document, inner, "a <%s> within a <%s> is not read; put it into the <link> itself",
        inner->name, e->name);
    }
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

/// Elements of <robot> that other programs read, and nobody for where bodies are.
static const char OF_ROBOT[] =
  "link joint material transmission gazebo sensor ros2_control group loop_joint frame "
  "self_collision_checking joint_state_publisher controller plugin version";

static bool holds_a_body(const vouch_xml_element_t * element)
{
  for (const vouch_xml_element_t * e = element->first_child; e != NULL; e = e->next) {
    if (vouch_word_in("collision geometry parent", local_name(e->name)) || holds_a_body(e)) {
      return true;
    }
  }
  return false;
}

/// A link or joint under another name, or in a file that is named and not read.
static vouch_ret_t look_at_robot(teller_t * teller, const vouch_xml_element_t * e)
{
  const vouch_xml_t * document = teller->urdf->document;
  if (vouch_word_in(OF_ROBOT, e->name)) {
    return VOUCH_RET_OK;
  }
  if (vouch_word_like("link joint", local_name(e->name)) || holds_a_body(e)) {
    return vouch_xml_fail(
      document, e, "<%s> is not known, and may be a link or a joint; if it is misspelled, correct "
      "it, else remove it", e->name);
  }
  return strchr(e->name, ':') != NULL ? VOUCH_RET_OK :
         tell(teller, document->root, e->name, NULL, "");
}

vouch_ret_t vouch_urdf_warn_strange(vouch_urdf_t * urdf)
{
  teller_t teller = {.urdf = urdf};
  vouch_ret_t ret = VOUCH_RET_OK;
  for (const vouch_xml_element_t * e = urdf->document->root->first_child;
    ret == VOUCH_RET_OK && e != NULL; e = e->next)
  {
    ret = look_at_robot(&teller, e);
    if (ret != VOUCH_RET_OK) {
      break;
    }
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
