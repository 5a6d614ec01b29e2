(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   L11: bodies that grow. Body A at the time t is what it was with a ball of radius w t around
   every point, t in seconds. A gap loses N (w_a + w_b) t. *)
Require Import Reals Lra List.
From Vouch Require Import Vector Isometry Model Path Leaf Margin.
Open Scope R_scope.

(* L11, one time: what is owed to the growth of both is the sum of their radii. *)
Theorem L11_direction u d ra rb (A B : vec -> Prop) : norm u <= 1 ->
  (forall x y, A x -> B y -> d + (ra + rb) <= dot u (y [-] x)) ->
  forall x y, grown ra A x -> grown rb B y -> d <= dot u (y [-] x).
Proof.
  intros U H x y [p [Ap Dp]] [q [Bq Dq]]. specialize (H p q Ap Bq).
  destruct (dot_bound u (x [-] p) 1 ra U Dp) as [K _].
  destruct (dot_bound u (y [-] q) 1 rb U Dq) as [_ L].
  replace (y [-] x) with ((q [-] p) [+] (y [-] q) [-] (x [-] p)) by vring.
  replace (dot u ((q [-] p) [+] (y [-] q) [-] (x [-] p)))
    with (dot u (q [-] p) + dot u (y [-] q) - dot u (x [-] p)) by vring. lra.
Qed.
Theorem L11_apart d ra rb (A B : vec -> Prop) :
  apart_along (d + (ra + rb)) A B -> apart_along d (grown ra A) (grown rb B).
Proof.
  intros [u [U H]]. exists u. split; [exact U|]. apply (L11_direction u d ra rb A B); auto.
  rewrite (norm_unit u U). lra.
Qed.

(* L11, an interval: seconds that are an affine function of the interval's own time may be charged
   at both ends as they are there; the way gains (w_a + w_b) h, h the seconds of the interval. *)
Theorem L11_charge N base w (sec : R -> R) : 0 <= N -> 0 <= w ->
  (forall t, 0 <= t <= 1 -> sec t = (1 - t) * sec 0 + t * sec 1) -> sec 0 <= sec 1 ->
  charged (fun t => base + N * (w * sec t)) (base + N * (w * sec 0)) (base + N * (w * sec 1))
    (N * (w * (sec 1 - sec 0))).
Proof.
  intros N0 W Affine Up t T. rewrite (Affine t T). split; [right; ring|].
  set (h := sec 1 - sec 0). assert (0 <= N * (w * h)) by (repeat apply Rmult_le_pos; unfold h; lra).
  replace ((base + N * (w * ((1 - t) * sec 0 + t * sec 1)) - (base + N * (w * sec 0)))
    + (base + N * (w * ((1 - t) * sec 0 + t * sec 1)) - (base + N * (w * sec 1))))
    with ((2 * t - 1) * (N * (w * h))) by (unfold h; ring).
  replace (N * (w * h)) with (1 * (N * (w * h))) at 2 by ring. apply Rmult_le_compat_r; lra.
Qed.

(* Seconds that only do not decrease (a clock of its own for reports): the later ones have to be
   charged at both ends. Charging each end its own would be wrong, see growth_late. *)
Theorem L11_charge_late N base w (sec : R -> R) : 0 <= N -> 0 <= w ->
  (forall t, 0 <= t <= 1 -> sec t <= sec 1) ->
  charged (fun t => base + N * (w * sec t)) (base + N * (w * sec 1)) (base + N * (w * sec 1)) 0.
Proof.
  intros N0 W Late t T.
  assert (N * (w * sec t) <= N * (w * sec 1))
    by (apply Rmult_le_compat_l; [exact N0|]; apply Rmult_le_compat_l; [exact W|now apply Late]).
  split; lra.
Qed.
(* The reason: seconds that run ahead early are above their chord. *)
Theorem growth_late : exists sec : R -> R, sec 0 <= sec 1 /\ (forall t, 0 <= t <= 1 -> sec t
  <= sec 1) /\
  ~ charged (fun t => 1 * (1 * sec t)) (1 * (1 * sec 0)) (1 * (1 * sec 1)) (1 * (1 *
    (sec 1 - sec 0))).
