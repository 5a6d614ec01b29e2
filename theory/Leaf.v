(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   L2, L3 and L10 together: what one accepted leaf says. All numbers are reals; each may be rounded
   to its safe side, for everything that is asked of them is an inequality. *)
Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Vouch Require Import Vector Isometry Model Chord Path Velocity.
Open Scope R_scope.

(* The motion of the variables on an interval, in its own time [0,1], with kinks allowed. rise i
   grows by at least as much as variable i changes (what it has varied so far); force i (t - s) +
   kink i bounds what its rate changes between s and t. *)
Record motion := {
  pos : R -> config; rate : R -> config; kinks : list R;
  rise : R -> config; force : config; kink : R -> config }.

(* What L5 and L10 compute of it: bounds of rates, of what bends, of total variations. *)
Record bounded (m : motion) (speed bend variation : config) : Prop := {
  b_cont : forall i t, 0 <= t <= 1 -> continuity_pt (fun s => pos m s i) t;
  b_rate : forall i t, 0 < t < 1 -> ~ In t (kinks m) ->
    is_derive (fun s => pos m s i) t (rate m t i);
  b_speed : forall i t, 0 < t < 1 -> ~ In t (kinks m) -> Rabs (rate m t i) <= speed i;
  b_turns : forall i s t, 0 < s < t -> t < 1 -> ~ In s (kinks m) -> ~ In t (kinks m) ->
    Rabs (rate m t i - rate m s i) <= force m i * (t - s) + (kink m t i - kink m s i);
  b_kink : forall i s t, 0 < s < t -> t < 1 -> kink m t i - kink m s i <= kink m 1 i - kink m 0 i;
  b_bend : forall i, force m i / 2 + (kink m 1 i - kink m 0 i) <= bend i;
  b_rise : forall i s t, 0 <= s <= t -> t <= 1 ->
    Rabs (pos m t i - pos m s i) <= rise m t i - rise m s i;
  b_varies : forall i, rise m 1 i - rise m 0 i <= variation i }.

(* Places are continuous where the variables are. *)
Definition continuous_at (f : R -> vec) t := forall n, continuity_pt (fun s => dot n (f s)) t.
Lemma continuous_ext (f g : R -> R) t :
  (forall s, f s = g s) -> continuity_pt f t -> continuity_pt g t.
Proof.
  intros E H e P. destruct (H e P) as [d [Q K]]. exists d; split; [exact Q|].
  intros y. rewrite <- !E. apply K.
Qed.
Lemma continuous_const (k t : R) : continuity_pt (fun _ => k) t.
Proof. apply continuity_pt_const. intros x y; reflexivity. Qed.
Lemma continuous_joint (f : R -> R) t k o :
  continuity_pt f t -> continuity_pt (fun s => k * f s + o) t.
Proof.
  intros H. apply (continuity_pt_plus (fun s => k * f s)); [|apply continuous_const].
  apply (continuity_pt_mult (fun _ => k)); [apply continuous_const|exact H].
Qed.
Lemma place_continuous P (x : R -> config) p t :
  (forall i, continuity_pt (fun s => x s i) t) -> continuous_at (fun s => place P (x s) p) t.
