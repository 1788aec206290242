(* SPDX-License-Identifier: MIT *)
(** Sums in any order of additions: verdict 1 for FLOAT32 and FLOAT64 (docs/oracle.md, "The
    interval" and "Additions that are exact").

    The format has radix 2, p significant bits, subnormals down to 2^emin, and no greatest exponent
    (Flocq's [FLT_exp emin p]).  u = 2^-p.  Ieee.v adds overflow, infinities and NaN.

    A tree of additions has the terms as leaves, which are real numbers.  What an addition may return
    is a relation: [add x y] says that y is an admissible result for the exact sum x.  So every
    addition of a tree may break ties, or choose a neighbour, in its own way.

    The document's names:  S = [sum t]   A = [magn t]   P = [pos t]   N = [neg t]
                           n = [nonzero t]   r = the number in [run], at most n + 1 - [h_of] *)

From Coq Require Import Reals ZArith Psatz Lia Lra.
From Flocq Require Import Core Plus_error Relative.
Open Scope R_scope.

(** * Trees *)

Inductive tree := Leaf (x : R) | Node (l r : tree).

Fixpoint total (f : R -> R) (t : tree) : R :=
  match t with Leaf x => f x | Node l r => total f l + total f r end.
Fixpoint count (f : R -> nat) (t : tree) : nat :=
  match t with Leaf x => f x | Node l r => count f l + count f r end.
Fixpoint adds (t : tree) : nat :=
  match t with Leaf _ => 0 | Node l r => S (adds l + adds r) end.
Fixpoint all (P : R -> Prop) (t : tree) : Prop :=
  match t with Leaf x => P x | Node l r => all P l /\ all P r end.

Notation sum := (total (fun x => x)).
Notation magn := (total Rabs).
(** Sums of the positive terms, and of the magnitudes of the negative ones. *)
Notation pos := (total (fun x => Rmax x 0)).
Notation neg := (total (fun x => Rmax (- x) 0)).
Notation leaves := (count (fun _ => 1%nat)).
Notation nonzero := (count (fun x => if Req_EM_T x 0 then 0%nat else 1%nat)).

(** The exact sum of each part of the tree. *)
Fixpoint every_sum (Q : R -> Prop) (t : tree) : Prop :=
  match t with
  | Leaf x => Q x
  | Node l r => Q (sum l + sum r) /\ every_sum Q l /\ every_sum Q r
  end.

Lemma leaves_adds : forall t, leaves t = S (adds t).
Proof. induction t; simpl; lia. Qed.

Lemma magn_ge_0 : forall t, 0 <= magn t.
Proof. induction t; simpl; [apply Rabs_pos | lra]. Qed.
Lemma pos_ge_0 : forall t, 0 <= pos t.
Proof. induction t; simpl; [apply Rmax_r | lra]. Qed.
Lemma neg_ge_0 : forall t, 0 <= neg t.
Proof. induction t; simpl; [apply Rmax_r | lra]. Qed.

Lemma sum_le_magn : forall t, Rabs (sum t) <= magn t.
Proof.
  induction t; simpl; [lra |].
  eapply Rle_trans; [apply Rabs_triang | lra].
Qed.

Lemma all_impl : forall (P Q : R -> Prop) t, (forall x, P x -> Q x) -> all P t -> all Q t.
Proof. induction t; simpl; firstorder. Qed.

(** * Evaluation *)

(** A term or a result up to w in magnitude may be replaced by 0. *)
Definition flushed (w y z : R) := z = y \/ (z = 0 /\ Rabs y <= w).

(** [run add w t k z]: the tree t may have the value z, if k of its additions count as additions that
    round.  An addition need not be counted if its result is the exact sum, or else what [ideal]
    makes of that (Truncated.v). *)
Inductive run_of (ideal : R -> R) (add : R -> R -> Prop) (w : R) : tree -> nat -> R -> Prop :=
| run_leaf : forall x z, flushed w x z -> run_of ideal add w (Leaf x) 0 z
| run_node : forall l r i j (c : bool) a b y z,
    run_of ideal add w l i a -> run_of ideal add w r j b -> add (a + b) y ->
    (c = false -> y = ideal (a + b)) -> flushed w y z ->
    run_of ideal add w (Node l r) (Nat.b2n c + (i + j)) z.

(** Nothing is flushed. *)
Definition eval_of ideal add := run_of ideal add 0.

Notation run := (run_of (fun x => x)).
Notation eval := (eval_of (fun x => x)).

Lemma flushed_error : forall w y z, 0 <= w -> flushed w y z -> Rabs (z - y) <= w.
Proof.
  intros w y z Hw [-> | [-> H]].
  - rewrite Rminus_diag_eq by reflexivity. now rewrite Rabs_R0.
  - rewrite Rminus_0_l, Rabs_Ropp. exact H.
Qed.

Lemma flushed_at_0 : forall y z, flushed 0 y z -> z = y.
Proof.
  intros y z [-> | [-> H]]; [reflexivity |]. pose proof (Rabs_pos y).
  destruct (Req_dec y 0) as [-> | Hy]; [reflexivity |]. now apply Rabs_pos_lt in Hy; lra.
Qed.

Lemma flushed_zero : forall w z, flushed w 0 z -> z = 0.
Proof. intros w z [H | [H _]]; exact H. Qed.

Lemma eval_induction : forall ideal add (P : tree -> nat -> R -> Prop),
  (forall x, P (Leaf x) 0%nat x) ->
  (forall l r i j (c : bool) a b y, eval_of ideal add l i a -> P l i a ->
    eval_of ideal add r j b -> P r j b -> add (a + b) y -> (c = false -> y = ideal (a + b)) ->
    P (Node l r) (Nat.b2n c + (i + j))%nat y) ->
  forall t k y, eval_of ideal add t k y -> P t k y.
Proof.
  intros ideal add P Hl Hn t k y E.
  induction E as [x z H | l r i j c a b y z E1 IH1 E2 IH2 Ha Hc H]; apply flushed_at_0 in H; subst;
    eauto.
Qed.

Lemma run_mono : forall ideal w (add add' : R -> R -> Prop), (forall x y, add x y -> add' x y) ->
  forall t k z, run_of ideal add w t k z -> run_of ideal add' w t k z.
Proof.
  intros ideal w add add' H t k z E; induction E; [now constructor |].
  eapply run_node; eauto.
Qed.

Lemma run_adds : forall ideal add w t k z, run_of ideal add w t k z -> (k <= adds t)%nat.
Proof.
  intros ideal add w t k z E; induction E as [| l r i j []]; simpl; lia.
Qed.

(** * Terms that are zero do not count *)

(** t' is t without zeros. *)
Definition without_zeros (t t' : tree) :=
  leaves t' = nonzero t /\ (forall f, f 0 = 0 -> total f t' = total f t) /\
  (forall P, all P t -> all P t') /\ (forall Q, every_sum Q t -> every_sum Q t').

Section Numbers.

Variable ideal : R -> R.
Variable add : R -> R -> Prop.
Variable w : R.
Notation run_w := (run_of ideal add w).
(** The numbers that there are.  A sum that is one is returned as it is. *)
Variable number : R -> Prop.
Hypothesis number_0 : number 0.
Hypothesis add_number : forall x y, add x y -> number y.
Hypothesis add_exact : forall x y, add x y -> number x -> y = x.

Lemma run_number : forall t k z, run_w t k z -> all number t -> number z.
Proof.
  intros t k z E; induction E as [x z H | l r i j c a b y z E1 IH1 E2 IH2 Ha Hc H]; simpl; intros Hn;
    destruct H as [-> | [-> _]]; try exact number_0; [exact Hn | now apply (add_number (a + b))].
Qed.

Lemma run_again : forall t k y z, run_w t k y -> flushed w y z -> run_w t k z.
Proof.
  assert (Again : forall x y z, flushed w x y -> flushed w y z -> flushed w x z).
  { intros x y z [-> | [-> H]] Hz; [exact Hz |]. right.
    split; [now apply flushed_zero with w | exact H]. }
  intros t k y z E Hz; destruct E; [constructor | eapply run_node]; eauto.
Qed.

Lemma drop_zeros : forall t k z, run_w t k z -> all number t ->
  (z = 0 /\ nonzero t = 0%nat /\ forall f, f 0 = 0 -> total f t = 0) \/
  exists t' k', (k' <= k)%nat /\ run_w t' k' z /\ without_zeros t t'.
Proof.
  intros t k z E; induction E as [x z H | l r i j c a b y z E1 IH1 E2 IH2 Ha Hc H]; intros Hn.
  - simpl. destruct (Req_EM_T x 0) as [-> | Hx].
    + left. split; [now apply flushed_zero with w | auto].
    + right. exists (Leaf x), 0%nat. split; [lia | split; [now constructor |]].
      repeat split; auto. simpl. now destruct (Req_EM_T x 0).
  - destruct Hn as [Nl Nr]. pose proof (run_number _ _ _ E1 Nl) as Na.
    pose proof (run_number _ _ _ E2 Nr) as Nb.
    destruct (IH1 Nl) as [[-> [Zl Tl]] | [l' [i' [Hi [Rl [Ll [Tl [Pl Ql]]]]]]]];
      destruct (IH2 Nr) as [[-> [Zr Tr]] | [r' [j' [Hj [Rr [Lr [Tr [Pr Qr]]]]]]]];
      rewrite ?Rplus_0_l, ?Rplus_0_r in Ha.
    + left. apply add_exact in Ha; [| exact number_0]. subst y.
      split; [now apply flushed_zero with w | split; [simpl; lia |]].
      intros f Hf. simpl. rewrite Tl, Tr by exact Hf. ring.
    + right. apply add_exact in Ha; [| exact Nb]. subst y.
      exists r', j'. split; [lia | split; [now apply run_again with b |]].
      split; [simpl; lia | split; [| split; intros Q HQ; [apply Pr | apply Qr]; apply HQ]].
      intros f Hf. simpl. rewrite Tl, Tr by exact Hf. ring.
    + right. apply add_exact in Ha; [| exact Na]. subst y.
      exists l', i'. split; [lia | split; [now apply run_again with a |]].
      split; [simpl; lia | split; [| split; intros Q HQ; [apply Pl | apply Ql]; apply HQ]].
      intros f Hf. simpl. rewrite Tl, Tr by exact Hf. ring.
    + right. exists (Node l' r'), (Nat.b2n c + (i' + j'))%nat.
      split; [lia | split; [now apply run_node with a b y |]].
      split; [simpl; lia | split; [| split; intros Q HQ]].
      * intros f Hf. simpl. now rewrite Tl, Tr by exact Hf.
      * split; [apply Pl | apply Pr]; apply HQ.
      * simpl. rewrite !Tl, !Tr by reflexivity. repeat split; [| apply Ql | apply Qr]; apply HQ.
Qed.

End Numbers.

(** * Additions with at least h terms below them: at most n + 1 - h *)

Fixpoint fat (h : nat) (t : tree) : nat :=
  match t with
  | Leaf _ => 0
  | Node l r => (if (h <=? leaves l + leaves r)%nat then 1 else 0) + fat h l + fat h r
  end.

Lemma fat_small : forall h t, (leaves t < h)%nat -> fat h t = 0%nat.
Proof.
  induction t as [x | l IHl r IHr]; simpl; intros H; [reflexivity |].
  destruct (Nat.leb_spec h (leaves l + leaves r)); [lia |].
  rewrite IHl, IHr; lia.
Qed.

Theorem additions_above_h_terms : forall h t, (2 <= h)%nat -> (fat h t <= leaves t + 1 - h)%nat.
Proof.
  intros h t Hh; induction t as [x | l IHl r IHr]; simpl; [lia |].
  pose proof (leaves_adds l); pose proof (leaves_adds r).
  pose proof (fat_small h l); pose proof (fat_small h r).
  destruct (Nat.leb_spec h (leaves l + leaves r)); lia.
Qed.

(** The last addition is counted if any is. *)
Lemma fat_last : forall h l r, (2 <= h)%nat ->
  (fat h l + fat h r <= leaves l + leaves r + 1 - h - 1)%nat.
Proof.
  intros h l r Hh. pose proof (additions_above_h_terms h (Node l r) Hh) as H. simpl in H.
  pose proof (fat_small h l); pose proof (fat_small h r).
  pose proof (leaves_adds l); pose proof (leaves_adds r).
  destruct (Nat.leb_spec h (leaves l + leaves r)); lia.
Qed.

(** * Multiples of 2^q *)

Definition multiple (q : Z) (x : R) := exists k : Z, x = IZR k * bpow radix2 q.

Lemma multiple_0 : forall q, multiple q 0.
Proof. intros q. exists 0%Z. simpl. ring. Qed.

Lemma multiple_plus : forall q x y, multiple q x -> multiple q y -> multiple q (x + y).
Proof. intros q x y [i ->] [j ->]. exists (i + j)%Z. rewrite plus_IZR. ring. Qed.

Lemma multiple_le : forall q q' x, (q' <= q)%Z -> multiple q x -> multiple q' x.
Proof.
  intros q q' x Hq [k ->]. exists (k * 2 ^ (q - q'))%Z.
  rewrite mult_IZR, (IZR_Zpower radix2) by lia.
  replace q with (q - q' + q')%Z at 1 by ring. rewrite bpow_plus. ring.
