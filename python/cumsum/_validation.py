# SPDX-License-Identifier: MIT
"""validate(): does DirectML accept an operator's descriptor?"""

from __future__ import annotations

from ctypes import Structure, byref, pointer
from dataclasses import dataclass
from typing import Any, Iterable, Mapping

from . import _library
from ._library import library
from ._words import FEATURE_LEVELS, TYPE_NUMBERS, FeatureLevel, in_capitals, index_of, is_bool
from ._words import number_of

# DirectML's enumerations, value for value.
_DATA_TYPES = ["UNKNOWN", *map(str.upper, TYPE_NUMBERS), "UINT4", "INT4"]
_TENSOR_TYPES = ["INVALID", "BUFFER"]
_FLAGS = ["NONE", "OWNED_BY_DML"]
_DIRECTIONS = ["INCREASING", "DECREASING"]

_UINT32_MAX = 2**32 - 1
_UINT64_MAX = 2**64 - 1


@dataclass(frozen=True)
class Validation:
    """Whether a descriptor is valid, and if not, which rule it breaks. True if it is valid."""

    valid: bool
    tensor: str = ""
    """ "InputTensor", "OutputTensor", or "" if the rule concerns both or neither."""
    field: str = ""
    """DirectML's name of the field, for example "Strides"."""
    dimension: int = -1
    """The index in Sizes or Strides, or -1."""
    value: int = 0
    """The value that breaks the rule."""
    limit: int = 0
    """The value that the rule compares it with."""
    rule: str = ""
    message: str = ""
    """The violation as one sentence."""

    @property
    def hresult(self) -> int:
        """The result of DirectML's CreateOperator: 0, or 0x80070057."""
        return 0 if self.valid else 0x80070057

    def __bool__(self) -> bool:
        return self.valid

    def __str__(self) -> str:
        return "valid" if self.valid else self.message


def _integer(value: object, path: str, low: int, high: int) -> int:
    """An integer of any type, since sizes and strides often come from NumPy, or a bool."""
    number = int(bool(value)) if is_bool(value) else index_of(value)
    if number is not None and low <= number <= high:
        return number
    raise ValueError(f"{path} is {value!r}, and must be an integer from {low} to {high}")


def _enumerated(value: object, path: str, prefix: str, names: list[str]) -> int:
    """A name, with or without its prefix, or any number that fits: the rules judge it."""
    if isinstance(value, str):
        name = value[len(prefix) :] if value.startswith(prefix) else value
        if name in names:
            return names.index(name)
    if index_of(value) is None:
        raise ValueError(f"{path} is {value!r}, and must be one of {', '.join(names)}")
    return _integer(value, path, -(2**31), _UINT32_MAX)  # ctypes makes it signed


def _numbers(value: Any, path: str) -> list[int] | None:
    if value is None:
        return None
    if isinstance(value, (str, Mapping)) or not isinstance(value, Iterable):
        raise TypeError(f"{path} is {value!r}, and must be a sequence of integers")
    return [_integer(item, f"{path}[{i}]", 0, _UINT32_MAX) for i, item in enumerate(value)]


def _known(members: Mapping[str, Any], path: str, kind: type[Structure]) -> None:
    known = [in_capitals(member[0]) for member in kind._fields_]
    if not isinstance(members, Mapping):
        raise TypeError(f"{path} must be a mapping, not {type(members).__qualname__}")
    for name in members:
        if name not in known:
            raise ValueError(f"{path} has a member {name!r}; known are {', '.join(sorted(known))}")


def _need(members: Mapping[str, Any], name: str, path: str) -> Any:
    if name not in members:
        raise ValueError(f"{path} needs the member {name}")
    return members[name]


