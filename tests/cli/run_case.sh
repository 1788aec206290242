#!/bin/bash
# SPDX-License-Identifier: MIT
# run_case.sh [--update] CUMSUM CASE SCRATCH: runs one case of tests/cli and compares its output.
#
# A case is a folder: `command` is run by bash in an empty folder where `data` and `golden` are the
# test data and cumsum is in PATH. `stdout` is its exact standard output and `stderr` its exact
# standard error (no file: nothing is written); `exit` is its exit status (no file: 0). If another
# part of the project words a message, the case has `stderr.match` instead of `stderr`: each of its
# lines is an extended regular expression that a line of standard error must match.
# `needs` names programs, one a line. The case is skipped (exit status 77) if one is missing, or if
# it fails with the arguments that follow its name.
# The reader of a pipe must read to the end: use `sed -n 1p` instead of `head`. A reader that stops
# early makes a slower writer fail, and on wine the tool writes line by line. A case whose command
# stops early is refused.
# --update writes the three files from the run. Read them before you commit them.
set -u
update=false
if [ "$1" = --update ]; then
    update=true
    shift
fi
cumsum=$(realpath "$1")
case=$(realpath "$2")
mkdir -p "$3" || exit 1
if [ -e "$case/needs" ]; then
    while read -r program arguments; do
        command -v "$program" >/dev/null || { echo "skipped: $program is missing"; exit 77; }
        # shellcheck disable=SC2086
        [ -z "$arguments" ] || "$program" $arguments >/dev/null 2>&1 </dev/null ||
            { echo "skipped: $program $arguments fails here"; exit 77; }
    done <"$case/needs"
fi
if grep -qE '[|] *(head|grep -[a-zA-Z]*[qm])' "$case/command"; then
    echo "$case/command: a reader that leaves before all is written"
    exit 1
fi
scratch=$(mktemp -d "$3/$(basename "$case").XXXXXX") || exit 1
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
tests=$(dirname "$(dirname "$(dirname "$case")")")

mkdir "$scratch/bin" "$scratch/work"
ln -s "$cumsum" "$scratch/bin/cumsum"
ln -s "$tests/cli/data" "$scratch/work/data"
ln -s "$tests/golden" "$scratch/work/golden"
unset NO_COLOR
export PATH="$scratch/bin:$PATH" LC_ALL=C TERM=xterm

(cd "$scratch/work" && exec bash "$case/command") \
    >"$scratch/stdout" 2>"$scratch/stderr" </dev/null
status=$?

if $update; then
    echo $status >"$case/exit"
    for stream in stdout stderr; do
        rm -f "$case/$stream"
        [ -s "$scratch/$stream" ] && cp "$scratch/$stream" "$case/$stream"
    done
    [ -e "$case/stderr.match" ] && rm -f "$case/stderr"
    [ $status -eq 0 ] && rm "$case/exit"
    exit 0
fi

failed=0
compare() { # compare STREAM: compares the output with the case's file, or with nothing
    local expected=$case/$1
    [ -e "$expected" ] || expected=/dev/null
    if ! cmp -s "$expected" "$scratch/$1"; then
        echo "$1 differs from the case's ('-' expected, '+' actual):"
        diff -u "$expected" "$scratch/$1" | tail -n +3 | head -n 60
        failed=1
    fi
}

expected_status=0
[ -e "$case/exit" ] && expected_status=$(cat "$case/exit")
if [ "$status" != "$expected_status" ]; then
    echo "exit status $status, expected $expected_status"
    head -n 20 "$scratch/stderr"
    failed=1
fi
compare stdout
if [ -e "$case/stderr.match" ]; then
    while IFS= read -r pattern; do
        if ! grep -Eq -- "$pattern" "$scratch/stderr"; then
            echo "no line of stderr matches: $pattern"
            cat "$scratch/stderr"
            failed=1
        fi
    done <"$case/stderr.match"
else
    compare stderr
fi
exit $failed
