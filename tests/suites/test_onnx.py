# SPDX-License-Identifier: MIT
"""ONNX's code of docs/for-suites.md in the runner of ONNX's backend tests, where the page puts it, with
models and a backend of our own."""

import inspect
import pathlib
import re
import textwrap
import types

import cumsum
import numpy
import pytest

onnx = pytest.importorskip("onnx")
runner = pytest.importorskip("onnx.backend.test.runner")

PAGE = pathlib.Path(__file__).parents[2] / "docs/for-suites.md"
CODE, _ = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)


def patched_runner():
    """The module, with the code of the page before the last call of assert_similar_outputs."""
    source = inspect.getsource(runner)
    head, call, tail = source.rpartition("self.assert_similar_outputs(")
    space = re.search(r" *$", head)[0]
    code = textwrap.indent(CODE, space)
    module = types.ModuleType(runner.__name__)
    module.__dict__.update(__file__=runner.__file__, __package__=runner.__name__, cumsum=cumsum)
    exec(compile(head[: -len(space)] + code + space + call + tail, runner.__file__, "exec"),
         module.__dict__)  # fmt: skip
    return module


X = numpy.random.RandomState(1).random_sample((3, 40)).astype("float32")
MODELS = {
    "cumsum": ("CumSum", [numpy.int64(1)], {}, X.cumsum(1)),
    "cumsum_reverse": ("CumSum", [numpy.int64(1)], {"reverse": 1}, X[:, ::-1].cumsum(1)[:, ::-1]),
    "cumsum_axis_0": ("CumSum", [numpy.int64(0)], {}, X.cumsum(0)),
    "reduce_sum": ("ReduceSum", [numpy.array([1])], {"keepdims": 1}, X.sum(1, keepdims=True)),
    "reduce_sum_all": ("ReduceSum", [numpy.array([0, 1])], {"keepdims": 0}, X.sum(dtype="float32")),
    "negation": ("Neg", [], {}, -X),
}


def write_model(folder, name):
    """A folder as ONNX's tests have them. The outputs that it expects are right."""
    op, others, attributes, y = MODELS[name]
    inputs, data = [X, *others], folder / name / "test_data_set_0"
    data.mkdir(parents=True)
    infos = [onnx.helper.make_tensor_value_info(
        f"x{i}", onnx.numpy_helper.from_array(x).data_type, x.shape)
        for i, x in enumerate(inputs)]  # fmt: skip
    result = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, y.shape)
    node = onnx.helper.make_node(op, [info.name for info in infos], ["y"], **attributes)
    graph = onnx.helper.make_graph([node], name, infos, [result])
    onnx.save(onnx.helper.make_model(graph), str(folder / name / "model.onnx"))
    tensors = {f"input_{i}": x for i, x in enumerate(inputs)} | {"output_0": y}
    for file, value in tensors.items():
        tensor = onnx.numpy_helper.from_array(numpy.asarray(value))
        (data / f"{file}.pb").write_bytes(tensor.SerializeToString())
    return folder / name


def failures(module, folder, wrong):
    """The models that fail of a backend whose outputs are right, or slightly off."""

    class Backend:
        @staticmethod
        def supports_device(device):
            return device == "CPU"

        @staticmethod
        def prepare(model, _device, **_options):
            y = numpy.array(MODELS[model.graph.name][3])
            if wrong:
                y.flat[y.size // 2] *= numpy.float32(1.0005)
            return types.SimpleNamespace(run=lambda _inputs: [y])

    cases = [
        types.SimpleNamespace(
            name=f"test_{name}", model_name=name, url=None, model=None, data_sets=None, kind="node",
            model_dir=str(folder / name), rtol=1e-3, atol=1e-7)
        for name in MODELS
    ]  # fmt: skip
    module.load_model_tests = lambda kind, **_: cases if kind == "node" else []
    tests = module.Runner(Backend, __name__).test_cases["OnnxBackendNodeModelTest"]
    failed = set()
    for name in MODELS:
        test = tests(f"test_{name}_cpu")
        try:
            getattr(test, f"test_{name}_cpu")()
        except AssertionError:
            failed.add(name)
    return failed


def test_the_runner_judges_sums(tmp_path, monkeypatch):
    if not hasattr(numpy, "object"):  # which ONNX 1.12 asks for
        monkeypatch.setattr(numpy, "object", object, raising=False)
    for name in MODELS:
        write_model(tmp_path, name)
    assert failures(patched_runner(), tmp_path, wrong=False) == set()
    assert failures(patched_runner(), tmp_path, wrong=True) == set(MODELS) - {"negation"}
    assert failures(runner, tmp_path, wrong=True) == set()  # within its tolerance
