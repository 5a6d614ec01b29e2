(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   What FREE means: nothing but definitions, to be read by whoever relies on it. Vectors, lengths
   and isometries are in Vector.v and Isometry.v. Lengths are metres, angles radians. *)
Require Import Reals List.
From Vouch Require Import Vector Isometry.
Open Scope R_scope.

(* JOINTS. A configuration says what every variable is; a joint follows one of them, times k, plus
   o: it turns about the unit vector u, or slides along it. Several joints may follow one
   variable. *)
Definition config := nat -> R.
Inductive link :=
| Fixed (F : iso)
| Turns (u : vec) (i : nat) (k o : R)
| Slides (u : vec) (i : nat) (k o : R).
Definition unit_link (l : link) :=
  match l with Fixed _ => True | Turns u _ _ _ | Slides u _ _ _ => dot u u = 1 end.
Definition move (l : link) (x : config) (a : vec) : vec :=
  match l with
  | Fixed F => app F a
  | Turns u i k o => turn u (k * x i + o) a
  | Slides u i k o => a [+] (k * x i + o) [*] u
  end.

(* FRAMES hang on each other, 0 is the world: x_parent = pose (joint (x_frame)). Robots, belts and
   vehicles are frames; so is what stands still. [in_world n] carries n frames up. *)
Record frame := { parent : nat; pose : iso; joint : link; joint_unit : unit_link joint }.
Fixpoint in_world (n : nat) (frames : nat -> frame) (f : nat) (x : config) (a : vec) : vec :=
  match n, f with
  | S n, S _ => in_world n frames (parent (frames f)) x
      (app (pose (frames f)) (move (joint (frames f)) x a))
  | _, _ => app (pose (frames O)) a
  end.

(* SHAPES, in the coordinates of the frame that a body rides on. A vertex stands for a point or,
   with half-axes, for a ball, disc or ellipsoid; a primitive is the hull of what its vertices
   stand for. A body is a list of primitives (triangles, convex pieces), or a half-space or plane,
   placed by F. *)
Record vertex := { at_ : vec; ax : vec; ay : vec; az : vec }.
Definition offset v u := X u [*] ax v [+] Y u [*] ay v [+] Z u [*] az v.
Definition stands v x := exists u, dot u u <= 1 /\ x = at_ v [+] offset v u.
Inductive hull (S : vec -> Prop) : vec -> Prop :=
| hull_in x : S x -> hull S x
| hull_mix x y t : 0 <= t <= 1 -> hull S x -> hull S y -> hull S ((1 - t) [*] x [+] t [*] y).
Definition stands_one (l : list vertex) x := exists v, In v l /\ stands v x.
Definition hull_of l := hull (stands_one l).
Definition half_space y := Z y <= 0.
Definition thin_plane y := Z y = 0.
Definition carried F (S : vec -> Prop) y := exists p, S p /\ y = app F p.
Inductive body := Primitives (l : list (list vertex)) | HalfSpace (F : iso) | ThinPlane (F : iso).
Definition primitive_of (b : body) (S : vec -> Prop) : Prop :=
  match b with
  | Primitives ls => exists l, In l ls /\ S = hull_of l
  | HalfSpace F => S = carried F half_space
  | ThinPlane F => S = carried F thin_plane
  end.

(* MOTION: segments, one after the other; on each, every variable is a polynomial, given by its
   Bernstein coefficients b 0 ... b degree. A moment is a segment and a fraction of it, so a knot
   is two moments: where a variable jumps (a start) both configurations are meant. *)
Record segment := { t0 : R; t1 : R; degree : nat; b : nat -> nat -> R }.
Definition moment := (nat * R)%type.
Fixpoint blossom (ts : list R) (b : nat -> R) (i : nat) : R :=
  match ts with
  | nil => b i
  | t :: ts => (1 - t) * blossom ts b i + t * blossom ts b (S i)
  end.
Definition bern d b t := blossom (repeat t d) b 0.
Definition at_moment (segments : nat -> segment) (m : moment) : config :=
  fun v => bern (degree (segments (fst m))) (b (segments (fst m)) v) (snd m).
(* Seconds since the motion began, plus those by which growth is ahead: knots times a rate. *)
Definition clock (segments : nat -> segment) (ahead per_knot : R) (m : moment) :=
  let s := segments (fst m) in ahead + per_knot * (t0 s + snd m * (t1 s - t0 s)).

(* PAIRS: two bodies, each on its frame, growing by so many metres a second on every side, that
   are to be more than the margin apart. *)
Record pair := {
  frame_a : nat; frame_b : nat; body_a : body; body_b : body;
  growth_a : R; growth_b : R; margin : R }.
Definition grown r (A : vec -> Prop) x := exists p, A p /\ norm (x [-] p) <= r.
Definition posed (frames : nat -> frame) f x (A : vec -> Prop) z :=
  exists p, A p /\ z = in_world f frames f x p.

(* Apart by d along some unit vector. For d >= 0 that is a distance of at least d, between all
   points of the two; for d < 0 it says that they overlap by no more than -d along that vector. *)
Definition apart_along (d : R) (A B : vec -> Prop) := exists u, dot u u = 1 /\
  forall x y, A x -> B y -> d <= dot u (y [-] x).

(* The pair is free at the moment m: some e > 0 more than the margin is between each two
   primitives, whatever configuration x, of all that are possible then, the robot really has. *)
Definition free_at frames (possible : config -> Prop) (seconds : R) (p : pair) : Prop :=
  exists e, 0 < e /\ forall x, possible x ->
  forall A B, primitive_of (body_a p) A -> primitive_of (body_b p) B ->
  apart_along (margin p + e)
    (grown (growth_a p * seconds) (posed frames (frame_a p) x A))
    (grown (growth_b p * seconds) (posed frames (frame_b p) x B)).

(* POSSIBLE are all configurations within the tolerances; each variable deviates as it likes, as
   any function of time. *)
Definition deviates (tolerance : config) (planned x : config) :=
  forall v, Rabs (x v - planned v) <= tolerance v.

(* FREE: all pairs, at every moment of the segments 0 ... last. *)
Definition FREE frames segments last tolerance ahead per_knot (pairs : list pair) :=
  forall p, In p pairs -> forall j u, (j <= last)%nat -> 0 <= u <= 1 ->
  free_at frames (deviates tolerance (at_moment segments (j, u))) (clock segments ahead per_knot
    (j, u)) p.
