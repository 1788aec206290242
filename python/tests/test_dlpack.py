# SPDX-License-Identifier: MIT
"""DLPack, with exporters that these tests define."""

import ctypes

import cumsum
import numpy
import pytest
from array_samples import same_bits


class OnlyDlpack:
    """An array that offers only DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)


def test_dlpack_alone():
    x = numpy.arange(12, dtype=numpy.int32).reshape(3, 4)
    for view in (x, x.T, x[::-1, ::2]):
        out = numpy.empty(view.shape, numpy.int32)
        assert cumsum.cumsum(OnlyDlpack(view), 1, out=out) is out
        assert same_bits(out, cumsum.cumsum(view, 1))
        assert cumsum.judge(OnlyDlpack(view), OnlyDlpack(out), 1)
    with pytest.raises(TypeError, match="no array can be made for the result: x, a OnlyDlpack"):
        cumsum.cumsum(OnlyDlpack(x), 1)


def test_out():
    """Only memory of which NumPy knows that it may be written."""
    x, out = numpy.arange(12.0), OnlyDlpack(numpy.zeros(12))
    if numpy.from_dlpack(out).flags.writeable:
        assert cumsum.cumsum(x, out=out) is out and same_bits(out.array, cumsum.cumsum(x))
        out.array.flags.writeable = False
    with pytest.raises((ValueError, TypeError), match="out is read-only|out cannot be read"):
        cumsum.cumsum(x, out=out)
    assert out.array[0] == 0


def test_array_where_dlpack_fails():
    members = {"__dlpack__": no_export, "__array__": lambda self: self.array}
    x = type("Both", (OnlyDlpack,), members)(numpy.arange(3.0))
    assert cumsum.cumsum(x).tolist() == [0, 1, 3]


class Namespace:
    """An array library that makes arrays from DLPack."""

    @staticmethod
    def from_dlpack(array):
        return OnlyDlpack(array)


class OfNamespace(OnlyDlpack):
    def __array_namespace__(self):
        return Namespace


def test_result_of_another_library():
    x = numpy.arange(6, dtype=numpy.float16).reshape(2, 3)
    result = cumsum.cumsum(OfNamespace(x), 1)
    assert type(result) is OnlyDlpack and same_bits(result.array, cumsum.cumsum(x, 1))
    result = cumsum.cumsum(OfNamespace(x), 1, dtype="int32")
    assert type(result) is OnlyDlpack
    assert same_bits(result.array, cumsum.cumsum(x, 1, dtype="int32"))
    for initial in (False, True):
        result = cumsum.cumulative_sum(OfNamespace(x), axis=1, include_initial=initial)
        expected = cumsum.cumulative_sum(x, axis=1, include_initial=initial)
        assert type(result) is OnlyDlpack and same_bits(result.array, expected)


def no_export(exporter):
    raise RuntimeError("no export today")


def used(exporter):
    """Another consumer has taken the tensor already."""
    capsule = exporter.array.__dlpack__()
    rename = ctypes.pythonapi.PyCapsule_SetName
    rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
    rename(capsule, b"used_dltensor")
    return capsule


@pytest.mark.parametrize(
    "name, answer, reason",
    [("__dlpack__", lambda self: 3, "x cannot be read: "),
     ("__dlpack__", no_export, "x cannot be read: no export today"),
     ("__dlpack__", used, "x cannot be read: "),
     ("__dlpack_device__", lambda self: (10, 0), r"x is on a device of ROCm \(DLPack's type 10\), and"),
     ("__dlpack_device__", lambda self: (99, 0), r"a device of another kind \(DLPack's type 99\)"),
     *[("__dlpack_device__", lambda self, answer=answer: answer, "must return two integers")
       for answer in ((), ("cpu", 0), None, (1.5, 0), "cpu")]],
)  # fmt: skip
def test_bad_exporters(name, answer, reason):
    kind = type("Bad", (OnlyDlpack,), {name: answer})
    x = numpy.ones(3, numpy.float32)
    with pytest.raises(TypeError, match=reason):
        cumsum.cumsum(kind(x), out=x)
