(* SPDX-License-Identifier: MIT *)
(** Sums in any order of additions: verdict 1 for FLOAT32 and FLOAT64 (docs/oracle.md, "The
    interval" and "Additions that are exact").

    The format has radix 2, p significant bits, subnormals down to 2^emin, and no greatest exponent
    (Flocq's [FLT_exp emin p]).  u = 2^-p.  Ieee.v adds overflow, infinities and NaN.

    A tree of additions has the terms as leaves, which are real numbers.
    What an addition may return
    is a relation: [add x y] says that y is an admissible result for the exact sum x.  So every
    addition of a tree may break ties, or choose a neighbour, in its own way.

    The document's names:  S = [sum t]   A = [magn t]   n = [leaves t]   n - 1 = [adds t]
                           r = the number in [eval], and [r_of] *)

From Coq Require Import Reals ZArith Psatz Lia Lra.
From Flocq Require Import Core Plus_error Relative.
Open Scope R_scope.

(** * Trees *)

Inductive tree := Leaf (x : R) | Node (l r : tree).

Fixpoint sum (t : tree) : R :=
  match t with Leaf x => x | Node l r => sum l + sum r end.
Fixpoint magn (t : tree) : R :=
  match t with Leaf x => Rabs x | Node l r => magn l + magn r end.
Fixpoint leaves (t : tree) : nat :=
  match t with Leaf _ => 1 | Node l r => leaves l + leaves r end.
Fixpoint adds (t : tree) : nat :=
  match t with Leaf _ => 0 | Node l r => S (adds l + adds r) end.
Fixpoint all (P : R -> Prop) (t : tree) : Prop :=
  match t with Leaf x => P x | Node l r => all P l /\ all P r end.

Lemma leaves_adds : forall t, leaves t = S (adds t).
Proof. induction t; simpl; lia. Qed.

Lemma magn_ge_0 : forall t, 0 <= magn t.
Proof. induction t; simpl; [apply Rabs_pos | lra]. Qed.

Lemma sum_le_magn : forall t, Rabs (sum t) <= magn t.
Proof.
  induction t; simpl; [lra |].
  eapply Rle_trans; [apply Rabs_triang | lra].
Qed.

(** Evaluation.  [eval add t r y]: the tree t may have the value y, if r of its additions count as
    additions that round.  An addition need not be counted if its result is the exact sum. *)
Inductive eval (add : R -> R -> Prop) : tree -> nat -> R -> Prop :=
| eval_leaf : forall x, eval add (Leaf x) 0 x
| eval_exact : forall l r i j a b,
    eval add l i a -> eval add r j b -> add (a + b) (a + b) ->
    eval add (Node l r) (i + j) (a + b)
| eval_round : forall l r i j a b y,
    eval add l i a -> eval add r j b -> add (a + b) y ->
    eval add (Node l r) (S (i + j)) y.

Lemma eval_mono : forall (add add' : R -> R -> Prop), (forall x y, add x y -> add' x y) ->
  forall t k y, eval add t k y -> eval add' t k y.
Proof.
  intros add add' H t k y E; induction E.
  - constructor.
  - apply eval_exact; auto.
  - apply eval_round with a b; auto.
Qed.

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

Section Format.

Variables emin p : Z.
Context { prec_gt_0_ : Prec_gt_0 p }.

Notation fexp := (FLT_exp emin p).
Notation F := (generic_format radix2 fexp).
Definition u := bpow radix2 (- p).

Lemma u_gt_0 : 0 < u.
Proof. apply bpow_gt_0. Qed.

Lemma u_le_half : u <= / 2.
Proof.
  unfold u. change (/ 2) with (bpow radix2 (-1)). apply bpow_le.
  unfold Prec_gt_0 in prec_gt_0_; lia.
Qed.

Lemma u_ro_u : u_ro radix2 p = u.
Proof.
  unfold u_ro, u. rewrite bpow_plus. simpl (bpow radix2 1). change (IZR (Z.pow_pos 2 1)) with 2.
  field.
Qed.

(** The result of an addition is a number of the format. *)
Definition closed (add : R -> R -> Prop) := forall x y, add x y -> F y.
(** A sum that is a number of the format is returned as it is. *)
Definition exact_in_format (add : R -> R -> Prop) := forall x y, add x y -> F x -> y = x.

Lemma eval_format : forall add, closed add ->
  forall t k y, eval add t k y -> all F t -> F y.
Proof.
  intros add Hc t k y E; induction E; simpl; intros Hf; [exact Hf | |]; eapply Hc; eassumption.
Qed.

(** * Rounding to nearest, ties broken in any way, at every addition anew *)

Definition nearest (x y : R) := Rnd_N_pt F x y.

Lemma nearest_closed : closed nearest.
Proof. intros x y [H _]; exact H. Qed.

Lemma nearest_exact : exact_in_format nearest.
Proof. intros x y H Fx. now apply Rnd_N_pt_idempotent with F. Qed.

Lemma nearest_refl : forall x, F x -> nearest x x.
Proof. intros x Fx. now apply Rnd_N_pt_refl. Qed.

(** a itself is a candidate for the result of a + b. *)
Lemma nearest_error_r : forall a b y, F a -> nearest (a + b) y -> Rabs (y - (a + b)) <= Rabs b.
Proof.
  intros a b y Fa [_ H].
  replace (Rabs b) with (Rabs (a - (a + b))); [now apply H |].
  replace (a - (a + b)) with (- b) by ring. apply Rabs_Ropp.
Qed.

Lemma nearest_error_l : forall a b y, F b -> nearest (a + b) y -> Rabs (y - (a + b)) <= Rabs a.
Proof. intros a b y Fb. rewrite Rplus_comm. now apply nearest_error_r. Qed.

(** The relative error is at most u, also of subnormal sums, which are exact. *)
Lemma nearest_error_u : forall a b y, F a -> F b -> nearest (a + b) y ->
  Rabs (y - (a + b)) <= u * Rabs (a + b).
Proof.
  intros a b y Fa Fb [_ H].
  destruct (FLT_plus_error_N_ex radix2 emin p (fun _ => true) a b Fa Fb) as [eps [He Hr]].
  apply Rle_trans with (Rabs (round radix2 fexp (Znearest (fun _ => true)) (a + b) - (a + b))).
  - apply H. apply generic_format_round; auto with typeclass_instances.
  - rewrite Hr. replace ((a + b) * (1 + eps) - (a + b)) with (eps * (a + b)) by ring.
    rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos |].
    eapply Rle_trans; [exact He |]. rewrite <- u_ro_u. apply u_rod1pu_ro_le_u_ro.
Qed.

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

Lemma error_counted_nearest : forall t r y,
  eval nearest t r y -> all F t -> Rabs (y - sum t) <= INR r * u * magn t.
Proof.
  intros t r y E; induction E as [x | l r i j a b E1 IH1 E2 IH2 Hadd
    | l r i j a b y E1 IH1 E2 IH2 Hadd];
    simpl sum; simpl magn; intros Hf.
  - rewrite Rminus_diag_eq by reflexivity. rewrite Rabs_R0. simpl. lra.
  - destruct Hf as [Hl Hr]. specialize (IH1 Hl). specialize (IH2 Hr).
    rewrite plus_INR.
    pose proof (magn_ge_0 l) as HAa. pose proof (magn_ge_0 r) as HAb. pose proof u_gt_0 as Hu.
    pose proof (pos_INR i) as P1. pose proof (pos_INR j) as P2.
    assert (H0 : Rabs (a + b - (a + b)) <= 0)
      by (rewrite Rminus_diag_eq by reflexivity; rewrite Rabs_R0; lra).
    pose proof (plus_error_split _ _ _ _ _ _ _ _ IH1 IH2 H0) as H.
    assert (0 <= INR j * u * magn l) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= INR i * u * magn r) by (repeat apply Rmult_le_pos; lra).
    lra.
  - destruct Hf as [Hl Hr]. specialize (IH1 Hl). specialize (IH2 Hr).
    rewrite S_INR, plus_INR.
    pose proof (eval_format nearest nearest_closed _ _ _ E1 Hl) as Fa.
    pose proof (eval_format nearest nearest_closed _ _ _ E2 Hr) as Fb.
    pose proof (magn_ge_0 l) as HAa. pose proof (magn_ge_0 r) as HAb. pose proof u_gt_0 as Hu.
    pose proof u_le_half as Hu2.
    pose proof (pos_INR i) as P1. pose proof (pos_INR j) as P2.
    pose proof (abs_from_error _ _ _ _ IH1 (sum_le_magn l)) as Ha.
    pose proof (abs_from_error _ _ _ _ IH2 (sum_le_magn r)) as Hb.
    assert (Hd : Rabs (y - (a + b)) <=
      u * ((INR j + 1) * magn l + (INR i + 1) * magn r)).
    { apply (three_cases u (magn l) (magn r) (Rabs a) (Rabs b)); try lra.
      - now apply nearest_error_l.
      - now apply nearest_error_r.
      - eapply Rle_trans; [now apply nearest_error_u |].
        apply Rmult_le_compat_l; [lra | apply Rabs_triang]. }
    pose proof (plus_error_split _ _ _ _ _ _ _ _ IH1 IH2 Hd) as H.
    eapply Rle_trans; [exact H |]. apply Req_le. ring.
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

