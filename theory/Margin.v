(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   Margins, also negative ones, and what a positive gap means (L2): two sets are apart by d along a
   unit vector; for d >= 0 that is a distance, for d < 0 a bound of how far they overlap. *)
Require Import Reals Lra.
From Vouch Require Import Vector Model.
Open Scope R_scope.

(* A number d >= 0: it is a distance. *)
Theorem apart_distance d (A B : vec -> Prop) : apart_along d A B ->
  forall x y, A x -> B y -> d <= norm (x [-] y).
Proof.
  intros [u [U H]] x y Ax By. eapply Rle_trans; [apply (H x y Ax By)|].
  rewrite norm_sub_sym, <- (Rmult_1_l (norm (y [-] x))), <- (norm_unit u U). apply cauchy.
Qed.

(* A number d < 0: moving B by more than |d| along that direction would take them apart. *)
Theorem apart_overlap d (A B : vec -> Prop) : apart_along d A B ->
  exists u, norm u = 1 /\ forall k, - d < k -> forall x y, A x -> B y -> x <> y [+] k [*] u.
Proof.
  intros [u [U H]]. exists u. split; [now apply norm_unit|]. intros k K x y Ax By ->.
  specialize (H _ y Ax By). replace (dot u (y [-] (y [+] k [*] u))) with (- k * dot u u) in H
    by vring.
  rewrite U in H. lra.
Qed.
Lemma apart_less d e (A B : vec -> Prop) : d <= e -> apart_along e A B -> apart_along d A B.
Proof.
  intros L [u [U H]]. exists u. split; [exact U|]. intros x y Ax By. generalize (H x y Ax By). lra.
Qed.
Lemma apart_smaller d (A A' B B' : vec -> Prop) : (forall x, A' x -> A x) -> (forall y, B' y
  -> B y) ->
  apart_along d A B -> apart_along d A' B'.
Proof. intros Ha Hb [u [U H]]. exists u. split; auto. Qed.

(* What is charged for a margin, in the scale of the gaps: directions are at most N long, and where
   the margin is negative at least `low`. *)
Definition charge N low margin := if Rle_dec 0 margin then N * margin else low * margin.
Definition long_enough low margin n := margin < 0 -> 0 < low /\ low <= norm n.

(* L2, "what a positive gap means", for margins of both signs; `more` (growth) is not negative. *)
Theorem gap_means N low margin more e n (A B : vec -> Prop) : 0 < N -> norm n <= N
  -> long_enough low margin n ->
  0 <= more -> 0 < e ->
  (forall x y, A x -> B y -> charge N low margin + N * more + e <= dot n y - dot n x) ->
  apart_along (margin + more + e / N) A B.
Proof.
  intros N0 Hn Low M E H. destruct (Req_dec (norm n) 0) as [Z|Z].
  - (* no direction at all: then one of the sets is empty, for the margin is not negative *)
    exists ex. split; [ones|]. intros x y Ax By. exfalso. specialize (H x y Ax By).
    assert (n = zero) as -> by now apply norm_is_zero.
    replace (dot zero y - dot zero x) with 0 in H by vring.
    assert (0 <= N * more) by (apply Rmult_le_pos; lra). unfold charge in H.
    destruct (Rle_dec 0 margin) as [l|l].
    + assert (0 <= N * margin) by (apply Rmult_le_pos; lra). lra.
    + destruct Low as [L0 L1]; lra.
  - assert (P : 0 < norm n) by (generalize (norm_pos n); lra). set (k := norm n) in *.
    assert (K : 0 < / k) by now apply Rinv_0_lt_compat.
    exists (/ k [*] n). split.
    + replace (dot (/ k [*] n) (/ k [*] n)) with (/ k * / k * dot n n) by vring.
      rewrite <- norm_square. fold k. field. lra.
    + intros x y Ax By. specialize (H x y Ax By).
      replace (dot (/ k [*] n) (y [-] x)) with (/ k * (dot n y - dot n x)) by vring.
      apply Rmult_le_reg_l with k; [exact P|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
      eapply Rle_trans; [|exact H]. replace (k * (margin + more + e / N))
        with (k * margin + k * more + k * / N * e) by (field; lra).
      assert (k * more <= N * more) by (apply Rmult_le_compat_r; lra).
      assert (k * / N * e <= 1 * e).
      { apply Rmult_le_compat_r; [lra|]. apply Rmult_le_reg_r with N; [exact N0|].
        rewrite Rmult_assoc, Rinv_l by lra. lra. }
      unfold charge. destruct (Rle_dec 0 margin) as [l|l].
      * assert (k * margin <= N * margin) by (apply Rmult_le_compat_r; lra). lra.
      * destruct Low as [L0 L1]; [lra|]. fold k in L1.
        assert (low * - margin <= k * - margin) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(* Why short directions are refused there: with N times a negative margin for the charge, the zero
   vector would "show" any two sets to be within it. *)
Theorem short_direction_says_nothing N margin e (x y : vec) : e <= - (N * margin) ->
  N * margin + e <= dot zero y - dot zero x.
Proof. intros H. replace (dot zero y - dot zero x) with 0 by vring. lra. Qed.
