# SPDX-License-Identifier: MIT
"""python -m cumsum.onnx: its verdicts, and what it says of data that it cannot judge. All files are
made with onnx.helper."""

import itertools
import subprocess
import sys

import numpy
import pytest
from array_samples import lost_carry

onnx = pytest.importorskip("onnx", reason="python3-onnx is not installed")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

X = numpy.array([[1, 2, 3], [4, 5, 6]], "float32")
AXIS = numpy.array(1, "int64")
Y = numpy.cumsum(X, 1)


def model(nodes=None, inputs=("x", "axis"), initializers=(), **attributes):
    nodes = nodes or [helper.make_node("CumSum", ["x", "axis"], ["y"], **attributes)]
    values = {name: helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
              for name in (*inputs, "y")}
    return helper.make_model(helper.make_graph(nodes, "graph", [values[name] for name in inputs],
                                               [values["y"]], initializers))


def write(folder, graph, *inputs, y=Y):
    """A test with one data set. Bytes are written as they are, None is left out."""
    place = folder / "test_data_set_0"
    place.mkdir(parents=True)
    for path, content in ((folder / "model.onnx", graph), (place / "output_0.pb", y),
                          *((place / f"input_{i}.pb", x) for i, x in enumerate(inputs))):
        if isinstance(content, numpy.ndarray):
            content = numpy_helper.from_array(content)
        if content is not None:
            path.write_bytes(content if isinstance(content, bytes) else content.SerializeToString())


