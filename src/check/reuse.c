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
#include "check/reuse.h"

#include <math.h>

#define CURSOR SIZE_MAX
/* Goals that may wait while steps are walked over. */
#define WAITING 2048u

typedef enum entry_kind_e
{
  FOLLOW,   // the kernel's goal has old steps
  SEARCH,   // it has none
  SKIP      // no goal: old steps of one that is gone
} entry_kind_t;

/// A part of the old motion: as kernel_interval_t.
typedef struct span_s
{
  uint32_t first, last, depth;
  uint64_t numerator;
} span_t;

typedef struct entry_s
{
  entry_kind_t kind;
  uint32_t group;   // of the old goal; VOUCH_NONE below the obstacle tree
  size_t at;        // CURSOR: where the one before ended
  span_t span;      // of the old goal, where the motions differ
} entry_t;

typedef struct follow_s
{
  const check_reuse_t * r;
  search_t * s;
  kernel_proof_t * p;
  const vouch_pair_t * pair, * old;
  uint32_t old_number;
  const uint8_t * ops;     // the old pair's steps
  size_t size;
  const kernel_mark_t * marks;   // of kept steps: which of them closed a goal against a group
  size_t mark_count, first_mark;
  const uint8_t * last;    // the last direction that was met, or NULL
  size_t cursor;
  bool by_time;
  entry_t stack[WAITING];
  uint32_t top;
} follow_t;

static bool push(follow_t * f, entry_t entry)
{
  if (f->top == WAITING) {
    return false;
  }
  f->stack[f->top++] = entry;
  return true;
}

static uint32_t old_group(const check_reuse_t * r, uint32_t group)
{
  return r->group != NULL ? r->group[group] : group;
}

static vec3_t direction_at(const uint8_t * bytes)
{
  float n[3];
  memcpy(n, bytes, sizeof(n));
  return vec3((double)n[0], (double)n[1], (double)n[2]);
}

/// Tries the old step on the goal on top.
static bool step(kernel_proof_t * p, const uint8_t * op)
{
  vec3_t n;
  switch (op[0]) {
    case PROOF_SPLIT:
      return kernel_split_time(p) == KERNEL_DONE;
    case PROOF_A:
    case PROOF_ONE_A:
      return kernel_descend_a(p) == KERNEL_DONE;
    case PROOF_B:
    case PROOF_ONE_B:
      return kernel_descend_b(p) == KERNEL_DONE;
    case PROOF_LEAF:
      n = direction_at(op + 1);
      if (kernel_view(p)->kind == VOUCH_PAIR_PLANE) {
        return kernel_close_plane(p, n.z > 0.0);
      }
      kernel_proof_hint(p, n);
      return kernel_close_chord(p, n);
    case PROOF_LEAVES:
      return kernel_close_schwarzer(p, direction_at(op + 1), direction_at(op + 13));
    default:
      return false;
  }
}

/// Behind the stretch at `at`; SIZE_MAX: it is damaged. Remembers its last direction.
static size_t behind(follow_t * f, size_t at)
{
  proof_walk_t walk = {.last = f->last};
  size_t end = proof_end(f->ops, f->size, at, &walk);
  f->last = walk.last;
  return end;
}

/// Children of an old step, in order: the second one's place is known once the first is done with,
/// unless the motions differ; then both are looked up, because a goal may be visited twice.
static bool push_two(follow_t * f, size_t at, entry_t first, entry_t second)
{
  first.at = at;
  second.at = CURSOR;
  f->cursor = at;
  if (f->by_time) {
    second.at = first.kind == SEARCH ? at : behind(f, at);
    if (second.at == SIZE_MAX) {
      return false;
    }
  }
  bool both = second.kind != SKIP || !f->by_time;
  bool one = first.kind != SKIP || !f->by_time;
  return (!both || push(f, second)) && (!one || push(f, first));
}

/// What becomes of a new group below which the old one's steps lie; false: there is nothing.
static bool entry_of(const follow_t * f, uint32_t group, uint32_t old, span_t span, entry_t * out)
{
  bool now = f->pair->checked[group], before = f->old->checked[old];
  *out = (entry_t) {.kind = now && before ? FOLLOW : now ? SEARCH : SKIP, .group = old,
    .at = CURSOR, .span = span};
  return now || before;
}

