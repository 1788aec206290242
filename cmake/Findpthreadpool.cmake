# SPDX-License-Identifier: MIT
# pthreadpool (https://github.com/google/pthreadpool), which Debian ships without CMake files.
# Defines pthreadpool::pthreadpool. Installed beside cumsum-config.cmake: a static cumsum needs it.
find_library(pthreadpool_LIBRARY pthreadpool)
find_path(pthreadpool_INCLUDE_DIR pthreadpool.h)
mark_as_advanced(pthreadpool_LIBRARY pthreadpool_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  pthreadpool
  REQUIRED_VARS pthreadpool_LIBRARY pthreadpool_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "On Debian: apt-get install libpthreadpool-dev")

if(pthreadpool_FOUND AND NOT TARGET pthreadpool::pthreadpool)
  add_library(pthreadpool::pthreadpool UNKNOWN IMPORTED)
  set_target_properties(
    pthreadpool::pthreadpool PROPERTIES IMPORTED_LOCATION "${pthreadpool_LIBRARY}"
                                        INTERFACE_INCLUDE_DIRECTORIES "${pthreadpool_INCLUDE_DIR}")
  # It waits with WaitOnAddress(), which is in this library.
  if(WIN32)
    set_target_properties(pthreadpool::pthreadpool PROPERTIES INTERFACE_LINK_LIBRARIES
                                                              synchronization)
  endif()
endif()
