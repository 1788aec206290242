# SPDX-License-Identifier: MIT
# Debian packages, which cpack -G DEB makes of the installed components (tools/package runs it): the
# shared libraries, named after their sonames, the development files, and the program.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
# Debian's policy (3.3) wants a maintainer's address, and the sources have none. Distributors of the
# packages set CPACK_PACKAGE_CONTACT; tools/package takes it from DEBFULLNAME and DEBEMAIL.
set(no_contact "The cumsum authors <cumsum@example.org>")
if(NOT CPACK_PACKAGE_CONTACT)
  set(CPACK_PACKAGE_CONTACT "${no_contact}")
endif()
set(CPACK_CUMSUM_NO_CONTACT "${no_contact}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own summary
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SOURCE cumsum)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian/add_documentation.cmake
                            ${PROJECT_SOURCE_DIR}/packaging/debian/strip_as_debian.cmake
                            ${PROJECT_SOURCE_DIR}/packaging/debian/settle_modes.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian/repack.cmake)
# dpkg-shlibdeps must find the packages' own libraries, on which the others depend.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src
                                                ${PROJECT_BINARY_DIR}/src/gpu)
set(this_version "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

# cumsum_package(COMPONENT NAME SECTION MULTI_ARCH SUMMARY TEXT...) defines one package. CPack has
# no variable for Multi-Arch before CMake 3.31, so the field is appended to the section's line.
set(CPACK_COMPONENTS_ALL "")
macro(cumsum_package component name section multi_arch summary)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} COMPONENT)
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_SECTION "${section}\nMulti-Arch: ${multi_arch}")
  string(JOIN "\n" text ${ARGN})
  set(CPACK_DEBIAN_${COMPONENT}_DESCRIPTION "${summary}\n${text}")
endmacro()

set(library libcumsum${CUMSUM_SOVERSION})
set(d3d12_library libcumsum-d3d12-${CUMSUM_SOVERSION})
cumsum_package(
  core
  ${library}
  libs
  same
  "DirectML's cumulative summation on the CPU, bit for bit"
  "Prefix sums of strided tensors of one to eight dimensions along one axis,"
  "with the bits of DirectML's operator, and an oracle that judges the prefix"
  "sums of other implementations."
  "."
  "This package has the shared library.")
set(CPACK_DEBIAN_CORE_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/triggers)
set(tool_depends "${library} ${this_version}")
set(development_depends "${library} ${this_version}" libpthreadpool-dev)
if(CUMSUM_WITH_D3D12)
  cumsum_package(
    d3d12
    ${d3d12_library}
    libs
    same
    "DirectML's cumulative summation on Direct3D 12 devices"
    "The operator as compute shaders on a Direct3D 12 device, and Microsoft's own"
    "through DirectML. On Linux it takes vkd3d, or the device of WSL. It loads"
    "these libraries at run time, if they are installed."
    "."
    "This package has the shared library.")
  set(CPACK_DEBIAN_D3D12_PACKAGE_CONTROL_EXTRA ${CPACK_DEBIAN_CORE_PACKAGE_CONTROL_EXTRA})
  set(CPACK_DEBIAN_D3D12_PACKAGE_RECOMMENDS libvkd3d1)
  list(APPEND tool_depends "${d3d12_library} ${this_version}")
  list(APPEND development_depends "${d3d12_library} ${this_version}")
endif()
cumsum_package(
  development
  libcumsum-dev
  libdevel
  same
  "DirectML's cumulative summation on the CPU (development files)"
  "Prefix sums of strided tensors of one to eight dimensions along one axis,"
  "with the bits of DirectML's operator, and an oracle that judges the prefix"
  "sums of other implementations."
  "."
  "This package has headers, static libraries, and the files for CMake and"
  "pkg-config.")
list(JOIN development_depends ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)
if(CUMSUM_BUILD_TOOL)
  cumsum_package(
    tool
    cumsum
    devel
    foreign
    "judge of prefix sums, with DirectML's bits and an exact oracle"
    "Computes DirectML's cumulative summation, says which descriptors it takes,"
    "judges prefix sums of other implementations, and runs a conformance"
    "suite on CPU and GPU.")
  set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS "python3-numpy, python3-torch")
  list(JOIN tool_depends ", " CPACK_DEBIAN_TOOL_PACKAGE_DEPENDS)
endif()
include(CPack)
