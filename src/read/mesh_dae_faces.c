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

/* What the <mesh>es of a COLLADA file hold: faces that are counted, corners that are named. */

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "read/mesh_dae_check.h"

/// The end of [+-] digits [. digits] [(e|E) [+-] digits], at most 18 of them before the point.
static const char * number_end(const char * at, const char * end)
{
  at += at < end && (*at == '+' || *at == '-');
  const char * digits = at;
  while (at < end && *at >= '0' && *at <= '9') {
    ++at;
  }
  if (at - digits > 18) {
    return digits;
  }
  if (at < end && *at == '.') {
    ++at;
    while (at < end && *at >= '0' && *at <= '9') {
      ++at;
    }
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    ++at;
    at += at < end && (*at == '+' || *at == '-');
    while (at < end && *at >= '0' && *at <= '9') {
      ++at;
    }
  }
  return at;
}

bool vouch_collada_count_numbers(
  const vouch_collada_t * collada, const vouch_xml_element_t * element, double * count)
{
  const char * at = collada->data + element->begin, * end = collada->data + element->end;
  *count = 0.0;
  while (at < end) {
    if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') {
      ++at;
      continue;
    }
    const char * behind = number_end(at, end);
    if (behind == at || (behind < end && *behind != ' ' && *behind != '\t' && *behind != '\r' &&
      *behind != '\n'))
    {
      return false;
    }
    at = behind;
    *count += 1.0;
  }
  return true;
}

static size_t count_children(
  const vouch_xml_element_t * element, const char * name, const vouch_xml_element_t ** first)
{
  size_t count = 0;
  *first = NULL;
  for (const vouch_xml_element_t * e = element->first_child; e != NULL; e = e->next) {
    // The <p> of a polygon with holes, which assimp refuses, or without any.
    const vouch_xml_element_t * child =
      vouch_collada_is(e, "ph") && e->first_child != NULL ? e->first_child : e;
    if (vouch_collada_is(child, name)) {
      *first = count == 0 ? child : *first;
      count += 1;
    }
  }
  return count;
}

/// Whole numbers between the tags of an element: how many, and their sum. False: something else is
/// there, which assimp takes for an end, or never leaves behind.
static bool whole_numbers(
  const vouch_collada_t * collada, const vouch_xml_element_t * element, double * count,
  double * sum)
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
  const vouch_collada_t * collada, const vouch_xml_element_t * faces, double * size)
{
  *size = 1.0;
  for (const vouch_xml_element_t * e = faces->first_child; e != NULL; e = e->next) {
    double offset = 0.0;
    if (vouch_collada_is(e, "input")) {
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
  const vouch_collada_t * collada, const vouch_xml_element_t * faces, double count)
{
  double size, numbers, sum, corners = 3.0 * count, sizes = 0.0;
  const vouch_xml_element_t * vcount = NULL;
  if (!corner_size(collada, faces, &size)) {
    return false;
  }
  if (vouch_collada_is(faces, "polylist") && count_children(faces, "vcount", &vcount) == 1) {
    if (!whole_numbers(collada, vcount, &sizes, &corners) || sizes != count || corners < count) {
      return false;
    }
  }
  for (const vouch_xml_element_t * e = faces->first_child; e != NULL; e = e->next) {
    const vouch_xml_element_t * p =
      vouch_collada_is(e, "ph") && e->first_child != NULL ? e->first_child : e;
    if (vouch_collada_is(p, "p") && (!whole_numbers(collada, p, &numbers, &sum) ||
      fmod(numbers, size) != 0.0 ||
      ((vouch_collada_is(
        faces,
        "polylist") || vouch_collada_is(faces, "triangles")) && numbers != corners * size)))
    {
      return false;
    }
  }
  return true;
}

/// Faces are read as often as `count` says: without it, or with 0, not at all.
vouch_ret_t vouch_collada_check_faces(
  const vouch_collada_t * collada,
  const vouch_xml_element_t * faces)
{
  const bool list = vouch_collada_is(faces, "polylist"), together = list || vouch_collada_is(
    faces,
    "triangles");
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
    if (vouch_collada_is(
        e,
        name) && (attribute == NULL || (its != NULL && strcmp(its, value) == 0)))
    {
      return e;
    }
  }
  return NULL;
}

/// Coordinates that are not called X, Y, Z are read from wrong places, and those behind the end of
/// the array from there.
static bool names_coordinates(
  const vouch_collada_t * collada, const vouch_xml_element_t * accessor, double room)
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
    if (vouch_collada_is(e, "param")) {
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

static bool reads_from(const vouch_xml_element_t * accessor, const vouch_xml_element_t * array)
{
  const char * source = vouch_xml_attribute(accessor, "source");
  const char * id = vouch_xml_attribute(array, "id");
  return source != NULL && id != NULL && source[0] == '#' && strcmp(source + 1, id) == 0;
}

/// The corners of a mesh with faces are where its <vertices> say.
vouch_ret_t vouch_collada_check_positions(
  const vouch_collada_t * collada,
  const vouch_xml_element_t * mesh)
{
  vouch_xml_element_t * vertices = NULL;
  vouch_ret_t only = vouch_xml_only_child(collada->document, mesh, "vertices", &vertices);
  if (only != VOUCH_RET_OK) {
    return only;
  }
  const vouch_xml_element_t * input = find_child(vertices, "input", "semantic", "POSITION");
  const char * id = input == NULL ? NULL : vouch_xml_attribute(input, "source");
  const vouch_xml_element_t * source =
    id == NULL || id[0] != '#' ? NULL : find_child(mesh, "source", "id", id + 1);
  const vouch_xml_element_t * array = find_child(source, "float_array", NULL, NULL);
  const vouch_xml_element_t * accessor = find_child(
    find_child(source, "technique_common", NULL, NULL), "accessor", NULL, NULL);
  double room = 0.0, numbers = 0.0;
  vouch_ret_t ret = array == NULL ? VOUCH_RET_OK :
    vouch_xml_numbers(collada->document, array, "count", &room, 1);
  if (ret == VOUCH_RET_OK && (accessor == NULL || array == NULL ||
    !reads_from(accessor, array) || !names_coordinates(collada, accessor, room) ||
    !vouch_collada_count_numbers(collada, array, &numbers) || numbers != room))
  {
    ret = vouch_xml_fail(
      collada->document, source == NULL ? mesh : source, "the corners of this <mesh> are not given "
      "as X, Y and Z of as many numbers as there are; export it again");
  }
  return ret;
}
