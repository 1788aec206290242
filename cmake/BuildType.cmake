# SPDX-License-Identifier: MIT
# The default build type is Release, because speeds of kernels without optimization mislead.
get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(PROJECT_IS_TOP_LEVEL AND NOT multi_config AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE
      Release
      CACHE STRING "Release, Debug, RelWithDebInfo or MinSizeRel" FORCE)
endif()