def _buffer(members: Mapping[str, Any], path: str, kind: int) -> _library.TensorDesc:
    """Refuses a DimensionCount beyond the arrays, since the library would read past their end."""
    _known(members, path, _library.BufferTensorDesc)

    def number(name: str, default: int, high: int = _UINT32_MAX) -> int:
        return _integer(members.get(name, default), f"{path}.{name}", 0, high)

    data_type, flags = _need(members, "DataType", path), members.get("Flags", 0)
    sizes = _numbers(members.get("Sizes"), f"{path}.Sizes")
    strides = _numbers(members.get("Strides"), f"{path}.Strides") or None
    if sizes is not None and strides is not None and len(sizes) != len(strides):
        raise ValueError(
            f"{path}: Sizes has {len(sizes)} elements and Strides {len(strides)}: they need the "
            "same number"
        )
    given = sizes if sizes is not None else strides
    count = number("DimensionCount", len(given or ()))
    if given is not None and count > len(given):
        raise ValueError(f"{path}.DimensionCount is {count}, but only {len(given)} are given")
    buffer = _library.BufferTensorDesc(
        data_type=_enumerated(data_type, f"{path}.DataType", "DML_TENSOR_DATA_TYPE_", _DATA_TYPES),
        flags=_enumerated(flags, f"{path}.Flags", "DML_TENSOR_FLAG_", _FLAGS),
        dimension_count=count,
        sizes=None if sizes is None else _library.numbers(sizes),
        strides=None if strides is None else _library.numbers(strides),
        guaranteed_base_offset_alignment=number("GuaranteedBaseOffsetAlignment", 0),
    )
    total = "TotalTensorSizeInBytes"
    size = _library.size_of(buffer) if members.get(total) is None else number(total, 0, _UINT64_MAX)
    buffer.total_tensor_size_in_bytes = size
    return _library.TensorDesc(kind, pointer(buffer))


def _tensor(tensor: Any, path: str) -> _library.TensorDesc | None:
    if tensor is None:
        return None
    if not isinstance(tensor, Mapping) or "Desc" not in tensor:
        return _buffer(tensor, path, 1)
    _known(tensor, path, _library.TensorDesc)
    kind = tensor.get("Type", 1)
    return _buffer(
        tensor["Desc"], path, _enumerated(kind, f"{path}.Type", "DML_TENSOR_TYPE_", _TENSOR_TYPES)
    )


def validate(
    desc: Mapping[str, Any] | None = None,
    *,
    feature_level: FeatureLevel = "5_0",
    **members: Any,
) -> Validation:
    """Does DirectML's CreateOperator accept this descriptor of a cumulative summation?

    desc: DML_CUMULATIVE_SUMMATION_OPERATOR_DESC by the names of its members, as in a case file:

        {"InputTensor": {"DataType": "FLOAT32", "Sizes": [2, 3]},
         "OutputTensor": {"DataType": "FLOAT32", "Sizes": [2, 3]},
         "Axis": 1, "AxisDirection": "INCREASING", "HasExclusiveSum": False}

        A tensor is such a mapping, {"Type": ..., "Desc": {...}}, or None for a null pointer. It has
        DataType and Sizes, and may have Strides, DimensionCount, Flags, TotalTensorSizeInBytes
        (computed if missing) and GuaranteedBaseOffsetAlignment.
    feature_level: the version of the rules; "5_0" is that of DirectML 1.8 and later.
    members: the same members as keywords, instead of desc.

    Raises ValueError if the mapping is no descriptor: an unknown name, or a number that its field
    cannot hold. A descriptor that breaks a rule raises nothing: the result is then false.
    """
    if desc is not None and members:
        raise TypeError("a descriptor is given as a mapping or as keywords, not as both")
    desc = members if desc is None else desc
    _known(desc, "desc", _library.OperatorDesc)
    exclusive = _need(desc, "HasExclusiveSum", "desc")
    tensors = [
        None if tensor is None else pointer(tensor)
        for tensor in (_tensor(desc.get(name), name) for name in ("InputTensor", "OutputTensor"))
    ]
    axis = _integer(_need(desc, "Axis", "desc"), "Axis", 0, _UINT32_MAX)
    direction = _need(desc, "AxisDirection", "desc")
    operator = _library.OperatorDesc(
        *tensors,
        axis,
        _enumerated(direction, "AxisDirection", "DML_AXIS_DIRECTION_", _DIRECTIONS),
        _integer(exclusive, "HasExclusiveSum", -(2**31), _UINT32_MAX) != 0,
    )
    why = _library.Diagnostic()
    level = number_of("feature_level", feature_level, FEATURE_LEVELS)
    if not library.cumsum_validate(byref(operator), level, byref(why)):
        return Validation(valid=True)
    text = {name: getattr(why, name).decode() for name in ("tensor", "field", "rule", "message")}
    return Validation(False, dimension=why.dimension, value=why.value, limit=why.limit, **text)
