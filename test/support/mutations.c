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

#include "support/mutations.h"

#ifdef VOUCH_HAVE_ARB

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "kernel/derived.h"
#include "support/adversary.h"
#include "support/arb_checker.h"
#include "verify/verify.h"

#define HEAD 12            // magic and version, of both files
#define PART_HEAD 12       // tag and length
#define HASHES 16          // of the certificate: after its kind
#define MARGIN (HASHES + 96)
#define TOLERANCE (MARGIN + 8)
#define OPS (TOLERANCE + 8)   // or the witness

typedef struct bytes_s
{
  uint8_t * data;
  size_t size;
} bytes_t;

typedef struct files_s
{
  bytes_t problem, certificate;
} files_t;

static bytes_t copy(bytes_t from)
{
  bytes_t to = {malloc(from.size + 64), from.size};
  memcpy(to.data, from.data, from.size);
  return to;
}

static void drop(files_t * pair)
{
  free(pair->problem.data);
  free(pair->certificate.data);
}

/// Writes the hashes of the problem into the certificate, so that only the proof can be at fault.
static void bind(files_t * pair)
{
  size_t at = HEAD;
  for (int i = 0; i < 3; i++) {
    uint64_t length;
    if (at + PART_HEAD > pair->problem.size) {
      return;
    }
    memcpy(&length, pair->problem.data + at + 4, sizeof(length));
    at += PART_HEAD;
    if (length > pair->problem.size - at) {
      return;
    }
    vouch_sha256(pair->problem.data + at, (size_t)length, pair->certificate.data + HASHES + 32 * i);
    at += (size_t)length;
  }
}

/* ---- ops ---- */

static size_t op_size(uint8_t tag)
{
  switch (tag) {
    case 'L': case 'I': case 'H':
      return 13;
    case 'D':
      return 25;
    case 'P':
      return 2;
    default:
      return 1;
  }
}

/// A random op's place; with a direction if asked for. SIZE_MAX: none.
static size_t random_op(test_random_t * r, bytes_t certificate, bool directed)
{
  size_t chosen = SIZE_MAX;
  uint32_t seen = 0;
  for (size_t at = OPS; at < certificate.size;
    at += op_size(certificate.data[at]))
  {
    if ((!directed || op_size(certificate.data[at]) >= 13) && test_random_below(r, ++seen) == 0) {
      chosen = at;
    }
  }
  return chosen;
}

static bool mutate_ops(test_random_t * r, files_t * pair, int kind)
{
  bytes_t * c = &pair->certificate;
  size_t begin = OPS, x, y;
  switch (kind) {
    case MUTATE_OPS_BIT:
      x = begin + test_random_bits(r) % (c->size - begin);
      c->data[x] ^= (uint8_t)(1u << test_random_below(r, 8));
      return true;
    case MUTATE_DROP:
      x = random_op(r, *c, false);
      y = op_size(c->data[x]);
      memmove(c->data + x, c->data + x + y, c->size - x - y);
      c->size -= y;
      return true;
    case MUTATE_SWAP:
      x = random_op(r, *c, true);
      y = random_op(r, *c, true);
      for (size_t i = 1; x != SIZE_MAX && i < 13; i++) {
        uint8_t byte = c->data[x + i];
        c->data[x + i] = c->data[y + i];
        c->data[y + i] = byte;
      }
      return x != SIZE_MAX && x != y;
    case MUTATE_TURN:   // by a little, by a lot, or the other way
      x = random_op(r, *c, true);
      if (x == SIZE_MAX) {
        return false;
      }
      float n[3];
      memcpy(n, c->data + x + 1, sizeof(n));
      double by = test_random_below(r, 4) == 0 ? -2.0 : pow(10.0, test_random_in(r, -7.0, 0.0));
      double d[3];
      test_random_direction(r, d);
      for (int i = 0; i < 3; i++) {
        n[i] = by < 0.0 ? -n[i] : (float)(((double)n[i] + by * d[i]) / (1.0 + by));
      }
      memcpy(c->data + x + 1, n, sizeof(n));
      return true;
    case MUTATE_TAG:
      x = random_op(r, *c, false);
      c->data[x] = (uint8_t)"TABLDPIHS"[test_random_below(r, 9)];
      return true;
    default:   // cut or add
      x = test_random_below(r, 40);
      if (test_random_below(r, 2) && c->size > begin + x) {
        c->size -= x;
      } else {
        memset(c->data + c->size, 'T', x);
        c->size += x;
      }
      return x > 0;
  }
}

