(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   L6 and L7: hulls with witnesses, trees of them, groups with their boxes; how far a node
   reaches. *)
Require Import Reals Lra List Bool.
From Vouch Require Import Vector Isometry Model.
Open Scope R_scope.

(* Hulls: half-spaces and balls that hold a set hold its hull. *)
Lemma hull_along (S : vec -> Prop) m h x :
  (forall y, S y -> dot m y <= h) -> hull S x -> dot m x <= h.
Proof.
  intros H C. induction C as [x P|x y t T _ A _ B]; [now apply H|].
  replace (dot m ((1 - t) [*] x [+] t [*] y)) with ((1 - t) * dot m x + t * dot m y) by vring. nra.
Qed.
Lemma hull_ball (S : vec -> Prop) c r x :
  (forall y, S y -> norm (y [-] c) <= r) -> hull S x -> norm (x [-] c) <= r.
Proof.
  intros H C. induction C as [x P|x y t T _ A _ B]; [now apply H|].
  replace ((1 - t) [*] x [+] t [*] y [-] c)
    with ((1 - t) [*] (x [-] c) [+] t [*] (y [-] c)) by vring.
  eapply Rle_trans; [apply norm_add|]. rewrite !norm_scale, !Rabs_pos_eq by lra. nra.
Qed.

(* What lies within c of the hull of S: a convex set. *)
Definition near S c x := exists y, hull S y /\ norm (x [-] y) <= c.
Lemma near_mix S c x y t : 0 <= t <= 1 -> near S c x -> near S c y ->
  near S c ((1 - t) [*] x [+] t [*] y).
Proof.
  intros T [x' [A B]] [y' [A' B']].
  exists ((1 - t) [*] x' [+] t [*] y'). split; [now apply hull_mix|].
  replace ((1 - t) [*] x [+] t [*] y [-] ((1 - t) [*] x' [+] t [*] y'))
    with ((1 - t) [*] (x [-] x') [+] t [*] (y [-] y')) by vring.
  eapply Rle_trans; [apply norm_add|]. rewrite !norm_scale, !Rabs_pos_eq by lra. nra.
Qed.
Lemma near_hull (S T : vec -> Prop) c x :
  (forall y, S y -> near T c y) -> hull S x -> near T c x.
Proof. intros H C. induction C; [now apply H|now apply near_mix]. Qed.

(* L6, a witness: v3 + f (sum of w_i (v_i - v3)) is in the hull of v0 ... v3, where the weights
   are not negative and f times their sum is at most 1. Weights are added one at a time. *)
Definition mass S m z := (m = 0 /\ z = zero) \/ (0 < m /\ hull S (/ m [*] z)).
Lemma mass_add S m z w v : mass S m z -> 0 <= w -> hull S v -> mass S (m + w) (z [+] w [*] v).
Proof.
  intros M W C. destruct W as [W|<-].
  2:{ replace (m + 0) with m by ring. replace (z [+] 0 [*] v) with z; [exact M|].
      destruct z; vring. }
  right. destruct M as [[-> ->]|[P Q]]; (split; [lra|]).
  - replace (/ (0 + w) [*] (zero [+] w [*] v)) with v; [exact C|].
    destruct v; unfold zero, scale, add; simpl; f_equal; field; lra.
  - replace (/ (m + w) [*] (z [+] w [*] v))
      with ((1 - w / (m + w)) [*] (/ m [*] z) [+] (w / (m + w)) [*] v)
      by (unfold scale, add; simpl; f_equal; field; lra).
    apply hull_mix; auto. split; [apply Rle_mult_inv_pos; lra|].
    apply Rmult_le_reg_r with (m + w); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Theorem L6_witness S v0 v1 v2 v3 w0 w1 w2 f :
  hull S v0 -> hull S v1 -> hull S v2 -> hull S v3 ->
  0 <= w0 -> 0 <= w1 -> 0 <= w2 -> 0 <= f -> f * (w0 + w1 + w2) <= 1 ->
  hull S (v3 [+] f [*] (w0 [*] (v0 [-] v3) [+] w1 [*] (v1 [-] v3) [+] w2 [*] (v2 [-] v3))).
