#!/bin/bash
# SPDX-License-Identifier: MIT
# serve.sh [--update] CUMSUM PLUG EXPECTED SCRATCH: what `cumsum serve` answers: its frames as text,
# what it says on standard error, and its exit status. It is an implementation over cumsum/exec.h,
# whose answers to wrong frames tests/implementation has.
# shellcheck source=tests/exec/scratch.sh
source "$(dirname "$0")/scratch.sh" "$@"

u32() { # u32 NUMBER...: little-endian
    local n
    for n; do
        printf '%b' "$(printf '\\x%02x\\x%02x\\x%02x\\x%02x' $((n & 255)) $((n >> 8 & 255)) \
            $((n >> 16 & 255)) $((n >> 24 & 255)))"
    done
}
u64() {
    local n
    for n; do u32 $((n & 0xffffffff)) $((n >> 32)); done
}
header() { # header KIND BYTES
    printf CSUM
    u32 "$1"
    u64 "$2"
}
hello() {
    header 1 12
    u32 1 1 -1
}
# request TYPE RANK AXIS FLAGS SIZE STRIDE INPUT_BYTES OUTPUT_BYTES INPUT_AT OUTPUT_AT: one dimension
request() {
    u32 "$1" "$2" "$3" "$4" "$5" 0 0 0 0 0 0 0 "$6" 0 0 0 0 0 0 0 "$6" 0 0 0 0 0 0 0
    u64 "$7" "$8" "$9" "${10}"
}

# try TITLE [OPTION]...: the frames of standard input. Text of frames is shown, and bytes as numbers.
try() {
    local title=$1
    shift
    echo "$title"
    "$cumsum" serve "$@" >answer 2>said
    local status=$?
    while grep -q . answer && [ "$(head -c 4 answer)" = CSUM ]; do
        local kind size
        kind=$(od -An -tu4 -j4 -N4 answer)
        size=$(od -An -tu8 -j8 -N8 answer)
        if [ "$kind" -eq 4 ]; then
            echo "  SUMS:$(tail -c +17 answer | head -c "$size" | od -An -v -td4 | tr -s '\n ' ' ')"
        elif [ "$kind" -eq 2 ] && [ "$title" != 'a greeting' ]; then
            echo '  READY'
        else
            echo "  $((kind)): $(tail -c +17 answer | head -c "$size" | sed -E 's/"version":"[^"]*"/"version":"V"/')"
        fi
        tail -c "+$((17 + size))" answer >rest
        mv rest answer
    done
    sed 's/^/  /' said
    echo "  -> $status"
}

if ! printf '\1\0\0\0' | od -An -td4 | grep -qx ' *1'; then
    echo "SKIPPED: the protocol is little-endian"
    exit 77
fi
{
    hello | try 'a greeting' --backend cpu:portable
    { hello; header 3 156; request 6 1 0 0 3 1 12 12 0 0; u32 1 2 3; } | try 'a request'
    { hello; header 3 168; request 6 1 0 9 3 1 12 12 0 0; u32 1 2 3 7 7 7; } |
        try 'exclusive, with first contents'
    # Buffers around the tensors: they come back as they were.
    { hello; header 3 192; request 6 1 0 8 3 2 20 20 4 4; u32 9 1 9 2 9 3 7 7 7 7 7 7; } |
        try 'strides in whole buffers'
    { hello; header 3 160; request 6 1 0 6 3 1 12 12 4 4; u32 9 1 2 3; } | try 'in place, decreasing'
    { hello; header 3 156; request 6 1 0 1024 3 1 12 12 0 0; u32 1 2 3; } | try 'the exact order'
    { hello; header 3 168; request 9 1 0 0 3 1 24 24 0 0; u32 1 2 3 4 5 6; } |
        try 'a type that it has not'
    echo 'Hello world, this is no frame' | try 'no frame'
    try 'an argument' x </dev/null
    # Drivers leak, and are unloaded before the leak check of a sanitizer.
    hello | ASAN_OPTIONS=detect_leaks=0 try 'no device' --backend 'directml:no such device'
} 2>&1 | sed -E 's/(no device: .*|this build has none)/.../' >said-all
compare said-all
