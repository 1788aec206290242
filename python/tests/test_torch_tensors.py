# SPDX-License-Identifier: MIT
"""PyTorch's tensors, and the operator of cumsum.torch."""

import itertools

import cumsum
import numpy
import pytest
from array_samples import same_bits

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
import cumsum.torch  # noqa: E402


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
    quantized = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8)
    for tensor, words in [
        (quantized, r"x is a quantized tensor; x.dequantize\(\) has its values"),
        (torch.ones(3).to_sparse(), "x is a tensor of layout torch.sparse_coo; use x.to_dense"),
        (torch.ones(3, device="meta"), "x is on the device meta, and must be in the memory of the"),
    ]:
        with pytest.raises(TypeError, match=words):
            cumsum.cumsum(tensor, 0)


def test_without_dimensions():
    """PyTorch's sums have none either."""
    x = torch.tensor(1.5)
    y = cumsum.cumsum(x, 0)
    assert isinstance(y, torch.Tensor) and y.shape == () and y == 1.5 and cumsum.judge(x, y)


def test_widened_sums():
    x = torch.tensor([[True, False, True], [True, True, True]])
    for wide in (torch.int64, torch.float32, torch.float64):
        y = torch.cumsum(x, 1, dtype=wide)
        assert cumsum.judge(x, y, dim=1)
        assert not cumsum.judge(x, y + 1, dim=1)


def test_inside_vmap():
    # PyTorch 1 has it in functorch.
    vmap = getattr(torch, "vmap", None) or pytest.importorskip("functorch").vmap
    for call in (lambda row: cumsum.cumsum(row, 0), lambda row: cumsum.judge(row, row)):
        with pytest.raises(TypeError, match="x is a tensor inside torch.vmap"):
            vmap(call)(torch.ones(2, 3))


def test_gradients():
    """The sum has none, and must not lose them silently. A verdict needs none."""
    x = torch.ones(3, requires_grad=True)
    for call, name in [
        (lambda: cumsum.cumsum(x), "x"),
        (lambda: cumsum.cumsum(torch.nn.Parameter(x.detach())), "x"),
        (lambda: cumsum.cumulative_sum(x, include_initial=True), "x"),
        (lambda: cumsum.cumsum(x.detach(), out=x), "out"),
    ]:
        with pytest.raises(TypeError, match=f"{name} is a tensor that requires gradients"):
            call()
    with torch.no_grad():
        y = cumsum.cumsum(x)
    assert y.tolist() == [1, 2, 3] and not y.requires_grad
    assert cumsum.judge(x, torch.cumsum(x, 0))


class Marked(torch.Tensor):
    """A subclass that keeps its elements in its own memory."""


class Wrapped(torch.Tensor):
    """A subclass without memory of its own, as PyTorch's MaskedTensor is one."""

    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        raise NotImplementedError


def test_subclasses():
    x = torch.ones(3).as_subclass(Marked)
    y = cumsum.cumsum(x)
    assert type(y) is torch.Tensor and y.tolist() == [1, 2, 3] and cumsum.judge(x, y)
    x = Wrapped(torch.ones(3))
    for call in (lambda: cumsum.cumsum(x), lambda: cumsum.judge(x, x)):
        with pytest.raises(TypeError, match="x is a Wrapped, a subclass .* give a plain tensor"):
            call()


@pytest.mark.skipif(not hasattr(torch, "set_default_device"), reason="PyTorch before 2.0")
def test_default_device():
    """The result lies where x lies, not where PyTorch would put new tensors."""
    x = torch.ones(3)
    torch.set_default_device("meta")
    try:
        y = cumsum.cumsum(x)
    finally:
        torch.set_default_device("cpu")
    assert y.device.type == "cpu" and y.tolist() == [1, 2, 3]


