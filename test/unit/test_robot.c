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

/* The robot in memory: shapes of links, hash, the geometry cache, and life with little memory. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/sha256.h"
#include "base/text.h"
#include "model/robot.h"

static const char urdf[] =
  "<robot name='r'><link name='a'><collision><geometry><box size='1 1 1'/></geometry></collision>"
  "<collision><origin xyz='0 0 2'/><geometry><mesh filename='cube.obj'/></geometry></collision>"
  "</link><link name='b'><visual/></link><link name='c'><collision><geometry>"
  "<mesh filename='cube.obj'/></geometry></collision></link><link name='d'><collision><geometry>"
  "<mesh filename='cube.obj'/></geometry></collision></link>"
  "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
  "<origin xyz='0 0 1' rpy='0.1 0.2 0.3'/><axis xyz='0 0 1'/></joint>"
  "<joint name='k' type='prismatic'><parent link='b'/><child link='c'/><mimic joint='j'/></joint>"
  "<joint name='l' type='fixed'><parent link='c'/><child link='d'/></joint></robot>";
static const char srdf[] =
  "<robot name='r'><group name='g'><joint name='j'/></group><group_state name='s' group='g'>"
  "<joint name='j' value='1'/></group_state><disable_collisions link1='a' link2='nose'/>"
  "<disable_collisions link1='a' link2='c'/></robot>";
static const char cube[] =
  "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
  "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static char directory[64], cache[128];

static int make_files(void ** state)
{
  (void)state;
  char path[128];
  (void)snprintf(directory, sizeof(directory), "/tmp/vouch_test_robot_XXXXXX");
  assert_non_null(mkdtemp(directory));
  (void)snprintf(path, sizeof(path), "%s/cube.obj", directory);
  (void)snprintf(cache, sizeof(cache), "%s/deep/cache", directory);
  assert_int_equal(vouch_file_write(path, cube, strlen(cube)), VOUCH_RET_OK);
  return 0;
}

static int remove_files(void ** state)
{
  (void)state;
  char command[128];
  (void)snprintf(command, sizeof(command), "rm -r %s", directory);
  return system(command);
}

static vouch_ret_t load(vouch_robot_t ** robot, vouch_robot_options_t options)
{
  options.srdf_text = srdf;
  return vouch_robot_parse_urdf(robot, urdf, strlen(urdf), directory, &options);
}

static vouch_robot_t * loaded(vouch_robot_options_t options)
{
  vouch_robot_t * robot = NULL;
  if (load(&robot, options) != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
  return robot;
}

static bool same_hash(const vouch_robot_t * a, const vouch_robot_t * b)
{
  uint8_t x[32], y[32];
  vouch_robot_hash(a, x);
  vouch_robot_hash(b, y);
  return memcmp(x, y, sizeof(x)) == 0;
}

/* Byte for byte: geometries and facts, not only the digests that came with them. */
static void assert_same_geometry(const vouch_robot_t * a, const vouch_robot_t * b)
{
  assert_true(same_hash(a, b));
  for (size_t i = 0; i < a->link_count; ++i) {
    const vouch_link_t * links[2] = {&a->links[i], &b->links[i]};
    vouch_text_t bytes[2] = {{.allocator = a->allocator}, {.allocator = b->allocator}};
    assert_memory_equal(&links[0]->facts, &links[1]->facts, sizeof(links[0]->facts));
    for (size_t k = 0; k < 2 && links[k]->geometry != NULL; ++k) {
      vouch_geometry_encode(links[k]->geometry, &bytes[k]);
    }
    assert_int_equal(bytes[0].size, bytes[1].size);
    if (bytes[0].size > 0) {
      assert_memory_equal(bytes[0].data, bytes[1].data, bytes[0].size);
    }
    vouch_text_fini(&bytes[0]);
    vouch_text_fini(&bytes[1]);
  }
}

/* ---- shapes ---- */

