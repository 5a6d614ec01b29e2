(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   The machine's own binary64 numbers: a result that is finite, moved to its neighbour, bounds the
   exact one. Programs test that what they end with is finite; then everything before it was, and
   nothing has to be said about overflow. Intervals with sum, difference, product and root. *)
Require Import Reals Lra Floats Bool ZArith.
From Flocq Require Import Core BinarySingleNaN PrimFloat.
From Vouch Require Import Rounding.
Open Scope R_scope.

Notation val x := (B2R (Prim2B x)).
Definition fin (x : PrimFloat.float) := PrimFloat.is_finite x = true.
Lemma fin_flocq x : fin x <-> BinarySingleNaN.is_finite (Prim2B x) = true.
Proof. unfold fin. now rewrite is_finite_equiv. Qed.
Lemma val_binary64 x : binary64 (val x).
Proof. apply (generic_format_B2R prec emax). Qed.

(* Sums: finite ones come from finite numbers, and are what rounding to nearest makes of them. *)
Lemma fin_add x y : fin (x + y)%float -> fin x /\ fin y /\ val (x + y)%float = nearest (val x
  + val y).
Proof.
  rewrite !fin_flocq, add_equiv. intros H.
  assert (BinarySingleNaN.is_finite (Prim2B x) = true /\ BinarySingleNaN.is_finite (Prim2B y)
    = true)
    as [Hx Hy].
  { destruct (Prim2B x) as [s|s| |s m e B], (Prim2B y) as [t|t| |t n f C]; simpl in *; auto;
      try discriminate; destruct s, t; discriminate. }
  split; [exact Hx|split; [exact Hy|]].
  generalize (Bplus_correct prec emax Hprec Hmax mode_NE (Prim2B x) (Prim2B y) Hx Hy).
  destruct Rlt_bool; intros C; [apply C|]. destruct C as [C _]. exfalso.
  destruct (Bplus mode_NE (Prim2B x) (Prim2B y)); simpl in *; try discriminate;
    unfold binary_overflow in C; simpl in C; discriminate.
Qed.
Lemma fin_opp x : fin (- x)%float <-> fin x.
Proof. rewrite !fin_flocq, opp_equiv, is_finite_Bopp. tauto. Qed.
Lemma val_opp x : val (- x)%float = - val x.
Proof. rewrite opp_equiv. apply B2R_Bopp. Qed.
Lemma fin_abs x : fin (abs x) <-> fin x.
Proof. rewrite !fin_flocq, abs_equiv, is_finite_Babs. tauto. Qed.
Lemma val_abs x : val (abs x) = Rabs (val x).
Proof. rewrite abs_equiv. apply B2R_Babs. Qed.

(* Products and roots. *)
Lemma fin_mul x y : fin (x * y)%float -> fin x /\ fin y /\ val (x * y)%float = nearest
  (val x * val y).
Proof.
  rewrite !fin_flocq, mul_equiv. intros H.
  generalize (Bmult_correct prec emax Hprec Hmax mode_NE (Prim2B x) (Prim2B y)).
  destruct Rlt_bool; intros C.
  - destruct C as [C [F _]]. rewrite H in F. symmetry in F. apply andb_true_iff in F. tauto.
  - exfalso. destruct (Bmult mode_NE (Prim2B x) (Prim2B y)); simpl in *; try discriminate;
      unfold binary_overflow in C; simpl in C; discriminate.
Qed.
Lemma fin_sqrt x : fin (PrimFloat.sqrt x) ->
  fin x /\ val (PrimFloat.sqrt x) = nearest (R_sqrt.sqrt (val x)).
Proof.
  rewrite !fin_flocq, sqrt_equiv. intros H.
  destruct (Bsqrt_correct prec emax Hprec Hmax mode_NE (Prim2B x)) as [C [F _]].
  split; [|exact C]. rewrite H in F. destruct (Prim2B x) as [s|s| |[|] m e B]; auto; discriminate.
Qed.

