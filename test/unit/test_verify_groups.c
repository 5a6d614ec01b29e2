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

/* Groups, pairs and what is left out: every two items are named once, a group is met as its box,
 * and what a pair skips is proved elsewhere or not at all. [L7] [L8] */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/verify_expect.h"

// A ball of radius 0.1 slides along x at y = 0 (body 0). Four boxes of half size 0.1 in a row at
// y = 0.5 (bodies 1 to 4) are a group over frame 0, things 5 to 11: 5 (6 (7, 8), 9 (10, 11)). One more
// ball far away (body 4 + 1 = 5 where asked for) is no part of it.
static w_problem * row(void)
{
  w_problem * p = w_one_joint(2, X, -1, 1);
  w_sphere(p, 0.1);
  w_box(p, 0.1, 0.1, 0.1);
  w_add_body(p, 1, 0, 0, 0, 0);
  for (int i = 0; i < 4; i++) {
    w_add_body(p, 0, 1, i - 1.5, 0.5, 0);
  }
  const uint32_t group = w_add_group(p, 1, 4);
  assert_int_equal(group, 5);
  p->pair[p->pairs++] = (w_pair) {0, group, 0, 0};
  return p;
}

// Ops by letters: u: a leaf along y; others as they are.
static w_bytes ops_of(const char * letters)
{
  w_bytes ops = {0};
  for (; *letters != 0; letters++) {
    if (*letters == 'u') {w_leaf(&ops, 0, 1, 0);} else {w_u8(&ops, (unsigned char)*letters);}
  }
  return ops;
}

static void expect_ops(int code, const char * words, const w_problem * p, const char * letters)
{
  w_bytes ops = ops_of(letters);
  expect_reason(code, words, p, &ops);
}

