#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the library with cumsum_bench, and other libraries beside it.

usage: competitors.py NAME[,NAME...] BENCH PATTERN [OPTION]... >RESULTS.json

NAME is numpy, torch or onnxruntime. BENCH is the program cumsum_bench, PATTERN (which may be empty)
and OPTIONs are those of cumsum_bench. The output is the JSON document of cumsum_bench. Each entry
for which a competitor has an operator gets a counter NAME_elements_per_second. The context gets the
version of each competitor, or the reason why it is missing. After each entry the competitors compute
the same workload, as often as cumsum_bench did. A library that can write into existing memory gets
that memory before the first call.
"""
import importlib
import json
import math
import subprocess
import sys
import time

LEAST_SECONDS = 2e-3  # of one repetition


def median_seconds(work, call, restore):
    """restore() runs before each repetition and is not measured. As in cumsum_bench, the time of
    one thread is that of the processor."""
    clock = time.process_time if work["threads"] == 1 else time.perf_counter

    def timed(count):
        start = clock()
        for _ in range(count):
            call()
        return clock() - start

    restore()
    call()
    iterations = 1
    while restore is nothing and timed(iterations) < LEAST_SECONDS:
        iterations *= 2
    seconds = []
    for _ in range(work["repetitions"]):
        restore()
        seconds.append(timed(iterations) / iterations)
    return sorted(seconds)[len(seconds) // 2]


def nothing():
    pass


def extent(sizes, strides):
    return 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides))


class Numpy:
    def __init__(self):
        self.np = importlib.import_module("numpy")
        self.version = self.np.__version__

    def array(self, work, strides):
        np = self.np
        dtype = np.dtype(work["type"].lower())
        if strides is None:
            return np.zeros(work["sizes"], dtype)
        memory = np.zeros(extent(work["sizes"], strides), dtype)
        steps = [stride * dtype.itemsize for stride in strides]
        return np.lib.stride_tricks.as_strided(memory, work["sizes"], steps)

    def fill(self, array):
        random = self.np.random.default_rng(1)
        drawn = random.standard_normal(min(array.size, 1 << 20)).astype(array.dtype)
        if array.dtype.kind == "i":
            drawn = random.integers(-(2**31), 2**31, drawn.size).astype(array.dtype)
        array[...] = self.np.resize(drawn, array.shape)

    def prepare(self, work):
        np, axis = self.np, work["axis"]
        if work["threads"] > 1:  # NumPy has none
            return None
        x = self.array(work, work.get("inputStrides"))
        self.fill(x)
        y = x.copy() if work["inPlace"] else self.array(work, work.get("outputStrides"))
        source = y if work["inPlace"] else x
        restore = (lambda: np.copyto(y, x)) if work["inPlace"] else nothing
        if work["decreasing"]:
            source, y = np.flip(source, axis), np.flip(y, axis)
        if work["exclusive"]:
            # With the output moved by one place the sum is exclusive; the first place stays zero.
            source = source[(slice(None),) * axis + (slice(0, -1),)]
            y = y[(slice(None),) * axis + (slice(1, None),)]
        return (lambda: np.cumsum(source, axis, dtype=y.dtype, out=y)), restore


class Torch:
    def __init__(self, arrays):
        self.torch = importlib.import_module("torch")
        self.version = self.torch.__version__
        self.arrays = arrays

    def tensor(self, work, strides):
        return self.torch.from_numpy(self.arrays.array(work, strides))

    def prepare(self, work):
        torch, axis = self.torch, work["axis"]
        torch.set_num_threads(work["threads"])
        array = self.arrays.array(work, work.get("inputStrides"))
        self.arrays.fill(array)
        x = torch.from_numpy(array)
        y = x.clone() if work["inPlace"] else self.tensor(work, work.get("outputStrides"))
        if work["decreasing"]:  # tensors have no negative strides
            call = lambda: torch.flip(torch.cumsum(torch.flip(x, [axis]), axis), [axis])
            return call, nothing
        if work["inPlace"]:
            return (lambda: y.cumsum_(axis)), lambda: y.copy_(x)
        source, target = x, y
        if work["exclusive"]:
            length = work["sizes"][axis] - 1
            source, target = x.narrow(axis, 0, length), y.narrow(axis, 1, length)
        # Without dtype PyTorch would sum integers in INT64.
        return (lambda: torch.cumsum(source, axis, dtype=y.dtype, out=target)), nothing


class OnnxRuntime:
    TYPES = {"FLOAT32": 1, "INT32": 6, "INT64": 7}  # those with a kernel, in TensorProto.DataType

    def __init__(self, arrays):
        self.ort = importlib.import_module("onnxruntime")
        self.onnx = importlib.import_module("onnx")
        self.version = self.ort.__version__
        self.arrays = arrays

    def prepare(self, work):
        strided = "inputStrides" in work or "outputStrides" in work
        if work["type"] not in self.TYPES or strided or work["inPlace"]:
            return None
        x = self.arrays.array(work, None)
        self.arrays.fill(x)
        options = self.ort.SessionOptions()
        options.intra_op_num_threads = work["threads"]
        session = self.ort.InferenceSession(
            cumsum_model(self.onnx, self.TYPES[work["type"]], work), options,
            providers=["CPUExecutionProvider"])
        binding = session.io_binding()
        # The binding does not own the memory of its arrays: `call` keeps them alive.
        values = [self.ort.OrtValue.ortvalue_from_numpy(array)
                  for array in (x, self.arrays.array(work, None))]
        binding.bind_ortvalue_input("x", values[0])
        binding.bind_ortvalue_output("y", values[1])

        def call(alive=values):
            session.run_with_iobinding(binding)
        return call, nothing


def cumsum_model(onnx, element_type, work):
    """One CumSum. The axis is an initializer."""
    make = onnx.helper
    node = make.make_node("CumSum", ["x", "axis"], ["y"], exclusive=int(work["exclusive"]),
                          reverse=int(work["decreasing"]))
    x, y = (make.make_tensor_value_info(name, element_type, work["sizes"]) for name in "xy")
    axis = make.make_tensor("axis", onnx.TensorProto.INT64, (), [work["axis"]])
    graph = make.make_graph([node], "cumsum", [x], [y], [axis])
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 14)], ir_version=7)
    return model.SerializeToString()


MAKERS = {"numpy": lambda arrays: arrays, "torch": Torch, "onnxruntime": OnnxRuntime}


def measure(library, work):
    """Seconds of a call, or None if the library cannot do this."""
    try:
        prepared = library.prepare(work)
        return median_seconds(work, *prepared) if prepared else None
    except Exception:  # the failure of one library must not stop the others
        return None


def load_all(names, context):
    """The libraries that can be imported, by name. The context says which, and why not."""
    libraries = {}
    for name in names:
        try:
            libraries[name] = MAKERS[name](Numpy())
            context[name] = libraries[name].version
        except ImportError as error:
            context[name] = f"is missing ({error})"
    return libraries


def bench(program, *arguments):
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 77):
        sys.exit(done.returncode)
    return done.stdout


def main():
    if len(sys.argv) < 4 or not set(sys.argv[1].split(",")) <= set(MAKERS):
        sys.exit(__doc__.split("\n\n")[1])
    names, program, pattern, *options = sys.argv[1:]
    document, libraries, measured = None, {}, {}
    for entry in bench(program, *options, "--list", pattern).splitlines():
        result = json.loads(bench(program, *options, "--json", entry))
        if not document:
            document = {"context": result["context"], "benchmarks": []}
            libraries = load_all(names.split(","), document["context"])
        row = result["benchmarks"][0]
        work = {**row["workload"], "repetitions": result["context"]["repetitions"]}
        # A competitor has its own order of additions: one measurement serves all of our orders.
        key = json.dumps(work)
        if key not in measured and "error_message" not in row:
            measured[key] = {name: measure(library, work) for name, library in libraries.items()}
        for name, seconds in measured.get(key, {}).items():
            if seconds:
                row[f"{name}_elements_per_second"] = math.prod(work["sizes"]) / seconds
        document["benchmarks"].append(row)
    json.dump(document, sys.stdout, indent=2)


if __name__ == "__main__":
    main()
