(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   Section 2, "Motion", and section 3, spans of time: runs of segments and parts of one; L5 and
   L10 bound the motion on a span; halving a span loses no moment. *)
Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From Vouch Require Import Model Bernstein Leaf Runs.
Open Scope R_scope.

Section Motion.
Variable segs : nat -> segment.
Notation planned := (at_moment segs).

(* A run of n + 1 whole segments from number i on, or a part of segment j. *)
Inductive span := Run (i n : nat) | Part (j : nat) (x y : R).
Definition inside (s : span) (m : moment) : Prop :=
  match s with
  | Run i n => (i <= fst m <= i + n)%nat /\ 0 <= snd m <= 1
  | Part j x y => fst m = j /\ x <= snd m <= y
  end.
Definition first_moment s : moment := match s with Run i _ => (i, 0) | Part j x _ => (j, x) end.
Definition last_moment s : moment :=
  match s with Run i n => ((i + n)%nat, 1) | Part j _ y => (j, y) end.

(* Between segment j and the next one nothing jumps. *)
Definition no_start j := forall v, b (segs (S j)) v 0%nat = b (segs j) v (degree (segs j)).
(* The segments of the span follow each other and no start is strictly inside: only there may a
   leaf close a goal. *)
Definition good (j : nat) := t0 (segs j) < t1 (segs j) /\ (1 <= degree (segs j))%nat.
Definition runs (s : span) : Prop :=
  match s with
  | Run i n => (forall j, (i <= j <= i + n)%nat -> good j) /\
      (forall j, (i <= j < i + n)%nat -> t0 (segs (S j)) = t1 (segs j) /\ no_start j)
  | Part j x y => good j /\ 0 <= x < y /\ y <= 1
  end.