#define CHANGED(code, words, letters, ...) \
  do { \
    w_problem * p = row(); \
    __VA_ARGS__; \
    w_bytes ops = ops_of(letters); \
    const int got = w_verify_free(p, &ops, &said); \
    if (got != (code) || strstr(said.text, words) == NULL) { \
      fail_msg("%s: got %d: %s", #__VA_ARGS__, got, said.text); \
    } \
    w_free_problem(p); \
  } while (0)

// [V-JOIN] [V-SUPPORT] The box of the group is 0.3 away from the ball; one body that sticks out
// takes that away.
static void a_group_is_met_as_its_box(void ** state)
{
  (void)state;
  for (int i = 0; i < 4; i++) {
    CHANGED(0, "", "u", p->pair[0].margin = 0.3 - 1e-6);
    CHANGED(1, "a leaf does not hold", "u", p->pair[0].margin = 0.3 + 1e-12);
    CHANGED(1, "a leaf does not hold", "u", p->body[1 + i].pose[5] = 0.19);
    // The box of a body that is turned by 45 degrees about z reaches down to 0.5 - 0.1 sqrt 2.
    CHANGED(
      0, "", "u", p->body[1 + i].pose[2] = sin(M_PI / 8); p->body[1 + i].pose[3] = cos(M_PI / 8);
      p->pair[0].margin = 0.3999995 - 0.1 * sqrt(2));
    CHANGED(
      1, "a leaf", "u", p->body[1 + i].pose[2] = sin(M_PI / 8);
      p->body[1 + i].pose[3] = cos(M_PI / 8); p->pair[0].margin = 0.4000001 - 0.1 * sqrt(2));
  }
  assert_int_equal(said.groups, 7);
  CHANGED(0, "", "u", (void)0);
  assert_true(said.checked == 4 && said.total == 4 && said.bodies == 5);
}

// [V-BOX] Along each axis, both ways: the box is where its bodies are.
static void boxes_end_where_their_bodies_do(void ** state)
{
  (void)state;
  const double half[3] = {0.25, 0.5, 0.75}, at[3] = {0.3, -0.2, 0.1};
  for (int k = 0; k < 12; k++) {
    const int axis = k / 4, sign = k / 2 % 2 == 0 ? 1 : -1;
    w_problem * p = w_one_joint(2, X, 0, 0);
    w_sphere(p, 0.1);
    w_box(p, half[0], half[1], half[2]);
    w_add_body(p, 1, 0, 0, 0, 0);
    p->body[0].pose[4 + axis] = 5 * sign;
    w_add_body(p, 0, 1, at[0], at[1], at[2]);
    pair_of(p, 0, w_add_group(p, 1, 1), 0);
    const double gap = 5 - 0.1 - (half[axis] + sign * at[axis]);
    p->pair[0].margin = gap + (k % 2 == 0 ? -1e-5 : 1e-11);
    w_bytes ops = {0};
    w_leaf(&ops, axis == 0 ? -sign : 0, axis == 1 ? -sign : 0, axis == 2 ? -sign : 0);
    expect(k % 2, p, &ops);
    w_free_problem(p);
  }
}

static void descents_lead_to_the_bodies(void ** state)
{
  (void)state;
  w_problem * p = row();
  expect_ops(0, "", p, "Buu");
  expect_ops(0, "", p, "BBBuuuu");
  expect_ops(0, "", p, "BBBbuuuu");      // and the first leaf becomes its body
  expect_ops(0, "", p, "BBBbbbbuuuu");
  expect_ops(1, "a primitive or a plane", p, "BBBbbbbB");
  expect_ops(1, "one goal is A or B, or two a or b", p, "BBBBuuuu");
  expect_ops(1, "one goal is A or B, or two a or b", p, "buuuu");
  expect_ops(1, "a primitive or a plane", p, "A");
  expect_ops(3, "the file is cut", p, "Bu");
  expect_ops(1, "bytes follow", p, "Buuu");
  // The second body is in the way of the box, and of what is beneath it.
  p->body[2].pose[4] = 3;
  p->body[2].pose[5] = 0;
  expect_ops(1, "a leaf", p, "u");
  expect_ops(1, "a leaf", p, "Buu");
  w_bytes ops = {0};
  w_put(&ops, "BB", 2);
  w_leaf(&ops, 0, 1, 0);   // things 9, 7, 8
  w_leaf(&ops, 0, 1, 0);
  w_leaf(&ops, 1, 0, 0);
  expect(0, p, &ops);
  w_free_problem(p);
}

// The group is a, on the moving frame, and the ball is b; with a tolerance that turns the ball around
// the box: 0.1 * sqrt(3) and the distance of its middle.
static void a_group_may_be_the_one_that_moves(void ** state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    w_problem * p = w_one_joint(1, Z, 0, 0);
    w_box(p, 0.1, 0.1, 0.1);
    w_box(p, 5, 1, 5);
    w_add_body(p, 1, 0, 2, 0, 0);
    w_add_body(p, 1, 0, 2.4, 0, 0);
    w_add_body(p, 0, 1, 0, 3, 0);
    const uint32_t group = w_add_group(p, 0, 2);
    p->tolerance[0] = 0.1;
    pair_of(p, group, 2, 0);
    // The box is 0.6 by 0.2 by 0.2 about x = 2.2.
    const double rho = 2.2 + sqrt(0.09 + 0.01 + 0.01);
    p->pair[0].margin = 2 - 0.1 - 0.1 * rho + (i == 0 ? -1e-5 : 1e-9);
    expect_ops(i, i == 0 ? "" : "a leaf", p, "u");
    expect_ops(i, i == 0 ? "" : "a leaf", p, "Auu");
    expect_ops(i, i == 0 ? "" : "a leaf", p, "Aaauu");
    w_free_problem(p);
  }
}

