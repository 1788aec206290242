# SPDX-License-Identifier: MIT
"""Random names of the suite's cases (docs/suite.md, "Names"). A seed gives the same names everywhere."""
import random

FLOAT_DATA = ("mask small-integers uniform normal log-uniform cancelling ties zeros subnormal subnormal-sums "
              "nan-poison infinity-poison").split()
INTEGER_DATA = "mask small-integers full-range carry-16 extremes".split()
ORDERS = "sequential blocked exact".split()
STORES = ["", "-toward-zero", "-ieee", "-half"]


def numerics(draw, kind):
    if kind == "float32":
        return draw.choice(ORDERS) + draw.choice(["", "", "-flush"])
    if kind == "float16":
        order = draw.choice(ORDERS)
        return order if order == "exact" else order + draw.choice(STORES)
    return "wrap"


def sizes(draw):
    """Up to about 2^15 elements in 1 to 8 dimensions; only tensors of few dimensions get long ones."""
    rank = draw.choice([1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8])
    budget = 2 ** draw.uniform(0, 15)
    chosen = []
    for _ in range(rank):
        longest = 14 if rank < 3 else 5
        chosen.append(max(1, int(min(budget, 2 ** draw.uniform(0, longest)))))
        budget = max(1, budget / chosen[-1])
    draw.shuffle(chosen)
    return chosen


def layout(draw, of_sizes, may_broadcast):
    """Packed, or strides: dimensions in any order, gaps behind some of them and between elements."""
    if draw.random() < 0.4:
        return "packed"
    order = list(range(len(of_sizes)))
    draw.shuffle(order)
    strides = [0] * len(of_sizes)
    step = draw.choice([1, 1, 2, 3])
    for dimension in order:
        strides[dimension] = step
        step *= of_sizes[dimension] + draw.choice([0, 0, 0, 1, 2])
    if may_broadcast and draw.random() < 0.3:
        strides[draw.randrange(len(strides))] = 0
    return "x".join(map(str, strides))


def tensors(draw, of_sizes):
    if draw.random() < 0.25:
        return f"in-{layout(draw, of_sizes, False)}.in-place"
    return (f"in-{layout(draw, of_sizes, True)}{draw.choice(['', '', '+16', '+48'])}."
            f"out-{layout(draw, of_sizes, False)}{draw.choice(['', '', '+16'])}")


def name(draw):
    kind = draw.choice("float32 float16 int32 uint32 int64 uint64".split())
    of_sizes = sizes(draw)
    data = FLOAT_DATA if kind.startswith("float") else INTEGER_DATA + ["carry-32"] * ("64" in kind)
    return ".".join([
        kind, numerics(draw, kind), draw.choice(["increasing", "decreasing"]),
        draw.choice(["inclusive", "exclusive"]), "x".join(map(str, of_sizes)),
        f"axis{draw.randrange(len(of_sizes))}", tensors(draw, of_sizes), draw.choice(data),
        f"seed{draw.getrandbits(63)}"
    ])


def names(seed, count):
    draw = random.Random(seed)
    return [name(draw) for _ in range(count)]
