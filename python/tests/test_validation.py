# SPDX-License-Identifier: MIT
"""validate(): which mappings it takes, and which descriptors are valid."""

import json
import pathlib

import cumsum
import numpy
import pytest

GOLDEN = pathlib.Path(__file__).parents[2] / "tests" / "golden" / "directml"
PACKED = {"DataType": "FLOAT32", "Sizes": [2, 3]}
VALID = {
    "InputTensor": PACKED,
    "OutputTensor": PACKED,
    "Axis": 1,
    "AxisDirection": "INCREASING",
    "HasExclusiveSum": False,
}


def changed(**members):
    return {**VALID, **members}


def output(**members):
    return changed(OutputTensor={**PACKED, **members})


@pytest.mark.filterwarnings("error")  # NumPy 2 warns of its bools as indices
def test_kinds_of_members():
    for desc in (
        changed(AxisDirection="DML_AXIS_DIRECTION_DECREASING", HasExclusiveSum=7),
        changed(InputTensor={"Type": "DML_TENSOR_TYPE_BUFFER", "Desc": PACKED}),
        output(Strides=[]),
        output(DataType="DML_TENSOR_DATA_TYPE_FLOAT32", TotalTensorSizeInBytes=24, Flags="NONE"),
        output(Sizes=(2, 3), DimensionCount=2),
        output(Sizes=numpy.array([2, 3]), Strides=[numpy.int64(3), numpy.uint8(1)]),
        output(TotalTensorSizeInBytes=numpy.uint64(24), Flags=numpy.int32(0)),
        changed(Axis=numpy.int64(0), HasExclusiveSum=numpy.True_),
    ):
        validation = cumsum.validate(desc)
        assert validation and validation.hresult == 0 and str(validation) == "valid"
    assert cumsum.validate(**VALID)


def test_verdicts_of_directml():
    rules = set()
    for line in (GOLDEN / "descriptors.jsonl").read_text().splitlines():
        recorded = json.loads(line)
        validation = cumsum.validate(recorded["desc"])
        assert validation.valid == (recorded["hresult"] == "S_OK"), recorded["name"]
        assert validation.field in validation.message and str(validation)
        rules.add((validation.tensor, validation.field, validation.dimension >= 0))
    assert ("OutputTensor", "Strides", True) in rules and len(rules) == 17


def test_null_and_empty():
    for desc, tensor, field in [
        (changed(InputTensor=None), "InputTensor", ""),
        (output(Sizes=None), "OutputTensor", "DimensionCount"),
        (output(Sizes=[1] * 70), "OutputTensor", "DimensionCount"),
    ]:
        validation = cumsum.validate(desc)
        assert (validation.tensor, validation.field, validation.dimension) == (tensor, field, -1)
        assert not validation and validation.hresult == 0x80070057
    validation = cumsum.validate(changed(Axis=5))
    assert (validation.value, validation.limit) == (5, 2)


def test_feature_levels():
    assert not cumsum.validate(VALID, feature_level="2_1")
    four = {"DataType": "INT64", "Sizes": [1, 1, 2, 3]}
    desc = changed(InputTensor=four, OutputTensor=four)
    assert cumsum.validate(desc) and not cumsum.validate(desc, feature_level="4_0")
    with pytest.raises(ValueError, match="feature_level is '3_0', and must be one of"):
        cumsum.validate(VALID, feature_level="3_0")


@pytest.mark.parametrize(
    "desc, words",
    [
        (changed(Bxis=1), "desc has a member 'Bxis'"),
        ({"Axis": 1}, "desc needs the member HasExclusiveSum"),
        (changed(Axis=-1), "Axis is -1, and must be an integer from 0 to 4294967295"),
        (changed(Axis=1.0), "Axis is 1.0, and must be an integer"),
        (changed(AxisDirection="UP"), "must be one of INCREASING, DECREASING"),
        (output(DataType="FLOAT31"), "OutputTensor.DataType is 'FLOAT31'"),
        (output(Sizes=[2, 2**32]), r"OutputTensor.Sizes\[1\] is 4294967296"),
        (output(Strides=[1]), "Sizes has 2 elements and Strides 1"),
        (output(DimensionCount=3), "DimensionCount is 3, but only 2 are given"),
        (output(Colour=1), "OutputTensor has a member 'Colour'"),
        (changed(InputTensor={"Sizes": [1]}), "InputTensor needs the member DataType"),
        (output(TotalTensorSizeInBytes=-1), "OutputTensor.TotalTensorSizeInBytes is -1"),
        (output(Sizes=[2, 3.0]), r"OutputTensor.Sizes\[1\] is 3.0, and must be an integer"),
        (output(Sizes=[2, numpy.array([3.0])]), r"OutputTensor.Sizes\[1\] is array"),
        (changed(AxisDirection=numpy.array(1.5)), "AxisDirection is .* one of INCREASING"),
        (output(DataType=None), "OutputTensor.DataType is None, and must be one of UNKNOWN, "),
        (changed(HasExclusiveSum="no"), "HasExclusiveSum is 'no', and must be an integer"),
        (changed(InputTensor=3), "InputTensor must be a mapping, not int"),
        *((output(Sizes=sizes), "Sizes is .* must be a sequence") for sizes in (3, "23", {2: 3})),
    ],
)
def test_no_descriptor(desc, words):
    error = TypeError if "must be a " in words else ValueError
    with pytest.raises(error, match=words):
        cumsum.validate(desc)
    with pytest.raises(TypeError, match="not as both"):
        cumsum.validate(desc, Axis=1)
