#!/bin/bash
# SPDX-License-Identifier: MIT
# completions.sh CUMSUM COMPLETIONS SHELL: tests the completion of commands, options, words, files
# and folders, and that each command offers exactly the options of its --help. bash and fish
# complete words. Of zsh, whose completion needs a terminal, the test takes the place of the functions that
# get the candidates. The test is skipped (77) if the shell is missing.
# shellcheck disable=SC2317 # "complete_$shell" calls functions
set -u
cumsum=$(realpath "$1") completions=$(realpath "$2") shell=$3
failed=0

fail() {
    echo "FAIL: $*"
    failed=1
}

command -v "$shell" >/dev/null || { echo "SKIPPED: $shell is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir folder bin
ln -s "$cumsum" bin/cumsum
export PATH=$work/bin:$PATH
touch file.json

# complete_bash WORD... completes the last word and prints the candidates on one line.
complete_bash() {
    COMP_WORDS=(cumsum "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _cumsum
    printf '%s\n' "${COMPREPLY[@]}" | sort | paste -s -d ' ' -
}

# The same; fish shows a description behind a tab.
complete_fish() {
    fish --no-config -c "source $completions/cumsum.fish; complete -C 'cumsum $*'" |
        cut -f 1 | sort | paste -s -d ' ' -
}

# What zsh's functions get: commands, or options with their values.
complete_zsh() {
    zsh -f -c '_describe() { print -l -- ${(P)2}; }; _arguments() { print -l -- $*; }
        words=(cumsum "$@"); CURRENT=$#words; source $0' "$completions/_cumsum" "$@"
}

# gives "CANDIDATES" WORD...
gives() {
    local expected=$1 actual
    shift
    actual=$("complete_$shell" "$@")
    [ "$actual" = "$expected" ] || fail "'$*' gives '$actual', not '$expected'"
}

# has LINE WORD...: one of zsh's lines
has() {
    local line=$1
    shift
    complete_zsh "$@" | grep -qxF -- "$line" || fail "'$*' lacks '$line'"
}

case $shell in
bash)
    # shellcheck source=/dev/null
    . "$completions/cumsum.bash"
    complete -p cumsum >/dev/null || fail "nothing is registered"
    gives 'suspect' sweep --accept = sus
    gives 'folder' generate --output f
    ;;
fish)
    gives '--accept=suspect' sweep --accept=sus
    gives 'folder/' generate --output f
    ;;
zsh)
    has 'verify:execute case files and compare with the expected outputs, bit for bit' v
    has '*--accept=:bits|conformant|suspect:(bits conformant suspect)' sweep ''
    has '*--output=:DIR:_files -/' generate ''
    has '*--beside=:FILE.npy:_files' judge ''
    has '*:file:_files' run ''
    has '*--exclusive' judge ''
    ;;
esac
if [ "$shell" != zsh ]; then
    gives 'verify' v
    gives '--jobs --json' sweep --j
    gives 'd3d12 directml' verify --backend d
    gives 'all' verify --backend al
    gives '' run --backend al
    gives 'suspect' sweep --accept sus
    gives '' run --axis f
    gives 'file.json' verify 'fi'
    gives 'sequential sequential-binary64' judge --require-order seque
fi
for command in $("$cumsum" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    listed=$("$cumsum" "$command" --help | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -e '--.*')
    if [ "$shell" = zsh ]; then
        offered=$(complete_zsh "$command" '' | sed -n 's/^\*\(--[a-z-]*\).*/\1/p')
        [ "$offered" = "$listed" ] ||
            fail "$command: other options than those of --help"
    else
        gives "$(sort <<<"$listed" | paste -s -d ' ' -)" "$command" --
    fi
done
[ $failed -eq 0 ] && echo "completes"
exit $failed
