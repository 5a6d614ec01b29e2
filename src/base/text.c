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

#if !defined(_GNU_SOURCE)
  #define _GNU_SOURCE   // strtod_l, newlocale
#endif

#include "base/text.h"

#include <ctype.h>
#include <locale.h>
#if defined(__APPLE__)
  #include <xlocale.h>
#endif
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* Numbers mean the same in every locale: "1.5" is never read or written with a comma. */

static pthread_once_t plain_locale_once = PTHREAD_ONCE_INIT;
static locale_t plain_locale_made;

static void make_plain_locale(void)
{
  plain_locale_made = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static locale_t plain_locale(void)
{
  (void)pthread_once(&plain_locale_once, make_plain_locale);
  return plain_locale_made;
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

static const char * skip_blanks(const char * text)
{
  while (is_blank(*text)) {
    ++text;
  }
  return text;
}

static const char * skip_digits(const char * text)
{
  while (*text >= '0' && *text <= '9') {
    ++text;
  }
  return text;
}

/// The end of [+-] digits [. digits] [(e|E) [+-] digits], at least one mantissa digit; NULL if
/// `text` does not begin with that.
static const char * number_end(const char * text)
{
  const char * p = text;
  p += *p == '+' || *p == '-';
  const char * whole = skip_digits(p);
  bool any = whole > p;
  p = whole;
  if (*p == '.') {
    const char * fraction = skip_digits(p + 1);
    any = any || fraction > p + 1;
    p = fraction;
  }
  if (!any) {
    return NULL;
  }
  if (*p == 'e' || *p == 'E') {
    const char * exponent = p + 1;
    exponent += *exponent == '+' || *exponent == '-';
    const char * end = skip_digits(exponent);
    if (end == exponent) {
      return NULL;
    }
    p = end;
  }
  return p;
}

/// Reads one number and leaves *text behind it.
static bool read_number(const char ** text, double * value)
{
  const char * end = number_end(*text);
  locale_t locale = plain_locale();
  if (end == NULL || !(*end == '\0' || is_blank(*end)) || locale == (locale_t)0) {
    return false;
  }
  char * stopped = NULL;
  double number = strtod_l(*text, &stopped, locale);
  if (stopped != end || !isfinite(number)) {
    return false;
  }
  *value = number;
  *text = end;
  return true;
}

bool vouch_parse_doubles(const char * text, double * values, size_t count)
{
  text = skip_blanks(text);
  for (size_t i = 0; i < count; ++i) {
    double value;
    if (!read_number(&text, &value)) {
      return false;
    }
    values[i] = value;
    text = skip_blanks(text);
  }
  return *text == '\0';
}

bool vouch_parse_double(const char * text, double * value)
{
  double number;
  if (!vouch_parse_doubles(text, &number, 1)) {
    return false;
  }
  *value = number;
  return true;
}

bool vouch_same_text(const char * a, const char * b)
{
  return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

bool vouch_word_in(const char * words, const char * word)
{
  const size_t size = strlen(word);
  for (const char * w = words; *w != '\0'; ) {
    const size_t length = strcspn(w, " ");
    if (length == size && memcmp(w, word, size) == 0) {
      return true;
    }
    w += length;
    w += strspn(w, " ");
  }
  return false;
}

enum {LONGEST_WORD = 63};

static bool same_letter(char a, char b)
{
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

/// Letters to change, add, drop or exchange with a neighbour until one is the other (the distance of
/// Damerau, 1964, no letter being touched twice). Requires: neither is longer than LONGEST_WORD.
static size_t changes_between(const char * a, size_t a_size, const char * b, size_t b_size)
{
  size_t d[LONGEST_WORD + 1][LONGEST_WORD + 1];
  for (size_t i = 0; i <= a_size; ++i) {
    for (size_t j = 0; j <= b_size; ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = least(
        least(d[i - 1][j], d[i][j - 1]) + 1,
        d[i - 1][j - 1] + !same_letter(a[i - 1], b[j - 1]));
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1])) {
        d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a_size][b_size];
}

bool vouch_word_like(const char * words, const char * word)
{
  const size_t size = strlen(word);
  for (const char * w = words; *w != '\0' && size <= LONGEST_WORD; ) {
    const size_t length = strcspn(w, " ");
    if (length <= LONGEST_WORD &&
      changes_between(w, length, word, size) <= (length >= 6 ? 2u : 1u))
    {
      return true;
    }
    w += length;
    w += strspn(w, " ");
  }
  return false;
}

void vouch_guess_try(vouch_guess_t * guess, const char * candidate)
{
  const size_t size = strlen(candidate), word_size = strlen(guess->word);
  if (size > LONGEST_WORD || word_size > LONGEST_WORD) {
    return;
  }
  const size_t changes = changes_between(candidate, size, guess->word, word_size);
  if (changes > (size >= 6 ? 2u : 1u) || (guess->near && changes > guess->changes)) {
    return;
  }
  const bool nearer = !guess->near || changes < guess->changes;
  guess->best = nearer || vouch_same_text(guess->best, candidate) ? candidate : NULL;
  guess->near = true;
  guess->changes = changes;
}

const char * vouch_guess_question(const vouch_guess_t * guess, char text[160])
{
  text[0] = '\0';
  if (guess->best != NULL) {
    (void)snprintf(text, 160, "; is '%.100s' meant?", guess->best);
  }
  return text;
}

/* ---- text ---- */

/// Room for `more` bytes and a NUL.
static bool reserve(vouch_text_t * text, size_t more)
{
  if (text->failed) {
    return false;
  }
  if (more < text->capacity - text->size) {
    return true;
  }
  size_t capacity = text->capacity < 128 ? 256 : text->capacity;
  while (capacity - text->size <= more) {
    if (capacity > SIZE_MAX / 2) {
      text->failed = true;
      return false;
    }
    capacity *= 2;
  }
  char * data = vouch_realloc(&text->allocator, text->data, capacity, 1);
  if (data == NULL) {
    text->failed = true;
    return false;
  }
  text->data = data;
  text->capacity = capacity;
  return true;
}

void vouch_text_append_bytes(vouch_text_t * text, const void * data, size_t size)
{
  if (!reserve(text, size)) {
    return;
  }
  if (size > 0) {
    memcpy(text->data + text->size, data, size);
  }
  text->size += size;
  text->data[text->size] = '\0';
}

void vouch_text_append(vouch_text_t * text, const char * format, ...)
{
  locale_t locale = plain_locale();
  if (locale == (locale_t)0 || !reserve(text, 0)) {
    text->failed = true;
    return;
  }
  locale_t before = uselocale(locale);
  va_list arguments;
  va_start(arguments, format);
  int needed = vsnprintf(text->data + text->size, text->capacity - text->size, format, arguments);
  va_end(arguments);
  if (needed < 0) {
    text->failed = true;
  } else if ((size_t)needed >= text->capacity - text->size && reserve(text, (size_t)needed)) {
    va_start(arguments, format);
    needed = vsnprintf(text->data + text->size, text->capacity - text->size, format, arguments);
    va_end(arguments);
  }
  if (!text->failed) {
    text->size += (size_t)needed;
  } else if (text->data != NULL) {
    text->data[text->size] = '\0';
  }
  (void)uselocale(before);
}

void vouch_text_fini(vouch_text_t * text)
{
  vouch_free(&text->allocator, text->data);
  text->data = NULL;
  text->size = 0;
  text->capacity = 0;
}

bool vouch_is_utf8(const char * text)
{
  const uint8_t * p = (const uint8_t *)text;
  while (p != NULL && *p != 0) {
    uint32_t lead = *p++;
    if (lead < 0x80) {
      continue;
    }
    int more = lead >= 0xc2 && lead < 0xe0 ? 1 : lead >= 0xe0 && lead < 0xf0 ? 2 :
      lead >= 0xf0 && lead < 0xf5 ? 3 : 0;
    if (more == 0) {
      return false;
    }
    uint32_t code = lead & (0x3fu >> more);
    for (int i = 0; i < more; ++i, ++p) {
      if ((*p & 0xc0) != 0x80) {
        return false;
      }
      code = code << 6 | (*p & 0x3fu);
    }
    if ((more == 2 && code < 0x800) || (more == 3 && code < 0x10000) || code > 0x10ffff ||
      (code >= 0xd800 && code < 0xe000))
    {
      return false;
    }
  }
  return true;
}
