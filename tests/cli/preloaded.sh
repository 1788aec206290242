# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The common part of the scripts with the arguments [--update] CUMSUM LIBRARY EXPECTED, which preload
# LIBRARY before CUMSUM, the tool. It puts `cumsum` into PATH and enters a new folder. What the script
# writes into the file said must be EXPECTED: `compare_said` ends it. With --update it becomes
# EXPECTED; read it before you commit it.
update=false
if [ "$1" = --update ]; then
    update=true
    shift
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$(realpath "$1")" "$work/bin/cumsum"
# shellcheck disable=SC2034  # for the scripts
library=$(realpath "$2") expected=$(realpath -m "$3")
export PATH="$work/bin:$PATH"
cd "$work" || exit 1
ulimit -c 0

# say ARGUMENT...: the command, what it says, and its exit status. What drivers print, and processes
# that serve, comes at any time, also inside of a line.
say() {
    echo "cumsum $*"
    cumsum "$@" 2>err
    set -- "${PIPESTATUS[0]}"
    grep -vE 'driver that prints|erve: ' err
    echo "  -> $1"
}

# brief ARGUMENT...: the same without the elements of failures.
brief() {
    say "$@" | grep -vE '^ +(>? *[0-9]+ +[-0-9.]+ +[-0-9]|index |first |worst |the line |.*apart$|relative error )'
}

cases_of() { # the results of a file without their times, in one order
    grep '"case"' "$1" | sed 's/"microseconds":[0-9]*//' | sort
}

same_cases() { # same_cases A B
    cmp <(cases_of "$1") <(cases_of "$2") && echo "$1 and $2 have the same results"
}

compare_said() {
    unset LD_PRELOAD
    if $update; then
        cp said "$expected"
    else
        diff -u "$expected" said
    fi
}
