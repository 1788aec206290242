(* SPDX-License-Identifier: MIT *)
(** The sequential order of a line as additions of integers, while the sum stays in one binade
    (docs/kernels.md, "A sequential line by vectors"; src/cpu/kernels/binade_scan.h).

    k is the exponent of u, the last place of the binade; s = S u, and an element is x = a u, with a
    real number a.  For a binary16 accumulator p is 11, for a binary32 one 24. *)

From Coq Require Import Reals ZArith NArith Psatz Lia Lra Bool List.
From Flocq Require Import Core.
Import ListNotations.
Open Scope R_scope.

(** * The next sum: S + a, rounded to an integer, to the even one of two *)

Definition is_tie (a : R) : Prop := a = IZR (Zfloor a) + / 2.

Lemma tie_dec : forall a, {is_tie a} + {~ is_tie a}.
Proof. intros a. apply Req_EM_T. Qed.

Definition next_sum (S : Z) (a : R) : Z :=
  if tie_dec a then let T := (S + Zfloor a)%Z in if Z.odd T then (T + 1)%Z else T
  else (S + ZnearestE a)%Z.

Lemma nearest_of_tie : forall m, ZnearestE (IZR m + / 2) = if Z.odd m then (m + 1)%Z else m.
Proof.
  intros m. unfold Znearest.
  assert (Hf : Zfloor (IZR m + / 2) = m) by (apply Zfloor_imp; rewrite plus_IZR; lra).
  assert (Hc : Zceil (IZR m + / 2) = (m + 1)%Z).
  { apply Zceil_imp. replace (m + 1 - 1)%Z with m by ring. rewrite plus_IZR. lra. }
  rewrite Hf, Hc. rewrite Rcompare_Eq by lra. rewrite Z.negb_even. reflexivity.
Qed.

Lemma nearest_not_tie : forall a, ~ is_tie a -> Rabs (a - IZR (ZnearestE a)) < / 2.
Proof.
  intros a H. unfold is_tie in H. pose proof (Zfloor_lb a). pose proof (Zfloor_ub a).
  unfold Znearest. destruct (Rcompare_spec (a - IZR (Zfloor a)) (/ 2)) as [C | C | C].
  - rewrite Rabs_pos_eq; lra.
  - exfalso. apply H. lra.
  - rewrite Zceil_floor_neq by lra. rewrite plus_IZR. apply Rabs_lt. lra.
Qed.

Lemma next_sum_nearest : forall S a, next_sum S a = ZnearestE (IZR S + a).
Proof.
  intros S a. unfold next_sum. destruct (tie_dec a) as [H | H].
  - unfold is_tie in H. cbv zeta. rewrite <- nearest_of_tie. f_equal. rewrite plus_IZR. lra.
  - symmetry. apply Znearest_imp. pose proof (nearest_not_tie a H).
    rewrite plus_IZR. now replace (IZR S + a - (IZR S + IZR (ZnearestE a)))
      with (a - IZR (ZnearestE a)) by ring.
Qed.

Section Binade.

Variables emin p k : Z.
Context { prec_gt_0_ : Prec_gt_0 p }.
Hypothesis k_ge_emin : (emin <= k)%Z.

Notation fexp := (FLT_exp emin p).
Notation RN := (round radix2 fexp ZnearestE).
Notation u := (bpow radix2 k).
Notation low := (2 ^ (p - 1))%Z.
Notation high := (2 ^ p)%Z.

Lemma IZR_low : IZR low = bpow radix2 (p - 1).
Proof. rewrite (IZR_Zpower radix2); [reflexivity | unfold Prec_gt_0 in prec_gt_0_; lia]. Qed.
Lemma IZR_high : IZR high = bpow radix2 p.
Proof. rewrite (IZR_Zpower radix2); [reflexivity | unfold Prec_gt_0 in prec_gt_0_; lia]. Qed.
Lemma high_low : (high = 2 * low)%Z.
Proof.
  rewrite <- Z.pow_succ_r by (unfold Prec_gt_0 in prec_gt_0_; lia). f_equal. lia.
Qed.
Lemma low_ge_1 : (1 <= low)%Z.
Proof. pose proof (Z.pow_pos_nonneg 2 (p - 1)). unfold Prec_gt_0 in prec_gt_0_. lia. Qed.

(** Rounding at the exponent c of the last place. *)
Lemma round_at : forall y c n, y <> 0 -> cexp radix2 fexp (y * u) = c ->
  ZnearestE (y * bpow radix2 (k - c)) = n -> RN (y * u) = IZR n * bpow radix2 c.
