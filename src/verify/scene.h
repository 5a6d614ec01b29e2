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

/* The scene: frames, bodies, pairs and the joints between them. */

/* [V-FRAME] Requires: the motion is loaded.
 * Ensures:  f hangs on a frame before it (none hangs frame 0), not too deep; its quaternion is
 *           close to length 1, unit has length 1; it has its geometry, NULL if there is none. */
static void load_frame(verifier * v, frame_t * f)
{
  const bool fixed = f->joint == FIXED, root = f == v->frames && f->parent == 0 && fixed;
  const bool child = f->parent < f - v->frames && f->joint <= PRISMATIC;
  need(v, root || child, "scene: a frame has a wrong parent or joint");
  const vec q = vector(f->place);
  const iv w = point(f->place[3]), square = add(dot(q, q), mul(w, w));
  need(v, fabs(square.lo - 1.0) <= 2e-3, "scene: the length of a quaternion is not 1");
  f->pose = rotation(q, w, over(point(2.0), square), vector(f->place + 4));
  f->depth = root ? 0 : v->frames[f->parent].depth + 1;
  f->moves = !fixed || (!root && v->frames[f->parent].moves);
  f->world = root ? f->pose : compose(v->frames[f->parent].world, f->pose);
  f->geometry = f->number < v->geometry_count ? &v->geometries[f->number] : NULL;
  need(v, f->depth < 256 && f->kind <= PLANE, "scene: too many frames in a row, or a wrong kind");
  if (fixed) {return;}
  const iv norm = dot(vector(f->axis), vector(f->axis));
  need(v, norm.lo > 1e-12 && f->variable < v->variable_count, "scene: no axis or variable");
  const iv size = {down(sqrt(norm.lo)), up(sqrt(norm.hi))};
  f->unit = times(vector(f->axis), over(point(1.0), size));
}

/* [V-STEP] Requires: every point of p's a is within *r of *c on this side of f's joint; nothing was
 *           taken since p's steps were begun.
 * Ensures:  the same beyond it, at all times, deviations included. The joint is a step of p, with a
 *           radius that bounds the distance of every point of a from its axis (L4), 1 if it is
 *           prismatic; deviation grows by as much as the joint lets these points deviate (L3).
 * Why:      turning keeps a ball in the one about the foot on the axis, sliding in one that is
 *           larger by as much; so does undoing either. */
static void add_step(verifier * v, pair_t * p, const frame_t * f, vec * c, double * r)
{
  const bool turns = f->joint == REVOLUTE;
  const variable_t * q = &v->variables[f->variable];
  const vec foot = times(f->unit, dot(*c, f->unit));
  const double k = fabs(f->factor), most = up(up(k * up(q->most + q->tolerance)) + fabs(f->offset));
  *r = up(*r + (turns ? length(minus(*c, foot)) : most));
  *c = turns ? foot : *c;
  (void)take(v, 1, sizeof(step_t));
  p->steps[p->count++] = (step_t) {f, turns ? *r : 1.0};
  p->deviation = up(p->deviation + up(up((turns ? *r : 1.0) * k) * q->tolerance));
}

/* [V-PAIR] Ensures: p is a body and another body or a plane, which does not move in the frame it
 *           hangs on. Its steps are the joints between a and that frame, from a on.
 * Why:      parents have lower numbers. If no ancestor of `to` is a child of `at`, then `at` is
 *           none of its ancestors: the way leads up. Else it leads down to that child, and joints
 *           are undone. */
static void load_pair(verifier * v, pair_t * p)
{
  need(v, p->a < v->frame_count && p->b < v->frame_count && p->a != p->b, "scene: no such body");
  const frame_t * a = &v->frames[p->a], * b = &v->frames[p->b];
  need(v, a->geometry != NULL && b->geometry != NULL && a->kind == BODY, "scene: no such body");
  need(v, b->joint == FIXED && p->margin >= 0.0, "scene: a body moves, or a negative margin");
  v->margin = min(v->margin, p->margin);
  p->steps = take(v, 0, sizeof(step_t));
  vec c = vector(a->geometry->vertices[0].p);
  double r = a->geometry->radius;
  for (uint32_t at = p->a, to = b->parent; at != to; ) {
    uint32_t child = to;
    while (child > at && v->frames[child].parent != at) {child = v->frames[child].parent;}
    const bool rises = child <= at;
    const frame_t * f = &v->frames[rises ? at : child];
    c = rises ? c : unapply(f->pose, c);
    if (f->joint != FIXED) {add_step(v, p, f, &c, &r);}
    c = rises ? apply(f->pose, c) : c;
    at = rises ? f->parent : child;
  }
  need(v, r < 1e12, "scene: a path is too long");
}

/* [V-SCENE] Ensures: the scene is as the format describes it. */
static void load_scene(verifier * v)
{
  uint32_t left, i = 0, k = 0;
  (void)bytes(v, sizeof(uint64_t));
  v->frames = table(v, 12, 1e6, 120, sizeof(frame_t), &v->frame_count);
  v->pairs = table(v, 1, 1e6, 16, sizeof(pair_t), &v->pair_count);
  const char * name = table(v, 0, 0.0, 1, 1, &left);
  while (i < v->frame_count) {load_frame(v, &v->frames[i++]);}
  while (k < v->pair_count) {load_pair(v, &v->pairs[k++]);}
  for (i = 0; i < left && i + 1 < sizeof(v->robot) && name[i] != 0; i++) {
    v->robot[i] = name[i] >= 0x20 && name[i] < 0x7f ? name[i] : '?';
  }
}
