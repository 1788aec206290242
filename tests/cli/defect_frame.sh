# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# What the scripts have in common that are called with CUMSUM, the tool, and a LIBRARY to preload:
# `cumsum` is found, the current folder is a new one, and fail() shows what was written.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$(realpath "$1")" "$work/bin/cumsum"
# shellcheck disable=SC2034  # for the scripts
library=$(realpath "$2")
export PATH="$work/bin:$PATH"
cd "$work" || exit 1

fail() {
    echo "FAIL: $*"
    cat out err
    exit 1
}
