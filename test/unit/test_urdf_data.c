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

/* Real robots: every URDF of the test data loads, with the links and variables it should have, and
 * puts its links where an independent reading of the same file puts them. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/robot.h"
#include "support/data.h"

typedef struct expected_s
{
  const char * urdf;
  const char * srdf;
  size_t links, variables, geometries;
  const char * root;
  size_t triangles;   // of all links
  size_t open;        // mesh parts that are not closed
} expected_t;

#define COMPAS "compas_fab_robot_library/"
#define ROBOWFLEX "robowflex_resources/"
static const expected_t robots[] = {
  {COMPAS "abb_irb4600_40_255/urdf/robot_description.urdf",
    COMPAS "abb_irb4600_40_255/robot_description_semantic.srdf", 9, 6, 7, "base_link", 954, 0},
  {COMPAS "ur10e_robot/urdf/robot_description.urdf",
    COMPAS "ur10e_robot/robot_description_semantic.srdf", 12, 6, 7, "base_link", 8638, 0},
  {COMPAS "ur3e_robot/urdf/robot_description.urdf",
    COMPAS "ur3e_robot/robot_description_semantic.srdf", 12, 6, 7, "base_link", 8176, 0},
  {"drake_models/iiwa_description/urdf/iiwa14_polytope_collision.urdf", NULL, 11, 7, 1, "base", 0,
    0},
  {"drake_models/iiwa_description/urdf/iiwa14_primitive_collision.urdf", NULL, 11, 7, 8, "base",
    14666, 0},
  {"drake_models/iiwa_description/urdf/iiwa14_spheres_dense_collision.urdf", NULL, 11, 7, 8, "base",
    0, 0},
  {"drake_models/ur_description/urdf/ur3e_cylinders_collision.urdf", NULL, 10, 6, 7, "ur_base_link",
    0, 0},
  {"kuka_experimental/kuka_kr210_support/urdf/kr210l150.urdf", NULL, 9, 6, 7, "base_link", 4412, 0},
  {"kuka_experimental/kuka_lbr_iiwa_support/urdf/lbr_iiwa_14_r820.urdf",
    "tesseract_support/support/urdf/lbr_iiwa_14_r820.srdf", 10, 7, 8, "base_link", 5200, 0},
  {"moveit_resources/fanuc_description/urdf/fanuc.urdf",
    "moveit_resources/fanuc_moveit_config/config/fanuc.srdf", 9, 6, 7, "base_link", 6934, 0},
  {"moveit_resources/panda_description/urdf/panda.urdf",
    "moveit_resources/panda_moveit_config/config/panda.srdf", 12, 8, 11, "panda_link0", 2364, 0},
  {ROBOWFLEX "panda/urdf/panda.urdf", ROBOWFLEX "panda/config/panda.srdf", 12, 8, 11, "panda_link0",
    2364, 0},
  {ROBOWFLEX "ur/robots/ur5_robotiq85_small_table.expanded.urdf",
    ROBOWFLEX "ur/config/ur5/ur5_robotiq85_table.expanded.srdf", 24, 7, 19, "world", 101507, 11},
  {ROBOWFLEX "yumi/urdf/yumi.urdf", ROBOWFLEX "yumi/config/yumi.srdf", 23, 16, 21, "world", 105900,
    6},
  {"tesseract_support/support/urdf/car_seat_demo.urdf",
    "tesseract_support/support/urdf/car_seat_demo.srdf", 17, 8, 15, "world", 0, 0},
  {"vamp/resources/panda/panda_spherized.urdf", NULL, 13, 7, 11, "panda_link0", 0, 0},
  {"vamp/resources/ur5/ur5_spherized.urdf", NULL, 22, 6, 17, "offset_link", 0, 0},
};
enum {ROBOTS = sizeof(robots) / sizeof(robots[0])};

static const char * const package_table[][2] = {
  {"robowflex_resources", "robowflex_resources"},
  {"moveit_resources_fanuc_description", "moveit_resources/fanuc_description"},
  {"moveit_resources_panda_description", "moveit_resources/panda_description"},
  {"ur_description", COMPAS "ur_description"},
  {"abb_irb4600_40_255", COMPAS "abb_irb4600_40_255/abb_irb4600_40_255"},
  {"kuka_lbr_iiwa_support", "kuka_experimental/kuka_lbr_iiwa_support"},
  {"kuka_kr210_support", "kuka_experimental/kuka_kr210_support"},
  {"tesseract", "tesseract_support"},
  {"drake_models", "drake_models"},
};
enum {PACKAGES = sizeof(package_table) / sizeof(package_table[0])};

static void join(char * out, size_t size, const char * relative)
{
  int length = snprintf(out, size, "%s/%s", test_data_directory(), relative);
  assert_true(length > 0 && (size_t)length < size);
}

static vouch_robot_t * load(const expected_t * expected, bool geometry)
{
  static char directories[PACKAGES][1024];
  vouch_package_t packages[PACKAGES];
  char urdf[1024], srdf[1024];
  for (size_t i = 0; i < PACKAGES; ++i) {
    join(directories[i], sizeof(directories[i]), package_table[i][1]);
    packages[i] = (vouch_package_t) {.name = package_table[i][0], .directory = directories[i]};
  }
  vouch_robot_options_t options = vouch_robot_options_default();
  options.packages = packages;
  options.package_count = PACKAGES;
  options.ignore_geometry = !geometry;
  join(urdf, sizeof(urdf), expected->urdf);
  if (expected->srdf != NULL) {
    join(srdf, sizeof(srdf), expected->srdf);
    options.srdf_path = srdf;
  }
  vouch_robot_t * robot = NULL;
  if (vouch_robot_load_urdf(&robot, urdf, &options) != VOUCH_RET_OK) {
    fail_msg("%s", vouch_error());
  }
  return robot;
}

static void every_robot_loads_with_its_geometry(void ** state)
{
  (void)state;
  if (test_data_directory() == NULL) {
    skip();
  }
  for (size_t i = 0; i < ROBOTS; ++i) {
    vouch_robot_t * robot = load(&robots[i], true);
    print_message("%s\n", robots[i].urdf);
    for (size_t k = 0; k < vouch_robot_warning_count(robot); ++k) {
      print_message("    %s\n", vouch_robot_warning(robot, k));
    }
    assert_int_equal(vouch_robot_link_count(robot), robots[i].links);
    assert_int_equal(vouch_robot_variable_count(robot), robots[i].variables);
    assert_string_equal(vouch_robot_root_link(robot), robots[i].root);
    size_t geometries = 0, triangles = 0, open = 0;
    for (size_t l = 0; l < robot->link_count; ++l) {
      if (robot->links[l].geometry != NULL) {
        ++geometries;
        assert_int_equal(vouch_geometry_validate(robot->links[l].geometry), VOUCH_RET_OK);
      }
      triangles += robot->links[l].facts.triangles;
      open += robot->links[l].facts.open;
    }
    assert_int_equal(geometries, robots[i].geometries);
    assert_int_equal(triangles, robots[i].triangles);
    assert_int_equal(open, robots[i].open);
    vouch_robot_destroy(robot);
  }
}

/* ---- an independent reading: string search, long double, matrices ---- */

