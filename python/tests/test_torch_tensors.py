# SPDX-License-Identifier: MIT
"""PyTorch's tensors."""

import cumsum
import numpy
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


def test_tensors():
    for dtype in (torch.float32, torch.float16, torch.int32, torch.int64):
        x = torch.arange(24).reshape(2, 3, 4).to(dtype)
        for view in (x, x.permute(2, 0, 1), x[:, ::2], x[:1].expand(5, 3, 4)):
            y = cumsum.cumsum(view, -1)
            assert isinstance(y, torch.Tensor) and y.dtype == dtype
            assert y.tolist() == torch.cumsum(view.double(), -1).tolist()
            assert cumsum.judge(view, y, -1)
        out = torch.empty_like(x)
        assert cumsum.cumsum(x, 0, out=out, reverse=True) is out
        assert out.tolist() == torch.cumsum(x.double().flip(0), 0).flip(0).tolist()


def test_mixed():
    x = torch.arange(24).reshape(2, 3, 4)
    y = cumsum.cumsum(x, 0, out=numpy.empty((2, 3, 4), numpy.int64))
    assert isinstance(y, numpy.ndarray) and cumsum.judge(x, y, 0)
    assert isinstance(cumsum.cumsum(y, 0, out=torch.empty_like(x)), torch.Tensor)


def test_refused():
    with pytest.raises(TypeError, match="bfloat16"):
        cumsum.cumsum(torch.ones(3, dtype=torch.bfloat16), 0)
    with pytest.raises(ValueError, match="no axis"):
        cumsum.cumsum(torch.tensor(1.0), 0)
    with pytest.raises((BufferError, RuntimeError), match="gradient"):
        cumsum.cumsum(torch.ones(3, requires_grad=True), 0)


def test_lazily_negated():
    """Its memory holds 1, but PyTorch reads -1."""
    negated = torch.full((3,), 1j, dtype=torch.cfloat).conj().imag
    assert negated.tolist() == [-1, -1, -1] and negated.is_neg()
    x = torch.ones(3)
    for call, name in [
        (lambda: cumsum.cumsum(negated), "x"),
        (lambda: cumsum.cumsum(x, out=negated), "out"),
        (lambda: cumsum.judge(x, negated), "y"),
    ]:
        with pytest.raises(TypeError, match=f"{name} is a tensor that PyTorch negates on reading"):
            call()
    assert cumsum.cumsum(negated.resolve_neg()).tolist() == [-1, -2, -3]
