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

/* vouch-verify problem certificate */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify.h"

/* [V-FILE] Ensures: the bytes of the file; ends the program if it cannot be read. */
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

/* [V-MAIN] Ensures: exit code 0 only after VERIFIED was printed; 1 refused, 3 malformed or
 * unreadable. */
int main(int argc, char ** argv)
{
  struct vouch_verify_report r;
  size_t sizes[2];
  const int help = argc == 2 && strcmp(argv[1], "--help") == 0;
  if (argc != 3) {
    fprintf(
      help ? stdout : stderr, "usage: vouch-verify problem certificate\n"
      "exit code: 0 VERIFIED, 1 refused, 3 malformed input or wrong usage\n");
    return help ? 0 : VOUCH_VERIFY_MALFORMED;
  }
  void * problem = read_file(argv[1], &sizes[0]), * proof = read_file(argv[2], &sizes[1]);
  struct vouch_verifier * v = vouch_verify_load(problem, sizes[0], &r);
  const int code = v == NULL ? r.code : vouch_verify_check(v, proof, sizes[1], &r);
  const char * word = code == VOUCH_VERIFY_REFUSED ? "REFUSED: " : "MALFORMED: ";
  printf("%s%s\n", code == VOUCH_VERIFY_OK ? "" : word, r.text);
  free(v);
  free(problem);
  free(proof);
  return fflush(stdout) == 0 && !ferror(stdout) ? code : VOUCH_VERIFY_MALFORMED;
}
