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
/* What readers ask of a value tree: numbers, texts, poses; a sentence when it is not one. */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "read/tree.h"

vouch_ret_t vouch_value_fail(
  const vouch_document_t * document, const vouch_value_t * value, const char * format, ...)
{
  char text[900];
  va_list arguments;
  va_start(arguments, format);
  if (vsnprintf(text, sizeof(text), format, arguments) < 0) {
    text[0] = '\0';
  }
  va_end(arguments);
  return vouch_fail(
    VOUCH_RET_INVALID, "%s:%u: %s", document->name, value == NULL ? 1 : value->line, text);
}

vouch_ret_t vouch_value_fail_at(
  vouch_ret_t code, const vouch_document_t * document, const vouch_value_t * value)
{
  return vouch_fail_prefix(code, "%s:%u", document->name, value == NULL ? 1 : value->line);
}

bool vouch_value_is_null(const vouch_value_t * value)
{
  if (value == NULL) {
    return true;
  }
  if (value->kind != VOUCH_VALUE_SCALAR || value->quoted) {
    return false;
  }
  return value->text[0] == '\0' || strcmp(value->text, "null") == 0 ||
         strcmp(value->text, "~") == 0 || strcmp(value->text, "Null") == 0 ||
         strcmp(value->text, "NULL") == 0;
}

const vouch_value_t * vouch_value_get(const vouch_value_t * map, const char * key)
{
  if (map == NULL || map->kind != VOUCH_VALUE_MAP) {
    return NULL;
  }
  for (const vouch_value_t * v = map->first; v != NULL; v = v->next) {
    if (strcmp(v->key, key) == 0) {
      return vouch_value_is_null(v) ? NULL : v;
    }
  }
  return NULL;
}

/* "; is 'objects' meant?", or nothing. */
static const char * guess_key(const char * keys, const char * word, char question[160])
{
  vouch_guess_t guess = {.word = word};
  char copies[64][32];
  size_t count = 0;
  for (const char * at = keys; *at != '\0' && count < 64; ) {
    const size_t size = strcspn(at, " ");
    if (size > 0 && size < sizeof(copies[0])) {
      memcpy(copies[count], at, size);
      copies[count][size] = '\0';
      vouch_guess_try(&guess, copies[count++]);
    }
    at += size + (at[size] == ' ');
  }
  return vouch_guess_question(&guess, question);
}

