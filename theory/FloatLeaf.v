(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   The test of a leaf as it runs: LeafTest.v on the machine's numbers. When it says true,
   leaf_holds. *)
Require Import Reals Lra Floats Bool List.
From Flocq Require Import Core BinarySingleNaN PrimFloat.
From Vouch Require Import Vector Isometry Model Path Velocity Leaf Rounding LeafTest Float.
Open Scope R_scope.
Notation number := PrimFloat.float.

Definition half := Eval compute in (1 / 2)%float.
Definition four := Eval compute in (4)%float.
Lemma val_zero : val 0%float = 0.
Proof. reflexivity. Qed.
Lemma val_half : val half = / 2.
Proof.
  replace (/ 2) with (F2R (Float radix2 4503599627370496 (-53))).
  - reflexivity.
  - unfold F2R. simpl. lra.
Qed.
Lemma val_four : val four = 4.
Proof.
  replace 4 with (F2R (Float radix2 4503599627370496 (-50))).
  - reflexivity.
  - unfold F2R. simpl. lra.
Qed.

(* The joints of a path, as they are loaded; bounds of the variables on an interval. *)
Record joint_data := { turning : bool; variable : nat; scale : number; radius : number }.
Inductive follows : list joint_data -> path -> Prop :=
| follows_nil : follows nil nil
| follows_fixed F n js P : follows js P -> follows js ((Fixed F, n) :: P)
| follows_turn j u o js P : turning j = true -> follows js P ->
    follows (j :: js) ((Turns u (variable j) (val (scale j)) o, val (radius j)) :: P)
| follows_slide j u o js P : turning j = false -> follows js P ->
    follows (j :: js) ((Slides u (variable j) (val (scale j)) o, val (radius j)) :: P).

Section Bounds.
Variables speed bend variation tol : nat -> number.
Record fsums := { fmoved : number; fbent : number; fway : number; fdeviation : number }.
Definition fstep (j : joint_data) (s : fsums) : fsums :=
  let k := abs (scale j) in
  let rho := radius j in
  let i := variable j in
  let v := mul_up k (speed i) in
  let swing := mul_up v (add_up (mul_up (mul_up half rho) v) (fmoved s)) in
  {| fbent := add_up (fbent s)
       (add_up (if turning j then swing else 0%float) (mul_up rho (mul_up k (bend i))));
     fway := add_up (fway s) (mul_up rho (mul_up k (variation i)));
     fdeviation := add_up (fdeviation s) (mul_up rho (mul_up k (tol i)));
     fmoved := add_up (fmoved s) (mul_up rho v) |}.
Definition floop (js : list joint_data) : fsums :=
  fold_right fstep {| fmoved := 0%float; fbent := 0%float; fway := 0%float;
    fdeviation := 0%float |} js.

(* Where a sum of it is finite, it is the sum of LeafTest.loop. *)
Notation real f := (fun i => val (f i)).
Notation rloop := (loop next_above (real speed) (real bend) (real variation) (real tol)).
Lemma added a r k v : fin (add_up a (mul_up r (mul_up (abs k) v))) -> fin a /\
  val (add_up a (mul_up r (mul_up (abs k) v)))
  = next_above (val a + next_above (val r * next_above (Rabs (val k) * val v))).
Proof.
  intros H. destruct (fin_add_up _ _ H) as [A [B ->]]. destruct (fin_mul_up _ _ B) as [_ [C ->]].
  destruct (fin_mul_up _ _ C) as [_ [_ ->]]. rewrite val_abs. auto.
Qed.
Lemma floop_moved js P : follows js P -> fin (fmoved (floop js)) ->
  val (fmoved (floop js)) = moved (rloop P).
Proof.
  intros H. induction H as [|F n js P H IH|j u o js P T H IH|j u o js P T H IH]; simpl; auto;
    intros K; destruct (added _ _ _ _ K) as [A ->]; now rewrite IH.
Qed.
Lemma floop_way js P : follows js P -> fin (fway (floop js)) -> val (fway (floop js)) = way
  (rloop P).
