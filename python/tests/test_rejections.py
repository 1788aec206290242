# SPDX-License-Identifier: MIT
"""What is refused, and the words of the exceptions: they name the argument, and what to give
instead. test_carry, test_dask, test_torch_tensors and test_validation have the rows of their own
objects."""

import functools
import sys

import cumsum
import numpy
import pytest
from array_samples import check_refused
from numpy.lib.stride_tricks import as_strided

X = numpy.arange(6, dtype="float32").reshape(2, 3)
FEW = numpy.ones(3, "float32")
NINE = numpy.zeros((1,) * 9, "float32")
MASKED = numpy.ma.array(X, mask=X == 4)
READ_ONLY = numpy.frombuffer(bytes(12), "float32")
scan, judge, assert_cumsum = cumsum.cumsum, cumsum.judge, cumsum.assert_cumsum
judge_sum, assert_sum = cumsum.judge_sum, cumsum.assert_sum


def f(x, *, axis, exclusive, reverse):
    return x


def of_types():
    """Types that no sum has, by their names in NumPy."""
    names = "bool int8 uint8 int16 uint16 float128 >f4 >i8".split()
    pairs = [(name, name) for name in names]
    pairs += [("S3", "bytes"), ("U3", "str"), ("V4", "void"), ("O", "object")]
    pairs += [("M8[s]", "datetime")]
    for dtype, name in pairs:
        end = "; dtype= converts x" if name[0] == ">" else ""
        if name.startswith(("bool", "int", "uint")):
            end = "; dtype='int64' converts x"
        words = f"^x has elements of type {name}.*; sums are computed of float64, .* uint64, in "
        yield lambda dtype=dtype: scan(numpy.zeros(3, dtype)), TypeError, f"{words}.*{end}$"


def of_words():
    """Words that are none, of every argument that takes words."""
    for name in ("order", "half_accumulator", "half_store", "denormals", "kernel"):
        words = f"{name} is 'fast', and must be one of '"
        yield lambda name=name: scan(X, 0, **{name: "fast"}), ValueError, words
    for name, word in [
        ("orders", "some"), ("half_accumulator", ""), ("half_accumulator", "float64"),
        ("half_store", "up"), ("accept", True), ("accept", "all"), ("types", "NumPy"),
    ]:  # fmt: skip
        words = f"{name} is {word!r}, and must be one of '"
        yield lambda name=name, word=word: judge(X, X, 1, **{name: word}), ValueError, words
    for dtype in (True, 5, 0.5, "complex64", numpy.complex64, bool, "f9", ">f4", numpy.int8):
        shown = numpy.dtype(dtype).name if isinstance(dtype, type) else dtype
        words = f"^dtype is {shown!r}, and must be one of 'float64'"
        yield lambda dtype=dtype: scan(X, 1, dtype), ValueError, words


def of_numbers():
    for axis in (2, -3, 2**70, -(2**70)):
        words = f"axis {axis} is out of bounds for an array of dimension 2"
        for call in (lambda axis=axis: scan(X, axis), lambda axis=axis: judge_sum(X, X, axis)):
            yield call, ValueError, words
    for axis in (0.5, "1", (0, 1), True, numpy.True_, numpy.array(1.0), [1]):
        yield lambda axis=axis: scan(X, axis), TypeError, "axis is .*, and must be an integer"
    for n in (-1, 1025, 2**70):
        words = f"threads is {n}, and must be a number from 0"
        yield lambda n=n: scan(X, 0, threads=n), ValueError, words
    for n in (1.5, None, True):
        words = f"threads is {n}, and must be an integer"
        yield lambda n=n: scan(X, 0, threads=n), TypeError, words
    for value in ("no", "", 0, 1, None, numpy.array([True])):
        for name in ("exclusive", "reverse", "include_initial"):
            words = f"{name} is .*, and must be True or False"
            for function in (functools.partial(scan, X, 1), functools.partial(judge, X, X, 1)):
                yield lambda call=function, given={name: value}: call(**given), TypeError, words
    yield lambda: judge(X, X, 1, reachable=1), TypeError, "reachable is 1, and must be True"
    yield lambda: judge_sum(X, X[:1], 0, measure=1), TypeError, "measure is 1, and must be True"
    yield lambda: cumsum.cumulative_sum(X, axis=0, include_initial=1), TypeError, "True or False"


