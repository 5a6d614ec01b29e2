(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   Gaps on the machine's numbers, from intervals that hold the poses of the two frames; and the
   whole leaf: when the program says true, leaf_ok of Proof.v. What is left to a checker are the
   poses at the two ends of a span, the bounds of the motion on it, and what it loads. *)
Require Import Reals Lra Floats Bool List.
From Flocq Require Import Core BinarySingleNaN PrimFloat.
From Vouch Require Import Vector Isometry Model Path Frames Hull Plane Velocity Leaf Margin Span
  Proof.
From Vouch Require Import Rounding LeafTest Float FloatReach FloatLeaf.
Open Scope R_scope.

(* Intervals that hold a pose: its columns and its translation. *)
Record ipose := { pcx : ivec; pcy : ivec; pcz : ivec; pct : ivec }.
Definition pwithin (F : iso) (p : ipose) := vwithin (cx F) (pcx p) /\ vwithin (cy F) (pcy p) /\
  vwithin (cz F) (pcz p) /\ vwithin (ct F) (pct p).
Definition vdecided v := decided (ix v) && decided (iy v) && decided (iz v).
Definition ilin p v := {|
  ix := idot {| ix := ix (pcx p); iy := ix (pcy p); iz := ix (pcz p) |} v;
  iy := idot {| ix := iy (pcx p); iy := iy (pcy p); iz := iy (pcz p) |} v;
  iz := idot {| ix := iz (pcx p); iy := iz (pcy p); iz := iz (pcz p) |} v |}.
Definition iunlin p v := {| ix := idot (pcx p) v; iy := idot (pcy p) v; iz := idot (pcz p) v |}.
Definition vsub a b :=
  {| ix := isub (ix a) (ix b); iy := isub (iy a) (iy b); iz := isub (iz a) (iz b) |}.
Theorem ilin_within F p a v : vdecided (ilin p v) = true -> pwithin F p -> vwithin a v ->
  vwithin (lin F a) (ilin p v).
Proof.
  unfold vdecided. rewrite !andb_true_iff. intros [[Dx Dy] Dz] [[X1 [X2 X3]] [[Y1 [Y2 Y3]] [[Z1 [Z2
    Z3]] _]]] H.
  assert (E : lin F a = V (dot (V (X (cx F)) (X (cy F)) (X (cz F))) a)
    (dot (V (Y (cx F)) (Y (cy F)) (Y (cz F))) a) (dot (V (Z (cx F)) (Z (cy F)) (Z (cz F))) a))
    by (unfold lin; vring).
  rewrite E. split; [|split].
  - exact (idot_within (V (X (cx F)) (X (cy F)) (X (cz F))) a _ v Dx
      (conj X1 (conj Y1 Z1)) H).
  - exact (idot_within (V (Y (cx F)) (Y (cy F)) (Y (cz F))) a _ v Dy
      (conj X2 (conj Y2 Z2)) H).
  - exact (idot_within (V (Z (cx F)) (Z (cy F)) (Z (cz F))) a _ v Dz
      (conj X3 (conj Y3 Z3)) H).
Qed.
Theorem iunlin_within F p a v : vdecided (iunlin p v) = true -> pwithin F p -> vwithin a v ->
  vwithin (unlin F a) (iunlin p v).
Proof.
  unfold vdecided. rewrite !andb_true_iff. intros [[Dx Dy] Dz] [H1 [H2 [H3 _]]] H.
  unfold unlin. split; [|split]; simpl; now apply idot_within.
Qed.
Theorem vsub_within a b v w : vdecided (vsub v w) = true -> vwithin a v -> vwithin b w ->
  vwithin (a [-] b) (vsub v w).
Proof.
  unfold vdecided. rewrite !andb_true_iff. intros [[Dx Dy] Dz] [A1 [A2 A3]] [B1 [B2 B3]].
  split; [|split]; simpl; now apply isub_within.
Qed.

(* The direction as the world sees it, and as A does; and the gap, when both reaches are known. *)
Definition out_of pb n := ilin pb (ivec_of n).
Definition seen_by pa pb n := iunlin pa (out_of pb n).
Definition gap_down pa pb n (far near : number) :=
  let d := idot (out_of pb n) (vsub (pct pb) (pct pa)) in
  if vdecided (out_of pb n) && vdecided (vsub (pct pb) (pct pa)) && decided d
  then sub_down (low d) (add_up far near) else nan.
Theorem seen_within A B pa pb n : vdecided (seen_by pa pb n) = true ->
  vdecided (out_of pb n) = true -> pwithin A pa -> pwithin B pb ->
  vwithin (unlin A (lin B (vec_of n))) (seen_by pa pb n).
Proof.
  intros D E HA HB. apply iunlin_within; auto. apply ilin_within; auto. apply ivec_of_within.
Qed.
Theorem gap_down_le A B pa pb n far near : fin (gap_down pa pb n far near) ->
  pwithin A pa -> pwithin B pb ->
  val (gap_down pa pb n far near)
    <= dot (lin B (vec_of n)) (ct B [-] ct A) - (val far + val near).
