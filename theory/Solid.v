(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   L8, at one moment: solids whose surfaces are apart, neither inside the other, are apart with
   all that is inside them. One ray is followed to the first of the two surfaces; nothing is said
   about connected pieces and their boundaries. *)
Require Import Reals Lra List ZArith.
From Vouch Require Import Vector.
Open Scope R_scope.

(* Points on the way from x to y; a set that has none of them. *)
Definition on x y t := x [+] t [*] (y [-] x).
Definition off (S : vec -> Prop) x y := forall t, 0 <= t <= 1 -> ~ S (on x y t).
Definition closed (S : vec -> Prop) := forall x, ~ S x ->
  exists e, 0 < e /\ forall y, norm (y [-] x) < e -> ~ S y.

(* W, the one hypothesis: what is assumed of the winding number of a closed set of triangles,
   which is not constructed here. It is an integer about each point, does not change along a
   segment that misses the triangles, and is 0 far away. Everything about insides is proved from
   these three lines. *)
Record solid := {
  surface : vec -> Prop;
  winding : vec -> BinNums.Z;
  surface_closed : closed surface;
  winding_constant : forall x y, off surface x y -> winding x = winding y;
  winding_far : exists r, forall x, r <= norm x -> winding x = 0%Z /\ ~ surface x }.
(* What a solid means. *)
Definition filled c x := surface c x \/ winding c x <> 0%Z.

Lemma on_0 x y : on x y 0 = x.
Proof. unfold on. destruct x; vring. Qed.
Lemma on_1 x y : on x y 1 = y.
Proof. unfold on. destruct x, y; vring. Qed.
Lemma on_on x y s t : on x (on x y s) t = on x y (t * s).
Proof. unfold on. vring. Qed.
Lemma on_distance x y s t : norm (on x y s [-] on x y t) = Rabs (s - t) * norm (y [-] x).
Proof. unfold on. rewrite <- norm_scale. apply norm_same. vring. Qed.

(* The first point of a closed set on a segment that is not off it. *)
Lemma first_hit S x y : closed S -> ~ off S x y -> ~ S x ->
  exists T, 0 < T <= 1 /\ (~ ~ S (on x y T)) /\ forall t, 0 <= t < T -> ~ S (on x y t).
Proof.
  intros C H Sx.
  set (E := fun t => 0 <= t <= 1 /\ forall s, 0 <= s <= t -> ~ S (on x y s)).
  assert (E0 : E 0). { split; [lra|]. intros s Hs. replace s with 0 by lra. now rewrite on_0. }
  destruct (completeness E) as [T [Up Least]].
  { exists 1. intros t [A _]. lra. } { now exists 0. }
  assert (T0 : 0 <= T) by (apply Up; exact E0).
  assert (T1 : T <= 1) by (apply Least; intros t [A _]; lra).
  assert (Before : forall t, 0 <= t < T -> ~ S (on x y t)).
  { intros t Ht St. assert (B : is_upper_bound E t).
    { intros s [A K]. destruct (Rle_dec s t) as [l|l]; [exact l|].
      exfalso. apply (K t); [lra|exact St]. }
    generalize (Least t B). lra. }
  assert (Hit : ~ ~ S (on x y T)).
  { intros N. destruct (C _ N) as [e [e0 Ne]].
    assert (L := norm_pos (y [-] x)). set (d := e / (norm (y [-] x) + 1)).
    assert (d0 : 0 < d) by (apply Rdiv_lt_0_compat; lra).
    assert (Near : forall s, Rabs (s - T) < d -> ~ S (on x y s)).
    { intros s Hs. apply Ne. rewrite on_distance.
      apply Rle_lt_trans with (Rabs (s - T) * (norm (y [-] x) + 1)).
      - apply Rmult_le_compat_l; [apply Rabs_pos|lra].
      - apply Rlt_le_trans with (d * (norm (y [-] x) + 1)); [apply Rmult_lt_compat_r; lra|].
        unfold d. right; field; lra. }
    assert (All : forall s, 0 <= s < T + d -> ~ S (on x y s)).
    { intros s Hs. destruct (Rlt_dec s T) as [l|l]; [apply Before; lra|apply Near].
      rewrite Rabs_pos_eq; lra. }
    destruct (Rlt_dec T 1) as [l|l].
    - assert (Q : E (Rmin 1 (T + d / 2))).
      { split; [split; [apply Rmin_glb; lra|apply Rmin_l]|]. intros s Hs. apply All.
        generalize (Rmin_r 1 (T + d / 2)). lra. }
      assert (U := Up _ Q). revert U. unfold Rmin. destruct (Rle_dec 1 (T + d / 2)); lra.
    - apply H. intros t Ht. apply All. lra. }
  exists T. split; [|auto]. split; [|exact T1]. destruct T0 as [T0|T0]; [exact T0|].
  exfalso. apply Hit. rewrite <- T0, on_0. exact Sx.
