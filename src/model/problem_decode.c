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
#include "geometry/limits.h"
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
    size_t used = 0;
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

/* ---- motion ---- */

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

static bool make_segments(vouch_motion_part_t * part, uint32_t count)
{
  size_t knots = (size_t)count + 1;
  part->knots = vouch_arena_calloc(&part->arena, knots, sizeof(part->knots[0]));
  part->seconds = vouch_arena_calloc(&part->arena, knots, sizeof(part->seconds[0]));
  part->degrees = vouch_arena_calloc(&part->arena, count, sizeof(part->degrees[0]));
  part->offsets = vouch_arena_calloc(&part->arena, count, sizeof(part->offsets[0]));
  part->segment_count = count;
  return part->knots != NULL && part->seconds != NULL && part->degrees != NULL &&
         part->offsets != NULL;
}

/// A segment begins where the one before it ends, to the bit. Returns how many coefficients it has.
static size_t get_segment(vouch_motion_part_t * part, vouch_bytes_t * in, uint32_t number)
{
  double ends[2];
  vouch_bytes_get_f64(in, ends, 2);
  if (number == 0) {
    part->knots[0] = ends[0];
  }
  in->failed = in->failed || memcmp(&part->knots[number], ends, sizeof(ends[0])) != 0;
  part->knots[number + 1u] = ends[1];
  vouch_bytes_get_f64(in, &part->seconds[number + 1u], 1);
  uint32_t degree = vouch_bytes_get_u32(in), zero = vouch_bytes_get_u32(in);
  part->degrees[number] = degree;
  in->failed = in->failed || degree < 1 || degree > VOUCH_MAX_DEGREE || zero != 0;
  return (size_t)part->variable_count * ((size_t)degree + 1);
}

static bool decode_variables(vouch_motion_part_t * part, vouch_bytes_t * in)
{
  part->variable_count = vouch_bytes_get_count(in, VOUCH_VARIABLE_BYTES);
  part->tolerances = vouch_arena_calloc(&part->arena, part->variable_count, sizeof(double));
  for (uint32_t i = 0; i < part->variable_count && part->tolerances != NULL; ++i) {
    double zero;
    vouch_bytes_get_f64(in, &part->tolerances[i], 1);
    vouch_bytes_get_f64(in, &zero, 1);
    in->failed = in->failed || !vouch_is_plus_zero(zero);
  }
  return part->tolerances != NULL;
}

static bool decode_segments(vouch_motion_part_t * part, vouch_bytes_t * in)
{
  double seconds;
  uint32_t coefficients;
  vouch_bytes_get_f64(in, &seconds, 1);
  if (!decode_variables(part, in)) {
    return false;
  }
  uint32_t count = vouch_bytes_get_count(in, VOUCH_SEGMENT_BYTES);
  if (!make_segments(part, count)) {
    return false;
  }
  part->seconds[0] = seconds;
  size_t used = 0;
  for (uint32_t i = 0; i < count && !in->failed; ++i) {
    part->offsets[i] = used;
    used += get_segment(part, in, i);
  }
  part->coefficients = get_reals(part, in, &coefficients);
  in->failed = in->failed || used != coefficients;
  return part->coefficients != NULL;
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

static vouch_ret_t decode_motion(vouch_motion_part_t * part, vouch_bytes_t * in)
{
  uint32_t kind = vouch_bytes_get_u32(in);
  if (!in->failed && kind != VOUCH_MOTION_BERNSTEIN) {
    return vouch_fail(
      VOUCH_RET_UNSUPPORTED, "motion kind %u is not known (1: Bernstein polynomials)", kind);
  }
  bool memory = in->failed || decode_segments(part, in);
  memory = memory && (in->failed || decode_variable_names(part, in));
  if (in->failed) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the motion part ends in the middle of a record, a segment does not begin "
      "where the last one ends, a degree is not 1 to 5, or coefficients or names are missing or "
      "left over");
  }
  return memory ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

/* ---- scene ---- */

static bool decode_frames(vouch_scene_part_t * part, vouch_bytes_t * in)
{
  part->frame_count = vouch_bytes_get_count(in, VOUCH_FRAME_BYTES);
  part->frames = vouch_arena_calloc(&part->arena, part->frame_count, sizeof(part->frames[0]));
  for (uint32_t i = 0; i < part->frame_count && part->frames != NULL; ++i) {
    vouch_frame_t * frame = &part->frames[i];
    get_pose(in, &frame->pose);
    vouch_bytes_get_f64(in, frame->axis, 3);
    vouch_bytes_get_f64(in, &frame->multiplier, 1);
    vouch_bytes_get_f64(in, &frame->offset, 1);
    frame->parent = vouch_bytes_get_u32(in);
    uint32_t joint = vouch_bytes_get_u32(in);
    frame->joint = (uint8_t)joint;
    frame->variable = vouch_bytes_get_u32(in);
    in->failed = in->failed || joint > UINT8_MAX || vouch_bytes_get_u32(in) != 0;
  }
  return part->frames != NULL;
}