static void groups_meet_groups_and_planes(void ** state)
{
  (void)state;
  w_problem * p = w_one_joint(2, X, 0, 1);
  w_box(p, 0.1, 0.1, 0.1);
  for (int i = 0; i < 4; i++) {
    w_add_body(p, i < 2 ? 1 : 0, 0, i % 2, i < 2 ? 0 : 1, 0);
  }
  w_add_plane(p, 1, 0, 1, 0, -0.5);
  const uint32_t moving = w_add_group(p, 0, 2), still = w_add_group(p, 2, 2);
  pair_of(p, moving, still, 0.7);
  pair_of(p, moving, 4, 0.3);
  w_bytes ops = {0};
  w_leaf(&ops, 0, 1, 0);
  w_leaf(&ops, 0, 0, -1);
  expect(0, p, &ops);
  assert_true(said.checked == 6 && said.left_out[10] == 2 && said.total == 8);
  w_put(&ops, "AA", 2);          // both pairs; then four of halves
  w_put(&ops, "BB", 2);
  w_leaf(&ops, 0, 0, -1);
  w_leaf(&ops, 0, 0, -1);
  for (int i = 0; i < 4; i++) {
    w_leaf(&ops, 0, 1, 0);
  }
  expect(0, p, &ops);
  w_leaf(&ops, 0, 1, 0);
  w_u8(&ops, 'B');
  expect_reason(1, "a primitive or a plane", p, &ops);
  p->pair[0].margin = 0.81;
  w_leaf(&ops, 0, 1, 0);
  w_leaf(&ops, 0, 0, -1);
  expect(1, p, &ops);
  w_free_problem(p);
}

// [V-PAIRS] [V-GROUP]
static void groups_are_trees_in_a_row(void ** state)
{
  (void)state;
  CHANGED(3, "in two groups", "u", p->group[3].body = 1);
  CHANGED(3, "in two groups", "u", p->group[6].body = 3);
  CHANGED(3, "over no body", "u", p->group[6].body = 5);
  CHANGED(3, "over no body", "u", p->group[6].body = W_NONE);
  CHANGED(3, "wrong child", "u", p->group[0].right = 7);
  CHANGED(3, "wrong child", "u", p->group[0].right = W_NONE);
  CHANGED(3, "wrong child", "u", p->group[0].right = 1);     // both are the next
  CHANGED(3, "wrong child", "u", p->group[4].right = 4);     // itself
  CHANGED(3, "wrong child", "u", p->group[4].right = 3);     // back
  CHANGED(3, "wrong child", "u", p->group[0].body = 1);      // a child and a body
  CHANGED(3, "wrong child", "u", p->group[6] = (w_group) {7, W_NONE});
  CHANGED(3, "not in a row", "u", p->group[0].right = 3);    // in the middle of the first child
  CHANGED(3, "not in a row", "u", p->group[0].right = 5);    // beneath the second child
  CHANGED(3, "not in a row", "u", p->group[0].right = 2);
  CHANGED(3, "two frames", "u", p->body[2].parent = 1);
  CHANGED(3, "two frames", "u", p->body[3].parent = p->body[4].parent = 1);
  CHANGED(3, "no such two bodies", "u", p->pair[0].b = 12; p->no_more_left = true);
  CHANGED(3, "no two items", "u", p->pair[0].b = 6; p->no_more_left = true);   // beneath another
  CHANGED(3, "no two items", "u", p->pair[0].b = 1; p->no_more_left = true);   // beneath a group
  CHANGED(3, "no such two bodies", "u", p->pair[0].b = 0; p->no_more_left = true);
  CHANGED(3, "over no body", "u", w_add_plane(p, 1, 0, 0, 1, -9); p->group[6].body = 5);
  // Two roots, the second of which is a group of its own.
  for (int i = 0; i < 2; i++) {
    CHANGED(
      i == 0 ? 0 : 3, i == 0 ? "" : "pairs are missing", "u", p->groups = 0; w_add_group(p, 1, 2);
      w_add_group(p, 3, 2); p->no_more_left = i == 1);
    assert_int_equal(said.total, i == 0 ? 8 : 0);
  }
}

