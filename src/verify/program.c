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

/* The program: reads two files, says what was verified. */

#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "internal.h"

#define LINES 100000

static const char HELP[] =
  " [--pairs] [--json] [--expect HASH] PROBLEM CERTIFICATE\n"
  "\n"
  "Checks a proof, or what shows a collision, against its problem, with interval arithmetic of its\n"
  "own and nothing of the program that made it.\n"
  "\n"
  "  --pairs        each two bodies: checked with which margin, or left out and why\n"
  "  --json         the same as JSON\n"
  "  --expect HASH  refuse every problem but the one with this hash\n"
  "  --version      the version, and that of the files\n"
  "\n"
  "Example: vouch-verify --pairs tight.problem tight.certificate\n"
  "\n"
  "Exit code: 0 VERIFIED FREE, 2 COLLISION SHOWN, 1 refused, 3 malformed input or wrong usage.\n";

static const char * const REASONS[12] = {
  "", "nothing between the two moves", "two shapes of one object", "adjacent links",
  "SRDF: Adjacent", "SRDF: Never", "SRDF: another word", "an allowed collision",
  "allowed by default", "held, or what it may touch", "the user said so", "two planes"
};

typedef struct { bool pairs, json; const char * expect; uint64_t lines; } options;

/* [V-FILE] Ensures: the bytes of a regular file, NULL if it cannot be read as one.
 * Why:      the file is opened without waiting, and looked at before it is read. */
static void * read_file(const char * program, const char * path, size_t * size)
{
  struct stat about;
  const int number = open(path, O_RDONLY | O_NONBLOCK);
  const bool regular = number >= 0 && fstat(number, &about) == 0 && S_ISREG(about.st_mode);
  FILE * file = regular ? fdopen(number, "rb") : NULL;
  void * bytes = file != NULL &&
    about.st_size < UINT32_MAX ? malloc((size_t)about.st_size + 1) : NULL;
  *size = bytes != NULL ? fread(bytes, 1, (size_t)about.st_size, file) : 0;
  const bool good = bytes != NULL && !ferror(file) && *size == (size_t)about.st_size;
  if (file != NULL) {fclose(file);}
  if (good) {return bytes;}
  fprintf(stderr, "%s: cannot read %s, or it is no regular file below 4 GiB\n", program, path);
  free(bytes);
  return NULL;
}

/* [V-PRINT] Ensures: prints a text; what is no letter, digit or sign of ASCII as \xNN. */
static void print(const char * text, bool json)
{
  for (; *text != 0; text++) {
    const bool plain = *text >= ' ' && *text <= '~' && *text != '"' && *text != '\\';
    if (plain) {putchar(*text);} else {printf(json ? "\\\\x%02x" : "\\x%02x", (uint8_t)*text);}
  }
}

/* [V-LINE] Ensures: two bodies are told, and how far they are kept apart or why they are not. */
static void print_two(
  const verifier * v, options * o, uint32_t a, uint32_t b, uint32_t reason, double margin)
{
  if (o->lines++ >= LINES) {return;}
  printf(o->json ? "%s\n    {\"a\": \"" : "%s", o->json && o->lines > 1 ? "," : "");
  print(v->things[a].name, o->json);
  printf(o->json ? "\", \"b\": \"" : " - ");
  print(v->things[b].name, o->json);
  if (reason == REASON_OWN) {
    printf(o->json ? "\", \"margin\": %.17g}" : ": checked, margin %.17g m\n", margin);
  } else {
    printf(o->json ? "\", \"left_out\": \"%s\"}" : ": left out, %s\n", REASONS[reason]);
  }
}

/* [V-EACH] Ensures: each body beneath a with each beneath b is told, but for those whose skip is of
 * a reason other than `reason`. A thing ends where the next that is not beneath it begins. */
static void print_each(
  const verifier * v, options * o, uint32_t a, uint32_t b, uint32_t reason, const pair_t * p)
{
  const uint32_t ends[2] = {v->things[a].end, v->things[b].end};
  for (uint32_t i = a; i < ends[0] && o->lines <= LINES; i++) {
    for (uint32_t k = b; k < ends[1] && o->lines <= LINES; k++) {
      const thing_t * x = &v->things[i], * y = &v->things[k];
      if ((x->kind == GROUP && x->right > 0) || (y->kind == GROUP && y->right > 0)) {continue;}
      const uint32_t one = x->kind == GROUP ? x->body : i, two = y->kind == GROUP ? y->body : k;
      const skip_t * skip = p == NULL ? NULL : p->skips;
      while (skip != NULL && skip < p->skips + p->skip_count && skip->body != one &&
        skip->body != two) {skip++;}
      const bool skipped = skip != NULL && skip < p->skips + p->skip_count;
      if (skipped && skip->reason == REASON_OWN) {continue;}
      print_two(v, o, one, two, skipped ? skip->reason : reason, p == NULL ? 0.0 : p->margin);
    }
  }
}

/* [V-ALL] Ensures: all pairs of bodies are told, or it is said that they are too many. */
static void print_pairs(const verifier * v, options * o)
{
  printf(o->json ? ",\n  \"pairs\": [" : "");
  for (const pair_t * p = v->pairs; p < v->pairs + v->pair_count; p++) {
    print_each(v, o, p->a, p->b, REASON_OWN, p);
  }
  for (const left_t * l = v->left_out; l < v->left_out + v->left_count; l++) {
    print_each(v, o, l->a, l->b, l->reason, NULL);
  }
  const bool more_of_them = o->lines > LINES;
  printf(
    o->json ? "],\n  \"all_pairs\": %s" : "%s",
    !o->json ? "" : more_of_them ? "false" : "true");
  if (!o->json && more_of_them) {printf("and more: only %d lines are printed\n", LINES);}
}

