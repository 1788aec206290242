# SPDX-License-Identifier: MIT
"""What additions in some order give, by the exact rules of tests/anyorder/rules.py, which tries every
tree: the rules as the module `exact`, and sets of outputs of NumPy arrays.

An output is the integer that its bits are, with one NaN and one zero."""

import importlib.util
import pathlib
import sys

import numpy

_PATH = pathlib.Path(__file__).parents[1] / "anyorder" / "rules.py"
_SPEC = importlib.util.spec_from_file_location("exact_rules", _PATH)
exact = importlib.util.module_from_spec(_SPEC)
sys.modules[_SPEC.name] = exact  # dataclasses look for it there
_SPEC.loader.exec_module(exact)


def bits(x):
    """The bits of each element."""
    x = numpy.atleast_1d(x)
    return [int(word) for word in x.view(f"uint{8 * x.dtype.itemsize}")]


def form(dtype):
    return exact.FORMATS[numpy.dtype(dtype).name.upper()]


def number(dtype, output):
    """The number of this type that has these bits."""
    kind = numpy.dtype(dtype)
    return numpy.array([output], f"uint{8 * kind.itemsize}").view(kind)[0]


def numbers(x):
    """The elements as rationals."""
    return [form(x.dtype).value(word) for word in bits(x)]


def canonical(y):
    """The output that y is."""
    kind = form(y.dtype)
    return kind.bits(kind.value(*bits(y)))


def outputs(profile, x):
    """Every output of a tree over x, and of a wider sum where the profile allows one. `profile` has
    members of exact.Profile; by default additions round to nearest and are no wider."""
    line = exact.Line(exact.Profile(x.dtype.name.upper(), **profile), few=len(x))
    for term in bits(x):
        line.add(term)
    answer = line.answer()
    found = {form(x.dtype).bits(low) for low, _ in answer.intervals}
    return found | ({form(x.dtype).bits(None)} if answer.nan else set())


def is_right(profile, x, y):
    return canonical(y) in outputs(profile, x)


def step(dtype, output, steps):
    """The output that is `steps` steps above another one."""
    kind = form(dtype)
    return kind.of_rank(kind.rank(output) + steps)
