# SPDX-License-Identifier: MIT
"""Arrays on CUDA GPUs, over the stand-in for libcuda.so.1 of tests/gpu, which runs the kernels and
whose memory is the host's. The libraries of the arrays are this file's."""

import contextlib
import ctypes
import sys
from types import ModuleType, SimpleNamespace

import cumsum
import numpy
import pytest
from array_samples import TYPES, random_shape, random_view, same_bits
from cumsum import _cuda


def standin():
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        driver.standin_cuda_control.restype = ctypes.c_void_p
        return driver
    except (OSError, AttributeError):
        pytest.skip("no stand-in for libcuda.so.1 is in LD_LIBRARY_PATH", allow_module_level=True)


class Control(ctypes.Structure):
    _fields_ = [
        ("only_launches", ctypes.c_bool),
        ("others", ctypes.c_uint),
        ("launches", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
    ]


class StreamMemory(ctypes.Structure):
    _fields_ = [("gpu", ctypes.c_int), ("captured", ctypes.c_bool)]


driver = standin()
control = Control.from_address(driver.standin_cuda_control())
streams = [StreamMemory(0), StreamMemory(0), StreamMemory(1)]
FIRST, SECOND, OTHER_GPU = map(ctypes.addressof, streams)
LEGACY = 1


def gpu_bytes(count, gpu):
    """Memory of a GPU, which nobody frees, with bytes that are no zeros."""
    context, address = ctypes.c_void_p(), ctypes.c_uint64()
    assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), gpu) == 0
    driver.cuCtxPushCurrent_v2(context)
    assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(count + 16)) == 0
    driver.cuCtxPopCurrent_v2(ctypes.byref(context))
    memory = numpy.frombuffer((ctypes.c_uint8 * (count + 16)).from_address(address.value), "u1")
    memory[:] = 0xA5
    return memory


def moved(values, gpu=0):
    """The array in the memory of a GPU, with the same strides, and all of that memory."""
    reach = [(n - 1) * step for n, step in zip(values.shape, values.strides) if values.size]
    before = -sum(step for step in reach if step < 0)
    memory = gpu_bytes(before + sum(step for step in reach if step > 0) + values.itemsize, gpu)
    there = numpy.ndarray(values.shape, values.dtype, memory, before, values.strides)
    there[...] = values
    return there, memory


class Array:
    """An array of a library like CuPy: `values` is its memory as NumPy's."""

    def __init__(self, values, gpu=0, stream=LEGACY, read_only=False):
        self.values, self.gpu, self.stream, self.read_only = values, gpu, stream, read_only

    @property
    def __cuda_array_interface__(self):
        own = self.values.__array_interface__
        data = own["data"][0] if self.values.size else 0, self.read_only
        stream = {} if self.stream is None else {"stream": self.stream}
        return {"shape": own["shape"], "typestr": own["typestr"], "data": data,
                "strides": own["strides"], "version": 3, **stream}  # fmt: skip

    dtype = property(lambda self: self.values.dtype)
    shape = property(lambda self: self.values.shape)
    device = property(lambda self: (self.gpu, self.stream))

    def __array_namespace__(self):
        return Library(type(self))

    def astype(self, dtype):
        return type(self)(moved(self.values.astype(dtype), self.gpu)[0], self.gpu, self.stream)

    def __setitem__(self, index, value):
        self.values[index] = getattr(value, "values", value)


class Library:
    """An array namespace."""

    def __init__(self, kind):
        self.kind = kind

    def __getattr__(self, name):
        return numpy.dtype(name)

    def empty(self, shape, dtype, device, fill=None):
        gpu, stream = device
        values = moved(numpy.empty(shape, dtype), gpu)[0]
        values.view("u1")[...] = 0x7B if fill is None else fill
        return self.kind(values, gpu, stream)

    def zeros(self, shape, dtype, device):
        return self.empty(shape, dtype, device, 0)


class Exporter(Array):
    """An array that offers only DLPack, as JAX's, and remembers what it was asked for. The capsule
    is NumPy's, with another device."""

    __cuda_array_interface__ = property()
    code = asked = None

    def __dlpack_device__(self):
        return 2, self.gpu

    def __dlpack__(self, *, stream):
        capsule, type(self).asked = self.values.__dlpack__(), stream
        tensor = _cuda._Tensor.from_address(_cuda._pointer_of(capsule, b"dltensor"))
        tensor.device = 2, self.gpu
        tensor.code = tensor.code if self.code is None else self.code
        tensor.data, tensor.offset = tensor.data - 8, tensor.offset + 8
        return capsule


