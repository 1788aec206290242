(* SPDX-License-Identifier: MIT *)
(** Stores of binary32 in 16 bits are monotonic: [half_store] of src/oracle/exact/binary_format.h,
    operation by operation, for numbers that are not NaN (docs/oracle.md, "Models").

    A number is given by its rank, the steps from 0 to it: for a positive number its encoding
      without
    the sign bit, and minus that for a negative one.  Infinity is the rank 0x7F800000 of binary32.
    *)

From Coq Require Import Reals ZArith Psatz Lia Lra Bool List.
From Flocq Require Import Core.
Import ListNotations.
Open Scope Z_scope.

(** * Binary32 by rank *)

(** [format_significand]: a number is significand * 2^shift, in units of 2^-149. *)
Definition shift_of (m : Z) : Z := Z.max (m / 2 ^ 23 - 1) 0.
Definition significand_of (m : Z) : Z :=
  if m / 2 ^ 23 =? 0 then m mod 2 ^ 23 else m mod 2 ^ 23 + 2 ^ 23.

Lemma significand_bounds : forall m, 0 <= m ->
  0 <= significand_of m < 2 ^ 24 /\ (1 <= shift_of m -> 2 ^ 23 <= significand_of m).
Proof.
  intros m Hm. unfold significand_of, shift_of. pose proof (Z.mod_pos_bound m (2 ^ 23) ltac:(lia)).
  destruct (Z.eqb_spec (m / 2 ^ 23) 0); lia.
Qed.

(** A greater magnitude has a greater shift, or the same and a greater significand. *)
Lemma significand_order : forall a b, 0 <= a < b ->
  shift_of a < shift_of b \/ (shift_of a = shift_of b /\ significand_of a < significand_of b).
Proof.
  intros a b H. unfold shift_of, significand_of.
  pose proof (Z.div_mod a (2 ^ 23) ltac:(lia)). pose proof (Z.div_mod b (2 ^ 23) ltac:(lia)).
  pose proof (Z.mod_pos_bound a (2 ^ 23) ltac:(lia)).
  pose proof (Z.mod_pos_bound b (2 ^ 23) ltac:(lia)).
  assert (a / 2 ^ 23 <= b / 2 ^ 23) by (apply Z.div_le_mono; lia).
  pose proof (Z.div_pos a (2 ^ 23) ltac:(lia) ltac:(lia)).
  destruct (Z.eqb_spec (a / 2 ^ 23) 0), (Z.eqb_spec (b / 2 ^ 23) 0); lia.
Qed.

Definition units_of (m : Z) : Z := significand_of m * 2 ^ shift_of m.
Definition units (rank : Z) : Z := Z.sgn rank * units_of (Z.abs rank).
(** The value of the binary32 number of a rank. *)
Definition value32 (rank : Z) : R := (IZR (units rank) * bpow radix2 (-149))%R.

Lemma units_of_mono : forall a b, 0 <= a < b -> units_of a < units_of b.
Proof.
  intros a b H. unfold units_of.
  pose proof (significand_bounds a ltac:(lia)) as [Ba _].
  pose proof (significand_bounds b ltac:(lia)) as [Bb Nb].
  assert (Sa : 0 <= shift_of a) by (unfold shift_of; lia).
  destruct (significand_order a b H) as [Hs | [-> Hs]].
  - assert (Hp : 2 ^ shift_of b = 2 ^ shift_of a * 2 ^ (shift_of b - shift_of a)).
    { rewrite <- Z.pow_add_r by lia. f_equal. lia. }
    assert (2 ^ 1 <= 2 ^ (shift_of b - shift_of a)) by (apply Z.pow_le_mono_r; lia).
    assert (0 < 2 ^ shift_of a) by (apply Z.pow_pos_nonneg; lia).
    specialize (Nb ltac:(lia)). rewrite Hp. nia.
  - assert (0 < 2 ^ shift_of b) by (apply Z.pow_pos_nonneg; unfold shift_of; lia). nia.
Qed.

(** A function of magnitudes keeps its steps of c or more when it takes the sign. *)
Lemma signed_mono : forall c f, 0 <= c -> (forall m, 0 < m -> c <= f m) ->
  (forall a b, 0 <= a < b -> f a + c <= f b) ->
  forall a b, a < b -> Z.sgn a * f (Z.abs a) + c <= Z.sgn b * f (Z.abs b).
