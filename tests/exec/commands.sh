#!/bin/bash
# SPDX-License-Identifier: MIT
# commands.sh [--update] CUMSUM PLUG EXPECTED SCRATCH: the commands with --exec and a process that
# keeps to the protocol (plug.c).
# shellcheck source=tests/exec/scratch.sh
source "$(dirname "$0")/scratch.sh" "$@"

case=float32.sequential.decreasing.exclusive.3x4.axis0.in-8x2.out-1x3.normal.seed1
golden=$tests/golden/documentation/not-shown-axis-2-exclusive-decreasing.json
{
    for manner in single half 'plain single'; do
        say sweep -q quick --shard 3/16 --exec "./plug $manner"
        say sweep -q quick --shard 3/16 --accept conformant --exec "./plug $manner"
    done
    say sweep -q quick --exec './plug numerics'
    say sweep -q quick --shard 3/16 --exec './plug plain numerics'
    say sweep -q --exec './plug numerics deaf' \
        float32.blocked.increasing.inclusive.4x17.axis1.in-packed.out-packed.uniform.seed1 \
        float32.sequential-flush.increasing.inclusive.4x17.axis1.in-packed.out-packed.subnormal.seed1 \
        'float16.sequential-{half,toward-zero}.increasing.inclusive.4x17.axis1.in-packed.out-packed.uniform.seed1' \
        float16.sequential-ieee.increasing.inclusive.4x17.axis1.in-packed.out-packed.overflow-edge.seed0 |
        grep -v '^          '
    say sweep -v --exec './plug plain single' $case
    "$cumsum" sweep --json --exec './plug plain single' $case | grep -o '"adapted":[^]]*]'
    say sweep -q --exec './plug error' --output r.jsonl --report r.html \
        'int{32,64}.wrap.increasing.inclusive.3.axis0.in-packed.out-packed.ones.seed0'
    grep -o '"backend".*"driver":"[^"]*"' r.jsonl
    grep -o '"minimize":"[^"]*"' r.html
    say minimize --exec './plug "error"' \
        int64.wrap.increasing.inclusive.2x5.axis1.in-packed.out-packed.ones.seed0
    say fingerprint --length 8 --exec ./plug
    say fingerprint --length 4 --exec './plug plain regroups' | sed -n 1,2p
    say fingerprint --length 40 -v --exec './plug plain regroups' | grep -E '^order|output [0-3] '
    say fingerprint --length 8 --type float16 --exclusive --reverse --exec './plug half'
    for command in verify sweep; do
        say $command --exec ./plug "$golden" | tail -3
        say $command --exec './plug plain' "$golden" | grep adapted | sed -n 1,2p
        say $command --json --exec './plug plain' "$golden" | grep -o '"adapted":[^]]*]' | sort -u
    done
    say verify --exec './plug lazy' "$golden" | sed -n '/actual output/{N;p;q}'
    say verify -q --exec './plug lazy' "$golden" | sed -n 2p
    # Totals: their orders have the names of cumsum/order.h, a dropped term is found, and a program
    # without totals is skipped.
    packed=in-packed.out-packed
    ways='{increasing.inclusive,decreasing.exclusive}'
    ones="{int32.wrap,float32.sequential}.$ways.3.axis0.$packed.ones.seed0"
    say sweep --sum axis --exec ./plug "$ones"
    say sweep --sum axis --exec './plug ready-error' "$ones"
    say sweep --sum all --exec './plug totals lanes' "float32.sequential.$ways.2x3x40.axis{0..2}.$packed.normal.seed1"
    say sweep --sum 0,0,0,0,0,0,0,0,0 --exec './plug totals' "$ones"
    say sweep -q --exec './plug totals' "$ones"
    # Of case files and arrays, too, wrong sums are found.
    scan=$tests/cli/data/scan-x.npy
    say sweep --sum axis --exec './plug totals' "float32.sequential.$ways.2x3x40.axis{0..2}.$packed.normal.seed1" "$ones"
    say sweep --sum 2,0 --exec './plug totals drops' "float32.sequential.$ways.4x3x4.axis0.$packed.ones.seed0"
    for defect in '' ' drops'; do
        say sweep --sum 0,-1 --exec "./plug totals$defect" "$scan"
    done
    say sweep --sum all --exec ./plug "$scan"
    for axes in 1 0,-1 first; do
        say sweep --sum $axes --exec './plug totals' "int32.wrap.increasing.inclusive.3.axis0.$packed.ones.seed0"
    done
    say sweep --sum 0 --axis 0 --exec './plug totals' "$scan"
    say sweep --sum 0 --runs 2 --exec './plug totals' "$scan"
    say sweep --sum 0 "$scan"
    say sweep --exec './plug lazy' "$tests/cli/data/"{chain.json,scan-x.npy} --axis 1 |
        grep -E '^(fail|pass|  ->|[0-9]+ passed)'
    say sweep --exec './plug plain' "$tests/cli/data/"{chain.json,scan-x.npy} --axis 1 --reverse
    say fingerprint --sum --exec './plug totals'
    say fingerprint --sum --exec './plug totals lanes' --length 100 --json | grep -o '"order":"[^"]*"'
    say fingerprint --sum --exec './plug totals lanes' --length 6 -v | grep -A 9 '^trees'
    say fingerprint --sum --exec './plug totals drops' --length 6 | grep '^order'
    say fingerprint --sum --exec ./plug
    say fingerprint --sum
    say fingerprint --sum --exec './plug totals' --exclusive
    # Segments and initial values: for a process that knows them, one that sums whole lines, and
    # others, where nothing is adapted but strides.
    printf '#!/bin/sh\nexec "%s" serve "$@"\n' "$cumsum" >serve
    chmod +x serve
    printf '\0\1\1\3' >cut.bin
    printf '%b' '\0'{1..6}'\0\0\0' >x.bin
    cut=(--raw int32:2x3 --axis 1 --segments offsets=uint8:cut.bin)
    say run x.bin "${cut[@]}" --initial 10 --reverse --exec ./serve
    "$cumsum" run x.bin "${cut[@]}" --output y.bin.npy
    say verify x.bin y.bin.npy "${cut[@]}" --exec ./serve
    say verify x.bin y.bin.npy "${cut[@]}" --exec './plug segments'
    say verify x.bin y.bin.npy "${cut[@]}" --exec ./plug
    for how in --initial=10 --reverse --exclusive; do
        say run x.bin "${cut[@]}" "$how" --exec './plug plain segments'
    done
    # The profile of READY judges: these sums round to nearest.
    tenth=float32.sequential.increasing.inclusive.4x100.axis1.$packed.tenth.seed0
    say generate -q $tenth
    for manner in wgsl toward narrow misspelt; do
        say sweep --exec "./plug $manner" $tenth.json
    done
    say run --exec ./plug "$tests/cli/data/int32-2x3.npy" --axis 1
    array=("$tests/cli/data/int32-2x3.npy" --axis 1)
    say run --exec './plug plain' "${array[@]}" --reverse
    say run --json --exec './plug plain' "${array[@]}" --reverse --exclusive
    say run -q --exec './plug plain' "${array[@]}" --exclusive
    say fingerprint --length 8 --exec './plug plain' --exclusive |
        grep -E '^(examined|lines |layout|  ->)'
    say fingerprint --length 8 --json --exec './plug plain' | grep -o '"[a-z]*":{[^{]*"adapted":[^]]*]'
    say run --exec './plug few' "$tests/cli/data/float16-4.npy" --axis 0
    say run --exec ./plug --backend cpu "$tests/cli/data/int32-2x3.npy" --axis 1
    say run --exec= "$tests/cli/data/int32-2x3.npy" --axis 1
    # `cumsum serve` is such a program, too.
    serve="$cumsum serve --backend cpu:portable"
    say sweep -q quick --shard 3/16 --exec "$serve"
    say sweep -q --exec "$serve" "{float32,float16}.exact.$ways.3x40.axis1.{in-packed.in-place,in-50x1+16.out-3x9}.normal.seed1"
    say sweep --exec "$cumsum serve --backend 'directml:no such device'" "$ones" |
        grep -oE 'SKIP  backend exec|[0-9]+ passed.*|  -> .*' # standard error comes at any time
    say serve <<<'Hello world, this is no frame'
    say serve x
} 2>&1 | sed "s|$tests|tests|g; s|$cumsum|cumsum|g" >"$scratch/said"
compare "$scratch/said"
