# SPDX-License-Identifier: MIT
# fish completion of cumsum: commands, options and values are those of the program's --help.
function __cumsum_candidates
    set -l tokens (commandline -opc)
    set -l current (commandline -ct)
    set -l equals ''
    if test (count $tokens) -eq 1
        $tokens[1] --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  */\1\t/p'
        return
    end
    # Lines "--option VALUE"
    set -l options ($tokens[1] $tokens[2] --help 2>/dev/null |
        sed -nE 's/^ +(-., )?(--[a-z-]+)( ([^ ]+))?.*/\2 \4/p')
    set -l before $tokens[-1]
    if string match -qr '^--.*=' -- $current
        set before (string split -m 1 = -- $current)[1]
        set equals $before=
    end
    set -l value (string replace -rf -- "^$before (.+)" '$1' $options)
    if test -n "$value"
        string match -qr 'FILE|json' -- $value; and __fish_complete_path
        test $value = DIR; and __fish_complete_directories
        string match -vr '[A-Z]' -- (string split '|' -- $value) | string replace -r '^' -- $equals
    else if string match -q -- '-*' $current
        string split -f 1 ' ' -- $options
    else
        __fish_complete_path
    end
end
complete -c cumsum -f -a '(__cumsum_candidates)'