Theorem error_by_height : forall t r y, eval nearest t r y -> all F t ->
  Rabs (y - sum t) <= ((1 + u) ^ height t - 1) * magn t.
Proof.
  assert (Hu := u_gt_0).
  assert (Up : forall k t m, (height t <= k)%nat -> Rabs m <= ((1 + u) ^ height t - 1) * magn t ->
    Rabs m <= ((1 + u) ^ k - 1) * magn t).
  { intros k t m Hk H. eapply Rle_trans; [exact H |]. apply Rmult_le_compat_r; [apply magn_ge_0 |].
    assert ((1 + u) ^ height t <= (1 + u) ^ k) by (apply Rle_pow; lra || lia). lra. }
  assert (Step : forall l r i j a b y, eval nearest l i a -> eval nearest r j b ->
    nearest (a + b) y -> all F l -> all F r ->
    Rabs (a - sum l) <= ((1 + u) ^ height l - 1) * magn l ->
    Rabs (b - sum r) <= ((1 + u) ^ height r - 1) * magn r ->
    Rabs (y - (sum l + sum r)) <=
      ((1 + u) ^ S (Nat.max (height l) (height r)) - 1) * (magn l + magn r)).
  { intros l r i j a b y El Er Hy Fl Fr Ha Hb.
    pose proof (eval_format nearest nearest_closed _ _ _ El Fl) as Fa.
    pose proof (eval_format nearest nearest_closed _ _ _ Er Fr) as Fb.
    apply Up with (k := Nat.max (height l) (height r)) in Ha, Hb; try lia.
    pose proof (abs_from_error _ _ _ _ (Rle_refl _) (sum_le_magn l) : Rabs a
      <= magn l + Rabs (a - sum l)).
    pose proof (abs_from_error _ _ _ _ (Rle_refl _) (sum_le_magn r) : Rabs b
      <= magn r + Rabs (b - sum r)).
    eapply Rle_trans; [apply (plus_error_split y a b _ _ _ _ _ (Rle_refl _) (Rle_refl _) (Rle_refl
      _)) |].
    apply height_step; auto using magn_ge_0; [lra |].
    eapply Rle_trans; [now apply nearest_error_u |]. apply Rmult_le_compat_l; [lra |].
    pose proof (Rabs_triang a b). lra. }
  intros t r y E; induction E as [x | l r i j a b E1 IH1 E2 IH2 Hadd
    | l r i j a b y E1 IH1 E2 IH2 Hadd];
    simpl sum; simpl magn; simpl height; intros Hf.
  - rewrite Rminus_diag_eq by reflexivity. rewrite Rabs_R0. simpl. lra.
  - destruct Hf as [Hl Hr]. apply (Step l r i j a b); auto.
  - destruct Hf as [Hl Hr]. apply (Step l r i j a b); auto.
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

