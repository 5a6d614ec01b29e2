(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   L8, in the proof of all pairs: what is owed at starts, and what VERIFIED then says about bodies
   with all that is inside them. *)
Require Import Reals Lra Lia List Bool ZArith FunctionalExtensionality.
From Vouch Require Import Vector Isometry Model Path Frames Hull Plane Leaf Margin Growth Solid
  Span.
From Vouch Require Import Inside Proof.
Import ListNotations.
Open Scope R_scope.

(* A surface without points has no inside. *)
Lemma nothing_inside c p : (forall x, ~ surface c x) -> winding c p = 0%Z.
Proof.
  intros H. destruct (winding_far c) as [r F].
  rewrite (winding_constant c p (V (Rmax r 0) 0 0)); [|intros t _; apply H]. apply F.
  assert (N : norm (V (Rmax r 0) 0 0) = Rmax r 0).
  { unfold norm, dot; simpl.
    replace (Rmax r 0 * Rmax r 0 + 0 * 0 + 0 * 0) with (Rsqr (Rmax r 0)) by (unfold Rsqr; ring).
    apply sqrt_Rsqr, Rmax_r. }
  rewrite N. apply Rmax_l.
Qed.
Lemma beyond_any c n p : (forall x, surface c x -> dot n x < dot n p) ->
  (exists h, h < dot n p /\ forall x, surface c x -> dot n x <= h) -> winding c p = 0%Z.
Proof.
  intros L [h [Hh H]]. destruct (Req_dec (norm n) 0) as [Z|Z].
  - apply nothing_inside. intros x S. specialize (L x S).
    assert (n = zero) as -> by now apply norm_is_zero.
    replace (dot zero x) with 0 in L by vring. replace (dot zero p) with 0 in L by vring. lra.
  - apply (beyond c n h); auto. generalize (norm_pos n). lra.
Qed.

Section World.
Variable frames : nat -> frame.
Hypothesis Ordered : ordered frames.
Variable segs : nat -> segment.
Notation planned := (at_moment segs).
Notation world := (world frames).
Variable tol : config.
Hypothesis tol_pos : forall v, 0 <= tol v.
Variables ahead per_knot : R.
Hypothesis per_knot_pos : 0 <= per_knot.
Hypothesis ahead_pos : forall m, 0 <= clock segs ahead per_knot m.
Notation seconds := (clock segs ahead per_knot).
Variables N low : R.
Hypothesis N_pos : 0 < N.
Notation goal_ok := (goal_ok frames segs tol).
Notation leaf_ok := (leaf_ok frames segs (fun _ => tol) ahead per_knot N low).

(* Which nodes are the roots of bodies, and the solids of these; body roots are not nested. *)
Variable body_root : tree -> Prop.
Variable solids_of : tree -> list solid.
Hypothesis solids_beneath : forall t c p, In c (solids_of t) -> surface c p -> beneath t p.
Hypothesis not_nested : forall s t, body_root t -> body_root s -> below s t -> s = t.

(* Neither body, where their surfaces are apart, is inside a solid of the other. *)
Definition outside (c : claim) (x : config) (ta tb : tree) : Prop :=
  (forall p y, beneath ta p -> beneath tb y -> place (steps c) x p <> y) ->
  (forall ca y, In ca (solids_of ta) -> beneath tb y ->
     winding ca (back frames (frame_a (about c)) (frame_b (about c)) x y) = 0%Z) /\
  (forall cb p, In cb (solids_of tb) -> beneath ta p -> winding cb (place (steps c) x p) = 0%Z).
(* That, at the start k, for all bodies beneath a goal. *)
Definition all_outside (g : goal) (k : nat) : Prop := forall ta ub tb,
  body_root ta -> below ta (node_a g) -> node_b g = Tree ub -> body_root tb -> below tb ub ->
  outside (of g) (planned (k, 0)) ta tb.

