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
/* Text to value tree, through libyaml's events. */

#include "read/tree.h"

#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "base/error.h"

enum {MAX_DEPTH = 64, MAX_KEYS = 1000, MAX_VALUES = 16000000, CHUNK = 512, TEXT_CHUNK = 65536};

typedef struct builder_s
{
  vouch_document_t * document;
  vouch_value_t * stack[MAX_DEPTH];   // open lists and maps
  vouch_value_t * last[MAX_DEPTH];    // their newest member
  size_t depth;
  const char * key;                   // read, waiting for its value
  vouch_value_t * chunk;
  size_t chunk_left, value_count;
  char * text;
  size_t text_left;
  bool finished;                      // the first document has ended
} builder_t;

static vouch_ret_t fail_line(const builder_t * b, size_t line, const char * text)
{
  return vouch_fail(VOUCH_RET_INVALID, "%s:%zu: %s", b->document->name, line, text);
}

static vouch_value_t * new_value(builder_t * b)
{
  if (b->chunk_left == 0) {
    b->chunk = vouch_arena_calloc(&b->document->arena, CHUNK, sizeof(*b->chunk));
    if (b->chunk == NULL) {
      return NULL;
    }
    b->chunk_left = CHUNK;
  }
  b->chunk_left--;
  b->value_count++;
  return b->chunk++;
}

static const char * keep_text(builder_t * b, const char * text, size_t size)
{
  if (size + 1 > b->text_left) {
    const size_t room = size + 1 > TEXT_CHUNK ? size + 1 : TEXT_CHUNK;
    b->text = vouch_arena_calloc(&b->document->arena, room, 1);
    if (b->text == NULL) {
      b->text_left = 0;
      return NULL;
    }
    b->text_left = room;
  }
  char * copy = b->text;
  memcpy(copy, text, size);
  copy[size] = '\0';
  b->text += size + 1;
  b->text_left -= size + 1;
  return copy;
}

/// Hangs a value into the open list or map, or makes it the root.
static void place(builder_t * b, vouch_value_t * value)
{
  if (b->depth == 0) {
    b->document->root = value;
    return;
  }
  vouch_value_t * parent = b->stack[b->depth - 1];
  if (parent->kind == VOUCH_VALUE_MAP) {
    value->key = b->key;
    b->key = NULL;
  }
  if (parent->first == NULL) {
    parent->first = value;
  } else {
    b->last[b->depth - 1]->next = value;
  }
  b->last[b->depth - 1] = value;
  parent->count++;
}

static bool expects_key(const builder_t * b)
{
  return b->depth > 0 && b->stack[b->depth - 1]->kind == VOUCH_VALUE_MAP && b->key == NULL;
}

static vouch_ret_t take_key(builder_t * b, const char * text, size_t line)
{
  const vouch_value_t * map = b->stack[b->depth - 1];
  if (map->count >= MAX_KEYS) {
    return fail_line(b, line, "a map with more than 1000 keys is not read");
  }
  for (const vouch_value_t * v = map->first; v != NULL; v = v->next) {
    if (strcmp(v->key, text) == 0) {
      return vouch_fail(
        VOUCH_RET_INVALID, "%s:%zu: key '%s' is given twice (first in line %u)",
        b->document->name, line, text, v->line);
    }
  }
  b->key = text;
  return VOUCH_RET_OK;
}

static vouch_ret_t check_tag(const builder_t * b, const yaml_char_t * tag, size_t line)
{
  static const char prefix[] = "tag:yaml.org,2002:";
  if (tag == NULL || strcmp((const char *)tag, "!") == 0) {
    return VOUCH_RET_OK;
  }
  static const char * const known[] = {
    "str", "int", "float", "bool", "null", "seq", "map", "binary"
  };
  const char * text = (const char *)tag;
  if (strncmp(text, prefix, sizeof(prefix) - 1) == 0) {
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); ++i) {
      if (strcmp(text + sizeof(prefix) - 1, known[i]) == 0) {
        return VOUCH_RET_OK;
      }
    }
  }
  return vouch_fail(
    VOUCH_RET_INVALID, "%s:%zu: the YAML tag '%s' is not understood", b->document->name, line,
    text);
}

