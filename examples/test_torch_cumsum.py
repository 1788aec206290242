# SPDX-License-Identifier: MIT
"""A regression test of somebody else's prefix sums: PyTorch's, on the CPU.

    PYTHONPATH=build/release/python python3 -m pytest -rs examples/test_torch_cumsum.py

No tolerance is chosen. An output fails where no order of additions could give it; how good the rest
is, is in the judgement too, so that a test can ask for more.
"""

import cumsum
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


def data(dtype, shape):
    generator = torch.Generator().manual_seed(1)
    if dtype.is_floating_point:
        return torch.randn(shape, generator=generator, dtype=dtype)
    return torch.randint(-(2**20), 2**20, shape, generator=generator, dtype=dtype)


@pytest.mark.parametrize("dtype", [torch.float32, torch.int32, torch.int64], ids=str)
@pytest.mark.parametrize("shape", [(1,), (1000,), (3, 5, 7), (64, 2049)], ids=str)
def test_cumsum(dtype, shape):
    x = data(dtype, shape)
    for axis in range(len(shape)):
        assert cumsum.judge(x, torch.cumsum(x, axis, dtype=dtype), axis)
        turned = torch.flip(torch.cumsum(torch.flip(x, [axis]), axis, dtype=dtype), [axis])
        assert cumsum.judge(x, turned, axis, reverse=True)


def test_views():
    x = data(torch.float32, (40, 50))
    for view in (x.T, x[::3, 5:45:2], x[:1].expand(9, 50)):
        assert cumsum.judge(view, torch.cumsum(view, 0), 0)


def test_quality():
    """The CPU code sums in double precision: each result is rounded once, or nearly so."""
    x = data(torch.float32, (8, 10000))
    judgement = cumsum.judge(x, torch.cumsum(x, 1), 1, orders="all")
    assert judgement.error_class in ("correctly-rounded", "h<=1"), judgement
    assert "sequential-binary64" in [match.order for match in judgement.orders], judgement


def test_a_planted_fault_is_found():
    """One element of 10,000 is lost. No order of additions excuses that so early in the line."""
    x = data(torch.float32, (1, 10000))
    y = torch.cumsum(x, 1)
    y[0, 100:] -= x[0, 100]
    judgement = cumsum.judge(x, y, 1)
    assert not judgement
    assert judgement.first.coordinates == (0, 100)


def test_a_late_fault_costs_the_class():
    """After thousands of terms a bad order could lose as much; a good one could not."""
    x = data(torch.float32, (1, 10000))
    y = torch.cumsum(x, 1)
    y[0, 9000:] -= x[0, 9000]
    assert cumsum.judge(x, y, 1).error_class == "any-order"
