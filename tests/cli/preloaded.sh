# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The common part of the scripts with the arguments CUMSUM, the tool, and LIBRARY, which they
# preload. It puts `cumsum` into PATH, enters a new folder, and defines fail(), which shows the last
# output.
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