@pytest.fixture(autouse=True)
def counters(monkeypatch):
    monkeypatch.setattr(_cuda, "_plans", {})
    control.only_launches, control.others, control.stream = False, 0, None
    yield
    assert driver.standin_contexts() == 0


def random_numbers(rng, shape, dtype):
    """Numbers whose sums depend on the order, if they are floats."""
    if dtype.kind == "f":
        return rng.standard_normal(shape).astype(dtype)
    return rng.integers(0, 256, (*shape, dtype.itemsize), "u1").view(dtype)[..., 0]


def random_options(rng):
    choice = lambda *words: words[rng.integers(len(words))]  # noqa: E731
    return dict(
        exclusive=choice(False, True),
        reverse=choice(False, True),
        order=choice("sequential", "blocked"),
        half_accumulator=choice("float32", "float16"),
        half_store=choice("nearest-even", "toward-zero", "ieee"),
        denormals=choice("preserve", "flush"),
    )


def expect_equal(x, axis, options, *, kind=Array, gpu=0, stream=FIRST, out=None):
    """The sums of x on a GPU have the bits of those on the CPU, and nothing else changes; out: an
    array whose layout the sums get."""
    there = kind(moved(x, gpu)[0], gpu, stream)
    expected = cumsum.cumsum(x, axis, **options)
    result = cumsum.cumsum(there, axis, **options)
    assert type(result) is kind and result.gpu == gpu
    assert result.stream == stream and result.values.flags.c_contiguous
    assert same_bits(result.values, expected), (x.dtype, x.shape, axis, options)
    if out is None:
        return
    target, memory = moved(out, gpu)
    after = memory.copy()
    begin = target.__array_interface__["data"][0] - memory.__array_interface__["data"][0]
    numpy.ndarray(out.shape, out.dtype, after, begin, target.strides)[...] = expected
    given = kind(target, gpu, stream)
    assert cumsum.cumsum(there, axis, out=given, **options) is given
    same = (memory == after).all() or same_bits(target, expected)  # a NaN may have other bits
    assert same, (x.dtype, x.strides, out.strides, axis, options)
    assert same_bits(there.values, x)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_bits(dtype):
    """Also of long lines, which take scratch memory, and of more than eight dimensions, which are
    copied unless they are packed."""
    rng = numpy.random.default_rng(sum(map(ord, dtype.name)))
    for number in range(40):
        shape = random_shape(rng, rng.integers(1, 5), 12)
        shape = (2, 1, 2, 1, 2, 1, 2, 1, 3) if number % 8 == 7 else shape
        shape = (3, 2500) if number % 8 == 6 else shape
        x = random_view(rng, shape, dtype)
        x[...] = random_numbers(rng, shape, dtype)
        x = numpy.ascontiguousarray(x) if number % 3 == 0 else x
        axis, options = int(rng.integers(-len(shape), len(shape))), random_options(rng)
        out = x if number % 4 == 0 else random_view(rng, shape, dtype)
        expect_equal(x, axis, options, gpu=number % 2, stream=(FIRST, OTHER_GPU)[number % 2], out=out)


def test_small_shapes():
    point = Array(moved(numpy.array(2.5, "float32"))[0])
    assert cumsum.cumsum(point).values.tolist() == [2.5]
    for shape, axis in (((0,), 0), ((3, 0, 2), 1), ((3, 0, 2), 0)):
        empty = Array(numpy.empty(shape, "float16"))
        assert cumsum.cumsum(empty, axis).values.shape == shape
        assert cumsum.cumsum(empty, axis, out=empty) is empty and cumsum.judge(empty, empty, axis)


