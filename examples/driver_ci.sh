#!/bin/sh
# SPDX-License-Identifier: MIT
set -eu

usage() {
    cat <<'USAGE'
usage: driver_ci.sh shard I/N     run shard I of N of the suite, on the machine with the device
       driver_ci.sh report        report the verdict after all shards have ended
       driver_ci.sh accept        make the results of all shards the baseline

A driver's CI job. The shards may run on N machines, in any order. Each writes shard-I-of-N.jsonl to
RESULTS. One that was interrupted can be started again, from its beginning; what is complete stays.
The machine that makes the report needs only these files. The report has the cases that are worse
than in the baseline; without one, those that fail.

Environment variables:
  RESULTS    the folder of the results (default: results)
  BASELINE   results of an earlier driver, in the driver's repository (default: known.jsonl)
  LIST       the list of cases (default: mustpass)
  BACKEND    --backend and its options (default: --backend d3d12)
  CUMSUM     the program (default: cumsum)

Exit status: 0 success, and for report: nothing is worse; 1 (only report) some cases are; 2 wrong
usage, or files that do not belong together or are missing; 3 no result: the program, the device or
a folder is missing.
USAGE
}

results=${RESULTS:-results}
baseline=${BASELINE:-known.jsonl}
list=${LIST:-mustpass}
cumsum=${CUMSUM:-cumsum}

no_result() {
    echo "driver_ci.sh: $*" >&2
    exit 3
}

prepare() {
    command -v "$cumsum" >/dev/null || no_result "CUMSUM: there is no program '$cumsum'"
    mkdir -p "$results" || no_result "RESULTS: no folder '$results'"
}

is_complete() {
    tail -n 1 "$1" 2>/dev/null | grep -q '"event":"end"'
}

# Status 1 is not an error here: some cases fail, and the report shows them. 77: nothing ran. The
# shard may have no cases, and then its file ends with the event "end". Otherwise there was no device,
# and the shard is not complete. Any other status means that there is no result, for example because
# of a malformed baseline or a full disk.
run_shard() {
    file=$results/shard-$(echo "$1" | sed 's|/|-of-|').jsonl
    status=0
    ! is_complete "$file" || { echo "driver_ci.sh: $file is complete" && return; }
    rm -f "$file"
    set -- --shard "$1"
    [ ! -e "$baseline" ] || set -- "$@" --against "$baseline"
    # BACKEND holds several options, so it must be split into words.
    # shellcheck disable=SC2086
    "$cumsum" sweep ${BACKEND:---backend d3d12} "$@" --output "$file" "$list" ||
        status=$?
    case $status in
    0 | 1) ;;
    77) is_complete "$file" || no_result "nothing ran, and shard $2 is not complete" ;;
    *) exit "$status" ;;
    esac
}

report() {
    "$cumsum" compare --quiet "$@" "$results"/shard-*-of-*.jsonl
}

accept() {
    status=0
    report --json >"$baseline.new" || status=$?
    [ $status -le 1 ] || { rm -f "$baseline.new" && exit $status; }
    mv "$baseline.new" "$baseline"
    echo "driver_ci.sh: the baseline is $baseline"
}

case ${1-}/$# in
shard/2) prepare && run_shard "$2" ;;
report/1) prepare && report --report "$results/report.html" --report "$results/junit.xml" ;;
accept/1) prepare && accept ;;
--help/1 | -h/1) usage ;;
*)
    usage >&2
    exit 2
    ;;
esac
