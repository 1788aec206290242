(* SPDX-License-Identifier: MIT *)
(** Overflow. *)

From Coq Require Import Reals ZArith Psatz Lia Lra.
From Flocq Require Import Core Plus_error Relative.
From Cumsum Require Import AnyOrder EitherNeighbour.
Open Scope R_scope.

Section Overflow.

Variables emin p : Z.
Context { prec_gt_0_ : Prec_gt_0 p }.

Notation fexp := (FLT_exp emin p).
Notation F := (generic_format radix2 fexp).
Notation u := (u p).
Notation value := (value emin p).

(** * Overflow: no partial sum, before it is rounded, is above (1 + (n - 1) u) P, nor below
    -(1 + (n - 1) u) N *)

Fixpoint every (Q : R -> Prop) (rnd : R -> Z) (t : tree) : Prop :=
  match t with
  | Leaf x => True
  | Node l r => Q (value rnd l + value rnd r) /\ every Q rnd l /\ every Q rnd r
  end.

Lemma magn_pos_neg : forall t, magn t = pos t + neg t /\ sum t = pos t - neg t.
Proof.
  induction t as [x | l [IHl1 IHl2] r [IHr1 IHr2]]; simpl; [| lra].
  destruct (Rle_or_lt x 0).
  - rewrite Rabs_left1, Rmax_right, Rmax_left by lra. lra.
  - rewrite Rabs_pos_eq, Rmax_left, Rmax_right by lra. lra.
Qed.

Lemma every_impl : forall (Q Q' : R -> Prop) rnd t, (forall x, Q x -> Q' x) -> every Q rnd t ->
  every Q' rnd t.
Proof. induction t; simpl; firstorder. Qed.

(** Each partial sum is one of k + 1 terms at most, whose P and N it is within k u (P + N) of. *)
Lemma partial_sums : forall choice t, let rnd := Znearest choice in all F t ->
  every (fun s => exists k P N, 0 <= k <= INR (leaves t - 1) /\ 0 <= P <= pos t /\
    0 <= N <= neg t /\ Rabs (s - (P - N)) <= k * u * (P + N)) rnd t.
