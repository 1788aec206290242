#!/bin/sh
# SPDX-License-Identifier: MIT
# check_layer.sh COMPILER FLAGS FILE SCRATCH HEADER...
# FILE must compile with FLAGS. With an include of any HEADER planted at its top it must not, and the
# compiler must say that it cannot find the header.
set -eu
compiler=$1 flags=$2 file=$3 scratch=$4
shift 4
mkdir -p "$scratch"

compile() {
    LC_ALL=C "$compiler" -std=gnu11 -fsyntax-only "@$flags" "$1"
}

cp "$file" "$scratch/plain.c"
compile "$scratch/plain.c"
for header in "$@"; do
    { printf '#include "%s"\n' "$header" && cat "$file"; } >"$scratch/planted.c"
    if compile "$scratch/planted.c" 2>"$scratch/messages"; then
        echo "$file compiles with an include of $header, which its layer does not see" >&2
        exit 1
    fi
    if ! grep -q "$header.*\(No such file\|file not found\)" "$scratch/messages"; then
        echo "$file with an include of $header fails for another reason:" >&2
        cat "$scratch/messages" >&2
        exit 1
    fi
done
echo "compiles; does not with any of: $*"
