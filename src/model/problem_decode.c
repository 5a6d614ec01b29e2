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

static bool decode_segments(vouch_motion_part_t * part, vouch_bytes_t * in)
{
  double seconds;
  uint32_t coefficients;
  vouch_bytes_get_f64(in, &seconds, 1);
  part->tolerances = get_reals(part, in, &part->variable_count);
  uint32_t count = vouch_bytes_get_count(in, VOUCH_SEGMENT_BYTES);
  if (part->tolerances == NULL || !make_segments(part, count)) {
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

/// A frame as the file has it: one of its own, or a body.
typedef struct record_s
{
  vouch_frame_t frame;
  uint32_t joint, kind, geometry, zero;
} record_t;

static void get_frame(vouch_bytes_t * in, record_t * out)
{
  vouch_frame_t * frame = &out->frame;
  *out = (record_t) {.frame = {.name = NULL}};
  get_pose(in, &frame->pose);
  vouch_bytes_get_f64(in, frame->axis, 3);
  vouch_bytes_get_f64(in, &frame->multiplier, 1);
  vouch_bytes_get_f64(in, &frame->offset, 1);
  frame->parent = vouch_bytes_get_u32(in);
  out->joint = vouch_bytes_get_u32(in);
  frame->variable = vouch_bytes_get_u32(in);
  out->kind = vouch_bytes_get_u32(in);
  out->geometry = vouch_bytes_get_u32(in);
  out->zero = vouch_bytes_get_u32(in);
  frame->joint = (uint8_t)out->joint;
  in->failed = in->failed || out->zero != 0 || out->joint > UINT8_MAX;
}

/// A body does not move in the frame that it hangs on: nothing but its pose is told.
static void set_body(vouch_bytes_t * in, const record_t * from, uint32_t planes, vouch_body_t * out)
{
  static const double none[5] = {0.0};
  const vouch_frame_t * frame = &from->frame;
  double all[5] = {frame->axis[0], frame->axis[1], frame->axis[2], frame->multiplier,
    frame->offset};
  bool plane = from->kind != VOUCH_BODY_GEOMETRY;
  out->placement = frame->pose;
  out->frame = frame->parent;
  out->kind = (uint8_t)from->kind;
  out->geometry = plane ? VOUCH_NONE : from->geometry;
  in->failed = in->failed || memcmp(all, none, sizeof(all)) != 0 || frame->variable != 0 ||
    from->joint != VOUCH_JOINT_FIXED || from->kind > VOUCH_BODY_PLANE ||
    (plane && from->geometry != planes);
  if (plane) {
    vouch_plane_from_placement(out);
  }
}

/// First all frames without a geometry, then the bodies. `planes` is the number of the planes'
/// geometry, the last one.
static bool decode_frames(vouch_scene_part_t * part, vouch_bytes_t * in, uint32_t planes)
{
  uint32_t count = vouch_bytes_get_count(in, VOUCH_FRAME_BYTES);
  part->frames = vouch_arena_calloc(&part->arena, count, sizeof(part->frames[0]));
  part->bodies = vouch_arena_calloc(&part->arena, count, sizeof(part->bodies[0]));
  if (part->frames == NULL || part->bodies == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < count && !in->failed; ++i) {
    record_t record;
    get_frame(in, &record);
    if (record.geometry != VOUCH_NONE) {
      set_body(in, &record, planes, &part->bodies[part->body_count++]);
    } else {
      in->failed = in->failed || part->body_count > 0 || record.kind != 0;
      part->frames[part->frame_count++] = record.frame;
    }
  }
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
    pair->a = vouch_bytes_get_u32(in) - part->frame_count;
    pair->b = vouch_bytes_get_u32(in) - part->frame_count;
    in->failed = in->failed || pair->a >= part->body_count || pair->b >= part->body_count;
    bool plane = !in->failed && part->bodies[pair->b].kind != VOUCH_BODY_GEOMETRY;
    pair->kind = plane ? VOUCH_PAIR_PLANE : VOUCH_PAIR_BODIES;
  }
  return true;
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
    memory = part->bodies[i].name != NULL;
  }
  for (uint32_t i = 0; i < part->body_count && memory; ++i) {
    part->bodies[i].id = get_name(&names, &part->arena);
    memory = part->bodies[i].id != NULL;
  }
  in->failed = in->failed || names.failed || (memory && names.position != names.size);
  return memory || in->failed;
}

static vouch_ret_t decode_scene(vouch_scene_part_t * part, vouch_bytes_t * in, uint32_t planes)
{
  part->revision = vouch_bytes_get_u64(in);
  bool memory = in->failed || decode_frames(part, in, planes);
  memory = memory && (in->failed || decode_pairs(part, in));
  memory = memory && (in->failed || decode_scene_names(part, in));
  if (in->failed) {
    return vouch_fail(
      VOUCH_RET_INVALID, "the scene part ends in the middle of a record, a frame follows a body, a "
      "body is not a fixed frame, a plane's geometry is not the last one, a pair is not of two "
      "bodies, or names are missing or left over");
  }
  return memory ? VOUCH_RET_OK : VOUCH_RET_NO_MEMORY;
}

/// Where there are planes, the last geometry is theirs; here they have none.
static vouch_ret_t drop_planes(vouch_problem_t * problem, const vouch_bytes_t * geometries)
{
  vouch_geometry_part_t * part = &problem->geometry;
  if (!vouch_scene_has_planes(&problem->scene)) {
    return VOUCH_RET_OK;
  }
  vouch_text_t want = {.allocator = part->arena.allocator};
  vouch_planes_encode(&want);
  bool failed = want.failed;
  const vouch_geometry_t * last = part->geometry_count > 0 ?
    part->geometries[part->geometry_count - 1] : NULL;
  bool same = !failed && last != NULL && last->node_count == 1 && last->index_count == 1 &&
    last->vertex_count == 2 && last->round_count == 0 && geometries->size >= want.size &&
    memcmp(geometries->data + geometries->size - want.size, want.data, want.size) == 0;
  vouch_text_fini(&want);
  if (same) {
    vouch_geometry_release(part->geometries[--part->geometry_count]);
  }
  return failed ? VOUCH_RET_NO_MEMORY : same ? VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "there are planes, but the last geometry is not a point at the origin");
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

static vouch_ret_t decode_parts(vouch_problem_t * problem, vouch_bytes_t * file)
{
  vouch_bytes_t body, geometries;
  if (!begin_part(file, VOUCH_PART_GEOMETRY, &geometries, problem->geometry.hash)) {
    return VOUCH_RET_INVALID;
  }
  vouch_ret_t code = end_part(decode_geometries(&problem->geometry, &geometries), &geometries);
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
  uint32_t last = problem->geometry.geometry_count - 1u;
  code = end_part(decode_scene(&problem->scene, &body, last), &body);
  return code != VOUCH_RET_OK ? code : drop_planes(problem, &geometries);
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
  vouch_ret_t code = decode(problem, &file);
  if (code == VOUCH_RET_OK) {
    code = vouch_problem_validate_rest(problem);   // geometries were, one by one
  }
  if (code != VOUCH_RET_OK) {
    vouch_problem_fini(problem);
  }
  return code;
}