Qed.

Lemma magn_le_leaves : forall M t, all (fun x => Rabs x <= M) t -> magn t <= INR (leaves t) * M.
Proof.
  induction t as [x | l IHl r IHr]; simpl; [lra |].
  intros [Hl Hr]. rewrite plus_INR. specialize (IHl Hl); specialize (IHr Hr). lra.
Qed.

Section Small.

Variables p q : Z.
Variable ideal : R -> R.
Variable add : R -> R -> Prop.
Variable w : R.
Notation run_w := (run_of ideal add w).

(** h = max (2, floor (L / M) + 1), L = 2^p 2^q *)
Definition h_of (M : R) : nat := Nat.max 2 (S (Z.to_nat (Zfloor (bpow radix2 (p + q) / M)))).

Lemma h_of_ge_2 : forall M, (2 <= h_of M)%nat.
Proof. intros M. unfold h_of. lia. Qed.

Lemma h_of_ok : forall M k, 0 < M -> (2 <= k < h_of M)%nat -> INR k * M <= bpow radix2 (p + q).
Proof.
  intros M k HM [Hk2 Hk]. unfold h_of in Hk.
  assert (Hz : (Z.of_nat k <= Zfloor (bpow radix2 (p + q) / M))%Z) by lia.
  apply IZR_le in Hz. rewrite <- INR_IZR_INZ in Hz.
  apply Rle_trans with (bpow radix2 (p + q) / M * M); [| right; field; lra].
  apply Rmult_le_compat_r; [lra |]. eapply Rle_trans; [exact Hz | apply Zfloor_lb].
