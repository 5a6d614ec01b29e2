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
#include "base/sha256.h"
#include "model/problem.h"
#include "model/problem_format.h"

/* Every decode_* returns true when it got all its memory; what was missing or wrong in the bytes
 * is remembered by the reader (in->failed) and looked at by the caller. */

/// Strings must not hold NUL: it would be cut there, and encoded differently.
static char * get_string(vouch_bytes_t * in, vouch_arena_t * arena)
{
  uint32_t size = vouch_bytes_get_count(in, 1);
  const uint8_t * bytes = vouch_bytes_take(in, size);
  if (bytes == NULL || memchr(bytes, 0, size) != NULL) {
    in->failed = true;
    return NULL;
  }
  char * text = vouch_arena_calloc(arena, (size_t)size + 1, 1);
  if (text != NULL && size > 0) {
    memcpy(text, bytes, size);
  }
  return text;
}

static void get_pose(vouch_bytes_t * in, vouch_pose_t * pose)
{
  vouch_bytes_get_f64(in, pose->rotation, 4);
  vouch_bytes_get_f64(in, pose->translation, 3);
}

static vouch_ret_t decode_geometries(vouch_geometry_part_t * part, vouch_bytes_t * in)
{
  uint32_t count = vouch_bytes_get_count(in, VOUCH_GEOMETRY_LEAST);
  if (in->failed) {
    return vouch_fail(VOUCH_RET_INVALID, "the geometry part is too short");
  }
  part->owns_geometries = true;
  part->geometries = vouch_arena_calloc(&part->arena, count, sizeof(part->geometries[0]));
  vouch_geometry_t * geometries = vouch_arena_calloc(&part->arena, count, sizeof(*geometries));
  if (part->geometries == NULL || geometries == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (uint32_t i = 0; i < count; ++i) {
    size_t used;
    vouch_ret_t code = vouch_geometry_decode(
      &geometries[i], &part->arena, in->data + in->position, in->size - in->position, &used);
    if (code != VOUCH_RET_OK) {
      return vouch_fail_prefix(code, "geometry %u", i);
    }
    part->geometries[i] = &geometries[i];
    part->geometry_count = i + 1;
    in->position += used;
  }
  return VOUCH_RET_OK;
}

static bool decode_frames(vouch_scene_part_t * part, vouch_bytes_t * in)
{
  uint32_t count = vouch_bytes_get_count(in, VOUCH_FRAME_LEAST);
  part->frames = vouch_arena_calloc(&part->arena, count, sizeof(part->frames[0]));
  if (part->frames == NULL) {
    return false;
  }
  part->frame_count = count;
  for (uint32_t i = 0; i < count && !in->failed; ++i) {
    vouch_frame_t * frame = &part->frames[i];
    frame->name = get_string(in, &part->arena);
    if (frame->name == NULL) {
      return in->failed;
    }
    frame->parent = vouch_bytes_get_u32(in);
    get_pose(in, &frame->pose);
    frame->joint = vouch_bytes_get_u8(in);
    vouch_bytes_get_f64(in, frame->axis, 3);
    frame->variable = vouch_bytes_get_u32(in);
    vouch_bytes_get_f64(in, &frame->multiplier, 1);
    vouch_bytes_get_f64(in, &frame->offset, 1);
  }
  return true;
}

static bool decode_bodies(vouch_scene_part_t * part, vouch_bytes_t * in)
{
  uint32_t count = vouch_bytes_get_count(in, VOUCH_BODY_LEAST);
  part->bodies = vouch_arena_calloc(&part->arena, count, sizeof(part->bodies[0]));
  if (part->bodies == NULL) {
    return false;
  }
  part->body_count = count;
  for (uint32_t i = 0; i < count && !in->failed; ++i) {
    vouch_body_t * body = &part->bodies[i];
    body->name = get_string(in, &part->arena);
    body->id = in->failed ? NULL : get_string(in, &part->arena);
    if (body->name == NULL || body->id == NULL) {
      return in->failed;
    }
    body->kind = vouch_bytes_get_u8(in);
    body->frame = vouch_bytes_get_u32(in);
    body->geometry = vouch_bytes_get_u32(in);
    get_pose(in, &body->placement);
    vouch_bytes_get_f64(in, body->normal, 3);
    vouch_bytes_get_f64(in, &body->offset, 1);
  }
  return true;
}

static bool decode_groups(vouch_scene_part_t * part, vouch_bytes_t * in)
{
  uint32_t count = vouch_bytes_get_count(in, VOUCH_GROUP_LEAST);
  part->groups = vouch_arena_calloc(&part->arena, count, sizeof(part->groups[0]));
  if (part->groups == NULL) {
    return false;
  }
  part->group_count = count;
  for (uint32_t i = 0; i < count; ++i) {
    part->groups[i].left = vouch_bytes_get_u32(in);
    part->groups[i].right = vouch_bytes_get_u32(in);
    part->groups[i].body = vouch_bytes_get_u32(in);
  }
  return true;
}

static bool decode_pairs(vouch_scene_part_t * part, vouch_bytes_t * in)
{
  uint32_t count = vouch_bytes_get_count(in, VOUCH_PAIR_LEAST);
  part->pairs = vouch_arena_calloc(&part->arena, count, sizeof(part->pairs[0]));
  if (part->pairs == NULL) {
    return false;
  }
  part->pair_count = count;
  for (uint32_t i = 0; i < count && !in->failed; ++i) {
    vouch_pair_t * pair = &part->pairs[i];
    pair->kind = vouch_bytes_get_u8(in);
    pair->a = vouch_bytes_get_u32(in);
    pair->b = vouch_bytes_get_u32(in);
    vouch_bytes_get_f64(in, &pair->margin, 1);
    if (pair->kind != VOUCH_PAIR_GROUP) {
      continue;
    }
    if (part->group_count > (in->size - in->position) / sizeof(double)) {
      in->failed = true;
      return true;
    }
    pair->leaf_margins =
      vouch_arena_calloc(&part->arena, part->group_count, sizeof(pair->leaf_margins[0]));
    if (pair->leaf_margins == NULL) {
      return false;
    }
    vouch_bytes_get_f64(in, pair->leaf_margins, part->group_count);
  }
  return true;
}

static vouch_ret_t decode_scene(vouch_scene_part_t * part, vouch_bytes_t * in)
{
  part->robot = get_string(in, &part->arena);
  part->revision = vouch_bytes_get_u64(in);
  bool memory = in->failed || (part->robot != NULL && decode_frames(part, in));
  memory = memory && (in->failed || decode_bodies(part, in));
  memory = memory && (in->failed || decode_groups(part, in));
  memory = memory && (in->failed || decode_pairs(part, in));
  if (in->failed) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the scene part ends in the middle of a record, or a name contains NUL");
  }
  return memory ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

static bool decode_variables(vouch_motion_part_t * part, vouch_bytes_t * in)
{
  part->model = get_string(in, &part->arena);
  if (part->model == NULL) {
    return in->failed;
  }
  uint32_t count = vouch_bytes_get_count(in, VOUCH_VARIABLE_LEAST);
  part->names = vouch_arena_calloc(&part->arena, count, sizeof(part->names[0]));
  part->tolerances = vouch_arena_calloc(&part->arena, count, sizeof(part->tolerances[0]));
  if (part->names == NULL || part->tolerances == NULL) {
    return false;
  }
  part->variable_count = count;
  for (uint32_t i = 0; i < count && !in->failed; ++i) {
    part->names[i] = get_string(in, &part->arena);
    if (part->names[i] == NULL) {
      return in->failed;
    }
    vouch_bytes_get_f64(in, &part->tolerances[i], 1);
  }
  return true;
}

/// Segment by segment, coefficients into one growing array whose room is bounded by the bytes left.
static bool decode_segments(vouch_motion_part_t * part, vouch_bytes_t * in)
{
  uint32_t count = vouch_bytes_get_count(in, VOUCH_SEGMENT_LEAST);
  size_t knots = (size_t)count + 1;
  part->knots = vouch_arena_calloc(&part->arena, knots, sizeof(part->knots[0]));
  part->seconds = vouch_arena_calloc(&part->arena, knots, sizeof(part->seconds[0]));
  part->degrees = vouch_arena_calloc(&part->arena, count, sizeof(part->degrees[0]));
  part->offsets = vouch_arena_calloc(&part->arena, count, sizeof(part->offsets[0]));
  if (part->knots == NULL || part->seconds == NULL || part->degrees == NULL ||
    part->offsets == NULL)
  {
    return false;
  }
  part->segment_count = count;
  vouch_bytes_get_f64(in, part->knots, knots);
  vouch_bytes_get_f64(in, part->seconds, knots);
  size_t room = (in->size - in->position) / sizeof(double);
  part->coefficients = vouch_arena_calloc(&part->arena, room, sizeof(double));
  if (part->coefficients == NULL) {
    return false;
  }
  size_t used = 0;
  for (uint32_t i = 0; i < count && !in->failed; ++i) {
    uint32_t degree = vouch_bytes_get_u32(in);
    size_t size = (size_t)part->variable_count * (degree + 1u);
    if (degree < 1 || degree > VOUCH_MAX_DEGREE ||
      size > (in->size - in->position) / sizeof(double))
    {
      in->failed = true;
      break;
    }
    part->degrees[i] = degree;
    part->offsets[i] = used;
    vouch_bytes_get_f64(in, part->coefficients + used, size);
    used += size;
  }
  return true;
}

static vouch_ret_t decode_motion(vouch_motion_part_t * part, vouch_bytes_t * in)
{
  uint32_t kind = vouch_bytes_get_u32(in);
  if (!in->failed && kind != VOUCH_MOTION_BERNSTEIN) {
    return vouch_fail(
      VOUCH_RET_UNSUPPORTED, "motion kind %u is not known (1: Bernstein polynomials)", kind);
  }
  bool memory = in->failed || decode_variables(part, in);
  memory = memory && (in->failed || decode_segments(part, in));
  if (in->failed) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the motion part ends in the middle of a record, a degree is not 1 to 5, "
      "or a name contains NUL");
  }
  return memory ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

