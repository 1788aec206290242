# SPDX-License-Identifier: MIT
# Toolchain file: the compiler is a script (tools/windows/imitated_cl) that imitates Microsoft's cl:
# clang parses the sources, and refuses what cl would refuse. It generates no code, and nothing is
# linked.
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