Proof.
  intros c f Hc P M a b H.
  destruct (Z.compare_spec a 0) as [-> | Ha | Ha], (Z.compare_spec b 0) as [-> | Hb | Hb]; try lia.
  - rewrite (Z.sgn_pos b), (Z.abs_eq b) by lia. specialize (P b Hb). simpl Z.sgn. lia.
  - rewrite (Z.sgn_neg a), (Z.abs_neq a) by lia. specialize (P (- a) ltac:(lia)). simpl Z.sgn. lia.
  - rewrite (Z.sgn_neg a), (Z.sgn_neg b), !Z.abs_neq by lia. specialize (M (- b) (- a)). lia.
  - rewrite (Z.sgn_neg a), (Z.sgn_pos b), (Z.abs_neq a), (Z.abs_eq b) by lia.
    pose proof (P (- a) ltac:(lia)). specialize (P b Hb). lia.
  - rewrite (Z.sgn_pos a), (Z.sgn_pos b), !Z.abs_eq by lia. specialize (M a b). lia.
Qed.

Lemma units_mono : forall a b, a < b -> units a < units b.
Proof.
  intros a b H. enough (units a + 1 <= units b) by lia. apply signed_mono; try lia.
  - intros m Hm. pose proof (units_of_mono 0 m ltac:(lia)). change (units_of 0) with 0 in *. lia.
  - intros x y Hxy. pose proof (units_of_mono x y Hxy). lia.
Qed.

Lemma value32_order : forall a b, (value32 a <= value32 b)%R -> a <= b.
Proof.
  intros a b H. destruct (Z_le_gt_dec a b) as [L | G]; [exact L | exfalso].
  pose proof (units_mono b a ltac:(lia)) as HU. apply IZR_lt in HU.
  unfold value32 in H. apply Rmult_le_reg_r in H; [lra | apply bpow_gt_0].
Qed.

(** * The store *)

(** The significand without its last d bits, truncated or rounded to nearest even. *)
Definition drop_bits (nearest : bool) (d s : Z) : Z :=
  let rest := s mod 2 ^ d in let half := 2 ^ (d - 1) in
  s / 2 ^ d + (if nearest && ((half <? rest) || ((rest =? half) && Z.odd (s / 2 ^ d))) then 1 else
    0).

Lemma drop_bits_bounds : forall nearest d s, s / 2 ^ d <= drop_bits nearest d s <= s / 2 ^ d + 1.
Proof. intros nearest d s. unfold drop_bits. destruct (nearest && _); lia. Qed.

Lemma drop_bits_mono : forall nearest d a b, 1 <= d -> a <= b ->
  drop_bits nearest d a <= drop_bits nearest d b.
Proof.
  intros nearest d a b Hd H.
  assert (HP : 0 < 2 ^ d) by (apply Z.pow_pos_nonneg; lia).
  assert (a / 2 ^ d <= b / 2 ^ d) by (apply Z.div_le_mono; lia).
  destruct (Z.eq_dec (a / 2 ^ d) (b / 2 ^ d)) as [E | N].
  - unfold drop_bits. rewrite <- E.
    pose proof (Z.div_mod a (2 ^ d) ltac:(lia)). pose proof (Z.div_mod b (2 ^ d) ltac:(lia)).
    assert (a mod 2 ^ d <= b mod 2 ^ d) by nia.
    destruct nearest; simpl andb; [| lia].
    destruct (Z.ltb_spec (2 ^ (d - 1)) (a mod 2 ^ d)), (Z.ltb_spec (2 ^ (d - 1)) (b mod 2 ^ d)),
      (Z.eqb_spec (a mod 2 ^ d) (2 ^ (d - 1))), (Z.eqb_spec (b mod 2 ^ d) (2 ^ (d - 1))),
      (Z.odd (a / 2 ^ d)); simpl; lia.
  - pose proof (drop_bits_bounds nearest d a). pose proof (drop_bits_bounds nearest d b). lia.
Qed.

(** Significands below 2^24 give at most 2^(24 - d), and 0 if d is 25; those from 2^23 on at least
    2^(23 - d), and 0 or more if d is 24 or 25. *)
Lemma drop_bits_upper : forall nearest d s, 0 <= s < 2 ^ 24 -> 1 <= d <= 25 ->
  2 * drop_bits nearest d s <= 2 ^ (25 - d).
Proof.
  intros nearest d s Hs Hd. destruct (Z.eq_dec d 25) as [-> | N].
  - unfold drop_bits. rewrite Z.div_small, Z.mod_small by lia.
    destruct (Z.ltb_spec (2 ^ (25 - 1)) s) as [L | L]; [simpl in L; lia |].
    destruct (Z.eqb_spec s (2 ^ (25 - 1))) as [E | E]; [simpl in E; lia |].
    now rewrite andb_false_r.
  - pose proof (drop_bits_bounds nearest d s).
    replace (25 - d) with (Z.succ (24 - d)) by lia. rewrite Z.pow_succ_r by lia.
    assert (s / 2 ^ d < 2 ^ (24 - d)); [| lia].
    apply Z.div_lt_upper_bound; [apply Z.pow_pos_nonneg; lia |]. rewrite <- Z.pow_add_r by lia.
    now replace (d + (24 - d)) with 24 by ring.
