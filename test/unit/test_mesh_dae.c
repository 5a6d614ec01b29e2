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

/* COLLADA: metres and nodes as the file says; what assimp would change or lose is refused. */

#include <math.h>
#include <stdio.h>

#include "test_mesh_fixture.h"

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

/* It follows nodes that lead back to themselves until the stack ends. */
static void collada_nodes_that_lead_in_circles_are_refused(void ** state)
{
  (void)state;
#if defined(VOUCH_HAVE_ASSIMP)
  static const char instance[] = "<instance_geometry url=\"#g\"/>";
  refused_instead(
    instance, "<instance_geometry url=\"#g\"/><instance_node url=\"#n\"/>", "circle");
  refused_instead(
    instance, "<instance_geometry url=\"#g\"/><node id='m'><instance_node url='#n'/></node>",
    "circle");
  // Ten of ten of ten ...
  char text[3000];
  int size = snprintf(text, sizeof(text), "</library_geometries><library_nodes>");
  for (int i = 0; i < 8; ++i) {
    size += snprintf(text + size, sizeof(text) - (size_t)size, "<node id='n%d'>", i);
    for (int k = 0; k < 10; ++k) {
      size += snprintf(
        text + size, sizeof(text) - (size_t)size, "<instance_node url='#n%d'/>", i + 1);
    }
    size += snprintf(text + size, sizeof(text) - (size_t)size, "</node>");
  }
  (void)snprintf(
    text + size, sizeof(text) - (size_t)size,
    "<node id='n8'/></library_nodes><library_visual_scenes><visual_scene id='t'><node>"
    "<instance_node url='#n0'/></node></visual_scene></library_visual_scenes>");
  refused_instead("</library_geometries>", text, "circle");
  refused_instead(
    instance, "<instance_geometry url=\"#g\"/></node><node id='n'/><node>"
    "<instance_node url='#n'/>", "a second <node> with the id 'n'");
  // Twice is no circle, and of two cameras with one id nobody asks for one.
  static const char twice[] =
    "<instance_geometry url=\"#g\"/></node><node id='o'><instance_node url='#n'/></node>"
    "<node id='c'/><node id='c'/><node><instance_node url='#n'/><instance_node url='#o'/>";
  char changed[4096];
  const char * at = strstr(dae, instance);
  snprintf(
    changed, sizeof(changed), "%.*s%s%s", (int)(at - dae), dae, twice, at + strlen(instance));
  vouch_mesh_t m;
  assert_int_equal(parse(changed, strlen(changed), VOUCH_MESH_DAE, &m), VOUCH_RET_OK);
  assert_int_equal(m.triangle_count, 4);
  vouch_mesh_fini(&m);
#endif
}

/* It reads them as other numbers, or makes bodies larger and sheared with them. */
static void collada_numbers_that_assimp_reads_otherwise_are_refused(void ** state)
{
  (void)state;
#if defined(VOUCH_HAVE_ASSIMP)
  static const char corners[] = "0 0 0 100 0 0";
  refused_instead(corners, "0 0 0 100000000000000000000000e-21 0 0", "X, Y and Z");   // as 0
  refused_instead(corners, "0 0 0 1,5 0 0", "X, Y and Z");
  refused_instead(corners, "0 0 0 0x1p2 0 0", "X, Y and Z");
  refused_instead(corners, "0 0 0 100 0 0 7", "X, Y and Z");
  refused_instead("accessor source=\"#a\"", "accessor source=\"#b\"", "X, Y and Z");
  refused_instead("</vertices>", "</vertices><vertices id=\"v\"/>", "a second <vertices>");
  static const char * const moves[] = {
    "<rotate>0 0 2 90</rotate>", "<rotate>0 0 0 90</rotate>", "<rotate>0 0 1</rotate>",
    "<translate>1 2 3 4</translate>", "<translate>1,5 0 0</translate>",
    "<scale>1 1 1 1</scale>", "<lookat>1 2 3 0 0 0 0 0 1</lookat>"
  };
  for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); ++i) {
    char text[128];
    snprintf(text, sizeof(text), "%s<matrix>", moves[i]);
    refused_instead("<matrix>", text, "keeps a body's size");
  }
  refused_instead("<unit name", "<Unit name", "<Unit>");
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

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(collada_that_assimp_would_cut_is_refused),
    cmocka_unit_test(collada_faces_that_are_not_counted_are_refused),
    cmocka_unit_test(collada_nodes_that_lead_in_circles_are_refused),
    cmocka_unit_test(collada_numbers_that_assimp_reads_otherwise_are_refused),
    cmocka_unit_test(collada_comes_in_metres_with_its_nodes_and_its_own_axes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
