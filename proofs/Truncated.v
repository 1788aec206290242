(* SPDX-License-Identifier: MIT *)
(** Accumulators that truncate every addition toward zero, and those that saturate as well
    (docs/oracle.md, "The interval" and "Saturated sums").  For binary16 p = 11, 2u = 2^-10, C =
    65504 = (2^11 - 1) 2^5. *)

From Coq Require Import Reals ZArith Psatz Lia Lra.
From Flocq Require Import Core Plus_error Relative.
From Cumsum Require Import AnyOrder EitherNeighbour.
Open Scope R_scope.

Section Truncate.

Variables emin p : Z.
Context { prec_gt_0_ : Prec_gt_0 p }.

Notation fexp := (FLT_exp emin p).
Notation F := (generic_format radix2 fexp).
Notation v := (v p).                           (* 2u *)
Notation RZ := (round radix2 fexp Ztrunc).

Lemma RZ_le : forall x, Rabs (RZ x) <= Rabs x.
Proof.
  intros x. apply (Rnd_ZR_abs F (fun x => RZ x)). intros y.
  apply round_ZR_pt; auto with typeclass_instances.
Qed.

Lemma RZ_sign : forall s, (0 <= s -> 0 <= RZ s) /\ (s <= 0 -> RZ s <= 0).
Proof.
  intros s. split; intros H.
  - apply round_ge_generic; auto using generic_format_0 with typeclass_instances.
  - apply round_le_generic; auto using generic_format_0 with typeclass_instances.
Qed.

Lemma trunc_error : forall a b, F a -> F b -> Rabs (RZ (a + b) - (a + b)) <= v * Rabs (a + b).
Proof.
  intros a b Fa Fb. eapply Rle_trans; [apply add_error; auto with typeclass_instances |].
  apply Rmult_le_compat_l; [apply Rlt_le, v_gt_0 | apply slope_le].
Qed.

(** A partial sum is at most the A of its terms, and the error at most r 2u A. *)
Lemma truncated_counted_any : forall t k y, eval (by_round emin p Ztrunc) t k y -> all F t ->
  Rabs y <= magn t /\ Rabs (y - sum t) <= INR k * v * magn t.
Proof.
  pose proof (by_round_addition emin p Ztrunc) as A. pose proof (v_gt_0 p).
  intros t k y E; induction E as [x | l r i j c a b y E1 IH1 E2 IH2 Hy Hc] using eval_induction;
    simpl sum; simpl magn; intros Hf.
  - rewrite Rminus_diag_eq by reflexivity. rewrite Rabs_R0. simpl. lra.
  - destruct Hf as [Hl Hr]. destruct (IH1 Hl) as [A1 B1]. destruct (IH2 Hr) as [A2 B2].
    pose proof (run_format emin p _ A _ _ _ _ E1 Hl) as Fa.
    pose proof (run_format emin p _ A _ _ _ _ E2 Hr) as Fb.
    pose proof (Rabs_triang a b). pose proof (RZ_le (a + b)). pose proof (trunc_error a b Fa Fb).
    pose proof (magn_ge_0 l). pose proof (magn_ge_0 r).
    pose proof (Rmult_le_pos _ _ (pos_INR i) (magn_ge_0 r)).
    pose proof (Rmult_le_pos _ _ (pos_INR j) (magn_ge_0 l)).
    rewrite <- Hy in *. split; [lra |]. apply join_counted with a b; auto; try lra.
    eapply Rle_trans; [eassumption |]. apply Rmult_le_compat_l; lra.
Qed.

Lemma truncated_bound : bound emin p (by_round emin p Ztrunc) (fun k x => INR k * v * x).
Proof.
  apply linear_bound; [apply Rlt_le, v_gt_0 |]. intros t k y E Hf. now apply truncated_counted_any.
Qed.

Theorem truncated_counted : forall t, all F t ->
  Rabs (value emin p Ztrunc t) <= magn t /\
  Rabs (value emin p Ztrunc t - sum t) <= INR (inexact emin p Ztrunc t) * v * magn t.
Proof. intros t Hf. apply truncated_counted_any; [apply value_eval_inexact | exact Hf]. Qed.

(** With the r of the document. *)
Theorem truncated : forall q M t, 0 < M ->
  all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  Rabs (value emin p Ztrunc t - sum t) <= INR (nonzero t + 1 - h_of p q M) * v * magn t.