// A tree of 256 groups in a row, 255 of them above the lowest, and one more.
static void groups_are_not_too_deep(void ** state)
{
  (void)state;
  for (int extra = 0; extra < 2; extra++) {
    const uint32_t depth = 255 + (uint32_t)extra, groups = 2 * depth + 1, bodies = depth + 2;
    w_bytes b = {0};
    w_u64(&b, 0);
    w_u32(&b, 1);
    for (int i = 0; i < 14; i++) {
      w_f64(&b, i == 3 && i < 12 ? 1 : 0);
    }
    b.size = 8 + 4 + 112;
    memset(b.data + 12 + 96, 0, 16);
    w_u32(&b, bodies);
    for (uint32_t i = 0; i < bodies; i++) {
      w_f64s(&b, w_identity, 7);
      w_f64(&b, 0);
      w_u64(&b, 0);
      w_u64(&b, 0);
    }
    w_u32(&b, groups);
    for (uint32_t i = 0; i < depth; i++) {   // the left child is a leaf
      w_u32(&b, 2 * i + 2);
      w_u32(&b, W_NONE);
      w_u32(&b, 0);
      w_u32(&b, i);
    }
    w_u32(&b, 0);
    w_u32(&b, depth);
    w_u32(&b, 0);    // pairs, skips
    w_u32(&b, 0);
    w_u32(&b, 1);    // the group and the body beside it
    w_u32(&b, depth + 1);
    w_u32(&b, bodies);
    w_u32(&b, 1);
    w_u32(&b, 1 + 2 * (1 + bodies));
    for (uint32_t i = 0; i < 1 + 2 * (1 + bodies); i++) {
      w_u8(&b, 0);
    }
    // That scene in place of another's.
    w_problem * p = row();
    w_bytes whole = w_write_problem(p), other = {0};
    size_t at = 12;
    for (uint32_t part = 1; part < 5; part++) {
      uint64_t length;
      memcpy(&length, whole.data + at + 4, sizeof(length));
      if (part == 3) {
        w_u32(&other, 3);
        w_u64(&other, b.size);
        w_put(&other, b.data, b.size);
      } else {
        w_put(&other, whole.data + at, 12 + (size_t)length);
      }
      at += 12 + (size_t)length;
    }
    w_bytes file = {0};
    w_put(&file, whole.data, 12);
    w_put(&file, other.data, other.size);
    struct vouch_verifier * v = vouch_verify_load(file.data, file.size, &said);
    assert_int_equal(v != NULL, extra == 0);
    assert_int_equal(strstr(said.text, "too deep") != NULL, extra == 1);
    free(v);
    w_free(&b);
    w_free(&whole);
    w_free(&other);
    w_free(&file);
    w_free_problem(p);
  }
}

// Body 3 is skipped, as the user said; or checked with a margin of its own.
static void leave(w_problem * p, uint32_t body, uint32_t reason)
{
  p->skip[p->skips++] = (w_skip) {body, reason};
  p->pair[0].skips++;
}

