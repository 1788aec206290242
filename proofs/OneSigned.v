(* SPDX-License-Identifier: MIT *)
(** Terms of one sign (docs/oracle.md, "Terms of one sign"): all terms are >= 0, or all are <= 0.
    Rounding is monotonic and keeps the numbers of the format, so that no partial sum shrinks.  An
    addition errs by at most e times its own result, hence by at most e |y|, where y is the output.
    So |y| may take the place of A in the bounds.  e is u to nearest and 2u else. *)

From Coq Require Import Reals ZArith Psatz Lia Lra.
From Flocq Require Import Core Plus_error Relative BinarySingleNaN.
From Cumsum Require Import AnyOrder EitherNeighbour Truncated Flushed Ieee Store16 Stored.
Open Scope R_scope.

Definition one_sign (t : tree) := all (fun x => 0 <= x) t \/ all (fun x => x <= 0) t.

(** The tree with the sign of each term changed. *)
Fixpoint opp (t : tree) : tree :=
  match t with Leaf x => Leaf (- x) | Node l r => Node (opp l) (opp r) end.

Lemma opp_total : forall f g t, (forall x, g (- x) = f x) -> total g (opp t) = total f t.
Proof. induction t; simpl; intros H; [apply H |]. now rewrite IHt1, IHt2. Qed.

Lemma opp_sum : forall t, sum (opp t) = - sum t.
Proof. induction t; simpl; lra. Qed.

Lemma opp_leaves : forall t, leaves (opp t) = leaves t.
Proof. induction t; simpl; lia. Qed.

Lemma opp_all : forall (P Q : R -> Prop) t, (forall x, P x -> Q (- x)) -> all P t -> all Q (opp t).
Proof. induction t; simpl; firstorder. Qed.

Lemma opp_negative : forall t, all (fun x => x <= 0) t -> all (fun x => 0 <= x) (opp t).
Proof. intros t. apply opp_all. intros x Hx. lra. Qed.

Lemma flushed_opp : forall w y z, flushed w y z -> flushed w (- y) (- z).
Proof. intros w y z [-> | [-> H]]; [now left |]. right. rewrite Ropp_0, Rabs_Ropp. now split. Qed.

