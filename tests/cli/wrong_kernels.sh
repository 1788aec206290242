#!/bin/bash
# SPDX-License-Identifier: MIT
# wrong_kernels.sh [--update] CUMSUM LIBRARY EXPECTED: what `cumsum sweep`, `compare` and `minimize`
# say of wrong kernels. LIBRARY makes them wrong as CUMSUM_DEFECT says (planted_defect.c).
set -u
# shellcheck source=tests/cli/data/page_records.sh
. "$(dirname "$0")/data/page_records.sh"
# shellcheck source=tests/cli/preloaded.sh
. "$(dirname "${BASH_SOURCE[0]}")/preloaded.sh"
export LD_PRELOAD=$library CUMSUM_DEFECT=none

three="int32.wrap.increasing.inclusive.{16,17,18}.axis0.in-packed.out-packed.ones.seed0"
second=${three/\{16,17,18\}/17}
normal=float32.sequential.increasing.inclusive.2x37.axis1.in-packed.out-packed.normal.seed1
gaps=float32.sequential.increasing.inclusive.3.axis0.in-packed.out-2.ones.seed0

# The oracle's verdict on a failure: no order loses a carry, but another order is conformant, unless
# the right bits stand in the wrong place.
oracle() {
    CUMSUM_DEFECT=carry
    brief sweep --backend cpu:portable --accept conformant --output out.jsonl "$normal"
    grep -o '"judgement":{"verdict":"[A-Z]*"' out.jsonl
    CUMSUM_DEFECT=order
    for name in "$normal" "${normal/packed.out-packed/74x2.in-place}"; do
        rm out.jsonl
        brief sweep --backend cpu:portable "$name"
        brief sweep --backend cpu:portable -v --accept conformant --output out.jsonl "$name"
        grep -oE '"reason":"other bits, but |"first":' out.jsonl
    done
    CUMSUM_DEFECT=gap
    brief sweep --accept conformant $gaps
}

# If one case ends its process or hangs, the other cases still run. Without isolation it ends the
# sweep. The limit is for the execution alone: a slow start costs nothing.
isolated() {
    rm out.jsonl
    CUMSUM_DEFECT=abort
    say sweep --timeout 60000 --output alone.jsonl "$three"
    say sweep --timeout 60000 --jobs 3 --output out.jsonl "$three" | tail -n 2
    same_cases alone.jsonl out.jsonl
    say sweep "$three"
    CUMSUM_DEFECT=hang
    CUMSUM_SLOW_START=1100 cumsum sweep --timeout 1000 "$three" | grep -v '^backend '
    for CUMSUM_DEFECT in stop stop-start; do
        say sweep --timeout 1000 "$three"
    done
}

# Bytes between, before and behind the elements are compared, whichever process wrote them: over
# shared memory, and over the pipe.
guarded() {
    local name=${gaps/out-2/out-2+16} way
    for CUMSUM_DEFECT in gap before behind; do
        [ $CUMSUM_DEFECT = behind ] &&
            name=float16.sequential.increasing.inclusive.3.axis0.in-packed.out-packed+16.ones.seed0
        rm -f here.jsonl out.jsonl
        brief sweep --output here.jsonl "$name"
        brief sweep --timeout 60000 --output out.jsonl "$name" | tail -n 2
        same_cases here.jsonl out.jsonl
        for way in '' '3<&-'; do
            echo "pipe '$way'"
            cumsum sweep --exec "LD_PRELOAD='$library' exec cumsum serve --backend cpu:portable $way" "$name" |
                grep -o '[0-9]* bytes\? that belongs\? to no element w.*'
        done
    done
}

# A failure that is no worse than in earlier results is known, and no failure. A case that fails
# otherwise is one, unless its line in these results was changed to say so, with a reason.
known() {
    rm out.jsonl
    CUMSUM_DEFECT=carry
    brief sweep --output before.jsonl "$three"
    say sweep --against before.jsonl "$three"
    CUMSUM_DEFECT=crash
    say sweep --against before.jsonl "$three"
    sed "/$second/"'s/"state":"fail"/"state":"crash","reason":"issue 17"/' before.jsonl >waived.jsonl
    say sweep --against waived.jsonl --output again.jsonl "$second"
    say sweep --against again.jsonl "$second"
    CUMSUM_DEFECT=none
    say sweep -v --against before.jsonl "$three"
}

# The results and the page have all failures; the screen has three, and groups of all.
grouped() {
    local names="int32.wrap.increasing.inclusive.{16..37}.axis0.in-packed.out-packed.ones.seed0"
    CUMSUM_DEFECT=carry
    brief sweep --output out.jsonl --report page.html "$names" >some
    cat some
    page_records page.html >records
    grep '"state":"fail"' out.jsonl >failed
    echo "$(grep -c -xFf failed records) failures in the page: $(grep -o '"lines of 17 elements or more"' records)"
    brief sweep --jobs 2 "$names" | grep '^  ' | diff - <(grep '^  ' some) && echo "the same groups"
    brief sweep -q "$names" | grep -c '^fail'
}

# Beside a sweep of right kernels, the cases that fail are worse, and no other case; the other way
# round they are better. Another order that is accepted is a change.
compared() {
    CUMSUM_DEFECT=none
    say sweep -q --output good.jsonl "$three"
    say sweep -q --accept conformant --output right.jsonl "$normal"
    CUMSUM_DEFECT=order
    say sweep -q --accept conformant --output other.jsonl "$normal"
    say compare good.jsonl before.jsonl
    say compare before.jsonl good.jsonl
    say compare right.jsonl other.jsonl
}

# A killed sweep keeps its results. No other sweep may write the file.
killed() {
    local names="int32.wrap.increasing.{inclusive,exclusive}.{1..60}.axis0.in-packed.out-packed.ones.seed0"
    : >part.jsonl
    CUMSUM_DEFECT=hang cumsum sweep --output part.jsonl "$names" >/dev/null 2>&1 &
    until [ "$(wc -l <part.jsonl)" -ge 17 ]; do sleep 0.01; done
    say sweep --output part.jsonl "$names"
    kill -KILL $!
    wait $! 2>/dev/null
    say compare --allow-incomplete part.jsonl | grep -c '^[1-9][0-9]* passed, 0 failed'
}

# minimize makes a failure small, names the command that repeats it, and finds nothing in right
# kernels. A case of a file, a byte between elements and a lost device are failures, too.
minimized() {
    local name=float32.sequential.decreasing.exclusive.4x37.axis1.in-packed.out-packed.normal.seed1
    CUMSUM_DEFECT=carry
    brief minimize --backend cpu:portable --output 'a folder' $name
    say verify -q --backend cpu:portable "a folder/$name.minimal.json" | tail -n 2
    cp "a folder/$name.minimal.json" first
    say minimize --backend cpu:portable --output 'a folder' $name >again
    cmp "a folder/$name.minimal.json" first && echo "a second run makes the same case"
    say generate $name
    say minimize --json $name.json | grep -oE '"elements":17,|"complete":true,"state":"fail"'
    CUMSUM_DEFECT=gap
    brief minimize $gaps
    CUMSUM_DEFECT=crash
    brief minimize $name
    CUMSUM_DEFECT=none
    say minimize $name
}

for part in oracle isolated guarded known grouped compared killed minimized; do
    echo "== $part"
    $part
done >said 2>/dev/null
compare_said