static vouch_ret_t take_scalar(builder_t * b, const yaml_event_t * event, size_t line)
{
  const char * text = (const char *)event->data.scalar.value;
  const size_t size = event->data.scalar.length;
  vouch_ret_t ret = check_tag(b, event->data.scalar.tag, line);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  /* The only byte in any message that is read: ROS prints its zero as "\0". */
  const bool zero = size == 1 && text[0] == '\0' && b->key != NULL &&
    strcmp(b->key, "operation") == 0;
  if (!zero && memchr(text, '\0', size) != NULL) {
    return fail_line(b, line, "a text holds a NUL character");
  }
  const char * copy = zero ? keep_text(b, "\\0", 2) : keep_text(b, text, size);
  if (copy == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  if (expects_key(b)) {
    return take_key(b, copy, line);
  }
  vouch_value_t * value = new_value(b);
  if (value == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  value->text = copy;
  value->line = (uint32_t)line;
  value->kind = VOUCH_VALUE_SCALAR;
  const char * tag = (const char *)event->data.scalar.tag;
  value->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE ||
    (tag != NULL && strcmp(tag, YAML_STR_TAG) == 0);
  place(b, value);
  return VOUCH_RET_OK;
}

static vouch_ret_t open_value(
  builder_t * b, vouch_value_kind_t kind, const yaml_char_t * tag, size_t line)
{
  vouch_ret_t ret = check_tag(b, tag, line);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (expects_key(b)) {
    return fail_line(b, line, "the key of a map must be a plain text");
  }
  if (b->depth == MAX_DEPTH) {
    return fail_line(b, line, "nested more than 64 deep");
  }
  vouch_value_t * value = new_value(b);
  if (value == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  value->text = "";
  value->line = (uint32_t)line;
  value->kind = (uint8_t)kind;
  place(b, value);
  b->stack[b->depth] = value;
  b->last[b->depth] = NULL;
  b->depth++;
  return VOUCH_RET_OK;
}

/// A second document is an error unless it is empty (the "---" that ends a ROS echo).
static vouch_ret_t after_end(const builder_t * b, const yaml_event_t * event, size_t line)
{
  const bool harmless = event->type == YAML_DOCUMENT_START_EVENT ||
    event->type == YAML_DOCUMENT_END_EVENT || event->type == YAML_STREAM_END_EVENT ||
    (event->type == YAML_SCALAR_EVENT && event->data.scalar.length == 0);
  return harmless ? VOUCH_RET_OK :
         fail_line(b, line, "a second document follows; give one document a file");
}

static vouch_ret_t take_event(builder_t * b, const yaml_event_t * event)
{
  const size_t line = event->start_mark.line + 1;
  if (b->finished) {
    return after_end(b, event, line);
  }
  if (b->value_count >= MAX_VALUES) {
    return fail_line(b, line, "more than 16 million values");
  }
  switch (event->type) {
    case YAML_ALIAS_EVENT:
      return fail_line(b, line, "YAML aliases (*name) are not read; write the value out");
    case YAML_SCALAR_EVENT:
      return take_scalar(b, event, line);
    case YAML_SEQUENCE_START_EVENT:
      return open_value(b, VOUCH_VALUE_LIST, event->data.sequence_start.tag, line);
    case YAML_MAPPING_START_EVENT:
      return open_value(b, VOUCH_VALUE_MAP, event->data.mapping_start.tag, line);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      b->depth--;
      return VOUCH_RET_OK;
    case YAML_DOCUMENT_END_EVENT:
      b->finished = true;
      return VOUCH_RET_OK;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_START_EVENT:
    default:
      return VOUCH_RET_OK;
  }
}

static vouch_ret_t fail_syntax(const vouch_document_t * document, const yaml_parser_t * parser)
{
  if (parser->error == YAML_MEMORY_ERROR) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "%s: out of memory", document->name);
  }
  return vouch_fail(
    VOUCH_RET_INVALID, "%s:%zu: %s", document->name, parser->problem_mark.line + 1,
    parser->problem == NULL ? "this is neither YAML nor JSON" : parser->problem);
}

vouch_ret_t vouch_document_parse(
  vouch_document_t * document, vouch_allocator_t allocator, const char * name, const char * text,
  size_t size)
{
  *document = (vouch_document_t) {.arena = {.allocator = allocator}, .name = name};
  builder_t builder = {.document = document};
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "%s: out of memory", name);
  }
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  vouch_ret_t ret = VOUCH_RET_OK;
  for (bool done = false; ret == VOUCH_RET_OK && !done; ) {
    yaml_event_t event;
    if (!yaml_parser_parse(&parser, &event)) {
      ret = fail_syntax(document, &parser);
      break;
    }
    done = event.type == YAML_STREAM_END_EVENT;
    ret = take_event(&builder, &event);
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  if (ret == VOUCH_RET_OK && document->root == NULL) {
    ret = vouch_fail(VOUCH_RET_INVALID, "%s: it is empty", name);
  }
  if (ret != VOUCH_RET_OK) {
    vouch_document_fini(document);
  }
  return ret;
}

void vouch_document_fini(vouch_document_t * document)
{
  vouch_arena_fini(&document->arena);
  document->root = NULL;
}