// [V-MARK]
static void every_two_items_are_named_once(void ** state)
{
  (void)state;
  CHANGED(3, "pairs are missing", "u", p->pairs = 0; p->no_more_left = true);
  CHANGED(3, "pairs are missing, or too many", "uu", p->pair[p->pairs++] = p->pair[0]);
  CHANGED(3, "pairs are missing, or too many", "u", p->left[p->lefts++] = (w_left) {0, 5, 10});
  CHANGED(1, "nothing is checked", "", p->pairs = 0);
  assert_true(said.left_out[10] == 4 && said.checked == 0 && said.total == 4);
  // With a sixth body there are three pairs of items: one of them twice, and one not at all.
  #define SIXTH(p) \
  (p->groups = 0, w_add_body(p, 1, 0, 0, -3, 0), p->pair[0].b = w_add_group(p, 1, 4))
  CHANGED(0, "", "u", SIXTH(p));
  assert_true(said.checked == 4 && said.left_out[10] == 5 && said.total == 9);
  CHANGED(
    3, "named twice", "uu", SIXTH(p); p->pair[p->pairs++] = p->pair[0];
    p->left[p->lefts++] = (w_left) {0, 5, 10}; p->no_more_left = true);
  CHANGED(
    3, "named twice", "uu", SIXTH(p); p->pair[p->pairs++] = (w_pair) {6, 0, 0, 0};
    p->left[p->lefts++] = (w_left) {0, 5, 10}; p->no_more_left = true);
  CHANGED(
    3, "named twice", "u", SIXTH(p); p->left[p->lefts++] = (w_left) {0, 5, 10};
    p->left[p->lefts++] = (w_left) {5, 0, 10}; p->no_more_left = true);
  CHANGED(
    3, "named twice", "u", SIXTH(p); p->left[p->lefts++] = (w_left) {0, 6, 10};
    p->left[p->lefts++] = (w_left) {5, 0, 10}; p->no_more_left = true);
  CHANGED(
    3, "no two items", "u", SIXTH(p); p->left[p->lefts++] = (w_left) {0, 5, 10};
    p->left[p->lefts++] = (w_left) {5, 1, 10}; p->no_more_left = true);
  CHANGED(
    3, "no two items", "u", SIXTH(p); p->left[p->lefts++] = (w_left) {0, 5, 10};
    p->left[p->lefts++] = (w_left) {5, 7, 10}; p->no_more_left = true);
  CHANGED(
    3, "no two items", "u", SIXTH(p); p->left[p->lefts++] = (w_left) {0, 5, 10};
    p->left[p->lefts++] = (w_left) {5, 5, 10}; p->no_more_left = true);
  CHANGED(
    3, "no two items", "u", SIXTH(p); p->left[p->lefts++] = (w_left) {0, 5, 10};
    p->left[p->lefts++] = (w_left) {5, W_NONE, 10}; p->no_more_left = true);
  CHANGED(
    3, "pairs are missing", "u", SIXTH(p); p->left[p->lefts++] = (w_left) {0, 5, 10};
    p->no_more_left = true);
}

// [V-REASON]
static void reasons_are_true_where_that_can_be_seen(void ** state)
{
  (void)state;
  for (uint32_t reason = 0; reason < 14; reason++) {
    const bool good = reason >= 2 && reason <= 10;
    CHANGED(
      good ? 1 : 3, good ? "nothing is checked" : "", "", p->pairs = 0;
      p->left[p->lefts++] = (w_left) {0, 5, reason});
    assert_int_equal(said.left_out[reason % 12], good ? 4 : 0);
  }
  CHANGED(3, "a joint is between", "", p->pairs = 0; p->left[p->lefts++] = (w_left) {0, 5, 1});
  CHANGED(
    1, "nothing is checked", "", p->pairs = 0; p->left[p->lefts++] = (w_left) {5, 0, 1};
    p->body[0].parent = 0);
  // A frame that is fixed to the one that moves, and one beside it.
  for (int i = 0; i < 2; i++) {
    CHANGED(
      i == 0 ? 0 : 3, i == 0 ? "" : "a joint is between", "u",
      p->frame[2] = p->frame[0]; p->frame[2].parent = 1 - (uint32_t)i; p->frames = 3; p->groups = 0;
      w_add_body(p, 2, 0, 0, -3, 0); p->pair[0].b = w_add_group(p, 1, 4);
      p->left[p->lefts++] = (w_left) {0, 5, 1});
  }
  // Reason 11 is for two planes, and no FREE speaks about them.
  for (uint32_t kind = 0; kind < 3; kind++) {
    w_problem * p = w_one_joint(2, X, 0, 1);
    w_sphere(p, 0.1);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_plane(p, 1, 0, 0, 1, -1);
    if (kind == 0) {w_add_body(p, 0, 0, 0, 0, 9);} else {w_add_plane(p, kind, 0, 0, 1, -2);}
    pair_of(p, 0, 1, 0);
    for (uint32_t reason = 10; reason < 12; reason++) {
      p->left[0] = (w_left) {1, 2, reason};
      p->lefts = 1;
      w_bytes ops = {0};
      w_leaf(&ops, 0, 0, -1);
      expect_reason(
        reason == 10 ? 0 : kind == 0 ? 3 : 1, reason == 10 ? "" :
        kind == 0 ? "not two planes" : "two planes cannot be checked", p, &ops);
    }
    w_free_problem(p);
  }
}

