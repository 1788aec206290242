(* SPDX-License-Identifier: MIT *)
(** Sums of consecutive terms (docs/oracle.md, "Not by neighbours"): if r of the additions of a scan
    may round, |y - S| <= R ((1 + v)^r - 1), where R is the greatest less the least of the exact
    prefix sums.  With denormals flushed, (2n - 1) w (1 + v)^r is added.  Zeros do not count.

    [add] is any addition of relative error v that returns a sum that is a number of the format: to
    nearest with v = u, toward zero or to either neighbour with v = 2u. *)

From Coq Require Import Reals ZArith Psatz Lia Lra.
From Flocq Require Import Core Plus_error Relative.
From Cumsum Require Import AnyOrder EitherNeighbour Flushed.
Open Scope R_scope.

Section Doubt.

Variables emin p : Z.
Context { prec_gt_0_ : Prec_gt_0 p }.

Notation fexp := (FLT_exp emin p).
Notation F := (generic_format radix2 fexp).

(** * Sums of consecutive terms lie within R *)

(** All prefix sums of the terms, which begin after a prefix of sum b, lie in [lo, hi]. *)
Fixpoint prefixes_in (lo hi b : R) (t : tree) : Prop :=
  match t with
  | Leaf x => lo <= b <= hi /\ lo <= b + x <= hi
  | Node l r => prefixes_in lo hi b l /\ prefixes_in lo hi (b + sum l) r
  end.

Lemma prefixes_ends : forall lo hi t b, prefixes_in lo hi b t ->
  lo <= b <= hi /\ lo <= b + sum t <= hi.
Proof.
  intros lo hi t. induction t as [x | l IHl r IHr]; simpl; intros b H; [exact H |].
  destruct (IHl _ (proj1 H)). destruct (IHr _ (proj2 H)). lra.
Qed.

Lemma consecutive_within_R : forall lo hi t b, prefixes_in lo hi b t ->
  every_sum (fun s => Rabs s <= hi - lo) t.
Proof.
  intros lo hi t. induction t as [x | l IHl r IHr]; intros b H.
  - simpl in *. apply Rabs_le. lra.
  - pose proof (prefixes_ends lo hi (Node l r) b H) as He. simpl sum in He.
    destruct H as [Hl Hr]. split; [apply Rabs_le; lra |].
    split; [exact (IHl _ Hl) | exact (IHr _ Hr)].
Qed.

(** * The bound *)

Lemma consecutive_add : forall add eps, addition emin p add -> 0 <= eps ->
  (forall a b y, F a -> F b -> add (a + b) y -> Rabs (y - (a + b)) <= eps * Rabs (a + b)) ->
  forall q M lo hi w t k z, 0 <= w -> 0 < M -> run add w t k z -> prefixes_in lo hi 0 t ->
  all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  let n := nonzero t in let r := (n + 1 - h_of p q M)%nat in
  Rabs (z - sum t) <= (hi - lo) * ((1 + eps) ^ r - 1) + INR (2 * n - 1) * w * (1 + eps) ^ r.
Proof.
  intros add eps A He Heps q M lo hi w t k z Hw HM E Hp Hf Hm Hb n r. unfold r, n; clear r n.
  destruct (prefixes_ends _ _ _ _ Hp) as [H0 _].
  destruct (format_rounds emin p add A w q M t k z HM E Hf Hm Hb)
    as [[-> [-> HT]] | [t' [c [Hc [Ec [HL [HT [HP HQ]]]]]]]].
  - rewrite HT, Rminus_0_r, Rabs_R0 by reflexivity.
    assert (1 <= (1 + eps) ^ (0 + 1 - h_of p q M)) by (apply pow_R1_Rle; lra).
    simpl (INR (2 * 0 - 1)). rewrite !Rmult_0_l, Rplus_0_r. apply Rmult_le_pos; lra.
  - rewrite <- HT, <- HL in * by reflexivity.
    eapply Rle_trans; [apply (consecutive_counted emin p add eps A He Heps w (hi - lo) t' c z);
      auto; lra || now apply HQ, (consecutive_within_R lo hi t 0) |].
    assert (HX : (1 + eps) ^ c <= (1 + eps) ^ (leaves t' + 1 - h_of p q M))
      by (apply Rle_pow; lra || lia).
    apply Rplus_le_compat; apply Rmult_le_compat_l; try lra.
    apply Rmult_le_pos; [apply pos_INR | exact Hw].
Qed.

(** An accumulator that rounds to nearest. *)
Theorem consecutive_nearest : forall q M lo hi w t k z, 0 <= w -> 0 < M ->
  run (nearest emin p) w t k z -> prefixes_in lo hi 0 t ->
  all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  let n := nonzero t in let r := (n + 1 - h_of p q M)%nat in
  Rabs (z - sum t) <=
    (hi - lo) * ((1 + u p) ^ r - 1) + INR (2 * n - 1) * w * (1 + u p) ^ r.
Proof.
  exact (consecutive_add (nearest emin p) (u p) (nearest_addition emin p) (u_ge_0 p)
    (nearest_error_u emin p)).
Qed.

(** One that truncates, or returns either neighbour. *)
Theorem consecutive_either : forall q M lo hi w t k z, 0 <= w -> 0 < M ->
  run (faithful emin p) w t k z -> prefixes_in lo hi 0 t ->
  all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  let n := nonzero t in let r := (n + 1 - h_of p q M)%nat in
  Rabs (z - sum t) <=
    (hi - lo) * ((1 + v p) ^ r - 1) + INR (2 * n - 1) * w * (1 + v p) ^ r.
Proof.
  apply (consecutive_add (faithful emin p) (v p) (faithful_addition emin p) (Rlt_le _ _ (v_gt_0 p))).
  intros a b y Fa Fb H. eapply Rle_trans; [now apply (faithful_error emin p) |].
  apply Rmult_le_compat_l; [apply Rlt_le, v_gt_0 | apply slope_le].
Qed.

End Doubt.
