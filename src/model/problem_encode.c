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


#include "base/bytes.h"
#include "base/error.h"
#include "model/problem.h"
#include "model/problem_format.h"

static void put_pose(vouch_text_t * out, const vouch_pose_t * pose)
{
  vouch_bytes_put_f64(out, pose->rotation, 4);
  vouch_bytes_put_f64(out, pose->translation, 3);
}

void vouch_geometry_part_encode(const vouch_geometry_part_t * part, vouch_text_t * out)
{
  vouch_bytes_put_u32(out, part->geometry_count);
  for (uint32_t i = 0; i < part->geometry_count; ++i) {
    vouch_geometry_encode(part->geometries[i], out);
  }
}

static void put_frame(vouch_text_t * out, const vouch_frame_t * frame)
{
  put_pose(out, &frame->pose);
  vouch_bytes_put_f64(out, frame->axis, 3);
  vouch_bytes_put_f64(out, &frame->multiplier, 1);
  vouch_bytes_put_f64(out, &frame->offset, 1);
  const uint32_t rest[4] = {frame->parent, frame->joint, frame->variable, 0};
  vouch_bytes_put_u32s(out, rest, 4);
}

static void put_body(vouch_text_t * out, const vouch_body_t * body)
{
  put_pose(out, &body->placement);
  vouch_bytes_put_f64(out, &body->growth, 1);
  const uint32_t rest[4] = {body->frame, body->kind, body->geometry, 0};
  vouch_bytes_put_u32s(out, rest, 4);
}

/// With its NUL; NULL counts as empty.
static void put_name(vouch_text_t * out, const char * name)
{
  vouch_text_append_bytes(out, name == NULL ? "" : name, name == NULL ? 1 : strlen(name) + 1);
}

/// Puts a place for a length of `width` bytes, see finish_length().
static size_t begin_length(vouch_text_t * out, size_t width)
{
  const char zero[8] = {0};
  vouch_text_append_bytes(out, zero, width);
  return out->size;
}

static void finish_length(vouch_text_t * out, size_t start, size_t width)
{
  uint64_t length = out->size - start;
  for (size_t i = 0; i < width && !out->failed; ++i) {
    out->data[start - width + i] = (char)(uint8_t)(length >> (8 * i));
  }
}

static void put_groups(vouch_text_t * out, const vouch_scene_part_t * part)
{
  vouch_bytes_put_u32(out, part->group_count);
  for (uint32_t i = 0; i < part->group_count; ++i) {
    const uint32_t group[2] = {part->groups[i].right, part->groups[i].body};
    vouch_bytes_put_u32s(out, group, 2);
  }
}

static void put_pairs(vouch_text_t * out, const vouch_scene_part_t * part)
{
  uint32_t skips = 0;
  vouch_bytes_put_u32(out, part->pair_count);
  for (uint32_t i = 0; i < part->pair_count; ++i) {
    const vouch_pair_t * pair = &part->pairs[i];
    const uint32_t rest[4] = {pair->a, pair->b, pair->skip_count, 0};
    vouch_bytes_put_f64(out, &pair->margin, 1);
    vouch_bytes_put_u32s(out, rest, 4);
    skips += pair->skip_count;
  }
  vouch_bytes_put_u32(out, skips);
  for (uint32_t i = 0; i < part->pair_count; ++i) {
    const vouch_pair_t * pair = &part->pairs[i];
    for (uint32_t k = 0; k < pair->skip_count; ++k) {
      const uint32_t skip[2] = {pair->skips[k].body, pair->skips[k].reason};
      vouch_bytes_put_u32s(out, skip, 2);
    }
  }
}

static void put_left_out(vouch_text_t * out, const vouch_scene_part_t * part)
{
  vouch_bytes_put_u32(out, part->left_out_count);
  for (uint32_t i = 0; i < part->left_out_count; ++i) {
    const vouch_left_out_t * pair = &part->left_out[i];
    const uint32_t record[3] = {pair->a, pair->b, pair->reason};
    vouch_bytes_put_u32s(out, record, 3);
  }
}

static void put_scene_names(vouch_text_t * out, const vouch_scene_part_t * part)
{
  size_t names = begin_length(out, sizeof(uint32_t));
  put_name(out, part->robot);
  for (uint32_t i = 0; i < part->frame_count; ++i) {
    put_name(out, part->frames[i].name);
    put_name(out, part->frames[i].owner);
  }
  for (uint32_t i = 0; i < part->body_count; ++i) {
    put_name(out, part->bodies[i].name);
    put_name(out, part->bodies[i].id);
  }
  finish_length(out, names, sizeof(uint32_t));
}

