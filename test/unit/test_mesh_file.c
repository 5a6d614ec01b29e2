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

/* Mesh files: what is read, and that everything damaged is refused with a place. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/data.h"
#include "test_mesh_fixture.h"

typedef struct bytes_s
{
  char data[4096];
  size_t size;
} bytes_t;

static void put(bytes_t * b, const void * data, size_t size)
{
  assert_true(b->size + size <= sizeof(b->data));
  memcpy(b->data + b->size, data, size);
  b->size += size;
}

static void put_u32(bytes_t * b, uint32_t v)
{
  const unsigned char bytes[4] = {
    (unsigned char)v, (unsigned char)(v >> 8), (unsigned char)(v >> 16), (unsigned char)(v >> 24)
  };
  put(b, bytes, 4);
}

static void put_f32(bytes_t * b, float v)
{
  uint32_t bits;
  memcpy(&bits, &v, 4);
  put_u32(b, bits);
}

static const float tetra[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int tetra_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

/* A binary STL of a tetrahedron whose header begins with `head`. */
static bytes_t binary_tetra(const char * head)
{
  bytes_t b = {.size = 0};
  char header[80] = {0};
  memcpy(header, head, strlen(head));
  put(&b, header, 80);
  put_u32(&b, 4);
  for (int f = 0; f < 4; ++f) {
    for (int i = 0; i < 3; ++i) {
      put_f32(&b, 0.0f);
    }
    for (int c = 0; c < 3; ++c) {
      for (int i = 0; i < 3; ++i) {
        put_f32(&b, tetra[tetra_faces[f][c]][i]);
      }
    }
    put(&b, "\0\0", 2);
  }
  return b;
}

static void assert_tetra(const void * data, size_t size, vouch_mesh_format_t format)
{
  vouch_mesh_t m;
  assert_int_equal(parse(data, size, format, &m), VOUCH_RET_OK);
  assert_int_equal(m.vertex_count, 4);
  assert_int_equal(m.triangle_count, 4);
  double volume = 0.0;   // six times, by the divergence theorem: sees positions and orientation
  for (size_t t = 0; t < 4; ++t) {
    const double * a = m.vertices[m.triangles[t][0]];
    const double * b = m.vertices[m.triangles[t][1]];
    const double * c = m.vertices[m.triangles[t][2]];
    volume += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  assert_true(volume == 1.0);
  vouch_mesh_fini(&m);
}

static void binary_stl_is_read_whatever_its_header_says(void ** state)
{
  (void)state;
  bytes_t plain = binary_tetra("made by a test");
  assert_tetra(plain.data, plain.size, VOUCH_MESH_STL);
  bytes_t trap = binary_tetra("solid tetra");
  assert_tetra(trap.data, trap.size, VOUCH_MESH_STL);
}

static void binary_stl_of_a_wrong_length_is_refused(void ** state)
{
  (void)state;
  bytes_t b = binary_tetra("x");
  for (size_t size = 0; size < b.size; ++size) {
    vouch_mesh_t m;
    assert_int_equal(parse(b.data, size, VOUCH_MESH_STL, &m), VOUCH_RET_INVALID);
    vouch_mesh_fini(&m);
  }
  bytes_t longer = b;
  put(&longer, "z", 1);
  vouch_mesh_t m;
  assert_int_equal(parse(longer.data, longer.size, VOUCH_MESH_STL, &m), VOUCH_RET_INVALID);
  bytes_t huge = b;
  memset(huge.data + 80, 0xff, 4);   // 4 G triangles
  assert_int_equal(parse(huge.data, huge.size, VOUCH_MESH_STL, &m), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "4294967295"));
  bytes_t none = {.size = 0};
  put(&none, (char[80]) {0}, 80);
  put_u32(&none, 0);
  assert_int_equal(parse(none.data, none.size, VOUCH_MESH_STL, &m), VOUCH_RET_INVALID);
}

static void binary_stl_with_nan_names_the_triangle(void ** state)
{
  (void)state;
  const float bad[2] = {NAN, INFINITY};
  for (int i = 0; i < 2; ++i) {
    bytes_t b = binary_tetra("x");
    memcpy(b.data + 84 + 2 * 50 + 12 + 4, &bad[i], 4);
    vouch_mesh_t m;
    assert_int_equal(parse(b.data, b.size, VOUCH_MESH_STL, &m), VOUCH_RET_INVALID);
    assert_non_null(strstr(vouch_error(), "triangle 2"));
  }
}

static const char text_stl[] =
  "solid a name with facet in it\n"
  "  FACET Normal nan nan nan\n    outer loop\n      vertex 0 0 0\n      Vertex 0 1.0e0 0\n"
  "      vertex 1 0 0\n    endloop\n  endfacet\r\n"
  "facet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 0 1 endloop endfacet\n"
  "endsolid a name\n"
  "solid second\n"
  "facet normal 0 0 0\touter loop vertex 0 0 0 vertex 0 0 1 vertex 0 1 0 endloop endfacet\n"
  "facet normal 0 0 0 outer loop vertex 1 0 0 vertex 0 1 0 vertex 0 0 1 endloop endfacet\n"
  "endsolid";

