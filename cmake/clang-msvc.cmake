# SPDX-License-Identifier: MIT
# Toolchain file: clang parses the library as Visual Studio's clang-cl would, with Wine's headers
# (CUMSUM_WINE_HEADERS, Debian's libwine-dev) instead of Microsoft's. There are no libraries to link
# with: the preset windows-msvc only checks the sources for warnings and errors.
set(CUMSUM_WINE_HEADERS
    /usr/include/wine/wine
    CACHE PATH "Where Wine's headers are")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CUMSUM_WINE_HEADERS)
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET x86_64-pc-windows-msvc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
foreach(folder msvcrt windows)
  list(APPEND CMAKE_C_STANDARD_INCLUDE_DIRECTORIES ${CUMSUM_WINE_HEADERS}/${folder})
endforeach()
set(CMAKE_C_FLAGS_INIT "-fms-compatibility-version=19.33 -D_UCRT")