static void shapes_of_a_link_can_be_replaced(void ** state)
{
  (void)state;
  vouch_robot_t * robot = loaded(vouch_robot_options_default());
  vouch_robot_t * other = loaded(vouch_robot_options_default());
  assert_true(same_hash(robot, other));
  const double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double base[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const uint32_t triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const vouch_shape_t shapes[] = {
    {.kind = VOUCH_SHAPE_BOX, .size = {1, 2, 3}}, {.kind = VOUCH_SHAPE_SPHERE, .size = {1}},
    {.kind = VOUCH_SHAPE_CYLINDER, .size = {1, 2}}, {.kind = VOUCH_SHAPE_CONE, .size = {1, 2}},
    {.kind = VOUCH_SHAPE_CAPSULE, .size = {1, 0}},
    {.kind = VOUCH_SHAPE_ELLIPSOID, .size = {1, 2, 3}},
    {.kind = VOUCH_SHAPE_PRISM, .size = {2}, .points = base, .point_count = 4},
    {.kind = VOUCH_SHAPE_CONVEX, .points = points, .point_count = 4},
    {.kind = VOUCH_SHAPE_MESH, .points = points, .point_count = 4, .triangles = triangles,
      .triangle_count = 4}
  };
  if (vouch_robot_set_link_shapes(robot, "b", shapes, NULL, 9) != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
  const vouch_link_t * b = &robot->links[vouch_robot_find_link(robot, "b")];
  assert_non_null(b->geometry);
  assert_int_equal(b->facts.convex, 8);
  assert_int_equal(b->facts.solids, 1);
  assert_int_equal(b->facts.triangles, 4);
  assert_int_equal(vouch_geometry_validate(b->geometry), VOUCH_RET_OK);
  assert_false(same_hash(robot, other));
  // The same shape through a file and through a call is the same robot.
  const vouch_shape_t box = {.kind = VOUCH_SHAPE_BOX, .size = {1, 1, 1}};
  assert_int_equal(vouch_robot_set_link_shapes(robot, "b", &box, NULL, 1), VOUCH_RET_OK);
  assert_int_equal(vouch_robot_set_link_shapes(other, "b", &box, NULL, 1), VOUCH_RET_OK);
  assert_true(same_hash(robot, other));
  assert_int_equal(vouch_robot_set_link_shapes(robot, "b", NULL, NULL, 0), VOUCH_RET_OK);
  assert_null(b->geometry);
  vouch_robot_destroy(other);
  vouch_robot_destroy(robot);
}

static void wrong_shapes_leave_the_link_as_it_was(void ** state)
{
  (void)state;
  const double points[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, NAN}};
  const uint32_t triangle[1][3] = {{0, 1, 7}};
  const vouch_shape_t wrong[] = {
    {.kind = VOUCH_SHAPE_UNKNOWN}, {.kind = VOUCH_SHAPE_PLANE, .plane = {0, 0, 1, 0}},
    {.kind = VOUCH_SHAPE_HALFSPACE, .plane = {0, 0, 1, 0}}, {.kind = (vouch_shape_kind_t)99},
    {.kind = VOUCH_SHAPE_BOX, .size = {1, 1, 0}}, {.kind = VOUCH_SHAPE_BOX, .size = {1, 1, 1e9}},
    {.kind = VOUCH_SHAPE_SPHERE, .size = {-1}}, {.kind = VOUCH_SHAPE_SPHERE, .size = {NAN}},
    {.kind = VOUCH_SHAPE_CAPSULE, .size = {0, 1}}, {.kind = VOUCH_SHAPE_CONVEX},
    {.kind = VOUCH_SHAPE_CONVEX, .points = points, .point_count = 3},
    {.kind = VOUCH_SHAPE_PRISM, .size = {1}, .points = points, .point_count = 2},
    {.kind = VOUCH_SHAPE_MESH}, {.kind = VOUCH_SHAPE_MESH, .points = points, .point_count = 2,
      .triangles = triangle, .triangle_count = 1}
  };
  vouch_robot_t * robot = loaded(vouch_robot_options_default());
  vouch_robot_t * before = loaded(vouch_robot_options_default());
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); ++i) {
    if (vouch_robot_set_link_shapes(robot, "a", &wrong[i], NULL, 1) != VOUCH_RET_INVALID) {
      fail_msg("wrong shape %zu was taken", i);
    }
    assert_non_null(strstr(vouch_error(), "link 'a'"));
  }
  const vouch_shape_t ball = {.kind = VOUCH_SHAPE_SPHERE, .size = {1}};
  const vouch_pose_t poses[] = {
    {.rotation = {0, 0, 0, 2}}, {.rotation = {0, 0, 0, 1}, .translation = {NAN, 0, 0}}
  };
  for (size_t i = 0; i < 2; ++i) {
    assert_int_equal(
      vouch_robot_set_link_shapes(robot, "a", &ball, &poses[i], 1), VOUCH_RET_INVALID);
  }
  assert_int_equal(vouch_robot_set_link_shapes(robot, "z", &ball, NULL, 1), VOUCH_RET_INVALID);
  assert_true(same_hash(robot, before));
  vouch_robot_destroy(before);
  vouch_robot_destroy(robot);
}

