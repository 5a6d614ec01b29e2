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

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/mesh_file.h"
#include "support/data.h"

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

static vouch_ret_t parse(
  const void * data, size_t size, vouch_mesh_format_t format, vouch_mesh_t * m)
{
  *m = vouch_mesh_zero(vouch_allocator_default());
  return vouch_mesh_parse(m, "file", data, size, format);
}

/* The text must be refused, and the sentence must contain `part`. */
static void refused(const char * text, vouch_mesh_format_t format, const char * part)
{
  vouch_mesh_t m;
  assert_int_equal(parse(text, strlen(text), format, &m), VOUCH_RET_INVALID);
  if (strstr(vouch_error(), part) == NULL) {
    fail_msg("\"%s\" does not say \"%s\"", vouch_error(), part);
  }
  assert_int_equal(m.triangle_count, 0);
  vouch_mesh_fini(&m);
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

/* A triangle in centimetres, on a node that is moved by (0, 0, 100) and mirrored in x. */
static const char dae[] =
  "<?xml version=\"1.0\"?>\n"
  "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n"
  "<asset><unit name=\"centimeter\" meter=\"0.01\"/><up_axis>Z_UP</up_axis></asset>\n"
  "<library_geometries><geometry id=\"g\"><mesh>\n"
  "<source id=\"p\"><float_array id=\"a\" count=\"9\">0 0 0 100 0 0 0 100 0</float_array>\n"
  "<technique_common><accessor source=\"#a\" count=\"3\" stride=\"3\">\n"
  "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>\n"
  "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source>\n"
  "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\n"
  "<triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>\n"
  "<p>0 1 2</p></triangles></mesh></geometry></library_geometries>\n"
  "<library_visual_scenes><visual_scene id=\"s\"><node id=\"n\">\n"
  "<matrix>-1 0 0 0 0 1 0 0 0 0 1 100 0 0 0 1</matrix>\n"
  "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes>\n"
  "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>\n";

#if defined(VOUCH_HAVE_ASSIMP)
/* The file above with one text in the place of another. */
static void refused_instead(const char * old, const char * text, const char * sentence)
{
  char changed[4096];
  const char * at = strstr(dae, old);
  assert_non_null(at);
  snprintf(
    changed, sizeof(changed), "%.*s%s%s", (int)(at - dae), dae, text, at + strlen(old));
  refused(changed, VOUCH_MESH_DAE, sentence);
}
#endif

static void collada_that_assimp_would_cut_is_refused(void ** state)
{
  (void)state;
#if defined(VOUCH_HAVE_ASSIMP)
  static const char instance[] = "<instance_geometry url=\"#g\"/>";
  refused_instead(
    instance, "<instance_geometry url=\"#g\"/><instance_geometry url=\"#h\"/>", "names '#h'");
  refused_instead(
    instance, "<instance_geometry url=\"#g\"/><instance_node url=\"b.dae#n\"/>", "b.dae#n");
  refused_instead(instance, "<instance_controller url=\"#g\"/>", "bones");
  refused_instead(instance, "<scale>1 0 1</scale><instance_geometry url=\"#g\"/>", "<scale>");
  refused_instead("100 0 0 0 1</matrix>", "100 0 0 0 2</matrix>", "<matrix>");
  refused_instead("meter=\"0.01\"", "meter=\"0\"", "<unit>");
  refused_instead("meter=\"0.01\"", "meter=\"-1\"", "<unit>");
  refused_instead(instance, "<skew>1 0 0 1 0 1 0</skew><instance_geometry url=\"#g\"/>", "sheared");
  refused_instead(
    "</library_geometries>", "<geometry id=\"g\"><mesh/></geometry></library_geometries>",
    "a second <geometry> with the id 'g'");
  refused_instead(
    "</library_geometries>\n<library_visual_scenes><visual_scene id=\"s\"><node id=\"n\">",
    "<geometry id=\"h\"><spline/></geometry></library_geometries>\n<library_visual_scenes>"
    "<visual_scene id=\"s\"><node id=\"n\"><instance_geometry url=\"#h\"/>", "no <mesh>");
#endif
}

/* assimp reads as many faces as the count says, none without one, and ends the process over some. */
static void collada_faces_that_are_not_counted_are_refused(void ** state)
{
  (void)state;
#if defined(VOUCH_HAVE_ASSIMP)
  static const char * const faces[] = {
    "<triangles>%s<p>0 1 2</p></triangles>", "<triangles count='0'>%s<p>0 1 2</p></triangles>",
    "<triangles count='-1'>%s<p>0 1 2</p></triangles>",
    "<triangles count='one'>%s<p>0 1 2</p></triangles>",
    "<triangles count='1'>%s<p>0 1 2</p><p>0 1 2</p></triangles>",
    "<polylist count='0'>%s<vcount>3</vcount><p>0 1 2</p></polylist>",
    "<polylist count='1'>%s<p>0 1 2</p></polylist>",
    "<polylist count='1'>%s<p>0 1 2</p><vcount>3</vcount></polylist>",
    "<polygons>%s<p>0 1 2</p></polygons>",
    "<polygons count='1'>%s<p>0 1 2</p><ph><p>0 1 2</p></ph></polygons>",
    "<tristrips>%s<p>0 1 2</p></tristrips>",
    // Without these it would lose all faces, read others, or not come back.
    "<triangles count='1'>%s<p>0 1 2 0</p></triangles>",
    "<triangles count='1'>%s<p>0 1</p></triangles>",
    "<triangles count='1'>%s<p>0 1 x</p></triangles>",
    "<triangles count='1'>%s<p>0,1,2</p></triangles>",
    "<triangles count='1'>%s<p>0 1.0 2</p></triangles>",
    "<triangles count='1'>%s<p>0 -1 2</p></triangles>",
    "<polylist count='1'>%s<vcount>0</vcount><p>0 1 2</p></polylist>",
    "<polylist count='1'>%s<vcount>x</vcount><p>0 1 2</p></polylist>",
    "<polylist count='1'>%s<vcount>4</vcount><p>0 1 2</p></polylist>",
    "<polylist count='2'>%s<vcount>3</vcount><p>0 1 2 0 1 2</p></polylist>",
    "<polygons count='1'>%s<p>0 1 2;</p></polygons>"
  };
  char text[512];
  for (size_t i = 0; i < sizeof(faces) / sizeof(faces[0]); ++i) {
    char one[256];
    snprintf(one, sizeof(one), faces[i], "<input semantic='VERTEX' source='#v' offset='0'/>");
    snprintf(text, sizeof(text), "</vertices>\n%s", one);
    refused_instead("</vertices>\n", text, "count");
  }
  refused_instead(
    "</vertices>\n", "</vertices>\n<trifans count='1'><p>0 1 2</p></trifans>",
    "<trifans>");
  refused_instead("<matrix>", "<Scale>9 9 9</Scale><matrix>", "<Scale> in a <node> is not known");
  refused_instead("</triangles>", "</triangles><Lines/>", "<Lines> in a <mesh> is not known");
  // Coordinates that assimp would not find, or find behind the end of the array.
  refused_instead("name=\"X\"", "name=\"x\"", "X, Y and Z");
  refused_instead("<param name=\"Y\" type=\"float\"/>", "<param type=\"float\"/>", "X, Y and Z");
  refused_instead("<param name=\"Z\" type=\"float\"/>", "", "X, Y and Z");
  refused_instead("stride=\"3\"", "stride=\"2\"", "X, Y and Z");
  refused_instead("count=\"9\">0 0 0", "count=\"8\">0 0", "X, Y and Z");
  refused_instead("accessor source", "accessor offset=\"1\" source", "X, Y and Z");
  // Parts without faces, as some programs write them.
  char changed[4096];
  const char * at = strstr(dae, "</mesh>");
  snprintf(
    changed, sizeof(changed), "%.*s<triangles count='0'><p> </p></triangles><polylist count='0'>"
    "<vcount/><p/></polylist>%s", (int)(at - dae), dae, at);
  vouch_mesh_t m;
  assert_int_equal(parse(changed, strlen(changed), VOUCH_MESH_DAE, &m), VOUCH_RET_OK);
  assert_int_equal(m.triangle_count, 1);
  vouch_mesh_fini(&m);
#endif
}

static void collada_comes_in_metres_with_its_nodes_and_its_own_axes(void ** state)
{
  (void)state;
#if defined(VOUCH_HAVE_ASSIMP)
  vouch_mesh_t m;
  assert_int_equal(parse(dae, strlen(dae), VOUCH_MESH_DAE, &m), VOUCH_RET_OK);
  assert_int_equal(m.triangle_count, 1);
  assert_int_equal(m.vertex_count, 3);
  // (x, y, z) in cm -> node (-x, y, z + 100) -> metres. The mirror turns the triangle, so its
  // corners are p0, p2, p1.
  const double expected[3][3] = {{0, 0, 1}, {0, 1, 1}, {-1, 0, 1}};
  for (size_t c = 0; c < 3; ++c) {
    for (size_t i = 0; i < 3; ++i) {
      assert_true(fabs(m.vertices[m.triangles[0][c]][i] - expected[c][i]) < 1e-6);
    }
  }
  vouch_mesh_fini(&m);
  assert_true(vouch_mesh_dae_has_unit(dae, strlen(dae)));
  static const char metre[] = "<asset><unit name='meter' meter='1.0'/></asset>";
  assert_false(vouch_mesh_dae_has_unit(metre, strlen(metre)));
  assert_false(vouch_mesh_dae_has_unit("<unit meter", 11));
  assert_true(vouch_mesh_dae_has_unit("<unit meter='0,01'/>", 20));
  refused("<COLLADA", VOUCH_MESH_DAE, "file:1: this is not well-formed XML");
  refused("<COLLADA/>", VOUCH_MESH_DAE, "assimp");
#else
  refused(dae, VOUCH_MESH_DAE, "DAE needs assimp");
#endif
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
    cmocka_unit_test(collada_that_assimp_would_cut_is_refused),
    cmocka_unit_test(collada_faces_that_are_not_counted_are_refused),
    cmocka_unit_test(formats_come_from_names),
    cmocka_unit_test(collada_comes_in_metres_with_its_nodes_and_its_own_axes),
    cmocka_unit_test(shared_obj_files_have_their_triangles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
