(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   L8, in time: if the surfaces of two bodies stay apart from a start on, and neither was inside
   the other when it began, the filled bodies stay apart. *)
Require Import Reals Lra Lia List ZArith.
From Coquelicot Require Import Coquelicot.
From Vouch Require Import Vector Isometry Model Bernstein Path Frames Leaf Solid Runs Span.
Open Scope R_scope.

(* A solid, carried by a pose. *)
Definition carried_solid (F : iso) (c : solid) : solid.
Proof.
  refine {| surface := fun z => surface c (app (inverse F) z);
    winding := fun z => winding c (app (inverse F) z) |}.
  - intros x N. destruct (surface_closed c _ N) as [e [e0 E]]. exists e; split; [exact e0|].
    intros y Hy. apply E. now rewrite app_distance.
  - intros x y O. apply winding_constant. intros t T.
    replace (on (app (inverse F) x) (app (inverse F) y) t) with (app (inverse F) (on x y t))
      by (unfold on, app, lin; vring). now apply O.
  - destruct (winding_far c) as [r H]. exists (r + norm (app (inverse F) zero)).
    intros x Hx. apply H.
    assert (E : norm (app (inverse F) x [-] app (inverse F) zero) = norm x).
    { rewrite app_distance. f_equal. destruct x; vring. }
    generalize (norm_add (app (inverse F) x) ((-1) [*] app (inverse F) zero)).
    replace (app (inverse F) x [+] (-1) [*] app (inverse F) zero)
      with (app (inverse F) x [-] app (inverse F) zero) by vring.
    rewrite E, norm_scale, (Rabs_left (-1)) by lra. lra.
Defined.

(* What moves continuously along every direction moves continuously. *)
Lemma continuous_near (f : R -> vec) t e : continuous_at f t -> 0 < e ->
  exists d, 0 < d /\ forall s, Rabs (s - t) < d -> norm (f s [-] f t) < e.
Proof.
  intros C E.
  assert (P : forall n, exists d, 0 < d /\
    forall s, Rabs (s - t) < d -> Rabs (dot n (f s [-] f t)) < e / 3).
  { intros n. destruct (C n (e / 3)) as [d [D H]]; [lra|]. exists d; split; [exact D|].
    intros s Hs. replace (dot n (f s [-] f t)) with (dot n (f s) - dot n (f t)) by vring.
    destruct (Req_dec t s) as [->|N]; [rewrite Rminus_diag_eq, Rabs_R0 by reflexivity; lra|].
    apply (H s). split; [split; [exact I|exact N]|exact Hs]. }
  destruct (P ex) as [d1 [D1 H1]], (P ey) as [d2 [D2 H2]], (P ez) as [d3 [D3 H3]].
  exists (Rmin d1 (Rmin d2 d3)). split; [repeat apply Rmin_pos; auto|]. intros s Hs.
  generalize (Rmin_l d1 (Rmin d2 d3)) (Rmin_r d1 (Rmin d2 d3)) (Rmin_l d2 d3) (Rmin_r d2 d3);
    intros.
  eapply Rle_lt_trans; [apply norm_coordinates|].
  generalize (H1 s ltac:(lra)) (H2 s ltac:(lra)) (H3 s ltac:(lra)). lra.
Qed.

Section Two.
Variable frames : nat -> frame.
Hypothesis Ordered : ordered frames.
Notation world := (world frames).
Variables (a b : nat) (P : path).
Hypothesis Walk : walk frames a P b.

(* A's points as B sees them are `place`; B's as A sees them: *)
Definition back x y := app (inverse (world a x)) (app (world b x) y).
Lemma place_distance x p y :
  norm (place P x p [-] y) = norm (app (world a x) p [-] app (world b x) y).
Proof. now rewrite <- (app_distance (world b x)), (walk_place frames Ordered a P b x p Walk). Qed.
Lemma back_distance x p y :
  norm (back x y [-] p) = norm (app (world a x) p [-] app (world b x) y).
