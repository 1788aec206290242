#!/bin/sh
# SPDX-License-Identifier: MIT
set -eu

usage() {
    cat <<'USAGE'
usage: driver_ci.sh shard I/N     part I of N of the suite, on the machine with the device
       driver_ci.sh report        the verdict, when all parts have ended: 0 the driver passes
       driver_ci.sh accept        run all of it, and take what fails as known from now on

A driver's CI job. The parts may run on N machines, at any time and again after a machine was lost:
what is done already is not done again. They leave shard-I-of-N.jsonl in RESULTS, which is all that
has to be carried to the machine of the report. The report says what is new: failures that the
baseline does not have, and those that it has and that are gone.

Set by the job:
  RESULTS    the folder of the results (default: results)
  BASELINE   the known failures, a file in the driver's repository (default: known-failures.txt)
  LIST       what to run (default: mustpass)
  BACKEND    --backend and what belongs to it (default: --backend d3d12 --retry 2)
  CUMSUM     the program (default: cumsum)

Exit status: 0; report alone: 1 something is new; 2 usage, or files that do not fit together; 3 no
result: no program, no device, no file, parts that are missing.
USAGE
}

results=${RESULTS:-results}
baseline=${BASELINE:-known-failures.txt}
list=${LIST:-mustpass}
cumsum=${CUMSUM:-cumsum}

no_result() {
    echo "driver_ci.sh: $*" >&2
    exit 3
}

prepare() {
    command -v "$cumsum" >/dev/null || no_result "CUMSUM: there is no program '$cumsum'"
    mkdir -p "$results" || no_result "RESULTS: no folder '$results'"
    [ -e "$baseline" ] || touch "$baseline" || no_result "BASELINE: no file '$baseline'"
}

# 1 is no error here: something fails, of which the report tells. 77: nothing ran. Anything else is
# no result: a malformed baseline, a full disk.
sweep() {
    status=0
    # Several options, on purpose.
    # shellcheck disable=SC2086
    "$cumsum" sweep ${BACKEND:---backend d3d12 --retry 2} "$@" "$list" || status=$?
    case $status in
    0 | 1 | 77) ;;
    *) exit "$status" ;;
    esac
}

# A part without a case has nothing to run, and is complete. Without a device it is not.
run_shard() {
    part=$results/shard-$(echo "$1" | sed 's|/|-of-|').jsonl
    sweep --baseline "$baseline" --shard "$1" --resume --output "$part"
    [ $status -ne 77 ] || tail -n 1 "$part" 2>/dev/null | grep -q '"event":"end"' ||
        no_result "nothing ran, and part $1 is not complete"
}

accept() {
    sweep --quiet --write-baseline "$baseline"
    [ $status -ne 77 ] || no_result "nothing ran: $baseline is as it was"
}

case ${1-}/$# in
shard/2) prepare && run_shard "$2" ;;
report/1)
    prepare
    "$cumsum" merge "$results"/shard-*-of-*.jsonl --quiet --html "$results/report.html" \
        --junit "$results/junit.xml"
    ;;
accept/1) prepare && accept ;;
--help/1 | -h/1) usage ;;
*)
    usage >&2
    exit 2
    ;;
esac
