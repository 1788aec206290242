# SPDX-License-Identifier: MIT
# cmake -D HEADER=NAME.dxbc.h -D "FILES=NAME.dxbc;..." -P embed_bytecode.cmake: writes a header with
# an array of 32-bit words for each file of bytecode, which has the file's name. A file of bytecode
# is a sequence of little-endian words.
cmake_minimum_required(VERSION 3.25)
set(text "/* The bytecode of shaders, made from *.dxbc while building. */\n#include <stdint.h>\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} words HEX)
  string(LENGTH "${words}" digits)
  math(EXPR rest "${digits} % 8")
  if(digits EQUAL 0 OR rest)
    message(FATAL_ERROR "${file} is not bytecode: it has no whole number of words")
  endif()
  string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1,\n" words "${words}")
  string(APPEND text "\nstatic const uint32_t ${name}[] = {\n${words}};\n")
endforeach()
file(WRITE ${HEADER} "${text}")
