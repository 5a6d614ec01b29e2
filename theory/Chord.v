(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   L2 and L10, the inequality: a function whose slope rises by no more than a (y - x) + W is above
   its chord but for s(1-s)(a/2 + W). One mean value on either side of s is the whole proof; no
   second derivative, no Green function, and finitely many kinks do not matter. *)
Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(* A mean value, where f has the slope f' inside [a, b]. *)
Lemma mean_value (f f' : R -> R) a b : a < b ->
  (forall c, a <= c <= b -> continuity_pt f c) ->
  (forall c, a < c < b -> is_derive f c (f' c)) ->
  exists c, a < c < b /\ f b - f a = f' c * (b - a).
Proof.
  intros ab Hc Hd.
  assert (pr1 : forall c, a < c < b -> derivable_pt f c).
  { intros c Hab. exists (f' c). apply is_derive_Reals. now apply Hd. }
  assert (pr2 : forall c, a < c < b -> derivable_pt id c) by (intros; apply derivable_pt_id).
  destruct (MVT f id a b pr1 pr2 ab Hc) as [c [P E]].
  { intros c _. apply derivable_continuous_pt, derivable_pt_id. }
  exists c; split; [exact P|].
  rewrite (pr_nu id c _ (derivable_pt_id c)), derive_pt_id in E. unfold id in E.
  rewrite Derive_Reals, (is_derive_unique _ _ _ (Hd c P)) in E. lra.
Qed.

(* With kinks at the points of l, some slope is still at most (at least) the mean one: cut at the
   kinks and take the smaller of the two parts. *)
Lemma slope_below (f f' : R -> R) l : forall a b, a < b ->
  (forall c, a <= c <= b -> continuity_pt f c) ->
  (forall c, a < c < b -> ~ In c l -> is_derive f c (f' c)) ->
  exists c, a < c < b /\ ~ In c l /\ f' c * (b - a) <= f b - f a.
Proof.
  induction l as [|k l IH]; intros a b ab Hc Hd.
  - destruct (mean_value f f' a b ab Hc) as [c [P E]]. { intros c P; apply Hd; auto. }
    exists c; repeat split; auto; try apply P; lra.
  - destruct (Rlt_dec a k) as [ak|nak]; [destruct (Rlt_dec k b) as [kb|nkb]|].
    + destruct (IH a k ak) as [c [P [N E]]].
      { intros; apply Hc; lra. } { intros c P N; apply Hd; [lra|]. intros [->|I]; [lra|auto]. }
      destruct (IH k b kb) as [d [Q [M F]]].
      { intros; apply Hc; lra. } { intros e Q M; apply Hd; [lra|]. intros [->|I]; [lra|auto]. }
      destruct (Rle_dec (f' c) (f' d)) as [le|nle].
      * exists c; repeat split; try lra. { intros [->|I]; [lra|auto]. }
        assert (f' c * (b - k) <= f' d * (b - k)) by (apply Rmult_le_compat_r; lra). lra.
      * exists d; repeat split; try lra. { intros [->|I]; [lra|auto]. }
        assert (f' d * (k - a) <= f' c * (k - a)) by (apply Rmult_le_compat_r; lra). lra.
    + destruct (IH a b ab Hc) as [c [P [N E]]].
      { intros c P N; apply Hd; auto. intros [->|I]; [lra|auto]. }
      exists c; repeat split; try lra. intros [->|I]; [lra|auto].
    + destruct (IH a b ab Hc) as [c [P [N E]]].
      { intros c P N; apply Hd; auto. intros [->|I]; [lra|auto]. }
      exists c; repeat split; try lra. intros [->|I]; [lra|auto].
Qed.
Lemma slope_above (f f' : R -> R) l a b : a < b ->
  (forall c, a <= c <= b -> continuity_pt f c) ->
  (forall c, a < c < b -> ~ In c l -> is_derive f c (f' c)) ->
  exists c, a < c < b /\ ~ In c l /\ f b - f a <= f' c * (b - a).
Proof.
  intros ab Hc Hd.
  destruct (slope_below (fun x => - f x) (fun x => - f' x) l a b ab) as [c [P [N E]]].
  - intros c P. apply continuity_pt_opp, Hc, P.
  - intros c P N. apply (is_derive_opp f c (f' c)), Hd; auto.
  - exists c; repeat split; try apply P; auto. lra.
Qed.

(* L2, L10: f is nowhere further below its chord than s(1-s)(a/2 + W); a bounds the second
   derivative, W what the slope changes otherwise: kinks, or the integral of |f''|. *)
Theorem chord (f f' : R -> R) l a W :
  (forall c, 0 <= c <= 1 -> continuity_pt f c) ->
  (forall c, 0 < c < 1 -> ~ In c l -> is_derive f c (f' c)) ->
  (forall x y, 0 < x < y -> y < 1 -> ~ In x l -> ~ In y l -> f' y - f' x <= a * (y - x) + W) ->
  forall s, 0 <= s <= 1 -> (1 - s) * f 0 + s * f 1 - s * (1 - s) * (a / 2 + W) <= f s.
Proof.
  intros Hc Hd Hl s Hs.
  destruct (Req_dec s 0) as [->|s0]; [lra|]. destruct (Req_dec s 1) as [->|s1]; [lra|].
  (* without the parabola, slopes differ by at most W *)
  pose (h := fun x => f x - a / 2 * (x * x)). pose (h' := fun x => f' x - a * x).
  assert (Ch : forall c, 0 <= c <= 1 -> continuity_pt h c).
  { intros c P. apply continuity_pt_minus; [now apply Hc|]. reg. }
  assert (Dh : forall c, 0 < c < 1 -> ~ In c l -> is_derive h c (h' c)).
  { intros c P N. apply (is_derive_minus f (fun x => a / 2 * (x * x))); [now apply Hd|].
    auto_derive; auto; lra. }
  destruct (slope_below h h' l 0 s) as [x [Hx [Nx Ex]]]; try lra.
  { intros; apply Ch; lra. } { intros; apply Dh; auto; lra. }
  destruct (slope_above h h' l s 1) as [y [Hy [Ny Ey]]]; try lra.
  { intros; apply Ch; lra. } { intros; apply Dh; auto; lra. }
  assert (L : h' y - h' x <= W).
  { unfold h'. assert (f' y - f' x <= a * (y - x) + W) by (apply Hl; auto; lra). lra. }
  assert (M : (h' y - h' x) * (s * (1 - s)) <= W * (s * (1 - s))).
  { apply Rmult_le_compat_r; [|exact L]. apply Rmult_le_pos; lra. }
  assert (Ex' : (1 - s) * (h' x * (s - 0)) <= (1 - s) * (h s - h 0))
    by (apply Rmult_le_compat_l; lra).
  assert (Ey' : s * (h 1 - h s) <= s * (h' y * (1 - s))) by (apply Rmult_le_compat_l; lra).
  unfold h in Ex', Ey'. nra.
Qed.

(* What is left of the two gaps at the time s. *)
Definition between ga gb C s := (1 - s) * ga + s * gb - s * (1 - s) * C.

(* L2, "if": the test that the kernel and the verifier make. *)
Theorem chord_test ga gb C s : 0 < ga -> 0 < gb ->
  (C <= ga + gb \/ (C - (ga + gb)) * (C - (ga + gb)) < 4 * (ga * gb)) ->
  0 <= s <= 1 -> 0 < between ga gb C s.
Proof.
  unfold between. intros A B T S. destruct (Rle_dec C (ga + gb)) as [le|n].
  - assert (s * (1 - s) * C <= s * (1 - s) * (ga + gb)).
    { apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|exact le]. }
    assert (0 < (1 - s) * (1 - s) * ga + s * s * gb); [|nra].
    destruct (Req_dec s 0) as [->|]; [nra|]. assert (0 < s * s) by nra.
    assert (0 <= (1 - s) * (1 - s)) by nra. nra.
  - destruct T as [T|T]; [lra|]. set (o := C - (ga + gb)) in *. assert (o > 0) by (unfold o; lra).
    replace C with (o + ga + gb) by (unfold o; lra).
    (* a quadratic form in 1-s and s, of discriminant o^2 - 4 ga gb < 0 *)
    replace ((1 - s) * ga + s * gb - s * (1 - s) * (o + ga + gb))
      with ((1 - s) * (1 - s) * ga + s * s * gb - s * (1 - s) * o) by ring.
    destruct (Req_dec s 0) as [->|]; [nra|].
    assert (0 < s * s) by nra.
    assert (E : 4 * ga * ((1 - s) * (1 - s) * ga + s * s * gb - s * (1 - s) * o)
      = (2 * ga * (1 - s) - s * o) * (2 * ga * (1 - s) - s * o)
        + s * s * (4 * (ga * gb) - o * o)) by ring.
    assert (0 <= (2 * ga * (1 - s) - s * o) * (2 * ga * (1 - s) - s * o)) by apply Rle_0_sqr.
    assert (0 < s * s * (4 * (ga * gb) - o * o)) by (apply Rmult_lt_0_compat; lra).
    apply Rmult_lt_reg_l with (4 * ga); [lra|]. lra.
Qed.

(* L2, "only if": where the test fails, some time has no gap left, so no better test of these three
   numbers exists. *)
Theorem chord_test_sharp ga gb C : 0 < ga -> 0 < gb ->
  (forall s, 0 <= s <= 1 -> 0 < between ga gb C s) ->
  C <= ga + gb \/ (C - (ga + gb)) * (C - (ga + gb)) < 4 * (ga * gb).
Proof.
  intros A B H. destruct (Rle_dec C (ga + gb)) as [|n]; [now left|right].
  assert (Sa := sqrt_lt_R0 ga A). assert (Sb := sqrt_lt_R0 gb B).
  assert (Qa : sqrt ga * sqrt ga = ga) by (apply sqrt_sqrt; lra).
  assert (Qb : sqrt gb * sqrt gb = gb) by (apply sqrt_sqrt; lra).
  set (a := sqrt ga) in *. set (b := sqrt gb) in *.
  assert (P := H (a / (a + b))). unfold between in P. rewrite <- Qa, <- Qb in P |- *.
  assert (D : 0 < a + b) by lra.
  assert (S : 0 <= a / (a + b) <= 1).
  { split; [apply Rle_mult_inv_pos; lra|].
    apply Rmult_le_reg_r with (a + b); [exact D|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  specialize (P S).
  replace ((1 - a / (a + b)) * (a * a) + a / (a + b) * (b * b)
    - a / (a + b) * (1 - a / (a + b)) * C)
    with (a * b / ((a + b) * (a + b)) * ((a + b) * (a + b) - C)) in P by (field; lra).
  assert (Q : 0 < (a + b) * (a + b) - C).
  { apply Rmult_lt_reg_l with (a * b / ((a + b) * (a + b))); [|lra].
    apply Rdiv_lt_0_compat; now apply Rmult_lt_0_compat. }
  assert (C - (a * a + b * b) < 2 * (a * b)) by lra.
  assert (0 < C - (a * a + b * b)) by (rewrite <- Qa, <- Qb in n; lra).
  assert (0 < a * b) by now apply Rmult_lt_0_compat.
  replace (4 * (a * a * (b * b))) with (2 * (a * b) * (2 * (a * b))) by ring.
  apply Rmult_le_0_lt_compat; lra.
Qed.

(* L2, the least value, from which clearances are reported. *)
Theorem least_value ga gb C s : 0 <= s <= 1 -> 0 <= C ->
  (C <= Rabs (ga - gb) -> Rmin ga gb <= between ga gb C s) /\
  (0 < C -> ga - (C + ga - gb) * (C + ga - gb) / (4 * C) <= between ga gb C s).
Proof.
  unfold between. intros S C0. split; intros H.
  - assert (P : 0 <= s * (1 - s)) by (apply Rmult_le_pos; lra).
    unfold Rmin, Rabs in *. destruct (Rle_dec ga gb), (Rcase_abs (ga - gb)); try lra.
    + assert (s * (1 - s) * C <= s * (1 - s) * (gb - ga)) by (apply Rmult_le_compat_l; lra).
      assert (0 <= s * s * (gb - ga)) by (apply Rmult_le_pos; nra). nra.
    + assert (ga = gb) by lra. subst. assert (C = 0) by lra. subst. lra.
    + assert (s * (1 - s) * C <= s * (1 - s) * (ga - gb)) by (apply Rmult_le_compat_l; lra).
      assert (0 <= (1 - s) * (1 - s) * (ga - gb)) by (apply Rmult_le_pos; nra). nra.
  - replace ((1 - s) * ga + s * gb - s * (1 - s) * C) with
      (ga - (C + ga - gb) * (C + ga - gb) / (4 * C)
        + C * ((s - (C + ga - gb) / (2 * C)) * (s - (C + ga - gb) / (2 * C)))) by (field; lra).
    assert (0 <= (s - (C + ga - gb) / (2 * C)) * (s - (C + ga - gb) / (2 * C))) by apply Rle_0_sqr.
    assert (0 <= C * ((s - (C + ga - gb) / (2 * C)) * (s - (C + ga - gb) / (2 * C))))
      by (apply Rmult_le_pos; lra).
    lra.
Qed.