Qed.

(* A segment between points with different winding numbers meets the surface. *)
Lemma meets c x y : winding c x <> winding c y -> ~ off (surface c) x y.
Proof. intros H O. apply H. now apply winding_constant. Qed.
Lemma far_point c k : exists y, winding c y = 0%Z /\ winding k y = 0%Z.
Proof.
  destruct (winding_far c) as [r Hr], (winding_far k) as [q Hq].
  set (d := Rmax (Rmax r q) 0). exists (V d 0 0).
  assert (N : norm (V d 0 0) = d).
  { unfold norm, dot; simpl. replace (d * d + 0 * 0 + 0 * 0) with (Rsqr d) by (unfold Rsqr; ring).
    apply sqrt_Rsqr, Rmax_r. }
  generalize (Rmax_l (Rmax r q) 0) (Rmax_l r q) (Rmax_r r q); intros.
  fold d in H. split; [apply Hr|apply Hq]; rewrite N; lra.
Qed.

Section Two.
Variables c k : solid.
Hypothesis disjoint : forall x, surface c x -> surface k x -> False.
(* What the test at a start and the motion ensure: neither surface is inside the other solid. *)
Hypothesis k_outside : forall x, surface k x -> winding c x = 0%Z.
Hypothesis c_outside : forall x, surface c x -> winding k x = 0%Z.

(* L8(ii): then the filled solids have no common point. From one, a ray to where both winding
   numbers are 0 meets a surface; the first that it meets would be inside the other solid. *)
Theorem filled_disjoint x : filled c x -> filled k x -> False.
Proof.
  intros Hc Hk.
  assert (Nc : ~ surface c x).
  { intros S. destruct Hk as [K|K]; [now apply (disjoint x)|]. now apply K, c_outside. }
  assert (Nk : ~ surface k x).
  { intros S. destruct Hc as [K|K]; [now apply (disjoint x)|]. now apply K, k_outside. }
  destruct Hc as [Hc|Hc]; [tauto|]. destruct Hk as [Hk|Hk]; [tauto|].
  destruct (far_point c k) as [y [Yc Yk]]. set (S := fun z => surface c z \/ surface k z).
  assert (C : closed S).
  { intros z N. destruct (surface_closed c z) as [d [d0 D]]; [unfold S in N; tauto|].
    destruct (surface_closed k z) as [e [e0 E]]; [unfold S in N; tauto|].
    exists (Rmin d e). split; [now apply Rmin_pos|]. intros w W [P|P].
    - apply (D w); [generalize (Rmin_l d e); lra|exact P].
    - apply (E w); [generalize (Rmin_r d e); lra|exact P]. }
  assert (M : ~ off S x y).
  { intros O. apply (meets c x y); [congruence|]. intros t T P. apply (O t T). now left. }
  destruct (first_hit S x y C M) as [T [T01 [Hit Before]]]; [unfold S; tauto|].
  assert (Same : forall j : solid, (forall z, surface j z -> S z) -> ~ surface j (on x y T) ->
    winding j (on x y T) = winding j x).
  { intros j Sub Nj. symmetry. apply winding_constant. intros t T' P. rewrite on_on in P.
    destruct (Req_dec t 1) as [->|n]; [rewrite Rmult_1_l in P; tauto|].
    apply (Before (t * T)); [|apply Sub; exact P]. split; [apply Rmult_le_pos; lra|].
    rewrite <- (Rmult_1_l T) at 2. apply Rmult_lt_compat_r; lra. }
  apply Hit. intros [P|P].
  - assert (Q : ~ surface k (on x y T)) by (intros Q; now apply (disjoint (on x y T))).
    apply Hk. rewrite <- (Same k ltac:(intros z; unfold S; auto) Q). now apply c_outside.
  - assert (Q : ~ surface c (on x y T)) by (intros Q; now apply (disjoint (on x y T))).
    apply Hc. rewrite <- (Same c ltac:(intros z; unfold S; auto) Q). now apply k_outside.
