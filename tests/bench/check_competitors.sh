#!/bin/bash
# SPDX-License-Identifier: MIT
# check_competitors.sh BENCH SOURCE: tests bench/competitors.py with stand-ins for libraries.
set -u
bench=$1 script=$2/bench/competitors.py
/usr/bin/python3 -c 'import numpy, onnx' 2>/dev/null ||
    { echo "skipped: no python3-numpy or python3-onnx" && exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export PYTHONPATH=$work PYTHONDONTWRITEBYTECODE=1

fail() {
    echo "FAIL: $*"
    cat "$work/out"
    exit 1
}

# measure NAMES PATTERN OPTIONS...
measure() {
    /usr/bin/python3 "$script" "$1" "$bench" "$2" --repetitions 1 "${@:3}" >"$work/out" ||
        fail "competitors.py exits with $?"
}

# ONNX Runtime's binding does not own its tensors: this stand-in reads them as the binding would.
cat >"$work/onnxruntime.py" <<'PYTHON'
import weakref
__version__ = "1"
class OrtValue:
    @staticmethod
    def ortvalue_from_numpy(array):
        return OrtValue()
class Binding:
    def __init__(self):
        self.values = []
    def bind_ortvalue_input(self, name, value):
        self.values.append(weakref.ref(value))
    bind_ortvalue_output = bind_ortvalue_input
class SessionOptions:
    pass
class InferenceSession:
    def __init__(self, model, options, providers):
        import onnx
        onnx.checker.check_model(onnx.load_model_from_string(model))
        self.io_binding = Binding
    def run_with_iobinding(self, binding):
        if not all(value() for value in binding.values):
            raise RuntimeError("freed memory is read")
PYTHON
measure numpy,onnxruntime 'tiny-3x4/*/1t' --type float32
[ "$(grep -c '"onnxruntime_elements_per_second": [1-9]' "$work/out")" -eq 3 ] ||
    fail "ONNX Runtime is not in each of three entries"
[ "$(grep -c '"numpy_elements_per_second": [1-9]' "$work/out")" -eq 3 ] || fail "NumPy is not"
# NumPy has no threads; ONNX Runtime has no strides.
measure numpy,onnxruntime padded/FLOAT32/blocked/2t
grep -q '"elements_per_second": [1-9]' "$work/out" || fail "the library is not measured"
! grep -qE '(numpy|onnxruntime)_elements' "$work/out" || fail "what they cannot do is measured"
# A library that cannot be imported is named with the reason. The others are measured.
echo 'raise ImportError("is not for this test")' >"$work/torch.py"
measure torch,numpy tiny-3x4/INT32/blocked/1t
grep -q '"torch": "is missing (is not for this test)"' "$work/out" || fail "the reason is missing from the output"
grep -q '"numpy_elements_per_second": [1-9]' "$work/out" || fail "the others are not measured"
# Faults: of the names, and of the program.
! /usr/bin/python3 "$script" scipy "$bench" tiny >"$work/out" 2>&1 || fail "it takes scipy"
! /usr/bin/python3 "$script" numpy "$bench" everything >"$work/out" 2>&1 || fail "nothing fits"
echo "all as expected"
