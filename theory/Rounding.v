(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   Section 5.5: binary64 rounded to nearest, then moved outwards, contains the exact result. Two
   ways to move: to the neighbour, and by phi |c| + eta, which needs no more than sums and
   products. What overflows is not modelled here: a program tests that its numbers are finite. *)
Require Import Reals Lra Lia.
From Flocq Require Import Core Relative.
Open Scope R_scope.

Definition exponents := FLT_exp (-1074) 53.
Definition binary64 := generic_format radix2 exponents.
Definition nearest := round radix2 exponents ZnearestE.
#[local] Instance exponents_valid : Valid_exp exponents.
Proof. apply FLT_exp_valid. reflexivity. Qed.
#[local] Instance exponents_monotone : Monotone_exp exponents.
Proof. apply FLT_exp_monotone. Qed.
Lemma nearest_binary64 x : binary64 (nearest x).
Proof. apply generic_format_round; typeclasses eauto. Qed.
Lemma nearest_le x y : x <= y -> nearest x <= nearest y.
Proof. apply round_le; typeclasses eauto. Qed.
Lemma nearest_exact x : binary64 x -> nearest x = x.
Proof. apply round_generic; typeclasses eauto. Qed.

(* To the neighbour. *)
Definition next_above x := succ radix2 exponents (nearest x).
Definition next_below x := pred radix2 exponents (nearest x).
Theorem next_above_ge x : x <= next_above x.
Proof. apply succ_round_ge_id; typeclasses eauto. Qed.
Theorem next_below_le x : next_below x <= x.
Proof. apply pred_round_le_id; typeclasses eauto. Qed.

(* By phi |c| + eta (Rump, Zimmermann, Boldo, Melquiond 2009): u = 2^-53, phi = u (1 + 2 u); any
   eta that is not too small will do, here 2^-900. *)
Definition u := bpow radix2 (-53).
Definition phi := u * (1 + 2 * u).
Definition eta := bpow radix2 (-900).
Definition inflated x := nearest (nearest (phi * Rabs x) + eta).
Definition up x := nearest (x + inflated x).
Definition down x := nearest (x - inflated x).

Lemma eta_binary64 : binary64 eta.
Proof. apply generic_format_bpow. unfold exponents, FLT_exp. simpl. lia. Qed.
Lemma u_positive : 0 < u.
Proof. apply bpow_gt_0. Qed.
Lemma u_small : u <= 1 / 1024.
Proof.
  replace (1 / 1024) with (bpow radix2 (-10)) by (simpl; lra). apply bpow_le; lia.
Qed.

