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

/* ~/get_type_description: what the types that this node speaks consist of, for tools that lack them
 * (Iron and newer). */

#include "node/node.h"

#ifdef VOUCH_HAVE_TYPE_DESCRIPTION_INTERFACES

#include "type_description_interfaces/srv/get_type_description.h"

MESSAGE_TYPE(describe_request, type_description_interfaces__srv__GetTypeDescription_Request);
MESSAGE_TYPE(describe_response, type_description_interfaces__srv__GetTypeDescription_Response);

static void on_describe(const void * request, void * response, void * context)
{
  vouch_node_t * node = context;
  const rmw_request_id_t nobody = {0};   // rcl does not look at it
  rcl_node_type_description_service_handle_request(&node->node, &nobody, request, response);
}

bool type_description_init(vouch_node_t * node)
{
  service_setting_t setting = {
    ROSIDL_GET_SRV_TYPE_SUPPORT(type_description_interfaces, srv, GetTypeDescription),
    &describe_request, &describe_response, "~/get_type_description",
    rmw_qos_profile_services_default, on_describe
  };
  return executor_serve(node->executor, &setting, node, NULL) == RCL_RET_OK;
}

#else

bool type_description_init(vouch_node_t * node)
{
  (void)node;
  return true;
}

#endif
