#!/bin/sh
# SPDX-License-Identifier: MIT
# manual_options.sh CUMSUM MAN-PAGE: the man page lists exactly the options that each command's
# --help lists, under the section of that command (.SS NAME) or under the options of all commands.
cumsum=$1
page=$2
failed=0

options_of_section() { # the long options that start a paragraph of the section
    awk -v section=".SS $1" '
        /^\.S[SH]/ { inside = ($0 == section) }
        inside && after_tp { print }
        { after_tp = ($0 == ".TP") }' "$page" |
        grep -oE '\\-\\-[a-z\\-]+' | sed 's/\\-/-/g' | sort -u
}

for command in run verify judge validate info bench generate sweep merge minimize probe fingerprint; do
    "$cumsum" "$command" --help | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -e '--[a-z-]+' |
        sort -u >help.$$
    { options_of_section "$command"; options_of_section "all commands"; } | sort -u >manual.$$
    if ! [ -s help.$$ ] || ! diff help.$$ manual.$$; then
        echo "cumsum $command: the options of --help (<) and of the man page (>) differ"
        failed=1
    fi
done
rm -f help.$$ manual.$$
exit $failed
