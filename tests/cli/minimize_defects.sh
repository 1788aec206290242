#!/bin/bash
# SPDX-License-Identifier: MIT
# minimize_defects.sh CUMSUM DEFECT: `cumsum minimize` on kernels into which DEFECT, a library, plants
# what CUMSUM_DEFECT says.
set -u
# shellcheck source=tests/cli/defect_frame.sh
. "$(dirname "${BASH_SOURCE[0]}")/defect_frame.sh"

# try STATUS COMMAND...: the exit status of a shell's command; what it writes is in out and err.
try() {
    local expected=$1 status
    shift
    bash -c "$*" >out 2>err
    status=$?
    [ $status -eq "$expected" ] || fail "$* exits $status, not $expected"
}

expect() {
    grep -qF -- "$1" out || fail "nothing says: $1"
}

again() { # the command in the last output
    sed -n 's/^again    //p' out
}

name=float32.sequential.decreasing.exclusive.4x37.axis1.in-packed.out-packed.normal.seed1
gaps=float32.sequential.decreasing.exclusive.4x37.axis1.in-80x2.out-74x2+32.normal.seed1
small=float32.sequential.increasing.inclusive.17.axis0.in-packed.out-packed

# A carry that is lost at the 17th element takes 17 elements; the line to run it again shows it.
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

# Twice the same; from a file the same; from a small case nothing smaller.
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

# sweep names the command.
try 1 cumsum sweep --kernel portable "$name"
expect "the first failure, made small: cumsum minimize --kernel portable $name"
tail -n 1 out | grep -qx '0 passed, 1 failed, 0 skipped' || fail "the last line is another"

# A byte between two elements: not what verify looks at.
export CUMSUM_DEFECT=gap
try 1 cumsum minimize $gaps
expect "to       float32.sequential.increasing.inclusive.2.axis0.in-packed.out-2  2 elements"
expect "fail     1 bytes that belong to no element were written"
expect "again    cumsum minimize $gaps.minimal.json"
try 1 "$(again)"

# The second dispatch of a file is the one that fails; it reads what the first has written.
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

# A device that is lost by inputs of more than 64 bytes: each case gets a new one.
export CUMSUM_DEFECT=crash
try 1 cumsum minimize $name
expect "to       $small  17 elements"
expect "crash    device removed"
try 3 "$(again)"

unset LD_PRELOAD
try 2 cumsum minimize $name
grep -qF "does not fail on backend cpu" err || fail "nothing says that it does not fail"
echo "all as expected"