/* ---- witnesses ---- */

#define TIME 16            // a time: tick, segment, zero; a witness begins with two of them
#define CLAIM (2 * TIME)
#define PAIR (CLAIM + 4)   // the pair, its group
#define PARTS (PAIR + 8)   // which is the solid, the two parts, the number of points
#define POINTS (PARTS + 16)

static double nudge(test_random_t * r, double scale);

/// Another time near the old one, or any time: of contact, or until which all is free.
static void change_time(test_random_t * r, uint8_t * time)
{
  uint32_t segment;
  uint64_t tick;
  memcpy(&tick, time, sizeof(tick));
  memcpy(&segment, time + 8, sizeof(segment));
  uint64_t step = UINT64_C(1) << test_random_below(r, 51);
  switch (test_random_below(r, 4)) {
    case 0:
      segment += test_random_below(r, 2) ? 1u : UINT32_MAX;
      break;
    case 1:
      tick += test_random_below(r, 2) ? 1u : UINT64_MAX;
      break;
    case 2:   // one of a coarser grid next to it
      tick += test_random_below(r, 2) ? step : 0u - step;
      break;
    default:
      tick = test_random_bits(r) >> (10 + test_random_below(r, 50));
  }
  memcpy(time, &tick, sizeof(tick));
  memcpy(time + 8, &segment, sizeof(segment));
}

/// One of the eight-byte numbers of the points: moved a little, a lot, or no number at all.
static void change_number(test_random_t * r, uint8_t * bytes)
{
  double x;
  memcpy(&x, bytes, sizeof(x));
  static const double odd[6] = {0.0, -0.0, 1.0, -1.0, (double)INFINITY, (double)NAN};
  x = test_random_below(r, 6) == 0 ? odd[test_random_below(r, 6)] :
    test_random_below(r, 3) == 0 ? x * (1.0 + nudge(r, 1.0)) : x + nudge(r, 1.0);
  memcpy(bytes, &x, sizeof(x));
}

static bool mutate_witness(test_random_t * r, files_t * pair, int kind)
{
  bytes_t * c = &pair->certificate;
  size_t begin = OPS, x;
  uint8_t * w = c->data + begin;
  uint32_t number;
  switch (kind) {
    case MUTATE_WITNESS_BIT:
      x = test_random_bits(r) % (c->size - begin);
      w[x] ^= (uint8_t)(1u << test_random_below(r, 8));
      return true;
    case MUTATE_WITNESS_TIME:
      change_time(r, w + (test_random_below(r, 3) == 0 ? 0 : TIME));
      return true;
    case MUTATE_WITNESS_BODIES:   // another pair or group, one that is none, or the other's number
      x = PAIR + 4 * (size_t)test_random_below(r, 2);
      memcpy(&number, w + x, sizeof(number));
      number = test_random_below(r, 3) == 0 ? UINT32_MAX - test_random_below(r, 3) :
        test_random_below(r, 2) ? test_random_below(r, 12) : number + 1u;
      if (test_random_below(r, 5) == 0) {
        memcpy(&number, w + PAIR, sizeof(number));
        memcpy(w + PAIR, w + PAIR + 4, sizeof(number));
        x = PAIR + 4;
      }
      memcpy(w + x, &number, sizeof(number));
      return true;
    case MUTATE_WITNESS_KIND:
      w[test_random_below(r, 4) == 0 ? CLAIM : PARTS + 4 * test_random_below(r, 4)] =
        (uint8_t)test_random_below(r, 6);
      return true;
    case MUTATE_WITNESS_POINTS: {
        size_t room = c->size - begin - POINTS;
        if (room < 24) {
          return false;
        }
        x = POINTS + test_random_bits(r) % (room - 16);
        change_number(r, w + x);
        return true;
      }
    default:
      x = 1 + test_random_below(r, 40);
      if (test_random_below(r, 2) && c->size > begin + x) {
        c->size -= x;
      } else {
        memset(c->data + c->size, 0, x);
        c->size += x;
      }
      return true;
  }
}

/* ---- problems ---- */

static double nudge(test_random_t * r, double scale)
{
  double by = scale * pow(10.0, test_random_in(r, -12.0, 0.0));
  return test_random_below(r, 2) ? by : -by;
}

