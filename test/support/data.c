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

#include "support/data.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

const char * test_data_directory(void)
{
  struct stat status;
  const char * directory = getenv("VOUCH_DATA");
  if (directory == NULL || directory[0] == '\0') {
    directory = VOUCH_TEST_DATA;
  }
  if (stat(directory, &status) == 0 && S_ISDIR(status.st_mode)) {
    return directory;
  }
  fprintf(
    stderr, "*** NO TEST DATA: %s is not a directory; set VOUCH_DATA. Tests are skipped. ***\n",
    directory);
  return NULL;
}

const char * test_data_path(const char * relative, char * path, size_t size)
{
  struct stat status;
  const char * directory = test_data_directory();
  if (directory == NULL) {
    return NULL;
  }
  const int length = snprintf(path, size, "%s/%s", directory, relative);
  if (length < 0 || (size_t)length >= size || stat(path, &status) != 0) {
    fprintf(stderr, "*** NO TEST DATA: %s/%s is not there ***\n", directory, relative);
    return NULL;
  }
  return path;
}
