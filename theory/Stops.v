(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   L12, in the proof of all pairs: a certificate whose leaves were tested with what stops need
   means that every stop, begun at any moment, is free. *)
Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From Vouch Require Import Vector Isometry Model Bernstein Path Frames Leaf Margin Growth Stop Span.
From Vouch Require Import Limits Proof.
Import ListNotations.
Open Scope R_scope.

(* What a variable does when the robot stops: a joint brakes with at least a; what is not the
   robot's (a belt, a vehicle) goes on, in any way, at most so fast. *)
Inductive reaction := BrakesWith (a : R) | AtMost (top : R).

Section Stops.
Variable segs : nat -> segment.
Notation planned := (at_moment segs).
Variable tol : config.
Variable react : nat -> reaction.
(* The robot stands T seconds after the brakes were applied, whenever that is. *)
Variable T : R.
Hypothesis T_pos : 0 <= T.
(* Seconds per unit of the knots, and how fast variable v is planned to be at a moment, in 1/s. *)
Variables ahead per_knot : R.
Hypothesis per_knot_pos : 0 < per_knot.
Definition planned_rate (m : moment) v :=
  let s := segs (fst m) in
  rate_of (degree s) (b s v) 0 (per_knot * (t1 s - t0 s)) 1 (snd m * (per_knot * (t1 s - t0 s))).
Definition behaviour_at m v :=
  match react v with
  | BrakesWith a => Brakes a (Rabs (planned_rate m v))
  | AtMost top => GoesOn top
  end.

(* Configurations that are possible in a stop that begins at the moment m, until the robot stands.
   *)
Definition stopping (m : moment) (x : config) := exists (q : nat -> R -> R) s, 0 <= s <= T /\
  (forall v, stops_as T (behaviour_at m v) (planned m v) (q v)) /\
  (forall v, Rabs (x v - q v s) <= tol v).

(* L12, L13: the rate is within its coefficients, so their largest magnitude may be charged. *)
Theorem rate_within m v top : t0 (segs (fst m)) < t1 (segs (fst m)) -> 0 <= snd m <= 1 ->
  (forall k, (k <= degree (segs (fst m)) - 1)%nat -> Rabs (rate_coefficient (degree (segs (fst m)))
     (b (segs (fst m)) v) (per_knot * (t1 (segs (fst m)) - t0 (segs (fst m)))) 1 k) <= top) ->
  Rabs (planned_rate m v) <= top.
Proof.
  intros H U K. assert (P : 0 < per_knot * (t1 (segs (fst m)) - t0 (segs (fst m))))
    by (apply Rmult_lt_0_compat; lra).
  apply Rabs_le. unfold planned_rate. apply L13; [exact P|split; nra|].
  intros k Hk. apply Rabs_le_between. now apply K.
Qed.

(* What a span charges for one variable. *)
Definition charged_for (s : span) v extra := match react v with
  | BrakesWith a => 0 < a /\ exists top, (forall m, inside s m -> Rabs (planned_rate m v) <= top) /\
      top * top / (2 * a) <= extra
  | AtMost top => top * T <= extra
  end.
Lemma stopping_slack s m x slack : inside s m -> stopping m x ->
  (forall v, exists extra, charged_for s v extra /\ tol v + extra <= slack v) ->
  forall v, Rabs (x v - planned m v) <= slack v.
Proof.
  intros I [q [r [Hr [Q X]]]] C v. destruct (C v) as [extra [E L]].
  assert (K : Rabs (q v r - planned m v) <= extra).
  { assert (D := L12_variable T (behaviour_at m v) (planned m v) (q v) r (Q v) ltac:(lra)).
    unfold behaviour_at, charged_for in *. destruct (react v) as [a|top].
    - destruct E as [A [top [Ht Le]]]. specialize (D Logic.I). simpl in D.
      eapply Rle_trans; [exact D|]. eapply Rle_trans; [|exact Le].
      apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
      apply Rmult_le_compat; auto using Rabs_pos.
    - specialize (D ltac:(lra)). simpl in D. lra. }
  replace (x v - planned m v) with ((x v - q v r) + (q v r - planned m v)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. generalize (X v). lra.
Qed.

(* VERIFIED, with stops: leaves tested with tolerances that include stops, clocks that run T
   further. Then each pair is free in every stop, grown by what grows until the robot stands. *)
Theorem verified_stops frames N low slack reserve leaf_data ray_data leaf_check outside_check
    jumps skips owed claims last depth input :
  ordered frames -> 0 < N -> (forall s v, 0 <= slack s v) -> (forall s v, slack s v <= reserve v) ->
  (forall s v, exists extra, charged_for s v extra /\ tol v + extra <= slack s v) ->
  (forall s, jumps s = false -> runs segs s) ->
  (forall s m, skips s = true -> inside s m -> ~ owed m) ->
  (forall s g l, runs segs s -> goal_ok frames segs reserve g -> leaf_check s g l = true ->
     leaf_ok frames segs slack (ahead + T) per_knot N low s g) ->
  (forall c, In c claims -> claim_ok frames segs reserve c /\ claim_complete c) ->
  prove leaf_data ray_data leaf_check outside_check jumps skips depth (Run 0 last) (roots claims)
    input = Some [] ->
  forall c, In c claims -> forall j u, (j <= last)%nat -> 0 <= u <= 1 -> owed (j, u) ->
  free_at frames (stopping (j, u)) (clock segs (ahead + T) per_knot (j, u)) (about c).
Proof.
  intros Or N0 S0 S1 Ch Jo So Lo Cl H c Ic j u J U O.
  apply (verified frames Or segs stopping slack reserve S0 S1) with (ahead := ahead + T)
    (per_knot := per_knot) (N := N) (low := low) (leaf_check := leaf_check)
    (outside_check := outside_check) (jumps := jumps) (skips := skips) (owed := owed)
    (claims := claims) (last := last) (depth := depth) (input := input); auto; try lra.
  intros s m x I Px. now apply (stopping_slack s m x).
Qed.
End Stops.