void vouch_scene_part_encode(const vouch_scene_part_t * part, vouch_text_t * out)
{
  vouch_bytes_put_u64(out, part->revision);
  vouch_bytes_put_u32(out, part->frame_count);
  for (uint32_t i = 0; i < part->frame_count; ++i) {
    put_frame(out, &part->frames[i]);
  }
  vouch_bytes_put_u32(out, part->body_count);
  for (uint32_t i = 0; i < part->body_count; ++i) {
    put_body(out, &part->bodies[i]);
  }
  put_groups(out, part);
  put_pairs(out, part);
  put_left_out(out, part);
  put_scene_names(out, part);
}

void vouch_sources_part_encode(const vouch_sources_part_t * part, vouch_text_t * out)
{
  vouch_bytes_put_u32(out, part->source_count);
  for (uint32_t i = 0; i < part->source_count; ++i) {
    vouch_text_append_bytes(out, part->sources[i].hash, sizeof(part->sources[i].hash));
  }
  size_t names = begin_length(out, sizeof(uint32_t));
  put_name(out, part->writer);
  for (uint32_t i = 0; i < part->source_count; ++i) {
    put_name(out, part->sources[i].role);
    put_name(out, part->sources[i].name);
  }
  finish_length(out, names, sizeof(uint32_t));
}

void vouch_motion_part_encode(const vouch_motion_part_t * part, vouch_text_t * out)
{
  size_t count = 0;
  vouch_bytes_put_u32(out, VOUCH_MOTION_BERNSTEIN);
  vouch_bytes_put_f64(out, part->seconds, 1);
  vouch_bytes_put_u32(out, part->variable_count);
  for (uint32_t i = 0; i < part->variable_count; ++i) {
    const double variable[2] = {part->tolerances[i], 0.0};
    vouch_bytes_put_f64(out, variable, 2);
  }
  vouch_bytes_put_u32(out, part->segment_count);
  for (uint32_t i = 0; i < part->segment_count; ++i) {
    vouch_bytes_put_f64(out, part->knots + i, 2);
    vouch_bytes_put_f64(out, part->seconds + i + 1, 1);
    vouch_bytes_put_u32(out, part->degrees[i]);
    vouch_bytes_put_u32(out, 0);
    count += (size_t)part->variable_count * ((size_t)part->degrees[i] + 1);
  }
  vouch_bytes_put_u32(out, (uint32_t)count);
  for (uint32_t i = 0; i < part->segment_count; ++i) {
    vouch_bytes_put_f64(
      out, part->coefficients + part->offsets[i],
      (size_t)part->variable_count * ((size_t)part->degrees[i] + 1));
  }
  size_t names = begin_length(out, sizeof(uint32_t));
  put_name(out, part->model);
  for (uint32_t i = 0; i < part->variable_count; ++i) {
    put_name(out, part->names[i]);
  }
  finish_length(out, names, sizeof(uint32_t));
}

/* ---- the file ---- */

static size_t begin_part(vouch_text_t * out, uint32_t tag)
{
  vouch_bytes_put_u32(out, tag);
  return begin_length(out, sizeof(uint64_t));
}

static void put_geometry(const vouch_problem_t * problem, vouch_text_t * out)
{
  vouch_text_append_bytes(out, VOUCH_PROBLEM_MAGIC, VOUCH_PROBLEM_MAGIC_SIZE);
  vouch_bytes_put_u32(out, VOUCH_PROBLEM_VERSION);
  size_t start = begin_part(out, VOUCH_PART_GEOMETRY);
  vouch_geometry_part_encode(&problem->geometry, out);
  finish_length(out, start, sizeof(uint64_t));
}

/// Scene and sources.
static void put_rest(const vouch_problem_t * problem, vouch_text_t * out)
{
  size_t start = begin_part(out, VOUCH_PART_SCENE);
  vouch_scene_part_encode(&problem->scene, out);
  finish_length(out, start, sizeof(uint64_t));
  start = begin_part(out, VOUCH_PART_SOURCES);
  vouch_sources_part_encode(&problem->sources, out);
  finish_length(out, start, sizeof(uint64_t));
}

void vouch_problem_encode_motion(const vouch_problem_t * problem, vouch_text_t * out)
{
  size_t start = begin_part(out, VOUCH_PART_MOTION);
  vouch_motion_part_encode(&problem->motion, out);
  finish_length(out, start, sizeof(uint64_t));
}

size_t vouch_problem_encode_fixed(const vouch_problem_t * problem, vouch_text_t * out)
{
  put_geometry(problem, out);
  size_t between = out->size;
  put_rest(problem, out);
  return between;
}

vouch_ret_t vouch_problem_size_check(bool failed, size_t size)
{
  if (failed) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "no memory for the problem");
  }
  return size < VOUCH_MAX_PROBLEM ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_UNSUPPORTED, "the problem takes %zu bytes: a file has less than 4 GiB", size);
}

vouch_ret_t vouch_problem_encode(const vouch_problem_t * problem, vouch_text_t * out)
{
  put_geometry(problem, out);
  vouch_problem_encode_motion(problem, out);
  put_rest(problem, out);
  return vouch_problem_size_check(out->failed, out->size);
}