def test_arguments():
    x = numpy.random.default_rng(5).standard_normal((3, 50)).astype("float32")
    there = Array(moved(x)[0])
    for reverse in (False, True):
        options = dict(reverse=reverse, include_initial=True)
        expected = cumsum.cumsum(x, 1, **options)
        assert same_bits(cumsum.cumsum(there, dim=1, **options).values, expected)
        for values in (numpy.ones((3, 51), "f4"), numpy.ones((3, 51), "f4")[::-1]):
            out = Array(moved(values)[0])
            assert same_bits(cumsum.cumsum(there, 1, out=out, **options).values, expected)
    assert same_bits(cumsum.cumulative_sum(there, axis=0).values, cumsum.cumsum(x, 0))
    counts = numpy.arange(10, dtype="int32")
    wide = cumsum.cumulative_sum(Array(moved(counts)[0]))
    assert same_bits(wide.values, counts.cumsum(dtype="int64"))
    assert same_bits(cumsum.cumsum(there, 0, dtype="float16", threads=0).values,
                     cumsum.cumsum(x, 0, dtype="float16"))  # fmt: skip


def test_in_place_and_overlapping():
    x = numpy.random.default_rng(6).standard_normal(3000).astype("float16")
    for begin in (0, 1, 7, 2999):  # in place; elements; the same word alone
        memory = moved(numpy.concatenate([x, x]))[0]
        source, out = Array(memory[:3000]), Array(memory[begin : begin + 3000])
        cumsum.cumsum(source, out=out, order="blocked")
        assert same_bits(out.values, cumsum.cumsum(x, order="blocked"))
        assert same_bits(memory[:begin], x[:begin])
    for begin in (0, 1):  # the initial 0 lies on an element
        for reverse in (False, True):
            there = Array(moved(x)[0])
            shorter = x[begin : begin + 2999]
            source = Array(there.values[begin : begin + 2999])
            cumsum.cumsum(source, out=there, include_initial=True, reverse=reverse)
            expected = cumsum.cumsum(shorter, include_initial=True, reverse=reverse)
            assert same_bits(there.values, expected)


def test_stream():
    """Everything is in the stream of the array; nothing is waited for, and nothing is allocated but
    by the array's library."""
    for length, allocations in ((100, 0), (5000, 1)):
        control.only_launches, control.launches, control.others = False, 0, 0
        x = Array(moved(numpy.ones((4, length), "float32"))[0], stream=SECOND)
        cumsum.cumsum(x, 1, out=x)
        control.only_launches = True
        cumsum.cumsum(x, 1, out=x)
        assert control.launches and control.stream == SECOND and control.others == allocations
        control.others = 0
        for stream, expected in ((LEGACY, None), (0, None), (2, 2)):
            x.stream = stream
            cumsum.cumsum(x, 1, out=x)
            assert control.stream == expected and control.others == allocations
            control.others = 0


def test_dlpack():
    """No stream is known, so the exporter is asked for one, and the call waits for its end."""
    rng = numpy.random.default_rng(8)
    for dtype in TYPES:
        x = random_numbers(rng, (5, 40), dtype)
        for view in (x, x.T):
            expect_equal(view, 0, {"order": "blocked"}, kind=Exporter, gpu=1, stream=None, out=view)
    assert Exporter.asked == LEGACY
    x = moved(x)[0]
    before = sys.getrefcount(x)
    cumsum.cumsum(Exporter(x), 1)
    assert sys.getrefcount(x) == before
    there = Exporter(x, stream=None)
    cumsum.cumsum(there, 1, out=there)
    control.only_launches = True
    cumsum.cumsum(there, 1, out=there)
    assert control.others == 1


def test_judged():
    rng = numpy.random.default_rng(9)
    x = random_view(rng, (4, 300), numpy.dtype("float32"))
    x[...] = rng.standard_normal((4, 300))
    y = cumsum.cumsum(x, 1)
    for kind in (Array, Exporter):
        there, sums = kind(moved(x)[0]), kind(moved(y)[0], stream=SECOND)
        assert cumsum.judge(there, sums, 1) and cumsum.judge(x, sums, 1)
        cumsum.assert_cumsum(there, sums, 1, at_most="2log")
        assert cumsum.judge_sum(there, kind(moved(y[:, -1])[0]), 1)
        sums.values[2, 7] += 1
        judgement = cumsum.judge(there, sums, 1)
        assert judgement.verdict == "FAIL" and judgement.worst.coordinates == (2, 7)
    ones = Exporter(moved(numpy.full(4, 0x3F80, "uint16"))[0])
    counts = Exporter(moved(numpy.array([0x3F80, 0x4000, 0x4040, 0x4080], "uint16"))[0])
    ones.code = counts.code = 4
    judgement = cumsum.judge(ones, counts)
    assert judgement and judgement.worst.dtype == "bfloat16"
    assert cumsum.judge(ones, counts, types="torch")
    wide = Exporter(moved(numpy.array([1, 2, 3, 4], "float32"))[0])
    judgement = cumsum.judge(ones, wide)
    assert judgement and judgement.worst.dtype == "float32"


