(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   L12: certified stops. A stop may begin at any time; each joint then brakes in its own direction
   and stands. What it does until then is a deviation of at most v^2 / 2a. *)
Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Vouch Require Import Vector Isometry Model Chord Path Leaf Margin Growth.
Open Scope R_scope.

(* Braking with at least a: the speed falls by at least a per second until the joint stands, in
   whichever way it falls. Seconds since the brakes were applied. *)
Definition brakes a (v : R -> R) := forall s t, 0 <= s <= t ->
  Rabs (v t) <= Rmax 0 (Rabs (v s) - a * (t - s)).

(* It stands after |v|/a, and for ever. *)
Lemma brakes_stand a v t : 0 < a -> brakes a v -> Rabs (v 0) / a <= t -> v t = 0.
Proof.
  intros A B T. assert (V := Rabs_pos (v 0)).
  assert (T0 : 0 <= Rabs (v 0) / a) by (apply Rle_mult_inv_pos; lra).
  assert (H := B 0 t ltac:(lra)).
  assert (a * (Rabs (v 0) / a) <= a * t) by (apply Rmult_le_compat_l; lra).
  replace (a * (Rabs (v 0) / a)) with (Rabs (v 0)) in H0 by (field; lra).
  rewrite Rmax_left in H by lra. destruct (Req_dec (v t) 0) as [|N]; [assumption|].
  generalize (Rabs_pos_lt _ N). lra.
Qed.

(* One side of L12: a value whose rate is at most the falling speed rises by at most V^2/2a. *)
Lemma braking_rise (q v : R -> R) l V a t : 0 < a -> 0 <= V -> 0 <= t ->
  (forall s, 0 <= s <= t -> continuity_pt q s) ->
  (forall s, 0 < s < t -> ~ In s l -> is_derive q s (v s)) ->
  (forall s, 0 <= s <= t -> v s <= Rmax 0 (V - a * s)) ->
  q t - q 0 <= V * V / (2 * a).
