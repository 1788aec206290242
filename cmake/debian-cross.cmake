# SPDX-License-Identifier: MIT
# Toolchain file: builds for another processor with Debian's cross compiler, and runs the programs with
# qemu-user. CUMSUM_TRIPLET is Debian's name of the target. CUMSUM_SYSROOT is a folder with its
# libraries; without it they are installed on this machine, for the foreign architecture.
set(CUMSUM_TRIPLET aarch64-linux-gnu CACHE STRING "Debian's name of the target")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CUMSUM_SYSROOT CUMSUM_TRIPLET)
string(REGEX REPLACE "-.*" "" processor ${CUMSUM_TRIPLET})
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${processor})
set(CMAKE_C_COMPILER ${CUMSUM_TRIPLET}-gcc)
set(CMAKE_CXX_COMPILER ${CUMSUM_TRIPLET}-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${CUMSUM_TRIPLET})

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${processor})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
if(CUMSUM_SYSROOT)
  set(CMAKE_SYSROOT ${CUMSUM_SYSROOT})
  list(APPEND CMAKE_CROSSCOMPILING_EMULATOR -L ${CUMSUM_SYSROOT})
  foreach(kind LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
  endforeach()
  set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CUMSUM_SYSROOT})
endif()

# pkg-config must not find this machine's libraries.
set(ENV{PKG_CONFIG_LIBDIR} ${CUMSUM_SYSROOT}/usr/lib/${CUMSUM_TRIPLET}/pkgconfig)
