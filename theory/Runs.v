(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   L5 and L10 for runs of segments: what is added up over the segments bounds the whole run. *)
Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From Vouch Require Import Model Path Bernstein Leaf.
Open Scope R_scope.

(* One variable on an interval: its value, its rate, its knots; what it has varied so far, and
   what its rate has changed so far, but for `force` per unit of time. *)
Record curve := {
  value : R -> R; slope : R -> R; knots : list R; varied : R -> R; bent : R -> R }.
Record curve_bounded (c : curve) (a b speed force : R) : Prop := {
  c_cont : forall t, continuity_pt (value c) t;
  c_slope : forall t, ~ In t (knots c) -> is_derive (value c) t (slope c t);
  c_speed : forall t, a <= t <= b -> Rabs (slope c t) <= speed;
  c_varied : forall s t, a <= s <= t -> t <= b ->
    Rabs (value c t - value c s) <= varied c t - varied c s;
  c_bent : forall s t, a <= s <= t -> t <= b ->
    Rabs (slope c t - slope c s) <= force * (t - s) + (bent c t - bent c s);
  c_rises : forall s t, a <= s <= t -> t <= b -> 0 <= bent c t - bent c s }.

(* Two curves, one until k, one after it; the kink at k is added to what has bent. *)
Definition join (k : R) (f g : R -> R) t := if Rle_dec t k then f t else g t.
Definition glue k (l r : curve) := {|
  value := join k (value l) (value r);
  slope := join k (slope l) (slope r);
  knots := k :: knots l ++ knots r;
  varied := join k (varied l) (fun t => varied r t - varied r k + varied l k);
  bent := join k (bent l)
    (fun t => bent r t - bent r k + (bent l k + Rabs (slope r k - slope l k))) |}.

Lemma join_before k f g t : t <= k -> join k f g t = f t.
Proof. unfold join. destruct (Rle_dec t k); lra. Qed.
Lemma join_after k f g t : k < t -> join k f g t = g t.
Proof. unfold join. destruct (Rle_dec t k); lra. Qed.
Lemma join_continuous k f g : f k = g k -> (forall t, continuity_pt f t) ->
  (forall t, continuity_pt g t) -> forall t, continuity_pt (join k f g) t.