(* What is added exceeds half a unit in the last place of c. *)
Lemma inflated_gt c : binary64 c -> ulp radix2 exponents c / 2 < inflated c.
Proof.
  intros Fc. unfold inflated.
  assert (U := u_positive). assert (V := u_small). assert (E : 0 < eta) by apply bpow_gt_0.
  assert (P : 0 <= phi * Rabs c) by (apply Rmult_le_pos; [unfold phi; nra|apply Rabs_pos]).
  assert (P' : 0 <= nearest (phi * Rabs c)).
  { rewrite <- (nearest_exact 0); [now apply nearest_le|apply generic_format_0]. }
  destruct (Rlt_le_dec (Rabs c) (bpow radix2 (-960))) as [small|large].
  - (* small c: eta alone *)
    apply Rlt_le_trans with eta.
    + assert (ulp radix2 exponents c <= bpow radix2 (-1012)).
      { apply Rle_trans with (ulp radix2 exponents (bpow radix2 (-960))).
        - apply ulp_le; try typeclasses eauto.
          rewrite (Rabs_pos_eq (bpow _ _)); [lra|apply bpow_ge_0].
        - rewrite ulp_bpow. apply bpow_le. unfold exponents, FLT_exp. lia. }
      assert (bpow radix2 (-1012) < eta) by (apply bpow_lt; lia).
      assert (0 <= ulp radix2 exponents c) by apply ulp_ge_0. lra.
    + rewrite <- (nearest_exact eta) at 1 by apply eta_binary64. apply nearest_le; lra.
  - (* others: phi |c|, which is not subnormal *)
    assert (C0 : 0 < Rabs c) by (eapply Rlt_le_trans; [apply bpow_gt_0|exact large]).
    apply Rlt_le_trans with (nearest (phi * Rabs c)).
    + assert (N : bpow radix2 (-1074 + 53 - 1) <= Rabs (phi * Rabs c)).
      { rewrite Rabs_pos_eq by exact P. apply Rle_trans with (u * bpow radix2 (-960)).
        - unfold u. rewrite <- bpow_plus. apply bpow_le; lia.
        - unfold phi. apply Rle_trans with (u * Rabs c); [apply Rmult_le_compat_l; lra|].
          apply Rmult_le_compat_r; [apply Rabs_pos|nra]. }
      assert (K := relative_error_N_FLT radix2 (-1074) 53 eq_refl
        (fun x => negb (Z.even x)) _ N). fold exponents in K.
      change (round radix2 exponents (Znearest (fun x => negb (Z.even x))) (phi * Rabs c))
        with (nearest (phi * Rabs c)) in K.
      rewrite (Rabs_pos_eq (phi * Rabs c)) in K by exact P.
      change (-53 + 1)%Z with (-52)%Z in K. change (-(53) + 1)%Z with (-52)%Z in K.
      assert (B : / 2 * bpow radix2 (-52) = u).
      { change (-52)%Z with (1 + -53)%Z. rewrite bpow_plus. simpl (bpow radix2 1).
        unfold u. lra. }
      rewrite B in K. apply Rabs_le_inv in K.
      assert (ulp radix2 exponents c <= Rabs c * bpow radix2 (1 - 53)).
      { apply ulp_FLT_le. apply Rle_trans with (2 := large). apply bpow_le; lia. }
      replace (bpow radix2 (1 - 53)) with (2 * u) in H
        by (unfold u; change (1 - 53)%Z with (1 + -53)%Z; rewrite bpow_plus;
            simpl (bpow radix2 1); lra).
      assert (phi * Rabs c * (1 - u) <= nearest (phi * Rabs c)) by lra.
      unfold phi in *. assert (u * Rabs c < u * (1 + 2 * u) * Rabs c * (1 - u)); [|lra].
      assert (0 < u * Rabs c) by now apply Rmult_lt_0_compat.
      assert (1 < (1 + 2 * u) * (1 - u)) by nra. nra.
    + rewrite <- (nearest_exact (nearest (phi * Rabs c))) at 1 by apply nearest_binary64.
      apply nearest_le; lra.
Qed.
Lemma succ_ulp c : binary64 c -> succ radix2 exponents c - c <= ulp radix2 exponents c.
Proof.
  intros Fc. destruct (Rle_lt_dec 0 c) as [p|n].
  - rewrite succ_eq_pos by exact p. lra.
  - unfold succ. rewrite Rle_bool_false by exact n.
    assert (ulp radix2 exponents (pred_pos radix2 exponents (- c)) <= ulp radix2 exponents c).
    { rewrite <- (ulp_opp _ _ c). apply ulp_le; try typeclasses eauto.
      assert (0 <= pred_pos radix2 exponents (- c))
        by (apply pred_pos_ge_0; try typeclasses eauto; [lra|now apply generic_format_opp]).
      assert (pred_pos radix2 exponents (- c) < - c)
        by (apply pred_pos_lt_id; try typeclasses eauto; apply Rgt_not_eq; lra).
      rewrite !Rabs_pos_eq; lra. }
    assert (pred_pos radix2 exponents (- c) + ulp radix2 exponents (pred_pos radix2 exponents (- c))
      = - c).
    { apply pred_pos_plus_ulp; try typeclasses eauto; [lra|now apply generic_format_opp]. }
    lra.
Qed.
Theorem up_ge x : x <= up (nearest x).
Proof.
  set (c := nearest x). assert (Fc : binary64 c) by apply nearest_binary64.
  apply Rle_trans with (1 := next_above_ge x). fold c. unfold next_above. fold c. unfold up.
  apply round_N_ge_midp; try typeclasses eauto.
  - apply generic_format_succ; [typeclasses eauto|exact Fc].
  - rewrite pred_succ by (try typeclasses eauto; exact Fc).
    generalize (inflated_gt c Fc) (succ_ulp c Fc). lra.
Qed.
Theorem down_le x : down (nearest x) <= x.
Proof.
  assert (U := up_ge (- x)). unfold up, down, inflated in *.
  replace (nearest (- x)) with (- nearest x) in U by (unfold nearest; now rewrite round_NE_opp).
  rewrite Rabs_Ropp in U.
  replace (- nearest x + nearest (nearest (phi * Rabs (nearest x)) + eta))
    with (- (nearest x - nearest (nearest (phi * Rabs (nearest x)) + eta))) in U by ring.
  unfold nearest at 1 in U. rewrite round_NE_opp in U. fold nearest in U. unfold nearest in *. lra.
Qed.
