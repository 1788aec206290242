#!/bin/bash
# SPDX-License-Identifier: MIT
# unstable.sh [--update] CUMSUM PLUG EXPECTED SCRATCH: cases whose bits depend on the run, on a counter
# or on other processes, of which each output is right, are found with --runs, with --jobs or without.
# What is stable is never called unstable. Beside this, what sweep and minimize say of failures that
# options explain.
# shellcheck source=tests/exec/scratch.sh
source "$(dirname "$0")/scratch.sh" "$@"
names='float32.sequential.increasing.{inclusive,exclusive}.{2,3}x64.axis1.in-packed.{out-packed,out-72x1}.normal.seed{1..3}'

# try MANNER [OPTION]...: the last line of a sweep of these cases, and how many are unstable. What else
# is said is in the file out.
try() {
    rm -f lock met
    say sweep --accept conformant --exec "./plug $1" "${@:2}" "$names" >out
    echo "$* : $(tail -n 2 out | tr '\n' ' ')$(grep -c ' gave other bits than the first' out) unstable"
}

{
    for options in "" "--runs 4" "--jobs 3" "--jobs 3 --runs 4" "--jobs 2 --runs 5"; do
        # shellcheck disable=SC2086
        try stable -v $options
    done
    # The first run of each case is right, and so is every other.
    try counter -v
    for options in "--runs 2" "--runs 4 --jobs 3" "--runs 5"; do
        # shellcheck disable=SC2086
        try counter -v $options
    done
    sed -n 1,4p out
    try 'counter promises' -v --runs 2
    sed -n 1,4p out
    # In one line only.
    try line -v --runs 6
    grep -o 'the first at .[0-9]' out | sort | uniq -c
    # Only beside another process: each alone is stable.
    export CUMSUM_LOCK=$PWD/lock
    try race -v --runs 4
    export CUMSUM_MEET=$PWD/met
    names='float32.sequential.increasing.inclusive.2x64.axis1.in-packed.out-packed.normal.seed1'
    try race --jobs 3 --runs 6

    # What failures have to do with --accept.
    brief sweep --exec './plug counter' "$names" "${names%1}2" | tail -n 5
    say sweep --exec './plug stable' "$names"
    # minimize: a case that fails now and then is tried several times, and still fails in the end.
    say minimize --exec './plug counter' "$names" | grep -E '^(unstable|fail|  ->)' | sed 's/elements.*//'

    # Each run has other bits, of which one output is kept; the same NaN by other bits is one
    # output; and what happens in one run only.
    names='float32.sequential.increasing.inclusive.2x64.axis1.in-packed.out-72x1.normal.seed1'
    for manner in bits nan gap lost; do
        say sweep --accept conformant --exec "./plug $manner" --runs 10 --output $manner.jsonl "$names" |
            grep -E '^(unstable|fail|crash|[0-9]+ passed|  ->)'
        grep -oE '"(others|differing)":[0-9]+' $manner.jsonl
    done
} >"$scratch/said"
compare "$scratch/said"
