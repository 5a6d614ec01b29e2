(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   Section 3: the proof of all pairs, as it stands in a certificate, and what an accepted one
   means. Nothing is left out: every op puts in the place of its goal what covers it. *)
Require Import Reals Lra Lia List Bool.
From Vouch Require Import Vector Isometry Model Path Frames Hull Plane Leaf Margin Growth Span.
Import ListNotations.
Open Scope R_scope.

(* A pair of the problem with what a checker loads for it: trees over its primitives, and the path
   from the frame of a to the frame of b with its radii. *)
Record claim := { about : pair; tree_a : tree; shape_b : shape; steps : path }.
(* A goal: nodes of the two. *)
Record goal := { of : claim; node_a : tree; node_b : shape }.

(* Poses of isometries do not change what apart_along says. *)
Lemma apart_carried d F (A B : vec -> Prop) :
  apart_along d A B -> apart_along d (carried F A) (carried F B).
Proof.
  intros [u [U H]]. exists (lin F u). split; [now rewrite lin_dot|].
  intros x y [p [Ap ->]] [q [Bq ->]]. rewrite app_sub, lin_dot. now apply H.
Qed.
Lemma grown_carried r F (A : vec -> Prop) z : grown r (carried F A) z -> carried F (grown r A) z.
Proof.
  intros [p [[q [Aq ->]] D]]. exists (app (inverse F) z). split; [|now rewrite app_inverse].
  exists q. split; [exact Aq|]. now rewrite <- (app_distance F), app_inverse.
Qed.
Lemma grown_more r (A B : vec -> Prop) z : (forall x, A x -> B x) -> grown r A z -> grown r B z.
Proof. intros H [p [Ap D]]. exists p. auto. Qed.

Section World.
Variable frames : nat -> frame.
Hypothesis Ordered : ordered frames.
Variable segs : nat -> segment.
Notation planned := (at_moment segs).
Notation world := (world frames).

(* What is possible at a moment, and how much of it is charged on a span: tolerances, and what
   stops add to them (L12). `reserve` is never exceeded: ranges of slides (L4) are taken with it.
   *)
Variable possible : moment -> config -> Prop.
Variable slack : span -> config.
Variable reserve : config.
Hypothesis slack_pos : forall s v, 0 <= slack s v.
Hypothesis slack_most : forall s v, slack s v <= reserve v.
Hypothesis possible_slack : forall s m x, inside s m -> possible m x ->
  forall v, Rabs (x v - planned m v) <= slack s v.

(* The clock by which bodies grow. *)
Variables ahead per_knot : R.
Hypothesis per_knot_pos : 0 <= per_knot.
Notation seconds := (clock segs ahead per_knot).

(* Directions are at most N long; where a margin is negative, at least `low`. *)
Variables N low : R.
Hypothesis N_pos : 0 < N.

(* What a goal promises at a moment. *)
Definition clear (g : goal) (m : moment) : Prop := exists e, 0 < e /\
  forall x, possible m x -> forall l B, part (node_a g) l -> shape_part (node_b g) B ->
  apart_along (margin (about (of g)) + e)
    (grown (growth_a (about (of g)) * seconds m) (posed frames (frame_a (about (of g))) x
      (hull_of l)))
    (grown (growth_b (about (of g)) * seconds m) (posed frames (frame_b (about (of g))) x B)).

(* What loading a pair ensures: the path (L1), radii (L4), trees (L6, L7) over all primitives. *)
Definition claim_ok (c : claim) : Prop :=
  walk frames (frame_a (about c)) (steps c) (frame_b (about c)) /\
  0 <= growth_a (about c) /\ 0 <= growth_b (about c) /\
  (exists most c0 r0 e r, 0 <= r0 /\
     (forall j v k, (k <= degree (segs j))%nat -> Rabs (b (segs j) v k) + reserve v <= most v) /\
     balls most c0 r0 (steps c) e r /\ ball_holds c0 r0 (tree_a c)) /\
  covers (tree_a c) /\ shape_covers (shape_b c).
