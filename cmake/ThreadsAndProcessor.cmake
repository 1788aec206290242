# SPDX-License-Identifier: MIT
# The core's two libraries, pthreadpool and cpuinfo, and their replacements on systems without them
# (Debian has neither for Windows): src/serial_pool, with one thread, and code that asks the
# processor for its features.
option(CUMSUM_WITH_PTHREADPOOL "Thread pools (needs pthreadpool); OFF: one thread" ON)
option(CUMSUM_WITH_CPUINFO "Ask cpuinfo about the processor; OFF: ask the processor" ON)

if(CUMSUM_WITH_PTHREADPOOL)
  find_package(pthreadpool MODULE REQUIRED)
  set(CUMSUM_PTHREADPOOL_TEXT ", pthreadpool")
  string(APPEND CUMSUM_PRIVATE_LIBRARIES "-lpthreadpool ")
else()
  add_subdirectory(${PROJECT_SOURCE_DIR}/src/serial_pool)
  set(CUMSUM_PTHREADPOOL_TEXT ", no pthreadpool (one thread)")
endif()
if(CUMSUM_WITH_CPUINFO)
  find_package(cpuinfo MODULE REQUIRED)
  string(APPEND CUMSUM_PRIVATE_LIBRARIES "-lcpuinfo ")
else()
  add_library(cpuinfo::cpuinfo INTERFACE IMPORTED GLOBAL)
endif()
