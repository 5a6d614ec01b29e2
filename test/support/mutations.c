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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "support/arb_checker.h"
#include "verify/verify.h"

#define A_BASE 250         // so many mutations each

typedef struct
{
  arb_bytes_t problem, certificate;
  arb_file_t file;
  arb_proof_t proof;
} base_t;

static arb_bytes_t copy(const arb_bytes_t * from)
{
  arb_bytes_t to = {NULL, 0, 0};
  arb_bytes_put(&to, from->data, from->size);
  return to;
}

/// Writes the hashes of the problem into the certificate.
static void bind(mutant_t * m)
{
  size_t at = ARB_PROBLEM_HEAD;
  for (int i = 0; i < ARB_PARTS; i++) {
    uint64_t length;
    if (at + ARB_PART_HEAD > m->problem.size) {
      return;
    }
    memcpy(&length, m->problem.data + at + 4, sizeof(length));
    at += ARB_PART_HEAD;
    if (length > m->problem.size - at || m->certificate.size < ARB_T_LO) {
      return;
    }
    vouch_sha256(
      m->problem.data + at, (size_t)length, m->certificate.data + ARB_HASHES + 32 * i);
    at += (size_t)length;
  }
}

/* ---- ops ---- */

/// A random op's place; with a direction if asked for. SIZE_MAX: none.
static size_t random_op(test_random_t * r, const mutant_t * m, bool directed)
{
  const arb_bytes_t * c = &m->certificate;
  size_t chosen = SIZE_MAX;
  uint32_t seen = 0;
  for (size_t at = m->ops_at; at < c->size; at += arb_op_size(c->data[at])) {
    const size_t size = arb_op_size(c->data[at]);
    if ((!directed || size >= 13) && at + size <= c->size && test_random_below(r, ++seen) == 0) {
      chosen = at;
    }
  }
  return chosen;
}

/// Turns a direction by a little, by a lot, or the other way; sometimes it is made longer.
static void turn(test_random_t * r, uint8_t * bytes)
{
  float n[3];
  double d[3], by = test_random_below(r, 4) == 0 ? -2.0 : pow(10.0, test_random_in(r, -7.0, 0.0));
  const double longer = test_random_below(r, 4) == 0 ? 1.0 + mutation_nudge(r, 1.0) : 1.0;
  memcpy(n, bytes, sizeof(n));
  test_random_direction(r, d);
  for (int i = 0; i < 3; i++) {
    n[i] = by < 0.0 ? -n[i] : (float)(longer * ((double)n[i] + by * d[i]) / (1.0 + by));
  }
  memcpy(bytes, n, sizeof(n));
}

static bool cut_or_longer(test_random_t * r, mutant_t * m, uint8_t with)
{
  const size_t x = 1 + test_random_below(r, 40);
  if (test_random_below(r, 2) && m->certificate.size > ARB_WITNESS + x) {
    m->certificate.size -= x;
    return true;
  }
  for (size_t i = 0; i < x; i++) {
    arb_bytes_put(&m->certificate, &with, 1);
  }
  return true;
}

static bool mutate_ops(test_random_t * r, mutant_t * m, int kind)
{
  arb_bytes_t * c = &m->certificate;
  const bool directed = kind == MUTATE_SWAP || kind == MUTATE_TURN;
  const size_t x = random_op(r, m, directed), y = random_op(r, m, directed);
  if (x == SIZE_MAX) {
    return false;
  }
  const size_t size = arb_op_size(c->data[x]);
  switch (kind) {
    case MUTATE_OPS_BIT:
      c->data[m->ops_at + test_random_bits(r) % (c->size - m->ops_at)] ^=
        (uint8_t)(1u << test_random_below(r, 8));
      return true;
    case MUTATE_DROP:
      memmove(c->data + x, c->data + x + size, c->size - x - size);
      c->size -= size;
      return true;
    case MUTATE_DOUBLE:
      for (size_t i = 0; i < size; i++) {
        arb_bytes_put(c, "T", 1);
      }
      memmove(c->data + x + size, c->data + x, c->size - x - size);
      return true;
    case MUTATE_SWAP:
      for (size_t i = 1; i < 13; i++) {
        uint8_t byte = c->data[x + i];
        c->data[x + i] = c->data[y + i];
        c->data[y + i] = byte;
      }
      return x != y;
    case MUTATE_TURN:
      turn(r, c->data + x + 1 + (size == 25 && test_random_below(r, 2) ? 12 : 0));
      return true;
    case MUTATE_TAG:
      c->data[x] = (uint8_t)"TABabLDIS"[test_random_below(r, 9)];
      return true;
    default:
      return cut_or_longer(r, m, 'T');
  }
}