Lemma value_eval : forall rnd t, eval (by_round rnd) t (adds t) (value rnd t).
Proof.
  induction t as [x | l IHl r IHr]; simpl; [constructor |].
  eapply eval_round; [exact IHl | exact IHr | reflexivity].
Qed.

Lemma value_eval_inexact : forall rnd t, eval (by_round rnd) t (inexact rnd t) (value rnd t).
Proof.
  induction t as [x | l IHl r IHr]; simpl; [constructor |].
  destruct (Req_EM_T _ _) as [e | ne].
  - rewrite e. simpl. apply eval_exact; auto. unfold by_round. now symmetry.
  - simpl. eapply eval_round; [exact IHl | exact IHr | reflexivity].
Qed.

Lemma by_round_nearest : forall choice x y, by_round (Znearest choice) x y -> nearest x y.
Proof. intros choice x y ->. apply round_N_pt; auto with typeclass_instances. Qed.

Lemma by_round_closed : forall rnd { H : Valid_rnd rnd }, closed (by_round rnd).
Proof. intros rnd H x y ->. apply generic_format_round; auto with typeclass_instances. Qed.

Lemma by_round_exact : forall rnd { H : Valid_rnd rnd }, exact_in_format (by_round rnd).
Proof. intros rnd H x y -> Fx. apply round_generic; auto with typeclass_instances. Qed.

