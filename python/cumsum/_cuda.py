# SPDX-License-Identifier: MIT
"""Arrays on CUDA GPUs: where their elements are, their sums by libcumsum-cuda in the stream of
their library, and copies for the oracle."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import math
import sys
from ctypes import byref, c_char_p, c_int, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p
from dataclasses import dataclass, replace
from operator import index
from typing import Any, Iterator

import numpy

from ._arrays import BfloatBits, check_operand, computed_type, dlpack_device, has_dlpack
from ._arrays import is_on_gpu, tensor_problem, torch_of
from ._layout import are_same_elements, initial_and_sums, layout_of, packed
from ._library import CudaMemory, Handle, Numerics, call, declared, load
from ._scan import Options, check_agreement

_FUNCTIONS = """
cuda_plan_create i ippipp
cuda_plan_scratch q p
cuda_plan_destroy - p
cuda_launch i pppppp
"""


@functools.cache
def _library() -> Any:
    try:
        return declared(load("cumsum-cuda"), _FUNCTIONS)
    except ImportError as error:
        raise RuntimeError(
            f"x is on a GPU, and this build of the package has no path for it: {error}"
        ) from None


# The driver, for what neither that library nor DLPack does.


@functools.cache
def _driver() -> Any:
    name = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    try:
        driver = ctypes.CDLL(name)
        _check(driver, "cuInit", driver.cuInit(0))
    except (OSError, AttributeError) as error:
        raise RuntimeError(f"NVIDIA's driver cannot be loaded: {error}") from None
    return driver


def _check(driver: Any, name: str, result: int) -> None:
    if result:
        word = c_char_p()
        driver.cuGetErrorName(result, byref(word))
        known = (word.value or b"unknown").decode()
        raise RuntimeError(f"CUDA: {name}: error {result}, {known}")


@contextlib.contextmanager
def _context_of(gpu: int) -> Iterator[Any]:
    """The driver, while the GPU's primary context is that of the thread."""
    driver, context = _driver(), c_void_p()
    retained = driver.cuDevicePrimaryCtxRetain(byref(context), gpu)
    _check(driver, "cuDevicePrimaryCtxRetain", retained)
    try:
        _check(driver, "cuCtxPushCurrent", driver.cuCtxPushCurrent_v2(context))
        try:
            yield driver
        finally:
            driver.cuCtxPopCurrent_v2(byref(context))
    finally:
        driver.cuDevicePrimaryCtxRelease_v2(gpu)


_DEVICE_ORDINAL = 9  # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL


def _gpu_at(address: int) -> int:
    """The GPU that has this memory; 0 if CUDA does not know it, which a launch refuses."""
    gpu = c_int()
    driver, asked = _driver(), c_int(_DEVICE_ORDINAL)
    answers = (c_void_p * 1)(ctypes.addressof(gpu))
    answered = driver.cuPointerGetAttributes(1, byref(asked), answers, c_uint64(address))
    _check(driver, "cuPointerGetAttributes", answered)
    return max(gpu.value, 0)


# Arrays

_LEGACY = 1  # the legacy default stream, as DLPack and __cuda_array_interface__ number streams
_IS_READY = -1  # DLPack's word for: without waiting


@dataclass(frozen=True)
class GpuArray:
    """Where the elements of an array on a GPU are."""

    gpu: int
    address: int  # of the element whose indices are all 0
    shape: tuple[int, ...]
    strides: tuple[int, ...]  # in bytes
    dtype: Any  # NumPy's; of bfloat16 int16
    stream: int | None  # in which its library works, or None if that does not say
    writable: bool = True
    bfloat16: bool = False
    owner: Any = None  # keeps the memory

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def span(self) -> tuple[int, int]:
        """The first byte, and that after the last one."""
        if not self.size:
            return self.address, self.address
        steps = [(n - 1) * stride for n, stride in zip(self.shape, self.strides)]
        first = self.address + sum(step for step in steps if step < 0)
        last = self.address + sum(step for step in steps if step > 0)
        return first, last + self.dtype.itemsize

    @property
    def aligned(self) -> bool:
        return self.address % int(self.dtype.itemsize) == 0

    def without_one(self, axis: int, first: bool) -> GpuArray:
        """The array less its first or last index along an axis."""
        shape = (*self.shape[:axis], self.shape[axis] - 1, *self.shape[axis + 1 :])
        begin = self.address + (self.strides[axis] if first else 0)
        return replace(self, address=begin, shape=shape)


