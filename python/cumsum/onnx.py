# SPDX-License-Identifier: MIT
"""python -m cumsum.onnx DIR...: judges the recorded outputs in ONNX's test data of CumSum. A test
is a folder with model.onnx, a graph of one CumSum node, and folders test_data_set_N, which hold the
tensors input_0.pb, input_1.pb (the axis) and output_0.pb."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator, NoReturn, get_args

from ._arrays import BfloatBits
from ._judgement import judge
from ._words import Accept

try:
    numpy: Any = importlib.import_module("numpy")
    onnx: Any = importlib.import_module("onnx")
    numpy_helper: Any = importlib.import_module("onnx.numpy_helper")
    DecodeError: Any = importlib.import_module("google.protobuf.message").DecodeError
except ImportError as missing:
    print(f"cumsum.onnx: {missing}; Debian has it in the package python3-onnx", file=sys.stderr)
    sys.exit(3)

# The supported types. For those that have a smaller range than the field of a TensorProto that
# holds their elements, the largest: numpy_helper takes larger ones modulo 2**16 or 2**32.
_TYPES = {"FLOAT": None, "DOUBLE": None, "FLOAT16": 2**16 - 1, "BFLOAT16": 2**16 - 1}
_TYPES |= {"INT32": None, "UINT32": 2**32 - 1, "INT64": None, "UINT64": None}


class Unjudged(Exception):
    """Why well-formed data cannot be judged."""


def _array(tensor: Any) -> Any:
    dtype = onnx.TensorProto.DataType.Name(tensor.data_type)
    if dtype not in ("UNDEFINED", *_TYPES):
        raise Unjudged(f"elements of type {dtype} are not supported: only {', '.join(_TYPES)}")
    if tensor.data_location == onnx.TensorProto.EXTERNAL:
        raise ValueError("data in another file is not read")
    if any(size < 0 for size in tensor.dims):
        raise ValueError(f"the shape is {list(tensor.dims)}")
    if 0 in tensor.dims:
        raise Unjudged("a tensor without elements")
    onnx.checker.check_tensor(tensor)
    largest = _TYPES[dtype]
    if largest and not all(0 <= n <= largest for n in (*tensor.int32_data, *tensor.uint64_data)):
        raise ValueError(f"an element is more than a {dtype} holds, {largest}")
    # The type that numpy_helper gives depends on its version, and 1.17 reads freed memory.
    if dtype == "BFLOAT16":
        raw = tensor.HasField("raw_data")
        bits = numpy.frombuffer(tensor.raw_data, "<u2") if raw else numpy.array(tensor.int32_data)
        return BfloatBits(bits.astype("uint16").reshape(tuple(tensor.dims)))
    return numpy_helper.to_array(tensor)


def _file(path: Path) -> Any:
    try:
        return _array(onnx.load_tensor_from_string(path.read_bytes()))
    except (ValueError, Unjudged, DecodeError, onnx.checker.ValidationError) as error:
        raise type(error)(f"{path.name}: {error}") from None


def _graph(path: Path) -> Any:
    """The graph of a model, or None if it has no CumSum."""
    model = onnx.load(str(path), load_external_data=False)
    if not model.HasField("graph"):
        raise ValueError("this is not an ONNX model: it has no graph")
    nodes = model.graph.node
    if all(node.op_type != "CumSum" for node in nodes):
        return None
    if len(nodes) > 1:
        raise Unjudged(f"the graph has {len(nodes)} nodes: only CumSum alone can be judged")
    onnx.checker.check_node(nodes[0])
    return model.graph


def _input(graph: Any, name: str, folder: Path) -> Any:
    """An input of the node: an initializer of the graph, or a file of the data set."""
    for initializer in graph.initializer:
        if initializer.name == name:
            return _array(initializer)
    names = [value.name for value in graph.input]
    if name not in names:
        raise ValueError(f"{name!r} is neither an input of the graph nor an initializer")
    return _file(folder / f"input_{names.index(name)}.pb")


def _judged(graph: Any, folder: Path, options: dict[str, Any]) -> tuple[str, str]:
    """The status of a data set, and the text that explains it."""
    node = graph.node[0]
    x, axis = (_input(graph, name, folder) for name in node.input)
    if getattr(axis, "dtype", None) not in ("int32", "int64") or axis.size != 1:
        raise ValueError(f"the axis is {axis!r}, and must be one int32 or int64")
    flags = {attribute.name: attribute.i for attribute in node.attribute}
    if not set(flags.values()) <= {0, 1}:
        raise ValueError(f"the attributes are {flags}, and must be 0 or 1")
    chosen: dict[str, Any] = {name: bool(value) for name, value in flags.items()}
    said = judge(x, _file(folder / "output_0.pb"), axis.item(), **chosen, **options)
    status, _, text = str(said).partition(": ")
    return status, ", ".join([f"{text}; axis {axis.item()}", *filter(chosen.get, chosen)])


def _models(root: str) -> Iterator[Path]:
    """In the order of their names. Links to folders are not followed."""

    def stop(error: OSError) -> NoReturn:
        raise error

    for folder, inner, files in os.walk(root, onerror=stop):
        inner.sort()
        if "model.onnx" in files:
            yield Path(folder, "model.onnx")


@contextmanager
def _counted(counts: Counter[str], path: object) -> Iterator[None]:
    """Counts and prints what keeps a data set from being judged."""
    try:
        yield
    except Unjudged as reason:
        counts["SKIP"] += 1
        print(f"SKIP  {path}: {reason}")
    except (OSError, MemoryError) as error:
        counts["environment"] += 1
        print(f"cumsum.onnx: {path}: {error}", file=sys.stderr)
    except (ValueError, TypeError, DecodeError, onnx.checker.ValidationError) as error:
        counts["malformed"] += 1
        print(f"cumsum.onnx: {path}: {error}", file=sys.stderr)


def main() -> int:
    """Returns one of the exit statuses of the program `cumsum`."""
    parser = argparse.ArgumentParser("cumsum.onnx", description=__doc__)
    parser.add_argument("folders", metavar="DIR", nargs="+", help="a test, or a tree of tests")
    parser.add_argument("--reachable", action="store_true", help="as in cumsum.judge()")
    accepts = get_args(Accept)
    parser.add_argument("--accept", choices=accepts, default="conformant", help="what passes")
    parser.add_argument("--rules", help="as in cumsum.judge()")
    options = vars(parser.parse_args())
    counts: Counter[str] = Counter()
    for root in options.pop("folders"):
        with _counted(counts, root):
            for path in _models(root):
                with _counted(counts, path):
                    graph = _graph(path)
                    for folder in sorted(path.parent.glob("test_data_set_*")) if graph else ():
                        with _counted(counts, folder):
                            status, text = _judged(graph, folder, options)
                            counts[status] += 1
                            counts["failed"] += status != "PASS"
                            print(f"{status}  {folder}: {text}")
    suspect = f"; {counts['SUSPECT']} of these suspect" if counts["SUSPECT"] else ""
    print(f"{counts['PASS']} passed, {counts['failed']} failed, {counts['SKIP']} skipped{suspect}")
    statuses = {"malformed": 2, "environment": 3, "failed": 1, "PASS": 0}
    return next((statuses[name] for name in statuses if counts[name]), 77)


if __name__ == "__main__":
    sys.exit(main())