Proof.
  intros H. induction H as [|F n js P H IH|j u o js P T H IH|j u o js P T H IH]; simpl; auto;
    intros K; destruct (added _ _ _ _ K) as [A ->]; now rewrite IH.
Qed.
Lemma floop_deviation js P : follows js P -> fin (fdeviation (floop js)) ->
  val (fdeviation (floop js)) = deviation (rloop P).
Proof.
  intros H. induction H as [|F n js P H IH|j u o js P T H IH|j u o js P T H IH]; simpl; auto;
    intros K; destruct (added _ _ _ _ K) as [A ->]; now rewrite IH.
Qed.
Lemma floop_bent js P : follows js P -> fin (fbent (floop js)) ->
  val (fbent (floop js)) = bent (rloop P).
Proof.
  intros H. induction H as [|F n js P H IH|j u o js P T H IH|j u o js P T H IH]; simpl; auto;
    rewrite T; intros K; destruct (fin_add_up _ _ K) as [A [B ->]].
  - destruct (fin_add_up _ _ B) as [C [D ->]]. destruct (fin_mul_up _ _ D) as [_ [E ->]].
    destruct (fin_mul_up _ _ E) as [_ [_ ->]]. destruct (fin_mul_up _ _ C) as [G [I ->]].
    destruct (fin_add_up _ _ I) as [J [L ->]]. destruct (fin_mul_up _ _ J) as [M [_ ->]].
    destruct (fin_mul_up _ _ M) as [_ [_ ->]]. destruct (fin_mul_up _ _ G) as [_ [_ ->]].
    now rewrite IH, (floop_moved js P H L), val_abs, val_half.
  - destruct (fin_add_up _ _ B) as [_ [D ->]]. destruct (fin_mul_up _ _ D) as [_ [E ->]].
    destruct (fin_mul_up _ _ E) as [_ [_ ->]]. now rewrite IH, val_abs, val_zero.
Qed.

(* The test. *)
Definition fgap N s far owed := sub_down far (add_up owed (mul_up N (fdeviation s))).
Definition ftest N s far_a far_b owed_a owed_b growth (chord : bool) : bool :=
  let ga := fgap N s far_a owed_a in
  let gb := fgap N s far_b owed_b in
  let sum := add_down ga gb in
  let over := sub_up (mul_up N (fbent s)) sum in
  less 0%float ga && less 0%float gb &&
  (less (add_up (mul_up N (fway s)) growth) sum ||
   (chord && (PrimFloat.is_finite over && negb (less 0%float over)
      || less (mul_up over over) (mul_down four (mul_down ga gb))))).

Lemma fgap_real N js P far owed : follows js P -> fin (fgap N (floop js) far owed) ->
  val (fgap N (floop js) far owed)
  = gap_left next_above next_below (val N) (rloop P) (val far) (val owed).
Proof.
  intros H F. unfold fgap, gap_left in *. destruct (fin_sub_down _ _ F) as [_ [A ->]].
  destruct (fin_add_up _ _ A) as [_ [B ->]]. destruct (fin_mul_up _ _ B) as [_ [C ->]].
  now rewrite (floop_deviation js P H C).
Qed.
Theorem ftest_sound N js P far_a far_b owed_a owed_b growth chord : follows js P ->
  ftest N (floop js) far_a far_b owed_a owed_b growth chord = true ->
  test next_above next_below (val N) (rloop P) (val far_a) (val far_b) (val owed_a) (val owed_b)
    (val growth) chord.