Qed.

Lemma drop_bits_lower : forall nearest d s, 2 ^ 23 <= s -> 1 <= d <= 25 ->
  2 ^ (24 - d) <= 2 * drop_bits nearest d s + 1.
Proof.
  intros nearest d s Hs Hd. pose proof (drop_bits_bounds nearest d s).
  assert (0 < 2 ^ d) by (apply Z.pow_pos_nonneg; lia).
  pose proof (Z.div_pos s (2 ^ d) ltac:(lia) ltac:(lia)).
  destruct (Z_le_gt_dec d 23) as [D | D].
  - replace (24 - d) with (Z.succ (23 - d)) by lia. rewrite Z.pow_succ_r by lia.
    assert (2 ^ (23 - d) <= s / 2 ^ d); [| lia].
    apply Z.div_le_lower_bound; [lia |]. rewrite <- Z.pow_add_r by lia.
    now replace (d + (23 - d)) with 23 by ring.
  - assert (2 ^ (24 - d) <= 2 ^ 0) by (apply Z.pow_le_mono_r; lia). lia.
Qed.

Section Format.

(** binary16: least = 13, lowest = 112, infinity = 0x7C00; bfloat16: 16, 0, 0x7F80. *)
Variables least lowest infinity : Z.
Hypothesis least_bounds : 1 <= least <= 23.
Hypothesis lowest_ge_0 : 0 <= lowest.

Definition drop (shift : Z) : Z :=
  Z.min 25 (if lowest <=? shift then least else least + (lowest - shift)).
Definition exponent (shift : Z) : Z := if lowest <=? shift then shift - lowest else 0.
(** Before infinity takes what is too large. *)
Definition narrow (nearest : bool) (m : Z) : Z :=
  exponent (shift_of m) * 2 ^ (23 - least) + drop_bits nearest (drop (shift_of m)) (significand_of
    m).

Lemma drop_bounds : forall shift, 1 <= drop shift <= 25.
Proof. intros shift. unfold drop. destruct (Z.leb_spec lowest shift); lia. Qed.

Lemma narrow_mono : forall nearest a b, 0 <= a <= b -> narrow nearest a <= narrow nearest b.
Proof.
  intros nearest a b H. destruct (Z.eq_dec a b) as [-> | N]; [lia |]. unfold narrow.
  pose proof (significand_bounds a ltac:(lia)) as [Ba _].
  pose proof (significand_bounds b ltac:(lia)) as [_ Nb].
  pose proof (drop_bounds (shift_of a)) as Da. pose proof (drop_bounds (shift_of b)) as Db.
  destruct (significand_order a b ltac:(lia)) as [Hs | [E Hs]].
  - specialize (Nb ltac:(unfold shift_of in *; lia)).
    pose proof (drop_bits_upper nearest _ _ Ba Da). pose proof (drop_bits_lower nearest _ _ Nb Db).
    set (x := drop_bits nearest (drop (shift_of a)) _) in *.
    set (y := drop_bits nearest (drop (shift_of b)) _) in *.
    assert (H2 : 0 < 2 ^ (23 - least)) by (apply Z.pow_pos_nonneg; lia).
    assert (Hd : drop (shift_of b) <= drop (shift_of a)).
    { unfold drop.
      destruct (Z.leb_spec lowest (shift_of a)), (Z.leb_spec lowest (shift_of b)); lia. }
    assert (Up : drop (shift_of b) < drop (shift_of a) \/ drop (shift_of b) = 25 -> x <= y).
    { intros [D | D].
      - assert (2 ^ (25 - drop (shift_of a)) <= 2 ^ (24 - drop (shift_of b)))
          by (apply Z.pow_le_mono_r; lia). lia.
      - replace (drop (shift_of a)) with 25 in * by lia. rewrite D in *.
        change (2 ^ (25 - 25)) with 1 in *. change (2 ^ (24 - 25)) with 0 in *. lia. }
    unfold exponent, drop in *.
    destruct (Z.leb_spec lowest (shift_of a)), (Z.leb_spec lowest (shift_of b)); try lia.
    + (* both are normal *)
      rewrite Z.min_r in * by lia.
      replace (25 - least) with (23 - least + 2) in * by ring.
      replace (24 - least) with (23 - least + 1) in * by ring.
      rewrite Z.pow_add_r in * by lia. nia.
    + (* the smaller one is subnormal *)
      specialize (Up ltac:(lia)). nia.
  - rewrite E. pose proof (drop_bits_mono nearest (drop (shift_of b)) _ _ (proj1 (drop_bounds _))
      (Z.lt_le_incl _ _ Hs)). lia.
