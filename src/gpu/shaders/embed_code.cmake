# SPDX-License-Identifier: MIT
# cmake -D HEADER=NAME.code.h -D "FILES=NAME.dxbc;..." -P embed_code.cmake: writes a header with an
# array of 32-bit words for each file of code, which has the file's name. Bytecode is a sequence of
# little-endian words; behind text (*.ptx) there are zeros, so it is a string.
cmake_minimum_required(VERSION 3.25)
set(text "/* The code of shaders, made while building. */\n#include <stdint.h>\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} words HEX)
  string(LENGTH "${words}" digits)
  math(EXPR rest "${digits} % 8")
  if(file MATCHES "ptx$")
    string(SUBSTRING "00000000" ${rest} -1 zeros)
    string(APPEND words "${zeros}")
  elseif(digits EQUAL 0 OR rest)
    message(FATAL_ERROR "${file} is not bytecode: it has no whole number of words")
  endif()
  string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1,\n" words "${words}")
  string(APPEND text "\nstatic const uint32_t ${name}[] = {\n${words}};\n")
endforeach()
file(WRITE ${HEADER} "${text}")
