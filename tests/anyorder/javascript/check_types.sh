#!/bin/sh
# SPDX-License-Identifier: MIT
# check_types.sh SOURCE FOLDER: compiles a typed use of anyorder.mjs, by its file and by the name of
# its package, as every kind of project finds these; skipped (77) without tsc.
command -v tsc >/dev/null || {
    echo "skipped: there is no tsc"
    exit 77
}
set -e
mkdir -p "$2/node_modules"
ln -sfn "$1/anyorder" "$2/node_modules/anyorder"
sed "s|'[^']*/anyorder.mjs'|'anyorder'|" "$1/tests/anyorder/javascript/use_types.mts" >"$2/by_name.mts"
for kind in 'node16 node16' 'es2022 bundler' 'es2022 node10'; do
    tsc --noEmit --strict --noUncheckedIndexedAccess --target es2022 --module "${kind% *}" \
        --moduleResolution "${kind#* }" "$1/tests/anyorder/javascript/use_types.mts" "$2/by_name.mts"
done
