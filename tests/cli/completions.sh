#!/bin/bash
# SPDX-License-Identifier: MIT
# completions.sh CUMSUM COMPLETIONS SHELL: tests that SHELL accepts its completion file. For bash it
# also tests the completion of commands, options, words, files and folders, and that each command
# offers exactly the options of its --help. The test is skipped (77) if the shell is missing.
set -u
cumsum=$1 completions=$2 shell=$3
failed=0

fail() {
    echo "FAIL: $*"
    failed=1
}

command -v "$shell" >/dev/null || { echo "SKIPPED: $shell is not installed"; exit 77; }
case $shell in
zsh) exec zsh -n "$completions/zsh/_cumsum" ;;
fish) exec fish -n "$completions/fish/cumsum.fish" ;;
esac

# shellcheck source=/dev/null
. "$completions/bash/cumsum"

# complete_words WORD... completes the last word and prints the candidates on one line.
complete_words() {
    COMP_WORDS=(cumsum "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _cumsum
    echo "${COMPREPLY[*]}"
}

# gives "CANDIDATES" WORD...
gives() {
    local expected=$1 actual
    shift
    actual=$(complete_words "$@")
    [ "$actual" = "$expected" ] || fail "'$*' gives '$actual', not '$expected'"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir folder
touch file.json
complete -p cumsum >/dev/null || fail "nothing is registered"
gives 'verify validate' v
gives '--include --isolate' sweep --i
gives 'd3d12 directml' verify --backend d
gives 'all' verify --backend al
gives '' run --backend al
gives 'always' sweep --isolate alw
gives 'always' sweep --isolate = alw
gives 'folder' generate --output f
gives '' run --axis f
gives 'file.json' verify file
for command in $("$cumsum" --help | awk '/^Commands:/ { in_list = 1; next } !NF { in_list = 0 } in_list { print $1 }'); do
    listed=$("$cumsum" "$command" --help | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -e '--.*')
    gives "$(tr "\n" " " <<<"$listed" | sed "s/ $//")" "$command" --
done
[ $failed -eq 0 ] && echo "completes"
exit $failed
