(* SPDX-License-Identifier: MIT *)
(** Denormals flushed: terms and results up to w in magnitude may be replaced by 0, in 2n - 1 places
    (docs/oracle.md, "Denormals flushed"). *)

From Coq Require Import Reals ZArith Psatz Lia Lra.
From Flocq Require Import Core Plus_error Relative.
From Cumsum Require Import AnyOrder.
Open Scope R_scope.

Lemma places_node : forall l r, INR (2 * leaves (Node l r) - 1)
  = INR (2 * leaves l - 1) + INR (2 * leaves r - 1) + 1.
Proof.
  intros l r. rewrite <- plus_INR, <- S_INR. f_equal. cbn [count]. rewrite !leaves_adds. lia.
Qed.

Lemma all_le_magn : forall t, all (fun x => Rabs x <= magn t) t.
Proof.
  induction t as [x | l IHl r IHr]; simpl; [lra |].
  pose proof (magn_ge_0 l). pose proof (magn_ge_0 r).
  split; (eapply all_impl; [| eassumption]); simpl; intros; lra.
Qed.

Section Flushed.

Variables emin p : Z.
Context { prec_gt_0_ : Prec_gt_0 p }.

Notation fexp := (FLT_exp emin p).
Notation F := (generic_format radix2 fexp).
Notation u := (u p).
Notation nearest := (nearest emin p).

(** * Sums of the terms of each part of the tree are within Rg *)

(** One addition: X and Y are (1 + v)^i and (1 + v)^j, K is 1 + v if it rounds, or 1; i0 and j0 are
    numbers of places that flush. *)
Lemma join_errors : forall Rg w X Y K i0 j0 ea eb d, 0 <= Rg -> 0 <= w -> 1 <= X -> 1 <= Y ->
  1 <= K -> 0 <= i0 -> 0 <= j0 ->
  ea <= Rg * (X - 1) + i0 * w * X -> eb <= Rg * (Y - 1) + j0 * w * Y ->
  d <= (K - 1) * (Rg + (ea + eb)) ->
  w + (d + ea + eb) <= Rg * (K * (X * Y) - 1) + (i0 + j0 + 1) * w * (K * (X * Y)).
