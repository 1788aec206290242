#!/bin/sh
# SPDX-License-Identifier: MIT
# sweep_shard.sh: runs the shard of the suite that a scheduler's variables name. `cumsum sweep`
# reads these variables itself; this script uses them only to name the shard's file. An interrupted
# shard continues after the last case that it completed.
#
#   RESULTS   the folder of the results, which all shards share (default: results)
#   LIST      the list of cases (default: mustpass)
#   BACKEND   --backend and its options (default: --backend d3d12 --retry 2)
#   CUMSUM    the program (default: cumsum)
#
# Exit status: 0 no case fails; 1 some cases fail; 3 no device; any other status: no result.
set -eu
results=${RESULTS:-${TEST_UNDECLARED_OUTPUTS_DIR:-results}}
shard=${GTEST_SHARD_INDEX-${TEST_SHARD_INDEX-${SLURM_ARRAY_TASK_ID-${JOB_COMPLETION_INDEX-}}}}
if [ -z "$shard" ]; then
    echo "sweep_shard.sh: no variable of a scheduler is set: GTEST_SHARD_INDEX, TEST_SHARD_INDEX," \
        "SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX" >&2
    exit 2
fi
mkdir -p "$results"
status=0
# BACKEND holds several options, so it must be split into words.
# shellcheck disable=SC2086
"${CUMSUM:-cumsum}" sweep ${BACKEND:---backend d3d12 --retry 2} --quiet --resume \
    --output "$results/shard-$shard.jsonl" "${LIST:-mustpass}" || status=$?
# Nothing ran: either this shard has no cases and is complete, or there is no device.
if [ $status -eq 77 ]; then
    status=3
    if tail -n 1 "$results/shard-$shard.jsonl" 2>/dev/null | grep -q '"event":"end"'; then
        status=0
    fi
fi
exit $status