Qed.

(** Sums of such terms are exact up to 2^p 2^q. *)
Variable term : R -> Prop.
Hypothesis term_0 : term 0.
Hypothesis term_plus : forall x y, term x -> term y -> term (x + y).
Hypothesis add_small : forall s y, term s -> Rabs s <= bpow radix2 (p + q) -> add s y ->
  y = s /\ ideal s = s.

Lemma run_small : forall t k z, run_w t k z -> all term t -> magn t <= bpow radix2 (p + q) ->
  term z /\ Rabs z <= magn t /\ run_w t 0 z.
Proof.
  assert (Flush : forall y z m, term y -> Rabs y <= m -> flushed w y z -> term z /\ Rabs z <= m).
  { intros y z m Ty Hm [-> | [-> _]]; [now split |]. rewrite Rabs_R0.
    split; [exact term_0 |]. pose proof (Rabs_pos y). lra. }
  intros t k z E; induction E as [x z H | l r i j c a b y z E1 IH1 E2 IH2 Ha Hc H];
    simpl; intros Ht HA.
  - destruct (Flush x z (Rabs x)); auto using Rle_refl. repeat split; auto. now constructor.
  - pose proof (magn_ge_0 l). pose proof (magn_ge_0 r).
    destruct IH1 as [Ta [Aa Ra]]; [apply Ht | lra |].
    destruct IH2 as [Tb [Ab Rb]]; [apply Ht | lra |]. pose proof (Rabs_triang a b).
    destruct (add_small (a + b) y) as [-> Hi]; [auto | lra | exact Ha |].
    destruct (Flush (a + b) z (magn l + magn r)); auto; [lra |]. repeat split; auto.
    now apply (run_node _ _ _ l r 0 0 false a b (a + b)).
Qed.

Lemma run_count : forall M t k z, 0 < M -> run_w t k z -> all term t ->
  all (fun x => Rabs x <= M) t -> exists c, (c <= fat (h_of M) t)%nat /\ run_w t c z.