// [V-SKIPS] [V-ITEMS]
static void skips_are_in_order_and_of_the_group(void ** state)
{
  (void)state;
  CHANGED(0, "", "u", leave(p, 2, 10); leave(p, 3, 7));
  assert_true(said.checked == 2 && said.left_out[10] == 1 && said.left_out[7] == 1);
  CHANGED(3, "not in order", "u", leave(p, 3, 10); leave(p, 2, 10));
  CHANGED(3, "not in order", "u", leave(p, 2, 10); leave(p, 2, 10));
  CHANGED(3, "not of the group", "u", leave(p, 0, 10));
  CHANGED(3, "not of the group", "u", leave(p, 5, 10));
  CHANGED(3, "not of the group", "u", leave(p, W_NONE, 10));
  CHANGED(3, "unknown reason", "u", leave(p, 2, 12));
  CHANGED(3, "not two planes", "u", leave(p, 2, 11));
  CHANGED(3, "a joint is between", "u", leave(p, 2, 1));
  CHANGED(3, "skips are missing", "u", p->pair[0].skips = 1);
  CHANGED(3, "skips are missing", "u", p->pair[0].skips = W_NONE);
  CHANGED(3, "too many skips", "u", leave(p, 2, 10); p->pair[0].skips = 0);
  CHANGED(3, "too many skips", "u", leave(p, 2, 10); leave(p, 3, 10); p->pair[0].skips = 1);
  // No skips between two bodies, or two groups.
  CHANGED(3, "skips of no group and body", "u", p->groups = 0; p->pair[0].b = 1; leave(p, 1, 10));
  CHANGED(
    3, "skips of no group and body", "u", p->groups = 0;
    p->pair[0].a = w_add_group(p, 0, 1); p->pair[0].b = w_add_group(p, 1, 4); leave(p, 1, 10));
}

// [V-SKIPPED] [V-PUSH] The ball goes through body 2. Where that is skipped, the others are proved;
// a goal at a group of which all is skipped is no goal.
static void what_is_skipped_is_left_away(void ** state)
{
  (void)state;
  #define THROUGH(p, k) (p->body[k].pose[5] = 0)
  CHANGED(1, "a leaf", "BBBuuuu", THROUGH(p, 2));
  CHANGED(0, "", "Bbuu", THROUGH(p, 2); leave(p, 2, 10));   // 6 (7, 8), 9: 8 is left away
  CHANGED(1, "bytes follow", "Bbuuu", THROUGH(p, 2); leave(p, 2, 10));
  CHANGED(1, "a leaf", "Bbuu", THROUGH(p, 2); leave(p, 1, 10));
  CHANGED(0, "", "bu", THROUGH(p, 1); THROUGH(p, 2); leave(p, 1, 10); leave(p, 2, 10));
  CHANGED(0, "", "bu", THROUGH(p, 3); THROUGH(p, 4); leave(p, 3, 10); leave(p, 4, 10));
  CHANGED(1, "a leaf", "bu", THROUGH(p, 2); THROUGH(p, 3); leave(p, 3, 10); leave(p, 4, 10));
  CHANGED(
    1, "nothing is checked", "", leave(p, 1, 10); leave(p, 2, 9); leave(p, 3, 8);
    leave(p, 4, 7));
  CHANGED(1, "bytes follow", "u", leave(p, 1, 10); leave(p, 2, 9); leave(p, 3, 8); leave(p, 4, 7));
  // A group that is a, and its skips.
  CHANGED(
    0, "", "Aauu", p->pair[0] = (w_pair) {5, 0, 0, 0}; THROUGH(p, 2); leave(p, 2, 10);
    for (int i = 1; i < 5; i++) {
    p->body[i].pose[5] *= -1;
  }
  );
}

static void own(w_problem * p, uint32_t body, double margin)
{
  leave(p, body, 0);
  p->pair[p->pairs++] = (w_pair) {0, body, margin, 0};
}

