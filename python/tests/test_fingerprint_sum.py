# SPDX-License-Identifier: MIT
"""fingerprint_sum(): trees of known programs, and of NumPy."""

import math
import random

import cumsum
import numpy
import pytest


def sequential(x):
    return numpy.add.accumulate(x)[-1]


def pairwise(x):
    x = list(x)
    while len(x) > 1:
        x = [a + b for a, b in zip(x[::2], x[1::2])] + x[len(x) & ~1 :]
    return x[0]


def lanes(x, count, outer):
    return outer([sequential(x[k::count]) for k in range(count)])


def blocks(x, size, inner, outer):
    return outer([inner(x[k : k + size]) for k in range(0, len(x), size)])


KNOWN = {
    "sequential": sequential,
    "pairwise": pairwise,
    "right-to-left": lambda x: sequential(x[::-1]),
    "strided-8 of pairwise": lambda x: lanes(x, 8, pairwise),
    "strided-16 of sequential": lambda x: lanes(x, 16, sequential),
    "pairwise-4 of sequential": lambda x: blocks(x, 4, pairwise, sequential),
    "sequential-16 of pairwise": lambda x: blocks(x, 16, sequential, pairwise),
    "strided-4-32 of pairwise-4 of sequential": lambda x: blocks(
        x, 32, lambda part: lanes(part, 4, pairwise), sequential
    ),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", KNOWN)
def test_known_trees(name, dtype):
    found = cumsum.fingerprint_sum(KNOWN[name], dtype)
    assert str(found) == f"128 terms: {name}"


def test_tree():
    assert cumsum.fingerprint_sum(sequential, length=4).tree == (((0, 1), 2), 3)


def test_deepest_trees():
    found = cumsum.fingerprint_sum(lambda x: sequential(x[::-1]), length=512)
    assert found.name == "right-to-left"
    assert cumsum.fingerprint_sum(sequential, length=512).name == "sequential"


def test_random_trees():
    """The tree that is found has the additions that were made."""
    generator = random.Random(1)
    for _ in range(5):
        n = generator.randrange(4, 60)
        parts = list(range(n))
        while len(parts) > 1:
            generator.shuffle(parts)
            parts.append((parts.pop(), parts.pop()))

        def evaluate(tree, x):
            if isinstance(tree, int):
                return x[tree]
            return evaluate(tree[0], x) + evaluate(tree[1], x)

        def unordered(tree):
            return tree if isinstance(tree, int) else frozenset(map(unordered, tree))

        found = cumsum.fingerprint_sum(lambda x: evaluate(parts[0], x), length=n)
        assert unordered(found.tree) == unordered(parts[0])


def test_no_trees():
    assert cumsum.fingerprint_sum(math.fsum).name == "exact"
    nothing = cumsum.fingerprint_sum(lambda x: 0.5)
    assert nothing.name is None and nothing.tree is None and str(nothing) == "128 terms: no tree"
    assert cumsum.fingerprint_sum(lambda x: sequential(x[1:])).tree is None


def test_numpy():
    """NumPy adds in eight lanes, and halves what is longer than 128."""
    assert cumsum.fingerprint_sum(numpy.sum, length=8).name is not None
    assert cumsum.fingerprint_sum(numpy.sum, length=128).name == "strided-8 of pairwise"
    longer = cumsum.fingerprint_sum(numpy.sum, length=512).name
    assert longer == "strided-8-128 of pairwise"
    rows = cumsum.fingerprint_sum(lambda x: numpy.stack([x, x], 1).sum(axis=0)[0])
    assert rows.name == "sequential"


def test_arguments():
    with pytest.raises(ValueError, match="dtype is 'int32', and must be one of"):
        cumsum.fingerprint_sum(numpy.sum, "int32")
    for length in (1, 2049):
        with pytest.raises(RuntimeError, match=f"'{length}' is not a number from 4 to 2048"):
            cumsum.fingerprint_sum(numpy.sum, length=length)


@pytest.mark.filterwarnings("error")
def test_overflows_are_not_warned_of():
    """The large number of float16 overflows where it is added twice."""
    assert cumsum.fingerprint_sum(lambda x: numpy.sum(x * x.dtype.type(4)) / 4, "float16") is not None