Proof.
  intros y c n Hy Hc Hn. unfold round, scaled_mantissa. rewrite Hc. unfold F2R; simpl. f_equal.
  f_equal. rewrite <- Hn. f_equal. rewrite Rmult_assoc, <- bpow_plus. reflexivity.
Qed.

Lemma cexp_of : forall y e, bpow radix2 (e - 1) <= y < bpow radix2 e ->
  cexp radix2 fexp (y * u) = Z.max (e + k - p) emin.
Proof.
  intros y e H. unfold cexp, FLT_exp. pose proof (bpow_gt_0 radix2 k).
  rewrite (mag_unique_pos radix2 (y * u) (e + k)); [reflexivity |].
  replace (e + k - 1)%Z with (e - 1 + k)%Z by ring. rewrite !bpow_plus.
  split; [apply Rmult_le_compat_r; lra | apply Rmult_lt_compat_r; lra].
Qed.

(** Between the ends of the binade numbers are integers times u. *)
Lemma round_inside : forall y, IZR low <= y < IZR high -> RN (y * u) = IZR (ZnearestE y) * u.
Proof.
  intros y H. pose proof low_ge_1 as L. apply IZR_le in L. rewrite IZR_low, IZR_high in H.
  rewrite IZR_low in L.
  apply round_at; [lra | rewrite (cexp_of y p) by exact H; lia |].
  rewrite Z.sub_diag. simpl. now rewrite Rmult_1_r.
Qed.

(** Right above the upper end. *)
Lemma round_above : forall y, IZR high <= y <= IZR high + / 2 -> RN (y * u) = IZR high * u.
Proof.
  intros y H. pose proof low_ge_1 as L. apply IZR_le in L. pose proof high_low as HL.
  apply (f_equal IZR) in HL. rewrite mult_IZR in HL.
  assert (R : RN (y * u) = IZR low * bpow radix2 (k + 1)).
  { apply round_at; [lra | |].
    - rewrite (cexp_of y (p + 1)); [lia |]. replace (p + 1 - 1)%Z with p by ring.
      rewrite bpow_plus_1, <- IZR_high. simpl (IZR radix2). lra.
    - replace (k - (k + 1))%Z with (-1)%Z by ring. change (bpow radix2 (-1)) with (/ 2).
      apply Znearest_imp. rewrite Rabs_pos_eq; lra. }
  rewrite R, HL, bpow_plus_1. simpl (IZR radix2). ring.
Qed.

(** Right below the lower end the numbers are u / 2 apart. *)
Lemma round_below : forall y, IZR low - / 4 <= y < IZR low -> RN (y * u) = IZR low * u.
Proof.
  intros y H. pose proof low_ge_1 as L. apply IZR_le in L. pose proof high_low as HL.
  apply (f_equal IZR) in HL. rewrite mult_IZR in HL.
  assert (Hc : cexp radix2 fexp (y * u) = Z.max (k - 1) emin).
  { rewrite (cexp_of y (p - 1)); [f_equal; lia |]. rewrite <- IZR_low. split; [| lra].
    assert (bpow radix2 (p - 1) = 2 * bpow radix2 (p - 1 - 1)).
    { replace (p - 1)%Z with (p - 1 - 1 + 1)%Z at 1 by ring. now rewrite bpow_plus_1. }
    rewrite <- IZR_low in H0. lra. }
  destruct (Z_le_gt_dec k emin) as [E | G].
  - assert (k = emin) by lia. apply round_at; [lra | rewrite Hc; lia |].
    rewrite Z.sub_diag. simpl. rewrite Rmult_1_r. apply Znearest_imp. apply Rabs_lt. lra.
  - assert (R : RN (y * u) = IZR high * bpow radix2 (k - 1)).
    { apply round_at; [lra | rewrite Hc; lia |].
      replace (k - (k - 1))%Z with 1%Z by ring. change (bpow radix2 1) with 2.
      destruct (Req_dec (y * 2) (IZR (high - 1) + / 2)) as [E | N].
      - assert (Ho : Z.odd (high - 1) = true).
        { rewrite high_low. replace (2 * low - 1)%Z with (1 + 2 * (low - 1))%Z by ring.
          now rewrite Z.odd_add_mul_2. }
        rewrite E, nearest_of_tie, Ho. ring.
      - rewrite minus_IZR in N. apply Znearest_imp. apply Rabs_lt. lra. }
    rewrite R, HL. replace k with (k - 1 + 1)%Z at 2 by ring. rewrite bpow_plus_1.
    simpl (IZR radix2). ring.
Qed.

(** Whether the sum is in the binade, as stays_in_binade asks: at the lower end it must not have
    been rounded up by more than 1/4. *)