def test_captured():
    """A plan outlives the arrays of its call, so a graph may keep it."""
    streams[0].captured = True
    x = numpy.random.default_rng(4).standard_normal((2, 4000)).astype("float32")
    there, out = (Array(moved(values)[0], stream=FIRST) for values in (x, 0 * x))
    result = cumsum.cumsum(there, 1, out=out)
    streams[0].captured = False
    assert not out.values.any()
    driver.standin_replay()
    assert same_bits(result.values, cumsum.cumsum(x, 1))


def test_plans_are_kept(monkeypatch):
    """But not more than so many: the call waits then, before the plan ends."""
    x = Array(moved(numpy.ones((4, 9), "float32"))[0], stream=FIRST)
    monkeypatch.setattr(_cuda, "_MOST_PLANS", 1)
    for exclusive, kept in ((False, True), (True, False), (False, True)):
        others = control.others
        cumsum.cumsum(x, 1, exclusive=exclusive, out=x)
        control.only_launches = True
        assert len(_cuda._plans) == 1 and (control.others == others) == kept


def refused(error, words, x, *arguments, **options):
    launches = control.launches
    with pytest.raises(error, match=words):
        cumsum.cumsum(x, *arguments, **options)
    assert control.launches == launches


def test_refused():
    values = moved(numpy.ones((2, 3), "float32"))[0]
    x, host = Array(values), numpy.ones((2, 3), "float32")
    refused(TypeError, "out is not on a GPU", x, 0, out=host)
    refused(ValueError, "x.address is .* must be an address of CUDA's memory", Array(host), 0, out=x)
    refused(TypeError, "out is on a GPU, and must be in the memory of the CPU", host, 0, out=x)
    refused(ValueError, "out is read-only", x, 0, out=Array(values, read_only=True))
    there = Array(moved(host, 1)[0], 1)
    refused(ValueError, "out is on the GPU 1, and x on the GPU 0", x, 0, out=there)
    refused(ValueError, "x is ready in the stream 1, and out", x, 0, out=Array(values, stream=2))
    unknown = Array(values, stream=None)
    refused(ValueError, "and out in a stream that its library does not tell", x, 0, out=unknown)
    refused(RuntimeError, "is not one of the GPU 0", Array(values, stream=OTHER_GPU), 0, out=None)
    refused(ValueError, "out has 2 elements in dim", x, 0, out=Array(moved(host[:, :2])[0]))
    refused(TypeError, "out has type float16", x, 0, out=Array(moved(host.astype("f2"))[0]))
    shared = numpy.ndarray((2, 3), "float32", moved(host)[1], 0, (0, 4))
    refused(ValueError, "out has elements that share memory", x, 0, out=Array(shared))
    refused(ValueError, "out has the shape", x, 0, out=x, include_initial=True)
    refused(TypeError, "x has elements of type int16", Array(moved(host.astype("i2"))[0]), 0)
    refused(ValueError, "axis 2 is out of bounds", x, 2)
    for name, value in (("carry", cumsum.Carry()), ("segments", [0, 2]), ("initial", 1)):
        refused(NotImplementedError, f"have no {name}=", x, 0, **{name: value})
    refused(NotImplementedError, "have no kernel=", x, 0, kernel="reference")
    refused(NotImplementedError, "CPU", x, 0, order="exact")
    with pytest.raises(TypeError, match="x is on a GPU, and must be in the memory of the CPU here"):
        cumsum.Carry().advance(x)
    immutable = type("ArrayImpl", (Exporter,), {"__module__": "jaxlib.xla_extension"})
    refused(ValueError, "an array of JAX, which cannot", Exporter(values), 0, out=immutable(values))
    nameless = type("Nameless", (Array,), {"__array_namespace__": property()})
    refused(TypeError, "x, a Nameless, has no __array_namespace__", nameless(values), 0)
    masked = type("Masked", (), {"__cuda_array_interface__": {
        **x.__cuda_array_interface__, "mask": x}})  # fmt: skip
    refused(TypeError, "x has a mask", masked(), 0)
    with pytest.raises(TypeError, match="x cannot be read"):
        cumsum.judge(type("Bad", (Exporter,), {"__dlpack__": lambda self, stream: 3})(values), x, 0)
    float64 = Array(moved(host.astype("f8"))[0])
    refused(NotImplementedError, "x has float64 elements", float64, 0)