static bool decode_bodies(vouch_scene_part_t * part, vouch_bytes_t * in)
{
  part->body_count = vouch_bytes_get_count(in, VOUCH_BODY_BYTES);
  part->bodies = vouch_arena_calloc(&part->arena, part->body_count, sizeof(part->bodies[0]));
  for (uint32_t i = 0; i < part->body_count && part->bodies != NULL; ++i) {
    vouch_body_t * body = &part->bodies[i];
    get_pose(in, &body->placement);
    vouch_bytes_get_f64(in, &body->growth, 1);
    body->frame = vouch_bytes_get_u32(in);
    uint32_t kind = vouch_bytes_get_u32(in);
    body->kind = (uint8_t)kind;
    body->geometry = vouch_bytes_get_u32(in);
    in->failed = in->failed || kind > VOUCH_BODY_PLANE || vouch_bytes_get_u32(in) != 0;
    if (kind != VOUCH_BODY_GEOMETRY) {
      vouch_plane_from_placement(body);
    }
  }
  return part->bodies != NULL;
}

static bool decode_groups(vouch_scene_part_t * part, vouch_bytes_t * in)
{
  part->group_count = vouch_bytes_get_count(in, VOUCH_GROUP_BYTES);
  part->groups = vouch_arena_calloc(&part->arena, part->group_count, sizeof(part->groups[0]));
  for (uint32_t i = 0; i < part->group_count && part->groups != NULL; ++i) {
    vouch_group_t * group = &part->groups[i];
    group->right = vouch_bytes_get_u32(in);
    group->body = vouch_bytes_get_u32(in);
    group->left = group->right == 0 ? 0 : i + 1u;
  }
  return part->groups != NULL;
}

/// Skips are handed out to their pairs in order.
static bool decode_skips(vouch_scene_part_t * part, vouch_bytes_t * in)
{
  uint32_t count = vouch_bytes_get_count(in, VOUCH_SKIP_BYTES), used = 0;
  vouch_skip_t * skips = vouch_arena_calloc(&part->arena, count, sizeof(*skips));
  if (skips == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < count; ++i) {
    skips[i].body = vouch_bytes_get_u32(in);
    skips[i].reason = vouch_bytes_get_u32(in);
  }
  for (uint32_t i = 0; i < part->pair_count && !in->failed; ++i) {
    vouch_pair_t * pair = &part->pairs[i];
    in->failed = pair->skip_count > count - used;
    pair->skips = in->failed ? NULL : skips + used;
    used += in->failed ? 0 : pair->skip_count;
  }
  in->failed = in->failed || used != count;
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
    vouch_bytes_get_f64(in, &pair->margin, 1);
    pair->a = vouch_bytes_get_u32(in);
    pair->b = vouch_bytes_get_u32(in);
    pair->skip_count = vouch_bytes_get_u32(in);
    in->failed = in->failed || vouch_bytes_get_u32(in) != 0;
    bool body = pair->b < part->body_count;
    pair->kind = !body ? VOUCH_PAIR_GROUP :
      part->bodies[pair->b].kind != VOUCH_BODY_GEOMETRY ? VOUCH_PAIR_PLANE : VOUCH_PAIR_BODIES;
  }
  return in->failed || decode_skips(part, in);
}

static bool decode_left_out(vouch_scene_part_t * part, vouch_bytes_t * in)
{
  part->left_out_count = vouch_bytes_get_count(in, VOUCH_LEFT_OUT_BYTES);
  part->left_out = vouch_arena_calloc(
    &part->arena, part->left_out_count, sizeof(part->left_out[0]));
  for (uint32_t i = 0; i < part->left_out_count && part->left_out != NULL; ++i) {
    part->left_out[i].a = vouch_bytes_get_u32(in);
    part->left_out[i].b = vouch_bytes_get_u32(in);
    part->left_out[i].reason = vouch_bytes_get_u32(in);
  }
  return part->left_out != NULL;
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
    part->frames[i].owner = get_name(&names, &part->arena);
    memory = part->frames[i].name != NULL && part->frames[i].owner != NULL;
  }
  for (uint32_t i = 0; i < part->body_count && memory; ++i) {
    part->bodies[i].name = get_name(&names, &part->arena);
    part->bodies[i].id = get_name(&names, &part->arena);
    memory = part->bodies[i].name != NULL && part->bodies[i].id != NULL;
  }
  in->failed = in->failed || names.failed || (memory && names.position != names.size);
  return memory || in->failed;
}

