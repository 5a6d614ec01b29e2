(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   Fixed poses and turns about an axis: they keep lengths, they can be undone, and how far a turn
   moves a point (soundness.md: section 2, and L3(d) for one joint). *)
Require Import Reals Lra.
From Vouch Require Import Vector.
Open Scope R_scope.

(* A fixed pose: the images of the three axes, and of the origin. *)
Record iso := {
  cx : vec; cy : vec; cz : vec; ct : vec;
  xx : dot cx cx = 1; yy : dot cy cy = 1; zz : dot cz cz = 1;
  xy : dot cx cy = 0; yz : dot cy cz = 0; zx : dot cz cx = 0 }.
Definition lin F a := X a [*] cx F [+] Y a [*] cy F [+] Z a [*] cz F.
Definition app F a := lin F a [+] ct F.
Definition unlin F n := V (dot (cx F) n) (dot (cy F) n) (dot (cz F) n).

Lemma dot_lin F n a : dot n (lin F a) = dot (unlin F n) a.
Proof. unfold lin, unlin. vring. Qed.
Lemma lin_sub F a b : lin F a [-] lin F b = lin F (a [-] b).
Proof. unfold lin. vring. Qed.
Lemma lin_scale F k a : lin F (k [*] a) = k [*] lin F a.
Proof. unfold lin. vring. Qed.
Lemma app_sub F a b : app F a [-] app F b = lin F (a [-] b).
Proof. unfold app. rewrite <- lin_sub. vring. Qed.

(* A pose keeps products, hence lengths and distances. *)
Lemma lin_dot F a b : dot (lin F a) (lin F b) = dot a b.
Proof.
  unfold lin.
  match goal with |- ?l = _ => replace l with
    (X a * X b * dot (cx F) (cx F) + Y a * Y b * dot (cy F) (cy F)
      + Z a * Z b * dot (cz F) (cz F) + (X a * Y b + Y a * X b) * dot (cx F) (cy F)
      + (Y a * Z b + Z a * Y b) * dot (cy F) (cz F)
      + (Z a * X b + X a * Z b) * dot (cz F) (cx F)) by vring end.
  rewrite xx, yy, zz, xy, yz, zx. unfold dot. ring.
Qed.
Lemma norm_lin F a : norm (lin F a) = norm a.
Proof. apply norm_same, lin_dot. Qed.
Lemma app_distance F a b : norm (app F a [-] app F b) = norm (a [-] b).
Proof. now rewrite app_sub, norm_lin. Qed.

(* The turn by q about the unit vector u. *)
Definition turn u q a :=
  ((1 - cos q) * dot u a) [*] u [+] cos q [*] a [+] sin q [*] cross u a.

Lemma turn_sub u q a b : turn u q a [-] turn u q b = turn u q (a [-] b).
Proof. unfold turn. vring. Qed.
Lemma cross_turn u q a : cross u (turn u q a) = turn u q (cross u a).
Proof. unfold turn. vring. Qed.
Lemma sine_square q : sin q * sin q = 1 - cos q * cos q.
Proof. generalize (sin2_cos2 q); unfold Rsqr; lra. Qed.

(* The distance from the axis, |u x a|, is at most the distance from any of its points. *)
Lemma dot_cross u a : dot u u = 1 -> dot (cross u a) (cross u a) = dot a a - dot u a * dot u a.
Proof.
  intros H.
  replace (dot (cross u a) (cross u a)) with (dot u u * dot a a - dot u a * dot u a) by vring.
  rewrite H; ring.
Qed.
Lemma norm_cross u a : dot u u = 1 -> norm (cross u a) <= norm a.
Proof. intros H. unfold norm. apply sqrt_le_1_alt. rewrite (dot_cross u a H). nra. Qed.

(* A turn keeps lengths, distances from its axis, and the points of the axis. *)
Lemma norm_turn u q a : dot u u = 1 -> norm (turn u q a) = norm a.
Proof.
  intros H. apply norm_same. unfold turn.
  match goal with |- ?l = _ => replace l with
    ((1 - cos q) * (1 - cos q) * (dot u a * dot u a) * dot u u + cos q * cos q * dot a a
      + sin q * sin q * dot (cross u a) (cross u a)
      + 2 * ((1 - cos q) * cos q * (dot u a * dot u a))) by vring end.
  rewrite (dot_cross u a H), H, sine_square. ring.
Qed.
Lemma norm_cross_turn u q a : dot u u = 1 -> norm (cross u (turn u q a)) = norm (cross u a).
Proof. intros H. rewrite cross_turn. now apply norm_turn. Qed.
Lemma turn_axis u q k : dot u u = 1 -> turn u q (k [*] u) = k [*] u.
Proof.
  intros H. unfold turn. replace (dot u (k [*] u)) with (k * dot u u) by vring. rewrite H. vring.
