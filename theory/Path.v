(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   L3(a), L3(d) and L4: paths of joints, the balls that hold what they carry, and how far a point
   travels when the variables change. *)
Require Import Reals Lra List.
From Vouch Require Import Vector Isometry Model.
Open Scope R_scope.

(* A path leads from the points of A, at the end of the list, to the frame of B; each link has a
   number, the rho of L1. A joint undone has -k and -o. *)
Definition path := list (link * R).
Fixpoint place (P : path) (x : config) (p : vec) : vec :=
  match P with
  | nil => p
  | (l, _) :: P => move l x (place P x p)
  end.

Definition unit_axes (P : path) := Forall (fun l : link * R => unit_link (fst l)) P.
Definition radii_positive (P : path) := Forall (fun l : link * R => 0 <= snd l) P.

(* What L1 asks of the numbers rho, for the point p in the configuration x. *)
Fixpoint reaches (P : path) (x : config) (p : vec) : Prop :=
  match P with
  | nil => True
  | (Fixed _, _) :: P => reaches P x p
  | (Turns u _ _ _, rho) :: P => norm (cross u (place P x p)) <= rho /\ reaches P x p
  | (Slides _ _ _ _, rho) :: P => 1 <= rho /\ reaches P x p
  end.

(* L4, the recursion of balls, with any rounding upwards: `most` bounds the magnitude of each
   variable, tolerance included. *)
Definition foot u c := dot c u [*] u.
Inductive balls (most : config) (c0 : vec) (r0 : R) : path -> vec -> R -> Prop :=
| balls_nil r : r0 <= r -> balls most c0 r0 nil c0 r
| balls_fixed F n P c r : 0 <= n -> balls most c0 r0 P c r ->
    balls most c0 r0 ((Fixed F, n) :: P) (app F c) r
| balls_turn u i k o P c r rho : balls most c0 r0 P c r -> r + norm (c [-] foot u c) <= rho ->
    balls most c0 r0 ((Turns u i k o, rho) :: P) (foot u c) rho
| balls_slide u i k o P c r rho r' : balls most c0 r0 P c r -> 1 <= rho ->
    r + (Rabs k * most i + Rabs o) <= r' -> balls most c0 r0 ((Slides u i k o, rho) :: P) c r'.

Lemma joint_size k x o m : Rabs x <= m -> Rabs (k * x + o) <= Rabs k * m + Rabs o.
Proof.
  intros H. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_mult.
  apply Rplus_le_compat_r, Rmult_le_compat_l; [apply Rabs_pos|exact H].
Qed.

(* L4, one turn: the ball around the foot of the centre holds what is turned, and bounds its
   distance from the axis. *)
Lemma turn_ball u q a c r : dot u u = 1 -> norm (a [-] c) <= r ->
  norm (turn u q a [-] foot u c) <= r + norm (c [-] foot u c) /\
  norm (cross u a) <= r + norm (c [-] foot u c).
Proof.
  intros U H.
  assert (A : norm (a [-] foot u c) <= r + norm (c [-] foot u c)).
  { eapply Rle_trans; [apply (norm_triangle _ c)|]. lra. }
  split.
  - unfold foot at 1. rewrite <- (turn_axis u q (dot c u) U), turn_sub, (norm_turn u _ _ U).
    exact A.
  - replace (cross u a) with (cross u (a [-] foot u c)) by (unfold foot; vring).
    eapply Rle_trans; [apply (norm_cross _ _ U)|exact A].
Qed.

(* L4: the last ball holds every point of A, and every rho is what L1 asks for. *)
Theorem L4 most c0 r0 P c r : balls most c0 r0 P c r -> unit_axes P ->
  forall x p, (forall i, Rabs (x i) <= most i) -> norm (p [-] c0) <= r0 ->
  norm (place P x p [-] c) <= r /\ reaches P x p.
