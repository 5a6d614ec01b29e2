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

void vouch_planes_encode(vouch_text_t * out)
{
  const double origin[6] = {0.0};   // vertices 0 and 1
  const uint32_t node[4] = {0, 1, 0, 0};
  vouch_bytes_put_u32(out, 2);
  vouch_bytes_put_f64(out, origin, 6);
  vouch_bytes_put_u32(out, 0);
  vouch_bytes_put_u32(out, 1);
  vouch_bytes_put_u32s(out, node, 4);
  vouch_bytes_put_u32(out, 1);
}

void vouch_geometry_part_encode(const vouch_problem_t * problem, vouch_text_t * out)
{
  const vouch_geometry_part_t * part = &problem->geometry;
  bool planes = vouch_scene_has_planes(&problem->scene);
  vouch_bytes_put_u32(out, part->geometry_count + (planes ? 1 : 0));
  for (uint32_t i = 0; i < part->geometry_count; ++i) {
    vouch_geometry_encode(part->geometries[i], out);
  }
  if (planes) {
    vouch_planes_encode(out);
  }
}

static void put_frame(vouch_text_t * out, const vouch_frame_t * frame)
{
  put_pose(out, &frame->pose);
  vouch_bytes_put_f64(out, frame->axis, 3);
  vouch_bytes_put_f64(out, &frame->multiplier, 1);
  vouch_bytes_put_f64(out, &frame->offset, 1);
  const uint32_t rest[6] = {frame->parent, frame->joint, frame->variable, 0, VOUCH_NONE, 0};
  vouch_bytes_put_u32s(out, rest, 6);
}

/// A fixed frame.
static void put_body(vouch_text_t * out, const vouch_body_t * body, uint32_t planes)
{
  const double none[5] = {0.0};   // axis, multiplier, offset
  put_pose(out, &body->placement);
  vouch_bytes_put_f64(out, none, 5);
  uint32_t geometry = body->kind == VOUCH_BODY_GEOMETRY ? body->geometry : planes;
  const uint32_t rest[6] = {body->frame, VOUCH_JOINT_FIXED, 0, body->kind, geometry, 0};
  vouch_bytes_put_u32s(out, rest, 6);
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

/// Bodies are the frames behind all others.
static void put_pairs(vouch_text_t * out, const vouch_scene_part_t * part)
{
  uint32_t count;
  vouch_filed_pair_t * pairs = vouch_scene_filed_pairs(part, &out->allocator, &count);
  out->failed = out->failed || pairs == NULL;
  vouch_bytes_put_u32(out, count);
  for (uint32_t i = 0; i < count; ++i) {
    vouch_bytes_put_f64(out, &pairs[i].margin, 1);
    vouch_bytes_put_u32(out, part->frame_count + part->pairs[pairs[i].pair].a);
    vouch_bytes_put_u32(out, part->frame_count + pairs[i].b);
  }
  vouch_free(&out->allocator, pairs);
}

void vouch_scene_part_encode(const vouch_problem_t * problem, vouch_text_t * out)
{
  const vouch_scene_part_t * part = &problem->scene;
  vouch_bytes_put_u64(out, part->revision);
  vouch_bytes_put_u32(out, part->frame_count + part->body_count);
  for (uint32_t i = 0; i < part->frame_count; ++i) {
    put_frame(out, &part->frames[i]);
  }
  for (uint32_t i = 0; i < part->body_count; ++i) {
    put_body(out, &part->bodies[i], problem->geometry.geometry_count);
  }
  put_pairs(out, part);
  size_t names = begin_length(out, sizeof(uint32_t));
  put_name(out, part->robot);
  for (uint32_t i = 0; i < part->frame_count; ++i) {
    put_name(out, part->frames[i].name);
  }
  for (uint32_t i = 0; i < part->body_count; ++i) {
    put_name(out, part->bodies[i].name);
  }
  for (uint32_t i = 0; i < part->body_count; ++i) {
    put_name(out, part->bodies[i].id);
  }
  finish_length(out, names, sizeof(uint32_t));
}

void vouch_motion_part_encode(const vouch_motion_part_t * part, vouch_text_t * out)
{
  size_t count = 0;
  vouch_bytes_put_u32(out, VOUCH_MOTION_BERNSTEIN);
  vouch_bytes_put_f64(out, part->seconds, 1);
  vouch_bytes_put_u32(out, part->variable_count);
  vouch_bytes_put_f64(out, part->tolerances, part->variable_count);
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
  vouch_geometry_part_encode(problem, out);
  finish_length(out, start, sizeof(uint64_t));
}

static void put_scene(const vouch_problem_t * problem, vouch_text_t * out)
{
  size_t start = begin_part(out, VOUCH_PART_SCENE);
  vouch_scene_part_encode(problem, out);
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
  put_scene(problem, out);
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
  put_scene(problem, out);
  return vouch_problem_size_check(out->failed, out->size);
}
