(* SPDX-License-Identifier: MIT *)
(** The fast path of FLOAT32 lines (docs/oracle.md, "Fast path"): sums in two numbers with a bound
    of what they lack (src/oracle/exact/line_sum.h), sums on a grid, and the inequalities by which the
    outputs of a tile are accepted (src/oracle/screen/screen_line.c).  Without overflow; p is 53 for binary64. *)

From Coq Require Import Reals ZArith Psatz Lia Lra List.
From Flocq Require Import Core Plus_error Relative Pff2Flocq.
From Cumsum Require Import AnyOrder Binade.
Import ListNotations.
Open Scope R_scope.

Section FastPath.

Variables emin p : Z.
Context { prec_gt_0_ : Prec_gt_0 p }.
Hypothesis p_gt_1 : (1 < p)%Z.
Hypothesis emin_le_0 : (emin <= 0)%Z.

Notation fexp := (FLT_exp emin p).
Notation F := (generic_format radix2 fexp).
Notation RN := (round radix2 fexp ZnearestE).
Notation u := (u p).

Lemma RN_format : forall x, F (RN x).
Proof. intros x. apply generic_format_round; auto with typeclass_instances. Qed.

Lemma RN_error : forall a b, F a -> F b -> Rabs (RN (a + b) - (a + b)) <= u * Rabs (a + b).
Proof.
  intros a b Fa Fb. apply (nearest_error_u emin p a b); [exact Fa | exact Fb |].
  apply round_N_pt; auto with typeclass_instances.
Qed.

(** * TwoSum *)

(** The operations of two_sum in line_sum.h. *)
Definition two_sum (sum term : R) : R * R :=
  let s := RN (sum + term) in
  let virtual_term := RN (s - sum) in
  (s, RN (RN (sum - RN (s - virtual_term)) + RN (term - virtual_term))).

Lemma even_symmetric : forall x, negb (Z.even x) = negb (negb (Z.even (- (x + 1)))).
Proof.
  intros x. rewrite Z.even_opp, Z.even_add. destruct (Z.even x); reflexivity.
Qed.

Theorem two_sum_exact : forall sum term, F sum -> F term ->
  let (s, error) := two_sum sum term in s + error = sum + term /\ F s /\ F error.
Proof.
  intros x y Fx Fy. unfold two_sum. cbv zeta. split; [| split; apply RN_format].
  exact (TwoSum_correct emin p (fun x => negb (Z.even x)) p_gt_1 emin_le_0 even_symmetric x y Fx
    Fy).
Qed.

(** * A line: high + low, what they lack, and the magnitude *)

Record line_sum := { high : R; low : R; slack : R; magnitude : R }.

Definition empty := {| high := 0; low := 0; slack := 0; magnitude := 0 |}.

Definition add_term (l : line_sum) (x : R) : line_sum :=
  let (h, error) := two_sum (high l) x in
  let (w, lost) := two_sum (low l) error in
  {| high := h; low := w; slack := RN (slack l + Rabs lost);
     magnitude := RN (magnitude l + Rabs x) |}.

(** What two_sum loses from low, exactly. *)
Definition lost_at (l : line_sum) (x : R) : R := snd (two_sum (low l) (snd (two_sum (high l) x))).

Definition well_formed (l : line_sum) := F (high l) /\ F (low l) /\ F (slack l) /\ F (magnitude l).

Lemma add_term_step : forall l x, well_formed l -> F x ->
  well_formed (add_term l x) /\
  high (add_term l x) + low (add_term l x) + lost_at l x = high l + low l + x /\
  slack (add_term l x) = RN (slack l + Rabs (lost_at l x)) /\ F (lost_at l x) /\
  magnitude (add_term l x) = RN (magnitude l + Rabs x).
Proof.
  intros l x [Fh [Fl [Fs Fm]]] Fx. unfold add_term, lost_at, well_formed.
  pose proof (two_sum_exact (high l) x Fh Fx) as H1.
  destruct (two_sum (high l) x) as [h error]. destruct H1 as [E1 [Fh1 Fe]].
  cbn [snd].
  pose proof (two_sum_exact (low l) error Fl Fe) as H2.
  destruct (two_sum (low l) error) as [w lost]. destruct H2 as [E2 [Fw Flost]].
  cbn [snd high low slack magnitude].
  repeat split; try apply RN_format; auto. lra.
Qed.

Definition line := fold_left add_term.
Definition total (terms : list R) : R := fold_right Rplus 0 terms.
Definition total_abs (terms : list R) : R := fold_right (fun x s => Rabs x + s) 0 terms.

Lemma empty_well_formed : well_formed empty.
Proof. repeat split; apply generic_format_0. Qed.

