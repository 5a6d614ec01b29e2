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

/* ~/apply_scene, ~/get_scene and the topic ~/scene. */

#include "node/node.h"
#include "node/scene_doubt.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "vouch/srv/apply_scene.h"
#include "vouch/srv/get_scene.h"

MESSAGE_TYPE(scene_type, vouch__msg__Scene);
MESSAGE_TYPE(apply_request, vouch__srv__ApplyScene_Request);
MESSAGE_TYPE(apply_response, vouch__srv__ApplyScene_Response);
MESSAGE_TYPE(get_request, vouch__srv__GetScene_Request);
MESSAGE_TYPE(get_response, vouch__srv__GetScene_Response);

/// Nobody gets an answer to a topic: what may be right and only came at the wrong time is missing in
/// the scene, and nothing is free in what is left.
static void on_scene(const void * message, void * context)
{
  vouch_node_t * node = context;
  if (scene_store_apply(node, message) == VOUCH_RET_OK) {
    return;
  }
  NODE_WARN(node, "scene refused, nothing was changed: %s", vouch_error());
  if (node->robot == NULL && !scene_message_is_empty(message)) {
    scene_store_doubt(node, "scene that came before the robot");
  }
  scene_doubt_refused(node, message);
}

/// What its publisher knows of the world never comes here.
static void on_scene_mismatch(void * context)
{
  scene_store_doubt(context, "scene of a publisher whose QoS does not fit ~/scene (reliable)");
}

static void on_apply(const void * request, void * response, void * context)
{
  vouch_node_t * node = context;
  const vouch__srv__ApplyScene_Request * in = request;
  vouch__srv__ApplyScene_Response * out = response;
  out->success = scene_store_apply(node, &in->scene) == VOUCH_RET_OK;
  if (!out->success && !rosidl_runtime_c__String__assign(&out->message, vouch_error())) {
    NODE_ERROR(node, "no memory for a message");
  }
  if (node->scene != NULL) {
    out->revision = vouch_scene_revision(node->scene);
    vouch_scene_hash(node->scene, out->hash);
  }
}

static bool fill_pairs(vouch_node_t * node, vouch__srv__GetScene_Response * out)
{
  vouch_check_options_t options = vouch_check_options_default();
  options.margin_m = parameters_double(&node->parameters, PARAMETER_MARGIN_M);
  vouch_checker_t * checker = NULL;
  if (vouch_checker_create(&checker, node->scene, &options) != VOUCH_RET_OK) {
    NODE_WARN(node, "the pairs cannot be listed: %s", vouch_error());
    return true;
  }
  size_t count = vouch_checker_pair_count(checker);
  bool ok = rosidl_runtime_c__String__Sequence__init(&out->pairs_a, count) &&
    rosidl_runtime_c__String__Sequence__init(&out->pairs_b, count) &&
    rosidl_runtime_c__double__Sequence__init(&out->pair_margins, count);
  for (size_t i = 0; ok && i < count; ++i) {
    const char * a = "";
    const char * b = "";
    vouch_checker_pair(checker, i, &a, &b, &out->pair_margins.data[i]);
    ok = rosidl_runtime_c__String__assign(&out->pairs_a.data[i], a) &&
      rosidl_runtime_c__String__assign(&out->pairs_b.data[i], b);
  }
  vouch_checker_destroy(checker);
  return ok;
}

static void on_get(const void * request, void * response, void * context)
{
  vouch_node_t * node = context;
  const vouch__srv__GetScene_Request * in = request;
  vouch__srv__GetScene_Response * out = response;
  if (node->scene == NULL) {
    return;
  }
  if (!scene_message_fill(node->scene, &out->scene) || !node_stamp(node, &out->scene.header) ||
    !rosidl_runtime_c__String__Sequence__copy(
      &node->rest.not_understood, &out->scene.not_understood) ||
    (in->want_pairs && !fill_pairs(node, out)))
  {
    NODE_ERROR(node, "no memory to read the scene back");
  }
}

bool scene_service_init(vouch_node_t * node)
{
  service_setting_t apply = {
    ROSIDL_GET_SRV_TYPE_SUPPORT(vouch, srv, ApplyScene), &apply_request, &apply_response,
    "~/apply_scene", rmw_qos_profile_services_default, on_apply
  };
  service_setting_t get = {
    ROSIDL_GET_SRV_TYPE_SUPPORT(vouch, srv, GetScene), &get_request, &get_response,
    "~/get_scene", rmw_qos_profile_services_default, on_get
  };
  subscription_setting_t topic = {
    ROSIDL_GET_MSG_TYPE_SUPPORT(vouch, msg, Scene), &scene_type, "~/scene",
    rmw_qos_profile_default, on_scene, on_scene_mismatch
  };
  /* Changes build on each other: none may be lost while the node is busy. */
  topic.qos.history = RMW_QOS_POLICY_HISTORY_KEEP_ALL;
  apply.qos.depth = get.qos.depth = 1000;
  return node_listen(node, &topic) &&
         node_serve_change(node, &apply) &&
         executor_serve(node->executor, &get, node, NULL) == RCL_RET_OK;
}
