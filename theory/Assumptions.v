(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   What the main theorems assume. The names are compared with theory/assumptions.txt by
   tools/theory. *)
From Vouch Require Import Chord Bernstein Path Velocity Leaf Margin Growth Stop Limits Frames.

Print Assumptions chord_test_sharp.
Print Assumptions L4.
Print Assumptions L3_moves.
Print Assumptions L10_change.
Print Assumptions leaf_sound.
Print Assumptions gap_means.
Print Assumptions L11.
Print Assumptions L12.
Print Assumptions L12_still.
Print Assumptions L13.
Print Assumptions L13_derivative.
Print Assumptions L13_halves.
Print Assumptions walk_place.
