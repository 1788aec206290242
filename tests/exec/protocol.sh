#!/bin/bash
# SPDX-License-Identifier: MIT
# protocol.sh [--update] CUMSUM PLUG EXPECTED SCRATCH: what the tool says of processes that misbehave
# (plug.c lists the ways): the case that is lost, the exit status, and that the next case passes.
# shellcheck source=tests/exec/scratch.sh
source "$(dirname "$0")/scratch.sh" "$@"

tail=inclusive.2x3.axis1.in-packed.out-packed.ones.seed0
ask() { # ask OPTION...: three cases, of which the second is for INT64
    "$cumsum" sweep -v "$@" "int32.wrap.decreasing.$tail" "int64.wrap.increasing.$tail" \
        "int32.wrap.increasing.$tail" 2>&1 | grep -v "^sh: "
    echo "  -> ${PIPESTATUS[0]}"
}

misbehave() { # misbehave WORD [OPTION]...
    local word=$1
    shift
    echo "$word"
    ask "$@" --exec "./plug $word"
}

{
    for word in good prints short long trailing kind unknown-kind huge huge-text middle header \
        closes-input closes-output floods crashes exits unsupported error error-empty \
        error-long random; do
        misbehave $word
    done
    echo floods-errors
    ask --exec './plug floods-errors 2>/dev/null'
    for word in hangs hangs-in-frame; do
        misbehave $word --timeout 3000
    done
    for word in error exit prints sums long malformed; do
        echo "ready-$word"
        ask --exec "./plug ready-$word"
    done
    echo ready-hangs
    ask --timeout 3000 --exec './plug ready-hangs'
    echo 'no such command'
    ask --exec './no-such-command'
    echo 'no permission'
    mkdir folder
    ask --exec ./folder
    echo 'few'
    ask --exec './plug few'
    echo 'what the process gets'
    ask --exec 'exec ./plug looks' 9</dev/null | LC_ALL=C sort
} >"$scratch/said"

gone() { # gone PROCESS: does it end soon?
    for _ in {1..300}; do
        kill -0 "$1" 2>/dev/null || return 0
        # A zombie is gone too.
        [ "$(cut -d' ' -f3 "/proc/$1/stat" 2>/dev/null)" = Z ] && return 0
        sleep 0.1
    done
    return 1
}
{
    echo 'its group ends with it'
    ask --exec "./plug leaves-child $scratch/processes"
    read -ra processes <"$scratch/processes"
    for process in "${processes[@]}"; do
        gone "$process" || echo "process $process is left"
    done
    echo 'it dies with the tool'
    rm "$scratch/processes"
    "$cumsum" sweep --exec "./plug hangs leaves-child $scratch/processes" "int64.wrap.increasing.$tail" \
        >/dev/null 2>&1 &
    for _ in {1..300}; do
        [ -s "$scratch/processes" ] && break
        sleep 0.1
    done
    kill -9 $!
    wait $! 2>/dev/null
    read -r child process <"$scratch/processes"
    gone "$process" || echo "process $process is left"
    kill -9 "$child" # a killed tool cannot end its group
} >>"$scratch/said" 2>/dev/null
compare "$scratch/said"