/* ---- times and witnesses ---- */

/// Another time near the old one, or any time.
static bool change_time(test_random_t * r, uint8_t * bytes)
{
  uint64_t tick, step = UINT64_C(1) << test_random_below(r, 46);
  memcpy(&tick, bytes, sizeof(tick));
  switch (test_random_below(r, 4)) {
    case 0:
      tick += test_random_below(r, 2) ? ARB_ONE : 0u - ARB_ONE;
      break;
    case 1:
      tick += test_random_below(r, 2) ? 1u : UINT64_MAX;
      break;
    case 2:   // one of a coarser grid next to it
      tick += test_random_below(r, 2) ? step : 0u - step;
      break;
    default:
      tick = test_random_bits(r) >> (17 + test_random_below(r, 50) % 47);
  }
  memcpy(bytes, &tick, sizeof(tick));
  return true;
}

/// A number of the points: moved a little, a lot, or no number at all; or a position.
static bool change_point(test_random_t * r, uint8_t * bytes)
{
  static const double odd[6] = {0.0, -0.0, 1.0, -1.0, (double)INFINITY, (double)NAN};
  const uint32_t field = test_random_below(r, 10);
  double x;
  if (field >= 6) {
    bytes[48 + 4 * (field - 6)] = (uint8_t)test_random_below(r, 9);
    return true;
  }
  memcpy(&x, bytes + 8 * field, sizeof(x));
  x = test_random_below(r, 6) == 0 ? odd[test_random_below(r, 6)] :
    test_random_below(r, 3) == 0 ? x * (1.0 + mutation_nudge(r, 1.0)) : x + mutation_nudge(r, 1.0);
  memcpy(bytes + 8 * field, &x, sizeof(x));
  return true;
}

static bool mutate_witness(test_random_t * r, mutant_t * m, int kind)
{
  arb_bytes_t * c = &m->certificate;
  uint8_t * w = c->data + ARB_WITNESS;
  uint32_t number;
  switch (kind) {
    case MUTATE_WITNESS_BIT:
      w[test_random_bits(r) %
        (m->ops_at - ARB_WITNESS)] ^= (uint8_t)(1u << test_random_below(r, 8));
      return true;
    case MUTATE_WITNESS_TIME:
      return change_time(r, w);
    case MUTATE_WITNESS_BODIES:   // another pair or body, or one that is none
      number = test_random_below(r, 4) == 0 ? UINT32_MAX :
        test_random_below(r, m->file->body_count + 2);
      memcpy(w + 8 + 4 * test_random_below(r, 3), &number, sizeof(number));
      return true;
    case MUTATE_WITNESS_KIND:   // parts, side, solid, before, how many points
      w[20 + 4 * test_random_below(r, 6)] = (uint8_t)test_random_below(r, 9);
      return true;
    case MUTATE_WITNESS_POINTS:
      memcpy(&number, c->data + ARB_WITNESS_POINTS, sizeof(number));
      if (number == 0) {
        turn(r, c->data + ARB_WITNESS_POINTS + 5);
        return true;
      }
      return change_point(r, c->data + ARB_WITNESS_POINTS + 4 + 64 * test_random_below(r, 8));
    default:
      return cut_or_longer(r, m, 0);
  }
}

static bool mutate(test_random_t * r, mutant_t * m, int kind)
{
  switch (kind) {
    case MUTATE_OPS_BIT: case MUTATE_DROP: case MUTATE_DOUBLE: case MUTATE_SWAP: case MUTATE_TURN:
    case MUTATE_TAG: case MUTATE_CUT:
      return mutate_ops(r, m, kind);
    case MUTATE_HEAD_BIT:
      m->certificate.data[test_random_bits(r) % ARB_WITNESS] ^=
        (uint8_t)(1u << test_random_below(r, 8));
      return true;
    case MUTATE_UNBOUND_BIT: case MUTATE_PROBLEM_BIT:
      m->problem.data[test_random_bits(r) % m->problem.size] ^=
        (uint8_t)(1u << test_random_below(r, 8));
      return true;
    case MUTATE_T_LO:
      return change_time(r, m->certificate.data + ARB_T_LO);
    default:
      return kind >= MUTATE_WITNESS_BIT ? mutate_witness(r, m, kind) : mutate_problem(r, m, kind);
  }
}