static void raise_margins(const vouch_scene_part_t * scene, double by)
{
  for (uint32_t i = 0; i < scene->pair_count; i++) {
    vouch_pair_t * pair = &scene->pairs[i];
    pair->margin = fmax(0.0, pair->margin + by);
    for (uint32_t g = scene->group_count; pair->kind == VOUCH_PAIR_GROUP && g-- > 0; ) {
      if (scene->groups[g].body != VOUCH_NONE && pair->leaf_margins[g] >= 0.0) {
        pair->leaf_margins[g] = fmax(0.0, pair->leaf_margins[g] + by);
      } else if (scene->groups[g].body == VOUCH_NONE) {
        double x = pair->leaf_margins[scene->groups[g].left];
        double y = pair->leaf_margins[scene->groups[g].right];
        pair->leaf_margins[g] = x > y ? x : y;
      }
    }
    pair->margin = pair->kind == VOUCH_PAIR_GROUP ? pair->leaf_margins[0] : pair->margin;
  }
}

static void change(test_random_t * r, vouch_problem_t * p, files_t * pair, int kind)
{
  vouch_body_t * body = &p->scene.bodies[test_random_below(r, p->scene.body_count)];
  vouch_motion_part_t * m = &p->motion;
  uint32_t v = test_random_below(r, m->variable_count);
  switch (kind) {
    case MUTATE_SHIFT: {
        double * t = body->placement.translation, size = fmax(0.01, fabs(t[0]) + fabs(t[1]));
        t[test_random_below(r, 3)] += nudge(r, size);
        return;
      }
    case MUTATE_MARGIN:
      raise_margins(&p->scene, nudge(r, 1.0));
      return;
    case MUTATE_TRAJECTORY: {
        uint32_t k = test_random_below(r, m->segment_count), d = m->degrees[k];
        uint32_t i = test_random_below(r, d + 1);
        double * b = m->coefficients + m->offsets[k] + v * (d + 1u) + i, by = nudge(r, 1.0);
        *b += by;
        if (i == 0 && k > 0 && test_random_below(r, 2)) {   // without a jump
          m->coefficients[m->offsets[k - 1] + v * (m->degrees[k - 1] + 1u) +
            m->degrees[k - 1]] = *b;
        }
        return;
      }
    case MUTATE_TOLERANCE: {
        m->tolerances[v] = fmax(0.0, m->tolerances[v] + nudge(r, 0.1));
        double largest = 0.0;
        for (uint32_t i = 0; i < m->variable_count; i++) {
          largest = fmax(largest, m->tolerances[i]);
        }
        memcpy(pair->certificate.data + TOLERANCE, &largest, sizeof(largest));
        return;
      }
    default: {   // knots
        uint32_t k = 1 + test_random_below(r, m->segment_count);
        m->knots[k] += (m->knots[k] - m->knots[k - 1]) * test_random_in(r, -0.9, 0.9);
      }
  }
}

static bool mutate_problem(test_random_t * r, files_t * pair, int kind)
{
  vouch_problem_t problem;
  vouch_text_t text = {.allocator = vouch_allocator_default()};
  if (vouch_problem_decode(
      &problem, vouch_allocator_default(), pair->problem.data, pair->problem.size) != VOUCH_RET_OK)
  {
    return false;
  }
  change(r, &problem, pair, kind);
  bool good = vouch_problem_encode(&problem, &text) == VOUCH_RET_OK;
  if (good) {
    free(pair->problem.data);
    pair->problem = copy((bytes_t) {(uint8_t *)text.data, text.size});
    bind(pair);
  }
  vouch_text_fini(&text);
  vouch_problem_fini(&problem);
  return good;
}

/// A number of the geometry, of four bytes or eight, takes the place of another: lists, components,
/// radii and coordinates that are well-formed and mean something else.
static bool mutate_words(test_random_t * r, files_t * pair)
{
  uint64_t length;
  memcpy(&length, pair->problem.data + HEAD + 4, sizeof(length));
  size_t size = test_random_below(r, 2) ? 4 : 8, words = ((size_t)length - size) / 4;
  uint8_t * body = pair->problem.data + HEAD + PART_HEAD;
  memmove(
    body + 4 * (test_random_bits(r) % words), body + 4 * (test_random_bits(r) % words), size);
  bind(pair);
  return true;
}

