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
#include "read/mesh_dae_check.h"
#include "read/mesh_file.h"

/// Of the nodes in a scene, and of nodes that stand for others that stand for others.
enum {MAX_INSTANCES = 100000, MAX_REFERENCES = 64};

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
  return (vouch_collada_is(element, "geometry") || vouch_collada_is(element, "node")) &&
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

static vouch_ret_t collect(vouch_collada_t * collada, vouch_arena_t * arena)
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
  return VOUCH_RET_OK;
}

/// The geometry or node that a url names, in the list of all, or NULL.
static const vouch_xml_element_t ** find_named(
  const vouch_collada_t * collada, const char * kind, const char * url)
{
  const char * attributes[] = {"id", url + 1, NULL};
  const vouch_xml_element_t wanted = {.name = kind, .attributes = attributes};
  const vouch_xml_element_t * key = &wanted;
  return url[0] != '#' || collada->count == 0 ? NULL : bsearch(
    &key, collada->named, collada->count, sizeof(*collada->named), compare);
}

/// Of two with one id nobody knows which is meant. Where no instance names them nobody asks.
static bool has_twin(const vouch_collada_t * collada, const vouch_xml_element_t ** named)
{
  const size_t i = (size_t)(named - collada->named);
  return (i > 0 && compare(named, named - 1) == 0) ||
         (i + 1 < collada->count && compare(named, named + 1) == 0);
}

static vouch_ret_t check_instance(
  const vouch_collada_t * collada, const vouch_xml_element_t * element, const char * kind)
{
  const char * url = NULL;
  vouch_ret_t ret = vouch_xml_required(collada->document, element, "url", &url);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_xml_element_t ** named = find_named(collada, kind, url);
  if (named == NULL) {
    return vouch_xml_fail(
      collada->document, element, "<%s> names '%.200s', which this file does not have",
      element->name, url);
  }
  const vouch_xml_element_t * found = *named;
  if (has_twin(collada, named)) {
    return vouch_xml_fail(
      collada->document, found, "a second <%s> with the id '%s'", kind, url + 1);
  }
  vouch_xml_element_t * mesh = NULL;
  ret = vouch_xml_only_child(collada->document, found, "mesh", &mesh);
  if (ret == VOUCH_RET_OK && mesh == NULL && vouch_collada_is(found, "geometry")) {
    ret = vouch_xml_fail(
      collada->document, found, "this <geometry> is no <mesh>; export it as triangles");
  }
  return ret;
}

/// Counts what a part of a scene consists of when each instance of a node stands for the node. False:
/// one leads back to itself, or there are too many for a mesh of a robot.
static bool count_instances(
  const vouch_collada_t * collada, const vouch_xml_element_t * part, int depth, size_t * count)
{
  const vouch_xml_element_t * e = part;
  while (e != NULL && ++*count <= MAX_INSTANCES && depth <= MAX_REFERENCES) {
    if (vouch_collada_is(e, "instance_node")) {
      const char * url = vouch_xml_attribute(e, "url");
      const vouch_xml_element_t ** node = url == NULL ? NULL : find_named(collada, "node", url);
      if (node != NULL && !count_instances(collada, *node, depth + 1, count)) {
        return false;
      }
    }
    if (e->first_child != NULL) {
      e = e->first_child;
      continue;
    }
    while (e != part && e->next == NULL) {
      e = e->parent;
    }
    e = e == part ? NULL : e->next;
  }
  return e == NULL;
}

/// Words that are known within an element; what is misspelled is not there for assimp.
static const char * known_children(const vouch_xml_element_t * element)
{
  static const char mesh[] =
    "source vertices lines linestrips polygons polylist triangles trifans tristrips extra";
  static const char node[] =
    "asset lookat matrix rotate scale skew translate instance_camera instance_controller "
    "instance_geometry instance_light instance_node node extra";
  return vouch_collada_is(element, "mesh") ? mesh : vouch_collada_is(element, "node") ? node : NULL;
}

static vouch_ret_t check_words(const vouch_collada_t * collada, const vouch_xml_element_t * element)
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
  const vouch_collada_t * collada, const vouch_xml_element_t * element, double * values,
  size_t count)
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

