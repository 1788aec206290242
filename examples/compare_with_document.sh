#!/bin/sh
# SPDX-License-Identifier: MIT
# compare_with_document.sh EXAMPLE DOCUMENT: checks that the ```c block of the document is a part of
# the example, line for line.
awk '
    FNR == 1 { file++ }
    file == 1 { example = example $0 "\n"; next }
    /^```$/ { inside = 0 }
    inside { block = block $0 "\n" }
    /^```c$/ { inside = 1; blocks++ }
    END {
        if (blocks == 1 && index(example, block))
            exit 0
        printf "%d blocks of C; not a part of the example:\n%s", blocks, block
        exit 1
    }' "$1" "$2"