/* [V-REPORT] Ensures: what was verified is told. */
static void print_report(const verifier * v, options * o, const struct vouch_verify_report * r)
{
  const bool collision = r->kind == VOUCH_VERIFY_COLLISION;
  printf(
    o->json ? "{\n  \"verdict\": \"%s\",\n  \"version\": \"%s\",\n  \"problem\": \"%s\",\n"
    "  \"checked\": %llu,\n  \"pairs_of_bodies\": %llu,\n  \"left_out\": {" :
    "%s\nversion: %s, files of version 3\nproblem: %s\nchecked %llu of %llu pairs of bodies\n",
    r->text, VOUCH_VERIFY_VERSION, r->hash, (unsigned long long)r->checked,
    (unsigned long long)r->total);
  const char * comma = "";
  for (int i = 0; i < 12; i++) {
    if (r->left_out[i] == 0) {continue;}
    printf(
      o->json ? "%s\"%s\": %llu" : "%sleft out (%s): %llu\n", comma, REASONS[i],
      (unsigned long long)r->left_out[i]);
    comma = o->json ? ", " : "";
  }
  printf(
    o->json ? "},\n  \"may_touch\": %llu,\n  \"triangles_without_inside\": %llu,\n"
    "  \"margin\": %.17g,\n  \"tolerance\": %.17g,\n  \"duration\": %.17g,\n"
    "  \"leaves\": %llu,\n  \"free_until_segment\": %.17g,\n  \"robot\": \"" :
    "may touch (inside or not): %llu pairs\nsurfaces without inside: %llu triangles\n"
    "margin: %.17g m\nlargest tolerance: %.17g\nduration: %.17g s\nleaves: %llu\n"
    "free until: segment %.17g\nrobot: ",
    (unsigned long long)r->touching, (unsigned long long)r->surfaces, r->margin, r->tolerance,
    r->duration, (unsigned long long)r->leaves, r->free_until);
  print(v->robot, o->json);
  printf(o->json ? "\"" : "\n");
  if (collision) {
    printf(
      o->json ? ",\n  \"apart\": %.17g,\n  \"at_segment\": %.17g,\n  \"between\": [\"" :
      "apart: %.17g m, at segment %.17g\nbetween: ", r->apart, r->shown_at);
    print(v->things[r->meets[0]].name, o->json);
    printf(o->json ? "\", \"" : " - ");
    print(v->things[r->meets[1]].name, o->json);
    printf(o->json ? "\"]" : "\n");
  }
  if (o->pairs) {print_pairs(v, o);}
  printf(o->json ? "\n}\n" : "");
}

/* [V-ANSWER] Ensures: 0 only after VERIFIED FREE was printed, 2 after COLLISION SHOWN. */
static int answer(options * o, const void * problem, const void * proof, const size_t sizes[2])
{
  struct vouch_verify_report r;
  struct vouch_verifier * v = vouch_verify_load(problem, sizes[0], &r);
  int code = v == NULL ? r.code : VOUCH_VERIFY_REFUSED;
  if (v != NULL && o->expect != NULL && strcmp(o->expect, r.hash) != 0) {
    snprintf(r.text, sizeof(r.text), "the problem's hash is %s", r.hash);
  } else if (v != NULL) {
    code = vouch_verify_check(v, proof, sizes[1], &r);
  }
  if (code == VOUCH_VERIFY_OK) {
    print_report(v, o, &r);
    code = r.kind == VOUCH_VERIFY_FREE ? 0 : 2;
  } else {
    const char * word = code == VOUCH_VERIFY_REFUSED ? "REFUSED" : "MALFORMED";
    printf(
      o->json ? "{\n  \"verdict\": \"%s\",\n  \"reason\": \"%s\"\n}\n" : "%s: %s\n", word,
      r.text);
  }
  free(v);
  return fflush(stdout) == 0 && !ferror(stdout) ? code : VOUCH_VERIFY_MALFORMED;
}

/* [V-PROGRAM] Ensures: exit code 0 only after VERIFIED FREE was printed, or what was asked for. */
int vouch_verify_program(const char * name, int argc, char ** argv)
{
  options o = {.expect = NULL};
  size_t sizes[2];
  const char * files[2] = {NULL, NULL};
  int count = 0;
  for (int i = 1; i < argc; i++) {
    const bool hash = strcmp(argv[i], "--expect") == 0 && i + 1 < argc;
    const bool pairs = strcmp(argv[i], "--pairs") == 0, json = strcmp(argv[i], "--json") == 0;
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      return printf("Usage: %s%s", name, HELP) > 0 ? 0 : VOUCH_VERIFY_MALFORMED;
    }
    if (strcmp(argv[i], "--version") == 0) {
      return printf("%s %s, files of version 3\n", name, VOUCH_VERIFY_VERSION) > 0 ? 0 : 3;
    }
    o.pairs = o.pairs || pairs;
    o.json = o.json || json;
    o.expect = hash ? argv[++i] : o.expect;
    if (hash || pairs || json) {continue;}
    count = argv[i][0] == '-' || count == 2 ? 3 : count;
    if (count < 2) {files[count++] = argv[i];}
  }
  if (count != 2) {
    fprintf(
      stderr, "%s: a problem file and a certificate file are needed.\nUsage: %s%s", name,
      name, HELP);
    return VOUCH_VERIFY_MALFORMED;
  }
  void * problem = read_file(name, files[0], &sizes[0]),
    * proof = read_file(name, files[1], &sizes[1]);
  const bool good = problem != NULL && proof != NULL;
  const int code = good ? answer(&o, problem, proof, sizes) : VOUCH_VERIFY_MALFORMED;
  free(problem);
  free(proof);
  return code;
}