Proof. unfold back. rewrite <- (app_distance (world a x)), app_inverse. apply norm_sub_sym. Qed.
Lemma place_back x y : place P x (back x y) = y.
Proof.
  apply sub_is_zero. rewrite place_distance. unfold back.
  rewrite app_inverse, sub_self. apply norm_zero.
Qed.

(* The place of A, seen from B, is one pose. *)
Lemma place_pose x : exists F, (forall p, app F p = place P x p) /\
  (forall y, app (inverse F) y = back x y).
Proof.
  exists (compose (inverse (world b x)) (world a x)).
  assert (Fp : forall q, app (compose (inverse (world b x)) (world a x)) q = place P x q).
  { intros q. rewrite app_compose, <- (walk_place frames Ordered a P b _ q Walk).
    apply inverse_app. }
  split; [exact Fp|]. intros y.
  rewrite <- (inverse_app (compose (inverse (world b x)) (world a x)) (back x y)), Fp.
  now rewrite place_back.
Qed.

Lemma place_path (g : R -> config) p : (forall i t, continuity_pt (fun s => g s i) t) ->
  continuous_path (fun t => place P (g t) p).
Proof.
  intros C t e _ E. destruct (continuous_near (fun s => place P (g s) p) t e) as [d [D H]];
    [|exact E|exists d; auto]. apply (place_continuous P g). intros i. apply C.
Qed.
Lemma back_path (g : R -> config) y : (forall i t, continuity_pt (fun s => g s i) t) ->
  continuous_path (fun t => back (g t) y).
Proof.
  intros C t e T E. destruct (place_path g (back (g t) y) C t e T E) as [d [D H]].
  exists d; split; [exact D|]. intros s S0 S1. specialize (H s S0 S1).
  rewrite back_distance, <- place_distance. rewrite (place_back (g t) y) in H.
  rewrite norm_sub_sym in H. now rewrite norm_sub_sym.
Qed.

Variable g : R -> config.
Hypothesis g_continuous : forall i t, continuity_pt (fun s => g s i) t.

(* L8: winding numbers about the points of the other body are carried along. *)
Theorem L8_carried_b cb p : (forall t, 0 <= t <= 1 -> ~ surface cb (place P (g t) p)) ->
  winding cb (place P (g 0) p) = 0%Z -> winding cb (place P (g 1) p) = 0%Z.
Proof.
  intros A W. rewrite <- W. symmetry.
  apply (winding_carried cb (fun t => place P (g t) p)); [now apply place_path|exact A].
Qed.
Theorem L8_carried_a ca y : (forall t, 0 <= t <= 1 -> ~ surface ca (back (g t) y)) ->
  winding ca (back (g 0) y) = 0%Z -> winding ca (back (g 1) y) = 0%Z.
Proof.
  intros A W. rewrite <- W. symmetry.
  apply (winding_carried ca (fun t => back (g t) y)); [now apply back_path|exact A].
Qed.

(* L8, two solids. *)
Theorem L8_solids mu ca cb :
  (forall t, 0 <= t <= 1 -> forall p y, surface ca p -> surface cb y ->
     0 < norm (place P (g t) p [-] y)) ->
  (forall p y, surface ca p -> surface cb y -> mu < norm (place P (g 1) p [-] y)) ->
  (forall p, surface ca p -> winding cb (place P (g 0) p) = 0%Z) ->
  (forall y, surface cb y -> winding ca (back (g 0) y) = 0%Z) ->
  forall p y, filled ca p -> filled cb y -> mu < norm (place P (g 1) p [-] y).