static void text_stl_is_read(void ** state)
{
  (void)state;
  assert_tetra(text_stl, strlen(text_stl), VOUCH_MESH_STL);
}

static void damaged_text_stl_is_refused(void ** state)
{
  (void)state;
  for (size_t size = 0; size + strlen("endsolid") < strlen(text_stl); ++size) {
    vouch_mesh_t m;
    vouch_ret_t ret = parse(text_stl, size, VOUCH_MESH_STL, &m);
    // Cut between the two solids, the text is whole.
    bool whole = size >= strlen("endsolid") && strstr(text_stl, "solid second") != NULL &&
      size <= (size_t)(strstr(text_stl, "solid second") - text_stl) &&
      size >= (size_t)(strstr(text_stl, "endsolid") - text_stl) + strlen("endsolid");
    assert_int_equal(ret, whole ? VOUCH_RET_OK : VOUCH_RET_INVALID);
    vouch_mesh_fini(&m);
  }
  refused("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan", VOUCH_MESH_STL, "file:4");
  refused("solid\nfact normal", VOUCH_MESH_STL, "\"fact\"");
  refused("solid\nendsolid\n", VOUCH_MESH_STL, "file");
  refused(
    "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 vertex 1 1 0 "
    "endloop endfacet endsolid", VOUCH_MESH_STL, "triangle 0");
}

#define FACET " normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet"

static void text_stl_loses_no_triangle_to_a_name(void ** state)
{
  (void)state;
  refused("solid a facet" FACET "\nfacet" FACET "\nendsolid a", VOUCH_MESH_STL, "file:1");
  refused("solid a\nfacet" FACET "\nendsolid a solid b Facet" FACET, VOUCH_MESH_STL, "file:3");
  refused(
    "solid a\nfacet" FACET "\nendsolid a solid b\nfacet" FACET "\nendsolid", VOUCH_MESH_STL,
    "file:3");
  refused(
    "solid a\nfacet" FACET "\nendsolid\rsolid b\rfacet" FACET "\rendsolid", VOUCH_MESH_STL,
    "file:3: a line ends with a carriage return alone");
  vouch_mesh_t m;
  const char * named = "solid C:\\one facet\\\nfacet" FACET "\nendsolid facet\n";
  assert_int_equal(parse(named, strlen(named), VOUCH_MESH_STL, &m), VOUCH_RET_OK);
  assert_int_equal(m.triangle_count, 1);
  vouch_mesh_fini(&m);
}

static void obj_is_read_with_all_kinds_of_indices(void ** state)
{
  (void)state;
  const char obj[] =
    "# a tetrahedron\nmtllib x.mtl\nv 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0\n"
    "f 1 3/7 2//5\nf 1/1/1 2 4\nv 0 0 1\nvn 0 0 1\nvt 0 0\no thing\ns off\nf -4 -1 -2\n"
    "f 2 \\\n 3 4 # a comment\nl 1 2\n";
  assert_tetra(obj, strlen(obj), VOUCH_MESH_OBJ);
}

/* Else its first vertex would be lost and each face would name the next ones. */
static void obj_may_begin_with_the_mark_of_utf8(void ** state)
{
  (void)state;
  const char obj[] =
    "\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 5 5 5\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"
    "f 2 3 4\n";
  vouch_mesh_t m;
  assert_int_equal(parse(obj, strlen(obj), VOUCH_MESH_OBJ, &m), VOUCH_RET_OK);
  assert_int_equal(m.triangle_count, 4);
  for (int axis = 0; axis < 3; ++axis) {
    assert_true(m.vertices[m.triangles[0][0]][axis] == 0.0);
  }
  vouch_mesh_fini(&m);
}

static void obj_polygons_become_fans(void ** state)
{
  (void)state;
  const char obj[] = "v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nv 0 1 0\r\nv -1 .5 0\r\nf 1 2 3 4 5\r\n";
  vouch_mesh_t m;
  assert_int_equal(parse(obj, strlen(obj), VOUCH_MESH_OBJ, &m), VOUCH_RET_OK);
  assert_int_equal(m.triangle_count, 3);
  assert_int_equal(m.vertex_count, 5);
  for (uint32_t i = 0; i < 3; ++i) {
    assert_int_equal(m.triangles[i][0], 0);
    assert_int_equal(m.triangles[i][1], i + 1);
    assert_int_equal(m.triangles[i][2], i + 2);
  }
  vouch_mesh_fini(&m);
}

