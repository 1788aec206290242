(* SPDX-License-Identifier: MIT *)
(** Sums of consecutive terms (docs/oracle.md, "Not by neighbours"): if r of the additions of a scan
    may round, |y - S| <= R ((1 + v)^r - 1), where R is the greatest less the least of the exact
    prefix sums.  With denormals flushed, (2n - 1) w (1 + v)^r is added.  Zeros do not count.

    [add] is any addition of relative error v that returns a sum that is a number of the format: to
    nearest with v = u, toward zero or to either neighbour with v = 2u. *)

From Coq Require Import Reals ZArith Psatz Lia Lra.
From Flocq Require Import Core Plus_error Relative.
From Cumsum Require Import AnyOrder EitherNeighbour Zeros Flushed.
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

Fixpoint every_sum (Q : R -> Prop) (t : tree) : Prop :=
  match t with
  | Leaf x => Q x
  | Node l r => Q (sum l + sum r) /\ every_sum Q l /\ every_sum Q r
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

Lemma prune_prefixes : forall lo hi t b, prefixes_in lo hi b t ->
  on True (prefixes_in lo hi b) (prune t).
Proof.
  intros lo hi t. induction t as [x | l IHl r IHr]; simpl; intros b H.
  - destruct (Req_EM_T x 0); simpl; auto.
  - pose proof (prune_sum l) as Sl. specialize (IHl _ (proj1 H)). specialize (IHr _ (proj2 H)).
    destruct (prune l), (prune r); simpl in *; rewrite <- Sl in *; auto.
    now rewrite Rplus_0_r in IHr.
Qed.

(** * The bound *)

Section Addition.

Variable add : R -> R -> Prop.
Variable eps : R.
Hypothesis add_closed : closed emin p add.
Hypothesis add_exact : exact_in_format emin p add.
Hypothesis eps_ge_0 : 0 <= eps.
Hypothesis add_eps : forall a b y, F a -> F b -> add (a + b) y ->
  Rabs (y - (a + b)) <= eps * Rabs (a + b).

Notation run := (run add).

(** One addition: X and Y are (1 + v)^i and (1 + v)^j, i0 and j0 numbers of places that flush. *)
Lemma join_errors : forall Rg w X Y i0 j0, 0 <= Rg -> 0 <= w -> 1 <= X -> 1 <= Y -> 0 <= i0 ->
  0 <= j0 ->
  Rg * (X - 1) + i0 * w * X + (Rg * (Y - 1) + j0 * w * Y)
    <= Rg * (X * Y - 1) + (i0 + j0) * w * (X * Y).
Proof.
  intros Rg w X Y i0 j0 HR Hw HX HY Hi Hj.
  assert (H1 : X + Y - 1 <= X * Y) by nra.
  assert (H2 : Rg * (X + Y - 2) <= Rg * (X * Y - 1)) by (apply Rmult_le_compat_l; lra).
  assert (HXY : X <= X * Y) by nra. assert (HYX : Y <= X * Y) by nra.
  assert (H3 : i0 * w * X <= i0 * w * (X * Y)) by (apply Rmult_le_compat_l;
    [now apply Rmult_le_pos | lra]).
  assert (H4 : j0 * w * Y <= j0 * w * (X * Y)) by (apply Rmult_le_compat_l;
    [now apply Rmult_le_pos | lra]).
  lra.
Qed.

Lemma consecutive_counted : forall w Rg t r z, 0 <= w -> 0 <= Rg ->
  run w t r z -> all F t -> every_sum (fun s => Rabs s <= Rg) t ->
  Rabs (z - sum t) <= Rg * ((1 + eps) ^ r - 1) + INR (2 * leaves t - 1) * w * (1 + eps) ^ r.
