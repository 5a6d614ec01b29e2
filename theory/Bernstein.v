(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   L5: polynomials in Bernstein form, of any degree, by way of their blossoms. *)
Require Import Reals Lra Lia List Permutation.
From Coquelicot Require Import Coquelicot.
From Vouch Require Import Model Velocity.
Open Scope R_scope.

(* Differences of coefficients. *)
Definition delta (b : nat -> R) i := b (S i) - b i.
Definition unit_list ts := List.Forall (fun t => 0 <= t <= 1) ts.
Lemma unit_repeat t d : 0 <= t <= 1 -> unit_list (repeat t d).
Proof. intros H. apply Forall_forall. intros x P. apply repeat_spec in P. now subst. Qed.

(* L5: on [0,1] no blossom leaves the range of the coefficients. *)
Lemma blossom_range lo hi ts b i : unit_list ts ->
  (forall k, (i <= k <= i + length ts)%nat -> lo <= b k <= hi) -> lo <= blossom ts b i <= hi.
Proof.
  intros U; revert i; induction U as [|t ts T U IH]; simpl; intros i H; [apply H; lia|].
  assert (lo <= blossom ts b i <= hi) by (apply IH; intros; apply H; lia).
  assert (lo <= blossom ts b (S i) <= hi) by (apply IH; intros; apply H; lia).
  nra.
Qed.
Theorem L5_range lo hi d b t : 0 <= t <= 1 -> (forall k, (k <= d)%nat -> lo <= b k <= hi) ->
  lo <= bern d b t <= hi.
Proof.
  intros T H. apply blossom_range; [now apply unit_repeat|].
  rewrite repeat_length. intros; apply H; lia.
Qed.

(* The ends are coefficients. *)
Lemma bern_0 d b : bern d b 0 = b 0%nat.
Proof.
  unfold bern. generalize 0%nat as i.
  induction d as [|d IH]; simpl; intros i; [auto|]. rewrite !IH. ring.
Qed.
Lemma bern_1 d b : bern d b 1 = b d.
Proof.
  unfold bern. enough (E : forall i, blossom (repeat 1 d) b i = b (i + d)%nat) by apply E.
  induction d as [|d IH]; simpl; intros i; [f_equal; lia|].
  rewrite !IH, Nat.add_succ_r. simpl. ring.
Qed.

(* Blossoms are linear in the coefficients. *)
Lemma blossom_linear ts b c x y i :
  blossom ts (fun k => x * b k + y * c k) i = x * blossom ts b i + y * blossom ts c i.
Proof. revert i; induction ts as [|t ts IH]; simpl; intros i; [ring|]. rewrite !IH. ring. Qed.
Lemma blossom_delta ts b i : blossom ts (delta b) i = blossom ts b (S i) - blossom ts b i.
Proof.
  revert i; induction ts as [|t ts IH]; simpl; intros i; [reflexivity|]. rewrite !IH. ring.
Qed.
Lemma blossom_same ts b c i : (forall k, (i <= k <= i + length ts)%nat -> b k = c k) ->
  blossom ts b i = blossom ts c i.
Proof.
  revert i; induction ts as [|t ts IH]; simpl; intros i H; [apply H; lia|].
  rewrite (IH i), (IH (S i)); [reflexivity|intros; apply H; lia..].
Qed.

(* L5: the derivative has the coefficients d (delta b). *)
Lemma derive_mix (f g : R -> R) t d e : is_derive f t d -> is_derive g t e ->
  is_derive (fun s => (1 - s) * f s + s * g s) t (g t - f t + ((1 - t) * d + t * e)).
Proof.
  intros A B. auto_derive; [repeat split; eexists; eassumption|]. known_derivatives; ring.
Qed.
Lemma blossom_derive d b t i :
  is_derive (fun s => blossom (repeat s d) b i) t (INR d * blossom (repeat t (d - 1)) (delta b) i).
Proof.
  revert i; induction d as [|d IH]; intros i; simpl repeat.
  { replace (INR 0 * _) with 0 by (simpl; ring).
    apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule)). }
  assert (M := derive_mix _ _ _ _ _ (IH i) (IH (S i))). cbv beta in M.
  cbn [blossom]. match type of M with is_derive _ _ ?e => match goal with |- is_derive _ _ ?g =>
    replace g with e; [exact M|] end end.
  rewrite S_INR, !blossom_delta. replace (S d - 1)%nat with d by lia.
  destruct d as [|d]; [simpl; ring|].
  replace (S d - 1)%nat with d by lia. rewrite Nat.sub_0_r. cbn [repeat blossom].
  match goal with |- ?a = ?b => change (@eq R a b) end.
  change (AbsRing.sort R_AbsRing) with R. ring.
