#!/bin/sh
# SPDX-License-Identifier: MIT
# check_types.sh SOURCE: compiles a typed use of anyorder.mjs; skipped (77) without tsc.
command -v tsc >/dev/null || {
    echo "skipped: there is no tsc"
    exit 77
}
cd "$1/tests/anyorder/javascript" || exit 1
exec tsc --noEmit --strict --noUncheckedIndexedAccess --target es2022 --module node16 \
    --moduleResolution node16 use_types.mts