/// Requires: groups and pairs were validated.
static bool mark_checked(vouch_scene_part_t * part)
{
  for (uint32_t i = 0; i < part->pair_count; ++i) {
    vouch_pair_t * pair = &part->pairs[i];
    if (pair->kind == VOUCH_PAIR_GROUP) {
      bool * checked = vouch_arena_calloc(&part->arena, part->group_count, sizeof(bool));
      if (checked == NULL) {
        return false;
      }
      vouch_pair_mark_checked(part, pair, checked);
      pair->checked = checked;
    }
  }
  return true;
}

static vouch_ret_t decode_scene(vouch_scene_part_t * part, vouch_bytes_t * in)
{
  part->revision = vouch_bytes_get_u64(in);
  bool memory = in->failed || decode_frames(part, in);
  memory = memory && (in->failed || decode_bodies(part, in));
  memory = memory && (in->failed || decode_groups(part, in));
  memory = memory && (in->failed || decode_pairs(part, in));
  memory = memory && (in->failed || decode_left_out(part, in));
  memory = memory && (in->failed || decode_scene_names(part, in));
  if (in->failed) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the scene part ends in the middle of a record, a field that must be 0 is "
      "not, a kind is unknown, or skips or names are missing or left over");
  }
  return memory ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

/* ---- sources ---- */

static vouch_ret_t decode_sources(vouch_sources_part_t * part, vouch_bytes_t * in)
{
  vouch_bytes_t names;
  part->source_count = vouch_bytes_get_count(in, VOUCH_SOURCE_BYTES);
  part->sources = vouch_arena_calloc(&part->arena, part->source_count, sizeof(part->sources[0]));
  if (part->sources == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (uint32_t i = 0; i < part->source_count; ++i) {
    const uint8_t * hash = vouch_bytes_take(in, sizeof(part->sources[i].hash));
    if (hash != NULL) {
      memcpy(part->sources[i].hash, hash, sizeof(part->sources[i].hash));
    }
  }
  bool memory = true;
  if (begin_names(in, &names)) {
    part->writer = get_name(&names, &part->arena);
    memory = part->writer != NULL;
    for (uint32_t i = 0; i < part->source_count && memory; ++i) {
      part->sources[i].role = get_name(&names, &part->arena);
      part->sources[i].name = get_name(&names, &part->arena);
      memory = part->sources[i].role != NULL && part->sources[i].name != NULL;
    }
    in->failed = names.failed || (memory && names.position != names.size);
  }
  if (in->failed) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the part of the sources is cut short, or names are missing or left over");
  }
  return memory ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

/* ---- the file ---- */

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

static vouch_ret_t decode_parts(vouch_problem_t * problem, vouch_bytes_t * file)
{
  vouch_bytes_t body;
  if (!begin_part(file, VOUCH_PART_GEOMETRY, &body, problem->geometry.hash)) {
    return VOUCH_RET_INVALID;
  }
  vouch_ret_t code = end_part(decode_geometries(&problem->geometry, &body), &body);
  if (code != VOUCH_RET_OK) {
    return code;
  }
  if (!begin_part(file, VOUCH_PART_MOTION, &body, problem->motion.hash)) {
    return VOUCH_RET_INVALID;
  }
  code = end_part(decode_motion(&problem->motion, &body), &body);
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
  if (!begin_part(file, VOUCH_PART_SOURCES, &body, problem->sources.hash)) {
    return VOUCH_RET_INVALID;
  }
  return end_part(decode_sources(&problem->sources, &body), &body);
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
      VOUCH_RET_UNSUPPORTED, "the problem file is of version %u and this program reads %d: check "
      "the motion again to make new files", version, VOUCH_PROBLEM_VERSION);
  }
  vouch_ret_t code = decode_parts(problem, file);
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
  vouch_bytes_t file = vouch_bytes_reader(data, size);
  memset(problem, 0, sizeof(*problem));
  problem->geometry.arena.allocator = allocator;
  problem->motion.arena.allocator = allocator;
  problem->scene.arena.allocator = allocator;
  problem->sources.arena.allocator = allocator;
  vouch_ret_t code = decode(problem, &file);
  if (code == VOUCH_RET_OK) {
    code = vouch_problem_validate_rest(problem);   // geometries were, one by one
  }
  if (code == VOUCH_RET_OK && !mark_checked(&problem->scene)) {
    code = VOUCH_RET_NO_MEMORY;
  }
  if (code != VOUCH_RET_OK) {
    vouch_problem_fini(problem);
  }
  return code;
}
