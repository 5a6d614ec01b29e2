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

/* Where the robot comes from: parameters (text or file), else the latched topics robot_description
 * and
 * robot_description_semantic. Loaded anew whenever one of them changes; a description that does not
 * load leaves the old robot in place. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "base/text.h"
#include "node/check_run.h"
#include "read/cache.h"
#include "std_msgs/msg/string.h"
#include "vouch/msg/robot_geometry.h"

MESSAGE_TYPE(string_type, std_msgs__msg__String);
MESSAGE_TYPE(geometry_type, vouch__msg__RobotGeometry);

static char * copy_text(const char * text)
{
  size_t size = strlen(text) + 1;
  char * copy = malloc(size);
  if (copy != NULL) {
    memcpy(copy, text, size);
  }
  return copy;
}

/// Takes a text from a topic. False: it is the one that is there already.
static bool take_text(char ** slot, const std_msgs__msg__String * message)
{
  if (*slot != NULL && strcmp(*slot, message->data.data) == 0) {
    return false;
  }
  free(*slot);
  *slot = copy_text(message->data.data);
  return true;
}

static bool has_parameter(const vouch_node_t * node, parameter_id_t text, parameter_id_t file)
{
  return parameters_string(&node->parameters, text)[0] != '\0' ||
         parameters_string(&node->parameters, file)[0] != '\0';
}

/// What runs was proved for a robot that is not the newest any more.
static void reload_told(vouch_node_t * node)
{
  robot_source_reload(node);
  if (node->robot_lack != NULL) {
    node_changed(node);
    live_scene_changed(node);
  }
}

static void on_description(const void * message, void * context)
{
  vouch_node_t * node = context;
  if ((take_text(&node->urdf_topic, message) || node->robot_lack != NULL) &&
    !has_parameter(node, PARAMETER_ROBOT_DESCRIPTION, PARAMETER_ROBOT_DESCRIPTION_FILE))
  {
    reload_told(node);
  }
}

static void on_semantic(const void * message, void * context)
{
  vouch_node_t * node = context;
  if ((take_text(&node->srdf_topic, message) || node->robot_lack != NULL) &&
    !has_parameter(
      node, PARAMETER_ROBOT_DESCRIPTION_SEMANTIC, PARAMETER_ROBOT_DESCRIPTION_SEMANTIC_FILE))
  {
    reload_told(node);
  }
}

static bool takes_geometry(const vouch_node_t * node)
{
  return strcmp(parameters_string(&node->parameters, PARAMETER_GEOMETRY_SOURCE), "topic") == 0;
}

static void on_geometry(const void * message, void * context)
{
  vouch_node_t * node = context;
  if (!takes_geometry(node)) {
    node->geometry_received = false;   // our own, or nobody asked for it; what is kept is older
    return;
  }
  if (!vouch__msg__RobotGeometry__copy(message, &node->geometry)) {
    NODE_ERROR(node, "no memory for the robot's geometry");
    return;
  }
  node->geometry_received = true;
  robot_source_reload(node);
}

bool robot_source_init(vouch_node_t * node)
{
  node->geometry_ready = vouch__msg__RobotGeometry__init(&node->geometry);
  rmw_qos_profile_t latched = rmw_qos_profile_default;
  latched.depth = 1;
  latched.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  subscription_setting_t urdf = {
    ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, String), &string_type, "robot_description", latched,
    on_description, NULL
  };
  subscription_setting_t srdf = {
    ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, String), &string_type, "robot_description_semantic",
    latched, on_semantic, NULL
  };
  subscription_setting_t geometry = {
    ROSIDL_GET_MSG_TYPE_SUPPORT(vouch, msg, RobotGeometry), &geometry_type, "~/robot_geometry",
    latched, on_geometry, NULL
  };
  return node->geometry_ready && node_listen(node, &urdf) &&
         node_listen(node, &srdf) && node_listen(node, &geometry);
}

void robot_source_fini(vouch_node_t * node)
{
  live_fini(node);
  markers_forget(node);
  check_cache_clear(node);
  scene_store_fini(node);
  joint_states_fini(node);
  vouch_robot_destroy(node->robot);
  node->robot = NULL;
  free(node->urdf_topic);
  free(node->srdf_topic);
  free(node->urdf_loaded);
  free(node->srdf_loaded);
  free(node->robot_error);
  node->urdf_topic = node->srdf_topic = node->robot_error = NULL;
  node->urdf_loaded = node->srdf_loaded = NULL;
  if (node->geometry_ready) {
    vouch__msg__RobotGeometry__fini(&node->geometry);
    node->geometry_ready = false;
  }
}

/* ---- loading ---- */