Proof.
  intros A A1 Sa Sb p y Hp Hy.
  assert (Ca : forall q, surface ca q -> winding cb (place P (g 1) q) = 0%Z).
  { intros q Q. apply L8_carried_b; [|now apply Sa]. intros t T K.
    generalize (A t T q _ Q K). rewrite sub_self, norm_zero. lra. }
  assert (Cb : forall z, surface cb z -> winding ca (back (g 1) z) = 0%Z).
  { intros z Q. apply L8_carried_a; [|now apply Sb]. intros t T K.
    generalize (A t T _ z K Q). rewrite (place_back (g t) z), sub_self, norm_zero. lra. }
  (* A's solid, seen from B *)
  destruct (place_pose (g 1)) as [F [Fp Fb]].
  rewrite <- Fp. apply (filled_apart (carried_solid F ca) cb).
  - intros x Hx K. simpl in Hx. generalize (A1 _ x Hx K). rewrite <- Fp, app_inverse.
    intros D. generalize (A 1 ltac:(lra) _ x Hx K). rewrite <- Fp, app_inverse, sub_self, norm_zero.
    lra.
  - intros x Hx. simpl. rewrite Fb. now apply Cb.
  - intros x Hx. simpl in Hx. generalize (Ca _ Hx). now rewrite <- Fp, app_inverse.
  - intros x z Hx Z. simpl in Hx. generalize (A1 _ z Hx Z). now rewrite <- Fp, app_inverse.
  - unfold filled, carried_solid; simpl. rewrite inverse_app. exact Hp.
  - exact Hy.
Qed.
(* L8, a solid and a point of what has no inside of its own. *)
Theorem L8_point_b mu cb p : (forall t, 0 <= t <= 1 -> ~ surface cb (place P (g t) p)) ->
  winding cb (place P (g 0) p) = 0%Z ->
  (forall y, surface cb y -> mu < norm (place P (g 1) p [-] y)) ->
  forall y, filled cb y -> mu < norm (place P (g 1) p [-] y).
Proof.
  intros A W D y Hy. rewrite norm_sub_sym. apply (point_apart cb _ mu); auto.
  - now apply L8_carried_b.
  - intros x Hx. rewrite norm_sub_sym. auto.
Qed.
Theorem L8_point_a mu ca y : (forall t, 0 <= t <= 1 -> ~ surface ca (back (g t) y)) ->
  winding ca (back (g 0) y) = 0%Z ->
  (forall p, surface ca p -> mu < norm (place P (g 1) p [-] y)) ->
  forall p, filled ca p -> mu < norm (place P (g 1) p [-] y).
Proof.
  intros A W D p Hp. rewrite place_distance, <- back_distance, norm_sub_sym.
  apply (point_apart ca _ mu); auto.
  - now apply L8_carried_a.
  - intros x Hx. rewrite norm_sub_sym, back_distance, <- place_distance. auto.
Qed.
End Two.

(* Configurations that a continuous path joins, all of whose configurations have the property Q. *)
Definition joined (Q : config -> Prop) (x y : config) := exists g : R -> config,
  (forall i t, continuity_pt (fun s => g s i) t) /\
  (forall i, g 0 i = x i) /\ (forall i, g 1 i = y i) /\ forall t, 0 <= t <= 1 -> Q (g t).
Lemma joined_same (Q : config -> Prop) x : Q x -> joined Q x x.
Proof. intros H. exists (fun _ => x). repeat split; auto. intros i t. apply continuous_const. Qed.
Lemma joined_transitive (Q : config -> Prop) x y z : joined Q x y -> joined Q y z -> joined Q x z.
Proof.
  intros [g [G [G0 [G1 GQ]]]] [h [Hc [H0 [H1 HQ]]]].
  exists (fun t i => join (/ 2) (fun t => g (2 * t + 0) i) (fun t => h (2 * t + -1) i) t).
  split; [|split; [|split]].
  - intros i t.
    apply (join_continuous (/ 2) (fun t => g (2 * t + 0) i) (fun t => h (2 * t + -1) i)).
    + replace (2 * / 2 + 0) with 1 by field. replace (2 * / 2 + -1) with 0 by field.
      now rewrite G1, H0.
    + intros s. apply (continuity_pt_comp (fun t => 2 * t + 0) (fun t => g t i));
        [apply (continuous_joint (fun s => s)), continuity_pt_id|apply G].
    + intros s. apply (continuity_pt_comp (fun t => 2 * t + -1) (fun t => h t i));
        [apply (continuous_joint (fun s => s)), continuity_pt_id|apply Hc].
  - intros i. rewrite join_before by lra. replace (2 * 0 + 0) with 0 by ring. apply G0.
  - intros i. rewrite join_after by lra. replace (2 * 1 + -1) with 1 by ring. apply H1.
  - intros t T. unfold join. destruct (Rle_dec t (/ 2)); [apply GQ|apply HQ]; lra.
Qed.

Section Motion.
Variable segs : nat -> segment.
Notation planned := (at_moment segs).

(* Each time of a span's motion is a moment inside it, so a span joins its ends. *)
Lemma run_piece (f : nat -> piece) : forall n j t, linked (f j) (map f (seq (S j) n)) ->
  from (f j) <= t <= stop (f j) (map f (seq (S j) n)) ->
  exists k, (j <= k <= j + n)%nat /\ from (f k) <= t <= to (f k).
Proof.
  induction n as [|n IH]; intros j t L T; simpl in *; [exists j; split; [lia|exact T]|].
  destruct L as [L1 [L2 [E [C L]]]]. destruct (Rle_dec t (to (f j))).
  - exists j. split; [lia|lra].
  - destruct (IH (S j) t L) as [k [K Hk]]; [lra|]. exists k. split; [lia|exact Hk].
Qed.
Lemma span_time s half t : runs segs s -> 0 <= t <= 1 ->
  exists m, inside s m /\ forall v, pos (motion_of segs s half) t v = planned m v.
Proof.
  intros Rs T. destruct s as [i n|j x y].
  - destruct (span_linked segs (Run i n) 0%nat Rs) as [L [F E]].
    destruct (run_piece (piece_of segs i (whole_time segs i n) 0%nat) n i t) as [k [K Hk]];
      [exact L|simpl in *; lra|].
    assert (Lt : t0 (segs k) < t1 (segs k)) by (destruct Rs as [G _]; apply (G k K)).
    exists (k, own (piece_of segs i (whole_time segs i n) 0%nat k) t). split.
    + split; [exact K|]. apply own_unit; [|exact Hk]. simpl. unfold Rdiv.
      apply Rmult_lt_compat_r; [|lra]. apply Rinv_0_lt_compat. now apply whole_positive.
    + intros v. cbn [pos motion_of of_curves]. unfold curve_of.
      rewrite (run_value _ _ _ (piece_of segs i (whole_time segs i n) v k)).
      * reflexivity.
      * now apply (span_linked segs (Run i n) v).
      * simpl. destruct (Nat.eq_dec k i) as [->|N]; [now left|right]. apply in_map, in_seq. lia.
      * exact Hk.
  - exists (j, (1 - t) * x + t * y). destruct Rs as [_ [Hx Hy]]. split.
    + split; [reflexivity|]. simpl. assert (0 <= t * (y - x)) by (apply Rmult_le_pos; lra).
      assert (t * (y - x) <= 1 * (y - x)) by (apply Rmult_le_compat_r; lra). lra.
    + intros v. simpl. unfold curve_of, at_moment. simpl. unfold own, pace. simpl.
      rewrite <- L5_part. f_equal. field.
Qed.
Lemma span_joined (Q : config -> Prop) s x y : runs segs s ->
  (forall v, x v = planned (first_moment s) v) -> (forall v, y v = planned (last_moment s) v) ->
  (forall m z, inside s m -> (forall v, z v = planned m v) -> Q z) -> joined Q x y.
Proof.
  intros Rs Hx Hy H. exists (fun t v => pos (motion_of segs s (fun _ => 0)) t v).
  split; [|split; [|split]].
  - intros v t. destruct (span_linked segs s v Rs) as [L _]. now apply run_continuous.
  - intros v. rewrite Hx. now apply span_first.
  - intros v. rewrite Hy. now apply span_last.
  - intros t T. destruct (span_time s (fun _ => 0) t Rs T) as [m [I E]]. now apply (H m).
Qed.

(* From a start (i, 0) to each configuration within the tolerances of a moment (j, u), no start in
   between, a path through configurations within the tolerances of moments on the way. *)
Variable tol : config.
Hypothesis tol_pos : forall v, 0 <= tol v.
Definition on_the_way i j u (z : config) := exists h w,
  (i <= h <= j)%nat /\ 0 <= w <= 1 /\ ((h < j)%nat \/ w <= u) /\ deviates tol (planned (h, w)) z.
Theorem motion_joined i j u x : (i <= j)%nat -> 0 <= u <= 1 -> runs segs (Run i (j - i)) ->
  deviates tol (planned (j, u)) x -> joined (on_the_way i j u) (planned (i, 0)) x.
Proof.
  intros Le U Rs Dx. set (Q := on_the_way i j u).
  assert (Eq : forall z h w, (i <= h <= j)%nat -> 0 <= w <= 1 -> ((h < j)%nat \/ w <= u) ->
    (forall v, z v = planned (h, w) v) -> Q z).
  { intros z h w H1 H2 H3 H4. exists h, w. repeat split; try tauto; try lia; try lra.
    intros v. rewrite H4, Rminus_diag_eq, Rabs_R0 by reflexivity. auto. }
  assert (J1 : joined Q (planned (i, 0)) (planned (j, 0))).
  { destruct (Nat.eq_dec i j) as [->|N].
    - apply joined_same. apply (Eq _ j 0); auto; lra || lia.
    - assert (R1 : runs segs (Run i (j - i - 1))).
      { destruct Rs as [G C]. split; intros k K; [apply G|apply C]; lia. }
      apply (span_joined Q (Run i (j - i - 1))); auto.
      + intros v. simpl. replace (i + (j - i - 1))%nat with (j - 1)%nat by lia.
        destruct Rs as [_ C]. destruct (C (j - 1)%nat ltac:(lia)) as [_ Ns].
        replace (S (j - 1)) with j in Ns by lia.
        unfold at_moment; simpl. rewrite bern_0, bern_1, <- (Ns v).
        now replace (S (j - 1)) with j by lia.
      + intros [h w] z [I1 I2] Hz. simpl in I1, I2. apply (Eq z h w); auto; lia. }
  assert (J2 : joined Q (planned (j, 0)) (planned (j, u))).
  { destruct (Req_dec u 0) as [->|N].
    - apply joined_same. apply (Eq _ j 0); auto; lra || lia.
    - apply (span_joined Q (Part j 0 u)); auto.
      + destruct Rs as [G _]. split; [apply G; lia|lra].
      + intros [h w] z [I1 I2] Hz. simpl in I1, I2. subst h.
        apply (Eq z j w); auto; try lia; try lra. }
  (* to the deviating configuration, each variable on a straight line *)
  assert (J3 : joined Q (planned (j, u)) x).
  { exists (fun t v => (x v - planned (j, u) v) * t + planned (j, u) v). split; [|split; [|split]].
    - intros v t. apply (continuous_joint (fun s => s)), continuity_pt_id.
    - intros v. ring.
    - intros v. ring.
    - intros t T. exists j, u. repeat split; try lia; try lra. intros v.
      replace ((x v - planned (j, u) v) * t + planned (j, u) v - planned (j, u) v)
        with ((x v - planned (j, u) v) * t) by ring.
      rewrite Rabs_mult, (Rabs_pos_eq t) by lra.
      apply Rle_trans with (Rabs (x v - planned (j, u) v) * 1).
      + apply Rmult_le_compat_l; [apply Rabs_pos|lra].
      + generalize (Dx v). lra. }
  exact (joined_transitive _ _ _ _ (joined_transitive _ _ _ _ J1 J2) J3).
Qed.
End Motion.
