(* SPDX-License-Identifier: MIT *)
(** Additions that may return either neighbour (docs/oracle.md, "The interval").  Every addition
    returns the exact sum if it is a number of the format, and one of the two numbers next to it if
    not, chosen anew at every addition.  WGSL and Vulkan call this correctly rounded.

    The bound is G^r(A) - A  ([either_growth])  with  G(x) = x + 2u * 2^floor(log2 x),  the growth
    of the worst chain. *)

From Coq Require Import Reals ZArith Psatz Lia Lra.
From Flocq Require Import Core Plus_error Relative.
From Cumsum Require Import AnyOrder.
Open Scope R_scope.

Section Faithful.

Variables emin p : Z.
Context { prec_gt_0_ : Prec_gt_0 p }.

Notation fexp := (FLT_exp emin p).
Notation F := (generic_format radix2 fexp).
Notation v := (v p).

Lemma bpow_S : forall e, bpow radix2 (e + 1) = 2 * bpow radix2 e.
Proof. intros e. exact (bpow_plus_1 radix2 e). Qed.

Lemma slope_abs : forall x, slope (Rabs x) = slope x.
Proof.
  intros x. unfold slope. rewrite mag_abs.
  destruct (Req_EM_T x 0) as [-> | Hx].
  - rewrite Rabs_R0. destruct (Req_EM_T 0 0); lra.
  - destruct (Req_EM_T (Rabs x) 0) as [H |]; [| reflexivity].
    exfalso. now apply (Rabs_no_R0 x).
Qed.

Lemma slope_mono : forall x y, 0 <= x <= y -> slope x <= slope y.
Proof.
  intros x y [Hx Hy]. unfold slope.
  destruct (Req_EM_T x 0) as [-> | Hx0].
  - destruct (Req_EM_T y 0); [lra | apply bpow_ge_0].
  - destruct (Req_EM_T y 0); [lra |].
    apply bpow_le. assert (mag radix2 x <= mag radix2 y)%Z by (apply mag_le; lra). lia.
Qed.

(** The error of one addition of numbers of the format, in any rounding: subnormal sums are exact,
    others lose less than an ulp. *)
Lemma add_error : forall rnd { H : Valid_rnd rnd } a b, F a -> F b ->
  Rabs (round radix2 fexp rnd (a + b) - (a + b)) <= v * slope (a + b).
Proof.
  intros rnd H a b Fa Fb. destruct (plus_ulp emin p a b Fa Fb) as [Fs | [<- _]].
  - rewrite round_generic, Rminus_diag_eq, Rabs_R0 by auto.
    apply Rmult_le_pos; [apply Rlt_le, v_gt_0 | apply slope_ge_0].
  - apply error_le_ulp; auto with typeclass_instances.
Qed.

Definition faithful (x y : R) := y = round radix2 fexp Zfloor x \/ y = round radix2 fexp Zceil x.

Lemma faithful_addition : addition emin p faithful.
Proof.
  split; [intros x y [-> | ->] | intros x y [-> | ->] Fx | intros x Fx; left; symmetry];
    auto using generic_format_round, round_generic with typeclass_instances.
Qed.

(** Every rounding is faithful, so what follows holds for directed roundings as well. *)
Lemma round_faithful : forall rnd { H : Valid_rnd rnd } x, faithful x (round radix2 fexp rnd x).
Proof. intros rnd H x. apply round_DN_or_UP; auto with typeclass_instances. Qed.

Lemma faithful_error : forall a b y, F a -> F b -> faithful (a + b) y ->
  Rabs (y - (a + b)) <= v * slope (a + b).
Proof. intros a b y Fa Fb [-> | ->]; apply add_error; auto with typeclass_instances. Qed.

(** * The growth of the worst chain *)

Definition G (x : R) := x + v * slope x.
Definition Gn (r : nat) (x : R) := Nat.iter r G x.

Lemma G_ge : forall x, x <= G x.
Proof.
  intros x. unfold G. pose proof (slope_ge_0 x). pose proof (v_gt_0 p).
  assert (0 <= v * slope x) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma G_mono : forall x y, 0 <= x <= y -> G x <= G y.