Proof.
  intros H U x p M B.
  induction H as [r Hr|F n P c r N H IH|u i k o P c r rho H IH Hr|u i k o P c r rho r' H IH H1 Hr];
    try (inversion_clear U as [|? ? U0 U1]; destruct (IH U1) as [I J]); simpl in *.
  - split; [lra|exact Logic.I].
  - rewrite app_distance. auto.
  - destruct (turn_ball u (k * x i + o) (place P x p) c r U0 I) as [T S].
    repeat split; [lra|lra|exact J].
  - repeat split; auto. eapply Rle_trans; [|exact Hr].
    replace (place P x p [+] (k * x i + o) [*] u [-] c)
      with (place P x p [-] c [+] (k * x i + o) [*] u) by vring.
    eapply Rle_trans; [apply norm_add|]. rewrite norm_scale, (norm_unit u U0).
    generalize (joint_size k (x i) o (most i) (M i)). lra.
Qed.
Lemma balls_positive most c0 r0 P c r : balls most c0 r0 P c r -> 0 <= r0 ->
  (forall i, 0 <= most i) -> 0 <= r /\ radii_positive P.
Proof.
  intros H R0 M.
  induction H as [r Hr|F n P c r N H IH|u i k o P c r rho H IH Hr|u i k o P c r rho r' H IH H1 Hr];
    try destruct IH as [I J].
  - split; [lra|constructor].
  - split; [exact I|now constructor].
  - assert (0 <= rho) by (generalize (norm_pos (c [-] foot u c)); lra).
    split; [auto|now constructor].
  - split; [|constructor; simpl; [lra|exact J]].
    generalize (Rmult_le_pos _ _ (Rabs_pos k) (M i)) (Rabs_pos o); lra.
Qed.

(* The sum over the joints of rho_j |k_j| d_i, i the variable of joint j: tau for tolerances d, l
   for total variations d, the bound of a speed for speeds d. *)
Fixpoint travel (P : path) (d : config) : R :=
  match P with
  | nil => 0
  | (Fixed _, _) :: P => travel P d
  | (Turns _ i k _, rho) :: P | (Slides _ i k _, rho) :: P => rho * (Rabs k * d i) + travel P d
  end.
Lemma travel_le P d e : radii_positive P -> (forall i, d i <= e i) -> travel P d <= travel P e.
Proof.
  intros H D. induction H as [|[[F|u i k o|u i k o] rho] P R H IH]; simpl in *; [lra|exact IH|..];
    apply Rplus_le_compat; auto; apply Rmult_le_compat_l; auto;
    apply Rmult_le_compat_l; auto using Rabs_pos.
Qed.
Lemma travel_pos P d : radii_positive P -> (forall i, 0 <= d i) -> 0 <= travel P d.
Proof.
  intros H D. induction H as [|[[F|u i k o|u i k o] rho] P R H IH]; simpl in *; [lra|exact IH|..];
    apply Rplus_le_le_0_compat; auto; apply Rmult_le_pos; auto;
    apply Rmult_le_pos; auto using Rabs_pos.
Qed.
Lemma travel_linear P a b d e :
  travel P (fun i => a * d i + b * e i) = a * travel P d + b * travel P e.
Proof. induction P as [|[[F|u i k o|u i k o] rho] P IH]; simpl; rewrite ?IH; ring. Qed.

(* L3(d): between two configurations no point moves further than the sum of rho_j |change of joint
   j|: the joints are changed one after the other. The rho need to hold at x only. *)
Theorem L3_moves P x y p d : unit_axes P -> radii_positive P -> reaches P x p ->
  (forall i, Rabs (x i - y i) <= d i) -> norm (place P x p [-] place P y p) <= travel P d.
Proof.
  intros U H R M. induction P as [|[[F|u i k o|u i k o] rho] P IH]; simpl in *;
    try (inversion_clear U as [|? ? U0 U1]; inversion_clear H as [|? ? R0 R1]; simpl in U0, R0).
  - rewrite sub_self, norm_zero; lra.
  - rewrite app_distance. auto.
  - destruct R as [R2 R3]. specialize (IH U1 R1 R3).
    eapply Rle_trans; [apply (norm_triangle _ (turn u (k * y i + o) (place P x p)))|].
    rewrite turn_sub, (norm_turn u _ _ U0). apply Rplus_le_compat; [|exact IH].
    eapply Rle_trans; [apply (turn_moves u _ _ _ U0)|].
    replace (k * x i + o - (k * y i + o)) with (k * (x i - y i)) by ring.
    rewrite Rabs_mult, Rmult_comm.
    apply Rmult_le_compat; auto using norm_pos; [apply Rmult_le_pos; apply Rabs_pos|].
    apply Rmult_le_compat_l; auto using Rabs_pos.
  - destruct R as [R2 R3]. specialize (IH U1 R1 R3).
    replace (place P x p [+] (k * x i + o) [*] u [-] (place P y p [+] (k * y i + o) [*] u))
      with ((k * (x i - y i)) [*] u [+] (place P x p [-] place P y p)) by vring.
    eapply Rle_trans; [apply norm_add|]. apply Rplus_le_compat; [|exact IH].
    rewrite norm_scale, Rabs_mult, (norm_unit u U0).
    assert (Rabs k * Rabs (x i - y i) <= Rabs k * d i) by (apply Rmult_le_compat_l;
      auto using Rabs_pos).
    assert (0 <= Rabs k * Rabs (x i - y i)) by (apply Rmult_le_pos; apply Rabs_pos). nra.
Qed.

(* L3(a), without integrals: W i rises by at least as much as variable i changes. The way from x s
   to x t is at most rise(t) - rise(s), so the length of every inscribed polygon is bounded. *)
Corollary L3_way P (x W : R -> config) p s t : unit_axes P -> radii_positive P ->
  reaches P (x t) p -> (forall i, Rabs (x t i - x s i) <= W t i - W s i) ->
  norm (place P (x t) p [-] place P (x s) p) <= travel P (W t) - travel P (W s).
Proof.
  intros U H R M.
  eapply Rle_trans;
    [apply (L3_moves P (x t) (x s) p (fun i => 1 * W t i + -1 * W s i) U H R)|].
  - intros i. generalize (M i). lra.
  - rewrite travel_linear. lra.
Qed.