(* The pieces of a span for the variable v, in the span's own time. *)
Definition piece_of i w v j := {|
  from := (t0 (segs j) - t0 (segs i)) / w; to := (t1 (segs j) - t0 (segs i)) / w;
  deg := degree (segs j); coef := b (segs j) v |}.
Definition whole_time i n := t1 (segs (i + n)) - t0 (segs i).
Definition head (s : span) v : piece :=
  match s with
  | Run i n => piece_of i (whole_time i n) v i
  | Part j x y => {| from := 0; to := 1; deg := degree (segs j);
      coef := restricted (degree (segs j)) (b (segs j) v) x y |}
  end.
Definition tail (s : span) v : list piece :=
  match s with
  | Run i n => map (piece_of i (whole_time i n) v) (seq (S i) n)
  | Part _ _ _ => nil
  end.

Lemma knots_rise i n : runs (Run i n) -> forall k, (k <= n)%nat ->
  t0 (segs i) <= t0 (segs (i + k)) /\ t0 (segs i) < t1 (segs (i + k)).
Proof.
  intros [G C]. induction k as [|k IH]; intros K.
  - rewrite Nat.add_0_r. destruct (G i ltac:(lia)). lra.
  - destruct IH as [A B]; [lia|]. destruct (C (i + k)%nat ltac:(lia)) as [E _].
    destruct (G (i + S k)%nat ltac:(lia)) as [P _].
    rewrite Nat.add_succ_r in *. rewrite E in *. lra.
Qed.
Lemma whole_positive i n : runs (Run i n) -> 0 < whole_time i n.
Proof.
  intros H. destruct (knots_rise i n H n) as [_ B]; [lia|]. unfold whole_time. lra.
Qed.
Lemma piece_linked i n v : runs (Run i n) -> forall k j, (j + k = i + n)%nat -> (i <= j)%nat ->
  linked (piece_of i (whole_time i n) v j) (map (piece_of i (whole_time i n) v) (seq (S j) k)) /\
  stop (piece_of i (whole_time i n) v j) (map (piece_of i (whole_time i n) v) (seq (S j) k)) = 1.
Proof.
  intros H. assert (Wp := whole_positive i n H). destruct H as [G C].
  assert (F : forall j, (i <= j <= i + n)%nat ->
    from (piece_of i (whole_time i n) v j) < to (piece_of i (whole_time i n) v j)).
  { intros j J. destruct (G j J) as [P _]. simpl.
    apply Rmult_lt_compat_r; [now apply Rinv_0_lt_compat|lra]. }
  induction k as [|k IH]; intros j E I; simpl.
  - split; [|rewrite Nat.add_0_r in E; subst j; unfold whole_time in *; field; lra].
    destruct (G j ltac:(lia)) as [_ D]. repeat split; auto. apply F; lia.
  - destruct (IH (S j)) as [L S1]; [lia|lia|]. split; [|exact S1].
    destruct (C j ltac:(lia)) as [K Ns]. destruct (G j ltac:(lia)) as [_ D].
    split; [apply F; lia|]. split; [exact D|]. split; [now rewrite K|]. split; [apply Ns|exact L].
Qed.
Lemma span_linked s v : runs s ->
  linked (head s v) (tail s v) /\ from (head s v) = 0 /\ stop (head s v) (tail s v) = 1.
Proof.
  destruct s as [i n|j x y]; intros H.
  - destruct (piece_linked i n v H n i) as [L E]; [lia|lia|]. split; [exact L|split; [|exact E]].
    simpl. unfold Rdiv. ring.
  - simpl. destruct H as [[_ D] _]. repeat split; auto; lra.
Qed.

(* The numbers of L5 and L10 on a span: `half` bounds half of |q''|, and the smaller one of it and
   of the integral of |q''| is taken; kinks are added. *)
Definition bounds_hold (s : span) (speed bend variation half : config) : Prop := forall v,
  0 <= half v /\
  each (fun p => forall k, (k < deg p)%nat -> Rabs (rate_coef p k) <= speed v) (head s v)
    (tail s v) /\
  each (fun p => forall k, (S k < deg p)%nat ->
    / 2 * INR (deg p - 1) * Rabs (delta (rate_coef p) k) * pace p <= half v) (head s v)
      (tail s v) /\
  variation_sum (head s v) (tail s v) <= variation v /\
  Rmin (half v) (integral_sum (head s v) (tail s v)) + kink_sum (head s v) (tail s v) <= bend v.

(* The span's own motion, in its own time. *)
Definition mode s (half : config) v :=
  if Rle_dec (half v) (integral_sum (head s v) (tail s v)) then false else true.
Definition curve_of s half v := run (mode s half v) (head s v) (tail s v).
Fixpoint knots_of p ps : list R :=
  match ps with nil => nil | q :: qs => to p :: knots_of q qs end.
Lemma run_knots w p ps : knots (run w p ps) = knots_of p ps.
Proof. revert p; induction ps as [|q qs IH]; intros p; simpl; [auto|]. now rewrite IH. Qed.
Lemma span_knots s v u : knots_of (head s v) (tail s v) = knots_of (head s u) (tail s u).
Proof.
  destruct s as [i n|j x y]; [|reflexivity]. simpl.
  generalize (whole_time i n) as w. intros w. generalize (S i) as k. generalize i at 2 5 as h.
  induction n as [|n IH]; intros h k; simpl; [reflexivity|]. now rewrite IH.
Qed.
Definition motion_of s half : motion :=
  of_curves (curve_of s half) (knots_of (head s 0%nat) (tail s 0%nat))
    (fun v => if mode s half v then 0 else 2 * half v).

(* L5, L10: these numbers bound it. *)
Theorem span_bounded s speed bend variation half :
  runs s -> bounds_hold s speed bend variation half ->
  bounded (motion_of s half) speed bend variation.
Proof.
  intros H Bd.
  assert (K : forall v,
    curve_bounded (curve_of s half v) 0 1 (speed v) (if mode s half v then 0 else 2 * half v) /\
    varied (curve_of s half v) 1 = variation_sum (head s v) (tail s v) /\
    bent (curve_of s half v) 1 = (if mode s half v then integral_sum (head s v) (tail s v) else 0)
      + kink_sum (head s v) (tail s v) /\
    varied (curve_of s half v) 0 = 0 /\ bent (curve_of s half v) 0 = 0).
  { intros v. destruct (Bd v) as [H0 [Sp [Hf [Va Be]]]]. destruct (span_linked s v H) as [L [F E]].
    destruct (run_bounded (mode s half v) (head s v) (tail s v) (speed v) (half v) L H0 Sp
      (fun _ => Hf)) as [A [B C]].
    rewrite F, E in A. rewrite E in B, C.
    destruct (run_first (mode s half v) (head s v) (tail s v) (linked_first _ _ L))
      as [_ [_ [D1 D2]]]. rewrite F in D1, D2. unfold curve_of. auto. }
  apply curves_bounded.
  - intros v. apply K.
  - intros v. unfold curve_of. rewrite run_knots, (span_knots s v 0%nat). apply incl_refl.
  - intros v. destruct (K v) as [_ [E1 [_ [E2 _]]]]. rewrite E1, E2.
    destruct (Bd v) as [_ [_ [_ [Va _]]]]. lra.
  - intros v. destruct (K v) as [_ [_ [E1 [_ E2]]]]. rewrite E1, E2.
    destruct (Bd v) as [_ [_ [_ [_ Be]]]]. revert Be. unfold mode.
    destruct (Rle_dec (half v) (integral_sum (head s v) (tail s v))) as [l|l].
    + rewrite Rmin_left by lra. lra.
    + rewrite Rmin_right by lra. lra.
Qed.

(* Each moment of the span is a time of this motion; clocks are affine in it, as L11 asks. *)
Theorem span_moment s half m : runs s -> inside s m -> exists t, 0 <= t <= 1 /\
  (forall v, pos (motion_of s half) t v = planned m v) /\
  forall ahead k, clock segs ahead k m
    = (1 - t) * clock segs ahead k (first_moment s) + t * clock segs ahead k (last_moment s).
Proof.
  intros H I. destruct s as [i n|j x y], m as [k u]; simpl in I.
  - destruct I as [I U]. assert (Wp := whole_positive i n H). destruct (H) as [G C].
    destruct (G k I) as [Gk _].
    assert (R0 : forall h, (h <= n)%nat ->
      t0 (segs i) <= t0 (segs (i + h)) /\ t1 (segs (i + h)) <= t1 (segs (i + n))).
    { intros h Hh. split; [now apply knots_rise with n|].
      replace n with (h + (n - h))%nat at 1 by lia.
      assert (Q : forall e, (h + e <= n)%nat -> t1 (segs (i + h)) <= t1 (segs (i + (h + e)))).
      { induction e as [|e IH]; intros Le; [rewrite Nat.add_0_r; lra|].
        destruct (C (i + (h + e))%nat ltac:(lia)) as [E _].
        destruct (G (i + (h + S e))%nat ltac:(lia)) as [P _].
        rewrite !Nat.add_succ_r in *. rewrite E in P. generalize (IH ltac:(lia)). lra. }
      apply Q; lia. }
    destruct (R0 (k - i)%nat ltac:(lia)) as [A B]. replace (i + (k - i))%nat with k in A, B by lia.
    set (w := whole_time i n) in *. set (tt := t0 (segs k) + u * (t1 (segs k) - t0 (segs k))).
    assert (T : t0 (segs k) <= tt <= t1 (segs k)).
    { unfold tt. assert (0 <= u * (t1 (segs k) - t0 (segs k))) by (apply Rmult_le_pos; lra).
      assert (u * (t1 (segs k) - t0 (segs k)) <= 1 * (t1 (segs k) - t0 (segs k)))
        by (apply Rmult_le_compat_r; lra). lra. }
    assert (Iw : 0 < / w) by (now apply Rinv_0_lt_compat).
    exists ((tt - t0 (segs i)) / w). split; [|split].
    + split; [apply Rle_mult_inv_pos; lra|]. apply Rmult_le_reg_r with w; [exact Wp|].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. unfold w, whole_time. lra.
    + intros v. cbn [pos motion_of of_curves]. unfold curve_of.
      rewrite (run_value _ _ _ (piece_of i w v k)).
      * unfold at_moment. simpl. f_equal. unfold own, pace, tt. simpl. field. split; lra.
      * apply span_linked. exact H.
      * simpl. destruct (Nat.eq_dec k i) as [->|N]; [now left|right]. apply in_map, in_seq. lia.
      * simpl. split; apply Rmult_le_compat_r; lra.
    + intros ahead c. unfold clock, first_moment, last_moment. cbn [fst snd]. fold tt.
      replace (t0 (segs (i + n)) + 1 * (t1 (segs (i + n)) - t0 (segs (i + n))))
        with (t0 (segs i) + w) by (unfold w, whole_time; ring).
      field. lra.
  - destruct I as [-> I]. destruct H as [G [Hx Hy]]. exists ((u - x) / (y - x)). split; [|split].
    + split; [apply Rle_mult_inv_pos; lra|]. apply Rmult_le_reg_r with (y - x); [lra|].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
    + intros v. simpl. unfold curve_of, at_moment. simpl. unfold own, pace. simpl.
      rewrite L5_part. f_equal. field. lra.
    + intros ahead c. unfold clock, first_moment, last_moment. cbn [fst snd]. field. lra.
Qed.

(* Its ends: the right configuration of the first knot, the left one of the last. *)
Theorem span_first s half v : runs s -> pos (motion_of s half) 0 v = planned (first_moment s) v.
Proof.
  intros H. destruct (span_linked s v H) as [L [F E]]. cbn [pos motion_of of_curves].
  unfold curve_of. rewrite <- F at 1.
  destruct (run_first (mode s half v) (head s v) (tail s v) (linked_first _ _ L)) as [-> _].
  destruct s as [i n|j x y]; unfold at_moment; simpl; [now rewrite bern_0|].
  generalize (L5_part (degree (segs j)) (b (segs j) v) x y 0). rewrite bern_0. intros ->.
  f_equal. ring.
Qed.
Theorem span_last s half v : runs s -> pos (motion_of s half) 1 v = planned (last_moment s) v.
Proof.
  intros H. destruct (span_linked s v H) as [L [F E]]. cbn [pos motion_of of_curves].
  unfold curve_of. rewrite <- E at 1. rewrite (run_last _ _ _ L).
  destruct s as [i n|j x y]; unfold at_moment; simpl.
  - rewrite bern_1.
    assert (G : forall n k h, last (piece_of i (whole_time i h) v k
        :: map (piece_of i (whole_time i h) v) (seq (S k) n)) (piece_of i (whole_time i h) v i)
      = piece_of i (whole_time i h) v (k + n)).
    { induction n0 as [|m I]; intros k h; [simpl; now rewrite Nat.add_0_r|].
      change (last (piece_of i (whole_time i h) v (S k)
          :: map (piece_of i (whole_time i h) v) (seq (S (S k)) m)) (piece_of i
            (whole_time i h) v i)
        = piece_of i (whole_time i h) v (k + S m)). rewrite I. f_equal. lia. }
    assert (Q := G n i n). simpl in Q. rewrite Q. reflexivity.
  - generalize (L5_part (degree (segs j)) (b (segs j) v) x y 1). rewrite bern_1. intros ->.
    f_equal. ring.
Qed.

(* L4, ranges: on a span no variable and its deviation exceed what no coefficient of the whole
   motion and its deviation exceed. *)
Lemma each_map (Q : piece -> Prop) (f : nat -> piece) :
  (forall j, Q (f j)) -> forall js i, each Q (f i) (map f js).
Proof. intros H. induction js as [|j js IH]; intros i; simpl; auto. Qed.
Lemma span_range s half M d v t : runs s -> 0 <= t <= 1 ->
  (forall j k, (k <= degree (segs j))%nat -> Rabs (b (segs j) v k) + d <= M) ->
  Rabs (pos (motion_of s half) t v) + d <= M.
Proof.
  intros Rs T H. enough (Rabs (value (curve_of s half v) t) <= M - d) by (simpl; lra).
  destruct (span_linked s v Rs) as [L [F E]]. apply run_range; auto; [lra|].
  assert (H' : forall j k, (k <= degree (segs j))%nat -> Rabs (b (segs j) v k) <= M - d)
    by (intros j k K; generalize (H j k K); lra).
  destruct s as [i n|j x y].
  - apply (each_map _ (piece_of i (whole_time i n) v)). intros j. apply H'.
  - split; [|exact I]. cbn [deg coef head]. intros k K. unfold restricted. apply Rabs_le.
    destruct Rs as [_ [Hx Hy]]. apply blossom_range.
    + apply Forall_app; split; apply unit_repeat; lra.
    + rewrite app_length, !repeat_length. intros l Hl. apply Rabs_le_between, H'. lia.
Qed.

(* Section 3, T: both halves of a span have all of its moments; a cut at a knot leaves the left
   configuration to the first half and the right one to the second. *)
Definition first_half n := (S (S n) / 2)%nat.
Lemma first_half_range n : (1 <= first_half n <= S n)%nat.
Proof.
  unfold first_half. split; [apply Nat.div_le_lower_bound; lia|].
  apply Nat.lt_succ_r, Nat.div_lt_upper_bound; lia.
Qed.
Definition split (s : span) : span * span :=
  match s with
  | Run i 0 => (Part i 0 (/ 2), Part i (/ 2) 1)
  | Run i (S n) => (Run i (first_half n - 1), Run (i + first_half n) (S n - first_half n))
  | Part j x y => (Part j x ((x + y) / 2), Part j ((x + y) / 2) y)
  end.
Theorem split_covers s m : inside s m -> inside (fst (split s)) m \/ inside (snd (split s)) m.
Proof.
  destruct m as [j u], s as [i [|n]|i x y]; cbn [inside split fst snd].
  - intros [A B]. destruct (Rle_dec u (/ 2)); [left|right]; (split; [lia|lra]).
  - intros [A B]. assert (K := first_half_range n).
    destruct (Nat.lt_ge_cases j (i + first_half n)); [left|right]; (split; [lia|lra]).
  - intros [A B]. destruct (Rle_dec u ((x + y) / 2)); [left|right]; (split; [exact A|lra]).
Qed.
End Motion.