Proof.
  intros Rg w X Y K i0 j0 ea eb d HR Hw HX HY HK Hi Hj Ha Hb Hd.
  assert (H2 : Rg * (X + Y - 2) <= Rg * (X * Y - 1)) by (apply Rmult_le_compat_l; nra).
  assert (H3 : i0 * w * X <= i0 * w * (X * Y))
    by (apply Rmult_le_compat_l; [now apply Rmult_le_pos | nra]).
  assert (H4 : j0 * w * Y <= j0 * w * (X * Y))
    by (apply Rmult_le_compat_l; [now apply Rmult_le_pos | nra]).
  set (e := Rg * (X * Y - 1) + (i0 + j0) * w * (X * Y)).
  assert (He : ea + eb <= e) by (unfold e; lra).
  assert (Hd' : d <= (K - 1) * (Rg + e)).
  { eapply Rle_trans; [exact Hd |]. apply Rmult_le_compat_l; lra. }
  assert (1 <= K * (X * Y)) by (assert (1 <= X * Y) by nra; nra).
  assert (w * 1 <= w * (K * (X * Y))) by (apply Rmult_le_compat_l; assumption).
  apply Rle_trans with (w + (K - 1) * Rg + K * e); [lra |]. unfold e. lra.
Qed.

Lemma consecutive_counted : forall add eps, addition emin p add -> 0 <= eps ->
  (forall a b y, F a -> F b -> add (a + b) y -> Rabs (y - (a + b)) <= eps * Rabs (a + b)) ->
  forall w Rg t k z, 0 <= w -> 0 <= Rg ->
  run add w t k z -> all F t -> every_sum (fun s => Rabs s <= Rg) t ->
  Rabs (z - sum t) <= Rg * ((1 + eps) ^ k - 1) + INR (2 * leaves t - 1) * w * (1 + eps) ^ k.
Proof.
  intros add eps A He Heps w Rg t k z Hw HR E.
  induction E as [x z H | l r i j c a b y z E1 IH1 E2 IH2 Ha Hc H]; intros Hf Hs;
    pose proof (flushed_error _ _ _ Hw H) as Hz; [simpl; lra |].
  destruct Hf as [Fl Fr]. destruct Hs as [HS [Sl Sr]]. specialize (IH1 Fl Sl). specialize (IH2 Fr Sr).
  pose proof (run_format emin p add A _ _ _ _ E1 Fl) as Fa.
  pose proof (run_format emin p add A _ _ _ _ E2 Fr) as Fb.
  rewrite places_node, !pow_add. cbn [total].
  replace (z - (sum l + sum r)) with ((z - y) + (y - (sum l + sum r))) by ring.
  eapply Rle_trans; [apply Rabs_triang |].
  eapply Rle_trans; [apply Rplus_le_compat; [exact Hz | apply (plus_error_split _ a b _ _ _ _ _
    (Rle_refl _) (Rle_refl _) (Rle_refl _))] |].
  apply join_errors; auto using pos_INR; try (apply pow_R1_Rle; lra).
  destruct c; simpl pow.
  - eapply Rle_trans; [now apply Heps |]. replace ((1 + eps) * 1 - 1) with eps by ring.
    apply Rmult_le_compat_l; [exact He |].
    replace (a + b) with ((sum l + sum r) + ((a - sum l) + (b - sum r))) by ring.
    pose proof (Rabs_triang (sum l + sum r) ((a - sum l) + (b - sum r))).
    pose proof (Rabs_triang (a - sum l) (b - sum r)). lra.
  - rewrite (Hc eq_refl), (Rminus_diag_eq (a + b)), Rabs_R0 by reflexivity. lra.
Qed.

(** The bound of the document, to nearest. *)
Theorem flush_bound : forall w t k z, 0 <= w -> run nearest w t k z -> all F t ->
  let n := nonzero t in let X := (1 + u) ^ (n - 1) in
  Rabs (z - sum t) <= (X - 1) * magn t + INR (2 * n - 1) * w * X.
Proof.
  intros w t k z Hw E Hf n X. unfold X, n; clear X n. pose proof (u_gt_0 p).
  destruct (format_zeros emin p nearest (nearest_addition emin p) w t k z E Hf)
    as [[-> [-> HT]] | [t' [k' [_ [E' [HL [HT [HP _]]]]]]]].
  - rewrite !HT, Rminus_0_r, Rabs_R0 by (reflexivity || apply Rabs_R0). simpl. lra.
  - rewrite <- HL, <- !HT by (reflexivity || apply Rabs_R0).
    assert (Part : forall s, every_sum (fun x => Rabs x <= magn s) s).
    { assert (Impl : forall m n s, m <= n -> every_sum (fun x => Rabs x <= m) s ->
        every_sum (fun x => Rabs x <= n) s).
      { intros m n s Hmn; induction s; simpl; intuition lra. }
      induction s as [x | l IHl r IHr]; simpl; [lra |].
      pose proof (sum_le_magn (Node l r)). pose proof (magn_ge_0 l). pose proof (magn_ge_0 r).
      split; [assumption |].
      split; (eapply Impl; [| eassumption]); lra. }
    pose proof (consecutive_counted nearest u (nearest_addition emin p) (u_ge_0 p)
      (nearest_error_u emin p) w (magn t') t' k' z Hw (magn_ge_0 t') E' (HP _ Hf) (Part t')) as H'.
    eapply Rle_trans; [exact H' |].
    assert (HX : (1 + u) ^ k' <= (1 + u) ^ (leaves t' - 1)).
    { apply Rle_pow; [lra |]. rewrite leaves_adds. pose proof (run_adds _ _ _ _ _ _ E'). lia. }
    rewrite (Rmult_comm (magn t')).
    apply Rplus_le_compat; [apply Rmult_le_compat_r | apply Rmult_le_compat_l];
      auto using magn_ge_0, Rmult_le_pos, pos_INR. lra.
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
      + rewrite <- (Nat.add_0_r k), <- (Nat.add_0_l (k + 0)).
        apply (run_node _ _ _ t' (Leaf (- y)) k 0 false y (- y) 0); auto; try (now left);
          rewrite ?Rplus_opp_r; auto; [constructor; now left |].
        apply (add_refl _ _ _ (nearest_addition emin p)), generic_format_0.
      + split; [exact Hf | now apply generic_format_opp].
      + simpl. replace (sum t' + - y - S) with ((sum t' - S) + - y) by ring.
        eapply Rle_trans; [apply Rabs_triang |]. rewrite Rabs_Ropp. lra.
      + simpl. rewrite Rabs_Ropp. lra. }
  induction E as [x z H | l r i j c a b y z E1 IH1 E2 IH2 Ha Hc H]; intros Hf.
  - destruct (End (Leaf x) 0%nat x z x (Rabs x) 0) as [t2 [H1 [H2 [H3 H4]]]]; auto.
    + constructor. now left.
    + simpl. rewrite Rminus_diag_eq by reflexivity. rewrite Rabs_R0. lra.
    + simpl. lra.
    + exists t2. simpl in *. repeat split; auto; lra.
  - destruct Hf as [Fl Fr]. destruct (IH1 Fl) as [l' [L1 [L2 [L3 L4]]]].
    destruct (IH2 Fr) as [r' [R1 [R2 [R3 R4]]]].
    rewrite places_node, !Rmult_plus_distr_r, Rmult_1_l.
    apply (End (Node l' r') (Nat.b2n c + (i + j))%nat y z); auto.
    + apply run_node with a b y; auto. now left.
    + now split.
    + now apply (add_format _ _ _ (nearest_addition emin p) (a + b)).
    + cbn [total]. replace (sum l' + sum r' - (sum l + sum r))
        with ((sum l' - sum l) + (sum r' - sum r)) by ring.
      eapply Rle_trans; [apply Rabs_triang |]. lra.
    + cbn [total]. lra.
Qed.

(** Nothing is counted twice: with F = (2n - 1) w and E = F + (n - 2) u (A + F), the result before it
    is flushed lies between RN(S - E) and RN(S + E). *)
Theorem flush_interval : forall choice w t k z, 0 <= w -> all F t ->
  let rnd := Znearest choice in let n := nonzero t in let W := INR (2 * n - 1) * w in
  let E := W + INR (n - 2) * u * (magn t + W) in
  run (by_round emin p rnd) w t k z ->
  exists y, flushed w y z /\ round radix2 fexp rnd (sum t - E) <= y
    <= round radix2 fexp rnd (sum t + E).
Proof.
  intros choice w t k z Hw Hf rnd n W E R. pose proof (u_gt_0 p) as Hu. pose proof (magn_ge_0 t).
  assert (HW : 0 <= W) by (apply Rmult_le_pos; [apply pos_INR | exact Hw]).
  assert (HE : 0 <= INR (n - 2) * u) by (apply Rmult_le_pos; [apply pos_INR | lra]).
  assert (Hm : all (multiple emin) t) by (apply (all_impl F); [now apply format_multiple | exact Hf]).
  assert (Hb : all (fun x => Rabs x <= magn t + 1) t)
    by (eapply all_impl; [| apply all_le_magn]; simpl; intros; lra).
  destruct (format_last emin p _ (by_round_addition emin p rnd) w emin (magn t + 1) t k z
    ltac:(lra) R Hf Hm Hb) as [s [y [-> [Hz H']]]].
  exists (round radix2 fexp rnd s). split; [exact Hz |].
  assert (HV : Valid_rnd rnd) by (unfold rnd; auto with typeclass_instances).
  apply (round_between emin p rnd).
  destruct H' as [-> | [l [r [i [j [a [b [-> [El [Er [Hk [HL [HT [HP _]]]]]]]]]]]]]].
  - rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. unfold E.
    pose proof (Rmult_le_pos _ (magn t + W) HE ltac:(lra)). lra.
  - destruct (HP F Hf) as [Fl Fr].
    assert (Sub : forall s i v, run (by_round emin p rnd) w s i v -> all F s ->
      let V := INR (2 * leaves s - 1) * w in
      Rabs (v - sum s) <= V + INR i * u * (magn s + V) /\ 0 <= V).
    { intros s k' v R' Fs V. apply (run_mono _ _ _ _ (by_round_nearest emin p choice)) in R'.
      destruct (flush_as_terms w s k' v Hw R' Fs) as [t' [H1 [H2 [H3 H4]]]]. fold V in H3, H4.
      pose proof (error_counted_nearest emin p t' k' v H1 H2) as HB.
      assert (INR k' * u * magn t' <= INR k' * u * (magn s + V))
        by (apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply pos_INR | lra] | exact H4]).
      split; [| apply Rmult_le_pos; [apply pos_INR | exact Hw]].
      replace (v - sum s) with ((v - sum t') + (sum t' - sum s)) by ring.
      eapply Rle_trans; [apply Rabs_triang |]. lra. }
    destruct (Sub l i a El Fl) as [Sl Wl]. destruct (Sub r j b Er Fr) as [Sr Wr].
    assert (EW : W = INR (2 * leaves l - 1) * w + INR (2 * leaves r - 1) * w + w)
      by (unfold W, n; rewrite <- HL, places_node; ring).
    set (wl := INR (2 * leaves l - 1) * w) in *. set (wr := INR (2 * leaves r - 1) * w) in *.
    assert (EA : magn t = magn l + magn r) by (rewrite <- HT by apply Rabs_R0; reflexivity).
    pose proof (magn_ge_0 l). pose proof (magn_ge_0 r). unfold E.
    assert (Hn : INR i + INR j <= INR (n - 2))
      by (rewrite <- plus_INR; apply le_INR; unfold n, h_of in *; lia).
    pose proof (pos_INR i). pose proof (pos_INR j).
    assert (Ki : INR i * u * (magn l + wl) <= INR i * u * (magn t + W))
      by (apply Rmult_le_compat_l; [apply Rmult_le_pos |]; lra).
    assert (Kj : INR j * u * (magn r + wr) <= INR j * u * (magn t + W))
      by (apply Rmult_le_compat_l; [apply Rmult_le_pos |]; lra).
    assert (Kn : (INR i + INR j) * (u * (magn t + W)) <= INR (n - 2) * (u * (magn t + W)))
      by (apply Rmult_le_compat_r; [apply Rmult_le_pos |]; lra).
    rewrite <- HT by reflexivity. simpl sum.
    replace (a + b - (sum l + sum r)) with ((a - sum l) + (b - sum r)) by ring.
    eapply Rle_trans; [apply Rabs_triang |]. lra.
Qed.

End Flushed.
