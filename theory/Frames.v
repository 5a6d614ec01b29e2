(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   Section 2, "Frames and joints": every chain of joints, of a robot, of a belt, of a vehicle, is
   frames on frames; the path of a pair is what A does as seen from B, whatever moves both. *)
Require Import Reals Lra Lia List.
From Vouch Require Import Vector Isometry Model Path.
Open Scope R_scope.

(* A joint undone, on the way from the common ancestor down to B. *)
Definition undo (l : link) : link :=
  match l with
  | Fixed F => Fixed (inverse F)
  | Turns u i k o => Turns u i (- k) (- o)
  | Slides u i k o => Slides u i (- k) (- o)
  end.
Lemma unit_undo l : unit_link l -> unit_link (undo l).
Proof. now destruct l. Qed.
Lemma move_undo l x a : unit_link l -> move l x (move (undo l) x a) = a.
Proof.
  destruct l as [F|u i k o|u i k o]; simpl; intros H.
  - apply app_inverse.
  - replace (- k * x i + - o) with (- (k * x i + o)) by ring. now apply turn_back.
  - destruct a. vring.
Qed.

(* A joint as an isometry. *)
Definition joint_iso (f : frame) (x : config) : iso.
Proof.
  refine (match joint f as l return unit_link l -> iso with
    | Fixed F => fun _ => F
    | Turns u i k o => fun H => iso_turn u (k * x i + o) H
    | Slides u i k o => fun _ => shift ((k * x i + o) [*] u) end (joint_unit f)).
Defined.
Lemma app_joint f x a : app (joint_iso f x) a = move (joint f) x a.
Proof.
  unfold joint_iso. destruct f as [n F [G|u i k o|u i k o] H]; simpl.
  - reflexivity.
  - apply app_turn.
  - apply app_shift.
Qed.

Section Scene.
Variable frames : nat -> frame.
Definition ordered := forall i, (i > 0)%nat -> (parent (frames i) < i)%nat.
Hypothesis Ordered : ordered.

(* The pose of a frame in the world: x_parent = pose joint(q) x_frame, up to the root. *)
Fixpoint world_fuel (fuel i : nat) (x : config) : iso :=
  match fuel, i with
  | S fuel, S _ => compose (world_fuel fuel (parent (frames i)) x)
      (compose (pose (frames i)) (joint_iso (frames i) x))
  | _, _ => pose (frames 0)
  end.
Definition world i x := world_fuel i i x.

Lemma world_enough x : forall i m n, (i <= m)%nat -> (i <= n)%nat ->
  world_fuel m i x = world_fuel n i x.
Proof.
  induction i as [i IH] using Wf_nat.lt_wf_ind. intros m n M N.
  destruct i as [|i]; [destruct m, n; reflexivity|].
  destruct m as [|m]; [lia|]. destruct n as [|n]; [lia|]. simpl.
  assert (P := Ordered (S i) ltac:(lia)). now rewrite (IH (parent (frames (S i))) P m n) by lia.
Qed.
Lemma world_eq i x a : (i > 0)%nat -> app (world i x) a
  = app (world (parent (frames i)) x) (app (pose (frames i)) (move (joint (frames i)) x a)).
Proof.
  intros H. unfold world. destruct i as [|i]; [lia|]. simpl. rewrite !app_compose, app_joint.
  assert (P := Ordered (S i) ltac:(lia)).
  now rewrite (world_enough x _ i (parent (frames (S i)))) by lia.
Qed.

Lemma world_in_world i x a : app (world i x) a = in_world i frames i x a.
Proof.
  unfold world. generalize i at 1 3 as n. intros n. revert i a. induction n as [|n IH]; intros i a;
    simpl.
  - destruct i; reflexivity.
  - destruct i as [|i]; [reflexivity|]. now rewrite !app_compose, app_joint, IH.
Qed.

(* The walk from frame a, up the tree and down again; each step puts links nearer B. *)
Inductive walk (a : nat) : path -> nat -> Prop :=
| walk_start : walk a nil a
| walk_up P i n r : walk a P i -> (i > 0)%nat ->
    walk a ((Fixed (pose (frames i)), n) :: (joint (frames i), r) :: P) (parent (frames i))
| walk_down P i n r : walk a P (parent (frames i)) -> (i > 0)%nat ->
    walk a ((undo (joint (frames i)), r) :: (Fixed (inverse (pose (frames i))), n) :: P) i.

(* L1, "relative motion of two branches": the path brings the points of A to where they are as seen
   from the frame that it leads to. That frame may move as much as A: nothing else is needed for
   obstacles that ride on joints of their own. *)
Theorem walk_place a P i x p : walk a P i -> app (world i x) (place P x p) = app (world a x) p.
Proof.
  intros H. induction H as [|P i n r H IH I|P i n r H IH I]; simpl; [reflexivity|..].
  - now rewrite <- (world_eq i) by exact I.
  - rewrite (world_eq i) by exact I. rewrite move_undo by apply joint_unit.
    now rewrite app_inverse.
Qed.
Lemma walk_units a P i : walk a P i -> unit_axes P.
Proof.
  intros H. induction H as [|P i n r H IH I|P i n r H IH I]; [constructor|..];
    (constructor; [|constructor; [|exact IH]]); simpl; auto.
  - apply joint_unit.
  - apply unit_undo, joint_unit.
Qed.
End Scene.