Proof.
  intros x y H. unfold G. pose proof (slope_mono x y H). pose proof (v_gt_0 p).
  assert (v * slope x <= v * slope y) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma G_plus : forall x y, 0 <= x -> 0 <= y -> G x + y <= G (x + y).
Proof.
  intros x y Hx Hy. unfold G. assert (slope x <= slope (x + y)) by (apply slope_mono; lra).
  pose proof (v_gt_0 p). assert (v * slope x <= v * slope (x + y)) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

Lemma Gn_ge : forall r x, x <= Gn r x.
Proof.
  induction r as [| r IH]; intros x; simpl; [lra |].
  eapply Rle_trans; [apply IH | apply G_ge].
Qed.

Lemma Gn_mono : forall r x y, 0 <= x <= y -> Gn r x <= Gn r y.
Proof.
  induction r as [| r IH]; intros x y H; simpl; [lra |].
  apply G_mono. split; [| now apply IH]. pose proof (Gn_ge r x). unfold Gn in *. lra.
Qed.

Lemma Gn_plus : forall r x y, 0 <= x -> 0 <= y -> Gn r x + y <= Gn r (x + y).
Proof.
  induction r as [| r IH]; intros x y Hx Hy; simpl; [lra |].
  pose proof (Gn_ge r x) as H. unfold Gn in *.
  eapply Rle_trans; [apply G_plus; lra |].
  apply G_mono. split; [lra | now apply IH].
Qed.

Lemma Gn_add : forall r s x, Gn (r + s) x = Gn r (Gn s x).
Proof. intros r s x. unfold Gn. induction r as [| r IH]; simpl; [reflexivity | now rewrite IH]. Qed.

Lemma Gn_le : forall r s x, (r <= s)%nat -> 0 <= x -> Gn r x <= Gn s x.
Proof.
  intros r s x H Hx. replace s with ((s - r) + r)%nat by lia. rewrite Gn_add. apply Gn_ge.
Qed.

Lemma Gn_join : forall k1 k2 x y, 0 <= x -> 0 <= y -> Gn k1 x + Gn k2 y <= Gn (k1 + k2) (x + y).
Proof.
  intros k1 k2 x y Hx Hy. pose proof (Gn_ge k2 y). pose proof (Gn_ge k1 x).
  apply Rle_trans with (Gn k1 (x + Gn k2 y)); [apply Gn_plus; lra |].
  rewrite Gn_add. apply Gn_mono. split; [lra |].
  rewrite (Rplus_comm x), (Rplus_comm x). now apply Gn_plus.
Qed.

(** The bound for every number of additions. *)
Theorem either_growth : forall t r y, eval faithful t r y -> all F t ->
  Rabs (y - sum t) <= Gn r (magn t) - magn t.
Proof.
  intros t r y E Hf.
  enough (Rabs (y - sum t) + magn t <= Gn r (magn t)) by lra.
  revert Hf; induction E as [x | l r i j c a b y E1 IH1 E2 IH2 Hy Hc] using eval_induction;
    simpl sum; simpl magn; intros Hf.
  - rewrite Rminus_diag_eq by reflexivity. rewrite Rabs_R0. simpl. lra.
  - destruct Hf as [Hl Hr]. specialize (IH1 Hl). specialize (IH2 Hr).
    pose proof (Gn_join i j _ _ (magn_ge_0 l) (magn_ge_0 r)) as HJ.
    pose proof (Rabs_triang (a - sum l) (b - sum r)).
    replace (y - (sum l + sum r)) with ((y - (a + b)) + ((a - sum l) + (b - sum r))) by ring.
    pose proof (Rabs_triang (y - (a + b)) ((a - sum l) + (b - sum r))).
    destruct c; simpl; fold (Gn (i + j) (magn l + magn r)).
    + pose proof (run_format emin p faithful faithful_addition _ _ _ _ E1 Hl) as Fa.
      pose proof (run_format emin p faithful faithful_addition _ _ _ _ E2 Hr) as Fb.
      pose proof (abs_from_error a (sum l) _ _ (Rle_refl _) (sum_le_magn l)).
      pose proof (abs_from_error b (sum r) _ _ (Rle_refl _) (sum_le_magn r)).
      set (B := Gn i (magn l) + Gn j (magn r)) in *.
      assert (HB : Rabs (a + b) <= B) by (pose proof (Rabs_triang a b); unfold B; lra).
      assert (Hd : Rabs (y - (a + b)) <= v * slope B).
      { eapply Rle_trans; [now apply faithful_error |].
        apply Rmult_le_compat_l; [apply Rlt_le, v_gt_0 |].
        rewrite <- slope_abs. apply slope_mono. split; [apply Rabs_pos | exact HB]. }
      apply Rle_trans with (G B).
      * unfold G. unfold B at 1. lra.
      * apply G_mono. split; [| exact HJ]. pose proof (Rabs_pos (a + b)). lra.
    + rewrite (Hc eq_refl), (Rminus_diag_eq (a + b)), Rabs_R0 in * by reflexivity. lra.
