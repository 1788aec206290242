# SPDX-License-Identifier: MIT
# The flags of every object file. The bits of the results depend on two things: -ffp-contract=off
# (or /fp:precise) is there, and -ffast-math is not.
add_library(cumsum_flags INTERFACE)
target_compile_features(cumsum_flags INTERFACE c_std_11)
if(CMAKE_C_COMPILER_ID STREQUAL "MSVC")
  if(CMAKE_C_COMPILER_VERSION VERSION_LESS 19.35)
    message(FATAL_ERROR "Microsoft's cl has C11's atomics from 19.35 on (Visual Studio 2022 17.5); "
                        "this one is ${CMAKE_C_COMPILER_VERSION}. Visual Studio's clang-cl has them too.")
  endif()
  message(STATUS "The build has been tested only with an imitation of Microsoft's cl (docs/building.md)")
  # /fp:precise without /fp:contract does not contract. _CRT_SECURE_NO_WARNINGS turns off warnings
  # about standard functions that Microsoft calls unsafe.
  target_compile_options(cumsum_flags INTERFACE /fp:precise /experimental:c11atomics /utf-8 /W3
                                                $<$<BOOL:${CUMSUM_WERROR}>:/WX>)
  target_compile_definitions(cumsum_flags INTERFACE _CRT_SECURE_NO_WARNINGS)
elseif(CMAKE_C_COMPILER_FRONTEND_VARIANT STREQUAL "MSVC")
  # clang-cl: its -Wall would turn on all of clang's warnings, so use /W4.
  target_compile_options(cumsum_flags INTERFACE /clang:-ffp-contract=off /W4
                                                $<$<BOOL:${CUMSUM_WERROR}>:/WX>)
  target_compile_definitions(cumsum_flags INTERFACE _CRT_SECURE_NO_WARNINGS)
elseif(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  # They come after the flags of a parent project, and undo its -ffast-math. The link needs the first
  # one as well: with -ffast-math gcc links code that flushes subnormals in the whole process.
  set(ieee_flags
      -fno-fast-math
      -fno-unsafe-math-optimizations
      -fno-associative-math
      -fno-reciprocal-math
      -fno-finite-math-only
      -fsigned-zeros
      -ffp-contract=off)
  target_link_options(cumsum_flags INTERFACE -fno-fast-math)
  target_compile_options(
    cumsum_flags
    INTERFACE ${ieee_flags}
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
# mingw-w64: printf() of standard C instead of the one in Microsoft's old library. No warnings for
# math.h, whose macros contain conversions on paths that are not taken. Static linking, so that
# programs run without the compiler's DLLs.
if(MINGW)
  target_compile_definitions(cumsum_flags INTERFACE __USE_MINGW_ANSI_STDIO=1)
  target_compile_options(cumsum_flags INTERFACE -Wno-float-conversion)
  target_link_options(cumsum_flags INTERFACE -static)
endif()