static void link_poses_need_the_joints_above_them(void ** state)
{
  (void)state;
  vouch_robot_t * robot = loaded(vouch_robot_options_default());
  vouch_pose_t pose;
  const double unknown = NAN;
  assert_int_equal(vouch_robot_link_pose(robot, 0, &unknown, &pose), VOUCH_RET_OK);
  assert_int_equal(vouch_robot_link_pose(robot, 1, &unknown, &pose), VOUCH_RET_INVALID);
  assert_non_null(strstr(vouch_error(), "joint 'j'"));
  assert_int_equal(vouch_robot_link_pose(robot, 1, NULL, &pose), VOUCH_RET_INVALID);
  const double zero = 0.0;
  assert_int_equal(vouch_robot_link_pose(robot, 2, &zero, &pose), VOUCH_RET_OK);
  assert_true(pose.translation[2] == 1.0);
  vouch_robot_destroy(robot);
}

static void destroying_nothing_is_legal(void ** state)
{
  (void)state;
  vouch_robot_destroy(NULL);
}

/* ---- cache ---- */

static size_t cache_entries(char paths[8][512])
{
  DIR * folder = opendir(cache);
  size_t count = 0;
  struct dirent * entry;
  while (folder != NULL && (entry = readdir(folder)) != NULL) {
    if (entry->d_name[0] != '.') {
      assert_true(count < 8);
      (void)snprintf(paths[count++], 512, "%s/%.200s", cache, entry->d_name);
    }
  }
  if (folder != NULL) {
    (void)closedir(folder);
  }
  return count;
}

static void the_cache_gives_the_same_robot(void ** state)
{
  (void)state;
  char paths[8][512];
  vouch_robot_options_t options = vouch_robot_options_default();
  vouch_robot_t * without = loaded(options);
  options.cache_directory = cache;
  vouch_robot_t * cold = loaded(options);
  assert_int_equal(cache_entries(paths), 2);   // a; c and d are the same
  vouch_robot_t * warm = loaded(options);
  assert_same_geometry(without, cold);
  assert_same_geometry(without, warm);
  assert_int_equal(warm->warning_count, without->warning_count);
  options.hulls = true;
  vouch_robot_t * hulls = loaded(options);
  assert_int_equal(cache_entries(paths), 4);
  assert_false(same_hash(without, hulls));
  vouch_robot_destroy(hulls);
  vouch_robot_destroy(warm);
  vouch_robot_destroy(cold);
  vouch_robot_destroy(without);
}

