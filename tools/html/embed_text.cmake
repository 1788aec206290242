# SPDX-License-Identifier: MIT
# embed_text(FILE.c NAME path): writes the file's text as the string NAME of html_text.h.
function(embed_text output name path)
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  # Written only where it changes.
  file(CONFIGURE OUTPUT ${output} CONTENT
       "#include \"html_text.h\"\n\nconst char ${name}[] = {${bytes}0};\n" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
endfunction()