/// Old group `e->group` was descended into, and so is the new one, or one child of the old is gone.
static bool follow_group(follow_t * f, const entry_t * e, uint32_t group, size_t at)
{
  const check_reuse_t * r = f->r;
  const vouch_group_t * old = &r->old->groups[e->group];
  const vouch_group_t * now = &r->problem->scene.groups[group];
  bool leaf = old->body != VOUCH_NONE;
  entry_t children[2];
  bool there[2];
  if (e->group == old_group(r, group)) {
    if (kernel_descend_b(f->p) != KERNEL_DONE) {
      return false;
    }
    if (leaf) {
      f->cursor = at + 1u;
      return push(
        f, (entry_t) {.kind = FOLLOW, .group = VOUCH_NONE, .at = at + 1u, .span = e->span});
    }
    there[0] = entry_of(f, now->left, old->left, e->span, &children[0]);
    there[1] = entry_of(f, now->right, old->right, e->span, &children[1]);
  } else if (leaf || r->stayed == NULL) {
    return false;
  } else {
    bool left = r->stayed[old->left] > 0;
    there[0] = f->old->checked[old->left];
    there[1] = f->old->checked[old->right];
    children[0] = (entry_t) {.kind = left ? FOLLOW : SKIP, .group = old->left, .span = e->span};
    children[1] = (entry_t) {.kind = left ? SKIP : FOLLOW, .group = old->right, .span = e->span};
    if (!there[left ? 0 : 1]) {   // the one that stayed was not checked before
      there[left ? 0 : 1] = true;
      children[left ? 0 : 1].kind = SEARCH;
    }
  }
  at++;
  if (there[0] && there[1]) {
    return push_two(f, at, children[0], children[1]);
  }
  f->cursor = at;
  for (int i = 0; i < 2; i++) {
    children[i].at = at;
    if (there[i] && !(f->by_time && children[i].kind == SKIP) && !push(f, children[i])) {
      return false;
    }
  }
  return true;
}

/* ---- another motion: the remaining part of the old one ---- */

/// Places of a new interval's ends in the old motion, in segments. The new motion is the end of the
/// old one; its first segment may be the end of a segment.
static void place(const follow_t * f, uint32_t number, double ends[2])
{
  const check_reuse_t * r = f->r;
  const vouch_motion_part_t * now = &r->problem->motion, * old = r->old_motion;
  const kernel_interval_t * i = &kernel_view(f->p)->timeline.intervals[number];
  uint32_t shift = old->segment_count - now->segment_count;
  double cut = 1.0 - (now->knots[1] - now->knots[0]) / (old->knots[shift + 1u] - old->knots[shift]);
  cut = cut > 0.0 && cut < 1.0 ? cut : 0.0;
  double begin = ldexp((double)i->numerator, -(int)i->depth);
  double end = ldexp((double)(i->numerator + 1u), -(int)i->depth);
  bool run = i->last - i->first > 1u;
  double places[2] = {i->first + (run ? 0.0 : begin), run ? i->last : i->first + end};
  for (int k = 0; k < 2; k++) {
    ends[k] = shift + (places[k] < 1.0 ? cut + (1.0 - cut) * places[k] : places[k]);
  }
}

static span_t half_of(span_t s, int which)
{
  if (s.last - s.first > 1u) {
    uint32_t middle = s.first + (s.last - s.first) / 2u;
    return which == 0 ? (span_t) {s.first, middle, 0, 0} : (span_t) {middle, s.last, 0, 0};
  }
  return (span_t) {s.first, s.last, s.depth + 1u, 2u * s.numerator + (uint64_t)which};
}

static double middle_of(span_t s)
{
  return s.last - s.first > 1u ? s.first + (s.last - s.first) / 2u :
         s.first + ldexp((double)(2u * s.numerator + 1u), -(int)s.depth - 1);
}

/// An old split of time: on to the half that holds the new interval, or split that one too.
static bool follow_time(follow_t * f, const entry_t * e, size_t at)
{
  entry_t halves[2] = {*e, *e};
  halves[0].at = halves[1].at = at + 1u;
  if (!f->by_time) {
    return kernel_split_time(f->p) == KERNEL_DONE && push_two(f, at + 1u, halves[0], halves[1]);
  }
  double ends[2], middle = middle_of(e->span);
  place(f, kernel_proof_goal(f->p)->interval, ends);
  if (ends[0] < middle - 1e-9 && ends[1] > middle + 1e-9) {
    halves[0].at = halves[1].at = at;
    return kernel_split_time(f->p) == KERNEL_DONE && push(f, halves[1]) && push(f, halves[0]);
  }
  int which = ends[1] > middle + 1e-9 ? 1 : 0;
  halves[which].span = half_of(e->span, which);
  if (which == 1) {
    halves[1].at = behind(f, at + 1u);
  }
  return halves[which].at != SIZE_MAX && push(f, halves[which]);
}