Proof.
  intros E F G t e He. destruct (F t e He) as [d1 [D1 H1]]. destruct (G t e He) as [d2 [D2 H2]].
  assert (C : exists d, d > 0 /\ d <= d1 /\ d <= d2 /\ (t <> k -> d <= Rabs (t - k))).
  { destruct (Req_dec t k) as [e'|n].
    - exists (Rmin d1 d2). split; [now apply Rmin_pos|]. split; [apply Rmin_l|].
      split; [apply Rmin_r|]. now intros.
    - exists (Rmin (Rmin d1 d2) (Rabs (t - k))).
      split; [apply Rmin_pos; [now apply Rmin_pos|apply Rabs_pos_lt; lra]|].
      generalize (Rmin_l (Rmin d1 d2) (Rabs (t - k))) (Rmin_r (Rmin d1 d2) (Rabs (t - k)))
        (Rmin_l d1 d2) (Rmin_r d1 d2). intros; repeat split; lra. }
  destruct C as [d [D [L1 [L2 L3]]]]. exists d; split; [exact D|]. intros s [S P].
  simpl in *. unfold R_dist in *. specialize (H1 s). specialize (H2 s).
  assert (A1 : Rabs (f s - f t) < e) by (apply H1; split; [exact S|lra]).
  assert (A2 : Rabs (g s - g t) < e) by (apply H2; split; [exact S|lra]).
  unfold join. destruct (Rle_dec s k) as [a|a], (Rle_dec t k) as [b|b]; auto.
  - (* s before, t after: one of them is k, for they are near *)
    destruct (Req_dec s k) as [->|n]; [now rewrite E|]. exfalso.
    assert (t <> k) by lra. specialize (L3 H). rewrite Rabs_left in P by lra.
    rewrite Rabs_right in L3; lra.
  - destruct (Req_dec t k) as [->|n]; [now rewrite E|]. exfalso. specialize (L3 n).
    rewrite Rabs_right in P by lra. rewrite Rabs_left in L3; lra.
Qed.
Lemma join_derive k f g t d : t <> k -> (t < k -> is_derive f t d) -> (k < t -> is_derive g t d) ->
  is_derive (join k f g) t d.
Proof.
  intros N F G. destruct (Rlt_dec t k) as [l|l].
  - apply is_derive_ext_loc with f; [|auto]. assert (P : 0 < k - t) by lra.
    exists (mkposreal _ P). intros s S. rewrite join_before; [reflexivity|].
    apply Rabs_lt_between in S. simpl in S. unfold minus, plus, opp in S; simpl in S. lra.
  - apply is_derive_ext_loc with g; [|apply G; lra]. assert (P : 0 < t - k) by lra.
    exists (mkposreal _ P). intros s S. rewrite join_after; [reflexivity|].
    apply Rabs_lt_between in S. simpl in S. unfold minus, plus, opp in S; simpl in S. lra.
Qed.

(* L10: two bounded curves that meet make one. *)
Theorem glue_bounded k l r a b speed force : a <= k <= b -> value l k = value r k ->
  curve_bounded l a k speed force -> curve_bounded r k b speed force ->
  curve_bounded (glue k l r) a b speed force.
Proof.
  intros K E L H. constructor; simpl.
  - apply join_continuous; [exact E|apply (c_cont _ _ _ _ _ L)|apply (c_cont _ _ _ _ _ H)].
  - intros t N. assert (t <> k) by (intros ->; tauto).
    apply join_derive; [assumption|intros H1; rewrite join_before by lra;
      apply (c_slope _ _ _ _ _ L)|intros H1; rewrite join_after by lra;
      apply (c_slope _ _ _ _ _ H)]; intros I; apply N; right; apply in_or_app; tauto.
  - intros t T. destruct (Rle_dec t k).
    + rewrite join_before by lra. apply (c_speed _ _ _ _ _ L); lra.
    + rewrite join_after by lra. apply (c_speed _ _ _ _ _ H); lra.
  - intros s t S T. destruct (Rle_dec t k); [|destruct (Rle_dec s k)].
    + rewrite !join_before by lra. apply (c_varied _ _ _ _ _ L); lra.
    + rewrite !(join_after _ _ _ t), !(join_before _ _ _ s) by lra.
      generalize (c_varied _ _ _ _ _ L s k ltac:(lra) ltac:(lra))
        (c_varied _ _ _ _ _ H k t ltac:(lra) ltac:(lra)).
      replace (value r t - value l s)
        with ((value r t - value r k) + (value l k - value l s)) by lra.
      generalize (Rabs_triang (value r t - value r k) (value l k - value l s)). lra.
    + rewrite !join_after by lra.
      generalize (c_varied _ _ _ _ _ H s t ltac:(lra) ltac:(lra)). lra.
  - intros s t S T. destruct (Rle_dec t k); [|destruct (Rle_dec s k)].
    + rewrite !join_before by lra. apply (c_bent _ _ _ _ _ L); lra.
    + rewrite !(join_after _ _ _ t), !(join_before _ _ _ s) by lra.
      generalize (c_bent _ _ _ _ _ L s k ltac:(lra) ltac:(lra))
        (c_bent _ _ _ _ _ H k t ltac:(lra) ltac:(lra)).
      replace (slope r t - slope l s) with
        ((slope r t - slope r k) + (slope r k - slope l k) + (slope l k - slope l s)) by ring.
      generalize
        (Rabs_triang (slope r t - slope r k + (slope r k - slope l k)) (slope l k - slope l s))
        (Rabs_triang (slope r t - slope r k) (slope r k - slope l k)). lra.
    + rewrite !join_after by lra.
      generalize (c_bent _ _ _ _ _ H s t ltac:(lra) ltac:(lra)). lra.
  - intros s t S T. destruct (Rle_dec t k); [|destruct (Rle_dec s k)].
    + rewrite !join_before by lra. apply (c_rises _ _ _ _ _ L); lra.
    + rewrite !(join_after _ _ _ t), !(join_before _ _ _ s) by lra.
      generalize (c_rises _ _ _ _ _ L s k ltac:(lra) ltac:(lra))
        (c_rises _ _ _ _ _ H k t ltac:(lra) ltac:(lra)) (Rabs_pos (slope r k - slope l k)). lra.
    + rewrite !join_after by lra.
      generalize (c_rises _ _ _ _ _ H s t ltac:(lra) ltac:(lra)). lra.
Qed.

(* A segment, or a part of one, in the interval's time: `from` and `to`; its Bernstein
   coefficients are those in its own time. *)
Record piece := { from : R; to : R; deg : nat; coef : nat -> R }.
Definition pace p := / (to p - from p).
Definition own p t := (t - from p) * pace p.
(* The coefficients of its rate, per unit of the interval's time. *)
Definition rate_coef p k := INR (deg p) * pace p * delta (coef p) k.

(* whole: what bends is the integral of |q''|; else `force` bounds |q''|. *)
Definition poly (whole : bool) p := {|
  value := fun t => bern (deg p) (coef p) (own p t);
  slope := fun t => bern (deg p - 1) (rate_coef p) (own p t);
  knots := nil;
  varied := fun t => bern (deg p) (total (coef p)) (own p t);
  bent := fun t => if whole then bern (deg p - 1) (total (rate_coef p)) (own p t) else 0 |}.

Lemma own_derive p t : is_derive (own p) t (pace p).
Proof. unfold own. auto_derive; auto; ring. Qed.
Lemma own_unit p t : from p < to p -> from p <= t <= to p -> 0 <= own p t <= 1.
Proof.
  intros H T. unfold own, pace. assert (0 < / (to p - from p)) by (apply Rinv_0_lt_compat; lra).
  split.
  - apply Rmult_le_pos; lra.
  - apply Rmult_le_reg_r with (to p - from p); [lra|]. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma own_rises p s t : from p < to p -> s <= t -> own p s <= own p t.
Proof.
  intros H T. unfold own, pace.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|lra].
Qed.
Lemma own_from p : own p (from p) = 0.
Proof. unfold own. ring. Qed.
Lemma own_to p : from p < to p -> own p (to p) = 1.
Proof. intros. unfold own, pace. apply Rinv_r. lra. Qed.
Lemma rate_bern p e t :
  bern e (rate_coef p) t = INR (deg p) * pace p * bern e (delta (coef p)) t.
Proof.
  unfold bern. rewrite <- (Rplus_0_r (_ * _ * _)).
  rewrite <- (Rmult_0_l (blossom (repeat t e) (coef p) 0)), <- blossom_linear.
  apply blossom_same. intros k _. unfold rate_coef. ring.
Qed.

(* L5, one segment: what its coefficients say bounds it. *)
Theorem poly_bounded whole p speed half : from p < to p -> (1 <= deg p)%nat -> 0 <= half ->
  (forall k, (k < deg p)%nat -> Rabs (rate_coef p k) <= speed) ->
  (whole = false -> forall k, (S k < deg p)%nat ->
    / 2 * INR (deg p - 1) * Rabs (delta (rate_coef p) k) * pace p <= half) ->
  curve_bounded (poly whole p) (from p) (to p) speed (if whole then 0 else 2 * half).
Proof.
  intros H Dg H0 Sp Hf. assert (Pace : 0 < pace p) by (apply Rinv_0_lt_compat; lra).
  assert (Ds : forall d b t, is_derive (fun s => bern d b (own p s)) t
    (pace p * (INR d * bern (d - 1) (delta b) (own p t)))).
  { intros d b t.
    apply (is_derive_comp (bern d b) (own p)); [apply L5_derivative|apply own_derive]. }
  constructor; simpl.
  - intros t. apply continuity_pt_filterlim,
      (ex_derive_continuous (fun s => bern (deg p) (coef p) (own p s))). eexists; apply Ds.
  - intros t _. rewrite rate_bern.
    replace (INR (deg p) * pace p * bern (deg p - 1) (delta (coef p)) (own p t))
      with (pace p * (INR (deg p) * bern (deg p - 1) (delta (coef p)) (own p t))) by ring.
    apply Ds.
  - intros t T. apply Rabs_le. apply L5_range; [now apply own_unit|].
    intros k K. apply Rabs_le_between, Sp. lia.
  - intros s t S T. apply L5_varies.
    + destruct (own_unit p s H); [lra|]. split; [assumption|]. now apply own_rises.
    + apply own_unit; auto; lra.
  - intros s t S T. destruct (own_unit p s H) as [S0 _]; [lra|].
    destruct (own_unit p t H) as [_ T1]; [lra|]. assert (O := own_rises p s t H (proj2 S)).
    destruct whole.
    + rewrite Rmult_0_l, Rplus_0_l. apply L5_varies; lra.
    + specialize (Hf eq_refl). set (m := 2 * half / (INR (deg p - 1) * pace p)).
      destruct (Nat.eq_dec (deg p) 1) as [e1|n1].
      { unfold bern. rewrite e1. simpl. rewrite !Rminus_diag_eq, Rabs_R0 by reflexivity.
        assert (0 <= 2 * half * (t - s)) by (apply Rmult_le_pos; lra). lra. }
      assert (I0 : 0 < INR (deg p - 1)) by (apply lt_0_INR; lia).
      assert (Q : 0 < INR (deg p - 1) * pace p) by (now apply Rmult_lt_0_compat).
      rewrite Rminus_0_r, Rplus_0_r.
      eapply Rle_trans; [apply (bern_changes _ _ m); auto; try lra|].
      * unfold m. apply Rle_mult_inv_pos; lra.
      * intros k K. unfold m. apply Rmult_le_reg_r with (INR (deg p - 1) * pace p); [exact Q|].
        unfold Rdiv. rewrite (Rmult_assoc (2 * half)), Rinv_l, Rmult_1_r by lra.
        generalize (Hf k ltac:(lia)). lra.
      * unfold m, own. right. field. split; lra.
  - intros s t S T. destruct whole; [|lra].
    destruct (own_unit p s H) as [S0 _]; [lra|]. destruct (own_unit p t H) as [_ T1]; [lra|].
    assert (O := own_rises p s t H (proj2 S)).
    generalize (L5_varies (deg p - 1) (rate_coef p) (own p s) (own p t) (conj S0 O) T1)
      (Rabs_pos (bern (deg p - 1) (rate_coef p) (own p t)
        - bern (deg p - 1) (rate_coef p) (own p s))). lra.
Qed.

(* A run: segments that follow each other, without a start inside; and what is added up. *)
Fixpoint run whole p ps :=
  match ps with
  | nil => poly whole p
  | q :: qs => glue (to p) (poly whole p) (run whole q qs)
  end.
Fixpoint linked p ps := from p < to p /\ (1 <= deg p)%nat /\
  match ps with
  | nil => True
  | q :: qs => from q = to p /\ coef q 0%nat = coef p (deg p) /\ linked q qs
  end.
Fixpoint stop p ps := match ps with nil => to p | q :: qs => stop q qs end.
Fixpoint variation_sum p ps :=
  total (coef p) (deg p) + match ps with nil => 0 | q :: qs => variation_sum q qs end.
Fixpoint integral_sum p ps :=
  total (rate_coef p) (deg p - 1) + match ps with nil => 0 | q :: qs => integral_sum q qs end.
Fixpoint kink_sum p ps :=
  match ps with
  | nil => 0
  | q :: qs => Rabs (rate_coef q 0 - rate_coef p (deg p - 1)) + kink_sum q qs
  end.
Fixpoint each (Q : piece -> Prop) p ps :=
  Q p /\ match ps with nil => True | q :: qs => each Q q qs end.

Lemma linked_first p ps : linked p ps -> from p < to p.
Proof. destruct ps; simpl; tauto. Qed.
Lemma linked_degree p ps : linked p ps -> (1 <= deg p)%nat.
Proof. destruct ps; simpl; tauto. Qed.
Lemma each_first Q p ps : each Q p ps -> Q p.
Proof. destruct ps; simpl; tauto. Qed.
Lemma run_first whole p ps : from p < to p ->
  value (run whole p ps) (from p) = coef p 0%nat /\
  slope (run whole p ps) (from p) = rate_coef p 0 /\
  varied (run whole p ps) (from p) = 0 /\ bent (run whole p ps) (from p) = 0.
Proof.
  intros H. destruct ps; simpl; rewrite ?join_before by lra; rewrite own_from, !bern_0; simpl;
    destruct whole; rewrite ?bern_0; auto.
Qed.
Lemma stop_after p ps : linked p ps -> from p < stop p ps.
Proof.
  revert p; induction ps as [|q qs IH]; intros p; simpl; [tauto|]. intros [H [_ [E [_ L]]]].
  specialize (IH q L). lra.
Qed.

(* L5, L10: a run is bounded by the largest rate, by the larger of the second derivatives or by
   the sum of their integrals, and by the sum of its kinks. *)
Theorem run_bounded whole p ps speed half : linked p ps -> 0 <= half ->
  each (fun p => forall k, (k < deg p)%nat -> Rabs (rate_coef p k) <= speed) p ps ->
  (whole = false -> each (fun p => forall k, (S k < deg p)%nat ->
     / 2 * INR (deg p - 1) * Rabs (delta (rate_coef p) k) * pace p <= half) p ps) ->
  curve_bounded (run whole p ps) (from p) (stop p ps) speed (if whole then 0 else 2 * half) /\
  varied (run whole p ps) (stop p ps) = variation_sum p ps /\
  bent (run whole p ps) (stop p ps) = (if whole then integral_sum p ps else 0) + kink_sum p ps.
Proof.
  intros L H0. revert p L; induction ps as [|q qs IH]; intros p L Sp Hf.
  - destruct L as [L1 [L2 _]]. destruct Sp as [Sp _]. simpl. rewrite (own_to p L1), !bern_1.
    split; [|split].
    + apply poly_bounded; auto. intros W. apply (Hf W).
    + ring.
    + destruct whole; rewrite ?bern_1; ring.
  - destruct L as [L1 [L2 [E [C L]]]]. destruct Sp as [Sp1 Sp2].
    destruct (IH q L Sp2 (fun W => proj2 (Hf W))) as [I [J K]]. clear IH.
    destruct (run_first whole q qs (linked_first q qs L)) as [F1 [F2 [F3 F4]]].
    rewrite E in F1, F2, F3, F4, I. assert (A := stop_after q qs L). rewrite E in A.
    cbn [run stop]. split; [|split].
    + apply glue_bounded.
      * split; lra.
      * rewrite F1. cbn [value poly]. now rewrite (own_to p L1), bern_1.
      * apply poly_bounded; auto. intros W. apply (Hf W).
      * exact I.
    + cbn [varied glue variation_sum]. rewrite join_after by lra. rewrite J, F3.
      cbn [varied poly]. rewrite (own_to p L1), bern_1. ring.
    + cbn [bent glue integral_sum kink_sum]. rewrite join_after by lra. rewrite K, F4, F2.
      cbn [bent slope poly]. rewrite (own_to p L1), !bern_1. destruct whole; ring.
Qed.

(* Where a run is at a time of one of its pieces, and at its end. *)
Lemma run_value w : forall ps p q t, linked p ps -> In q (p :: ps) -> from q <= t <= to q ->
  value (run w p ps) t = bern (deg q) (coef q) (own q t).
Proof.
  induction ps as [|r rs IH]; intros p q t L [<-|I] T; simpl.
  - reflexivity.
  - destruct I.
  - rewrite join_before by lra. reflexivity.
  - destruct L as [L1 [L2 [E [C L]]]].
    assert (G : forall qs a c, linked a qs -> In c (a :: qs) -> from a <= from c).
    { clear. induction qs as [|r qs IH]; intros a c L [<-|I]; try lra; [destruct I|].
      destruct L as [L1 [L2 [E [_ L]]]]. generalize (IH r c L I). lra. }
    assert (G1 := G rs r q L I). destruct (Req_dec t (to p)) as [e|n].
    + rewrite join_before by lra. rewrite <- (IH r q t L I T), e, (own_to p L1), bern_1, <- C.
      rewrite <- E. symmetry. now apply run_first, (linked_first r rs).
    + rewrite join_after by lra. now apply IH.
Qed.
Lemma run_last w : forall ps p, linked p ps ->
  value (run w p ps) (stop p ps) = coef (last (p :: ps) p) (deg (last (p :: ps) p)).
Proof.
  induction ps as [|q qs IH]; intros p L.
  - simpl. destruct L as [L _]. now rewrite (own_to p L), bern_1.
  - destruct L as [L1 [L2 [E [C L]]]]. assert (A := stop_after q qs L).
    cbn [run stop value glue]. rewrite join_after by lra. rewrite (IH q L).
    assert (G : forall (l : list piece) a d e, last (a :: l) d = last (a :: l) e).
    { induction l as [|z l I]; intros a d e; [reflexivity|].
      change (last (z :: l) d = last (z :: l) e). apply I. }
    change (last (p :: q :: qs) p) with (last (q :: qs) p). now rewrite (G qs q p q).
Qed.
Lemma run_range w M : forall ps p t, linked p ps -> from p <= t <= stop p ps ->
  each (fun p => forall k, (k <= deg p)%nat -> Rabs (coef p k) <= M) p ps ->
  Rabs (value (run w p ps) t) <= M.
Proof.
  assert (One : forall p t, from p < to p -> from p <= t <= to p ->
    (forall k, (k <= deg p)%nat -> Rabs (coef p k) <= M) ->
    Rabs (bern (deg p) (coef p) (own p t)) <= M).
  { intros p t L T H. apply Rabs_le. apply L5_range; [now apply own_unit|].
    intros k K. now apply Rabs_le_between, H. }
  induction ps as [|q qs IH]; intros p t L T E; simpl.
  - apply One; [apply L|exact T|apply E].
  - destruct L as [L1 [L2 [K [C L]]]]. destruct E as [E1 E2]. destruct (Rle_dec t (to p)).
    + rewrite join_before by lra. apply One; auto; lra.
    + rewrite join_after by lra. apply IH; auto. simpl in T. lra.
Qed.
Lemma run_continuous w : forall ps p, linked p ps -> forall t, continuity_pt (value (run w p ps)) t.
Proof.
  assert (One : forall p t, continuity_pt (value (poly w p)) t).
  { intros p t. simpl. apply (continuity_pt_comp (own p) (bern (deg p) (coef p)));
      [|apply bern_continuous]. apply continuity_pt_filterlim, (ex_derive_continuous (own p)).
    eexists. apply own_derive. }
  induction ps as [|q qs IH]; intros p L t; [apply One|]. destruct L as [L1 [L2 [E [C L]]]].
  apply (join_continuous (to p) (value (poly w p)) (value (run w q qs))); [|apply One|now apply IH].
  rewrite <- E at 2. destruct (run_first w q qs (linked_first q qs L)) as [-> _].
  simpl. now rewrite (own_to p L1), bern_1, C.
Qed.

(* All variables together: what Leaf.v asks of a motion. *)
Definition of_curves (c : nat -> curve) (l : list R) (force : config) : motion := {|
  pos := fun t i => value (c i) t; rate := fun t i => slope (c i) t; kinks := l;
  rise := fun t i => varied (c i) t; Leaf.force := force; kink := fun t i => bent (c i) t |}.
Theorem curves_bounded c l speed force bend variation :
  (forall i, curve_bounded (c i) 0 1 (speed i) (force i)) -> (forall i, incl (knots (c i)) l) ->
  (forall i, varied (c i) 1 - varied (c i) 0 <= variation i) ->
  (forall i, force i / 2 + (bent (c i) 1 - bent (c i) 0) <= bend i) ->
  bounded (of_curves c l force) speed bend variation.
Proof.
  intros S L V B. constructor; simpl; auto.
  - intros i t _. apply (c_cont _ _ _ _ _ (S i)).
  - intros i t _ N. apply (c_slope _ _ _ _ _ (S i)). intros I. apply N, (L i), I.
  - intros i t T _. apply (c_speed _ _ _ _ _ (S i)); lra.
  - intros i s t P Q _ _. apply (c_bent _ _ _ _ _ (S i)); lra.
  - intros i s t P Q. generalize (c_rises _ _ _ _ _ (S i) 0 s ltac:(lra) ltac:(lra))
      (c_rises _ _ _ _ _ (S i) t 1 ltac:(lra) ltac:(lra)). lra.
  - intros i s t P Q. apply (c_varied _ _ _ _ _ (S i)); lra.
Qed.
