#!/bin/sh
# SPDX-License-Identifier: MIT
# manual_options.sh CUMSUM MAN-PAGE: tests that the man page agrees with --help. It has each command in
# its synopsis and in a section, and no other command. The section lists exactly the options of the
# command's --help, with their values; the options of all commands may be in their own section.
cumsum=$1
page=$2
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

wrong() {
    echo "FAIL: $*"
    failed=1
}

# Prints "--option VALUE" for each option of a --help.
options_of_help() {
    grep -oE '^ {2,6}(-., )?--[a-z-]+( [^ ]+)?' | sed 's/^ *//; s/^-., //' | sort -u
}

# Prints the same for the paragraphs of a section of the man page.
options_of_section() {
    awk -v section=".SS $1" '
        /^\.S[SH]/ { inside = ($0 == section) }
        inside && after_tp { print }
        { after_tp = ($0 == ".TP") }' "$page" |
        sed 's/\\f[BIRP]//g; s/\\-/-/g; s/^\.[BIR]* //; s/"//g; s/  */ /g; s/^-. , //' |
        grep -oE -e '^--[a-z-]+( [^ ]+)?' | sort -u
}

commands="$("$cumsum" --help | awk '/^Commands:/ { inside = 1; next } !NF { inside = 0 } inside { print $1 }') serve"
[ -n "$commands" ] || wrong "cumsum --help lists no commands"
options_of_section "all commands" >"$work/common"
for command in $commands; do
    "$cumsum" "$command" -v --help | options_of_help >"$work/help"
    options_of_section "$command" | sort -u - "$work/common" >"$work/manual"
    [ -s "$work/help" ] || wrong "cumsum $command --help lists no options"
    diff "$work/help" "$work/manual" ||
        wrong "cumsum $command: the options of --help (<) and of the man page (>) differ"
    grep -q "^\.B cumsum $command " "$page" || wrong "the synopsis has no $command"
done
# The words must be split here.
# shellcheck disable=SC2086
printf '%s\n' $commands 'all commands' | sort >"$work/sections"
sed -n 's/^\.SS //p' "$page" | sort | diff "$work/sections" - ||
    wrong "the commands (<) and the sections of the man page (>) differ"
if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww -z "$page" 2>"$work/groff"
    [ ! -s "$work/groff" ] || wrong "the man page is no good roff: $(cat "$work/groff")"
fi
exit $failed
