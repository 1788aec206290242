# SPDX-License-Identifier: MIT
"""DLPack's structures, built with ctypes: offsets, versions, and values that must be refused."""

import ctypes

import cumsum
import numpy
import pytest


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("id", ctypes.c_int)]


class DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", Device),
        ("ndim", ctypes.c_int),
        ("dtype", DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class ManagedTensor(ctypes.Structure):
    pass


class VersionedTensor(ctypes.Structure):
    """DLManagedTensorVersioned of DLPack 1.0."""


VersionedDeleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(VersionedTensor))
VersionedTensor._fields_ = [
    ("major", ctypes.c_uint32),
    ("minor", ctypes.c_uint32),
    ("manager", ctypes.c_void_p),
    ("deleter", VersionedDeleter),
    ("flags", ctypes.c_uint64),
    ("tensor", Tensor),
]

Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(ManagedTensor))
ManagedTensor._fields_ = [
    ("tensor", Tensor),
    ("manager", ctypes.c_void_p),
    ("deleter", Deleter),
]

new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def integers(numbers):
    return None if numbers is None else (ctypes.c_int64 * max(len(numbers), 1))(*numbers)


class Record:
    """Exports a tensor with the given members, and counts the calls of its deleter."""

    def __init__(self, array, sizes, strides=None, offset=0, code=2, bits=32, lanes=1, ndim=None, null=False, device=1):
        self.released = 0
        self.kept = array, integers(sizes), integers(strides)
        dtype = DataType(code, bits, lanes)
        address = None if null else array.ctypes.data
        ndim = len(sizes) if ndim is None else ndim
        self.record = ManagedTensor(
            Tensor(address, Device(device, 0), ndim, dtype, *self.kept[1:], offset),
            None,
            Deleter(self.release),
        )

    def release(self, _):
        self.released += 1

    def __dlpack__(self):
        return new_capsule(ctypes.addressof(self.record), b"dltensor", None)

    def __dlpack_device__(self):
        return (1, 0)


class Versioned(Record):
    """The same with the structure of DLPack 1.0."""

    def __init__(self, array, sizes, major=1, flags=0, **more):
        super().__init__(array, sizes, **more)
        self.record = VersionedTensor(
            major, 7, None, VersionedDeleter(self.release), flags, self.record.tensor
        )

    def __dlpack__(self, *, max_version=None):
        assert max_version == (1, 0)
        return new_capsule(ctypes.addressof(self.record), b"dltensor_versioned", None)


MEMORY = numpy.arange(24, dtype=numpy.float32)


def test_offset_and_no_strides():
    x = Record(MEMORY, [2, 3], offset=16)
    out = numpy.empty((2, 3), numpy.float32)
    cumsum.cumsum(x, 1, out=out)
    assert out.tolist() == [[4, 9, 15], [7, 15, 24]]
    assert x.released == 2  # once by type_of, once by scan


def test_strides_backwards():
    x = Record(MEMORY, [2, 3], strides=[6, -2], offset=16)
    out = numpy.empty((2, 3), numpy.float32)
    cumsum.cumsum(x, 1, out=out)
    assert out.tolist() == [[4, 6, 6], [10, 18, 24]]


def test_in_place():
    memory = MEMORY.copy()
    record = Record(memory, [4], strides=[2], offset=4)
    cumsum.cumsum(record, out=record)
    assert memory[1:9:2].tolist() == [1, 4, 9, 16] and memory[0:9:2].tolist() == [0, 2, 4, 6, 8]
    assert record.released == 3