Qed.

Lemma either_bound : bound emin p faithful (fun k x => Gn k x - x).
Proof.
  split; [exact either_growth | |].
  - intros i j k x y Hk Hx Hy. pose proof (Gn_join i j x y Hx Hy).
    pose proof (Gn_le (i + j) k (x + y) Hk ltac:(lra)). lra.
  - intros k x Hx. pose proof (Gn_ge k x). lra.
Qed.

Lemma either_between : forall s y S E, faithful s y -> Rabs (s - S) <= E ->
  round radix2 fexp Zfloor (S - E) <= y <= round radix2 fexp Zceil (S + E).
Proof.
  intros s y S E H Hs.
  pose proof (round_between emin p Zfloor s S E Hs). pose proof (round_between emin p Zceil s S E Hs).
  assert (Hd := round_DN_pt radix2 fexp s). assert (Hu := round_UP_pt radix2 fexp s).
  destruct Hd as (_ & Hd & _). destruct Hu as (_ & Hu & _). destruct H as [-> | ->]; lra.
Qed.

(** The interval: k additions that may round below the last one. *)
Theorem either_interval : forall l r k1 k2 a b y,
  let t := Node l r in let E := Gn (k1 + k2) (magn t) - magn t in
  all F t -> eval faithful l k1 a -> eval faithful r k2 b -> faithful (a + b) y ->
  round radix2 fexp Zfloor (sum t - E) <= y <= round radix2 fexp Zceil (sum t + E).
Proof.
  intros l r k1 k2 a b y t E [Fl Fr] El Er H. apply either_between with (a + b); [exact H |].
  pose proof (either_growth l k1 a El Fl). pose proof (either_growth r k2 b Er Fr).
  pose proof (Gn_join k1 k2 _ _ (magn_ge_0 l) (magn_ge_0 r)). unfold E, t. simpl.
  replace (a + b - (sum l + sum r)) with ((a - sum l) + (b - sum r)) by ring.
  eapply Rle_trans; [apply Rabs_triang |]. lra.
Qed.

(** * G^r in closed form

    Within a binade G adds the same number in each step.
    Once the binade of A is left, at a distance
    d above its end, each later binade takes 2^(p-1) steps, and begins at the same distance. *)

Lemma slope_in : forall x e, bpow radix2 e <= x < bpow radix2 (e + 1) -> slope x = bpow radix2 e.
Proof.
  intros x e H. unfold slope. pose proof (bpow_gt_0 radix2 e).
  destruct (Req_EM_T x 0); [lra |]. f_equal.
  rewrite (mag_unique_pos radix2 x (e + 1)); [ring |]. now replace (e + 1 - 1)%Z with e by ring.
Qed.

Lemma growth_in_binade : forall e A r, let E := bpow radix2 e in
  E <= A -> (forall j, (j < r)%nat -> A + INR j * v * E < 2 * E) -> Gn r A = A + INR r * v * E.