static bool mutate(test_random_t * r, files_t * pair, int kind)
{
  bytes_t * c = &pair->certificate, * p = &pair->problem;
  size_t x;
  double margin;
  if (kind >= MUTATE_WITNESS_BIT) {
    return mutate_witness(r, pair, kind);
  }
  switch (kind) {
    case MUTATE_HEAD_BIT:
      x = test_random_bits(r) % OPS;
      c->data[x] ^= (uint8_t)(1u << test_random_below(r, 8));
      return true;
    case MUTATE_UNBOUND_BIT:
    case MUTATE_PROBLEM_BIT:
      x = test_random_bits(r) % p->size;
      p->data[x] ^= (uint8_t)(1u << test_random_below(r, 8));
      if (kind == MUTATE_PROBLEM_BIT) {
        bind(pair);
      }
      return true;
    case MUTATE_CLAIM:
      memcpy(&margin, c->data + MARGIN, sizeof(margin));
      margin += nudge(r, 1.0);
      memcpy(c->data + MARGIN, &margin, sizeof(margin));
      return true;
    case MUTATE_SHIFT: case MUTATE_MARGIN: case MUTATE_TRAJECTORY: case MUTATE_TOLERANCE:
    case MUTATE_KNOTS:
      return mutate_problem(r, pair, kind);
    case MUTATE_WORDS:
      return mutate_words(r, pair);
    default:
      return mutate_ops(r, pair, kind);
  }
}

/* ---- judging ---- */

/* The problem is read loosely: the verifier accepts what the loader refuses for the sake of one
 * encoding, fields that say nothing about where anything is, and what it accepts is judged as it
 * stands. Balls of nodes come from what they keep, or, when those witnesses are not the kernel's
 * way, from the primitives themselves. */

static bool proves_with(
  const vouch_problem_t * problem, const bytes_t * certificate, char * reason, size_t size)
{
  for (uint32_t i = 0; i < problem->geometry.geometry_count; i++) {
    if (kernel_derive(
        problem->geometry.geometries[i], vouch_allocator_default()) != VOUCH_RET_OK)
    {
      snprintf(reason, size, "%s", vouch_error());
      return false;
    }
  }
  arb_checker_t c;
  arb_checker_init(&c, problem);
  bool witness = certificate->size > HASHES && certificate->data[HEAD] == 2;
  bool good = (witness ? arb_checker_shows : arb_checker_proves)(
    &c, certificate->data, certificate->size);
  snprintf(reason, size, "%s", c.reason);
  return good;
}

static bool still_proves(const files_t * pair, char * reason, size_t size)
{
  vouch_problem_t problem;
  if (vouch_problem_decode_loosely(
      &problem, vouch_allocator_default(), pair->problem.data, pair->problem.size) != VOUCH_RET_OK)
  {
    snprintf(reason, size, "does not load: %s", vouch_error());
    return false;
  }
  bool good = proves_with(&problem, &pair->certificate, reason, size);
  for (uint32_t i = 0; !good && i < problem.geometry.geometry_count; i++) {
    vouch_geometry_t * g = problem.geometry.geometries[i];
    vouch_geometry_release(g);
    for (uint32_t k = 0; k < g->node_count; k++) {
      g->nodes[k].kept_count = 0;
    }
  }
  good = good || proves_with(&problem, &pair->certificate, reason, size);
  vouch_problem_fini(&problem);
  return good;
}

static void judge(
  const files_t * base, const files_t * pair, int kind, uint64_t number, mutation_tally_t * tally)
{
  struct vouch_verify_report report;
  char reason[256];
  tally->mutations++;
  tally->made[kind]++;
  if (base->problem.size == pair->problem.size &&
    base->certificate.size == pair->certificate.size &&
    memcmp(base->problem.data, pair->problem.data, pair->problem.size) == 0 &&
    memcmp(base->certificate.data, pair->certificate.data, pair->certificate.size) == 0)
  {
    tally->same[kind]++;
    return;
  }
  int code = vouch_verify_memory(
    NULL, pair->problem.data, pair->problem.size, pair->certificate.data, pair->certificate.size,
    &report);
  tally->refused[kind] += code == VOUCH_VERIFY_REFUSED;
  tally->malformed[kind] += code == VOUCH_VERIFY_MALFORMED;
  if (code != VOUCH_VERIFY_OK) {
    return;
  }
  tally->accepted[kind]++;
  if (still_proves(pair, reason, sizeof(reason))) {
    tally->proved[kind]++;
  } else {
    tally->wrong++;
    fprintf(
      stderr, "WRONG: mutation %" PRIu64 " of kind %d is accepted: %s\n", number, kind,
      reason);
  }
}

