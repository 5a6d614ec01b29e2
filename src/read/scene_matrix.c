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
/* The allowed collision matrix of a PlanningScene. */

#include <string.h>

#include "base/error.h"
#include "read/scene_reader.h"

enum {MAX_MATRIX = 4000};

static vouch_ret_t read_matrix_row(
  vouch_scene_reader_t * reader, const vouch_value_t * row, size_t i, const char ** names,
  size_t count, uint8_t * matrix)
{
  vouch_document_t * document = reader->document;
  const vouch_value_t * list =
    row->kind == VOUCH_VALUE_MAP ? vouch_value_get(row, "enabled") : row;
  vouch_ret_t ret = row->kind != VOUCH_VALUE_MAP ? VOUCH_RET_OK :
    vouch_value_keys(document, row, "enabled");
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (list == NULL || list->kind != VOUCH_VALUE_LIST || list->count != count) {
    return vouch_value_fail(
      document, row, "row %zu of the matrix must hold %zu truth values", i, count);
  }
  size_t k = 0;
  for (const vouch_value_t * v = list->first; v != NULL; v = v->next, ++k) {
    bool allowed = false;
    ret = vouch_value_bool(document, v, "an entry of the matrix", &allowed);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    matrix[i * count + k] = allowed;
    if (k >= i) {
      continue;
    }
    if (matrix[k * count + i] != (uint8_t)allowed) {
      return vouch_value_fail(
        document, v, "the matrix is not symmetric: '%s' and '%s'", names[i], names[k]);
    }
    ret = vouch_scene_allow_pair(reader->scene, names[i], names[k], allowed);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t read_matrix_entries(vouch_scene_reader_t * reader, const vouch_value_t * value)
{
  vouch_document_t * document = reader->document;
  const char ** names = NULL;
  size_t count = 0;
  vouch_ret_t ret = vouch_value_texts(
    document, vouch_value_get(value, "entry_names"), "entry_names", &names, &count);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_value_t * rows = vouch_value_get(value, "entry_values");
  const size_t row_count = rows == NULL || rows->kind != VOUCH_VALUE_LIST ? 0 : rows->count;
  if (row_count != count) {
    return vouch_value_fail(
      document, value, "the matrix has %zu names but %zu rows", count, row_count);
  }
  if (count > MAX_MATRIX) {
    return vouch_value_fail(document, value, "the matrix has more than %d names", MAX_MATRIX);
  }
  if (count == 0) {
    return VOUCH_RET_OK;
  }
  for (size_t i = 1; i < count; ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (strcmp(names[i], names[k]) == 0) {
        return vouch_value_fail(document, value, "the matrix names '%s' twice", names[i]);
      }
    }
  }
  uint8_t * matrix = vouch_arena_calloc(&document->arena, count * count, sizeof(*matrix));
  if (matrix == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  size_t i = 0;
  for (const vouch_value_t * v = rows->first; ret == VOUCH_RET_OK && v != NULL; v = v->next) {
    ret = read_matrix_row(reader, v, i++, names, count, matrix);
  }
  return ret;
}

vouch_ret_t vouch_read_matrix(
  vouch_scene_reader_t * reader, const vouch_value_t * value, bool diff)
{
  vouch_document_t * document = reader->document;
  const char ** names = NULL;
  size_t count = 0, i = 0;
  if (value == NULL) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = vouch_value_keys(
    document, value, "entry_names entry_values default_entry_names default_entry_values");
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  ret = vouch_value_texts(
    document, vouch_value_get(value, "default_entry_names"), "default_entry_names", &names,
    &count);
  const vouch_value_t * values = vouch_value_get(value, "default_entry_values");
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const size_t given = values == NULL ? 0 : values->count;
  if (count != given || (count > 0 && values->kind != VOUCH_VALUE_LIST)) {
    return vouch_value_fail(
      document, value, "default_entry_values is not a list of %zu truth values", count);
  }
  const vouch_value_t * entry_names = vouch_value_get(value, "entry_names");
  const bool entries = entry_names != NULL && entry_names->count > 0;
  if (count > 0 && !entries && diff) {
    return vouch_value_fail(
      document, value, "the matrix of a diff has default_entry_names but no entry_names, and is none "
      "for MoveIt: give entry_names too");
  }
  if (count > 0 || entries) {
    vouch_scene_clear_allowed(reader->scene);   // a matrix replaces the one before, as in MoveIt
  }
  for (const vouch_value_t * v = count == 0 ? NULL : values->first; v != NULL; v = v->next) {
    bool allowed = false;
    ret = vouch_value_bool(document, v, "a default entry", &allowed);
    for (size_t k = 0; ret == VOUCH_RET_OK && k < i; ++k) {
      ret = strcmp(names[i], names[k]) != 0 ? VOUCH_RET_OK : vouch_value_fail(
        document, v, "default_entry_names names '%s' twice", names[i]);
    }
    ret = ret == VOUCH_RET_OK ?
      vouch_scene_allow_default(reader->scene, names[i++], allowed) : ret;
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  ret = read_matrix_entries(reader, value);
  return ret == VOUCH_RET_OK && (count > 0 || entries) ?
         vouch_scene_check_unnamed(reader->scene) : ret;
}
