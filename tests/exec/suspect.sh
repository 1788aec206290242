#!/bin/bash
# SPDX-License-Identifier: MIT
# suspect.sh [--update] CUMSUM PLUG EXPECTED SCRATCH: an implementation loses a carry in long lines,
# which the bound of all orders allows. sweep, compare, verify and minimize call that SUSPECT, count
# it, and let it pass with --accept suspect alone.
# shellcheck source=tests/exec/scratch.sh
source "$(dirname "$0")/scratch.sh" "$@"
long='float32.sequential.increasing.inclusive.2x4096.axis1.in-packed.out-packed.normal.seed1'
names="float32.sequential.increasing.inclusive.2x{64,4096}.axis1.in-packed.out-packed.normal.seed1"
{
    # sweep: the word, the count, the reason, the hint, and every report.
    brief sweep --exec './plug carry' --output a.jsonl --report a.xml --report a.html "$names"
    grep -oE '"state":"suspect"|"suspect":1|<failure message="suspect: ' a.jsonl a.xml a.html | sort -u
    say sweep --json --exec './plug carry' "$names" | grep -o '"failed":1,"suspect":1,'
    brief sweep --exec './plug carry' --accept conformant --output b.jsonl "$names"
    say sweep --exec './plug carry' --accept suspect --output c.jsonl "$names"
    grep -oE 'other bits, but |; conformant, |--accept suspect NAME' c.jsonl
    brief sweep --exec './plug carry' --against a.jsonl "$names"
    brief sweep --exec './plug tile' "$long"
    brief sweep --exec './plug carry' "${long%1}{1..5}" | tail -n 6

    # compare: a suspect case is worse than a pass and better than a failure.
    say sweep --exec './plug stable' --output right.jsonl "$names"
    sed 's/"state":"suspect"/"state":"fail"/; s/"fail":0/"fail":1/; s/"suspect":1}/"suspect":0}/
         s/"suspect":1,/"suspect":0,/' a.jsonl >fails.jsonl
    for files in a 'right a' 'right a --accept suspect' 'a b' 'b c' 'b c --accept suspect' 'a fails'; do
        # shellcheck disable=SC2046
        say compare $(sed -E 's/\b(a|b|c|right|fails)\b/\1.jsonl/g' <<<"$files") |
            grep -vE '^(A|B|the same|[0-9]+ identical) '
    done

    # verify and sweep of the case file.
    say generate "$long"
    for accept in bits conformant suspect; do
        brief verify --exec './plug carry' --accept $accept "$long.json"
        say sweep -q --exec './plug carry' --accept $accept "$long.json" | tail -n 2
    done
    brief verify --backend cpu:portable --numerics blocked "$long.json"
    brief verify --backend cpu:portable --numerics blocked --accept conformant "$long.json"

    # minimize: the smallest case that is suspect. Lines of fewer than 4000 elements are right.
    brief minimize --exec './plug carry' "$long"
    say verify -q --exec './plug carry' "$long.minimal.json" | tail -n 2
    say minimize --exec './plug carry' --accept suspect "$long"
    say minimize --json --exec './plug carry' --accept conformant "$long" |
        grep -oE '"state":"[a-z]*"|--accept [a-z]*'
} >"$scratch/said"
compare "$scratch/said"