Proof.
  intros H. induction P as [|[[F|u i k o|u i k o] rho] P IH]; simpl; intros n.
  - apply continuous_const.
  - apply continuous_ext with (fun s => dot (unlin F n) (place P (x s) p) + dot n (ct F)).
    { intros s. rewrite <- dot_lin. unfold app. vring. }
    apply (continuity_pt_plus (fun s => dot (unlin F n) (place P (x s) p)));
      [apply IH|apply continuous_const].
  - assert (Q := continuous_joint _ t k o (H i)).
    assert (Qc := continuity_pt_comp _ cos t Q (continuity_cos _)).
    assert (Qs := continuity_pt_comp _ sin t Q (continuity_sin _)). unfold comp in Qc, Qs.
    apply continuous_ext with
      (fun s => (1 - cos (k * x s i + o)) * (dot n u * dot u (place P (x s) p))
        + cos (k * x s i + o) * dot n (place P (x s) p)
        + sin (k * x s i + o) * dot (cross n u) (place P (x s) p)).
    { intros s. unfold turn. vring. }
    apply (continuity_pt_plus (fun s => _ + _)); [apply (continuity_pt_plus (fun s => _ * _))|].
    + apply (continuity_pt_mult (fun s => 1 - cos (k * x s i + o))).
      * apply (continuity_pt_minus (fun _ => 1)); [apply continuous_const|exact Qc].
      * apply (continuity_pt_mult (fun _ => dot n u)); [apply continuous_const|apply IH].
    + apply (continuity_pt_mult (fun s => cos (k * x s i + o))); [exact Qc|apply IH].
    + apply (continuity_pt_mult (fun s => sin (k * x s i + o))); [exact Qs|apply IH].
  - apply continuous_ext with
      (fun s => dot n (place P (x s) p) + (k * x s i + o) * dot n u). { intros s; vring. }
    apply (continuity_pt_plus (fun s => dot n (place P (x s) p))); [apply IH|].
    apply (continuity_pt_mult (fun s => k * x s i + o));
      [exact (continuous_joint _ t k o (H i))|apply continuous_const].
Qed.

Section OnePoint.
Variables (m : motion) (speed bend variation : config).
Hypothesis Bounded : bounded m speed bend variation.
Hypothesis speed_pos : forall i, 0 <= speed i.

(* A variable changes by at most its speed times the time. *)
Lemma variable_changes i s t :
  0 < s < t -> t < 1 -> Rabs (pos m t i - pos m s i) <= (t - s) * speed i.
Proof.
  intros P Q.
  assert (C : forall c, s <= c <= t -> continuity_pt (fun s => pos m s i) c)
    by (intros c C; apply (b_cont _ _ _ _ Bounded); lra).
  assert (D : forall c, s < c < t -> ~ In c (kinks m) -> is_derive (fun s => pos m s i) c
    (rate m c i))
    by (intros c C1; apply (b_rate _ _ _ _ Bounded); lra).
  apply Rabs_le. split.
  - destruct (slope_below (fun s => pos m s i) (fun s => rate m s i)
    (kinks m) s t) as [c [H [Nc E]]];
      auto; [lra|].
    assert (V := b_speed _ _ _ _ Bounded i c). apply Rabs_le_between in V; [nra|lra|exact Nc].
  - destruct (slope_above (fun s => pos m s i) (fun s => rate m s i)
    (kinks m) s t) as [c [H [Nc E]]];
      auto; [lra|].
    assert (V := b_speed _ _ _ _ Bounded i c). apply Rabs_le_between in V; [nra|lra|exact Nc].
Qed.

Variables (P : path) (p : vec).
Hypothesis Units : unit_axes P.
Hypothesis Radii : radii_positive P.
Hypothesis Reaches : forall t, 0 <= t <= 1 -> reaches P (pos m t) p.

(* L2, L10: along a direction of length at most N a point stays near its chord. *)
Theorem L2_L10 n N : norm n <= N -> forall t, 0 <= t <= 1 ->
  (1 - t) * dot n (place P (pos m 0) p) + t * dot n (place P (pos m 1) p)
    - t * (1 - t) * (N * bend_sum P speed bend) <= dot n (place P (pos m t) p).
