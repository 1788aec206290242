# SPDX-License-Identifier: MIT
# Sanitizers and coverage apply to every object file and link, tests included: a sanitizer that sees
# half of a program reports nonsense.
if(CUMSUM_SANITIZE)
  set(sanitize -fsanitize=${CUMSUM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_compile_options(${sanitize})
  add_link_options(${sanitize})
endif()
# Threads count together.
if(CUMSUM_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
