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

#include <math.h>

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

/// Header, geometry and scene as bytes; kept for the next motion, where certificates are made.
static vouch_ret_t encode_fixed(const vouch_checker_t * c)
{
  vouch_checker_t * own = (vouch_checker_t *)c;   // as in hash_problem(), which comes first
  if (c->fixed.data == NULL) {
    own->fixed = (vouch_text_t) {.allocator = c->allocator};
    vouch_problem_encode_fixed(&c->build.problem, &own->fixed);
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
  *data = text.failed ? NULL : vouch_realloc(&c->allocator, NULL, c->fixed.size + text.size, 1);
  if (*data != NULL) {
    memcpy(*data, c->fixed.data, c->fixed.size);
    memcpy(*data + c->fixed.size, text.data, text.size);
    *size = c->fixed.size + text.size;
  }
  vouch_text_fini(&text);
  return *data != NULL ? VOUCH_RET_OK :
         vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for the problem");
}

static double smallest_margin(const vouch_scene_part_t * scene)
{
  double least = INFINITY;
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    const vouch_pair_t * pair = &scene->pairs[i];
    if (pair->kind != VOUCH_PAIR_GROUP) {
      least = fmin(least, pair->margin);
      continue;
    }
    for (uint32_t g = 0; g < scene->group_count; g++) {
      if (scene->groups[g].body != VOUCH_NONE && pair->leaf_margins[g] >= 0.0) {
        least = fmin(least, pair->leaf_margins[g]);
      }
    }
  }
  return isfinite(least) ? least : 0.0;
}

static void put_header(const vouch_problem_t * problem, uint32_t kind, vouch_text_t * out)
{
  double margin = smallest_margin(&problem->scene), tolerance = 0.0;
  for (uint32_t i = 0; i < problem->motion.variable_count; i++) {
    tolerance = fmax(tolerance, problem->motion.tolerances[i]);
  }
  vouch_text_append_bytes(out, "VOUCHCRT", 8);
  vouch_bytes_put_u32(out, 1);
  vouch_bytes_put_u32(out, kind);
  vouch_text_append_bytes(out, problem->geometry.hash, 32);
  vouch_text_append_bytes(out, problem->scene.hash, 32);
  vouch_text_append_bytes(out, problem->motion.hash, 32);
  vouch_bytes_put_f64(out, &margin, 1);
  vouch_bytes_put_f64(out, &tolerance, 1);
}

static bool put_free(const vouch_checker_t * c, vouch_text_t * out)
{
  uint32_t pairs = c->build.problem.scene.pair_count;
  for (uint32_t i = 0; i < pairs; i++) {
    if (c->workers[c->pairs[i].worker].proof.ops_failed) {
      return false;
    }
  }
  for (uint32_t i = 0; i < pairs; i++) {
    const check_pair_t * pair = &c->pairs[i];
    vouch_text_append_bytes(
      out, c->workers[pair->worker].proof.ops + pair->ops_begin, pair->ops_end - pair->ops_begin);
  }
  return true;
}

static vouch_ret_t put_collision(const vouch_checker_t * c, vouch_text_t * out)
{
  const kernel_proof_t * p = &c->workers[0].proof;
  search_time_t none = {0, 0, 0};
  check_put_time(out, c->claims_free_until ? c->free_until : none);
  check_put_time(out, c->contact.time);
  vouch_bytes_put_u32(out, c->claims_free_until ? 1 : 0);
  vouch_ret_t ret = check_put_witness(c, &c->contact, out);
  if (c->claims_free_until && p->ops_size > 0) {
    vouch_text_append_bytes(out, p->ops, p->ops_size);
  }
  return ret;
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
  const vouch_problem_t * problem = &c->build.problem;
  vouch_ret_t ret = check_robot(c);
  ret = ret != VOUCH_RET_OK ? ret : hash_problem(c);
  if (ret == VOUCH_RET_OK) {
    put_header(problem, c->verdict == VOUCH_FREE ? 1 : 2, &text);
    if (c->verdict == VOUCH_COLLISION) {
      ret = put_collision(c, &text);
    } else if (!put_free(c, &text)) {
      ret = vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for the certificate");
    }
  }
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
