(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   What the main theorems assume. tools/theory compares the names with theory/assumptions.txt. *)
From Vouch Require Import Chord Bernstein Path Velocity Frames Hull Plane Runs Span Leaf.
From Vouch Require Import Margin Growth Stop Limits Proof Solid Inside Starts.
From Vouch Require Import Rounding LeafTest Example.

Print Assumptions L10_change.
Print Assumptions chord_test.
Print Assumptions chord_test_sharp.
Print Assumptions least_value.
Print Assumptions gap_means.
Print Assumptions L3_moves.
Print Assumptions L4.
Print Assumptions L5_varies.
Print Assumptions L5_part.
Print Assumptions L6.
Print Assumptions L6_witness.
Print Assumptions L7_children.
Print Assumptions L9_near.
Print Assumptions run_bounded.
Print Assumptions leaf_sound.
Print Assumptions L11.
Print Assumptions L12.
Print Assumptions L12_still.
Print Assumptions L13.
Print Assumptions L13_halves.
Print Assumptions walk_place.
Print Assumptions span_moment.
Print Assumptions verified.
Print Assumptions verified_free.
Print Assumptions filled_apart.
Print Assumptions reference.
Print Assumptions verified_filled.
Print Assumptions up_ge.
Print Assumptions test_sound_inflated.
Print Assumptions example.
