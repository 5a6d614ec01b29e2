(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   L1 and L10: how fast the points of A move, and by how much their velocity changes. Said with
   velocities alone, so that kinks and whole runs of segments are one case with one polynomial. *)
Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Vouch Require Import Vector Isometry Model Path.
Open Scope R_scope.

(* Puts known derivatives in place of Derive. *)
Ltac known_derivatives := repeat match goal with H : is_derive ?f ?t ?d |- context [Derive ?g ?t] =>
  replace (Derive g t) with d by (symmetry; apply is_derive_unique; exact H) end.

(* f has the velocity d at t: it has it along every direction. *)
Definition velocity_at (f : R -> vec) (t : R) (d : vec) :=
  forall n, is_derive (fun s => dot n (f s)) t (dot n d).

(* The rules of differentiation, for poses, turns and slides. *)
Lemma velocity_const a t : velocity_at (fun _ => a) t zero.
Proof.
  intros n. replace (dot n zero) with 0 by (unfold dot; simpl; ring).
  apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule)).
Qed.
Lemma derive_plus_const (f : R -> R) t d c : is_derive f t d -> is_derive (fun s => f s + c) t d.
Proof. intros A. auto_derive; [eexists; eassumption|]. known_derivatives; ring. Qed.
Lemma derive_joint (f : R -> R) t d k o :
  is_derive f t d -> is_derive (fun s => k * f s + o) t (k * d).
Proof. intros A. auto_derive; [eexists; eassumption|]. known_derivatives; ring. Qed.
Lemma velocity_app F f t d : velocity_at f t d -> velocity_at (fun s => app F (f s)) t (lin F d).
Proof.
  intros H n. apply is_derive_ext with (fun s => dot (unlin F n) (f s) + dot n (ct F)).
  - intros s. rewrite <- dot_lin. unfold app. vring.
  - rewrite dot_lin. exact (derive_plus_const _ _ _ _ (H (unlin F n))).
Qed.
Lemma derive_turn (q f g h : R -> R) k t q1 df dg dh :
  is_derive q t q1 -> is_derive f t df -> is_derive g t dg -> is_derive h t dh ->
  is_derive (fun s => (1 - cos (q s)) * k * f s + cos (q s) * g s + sin (q s) * h s) t
    (q1 * (sin (q t) * (k * f t - g t) + cos (q t) * h t)
      + (1 - cos (q t)) * k * df + cos (q t) * dg + sin (q t) * dh).
Proof.
  intros Q A B C. auto_derive; [repeat split; eexists; eassumption|]. known_derivatives; ring.
Qed.
Lemma derive_slide (q f : R -> R) k t q1 d : is_derive q t q1 -> is_derive f t d ->
  is_derive (fun s => f s + q s * k) t (d + q1 * k).
Proof.
  intros Q A. auto_derive; [repeat split; eexists; eassumption|]. known_derivatives; ring.
Qed.
Lemma velocity_turn u q q1 f t d : dot u u = 1 -> is_derive q t q1 -> velocity_at f t d ->
  velocity_at (fun s => turn u (q s) (f s)) t
    (q1 [*] cross u (turn u (q t) (f t)) [+] turn u (q t) d).
Proof.
  intros H Hq Hf n.
  apply is_derive_ext with (fun s => (1 - cos (q s)) * dot n u * dot u (f s)
    + cos (q s) * dot n (f s) + sin (q s) * dot (cross n u) (f s)).
  { intros s. unfold turn. vring. }
  assert (E := derive_turn q (fun s => dot u (f s)) (fun s => dot n (f s))
    (fun s => dot (cross n u) (f s)) (dot n u) t q1 _ _ _ Hq (Hf u) (Hf n) (Hf (cross n u))).
  cbv beta in E.
  match type of E with is_derive _ _ ?e => match goal with |- is_derive _ _ ?g =>
    replace g with e; [exact E|] end end.
  replace (dot n (q1 [*] cross u (turn u (q t) (f t)) [+] turn u (q t) d)) with
    (q1 * (cos (q t) * dot (cross n u) (f t)
        + sin (q t) * (dot u (f t) * dot n u - dot u u * dot n (f t)))
      + dot n (turn u (q t) d)) by (unfold turn; vring).
  rewrite H. unfold turn, dot, cross, scale, add; simpl. ring.
Qed.
Lemma velocity_slide u q q1 f t d : is_derive q t q1 -> velocity_at f t d ->
  velocity_at (fun s => f s [+] q s [*] u) t (q1 [*] u [+] d).
Proof.
  intros Hq Hf n. apply is_derive_ext with (fun s => dot n (f s) + q s * dot n u).
  { intros s; vring. }
  assert (E := derive_slide q (fun s => dot n (f s)) (dot n u) t q1 _ Hq (Hf n)). cbv beta in E.
  match type of E with is_derive _ _ ?e => match goal with |- is_derive _ _ ?g =>
    replace g with e; [exact E|vring] end end.
