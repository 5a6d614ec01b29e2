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

#include "read/resource.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "read/xml.h"

enum {MAX_ABOVE = 16};   // directories above the description in which packages are looked for

/* Joins up to four pieces (NULL ends the list) into a new string. */
static vouch_ret_t join(
  const vouch_allocator_t * allocator, const char * const pieces[4], char ** path)
{
  vouch_text_t text = {.allocator = *allocator};
  for (size_t i = 0; i < 4 && pieces[i] != NULL; ++i) {
    vouch_text_append_bytes(&text, pieces[i], strlen(pieces[i]));
  }
  if (text.failed || text.data == NULL) {
    vouch_text_fini(&text);
    return vouch_fail(VOUCH_RET_NO_MEMORY, "out of memory for a path");
  }
  *path = text.data;
  return VOUCH_RET_OK;
}

static bool starts_with(const char * text, const char * prefix)
{
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

static const char resource_index[] = "/share/ament_index/resource_index/packages/";

/* The first prefix of AMENT_PREFIX_PATH whose resource index lists the package. */
static vouch_ret_t find_in_ament(
  const vouch_allocator_t * allocator, const char * package, char ** share)
{
  const char * prefixes = getenv("AMENT_PREFIX_PATH");
  while (prefixes != NULL && *prefixes != '\0') {
    size_t length = strcspn(prefixes, ":");
    char * prefix = vouch_calloc(allocator, length + 1, 1);
    if (prefix == NULL) {
      return VOUCH_RET_NO_MEMORY;
    }
    memcpy(prefix, prefixes, length);
    char * marker = NULL;
    vouch_ret_t ret = join(
      allocator, (const char * const[4]) {prefix, resource_index, package, NULL}, &marker);
    if (ret == VOUCH_RET_OK && length > 0 && access(marker, F_OK) == 0) {
      ret = join(allocator, (const char * const[4]) {prefix, "/share/", package, NULL}, share);
    }
    vouch_free(allocator, marker);
    vouch_free(allocator, prefix);
    if (ret != VOUCH_RET_OK || *share != NULL) {
      return ret;
    }
    prefixes += length + (prefixes[length] == ':');
  }
  return VOUCH_RET_OK;
}

/* Whether the directory's package.xml says that it is this package. One that cannot be read says
 * nothing. */
static bool is_package(
  const vouch_allocator_t * allocator, const char * directory, const char * package)
{
  vouch_xml_t document = {.source = "package.xml"};
  vouch_xml_element_t * name = NULL;
  char * path = NULL, * text = NULL;
  size_t size = 0;
  bool same = false;
  if (join(allocator, (const char * const[4]) {directory, "/package.xml", NULL}, &path) ==
    VOUCH_RET_OK && access(path, R_OK) == 0 &&
    vouch_file_read(allocator, path, VOUCH_XML_MAX_SIZE, &text, &size) == VOUCH_RET_OK)
  {
    if (vouch_xml_parse(&document, *allocator, path, text, size) == VOUCH_RET_OK &&
      vouch_xml_only_child(&document, document.root, "name", &name) == VOUCH_RET_OK &&
      name != NULL)
    {
      const char * word = text + name->begin;
      size_t length = name->end - name->begin, blank = strspn(word, " \t\r\n");
      blank = blank < length ? blank : length;
      word += blank;
      length -= blank;
      while (length > 0 && strchr(" \t\r\n", word[length - 1]) != NULL) {
        --length;
      }
      same = length == strlen(package) && memcmp(word, package, length) == 0;
    }
    vouch_xml_fini(&document);
  }
  vouch_free(allocator, text);
  vouch_free(allocator, path);
  return same;
}

/* A description mostly lies in a package itself, beside others. From its directory upwards: the
 * directory, if its package.xml names the package; else one in it that has the package's name and
 * the file. */
static vouch_ret_t find_above(
  const vouch_resource_context_t * context, const char * package, const char * rest,
  char ** directory)
{
  const vouch_allocator_t * allocator = &context->allocator;
  char * above = context->base_directory == NULL ? NULL : realpath(context->base_directory, NULL);
  vouch_ret_t ret = VOUCH_RET_OK;
  for (int i = 0; i < MAX_ABOVE && above != NULL && *above != '\0'; ++i) {
    char * beside = NULL, * file = NULL;
    if (is_package(allocator, above, package)) {
      ret = join(allocator, (const char * const[4]) {above, NULL}, directory);
      break;
    }
    ret = join(allocator, (const char * const[4]) {above, "/", package, NULL}, &beside);
    if (ret == VOUCH_RET_OK) {
      ret = join(allocator, (const char * const[4]) {beside, "/", rest, NULL}, &file);
    }
    if (ret == VOUCH_RET_OK && access(file, R_OK) == 0) {
      *directory = beside;
      beside = NULL;
    }
    vouch_free(allocator, beside);
    vouch_free(allocator, file);
    if (ret != VOUCH_RET_OK || *directory != NULL) {
      break;
    }
    *strrchr(above, '/') = '\0';
  }
  free(above);   // of realpath()
  return ret;
}

static vouch_ret_t resolve_in_package(
  const vouch_resource_context_t * context, const char * uri, const char * package,
  const char * rest, char ** path)
{
  for (size_t i = 0; i < context->package_count; ++i) {
    if (strcmp(context->packages[i].name, package) == 0) {
      return join(
        &context->allocator,
        (const char * const[4]) {context->packages[i].directory, "/", rest, NULL}, path);
    }
  }
  char * share = NULL;
  vouch_ret_t ret = find_in_ament(&context->allocator, package, &share);
  if (ret == VOUCH_RET_OK && share == NULL) {
    ret = find_above(context, package, rest, &share);
  }
  if (ret == VOUCH_RET_OK && share == NULL) {
    ret = vouch_fail(
      VOUCH_RET_INVALID,
      "%.300s: package '%.100s' is neither given (--package %.100s=DIRECTORY) nor found through "
      "AMENT_PREFIX_PATH or in the directories above the file", uri, package, package);
  }
  if (ret == VOUCH_RET_OK) {
    ret = join(&context->allocator, (const char * const[4]) {share, "/", rest, NULL}, path);
  }
  vouch_free(&context->allocator, share);
  return ret;
}

static vouch_ret_t resolve_package(
  const vouch_resource_context_t * context, const char * uri, char ** path)
{
  const char * name = uri + strlen("package://");
  size_t length = strcspn(name, "/");
  if (length == 0 || name[length] == '\0' || name[length + 1] == '\0') {
    return vouch_fail(
      VOUCH_RET_INVALID, "%.300s: expected package://NAME/PATH/OF/THE/FILE", uri);
  }
  char * package = vouch_calloc(&context->allocator, length + 1, 1);
  if (package == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  memcpy(package, name, length);
  vouch_ret_t ret = resolve_in_package(context, uri, package, name + length + 1, path);
  vouch_free(&context->allocator, package);
  return ret;
}

static int hex_digit(char c)
{
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  c = (char)(c | 0x20);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* %20 and its like, as RFC 3986 has them in file URIs. */
static bool decode_percent(char * text)
{
  char * out = text;
  for (const char * in = text; *in != '\0'; ++in) {
    if (*in != '%') {
      *out++ = *in;
      continue;
    }
    int high = hex_digit(in[1]);
    int low = high < 0 ? -1 : hex_digit(in[2]);
    if (low < 0 || (high == 0 && low == 0)) {
      return false;
    }
    *out++ = (char)(high * 16 + low);
    in += 2;
  }
  *out = '\0';
  return true;
}

static vouch_ret_t resolve_file(
  const vouch_resource_context_t * context, const char * uri, char ** path)
{
  const char * rest = uri + strlen("file://");
  if (starts_with(rest, "localhost/")) {
    rest += strlen("localhost");
  }
  if (*rest != '/') {
    return vouch_fail(
      VOUCH_RET_INVALID, "%.300s: a file URI needs an absolute path (file:///home/...)", uri);
  }
  *path = vouch_strdup(&context->allocator, rest);
  if (*path == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  if (!decode_percent(*path)) {
    vouch_free(&context->allocator, *path);
    *path = NULL;
    return vouch_fail(VOUCH_RET_INVALID, "%.300s: '%%' is not followed by two hex digits", uri);
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_resource_resolve(
  const vouch_resource_context_t * context, const char * uri, char ** path)
{
  *path = NULL;
  if (starts_with(uri, "package://")) {
    return resolve_package(context, uri, path);
  }
  if (starts_with(uri, "file://")) {
    return resolve_file(context, uri, path);
  }
  if (strstr(uri, "://") != NULL) {
    return vouch_fail(
      VOUCH_RET_INVALID,
      "%.300s: only package://, file:// and plain paths are read; store the file locally", uri);
  }
  if (*uri == '\0') {
    return vouch_fail(VOUCH_RET_INVALID, "the file name is empty");
  }
  if (*uri == '/') {
    return join(&context->allocator, (const char * const[4]) {uri, NULL, NULL, NULL}, path);
  }
  if (context->base_directory == NULL) {
    return vouch_fail(
      VOUCH_RET_INVALID,
      "%.300s: a relative path has no meaning here, because the description came as text without "
      "a directory", uri);
  }
  return join(
    &context->allocator, (const char * const[4]) {context->base_directory, "/", uri, NULL}, path);
}

vouch_ret_t vouch_resource_directory(
  const vouch_allocator_t * allocator, const char * path, char ** directory)
{
  const char * slash = strrchr(path, '/');
  *directory = slash == NULL ? vouch_strdup(allocator, ".") : vouch_strdup(allocator, path);
  if (*directory == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  if (slash != NULL) {
    (*directory)[slash == path ? 1 : slash - path] = '\0';
  }
  return VOUCH_RET_OK;
}