static void wrong_obj_is_refused_with_its_line(void ** state)
{
  (void)state;
  refused("v 0 0 0\nv 1 0 0\nv 0 1 0\rf 1 2 3\n", VOUCH_MESH_OBJ, "file:3: a line ends");
  refused("v 0 0 0 v 1 0 0\n", VOUCH_MESH_OBJ, "file:1: \"v\" behind the coordinates");
  refused("v 0 0 0 1 1\n", VOUCH_MESH_OBJ, "file:1");
  refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", VOUCH_MESH_OBJ, "file:4");
  refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", VOUCH_MESH_OBJ, "file:4");
  refused("v 0 0 0\nv 1 0 0\nf 1 2 -3\nv 0 1 0\n", VOUCH_MESH_OBJ, "file:3");
  refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n", VOUCH_MESH_OBJ, "file:4");
  refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3x\n", VOUCH_MESH_OBJ, "\"3x\"");
  refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", VOUCH_MESH_OBJ, "three");
  refused("v 0 0\n", VOUCH_MESH_OBJ, "file:1");
  refused("v 0 0 nan\n", VOUCH_MESH_OBJ, "file:1");
  refused("v 0 0 0\nsurf 0 1 0 1 1 2 3 4\n", VOUCH_MESH_OBJ, "free-form");
  refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nF 1 2 3\n", VOUCH_MESH_OBJ, "file:5: \"F\"");
  refused("v 0 0 0\nV 9 9 9\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", VOUCH_MESH_OBJ, "file:2: \"V\"");
  refused("v 0 0 0\ncall other.obj\n", VOUCH_MESH_OBJ, "file:2");
  refused("v 0 0 0 0.5\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", VOUCH_MESH_OBJ, "file:1: a vertex with a");
  refused("v 0 0 0\nv 1 0 0\nv 0 1 0\n", VOUCH_MESH_OBJ, "file");
  refused("v 1e7 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", VOUCH_MESH_OBJ, "file");
  refused("", VOUCH_MESH_OBJ, "file");
}

/* A word that is too long to be kept must not be read as its first digits. */
static void numbers_that_are_too_long_are_refused(void ** state)
{
  (void)state;
  char zeros[101], text[512];
  memset(zeros, '0', 100);
  zeros[100] = '\0';
  // 5e-2, written with a hundred zeros.
  snprintf(
    text, sizeof(text), "v 0 0 0\nv 5%se-102 0 0\nv 0 1 0\nf 1 2 3\n", zeros);
  refused(text, VOUCH_MESH_OBJ, "file:2");
  snprintf(text, sizeof(text), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 %s3\n", zeros);
  refused(text, VOUCH_MESH_OBJ, "file:4");
  snprintf(
    text, sizeof(text), "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0\n"
    "vertex 0 1%se-100 0 endloop endfacet endsolid\n", zeros);
  refused(text, VOUCH_MESH_STL, "file:3");
}

static void formats_come_from_names(void ** state)
{
  (void)state;
  assert_int_equal(vouch_mesh_format_of("/a/b.STL"), VOUCH_MESH_STL);
  assert_int_equal(vouch_mesh_format_of("b.Obj"), VOUCH_MESH_OBJ);
  assert_int_equal(vouch_mesh_format_of("x.stl/b.dae"), VOUCH_MESH_DAE);
  assert_int_equal(vouch_mesh_format_of("x.stl/b"), VOUCH_MESH_UNKNOWN);
  vouch_mesh_t m = vouch_mesh_zero(vouch_allocator_default());
  assert_int_equal(vouch_mesh_load(&m, "/nowhere/part.step"), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), ".stl"));
  assert_int_equal(vouch_mesh_load(&m, "/nowhere/part.stl"), VOUCH_RET_IO);
  assert_non_null(strstr(vouch_error(), "/nowhere/part.stl"));
}

static void shared_obj_files_have_their_triangles(void ** state)
{
  (void)state;
  char path[4096];
  if (test_data_path("fcl/test/fcl_resources/env.obj", path, sizeof(path)) == NULL) {
    skip();
  }
  vouch_mesh_t m = vouch_mesh_zero(vouch_allocator_default());
  assert_int_equal(vouch_mesh_load(&m, path), VOUCH_RET_OK);
  assert_int_equal(m.triangle_count, 2180);
  vouch_mesh_fini(&m);
  assert_non_null(test_data_path("fcl/test/fcl_resources/rob.obj", path, sizeof(path)));
  m = vouch_mesh_zero(vouch_allocator_default());
  assert_int_equal(vouch_mesh_load(&m, path), VOUCH_RET_OK);
  assert_int_equal(m.triangle_count, 216);
  vouch_mesh_fini(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(binary_stl_is_read_whatever_its_header_says),
    cmocka_unit_test(binary_stl_of_a_wrong_length_is_refused),
    cmocka_unit_test(binary_stl_with_nan_names_the_triangle),
    cmocka_unit_test(text_stl_is_read),
    cmocka_unit_test(damaged_text_stl_is_refused),
    cmocka_unit_test(text_stl_loses_no_triangle_to_a_name),
    cmocka_unit_test(obj_is_read_with_all_kinds_of_indices),
    cmocka_unit_test(obj_may_begin_with_the_mark_of_utf8),
    cmocka_unit_test(obj_polygons_become_fans),
    cmocka_unit_test(wrong_obj_is_refused_with_its_line),
    cmocka_unit_test(numbers_that_are_too_long_are_refused),
    cmocka_unit_test(formats_come_from_names),
    cmocka_unit_test(shared_obj_files_have_their_triangles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
