# SPDX-License-Identifier: MIT
if(CMAKE_C_COMPILER_ID STREQUAL "MSVC")
  message(FATAL_ERROR "Microsoft's cl has no integers of 128 bits and no flags per instruction set. "
                      "Its clang does: cmake -T ClangCL, or -DCMAKE_C_COMPILER=clang-cl. "
                      "Programs that use the library may be built with cl.")
endif()
# The flags of every object file. The bits depend on the first two: no contraction, and (by their
# absence) no fast-math.
add_library(cumsum_flags INTERFACE)
target_compile_features(cumsum_flags INTERFACE c_std_11)
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
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