Definition claim_complete (c : claim) : Prop :=
  (forall A, primitive_of (body_a (about c)) A -> exists l, part (tree_a c) l /\ A = hull_of l) /\
  (forall B, primitive_of (body_b (about c)) B -> shape_part (shape_b c) B).
Definition goal_ok (g : goal) : Prop :=
  claim_ok (of g) /\ below (node_a g) (tree_a (of g)) /\
  match node_b g, shape_b (of g) with
  | Tree s, Tree t => below s t
  | s, t => s = t
  end.

(* What is owed at a moment besides tolerances, in the scale of gaps. *)
Definition owed_at (c : claim) (m : moment) :=
  charge N low (margin (about c))
    + N * ((growth_a (about c) + growth_b (about c)) * (seconds m + 0)).

(* A gap at one moment, along n in the frame that b rides on: what a checker computes from the
   poses of the two frames and how far the nodes reach. *)
Definition gap_ok (s : span) (g : goal) (m : moment) (n : vec) (gap : R) : Prop :=
  let A := world (frame_a (about (of g))) (planned m) in
  let B := world (frame_b (about (of g))) (planned m) in
  exists far near, reach (node_a g) (unlin A (lin B n)) far /\ shape_near (node_b g) n near /\
  gap + owed_at (of g) m + N * travel (steps (of g)) (slack s)
    <= dot (lin B n) (ct B [-] ct A) - (far + near).

(* A leaf: numbers of which each may be rounded to its safe side. *)
Definition leaf_ok (s : span) (g : goal) : Prop := exists speed bend variation half f,
  bounds_hold segs s speed bend variation half /\ 0 <= seconds (first_moment s) /\
  norm (dir_a f) <= N /\ norm (dir_b f) <= N /\
  long_enough low (margin (about (of g))) (dir_a f) /\
  long_enough low (margin (about (of g))) (dir_b f) /\
  gap_ok s g (first_moment s) (dir_a f) (gap_a f) /\
  gap_ok s g (last_moment s) (dir_b f) (gap_b f) /\
  leaf_holds N (steps (of g)) speed bend variation
    (N * ((growth_a (about (of g)) + growth_b (about (of g)))
      * (seconds (last_moment s) - seconds (first_moment s)))) f.

Lemma goal_covers g : goal_ok g -> covers (node_a g) /\ shape_covers (node_b g).
Proof.
  intros [[_ [_ [_ [_ [Ca Cb]]]]] [Ba Bb]]. split; [now apply (L7_covers _ (tree_a (of g)))|].
  destruct (node_b g) as [s|F|F], (shape_b (of g)) as [t|G|G]; simpl in *;
    try discriminate; auto.
  now apply (L7_covers s t).
Qed.
Lemma gap_ok_holds s g m n gap : goal_ok g -> gap_ok s g m n gap ->
  gap_holds N (steps (of g)) (slack s) n (planned m) gap (owed_at (of g) m)
    (beneath (node_a g)) (in_shape (node_b g)).
Proof.
  intros Ok [far [near [Hf [Hn G]]]] p y Ap By. destruct (goal_covers g Ok) as [Ca Cb].
  destruct Ok as [[Wk _] _]. set (x := planned m) in *.
  assert (E := walk_place frames Ordered _ _ _ x p Wk).
  set (Wa := world (frame_a (about (of g))) x) in *.
  set (Wb := world (frame_b (about (of g))) x) in *.
  set (q := place (steps (of g)) x p) in *.
  assert (K1 : dot (unlin Wa (lin Wb n)) p <= far) by (now apply (L6_reach (node_a g))).
  assert (K2 : - near <= dot n y) by (now apply (L9_near (node_b g) n near)).
  assert (K3 : dot n y - dot n q = dot n y - dot (unlin Wa (lin Wb n)) p
    + dot (lin Wb n) (ct Wb [-] ct Wa)).
  { replace (dot n q) with (dot (lin Wb n) (app Wb q) - dot (lin Wb n) (ct Wb)).
    - rewrite E, <- dot_lin. unfold app. vring.
    - unfold app. rewrite <- (lin_dot Wb n q). vring. }
  rewrite K3. lra.
