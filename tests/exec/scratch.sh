# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: MIT
# Sourced by the tests of this folder, with their arguments [--update] CUMSUM PLUG EXPECTED SCRATCH.
# The test then is in a new folder in SCRATCH, where PLUG has the name plug, and $cumsum is the
# program. `compare FILE` ends it: FILE must be EXPECTED. With --update FILE becomes EXPECTED; read
# it before you commit it.
set -u
update=false
if [ "$1" = --update ]; then
    update=true
    shift
fi
cumsum=$(realpath "$1")
expected=$(realpath -m "$3")
tests=$(dirname "$(dirname "$(realpath "${BASH_SOURCE[0]}")")")
mkdir -p "$4" || exit 1
scratch=$(mktemp -d "$4/exec.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
ln -s "$(realpath "$2")" "$scratch/plug" || exit 1
cd "$scratch" || exit 1
export LC_ALL=C

compare() {
    if $update; then
        cp "$1" "$expected"
    else
        diff -u "$expected" "$1"
    fi
}

say() { # say ARGUMENT...: the command, what it says, and its exit status
    echo "cumsum $*"
    "$cumsum" "$@" 2>&1
    echo "  -> $?"
}

brief() { # the same without the elements of failures and the commands that repeat them
    say "$@" | grep -vE '^ *(>? *[0-9]+ +[-0-9]|index |[0-9]+ of |first |worst |the (line|first failure) |.*ulp apart|.*error [0-9.]*$)'
}

# The programs are little-endian.
if "$cumsum" sweep --exec ./plug int32.wrap.increasing.inclusive.3.axis0.in-packed.out-packed.ones.seed0 |
    grep 'endian'; then
    exit 77
fi