Qed.

(* L8: they are as far apart as their surfaces. *)
Theorem filled_apart mu : (forall x y, surface c x -> surface k y -> mu < norm (x [-] y)) ->
  forall x y, filled c x -> filled k y -> mu < norm (x [-] y).
Proof.
  intros H x y Hx Hy. apply Rnot_le_lt. intros Le.
  assert (Leaves : forall j u v, filled j u -> ~ filled j v ->
    ~ (forall t, 0 <= t <= 1 -> ~ surface j (on u v t))).
  { intros j u v [Hu|Hu] Nv O.
    - apply (O 0); [lra|now rewrite on_0].
    - apply Nv. right. now rewrite <- (winding_constant j u v O). }
  apply (Leaves c x y Hx). { intros K. now apply (filled_disjoint y). }
  intros s Hs Ps. apply (Leaves k y x Hy). { intros K. now apply (filled_disjoint x). }
  intros t Ht Pt.
  assert (E : on y x t = on x y (1 - t)) by (unfold on; vring). rewrite E in Pt.
  assert (D := H _ _ Ps Pt). rewrite on_distance in D.
  assert (L := norm_pos (y [-] x)). rewrite (norm_sub_sym x y) in Le.
  assert (A : Rabs (s - (1 - t)) <= 1) by (apply Rabs_le; lra).
  assert (Rabs (s - (1 - t)) * norm (y [-] x) <= 1 * norm (y [-] x))
    by (apply Rmult_le_compat_r; lra). lra.
Qed.
End Two.

(* L8(i): a point about which the winding number is 0 is as far from the filled solid as from its
   surface: so it is for triangles without an inside and for convex primitives. *)
Theorem point_apart c y mu : winding c y = 0%Z ->
  (forall x, surface c x -> mu < norm (x [-] y)) -> forall x, filled c x -> mu < norm (x [-] y).
Proof.
  intros Wy H x Hx. apply Rnot_le_lt. intros Le.
  assert (O : off (surface c) x y).
  { intros t T S. assert (D := H _ S).
    assert (E : norm (on x y t [-] y) = Rabs (t - 1) * norm (y [-] x))
      by (now rewrite <- on_distance, on_1).
    rewrite E in D. rewrite (norm_sub_sym x y) in Le.
    assert (A : Rabs (t - 1) <= 1) by (apply Rabs_le; lra).
    generalize (Rmult_le_compat_r _ _ _ (norm_pos (y [-] x)) A). lra. }
  destruct Hx as [S|N]; [apply (O 0); [lra|now rewrite on_0]|].
  apply N. now rewrite (winding_constant c x y O).
Qed.

(* L8, reference points: points that segments of one body join, off the surface of a solid of the
   other, have one winding number: a test of one point of each connected part is enough. *)
Inductive linked_in (S : vec -> Prop) : vec -> vec -> Prop :=
| linked_self p : linked_in S p p
| linked_step p q r : (forall t, 0 <= t <= 1 -> S (on p q t)) -> linked_in S q r -> linked_in S p r.
Theorem reference c (S : vec -> Prop) p r : (forall x, S x -> ~ surface c x) ->
  linked_in S p r -> winding c p = winding c r.
Proof.
  intros H L. induction L as [|p q r A L IH]; [reflexivity|]. rewrite <- IH.
  apply winding_constant. intros t T. now apply H, A.
Qed.

(* L8, "why only at starts": beyond a plane that has the whole surface on its other side the
   winding number is 0; so a leaf at the two roots needs no test. *)
Theorem beyond c n h p : 0 < norm n -> (forall x, surface c x -> dot n x <= h) -> h < dot n p ->
  winding c p = 0%Z.
