# SPDX-License-Identifier: MIT
# embed_page(FOLDER) puts the page of web/report together, FOLDER/report.html, and writes
# FOLDER/embedded_page.c, which defines embedded_page of page.h. The hashes in the page's
# Content-Security-Policy allow its style and its script, and nothing else.

# The Base64 of a text's SHA-256.
function(base64_sha256 output text)
  set(letters "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  string(SHA256 hash "${text}")
  set(base64 "")
  foreach(at RANGE 0 60 6) # 3 bytes are 4 letters
    string(SUBSTRING "${hash}00" ${at} 6 bytes)
    foreach(shift 18 12 6 0)
      math(EXPR letter "(0x${bytes} >> ${shift}) & 63")
      string(SUBSTRING ${letters} ${letter} 1 letter)
      string(APPEND base64 ${letter})
    endforeach()
  endforeach()
  string(SUBSTRING ${base64} 0 43 base64) # 32 bytes are 43 letters and a padding
  set(${output} "${base64}=" PARENT_SCOPE)
endfunction()

function(embed_page folder)
  set(web ${PROJECT_SOURCE_DIR}/web/report)
  # The modules become one script: each stands behind those that it imports.
  set(script "\n")
  foreach(module elements words cases sweep comparison judgement report)
    file(READ ${web}/${module}.js text)
    string(REGEX REPLACE "\nimport [^\n]*" "" text "${text}")
    string(REGEX REPLACE "\nexport " "\n" text "${text}")
    string(APPEND script "${text}")
    list(APPEND sources ${web}/${module}.js)
  endforeach()
  file(READ ${web}/report.css style)
  file(READ ${web}/template.html page)
  base64_sha256(script_hash "${script}")
  base64_sha256(style_hash "${style}")
  string(REPLACE "@SCRIPT_HASH@" "${script_hash}" page "${page}")
  string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
  string(REPLACE "@STYLE@" "${style}" page "${page}")
  string(REPLACE "@SCRIPT@" "${script}" page "${page}")
  # file(CONFIGURE) leaves a file alone that would not change.
  set(content "${page}")
  file(CONFIGURE OUTPUT ${folder}/report.html CONTENT "@content@" @ONLY)
  string(HEX "${page}" bytes)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  file(CONFIGURE OUTPUT ${folder}/embedded_page.c CONTENT
       "#include \"page.h\"\n\nconst unsigned char embedded_page[] = {${bytes}0};\n" @ONLY)
  set_property(
    DIRECTORY APPEND
    PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources} ${web}/report.css ${web}/template.html)
endfunction()
