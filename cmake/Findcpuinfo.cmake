# SPDX-License-Identifier: MIT
# cpuinfo (https://github.com/pytorch/cpuinfo), which Debian ships without CMake files. Defines
# cpuinfo::cpuinfo. Installed beside cumsum-config.cmake: a static cumsum needs it.
find_library(cpuinfo_LIBRARY cpuinfo)
find_path(cpuinfo_INCLUDE_DIR cpuinfo.h)
mark_as_advanced(cpuinfo_LIBRARY cpuinfo_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  cpuinfo
  REQUIRED_VARS cpuinfo_LIBRARY cpuinfo_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "On Debian: apt-get install libcpuinfo-dev")

if(cpuinfo_FOUND AND NOT TARGET cpuinfo::cpuinfo)
  add_library(cpuinfo::cpuinfo UNKNOWN IMPORTED)
  set_target_properties(
    cpuinfo::cpuinfo PROPERTIES IMPORTED_LOCATION "${cpuinfo_LIBRARY}"
                                INTERFACE_INCLUDE_DIRECTORIES "${cpuinfo_INCLUDE_DIR}")
endif()
