# SPDX-License-Identifier: MIT
# Toolchain file: builds for 64-bit Windows with Debian's cross compiler, and runs the programs with
# wine. CUMSUM_SYSROOT is a prefix with the libraries for Windows; tools/cross-windows makes one.
if(NOT CUMSUM_SYSROOT)
  message(FATAL_ERROR "CUMSUM_SYSROOT must name a prefix with the libraries for Windows; "
                      "tools/cross-windows makes one")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CUMSUM_SYSROOT)
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

find_program(CUMSUM_WINE NAMES wine64 wine PATHS /usr/lib/wine)
mark_as_advanced(CUMSUM_WINE)
if(CUMSUM_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_CURRENT_LIST_DIR}/run_in_wine ${CUMSUM_WINE})
endif()
set(CMAKE_FIND_ROOT_PATH ${CUMSUM_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# pkg-config must not find this machine's libraries.
set(ENV{PKG_CONFIG_LIBDIR} ${CUMSUM_SYSROOT}/lib/pkgconfig)
