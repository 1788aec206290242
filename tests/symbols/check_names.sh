#!/bin/sh
# SPDX-License-Identifier: MIT
# check_names.sh NM OBJECT...: every external name begins with cumsum_. That includes the names that a
# shared library hides: a static library hides none, and a plain name could clash with one of the
# program.
nm=$1
shift
names=$("$nm" -A --defined-only --extern-only "$@") || exit 1
if [ -z "$names" ]; then
    echo "no external name found"
    exit 1
fi
strangers=$(printf '%s\n' "$names" | awk '$NF !~ /^cumsum_/ && $NF !~ /^__/')
if [ -n "$strangers" ]; then
    echo "external names that do not begin with cumsum_:"
    printf '%s\n' "$strangers"
    exit 1
fi