typedef struct ref_joint_s
{
  char name[64], parent[64], child[64], master[64];
  char type;   // 'f'ixed, 'r'otating, 'p'rismatic
  long double xyz[3], rpy[3], axis[3], multiplier, offset;
} ref_joint_t;

typedef struct ref_s
{
  ref_joint_t joints[64];
  size_t count;
} ref_t;

typedef struct matrix_s
{
  long double r[3][3], t[3];
} matrix_t;

/* Copies the value of `name` in the element that begins at `from`; false when there is none. */
static bool attribute(const char * from, const char * name, char * out, size_t size)
{
  const char * end = strchr(from, '>');
  char pattern[32];
  (void)snprintf(pattern, sizeof(pattern), " %s=\"", name);
  const char * at = strstr(from, pattern);
  if (at == NULL || at > end) {
    return false;
  }
  at += strlen(pattern);
  size_t length = (size_t)(strchr(at, '"') - at);
  assert_true(length < size);
  memcpy(out, at, length);
  out[length] = '\0';
  return true;
}

static void three(const char * from, const char * name, long double out[3])
{
  char text[256];
  if (from != NULL && attribute(from, name, text, sizeof(text))) {
    char * p = text;
    for (int i = 0; i < 3; ++i) {
      out[i] = strtold(p, &p);
    }
  }
}

