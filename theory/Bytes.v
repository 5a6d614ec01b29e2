(* Copyright 2026 The vouch authors
   SPDX-License-Identifier: Apache-2.0

   The ops of a certificate of version 3, as they stand in the file: bytes are read into ops, and
   ops are walked by Proof.prove. Nothing has to be proved about the reading: whatever ops come
   out of it, what they prove is true. So a reader that is wrong can refuse, but not accept, too
   much. *)
From Coq Require Import List NArith ZArith Uint63 Floats Bool.
From Coq Require Import Strings.Byte.
From Vouch Require Import Proof.
Import ListNotations.

Definition bytes := list byte.

(* binary32, little-endian: every one is a binary64 number; infinities and no-numbers become nan. *)
Definition f32_of (w : Z) : float :=
  let m := Z.land w 8388607 in
  let e := Z.land (Z.shiftr w 23) 255 in
  let size :=
    if Z.eqb e 255 then nan
    else if Z.eqb e 0 then ldexp (of_uint63 (Uint63.of_Z m)) (-149)
    else ldexp (of_uint63 (Uint63.of_Z (m + 8388608))) (e - 150) in
  if Z.testbit w 31 then (- size)%float else size.
Definition f32 (b : bytes) : option (float * bytes) :=
  match b with
  | b0 :: b1 :: b2 :: b3 :: rest =>
      let z c := Z.of_N (to_N c) in
      Some (f32_of (z b0 + 256 * (z b1 + 256 * (z b2 + 256 * z b3))), rest)
  | _ => None
  end.

(* Three of them: a direction, or a ray. *)
Record direction := { dx : float; dy : float; dz : float }.
Definition read_direction (b : bytes) : option (direction * bytes) :=
  match f32 b with
  | Some (x, b) =>
      match f32 b with
      | Some (y, b) =>
          match f32 b with
          | Some (z, b) => Some ({| dx := x; dy := y; dz := z |}, b)
          | None => None
          end
      | None => None
      end
  | None => None
  end.

(* L has one direction, D has two. A, B, a, b are followed by their records I. *)
Inductive leaf_data := Chord (n : direction) | Two (n_a n_b : direction).
Notation op := (op leaf_data (list direction)).
Fixpoint read_rays (fuel : nat) (b : bytes) : list direction * bytes :=
  match fuel, b with
  | S fuel, x49 :: rest =>
      match read_direction rest with
      | Some (d, rest) => let (ds, rest) := read_rays fuel rest in (d :: ds, rest)
      | None => ([], b)
      end
  | _, _ => ([], b)
  end.
Definition read_open (b_side one : bool) (b : bytes) : option (op * bytes) :=
  let (rays, rest) := read_rays (length b) b in
  Some (OpOpen leaf_data (list direction) b_side one rays, rest).
Definition read_op (b : bytes) : option (op * bytes) :=
  match b with
  | x54 :: rest => Some (OpT _ _, rest)
  | x53 :: rest => Some (OpS _ _, rest)
  | x41 :: rest => read_open false false rest
  | x42 :: rest => read_open true false rest
  | x61 :: rest => read_open false true rest
  | x62 :: rest => read_open true true rest
  | x4c :: rest =>
      match read_direction rest with
      | Some (n, rest) => Some (OpLeaf _ _ (Chord n), rest)
      | None => None
      end
  | x44 :: rest =>
      match read_direction rest with
      | Some (n, rest) =>
          match read_direction rest with
          | Some (m, rest) => Some (OpLeaf _ _ (Two n m), rest)
          | None => None
          end
      | None => None
      end
  | _ => None
  end.
Fixpoint read_ops (fuel : nat) (b : bytes) : option (list op) :=
  match b, fuel with
  | [], _ => Some []
  | _, O => None
  | _, S fuel =>
      match read_op b with
      | Some (o, rest) =>
          match read_ops fuel rest with
          | Some ops => Some (o :: ops)
          | None => None
          end
      | None => None
      end
  end.

(* The walk over the bytes of a proof; its depth is bounded by halvings, 20 of runs, 44 of a
   segment. *)
Definition check_bytes leaf_check outside_check jumps skips (last : nat) claims
  (b : bytes) : bool :=
  match read_ops (length b) b with
  | Some ops =>
      match prove leaf_data (list direction) leaf_check outside_check jumps skips 65
        (Span.Run 0 last) (roots claims) ops with
      | Some [] => true
      | _ => false
      end
  | None => false
  end.

(* Bytes that are accepted make all pairs free. *)
From Coq Require Import Reals Lra.
From Vouch Require Import Model Frames Span.
Theorem check_bytes_sound frames segs tolerance ahead per_knot N low
    leaf_check outside_check jumps skips last claims b :
  ordered frames -> (forall v, 0 <= tolerance v)%R -> (0 <= per_knot)%R -> (0 < N)%R ->
  (forall s, jumps s = false -> runs segs s) ->
  (forall s m, skips s = true -> inside s m -> ~ (fst m <= last)%nat) ->
  (forall s g l, runs segs s -> goal_ok frames segs tolerance g -> leaf_check s g l = true ->
     leaf_ok frames segs (fun _ => tolerance) ahead per_knot N low s g) ->
  (forall c, In c claims -> claim_ok frames segs tolerance c /\ claim_complete c) ->
  check_bytes leaf_check outside_check jumps skips last claims b = true ->
  FREE frames segs last tolerance ahead per_knot (map about claims).
Proof.
  intros Or Tol Pk N0 Jo So Lo Cl H. unfold check_bytes in H.
  destruct (read_ops (length b) b) as [ops|]; [|discriminate].
  destruct (prove leaf_data (list direction) leaf_check outside_check jumps skips 65
    (Span.Run 0 last) (roots claims) ops) as [[|o rest]|] eqn:E; try discriminate.
  exact (verified_free frames segs tolerance ahead per_knot N low _ _ leaf_check outside_check jumps
    skips claims last 65 ops Or Tol Pk N0 Jo So Lo Cl E).
Qed.

(* It reads: T, then L with the direction (0.5, -1, 0), then A with one ray, cut off or not. *)
Definition some_ops := [x54; x4c; x00; x00; x00; x3f; x00; x00; x80; xbf; x00; x00; x00; x00; x41;
  x49; x00; x00; x80; x7f; x01; x00; x00; x00; x00; x00; x80; x3f].
Example it_reads : match read_ops (length some_ops) some_ops with
  | Some [OpT; OpLeaf (Chord n); OpOpen false false [r]] =>
      (dx n =? 0.5)%float && (dy n =? -1)%float && (dz n =? 0)%float && is_nan (dx r)
        && (dy r =? ldexp 1 (-149))%float && (dz r =? 1)%float
  | _ => false
  end = true /\ read_ops 30 (removelast (firstn 14 some_ops)) = None /\ read_ops 9 [x5a] = None.
Proof. vm_compute. auto. Qed.
