(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   The test of a leaf as a program with rounding: one pass over the joints adds up what C, l and
   tau are made of, then two comparisons. If it accepts, leaf_holds of Leaf.v holds. up and down
   are any operations that round outwards; section 5.5 has two. *)
Require Import Reals Lra Lia List.
From Vouch Require Import Vector Isometry Model Path Velocity Leaf Rounding.
Open Scope R_scope.

Section Rounded.
Variables up down : R -> R.
Hypothesis up_ge : forall x, x <= up x.
Hypothesis down_le : forall x, down x <= x.
Variables speed bend variation tol : config.
Hypothesis speed_pos : forall i, 0 <= speed i.

(* What is added up from A on: the bound of the speed, C, l and tau, less N. *)
Record sums := { moved : R; bent : R; way : R; deviation : R }.
Definition step (turns : bool) (i : nat) (k rho : R) (s : sums) : sums :=
  let v := up (Rabs k * speed i) in
  let swing := up (v * up (up (up (/ 2 * rho) * v) + moved s)) in
  {| bent := up (bent s + up ((if turns then swing else 0) + up (rho * up (Rabs k * bend i))));
     way := up (way s + up (rho * up (Rabs k * variation i)));
     deviation := up (deviation s + up (rho * up (Rabs k * tol i)));
     moved := up (moved s + up (rho * v)) |}.
Fixpoint loop (P : path) : sums :=
  match P with
  | nil => {| moved := 0; bent := 0; way := 0; deviation := 0 |}
  | (Fixed _, _) :: P => loop P
  | (Turns _ i k _, rho) :: P => step true i k rho (loop P)
  | (Slides _ i k _, rho) :: P => step false i k rho (loop P)
  end.

Lemma up_product a x y : 0 <= a -> x <= y -> a * x <= up (a * y).
Proof. intros A H. apply Rle_trans with (a * y); [now apply Rmult_le_compat_l|apply up_ge]. Qed.
Lemma up_sum x x' y y' : x <= x' -> y <= y' -> x + y <= up (x' + y').
Proof. intros A B. generalize (up_ge (x' + y')). lra. Qed.

Theorem loop_sound P : radii_positive P -> (forall i, 0 <= tol i) ->
  travel P speed <= moved (loop P) /\ bend_sum P speed bend <= bent (loop P) /\
  travel P variation <= way (loop P) /\ travel P tol <= deviation (loop P).
Proof.
  intros H T. induction H as [|[[F|u i k o|u i k o] rho] P Rh H IH]; simpl in *;
    [lra|exact IH|..];
    destruct IH as [I1 [I2 [I3 I4]]]; assert (W := travel_pos P speed H speed_pos);
    assert (K0 := Rmult_le_pos _ _ (Rabs_pos k) (speed_pos i));
    assert (V := up_ge (Rabs k * speed i)); set (v := up (Rabs k * speed i)) in *;
    assert (A1 : rho * (Rabs k * speed i) <= up (rho * v)) by (now apply up_product);
    assert (A2 : rho * (Rabs k * bend i) <= up (rho * up (Rabs k * bend i)))
      by (apply up_product; auto);
    assert (A3 : rho * (Rabs k * variation i) <= up (rho * up (Rabs k * variation i)))
      by (apply up_product; auto);
    assert (A4 : rho * (Rabs k * tol i) <= up (rho * up (Rabs k * tol i)))
      by (apply up_product; auto).
  - assert (B : Rabs k * speed i * (/ 2 * rho * (Rabs k * speed i) + travel P speed)
      <= up (v * up (up (up (/ 2 * rho) * v) + moved (loop P)))).
    { apply Rle_trans with (v * up (up (up (/ 2 * rho) * v) + moved (loop P))); [|apply up_ge].
      assert (C : / 2 * rho * (Rabs k * speed i) <= up (up (/ 2 * rho) * v)).
      { eapply Rle_trans; [|apply up_ge]. apply Rmult_le_compat; try lra. apply up_ge. }
      assert (0 <= / 2 * rho * (Rabs k * speed i)) by (apply Rmult_le_pos; lra).
      apply Rmult_le_compat; [lra|lra|lra|]. now apply up_sum. }
    repeat split; try (rewrite Rplus_comm; now apply up_sum).
    apply up_sum; [exact I2|]. now apply up_sum.
  - repeat split; try (rewrite Rplus_comm; now apply up_sum).
    apply up_sum; [exact I2|].
    apply Rle_trans with (0 + up (rho * up (Rabs k * bend i))); [lra|apply up_ge].