Qed.
Theorem L5_derivative d b t : is_derive (bern d b) t (INR d * bern (d - 1) (delta b) t).
Proof. apply blossom_derive. Qed.
Lemma bern_continuous d b t : continuity_pt (bern d b) t.
Proof.
  apply continuity_pt_filterlim, (ex_derive_continuous (bern d b)). eexists; apply L5_derivative.
Qed.

(* L5: |q'| <= d max |delta b|, and |q''| <= d (d-1) max |delta (delta b)|. *)
Theorem L5_speed d b t m : 0 <= t <= 1 -> (forall k, (k < d)%nat -> Rabs (delta b k) <= m) ->
  0 <= m -> Rabs (INR d * bern (d - 1) (delta b) t) <= INR d * m.
Proof.
  intros T H M. rewrite Rabs_mult, (Rabs_pos_eq (INR d)) by apply pos_INR.
  destruct d as [|d]; [simpl; lra|]. apply Rmult_le_compat_l; [apply pos_INR|]. apply Rabs_le.
  apply L5_range; [exact T|]. intros k K. apply Rabs_le_between, H. lia.
Qed.
Theorem L5_bend d b t m : 0 <= t <= 1 ->
  (forall k, (S k < d)%nat -> Rabs (delta (delta b) k) <= m) -> 0 <= m ->
  Rabs (INR d * (INR (d - 1) * bern (d - 1 - 1) (delta (delta b)) t)) <= INR d * INR (d - 1) * m.
Proof.
  intros T H M. rewrite Rabs_mult, (Rabs_pos_eq (INR d)), Rmult_assoc by apply pos_INR.
  apply Rmult_le_compat_l; [apply pos_INR|]. apply (L5_speed (d - 1) (delta b)); auto.
  intros k K. apply H. lia.
Qed.
(* The same between two times. *)
Lemma bern_changes d b m x y : 0 <= x <= y -> y <= 1 -> 0 <= m ->
  (forall k, (k < d)%nat -> Rabs (delta b k) <= m) ->
  Rabs (bern d b y - bern d b x) <= INR d * m * (y - x).
Proof.
  intros H Hy M D. destruct (Req_dec x y) as [->|n].
  { rewrite !Rminus_diag_eq, Rabs_R0 by reflexivity. lra. }
  destruct (MVT_gen (bern d b) x y (fun t => INR d * bern (d - 1) (delta b) t)) as [c [C E]].
  { intros; apply L5_derivative. } { intros; apply bern_continuous. }
  rewrite Rmin_left, Rmax_right in C by lra. rewrite E, Rabs_mult, (Rabs_pos_eq (y - x)) by lra.
  apply Rmult_le_compat_r; [lra|]. apply L5_speed; auto; lra.
Qed.

(* Coefficients that rise make a polynomial that rises. *)
Lemma bern_rises d b : (forall k, (k < d)%nat -> 0 <= delta b k) ->
  forall x y, 0 <= x <= y -> y <= 1 -> bern d b x <= bern d b y.
Proof.
  intros H x y P Q. destruct (Req_dec x y) as [->|n]; [lra|].
  destruct (MVT_gen (bern d b) x y (fun t => INR d * bern (d - 1) (delta b) t)) as [c [C E]].
  { intros; apply L5_derivative. } { intros; apply bern_continuous. }
  rewrite Rmin_left, Rmax_right in C by lra.
  assert (0 <= INR d * bern (d - 1) (delta b) c); [|nra].
  destruct d as [|d]; [simpl; lra|]. apply Rmult_le_pos; [apply pos_INR|].
  unfold bern. replace (S d - 1)%nat with d by lia.
  assert (exists hi, forall k, (k <= d)%nat -> delta b k <= hi) as [hi Hi].
  { clear. induction d as [|d [hi IH]];
      [exists (delta b 0); intros k K; replace k with 0%nat by lia; lra|].
    exists (Rmax hi (delta b (S d))). intros k K.
    destruct (Nat.eq_dec k (S d)) as [->|N]; [apply Rmax_r|].
    apply Rle_trans with hi; [apply IH; lia|apply Rmax_l]. }
  apply (blossom_range 0 hi); [apply unit_repeat; lra|]. rewrite repeat_length. intros k K.
  split; [apply H; lia|apply Hi; lia].
Qed.

(* Total variation, without integrals: W rises by at least as much as q changes. L5: the polynomial
   with the coefficients sum |delta b| does so for q, and rises by sum |delta b| in all; for the
   variation of q', take the coefficients of q'. *)
Definition varies (q W : R -> R) :=
  forall x y, 0 <= x <= y -> y <= 1 -> Rabs (q y - q x) <= W y - W x.
Fixpoint total (b : nat -> R) (d : nat) : R :=
  match d with O => 0 | S d => total b d + Rabs (delta b d) end.
Theorem L5_varies d b : varies (bern d b) (bern d (total b)).
Proof.
  intros x y P Q.
  assert (L : forall s, s = 1 \/ s = -1 ->
    s * (bern d b y - bern d b x) <= bern d (total b) y - bern d (total b) x).
  { intros s S.
    assert (F : forall t, bern d (fun k => 1 * total b k + (- s) * b k) t
      = 1 * bern d (total b) t + (- s) * bern d b t) by (intros; apply blossom_linear).
    assert (bern d (fun k => 1 * total b k + - s * b k) x
      <= bern d (fun k => 1 * total b k + - s * b k) y).
    { apply bern_rises; auto. intros k _. unfold delta; simpl. fold (delta b k).
      assert (s * delta b k <= Rabs (delta b k)).
      { destruct S as [->| ->];
          [generalize (Rle_abs (delta b k))|generalize (Rle_abs (- delta b k)); rewrite Rabs_Ropp];
          lra. }
      unfold delta in *. lra. }
    rewrite !F in H. lra. }
  apply Rabs_le. generalize (L 1 (or_introl eq_refl)) (L (-1) (or_intror eq_refl)). lra.
Qed.
Theorem L5_total d b : bern d (total b) 1 - bern d (total b) 0 = total b d.
Proof. rewrite bern_0, bern_1. simpl. ring. Qed.

(* L5, parts: a blossom does not depend on the order of its arguments, and is affine in each. *)
Lemma blossom_permutation ts us b i : Permutation ts us -> blossom ts b i = blossom us b i.
Proof.
  intros P; revert i; induction P; simpl; intros i; auto.
  - now rewrite !IHP.
  - ring.
  - now rewrite IHP1.
Qed.
Lemma blossom_mix ts x y s b i : blossom (((1 - s) * x + s * y) :: ts) b i
  = (1 - s) * blossom (x :: ts) b i + s * blossom (y :: ts) b i.
Proof. simpl. ring. Qed.

(* Coefficient k of the polynomial on [x,y], in the own time of that part. *)
Definition restricted d (b : nat -> R) x y k := blossom (repeat y k ++ repeat x (d - k)) b 0.
Lemma restricted_blossom d b x y s m : forall k, (k + m <= d)%nat ->
  blossom (repeat s m) (restricted d b x y) k
  = blossom (repeat y k ++ repeat x (d - k - m) ++ repeat ((1 - s) * x + s * y) m) b 0.
Proof.
  induction m as [|m IH]; intros k K.
  { simpl. unfold restricted. now rewrite Nat.sub_0_r, app_nil_r. }
  cbn [repeat blossom]. rewrite !IH by lia.
  set (w := (1 - s) * x + s * y).
  set (rest := repeat y k ++ repeat x (d - k - S m) ++ repeat w m).
  rewrite (blossom_permutation (repeat y k ++ repeat x (d - k - m) ++ repeat w m) (x :: rest)).
  2:{ unfold rest. replace (d - k - m)%nat with (S (d - k - S m)) by lia. simpl.
      symmetry. apply Permutation_middle. }
  rewrite (blossom_permutation (repeat y (S k) ++ repeat x (d - S k - m) ++ repeat w m)
    (y :: rest)).
  2:{ unfold rest. replace (d - S k - m)%nat with (d - k - S m)%nat by lia. reflexivity. }
  rewrite (blossom_permutation (repeat y k ++ repeat x (d - k - S m) ++ w :: repeat w m)
    (w :: rest)).
  2:{ unfold rest. rewrite !app_assoc. symmetry. apply Permutation_middle. }
  change (w :: rest) with (((1 - s) * x + s * y) :: rest). now rewrite blossom_mix.
Qed.
Theorem L5_part d b x y s : bern d (restricted d b x y) s = bern d b ((1 - s) * x + s * y).
Proof.
  unfold bern. rewrite restricted_blossom by lia.
  replace (d - 0 - d)%nat with 0%nat by lia. reflexivity.
Qed.
