#!/bin/sh
# SPDX-License-Identifier: MIT
# gtest_shards.sh N: runs the suite in N processes at once, with the variables of Google Test's
# sharding protocol. It takes the variables of sweep_shard.sh, and writes the report to RESULTS.
set -eu
count=$1
here=$(dirname "$0")
RESULTS=${RESULTS:-results}
export RESULTS GTEST_TOTAL_SHARDS="$count"
i=0
while [ "$i" -lt "$count" ]; do
    GTEST_SHARD_INDEX=$i sh "$here/sweep_shard.sh" &
    i=$((i + 1))
done
wait # no statuses: merge fails if a shard is not complete
"${CUMSUM:-cumsum}" merge --quiet "$RESULTS"/shard-*.jsonl --html "$RESULTS/report.html"