Proof.
  intros q M t HM Hf Hm Hb.
  destruct (format_rounds emin p _ (by_round_addition emin p Ztrunc) 0 q M t _ _ HM
    (value_eval_inexact emin p Ztrunc t) Hf Hm Hb)
    as [[-> [_ HT]] | [t' [k [Hk [E [_ [HT [HP _]]]]]]]].
  - rewrite !HT by (reflexivity || apply Rabs_R0). rewrite Rmult_0_r, Rminus_0_r, Rabs_R0. lra.
  - rewrite <- !HT by (reflexivity || apply Rabs_R0).
    destruct (truncated_counted_any t' k _ E (HP _ Hf)) as [_ H]. eapply Rle_trans; [exact H |].
    apply Rmult_le_compat_r; [apply magn_ge_0 |].
    apply Rmult_le_compat_r; [apply Rlt_le, v_gt_0 | now apply le_INR].
Qed.

(** No overflow of an accumulator that truncates, if P and N are below 2^emax: sums of parts, before
    they are truncated, lie between -N and P as well. *)
Theorem truncated_range : forall t, all F t -> - neg t <= value emin p Ztrunc t <= pos t.
Proof.
  induction t as [x | l IHl r IHr]; simpl; intros Hf.
  - pose proof (Rmax_l x 0). pose proof (Rmax_l (- x) 0). lra.
  - specialize (IHl (proj1 Hf)). specialize (IHr (proj2 Hf)).
    pose proof (pos_ge_0 l). pose proof (pos_ge_0 r). pose proof (neg_ge_0 l).
    pose proof (neg_ge_0 r).
    set (s := value emin p Ztrunc l + value emin p Ztrunc r) in *.
    assert (- (neg l + neg r) <= s <= pos l + pos r) by (unfold s; lra).
    pose proof (RZ_le s) as Hs. destruct (RZ_sign s) as [Sp Sn].
    destruct (Rle_or_lt 0 s); [specialize (Sp ltac:(lra)) | specialize (Sn ltac:(lra))];
      revert Hs; unfold Rabs; destruct (Rcase_abs (RZ s)), (Rcase_abs s); lra.
Qed.

(** * Saturation: an addition that would pass C in magnitude returns C with its sign *)

Variable c : Z.
Hypothesis c_ge : (emin <= c)%Z.
Definition C := (bpow radix2 p - 1) * bpow radix2 c.

Lemma C_multiple : multiple c C.
Proof.
  exists (2 ^ p - 1)%Z. unfold C. rewrite minus_IZR. rewrite (IZR_Zpower radix2); [reflexivity |].
  unfold Prec_gt_0 in prec_gt_0_; lia.
Qed.

Lemma C_gt_0 : 0 < C.
Proof.
  unfold C. apply Rmult_lt_0_compat; [| apply bpow_gt_0].
  assert (bpow radix2 0 < bpow radix2 p) by (apply bpow_lt; unfold Prec_gt_0 in prec_gt_0_; lia).
  simpl in H. lra.
Qed.

Lemma C_lt : C < bpow radix2 (p + c).
Proof. unfold C. rewrite bpow_plus. pose proof (bpow_gt_0 radix2 c). lra. Qed.

Lemma C_format : F C.
Proof.
  apply (multiple_format emin p c); [exact c_ge | apply C_multiple |].
  rewrite Rabs_pos_eq by apply Rlt_le, C_gt_0. apply Rlt_le, C_lt.
Qed.

Definition clamp (x : R) := Rmax (- C) (Rmin x C).

Lemma clamp_cases : forall x, (Rabs x <= C /\ clamp x = x) \/ (C < x
  /\ clamp x = C) \/ (x < - C /\ clamp x = - C).
Proof.
  intros x. pose proof C_gt_0. unfold clamp.
  destruct (Rle_or_lt x C); [| right; left; rewrite Rmin_right, Rmax_right by lra; lra].
  rewrite Rmin_left by lra. destruct (Rle_or_lt (- C) x).
  - left. rewrite Rmax_right by lra. split; [apply Rabs_le; lra | reflexivity].
  - right; right. rewrite Rmax_left by lra. lra.
Qed.

Lemma clamp_format : forall x, F x -> F (clamp x).
Proof.
  intros x Fx. destruct (clamp_cases x) as [[_ ->] | [[_ ->] | [_ ->]]];
    [exact Fx | apply C_format | apply generic_format_opp, C_format].
Qed.

Lemma clamp_abs : forall x, Rabs (clamp x) <= Rabs x /\ Rabs (clamp x) <= C.
Proof.
  intros x. pose proof C_gt_0. destruct (clamp_cases x) as [[H0 ->] | [[H0 ->] | [H0 ->]]].
  - split; [apply Rle_refl | exact H0].
  - rewrite !Rabs_pos_eq by lra. lra.
  - rewrite Rabs_Ropp, (Rabs_pos_eq C) by lra. rewrite Rabs_left by lra. lra.
Qed.

(** [sat t k y]: saturating evaluation, of which k additions count as truncating.  An addition need
    not be counted if truncation does not change its result. *)
Definition saturating (x y : R) := y = clamp (RZ x).
Notation sat := (eval_of clamp saturating).

Definition in_range (x : R) := F x /\ Rabs x <= C.

Lemma saturating_range : forall x y, saturating x y -> in_range y.
Proof.
  intros x y ->. split; [| apply clamp_abs].
  apply clamp_format, generic_format_round; auto with typeclass_instances.
Qed.

Lemma clamp_inside : forall x, Rabs x <= C -> clamp x = x.
Proof.
  intros x Hx. apply Rabs_le_inv in Hx. unfold clamp. now rewrite Rmin_left, Rmax_right by lra.
Qed.

Lemma saturating_exact : forall x y, saturating x y -> in_range x -> y = x.
Proof.
  intros x y -> [Fx Hx]. rewrite round_generic by auto with typeclass_instances.
  now apply clamp_inside.
Qed.

Lemma in_range_0 : in_range 0.
Proof. split; [apply generic_format_0 |]. rewrite Rabs_R0. apply Rlt_le, C_gt_0. Qed.

Lemma sat_in : forall t k y, sat t k y -> all in_range t -> in_range y.
Proof. apply run_number; [exact in_range_0 | exact saturating_range]. Qed.

Lemma all_in_range : forall t, all F t -> all (fun x => Rabs x <= C) t -> all in_range t.
Proof. induction t; simpl; [now split | tauto]. Qed.

Lemma sat_abs : forall t k y, sat t k y -> Rabs y <= magn t.
Proof.
  intros t k y E; induction E as [x | l r i j counts a b y E1 IH1 E2 IH2 -> _]
    using eval_induction; simpl; [apply Rle_refl |].
  pose proof (Rabs_triang a b). destruct (clamp_abs (RZ (a + b))). pose proof (RZ_le (a + b)). lra.
Qed.

Lemma min_plus : forall x y, 0 <= x -> 0 <= y -> Rmin (x + y) C <= Rmin x C + Rmin y C.
Proof.
  intros x y Hx Hy. pose proof C_gt_0.
  destruct (Rle_or_lt x C); [rewrite (Rmin_left x) by lra | rewrite (Rmin_right x) by lra].
  - destruct (Rle_or_lt y C); [rewrite (Rmin_left y) by lra | rewrite (Rmin_right y) by lra].
    + apply Rmin_l.
    + eapply Rle_trans; [apply Rmin_r | lra].
  - assert (0 <= Rmin y C) by (apply Rmin_glb; lra). eapply Rle_trans; [apply Rmin_r | lra].
Qed.

(** min(P, C) - N - T <= y <= P - min(N, C) + T,  T = k 2u A *)
Theorem saturated_counted : forall t k y, sat t k y -> all F t -> all (fun x => Rabs x <= C) t ->
  let T := INR k * v * magn t in
  Rmin (pos t) C - neg t - T <= y <= pos t - Rmin (neg t) C + T.
Proof.
  pose proof C_gt_0.
  intros t k y E; induction E as [x | l r i j counts a b y E1 IH1 E2 IH2 Hy Hc]
    using eval_induction; cbv zeta in *; simpl pos; simpl neg; simpl magn; intros Hf Hb.
  - simpl in *. rewrite !Rmult_0_l, Rminus_0_r, Rplus_0_r. apply Rabs_le_inv in Hb.
    destruct (Rle_or_lt x 0).
    + rewrite (Rmax_right x), (Rmax_left (- x)), (Rmin_left 0), Rmin_left by lra. lra.
    + rewrite (Rmax_left x), (Rmax_right (- x)), (Rmin_left 0), Rmin_left by lra. lra.
  - destruct Hf as [Hl Hr]. destruct Hb as [Bl Br]. specialize (IH1 Hl Bl). specialize (IH2 Hr Br).
    pose proof (min_plus (pos l) (pos r) (pos_ge_0 l) (pos_ge_0 r)).
    pose proof (min_plus (neg l) (neg r) (neg_ge_0 l) (neg_ge_0 r)).
    pose proof (Rmin_r (pos l + pos r) C). pose proof (Rmin_r (neg l + neg r) C).
    pose proof (pos_ge_0 l). pose proof (pos_ge_0 r). pose proof (neg_ge_0 l).
    pose proof (neg_ge_0 r).
    pose proof (magn_ge_0 l). pose proof (magn_ge_0 r). pose proof (v_gt_0 p).
    pose proof (pos_INR i). pose proof (pos_INR j). rewrite !plus_INR.
    assert (0 <= INR j * v * magn l) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= INR i * v * magn r) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= INR i * v * magn l) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= INR j * v * magn r) by (repeat apply Rmult_le_pos; lra).
    (* d is what is truncated *)
    assert (Hd : exists d, y = clamp (a + b + d) /\
      Rabs d <= INR (Nat.b2n counts) * v * (magn l + magn r)).
    { destruct counts; simpl.
      - exists (RZ (a + b) - (a + b)). split; [rewrite Hy; f_equal; ring |].
        destruct (sat_in _ _ _ E1 (all_in_range _ Hl Bl)) as [Fa _].
        destruct (sat_in _ _ _ E2 (all_in_range _ Hr Br)) as [Fb _].
        eapply Rle_trans; [now apply trunc_error |]. rewrite Rmult_1_l.
        pose proof (sat_abs _ _ _ E1). pose proof (sat_abs _ _ _ E2). pose proof (Rabs_triang a b).
        apply Rmult_le_compat_l; lra.
      - exists 0. rewrite Rplus_0_r, Rabs_R0. split; [now apply Hc | lra]. }
    destruct Hd as [d [-> Hd]]. apply Rabs_le_inv in Hd.
    destruct (clamp_cases (a + b + d)) as [[_ ->] | [[? ->] | [? ->]]]; lra.
