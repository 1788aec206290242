#!/bin/bash
# SPDX-License-Identifier: MIT
# wheel.sh PYTHON SOURCE SCRATCH: makes wheels as `pip install ./python` does, from the source tree
# and from a source distribution by itself, and tests the second. It works on a copy of the folders
# that the package needs, downloads nothing, and does not optimize the kernels, which saves time.
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
for part in CMakeLists.txt LICENSE cmake include lists src threads python tools; do
    cp -r "$source/$part" "$scratch/source"
done
mkdir "$scratch/source/web"
cp -r "$source/web/report" "$scratch/source/web"

export CMAKE_ARGS="-DCMAKE_BUILD_TYPE=Debug -DCUMSUM_SMALL_KERNELS=-O0"
export PIP_NO_INPUT=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
failed() {
    echo "$*"
    exit 1
}
# wheel_of SOURCE NAME: makes $scratch/NAME/cumsum-*.whl.
wheel_of() {
    "$python" -m pip wheel -q --no-index --no-build-isolation --no-deps --no-cache-dir \
        -w "$scratch/$2" "$1" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
    wheel=$(echo "$scratch/$2"/cumsum-*-py3-none-linux_*.whl)
    [ -f "$wheel" ] || failed "no wheel for every Python 3: $(ls "$scratch/$2")"
}

# Neither leaves anything in the source tree.
find "$scratch/source" | sort >"$scratch/before"
wheel_of "$scratch/source/python" from-tree
(cd "$scratch/source/python" &&
    "$python" -c "from setuptools import build_meta; build_meta.build_sdist('$scratch')") \
    >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
find "$scratch/source" | sort | diff "$scratch/before" - || failed "left in the source tree"

# The source distribution needs nothing around it.
rm -rf "$scratch/source"
tar -C "$scratch" -xzf "$scratch"/cumsum-*.tar.gz
unpacked=$(echo "$scratch"/cumsum-*/)
wheel_of "$unpacked" from-sdist
names() { "$python" -c "import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep='\n')" "$1"; }
diff <(names "$scratch"/from-tree/*.whl) <(names "$scratch"/from-sdist/*.whl)
"$python" -m pip install -q --no-index --no-deps --target "$scratch/installed" "$wheel"

cd "$scratch/installed"
for file in cumsum/py.typed cumsum/libcumsum.so.0.1 cumsum/__main__.py \
    cumsum-*.dist-info/entry_points.txt; do
    [ -f "$file" ] || failed "the wheel lacks $file"
done
find . -path "./cumsum-*.dist-info/*" -name LICENSE | grep -q . || failed "the wheel lacks LICENSE"
# The files need the C library, and what the wheel brings.
for file in cumsum/libcumsum.so.0.1 cumsum/cumsum; do
    [ -e "$file" ] || continue
    for library in $(objdump -p "$file" | awk '$1 == "NEEDED" { print $2 }'); do
        case $library in
        libc.so.* | libm.so.* | libpthread.so.* | ld-linux*) ;;
        *) ldd "$file" | grep -qF "$library => $PWD/cumsum/" || failed "$file needs $library" ;;
        esac
    done
done

# No library of another name can be taken for the wheel's pthreadpool.
! grep -rqF libpthreadpool.so cumsum || failed "pthreadpool has its own name in the wheel"
for line in 'Requires-Dist: numpy' 'Provides-Extra: dask' 'Provides-Extra: onnx' \
    'Provides-Extra: torch'; do
    grep -q "^$line" cumsum-*.dist-info/METADATA || failed "the metadata lack $line"
done
# The program as a command, as a module, and for fingerprint().
for command in bin/cumsum "$python -m cumsum"; do
    # shellcheck disable=SC2086  # the words of a command
    PATH=/usr/bin:/bin PYTHONPATH=. $command info | grep -q '^cumsum ' ||
        failed "$command does not run the program"
done
PATH=/usr/bin:/bin PYTHONPATH=. "$python" -c "
import cumsum, numpy
found = cumsum.fingerprint(lambda x: numpy.cumsum(x, -1, dtype=x.dtype), length=16)
assert found.order == 'sequential', found" || failed "fingerprint() does not find the program"

# Refused with a sentence: an editable install.
! "$python" -m pip install --no-index --no-build-isolation --no-deps --target "$scratch/editable" \
    --editable "$unpacked" >"$scratch/log" 2>&1 || failed "an editable install is not refused"
grep -qF "cumsum cannot be installed with --editable" "$scratch/log" || { cat "$scratch/log"; exit 1; }

PYTHONPATH=$scratch/installed "$python" -P -m pytest -q -p no:cacheprovider \
    "$source/python/tests/test_arguments.py"