static void a_damaged_cache_is_ignored_and_repaired(void ** state)
{
  (void)state;
  char paths[8][512];
  vouch_allocator_t allocator = vouch_allocator_default();
  vouch_robot_options_t options = vouch_robot_options_default();
  vouch_robot_t * without = loaded(options);
  options.cache_directory = cache;
  vouch_robot_destroy(loaded(options));
  size_t count = cache_entries(paths);
  assert_true(count > 0);
  for (size_t p = 0; p < count; ++p) {
    char * data = NULL;
    size_t size = 0;
    assert_int_equal(vouch_file_read(&allocator, paths[p], 0, &data, &size), VOUCH_RET_OK);
    for (size_t at = 0; at < size; at += 1 + size / 150) {
      data[at] = (char)(data[at] ^ 0x10);
      assert_int_equal(vouch_file_write(paths[p], data, size), VOUCH_RET_OK);
      data[at] = (char)(data[at] ^ 0x10);
      vouch_robot_t * robot = loaded(options);
      assert_same_geometry(without, robot);
      vouch_robot_destroy(robot);
    }
    assert_int_equal(vouch_file_write(paths[p], data, size / 2), VOUCH_RET_OK);
    vouch_robot_destroy(loaded(options));
    assert_int_equal(vouch_file_write(paths[p], data, 0), VOUCH_RET_OK);
    vouch_robot_destroy(loaded(options));
    vouch_free(&allocator, data);
  }
  vouch_robot_destroy(without);
}

static size_t cache_warnings(const vouch_robot_t * robot, const char * word)
{
  size_t found = 0;
  for (size_t i = 0; i < vouch_robot_warning_count(robot); ++i) {
    const char * warning = vouch_robot_warning(robot, i);
    found += strstr(warning, "cache") != NULL && strstr(warning, word) != NULL;
  }
  return found;
}

/* Another geometry under the key of the first one: what somebody does who may write there. */
static void swap_entries(char paths[8][512], size_t count)
{
  vouch_allocator_t allocator = vouch_allocator_default();
  for (size_t p = 0; p < count; ++p) {
    char * data = NULL;
    size_t size = 0;
    assert_int_equal(vouch_file_read(&allocator, paths[p], 0, &data, &size), VOUCH_RET_OK);
    uint8_t seal[32];
    double extent = 77.0;   // a fact that is told, so that a believed entry is noticed
    memcpy(data + 84, &extent, sizeof(extent));
    vouch_sha256(data, 124, seal);
    memcpy(data + 124, seal, 32);
    assert_int_equal(vouch_file_write(paths[p], data, size), VOUCH_RET_OK);
    assert_int_equal(chmod(paths[p], 0600), 0);
    vouch_free(&allocator, data);
  }
}

static bool believes_cache(const vouch_robot_t * robot)
{
  return robot->links[vouch_robot_find_link(robot, "a")].facts.extent == 77.0;
}

static void a_cache_that_others_may_write_to_is_not_believed(void ** state)
{
  (void)state;
  char paths[8][512];
  struct stat status;
  vouch_robot_options_t options = vouch_robot_options_default();
  options.cache_directory = cache;
  vouch_robot_destroy(loaded(options));
  assert_int_equal(stat(cache, &status), 0);
  assert_int_equal(status.st_mode & 0777, 0700);
  const size_t count = cache_entries(paths);
  swap_entries(paths, count);
  vouch_robot_t * robot = loaded(options);
  assert_true(believes_cache(robot));   // so the test sees something
  vouch_robot_destroy(robot);
  const mode_t bad[] = {0770, 0720, 0702, 0777, 01777};
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); ++i) {
    assert_int_equal(chmod(cache, bad[i]), 0);
    robot = loaded(options);
    assert_false(believes_cache(robot));
    assert_int_equal(cache_warnings(robot, "others may write"), 1);
    vouch_robot_destroy(robot);
  }
  assert_int_equal(chmod(cache, 0700), 0);
  for (size_t p = 0; p < count; ++p) {
    assert_int_equal(chmod(paths[p], 0622), 0);
  }
  robot = loaded(options);
  assert_false(believes_cache(robot));
  vouch_robot_destroy(robot);
  swap_entries(paths, count);
  if (geteuid() == 0) {   // only root can make a directory somebody else's
    assert_int_equal(chown(cache, 12345, 12345), 0);
    robot = loaded(options);
    assert_false(believes_cache(robot));
    assert_int_equal(cache_warnings(robot, "another user"), 1);
    vouch_robot_destroy(robot);
    assert_int_equal(chown(cache, 0, 0), 0);
  }
}

