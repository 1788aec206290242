# SPDX-License-Identifier: MIT
# bash completion of cumsum: commands, options and values are those of the program's --help.
_cumsum() {
    local program=${COMP_WORDS[0]} cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    local options value word
    COMPREPLY=()
    # --option=value is three words: the option is the one before the '='.
    if [ "$cur" = = ]; then
        cur=
    elif [ "$prev" = = ]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
    fi
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" --help 2>/dev/null |
            sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p') --help --version" -- "$cur")
        return
    fi
    # Lines "--option VALUE"
    options=$("$program" "${COMP_WORDS[1]}" --help 2>/dev/null |
        sed -nE 's/^ +(-., )?(--[a-z-]+)( ([^ ]+))?.*/\2 \4/p')
    value=$(sed -n "s/^$prev //p" <<<"$options")
    case $prev,$value in
    -*,?*)
        case $value in
        *FILE* | *.json) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
        DIR) mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
        esac
        for word in ${value//|/ }; do
            case $word in
            *[A-Z]*) ;; # a placeholder
            "$cur"*) COMPREPLY+=("$word") ;;
            esac
        done
        ;;
    *)
        case $cur in
        -*) mapfile -t COMPREPLY < <(compgen -W "${options//$'\n'/ }" -- "$cur") ;;
        *) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
        esac
        ;;
    esac
}
complete -o filenames -F _cumsum cumsum