/// Checks the head of a part and gives a reader of its body, whose hash it takes.
static bool begin_part(
  vouch_bytes_t * file, uint32_t tag, vouch_bytes_t * body, uint8_t hash[32])
{
  uint32_t found = vouch_bytes_get_u32(file);
  uint64_t length = vouch_bytes_get_u64(file);
  if (file->failed || found != tag || length > file->size - file->position) {
    (void)vouch_fail(
      VOUCH_RET_INVALID, "the file does not hold part %u where it should, or is cut short", tag);
    return false;
  }
  const uint8_t * bytes = vouch_bytes_take(file, (size_t)length);
  vouch_sha256(bytes, (size_t)length, hash);
  *body = vouch_bytes_reader(bytes, (size_t)length);
  return true;
}

static vouch_ret_t end_part(vouch_ret_t code, const vouch_bytes_t * body)
{
  if (code == VOUCH_RET_OK && body->position != body->size) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%zu bytes are left over at the end of a part",
      body->size - body->position);
  }
  return code;
}

static vouch_ret_t decode(vouch_problem_t * problem, vouch_bytes_t * file)
{
  const uint8_t * magic = vouch_bytes_take(file, VOUCH_PROBLEM_MAGIC_SIZE);
  if (magic == NULL || memcmp(magic, VOUCH_PROBLEM_MAGIC, VOUCH_PROBLEM_MAGIC_SIZE) != 0) {
    return vouch_fail(
      VOUCH_RET_INVALID, "this is not a problem file (it has to begin with %s)",
      VOUCH_PROBLEM_MAGIC);
  }
  uint32_t version = vouch_bytes_get_u32(file);
  if (file->failed || version != VOUCH_PROBLEM_VERSION) {
    return vouch_fail(
      VOUCH_RET_UNSUPPORTED, "version %u of the problem file is not known (only %d is)", version,
      VOUCH_PROBLEM_VERSION);
  }
  vouch_bytes_t body;
  if (!begin_part(file, VOUCH_PART_GEOMETRY, &body, problem->geometry.hash)) {
    return VOUCH_RET_INVALID;
  }
  vouch_ret_t code = end_part(decode_geometries(&problem->geometry, &body), &body);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  if (!begin_part(file, VOUCH_PART_SCENE, &body, problem->scene.hash)) {
    return VOUCH_RET_INVALID;
  }
  code = end_part(decode_scene(&problem->scene, &body), &body);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  if (!begin_part(file, VOUCH_PART_MOTION, &body, problem->motion.hash)) {
    return VOUCH_RET_INVALID;
  }
  code = end_part(decode_motion(&problem->motion, &body), &body);
  if (code == VOUCH_RET_OK && file->position != file->size) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%zu bytes are left over at the end of the file",
      file->size - file->position);
  }
  return code;
}

vouch_ret_t vouch_problem_decode(
  vouch_problem_t * problem, vouch_allocator_t allocator, const void * data, size_t size)
{
  memset(problem, 0, sizeof(*problem));
  problem->geometry.arena.allocator = allocator;
  problem->scene.arena.allocator = allocator;
  problem->motion.arena.allocator = allocator;
  vouch_bytes_t file = vouch_bytes_reader(data, size);
  vouch_ret_t code = decode(problem, &file);
  if (code == VOUCH_RET_OK) {
    code = vouch_problem_validate_rest(problem);   // geometries were, one by one
  }
  if (code != VOUCH_RET_OK) {
    vouch_problem_fini(problem);
  }
  return code;
}
