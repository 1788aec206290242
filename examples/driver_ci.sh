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
USAGE
}

results=${RESULTS:-results}
baseline=${BASELINE:-known-failures.txt}
list=${LIST:-mustpass}
cumsum=${CUMSUM:-cumsum}

# 1 is no error here: something fails, of which the report tells. 77: this part has no case. Anything
# else is no result: no such device, a malformed baseline, a full disk.
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

run_shard() {
    sweep --baseline "$baseline" --shard "$1" --resume \
        --output "$results/shard-$(echo "$1" | sed 's|/|-of-|').jsonl"
}

mkdir -p "$results"
[ -e "$baseline" ] || : >"$baseline"
case ${1-}/$# in
shard/2) run_shard "$2" ;;
report/1)
    "$cumsum" merge "$results"/shard-*-of-*.jsonl --quiet --html "$results/report.html" \
        --junit "$results/junit.xml"
    ;;
accept/1) sweep --quiet --write-baseline "$baseline" ;;
--help/1 | -h/1) usage ;;
*)
    usage >&2
    exit 2
    ;;
esac
