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

#include "read/srdf.h"

#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "read/xml.h"

typedef struct srdf_s
{
  const vouch_xml_t * document;
  vouch_robot_t * robot;
} srdf_t;

static bool is(const vouch_xml_element_t * element, const char * name)
{
  return strcmp(element->name, name) == 0;
}

static size_t count_elements(const vouch_xml_element_t * parent, const char * name)
{
  size_t count = 0;
  for (const vouch_xml_element_t * e = parent->first_child; e != NULL; e = e->next) {
    count += is(e, name);
  }
  return count;
}

static vouch_ret_t copy_required(
  const srdf_t * srdf, const vouch_xml_element_t * element, const char * attribute, char ** copy)
{
  const char * value = NULL;
  vouch_ret_t ret = vouch_xml_required(srdf->document, element, attribute, &value);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  *copy = vouch_arena_strdup(&srdf->robot->arena, value);
  return *copy == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
}

static vouch_ret_t warn_unknown(
  const srdf_t * srdf, const vouch_xml_element_t * element, bool joint, const char * name)
{
  const vouch_robot_t * robot = srdf->robot;
  vouch_guess_t guess = {.word = name};
  char question[160];
  for (size_t i = 0; i + joint < robot->link_count; ++i) {
    vouch_guess_try(&guess, joint ? robot->joints[i].name : robot->links[i].name);
  }
  return vouch_robot_warn(
    srdf->robot, "%s:%lu: <%s> names the %s '%s', which the robot does not have%s",
    srdf->document->source, element->line, element->name, joint ? "joint" : "link", name,
    vouch_guess_question(&guess, question));
}

/* An attribute that names a link or a joint: must be there; unknown names are warned about. */
static vouch_ret_t check_name(
  const srdf_t * srdf, const vouch_xml_element_t * element, const char * attribute, bool joint,
  bool * known)
{
  const char * name = NULL;
  vouch_ret_t ret = vouch_xml_required(srdf->document, element, attribute, &name);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  *known = joint ? vouch_robot_find_joint(srdf->robot, name) != VOUCH_NONE :
    vouch_robot_find_link(srdf->robot, name) != VOUCH_NONE;
  if (!*known && joint && srdf->robot->virtual_joint != NULL) {
    *known = strcmp(srdf->robot->virtual_joint, name) == 0;
  }
  return *known ? VOUCH_RET_OK :
         warn_unknown(srdf, element, joint, name);
}

/* ---- pairs ---- */

/// MoveIt takes them away; here the name would be a stranger's, and its pair not be checked.
static bool has_blanks(const char * name)
{
  static const char blanks[] = " \t\r\n";
  return strchr(blanks, name[0]) != NULL || strchr(blanks, name[strlen(name) - 1]) != NULL;
}