static void a_cache_that_cannot_be_written_is_a_warning(void ** state)
{
  (void)state;
  vouch_robot_options_t options = vouch_robot_options_default();
  options.cache_directory = "/proc/no/such/place";
  vouch_robot_t * robot = loaded(options);
  size_t found = 0;
  for (size_t i = 0; i < vouch_robot_warning_count(robot); ++i) {
    found += strstr(vouch_robot_warning(robot, i), "cache") != NULL;
  }
  assert_int_equal(found, 1);
  vouch_robot_destroy(robot);
}

/* ---- little memory ---- */

typedef struct meter_s
{
  size_t calls, fail_at, live;
} meter_t;

static void * meter_allocate(size_t size, void * state)
{
  meter_t * meter = state;
  if (meter->calls++ == meter->fail_at) {
    return NULL;
  }
  void * block = malloc(size);
  meter->live += block != NULL;
  return block;
}

static void * meter_reallocate(void * pointer, size_t size, void * state)
{
  meter_t * meter = state;
  if (meter->calls++ == meter->fail_at) {
    return NULL;
  }
  return realloc(pointer, size);
}

static void meter_deallocate(void * pointer, void * state)
{
  meter_t * meter = state;
  meter->live -= pointer != NULL;
  free(pointer);
}

/* Fails the n-th request for every n: an error or, where memory is a matter of speed only, success,
 * and in both cases nothing is left behind. */
static void every_failing_allocation_is_survived(vouch_robot_options_t options)
{
  meter_t meter = {.fail_at = 0};
  options.allocator = (vouch_allocator_t) {
    .allocate = meter_allocate, .reallocate = meter_reallocate, .deallocate = meter_deallocate,
    .state = &meter
  };
  size_t failures = 0;
  for (;; ) {
    vouch_robot_t * robot = NULL;
    meter.calls = 0;
    vouch_ret_t ret = load(&robot, options);
    assert_true(ret == VOUCH_RET_OK || ret == VOUCH_RET_NO_MEMORY);
    assert_int_equal(ret == VOUCH_RET_OK, robot != NULL);
    if (ret != VOUCH_RET_OK) {
      assert_true(vouch_error()[0] != '\0');
      ++failures;
    }
    vouch_robot_destroy(robot);
    assert_int_equal(meter.live, 0);
    if (meter.calls <= meter.fail_at) {
      break;
    }
    ++meter.fail_at;
  }
  print_message("%zu requests, %zu failures\n", meter.fail_at, failures);
  assert_true(failures > 10);
}

static void no_failing_allocation_leaks_or_crashes(void ** state)
{
  (void)state;
  vouch_robot_options_t options = vouch_robot_options_default();
  every_failing_allocation_is_survived(options);
  options.cache_directory = cache;
  vouch_robot_destroy(loaded(options));   // warm
  every_failing_allocation_is_survived(options);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(shapes_of_a_link_can_be_replaced),
    cmocka_unit_test(wrong_shapes_leave_the_link_as_it_was),
    cmocka_unit_test(link_poses_need_the_joints_above_them),
    cmocka_unit_test(destroying_nothing_is_legal),
    cmocka_unit_test(the_cache_gives_the_same_robot),
    cmocka_unit_test(a_damaged_cache_is_ignored_and_repaired),
    cmocka_unit_test(a_cache_that_cannot_be_written_is_a_warning),
    cmocka_unit_test(a_cache_that_others_may_write_to_is_not_believed),
    cmocka_unit_test(no_failing_allocation_leaks_or_crashes),
  };
  return cmocka_run_group_tests(tests, make_files, remove_files);
}
