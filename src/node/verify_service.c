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

/* ~/verify_certificate: the independent verifier behind a service. */

#include <stdlib.h>

#include "node/node.h"
#include "verify/verify.h"
#include "vouch/srv/verify_certificate.h"

MESSAGE_TYPE(verify_request, vouch__srv__VerifyCertificate_Request);
MESSAGE_TYPE(verify_response, vouch__srv__VerifyCertificate_Response);

static void on_verify(const void * request, void * response, void * context)
{
  vouch_node_t * node = context;
  const vouch__srv__VerifyCertificate_Request * in = request;
  vouch__srv__VerifyCertificate_Response * out = response;
  struct vouch_verify_report report;
  struct vouch_verifier * verifier =
    vouch_verify_load(in->problem.data, in->problem.size, &report);
  out->code = verifier == NULL ? report.code :
    vouch_verify_check(verifier, in->certificate.data, in->certificate.size, &report);
  free(verifier);
  out->verified = out->code == VOUCH_VERIFY_OK;
  out->verdict = out->verified ? (uint8_t)report.kind : VOUCH_UNDECIDED;
  if (!rosidl_runtime_c__String__assign(
      &out->message, out->verified ? "VERIFIED" : report.text))
  {
    NODE_ERROR(node, "no memory for a message");
  }
}

bool verify_service_init(vouch_node_t * node)
{
  service_setting_t setting = {
    ROSIDL_GET_SRV_TYPE_SUPPORT(vouch, srv, VerifyCertificate), &verify_request, &verify_response,
    "~/verify_certificate", rmw_qos_profile_services_default, on_verify
  };
  setting.qos.depth = 1000;
  return executor_serve(node->executor, &setting, node, NULL) == RCL_RET_OK;
}