static void ref_read_joint(ref_joint_t * joint, const char * start, const char * end)
{
  char * text = calloc(1, (size_t)(end - start) + 1);
  memcpy(text, start, (size_t)(end - start));
  *joint = (ref_joint_t) {.axis = {1.0L, 0.0L, 0.0L}, .multiplier = 1.0L};
  char type[32] = "", number[64];
  assert_true(attribute(text, "name", joint->name, sizeof(joint->name)));
  assert_true(attribute(text, "type", type, sizeof(type)));
  joint->type = strcmp(type, "prismatic") == 0 ? 'p' : strcmp(type, "fixed") == 0 ? 'f' : 'r';
  assert_true(attribute(strstr(text, "<parent"), "link", joint->parent, sizeof(joint->parent)));
  assert_true(attribute(strstr(text, "<child"), "link", joint->child, sizeof(joint->child)));
  three(strstr(text, "<origin"), "xyz", joint->xyz);
  three(strstr(text, "<origin"), "rpy", joint->rpy);
  three(strstr(text, "<axis"), "xyz", joint->axis);
  const char * mimic = strstr(text, "<mimic");
  if (mimic != NULL) {
    assert_true(attribute(mimic, "joint", joint->master, sizeof(joint->master)));
    if (attribute(mimic, "multiplier", number, sizeof(number))) {
      joint->multiplier = strtold(number, NULL);
    }
    if (attribute(mimic, "offset", number, sizeof(number))) {
      joint->offset = strtold(number, NULL);
    }
  }
  free(text);
}

static void blank_comments(char * text)
{
  char * at;
  while ((at = strstr(text, "<!--")) != NULL) {
    char * end = strstr(at, "-->");
    assert_non_null(end);
    memset(at, ' ', (size_t)(end + 3 - at));
  }
}

/* Joints of transmissions have no <parent>, and are not read. */
static void ref_read(ref_t * ref, char * text)
{
  blank_comments(text);
  ref->count = 0;
  for (const char * at = text; (at = strstr(at, "<joint ")) != NULL; ++at) {
    const char * end = strstr(at, "</joint>");
    const char * parent = strstr(at, "<parent");
    if (end != NULL && parent != NULL && parent < end) {
      assert_true(ref->count < 64);
      ref_read_joint(&ref->joints[ref->count++], at, end);
    }
  }
}

static matrix_t multiply(const matrix_t * a, const matrix_t * b)
{
  matrix_t out;
  for (int i = 0; i < 3; ++i) {
    out.t[i] = a->t[i];
    for (int j = 0; j < 3; ++j) {
      out.t[i] += a->r[i][j] * b->t[j];
      out.r[i][j] = 0.0L;
      for (int k = 0; k < 3; ++k) {
        out.r[i][j] += a->r[i][k] * b->r[k][j];
      }
    }
  }
  return out;
}

/* Rotation about a unit axis: cos I + sin [n]x + (1 - cos) n n^T. */
static matrix_t rotation(const long double n[3], long double angle)
{
  long double c = cosl(angle), s = sinl(angle);
  const long double cross[3][3] = {{0, -n[2], n[1]}, {n[2], 0, -n[0]}, {-n[1], n[0], 0}};
  matrix_t out = {.t = {0, 0, 0}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      out.r[i][j] = (i == j ? c : 0.0L) + s * cross[i][j] + (1.0L - c) * n[i] * n[j];
    }
  }
  return out;
}

static long double ref_value(
  const ref_t * ref, const ref_joint_t * joint, const vouch_robot_t * robot,
  const double * values)
{
  if (joint->master[0] == '\0') {
    return (long double)values[vouch_robot_find_variable(robot, joint->name)];
  }
  for (size_t i = 0; i < ref->count; ++i) {
    if (strcmp(ref->joints[i].name, joint->master) == 0) {
      return joint->multiplier * ref_value(ref, &ref->joints[i], robot, values) + joint->offset;
    }
  }
  fail_msg("no master %s", joint->master);
  return 0.0L;
}

