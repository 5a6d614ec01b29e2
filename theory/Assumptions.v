(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   What the main theorems assume. tools/theory compares the names with theory/assumptions.txt. *)
From Vouch Require Import Chord Bernstein Path Velocity Frames Hull Plane Runs Span Leaf.
From Vouch Require Import Margin Growth Stop Limits Proof Stops Solid Inside Starts.
From Vouch Require Import Rounding LeafTest Example Float FloatLeaf.
From Vouch Require Import FloatReach FloatGap Bytes.

(* The lemmas of soundness.md. *)
Definition lemmas := (L10_change, chord_test, chord_test_sharp, least_value, gap_means, L3_moves,
  L4,
  L5_varies, L5_part, L6, L6_witness, L7_children, filled_apart, reference, L9_near, run_bounded,
  leaf_sound, L11, L12, L12_still, L13, L13_halves).
(* What an accepted proof means. *)
Definition promises := (verified, verified_free, verified_stops, verified_filled, walk_place,
  example).
(* Rounding, on the reals. *)
Definition rounding := (up_ge, down_le, test_sound_inflated).
(* The machine's numbers: besides, that Coq's floats and integers of 63 bits are what their
   specifications say. *)
Definition machine := (iadd_within, isub_within, imul_within, root_up_ge, ftest_leaf,
  prim_reach, node_reach, gap_down_le, fleaf_ok, check_bytes_sound).

Print Assumptions lemmas.
Print Assumptions promises.
Print Assumptions rounding.
Print Assumptions machine.
