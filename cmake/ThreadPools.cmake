# SPDX-License-Identifier: MIT
# pthreadpool, the only library that libcumsum needs. On systems without it (Debian has none for
# Windows) src/serial_pool takes its place, with one thread.
option(CUMSUM_WITH_PTHREADPOOL "Thread pools (needs pthreadpool); OFF: one thread" ON)

if(CUMSUM_WITH_PTHREADPOOL)
  find_package(pthreadpool MODULE)
  if(NOT pthreadpool_FOUND)
    message(FATAL_ERROR "There is no pthreadpool (Debian: libpthreadpool-dev). -DCUMSUM_WITH_PTHREADPOOL=OFF builds without it, with one thread.")
  endif()
  set(CUMSUM_PTHREADPOOL_TEXT ", pthreadpool")
  set(CUMSUM_PRIVATE_LIBRARIES "-lpthreadpool ")
else()
  add_subdirectory(${PROJECT_SOURCE_DIR}/src/serial_pool)
  set(CUMSUM_PTHREADPOOL_TEXT ", no pthreadpool (one thread)")
endif()
