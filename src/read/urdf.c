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

#include "read/urdf.h"

#include <math.h>

#include "base/error.h"
#include "base/text.h"
#include "read/srdf.h"

/* ---- options ---- */

static vouch_ret_t check_values(
  const vouch_link_value_t * values, size_t count, bool zero_allowed, const char * what)
{
  for (size_t i = 0; i < count; ++i) {
    double value = values[i].value;
    if (!(value > 0.0 || (zero_allowed && value == 0.0)) || !(value <= VOUCH_MAX_COORDINATE)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "the %s of link '%s' is %g; it must be %s and at most %g", what,
        values[i].link, value, zero_allowed ? "not negative" : "positive", VOUCH_MAX_COORDINATE);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t take_options(
  const vouch_robot_options_t * given, vouch_robot_options_t * options)
{
  *options = vouch_robot_options_default();
  if (given != NULL) {
    vouch_ret_t ret = vouch_options_check(
      "robot_options", given->struct_size, sizeof(*options), &given->allocator);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    *options = *given;
  }
  vouch_ret_t ret =
    check_values(options->paddings, options->padding_count, true, "padding");
  if (ret == VOUCH_RET_OK) {
    ret = check_values(options->scales, options->scale_count, false, "scale");
  }
  if (ret == VOUCH_RET_OK && !(options->default_padding_m >= 0.0 &&
    options->default_padding_m <= VOUCH_MAX_COORDINATE))
  {
    ret = vouch_fail(
      VOUCH_RET_INVALID, "the default padding is %g; it must be finite and not negative",
      options->default_padding_m);
  }
  return ret;
}

static vouch_ret_t check_links(
  const vouch_robot_t * robot, const vouch_link_value_t * values, size_t count, const char * what)
{
  for (size_t i = 0; i < count; ++i) {
    if (vouch_robot_find_link(robot, values[i].link) == VOUCH_NONE) {
      return vouch_fail(
        VOUCH_RET_INVALID, "a %s is given for link '%s', which robot '%s' does not have", what,
        values[i].link, robot->name);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t set_paddings(vouch_robot_t * robot, const vouch_robot_options_t * options)
{
  vouch_ret_t ret = check_links(robot, options->paddings, options->padding_count, "padding");
  if (ret == VOUCH_RET_OK) {
    ret = check_links(robot, options->scales, options->scale_count, "scale");
  }
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  for (size_t i = 0; i < robot->link_count; ++i) {
    robot->links[i].padding_m = options->default_padding_m;
  }
  for (size_t i = 0; i < options->padding_count; ++i) {
    uint32_t link = vouch_robot_find_link(robot, options->paddings[i].link);
    robot->links[link].padding_m = options->paddings[i].value;
  }
  return VOUCH_RET_OK;
}

/* ---- the document ---- */

/// Whether an element is xacro's, by the address of its prefix (told by it or by one around it) or, as it
/// was long ago, by its name.
static bool is_xacro(const vouch_xml_element_t * root, const vouch_xml_element_t * element)
{
  const char * name = element->name;
  const size_t size = strcspn(name, ":");
  if (name[size] == '\0') {
    return element->parent == root && vouch_word_in("include property macro", name);
  }
  for (; element != NULL; element = element->parent) {
    for (const char ** pair = element->attributes; *pair != NULL; pair += 2) {
      if (strncmp(pair[0], "xmlns:", 6) == 0 && strlen(pair[0] + 6) == size &&
        memcmp(pair[0] + 6, name, size) == 0 && strstr(pair[1], "xacro") != NULL)
      {
        return true;
      }
    }
  }
  return strncmp(name, "xacro:", 6) == 0;
}

static const vouch_xml_element_t * find_xacro(const vouch_xml_element_t * element)
{
  // Depth-first without recursion: down, along, or up and along.
  const vouch_xml_element_t * root = element;
  while (element != NULL) {
    if (is_xacro(root, element)) {
      return element;
    }
    if (element->first_child != NULL) {
      element = element->first_child;
      continue;
    }
    while (element != root && element->next == NULL) {
      element = element->parent;
    }
    element = element == root ? NULL : element->next;
  }
  return NULL;
}

static vouch_ret_t check_root(vouch_urdf_t * urdf)
{
  const vouch_xml_t * document = urdf->document;
  const vouch_xml_element_t * root = document->root;
  if (strcmp(root->name, "robot") != 0) {
    return vouch_xml_fail(
      document, root, "a URDF begins with <robot>, this file with <%s>", root->name);
  }
  const vouch_xml_element_t * xacro = find_xacro(root);
  if (xacro != NULL) {
    return vouch_xml_fail(
      document, xacro, "<%s> is not expanded; run xacro on the file first", xacro->name);
  }
  const char * version = vouch_xml_attribute(root, "version");
  if (version != NULL && strncmp(version, "1.", 2) != 0 && strcmp(version, "1") != 0) {
    return vouch_xml_fail(
      document, root, "URDF version '%s'; versions 1.0 to 1.2 are known", version);
  }
  const char * name = NULL;
  vouch_ret_t ret = vouch_xml_required(document, root, "name", &name);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  urdf->robot->name = vouch_arena_strdup(&urdf->robot->arena, name);
  return urdf->robot->name == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
}

static vouch_ret_t read_srdf(vouch_robot_t * robot, const vouch_robot_options_t * options)
{
  if (options->srdf_text != NULL) {
    const size_t size = strlen(options->srdf_text);
    vouch_ret_t ret = vouch_robot_parse_srdf(robot, "SRDF", options->srdf_text, size);
    return ret != VOUCH_RET_OK ? ret :
           vouch_sources_note(&robot->sources, "srdf", "SRDF", options->srdf_text, size);
  }
  if (options->srdf_path == NULL) {
    return vouch_robot_warn(
      robot, "no SRDF was given: links are not checked against their parent link");
  }
  char * text = NULL;
  size_t size = 0;
  vouch_ret_t ret = vouch_file_read(
    &robot->allocator, options->srdf_path, VOUCH_XML_MAX_SIZE, &text, &size);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_robot_parse_srdf(robot, options->srdf_path, text, size);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_sources_note(&robot->sources, "srdf", options->srdf_path, text, size);
  }
  vouch_free(&robot->allocator, text);
  return ret;
}

/* The caller's texts may be gone when a scene is read. */
static vouch_ret_t keep_packages(vouch_robot_t * robot, const vouch_robot_options_t * options)
{
  robot->packages = vouch_arena_calloc(
    &robot->arena, options->package_count, sizeof(*robot->packages));
  for (size_t i = 0; robot->packages != NULL && i < options->package_count; ++i) {
    const vouch_package_t copy = {
      .name = vouch_arena_strdup(&robot->arena, options->packages[i].name),
      .directory = vouch_arena_strdup(&robot->arena, options->packages[i].directory)
    };
    if (copy.name == NULL || copy.directory == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
    robot->packages[robot->package_count++] = copy;
  }
  return robot->packages == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
}

static vouch_ret_t read_document(vouch_urdf_t * urdf)
{
  vouch_ret_t ret = check_root(urdf);
  ret = ret == VOUCH_RET_OK ? keep_packages(urdf->robot, urdf->options) : ret;
  if (ret == VOUCH_RET_OK) {
    ret = vouch_urdf_read_tree(urdf);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_urdf_warn_strange(urdf);
  }
  if (ret == VOUCH_RET_OK) {
    ret = set_paddings(urdf->robot, urdf->options);
  }
  if (ret == VOUCH_RET_OK) {
    ret = read_srdf(urdf->robot, urdf->options);
  }
  if (ret == VOUCH_RET_OK && !urdf->options->ignore_geometry) {
    ret = vouch_urdf_read_geometry(urdf);
  }
  return ret;
}

static vouch_ret_t parse(
  vouch_robot_t ** out, const char * source, const char * text, size_t size,
  const vouch_urdf_t * settings)
{
  const vouch_robot_options_t * options = settings->options;
  vouch_xml_t document;
  vouch_ret_t ret = vouch_xml_parse(&document, options->allocator, source, text, size);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vouch_urdf_t urdf = *settings;
  urdf.document = &document;
  urdf.robot = vouch_robot_allocate(&options->allocator);
  ret = VOUCH_RET_NO_MEMORY;
  if (urdf.robot != NULL) {
    urdf.robot->hulls = options->hulls;
    urdf.robot->surfaces = options->surfaces;
    ret = vouch_sources_note(&urdf.robot->sources, "robot", source, text, size);
    ret = ret == VOUCH_RET_OK ? read_document(&urdf) : ret;
  }
  vouch_xml_fini(&document);
  if (ret != VOUCH_RET_OK) {
    vouch_robot_destroy(urdf.robot);
    return ret;
  }
  *out = urdf.robot;
  return VOUCH_RET_OK;
}

static vouch_urdf_t settings_of(const vouch_robot_options_t * options, const char * directory)
{
  return (vouch_urdf_t) {
           .options = options,
           .resources = {
             .allocator = options->allocator, .packages = options->packages,
             .package_count = options->package_count, .base_directory = directory
           }
  };
}

vouch_ret_t vouch_robot_parse_urdf(
  vouch_robot_t ** robot, const char * text, size_t size, const char * base_directory,
  const vouch_robot_options_t * options)
{
  VOUCH_REQUIRE("robot", robot);
  *robot = NULL;
  VOUCH_REQUIRE_ARRAY("text", text, size);
  vouch_robot_options_t taken;
  vouch_ret_t ret = take_options(options, &taken);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_urdf_t settings = settings_of(&taken, base_directory);
  return parse(robot, "URDF", text, size, &settings);
}

vouch_ret_t vouch_robot_load_urdf(
  vouch_robot_t ** robot, const char * path, const vouch_robot_options_t * options)
{
  VOUCH_REQUIRE("robot", robot);
  *robot = NULL;
  VOUCH_REQUIRE("path", path);
  vouch_robot_options_t taken;
  vouch_ret_t ret = take_options(options, &taken);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  char * text = NULL;
  char * directory = NULL;
  size_t size = 0;
  ret = vouch_file_read(&taken.allocator, path, VOUCH_XML_MAX_SIZE, &text, &size);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_resource_directory(&taken.allocator, path, &directory);
  }
  if (ret == VOUCH_RET_OK) {
    const vouch_urdf_t settings = settings_of(&taken, directory);
    ret = parse(robot, path, text, size, &settings);
  }
  vouch_free(&taken.allocator, directory);
  vouch_free(&taken.allocator, text);
  return ret;
}