def test_conversion():
    x = torch.arange(6).reshape(2, 3)
    y = cumsum.cumsum(x, 1, dtype=torch.float16)
    assert y.dtype == torch.float16 and y.tolist() == [[0, 1, 3], [3, 7, 12]]
    assert cumsum.cumsum(torch.ones(3, dtype=torch.bfloat16), dtype="float32").tolist() == [1, 2, 3]
    for dtype in (torch.float64, float, "f8"):
        y = cumsum.cumsum(x, dim=1, dtype=dtype)
        assert y.dtype == torch.float64 and y.tolist() == [[0, 1, 3], [3, 7, 12]]
    with pytest.raises(ValueError, match="dtype is 'complex64', and must be one of 'float64'"):
        cumsum.cumsum(x, 1, dtype=torch.complex64)
    if not hasattr(torch, "uint32"):
        with pytest.raises(TypeError, match="'uint32', which this PyTorch does not have"):
            cumsum.cumsum(x, 1, dtype="uint32")


def test_array_api():
    x = torch.arange(6, dtype=torch.int32).reshape(2, 3)
    y = cumsum.cumulative_sum(x, axis=1, include_initial=True)
    assert y.dtype == torch.int64 and y.tolist() == [[0, 0, 1, 3], [0, 3, 7, 12]]


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


def test_bfloat16_is_judged():
    x = torch.linspace(-1, 2, 300).reshape(3, 100).to(torch.bfloat16)
    wide = torch.cumsum(x.float(), 1).to(torch.bfloat16)
    judgement = cumsum.judge(x, wide, 1)
    assert judgement and judgement.models[0] == "binary32-nearest-even"
    assert judgement.orders[0].order == "sequential"
    narrow = torch.empty_like(x)
    total = torch.zeros(3, dtype=torch.bfloat16)
    for k in range(100):
        total = total + x[:, k]
        narrow[:, k] = total
    judgement = cumsum.judge(x, narrow, 1, half_accumulator="float16")
    assert judgement and judgement.models == ("bfloat16",)
    assert judgement.orders[0].half_accumulator == "float16"
    judgement = cumsum.judge(x, narrow, 1, half_accumulator="float32")
    assert judgement.worst.verdict == "FAIL" and judgement.worst.dtype == "bfloat16"
    assert judgement.worst.actual == narrow[judgement.worst.coordinates].item()


# cumsum.torch

WAYS = [dict(exclusive=e, reverse=r) for e, r in itertools.product((False, True), repeat=2)]


@pytest.mark.parametrize("dtype", ["float32", "float16", "float64", "int32", "int64"])
def test_operator(dtype):
    """The bits of cumsum.cumsum(), in a new packed tensor; x stays as it is."""
    x = (torch.randn(4, 30, 200) * 1000).to(getattr(torch, dtype))
    before = x.clone()
    for view, dim in ((x, 2), (x.transpose(0, 2), -3), (x[:, ::2], 1), (x[:1].expand(3, 30, 200), 0)):
        for way, order in itertools.product(WAYS, ("sequential", "blocked", "exact")):
            y = cumsum.torch.cumsum(view, dim, order=order, **way)
            expected = cumsum.cumsum(view.contiguous().numpy(), dim, order=order, **way)
            assert same_bits(y.numpy(), expected) and y.is_contiguous() and not y.requires_grad
    for half in (dict(half_accumulator="float16"), dict(half_store="toward-zero")):
        y = cumsum.torch.cumsum(x, 2, **half)
        assert same_bits(y.numpy(), cumsum.cumsum(x.numpy(), 2, order="blocked", **half))
    assert torch.equal(x, before)


def test_operator_shapes():
    for shape, dim in (((), 0), ((), -1), ((0,), 0), ((3, 0, 2), 1), ((3, 0, 2), -1)):
        x = torch.full(shape, 1.5, requires_grad=True)
        y = cumsum.torch.cumsum(x, dim)
        assert y.shape == shape and torch.equal(y, x)
        y.sum().backward()
        assert torch.equal(x.grad, torch.ones(shape))
    y = cumsum.torch.cumsum(torch.ones(3, 5, dtype=torch.bool), 1, dtype=torch.int64)
    assert y.tolist() == [[1, 2, 3, 4, 5]] * 3
    assert torch.equal(cumsum.torch.cumsum(torch.ones(3, 5).bool(), 1, dtype="int64"), y)
    y = cumsum.torch.cumsum(torch.empty(3, 5, device="meta", dtype=torch.float16).T, 0)
    assert y.shape == (5, 3) and y.device.type == "meta" and y.dtype == torch.float16