/* ---- judging ---- */

static int verify(const mutant_t * m)
{
  struct vouch_verify_report report;
  struct vouch_verifier * v = vouch_verify_load(m->problem.data, m->problem.size, &report);
  const int code = v == NULL ? report.code :
    vouch_verify_check(v, m->certificate.data, m->certificate.size, &report);
  free(v);
  return code;
}

static bool accepts_with(mutant_t * m, double x)
{
  memcpy(m->problem.data + m->number_at, &x, sizeof(x));
  bind(m);
  return verify(m) == VOUCH_VERIFY_OK;
}

/// Drives the number that was changed as far as the verifier accepts it. False: it accepts none.
static bool go_to_the_edge(const base_t * base, mutant_t * m)
{
  double from, good, bad;
  memcpy(&from, base->problem.data + m->number_at, sizeof(from));
  memcpy(&bad, m->problem.data + m->number_at, sizeof(bad));
  good = from;
  for (int i = 0; i < 20 && accepts_with(m, bad); i++) {
    good = bad;
    bad = from + 4.0 * (bad - from);
  }
  for (int i = 0; i < 60; i++) {
    const double x = 0.5 * (good + bad);
    if (!((x > good && x < bad) || (x < good && x > bad))) {
      break;
    }
    *(accepts_with(m, x) ? &good : &bad) = x;
  }
  return accepts_with(m, good);
}

static void judge(
  const mutant_t * m, int kind, uint64_t seed, uint64_t number,
  mutation_tally_t * t)
{
  arb_verdict_t verdict;
  t->accepted[kind]++;
  if (arb_judge(
      m->problem.data, m->problem.size, m->certificate.data, m->certificate.size, &verdict))
  {
    t->proved[kind]++;
    return;
  }
  double x = 0.0;
  t->wrong++;
  if (m->number_at > 0) {
    memcpy(&x, m->problem.data + m->number_at, sizeof(x));
  }
  fprintf(
    stderr, "WRONG: seed %" PRIu64 ", mutation %" PRIu64 " of kind %d is accepted: %s (byte %zu: "
    "%.17g)\n", seed, number, kind, verdict.reason, m->number_at, x);
}

static void try_mutant(
  const base_t * base, mutant_t * m, int kind, const uint64_t from[2], mutation_tally_t * t)
{
  t->mutations++;
  t->made[kind]++;
  if (base->problem.size == m->problem.size && base->certificate.size == m->certificate.size &&
    memcmp(base->problem.data, m->problem.data, m->problem.size) == 0 &&
    memcmp(base->certificate.data, m->certificate.data, m->certificate.size) == 0)
  {
    t->same[kind]++;
    return;
  }
  const int code = verify(m);
  t->refused[kind] += code == VOUCH_VERIFY_REFUSED;
  t->malformed[kind] += code == VOUCH_VERIFY_MALFORMED;
  if (code == VOUCH_VERIFY_OK) {
    judge(m, kind, from[0], from[1], t);
  }
  if (m->number_at > 0 && from[1] % 16 == 0) {
    t->edges++;
    if (go_to_the_edge(base, m)) {
      judge(m, kind, from[0], from[1], t);
    }
  }
}

/* ---- bases ---- */

bool mutations_of_cells(
  test_random_t * r, uint32_t kind, arb_bytes_t * problem, arb_bytes_t * certificate)
{
  arb_cell_make(r, kind, problem, certificate);
  return true;
}

static void drop(base_t * base)
{
  arb_file_free(&base->file);
  arb_bytes_free(&base->problem);
  arb_bytes_free(&base->certificate);
}

