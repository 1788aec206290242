# SPDX-License-Identifier: MIT
# The flags of every object file. The bits of the results depend on two things: -ffp-contract=off
# (or /fp:precise) is there, and -ffast-math is not.
include(CheckCSourceCompiles)
add_library(cumsum_flags INTERFACE)
set(CUMSUM_IEEE_LINK_FLAGS)
target_compile_features(cumsum_flags INTERFACE c_std_11)
if(CMAKE_C_COMPILER_ID STREQUAL "MSVC")
  if(CMAKE_C_COMPILER_VERSION VERSION_LESS 19.35)
    message(FATAL_ERROR "Microsoft's cl has C11's atomics from 19.35 on (Visual Studio 2022 17.5); "
                        "this one is ${CMAKE_C_COMPILER_VERSION}. Visual Studio's clang-cl has them too.")
  endif()
  message(STATUS "The build has been tested only with clang in the place of Microsoft's cl (docs/building.md)")
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
  # two as well: with -ffast-math gcc links code that flushes subnormals in the whole process.
  set(CUMSUM_IEEE_LINK_FLAGS -fno-fast-math -fno-unsafe-math-optimizations)
  # What -Ofast is without -ffast-math and without stores that the source does not have.
  string(TOUPPER "CMAKE_C_FLAGS_${CMAKE_BUILD_TYPE}" type_flags)
  get_directory_property(parent_flags COMPILE_OPTIONS)
  if("${CMAKE_C_FLAGS} ${${type_flags}} ${parent_flags}" MATCHES "-Ofast")
    list(PREPEND CUMSUM_IEEE_LINK_FLAGS -O3)
  endif()
  set(ieee_flags
      ${CUMSUM_IEEE_LINK_FLAGS}
      -fno-associative-math
      -fno-reciprocal-math
      -fno-finite-math-only
      -fno-rounding-math
      -fsigned-zeros
      -ffp-contract=off)
  # Floats that are computed in a wider format: 32-bit x86 has the x87, s390x gcc's -std=c11.
  set(index 0)
  foreach(flags "" "-msse2 -mfpmath=sse" "-fexcess-precision=fast")
    set(CMAKE_REQUIRED_FLAGS "-std=c11 ${flags}")
    check_c_source_compiles("#include <float.h>
      int narrow[FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16 ? 1 : -1]; int main(void) { return 0; }"
                            CUMSUM_FLOAT_IS_FLOAT_${index})
    if(CUMSUM_FLOAT_IS_FLOAT_${index})
      separate_arguments(flags)
      list(APPEND ieee_flags ${flags})
      break()
    endif()
    math(EXPR index "${index} + 1")
  endforeach()
  unset(CMAKE_REQUIRED_FLAGS)
  target_link_options(cumsum_flags INTERFACE ${CUMSUM_IEEE_LINK_FLAGS})
  # Sizes are uint64_t. Where size_t has 32 bits, every object's size would be warned of.
  target_compile_options(
    cumsum_flags
    INTERFACE ${ieee_flags}
              -fvisibility=hidden
              -Wall
              -Wextra
              -Wshadow
              $<$<EQUAL:${CMAKE_SIZEOF_VOID_P},8>:-Wconversion>
              "$<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes;-Wmissing-prototypes>"
              -Wvla
              $<$<BOOL:${CUMSUM_WERROR}>:-Werror>)
endif()
# clang for WebAssembly, which has one rounding mode, warns that it is not told of others.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "wasm")
  target_compile_options(cumsum_flags INTERFACE -Wno-unsupported-floating-point-opt)
endif()
# mingw-w64: printf() of standard C instead of the one in Microsoft's old library. No warnings for
# math.h, whose macros contain conversions on paths that are not taken. Static linking, so that
# programs run without the compiler's DLLs.
if(MINGW)
  target_compile_definitions(cumsum_flags INTERFACE __USE_MINGW_ANSI_STDIO=1)
  target_compile_options(cumsum_flags INTERFACE -Wno-float-conversion)
  target_link_options(cumsum_flags INTERFACE -static)
endif()
