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

/* STL. Binary: 80 bytes of anything, a 32-bit count, 50 bytes a triangle. Text: "solid ...".
 *
 * Many binary files begin with "solid" too, so a file whose size is exactly what its count says is
 * binary, whatever it begins with. */

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/text.h"
#include "read/mesh_file.h"
#include "read/scan.h"

enum {STL_HEADER = 84, STL_TRIANGLE = 50};

static uint32_t u32_at(const char * bytes)
{
  const unsigned char * b = (const unsigned char *)bytes;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double f32_at(const char * bytes)
{
  uint32_t bits = u32_at(bytes);
  float value;
  memcpy(&value, &bits, sizeof(value));
  return (double)value;
}

/* The last three vertices make a triangle. */
static vouch_ret_t add_triangle(vouch_mesh_t * mesh, const char * name)
{
  if (mesh->vertex_count > UINT32_MAX) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "%s: more than 2^32 vertices", name);
  }
  uint32_t first = (uint32_t)(mesh->vertex_count - 3);
  return vouch_mesh_add_triangle(mesh, first, first + 1, first + 2);
}

static vouch_ret_t read_binary(
  vouch_mesh_t * mesh, const char * name, const char * data, uint32_t count)
{
  for (uint32_t t = 0; t < count; ++t) {
    const char * corners = data + STL_HEADER + (size_t)t * STL_TRIANGLE + 12;   // behind the normal
    for (size_t corner = 0; corner < 3; ++corner) {
      double v[3];
      for (size_t axis = 0; axis < 3; ++axis) {
        v[axis] = f32_at(corners + 12 * corner + 4 * axis);
        if (!isfinite(v[axis])) {
          return vouch_fail(
            VOUCH_RET_INVALID, "%s: triangle %lu has a coordinate that is not finite", name,
            (unsigned long)t);
        }
      }
      vouch_ret_t ret = vouch_mesh_add_vertex(mesh, v);
      if (ret != VOUCH_RET_OK) {
        return ret;
      }
    }
    vouch_ret_t ret = add_triangle(mesh, name);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  return VOUCH_RET_OK;
}

static bool expect(vouch_scan_t * scan, const char * word)
{
  return vouch_scan_word(scan) && strcasecmp(scan->word, word) == 0;
}

static bool read_vertex(vouch_scan_t * scan, double v[3])
{
  if (!expect(scan, "vertex")) {
    return false;
  }
  for (size_t axis = 0; axis < 3; ++axis) {
    if (!vouch_scan_word(scan) || !vouch_scan_number(scan, &v[axis])) {
      return false;
    }
  }
  return true;
}

/* Behind "facet". Normals are not used: real files have "nan nan nan" there. */
static vouch_ret_t read_facet(vouch_mesh_t * mesh, const char * name, vouch_scan_t * scan)
{
  bool ok = expect(scan, "normal") && vouch_scan_word(scan) && vouch_scan_word(scan) &&
    vouch_scan_word(scan) && expect(scan, "outer") && expect(scan, "loop");
  for (size_t corner = 0; ok && corner < 3; ++corner) {
    double v[3];
    ok = read_vertex(scan, v);
    if (ok) {
      vouch_ret_t ret = vouch_mesh_add_vertex(mesh, v);
      if (ret != VOUCH_RET_OK) {
        return ret;
      }
    }
  }
  if (!ok || !expect(scan, "endloop") || !expect(scan, "endfacet")) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s:%lu: triangle %zu of this text STL is cut off or damaged near \"%s\"",
      name, scan->line, mesh->triangle_count, scan->word);
  }
  return add_triangle(mesh, name);
}

/* Behind "solid" and "endsolid" (last) the rest of the line is a name, and what else stands there would
 * be lost: a triangle, or the next solid. */
static bool line_holds_more(const vouch_scan_t * scan, bool last)
{
  size_t left = (size_t)(scan->end - scan->at);
  const char * newline = left == 0 ? NULL : memchr(scan->at, '\n', left);
  vouch_scan_t line = vouch_scan_begin(
    scan->at, newline == NULL ? left : (size_t)(newline - scan->at));
  bool facet = false, found = false;
  while (!found && vouch_scan_word(&line)) {
    found = (facet && strcasecmp(line.word, "normal") == 0) ||
      (last && strcasecmp(line.word, "solid") == 0);
    facet = strcasecmp(line.word, "facet") == 0;
  }
  return found;
}

static vouch_ret_t read_text(
  vouch_mesh_t * mesh, const char * name, const char * data, size_t size)
{
  vouch_scan_t scan = vouch_scan_begin(data, size);
  bool inside = false;
  vouch_ret_t lines = vouch_scan_check_lines(name, data, size);
  if (lines != VOUCH_RET_OK) {
    return lines;
  }
  while (vouch_scan_word(&scan)) {
    if (inside && strcasecmp(scan.word, "facet") == 0) {
      vouch_ret_t ret = read_facet(mesh, name, &scan);
      if (ret != VOUCH_RET_OK) {
        return ret;
      }
    } else if (strcasecmp(scan.word, inside ? "endsolid" : "solid") == 0) {
      if (line_holds_more(&scan, inside)) {
        return vouch_fail(
          VOUCH_RET_INVALID, "%s:%lu: what follows on the line of \"%s\" would be taken for its name; "
          "put it on a line of its own", name, scan.line,
          scan.word);
      }
      inside = !inside;
      (void)vouch_scan_next_line(&scan);
    } else {
      return vouch_fail(
        VOUCH_RET_INVALID, "%s:%lu: \"%s\" where a text STL has \"%s\"", name, scan.line,
        scan.word, inside ? "facet" : "solid");
    }
  }
  if (inside) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s:%lu: the text STL ends without \"endsolid\"; is it cut off?", name,
      scan.line);
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_mesh_read_stl(
  vouch_mesh_t * mesh, const char * name, const char * data, size_t size)
{
  uint32_t count = size >= STL_HEADER ? u32_at(data + 80) : 0;
  uint64_t expected = STL_HEADER + (uint64_t)count * STL_TRIANGLE;
  if (size >= STL_HEADER && size == expected) {
    return read_binary(mesh, name, data, count);
  }
  vouch_scan_t scan = vouch_scan_begin(data, size);
  if (expect(&scan, "solid")) {
    return read_text(mesh, name, data, size);
  }
  if (size < STL_HEADER) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s: %zu bytes are too few for an STL file", name, size);
  }
  return vouch_fail(
    VOUCH_RET_INVALID,
    "%s: this binary STL says %lu triangles, which take %llu bytes, but it has %zu bytes; export "
    "it again", name, (unsigned long)count, (unsigned long long)expected, size);
}
