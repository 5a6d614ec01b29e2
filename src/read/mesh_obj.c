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

/* Wavefront OBJ: v and f. Polygons become fans, which cover at least the polygon. Normals,
 * textures, groups, materials, points and lines have no part in collisions and are ignored;
 * free-form surfaces, weights, other files and words that the format does not have are refused. */

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "read/mesh_file.h"
#include "read/scan.h"

typedef struct obj_s
{
  vouch_mesh_t * mesh;
  const char * name;
  vouch_scan_t scan;
  size_t vertex_total;   // in the whole file: faces may name vertices that come later
} obj_t;

static size_t count_vertices(const char * data, size_t size)
{
  vouch_scan_t scan = vouch_scan_begin(data, size);
  size_t count = 0;
  do {
    if (vouch_scan_word_in_line(&scan) && strcmp(scan.word, "v") == 0) {
      ++count;
    }
  } while (vouch_scan_next_line(&scan));
  return count;
}

static vouch_ret_t read_vertex(obj_t * obj)
{
  double v[3];
  for (size_t axis = 0; axis < 3; ++axis) {
    if (!vouch_scan_word_in_line(&obj->scan) || !vouch_scan_number(&obj->scan, &v[axis])) {
      return vouch_fail(
        VOUCH_RET_INVALID, "%s:%lu: a vertex needs three finite numbers", obj->name,
        obj->scan.line);
    }
  }
  // One number more is a weight, which divides the others; three or four are a colour.
  double first = 1.0, number = 1.0;
  size_t more = 0;
  for (; vouch_scan_word_in_line(&obj->scan) && obj->scan.word[0] != '#'; ++more) {
    if (!vouch_scan_number(&obj->scan, more == 0 ? &first : &number)) {
      return vouch_fail(
        VOUCH_RET_INVALID, "%s:%lu: \"%s\" behind the coordinates of a vertex", obj->name,
        obj->scan.line, obj->scan.word);
    }
  }
  if (more > 4 || more == 2 || (more == 1 && first != 1.0)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s:%lu: a vertex with a weight other than 1, or with %zu numbers; export "
      "plain coordinates", obj->name, obj->scan.line, 3 + more);
  }
  return vouch_mesh_add_vertex(obj->mesh, v);
}

/* "7", "7/1", "7//3", "7/1/3", "-1": a vertex, counted from 1, or from the last backwards. */
static bool parse_corner(const obj_t * obj, const char * word, uint32_t * vertex)
{
  if (obj->scan.cut) {
    return false;
  }
  bool backwards = *word == '-';
  word += backwards || *word == '+';
  uint64_t number = 0;
  const char * p = word;
  for (; *p >= '0' && *p <= '9' && number <= UINT32_MAX; ++p) {
    number = 10 * number + (uint64_t)(*p - '0');
  }
  if (p == word || (*p != '\0' && *p != '/') || number == 0) {
    return false;
  }
  if (backwards) {
    if (number > obj->mesh->vertex_count) {
      return false;
    }
    number = obj->mesh->vertex_count - number + 1;
  }
  if (number > obj->vertex_total || number > UINT32_MAX) {
    return false;
  }
  *vertex = (uint32_t)(number - 1);
  return true;
}

static vouch_ret_t read_face(obj_t * obj)
{
  uint32_t first = 0, last = 0;
  size_t corners = 0;
  while (vouch_scan_word_in_line(&obj->scan) && obj->scan.word[0] != '#') {
    uint32_t vertex;
    if (!parse_corner(obj, obj->scan.word, &vertex)) {
      return vouch_fail(
        VOUCH_RET_INVALID,
        "%s:%lu: the face names vertex \"%s\", but the file has vertices 1 to %zu", obj->name,
        obj->scan.line, obj->scan.word, obj->vertex_total);
    }
    first = corners == 0 ? vertex : first;
    if (corners >= 2) {
      vouch_ret_t ret = vouch_mesh_add_triangle(obj->mesh, first, last, vertex);
      if (ret != VOUCH_RET_OK) {
        return ret;
      }
    }
    last = vertex;
    ++corners;
  }
  if (corners < 3) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s:%lu: a face needs at least three vertices, this one has %zu",
      obj->name, obj->scan.line, corners);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_statement(obj_t * obj)
{
  if (!vouch_scan_word_in_line(&obj->scan)) {
    return VOUCH_RET_OK;
  }
  if (strcmp(obj->scan.word, "v") == 0) {
    return read_vertex(obj);
  }
  if (strcmp(obj->scan.word, "f") == 0 || strcmp(obj->scan.word, "fo") == 0) {
    return read_face(obj);
  }
  if (vouch_word_in("surf bzp bsp cdc cdp call csh", obj->scan.word)) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s:%lu: free-form surfaces and other files (\"%s\") are not read; "
      "export the mesh as triangles", obj->name, obj->scan.line, obj->scan.word);
  }
  static const char without_body[] =
    "vn vt vp g o s l p mg mtllib usemtl maplib usemap bevel c_interp d_interp lod shadow_obj "
    "trace_obj ctech stech cstype deg bmat step res curv curv2 parm trim hole scrv sp end con";
  double number;   // FCL's files begin with how many there are
  const bool counts = obj->mesh->vertex_count == 0 && vouch_scan_number(&obj->scan, &number);
  return counts || obj->scan.word[0] == '#' || vouch_word_in(without_body, obj->scan.word) ?
         VOUCH_RET_OK : vouch_fail(
    VOUCH_RET_INVALID, "%s:%lu: \"%s\" is no word of an OBJ file; what it says would be lost",
    obj->name, obj->scan.line, obj->scan.word);
}

vouch_ret_t vouch_mesh_read_obj(
  vouch_mesh_t * mesh, const char * name, const char * data, size_t size)
{
  if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {   // UTF-8's mark
    data += 3;
    size -= 3;
  }
  vouch_ret_t lines = vouch_scan_check_lines(name, data, size);
  if (lines != VOUCH_RET_OK) {
    return lines;
  }
  obj_t obj = {
    .mesh = mesh, .name = name, .scan = vouch_scan_begin(data, size),
    .vertex_total = count_vertices(data, size)
  };
  do {
    vouch_ret_t ret = read_statement(&obj);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  } while (vouch_scan_next_line(&obj.scan));
  return VOUCH_RET_OK;
}
