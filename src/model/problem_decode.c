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

/// The names at the end of a part, each ended by NUL. A reader of the part, like any other.
static bool begin_names(vouch_bytes_t * in, vouch_bytes_t * names)
{
  uint32_t size = vouch_bytes_get_count(in, 1);
  const uint8_t * bytes = vouch_bytes_take(in, size);
  *names = vouch_bytes_reader(bytes, bytes == NULL ? 0 : size);
  return !in->failed;
}

/// NULL without memory, or when there is none left (names->failed).
static char * get_name(vouch_bytes_t * names, vouch_arena_t * arena)
{
  const uint8_t * begin = names->data + names->position;
  const uint8_t * end = names->position < names->size ?
    memchr(begin, 0, names->size - names->position) : NULL;
  names->failed = names->failed || end == NULL;
  if (names->failed) {
    return NULL;
  }
  size_t size = (size_t)(end - begin) + 1;
  names->position += size;
  char * text = vouch_arena_calloc(arena, size, 1);
  if (text != NULL) {
    memcpy(text, begin, size);
  }
  return text;
}

static void get_pose(vouch_bytes_t * in, vouch_pose_t * pose)
{
  vouch_bytes_get_f64(in, pose->rotation, 4);
  vouch_bytes_get_f64(in, pose->translation, 3);
}

