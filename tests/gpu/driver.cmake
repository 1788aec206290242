# SPDX-License-Identifier: MIT
# The driver over Direct3D 12: adapters, buffers, dispatches, failures.
add_library(gpu_test_device STATIC test_device.c)
target_link_libraries(gpu_test_device PUBLIC cumsum_gpu_internal cumsum_flags check_frame)

# The shaders of the tests themselves, which are read when a test runs.
add_library(gpu_shader_file STATIC shader_file.c)
target_include_directories(gpu_shader_file PUBLIC ${PROJECT_SOURCE_DIR}/src/gpu/scan)
target_compile_definitions(gpu_shader_file PRIVATE TEST_SHADERS="${CMAKE_CURRENT_SOURCE_DIR}")
target_link_libraries(gpu_shader_file PUBLIC cumsum_gpu_internal PRIVATE cumsum_flags)

add_executable(test_gpu_driver test_gpu_driver.c)
target_link_libraries(test_gpu_driver PRIVATE gpu_test_device gpu_shader_file)
cumsum_gpu_test(driver test_gpu_driver)

# cumsum_validated_test(NAME PROGRAM [ARGUMENTS...]): the same, with Vulkan's validation layer, which
# writes to standard output.
find_file(VULKAN_VALIDATION VkLayer_khronos_validation.json PATHS /usr/share /usr/local/share
          PATH_SUFFIXES vulkan/explicit_layer.d)
mark_as_advanced(VULKAN_VALIDATION)
function(cumsum_validated_test test)
  cumsum_gpu_test(${test} ${ARGN})
  set_tests_properties(
    gpu.${test} PROPERTIES ENVIRONMENT "${gpu_environment};VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation"
                           FAIL_REGULAR_EXPRESSION VUID)
  if(NOT VULKAN_VALIDATION)
    set_tests_properties(gpu.${test} PROPERTIES DISABLED ON)
  endif()
endfunction()
cumsum_validated_test(driver.validated test_gpu_driver)
set_tests_properties(gpu.driver.validated PROPERTIES FAIL_REGULAR_EXPRESSION ""
                                                     PASS_REGULAR_EXPRESSION "VUID-[A-Za-z]*CopyBuffer")

if(TARGET d3d12_record)
  cumsum_gpu_test(example.record d3d12_record)
endif()

# The driver on a stand-in for WSL's Direct3D 12, which fails on demand. It has the file names of the
# libraries that the driver loads. vkd3d itself is tried above, on a device.
find_library(DIRECTX_GUIDS_LIBRARY NAMES DirectX-Guids)
mark_as_advanced(DIRECTX_GUIDS_LIBRARY)
set(standin ${CMAKE_CURRENT_BINARY_DIR}/standin-wsl)

# cumsum_standin(TARGET FILE SOURCES...): a library of that file name.
function(cumsum_standin target name)
  add_library(${target} SHARED ${ARGN})
  target_include_directories(${target} PRIVATE standin ${PROJECT_SOURCE_DIR}/src/gpu/d3d12)
  target_include_directories(${target} SYSTEM PRIVATE ${DIRECTX_INCLUDE_DIR}
                                                      ${DIRECTX_INCLUDE_DIR}/wsl/stubs)
  target_compile_definitions(${target} PRIVATE CUMSUM_ABI_WSL)
  set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX "" OUTPUT_NAME ${name}
                                             LIBRARY_OUTPUT_DIRECTORY ${standin})
endfunction()

if(NOT WIN32 AND DIRECTX_GUIDS_LIBRARY)
  enable_language(CXX)
  cumsum_standin(
    standin_d3d12 libd3d12.so standin/standin_debug.c standin/standin_device.c
    standin/standin_list.c standin/standin_objects.c standin/standin_resource.c
    standin/standin_wsl.c)
  target_link_libraries(standin_d3d12 PRIVATE cumsum_flags ${DIRECTX_GUIDS_LIBRARY})
  cumsum_standin(standin_dxcore libdxcore.so standin/standin_dxcore.cpp)
  target_compile_features(standin_dxcore PRIVATE cxx_std_17)
  target_compile_options(standin_dxcore PRIVATE -Wall -Wextra -Wshadow -fvisibility=hidden)
  target_link_libraries(standin_dxcore PRIVATE standin_d3d12)
  cumsum_check_program(check_standin)
  target_include_directories(check_standin PRIVATE standin ${PROJECT_SOURCE_DIR}/src/gpu/scan)
  target_link_libraries(check_standin PRIVATE gpu_test_device gpu_measure failing_memory
                                              standin_d3d12)
  set(standin_groups test_standin test_record test_gpu_api test_scan_dispatches test_scan_memory)
  cumsum_check(check_standin gpu ${standin_groups})
  list(TRANSFORM standin_groups PREPEND gpu.)
  set_tests_properties(${standin_groups} PROPERTIES ENVIRONMENT LD_LIBRARY_PATH=${standin})
endif()
