#!/bin/bash
# SPDX-License-Identifier: MIT
# run_case.sh [--update] CUMSUM CASE SCRATCH: runs one case of tests/cli and compares its output.
#
# A case is a folder. Bash runs its `command` in an empty folder where `data` and `golden` are the
# test data and cumsum is in PATH. `output` is what that prints, exactly: standard output, then, if
# anything is there, standard error under the line "-- standard error", then the line "-- exit N" if
# the exit status N is not 0.
# In a command, `say COMMAND...` prints the command, its standard output, its standard error, and
# its exit status unless that is 0; `array FILE DESCR SHAPE NUMBER...` writes an .npy file of whole
# numbers, or of the bits of floats.
# A line "# needs: PROGRAM [ARGUMENT...]" skips the case (exit status 77) if the program is missing,
# or if it fails with the arguments.
# The reader of a pipe must read to the end: use `sed -n 1p` instead of `head`. A reader that stops
# early makes a slower writer fail, and on wine the tool writes line by line. A case whose command
# stops early is refused.
# --update writes `output` from the run. Read it before you commit it.
set -u
update=false
if [ "$1" = --update ]; then
    update=true
    shift
fi
cumsum=$(realpath "$1")
case=$(realpath "$2")
mkdir -p "$3" || exit 1
while read -r program arguments; do
    command -v "$program" >/dev/null || { echo "skipped: $program is missing"; exit 77; }
    # shellcheck disable=SC2086
    [ -z "$arguments" ] || "$program" $arguments >/dev/null 2>&1 </dev/null ||
        { echo "skipped: $program $arguments fails here"; exit 77; }
done < <(sed -n 's/^# needs: //p' "$case/command")
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
unset NO_COLOR CLICOLOR_FORCE
export PATH="$scratch/bin:$PATH" LC_ALL=C TERM=xterm

cat >"$scratch/say" <<'SAY'
say() {
    echo "\$ $*"
    "$@" 2>"$said"
    set -- $?
    cat "$said"
    [ "$1" = 0 ] || echo "exit $1"
}
array() {
    local n shift byte
    {
        printf '\x93NUMPY\1\0\x76\0%-117s\n' "{'descr': '$2', 'fortran_order': False, 'shape': ($3,), }"
        for n in "${@:4}"; do
            for ((shift = 0; shift < 8 * ${2: -1}; shift += 8)); do
                printf -v byte '\\%o' $((n >> shift & 255))
                printf "$byte"
            done
        done
    } >"$1"
}
SAY
(cd "$scratch/work" && said=$scratch/said BASH_ENV=$scratch/say exec bash "$case/command") \
    >"$scratch/output" 2>"$scratch/stderr" </dev/null
status=$?
[ ! -s "$scratch/stderr" ] ||
    { echo "-- standard error" && cat "$scratch/stderr"; } >>"$scratch/output"
[ $status -eq 0 ] || echo "-- exit $status" >>"$scratch/output"

expected=$case/output
if $update; then
    rm -f "$expected"
    [ ! -s "$scratch/output" ] || cp "$scratch/output" "$expected"
    exit 0
fi
[ -e "$expected" ] || expected=/dev/null
cmp -s "$expected" "$scratch/output" && exit 0
echo "the output differs from the case's ('-' expected, '+' actual):"
diff -u "$expected" "$scratch/output" | tail -n +3 | head -n 60
exit 1