Qed.
Lemma turn_dot u q a b : dot u u = 1 -> dot (turn u q a) (turn u q b) = dot a b.
Proof.
  intros H.
  assert (N : forall v, dot (turn u q v) (turn u q v) = dot v v)
    by (intros v; rewrite <- !norm_square; now rewrite (norm_turn u q v H)).
  assert (S := N (a [+] b)).
  replace (turn u q (a [+] b)) with (turn u q a [+] turn u q b) in S by (unfold turn; vring).
  replace (dot (turn u q a [+] turn u q b) (turn u q a [+] turn u q b))
    with (dot (turn u q a) (turn u q a) + dot (turn u q b) (turn u q b)
      + 2 * dot (turn u q a) (turn u q b)) in S by vring.
  replace (dot (a [+] b) (a [+] b)) with (dot a a + dot b b + 2 * dot a b) in S by vring.
  rewrite !N in S. lra.
Qed.
Lemma turn_back u q a : dot u u = 1 -> turn u q (turn u (- q) a) = a.
Proof.
  intros H.
  assert (E1 : dot u (turn u (- q) a) = dot u a).
  { unfold turn. rewrite cos_neg, sin_neg.
    match goal with |- ?l = _ =>
      replace l with (((1 - cos q) * dot u u + cos q) * dot u a) by vring end.
    rewrite H; ring. }
  assert (E2 : cross u (turn u (- q) a)
    = cos q [*] cross u a [-] sin q [*] (dot u a [*] u [-] dot u u [*] a))
    by (unfold turn; rewrite cos_neg, sin_neg; vring).
  rewrite H in E2. unfold turn at 1. rewrite E1, E2. unfold turn. rewrite cos_neg, sin_neg.
  match goal with |- ?l = _ => replace l with
    ((1 - (sin q * sin q + cos q * cos q)) [*] (dot u a [*] u)
      [+] (sin q * sin q + cos q * cos q) [*] a) by vring end.
  rewrite sine_square. replace (1 - cos q * cos q + cos q * cos q) with 1 by ring.
  destruct a. vring.
Qed.

Lemma sin_le x : Rabs (sin x) <= Rabs x.
Proof.
  assert (P : forall y, 0 <= y -> Rabs (sin y) <= y).
  { intros y Hy. destruct (Rle_dec y 1) as [l|l].
    - assert (Q := PI2_1). assert (0 <= sin y) by (apply sin_ge_0; lra).
      rewrite Rabs_pos_eq by lra. destruct (Req_dec y 0) as [->|n]; [rewrite sin_0; lra|].
      apply Rlt_le, sin_lt_x. lra.
    - apply Rle_trans with 1; [|lra]. apply Rabs_le; destruct (SIN_bound y); lra. }
  destruct (Rle_dec 0 x) as [l|l].
  - rewrite (Rabs_pos_eq x) by lra. now apply P.
  - rewrite <- (Rabs_Ropp (sin x)), <- sin_neg, (Rabs_left x) by lra. apply P; lra.
Qed.

(* L3(d), one joint: turning by p in place of q moves a point by 2 sin(|p - q|/2) times its
   distance from the axis, so by at most |p - q| times it. *)
Lemma turn_moves u p q a : dot u u = 1 ->
  norm (turn u p a [-] turn u q a) <= Rabs (p - q) * norm (cross u a).
Proof.
  intros H. apply norm_le. { apply Rmult_le_pos; [apply Rabs_pos|apply norm_pos]. }
  replace (Rabs (p - q) * norm (cross u a) * (Rabs (p - q) * norm (cross u a)))
    with (Rsqr (Rabs (p - q)) * (norm (cross u a) * norm (cross u a))) by (unfold Rsqr; ring).
  rewrite <- Rsqr_abs, norm_square.
  replace (dot (turn u p a [-] turn u q a) (turn u p a [-] turn u q a)) with
    (((cos p - cos q) * (cos p - cos q))
       * (dot a a - 2 * (dot u a * dot u a) + dot u a * dot u a * dot u u)
     + ((sin p - sin q) * (sin p - sin q)) * dot (cross u a) (cross u a)) by (unfold turn; vring).
  rewrite (dot_cross u a H), H.
  replace (dot a a - 2 * (dot u a * dot u a) + dot u a * dot u a * 1)
    with (dot a a - dot u a * dot u a) by ring.
  rewrite <- Rmult_plus_distr_r. apply Rmult_le_compat_r.
  { rewrite <- (dot_cross u a H). apply dot_pos. }
  replace ((cos p - cos q) * (cos p - cos q) + (sin p - sin q) * (sin p - sin q))
    with (Rsqr (2 * sin ((p - q) / 2))).
  - apply Rsqr_le_abs_1. rewrite Rabs_mult, (Rabs_pos_eq 2) by lra.
    generalize (sin_le ((p - q) / 2)). unfold Rdiv at 2.
    rewrite Rabs_mult, (Rabs_pos_eq (/ 2)) by lra. lra.
  - replace ((cos p - cos q) * (cos p - cos q) + (sin p - sin q) * (sin p - sin q))
      with ((cos p * cos p + sin p * sin p) + (cos q * cos q + sin q * sin q)
        - 2 * (cos p * cos q + sin p * sin q)) by ring.
    rewrite !sine_square, <- cos_minus.
    replace (cos (p - q)) with (cos (2 * ((p - q) / 2))) by (f_equal; lra).
    rewrite cos_2a_sin. unfold Rsqr. ring.
