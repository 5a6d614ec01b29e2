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

/* Runs a fuzz target without libFuzzer: first every file of a corpus directory as it is, then
 * seeded mutations of these files until the time is up. The same seed gives the same inputs. */

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INPUTS_MAX 1000
#define INPUT_SIZE_MAX 65536

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

typedef struct input_s
{
  uint8_t * data;
  size_t size;
} input_t;

static uint64_t random_state = UINT64_C(0x9E3779B97F4A7C15);

/* xorshift64*: Vigna 2016, "An experimental exploration of Marsaglia's xorshift generators". */
static uint64_t random_next(void)
{
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return random_state * UINT64_C(0x2545F4914F6CDD1D);
}

static size_t random_below(size_t bound)
{
  return (size_t)(random_next() % bound);
}

static int compare_names(const void * a, const void * b)
{
  return strcmp(*(char * const *)a, *(char * const *)b);
}

static void read_input(const char * path, input_t * input)
{
  FILE * file = fopen(path, "rb");
  if (file == NULL) {
    return;
  }
  input->data = malloc(INPUT_SIZE_MAX);
  if (input->data != NULL) {
    input->size = fread(input->data, 1, INPUT_SIZE_MAX, file);
  }
  fclose(file);
}

/* Reads the files of the directory in the order of their names. Returns how many. */
static size_t read_corpus(const char * directory, input_t * inputs)
{
  char * names[INPUTS_MAX];
  char path[4096];
  size_t count = 0;
  DIR * handle = opendir(directory);
  if (handle == NULL) {
    return 0;
  }
  for (struct dirent * entry; (entry = readdir(handle)) != NULL && count < INPUTS_MAX; ) {
    if (entry->d_name[0] != '.') {
      names[count] = strdup(entry->d_name);
      count += names[count] != NULL;
    }
  }
  closedir(handle);
  qsort(names, count, sizeof names[0], compare_names);
  for (size_t i = 0; i < count; i++) {
    snprintf(path, sizeof path, "%s/%s", directory, names[i]);
    read_input(path, &inputs[i]);
    free(names[i]);
  }
  return count;
}

/* Changes, drops, repeats or moves a few bytes in place. Returns the new size. */
static size_t mutate(uint8_t * data, size_t size)
{
  const size_t changes = 1 + random_below(8);
  for (size_t i = 0; i < changes; i++) {
    const size_t at = size == 0 ? 0 : random_below(size);
    switch (random_below(size == 0 ? 1 : 5)) {
      case 0:  /* insert */
        if (size < INPUT_SIZE_MAX) {
          memmove(data + at + 1, data + at, size - at);
          data[at] = (uint8_t)random_next();
          size++;
        }
        break;
      case 1:  /* flip a bit */
        data[at] = (uint8_t)(data[at] ^ (1u << random_below(8)));
        break;
      case 2:  /* another byte, often a telling one */
        data[at] = (uint8_t)"\0\xff\x7f-e.9 <>"[random_below(10)];
        break;
      case 3:  /* cut the end */
        size = at;
        break;
      default:  /* copy a piece over another */
        {
          const size_t from = random_below(size);
          const size_t length = random_below(size - (from > at ? from : at)) + 1;
          memmove(data + at, data + from, length);
          break;
        }
    }
  }
  return size;
}

int main(int argc, char ** argv)
{
  static input_t inputs[INPUTS_MAX];
  static uint8_t work[INPUT_SIZE_MAX];
  if (argc < 2) {
    fprintf(stderr, "usage: %s corpus-directory [seconds]\n", argv[0]);
    return 2;
  }
  const double seconds = argc > 2 ? atof(argv[2]) : 1.0;
  const size_t count = read_corpus(argv[1], inputs);
  if (count == 0) {
    fprintf(stderr, "note: %s is empty; starting from nothing\n", argv[1]);
  }
  for (size_t i = 0; i < count; i++) {
    LLVMFuzzerTestOneInput(inputs[i].data, inputs[i].size);
  }
  unsigned long runs = 0;
  const time_t start = time(NULL);
  do {
    size_t size = 0;
    if (count > 0) {
      const input_t * input = &inputs[random_below(count)];
      size = input->size;
      if (size > 0) {
        memcpy(work, input->data, size);
      }
    }
    size = mutate(work, size);
    LLVMFuzzerTestOneInput(work, size);
    runs++;
  } while (difftime(time(NULL), start) < seconds);
  for (size_t i = 0; i < count; i++) {
    free(inputs[i].data);
  }
  printf("%zu files replayed, %lu mutations, no failure\n", count, runs);
  return 0;
}
