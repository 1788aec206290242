# SPDX-License-Identifier: MIT
# The two libraries that the core uses, and what takes their place where they are not to be had
# (for Windows, Debian has neither): one thread, and what the processor says of itself.
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
