# SPDX-License-Identifier: MIT
# DirectML. The declarations against Microsoft's header, where there is one (C++ only; Linux, since
# the slots are read off gcc's and clang's pointers to members). tools/fetch-directml-header has it.
enable_language(CXX)
find_path(DIRECTML_INCLUDE_DIR NAMES directx/DirectML.h)
mark_as_advanced(DIRECTML_INCLUDE_DIR)
if(DIRECTML_INCLUDE_DIR AND NOT WIN32)
  add_executable(test_dml_interfaces test_dml_interfaces.cpp)
  target_compile_features(test_dml_interfaces PRIVATE cxx_std_17)
  target_compile_options(test_dml_interfaces PRIVATE -Wall -Wextra -Wshadow)
  target_include_directories(test_dml_interfaces PRIVATE ${PROJECT_SOURCE_DIR}/include
                                                         ${PROJECT_SOURCE_DIR}/src/gpu/directml)
  target_include_directories(test_dml_interfaces SYSTEM
                             PRIVATE ${DIRECTML_INCLUDE_DIR} ${DIRECTML_INCLUDE_DIR}/directx
                                     ${DIRECTML_INCLUDE_DIR}/wsl/stubs)
  add_test(NAME gpu.directml-interfaces
           COMMAND test_dml_interfaces ${DIRECTML_INCLUDE_DIR}/directx/DirectML.h)
else()
  add_test(NAME gpu.directml-interfaces
           COMMAND ${CMAKE_COMMAND} -E echo
                   "SKIPPED: no directx/DirectML.h (DirectX-Headers 1.614; tools/fetch-directml-header)")
  set_tests_properties(gpu.directml-interfaces PROPERTIES SKIP_REGULAR_EXPRESSION "^SKIPPED")
endif()

# The backend on vkd3d, with a stand-in for DirectML's library in vkd3d's calling convention.
if(TARGET cumsum_gpu_vkd3d)
  add_library(directml_standin MODULE directml_standin.c)
  target_compile_definitions(directml_standin PRIVATE CUMSUM_ABI_VKD3D)
  target_include_directories(directml_standin PRIVATE ${PROJECT_SOURCE_DIR}/src/gpu/d3d12
                                                      ${PROJECT_SOURCE_DIR}/src/gpu/directml)
  target_include_directories(directml_standin SYSTEM PRIVATE ${DIRECTX_INCLUDE_DIR}
                                                             ${DIRECTX_INCLUDE_DIR}/wsl/stubs)
  target_link_libraries(directml_standin PRIVATE cumsum_flags)
  set_target_properties(directml_standin PROPERTIES C_EXTENSIONS OFF)

  add_executable(test_directml_standin test_directml_standin.c)
  target_include_directories(
    test_directml_standin PRIVATE ${PROJECT_SOURCE_DIR}/src/gpu/directml
                                  ${PROJECT_SOURCE_DIR}/src/gpu/scan)
  target_link_libraries(test_directml_standin PRIVATE cumsum_d3d12_internal cumsum_flags
                                                      PkgConfig::CMOCKA ${CMAKE_DL_LIBS})
  cumsum_gpu_test(directml test_directml_standin $<TARGET_FILE:directml_standin>)
endif()
