# SPDX-License-Identifier: MIT
# cmake -D ROOT=... -P check_bytecode.cmake: checks that the list src/gpu/shaders/bytecode.txt has
# all shaders and all bytecode of the source tree ROOT, with the hashes of the files, and that each
# shader has bytecode.
cmake_minimum_required(VERSION 3.25)
file(STRINGS ${ROOT}/src/gpu/shaders/bytecode.txt lines REGEX "^[0-9a-f]+  ")
file(
  GLOB_RECURSE files
  RELATIVE ${ROOT}
  ${ROOT}/src/gpu/shaders/*.hlsl* ${ROOT}/src/gpu/shaders/*.dxbc ${ROOT}/tests/gpu/*.hlsl*
  ${ROOT}/tests/gpu/*.dxbc)
set(wrong "")
set(listed "")

foreach(line ${lines})
  string(REGEX MATCH "^([0-9a-f]+)  (.*)$" matched ${line})
  set(hash ${CMAKE_MATCH_1})
  set(file ${CMAKE_MATCH_2})
  list(APPEND listed ${file})
  if(NOT EXISTS ${ROOT}/${file})
    list(APPEND wrong "${file} is in the list and missing")
    continue()
  endif()
  file(SHA256 ${ROOT}/${file} actual)
  if(NOT actual STREQUAL hash)
    list(APPEND wrong "${file} is another one than that of the list")
  endif()
endforeach()

foreach(file ${files})
  if(NOT file IN_LIST listed)
    list(APPEND wrong "${file} is not in the list")
  endif()
endforeach()

# NAME.dxbc, or with a line "// elements: FLOAT32 ..." NAME_float32.dxbc and so on.
set(shaders ${files})
list(FILTER shaders INCLUDE REGEX "\\.hlsl$")
set(count 0)
foreach(shader ${shaders})
  string(REGEX REPLACE "\\.hlsl$" "" name ${shader})
  file(STRINGS ${ROOT}/${shader} elements REGEX "^// elements: ")
  string(REGEX REPLACE "^// elements:" "" elements "${elements}")
  string(TOLOWER "${elements}" elements)
  string(REPLACE " " ";${name}_" bytecode "${elements}")
  if(NOT bytecode)
    set(bytecode ${name})
  endif()
  foreach(file ${bytecode})
    math(EXPR count "${count} + 1")
    if(NOT ${file}.dxbc IN_LIST files)
      list(APPEND wrong "${file}.dxbc is missing")
    endif()
  endforeach()
endforeach()

if(wrong OR count EQUAL 0)
  list(JOIN wrong "\n  " wrong)
  message(FATAL_ERROR "run tools/compile-shaders:\n  ${wrong}")
endif()
message("${count} files of bytecode agree with the list")
