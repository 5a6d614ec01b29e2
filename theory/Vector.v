(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   Vectors of the space: sums, products, lengths. No lemma of soundness.md by itself. *)
Require Import Reals Lra.
Open Scope R_scope.

Record vec := V { X : R; Y : R; Z : R }.
Definition zero := V 0 0 0.
Definition add a b := V (X a + X b) (Y a + Y b) (Z a + Z b).
Definition sub a b := V (X a - X b) (Y a - Y b) (Z a - Z b).
Definition scale k a := V (k * X a) (k * Y a) (k * Z a).
Definition dot a b := X a * X b + Y a * Y b + Z a * Z b.
Definition cross a b :=
  V (Y a * Z b - Z a * Y b) (Z a * X b - X a * Z b) (X a * Y b - Y a * X b).
Definition norm a := sqrt (dot a a).
Notation "a [+] b" := (add a b) (at level 50, left associativity).
Notation "a [-] b" := (sub a b) (at level 50, left associativity).
Notation "k [*] a" := (scale k a) (at level 40, left associativity).

(* Decides equations between vectors, coordinate by coordinate. *)
Ltac vring :=
  intros; unfold zero, sub, add, scale, dot, cross; simpl; first [ring | f_equal; ring].

(* A vector is the zero vector and itself: for tactics that need its coordinates. *)
Lemma sub_add a b : a = (a [-] b) [+] b.
Proof. destruct a. vring. Qed.
Lemma add_zero a : a [+] zero = a.
Proof. destruct a. vring. Qed.
Lemma sub_self a : a [-] a = zero.
Proof. vring. Qed.
Lemma dot_sym a b : dot a b = dot b a.
Proof. vring. Qed.

(* Lengths. *)
Lemma dot_pos a : 0 <= dot a a.
Proof. unfold dot. nra. Qed.
Lemma norm_pos a : 0 <= norm a.
Proof. apply sqrt_pos. Qed.
Lemma norm_square a : norm a * norm a = dot a a.
Proof. apply sqrt_sqrt, dot_pos. Qed.
Lemma norm_le a r : 0 <= r -> dot a a <= r * r -> norm a <= r.
Proof. intros P H. unfold norm. rewrite <- (sqrt_square r P). now apply sqrt_le_1_alt. Qed.
Lemma norm_same a b : dot a a = dot b b -> norm a = norm b.
Proof. unfold norm. now intros ->. Qed.
Lemma norm_unit u : dot u u = 1 -> norm u = 1.
Proof. intros H. unfold norm. rewrite H. apply sqrt_1. Qed.
Lemma norm_zero : norm zero = 0.
Proof.
  unfold norm, dot, zero; simpl. replace (0 * 0 + 0 * 0 + 0 * 0) with 0 by ring. apply sqrt_0.
Qed.
Lemma norm_is_zero a : norm a = 0 -> a = zero.
Proof.
  intros H. assert (D : dot a a = 0) by (rewrite <- norm_square, H; ring).
  destruct a as [x y z]. unfold dot in D; simpl in D.
  assert (x = 0 /\ y = 0 /\ z = 0) as [-> [-> ->]]; [|reflexivity]. repeat split; nra.
Qed.
Lemma sub_is_zero a b : norm (a [-] b) = 0 -> a = b.
Proof. intros H. rewrite (sub_add a b), (norm_is_zero _ H). destruct b; vring. Qed.

(* The inequality of Cauchy and Schwarz: |a|^2 |b|^2 = (a.b)^2 + |a x b|^2. *)
Lemma cauchy a b : dot a b <= norm a * norm b.
Proof.
  destruct (Rle_dec (dot a b) 0); [generalize (norm_pos a) (norm_pos b); nra|].
  apply Rsqr_incr_0_var; [|generalize (norm_pos a) (norm_pos b); nra]. unfold Rsqr.
  replace (norm a * norm b * (norm a * norm b))
    with ((norm a * norm a) * (norm b * norm b)) by ring.
  rewrite !norm_square.
  replace (dot a a * dot b b)
    with (dot a b * dot a b + dot (cross a b) (cross a b)) by (unfold dot, cross; simpl; ring).
  generalize (dot_pos (cross a b)); lra.
Qed.
Lemma norm_scale k a : norm (k [*] a) = Rabs k * norm a.
Proof.
  unfold norm. replace (dot (k [*] a) (k [*] a)) with (Rsqr k * dot a a) by (unfold Rsqr; vring).
  rewrite sqrt_mult; [now rewrite sqrt_Rsqr_abs|apply Rle_0_sqr|apply dot_pos].
Qed.
Lemma cauchy_low a b : - (norm a * norm b) <= dot a b.
Proof.
  generalize (cauchy (-1 [*] a) b). rewrite norm_scale, (Rabs_left (-1)) by lra.
  replace (dot (-1 [*] a) b) with (- dot a b) by vring. lra.
Qed.
(* A product is at most the bounds of the two lengths. *)
Lemma dot_bound a b r s : norm a <= r -> norm b <= s -> dot a b <= r * s /\ - (r * s) <= dot a b.
Proof.
  intros A B. assert (norm a * norm b <= r * s) by (apply Rmult_le_compat; auto using norm_pos).
  generalize (cauchy a b) (cauchy_low a b). lra.
Qed.

(* The triangle. *)
Lemma norm_add a b : norm (a [+] b) <= norm a + norm b.
Proof.
  generalize (norm_pos a) (norm_pos b); intros; apply norm_le; [lra|].
  replace (dot (a [+] b) (a [+] b)) with (dot a a + 2 * dot a b + dot b b) by vring.
  rewrite <- !norm_square. generalize (cauchy a b). nra.
Qed.
Lemma norm_sub_sym a b : norm (a [-] b) = norm (b [-] a).
Proof. apply norm_same. vring. Qed.
Lemma norm_triangle a b c : norm (a [-] c) <= norm (a [-] b) + norm (b [-] c).
Proof. replace (a [-] c) with ((a [-] b) [+] (b [-] c)) by vring. apply norm_add. Qed.
Lemma scale_le k a r s : Rabs k <= r -> norm a <= s -> norm (k [*] a) <= r * s.
Proof.
  intros A B. rewrite norm_scale. apply Rmult_le_compat; auto using Rabs_pos, norm_pos.
Qed.

(* The axes of coordinates. *)
Definition ex := V 1 0 0.
Definition ey := V 0 1 0.
Definition ez := V 0 0 1.
Ltac ones := unfold dot, ex, ey, ez; simpl; ring.
Lemma norm_coordinates a : norm a <= Rabs (dot ex a) + Rabs (dot ey a) + Rabs (dot ez a).
Proof.
  replace a with (dot ex a [*] ex [+] dot ey a [*] ey [+] dot ez a [*] ez) at 1.
  2:{ destruct a. unfold ex, ey, ez. vring. }
  assert (norm ex = 1 /\ norm ey = 1 /\ norm ez = 1) as [A [B C]]
    by (repeat split; apply norm_unit; ones).
  eapply Rle_trans; [apply norm_add|]. eapply Rle_trans; [apply Rplus_le_compat_r, norm_add|].
  rewrite !norm_scale, A, B, C. lra.
Qed.
