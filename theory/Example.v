(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   What the theorems ask for can be met: a point that slides along x, 2 above a half-space, and
   grows by 1/4 m/s; margin 1/2, tolerance 1/4, one segment of one second, one leaf. *)
Require Import Reals Lra Lia List.
From Vouch Require Import Vector Isometry Model Bernstein Path Frames Hull Plane Leaf Margin Runs.
From Vouch Require Import Span Proof.
Import ListNotations.
Open Scope R_scope.

Lemma x_unit : dot ex ex = 1.
Proof. ones. Qed.
Definition slider := {| parent := 0; pose := shift (V 0 0 2); joint := Slides ex 0 1 0;
  joint_unit := x_unit |}.
Definition ground := {| parent := 0; pose := identity; joint := Fixed identity; joint_unit := I |}.
Definition frames (i : nat) := match i with 1%nat => slider | _ => ground end.
Definition segs (j : nat) := {| t0 := 0; t1 := 1; degree := 1; b := fun _ k => INR k |}.
Definition tolerance (v : nat) := / 4.
Definition point := [plain zero].
Definition the_pair := {| frame_a := 1; frame_b := 0; body_a := Primitives [point];
  body_b := HalfSpace identity; growth_a := / 4; growth_b := 0; margin := / 2 |}.
Definition the_claim := {| about := the_pair; tree_a := Prim point; shape_b := Half identity;
  steps := [(Fixed (shift (V 0 0 2)), 0); (Slides ex 0 1 0, 1)] |}.
Definition the_goal := root the_claim.

Lemma frames_ordered : ordered frames.
Proof. intros [|[|i]] H; simpl; lia. Qed.
Lemma offset_plain p w : offset (plain p) w = zero.
Proof. unfold offset; simpl. vring. Qed.
Lemma claim_fits : claim_ok frames segs tolerance the_claim.
Proof.
  split; [|split; [|split; [|split; [|split]]]]; simpl; try lra; auto.
  - apply (walk_up frames 1 [] 1 0 1); [apply walk_start|lia].
  - exists (fun _ => 2), zero, 0, (app (shift (V 0 0 2)) zero), 2. split; [lra|split; [|split]].
    + intros j v k K. unfold tolerance. destruct k as [|[|k]]; [| |lia]; simpl;
        rewrite ?Rabs_R0, ?Rabs_R1; lra.
    + apply balls_fixed; [lra|].
      apply (balls_slide _ _ _ _ _ _ _ _ _ 0); [constructor|..]; rewrite ?Rabs_R1, ?Rabs_R0; lra.
    + apply L4_vertices. intros l v P I. simpl in P. subst l.
      destruct I as [<-|[]]. exists 0. split.
      * intros w _. rewrite offset_plain, norm_zero. lra.
      * simpl. rewrite sub_self, norm_zero. lra.
Qed.
Lemma claim_full : claim_complete the_claim.
Proof.
  split; simpl.
  - intros A [l [[<-|[]] ->]]. now exists point.
  - auto.
Qed.

Lemma world_slider x : ct (world frames 1 x) = V (x 0%nat) 0 2 /\
  forall n, unlin (world frames 1 x) n = n.
Proof.
  split.
  - simpl. unfold app, lin; simpl. vring.
  - intros [n1 n2 n3]. unfold unlin; simpl. unfold lin, ex, ey, ez; simpl. vring.
Qed.
Lemma world_ground x : ct (world frames 0 x) = zero /\ forall n, lin (world frames 0 x) n = n.
Proof. split; [reflexivity|]. intros [n1 n2 n3]. unfold lin; simpl. unfold ex, ey, ez. vring. Qed.

Definition down_ := V 0 0 (-1).
Lemma the_gap s w gap : gap = 5 / 4 - w / 4 ->
  gap_ok frames segs (fun _ => tolerance) 0 1 1 1 s the_goal (0%nat, w) down_ gap.
Proof.
  intros ->. exists 0, 0. cbn [of the_goal root node_a node_b the_claim tree_a shape_b about
    the_pair frame_a frame_b].
  destruct (world_slider (at_moment segs (0%nat, w))) as [Sa Su].
  destruct (world_ground (at_moment segs (0%nat, w))) as [Ga Gu].
  rewrite Sa, Ga, Su, Gu. split; [|split].
  - intros v [<-|[]]. unfold vertex_reach, along; simpl.
    replace (V (dot down_ zero) (dot down_ zero) (dot down_ zero)) with zero by vring.
    rewrite norm_zero. unfold dot; simpl. lra.
  - split; [simpl; unfold dot; simpl; lra|]. exists (-1). split; [lra|].
    unfold down_, lin; simpl. unfold ex, ey, ez. vring.
  - unfold owed_at, charge, clock; simpl. destruct (Rle_dec 0 (/ 2)); [|lra].
    rewrite Rabs_R1. unfold tolerance, dot, down_; simpl. lra.
Qed.

(* The numbers of its leaf. *)
Lemma the_leaf : leaf_ok frames segs (fun _ => tolerance) 0 1 1 1 (Run 0 0) the_goal.
Proof.
  exists (fun _ => 1), (fun _ => 0), (fun _ => 1), (fun _ => 0),
    {| dir_a := down_; dir_b := down_; gap_a := 5 / 4; gap_b := 1; excess := 0 |}.
  assert (Nd : norm down_ <= 1) by (apply norm_le; unfold dot; simpl; lra).
  assert (Ld : long_enough 1 (/ 2) down_) by (unfold long_enough; lra).
  split; [|split; [|split; [|split; [|split; [|split; [|split; [|split]]]]]]]; simpl; auto.
  - intros v. unfold rate_coef, delta, pace. simpl. repeat split; try lra.
    + intros k K. destruct k; [|lia]. unfold rate_coef, delta, pace, whole_time. simpl.
      rewrite Rabs_pos_eq; lra.
    + intros k K. lia.
    + rewrite Rplus_0_l, Rplus_0_r. unfold delta. simpl. rewrite Rabs_pos_eq; lra.
    + rewrite !Rplus_0_r, Rmin_left; lra.
  - unfold clock. simpl. lra.
  - apply the_gap. lra.
  - apply the_gap. lra.
  - unfold leaf_holds. simpl. repeat split; try lra. right. rewrite Rabs_R1.
    repeat split; try lra.
Qed.

(* So the pair is free at every moment, for all deviations, while it grows. *)
Theorem example : FREE frames segs 0 tolerance 0 1 [the_pair].
Proof.
  intros p [<-|[]] j w J W. replace j with 0%nat by lia.
  assert (R : runs segs (Run 0 0)).
  { split; [intros i _; split; simpl; [lra|lia]|intros i H; lia]. }
  destruct (leaf_clear frames frames_ordered segs
    (fun m => deviates tolerance (at_moment segs m)) (fun _ => tolerance) tolerance
    ltac:(intros; unfold tolerance; lra) ltac:(intros; lra) ltac:(auto) 0 1 ltac:(lra) 1 1
      ltac:(lra)
    (Run 0 0) the_goal R (root_ok frames segs tolerance the_claim claim_fits) the_leaf (0%nat, w))
    as [e [E H]]; [simpl; split; [lia|exact W]|].
  exists e. split; [exact E|]. intros x Dx A B [l [[<-|[]] ->]] PB.
  apply (H x Dx point B); [reflexivity|exact PB].
Qed.
