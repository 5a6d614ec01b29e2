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

/* Small XML documents as a tree: elements, attributes and line numbers.
 *
 * Of character data no more is kept than that there is some, and where: URDF and SRDF say everything
 * in attributes. Document type declarations are refused (no entities, so no entity bombs), and so are
 * documents that are too large or too deep. */

#ifndef READ__XML_H_
#define READ__XML_H_

#include "base/memory.h"
#include "vouch/types.h"

#define VOUCH_XML_MAX_DEPTH 64
#define VOUCH_XML_MAX_SIZE ((size_t)64 << 20)

typedef struct vouch_xml_element_s
{
  const char * name;           // as written, prefix included
  const char ** attributes;    // name, value, name, value, ..., NULL
  unsigned long line;
  bool has_text;               // something else than blanks between its children
  size_t begin, end;           // what is between its tags, in bytes of the parsed text
  struct vouch_xml_element_s * parent;
  struct vouch_xml_element_s * first_child;
  struct vouch_xml_element_s * last_child;
  struct vouch_xml_element_s * next;
} vouch_xml_element_t;

typedef struct vouch_xml_s
{
  vouch_arena_t arena;
  const char * source;          // for messages: a file name, or what the text is
  vouch_xml_element_t * root;
} vouch_xml_t;

/// Zero-initialises `document` and fills it. Errors name source and line. `source` is not copied.
vouch_ret_t vouch_xml_parse(
  vouch_xml_t * document, vouch_allocator_t allocator, const char * source, const char * text,
  size_t size) VOUCH_WARN_UNUSED;
void vouch_xml_fini(vouch_xml_t * document);

/// The value of an attribute, or NULL.
const char * vouch_xml_attribute(const vouch_xml_element_t * element, const char * name);
/// The value of an attribute that must be there and not be empty.
vouch_ret_t vouch_xml_required(
  const vouch_xml_t * document, const vouch_xml_element_t * element, const char * name,
  const char ** value) VOUCH_WARN_UNUSED;

/// The only child of this name: NULL when there is none, INVALID when there are two.
vouch_ret_t vouch_xml_only_child(
  const vouch_xml_t * document, const vouch_xml_element_t * element, const char * name,
  vouch_xml_element_t ** child) VOUCH_WARN_UNUSED;

/// Reads exactly `count` numbers; `values` stays as it is when the attribute is absent.
vouch_ret_t vouch_xml_numbers(
  const vouch_xml_t * document, const vouch_xml_element_t * element, const char * name,
  double * values, size_t count) VOUCH_WARN_UNUSED;

/// INVALID with "source:line: " in front of the sentence.
vouch_ret_t vouch_xml_fail(
  const vouch_xml_t * document, const vouch_xml_element_t * element, const char * format, ...)
__attribute__((format(printf, 3, 4)));

#endif  // READ__XML_H_
