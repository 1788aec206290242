# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by tests: the records of a page that --report has written, a JSON object a line.
page_records() { # page_records FILE
    sed '1,/<script type="application\/json" id="records">/d' "$1" | sed '/^<\/script>/,$d' |
        sed 's/\\u003c/</g'
}