Qed.

(** The value of a tree of saturating additions, and the r of the document for it.  A clamped sum is
    C, and so a multiple of 2^c only, and not a sum of terms.  But all multiples of 2^c up to C are
    in the format, and where q < c no sum up to 2^p 2^q passes C. *)
Fixpoint value_sat (t : tree) : R :=
  match t with Leaf x => x | Node l r => clamp (RZ (value_sat l + value_sat r)) end.

Lemma value_sat_eval : forall t, exists k, sat t k (value_sat t).
Proof.
  induction t as [x | l [i IHl] r [j IHr]].
  - exists 0%nat. constructor. now left.
  - eexists. now apply (run_node _ _ _ l r i j true _ _ _ _ IHl IHr eq_refl ltac:(discriminate)
      ltac:(now left)).
Qed.

(** Where all terms are multiples of 2^c, no truncation ever changes a result. *)
Lemma sat_coarse : forall t k y, sat t k y -> all (multiple c) t -> sat t 0 y /\ multiple c y.
Proof.
  pose proof C_gt_0. pose proof C_format as FC. pose proof C_lt.
  intros t k y E; induction E as [x | l r i j counts a b y E1 IH1 E2 IH2 Hy _]
    using eval_induction; simpl; intros Hm; [split; [constructor; now left | exact Hm] |].
  destruct (IH1 (proj1 Hm)) as [El Ml]. destruct (IH2 (proj2 Hm)) as [Er Mr].
  assert (Ms : multiple c (a + b)) by (apply multiple_plus; assumption).
  assert (Hs : y = clamp (a + b)).
  { rewrite Hy. destruct (Rle_or_lt (Rabs (a + b)) C) as [H1 | H1].
    - f_equal. apply round_generic; [auto with typeclass_instances |].
      apply (multiple_format emin p c); auto. lra.
    - destruct (clamp_cases (a + b)) as [[H2 _] | [[H2 ->] | [H2 ->]]]; [lra | |].
      + assert (C <= RZ (a + b)) by (apply round_ge_generic; auto with typeclass_instances; lra).
        destruct (clamp_cases (RZ (a + b))) as [[K2 ->] | [[K2 ->] | [K2 _]]];
          [| reflexivity | lra]. apply Rabs_le_inv in K2. lra.
      + assert (RZ (a + b) <= - C) by (apply round_le_generic; auto with typeclass_instances;
          [now apply generic_format_opp | lra]).
        destruct (clamp_cases (RZ (a + b))) as [[K2 ->] | [[K2 _] | [K2 ->]]];
          [| lra | reflexivity]. apply Rabs_le_inv in K2. lra. }
  split; [now apply (run_node _ _ _ l r 0 0 false a b y); auto; left |].
  rewrite Hs. destruct (clamp_cases (a + b)) as [[_ ->] | [[_ ->] | [_ ->]]];
    [exact Ms | apply C_multiple |].
  destruct C_multiple as [k Hk]. exists (- k)%Z. rewrite Hk, opp_IZR. ring.