Proof.
  intros Hn t T. assert (N0 : 0 <= N) by (generalize (norm_pos n); lra).
  set (w := fun i => kink m 1 i - kink m 0 i).
  set (a := N * (2 * swing P speed + travel P (force m))).
  assert (L : a / 2 + N * travel P w <= N * bend_sum P speed bend).
  { rewrite bend_sum_parts.
    assert (travel P (fun i => / 2 * force m i + 1 * w i) <= travel P bend).
    { apply travel_le; auto. intros i. generalize (b_bend _ _ _ _ Bounded i). unfold w. lra. }
    rewrite travel_linear in H. unfold a.
    assert (N * (/ 2 * travel P (force m) + 1 * travel P w) <= N * travel P bend)
      by (now apply Rmult_le_compat_l). lra. }
  assert (K := chord (fun t => dot n (place P (pos m t) p))
    (fun t => dot n (velocity P (pos m t) (rate m t) p)) (kinks m) a (N * travel P w)).
  assert (M : t * (1 - t) * (a / 2 + N * travel P w) <= t * (1 - t) * (N * bend_sum P speed bend)).
  { apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|exact L]. }
  refine (Rle_trans _ _ _ _ (K _ _ _ t T)); [lra|..].
  - intros c C. apply (place_continuous P (pos m)). intros i. now apply (b_cont _ _ _ _ Bounded).
  - intros c C Nc. apply (place_velocity P (pos m) (rate m)); auto.
    intros i. now apply (b_rate _ _ _ _ Bounded).
  - intros s e S E Ns Ne.
    replace (dot n (velocity P (pos m e) (rate m e) p) - dot n (velocity P (pos m s) (rate m s) p))
      with (dot n (velocity P (pos m e) (rate m e) p [-] velocity P (pos m s) (rate m s) p))
        by vring.
    assert (C := L10_change P (pos m s) (pos m e) (rate m s) (rate m e) p speed
      (fun i => (e - s) * force m i + 1 * w i) (e - s)).
    rewrite travel_linear in C.
    apply Rle_trans with
      (N * ((e - s) * (2 * swing P speed) + ((e - s) * travel P (force m) + 1 * travel P w))).
    2:{ unfold a. lra. }
    apply dot_bound; [exact Hn|]. apply C; auto; try lra.
    + apply Reaches; lra.
    + apply Reaches; lra.
    + intros i. apply (b_speed _ _ _ _ Bounded); auto; lra.
    + intros i. apply (b_speed _ _ _ _ Bounded); auto; lra.
    + intros i. now apply variable_changes.
    + intros i. generalize (b_turns _ _ _ _ Bounded i s e S E Ns Ne)
      (b_kink _ _ _ _ Bounded i s e S E).
      unfold w. lra.
Qed.

(* L3(a): the way until t, and the way after it; neither depends on the point. *)
Definition way_until t := travel P (rise m t) - travel P (rise m 0).
Definition way_after t := travel P (rise m 1) - travel P (rise m t).
Theorem L3_travel t : 0 <= t <= 1 ->
  norm (place P (pos m t) p [-] place P (pos m 0) p) <= way_until t /\
  norm (place P (pos m 1) p [-] place P (pos m t) p) <= way_after t.
Proof.
  intros T. split; apply L3_way; auto; try (apply Reaches; lra);
    intros i; apply (b_rise _ _ _ _ Bounded); lra.
Qed.
End OnePoint.
Lemma ways_together m speed bend variation P t : bounded m speed bend variation ->
  radii_positive P -> way_until m P t + way_after m P t <= travel P variation.
Proof.
  intros B H. unfold way_until, way_after.
  assert (travel P (fun i => 1 * rise m 1 i + -1 * rise m 0 i) <= travel P variation).
  { apply travel_le; auto. intros i. generalize (b_varies _ _ _ _ B i). lra. }
  rewrite travel_linear in H0. lra.
Qed.

(* A leaf: its direction at each end (one and the same for L, two for D), and what the gaps along
   them are, when what is owed there (margin, growth; times N) has been taken off. *)
Record leaf := { dir_a : vec; dir_b : vec; gap_a : R; gap_b : R; excess : R }.

(* The gap at one end: `owed` and the tolerances have been taken off. *)
Definition gap_holds N (P : path) tol n x gap owed (A B : vec -> Prop) :=
  forall p y, A p -> B y -> gap + owed + N * travel P tol <= dot n y - dot n (place P x p).

