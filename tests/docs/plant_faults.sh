#!/bin/bash
# SPDX-License-Identifier: MIT
# plant_faults.sh PYTHON SOURCE BUILD WORK: check_commands.py must refuse documents that are wrong,
# and readme_output.py a README that is.
set -u
python=$1 source=$2 build=$3 work=$4
failed=0
rm -rf "$work"
mkdir -p "$work"

# refused WORDS: a document (standard input), with the table $work/table, must fail with these words.
refused() {
    cat >"$work/document.md"
    "$python" "$source/tests/docs/check_commands.py" "$source" "$build" "$work/run" "$work/table" \
        "$work/document.md" >"$work/said" 2>&1
    if [ $? -ne 1 ] || ! grep -qF -- "$1" "$work/said"; then
        echo "FAIL: '$1' is missing from the output:"
        cat "$work/said"
        failed=1
    else
        grep -m 1 -F -- "$1" "$work/said"
    fi
}

: >"$work/table"
refused 'exits 3, not 0' <<'END'
    cumsum verify no-such-file.json     # a comment
END
refused 'there is no option --no-such' <<'END'
Text that mentions `cumsum sweep --no-such` in passing.
END
refused "there is no 'cumsum swep'" <<'END'
```
$ cumsum info
cumsum swep quick
```
END
refused 'there is no configure preset nothing' <<'END'
    cmake --preset nothing \
        --list-presets
END
refused "there is no '" <<'END'
    tools/no-such-script --help
END
cat >"$work/table" <<'END'
exits 1, it is said to:
    cumsum info
END
refused 'exits 0, not 1' <<'END'
    cumsum info
END
refused 'no document has the command: cumsum info' <<'END'
    cumsum --version
END

# wrong_readme WORDS SED: README.md, changed so, must fail with these words.
wrong_readme() {
    sed "$2" "$source/README.md" >"$work/README.md"
    if "$python" -B "$source/tests/docs/readme_output.py" "$source" "$build" "$work/readme" \
        "$work/README.md" >"$work/said" 2>&1 || ! grep -qF -- "$1" "$work/said"; then
        echo "FAIL: '$1' is missing from the output:"
        cat "$work/said"
        failed=1
    else
        grep -m 1 -F -- "$1" "$work/said"
    fi
}
wrong_readme 'prints something else' 's/-1\.3939369/-1.3939368/'
wrong_readme 'exits with 127' '/^\$ export PATH/d'
wrong_readme 'README.md has no command tools/quickstart' '/^\$ tools\/quickstart/d'
wrong_readme 'python3 - <<' 's/^y = cumsum\.cumsum/y = cumsum.cumsums/'
rm -rf "$work"
exit $failed