Definition stays (T : Z) (y : R) : Prop :=
  (low < T <= high)%Z \/ (T = low /\ IZR low - / 4 <= y).

Theorem binade_addition : forall S a, stays (next_sum S a) (IZR S + a) ->
  RN (IZR S * u + a * u) = IZR (next_sum S a) * u.
Proof.
  intros S a H. rewrite <- Rmult_plus_distr_r. rewrite next_sum_nearest in *.
  set (y := IZR S + a) in *. pose proof (Znearest_half (fun x => negb (Z.even x)) y) as Hy.
  apply Rabs_le_inv in Hy. set (T := ZnearestE y) in *.
  destruct H as [[H1 H2] | [ET H]].
  - assert (Hl : (low + 1 <= T)%Z) by lia. apply IZR_le in Hl. rewrite plus_IZR in Hl.
    apply IZR_le in H2. destruct (Rlt_or_le y (IZR high)) as [C | C].
    + apply round_inside. lra.
    + assert (E : IZR T = IZR high).
      { f_equal. apply Z.le_antisymm; [now apply le_IZR |].
        enough (IZR high - 1 < IZR T) as L; [| lra]. rewrite <- minus_IZR in L. apply lt_IZR in L.
        lia. }
      rewrite E. apply round_above. lra.
  - pose proof high_low as HL. pose proof low_ge_1 as L. apply IZR_le in L.
    apply (f_equal IZR) in HL. rewrite mult_IZR in HL. rewrite ET in Hy |- *.
    destruct (Rlt_or_le y (IZR low)) as [B | B].
    + apply round_below. lra.
    + rewrite round_inside by lra. fold T. now rewrite ET.
Qed.

(** For a negative sum everything is mirrored. *)
Theorem binade_addition_negative : forall S a, stays (next_sum S (- a)) (IZR S - a) ->
  RN (- (IZR S * u) + a * u) = - (IZR (next_sum S (- a)) * u).
Proof.
  intros S a H. rewrite <- binade_addition by exact H.
  rewrite <- round_NE_opp. f_equal. ring.
Qed.

(** * A block of elements *)

Fixpoint sequential (s : R) (block : list R) : list R :=
  match block with [] => [] | x :: rest => let s' := RN (s + x) in s' :: sequential s' rest end.
Fixpoint next_sums (S : Z) (block : list R) : list Z :=
  match block with [] => [] | a :: rest => let T := next_sum S a in T :: next_sums T rest end.
Fixpoint all_stay (S : Z) (block : list R) : Prop :=
  match block with
  | [] => True
  | a :: rest => stays (next_sum S a) (IZR S + a) /\ all_stay (next_sum S a) rest
  end.

Theorem binade_block : forall block S, all_stay S block ->
  sequential (IZR S * u) (map (fun a => a * u) block) = map (fun T => IZR T * u) (next_sums S
    block).
Proof.
  induction block as [| a rest IH]; intros S H; [reflexivity |]. destruct H as [H1 H2].
  simpl. rewrite (binade_addition S a H1). f_equal. now apply IH.
Qed.

End Binade.

(** * Ties without the carry-in *)

(** An element is an integer f and whether it is a tie: f is its floor at a tie, and else the
    nearest integer. *)
Definition item := (Z * bool)%type.
Definition item_of (a : R) : item :=
  if tie_dec a then (Zfloor a, true) else (ZnearestE a, false).
Definition bit (b : bool) : Z := if b then 1%Z else 0%Z.
Definition add_item (S : Z) (i : item) : Z :=
  let T := (S + fst i)%Z in if snd i then (T + bit (Z.odd T))%Z else T.

Lemma next_sum_item : forall S a, next_sum S a = add_item S (item_of a).
Proof.
  intros S a. unfold next_sum, add_item, item_of. destruct (tie_dec a); simpl; [| reflexivity].
  unfold bit. destruct (Z.odd (S + Zfloor a)); ring.
Qed.

Fixpoint item_sums (S : Z) (items : list item) : list Z :=
  match items with [] => [] | i :: rest => let T := add_item S i in T :: item_sums T rest end.

Lemma next_sums_items : forall block S, next_sums S block = item_sums S (map item_of block).
Proof.
  induction block as [| a rest IH]; intros S; [reflexivity |].
  simpl. now rewrite next_sum_item, IH.
Qed.

(** Sums of integers, which may be grouped in any way. *)
Fixpoint integer_sums (S : Z) (l : list Z) : list Z :=
  match l with [] => [] | q :: rest => let T := (S + q)%Z in T :: integer_sums T rest end.