(* A start is not inside a span on which goals are closed or opened. *)
Definition is_start k := k = 0%nat \/ ~ no_start segs (k - 1).
Lemma start_first s k : runs segs s -> is_start k -> inside s (k, 0) -> first_moment s = (k, 0).
Proof.
  intros Rs St I. destruct s as [i n|j x y]; cbn [inside first_moment fst snd] in *.
  - destruct I as [I _]. destruct (Nat.eq_dec i k) as [->|Ne]; [reflexivity|]. exfalso.
    destruct Rs as [_ C]. destruct (C (k - 1)%nat ltac:(lia)) as [_ Ns].
    destruct St as [->|St]; [lia|now apply St].
  - destruct I as [-> I]. destruct Rs as [_ [R0 _]]. f_equal. lra.
Qed.

(* L8, "why only at starts": a leaf that closes a goal at a start shows that all beneath it is on
   two sides of a plane. *)
Theorem leaf_outside s g k : goal_ok g -> 0 <= margin (about (of g)) -> leaf_ok s g ->
  first_moment s = (k, 0) -> all_outside g k.
Proof.
  intros Ok M0 [speed [bend [variation [half [f [_ [_ [_ [_ [_ [_ [Ga [_ [Pa _]]]]]]]]]]]]]] Fs.
  intros ta ub tb _ Ba Eb _ Bb _. rewrite Fs in Ga.
  assert (H := gap_ok_holds frames Ordered segs (fun _ => tol) tol ahead per_knot N low s g _ _ _
    Ok Ga).
  destruct Ok as [[Wk [Wa [Wb [[most [c0 [r0 [e [r [R0 [Mo [Ra Ib]]]]]]]] _]]]] _].
  set (x := planned (k, 0)) in *. set (n := dir_a f) in *.
  assert (RP : radii_positive (steps (of g))).
  { apply (balls_positive most c0 r0 _ e r Ra R0). intros v.
    generalize (Mo 0%nat v 0%nat ltac:(lia)) (Rabs_pos (b (segs 0%nat) v 0%nat)) (tol_pos v). lra. }
  assert (Owed : 0 <= owed_at segs ahead per_knot N low (of g) (k, 0) + N * travel (steps
    (of g)) tol).
  { unfold owed_at, charge. destruct (Rle_dec 0 (margin (about (of g)))) as [_|L]; [|lra].
    assert (0 <= N * margin (about (of g))) by (apply Rmult_le_pos; lra).
    assert (0 <= N * travel (steps (of g)) tol) by (apply Rmult_le_pos; [lra|now apply travel_pos]).
    assert (0 <= N * ((growth_a (about (of g)) + growth_b (about (of g))) * (seconds (k, 0) + 0))).
    { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|]. generalize (ahead_pos (k, 0)). lra. }
    lra. }
  assert (Sides : forall p y, beneath ta p -> beneath tb y ->
    gap_a f <= dot n y - dot n (place (steps (of g)) x p)).
  { intros p y Hp Hy. assert (Hy' : in_shape (node_b g) y).
    { rewrite Eb. destruct Hy as [l [Pl Q]]. exists (hull_of l). split; [|exact Q].
      exists l. split; [now apply (L7 tb ub)|reflexivity]. }
    generalize (H p y (L7_beneath _ _ p Ba Hp) Hy'). lra. }
  split.
  - intros ca y Ic Hy.
    destruct (place_pose frames Ordered _ _ _ Wk x) as [F [Fp Fb]].
    rewrite <- Fb. change (winding (carried_solid F ca) y = 0%Z).
    apply (beyond_any (carried_solid F ca) n).
    + intros z Hz. simpl in Hz. generalize (Sides _ y (solids_beneath ta ca _ Ic Hz) Hy).
      rewrite <- Fp, app_inverse. lra.
    + exists (dot n y - gap_a f). split; [lra|]. intros z Hz. simpl in Hz.
      generalize (Sides _ y (solids_beneath ta ca _ Ic Hz) Hy). rewrite <- Fp, app_inverse. lra.
  - intros cb p Ic Hp. apply (beyond_any cb (-1 [*] n)).
    + intros z Hz. generalize (Sides p z Hp (solids_beneath tb cb _ Ic Hz)).
      replace (dot (-1 [*] n) z) with (- dot n z) by vring.
      replace (dot (-1 [*] n) (place (steps (of g)) x p))
        with (- dot n (place (steps (of g)) x p)) by vring. lra.
    + exists (- (dot n (place (steps (of g)) x p) + gap_a f)).
      replace (dot (-1 [*] n) (place (steps (of g)) x p))
        with (- dot n (place (steps (of g)) x p)) by vring.
      split; [lra|]. intros z Hz. generalize (Sides p z Hp (solids_beneath tb cb _ Ic Hz)).
      replace (dot (-1 [*] n) z) with (- dot n z) by vring. lra.
Qed.

(* A body root that is strictly beneath a node is beneath one of its children, or nothing of it is
   checked. *)
Lemma below_child s t : below s t -> s <> t -> (exists c, In c (children t) /\ below s c) \/
  forall p, ~ beneath s p.
Proof.
  intros H Ne. destruct H as [t|s l c a b H|s l c a b H|s lo hi t H|s lo hi a b H|s lo hi a b H].
  - now elim Ne.
  - left. exists a. split; [now left|exact H].
  - left. exists b. split; [right; now left|exact H].
  - left. exists t. split; [now left|exact H].
  - destruct (nothing a) eqn:E.
    + right. intros p [k [K _]]. apply (nothing_beneath a k E). now apply (L7 s a).
    + left. exists a. split; [|exact H]. cbn [children]. apply filter_In.
      split; [now left|now rewrite E].
  - destruct (nothing b) eqn:E.
    + right. intros p [k [K _]]. apply (nothing_beneath b k E). now apply (L7 s b).
    + left. exists b. split; [|exact H]. cbn [children]. apply filter_In.
      split; [right; now left|now rewrite E].
Qed.
Lemma nothing_outside c x ta tb : (forall p, ~ beneath ta p) \/ (forall p, ~ beneath tb p) ->
  outside c x ta tb.
Proof.
  intros [H|H] _; split.
  - intros ca y Ic _. apply nothing_inside. intros z S. exact (H z (solids_beneath ta ca z Ic S)).
  - intros cb p _ Hp. elim (H p Hp).
  - intros ca y _ Hy. elim (H y Hy).
  - intros cb p Ic _. apply nothing_inside. intros z S. exact (H z (solids_beneath tb cb z Ic S)).
Qed.

Section Reading.
Variables leaf_data ray_data : Type.
Variable leaf_check : span -> goal -> leaf_data -> bool.
Variable outside_check : span -> bool -> goal -> ray_data -> bool.
Variables jumps skips : span -> bool.
Variable last : nat.
Definition owed_until (m : moment) := (fst m <= last)%nat.
Hypothesis jumps_ok : forall s, jumps s = false -> runs segs s.
Hypothesis skips_ok : forall s m, skips s = true -> inside s m -> ~ owed_until m.
Hypothesis leaf_check_ok : forall s g l, runs segs s -> goal_ok g -> leaf_check s g l = true ->
  leaf_ok s g.
(* What the test of rays ensures where a span begins at a start: the rays of two body roots show
   that they are outside; and a body root is not opened while the other side is still a group, for
   then the two roots would never stand against each other. *)
Hypothesis rays_ok : forall s side g rays k ub, runs segs s -> first_moment s = (k, 0) ->
  is_start k -> goal_ok g -> outside_check s side g rays = true -> node_b g = Tree ub ->
  (body_root (node_a g) -> body_root ub -> outside (of g) (planned (k, 0)) (node_a g) ub) /\
  (side = false -> body_root (node_a g) -> forall tb, body_root tb -> below tb ub -> tb = ub) /\
  (side = true -> body_root ub -> forall ta, body_root ta -> below ta (node_a g) -> ta = node_a g).

Notation pass := (pass leaf_data ray_data leaf_check outside_check jumps skips).
Notation prove := (prove leaf_data ray_data leaf_check outside_check jumps skips).

(* Opening a goal at a start. *)
Lemma opened_outside s side g rays k : runs segs s -> first_moment s = (k, 0) -> is_start k ->
  goal_ok g -> outside_check s side g rays = true ->
  (forall h, In h (opened side g) -> all_outside h k) -> all_outside g k.
Proof.
  intros Rs Fs St Ok Oc H ta ub tb Ra Ba Eb Rb Bb.
  destruct (rays_ok s side g rays k ub Rs Fs St Ok Oc Eb) as [K1 [K2 K3]].
  destruct (Classical_Prop.classic (ta = node_a g)) as [Ea|Na],
    (Classical_Prop.classic (tb = ub)) as [Et|Nb].
  - subst ta tb. now apply K1.
  - (* the other side is a group: this root was not opened *)
    subst ta. destruct side; [|elim Nb; now apply K2].
    destruct (below_child tb ub Bb Nb) as [[c [Ic Bc]]|E]; [|apply nothing_outside; now right].
    apply (H (with_b g c)) with (ub := c); auto.
    unfold opened. rewrite Eb. now apply in_map.
  - subst tb. destruct side; [elim Na; now apply K3|].
    destruct (below_child ta _ Ba Na) as [[c [Ic Bc]]|E]; [|apply nothing_outside; now left].
    apply (H (with_a g c)) with (ub := ub); auto. unfold opened. now apply in_map.
  - destruct side.
    + destruct (below_child tb ub Bb Nb) as [[c [Ic Bc]]|E]; [|apply nothing_outside; now right].
      apply (H (with_b g c)) with (ub := c); auto. unfold opened. rewrite Eb. now apply in_map.
    + destruct (below_child ta _ Ba Na) as [[c [Ic Bc]]|E]; [|apply nothing_outside; now left].
      apply (H (with_a g c)) with (ub := ub); auto. unfold opened. now apply in_map.
Qed.

(* The second invariant of section 3: at each start of a span, all bodies beneath the goals. *)
Definition margin_pos (g : goal) := 0 <= margin (about (of g)).
Definition begun s g := forall k, is_start k -> inside s (k, 0) -> owed_until (k, 0) ->
  all_outside g k.
Definition good_goal g := goal_ok g /\ margin_pos g.
Lemma opened_good side g h : good_goal g -> In h (opened side g) -> good_goal h.
Proof.
  intros [G M] I. split; [now apply (opened_ok frames segs tol side g)|].
  unfold margin_pos in *. replace (of h) with (of g); [exact M|].
  unfold opened in I. destruct side; [destruct (node_b g); try destruct I|];
    apply in_map_iff in I as [c [<- _]]; reflexivity.
Qed.
Lemma pass_begun : forall fuel s gs waiting input w rest,
  pass fuel s gs waiting input = Some (w, rest) ->
  (forall g, In g gs -> good_goal g) -> (forall g, In g waiting -> good_goal g) ->
  (forall g, In g w -> good_goal g) /\
  ((forall g, In g w -> begun s g) -> forall g, In g gs \/ In g waiting -> begun s g).
Proof.
  induction fuel as [|fuel IH]; intros s [|g gs] waiting input w rest H G Gw; cbn [Proof.pass] in H;
    try discriminate.
  1,2: injection H as <- <-; split; [exact Gw|intros K g [[]|I]; auto].
  assert (Gs : forall h, In h gs -> good_goal h) by (intros h I; apply G; now right).
  assert (Gg := G g (or_introl eq_refl)).
  destruct input as [|[| |l|side one rays] input]; try discriminate.
  - assert (Gw' : forall h, In h (waiting ++ [g]) -> good_goal h)
      by (intros h I; apply in_app_or in I as [I|[<-|[]]]; auto).
    destruct (IH _ _ _ _ _ _ H Gs Gw') as [A B]. split; [exact A|]. intros K h I. apply (B K).
    destruct I as [[<-|I]|I]; [right; apply in_or_app; right; now left|now left|
      right; apply in_or_app; now left].
  - destruct (skips s) eqn:Sk; [|discriminate].
    destruct (IH _ _ _ _ _ _ H Gs Gw) as [A B]. split; [exact A|]. intros K h [[<-|I]|I]; auto.
    intros k _ Ik Ok. exfalso. now apply (skips_ok s (k, 0)).
  - destruct (jumps s) eqn:J; [discriminate|]. destruct (leaf_check s g l) eqn:L; [|discriminate].
    simpl in H. destruct (IH _ _ _ _ _ _ H Gs Gw) as [A B]. split; [exact A|].
    intros K h [[<-|I]|I]; auto. intros k St Ik _. assert (Rs := jumps_ok s J).
    destruct Gg as [Gg Mg]. apply (leaf_outside s g k Gg Mg); [now apply (leaf_check_ok s g l)|].
    now apply start_first.
  - destruct (jumps s) eqn:J; [discriminate|]. cbn [negb andb] in H.
    destruct (Nat.eqb (length (opened side g)) (if one then 1 else 2)); [|discriminate].
    destruct (outside_check s side g rays) eqn:Oc; [|discriminate]. cbn [andb] in H.
    assert (Go : forall h, In h (gs ++ opened side g) -> good_goal h).
    { intros h I. apply in_app_or in I as [I|I]; [auto|now apply (opened_good side g)]. }
    destruct (IH _ _ _ _ _ _ H Go Gw) as [A B]. split; [exact A|]. intros K h [[<-|I]|I].
    + intros k St Ik Ok. assert (Rs := jumps_ok s J).
      apply (opened_outside s side g rays k); auto; [now apply start_first|apply Gg|].
      intros h Ih. apply (B K); auto. left. apply in_or_app. now right.
    + apply (B K). left. apply in_or_app. now left.
    + apply (B K). now right.
Qed.
Theorem prove_begun : forall depth s gs input rest, prove depth s gs input = Some rest ->
  (forall g, In g gs -> good_goal g) -> forall g, In g gs -> begun s g.
Proof.
  induction depth as [|depth IH]; intros s gs input rest H G g I; [discriminate|].
  cbn [Proof.prove] in H.
  destruct (pass (length input) s gs [] input) as [[w r]|] eqn:P; [|discriminate].
  destruct (pass_begun _ _ _ _ _ _ _ P G) as [Gw Q]. { intros ? []. }
  apply Q; [|now left]. clear g I. intros g I. destruct w as [|h w]; [destruct I|].
  destruct (prove depth (fst (split s)) (h :: w) r) as [r1|] eqn:P1; [|discriminate].
  intros k St Ik Ok. destruct (split_covers s (k, 0) Ik) as [K|K].
  - exact (IH _ _ _ _ P1 Gw g I k St K Ok).
  - exact (IH _ _ _ _ H Gw g I k St K Ok).
Qed.

(* The motion as it is validated: segments follow each other in time. *)
Hypothesis segments_good : forall j, (j <= last)%nat -> good segs j.
Hypothesis segments_follow : forall j, (j < last)%nat -> t0 (segs (S j)) = t1 (segs j).

(* The last start before a moment. *)
Lemma last_start j : (j <= last)%nat -> exists i, (i <= j)%nat /\ is_start i /\
  runs segs (Run i (j - i)).
Proof.
  induction j as [|j IH]; intros L.
  - exists 0%nat. split; [lia|split; [now left|]]. split; intros h H; [apply segments_good|]; lia.
  - destruct (Classical_Prop.classic (no_start segs j)) as [Ns|St].
    + destruct IH as [i [Le [Si [G C]]]]; [lia|]. exists i. split; [lia|split; [exact Si|]].
      split; intros h H; [apply segments_good; lia|].
      destruct (Nat.eq_dec h j) as [->|]; [split; [apply segments_follow; lia|exact Ns]|].
      apply C. lia.
    + exists (S j). split; [lia|split].
      * right. now replace (S j - 1)%nat with j by lia.
      * split; intros h H; [apply segments_good|]; lia.
Qed.

(* Points of nodes are as far apart as their promise says. *)
Lemma clear_distance g m x p y : clear frames segs (fun m => deviates tol
  (planned m)) ahead per_knot g m ->
  claim_ok frames segs tol (of g) -> deviates tol (planned m) x ->
  beneath (node_a g) p -> in_shape (node_b g) y ->
  margin (about (of g)) + (growth_a (about (of g)) + growth_b (about (of g))) * seconds m
    < norm (app (world (frame_a (about (of g))) x) p [-] app (world (frame_b (about (of g))) x) y).
Proof.
  intros [e [E H]] [_ [Ga [Gb _]]] D [l [Pl Ql]] [B [PB QB]].
  destruct (H x D l B Pl PB) as [u [U K]]. assert (S := ahead_pos m).
  set (ra := growth_a (about (of g)) * seconds m) in *.
  set (rb := growth_b (about (of g)) * seconds m) in *.
  assert (Ra : 0 <= ra) by (now apply Rmult_le_pos). assert (Rb : 0 <= rb) by
    (now apply Rmult_le_pos).
  assert (Nu := norm_unit u U).
  set (z := app (world (frame_a (about (of g))) x) p).
  set (w := app (world (frame_b (about (of g))) x) y).
  (* the points of the two balls that are nearest along u *)
  assert (Q : margin (about (of g)) + e <= dot u ((w [-] rb [*] u) [-] (z [+] ra [*] u))).
  { apply K.
    - exists z. split; [exists p; split; [exact Ql|apply world_in_world]|].
      replace (z [+] ra [*] u [-] z) with (ra [*] u) by vring.
      rewrite norm_scale, Rabs_pos_eq, Nu by exact Ra. lra.
    - exists w. split; [exists y; split; [exact QB|apply world_in_world]|].
      replace (w [-] rb [*] u [-] w) with ((- rb) [*] u) by vring.
      rewrite norm_scale, Rabs_Ropp, Rabs_pos_eq, Nu by exact Rb. lra. }
  replace (dot u (w [-] rb [*] u [-] (z [+] ra [*] u)))
    with (dot u (w [-] z) - (ra + rb) * dot u u) in Q by vring.
  rewrite U in Q. rewrite norm_sub_sym.
  destruct (dot_bound u (w [-] z) 1 (norm (w [-] z))) as [L _]; [lra|lra|].
  unfold ra, rb in Q. lra.
Qed.

(* What a body means: its primitives, and all that is inside its solids. *)
Definition meant t p := beneath t p \/ exists c, In c (solids_of t) /\ filled c p.

(* VERIFIED, with insides: at every moment, for all deviations, each two bodies beneath a checked
   pair, filled, are more than margin and growth apart. *)
Theorem verified_filled claims depth input :
  (forall c, In c claims -> claim_ok frames segs tol c /\ claim_complete c /\ 0 <= margin
    (about c)) ->
  prove depth (Run 0 last) (roots claims) input = Some [] ->
  forall c, In c claims -> forall ub, shape_b c = Tree ub ->
  forall ta tb, body_root ta -> below ta (tree_a c) -> body_root tb -> below tb ub ->
  forall j u, (j <= last)%nat -> 0 <= u <= 1 ->
  forall x, deviates tol (planned (j, u)) x -> forall p y, meant ta p -> meant tb y ->
  margin (about c) + (growth_a (about c) + growth_b (about c)) * seconds (j, u)
    < norm (app (world (frame_a (about c)) x) p [-] app (world (frame_b (about c)) x) y).
Proof.
  intros Gc H c Ic ub Eb ta tb Ra Ba Rb Bb j u J U x Dx p y Hp Hy.
  destruct (Gc c Ic) as [Ok [_ M0]].
  destruct (has_goal c) eqn:Hg.
  2:{ (* nothing is checked beneath one of the two: nothing is meant there *)
    exfalso. assert (E : (forall z, ~ beneath ta z) \/ (forall z, ~ beneath tb z)).
    { unfold has_goal in Hg. rewrite Eb in Hg. apply andb_false_iff in Hg as [Z|Z];
        apply negb_false_iff in Z; [left|right]; intros z [l [Pl _]].
      - apply (nothing_beneath (tree_a c) l Z). now apply (L7 ta).
      - apply (nothing_beneath ub l Z). now apply (L7 tb). }
    assert (No : forall t z, (forall q, ~ beneath t q) -> meant t z -> False).
    { intros t z Em [K|[s [Is [K|K]]]]; [now apply (Em z)|now apply (Em z), (solids_beneath t s)|].
      apply K, nothing_inside. intros q S. exact (Em q (solids_beneath t s q Is S)). }
    destruct E as [E|E]; [now apply (No ta p)|now apply (No tb y)]. }
  assert (Good : forall g, In g (roots claims) -> good_goal g).
  { intros g K. apply in_map_iff in K as [d [<- Id]]. apply filter_In in Id as [Id _].
    destruct (Gc d Id) as [Od [_ Md]]. split; [now apply root_ok|exact Md]. }
  assert (Ir : In (root c) (roots claims)) by (apply in_map; now apply filter_In).
  (* the surfaces, at all moments *)
  assert (Clear : forall h w, (h <= last)%nat -> 0 <= w <= 1 ->
    clear frames segs (fun m => deviates tol (planned m)) ahead per_knot (root c) (h, w)).
  { intros h w L W. apply (prove_sound frames Ordered segs (fun m => deviates tol (planned m))
      (fun _ => tol) tol (fun _ => tol_pos) (fun _ _ => Rle_refl _) (fun _ _ _ _ D => D)
      ahead per_knot per_knot_pos N low N_pos leaf_data ray_data leaf_check outside_check jumps
        skips
      owed_until jumps_ok skips_ok leaf_check_ok depth _ _ _ _ H (fun g I => proj1 (Good g I))
      (root c) Ir (h, w)); [simpl; split; [lia|exact W]|exact L]. }
  assert (In_b : forall z, beneath tb z -> in_shape (node_b (root c)) z).
  { intros z [l [Pl Q]]. exists (hull_of l). split; [|exact Q]. simpl. rewrite Eb.
    exists l. split; [now apply (L7 tb ub)|reflexivity]. }
  assert (Far : forall h w z q v, (h <= last)%nat -> 0 <= w <= 1 -> deviates tol (planned
    (h, w)) z ->
    beneath ta q -> beneath tb v -> margin (about c)
      + (growth_a (about c) + growth_b (about c)) * seconds (h, w) < norm (place
        (steps c) z q [-] v)).
  { intros h w z q v L W D Hq Hv.
    rewrite (place_distance frames Ordered _ _ _ (proj1 Ok)).
    apply (clear_distance (root c) (h, w) z q v (Clear h w L W) Ok D); [|now apply In_b].
    now apply (L7_beneath ta). }
  set (mu := fun m => margin (about c) + (growth_a (about c) + growth_b (about c)) * seconds m).
  assert (Mu : forall m, 0 <= mu m).
  { intros m. destruct Ok as [_ [Wa [Wb _]]].
    assert (0 <= (growth_a (about c) + growth_b (about c)) * seconds m)
      by (apply Rmult_le_pos; [lra|apply ahead_pos]). unfold mu. lra. }
  (* the start before the moment, and a path from there *)
  destruct (last_start j J) as [i [Le [Si Rs]]].
  assert (Out : outside c (planned (i, 0)) ta tb).
  { apply (prove_begun _ _ _ _ _ H Good (root c) Ir i Si) with (ub := ub); auto.
    - simpl. split; [lia|lra].
    - unfold owed_until. simpl. lia. }
  destruct Out as [Out_a Out_b].
  { intros q v Hq Hv K.
    assert (D : deviates tol (planned (i, 0)) (planned (i, 0)))
      by (intros w; rewrite Rminus_diag_eq, Rabs_R0 by reflexivity; auto).
    generalize (Far i 0 _ q v ltac:(lia) ltac:(lra) D Hq Hv) (Mu (i, 0)).
    rewrite K, sub_self, norm_zero. unfold mu. lra. }
  destruct (motion_joined segs tol tol_pos i j u x Le U Rs Dx) as [g [Gt [G0 [G1 GQ]]]].
  assert (E0 : g 0 = planned (i, 0)) by (apply functional_extensionality; exact G0).
  assert (E1 : g 1 = x) by (apply functional_extensionality; exact G1).
  assert (Off : forall t, 0 <= t <= 1 -> forall q v, beneath ta q -> beneath tb v ->
    0 < norm (place (steps c) (g t) q [-] v)).
  { intros t T q v Hq Hv. destruct (GQ t T) as [h [w [H1 [H2 [_ H4]]]]].
    generalize (Far h w (g t) q v ltac:(lia) H2 H4 Hq Hv) (Mu (h, w)). unfold mu. lra. }
  assert (End : forall q v, beneath ta q -> beneath tb v ->
    mu (j, u) < norm (place (steps c) (g 1) q [-] v)) by (intros; rewrite E1; now apply Far).
  assert (Wk := proj1 Ok).
  change (mu (j, u) < norm (app (world (frame_a (about c)) x) p
    [-] app (world (frame_b (about c)) x) y)).
  rewrite <- (place_distance frames Ordered _ _ _ Wk), <- E1.
  assert (Not_b : forall q cb, In cb (solids_of tb) -> beneath ta q ->
    forall t, 0 <= t <= 1 -> ~ surface cb (place (steps c) (g t) q)).
  { intros q cb Icb Hq t T K. generalize (Off t T q _ Hq (solids_beneath tb cb _ Icb K)).
    rewrite sub_self, norm_zero. lra. }
  assert (Not_a : forall v ca, In ca (solids_of ta) -> beneath tb v -> forall t, 0 <= t <= 1 ->
    ~ surface ca (back frames (frame_a (about c)) (frame_b (about c)) (g t) v)).
  { intros v ca Ica Hv t T K. generalize (Off t T _ v (solids_beneath ta ca _ Ica K) Hv).
    rewrite (place_back frames Ordered _ _ _ Wk), sub_self, norm_zero. lra. }
  destruct Hp as [Hp|[ca [Ica Fa]]], Hy as [Hy|[cb [Icb Fb]]].
  - now apply End.
  - apply (L8_point_b (steps c) g Gt (mu (j, u)) cb p); auto.
    + rewrite E0. now apply Out_b.
    + intros v Hv. apply End; auto. now apply (solids_beneath tb cb).
  - apply (L8_point_a frames Ordered _ _ _ Wk g Gt (mu (j, u)) ca y); auto.
    + rewrite E0. now apply Out_a.
    + intros q Hq. apply End; auto. now apply (solids_beneath ta ca).
  - apply (L8_solids frames Ordered _ _ _ Wk g Gt (mu (j, u)) ca cb); auto.
    + intros t T q v Hq Hv. apply Off; [exact T|..];
        [now apply (solids_beneath ta ca)|now apply (solids_beneath tb cb)].
    + intros q v Hq Hv. apply End; [now apply (solids_beneath ta ca)|now apply
      (solids_beneath tb cb)].
    + intros q Hq. rewrite E0. apply Out_b; [exact Icb|now apply (solids_beneath ta ca)].
    + intros v Hv. rewrite E0. apply Out_a; [exact Ica|now apply (solids_beneath tb cb)].
Qed.
End Reading.
End World.