def of_no_arrays():
    for x in ([1, 2], (1, 2), 3.0, None, "text"):
        hint = r"; numpy.asarray\(\) makes one of a list" if isinstance(x, (list, tuple)) else ""
        words = f"x must be an array of NumPy, .* not <class '{type(x).__name__}'>{hint}$"
        for dtype in (None, "int32"):
            yield lambda x=x, dtype=dtype: scan(x, 0, dtype), TypeError, words
        yield lambda x=x: cumsum.cumulative_sum(x), TypeError, words
        yield lambda x=x: judge(x, FEW), TypeError, words
        yield lambda x=x: judge(FEW, x), TypeError, words.replace("x must", "y must")
        yield lambda x=x: judge_sum(FEW, x), TypeError, words.replace("x must", "y must")
    yield lambda: scan(X, 0, out=[0]), TypeError, "out must be an array"
    for call, name in [
        (lambda: scan(MASKED, 1), "x"), (lambda: scan(X, 1, out=MASKED.copy()), "out"),
        (lambda: judge(X, MASKED, 1), "y"), (lambda: scan(MASKED, 1, "int32"), "x"),
    ]:  # fmt: skip
        yield call, TypeError, rf"{name} has masked elements.* {name}.filled\(0\) has none"


def of_large_arrays():
    """A tensor's extent has a limit. The memory is never touched, and nothing is converted
    first."""
    for shape in ((2**33,), (2**16, 2**16)) if sys.maxsize > 2**33 else ():
        x = numpy.broadcast_to(numpy.int32(0), shape)
        for call in (
            lambda x=x: scan(x, 0), lambda x=x: scan(x, 0, "float16"), lambda x=x: judge(x, x, 0),
            lambda x=x: cumsum.cumulative_sum(x, axis=0), lambda x=x: assert_cumsum(x, x, 0),
        ):  # fmt: skip
            yield call, ValueError, r"x has \d+ elements, but .* at most 4294967295; a Carry sums"


SUCCESSORS = [
    ("strict", "accept='decided'"), ("suspect", "accept='suspect'"), ("profile", "rules="),
    ("doubtful", "accept='suspect'"), ("strict_zero", "rules='zero=signed'"),
    ("order", "orders="), ("rule", "rules="),
]  # fmt: skip


def of_keywords():
    """Keywords that a function does not have: the one that it has."""
    for call in (judge, judge_sum, assert_cumsum, assert_sum):
        for name, instead in SUCCESSORS:
            if name == "order" and call in (assert_cumsum, assert_sum):
                continue
            words = rf"^{call.__name__}\(\) has no argument {name}; give {instead}$"
            yield lambda call=call, name=name: call(FEW, FEW, 0, **{name: True}), TypeError, words
    for call, words in [
        (lambda: judge(FEW, FEW, min_class="one"), r"give at_most= to assert_cumsum\(\) or"),
        (lambda: judge_sum(FEW, FEW, at_most="one"), r"give at_most= to assert_cumsum\(\) or"),
        (lambda: assert_sum(FEW, FEW, min_class="one"), "no argument min_class; give at_most=$"),
        (lambda: judge(FEW, FEW, decreasing=True), r"judge\(\) has no argument decreasing; give r"),
        (lambda: scan(FEW, decreasing=True), r"cumsum\(\) has no argument decreasing; give revers"),
        (lambda: scan(FEW, keepdims=True), "has no argument keepdims; it has axis, carry, denorma"),
        (lambda: cumsum.fingerprint(f, profile="wgsl"), r"fingerprint\(\) has no argument profile"),
        (lambda: cumsum.fingerprint(f, decreasing=True), "has no argument decreasing; give revers"),
        (lambda: cumsum.serve(f, profile="wgsl"), r"serve\(\) has no argument profile; give rules"),
    ]:
        yield call, TypeError, words
    yield lambda: judge(X, X, 1, accept="doubtful"), ValueError, "one of .*; give 'suspect'$"
    yield lambda: assert_sum(X, X.sum(), at_most="any-order"), ValueError, "; give 'worst-case'$"
    for word in ("FAIL", "h<=2", None):
        words = "at_most is .*, and must be one of 'correctly-r"
        yield lambda word=word: assert_cumsum(X, X, 1, at_most=word), ValueError, words