def test_wrong_interfaces():
    """What an exporter says of itself is checked: sizes without strides would be summed wrongly."""
    x = Array(moved(numpy.ones((2, 3), "float32"))[0])
    right = x.__cuda_array_interface__
    for key, value, words in (
        ("strides", (4,), r"shape \(2, 3\), strides \(4,\)"),
        ("shape", (-2, 3), r"shape \(-2, 3\)"),
        ("shape", None, "not iterable"),
        ("shape", (2.0, 3), "float"),
        ("typestr", "zz", "zz"),
        ("data", None, "unpack"),
        ("data", ("4", False), "str"),
        ("stream", 2.5, "float"),
        ("stream", "1", "str"),
    ):
        wrong = type("Wrong", (), {"__cuda_array_interface__": {**right, key: value}})
        refused(TypeError, f"x.__cuda_array_interface__ is wrong: .*{words}", wrong(), 0)
    for wrong in (3, {}, {"shape": (2, 3)}):
        kind = type("Wrong", (), {"__cuda_array_interface__": wrong})
        refused(TypeError, "x.__cuda_array_interface__ is wrong: ", kind(), 0)
    swapped = Array(moved(numpy.ones((2, 3), ">f4"))[0])
    refused(TypeError, "x has elements of type >f4; .* dtype= converts x", swapped, 0)
    with pytest.raises(TypeError, match="x has elements of type >f4; the oracle takes .* order$"):
        cumsum.judge(swapped, x, 0)


def test_types_of_dlpack():
    """Which NumPy lacks: of parts of bytes, of vectors, and float8."""
    for code, bits, lanes in ((0, 4, 1), (0, 12, 1), (2, 8, 1), (2, 32, 4), (7, 8, 1), (3, 64, 1)):

        class Odd(Exporter):
            type = code, bits, lanes

            def __dlpack__(self, *, stream):
                capsule = super().__dlpack__(stream=stream)
                tensor = _cuda._Tensor.from_address(_cuda._pointer_of(capsule, b"dltensor"))
                tensor.code, tensor.bits, tensor.lanes = self.type
                return capsule

        x = Odd(moved(numpy.ones(6, "float32"))[0])
        refused(TypeError, f"x has elements of DLPack's type {code} of {bits} bits.*", x, 0)


def test_failures(monkeypatch):
    x = Array(moved(numpy.ones((2, 3), "float32"))[0])
    monkeypatch.setenv("STANDIN_CUDA", "cuModuleLoadData")
    refused(RuntimeError, "cuModuleLoadData: error 218", x, 0)
    monkeypatch.setenv("STANDIN_CUDA", "cuMemcpyDtoH_v2")
    with pytest.raises(RuntimeError, match="cuMemcpyDtoH: error 1, CUDA_ERROR_OTHER"):
        cumsum.judge(x, x, 0)
    monkeypatch.setenv("STANDIN_CUDA", "nothing")

    def missing(name):
        raise OSError(f"no {name}")

    monkeypatch.setattr(_cuda.ctypes, "CDLL", missing)
    for cached, words, call in (
        (_cuda._library, "build of the package has no .*: the package cumsum needs the library",
         lambda: cumsum.cumsum(x, 0, exclusive=True)),
        (_cuda._driver, "NVIDIA's driver cannot be loaded: no lib", lambda: cumsum.judge(x, x, 0)),
    ):  # fmt: skip
        cached.cache_clear()
        with pytest.raises(RuntimeError, match=words):
            call()
    monkeypatch.setattr(_cuda.ctypes, "CDLL", lambda name: SimpleNamespace())  # without functions
    with pytest.raises(RuntimeError, match="NVIDIA's driver cannot be loaded: .* 'cuInit'"):
        cumsum.judge(x, x, 0)