static void skipped_bodies_have_pairs_of_their_own_where_that_is_promised(void ** state)
{
  (void)state;
  // The margin of the group is 0.2, that of body 2 is 0.25, or more than there is.
  CHANGED(0, "", "Buuu", p->pair[0].margin = 0.2; own(p, 2, 0.25));
  assert_true(said.checked == 4 && said.margin == 0.2);
  CHANGED(1, "a leaf", "Buuu", p->pair[0].margin = 0.2; own(p, 2, 0.31));
  CHANGED(0, "", "Bu" "uu" "u", own(p, 2, 0); own(p, 4, 0));
  assert_int_equal(said.leaves, 4);
  CHANGED(3, "the file is cut", "Bu" "u", own(p, 2, 0));   // the goal of its own is owed
  CHANGED(3, "pairs are missing", "Buuu", own(p, 2, 0); p->pairs--);
  CHANGED(3, "pairs are missing", "Buuu", own(p, 2, 0); p->skip[0].reason = 10);
  CHANGED(3, "not the skipped body's", "Buuu", own(p, 2, 0); p->pair[1].b = 3);
  CHANGED(3, "not the skipped body's", "Buuu", own(p, 2, 0); p->pair[1] = (w_pair) {2, 0, 0, 0});
  CHANGED(3, "not the skipped body's", "Buuu", own(p, 2, 0); p->pair[1].skips = 1);
  CHANGED(
    3, "not the skipped body's", "Buuuu", own(p, 2, 0); own(p, 4, 0);
    const w_pair swap = p->pair[1]; p->pair[1] = p->pair[2]; p->pair[2] = swap);
  CHANGED(3, "a margin below", "Buuu", own(p, 2, -0.0));
  // In front of its group's pair, not behind it.
  CHANGED(
    3, "no two items", "Buuu", own(p, 2, 0);
    const w_pair swap = p->pair[1]; p->pair[1] = p->pair[0]; p->pair[0] = swap);
  // Promised at the end of the table, where none follows.
  CHANGED(
    3, "", "uu", SIXTH(p); p->pair[p->pairs++] = (w_pair) {0, 5, 0, 0};
    const w_pair swap = p->pair[1]; p->pair[1] = p->pair[0]; p->pair[0] = swap;
    p->pair[1].skips = 1; p->skip[p->skips++] = (w_skip) {2, 0};
    p->left[p->lefts++] = (w_left) {5, 6, 10}; p->left[p->lefts++] = (w_left) {5, 6, 10};
    p->no_more_left = true);
}

// A ball inside of a hollow box: the box is opened before the group over the ball is, so that no ray
// is owed any more. At a start that is refused; afterwards it is not.
static void a_body_is_not_opened_before_a_group_at_a_start(void ** state)
{
  (void)state;
  for (int i = 0; i < 4; i++) {
    w_problem * p = w_one_joint(2, X, 0, 0.01);
    w_geometry * g = w_new_geometry(p);
    w_add_box_mesh(g, (const double[3]) {0, 0, 0}, (const double[3]) {0.5, 0.5, 0.5}, 1);
    w_tree(g);
    w_sphere(p, 0.05);
    w_add_body(p, 1, 0, 0, 0, 0);
    w_add_body(p, 0, 1, 0, i < 2 ? 0 : 0.7, 0);
    const uint32_t group = w_add_group(p, i % 2 == 0 ? 1 : 0, 1);
    pair_of(p, i % 2 == 0 ? 0 : group, i % 2 == 0 ? group : 1, 0);
    w_bytes ops = {0};
    if (i % 2 == 1) {
      // The group is the box's: the ball has no children, so nothing of it can be opened.
      w_u8(&ops, 'B');
      expect_reason(1, "a primitive or a plane", p, &ops);
    } else {
      w_u8(&ops, 'A');
      expect_reason(1, "before a group", p, &ops);
      w_put(&ops, "bA", 2);
      w_ray(&ops, 0.3, 1, 0.2);
      expect_reason(i == 0 ? 1 : 3, i == 0 ? "a vertex is in a solid" : "the file is cut", p, &ops);
      // After half of the time, that the first half shows to be apart.
      w_u8(&ops, 'T');
      w_leaf(&ops, 0, 1, 0);
      w_u8(&ops, 'A');
      expect_reason(i == 0 ? 1 : 3, i == 0 ? "a leaf" : "the file is cut", p, &ops);
    }
    w_free_problem(p);
  }
}