Proof.
  intros C0 C1 C2 C3 W0 W1 W2 F L.
  assert (M0 : mass S 0 zero) by (left; auto).
  assert (A : forall w, 0 <= w -> 0 <= f * w) by (intros; now apply Rmult_le_pos).
  assert (M1 := mass_add S _ _ _ _ M0 (A _ W0) C0).
  assert (M2 := mass_add S _ _ _ _ M1 (A _ W1) C1).
  assert (M3 := mass_add S _ _ _ _ M2 (A _ W2) C2).
  assert (R3 : 0 <= 1 - f * (w0 + w1 + w2)) by lra.
  assert (M := mass_add S _ _ _ _ M3 R3 C3). destruct M as [[E _]|[_ Q]]; [exfalso; lra|].
  revert Q. match goal with |- hull S ?a -> hull S ?b => replace b with a; [auto|] end.
  replace (0 + f * w0 + f * w1 + f * w2 + (1 - f * (w0 + w1 + w2))) with 1 by ring.
  rewrite Rinv_1. vring.
Qed.

(* A point as a vertex; a vertex stands for its centre, too. *)
Definition plain p := {| at_ := p; ax := zero; ay := zero; az := zero |}.
Lemma stands_centre v : stands v (at_ v).
Proof.
  exists zero. split; [unfold dot; simpl; lra|].
  destruct v as [[a b c] p q r]. unfold offset. simpl. vring.
Qed.

(* L6, size: no point of the ellipsoid is further from its centre than the root of the largest sum
   of a row of the products of half-axes. *)
Lemma L6_size v u s : 0 <= s -> dot u u <= 1 ->
  dot (ax v) (ax v) + Rabs (dot (ax v) (ay v)) + Rabs (dot (az v) (ax v)) <= s * s ->
  dot (ay v) (ay v) + Rabs (dot (ax v) (ay v)) + Rabs (dot (ay v) (az v)) <= s * s ->
  dot (az v) (az v) + Rabs (dot (ay v) (az v)) + Rabs (dot (az v) (ax v)) <= s * s ->
  norm (offset v u) <= s.