Qed.

(* The velocity of a point, by the recursion over the joints; x1 are the rates of the variables. *)
Fixpoint velocity (P : path) (x x1 : config) (p : vec) : vec :=
  match P with
  | nil => zero
  | (Fixed F, _) :: P => lin F (velocity P x x1 p)
  | (Turns u i k o, _) :: P => (k * x1 i) [*] cross u (turn u (k * x i + o) (place P x p))
      [+] turn u (k * x i + o) (velocity P x x1 p)
  | (Slides u i k o, _) :: P => (k * x1 i) [*] u [+] velocity P x x1 p
  end.
Theorem place_velocity P (x x1 : R -> config) p t : unit_axes P ->
  (forall i, is_derive (fun s => x s i) t (x1 t i)) ->
  velocity_at (fun s => place P (x s) p) t (velocity P (x t) (x1 t) p).
Proof.
  intros U H. induction P as [|[[F|u i k o|u i k o] rho] P IH]; simpl.
  - apply velocity_const.
  - inversion_clear U. apply (velocity_app F). auto.
  - inversion_clear U. apply (velocity_turn u (fun s => k * x s i + o)); auto.
    now apply (derive_joint (fun s => x s i)).
  - inversion_clear U. apply (velocity_slide u (fun s => k * x s i + o)); auto.
    now apply (derive_joint (fun s => x s i)).
Qed.

Lemma rate_le k x d : Rabs x <= d -> Rabs (k * x) <= Rabs k * d.
Proof. intros H. rewrite Rabs_mult. apply Rmult_le_compat_l; auto using Rabs_pos. Qed.

(* L1: the speed of a point is at most the sum of rho_m |rate of joint m|. *)
Theorem L1_speed P x x1 p s : unit_axes P -> radii_positive P -> reaches P x p ->
  (forall i, Rabs (x1 i) <= s i) -> norm (velocity P x x1 p) <= travel P s.
Proof.
  intros U H R M. induction P as [|[[F|u i k o|u i k o] rho] P IH]; simpl in *;
    try (inversion_clear U as [|? ? U0 U1]; inversion_clear H as [|? ? R0 R1]; simpl in U0, R0).
  - rewrite norm_zero; lra.
  - rewrite norm_lin. auto.
  - destruct R as [R2 R3]. eapply Rle_trans; [apply norm_add|].
    rewrite (norm_turn u _ _ U0), (Rmult_comm rho). apply Rplus_le_compat; [|auto].
    apply scale_le; [apply rate_le, M|]. now rewrite (norm_cross_turn u _ _ U0).
  - destruct R as [R2 R3]. eapply Rle_trans; [apply norm_add|]. apply Rplus_le_compat; [|auto].
    rewrite (Rmult_comm rho). apply scale_le; [apply rate_le, M|]. now rewrite (norm_unit u U0).
Qed.

(* Half of what L1 bounds the acceleration by, but for the accelerations of the joints. The
   recursion passes the joints from A on: travel P speed is the sum over the joints nearer A. *)
Fixpoint swing (P : path) (speed : config) : R :=
  match P with
  | nil => 0
  | (Fixed _, _) :: P | (Slides _ _ _ _, _) :: P => swing P speed
  | (Turns _ i k _, rho) :: P =>
      (Rabs k * speed i) * (/ 2 * rho * (Rabs k * speed i) + travel P speed) + swing P speed
  end.

(* L1, L10: from a configuration x to one y that a motion with speeds of at most s reaches within
   the time h, while the rates change by at most d, the velocity of a point changes by at most h (2
   swing) + travel d. That is L1 where d = h times the accelerations, L10 at kinks. *)
Theorem L10_change P x y x1 y1 p s d h : unit_axes P -> radii_positive P -> 0 <= h ->
  (forall i, 0 <= s i) -> reaches P x p -> reaches P y p ->
  (forall i, Rabs (x1 i) <= s i) -> (forall i, Rabs (y1 i) <= s i) ->
  (forall i, Rabs (y i - x i) <= h * s i) -> (forall i, Rabs (y1 i - x1 i) <= d i) ->
  norm (velocity P y y1 p [-] velocity P x x1 p) <= h * (2 * swing P s) + travel P d.