/// A small problem that is proved, or shown to collide; its bytes.
static bool make_base(test_random_t * r, vouch_verdict_t wanted, files_t * base)
{
  vouch_check_options_t options;
  cell_t cell = adversary_problem(r, &options);
  uint8_t * data[2] = {NULL, NULL};
  size_t size[2] = {0, 0};
  options.first_contact = wanted == VOUCH_COLLISION && test_random_below(r, 3) == 0;
  vouch_result_t result = cell_check(&cell, &options);
  bool good = result.verdict == wanted &&
    (wanted == VOUCH_COLLISION || result.statistics.leaves <= 5);
  if (good &&
    (vouch_checker_problem(cell.checker, &data[0], &size[0]) != VOUCH_RET_OK ||
    vouch_checker_certificate(cell.checker, &data[1], &size[1]) != VOUCH_RET_OK))
  {
    good = false;
  }
  good = good && size[1] < 4000;
  if (good) {
    base->problem = copy((bytes_t) {data[0], size[0]});
    base->certificate = copy((bytes_t) {data[1], size[1]});
  }
  vouch_bytes_free(cell.checker, data[0]);
  vouch_bytes_free(cell.checker, data[1]);
  cell_close(&cell);
  return good;
}

void mutations_run(uint64_t seed, uint64_t count, mutation_tally_t * tally)
{
  files_t base = {{NULL, 0}, {NULL, 0}};
  test_random_t r = {seed};
  for (uint64_t i = 0; i < count && tally->wrong < 20; i++) {
    if (i % 250 == 0) {
      drop(&base);
      while (!make_base(&r, VOUCH_FREE, &base)) {
      }
      tally->bases++;
    }
    files_t pair = {copy(base.problem), copy(base.certificate)};
    int kind = (int)test_random_below(&r, MUTATE_WITNESS_BIT);
    if (mutate(&r, &pair, kind)) {
      judge(&base, &pair, kind, i, tally);
    }
    drop(&pair);
  }
  drop(&base);
  arb_checker_release();
}

void mutations_run_witnesses(uint64_t seed, uint64_t count, mutation_tally_t * tally)
{
  static const int others[10] = {MUTATE_HEAD_BIT, MUTATE_UNBOUND_BIT, MUTATE_PROBLEM_BIT,
    MUTATE_SHIFT, MUTATE_MARGIN, MUTATE_CLAIM, MUTATE_TRAJECTORY, MUTATE_TOLERANCE, MUTATE_KNOTS,
    MUTATE_WORDS};
  files_t base = {{NULL, 0}, {NULL, 0}};
  test_random_t r = {seed};
  for (uint64_t i = 0; i < count && tally->wrong < 20; i++) {
    if (i % 150 == 0) {
      drop(&base);
      while (!make_base(&r, VOUCH_COLLISION, &base)) {
      }
      tally->bases++;
    }
    files_t pair = {copy(base.problem), copy(base.certificate)};
    uint32_t chosen = test_random_below(&r, 10 + 2 * (MUTATE_KINDS - MUTATE_WITNESS_BIT));
    int kind = chosen < 10 ? others[chosen] : MUTATE_WITNESS_BIT + (int)(chosen - 10) / 2;
    if (mutate(&r, &pair, kind)) {
      judge(&base, &pair, kind, i, tally);
    }
    drop(&pair);
  }
  drop(&base);
  arb_checker_release();
}

void mutations_print(const mutation_tally_t * t)
{
  static const char * const names[MUTATE_KINDS] = {"bit of the ops", "bit of the head",
    "bit of the problem", "the same, hashes renewed", "op dropped", "directions swapped",
    "direction turned", "op exchanged", "cut or longer", "body shifted", "other margin",
    "other claim", "other trajectory", "other tolerance", "other knots", "geometry's words moved",
    "bit of the witness",
    "other times", "other bodies", "other kind of witness", "points moved",
    "witness cut or longer"};
  printf(
    "%" PRIu64 " mutations of %" PRIu64 " proofs; %" PRIu64 " accepted ones are no proofs\n",
    t->mutations, t->bases, t->wrong);
  for (int k = 0; k < MUTATE_KINDS; k++) {
    if (t->made[k] == 0) {
      continue;
    }
    printf(
      "  %-26s %7" PRIu64 ": refused %7" PRIu64 ", malformed %7" PRIu64 ", accepted %7" PRIu64
      " (proofs by Arb %" PRIu64 "), unchanged %" PRIu64 "\n",
      names[k], t->made[k], t->refused[k], t->malformed[k], t->accepted[k], t->proved[k],
      t->same[k]);
  }
}

#else
typedef int mutations_need_arb_t;
#endif  // VOUCH_HAVE_ARB