Lemma value_format : forall rnd { H : Valid_rnd rnd } t, all F t -> F (value rnd t).
Proof.
  intros rnd H t Hf. eapply eval_format; [| apply (value_eval rnd t) | exact Hf].
  now apply by_round_closed.
Qed.

(** Any tree of n - 1 additions, each rounded to nearest. *)
Theorem error_any_order : forall choice t, all F t ->
  Rabs (value (Znearest choice) t - sum t) <= INR (leaves t - 1) * u * magn t.
Proof.
  intros choice t Hf. rewrite leaves_adds, Nat.sub_1_r, Nat.pred_succ.
  apply error_counted_nearest; [| exact Hf].
  eapply eval_mono; [apply by_round_nearest | apply value_eval].
Qed.

(** Only those additions count that round. *)
Theorem error_counted : forall choice t, all F t ->
  Rabs (value (Znearest choice) t - sum t) <= INR (inexact (Znearest choice) t) * u * magn t.
Proof.
  intros choice t Hf. apply error_counted_nearest; [| exact Hf].
  eapply eval_mono; [apply by_round_nearest | apply value_eval_inexact].
Qed.

Lemma Rabs_le_between : forall x s e, Rabs (x - s) <= e -> s - e <= x <= s + e.
Proof. intros x s e H. apply Rabs_le_inv in H. lra. Qed.

(** The interval: the last addition is monotonic.  k bounds the number of inexact additions
    below the last one, which itself may round or not. *)
Theorem interval_counted : forall choice l r k,
  let rnd := Znearest choice in let t := Node l r in
  all F t -> (inexact rnd l + inexact rnd r <= k)%nat ->
  round radix2 fexp rnd (sum t - INR k * u * magn t) <= value rnd t
    <= round radix2 fexp rnd (sum t + INR k * u * magn t).
Proof.
  intros choice l r k rnd t [Hl Hr] Hk. unfold t; simpl.
  pose proof (error_counted choice l Hl) as E1. pose proof (error_counted choice r Hr) as E2.
  fold rnd in E1, E2.
  apply le_INR in Hk. rewrite plus_INR in Hk.
  pose proof (magn_ge_0 l). pose proof (magn_ge_0 r). pose proof u_gt_0.
  pose proof (pos_INR (inexact rnd l)). pose proof (pos_INR (inexact rnd r)).
  assert (H5 : INR (inexact rnd l) * u * magn l + INR (inexact rnd r) * u * magn r
     <= INR k * u * (magn l + magn r)).
  { assert (INR (inexact rnd l) * u * magn l <= INR k * u * magn l)
      by (repeat apply Rmult_le_compat_r; lra).
    assert (INR (inexact rnd r) * u * magn r <= INR k * u * magn r)
      by (repeat apply Rmult_le_compat_r; lra). lra. }
  apply Rabs_le_between in E1. apply Rabs_le_between in E2.
  assert (V : Valid_rnd rnd) by (unfold rnd; auto with typeclass_instances).
  split; apply round_le; auto with typeclass_instances; lra.
Qed.

(** * What is exact has no tolerance *)

Definition multiple (q : Z) (x : R) := exists k : Z, x = IZR k * bpow radix2 q.

Lemma multiple_plus : forall q x y, multiple q x -> multiple q y -> multiple q (x + y).
Proof. intros q x y [i ->] [j ->]. exists (i + j)%Z. rewrite plus_IZR. ring. Qed.

Lemma multiple_sum : forall q t, all (multiple q) t -> multiple q (sum t).
Proof.
  induction t as [x | l IHl r IHr]; simpl; [trivial |].
  intros [Hl Hr]. apply multiple_plus; auto.
