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

#include "read/xml.h"

#include <expat.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"

typedef struct builder_s
{
  vouch_xml_t * document;
  XML_Parser parser;
  vouch_xml_element_t * open;
  size_t depth;
  vouch_ret_t failure;   // of a handler; the text is set
} builder_t;

static void stop(builder_t * builder, vouch_ret_t failure)
{
  if (builder->failure == VOUCH_RET_OK) {
    builder->failure = failure;
    (void)XML_StopParser(builder->parser, XML_FALSE);
  }
}

static const char ** copy_attributes(vouch_arena_t * arena, const XML_Char ** attributes)
{
  size_t count = 0;
  while (attributes[count] != NULL) {
    ++count;
  }
  const char ** copies = vouch_arena_calloc(arena, count + 1, sizeof(*copies));
  for (size_t i = 0; copies != NULL && i < count; ++i) {
    copies[i] = vouch_arena_strdup(arena, attributes[i]);
    if (copies[i] == NULL) {
      return NULL;
    }
  }
  return copies;
}

static void append_child(vouch_xml_element_t * parent, vouch_xml_element_t * child)
{
  child->parent = parent;
  if (parent->last_child == NULL) {
    parent->first_child = child;
  } else {
    parent->last_child->next = child;
  }
  parent->last_child = child;
}

static void XMLCALL on_start(void * user, const XML_Char * name, const XML_Char ** attributes)
{
  builder_t * builder = user;
  if (builder->failure != VOUCH_RET_OK) {
    return;
  }
  vouch_xml_t * document = builder->document;
  unsigned long line = XML_GetCurrentLineNumber(builder->parser);
  if (++builder->depth > VOUCH_XML_MAX_DEPTH) {
    stop(
      builder, vouch_fail(
        VOUCH_RET_INVALID, "%s:%lu: elements are nested deeper than %d", document->source, line,
        VOUCH_XML_MAX_DEPTH));
    return;
  }
  vouch_xml_element_t * element =
    vouch_arena_calloc(&document->arena, 1, sizeof(*element));
  if (element == NULL ||
    (element->name = vouch_arena_strdup(&document->arena, name)) == NULL ||
    (element->attributes = copy_attributes(&document->arena, attributes)) == NULL)
  {
    stop(builder, VOUCH_RET_NO_MEMORY);
    return;
  }
  element->line = line;
  element->begin = (size_t)XML_GetCurrentByteIndex(builder->parser) +
    (size_t)XML_GetCurrentByteCount(builder->parser);
  if (builder->open == NULL) {
    document->root = element;
  } else {
    append_child(builder->open, element);
  }
  builder->open = element;
}

static void XMLCALL on_end(void * user, const XML_Char * name)
{
  builder_t * builder = user;
  (void)name;
  if (builder->failure == VOUCH_RET_OK) {
    size_t end = (size_t)XML_GetCurrentByteIndex(builder->parser);
    builder->open->end = end < builder->open->begin ? builder->open->begin : end;
    builder->open = builder->open->parent;
    --builder->depth;
  }
}

static void XMLCALL on_text(void * user, const XML_Char * text, int size)
{
  const builder_t * builder = user;
  vouch_xml_element_t * open = builder->failure == VOUCH_RET_OK ? builder->open : NULL;
  for (int i = 0; open != NULL && !open->has_text && i < size; ++i) {
    open->has_text = strchr(" \t\r\n", text[i]) == NULL;
  }
}

static void XMLCALL on_doctype(
  void * user, const XML_Char * name, const XML_Char * system, const XML_Char * public_id,
  int has_internal_subset)
{
  builder_t * builder = user;
  (void)name;
  (void)system;
  (void)public_id;
  (void)has_internal_subset;
  stop(
    builder, vouch_fail(
      VOUCH_RET_INVALID,
      "%s:%lu: a document type declaration (and any entity in it) is refused; remove <!DOCTYPE>",
      builder->document->source, (unsigned long)XML_GetCurrentLineNumber(builder->parser)));
}

