(* SPDX-License-Identifier: MIT *)
(** A binary32 sum that is stored in 16 bits lies between the stored ends of its interval
    (docs/oracle.md, "The interval"). *)

From Coq Require Import Reals ZArith.
From Flocq Require Import Core.
From Cumsum Require Import AnyOrder Store16.
Open Scope R_scope.

Notation RN32 choice := (round radix2 (FLT_exp (-149) 24) (Znearest choice)).
Notation sum32 choice := (value (-149) 24 (Znearest choice)).

(** lower, y and upper are the ranks of the ends and of the sum, before they are stored.  The store
    may be any of those of Store16.v. *)
Theorem stored : forall choice q M t lower y upper,
  let E := INR (nonzero t + 1 - h_of 24 q M - 1) * u 24 * magn t in
  0 < M -> all (generic_format radix2 (FLT_exp (-149) 24)) t ->
  all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  value32 lower = RN32 choice (sum t - E) -> value32 y = sum32 choice t ->
  value32 upper = RN32 choice (sum t + E) ->
  forall nearest limit,
    (let s := store 13 112 0x7C00 nearest limit in (s lower <= s y <= s upper)%Z) /\
    (let s := store 16 0 0x7F80 nearest limit in (s lower <= s y <= s upper)%Z).
Proof.
  intros choice q M t lower y upper E HM Hf Hm Hb Hl Hy Hu nearest limit.
  assert (p24 : Prec_gt_0 24) by reflexivity.
  pose proof (verdict1 (-149) 24 choice q M t HM Hf Hm Hb) as [HL HU]. fold E in HL, HU.
  rewrite <- Hl, <- Hy in HL. rewrite <- Hu, <- Hy in HU.
  split; split; (apply store_binary16 || apply store_bfloat16); assumption.
Qed.
