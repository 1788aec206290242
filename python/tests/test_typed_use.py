# SPDX-License-Identifier: MIT
"""A user's file for `mypy --strict`: valid arguments, types of results, and mistakes.

If mypy does not see a mistake, it reports the unused "type: ignore".
"""

import array

import cumsum
import numpy
import numpy.typing

Floats = numpy.typing.NDArray[numpy.float32]


def ones() -> Floats:
    return numpy.ones((2, 3), numpy.float32)


def test_what_may_be_passed() -> None:
    x = ones()
    for kernel in cumsum.kernels():
        y: Floats = cumsum.cumsum(x, numpy.int64(1), kernel=kernel, threads=numpy.int8(2))
        assert cumsum.judge(x, y, axis=-1, orders="all")
        cumsum.assert_cumsum(x, y, axis=-1, at_most="worst-case", accept="suspect")
    longer: Floats = cumsum.cumulative_sum(x, axis=1, dtype=numpy.float32, include_initial=True)
    assert longer.shape == (2, 4)
    wide: numpy.typing.NDArray[numpy.float64] = cumsum.cumsum(x, dim=0, dtype=numpy.float64)
    assert cumsum.judge(x, wide, 0)
    out: array.array[int] = cumsum.cumsum(array.array("i", [1, 2]), out=array.array("i", [0, 0]))
    assert out.tolist() == [1, 3]
    assert hash(cumsum.judge(x, y, 1)) and cumsum.judge(x, y, 1).to_dict()["class"]
    assert cumsum.__version__


def test_what_comes_back() -> None:
    x = ones()
    judgement: cumsum.Judgement = cumsum.judge(x, x, 1)
    first: cumsum.Finding | None = judgement.first
    assert first is not None and first.coordinates + (first.ulps,) > (0, 0)
    doubt: cumsum.Doubt | None = judgement.doubt
    near: cumsum.OrderMatch | None = judgement.near
    power: cumsum.Power = judgement.power
    assert doubt is None and near is None and power.exact and not judgement.seam
    assert judgement.verdict == "FAIL"
    for match in cumsum.judge(x, cumsum.cumsum(x, 1), 1).orders:
        # The arithmetic of an order can be passed as arguments.
        cumsum.cumsum(
            x,
            1,
            half_accumulator=match.half_accumulator,
            half_store=match.half_store,
            denormals=match.denormals,
        )
    tensor = {"DataType": "FLOAT32", "Sizes": x.shape}
    validation: cumsum.Validation = cumsum.validate(
        InputTensor=tensor,
        OutputTensor=tensor,
        Axis=2,
        AxisDirection="INCREASING",
        HasExclusiveSum=False,
    )
    assert validation.hresult != 0 and validation.limit == 2


def find_order() -> cumsum.Fingerprint:
    """mypy checks this function; it is never called, since it needs the program."""
    return cumsum.fingerprint(lambda x: numpy.cumsum(x, -1), "float16", length=16)


def plug() -> None:
    """As find_order()."""

    def sums(x: Floats, *, axis: int, exclusive: bool, reverse: bool) -> Floats:
        return numpy.cumsum(x, axis, dtype=x.dtype)

    cumsum.serve(sums, name="sums", types=("float32",), directions=["increasing"])


def mistakes() -> None:
    """As find_order()."""
    cumsum.cumsum(ones(), 1.5)  # type: ignore[arg-type]
    cumsum.cumsum(ones(), 1, None, True)  # type: ignore[misc]
    cumsum.cumsum(ones(), 1, order="fast")  # type: ignore[arg-type]
    cumsum.cumulative_sum(ones(), 1)  # type: ignore[misc]
    cumsum.cumsum(ones(), 1, exclusive="no")  # type: ignore[arg-type]
    cumsum.cumsum([1.0, 2.0])  # type: ignore[arg-type]
    cumsum.judge([1.0, 2.0], ones())  # type: ignore[arg-type]
    cumsum.assert_cumsum(ones(), ones(), 1, at_most="h<=2")  # type: ignore[arg-type]
    cumsum.judge(ones(), ones(), 1, orders="some")  # type: ignore[arg-type]
    cumsum.judge(ones(), ones(), 1, accept="all")  # type: ignore[arg-type]
    cumsum.validate({"Axis": 1}, feature_level="3_0")  # type: ignore[arg-type]
    cumsum.serve(print, "sums")  # type: ignore[misc, arg-type]