/// The parameter package_directories as an array; `names` holds the texts.
static vouch_package_t * read_packages(const vouch_node_t * node, char ** names, size_t * count)
{
  const rosidl_runtime_c__String__Sequence * texts =
    parameters_strings(&node->parameters, PARAMETER_PACKAGE_DIRECTORIES);
  size_t bytes = 1;
  for (size_t i = 0; i < texts->size; ++i) {
    bytes += texts->data[i].size + 1;
  }
  *count = 0;
  *names = calloc(1, bytes);
  vouch_package_t * packages = calloc(texts->size + 1, sizeof(*packages));
  if (*names == NULL || packages == NULL) {
    return packages;
  }
  char * at = *names;
  for (size_t i = 0; i < texts->size; ++i) {
    const char * text = texts->data[i].data;
    size_t name = strcspn(text, "=");
    if (text[name] != '=') {
      continue;
    }
    memcpy(at, text, texts->data[i].size + 1);
    at[name] = '\0';
    packages[(*count)++] = (vouch_package_t) {at, at + name + 1};
    at += texts->data[i].size + 1;
  }
  return packages;
}

static vouch_ret_t parse(
  const vouch_node_t * node, const vouch_robot_options_t * options, vouch_robot_t ** robot)
{
  const parameters_t * p = &node->parameters;
  const char * text = parameters_string(p, PARAMETER_ROBOT_DESCRIPTION);
  const char * file = parameters_string(p, PARAMETER_ROBOT_DESCRIPTION_FILE);
  if (text[0] != '\0') {
    return vouch_robot_parse_urdf(robot, text, strlen(text), NULL, options);
  }
  if (file[0] != '\0') {
    return vouch_robot_load_urdf(robot, file, options);
  }
  if (node->urdf_topic != NULL) {
    return vouch_robot_parse_urdf(
      robot, node->urdf_topic, strlen(node->urdf_topic), NULL, options);
  }
  return vouch_fail(VOUCH_RET_INVALID, "no robot description yet");
}

/// The SHA-256 of the text that parse() reads.
static vouch_ret_t hash_description(vouch_node_t * node)
{
  const char * text = parameters_string(&node->parameters, PARAMETER_ROBOT_DESCRIPTION);
  const char * file = parameters_string(&node->parameters, PARAMETER_ROBOT_DESCRIPTION_FILE);
  if (text[0] == '\0' && file[0] != '\0') {
    vouch_allocator_t allocator = vouch_allocator_default();
    char * data = NULL;
    size_t size = 0;
    vouch_ret_t ret = vouch_file_read(&allocator, file, 0, &data, &size);
    if (ret == VOUCH_RET_OK) {
      vouch_sha256(data, size, node->description_hash);
    }
    vouch_free(&allocator, data);
    return ret;
  }
  text = text[0] == '\0' && node->urdf_topic != NULL ? node->urdf_topic : text;
  vouch_sha256(text, strlen(text), node->description_hash);
  return VOUCH_RET_OK;
}