Proof.
  intros e A r E HA. pose proof (v_gt_0 p) as Hv. assert (HE : 0 < E) by apply bpow_gt_0.
  induction r as [| r IH]; intros H; [simpl; ring |].
  assert (IHr := IH (fun j Hj => H j (Nat.lt_lt_succ_r _ _ Hj))).
  simpl Gn. change (Nat.iter r G A) with (Gn r A). rewrite IHr. unfold G.
  rewrite (slope_in _ e); [rewrite S_INR; unfold E; ring |]. rewrite bpow_S. fold E.
  specialize (H r (Nat.lt_succ_diag_r r)). pose proof (pos_INR r).
  assert (0 <= INR r * v * E) by (repeat apply Rmult_le_pos; lra). lra.
Qed.

Definition half_steps := Z.to_nat (2 ^ (p - 1)).

Lemma half_steps_v : INR half_steps * v = 1.
Proof.
  unfold half_steps, AnyOrder.v. unfold Prec_gt_0 in prec_gt_0_.
  rewrite INR_IZR_INZ, Z2Nat.id by (apply Z.pow_nonneg; lia).
  rewrite (IZR_Zpower radix2) by lia. rewrite <- bpow_plus.
  now replace (p - 1 + (1 - p))%Z with 0%Z by ring.
Qed.

Lemma growth_step : forall e d j, let E := bpow radix2 e in 0 <= d < v * E ->
  (j <= half_steps)%nat ->
  Gn j (E + d) = E + d + INR j * v * E.
Proof.
  intros e d j E Hd Hj. apply growth_in_binade; fold E; [lra |].
  intros i Hi. assert (HE : 0 < E) by apply bpow_gt_0. pose proof (v_gt_0 p). pose proof half_steps_v.
  assert (INR i + 1 <= INR half_steps) by (rewrite <- S_INR; apply le_INR; lia).
  assert ((INR i + 1) * v <= 1) by nra.
  assert ((INR i + 1) * v * E <= 1 * E) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(** k steps leave the binade of A = 2^e ... 2^(e+1), by d; then m binades and j steps follow. *)
Theorem either_growth_closed : forall e A k m j, let E := bpow radix2 e in
  E <= A -> (forall i, (i < k)%nat -> A + INR i * v * E < 2 * E) ->
  let d := A + INR k * v * E - 2 * E in 0 <= d < v * (2 * E) -> (j <= half_steps)%nat ->
  let E' := bpow radix2 (e + 1 + Z.of_nat m) in
  Gn (k + (m * half_steps + j)) A = E' + d + INR j * v * E'.
Proof.
  intros e A k m j E HA Hk d Hd Hj E'. unfold E'; clear E'.
  assert (HE : 0 < E) by apply bpow_gt_0. pose proof (v_gt_0 p) as Hv.
  assert (HE1 : bpow radix2 (e + 1) = 2 * E) by apply bpow_S.
  assert (S0 : Gn k A = 2 * E + d) by (rewrite (growth_in_binade e); auto; fold E; unfold d; ring).
  assert (Sm : forall m, Gn (m * half_steps + k) A = bpow radix2 (e + 1 + Z.of_nat m) + d
     /\ d < v * bpow radix2 (e + 1 + Z.of_nat m)).
  { clear m j Hj. induction m as [| m [IH Im]].
    - rewrite Z.add_0_r, HE1. simpl. split; [exact S0 | lra].
    - replace (S m * half_steps + k)%nat with (half_steps + (m * half_steps + k))%nat by ring.
      rewrite Gn_add, IH, growth_step; [| lra | lia].
      replace (e + 1 + Z.of_nat (S m))%Z with (e + 1 + Z.of_nat m + 1)%Z by lia. rewrite bpow_S.
      rewrite half_steps_v. set (X := bpow radix2 (e + 1 + Z.of_nat m)) in *.
      assert (0 < X) by apply bpow_gt_0. split; [ring |]. nra. }
  destruct (Sm m) as [Hm Im].
  replace (k + (m * half_steps + j))%nat with (j + (m * half_steps + k))%nat by ring.
  rewrite Gn_add, Hm. apply growth_step; [lra | exact Hj].
Qed.

End Faithful.