@pytest.mark.parametrize(
    "error, words, changes",
    [
        (ValueError, "x has elements, but its address is null", {"null": True}),
        (ValueError, "negative size in dimension 1", {"sizes": [2, -3]}),
        (ValueError, "70 dimensions, more than an array", {"sizes": [1] * 70}),
        (ValueError, "-1 dimensions", {"ndim": -1}),
        (ValueError, "past the end", {"sizes": [2**40, 2**40], "strides": [0, 0]}),
        (ValueError, "past the end of the address space", {"sizes": [2**40, 2**40]}),
        (
            ValueError,
            "past the end of the address space",
            {"sizes": [4, 3], "strides": [2**59, 1]},
        ),
        (ValueError, "stride that overflows in dimension 0", {"strides": [2**62, 1]}),
        (ValueError, "stride that overflows in dimension 1", {"strides": [1, -(2**63)]}),
        (TypeError, r"x is on a device \(DLPack's type 2\), and must be in the memory", {"device": 2}),
        (TypeError, "float32 with 4 lanes", {"lanes": 4}),
        (TypeError, "elements of type float128", {"bits": 128}),
        (TypeError, "elements of type bfloat16", {"code": 4, "bits": 16}),
        (TypeError, "elements of type bool;", {"code": 6, "bits": 8}),
        (TypeError, "elements of type int4", {"code": 0, "bits": 4}),
        (TypeError, "elements of type unknown8", {"code": 77, "bits": 8}),
    ],
)
def test_refused(error, words, changes):
    record = Record(MEMORY, **{"sizes": [2, 3], **changes})
    with pytest.raises(error, match=words):
        cumsum.cumsum(record, 0, out=MEMORY.copy())
    assert record.released == 1


def test_versioned():
    memory = MEMORY.copy()
    x = Versioned(memory, [2, 3], strides=[6, -2], offset=16)
    out = Versioned(numpy.zeros(6, numpy.float32), [2, 3])
    assert cumsum.cumsum(x, 1, out=out) is out
    assert out.kept[0].tolist() == [4, 6, 6, 10, 18, 24]
    assert cumsum.judge(x, out, 1)
    assert (x.released, out.released) == (4, 2)


def test_versioned_and_read_only():
    x = Versioned(MEMORY, [4], flags=1)
    assert cumsum.judge(x, numpy.array([0, 1, 3, 6], numpy.float32))
    with pytest.raises(ValueError, match="out is read-only"):
        cumsum.cumsum(numpy.zeros(4, numpy.float32), out=x)
    assert MEMORY.tolist() == list(range(24)) and x.released == 3


def test_versioned_and_a_copy():
    """A copy can be read. A result that is written there would be lost."""
    x = Versioned(MEMORY, [4], flags=2)
    assert cumsum.judge(x, numpy.array([0, 1, 3, 6], numpy.float32))
    with pytest.raises(ValueError, match=r"out exports a copy of itself \(DLPack's flag IS_COPIED\)"):
        cumsum.cumsum(numpy.zeros(4, numpy.float32), out=x)
    assert MEMORY.tolist() == list(range(24)) and x.released == 3


@pytest.mark.parametrize("sizes", [[2**32 - 1, 2**32 - 1, 0], [0, 2**62, 2**62], [2**63 - 1, 0, 8]])
def test_no_elements_of_any_shape(sizes):
    """No product of sizes matters where one of them is 0. NumPy has no arrays of these shapes."""
    x, out = Record(MEMORY, sizes, null=True), Record(MEMORY, sizes)
    assert cumsum.cumsum(x, 1, out=out) is out
    assert cumsum.judge(x, out, 0).outputs == 0


def test_later_versions():
    """Only their version and their deleter can be read."""
    x = Versioned(MEMORY, [2, 3], major=2)
    with pytest.raises(BufferError, match="x has a tensor of DLPack 2.7, but only version 1 can be read"):
        cumsum.cumsum(x, 0)
    assert x.released == 1


class Confused(Record):
    """Raises a TypeError whether or not max_version is passed."""

    def __dlpack__(self, **more):
        raise TypeError("no export of this type")


def test_a_type_error_of_the_exporter():
    with pytest.raises(TypeError, match="no export of this type"):
        cumsum.cumsum(Confused(MEMORY, [2]), 0)
