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

/* vouch-verify problem certificate [problem certificate ...] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify.h"

/* [V-FILE] Ensures: the bytes of the file, to be freed; ends the program if it cannot be read. */
static void * read_file(const char * path, size_t * size)
{
  FILE * file = fopen(path, "rb");
  const long length = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  void * bytes = length >= 0 && fseek(file, 0, SEEK_SET) == 0 ? malloc((size_t)length + 1) : NULL;
  if (bytes == NULL) {
    fprintf(stderr, "vouch-verify: cannot read %s\n", path);
    exit(VOUCH_VERIFY_MALFORMED);
  }
  *size = fread(bytes, 1, (size_t)length, file);
  fclose(file);
  return bytes;
}

/* [V-PRINT] Ensures: VOUCH_VERIFY_OK only if what was verified is printed. */
static int print_report(const struct vouch_verify_report * r)
{
  const int free = r->kind == VOUCH_VERIFY_FREE;
  printf("VERIFIED %s\nrobot: %s\n", free ? "FREE" : "COLLISION", r->robot);
  printf("pairs: %" PRIu64 "\nleaves: %" PRIu64 "\n", r->pairs, r->leaves);
  printf("margin: %.17g m\nlargest tolerance: %.17g\n", r->margin, r->tolerance);
  printf("duration: %.17g s\n", r->seconds);
  if (!free) {printf("distance of at most %.17g m shown at: %.17g s\n", r->apart, r->t_hi);}
  if (r->free_until_t_lo) {printf("free until: %.17g s\n", r->t_lo);}
  return fflush(stdout) == 0 && !ferror(stdout) ? VOUCH_VERIFY_OK : VOUCH_VERIFY_MALFORMED;
}

/* [V-MAIN] Ensures: exit code 0 only after VERIFIED was printed for every problem; else that of the
 * first one for which it was not: 1 refused, 3 malformed or unreadable. */
int main(int argc, char ** argv)
{
  struct vouch_verify_kept kept = {.length = 0};
  struct vouch_verify_report r;
  size_t sizes[2];
  const int help = argc == 2 && strcmp(argv[1], "--help") == 0;
  int code = argc < 3 || argc % 2 == 0 ? VOUCH_VERIFY_MALFORMED : VOUCH_VERIFY_OK;
  if (code != VOUCH_VERIFY_OK) {
    fprintf(
      help ? stdout : stderr, "usage: vouch-verify problem certificate [...]\n"
      "exit code: 0 VERIFIED, 1 refused, 3 malformed input or wrong usage\n");
  }
  for (int i = 1; i < argc && code == VOUCH_VERIFY_OK; i += 2) {
    void * problem = read_file(argv[i], &sizes[0]), * proof = read_file(argv[i + 1], &sizes[1]);
    code = vouch_verify_memory(&kept, problem, sizes[0], proof, sizes[1], &r);
    free(problem);
    free(proof);
    if (code == VOUCH_VERIFY_OK) {code = print_report(&r);}
    const char * word = code == VOUCH_VERIFY_REFUSED ? "REFUSED" : "MALFORMED";
    if (code != VOUCH_VERIFY_OK) {printf("%s: %s\n", word, r.reason);}
  }
  vouch_verify_forget(&kept);
  return help ? 0 : code;
}