static vouch_ret_t run(builder_t * builder, const char * text, size_t size)
{
  XML_SetUserData(builder->parser, builder);
  XML_SetElementHandler(builder->parser, on_start, on_end);
  XML_SetCharacterDataHandler(builder->parser, on_text);
  XML_SetStartDoctypeDeclHandler(builder->parser, on_doctype);
  enum XML_Status status = XML_Parse(builder->parser, text, (int)size, XML_TRUE);
  if (builder->failure != VOUCH_RET_OK) {
    return builder->failure;
  }
  if (status != XML_STATUS_OK) {
    enum XML_Error error = XML_GetErrorCode(builder->parser);
    return vouch_fail(
      error == XML_ERROR_NO_MEMORY ? VOUCH_RET_NO_MEMORY : VOUCH_RET_INVALID,
      "%s:%lu: this is not well-formed XML: %s", builder->document->source,
      (unsigned long)XML_GetCurrentLineNumber(builder->parser), XML_ErrorString(error));
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_xml_parse(
  vouch_xml_t * document, vouch_allocator_t allocator, const char * source, const char * text,
  size_t size)
{
  *document = (vouch_xml_t) {.arena = {.allocator = allocator}, .source = source};
  if (size > VOUCH_XML_MAX_SIZE) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s: the document is larger than %zu bytes", source, VOUCH_XML_MAX_SIZE);
  }
  builder_t builder = {.document = document, .failure = VOUCH_RET_OK};
  builder.parser = XML_ParserCreate(NULL);
  if (builder.parser == NULL) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "%s: out of memory for the XML parser", source);
  }
  vouch_ret_t ret = run(&builder, text, size);
  XML_ParserFree(builder.parser);
  if (ret != VOUCH_RET_OK) {
    vouch_xml_fini(document);
  }
  return ret;
}

void vouch_xml_fini(vouch_xml_t * document)
{
  vouch_arena_fini(&document->arena);
  document->root = NULL;
}

const char * vouch_xml_attribute(const vouch_xml_element_t * element, const char * name)
{
  for (const char ** pair = element->attributes; *pair != NULL; pair += 2) {
    if (strcmp(pair[0], name) == 0) {
      return pair[1];
    }
  }
  return NULL;
}

vouch_ret_t vouch_xml_required(
  const vouch_xml_t * document, const vouch_xml_element_t * element, const char * name,
  const char ** value)
{
  *value = vouch_xml_attribute(element, name);
  if (*value == NULL || **value == '\0') {
    return vouch_xml_fail(
      document, element, "<%s> needs the attribute '%s'", element->name, name);
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_xml_only_child(
  const vouch_xml_t * document, const vouch_xml_element_t * element, const char * name,
  vouch_xml_element_t ** child)
{
  *child = NULL;
  for (vouch_xml_element_t * e = element->first_child; e != NULL; e = e->next) {
    if (strcmp(e->name, name) != 0) {
      continue;
    }
    if (*child != NULL) {
      return vouch_xml_fail(
        document, e, "a second <%s> in <%s>; only one has a meaning", name, element->name);
    }
    *child = e;
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_xml_numbers(
  const vouch_xml_t * document, const vouch_xml_element_t * element, const char * name,
  double * values, size_t count)
{
  const char * text = vouch_xml_attribute(element, name);
  if (text != NULL && !vouch_parse_doubles(text, values, count)) {
    return vouch_xml_fail(
      document, element, "<%s> has %s=\"%.80s\"; %zu finite number%s expected", element->name,
      name, text, count, count == 1 ? " is" : "s are");
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_xml_fail(
  const vouch_xml_t * document, const vouch_xml_element_t * element, const char * format, ...)
{
  char sentence[900];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(sentence, sizeof(sentence), format, arguments);
  va_end(arguments);
  return vouch_fail(
    VOUCH_RET_INVALID, "%s:%lu: %s", document->source, element->line, sentence);
}
