#!/bin/bash
# SPDX-License-Identifier: MIT
# plant_recipe_faults.sh PYTHON SOURCE WORK: check_recipes.py finds planted defects.
set -eu
python=$1 source=$2 work=$3
failed=0

# broken FILE SED-EXPRESSION: changes a copy of the file; the check must notice it.
broken() {
    rm -rf "$work"
    cp -r "$source/packaging" "$work"
    sed -i "$2" "$work/$1"
    ! cmp -s "$work/$1" "$source/packaging/$1" || { echo "FAIL: nothing changed: $2" && failed=1; }
    if said=$("$python" "${0%/*}/check_recipes.py" "$source" "$work"); then
        echo "FAIL: not noticed: $2"
        failed=1
    else
        echo "ok: $said"
    fi
}

broken vcpkg/cumsum/vcpkg.json 's/"version-semver": "[^"]*"/"version-semver": "0.0.7"/'
broken vcpkg/cumsum/vcpkg.json 's/"license": "MIT"/"license": "BSD-2-Clause"/'
broken vcpkg/cumsum/portfile.cmake '/tool CUMSUM_BUILD_TOOL/d'
broken vcpkg/cumsum/portfile.cmake 's/CUMSUM_BUILD_TESTS/CUMSUM_TESTS/'
broken conan/conanfile.py 's/"CUMSUM_BUILD_TOOL"/"CUMSUM_TOOL"/'
broken conan/conanfile.py 's/with_pthreadpool/with_pools/'
broken conan/conanfile.py 's/bit for bit/more or less/'
rm -rf "$work"
exit $failed
