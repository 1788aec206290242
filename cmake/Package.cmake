# SPDX-License-Identifier: MIT
# Install rules, and the files for find_package(cumsum) and pkg-config. All paths in them are
# relative, so the installed tree can be moved. The shared and the static library have a targets file
# each. The components are core, d3d12, cuda, development and tool.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cumsum)
install(
  TARGETS cumsum
  EXPORT cumsum-${CUMSUM_FLAVOUR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT core
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT core NAMELINK_COMPONENT development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
set(left_out)
if(NOT CUMSUM_WITH_D3D12)
  list(APPEND left_out PATTERN d3d12.h EXCLUDE)
endif()
if(NOT CUMSUM_WITH_CUDA)
  list(APPEND left_out PATTERN cuda.h EXCLUDE)
endif()
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/include/cumsum
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT development ${left_out})
install(
  FILES ${PROJECT_SOURCE_DIR}/anyorder/anyorder.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/anyorder
  COMPONENT development)
set(flavours ${CUMSUM_FLAVOUR})
if(CUMSUM_INSTALL_BOTH)
  install(TARGETS cumsum_static EXPORT cumsum-static
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  list(APPEND flavours static)
endif()
foreach(flavour IN LISTS flavours)
  install(
    EXPORT cumsum-${flavour}
    NAMESPACE cumsum::
    FILE cumsum-${flavour}-targets.cmake
    DESTINATION ${package_dir}
    COMPONENT development)
endforeach()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/cumsum-config.cmake.in ${PROJECT_BINARY_DIR}/cumsum-config.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
# Before version 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cumsum-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/cumsum-config.cmake ${PROJECT_BINARY_DIR}/cumsum-config-version.cmake
        ${PROJECT_SOURCE_DIR}/cmake/Findpthreadpool.cmake
        ${PROJECT_SOURCE_DIR}/cmake/cumsum-sweep.cmake
  DESTINATION ${package_dir}
  COMPONENT development)

cmake_path(APPEND pc_dir ${CMAKE_INSTALL_FULL_LIBDIR} pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${pc_dir} OUTPUT_VARIABLE pc_prefix)
cmake_path(APPEND pc_libdir "\${prefix}" ${CMAKE_INSTALL_LIBDIR})
cmake_path(APPEND pc_includedir "\${prefix}" ${CMAKE_INSTALL_INCLUDEDIR})
configure_file(${PROJECT_SOURCE_DIR}/cmake/cumsum.pc.in ${PROJECT_BINARY_DIR}/cumsum.pc @ONLY)
install(
  FILES ${PROJECT_BINARY_DIR}/cumsum.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)
# Keep this in agreement with target_link_libraries() of src/gpu.
set(pc_gpu_private ${CMAKE_DL_LIBS})
list(TRANSFORM pc_gpu_private PREPEND -l)
set(pc_gpu_devices_d3d12 "Direct3D 12 devices")
set(pc_gpu_devices_cuda "NVIDIA's GPUs")
foreach(pc_gpu d3d12 cuda)
  string(TOUPPER CUMSUM_WITH_${pc_gpu} with)
  set(pc_gpu_devices ${pc_gpu_devices_${pc_gpu}})
  if(${with})
    configure_file(${PROJECT_SOURCE_DIR}/cmake/cumsum-gpu.pc.in
                   ${PROJECT_BINARY_DIR}/cumsum-${pc_gpu}.pc @ONLY)
    install(
      FILES ${PROJECT_BINARY_DIR}/cumsum-${pc_gpu}.pc
      DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
      COMPONENT development)
  endif()
endforeach()