Proof.
  intros S U A B C. apply norm_le; [exact S|]. apply Rle_trans with (s * s * dot u u); [|nra].
  assert (T : forall a b g, 2 * (a * b * g) <= (a * a + b * b) * Rabs g).
  { intros a b g. apply Rle_trans with (2 * Rabs (a * b * g)).
    { generalize (Rle_abs (a * b * g)); lra. }
    rewrite !Rabs_mult. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply Rabs_pos|].
    replace (a * a) with (Rabs a * Rabs a) by (symmetry; apply (Rsqr_abs a)).
    replace (b * b) with (Rabs b * Rabs b) by (symmetry; apply (Rsqr_abs b)).
    generalize (Rle_0_sqr (Rabs a - Rabs b)); unfold Rsqr; lra. }
  replace (dot (offset v u) (offset v u)) with
    (X u * X u * dot (ax v) (ax v) + Y u * Y u * dot (ay v) (ay v) + Z u * Z u * dot (az v) (az v)
     + (2 * (X u * Y u * dot (ax v) (ay v)) + 2 * (Y u * Z u * dot (ay v) (az v))
        + 2 * (Z u * X u * dot (az v) (ax v)))) by (unfold offset; vring).
  generalize (T (X u) (Y u) (dot (ax v) (ay v))) (T (Y u) (Z u) (dot (ay v) (az v)))
    (T (Z u) (X u) (dot (az v) (ax v))).
  replace (dot u u) with (X u * X u + Y u * Y u + Z u * Z u) by reflexivity.
  assert (P := Rle_0_sqr (X u)). assert (Q := Rle_0_sqr (Y u)). assert (W := Rle_0_sqr (Z u)).
  unfold Rsqr in P, Q, W.
  set (a := X u * X u) in *. set (b := Y u * Y u) in *. set (c := Z u * Z u) in *. intros.
  assert (A' := Rmult_le_compat_l _ _ _ P A). assert (B' := Rmult_le_compat_l _ _ _ Q B).
  assert (C' := Rmult_le_compat_l _ _ _ W C). lra.
Qed.

(* L6, the support of an ellipsoid: m.v + |(m.a0, m.a1, m.a2)|. *)
Definition along m v := V (dot m (ax v)) (dot m (ay v)) (dot m (az v)).
Definition vertex_reach m v := dot m (at_ v) + norm (along m v).
Lemma stands_reach m v x : stands v x -> dot m x <= vertex_reach m v.
Proof.
  intros [u [U ->]]. unfold vertex_reach.
  replace (dot m (at_ v [+] offset v u)) with (dot m (at_ v) + dot (along m v) u)
    by (unfold along, offset; vring).
  apply Rplus_le_compat_l.
  destruct (dot_bound (along m v) u (norm (along m v)) 1) as [K _]; [lra|apply norm_le; lra|lra].
Qed.

(* The boxes of groups: parallel to the axes of the frame that their bodies ride on. *)
Definition in_box lo hi x :=
  X lo <= X x <= X hi /\ Y lo <= Y x <= Y hi /\ Z lo <= Z x <= Z hi.
Definition box_reach lo hi m := Rmax (X m * X lo) (X m * X hi) + Rmax (Y m * Y lo) (Y m * Y hi)
  + Rmax (Z m * Z lo) (Z m * Z hi).
Lemma between_ends a lo hi x : lo <= x <= hi -> a * x <= Rmax (a * lo) (a * hi).
Proof.
  intros H. destruct (Rle_dec 0 a) as [l|l].
  - apply Rle_trans with (a * hi); [apply Rmult_le_compat_l; lra|apply Rmax_r].
  - apply Rle_trans with (a * lo); [|apply Rmax_l].
    assert (- a * lo <= - a * x) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma box_along lo hi m x : in_box lo hi x -> dot m x <= box_reach lo hi m.
Proof.
  intros [A [B C]]. unfold dot, box_reach.
  generalize (between_ends (X m) _ _ _ A) (between_ends (Y m) _ _ _ B) (between_ends (Z m) _ _ _ C).
  lra.
Qed.

(* What a goal may be about. A geometry's tree has primitives, which are hulls of their lists, and
   nodes, which keep a list and have a carry. Above its root, in a group, are the box of the body
   and the boxes of groups. Bodies of a group that a pair does not check are Skipped in that pair.
   All coordinates are those of the frame that the bodies ride on. *)
Inductive tree :=
| Prim (l : list vertex)
| Node (l : list vertex) (c : R) (a b : tree)
| Body (lo hi : vec) (t : tree)
| Group (lo hi : vec) (a b : tree)
| Skipped.

(* The primitives beneath a node, and the points of these. *)
Fixpoint part (t : tree) (l : list vertex) : Prop :=
  match t with
  | Prim k => l = k
  | Node _ _ a b | Group _ _ a b => part a l \/ part b l
  | Body _ _ t => part t l
  | Skipped => False
  end.
Definition beneath t x := exists l, part t l /\ hull_of l x.

(* L6, L7: what is checked of each node when a problem is loaded: what a child keeps is kept, or
   within epsilon of a mixture of what is kept; boxes hold what is beneath them. *)
Definition kept t := match t with Prim l | Node l _ _ _ => l | _ => nil end.
Definition carry t := match t with Node _ c _ _ => c | _ => 0 end.
Definition covered (l : list vertex) (c : R) (child : tree) := carry child <= c /\
  forall p, In p (kept child) -> In p l \/
    exists y s, hull_of l y /\ (forall u, dot u u <= 1 -> norm (offset p u) <= s) /\
      norm (at_ p [-] y) + s + carry child <= c.
Definition solid_tree t := match t with Prim _ | Node _ _ _ _ => True | _ => False end.
Fixpoint covers t :=
  match t with
  | Prim _ | Skipped => True
  | Node l c a b => solid_tree a /\ solid_tree b /\ covered l c a /\ covered l c b /\ covers a
    /\ covers b
  | Body lo hi t => (forall x, beneath t x -> in_box lo hi x) /\ covers t
  | Group lo hi a b => (forall x, beneath a x \/ beneath b x -> in_box lo hi x) /\ covers a
    /\ covers b
  end.

Lemma covered_near l c t x : covered l c t -> near (stands_one (kept t)) (carry t) x ->
  near (stands_one l) c x.
Proof.
  intros [H K] [y [Hy N]].
  assert (G : near (stands_one l) (c - carry t) y).
  { revert Hy. apply near_hull. intros z [p [P [u [U E]]]]. destruct
    (K p P) as [I|[q [s [Q [R S]]]]].
    - exists z. split; [apply hull_in; exists p; split; [exact I|now exists u]|].
      rewrite sub_self, norm_zero. lra.
    - exists q. split; [exact Q|]. eapply Rle_trans; [apply (norm_triangle z (at_ p) q)|].
      assert (norm (z [-] at_ p) <= s); [|lra].
      replace (z [-] at_ p) with (offset p u); [now apply R|]. subst z. destruct (offset p u).
        vring. }
  destruct G as [z [Z1 Z2]]. exists z. split; [exact Z1|].
  eapply Rle_trans; [apply (norm_triangle x y z)|]. lra.
Qed.

(* L6: all primitives beneath a node of a geometry lie in the hull of what it keeps, plus a ball
   of its carry. *)
Theorem L6 t x : solid_tree t -> covers t -> beneath t x -> near (stands_one (kept t)) (carry t) x.
Proof.
  revert x; induction t as [l|l c a IHa b IHb|lo hi t IH|lo hi a IHa b IHb|]; simpl; intros x S C H;
    try tauto.
  - destruct H as [k [K H]]. simpl in K. subst. exists x. split; [exact H|].
    rewrite sub_self, norm_zero; lra.
  - destruct C as [Sa [Sb [A [B [Ca Cb]]]]]. destruct H as [k [[K|K] H]].
    + apply (covered_near l c a); auto. apply IHa; auto. now exists k.
    + apply (covered_near l c b); auto. apply IHb; auto. now exists k.
Qed.

(* How far a node reaches along m: what the checker takes for it. *)
Definition reach t m h :=
  match t with
  | Prim l => forall v, In v l -> vertex_reach m v <= h
  | Node l c _ _ => forall v, In v l -> vertex_reach m v + norm m * c <= h
  | Body lo hi _ | Group lo hi _ _ => box_reach lo hi m <= h
  | Skipped => True
  end.
Theorem L6_reach t m h x : covers t -> reach t m h -> beneath t x -> dot m x <= h.
Proof.
  intros C H B. destruct t as [l|l c a b|lo hi t|lo hi a b|].
  - destruct B as [k [K Q]]. simpl in K. subst k. revert Q. apply hull_along.
    intros y [v [I S]]. eapply Rle_trans; [apply (stands_reach m v y S)|]. now apply H.
  - destruct (L6 (Node l c a b) x I C B) as [y [Hy N]]. simpl in Hy, N.
    assert (dot m y <= h - norm m * c).
    { revert Hy. apply hull_along. intros z [v [Iv S]].
      generalize (stands_reach m v z S) (H v Iv). lra. }
    destruct (dot_bound m (x [-] y) (norm m) c (Rle_refl _) N) as [K _].
    replace (dot m (x [-] y)) with (dot m x - dot m y) in K by vring. lra.
  - eapply Rle_trans; [apply (box_along lo hi)|exact H].
    destruct C as [K _]. apply K. exact B.
  - eapply Rle_trans; [apply (box_along lo hi)|exact H].
    destruct C as [K _]. apply K. destruct B as [k [[P|P] Q]]; [left|right]; now exists k.
  - destruct B as [k [[] _]].
Qed.

(* L7, boxes: six supports make one. *)
Theorem L7_box lo hi t : covers t ->
  reach t ex (X hi) -> reach t ey (Y hi) -> reach t ez (Z hi) ->
  reach t (-1 [*] ex) (- X lo) -> reach t (-1 [*] ey) (- Y lo) -> reach t (-1 [*] ez) (- Z lo) ->
  forall x, beneath t x -> in_box lo hi x.
Proof.
  intros C H1 H2 H3 H4 H5 H6 x B.
  assert (K : forall m h, reach t m h -> dot m x <= h) by (intros m h H; now apply (L6_reach t)).
  generalize (K _ _ H1) (K _ _ H2) (K _ _ H3) (K _ _ H4) (K _ _ H5) (K _ _ H6).
  unfold in_box, dot, ex, ey, ez; simpl. lra.
Qed.

(* L7: what stands beneath what; nodes speak about all primitives beneath their descendants. *)
Inductive below : tree -> tree -> Prop :=
| below_self t : below t t
| below_node_left s l c a b : below s a -> below s (Node l c a b)
| below_node_right s l c a b : below s b -> below s (Node l c a b)
| below_body s lo hi t : below s t -> below s (Body lo hi t)
| below_group_left s lo hi a b : below s a -> below s (Group lo hi a b)
| below_group_right s lo hi a b : below s b -> below s (Group lo hi a b).
Theorem L7 s t l : below s t -> part s l -> part t l.
Proof. intros H; induction H; simpl; auto. Qed.
Lemma L7_beneath s t x : below s t -> beneath s x -> beneath t x.
Proof. intros H [l [P Q]]. exists l. split; [now apply (L7 s t)|exact Q]. Qed.
Theorem L7_covers s t : below s t -> covers t -> covers s.
Proof. intros H; induction H; simpl; tauto. Qed.

(* Opening a node: its children, without those beneath which nothing is checked. *)
Fixpoint nothing t :=
  match t with
  | Prim _ | Node _ _ _ _ => false
  | Body _ _ t => nothing t
  | Group _ _ a b => nothing a && nothing b
  | Skipped => true
  end.
Definition children t :=
  match t with
  | Prim _ | Skipped => nil
  | Node _ _ a b => a :: b :: nil
  | Body _ _ t => t :: nil
  | Group _ _ a b => filter (fun t => negb (nothing t)) (a :: b :: nil)
  end.
Lemma nothing_beneath t l : nothing t = true -> ~ part t l.
Proof.
  induction t; simpl; try discriminate; auto.
  rewrite andb_true_iff. intros [A B] [H|H]; [now apply IHt1|now apply IHt2].
Qed.
Lemma children_below t c : In c (children t) -> below c t.
Proof.
  destruct t; cbn [children]; try (intros []; fail).
  - intros [<-|[<-|[]]]; [apply below_node_left|apply below_node_right]; apply below_self.
  - intros [<-|[]]. apply below_body, below_self.
  - intros H. apply filter_In in H as [[<-|[<-|[]]] _];
      [apply below_group_left|apply below_group_right]; apply below_self.
Qed.
Lemma below_transitive a b c : below a b -> below b c -> below a c.
Proof.
  intros H K; revert H. induction K; intros H; auto.
  - now apply below_node_left, IHK.
  - now apply below_node_right, IHK.
  - now apply below_body, IHK.
  - now apply below_group_left, IHK.
  - now apply below_group_right, IHK.
Qed.

(* L7: the children together have every primitive of the node. *)
Theorem L7_children t l : children t <> nil -> part t l -> exists c, In c (children t) /\ part c l.
Proof.
  intros N P. destruct t as [k|k c a b|lo hi t|lo hi a b|]; cbn [children part] in *; try tauto.
  - destruct P as [P|P]; [exists a|exists b]; simpl; auto.
  - exists t. simpl; auto.
  - assert (K : forall c, part c l -> In c (a :: b :: nil) ->
      In c (filter (fun t => negb (nothing t)) (a :: b :: nil))).
    { intros c Pc Ic. apply filter_In. split; [exact Ic|].
      destruct (nothing c) eqn:E; [|reflexivity]. exfalso. now apply (nothing_beneath c l). }
    destruct P as [P|P]; [exists a|exists b]; (split; [apply K; simpl; auto|exact P]).
Qed.

(* L4: balls around all that is beneath a node: by the vertices of its primitives, by its box. *)
Definition ball_holds c r t := forall x, beneath t x -> norm (x [-] c) <= r.
Theorem L4_vertices c r t : (forall l v, part t l -> In v l -> exists s,
    (forall u, dot u u <= 1 -> norm (offset v u) <= s) /\ norm (at_ v [-] c) + s <= r) ->
  ball_holds c r t.
Proof.
  intros H x [l [P Q]]. revert Q. apply hull_ball. intros y [v [I [u [U ->]]]].
  destruct (H l v P I) as [s [S N]].
  eapply Rle_trans; [apply (norm_triangle _ (at_ v))|].
  replace (at_ v [+] offset v u [-] at_ v) with (offset v u) by (destruct (offset v u); vring).
  generalize (S u U). lra.
Qed.
Theorem L4_box c r t lo hi : (forall x, beneath t x -> in_box lo hi x) ->
  0 <= r -> (forall x, in_box lo hi x -> dot (x [-] c) (x [-] c) <= r * r) -> ball_holds c r t.
Proof. intros B R H x P. apply norm_le; auto. Qed.

(* A body's placement on its frame: its geometry's vertices, carried there. Supports may be taken
   in the geometry's own axes. *)
Definition placed_vertex F v :=
  {| at_ := app F (at_ v); ax := lin F (ax v); ay := lin F (ay v); az := lin F (az v) |}.
Fixpoint placed F t :=
  match t with
  | Prim l => Prim (map (placed_vertex F) l)
  | Node l c a b => Node (map (placed_vertex F) l) c (placed F a) (placed F b)
  | t => t
  end.
Theorem placed_reach F m v :
  vertex_reach m (placed_vertex F v) = vertex_reach (unlin F m) v + dot m (ct F).
Proof.
  unfold vertex_reach, placed_vertex, along, app; simpl. rewrite !dot_lin.
  replace (dot m (lin F (at_ v) [+] ct F)) with (dot m (lin F (at_ v)) + dot m (ct F)) by vring.
  rewrite dot_lin. ring.
Qed.