Qed.

(* The test. far_a and far_b: the gaps before anything is taken off them, from below; owed_a and
   owed_b: what is owed at the ends (margin, growth; times N), from next_above. *)
Definition gap_left N s far owed := down (far - up (owed + up (N * deviation s))).
Definition test N s far_a far_b owed_a owed_b growth (chord : bool) : Prop :=
  let ga := gap_left N s far_a owed_a in
  let gb := gap_left N s far_b owed_b in
  let sum := down (ga + gb) in
  let over := up (up (N * bent s) - sum) in
  0 < ga /\ 0 < gb /\
  (up (up (N * way s) + growth) < sum \/
   (chord = true /\ (over <= 0 \/ up (over * over) < down (4 * down (ga * gb))))).

Theorem test_sound N P da db far_a far_b owed_a owed_b growth chord :
  0 < N -> radii_positive P -> (forall i, 0 <= tol i) -> (chord = true -> da = db) ->
  let s := loop P in
  test N s far_a far_b owed_a owed_b growth chord ->
  let f := {| dir_a := da; dir_b := db; gap_a := gap_left N s far_a owed_a;
    gap_b := gap_left N s far_b owed_b;
    excess := up (up (N * bent s) - down (gap_left N s far_a owed_a
      + gap_left N s far_b owed_b)) |} in
  gap_a f + owed_a + N * travel P tol <= far_a /\ gap_b f + owed_b + N * travel P tol <= far_b /\
  leaf_holds N P speed bend variation growth f.
Proof.
  intros N0 H T D s [A [B Test]] f. destruct (loop_sound P H T) as [L1 [L2 [L3 L4]]].
  fold s in L1, L2, L3, L4.
  assert (K : N * travel P tol <= up (N * deviation s)) by (apply up_product; lra).
  unfold f. cbn [gap_a gap_b]. unfold gap_left in *.
  set (ka := up (owed_a + up (N * deviation s))) in *.
  set (kb := up (owed_b + up (N * deviation s))) in *.
  assert (Ka : owed_a + N * travel P tol <= ka) by (apply up_sum; lra).
  assert (Kb : owed_b + N * travel P tol <= kb) by (apply up_sum; lra).
  set (ga := down (far_a - ka)) in *. set (gb := down (far_b - kb)) in *.
  assert (Ga := down_le (far_a - ka)). fold ga in Ga.
  assert (Gb := down_le (far_b - kb)). fold gb in Gb.
  assert (Sm := down_le (ga + gb)). set (sum := down (ga + gb)) in *.
  split; [lra|split; [lra|]]. split; [exact A|split; [exact B|]].
    cbn [gap_a gap_b dir_a dir_b excess].
  destruct Test as [Tr|[C Tc]]; [left|right].
  - assert (N * travel P variation <= up (N * way s)) by (apply up_product; lra).
    generalize (up_ge (up (N * way s) + growth)). lra.
  - split; [now apply D|]. fold ga gb sum. set (over := up (up (N * bent s) - sum)) in *. split.
    + assert (N * bend_sum P speed bend <= up (N * bent s)) by (apply up_product; lra).
      generalize (up_ge (up (N * bent s) - sum)). fold over. lra.
    + destruct Tc as [Tc|Tc]; [now left|right].
      generalize (up_ge (over * over)) (down_le (4 * down (ga * gb))) (down_le (ga * gb)). lra.
Qed.
End Rounded.

(* With the roundings of section 5.5. *)
Definition test_sound_inflated :=
  test_sound (fun x => up (nearest x)) (fun x => down (nearest x)) up_ge down_le.
Definition test_sound_neighbour := test_sound next_above next_below next_above_ge next_below_le.
