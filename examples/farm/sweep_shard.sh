#!/bin/sh
# SPDX-License-Identifier: MIT
# sweep_shard.sh: the part of the suite that a scheduler's variables name. `cumsum sweep` reads them
# itself; here they only tell the files of the parts apart. A part that was lost goes on where it was.
#
#   RESULTS   the folder of the results, which all parts share (default: results)
#   LIST      what to run (default: mustpass)
#   BACKEND   --backend and what belongs to it (default: --backend d3d12 --retry 2)
#   CUMSUM    the program (default: cumsum)
#
# Exit status: 0 nothing fails, 1 something does; anything else is no result, 3 no device among it.
set -eu
results=${RESULTS:-${TEST_UNDECLARED_OUTPUTS_DIR:-results}}
part=${GTEST_SHARD_INDEX-${TEST_SHARD_INDEX-${SLURM_ARRAY_TASK_ID-${JOB_COMPLETION_INDEX-}}}}
if [ -z "$part" ]; then
    echo "sweep_shard.sh: no scheduler's variables: GTEST_SHARD_INDEX, TEST_SHARD_INDEX," \
        "SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX" >&2
    exit 2
fi
mkdir -p "$results"
status=0
# Several options, on purpose.
# shellcheck disable=SC2086
"${CUMSUM:-cumsum}" sweep ${BACKEND:---backend d3d12 --retry 2} --quiet --resume \
    --output "$results/shard-$part.jsonl" "${LIST:-mustpass}" || status=$?
# Nothing ran: this part has no case and is complete, or there is no device.
if [ $status -eq 77 ]; then
    status=3
    if tail -n 1 "$results/shard-$part.jsonl" 2>/dev/null | grep -q '"event":"end"'; then
        status=0
    fi
fi
exit $status
