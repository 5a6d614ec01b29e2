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

/* What assimp's COLLADA reader leaves out without a word is refused here: instances of what is not
 * in the file, a second element with the same id, geometry that is no <mesh>, sheared nodes. */

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "read/mesh_file.h"
#include "read/xml.h"

typedef struct collada_s
{
  const vouch_xml_t * document;
  const vouch_xml_element_t ** named;   // geometries, controllers and nodes, by kind and id
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
  return (is(element, "geometry") || is(element, "controller") || is(element, "node")) &&
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

static vouch_ret_t check_elements(const collada_t * collada)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (const vouch_xml_element_t * e = collada->document->root; e != NULL && ret == VOUCH_RET_OK;
    e = next_element(e))
  {
    if (is(e, "instance_geometry")) {
      ret = check_instance(collada, e, "geometry");
    } else if (is(e, "instance_controller")) {
      ret = check_instance(collada, e, "controller");
    } else if (is(e, "instance_node")) {
      ret = check_instance(collada, e, "node");
    } else if (is(e, "skew")) {
      ret = vouch_xml_fail(
        collada->document, e, "a sheared node is not read; apply its transform to the mesh");
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
  collada_t collada = {.document = &document};
  ret = collect(&collada, &document.arena);
  ret = ret == VOUCH_RET_OK ? check_elements(&collada) : ret;
  vouch_xml_fini(&document);
  return ret;
}