Proof.
  intros choice t rnd. pose proof (u_ge_0 p).
  induction t as [x | l IHl r IHr]; intros Hf; [exact I |].
  pose proof (pos_ge_0 l). pose proof (pos_ge_0 r). pose proof (neg_ge_0 l). pose proof (neg_ge_0 r).
  assert (K1 : INR (leaves l - 1) <= INR (leaves (Node l r) - 1)) by (apply le_INR; simpl; lia).
  assert (K2 : INR (leaves r - 1) <= INR (leaves (Node l r) - 1)) by (apply le_INR; simpl; lia).
  set (K := INR (leaves (Node l r) - 1)) in *. assert (HK : 0 <= K) by apply pos_INR.
  split; [| split].
  - exists K, (pos (Node l r)), (neg (Node l r)). destruct (magn_pos_neg (Node l r)) as [<- <-].
    simpl in *. repeat split; try lra.
    pose proof (error_any_order emin p choice l (proj1 Hf)) as E1.
    pose proof (error_any_order emin p choice r (proj2 Hf)) as E2. fold rnd in E1, E2.
    assert (INR (leaves l - 1) * u * magn l <= K * u * magn l)
      by (repeat apply Rmult_le_compat_r; auto using magn_ge_0).
    assert (INR (leaves r - 1) * u * magn r <= K * u * magn r)
      by (repeat apply Rmult_le_compat_r; auto using magn_ge_0).
    replace (value rnd l + value rnd r - (sum l + sum r))
      with ((value rnd l - sum l) + (value rnd r - sum r)) by ring.
    eapply Rle_trans; [apply Rabs_triang |]. lra.
  - eapply every_impl; [| apply (IHl (proj1 Hf))].
    intros s [k [P [N H']]]. exists k, P, N. simpl. intuition lra.
  - eapply every_impl; [| apply (IHr (proj2 Hf))].
    intros s [k [P [N H']]]. exists k, P, N. simpl. intuition lra.
Qed.

Theorem no_overflow : forall choice t, let rnd := Znearest choice in let K := INR (leaves t - 1) in
  all F t -> K * u <= 1 -> every (fun s => - ((1 + K * u) * neg t) <= s
    <= (1 + K * u) * pos t) rnd t.
Proof.
  intros choice t rnd K Hf HK. pose proof (u_ge_0 p). eapply every_impl; [| now apply partial_sums].
  intros s [k [P [N [Hk [HP [HN Hs]]]]]]. fold K in Hk. apply Rabs_le_between in Hs.
  assert (k * u <= K * u) by (apply Rmult_le_compat_r; lra).
  assert (0 <= k * u) by (apply Rmult_le_pos; lra). nra.
Qed.

(** ... or above P + (n - 1) u A, nor below -(N + (n - 1) u A), without the condition on n. *)
Theorem no_overflow_long : forall choice t,
  let rnd := Znearest choice in let K := INR (leaves t - 1) in
  all F t -> every (fun s => - (neg t + K * u * magn t) <= s <= pos t + K * u * magn t) rnd t.
Proof.
  intros choice t rnd K Hf. pose proof (u_ge_0 p). eapply every_impl; [| now apply partial_sums].
  intros s [k [P [N [Hk [HP [HN Hs]]]]]]. fold K in Hk. apply Rabs_le_between in Hs.
  destruct (magn_pos_neg t) as [-> _].
  assert (k * u * (P + N) <= K * u * (pos t + neg t)).
  { apply Rmult_le_compat; try lra; [apply Rmult_le_pos | apply Rmult_le_compat_r]; lra. }
  lra.
Qed.

(** * Additions that return either neighbour *)

(** Every addition below has an exact sum between -(N + G^(n-2)(A) - A) and P + G^(n-2)(A) - A. *)
Theorem no_overflow_either : forall t r y, eval (faithful emin p) t r y -> all F t ->
  let B := Gn p (adds t - 1) (magn t) - magn t in
  eval (fun x y => faithful emin p x y /\ - (neg t + B) <= x <= pos t + B) t r y.
Proof.
  intros t r y E Hf B.
  assert (H : forall s k z, eval (faithful emin p) s k z -> all F s ->
    forall K, (adds s - 1 <= K)%nat ->
    forall lo hi, lo <= - (neg s + (Gn p K (magn s) - magn s)) ->
    pos s + (Gn p K (magn s) - magn s) <= hi ->
    eval (fun x y => faithful emin p x y /\ lo <= x <= hi) s k z).
  { clear E Hf B r y t. intros s k z E.
    induction E as [x | l r i j c a b z E1 IH1 E2 IH2 Ha Hc] using eval_induction;
      intros Hf K HK lo hi Hlo Hhi; [constructor; now left |].
    destruct Hf as [Fl Fr]. simpl neg in *. simpl pos in *. simpl magn in *. simpl adds in HK.
    pose proof (run_adds _ _ _ _ _ _ E1). pose proof (run_adds _ _ _ _ _ _ E2).
    pose proof (magn_ge_0 l). pose proof (magn_ge_0 r).
    pose proof (pos_ge_0 l). pose proof (pos_ge_0 r). pose proof (neg_ge_0 l).
    pose proof (neg_ge_0 r).
    pose proof (Gn_plus p K (magn l) (magn r) ltac:(lra) ltac:(lra)).
    pose proof (Gn_plus p K (magn r) (magn l) ltac:(lra) ltac:(lra)) as HG.
    rewrite (Rplus_comm (magn r) (magn l)) in HG.
    pose proof (Gn_join p i j _ _ (magn_ge_0 l) (magn_ge_0 r)).
    pose proof (Gn_le p (i + j) K (magn l + magn r) ltac:(lia) ltac:(lra)).
    pose proof (either_growth emin p l i a E1 Fl) as B1. apply Rabs_le_inv in B1.
    pose proof (either_growth emin p r j b E2 Fr) as B2. apply Rabs_le_inv in B2.
    destruct (magn_pos_neg l) as [_ Sl]. destruct (magn_pos_neg r) as [_ Sr].
    apply run_node with a b z; [apply (IH1 Fl K) | apply (IH2 Fr K) | split; [exact Ha |] |
      exact Hc | now left]; lia || lra. }
  apply (H t r y E Hf (adds t - 1)%nat); [lia | fold B; lra | fold B; lra].
Qed.

End Overflow.