Proof.
  intros U H Hh S0 Rx Ry M1 M2 L C.
  induction P as [|[[F|u i k o|u i k o] rho] P IH]; simpl in *;
    try (inversion_clear U as [|? ? U0 U1]; inversion_clear H as [|? ? R0 R1]; simpl in U0, R0).
  - rewrite sub_self, norm_zero; lra.
  - rewrite lin_sub, norm_lin. auto.
  - destruct Rx as [Rx0 Rx1], Ry as [Ry0 Ry1]. specialize (IH U1 R1 Rx1 Ry1).
    set (px := place P x p) in *. set (py := place P y p) in *.
    set (vx := velocity P x x1 p) in *. set (vy := velocity P y y1 p) in *.
    set (qx := k * x i + o). set (qy := k * y i + o). set (v := Rabs k * s i).
    assert (V0 : 0 <= v) by (apply Rmult_le_pos; auto using Rabs_pos).
    assert (Q : Rabs (qy - qx) <= h * v).
    { unfold qy, qx, v. replace (k * y i + o - (k * x i + o)) with (k * (y i - x i)) by ring.
      rewrite Rabs_mult. assert (Rabs k * Rabs (y i - x i) <= Rabs k * (h * s i))
        by (apply Rmult_le_compat_l; auto using Rabs_pos). lra. }
    assert (B : norm (py [-] px) <= h * travel P s).
    { eapply Rle_trans; [apply (L3_moves P y x p (fun i => h * s i + 0 * 0) U1 R1 Ry1)|].
      - intros j. generalize (L j). lra.
      - rewrite travel_linear. lra. }
    assert (G : norm vy <= travel P s) by (apply L1_speed; auto).
    (* the new rate, the change of what it turns, the turn of the inner velocity, its change *)
    assert (E : (k * y1 i) [*] cross u (turn u qy py) [+] turn u qy vy
        [-] ((k * x1 i) [*] cross u (turn u qx px) [+] turn u qx vx)
      = (k * (y1 i - x1 i)) [*] cross u (turn u qy py)
        [+] (k * x1 i) [*] cross u ((turn u qy py [-] turn u qx py)
          [+] (turn u qx py [-] turn u qx px))
        [+] (turn u qy vy [-] turn u qx vy) [+] (turn u qx vy [-] turn u qx vx)) by vring.
    rewrite E. clear E.
    assert (T1 : norm ((k * (y1 i - x1 i)) [*] cross u (turn u qy py)) <= Rabs k * d i * rho).
    { apply scale_le; [apply rate_le, C|]. now rewrite (norm_cross_turn u _ _ U0). }
    assert (T2 : norm ((k * x1 i) [*] cross u ((turn u qy py [-] turn u qx py)
        [+] (turn u qx py [-] turn u qx px))) <= v * (h * v * rho + h * travel P s)).
    { apply scale_le; [apply rate_le, M1|]. eapply Rle_trans; [apply (norm_cross _ _ U0)|].
      eapply Rle_trans; [apply norm_add|]. apply Rplus_le_compat.
      - eapply Rle_trans; [apply (turn_moves u _ _ _ U0)|].
        apply Rmult_le_compat; auto using Rabs_pos, norm_pos.
      - now rewrite turn_sub, (norm_turn u _ _ U0). }
    assert (T3 : norm (turn u qy vy [-] turn u qx vy) <= h * v * travel P s).
    { eapply Rle_trans; [apply (turn_moves u _ _ _ U0)|].
      apply Rmult_le_compat; auto using Rabs_pos, norm_pos.
      eapply Rle_trans; [apply (norm_cross _ _ U0)|exact G]. }
    assert (T4 : norm (turn u qx vy [-] turn u qx vx) <= h * (2 * swing P s) + travel P d)
      by now rewrite turn_sub, (norm_turn u _ _ U0).
    eapply Rle_trans; [apply norm_add|].
    eapply Rle_trans; [apply Rplus_le_compat_r, norm_add|].
    eapply Rle_trans; [apply Rplus_le_compat_r, Rplus_le_compat_r, norm_add|]. lra.
  - destruct Rx as [Rx0 Rx1], Ry as [Ry0 Ry1]. specialize (IH U1 R1 Rx1 Ry1).
    replace ((k * y1 i) [*] u [+] velocity P y y1 p [-] ((k * x1 i) [*] u [+] velocity P x x1 p))
      with ((k * (y1 i - x1 i)) [*] u [+] (velocity P y y1 p [-] velocity P x x1 p)) by vring.
    assert (T : norm ((k * (y1 i - x1 i)) [*] u) <= Rabs k * d i * rho).
    { apply scale_le; [apply rate_le, C|]. now rewrite (norm_unit u U0). }
    eapply Rle_trans; [apply norm_add|]. lra.
Qed.

(* What C of L2 is made of, less N: the swing and the accelerations and kinks `bend`. *)
Fixpoint bend_sum (P : path) (speed bend : config) : R :=
  match P with
  | nil => 0
  | (Fixed _, _) :: P => bend_sum P speed bend
  | (Turns _ i k _, rho) :: P => bend_sum P speed bend
      + ((Rabs k * speed i) * (/ 2 * rho * (Rabs k * speed i) + travel P speed)
         + rho * (Rabs k * bend i))
  | (Slides _ i k _, rho) :: P => bend_sum P speed bend + rho * (Rabs k * bend i)
  end.
Lemma bend_sum_parts P s b : bend_sum P s b = swing P s + travel P b.
Proof. induction P as [|[[F|u i k o|u i k o] rho] P IH]; simpl; rewrite ?IH; ring. Qed.