class _Tensor(ctypes.Structure):
    """DLPack's DLTensor."""

    _fields_ = [
        ("data", c_void_p),
        ("device", c_int32 * 2),
        ("rank", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", ctypes.POINTER(c_int64)),
        ("strides", ctypes.POINTER(c_int64)),
        ("offset", c_uint64),
    ]


_pointer_of = ctypes.PYFUNCTYPE(c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_CODES = {0: "i", 1: "u", 2: "f", 4: "i", 5: "c", 6: "b"}
_BFLOAT = 4


def _from_dlpack(name: str, array: Any, stream: int | None) -> GpuArray:
    """In the stream, that of its library, the elements of the array are ready: it need not wait, and
    PyTorch would make that stream wait for the one of the current GPU. Without a stream the array
    makes them ready for the legacy default one. The capsule, which nobody consumes, keeps the
    memory."""
    try:
        capsule = array.__dlpack__(stream=_LEGACY if stream is None else _IS_READY)
        tensor = _Tensor.from_address(_pointer_of(capsule, b"dltensor"))
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise TypeError(f"{name} cannot be read: {error}") from None
    shape = tuple(tensor.shape[: tensor.rank]) if tensor.rank else ()
    steps = tuple(tensor.strides[: tensor.rank]) if tensor.strides and shape else packed(shape)
    size = tensor.bits // 8
    try:
        dtype = numpy.dtype(f"{_CODES[tensor.code]}{size}")
    except (KeyError, TypeError):
        dtype = None
    if dtype is None or tensor.lanes != 1 or tensor.bits % 8:
        bits = f"{tensor.bits} bits" + (f" by {tensor.lanes}" if tensor.lanes != 1 else "")
        raise TypeError(
            f"{name} has elements of DLPack's type {tensor.code} of {bits}, which NumPy lacks"
        )
    return GpuArray(
        gpu=tensor.device[1],
        address=(tensor.data or 0) + tensor.offset,
        shape=shape,
        strides=tuple(size * step for step in steps),
        dtype=dtype,
        stream=stream,
        bfloat16=tensor.code == _BFLOAT,
        owner=(array, capsule),
    )


def _wait(values: GpuArray) -> None:
    """Returns when the work in the stream of an array is done."""
    stream = values.stream or _LEGACY
    with _context_of(values.gpu) as driver:
        _check(driver, "cuStreamSynchronize", driver.cuStreamSynchronize(c_void_p(stream)))


def _indices(numbers: Any) -> tuple[int, ...]:
    return tuple(map(index, numbers))


def _from_interface(name: str, array: Any, interface: dict[str, Any]) -> GpuArray:
    """The array by __cuda_array_interface__, of which version 3 tells the stream."""
    try:
        mask, (begin, read_only) = interface.get("mask"), interface["data"]
        dtype, shape = numpy.dtype(interface["typestr"]), _indices(interface["shape"])
        strides = _indices(interface.get("strides") or packed(shape, dtype.itemsize))
        stream = index(interface["stream"] or _LEGACY) if "stream" in interface else None
        address = index(begin or 0)
        if len(strides) != len(shape) or min(shape, default=0) < 0:
            raise ValueError(f"shape {shape}, strides {strides}")
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise TypeError(f"{name}.__cuda_array_interface__ is wrong: {error!r}") from None
    if mask is not None:
        raise TypeError(f"{name} has a mask, whose hidden elements would be used")
    if has_dlpack(array):
        gpu = dlpack_device(name, array)[1]
    else:
        gpu = _gpu_at(address) if address else 0
    return GpuArray(gpu, address, shape, strides, dtype, stream, not read_only, owner=array)


def _gpu_array(name: str, array: Any) -> GpuArray:
    torch = torch_of(array)
    if torch is not None:
        problem = tensor_problem(name, array, torch)
        if problem is not None:
            raise TypeError(problem)
        stream = torch.cuda.current_stream(array.device).cuda_stream
        return _from_dlpack(name, array.detach(), stream or _LEGACY)
    interface = getattr(array, "__cuda_array_interface__", {})
    if not has_dlpack(array) or (isinstance(interface, dict) and "stream" in interface):
        return _from_interface(name, array, interface)
    return _from_dlpack(name, array, None)


def gpu_operand(name: str, array: Any, *, loses_gradients: bool = False) -> tuple[Any, int]:
    """operand() for an array on a GPU."""
    check_operand(name, array, loses_gradients)
    values = _gpu_array(name, array)
    return values, computed_type(name, values)


def on_host(name: str, array: Any) -> Any:
    """A copy in the memory of the CPU, for the oracle; other arrays as they are."""
    if torch_of(array) is not None:  # ROCm's devices are called cuda, too
        return array.detach().cpu() if array.device.type == "cuda" else array
    if not is_on_gpu(name, array):
        return array
    values = _gpu_array(name, array)
    first, end = values.span
    memory = numpy.empty(end - first, numpy.uint8)
    if memory.size:
        _wait(values)
        with _context_of(values.gpu) as driver:
            to, bytes_ = c_void_p(memory.ctypes.data), ctypes.c_size_t(memory.size)
            _check(driver, "cuMemcpyDtoH", driver.cuMemcpyDtoH_v2(to, c_uint64(first), bytes_))
    offset = values.address - first
    copy: Any = numpy.ndarray(values.shape, values.dtype, memory, offset, values.strides)
    return BfloatBits(copy.view("uint16")) if values.bfloat16 else copy


# What x's library makes

_LIBRARIES = "torch", "cupy", "numba", "jax", "jaxlib"


def _library_name(array: Any) -> str:
    """A known library if the array is of a subclass of its arrays."""
    names = [kind.__module__.partition(".")[0] for kind in type(array).__mro__]
    return next((name for name in names if name in _LIBRARIES), names[0])


# PyTorch, CuPy and Numba have no __array_namespace__ in all of their versions.
def _made(x: Any, like: GpuArray, shape: tuple[int, ...], dtype: str, zeros: bool = False) -> Any:
    """An array of x's library on its GPU, in its stream."""
    name, make = _library_name(x), "zeros" if zeros else "empty"
    library: Any = sys.modules.get(name)
    if name == "torch":
        return getattr(library, make)(shape, dtype=getattr(library, dtype), device=x.device)
    if name == "cupy":
        with x.device:
            return getattr(library, make)(shape, dtype)
    if name == "numba":
        made = library.cuda.device_array(shape, dtype, stream=x.stream)
        if zeros:
            made[...] = 0
        return made
    if not hasattr(x, "__array_namespace__"):
        raise TypeError(
            f"no memory can be had for a sum on the GPU: x, a {type(x).__qualname__}, has no "
            "__array_namespace__"
        )
    namespace = x.__array_namespace__()
    return getattr(namespace, make)(shape, dtype=getattr(namespace, dtype), device=x.device)


# Plans stay until the process ends, so that a launch needs no new one, and graphs may keep what they
# captured. When there are this many, a new one lives as long as its call.
_MOST_PLANS = 512
_plans: dict[Any, _Plan] = {}


class _Plan(Handle):
    """The plan of a layout on a GPU, what it needs, and which operands have no such layout."""

    __slots__ = ("copied", "scratch")

    def __init__(self, gpu: int, data_type: int, options: Options, *kind: Any) -> None:
        shape, strides, size, aligned = kind
        layout = layout_of(shape, strides, size, options.axis, aligned)
        desc = layout.describe(data_type, options.decreasing, options.exclusive)
        library, how = _library(), Numerics(*options.numerics)
        create, destroy = library.cumsum_cuda_plan_create, library.cumsum_cuda_plan_destroy
        super().__init__(create, destroy, gpu, byref(desc), byref(how), 0)
        self.copied = layout.copied
        self.scratch: int = library.cumsum_cuda_plan_scratch(self.pointer)


def _memory(values: GpuArray) -> Any:
    """TotalTensorSizeInBytes is a multiple of 4."""
    first, end = values.span
    return byref(CudaMemory(first, (end - first + 3) // 4 * 4))


def _overlap(x: GpuArray, y: GpuArray) -> bool:
    """Whether words of one contain elements of the other."""
    (x_first, x_end), (y_first, y_end) = x.span, y.span
    return x_first // 4 < -(-y_end // 4) and y_first // 4 < -(-x_end // 4)


def _copied(x: Any, like: GpuArray) -> tuple[Any, GpuArray]:
    """A packed copy of x by its library."""
    copy = _made(x, like, like.shape, like.dtype.name)
    copy[...] = x
    return copy, _gpu_array("x", copy)


def _scan(
    x: Any, source: GpuArray, y: Any, values: GpuArray, inside: Any, data_type: int, options: Options
) -> None:
    """Sums x, whose elements are at source, into y[inside], whose elements are at values."""
    same = are_same_elements(source, values, source.address, values.address)
    if _overlap(source, values) and not same:
        x, source = _copied(x, source)
    aligned = source.aligned, values.aligned
    kind = source.shape, (source.strides, values.strides), source.dtype.itemsize, aligned
    key = source.gpu, data_type, options._replace(kernel=0, threads=1), *kind
    plan = _plans.get(key) or _Plan(*key)
    if len(_plans) < _MOST_PLANS:
        plan = _plans.setdefault(key, plan)
    if plan.copied[0]:
        x, source = _copied(x, source)
    if not plan.copied[1]:
        _launch(plan, x, source, values, waits=plan is not _plans.get(key))
        return
    made = _made(x, values, values.shape, values.dtype.name)
    _launch(plan, x, source, _gpu_array("out", made), waits=plan is not _plans.get(key))
    y[inside] = made


def _launch(plan: _Plan, x: Any, source: GpuArray, target: GpuArray, waits: bool) -> None:
    """waits: return when the GPU is ready, as always if x's library has no stream that its own work
    would follow."""
    stream = None if source.stream in (None, _LEGACY) else source.stream
    scratch = None
    if plan.scratch:
        scratch = _gpu_array("scratch", _made(x, source, (plan.scratch,), "uint8"))
    operands = [given and _memory(given) for given in (source, target, scratch)]
    try:
        call(_library().cumsum_cuda_launch, plan.pointer, stream, *operands)
    except RuntimeError as error:
        if "INVALID_HANDLE" not in str(error) and "INVALID_CONTEXT" not in str(error):
            raise
        raise RuntimeError(
            f"{error}; the stream {source.stream} is not one of the GPU {source.gpu}, on which x is"
        ) from None
    if waits or source.stream is None:
        _wait(source)


def _check_out(x: Any, source: GpuArray, out: Any) -> None:
    """Raises what an out gets that the sums of x cannot go to."""
    if not is_on_gpu("out", out):
        raise TypeError(f"x is on the GPU {source.gpu}, and out is not on a GPU")
    if _library_name(out) in ("jax", "jaxlib"):
        raise ValueError("out is an array of JAX, which cannot be changed")
    values = _gpu_array("out", out)
    if not values.writable:
        raise ValueError("out is read-only")
    if values.gpu != source.gpu:
        raise ValueError(f"out is on the GPU {values.gpu}, and x on the GPU {source.gpu}")
    if values.stream != source.stream:
        streams = [
            "a stream that its library does not tell" if it is None else f"the stream {it}"
            for it in (source.stream, values.stream)
        ]
        raise ValueError(
            f"x is ready in {streams[0]}, and out in {streams[1]}: they need one stream"
        )


def sum_on_gpu(
    x: Any, source: GpuArray, data_type: int, options: Options, shape: Any, initial: bool, out: Any
) -> Any:
    """Appends the sums of x to its stream. shape: that of the result; initial: it begins with 0.
    Returns out, or a new array of x's library."""
    axis, reverse = options.axis, options.decreasing
    if out is not None:
        _check_out(x, source, out)
    result = _made(x, source, shape, source.dtype.name, initial) if out is None else out
    values, result_type = gpu_operand("out", result, loses_gradients=True)
    if not source.ndim:
        source = replace(source, shape=(1,), strides=(source.dtype.itemsize,))
        if not values.ndim:
            values = replace(values, shape=(1,), strides=source.strides)
    inside: Any = ...
    if initial:
        first, inside = initial_and_sums(values.shape, shape, axis, reverse)
        values = values.without_one(axis, first=not reverse)
    check_agreement("out", source, data_type, values, result_type)
    if source.size:
        _scan(x, source, result, values, inside, data_type, options)
    if initial and out is not None:
        out[first] = 0  # behind the sums of x, which may be there
    return result