(* The test. `growth` is what is owed more, in all, where the way is counted: 0 for a margin. *)
Definition leaf_holds N (P : path) (speed bend variation : config) growth (f : leaf) : Prop :=
  0 < gap_a f /\ 0 < gap_b f /\
  (N * travel P variation + growth < gap_a f + gap_b f \/
   (dir_a f = dir_b f /\ N * bend_sum P speed bend - (gap_a f + gap_b f) <= excess f /\
     (excess f <= 0 \/ excess f * excess f < 4 * (gap_a f * gap_b f)))).

(* What may be owed in between, when oa and ob were charged at the ends: no more than the chord of
   these, and not much more than both where the way is counted. *)
Definition charged (owed : R -> R) oa ob growth := forall t, 0 <= t <= 1 ->
  owed t <= (1 - t) * oa + t * ob /\ (owed t - oa) + (owed t - ob) <= growth.
Lemma charged_constant o : charged (fun _ => o) o o 0.
Proof. intros t T. split; lra. Qed.

(* L2, L3(b), (c), (d), L10: at each time of the interval one of the leaf's directions shows, for
   all deviations together, that all points of A are apart from all points of B by more than what
   is owed. A is any set in the ball of the radii; B any set at rest in its frame. *)
Theorem leaf_sound N P most c0 r0 c r speed bend variation tol m f owed oa ob growth
    (A B : vec -> Prop) :
  0 <= r0 -> bounded m speed bend variation -> (forall i, 0 <= speed i) -> (forall i, 0 <= tol i) ->
  (forall i t, 0 <= t <= 1 -> Rabs (pos m t i) + tol i <= most i) ->
  unit_axes P -> balls most c0 r0 P c r -> (forall p, A p -> norm (p [-] c0) <= r0) ->
  norm (dir_a f) <= N -> norm (dir_b f) <= N -> charged owed oa ob growth ->
  gap_holds N P tol (dir_a f) (pos m 0) (gap_a f) oa A B ->
  gap_holds N P tol (dir_b f) (pos m 1) (gap_b f) ob A B ->
  leaf_holds N P speed bend variation growth f ->
  forall t, 0 <= t <= 1 -> exists n e, (n = dir_a f \/ n = dir_b f) /\ 0 < e /\
  forall x, (forall i, Rabs (x i - pos m t i) <= tol i) ->
  forall p y, A p -> B y -> owed t + e <= dot n y - dot n (place P x p).