static matrix_t ref_pose(
  const ref_t * ref, const char * link, const vouch_robot_t * robot, const double * values)
{
  static const long double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (size_t i = 0; i < ref->count; ++i) {
    const ref_joint_t * joint = &ref->joints[i];
    if (strcmp(joint->child, link) != 0) {
      continue;
    }
    matrix_t pose = ref_pose(ref, joint->parent, robot, values);
    matrix_t origin = rotation(axes[2], joint->rpy[2]);
    for (int k = 1; k >= 0; --k) {
      matrix_t turn = rotation(axes[k], joint->rpy[k]);
      origin = multiply(&origin, &turn);
    }
    memcpy(origin.t, joint->xyz, sizeof(origin.t));
    pose = multiply(&pose, &origin);
    if (joint->type == 'f') {
      return pose;
    }
    long double value = ref_value(ref, joint, robot, values), n[3];
    long double length = sqrtl(
      joint->axis[0] * joint->axis[0] + joint->axis[1] * joint->axis[1] +
      joint->axis[2] * joint->axis[2]);
    for (int k = 0; k < 3; ++k) {
      n[k] = joint->axis[k] / length;
    }
    matrix_t motion = rotation(n, joint->type == 'p' ? 0.0L : value);
    for (int k = 0; k < 3; ++k) {
      motion.t[k] = joint->type == 'p' ? n[k] * value : 0.0L;
    }
    return multiply(&pose, &motion);
  }
  return rotation(axes[0], 0.0L);   // the root
}

static double random_between(uint64_t * seed, double low, double high)
{
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

/* The largest deviation of the images of the origin and of three unit points. */
static long double deviation(const matrix_t * expected, const vouch_pose_t * pose)
{
  const double * q = pose->rotation;
  long double x = (long double)q[0], y = (long double)q[1], z = (long double)q[2];
  long double w = (long double)q[3], n = x * x + y * y + z * z + w * w, worst = 0.0L;
  const long double r[3][3] = {
    {1 - 2 * (y * y + z * z) / n, 2 * (x * y - z * w) / n, 2 * (x * z + y * w) / n},
    {2 * (x * y + z * w) / n, 1 - 2 * (x * x + z * z) / n, 2 * (y * z - x * w) / n},
    {2 * (x * z - y * w) / n, 2 * (y * z + x * w) / n, 1 - 2 * (x * x + y * y) / n}
  };
  for (int i = 0; i < 3; ++i) {
    worst = fmaxl(worst, fabsl(expected->t[i] - (long double)pose->translation[i]));
    for (int j = 0; j < 3; ++j) {
      worst = fmaxl(worst, fabsl(expected->r[i][j] - r[i][j]));
    }
  }
  return worst;
}

static void link_poses_agree_with_an_independent_reading(void ** state)
{
  (void)state;
  if (test_data_directory() == NULL) {
    skip();
  }
  static ref_t ref;
  uint64_t seed = 20260101;
  long double worst = 0.0L;
  for (size_t i = 0; i < ROBOTS; ++i) {
    vouch_robot_t * robot = load(&robots[i], false);
    char path[1024];
    char * text = NULL;
    size_t size = 0;
    vouch_allocator_t allocator = vouch_allocator_default();
    join(path, sizeof(path), robots[i].urdf);
    assert_int_equal(vouch_file_read(&allocator, path, 0, &text, &size), VOUCH_RET_OK);
    ref_read(&ref, text);
    assert_int_equal(ref.count + 1, robot->link_count);
    for (int sample = 0; sample < 50; ++sample) {
      double values[32];
      for (size_t v = 0; v < robot->variable_count; ++v) {
        values[v] = random_between(&seed, -3.0, 3.0);
      }
      for (uint32_t l = 0; l < robot->link_count; ++l) {
        vouch_pose_t pose;
        assert_int_equal(vouch_robot_link_pose(robot, l, values, &pose), VOUCH_RET_OK);
        matrix_t expected = ref_pose(&ref, robot->links[l].name, robot, values);
        long double error = deviation(&expected, &pose);
        worst = fmaxl(worst, error);
        if (!(error < 1e-13L)) {
          fail_msg("%s, %s: off by %Lg", robots[i].urdf, robot->links[l].name, error);
        }
      }
    }
    vouch_free(&allocator, text);
    vouch_robot_destroy(robot);
  }
  print_message("largest deviation %Lg\n", worst);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(link_poses_agree_with_an_independent_reading),
    cmocka_unit_test(every_robot_loads_with_its_geometry),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