/// *waits: the description is good, but the meshes are another's.
static vouch_ret_t load(vouch_node_t * node, vouch_robot_t ** robot, bool * waits)
{
  const parameters_t * p = &node->parameters;
  vouch_robot_options_t options = vouch_robot_options_default();
  const char * srdf = parameters_string(p, PARAMETER_ROBOT_DESCRIPTION_SEMANTIC);
  const char * srdf_file = parameters_string(p, PARAMETER_ROBOT_DESCRIPTION_SEMANTIC_FILE);
  if (srdf[0] != '\0') {
    options.srdf_text = srdf;
  } else if (srdf_file[0] != '\0') {
    options.srdf_path = srdf_file;
  } else {
    options.srdf_text = node->srdf_topic;
  }
  // What is forwarded rests on the mesh files, not on what somebody may have put into a cache.
  char cache[4096];
  options.cache_directory = parameters_bool(p, PARAMETER_VETTING_ENABLED) ? NULL :
    vouch_cache_directory(
    parameters_string(p, PARAMETER_CACHE_DIRECTORY), cache, sizeof(cache));
  node->robot_cached = options.cache_directory != NULL;
  options.hulls = parameters_bool(p, PARAMETER_HULLS);
  options.surfaces = parameters_bool(p, PARAMETER_SURFACES);
  options.default_padding_m = parameters_double(p, PARAMETER_DEFAULT_PADDING_M);
  options.ignore_geometry = takes_geometry(node);
  char * names = NULL;
  vouch_package_t * packages = read_packages(node, &names, &options.package_count);
  options.packages = packages;
  vouch_ret_t ret = packages == NULL || names == NULL ?
    vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for package names") : parse(node, &options, robot);
  ret = ret != VOUCH_RET_OK ? ret : hash_description(node);
  if (ret == VOUCH_RET_OK && options.ignore_geometry) {
    ret = robot_geometry_check_source(&node->geometry, *robot, node->description_hash);
    *waits = ret != VOUCH_RET_OK;
    ret = ret != VOUCH_RET_OK ? ret : robot_geometry_apply(*robot, &node->geometry);
  }
  free(packages);
  free(names);
  if (ret != VOUCH_RET_OK) {
    vouch_robot_destroy(*robot);
    *robot = NULL;
  }
  return ret;
}

static void publish_geometry(vouch_node_t * node)
{
  vouch__msg__RobotGeometry * message = vouch__msg__RobotGeometry__create();
  if (message != NULL && robot_geometry_fill(node->robot, message) &&
    node_stamp(node, &message->header))
  {
    memcpy(message->robot_hash, node->robot_hash, sizeof(node->robot_hash));
    memcpy(message->description_hash, node->description_hash, sizeof(node->description_hash));
    node_publish(node, &node->robot_geometry, message);
  }
  vouch__msg__RobotGeometry__destroy(message);
}

/// Hands the new robot over. Nothing may refer to the old one when it goes.
static vouch_ret_t install(vouch_node_t * node, vouch_robot_t * robot)
{
  live_robot_changes(node);
  markers_forget(node);
  check_cache_clear(node);
  vouch_ret_t ret = scene_store_rebuild(node, robot);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (!joint_states_resize(node, robot)) {
    /* The scene refers to the new robot already: without room for its joints there is none. */
    vouch_scene_destroy(node->scene);
    vouch_robot_destroy(node->robot);
    node->scene = NULL;
    node->robot = NULL;
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for the robot's joints");
  }
  vouch_robot_destroy(node->robot);
  node->robot = robot;
  vouch_robot_hash(robot, node->robot_hash);
  return VOUCH_RET_OK;
}

bool robot_source_files_exist(const vouch_node_t * node)
{
  static const parameter_id_t files[] = {
    PARAMETER_ROBOT_DESCRIPTION_FILE, PARAMETER_ROBOT_DESCRIPTION_SEMANTIC_FILE,
    PARAMETER_SCENE_FILE
  };
  bool ok = true;
  for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); ++i) {
    const char * path = parameters_string(&node->parameters, files[i]);
    FILE * file = path[0] != '\0' ? fopen(path, "rb") : NULL;
    if (path[0] != '\0' && file == NULL) {
      NODE_ERROR(
        node, "%s: '%s' cannot be read: %s", parameter_infos[files[i]].name, path, strerror(errno));
      ok = false;
    }
    if (file != NULL) {
      fclose(file);
    }
  }
  return ok;
}

