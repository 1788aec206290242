#!/bin/bash
# SPDX-License-Identifier: MIT
# wheel.sh PYTHON SOURCE SCRATCH: makes a wheel as `pip install ./python` does, installs it, and tests
# it. It works on a copy of the folders that a wheel needs, downloads nothing, and does not optimize
# the kernels, which saves time.
set -eu
python=$1
source=$2
scratch=$3

for module in pip setuptools wheel; do
    "$python" -c "import $module" 2>/dev/null || { echo "skipped: $python has no $module"; exit 77; }
done
rm -rf "$scratch"
mkdir -p "$scratch/source"
trap 'rm -rf "$scratch"' EXIT
for part in CMakeLists.txt cmake include src threads python; do
    cp -r "$source/$part" "$scratch/source"
done

export CMAKE_GENERATOR=Ninja
export CMAKE_ARGS="-DCMAKE_BUILD_TYPE=Debug -DCUMSUM_SMALL_KERNELS=-O0"
export PIP_NO_INPUT=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
"$python" -m pip wheel -q --no-index --no-build-isolation --no-deps --no-cache-dir \
    -w "$scratch" "$scratch/source/python" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
wheel=$(echo "$scratch"/cumsum-*-cp311-abi3-linux_*.whl)
[ -f "$wheel" ] || { echo "no wheel for the stable ABI:"; ls "$scratch"; exit 1; }
"$python" -m pip install -q --no-index --no-deps --target "$scratch/installed" "$wheel"

cd "$scratch/installed"
for file in cumsum/py.typed cumsum/_cumsum.pyi cumsum/_cumsum.abi3.so; do
    [ -f "$file" ] || { echo "the wheel lacks $file"; exit 1; }
done
# The library is linked into the extension, and its symbols are not exported.
exported=$(nm -D --defined-only cumsum/_cumsum.abi3.so | awk '$2 != "w" { print $3 }')
[ "$exported" = PyInit__cumsum ] || { echo "exported: $exported"; exit 1; }
if ldd cumsum/_cumsum.abi3.so | grep libcumsum; then
    exit 1
fi
PYTHONPATH=$scratch/installed "$python" "$source/python/tests/run_pytest.py" \
    "$source/python/tests/test_sum_arguments.py"