Proof.
  intros H. unfold ftest, test. cbv zeta. rewrite !andb_true_iff, orb_true_iff, andb_true_iff,
    orb_true_iff, andb_true_iff, negb_true_iff.
  intros [[A B] T]. destruct (less_true _ _ A) as [_ [Fa La]]. destruct
    (less_true _ _ B) as [_ [Fb Lb]].
  rewrite val_zero in La, Lb. rewrite <- (fgap_real N js P far_a owed_a H Fa).
  rewrite <- (fgap_real N js P far_b owed_b H Fb).
  set (ga := fgap N (floop js) far_a owed_a) in *. set (gb := fgap N (floop js) far_b owed_b) in *.
  split; [exact La|split; [exact Lb|]]. destruct T as [T|[C T]]; [left|right].
  - destruct (less_true _ _ T) as [F1 [F2 L]]. destruct (fin_add_up _ _ F1) as [G [_ E1]].
    destruct (fin_mul_up _ _ G) as [_ [W E2]]. destruct (fin_add_down _ _ F2) as [_ [_ E3]].
    rewrite E1, E2, E3, (floop_way js P H W) in L. exact L.
  - split; [exact C|]. set (over := sub_up (mul_up N (fbent (floop js))) (add_down ga gb)) in *.
    assert (E : fin over -> val over = next_above (next_above (val N * bent (rloop P))
      - next_below (val ga + val gb))).
    { intros F. unfold over in *. destruct (fin_sub_up _ _ F) as [F1 [F2 ->]].
      destruct (fin_mul_up _ _ F1) as [_ [F3 ->]].
      destruct (fin_add_down _ _ F2) as [_ [_ ->]]. now rewrite (floop_bent js P H F3). }
    destruct T as [[F T]|T]; [left|right].
    + rewrite <- (E F). rewrite <- val_zero. apply less_false; auto. reflexivity.
    + destruct (less_true _ _ T) as [F1 [F2 L]]. destruct (fin_mul_up _ _ F1) as [F3 [_ E1]].
      destruct (fin_mul_down _ _ F2) as [_ [F4 E2]]. destruct (fin_mul_down _ _ F4) as [_ [_ E3]].
      rewrite E1, E2, E3, val_four, (E F3) in L. exact L.
Qed.
End Bounds.

(* With LeafTest.test_sound: the machine's true is leaf_holds. Bounds and gaps are those that were
   computed; how they bound the motion and the bodies is what Proof.leaf_ok asks besides. *)
Theorem ftest_leaf speed bend variation tol N js P da db far_a far_b owed_a owed_b growth chord :
  (forall i, 0 <= val (speed i)) -> (forall i, 0 <= val (tol i)) -> 0 < val N ->
  radii_positive P -> (chord = true -> da = db) -> follows js P ->
  ftest N (floop speed bend variation tol js) far_a far_b owed_a owed_b growth chord = true ->
  exists f, dir_a f = da /\ dir_b f = db /\
    gap_a f + val owed_a + val N * travel P (fun i => val (tol i)) <= val far_a /\
    gap_b f + val owed_b + val N * travel P (fun i => val (tol i)) <= val far_b /\
    leaf_holds (val N) P (fun i => val (speed i)) (fun i => val (bend i))
      (fun i => val (variation i)) (val growth) f.
Proof.
  intros S T N0 R D F H. assert (K := ftest_sound speed bend variation tol N js P _ _ _ _ _ _ F H).
  destruct (test_sound_neighbour (fun i => val (speed i)) (fun i => val (bend i))
    (fun i => val (variation i)) (fun i => val (tol i)) S (val N) P da db (val far_a) (val far_b)
    (val owed_a) (val owed_b) (val growth) chord N0 R T D K) as [A [B L]].
  eexists. split; [|split; [|split; [exact A|split; [exact B|exact L]]]]; reflexivity.
Qed.

(* It runs: one joint that slides with speed 1, as in Example.v. *)
Definition one_joint := {| turning := false; variable := 0; scale := 1%float;
  radius := 1%float |} :: nil.
Example it_runs :
  let s := floop (fun _ => 1%float) (fun _ => 0%float) (fun _ => 1%float)
    (fun _ => 0.25%float) one_joint in
  ftest 1 s 2 2 0.5 0.75 0.25 true = true /\ ftest 1 s 2 2 1.8 1.8 0.25 true = false /\
  ftest 1 s 2 nan 0.5 0.5 0 true = false.
Proof. vm_compute. auto. Qed.
