(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   L9: half-spaces and planes, in their own axes, placed by a pose on the frame they ride on. *)
Require Import Reals Lra.
From Vouch Require Import Vector Isometry Model Hull.
Open Scope R_scope.

(* L9: along (0, 0, z), z <= 0, no point of the half-space comes before the origin; none of a
   plane does, whatever z. So one side of the gap is that of the origin alone. *)
Lemma L9_half_space z y : z <= 0 -> half_space y -> 0 <= dot (V 0 0 z) y.
Proof. unfold half_space, dot; simpl. nra. Qed.
Lemma L9_plane z y : thin_plane y -> 0 <= dot (V 0 0 z) y.
Proof. unfold thin_plane, dot; simpl. intros ->. lra. Qed.

(* L9: no other direction bounds a half-space. *)
Lemma L9_only n h : (X n <> 0 \/ Y n <> 0 \/ 0 < Z n) -> exists y, half_space y /\ dot n y < h.
Proof.
  assert (E : forall a, a <> 0 -> a * ((h - 1) / a) < h)
    by (intros; unfold Rdiv; field_simplify; lra).
  intros [H|[H|H]]; unfold half_space, dot; simpl.
  - exists (V ((h - 1) / X n) 0 0); simpl; split; [lra|]. generalize (E _ H); lra.
  - exists (V 0 ((h - 1) / Y n) 0); simpl; split; [lra|]. generalize (E _ H); lra.
  - exists (V 0 0 (Rmin 0 ((h - 1) / Z n))); simpl; split; [apply Rmin_l|].
    assert (Z n <> 0) by lra.
    generalize (E _ H0) (Rmin_r 0 ((h - 1) / Z n)); intros.
    assert (Z n * Rmin 0 ((h - 1) / Z n) <= Z n * ((h - 1) / Z n))
      by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* What B can be in a goal, with the convex sets that it is made of. *)
Inductive shape := Tree (t : tree) | Half (F : iso) | Thin (F : iso).
Definition shape_part (s : shape) (Q : vec -> Prop) : Prop :=
  match s with
  | Tree t => exists l, part t l /\ Q = hull_of l
  | Half F => Q = carried F half_space
  | Thin F => Q = carried F thin_plane
  end.
Definition in_shape s y := exists Q, shape_part s Q /\ Q y.

(* How far B reaches along -n, n a direction of its frame: what is taken for it in a gap. For
   planes n has to be normal to them, on the right side. *)
Definition shape_near s n h :=
  match s with
  | Tree t => reach t (-1 [*] n) h
  | Half F => - dot n (ct F) <= h /\ exists z, z <= 0 /\ n = lin F (V 0 0 z)
  | Thin F => - dot n (ct F) <= h /\ exists z, n = lin F (V 0 0 z)
  end.
Definition shape_covers s := match s with Tree t => covers t | _ => True end.
Theorem L9_near s n h y : shape_covers s -> shape_near s n h -> in_shape s y -> - h <= dot n y.
Proof.
  destruct s as [t|F|F]; intros C H [Q [P Qy]].
  - destruct P as [l [Pl ->]].
    assert (K : dot (-1 [*] n) y <= h) by (apply (L6_reach t); auto; now exists l).
    replace (dot (-1 [*] n) y) with (- dot n y) in K by vring. lra.
  - cbn [shape_part] in P. subst Q. destruct Qy as [p [Hp ->]].
    destruct H as [H [z [Hz E]]]. unfold app.
    replace (dot n (lin F p [+] ct F)) with (dot n (lin F p) + dot n (ct F)) by vring.
    rewrite E at 1. rewrite lin_dot. generalize (L9_half_space z p Hz Hp). lra.
  - cbn [shape_part] in P. subst Q. destruct Qy as [p [Hp ->]].
    destruct H as [H [z E]]. unfold app.
    replace (dot n (lin F p [+] ct F)) with (dot n (lin F p) + dot n (ct F)) by vring.
    rewrite E at 1. rewrite lin_dot. generalize (L9_plane z p Hp). lra.
Qed.