Proof.
  intros M t k z HM E; induction E as [x z H | l r i j c a b y z E1 IH1 E2 IH2 Ha Hc H];
    intros Ht Hb.
  - exists 0%nat. split; [lia | now constructor].
  - destruct (IH1 (proj1 Ht) (proj1 Hb)) as [i' [Hi Ri]].
    destruct (IH2 (proj2 Ht) (proj2 Hb)) as [j' [Hj Rj]].
    pose proof (leaves_adds l). pose proof (leaves_adds r).
    cbn [fat]. destruct (Nat.leb_spec (h_of M) (leaves l + leaves r)) as [Hge | Hlt].
    + exists (Nat.b2n true + (i' + j'))%nat. split; [cbn [Nat.b2n]; lia |].
      now apply run_node with a b y.
    + exists 0%nat. split; [lia |].
      apply (run_small _ (Nat.b2n c + (i + j))); [now apply run_node with a b y | exact Ht |].
      eapply Rle_trans; [apply magn_le_leaves; exact Hb |]. simpl. apply h_of_ok; [exact HM | lia].
Qed.

End Small.

Section Format.

Variables emin p : Z.
Context { prec_gt_0_ : Prec_gt_0 p }.

Notation fexp := (FLT_exp emin p).
Notation F := (generic_format radix2 fexp).
Definition u := bpow radix2 (- p).

Lemma u_gt_0 : 0 < u.
Proof. apply bpow_gt_0. Qed.

Lemma u_ge_0 : 0 <= u.
Proof. apply bpow_ge_0. Qed.

Lemma u_le_half : u <= / 2.
Proof.
  unfold u. change (/ 2) with (bpow radix2 (-1)). apply bpow_le.
  unfold Prec_gt_0 in prec_gt_0_; lia.
Qed.

(** v = 2u *)
Definition v := bpow radix2 (1 - p).

Lemma v_gt_0 : 0 < v.
Proof. apply bpow_gt_0. Qed.

(** The power of two below |x|: 2^floor(log2 |x|), and 0 at 0. *)
Definition slope (x : R) : R := if Req_EM_T x 0 then 0 else bpow radix2 (mag radix2 x - 1).

Lemma slope_ge_0 : forall x, 0 <= slope x.
Proof. intros x. unfold slope. destruct (Req_EM_T x 0); [lra | apply bpow_ge_0]. Qed.

Lemma slope_le : forall x, slope x <= Rabs x.
Proof.
  intros x. unfold slope. destruct (Req_EM_T x 0) as [-> | Hx]; [apply Rabs_pos |].
  now apply bpow_mag_le.
Qed.

(** Subnormal sums are in the format, and the ulp of others is 2u times the power of two below. *)
Lemma plus_ulp : forall a b, F a -> F b ->
  F (a + b) \/ (ulp radix2 fexp (a + b) = v * slope (a + b) /\ F (slope (a + b))).
Proof.
  intros a b Fa Fb. destruct (Rle_or_lt (Rabs (a + b)) (bpow radix2 (p + emin))) as [Hs | Hl];
    [left; now apply FLT_format_plus_small | right].
  assert (p + emin < mag radix2 (a + b))%Z by (apply mag_gt_bpow; lra).
  unfold slope. destruct (Req_EM_T (a + b) 0) as [E | N].
  - rewrite E, Rabs_R0 in Hl. pose proof (bpow_gt_0 radix2 (p + emin)). lra.
  - rewrite ulp_neq_0 by exact N. unfold v, cexp, FLT_exp. rewrite Z.max_l by lia. split.
    + rewrite <- bpow_plus. f_equal. ring.
    + apply generic_format_FLT_bpow; [exact prec_gt_0_ |]. unfold Prec_gt_0 in prec_gt_0_; lia.
Qed.

(** The result of an addition is a number of the format, and a sum that is one is returned. *)
Record addition (add : R -> R -> Prop) : Prop := {
  add_format : forall x y, add x y -> F y;
  add_exact : forall x y, add x y -> F x -> y = x;
  add_refl : forall x, F x -> add x x }.

(** * Rounding to nearest, ties broken in any way, at every addition anew *)

Definition nearest (x y : R) := Rnd_N_pt F x y.

Lemma nearest_addition : addition nearest.
Proof.
  split; [now intros x y [H _] | | intros x Fx; now apply Rnd_N_pt_refl].
  intros x y H Fx. now apply Rnd_N_pt_idempotent with F.
Qed.

(** a itself is a candidate for the result of a + b. *)
Lemma nearest_error_r : forall a b y, F a -> nearest (a + b) y -> Rabs (y - (a + b)) <= Rabs b.
Proof.
  intros a b y Fa [_ H].
  replace (Rabs b) with (Rabs (a - (a + b))); [now apply H |].
  replace (a - (a + b)) with (- b) by ring. apply Rabs_Ropp.
Qed.

Lemma nearest_error_l : forall a b y, F b -> nearest (a + b) y -> Rabs (y - (a + b)) <= Rabs a.
Proof. intros a b y Fb. rewrite Rplus_comm. now apply nearest_error_r. Qed.

(** At most half an ulp, and a relative error of at most u. *)
Lemma nearest_error_slope : forall a b y, F a -> F b -> nearest (a + b) y ->
  Rabs (y - (a + b)) <= u * slope (a + b).
Proof.
  intros a b y Fa Fb H. destruct (plus_ulp a b Fa Fb) as [Fs | [Hu _]].
  - rewrite (add_exact _ nearest_addition _ _ H Fs), Rminus_diag_eq, Rabs_R0 by reflexivity.
    apply Rmult_le_pos; [apply u_ge_0 | apply slope_ge_0].
  - replace u with (/ 2 * v)
      by (unfold u, v; change (/ 2) with (bpow radix2 (-1)); rewrite <- bpow_plus; f_equal; ring).
    rewrite Rmult_assoc, <- Hu.
    eapply Rle_trans; [| apply (error_le_half_ulp radix2 fexp (fun _ => true))].
    apply H, generic_format_round; auto with typeclass_instances.
Qed.

Lemma nearest_error_u : forall a b y, F a -> F b -> nearest (a + b) y ->
  Rabs (y - (a + b)) <= u * Rabs (a + b).
Proof.
  intros a b y Fa Fb H. eapply Rle_trans; [now apply nearest_error_slope |].
  apply Rmult_le_compat_l; [apply u_ge_0 | apply slope_le].
Qed.

(** * Trees of such additions *)

Lemma format_multiple : forall x, F x -> multiple emin x.
Proof.
  intros x Fx. apply FLT_format_generic in Fx; [| exact prec_gt_0_].
  destruct Fx as [[m e] -> _ He]. apply multiple_le with e; [exact He | now exists m].
Qed.

(** Multiples of 2^q up to 2^p 2^q in magnitude are numbers of the format, if q >= emin. *)
Lemma multiple_format : forall q x, (emin <= q)%Z -> multiple q x ->
  Rabs x <= bpow radix2 (p + q) -> F x.
Proof.
  intros q x Hq [k ->] Hb.
  destruct (Rle_lt_or_eq_dec _ _ Hb) as [Hlt | Heq].
  - apply generic_format_FLT. exists (Float radix2 k q); simpl; [reflexivity | | exact Hq].
    rewrite Rabs_mult, (Rabs_pos_eq (bpow radix2 q)) in Hlt by apply bpow_ge_0.
    rewrite bpow_plus in Hlt. apply Rmult_lt_reg_r in Hlt; [| apply bpow_gt_0].
    rewrite <- abs_IZR in Hlt. apply lt_IZR. rewrite (IZR_Zpower radix2); [exact Hlt |].
    unfold Prec_gt_0 in prec_gt_0_; lia.
  - apply generic_format_abs_inv. rewrite Heq. apply generic_format_FLT_bpow; [exact prec_gt_0_ |].
    unfold Prec_gt_0 in prec_gt_0_; lia.
Qed.

Lemma small_format : forall q x, multiple (Z.max q emin) x -> Rabs x <= bpow radix2 (p + q) -> F x.
Proof.
  intros q x Mx Hx. apply (multiple_format (Z.max q emin)); [lia | exact Mx |].
  eapply Rle_trans; [exact Hx | apply bpow_le; lia].
Qed.

Lemma all_multiple : forall q t, all F t -> all (multiple q) t -> all (multiple (Z.max q emin)) t.
Proof.
  induction t; simpl; [| tauto]. intros Fx Mx. apply Z.max_case; [exact Mx |].
  now apply format_multiple.
Qed.

Section Trees.

Variable add : R -> R -> Prop.
Hypothesis A : addition add.

Lemma add_small : forall q s y, multiple (Z.max q emin) s -> Rabs s <= bpow radix2 (p + q) ->
  add s y -> y = s /\ s = s.
Proof.
  intros q s y Ms Hs Hy. split; [| reflexivity]. now apply (add_exact _ A), (small_format q).
Qed.

Lemma run_format : forall w t k z, run add w t k z -> all F t -> F z.
Proof.
  intros w t k z. apply (run_number (fun x => x)); [apply generic_format_0 | apply (add_format _ A)].
Qed.

Lemma format_zeros : forall w t k z, run add w t k z -> all F t ->
  (z = 0 /\ nonzero t = 0%nat /\ forall f, f 0 = 0 -> total f t = 0) \/
  exists t' k', (k' <= k)%nat /\ run add w t' k' z /\ without_zeros t t'.
Proof.
  intros w t k z. apply (drop_zeros (fun x => x) add w F); [apply generic_format_0 | apply A..].
Qed.

Lemma format_count : forall w q M t k z, 0 < M -> run add w t k z -> all F t ->
  all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  exists c, (c <= fat (h_of p q M) t)%nat /\ run add w t c z.
Proof.
  intros w q M t k z HM E Hf Hm.
  apply (run_count p q (fun x => x) add w (multiple (Z.max q emin)) (multiple_0 _)
    (multiple_plus _) (add_small q) M t k z); auto using all_multiple.
Qed.

(** With both the zeros and the additions that cannot round left out. *)
Lemma format_rounds : forall w q M t k z, 0 < M -> run add w t k z -> all F t ->
  all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  (z = 0 /\ nonzero t = 0%nat /\ forall f, f 0 = 0 -> total f t = 0) \/
  exists t' c, (c <= nonzero t + 1 - h_of p q M)%nat /\ run add w t' c z /\ without_zeros t t'.
Proof.
  intros w q M t k z HM E Hf Hm Hb.
  destruct (format_zeros w t k z E Hf) as [H | [t' [k' [_ [R W]]]]]; [now left | right].
  pose proof W as [HL [_ [HP _]]].
  destruct (format_count w q M t' k' z HM R) as [c [Hc Rc]]; auto.
  exists t', c. split; [| now split]. rewrite <- HL.
  eapply Nat.le_trans; [exact Hc |]. apply additions_above_h_terms, h_of_ge_2.
Qed.

(** The last addition, and those that round below it. *)
Lemma format_last : forall w q M t k z, 0 < M -> run add w t k z -> all F t ->
  all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  exists s y, add s y /\ flushed w y z /\
  (s = sum t \/ exists l r i j a b, s = a + b /\ run add w l i a /\ run add w r j b /\
    (i + j <= nonzero t + 1 - h_of p q M - 1)%nat /\ without_zeros t (Node l r)).
Proof.
  intros w q M t k z HM E Hf Hm Hb.
  destruct (format_zeros w t k z E Hf) as [[-> [_ HT]] | [t' [k' [_ [R W]]]]].
  - exists 0, 0. split; [apply (add_refl _ A), generic_format_0 | split; [now left | left]].
    now rewrite HT.
  - pose proof W as [HL [HT [HP _]]]. destruct R as [x z H | l r i j c a b y z El Er Ha _ H].
    + exists x, x. split; [apply (add_refl _ A), (HP F Hf) | split; [exact H | left]].
      now rewrite <- HT.
    + destruct (HP _ Hf) as [Fl Fr]. destruct (HP _ Hm) as [Ml Mr]. destruct (HP _ Hb) as [Bl Br].
      destruct (format_count w q M l i a HM El Fl Ml Bl) as [i' [Hi Rl]].
      destruct (format_count w q M r j b HM Er Fr Mr Br) as [j' [Hj Rr]].
      exists (a + b), y. split; [exact Ha | split; [exact H | right]].
      exists l, r, i', j', a, b. repeat (split; [now auto |]). split; [| exact W].
      rewrite <- HL. pose proof (fat_last (h_of p q M) l r (h_of_ge_2 p q M)). cbn [count]. lia.
Qed.

(** For every kind of addition that returns a sum that is in the format, e.g. all roundings, and
    either neighbour.  q is not bounded: terms below 2^emin do not exist. *)
Lemma exact_below_limit_any : forall q t k y, eval add t k y ->
  all F t -> all (multiple q) t -> magn t <= bpow radix2 (p + q) -> y = sum t.
Proof.
  intros q t k y E Hf Hm HA.
  destruct (run_small p q (fun x => x) add 0 (multiple (Z.max q emin)) (multiple_0 _)
    (multiple_plus _) (add_small q) t k y E (all_multiple q t Hf Hm) HA) as [_ [_ E0]].
  enough (H : forall i t z, eval add t i z -> i = 0%nat -> z = sum t) by now apply (H 0%nat).
  intros i t' z E'. induction E' as [| l r i j c a b z E1 IH1 E2 IH2 _ Hc]
    using eval_induction; intros Hi; [reflexivity |].
  destruct c; [discriminate Hi |]. simpl in *. rewrite (Hc eq_refl), IH1, IH2 by lia. reflexivity.
Qed.

(** * Bounds of the error: g r A *)

Record bound (g : nat -> R -> R) : Prop := {
  bound_error : forall t k y, eval add t k y -> all F t -> Rabs (y - sum t) <= g k (magn t);
  bound_join : forall i j k x y, (i + j <= k)%nat -> 0 <= x -> 0 <= y ->
    g i x + g j y <= g k (x + y);
  bound_ge_0 : forall k x, 0 <= x -> 0 <= g k x }.

Lemma linear_bound : forall e, 0 <= e ->
  (forall t k y, eval add t k y -> all F t -> Rabs (y - sum t) <= INR k * e * magn t) ->
  bound (fun k x => INR k * e * x).
Proof.
  intros e He H. split; [exact H | |].
  - intros i j k x y Hk Hx Hy. apply le_INR in Hk. rewrite plus_INR in Hk.
    pose proof (pos_INR i). pose proof (pos_INR j).
    assert (INR i * (e * x) <= INR k * (e * x))
      by (apply Rmult_le_compat_r; [apply Rmult_le_pos |]; lra).
    assert (INR j * (e * y) <= INR k * (e * y))
      by (apply Rmult_le_compat_r; [apply Rmult_le_pos |]; lra). lra.
  - intros k x Hx. repeat apply Rmult_le_pos; try assumption. apply pos_INR.
Qed.

(** The exact sum of the last addition. *)
Lemma bound_last : forall g q M t k y, bound g -> 0 < M -> eval add t k y ->
  all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  exists s, Rabs (s - sum t) <= g (nonzero t + 1 - h_of p q M - 1)%nat (magn t) /\ add s y.
Proof.
  intros g q M t k y G HM E Hf Hm Hb.
  destruct (format_last 0 q M t k y HM E Hf Hm Hb) as [s [y' [Hy [Hz H]]]].
  apply flushed_at_0 in Hz. subst y'. exists s. split; [| exact Hy].
  destruct H as [-> | [l [r [i [j [a [b [-> [El [Er [Hk [_ [HT [HP _]]]]]]]]]]]]]].
  - rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. apply (bound_ge_0 _ G), magn_ge_0.
  - destruct (HP F Hf) as [Fl Fr]. rewrite <- !HT by (reflexivity || apply Rabs_R0). simpl.
    pose proof (bound_error _ G _ _ _ El Fl). pose proof (bound_error _ G _ _ _ Er Fr).
    pose proof (bound_join _ G i j _ _ _ Hk (magn_ge_0 l) (magn_ge_0 r)).
    replace (a + b - (sum l + sum r)) with ((a - sum l) + (b - sum r)) by ring.
    eapply Rle_trans; [apply Rabs_triang |]. lra.
Qed.

End Trees.

(** * |y - S| <= r u A, without a second-order term *)

(** The three cases of the document, as arithmetic: d is the error of the last addition, i and j are
    the numbers of additions that round below a and b. *)
Lemma three_cases : forall v Aa Ab a b d i j,
  0 <= v <= 1 -> 0 <= Aa -> 0 <= Ab -> 0 <= i -> 0 <= j ->
  a <= (1 + i * v) * Aa -> b <= (1 + j * v) * Ab ->
  d <= a -> d <= b -> d <= v * (a + b) ->
  d <= v * ((j + 1) * Aa + (i + 1) * Ab).
Proof.
  intros v Aa Ab a b d i j [Hv0 Hv1] HAa HAb Hk1 Hk2 Ha Hb Hda Hdb Hdv.
  destruct (Rle_or_lt Ab (v * Aa)) as [C1 | C1]; [| destruct (Rle_or_lt Aa (v * Ab)) as [C2 | C2]].
  - (* 1. A_b <= u A_a *)
    assert (H1 : Ab <= Aa) by nra.
    assert (H2 : (j * v) * Ab <= (j * v) * Aa) by (apply Rmult_le_compat_l; nra).
    assert (H3 : 0 <= v * ((i + 1) * Ab)) by (repeat apply Rmult_le_pos; lra).
    nra.
  - (* 2. A_a <= u A_b *)
    assert (H1 : Aa <= Ab) by nra.
    assert (H2 : (i * v) * Aa <= (i * v) * Ab) by (apply Rmult_le_compat_l; nra).
    assert (H3 : 0 <= v * ((j + 1) * Aa)) by (repeat apply Rmult_le_pos; lra).
    nra.
  - (* 3. neither *)
    assert (H1 : i * (v * Aa) <= i * Ab) by (apply Rmult_le_compat_l; lra).
    assert (H2 : j * (v * Ab) <= j * Aa) by (apply Rmult_le_compat_l; lra).
    assert (H3 : a + b <= Aa + i * Ab + Ab + j * Aa) by nra.
    apply Rle_trans with (v * (a + b)); [exact Hdv |].
    apply Rmult_le_compat_l; lra.
Qed.

Lemma abs_from_error : forall y s e m, Rabs (y - s) <= e -> Rabs s <= m -> Rabs y <= m + e.
Proof.
  intros y s e m H1 H2. replace y with ((y - s) + s) by ring.
  eapply Rle_trans; [apply Rabs_triang |]. lra.
Qed.

Lemma plus_error_split : forall y a b sa sb ea eb d,
  Rabs (a - sa) <= ea -> Rabs (b - sb) <= eb -> Rabs (y - (a + b)) <= d ->
  Rabs (y - (sa + sb)) <= d + ea + eb.
Proof.
  intros y a b sa sb ea eb d H1 H2 H3.
  replace (y - (sa + sb)) with ((y - (a + b)) + ((a - sa) + (b - sb))) by ring.
  eapply Rle_trans; [apply Rabs_triang |].
  pose proof (Rabs_triang (a - sa) (b - sb)). lra.
Qed.

(** One addition, which rounds or not. *)
Lemma join_counted : forall e Aa Ab a b sa sb i j (c : bool) y, 0 <= e -> 0 <= Aa -> 0 <= Ab ->
  Rabs (a - sa) <= INR i * e * Aa -> Rabs (b - sb) <= INR j * e * Ab -> (c = false -> y = a + b) ->
  Rabs (y - (a + b)) <= e * ((INR j + 1) * Aa + (INR i + 1) * Ab) ->
  Rabs (y - (sa + sb)) <= INR (Nat.b2n c + (i + j)) * e * (Aa + Ab).
Proof.
  intros e Aa Ab a b sa sb i j c y He HA HB Ha Hb Hc Hd. rewrite !plus_INR.
  pose proof (pos_INR i). pose proof (pos_INR j). destruct c; simpl Nat.b2n.
  - pose proof (plus_error_split _ _ _ _ _ _ _ _ Ha Hb Hd) as H'.
    eapply Rle_trans; [exact H' |]. apply Req_le. simpl. ring.
  - rewrite (Hc eq_refl) in *.
    assert (Hz : Rabs (a + b - (a + b)) <= 0)
      by (rewrite Rminus_diag_eq by reflexivity; rewrite Rabs_R0; lra).
    pose proof (plus_error_split _ _ _ _ _ _ _ _ Ha Hb Hz).
    assert (0 <= INR j * e * Aa) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= INR i * e * Ab) by (repeat apply Rmult_le_pos; lra). simpl. lra.
Qed.

Lemma error_counted_nearest : forall t k y,
  eval nearest t k y -> all F t -> Rabs (y - sum t) <= INR k * u * magn t.
Proof.
  intros t k y E; induction E as [x | l r i j c a b y E1 IH1 E2 IH2 Hy Hc]
    using eval_induction; simpl sum; simpl magn; intros Hf.
  - rewrite Rminus_diag_eq by reflexivity. rewrite Rabs_R0. simpl. lra.
  - destruct Hf as [Fl Fr]. specialize (IH1 Fl). specialize (IH2 Fr).
    pose proof (run_format _ nearest_addition _ _ _ _ E1 Fl) as Fa.
    pose proof (run_format _ nearest_addition _ _ _ _ E2 Fr) as Fb.
    pose proof (magn_ge_0 l). pose proof (magn_ge_0 r). pose proof u_gt_0. pose proof u_le_half.
    apply join_counted with a b; auto; try lra.
    pose proof (abs_from_error _ _ _ _ IH1 (sum_le_magn l)).
    pose proof (abs_from_error _ _ _ _ IH2 (sum_le_magn r)).
    apply (three_cases u (magn l) (magn r) (Rabs a) (Rabs b)); auto using pos_INR; try lra.
    + now apply nearest_error_l.
    + now apply nearest_error_r.
    + eapply Rle_trans; [now apply nearest_error_u |].
      apply Rmult_le_compat_l; [lra | apply Rabs_triang].
Qed.

(** * The height of a tree: |y - S| <= ((1 + u)^d - 1) A *)

Fixpoint height (t : tree) : nat :=
  match t with Leaf _ => 0 | Node l r => S (Nat.max (height l) (height r)) end.

Lemma height_step : forall w k ma mb ea eb d, 0 <= w -> 0 <= ma -> 0 <= mb ->
  ea <= ((1 + w) ^ k - 1) * ma -> eb <= ((1 + w) ^ k - 1) * mb -> d <= w * (ma + ea + (mb + eb)) ->
  d + ea + eb <= ((1 + w) ^ S k - 1) * (ma + mb).
Proof.
  intros w k ma mb ea eb d Hw Ha Hb Ea Eb Hd. simpl pow. set (X := (1 + w) ^ k) in *.
  apply Rle_trans with (w * (ma + mb) + (1 + w) * (ea + eb)); [lra |].
  apply Rle_trans with (w * (ma + mb) + (1 + w) * ((X - 1) * (ma + mb))); [| lra].
  apply Rplus_le_compat_l, Rmult_le_compat_l; lra.
Qed.

Theorem error_by_height : forall t k y, eval nearest t k y -> all F t ->
  Rabs (y - sum t) <= ((1 + u) ^ height t - 1) * magn t.
Proof.
  assert (Hu := u_gt_0).
  assert (Up : forall k t m, (height t <= k)%nat -> Rabs m <= ((1 + u) ^ height t - 1) * magn t ->
    Rabs m <= ((1 + u) ^ k - 1) * magn t).
  { intros k t m Hk H. eapply Rle_trans; [exact H |]. apply Rmult_le_compat_r; [apply magn_ge_0 |].
    assert ((1 + u) ^ height t <= (1 + u) ^ k) by (apply Rle_pow; lra || lia). lra. }
  intros t k y E; induction E as [x | l r i j c a b y E1 IH1 E2 IH2 Hy Hc]
    using eval_induction; simpl sum; simpl magn; simpl height; intros Hf.
  - rewrite Rminus_diag_eq by reflexivity. rewrite Rabs_R0. simpl. lra.
  - destruct Hf as [Fl Fr]. specialize (IH1 Fl). specialize (IH2 Fr).
    pose proof (run_format _ nearest_addition _ _ _ _ E1 Fl) as Fa.
    pose proof (run_format _ nearest_addition _ _ _ _ E2 Fr) as Fb.
    apply Up with (k := Nat.max (height l) (height r)) in IH1, IH2; try lia.
    pose proof (abs_from_error _ _ _ _ (Rle_refl _) (sum_le_magn l) : Rabs a
      <= magn l + Rabs (a - sum l)).
    pose proof (abs_from_error _ _ _ _ (Rle_refl _) (sum_le_magn r) : Rabs b
      <= magn r + Rabs (b - sum r)).
    eapply Rle_trans; [apply (plus_error_split y a b _ _ _ _ _ (Rle_refl _) (Rle_refl _) (Rle_refl
      _)) |].
    apply height_step; auto using magn_ge_0; [lra |].
    eapply Rle_trans; [now apply nearest_error_u |]. apply Rmult_le_compat_l; [lra |].
    pose proof (Rabs_triang a b). lra.
Qed.

(** * Trees whose additions all round by the same function *)

Fixpoint value (rnd : R -> Z) (t : tree) : R :=
  match t with
  | Leaf x => x
  | Node l r => round radix2 fexp rnd (value rnd l + value rnd r)
  end.

(** How many additions of the tree are inexact. *)
Fixpoint inexact (rnd : R -> Z) (t : tree) : nat :=
  match t with
  | Leaf x => 0
  | Node l r =>
    let s := value rnd l + value rnd r in
    (if Req_EM_T (round radix2 fexp rnd s) s then 0 else 1) + (inexact rnd l + inexact rnd r)
  end.

Definition by_round (rnd : R -> Z) (x y : R) := y = round radix2 fexp rnd x.

Lemma by_round_addition : forall rnd { H : Valid_rnd rnd }, addition (by_round rnd).
Proof.
  intros rnd H. split.
  - intros x y ->. apply generic_format_round; auto with typeclass_instances.
  - intros x y -> Fx. apply round_generic; auto with typeclass_instances.
  - intros x Fx. symmetry. apply round_generic; auto with typeclass_instances.
Qed.

Lemma value_eval_inexact : forall rnd t, eval (by_round rnd) t (inexact rnd t) (value rnd t).
Proof.
  induction t as [x | l IHl r IHr]; simpl; [constructor; now left |].
  destruct (Req_EM_T _ _) as [e | ne].
  - apply (run_node _ _ _ l r _ _ false _ _ _ _ IHl IHr eq_refl); [now intros | now left].
  - apply (run_node _ _ _ l r _ _ true _ _ _ _ IHl IHr eq_refl); [discriminate | now left].
Qed.

Lemma by_round_nearest : forall choice x y, by_round (Znearest choice) x y -> nearest x y.
Proof. intros choice x y ->. apply round_N_pt; auto with typeclass_instances. Qed.

Lemma by_nearest_bound : forall choice,
  bound (by_round (Znearest choice)) (fun k x => INR k * u * x).
Proof.
  intros choice. apply linear_bound; [apply u_ge_0 |]. intros t k y E.
  apply error_counted_nearest.
  eapply (run_mono _ _ _ _ (by_round_nearest choice)). exact E.
Qed.

(** Only those additions count that round. *)
Theorem error_counted : forall choice t, all F t ->
  Rabs (value (Znearest choice) t - sum t) <= INR (inexact (Znearest choice) t) * u * magn t.
Proof.
  intros choice t. apply (bound_error _ _ (by_nearest_bound choice)), value_eval_inexact.
Qed.

(** Any tree of n - 1 additions, each rounded to nearest. *)
Theorem error_any_order : forall choice t, all F t ->
  Rabs (value (Znearest choice) t - sum t) <= INR (leaves t - 1) * u * magn t.
Proof.
  intros choice t Hf. eapply Rle_trans; [now apply error_counted |].
  apply Rmult_le_compat_r; [apply magn_ge_0 |]. apply Rmult_le_compat_r; [apply u_ge_0 |].
  apply le_INR. rewrite leaves_adds, Nat.sub_1_r, Nat.pred_succ.
  eapply run_adds, value_eval_inexact.
Qed.

Lemma Rabs_le_between : forall x s e, Rabs (x - s) <= e -> s - e <= x <= s + e.
Proof. intros x s e H. apply Rabs_le_inv in H. lra. Qed.

Lemma round_between : forall rnd { H : Valid_rnd rnd } s S E, Rabs (s - S) <= E ->
  round radix2 fexp rnd (S - E) <= round radix2 fexp rnd s <= round radix2 fexp rnd (S + E).
Proof.
  intros rnd H s S E Hs. apply Rabs_le_between in Hs.
  split; apply round_le; auto with typeclass_instances; lra.
Qed.

(** The interval: the last addition is monotonic.  k bounds the number of inexact additions
    below the last one, which itself may round or not. *)
Theorem interval_counted : forall choice l r k,
  let rnd := Znearest choice in let t := Node l r in
  all F t -> (inexact rnd l + inexact rnd r <= k)%nat ->
  round radix2 fexp rnd (sum t - INR k * u * magn t) <= value rnd t
    <= round radix2 fexp rnd (sum t + INR k * u * magn t).
Proof.
  intros choice l r k rnd t [Hl Hr] Hk. unfold t; simpl.
  apply round_between; [unfold rnd; auto with typeclass_instances |].
  pose proof (error_counted choice l Hl) as E1. pose proof (error_counted choice r Hr) as E2.
  fold rnd in E1, E2.
  pose proof (bound_join _ _ (by_nearest_bound choice) _ _ _ _ _ Hk (magn_ge_0 l) (magn_ge_0 r)).
  replace (value rnd l + value rnd r - (sum l + sum r))
    with ((value rnd l - sum l) + (value rnd r - sum r)) by ring.
  eapply Rle_trans; [apply Rabs_triang |]. lra.
Qed.

(** * What is exact has no tolerance *)

Theorem exact_below_limit : forall rnd { H : Valid_rnd rnd } q t,
  all F t -> all (multiple q) t -> magn t <= bpow radix2 (p + q) -> value rnd t = sum t.
Proof.
  intros rnd H q t. apply (exact_below_limit_any _ (by_round_addition rnd) q t (inexact rnd t)).
  apply value_eval_inexact.
Qed.

(** * Multiples of 2^q stay multiples, rounded or not *)

Lemma multiple_round : forall rnd { H : Valid_rnd rnd } q x,
  multiple q x -> multiple q (round radix2 fexp rnd x).
Proof.
  intros rnd H q x Hx. destruct (Z_le_gt_dec q (cexp radix2 fexp x)) as [Hq | Hq].
  - apply multiple_le with (cexp radix2 fexp x); [exact Hq |].
    now exists (rnd (scaled_mantissa radix2 fexp x)).
  - rewrite round_generic; [exact Hx | assumption |].
    destruct (multiple_le q (cexp radix2 fexp x) x ltac:(lia) Hx) as [k Hk].
    rewrite Hk. apply generic_format_F2R' with (Float radix2 k (cexp radix2 fexp x));
      [reflexivity |].
    intros _. rewrite <- Hk. apply Z.le_refl.
Qed.

Theorem multiple_value : forall rnd { H : Valid_rnd rnd } q t,
  all (multiple q) t -> multiple q (value rnd t).
Proof.
  intros rnd H q t; induction t as [x | l IHl r IHr]; simpl; [trivial |].
  intros [Hl Hr]. apply multiple_round; [assumption |]. apply multiple_plus; auto.
Qed.

(** Verdict 1 for FLOAT32 and FLOAT64: no sum in any order is rejected.  (Without overflow; M > 0,
    that is, at least one term is not zero or M is any other bound.) *)
Theorem verdict1 : forall choice q M t,
  let rnd := Znearest choice in
  let E := INR (nonzero t + 1 - h_of p q M - 1) * u * magn t in
  0 < M -> all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  round radix2 fexp rnd (sum t - E) <= value rnd t <= round radix2 fexp rnd (sum t + E).
Proof.
  intros choice q M t rnd E HM Hf Hm Hb.
  destruct (bound_last _ (by_round_addition rnd) _ q M t _ _ (by_nearest_bound choice) HM
    (value_eval_inexact rnd t) Hf Hm Hb) as [s [Hs ->]].
  apply round_between; [unfold rnd; auto with typeclass_instances | exact Hs].
Qed.

End Format.