Qed.

Lemma format_multiple_emin : forall x, F x -> multiple emin x.
Proof.
  intros x Fx. apply FLT_format_generic in Fx; [| exact prec_gt_0_].
  destruct Fx as [[m e] Hx _ He]. simpl in He.
  exists (m * 2 ^ (e - emin))%Z. rewrite Hx. unfold F2R; simpl.
  rewrite mult_IZR. replace e with ((e - emin) + emin)%Z at 1 by ring.
  rewrite bpow_plus. rewrite (IZR_Zpower radix2) by lia. ring.
Qed.

Lemma all_impl : forall (P Q : R -> Prop) t, (forall x, P x -> Q x) -> all P t -> all Q t.
Proof. induction t; simpl; firstorder. Qed.

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

(** For every kind of addition that returns a sum that is in the format, e.g. all roundings,
    and either neighbour.  q is not bounded: terms below 2^emin do not exist. *)
Lemma exact_below_limit_any : forall add, exact_in_format add ->
  forall q t r y, eval add t r y ->
  all F t -> all (multiple q) t -> magn t <= bpow radix2 (p + q) -> y = sum t.
Proof.
  intros add He q t r y E; induction E as [x | l r i j a b E1 IH1 E2 IH2 Hadd
    | l r i j a b y E1 IH1 E2 IH2 Hadd];
    simpl; intros Hf Hm HA; [reflexivity | |];
    destruct Hf as [Hfl Hfr]; destruct Hm as [Hml Hmr];
    pose proof (magn_ge_0 l); pose proof (magn_ge_0 r);
    (assert (a = sum l) by (apply IH1; auto; lra)); (assert (b = sum r) by (apply IH2; auto;
      lra)); subst a b;
    [reflexivity |].
  apply He; [exact Hadd |].
  assert (Hs : Rabs (sum l + sum r) <= magn l + magn r).
  { eapply Rle_trans; [apply Rabs_triang |].
    pose proof (sum_le_magn l); pose proof (sum_le_magn r). lra. }
  destruct (Z_le_gt_dec emin q) as [Hq | Hq].
  - apply (multiple_format q); [exact Hq | | lra].
    apply multiple_plus; apply multiple_sum; assumption.
  - apply (multiple_format emin); [lia | |].
    + apply multiple_plus; apply multiple_sum; (apply (all_impl F);
      [exact format_multiple_emin | assumption]).
    + apply Rle_trans with (bpow radix2 (p + q)); [lra | apply bpow_le; lia].
Qed.

Theorem exact_below_limit : forall rnd { H : Valid_rnd rnd } q t,
  all F t -> all (multiple q) t -> magn t <= bpow radix2 (p + q) -> value rnd t = sum t.
Proof.
  intros rnd H q t. apply (exact_below_limit_any (by_round rnd) (by_round_exact rnd) q t (adds t)).
  apply value_eval.
Qed.

(** * Multiples of 2^q stay multiples, rounded or not *)

Lemma multiple_le : forall q q' x, (q' <= q)%Z -> multiple q x -> multiple q' x.
Proof.
  intros q q' x Hq [k ->]. exists (k * 2 ^ (q - q'))%Z.
  rewrite mult_IZR, (IZR_Zpower radix2) by lia.
  replace q with (q - q' + q')%Z at 1 by ring. rewrite bpow_plus. ring.
Qed.

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

(** * r = n + 1 - h *)

Lemma magn_le_leaves : forall M t, all (fun x => Rabs x <= M) t -> magn t <= INR (leaves t) * M.
Proof.
  induction t as [x | l IHl r IHr]; simpl; [lra |].
  intros [Hl Hr]. rewrite plus_INR. specialize (IHl Hl); specialize (IHr Hr). lra.
Qed.

(** An addition with fewer than h terms below it is exact, if k M <= 2^p 2^q for all k < h. *)
Lemma inexact_le_fat : forall rnd { H : Valid_rnd rnd } q M h t,
  (forall k, (2 <= k < h)%nat -> INR k * M <= bpow radix2 (p + q)) ->
  all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  (inexact rnd t <= fat h t)%nat.
