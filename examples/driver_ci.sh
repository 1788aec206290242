#!/bin/sh
# SPDX-License-Identifier: MIT
set -eu

usage() {
    cat <<'USAGE'
usage: driver_ci.sh shard I/N     run shard I of N of the suite, on the machine with the device
       driver_ci.sh report        report the verdict after all shards have ended
       driver_ci.sh accept        run the whole suite, and write its failures to the baseline

A driver's CI job. The shards may run on N machines, in any order. A shard that was interrupted can
be started again, and continues after the last case that it completed. Each shard writes
shard-I-of-N.jsonl to RESULTS. The machine that makes the report needs only these files. The report
shows the differences from the baseline: new failures, and failures that are gone.

Environment variables:
  RESULTS    the folder of the results (default: results)
  BASELINE   the known failures, a file in the driver's repository (default: known-failures.txt)
  LIST       the list of cases (default: mustpass)
  BACKEND    --backend and its options (default: --backend d3d12 --retry 2)
  CUMSUM     the program (default: cumsum)

Exit status: 0 success, and for report: the driver passes; 1 (only report) there are differences
from the baseline; 2 wrong usage, or files that do not belong together; 3 no result: the program,
the device, a file or a shard is missing.
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

# Status 1 is not an error here: some cases fail, and the report shows them. 77: nothing ran. Any
# other status means that there is no result, for example because of a malformed baseline or a full
# disk.
sweep() {
    status=0
    # BACKEND holds several options, so it must be split into words.
    # shellcheck disable=SC2086
    "$cumsum" sweep ${BACKEND:---backend d3d12 --retry 2} "$@" "$list" || status=$?
    case $status in
    0 | 1 | 77) ;;
    *) exit "$status" ;;
    esac
}

# If nothing ran, the shard may have no cases, and then its file ends with the event "end".
# Otherwise there was no device, and the shard is not complete.
run_shard() {
    file=$results/shard-$(echo "$1" | sed 's|/|-of-|').jsonl
    sweep --baseline "$baseline" --shard "$1" --resume --output "$file"
    [ $status -ne 77 ] || tail -n 1 "$file" 2>/dev/null | grep -q '"event":"end"' ||
        no_result "nothing ran, and shard $1 is not complete"
}

accept() {
    sweep --quiet --write-baseline "$baseline"
    [ $status -ne 77 ] || no_result "nothing ran: $baseline is unchanged"
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
