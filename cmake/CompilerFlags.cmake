# SPDX-License-Identifier: MIT
# The flags of every object file. The bits depend on the first two: no contraction, and (by their
# absence) no fast-math.
add_library(cumsum_flags INTERFACE)
target_compile_features(cumsum_flags INTERFACE c_std_11)
if(CMAKE_C_COMPILER_ID STREQUAL "MSVC")
  if(CMAKE_C_COMPILER_VERSION VERSION_LESS 19.35)
    message(FATAL_ERROR "Microsoft's cl has C11's atomics from 19.35 on (Visual Studio 2022 17.5); "
                        "this one is ${CMAKE_C_COMPILER_VERSION}. Its clang-cl does too.")
  endif()
  message(STATUS "Microsoft's cl has only been imitated so far: docs/building.md, Visual Studio")
  # /fp:precise contracts nothing as long as /fp:contract is not given. The warnings about functions
  # of C that are called unsafe are not of interest.
  target_compile_options(cumsum_flags INTERFACE /fp:precise /experimental:c11atomics /utf-8 /W3
                                                $<$<BOOL:${CUMSUM_WERROR}>:/WX>)
  target_compile_definitions(cumsum_flags INTERFACE _CRT_SECURE_NO_WARNINGS)
elseif(CMAKE_C_COMPILER_FRONTEND_VARIANT STREQUAL "MSVC")
  # clang-cl, whose -Wall is everything that clang knows.
  target_compile_options(cumsum_flags INTERFACE /clang:-ffp-contract=off /W4
                                                $<$<BOOL:${CUMSUM_WERROR}>:/WX>)
  target_compile_definitions(cumsum_flags INTERFACE _CRT_SECURE_NO_WARNINGS)
elseif(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  target_compile_options(
    cumsum_flags
    INTERFACE -ffp-contract=off
              -fvisibility=hidden
              -Wall
              -Wextra
              -Wshadow
              -Wconversion
              -Wstrict-prototypes
              -Wmissing-prototypes
              -Wvla
              $<$<BOOL:${CUMSUM_WERROR}>:-Werror>)
endif()
# printf() as C has it, and not as Microsoft's older library does. Its math.h converts on paths that
# are not taken. What is linked runs without the compiler's DLLs.
if(MINGW)
  target_compile_definitions(cumsum_flags INTERFACE __USE_MINGW_ANSI_STDIO=1)
  target_compile_options(cumsum_flags INTERFACE -Wno-float-conversion)
  target_link_options(cumsum_flags INTERFACE -static)
endif()
