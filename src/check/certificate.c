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

/* The bytes that leave the house: problem, certificate of FREE, witness of COLLISION.
 * Layout: docs/certificate_format.md. */

#include "base/bytes.h"
#include "base/error.h"
#include "base/sha256.h"
#include "check/checker.h"
#include "check/witness.h"

static vouch_ret_t hand_over(vouch_text_t * text, uint8_t ** data, size_t * size)
{
  if (text->failed) {
    vouch_text_fini(text);
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for the file");
  }
  *data = (uint8_t *)text->data;
  *size = text->size;
  return VOUCH_RET_OK;
}

/// Geometry and scene never change within a checker: hashed once; the motion once a check.
static vouch_ret_t hash_problem(const vouch_checker_t * c)
{
  vouch_checker_t * own = (vouch_checker_t *)c;   // hashes are filled in on demand
  vouch_problem_t * problem = &own->build.problem;
  if (!c->hashed) {
    vouch_text_fini(&own->fixed);
    vouch_ret_t ret = vouch_problem_hash(problem);
    own->hashed = problem->motion.hashed = ret == VOUCH_RET_OK;
    return ret;
  }
  if (problem->motion.hashed) {
    return VOUCH_RET_OK;
  }
  vouch_text_t text = {.allocator = c->allocator};
  vouch_motion_part_encode(&problem->motion, &text);
  bool failed = text.failed;
  if (!failed) {
    vouch_sha256(text.data, text.size, problem->motion.hash);
    problem->motion.hashed = true;
  }
  vouch_text_fini(&text);
  return failed ? vouch_fail(VOUCH_RET_NO_MEMORY, "no memory to hash the motion") : VOUCH_RET_OK;
}