Proof.
  intros N H P. destruct (winding_far c) as [r F].
  set (s := (Rmax r 0 + norm p) / norm n).
  assert (s0 : 0 <= s)
    by (apply Rle_mult_inv_pos; [generalize (Rmax_r r 0) (norm_pos p)|]; lra).
  assert (E : s * norm n = Rmax r 0 + norm p) by (unfold s; field; lra).
  rewrite (winding_constant c p (p [+] s [*] n)).
  - apply F. generalize (norm_add (p [+] s [*] n) ((-1) [*] p)).
    replace (p [+] s [*] n [+] (-1) [*] p) with (s [*] n) by vring.
    rewrite !norm_scale, (Rabs_left (-1)), (Rabs_pos_eq s), E by lra.
    generalize (Rmax_l r 0). lra.
  - intros t T S. assert (D := H _ S).
    replace (dot n (on p (p [+] s [*] n) t)) with (dot n p + t * s * dot n n) in D
      by (unfold on; vring).
    assert (0 <= t * s * dot n n) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|apply dot_pos]).
    lra.
Qed.

(* Winding numbers are carried along: a point that moves continuously, seen from the solid, and
   does not meet the surface keeps its own. *)
Definition continuous_path (g : R -> vec) := forall t e, 0 <= t <= 1 -> 0 < e ->
  exists d, 0 < d /\ forall s, 0 <= s <= 1 -> Rabs (s - t) < d -> norm (g s [-] g t) < e.
Theorem winding_carried c g : continuous_path g -> (forall t, 0 <= t <= 1 -> ~ surface c (g t)) ->
  winding c (g 0) = winding c (g 1).
Proof.
  intros Cg O.
  assert (Local : forall t, 0 <= t <= 1 -> exists d, 0 < d /\
    forall s, 0 <= s <= 1 -> Rabs (s - t) < d -> winding c (g s) = winding c (g t)).
  { intros t T. destruct (surface_closed c _ (O t T)) as [e [e0 E]].
    destruct (Cg t e T e0) as [d [d0 D]].
    exists d; split; [exact d0|]. intros s S0 S1. symmetry. apply winding_constant.
    intros r Hr. apply E. rewrite <- (on_0 (g t) (g s)) at 2.
    rewrite on_distance, Rminus_0_r, Rabs_pos_eq by lra.
    assert (P := norm_pos (g s [-] g t)). specialize (D s S0 S1). nra. }
  set (F := fun t => 0 <= t <= 1 /\ forall s, 0 <= s <= t -> winding c (g s) = winding c (g 0)).
  assert (F0 : F 0). { split; [lra|]. intros s Hs. now replace s with 0 by lra. }
  destruct (completeness F) as [T [Up Least]].
  { exists 1. intros t [A _]. lra. } { now exists 0. }
  assert (T0 : 0 <= T) by (apply Up; exact F0).
  assert (T1 : T <= 1) by (apply Least; intros t [A _]; lra).
  destruct (Local T) as [d [d0 D]]; [lra|].
  assert (Prev : exists t, F t /\ T - d < t).
  { destruct (Classical_Prop.classic (exists t, F t /\ T - d < t)) as [K|K]; [exact K|]. exfalso.
    assert (B : is_upper_bound F (T - d)).
    { intros t Ft. apply Rnot_lt_le. intros L. apply K. now exists t. }
    generalize (Least _ B). lra. }
  destruct Prev as [t [[Ht Kt] Lt]]. assert (tT : t <= T) by (apply Up; split; auto).
  assert (WT : winding c (g T) = winding c (g 0)).
  { rewrite <- (D t); [apply Kt; lra|exact Ht|]. rewrite Rabs_left1; lra. }
  assert (All : forall s, 0 <= s <= 1 -> s < T + d -> winding c (g s) = winding c (g 0)).
  { intros s S0 S1. destruct (Rle_dec s t) as [l|l]; [apply Kt; lra|]. rewrite <- WT.
    apply D; [exact S0|]. apply Rabs_def1; lra. }
  symmetry. apply All; [lra|]. destruct (Rlt_dec 1 (T + d)) as [l|l]; [exact l|]. exfalso.
  assert (Q : F (T + d / 2)). { split; [lra|]. intros s Hs. apply All; lra. }
  generalize (Up _ Q). lra.
Qed.