Qed.

(* Clocks do not run backwards on a span. *)
Lemma clock_rises s : runs segs s -> seconds (first_moment s) <= seconds (last_moment s).
Proof.
  destruct s as [i n|j x y]; intros H; unfold clock; cbn [first_moment last_moment fst snd].
  - assert (P := whole_positive segs i n H). unfold whole_time in P.
    assert (per_knot * t0 (segs i) <= per_knot * t1 (segs (i + n)))
      by (apply Rmult_le_compat_l; lra). lra.
  - destruct H as [[G _] [H1 H2]]. apply Rplus_le_compat_l, Rmult_le_compat_l; [lra|].
    apply Rplus_le_compat_l, Rmult_le_compat_r; lra.
Qed.

(* An accepted leaf keeps its goal's promise at every moment of its span. *)
Theorem leaf_clear s g : runs segs s -> goal_ok g -> leaf_ok s g ->
  forall m, inside s m -> clear g m.
Proof.
  intros Rs Ok [speed [bend [variation [half [f [Bd [S0 [Na [Nb [La [Lb [Ga [Gb Test]]]]]]]]]]]]] m
    I.
  assert (Ok' := Ok).
  destruct Ok' as [[Wk [Wa [Wb [[most [c0 [r0 [c [r [R0 [Mo [Ra Ib]]]]]]]] [Ca Cb]]]]] [Ba Bb]].
  destruct (span_moment segs s half m Rs I) as [t [T [E Ec]]].
  set (sec := fun t => (1 - t) * seconds (first_moment s) + t * seconds (last_moment s)).
  assert (Sec0 : sec 0 = seconds (first_moment s)) by (unfold sec; ring).
  assert (Sec1 : sec 1 = seconds (last_moment s)) by (unfold sec; ring).
  assert (Up : sec 0 <= sec 1) by (rewrite Sec0, Sec1; now apply clock_rises).
  assert (Same : forall x n gap o (A B : vec -> Prop) (P : path) tol, (forall v, x v = planned
    (fst n) v) ->
    gap_holds N P tol (snd n) (planned (fst n)) gap o A B -> gap_holds N P tol (snd n) x gap o A B).
  { intros x n gap o A B P tol Q H p y Ap By.
    assert (Pl : place P x p = place P (planned (fst n)) p).
    { clear - Q. induction P as [|[[F|u i k q|u i k q] rho] P IH]; simpl; rewrite ?IH, ?Q;
        reflexivity. }
    rewrite Pl. now apply H. }
  assert (Sp : forall v, 0 <= speed v).
  { intros v. destruct (span_linked segs s v Rs) as [Li _]. destruct (Bd v) as [_ [Ea _]].
    eapply Rle_trans; [apply Rabs_pos|]. apply (Runs.each_first _ _ _ Ea 0%nat).
    generalize (Runs.linked_degree _ _ Li). lia. }
  assert (Most : forall v t, 0 <= t <= 1 ->
    Rabs (pos (motion_of segs s half) t v) + slack s v <= most v).
  { intros v w Hw. apply span_range; auto. intros j k K. generalize (Mo j v k K) (slack_most s v).
    lra. }
  destruct (L11 N low (margin (about (of g))) (growth_a (about (of g))) (growth_b (about
    (of g))) 0 sec
    (steps (of g)) most c0 r0 c r speed bend variation (slack s) (motion_of segs s half) f
    (beneath (node_a g)) (in_shape (node_b g))) with (t := t) as [e [E0 H]]; auto.
  - rewrite Sec0. lra.
  - intros w _. unfold sec. ring.
  - now apply span_bounded.
  - now apply (walk_units frames _ _ _ Wk).
  - intros p Hp. apply Ib. now apply (L7_beneath (node_a g)).
  - rewrite Sec0. apply (Same _ (first_moment s, dir_a f)).
    + intros v. now apply span_first.
    + now apply gap_ok_holds.
  - rewrite Sec1. apply (Same _ (last_moment s, dir_b f)).
    + intros v. now apply span_last.
    + now apply gap_ok_holds.
  - now rewrite Sec0, Sec1.
  - exists e. split; [exact E0|]. intros x Px l B Pl PB.
    assert (D : forall v, Rabs (x v - pos (motion_of segs s half) t v) <= slack s v)
      by (intros v; rewrite E; now apply possible_slack).
    assert (Sm : seconds m = sec t + 0) by (rewrite (Ec ahead per_knot); unfold sec; ring).
    rewrite Sm. set (W := world (frame_b (about (of g))) x).
    refine (apart_smaller _ (carried W _) _ (carried W _) _ _ _ (apart_carried _ W _ _ (H x D))).
    + intros z Hz. apply grown_carried. revert Hz. apply grown_more. intros w [p [Hp ->]].
      exists (place (steps (of g)) x p). split.
      * exists p. split; [now exists l|reflexivity].
      * unfold W. rewrite (walk_place frames Ordered _ _ _ x p Wk). symmetry. apply world_in_world.
    + intros z Hz. apply grown_carried. revert Hz. apply grown_more. intros w [p [Hp ->]].
      exists p. split; [now exists B|]. symmetry. apply world_in_world.
Qed.

(* A, B, a, b: the goals that take the place of a goal. *)
Definition with_a g t := {| of := of g; node_a := t; node_b := node_b g |}.
Definition with_b g t := {| of := of g; node_a := node_a g; node_b := Tree t |}.
Definition opened (b_side : bool) (g : goal) : list goal :=
  if b_side then match node_b g with Tree t => map (with_b g) (children t) | _ => [] end
  else map (with_a g) (children (node_a g)).
Lemma opened_ok side g h : goal_ok g -> In h (opened side g) -> goal_ok h.
Proof.
  intros [C [Ba Bb]]. unfold opened. destruct side.
  - destruct (node_b g) as [t|F|F] eqn:E; try (intros []; fail). intros I.
    apply in_map_iff in I as [c [<- Ic]]. split; [exact C|split; [exact Ba|]]. simpl.
    destruct (shape_b (of g)); try discriminate.
    exact (below_transitive c t _ (children_below t c Ic) Bb).
  - intros I. apply in_map_iff in I as [c [<- Ic]]. split; [exact C|split; [|exact Bb]]. simpl.
    exact (below_transitive c (node_a g) _ (children_below _ c Ic) Ba).
Qed.
(* What all goals of a list promise, with one e. *)
Lemma clear_list (gs : list goal) m : (forall g, In g gs -> clear g m) -> exists e, 0 < e /\
  forall g, In g gs -> forall x, possible m x ->
  forall l B, part (node_a g) l -> shape_part (node_b g) B ->
  apart_along (margin (about (of g)) + e)
    (grown (growth_a (about (of g)) * seconds m) (posed frames (frame_a (about (of g))) x
      (hull_of l)))
    (grown (growth_b (about (of g)) * seconds m) (posed frames (frame_b (about (of g))) x B)).
Proof.
  induction gs as [|g gs IH]; intros H; [exists 1; split; [lra|intros g []]|].
  destruct (H g (or_introl eq_refl)) as [d [D Hd]].
  destruct IH as [e [E He]]; [intros h I; apply H; now right|].
  exists (Rmin d e). split; [now apply Rmin_pos|]. intros h [<-|I] x Px l B Pl PB.
  - apply apart_less with (2 := Hd x Px l B Pl PB). generalize (Rmin_l d e). lra.
  - apply apart_less with (2 := He h I x Px l B Pl PB). generalize (Rmin_r d e). lra.
Qed.
Lemma opened_clear side g m : opened side g <> [] ->
  (forall h, In h (opened side g) -> clear h m) -> clear g m.
Proof.
  intros Ne H. destruct (clear_list _ m H) as [e [E K]]. exists e. split; [exact E|].
  intros x Px l B Pl PB. revert Ne K. unfold opened. destruct side.
  - destruct (node_b g) as [t|F|F] eqn:Eb; try (intros Ne; now elim Ne). intros Ne K.
    destruct PB as [k [Pk ->]].
    assert (Nc : children t <> []) by (intros Z; apply Ne; now rewrite Z).
    destruct (L7_children t k Nc Pk) as [c [Ic Pc]].
    apply (K (with_b g c) (in_map _ _ _ Ic) x Px l); [exact Pl|now exists k].
  - intros Ne K. assert (Nc : children (node_a g) <> []) by (intros Z; apply Ne; now rewrite Z).
    destruct (L7_children _ l Nc Pl) as [c [Ic Pc]].
    now apply (K (with_a g c) (in_map _ _ _ Ic) x Px l).
Qed.

(* The ops of a certificate. A checker says what a leaf's and a ray's data are, and tests them on
   intervals of floating-point numbers; here the tests are parameters, of which no more is asked
   than that they accept nothing wrong. *)
Section Reading.
Variables leaf_data ray_data : Type.
Inductive op :=
| OpT | OpS | OpLeaf (l : leaf_data) | OpOpen (b_side one : bool) (rays : ray_data).
Variable leaf_check : span -> goal -> leaf_data -> bool.
Variable outside_check : span -> bool -> goal -> ray_data -> bool.
Variables jumps skips : span -> bool.
Variable owed : moment -> Prop.
Hypothesis jumps_ok : forall s, jumps s = false -> runs segs s.
Hypothesis skips_ok : forall s m, skips s = true -> inside s m -> ~ owed m.
Hypothesis leaf_check_ok : forall s g l, runs segs s -> goal_ok g -> leaf_check s g l = true ->
  leaf_ok s g.

(* One pass over the goals of a span; those whose op is T wait. What takes the place of a goal
   goes behind all others. `fuel` is at least the number of ops that are left, and each takes one.
   *)
Fixpoint pass (fuel : nat) (s : span) (gs waiting : list goal) (input : list op)
  : option (list goal * list op) :=
  match gs, fuel, input with
  | [], _, _ => Some (waiting, input)
  | g :: gs, S fuel, OpT :: input => pass fuel s gs (waiting ++ [g]) input
  | g :: gs, S fuel, OpS :: input => if skips s then pass fuel s gs waiting input else None
  | g :: gs, S fuel, OpLeaf l :: input =>
      if negb (jumps s) && leaf_check s g l then pass fuel s gs waiting input else None
  | g :: gs, S fuel, OpOpen side one rays :: input =>
      if negb (jumps s) && Nat.eqb (length (opened side g)) (if one then 1 else 2)
         && outside_check s side g rays
      then pass fuel s (gs ++ opened side g) waiting input else None
  | _, _, _ => None
  end.
(* The goals that wait are proved on both halves, the earlier one first. *)
Fixpoint prove (depth : nat) (s : span) (gs : list goal) (input : list op) : option (list op) :=
  match depth with
  | O => None
  | S depth =>
      match pass (length input) s gs [] input with
      | None => None
      | Some ([], rest) => Some rest
      | Some (w, rest) =>
          match prove depth (fst (split s)) w rest with
          | None => None
          | Some rest => prove depth (snd (split s)) w rest
          end
      end
  end.

Definition proved s g := forall m, inside s m -> owed m -> clear g m.

(* Section 3, the invariant, for one pass. *)
Lemma pass_sound : forall fuel s gs waiting input w rest,
  pass fuel s gs waiting input = Some (w, rest) ->
  (forall g, In g gs -> goal_ok g) -> (forall g, In g waiting -> goal_ok g) ->
  (forall g, In g w -> goal_ok g) /\
  ((forall g, In g w -> proved s g) -> forall g, In g gs \/ In g waiting -> proved s g).
Proof.
  induction fuel as [|fuel IH]; intros s [|g gs] waiting input w rest H G Gw; cbn [pass] in H;
    try discriminate.
  1,2: injection H as <- <-; split; [exact Gw|intros K g [[]|I]; auto].
  assert (Gs : forall h, In h gs -> goal_ok h) by (intros h I; apply G; now right).
  assert (Gg := G g (or_introl eq_refl)).
  destruct input as [|[| |l|side one rays] input]; try discriminate.
  - (* T: it waits *)
    assert (Gw' : forall h, In h (waiting ++ [g]) -> goal_ok h)
      by (intros h I; apply in_app_or in I as [I|[<-|[]]]; auto).
    destruct (IH _ _ _ _ _ _ H Gs Gw') as [A B]. split; [exact A|]. intros K h I. apply (B K).
    destruct I as [[<-|I]|I]; [right; apply in_or_app; right; now left|now left|
      right; apply in_or_app; now left].
  - (* S: nothing is owed *)
    destruct (skips s) eqn:Sk; [|discriminate].
    destruct (IH _ _ _ _ _ _ H Gs Gw) as [A B]. split; [exact A|]. intros K h [[<-|I]|I]; auto.
    intros m I O. exfalso. now apply (skips_ok s m).
  - (* L, D *)
    destruct (jumps s) eqn:J; [discriminate|]. destruct (leaf_check s g l) eqn:L; [|discriminate].
    simpl in H. destruct (IH _ _ _ _ _ _ H Gs Gw) as [A B]. split; [exact A|].
    intros K h [[<-|I]|I]; auto. intros m I _. assert (Rs := jumps_ok s J).
    apply (leaf_clear s g Rs Gg); [now apply (leaf_check_ok s g l)|exact I].
  - (* A, B, a, b *)
    destruct (jumps s) eqn:J; [discriminate|]. cbn [negb andb] in H.
    destruct (Nat.eqb (length (opened side g)) (if one then 1 else 2)) eqn:Le; [|discriminate].
    destruct (outside_check s side g rays); [|discriminate]. cbn [andb] in H.
    assert (Go : forall h, In h (gs ++ opened side g) -> goal_ok h).
    { intros h I. apply in_app_or in I as [I|I]; [auto|now apply (opened_ok side g)]. }
    destruct (IH _ _ _ _ _ _ H Go Gw) as [A B]. split; [exact A|]. intros K h [[<-|I]|I].
    + intros m Im Om. apply (opened_clear side).
      * intros Z. rewrite Z in Le. destruct one; discriminate.
      * intros h Ih. apply (B K); auto. left. apply in_or_app. now right.
    + apply (B K). left. apply in_or_app. now left.
    + apply (B K). now right.
Qed.

(* Section 3, the invariant, for the whole. *)
Theorem prove_sound : forall depth s gs input rest, prove depth s gs input = Some rest ->
  (forall g, In g gs -> goal_ok g) -> forall g, In g gs -> proved s g.
Proof.
  induction depth as [|depth IH]; intros s gs input rest H G g I; [discriminate|]. simpl in H.
  destruct (pass (length input) s gs [] input) as [[w r]|] eqn:P; [|discriminate].
  destruct (pass_sound _ _ _ _ _ _ _ P G) as [Gw Q]. { intros ? []. }
  apply Q; [|now left]. clear g I. intros g I. destruct w as [|h w]; [destruct I|].
  destruct (prove depth (fst (split s)) (h :: w) r) as [r1|] eqn:P1; [|discriminate].
  intros m Im O. destruct (split_covers s m Im) as [K|K].
  - exact (IH _ _ _ _ P1 Gw g I m K O).
  - exact (IH _ _ _ _ H Gw g I m K O).
Qed.

(* The proof begins with the roots of each pair, where anything is beneath both. *)
Definition root c := {| of := c; node_a := tree_a c; node_b := shape_b c |}.
Definition has_goal c := negb (nothing (tree_a c))
  && match shape_b c with Tree t => negb (nothing t) | _ => true end.
Definition roots claims := map root (filter has_goal claims).
Lemma root_ok c : claim_ok c -> goal_ok (root c).
Proof.
  intros H. split; [exact H|]. simpl. split; [apply below_self|].
  destruct (shape_b c); auto. apply below_self.
Qed.
Lemma no_goal_clear c m : has_goal c = false -> clear (root c) m.
Proof.
  intros H. exists 1. split; [lra|]. intros x _ l B Pl PB. exfalso.
  unfold has_goal in H. apply andb_false_iff in H as [H|H].
  - apply negb_false_iff in H. now apply (nothing_beneath (tree_a c) l).
  - destruct (shape_b c) as [t|F|F] eqn:E; try discriminate. apply negb_false_iff in H.
    simpl in PB. rewrite E in PB. destruct PB as [k [Pk _]]. now apply (nothing_beneath t k).
Qed.

(* VERIFIED: a proof that is accepted, down to the last byte, from the roots of all pairs and the
   whole motion, means that all pairs are free at every moment that is owed. *)
Theorem verified claims last depth input :
  (forall c, In c claims -> claim_ok c /\ claim_complete c) ->
  prove depth (Run 0 last) (roots claims) input = Some [] ->
  forall c, In c claims -> forall j u, (j <= last)%nat -> 0 <= u <= 1 -> owed (j, u) ->
  free_at frames (possible (j, u)) (seconds (j, u)) (about c).
Proof.
  intros G H c I j u J U O. destruct (G c I) as [Ok [Full_a Full_b]].
  assert (C : clear (root c) (j, u)).
  { destruct (has_goal c) eqn:Hg; [|now apply no_goal_clear].
    apply (prove_sound _ _ _ _ _ H) with (g := root c) (m := (j, u)); auto.
    - intros g K. apply in_map_iff in K as [d [<- Id]]. apply filter_In in Id as [Id _].
      apply root_ok. now apply G.
    - apply in_map. now apply filter_In.
    - simpl. split; [lia|exact U]. }
  destruct C as [e [E K]]. exists e. split; [exact E|]. intros x Px A B PA PB.
  destruct (Full_a A PA) as [l [Pl ->]]. now apply (K x Px l B Pl), Full_b.
Qed.
End Reading.
End World.

(* VERIFIED means FREE. *)
Corollary verified_free frames segs tolerance ahead per_knot N low leaf_data ray_data
    leaf_check outside_check jumps skips claims last depth input :
  ordered frames -> (forall v, 0 <= tolerance v) -> 0 <= per_knot -> 0 < N ->
  (forall s, jumps s = false -> runs segs s) ->
  (forall s m, skips s = true -> inside s m -> ~ (fst m <= last)%nat) ->
  (forall s g l, runs segs s -> goal_ok frames segs tolerance g -> leaf_check s g l = true ->
     leaf_ok frames segs (fun _ => tolerance) ahead per_knot N low s g) ->
  (forall c, In c claims -> claim_ok frames segs tolerance c /\ claim_complete c) ->
  prove leaf_data ray_data leaf_check outside_check jumps skips depth (Run 0 last)
    (roots claims) input
    = Some [] ->
  FREE frames segs last tolerance ahead per_knot (map about claims).
Proof.
  intros Or Tol Pk N0 Jo So Lo Cl H p I j u J U. apply in_map_iff in I as [c [<- Ic]].
  apply (verified frames Or segs (fun m => deviates tolerance (at_moment segs m))
    (fun _ => tolerance)
    tolerance (fun _ => Tol) (fun _ _ => Rle_refl _) (fun _ _ _ _ D => D) ahead per_knot Pk N low N0
    leaf_data ray_data leaf_check outside_check jumps skips (fun m => (fst m <= last)%nat) Jo So Lo
    claims last depth input Cl H c Ic j u J U J).
Qed.