Qed.

(** Magnitudes above the limit become infinity: above 65504 in the stores of DirectML; above the
    greatest finite number, 0x7F7FFFFF, where IEEE 754's rule decides. *)
Definition store_magnitude (nearest : bool) (limit m : Z) : Z :=
  if limit <? m then infinity else Z.min infinity (narrow nearest m).

Lemma store_magnitude_mono : forall nearest limit a b, 0 <= a <= b ->
  store_magnitude nearest limit a <= store_magnitude nearest limit b.
Proof.
  intros nearest limit a b H. unfold store_magnitude. pose proof (narrow_mono nearest a b H).
  destruct (Z.ltb_spec limit a), (Z.ltb_spec limit b); lia.
Qed.

Lemma store_magnitude_ge_0 : forall nearest limit m, 0 <= infinity -> 0 <= m ->
  0 <= store_magnitude nearest limit m.
Proof.
  intros nearest limit m Hi Hm. unfold store_magnitude. destruct (Z.ltb_spec limit m); [exact Hi |].
  apply Z.min_glb; [exact Hi |]. unfold narrow.
  pose proof (significand_bounds m Hm) as [B _].
  pose proof (drop_bits_bounds nearest (drop (shift_of m)) (significand_of m)).
  pose proof (Z.div_pos (significand_of m) (2 ^ drop (shift_of m)) ltac:(lia)
    ltac:(apply Z.pow_pos_nonneg; pose proof (drop_bounds (shift_of m)); lia)).
  assert (0 <= exponent (shift_of m)) by (unfold exponent;
    destruct (Z.leb_spec lowest (shift_of m)); lia).
  assert (0 < 2 ^ (23 - least)) by (apply Z.pow_pos_nonneg; lia). nia.
Qed.

(** From rank to rank. *)
Definition store (nearest : bool) (limit rank : Z) : Z :=
  Z.sgn rank * store_magnitude nearest limit (Z.abs rank).

Lemma store_mono : forall nearest limit a b, 0 <= infinity -> a <= b ->
  store nearest limit a <= store nearest limit b.
Proof.
  intros nearest limit a b Hi H. destruct (Z.eq_dec a b) as [-> | N]; [apply Z.le_refl |].
  rewrite <- (Z.add_0_r (store nearest limit a)). apply signed_mono; try lia.
  - intros m Hm. apply store_magnitude_ge_0; lia.
  - intros x y Hxy. pose proof (store_magnitude_mono nearest limit x y). lia.
Qed.

End Format.

(** For every rounding and every limit: the stored ranks are in the order of the binary32 values. *)
Theorem store_binary16 : forall nearest limit a b, (value32 a <= value32 b)%R ->
  store 13 112 0x7C00 nearest limit a <= store 13 112 0x7C00 nearest limit b.
Proof. intros. apply store_mono; try lia. now apply value32_order. Qed.

Theorem store_bfloat16 : forall nearest limit a b, (value32 a <= value32 b)%R ->
  store 16 0 0x7F80 nearest limit a <= store 16 0 0x7F80 nearest limit b.
Proof. intros. apply store_mono; try lia. now apply value32_order. Qed.

(** The same encodings as IEEE 754's: 1; 65504, the float above it, the last float below 65520, and
    65520; the greatest float that is stored as 0, the one above it,
      and the smallest normal number. *)
Example ieee_binary16 :
  map (store 13 112 0x7C00 true 0x7F7FFFFF)
    [0x3F800000; 0x477FE000; 0x477FE001; 0x477FEFFF; 0x477FF000; 0x33000000; 0x33000001; 0x38800000]
  = [0x3C00; 0x7BFF; 0x7BFF; 0x7BFF; 0x7C00; 0; 1; 0x400].
Proof. reflexivity. Qed.

Example directml_binary16 :
  map (store 13 112 0x7C00 true 0x477FE000) [0x477FE000; 0x477FE001]
  = [0x7BFF; 0x7C00].
Proof. reflexivity. Qed.

Example ieee_bfloat16 :
  map (store 16 0 0x7F80 true 0x7F7FFFFF)
    [0x3F800000; 0x3F808000; 0x3F808001; 0x7F7FFFFF; 0x7F800000; 1; 0x8000; 0x8001]
  = [0x3F80; 0x3F80; 0x3F81; 0x7F80; 0x7F80; 0; 0; 1].
Proof. reflexivity. Qed.
