#!/bin/bash
# SPDX-License-Identifier: MIT
# sweep_device.sh [--update] CUMSUM DEVICE EXPECTED BENCH: what `cumsum sweep` and cumsum_bench say
# with --backend d3d12 of a stand-in device, and `verify` and `descriptors` with its DirectML. DEVICE
# is a library whose device treats cases of 17 elements as CUMSUM_EXECUTIONS tells it.
set -u
data=$(realpath "$(dirname "${BASH_SOURCE[0]}")/data")
bench=$(realpath "${!#}")
# shellcheck source=tests/cli/preloaded.sh
. "$(dirname "${BASH_SOURCE[0]}")/preloaded.sh"
export LD_PRELOAD=$library CUMSUM_EXECUTIONS_DONE=$work/count CUMSUM_EXECUTIONS
names='int32.wrap.increasing.inclusive.{16,17,18}.axis0.in-packed.out-packed.ones.seed0'
second=${names/\{16,17,18\}/17}

# try EXECUTIONS ARGUMENT...: a sweep of three cases, the second of which is executed so.
try() {
    CUMSUM_EXECUTIONS=$1
    rm -f count out.jsonl
    echo "$1"
    brief sweep --backend d3d12 --output out.jsonl "${@:2}" "$names"
}

# The results without their times, and without what names this machine.
results() {
    sed -E 's/"microseconds":[0-9]+,?//g; s/"(host|processor|started|ended|version|command)":"[^"]*",?//g' "$1" |
        cut -c 1-400
}

{
    try r
    results out.jsonl
    echo "on standard error: $(cumsum sweep --backend d3d12 "$second" 2>&1 >/dev/null)"
    # A case that ends or blocks its process costs only itself.
    try a
    results out.jsonl | tail -n 1
    try h --timeout 200
    # For debuggers the cases stay in this process.
    for CUMSUM_ISOLATE in '' never; do
        export CUMSUM_ISOLATE
        try l
        try t
        try l --jobs 3 | tail -n 2
    done
    try a
    unset CUMSUM_ISOLATE
    try h --timeout 200 --jobs 2

    # Other bits in another run.
    try rrw --runs 4
    results out.jsonl
    cp out.jsonl unstable.jsonl
    try rrw --runs 4 --against unstable.jsonl
    brief compare unstable.jsonl --report junit.xml --report page.html
    grep -o '<failure message="unstable: 2 of 4 runs gave other bits' junit.xml
    grep -o '"state":"unstable","reason":"2 of 4 runs gave other bits' page.html
    for executions in r w rra rrl; do
        try $executions --runs 4
    done
    # minimize takes a case that ends its process.
    rm -f count
    CUMSUM_EXECUTIONS=a
    say minimize --backend d3d12 "$second"

    # If the device cannot be opened again, the sweep ends. It keeps its results and is incomplete.
    # What the serving process says of the device may come inside of the tool's line.
    try x | grep -v 'fallen off'
    grep -o 'it has fallen off the bus' err | head -n 1
    grep -o '"event":"[a-z]*"' out.jsonl
    # A device that flushes subnormals is told apart from one that is wrong: 1e-40, 1, and zeros.
    cp "$data"/{recorded,flags}.jsonl .
    { printf '\302\026\001\0\0\0\200\077' && head -c 60 /dev/zero; } >tiny
    { printf '\0\0\0\100\0\0\200\077' && head -c 60 /dev/zero; } >ones
    verify() { # verify INPUT [OPTION]...: with the sums that the CPU makes
        rm -f count
        cumsum run "$1" --raw float32:17 --output - "${@:2}" >sums
        brief verify "$1" sums --raw float32:17 --backend directml "${@:2}"
    }
    for CUMSUM_EXECUTIONS in w r; do
        verify tiny
        verify ones
    done
    verify tiny --numerics sequential-flush
    sed -E 's/"y": .*/"x.expected": {"initialValuesDataType": "FLOAT32", "initialValues": [1e-40, 1.99999e-40]}/
            /"y.expected"/d; s/"y"/"x"/' "$data/subnormal.json" >in-place.json
    brief verify in-place.json --backend directml
    # What DirectML answers to descriptors, and what is said of it.
    for CUMSUM_ANSWERS in '0 0' '80070057 0' '0 80070057' '0 80004005' lost; do
        export CUMSUM_ANSWERS
        say descriptors --backend directml recorded.jsonl
    done
    unset CUMSUM_ANSWERS
    say descriptors --backend directml --json flags.jsonl | grep -o '"compileOperator":.*'

    # cumsum_bench compares each output with the CPU's, also those in place.
    for name in tiny-3x4 in-place; do
        for CUMSUM_EXECUTIONS in r w; do
            "$bench" --backend d3d12 --type int32 --order sequential $name 2>&1 |
                grep -oE "1.00 ms    900.000   1100.000|not measured: WRONG: .*"
            echo "  -> ${PIPESTATUS[0]}"
        done
    done
} >said 2>/dev/null
compare_said
