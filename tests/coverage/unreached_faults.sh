#!/bin/bash
# SPDX-License-Identifier: MIT
# unreached_faults.sh PYTHON WORK: on a small tree and the tracefile of its tests, check_unreached.py
# passes a right list and says what is wrong with others.
set -u
python=$1 work=$2
check=$(dirname "$(realpath "$0")")/check_unreached.py
failed=0
rm -rf "$work"
mkdir -p "$work/src/cpu" "$work/tools"
work=$(realpath "$work")

cat >"$work/src/cpu/line.c" <<'END'
int sum(int a, int b) {
    if (a) {
        return b;
    }
    if (b) {
        return a;
    }
    return
        b;
}
static void FN(other)(int a,
                      int b) {
    return b;
}
END
echo 'int elsewhere(void);' >"$work/src/cpu/elsewhere.c"
echo 'int main(void);' >"$work/tools/main.c"
# Two objects were made of that file: one of them reached line 9, which the other one did not.
cat >"$work/tests.info" <<END
SF:$work/src/cpu/line.c
FNDA:4,sum
FNDA:0,other
BRDA:2,0,0,4
BRDA:2,0,1,0
BRDA:5,0,0,-
DA:2,4
DA:3,0
DA:5,4
DA:6,0
DA:9,0
DA:13,0
end_of_record
SF:$work/src/cpu/line.c
FNDA:2,sum
DA:9,2
end_of_record
SF:$work/tools/main.c
DA:1,0
end_of_record
END
cat >"$work/right" <<'END'
# a comment
It cannot be tested:
    src/cpu/line.c: sum: return b;
    src/cpu/line.c: sum: return a;
    src/cpu/line.c: other: return b;

It is for another machine:
    src/cpu/elsewhere.c
END

# answers STATUS WORDS: the check of $work/list must exit with the status and print the words.
answers() {
    "$python" -B "$check" "$work" "$work/tests.info" "$work/list" 2>&1 |
        tr -s " " >"$work/said"
    local status=${PIPESTATUS[0]}
    if [ "$status" -ne "$1" ] || ! grep -qF -- "$2" "$work/said"; then
        echo "FAIL: exits $status and not $1, or does not say '$2':"
        cat "$work/said"
        failed=1
    fi
}
# wrong SED-EXPRESSION WORDS: the check of a list changed by sed must fail and print the words.
wrong() {
    sed "$1" "$work/right" >"$work/list"
    ! cmp -s "$work/right" "$work/list" || { echo "FAIL: nothing changed: $1" && failed=1; }
    answers 1 "$2"
}

cp "$work/right" "$work/list"
answers 0 '4 lines and files of src/ are listed as not reached, 0 wrong'
answers 0 'src/cpu/ 50.0 % (3 of 6)'
answers 0 '33.3 % (1 of 3)'
answers 0 'tools/ 0.0 % (0 of 1)'
answers 0 'branches of src/ that were not taken: 2'
answers 0 ' 2 questions that have one answer'
new='no test reaches this, and the list does not say why'
wrong '/return a;/d' "src/cpu/line.c:6: $new: sum: return a;"
wrong '/other: /d' "src/cpu/line.c:13: $new: other: return b;"
wrong '/elsewhere/d' "src/cpu/elsewhere.c: $new: is not compiled, or has"
old='the list says that no test reaches this, and it is reached or is gone'
wrong '/return a;/p' "$old: src/cpu/line.c: sum: return a;"
wrong 's/return a;/if (b) {/' "$old: src/cpu/line.c: sum: if (b) {"
wrong 's/return a;/return c;/' "$old: src/cpu/line.c: sum: return c;"
wrong 's/elsewhere/main/' "$old: src/cpu/main.c"
wrong 's/elsewhere/line/' "$old: src/cpu/line.c"
sed 's/It cannot/Sometimes it cannot/; /return a;/s/.*/&\n    src\/cpu\/line.c: sum: if (b) {/' \
    "$work/right" >"$work/list"
answers 0 '5 lines and files of src/ are listed'
sed 's/It cannot/Sometimes it cannot/; s/return a;/return c;/' "$work/right" >"$work/list"
answers 1 "$old: src/cpu/line.c: sum: return c;"
wrong 's/tested:/tested/' 'a reason ends in a colon'
wrong '/tested:/d' 'no reason is above this'
wrong 's/sum: //' 'this is not FILE: FUNCTION: LINE'
rm -rf "$work"
exit $failed