(* To the neighbour; what is not finite becomes no number, so that it is seen at the end. *)
Definition fup (x : PrimFloat.float) := if PrimFloat.is_finite x then next_up x else nan.
Definition fdown (x : PrimFloat.float) := if PrimFloat.is_finite x then next_down x else nan.
Lemma fin_nan : ~ fin nan.
Proof. unfold fin. vm_compute. discriminate. Qed.
Lemma fin_fup x : fin (fup x) -> fin x /\ val (fup x) = succ radix2 exponents (val x).
Proof.
  unfold fup. destruct (PrimFloat.is_finite x) eqn:E; intros H; [|elim (fin_nan H)].
  split; [exact E|]. apply fin_flocq in H. apply fin_flocq in E. rewrite next_up_equiv in *.
  generalize (Bsucc_correct prec emax Hprec Hmax (Prim2B x) E).
  destruct Rlt_bool; intros C; [apply C|]. exfalso.
  destruct (Bsucc (Prim2B x)); simpl in *; discriminate.
Qed.
Lemma fin_fdown x : fin (fdown x) -> fin x /\ val (fdown x) = pred radix2 exponents (val x).
Proof.
  unfold fdown. destruct (PrimFloat.is_finite x) eqn:E; intros H; [|elim (fin_nan H)].
  split; [exact E|]. apply fin_flocq in H. apply fin_flocq in E. rewrite next_down_equiv in *.
  generalize (Bpred_correct prec emax Hprec Hmax (Prim2B x) E).
  destruct Rlt_bool; intros C; [apply C|]. exfalso.
  destruct (Bpred (Prim2B x)); simpl in *; discriminate.
Qed.

(* Operations rounded upwards and downwards. *)
Definition add_up x y := fup (x + y)%float.
Definition sub_up x y := fup (x + - y)%float.
Definition mul_up x y := fup (x * y)%float.
Definition add_down x y := fdown (x + y)%float.
Definition sub_down x y := fdown (x + - y)%float.
Definition mul_down x y := fdown (x * y)%float.
Lemma fin_add_up x y : fin (add_up x y) ->
  fin x /\ fin y /\ val (add_up x y) = next_above (val x + val y).
Proof.
  intros H. destruct (fin_fup _ H) as [F V]. destruct (fin_add _ _ F) as [A [B C]].
  unfold add_up. rewrite V, C.
  split; [exact A|split; [exact B|reflexivity]].
Qed.
Lemma fin_sub_up x y : fin (sub_up x y) ->
  fin x /\ fin y /\ val (sub_up x y) = next_above (val x - val y).
Proof.
  intros H. destruct (fin_fup _ H) as [F V]. destruct (fin_add _ _ F) as [A [B C]].
  apply (proj1 (fin_opp y)) in B. unfold sub_up. rewrite V, C, val_opp.
  split; [exact A|split; [exact B|reflexivity]].
Qed.
Lemma fin_mul_up x y : fin (mul_up x y) ->
  fin x /\ fin y /\ val (mul_up x y) = next_above (val x * val y).
Proof.
  intros H. destruct (fin_fup _ H) as [F V]. destruct (fin_mul _ _ F) as [A [B C]].
  unfold mul_up. rewrite V, C.
  split; [exact A|split; [exact B|reflexivity]].
Qed.
Lemma fin_add_down x y : fin (add_down x y) ->
  fin x /\ fin y /\ val (add_down x y) = next_below (val x + val y).
Proof.
  intros H. destruct (fin_fdown _ H) as [F V]. destruct (fin_add _ _ F) as [A [B C]].
  unfold add_down. rewrite V, C.
  split; [exact A|split; [exact B|reflexivity]].
Qed.
Lemma fin_sub_down x y : fin (sub_down x y) ->
  fin x /\ fin y /\ val (sub_down x y) = next_below (val x - val y).
Proof.
  intros H. destruct (fin_fdown _ H) as [F V]. destruct (fin_add _ _ F) as [A [B C]].
  apply (proj1 (fin_opp y)) in B. unfold sub_down. rewrite V, C, val_opp.
  split; [exact A|split; [exact B|reflexivity]].
Qed.
Lemma fin_mul_down x y : fin (mul_down x y) ->
  fin x /\ fin y /\ val (mul_down x y) = next_below (val x * val y).
