# SPDX-License-Identifier: MIT
# Sanitizers and coverage apply to every object file and every link, tests included. If only half of
# a program is instrumented, a sanitizer reports wrong findings.
if(CUMSUM_SANITIZE)
  set(sanitize -fsanitize=${CUMSUM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # clang's checks of unsigned integers: those that wrap on purpose are in a list.
  if(CUMSUM_SANITIZE MATCHES "integer")
    list(APPEND sanitize -fno-sanitize=unsigned-shift-base
         -fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/integer-ignorelist.txt)
  endif()
  add_compile_options(${sanitize})
  add_link_options(${sanitize})
endif()
# -fprofile-update=atomic: several threads increment the same counters.
if(CUMSUM_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
