(* SPDX-License-Identifier: MIT *)
(** Short prefixes (docs/oracle.md, "Short prefixes"): the recursion over subsets of the terms finds
    the values of all trees over them, and no others.

    [V] are the values of any arithmetic: numbers, infinities, NaN.  [add a b y] says that y is a
    value that a + b may have, [term x y] that y is one that the term x may have.  So a place that
    may flush has two values.  Addition is commutative; nothing else is asked of it. *)

From Coq Require Import List Permutation.
Import ListNotations.

Section ShortPrefix.

Variable V : Type.
Variable term : V -> V -> Prop.
Variable add : V -> V -> V -> Prop.
Hypothesis add_comm : forall a b y, add a b y -> add b a y.

Inductive tree := Leaf (x : V) | Node (l r : tree).

Fixpoint terms (t : tree) : list V :=
  match t with Leaf x => [x] | Node l r => terms l ++ terms r end.

Inductive tree_value : tree -> V -> Prop :=
| value_leaf : forall x y, term x y -> tree_value (Leaf x) y
| value_node : forall l r a b y, tree_value l a -> tree_value r b -> add a b y ->
    tree_value (Node l r) y.

(** The recursion: the values of a subset are the sums of a value of one part and a value of the
    other, for every way to cut it in two.  The part with the first term comes first. *)
Inductive subset_value : list V -> V -> Prop :=
| subset_one : forall x y, term x y -> subset_value [x] y
| subset_cut : forall x others part rest a b y, Permutation others (part ++ rest) -> rest <> [] ->
    subset_value (x :: part) a -> subset_value rest b -> add a b y ->
    subset_value (x :: others) y.

Lemma terms_not_empty : forall t, terms t <> [].
Proof.
  induction t as [x | l IHl r IHr]; simpl; [discriminate |].
  intros H. apply app_eq_nil in H. now apply IHl.
Qed.

Lemma tree_subset : forall t y, tree_value t y -> forall s, Permutation (terms t) s ->
  subset_value s y.
Proof.
  intros t y H; induction H as [x y Hx | l r a b y Hl IHl Hr IHr Hy]; intros s P; simpl in P.
  - apply Permutation_length_1_inv in P. subst s. now constructor.
  - destruct s as [| x others].
    { apply Permutation_sym, Permutation_nil, app_eq_nil in P. now destruct (terms_not_empty l). }
    assert (Cut : forall t1 t2 a1 a2, Permutation (terms t1 ++ terms t2) (x :: others) ->
      In x (terms t1) -> (forall s, Permutation (terms t1) s -> subset_value s a1) ->
      (forall s, Permutation (terms t2) s -> subset_value s a2) -> add a1 a2 y ->
      subset_value (x :: others) y).
    { intros t1 t2 a1 a2 P' I H1 H2 Ha. apply in_split in I. destruct I as [part1 [part2 E]].
      assert (P1 : Permutation (terms t1) (x :: part1 ++ part2))
        by (rewrite E; apply Permutation_sym, Permutation_middle).
      apply subset_cut with (part1 ++ part2) (terms t2) a1 a2; auto.
      - apply Permutation_cons_inv with x. apply Permutation_sym.
        eapply Permutation_trans; [| exact P']. apply Permutation_sym.
        eapply Permutation_trans; [apply Permutation_app_tail; exact P1 |]. apply Permutation_refl.
      - apply terms_not_empty. }
    assert (I : In x (terms l ++ terms r)).
    { apply Permutation_in with (x :: others); [now apply Permutation_sym | now left]. }
    apply in_app_or in I. destruct I as [I | I].
    + now apply (Cut l r a b).
    + apply (Cut r l b a); auto. eapply Permutation_trans; [apply Permutation_app_comm | exact P].
Qed.

Lemma subset_tree : forall s y, subset_value s y ->
  exists t, Permutation (terms t) s /\ tree_value t y.
Proof.
  intros s y H; induction H as [x y Hx | x others part rest a b y P N H1 IH1 H2 IH2 Hy].
  - exists (Leaf x). split; [apply Permutation_refl | now constructor].
  - destruct IH1 as [t1 [P1 V1]]. destruct IH2 as [t2 [P2 V2]].
    exists (Node t1 t2). split; [| now apply value_node with a b].
    simpl. eapply Permutation_trans; [apply Permutation_app; eassumption |].
    simpl. apply perm_skip. now apply Permutation_sym.
Qed.

Theorem all_trees : forall s y,
  subset_value s y <-> exists t, Permutation (terms t) s /\ tree_value t y.
Proof.
  intros s y. split; [apply subset_tree |].
  intros [t [P H]]. now apply tree_subset with t.
Qed.

End ShortPrefix.
