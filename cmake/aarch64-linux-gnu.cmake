# SPDX-License-Identifier: MIT
# Toolchain file: builds for AArch64 Linux with Debian's cross compiler, and runs the programs with
# qemu-user. CUMSUM_SYSROOT is a folder with the arm64 libraries.
if(NOT CUMSUM_SYSROOT)
  message(FATAL_ERROR "CUMSUM_SYSROOT must name a folder with the arm64 libraries; "
                      "tools/cross-aarch64 makes one")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CUMSUM_SYSROOT)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(CMAKE_SYSROOT ${CUMSUM_SYSROOT})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${CUMSUM_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# pkg-config must not find this machine's libraries.
set(ENV{PKG_CONFIG_LIBDIR} ${CUMSUM_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CUMSUM_SYSROOT})