Lemma opp_run : forall ideal (add add' : R -> R -> Prop) w, (forall x, ideal (- x) = - ideal x) ->
  (forall x y, add x y -> add' (- x) (- y)) ->
  forall t k z, run_of ideal add w t k z -> run_of ideal add' w (opp t) k (- z).
Proof.
  intros ideal add add' w Hi Hadd t k z E.
  induction E as [x z H | l r i j c a b y z E1 IH1 E2 IH2 Ha Hc H]; cbn [opp].
  - constructor. now apply flushed_opp.
  - apply run_node with (- a) (- b) (- y); auto using flushed_opp; rewrite <- Ropp_plus_distr; auto.
    intros C. now rewrite Hi, Hc.
Qed.

Lemma Rabs_opp_opp : forall x y, Rabs (- x - - y) = Rabs (x - y).
Proof. intros x y. rewrite <- Rabs_Ropp. f_equal. ring. Qed.

Section OneSigned.

Variables emin p : Z.
Context { prec_gt_0_ : Prec_gt_0 p }.

Notation fexp := (FLT_exp emin p).
Notation F := (generic_format radix2 fexp).
Notation u := (u p).
Notation v := (v p).
Notation nearest := (nearest emin p).
Notation faithful := (faithful emin p).
Notation by_round := (by_round emin p).
Notation value := (value emin p).

(** * The additions *)

(** Additions that return a neighbour, or the sum itself if it is a number of the format, and err by
    at most e times the power of two below the sum. *)
Record unit_error (add : R -> R -> Prop) (e : R) : Prop := {
  unit_ge_0 : 0 <= e;
  unit_faithful : forall x y, add x y -> faithful x y;
  unit_refl : forall x, F x -> add x x;
  unit_slope : forall a b y, F a -> F b -> add (a + b) y ->
    Rabs (y - (a + b)) <= e * slope (a + b) }.

Lemma unit_addition : forall add e, unit_error add e -> addition emin p add.
Proof.
  intros add e [_ Hf Hr _]. pose proof (faithful_addition emin p) as A. split; [| | exact Hr].
  - intros x y H. apply (add_format _ _ _ A x), Hf, H.
  - intros x y H. apply (add_exact _ _ _ A x), Hf, H.
Qed.

Lemma faithful_unit : unit_error faithful v.
Proof.
  split; [apply Rlt_le, v_gt_0 | trivial | apply (faithful_addition emin p) | apply faithful_error].
  exact prec_gt_0_.
Qed.

Lemma unit_subset : forall (add add' : R -> R -> Prop) e, (forall x y, add' x y -> add x y) ->
  (forall x, F x -> add' x x) -> unit_error add e -> unit_error add' e.
Proof. intros add add' e Hs Hr [H0 Hf _ He]. split; auto. Qed.

(** Every rounding that is one function. *)
Lemma by_round_unit : forall rnd { H : Valid_rnd rnd }, unit_error (by_round rnd) v.
Proof.
  intros rnd H. apply (unit_subset faithful);
    [| apply (by_round_addition emin p rnd) | exact faithful_unit].
  intros x y ->. now apply round_faithful.
Qed.

Lemma nearest_faithful : forall x y, nearest x y -> faithful x y.
Proof.
  intros x y H. destruct (Rnd_N_pt_DN_or_UP _ _ _ H) as [D | D]; [left | right].
  - apply (Rnd_DN_pt_unique F x); [exact D | apply round_DN_pt; auto with typeclass_instances].
  - apply (Rnd_UP_pt_unique F x); [exact D | apply round_UP_pt; auto with typeclass_instances].
Qed.

Lemma nearest_unit : unit_error nearest u.
Proof.
  split; [apply u_ge_0 | exact nearest_faithful | apply (nearest_addition emin p) |].
  now apply nearest_error_slope.
Qed.

Lemma by_nearest_unit : forall choice, unit_error (by_round (Znearest choice)) u.
Proof.
  intros choice. apply (unit_subset nearest);
    [exact (by_round_nearest emin p choice) | | exact nearest_unit].
  apply (by_round_addition emin p (Znearest choice)).
Qed.

(** e is u to nearest, and 2u for either neighbour and for each rounding that is one function. *)
Theorem one_sign_units : unit_error nearest u /\ unit_error faithful v /\
  (forall choice, unit_error (by_round (Znearest choice)) u) /\
  (forall rnd, Valid_rnd rnd -> unit_error (by_round rnd) v).
Proof.
  split; [exact nearest_unit | split; [exact faithful_unit |]].
  split; [exact by_nearest_unit | exact (@by_round_unit)].
Qed.

(** The same with all signs changed. *)
Definition mirror (add : R -> R -> Prop) x y := add (- x) (- y).

Lemma mirror_unit : forall add e, unit_error add e -> unit_error (mirror add) e.
Proof.
  intros add e [H0 Hf Hr He]. split; [exact H0 | | |].
  - intros x y H. apply Hf in H. destruct H as [H | H]; [right | left].
    + rewrite round_DN_opp in H. lra.
    + rewrite round_UP_opp in H. lra.
  - intros x Fx. apply Hr. now apply generic_format_opp.
  - intros a b y Fa Fb H. unfold mirror in H. rewrite Ropp_plus_distr in H.
    apply He in H; try now apply generic_format_opp.
    replace (- y - (- a + - b)) with (- (y - (a + b))) in H by ring. rewrite Rabs_Ropp in H.
    replace (- a + - b) with (- (a + b)) in H by ring.
    now rewrite <- slope_abs, Rabs_Ropp, slope_abs in H.
Qed.

(** No sum shrinks. *)
Lemma faithful_ge : forall x y z, faithful x y -> F z -> z <= x -> z <= y.
Proof. intros x y z [-> | ->] Fz H; apply round_ge_generic; auto with typeclass_instances. Qed.

Lemma sum_grows : forall a b y, F a -> F b -> 0 <= a -> 0 <= b -> faithful (a + b) y ->
  a <= y /\ b <= y.
Proof.
  intros a b y Fa Fb Ha Hb H. split; (eapply faithful_ge; [exact H | assumption | lra]).
Qed.

Lemma slope_le_result : forall a b y, F a -> F b -> 0 <= a + b -> faithful (a + b) y ->
  slope (a + b) <= y.
Proof.
  intros a b y Fa Fb Hs H. pose proof (slope_le (a + b)) as Hl. rewrite Rabs_pos_eq in Hl by lra.
  destruct (plus_ulp emin p a b Fa Fb) as [Fs | [_ Fs]].
  - now rewrite (add_exact _ _ _ (faithful_addition emin p) _ _ H Fs).
  - now apply (faithful_ge _ _ _ H).
Qed.

(** An addition of one sign does not shrink, and errs by at most e times its own result. *)
Theorem one_sign_addition : forall add e a b y, unit_error add e -> F a -> F b -> 0 <= a * b ->
  add (a + b) y ->
  Rabs a <= Rabs y /\ Rabs b <= Rabs y /\ Rabs (y - (a + b)) <= e * Rabs y.
Proof.
  assert (Pos : forall add e a b y, unit_error add e -> F a -> F b -> 0 <= a -> 0 <= b ->
    add (a + b) y ->
    Rabs a <= Rabs y /\ Rabs b <= Rabs y /\ Rabs (y - (a + b)) <= e * Rabs y).
  { intros add e a b y U Fa Fb Ha Hb H. pose proof (unit_faithful _ _ U _ _ H) as Hf.
    destruct (sum_grows a b y Fa Fb Ha Hb Hf).
    rewrite (Rabs_pos_eq a), (Rabs_pos_eq b), (Rabs_pos_eq y) by lra.
    split; [lra | split; [lra |]].
    eapply Rle_trans; [now apply (unit_slope _ _ U) |].
    apply Rmult_le_compat_l; [apply (unit_ge_0 _ _ U) | apply slope_le_result; auto; lra]. }
  intros add e a b y U Fa Fb Hab H.
  destruct (Rle_or_lt 0 a) as [Ha | Ha]; [destruct (Rle_or_lt 0 b) as [Hb | Hb] |].
  - now apply (Pos add).
  - assert (a = 0) by nra. subst a. rewrite Rplus_0_l in *.
    rewrite (add_exact _ _ _ (unit_addition _ _ U) _ _ H Fb), Rabs_R0, Rminus_diag_eq, Rabs_R0 by reflexivity.
    pose proof (Rabs_pos b). pose proof (unit_ge_0 _ _ U). repeat split; try lra.
    now apply Rmult_le_pos.
  - rewrite <- (Rabs_Ropp a), <- (Rabs_Ropp b), <- (Rabs_Ropp y), <- Rabs_opp_opp.
    rewrite Ropp_plus_distr.
    apply (Pos (mirror add)); try lra; try now apply generic_format_opp.
    + now apply mirror_unit.
    + nra.
    + unfold mirror. now rewrite Ropp_plus_distr, !Ropp_involutive.
Qed.

(** * The bound *)

Lemma flushed_ge_0 : forall w y z, 0 <= y -> flushed w y z -> 0 <= z.
Proof. intros w y z Hy [-> | [-> _]]; lra. Qed.

Section Charge.

Variable add : R -> R -> Prop.
Variable e w : R.
Hypothesis U : unit_error add e.
Hypothesis w_ge_0 : 0 <= w.
Hypothesis w_low : w < bpow radix2 (p + emin).

(** What the rounding errors below a value y >= 0 are measured by: nothing below w is rounded. *)
Definition charge (y : R) := if Rle_dec y w then 0 else y.

Lemma charge_mono : forall x y, 0 <= x <= y -> charge x <= charge y.
Proof. intros x y H. unfold charge. destruct (Rle_dec x w), (Rle_dec y w); lra. Qed.

Lemma charge_flushed : forall y z, 0 <= y -> flushed w y z -> charge y <= charge z.
Proof.
  intros y z Hy [-> | [-> H]]; [lra |]. rewrite Rabs_pos_eq in H by exact Hy. unfold charge.
  destruct (Rle_dec y w), (Rle_dec 0 w); lra.
Qed.

Lemma charge_error : forall a b y, F a -> F b -> 0 <= a -> 0 <= b -> add (a + b) y ->
  Rabs (y - (a + b)) <= e * charge y.
Proof.
  intros a b y Fa Fb Ha Hb H. pose proof (unit_ge_0 _ _ U) as He.
  pose proof (unit_faithful _ _ U _ _ H) as Hf. destruct (sum_grows a b y Fa Fb Ha Hb Hf).
  unfold charge. destruct (Rle_dec y w) as [D | D].
  - rewrite (add_exact _ _ _ (unit_addition _ _ U) _ _ H).
    + rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra.
    + apply FLT_format_plus_small; auto. rewrite Rabs_pos_eq by lra.
      apply Rnot_lt_le. intros Hlt.
      assert (bpow radix2 (p + emin) <= y); [| lra].
      apply (faithful_ge _ _ _ Hf); [| lra].
      apply generic_format_FLT_bpow; [exact prec_gt_0_ |]. unfold Prec_gt_0 in prec_gt_0_; lia.
  - eapply Rle_trans; [now apply (unit_slope _ _ U) |].
    apply Rmult_le_compat_l; [exact He | apply slope_le_result; auto; lra].
Qed.

(** The last addition: i and j additions round below a and b, whose errors are ea and eb. *)
Lemma charge_last : forall a b y z sa sb i j m n, F a -> F b -> 0 <= a -> 0 <= b ->
  add (a + b) y -> flushed w y z ->
  Rabs (a - sa) <= INR i * e * charge a + m ->
  Rabs (b - sb) <= INR j * e * charge b + n ->
  0 <= y /\ charge y <= charge z /\
  Rabs (a + b - (sa + sb)) <= INR (i + j) * e * charge z + (m + n).
Proof.
  intros a b y z sa sb i j m n Fa Fb Ha Hb Hy Hz Ea Eb.
  destruct (sum_grows a b y Fa Fb Ha Hb (unit_faithful _ _ U _ _ Hy)) as [Ga Gb].
  pose proof (charge_flushed y z ltac:(lra) Hz) as Cz.
  pose proof (charge_mono a y ltac:(lra)) as Ca. pose proof (charge_mono b y ltac:(lra)) as Cb.
  pose proof (unit_ge_0 _ _ U) as He. pose proof (pos_INR i). pose proof (pos_INR j).
  split; [lra | split; [exact Cz |]]. rewrite plus_INR.
  assert (INR i * e * charge a <= INR i * e * charge z)
    by (apply Rmult_le_compat_l; [apply Rmult_le_pos |]; lra).
  assert (INR j * e * charge b <= INR j * e * charge z)
    by (apply Rmult_le_compat_l; [apply Rmult_le_pos |]; lra).
  replace (a + b - (sa + sb)) with ((a - sa) + (b - sb)) by ring.
  eapply Rle_trans; [apply Rabs_triang |]. lra.
Qed.

Lemma charge_run : forall t k z, run add w t k z -> all F t -> all (fun x => 0 <= x) t ->
  0 <= z /\ Rabs (z - sum t) <= INR k * e * charge z + INR (2 * leaves t - 1) * w.
Proof.
  intros t k z E; induction E as [x z H | l r i j c a b y z E1 IH1 E2 IH2 Ha Hc H];
    intros Hf Hp; pose proof (flushed_error _ _ _ w_ge_0 H).
  - simpl in *. split; [now apply (flushed_ge_0 w x) | lra].
  - destruct Hf as [Fl Fr]. destruct Hp as [Pl Pr].
    destruct (IH1 Fl Pl) as [Za Ea]. destruct (IH2 Fr Pr) as [Zb Eb].
    pose proof (run_format emin p add (unit_addition _ _ U) _ _ _ _ E1 Fl) as Fa.
    pose proof (run_format emin p add (unit_addition _ _ U) _ _ _ _ E2 Fr) as Fb.
    destruct (charge_last a b y z _ _ i j _ _ Fa Fb Za Zb Ha H Ea Eb) as [Hy [Cz Hs]].
    split; [now apply (flushed_ge_0 w y) |]. rewrite places_node, plus_INR. simpl sum.
    assert (Hd : Rabs (y - (a + b)) <= INR (Nat.b2n c) * (e * charge z)).
    { destruct c; simpl.
      - rewrite Rmult_1_l. eapply Rle_trans; [now apply charge_error |].
        apply Rmult_le_compat_l; [apply (unit_ge_0 _ _ U) | exact Cz].
      - rewrite (Hc eq_refl), Rminus_diag_eq, Rabs_R0 by reflexivity. lra. }
    replace (z - (sum l + sum r))
      with ((z - y) + ((y - (a + b)) + (a + b - (sum l + sum r)))) by ring.
    eapply Rle_trans; [apply Rabs_triang |].
    pose proof (Rabs_triang (y - (a + b)) (a + b - (sum l + sum r))). lra.
Qed.

Lemma charge_max : forall k z, 0 <= z -> INR k * e * charge z <= INR k * e * Rabs z.
Proof.
  intros k z Hz. rewrite (Rabs_pos_eq z) by exact Hz. apply Rmult_le_compat_l.
  - apply Rmult_le_pos; [apply pos_INR | apply (unit_ge_0 _ _ U)].
  - unfold charge. destruct (Rle_dec z w); lra.
Qed.

Lemma run_positive : forall t k z, run add w t k z -> all F t -> all (fun x => 0 <= x) t ->
  Rabs (z - sum t) <= INR k * e * Rabs z + INR (2 * leaves t - 1) * w.
Proof.
  intros t k z E Hf Hp. destruct (charge_run t k z E Hf Hp) as [Pz H].
  pose proof (charge_max k z Pz). lra.
Qed.

Lemma last_positive : forall l r i j a b y z, run add w l i a -> run add w r j b ->
  add (a + b) y -> flushed w y z -> all F l -> all F r -> all (fun x => 0 <= x) (Node l r) ->
  Rabs (a + b - (sum l + sum r)) <= INR (2 * (leaves l + leaves r) - 1) * w
    + INR (i + j) * e * Rabs z.
Proof.
  intros l r i j a b y z El Er Hy Hz Fl Fr [Pl Pr].
  pose proof (run_format emin p add (unit_addition _ _ U) _ _ _ _ El Fl) as Fa.
  pose proof (run_format emin p add (unit_addition _ _ U) _ _ _ _ Er Fr) as Fb.
  destruct (charge_run l i a El Fl Pl) as [Za Ea]. destruct (charge_run r j b Er Fr Pr) as [Zb Eb].
  destruct (charge_last a b y z _ _ i j _ _ Fa Fb Za Zb Hy Hz Ea Eb) as [Py [_ Hs]].
  pose proof (charge_max (i + j) z (flushed_ge_0 w y z Py Hz)).
  assert (Hn : INR (2 * leaves l - 1) + INR (2 * leaves r - 1)
    <= INR (2 * (leaves l + leaves r) - 1)).
  { rewrite <- plus_INR. apply le_INR. rewrite !leaves_adds. lia. }
  apply Rmult_le_compat_r with (r := w) in Hn; [| exact w_ge_0]. lra.
Qed.

End Charge.

Lemma opp_format : forall t, all F t -> all F (opp t).
Proof. intros t. apply opp_all. intros x. apply generic_format_opp. Qed.

Lemma mirror_run : forall add w t k z, run add w t k z -> run (mirror add) w (opp t) k (- z).
Proof.
  intros add w. apply opp_run; [reflexivity |].
  intros x y H. unfold mirror. now rewrite !Ropp_involutive.
Qed.

(** Below the last addition, and with it. *)
Lemma one_sign_last : forall add e w l r i j a b y z, unit_error add e ->
  0 <= w < bpow radix2 (p + emin) -> run add w l i a -> run add w r j b ->
  add (a + b) y -> flushed w y z -> all F l -> all F r -> one_sign (Node l r) ->
  Rabs (a + b - (sum l + sum r)) <= INR (2 * (leaves l + leaves r) - 1) * w
    + INR (i + j) * e * Rabs z.
Proof.
  intros add e w l r i j a b y z U [Hw Hlow] El Er Hy Hz Fl Fr [P | N].
  - now apply (last_positive add e w U Hw Hlow l r i j a b y z).
  - pose proof (mirror_run _ _ _ _ _ El) as El'. pose proof (mirror_run _ _ _ _ _ Er) as Er'.
    rewrite <- (opp_leaves l), <- (opp_leaves r), <- (Rabs_Ropp z), <- Rabs_opp_opp.
    rewrite !Ropp_plus_distr, <- !opp_sum.
    apply (last_positive (mirror add) e w (mirror_unit add e U) Hw Hlow (opp l) (opp r) i j
      (- a) (- b) (- y) (- z)); auto using opp_format.
    + unfold mirror. now rewrite Ropp_plus_distr, !Ropp_involutive.
    + now apply flushed_opp.
    + now apply (opp_negative (Node l r)).
Qed.

Lemma one_sign_run : forall add e w t k z, unit_error add e ->
  0 <= w < bpow radix2 (p + emin) -> run add w t k z -> all F t -> one_sign t ->
  Rabs (z - sum t) <= INR k * e * Rabs z + INR (2 * leaves t - 1) * w.
Proof.
  intros add e w t k z U [Hw Hlow] E Hf [P | N].
  - now apply (run_positive add e w U Hw Hlow).
  - rewrite <- (opp_leaves t), <- (Rabs_Ropp z), <- Rabs_opp_opp, <- opp_sum.
    apply (run_positive (mirror add) e w (mirror_unit add e U) Hw Hlow);
      auto using mirror_run, opp_format, opp_negative.
Qed.

(** * Without flushing: w = 0 *)

Lemma zero_is_low : 0 <= 0 < bpow radix2 (p + emin).
Proof. split; [apply Rle_refl | apply bpow_gt_0]. Qed.

(** |y - S| <= r e |y| *)
Theorem one_sign_counted : forall add e t r y, unit_error add e -> eval add t r y ->
  all F t -> one_sign t -> Rabs (y - sum t) <= INR r * e * Rabs y.
Proof.
  intros add e t r y U E Hf Hs.
  pose proof (one_sign_run add e 0 t r y U zero_is_low E Hf Hs). lra.
Qed.

(** * With the r of the document *)

Lemma one_sign_dropped : forall t t', without_zeros t t' -> one_sign t -> one_sign t'.
Proof. intros t t' [_ [_ [H _]]] [P | N]; [left | right]; now apply H. Qed.

(** E = F + (r - 1) e |z|, before the last result y is flushed to z. *)
Theorem one_sign_flushed : forall add e w q M t k z, unit_error add e ->
  0 <= w < bpow radix2 (p + emin) -> 0 < M -> run add w t k z ->
  all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t -> one_sign t ->
  let n := nonzero t in let W := INR (2 * n - 1) * w in
  let E := W + INR (n + 1 - h_of p q M - 1) * e * Rabs z in
  exists s y, Rabs (s - sum t) <= E /\ add s y /\ flushed w y z.
Proof.
  intros add e w q M t k z U Hw HM R Hf Hm Hb Hs n W E.
  assert (H0 : 0 <= e * Rabs z).
  { apply Rmult_le_pos; [apply (unit_ge_0 _ _ U) | apply Rabs_pos]. }
  assert (HW : 0 <= W) by (apply Rmult_le_pos; [apply pos_INR | apply Hw]).
  destruct (format_last emin p add (unit_addition _ _ U) w q M t k z HM R Hf Hm Hb)
    as [s [y [Hy [Hz H]]]].
  exists s, y. split; [| now split]. unfold E. rewrite Rmult_assoc.
  destruct H as [-> | [l [r [i [j [a [b [-> [El [Er [Hk HWZ]]]]]]]]]]].
  - rewrite Rminus_diag_eq, Rabs_R0 by reflexivity.
    pose proof (Rmult_le_pos _ _ (pos_INR (n + 1 - h_of p q M - 1)) H0). lra.
  - pose proof (one_sign_dropped _ _ HWZ Hs) as Hn. destruct HWZ as [HL [HT [HP _]]].
    destruct (HP F Hf) as [Fl Fr].
    pose proof (one_sign_last add e w l r i j a b y z U Hw El Er Hy Hz Fl Fr Hn) as H.
    pose proof (HT _ eq_refl : sum l + sum r = sum t) as HS. cbn [count] in HL.
    rewrite HS, HL, Rmult_assoc in H. apply le_INR in Hk.
    apply Rmult_le_compat_r with (r := e * Rabs z) in Hk; [| exact H0].
    fold n W in H, Hk. lra.
Qed.

(** Without flushing, any other bound g(r, A) may be the smaller one. *)
Lemma one_sign_min : forall add e g q M t k y B, unit_error add e -> bound emin p add g ->
  0 < M -> eval add t k y ->
  all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t -> one_sign t -> Rabs y <= B ->
  let K := (nonzero t + 1 - h_of p q M - 1)%nat in
  exists s, Rabs (s - sum t) <= Rmin (g K (magn t)) (INR K * e * B) /\ add s y.
Proof.
  intros add e g q M t k y B U G HM E Hf Hm Hb Hs HB K.
  pose proof (unit_ge_0 _ _ U) as He. pose proof (Rabs_pos y).
  destruct (bound_last emin p add (unit_addition _ _ U) g q M t k y G HM E Hf Hm Hb) as [s1 [H1 Y1]].
  destruct (one_sign_flushed add e 0 q M t k y U zero_is_low HM E Hf Hm Hb Hs) as [s2 [y2 [H2 [Y2 Hz]]]].
  apply flushed_at_0 in Hz. subst y2.
  rewrite Rmult_0_r, Rplus_0_l in H2. fold K in H1, H2.
  assert (H3 : Rabs (s2 - sum t) <= INR K * e * B).
  { eapply Rle_trans; [exact H2 |]. apply Rmult_le_compat_l; [| exact HB].
    apply Rmult_le_pos; [apply pos_INR | exact He]. }
  destruct (Rle_or_lt (g K (magn t)) (INR K * e * B)) as [C | C].
  - exists s1. now rewrite Rmin_left.
  - exists s2. rewrite Rmin_right by lra. now split.
Qed.

Lemma factor_min : forall k e x y, 0 <= e -> Rmin (INR k * e * x) (INR k * e * y)
  = INR k * e * Rmin x y.
Proof.
  intros k e x y He. symmetry. apply Rmult_min_distr_l.
  apply Rmult_le_pos; [apply pos_INR | exact He].
Qed.

(** One rounding for all additions, with min(A, B) in place of A, for every B from |y| on: |y| itself,
    or the greatest number that is stored as y is. *)
Lemma one_sign_rounded : forall rnd { V : Valid_rnd rnd } e q M t B,
  unit_error (by_round rnd) e -> bound emin p (by_round rnd) (fun k x => INR k * e * x) ->
  let E := INR (nonzero t + 1 - h_of p q M - 1) * e * Rmin (magn t) B in
  0 < M -> all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t -> one_sign t ->
  Rabs (value rnd t) <= B ->
  round radix2 fexp rnd (sum t - E) <= value rnd t <= round radix2 fexp rnd (sum t + E).
Proof.
  intros rnd V e q M t B U G E HM Hf Hm Hb Hs HB.
  destruct (one_sign_min (by_round rnd) e _ q M t _ (value rnd t) B U G HM
    (value_eval_inexact emin p rnd t) Hf Hm Hb Hs HB) as [s [H ->]].
  rewrite factor_min in H by apply (unit_ge_0 _ _ U). now apply (round_between emin p rnd).
Qed.

Theorem one_sign_verdict1 : forall choice q M t B,
  let rnd := Znearest choice in
  let E := INR (nonzero t + 1 - h_of p q M - 1) * u * Rmin (magn t) B in
  0 < M -> all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t -> one_sign t ->
  Rabs (value rnd t) <= B ->
  round radix2 fexp rnd (sum t - E) <= value rnd t <= round radix2 fexp rnd (sum t + E).
Proof.
  intros choice q M t B. apply (one_sign_rounded (Znearest choice));
    [apply by_nearest_unit | now apply by_nearest_bound].
Qed.

Theorem one_sign_toward_zero : forall q M t B,
  let E := INR (nonzero t + 1 - h_of p q M - 1) * v * Rmin (magn t) B in
  0 < M -> all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t -> one_sign t ->
  Rabs (value Ztrunc t) <= B ->
  round radix2 fexp Ztrunc (sum t - E) <= value Ztrunc t <= round radix2 fexp Ztrunc (sum t + E).
Proof.
  intros q M t B. apply (one_sign_rounded Ztrunc);
    [apply by_round_unit; auto with typeclass_instances | now apply truncated_bound].
Qed.

(** Either neighbour. *)
Theorem one_sign_either : forall q M t k y B, 0 < M -> eval faithful t k y ->
  all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t -> one_sign t -> Rabs y <= B ->
  let K := (nonzero t + 1 - h_of p q M - 1)%nat in
  let E := Rmin (Gn p K (magn t) - magn t) (INR K * v * B) in
  round radix2 fexp Zfloor (sum t - E) <= y <= round radix2 fexp Zceil (sum t + E).
Proof.
  intros q M t k y B HM Ey Hf Hm Hb Hs HB K E.
  destruct (one_sign_min faithful v _ q M t k y B faithful_unit (either_bound emin p) HM Ey Hf Hm Hb
    Hs HB) as [s [H Hy]].
  now apply (either_between emin p s).
Qed.

(** An accumulator that truncates, where the last addition counts as the others do. *)
Theorem one_sign_truncated : forall q M t, 0 < M ->
  all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t -> one_sign t ->
  let y := value Ztrunc t in
  Rabs (y - sum t) <= INR (nonzero t + 1 - h_of p q M) * v * Rmin (magn t) (Rabs y).
Proof.
  intros q M t HM Hf Hm Hb Hs y. pose proof (Rlt_le _ _ (v_gt_0 p)) as Hv.
  assert (U : unit_error (by_round Ztrunc) v) by (apply by_round_unit; auto with typeclass_instances).
  rewrite <- factor_min by exact Hv. apply Rmin_glb; [now apply truncated |].
  destruct (format_rounds emin p _ (unit_addition _ _ U) 0 q M t _ y HM
    (value_eval_inexact emin p Ztrunc t) Hf Hm Hb) as [[-> [_ HT]] | [t' [k [Hk [E W]]]]].
  - rewrite HT, Rminus_0_r, Rabs_R0, Rmult_0_r by reflexivity. lra.
  - pose proof (one_sign_dropped _ _ W Hs) as Hs'. destruct W as [_ [HT [HP _]]].
    pose proof (one_sign_counted _ v t' k y U E (HP _ Hf) Hs') as H. rewrite HT in H by reflexivity.
    eapply Rle_trans; [exact H |]. apply Rmult_le_compat_r; [apply Rabs_pos |].
    apply Rmult_le_compat_r; [exact Hv | now apply le_INR].
Qed.

(** * Flushing, to nearest: the smaller of two bounds *)

Theorem one_sign_flush_interval : forall choice w t k z, 0 <= w < bpow radix2 (p + emin) ->
  all F t -> one_sign t ->
  let rnd := Znearest choice in let n := nonzero t in let W := INR (2 * n - 1) * w in
  let E := W + INR (n - 2) * u * Rmin (magn t + W) (Rabs z) in
  run (by_round rnd) w t k z ->
  exists y, flushed w y z /\ round radix2 fexp rnd (sum t - E) <= y
    <= round radix2 fexp rnd (sum t + E).
Proof.
  intros choice w t k z [Hw Hlow] Hf Hs rnd n W E R.
  assert (V : Valid_rnd rnd) by (unfold rnd; auto with typeclass_instances).
  pose proof (u_ge_0 p) as Hu. pose proof (magn_ge_0 t) as HA.
  destruct (Rle_or_lt (magn t + W) (Rabs z)) as [C | C]; unfold E;
    [rewrite Rmin_left by exact C; now apply (flush_interval emin p choice w t k z) |].
  rewrite Rmin_right by lra.
  assert (Hm : all (multiple emin) t)
    by (apply (all_impl F); [now apply format_multiple | exact Hf]).
  assert (Hb : all (fun x => Rabs x <= magn t + 1) t)
    by (eapply all_impl; [| apply all_le_magn]; simpl; intros; lra).
  destruct (one_sign_flushed (by_round rnd) u w emin (magn t + 1) t k z (by_nearest_unit choice)
    (conj Hw Hlow) ltac:(lra) R Hf Hm Hb Hs) as [s [y [Hd [-> Hz]]]].
  fold n W in Hd.
  eexists. split; [exact Hz |]. apply (round_between emin p rnd). eapply Rle_trans; [exact Hd |].
  apply Rplus_le_compat_l. repeat apply Rmult_le_compat_r; [apply Rabs_pos | exact Hu |].
  apply le_INR. unfold h_of. lia.
Qed.

(** * Saturation: an accumulator that stops at C *)

Variable c : Z.
Hypothesis c_ge : (emin <= c)%Z.
Notation C := (C p c).
Notation clamp := (clamp p c).
Notation saturating := (saturating emin p c).
Notation sat := (eval_of clamp saturating).
Notation in_range := (in_range emin p c).
Notation value_sat := (value_sat emin p c).
Notation RZ := (round radix2 fexp Ztrunc).

Lemma clamp_pos : forall x, 0 <= x -> 0 <= clamp x /\ (clamp x < C -> clamp x = x).
Proof.
  intros x Hx. pose proof (C_gt_0 p c).
  destruct (clamp_cases p c x) as [[_ ->] | [[_ ->] | [H0 _]]]; split; intros; lra.
Qed.

(** Below C no sum was clamped. *)
Lemma sat_below_pos : forall t k y, sat t k y -> all in_range t -> all (fun x => 0 <= x) t ->
  0 <= y /\ (y < C -> eval (by_round Ztrunc) t k y).
Proof.
  intros t k y E; induction E as [x | l r i j counts a b y E1 IH1 E2 IH2 Hy Hc]
    using eval_induction; intros Hf Hp; [split; [exact Hp | constructor; now left] |].
  destruct Hf as [Fl Fr]. destruct Hp as [Pl Pr].
  destruct (IH1 Fl Pl) as [Pa Ea]. destruct (IH2 Fr Pr) as [Pb Eb].
  destruct (sat_in emin p c c_ge _ _ _ E1 Fl) as [Fa _].
  destruct (sat_in emin p c c_ge _ _ _ E2 Fr) as [Fb _].
  assert (P0 : 0 <= RZ (a + b)) by (apply (RZ_sign emin p (a + b)); lra).
  destruct (clamp_pos (RZ (a + b)) P0) as [Cy Ey]. red in Hy. rewrite <- Hy in Cy, Ey.
  split; [exact Cy |]. intros Hlt. specialize (Ey Hlt).
  destruct (sum_grows a b (RZ (a + b)) Fa Fb Pa Pb) as [Ga Gb];
    [apply round_faithful; auto with typeclass_instances |].
  apply run_node with a b y; [apply Ea; lra | apply Eb; lra | exact Ey | | now left].
  intros H. destruct (clamp_pos (a + b) ltac:(lra)) as [_ Es]. rewrite <- (Hc H) in Es. now apply Es.
Qed.

Lemma clamp_opp : forall x, clamp (- x) = - clamp x.
Proof.
  intros x. pose proof (C_gt_0 p c).
  destruct (clamp_cases p c x) as [[H0 ->] | [[H0 ->] | [H0 ->]]];
    destruct (clamp_cases p c (- x)) as [[H1 ->] | [[H1 ->] | [H1 ->]]]; try lra;
    rewrite ?Rabs_Ropp in *; try apply Rabs_le_inv in H0; try apply Rabs_le_inv in H1; lra.
Qed.

Lemma sat_opp : forall t k y, sat t k y -> sat (opp t) k (- y).
Proof.
  apply opp_run; [exact clamp_opp |].
  intros x y ->. unfold Truncated.saturating. now rewrite round_ZR_opp, clamp_opp.
Qed.

Lemma opp_pos_neg : forall t, pos (opp t) = neg t /\ neg (opp t) = pos t.
Proof. intros t. split; apply opp_total; intros x; rewrite ?Ropp_involutive; reflexivity. Qed.

Lemma pos_of_pos : forall t, all (fun x => 0 <= x) t ->
  pos t = sum t /\ neg t = 0 /\ magn t = sum t.
Proof.
  induction t as [x | l IHl r IHr]; simpl; intros H.
  - rewrite Rmax_left, Rmax_right, Rabs_pos_eq by lra. auto.
  - destruct (IHl (proj1 H)) as [? [? ?]]. destruct (IHr (proj2 H)) as [? [? ?]].
    repeat split; lra.
Qed.

Lemma one_sign_sat : forall t k y, sat t k y -> all F t -> all (fun x => Rabs x <= C) t ->
  one_sign t -> let T := INR k * v * Rabs y in
  Rmin (pos t) C - neg t - T <= y <= pos t - Rmin (neg t) C + T.
Proof.
  pose proof (C_gt_0 p c) as C0.
  assert (Pos : forall t k y, sat t k y -> all F t -> all (fun x => Rabs x <= C) t ->
    all (fun x => 0 <= x) t -> let T := INR k * v * Rabs y in
    Rmin (pos t) C - neg t - T <= y <= pos t - Rmin (neg t) C + T).
  { intros t k y E Hf Hb Hp T. destruct (pos_of_pos t Hp) as [-> [-> HA]].
    pose proof (all_in_range emin p c t Hf Hb) as HN.
    destruct (sat_below_pos t k y E HN Hp) as [P0 Hev].
    pose proof (sat_abs emin p c t k y E) as B1. rewrite Rabs_pos_eq in B1 by exact P0.
    destruct (sat_in emin p c c_ge t k y E HN) as [_ B2]. rewrite Rabs_pos_eq in B2 by exact P0.
    assert (HT : 0 <= T).
    { unfold T.
      repeat apply Rmult_le_pos; [apply pos_INR | apply Rlt_le, v_gt_0 | apply Rabs_pos]. }
    rewrite (Rmin_left 0) by lra. split; [| lra].
    destruct (Rlt_or_le y C) as [Hlt | Hge].
    - assert (Hc : Rabs (y - sum t) <= T).
      { apply (one_sign_counted (by_round Ztrunc)); auto; [| now left].
        apply by_round_unit. auto with typeclass_instances. }
      apply Rabs_le_between in Hc. pose proof (Rmin_l (sum t) C). lra.
    - pose proof (Rmin_r (sum t) C). lra. }
  intros t k y E Hf Hb [P | N]; [now apply Pos |]. intros T.
  destruct (opp_pos_neg t) as [HP HN].
  pose proof (Pos (opp t) k (- y) (sat_opp _ _ _ E)) as H. rewrite HP, HN, Rabs_Ropp in H.
  cbv zeta in H. fold T in H.
  destruct H as [H1 H2]; [| | | split; lra].
  - now apply opp_format.
  - apply (opp_all (fun x => Rabs x <= C)); [| exact Hb]. intros x. now rewrite Rabs_Ropp.
  - now apply opp_negative.
Qed.

Theorem one_sign_saturated : forall q M t, 0 < M -> all F t -> all (fun x => Rabs x <= C) t ->
  all (multiple q) t -> all (fun x => Rabs x <= M) t -> one_sign t ->
  let y := value_sat t in
  let T := INR (nonzero t + 1 - h_of p q M) * v * Rmin (magn t) (Rabs y) in
  Rmin (pos t) C - neg t - T <= y <= pos t - Rmin (neg t) C + T.
Proof.
  intros q M t HM Hf HC Hm Hb Hs y T. pose proof (Rlt_le _ _ (v_gt_0 p)) as Hv.
  unfold T; clear T. rewrite <- factor_min by exact Hv.
  pose proof (saturated emin p c c_ge q M t HM Hf HC Hm Hb) as HA. cbv zeta in HA. fold y in HA.
  enough (HB : let T := INR (nonzero t + 1 - h_of p q M) * v * Rabs y in
    Rmin (pos t) C - neg t - T <= y <= pos t - Rmin (neg t) C + T).
  { cbv zeta in HB. set (TA := _ * magn t) in *. set (TB := _ * Rabs y) in *.
    destruct (Rle_or_lt TA TB);
      [rewrite (Rmin_left TA) by lra | rewrite (Rmin_right TA) by lra]; lra. }
  clear HA. cbv zeta. pose proof (C_gt_0 p c).
  pose proof (sat_rounds emin p c c_ge q M t HM Hf HC Hm Hb) as HR. cbv zeta in HR. fold y in HR.
  destruct HR as [[E0 [_ HT]] | [t' [k [Hk [E W]]]]].
  - rewrite E0, !HT by (rewrite ?Ropp_0, ?Rmax_left; lra).
    rewrite Rmin_left, Rabs_R0, Rmult_0_r by lra. lra.
  - pose proof (one_sign_dropped _ _ W Hs) as Hs'. destruct W as [_ [HT [HP _]]].
    pose proof (one_sign_sat t' k y E (HP _ Hf) (HP _ HC) Hs') as H'. cbv zeta in H'.
    rewrite !HT in H' by (rewrite ?Ropp_0, ?Rmax_left; lra).
    assert (INR k * v * Rabs y <= INR (nonzero t + 1 - h_of p q M) * v * Rabs y).
    { repeat apply Rmult_le_compat_r; [apply Rabs_pos | exact Hv | now apply le_INR]. }
    lra.
Qed.

End OneSigned.

(** * IEEE 754 numbers *)

Section Binary.

Variables prec emax : Z.
Context { prec_gt_0_ : Prec_gt_0 prec }.
Context { prec_lt_emax_ : Prec_lt_emax prec emax }.

Notation bvalue := (bvalue prec emax).
Notation real := (real prec emax).

Theorem one_sign_ieee : forall q M t, is_finite (bvalue t) = true ->
  let s := real t in let y := B2R (bvalue t) in
  let E := INR (nonzero s + 1 - h_of prec q M - 1) * u prec * Rmin (magn s) (Rabs y) in
  let rn := round radix2 (FLT_exp (3 - emax - prec) prec) RNE in
  0 < M -> all (multiple q) s -> all (fun x => Rabs x <= M) s -> one_sign s ->
  rn (sum s - E) <= y <= rn (sum s + E).
Proof.
  intros q M t H s y E rn HM Hm Hb Hs. unfold E, y. rewrite bvalue_finite by exact H.
  apply one_sign_verdict1; auto; [apply real_format | apply Rle_refl].
Qed.

End Binary.

(** * Sums that are stored in 16 bits *)

(** As [stored] in Stored.v, where B is at least the magnitude of the sum before it is stored. *)
Theorem one_sign_stored : forall choice q M t B lower y upper,
  let E := INR (nonzero t + 1 - h_of 24 q M - 1) * u 24 * Rmin (magn t) B in
  0 < M -> all (generic_format radix2 (FLT_exp (-149) 24)) t ->
  all (multiple q) t -> all (fun x => Rabs x <= M) t -> one_sign t -> Rabs (sum32 choice t) <= B ->
  value32 lower = RN32 choice (sum t - E) -> value32 y = sum32 choice t ->
  value32 upper = RN32 choice (sum t + E) ->
  forall nearest limit,
    (let s := store 13 112 0x7C00 nearest limit in (s lower <= s y <= s upper)%Z) /\
    (let s := store 16 0 0x7F80 nearest limit in (s lower <= s y <= s upper)%Z).
Proof.
  intros choice q M t B lower y upper E HM Hf Hm Hb Hs HB Hl Hy Hu nearest limit.
  assert (p24 : Prec_gt_0 24) by reflexivity.
  pose proof (one_sign_verdict1 (-149) 24 choice q M t B HM Hf Hm Hb Hs HB) as [HL HU].
  fold E in HL, HU. rewrite <- Hl, <- Hy in HL. rewrite <- Hu, <- Hy in HU.
  split; split; (apply store_binary16 || apply store_bfloat16); assumption.
Qed.
