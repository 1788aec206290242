#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the case files of this folder from the tables below.

The expected values are typed in, not computed: a program that computed them could share a mistake
with the one under test. Run it after a change of the tables, and commit what it writes.
"""
import json
import pathlib

TYPES = ["FLOAT32", "FLOAT16", "INT32", "UINT32", "INT64", "UINT64"]
PAGE = "the documentation of DML_CUMULATIVE_SUMMATION_OPERATOR_DESC"
SHOWN = PAGE + ", example {}; there FLOAT32, here all six types"
NOT_SHOWN = "worked out by hand for the input of " + PAGE + ", which does not show this combination"

INPUT = [[2, 1, 3, 5], [3, 8, 7, 3], [9, 6, 2, 4]]

# name, source, axis, decreasing, exclusive, expected
CASES = [
    ("example-1-axis-3", SHOWN.format(1), 3, False, False,
     [[2, 3, 6, 11], [3, 11, 18, 21], [9, 15, 17, 21]]),
    ("example-2-axis-2", SHOWN.format(2), 2, False, False,
     [[2, 1, 3, 5], [5, 9, 10, 8], [14, 15, 12, 12]]),
    ("example-3-axis-3-decreasing", SHOWN.format(3), 3, True, False,
     [[11, 9, 8, 5], [21, 18, 10, 3], [21, 12, 6, 4]]),
    ("example-4-axis-3-exclusive", SHOWN.format(4), 3, False, True,
     [[0, 2, 3, 6], [0, 3, 11, 18], [0, 9, 15, 17]]),
    ("not-shown-axis-2-decreasing", NOT_SHOWN, 2, True, False,
     [[14, 15, 12, 12], [12, 14, 9, 7], [9, 6, 2, 4]]),
    ("not-shown-axis-2-exclusive", NOT_SHOWN, 2, False, True,
     [[0, 0, 0, 0], [2, 1, 3, 5], [5, 9, 10, 8]]),
    ("not-shown-axis-2-exclusive-decreasing", NOT_SHOWN, 2, True, True,
     [[12, 14, 9, 7], [9, 6, 2, 4], [0, 0, 0, 0]]),
    ("not-shown-axis-3-exclusive-decreasing", NOT_SHOWN, 3, True, True,
     [[9, 8, 5, 0], [18, 10, 3, 0], [12, 6, 4, 0]]),
]


def values(rows):
    return "[" + ",  ".join(", ".join(str(v) for v in row) for row in rows) + "]"


def resource(name, data_type, text):
    return f'    "{name}": {{ "initialValuesDataType": "{data_type}", "initialValues": {text} }}'


def resources(data_type, expected):
    filler = '{ "valueCount": 12, "value": 99 }'  # no expected value: an output left alone shows
    stem = data_type.lower()
    return ",\n".join([
        resource(f"{stem}.input", data_type, values(INPUT)),
        resource(f"{stem}.output", data_type, filler),
        resource(f"{stem}.output.expected", data_type, values(expected)),
    ])


def dispatchable(data_type, axis, decreasing, exclusive):
    tensor = f'{{ "DataType": "{data_type}", "Sizes": [1, 1, 3, 4] }}'
    direction = "DECREASING" if decreasing else "INCREASING"
    return f'''    "{data_type.lower()}": {{
      "type": "DML_OPERATOR_CUMULATIVE_SUMMATION",
      "desc": {{
        "InputTensor": {tensor},
        "OutputTensor": {tensor},
        "Axis": {axis},
        "AxisDirection": "DML_AXIS_DIRECTION_{direction}",
        "HasExclusiveSum": {"true" if exclusive else "false"}
      }}
    }}'''


def dispatch(data_type):
    stem = data_type.lower()
    return (f'    {{ "type": "dispatch", "dispatchable": "{stem}",\n'
            f'      "bindings": {{ "InputTensor": "{stem}.input", "OutputTensor": "{stem}.output" }} }}')


def case_file(source, axis, decreasing, exclusive, expected):
    text = "{\n"
    text += f'  "source": "{source}",\n'
    text += '  "resources": {\n' + ",\n".join(resources(t, expected) for t in TYPES) + "\n  },\n"
    text += '  "dispatchables": {\n'
    text += ",\n".join(dispatchable(t, axis, decreasing, exclusive) for t in TYPES) + "\n  },\n"
    text += '  "commands": [\n' + ",\n".join(dispatch(t) for t in TYPES) + "\n  ]\n}\n"
    json.loads(text)
    return text


for name, *case in CASES:
    path = pathlib.Path(__file__).parent / f"{name}.json"
    path.write_text(case_file(*case), encoding="ascii", newline="\n")