Proof.
  intros rnd H q M h t Hh; induction t as [x | l IHl r IHr]; simpl; [lia |].
  intros [Fl Fr] [Ml Mr] [Bl Br]. specialize (IHl Fl Ml Bl). specialize (IHr Fr Mr Br).
  destruct (Nat.leb_spec h (leaves l + leaves r)) as [Hge | Hlt].
  { destruct (Req_EM_T _ _); lia. }
  destruct (Req_EM_T _ _) as [e | ne]; [lia | exfalso; apply ne].
  pose proof (leaves_adds l); pose proof (leaves_adds r).
  assert (HA : magn (Node l r) <= bpow radix2 (p + q)).
  { eapply Rle_trans; [apply (magn_le_leaves M); simpl; auto |].
    simpl leaves. apply Hh. lia. }
  pose proof (magn_ge_0 l); pose proof (magn_ge_0 r). simpl in HA.
  pose proof (exact_below_limit rnd q (Node l r) (conj Fl Fr) (conj Ml Mr) HA) as E. simpl in E.
  rewrite (exact_below_limit rnd q l), (exact_below_limit rnd q r) in E |- * by (auto; lra).
  exact E.
Qed.

(** h = max (2, floor (L / M) + 1), L = 2^p 2^q *)
Definition h_of (q : Z) (M : R) : nat :=
  Nat.max 2 (S (Z.to_nat (Zfloor (bpow radix2 (p + q) / M)))).

Lemma h_of_ok : forall q M k, 0 < M -> (2 <= k < h_of q M)%nat -> INR k * M <= bpow radix2 (p + q).
Proof.
  intros q M k HM [Hk2 Hk]. unfold h_of in Hk.
  assert (Hz : (Z.of_nat k <= Zfloor (bpow radix2 (p + q) / M))%Z) by lia.
  apply IZR_le in Hz. rewrite <- INR_IZR_INZ in Hz.
  apply Rle_trans with (bpow radix2 (p + q) / M * M); [| right; field; lra].
  apply Rmult_le_compat_r; [lra |]. eapply Rle_trans; [exact Hz | apply Zfloor_lb].
Qed.

(** r = n + 1 - h, E = max (r - 1, 0) u A *)
Definition r_of (q : Z) (M : R) (t : tree) : nat := leaves t + 1 - h_of q M.
Definition E_of (q : Z) (M : R) (t : tree) : R := INR (r_of q M t - 1) * u * magn t.

(** Verdict 1 for FLOAT32 and FLOAT64: no sum in any order is rejected.  (Without overflow; M > 0,
    that is, at least one term is not zero or M is any other bound.) *)
Theorem verdict1 : forall choice q M t,
  let rnd := Znearest choice in
  0 < M -> all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  round radix2 fexp rnd (sum t - E_of q M t) <= value rnd t
    <= round radix2 fexp rnd (sum t + E_of q M t).
Proof.
  intros choice q M t rnd HM Hf Hm Hb.
  assert (V : Valid_rnd rnd) by (unfold rnd; auto with typeclass_instances).
  assert (Hh2 : (2 <= h_of q M)%nat) by (unfold h_of; lia).
  assert (Hh := fun k => h_of_ok q M k HM).
  unfold E_of, r_of. set (h := h_of q M) in *. clearbody h.
  destruct t as [x | l r].
  - simpl leaves. replace (1 + 1 - h - 1)%nat with 0%nat by lia.
    simpl. rewrite !Rmult_0_l, Rminus_0_r, Rplus_0_r.
    rewrite round_generic by auto with typeclass_instances. lra.
  - apply interval_counted; [exact Hf |].
    destruct Hf as [Fl Fr]. destruct Hm as [Ml Mr]. destruct Hb as [Bl Br]. fold rnd.
    assert (Hl := inexact_le_fat rnd q M h l Hh Fl Ml Bl).
    assert (Hr := inexact_le_fat rnd q M h r Hh Fr Mr Br).
    pose proof (additions_above_h_terms h (Node l r) Hh2) as Hc. simpl in Hc. simpl leaves.
    pose proof (leaves_adds l). pose proof (leaves_adds r).
    (* the last addition is counted if any is *)
    destruct (Nat.leb_spec h (leaves l + leaves r)) as [Hge | Hlt]; [lia |].
    rewrite (fat_small h l) in Hl by lia. rewrite (fat_small h r) in Hr by lia. lia.
Qed.

End Format.