def test_known_libraries(monkeypatch):
    """How CuPy and Numba make arrays."""
    x = numpy.random.default_rng(2).standard_normal((2, 3000)).astype("float32")
    nameless = {"__array_namespace__": property()}
    for name in ("cupy", "numba"):
        kind = type("Array", (Array,), {"__module__": f"{name}.arrays", **nameless})
        library, made = ModuleType(name), []

        def empty(shape, dtype, stream=None):
            made.append(stream)
            return Library(kind).empty(shape, dtype, (1, OTHER_GPU))

        library.empty = empty
        library.zeros = lambda shape, dtype: Library(kind).zeros(shape, dtype, (1, OTHER_GPU))
        library.cuda = SimpleNamespace(device_array=empty)
        monkeypatch.setitem(sys.modules, name, library)
        kind.device = contextlib.nullcontext()
        there = kind(moved(x, 1)[0], 1, OTHER_GPU)
        of_user = type("Subclass", (kind,), {"__module__": "user"})(there.values, 1, OTHER_GPU)
        for initial in (False, True):
            y = cumsum.cumsum(there, 1, order="blocked", include_initial=initial)
            expected = cumsum.cumsum(x, 1, order="blocked", include_initial=initial)
            assert type(y) is kind and same_bits(y.values, expected)
            y = cumsum.cumsum(of_user, 1, order="blocked", include_initial=initial)
            assert type(y) is kind and same_bits(y.values, expected)
        # Numba wants an object of its own, not a number.
        assert made and all(stream is (there.stream if name == "numba" else None) for stream in made)


def test_tensors(monkeypatch):
    """PyTorch's tensors by DLPack, in the current stream of their device."""

    class Tensor(Exporter):
        requires_grad = is_quantized = negated = False
        layout, __torch_dispatch__ = "strided", None
        device = property(lambda self: SimpleNamespace(type="cuda", index=self.gpu))

        def detach(self):
            return self

        def cpu(self):
            return self.values

        def numpy(self):
            raise TypeError("not on the host")

        def data_ptr(self):
            return self.values.ctypes.data

        def is_neg(self):
            return self.negated

    class Subclass(Tensor):
        """Like torch.nn.Parameter, but of a user."""

    torch = ModuleType("torch")
    Tensor.__module__ = "torch"
    torch.Tensor, torch.version = Tensor, SimpleNamespace(hip=None)
    torch.is_grad_enabled, torch.strided, torch.bfloat16 = lambda: True, "strided", None
    torch.cuda = SimpleNamespace(
        current_stream=lambda device: SimpleNamespace(cuda_stream=(SECOND, OTHER_GPU)[device.index])
    )
    for name in (*map(str, TYPES), "uint8"):
        setattr(torch, name, numpy.dtype(name))
    for make in ("empty", "zeros"):
        made = getattr(Library(Tensor), make)
        setattr(torch, make, lambda shape, dtype, device, made=made: made(
            shape, dtype, (device.index, None)))  # fmt: skip
    monkeypatch.setitem(sys.modules, "torch", torch)
    x = numpy.random.default_rng(2).standard_normal((2, 3000)).astype("float32")
    for gpu, stream in ((0, SECOND), (1, OTHER_GPU)):
        there = Tensor(moved(x, gpu)[0], gpu, None)
        y = cumsum.cumsum(there, 1, order="blocked")
        assert type(y) is Tensor and same_bits(y.values, cumsum.cumsum(x, 1, order="blocked"))
        assert control.stream == stream and cumsum.judge(there, y, 1)
        assert type(cumsum.cumsum(Subclass(there.values, gpu, None), 1)) is Tensor
        assert Tensor.asked == -1  # no stream of another GPU is waited for
    control.only_launches, control.others = True, 0
    cumsum.cumsum(there, 1, order="blocked", out=y)
    assert control.others == 1  # the scratch memory, and no end of the stream
    there.negated = True
    refused(TypeError, "x is a tensor that PyTorch negates on reading", there, 1)
    there.requires_grad = True
    refused(TypeError, "requires gradients", there, 1)
    there.requires_grad, torch.version.hip = False, "6.0"
    refused(TypeError, "x is on the device .* of ROCm, and must be in the memory of", there, 1)
    assert cumsum.judge(there, y, 1) and cumsum.judge_sum(there, Tensor(x.sum(1), 1), 1)