Proof.
  unfold gap_down. cbv zeta.
  match goal with |- context [if ?c then _ else _] => destruct c eqn:E end;
    [|intros F; elim (fin_nan F)].
  rewrite !andb_true_iff in E. destruct E as [[Eo Es] Ed]. intros F HA HB.
  destruct (fin_sub_down _ _ F) as [_ [G ->]]. destruct (fin_add_up _ _ G) as [_ [_ K]].
  eapply Rle_trans; [apply next_below_le|]. rewrite K.
  assert (W : within (dot (lin B (vec_of n)) (ct B [-] ct A))
    (idot (out_of pb n) (vsub (pct pb) (pct pa)))).
  { apply idot_within; [exact Ed|apply ilin_within; auto; apply ivec_of_within|].
    apply vsub_within; [exact Es|apply HB|apply HA]. }
  generalize (proj1 W) (next_above_ge (val far + val near)). lra.
Qed.

(* Less growth only makes it easier. *)
Lemma leaf_holds_less N P speed bend variation g h f : h <= g ->
  leaf_holds N P speed bend variation g f -> leaf_holds N P speed bend variation h f.
Proof.
  intros L [A [B T]]. split; [exact A|split; [exact B|]]. destruct T as [T|T]; [left;
    lra|now right].
Qed.

Section World.
Variable frames : nat -> frame.
Variable segs : nat -> segment.
Notation planned := (at_moment segs).
Notation world := (world frames).
Variable slack : span -> config.
Variables ahead per_knot low : R.
Notation seconds := (clock segs ahead per_knot).

(* What one end of a leaf is computed from: poses, reaches of the two nodes, and what is owed. *)
Record ending := { pose_a : ipose; pose_b : ipose; far : number; near_ : number; owed : number }.
Definition ending_ok N (g : goal) (m : moment) (n : fvec) (e : ending) : Prop :=
  pwithin (world (frame_a (about (of g))) (planned m)) (pose_a e) /\
  pwithin (world (frame_b (about (of g))) (planned m)) (pose_b e) /\
  reach (node_a g) (unlin (world (frame_a (about (of g))) (planned m))
    (lin (world (frame_b (about (of g))) (planned m)) (vec_of n))) (val (far e)) /\
  shape_near (node_b g) (vec_of n) (val (near_ e)) /\
  owed_at segs ahead per_knot (val N) low (of g) m <= val (owed e).
Definition geometric n e := gap_down (pose_a e) (pose_b e) n (far e) (near_ e).
Definition fleaf N speed bend variation tol js na nb a b growth chord : bool :=
  let s := floop speed bend variation tol js in
  PrimFloat.is_finite (geometric na a) && PrimFloat.is_finite (geometric nb b)
    && ftest N s (geometric na a) (geometric nb b) (owed a) (owed b) growth chord.

Theorem fleaf_ok N speed bend variation tol half js s g na nb a b growth chord :
  bounds_hold segs s (fun i => val (speed i)) (fun i => val (bend i)) (fun i => val
    (variation i)) half ->
  (forall i, 0 <= val (speed i)) -> (forall i, 0 <= slack s i <= val (tol i)) -> 0 < val N ->
  0 <= seconds (first_moment s) -> radii_positive (steps (of g)) -> follows js (steps (of g)) ->
  norm (vec_of na) <= val N -> norm (vec_of nb) <= val N ->
  long_enough low (margin (about (of g))) (vec_of na) ->
  long_enough low (margin (about (of g))) (vec_of nb) -> (chord = true -> vec_of na = vec_of nb) ->
  ending_ok N g (first_moment s) na a -> ending_ok N g (last_moment s) nb b ->
  val N * ((growth_a (about (of g)) + growth_b (about (of g)))
    * (seconds (last_moment s) - seconds (first_moment s))) <= val growth ->
  fleaf N speed bend variation tol js na nb a b growth chord = true ->
  leaf_ok frames segs slack ahead per_knot (val N) low s g.
Proof.
  intros Bd Sp Sl N0 S0 R Fo Na Nb La Lb Ch [A1 [A2 [A3 [A4 A5]]]] [B1 [B2 [B3 [B4 B5]]]] Gr H.
  unfold fleaf in H. cbv zeta in H. rewrite !andb_true_iff in H. destruct H as [[Fa Fb] H].
  destruct (ftest_leaf speed bend variation tol N js (steps (of g)) (vec_of na) (vec_of nb)
    (geometric na a) (geometric nb b) (owed a) (owed b) growth chord Sp
    ltac:(intros i; generalize (Sl i); lra) N0 R Ch Fo H) as [f [Da [Db [Ka [Kb L]]]]].
  assert (T : val N * travel (steps (of g)) (slack s)
    <= val N * travel (steps (of g)) (fun i => val (tol i))).
  { apply Rmult_le_compat_l; [lra|]. apply travel_le; [exact R|]. intros i. apply Sl. }
  assert (Ga := gap_down_le _ _ _ _ na (far a) (near_ a) Fa A1 A2).
  assert (Gb := gap_down_le _ _ _ _ nb (far b) (near_ b) Fb B1 B2).
  fold (geometric na a) in Ga. fold (geometric nb b) in Gb.
  exists (fun i => val (speed i)), (fun i => val (bend i)), (fun i => val (variation i)), half, f.
  rewrite Da, Db. repeat (split; [assumption|]). split; [|split].
  - exists (val (far a)), (val (near_ a)). split; [exact A3|split; [exact A4|lra]].
  - exists (val (far b)), (val (near_ b)). split; [exact B3|split; [exact B4|lra]].
  - now apply (leaf_holds_less _ _ _ _ _ (val growth)).
Qed.
End World.