static vouch_ret_t decode_geometries(vouch_geometry_part_t * part, vouch_bytes_t * in, bool strict)
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
    size_t used = 0;
    vouch_ret_t code = (strict ? vouch_geometry_decode : vouch_geometry_decode_loosely)(
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

/// A record ends with a zero that keeps numbers aligned.
static void get_zero(vouch_bytes_t * in, bool strict)
{
  in->failed = (vouch_bytes_get_u32(in) != 0 && strict) || in->failed;
}

/// A u32 that fits into a byte.
static uint8_t get_small(vouch_bytes_t * in)
{
  uint32_t value = vouch_bytes_get_u32(in);
  in->failed = in->failed || value > UINT8_MAX;
  return (uint8_t)value;
}

static bool decode_frames(vouch_scene_part_t * part, vouch_bytes_t * in, bool strict)
{
  uint32_t count = vouch_bytes_get_count(in, VOUCH_FRAME_BYTES);
  part->frames = vouch_arena_calloc(&part->arena, count, sizeof(part->frames[0]));
  if (part->frames == NULL) {
    return false;
  }
  part->frame_count = count;
  for (uint32_t i = 0; i < count; ++i) {
    vouch_frame_t * frame = &part->frames[i];
    get_pose(in, &frame->pose);
    vouch_bytes_get_f64(in, frame->axis, 3);
    vouch_bytes_get_f64(in, &frame->multiplier, 1);
    vouch_bytes_get_f64(in, &frame->offset, 1);
    frame->parent = vouch_bytes_get_u32(in);
    frame->joint = get_small(in);
    frame->variable = vouch_bytes_get_u32(in);
    get_zero(in, strict);
  }
  return true;
}

static bool decode_bodies(vouch_scene_part_t * part, vouch_bytes_t * in, bool strict)
{
  uint32_t count = vouch_bytes_get_count(in, VOUCH_BODY_BYTES);
  part->bodies = vouch_arena_calloc(&part->arena, count, sizeof(part->bodies[0]));
  if (part->bodies == NULL) {
    return false;
  }
  part->body_count = count;
  for (uint32_t i = 0; i < count; ++i) {
    vouch_body_t * body = &part->bodies[i];
    get_pose(in, &body->placement);
    body->kind = get_small(in);
    body->frame = vouch_bytes_get_u32(in);
    body->geometry = vouch_bytes_get_u32(in);
    get_zero(in, strict);
    if (body->kind != VOUCH_BODY_GEOMETRY) {
      vouch_plane_from_placement(body);
    }
  }
  return true;
}

/// Groups are numbered root, left, right, so that it is enough to know which are bodies.
static bool decode_groups(vouch_scene_part_t * part, vouch_bytes_t * in)
{
  uint32_t count = vouch_bytes_get_count(in, VOUCH_GROUP_BYTES), depth = 0;
  part->groups = vouch_arena_calloc(&part->arena, count, sizeof(part->groups[0]));
  uint32_t * stack = vouch_arena_calloc(&part->arena, count, sizeof(stack[0]));
  if (part->groups == NULL || stack == NULL) {
    return false;
  }
  part->group_count = count;
  for (uint32_t i = 0; i < count; ++i) {
    part->groups[i].body = vouch_bytes_get_u32(in);
  }
  for (uint32_t i = count; i-- > 0 && !in->failed; ) {
    vouch_group_t * group = &part->groups[i];
    if (group->body == VOUCH_NONE) {
      if (depth < 2) {
        in->failed = true;
        break;
      }
      depth -= 2;
      group->left = i + 1;
      group->right = stack[depth];
    }
    stack[depth++] = i;
  }
  in->failed = in->failed || depth != (count > 0 ? 1 : 0);
  return true;
}

static bool decode_margins(vouch_scene_part_t * part, vouch_bytes_t * in)
{
  uint32_t left = vouch_bytes_get_count(in, sizeof(double));
  for (uint32_t i = 0; i < part->pair_count && !in->failed; ++i) {
    vouch_pair_t * pair = &part->pairs[i];
    bool group = pair->kind == VOUCH_PAIR_GROUP;
    uint32_t count = group ? part->group_count : 1;
    if (count == 0 || count > left) {
      in->failed = true;
      return true;
    }
    left -= count;
    if (!group) {
      vouch_bytes_get_f64(in, &pair->margin, 1);
      continue;
    }
    pair->leaf_margins = vouch_arena_calloc(&part->arena, count, sizeof(pair->leaf_margins[0]));
    if (pair->leaf_margins == NULL) {
      return false;
    }
    vouch_bytes_get_f64(in, pair->leaf_margins, count);
    pair->margin = pair->leaf_margins[0] > 0.0 ? pair->leaf_margins[0] : 0.0;
  }
  in->failed = in->failed || left > 0;
  return true;
}

static bool decode_pairs(vouch_scene_part_t * part, vouch_bytes_t * in)
{
  uint32_t count = vouch_bytes_get_count(in, VOUCH_PAIR_BYTES);
  part->pairs = vouch_arena_calloc(&part->arena, count, sizeof(part->pairs[0]));
  if (part->pairs == NULL) {
    return false;
  }
  part->pair_count = count;
  for (uint32_t i = 0; i < count && !in->failed; ++i) {
    vouch_pair_t * pair = &part->pairs[i];
    pair->a = vouch_bytes_get_u32(in);
    pair->b = vouch_bytes_get_u32(in);
    if (pair->b == VOUCH_NONE) {
      pair->kind = VOUCH_PAIR_GROUP;
      pair->b = 0;
    } else {
      bool plane = pair->b < part->body_count && part->bodies[pair->b].kind != VOUCH_BODY_GEOMETRY;
      pair->kind = plane ? VOUCH_PAIR_PLANE : VOUCH_PAIR_BODIES;
    }
  }
  return in->failed || decode_margins(part, in);
}

static bool decode_scene_names(vouch_scene_part_t * part, vouch_bytes_t * in)
{
  vouch_bytes_t names;
  if (!begin_names(in, &names)) {
    return true;
  }
  part->robot = get_name(&names, &part->arena);
  bool memory = part->robot != NULL;
  for (uint32_t i = 0; i < part->frame_count && memory; ++i) {
    part->frames[i].name = get_name(&names, &part->arena);
    memory = part->frames[i].name != NULL;
  }
  for (uint32_t i = 0; i < part->body_count && memory; ++i) {
    part->bodies[i].name = get_name(&names, &part->arena);
    part->bodies[i].id = names.failed ? NULL : get_name(&names, &part->arena);
    memory = part->bodies[i].name != NULL && part->bodies[i].id != NULL;
  }
  in->failed = in->failed || names.failed || (memory && names.position != names.size);
  return memory || in->failed;
}

static vouch_ret_t decode_scene(vouch_scene_part_t * part, vouch_bytes_t * in, bool strict)
{
  part->revision = vouch_bytes_get_u64(in);
  bool memory = in->failed || decode_frames(part, in, strict);
  memory = memory && (in->failed || decode_bodies(part, in, strict));
  memory = memory && (in->failed || decode_groups(part, in));
  memory = memory && (in->failed || decode_pairs(part, in));
  if (!strict) {
    (void)vouch_bytes_take(in, vouch_bytes_get_count(in, 1));   // names
  } else {
    memory = memory && (in->failed || decode_scene_names(part, in));
  }
  if (in->failed) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the scene part ends in the middle of a record, its groups are no tree, "
      "or names or margins are missing or left over");
  }
  return memory ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

static bool decode_variable_names(vouch_motion_part_t * part, vouch_bytes_t * in)
{
  vouch_bytes_t names;
  part->names = vouch_arena_calloc(&part->arena, part->variable_count, sizeof(part->names[0]));
  if (part->names == NULL || !begin_names(in, &names)) {
    return part->names != NULL;
  }
  part->model = get_name(&names, &part->arena);
  bool memory = part->model != NULL;
  for (uint32_t i = 0; i < part->variable_count && memory; ++i) {
    part->names[i] = get_name(&names, &part->arena);
    memory = part->names[i] != NULL;
  }
  in->failed = in->failed || names.failed || (memory && names.position != names.size);
  return memory || in->failed;
}

