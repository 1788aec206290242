#!/bin/sh
# SPDX-License-Identifier: MIT
# gtest_shards.sh N: all of the suite in N processes at once, as whoever runs Google Tests in shards
# starts them. The variables of sweep_shard.sh; the report is in RESULTS.
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
wait # what became of them, merge says: a part that is not complete is an error
"${CUMSUM:-cumsum}" merge --quiet "$RESULTS"/shard-*.jsonl --html "$RESULTS/report.html"
