(* SPDX-License-Identifier: MIT *)
(** Denormals flushed. *)

From Coq Require Import Reals ZArith Psatz Lia Lra.
From Flocq Require Import Core Plus_error Relative.
From Cumsum Require Import AnyOrder EitherNeighbour Zeros.
Open Scope R_scope.

Section Flushed.

Variables emin p : Z.
Context { prec_gt_0_ : Prec_gt_0 p }.

Notation fexp := (FLT_exp emin p).
Notation F := (generic_format radix2 fexp).
Notation u := (u p).
Notation nearest := (nearest emin p).

(** Terms and results below w in magnitude may be replaced by 0

    For every kind of addition of relative error eps: u to nearest, 2u for faithful additions. *)

Section Flush.

Variable add : R -> R -> Prop.
Variable eps : R.
Hypothesis add_closed : closed emin p add.
Hypothesis eps_ge_0 : 0 <= eps.
Hypothesis add_eps : forall a b y, F a -> F b -> add (a + b) y ->
  Rabs (y - (a + b)) <= eps * Rabs (a + b).

Definition flushed (w y z : R) := z = y \/ (z = 0 /\ Rabs y <= w).

Lemma flushed_error : forall w y z, 0 <= w -> flushed w y z -> Rabs (z - y) <= w.
Proof.
  intros w y z Hw [-> | [-> H]].
  - rewrite Rminus_diag_eq by reflexivity. now rewrite Rabs_R0.
  - rewrite Rminus_0_l, Rabs_Ropp. exact H.
Qed.

Inductive eval_flush (w : R) : tree -> R -> Prop :=
| flush_leaf : forall x z, flushed w x z -> eval_flush w (Leaf x) z
| flush_node : forall l r a b y z, eval_flush w l a -> eval_flush w r b ->
    add (a + b) y -> flushed w y z -> eval_flush w (Node l r) z.

Lemma flush_format : forall w t z, eval_flush w t z -> all F t -> F z.
Proof.
  intros w t z E; induction E as [x z H | l r a b y z E1 IH1 E2 IH2 Ha H]; simpl; intros Hf;
    destruct H as [-> | [-> _]]; try apply generic_format_0;
      [exact Hf | now apply (add_closed (a + b))].
Qed.

(** The same with a count of the additions that round, as in [eval]. *)
Inductive run (w : R) : tree -> nat -> R -> Prop :=
| run_leaf : forall x z, flushed w x z -> run w (Leaf x) 0 z
| run_exact : forall l r i j a b z, run w l i a -> run w r j b ->
    add (a + b) (a + b) -> flushed w (a + b) z -> run w (Node l r) (i + j) z
| run_round : forall l r i j a b y z, run w l i a -> run w r j b ->
    add (a + b) y -> flushed w y z -> run w (Node l r) (S (i + j)) z.

Lemma run_flush : forall w t k z, run w t k z -> eval_flush w t z.
Proof.
  intros w t k z E; induction E; [now constructor | |]; eapply flush_node; eassumption.
Qed.

Lemma flush_run : forall w t z, eval_flush w t z -> exists k, run w t k z.
Proof.
  intros w t z E; induction E as [x z H | l r a b y z E1 [i R1] E2 [j R2] Ha H].
  - exists 0%nat. now constructor.
  - exists (S (i + j)). eapply run_round; eassumption.
Qed.

Lemma run_format : forall w t k z, run w t k z -> all F t -> F z.
Proof. intros w t k z E. apply (flush_format w). now apply run_flush with k. Qed.

(** * Zeros do not count, flushed or not *)

Hypothesis add_exact : exact_in_format emin p add.

Lemma flushed_0 : forall w z, flushed w 0 z -> z = 0.
Proof. intros w z [H | [H _]]; exact H. Qed.

Lemma flushed_again : forall w x y z, flushed w x y -> flushed w y z -> flushed w x z.
Proof.
  intros w x y z [-> | [-> H]] Hz; [exact Hz |]. right.
  split; [now apply flushed_0 with w | exact H].
Qed.

Lemma run_again : forall w t k y z, run w t k y -> flushed w y z -> run w t k z.
Proof.
  intros w t k y z E Hz; destruct E.
  - constructor. now apply flushed_again with z0.
  - eapply run_exact; try eassumption. now apply flushed_again with z0.
  - eapply run_round; try eassumption. now apply flushed_again with z0.