vouch_ret_t vouch_value_keys(
  const vouch_document_t * document, const vouch_value_t * map, const char * keys)
{
  if (map->kind != VOUCH_VALUE_MAP) {
    return vouch_value_fail(document, map, "a map with keys like '%s' is expected here", keys);
  }
  for (const vouch_value_t * v = map->first; v != NULL; v = v->next) {
    if (!vouch_word_in(keys, v->key)) {
      char question[160];
      return vouch_value_fail(
        document, v, "key '%s' is not known here%s; known are: %s", v->key,
        guess_key(keys, v->key, question), keys);
    }
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_value_list(
  const vouch_document_t * document, const vouch_value_t * value, const char * what)
{
  if (value->kind != VOUCH_VALUE_LIST) {
    return vouch_value_fail(document, value, "%s must be a list", what);
  }
  return VOUCH_RET_OK;
}

/// 010 is 8 for YAML 1.1, 10 for YAML 1.2 and no number for JSON.
static bool may_be_octal(const char * text)
{
  text += *text == '+' || *text == '-';
  return text[0] == '0' && text[1] != '\0' && strspn(text, "0123456789") == strlen(text);
}

vouch_ret_t vouch_value_number(
  const vouch_document_t * document, const vouch_value_t * value, const char * what,
  double * number)
{
  if (value == NULL || value->kind != VOUCH_VALUE_SCALAR || value->quoted ||
    !vouch_parse_double(value->text, number))
  {
    return vouch_value_fail(
      document, value, "%s must be a finite number, not '%.40s'", what,
      value == NULL ? "" : value->kind == VOUCH_VALUE_SCALAR ? value->text : "a list or map");
  }
  return !may_be_octal(value->text) ? VOUCH_RET_OK : vouch_value_fail(
    document, value, "%s is '%.40s', which YAML may read as octal: leave the leading zero out",
    what, value->text);
}

static vouch_ret_t numbers_from_map(
  const vouch_document_t * document, const vouch_value_t * value, const char * what,
  const char * keys, double * numbers)
{
  for (const vouch_value_t * v = value->first; v != NULL; v = v->next) {
    const char * at = strlen(v->key) == 1 ? strchr(keys, v->key[0]) : NULL;
    if (at == NULL) {
      return vouch_value_fail(
        document, v, "%s: key '%s' is not one of the letters of '%s'", what, v->key, keys);
    }
    vouch_ret_t ret = vouch_value_number(document, v, what, &numbers[at - keys]);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_value_numbers(
  const vouch_document_t * document, const vouch_value_t * value, const char * what,
  const char * keys, double * numbers, size_t count)
{
  if (value != NULL && value->kind == VOUCH_VALUE_MAP && keys != NULL) {
    return numbers_from_map(document, value, what, keys, numbers);
  }
  if (value == NULL || value->kind != VOUCH_VALUE_LIST || value->count != count) {
    return vouch_value_fail(document, value, "%s must be a list of %zu numbers", what, count);
  }
  size_t i = 0;
  for (const vouch_value_t * v = value->first; v != NULL; v = v->next) {
    vouch_ret_t ret = vouch_value_number(document, v, what, &numbers[i++]);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_value_bool(
  const vouch_document_t * document, const vouch_value_t * value, const char * what,
  bool * truth)
{
  static const char yes[] = "true True TRUE yes Yes YES on On ON 1";
  static const char no[] = "false False FALSE no No NO off Off OFF 0";
  const bool plain = value != NULL && value->kind == VOUCH_VALUE_SCALAR && !value->quoted;
  if (plain && vouch_word_in(yes, value->text)) {
    *truth = true;
  } else if (plain && vouch_word_in(no, value->text)) {
    *truth = false;
  } else {
    return vouch_value_fail(document, value, "%s must be true or false", what);
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_value_text(
  const vouch_document_t * document, const vouch_value_t * value, const char * what,
  const char ** text)
{
  *text = "";
  if (vouch_value_is_null(value)) {
    return VOUCH_RET_OK;
  }
  if (value->kind != VOUCH_VALUE_SCALAR) {
    return vouch_value_fail(document, value, "%s must be a text", what);
  }
  *text = value->text;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_value_texts(
  vouch_document_t * document, const vouch_value_t * value, const char * what,
  const char *** texts, size_t * count)
{
  *texts = NULL;
  *count = 0;
  if (vouch_value_is_null(value)) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = vouch_value_list(document, value, what);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const char ** array = vouch_arena_calloc(&document->arena, value->count, sizeof(*array));
  if (array == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  size_t i = 0;
  for (const vouch_value_t * v = value->first; v != NULL; v = v->next) {
    if (v->kind != VOUCH_VALUE_SCALAR || vouch_value_is_null(v) || v->text[0] == '\0') {
      return vouch_value_fail(document, v, "%s: each must be a name", what);
    }
    array[i++] = v->text;
  }
  *texts = array;
  *count = i;
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_value_series(
  vouch_document_t * document, const vouch_value_t * value, const char * what,
  double ** numbers, size_t * count)
{
  *numbers = NULL;
  *count = 0;
  if (vouch_value_is_null(value)) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = vouch_value_list(document, value, what);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  double * array = vouch_arena_calloc(&document->arena, value->count, sizeof(*array));
  if (array == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  ret = vouch_value_numbers(document, value, what, NULL, array, value->count);
  if (ret == VOUCH_RET_OK) {
    *numbers = array;
    *count = value->count;
  }
  return ret;
}

vouch_ret_t vouch_value_header(
  const vouch_document_t * document, const vouch_value_t * header, const char ** frame)
{
  *frame = "";
  vouch_ret_t ret = header == NULL ? VOUCH_RET_OK :
    vouch_value_keys(document, header, "frame_id stamp seq");
  return ret != VOUCH_RET_OK ? ret :
         vouch_value_text(document, vouch_value_get(header, "frame_id"), "frame_id", frame);
}

vouch_ret_t vouch_value_pose(
  const vouch_document_t * document, const vouch_value_t * value, const char * what,
  vouch_pose_t * pose)
{
  *pose = vouch_pose_identity();
  if (vouch_value_is_null(value)) {
    return VOUCH_RET_OK;
  }
  vouch_ret_t ret = vouch_value_keys(
    document, value, "position orientation translation rotation");
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const vouch_value_t * p = vouch_value_get(value, "position");
  const vouch_value_t * t = vouch_value_get(value, "translation");
  const vouch_value_t * o = vouch_value_get(value, "orientation");
  const vouch_value_t * r = vouch_value_get(value, "rotation");
  if ((p != NULL && t != NULL) || (o != NULL && r != NULL)) {
    return vouch_value_fail(document, value, "%s is given twice, under two names", what);
  }
  if (p != NULL || t != NULL) {
    ret = vouch_value_numbers(
      document, p != NULL ? p : t, what, "xyz", pose->translation, 3);
  }
  if (ret == VOUCH_RET_OK && (o != NULL || r != NULL)) {
    const vouch_value_t * q = o != NULL ? o : r;
    // A map that names some of x, y, z, w means zero for the others, but only an empty one means 1.
    pose->rotation[3] = q->kind == VOUCH_VALUE_MAP && q->count > 0 ? 0.0 : 1.0;
    ret = vouch_value_numbers(document, q, what, "xyzw", pose->rotation, 4);
  }
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  const double * q = pose->rotation;
  const double * x = pose->translation;
  if (q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0 && x[0] == 0.0 && x[1] == 0.0 &&
    x[2] == 0.0)
  {
    *pose = vouch_pose_identity();
    return VOUCH_RET_OK;
  }
  const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(fabs(norm - 1.0) <= 1e-3)) {
    return vouch_value_fail(
      document, value, "%s: the orientation (%g, %g, %g, %g) has length %g; give a unit quaternion",
      what, q[0], q[1], q[2], q[3], norm);
  }
  return VOUCH_RET_OK;
}
