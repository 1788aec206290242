#!/bin/sh
# SPDX-License-Identifier: MIT
# with_node.sh PROGRAM ARGUMENTS...: runs a program in Node; skipped (77) without it.
command -v node >/dev/null || {
    echo "skipped: there is no node"
    exit 77
}
exec node "$@"
