# SPDX-License-Identifier: MIT
# embed_text(FILE.c NAME PATH) writes FILE.c, which defines the string NAME of html_text.h: the text
# of the file PATH.
function(embed_text output name path)
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  # file(CONFIGURE) leaves a file alone that would not change.
  file(CONFIGURE OUTPUT ${output} CONTENT
       "#include \"html_text.h\"\n\nconst char ${name}[] = {${bytes}0};\n" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
endfunction()
