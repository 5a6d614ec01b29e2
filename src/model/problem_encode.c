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
  vouch_bytes_put_u32(out, frame->parent);
  vouch_bytes_put_u32(out, frame->joint);
  vouch_bytes_put_u32(out, frame->variable);
  vouch_bytes_put_u32(out, 0);
}

static void put_body(vouch_text_t * out, const vouch_body_t * body)
{
  put_pose(out, &body->placement);
  vouch_bytes_put_u32(out, body->kind);
  vouch_bytes_put_u32(out, body->frame);
  vouch_bytes_put_u32(out, body->geometry);
  vouch_bytes_put_u32(out, 0);
}

/// With its NUL; NULL counts as empty.
static void put_name(vouch_text_t * out, const char * name)
{
  vouch_text_append_bytes(out, name == NULL ? "" : name, name == NULL ? 1 : strlen(name) + 1);
}

/// Puts a place for a length, see finish_length().
static size_t begin_length(vouch_text_t * out)
{
  vouch_bytes_put_u32(out, 0);
  return out->size;
}

static void finish_length(vouch_text_t * out, size_t start)
{
  uint64_t length = out->size - start;
  for (size_t i = 0; i < 4 && !out->failed; ++i) {
    out->data[start - 4 + i] = (char)(uint8_t)(length >> (8 * i));
  }
}

static void put_pairs(vouch_text_t * out, const vouch_scene_part_t * part)
{
  uint32_t margins = 0;
  vouch_bytes_put_u32(out, part->pair_count);
  for (uint32_t i = 0; i < part->pair_count; ++i) {
    const vouch_pair_t * pair = &part->pairs[i];
    bool group = pair->kind == VOUCH_PAIR_GROUP;
    vouch_bytes_put_u32(out, pair->a);
    vouch_bytes_put_u32(out, group ? VOUCH_NONE : pair->b);
    margins += group ? part->group_count : 1;
  }
  vouch_bytes_put_u32(out, margins);
  for (uint32_t i = 0; i < part->pair_count; ++i) {
    const vouch_pair_t * pair = &part->pairs[i];
    bool group = pair->kind == VOUCH_PAIR_GROUP;
    vouch_bytes_put_f64(
      out, group ? pair->leaf_margins : &pair->margin, group ? part->group_count : 1);
  }
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
  vouch_bytes_put_u32(out, part->group_count);
  for (uint32_t i = 0; i < part->group_count; ++i) {
    vouch_bytes_put_u32(out, part->groups[i].body);
  }
  put_pairs(out, part);
  size_t names = begin_length(out);
  put_name(out, part->robot);
  for (uint32_t i = 0; i < part->frame_count; ++i) {
    put_name(out, part->frames[i].name);
  }
  for (uint32_t i = 0; i < part->body_count; ++i) {
    put_name(out, part->bodies[i].name);
    put_name(out, part->bodies[i].id);
  }
  finish_length(out, names);
}

void vouch_motion_part_encode(const vouch_motion_part_t * part, vouch_text_t * out)
{
  size_t knots = (size_t)part->segment_count + 1, count = 0;
  vouch_bytes_put_u32(out, VOUCH_MOTION_BERNSTEIN);
  vouch_bytes_put_u32(out, part->variable_count);
  vouch_bytes_put_f64(out, part->tolerances, part->variable_count);
  vouch_bytes_put_u32(out, (uint32_t)knots);
  vouch_bytes_put_f64(out, part->knots, knots);
  vouch_bytes_put_u32(out, (uint32_t)knots);
  vouch_bytes_put_f64(out, part->seconds, knots);
  vouch_bytes_put_u32(out, part->segment_count);
  for (uint32_t i = 0; i < part->segment_count; ++i) {
    vouch_bytes_put_u32(out, part->degrees[i]);
    count += (size_t)part->variable_count * ((size_t)part->degrees[i] + 1);
  }
  vouch_bytes_put_u32(out, (uint32_t)count);
  for (uint32_t i = 0; i < part->segment_count; ++i) {
    vouch_bytes_put_f64(
      out, part->coefficients + part->offsets[i],
      (size_t)part->variable_count * ((size_t)part->degrees[i] + 1));
  }
  size_t names = begin_length(out);
  put_name(out, part->model);
  for (uint32_t i = 0; i < part->variable_count; ++i) {
    put_name(out, part->names[i]);
  }
  finish_length(out, names);
}

/// Writes the length of a part, which is known only after its body, into the place left for it.
static void finish_part(vouch_text_t * out, size_t start)
{
  if (out->failed) {
    return;
  }
  uint64_t length = out->size - start;
  for (size_t i = 0; i < 8; ++i) {
    out->data[start - 8 + i] = (char)(uint8_t)(length >> (8 * i));
  }
}

static size_t begin_part(vouch_text_t * out, uint32_t tag)
{
  vouch_bytes_put_u32(out, tag);
  vouch_bytes_put_u64(out, 0);
  return out->size;
}

void vouch_problem_encode_fixed(const vouch_problem_t * problem, vouch_text_t * out)
{
  vouch_text_append_bytes(out, VOUCH_PROBLEM_MAGIC, VOUCH_PROBLEM_MAGIC_SIZE);
  vouch_bytes_put_u32(out, VOUCH_PROBLEM_VERSION);
  size_t start = begin_part(out, VOUCH_PART_GEOMETRY);
  vouch_geometry_part_encode(&problem->geometry, out);
  finish_part(out, start);
  start = begin_part(out, VOUCH_PART_SCENE);
  vouch_scene_part_encode(&problem->scene, out);
  finish_part(out, start);
}

void vouch_problem_encode_motion(const vouch_problem_t * problem, vouch_text_t * out)
{
  size_t start = begin_part(out, VOUCH_PART_MOTION);
  vouch_motion_part_encode(&problem->motion, out);
  finish_part(out, start);
}

vouch_ret_t vouch_problem_encode(const vouch_problem_t * problem, vouch_text_t * out)
{
  vouch_problem_encode_fixed(problem, out);
  vouch_problem_encode_motion(problem, out);
  return out->failed ?
         vouch_fail(VOUCH_RET_NO_MEMORY, "out of memory while writing the problem") : VOUCH_RET_OK;
}