static vouch_ret_t read_pairs(
  const srdf_t * srdf, const char * name, vouch_name_pair_t ** pairs, size_t * count)
{
  const vouch_xml_element_t * root = srdf->document->root;
  *pairs = vouch_arena_calloc(&srdf->robot->arena, count_elements(root, name), sizeof(**pairs));
  if (*pairs == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (const vouch_xml_element_t * e = root->first_child; e != NULL; e = e->next) {
    if (!is(e, name)) {
      continue;
    }
    bool known[2] = {false, false};
    vouch_name_pair_t pair = {NULL, NULL, NULL};
    vouch_ret_t ret = check_name(srdf, e, "link1", false, &known[0]);
    if (ret == VOUCH_RET_OK) {
      ret = check_name(srdf, e, "link2", false, &known[1]);
    }
    if (ret == VOUCH_RET_OK) {
      ret = copy_required(srdf, e, "link1", &pair.a);
    }
    if (ret == VOUCH_RET_OK) {
      ret = copy_required(srdf, e, "link2", &pair.b);
    }
    const char * reason = vouch_xml_attribute(e, "reason");
    if (ret == VOUCH_RET_OK && reason != NULL) {
      pair.reason = vouch_arena_strdup(&srdf->robot->arena, reason);
      ret = pair.reason == NULL ? VOUCH_RET_NO_MEMORY : ret;
    }
    if (ret == VOUCH_RET_OK && (has_blanks(pair.a) || has_blanks(pair.b))) {
      ret = vouch_xml_fail(
        srdf->document, e, "<%s> has blanks around the name of a link: take them away", name);
    }
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    if (known[0] && known[1]) {
      (*pairs)[(*count)++] = pair;
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_default_disabled(const srdf_t * srdf)
{
  static const char name[] = "disable_default_collisions";
  vouch_robot_t * robot = srdf->robot;
  const vouch_xml_element_t * root = srdf->document->root;
  robot->default_disabled = vouch_arena_calloc(
    &robot->arena, count_elements(root, name), sizeof(*robot->default_disabled));
  if (robot->default_disabled == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (const vouch_xml_element_t * e = root->first_child; e != NULL; e = e->next) {
    if (!is(e, name)) {
      continue;
    }
    bool known = false;
    char * link = NULL;
    vouch_ret_t ret = check_name(srdf, e, "link", false, &known);
    if (ret == VOUCH_RET_OK) {
      ret = copy_required(srdf, e, "link", &link);
    }
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    if (known) {
      robot->default_disabled[robot->default_disabled_count++] = link;
    }
  }
  return VOUCH_RET_OK;
}

/* ---- groups ---- */

static bool has_group(const srdf_t * srdf, const char * name)
{
  for (size_t i = 0; i < srdf->robot->group_count; ++i) {
    if (strcmp(srdf->robot->groups[i], name) == 0) {
      return true;
    }
  }
  return false;
}

static vouch_ret_t check_group_name(
  const srdf_t * srdf, const vouch_xml_element_t * element, const char * attribute)
{
  const char * name = NULL;
  vouch_ret_t ret = vouch_xml_required(srdf->document, element, attribute, &name);
  if (ret != VOUCH_RET_OK || has_group(srdf, name)) {
    return ret;
  }
  return vouch_robot_warn(
    srdf->robot, "%s:%lu: <%s> names the group '%s', which the SRDF does not have",
    srdf->document->source, element->line, element->name, name);
}

static vouch_ret_t read_group_names(const srdf_t * srdf)
{
  vouch_robot_t * robot = srdf->robot;
  const vouch_xml_element_t * root = srdf->document->root;
  robot->groups = vouch_arena_calloc(
    &robot->arena, count_elements(root, "group"), sizeof(*robot->groups));
  if (robot->groups == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (const vouch_xml_element_t * e = root->first_child; e != NULL; e = e->next) {
    if (!is(e, "group")) {
      continue;
    }
    char * name = NULL;
    vouch_ret_t ret = copy_required(srdf, e, "name", &name);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    robot->groups[robot->group_count++] = name;
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_group_member(const srdf_t * srdf, const vouch_xml_element_t * element)
{
  bool known = false;
  if (is(element, "joint") || is(element, "passive_joint")) {
    return check_name(srdf, element, "name", true, &known);
  }
  if (is(element, "link")) {
    return check_name(srdf, element, "name", false, &known);
  }
  if (is(element, "group")) {
    return check_group_name(srdf, element, "name");
  }
  if (is(element, "chain")) {
    vouch_ret_t ret = check_name(srdf, element, "base_link", false, &known);
    return ret == VOUCH_RET_OK ? check_name(srdf, element, "tip_link", false, &known) : ret;
  }
  return vouch_robot_warn(
    srdf->robot, "%s:%lu: <%s> in a <group> is not known and was ignored", srdf->document->source,
    element->line, element->name);
}

/// A group moves these joints itself: named ones, those above its links, and those of its chains.
static void take_joint(vouch_robot_t * robot, bool * members, uint32_t joint)
{
  if (joint != VOUCH_NONE && robot->joints[joint].variable != VOUCH_NONE &&
    !robot->joints[joint].mimic)
  {
    members[robot->joints[joint].variable] = true;
  }
}

static void take_chain(vouch_robot_t * robot, bool * members, uint32_t base, uint32_t tip)
{
  for (uint32_t link = tip; base != VOUCH_NONE && link != VOUCH_NONE && link != base && link != 0u;
    link = robot->joints[link - 1u].parent)
  {
    take_joint(robot, members, link - 1u);
  }
}

static void take_member(
  vouch_robot_t * robot, bool * members, const vouch_xml_element_t * element)
{
  const char * name = vouch_xml_attribute(element, "name");
  const char * base = vouch_xml_attribute(element, "base_link");
  const char * tip = vouch_xml_attribute(element, "tip_link");
  if (is(element, "joint") && name != NULL) {
    take_joint(robot, members, vouch_robot_find_joint(robot, name));
  } else if (is(element, "link") && name != NULL) {
    const uint32_t link = vouch_robot_find_link(robot, name);
    take_joint(robot, members, link == VOUCH_NONE || link == 0u ? VOUCH_NONE : link - 1u);
  } else if (is(element, "chain") && base != NULL && tip != NULL) {
    take_chain(
      robot, members, vouch_robot_find_link(robot, base), vouch_robot_find_link(robot, tip));
  } else if (is(element, "group") && name != NULL) {
    const uint32_t other = vouch_robot_find_group(robot, name);
    for (size_t i = 0; other != VOUCH_NONE && i < robot->variable_count; ++i) {
      members[i] = members[i] || robot->group_members[other * robot->variable_count + i];
    }
  }
}

/// Groups of groups are filled from the inside: as often as there are groups is deep enough.
static vouch_ret_t read_group_members(const srdf_t * srdf)
{
  vouch_robot_t * robot = srdf->robot;
  robot->group_members = vouch_arena_calloc(
    &robot->arena, robot->group_count * robot->variable_count + 1u, sizeof(bool));
  if (robot->group_members == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  bool grown = true;
  for (size_t round = 0; grown && round <= robot->group_count; ++round) {
    size_t group = 0;
    grown = false;
    for (const vouch_xml_element_t * e = srdf->document->root->first_child; e != NULL;
      e = e->next)
    {
      if (!is(e, "group")) {
        continue;
      }
      bool * members = &robot->group_members[group++ *robot->variable_count];
      for (const vouch_xml_element_t * m = e->first_child; m != NULL; m = m->next) {
        const bool whole = is(m, "group");
        take_member(robot, members, m);
        grown = grown || whole;
      }
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_groups(const srdf_t * srdf)
{
  const vouch_xml_element_t * root = srdf->document->root;
  for (const vouch_xml_element_t * e = root->first_child; e != NULL; e = e->next) {
    if (!is(e, "group")) {
      continue;
    }
    for (const vouch_xml_element_t * m = e->first_child; m != NULL; m = m->next) {
      vouch_ret_t ret = check_group_member(srdf, m);
      if (ret != VOUCH_RET_OK) {
        return ret;
      }
    }
  }
  return VOUCH_RET_OK;
}

/* ---- states ---- */

/* x y yaw of a planar joint, or position and quaternion of a floating one. */
static bool is_origin(const char * text)
{
  double v[7] = {0.0};
  if (!vouch_parse_doubles(text, v, 3) && !vouch_parse_doubles(text, v, 7)) {
    return false;
  }
  for (size_t i = 0; i < 6; ++i) {
    if (v[i] != 0.0) {
      return false;
    }
  }
  return true;
}

static vouch_ret_t read_state_joint(
  const srdf_t * srdf, const vouch_xml_element_t * element, vouch_group_state_t * state)
{
  bool known = false;
  vouch_ret_t ret = check_name(srdf, element, "name", true, &known);
  if (ret != VOUCH_RET_OK || !known) {
    return ret;
  }
  const char * value_text = NULL;
  ret = vouch_xml_required(srdf->document, element, "value", &value_text);
  int variable = vouch_robot_find_variable(
    srdf->robot, vouch_xml_attribute(element, "name"));
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (variable < 0) {
    // A mimic or fixed joint has no value of its own to set.
    const uint32_t joint = vouch_robot_find_joint(
      srdf->robot, vouch_xml_attribute(element, "name"));
    const vouch_urdf_joint_t type =
      joint == VOUCH_NONE ? VOUCH_URDF_FLOATING : srdf->robot->joints[joint].type;
    state->places = state->places || ((type == VOUCH_URDF_FLOATING ||
      type == VOUCH_URDF_PLANAR) && !is_origin(value_text));
    return VOUCH_RET_OK;
  }
  double value = 0.0;
  ret = vouch_xml_numbers(srdf->document, element, "value", &value, 1);
  for (size_t i = 0; i < state->count; ++i) {
    state->repeated = state->repeated || state->variables[i] == (uint32_t)variable;
  }
  if (ret == VOUCH_RET_OK) {
    state->variables[state->count] = (uint32_t)variable;
    state->values[state->count++] = value;
  }
  return ret;
}

static vouch_ret_t read_state(
  const srdf_t * srdf, const vouch_xml_element_t * element, vouch_group_state_t * state)
{
  vouch_arena_t * arena = &srdf->robot->arena;
  size_t capacity = count_elements(element, "joint");
  state->variables = vouch_arena_calloc(arena, capacity, sizeof(*state->variables));
  state->values = vouch_arena_calloc(arena, capacity, sizeof(*state->values));
  if (state->variables == NULL || state->values == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  vouch_ret_t ret = copy_required(srdf, element, "name", &state->name);
  if (ret == VOUCH_RET_OK) {
    ret = copy_required(srdf, element, "group", &state->group);
  }
  if (ret == VOUCH_RET_OK) {
    ret = check_group_name(srdf, element, "group");
  }
  for (const vouch_xml_element_t * e = element->first_child; e != NULL; e = e->next) {
    if (ret == VOUCH_RET_OK && is(e, "joint")) {
      ret = read_state_joint(srdf, e, state);
    }
  }
  return ret;
}

static vouch_ret_t read_states(const srdf_t * srdf)
{
  vouch_robot_t * robot = srdf->robot;
  const vouch_xml_element_t * root = srdf->document->root;
  robot->group_states = vouch_arena_calloc(
    &robot->arena, count_elements(root, "group_state"), sizeof(*robot->group_states));
  if (robot->group_states == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (const vouch_xml_element_t * e = root->first_child; e != NULL; e = e->next) {
    if (!is(e, "group_state")) {
      continue;
    }
    vouch_ret_t ret = read_state(srdf, e, &robot->group_states[robot->group_state_count]);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    vouch_group_state_t * last = &robot->group_states[robot->group_state_count];
    for (size_t i = 0; i < robot->group_state_count; ++i) {
      vouch_group_state_t * other = &robot->group_states[i];
      if (strcmp(other->name, last->name) == 0 && strcmp(other->group, last->group) == 0) {
        other->repeated = true;
      }
    }
    ++robot->group_state_count;
  }
  return VOUCH_RET_OK;
}

/* ---- virtual joint, and the rest ---- */

static vouch_ret_t read_virtual_type(const srdf_t * srdf, const vouch_xml_element_t * element)
{
  const char * type = vouch_xml_attribute(element, "type");
  type = type == NULL ? "fixed" : type;
  srdf->robot->virtual_planar = strcmp(type, "planar") == 0;
  srdf->robot->virtual_moves = srdf->robot->virtual_planar || strcmp(type, "floating") == 0;
  return srdf->robot->virtual_moves || strcmp(type, "fixed") == 0 ? VOUCH_RET_OK :
         vouch_robot_warn(
    srdf->robot, "%s:%lu: the virtual joint's type '%.40s' is not known and taken for 'fixed', as in "
    "MoveIt", srdf->document->source, element->line,
    type);
}

static vouch_ret_t read_virtual_joint(const srdf_t * srdf)
{
  vouch_robot_t * robot = srdf->robot;
  const vouch_xml_element_t * root = srdf->document->root;
  for (const vouch_xml_element_t * e = root->first_child; e != NULL; e = e->next) {
    if (!is(e, "virtual_joint")) {
      continue;
    }
    const char * child = NULL;
    vouch_ret_t ret = vouch_xml_required(srdf->document, e, "child_link", &child);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    if (robot->virtual_joint != NULL || strcmp(child, robot->links[0].name) != 0) {
      ret = vouch_robot_warn(
        robot, "%s:%lu: this virtual joint was ignored; only one, to the root link '%s', has a "
        "meaning", srdf->document->source, e->line, robot->links[0].name);
    } else {
      ret = read_virtual_type(srdf, e);
      ret = ret == VOUCH_RET_OK ? copy_required(srdf, e, "name", &robot->virtual_joint) : ret;
      if (ret == VOUCH_RET_OK) {
        ret = copy_required(srdf, e, "parent_frame", &robot->virtual_parent_frame);
      }
    }
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_end_effector(const srdf_t * srdf, const vouch_xml_element_t * element)
{
  bool known = false;
  vouch_ret_t ret = check_name(srdf, element, "parent_link", false, &known);
  if (ret == VOUCH_RET_OK) {
    ret = check_group_name(srdf, element, "group");
  }
  if (ret == VOUCH_RET_OK && vouch_xml_attribute(element, "parent_group") != NULL &&
    *vouch_xml_attribute(element, "parent_group") != '\0')
  {
    ret = check_group_name(srdf, element, "parent_group");
  }
  return ret;
}

static vouch_ret_t check_rest(const srdf_t * srdf)
{
  static const char * const handled[] = {
    "group", "group_state", "virtual_joint", "disable_collisions", "enable_collisions",
    "disable_default_collisions", "link_sphere_approximation", "joint_property"
  };
  const vouch_xml_element_t * root = srdf->document->root;
  for (const vouch_xml_element_t * e = root->first_child; e != NULL; e = e->next) {
    vouch_ret_t ret = VOUCH_RET_OK;
    bool known = false;
    for (size_t i = 0; i < sizeof(handled) / sizeof(handled[0]); ++i) {
      known = known || is(e, handled[i]);
    }
    if (is(e, "passive_joint")) {
      ret = check_name(srdf, e, "name", true, &known);
    } else if (is(e, "end_effector")) {
      ret = check_end_effector(srdf, e);
    } else if (!known && vouch_word_like("enable_collisions", e->name)) {
      ret = vouch_xml_fail(
        srdf->document, e, "<%s> is not known; if <enable_collisions> is meant, its pair would not "
        "be checked", e->name);
    } else if (!known) {
      ret = vouch_robot_warn(
        srdf->robot, "%s:%lu: <%s> is not known in an SRDF and was ignored",
        srdf->document->source, e->line, e->name);
    }
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_root(const srdf_t * srdf)
{
  const vouch_xml_element_t * root = srdf->document->root;
  if (!is(root, "robot")) {
    return vouch_xml_fail(
      srdf->document, root, "an SRDF begins with <robot>, this file with <%s>", root->name);
  }
  const char * name = vouch_xml_attribute(root, "name");
  if (name != NULL && strcmp(name, srdf->robot->name) != 0) {
    return vouch_robot_warn(
      srdf->robot, "%s: the SRDF is for robot '%s', the URDF for '%s'", srdf->document->source,
      name, srdf->robot->name);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_all(const srdf_t * srdf)
{
  vouch_robot_t * robot = srdf->robot;
  vouch_ret_t(*const steps[])(const srdf_t *) = {
    check_root, read_virtual_joint, read_group_names, check_groups,
    read_group_members, read_states, read_default_disabled, check_rest
  };
  for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); ++i) {
    vouch_ret_t ret = steps[i](srdf);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  vouch_ret_t ret =
    read_pairs(srdf, "disable_collisions", &robot->disabled, &robot->disabled_count);
  return ret == VOUCH_RET_OK ?
         read_pairs(srdf, "enable_collisions", &robot->enabled, &robot->enabled_count) : ret;
}

vouch_ret_t vouch_robot_parse_srdf(
  vouch_robot_t * robot, const char * source, const char * text, size_t size)
{
  vouch_xml_t document;
  vouch_ret_t ret = vouch_xml_parse(&document, robot->allocator, source, text, size);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const srdf_t srdf = {.document = &document, .robot = robot};
  ret = read_all(&srdf);
  vouch_xml_fini(&document);
  robot->has_srdf = ret == VOUCH_RET_OK;
  return ret;
}