@pytest.mark.parametrize("order", ["sequential", "blocked", "exact"])
def test_operator_gradients(order):
    for way, dim in itertools.product(WAYS, (0, -1)):
        x = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)

        def f(x, way=way, dim=dim):
            return cumsum.torch.cumsum(x, dim, order=order, **way)

        assert torch.autograd.gradcheck(f, (x,)) and torch.autograd.gradgradcheck(f, (x,))
        x = torch.randn(3, 700, requires_grad=True)
        weights = torch.randn(3, 700)
        y = f(x)
        (y * weights).sum().backward()
        back = {**way, "reverse": not way["reverse"]}
        assert same_bits(x.grad.numpy(), cumsum.cumsum(weights.numpy(), dim, order=order, **back))
        with torch.no_grad():
            assert torch.equal(f(x), y) and not f(x).requires_grad


def test_operator_is_deterministic():
    x = torch.randn(5, 3000)
    y = cumsum.torch.cumsum(x, 1)
    torch.use_deterministic_algorithms(True)
    threads = torch.get_num_threads()
    try:
        for count in (1, 2):
            torch.set_num_threads(count)
            assert torch.equal(cumsum.torch.cumsum(x, 1), y)
    finally:
        torch.set_num_threads(threads)
        torch.use_deterministic_algorithms(False)


def test_operator_is_registered_for_gpus():
    """What it calls there is cumsum.cumsum(): test_cuda_arrays.py."""
    has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key
    assert all(has_kernel("cumsum::cumsum", key) for key in ("CPU", "CUDA", "Meta"))


@pytest.mark.skipif(not hasattr(torch, "compile"), reason="PyTorch before 2.0")
@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_compiled_operator(backend):
    x = torch.randn(4, 300, requires_grad=True)

    def f(x):
        return cumsum.torch.cumsum(x * 2, -1, exclusive=True).sin().sum()

    results = []
    for call in (f, torch.compile(f, backend=backend, fullgraph=True)):
        y = call(x)
        y.backward()
        results.append((y.detach(), x.grad))
        x.grad = None
    (y, gradient), (compiled, compiled_gradient) = results
    assert torch.equal(y, compiled) and torch.equal(gradient, compiled_gradient)


@pytest.mark.skipif(not hasattr(torch.library, "opcheck"), reason="PyTorch before 2.5")
def test_operator_as_pytorch_checks_it():
    for dtype in (torch.float32, torch.int64):
        x = torch.ones(3, 40, dtype=dtype, requires_grad=dtype is torch.float32)
        words = "blocked", "float32", "nearest-even", "preserve"
        found = torch.library.opcheck(torch.ops.cumsum.cumsum.default, (x, 1, False, True, *words))
        assert set(found.values()) == {"SUCCESS"}


def test_operator_refuses():
    x = torch.ones(2, 3)
    for error, words, call in [
        (TypeError, "x is a ndarray, and must be a torch.Tensor", lambda: (x.numpy(), 0)),
        (TypeError, "x has elements of type bfloat16; .* dtype='float32' converts x",
         lambda: (x.bfloat16(), 0)),
        (TypeError, "x has elements of type bfloat16; .* dtype='float32' converts x",
         lambda: (x.bfloat16().to("meta"), 0)),
        (TypeError, "x has elements of type int16", lambda: (x.short(), 0)),
        (TypeError, "x has elements of type int16", lambda: (x.short().to("meta"), 0)),
        (ValueError, "axis 2 is out of bounds", lambda: (x, 2)),
        (ValueError, "axis -3 is out of bounds", lambda: (x.to("meta"), -3)),
        (ValueError, "order is 'tree', and must be one of", lambda: (x, 0, "tree")),
        (ValueError, "order is 'tree', and must be one of", lambda: (x.to("meta"), 0, "tree")),
        (RuntimeError, "order", lambda: (x, 0, 3)),
    ]:  # fmt: skip
        tensor, dim, *order = call()
        with pytest.raises(error, match=words):
            cumsum.torch.cumsum(tensor, dim, **dict(zip(["order"], order)))
