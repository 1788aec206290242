# SPDX-License-Identifier: MIT
"""A regression test of another library's prefix sums: PyTorch's, on the CPU.

    PYTHONPATH=build/release/python python3 -m pytest -rs examples/test_torch_cumsum.py

The test needs no tolerance. An output fails if no order of additions can give it. The judgement
also has a class that says how accurate the outputs are, so that a test can require a better one.
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
        decreasing = torch.flip(torch.cumsum(torch.flip(x, [axis]), axis, dtype=dtype), [axis])
        assert cumsum.judge(x, decreasing, axis, reverse=True)


def test_views():
    x = data(torch.float32, (40, 50))
    for view in (x.T, x[::3, 5:45:2], x[:1].expand(9, 50)):
        assert cumsum.judge(view, torch.cumsum(view, 0), 0)


def test_quality():
    """PyTorch sums in binary64 on the CPU, so that most outputs are correctly rounded."""
    x = data(torch.float32, (8, 10000))
    judgement = cumsum.judge(x, torch.cumsum(x, 1), 1, orders="all")
    assert judgement.error_class in ("correctly-rounded", "h<=1"), judgement
    assert "sequential-binary64" in [match.order for match in judgement.orders], judgement


def test_a_planted_fault_is_found():
    """One of 10,000 elements is lost. So early in the line, no order of additions can cause that."""
    x = data(torch.float32, (1, 10000))
    y = torch.cumsum(x, 1)
    y[0, 100:] -= x[0, 100]
    judgement = cumsum.judge(x, y, 1)
    assert not judgement
    assert judgement.first.coordinates == (0, 100)


def test_a_late_fault_costs_the_class():
    """After thousands of terms a bad order may lose as much, so only the class gets worse."""
    x = data(torch.float32, (1, 10000))
    y = torch.cumsum(x, 1)
    y[0, 9000:] -= x[0, 9000]
    assert cumsum.judge(x, y, 1).error_class == "worst-case"
