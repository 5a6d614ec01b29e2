(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   Vectors of intervals, and how far a node reaches along one: L6 on the machine's numbers. *)
Require Import Reals Lra Floats Bool List.
From Flocq Require Import Core BinarySingleNaN PrimFloat.
From Vouch Require Import Vector Isometry Model Hull Rounding Float.
Open Scope R_scope.
Notation number := PrimFloat.float.

Record ivec := { ix : interval; iy : interval; iz : interval }.
Definition vwithin (v : vec) (a : ivec) :=
  within (X v) (ix a) /\ within (Y v) (iy a) /\ within (Z v) (iz a).

(* A sum that is decided was made of decided ones. *)
Lemma decided_iadd a b : decided (iadd a b) = true -> decided a = true /\ decided b = true.
Proof.
  rewrite !decided_fin. intros [L H]. cbn [iadd low high] in *.
  destruct (fin_add_down _ _ L) as [A [B _]], (fin_add_up _ _ H) as [C [D _]]. tauto.
Qed.
Definition idot a b := iadd (iadd (imul (ix a) (ix b)) (imul (iy a) (iy b))) (imul (iz a) (iz b)).
Theorem idot_within v w a b : decided (idot a b) = true -> vwithin v a -> vwithin w b ->
  within (dot v w) (idot a b).
Proof.
  intros D [A1 [A2 A3]] [B1 [B2 B3]]. unfold idot in *. assert (D' := D).
  apply decided_iadd in D' as [D1 D3]. assert (D1' := D1). apply decided_iadd in D1' as [D0 D2].
  unfold dot. apply iadd_within; [exact D|apply iadd_within; [exact D1|..]|];
    apply imul_within; assumption.
Qed.

(* Numbers as intervals; vertices with half-axes as they are loaded. *)
Definition exactly (x : number) := {| low := x; high := x |}.
Lemma exactly_within x : within (val x) (exactly x).
Proof. split; simpl; lra. Qed.
Record fvec := { fx : number; fy : number; fz : number }.
Definition vec_of v := V (val (fx v)) (val (fy v)) (val (fz v)).
Definition ivec_of v := {| ix := exactly (fx v); iy := exactly (fy v); iz := exactly (fz v) |}.
Lemma ivec_of_within v : vwithin (vec_of v) (ivec_of v).
Proof. repeat split; simpl; lra. Qed.
Record fvertex := { fat : fvec; fax : fvec; fay : fvec; faz : fvec }.
Definition vertex_of v :=
  {| at_ := vec_of (fat v); ax := vec_of (fax v); ay := vec_of (fay v); az := vec_of (faz v) |}.

(* The length of what an interval holds, from above. *)
Definition length_up (a : ivec) :=
  let d := idot a a in if decided d then root_up (high d) else nan.
Theorem length_up_ge v a : fin (length_up a) -> vwithin v a -> norm v <= val (length_up a).
Proof.
  unfold length_up. destruct (decided (idot a a)) eqn:D; [|intros F; elim (fin_nan F)].
  intros F H. unfold norm. apply root_up_ge; [exact F|]. now apply idot_within.
Qed.

(* How far a vertex reaches: m.v + |(m.a0, m.a1, m.a2)|, from above. *)
Definition vertex_up (m : ivec) (v : fvertex) :=
  let d := idot m (ivec_of (fat v)) in
  let w := {| ix := idot m (ivec_of (fax v)); iy := idot m (ivec_of (fay v));
    iz := idot m (ivec_of (faz v)) |} in
  if decided d && decided (ix w) && decided (iy w) && decided (iz w)
  then add_up (high d) (length_up w) else nan.
Theorem vertex_up_ge r m v : fin (vertex_up m v) -> vwithin r m ->
  vertex_reach r (vertex_of v) <= val (vertex_up m v).
Proof.
  unfold vertex_up. cbv zeta. cbn [ix iy iz].
  match goal with |- context [if ?c then _ else _] => destruct c eqn:E end;
    [|intros F; elim (fin_nan F)].
  rewrite !andb_true_iff in E. destruct E as [[[D Dx] Dy] Dz]. intros F H.
  destruct (fin_add_up _ _ F) as [_ [L ->]]. eapply Rle_trans; [|apply next_above_ge].
  unfold vertex_reach. apply Rplus_le_compat.
  - now apply (idot_within r (vec_of (fat v)) m (ivec_of (fat v))), ivec_of_within.
  - apply length_up_ge; [exact L|]. unfold along, vwithin. simpl.
    repeat split; apply idot_within; auto using ivec_of_within.
Qed.

(* How far a list reaches, and a node with its carry. *)
Definition most_of (x y : number) :=
  if PrimFloat.is_finite x && PrimFloat.is_finite y then larger x y else nan.
Lemma most_of_ge x y : fin (most_of x y) ->
  fin x /\ fin y /\ val x <= val (most_of x y) /\ val y <= val (most_of x y).
Proof.
  unfold most_of. destruct (PrimFloat.is_finite x && PrimFloat.is_finite y) eqn:E;
    [|intros F; elim (fin_nan F)].
  apply andb_true_iff in E as [Fx Fy]. intros _. generalize (larger_ge x y Fx Fy). tauto.
Qed.
Definition list_up m v l := fold_right (fun v s => most_of (vertex_up m v) s) (vertex_up m v) l.
Theorem list_up_ge r m v l : fin (list_up m v l) -> vwithin r m ->
  forall w, In w (v :: l) -> vertex_reach r (vertex_of w) <= val (list_up m v l).
Proof.
  intros F H. unfold list_up in *. induction l as [|a l IH]; cbn [fold_right] in *.
  - intros w [<-|[]]. now apply vertex_up_ge.
  - destruct (most_of_ge _ _ F) as [Fa [Fl [La Ll]]]. specialize (IH Fl).
    intros w [<-|[<-|I]].
    + eapply Rle_trans; [apply IH; now left|exact Ll].
    + eapply Rle_trans; [exact (vertex_up_ge r m a Fa H)|exact La].
    + eapply Rle_trans; [apply IH; now right|exact Ll].
Qed.
(* L6: what Proof.gap_ok asks for, `reach` and `shape_near`, of primitives and nodes. *)
Theorem prim_reach r m v l : fin (list_up m v l) -> vwithin r m ->
  reach (Prim (map vertex_of (v :: l))) r (val (list_up m v l)).
Proof.
  intros F H w I. apply in_map_iff in I as [a [<- Ia]]. now apply list_up_ge.
Qed.
Definition node_up m v l (c : number) := add_up (list_up m v l) (mul_up (length_up m) c).
Theorem node_reach r m v l c a b : fin (node_up m v l c) -> 0 <= val c -> vwithin r m ->
  reach (Node (map vertex_of (v :: l)) (val c) a b) r (val (node_up m v l c)).
Proof.
  intros F C H w I. apply in_map_iff in I as [k [<- Ik]]. unfold node_up in *.
  destruct (fin_add_up _ _ F) as [L [M ->]]. destruct (fin_mul_up _ _ M) as [S [_ E]].
  eapply Rle_trans; [|apply next_above_ge]. apply Rplus_le_compat; [now apply list_up_ge|].
  rewrite E. eapply Rle_trans; [|apply next_above_ge].
  apply Rmult_le_compat_r; [exact C|now apply length_up_ge].
Qed.
