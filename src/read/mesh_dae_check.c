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

/* What assimp's COLLADA reader leaves out, or reads as something else, without a word is refused here:
 * instances of what is not in the file, a second element with the same id, geometry that is no
 * <mesh>, skins, fans, sheared nodes, faces that are not counted or numbered, words it does not know.
 * Some of these it does not survive. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "read/mesh_file.h"
#include "read/xml.h"

typedef struct collada_s
{
  const vouch_xml_t * document;
  const char * data;                    // what was parsed
  const vouch_xml_element_t ** named;   // geometries and nodes, by kind and id
  size_t count;
} collada_t;

static bool is(const vouch_xml_element_t * element, const char * name)
{
  return strcmp(element->name, name) == 0;
}

/// Depth-first; NULL behind the last element.
static const vouch_xml_element_t * next_element(const vouch_xml_element_t * element)
{
  if (element->first_child != NULL) {
    return element->first_child;
  }
  while (element != NULL && element->next == NULL) {
    element = element->parent;
  }
  return element == NULL ? NULL : element->next;
}

static bool has_id(const vouch_xml_element_t * element)
{
  return (is(element, "geometry") || is(element, "node")) &&
         vouch_xml_attribute(element, "id") != NULL;
}

static int compare(const void * x, const void * y)
{
  const vouch_xml_element_t * a = *(const vouch_xml_element_t * const *)x;
  const vouch_xml_element_t * b = *(const vouch_xml_element_t * const *)y;
  const int kind = strcmp(a->name, b->name);
  return kind != 0 ? kind :
         strcmp(vouch_xml_attribute(a, "id"), vouch_xml_attribute(b, "id"));
}

static vouch_ret_t collect(collada_t * collada, vouch_arena_t * arena)
{
  size_t count = 0;
  for (const vouch_xml_element_t * e = collada->document->root; e != NULL; e = next_element(e)) {
    count += has_id(e);
  }
  collada->named = vouch_arena_calloc(arena, count, sizeof(*collada->named));
  if (collada->named == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (const vouch_xml_element_t * e = collada->document->root; e != NULL; e = next_element(e)) {
    if (has_id(e)) {
      collada->named[collada->count++] = e;
    }
  }
  qsort(collada->named, count, sizeof(*collada->named), compare);
  for (size_t i = 1; i < count; ++i) {
    if (compare(&collada->named[i - 1], &collada->named[i]) == 0) {
      return vouch_xml_fail(
        collada->document, collada->named[i], "a second <%s> with the id '%s'",
        collada->named[i]->name, vouch_xml_attribute(collada->named[i], "id"));
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t check_instance(
  const collada_t * collada, const vouch_xml_element_t * element, const char * kind)
{
  const char * url = NULL;
  vouch_ret_t ret = vouch_xml_required(collada->document, element, "url", &url);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const char * attributes[] = {"id", url + 1, NULL};
  const vouch_xml_element_t wanted = {.name = kind, .attributes = attributes};
  const vouch_xml_element_t * key = &wanted;
  const vouch_xml_element_t ** found = url[0] != '#' || collada->count == 0 ? NULL : bsearch(
    &key, collada->named, collada->count, sizeof(*collada->named), compare);
  if (found == NULL) {
    return vouch_xml_fail(
      collada->document, element, "<%s> names '%.200s', which this file does not have",
      element->name, url);
  }
  vouch_xml_element_t * mesh = NULL;
  ret = vouch_xml_only_child(collada->document, *found, "mesh", &mesh);
  if (ret == VOUCH_RET_OK && mesh == NULL && is(*found, "geometry")) {
    ret = vouch_xml_fail(
      collada->document, *found, "this <geometry> is no <mesh>; export it as triangles");
  }
  return ret;
}

static size_t count_children(
  const vouch_xml_element_t * element, const char * name, const vouch_xml_element_t ** first)
{
  size_t count = 0;
  *first = NULL;
  for (const vouch_xml_element_t * e = element->first_child; e != NULL; e = e->next) {
    // The <p> of a polygon with holes, which assimp refuses, or without any.
    const vouch_xml_element_t * child = is(e, "ph") && e->first_child != NULL ? e->first_child : e;
    if (is(child, name)) {
      *first = count == 0 ? child : *first;
      count += 1;
    }
  }
  return count;
}

/// Whole numbers between the tags of an element: how many, and their sum. False: something else is
/// there, which assimp takes for an end, or never leaves behind.
static bool whole_numbers(
  const collada_t * collada, const vouch_xml_element_t * element, double * count, double * sum)
{
  double number = 0.0;
  bool inside = false;
  *count = *sum = 0.0;
  for (size_t i = element->begin; i <= element->end; ++i) {
    const char c = i < element->end ? collada->data[i] : ' ';
    if (c >= '0' && c <= '9') {
      number = 10.0 * number + (c - '0');
      inside = true;
    } else if (c != '\0' && strchr(" \t\r\n", c) != NULL) {
      *count += inside ? 1.0 : 0.0;
      *sum += number;
      number = 0.0;
      inside = false;
    } else {
      return false;
    }
  }
  return true;
}

/// How many numbers of <p> a corner takes: one more than the largest offset of an input.
static bool corner_size(
  const collada_t * collada, const vouch_xml_element_t * faces, double * size)
{
  *size = 1.0;
  for (const vouch_xml_element_t * e = faces->first_child; e != NULL; e = e->next) {
    double offset = 0.0;
    if (is(e, "input")) {
      if (vouch_xml_numbers(collada->document, e, "offset", &offset, 1) != VOUCH_RET_OK ||
        !(offset >= 0.0 && offset == floor(offset)))
      {
        return false;
      }
      *size = fmax(*size, offset + 1.0);
    }
  }
  return true;
}

/// The corners that <p> names are those of `count` faces. A list of no corner at all makes assimp
/// forget the rest.
static bool corners_fit(
  const collada_t * collada, const vouch_xml_element_t * faces, double count)
{
  double size, numbers, sum, corners = 3.0 * count, sizes = 0.0;
  const vouch_xml_element_t * vcount = NULL;
  if (!corner_size(collada, faces, &size)) {
    return false;
  }
  if (is(faces, "polylist") && count_children(faces, "vcount", &vcount) == 1) {
    if (!whole_numbers(collada, vcount, &sizes, &corners) || sizes != count || corners < count) {
      return false;
    }
  }
  for (const vouch_xml_element_t * e = faces->first_child; e != NULL; e = e->next) {
    const vouch_xml_element_t * p = is(e, "ph") && e->first_child != NULL ? e->first_child : e;
    if (is(p, "p") && (!whole_numbers(collada, p, &numbers, &sum) ||
      fmod(numbers, size) != 0.0 ||
      ((is(faces, "polylist") || is(faces, "triangles")) && numbers != corners * size)))
    {
      return false;
    }
  }
  return true;
}

/// Faces are read as often as `count` says: without it, or with 0, not at all.
static vouch_ret_t check_faces(const collada_t * collada, const vouch_xml_element_t * faces)
{
  const bool list = is(faces, "polylist"), together = list || is(faces, "triangles");
  const vouch_xml_element_t * p, * corners;
  const size_t lists = count_children(faces, "p", &p);
  const size_t sizes = count_children(faces, "vcount", &corners);
  double count = -1.0;
  vouch_ret_t ret = vouch_xml_numbers(collada->document, faces, "count", &count, 1);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  bool good = count >= 0.0 && count == floor(count) && (together || count == (double)lists);
  if (together && good && count > 0.0) {
    bool sized = !list || sizes == 1;
    for (const vouch_xml_element_t * e = p; list && e != NULL; e = e->next) {
      sized = sized && e != corners;   // how many corners the faces have comes before the corners
    }
    good = lists == 1 && sized;
  } else if (together && good) {
    good = lists <= 1 && sizes <= 1 && !(p != NULL && p->has_text) &&
      !(corners != NULL && corners->has_text);
  }
  good = good && corners_fit(collada, faces, count);
  return good ? VOUCH_RET_OK : vouch_xml_fail(
    collada->document, faces, "the faces of this <%s> are not what its count says; export the mesh "
    "again", faces->name);
}

/// The child with this element name and an attribute of this value, or NULL.
static const vouch_xml_element_t * find_child(
  const vouch_xml_element_t * element, const char * name, const char * attribute,
  const char * value)
{
  const vouch_xml_element_t * e = element == NULL ? NULL : element->first_child;
  for (; e != NULL; e = e->next) {
    const char * its = attribute == NULL ? NULL : vouch_xml_attribute(e, attribute);
    if (is(e, name) && (attribute == NULL || (its != NULL && strcmp(its, value) == 0))) {
      return e;
    }
  }
  return NULL;
}

/// Coordinates that are not called X, Y, Z are read from wrong places, and those behind the end of
/// the array from there.
static bool names_coordinates(
  const collada_t * collada, const vouch_xml_element_t * accessor, double room)
{
  double numbers[3] = {0.0, 0.0, 1.0}, place = 0.0, last = 0.0;   // count, offset, stride
  size_t named[3] = {0, 0, 0};
  if (vouch_xml_numbers(collada->document, accessor, "count", &numbers[0], 1) != VOUCH_RET_OK ||
    vouch_xml_numbers(collada->document, accessor, "offset", &numbers[1], 1) != VOUCH_RET_OK ||
    vouch_xml_numbers(collada->document, accessor, "stride", &numbers[2], 1) != VOUCH_RET_OK)
  {
    return false;
  }
  for (const vouch_xml_element_t * e = accessor->first_child; e != NULL; e = e->next) {
    const char * name = vouch_xml_attribute(e, "name");
    if (is(e, "param")) {
      place += 1.0;
      for (size_t k = 0; name != NULL && name[0] != '\0' && name[1] == '\0' && k < 3; ++k) {
        named[k] += name[0] == "XYZ"[k];
        last = name[0] == "XYZ"[k] ? place : last;
      }
    }
  }
  return named[0] == 1 && named[1] == 1 && named[2] == 1 && numbers[1] >= 0.0 &&
         numbers[2] >= last &&
         (numbers[0] == 0.0 || numbers[1] + (numbers[0] - 1.0) * numbers[2] + last <= room);
}

/// The corners of a mesh with faces are where its <vertices> say.
static vouch_ret_t check_positions(const collada_t * collada, const vouch_xml_element_t * mesh)
{
  const vouch_xml_element_t * vertices = find_child(mesh, "vertices", NULL, NULL);
  const vouch_xml_element_t * input = find_child(vertices, "input", "semantic", "POSITION");
  const char * id = input == NULL ? NULL : vouch_xml_attribute(input, "source");
  const vouch_xml_element_t * source =
    id == NULL || id[0] != '#' ? NULL : find_child(mesh, "source", "id", id + 1);
  const vouch_xml_element_t * array = find_child(source, "float_array", NULL, NULL);
  const vouch_xml_element_t * accessor = find_child(
    find_child(source, "technique_common", NULL, NULL), "accessor", NULL, NULL);
  double room = 0.0;
  vouch_ret_t ret = array == NULL ? VOUCH_RET_OK :
    vouch_xml_numbers(collada->document, array, "count", &room, 1);
  if (ret == VOUCH_RET_OK && (accessor == NULL || !names_coordinates(collada, accessor, room))) {
    ret = vouch_xml_fail(
      collada->document, source == NULL ? mesh : source, "the corners of this <mesh> are not given "
      "as X, Y and Z of as many numbers as there are; export it again");
  }
  return ret;
}

/// Words that are known within an element; what is misspelled is not there for assimp.
static const char * known_children(const vouch_xml_element_t * element)
{
  static const char mesh[] =
    "source vertices lines linestrips polygons polylist triangles trifans tristrips extra";
  static const char node[] =
    "asset lookat matrix rotate scale skew translate instance_camera instance_controller "
    "instance_geometry instance_light instance_node node extra";
  return is(element, "mesh") ? mesh : is(element, "node") ? node : NULL;
}

static vouch_ret_t check_words(const collada_t * collada, const vouch_xml_element_t * element)
{
  const char * known = known_children(element);
  for (const vouch_xml_element_t * e = element->first_child; e != NULL; e = e->next) {
    if (known != NULL && !vouch_word_in(known, e->name)) {
      return vouch_xml_fail(
        collada->document, e, "<%s> in a <%s> is not known; is it misspelled?", e->name,
        element->name);
    }
  }
  return VOUCH_RET_OK;
}

/// The numbers between the tags of an element; false: there are not as many.
static bool numbers_in(
  const collada_t * collada, const vouch_xml_element_t * element, double * values, size_t count)
{
  char text[1024];
  const size_t size = element->end - element->begin;
  if (size >= sizeof(text)) {
    return false;
  }
  memcpy(text, collada->data + element->begin, size);
  text[size] = '\0';
  for (char * c = text; *c != '\0'; ++c) {
    *c = *c == '\n' || *c == '\r' || *c == '\t' ? ' ' : *c;
  }
  return vouch_parse_doubles(text, values, count);
}

/// Transforms keep bodies bodies: no perspective, no scale of 0, no unit that is no length.
static vouch_ret_t check_transform(const collada_t * collada, const vouch_xml_element_t * e)
{
  double m[16] = {1.0};
  bool good = true;
  if (is(e, "matrix") && e->parent != NULL && is(e->parent, "node")) {
    good = numbers_in(collada, e, m, 16) && m[12] == 0.0 && m[13] == 0.0 && m[14] == 0.0 &&
      m[15] == 1.0;
  } else if (is(e, "scale") && e->parent != NULL && is(e->parent, "node")) {
    good = numbers_in(collada, e, m, 3) && m[0] != 0.0 && m[1] != 0.0 && m[2] != 0.0;
  } else if (is(e, "unit")) {
    vouch_ret_t ret = vouch_xml_numbers(collada->document, e, "meter", m, 1);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    good = m[0] > 0.0;
  }
  return good ? VOUCH_RET_OK : vouch_xml_fail(
    collada->document, e, "this <%s> is not one that keeps a body's size and place; export the mesh "
    "again",
    e->name);
}

static bool is_faces(const vouch_xml_element_t * element)
{
  static const char kinds[] = "polygons polylist triangles trifans tristrips";
  return element->parent != NULL && is(element->parent, "mesh") &&
         vouch_word_in(kinds, element->name);
}

static vouch_ret_t check_elements(const collada_t * collada)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (const vouch_xml_element_t * e = collada->document->root; e != NULL && ret == VOUCH_RET_OK;
    e = next_element(e))
  {
    ret = check_words(collada, e);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    if (is_faces(e) && is(e, "trifans")) {
      ret = vouch_xml_fail(
        collada->document, e, "<trifans> are not read; export the mesh as triangles");
    } else if (is_faces(e)) {
      ret = check_faces(collada, e);
      ret = ret == VOUCH_RET_OK ? check_positions(collada, e->parent) : ret;
    } else if (is(e, "instance_geometry")) {
      ret = check_instance(collada, e, "geometry");
    } else if (is(e, "instance_controller")) {
      ret = vouch_xml_fail(
        collada->document, e, "a mesh that bones or morphs move is not read; apply them and export "
        "a plain mesh");
    } else if (is(e, "instance_node")) {
      ret = check_instance(collada, e, "node");
    } else if (is(e, "skew")) {
      ret = vouch_xml_fail(
        collada->document, e, "a sheared node is not read; apply its transform to the mesh");
    } else {
      ret = check_transform(collada, e);
    }
  }
  return ret;
}

/// Where `word` begins in the text, or NULL.
static const char * find(const char * data, size_t size, const char * word)
{
  const size_t length = strlen(word);
  for (size_t i = 0; i + length <= size; ++i) {
    if (memcmp(data + i, word, length) == 0) {
      return data + i;
    }
  }
  return NULL;
}

bool vouch_mesh_dae_has_unit(const char * data, size_t size)
{
  static const char word[] = "meter=";
  const char * unit = find(data, size < 65536 ? size : 65536, "<unit");   // <asset> comes first
  const char * end = unit == NULL ? NULL : memchr(unit, '>', size - (size_t)(unit - data));
  const char * meter = end == NULL ? NULL : find(unit, (size_t)(end - unit), word);
  char number[32] = "";
  double value = 0.0;
  if (meter == NULL) {
    return false;
  }
  meter += sizeof(word);   // behind the quote
  for (size_t i = 0; i + 1 < sizeof(number) && meter + i < end && meter[i] != meter[-1]; ++i) {
    number[i] = meter[i];
  }
  return !vouch_parse_double(number, &value) || value != 1.0;
}

vouch_ret_t vouch_mesh_check_dae(
  vouch_allocator_t allocator, const char * name, const char * data, size_t size)
{
  vouch_xml_t document;
  vouch_ret_t ret = vouch_xml_parse(&document, allocator, name, data, size);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  collada_t collada = {.document = &document, .data = data};
  ret = collect(&collada, &document.arena);
  ret = ret == VOUCH_RET_OK ? check_elements(&collada) : ret;
  vouch_xml_fini(&document);
  return ret;
}