/// Transforms keep bodies bodies: no perspective, no scale of 0; and numbers are what assimp reads.
static bool keeps_bodies(const vouch_collada_t * collada, const vouch_xml_element_t * e)
{
  double m[16] = {0.0}, count = 0.0;
  if (!vouch_word_in("matrix scale rotate translate lookat", e->name)) {
    return true;
  }
  if (!vouch_collada_count_numbers(collada, e, &count)) {
    return false;
  }
  if (vouch_collada_is(e, "matrix")) {
    return numbers_in(collada, e, m, 16) && m[12] == 0.0 && m[13] == 0.0 && m[14] == 0.0 &&
           m[15] == 1.0;
  }
  if (vouch_collada_is(e, "scale")) {
    return numbers_in(collada, e, m, 3) && m[0] != 0.0 && m[1] != 0.0 && m[2] != 0.0;
  }
  if (vouch_collada_is(e, "rotate")) {   // a longer axis makes the body larger
    return numbers_in(collada, e, m, 4) &&
           fabs(m[0] * m[0] + m[1] * m[1] + m[2] * m[2] - 1.0) <= 1e-3;
  }
  // It shears a body that looks at something along a slant.
  return vouch_collada_is(e, "translate") && numbers_in(collada, e, m, 3);
}

/// No unit that is no length, or that nobody finds.
static vouch_ret_t check_transform(const vouch_collada_t * collada, const vouch_xml_element_t * e)
{
  double metres = 1.0;
  bool good = true;
  if (e->parent != NULL && vouch_collada_is(e->parent, "node")) {
    good = keeps_bodies(collada, e);
  } else if (e->parent != NULL && vouch_collada_is(e->parent, "asset") &&
    vouch_word_like("unit", e->name))
  {
    vouch_ret_t ret = vouch_xml_numbers(collada->document, e, "meter", &metres, 1);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    good = metres > 0.0 && vouch_collada_is(e, "unit");
  }
  return good ? VOUCH_RET_OK : vouch_xml_fail(
    collada->document, e, "this <%s> is not one that keeps a body's size and place; export the mesh "
    "again",
    e->name);
}

static bool is_faces(const vouch_xml_element_t * element)
{
  static const char kinds[] = "polygons polylist triangles trifans tristrips";
  return element->parent != NULL && vouch_collada_is(element->parent, "mesh") &&
         vouch_word_in(kinds, element->name);
}

static vouch_ret_t check_elements(const vouch_collada_t * collada)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (const vouch_xml_element_t * e = collada->document->root; e != NULL && ret == VOUCH_RET_OK;
    e = next_element(e))
  {
    ret = check_words(collada, e);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    if (is_faces(e) && vouch_collada_is(e, "trifans")) {
      ret = vouch_xml_fail(
        collada->document, e, "<trifans> are not read; export the mesh as triangles");
    } else if (is_faces(e)) {
      ret = vouch_collada_check_faces(collada, e);
      ret = ret == VOUCH_RET_OK ? vouch_collada_check_positions(collada, e->parent) : ret;
    } else if (vouch_collada_is(e, "instance_geometry")) {
      ret = check_instance(collada, e, "geometry");
    } else if (vouch_collada_is(e, "instance_controller")) {
      ret = vouch_xml_fail(
        collada->document, e, "a mesh that bones or morphs move is not read; apply them and export "
        "a plain mesh");
    } else if (vouch_collada_is(e, "instance_node")) {
      ret = check_instance(collada, e, "node");
    } else if (vouch_collada_is(e, "skew")) {
      ret = vouch_xml_fail(
        collada->document, e, "a sheared node is not read; apply its transform to the mesh");
    } else {
      ret = check_transform(collada, e);
    }
  }
  return ret;
}

static vouch_ret_t check_instances(const vouch_collada_t * collada)
{
  for (const vouch_xml_element_t * e = collada->document->root; e != NULL; e = next_element(e)) {
    size_t count = 0;
    if (vouch_collada_is(e, "visual_scene") && !count_instances(collada, e, 0, &count)) {
      return vouch_xml_fail(
        collada->document, e, "the nodes of this <visual_scene> lead in a circle, or stand for more "
        "than %d others; export the mesh without instances",
        (int)MAX_INSTANCES);
    }
  }
  return VOUCH_RET_OK;
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
  vouch_collada_t collada = {.document = &document, .data = data};
  ret = collect(&collada, &document.arena);
  ret = ret == VOUCH_RET_OK ? check_elements(&collada) : ret;
  ret = ret == VOUCH_RET_OK ? check_instances(&collada) : ret;
  vouch_xml_fini(&document);
  return ret;
}