def judge(*arguments, cwd):
    """Exit status, lines of standard output, standard error."""
    done = subprocess.run([sys.executable, "-m", "cumsum.onnx", *map(str, arguments)], cwd=cwd,
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines(), done.stderr


def raw_bytes(values, name):
    if name == "BFLOAT16":
        return (values.view("uint32") >> 16).astype("uint16").tobytes()
    dtype = {"FLOAT": "float32", "DOUBLE": "float64"}.get(name, name.lower())
    return values.astype(dtype).tobytes()


def test_what_passes(tmp_path):
    """Every type in every field, every axis and attribute, inputs in any sequence or the model."""
    for name in ("FLOAT", "DOUBLE", "FLOAT16", "BFLOAT16", "INT32", "INT64", "UINT32", "UINT64"):
        for raw in (False, True):
            x, y = (helper.make_tensor(
                "t", getattr(TensorProto, name), (2, 3),
                raw_bytes(values, name) if raw else [int(value) for value in values.flat], raw)
                for values in (X, Y))
            write(tmp_path / f"{name}-{raw}", model(), x, AXIS, y=y)
    for axis, exclusive, reverse in itertools.product((0, 1, -1, -2), (0, 1), (0, 1)):
        x = numpy.flip(X, axis) if reverse else X
        y = numpy.cumsum(x, axis) - (x if exclusive else 0)
        graph = model(exclusive=exclusive, reverse=reverse)
        write(tmp_path / f"a{axis}{exclusive}{reverse}", graph,
              X, numpy.array([axis], "int32"), y=numpy.flip(y, axis) if reverse else y)
    x, axis = numpy_helper.from_array(X, "x"), numpy_helper.from_array(AXIS, "axis")
    write(tmp_path / "axis_in_the_model", model(inputs=["x"], initializers=[axis]), X)
    write(tmp_path / "axis_first", model(inputs=["axis", "x"]), AXIS, X)
    write(tmp_path / "x_in_the_model", model(inputs=["axis"], initializers=[x]), AXIS)
    zeros = model(), numpy.array([-0.0, 1]), numpy.array(0)
    write(tmp_path / "zeros", *zeros, y=numpy.array([-0.0, 1]))
    status, lines, errors = judge(".", cwd=tmp_path)
    assert (status, errors, lines[-1]) == (0, "", "36 passed, 0 failed, 0 skipped")
    assert lines[0] == ("PASS  BFLOAT16-False/test_data_set_0: all correctly rounded, order "
                        "sequential (store nearest-even); binary32-nearest-even, "
                        "correctly-rounded, h=0.00; axis 1")
    assert sum(line.endswith("; axis 1, exclusive, reverse") for line in lines) == 1
    assert judge("zeros", "--rules", "zero=signed", cwd=tmp_path)[0] == 1


def test_suspect(tmp_path):
    """A carry that is lost in the middle of a long line."""
    x, y = lost_carry()
    write(tmp_path / "long", model(), x, numpy.array(0), y=y)
    status, lines, _ = judge(".", cwd=tmp_path)
    assert status == 1
    assert lines[0].startswith("SUSPECT  long/test_data_set_0: the error jumps by -370.9 at ")
    assert "; 131072 of 262144 outputs are suspect: " in lines[0]
    assert lines[1] == "0 passed, 1 failed, 0 skipped; 1 of these suspect"
    assert judge("--accept", "suspect", ".", cwd=tmp_path)[1][-1] == "1 passed, 0 failed, 0 skipped"


def test_wrong_outputs_fail(tmp_path):
    """Planted faults."""
    wrong = Y.copy()
    wrong[1, 2] += 1
    for name, y in {"last": wrong, "other_axis": numpy.cumsum(X, 0), "exclusive": Y - X,
                    "nan": numpy.where(Y == 15, numpy.nan, Y).astype("float32")}.items():
        write(tmp_path / name, model(), X, AXIS, y=y)
    status, lines, _ = judge(".", cwd=tmp_path)
    assert (status, lines[-1]) == (1, "0 passed, 4 failed, 0 skipped")
    assert lines[1].startswith("FAIL  last/test_data_set_0: 1 of 6 outputs fail")
    assert lines[1].endswith("; axis 1")


def test_what_cannot_be_judged_is_skipped(tmp_path):
    write(tmp_path / "uint8", model(), X.astype("uint8"), AXIS)
    write(tmp_path / "empty", model(), X[:0], AXIS)
    add = helper.make_node("Add", ["y", "y"], ["z"])
    write(tmp_path / "two_nodes", model([*model().graph.node, add]), X, AXIS)
    write(tmp_path / "no_cumsum", model([add]))
    assert judge(".", cwd=tmp_path) == (77, [
        "SKIP  empty/test_data_set_0: input_0.pb: a tensor without elements",
        "SKIP  two_nodes/model.onnx: the graph has 2 nodes: only CumSum alone can be judged",
        "SKIP  uint8/test_data_set_0: input_0.pb: elements of type UINT8 are not supported: only "
        "FLOAT, DOUBLE, FLOAT16, BFLOAT16, INT32, UINT32, INT64, UINT64",
        "0 passed, 0 failed, 3 skipped"], "")


def changed(tensor, **fields):
    for name, value in fields.items():
        if name == "dims":
            del tensor.dims[:]
        getattr(tensor, name).extend(value) if isinstance(value, list) else setattr(
            tensor, name, value)
    return tensor


def packed(**fields):
    return changed(numpy_helper.from_array(X), **fields)


def typed(stored, value, data_type):
    return changed(helper.make_tensor("x", stored, (1,), [value]), data_type=data_type)


MALFORMED_INPUTS = {
    "cut_short": packed().SerializeToString()[:-3],
    "noise": bytes(range(200, 256)),
    "empty_file": b"",
    "external": packed(data_location=TensorProto.EXTERNAL),
    "segment": packed(),
    "negative_size": packed(dims=[-6]),
    "too_many": packed(dims=[2**31, 2**31, 4]),
    "no_data": packed(raw_data=b""),
    "raw_too_long": packed(dims=[2, 2]),
    "raw_and_typed": packed(float_data=[1.0]),
    "no_type": packed(data_type=0),
    "unknown_type": packed(data_type=99),
    "another_field": typed(TensorProto.INT32, 1, TensorProto.FLOAT),
    "half_too_large": typed(TensorProto.INT32, 2**16, TensorProto.FLOAT16),
    "uint_too_large": typed(TensorProto.UINT64, 2**32, TensorProto.UINT32),
    "scalar": numpy.array(1, "float32"),
    "other_shape": X[0],
    "other_type": X.astype("float64"),
    "missing": None,
}
MALFORMED_INPUTS["segment"].segment.begin = 1
MALFORMED_AXES = {"float": X[0, 0], "two": X[0, :2].astype("int32"), "outside": numpy.array(2)}
MALFORMED_MODELS = {
    "cut_short": model().SerializeToString()[:-9],
    "empty_file": b"",
    "tensor": packed(),
    "attribute_2": model(reverse=2),
    "attribute_unknown": model(sideways=1),
    "one_input": model([helper.make_node("CumSum", ["x"], ["y"])]),
    "x_from_nowhere": model(inputs=["axis"]),
}


def test_malformed_files(tmp_path):
    """One error for each, exit status 2, and the others are judged all the same."""
    for name, x in MALFORMED_INPUTS.items():
        write(tmp_path / "input" / name, model(), x, AXIS)
    for name, axis in MALFORMED_AXES.items():
        write(tmp_path / "axis" / name, model(), X, numpy.asarray(axis))
    for name, graph in MALFORMED_MODELS.items():
        write(tmp_path / "model" / name, graph, X, AXIS)
    write(tmp_path / "right", model(), X, AXIS)
    write(tmp_path / "wrong", model(), X, AXIS, y=X)
    status, lines, errors = judge(".", cwd=tmp_path)
    assert (status, lines[-1]) == (2, "1 passed, 1 failed, 0 skipped")
    names = [f"{kind}/{name}" for kind, cases in (
        ("axis", MALFORMED_AXES), ("input", MALFORMED_INPUTS), ("model", MALFORMED_MODELS))
        for name in sorted(cases)]
    for name, line in itertools.zip_longest(names, errors.splitlines()):
        assert line.startswith(f"cumsum.onnx: {name}/"), (name, line)
    assert "input/external/test_data_set_0: input_0.pb: data in another file is not read" in errors


def test_folders(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "again").symlink_to("..")  # a link is not followed
    assert judge("empty", cwd=tmp_path) == (77, ["0 passed, 0 failed, 0 skipped"], "")
    status, _, errors = judge("missing", cwd=tmp_path)
    assert (status, errors) == (3, "cumsum.onnx: missing: [Errno 2] No such file or directory: "
                                   "'missing'\n")
    write(tmp_path / "right", model(), X, AXIS)
    assert judge("empty", "right", cwd=tmp_path)[0] == 0
    assert judge(cwd=tmp_path)[0] == 2


def test_without_onnx(tmp_path):
    (tmp_path / "onnx.py").write_text("raise ImportError('No module named onnx')")
    status, _, errors = judge(".", cwd=tmp_path)
    assert (status, errors) == (3, "cumsum.onnx: No module named onnx; Debian has it in the "
                                   "package python3-onnx\n")