Proof.
  intros Rad0 Bm S0 T0 Most U Rad InA Na Nb Ch Ga Gb [Pa [Pb Test]] t T.
  destruct (Ch t T) as [Oc Ot].
  assert (N0 : 0 <= N) by (generalize (norm_pos (dir_a f)); lra).
  assert (MostPos : forall i, 0 <= most i).
  { intros i. generalize (Most i t T) (Rabs_pos (pos m t i)) (T0 i). lra. }
  destruct (balls_positive _ _ _ _ _ _ Rad Rad0 MostPos) as [_ RP].
  set (tau := travel P tol) in *.
  assert (Reach : forall x s p, 0 <= s <= 1 -> (forall i, Rabs (x i - pos m s i) <= tol i) ->
    A p -> reaches P x p).
  { intros x s p S D Ap. apply (L4 most c0 r0 P c r Rad U x p); [|now apply InA]. intros i.
    apply Rle_trans with (Rabs (pos m s i) + tol i); [|now apply Most].
    replace (x i) with (pos m s i + (x i - pos m s i)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. generalize (D i). lra. }
  assert (Nominal : forall p, A p -> forall s, 0 <= s <= 1 -> reaches P (pos m s) p).
  { intros p Ap s S. apply (Reach (pos m s) s p S); [|exact Ap]. intros i.
    rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. auto. }
  (* deviations take at most N tau: L3(d) *)
  assert (Dev : forall n e, norm n <= N -> (forall p y, A p -> B y ->
      owed t + e + N * tau <= dot n y - dot n (place P (pos m t) p)) ->
    forall x, (forall i, Rabs (x i - pos m t i) <= tol i) ->
    forall p y, A p -> B y -> owed t + e <= dot n y - dot n (place P x p)).
  { intros n e Hn H x D p y Ap By.
    assert (M : norm (place P x p [-] place P (pos m t) p) <= tau)
      by (apply L3_moves; auto; now apply (Reach x t)).
    destruct (dot_bound n _ N tau Hn M) as [K _].
    replace (dot n (place P x p [-] place P (pos m t) p))
      with (dot n (place P x p) - dot n (place P (pos m t) p)) in K by vring.
    generalize (H p y Ap By). lra. }
  destruct Test as [Tr|[Same [Ex Te]]].
  - (* the way: of the two directions, the one that keeps more *)
    assert (L := ways_together m speed bend variation P t Bm RP).
    set (l1 := way_until m P t) in *. set (l2 := way_after m P t) in *.
    assert (Moved : forall p, A p ->
      norm (place P (pos m t) p [-] place P (pos m 0) p) <= l1 /\
      norm (place P (pos m 1) p [-] place P (pos m t) p) <= l2).
    { intros p Ap. apply (L3_travel m speed bend variation Bm P p U RP (Nominal p Ap) t T). }
    assert (NL : N * (l1 + l2) <= N * travel P variation) by (now apply Rmult_le_compat_l).
    set (ea := gap_a f + oa - N * l1 - owed t). set (eb := gap_b f + ob - N * l2 - owed t).
    assert (Sum : 0 < ea + eb) by (unfold ea, eb; lra).
    destruct (Rlt_dec 0 ea) as [La|La].
    + exists (dir_a f), ea. split; [now left|split; [exact La|]]. apply Dev; [exact Na|].
      intros p y Ap By. destruct (Moved p Ap) as [M _].
      destruct (dot_bound (dir_a f) _ N l1 Na M) as [K _].
      replace (dot (dir_a f) (place P (pos m t) p [-] place P (pos m 0) p))
        with (dot (dir_a f) (place P (pos m t) p) - dot (dir_a f) (place P (pos m 0) p)) in K
          by vring.
      generalize (Ga p y Ap By). fold tau. unfold ea. lra.
    + exists (dir_b f), eb. split; [now right|split; [lra|]]. apply Dev; [exact Nb|].
      intros p y Ap By. destruct (Moved p Ap) as [_ M].
      destruct (dot_bound (dir_b f) _ N l2 Nb M) as [_ K].
      replace (dot (dir_b f) (place P (pos m 1) p [-] place P (pos m t) p))
        with (dot (dir_b f) (place P (pos m 1) p) - dot (dir_b f) (place P (pos m t) p)) in K
          by vring.
      generalize (Gb p y Ap By). fold tau. unfold eb. lra.
  - (* the chord *)
    set (C := N * bend_sum P speed bend) in *. set (ga := gap_a f) in *. set (gb := gap_b f) in *.
    assert (Phi : 0 < between ga gb C t).
    { apply chord_test; auto. destruct (Rle_dec C (ga + gb)) as [l|l]; [now left|right].
      destruct Te as [Te|Te]; [lra|]. apply Rle_lt_trans with (2 := Te).
      apply Rmult_le_compat; lra. }
    exists (dir_a f), (between ga gb C t). split; [now left|split; [exact Phi|]].
    apply Dev; [exact Na|]. intros p y Ap By.
    assert (No : norm (-1 [*] dir_a f) <= N) by (rewrite norm_scale, (Rabs_left (-1)) by lra; lra).
    assert (K := L2_L10 m speed bend variation Bm S0 P p U RP (Nominal p Ap) _ N No t T).
    fold C in K.
    assert (E : forall z, dot (-1 [*] dir_a f) z = - dot (dir_a f) z) by vring. rewrite !E in K.
    assert (Ga' := Ga p y Ap By). assert (Gb' := Gb p y Ap By).
    rewrite <- Same in Gb'. fold tau ga in Ga'. fold tau gb in Gb'.
    assert (K1 := Rmult_le_compat_l (1 - t) _ _ ltac:(lra) Ga').
    assert (K2 := Rmult_le_compat_l t _ _ ltac:(lra) Gb').
    unfold between. lra.
Qed.