/// An array of its own for the numbers of a table.
static double * get_reals(vouch_motion_part_t * part, vouch_bytes_t * in, uint32_t * count)
{
  *count = vouch_bytes_get_count(in, sizeof(double));
  double * values = vouch_arena_calloc(&part->arena, *count, sizeof(double));
  if (values != NULL) {
    vouch_bytes_get_f64(in, values, *count);
  }
  return values;
}

static bool decode_segments(vouch_motion_part_t * part, vouch_bytes_t * in)
{
  uint32_t knots, seconds, coefficients;
  part->tolerances = get_reals(part, in, &part->variable_count);
  part->knots = part->tolerances == NULL ? NULL : get_reals(part, in, &knots);
  part->seconds = part->knots == NULL ? NULL : get_reals(part, in, &seconds);
  if (part->seconds == NULL) {
    return false;
  }
  uint32_t count = vouch_bytes_get_count(in, sizeof(uint32_t));
  part->degrees = vouch_arena_calloc(&part->arena, count, sizeof(part->degrees[0]));
  part->offsets = vouch_arena_calloc(&part->arena, count, sizeof(part->offsets[0]));
  if (part->degrees == NULL || part->offsets == NULL) {
    return false;
  }
  part->segment_count = count;
  size_t used = 0;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t degree = vouch_bytes_get_u32(in);
    part->degrees[i] = degree;
    part->offsets[i] = used;
    in->failed = in->failed || degree < 1 || degree > VOUCH_MAX_DEGREE;
    used += (size_t)part->variable_count * ((size_t)degree + 1);
  }
  part->coefficients = get_reals(part, in, &coefficients);
  if (part->coefficients == NULL) {
    return false;
  }
  in->failed = in->failed || used != coefficients || knots != seconds ||
    knots != (uint64_t)count + 1;
  return true;
}

static vouch_ret_t decode_motion(vouch_motion_part_t * part, vouch_bytes_t * in, bool strict)
{
  uint32_t kind = vouch_bytes_get_u32(in);
  if (!in->failed && kind != VOUCH_MOTION_BERNSTEIN) {
    return vouch_fail(
      VOUCH_RET_UNSUPPORTED, "motion kind %u is not known (1: Bernstein polynomials)", kind);
  }
  bool memory = in->failed || decode_segments(part, in);
  if (!strict) {
    (void)vouch_bytes_take(in, vouch_bytes_get_count(in, 1));   // names
  } else {
    memory = memory && (in->failed || decode_variable_names(part, in));
  }
  if (in->failed) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the motion part ends in the middle of a record, a degree is not 1 to 5, "
      "or knots, coefficients or names are missing or left over");
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

static vouch_ret_t decode(vouch_problem_t * problem, vouch_bytes_t * file, bool strict)
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
  vouch_ret_t code = end_part(decode_geometries(&problem->geometry, &body, strict), &body);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  if (!begin_part(file, VOUCH_PART_SCENE, &body, problem->scene.hash)) {
    return VOUCH_RET_INVALID;
  }
  code = end_part(decode_scene(&problem->scene, &body, strict), &body);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  if (!begin_part(file, VOUCH_PART_MOTION, &body, problem->motion.hash)) {
    return VOUCH_RET_INVALID;
  }
  code = end_part(decode_motion(&problem->motion, &body, strict), &body);
  if (code == VOUCH_RET_OK && file->position != file->size) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%zu bytes are left over at the end of the file",
      file->size - file->position);
  }
  return code;
}

static vouch_ret_t read_problem(
  vouch_problem_t * problem, vouch_allocator_t allocator, vouch_bytes_t file, bool strict)
{
  memset(problem, 0, sizeof(*problem));
  problem->geometry.arena.allocator = allocator;
  problem->scene.arena.allocator = allocator;
  problem->motion.arena.allocator = allocator;
  vouch_ret_t code = decode(problem, &file, strict);
  if (code == VOUCH_RET_OK && strict) {
    code = vouch_problem_validate_rest(problem);   // geometries were, one by one
  }
  if (code != VOUCH_RET_OK) {
    vouch_problem_fini(problem);
  }
  return code;
}

vouch_ret_t vouch_problem_decode(
  vouch_problem_t * problem, vouch_allocator_t allocator, const void * data, size_t size)
{
  return read_problem(problem, allocator, vouch_bytes_reader(data, size), true);
}

vouch_ret_t vouch_problem_decode_loosely(
  vouch_problem_t * problem, vouch_allocator_t allocator, const void * data, size_t size)
{
  return read_problem(problem, allocator, vouch_bytes_reader(data, size), false);
}
