#!/bin/bash
# SPDX-License-Identifier: MIT
# minimize_defects.sh CUMSUM DEFECT: tests `cumsum minimize` on defective kernels. DEFECT is a
# library that plants the defect named by CUMSUM_DEFECT.
set -u
# shellcheck source=tests/cli/defect_frame.sh
. "$(dirname "${BASH_SOURCE[0]}")/defect_frame.sh"

# try STATUS COMMAND...: runs a shell command, which must exit with STATUS. It fills out and err.
try() {
    local expected=$1 status
    shift
    bash -c "$*" >out 2>err
    status=$?
    [ $status -eq "$expected" ] || fail "$* exits $status, not $expected"
}

expect() {
    grep -qF -- "$1" out || fail "$1 is missing from the output"
}

again() { # prints the command that the last output shows
    sed -n 's/^again    //p' out
}

name=float32.sequential.decreasing.exclusive.4x37.axis1.in-packed.out-packed.normal.seed1
gaps=float32.sequential.decreasing.exclusive.4x37.axis1.in-80x2.out-74x2+32.normal.seed1
small=float32.sequential.increasing.inclusive.17.axis0.in-packed.out-packed

# If the carry is lost at the 17th element, the smallest failing case has 17 elements. The command
# in the output repeats it.
export CUMSUM_DEFECT=carry LD_PRELOAD=$library
try 1 cumsum minimize --kernel portable --output "'a folder'" $name
expect "from     $name  148 elements"
expect "to       $small  17 elements, after "
expect "fail     1 of 17 elements differ"
expect "verdict  FAIL: 1 of 17 outputs fail"
expect "again    cumsum verify --kernel portable 'a folder/$name.minimal.json'"
try 1 "$(again)"
expect "0 passed, 1 failed, 0 skipped"
grep -qF '"again": "cumsum verify --kernel portable' "a folder/$name.minimal.json" || fail "no line"
grep -qF '"verdict": "FAIL: ' "a folder/$name.minimal.json" || fail "no verdict"
LD_PRELOAD='' try 0 cumsum verify "'a folder'/*.json"

# A second run and a run from a file give the same case. A small case does not become smaller.
cp "a folder/$name.minimal.json" first
try 1 cumsum minimize --kernel portable --output "'a folder'" $name
cmp "a folder/$name.minimal.json" first || fail "the second run makes another case"
try 0 cumsum generate $name
try 1 cumsum minimize $name.json
expect "to       $small  17 elements"
try 1 cumsum minimize --json --output again "'a folder/$name.minimal.json'"
expect "\"name\":\"$small\",\"elements\":17,"
expect '"complete":true,"state":"fail"'
expect '"exit":1}'

# sweep shows the minimize command.
try 1 cumsum sweep --kernel portable "$name"
expect "the first failure, made small: cumsum minimize --kernel portable $name"
tail -n 1 out | grep -qx '0 passed, 1 failed, 0 skipped' || fail "the last line is another"

# The kernel changes a byte between two elements, which verify does not compare.
export CUMSUM_DEFECT=gap
try 1 cumsum minimize $gaps
expect "to       float32.sequential.increasing.inclusive.2.axis0.in-packed.out-2  2 elements"
expect "fail     1 byte that belongs to no element was written"
expect "again    cumsum minimize $gaps.minimal.json"
try 1 "$(again)"

# The second dispatch of a file fails. It reads the output of the first.
cat >two.json <<'END'
{ "resources": {
    "x": { "initialValuesDataType": "FLOAT32", "initialValues": { "value": 0.5, "valueCount": 40 } },
    "y": { "initialValuesDataType": "FLOAT32", "initialValues": { "value": 0, "valueCount": 40 } } },
  "dispatchables": {
    "short": { "type": "DML_OPERATOR_CUMULATIVE_SUMMATION", "desc": {
        "InputTensor": { "DataType": "FLOAT32", "Sizes": [2, 3] },
        "OutputTensor": { "DataType": "FLOAT32", "Sizes": [2, 3] }, "Axis": 1, "AxisDirection": "DML_AXIS_DIRECTION_INCREASING", "HasExclusiveSum": false } },
    "long": { "type": "DML_OPERATOR_CUMULATIVE_SUMMATION", "desc": {
        "InputTensor": { "DataType": "FLOAT32", "Sizes": [2, 20] },
        "OutputTensor": { "DataType": "FLOAT32", "Sizes": [2, 20] }, "Axis": 1, "AxisDirection": "DML_AXIS_DIRECTION_INCREASING", "HasExclusiveSum": false } } },
  "commands": [
    { "type": "dispatch", "dispatchable": "short",
      "bindings": { "InputTensor": "x", "OutputTensor": "y" } },
    { "type": "dispatch", "dispatchable": "long",
      "bindings": { "InputTensor": "y", "OutputTensor": "y" } } ] }
END
export CUMSUM_DEFECT=carry
try 1 cumsum minimize two.json
expect "from     two.json  40 elements"
expect "to       float32.sequential.increasing.inclusive.17.axis0.in-packed.out-packed  17 elements"
expect "file     two.minimal.json"

# Inputs of more than 64 bytes lose the device: each case gets a new one.
export CUMSUM_DEFECT=crash
try 1 cumsum minimize $name
expect "to       $small  17 elements"
expect "crash    device removed"
try 3 "$(again)"

unset LD_PRELOAD
try 2 cumsum minimize $name
grep -qF "does not fail on backend cpu" err || fail "that it does not fail is missing from the output"
echo "all as expected"