static bool has_source(const vouch_node_t * node)
{
  return (has_parameter(node, PARAMETER_ROBOT_DESCRIPTION, PARAMETER_ROBOT_DESCRIPTION_FILE) ||
         node->urdf_topic != NULL) && (!takes_geometry(node) || node->geometry_received);
}

/// Sets one text to a copy of another, which may be NULL.
static void replace_text(char ** slot, const char * text)
{
  free(*slot);
  *slot = text != NULL ? copy_text(text) : NULL;
}

static bool same_text(const char * a, const char * b)
{
  return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/// A text that did not load is forgotten, so that the other one of the two can still change.
static void settle_texts(vouch_node_t * node, bool loaded)
{
  if (loaded) {
    replace_text(&node->urdf_loaded, node->urdf_topic);
    replace_text(&node->srdf_loaded, node->srdf_topic);
  } else if (node->robot != NULL) {
    replace_text(&node->urdf_topic, node->urdf_loaded);
    replace_text(&node->srdf_topic, node->srdf_loaded);
  }
}

const char * robot_source_lack(const vouch_node_t * node)
{
  if (takes_geometry(node) && !node->geometry_received) {
    return "geometry_source is topic, but nothing has come in on ~/robot_geometry yet";
  }
  return node->robot == NULL ?
         "there is no robot yet: publish robot_description or set the parameter" :
         node->robot_lack;
}

void robot_source_restore(vouch_node_t * node, const vouch_robot_t * before, const char * lack)
{
  free(node->robot_error);
  node->robot_error = NULL;   // told to whoever set them
  node->robot_lack = lack;
  if (node->robot != before) {
    robot_source_reload(node);
  }
}

void robot_source_hold(vouch_node_t * node)
{
  node->robot_held = true;
}

void robot_source_release(vouch_node_t * node)
{
  bool pending = node->robot_pending;
  node->robot_held = node->robot_pending = false;
  if (pending) {
    robot_source_reload(node);
  }
}

const char * robot_source_reload(vouch_node_t * node)
{
  if (node->robot_held) {
    node->robot_pending = true;
    return NULL;
  }
  if (!has_source(node)) {
    if (robot_source_lack(node) != NULL) {
      node_changed(node);
      live_scene_changed(node);
    }
    return NULL;
  }
  vouch_robot_t * robot = NULL;
  bool waits = false;
  vouch_ret_t ret = load(node, &robot, &waits);
  if (ret == VOUCH_RET_OK) {
    ret = install(node, robot);
    node->robot_lack = ret == VOUCH_RET_OK ? NULL :
      "there is a newer robot description, which the scene does not fit (see the log): change the "
      "scene and publish the description again";
    if (ret != VOUCH_RET_OK) {
      vouch_robot_destroy(robot);
    }
  } else if (waits && (!same_text(node->urdf_topic, node->urdf_loaded) ||
    !same_text(node->srdf_topic, node->srdf_loaded)))
  {
    node->robot_lack = "there is a newer robot description, but its shapes have not come in on "
      "~/robot_geometry yet (see the log)";
  }
  if (!waits) {
    settle_texts(node, ret == VOUCH_RET_OK);
  }
  free(node->robot_error);
  node->robot_error = NULL;
  if (ret != VOUCH_RET_OK) {
    node->robot_error = copy_text(vouch_error());
    NODE_ERROR(
      node, "robot description refused (%s): %s",
      node->robot != NULL ? "the old robot stays" : "there is no robot", vouch_error());
    node_refused(node);
    return node->robot_error != NULL ? node->robot_error : "no memory";
  }
  node_changed(node);
  NODE_INFO(
    node, "robot '%s': %zu links, %zu joints that move", vouch_robot_name(node->robot),
    vouch_robot_link_count(node->robot), vouch_robot_variable_count(node->robot));
  for (size_t i = 0; i < vouch_robot_warning_count(node->robot); ++i) {
    NODE_WARN(node, "robot: %s", vouch_robot_warning(node->robot, i));
  }
  if (!takes_geometry(node)) {
    publish_geometry(node);
  }
  scene_store_publish(node);
  return NULL;
}