SHARED = as_strided(FEW.copy(), (2, 3), (0, 0))
OTHERS = [
    (lambda: scan(X), ValueError, "axis must be given, since x has 2 dimensions"),
    (lambda: judge(X, X), ValueError, "axis must be given, since x has 2 dimensions"),
    (lambda: scan(numpy.float32(3), 1), ValueError, "axis 1 is out of bounds"),
    (lambda: scan(X, 0, dim=0), TypeError, "axis and dim are two names of one argument"),
    (lambda: judge(X, X, 0, dim=0), TypeError, "axis and dim are two names of one argument"),
    (lambda: scan(X, 0, out=X.astype("i4")), TypeError, "out has type int32, but x has type float"),
    (lambda: scan(X, 0, out=FEW), ValueError, "out has 1 dimensions, but x has 2"),
    (lambda: scan(X, 0, out=X.repeat(2, 1)), ValueError, "out has 6 elements in dimension 1, but"),
    (lambda: scan(FEW, out=READ_ONLY), ValueError, "out is read-only"),
    (lambda: scan(X, 0, out=SHARED), ValueError, "out has elements that share memory"),
    (lambda: scan(X, 1, exclusive=True, include_initial=True), ValueError, "begin with 0 already"),
    (lambda: judge(X, X, 1, exclusive=True, include_initial=True), ValueError, "begin with 0 alre"),
    (lambda: scan(X, 1, include_initial=True, out=X.copy()), ValueError, r"shape \(2, 3\), .* \(2"),
    (lambda: judge(X, X, 1, include_initial=True), ValueError, "y has 3 elements in dimension 1,"),
    (lambda: judge(X, X[1:], 0), ValueError, "y has 1 elements in dimension 0, but x has 2"),
    (lambda: judge(FEW[:0], FEW), ValueError, "y has 3 elements in dimension 0, but x has 0"),
    (lambda: judge(X, X.astype("f2"), 0), TypeError, "y has type float16, but x has type float32"),
    (lambda: judge(X > 0, X > 0, 0), TypeError, "x has elements of type bool; the oracle takes fl"),
    (lambda: judge(FEW, FEW, rules="mars"), ValueError, "mars"),
    (lambda: judge(FEW, FEW, rules=["ieee"]), TypeError, r"rules is \['ieee'\], and must be text"),
    (lambda: judge(FEW, FEW, rules="ieee,accumulator=FLOAT16"), ValueError, "contradicts the type"),
    (lambda: judge(FEW, FEW, rules="ieee", half_store="ieee"), ValueError, "both say in which"),
    (lambda: judge_sum(X, X, (1, -1)), ValueError, "axis -1 is given twice"),
    (lambda: judge_sum(X, X, 1), ValueError, r"shape \(2, 3\), and the sums .* \(2,\) or \(2, 1\)"),
    (lambda: judge_sum(NINE, NINE.sum()), ValueError, "x.DimensionCount is 9, but it must be from"),
    (lambda: judge_sum(X, X.sum().astype("f2")), TypeError, "y has type float16, but x has type"),
    (lambda: cumsum.cumulative_sum(X), ValueError, "axis must be given"),
    (lambda: cumsum.cumulative_sum(X.astype("G"), axis=0), TypeError, "complex256|float128"),
    (lambda: scan(X.astype("f8"), 1, kernel="portable"), NotImplementedError, "kernel reference a"),
    (lambda: cumsum.serve(f, types=("float32", "float")), ValueError, "types is 'float', and must"),
    (lambda: cumsum.serve(f, types="float32"), ValueError, "types is 'f', and must be one of"),
    (lambda: cumsum.serve(f, ranks=(0, 4)), ValueError, r"ranks is \(0, 4\), and must be two numb"),
    (lambda: cumsum.serve(f, ranks=(3, 2)), ValueError, "must be two numbers from 1 to 8"),
    (lambda: cumsum.serve(f, ranks=(1, 2.5)), TypeError, "ranks is 2.5, and must be an integer"),
    (lambda: cumsum.serve(f, strides=1), TypeError, "strides is 1, and must be True or False"),
    (lambda: cumsum.serve(f, directions=["up"]), ValueError, "directions is 'up'"),
    (lambda: cumsum.serve(f, sums=["both"]), ValueError, "sums is 'both'"),
    (lambda: cumsum.serve(f, deterministic="yes"), TypeError, "deterministic is 'yes'"),
    (lambda: cumsum.serve(f, half_accumulator="float64"), ValueError, "half_accumulator is 'float"),
    (lambda: cumsum.serve(f, half_store="NEAREST_EVEN"), ValueError, "half_store is 'NEAREST_EVEN"),
    (lambda: cumsum.serve(f, denormals=""), ValueError, "denormals is ''"),
    (lambda: cumsum.serve(f, total="sum"), TypeError, "total is 'sum', and must be a function"),
    (lambda: cumsum.serve(3), TypeError, "f is 3, and must be a function"),
    (lambda: cumsum.fingerprint(f, "int32"), ValueError, "dtype is 'int32', and must be one of 'f"),
    (lambda: cumsum.fingerprint(f, reverse=1), TypeError, "reverse is 1, and must be True or Fals"),
    (lambda: cumsum.fingerprint_sum(f, "int32"), ValueError, "dtype is 'int32', and must be one o"),
]

ROWS = {
    function.__name__: list(function())
    for function in (of_types, of_words, of_numbers, of_no_arrays, of_large_arrays, of_keywords)
}


@pytest.mark.parametrize("rows", [*ROWS.values(), OTHERS], ids=[*ROWS, "others"])
def test_refused(rows):
    kept = X.copy()
    check_refused(rows)
    assert (X == kept).all() and (FEW == 1).all()


def test_kernels_that_are_missing():
    missing = {"reference", "portable", "avx2", "avx512", "neon"} - set(cumsum.kernels())
    assert missing  # no processor has both avx2 and neon
    for kernel in missing:
        with pytest.raises(NotImplementedError, match=kernel):
            scan(X, 0, kernel=kernel)