Lemma pow_shrinks : forall n, 0 < (1 - u) ^ n <= 1.
Proof.
  intros n. pose proof (u_gt_0 p). pose proof (u_le_half p). induction n; simpl; [lra | nra].
Qed.

(** slack bounds what the two numbers lack, up to its own rounding; magnitude is A, up to its
    own. *)
Lemma line_from : forall terms l S A, well_formed l -> Forall F terms ->
  0 <= slack l -> 0 <= magnitude l -> 0 <= A ->
  forall k, Rabs (S - (high l + low l)) * (1 - u) ^ k <= slack l ->
  A * (1 - u) ^ k <= magnitude l <= A * (1 + u) ^ k ->
  let r := line terms l in let n := (k + length terms)%nat in
  Rabs (S + total terms - (high r + low r)) * (1 - u) ^ n <= slack r /\
  (A + total_abs terms) * (1 - u) ^ n <= magnitude r <= (A + total_abs terms) * (1 + u) ^ n.
Proof.
  pose proof (u_gt_0 p) as Hu. pose proof (u_le_half p) as Hu2.
  induction terms as [| x rest IH]; intros l S A W Hf Hs Hm HA k HS HM r n; unfold r, n; clear r n.
  - simpl. rewrite !Rplus_0_r, Nat.add_0_r. split; assumption.
  - inversion Hf as [| x' rest' Fx Frest]; subst x' rest'.
    destruct (add_term_step l x W Fx) as [W' [ES [Esl [Flost Em]]]].
    destruct W as [_ [_ [Fs Fm]]].
    assert (Fl' : F (Rabs (lost_at l x))) by now apply generic_format_abs.
    assert (Fx' : F (Rabs x)) by now apply generic_format_abs.
    pose proof (RN_error _ _ Fs Fl') as R1. pose proof (RN_error _ _ Fm Fx') as R2.
    pose proof (Rabs_pos (lost_at l x)). pose proof (Rabs_pos x).
    rewrite (Rabs_pos_eq (slack l + _)) in R1 by lra.
    rewrite (Rabs_pos_eq (magnitude l + _)) in R2 by lra.
    apply Rabs_le_inv in R1. apply Rabs_le_inv in R2. rewrite <- Esl in R1. rewrite <- Em in R2.
    pose proof (pow_shrinks k) as Pk.
    assert (Qk : 1 <= (1 + u) ^ k) by (apply pow_R1_Rle; lra).
    assert (Hs' : 0 <= slack (add_term l x)) by nra.
    assert (Hm' : 0 <= magnitude (add_term l x)) by nra.
    specialize (IH (add_term l x) (S + x) (A + Rabs x) W' Frest Hs' Hm' ltac:(lra) (k + 1)%nat).
    simpl line. simpl total. simpl total_abs. simpl length.
    replace (k + Datatypes.S (length rest))%nat with (k + 1 + length rest)%nat by lia.
    rewrite <- !Rplus_assoc. apply IH.
    + replace (S + x - (high (add_term l x) + low (add_term l x)))
        with ((S - (high l + low l)) + lost_at l x) by lra.
      rewrite pow_add, pow_1.
      pose proof (Rabs_triang (S - (high l + low l)) (lost_at l x)) as T.
      pose proof (Rabs_pos (S - (high l + low l))).
      apply Rle_trans with ((slack l + Rabs (lost_at l x)) * (1 - u)); [| lra].
      rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [lra |]. nra.
    + rewrite !pow_add, !pow_1, <- !Rmult_assoc. split.
      * apply Rle_trans with ((magnitude l + Rabs x) * (1 - u)); [| lra].
        apply Rmult_le_compat_r; [lra |]. nra.
      * apply Rle_trans with ((magnitude l + Rabs x) * (1 + u)); [lra |].
        apply Rmult_le_compat_r; [lra |]. nra.
Qed.

Theorem line_sum_bounds : forall terms, Forall F terms ->
  let l := line terms empty in let n := length terms in
  Rabs (total terms - (high l + low l)) * (1 - u) ^ n <= slack l /\
  total_abs terms * (1 - u) ^ n <= magnitude l <= total_abs terms * (1 + u) ^ n.
Proof.
  intros terms Hf l n.
  pose proof (line_from terms empty 0 0 empty_well_formed Hf (Rle_refl 0) (Rle_refl 0) (Rle_refl
    0) 0) as H.
  unfold empty in H at 1 2 3 4 5; cbn [high low slack magnitude pow] in H.
  rewrite !Rplus_0_l, Nat.add_0_l in H. apply H; [| lra].
  rewrite Rminus_0_r, Rabs_R0. lra.
Qed.

(** No slack: the two numbers are the sum. *)
Theorem line_sum_exact : forall terms, Forall F terms -> slack (line terms empty) = 0 ->
  total terms = high (line terms empty) + low (line terms empty).
Proof.
  intros terms Hf Hs. pose proof (line_sum_bounds terms Hf) as [H _]. rewrite Hs in H.
  pose proof (pow_shrinks (length terms)).
  pose proof (Rabs_pos (total terms - (high (line terms empty) + low (line terms empty)))).
  apply Rminus_diag_uniq. destruct (Req_dec (total terms
    - (high (line terms empty) + low (line terms empty))) 0) as [E | N]; [exact E | exfalso].
  apply Rabs_pos_lt in N. nra.
Qed.

(** * Sums on a grid, the multiples of g = 2^q *)

(** Adding 1.5 * 2^(p-1) g and taking it away again rounds to a multiple of g. *)
Theorem grid_rounding : forall q x, (emin <= q)%Z -> F x -> Rabs x <= bpow radix2 (p - 2 + q) ->
  let grid := 3 * bpow radix2 (p - 2 + q) in let c := RN (RN (x + grid) - grid) in
  multiple q c /\ Rabs (x - c) <= / 2 * bpow radix2 q.
Proof.
  intros q x Hq Fx Hx grid c. pose proof (prec_gt_0_ : (0 < p)%Z) as Hp0.
  set (g := bpow radix2 q). assert (Hg : 0 < g) by apply bpow_gt_0.
  set (N := (3 * 2 ^ (p - 2))%Z).
  assert (HN : IZR N = 3 * bpow radix2 (p - 2)).
  { unfold N. rewrite mult_IZR, (IZR_Zpower radix2) by lia. reflexivity. }
  assert (Egrid : grid = IZR N * g) by (unfold grid, g; rewrite HN, bpow_plus; ring).
  set (y := x / g). assert (Ex : x = y * g) by (unfold y; field; lra).
  assert (Hy : Rabs y <= bpow radix2 (p - 2)).
  { rewrite bpow_plus in Hx. fold g in Hx. rewrite Ex, Rabs_mult, (Rabs_pos_eq g) in Hx by lra.
    apply Rmult_le_reg_r with g; assumption. }
  assert (H1 : bpow radix2 (p - 1) = 2 * bpow radix2 (p - 2)).
  { replace (p - 1)%Z with (p - 2 + 1)%Z by ring. apply bpow_plus_1. }
  assert (H2 : bpow radix2 p = 4 * bpow radix2 (p - 2)).
  { replace p with (p - 1 + 1)%Z at 1 by ring. rewrite bpow_plus_1, H1. simpl (IZR radix2). ring. }
  set (T := ZnearestE (y + IZR N)).
  pose proof (Znearest_half (fun x => negb (Z.even x)) (y + IZR N)) as HT. fold T in HT.
  apply Rabs_le_inv in Hy.
  assert (ER : RN (x + grid) = IZR T * g).
  { rewrite Ex, Egrid, <- Rmult_plus_distr_r.
  destruct (Rlt_or_le (y + IZR N) (bpow radix2 p)) as [L | L].
    - apply (round_inside emin p q Hq). rewrite (IZR_low p), (IZR_high p). lra.
    - assert (EY : y + IZR N = IZR (2 ^ p)) by (rewrite (IZR_high p); lra).
      unfold T. rewrite EY.
      replace (ZnearestE (IZR (2 ^ p))) with (2 ^ p)%Z by (symmetry; apply Znearest_imp;
        rewrite Rminus_diag_eq by reflexivity; rewrite Rabs_R0; lra).
      apply (round_above emin p q Hq). lra. }
  assert (Ec : c = (IZR T - IZR N) * g).
  { unfold c. rewrite ER, Egrid, <- Rmult_minus_distr_r.
  apply round_generic; [auto with typeclass_instances |].
    apply (multiple_format emin p q); [exact Hq | exists (T - N)%Z; now rewrite minus_IZR |].
    rewrite bpow_plus. fold g. rewrite Rabs_mult, (Rabs_pos_eq g) by lra.
    apply Rmult_le_compat_r; [lra |]. apply Rabs_le_inv in HT.
    assert (1 <= bpow radix2 (p - 2)) by (change 1 with (bpow radix2 0); apply bpow_le; lia).
    apply Rabs_le. lra. }
  split.
  - rewrite Ec. exists (T - N)%Z. now rewrite minus_IZR.
  - rewrite Ec, Ex. replace (y * g - (IZR T - IZR N) * g) with ((y + IZR N - IZR T) * g) by ring.
    rewrite Rabs_mult, (Rabs_pos_eq g) by lra. apply Rmult_le_compat_r; lra.
Qed.

End FastPath.

(** * Outputs of a tile are accepted

    T is P or P + R, and within k of S.  Q and Q0 are A before the output, or before the 128 outputs
    that it is of, and A before the tile, as they are computed.  d is |y - T|, computed, and b the
    limit. *)
Theorem accept_tile : forall y S T A Q Q0 t k d b, 0 <= k -> 0 < Q0 -> Q0 <= Q -> 0 <= t ->
  Rabs (T - S) <= k -> Q <= A * (1 + bpow radix2 (-30)) ->
  Rabs (y - T) <= d * (1 + bpow radix2 (-50)) ->
  b <= (t * bpow radix2 (-24) * (1 - bpow radix2 (-20)) * (1 + bpow radix2 (-50)) -
        (1 + bpow radix2 (-20)) * (k / Q0)) * Q * (1 + bpow radix2 (-50)) ->
  d <= b -> Rabs (y - S) <= t * (bpow radix2 (-24) * A).
Proof.
  intros y S T A Q Q0 t k d b Hk HQ0 HQ Ht HT HA Hd Hb H.
  change (bpow radix2 (-20)) with (/ 1048576) in *.
  change (bpow radix2 (-30)) with (/ 1073741824) in *.
  change (bpow radix2 (-50)) with (/ 1125899906842624) in *.
  pose proof (bpow_gt_0 radix2 (-24)) as Hv. set (v := bpow radix2 (-24)) in *.
  assert (HkQ : k <= k / Q0 * Q).
  { unfold Rdiv. rewrite Rmult_assoc. rewrite <- (Rmult_1_r k) at 1.
    apply Rmult_le_compat_l; [exact Hk |]. apply Rmult_le_reg_l with Q0; [exact HQ0 |].
    rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l, Rmult_1_r by lra. exact HQ. }
  set (W := t * (v * A)). set (X := t * v * Q). set (Z := k / Q0 * Q) in *.
  assert (HX : X <= W * (1 + / 1073741824)).
  { unfold X, W. rewrite Rmult_assoc, (Rmult_assoc t (v * A)), (Rmult_assoc v A).
    apply Rmult_le_compat_l; [exact Ht |]. apply Rmult_le_compat_l; [lra | exact HA]. }
  assert (HX0 : 0 <= X) by (unfold X; apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]).
  assert (Hb' : b <= (X * ((1 - / 1048576) * (1 + / 1125899906842624)) -
                      (1 + / 1048576) * Z) * (1 + / 1125899906842624)).
  { eapply Rle_trans; [exact Hb |]. right. unfold X, Z. ring. }
  replace (y - S) with ((y - T) + (T - S)) by ring.
  eapply Rle_trans; [apply Rabs_triang |]. lra.
Qed.

(** * An output that must be RN(S)

    z is P + R, rounded, and within 2^-53 |z| and k of S.  lo and hi are z - b and z + b, rounded to
    binary64: if they are rounded to the same binary32, S is so, too. *)
Theorem correctly_rounded : forall S z k b lo hi y,
  let RN32 := round radix2 (FLT_exp (-149) 24) ZnearestE in let e := bpow radix2 (-53) in
  0 <= k -> Rabs (S - z) <= e * Rabs z + k ->
  (4 * e * Rabs z + 2 * k) * (1 - bpow radix2 (-50)) <= b ->
  Rabs (lo - (z - b)) <= e * Rabs (z - b) -> Rabs (hi - (z + b)) <= e * Rabs (z + b) ->
  RN32 lo = y -> RN32 hi = y -> RN32 S = y.
Proof.
  intros S z k b lo hi y RN32 e Hk HS Hb Hlo Hhi El Eh.
  assert (p24 : Prec_gt_0 24) by reflexivity.
  assert (He : e = / 9007199254740992) by reflexivity. rewrite He in *. clear He e.
  change (bpow radix2 (-50)) with (/ 1125899906842624) in *.
  pose proof (Rabs_pos z) as Hz. assert (Hb0 : 0 <= b) by lra.
  pose proof (Rabs_triang z (- b)) as T1. pose proof (Rabs_triang z b) as T2.
  rewrite Rabs_Ropp in T1. rewrite (Rabs_pos_eq b Hb0) in T1, T2.
  fold (z - b) in T1. apply Rabs_le_inv in HS. apply Rabs_le_inv in Hlo. apply Rabs_le_inv in Hhi.
  assert (Ll : lo <= S) by lra. assert (Lh : S <= hi) by lra.
  apply Rle_antisym.
  - rewrite <- Eh. apply round_le; auto with typeclass_instances.
  - rewrite <- El. apply round_le; auto with typeclass_instances.
Qed.