Proof.
  exists (fun t => if Rle_dec t 0 then 0 else 1). repeat split.
  - destruct (Rle_dec 0 0), (Rle_dec 1 0); lra.
  - intros t T. destruct (Rle_dec t 0), (Rle_dec 1 0); lra.
  - intros C. destruct (C (/ 2)) as [K _]; [lra|].
    destruct (Rle_dec (/ 2) 0), (Rle_dec 0 0), (Rle_dec 1 0); lra.
Qed.

(* L11, the leaf: margin of any sign, growth and tolerances. `more` seconds are added to the clock:
   those of a stop (L12), or those before the motion began. *)
Theorem L11 N low margin wa wb more (sec : R -> R) P most c0 r0 c r speed bend variation tol m f
  (A B : vec -> Prop) :
  0 < N -> 0 <= wa -> 0 <= wb -> 0 <= sec 0 + more ->
  (forall t, 0 <= t <= 1 -> sec t = (1 - t) * sec 0 + t * sec 1) -> sec 0 <= sec 1 ->
  0 <= r0 -> bounded m speed bend variation -> (forall i, 0 <= speed i) -> (forall i, 0 <= tol i) ->
  (forall i t, 0 <= t <= 1 -> Rabs (pos m t i) + tol i <= most i) ->
  unit_axes P -> balls most c0 r0 P c r -> (forall p, A p -> norm (p [-] c0) <= r0) ->
  norm (dir_a f) <= N -> norm (dir_b f) <= N ->
  long_enough low margin (dir_a f) -> long_enough low margin (dir_b f) ->
  let owed t := charge N low margin + N * ((wa + wb) * (sec t + more)) in
  gap_holds N P tol (dir_a f) (pos m 0) (gap_a f) (owed 0) A B ->
  gap_holds N P tol (dir_b f) (pos m 1) (gap_b f) (owed 1) A B ->
  leaf_holds N P speed bend variation (N * ((wa + wb) * (sec 1 - sec 0))) f ->
  forall t, 0 <= t <= 1 -> exists e, 0 < e /\
  forall x, (forall i, Rabs (x i - pos m t i) <= tol i) ->
  apart_along (margin + e) (grown (wa * (sec t + more)) (fun z => exists p, A p /\ z = place P x p))
    (grown (wb * (sec t + more)) B).
Proof.
  intros N0 Wa Wb More Affine Up R0 Bm S0 T0 Most U Rad InA Na Nb La Lb owed Ga Gb Test t T.
  assert (Ch : charged owed (owed 0) (owed 1) (N * ((wa + wb) * (sec 1 - sec 0)))).
  { replace (sec 1 - sec 0) with ((sec 1 + more) - (sec 0 + more)) by ring.
    apply (L11_charge N (charge N low margin) (wa + wb) (fun t => sec t + more)); try lra.
    intros s S. rewrite (Affine s S). ring. }
  assert (More_t : 0 <= (wa + wb) * (sec t + more)).
  { apply Rmult_le_pos; [lra|]. rewrite (Affine t T).
    assert (0 <= t * (sec 1 - sec 0)) by (apply Rmult_le_pos; lra). lra. }
  destruct (leaf_sound N P most c0 r0 c r speed bend variation tol m f owed _ _ _ A B R0 Bm S0 T0
    Most
    U Rad InA Na Nb Ch Ga Gb Test t T) as [n [e [D [E H]]]].
  exists (e / N). split; [now apply Rdiv_lt_0_compat|]. intros x Dx. apply L11_apart.
  replace (margin + e / N + (wa * (sec t + more) + wb * (sec t + more)))
    with (margin + (wa + wb) * (sec t + more) + e / N) by ring.
  apply (gap_means N low margin _ e n); auto; try (destruct D as [-> | ->]; assumption).
  intros z y [p [Ap ->]] By. exact (H x Dx p y Ap By).
Qed.
