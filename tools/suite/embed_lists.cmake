# SPDX-License-Identifier: MIT
# embed_lists(FILE.c lists...): writes the lists as the table of case_list.h.
function(embed_lists output)
  set(arrays "")
  set(rows "")
  foreach(path IN LISTS ARGN)
    get_filename_component(name ${path} NAME_WE)
    file(READ ${path} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "static const char list_${name}[] = {${bytes}0};\n")
    string(APPEND rows "    {\"${name}\", list_${name}},\n")
  endforeach()
  set(before "/* Made from lists/. */\n#include \"case_list.h\"\n\n")
  # Written only where it changes.
  file(CONFIGURE OUTPUT ${output} CONTENT
       "${before}${arrays}\nconst case_list builtin_lists[] = {\n${rows}    {0}};\n" @ONLY)
endfunction()
