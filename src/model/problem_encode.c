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
  vouch_bytes_put_string(out, frame->name);
  vouch_bytes_put_u32(out, frame->parent);
  put_pose(out, &frame->pose);
  vouch_bytes_put_u8(out, frame->joint);
  vouch_bytes_put_f64(out, frame->axis, 3);
  vouch_bytes_put_u32(out, frame->variable);
  vouch_bytes_put_f64(out, &frame->multiplier, 1);
  vouch_bytes_put_f64(out, &frame->offset, 1);
}

static void put_body(vouch_text_t * out, const vouch_body_t * body)
{
  vouch_bytes_put_string(out, body->name);
  vouch_bytes_put_string(out, body->id);
  vouch_bytes_put_u8(out, body->kind);
  vouch_bytes_put_u32(out, body->frame);
  vouch_bytes_put_u32(out, body->geometry);
  put_pose(out, &body->placement);
  vouch_bytes_put_f64(out, body->normal, 3);
  vouch_bytes_put_f64(out, &body->offset, 1);
}

void vouch_scene_part_encode(const vouch_scene_part_t * part, vouch_text_t * out)
{
  vouch_bytes_put_string(out, part->robot);
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
    vouch_bytes_put_u32(out, part->groups[i].left);
    vouch_bytes_put_u32(out, part->groups[i].right);
    vouch_bytes_put_u32(out, part->groups[i].body);
  }
  vouch_bytes_put_u32(out, part->pair_count);
  for (uint32_t i = 0; i < part->pair_count; ++i) {
    const vouch_pair_t * pair = &part->pairs[i];
    vouch_bytes_put_u8(out, pair->kind);
    vouch_bytes_put_u32(out, pair->a);
    vouch_bytes_put_u32(out, pair->b);
    vouch_bytes_put_f64(out, &pair->margin, 1);
    if (pair->kind == VOUCH_PAIR_GROUP) {
      vouch_bytes_put_f64(out, pair->leaf_margins, part->group_count);
    }
  }
}

void vouch_motion_part_encode(const vouch_motion_part_t * part, vouch_text_t * out)
{
  vouch_bytes_put_u32(out, VOUCH_MOTION_BERNSTEIN);
  vouch_bytes_put_string(out, part->model);
  vouch_bytes_put_u32(out, part->variable_count);
  for (uint32_t i = 0; i < part->variable_count; ++i) {
    vouch_bytes_put_string(out, part->names[i]);
    vouch_bytes_put_f64(out, &part->tolerances[i], 1);
  }
  vouch_bytes_put_u32(out, part->segment_count);
  vouch_bytes_put_f64(out, part->knots, (size_t)part->segment_count + 1);
  vouch_bytes_put_f64(out, part->seconds, (size_t)part->segment_count + 1);
  for (uint32_t i = 0; i < part->segment_count; ++i) {
    size_t count = (size_t)part->variable_count * ((size_t)part->degrees[i] + 1);
    vouch_bytes_put_u32(out, part->degrees[i]);
    vouch_bytes_put_f64(out, part->coefficients + part->offsets[i], count);
  }
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