Proof.
  intros w Rg t r z Hw HR E.
  induction E as [x z H | l r i j a b z E1 IH1 E2 IH2 Ha H | l r i j a b y z E1 IH1 E2 IH2 Ha H];
    intros Hf Hs.
  - simpl. pose proof (flushed_error _ _ _ Hw H). lra.
  - destruct Hf as [Fl Fr]. destruct Hs as [_ [Sl Sr]]. specialize (IH1 Fl Sl).
  specialize (IH2 Fr Sr).
    pose proof (flushed_error _ _ _ Hw H) as Hz. simpl sum. simpl leaves.
    rewrite (leaves_adds l), (leaves_adds r) in *.
    replace (2 * S (adds l) - 1)%nat with (2 * adds l + 1)%nat in IH1 by lia.
    replace (2 * S (adds r) - 1)%nat with (2 * adds r + 1)%nat in IH2 by lia.
    replace (2 * (S (adds l) + S (adds r)) - 1)%nat with (2 * adds l + 1 + (2 * adds r + 1) +
      1)%nat by lia.
    rewrite plus_INR, (plus_INR (2 * adds l + 1)).
    set (i0 := INR (2 * adds l + 1)) in *. set (j0 := INR (2 * adds r + 1)) in *.
    assert (0 <= i0) by apply pos_INR. assert (0 <= j0) by apply pos_INR.
    rewrite pow_add. set (X := (1 + eps) ^ i) in *. set (Y := (1 + eps) ^ j) in *.
    assert (X1 : 1 <= X) by (apply pow_R1_Rle; lra).
    assert (Y1 : 1 <= Y) by (apply pow_R1_Rle; lra).
    pose proof (join_errors Rg w X Y i0 j0 HR Hw X1 Y1 ltac:(lra) ltac:(lra)).
    pose proof (plus_error_split _ _ _ _ _ _ _ _ IH1 IH2 Hz).
    assert (w <= w * (X * Y)) by (rewrite <- (Rmult_1_r w) at 1; apply Rmult_le_compat_l; nra).
    simpl (INR 1). lra.
  - destruct Hf as [Fl Fr]. destruct Hs as [HS [Sl Sr]]. specialize (IH1 Fl Sl).
  specialize (IH2 Fr Sr).
    pose proof (run_format emin p add add_closed _ _ _ _ E1 Fl) as Fa.
    pose proof (run_format emin p add add_closed _ _ _ _ E2 Fr) as Fb.
    pose proof (add_eps a b y Fa Fb Ha) as Hd.
    pose proof (flushed_error _ _ _ Hw H) as Hz. simpl sum. simpl leaves.
    rewrite (leaves_adds l), (leaves_adds r) in *.
    replace (2 * S (adds l) - 1)%nat with (2 * adds l + 1)%nat in IH1 by lia.
    replace (2 * S (adds r) - 1)%nat with (2 * adds r + 1)%nat in IH2 by lia.
    replace (2 * (S (adds l) + S (adds r)) - 1)%nat with (2 * adds l + 1 + (2 * adds r + 1) +
      1)%nat by lia.
    rewrite plus_INR, (plus_INR (2 * adds l + 1)).
    set (i0 := INR (2 * adds l + 1)) in *. set (j0 := INR (2 * adds r + 1)) in *.
    assert (0 <= i0) by apply pos_INR. assert (0 <= j0) by apply pos_INR.
    simpl pow. rewrite pow_add. set (X := (1 + eps) ^ i) in *. set (Y := (1 + eps) ^ j) in *.
    assert (X1 : 1 <= X) by (apply pow_R1_Rle; lra).
    assert (Y1 : 1 <= Y) by (apply pow_R1_Rle; lra).
    pose proof (join_errors Rg w X Y i0 j0 HR Hw X1 Y1 ltac:(lra) ltac:(lra)) as HJ.
    set (e := Rg * (X * Y - 1) + (i0 + j0) * w * (X * Y)) in *.
    assert (He : Rabs (a + b) <= Rg + e).
    { replace (a + b) with ((sum l + sum r) + ((a - sum l) + (b - sum r))) by ring.
      pose proof (Rabs_triang (sum l + sum r) ((a - sum l) + (b - sum r))).
      pose proof (Rabs_triang (a - sum l) (b - sum r)). lra. }
    assert (Hd' : Rabs (y - (a + b)) <= eps * (Rg + e)).
    { eapply Rle_trans; [exact Hd |]. apply Rmult_le_compat_l; lra. }
    pose proof (plus_error_split _ _ _ _ _ _ _ _ IH1 IH2 Hd') as HE.
    replace (z - (sum l + sum r)) with ((z - y) + (y - (sum l + sum r))) by ring.
    pose proof (Rabs_triang (z - y) (y - (sum l + sum r))).
    assert (XY1 : 1 <= X * Y) by nra.
    assert (Z1 : 1 <= (1 + eps) * (X * Y)) by nra.
    assert (w <= w * ((1 + eps) * (X * Y))) by (rewrite <- (Rmult_1_r w) at 1;
      now apply Rmult_le_compat_l).
    apply Rle_trans with (w + eps * Rg + (1 + eps) * e); [lra |].
    unfold e. simpl (INR 1). lra.
Qed.

Lemma consecutive_add : forall q M lo hi w t k z, 0 <= w -> 0 < M ->
  run w t k z -> prefixes_in lo hi 0 t ->
  all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  let n := nonzero t in let r := (n + 1 - h_of p q M)%nat in
  Rabs (z - sum t) <= (hi - lo) * ((1 + eps) ^ r - 1) + INR (2 * n - 1) * w * (1 + eps) ^ r.
Proof.
  intros q M lo hi w t k z Hw HM E Hp Hf Hm Hb n r. unfold r, n; clear r n.
  destruct (prefixes_ends _ _ _ _ Hp) as [H0 _].
  pose proof (prune_run emin p add add_closed add_exact w Hw t k z E Hf) as HE.
  pose proof (prune_prefixes _ _ _ _ Hp) as Hp'. pose proof (prune_all _ _ Hf) as Hf'.
  pose proof (prune_all _ _ Hm) as Hm'. pose proof (prune_all _ _ Hb) as Hb'.
  rewrite <- (prune_leaves t), <- (prune_sum t). clear Hp Hf Hm Hb E.
  destruct (prune t) as [t' |]; simpl on in *.
  - destruct HE as [k' [_ E]].
    assert (Hh2 : (2 <= h_of p q M)%nat) by (unfold h_of; lia).
    destruct (run_count emin p add add_closed add_exact w Hw q M (h_of p q M) (fun k => h_of_ok p
      q M k HM)
      t' k' z E Hf' Hm' Hb') as [c [Hc Ec]].
    pose proof (additions_above_h_terms (h_of p q M) t' Hh2) as HT.
    eapply Rle_trans; [apply (consecutive_counted w (hi - lo) t' c z); auto; [lra |] |].
    { now apply (consecutive_within_R lo hi t' 0). }
    assert (HP : (1 + eps) ^ c <= (1 + eps) ^ (leaves t' + 1 - h_of p q M)) by (apply Rle_pow;
      lra || lia).
    apply Rplus_le_compat; apply Rmult_le_compat_l; try lra.
    apply Rmult_le_pos; [apply pos_INR | exact Hw].
  - subst z. rewrite Rminus_diag_eq by reflexivity. rewrite Rabs_R0.
    assert (1 <= (1 + eps) ^ (0 + 1 - h_of p q M)) by (apply pow_R1_Rle; lra).
    simpl (INR (2 * 0 - 1)). rewrite !Rmult_0_l, Rplus_0_r. apply Rmult_le_pos; lra.
Qed.

End Addition.

(** An accumulator that rounds to nearest. *)
Theorem consecutive_nearest : forall q M lo hi w t k z, 0 <= w -> 0 < M ->
  run (nearest emin p) w t k z -> prefixes_in lo hi 0 t ->
  all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  let n := nonzero t in let r := (n + 1 - h_of p q M)%nat in
  Rabs (z - sum t) <=
    (hi - lo) * ((1 + u p) ^ r - 1) + INR (2 * n - 1) * w * (1 + u p) ^ r.
Proof.
  exact (consecutive_add (nearest emin p) (u p) (nearest_closed emin p) (nearest_exact emin p)
    (Rlt_le _ _ (u_gt_0 p)) (nearest_error_u emin p)).
Qed.

(** One that truncates, or returns either neighbour. *)
Theorem consecutive_either : forall q M lo hi w t k z, 0 <= w -> 0 < M ->
  run (faithful emin p) w t k z -> prefixes_in lo hi 0 t ->
  all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  let n := nonzero t in let r := (n + 1 - h_of p q M)%nat in
  Rabs (z - sum t) <=
    (hi - lo) * ((1 + v p) ^ r - 1) + INR (2 * n - 1) * w * (1 + v p) ^ r.
Proof.
  apply (consecutive_add (faithful emin p) (v p) (faithful_closed emin p) (faithful_exact emin p)
    (Rlt_le _ _ (v_gt_0 p))).
  intros a b y Fa Fb H. eapply Rle_trans; [now apply (faithful_error emin p) |].
  apply Rmult_le_compat_l; [apply Rlt_le, v_gt_0 | apply slope_le].
Qed.

End Doubt.
