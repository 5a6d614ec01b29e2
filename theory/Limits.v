(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   L13: positions, velocities, accelerations and jerks of a polynomial lie within their Bernstein
   coefficients, which halving sharpens; a coefficient at an end is a value, so it can show that a
   limit is exceeded. *)
Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From Vouch Require Import Model Velocity Bernstein.
Open Scope R_scope.

(* The coefficients of derivative number r, in seconds: a segment takes h of them. *)
Fixpoint differences (r : nat) (b : nat -> R) : nat -> R :=
  match r with O => b | S r => delta (differences r b) end.
Fixpoint falling (d r : nat) : R :=
  match r with O => 1 | S r => falling d r * INR (d - r) end.
Definition rate_coefficient d b h r k := falling d r / h ^ r * differences r b k.
Definition own_time s0 h s := (s - s0) / h.
(* Derivative number r of the variable, at the second s of the motion: 1 velocity, 2 acceleration,
   3 jerk. *)
Definition rate_of d b s0 h r s := bern (d - r) (rate_coefficient d b h r) (own_time s0 h s).

Lemma bern_scaled d k b t : bern d (fun i => k * b i) t = k * bern d b t.
Proof.
  unfold bern. rewrite <- (Rplus_0_r (k * _)), <- (Rmult_0_l (blossom (repeat t d) b 0)).
  rewrite <- blossom_linear. apply blossom_same. intros i _. ring.
Qed.

(* Each is the derivative of the one before. *)
Theorem L13_derivative d b s0 h r s : 0 < h ->
  is_derive (rate_of d b s0 h r) s (rate_of d b s0 h (S r) s).
Proof.
  intros H.
  assert (Own : is_derive (own_time s0 h) s (/ h))
    by (unfold own_time; auto_derive; [auto|field; lra]).
  assert (D := is_derive_comp (bern (d - r) (rate_coefficient d b h r)) (own_time s0 h) s _ _
    (L5_derivative (d - r) (rate_coefficient d b h r) (own_time s0 h s)) Own).
  match type of D with is_derive _ _ ?e => replace (rate_of d b s0 h (S r) s) with e;
    [exact D|] end.
  unfold rate_of. change (@scal R_AbsRing R_NormedModule) with Rmult.
  assert (E : bern (d - r - 1) (delta (rate_coefficient d b h r)) (own_time s0 h s)
    = falling d r / h ^ r * bern (d - r - 1) (differences (S r) b) (own_time s0 h s)).
  { rewrite <- bern_scaled. apply blossom_same. intros k _. unfold delta, rate_coefficient.
    simpl. unfold delta. ring. }
  rewrite E. replace (d - r - 1)%nat with (d - S r)%nat by lia.
  replace (bern (d - S r) (rate_coefficient d b h (S r)) (own_time s0 h s))
    with (falling d (S r) / h ^ S r * bern (d - S r) (differences (S r) b) (own_time s0 h s))
    by (rewrite <- bern_scaled; reflexivity).
  simpl. field. split; [|lra]. apply pow_nonzero. lra.
Qed.

(* L13: within the coefficients, at every time of the segment. *)
Theorem L13 d b s0 h r lo hi s : 0 < h -> s0 <= s <= s0 + h ->
  (forall k, (k <= d - r)%nat -> lo <= rate_coefficient d b h r k <= hi) ->
  lo <= rate_of d b s0 h r s <= hi.
Proof.
  intros H T C. apply L5_range; [|exact C]. unfold own_time. split.
  - apply Rle_mult_inv_pos; lra.
  - apply Rmult_le_reg_r with h; [exact H|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(* L13, sharpened: it is enough that each half (or any two parts) is within its own coefficients. *)
Theorem L13_halves d b lo hi c : 0 < c < 1 ->
  (forall k, (k <= d)%nat -> lo <= restricted d b 0 c k <= hi) ->
  (forall k, (k <= d)%nat -> lo <= restricted d b c 1 k <= hi) ->
  forall t, 0 <= t <= 1 -> lo <= bern d b t <= hi.
Proof.
  intros C A B t T. destruct (Rle_dec t c) as [l|l].
  - replace t with ((1 - t / c) * 0 + t / c * c) by (field; lra). rewrite <- L5_part.
    apply L5_range; [|exact A]. split; [apply Rle_mult_inv_pos; lra|].
    apply Rmult_le_reg_r with c; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - replace t with ((1 - (t - c) / (1 - c)) * c + (t - c) / (1 - c) * 1) by (field; lra).
    rewrite <- L5_part. apply L5_range; [|exact B]. split; [apply Rle_mult_inv_pos; lra|].
    apply Rmult_le_reg_r with (1 - c); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(* L13, EXCEEDED: the first and the last coefficient are the values at the ends. *)
Theorem L13_ends d b s0 h r : 0 < h ->
  rate_of d b s0 h r s0 = rate_coefficient d b h r 0 /\
  rate_of d b s0 h r (s0 + h) = rate_coefficient d b h r (d - r).
Proof.
  intros H. unfold rate_of, own_time. split.
  - replace ((s0 - s0) / h) with 0 by (field; lra). apply bern_0.
  - replace ((s0 + h - s0) / h) with 1 by (field; lra). apply bern_1.
Qed.