(** resolve_ties: parity is that of the sum of f so far, before that of the prefix that ends at the
    tie before, if there is one.  The first tie adds nothing. *)
Fixpoint resolved (parity : bool) (before : option bool) (items : list item) : list Z :=
  match items with
  | [] => []
  | (f, tie) :: rest =>
    let here := xorb parity (Z.odd f) in
    if tie then
      (f + match before with None => 0 | Some b => bit (xorb here b) end)%Z
        :: resolved here (Some here) rest
    else f :: resolved here before rest
  end.

(** What the first tie adds, to the outputs from there on, depends on the carry-in S. *)
Fixpoint add_first_tie (S : Z) (parity : bool) (items : list item) (sums : list Z) : list Z :=
  match items, sums with
  | (f, tie) :: rest, T :: others =>
    let here := xorb parity (Z.odd f) in
    if tie then map (fun T => T + bit (xorb (Z.odd S) here))%Z (T :: others)
    else T :: add_first_tie S here rest others
  | _, _ => []
  end.

(** Behind a tie the parity of the sum is known without the carry-in. *)
Lemma behind_tie : forall items S parity b, Z.odd S = xorb parity b ->
  item_sums S items = integer_sums S (resolved parity (Some b) items).
Proof.
  induction items as [| [f tie] rest IH]; intros S parity b H; [reflexivity |].
  simpl. unfold add_item; simpl. destruct tie.
  - assert (E : Z.odd (S + f) = xorb (xorb parity (Z.odd f)) b).
    { rewrite Z.odd_add, H. destruct parity, b, (Z.odd f); reflexivity. }
    cbn [integer_sums]. rewrite E, Z.add_assoc. f_equal. apply IH.
    rewrite Z.odd_add, E. destruct parity, b, (Z.odd f); reflexivity.
  - simpl. f_equal. apply IH. rewrite Z.odd_add, H. destruct parity, b, (Z.odd f); reflexivity.
Qed.

Lemma integer_sums_shift : forall l S d,
  integer_sums (S + d) l = map (fun T => T + d)%Z (integer_sums S l).
Proof.
  induction l as [| q rest IH]; intros S d; [reflexivity |]. simpl.
  replace (S + d + q)%Z with (S + q + d)%Z by ring. now rewrite IH.
Qed.

Lemma before_tie : forall items S0 S parity, Z.odd S = xorb (Z.odd S0) parity ->
  item_sums S items = add_first_tie S0 parity items (integer_sums S (resolved parity None items)).
Proof.
  induction items as [| [f tie] rest IH]; intros S0 S parity H; [reflexivity |].
  simpl. unfold add_item; simpl. destruct tie.
  - rewrite Z.add_0_r. simpl.
    assert (E : Z.odd (S + f) = xorb (Z.odd S0) (xorb parity (Z.odd f))).
    { rewrite Z.odd_add, H. destruct parity, (Z.odd f), (Z.odd S0); reflexivity. }
    rewrite E. f_equal. rewrite <- integer_sums_shift. apply behind_tie.
    rewrite Z.odd_add, E. destruct parity, (Z.odd f), (Z.odd S0); reflexivity.
  - simpl. f_equal. apply IH. rewrite Z.odd_add, H.
  destruct parity, (Z.odd f), (Z.odd S0); reflexivity.
Qed.

Theorem binade_ties : forall block S, let items := map item_of block in
  next_sums S block = add_first_tie S false items (integer_sums S (resolved false None items)).
Proof.
  intros block S items. rewrite next_sums_items. apply before_tie. now rewrite xorb_false_r.
Qed.

(** * resolve_ties finds the parity at the tie before by one addition of bits

    Lists of bits, the lowest first.  [ripple] is addition, modulo 2^n for n bits. *)

Fixpoint bits_value (l : list bool) : Z :=
  match l with [] => 0%Z | b :: rest => (bit b + 2 * bits_value rest)%Z end.

Fixpoint ripple (x y : list bool) (carry : bool) : list bool :=
  match x, y with
  | a :: x', b :: y' => xorb (xorb a b) carry :: ripple x' y' (a && b || a && carry || b && carry)
  | _, _ => []
  end.

Lemma ripple_adds : forall x y carry, length x = length y ->
  ((bits_value x + bits_value y + bit carry - bits_value (ripple x y carry))
    mod 2 ^ Z.of_nat (length x) = 0)%Z.
