# SPDX-License-Identifier: MIT
"""CumSum of ONNX Runtime:
cumsum sweep quick --exec 'python3 onnxruntime_plug.py' --accept conformant

It needs `pip install onnx onnxruntime`.
"""

import functools

import cumsum
import numpy
import onnxruntime
from onnx import TensorProto, helper


@functools.cache
def session(dtype, exclusive, reverse):
    """A model of one operator, for arrays of any shape."""
    x, y = (helper.make_tensor_value_info(name, dtype, None) for name in "xy")
    axis = helper.make_tensor_value_info("axis", TensorProto.INT64, [])
    node = helper.make_node("CumSum", ["x", "axis"], ["y"], exclusive=exclusive, reverse=reverse)
    graph = helper.make_graph([node], "one operator", [x, axis], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    return onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )


def f(x, *, axis, exclusive, reverse):
    number = helper.np_dtype_to_tensor_dtype(x.dtype)
    inputs = {"x": x, "axis": numpy.int64(axis)}
    return session(number, int(exclusive), int(reverse)).run(["y"], inputs)[0]


cumsum.serve(
    f,
    name="ONNX Runtime",
    version=onnxruntime.__version__,
    types=("float32", "float64", "int32", "int64"),
)