Proof.
  intros H. destruct (fin_fdown _ H) as [F V]. destruct (fin_mul _ _ F) as [A [B C]].
  unfold mul_down. rewrite V, C.
  split; [exact A|split; [exact B|reflexivity]].
Qed.

(* Comparisons of finite numbers; the others say no. *)
Definition less x y := PrimFloat.is_finite x && PrimFloat.is_finite y && (x <? y)%float.
Lemma less_true x y : less x y = true -> fin x /\ fin y /\ val x < val y.
Proof.
  unfold less. rewrite !andb_true_iff. intros [[Fx Fy] L]. split; [exact Fx|split; [exact Fy|]].
  apply fin_flocq in Fx. apply fin_flocq in Fy. rewrite ltb_equiv, Bltb_correct in L by assumption.
  revert L. case Rlt_bool_spec; [auto|discriminate].
Qed.
Lemma less_false x y : fin x -> fin y -> less x y = false -> val y <= val x.
Proof.
  unfold less. intros Fx Fy. unfold fin in *. rewrite Fx, Fy. simpl. intros L.
  apply fin_flocq in Fx. apply fin_flocq in Fy. rewrite ltb_equiv, Bltb_correct in L by assumption.
  revert L. case Rlt_bool_spec; [discriminate|auto].
Qed.
Definition larger x y := if less x y then y else x.
Definition smaller x y := if less x y then x else y.
Lemma larger_ge x y : fin x -> fin y -> val x <= val (larger x y) /\ val y <= val (larger x y).
Proof.
  intros Fx Fy. unfold larger. destruct (less x y) eqn:E.
  - destruct (less_true _ _ E) as [_ [_ L]]. lra.
  - generalize (less_false _ _ Fx Fy E). lra.
Qed.
Lemma smaller_le x y : fin x -> fin y -> val (smaller x y) <= val x /\ val (smaller x y) <= val y.
Proof.
  intros Fx Fy. unfold smaller. destruct (less x y) eqn:E.
  - destruct (less_true _ _ E) as [_ [_ L]]. lra.
  - generalize (less_false _ _ Fx Fy E). lra.
Qed.
Lemma fin_larger x y : fin x -> fin y -> fin (larger x y).
Proof. unfold larger. now destruct (less x y). Qed.
Lemma fin_smaller x y : fin x -> fin y -> fin (smaller x y).
Proof. unfold smaller. now destruct (less x y). Qed.

(* Intervals. `decided`: both ends are finite. *)
Record interval := { low : PrimFloat.float; high : PrimFloat.float }.
Definition decided a := PrimFloat.is_finite (low a) && PrimFloat.is_finite (high a).
Definition within x a := val (low a) <= x <= val (high a).
Lemma decided_fin a : decided a = true <-> fin (low a) /\ fin (high a).
Proof. unfold decided, fin. apply andb_true_iff. Qed.
Definition undecided := {| low := nan; high := nan |}.
Lemma not_undecided : decided undecided = true -> False.
Proof. vm_compute. discriminate. Qed.

Definition iadd a b := {| low := add_down (low a) (low b); high := add_up (high a) (high b) |}.
Theorem iadd_within a b x y : decided (iadd a b) = true -> within x a -> within y b ->
  within (x + y) (iadd a b).
Proof.
  rewrite decided_fin. intros [L H] [A1 A2] [B1 B2]. cbn [iadd low high] in *.
  destruct (fin_add_down _ _ L) as [_ [_ EL]], (fin_add_up _ _ H) as [_ [_ EH]].
  unfold within. cbn [iadd low high]. rewrite EL, EH.
  generalize (next_below_le (val (low a) + val (low b))) (next_above_ge (val (high a) + val
    (high b))).
  lra.
Qed.
Definition isub a b := {| low := sub_down (low a) (high b); high := sub_up (high a) (low b) |}.
Theorem isub_within a b x y : decided (isub a b) = true -> within x a -> within y b ->
  within (x - y) (isub a b).
Proof.
  rewrite decided_fin. intros [L H] [A1 A2] [B1 B2]. cbn [isub low high] in *.
  destruct (fin_sub_down _ _ L) as [_ [_ EL]], (fin_sub_up _ _ H) as [_ [_ EH]].
  unfold within. cbn [isub low high]. rewrite EL, EH.
  generalize (next_below_le (val (low a) - val (high b))) (next_above_ge (val (high a) - val
    (low b))).
  lra.