Proof.
  induction x as [| a x IH]; intros [| b y] carry H; try discriminate H.
  - simpl. apply Z.mod_1_r.
  - cbn [length ripple bits_value]. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
    set (c := (a && b || a && carry || b && carry)%bool).
    specialize (IH y c ltac:(simpl in H; lia)).
    replace (bit a + 2 * bits_value x + (bit b + 2 * bits_value y) + bit carry
      - (bit (xorb (xorb a b) carry) + 2 * bits_value (ripple x y c)))%Z
      with (2 * (bits_value x + bits_value y + bit c - bits_value (ripple x y c)))%Z.
    + rewrite Z.mul_mod_distr_l by (try lia; apply Z.pow_nonzero; lia). now rewrite IH.
    + unfold c. destruct a, b, carry; cbn [xorb orb andb bit]; ring.
Qed.

Fixpoint both (x y : list bool) : list bool :=
  match x, y with a :: x', b :: y' => (a && b)%bool :: both x' y' | _, _ => [] end.
(** One place up; b comes in below, and the highest bit is lost. *)
Fixpoint shifted (b : bool) (x : list bool) : list bool :=
  match x with [] => [] | a :: rest => b :: shifted a rest end.
(** At each tie the parity at the tie before it, or before if there is none. *)
Fixpoint at_tie_before (before : bool) (ties parity : list bool) : list bool :=
  match ties, parity with
  | t :: ties', q :: parity' => (t && before)%bool :: at_tie_before (if t then q else before)
    ties' parity'
  | _, _ => []
  end.

(** before = (~ties + ((parity & ties) << 1)) & ties *)
Lemma tie_bits_from : forall ties parity low carry, length ties = length parity ->
  (low && carry)%bool = false ->
  both (ripple (map negb ties) (shifted low (both parity ties)) carry) ties
    = at_tie_before (low || carry) ties parity.
Proof.
  induction ties as [| t ties IH]; intros [| q parity] low carry H HC; try discriminate H;
    [reflexivity |].
  cbn [map both shifted ripple at_tie_before]. injection H as H.
  destruct t, low, carry, q; try discriminate HC; cbn [negb andb orb xorb]; f_equal;
    first [ exact (IH parity true false H eq_refl) | exact (IH parity false true H eq_refl)
          | exact (IH parity false false H eq_refl) ].
Qed.

Theorem binade_tie_bits : forall ties parity, length ties = length parity ->
  both (ripple (map negb ties) (shifted false (both parity ties)) false) ties
    = at_tie_before false ties parity.
Proof. intros ties parity H. now apply (tie_bits_from ties parity false false). Qed.

(** prefix_parity: bit i of the answer is the parity of the bits 0 to i, for all 2^16 arguments. *)
Definition prefix_parity (bits : N) : N :=
  let a := N.lxor bits (N.shiftl bits 1) in let b := N.lxor a (N.shiftl a 2) in
  let c := N.lxor b (N.shiftl b 4) in N.lxor c (N.shiftl c 8).

Fixpoint parity_is_right (n : nat) (i : N) (parity : bool) (bits answer : N) : bool :=
  match n with
  | O => true
  | S n' => let here := xorb parity (N.testbit bits i) in
    Bool.eqb (N.testbit answer i) here && parity_is_right n' (N.succ i) here bits answer
  end.

Fixpoint from (n : nat) (i : N) : list N :=
  match n with O => [] | S n' => i :: from n' (N.succ i) end.

Lemma from_in : forall n i k, (i <= k < i + N.of_nat n)%N -> In k (from n i).
Proof.
  induction n as [| n IH]; intros i k H; [lia |]. simpl.
  destruct (N.eq_dec i k) as [E | N]; [now left | right]. apply IH. lia.
Qed.

Theorem binade_prefix_parity : forall bits, (bits < 2 ^ 16)%N ->
  parity_is_right 16 0 false bits (prefix_parity bits) = true.
Proof.
  assert (All : forallb (fun b => parity_is_right 16 0 false b (prefix_parity b))
    (from (N.to_nat (2 ^ 16)) 0) = true) by (vm_compute; reflexivity).
  intros bits H. rewrite forallb_forall in All. apply All, from_in. rewrite N2Nat.id. lia.
Qed.

(** * Encodings are added modulo 2^32 *)

(** Two encodings in the range, which is 2^23 long, that differ by q modulo 2^32 differ by q. *)
Theorem binade_modulo : forall low e e' q,
  (low <= e <= low + 2 ^ 23)%Z -> (low <= e' <= low + 2 ^ 23)%Z -> (- 2 ^ 31 <= q <= 2 ^ 31)%Z ->
  ((e + q - e') mod 2 ^ 32 = 0)%Z -> e' = (e + q)%Z.
Proof.
  intros low e e' q H H' Hq Hm. apply Z.mod_divide in Hm; [| lia]. destruct Hm as [m Hm]. lia.
Qed.
