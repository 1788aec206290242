# SPDX-License-Identifier: MIT
# DirectML. The declarations are compared with Microsoft's header if it is installed
# (tools/fetch-directml-header gets it). Not on Windows: the slots are read from pointers to
# members, whose form is gcc's and clang's.
enable_language(CXX)
find_path(DIRECTML_INCLUDE_DIR NAMES directx/DirectML.h)
mark_as_advanced(DIRECTML_INCLUDE_DIR)
if(DIRECTML_INCLUDE_DIR AND NOT WIN32)
  add_executable(test_dml_interfaces test_dml_interfaces.cpp)
  target_compile_features(test_dml_interfaces PRIVATE cxx_std_17)
  target_compile_options(test_dml_interfaces PRIVATE -Wall -Wextra -Wshadow)
  target_include_directories(test_dml_interfaces PRIVATE ${PROJECT_SOURCE_DIR}/include
                                                         ${PROJECT_SOURCE_DIR}/src/exported
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

# cumsum_directml_standin(CONVENTION): a stand-in for DirectML's library, with its file name on WSL.
function(cumsum_directml_standin convention)
  set(name directml_standin_${convention})
  add_library(${name} MODULE directml_standin.c)
  string(TOUPPER ${convention} upper)
  target_compile_definitions(${name} PRIVATE CUMSUM_ABI_${upper})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src/gpu/d3d12
                                             ${PROJECT_SOURCE_DIR}/src/gpu/directml)
  target_include_directories(${name} SYSTEM PRIVATE ${DIRECTX_INCLUDE_DIR}
                                                    ${DIRECTX_INCLUDE_DIR}/wsl/stubs)
  target_link_libraries(${name} PRIVATE cumsum_flags)
  set_target_properties(
    ${name} PROPERTIES C_EXTENSIONS OFF PREFIX "" OUTPUT_NAME libdirectml SUFFIX .so
                       LIBRARY_OUTPUT_DIRECTORY
                       ${CMAKE_CURRENT_BINARY_DIR}/standin-${convention})
endfunction()

# The backend with the stand-in: on a software device, and on the stand-in for WSL's Direct3D 12.
add_executable(test_directml test_directml.c)
target_include_directories(
  test_directml PRIVATE standin ${PROJECT_SOURCE_DIR}/src/gpu/directml
                        ${PROJECT_SOURCE_DIR}/src/gpu/scan)
target_link_libraries(test_directml PRIVATE cumsum_gpu_internal gpu_measure cumsum_flags
                                            failing_memory check_frame ${CMAKE_DL_LIBS})
if(TARGET cumsum_gpu_vkd3d)
  cumsum_directml_standin(vkd3d)
  cumsum_gpu_test(directml test_directml $<TARGET_FILE:directml_standin_vkd3d>)
endif()
if(TARGET standin_d3d12)
  cumsum_directml_standin(wsl)
  add_test(NAME gpu.directml.wsl COMMAND test_directml $<TARGET_FILE:directml_standin_wsl>
                                         libd3d12.so)
  set_tests_properties(gpu.directml.wsl PROPERTIES ENVIRONMENT LD_LIBRARY_PATH=${standin})
endif()