Qed.

(* The isometry with the linear part f, which keeps products. *)
Definition iso_of (f : vec -> vec) (H : forall a b, dot (f a) (f b) = dot a b) (t : vec) : iso.
Proof.
  refine {| cx := f ex; cy := f ey; cz := f ez; ct := t |}; rewrite H; ones.
Defined.
Definition shift t := iso_of (fun a => a) (fun a b => eq_refl) t.
Definition identity := shift zero.
Definition compose F G := iso_of (fun a => lin F (lin G a))
  (fun a b => eq_trans (lin_dot F _ _) (lin_dot G a b)) (app F (ct G)).
Definition iso_turn u q (H : dot u u = 1) := iso_of (turn u q) (fun a b => turn_dot u q a b H) zero.

Lemma app_shift t a : app (shift t) a = a [+] t.
Proof. destruct a; unfold app, lin, shift, ex, ey, ez; simpl. vring. Qed.
Lemma app_identity a : app identity a = a.
Proof. unfold identity. rewrite app_shift. apply add_zero. Qed.
Lemma app_compose F G a : app (compose F G) a = app F (app G a).
Proof.
  destruct a, F, G; unfold app, lin, compose; simpl. unfold lin, app, ex, ey, ez; simpl. vring.
Qed.
Lemma lin_compose F G a : lin (compose F G) a = lin F (lin G a).
Proof.
  destruct a, F, G; unfold lin, compose; simpl. unfold lin, ex, ey, ez; simpl. vring.
Qed.
Lemma app_turn u q H a : app (iso_turn u q H) a = turn u q a.
Proof.
  destruct a; unfold app, lin, iso_turn; simpl. unfold turn, ex, ey, ez; simpl. vring.
Qed.

(* Three orthonormal columns span the space, so a pose can be undone. *)
Lemma columns_span F v : lin F (unlin F v) = v.
Proof.
  set (w := v [-] lin F (unlin F v)).
  assert (A : dot (cx F) w = 0 /\ dot (cy F) w = 0 /\ dot (cz F) w = 0).
  { assert (E : forall c, dot c w = dot c v - (dot (cx F) v * dot c (cx F)
      + dot (cy F) v * dot c (cy F) + dot (cz F) v * dot c (cz F)))
      by (intros; unfold w, lin, unlin; vring).
    rewrite !E, (dot_sym (cx F) (cz F)), (dot_sym (cy F) (cx F)), (dot_sym (cz F) (cy F)).
    rewrite xx, yy, zz, xy, yz, zx. repeat split; ring. }
  destruct A as [A [B C]]. set (det := dot (cx F) (cross (cy F) (cz F))).
  assert (G : det * det = 1).
  { replace (det * det) with
      (dot (cx F) (cx F) * (dot (cy F) (cy F) * dot (cz F) (cz F) - dot (cy F) (cz F) * dot (cy F)
        (cz F))
      - dot (cx F) (cy F) * (dot (cx F) (cy F) * dot (cz F) (cz F) - dot (cy F) (cz F) * dot
        (cz F) (cx F))
      + dot (cz F) (cx F) * (dot (cx F) (cy F) * dot (cy F) (cz F) - dot (cy F) (cy F) * dot
        (cz F) (cx F)))
      by (unfold det; vring).
    rewrite xx, yy, zz, xy, yz, zx. ring. }
  assert (K : det [*] w = dot (cx F) w [*] cross (cy F) (cz F) [+] dot (cy F) w [*] cross (cz F)
    (cx F)
    [+] dot (cz F) w [*] cross (cx F) (cy F)) by (unfold det; destruct w; vring).
  rewrite A, B, C in K.
  assert (W : w = zero).
  { replace w with ((det * det) [*] w) by (rewrite G; destruct w; vring).
    replace ((det * det) [*] w) with (det [*] (det [*] w)) by vring. rewrite K. vring. }
  unfold w in W. rewrite (sub_add v (lin F (unlin F v))) at 2. rewrite W.
  destruct (lin F (unlin F v)). vring.
Qed.
Lemma unlin_dot F a b : dot (unlin F a) (unlin F b) = dot a b.
Proof. now rewrite <- (lin_dot F), !columns_span. Qed.
Lemma norm_unlin F a : norm (unlin F a) = norm a.
Proof. apply norm_same, unlin_dot. Qed.
Definition inverse F := iso_of (unlin F) (unlin_dot F) ((-1) [*] unlin F (ct F)).
Lemma app_inverse F a : app F (app (inverse F) a) = a.
Proof.
  assert (E : app (inverse F) a = unlin F (a [-] ct F)).
  { destruct a; unfold app, lin, inverse; simpl. unfold unlin, ex, ey, ez; simpl. vring. }
  rewrite E. unfold app. rewrite columns_span. destruct a, (ct F). vring.
Qed.
Lemma inverse_app F a : app (inverse F) (app F a) = a.
Proof.
  apply sub_is_zero. rewrite <- (app_distance F), app_inverse, sub_self. apply norm_zero.
Qed.