/// Header, geometry and scene as bytes, the motion's place between them; kept for the next motion,
/// where certificates are made.
static vouch_ret_t encode_fixed(const vouch_checker_t * c)
{
  vouch_checker_t * own = (vouch_checker_t *)c;   // as in hash_problem(), which comes first
  if (c->fixed.data == NULL) {
    own->fixed = (vouch_text_t) {.allocator = c->allocator};
    own->fixed_between = vouch_problem_encode_fixed(&c->build.problem, &own->fixed);
  }
  if (c->fixed.failed) {
    vouch_text_fini(&own->fixed);
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for the problem");
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_checker_problem(const vouch_checker_t * c, uint8_t ** data, size_t * size)
{
  VOUCH_REQUIRE("checker, data, size", c, data, size);
  *data = NULL;
  *size = 0;
  if (!c->checked) {
    return vouch_fail(VOUCH_RET_INVALID, "no check has run, so there is no problem file");
  }
  vouch_text_t text = {.allocator = c->allocator};
  vouch_ret_t ret = check_robot(c);
  if (ret == VOUCH_RET_OK && !c->options.certificate) {
    ret = vouch_problem_encode(&c->build.problem, &text);
    return ret == VOUCH_RET_OK || text.failed ? hand_over(&text, data, size) : ret;
  }
  ret = ret != VOUCH_RET_OK ? ret : hash_problem(c);
  ret = ret != VOUCH_RET_OK ? ret : encode_fixed(c);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vouch_problem_encode_motion(&c->build.problem, &text);
  size_t first = c->fixed_between, all = c->fixed.size + text.size;
  ret = vouch_problem_size_check(text.failed, all);
  *data = ret != VOUCH_RET_OK ? NULL : vouch_realloc(&c->allocator, NULL, all, 1);
  if (*data != NULL) {
    memcpy(*data, c->fixed.data, first);
    memcpy(*data + first, text.data, text.size);
    memcpy(*data + first + text.size, c->fixed.data + first, c->fixed.size - first);
    *size = all;
  }
  vouch_text_fini(&text);
  return *data != NULL || ret != VOUCH_RET_OK ? ret :
         vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for the problem");
}

static void put_header(
  const vouch_problem_t * problem, uint32_t kind, uint64_t t_lo, vouch_text_t * out)
{
  vouch_text_append_bytes(out, "VOUCHCRT", 8);
  vouch_bytes_put_u32(out, CHECK_CERTIFICATE_VERSION);
  vouch_bytes_put_u32(out, kind);
  vouch_text_append_bytes(out, problem->geometry.hash, 32);
  vouch_text_append_bytes(out, problem->motion.hash, 32);
  vouch_text_append_bytes(out, problem->scene.hash, 32);
  vouch_text_append_bytes(out, problem->sources.hash, 32);
  vouch_bytes_put_u64(out, t_lo);
}

/// The proofs of all pairs, from where their workers wrote them. `nothing`: nothing is claimed of
/// any pair.
static vouch_ret_t put_proofs(const vouch_checker_t * c, bool nothing, vouch_text_t * out)
{
  static const uint8_t NOTHING = PROOF_NOTHING;
  const vouch_scene_part_t * scene = &c->build.problem.scene;
  proof_stretch_t * all = vouch_calloc(&c->allocator, scene->pair_count, sizeof(*all));
  bool good = all != NULL;
  for (uint32_t i = 0; good && i < scene->pair_count; i++) {
    const kernel_view_t * proof = kernel_view(c->workers[c->pairs[i].worker].proof);
    if (!check_has_goal(scene, i)) {
      continue;
    }
    good = nothing || !proof->ops_failed;
    all[i] = nothing ? (proof_stretch_t) {&NOTHING, 1} : check_stretch(c, i);
    good = good && all[i].size > 0;
  }
  vouch_ret_t ret = good ? proof_encode(all, scene->pair_count, out) :
    vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for the certificate");
  vouch_free(&c->allocator, all);
  return ret;
}

static vouch_ret_t put_certificate(const vouch_checker_t * c, vouch_text_t * out)
{
  const vouch_problem_t * problem = &c->build.problem;
  if (c->verdict == VOUCH_FREE) {
    put_header(problem, 1, (uint64_t)problem->motion.segment_count << PROOF_TICK_BITS, out);
    return put_proofs(c, false, out);
  }
  put_header(problem, 2, c->claims_free_until ? check_ticks(c->free_until) : 0, out);
  vouch_ret_t ret = check_put_witness(c, &c->contact, out);
  return ret ? ret : put_proofs(c, !c->claims_free_until, out);
}

vouch_ret_t vouch_checker_certificate(const vouch_checker_t * c, uint8_t ** data, size_t * size)
{
  VOUCH_REQUIRE("checker, data, size", c, data, size);
  *data = NULL;
  *size = 0;
  if (!c->checked || !c->options.certificate) {
    return vouch_fail(
      VOUCH_RET_INVALID, "no check has run with the option `certificate`, so there is none");
  }
  if (c->verdict != VOUCH_FREE && c->verdict != VOUCH_COLLISION) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the verdict was %s: there is nothing to certify",
      vouch_verdict_name(c->verdict));
  }
  vouch_text_t text = {.allocator = c->allocator};
  vouch_ret_t ret = check_robot(c);
  ret = ret != VOUCH_RET_OK ? ret : hash_problem(c);
  ret = ret != VOUCH_RET_OK ? ret : put_certificate(c, &text);
  if (ret != VOUCH_RET_OK) {
    vouch_text_fini(&text);
    return ret;
  }
  return hand_over(&text, data, size);
}

void vouch_bytes_free(const vouch_checker_t * c, uint8_t * data)
{
  vouch_free(&c->allocator, data);
}

void vouch_checker_problem_hash(const vouch_checker_t * c, uint8_t digest[32])
{
  memset(digest, 0, 32);
  if (c->checked && check_robot(c) == VOUCH_RET_OK && hash_problem(c) == VOUCH_RET_OK) {
    vouch_problem_digest(&c->build.problem, digest);
  }
}