Qed.

(** Where q < c, small sums are exact and not clamped. *)
Lemma saturating_small : forall q s y, (q < c)%Z -> multiple (Z.max q emin) s ->
  Rabs s <= bpow radix2 (p + q) -> saturating s y -> y = s /\ clamp s = s.
Proof.
  intros q s y Hq Ms Hs Hy.
  assert (HC : bpow radix2 (p + q) <= C).
  { unfold C. apply Rle_trans with (bpow radix2 (p - 1) * bpow radix2 c).
    - rewrite <- bpow_plus. apply bpow_le. lia.
    - apply Rmult_le_compat_r; [apply bpow_ge_0 |].
      replace p with (p - 1 + 1)%Z at 2 by ring. rewrite bpow_S.
      assert (bpow radix2 0 <= bpow radix2 (p - 1)) by (apply bpow_le;
        unfold Prec_gt_0 in prec_gt_0_; lia).
      simpl in *. lra. }
  split; [| apply clamp_inside; lra].
  apply saturating_exact; [exact Hy | split; [now apply (small_format emin p q) | lra]].
Qed.

Lemma sat_rounds : forall q M t, 0 < M ->
  all F t -> all (fun x => Rabs x <= C) t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  let y := value_sat t in
  (y = 0 /\ nonzero t = 0%nat /\ forall f, f 0 = 0 -> total f t = 0) \/
  exists t' k, (k <= nonzero t + 1 - h_of p q M)%nat /\ sat t' k y /\ without_zeros t t'.