/// A base that verifier and judge accept as it stands.
static void make_base(
  mutation_source_t source, uint32_t kind, test_random_t * r, base_t * base, mutation_tally_t * t)
{
  arb_verdict_t verdict;
  *base = (base_t) {.proof = {.kind = 0}};
  while (!source(r, kind, &base->problem, &base->certificate)) {
  }
  const mutant_t m = {.problem = base->problem, .certificate = base->certificate};
  const bool read = arb_file_read(&base->file, base->problem.data, base->problem.size) &&
    arb_proof_read(&base->proof, base->certificate.data, base->certificate.size) == NULL;
  const int code = verify(&m);
  const bool good = arb_judge(
    m.problem.data, m.problem.size, m.certificate.data, m.certificate.size, &verdict);
  t->bases++;
  t->base_leaves += verdict.leaves;
  if (!read || code != VOUCH_VERIFY_OK || !good) {
    t->wrong++;
    fprintf(
      stderr, "WRONG: base %" PRIu64 ": verifier %d, judge: %s\n", t->bases, code,
      verdict.reason);
  }
}

static int random_kind(test_random_t * r, uint32_t kind)
{
  const uint32_t witness = MUTATE_KINDS - MUTATE_WITNESS_BIT;
  return kind == 2 && test_random_below(r, 2) ?
         MUTATE_WITNESS_BIT + (int)test_random_below(r, witness) :
         (int)test_random_below(r, MUTATE_WITNESS_BIT);
}

void mutations_run(
  mutation_source_t source, uint32_t kind, uint64_t seed, uint64_t count, mutation_tally_t * tally)
{
  base_t base = {.proof = {.kind = 0}};
  for (uint64_t i = 0; i < count && tally->wrong < 20; i++) {
    test_random_t r = {seed + (i + 1) * UINT64_C(0xd1342543de82ef95)};
    if (i % A_BASE == 0) {
      drop(&base);
      make_base(source, kind, &r, &base, tally);
    }
    mutant_t m = {.file = &base.file, .problem = copy(&base.problem),
      .certificate = copy(&base.certificate), .ops_at = base.proof.ops_at};
    const uint64_t from[2] = {seed, i};
    const int chosen = random_kind(&r, kind);
    bool made = base.file.blocks != NULL && mutate(&r, &m, chosen);
    if (made && test_random_below(&r, 16) == 0) {   // and the ops with it
      made = mutate_ops(&r, &m, MUTATE_DROP + (int)test_random_below(&r, 5));
    }
    if (made) {
      if (chosen != MUTATE_UNBOUND_BIT && chosen != MUTATE_HEAD_BIT) {
        bind(&m);
      }
      try_mutant(&base, &m, chosen, from, tally);
    }
    arb_bytes_free(&m.problem);
    arb_bytes_free(&m.certificate);
  }
  drop(&base);
  arb_judge_release();
}

void mutations_print(const mutation_tally_t * t)
{
  static const char * const names[MUTATE_KINDS] = {"bit of the ops", "bit of the head",
    "bit of the problem", "the same, hashes renewed", "op dropped", "op doubled",
    "directions swapped", "direction turned", "op exchanged", "cut or longer", "other t_lo",
    "frame shifted", "frame or joint turned", "other parent, joint", "body moved",
    "body's frame, kind, shape", "group changed", "children exchanged", "other margin",
    "other pair", "pair repeated", "left out: changed", "left out: moved", "skip changed",
    "skip added", "own pair changed", "other trajectory", "other tolerance", "other knots",
    "vertex moved",
    "half-axis changed", "list changed", "hull's witness changed", "twins changed",
    "solid, open, children", "solid forgotten", "geometry's words moved", "bit of the witness",
    "other time", "other bodies", "other kind of witness", "points moved", "witness cut or longer"};
  printf(
    "%" PRIu64 " mutations of %" PRIu64 " proofs (%" PRIu64 " leaves), %" PRIu64 " numbers "
    "driven to the edge; %" PRIu64 " accepted ones are no proofs\n", t->mutations, t->bases,
    t->base_leaves,
    t->edges,
    t->wrong);
  for (int k = 0; k < MUTATE_KINDS; k++) {
    if (t->made[k] == 0) {
      continue;
    }
    printf(
      "  %-26s %7" PRIu64 ": refused %7" PRIu64 ", malformed %7" PRIu64 ", accepted %7" PRIu64
      " (proofs by the judge %" PRIu64 "), unchanged %" PRIu64 "\n",
      names[k], t->made[k], t->refused[k], t->malformed[k], t->accepted[k], t->proved[k],
      t->same[k]);
  }
}

#else
typedef int mutations_need_arb_t;
#endif  // VOUCH_HAVE_ARB
