# SPDX-License-Identifier: MIT
# Toolchain file: builds for WebAssembly with Debian's Emscripten, and runs the programs with Node.
# CUMSUM_SYSROOT is a prefix with the libraries for WebAssembly; tools/cross-web makes one.
if(NOT CUMSUM_SYSROOT)
  message(FATAL_ERROR "CUMSUM_SYSROOT must name a prefix with the libraries for WebAssembly; "
                      "tools/cross-web makes one")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CUMSUM_SYSROOT)
# Emscripten's tools need acorn. A Node that is not Debian's does not find Debian's copy without
# this.
set(CMAKE_C_LINKER_LAUNCHER ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs)
set(ENV{NODE_PATH} /usr/share/nodejs)
set(EMSCRIPTEN_SYSTEM_PROCESSOR wasm32)
# Emscripten's code takes a Node that has the function fetch for a browser.
set(CMAKE_CROSSCOMPILING_EMULATOR node --no-experimental-fetch)
set(CMAKE_FIND_ROOT_PATH ${CUMSUM_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CUMSUM_SYSROOT}/lib/pkgconfig)
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
