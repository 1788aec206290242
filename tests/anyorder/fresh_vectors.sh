#!/bin/sh
# SPDX-License-Identifier: MIT
# fresh_vectors.sh PYTHON CHECK VECTORS WORK few|many|same: makes vectors with another seed and
# checks anyorder.h with them; or makes those of the file VECTORS again and compares.
set -eu
python=$1
check=$2
vectors=$3
made=$4/fresh-$5.json
maker=$(dirname "$0")/make_vectors.py
case $5 in
few) "$python" -B "$maker" --seed 2 --share 5 >"$made" ;;
many) "$python" -B "$maker" --seed 3 --share 40 >"$made" ;;
same)
    "$python" -B "$maker" >"$made"
    cmp "$made" "$vectors"
    ;;
esac
"$check" "$made"
