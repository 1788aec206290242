#!/bin/sh
# SPDX-License-Identifier: MIT
# expect_passed.sh COUNT COMMAND...: the command exits 0 and its last line says that COUNT passed
# and nothing failed or was skipped. How many of these passed weakly may stand behind it.
count=$1
shift
output=$("$@")
status=$?
last=$(printf '%s\n' "$output" | tail -n 1)
if [ "$status" -ne 0 ] || [ "${last%%;*}" != "$count passed, 0 failed, 0 skipped" ]; then
    printf '%s\n' "$output" | tail -n 40
    echo "expected exit 0 and '$count passed, 0 failed, 0 skipped'; got exit $status"
    exit 1
fi