Qed.

(* Products have their extremes at corners. *)
Lemma corners a b c d x y : a <= x <= b -> c <= y <= d -> forall l h,
  l <= a * c -> l <= a * d -> l <= b * c -> l <= b * d ->
  a * c <= h -> a * d <= h -> b * c <= h -> b * d <= h -> l <= x * y <= h.
Proof.
  intros Hx Hy l h L1 L2 L3 L4 H1 H2 H3 H4.
  assert (E : forall p q s t z m, p <= z <= q -> s <= t * p -> s <= t * q -> t * p <= m ->
    t * q <= m -> s <= t * z <= m).
  { intros p q s t z m Z S1 S2 M1 M2. destruct (Rle_dec 0 t) as [T|T]; nra. }
  assert (A : l <= a * y <= h) by (apply (E c d); lra).
  assert (B : l <= b * y <= h) by (apply (E c d); lra).
  rewrite (Rmult_comm x y). apply (E a b); lra.
Qed.
Definition imul a b :=
  let p := {| low := mul_down (low a) (low b); high := mul_up (low a) (low b) |} in
  let q := {| low := mul_down (low a) (high b); high := mul_up (low a) (high b) |} in
  let r := {| low := mul_down (high a) (low b); high := mul_up (high a) (low b) |} in
  let s := {| low := mul_down (high a) (high b); high := mul_up (high a) (high b) |} in
  if decided p && decided q && decided r && decided s
  then {| low := smaller (smaller (low p) (low q)) (smaller (low r) (low s));
          high := larger (larger (high p) (high q)) (larger (high r) (high s)) |}
  else undecided.
Lemma product_bounds x y : fin (mul_down x y) -> fin (mul_up x y) ->
  val (mul_down x y) <= val x * val y <= val (mul_up x y).
Proof.
  intros L H. destruct (fin_mul_down _ _ L) as [_ [_ ->]], (fin_mul_up _ _ H) as [_ [_ ->]].
  split; [apply next_below_le|apply next_above_ge].
Qed.
Theorem imul_within a b x y : decided (imul a b) = true -> within x a -> within y b ->
  within (x * y) (imul a b).
Proof.
  unfold imul. cbv zeta. cbn [low high].
  match goal with |- context [if ?c then _ else _] => destruct c eqn:E end;
    [|intros U; elim (not_undecided U)].
  intros _ Hx Hy. rewrite !andb_true_iff, !decided_fin in E. cbn [low high] in E.
  destruct E as [[[[P1 P2] [Q1 Q2]] [R1 R2]] [S1 S2]].
  destruct (product_bounds _ _ P1 P2), (product_bounds _ _ Q1 Q2), (product_bounds _ _ R1 R2),
    (product_bounds _ _ S1 S2).
  assert (K1 := smaller_le _ _ P1 Q1). assert (K2 := smaller_le _ _ R1 S1).
  assert (K3 := smaller_le _ _ (fin_smaller _ _ P1 Q1) (fin_smaller _ _ R1 S1)).
  assert (M1 := larger_ge _ _ P2 Q2). assert (M2 := larger_ge _ _ R2 S2).
  assert (M3 := larger_ge _ _ (fin_larger _ _ P2 Q2) (fin_larger _ _ R2 S2)).
  unfold within in *. cbn [low high].
  apply (corners (val (low a)) (val (high a)) (val (low b)) (val (high b))); auto; lra.
Qed.

(* Roots, from above: for lengths. *)
Definition root_up x := fup (PrimFloat.sqrt x).
Theorem root_up_ge x y : fin (root_up x) -> y <= val x -> R_sqrt.sqrt y <= val (root_up x).
Proof.
  intros H L. destruct (fin_fup _ H) as [F V]. destruct (fin_sqrt _ F) as [_ E].
  unfold root_up. rewrite V, E. apply Rle_trans with (R_sqrt.sqrt (val x));
    [now apply sqrt_le_1_alt|].
  apply next_above_ge.
Qed.
