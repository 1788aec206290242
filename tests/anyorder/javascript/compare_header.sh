#!/bin/sh
# SPDX-License-Identifier: MIT
# compare_header.sh MODULE CHECK FOLDER SEED COUNT: random lines with the verdicts of anyorder.mjs,
# which anyorder.h checks. Skipped (77) without node.
set -eu
command -v node >/dev/null || {
    echo "skipped: there is no node"
    exit 77
}
mkdir -p "$3"
node "$(dirname "$0")/make_lines.mjs" "$1" "$4" "$5" >"$3/lines-$4.json"
"$2" "$3/lines-$4.json"
rm "$3/lines-$4.json"
