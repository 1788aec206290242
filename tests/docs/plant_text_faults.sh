#!/bin/bash
# SPDX-License-Identifier: MIT
# plant_text_faults.sh PYTHON WORK: check_text.py passes a small tree that is right, and refuses it
# with each of the faults below.
set -u
python=$1 work=$2
check=$(dirname "$(realpath "$0")")/check_text.py
failed=0

# write FILE: standard input becomes a file of the tree.
write() {
    mkdir -p "$(dirname "$work/tree/$1")"
    cat >"$work/tree/$1"
}
right_tree() {
    rm -rf "$work/tree"
    printf '%0100d\n- \140%0120d\140\n[a link](%0120d)\n' 0 0 0 | write docs/page.md
    printf '\140\140\140console\n%0120d x\n\140\140\140\n' 0 | write docs/output.md
    printf '%0300d words\n' 0 | write build/page.md
    write src/sum.c <<'END'
/* SPDX-License-Identifier: MIT */
/* Adds two numbers, as tests of other files need it. */
#include "sum.h"
END
    printf '/* SPDX-License-Identifier: MIT */\n/* See sum.h. */\n' | write tests/sum.c
    write tests/sum.h <<'END'
/* SPDX-License-Identifier: MIT */
#ifndef SUM_H
#define SUM_H

/*
 * The sum of two numbers, as tests of other files need it.
 */
#endif
END
}

# answers CHECK STATUS WORDS: the check exits with the status and prints the words.
answers() {
    "$python" -B "$check" "$1" "$work/tree" >"$work/said" 2>&1
    local status=$?
    if [ "$status" -ne "$2" ] || ! grep -qF -- "$3" "$work/said"; then
        echo "FAIL: $1 exits with $status and not $2, or does not say '$3':"
        cat "$work/said"
        failed=1
    fi
}
# refused CHECK FILE WORDS: with standard input in place of the file.
refused() {
    right_tree
    write "$2"
    answers "$1" 1 "$3"
}

right_tree
answers lines 0 '0 wrong'
answers beginnings 0 '0 wrong'
answers names 0 '0 wrong'
# A source archive: no program git, with git's folder or without.
mkdir "$work/tree/.git" "$work/bin"
path=$PATH
for folder in ${PATH//:/ }; do
    ln -s "$folder"/* "$work/bin" 2>/dev/null
done
rm -f "$work/bin/git"
PATH=$work/bin
answers lines 0 '0 wrong'
answers beginnings 0 '0 wrong'
PATH=$path
printf 'Text.\n%099d x\n' 0 | refused lines docs/page.md 'docs/page.md:2: 101 characters'
printf '\140\140\140console\n\140\140\140\n%099d x\n' 0 | refused lines docs/page.md 'docs/page.md:3: 101'
printf '|%0120d|\n' 0 | refused lines tests/README.md 'tests/README.md:1: 122 characters'
printf '\140%0120d\140 and\n' 0 | refused lines README.md 'README.md:1: 126 characters'
printf '/* Adds two numbers, as tests of other files need it. */\n' |
    refused beginnings src/sum.c 'src/sum.c:1: does not begin with'
printf '/* SPDX-License-Identifier: MIT */\n#include "sum.h"\n' |
    refused beginnings src/sum.c 'src/sum.c:2: no comment says'
printf '/* SPDX-License-Identifier: MIT */\n/* Sums. */\n' |
    refused beginnings src/sum.c 'src/sum.c:2: no comment says'
printf '/* SPDX-License-Identifier: MIT */\nint sum; /* of two numbers, as tests of others need it */\n' |
    refused beginnings tools/util/sum.h 'tools/util/sum.h:2: no comment says'
for files in 'src/cpu/add.c src/oracle/add.c' 'tools/cli/add.c tools/util/add.c'; do
    right_tree
    for file in $files; do
        echo 'static int add(int a, int b) { return a + b; }' | write "$file"
    done
    answers names 1 "add is the name of several functions: ${files/ /:1, }:1"
done
rm -rf "$work"
exit $failed