Qed.

Lemma add_zero : forall b y, F b -> add b y -> y = b.
Proof. intros b y Fb H. now apply add_exact. Qed.

Lemma prune_run : forall w, 0 <= w -> forall t k z, run w t k z -> all F t ->
  match prune t with Some t' => exists k', (k' <= k)%nat /\ run w t' k' z | None => z = 0 end.
Proof.
  intros w Hw t k z E.
  assert (Join : forall l r i j k a b y z, run w l i a -> run w r j b -> all F l -> all F r ->
    add (a + b) y -> flushed w y z -> (i + j <= k)%nat ->
    (forall l' r' i' j', run w l' i' a -> run w r' j' b -> (i' <= i)%nat -> (j' <= j)%nat ->
      exists k', (k' <= k)%nat /\ run w (Node l' r') k' z) ->
    match prune l with Some t' => exists k', (k' <= i)%nat /\ run w t' k' a | None => a = 0 end ->
    match prune r with Some t' => exists k', (k' <= j)%nat /\ run w t' k' b | None => b = 0 end ->
    match prune (Node l r) with
    | Some t' => exists k', (k' <= k)%nat /\ run w t' k' z | None => z = 0 end).
  { clear E z k t. intros l r i j k a b y z E1 E2 Fl Fr Ha Hz Hk Both Hl Hr.
    pose proof (run_format _ _ _ _ E1 Fl) as Fa. pose proof (run_format _ _ _ _ E2 Fr) as Fb.
    simpl. destruct (prune l) as [l' |], (prune r) as [r' |].
    - destruct Hl as [i' [Hi Rl]]. destruct Hr as [j' [Hj Rr]]. now apply (Both l' r' i' j').
    - subst b. rewrite Rplus_0_r in Ha. assert (y = a) by now apply add_zero.
      subst y.
      destruct Hl as [i' [Hi Rl]]. exists i'. split; [lia |]. now apply run_again with a.
    - subst a. rewrite Rplus_0_l in Ha. assert (y = b) by now apply add_zero.
      subst y.
      destruct Hr as [j' [Hj Rr]]. exists j'. split; [lia |]. now apply run_again with b.
    - subst a b. rewrite Rplus_0_l in Ha. assert (y = 0) by now apply add_zero.
      subst y.
      now apply flushed_0 with w. }
  induction E as [x z H | l r i j a b z E1 IH1 E2 IH2 Ha H | l r i j a b y z E1 IH1 E2 IH2 Ha H];
    intros Hf.
  - simpl. destruct (Req_EM_T x 0) as [-> | Hx]; [now apply flushed_0 with w |].
    exists 0%nat. split; [lia | now constructor].
  - destruct Hf as [Fl Fr]. specialize (IH1 Fl). specialize (IH2 Fr).
    apply (Join l r i j (i + j)%nat a b (a + b) z); auto.
    intros l' r' i' j' Rl Rr Hi Hj. exists (i' + j')%nat.
    split; [lia | now apply run_exact with a b].
  - destruct Hf as [Fl Fr]. specialize (IH1 Fl). specialize (IH2 Fr).
    apply (Join l r i j (S (i + j))%nat a b y z); auto.
    intros l' r' i' j' Rl Rr Hi Hj. exists (S (i' + j')).
    split; [lia | now apply run_round with a b y].
Qed.

(** * Flushed or not, an addition with less than h terms below it is exact *)

Lemma run_small : forall w, 0 <= w -> forall q t k z, run w t k z ->
  all F t -> all (multiple q) t -> magn t <= bpow radix2 (p + q) ->
  multiple q z /\ Rabs z <= magn t /\ run w t 0 z.
Proof.
  intros w Hw q t k z E.
  assert (Mz : forall y z, multiple q y -> flushed w y z -> multiple q z).
  { intros y0 z0 My [-> | [-> _]]; [exact My |]. exists 0%Z. simpl. ring. }
  assert (Az : forall y z m, Rabs y <= m -> flushed w y z -> Rabs z <= m).
  { intros y0 z0 m Hm [-> | [-> _]]; [exact Hm |]. rewrite Rabs_R0. pose proof (Rabs_pos y0). lra. }
  assert (Step : forall l r a b y z, all F (Node l r) -> magn (Node l r) <= bpow radix2 (p + q) ->
    F a -> F b -> multiple q a /\ Rabs a <= magn l /\ run w l 0 a ->
    multiple q b /\ Rabs b <= magn r /\ run w r 0 b -> add (a + b) y -> flushed w y z ->
    multiple q z /\ Rabs z <= magn (Node l r) /\ run w (Node l r) 0 z).
  { intros l r a b y0 z0 Hf HA Fa Fb [Ma [Aa Ra]] [Mb [Ab Rb]] Hy Hz. simpl magn in *.
    pose proof (Rabs_triang a b) as Ht.
    assert (Ms : multiple q (a + b)) by now apply multiple_plus.
    assert (Fs : F (a + b)).
    { destruct (Z_le_gt_dec emin q) as [Hq | Hq].
      - apply (multiple_format emin p q); auto; lra.
      - apply (multiple_format emin p emin); [lia | |].
        + apply multiple_plus; now apply (format_multiple_emin emin p).
        + apply Rle_trans with (bpow radix2 (p + q)); [lra | apply bpow_le; lia]. }
    pose proof (add_exact _ _ Hy Fs) as ->.
    split; [now apply Mz with (a + b) | split; [apply Az with (a + b); [lra | exact Hz] |]].
    now apply (run_exact w l r 0 0 a b). }
  induction E as [x z H | l r i j a b z E1 IH1 E2 IH2 Ha H | l r i j a b y z E1 IH1 E2 IH2 Ha H];
    intros Hf Hm HA.
  - simpl in *. split; [now apply Mz with x | split; [apply Az with x;
    [lra | exact H] | now constructor]].
  - pose proof (magn_ge_0 l). pose proof (magn_ge_0 r). simpl in HA.
    apply (Step l r a b (a + b) z); auto.
    + apply run_format with w l i; [assumption | apply Hf].
    + apply run_format with w r j; [assumption | apply Hf].
    + apply IH1; [apply Hf | apply Hm | lra].
    + apply IH2; [apply Hf | apply Hm | lra].
  - pose proof (magn_ge_0 l). pose proof (magn_ge_0 r). simpl in HA.
    apply (Step l r a b y z); auto.
    + apply run_format with w l i; [assumption | apply Hf].
    + apply run_format with w r j; [assumption | apply Hf].
    + apply IH1; [apply Hf | apply Hm | lra].
    + apply IH2; [apply Hf | apply Hm | lra].
Qed.

Lemma run_count : forall w, 0 <= w -> forall q M h,
  (forall k, (2 <= k < h)%nat -> INR k * M <= bpow radix2 (p + q)) ->
  forall t k z, run w t k z -> all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  exists c, (c <= fat h t)%nat /\ run w t c z.
Proof.
  intros w Hw q M h Hh t. induction t as [x | l IHl r IHr]; intros k z E Hf Hm Hb.
  - exists 0%nat. split; [lia |]. inversion E; subst. now constructor.
  - pose proof (leaves_adds l). pose proof (leaves_adds r).
    simpl fat. destruct (Nat.leb_spec h (leaves l + leaves r)) as [Hge | Hlt].
    + assert (Both : exists a b y i j,
        run w l i a /\ run w r j b /\ add (a + b) y /\ flushed w y z).
      { inversion E; subst; [exists a, b, (a + b), i, j | exists a, b, y, i, j]; auto. }
      destruct Both as [a [b [y [i [j [El [Er [Hy Hz]]]]]]]].
      destruct (IHl i a El) as [c [Hc Rc]]; try tauto; [apply Hf | apply Hm | apply Hb |].
      destruct (IHr j b Er) as [d [Hd Rd]]; try tauto; [apply Hf | apply Hm | apply Hb |].
      exists (S (c + d)). split; [lia | now apply run_round with a b y].
    + exists 0%nat. split; [lia |].
      apply (run_small w Hw q (Node l r) k z); auto.
      eapply Rle_trans; [apply (magn_le_leaves M); exact Hb |]. apply Hh. simpl. lia.
Qed.

(** * The bound *)

Lemma flush_leaves : forall w t z, 0 <= w -> eval_flush w t z -> all F t ->
  let N := adds t in
  Rabs (z - sum t) <= ((1 + eps) ^ N - 1) * magn t + INR (2 * leaves t - 1) * w * (1 + eps) ^ N.
Proof.
  intros w t z Hw E. cbv zeta.
  replace (2 * leaves t - 1)%nat with (2 * adds t + 1)%nat by (rewrite leaves_adds; lia).
  induction E as [x z H | l r a b y z E1 IH1 E2 IH2 Hn H]; intros Hf.
  - simpl. pose proof (flushed_error _ _ _ Hw H). lra.
  - destruct Hf as [Hl Hr]. specialize (IH1 Hl). specialize (IH2 Hr).
    pose proof (flush_format _ _ _ E1 Hl) as Fa. pose proof (flush_format _ _ _ E2 Hr) as Fb.
    pose proof (add_eps a b y Fa Fb Hn) as Hd.
    pose proof (flushed_error _ _ _ Hw H) as Hz.
    pose proof (magn_ge_0 l) as A1. pose proof (magn_ge_0 r) as A2.
    simpl sum. simpl magn. simpl adds. simpl pow.
    replace (2 * S (adds l + adds r) + 1)%nat with (2 * adds l + 1 + (2 * adds r + 1) + 1)%nat by
      lia.
    rewrite plus_INR, (plus_INR (2 * adds l + 1)).
    set (i := INR (2 * adds l + 1)) in *. set (j := INR (2 * adds r + 1)) in *.
    assert (Hi : 0 <= i) by apply pos_INR. assert (Hj : 0 <= j) by apply pos_INR.
    set (X := (1 + eps) ^ (adds l + adds r)).
    assert (X1 : (1 + eps) ^ adds l <= X) by (apply Rle_pow; [lra | lia]).
    assert (X2 : (1 + eps) ^ adds r <= X) by (apply Rle_pow; [lra | lia]).
    assert (X0 : 1 <= X) by (apply pow_R1_Rle; lra).
    assert (B1 : Rabs (a - sum l) <= (X - 1) * magn l + i * w * X).
    { eapply Rle_trans; [exact IH1 |]. apply Rplus_le_compat.
      - apply Rmult_le_compat_r; lra.
      - apply Rmult_le_compat_l; [apply Rmult_le_pos |]; lra. }
    assert (B2 : Rabs (b - sum r) <= (X - 1) * magn r + j * w * X).
    { eapply Rle_trans; [exact IH2 |]. apply Rplus_le_compat.
      - apply Rmult_le_compat_r; lra.
      - apply Rmult_le_compat_l; [apply Rmult_le_pos |]; lra. }
    set (e := (X - 1) * (magn l + magn r) + (i + j) * w * X).
    assert (Be : Rabs (a - sum l) + Rabs (b - sum r) <= e) by (unfold e; lra).
    assert (Hab : Rabs (a + b) <= magn l + magn r + e).
    { replace (a + b) with ((sum l + sum r) + ((a - sum l) + (b - sum r))) by ring.
      pose proof (Rabs_triang (sum l + sum r) ((a - sum l) + (b - sum r))).
      pose proof (Rabs_triang (a - sum l) (b - sum r)). pose proof (Rabs_triang (sum l) (sum r)).
      pose proof (sum_le_magn l). pose proof (sum_le_magn r). lra. }
    assert (Hd' : Rabs (y - (a + b)) <= eps * (magn l + magn r + e)).
    { eapply Rle_trans; [exact Hd |]. apply Rmult_le_compat_l; lra. }
    replace (z - (sum l + sum r)) with ((z - y) + ((y - (a + b)) + ((a - sum l) + (b - sum r))))
      by ring.
    pose proof (Rabs_triang (z - y) ((y - (a + b)) + ((a - sum l) + (b - sum r)))).
    pose proof (Rabs_triang (y - (a + b)) ((a - sum l) + (b - sum r))).
    pose proof (Rabs_triang (a - sum l) (b - sum r)).
    assert (HwX : w <= w * ((1 + eps) * X)).
    { rewrite <- (Rmult_1_r w) at 1. apply Rmult_le_compat_l; [exact Hw |]. nra. }
    apply Rle_trans with (w + eps * (magn l + magn r + e) + e); [lra |].
    unfold e. simpl (INR 1). nra.
Qed.

(** The bound with n for the terms that are not zero. *)
Lemma flush_prune : forall w t z, 0 <= w -> eval_flush w t z -> all F t ->
  match prune t with Some t' => eval_flush w t' z /\ all F t' | None => z = 0 end.
Proof.
  intros w t z Hw E Hf. destruct (flush_run w t z E) as [k R].
  pose proof (prune_run w Hw t k z R Hf) as H. pose proof (prune_all _ _ Hf) as Hf'.
  destruct (prune t); [| exact H]. destruct H as [k' [_ H]].
  split; [now apply run_flush with k' | exact Hf'].
Qed.

Lemma flush_nonzero : forall w t z, 0 <= w -> eval_flush w t z -> all F t ->
  let n := nonzero t in let X := (1 + eps) ^ (n - 1) in
  Rabs (z - sum t) <= (X - 1) * magn t + INR (2 * n - 1) * w * X.
Proof.
  intros w t z Hw E Hf. cbv zeta. pose proof (flush_prune w t z Hw E Hf) as H.
  rewrite <- (prune_sum t), <- (prune_magn t), <- (prune_leaves t).
  destruct (prune t) as [t' |]; simpl on.
  - destruct H as [E' Hf']. pose proof (flush_leaves w t' z Hw E' Hf') as HB. cbv zeta in HB.
    replace (leaves t' - 1)%nat with (adds t'); [exact HB | rewrite leaves_adds; lia].
  - subst z. rewrite Rminus_diag_eq by reflexivity. rewrite Rabs_R0. simpl. lra.
Qed.

End Flush.

(** The bound of the document, to nearest. *)
Theorem flush_bound : forall w t z, 0 <= w -> eval_flush nearest w t z -> all F t ->
  let n := nonzero t in let X := (1 + u) ^ (n - 1) in
  Rabs (z - sum t) <= (X - 1) * magn t + INR (2 * n - 1) * w * X.
Proof.
  exact (flush_nonzero nearest u (nearest_closed emin p) (Rlt_le _ _ (u_gt_0 p))
    (nearest_error_u emin p) (nearest_exact emin p)).
Qed.

(** * The interval: a value v that is flushed is one more term, -v, that is added to it *)

Lemma flush_as_terms : forall w t k z, 0 <= w -> run nearest w t k z -> all F t ->
  let W := INR (2 * leaves t - 1) * w in
  exists t', eval nearest t' k z /\ all F t' /\ Rabs (sum t' - sum t) <= W /\ magn t' <= magn t + W.
Proof.
  intros w t k z Hw E. cbv zeta.
  assert (End : forall t' k y z S A W, eval nearest t' k y -> all F t' -> F y -> flushed w y z ->
    Rabs (sum t' - S) <= W -> magn t' <= A + W ->
    exists t2, eval nearest t2 k z /\ all F t2 /\ Rabs (sum t2 - S) <= W + w
      /\ magn t2 <= A + (W + w)).
  { clear t k z E. intros t' k y z S A W He Hf Fy [-> | [-> Hy]] HS HA.
    - exists t'. repeat split; auto; lra.
    - exists (Node t' (Leaf (- y))). split; [| split; [| split]].
      + replace 0 with (y + - y) by ring. rewrite <- (Nat.add_0_r k).
        apply eval_exact; [exact He | constructor |]. rewrite Rplus_opp_r.
        apply nearest_refl, generic_format_0.
      + split; [exact Hf | now apply generic_format_opp].
      + simpl. replace (sum t' + - y - S) with ((sum t' - S) + - y) by ring.
        eapply Rle_trans; [apply Rabs_triang |]. rewrite Rabs_Ropp. lra.
      + simpl. rewrite Rabs_Ropp. lra. }
  assert (Join : forall l r,
    (2 * leaves (Node l r) - 1 = (2 * leaves l - 1) + (2 * leaves r - 1) + 1)%nat).
  { intros l r. simpl. rewrite !leaves_adds. lia. }
  induction E as [x z H | l r i j a b z E1 IH1 E2 IH2 Ha H | l r i j a b y z E1 IH1 E2 IH2 Ha H];
    intros Hf.
  - destruct (End (Leaf x) 0%nat x z x (Rabs x) 0) as [t2 [H1 [H2 [H3 H4]]]]; auto.
    + constructor.
    + simpl. rewrite Rminus_diag_eq by reflexivity. rewrite Rabs_R0. lra.
    + simpl. lra.
    + exists t2. simpl in *. repeat split; auto; lra.
  - destruct Hf as [Fl Fr]. destruct (IH1 Fl) as [l' [L1 [L2 [L3 L4]]]].
  destruct (IH2 Fr) as [r' [R1 [R2 [R3 R4]]]].
    rewrite Join, !plus_INR. simpl (INR 1). rewrite !Rmult_plus_distr_r, Rmult_1_l.
    apply (End (Node l' r') (i + j)%nat (a + b) z); auto.
    + now apply eval_exact.
    + now split.
    + now apply (nearest_closed emin p (a + b)).
    + cbn [sum]. replace (sum l' + sum r' - (sum l + sum r)) with ((sum l' - sum l) + (sum r' -
      sum r)) by ring.
      eapply Rle_trans; [apply Rabs_triang |]. lra.
    + cbn [magn]. lra.
  - destruct Hf as [Fl Fr]. destruct (IH1 Fl) as [l' [L1 [L2 [L3 L4]]]].
  destruct (IH2 Fr) as [r' [R1 [R2 [R3 R4]]]].
    rewrite Join, !plus_INR. simpl (INR 1). rewrite !Rmult_plus_distr_r, Rmult_1_l.
    apply (End (Node l' r') (S (i + j))%nat y z); auto.
    + now apply eval_round with a b.
    + now split.
    + now apply (nearest_closed emin p (a + b)).
    + cbn [sum]. replace (sum l' + sum r' - (sum l + sum r)) with ((sum l' - sum l) + (sum r' -
      sum r)) by ring.
      eapply Rle_trans; [apply Rabs_triang |]. lra.
    + cbn [magn]. lra.
Qed.

(** Nothing is counted twice: with F = (2n - 1) w and E = F + (n - 2) u (A + F), the result before it
    is flushed lies between RN(S - E) and RN(S + E). *)
Lemma flush_interval_leaves : forall choice w t z, 0 <= w -> all F t ->
  let rnd := Znearest choice in let n := leaves t in let W := INR (2 * n - 1) * w in
  let E := W + INR (n - 2) * u * (magn t + W) in
  eval_flush (by_round emin p rnd) w t z ->
  exists y, flushed w y z /\ round radix2 fexp rnd (sum t - E) <= y
    <= round radix2 fexp rnd (sum t + E).
Proof.
  intros choice w t z Hw Hf rnd n W E He. pose proof (u_gt_0 p) as Hu.
  pose proof (magn_ge_0 t) as HA.
  assert (V : Valid_rnd rnd) by (unfold rnd; auto with typeclass_instances).
  assert (HW : 0 <= W) by (apply Rmult_le_pos; [apply pos_INR | exact Hw]).
  assert (HE : 0 <= INR (n - 2) * u * (magn t + W))
    by (apply Rmult_le_pos; [apply Rmult_le_pos; [apply pos_INR | lra] | lra]).
  inversion He as [x z' H | l r a b y z' El Er Hy H]; subst.
  - exists x. split; [exact H |]. simpl in *.
    assert (R : round radix2 fexp rnd x = x) by (apply round_generic; assumption).
    assert (E0 : 0 <= E) by (unfold E; lra).
    split; apply Rle_trans with (round radix2 fexp rnd x); try lra;
      apply round_le; auto with typeclass_instances; lra.
  - exists y. split; [exact H |]. destruct Hf as [Fl Fr]. red in Hy. subst y.
    assert (Sub : forall s v, eval_flush (by_round emin p rnd) w s v -> all F s ->
      Rabs (v - sum s) <= INR (2 * leaves s - 1) * w
        + INR (leaves s - 1) * u * (magn s + INR (2 * leaves s - 1) * w)).
    { clear - prec_gt_0_ Hw Hu. intros s v Hs Fs.
      assert (Hn : exists k, (k <= adds s)%nat /\ run nearest w s k v).
      { clear Fs. induction Hs as [x z H | l r a b y z E1 [i [Hi R1]] E2 [j [Hj R2]] Ha H].
        - exists 0%nat. split; [simpl; lia | now constructor].
        - exists (S (i + j)). split; [simpl; lia |]. apply run_round with a b y; auto.
          now apply by_round_nearest with choice. }
      destruct Hn as [k [Hk R]]. destruct (flush_as_terms w s k v Hw R Fs) as [t' [H1 [H2 [H3
        H4]]]].
      pose proof (error_counted_nearest emin p t' k v H1 H2) as HB. apply le_INR in Hk.
      replace (leaves s - 1)%nat with (adds s) by (rewrite leaves_adds; lia).
      set (W := INR (2 * leaves s - 1) * w) in *. pose proof (magn_ge_0 t'). pose proof (pos_INR k).
      assert (INR k * u * magn t' <= INR (adds s) * u * (magn s + W)).
      { apply Rmult_le_compat; try lra; [apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra]. }
      replace (v - sum s) with ((v - sum t') + (sum t' - sum s)) by ring.
      eapply Rle_trans; [apply Rabs_triang |]. lra. }
    pose proof (Sub l a El Fl) as Sl. pose proof (Sub r b Er Fr) as Sr.
    apply Rabs_le_between in Sl. apply Rabs_le_between in Sr.
    assert (HS : Rabs (a + b - sum (Node l r)) <= E).
    { unfold E, W, n in *. simpl leaves in *. simpl magn in *. simpl sum.
      pose proof (magn_ge_0 l). pose proof (magn_ge_0 r).
      pose proof (leaves_adds l) as Ll. pose proof (leaves_adds r) as Lr.
      set (nl := leaves l) in *. set (nr := leaves r) in *.
      replace (2 * (nl + nr) - 1)%nat with ((2 * nl - 1) + (2 * nr - 1) + 1)%nat in * by lia.
      replace (nl + nr - 2)%nat with ((nl - 1) + (nr - 1))%nat in * by lia.
      rewrite !plus_INR in *. simpl (INR 1) in *.
      set (wl := INR (2 * nl - 1)) in *. set (wr := INR (2 * nr - 1)) in *.
      set (kl := INR (nl - 1)) in *. set (kr := INR (nr - 1)) in *.
      assert (0 <= wl * w) by (apply Rmult_le_pos; [apply pos_INR | exact Hw]).
      assert (0 <= wr * w) by (apply Rmult_le_pos; [apply pos_INR | exact Hw]).
      assert (0 <= kl * u) by (apply Rmult_le_pos; [apply pos_INR | lra]).
      assert (0 <= kr * u) by (apply Rmult_le_pos; [apply pos_INR | lra]).
      assert (0 <= kl * u * (magn r + wr * w + w)) by (apply Rmult_le_pos; lra).
      assert (0 <= kr * u * (magn l + wl * w + w)) by (apply Rmult_le_pos; lra).
      apply Rabs_le. lra. }
    apply Rabs_le_between in HS. split; apply round_le; auto with typeclass_instances; lra.
Qed.

Theorem flush_interval : forall choice w t z, 0 <= w -> all F t ->
  let rnd := Znearest choice in let n := nonzero t in let W := INR (2 * n - 1) * w in
  let E := W + INR (n - 2) * u * (magn t + W) in
  eval_flush (by_round emin p rnd) w t z ->
  exists y, flushed w y z /\ round radix2 fexp rnd (sum t - E) <= y
    <= round radix2 fexp rnd (sum t + E).
Proof.
  intros choice w t z Hw Hf. cbv zeta. intros He.
  assert (V : Valid_rnd (Znearest choice)) by auto with typeclass_instances.
  pose proof (flush_prune _ (by_round_closed emin p (Znearest choice))
    (by_round_exact emin p (Znearest choice)) w t z Hw He Hf) as H.
  rewrite <- (prune_sum t), <- (prune_magn t), <- (prune_leaves t).
  destruct (prune t) as [t' |]; simpl on.
  - destruct H as [E' Hf']. now apply flush_interval_leaves.
  - subst z. exists 0. split; [now left |].
    replace (0 - _) with 0 by (simpl; ring). replace (0 + _) with 0 by (simpl; ring).
    rewrite round_0 by exact V. lra.
Qed.

End Flushed.