/* ---- one goal ---- */

/// The search for the goal on top; false: the pair is done with.
static bool search_goal(follow_t * f, search_outcome_t * outcome)
{
  uint32_t height = kernel_view(f->p)->stack_size - 1u;
  f->s->floor = height;
  *outcome = search_goals(f->s);
  f->s->floor = 0;
  return *outcome != SEARCH_CONTACT && *outcome != SEARCH_STOPPED &&
         kernel_view(f->p)->stack_size == height;
}

/// The mark whose steps begin here; marks lie in the order of their steps. SIZE_MAX: there is none.
static size_t mark_at(const follow_t * f, size_t at)
{
  size_t low = 0, high = f->mark_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2u;
    if (f->marks[middle].begin < at) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return low < f->mark_count && f->marks[low].begin == at ? low : SIZE_MAX;
}

/// Asks the kernel to copy all that closed the old goal.
static bool copy(follow_t * f, size_t at)
{
  size_t mark = mark_at(f, at);
  if (mark == SIZE_MAX ||
    !kernel_close_kept(f->p, f->r->kept, f->old_number, f->first_mark + mark))
  {
    return false;
  }
  f->cursor = f->marks[mark].end;
  return true;
}

/// Obstacles that are new or changed lie beside all that stayed: no old step speaks of both.
static bool part_from_new(follow_t * f, const entry_t * e, uint32_t group)
{
  const vouch_group_t * now = &f->r->problem->scene.groups[group];
  if (kernel_descend_b(f->p) != KERNEL_DONE) {
    return false;
  }
  entry_t stayed;
  bool fresh = f->pair->checked[now->right];
  (void)entry_of(f, now->left, e->group, e->span, &stayed);
  stayed.at = e->at;
  return (!fresh || push(f, (entry_t) {.kind = SEARCH, .group = VOUCH_NONE})) &&
         ((stayed.kind == SKIP && f->by_time) || push(f, stayed));
}

static bool follow_step(follow_t * f, const entry_t * e, size_t at)
{
  const kernel_goal_t * goal = kernel_proof_goal(f->p);
  uint32_t group = goal->body_b == VOUCH_NONE ? goal->b : VOUCH_NONE;
  bool bounded = kernel_view(f->p)->timeline.intervals[goal->interval].start_inside;
  size_t size = proof_step_size(f->ops, f->size, at);
  uint8_t tag = size > 0 ? f->ops[at] : 0;
  if (size == 0 || (group == VOUCH_NONE) != (e->group == VOUCH_NONE)) {
    return false;
  }
  if (group != VOUCH_NONE && old_group(f->r, group) == VOUCH_NONE && !bounded) {
    /* Where each step is tested again, the old direction may part the new ones, too. */
    if (f->r->kept == NULL && tag == PROOF_LEAF && step(f->p, f->ops + at)) {
      f->last = f->ops + at + 1;
      f->cursor = at + size;
      return true;
    }
    return part_from_new(f, e, group);
  }
  if (group != VOUCH_NONE && copy(f, at)) {
    return true;
  }
  if (tag == PROOF_SPLIT) {
    return follow_time(f, e, at);
  }
  if ((tag == PROOF_B || tag == PROOF_ONE_B) && group != VOUCH_NONE) {
    return follow_group(f, e, group, at);
  }
  if (!step(f->p, f->ops + at)) {
    return false;
  }
  if (proof_op(tag).children > 0) {
    entry_t child = *e;
    return push_two(f, at + size, child, child);
  }
  f->last = f->ops + at + 1;
  f->cursor = at + size;
  return true;
}

/// The old steps of the entry are not usable any more: their goal is searched for, from the
/// direction that was met last.
static bool give_up(follow_t * f, const entry_t * e, size_t at, search_outcome_t * outcome)
{
  if (e->kind != SEARCH && !f->by_time) {
    f->cursor = behind(f, at);
    if (f->cursor == SIZE_MAX) {
      return false;
    }
  }
  if (e->kind == SKIP) {
    return true;
  }
  bool group = kernel_proof_goal(f->p)->body_b == VOUCH_NONE;
  if (f->last != NULL || group) {
    kernel_proof_hint(f->p, f->last != NULL ? direction_at(f->last) : vec3(0.0, 0.0, 0.0));
  }
  return search_goal(f, outcome);
}

