# SPDX-License-Identifier: MIT
"""The golden files: outputs of Microsoft's DirectML, bit for bit, in its layouts."""

import json
import pathlib

import cumsum
import numpy
import pytest
from array_samples import same_bits
from numpy.lib.stride_tricks import as_strided

GOLDEN = pathlib.Path(__file__).parents[2] / "tests" / "golden"
FILES = sorted(GOLDEN.glob("*/*.json"))


def values(resource):
    """A resource's contents, without padding after an odd number of float16 elements."""
    dtype = numpy.dtype(resource["initialValuesDataType"].lower())
    given = resource["initialValues"]
    if isinstance(given, dict):
        return numpy.full(given["valueCount"], dtype.type(given["value"]), dtype)
    parse = float if dtype.kind == "f" else int
    wide = [parse(value) for value in given]
    with numpy.errstate(over="ignore"):
        return numpy.array(wide, "f8" if dtype.kind == "f" else dtype).astype(dtype)


def view(memory, tensor):
    sizes = tensor["Sizes"]
    strides = tensor.get("Strides")
    if strides is None:
        strides = [int(numpy.prod(sizes[d + 1 :])) for d in range(len(sizes))]
    return as_strided(memory, sizes, [stride * memory.itemsize for stride in strides])


def options(dispatchable):
    """A case file's words, in lower case with hyphens, are the values of arguments."""
    names = {"halfStore": "half_store", "halfAccumulator": "half_accumulator"}
    numerics = dispatchable.get("numerics", {})
    return {names[name]: word.lower().replace("_", "-") for name, word in numerics.items()}


def dispatches(model):
    """The dispatches in order, each with the resources as the earlier ones left them."""
    state = {name: values(resource) for name, resource in model["resources"].items()}
    for command in model["commands"]:
        if command["type"] == "dispatch":
            dispatchable = model["dispatchables"][command["dispatchable"]]
            yield dispatchable, command["bindings"], state


def summed(dispatchable, bindings, state):
    """(input before, output computed, output expected)"""
    desc = dispatchable["desc"]
    x = view(state[bindings["InputTensor"]], desc["InputTensor"])
    out = view(state[bindings["OutputTensor"]], desc["OutputTensor"])
    expected = view(state[bindings["OutputTensor"] + ".expected"], desc["OutputTensor"])
    before = x.copy()
    cumsum.cumsum(x, desc["Axis"], out=out, **directions(desc), **options(dispatchable))
    return before, out, expected


def directions(desc):
    return {
        "exclusive": bool(desc["HasExclusiveSum"]),
        "reverse": desc["AxisDirection"].endswith("DECREASING"),
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden(path):
    count = 0
    for dispatchable, bindings, state in dispatches(json.loads(path.read_text())):
        desc = dispatchable["desc"]
        x, out, expected = summed(dispatchable, bindings, state)
        assert same_bits(out, expected), dispatchable
        assert cumsum.judge(x, expected, desc["Axis"], **directions(desc)), dispatchable
        assert cumsum.validate(desc), dispatchable
        count += 1
    assert count


def test_there_are_golden_files():
    assert len(FILES) >= 23