Proof.
  intros A V0 T C D S. assert (Stand : 0 <= V / a) by (apply Rle_mult_inv_pos; lra).
  assert (Va : a * (V / a) = V) by (field; lra).
  assert (Square : forall s, V * s - a / 2 * (s * s) <= V * V / (2 * a)).
  { intros s. replace (V * V / (2 * a))
      with (V * s - a / 2 * (s * s) + a / 2 * ((s - V / a) * (s - V / a))) by (field; lra).
    assert (0 <= (s - V / a) * (s - V / a)) by apply Rle_0_sqr.
    assert (0 <= a / 2 * ((s - V / a) * (s - V / a))) by (apply Rmult_le_pos; lra). lra. }
  (* while it moves *)
  assert (Early : forall s, 0 <= s <= t -> s <= V / a -> q s - q 0 <= V * V / (2 * a)).
  { intros s [S0 S1] Sv. destruct (Req_dec s 0) as [->|N].
    { generalize (Square 0). lra. }
    destruct (slope_above (fun r => q r - (V * r - a / 2 * (r * r))) (fun r => v r -
      (V - a * r)) l 0 s)
      as [c [Hc [_ E]]]; [lra|..].
    - intros r Hr. apply continuity_pt_minus; [apply C; lra|reg].
    - intros r Hr Nr. apply (is_derive_minus q (fun r => V * r - a / 2 * (r * r))); [apply D; auto;
      lra|].
      auto_derive; auto; lra.
    - assert (K := S c ltac:(lra)).
      assert (a * c <= a * (V / a)) by (apply Rmult_le_compat_l; lra). rewrite Rmax_right in K
        by lra.
      assert ((v c - (V - a * c)) * (s - 0) <= 0 * (s - 0)) by (apply Rmult_le_compat_r; lra).
      generalize (Square s). lra. }
  destruct (Rle_dec t (V / a)) as [l1|l1]; [apply Early; lra|].
  (* when it stands *)
  assert (E1 := Early (V / a) ltac:(lra) ltac:(lra)).
  destruct (slope_above q v l (V / a) t) as [c [Hc [_ E]]]; [lra|..].
  - intros r Hr. apply C; lra.
  - intros r Hr. apply D; lra.
  - assert (K := S c ltac:(lra)).
    assert (a * (V / a) <= a * c) by (apply Rmult_le_compat_l; lra). rewrite Rmax_left in K by lra.
    assert (v c * (t - V / a) <= 0 * (t - V / a)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(* L12: a joint that brakes is never further from where it began than v^2 / 2a. *)
Theorem L12_joint (q v : R -> R) l a t : 0 < a -> 0 <= t ->
  (forall s, 0 <= s <= t -> continuity_pt q s) ->
  (forall s, 0 < s < t -> ~ In s l -> is_derive q s (v s)) -> brakes a v ->
  Rabs (q t - q 0) <= v 0 * v 0 / (2 * a).
Proof.
  intros A T C D B. replace (v 0 * v 0) with (Rabs (v 0) * Rabs (v 0))
    by (rewrite <- Rabs_mult; apply Rabs_pos_eq; generalize (Rle_0_sqr (v 0)); unfold Rsqr; lra).
  assert (S : forall s, 0 <= s <= t -> Rabs (v s) <= Rmax 0 (Rabs (v 0) - a * s)).
  { intros s Hs. generalize (B 0 s ltac:(lra)). now rewrite Rminus_0_r. }
  apply Rabs_le. split.
  - assert (K := braking_rise (fun s => - q s) (fun s => - v s) l (Rabs (v 0)) a t A
    (Rabs_pos _) T).
    enough (- q t - - q 0 <= Rabs (v 0) * Rabs (v 0) / (2 * a)) by lra. apply K.
    + intros s Hs. apply (continuity_pt_opp q). now apply C.
    + intros s Hs Ns. apply (is_derive_opp q s (v s)). now apply D.
    + intros s Hs. eapply Rle_trans; [|now apply S]. generalize (Rle_abs (- v s)).
      now rewrite Rabs_Ropp.
  - apply (braking_rise q v l); auto using Rabs_pos.
    intros s Hs. eapply Rle_trans; [|now apply S]. apply Rle_abs.
Qed.

(* What is charged for one variable: it brakes with a, from a speed of at most `top`; or it goes on
   as planned (an obstacle that moves), at most `top` fast until the robot stands, T after the
   brakes were applied. That has to hold for as long, which may be beyond the interval. *)
Inductive behaviour := Brakes (a top : R) | GoesOn (top : R).
Definition stop_deviation T b :=
  match b with Brakes a top => top * top / (2 * a) | GoesOn top => top * T end.

(* What variable i does in a stop that begins where it is x: q is its value after s seconds. *)
Definition stops_as T b x (q : R -> R) :=
  match b with
  | Brakes a top => 0 < a /\ exists v l, (forall s, 0 <= s -> continuity_pt q s) /\
      (forall s, 0 < s -> ~ In s l -> is_derive q s (v s)) /\ brakes a v /\
      q 0 = x /\ Rabs (v 0) <= top
  | GoesOn top => 0 <= top /\ forall s, 0 <= s <= T -> Rabs (q s - x) <= top * s
  end.

(* Until the robot stands, each variable is no further away than what is charged; one that brakes
   for ever. *)
Theorem L12_variable T b x q s : stops_as T b x q -> 0 <= s ->
  (match b with Brakes _ _ => True | GoesOn _ => s <= T end) -> Rabs (q s - x)
    <= stop_deviation T b.
Proof.
  destruct b as [a top|top]; simpl.
  - intros [A [v [l [C [D [B [<- Hv]]]]]]] S0 _.
    eapply Rle_trans; [apply (L12_joint q v l a s A S0)|]; auto.
    + intros r Hr. apply C; lra.
    + intros r Hr. apply D; lra.
    + apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
      replace (v 0 * v 0) with (Rabs (v 0) * Rabs (v 0))
        by (rewrite <- Rabs_mult; apply Rabs_pos_eq; generalize (Rle_0_sqr (v 0)); unfold Rsqr;
          lra).
      apply Rmult_le_compat; auto using Rabs_pos.
  - intros [S0 H] S1 Hs. eapply Rle_trans; [apply H; lra|]. apply Rmult_le_compat_l; lra.
Qed.

(* L12, the leaf: let its tolerances be tol + what is charged for the stop, and its clock run T
   further. Then a stop that begins at any time t of the interval keeps A and B apart (grown, by
   more than the margin), at each time s until the robot stands, and in each way of braking. *)
Theorem L12 N low margin wa wb T (behave : nat -> behaviour) (sec : R -> R)
    P most c0 r0 c r speed bend variation tol m f (A B : vec -> Prop) :
  0 < N -> 0 <= wa -> 0 <= wb -> 0 <= T -> 0 <= sec 0 ->
  (forall t, 0 <= t <= 1 -> sec t = (1 - t) * sec 0 + t * sec 1) -> sec 0 <= sec 1 ->
  0 <= r0 -> bounded m speed bend variation -> (forall i, 0 <= speed i) -> (forall i, 0 <= tol i) ->
  let slack i := tol i + stop_deviation T (behave i) in
  (forall i, 0 <= stop_deviation T (behave i)) ->
  (forall i t, 0 <= t <= 1 -> Rabs (pos m t i) + slack i <= most i) ->
  unit_axes P -> balls most c0 r0 P c r -> (forall p, A p -> norm (p [-] c0) <= r0) ->
  norm (dir_a f) <= N -> norm (dir_b f) <= N ->
  long_enough low margin (dir_a f) -> long_enough low margin (dir_b f) ->
  let owed t := charge N low margin + N * ((wa + wb) * (sec t + T)) in
  gap_holds N P slack (dir_a f) (pos m 0) (gap_a f) (owed 0) A B ->
  gap_holds N P slack (dir_b f) (pos m 1) (gap_b f) (owed 1) A B ->
  leaf_holds N P speed bend variation (N * ((wa + wb) * (sec 1 - sec 0))) f ->
  forall t, 0 <= t <= 1 -> exists e, 0 < e /\
  forall (q : nat -> R -> R) s x, 0 <= s <= T ->
  (forall i, stops_as T (behave i) (pos m t i) (q i)) -> (forall i, Rabs (x i - q i s) <= tol i) ->
  apart_along (margin + e) (grown (wa * (sec t + s)) (fun z => exists p, A p /\ z = place P x p))
    (grown (wb * (sec t + s)) B).
Proof.
  intros N0 Wa Wb T0 Sec0 Affine Up R0 Bm Sp Tol slack Dev Most U Rad InA Na Nb La Lb owed Ga Gb
    Test t Ht.
  destruct (L11 N low margin wa wb T sec P most c0 r0 c r speed bend variation slack m f A B)
    with (t := t) as [e [E H]]; auto; try lra.
  { intros i. unfold slack. generalize (Tol i) (Dev i). lra. }
  exists e. split; [exact E|]. intros q s x S Q X.
  assert (D : forall i, Rabs (x i - pos m t i) <= slack i).
  { intros i. assert (K := L12_variable T (behave i) _ (q i) s (Q i) ltac:(lra)
      ltac:(destruct (behave i); [exact I|lra])).
    replace (x i - pos m t i) with ((x i - q i s) + (q i s - pos m t i)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. unfold slack. generalize (X i). lra. }
  assert (Smaller : forall w (C : vec -> Prop) z, 0 <= w -> grown (w * (sec t + s)) C z ->
    grown (w * (sec t + T)) C z).
  { intros w C z W [p [Cp K]]. exists p. split; [exact Cp|]. eapply Rle_trans; [exact K|].
    apply Rmult_le_compat_l; lra. }
  apply (apart_smaller _ (grown (wa * (sec t + T)) (fun z => exists p, A p /\ z = place P x p)) _
    (grown (wb * (sec t + T)) B)); auto.
Qed.

(* What stands still and does not grow has no T to wait for: then the stop is free for ever. *)
Theorem L12_still N low margin (behave : nat -> behaviour)
    P most c0 r0 c r speed bend variation tol m f (A B : vec -> Prop) :
  0 < N -> (forall i, exists a top, behave i = Brakes a top /\ 0 < a) ->
  0 <= r0 -> bounded m speed bend variation -> (forall i, 0 <= speed i) -> (forall i, 0 <= tol i) ->
  let slack i := tol i + stop_deviation 0 (behave i) in
  (forall i t, 0 <= t <= 1 -> Rabs (pos m t i) + slack i <= most i) ->
  unit_axes P -> balls most c0 r0 P c r -> (forall p, A p -> norm (p [-] c0) <= r0) ->
  norm (dir_a f) <= N -> norm (dir_b f) <= N ->
  long_enough low margin (dir_a f) -> long_enough low margin (dir_b f) ->
  gap_holds N P slack (dir_a f) (pos m 0) (gap_a f) (charge N low margin) A B ->
  gap_holds N P slack (dir_b f) (pos m 1) (gap_b f) (charge N low margin) A B ->
  leaf_holds N P speed bend variation 0 f ->
  forall t, 0 <= t <= 1 -> exists e, 0 < e /\
  forall (q : nat -> R -> R) s x, 0 <= s ->
  (forall i, stops_as 0 (behave i) (pos m t i) (q i)) -> (forall i, Rabs (x i - q i s) <= tol i) ->
  apart_along (margin + e) (fun z => exists p, A p /\ z = place P x p) B.
Proof.
  intros N0 Br R0 Bm Sp Tol slack Most U Rad InA Na Nb La Lb Ga Gb Test t Ht.
  assert (Dev : forall i, 0 <= stop_deviation 0 (behave i)).
  { intros i. destruct (Br i) as [a [top [-> A0]]]. simpl.
    apply Rle_mult_inv_pos; [generalize (Rle_0_sqr top); unfold Rsqr; lra|lra]. }
  destruct (leaf_sound N P most c0 r0 c r speed bend variation slack m f
    (fun _ => charge N low margin)
    _ _ 0 A B R0 Bm Sp ltac:(intros i; generalize (Tol i) (Dev i); unfold slack;
      lra) Most U Rad InA Na Nb
    (charged_constant _) Ga Gb Test t Ht) as [n [e [D [E H]]]].
  exists (e / N). split; [now apply Rdiv_lt_0_compat|]. intros q s x S Q X.
  assert (Dx : forall i, Rabs (x i - pos m t i) <= slack i).
  { intros i. assert (K := L12_variable 0 (behave i) _ (q i) s (Q i) S
      ltac:(destruct (Br i) as [a [top [-> _]]]; exact I)).
    replace (x i - pos m t i) with ((x i - q i s) + (q i s - pos m t i)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. unfold slack. generalize (X i). lra. }
  replace (margin + e / N) with (margin + 0 + e / N) by ring.
  apply (gap_means N low margin 0 e n); auto; try lra; try (destruct D as [-> | ->]; assumption).
  intros z y [p [Ap ->]] By. generalize (H x Dx p y Ap By). lra.
Qed.