static search_outcome_t follow(follow_t * f)
{
  search_outcome_t outcome = SEARCH_PROVED;
  while (f->top > 0) {
    entry_t e = f->stack[--f->top];
    size_t at = e.at == CURSOR ? f->cursor : e.at;
    uint32_t goals = kernel_view(f->p)->stack_size, entries = f->top;
    e.at = at;
    if (e.kind != SKIP && goals == 0) {
      break;
    }
    if (e.kind == FOLLOW) {
      if (search_poll(f->s)) {
        break;
      }
      if (follow_step(f, &e, at)) {
        continue;
      }
      if (kernel_view(f->p)->stack_size != goals) {   // the kernel went on, the guide did not
        break;
      }
      f->top = entries;
    }
    if (!give_up(f, &e, at, &outcome)) {
      break;
    }
  }
  return outcome == SEARCH_CONTACT || outcome == SEARCH_STOPPED ? outcome : search_goals(f->s);
}

/* ---- one pair ---- */

/// Whether the new motion looks like the end of the old one: it has fewer segments, and both end in
/// the same configuration.
static bool is_the_rest(const vouch_motion_part_t * now, const vouch_motion_part_t * old)
{
  uint32_t i = now->segment_count - 1u, k = old->segment_count - 1u;
  bool rest = now->segment_count < old->segment_count &&
    now->variable_count == old->variable_count && now->degrees[i] == old->degrees[k];
  size_t size = now->degrees[i] + 1u;
  for (size_t v = 1; rest && v <= now->variable_count; v++) {
    rest = now->coefficients[now->offsets[i] + v * size - 1u] ==
      old->coefficients[old->offsets[k] + v * size - 1u];
  }
  return rest;
}

/// Where the old steps are. False: there are none.
static bool find_steps(follow_t * f, uint32_t old)
{
  if (f->r->kept == NULL) {
    f->ops = f->r->steps[old].ops;
    f->size = f->r->steps[old].size;
    return f->size > 0;
  }
  const kernel_steps_t * all = kernel_kept_steps(f->r->kept);
  const kernel_stretch_t * stretch = &all->stretches[old];
  f->ops = all->ops + stretch->begin;
  f->size = stretch->end - stretch->begin;
  f->marks = all->marks + stretch->first_mark;
  f->first_mark = stretch->first_mark;
  f->mark_count = stretch->end_mark - stretch->first_mark;
  return f->size > 0;
}

search_outcome_t check_reuse_pair(const check_reuse_t * r, search_t * s, uint32_t number)
{
  uint32_t old = r->old_pair != NULL ? r->old_pair[number] : number;
  const vouch_motion_part_t * motion = &r->problem->motion;
  bool same_count = motion->segment_count == r->old_motion->segment_count;
  if (old == VOUCH_NONE || !(same_count || is_the_rest(motion, r->old_motion))) {
    return search_pair(s, number);
  }
  follow_t f;   // its stack is large, and not cleared
  f.r = r;
  f.s = s;
  f.p = s->proof;
  f.pair = &r->problem->scene.pairs[number];
  f.old = &r->old->pairs[old];
  f.old_number = old;
  f.marks = NULL;
  f.mark_count = f.first_mark = 0;
  f.last = NULL;
  f.cursor = 0;
  f.by_time = !same_count;
  f.top = 0;
  bool group = f.pair->kind == VOUCH_PAIR_GROUP;
  if (!find_steps(&f, old)) {
    return search_pair(s, number);
  }
  kernel_proof_open(f.p, number);
  if (kernel_proof_goal(f.p) == NULL || (!group && r->kept != NULL &&
    kernel_close_kept(f.p, r->kept, old, KERNEL_WHOLE)))
  {
    return search_goals(s);
  }
  span_t all = {0, r->old_motion->segment_count, 0, 0};
  (void)push(
    &f, (entry_t) {.kind = FOLLOW,
      .group = group ? vouch_group_of(r->old, f.old->b) : VOUCH_NONE, .at = 0, .span = all});
  return follow(&f);
}
