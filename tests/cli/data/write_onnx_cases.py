#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""write_onnx_cases.py DIR: writes ONNX backend test data of CumSum, right and wrong.

    DIR/right     the nine cases that ONNX has (DOUBLE but for two), and every type in every field that may hold it
    DIR/faults    right files with wrong outputs
    DIR/skipped   what is right and cannot be judged
    DIR/mangled   what no ONNX file may say

The messages are written here, byte by byte, by the numbers of the specification.
"""

import pathlib
import struct
import sys

FLOAT, UINT8, INT32, INT64, FLOAT16, DOUBLE, UINT32, UINT64 = 1, 2, 6, 7, 10, 11, 12, 13
BFLOAT16 = 16
FORMATS = {FLOAT: "f", INT32: "i", INT64: "q", FLOAT16: "e", DOUBLE: "d", UINT32: "I", UINT64: "Q"}
FORMATS[UINT8] = "B"
NAMES = {FLOAT: "float", INT32: "int32", INT64: "int64"}
NAMES.update({FLOAT16: "float16", DOUBLE: "double", UINT32: "uint32", UINT64: "uint64"})
NAMES[BFLOAT16] = "bfloat16"


def varint(number):
    number &= 2**64 - 1
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def integer(field, number):
    return varint(field << 3) + varint(number)


def block(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def half_bits(dtype, value):
    """The 16 bits of a FLOAT16, or of a BFLOAT16: the upper half of a float."""
    if dtype == FLOAT16:
        return struct.unpack("<H", struct.pack("<e", value))[0]
    return struct.unpack("<I", struct.pack("<f", value))[0] >> 16


def raw(dtype, values):
    if dtype == BFLOAT16:
        return b"".join(struct.pack("<H", half_bits(dtype, value)) for value in values)
    return b"".join(struct.pack("<" + FORMATS[dtype], value) for value in values)


def raw_data(dtype, values):
    return block(9, raw(dtype, values))


def typed_data(dtype, values, packed=True):
    """In the field that the specification has for the type."""
    if dtype == FLOAT:
        items, field, wire = [struct.pack("<f", value) for value in values], 4, 5
    elif dtype == DOUBLE:
        items, field, wire = [struct.pack("<d", value) for value in values], 10, 1
    elif dtype in (FLOAT16, BFLOAT16):
        items = [varint(half_bits(dtype, value)) for value in values]
        field, wire = 5, 0
    else:
        items = [varint(value) for value in values]
        field, wire = {INT32: 5, INT64: 7}.get(dtype, 11), 0
    if packed:
        return block(field, b"".join(items))
    return b"".join(varint(field << 3 | wire) + item for item in items)


def tensor(dtype, sizes, data, name="x"):
    dims = b"".join(integer(1, size) for size in sizes)
    return dims + integer(2, dtype) + block(8, name) + data


def node(attributes, op="CumSum", inputs=("x", "axis"), name=""):
    out = b"".join(block(1, text) for text in inputs) + block(2, "y")
    out += block(3, name) if name else b""
    out += block(4, op)
    for key, value in attributes.items():
        out += block(5, block(1, key) + integer(3, value) + integer(20, 2))
    return out


def value(name):
    """With a type, which is not looked at."""
    return block(1, name) + block(2, block(1, integer(1, FLOAT)))


def model(nodes, inputs=("x", "axis"), initializers=()):
    graph = b"".join(block(1, text) for text in nodes) + block(2, "graph")
    graph += b"".join(block(5, text) for text in initializers)
    graph += b"".join(block(11, value(name)) for name in inputs) + block(12, value("y"))
    opset = block(8, block(1, "") + integer(2, 14))
    return integer(1, 7) + block(2, "write_onnx_cases") + block(7, graph) + opset


def write(folder, graph, files):
    data_set = folder / "test_data_set_0"
    data_set.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(graph)
    for name, data in files.items():
        if data is not None:
            (data_set / f"{name}.pb").write_bytes(data)


def sums(values, sizes, axis, exclusive, reverse):
    """By the definition, on a flat row-major list."""
    out = list(values)
    inner = 1
    for size in sizes[axis % len(sizes) + 1 :]:
        inner *= size
    count = sizes[axis]
    for first in range(len(values)):
        if first // inner % count:
            continue
        line = [first + k * inner for k in range(count)]
        total = 0
        for at in reversed(line) if reverse else line:
            before = total
            total += values[at]
            out[at] = before if exclusive else total
    return out


def case(dtype=FLOAT, sizes=(5,), axis=0, data=raw_data, **attributes):
    """(model, files, x, y)"""
    count = 1
    for size in sizes:
        count *= size
    x = list(range(1, count + 1))
    y = sums(x, sizes, axis, attributes.get("exclusive"), attributes.get("reverse"))
    files = {
        "input_0": tensor(dtype, sizes, data(dtype, x)),
        "input_1": tensor(INT32, (), raw_data(INT32, [axis]), "axis"),
        "output_0": tensor(dtype, sizes, data(dtype, y), "y"),
    }
    return model([node(attributes)]), files, x, y


def write_right(root):
    for name, arguments in {
        "1d": {},
        "1d_exclusive": {"exclusive": 1},
        "1d_int32_exclusive": {"exclusive": 1, "dtype": INT32},
        "1d_reverse": {"reverse": 1},
        "1d_reverse_exclusive": {"reverse": 1, "exclusive": 1},
        "2d_axis_0": {"sizes": (2, 3)},
        "2d_axis_1": {"sizes": (2, 3), "axis": 1},
        "2d_int32": {"sizes": (2, 3), "dtype": INT32},
        "2d_negative_axis": {"sizes": (2, 3), "axis": -1},
    }.items():
        write(root / f"test_cumsum_{name}", *case(**{"dtype": DOUBLE, **arguments})[:2])
    for dtype, name in NAMES.items():
        write(root / "types" / f"{name}_raw", *case(dtype)[:2])
        write(root / "types" / f"{name}_typed", *case(dtype, data=typed_data)[:2])
    graph, files, _, _ = case(UINT64, (3, 2, 2), 1, lambda d, v: typed_data(d, v, packed=False))
    write(root / "unpacked", graph, files)
    axis = tensor(INT64, (1,), raw_data(INT64, [-2]), "axis")
    graph = model([node({}, name="sum")], inputs=("x",), initializers=[axis])
    files = {**case(sizes=(3, 2))[1], "input_1": None}
    write(root / "axis_in_the_model", graph, files)
    graph = model([node({})], inputs=("axis", "x"))
    files = case()[1]
    swapped = {"input_0": files["input_1"], "input_1": files["input_0"]}
    write(root / "axis_first", graph, {**files, **swapped})
    write(root / "another_operator", model([node({}, op="Add")]), {})


def write_faults(root):
    graph, files, x, y = case(sizes=(2, 3), axis=1)
    for name, wrong in {
        "exclusive_taken_for_inclusive": sums(x, (2, 3), 1, True, False),
        "last_wrong": y[:-1] + [y[-1] + 1],
        "nan": y[:-1] + [float("nan")],
        "other_axis": sums(x, (2, 3), 0, False, False),
        "reverse_not_done": sums(x, (2, 3), 1, False, True),
    }.items():
        output = tensor(FLOAT, (2, 3), raw_data(FLOAT, wrong), "y")
        write(root / name, graph, {**files, "output_0": output})


def write_skipped(root):
    write(root / "uint8", *case(UINT8)[:2])
    write(root / "nine_dimensions", *case(sizes=(1,) * 9)[:2])
    write(root / "no_elements", *case(sizes=(0,))[:2])
    write(root / "two_nodes", model([node({}), node({}, op="Add")]), case()[1])
    x = tensor(FLOAT, (5,), raw_data(FLOAT, [1] * 5), "x")
    write(root / "x_in_the_model", model([node({})], initializers=[x]), case()[1])


def write_mangled(root):
    graph, files, x, _ = case()
    five = raw_data(FLOAT, x)
    for name, wrong in {
        "bad_axis": {"input_1": tensor(INT32, (), raw_data(INT32, [1]))},
        "axis_of_two": {"input_1": tensor(INT32, (2,), raw_data(INT32, [0, 0]))},
        "axis_float": {"input_1": tensor(FLOAT, (), raw_data(FLOAT, [0]))},
        "cut_short": {"input_0": files["input_0"][:-3]},
        "empty_file": {"input_0": b""},
        "external": {"input_0": tensor(FLOAT, (5,), integer(14, 1))},
        "half_too_large": {"input_0": tensor(FLOAT16, (1,), block(5, varint(65536)))},
        "missing": {"output_0": None},
        "negative_size": {"input_0": tensor(FLOAT, (-5,), five)},
        "no_data": {"input_0": tensor(FLOAT, (5,), b"")},
        "no_type": {"input_0": tensor(0, (5,), five)},
        "noise": {"input_0": bytes(range(200, 256))},
        "other_shape": {"output_0": tensor(FLOAT, (5, 1), five)},
        "other_type": {"output_0": tensor(INT32, (5,), raw_data(INT32, x))},
        "overflow": {"input_0": tensor(FLOAT, (2**31, 2**31, 4), five)},
        "raw_and_typed": {"input_0": tensor(FLOAT, (5,), five + typed_data(FLOAT, x))},
        "raw_too_long": {"input_0": tensor(FLOAT, (4,), five)},
        "scalar": {"input_0": tensor(FLOAT, (), raw_data(FLOAT, [1]))},
        "segment": {"input_0": tensor(FLOAT, (5,), five + block(3, integer(1, 0)))},
        "typed_in_another_field": {"input_0": tensor(FLOAT, (5,), typed_data(INT32, x))},
        "too_many": {"input_0": tensor(FLOAT, (2**16, 2**16, 2), five)},
        "typed_too_long": {"input_0": tensor(FLOAT, (5,), typed_data(FLOAT, x + [6]))},
        "typed_too_short": {"input_0": tensor(FLOAT, (5,), typed_data(FLOAT, x[:4]))},
        "typed_double": {"input_0": tensor(DOUBLE, (5,), typed_data(FLOAT, x))},
        "typed_twice": {
            "input_0": tensor(FLOAT, (5,), typed_data(FLOAT, x) + typed_data(INT32, x))
        },
        "uint_too_large": {"input_0": tensor(UINT32, (1,), block(11, varint(2**32)))},
    }.items():
        write(root / "tensors" / name, graph, {**files, **wrong})
    for name, wrong in {
        "attribute_2": model([node({"reverse": 2})]),
        "attribute_unknown": model([node({"sideways": 1})]),
        "axis_from_nowhere": model([node({})], inputs=("x",)),
        "cut_short": graph[:-9],
        "empty_file": b"",
        "no_model": files["input_0"],
        "one_input": model([node({}, inputs=("x",))]),
        "x_from_nowhere": model([node({})], inputs=("axis",)),
    }.items():
        write(root / "models" / name, wrong, files)


def main():
    root = pathlib.Path(sys.argv[1])
    write_right(root / "right")
    write_faults(root / "faults")
    write_skipped(root / "skipped")
    write_mangled(root / "mangled")


if __name__ == "__main__":
    main()
