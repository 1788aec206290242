# SPDX-License-Identifier: MIT
# Toolchain file: a script that has clang read the library as Microsoft's cl would takes cl's place
# (tools/windows/imitated_cl). There is nothing to link with, and nothing is compiled.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_C_COMPILER ${CMAKE_CURRENT_LIST_DIR}/../tools/windows/imitated_cl/cl)
set(CMAKE_C_COMPILER_WORKS ON)
set(CMAKE_C_ABI_COMPILED ON)
set(CMAKE_C_SIZEOF_DATA_PTR 8)
set(CMAKE_RC_COMPILER true)
set(CMAKE_MT true)
set(CMAKE_AR true)
set(CMAKE_LINKER true)