// A COLLISION of the ball with the third box at the middle of the motion, told by body.
static int witness(const w_problem * p, uint32_t pair, uint32_t a, uint32_t b, const char * letters)
{
  w_bytes problem = w_write_problem(p), c = w_certificate_head(&problem, 2, 0);
  w_u64(&c, W_ONE / 2);
  w_u32(&c, pair);
  w_u32(&c, a);
  w_u32(&c, b);
  for (int i = 0; i < 5; i++) {
    w_u32(&c, 0);
  }
  w_u32(&c, 8);
  for (int k = 0; k < 8; k++) {
    w_f64s(&c, (const double[3]) {0, 0, 0}, 3);
    w_f64s(&c, (const double[3]) {1, 0, 0}, 3);
    for (int i = 0; i < 4; i++) {
      w_u32(&c, 0);
    }
  }
  w_put(&c, letters, strlen(letters));
  const int code = w_verify(&problem, &c, &said);
  w_free(&problem);
  w_free(&c);
  return code;
}

// [V-NAMED]
static void witnesses_name_bodies_of_the_pair(void ** state)
{
  (void)state;
  w_problem * p = row();
  for (int i = 1; i < 5; i++) {
    p->body[i].pose[4] = i == 3 ? 0 : 5;
    p->pair[0].margin = 0.7;
  }
  p->body[3].pose[5] = 0.5;
  assert_int_equal(witness(p, 0, 0, 3, "S"), 0);
  assert_true(said.meets[0] == 0 && said.meets[1] == 3 && said.kind == VOUCH_VERIFY_COLLISION);
  assert_string_equal(said.text, "COLLISION SHOWN");
  assert_int_equal(witness(p, 0, 0, 2, "S"), 1);
  assert_non_null(strstr(said.text, "does not show a contact"));
  const uint32_t wrong[7][2] = {{0, 5}, {0, 0}, {3, 0}, {3, 3}, {0, 6}, {0, W_NONE}, {W_NONE, 3}};
  for (int i = 0; i < 7; i++) {
    assert_int_equal(witness(p, 0, wrong[i][0], wrong[i][1], "S"), 1);
    assert_non_null(strstr(said.text, "not of the pair"));
  }
  // Skipped, or checked by a pair of its own.
  leave(p, 3, 10);
  assert_int_equal(witness(p, 0, 0, 3, "S"), 1);
  assert_non_null(strstr(said.text, "not checked by it"));
  p->skips = 0;
  p->pair[0].skips = 0;
  own(p, 3, 0.7);
  assert_int_equal(witness(p, 0, 0, 3, "SS"), 1);
  assert_int_equal(witness(p, 1, 0, 3, "SS"), 0);
  assert_int_equal(witness(p, 1, 0, 2, "SS"), 1);
  assert_int_equal(witness(p, 2, 0, 3, "SS"), 1);
  w_free_problem(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_group_is_met_as_its_box),
    cmocka_unit_test(boxes_end_where_their_bodies_do),
    cmocka_unit_test(descents_lead_to_the_bodies),
    cmocka_unit_test(a_group_may_be_the_one_that_moves),
    cmocka_unit_test(groups_meet_groups_and_planes),
    cmocka_unit_test(groups_are_trees_in_a_row),
    cmocka_unit_test(groups_are_not_too_deep),
    cmocka_unit_test(every_two_items_are_named_once),
    cmocka_unit_test(reasons_are_true_where_that_can_be_seen),
    cmocka_unit_test(skips_are_in_order_and_of_the_group),
    cmocka_unit_test(what_is_skipped_is_left_away),
    cmocka_unit_test(skipped_bodies_have_pairs_of_their_own_where_that_is_promised),
    cmocka_unit_test(a_body_is_not_opened_before_a_group_at_a_start),
    cmocka_unit_test(witnesses_name_bodies_of_the_pair),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