Proof.
  intros q M t HM Hf HC Hm Hb y. destruct (value_sat_eval t) as [k E]. fold y in E.
  destruct (drop_zeros clamp saturating 0 in_range in_range_0 saturating_range saturating_exact t k y
    E (all_in_range t Hf HC)) as [H | [t' [k' [_ [E' W]]]]]; [now left | right].
  pose proof W as [HL [_ [HP _]]]. destruct (Z_lt_le_dec q c) as [Hq | Hq].
  - destruct (run_count p q clamp saturating 0 (multiple (Z.max q emin)) (multiple_0 _)
      (multiple_plus _) (fun s z => saturating_small q s z Hq) M t' k' y HM E') as [i [Hi Ei]];
      try apply (all_multiple emin p); auto.
    exists t', i. split; [| split; [exact Ei | exact W]]. rewrite <- HL.
    eapply Nat.le_trans; [exact Hi |]. apply additions_above_h_terms, h_of_ge_2.
  - exists t', 0%nat. split; [lia | split; [| exact W]]. apply (sat_coarse t' k' y E').
    apply HP, (all_impl (multiple q)); [| exact Hm]. intros x. now apply multiple_le.
Qed.

Theorem saturated : forall q M t, 0 < M ->
  all F t -> all (fun x => Rabs x <= C) t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  let T := INR (nonzero t + 1 - h_of p q M) * v * magn t in
  Rmin (pos t) C - neg t - T <= value_sat t <= pos t - Rmin (neg t) C + T.
Proof.
  intros q M t HM Hf HC Hm Hb T.
  destruct (sat_rounds q M t HM Hf HC Hm Hb) as [[-> [_ HT]] | [t' [k [Hk [E [_ [HT [HP _]]]]]]]].
  - pose proof C_gt_0. unfold T. rewrite !HT by (rewrite ?Ropp_0, ?Rabs_R0, ?Rmax_left; lra).
    rewrite Rmin_left by lra. lra.
  - pose proof (saturated_counted t' k _ E (HP _ Hf) (HP _ HC)) as H. cbv zeta in H.
    rewrite !HT in H by (rewrite ?Ropp_0, ?Rabs_R0, ?Rmax_left; lra).
    assert (INR k * v * magn t <= T).
    { unfold T. apply Rmult_le_compat_r; [apply magn_ge_0 |].
      apply Rmult_le_compat_r; [apply Rlt_le, v_gt_0 | now apply le_INR]. }
    lra.
Qed.

End Truncate.
