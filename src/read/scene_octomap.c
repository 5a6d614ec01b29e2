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

/* The octomap of a PlanningScene (octomap_msgs/OctomapWithPose). Its data is a list of bytes, or, as
 * robowflex and with it MotionBenchMaker write it, hexadecimals of zlib's compressed bytes. */

#include <limits.h>
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "read/octomap.h"
#include "read/scene_reader.h"

enum {MOST_BYTES = 1 << 28};   // of an octomap: what unpacks to more is refused

static int hexadecimal(char c)
{
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 :
         c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void * zlib_alloc(void * allocator, unsigned count, unsigned size)
{
  return vouch_calloc(allocator, count, size);
}

static void zlib_free(void * allocator, void * pointer)
{
  vouch_free(allocator, pointer);
}

/// Unpacks into *bytes, which grows. INVALID, without a sentence, when the stream is not whole or too long.
static vouch_ret_t inflate_all(
  vouch_allocator_t * allocator, const uint8_t * packed, size_t size, uint8_t ** bytes,
  size_t * count)
{
  z_stream stream = {
    .zalloc = zlib_alloc, .zfree = zlib_free, .opaque = allocator,
    .next_in = (z_const Bytef *)packed, .avail_in = (uInt)size
  };
  size_t capacity = 0;
  int state = inflateInit(&stream) == Z_OK ? Z_OK : Z_MEM_ERROR;
  while (state == Z_OK && *count < MOST_BYTES) {
    const size_t wanted = capacity == 0 ? 4096 : 2 * capacity;
    uint8_t * more = *count < capacity ? *bytes : vouch_realloc(allocator, *bytes, wanted, 1);
    if (more == NULL) {
      state = Z_MEM_ERROR;
      break;
    }
    capacity = *count < capacity ? capacity : wanted;
    *bytes = more;
    stream.next_out = *bytes + *count;
    stream.avail_out = (uInt)(capacity - *count);
    state = inflate(&stream, Z_NO_FLUSH);
    *count = capacity - stream.avail_out;
  }
  const bool whole = state == Z_STREAM_END && stream.avail_in == 0;
  (void)inflateEnd(&stream);
  return state == Z_MEM_ERROR ? VOUCH_RET_NO_MEMORY : whole ? VOUCH_RET_OK : VOUCH_RET_INVALID;
}

static vouch_ret_t unpack(
  vouch_document_t * document, const vouch_value_t * value, uint8_t ** data, size_t * size)
{
  const size_t length = strlen(value->text), half = length / 2;
  uint8_t * packed = vouch_arena_calloc(&document->arena, half, 1), * bytes = NULL;
  size_t count = 0;
  bool good = length % 2 == 0 && length <= INT_MAX;
  for (size_t i = 0; packed != NULL && good && i < half; ++i) {
    const int high = hexadecimal(value->text[2 * i]), low = hexadecimal(value->text[2 * i + 1]);
    good = high >= 0 && low >= 0;
    packed[i] = (uint8_t)(good ? 16 * high + low : 0);
  }
  vouch_ret_t ret = packed == NULL ? VOUCH_RET_NO_MEMORY : !good ? VOUCH_RET_INVALID :
    inflate_all(&document->arena.allocator, packed, half, &bytes, &count);
  if (ret == VOUCH_RET_OK) {
    *data = vouch_arena_calloc(&document->arena, count, 1);
    ret = *data == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
  }
  if (ret == VOUCH_RET_OK && count > 0) {
    memcpy(*data, bytes, count);
    *size = count;
  }
  vouch_free(&document->arena.allocator, bytes);
  return ret != VOUCH_RET_INVALID ? ret : vouch_value_fail(
    document, value, "the octomap's data must be a list of bytes, or the hexadecimals of bytes that "
    "zlib has packed, whole and at most %d",
    MOST_BYTES);
}

/// Bytes as ROS prints them, -128 to 127, or unsigned.
static vouch_ret_t read_bytes(
  vouch_document_t * document, const vouch_value_t * value, uint8_t ** data, size_t * size)
{
  double * numbers = NULL;
  if (value->kind == VOUCH_VALUE_SCALAR) {
    return unpack(document, value, data, size);
  }
  vouch_ret_t ret = vouch_value_series(document, value, "the octomap's data", &numbers, size);
  *data = ret == VOUCH_RET_OK ? vouch_arena_calloc(&document->arena, *size, 1) : NULL;
  if (*data == NULL) {
    return ret != VOUCH_RET_OK ? ret : VOUCH_RET_NO_MEMORY;
  }
  for (size_t i = 0; i < *size; ++i) {
    if (!(numbers[i] >= -128.0 && numbers[i] <= 255.0) || numbers[i] != floor(numbers[i])) {
      return vouch_value_fail(
        document, value, "the octomap's data has %g, which is no byte", numbers[i]);
    }
    (*data)[i] = (uint8_t)((int)numbers[i] & 0xff);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_tree(
  vouch_document_t * document, const vouch_value_t * value, vouch_octomap_t * octomap)
{
  const vouch_value_t * binary = vouch_value_get(value, "binary");
  const vouch_value_t * resolution = vouch_value_get(value, "resolution");
  const vouch_value_t * data = vouch_value_get(value, "data");
  uint8_t * bytes = NULL;
  vouch_ret_t ret = vouch_value_keys(document, value, "header binary id resolution data");
  ret = ret != VOUCH_RET_OK ? ret :
    vouch_value_text(document, vouch_value_get(value, "id"), "id", &octomap->id);
  if (ret == VOUCH_RET_OK && data == NULL && octomap->id[0] != '\0') {
    ret = vouch_value_fail(document, value, "the octomap has no data");
  }
  if (ret == VOUCH_RET_OK && data != NULL) {
    ret = read_bytes(document, data, &bytes, &octomap->size);
    octomap->data = bytes;
  }
  if (ret != VOUCH_RET_OK || octomap->size == 0) {
    return ret;
  }
  if (binary == NULL || resolution == NULL) {
    return vouch_value_fail(
      document, value, "the octomap needs the keys 'binary' and 'resolution'");
  }
  ret = vouch_value_bool(document, binary, "binary", &octomap->binary);
  return ret != VOUCH_RET_OK ? ret :
         vouch_value_number(document, resolution, "resolution", &octomap->resolution_m);
}

vouch_ret_t vouch_read_octomap(vouch_scene_reader_t * reader, const vouch_value_t * value)
{
  vouch_document_t * document = reader->document;
  const vouch_value_t * tree = vouch_value_get(value, "octomap");
  vouch_octomap_t octomap = {.id = ""};
  vouch_object_change_t object = {.id = VOUCH_OCTOMAP_ID, .operation = VOUCH_OPERATION_ADD};
  vouch_shape_t * boxes = NULL;
  vouch_pose_t * poses = NULL;
  if (vouch_value_is_null(value)) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = vouch_value_keys(document, value, "header origin octomap");
  ret = ret != VOUCH_RET_OK ? ret :
    vouch_value_header(document, vouch_value_get(value, "header"), &object.frame);
  ret = ret != VOUCH_RET_OK ? ret :
    vouch_value_pose(document, vouch_value_get(value, "origin"), "origin", &object.pose);
  ret = ret != VOUCH_RET_OK || tree == NULL ? ret : read_tree(document, tree, &octomap);
  if (ret != VOUCH_RET_OK || octomap.size == 0) {
    return ret;   // a scene without one is empty already, a diff leaves it as it is
  }
  ret = vouch_octomap_boxes(&octomap, &document->arena, &boxes, &poses, &object.count);
  object.shapes = boxes;
  object.poses = poses;
  if (ret == VOUCH_RET_OK && object.count > 0) {
    ret = vouch_scene_change_object(reader->scene, &object);
    ret = ret == VOUCH_RET_OK ? vouch_scene_settle(reader->scene, object.id) : ret;
  } else if (ret == VOUCH_RET_OK && vouch_scene_find(reader->scene, object.id) != VOUCH_NONE) {
    ret = vouch_scene_remove_object(reader->scene, object.id);
  }
  return ret == VOUCH_RET_OK ? ret : vouch_value_fail_at(ret, document, value);
}
